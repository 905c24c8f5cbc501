// The reflection: a JSON file with all data for a loader in another language (src/artifact/README.md).
#include <string.h>

#include "artifact/artifact.h"
#include "support/escape.h"
#include "support/file.h"

static void add_string(struct strbuf *out, const char *text) {
    strbuf_add_char(out, '"');
    escape_add_text(out, ESCAPE_JSON, text);
    strbuf_add_char(out, '"');
}

static void add_member(struct strbuf *out, const char *indent, const char *key, const char *value) {
    strbuf_printf(out, "%s\"%s\": ", indent, key);
    add_string(out, value);
    strbuf_add(out, ",\n");
}

static void add_targets(const struct reflection *r, struct strbuf *out) {
    strbuf_add(out, "  \"targets\": [");
    for (size_t i = 0; i < r->target_count; i++) {
        const struct reflect_target *target = &r->targets[i];
        strbuf_printf(out, "%s\n    {\n", i ? "," : "");
        add_member(out, "      ", "name", target->target->name);
        add_member(out, "      ", "vendor", target->target->vendor == VENDOR_NVIDIA ? "nvidia" : "amd");
        if (target_family(target->target)) {
            add_member(out, "      ", "chips", target_family(target->target));
        }
        add_member(out, "      ", "kind", outputs_kind_name(target->kind));
        add_member(out, "      ", "file", file_base_name(target->path));
        if (target->tool) {
            add_member(out, "      ", "tool", target->tool);
        }
        strbuf_printf(out, "      \"bytes\": %zu,\n      \"warp_size\": %u\n    }", target->length,
                      target->target->warp_size);
    }
    strbuf_add(out, r->target_count ? "\n  ],\n" : "],\n");
}

static void add_extents(const char *key, const struct reflect_extent *extents, size_t count,
                        struct strbuf *out) {
    strbuf_printf(out, ", \"%s\": [", key);
    for (size_t i = 0; i < count; i++) {
        strbuf_add(out, i ? ", " : "");
        if (extents[i].parameter) {
            add_string(out, extents[i].parameter);
        } else if (extents[i].is_number) {
            strbuf_printf(out, "%lld", (long long)extents[i].number);
        } else {
            strbuf_add(out, "null");
        }
    }
    strbuf_add_char(out, ']');
}

// The tensor of a pointer: its role, sizes by parameter, and strides in elements (null: dense).
static void add_tensor(const struct reflect_tensor *tensor, struct strbuf *out) {
    static const char *const roles[] = {
        [REFLECT_GIVEN] = "input", [REFLECT_MADE] = "output", [REFLECT_CHANGED] = "both"};
    strbuf_printf(out, ", \"role\": \"%s\"", roles[tensor->role]);
    add_extents("shape", tensor->sizes, tensor->rank, out);
    add_extents("strides", tensor->strides, tensor->rank, out);
}

static void add_params(const struct reflect_param *params, size_t count, struct strbuf *out) {
    strbuf_add(out, "      \"params\": [");
    for (size_t i = 0; i < count; i++) {
        const struct reflect_param *param = &params[i];
        strbuf_printf(out, "%s\n        {\"name\": ", i ? "," : "");
        add_string(out, param->name);
        strbuf_printf(out, ", \"type\": \"%s%s\"", param->pointer ? "*" : "", param->dtype);
        if (param->divisible_by > 1) {
            strbuf_printf(out, ", \"divisible_by\": %u", param->divisible_by);
        }
        if (param->equals_one) {
            strbuf_add(out, ", \"equals\": 1");
        }
        if (param->reset_to_zero || param->restore_value) { // the treatment before each launch of tuning
            strbuf_add(out, param->restore_value ? ", \"restore_value\": true" : ", \"reset_to_zero\": true");
        }
        if (param->tensor) {
            add_tensor(param->tensor, out);
        }
        strbuf_add_char(out, '}');
    }
    strbuf_add(out, count ? "\n      ],\n" : "],\n");
}

