// Kernels with variants in a launcher header (launcher/variant.h): tables of the variants and of tuned choices, and for a kernel k
//
//   k_launch(stream, arguments…)                   picks a variant
//   k_launch_variant(stream, variant, arguments…)  0 to k_VARIANTS - 1
//   k_pick(&variant, arguments…)                   the one that k_launch would take
//   k_tune(stream, arguments…, sizes…)             times all of them for these arguments and remembers the best; the bytes of
//                                                  each array in reset_to_zero and restore_value come last
//   k_tune_report(), k_save_tuned(path)            what it found, in words; all of it, in JSON
//   k_variant_name(variant), k_load(), k_unload()
#include <string.h>

#include "artifact/header.h"
#include "support/escape.h"

// The parameter in which variants differ; `param_count`: none.
static size_t different_parameter(const struct reflect_kernel *a, const struct reflect_kernel *b) {
    size_t i = 0;
    while (i < a->param_count && i < b->param_count && strcmp(a->params[i].name, b->params[i].name) == 0 &&
           strcmp(a->params[i].dtype, b->params[i].dtype) == 0 &&
           a->params[i].pointer == b->params[i].pointer) {
        i++;
    }
    return i;
}

static size_t level_count(const struct header_family *family) {
    return family->kernels[family->count - 1].level + 1;
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
                       "the alternatives of parameter %s of %s differ in more than what they promise",
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
    if (level_count(family) > TKC_LEVELS) {
        diag_error(diag, (struct location){0},
                   "%s has %zu levels of hints, and launchers tell %d apart; leave some of --specialize out",
                   family->name, level_count(family), TKC_LEVELS);
        return false;
    }
    size_t keys = 0;
    for (size_t i = 0; i < first->param_count; i++) {
        keys += reflect_is_key(&first->params[i]);
    }
    if (family->count > 1 && keys > TKC_KEYS) {
        diag_warning(diag, (struct location){0},
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

void header_family_grid(const struct writer *w, const struct header_family *family) {
    const struct reflect_kernel *kernel = family->kernels;
    strbuf_printf(w->out,
                  "static inline int %s_%s_grid(unsigned tkc_variant, const int64_t *tkc_values, int64_t "
                  "tkc_grid[3]) {\n",
                  w->id, family->name);
    for (size_t i = 0; i < kernel->param_count; i++) {
        if (header_is_integer(&kernel->params[i])) {
            bool may_exceed = strcmp(artifact_c_type(kernel->params[i].dtype), "uint64_t") == 0;
            const char *name = artifact_c_name(w->arena, kernel->params[i].name);
            strbuf_printf(w->out,
                          may_exceed ? "    const int64_t %s = tkc_of_unsigned((uint64_t)tkc_values[%zu]);\n"
                                     : "    const int64_t %s = tkc_values[%zu];\n",
                          name, i);
            strbuf_printf(w->out, "    (void)%s;\n", name);
        }
    }
    strbuf_add(w->out, "    (void)tkc_values;\n    switch (tkc_variant) {\n");
    for (size_t i = 0; i < family->count; i++) {
        write_grid_case(w, &family->kernels[i], i);
    }
    strbuf_add(w->out, "    default:\n        return 0;\n    }\n    return tkc_grid_fits(tkc_grid);\n}\n\n");
}

// ---- levels of hints

static void write_level(const struct writer *w, const struct reflect_kernel *kernel) {
    const char *join = "";
    strbuf_printf(w->out, "    case %uu:\n        return ", kernel->level);
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct reflect_param *param = &kernel->params[i];
        if (param->equals_one) {
            strbuf_printf(w->out, "%stkc_values[%zu] == 1", join, i);
        } else if (param->divisible_by > 1) {
            strbuf_printf(w->out, "%stkc_values[%zu] %% %u == 0", join, i, param->divisible_by);
        } else {
            continue;
        }
        join = " && ";
    }
    strbuf_add(w->out, *join ? ";\n" : "1;\n");
}

// Whether arguments keep what the variants of a level were promised.
static void write_levels(const struct writer *w, const struct header_family *family) {
    strbuf_printf(w->out,
                  "static inline int %s_%s_holds(unsigned tkc_level_asked, const int64_t *tkc_values) {\n"
                  "    (void)tkc_values;\n    switch (tkc_level_asked) {\n",
                  w->id, family->name);
    for (size_t i = 0; i < family->count; i++) {
        if (i == 0 || family->kernels[i].level != family->kernels[i - 1].level) {
            write_level(w, &family->kernels[i]);
        }
    }
    strbuf_add(w->out, "    default:\n        return 0;\n    }\n}\n\n");
}

// ---- tables

// The work of a variant is that on the first target that it fits, of those on which products were weighed if there is one.
static const struct kernel_work *work_of_variant(const struct writer *w,
                                                 const struct reflect_kernel *kernel) {
    const struct reflect_entry *chosen = NULL;
    bool weighed = false;
    for (size_t i = 0; i < w->reflection->target_count; i++) {
        const struct reflect_entry *entry = &kernel->entries[i];
        bool better = !weighed && target_has(w->reflection->targets[i].target, FEATURE_WGMMA);
        if (entry->threads && (!chosen || better)) {
            chosen = entry;
            weighed |= better;
        }
    }
    return chosen ? &chosen->work : &kernel->entries[0].work;
}

// The name behind that of the kernel.
static const char *short_name(const struct header_family *family, size_t index) {
    return family->kernels[index].name + strlen(family->name) + 1;
}

static void write_variant(const struct writer *w, const struct header_family *family, size_t index) {
    const struct kernel_work *work = work_of_variant(w, &family->kernels[index]);
    strbuf_printf(w->out, "    {\"%s\",\n     %uu, {", short_name(family, index), work->count);
    for (unsigned i = 0; i < (work->count ? work->count : 1); i++) {
        strbuf_printf(w->out, "%s{%d, INT64_C(%lld), %.1f, %.1f}", i ? ", " : "", work->terms[i].parameter,
                      (long long)work->terms[i].divisor, work->terms[i].products, work->terms[i].bytes);
    }
    strbuf_printf(w->out, "}, %uu},\n", work->sums);
}

static unsigned write_keys(const struct writer *w, const struct header_family *family) {
    const struct reflect_kernel *kernel = family->kernels;
    struct strbuf names = {0};
    unsigned count = 0;
    strbuf_printf(w->out, "static const unsigned %s_%s_keys[] = {", w->id, family->name);
    for (size_t i = 0; i < kernel->param_count && count < TKC_KEYS; i++) {
        if (reflect_is_key(&kernel->params[i])) {
            strbuf_printf(w->out, "%s%zuu", count ? ", " : "", i);
            strbuf_printf(&names, "%s\"%s\"", count++ ? ", " : "", kernel->params[i].name);
        }
    }
    strbuf_printf(w->out, "%s};\nstatic const char *const %s_%s_key_names[] = {%s};\n", count ? "" : "0u",
                  w->id, family->name, count ? strbuf_text(&names) : "NULL");
    strbuf_free(&names);
    return count;
}

static const char *treatment(const struct reflect_param *param) {
    return param->restore_value ? "RESTORE" : param->reset_to_zero ? "RESET" : "KEEP";
}

static size_t write_arrays(const struct writer *w, const struct header_family *family) {
    const struct reflect_kernel *kernel = family->kernels;
    size_t count = 0;
    strbuf_printf(w->out, "static const struct tkc_array %s_%s_arrays[] = {", w->id, family->name);
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct reflect_param *param = &kernel->params[i];
        if (param->pointer) {
            strbuf_printf(w->out, "%s\n    {\"%s\", \"%s\", %zuu, TKC_ARRAY_%s}", count++ ? "," : "",
                          param->name, param->dtype, i, treatment(param));
        }
    }
    strbuf_add(w->out, count ? "};\n" : "{NULL, NULL, 0u, TKC_ARRAY_KEEP}};\n");
    return count;
}

static size_t write_choices(const struct writer *w, const struct header_family *family, unsigned keys) {
    const struct reflection *r = w->reflection;
    size_t count = 0;
    for (size_t i = 0; i < r->choice_count; i++) {
        const struct reflect_choice *choice = &r->choices[i];
        if (choice->kernel - family->first >= family->count) {
            continue;
        }
        if (!count++) {
            strbuf_printf(w->out, "static const struct tkc_choice %s_%s_choices[] = {\n", w->id,
                          family->name);
        }
        strbuf_add(w->out, "    {\"");
        escape_add_text(w->out, ESCAPE_STRING, choice->device);
        strbuf_add(w->out, "\", {");
        for (unsigned k = 0; k < (keys ? keys : 1); k++) {
            long long key = (long long)choice->key[k]; // C has no constant that is the least
            strbuf_printf(w->out, key == INT64_MIN ? "%s-INT64_C(%lld) - 1" : "%sINT64_C(%lld)",
                          k ? ", " : "", key == INT64_MIN ? (long long)INT64_MAX : key);
        }
        strbuf_printf(w->out, "}, %zuu, %.2f},\n", choice->kernel - family->first, choice->microseconds);
    }
    strbuf_add(w->out, count ? "};\n" : "");
    return count;
}

// What is known at run time is named by all that stands above it: headers that differ in a key, a choice or a grid alone hold the
// same images, and must not take each other's picks.
static const char *memory_name(const struct writer *w) {
    return arena_printf(w->arena, "%s_memory_%016llx", w->id, (unsigned long long)header_hash_above(w));
}

static void write_tables(const struct writer *w, const struct header_family *family) {
    strbuf_printf(
        w->out,
        "// Parameter, divisor, multiply-adds and bytes of what a program does; bytes of its sums.\n"
        "static const struct tkc_variant %s_%s_variants[] = {\n",
        w->id, family->name);
    for (size_t i = 0; i < family->count; i++) {
        write_variant(w, family, i);
    }
    strbuf_add(w->out, "};\n");
    unsigned keys = write_keys(w, family);
    size_t arrays = write_arrays(w, family), choices = write_choices(w, family, keys);
    const char *memory = memory_name(w);
    strbuf_add(w->out, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    strbuf_printf(w->out, "TKC_SHARED_SYMBOL extern struct tkc_memory %s;\nstruct tkc_memory %s;\n", memory,
                  memory);
    strbuf_add(w->out, "#ifdef __cplusplus\n}\n#endif\n");
    const char *prefix = arena_printf(w->arena, "%s_%s", w->id, family->name);
    strbuf_printf(
        w->out,
        "static const struct tkc_family %s_family = {\"%s\", %s_variants, %zuu, %zuu, %s_key_names, "
        "%s_keys, %uu,\n    %s, %zuu, %s_arrays, %zuu, %zuu, %s_holds, %s_grid, &%s};\n"
        "enum { %s_VARIANTS = %zu };\n\n",
        prefix, family->name, prefix, family->count, family->first, prefix, prefix, keys,
        choices ? arena_printf(w->arena, "%s_choices", prefix) : "NULL", choices, prefix, arrays,
        level_count(family), prefix, prefix, memory, family->name, family->count);
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
    strbuf_printf(out, "static inline %s %s_launch_variant(%sstream, unsigned variant", text->result,
                  family->name, text->stream);
    header_parameters(w, text, kernel);
    strbuf_add(out, ") {\n    int64_t tkc_grid[3];\n");
    header_conversions(w, kernel, most_hidden(w, text, family));
    header_values(w, kernel);
    strbuf_printf(out,
                  "    if (!%s_%s_grid(variant, tkc_values, tkc_grid)) {\n        return %s;\n    }\n"
                  "    if (tkc_grid[0] == 0) {\n        return %s;\n    }\n",
                  w->id, family->name, text->invalid, text->success);
    strbuf_printf(out,
                  "    if (!%s_%s_holds(tkc_level_of(&%s_%s_family, variant), tkc_values)) {\n        return "
                  "%s;\n    }\n",
                  w->id, family->name, w->id, family->name, text->invalid);
    strbuf_printf(out,
                  "    return tkc_%s_launch%s(&%s_program, &%s_source, %s%s%zuu + variant, stream,\n"
                  "        (unsigned)tkc_grid[0], (unsigned)tkc_grid[1], (unsigned)tkc_grid[2], ",
                  text->prefix, extras ? "_hidden" : "", w->id, w->id,
                  extras ? arena_printf(w->arena, "%s_extras, ", w->id) : "", "", family->first);
    if (extras) {
        strbuf_printf(out, "tkc_values, tkc_arguments, %zu);\n}\n\n", kernel->param_count);
    } else {
        strbuf_add(out, "tkc_arguments);\n}\n\n");
    }
}

static void write_pick(const struct writer *w, const struct vendor_text *text,
                       const struct header_family *family) {
    const struct reflect_kernel *kernel = family->kernels;
    strbuf_printf(w->out, "static inline %s %s_pick(unsigned *variant", text->result, family->name);
    header_parameters(w, text, kernel);
    strbuf_add(w->out, ") {\n");
    header_values(w, kernel);
    for (size_t i = 0; i < kernel->param_count; i++) {
        if (!kernel->params[i].pointer && !header_is_integer(&kernel->params[i])) {
            strbuf_printf(w->out, "    (void)%s;\n", artifact_c_name(w->arena, kernel->params[i].name));
        }
    }
    strbuf_printf(
        w->out, "    return tkc_%s_pick(&%s_program, &%s_source, &%s_%s_family, tkc_values, variant);\n}\n\n",
        text->prefix, w->id, w->id, w->id, family->name);
    strbuf_printf(w->out, "static inline %s %s_launch(%sstream", text->result, family->name, text->stream);
    header_parameters(w, text, kernel);
    strbuf_printf(w->out, ") {\n    unsigned tkc_variant = 0;\n    %s tkc_result = %s_pick(&tkc_variant",
                  text->result, family->name);
    header_arguments(w, kernel);
    strbuf_printf(w->out,
                  ");\n    if (tkc_result != %s) {\n        return tkc_result;\n    }\n"
                  "    return %s_launch_variant(stream, tkc_variant",
                  text->success, family->name);
    header_arguments(w, kernel);
    strbuf_add(w->out, ");\n}\n\n");
}

static void write_rest(const struct writer *w, const struct vendor_text *text,
                       const struct header_family *family) {
    strbuf_printf(w->out,
                  "static inline const char *%s_variant_name(unsigned variant) {\n"
                  "    return variant < %zuu ? %s_%s_variants[variant].name : NULL;\n}\n\n",
                  family->name, family->count, w->id, family->name);
    strbuf_printf(w->out,
                  "static inline %s %s_load(void) {\n"
                  "    %s tkc_result = tkc_%s_load_all(&%s_program, &%s_source, &%s_%s_family);\n",
                  text->result, family->name, text->result, text->prefix, w->id, w->id, w->id, family->name);
    header_ready(w, text, header_any_extras(w->reflection, text->wording), family->first, family->count);
    strbuf_printf(w->out,
                  "static inline %s %s_unload(void) {\n"
                  "    return tkc_%s_unload_all(&%s_program, &%s_source, &%s_%s_family);\n}\n\n",
                  text->result, family->name, text->prefix, w->id, w->id, w->id, family->name);
}

// The kernel's arguments behind one pointer, for launches from within tuning.
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
                  "    (void)tkc_given;\n    return %s_launch_variant(stream, variant",
                  kernel->param_count ? "" : "    char tkc_none;\n", text->result, w->id, family->name,
                  text->stream, w->id, family->name, w->id, family->name, family->name);
    for (size_t i = 0; i < kernel->param_count; i++) {
        strbuf_printf(w->out, ", tkc_given->%s", artifact_c_name(w->arena, kernel->params[i].name));
    }
    strbuf_add(w->out, ");\n}\n\n");
}

