// Quotients and remainders of a loop's induction variable become carried numbers, advanced each step.
//
//   scf.for %k = %c0 to %upper step %c1 {              scf.for … iter_args(%q = %c0, %r = %c0) {
//     %q = arith.divsi %k, %n                            … %q … %r …
//     %r = arith.remsi %k, %n                  →         %s = arith.addi %r, 1
//     … %q … %r …                                        %wraps = %s is %n
//   }                                                    yield %q + %wraps, %wraps ? 0 : %s
//                                                      }
//
// Loops over taps and channels, or over splits and blocks, in one number. A quotient and a remainder take more than twenty scalar instructions,
// counting on takes six. The remainder counts against the divisor's size, a number without a sign from 1 to 2^31: a divisor of 0 divides like
// 2^31 (src/decisions/17), and the quotient counts down if the divisor is negative. The induction variable is never negative.
//
// A part of peel. test: tests/golden/passes/peel/quotients.mlir, tests/lang/control.tk
#include "passes/pipeline/carry.h"

#include "ir/build.h"

enum { MAX_DIVISORS = 4 };

struct counted {
    MlirValue divisor, quotient, remainder; // the arguments
    MlirValue size;                         // of the divisor
    MlirValue more, by, by_wrap; // a step's: of the remainder; of the quotient, and if the remainder wraps
};

struct counting {
    struct ir *ir;
    MlirOperation loop;
    MlirBlock body;
    MlirOperation *ops;
    size_t op_count;
    struct counted divisors[MAX_DIVISORS];
    intptr_t count;
};

static bool is_ahead_of(const struct counting *c, MlirValue value) {
    MlirBlock block = mlirValueIsABlockArgument(value) ? mlirBlockArgumentGetOwner(value)
                                                       : mlirOperationGetBlock(mlirOpResultGetOwner(value));
    MlirOperation around = mlirBlockGetParentOperation(block);
    while (!mlirOperationIsNull(around) && !mlirOperationEqual(around, c->loop)) {
        around = mlirOperationGetParentOperation(around);
    }
    return mlirOperationIsNull(around);
}

static bool divides_counter(const struct counting *c, MlirOperation op) {
    enum op_kind kind = op_kind(c->ir, op);
    int64_t constant;
    return (kind == OP_DIVSI || kind == OP_REMSI) &&
           value_is(binary_left(op), mlirBlockGetArgument(c->body, 0)) && is_ahead_of(c, binary_right(op)) &&
           !value_is_constant_int(c->ir, binary_right(op), &constant);
}

static struct counted *of_divisor(struct counting *c, MlirValue divisor) {
    for (intptr_t i = 0; i < c->count; i++) {
        if (value_is(c->divisors[i].divisor, divisor)) {
            return &c->divisors[i];
        }
    }
    return NULL;
}

static void find(struct counting *c) {
    for (size_t i = 0; i < c->op_count && c->count < MAX_DIVISORS; i++) {
        MlirOperation op = c->ops[i];
        if (divides_counter(c, op) && !of_divisor(c, binary_right(op))) {
            c->divisors[c->count++] = (struct counted){.divisor = binary_right(op)};
        }
    }
}

// The addends of a step, computed ahead of the loop.
static void build_steps(struct builder *b, MlirValue step, struct counted *counted) {
    MlirType type = mlirValueGetType(step);
    MlirValue divisor = counted->divisor, zero = const_int(b, type, 0), one = const_int(b, type, 1);
    MlirValue below = build_compare(b, INT_SLT, divisor, zero);
    MlirValue size = build_select(b, below, build_binary(b, OP_SUBI, zero, divisor), divisor);
    MlirValue none = build_compare(b, INT_EQ, divisor, zero);
    counted->size = build_select(b, none, const_int(b, type, INT32_MIN), size);
    counted->more = build_binary(b, OP_REMUI, step, counted->size);
    MlirValue whole = build_binary(b, OP_DIVUI, step, counted->size);
    MlirValue unit = build_select(b, below, const_int(b, type, -1), one);
    counted->by = build_binary(b, OP_MULI, whole, unit);
    counted->by_wrap = build_binary(b, OP_ADDI, counted->by, unit);
}

// The next step's quotient and remainder, from this one's.
static void build_next(struct builder *b, const struct counted *counted, MlirValue next[2]) {
    MlirValue sum = build_binary(b, OP_ADDI, counted->remainder, counted->more);
    MlirValue wraps = build_compare(b, INT_UGE, sum, counted->size);
    MlirValue by = build_select(b, wraps, counted->by_wrap, counted->by);
    next[0] = build_binary(b, OP_ADDI, counted->quotient, by);
    next[1] = build_select(b, wraps, build_binary(b, OP_SUBI, sum, counted->size), sum);
}

static void rebuild(struct counting *c, struct arena *arena) {
    struct builder b = builder_before(c->ir, c->loop);
    MlirValue lower = for_lower(c->loop), values[2 * MAX_DIVISORS];
    for (intptr_t i = 0; i < c->count; i++) {
        build_steps(&b, for_step(c->loop), &c->divisors[i]);
        values[2 * i] = build_binary(&b, OP_DIVSI, lower, c->divisors[i].divisor);
        values[2 * i + 1] = build_binary(&b, OP_REMSI, lower, c->divisors[i].divisor);
    }
    c->loop = build_more(c->ir, arena, c->loop, (struct operands){2 * c->count, values});
    c->body = op_body(c->loop, 0);
    struct builder end = builder_before(c->ir, mlirBlockGetTerminator(c->body));
    end.location = b.location;
    intptr_t first = mlirBlockGetNumArguments(c->body) - 2 * c->count;
    for (intptr_t i = 0; i < c->count; i++) {
        c->divisors[i].quotient = mlirBlockGetArgument(c->body, first + 2 * i);
        c->divisors[i].remainder = mlirBlockGetArgument(c->body, first + 2 * i + 1);
        build_next(&end, &c->divisors[i], values + 2 * i);
    }
    build_yield_more(c->ir, arena, c->body, (struct operands){2 * c->count, values});
}

MlirOperation carry_quotients(struct pass_context *context, MlirOperation loop) {
    struct counting c = {.ir = context->ir, .loop = loop, .body = op_body(loop, 0)};
    int64_t lower, step;
    if (!value_is_constant_int(c.ir, for_lower(loop), &lower) || lower < 0 ||
        !value_is_constant_int(c.ir, for_step(loop), &step) || step <= 0 ||
        type_bits(mlirValueGetType(for_step(loop))) != 32) {
        return loop;
    }
    c.ops = ops_collect(c.ir, context->arena, loop, &c.op_count);
    find(&c);
    if (c.count == 0) {
        return loop;
    }
    rebuild(&c, context->arena);
    c.ops = ops_collect(c.ir, context->arena, c.loop, &c.op_count);
    for (size_t i = 0; i < c.op_count; i++) {
        struct counted *counted =
            divides_counter(&c, c.ops[i]) ? of_divisor(&c, binary_right(c.ops[i])) : NULL;
        if (counted) {
            bool divides = op_kind(c.ir, c.ops[i]) == OP_DIVSI;
            mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(c.ops[i], 0),
                                          divides ? counted->quotient : counted->remainder);
            mlirOperationDestroy(c.ops[i]);
        }
    }
    return c.loop;
}
