// Missing hints: finds, by trial, the fewest hints of a kernel's arguments for a wider access. The axis analysis runs again as if arguments
// had more hints.
//
//   kernel(a: "*fp16:16", n: "i32")          ap + row * n + column: 2 bytes, because n may be odd
//   n supposed to be a multiple of 16        16 bytes, so the hint of n is missing
//
// First all arguments in the address and the mask are supposed to be multiples of 16. If the access is still narrow, one integer is
// supposed to be 1, too: the stride of the contiguous dimension. Then suppositions are dropped one by one if the width stays. No rule of
// the analysis is repeated here, so the answer holds for every address in reach of the analysis.
//
// test: tests/cli/check_remarks.py
#include "passes/facts/missing_hints.h"

#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"

enum { WIDEST = 16, MULTIPLE = 16 };

struct trial {
    struct pass_context *context;
    MlirOperation function, access;
    int64_t element_bytes, most; // elements of the widest access
    struct axis_supposition *supposed;
    intptr_t arguments;
    bool *reached, *bounds; // of each argument: the address or the mask depends on it; the mask does
    size_t *left;           // analyses
    bool exhausted;
};

struct width {
    int64_t elements;
    int dim; // the elements are neighbours along it
};

static struct width width_by(const struct trial *t, struct axis *axis) {
    MlirValue pointer = access_pointer(t->access), mask = access_mask(t->context->ir, t->access);
    struct width best = {1, 0};
    for (int d = 0; d < type_rank(mlirValueGetType(pointer)); d++) {
        int64_t elements = axis_access_elements(axis, pointer, mask, d, WIDEST);
        elements = elements < t->most ? elements : t->most;
        best = elements >= best.elements ? (struct width){elements, d} : best;
    }
    return best;
}

static struct width width_supposing(struct trial *t) {
    struct axis axis;
    t->exhausted |= *t->left == 0;
    if (t->exhausted) {
        return (struct width){1, 0};
    }
    --*t->left;
    axis_analyse_supposing(&axis, t->context, t->function, t->supposed);
    struct width width = width_by(t, &axis);
    axis_free(&axis);
    return width;
}

// ---- the arguments behind an access ----

struct walk {
    struct trial *trial;
    bool *reached;
    struct map seen;
    MlirValue *pending;
    size_t count, capacity;
};

static void push(struct walk *w, MlirValue value) {
    if (!mlirValueIsNull(value) && !map_has(&w->seen, value.ptr)) {
        map_put(&w->seen, value.ptr, (void *)value.ptr);
        w->pending = arena_grown(w->trial->context->arena, w->pending, w->count, &w->capacity, sizeof value);
        w->pending[w->count++] = value;
    }
}

// The values yielded by an op's regions for a result: of a `while`, all values.
static void push_yields(struct walk *w, MlirOperation op, intptr_t number) {
    bool all = op_kind(w->trial->context->ir, op) == OP_WHILE;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
        MlirBlock body = op_body(op, (int)r);
        MlirOperation last = mlirBlockIsNull(body) ? (MlirOperation){NULL} : mlirBlockGetTerminator(body);
        intptr_t count = mlirOperationIsNull(last) ? 0 : mlirOperationGetNumOperands(last);
        for (intptr_t i = 0; i < count; i++) {
            if (all || i == number) {
                push(w, mlirOperationGetOperand(last, i));
            }
        }
    }
}

// The values behind a block's argument.
static void push_behind_argument(struct walk *w, MlirValue value) {
    MlirOperation owner = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    intptr_t number = mlirBlockArgumentGetArgNumber(value);
    enum op_kind kind = op_kind(w->trial->context->ir, owner);
    if (kind == OP_FUNC) {
        w->reached[number] = true;
    } else if (kind == OP_FOR && number == 0) {
        push(w, for_lower(owner));
        push(w, for_step(owner));
    } else if (kind == OP_FOR) {
        push(w, for_init(owner, number - 1));
        push_yields(w, owner, number - 1);
    } else if (kind == OP_WHILE && number < mlirOperationGetNumOperands(owner)) {
        push(w, mlirOperationGetOperand(owner, number));
        push_yields(w, owner, number);
    }
}

static void find_arguments(struct trial *t, MlirValue from, bool *reached) {
    struct walk w = {.trial = t, .reached = reached};
    push(&w, from);
    while (w.count > 0) {
        MlirValue value = w.pending[--w.count];
        MlirOperation op = value_op(value);
        if (mlirOperationIsNull(op)) {
            push_behind_argument(&w, value);
            continue;
        }
        for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
            push(&w, mlirOperationGetOperand(op, i));
        }
        push_yields(&w, op, mlirOpResultGetResultNumber(value));
    }
    map_free(&w.seen);
}

