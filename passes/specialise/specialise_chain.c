// The loop of two dots, the second with an operand computed from the first one's result (attention). Three
// schedules keep the matrix units busy during the exponentials (roles.c chooses):
//
// The first dot starts an iteration early. In the last iteration there is no next slot: the dot multiplies
// the current slot again, and its result has no reader. So a slot of the first dot is free one iteration
// before its own; only the last slot is freed in its own iteration.
//
//   for … {                                          %s = dot of the first slot
//     %s = dot %q, slot                              for … {
//     %w = weights of %s                               %w = weights of %s, its last use
//     %sum = dot %w, slot, scaled %sum           →     %s' = dot %q, next slot          under way beside %w
//   }                                                  %sum = dot %w, slot, scaled %sum
//                                                    }
//
// If another loop goes on at this one's last step (attention's masked steps behind those without a
// mask), the last iteration's early dot is the one of the other loop's first step, if it has one: the two loops
// start once, and multiply a slot again once.
//
// The second dot is issued at the start of the next iteration, together with the first one, beside the
// exponentials:
//
//   for %sum = init {                                %w, %part = … of the first iteration
//     %s = dot %q, slot                              for %w, %part, from the second iteration on {
//     %w, %part = weights, scaled %sum                 %s = dot %q, slot
//     %sum' = dot %w, slot, %part                →     %sum = dot %w, slot before, %part
//     yield %sum'                                      %w', %part' = weights, scaled %sum
//   }                                                  yield %w', %part'
//                                                    }
//                                                    dot of the last %w, %part
//
// Or both.
//
// A separate op scales the sum (tk.rescale): in most iterations most rows' running maximum does not grow, so
// whole warps have nothing to scale and branch around it.
//
// Dots are waited for in their starting iteration: ptxas serialises dots if other instructions read
// their accumulators in the next one (C7514).
#include "passes/specialise/specialise.h"

#include "ir/build.h"
#include "passes/pipeline/look_ahead.h"

static MlirValue started_ahead(struct specialise *s, struct builder *b, MlirOperation dot, MlirValue slot) {
    MlirOperation zero = mlirOperationClone(value_op(dot_c(dot)));
    build_insert(b, zero);
    return started(s, b, dot, dot_a(dot), slot, mlirOperationGetResult(zero, 0));
}

// The place to issue the early dot. Beside exponentials alone it goes after the last reader of this
// iteration's result: the result's registers are free then, and no move is needed. Results in tensor memory are in
// registers already.
static MlirOperation place_of_ahead(const struct specialise *s, const struct stage_loop *stage,
                                    MlirOperation start) {
    if (target_has(s->context->target, FEATURE(TCGEN05))) {
        return start;
    }
    MlirBlock body = op_body(stage->loop, 0);
    MlirOperation last = value_reader(mlirOperationGetResult(stage->chained, 0), body, READER_LAST);
    bool late = !stage->delayed && !mlirOperationIsNull(last) && op_is_before(last, stage->dot);
    return late ? mlirOperationGetNextInBlock(last) : start;
}

// The number of the loop's argument for the last dot's result, if the result has no other use and another op
// reads the argument before the dot; else 0.
static intptr_t carried_sum(const struct stage_loop *stage) {
    MlirBlock body = op_body(stage->loop, 0);
    MlirOperation yield = mlirBlockGetTerminator(body);
    MlirValue result = mlirOperationGetResult(stage->dot, 0);
    for (intptr_t i = 0; value_has_one_use(result) && i < mlirOperationGetNumOperands(yield); i++) {
        if (value_is(mlirOperationGetOperand(yield, i), result)) {
            MlirOperation first = value_reader(mlirBlockGetArgument(body, i + 1), body, READER_FIRST);
            return !mlirOperationIsNull(first) && op_is_before(first, stage->dot) ? i + 1 : 0;
        }
    }
    return 0;
}

// ---- the second dot, an iteration late ----