static const char *size_name(const struct writer *w, const struct reflect_param *param) {
    const char *name = artifact_c_name(w->arena, param->name);
    return param->pointer && (param->reset_to_zero || param->restore_value)
               ? arena_printf(w->arena, "tkc_bytes_of_%s", name)
               : NULL;
}

static void write_tune(const struct writer *w, const struct vendor_text *text,
                       const struct header_family *family) {
    const struct reflect_kernel *kernel = family->kernels;
    struct strbuf *out = w->out;
    write_arguments(w, text, family);
    strbuf_printf(out, "static inline %s %s_tune(%sstream", text->result, family->name, text->stream);
    header_parameters(w, text, kernel);
    for (size_t i = 0; i < kernel->param_count; i++) {
        const char *name = size_name(w, &kernel->params[i]);
        strbuf_printf(out, name ? ", size_t %s" : "%s", name ? name : "");
    }
    strbuf_printf(out, ") {\n    struct %s_%s_arguments tkc_given = {", w->id, family->name);
    for (size_t i = 0; i < kernel->param_count; i++) {
        strbuf_printf(out, "%s%s", i ? ", " : "", artifact_c_name(w->arena, kernel->params[i].name));
    }
    strbuf_add(out, kernel->param_count ? "};\n" : "0};\n");
    strbuf_printf(out, "    struct tkc_%s_session tkc_session = {NULL, NULL, NULL, NULL, NULL};\n",
                  text->prefix);
    header_values(w, kernel);
    strbuf_add(out, "    const size_t tkc_sizes[] = {");
    for (size_t i = 0; i < kernel->param_count; i++) {
        const char *name = size_name(w, &kernel->params[i]);
        if (kernel->params[i].pointer) {
            strbuf_printf(out, "%s, ", name ? name : "0");
        }
    }
    strbuf_printf(out,
                  "0};\n    tkc_session.stream = stream;\n    tkc_session.launch = %s_%s_launch;\n"
                  "    tkc_session.arguments = &tkc_given;\n"
                  "    return tkc_%s_tune(&%s_program, &%s_source, &%s_%s_family, &tkc_session, tkc_values, "
                  "tkc_sizes);\n}\n\n",
                  w->id, family->name, text->prefix, w->id, w->id, w->id, family->name);
    strbuf_printf(out,
                  "static inline int %s_save_tuned(const char *path) {\n"
                  "    return tkc_save_choices(&%s_%s_family, path);\n}\n\n"
                  "static inline const char *%s_tune_report(void) {\n    return tkc_report;\n}\n\n",
                  family->name, w->id, family->name, family->name);
}

void header_family(const struct writer *w, const struct vendor_text *text,
                   const struct header_family *family) {
    write_levels(w, family);
    write_tables(w, family);
    write_launch_variant(w, text, family);
    write_pick(w, text, family);
    write_rest(w, text, family);
    write_tune(w, text, family);
}