// ---- trials ----

static bool is_integer(const struct trial *t, intptr_t argument) {
    return mlirTypeIsAInteger(mlirValueGetType(mlirBlockGetArgument(op_body(t->function, 0), argument)));
}

static void suppose_multiples(struct trial *t) {
    for (intptr_t i = 0; i < t->arguments; i++) {
        MlirType type = mlirValueGetType(mlirBlockGetArgument(op_body(t->function, 0), i));
        if (t->reached[i] && (mlirTypeIsAInteger(type) || type_is_ptr(type))) {
            t->supposed[i].multiple = MULTIPLE;
        }
    }
}

// Supposes one integer to be 1, the one with the widest access. Among equals the last dimension wins.
static struct width suppose_one(struct trial *t, struct width width) {
    intptr_t best = -1;
    for (intptr_t i = t->arguments; i-- > 0;) {
        if (!t->reached[i] || !is_integer(t, i)) {
            continue;
        }
        t->supposed[i].is_one = true;
        struct width with = width_supposing(t);
        t->supposed[i].is_one = false;
        if (with.elements > width.elements ||
            (best >= 0 && with.elements == width.elements && with.dim > width.dim)) {
            width = with;
            best = i;
        }
    }
    if (best >= 0) {
        t->supposed[best].is_one = true;
    }
    return width;
}

// Drops the suppositions without an effect on the width.
static void drop_needless(struct trial *t, int64_t elements) {
    for (intptr_t i = 0; i < t->arguments; i++) {
        struct axis_supposition kept = t->supposed[i];
        if (!kept.multiple) {
            continue;
        }
        t->supposed[i] = (struct axis_supposition){0};
        t->supposed[i] = width_supposing(t).elements < elements ? kept : t->supposed[i];
    }
}

static void list_hints(const struct trial *t, struct missing_hints *out) {
    for (intptr_t i = 0; i < t->arguments && out->count < MISSING_HINTS_MAX; i++) {
        if (t->supposed[i].multiple) {
            out->hints[out->count++] =
                (struct missing_hint){(unsigned)i, t->supposed[i].is_one ? 1 : MULTIPLE, t->bounds[i]};
        }
    }
}

static int64_t power_of_two_below(int64_t number) {
    return number < 1 ? 1 : INT64_C(1) << (63 - __builtin_clzll((uint64_t)number));
}

bool missing_hints_find(struct pass_context *context, MlirOperation function, struct axis *axis,
                        MlirOperation access, size_t *trials, struct missing_hints *out) {
    MlirType pointers = mlirValueGetType(access_pointer(access));
    if (!type_is_tensor(pointers)) {
        return false;
    }
    struct trial t = {.context = context, .function = function, .access = access, .left = trials};
    int64_t threads = op_int(function, ATTR_NUM_WARPS) * (int64_t)context->target->warp_size;
    t.element_bytes = pointee_bytes(context->ir, pointers);
    int64_t held = power_of_two_below(type_elements(pointers) / threads);
    t.most = held < WIDEST / t.element_bytes ? held : WIDEST / t.element_bytes;
    int64_t elements = width_by(&t, axis).elements;
    *out = (struct missing_hints){.bytes = elements * t.element_bytes, .could = t.most * t.element_bytes};
    if (elements >= t.most) {
        return false;
    }
    t.arguments = mlirBlockGetNumArguments(op_body(function, 0));
    t.supposed = ARENA_ARRAY(context->arena, struct axis_supposition, t.arguments + 1);
    t.reached = ARENA_ARRAY(context->arena, bool, t.arguments + 1);
    t.bounds = ARENA_ARRAY(context->arena, bool, t.arguments + 1);
    find_arguments(&t, access_pointer(access), t.reached);
    find_arguments(&t, access_mask(context->ir, access), t.bounds);
    for (intptr_t i = 0; i < t.arguments; i++) {
        t.reached[i] |= t.bounds[i];
    }
    suppose_multiples(&t);
    struct width width = width_supposing(&t);
    if (width.elements < t.most) {
        width = suppose_one(&t, width);
    }
    if (width.elements > elements) {
        out->could = width.elements * t.element_bytes;
        drop_needless(&t, width.elements);
        list_hints(&t, out);
    }
    return !t.exhausted;
}
