// A PyTorch extension: one C++ file with the launcher and an operator for each kernel.
//
// For a kernel `softmax` it has a table of parameters and two functions, in a namespace of their own:
//
//   tkc_call_softmax(x, …)     for CUDA tensors: checks them, allocates results, launches on the current stream
//   tkc_shapes_softmax(x, …)   for fake tensors: the shapes of the results
//
// They are registered as torch.ops.tkc.softmax for CUDA and Meta; their common code is launcher/torch.h. The
// kernel's name comes last in each name, so that the names of kernels x and x_shapes differ. NAME.tensors in
// the source tells the tensors given by the caller from those made by the operator (reflect_param.tensor).
// Without it the operator takes all parameters, may change each tensor, and returns nothing.
#include <string.h>

#include "artifact/header.h"
#include "support/escape.h"

static const char *element_type(const char *dtype) {
    static const char *const types[][2] = {
        {"i1", "Bool"},
        {"i8", "Char"},
        {"i16", "Short"},
        {"i32", "Int"},
        {"i64", "Long"},
        {"u8", "Byte"},
        {"u16", "UInt16"},
        {"u32", "UInt32"},
        {"u64", "UInt64"},
        {"fp16", "Half"},
        {"bf16", "BFloat16"},
        {"fp32", "Float"},
        {"fp64", "Double"},
        {"fp8e4nv", "Float8_e4m3fn"},
        {"fp8e5", "Float8_e5m2"},
        {"fp8e4b8", "Float8_e4m3fnuz"},
        {"fp8e5b16", "Float8_e5m2fnuz"},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(types[i][0], dtype) == 0) {
            return types[i][1];
        }
    }
    return "Byte"; // a type unknown to PyTorch: bytes
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
static const char *const call_types[] = {[ARGUMENT_TENSOR] = "const at::Tensor &",
                                         [ARGUMENT_INTEGER] = "int64_t ",
                                         [ARGUMENT_FLOAT] = "double ",
                                         [ARGUMENT_BOOL] = "bool "};
static const char *const shape_types[] = {[ARGUMENT_TENSOR] = "const at::Tensor &",
                                          [ARGUMENT_INTEGER] = "c10::SymInt ",
                                          [ARGUMENT_FLOAT] = "double ",
                                          [ARGUMENT_BOOL] = "bool "};