// The parameters of the key: tuned choices are for their values.
static void add_key(const struct reflect_kernel *kernel, struct strbuf *out) {
    size_t count = 0;
    for (size_t i = 0; i < kernel->param_count; i++) {
        if (kernel->params[i].is_key) {
            strbuf_add(out, count++ ? ", " : "      \"key\": [");
            add_string(out, kernel->params[i].name);
        }
    }
    strbuf_add(out, count ? "],\n" : "");
}

static void add_constants(const struct reflect_kernel *kernel, struct strbuf *out) {
    strbuf_add(out, "      \"constants\": {");
    for (size_t i = 0; i < kernel->constant_count; i++) {
        strbuf_add(out, i ? ", " : "");
        add_string(out, kernel->constants[i].name);
        strbuf_add(out, ": ");
        add_string(out, kernel->constants[i].value);
    }
    strbuf_add(out, "},\n");
}

// An expression of C names by the source's names.
static void add_expression(const struct reflect_kernel *kernel, const char *text, struct strbuf *out) {
    struct arena *arena = arena_create();
    const char **names = ARENA_ARRAY(arena, const char *, kernel->param_count + 1);
    for (size_t i = 0; i < kernel->param_count; i++) {
        names[i] = kernel->params[i].name;
    }
    add_string(out, artifact_source_names(arena, text, names, kernel->param_count));
    arena_destroy(arena);
}

static void add_grid(const struct reflect_kernel *kernel, struct strbuf *out) {
    if (!kernel->grid[0]) {
        return;
    }
    strbuf_add(out, "      \"grid\": [");
    for (int axis = 0; axis < 3; axis++) {
        strbuf_add(out, axis ? ", " : "");
        add_expression(kernel, kernel->grid[axis] ? kernel->grid[axis] : "1", out);
    }
    strbuf_add(out, "],\n");
}

// Terms: {"param": name, "over": divisor, "by": name, "times": factor, "plus": constant}; only "times" is always present.
static void add_terms(const struct reflect_kernel *kernel, const char *key, const struct tkc_term *terms,
                      unsigned count, unsigned times, struct strbuf *out) {
    strbuf_printf(out, ", \"%s\": [", key);
    for (unsigned i = 0; i < count; i++) {
        strbuf_add(out, i ? ", {" : "{");
        if (terms[i].parameter >= 0) {
            strbuf_add(out, "\"param\": ");
            add_string(out, kernel->params[terms[i].parameter].name);
            strbuf_add(out, ", ");
        }
        if (terms[i].over != 1) {
            strbuf_printf(out, "\"over\": %lld, ", (long long)terms[i].over);
        }
        if (terms[i].by >= 0) {
            strbuf_add(out, "\"by\": ");
            add_string(out, kernel->params[terms[i].by].name);
            strbuf_add(out, ", ");
        }
        strbuf_printf(out, "\"times\": %lld", (long long)terms[i].factor * times);
        if (terms[i].plus) {
            strbuf_printf(out, ", \"plus\": %lld", (long long)terms[i].plus * times);
        }
        strbuf_add_char(out, '}');
    }
    strbuf_add_char(out, ']');
}

static void add_tensor_map(const struct reflect_kernel *kernel, const struct tkc_tensor_map *map,
                           struct strbuf *out) {
    strbuf_add(out, "{\"kind\": \"tensor_map\", \"pointer\": ");
    add_string(out, kernel->params[map->pointer].name);
    if (map->offset_count) {
        add_terms(kernel, "byte_offsets", map->offsets, map->offset_count, map->element_bytes, out);
    }
    strbuf_printf(out, ", \"data_type\": \"%s\", \"data_type_value\": %d", tensor_type_of(map)->cuda,
                  map->element);
    add_terms(kernel, "sizes", map->sizes, map->rank, 1, out);
    add_terms(kernel, "byte_strides", map->strides, map->rank - 1, map->element_bytes, out);
    for (unsigned i = 0; i < map->rank; i++) {
        strbuf_printf(out, "%s%u", i ? ", " : ", \"box\": [", (unsigned)map->box[i]);
    }
    strbuf_printf(out, map->is_written ? "], \"swizzle\": %u, \"written\": true}" : "], \"swizzle\": %u}",
                  map->swizzle);
}

