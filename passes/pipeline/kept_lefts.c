// kept_lefts: left operands that stay the same in a loop of products go to tensor memory, once.
//
//   tk.mbarrier_wait %full                          tk.mbarrier_wait %full
//                                                   %q = tk.smem_load %slot
//                                                   tk.tensor_store %m, %q {column = 320}
//                                                   tk.barrier
//   scf.for … {                                     scf.for … {
//     tk.tensor_dot %slot, %k, %m, %bar      →        tk.tensor_dot %m, %k, %m, %bar {left_column = 320, left_rows = 128}
//     …                                               …
//   tk.mbarrier_arrive %empty                       tk.mbarrier_arrive %empty {together}
//
// Reason: a product of 128 x 128 reads as many bytes of its left operand from shared memory as of its right one, and the two keep
// shared memory as busy as the unit that multiplies. The copies of the next operands come on top. The queries of attention are the
// left operand of every other product; in tensor memory they leave room for these copies.
//
// Done where warps of several roles share the work and a block has its multiprocessor, with all columns, for itself.
//
// requires: pairs
// provides: nothing; keeps everything
// test:     tests/golden/passes/kept_lefts
#include "chip/tcgen05.h"
#include "ir/build.h"
#include "passes/pass.h"
#include "passes/pipeline/slots_read.h"

enum { MOST = 8 };

struct kept {
    MlirValue slot;
    MlirOperation ahead; // the op of the slot's block that holds the first product
    unsigned columns;
};

struct kept_lefts {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation function;
    MlirOperation alloc, free; // null: none met
    MlirOperation *ops;
    size_t count;
    struct kept kept[MOST];
    unsigned kept_count, taken; // columns
};

// The mbarriers behind an address: an addition to a mbarrier_alloc; null: another value.
static MlirOperation barriers_of(struct ir *ir, MlirValue address) {
    MlirOperation op = value_op(address), none = {NULL};
    if (!mlirOperationIsNull(op) && op_kind(ir, op) == OP_ADDI) {
        MlirOperation left = value_op(binary_left(op)), right = value_op(binary_right(op));
        op = !mlirOperationIsNull(left) && op_kind(ir, left) == OP_MBARRIER_ALLOC ? left : right;
    }
    return !mlirOperationIsNull(op) && op_kind(ir, op) == OP_MBARRIER_ALLOC ? op : none;
}

// The mbarriers that copies into the slot's buffer count at; null: they differ, or there is no copy.
static MlirOperation barriers_of_copies(struct kept_lefts *k, MlirOperation slot) {
    MlirOperation found = {NULL};
    for (size_t i = 0; i < k->count; i++) {
        MlirOperation to =
            op_kind(k->ir, k->ops[i]) == OP_BULK_LOAD ? value_op(bulk_load_slot(k->ops[i])) : found;
        if (op_kind(k->ir, k->ops[i]) != OP_BULK_LOAD || op_kind(k->ir, to) != OP_SMEM_SLOT ||
            !value_is(smem_slot_buffer(to), smem_slot_buffer(slot))) {
            continue;
        }
        MlirOperation at = barriers_of(k->ir, bulk_load_barrier(k->ops[i]));
        if (mlirOperationIsNull(at) || (!mlirOperationIsNull(found) && !mlirOperationEqual(at, found))) {
            return (MlirOperation){NULL};
        }
        found = at;
    }
    return found;
}

// True if the slot's copy has been waited for between the slot's op and the other one.
static bool is_filled(struct kept_lefts *k, MlirOperation slot, MlirOperation ahead) {
    MlirOperation copies = barriers_of_copies(k, slot);
    for (MlirOperation op = slot;
         !mlirOperationIsNull(copies) && !mlirOperationIsNull(op) && !mlirOperationEqual(op, ahead);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(k->ir, op) == OP_MBARRIER_WAIT &&
            mlirOperationEqual(barriers_of(k->ir, mbarrier_wait_barrier(op)), copies)) {
            return true;
        }
    }
    return false;
}

