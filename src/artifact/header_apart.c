// Arrays without overlap: their lines in a launcher's contract, and the check behind a macro.
//
// A loop's loads through one array are done ahead of its earlier steps' stores through another (reflect_apart). Two arrays with
// common elements do no harm unless a step loads an earlier step's stored elements. No launcher can know: it checks
// nothing unless it is asked to.
#include <stdlib.h>
#include <string.h>

#include "artifact/header.h"

// The pairs of all variants on all targets, each once.
static const struct reflect_apart *all_pairs(const struct writer *w, const struct header_family *family,
                                             size_t *count) {
    size_t most = 0;
    for (size_t k = 0; k < family->count; k++) {
        for (size_t t = 0; t < w->reflection->target_count; t++) {
            most += family->kernels[k].entries[t].apart_count;
        }
    }
    struct reflect_apart *pairs = ARENA_ARRAY(w->arena, struct reflect_apart, most + 1);
    *count = 0;
    for (size_t k = 0; k < family->count; k++) {
        for (size_t t = 0; t < w->reflection->target_count; t++) {
            const struct reflect_entry *entry = &family->kernels[k].entries[t];
            for (size_t i = 0; i < entry->apart_count; i++) {
                bool is_new = true;
                for (size_t j = 0; j < *count; j++) {
                    is_new &= memcmp(&pairs[j], &entry->apart[i], sizeof *pairs) != 0;
                }
                if (is_new) {
                    pairs[(*count)++] = entry->apart[i];
                }
            }
        }
    }
    return pairs;
}

// The numbers to be equal if the two arrays are one: "sr == sc and …". Nothing if there are none.
static void add_numbers(const struct writer *w, struct strbuf *out, const struct reflect_apart *pair,
                        const struct reflect_param *params, const char *before, const char *compared,
                        const char *between) {
    for (unsigned e = 0; e < pair->equal_count; e++) {
        strbuf_printf(out, "%s%s%s%s", e ? between : before,
                      artifact_c_name(w->arena, params[pair->equals[e][0]].name), compared,
                      artifact_c_name(w->arena, params[pair->equals[e][1]].name));
    }
}

void header_apart(const struct writer *w, const struct header_family *family) {
    const struct reflect_param *params = family->kernels->params;
    size_t count;
    const struct reflect_apart *pairs = all_pairs(w, family, &count);
    struct strbuf line = {0};
    for (size_t i = 0; i < count; i++) {
        strbuf_printf(&line, i ? ", %s from %s" : "// Apart: %s from %s",
                      artifact_c_name(w->arena, params[pairs[i].loaded].name),
                      artifact_c_name(w->arena, params[pairs[i].stored].name));
        add_numbers(w, &line, &pairs[i], params, " unless ", " == ", " and ");
    }
    if (!count) {
        strbuf_add(w->out, family->kernels->param_count
                               ? "// Not checked: sizes against strides and memory, and the kernel's own "
                                 "indices: if it computes them in 32 "
                                 "bits,\n//   an array has fewer than 2^31 elements. Arrays may overlap as "
                                 "far as the kernel's "
                                 "loads and stores allow.\n"
                               : "");
        return;
    }
    strbuf_add(&line, ".\n");
    header_wrap(w->out, strbuf_text(&line), "//   ");
    strbuf_add(w->out, "//   A loop loads through the one ahead of what its earlier steps store through the "
                       "other. They may share\n"
                       "//   elements only where no step loads what an earlier one has stored. "
                       "TKC_CHECK_APART, defined before this\n"
                       "//   file is included, makes a launch refuse arrays that overlap.\n");
    strbuf_free(&line);
}

// ---- the check

unsigned header_element_bytes(const char *dtype) {
    size_t digits = strcspn(dtype, "0123456789");
    unsigned bits = dtype[0] == '*' ? 64 : (unsigned)strtoul(dtype + digits, NULL, 10);
    return bits < 8 ? 1 : bits / 8;
}

