// Kernels with variants: the check for a common launcher, and the definitions of their functions. The tables
// of the variants are in header_variant_tables.c, the rule for the choice in launcher/variant.h.
#include <string.h>

#include "artifact/header.h"

// The index of the first parameter with a different name or type in two variants; param_count if there is
// none.
static size_t different_parameter(const struct reflect_kernel *a, const struct reflect_kernel *b) {
    size_t i = 0;
    while (i < a->param_count && i < b->param_count && strcmp(a->params[i].name, b->params[i].name) == 0 &&
           strcmp(a->params[i].dtype, b->params[i].dtype) == 0 &&
           a->params[i].pointer == b->params[i].pointer) {
        i++;
    }
    return i;
}

bool header_check_family(const struct header_family *family, struct diag *diag) {
    const struct reflect_kernel *first = family->kernels;
    for (size_t i = 1; i < family->count; i++) {
        const struct reflect_kernel *other = &family->kernels[i];
        size_t at = different_parameter(first, other);
        if (at == first->param_count && at == other->param_count) {
            continue;
        }
        if (other->config == first->config && at < first->param_count) {
            diag_error(diag, (struct location){0},
                       "the alternatives of parameter %s of %s differ in more than their hints",
                       first->params[at].name, family->name);
        } else {
            diag_error(
                diag, (struct location){0},
                "configurations %u and %u of %s leave different parameters to the launch; --config picks "
                "one",
                first->config, other->config, family->name);
        }
        return false;
    }
    if (header_level_count(family) > TKC_LEVELS) {
        diag_error(diag, (struct location){0},
                   "%s has %zu levels of hints, and launchers tell %d apart; leave some of --specialize out",
                   family->name, header_level_count(family), TKC_LEVELS);
        return false;
    }
    size_t keys = 0;
    for (size_t i = 0; i < first->param_count; i++) {
        keys += reflect_is_key(&first->params[i]);
    }
    if (family->count > 1 && keys > TKC_KEYS) {
        diag_warning(diag, WARNING_KEYS, (struct location){0},
                     "the key of %s has %zu numbers; choices go by the first %d of them", family->name, keys,
                     TKC_KEYS);
    }
    return true;
}

// ---- grids

static void write_grid_case(const struct writer *w, const struct reflect_kernel *kernel, size_t index) {
    strbuf_printf(w->out, "    case %zu:\n", index);
    for (int axis = 0; axis < 3; axis++) {
        strbuf_printf(w->out, "        tkc_grid[%d] = %s;\n", axis,
                      kernel->grid[axis] ? kernel->grid[axis] : "1");
    }
    strbuf_add(w->out, "        break;\n");
}

// k's grid by the variant's number. 0: the grid has no result.
static void write_grids(const struct writer *w, const struct header_family *family) {
    strbuf_printf(w->out,
                  "static inline int %s_%s_grid(unsigned tkc_variant, const int64_t *tkc_values, int64_t "
                  "tkc_grid[3]) {\n",
                  w->id, family->name);
    header_declare_parameters(w, family->kernels);
    strbuf_add(w->out, "    switch (tkc_variant) {\n");
    for (size_t i = 0; i < family->count; i++) {
        write_grid_case(w, &family->kernels[i], i);
    }
    strbuf_add(w->out, "    default:\n        return 0;\n    }\n    return tkc_grid_fits(tkc_grid);\n}\n\n");
}

// Writes a function that tells which terms of a variant's work a launch does, if any has a condition.
static void write_conditions(const struct writer *w, const struct header_family *family) {
    if (!header_has_conditions(w, family)) {
        return;
    }
    strbuf_printf(w->out,
                  "static inline int %s_%s_when(unsigned tkc_variant, unsigned tkc_part, const int64_t "
                  "*tkc_values) {\n",
                  w->id, family->name);
    header_declare_parameters(w, family->kernels);
    strbuf_printf(w->out, "    switch (tkc_variant * %uu + tkc_part) {\n", (unsigned)TKC_WORKS);
    for (size_t i = 0; i < family->count; i++) {
        const struct kernel_work *work = header_work(w, &family->kernels[i]);
        for (unsigned t = 0; t < work->count; t++) {
            if (work->when[t]) {
                strbuf_printf(w->out, "    case %zu: // term %u of variant %zu\n        return %s != 0;\n",
                              i * TKC_WORKS + t, t, i, work->when[t]);
            }
        }
    }
    strbuf_add(w->out, "    default:\n        return 1;\n    }\n}\n\n");
}

