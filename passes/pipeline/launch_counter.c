// The producer of a block takes its programs from a counter of the launch, and tells the other roles. The launch has as many persistent blocks as
// for fixed shares; a block's first program is that of its own number, which all roles know.
//
//     while (%p = block, %n = 0, %at = 0, %more = block < all) { %more } {
//       %word = tk.launch_look %at                                     begins to look for the counter
//       copies of program %p
//       %at', %p' = tk.launch_take %at, %word, all, 1
//       tk.mbarrier_wait %free[%n]
//       tk.launch_tell %p', %p' < all, %answer[%n], %told[%n]
//       if %p' >= all { tk.launch_leave %at', all }
//       yield %p', %n + 1, %at', %p' < all
//     }
//
// A program is taken as the copies of the one before have begun: taken sooner it would wait for its block. Programs are taken in order, so that one may
// wait for an earlier one. src/lower/async/lower_launch.c has the counter.
//
// Where a condition tells programs in which no role does anything (idle_programs.h), the producer passes them by. It tells of a program ahead of the
// branch on that condition, if it is not idle, nor the block's first one; and at last that there is none. Behind an idle program it looks for the next that
// is not. It takes and tests several at once there, since the price is latency: of the atomic, of divisions, of a load.
//
//       %at', %p', %end' = if idle { while (%at, %p + 1, %end) {
//                                      if %next >= %end { %at, %next = tk.launch_take %at, %word, all, 4; %end = %next + 4 }
//                                      %next + (how many are idle from %next on) >= %end and %end < all
//                                    } { yield %at, %end, %end } }
//                          else { the program behind, or take one }
//
// test: tests/golden/passes/launch_control
#include "chip/target.h"
#include "passes/pipeline/launch_control.h"

// Programs taken at once behind an idle one, and tested at once; each but the first one asks for 2 to the power of TURN_BITS programs still left, as a block that
// gets several which are not idle ends later (tests/bench/TRIED.md).
enum { MOST_TAKEN = 4, TURN_BITS = 10, TESTED = 4 };

enum { COUNTER = LAUNCH_OWN, END };

// What the producer knows of the launch's counter: its place, the next program, and the end of those taken.
struct taken {
    MlirValue counter, next, end;
};

struct taker {
    struct control *c;
    MlirValue word; // of launch_look
    struct launch_loop loop;
};

static MlirValue all_programs(struct control *c, struct builder *b) {
    MlirValue rows = build_binary(b, OP_MULI, c->grid[0], c->grid[1]);
    return build_binary(b, OP_MULI, rows, c->grid[2]);
}

static struct taken take(struct taker *t, struct builder *b, MlirValue counter, MlirValue many) {
    MlirValue all = all_programs(t->c, b);
    MlirOperation op = OP(b, OP_LAUNCH_TAKE, OPERANDS(counter, t->word, all, many),
                          RESULTS(type_i64(b->ir), type_i32(b->ir)), NO_ATTRS);
    MlirValue next = mlirOperationGetResult(op, 1);
    return (struct taken){mlirOperationGetResult(op, 0), next, build_binary(b, OP_ADDI, next, many)};
}

// The next program of those taken, else of `many` new ones.
static struct taken next_of(struct taker *t, struct builder *b, struct taken now, MlirValue many) {
    MlirBlock dry_block, else_block;
    MlirValue dry = build_compare(b, INT_UGE, now.next, now.end);
    MlirOperation fetch =
        build_if(b, dry, RESULTS(type_i64(b->ir), type_i32(b->ir), type_i32(b->ir)), &dry_block, &else_block);
    struct builder in = builder_at_end(b->ir, dry_block, b->location),
                   out = builder_at_end(b->ir, else_block, b->location);
    struct taken got = take(t, &in, now.counter, many);
    build_yield(&in, OPERANDS(got.counter, got.next, got.end));
    build_yield(&out, OPERANDS(now.counter, now.next, now.end));
    return (struct taken){mlirOperationGetResult(fetch, 0), mlirOperationGetResult(fetch, 1),
                          mlirOperationGetResult(fetch, 2)};
}

