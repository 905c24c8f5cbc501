// Chains in a launcher header: layer_launch calls the launches of the chain's kernels one after another.
//
//   static inline CUresult layer_launch(CUstream stream, CUdeviceptr x_, …, int32_t M_, CUdeviceptr workspace) {
//       int64_t tkc_at[1];
//       int64_t tkc_bytes = layer_place(tkc_at, M_, N_);
//       … rules of the workspace …
//       CUresult tkc_result;
//       tkc_cuda_chain_set(1, 0);
//       tkc_result = norm_launch(stream, x_, (CUdeviceptr)((uintptr_t)workspace + (uintptr_t)tkc_at[0]), M_, N_);
//       if (tkc_result == CUDA_SUCCESS) {
//           tkc_cuda_chain_next(1);                         a dependent launch (launcher/cuda.h)
//           tkc_result = softmax_launch(…);
//       }
//       return tkc_result;
//   }
//
// Where sizes choose between one kernel and several, the variable tkc_rule_0 holds what the rule gives, and each launch asks it. A rule may
// name the device's number tkc_multiprocessors.
#include <string.h>

#include "artifact/header.h"

// The chain's parameters as those of a kernel, for the writers of parameters.
static struct reflect_kernel as_kernel(const struct reflect_chain *chain) {
    return (struct reflect_kernel){
        .name = chain->name, .params = chain->params, .param_count = chain->param_count};
}

static const struct header_family *family_of(const struct writer *w, const struct reflect_launch *launch) {
    for (size_t i = 0; i < w->family_count; i++) {
        if (w->families[i].first == launch->kernel) {
            return &w->families[i];
        }
    }
    bug("a chain launches kernel %zu, which begins no family", launch->kernel);
}

// ---- values in C

static const char *integer_text(const struct writer *w, const struct reflect_chain *chain,
                                const struct reflect_value *value) {
    if (value->kind == REFLECT_NUMBER) {
        return value->number;
    }
    const struct reflect_param *param = &chain->params[value->index];
    const char *name = artifact_c_name(w->arena, param->name);
    return header_may_exceed(param) ? arena_printf(w->arena, "tkc_of_unsigned(%s)", name) : name;
}

static const char *product_text(const struct writer *w, const struct reflect_chain *chain,
                                const struct reflect_value *factors, size_t count) {
    const char *text = count ? integer_text(w, chain, &factors[0]) : "1";
    for (size_t i = 1; i < count; i++) {
        text = arena_printf(w->arena, "tkc_mul(%s, %s)", text, integer_text(w, chain, &factors[i]));
    }
    return text;
}

// The number of elements: sizes may be products themselves.
static const char *elements_text(const struct writer *w, const struct reflect_chain *chain,
                                 const struct reflect_temporary *temporary) {
    const char *text = arena_printf(w->arena, "%u", temporary->element_bytes);
    for (size_t i = 0; i < temporary->rank; i++) {
        const struct reflect_value *size = &temporary->sizes[i];
        const char *one = size->kind == REFLECT_PRODUCT
                              ? product_text(w, chain, size->factors, size->factor_count)
                              : integer_text(w, chain, size);
        text = arena_printf(w->arena, "tkc_mul(%s, %s)", text, one);
    }
    return text;
}

static const char *argument_text(const struct writer *w, const struct vendor_text *text,
                                 const struct reflect_chain *chain, const struct reflect_param *param,
                                 const struct reflect_value *value) {
    switch (value->kind) {
    case REFLECT_PARAMETER:
        return artifact_c_name(w->arena, chain->params[value->index].name);
    case REFLECT_TEMPORARY:
        return arena_printf(w->arena, "(%s)((uintptr_t)workspace + (uintptr_t)tkc_at[%zu])", text->pointer,
                            value->index);
    case REFLECT_NUMBER:
        return header_is_integer(param)
                   ? value->number
                   : arena_printf(w->arena, "(%s)%s", artifact_c_type(param->dtype), value->number);
    case REFLECT_PRODUCT:
        return arena_printf(w->arena, "(%s)%s", artifact_c_type(param->dtype),
                            product_text(w, chain, value->factors, value->factor_count));
    }
    bug("a chain's value of kind %d", (int)value->kind);
}

// ---- functions

static void begin(const struct writer *w, const char *head, const char *end) {
    header_wrap(w->out, head, "    ");
    strbuf_add(w->out, end);
}

static const char *collected(const struct writer *w,
                             void write(const struct writer *, const struct reflect_kernel *),
                             const struct reflect_chain *chain) {
    struct strbuf text = {0};
    struct writer inner = *w;
    struct reflect_kernel kernel = as_kernel(chain);
    inner.out = &text;
    write(&inner, &kernel);
    const char *kept = arena_strdup(w->arena, strbuf_text(&text));
    strbuf_free(&text);
    return kept;
}

