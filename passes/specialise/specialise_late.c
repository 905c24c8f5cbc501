// The loop of dots of two kinds (attention's gradients). Prompt dots start from zero and read slots alone.
// Late dots add to accumulators carried by the loop; their first operands are computed from the prompt dots'
// results. Late dots are issued an iteration late:
//
//   for %sum = init {                               %w = half … of the first iteration
//     %s, %t = dots of slots                        for %sum = init, %w, from the second iteration on {
//     %u = … of %s and %t                             %s, %t = dots of slots
//     %w = half %u                                    %sum' = dot %w, slot before, %sum     all of them under way
//     %sum' = dot %w, slot, %sum              →       %u = … of %s and %t
//     yield %sum'                                     wait for the dots; the slot before is free
//   }                                                 yield %sum', half %u
//                                                   }
//                                                   dot of the last %w
//
// So the matrix units have a whole iteration's work before the first wait, and other warpgroups compute
// meanwhile. A single late dot starts before the prompt dots, so it is complete together with the first of
// their results (gradients of queries, heads of 64: 0 to 2 % faster than after them with causal masks, 1 to 4
// % without; heads of 128: 0). Two late dots start after the prompt dots: otherwise the first results would
// have to wait. Operands are narrowed after the wait, into the registers read by the dots before.
//
// ptxas moves arithmetic past waits for dots, but not past branches. Another wait for the slot, already full,
// is such a branch. One among the exponentials works best: their first part runs beside the dots, and the
// rest beside the arithmetic on the results. It stands after half of the exponentials with two late dots,
// after three quarters with one. On an H200, gradients of keys, heads of 64: 6 % faster than waits after the
// exponentials and around the wait for the late dots, 3 % faster than none; a quarter or three quarters of
// the exponentials before it: 2 and 4 % slower. Gradients of queries, heads of 64, blocks of 128: 5 % faster
// than after half; heads of 128: 4 %.
//
// If threads read values from slots, the fence that the freed slot needs is ahead of an iteration's wait for its own: the freed slot's reads
// were those of the iteration before, and no dot is under way. A fence beside dots waits for them, too (TRIED.md).
#include "passes/specialise/specialise.h"

#include "ir/build.h"
#include "passes/pipeline/look_ahead.h"
#include "passes/pipeline/warpgroup.h"

// ---- deciding ----

// The number of the loop's argument added to by the dot, if neither it nor the dot's result has another
// reader; 0: none.
static intptr_t sum_of(MlirOperation dot, MlirBlock body) {
    MlirValue sum = dot_c(dot), result = mlirOperationGetResult(dot, 0);
    if (!mlirValueIsABlockArgument(sum) || !mlirBlockEqual(mlirBlockArgumentGetOwner(sum), body) ||
        !value_has_one_use(sum) || !value_has_one_use(result)) {
        return 0;
    }
    intptr_t number = mlirBlockArgumentGetArgNumber(sum);
    MlirOperation yield = mlirBlockGetTerminator(body);
    return number > 0 && value_is(mlirOperationGetOperand(yield, number - 1), result) ? number : 0;
}

bool dot_may_be_late(struct specialise *s, const struct stage_loop *stage, MlirOperation dot) {
    MlirBlock body = op_body(stage->loop, 0);
    MlirValue left = dot_a(dot);
    MlirOperation maker = value_op(left);
    return !type_is_shared(s->ir, mlirValueGetType(left)) && !mlirOperationIsNull(maker) &&
           mlirBlockEqual(mlirOperationGetBlock(maker), body) && sum_of(dot, body) > 0;
}

// ---- the first iteration ----

void peel_first(struct specialise *s, struct stage_loop *stage, const MlirOperation *late, size_t count,
                MlirValue *lefts) {
    MlirOperation loop = stage->loop;
    MlirBlock body = op_body(loop, 0);
    MlirOperation yield = mlirBlockGetTerminator(body);
    struct map map = {0};
    map_first_iteration(&map, loop);
    struct builder b = builder_before(s->ir, loop);
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationEqual(op, yield);
         op = mlirOperationGetNextInBlock(op)) {
        if (!is_among(late, count, op)) {
            op_repeat(&b, s->arena, &map, op);
        }
    }
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); i++) {
        MlirValue next = mlirOperationGetOperand(yield, i);
        if (is_among(late, count, value_op(next))) {
            next = dot_c(value_op(next));
        }
        set_for_init(loop, i, value_under(&map, next));
    }
    for (size_t i = 0; i < count; i++) {
        lefts[i] = value_under(&map, dot_a(late[i]));
    }
    map_free(&map);
    MlirValue lower = for_lower(loop), upper = for_upper(loop);
    MlirValue exists = look_ahead_exists(&b, &b, loop, lower, 1);
    MlirValue second = build_binary(&b, OP_ADDI, lower, for_step(loop));
    set_for_lower(loop, build_select(&b, exists, second, upper));
}

