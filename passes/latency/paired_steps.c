// paired_steps: the products of two steps are under way together, if each step computes with its own product alone.
//
//   for %k … iter_args(%sum) {                       for %k … step 2 iter_args(%sum) {
//     mbarrier_wait %full[slot]                        mbarrier_wait %full[slot]
//     %d = dot slot, %right, 0                         %d = dot slot, %right, 0
//     mbarrier_arrive %empty[slot]              →      mbarrier_wait %full[next slot]
//     %new = %sum + f(%d)                              %e = dot next slot, %right, 0
//     yield %new                                       %new = %sum + f(%d)                 beside %e
//   }                                                  mbarrier_arrive %empty[slot] {beside}
//                                                      mbarrier_arrive %empty[next slot]
//                                                      yield %new + f(%e)
//                                                    }
//
// Without the pass a warpgroup computes f while its matrix unit waits. Another block's products fill the time only as long as the blocks are
// apart, and they fall together. The second product of a pair is not carried into the next pair: ptxas would do products one after the
// other (C7514).
//
// The number of steps has to be known, and even: an odd last step would need a second copy of the loop.
//
// requires: specialise; next_step before, warpgroup behind, with its wait for each product ahead of the product's reader
// provides: nothing; keeps everything
// test:     tests/golden/passes/paired_steps
#include "passes/pass.h"

#include "chip/mma.h"
#include "chip/registers.h"
#include "ir/build.h"

// LEAST_SLOTS: a pair holds two slots while the producer fills two.
enum { MAX_OPS = 192, LEAST_SLOTS = 4, LEAST_STEPS = 4 };

struct pair {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation loop, dot;
    MlirBlock body;
    MlirOperation ops[MAX_OPS]; // of the step, in order, without the yield
    size_t count, dot_at;
    int64_t step;
    struct map behind;     // ops bound to stay behind the step's own product
    struct map sums_first; // ops of the second step in need of the first step's sums
};

static bool is_marked(const struct map *map, MlirValue value) {
    MlirOperation op = value_op(value);
    return map_has(map, mlirOperationIsNull(op) ? value.ptr : op.ptr);
}

// Marks the readers of marked values.
static void spread_marks(const struct pair *p, struct map *map) {
    for (size_t i = 0; i < p->count; i++) {
        for (intptr_t n = 0; n < mlirOperationGetNumOperands(p->ops[i]); n++) {
            if (is_marked(map, mlirOperationGetOperand(p->ops[i], n))) {
                map_put(map, p->ops[i].ptr, p->ops[i].ptr);
            }
        }
    }
}

// True if the product belongs to warpgroups, starts from zero, and reads slots enough for two steps.
static bool is_fitting_dot(struct pair *p) {
    MlirStringRef name = op_string(p->dot, ATTR_INSTRUCTION);
    const struct mma *mma = name.data ? mma_find(name.data, name.length) : NULL;
    MlirOperation begin = value_op(dot_c(p->dot));
    bool slots = false;
    for (int i = 0; i < 2; i++) {
        MlirOperation maker = value_op(i ? dot_b(p->dot) : dot_a(p->dot));
        while (!mlirOperationIsNull(maker) && op_kind(p->ir, maker) == OP_SMEM_TRANS) {
            maker = value_op(unary_source(maker));
        }
        if (!mlirOperationIsNull(maker) && op_kind(p->ir, maker) == OP_SMEM_SLOT &&
            mlirBlockEqual(mlirOperationGetBlock(maker), p->body)) {
            MlirOperation buffer = value_op(smem_slot_buffer(maker));
            slots = true;
            if (mlirOperationIsNull(buffer) || op_int(buffer, ATTR_STAGES) < LEAST_SLOTS) {
                return false;
            }
        }
    }
    MlirOperation reader = value_reader(mlirOperationGetResult(p->dot, 0), p->body, READER_FIRST);
    return slots && !op_has(p->dot, ATTR_IN_FLIGHT) && !mlirOperationIsNull(reader) &&
           (op_traits(op_kind(p->ir, reader)) & PURE) && mma && mma->warps > 1 &&
           !mlirOperationIsNull(begin) && op_kind(p->ir, begin) == OP_CONSTANT;
}

// Lists the step's ops. False if one of them may not change its place among the others, or there are more products than one.
static bool list(struct pair *p) {
    MlirOperation yield = mlirBlockGetTerminator(p->body);
    size_t dots = 0, waits = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(p->body); !mlirOperationEqual(op, yield);
         op = mlirOperationGetNextInBlock(op)) {
        enum op_kind kind = op_kind(p->ir, op);
        bool moves = (op_traits(kind) & PURE) || (kind == OP_LOAD && !load_is_volatile(op)) ||
                     kind == OP_MBARRIER_WAIT || kind == OP_MBARRIER_ARRIVE;
        if (!moves || mlirOperationGetNumRegions(op) > 0 || p->count == MAX_OPS) {
            return false;
        }
        if (kind == OP_DOT) {
            p->dot = op;
            p->dot_at = p->count;
            dots++;
        }
        waits += kind == OP_MBARRIER_WAIT;
        if (kind == OP_MBARRIER_ARRIVE) {
            map_put(&p->behind, op.ptr, op.ptr);
            if (!dots || op_has(op, ATTR_BESIDE)) {
                return false;
            }
        }
        p->ops[p->count++] = op;
    }
    return dots == 1 && waits == 1;
}

