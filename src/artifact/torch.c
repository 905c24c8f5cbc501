// Operators of PyTorch: one C file with the launcher and an operator for each kernel.
//
// For a kernel `softmax` it has a table of parameters and a function
//
//   tkc_call_softmax(stack, …)   checks the tensors, allocates results, launches on the current stream
//
// registered as torch.ops.tkc.softmax for CUDA; the common code is launcher/torch.h. Fake tensors have their
// function from tools/tkc_torch.py, by the JSON. The kernel's name comes last in each name, so that the names of
// kernels x and call_x differ. NAME.tensors in the source tells the tensors given by the caller from those made
// by the operator (reflect_param.tensor). Without it the operator takes all parameters, may change each tensor,
// and returns nothing.
#include <string.h>

#include "artifact/header.h"
#include "support/escape.h"

static const char *element_type(const char *dtype) {
    static const char *const types[][2] = {
        {"i1", "bool"},
        {"i8", "int8"},
        {"i16", "int16"},
        {"i32", "int32"},
        {"i64", "int64"},
        {"u8", "uint8"},
        {"u16", "uint16"},
        {"u32", "uint32"},
        {"u64", "uint64"},
        {"fp16", "float16"},
        {"bf16", "bfloat16"},
        {"fp32", "float32"},
        {"fp64", "float64"},
        {"fp8e4nv", "float8_e4m3fn"},
        {"fp8e5", "float8_e5m2"},
        {"fp8e4b8", "float8_e4m3fnuz"},
        {"fp8e5b16", "float8_e5m2fnuz"},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(types[i][0], dtype) == 0) {
            return types[i][1];
        }
    }
    return dtype[0] == '*' ? "int64" : "uint8"; // addresses; bytes of a type unknown to PyTorch
}

// The part of a parameter in the operator: an argument by kind, a result to make, or a number found in the
// tensors.
enum argument {
    ARGUMENT_TENSOR,
    ARGUMENT_INTEGER,
    ARGUMENT_FLOAT,
    ARGUMENT_BOOL,
    ARGUMENT_MADE,
    ARGUMENT_FOUND
};

static const char *const schema_types[] = {[ARGUMENT_TENSOR] = "Tensor",
                                           [ARGUMENT_INTEGER] = "SymInt",
                                           [ARGUMENT_FLOAT] = "float",
                                           [ARGUMENT_BOOL] = "bool"};

struct operator_text {
    struct arena *arena;
    struct strbuf *out;
    const char *name;
    const char *id; // of the launcher's names
    // The last variant: its hints ask for least. Of a chain: its parameters.
    const struct reflect_kernel *kernel;
    const struct reflect_chain *chain; // NULL: a kernel
    size_t variants;
    enum argument *arguments;
    size_t made;
};

static bool names(const struct reflect_extent *extents, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (extents[i].parameter && strcmp(extents[i].parameter, name) == 0) {
            return true;
        }
    }
    return false;
}

// True if a tensor determines the parameter: by a size of a given tensor, or by a stride of any tensor.
static bool is_found(const struct reflect_kernel *kernel, const char *name) {
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct reflect_tensor *tensor = kernel->params[i].tensor;
        if (tensor && (names(tensor->strides, tensor->rank, name) ||
                       (tensor->role != REFLECT_MADE && names(tensor->sizes, tensor->rank, name)))) {
            return true;
        }
    }
    return false;
}

// True if the source describes all tensors of the kernel; only then do numbers follow from tensors.
static bool is_described(const struct reflect_kernel *kernel) {
    for (size_t i = 0; i < kernel->param_count; i++) {
        if (kernel->params[i].pointer && !kernel->params[i].tensor) {
            return false;
        }
    }
    return true;
}

static enum argument argument_of(const struct reflect_kernel *kernel, const struct reflect_param *param) {
    if (param->pointer) {
        return param->tensor && param->tensor->role == REFLECT_MADE ? ARGUMENT_MADE : ARGUMENT_TENSOR;
    }
    if (is_described(kernel) && is_found(kernel, param->name)) {
        return ARGUMENT_FOUND;
    }
    if (strcmp(param->dtype, "i1") == 0) {
        return ARGUMENT_BOOL;
    }
    return header_is_integer(param) ? ARGUMENT_INTEGER : ARGUMENT_FLOAT;
}

static bool is_taken(enum argument argument) {
    return argument != ARGUMENT_MADE && argument != ARGUMENT_FOUND;
}

static size_t index_of(const struct reflect_kernel *kernel, const char *name) {
    size_t i = 0;
    while (i < kernel->param_count && strcmp(kernel->params[i].name, name) != 0) {
        i++;
    }
    return i;
}