// `sum` and `slot` are numbers of loop arguments. The loop is inside an scf.if of its own, and its results
// are yielded there. The dot starts before the op `place`; waits for earlier dots are at `place` or later.
static void delay_dot(struct specialise *s, struct stage_loop *stage, intptr_t sum, intptr_t slot,
                      MlirOperation chained, MlirOperation place) {
    MlirValue left = dot_a(stage->dot), part = dot_c(stage->dot);
    MlirValue first_left;
    peel_first(s, stage, &stage->dot, 1, &first_left);
    loop_carry(s, stage, &first_left, 1);
    loop_yield(s, stage, &left, 1);
    MlirBlock body = op_body(stage->loop, 0);
    mlirOperationSetOperand(mlirBlockGetTerminator(body), sum - 1, part);

    struct builder b = builder_before(s->ir, place);
    b.location = mlirOperationGetLocation(stage->dot);
    MlirValue always = const_int(&b, type_i1(s->ir), 1), carried = mlirBlockGetArgument(body, sum);
    struct place at = place_before(
        s, &b, (struct place){mlirBlockGetArgument(body, slot), mlirBlockGetArgument(body, slot + 1)});
    MlirOperation first = value_reader(carried, body, READER_FIRST);
    struct builder where = builder_before(s->ir, first);
    MlirValue passed = landed(&where, carried, op_is_before(place, chained) && op_is_before(chained, first));
    mlirValueReplaceAllUsesOfWith(carried, passed);
    MlirValue left_before = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1);
    set_dot_wait_tile(value_op(passed), 0, started(s, &b, stage->dot, left_before, at.slot, carried));
    slot_free(&where, s->empty[BEHIND], at.slot, always);

    struct builder after = builder_after(s->ir, stage->loop);
    after.location = b.location;
    intptr_t results = mlirOperationGetNumResults(stage->loop);
    struct place end = place_before(s, &after,
                                    (struct place){mlirOperationGetResult(stage->loop, slot - 1),
                                                   mlirOperationGetResult(stage->loop, slot)});
    MlirValue last = started(s, &after, stage->dot, mlirOperationGetResult(stage->loop, results - 1),
                             end.slot, mlirOperationGetResult(stage->loop, sum - 1));
    last = landed(&after, last, 0);
    slot_free(&after, s->empty[BEHIND], end.slot, const_int(&after, type_i1(s->ir), 1));
    mlirOperationSetOperand(mlirBlockGetTerminator(mlirOperationGetBlock(stage->loop)), sum - 1, last);
    mlirOperationDestroy(stage->dot);
}

// ---- the loop ----

// The loop from another loop's end on.
struct sequel {
    struct stage_loop *stage; // NULL: none
    MlirValue runs, runs_on;  // it has an iteration; it has two, if one
};

// Moves the value's ops before the loop, if they stand behind it; false if one of them may not
// be moved.
static bool brought_before(struct specialise *s, MlirValue value, MlirOperation loop) {
    MlirOperation op = value_op(value), around = op;
    while (!mlirOperationIsNull(around) && !in_block(around, mlirOperationGetBlock(loop))) {
        around = mlirOperationGetParentOperation(around);
    }
    if (mlirOperationIsNull(around) || op_is_before(around, loop)) {
        return true;
    }
    bool moves = mlirOperationEqual(around, op) && (op_traits(op_kind(s->ir, op)) & PURE) &&
                 mlirOperationGetNumRegions(op) == 0 && !type_is_tensor(mlirValueGetType(value));
    for (intptr_t i = 0; moves && i < mlirOperationGetNumOperands(op); i++) {
        moves = brought_before(s, mlirOperationGetOperand(op, i), loop);
    }
    if (moves) {
        mlirOperationMoveBefore(op, loop);
    }
    return moves;
}

static bool is_early(const struct stage_loop *stage) {
    return !mlirOperationIsNull(stage->chained) && stage->early && !stage->delayed;
}

static struct stage_loop *sequel_of(struct specialise *s, const struct stage_loop *stage) {
    struct stage_loop *other = (struct stage_loop *)stage + 1;
    if (other == s->loops + s->loop_count || !mlirValueIsNull(stage->ahead) || !is_early(stage) ||
        !is_early(other)) {
        return NULL;
    }
    bool goes_on = mlirBlockEqual(mlirOperationGetBlock(other->loop), mlirOperationGetBlock(stage->loop)) &&
                   value_is(for_lower(other->loop), for_upper(stage->loop)) &&
                   value_is(for_step(other->loop), for_step(stage->loop));
    bool same = value_is(dot_a(other->chained), dot_a(stage->chained)) &&
                mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(other->chained, 0)),
                              mlirValueGetType(mlirOperationGetResult(stage->chained, 0)));
    return goes_on && same && brought_before(s, for_upper(other->loop), stage->loop) ? other : NULL;
}

