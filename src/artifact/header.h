// What the files that write launcher headers share.
#ifndef TKC_ARTIFACT_HEADER_H
#define TKC_ARTIFACT_HEADER_H

#include "artifact/artifact.h"

struct vendor_text {
    enum vendor vendor;
    const char *prefix; // of the fixed part's names
    const char *result;
    const char *success;
    const char *invalid;
    const char *pointer;
    const char *stream;
};

// The macros that a header defines, sorted; header_names.c.
struct header_names {
    const char **macros;
    size_t macro_count;
};

struct writer {
    struct arena *arena;
    const struct reflection *reflection;
    struct strbuf *out;
    const char *id; // stem and hash: what shared symbols are named by
    struct header_names names;
};

// --- header_names.c: identifiers that meet. False after an error in diag.

bool header_name_macros(struct arena *arena, const struct reflection *reflection, struct header_names *names,
                        struct diag *diag);
bool header_has_macro(const struct header_names *names, const char *name);

// --- header_tables.c: images, and tables that say how each kernel is launched on each image

void header_tables(const struct writer *w, const struct vendor_text *text);

// Whether launching the kernel takes more than its own arguments and grid on any of the vendor's targets: hidden
// parameters, or a grid of another shape.
bool header_has_extras(const struct reflection *reflection, const struct reflect_kernel *kernel,
                       enum vendor vendor);
bool header_any_extras(const struct reflection *reflection, enum vendor vendor); // whether one kernel does
// The most hidden parameters that it takes on any of them.
size_t header_hidden_count(const struct reflection *reflection, const struct reflect_kernel *kernel,
                           enum vendor vendor);
// Comment lines: the tensors that a kernel reaches through tensor maps.
void header_tensor_comment(const struct writer *w, const struct reflect_kernel *kernel, enum vendor vendor);

#endif
