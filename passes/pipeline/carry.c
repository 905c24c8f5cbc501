// Tiles of pointers computed in each iteration from the induction variable become loop-carried pointers with
// a constant advance (strength reduction).
//
//   scf.for %k = %lower to %upper step 64 {                  %p0 = … %lower * %stride …
//     %p = … (%k + %index) * %stride …                       %by = 64 * %stride
//     tk.load %p                                       →     scf.for … iter_args(%p = %p0) {
//   }                                                          tk.load %p
//                                                              yield tk.addptr %p, tk.splat %by
//                                                            }
//
// The advance is the same for all elements, so no thread needs arithmetic of its own for it (narrow.c). A
// pointer qualifies if it is a sum (affine.h), or one and something computed ahead of the loop, and only scalar terms of it contain
// the iteration number. This relies on 32-bit arithmetic without wrapping (src/decisions/05: `no_wrap`).
//
// A part of peel. test: tests/golden/passes/peel/carry.mlir
#include "passes/pipeline/carry.h"

#include "ir/build.h"

enum { MAX_CARRIED = 8, MAX_OPS = 64 };

struct carried {
    MlirValue pointer;
    struct affine step;
    MlirOperation made[MAX_OPS]; // its computation in the loop's body, in order
    size_t made_count;
};

static bool sum_varies(struct affines *affines, MlirOperation loop, const struct affine *sum) {
    bool varies = false;
    for (int t = 0; t < sum->count; t++) {
        for (int s = 0; s < sum->terms[t].symbol_count; s++) {
            varies |= affine_symbol_varies_in(affines, sum->terms[t].symbols[s], loop);
        }
    }
    return varies;
}

// Adds the advance per iteration of a sum. False if it is none of loop-invariant scalars.
static bool add_step_of_sum(struct affines *affines, MlirOperation loop, const struct affine *sum,
                            struct affine *step) {
    int iterations = affine_symbol_of_loop(affines, loop);
    for (int t = 0; t < sum->count; t++) {
        struct affine_term term = sum->terms[t], factor = term; // without the iteration number
        bool is_computed = true; // ahead of the loop: the iteration number of a loop around it is no value
        factor.symbol_count = 0;
        for (int s = 0; s < term.symbol_count; s++) {
            if (term.symbols[s] != iterations) {
                const struct affine_symbol *symbol = &affines->symbols[term.symbols[s]];
                if (affine_symbol_varies_in(affines, term.symbols[s], loop)) {
                    return false;
                }
                is_computed &= !mlirValueIsNull(symbol->value);
                factor.symbols[factor.symbol_count++] = term.symbols[s];
            }
        }
        if (term.wrap >= 0 && sum_varies(affines, loop, &affines->wraps[term.wrap].first)) {
            return false;
        }
        int times = term.symbol_count - factor.symbol_count;
        if (times > 1 || (times == 1 && (term.dim >= 0 || !is_computed || !affine_add_term(step, factor)))) {
            return false;
        }
    }
    return true;
}

static bool in_body(MlirBlock body, MlirOperation op) {
    return !mlirOperationIsNull(op) && mlirBlockEqual(mlirOperationGetBlock(op), body);
}

// Adds the advance per iteration of a value. What is no sum, as rows that are divided, has to be computed ahead of the loop.
static bool add_step(struct affines *affines, MlirOperation loop, MlirValue value, struct affine *step,
                     int depth) {
    enum { MAX_DEPTH = 16 };
    struct ir *ir = affines->context->ir;
    MlirOperation op = value_op(value);
    if (!mlirOperationIsNull(op) && !in_body(op_body(loop, 0), op)) {
        return true;
    }
    const struct affine *sum = affine_of(affines, value);
    if (sum) {
        return add_step_of_sum(affines, loop, sum, step);
    }
    if (mlirOperationIsNull(op) || depth == MAX_DEPTH) {
        return false;
    }
    switch (op_kind(ir, op)) {
    case OP_ADDPTR:
        return add_step(affines, loop, addptr_pointer(op), step, depth + 1) &&
               add_step(affines, loop, addptr_offset(op), step, depth + 1);
    case OP_ADDI:
        return add_step(affines, loop, binary_left(op), step, depth + 1) &&
               add_step(affines, loop, binary_right(op), step, depth + 1);
    case OP_SPLAT:
    case OP_BROADCAST:
    case OP_EXPAND_DIMS:
        return add_step(affines, loop, unary_source(op), step, depth + 1);
    default:
        return false;
    }
}

// The pointer's advance per iteration, a sum of loop-invariant scalars. False if there is none, or if the
// pointer does not change.
static bool step_of(struct affines *affines, MlirOperation loop, MlirValue pointer, struct affine *step) {
    *step = (struct affine){0};
    return add_step(affines, loop, pointer, step, 0) && step->count > 0;
}

