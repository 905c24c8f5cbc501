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
// requires: layouts
// provides: nothing; keeps everything
// test:     tests/golden/passes/early_loads
#include "passes/pass.h"

#include "chip/scratch.h"
#include "ir/build.h"

enum { MAX_OPS = 32, OTHER_REGISTERS = 16 };

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

static void pass_reduction(struct chain *c) {
    struct ir *ir = c->context->ir;
    const struct target *target = c->context->target;
    unsigned held = 0, most = target->registers_per_sm / (c->num_warps * target->warp_size);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(c->reduction); i++) {
        held += registers_of(ir, mlirOperationGetOperand(c->reduction, i));
    }
    unsigned room = held / 2;
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
        if (registers > room || held + registers + OTHER_REGISTERS >= most || !collect(c, op)) {
            continue;
        }
        room -= registers;
        held += registers;
        for (size_t i = 0; i < c->count; i++) {
            mlirOperationMoveBefore(c->ops[i], c->reduction);
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
