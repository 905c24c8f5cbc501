// early_loads: a load behind a reduction over warps that does not need its result is under way while the block meets.
//
//   %mean = reduce %row                       %scale = tk.load %weights
//   %scale = tk.load %weights           →     %mean = reduce %row
//   … %row - %mean … %scale …                 … %row - %mean … %scale …
//
// LLVM and ptxas leave loads behind a barrier. A row is normalised with what is loaded of the vectors that all rows share: its
// latency stood alone. Only as much is loaded early as half of what the reduction reads takes of registers, where a block's
// rows are held in them: with more, fewer blocks are on a multiprocessor (rows of 8,192 halves, H200: the scale alone 0.5 %
// faster, scale and shift 4 % slower); and nothing where that would not fit a block of so many threads (32 warps: 3 % slower
// with 8 bytes of local memory). A load passes one reduction, no store and no barrier.
//
// Of the next load what registers are left for, those that a thread may have before a block less is on a multiprocessor:
//
//                                       %scale = tk.load %weights
//   %mean = reduce %row                 %some = tk.load %biases, %mask, %zero {end = 32}
//   %scale = tk.load %weights      →    %mean = reduce %row
//   %shift = tk.load %biases            %shift = tk.load %biases, %mask, %some {start = 32}
//
// (Half of the shift, 4 warps: 0.2 to 0.3 %. With one access more ptxas spills 12 bytes, which costs 0.7 %.) Not in loops, where
// more lives than is counted here.
//
// requires: layouts
// provides: nothing; keeps everything
// test:     tests/golden/passes/early_loads
#include "passes/pass.h"

#include <mlir-c/BuiltinTypes.h>

#include "chip/scratch.h"
#include "ir/build.h"

enum { MAX_OPS = 32, MAX_AHEAD = 256, OTHER_REGISTERS = 16 };

// Ops between a reduction and a load that go ahead of the reduction with it.
struct chain {
    struct pass_context *context;
    unsigned num_warps;
    MlirOperation reduction;
    MlirOperation ops[MAX_OPS]; // each behind those that it reads
    size_t count;
};

static unsigned registers_of(struct ir *ir, MlirValue value) {
    MlirType type = mlirValueGetType(value);
    return type_is_tensor(type) ? layout_registers(type_layout(ir, type)) * type_bits(type_element(type)) / 32
                                : 1;
}

static bool has_scratch(const struct chain *c, MlirOperation op) {
    return scratch_bytes(c->context->ir, c->context->target, c->num_warps, op) > 0;
}

// Collects what the op needs, and it: false where that is the reduction's result or nothing that can pass it.
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

// A tile that a thread keeps: neither pointers, masks and indices, which cost little, nor what is the same everywhere.
static bool is_kept(struct ir *ir, MlirValue value) {
    MlirType type = mlirValueGetType(value);
    enum op_kind kind = op_kind(ir, value_op(value));
    return type_is_tensor(type) && !type_is_ptr(type_element(type)) && !type_is_shared(ir, type) &&
           (kind == OP_LOAD || mlirTypeIsAFloat(type_element(type))) && kind != OP_SPLAT &&
           kind != OP_CONSTANT;
}

// Whether a value of an op ahead of `outer` is read behind it, or in it unless that is the reduction itself.
static bool is_read_behind(const struct chain *c, MlirValue value, MlirOperation outer) {
    MlirOperation last = value_reader(value, mlirOperationGetBlock(outer), READER_LAST);
    return !mlirOperationIsNull(last) &&
           (mlirOperationEqual(last, outer) ? !mlirOperationEqual(outer, c->reduction)
                                            : op_is_before(outer, last));
}

// Whether more ops are ahead of the reduction, in its block and those around it, than are worth a look at what they make.
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

