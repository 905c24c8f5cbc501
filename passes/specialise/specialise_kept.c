// Operands constant for a tile (attention's queries), and vectors loaded once a tile: the producer copies
// them before the tile's first slot, while the consumers still work on the tile before.
//
//   %q = tk.load …                                  producer: mbarrier_wait %kept_empty · bulk_load %kept …
//   %s = tk.convert_layout %q : → #shared      →    consumers: mbarrier_wait %kept_full
//   scf.for … { tk.dot %s, slot … }                            scf.for … { tk.dot %kept, slot … }
//                                                              mbarrier_arrive %kept_empty
//
// With two buffers for each, the copies for the next tile start once the tile before this one is done; with
// one buffer, once this tile is done: while its results are stored.
//
// Vectors loaded behind the loops and added to the results (biases) are copied in the same way. Threads read the numbers of a
// vector one by one, directly ahead of their use: registers are full of sums there.
//
// Tiles added to the results (residuals) come to one buffer of their own, or two, behind the copies of the tile's last step: the
// producer does not wait until the consumers, behind the products of the tile before, have read the buffer. In registers, 4 bytes a load,
// such a tile would take half as many as the sums, and its loads would stand ahead of a tile's first product. (H200, bias, GELU and residual of
// f32 sums, 128 x 256: 0.97 of the product's speed at 8192 x 8192 x 8192, before 0.955; 0.89 to 1.01 of the time at six other sizes.)
#include "passes/specialise/specialise.h"

#include "ir/build.h"
#include "passes/shared/shared_ranges.h"

struct place kept_next(struct specialise *s, struct builder *b, struct place at) {
    MlirValue turned = build_binary(b, OP_XORI, at.parity, const_i32(b, 1));
    if (s->kept_slots == 1) {
        return (struct place){at.slot, turned};
    }
    MlirValue wraps = build_compare(b, INT_NE, at.slot, const_i32(b, 0));
    return (struct place){build_binary(b, OP_XORI, at.slot, const_i32(b, 1)),
                          build_select(b, wraps, turned, at.parity)};
}

static size_t count_kept(const struct specialise *s, bool at_end) {
    size_t count = 0;
    for (size_t i = 0; i < s->kept_count; i++) {
        count += s->kept[i].at_end == at_end;
    }
    return count;
}

// The place in the buffers of a tile's last copies. Of one buffer: of two slots in turn the number is the parity of one.
static struct place end_place(const struct specialise *s, struct builder *b, struct place at) {
    if (s->end_slots == 2) {
        return at;
    }
    return (struct place){const_i32(b, 0), s->kept_slots == 1 ? at.parity : at.slot};
}

void kept_allocate(struct specialise *s, struct builder *b) {
    int32_t slots = s->kept_slots, end_slots = s->end_slots;
    for (size_t i = 0; i < s->kept_count; i++) {
        s->kept[i].buffer = VALUE(b, OP_SMEM_ALLOC, NO_OPERANDS, RESULTS(s->kept[i].type),
                                  ATTRS(attr_i32(b, ATTR_STAGES, s->kept[i].at_end ? end_slots : slots)));
    }
    int arrivals = 1 + (gathers(&s->loops[0]) ? SPECIALISE_PRODUCER_WARPS : 0);
    if (count_kept(s, true) > 0) {
        s->end_full = VALUE(b, OP_MBARRIER_ALLOC, NO_OPERANDS, RESULTS(type_i32(s->ir)),
                            ATTRS(attr_i32(b, ATTR_COUNT, end_slots), attr_i32(b, ATTR_ARRIVALS, arrivals)));
        s->end_empty = VALUE(
            b, OP_MBARRIER_ALLOC, NO_OPERANDS, RESULTS(type_i32(s->ir)),
            ATTRS(attr_i32(b, ATTR_COUNT, end_slots), attr_i32(b, ATTR_ARRIVALS, (int32_t)s->num_warps)));
    }
    if (count_kept(s, false) > 0) {
        s->kept_full = VALUE(b, OP_MBARRIER_ALLOC, NO_OPERANDS, RESULTS(type_i32(s->ir)),
                             ATTRS(attr_i32(b, ATTR_COUNT, slots), attr_i32(b, ATTR_ARRIVALS, arrivals)));
        s->kept_empty =
            VALUE(b, OP_MBARRIER_ALLOC, NO_OPERANDS, RESULTS(type_i32(s->ir)),
                  ATTRS(attr_i32(b, ATTR_COUNT, slots), attr_i32(b, ATTR_ARRIVALS, (int32_t)s->num_warps)));
    }
}

