// What the files that write launcher headers share.
#ifndef TKC_ARTIFACT_HEADER_H
#define TKC_ARTIFACT_HEADER_H

#include "artifact/artifact.h"

// What a launcher, or a part of one, is written in the names of.
enum wording { IN_CUDA, IN_HIP, IN_ANY, WORDINGS };

struct vendor_text {
    enum wording wording;
    const char *prefix; // of the fixed part's names
    const char *result;
    const char *success;
    const char *invalid;
    const char *pointer;
    const char *stream; // as it stands before a name: "CUstream ", "void *"
};

// A kernel of the source: alone, or all of its variants, which the reflection holds one after another.
struct header_family {
    const char *name;                     // prefix of everything in the header
    const struct reflect_kernel *kernels; // they have the same parameters
    size_t first, count;
};

// The macros that a header defines, sorted; header_names.c.
struct header_names {
    const char **macros;
    size_t macro_count;
};

// The hash of a text that grows, as far as it was asked for.
struct running_hash {
    uint64_t hash;
    size_t length;
};

struct writer {
    struct arena *arena;
    const struct reflection *reflection;
    struct strbuf *out;
    struct running_hash *above; // of what is written
    const char *id;             // stem and hash: what shared symbols are named by
    struct header_names names;
    struct header_family *families;
    size_t family_count;
};

// --- header.c: pieces of headers

// FNV-1a, to which several pieces may be added from HEADER_HASH_START on.
#define HEADER_HASH_START UINT64_C(0xcbf29ce484222325)
void header_hash(uint64_t *hash, const void *bytes, size_t length);
uint64_t header_hash_above(const struct writer *w); // of all that is written so far
struct header_family *header_families(struct arena *arena, const struct reflection *reflection,
                                      size_t *count);
// The end of a function that loads `count` kernels from the `first` on; `extras`: some take hidden parameters.
void header_ready(const struct writer *w, const struct vendor_text *text, bool extras, size_t first,
                  size_t count);
// Adds a file of launcher/, named without its suffix.
void header_fixed_part(const char *name, struct strbuf *out);

bool header_is_integer(const struct reflect_param *param);
void header_parameters(const struct writer *w, const struct vendor_text *text,
                       const struct reflect_kernel *kernel); // ", CUdeviceptr a_, int32_t n_"
void header_arguments(const struct writer *w, const struct reflect_kernel *kernel); // ", a_, n_"
void header_values(const struct writer *w, const struct reflect_kernel *kernel);    // tkc_values
// tkc_arguments, with room for hidden ones.
void header_conversions(const struct writer *w, const struct reflect_kernel *kernel, size_t hidden);
void header_checks(const struct writer *w, const struct vendor_text *text,
                   const struct reflect_kernel *kernel);

// --- header_vendor.c: parts that are one text for both vendors (vendor_words.def)

// What the vendor's runtime calls it; NULL when it is no word of the table.
const char *header_vendor_word(enum wording wording, const char *word, size_t length);
// Adds a part of the launcher in the vendor's words.
void header_add_for_vendor(struct strbuf *out, const struct vendor_text *text, const char *part,
                           size_t length);
// A text in CUDA's words, with its functions called through a table that is filled when the program runs.
void header_add_by_table(struct strbuf *out, const char *part, size_t length);

// --- header_errors.c

void header_strerror(const struct writer *w, const struct vendor_text *text,
                     const struct header_family *family);

// --- header_variants.c: kernels of which a launch picks a variant

// Whether the variants can be launched by one call. False after an error in diag.
bool header_check_family(const struct header_family *family, struct diag *diag);
void header_family_grid(const struct writer *w, const struct header_family *family);
void header_family(const struct writer *w, const struct vendor_text *text,
                   const struct header_family *family);

// --- header_names.c: identifiers that meet. False after an error in diag.

bool header_name_macros(struct arena *arena, const struct header_family *families, size_t count, bool triton,
                        struct header_names *names, struct diag *diag);
// Whether a constant is the same in all variants.
bool header_is_common(const struct header_family *family, const struct reflect_constant *constant);
bool header_has_macro(const struct header_names *names, const char *name);

// --- header_triton.c: the names of Triton's own ahead-of-time tools

void header_triton(const struct writer *w, const struct vendor_text *text,
                   const struct header_family *family);

// --- header_tables.c: images, and tables that say how each kernel is launched on each image

void header_tables(const struct writer *w, const struct vendor_text *text);

// Whether a launcher in these words has the target's image.
bool header_covers(enum wording wording, const struct target *target);
// Whether launching the kernel takes more than its own arguments and grid on any of those targets: hidden
// parameters, or a grid of another shape.
bool header_has_extras(const struct reflection *reflection, const struct reflect_kernel *kernel,
                       enum wording wording);
bool header_any_extras(const struct reflection *reflection, enum wording wording); // whether one kernel does
// The most hidden parameters that it takes on any of them.
size_t header_hidden_count(const struct reflection *reflection, const struct reflect_kernel *kernel,
                           enum wording wording);
// Comment lines: the tensors that a kernel reaches through tensor maps.
void header_tensor_comment(const struct writer *w, const struct reflect_kernel *kernel, enum wording wording);

#endif