// Collects the ops of the body computing the pointer. False if they depend on a loop-carried value other than
// the induction variable.
static bool collect(struct ir *ir, MlirBlock body, MlirValue value, struct carried *out) {
    if (mlirValueIsABlockArgument(value)) {
        return !mlirBlockEqual(mlirBlockArgumentGetOwner(value), body) ||
               mlirBlockArgumentGetArgNumber(value) == 0;
    }
    MlirOperation op = mlirOpResultGetOwner(value);
    for (size_t i = 0; i < out->made_count; i++) {
        if (mlirOperationEqual(out->made[i], op)) {
            return true;
        }
    }
    if (!in_body(body, op)) {
        return true;
    }
    if (!(op_traits(op_kind(ir, op)) & PURE) || mlirOperationGetNumRegions(op) > 0) {
        return false;
    }
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        if (!collect(ir, body, mlirOperationGetOperand(op, i), out)) {
            return false;
        }
    }
    if (out->made_count == MAX_OPS) {
        return false;
    }
    out->made[out->made_count++] = op;
    return true;
}

static size_t find(struct affines *affines, MlirOperation loop, struct carried *carried) {
    struct ir *ir = affines->context->ir;
    MlirBlock body = op_body(loop, 0);
    size_t count = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(ir, op) != OP_LOAD) {
            continue;
        }
        MlirValue pointer = load_pointer(op);
        struct carried *next = &carried[count];
        *next = (struct carried){.pointer = pointer};
        bool known = false;
        for (size_t i = 0; i < count; i++) {
            known |= mlirValueEqual(carried[i].pointer, pointer);
        }
        if (!known && type_is_tensor(mlirValueGetType(pointer)) && in_body(body, value_op(pointer)) &&
            step_of(affines, loop, pointer, &next->step) && collect(ir, body, pointer, next) &&
            ++count == MAX_CARRIED) {
            break;
        }
    }
    return count;
}

static MlirValue build_step(struct affines *affines, struct builder *b, const struct affine *step) {
    MlirType wide = type_i64(b->ir);
    MlirValue sum = const_int(b, wide, 0);
    for (int t = 0; t < step->count; t++) {
        const struct affine_term *term = &step->terms[t];
        MlirValue product = const_int(b, wide, term->factor);
        for (int s = 0; s < term->symbol_count; s++) {
            MlirValue symbol = affines->symbols[term->symbols[s]].value;
            bool narrow = type_bits(mlirValueGetType(symbol)) < 64;
            symbol = narrow ? VALUE(b, OP_EXTSI, OPERANDS(symbol), RESULTS(wide), NO_ATTRS) : symbol;
            product = build_binary(b, OP_MULI, product, symbol);
        }
        sum = t ? build_binary(b, OP_ADDI, sum, product) : product;
    }
    return sum;
}

// The pointer in the first iteration, ahead of the loop.
static MlirValue build_first(struct builder *b, struct arena *arena, MlirOperation loop,
                             const struct carried *carried) {
    struct map map = {0};
    map_first_iteration(&map, loop);
    for (size_t i = 0; i < carried->made_count; i++) {
        op_repeat(b, arena, &map, carried->made[i]);
    }
    MlirValue first = value_under(&map, carried->pointer);
    map_free(&map);
    return first;
}

static MlirOperation rebuild(struct pass_context *context, struct affines *affines, MlirOperation loop,
                             const struct carried *carried, intptr_t count) {
    struct ir *ir = context->ir;
    struct builder b = builder_before(ir, loop);
    MlirValue first[MAX_CARRIED], by[MAX_CARRIED], next[MAX_CARRIED];
    for (intptr_t c = 0; c < count; c++) {
        MlirType type = type_with_shape_of(mlirValueGetType(carried[c].pointer), type_i64(ir));
        by[c] = build_step(affines, &b, &carried[c].step);
        by[c] = VALUE(&b, OP_SPLAT, OPERANDS(by[c]), RESULTS(type), NO_ATTRS);
        first[c] = build_first(&b, context->arena, loop, &carried[c]);
    }
    // One pointer may be computed from another: compute all first values before any becomes an argument.
    loop = build_more(ir, context->arena, loop, (struct operands){count, first});
    MlirBlock body = op_body(loop, 0);
    struct builder end = builder_before(ir, mlirBlockGetTerminator(body));
    end.location = b.location;
    for (intptr_t c = 0; c < count; c++) {
        MlirValue argument = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - count + c);
        mlirValueReplaceAllUsesOfWith(carried[c].pointer, argument);
        next[c] =
            VALUE(&end, OP_ADDPTR, OPERANDS(argument, by[c]), RESULTS(mlirValueGetType(argument)), NO_ATTRS);
    }
    build_yield_more(ir, context->arena, body, (struct operands){count, next});
    return loop;
}

MlirOperation carry_pointers(struct pass_context *context, MlirOperation function, MlirOperation loop) {
    struct carried *carried = ARENA_ARRAY(context->arena, struct carried, MAX_CARRIED);
    struct affines affines;
    affines_open(&affines, context, function);
    size_t count = find(&affines, loop, carried);
    loop = count ? rebuild(context, &affines, loop, carried, (intptr_t)count) : loop;
    affines_close(&affines);
    return loop;
}
