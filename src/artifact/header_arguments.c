// The kernel's own parameters in generated C: as parameters, as arguments, checked, converted and as integers.
#include <string.h>

#include "artifact/header.h"
#include "support/escape.h"

bool header_is_integer(const struct reflect_param *param) {
    return !param->pointer && (param->dtype[0] == 'i' || param->dtype[0] == 'u');
}

bool header_may_exceed(const struct reflect_param *param) {
    return header_is_integer(param) && strcmp(artifact_c_type(param->dtype), "uint64_t") == 0;
}

void header_parameters(const struct writer *w, const struct vendor_text *text,
                       const struct reflect_kernel *kernel) {
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct reflect_param *param = &kernel->params[i];
        strbuf_printf(w->out, ", %s %s", param->pointer ? text->pointer : artifact_c_type(param->dtype),
                      artifact_c_name(w->arena, param->name));
    }
}

void header_integers(const struct writer *w, const struct reflect_kernel *kernel) {
    for (size_t i = 0; i < kernel->param_count; i++) {
        if (header_is_integer(&kernel->params[i])) {
            strbuf_printf(w->out, ", int64_t %s", artifact_c_name(w->arena, kernel->params[i].name));
        }
    }
}

const char *header_size_name(const struct writer *w, const struct reflect_param *param) {
    return param->pointer && (param->reset_to_zero || param->restore_value)
               ? arena_printf(w->arena, "tkc_bytes_of_%s", artifact_c_name(w->arena, param->name))
               : NULL;
}

void header_size_parameters(const struct writer *w, const struct reflect_kernel *kernel) {
    for (size_t i = 0; i < kernel->param_count; i++) {
        const char *name = header_size_name(w, &kernel->params[i]);
        if (name) {
            strbuf_printf(w->out, ", size_t %s", name);
        }
    }
}

void header_arguments(const struct writer *w, const struct reflect_kernel *kernel) {
    for (size_t i = 0; i < kernel->param_count; i++) {
        strbuf_printf(w->out, ", %s", artifact_c_name(w->arena, kernel->params[i].name));
    }
}

void header_call(const struct writer *w, const struct reflect_kernel *kernel, const char *start) {
    struct strbuf call = {0};
    struct writer inner = *w;
    inner.out = &call;
    strbuf_add(&call, start);
    header_arguments(&inner, kernel);
    strbuf_add(&call, ");\n");
    header_wrap(w->out, strbuf_text(&call), "        ");
    strbuf_free(&call);
}

// For a scalar with different C types in the launcher and in the kernel: the kernel's C type, and the text
// before and after the name in the converting expression. NULL: the launcher passes the scalar as it is.
static const char *const *conversion(const struct reflect_param *param) {
    static const char *const half[] = {"uint16_t", "tkc_half_bits(", ")"};
    static const char *const bfloat[] = {"uint16_t", "tkc_bfloat_bits(", ")"};
    static const char *const boolean[] = {"uint8_t", "", " ? 1 : 0"};
    if (param->pointer) {
        return NULL;
    }
    if (strcmp(param->dtype, "fp16") == 0) {
        return half;
    }
    if (strcmp(param->dtype, "bf16") == 0) {
        return bfloat;
    }
    return strcmp(param->dtype, "i1") == 0 ? boolean : NULL;
}

void header_values(const struct writer *w, const struct reflect_kernel *kernel) {
    struct strbuf values = {0};
    strbuf_add(&values, kernel->param_count ? "    const int64_t tkc_values[] = {"
                                            : "    const int64_t *tkc_values = NULL;\n");
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct reflect_param *param = &kernel->params[i];
        strbuf_add(&values, i ? ", " : "");
        if (param->pointer || header_is_integer(param)) {
            strbuf_printf(&values, "(int64_t)%s", artifact_c_name(w->arena, param->name));
        } else {
            strbuf_add(&values, "0");
        }
    }
    strbuf_add(&values, kernel->param_count ? "};\n" : "");
    header_wrap(w->out, strbuf_text(&values), "        ");
    strbuf_free(&values);
}