struct operator_text {
    struct arena *arena;
    struct strbuf *out;
    const char *name;
    const struct reflect_kernel *kernel; // the last variant: its hints promise least
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

static enum argument argument_of(const struct reflect_kernel *kernel, const struct reflect_param *param) {
    if (param->pointer) {
        return param->tensor && param->tensor->role == REFLECT_MADE ? ARGUMENT_MADE : ARGUMENT_TENSOR;
    }
    if (is_found(kernel, param->name)) {
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
        strbuf_add(t->out, "{-1, tkc_torch::DENSE}");
    }
}

static void write_dimensions(const struct operator_text *t, size_t index) {
    const struct reflect_tensor *tensor = t->kernel->params[index].tensor;
    if (!tensor || !tensor->rank) {
        return;
    }
    strbuf_printf(t->out, "const tkc_torch::Dimension tkc_tensor_%zu_%s[] = {", index, t->name);
    for (size_t i = 0; i < tensor->rank; i++) {
        strbuf_add(t->out, i ? ", {" : "{");
        write_extent(t, &tensor->sizes[i]);
        strbuf_add(t->out, ", ");
        write_extent(t, &tensor->strides[i]);
        strbuf_add_char(t->out, '}');
    }
    strbuf_add(t->out, "};\n");
}

static void write_table(const struct operator_text *t) {
    static const char *const roles[] = {
        [REFLECT_GIVEN] = "INPUT", [REFLECT_MADE] = "OUTPUT", [REFLECT_CHANGED] = "BOTH"};
    for (size_t i = 0; i < t->kernel->param_count; i++) {
        write_dimensions(t, i);
    }
    strbuf_printf(t->out, "const tkc_torch::Parameter tkc_parameters_%s[] = {", t->name);
    for (size_t i = 0; i < t->kernel->param_count; i++) {
        const struct reflect_param *param = &t->kernel->params[i];
        const struct reflect_tensor *tensor = param->tensor;
        strbuf_printf(t->out, "%s\n    {\"", i ? "," : "");
        escape_add_text(t->out, ESCAPE_JSON, param->name);
        strbuf_printf(
            t->out, "\", %s, at::ScalarType::%s, tkc_torch::%s, ", param->pointer ? "true" : "false",
            param->pointer ? element_type(param->dtype) : "Undefined", tensor ? roles[tensor->role] : "BOTH");
        strbuf_printf(t->out, "%d, ", tensor ? (int)tensor->rank : -1);
        strbuf_add(t->out, tensor && tensor->rank ? arena_printf(t->arena, "tkc_tensor_%zu_%s", i, t->name)
                                                  : "nullptr");
        strbuf_printf(t->out, ", %u, %s}", param->divisible_by, param->equals_one ? "true" : "false");
    }
    strbuf_add(t->out, "};\n\n");
}

// ---- functions

static void write_head(const struct operator_text *t, const char *role, const char *const *types) {
    strbuf_add(t->out, t->made > 1 ? "std::tuple<" : t->made ? "at::Tensor" : "void");
    for (size_t i = 0; t->made > 1 && i < t->made; i++) {
        strbuf_add(t->out, i ? ", at::Tensor" : "at::Tensor");
    }
    strbuf_printf(t->out, "%s tkc_%s_%s(", t->made > 1 ? ">" : "", role, t->name);
    const char *join = "";
    for (size_t i = 0; i < t->kernel->param_count; i++) {
        if (is_taken(t->arguments[i])) {
            strbuf_printf(t->out, "%s%s%s", join, types[t->arguments[i]],
                          artifact_c_name(t->arena, t->kernel->params[i].name));
            join = ", ";
        }
    }
    strbuf_add(t->out, ") {\n");
}

// Numbers before tensors, since a number may be a size of a tensor.
static void write_giving(const struct operator_text *t) {
    static const struct {
        enum argument argument;
        const char *how;
    } turns[] = {{ARGUMENT_INTEGER, "number"}, {ARGUMENT_TENSOR, "give"}};
    for (size_t turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < t->kernel->param_count; i++) {
            if (t->arguments[i] == turns[turn].argument) {
                strbuf_printf(t->out, "    call.%s(%zu, %s);\n", turns[turn].how, i,
                              artifact_c_name(t->arena, t->kernel->params[i].name));
            }
        }
    }
}

static void write_making(const struct operator_text *t) {
    for (size_t i = 0; i < t->kernel->param_count; i++) {
        if (t->arguments[i] == ARGUMENT_MADE) {
            strbuf_printf(t->out, "    at::Tensor %s = call.make(%zu);\n",
                          artifact_c_name(t->arena, t->kernel->params[i].name), i);
        }
    }
}

static void write_return(const struct operator_text *t) {
    const char *join = t->made > 1 ? "    return {" : "    return ";
    for (size_t i = 0; i < t->kernel->param_count; i++) {
        if (t->arguments[i] == ARGUMENT_MADE) {
            strbuf_printf(t->out, "%s%s", join, artifact_c_name(t->arena, t->kernel->params[i].name));
            join = ", ";
        }
    }
    strbuf_add(t->out, t->made > 1 ? "};\n}\n\n" : t->made ? ";\n}\n\n" : "}\n\n");
}

static void write_launching(const struct operator_text *t) {
    strbuf_printf(t->out, "    call.check_promises();\n    call.check(%s_launch(call.stream()", t->name);
    for (size_t i = 0; i < t->kernel->param_count; i++) {
        const struct reflect_param *param = &t->kernel->params[i];
        const char *name = artifact_c_name(t->arena, param->name);
        if (t->arguments[i] == ARGUMENT_FLOAT) {
            strbuf_printf(t->out, ", static_cast<%s>(%s)", artifact_c_type(param->dtype), name);
        } else if (t->arguments[i] == ARGUMENT_BOOL) {
            strbuf_printf(t->out, ", %s", name);
        } else {
            strbuf_printf(t->out, ", call.value<%s>(%zu)",
                          param->pointer ? "CUdeviceptr" : artifact_c_type(param->dtype), i);
        }
    }
    strbuf_add(t->out, "));\n");
}

