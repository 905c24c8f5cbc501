// Takes the stores marked by beside.c: a tile's results are computed from its sums beside the next tile's products
// (late_epilogues.c).
//
// A block has a multiprocessor to itself then, and its slots are filled by a warp of their own. The sums take the room of a slot: three are
// enough for the copies of such large products. Other marks are taken away, with the reason.
#include "passes/specialise/specialise.h"

#include "chip/registers.h"
#include "passes/facts/apart.h"
#include "passes/facts/epilogue.h"

// The products of one loop of the tile, with parked sums.
static bool is_plain(const struct specialise *s, size_t products) {
    const struct stage_loop *stage = &s->loops[0];
    MlirOperation around = mlirBlockGetParentOperation(s->home);
    return s->loop_count == 1 && s->dots == products && s->kept_count == 0 && s->wait_count == 0 &&
           s->slices == 1 && s->blocks == 1 && stage->in_flight && mlirOperationIsNull(stage->chained) &&
           stage->late_count == 0 && op_kind(s->ir, s->stores[0].access) == OP_STORE &&
           in_block(s->stores[0].access, s->home) && in_block(stage->loop, s->home) &&
           (mlirOperationEqual(around, s->function) || op_kind(s->ir, around) == OP_FOR);
}

// True if there is room for so many bytes of the sums, without too few slots.
static bool takes_room(struct specialise *s, unsigned bytes, int least, int wanted) {
    s->stores[0].bytes = bytes;
    s->slots = slots_that_fit(s, wanted);
    return s->slots >= least && s->blocks == 1;
}

// Loads of a piece pass the stores of others. If both have the same offsets one tensor may be both: a thread loads each element ahead of
// its store; and all else in one tensor is other programs', in no order. Offsets may be the same for some launches
// alone: those with two strides of one number.
static void assume_apart(struct specialise *s, MlirOperation store, const MlirOperation *ops, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct equal_arguments equal;
        if (op_kind(s->ir, ops[i]) != OP_LOAD ||
            (pointers_may_meet_if(s->ir, load_pointer(ops[i]), store_pointer(store), &equal) &&
             equal.count == 0)) {
            continue;
        }
        load_assumes_apart_unless(s->context, s->function, ops[i], store, &equal);
    }
}

// Takes the mark away, for the reason declined last.
static void unmark(struct specialise *s, MlirOperation store) {
    op_remove_attribute(store, ATTR_BESIDE);
    reason_keep(s->context, store, ATTR_EPILOGUE);
}

void find_epilogue(struct specialise *s, int wanted) {
    struct copy *store = &s->stores[0];
    struct epilogue epilogue;
    if (s->store_count != 1 || !op_has(store->access, ATTR_BESIDE) ||
        !epilogue_read(s->ir, store->access, &epilogue) || !is_plain(s, epilogue.parked_count) ||
        !mlirOperationEqual(value_op(epilogue.sums[0]), s->loops[0].loop) ||
        !epilogue_pieces(s->ir, mlirValueGetType(epilogue.parked[0]), s->num_warps, &s->piece)) {
        return;
    }
    unsigned bytes = store->bytes;
    int slots = s->slots, least = slots < EPILOGUE_LEAST_SLOTS ? slots : EPILOGUE_LEAST_SLOTS;
    residuals_find(s, &epilogue, false);
    unsigned parked = epilogue.bytes * (unsigned)epilogue.parked_count;
    store->beside = takes_room(s, parked, least, wanted);
    if (store->beside) {
        assume_apart(s, store->access, epilogue.ops, epilogue.op_count);
        assume_apart(s, store->access, epilogue.factor_loads, epilogue.factor_load_count);
        remark(s->context, REMARK_EPILOGUE, store->access,
               "what it stores is computed beside the next tile's products: %u KiB of shared memory hold the "
               "sums",
               parked / 1024);
    } else {
        decline_numbers(s->context, s->loops[0].loop, REASON_LATE_ROOM, parked, s->slots);
        unmark(s, store->access);
        store->bytes = bytes;
        s->residual_count = 0;
        s->slots = slots_that_fit(s, wanted);
    }
}

void forget_epilogues(struct specialise *s, bool specialised) {
    size_t count;
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    for (size_t i = 0; i < count; i++) {
        bool taken = specialised && s->store_count == 1 && s->stores[0].beside &&
                     mlirOperationEqual(ops[i], s->stores[0].access);
        if (op_kind(s->ir, ops[i]) == OP_STORE && op_has(ops[i], ATTR_BESIDE) && !taken) {
            struct declined declined = s->context->declined;
            decline(s->context, (MlirOperation){NULL}, REASON_LATE_LOOP);
            unmark(s, ops[i]);
            s->context->declined = declined;
        }
    }
}