// Hidden parameters, in their order.
static void add_hidden(const struct reflect_kernel *kernel, const struct reflect_entry *entry,
                       struct strbuf *out) {
    strbuf_add(out, ", \"hidden\": [");
    for (size_t i = 0; i < entry->hidden_count; i++) {
        const struct tkc_hidden *hidden = &entry->hidden[i];
        strbuf_printf(out, "%s\n          ", i ? "," : "");
        if (hidden->kind == TKC_HIDDEN_TENSOR_MAP) {
            add_tensor_map(kernel, &hidden->map, out);
        } else {
            strbuf_printf(out, "{\"kind\": \"grid_%c\"}", 'x' + hidden->kind - TKC_HIDDEN_GRID_X);
        }
    }
    strbuf_add_char(out, ']');
}

static void add_name_pair(const struct reflect_kernel *kernel, const char *before, unsigned a, unsigned b,
                          struct strbuf *out) {
    strbuf_add(out, before);
    add_string(out, kernel->params[a].name);
    strbuf_add(out, ", ");
    add_string(out, kernel->params[b].name);
}

// Pairs of arrays that are assumed not to overlap: what is loaded, what is stored; and pairs of numbers: unless all are equal.
static void add_apart(const struct reflect_kernel *kernel, const struct reflect_entry *entry,
                      struct strbuf *out) {
    for (size_t i = 0; i < entry->apart_count; i++) {
        const struct reflect_apart *apart = &entry->apart[i];
        add_name_pair(kernel, i ? ", [" : ", \"apart\": [[", apart->loaded, apart->stored, out);
        for (unsigned e = 0; e < apart->equal_count; e++) {
            add_name_pair(kernel, ", [", apart->equals[e][0], apart->equals[e][1], out);
            strbuf_add_char(out, ']');
        }
        strbuf_add_char(out, ']');
    }
    strbuf_add_char(out, ']');
}

// The work of one program: terms of multiply-adds and bytes. "times": the number of steps, or ceil(param /
// per) steps. "again": of the bytes, those loaded before by another loop. "when": an expression like a grid's; a launch
// does the term where it is not 0. "steps": such an expression, over the ids tkc_id_0 to 2 of a program, too; its mean over the programs counts.
static void add_work(const struct reflect_kernel *kernel, const struct kernel_work *work,
                     struct strbuf *out) {
    strbuf_add(out, ", \"work\": {\"terms\": [");
    for (unsigned i = 0; i < work->count; i++) {
        const struct tkc_work *term = &work->terms[i];
        strbuf_add(out, i ? ", {" : "{");
        if (term->parameter >= 0) {
            strbuf_add(out, "\"param\": ");
            add_string(out, kernel->params[term->parameter].name);
            strbuf_add(out, ", ");
        }
        strbuf_printf(out, "\"per\": %lld, \"products\": %.0f, \"bytes\": %.0f", (long long)term->divisor,
                      term->products, term->bytes);
        if (term->again > 0) {
            strbuf_printf(out, ", \"again\": %.0f", term->again);
        }
        if (work->when[i]) {
            strbuf_add(out, ", \"when\": ");
            add_expression(kernel, work->when[i], out);
        }
        if (work->steps[i]) {
            strbuf_add(out, ", \"steps\": ");
            add_expression(kernel, work->steps[i], out);
        }
        strbuf_add_char(out, '}');
    }
    strbuf_printf(out, "], \"sums_bytes\": %u}", work->sums);
}