// The rows and columns of a move, as columns of tensor memory.
static unsigned columns_of(int64_t rows, int64_t bits) {
    return (unsigned)(rows / TENSOR_ROWS * bits / 32);
}

static unsigned columns_of_tile(MlirType tile) {
    return columns_of(type_extent(tile, 0), type_extent(tile, 1) * type_bits(type_element(tile)));
}

// A left operand in a slot of whole rows, filled outside of a loop around its product.
static bool stays(struct kept_lefts *k, MlirOperation dot, struct kept *kept) {
    MlirValue a = tensor_dot_a(dot);
    MlirOperation slot = value_op(a);
    MlirStringRef name = op_string(dot, ATTR_INSTRUCTION);
    if (op_int(dot, ATTR_LEFT_ROWS) || mlirOperationIsNull(slot) || op_kind(k->ir, slot) != OP_SMEM_SLOT ||
        mma_type_bits(mma_find(name.data, name.length)->a) != TENSOR_LEFT_BITS ||
        type_extent(mlirValueGetType(a), 1) < TENSOR_LEFT_DEPTH) {
        return false;
    }
    *kept =
        (struct kept){a, op_in_block(dot, mlirOperationGetBlock(slot)), columns_of_tile(mlirValueGetType(a))};
    return !mlirOperationIsNull(kept->ahead) && is_filled(k, slot, kept->ahead);
}

static bool loops_between(struct ir *ir, MlirOperation dot, MlirOperation ahead) {
    MlirOperation op = dot;
    for (; !mlirOperationEqual(op, ahead); op = mlirOperationGetParentOperation(op)) {
        if (op_kind(ir, mlirOperationGetParentOperation(op)) == OP_FOR) {
            return true;
        }
    }
    return false;
}

static bool is_known(const struct kept_lefts *k, MlirValue slot) {
    for (unsigned i = 0; i < k->kept_count; i++) {
        if (value_is(k->kept[i].slot, slot)) {
            return true;
        }
    }
    return false;
}

// The first product of a slot, in the order of the program, says where it is stored; one in a loop, whether.
static void find(struct kept_lefts *k) {
    for (size_t i = 0; i < k->count; i++) {
        struct kept first, kept;
        if (op_kind(k->ir, k->ops[i]) != OP_TENSOR_DOT || !stays(k, k->ops[i], &first) ||
            is_known(k, first.slot) || k->kept_count == MOST) {
            continue;
        }
        bool repeated = false;
        for (size_t j = i; j < k->count && !repeated; j++) {
            repeated = op_kind(k->ir, k->ops[j]) == OP_TENSOR_DOT && stays(k, k->ops[j], &kept) &&
                       value_is(kept.slot, first.slot) && loops_between(k->ir, k->ops[j], kept.ahead);
        }
        if (repeated) {
            k->kept[k->kept_count++] = first;
        }
    }
}

// The end of the columns that an op writes or reads; sums of a pair's product have as many columns as a slot of B in both blocks.
static unsigned end_of(struct ir *ir, MlirOperation op) {
    unsigned column = (unsigned)op_int(op, ATTR_COLUMN);
    switch (op_kind(ir, op)) {
    case OP_TENSOR_LOAD:
        return column + columns_of_tile(mlirValueGetType(mlirOperationGetResult(op, 0)));
    case OP_TENSOR_STORE:
        return column + columns_of_tile(mlirValueGetType(tensor_store_tile(op)));
    case OP_TENSOR_RESCALE:
        return column + columns_of_tile(mlirValueGetType(tensor_rescale_factor(op)));
    default:
        return 0;
    }
}