// Lets the branch around the loop be taken for its sequel's iterations alone, too.
static void guard_sequel(struct specialise *s, const struct stage_loop *stage, MlirOperation branch,
                         struct sequel *sequel) {
    struct builder b = builder_before(s->ir, branch);
    MlirValue from = for_upper(stage->loop), to = for_upper(sequel->stage->loop);
    sequel->runs = build_compare(&b, INT_SLT, from, to);
    sequel->runs_on = build_compare(&b, INT_ULT, for_step(stage->loop), build_binary(&b, OP_SUBI, to, from));
    MlirValue either = build_binary(&b, OP_ORI, if_condition(branch), sequel->runs);
    set_if_condition(branch, either);
}

// Gives the sequel the early dot's result of the last iteration, out of the branch around the loop. Returns the
// branch.
static MlirOperation pass_ahead(struct specialise *s, const struct stage_loop *stage, MlirOperation branch,
                                struct sequel *sequel) {
    MlirValue last = mlirOperationGetResult(stage->loop, mlirOperationGetNumResults(stage->loop) - 1);
    MlirOperation zero = mlirOperationClone(value_op(dot_c(sequel->stage->chained)));
    branch = build_more(s->ir, s->arena, branch, OPERANDS(last));
    struct builder b = builder_before(s->ir, mlirBlockGetTerminator(op_body(branch, 1)));
    build_insert(&b, zero);
    build_yield_more(s->ir, s->arena, op_body(branch, 0), OPERANDS(last));
    build_yield_more(s->ir, s->arena, op_body(branch, 1), OPERANDS(mlirOperationGetResult(zero, 0)));
    sequel->stage->ahead = mlirOperationGetResult(branch, mlirOperationGetNumResults(branch) - 1);
    return branch;
}

// Issues the early dot of the first iteration before the loop. Differences of loop bounds and counter are
// compared unsigned.
static MlirValue first_ahead(struct specialise *s, const struct stage_loop *stage, struct place start,
                             const struct sequel *sequel, MlirValue runs) {
    struct builder b = builder_before(s->ir, stage->loop);
    MlirValue lower = for_lower(stage->loop);
    MlirValue left = build_binary(&b, OP_SUBI, for_upper(stage->loop), lower);
    slot_wait(&b, s->full[AHEAD], start);
    MlirValue first = landed(&b, started_ahead(s, &b, stage->chained, start.slot), 0);
    MlirValue more = build_compare(&b, INT_ULT, for_step(stage->loop), left);
    if (sequel->stage) {
        more = build_select(&b, runs, build_binary(&b, OP_ORI, more, sequel->runs), sequel->runs_on);
    }
    slot_free(&b, s->empty[AHEAD], start.slot, more);
    return first;
}

// Moves the first dot an iteration early: returns the dot issued in the body for the next iteration.
static MlirOperation start_early(struct specialise *s, struct stage_loop *stage, MlirOperation start,
                                 struct place at, struct place next, const struct sequel *sequel) {
    MlirBlock body = op_body(stage->loop, 0);
    struct builder in = builder_before(s->ir, place_of_ahead(s, stage, start));
    in.location = mlirOperationGetLocation(stage->loop);
    MlirValue counter = mlirBlockGetArgument(body, 0), step = for_step(stage->loop);
    MlirValue left = build_binary(&in, OP_SUBI, for_upper(stage->loop), counter);
    MlirValue more = build_compare(&in, INT_ULT, step, left);
    MlirValue more_yet = build_compare(&in, INT_ULT, step, build_binary(&in, OP_SUBI, left, step));
    if (sequel->stage) {
        more_yet = build_binary(&in, OP_ORI, more_yet, sequel->runs);
        more_yet = build_select(&in, more, more_yet, sequel->runs_on);
        more = build_binary(&in, OP_ORI, more, sequel->runs);
    }
    struct place reads = {build_select(&in, more, next.slot, at.slot),
                          build_select(&in, more, next.parity, at.parity)};
    slot_wait(&in, s->full[AHEAD], reads);
    MlirValue ahead = started_ahead(s, &in, stage->chained, reads.slot);
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(stage->chained, 0),
                                  mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1));
    struct builder end = builder_before(s->ir, mlirBlockGetTerminator(body));
    end.location = in.location;
    MlirValue carried = landed(&end, ahead, 0), always = const_int(&end, type_i1(s->ir), 1);
    slot_free(&end, s->empty[AHEAD], reads.slot, build_select(&end, more, more_yet, always));
    loop_yield(s, stage, &carried, 1);
    return value_op(ahead);
}

