// early_loads: moves a load from behind a cross-warp reduction to ahead of it, if independent of its result,
// to hide its latency.
//
//   %mean = reduce %row                       %scale = tk.load %weights
//   %scale = tk.load %weights           →     %mean = reduce %row
//   … %row - %mean … %scale …                 … %row - %mean … %scale …
//
// LLVM and ptxas leave loads behind a barrier. A normalisation scales each row by vectors common to all rows;
// the latency of loading them was not overlapped. Early loads take at most half as many registers as the
// reduction's operand, the rows of the block: with more, fewer blocks fit on a multiprocessor (rows of 8,192
// halves, H200: the scale alone 0.5 % faster, scale and shift 4 % slower). Nothing moves if it would not fit
// a block of so many threads (32 warps: 3 % slower with 8 bytes of local memory). A load passes one
// reduction, no store and no barrier.
//
// Of the next load, the part that fits into the registers a thread may still have before one block fewer fits
// on a multiprocessor moves too:
//
//                                       %scale = tk.load %weights
//   %mean = reduce %row                 %some = tk.load %biases, %mask, %zero {end = 32}
//   %scale = tk.load %weights      →    %mean = reduce %row
//   %shift = tk.load %biases            %shift = tk.load %biases, %mask, %some {start = 32}
//
// (Half of the shift, 4 warps: 0.2 to 0.3 %. With one access more ptxas spills 12 bytes, at a cost of 0.7 %.)
// No partial loads in loops: more values are live there than the count below covers.
//
// requires: layouts
// provides: nothing; keeps everything
// test:     tests/golden/passes/early_loads
#include "passes/pass.h"

#include <mlir-c/BuiltinTypes.h>

#include "chip/registers.h"
#include "chip/scratch.h"
#include "ir/build.h"

enum { MAX_OPS = 32, MAX_AHEAD = 256 };

// A load behind the reduction and the ops between them: they move ahead of the reduction together.
struct chain {
    struct pass_context *context;
    unsigned num_warps;
    MlirOperation reduction;
    MlirOperation ops[MAX_OPS]; // each behind its operands' ops
    size_t count;
};

static bool has_scratch(const struct chain *c, MlirOperation op) {
    return scratch_bytes(c->context->ir, c->context->target, c->num_warps, op) > 0;
}

// Collects the op and its operands' ops behind the reduction. False if one of them is the reduction or may
// not pass it.
static bool collect(struct chain *c, MlirOperation op) {
    for (size_t i = 0; i < c->count; i++) {
        if (mlirOperationEqual(c->ops[i], op)) {
            return true;
        }
    }
    enum op_kind kind = op_kind(c->context->ir, op);
    if (!(op_traits(kind) & PURE || kind == OP_LOAD) || mlirOperationGetNumRegions(op) > 0 ||
        has_scratch(c, op)) {
        return false;
    }
    MlirBlock block = mlirOperationGetBlock(op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        MlirOperation maker = value_op(mlirOperationGetOperand(op, i));
        bool behind = !mlirOperationIsNull(maker) && mlirBlockEqual(mlirOperationGetBlock(maker), block) &&
                      !op_is_before(maker, c->reduction);
        if (behind && (mlirOperationEqual(maker, c->reduction) || op_kind(c->context->ir, maker) == OP_LOAD ||
                       !collect(c, maker))) {
            return false;
        }
    }
    if (c->count == MAX_OPS) {
        return false;
    }
    c->ops[c->count++] = op;
    return true;
}

// A tile held in registers: not pointers, masks and indices, cheap to recompute, nor constants and splats.
static bool is_kept(struct ir *ir, MlirValue value) {
    MlirType type = mlirValueGetType(value);
    enum op_kind kind = op_kind(ir, value_op(value));
    return type_is_tensor(type) && !type_is_ptr(type_element(type)) && !type_is_shared(ir, type) &&
           (kind == OP_LOAD || mlirTypeIsAFloat(type_element(type))) && kind != OP_SPLAT &&
           kind != OP_CONSTANT;
}

// True if a value made ahead of `outer` is read behind it, or inside it if `outer` is not the reduction
// itself.
static bool is_read_behind(const struct chain *c, MlirValue value, MlirOperation outer) {
    MlirOperation last = value_reader(value, mlirOperationGetBlock(outer), READER_LAST);
    return !mlirOperationIsNull(last) &&
           (mlirOperationEqual(last, outer) ? !mlirOperationEqual(outer, c->reduction)
                                            : op_is_before(outer, last));
}

// True if too many ops stand ahead of the reduction, in its block and the enclosing ones, to count their live
// values.
static bool is_far_in(const struct chain *c) {
    unsigned ops = 0;
    for (MlirOperation outer = c->reduction; op_kind(c->context->ir, outer) != OP_FUNC;
         outer = mlirOperationGetParentOperation(outer)) {
        MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(outer));
        for (; !mlirOperationEqual(op, outer); op = mlirOperationGetNextInBlock(op)) {
            if (++ops > MAX_AHEAD) {
                return true;
            }
        }
    }
    return false;
}

