// Loads of dots' operands, copied to LDS past the registers (gfx950): by the layout of their pointers the lanes of a wave take
// the elements of 1,024 bytes of the slot in a row (chip/lds_copy.h).
//
// Masked loads of the same tile get it, too: the loops made by peel carry their pointers on from one to the next.
#include "passes/layout/layouts.h"

#include "chip/lds_copy.h"
#include "chip/scratch.h"
#include "ir/build.h"

// Adds the layout of the tile in threads for its users. False if one of them is neither a dot nor a transposition for dots.
static bool find_readers(struct layouts *l, MlirValue tile, bool transposed, struct lds_readers *readers) {
    for (MlirOpOperand use = mlirValueGetFirstUse(tile); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        enum op_kind kind = op_kind(l->ir, user);
        unsigned operand = mlirOpOperandGetOperandNumber(use);
        const struct dot_choice *choice = kind == OP_DOT ? map_get(&l->dots, user.ptr) : NULL;
        if (kind == OP_TRANS && !transposed && type_rank(mlirValueGetType(tile)) == 2) {
            if (!find_readers(l, mlirOperationGetResult(user, 0), true, readers)) {
                return false;
            }
            continue;
        }
        if (!choice || !choice->mma || operand > 1 ||
            readers->count == sizeof readers->layouts / sizeof *readers->layouts) {
            return false;
        }
        static const unsigned turned[] = {1, 0};
        const struct layout *wanted = &choice->operand[operand];
        readers->layouts[readers->count++] = transposed ? layout_trans_operand(wanted, turned) : *wanted;
    }
    return readers->count > 0;
}

// The dimension with neighbours in a lane's first registers.
static unsigned fastest_of(const struct layout *layout) {
    unsigned fastest = layout->rank - 1;
    for (unsigned d = 0; d < layout->rank; d++) {
        fastest = layout_contiguity(layout, d) > layout_contiguity(layout, fastest) ? d : fastest;
    }
    return fastest;
}

// True if reads of the tile at its copied place take no longer than a store in the plain layout and reads there.
static bool pays(struct layouts *l, const struct layout *plain, const struct layout *pointers, unsigned bytes,
                 const struct lds_readers *readers) {
    const struct target *target = l->context->target;
    struct layout slot;
    if (!lds_copy_slot(target, pointers, bytes, &slot)) {
        return false;
    }
    unsigned copied = 0, stored = 0;
    for (unsigned i = 0; i < readers->count; i++) {
        struct layout shared = scratch_operand(target, plain, &readers->layouts[i], bytes);
        copied += scratch_read_cost(target, &slot, &readers->layouts[i], bytes);
        stored += scratch_read_cost(target, &shared, &readers->layouts[i], bytes) +
                  (i ? 0 : scratch_write_cost(target, &shared, plain, bytes));
    }
    return copied <= stored;
}

// A load of a loop, for dots alone.
struct copied {
    MlirOperation load, loop;
    const struct layout *pointers; // null: it cannot be copied
};

static const struct layout *pointers_of(struct layouts *l, MlirOperation load,
                                        const struct lds_readers *readers) {
    const struct layout *plain = map_get(&l->accesses, load.ptr);
    unsigned bytes = type_bits(type_element(mlirValueGetType(mlirOperationGetResult(load, 0)))) / 8,
             fastest = fastest_of(plain);
    struct layout pointers;
    bool chosen =
        !load_is_volatile(load) && bytes > 0 && layout_contiguity(plain, fastest) * bytes == LDS_COPY_BYTES &&
        layouts_vector(l, load, plain) * bytes >= LDS_COPY_BYTES &&
        lds_copy_pointers(l->context->target, plain, fastest, l->num_warps, bytes, readers, &pointers) &&
        pays(l, plain, &pointers, bytes, readers);
    return chosen ? layouts_keep(l, &pointers) : NULL;
}

