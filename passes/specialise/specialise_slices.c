// Slices: groups of warps with the steps in turn of a tile, each with a sum of its own, added up behind the loop.
//
//   scf.for %k = 0 to %K step 128 {            %g = tk.slice
//     mbarrier_wait %full[slot]                scf.for %n = %g to steps step 4 {        slot, slot + 4, …
//     %d = tk.dot %x, slot, %c            →      mbarrier_wait %full[slot]
//     mbarrier_arrive %empty[slot]               %d = tk.dot %x, slot, %c               %k = %n * 128
//   }                                            mbarrier_arrive %empty[slot]
//   … tk.store                                 }
//                                              tk.slices_give %buffer, %sum
//                                              scf.if %g == 0 { tk.slices_take %buffer, %sum · … tk.store }
//
// Reason: if threads unpack an operand of few columns (a product of 16 rows with 4-bit weights), a step is a chain of
// waits: for the slot, for its words, for each part of the product. One warp a scheduler has nothing else to do meanwhile, and
// there are no more programs for it: 8,192 columns in tiles of 64 are 128 programs. Slices wait side by side.
//
// The number of slots is a multiple of the slices'. Then a tile's steps with one slot are all one slice's, and the slice sees each of the
// phases of its mbarrier. A slice without sight of the phase before could take a parity for the next one while the copy
// before the awaited one is still on its way; copies may arrive in any order. Between tiles all slices meet.
//
// A slice is a warpgroup, or one warp of a function made for that (warp_slices.c): eight warps, two to a scheduler, with two slots each. (H200,
// 16 x 16384 x 16384, tiles of 64 columns: 8 warps 46.9 us, 11 with 22 slots 46.8, 15 with 15 slots 50.5, 4 warpgroups 54.3.)
//
// The sums are added in the order of the slices, so results do not depend on time; but they are other sums than those of one
// slice, as those of a split K are (decisions/numerics.md).
#include "passes/specialise/specialise.h"

#include "chip/scratch.h"
#include "chip/wgmma.h"
#include "ir/build.h"

enum { SLICES = 4, MOST_SUMS = 32, WORD_BYTES = 4 }; // MOST_SUMS: registers of a thread

// Of slices of one warp each (warp_slices.c).
enum { WARP_SLICES = 8, MOST_SUMS_OF_WARP = 64 };

static bool is_copied(const struct stage_loop *stage, MlirOperation op) {
    for (size_t i = 0; i < stage->load_count; i++) {
        if (mlirOperationEqual(stage->loads[i].access, op)) {
            return true;
        }
    }
    return false;
}

// True if the op only converts or spreads the copied vector: the rewrite reads the slot in its place.
static bool becomes_read(const struct stage_loop *stage, MlirOperation op, struct ir *ir) {
    while (op_kind(ir, op) == OP_CONVERT_LAYOUT || op_kind(ir, op) == OP_EXPAND_DIMS) {
        MlirOperation maker = value_op(unary_source(op));
        if (mlirOperationIsNull(maker)) {
            return false;
        }
        op = maker;
    }
    return is_copied(stage, op);
}

// True if each slice can do these ops by itself: they touch no memory, and no warp needs another one for them.
static bool runs_alone(const struct specialise *s, const struct stage_loop *stage, MlirOperation op,
                       MlirOperation end) {
    for (; !mlirOperationEqual(op, end); op = mlirOperationGetNextInBlock(op)) {
        enum op_kind kind = op_kind(s->ir, op);
        if (kind == OP_DOT || kind == OP_ASSUME || becomes_read(stage, op, s->ir)) {
            continue;
        }
        if (!(op_traits(kind) & PURE) || !scratch_within_warp(s->ir, s->context->target, s->num_warps, op)) {
            return false;
        }
    }
    return true;
}

// True if the value only leads to copied loads, and to itself in the next step. `seen`: values found to, or being looked at.
static bool leads_to_copies(const struct specialise *s, const struct stage_loop *stage, MlirValue value,
                            intptr_t carried, struct map *seen) {
    if (map_has(seen, value.ptr)) {
        return true;
    }
    map_put(seen, value.ptr, (void *)value.ptr);
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        bool next = op_kind(s->ir, user) == OP_SCF_YIELD && mlirOpOperandGetOperandNumber(use) == carried;
        if (next || is_copied(stage, user)) {
            continue;
        }
        if (!(op_traits(op_kind(s->ir, user)) & PURE) || mlirOperationGetNumResults(user) != 1 ||
            !leads_to_copies(s, stage, mlirOperationGetResult(user, 0), carried, seen)) {
            return false;
        }
    }
    return true;
}