// How many programs to take behind an idle one: fewer towards the end, so that no block is left with several that are not.
static MlirValue many_of(struct taker *t, struct builder *b, MlirValue program) {
    MlirValue left = build_binary(b, OP_SUBI, all_programs(t->c, b), program);
    MlirValue turns = build_binary(b, OP_SHRUI, left, const_i32(b, TURN_BITS));
    MlirValue most = build_binary(b, OP_MINSI, turns, const_i32(b, MOST_TAKEN));
    return build_binary(b, OP_MAXSI, most, const_i32(b, 1));
}

// How many programs from this one on are idle, up to TESTED. Beyond the last program the last one is tested.
static MlirValue idle_from(struct taker *t, struct builder *b, MlirValue next) {
    MlirValue all = all_programs(t->c, b), tests[TESTED];
    MlirValue last = build_binary(b, OP_SUBI, all, const_i32(b, 1));
    for (int32_t i = 0; i < TESTED; i++) {
        MlirValue program = build_binary(b, OP_ADDI, next, const_i32(b, i));
        MlirValue beyond = build_compare(b, INT_UGT, program, last);
        tests[i] = idle_programs_test(&t->c->idle, b, build_select(b, beyond, last, program));
    }
    MlirValue idle = const_i32(b, TESTED);
    for (int32_t i = TESTED - 1; i >= 0; i--) {
        idle = build_select(b, tests[i], idle, const_i32(b, i));
    }
    return idle;
}

// The next program that is not idle, behind an idle one.
static struct taken pass(struct taker *t, struct builder *b, struct taken from) {
    MlirType i32 = type_i32(b->ir), i64 = type_i64(b->ir);
    MlirBlock before, after;
    MlirOperation loop =
        build_while(b, OPERANDS(from.counter, from.next, from.end), RESULTS(i64, i32, i32), &before, &after);
    struct builder test = builder_at_end(b->ir, before, b->location),
                   again = builder_at_end(b->ir, after, b->location);
    struct taken now = {mlirBlockGetArgument(before, 0), mlirBlockGetArgument(before, 1),
                        mlirBlockGetArgument(before, 2)};
    now = next_of(t, &test, now, many_of(t, &test, now.next));
    MlirValue idle = idle_from(t, &test, now.next), all = all_programs(t->c, &test);
    MlirValue next = build_binary(&test, OP_ADDI, now.next, idle);
    MlirValue none = build_compare(&test, INT_UGE, next, now.end);
    MlirValue on = build_binary(&test, OP_ANDI, none, build_compare(&test, INT_ULT, now.end, all));
    OP(&test, OP_CONDITION, OPERANDS(on, now.counter, next, now.end), NO_RESULTS, NO_ATTRS);
    MlirValue end = mlirBlockGetArgument(after, 2);
    build_yield(&again, OPERANDS(mlirBlockGetArgument(after, 0), end, end));
    return (struct taken){mlirOperationGetResult(loop, 0), mlirOperationGetResult(loop, 1),
                          mlirOperationGetResult(loop, 2)};
}

// The next program, at the end of the body.
static struct taken go_on(struct taker *t, MlirValue program) {
    struct builder *b = &t->loop.end;
    struct taken from = {.counter = mlirBlockGetArgument(t->loop.body, COUNTER)};
    MlirValue one = const_i32(b, 1);
    if (!t->c->passes) {
        return take(t, b, from.counter, one);
    }
    from.next = build_binary(b, OP_ADDI, program, one);
    from.end = mlirBlockGetArgument(t->loop.body, END);
    MlirBlock idle_block, busy_block;
    MlirValue idle = idle_programs_now(&t->c->idle, b, true);
    MlirOperation branch = build_if(b, idle, RESULTS(type_i64(b->ir), type_i32(b->ir), type_i32(b->ir)),
                                    &idle_block, &busy_block);
    struct builder in = builder_at_end(b->ir, idle_block, b->location),
                   out = builder_at_end(b->ir, busy_block, b->location);
    struct taken passed = pass(t, &in, from), got = next_of(t, &out, from, one);
    build_yield(&in, OPERANDS(passed.counter, passed.next, passed.end));
    build_yield(&out, OPERANDS(got.counter, got.next, got.end));
    return (struct taken){mlirOperationGetResult(branch, 0), mlirOperationGetResult(branch, 1),
                          mlirOperationGetResult(branch, 2)};
}