// ---- the table

static void write_extent(const struct operator_text *t, const struct reflect_extent *extent) {
    if (extent->parameter) {
        strbuf_printf(t->out, "{%zu, 0}", index_of(t->kernel, extent->parameter));
    } else if (extent->is_number) {
        strbuf_printf(t->out, "{-1, %lld}", (long long)extent->number);
    } else {
        strbuf_add(t->out, "{-1, TKC_TORCH_DENSE}");
    }
}

static void write_dimensions(const struct operator_text *t, size_t index) {
    const struct reflect_tensor *tensor = t->kernel->params[index].tensor;
    if (!tensor || !tensor->rank) {
        return;
    }
    strbuf_printf(t->out, "static const struct tkc_torch_dimension tkc_tensor_%zu_%s[] = {", index, t->name);
    for (size_t i = 0; i < tensor->rank; i++) {
        strbuf_add(t->out, i ? ", {" : "{");
        write_extent(t, &tensor->sizes[i]);
        strbuf_add(t->out, ", ");
        write_extent(t, &tensor->strides[i]);
        strbuf_add_char(t->out, '}');
    }
    strbuf_add(t->out, "};\n");
}

static const char *kind_of(const struct reflect_param *param) {
    if (param->pointer) {
        return "TKC_TORCH_TENSOR";
    }
    if (strcmp(param->dtype, "i1") == 0) {
        return "TKC_TORCH_BOOL";
    }
    return header_is_integer(param) ? "TKC_TORCH_INTEGER" : "TKC_TORCH_FLOAT";
}

// The range of a parameter's type; of u64 as the int64_t of the same bits.
static const char *range_of(const struct operator_text *t, const struct reflect_param *param) {
    if (param->pointer || !header_is_integer(param) || strcmp(param->dtype, "i1") == 0) {
        return "0, 0";
    }
    const char *type = param->dtype;
    if (strcmp(type + 1, "64") == 0) {
        return "INT64_MIN, INT64_MAX";
    }
    return type[0] == 'u' ? arena_printf(t->arena, "0, UINT%s_MAX", type + 1)
                          : arena_printf(t->arena, "INT%s_MIN, INT%s_MAX", type + 1, type + 1);
}

static void write_parameter(const struct operator_text *t, size_t i) {
    static const char *const roles[] = {
        [REFLECT_GIVEN] = "INPUT", [REFLECT_MADE] = "OUTPUT", [REFLECT_CHANGED] = "BOTH"};
    const struct reflect_param *param = &t->kernel->params[i];
    const struct reflect_tensor *tensor = param->tensor;
    strbuf_add(t->out, "\n    {\"");
    escape_add_text(t->out, ESCAPE_JSON, param->name);
    strbuf_printf(t->out, "\", %s, ", kind_of(param));
    strbuf_add(t->out, param->pointer
                           ? arena_printf(t->arena, "aoti_torch_dtype_%s", element_type(param->dtype))
                           : "NULL");
    strbuf_printf(t->out, ", TKC_TORCH_%s, %d, ", tensor ? roles[tensor->role] : "BOTH",
                  tensor ? (int)tensor->rank : -1);
    strbuf_add(t->out,
               tensor && tensor->rank ? arena_printf(t->arena, "tkc_tensor_%zu_%s", i, t->name) : "NULL");
    strbuf_printf(t->out, ", %s, %u, %s},", range_of(t, param), param->divisible_by,
                  param->equals_one ? "true" : "false");
}

static void write_table(const struct operator_text *t) {
    for (size_t i = 0; i < t->kernel->param_count; i++) {
        write_dimensions(t, i);
    }
    strbuf_printf(t->out, "static const struct tkc_torch_parameter tkc_parameters_%s[] = {", t->name);
    for (size_t i = 0; i < t->kernel->param_count; i++) {
        write_parameter(t, i);
    }
    strbuf_add(t->out, "\n};\n");
    strbuf_printf(t->out, "static const unsigned tkc_taken_%s[] = {", t->name);
    const char *join = "";
    for (size_t i = 0; i < t->kernel->param_count; i++) {
        if (is_taken(t->arguments[i])) {
            strbuf_printf(t->out, "%s%zu", join, i);
            join = ", ";
        }
    }
    strbuf_add(t->out, "};\n\n");
}

// ---- functions

// The kernel's arguments, behind the stream.
static void write_arguments(const struct operator_text *t) {
    for (size_t i = 0; i < t->kernel->param_count; i++) {
        const struct reflect_param *param = &t->kernel->params[i];
        const char *type = param->pointer ? "uint64_t" : artifact_c_type(param->dtype);
        strbuf_printf(t->out, ",\n            (%s)%s[%zu]", type,
                      t->arguments[i] == ARGUMENT_FLOAT ? "floats" : "values", i);
    }
}