// Brings those of one kind once their buffer is free.
static void bring(struct specialise *s, struct builder *b, struct map *map, struct place at, bool at_end) {
    unsigned bytes = 0;
    if (count_kept(s, at_end) == 0) {
        return;
    }
    for (size_t i = 0; i < s->kept_count; i++) {
        bytes += s->kept[i].at_end == at_end ? s->kept[i].bytes : 0;
    }
    struct place round_before = {at.slot, build_binary(b, OP_XORI, at.parity, const_i32(b, 1))};
    slot_wait(b, at_end ? s->end_empty : s->kept_empty, round_before);
    MlirValue barriers = at_end ? s->end_full : s->kept_full;
    MlirValue full = slot_barrier(b, barriers, at.slot);
    // A tile without a step holds no copying warp back: one could miss two releases of a slot, and wait for ever.
    if (gathers(&s->loops[0])) {
        slot_fill_together(b, barriers, at.slot, const_int(b, type_i1(s->ir), 1));
    }
    OP(b, OP_MBARRIER_EXPECT, OPERANDS(full), NO_RESULTS, ATTRS(attr_i32(b, ATTR_BYTES, (int32_t)bytes)));
    MlirLocation loop = b->location;
    for (size_t i = 0; i < s->kept_count; i++) {
        if (s->kept[i].at_end == at_end) {
            b->location = mlirOperationGetLocation(s->kept[i].access);
            specialise_bring(b, &s->kept[i], slot_view(b, &s->kept[i], at.slot), full, map);
        }
    }
    b->location = loop;
}

void kept_bring(struct specialise *s, struct builder *b, struct map *map, struct place at) {
    bring(s, b, map, at, false);
}

void kept_bring_end(struct specialise *s, struct builder *b, struct map *map, struct place at) {
    if (count_kept(s, true) > 0) {
        bring(s, b, map, end_place(s, b, at), true);
    }
}

static MlirOperation last_loop(const struct specialise *s) {
    return op_in_block(s->loops[s->loop_count - 1].loop, s->home); // the loop, or the spine op around it
}

static bool stands_behind(const struct specialise *s, MlirOperation op) {
    return op_is_before(last_loop(s), op_in_block(op, s->home));
}

// The consumers' first op with a kept operand: a vector's reader, maybe in a branch, or the first loop.
static MlirOperation first_needed(const struct specialise *s) {
    MlirOperation first = {NULL};
    for (size_t i = 0; i < s->kept_count; i++) {
        const struct copy *copy = &s->kept[i];
        if (copy->at_end) {
            continue;
        }
        MlirOperation loop = op_in_block(s->loops[0].loop, s->home), needs = loop;
        if (copy->in_threads) {
            needs = op_in_block(value_end(s, copy), s->home);
            needs = stands_behind(s, copy->access) || op_is_before(needs, loop) ? needs : loop;
        }
        first = mlirOperationIsNull(first) || op_is_before(needs, first) ? needs : first;
    }
    return first;
}

bool kept_is_tile(MlirOperation load) {
    return type_rank(mlirValueGetType(mlirOperationGetResult(load, 0))) == 2;
}

MlirOperation kept_behind(const struct specialise *s, MlirOperation op) {
    op = mlirOperationGetNextInBlock(mlirOperationIsNull(op) ? last_loop(s) : op);
    for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
        bool loads = op_kind(s->ir, op) == OP_LOAD && !load_is_volatile(op);
        bool tensor = loads && type_is_tensor(mlirValueGetType(mlirOperationGetResult(op, 0)));
        if (tensor && (kept_is_tile(op) ? epilogue_fetches(op) : is_spread(s, op))) {
            return op;
        }
        if (!loads && !(op_traits(op_kind(s->ir, op)) & PURE)) {
            break;
        }
    }
    return (MlirOperation){NULL};
}

// The place to read a vector: before its user, but, if it is loaded ahead of the loops, not later than directly after them, because the
// slot is released there.
static struct builder place_of_read(struct specialise *s, const struct copy *vector) {
    MlirOperation wanted = value_end(s, vector);
    bool early = stands_behind(s, wanted) && !stands_behind(s, vector->access);
    return early ? builder_after(s->ir, last_loop(s)) : builder_before(s->ir, wanted);
}