// True if the second step's product can start before anything is computed of the first one's.
static bool starts_alone(struct pair *p) {
    MlirOperation yield = mlirBlockGetTerminator(p->body);
    map_put(&p->behind, p->dot.ptr, p->dot.ptr);
    spread_marks(p, &p->behind);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); i++) {
        if (is_marked(&p->behind, mlirOperationGetOperand(yield, i))) {
            map_put(&p->sums_first, mlirBlockGetArgument(p->body, i + 1).ptr, p->dot.ptr);
        }
    }
    spread_marks(p, &p->sums_first);
    for (size_t i = 0; i <= p->dot_at; i++) {
        enum op_kind kind = op_kind(p->ir, p->ops[i]);
        if ((kind == OP_DOT || kind == OP_MBARRIER_WAIT) && map_has(&p->sums_first, p->ops[i].ptr)) {
            return false;
        }
    }
    return true;
}

// True if a consumer's thread has registers for both products and the tiles carried by the loop.
static bool fits(struct pair *p, MlirOperation function) {
    unsigned held = 2 * registers_filled(p->ir, mlirOperationGetResult(p->dot, 0)) +
                    registers_reserved(RESERVE_LOADS_AHEAD_TERMS);
    for (intptr_t i = 1; i < mlirBlockGetNumArguments(p->body); i++) {
        MlirValue argument = mlirBlockGetArgument(p->body, i);
        held += type_is_tensor(mlirValueGetType(argument)) ? registers_filled(p->ir, argument) : 0;
    }
    unsigned blocks = (unsigned)op_int(function, ATTR_PERSISTENT);
    return held <= registers_specialised(p->context->target, (unsigned)op_int(function, ATTR_NUM_WARPS),
                                         registers_producer(function), blocks)
                       .consumer;
}

static bool is_even(struct pair *p) {
    int64_t lower, upper;
    return value_is_constant_int(p->ir, for_lower(p->loop), &lower) &&
           value_is_constant_int(p->ir, for_upper(p->loop), &upper) &&
           value_is_constant_int(p->ir, for_step(p->loop), &p->step) && p->step > 0 &&
           p->step < INT32_MAX / 2 && lower >= INT32_MIN && upper <= INT32_MAX / 2 && upper > lower &&
           (upper - lower) % (2 * p->step) == 0 && (upper - lower) / p->step >= LEAST_STEPS;
}

// Moves the second step's product ahead of the arithmetic on the first one's. The first step's slots are free behind the first reader of its
// product: the wait for the product stands there, and the second one goes on ({beside}).
static void start_second(struct pair *p, const MlirOperation *second) {
    MlirOperation place = mlirOperationGetNextInBlock(second[p->dot_at]);
    for (size_t i = p->dot_at + 1; i < p->count; i++) {
        if (map_has(&p->behind, p->ops[i].ptr)) {
            mlirOperationMoveBefore(p->ops[i], place);
        }
    }
    MlirOperation reader = value_reader(mlirOperationGetResult(p->dot, 0), p->body, READER_FIRST);
    for (size_t i = p->dot_at + 1; i < p->count; i++) {
        if (op_kind(p->ir, p->ops[i]) == OP_MBARRIER_ARRIVE) {
            mlirOperationMoveAfter(p->ops[i], reader);
            op_set_unit(p->ir, p->ops[i], ATTR_BESIDE);
        }
    }
    for (size_t i = 0; i < p->dot_at; i++) {
        if (map_has(&p->sums_first, p->ops[i].ptr)) {
            mlirOperationMoveBefore(second[i], place);
        }
    }
}

static void rewrite(struct pair *p) {
    MlirOperation yield = mlirBlockGetTerminator(p->body), second[MAX_OPS];
    struct builder end = builder_before(p->ir, yield), before = builder_before(p->ir, p->loop);
    end.location = before.location = mlirOperationGetLocation(p->loop);
    MlirValue induction = mlirBlockGetArgument(p->body, 0), step = for_step(p->loop);
    struct map map = {0};
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); i++) {
        map_value(&map, mlirBlockGetArgument(p->body, i + 1), mlirOperationGetOperand(yield, i));
    }
    map_value(&map, induction, build_binary(&end, OP_ADDI, induction, step));
    for (size_t i = 0; i < p->count; i++) {
        second[i] = op_repeat(&end, p->context->arena, &map, p->ops[i]);
    }
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); i++) {
        mlirOperationSetOperand(yield, i, value_under(&map, mlirOperationGetOperand(yield, i)));
    }
    map_free(&map);
    start_second(p, second);
    set_for_step(p->loop, const_int(&before, mlirValueGetType(step), 2 * p->step));
}

void pass_paired_steps(struct pass_context *context, MlirModule module) {
    size_t count;
    MlirOperation function = {NULL};
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(context->ir, ops[i]);
        function = kind == OP_FUNC ? ops[i] : function;
        if (kind != OP_FOR || !op_has(function, ATTR_PRODUCER_WARPS) ||
            !target_has(context->target, FEATURE(WGMMA))) {
            continue;
        }
        struct pair *p = ARENA_ARRAY(context->arena, struct pair, 1);
        *p = (struct pair){.context = context, .ir = context->ir, .loop = ops[i], .body = op_body(ops[i], 0)};
        if (is_even(p) && list(p) && is_fitting_dot(p) && starts_alone(p) && fits(p, function)) {
            rewrite(p);
        }
        map_free(&p->behind);
        map_free(&p->sums_first);
    }
}