// Timing writes to arrays again and again: kernels with changes to the caller's arrays are not timed here, nor
// kernels with arrays to be reset or restored between launches.
static bool can_tune(const struct operator_text *t) {
    for (size_t i = 0; i < t->kernel->param_count; i++) {
        const struct reflect_param *param = &t->kernel->params[i];
        if (param->pointer && (!param->tensor || param->tensor->role == REFLECT_CHANGED ||
                               param->reset_to_zero || param->restore_value)) {
            return false;
        }
    }
    return t->variants > 1;
}

static void write_tuning(const struct operator_text *t) {
    strbuf_printf(t->out,
                  "        static uint64_t seen[TKC_TORCH_SEEN];\n"
                  "        void *side = tkc_torch_begin_tuning(&call, %s_%s_family(), seen);\n"
                  "        if (side) {\n            (void)%s_tune(side",
                  t->id, t->name, t->name);
    write_arguments(t);
    strbuf_add(t->out, ");\n            tkc_torch_end_tuning(side);\n        }\n");
}

// The launch of a chain, with memory for the arrays between its kernels. The memory goes back to PyTorch at once:
// its next use is queued behind the chain.
static void write_chain_launch(const struct operator_text *t) {
    bool workspace = t->chain->temporary_count > 0;
    if (workspace) {
        strbuf_printf(t->out,
                      "        void *room = NULL;\n"
                      "        uint64_t workspace = tkc_torch_workspace(&call, %s_workspace_bytes(",
                      t->name);
        const char *join = "";
        for (size_t i = 0; i < t->chain->param_count; i++) {
            if (!t->chain->params[i].pointer && header_is_integer(&t->chain->params[i])) {
                strbuf_printf(t->out, "%svalues[%zu]", join, i);
                join = ", ";
            }
        }
        strbuf_add(t->out, "), &room);\n");
    }
    strbuf_printf(t->out, "        result = call.problem[0] ? 0 : %s_launch(call.stream", t->name);
    write_arguments(t);
    strbuf_printf(t->out,
                  "%s);\n        if (result != 0) {\n"
                  "            tkc_torch_fail(&call, \"%%s (%%d)\", tkc_torch_chain_error(result), result);\n"
                  "        }\n",
                  workspace ? ", workspace" : "");
    strbuf_add(t->out,
               workspace
                   ? "        if (room) {\n            aoti_torch_delete_tensor_object(room);\n        }\n"
                   : "");
}

static void write_kernel_launch(const struct operator_text *t) {
    if (can_tune(t)) {
        write_tuning(t);
    }
    strbuf_printf(t->out, "        result = %s_launch(call.stream", t->name);
    write_arguments(t);
    strbuf_printf(
        t->out,
        ");\n        if (result != 0) {\n"
        "            tkc_torch_fail(&call, \"%%s (%%d)\", %s_strerror(result), result);\n        }\n",
        t->name);
}

static void write_function(const struct operator_text *t) {
    size_t count = t->kernel->param_count;
    strbuf_printf(
        t->out,
        "static void tkc_call_%s(uint64_t *stack, uint64_t inputs, uint64_t outputs) {\n"
        "    int64_t values[%zu] = {0};\n    double floats[%zu] = {0};\n"
        "    bool known[%zu] = {false};\n    void *tensors[%zu] = {NULL};\n"
        "    struct tkc_torch_call call = {\"%s\", tkc_parameters_%s, %zu, values, known, tensors,\n"
        "                                  floats, -1, NULL, NULL, \"\"};\n"
        "    (void)outputs;\n    tkc_torch_take(&call, stack, tkc_taken_%s, (unsigned)inputs);\n",
        t->name, count, count, count, count, t->name, t->name, count, t->name);
    for (size_t i = 0; i < count; i++) {
        if (t->arguments[i] == ARGUMENT_MADE) {
            strbuf_printf(t->out, "    tkc_torch_make(&call, %zu);\n", i);
        }
    }
    strbuf_add(t->out, "    if (tkc_torch_ready(&call)) {\n        int result;\n");
    if (t->chain) {
        write_chain_launch(t);
    } else {
        write_kernel_launch(t);
    }
    strbuf_add(t->out, "    }\n    tkc_torch_finish(&call, stack);\n}\n\n");
}

