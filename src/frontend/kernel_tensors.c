// Declares the tensors of a kernel, for callers that pass tensors instead of addresses:
//
//     matmul.tensors = "a[M:stride_am, K:stride_ak], b[K:stride_bk, N:stride_bn] -> c[M:stride_cm, N:stride_cn]"
//
// Tensors before the arrow are inputs, tensors after it outputs; one on both sides is updated in place. A
// dimension is a size and, after a colon, a stride in elements: each the name of an integer parameter or a
// constant. Without a stride the dimension is dense: the next dimension's stride times its size, 1 for the
// last.
//
// Compiling a kernel does not need the line. It goes into the reflection and into the generated bindings for
// frameworks.
#include <string.h>

#include "frontend/kernel.h"

struct tensors_line {
    struct emitter *e;
    struct kernel_instance *kernel;
    struct location at;
};

static struct value say(const struct tensors_line *line, const char *what, const char *name) {
    return emit_error(line->e, line->at, "%s.tensors: %s is %s", line->kernel->function, name, what);
}

static struct kernel_param *find_param(const struct tensors_line *line, const char *name) {
    for (size_t i = 0; i < line->kernel->param_count; i++) {
        if (strcmp(line->kernel->params[i].name, name) == 0) {
            return &line->kernel->params[i];
        }
    }
    say(line, "no parameter of the kernel", name);
    return NULL;
}

// Reads a size or stride: a name or a number. False after an error.
static bool read_extent(const struct tensors_line *line, const struct expr *expr,
                        struct kernel_extent *extent) {
    *extent = (struct kernel_extent){0};
    if (expr->kind == EXPR_INT && !expr->integer.overflow && expr->integer.value <= INT32_MAX) {
        *extent = (struct kernel_extent){KERNEL_EXTENT_NUMBER, NULL, (int64_t)expr->integer.value};
        return true;
    }
    if (expr->kind != EXPR_NAME) {
        emit_error(line->e, line->at,
                   "%s.tensors: a size or stride is the name of a parameter or a number of 31 bits",
                   line->kernel->function);
        return false;
    }
    const struct kernel_param *param = find_param(line, expr->name.id);
    if (!param) {
        return false;
    }
    bool constant = param->is_constant && value_is_integral(param->value);
    if (constant && value_integer(param->value) >= 0 && value_integer(param->value) <= INT32_MAX) {
        *extent = (struct kernel_extent){KERNEL_EXTENT_NUMBER, NULL, (int64_t)value_integer(param->value)};
    } else if (constant) {
        say(line, "no number of 31 bits, and cannot be a size or stride", param->name);
        return false;
    } else if (!param->is_constant && dtype_is_integer(param->dtype)) {
        *extent = (struct kernel_extent){KERNEL_EXTENT_PARAMETER, param->name, 0};
    } else {
        say(line, "no integer, and cannot be a size or stride", param->name);
        return false;
    }
    return true;
}

static bool read_dimension(const struct tensors_line *line, const struct expr *expr,
                           struct kernel_dimension *dimension) {
    if (expr->kind != EXPR_SLICE) {
        return read_extent(line, expr, &dimension->size);
    }
    if (!expr->slice.lower || !expr->slice.upper || expr->slice.step) {
        emit_error(line->e, line->at, "%s.tensors: a dimension is SIZE or SIZE:STRIDE",
                   line->kernel->function);
        return false;
    }
    return read_extent(line, expr->slice.lower, &dimension->size) &&
           read_extent(line, expr->slice.upper, &dimension->stride);
}

// Reads "x[n:stride, m]", or "x" if the tensor was described before the arrow.
static bool read_tensor(const struct tensors_line *line, const struct expr *expr, enum kernel_role role) {
    bool named = expr->kind == EXPR_NAME, shaped = expr->kind == EXPR_SUBSCRIPT;
    const struct expr *name = shaped ? expr->subscript.object : expr;
    if ((!named && !shaped) || name->kind != EXPR_NAME) {
        emit_error(line->e, line->at, "%s.tensors: a tensor is NAME[SIZE:STRIDE, …]", line->kernel->function);
        return false;
    }
    struct kernel_param *param = find_param(line, name->name.id);
    if (!param) {
        return false;
    }
    if (param->is_constant || !dtype_is_pointer(param->dtype)) {
        say(line, "no pointer", param->name);
        return false;
    }
    bool again = param->tensor && param->tensor->role == KERNEL_GIVEN && role == KERNEL_MADE;
    if (param->tensor && !(again && named)) {
        say(line, again ? "described twice; behind the arrow its name is enough" : "named twice",
            param->name);
        return false;
    }
    if (named) {
        if (!again) {
            say(line, "named without its dimensions", param->name);
            return false;
        }
        param->tensor->role = KERNEL_CHANGED;
        return true;
    }
    const struct expr *index = expr->subscript.index;
    bool several = index->kind == EXPR_TUPLE;
    struct kernel_tensor *tensor = ARENA_NEW(line->e->arena, struct kernel_tensor);
    tensor->role = role;
    tensor->rank = several ? index->elements.count : 1;
    tensor->dimensions = ARENA_ARRAY(line->e->arena, struct kernel_dimension, tensor->rank + 1);
    for (size_t i = 0; i < tensor->rank; i++) {
        if (!read_dimension(line, several ? index->elements.items[i] : index, &tensor->dimensions[i])) {
            return false;
        }
    }
    param->tensor = tensor;
    return true;
}

static bool read_side(const struct tensors_line *line, const char *text, enum kernel_role role) {
    struct emitter *e = line->e;
    struct frontend frontend = {.arena = e->arena, .diag = e->diag, .program = e->program};
    if (text[strspn(text, " \t\n")] == '\0') {
        return true;
    }
    const struct expr *expr = frontend_parse_expression(
        &frontend, text, arena_printf(e->arena, "%s.tensors", line->kernel->function));
    if (!expr) {
        return false;
    }
    if (expr->kind != EXPR_TUPLE) {
        return read_tensor(line, expr, role);
    }
    for (size_t i = 0; i < expr->elements.count; i++) {
        if (!read_tensor(line, expr->elements.items[i], role)) {
            return false;
        }
    }
    return true;
}

bool kernel_read_tensors(struct emitter *e, struct kernel_instance *kernel, const struct expr *source) {
    static const char arrow[] = "->";
    if (!source) {
        return true;
    }
    struct value text = eval(e, source);
    struct tensors_line line = {e, kernel, source->location};
    if (value_failed(text)) {
        return false;
    }
    bool whole = text.kind == VALUE_STRING && strlen(text.string.bytes) == text.string.length; // no NUL
    const char *behind = whole ? strstr(text.string.bytes, arrow) : NULL;
    if (!behind) {
        emit_error(e, line.at, "%s.tensors is a string such as \"x[n], y[n] -> z[n]\"", kernel->function);
        return false;
    }
    const char *before = arena_strndup(e->arena, text.string.bytes, (size_t)(behind - text.string.bytes));
    if (!read_side(&line, before, KERNEL_GIVEN) ||
        !read_side(&line, behind + sizeof arrow - 1, KERNEL_MADE)) {
        return false;
    }
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct kernel_param *param = &kernel->params[i];
        if (!param->is_constant && dtype_is_pointer(param->dtype) && !param->tensor) {
            say(&line, "not described", param->name);
            return false;
        }
    }
    return true;
}