// Writes a function that computes the steps of a term in a program, if any term has such steps.
static void write_steps(const struct writer *w, const struct header_family *family) {
    if (!header_has_steps(w, family)) {
        return;
    }
    strbuf_printf(w->out,
                  "static inline int64_t %s_%s_steps(unsigned tkc_variant, unsigned tkc_part, const int64_t "
                  "*tkc_values,\n    const int64_t tkc_id[3]) {\n",
                  w->id, family->name);
    header_declare_parameters(w, family->kernels);
    for (int axis = 0; axis < 3; axis++) {
        strbuf_printf(w->out, "    const int64_t tkc_id_%d = tkc_id[%d];\n    (void)tkc_id_%d;\n", axis, axis,
                      axis);
    }
    strbuf_printf(w->out, "    switch (tkc_variant * %uu + tkc_part) {\n", (unsigned)TKC_WORKS);
    for (size_t i = 0; i < family->count; i++) {
        const struct kernel_work *work = header_work(w, &family->kernels[i]);
        for (unsigned t = 0; t < work->count; t++) {
            if (work->steps[t]) {
                strbuf_printf(w->out, "    case %zu: // term %u of variant %zu\n        return %s;\n",
                              i * TKC_WORKS + t, t, i, work->steps[t]);
            }
        }
    }
    strbuf_add(w->out, "    default:\n        return -1;\n    }\n}\n\n");
}

// ---- sets of hints

static void write_level(const struct writer *w, const struct header_family *family,
                        const struct reflect_kernel *kernel) {
    const char *join = "";
    strbuf_printf(w->out, "    case %uu:\n        return ", kernel->level);
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct reflect_param *param = &kernel->params[i];
        if (param->equals_one) {
            strbuf_printf(w->out, "%s(tkc_values[%zu] == 1", join, i);
        } else if (param->divisible_by > 1) {
            strbuf_printf(w->out, "%s(tkc_values[%zu] %% %u == 0", join, i, param->divisible_by);
        } else {
            continue;
        }
        header_add(w, " || %s)",
                   header_broken(w, family, param, arena_printf(w->arena, "tkc_values[%zu]", i)));
        join = " &&\n            ";
    }
    strbuf_add(w->out, *join ? ";\n" : "1;\n");
}

// Writes a function that tests a set of hints (level) on the arguments.
static void write_levels(const struct writer *w, const struct header_family *family) {
    strbuf_printf(w->out,
                  "static inline int %s_%s_holds(unsigned tkc_level_asked, const int64_t *tkc_values) {\n"
                  "    (void)tkc_values;\n    switch (tkc_level_asked) {\n",
                  w->id, family->name);
    for (size_t i = 0; i < family->count; i++) {
        if (i == 0 || family->kernels[i].level != family->kernels[i - 1].level) {
            write_level(w, family, &family->kernels[i]);
        }
    }
    strbuf_add(w->out, "    default:\n        return 0;\n    }\n}\n\n");
}

// ---- functions

static size_t most_hidden(const struct writer *w, const struct vendor_text *text,
                          const struct header_family *family) {
    size_t most = 0;
    for (size_t i = 0; i < family->count; i++) {
        size_t count = header_hidden_count(w->reflection, &family->kernels[i], text->wording);
        most = count > most ? count : most;
    }
    return most;
}