// ---- the loop ----

struct late_loop {
    struct specialise *s;
    struct stage_loop *stage;
    intptr_t sums[SPECIALISE_MAX_LATE]; // the late dots' accumulators: arguments of the loop, by number
    intptr_t slot;                      // the argument with the slot's number; its parity is the next one
    MlirOperation first, last;          // prompt dots, before any arithmetic on their results
    MlirOperation exponentials; // on the first dots' results, before the last one's first reader; null: none
    bool narrows[SPECIALISE_MAX_LATE]; // a late dot's operand is narrowed for it alone
};

static void find_prompt(struct late_loop *l) {
    struct stage_loop *stage = l->stage;
    MlirBlock body = op_body(stage->loop, 0);
    MlirOperation reader = {NULL};
    for (MlirOperation op = mlirBlockGetFirstOperation(body);
         !mlirOperationIsNull(op) && (mlirOperationIsNull(reader) || !mlirOperationEqual(op, reader));
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(l->s->ir, op) != OP_DOT || is_among(stage->late, stage->late_count, op)) {
            continue;
        }
        if (mlirOperationIsNull(l->first)) {
            l->first = op;
            reader = value_reader(mlirOperationGetResult(op, 0), body, READER_FIRST);
        }
        l->last = op;
    }
}

static struct place slot_of(const struct late_loop *l, MlirBlock body) {
    return (struct place){mlirBlockGetArgument(body, l->slot), mlirBlockGetArgument(body, l->slot + 1)};
}

// Moves the narrowing of the late dots' operands to the end of the body.
static void narrow_last(struct late_loop *l) {
    MlirBlock body = op_body(l->stage->loop, 0);
    for (size_t i = 0; i < l->stage->late_count; i++) {
        if (l->narrows[i]) {
            MlirOperation narrow = value_op(dot_a(l->stage->late[i]));
            mlirOperationMoveBefore(narrow, mlirBlockGetTerminator(body));
        }
    }
}

// Issues the late dots, with the slot before. `lefts` are the loop's last arguments.
static void start_late(struct late_loop *l) {
    struct specialise *s = l->s;
    struct stage_loop *stage = l->stage;
    MlirBlock body = op_body(stage->loop, 0);
    MlirOperation yield = mlirBlockGetTerminator(body);
    intptr_t lefts = mlirBlockGetNumArguments(body) - (intptr_t)stage->late_count;
    struct builder in =
        stage->late_count == 1 ? builder_before(s->ir, l->first) : builder_after(s->ir, l->last);
    struct builder end = builder_before(s->ir, yield);
    in.location = end.location = mlirOperationGetLocation(stage->loop);
    struct place at = slot_of(l, body), before = place_before(s, &in, at);
    bool held = !mlirOperationIsNull(l->exponentials);
    if (!held) {
        slot_wait(&end, s->ready, at);
    }
    for (size_t i = 0; i < stage->late_count; i++) {
        MlirValue made = started(s, &in, stage->late[i], mlirBlockGetArgument(body, lefts + (intptr_t)i),
                                 before.slot, mlirBlockGetArgument(body, l->sums[i]));
        mlirOperationSetOperand(yield, l->sums[i] - 1, landed(&end, made, 0));
    }
    (threads_read(s, stage) ? slot_free_behind_fence : slot_free)(&end, s->empty[AHEAD], before.slot,
                                                                  const_int(&end, type_i1(s->ir), 1));
    if (!held) {
        slot_wait(&end, s->ready, at);
    }
    narrow_last(l);
}