// The integers as int64_t: ", int64_t M_, int64_t N_"; without the first comma.
static const char *integer_parameters(const struct writer *w, const struct reflect_chain *chain) {
    const char *text = collected(w, header_integers, chain);
    return *text ? text + 2 : "void";
}

static const char *integer_arguments(const struct writer *w, const struct reflect_chain *chain) {
    const char *text = "";
    for (size_t i = 0; i < chain->param_count; i++) {
        if (header_is_integer(&chain->params[i])) {
            struct reflect_value value = {.kind = REFLECT_PARAMETER, .index = i};
            text = arena_printf(w->arena, "%s, %s", text, integer_text(w, chain, &value));
        }
    }
    return text;
}

static const char *launch_head(const struct writer *w, const struct vendor_text *text,
                               const struct reflect_chain *chain) {
    struct strbuf parameters = {0};
    struct writer inner = *w;
    struct reflect_kernel kernel = as_kernel(chain);
    inner.out = &parameters;
    header_parameters(&inner, text, &kernel);
    const char *head =
        arena_printf(w->arena, "static inline %s %s_launch(%sstream%s%s%s)", text->result, chain->name,
                     text->stream, strbuf_text(&parameters), chain->temporary_count ? ", " : "",
                     chain->temporary_count ? arena_printf(w->arena, "%s workspace", text->pointer) : "");
    strbuf_free(&parameters);
    return head;
}

static const char *bytes_head(const struct writer *w, const struct reflect_chain *chain) {
    return arena_printf(w->arena, "static inline size_t %s_workspace_bytes(%s)", chain->name,
                        integer_parameters(w, chain));
}

static const char *place_head(const struct writer *w, const struct reflect_chain *chain) {
    return arena_printf(w->arena, "static inline int64_t %s_place(int64_t *tkc_at%s)", chain->name,
                        collected(w, header_integers, chain));
}

void header_chain_prototypes(const struct writer *w, const struct vendor_text *text,
                             const struct reflect_chain *chain) {
    struct reflect_kernel kernel = as_kernel(chain);
    struct header_family family = {chain->name, &kernel, 0, 1};
    size_t most = 0;
    for (size_t i = 0; i < chain->launch_count; i++) {
        most += !chain->launches[i].when || chain->launches[i].otherwise;
    }
    strbuf_printf(w->out,
                  "// ---- %s, a chain (kernels launched by one call) of %zu launch%s%s:", chain->name, most,
                  most == 1 ? "" : "es", most < chain->launch_count ? " at most" : "");
    for (size_t i = 0; i < chain->launch_count; i++) {
        strbuf_printf(w->out, "%s %s%s", i ? ";" : "", chain->launches[i].otherwise ? "else " : "",
                      chain->launches[i].steps);
    }
    strbuf_add(w->out, ".\n");
    for (size_t i = 0; i < chain->launch_count; i++) {
        const char *when = chain->launches[i].when;
        if (when && !chain->launches[i].otherwise && strchr(chain->launches[i].steps, ',')) {
            strbuf_printf(w->out, "//   %s in one launch: if %s.\n", chain->launches[i].steps,
                          artifact_shown_expression(w->arena, when));
        }
    }
    header_describe_parameters(w, &family);
    strbuf_add(
        w->out,
        "//   The rules of its kernels hold. Arrays of different names must not overlap: TKC_CHECK_APART, "
        "defined before this\n"
        "//   file is included, makes a launch refuse arrays that do, if one of them is written.\n");
    if (chain->temporary_count) {
        strbuf_add(
            w->out,
            "//   Workspace: device memory at a multiple of 256, free again when the launches are done;"
            " NULL if it has 0 bytes.\n");
        begin(w, bytes_head(w, chain), "; // SIZE_MAX: sizes that no memory holds\n");
    }
    begin(w, launch_head(w, text, chain), ";\n");
    strbuf_printf(
        w->out, "static inline %s %s_load(void); // Loads its kernels; needed before a stream is captured.\n",
        text->result, chain->name);
}