// True if the loop carries the value for addresses of copied loads alone.
static bool carries_place(const struct specialise *s, const struct stage_loop *stage, intptr_t i) {
    struct map seen = {0};
    MlirValue argument = mlirBlockGetArgument(op_body(stage->loop, 0), i + 1);
    bool place = mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(stage->loop, i))) &&
                 leads_to_copies(s, stage, argument, i, &seen);
    map_free(&seen);
    return place;
}

// True if the loop's only result is the sum of its dot, from zero on.
static bool carries_sum_alone(const struct specialise *s, const struct stage_loop *stage) {
    MlirBlock body = op_body(stage->loop, 0);
    bool sums = false;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(stage->loop); i++) {
        MlirValue argument = mlirBlockGetArgument(body, i + 1), sum = mlirOperationGetResult(stage->dot, 0);
        if (value_is(argument, dot_c(stage->dot))) {
            sums = value_is(mlirOperationGetOperand(mlirBlockGetTerminator(body), i), sum) &&
                   value_has_one_use(argument) && value_has_one_use(sum) &&
                   fills_with_zero(s->ir, mlirOperationGetOperand(stage->loop, at_for_init + i));
        } else if (!carries_place(s, stage, i)) {
            return false;
        }
    }
    return sums;
}

unsigned slices_that_pay(const struct specialise *s) {
    enum { LEAST_STEP = 16 }; // then a step's number and as many slices stay within 32 bits
    const struct stage_loop *stage = &s->loops[0];
    int64_t step;
    bool warps = op_has(s->function, ATTR_WARP_SLICES);
    unsigned most = warps ? MOST_SUMS_OF_WARP : MOST_SUMS;
    bool one = s->loop_count == 1 && s->dots == 1 && s->kept_count == 0 && in_block(stage->loop, s->body) &&
               !stage->in_flight && !gathers(stage) &&
               (warps || (s->num_warps == WGMMA_WARPS && target_has(s->context->target, FEATURE(WGMMA))));
    MlirType sums = mlirValueGetType(mlirOperationGetResult(stage->dot, 0));
    bool pays = one && !type_is_shared(s->ir, mlirValueGetType(dot_a(stage->dot))) &&
                specialise_registers(s, sums) <= most && type_bits(type_element(sums)) == 32 &&
                value_is_constant_int(s->ir, for_step(stage->loop), &step) && step >= LEAST_STEP &&
                type_bits(mlirValueGetType(for_lower(stage->loop))) == 32;
    return pays && carries_sum_alone(s, stage) &&
                   runs_alone(s, stage, mlirBlockGetFirstOperation(s->body), stage->loop) &&
                   runs_alone(s, stage, mlirBlockGetFirstOperation(op_body(stage->loop, 0)),
                              mlirBlockGetTerminator(op_body(stage->loop, 0)))
               ? warps ? WARP_SLICES : SLICES
               : 1;
}

// The number of the sum among the loop's results.
static intptr_t sum_number(const struct stage_loop *stage) {
    MlirValue sum = mlirOperationGetResult(stage->dot, 0);
    intptr_t number = 0;
    while (!value_is(mlirOperationGetOperand(mlirBlockGetTerminator(op_body(stage->loop, 0)), number), sum)) {
        number++;
    }
    return number;
}

// Bytes of one slice's sums.
static unsigned sum_bytes(const struct specialise *s) {
    MlirType sums = mlirValueGetType(mlirOperationGetResult(s->loops[0].dot, 0));
    return specialise_registers(s, sums) * s->num_warps * s->context->target->warp_size * WORD_BYTES;
}

unsigned slices_bytes(const struct specialise *s) {
    return s->slices > 1 ? (s->slices - 1) * sum_bytes(s) : 0;
}

void slices_allocate(struct specialise *s, struct builder *b) {
    if (s->slices > 1) {
        int64_t bytes = sum_bytes(s);
        struct layout plain = layout_row_major_shared(1, &bytes);
        MlirType type = tensor_type(1, &bytes, type_i8(s->ir), layout_attribute(s->ir, &plain));
        s->sums = VALUE(b, OP_SMEM_ALLOC, NO_OPERANDS, RESULTS(type),
                        ATTRS(attr_i32(b, ATTR_STAGES, (int32_t)s->slices - 1)));
    }
}

void slices_begin(struct specialise *s, struct builder *b) {
    if (s->slices > 1) {
        s->slice = VALUE(b, OP_SLICE, NO_OPERANDS, RESULTS(type_i32(s->ir)), NO_ATTRS);
    }
}