static void write_launch_variant(const struct writer *w, const struct vendor_text *text,
                                 const struct header_family *family) {
    const struct reflect_kernel *kernel = family->kernels;
    struct strbuf *out = w->out;
    bool extras = header_any_extras(w->reflection, text->wording);
    header_begin(w, text, family, HEADER_LAUNCH_VARIANT);
    strbuf_add(out, "    int64_t tkc_grid[3];\n");
    header_conversions(w, kernel, most_hidden(w, text, family));
    header_values(w, kernel);
    strbuf_printf(
        out,
        "    if (!%s_%s_grid(variant, tkc_values, tkc_grid)) {\n        %s;\n        return %s;\n    }\n"
        "    if (tkc_grid[0] == 0) {\n        return %s;\n    }\n",
        w->id, family->name, header_broken_grid(w, family), text->invalid, text->success);
    header_add(w,
               "    if (!%s_%s_holds(tkc_level_of(%s_%s_family(), variant), tkc_values)) {\n"
               "        return %s;\n    }\n",
               w->id, family->name, w->id, family->name, text->invalid);
    header_apart_checks(w, text, family);
    const char *grid = "(unsigned)tkc_grid[0], (unsigned)tkc_grid[1], (unsigned)tkc_grid[2]";
    if (extras) {
        header_add(w,
                   "    return tkc_%s_launch_hidden(&%s_program, %s_source(), %s_extras(), %zuu + variant, "
                   "stream, %s, tkc_values, tkc_arguments, %zu);\n}\n\n",
                   text->prefix, w->id, w->id, w->id, family->first, grid, kernel->param_count);
    } else {
        header_add(w,
                   "    return tkc_%s_launch(&%s_program, %s_source(), %zuu + variant, stream, %s, "
                   "tkc_arguments);\n}\n\n",
                   text->prefix, w->id, w->id, family->first, grid);
    }
}

static void write_pick(const struct writer *w, const struct vendor_text *text,
                       const struct header_family *family) {
    const struct reflect_kernel *kernel = family->kernels;
    header_begin(w, text, family, HEADER_PICK);
    header_values(w, kernel);
    for (size_t i = 0; i < kernel->param_count; i++) {
        if (!kernel->params[i].pointer && !header_is_integer(&kernel->params[i])) {
            strbuf_printf(w->out, "    (void)%s;\n", artifact_c_name(w->arena, kernel->params[i].name));
        }
    }
    header_add(w,
               "    return tkc_%s_pick(&%s_program, %s_source(), %s_%s_family(), tkc_values, "
               "variant);\n}\n\n",
               text->prefix, w->id, w->id, w->id, family->name);
}

static void write_launch(const struct writer *w, const struct vendor_text *text,
                         const struct header_family *family) {
    const struct reflect_kernel *kernel = family->kernels;
    header_begin(w, text, family, HEADER_LAUNCH_PICKED);
    strbuf_add(w->out, "    unsigned tkc_variant = 0;\n");
    header_call(
        w, kernel,
        arena_printf(w->arena, "    %s tkc_result = %s_pick(&tkc_variant", text->result, family->name));
    strbuf_printf(w->out, "    if (tkc_result != %s) {\n        return tkc_result;\n    }\n", text->success);
    header_call(w, kernel,
                arena_printf(w->arena, "    return %s_launch_variant(stream, tkc_variant", family->name));
    strbuf_add(w->out, "}\n\n");
}

static void write_load(const struct writer *w, const struct vendor_text *text,
                       const struct header_family *family) {
    header_begin(w, text, family, HEADER_LOAD);
    header_add(w, "    %s tkc_result = tkc_%s_load_all(&%s_program, %s_source(), %s_%s_family());\n",
               text->result, text->prefix, w->id, w->id, w->id, family->name);
    header_ready(w, text, header_any_extras(w->reflection, text->wording), family);
    header_begin(w, text, family, HEADER_UNLOAD);
    header_add(w, "    return tkc_%s_unload_all(&%s_program, %s_source(), %s_%s_family());\n}\n\n",
               text->prefix, w->id, w->id, w->id, family->name);
}

