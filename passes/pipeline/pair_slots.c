// The slots of a right operand for pairs of blocks (pairs.c). A product reads a slot as it is stored, columns along dimension 1, or a transposed view
// of it, columns along dimension 0.
//
//   slot of 64 x 256                    slot of 64 x 128
//   slot of 256 x 64, tk.smem_trans     slot of 128 x 64, tk.smem_trans
//
// The half is laid out as a tensor copy of half of the box puts it. Where columns are contiguous and half of them are less than 128
// bytes, its rows are swizzled by fewer bytes, and so is the tensor map.
#include "passes/pipeline/pair_slots.h"

#include "chip/wgmma.h"
#include "dialects/tk/tensor_map.h"
#include "ir/build.h"

enum { BLOCKS = 2 };

static MlirOperation of_kind(struct ir *ir, MlirValue value, enum op_kind kind) {
    MlirOperation op = value_op(value), none = {NULL};
    return !mlirOperationIsNull(op) && op_kind(ir, op) == kind ? op : none;
}

bool pair_is_turned(struct ir *ir, MlirValue slot) {
    return !mlirOperationIsNull(of_kind(ir, slot, OP_SMEM_TRANS));
}

MlirOperation pair_slots(struct ir *ir, MlirValue slot) {
    MlirOperation view = of_kind(ir, slot, OP_SMEM_TRANS), none = {NULL};
    slot = mlirOperationIsNull(view) ? slot : smem_trans_slot(view);
    MlirOperation op = of_kind(ir, slot, OP_SMEM_SLOT);
    return mlirOperationIsNull(op) ? none : value_op(smem_slot_buffer(op));
}

// `views`: a transposed view of the slot may be read, too.
static bool reads_alone(struct ir *ir, MlirValue slot, bool views, bool *turned, bool *plain) {
    for (MlirOpOperand use = mlirValueGetFirstUse(slot); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation op = mlirOpOperandGetOwner(use);
        if (op_kind(ir, op) == OP_BULK_LOAD && views) {
            continue;
        }
        if (op_kind(ir, op) == OP_SMEM_TRANS && views) {
            *turned = true;
            if (!reads_alone(ir, mlirOperationGetResult(op, 0), false, turned, &(bool){false})) {
                return false;
            }
            continue;
        }
        *plain = true;
        if (op_kind(ir, op) != OP_TENSOR_DOT || !value_is(tensor_dot_b(op), slot) ||
            value_is(tensor_dot_a(op), slot)) {
            return false;
        }
    }
    return true;
}

bool pair_right_alone(struct ir *ir, MlirOperation slots) {
    bool turned = false, plain = false;
    for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(slots, 0));
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
        MlirOperation slot = mlirOpOperandGetOwner(use);
        if (op_kind(ir, slot) != OP_SMEM_SLOT ||
            !reads_alone(ir, mlirOperationGetResult(slot, 0), true, &turned, &plain)) {
            return false;
        }
    }
    return !(turned && plain); // half of the columns for one is half of the rows for the other
}

bool pair_halve(struct ir *ir, struct right *right, MlirValue slot) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(right->slots, 0));
    unsigned columns = pair_is_turned(ir, slot) ? 0 : 1, bytes = type_bits(type_element(type)) / 8;
    int64_t shape[] = {type_extent(type, 0), type_extent(type, 1)};
    struct wgmma_operand before, behind;
    struct layout half;
    shape[columns] /= BLOCKS;
    if (!wgmma_operand_of(type_layout(ir, type), bytes, &before)) {
        return false;
    }
    unsigned fastest = before.rows_fastest ? 0 : 1;
    if (!wgmma_shared_layout(shape, fastest, bytes, &half) || !wgmma_operand_of(&half, bytes, &behind) ||
        behind.rows_fastest != before.rows_fastest) {
        return false;
    }
    right->columns = shape[columns];
    right->corner = columns == fastest ? 0 : 1;
    right->swizzle = behind.swizzle;
    right->inner = behind.swizzle / bytes;
    right->half =
        type_with_layout(ir, tensor_type(2, shape, type_element(type), (MlirAttribute){NULL}), &half);
    return true;
}

static void halve_views(struct ir *ir, MlirValue slot, const struct right *right) {
    static const unsigned order[LAYOUT_MAX_RANK] = {1, 0};
    struct layout turned = layout_trans(type_layout(ir, right->half), order);
    int64_t shape[] = {type_extent(right->half, 1), type_extent(right->half, 0)};
    MlirType plain = tensor_type(2, shape, type_element(right->half), (MlirAttribute){NULL});
    for (MlirOpOperand use = mlirValueGetFirstUse(slot); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation op = mlirOpOperandGetOwner(use);
        if (op_kind(ir, op) == OP_SMEM_TRANS) {
            mlirValueSetType(mlirOperationGetResult(op, 0), type_with_layout(ir, plain, &turned));
        }
    }
}

void pair_halve_slots(struct ir *ir, const struct right *right) {
    MlirValue slots = mlirOperationGetResult(right->slots, 0);
    for (MlirOpOperand use = mlirValueGetFirstUse(slots); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirValue slot = mlirOperationGetResult(mlirOpOperandGetOwner(use), 0);
        halve_views(ir, slot, right);
        mlirValueSetType(slot, right->half);
    }
    mlirValueSetType(slots, right->half);
}

// A box of columns in its rows has half as many; one of whole swizzled rows is copied half as often, if half of a row is left.
void pair_halve_box(struct ir *ir, struct arena *arena, MlirOperation copy, const struct right *right) {
    MlirValue map = bulk_load_map(copy);
    struct builder b = builder_before(ir, copy);
    tensor_map_replace(ir, arena, map, attr_i32(&b, ATTR_SWIZZLE, (int32_t)right->swizzle));
    tensor_map_set_box(ir, arena, map, (unsigned)right->corner,
                       right->corner == 0 ? (int32_t)right->inner : (int32_t)right->columns);
    op_set_int(ir, copy, ATTR_INNER, (int32_t)right->inner);
}