// Takes up the ops of tensor memory. False: the function has none, or scales, whose columns are not counted here.
static bool survey(struct kept_lefts *k) {
    for (size_t i = 0; i < k->count; i++) {
        MlirOperation op = k->ops[i];
        enum op_kind kind = op_kind(k->ir, op);
        unsigned end = end_of(k->ir, op);
        k->alloc = kind == OP_TENSOR_ALLOC ? op : k->alloc;
        k->free = kind == OP_TENSOR_FREE ? op : k->free;
        k->taken = end > k->taken ? end : k->taken;
        if (kind == OP_TENSOR_DOT && !mlirValueIsNull(tensor_dot_a_scale(op))) {
            return false;
        }
    }
    return !mlirOperationIsNull(k->alloc) && !mlirOperationIsNull(k->free) &&
           op_kind(k->ir, mlirOperationGetParentOperation(k->alloc)) == OP_SPECIALISE;
}

// The slot's tile as the unit's results lie, whose moves these are.
static MlirType moved_type(struct kept_lefts *k, const struct mma *mma, MlirType slot) {
    int64_t shape[] = {type_extent(slot, 0), type_extent(slot, 1)};
    unsigned warps_m, warps_n;
    mma_warps_of_groups(mma, (unsigned)op_int(k->function, ATTR_NUM_WARPS), shape[0], &warps_m, &warps_n);
    struct layout layout = mma_layout(mma, MMA_C, 2, shape, warps_m, warps_n);
    MlirType plain = tensor_type(2, shape, type_element(slot), (MlirAttribute){NULL});
    return type_with_layout(k->ir, plain, &layout);
}

static void read_from(struct kept_lefts *k, MlirOperation dot, unsigned column) {
    MlirType slot = mlirValueGetType(tensor_dot_a(dot));
    op_set_int(k->ir, dot, ATTR_LEFT_COLUMN, (int)column);
    op_set_int(k->ir, dot, ATTR_LEFT_ROWS, (int)type_extent(slot, 0));
    set_tensor_dot_a(dot, mlirOperationGetResult(k->alloc, 0));
}

static void keep(struct kept_lefts *k, const struct kept *kept) {
    struct builder b = builder_before(k->ir, kept->ahead);
    MlirValue memory = mlirOperationGetResult(k->alloc, 0);
    bool stored = false;
    for (size_t i = 0; i < k->count; i++) {
        MlirOperation dot = k->ops[i];
        if (op_kind(k->ir, dot) != OP_TENSOR_DOT || !value_is(tensor_dot_a(dot), kept->slot)) {
            continue;
        }
        if (!stored) {
            MlirStringRef name = op_string(dot, ATTR_INSTRUCTION);
            MlirType type = moved_type(k, mma_find(name.data, name.length), mlirValueGetType(kept->slot));
            MlirValue tile = VALUE(&b, OP_SMEM_LOAD, OPERANDS(kept->slot), RESULTS(type), NO_ATTRS);
            OP(&b, OP_TENSOR_STORE, OPERANDS(memory, tile), NO_RESULTS,
               ATTRS(attr_i32(&b, ATTR_COLUMN, (int32_t)k->taken)));
            OP(&b, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
            slots_free_together(k->ir, kept->ahead);
            stored = true;
        }
        read_from(k, dot, k->taken);
    }
    k->taken += kept->columns;
}

static void rewrite_function(struct pass_context *context, MlirOperation function) {
    struct kept_lefts k = {.context = context, .ir = context->ir, .function = function};
    k.ops = ops_collect(k.ir, context->arena, function, &k.count);
    bool alone = op_int(function, ATTR_PERSISTENT) == 1; // on its multiprocessor
    if (!alone || !survey(&k)) {
        return;
    }
    find(&k);
    for (unsigned i = 0; i < k.kept_count; i++) {
        if (k.taken + k.kept[i].columns <= TENSOR_COLUMNS) {
            keep(&k, &k.kept[i]);
        }
    }
    unsigned columns = TENSOR_LEAST_COLUMNS;
    while (columns < k.taken) {
        columns *= 2;
    }
    op_set_int(k.ir, k.alloc, ATTR_COLUMNS, (int)columns);
    op_set_int(k.ir, k.free, ATTR_COLUMNS, (int)columns);
}

void pass_kept_lefts(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (target_has(context->target, FEATURE(TCGEN05))) {
            rewrite_function(context, op);
        }
    }
}
