// The interface between the files of the writer of launcher headers. header.c calls all of them; none calls
// header.c.
#ifndef TKC_ARTIFACT_HEADER_H
#define TKC_ARTIFACT_HEADER_H

#include "artifact/artifact.h"

enum { HEADER_WIDTH = 118 }; // columns after which generated lines are broken

// The spelling of names in a section of a launcher: CUDA's, HIP's, or those of a driver opened at run time
// (tkc/tkc_driver.h).
enum wording { IN_CUDA, IN_HIP, IN_ANY, WORDINGS };

// The wordings of a header's sections, in the order of its #if and #else.
struct header_vendors {
    enum wording wordings[2];
    size_t count;
};

struct vendor_text {
    enum wording wording;
    const char *prefix; // "cuda": the runtime's functions are named tkc_cuda_…
    const char *result; // "CUresult"
    const char *success;
    const char *invalid;
    const char *pointer; // "CUdeviceptr"
    const char *stream;  // with the space before a name: "CUstream ", "void *"
};

// A kernel of the source: alone, or with all its variants, consecutive in the reflection.
struct header_family {
    const char *name;                     // prefix of everything in the header
    const struct reflect_kernel *kernels; // all with the same parameters
    size_t first, count;                  // index of kernels[0] in the reflection; 1: no variants
};

// The macros defined by a header, sorted.
struct header_names {
    const char **macros;
    size_t macro_count;
};

// The hash of the first `length` bytes of a growing text.
struct running_hash {
    uint64_t hash;
    size_t length;
};

struct writer {
    struct arena *arena;
    const struct reflection *reflection;
    struct strbuf *out;
    struct running_hash *above; // of the body
    const char *id;             // stem and hash of the images: prefix of shared symbols
    struct header_names names;
    struct header_family *families;
    size_t family_count;
};

// --- header.c

// Stem and hash of the images: the prefix of names shared by files.
const char *header_id(struct arena *arena, const struct reflection *reflection, const char *stem);
struct header_family *header_families(struct arena *arena, const struct reflection *reflection,
                                      size_t *count);

// --- header_hash.c

#define HEADER_HASH_START UINT64_C(0xcbf29ce484222325)
void header_hash(uint64_t *hash, const void *bytes, size_t length); // adds bytes to a hash
uint64_t header_hash_above(const struct writer *w);                 // of the text written to w->out so far

// --- header_about.c: the opening comment of the file

void header_about(const struct writer *w, const struct header_vendors *vendors);

// --- header_contract.c: a comment for each kernel

void header_describe(const struct writer *w, const struct header_family *family); // above the prototypes
void header_describe_parameters(const struct writer *w, const struct header_family *family);
void header_variant_list(const struct writer *w, const struct header_family *family); // below them

// --- header_chains.c: kernels launched one after another

void header_chain_prototypes(const struct writer *w, const struct vendor_text *text,
                             const struct reflect_chain *chain);
void header_chain(const struct writer *w, const struct vendor_text *text, const struct reflect_chain *chain);
// False after an error in diag: a function of the chain has the name of a kernel's.
bool header_check_chain(const struct writer *w, const struct reflect_chain *chain, struct diag *diag);

// --- header_apart.c: arrays that must not overlap

void header_apart(const struct writer *w, const struct header_family *family); // lines of the contract
// Returns an invalid value if they do, under the macro TKC_CHECK_APART.
void header_apart_checks(const struct writer *w, const struct vendor_text *text,
                         const struct header_family *family);
unsigned header_element_bytes(const char *dtype);

// --- header_chain_apart.c: the same of a chain's arrays. `kernel`: its strerror tells the rule.

void header_chain_apart_checks(const struct writer *w, const struct vendor_text *text,
                               const struct reflect_chain *chain, const char *kernel);

// --- header_functions.c: prototypes and heads of the user's functions

enum header_function {
#define HEADER_FUNCTION(id, presence, result, name, parameters, doc) HEADER_##id,
#include "artifact/header_functions.def"
#undef HEADER_FUNCTION
    HEADER_FUNCTIONS
};

// True if the kernel has the function; header_may_have_function: if it would have it with a grid in the
// source.
bool header_has_function(const struct header_family *family, bool triton, enum header_function id);
bool header_may_have_function(const struct header_family *family, bool triton, enum header_function id);
const char *header_function_name(struct arena *arena, const struct header_family *family,
                                 enum header_function id);
void header_prototypes(const struct writer *w, const struct vendor_text *text,
                       const struct header_family *family);
// "static inline CUresult k_launch(CUstream stream, …) {". `text` may be NULL for rows without a vendor's
// type.
void header_begin(const struct writer *w, const struct vendor_text *text, const struct header_family *family,
                  enum header_function id);

// --- header_wrap.c