static void write_place(const struct writer *w, const struct reflect_chain *chain) {
    begin(w, place_head(w, chain), " {\n    int64_t tkc_end = 0;\n");
    for (size_t i = 0; i < chain->param_count; i++) {
        if (header_is_integer(&chain->params[i])) {
            strbuf_printf(w->out, "    (void)%s;\n", artifact_c_name(w->arena, chain->params[i].name));
        }
    }
    for (size_t i = 0; i < chain->temporary_count; i++) {
        strbuf_printf(w->out, "    tkc_at[%zu] = tkc_end; // %s%s\n", i, chain->temporaries[i].name,
                      chain->temporaries[i].kept ? "" : ": in registers");
        if (chain->temporaries[i].kept) {
            header_add(w, "    tkc_end = tkc_chain_end(tkc_end, %s);\n",
                       elements_text(w, chain, &chain->temporaries[i]));
        }
    }
    strbuf_add(w->out, "    return tkc_end;\n}\n\n");
    begin(w, bytes_head(w, chain), " {\n");
    const char *integers = "";
    for (size_t i = 0; i < chain->param_count; i++) {
        if (header_is_integer(&chain->params[i])) {
            integers =
                arena_printf(w->arena, "%s, %s", integers, artifact_c_name(w->arena, chain->params[i].name));
        }
    }
    strbuf_printf(w->out, "    int64_t tkc_at[%zu];\n", chain->temporary_count);
    header_add(w, "    int64_t tkc_bytes = %s_place(tkc_at%s);\n", chain->name, integers);
    strbuf_add(w->out, "    return tkc_bytes < 0 ? SIZE_MAX : (size_t)tkc_bytes;\n}\n\n");
}

static void write_rule(const struct writer *w, const struct vendor_text *text, const char *condition,
                       const char *kernel, const char *rule) {
    header_add(w, "    if (%s) {\n        tkc_break_rule(\"%s\", \"%s\", 0, 2);\n        return %s;\n    }\n",
               condition, kernel, rule, text->invalid);
}

// The rules are told by the strerror of the first kernel.
static void write_rules(const struct writer *w, const struct vendor_text *text,
                        const struct reflect_chain *chain) {
    const char *kernel = family_of(w, &chain->launches[0])->name;
    if (chain->temporary_count) {
        strbuf_printf(w->out, "    int64_t tkc_at[%zu];\n", chain->temporary_count);
        header_add(w, "    int64_t tkc_bytes = %s_place(tkc_at%s);\n", chain->name,
                   integer_arguments(w, chain));
        write_rule(
            w, text, "tkc_bytes < 0", kernel,
            arena_printf(w->arena, "no memory holds the arrays between the kernels of %s", chain->name));
        write_rule(
            w, text, "(uintptr_t)workspace % 256 != 0 || (tkc_bytes > 0 && !workspace)", kernel,
            arena_printf(w->arena, "the workspace of %s is NULL or not at a multiple of 256", chain->name));
    }
    header_chain_apart_checks(w, text, chain, kernel);
    for (size_t l = 0; l < chain->launch_count; l++) {
        const struct reflect_launch *launch = &chain->launches[l];
        const struct reflect_kernel *launched = &w->reflection->kernels[launch->kernel];
        for (size_t i = 0; i < launch->argument_count; i++) {
            const struct reflect_value *value = &launch->arguments[i];
            if (value->kind == REFLECT_PRODUCT) {
                const char *product = product_text(w, chain, value->factors, value->factor_count);
                const char *most = strstr(launched->params[i].dtype, "64") ? "INT64_MAX" : "INT32_MAX";
                write_rule(w, text, arena_printf(w->arena, "!tkc_chain_fits(%s, %s)", product, most), kernel,
                           arena_printf(w->arena,
                                        "%s of %s is a product of sizes that its type does not hold",
                                        launched->params[i].name, launched->name));
            }
        }
    }
}

// True if the launch may begin while the one ahead of it ends: its code waits on each of NVIDIA's targets.
static bool is_dependent(const struct writer *w, const struct vendor_text *text,
                         const struct reflect_launch *launch) {
    const struct reflection *r = w->reflection;
    const struct header_family *family = family_of(w, launch);
    bool waits = text->wording == IN_CUDA;
    for (size_t k = family->first; k < family->first + family->count; k++) {
        for (size_t i = 0; i < r->target_count; i++) {
            const struct reflect_entry *entry = &r->kernels[k].entries[i];
            waits &= r->targets[i].target->vendor != VENDOR_NVIDIA || !entry->threads || entry->waits;
        }
    }
    return waits;
}

static bool any_dependent(const struct writer *w, const struct vendor_text *text,
                          const struct reflect_chain *chain) {
    for (size_t l = 1; l < chain->launch_count; l++) {
        if (is_dependent(w, text, &chain->launches[l])) {
            return true;
        }
    }
    return false;
}

// The first launch with the same rule: its variable holds what the rule gives.
static size_t rule_number(const struct reflect_chain *chain, size_t launch) {
    size_t number = launch;
    for (size_t l = launch; l-- > 0;) {
        const char *when = chain->launches[l].when;
        number = when && strcmp(when, chain->launches[launch].when) == 0 ? l : number;
    }
    return number;
}

// The condition of a launch: the one ahead has succeeded, and sizes choose it. Empty: always.
static const char *launch_condition(const struct writer *w, const struct vendor_text *text,
                                    const struct reflect_chain *chain, size_t l) {
    const struct reflect_launch *launch = &chain->launches[l];
    bool asks = l || launch->when;
    const char *ahead = asks ? arena_printf(w->arena, "tkc_result == %s", text->success) : "";
    if (!launch->when) {
        return ahead;
    }
    return arena_printf(w->arena, "%s && tkc_rule_%zu %s 1", ahead, rule_number(chain, l),
                        launch->otherwise ? "!=" : "==");
}

