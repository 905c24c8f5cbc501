// Tables of a kernel with variants (launcher/variant.h): the variants and their work, the parameters of the
// key, the arrays cleared or restored by tuning, the tuned choices, and the memory of picks.
#include <ctype.h>
#include <string.h>

#include "artifact/header.h"
#include "support/escape.h"

size_t header_level_count(const struct header_family *family) {
    return family->kernels[family->count - 1].level + 1;
}

const char *header_variant_name(const struct header_family *family, size_t index) {
    return family->kernels[index].name + strlen(family->name) + 1;
}

// A variant's work, for the cost rule. It differs between targets, because the compiler weighs products on
// targets with wgmma. So a target with wgmma is preferred, else the first target with the variant.
const struct kernel_work *header_work(const struct writer *w, const struct reflect_kernel *kernel) {
    const struct reflect_entry *chosen = NULL;
    bool weighed = false;
    for (size_t i = 0; i < w->reflection->target_count; i++) {
        const struct reflect_entry *entry = &kernel->entries[i];
        bool better = !weighed && target_has(w->reflection->targets[i].target, FEATURE(WGMMA));
        if (entry->threads && (!chosen || better)) {
            chosen = entry;
            weighed |= better;
        }
    }
    return chosen ? &chosen->work : &kernel->entries[0].work;
}

bool header_has_conditions(const struct writer *w, const struct header_family *family) {
    for (size_t i = 0; i < family->count; i++) {
        const struct kernel_work *work = header_work(w, &family->kernels[i]);
        for (unsigned t = 0; t < work->count; t++) {
            if (work->when[t]) {
                return true;
            }
        }
    }
    return false;
}

bool header_has_steps(const struct writer *w, const struct header_family *family) {
    for (size_t i = 0; i < family->count; i++) {
        const struct kernel_work *work = header_work(w, &family->kernels[i]);
        for (unsigned t = 0; t < work->count; t++) {
            if (work->steps[t]) {
                return true;
            }
        }
    }
    return false;
}

static void write_variant(const struct writer *w, const struct header_family *family, size_t index) {
    const struct kernel_work *work = header_work(w, &family->kernels[index]);
    strbuf_printf(w->out, "    {\"%s\",\n     %uu, {", header_variant_name(family, index), work->count);
    for (unsigned i = 0; i < (work->count ? work->count : 1); i++) {
        strbuf_printf(w->out, "%s{%d, INT64_C(%lld), %.1f, %.1f, %.1f}", i ? ", " : "",
                      work->terms[i].parameter, (long long)work->terms[i].divisor, work->terms[i].products,
                      work->terms[i].bytes, work->terms[i].again);
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

// True if a variant's cost depends on the parameter: through its grid, its trip counts, or the conditions of its branches.
static bool costs(const struct writer *w, const struct header_family *family, size_t parameter) {
    const char *name = artifact_c_name(w->arena, family->kernels[0].params[parameter].name);
    for (size_t i = 0; i < family->count; i++) {
        const struct reflect_kernel *kernel = &family->kernels[i];
        const struct kernel_work *work = header_work(w, kernel);
        bool found = artifact_grid_uses(kernel, name);
        for (unsigned t = 0; t < work->count; t++) {
            found |= work->terms[t].parameter == (int)parameter || artifact_uses_name(work->when[t], name) ||
                     artifact_uses_name(work->steps[t], name);
        }
        if (found) {
            return true;
        }
    }
    return false;
}

static unsigned write_sizes(const struct writer *w, const struct header_family *family) {
    const struct reflect_kernel *kernel = family->kernels;
    unsigned count = 0;
    strbuf_printf(w->out, "static const unsigned %s_%s_sizes[] = {", w->id, family->name);
    for (size_t i = 0; i < kernel->param_count; i++) {
        if (!reflect_is_key(&kernel->params[i]) && header_is_integer(&kernel->params[i]) &&
            costs(w, family, i)) {
            strbuf_printf(w->out, "%s%zuu", count++ ? ", " : "", i);
        }
    }
    strbuf_add(w->out, count ? "};\n" : "0u};\n");
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
            long long key = (long long)choice->key[k]; // C has no literal for INT64_MIN
            strbuf_printf(w->out, key == INT64_MIN ? "%s-INT64_C(%lld) - 1" : "%sINT64_C(%lld)",
                          k ? ", " : "", key == INT64_MIN ? (long long)INT64_MAX : key);
        }
        strbuf_printf(w->out, "}, %zuu, %.2f},\n", choice->kernel - family->first, choice->microseconds);
    }
    strbuf_add(w->out, count ? "};\n" : "");
    return count;
}

// The name of the memory of picks: a hash of the whole text before it. Headers that differ only in a key, a
// choice or a grid have the same images, and must not share picks.
static const char *memory_name(const struct writer *w) {
    return arena_printf(w->arena, "%s_memory_%016llx", w->id, (unsigned long long)header_hash_above(w));
}

void header_variant_tables(const struct writer *w, const struct header_family *family) {
    const char *prefix = arena_printf(w->arena, "%s_%s", w->id, family->name);
    strbuf_printf(
        w->out,
        "// The variants. One row: name, count of terms, terms of one program's work as {parameter (-1: "
        "none), divisor,\n// multiply-adds, bytes, bytes loaded again}, bytes of the largest tile in "
        "registers.\n"
        "static const struct tkc_variant %s_variants[] = {\n",
        prefix);
    for (size_t i = 0; i < family->count; i++) {
        write_variant(w, family, i);
    }
    strbuf_add(w->out, "};\n");
    unsigned keys = write_keys(w, family), sizes = write_sizes(w, family);
    size_t arrays = write_arrays(w, family), choices = write_choices(w, family, keys);
    const char *memory = memory_name(w);
    strbuf_add(w->out, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    strbuf_printf(w->out, "TKC_SHARED_SYMBOL extern struct tkc_memory %s;\nstruct tkc_memory %s;\n", memory,
                  memory);
    strbuf_add(w->out, "#ifdef __cplusplus\n}\n#endif\n");
    strbuf_printf(
        w->out,
        "static const struct tkc_family %s_row = {\n"
        "    \"%s\", %s_variants, %zuu, %zuu, %s_key_names, %s_keys, %uu,\n"
        "    %s_sizes, %uu, %s, %zuu, %s_arrays, %zuu, %zuu, %s_holds, %s_grid,\n    %s, %s, &%s};\n",
        prefix, family->name, prefix, family->count, family->first, prefix, prefix, keys, prefix, sizes,
        choices ? arena_printf(w->arena, "%s_choices", prefix) : "NULL", choices, prefix, arrays,
        header_level_count(family), prefix, prefix,
        header_has_conditions(w, family) ? arena_printf(w->arena, "%s_when", prefix) : "NULL",
        header_has_steps(w, family) ? arena_printf(w->arena, "%s_steps", prefix) : "NULL", memory);
    strbuf_printf(w->out,
                  "static inline const struct tkc_family *%s_family(void) {\n    return &%s_row;\n}\n\n",
                  prefix, prefix);
}