// Registers of the tiles live across the reduction: made ahead of it and read behind it.
static unsigned alive_across(const struct chain *c) {
    struct ir *ir = c->context->ir;
    unsigned alive = 0;
    for (MlirOperation outer = c->reduction; op_kind(ir, outer) != OP_FUNC;
         outer = mlirOperationGetParentOperation(outer)) {
        MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(outer));
        for (; !mlirOperationEqual(op, outer); op = mlirOperationGetNextInBlock(op)) {
            for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
                MlirValue value = mlirOperationGetResult(op, i);
                alive +=
                    is_kept(ir, value) && is_read_behind(c, value, outer) ? registers_filled(ir, value) : 0;
            }
        }
    }
    return alive;
}

// The number of registers a thread with `held` registers may add before one block fewer fits on a
// multiprocessor. None if only one block fits, or if a thread already has the most it can have: ptxas would
// spill.
static unsigned registers_left(const struct chain *c, unsigned held) {
    const struct target *target = c->context->target;
    unsigned beside = registers_reserved(RESERVE_EARLY_LOADS), taken = registers_rounded_up(held + beside);
    unsigned blocks = registers_blocks(target, c->num_warps, taken);
    unsigned most = blocks < 2 ? 0 : registers_rounded_down(registers_part(target, c->num_warps, blocks));
    return most < taken || most > target->registers_per_thread ? 0 : most - beside - held;
}

// The registers for a partial load beside those taken.
static unsigned registers_for_part(const struct chain *c, unsigned taken) {
    unsigned left = registers_left(c, taken);
    if (left == 0 || is_far_in(c) || op_is_in_loop(c->context->ir, c->reduction)) {
        return 0;
    }
    unsigned alive = alive_across(c);
    return alive > taken ? registers_left(c, alive) : left;
}

static void move_chain(struct chain *c, size_t count) {
    for (size_t i = 0; i < count; i++) {
        mlirOperationMoveBefore(c->ops[i], c->reduction);
    }
}

// Splits the chain's last op, a load: loads the first elements of each thread ahead of the reduction and
// leaves the rest in place.
static void load_in_parts(struct chain *c, unsigned elements) {
    struct ir *ir = c->context->ir;
    MlirOperation load = c->ops[c->count - 1], early = mlirOperationClone(load);
    move_chain(c, c->count - 1);
    struct builder b = builder_before(ir, c->reduction);
    build_insert(&b, early);
    op_set_int(ir, early, ATTR_END, (int32_t)elements);
    MlirType masks = type_with_shape_of(mlirValueGetType(mlirOperationGetResult(load, 0)), type_i1(ir));
    MlirValue operands[] = {load_pointer(load),
                            !mlirValueIsNull(load_mask(load)) ? load_mask(load) : const_int(&b, masks, 1),
                            mlirOperationGetResult(early, 0)};
    mlirOperationSetOperands(load, 3, operands);
    op_set_int(ir, load, ATTR_START, (int32_t)elements);
}

// A thread's elements in so many registers, in whole accesses.
static unsigned elements_in(MlirOperation load, unsigned registers) {
    unsigned vector = (unsigned)op_int(load, ATTR_VECTOR);
    return registers * 32 / type_bits(type_element(mlirValueGetType(mlirOperationGetResult(load, 0)))) /
           vector * vector;
}

static void pass_reduction(struct chain *c) {
    struct ir *ir = c->context->ir;
    unsigned held = 0, loaded = 0, beside = registers_reserved(RESERVE_EARLY_LOADS);
    unsigned most = registers_part(c->context->target, c->num_warps, 1);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(c->reduction); i++) {
        held += registers_filled(ir, mlirOperationGetOperand(c->reduction, i));
    }
    MlirOperation op = mlirOperationGetNextInBlock(c->reduction), next;
    for (; !mlirOperationIsNull(op); op = next) {
        next = mlirOperationGetNextInBlock(op);
        enum op_kind kind = op_kind(ir, op);
        if (kind != OP_LOAD) {
            if (!(op_traits(kind) & PURE) || (kind == OP_REDUCE && has_scratch(c, op))) {
                return; // it may write or order memory, or is itself a reduction to move loads over
            }
            continue;
        }
        unsigned registers = registers_filled(ir, mlirOperationGetResult(op, 0));
        c->count = 0;
        if (load_is_volatile(op)) {
            return; // loads behind it may depend on its wait
        }
        bool whole = loaded + registers <= held / 2 && held + loaded + registers + beside < most;
        unsigned part = whole ? registers : registers_for_part(c, held + loaded);
        if ((!whole && elements_in(op, part) == 0) || !collect(c, op)) {
            continue;
        }
        if (part >= registers) {
            move_chain(c, c->count);
            loaded += registers;
        } else {
            load_in_parts(c, elements_in(op, part));
            return;
        }
    }
}

void pass_early_loads(struct pass_context *context, MlirModule module) {
    if (context->target->vendor != VENDOR_NVIDIA) {
        return; // not measured
    }
    struct chain c = {.context = context};
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        c.num_warps = (unsigned)op_int_or(ops[i], ATTR_NUM_WARPS, c.num_warps);
        if (op_kind(context->ir, ops[i]) == OP_REDUCE && has_scratch(&c, ops[i])) {
            c.reduction = ops[i];
            pass_reduction(&c);
        }
    }
}