// Keeps arithmetic on the first dots' results beside the last dot: it adds the wait among the exponentials.
static void hold(struct late_loop *l, struct place at) {
    struct specialise *s = l->s;
    MlirBlock body = op_body(l->stage->loop, 0);
    if (mlirOperationEqual(l->first, l->last)) {
        return;
    }
    MlirOperation reader = value_reader(mlirOperationGetResult(l->last, 0), body, READER_FIRST);
    for (MlirOperation op = l->last; !mlirOperationEqual(op, reader); op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(s->ir, op) == OP_EXP2 &&
            type_is_tensor(mlirValueGetType(mlirOperationGetResult(op, 0)))) {
            l->exponentials = op;
        }
    }
    struct builder b = builder_before(s->ir, reader);
    if (mlirOperationIsNull(l->exponentials)) {
        slot_wait(&b, s->ready, at);
    } else {
        b = builder_after(s->ir, l->exponentials);
        int eighths = l->stage->late_count > 1 ? 4 : 6;
        slot_wait_amid(&b, s->ready, at, mlirOperationGetResult(l->exponentials, 0), eighths);
    }
}

// Issues the late dots of the last iteration, after the loop. The loop is inside an scf.if of its own, and
// its results are yielded there.
static void start_last(struct late_loop *l) {
    struct specialise *s = l->s;
    struct stage_loop *stage = l->stage;
    MlirOperation yield = mlirBlockGetTerminator(mlirOperationGetBlock(stage->loop));
    intptr_t lefts = mlirOperationGetNumResults(stage->loop) - (intptr_t)stage->late_count;
    struct builder b = builder_after(s->ir, stage->loop);
    b.location = mlirOperationGetLocation(stage->loop);
    struct place left = {mlirOperationGetResult(stage->loop, l->slot - 1),
                         mlirOperationGetResult(stage->loop, l->slot)};
    MlirValue slot = place_before(s, &b, left).slot, made[SPECIALISE_MAX_LATE];
    for (size_t i = 0; i < stage->late_count; i++) {
        made[i] = started(s, &b, stage->late[i], mlirOperationGetResult(stage->loop, lefts + (intptr_t)i),
                          slot, mlirOperationGetResult(stage->loop, l->sums[i] - 1));
    }
    for (size_t i = 0; i < stage->late_count; i++) {
        mlirOperationSetOperand(yield, l->sums[i] - 1, landed(&b, made[i], 0));
        mlirOperationDestroy(stage->late[i]);
    }
    slot_free_as_read(&b, s, stage, slot, const_int(&b, type_i1(s->ir), 1));
}

struct place specialise_late(struct specialise *s, struct stage_loop *stage, struct place start) {
    struct late_loop l = {.s = s, .stage = stage};
    MlirBlock body = op_body(stage->loop, 0);
    MlirValue lefts[SPECIALISE_MAX_LATE];
    find_prompt(&l);
    for (size_t i = 0; i < stage->late_count; i++) {
        MlirValue left = dot_a(stage->late[i]);
        l.sums[i] = sum_of(stage->late[i], body);
        l.narrows[i] = value_has_one_use(left) && op_kind(s->ir, value_op(left)) == OP_TRUNCF;
    }
    loop_carry(s, stage, (MlirValue[]){start.slot, start.parity}, 2);
    l.slot = mlirBlockGetNumArguments(body) - 2;
    struct place at = slot_of(&l, body);
    struct builder in = builder_before(s->ir, mlirBlockGetFirstOperation(body));
    in.location = mlirOperationGetLocation(stage->loop);
    MlirOperation begins = slot_wait(&in, s->ready, at);
    slots_read(s, stage, &in, at.slot);
    hold(&l, at);
    struct builder behind = builder_after(s->ir, l.last);
    behind.location = in.location;
    turn_over(s, &behind, at.slot);
    struct place next = place_next(s, &in, at);
    loop_yield(s, stage, (MlirValue[]){next.slot, next.parity}, 2);
    MlirOperation branch = mlirOperationGetParentOperation(build_guard(s->ir, s->arena, stage->loop));
    peel_first(s, stage, stage->late, stage->late_count, lefts);
    loop_carry(s, stage, lefts, (intptr_t)stage->late_count);
    for (size_t i = 0; i < stage->late_count; i++) {
        lefts[i] = dot_a(stage->late[i]);
    }
    loop_yield(s, stage, lefts, (intptr_t)stage->late_count);
    if (threads_read(s, stage)) {
        op_set_unit(s->ir, begins, ATTR_FENCED);
    }
    start_late(&l);
    start_last(&l);
    return (struct place){mlirOperationGetResult(branch, l.slot - 1), mlirOperationGetResult(branch, l.slot)};
}