// Puts an answer into the ring: a program, if it is given.
static void tell(struct control *c, struct builder *b, MlirValue number, MlirValue program, MlirValue given) {
    launch_wait(c, b, c->free, number, true, false);
    MlirValue answer = launch_place(c, b, c->answers, number, c->ring.answer_bytes);
    MlirValue barrier = launch_place(c, b, c->told, number, MBARRIER_BYTES);
    OP(b, OP_LAUNCH_TELL, OPERANDS(program, given, answer, barrier), NO_RESULTS, NO_ATTRS);
}

// Tells the other roles of the body's program, if it is not the first one nor idle. Returns the number of the next answer.
static MlirValue tell_busy(struct taker *t, struct builder *b, MlirValue number, MlirValue program) {
    MlirValue counter = mlirBlockGetArgument(t->loop.body, COUNTER);
    MlirValue told = build_compare(b, INT_NE, counter, const_int(b, type_i64(b->ir), 0));
    told = build_binary(b, OP_ANDI, told, idle_programs_now(&t->c->idle, b, false));
    MlirBlock told_block, else_block;
    MlirOperation branch = build_if(b, told, RESULTS(type_i32(b->ir)), &told_block, &else_block);
    struct builder in = builder_at_end(b->ir, told_block, b->location),
                   out = builder_at_end(b->ir, else_block, b->location);
    tell(t->c, &in, number, program, const_int(&in, type_i1(b->ir), 1));
    build_yield(&in, OPERANDS(build_binary(&in, OP_ADDI, number, const_i32(&in, 1))));
    build_yield(&out, OPERANDS(number));
    return mlirOperationGetResult(branch, 0);
}

void launch_rewrite_taker(struct control *c) {
    c->idle = (struct idle_programs){.ir = c->ir, .arena = c->context->arena};
    c->passes = idle_programs_find(&c->idle, c->tiles, c->roles);
    struct builder ahead = builder_before(c->ir, c->tiles[PRODUCER]);
    MlirValue inits[] = {const_int(&ahead, type_i64(c->ir), 0), const_i32(&ahead, 0)};
    struct taker t = {.c = c, .loop = launch_begin_loop(c, PRODUCER, c->passes ? 2 : 1, inits)};
    struct builder *b = &t.loop.end;
    MlirValue program = mlirBlockGetArgument(t.loop.body, LAUNCH_PROGRAM),
              number = mlirBlockGetArgument(t.loop.body, LAUNCH_NUMBER);
    t.word = VALUE(b, OP_LAUNCH_LOOK, OPERANDS(mlirBlockGetArgument(t.loop.body, COUNTER)),
                   RESULTS(type_i64(c->ir)), NO_ATTRS);
    launch_move_body(&t.loop);
    if (c->passes) {
        struct builder before = builder_before(c->ir, c->idle.branch);
        number = tell_busy(&t, &before, number, program);
    }
    struct taken got = go_on(&t, program);
    MlirValue all = all_programs(c, b), more = build_compare(b, INT_ULT, got.next, all);
    if (!c->passes) {
        tell(c, b, number, got.next, more);
        number = build_binary(b, OP_ADDI, number, const_i32(b, 1));
    }
    struct builder last = launch_begin_if(b, build_compare(b, INT_UGE, got.next, all));
    if (c->passes) {
        tell(c, &last, number, got.next, const_int(&last, type_i1(c->ir), 0));
    }
    OP(&last, OP_LAUNCH_LEAVE, OPERANDS(got.counter, all), NO_RESULTS, NO_ATTRS);
    build_yield(&last, NO_OPERANDS);
    MlirValue own[] = {got.next, number, got.counter, got.end};
    launch_end_loop(c, &t.loop, own, more);
}