// What a launch needs of an entry.
static void add_launch(const struct reflect_kernel *kernel, const struct reflect_entry *entry,
                       struct strbuf *out) {
    strbuf_printf(out, "\"threads\": %u, \"shared_bytes\": %u, \"dynamic_shared_bytes\": %u", entry->threads,
                  entry->shared_bytes, entry->dynamic_shared_bytes);
    if (entry->producer_warps) {
        strbuf_printf(out, ", \"producer_warps\": %u", entry->producer_warps);
    }
    if (entry->waits) {
        strbuf_add(out, ", \"waits\": true");
    }
    if (entry->dealing.persistent) {
        strbuf_printf(out, ", \"persistent\": %u%s", entry->dealing.persistent,
                      entry->dealing.fills ? ", \"fills\": true" : "");
    }
    if (entry->dealing.cluster) {
        strbuf_printf(out, ", \"cluster\": %u", entry->dealing.cluster);
    }
    if (entry->hidden_count) {
        add_hidden(kernel, entry, out);
    }
}

// The second form, and the launches that take it (tkc_form_asks).
static void add_form(const struct reflect_kernel *kernel, const struct reflect_form *form,
                     struct strbuf *out) {
    strbuf_printf(out,
                  ",\n         \"paired\": {\"name\": \"%s\", \"together\": %u, \"programs\": %u, "
                  "\"least_steps\": %u, \"steps\": ",
                  form->name, form->together, form->programs, form->least_steps);
    add_expression(kernel, form->steps, out);
    strbuf_add(out, ", ");
    add_launch(kernel, &form->entry, out);
    strbuf_add_char(out, '}');
}

static void add_entries(const struct reflection *r, const struct reflect_kernel *kernel, struct strbuf *out) {
    strbuf_add(out, "      \"entries\": [");
    size_t count = 0;
    for (size_t i = 0; i < r->target_count; i++) {
        const struct reflect_entry *entry = &kernel->entries[i];
        if (!entry->threads) { // the kernel is left out on this target
            continue;
        }
        strbuf_printf(out, "%s\n        {\"target\": \"%s\", \"kind\": \"%s\", ", count++ ? "," : "",
                      r->targets[i].target->name, outputs_kind_name(r->targets[i].kind));
        add_launch(kernel, entry, out);
        if (entry->apart_count) {
            add_apart(kernel, entry, out);
        }
        if (entry->work.count) {
            add_work(kernel, &entry->work, out);
        }
        if (entry->resources) {
            strbuf_add(out, ", \"resources\": ");
            resources_json(entry->resources, out);
        }
        if (entry->paired) {
            add_form(kernel, entry->paired, out);
        }
        strbuf_add_char(out, '}');
    }
    strbuf_add(out, count ? "\n      ]\n" : "]\n");
}

// ---- chains

// {"param": name}, {"temporary": name}, {"number": 8192} or {"product": [{"param": "M"}, …]}
static void add_value(const struct reflect_chain *chain, const struct reflect_value *value,
                      struct strbuf *out) {
    switch (value->kind) {
    case REFLECT_PARAMETER:
        strbuf_add(out, "{\"param\": ");
        add_string(out, chain->params[value->index].name);
        break;
    case REFLECT_TEMPORARY:
        strbuf_add(out, "{\"temporary\": ");
        add_string(out, chain->temporaries[value->index].name);
        break;
    case REFLECT_NUMBER:
        strbuf_printf(out, "{\"number\": %s", value->number);
        break;
    case REFLECT_PRODUCT:
        strbuf_add(out, "{\"product\": [");
        for (size_t i = 0; i < value->factor_count; i++) {
            strbuf_add(out, i ? ", " : "");
            add_value(chain, &value->factors[i], out);
        }
        strbuf_add_char(out, ']');
        break;
    }
    strbuf_add_char(out, '}');
}

static void add_values(const struct reflect_chain *chain, const struct reflect_value *values, size_t count,
                       struct strbuf *out) {
    strbuf_add_char(out, '[');
    for (size_t i = 0; i < count; i++) {
        strbuf_add(out, i ? ", " : "");
        add_value(chain, &values[i], out);
    }
    strbuf_add_char(out, ']');
}