// Registers of tiles that are made ahead of the reduction and read behind it.
static unsigned alive_across(const struct chain *c) {
    struct ir *ir = c->context->ir;
    unsigned alive = 0;
    for (MlirOperation outer = c->reduction; op_kind(ir, outer) != OP_FUNC;
         outer = mlirOperationGetParentOperation(outer)) {
        MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(outer));
        for (; !mlirOperationEqual(op, outer); op = mlirOperationGetNextInBlock(op)) {
            for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
                MlirValue value = mlirOperationGetResult(op, i);
                alive += is_kept(ir, value) && is_read_behind(c, value, outer) ? registers_of(ir, value) : 0;
            }
        }
    }
    return alive;
}

// How many more registers a thread that holds so many may have before a block less fits a multiprocessor. None where a block
// has it to itself, or a thread all registers that it can have: ptxas would spill.
static unsigned registers_left(const struct chain *c, unsigned held) {
    enum { UNIT = 8 }; // registers are given out in eights
    const struct target *target = c->context->target;
    unsigned threads = c->num_warps * target->warp_size,
             taken = (held + OTHER_REGISTERS + UNIT - 1) / UNIT * UNIT,
             blocks = target->registers_per_sm / (threads * taken);
    unsigned most = blocks < 2 ? 0 : target->registers_per_sm / (threads * blocks) / UNIT * UNIT;
    return most < taken || most > target->registers_per_thread ? 0 : most - OTHER_REGISTERS - held;
}

// As many registers for a part of a load, behind those that are taken.
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

// Loads ahead of the reduction what the chain's last op, a load, brings to the first elements of a thread; the rest stays.
static void load_in_parts(struct chain *c, unsigned elements) {
    struct ir *ir = c->context->ir;
    MlirOperation load = c->ops[c->count - 1], early = mlirOperationClone(load);
    move_chain(c, c->count - 1);
    struct builder b = builder_before(ir, c->reduction);
    build_insert(&b, early);
    op_set_int(ir, early, ATTR_END, (int32_t)elements);
    MlirType masks = type_with_shape_of(mlirValueGetType(mlirOperationGetResult(load, 0)), type_i1(ir));
    MlirValue operands[] = {mlirOperationGetOperand(load, 0),
                            mlirOperationGetNumOperands(load) > 1 ? mlirOperationGetOperand(load, 1)
                                                                  : const_int(&b, masks, 1),
                            mlirOperationGetResult(early, 0)};
    mlirOperationSetOperands(load, 3, operands);
    op_set_int(ir, load, ATTR_START, (int32_t)elements);
}

// The elements of a thread that so many registers hold, in whole accesses.
static unsigned elements_in(MlirOperation load, unsigned registers) {
    unsigned vector = (unsigned)op_int(load, ATTR_VECTOR, 1);
    return registers * 32 / type_bits(type_element(mlirValueGetType(mlirOperationGetResult(load, 0)))) /
           vector * vector;
}

static void pass_reduction(struct chain *c) {
    struct ir *ir = c->context->ir;
    const struct target *target = c->context->target;
    unsigned held = 0, loaded = 0, most = target->registers_per_sm / (c->num_warps * target->warp_size);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(c->reduction); i++) {
        held += registers_of(ir, mlirOperationGetOperand(c->reduction, i));
    }
    MlirOperation op = mlirOperationGetNextInBlock(c->reduction), next;
    for (; !mlirOperationIsNull(op); op = next) {
        next = mlirOperationGetNextInBlock(op);
        enum op_kind kind = op_kind(ir, op);
        if (kind != OP_LOAD) {
            if (!(op_traits(kind) & PURE) || (kind == OP_REDUCE && has_scratch(c, op))) {
                return; // it may write, or order what is read; or what is behind it passes that
            }
            continue;
        }
        unsigned registers = registers_of(ir, mlirOperationGetResult(op, 0));
        c->count = 0;
        if (load_is_volatile(op)) {
            return; // what is behind it may be what it has waited for
        }
        bool whole = loaded + registers <= held / 2 && held + loaded + registers + OTHER_REGISTERS < most;
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
        c.num_warps = (unsigned)op_int(ops[i], ATTR_NUM_WARPS, c.num_warps);
        if (op_kind(context->ir, ops[i]) == OP_REDUCE && has_scratch(&c, ops[i])) {
            c.reduction = ops[i];
            pass_reduction(&c);
        }
    }
}