void header_conversions(const struct writer *w, const struct reflect_kernel *kernel, size_t hidden) {
    for (size_t i = 0; i < kernel->param_count; i++) {
        const char *const *convert = conversion(&kernel->params[i]);
        if (convert) {
            strbuf_printf(w->out, "    %s tkc_%zu = %s%s%s;\n", convert[0], i, convert[1],
                          artifact_c_name(w->arena, kernel->params[i].name), convert[2]);
        }
    }
    if (!kernel->param_count && !hidden) {
        strbuf_add(w->out, "    void **tkc_arguments = NULL;\n");
        return;
    }
    struct strbuf array = {0};
    strbuf_printf(&array, "    void *tkc_arguments[%zu] = {%s", kernel->param_count + hidden,
                  kernel->param_count ? "" : "NULL");
    for (size_t i = 0; i < kernel->param_count; i++) {
        strbuf_add(&array, i ? ", &" : "&");
        if (conversion(&kernel->params[i])) {
            strbuf_printf(&array, "tkc_%zu", i);
        } else {
            strbuf_add(&array, artifact_c_name(w->arena, kernel->params[i].name));
        }
    }
    strbuf_add(&array, "};\n");
    header_wrap(w->out, strbuf_text(&array), "        ");
    strbuf_free(&array);
}

const char *header_broken(const struct writer *w, const struct header_family *family,
                          const struct reflect_param *param, const char *value) {
    struct strbuf name = {0};
    escape_add_text(&name, ESCAPE_STRING, param->name);
    const char *rule =
        param->equals_one ? "1" : arena_printf(w->arena, "a multiple of %u", param->divisible_by);
    const char *call = arena_printf(
        w->arena, "tkc_break_rule(\"%s\", \"argument '%s' has to be %s (%s)\", %s, %d)", family->name,
        strbuf_text(&name), rule, param->by_use ? "the kernel's use of it needs that" : "its hint says so",
        value, param->pointer);
    strbuf_free(&name);
    return call;
}

const char *header_broken_grid(const struct writer *w, const struct header_family *family) {
    return arena_printf(w->arena, "tkc_break_rule(\"%s\", \"its grid is negative or too large\", 0, 2)",
                        family->name);
}

void header_checks(const struct writer *w, const struct vendor_text *text,
                   const struct header_family *family) {
    const struct reflect_kernel *kernel = family->kernels;
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct reflect_param *param = &kernel->params[i];
        const char *name = artifact_c_name(w->arena, param->name);
        if (param->equals_one) {
            strbuf_printf(w->out, "    if (%s != 1) {\n", name);
        } else if (param->divisible_by > 1) {
            bool is_pointer_in_c = param->pointer && text->wording == IN_HIP;
            strbuf_printf(w->out, "    if (%s%s %% %u != 0) {\n", is_pointer_in_c ? "(uintptr_t)" : "", name,
                          param->divisible_by);
        } else {
            continue;
        }
        header_add(w, "        %s;\n",
                   header_broken(w, family, param, arena_printf(w->arena, "(int64_t)%s", name)));
        strbuf_printf(w->out, "        return %s;\n    }\n", text->invalid);
    }
}

// Declares the integer parameters, as grids spell them, from tkc_values.
void header_declare_parameters(const struct writer *w, const struct reflect_kernel *kernel) {
    for (size_t i = 0; i < kernel->param_count; i++) {
        if (header_is_integer(&kernel->params[i])) {
            bool may_exceed = header_may_exceed(&kernel->params[i]);
            const char *name = artifact_c_name(w->arena, kernel->params[i].name);
            strbuf_printf(w->out,
                          may_exceed ? "    const int64_t %s = tkc_of_unsigned((uint64_t)tkc_values[%zu]);\n"
                                     : "    const int64_t %s = tkc_values[%zu];\n",
                          name, i);
            strbuf_printf(w->out, "    (void)%s;\n", name);
        }
    }
    strbuf_add(w->out, "    (void)tkc_values;\n");
}