static void add_number(const struct writer *w, struct strbuf *out, const struct reflect_extent *extent) {
    if (extent->parameter) {
        strbuf_printf(out, "(int64_t)%s", artifact_c_name(w->arena, extent->parameter));
    } else {
        strbuf_printf(out, "%lld", (long long)extent->number);
    }
}

// The bytes from an array's address to the end of its last element; without sizes in the source, its first element's.
static void add_bytes(const struct writer *w, struct strbuf *out, const struct reflect_param *param) {
    const struct reflect_tensor *tensor = param->tensor;
    strbuf_printf(out, "%u * (1", header_element_bytes(param->dtype));
    for (size_t i = 0; tensor && i < tensor->rank; i++) {
        const struct reflect_extent *stride = &tensor->strides[i];
        strbuf_add(out, " + (");
        add_number(w, out, &tensor->sizes[i]);
        strbuf_add(out, " - 1)");
        if (stride->parameter || stride->is_number) {
            strbuf_add(out, " * ");
            add_number(w, out, stride);
            continue;
        }
        for (size_t j = i + 1; j < tensor->rank; j++) { // dense
            strbuf_add(out, " * ");
            add_number(w, out, &tensor->sizes[j]);
        }
    }
    strbuf_add_char(out, ')');
}

// "(uintptr_t)a_ < (uintptr_t)b_ + (uintptr_t)(2 * (1 + …))": a begins before b ends.
static void add_before(const struct writer *w, struct strbuf *out, const struct reflect_param *a,
                       const struct reflect_param *b) {
    strbuf_printf(out, "(uintptr_t)%s < (uintptr_t)%s + (uintptr_t)(", artifact_c_name(w->arena, a->name),
                  artifact_c_name(w->arena, b->name));
    add_bytes(w, out, b);
    strbuf_add_char(out, ')');
}

static bool names_size(const struct reflect_tensor *tensor, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (tensor->sizes[i].parameter && strcmp(tensor->sizes[i].parameter, name) == 0) {
            return true;
        }
    }
    return false;
}

// "n_ > 0 && ", for each size of the array that `before` does not name, each once: an array without elements may lie anywhere.
static void add_has_elements(const struct writer *w, struct strbuf *out, const struct reflect_tensor *tensor,
                             const struct reflect_tensor *before) {
    for (size_t i = 0; tensor && i < tensor->rank; i++) {
        const char *name = tensor->sizes[i].parameter;
        if (name && !names_size(tensor, i, name) && !(before && names_size(before, before->rank, name))) {
            strbuf_printf(out, "%s > 0 && ", artifact_c_name(w->arena, name));
        }
    }
}

void header_apart_checks(const struct writer *w, const struct vendor_text *text,
                         const struct header_family *family) {
    const struct reflect_param *params = family->kernels->params;
    size_t count;
    const struct reflect_apart *pairs = all_pairs(w, family, &count);
    strbuf_add(w->out, count ? "#ifdef TKC_CHECK_APART\n" : "");
    for (size_t i = 0; i < count; i++) {
        strbuf_add(w->out, "    if (");
        add_has_elements(w, w->out, params[pairs[i].loaded].tensor, NULL);
        add_has_elements(w, w->out, params[pairs[i].stored].tensor, params[pairs[i].loaded].tensor);
        add_before(w, w->out, &params[pairs[i].loaded], &params[pairs[i].stored]);
        strbuf_add(w->out, " &&\n        ");
        add_before(w, w->out, &params[pairs[i].stored], &params[pairs[i].loaded]);
        add_numbers(w, w->out, &pairs[i], params, " &&\n        (", " != ", " || ");
        strbuf_add(w->out, pairs[i].equal_count ? ")" : "");
        strbuf_printf(w->out,
                      ") {\n        tkc_break_rule(\"%s\", \"arrays that have to lie apart overlap\", 0, "
                      "2);\n        return %s;\n    }\n",
                      family->name, text->invalid);
    }
    strbuf_add(w->out, count ? "#endif\n" : "");
}