void kept_read(struct specialise *s, struct place at) {
    struct builder b;
    if (count_kept(s, false) > 0) {
        b = builder_before(s->ir, first_needed(s));
        slot_wait(&b, s->kept_full, at);
    }
    for (size_t i = 0; i < s->kept_count; i++) {
        b = builder_before(s->ir, s->kept[i].access);
        struct place own = s->kept[i].at_end ? end_place(s, &b, at) : at;
        MlirValue place = slot_view(&b, &s->kept[i], own.slot);
        s->kept_late |= !s->kept[i].at_end && stands_behind(s, s->kept[i].access);
        if (s->kept[i].at_end) {
            slot_wait(&b, s->end_full, own);
        }
        if (s->kept[i].in_threads) {
            struct builder here = place_of_read(s, &s->kept[i]);
            value_read(s, &here, &s->kept[i], place);
        }
        specialise_read(&s->kept[i], place);
    }
}

static bool reads_kept(struct specialise *s, MlirOperation op, bool at_end) {
    bool kept = false;
    if (op_kind(s->ir, op) == OP_SMEM_LOAD) {
        MlirOperation buffer = shared_buffer(s->ir, smem_load_slot(op));
        for (size_t i = 0; i < s->kept_count && !kept; i++) {
            kept = s->kept[i].at_end == at_end && mlirOperationEqual(buffer, value_op(s->kept[i].buffer));
        }
    }
    return kept;
}

// The consumers' last reader of one of a kind.
static MlirOperation last_read(struct specialise *s, bool at_end) {
    MlirOperation last = last_loop(s);
    for (MlirOperation op = last; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
        last = reads_kept(s, op, at_end) ? op : last;
    }
    return last;
}

// True for the store of a tile's results by tensor copies, whose fence (fence.proxy.async) is behind the use of all numbers of the tile.
static bool is_fenced_store(const struct specialise *s, MlirOperation op) {
    return op_kind(s->ir, op) == OP_BULK_STORE && s->store_count == 1 && !op_has(op, ATTR_SHARES) &&
           target_has(s->context->target, FEATURE(WGMMA));
}

// The place to give a slot back, behind the use of the numbers read. A fence ahead of the arrival there waits for nothing; directly behind the
// read it would hold up all arithmetic, whose numbers then need registers at one time (H200, bias, GELU and residual of 128 x 256: 0.44 to 0.95 of
// the speed). Behind a store with a fence of its own there is none.
static struct builder place_of_release(struct specialise *s, MlirOperation read, bool *fenced) {
    MlirOperation last = read;
    for (MlirOperation op = mlirOperationGetNextInBlock(read); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        enum op_kind kind = op_kind(s->ir, op);
        *fenced = is_fenced_store(s, op);
        if (*fenced || (op_traits(kind) & PURE)) {
            last = op;
        }
        if (*fenced || !((op_traits(kind) & PURE) || kind == OP_SMEM_LOAD || kind == OP_MBARRIER_WAIT)) {
            break;
        }
    }
    return builder_after(s->ir, last);
}

static void release(struct specialise *s, MlirOperation read, MlirValue barriers, MlirValue slot) {
    bool fenced = false;
    struct builder b = place_of_release(s, read, &fenced);
    MlirValue number = mlirValueIsNull(slot) ? const_i32(&b, 0) : slot;
    MlirValue always = const_int(&b, type_i1(s->ir), 1);
    (fenced ? slot_free_behind_fence : slot_free_together)(&b, barriers, number, always);
}

void kept_release(struct specialise *s, struct place at) {
    if (count_kept(s, true) > 0) {
        release(s, last_read(s, true), s->end_empty, s->end_slots == 2 ? at.slot : (MlirValue){NULL});
    }
    if (count_kept(s, false) == 0) {
        return;
    }
    MlirOperation last = last_read(s, false);
    if (s->kept_late) {
        release(s, last, s->kept_empty, at.slot);
        return;
    }
    struct builder b = builder_after(s->ir, last);
    MlirValue always = const_int(&b, type_i1(s->ir), 1);
    if (brings_values(s->kept, s->kept_count)) {
        slot_free_together(&b, s->kept_empty, at.slot, always);
    } else {
        slot_free(&b, s->kept_empty, at.slot, always);
    }
}