// Variables of the rules by which sizes choose, and of the device's number that the rules name. The result of asking is the first one.
static void write_rule_values(const struct writer *w, const struct vendor_text *text,
                              const struct reflect_chain *chain) {
    bool asked = false;
    for (size_t l = 0; l < chain->launch_count; l++) {
        if (chain->launches[l].when && !asked) {
            strbuf_add(w->out, "    int64_t tkc_multiprocessors;\n");
            header_add(w,
                       "    %s tkc_result = tkc_%s_multiprocessors(&%s_program, %s_source(), %zu, "
                       "&tkc_multiprocessors);\n",
                       text->result, text->prefix, w->id, w->id, family_of(w, &chain->launches[l])->first);
            asked = true;
        }
        if (chain->launches[l].when && rule_number(chain, l) == l) {
            header_add(w, "    int64_t tkc_rule_%zu = %s;\n", l, chain->launches[l].when);
        }
    }
    if (!asked) {
        strbuf_printf(w->out, "    %s tkc_result;\n", text->result);
    }
}

static void write_launches(const struct writer *w, const struct vendor_text *text,
                           const struct reflect_chain *chain) {
    bool ordered = any_dependent(w, text, chain);
    write_rule_values(w, text, chain);
    strbuf_add(w->out, ordered ? "    tkc_cuda_chain_set(1, 0);\n" : "");
    for (size_t l = 0; l < chain->launch_count; l++) {
        const struct reflect_launch *launch = &chain->launches[l];
        const struct reflect_kernel *launched = &w->reflection->kernels[launch->kernel];
        const char *condition = launch_condition(w, text, chain, l);
        struct strbuf call = {0};
        strbuf_printf(&call, "%stkc_result = %s_launch(stream", *condition ? "        " : "    ",
                      family_of(w, launch)->name);
        for (size_t i = 0; i < launch->argument_count; i++) {
            strbuf_printf(&call, ", %s",
                          argument_text(w, text, chain, &launched->params[i], &launch->arguments[i]));
        }
        strbuf_add(&call, ");\n");
        strbuf_add(w->out, *condition ? arena_printf(w->arena, "    if (%s) {\n", condition) : "");
        if (l && ordered) {
            strbuf_printf(w->out, "        tkc_cuda_chain_next(%d);\n", is_dependent(w, text, launch));
        }
        header_wrap(w->out, strbuf_text(&call), "            ");
        strbuf_add(w->out, *condition ? "    }\n" : "");
        strbuf_free(&call);
    }
    strbuf_printf(w->out, "%s    return tkc_result;\n}\n\n",
                  ordered ? "    tkc_cuda_chain_set(0, 0);\n" : "");
}

static void write_load(const struct writer *w, const struct vendor_text *text,
                       const struct reflect_chain *chain) {
    strbuf_printf(w->out, "static inline %s %s_load(void) {\n    %s tkc_result = %s;\n", text->result,
                  chain->name, text->result, text->success);
    for (size_t l = 0; l < chain->launch_count; l++) {
        strbuf_printf(w->out, "    tkc_result = tkc_result == %s ? %s_load() : tkc_result;\n", text->success,
                      family_of(w, &chain->launches[l])->name);
    }
    strbuf_add(w->out, "    return tkc_result;\n}\n\n");
}

void header_chain(const struct writer *w, const struct vendor_text *text, const struct reflect_chain *chain) {
    if (chain->temporary_count) {
        write_place(w, chain);
    }
    begin(w, launch_head(w, text, chain), " {\n");
    write_rules(w, text, chain);
    write_launches(w, text, chain);
    write_load(w, text, chain);
}

bool header_check_chain(const struct writer *w, const struct reflect_chain *chain, struct diag *diag) {
    static const char *const functions[] = {"launch", "load", "workspace_bytes", "place"};
    for (size_t i = 0; i < w->family_count; i++) {
        for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
            const char *name = arena_printf(w->arena, "%s_%s", chain->name, functions[k]);
            for (int id = 0; id < HEADER_FUNCTIONS; id++) {
                if (header_may_have_function(&w->families[i], w->reflection->triton_abi,
                                             (enum header_function)id) &&
                    strcmp(header_function_name(w->arena, &w->families[i], (enum header_function)id), name) ==
                        0) {
                    diag_error(
                        diag, (struct location){0},
                        "the launchers of chain \"%s\" and kernel \"%s\" would both define %s; rename one",
                        chain->name, w->families[i].name, name);
                    return false;
                }
            }
        }
    }
    return true;
}