// Adds text, with line breaks behind commas in lines longer than HEADER_WIDTH. `next_line` starts each
// further line.
void header_wrap(struct strbuf *out, const char *text, const char *next_line);
// Adds formatted C to w->out, wrapped.
void header_add(const struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

// --- header_arguments.c: the kernel's own parameters

bool header_is_integer(const struct reflect_param *param);
bool header_may_exceed(
    const struct reflect_param *param); // an unsigned integer of 64 bits: int64_t may not hold its value
// ", CUdeviceptr a_, int32_t n_"
void header_parameters(const struct writer *w, const struct vendor_text *text,
                       const struct reflect_kernel *kernel);
void header_integers(const struct writer *w, const struct reflect_kernel *kernel);        // ", int64_t n_"
void header_size_parameters(const struct writer *w, const struct reflect_kernel *kernel); // of k_tune
// The parameter of k_tune with an array's size in bytes; NULL: tuning does not need its size.
const char *header_size_name(const struct writer *w, const struct reflect_param *param);
void header_arguments(const struct writer *w, const struct reflect_kernel *kernel); // ", a_, n_"
// `start`, the arguments, ");" and a line break.
void header_call(const struct writer *w, const struct reflect_kernel *kernel, const char *start);
// Defines tkc_values: all arguments as integers, for grids and tensor maps.
void header_values(const struct writer *w, const struct reflect_kernel *kernel);
// Declares the integer parameters, as grids spell them, from tkc_values.
void header_declare_parameters(const struct writer *w, const struct reflect_kernel *kernel);
// Defines tkc_arguments: the addresses of all arguments, with room for hidden ones.
void header_conversions(const struct writer *w, const struct reflect_kernel *kernel, size_t hidden);
// Returns an invalid value if an argument breaks a hint.
void header_checks(const struct writer *w, const struct vendor_text *text,
                   const struct header_family *family);
// A call to remember the broken hint of a parameter for k_strerror; its value is 0. `value`: in C, as an int64_t.
const char *header_broken(const struct writer *w, const struct header_family *family,
                          const struct reflect_param *param, const char *value);
const char *header_broken_grid(const struct writer *w, const struct header_family *family); // the same

// --- header_kernel.c, header_variants.c, header_triton.c, header_errors.c: definitions

void header_kernel(const struct writer *w, const struct vendor_text *text,
                   const struct header_family *family);
// True if one call can launch all variants. False after an error in diag.
bool header_check_family(const struct header_family *family, struct diag *diag);
void header_variants(const struct writer *w, const struct vendor_text *text,
                     const struct header_family *family);
void header_triton(const struct writer *w, const struct vendor_text *text,
                   const struct header_family *family);
void header_strerror(const struct writer *w, const struct vendor_text *text,
                     const struct header_family *family);
// "sm_80 (PTX, assembly that later chips take too), gfx942": the images with a variant of the kernel.
void header_list_images(const struct writer *w, enum wording wording, const struct header_family *family);

// --- header_runtime.c: the fixed runtime

void header_fixed_part(const char *name, struct strbuf *out); // adds launcher/<name>.h
bool header_has_variants(const struct writer *w);
void header_common_runtime(const struct writer *w);
void header_vendor_runtime(const struct writer *w, const struct vendor_text *text);
// Declares the runtime functions called by the definitions.
void header_declare(const struct writer *w, const struct vendor_text *text, const char *definitions);

// --- header_vendor.c: the runtime in a vendor's names (vendor_words.def)

// A word in a vendor's spelling; NULL: not in the table.
const char *header_vendor_word(enum wording wording, const char *word, size_t length);
void header_add_for_vendor(struct strbuf *out, const struct vendor_text *text, const char *part,
                           size_t length);
// Adds a text in CUDA's words; the driver's functions are called through a table filled at run time.
void header_add_by_table(struct strbuf *out, const char *part, size_t length);

// --- header_tables.c: images, and the launch of each kernel on each image

void header_tables(const struct writer *w, const struct vendor_text *text);
// The end of k_load: prepares launches with hidden parameters.
void header_ready(const struct writer *w, const struct vendor_text *text, bool extras,
                  const struct header_family *family);
bool header_covers(enum wording wording,
                   const struct target *target); // true if a launcher in these words has the target's image
// True if a launch on one of these targets takes hidden parameters or a grid of another shape.
bool header_has_extras(const struct reflection *reflection, const struct reflect_kernel *kernel,
                       enum wording wording);
bool header_any_extras(const struct reflection *reflection, enum wording wording); // of any kernel
// The largest number of hidden parameters on any of these targets.
size_t header_hidden_count(const struct reflection *reflection, const struct reflect_kernel *kernel,
                           enum wording wording);

// --- header_variant_tables.c

void header_variant_tables(const struct writer *w, const struct header_family *family);
size_t header_level_count(const struct header_family *family); // sets of hints
// A variant's work, for the cost rule. In the tables and in the functions of its conditions.
const struct kernel_work *header_work(const struct writer *w, const struct reflect_kernel *kernel);
bool header_has_conditions(const struct writer *w, const struct header_family *family);
bool header_has_steps(const struct writer *w, const struct header_family *family); // of programs, in a term
const char *header_variant_name(const struct header_family *family,
                                size_t index); // without the kernel's name

// --- header_macros.c

struct header_constant {
    const char *name, *value; // as in the source
    const char *macro;        // the macro's name; NULL: the constant is no integer
    const char *in_c;         // the value in C; NULL: no integer type of C holds it
    bool is_integer, is_macro;
};
// The constants common to all variants.
const struct header_constant *header_constants(const struct writer *w, const struct header_family *family,
                                               size_t *count);
void header_macros(const struct writer *w, const struct header_family *family);

// --- header_names.c: names at file scope that could clash

// Collects the defined macros. False after an error in diag: two functions with one name, or a taken name.
bool header_name_macros(struct arena *arena, const struct header_family *families, size_t count, bool triton,
                        struct header_names *names, struct diag *diag);
bool header_is_common(const struct header_family *family,
                      const struct reflect_constant *constant); // the same in all variants
bool header_has_macro(const struct header_names *names, const char *name);

#endif
