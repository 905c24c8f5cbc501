// Finds room in shared memory for the slots, for roles.c: conversions around the loops in pieces, stores through one buffer or by threads.
#include "passes/specialise/specialise.h"

#include <limits.h>

#include "chip/scratch.h"
#include "ir/build.h"

static bool stage_around(struct specialise *s, MlirOperation op) {
    for (op = mlirOperationGetParentOperation(op); !mlirOperationEqual(op, s->function);
         op = mlirOperationGetParentOperation(op)) {
        if (stage_at(s, op)) {
            return true;
        }
    }
    return false;
}

bool convert_in_pieces(struct specialise *s, unsigned piece) {
    size_t count;
    bool any = false;
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    for (size_t i = 0; i < count; i++) {
        bool within = stage_around(s, ops[i]), converts = op_kind(s->ir, ops[i]) == OP_CONVERT_LAYOUT;
        if (converts) {
            op_remove_attribute(ops[i], ATTR_PIECE);
        }
        if (converts && !within &&
            !type_is_shared(s->ir, mlirValueGetType(mlirOperationGetResult(ops[i], 0))) &&
            scratch_bytes(s->ir, s->context->target, s->num_warps, ops[i]) > piece) {
            op_set_int(s->ir, ops[i], ATTR_PIECE, (int32_t)piece);
            any = true;
        }
    }
    return any;
}

static int slots_in_pieces(struct specialise *s, int wanted, unsigned piece) {
    convert_in_pieces(s, piece);
    return slots_that_fit(s, wanted);
}

void make_room(struct specialise *s, int wanted) {
    enum { LEAST_PIECE = 2048 };
    if (s->store_count == 1) {
        store_takes_one_buffer(&s->stores[0], s->ir);
    }
    s->slots = slots_in_pieces(s, wanted, LEAST_PIECE);
    if (s->slots < 2) {
        s->store_count = 0;
        s->slots = slots_that_fit(s, wanted);
    }
    unsigned piece = SPECIALISE_PIECE;
    while (piece > LEAST_PIECE && slots_in_pieces(s, wanted, piece) < s->slots) {
        piece /= 2;
    }
    s->slots = slots_in_pieces(s, wanted, piece);
}

// One warpgroup's results are one tile in shared memory for a tensor copy. Where that tile keeps a block from a multiprocessor, threads store
// the results instead, through scratch in halves: another block is worth more than the copy (H200, tiles of 64 x 64 x 64, three slots each,
// 16-bit results, us: 512 x 4096 x 4096, 512 programs, 61.7 to 46.5 with four blocks for three, by threads with three blocks 61.2; 4096 x 4096
// x 256 27.1 to 26.4; in four pieces, results of 32 bits, 8192 x 2048 x 256: 41.3 to 44.4).
void spare_store_tile(struct specialise *s, int wanted) {
    MlirOperation store = s->stores[0].access;
    bool plain = s->store_count == 1 && op_kind(s->ir, store) == OP_STORE && !spine_repeats(s, store) &&
                 type_bits(type_element(s->stores[0].type)) == 16;
    if (!plain || s->mma_sync || s->loop_count > 1 || s->dots > 1 || s->slots < wanted ||
        s->blocks >= blocks_that_pay(s)) {
        return;
    }
    unsigned blocks = s->blocks, bytes = s->stores[0].bytes;
    s->store_count = 0;
    for (unsigned piece = bytes; piece >= bytes / 2; piece /= 2) {
        s->slots = slots_in_pieces(s, wanted, piece);
        if (s->blocks > blocks && s->slots >= wanted) {
            decline_numbers(s->context, store, REASON_STORE_TILE, bytes, s->blocks);
            reason_keep(s->context, store, ATTR_TENSOR_COPY);
            return;
        }
    }
    convert_in_pieces(s, UINT_MAX);
    s->store_count = 1;
    s->slots = slots_that_fit(s, wanted);
}