static struct copied *find_loads(struct layouts *l, size_t *count) {
    struct copied *all = ARENA_ARRAY(l->arena, struct copied, l->op_count + 1);
    *count = 0;
    for (size_t i = 0; i < l->op_count; i++) {
        MlirOperation op = l->ops[i], loop = mlirOperationGetParentOperation(op);
        struct lds_readers readers = {.count = 0};
        bool tile = op_kind(l->ir, op) == OP_LOAD && op_kind(l->ir, loop) == OP_FOR &&
                    type_is_tensor(mlirValueGetType(mlirOperationGetResult(op, 0))) &&
                    type_rank(mlirValueGetType(mlirOperationGetResult(op, 0))) > 1;
        if (tile && find_readers(l, mlirOperationGetResult(op, 0), false, &readers)) {
            all[(*count)++] = (struct copied){op, loop, pointers_of(l, op, &readers)};
        }
    }
    return all;
}

// Scales have too few bytes for copies.
static bool has_scales(struct layouts *l, MlirOperation loop) {
    for (size_t i = 0; i < l->op_count; i++) {
        bool own = mlirOperationEqual(mlirOperationGetParentOperation(l->ops[i]), loop);
        if (own && op_kind(l->ir, l->ops[i]) == OP_DOT &&
            !(mlirValueIsNull(dot_a_scale(l->ops[i])) && mlirValueIsNull(dot_b_scale(l->ops[i])))) {
            return true;
        }
    }
    return false;
}

// As plan decides: all of the loop's loads are copied, or none.
static bool copies_all(struct layouts *l, MlirOperation loop, const struct copied *all, size_t count) {
    int64_t stages = op_int_or(loop, ATTR_NUM_STAGES, op_int(l->function, ATTR_NUM_STAGES));
    bool copies = stages > 1 && !has_scales(l, loop);
    for (size_t i = 0; i < count && copies; i++) {
        bool own = mlirOperationEqual(all[i].loop, loop);
        copies = !own || (all[i].pointers && mlirValueIsNull(access_mask(l->ir, all[i].load)));
    }
    return copies;
}

// The pointers at which the load's loop begins, or the one ahead of it that peel has made of it.
static MlirValue first_pointers(struct layouts *l, MlirOperation load) {
    MlirValue tile = load_pointer(load);
    while (true) {
        MlirOperation op = value_op(tile), around = {NULL};
        intptr_t number = 0;
        if (mlirOperationIsNull(op)) {
            around = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(tile));
            number = mlirBlockArgumentGetArgNumber(tile) - 1;
        } else if (op_kind(l->ir, op) == OP_FOR) {
            around = op;
            number = mlirOpResultGetResultNumber(tile);
        } else if (op_kind(l->ir, op) == OP_ADDPTR && !mlirOperationIsNull(value_op(addptr_offset(op))) &&
                   op_kind(l->ir, value_op(addptr_offset(op))) == OP_SPLAT) {
            tile = addptr_pointer(op);
            continue;
        }
        if (mlirOperationIsNull(around) || op_kind(l->ir, around) != OP_FOR) {
            return tile;
        }
        tile = for_init(around, number);
    }
}

// The same load of another loop, made by peel of one with masks.
static void choose_like(struct layouts *l, const struct copied *copied, const struct copied *all,
                        size_t count) {
    MlirValue first = first_pointers(l, copied->load);
    for (size_t i = 0; i < count; i++) {
        if (all[i].pointers && value_is(first_pointers(l, all[i].load), first) &&
            layout_same_shape(all[i].pointers, copied->pointers)) {
            map_put(&l->accesses, all[i].load.ptr, (void *)copied->pointers);
        }
    }
}

void layouts_choose_copies(struct layouts *l) {
    if (!target_has(l->context->target, FEATURE(LDS_COPY))) {
        return;
    }
    size_t count;
    const struct copied *all = find_loads(l, &count);
    for (size_t i = 0; i < count; i++) {
        if (copies_all(l, all[i].loop, all, count)) {
            choose_like(l, &all[i], all, count);
        }
    }
}