// The place so many slots further.
static struct place place_further(const struct specialise *s, struct builder *b, struct place at,
                                  MlirValue slots) {
    MlirValue all = const_i32(b, s->slots), sum = build_binary(b, OP_ADDI, at.slot, slots);
    MlirValue rounds = build_binary(b, OP_DIVUI, sum, all);
    MlirValue odd = build_binary(b, OP_ANDI, rounds, const_i32(b, 1));
    return (struct place){build_binary(b, OP_SUBI, sum, build_binary(b, OP_MULI, rounds, all)),
                          build_binary(b, OP_XORI, at.parity, odd)};
}

struct place slices_next(const struct specialise *s, struct builder *b, struct place at) {
    MlirValue next = build_binary(b, OP_ADDI, at.slot, const_i32(b, s->slices));
    MlirValue wraps = build_compare(b, INT_SGE, next, const_i32(b, s->slots));
    MlirValue round = build_binary(b, OP_SUBI, next, const_i32(b, s->slots));
    MlirValue other = build_binary(b, OP_XORI, at.parity, const_i32(b, 1));
    return (struct place){build_select(b, wraps, round, next), build_select(b, wraps, other, at.parity)};
}

// The loop's number of steps. It is below 2^28.
static MlirValue steps_of(struct builder *b, MlirOperation loop) {
    MlirValue one = const_i32(b, 1), lower = for_lower(loop), upper = for_upper(loop);
    MlirValue last = build_binary(b, OP_SUBI, build_binary(b, OP_SUBI, upper, lower), one);
    MlirValue steps = build_binary(b, OP_ADDI, build_binary(b, OP_DIVUI, last, for_step(loop)), one);
    MlirValue runs = build_compare(b, INT_SLT, lower, upper), none = const_i32(b, 0);
    return build_select(b, runs, steps, none);
}

struct place slices_loop(struct specialise *s, struct stage_loop *stage, struct place start,
                         struct place *left) {
    struct builder b = builder_before(s->ir, stage->loop);
    b.location = mlirOperationGetLocation(stage->loop);
    MlirValue lower = for_lower(stage->loop), step = for_step(stage->loop), steps = steps_of(&b, stage->loop);
    *left = place_further(s, &b, start, steps);
    struct place first = place_further(s, &b, start, s->slice);
    mlirOperationSetOperand(stage->loop, at_for_lower, s->slice);
    mlirOperationSetOperand(stage->loop, at_for_upper, steps);
    mlirOperationSetOperand(stage->loop, at_for_step, const_i32(&b, s->slices));
    MlirBlock body = op_body(stage->loop, 0);
    MlirValue number = mlirBlockGetArgument(body, 0);
    struct builder in = builder_before(s->ir, mlirBlockGetFirstOperation(body));
    in.location = b.location;
    MlirValue far = build_binary(&in, OP_MULI, step, step); // its left operand is to be the step's number
    MlirValue counter = build_binary(&in, OP_ADDI, lower, far);
    mlirValueReplaceAllUsesOfWith(number, counter);
    set_binary_left(value_op(far), number);
    return first;
}

void slices_end(struct specialise *s, const struct stage_loop *stage) {
    MlirBlock then, otherwise;
    MlirValue sum = mlirOperationGetResult(stage->loop, sum_number(stage));
    MlirOperation behind = mlirOperationGetNextInBlock(stage->loop);
    struct builder b = builder_after(s->ir, stage->loop);
    b.location = mlirOperationGetLocation(stage->loop);
    OP(&b, OP_SLICES_GIVE, OPERANDS(s->sums, sum), NO_RESULTS, NO_ATTRS);
    MlirValue is_first = build_compare(&b, INT_EQ, s->slice, const_i32(&b, 0));
    MlirOperation branch = build_if(&b, is_first, NO_RESULTS, &then, &otherwise);
    op_set_unit(s->ir, branch, ATTR_FIRST_SLICE);
    struct builder in = builder_at_end(s->ir, then, b.location);
    MlirValue total =
        VALUE(&in, OP_SLICES_TAKE, OPERANDS(s->sums, sum), RESULTS(mlirValueGetType(sum)), NO_ATTRS);
    for (MlirOperation op = behind, next; !mlirOperationIsNull(op); op = next) {
        next = mlirOperationGetNextInBlock(op);
        for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
            if (value_is(mlirOperationGetOperand(op, i), sum)) {
                mlirOperationSetOperand(op, i, total);
            }
        }
        mlirOperationRemoveFromParent(op);
        mlirBlockAppendOwnedOperation(then, op);
    }
    in = builder_at_end(s->ir, then, b.location);
    build_yield(&in, NO_OPERANDS);
    struct builder end = builder_at_end(s->ir, otherwise, b.location);
    build_yield(&end, NO_OPERANDS);
}
