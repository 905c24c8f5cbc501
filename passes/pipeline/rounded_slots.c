// rounded_slots: f32 operands of products in tf32 are rounded ahead of shared memory, each element by one thread, and not by each reading warp.
//
//   tk.smem_store %slot, %x                   %r = tk.round_tf32 %x
//   …                                         tk.smem_store %slot, %r
//   %a = tk.smem_load %slot              →    …
//   %d = tk.dot %a, … {tf32}                  %a = tk.smem_load %slot
//                                             %d = tk.dot %a, … {tf32, rounded = 1}
//
// Of 128 x 128 x 32 on 8 warps a thread stores 16 elements of both tiles and reads 48. The same goes for a conversion of layouts with more
// elements a thread behind it. Copies past the registers leave rounding to the product, and so do tiles with other readers.
// Products of warpgroups have rules of their own (warpgroup.c).
//
// requires: the loops are pipelined
// provides: the same program; {rounded} on dots: bit 0 the left operand, bit 1 the right one
// test:     tests/golden/passes/rounded_slots, tests/lang/extremes.tk
#include "passes/pass.h"

#include <string.h>

#include "chip/mma.h"
#include "dialects/tk/words.h"
#include "ir/build.h"

struct rounding {
    struct ir *ir;
    MlirOperation *ops;
    size_t count;
    struct map buffers; // of operands; null: has other uses
};

static bool multiplies_tf32(struct ir *ir, MlirOperation op) {
    MlirStringRef name =
        op_kind(ir, op) == OP_DOT ? op_string(op, ATTR_INSTRUCTION) : (MlirStringRef){NULL, 0};
    return name.data && mma_find(name.data, name.length)->a == MMA_TF32 &&
           op_dot_precision(op) == PRECISION_TF32;
}

// The buffer of a slot or of a view of one; null: not known.
static MlirValue buffer_of(struct ir *ir, MlirValue slot) {
    for (MlirOperation op = value_op(slot); !mlirOperationIsNull(op); op = value_op(slot)) {
        enum op_kind kind = op_kind(ir, op);
        if (kind == OP_SMEM_ALLOC) {
            return slot;
        }
        if (kind != OP_SMEM_SLOT && kind != OP_SMEM_TRANS) {
            break;
        }
        slot = kind == OP_SMEM_SLOT ? smem_slot_buffer(op) : smem_trans_slot(op);
    }
    return (MlirValue){NULL};
}

// True if products in tf32 alone read the tile, as operands.
static bool is_operand_alone(struct ir *ir, MlirValue tile) {
    MlirOpOperand use = mlirValueGetFirstUse(tile);
    bool alone = !mlirOpOperandIsNull(use);
    for (; alone && !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
        alone =
            multiplies_tf32(ir, mlirOpOperandGetOwner(use)) && mlirOpOperandGetOperandNumber(use) <= at_dot_b;
    }
    return alone;
}

static void add_buffers(struct rounding *r) {
    for (size_t i = 0; i < r->count; i++) {
        if (op_kind(r->ir, r->ops[i]) == OP_SMEM_LOAD &&
            is_operand_alone(r->ir, mlirOperationGetResult(r->ops[i], 0))) {
            MlirValue buffer = buffer_of(r->ir, slot_user_slot(r->ops[i]));
            if (!mlirValueIsNull(buffer)) {
                map_put(&r->buffers, buffer.ptr, (void *)buffer.ptr);
            }
        }
    }
}

// Only products read, and stores from registers fill.
static bool passes_rounded(struct ir *ir, MlirOperation op) {
    enum op_kind kind = op_kind(ir, op);
    return kind == OP_SMEM_SLOT || kind == OP_SMEM_TRANS || kind == OP_SMEM_STORE ||
           (kind == OP_SMEM_LOAD && is_operand_alone(ir, mlirOperationGetResult(op, 0)));
}

// Forgets buffers with other uses; all of them if an op's buffer is unknown.
static void drop_buffers(struct rounding *r) {
    for (size_t i = 0; i < r->count; i++) {
        for (intptr_t n = 0; n < mlirOperationGetNumOperands(r->ops[i]); n++) {
            MlirValue operand = mlirOperationGetOperand(r->ops[i], n);
            if (!type_is_shared(r->ir, mlirValueGetType(operand))) {
                continue;
            }
            MlirValue buffer = buffer_of(r->ir, operand);
            if (mlirValueIsNull(buffer)) {
                map_clear(&r->buffers);
                return;
            }
            if (!passes_rounded(r->ir, r->ops[i])) {
                map_put(&r->buffers, buffer.ptr, NULL);
            }
        }
    }
}

static MlirValue rounded(struct ir *ir, MlirOperation before, MlirValue value) {
    struct builder b = builder_before(ir, before);
    b.location = mlirOperationGetLocation(before);
    return VALUE(&b, OP_ROUND_TF32, OPERANDS(value), RESULTS(mlirValueGetType(value)), NO_ATTRS);
}

static void note_rounded(struct ir *ir, MlirValue tile) {
    for (MlirOpOperand use = mlirValueGetFirstUse(tile); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation dot = mlirOpOperandGetOwner(use);
        int64_t sides = op_int(dot, ATTR_ROUNDED) | 1 << mlirOpOperandGetOperandNumber(use);
        op_set_int(ir, dot, ATTR_ROUNDED, (int32_t)sides);
    }
}

// True for a conversion with more elements a thread behind it.
static bool spreads_operand(struct ir *ir, MlirOperation op) {
    if (op_kind(ir, op) != OP_CONVERT_LAYOUT || !is_operand_alone(ir, mlirOperationGetResult(op, 0))) {
        return false;
    }
    return layout_registers(type_layout(ir, mlirValueGetType(unary_source(op)))) <
           layout_registers(type_layout(ir, mlirValueGetType(mlirOperationGetResult(op, 0))));
}

static void round_tiles(struct rounding *r) {
    for (size_t i = 0; i < r->count; i++) {
        enum op_kind kind = op_kind(r->ir, r->ops[i]);
        bool uses_slot = kind == OP_SMEM_STORE || kind == OP_SMEM_LOAD;
        MlirValue buffer = uses_slot ? buffer_of(r->ir, slot_user_slot(r->ops[i])) : (MlirValue){NULL};
        bool found = !mlirValueIsNull(buffer) && map_get(&r->buffers, buffer.ptr);
        if (kind == OP_SMEM_STORE && found) {
            set_smem_store_tile(r->ops[i], rounded(r->ir, r->ops[i], smem_store_tile(r->ops[i])));
        } else if (kind == OP_SMEM_LOAD && found) {
            note_rounded(r->ir, mlirOperationGetResult(r->ops[i], 0));
        } else if (spreads_operand(r->ir, r->ops[i])) {
            set_unary_source(r->ops[i], rounded(r->ir, r->ops[i], unary_source(r->ops[i])));
            note_rounded(r->ir, mlirOperationGetResult(r->ops[i], 0));
        }
    }
}

void pass_rounded_slots(struct pass_context *context, MlirModule module) {
    struct rounding r = {.ir = context->ir};
    r.ops = ops_collect(r.ir, context->arena, mlirModuleGetOperation(module), &r.count);
    add_buffers(&r);
    drop_buffers(&r);
    round_tiles(&r);
    map_free(&r.buffers);
}