// Keeps the first dot in its own iteration: returns the wait for it.
static MlirOperation start_here(struct specialise *s, struct stage_loop *stage, MlirOperation start,
                                struct place at) {
    struct builder in = builder_before(s->ir, start);
    in.location = mlirOperationGetLocation(stage->loop);
    slot_wait(&in, s->full[AHEAD], at);
    MlirValue result = landed(&in, started_ahead(s, &in, stage->chained, at.slot), 0);
    slot_free(&in, s->empty[AHEAD], at.slot, const_int(&in, type_i1(s->ir), 1));
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(stage->chained, 0), result);
    return value_op(result);
}

// Turns the multiplication scaling the sum into tk.rescale, if the second dot adds to it and nothing else
// reads it.
static void scale_where_needed(struct specialise *s, const struct stage_loop *stage) {
    MlirValue scaled = dot_c(stage->dot);
    MlirOperation op = value_op(scaled);
    if (mlirOperationIsNull(op) || op_kind(s->ir, op) != OP_MULF || !value_has_one_use(scaled)) {
        return;
    }
    MlirValue sum = binary_left(op), factor = binary_right(op);
    struct builder b = builder_before(s->ir, op);
    MlirValue rescaled = mlirValueIsABlockArgument(sum) ? VALUE(&b, OP_RESCALE, OPERANDS(sum, factor),
                                                                RESULTS(mlirValueGetType(scaled)), NO_ATTRS)
                                                        : scaled;
    set_dot_c(stage->dot, rescaled);
}

struct place specialise_chain(struct specialise *s, struct stage_loop *stage, struct place start) {
    struct sequel sequel = {.stage = sequel_of(s, stage)};
    scale_where_needed(s, stage);
    loop_carry(s, stage, (MlirValue[]){start.slot, start.parity}, 2);
    MlirBlock body = op_body(stage->loop, 0);
    intptr_t last = mlirBlockGetNumArguments(body) - 1, results = mlirOperationGetNumResults(stage->loop);
    struct place at = {mlirBlockGetArgument(body, last - 1), mlirBlockGetArgument(body, last)};
    struct builder in = builder_before(s->ir, mlirBlockGetFirstOperation(body));
    in.location = mlirOperationGetLocation(stage->loop);
    slots_read(s, stage, &in, at.slot);
    struct place next = place_next(s, &in, at);
    loop_yield(s, stage, (MlirValue[]){next.slot, next.parity}, 2);
    MlirOperation branch = mlirOperationGetParentOperation(build_guard(s->ir, s->arena, stage->loop));

    MlirOperation chained, wait = {NULL};
    if (stage->early) {
        MlirValue runs = if_condition(branch), first = stage->ahead;
        if (sequel.stage) {
            guard_sequel(s, stage, branch, &sequel);
        }
        if (mlirValueIsNull(first)) {
            first = first_ahead(s, stage, start, &sequel, runs);
        }
        loop_carry(s, stage, &first, 1);
        chained = start_early(s, stage, in.before, at, next, &sequel);
        if (sequel.stage) {
            branch = pass_ahead(s, stage, branch, &sequel);
        }
    } else {
        wait = start_here(s, stage, in.before, at);
        chained = value_op(dot_wait_tile(wait, 0));
    }
    mlirOperationDestroy(stage->chained);
    intptr_t sum = stage->delayed ? carried_sum(stage) : 0;
    if (sum > 0) {
        // Wait for the second dot's slot an iteration early, between the exponentials and the wait for the
        // dot before: ptxas keeps the exponentials before this branch, and the wait after it.
        body = op_body(stage->loop, 0);
        struct builder b =
            builder_before(s->ir, value_reader(mlirBlockGetArgument(body, sum), body, READER_FIRST));
        slot_wait(&b, s->full[BEHIND], at);
        MlirOperation first = mlirBlockGetFirstOperation(body);
        delay_dot(s, stage, sum, last - 1, chained, stage->early ? first : wait);
    } else {
        struct builder behind = builder_before(s->ir, stage->dot), after = builder_after(s->ir, stage->dot);
        slot_wait(&behind, s->full[BEHIND], at);
        slot_free(&after, s->empty[BEHIND], at.slot, const_int(&after, type_i1(s->ir), 1));
    }
    if (sum > 0 && !stage->early) {
        op_set_int(s->ir, wait, ATTR_PENDING,
                   1); // not in the peeled iteration: the dot is alone there
    }
    return (struct place){mlirOperationGetResult(branch, results - 2),
                          mlirOperationGetResult(branch, results - 1)};
}