static void add_temporaries(const struct reflect_chain *chain, struct strbuf *out) {
    strbuf_add(out, "      \"temporaries\": [");
    for (size_t i = 0; i < chain->temporary_count; i++) {
        const struct reflect_temporary *temporary = &chain->temporaries[i];
        strbuf_printf(out, "%s\n        {\"name\": ", i ? "," : "");
        add_string(out, temporary->name);
        strbuf_printf(out, ", \"type\": \"%s\", \"memory\": %s, \"shape\": ", temporary->dtype,
                      temporary->kept ? "true" : "false");
        add_values(chain, temporary->sizes, temporary->rank, out);
        strbuf_add_char(out, '}');
    }
    strbuf_add(out, chain->temporary_count ? "\n      ],\n" : "],\n");
}

static void add_launches(const struct reflection *r, const struct reflect_chain *chain, struct strbuf *out) {
    strbuf_add(out, "      \"launches\": [");
    for (size_t i = 0; i < chain->launch_count; i++) {
        const struct reflect_launch *launch = &chain->launches[i];
        strbuf_printf(out, "%s\n        {\"function\": ", i ? "," : "");
        add_string(out, r->kernels[launch->kernel].function);
        strbuf_add(out, ", \"steps\": ");
        add_string(out, launch->steps);
        strbuf_add(out, ", \"arguments\": ");
        add_values(chain, launch->arguments, launch->argument_count, out);
        if (launch->when) {
            struct reflect_kernel names = {.params = chain->params, .param_count = chain->param_count};
            strbuf_printf(out, ", \"%s\": ", launch->otherwise ? "unless" : "when");
            add_expression(&names, launch->when, out);
        }
        strbuf_add_char(out, '}');
    }
    strbuf_add(out, "\n      ]\n");
}

// Without chains the file has no such member.
static void add_chains(const struct reflection *r, struct strbuf *out) {
    for (size_t i = 0; i < r->chain_count; i++) {
        const struct reflect_chain *chain = &r->chains[i];
        strbuf_add(out, i ? ",\n    {\n" : "  \"chains\": [\n    {\n");
        add_member(out, "      ", "name", chain->name);
        add_params(chain->params, chain->param_count, out);
        add_temporaries(chain, out);
        add_launches(r, chain, out);
        strbuf_add(out, "    }");
    }
    strbuf_add(out, r->chain_count ? "\n  ],\n" : "");
}

void reflection_write(const struct reflection *reflection, struct strbuf *out) {
    strbuf_add(out, "{\n");
    strbuf_printf(out, "  \"format\": %d,\n", REFLECTION_FORMAT);
    add_member(out, "  ", "tkc", tkc_version());
    if (*tkc_commit()) {
        add_member(out, "  ", "commit", tkc_commit());
    }
    add_member(out, "  ", "llvm", tkc_llvm_version());
    add_member(out, "  ", "source", file_base_name(reflection->source));
    add_targets(reflection, out);
    add_chains(reflection, out);
    strbuf_add(out, "  \"kernels\": [");
    for (size_t i = 0; i < reflection->kernel_count; i++) {
        const struct reflect_kernel *kernel = &reflection->kernels[i];
        strbuf_printf(out, "%s\n    {\n", i ? "," : "");
        add_member(out, "      ", "name", kernel->name);
        add_member(out, "      ", "function", kernel->function);
        strbuf_printf(out, "      \"config\": %u,\n      \"num_warps\": %u,\n      \"num_stages\": %u,\n",
                      kernel->config, kernel->num_warps, kernel->num_stages);
        add_key(kernel, out);
        add_params(kernel->params, kernel->param_count, out);
        add_constants(kernel, out);
        add_grid(kernel, out);
        add_entries(reflection, kernel, out);
        strbuf_add(out, "    }");
    }
    strbuf_add(out, reflection->kernel_count ? "\n  ]\n}\n" : "]\n}\n");
}