// Tuning launches through one pointer: a struct of the kernel's arguments, and a function to launch a variant
// with them.
static void write_arguments(const struct writer *w, const struct vendor_text *text,
                            const struct header_family *family) {
    const struct reflect_kernel *kernel = family->kernels;
    strbuf_printf(w->out, "struct %s_%s_arguments {\n", w->id, family->name);
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct reflect_param *param = &kernel->params[i];
        strbuf_printf(w->out, "    %s %s;\n", param->pointer ? text->pointer : artifact_c_type(param->dtype),
                      artifact_c_name(w->arena, param->name));
    }
    strbuf_printf(w->out,
                  "%s};\n\nstatic inline %s %s_%s_launch(void *arguments, %sstream, unsigned variant) {\n"
                  "    const struct %s_%s_arguments *tkc_given = (const struct %s_%s_arguments *)arguments;\n"
                  "    (void)tkc_given;\n",
                  kernel->param_count ? "" : "    char tkc_none;\n", text->result, w->id, family->name,
                  text->stream, w->id, family->name, w->id, family->name);
    struct strbuf call = {0};
    strbuf_printf(&call, "    return %s_launch_variant(stream, variant", family->name);
    for (size_t i = 0; i < kernel->param_count; i++) {
        strbuf_printf(&call, ", tkc_given->%s", artifact_c_name(w->arena, kernel->params[i].name));
    }
    strbuf_add(&call, ");\n}\n\n");
    header_wrap(w->out, strbuf_text(&call), "        ");
    strbuf_free(&call);
}

static void write_tune(const struct writer *w, const struct vendor_text *text,
                       const struct header_family *family) {
    const struct reflect_kernel *kernel = family->kernels;
    struct strbuf given = {0};
    write_arguments(w, text, family);
    header_begin(w, text, family, HEADER_TUNE);
    strbuf_printf(&given, "    struct %s_%s_arguments tkc_given = {", w->id, family->name);
    for (size_t i = 0; i < kernel->param_count; i++) {
        strbuf_printf(&given, "%s%s", i ? ", " : "", artifact_c_name(w->arena, kernel->params[i].name));
    }
    strbuf_add(&given, kernel->param_count ? "};\n" : "0};\n");
    header_wrap(w->out, strbuf_text(&given), "        ");
    strbuf_free(&given);
    header_values(w, kernel);
    strbuf_add(w->out, "    const size_t tkc_sizes[] = {");
    for (size_t i = 0; i < kernel->param_count; i++) {
        const char *name = header_size_name(w, &kernel->params[i]);
        if (kernel->params[i].pointer) {
            strbuf_printf(w->out, "%s, ", name ? name : "0");
        }
    }
    header_add(w,
               "0};\n    return tkc_%s_tune(&%s_program, %s_source(), %s_%s_family(), stream, "
               "%s_%s_launch, &tkc_given, tkc_values, tkc_sizes);\n}\n\n",
               text->prefix, w->id, w->id, w->id, family->name, w->id, family->name);
}

static void write_words(const struct writer *w, const struct header_family *family) {
    header_begin(w, NULL, family, HEADER_TUNE_REPORT);
    strbuf_add(w->out, "    return tkc_last_report();\n}\n\n");
    header_begin(w, NULL, family, HEADER_SAVE_TUNED);
    header_add(w, "    return tkc_save_choices(%s_%s_family(), path);\n}\n\n", w->id, family->name);
    header_begin(w, NULL, family, HEADER_VARIANT_NAME);
    strbuf_printf(w->out, "    return tkc_variant_name(%s_%s_family(), variant);\n}\n\n", w->id,
                  family->name);
}

void header_variants(const struct writer *w, const struct vendor_text *text,
                     const struct header_family *family) {
    write_grids(w, family);
    write_conditions(w, family);
    write_steps(w, family);
    write_levels(w, family);
    write_launch(w, text, family);
    write_launch_variant(w, text, family);
    write_pick(w, text, family);
    write_load(w, text, family);
    write_tune(w, text, family);
    write_words(w, family);
}