static void write_schema(const struct operator_text *t) {
    strbuf_printf(t->out, "    \"%s(", t->name);
    const char *join = "";
    for (size_t i = 0; i < t->kernel->param_count; i++) {
        const struct reflect_param *param = &t->kernel->params[i];
        if (!is_taken(t->arguments[i])) {
            continue;
        }
        strbuf_printf(t->out, "%s%s", join, schema_types[t->arguments[i]]);
        if (param->pointer && (!param->tensor || param->tensor->role == REFLECT_CHANGED)) {
            strbuf_printf(t->out, "(t%zu!)", i);
        }
        strbuf_add_char(t->out, ' ');
        escape_add_text(t->out, ESCAPE_JSON, param->name);
        join = ", ";
    }
    strbuf_add(t->out, t->made == 1 ? ") -> Tensor\",\n" : ") -> (");
    for (size_t i = 0; t->made != 1 && i < t->made; i++) {
        strbuf_add(t->out, i ? ", Tensor" : "Tensor");
    }
    strbuf_add(t->out, t->made == 1 ? "" : ")\",\n");
}

// ---- the file

// Fills in the operator's parameters. False after an error in diag.
static bool describe(struct operator_text *t, struct diag *diag) {
    struct arena *arena = t->arena;
    const struct reflect_kernel *kernel = t->kernel;
    t->arguments = ARENA_ARRAY(arena, enum argument, kernel->param_count + 1);
    bool tensor = false;
    const char *foreign = NULL; // a name outside ASCII: invalid in schemas
    for (size_t i = 0; i < kernel->param_count; i++) {
        t->arguments[i] = argument_of(kernel, &kernel->params[i]);
        t->made += t->arguments[i] == ARGUMENT_MADE;
        tensor |= t->arguments[i] == ARGUMENT_TENSOR;
        for (const char *c = kernel->params[i].name; *c && is_taken(t->arguments[i]); c++) {
            foreign = (unsigned char)*c < 128 ? foreign : kernel->params[i].name;
        }
    }
    if (!kernel->grid[0]) {
        diag_error(
            diag, (struct location){0},
            "an operator needs the launch grid of kernel \"%s\"; give %s.grid in the source, or --grid",
            t->name, t->name);
    } else if (!tensor) {
        diag_error(diag, (struct location){0},
                   "kernel \"%s\" is given no tensor, and an operator launches where its tensors are",
                   t->name);
    } else if (foreign) {
        diag_error(
            diag, (struct location){0},
            "PyTorch's operators have parameters named in ASCII, and kernel \"%s\" takes \"%s\"; rename it",
            t->name, foreign);
    } else {
        return true;
    }
    return false;
}

static const char about[] =
    "// Operators of PyTorch: torch.ops.tkc.NAME for each kernel. tools/tkc_torch.py compiles and loads this "
    "file where\n"
    "// it stands beside its JSON:  tkc_torch.load(\"NAME.json\"). By hand, with any C compiler:\n//\n"
    "//   cc -O2 -shared -fPIC -fexceptions THIS_FILE -o operators.so -L TORCH/lib -ltorch_cpu -ltorch_cuda "
    "-ldl\n//\n"
    "// and torch.ops.load_library(\"operators.so\"). -DTKC_TORCH_NAMESPACE='\"mine\"' names them "
    "torch.ops.mine.NAME.\n"
    "#ifndef _DEFAULT_SOURCE\n#define _DEFAULT_SOURCE\n#endif\n"
    "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n#include "
    "<stdlib.h>\n"
    "#include <string.h>\n\n";

static const char registration[] =
    "static int tkc_torch_failed; // 0: all operators are registered\n\n"
    "__attribute__((constructor)) static void tkc_torch_register(void) {\n"
    "    void *library = NULL;\n    size_t i;\n"
    "    tkc_torch_failed |= aoti_torch_library_init_fragment(TKC_TORCH_NAMESPACE, \"tkc\", 0, &library);\n"
    "    for (i = 0; tkc_schemas[i] && !tkc_torch_failed; i++) {\n"
    "        tkc_torch_failed |= aoti_torch_library_def(library, tkc_schemas[i]);\n    }\n"
    "    if (!tkc_torch_failed) {\n"
    "        tkc_torch_failed |= aoti_torch_library_init_impl(TKC_TORCH_NAMESPACE, TKC_TORCH_KEY, \"tkc\", "
    "0, "
    "&library);\n    }\n"
    "    for (i = 0; tkc_operators[i].name && !tkc_torch_failed; i++) {\n"
    "        tkc_torch_failed |= aoti_torch_library_impl(library, tkc_operators[i].name, "
    "tkc_operators[i].call);\n"
    "    }\n}\n\n"
    "// For the program that loaded this file: 0 if its operators are there.\n"
    "__attribute__((visibility(\"default\"))) int tkc_torch_status(void);\n"
    "int tkc_torch_status(void) {\n    return tkc_torch_failed;\n}\n\n";