static void write_functions(const struct operator_text *t) {
    const char *object = arena_printf(t->arena, "<%zu> call(\"%s\", tkc_parameters_%s);\n",
                                      t->kernel->param_count, t->name, t->name);
    write_head(t, "call", call_types);
    strbuf_printf(t->out, "    tkc_torch::Call%s", object);
    write_giving(t);
    write_making(t);
    write_launching(t);
    write_return(t);

    write_head(t, "shapes", shape_types);
    for (size_t i = 0; i < t->kernel->param_count; i++) {
        if (t->arguments[i] == ARGUMENT_FLOAT || t->arguments[i] == ARGUMENT_BOOL) {
            strbuf_printf(t->out, "    (void)%s;\n", artifact_c_name(t->arena, t->kernel->params[i].name));
        }
    }
    strbuf_printf(t->out, "    tkc_torch::Shapes%s", object);
    write_giving(t);
    write_making(t);
    write_return(t);
}

static void write_schema(const struct operator_text *t) {
    strbuf_printf(t->out, "    library.def(\"%s(", t->name);
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
    strbuf_add(t->out, t->made == 1 ? ") -> Tensor\");\n" : ") -> (");
    for (size_t i = 0; t->made != 1 && i < t->made; i++) {
        strbuf_add(t->out, i ? ", Tensor" : "Tensor");
    }
    strbuf_add(t->out, t->made == 1 ? "" : ")\");\n");
}

// ---- the file

static bool describe(struct arena *arena, const struct header_family *family, struct operator_text *t,
                     struct diag *diag) {
    const struct reflect_kernel *kernel = &family->kernels[family->count - 1];
    *t = (struct operator_text){.arena = arena, .out = t->out, .name = family->name, .kernel = kernel};
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
            family->name, family->name);
    } else if (!tensor) {
        diag_error(diag, (struct location){0},
                   "kernel \"%s\" is given no tensor, and an operator launches where its tensors are",
                   family->name);
    } else if (foreign) {
        diag_error(
            diag, (struct location){0},
            "PyTorch's operators have parameters named in ASCII, and kernel \"%s\" takes \"%s\"; rename it",
            family->name, foreign);
    } else {
        return true;
    }
    return false;
}

bool torch_write(struct arena *arena, const struct reflection *reflection, const char *stem,
                 struct strbuf *out, struct diag *diag) {
    size_t count = 0;
    struct header_family *families = header_families(arena, reflection, &count);
    struct operator_text *texts = ARENA_ARRAY(arena, struct operator_text, count + 1);
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        texts[i].out = out;
        ok &= describe(arena, &families[i], &texts[i], diag);
    }
    strbuf_add(out, "// Operators of PyTorch: torch.ops.tkc.NAME for each kernel. Build with "
                    "torch.utils.cpp_extension:\n//\n"
                    "//   cpp_extension.load(name, [this file], extra_ldflags=[\"-lcuda\"], with_cuda=True, "
                    "is_python_module=False)\n//\n"
                    "// -DTKC_TORCH_NAMESPACE=mine registers them as torch.ops.mine.NAME.\n"
                    "#include <ATen/ATen.h>\n#include <ATen/ops/empty.h>\n#include <c10/cuda/CUDAGuard.h>\n"
                    "#include <c10/cuda/CUDAStream.h>\n#include <torch/library.h>\n\n#include <array>\n"
                    "#include <optional>\n#include <string>\n#include <tuple>\n"
                    "#include <utility>\n#include <vector>\n\n");
    if (!ok || !header_write(arena, reflection, stem, out, diag)) {
        return false;
    }
    strbuf_add(out, "\n#ifndef TKC_TORCH_NAMESPACE\n#define TKC_TORCH_NAMESPACE tkc\n#endif\n\n");
    header_fixed_part("torch", out);
    strbuf_add(out, "namespace tkc_operators {\nnamespace {\n\n");
    for (size_t i = 0; i < count; i++) {
        write_table(&texts[i]);
        write_functions(&texts[i]);
    }
    strbuf_add(out, "} // namespace\n} // namespace "
                    "tkc_operators\n\nTORCH_LIBRARY_FRAGMENT(TKC_TORCH_NAMESPACE, library) {\n");
    for (size_t i = 0; i < count; i++) {
        write_schema(&texts[i]);
    }
    static const char *const keys[][2] = {{"CUDA", "call"}, {"Meta", "shapes"}};
    for (size_t k = 0; k < 2; k++) {
        strbuf_printf(out, "}\n\nTORCH_LIBRARY_IMPL(TKC_TORCH_NAMESPACE, %s, library) {\n", keys[k][0]);
        for (size_t i = 0; i < count; i++) {
            strbuf_printf(out, "    library.impl(\"%s\", tkc_operators::tkc_%s_%s);\n", texts[i].name,
                          keys[k][1], texts[i].name);
        }
    }
    strbuf_add(out, "}\n");
    return true;
}