// The functions for kernels with variants, called by the loading program.
static void write_choices(const struct operator_text *texts, size_t count, struct strbuf *out) {
    strbuf_add(out, "// Merges the choices made here into a file for tkc --tuned. 0, or -1 and errno.\n"
                    "__attribute__((visibility(\"default\"))) int tkc_torch_save_tuned(const char *path);\n"
                    "int tkc_torch_save_tuned(const char *path) {\n    int result = 0;\n    (void)path;\n");
    for (size_t i = 0; i < count; i++) {
        if (texts[i].variants > 1) {
            strbuf_printf(out, "    result = result ? result : %s_save_tuned(path);\n", texts[i].name);
        }
    }
    strbuf_add(out,
               "    return result;\n}\n\n"
               "// Takes a choice from such a file. 0: there was no memory.\n"
               "__attribute__((visibility(\"default\"))) int tkc_torch_take_choice(const char *kernel, "
               "const char *device, const int64_t *key, unsigned keys, const char *variant, double took);\n"
               "int tkc_torch_take_choice(const char *kernel, const char *device, const int64_t *key, "
               "unsigned keys, const char *variant, double took) {\n"
               "    (void)kernel, (void)device, (void)key, (void)keys, (void)variant, (void)took;\n"
               "    return 1");
    for (size_t i = 0; i < count; i++) {
        if (texts[i].variants > 1) {
            strbuf_printf(
                out,
                " &&\n           tkc_torch_note(%s_%s_family(), kernel, device, key, keys, variant, took)",
                texts[i].id, texts[i].name);
        }
    }
    strbuf_add(out, ";\n}\n");
}

static struct operator_text of_family(const struct header_family *family) {
    return (struct operator_text){
        .name = family->name, .kernel = &family->kernels[family->count - 1], .variants = family->count};
}

static struct operator_text of_chain(struct arena *arena, const struct reflect_chain *chain) {
    struct reflect_kernel *parameters = ARENA_ARRAY(arena, struct reflect_kernel, 1);
    *parameters = (struct reflect_kernel){.name = chain->name,
                                          .params = chain->params,
                                          .param_count = chain->param_count,
                                          .grid = {"", "", ""}};
    return (struct operator_text){.name = chain->name, .kernel = parameters, .chain = chain};
}

bool torch_write(struct arena *arena, const struct reflection *reflection, const char *stem,
                 struct strbuf *out, struct diag *diag) {
    struct reflection dynamic =
        *reflection; // the launcher opens the driver by itself: no header of CUDA's is needed
    dynamic.runtime = RUNTIME_DYNAMIC;
    size_t count = 0;
    struct header_family *families = header_families(arena, &dynamic, &count);
    size_t family_count = count;
    count += dynamic.chain_count;
    struct operator_text *texts = ARENA_ARRAY(arena, struct operator_text, count + 1);
    const char *id = header_id(arena, &dynamic, stem);
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        texts[i] =
            i < family_count ? of_family(&families[i]) : of_chain(arena, &dynamic.chains[i - family_count]);
        texts[i].arena = arena;
        texts[i].out = out;
        texts[i].id = id;
        ok &= describe(&texts[i], diag);
    }
    strbuf_add(out, about);
    if (!ok || !header_write(arena, &dynamic, stem, out, diag)) {
        return false;
    }
    strbuf_add(out, "\n#ifndef TKC_TORCH_NAMESPACE\n#define TKC_TORCH_NAMESPACE \"tkc\"\n#endif\n\n");
    header_fixed_part("torch", out);
    for (size_t i = 0; i < count; i++) {
        write_table(&texts[i]);
        write_function(&texts[i]);
    }
    strbuf_add(out, "static const char *const tkc_schemas[] = {\n");
    for (size_t i = 0; i < count; i++) {
        write_schema(&texts[i]);
    }
    strbuf_add(
        out,
        "    NULL};\nstatic const struct {\n    const char *name;\n    void (*call)(uint64_t *, uint64_t, "
        "uint64_t);\n} tkc_operators[] = {\n");
    for (size_t i = 0; i < count; i++) {
        strbuf_printf(out, "    {\"%s\", tkc_call_%s},\n", texts[i].name, texts[i].name);
    }
    strbuf_add(out, "    {NULL, NULL}};\n\n");
    strbuf_add(out, registration);
    write_choices(texts, count, out);
    return true;
}
