// launch_control: a block takes the places of other, waiting blocks, in place of each n-th program.
//
//   tk.specialise {                                     tk.specialise {
//     for %p = block to all step blocks {                 tk.launch_ask %answer[0], %told[0]
//       copies of program %p                              while (%p = block, %n = 0, %more = block < all) { %more } {
//     }                                                     copies of program %p
//   }, {                                                    tk.mbarrier_wait %told[%n]
//     for %p = block to all step blocks {         →         %more, %x, %y, %z = tk.launch_read %answer[%n], %free[%n]
//       results of program %p                               scf.if %more { tk.mbarrier_wait %free[%n + 1]
//     }                                                                    tk.launch_ask %answer[%n + 1], %told[%n + 1] }
//   }, …                                                    yield %x + grid_x * (%y + grid_y * %z), %n + 1, %more
//                                                         }
//                                                       }, {
//                                                         … the same without requests
//                                                       }, …
//
// Reason: with a fixed share of the programs a block is late if another kernel's blocks hold its multiprocessor up, and the
// launch ends with the latest. Here a launch has a block a program, as the source's has; a block takes the next program once it is done.
//
// The producer asks for one program at a time, as it begins the copies of the program before; the answer comes beside the copies. Each role
// reads the answer as it ends its part of the program before, and gives the answer's place back: a ring of answers lets the producer, and
// the role of products, be programs ahead of the results. The first refusal is the last answer; nobody gives its place back.
//
// Of a pair the even block's producer asks for a pair's place, and both blocks read the answer. Behind its last program it
// waits until all readers of both blocks have given their answers back, as arrivals may not come to an ended block.
//
// If times of programs differ by loaded numbers (tk.unlike), and the chip has no such requests, a block takes the next program from a counter of
// the launch. The launch has as many persistent blocks as for fixed shares; a block's first program is that of its own number.
//
//     while (%p = block, %n = 0, %at = 0, %more = block < all) { %more } {
//       %word = tk.launch_look %n
//       copies of program %p
//       tk.mbarrier_wait %free[%n]
//       %at' = tk.launch_take %at, %word, %n, all, %answer[%n], %told[%n]
//       tk.mbarrier_wait %told[%n]
//       %more, %p', _, _ = tk.launch_read %answer[%n], %free[%n] {taken}
//       yield %p', %n + 1, %at', %more
//     }
//
// A program is taken as the copies of the one before have begun: taken sooner it would wait for its block. Programs are taken in order, so that one may
// wait for an earlier one. src/lower/async/lower_launch.c has the counter.
//
// Only where to go on is worth more than a new block: with a role of its own for products, since the results of a program are then stored
// beside the products of the next one, and on chips where one block with its slots fills a multiprocessor (mma.sync).
//
// requires: pairs; no dead op of a block's number
// provides: tk.takes_blocks: launched with a block a program, in whole clusters; or tk.counts_programs
// test:     tests/golden/passes/launch_control
#include <mlir-c/BuiltinAttributes.h>

#include "chip/target.h"
#include "dialects/tk/words.h"
#include "ir/build.h"
#include "passes/pass.h"

enum { PRODUCER, CONSUMERS, MULTIPLIER, ROLES, AXES = 3, OWN_VALUES = 2 };

// The answers of a ring, as a power of two, and the bytes of one. Answers of the launch's counter fit into the room left by slots
// (specialise_room.c: slot_bytes counts more mbarriers than there are).
struct ring {
    unsigned bits;
    int answer_bytes;
};

static const struct ring asked = {2, LAUNCH_ANSWER_BYTES}, taken = {1, LAUNCH_TAKEN_BYTES};

struct control {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation function, specialise;
    int roles;                  // regions: the last one, of products, is not there with mma.sync
    MlirOperation tiles[ROLES]; // the roles' loops over programs
    MlirValue grid[AXES];       // hidden arguments
    MlirValue answers, told, free;
    struct ring ring;
    bool pair;
    bool counts; // programs are taken from the launch's counter: no block's place is asked for
};

// ---- finding ----

static bool find_specialise(struct control *c) {
    size_t count;
    MlirOperation *ops = ops_collect(c->ir, c->context->arena, c->function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(c->ir, ops[i]) == OP_SPECIALISE) {
            c->specialise = ops[i];
            c->roles = (int)mlirOperationGetNumRegions(ops[i]);
            return c->counts ||
                   c->roles == (target_has(c->context->target, FEATURE(COPY_WARP)) ? MULTIPLIER : ROLES);
        }
    }
    return false;
}

static bool is_kind(struct ir *ir, MlirValue value, enum op_kind kind) {
    MlirOperation op = value_op(value);
    return !mlirOperationIsNull(op) && op_kind(ir, op) == kind && op_int(op, ATTR_AXIS) == 0;
}

static MlirOperation find_tiles(struct control *c, int role) {
    MlirBlock block = op_body(c->specialise, role);
    MlirOperation op = mlirBlockGetFirstOperation(block);
    while (!mlirOperationIsNull(op) &&
           (op_kind(c->ir, op) != OP_FOR ||
            !is_kind(c->ir, mlirOperationGetOperand(op, at_for_step), OP_NUM_PROGRAMS))) {
        op = mlirOperationGetNextInBlock(op);
    }
    return op;
}

static void find_grid(struct control *c) {
    MlirBlock body = op_body(c->function, 0);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++) {
        MlirAttribute hidden = argument_attribute(c->function, i, ATTR_HIDDEN);
        MlirStringRef text =
            mlirAttributeIsNull(hidden) ? (MlirStringRef){0} : mlirStringAttrGetValue(hidden);
        int word;
        if (text.length && word_parse(WORDS_HIDDEN, text.data, text.length, false, &word) &&
            word >= HIDDEN_GRID_X && word <= HIDDEN_GRID_Z) {
            c->grid[word - HIDDEN_GRID_X] = mlirBlockGetArgument(body, i);
        }
    }
}

// ---- conditions ----

static bool is_tiles(struct control *c, MlirOperation op) {
    bool is = false;
    for (int role = 0; role < c->roles; role++) {
        is |= mlirOperationEqual(op, c->tiles[role]);
    }
    return is;
}

static bool in_tiles(struct control *c, MlirOperation op) {
    while (!mlirOperationEqual(op, c->specialise) && !is_tiles(c, op)) {
        op = mlirOperationGetParentOperation(op);
    }
    return is_tiles(c, op);
}

// Which block of a pair this is does not change.
static bool takes_rank(struct control *c, MlirOperation op) {
    int64_t bits;
    return op_kind(c->ir, op) == OP_ANDI && value_is_constant_int(c->ir, binary_right(op), &bits) &&
           bits == 1;
}

// Within the loops nobody asks for the block's number, nor anywhere for the number of blocks: they would mean another program.
static bool asks_for_block(struct control *c, MlirOperation op) {
    bool count = op_kind(c->ir, op) == OP_NUM_PROGRAMS;
    if (!count && op_kind(c->ir, op) != OP_PROGRAM_ID) {
        return false;
    }
    for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0)); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        if (!is_tiles(c, user) && (count || (in_tiles(c, user) && !takes_rank(c, user)))) {
            return true;
        }
    }
    return false;
}

// It may wait for another program: in the order of their numbers that one is done, or under way.
static bool may_wait(struct ir *ir, MlirOperation op) {
    switch (op_kind(ir, op)) {
    case OP_WHILE:
    case OP_ATOMIC_POLL:
    case OP_ATOMIC_CAS:
        return true;
    case OP_LOAD:
        return load_is_volatile(op);
    case OP_ATOMIC_RMW:
        return value_has_uses(mlirOperationGetResult(op, 0));
    default:
        return false;
    }
}

static bool may_take(struct control *c) {
    if (!c->counts && (op_has(c->function, ATTR_WAITS) || op_has(c->function, ATTR_TRIGGERS))) {
        return decline(c->context, c->specialise, REASON_LAUNCH_CHAIN);
    }
    for (int role = 0; role < c->roles; role++) {
        c->tiles[role] = find_tiles(c, role);
        if (mlirOperationIsNull(c->tiles[role])) {
            return decline(c->context, c->specialise, REASON_LAUNCH_DEALT);
        }
    }
    size_t count;
    MlirOperation *ops = ops_collect(c->ir, c->context->arena, c->function, &count);
    for (size_t i = 0; i < count; i++) {
        if (asks_for_block(c, ops[i])) {
            return decline(c->context, ops[i], REASON_LAUNCH_DEALT);
        }
        if (!c->counts && may_wait(c->ir, ops[i])) {
            return decline(c->context, ops[i], REASON_LAUNCH_ORDER);
        }
    }
    return true;
}

// ---- the rewrite ----

static int32_t ring_answers(const struct control *c) {
    return 1 << c->ring.bits;
}

static MlirValue place(struct control *c, struct builder *b, MlirValue first, MlirValue number, int bytes) {
    MlirValue slot = build_binary(b, OP_ANDI, number, const_i32(b, ring_answers(c) - 1));
    return build_binary(b, OP_ADDI, first, build_binary(b, OP_MULI, slot, const_i32(b, bytes)));
}

// Waits at one of a ring of barriers for the phase of an answer's number; `before`: for the one before it.
static void wait_for(struct control *c, struct builder *b, MlirValue barriers, MlirValue number, bool before,
                     bool pair) {
    MlirValue round = build_binary(b, OP_SHRUI, number, const_i32(b, (int32_t)c->ring.bits)),
              one = const_i32(b, 1);
    MlirValue parity = build_binary(b, OP_ANDI, before ? build_binary(b, OP_XORI, round, one) : round, one);
    MlirNamedAttribute attribute = attr_unit(b, ATTR_PAIR);
    OP(b, OP_MBARRIER_WAIT, OPERANDS(place(c, b, barriers, number, MBARRIER_BYTES), parity), NO_RESULTS,
       ((struct attrs){pair ? 1 : 0, &attribute}));
}

static void ask(struct control *c, struct builder *b, MlirValue number) {
    MlirValue answer = place(c, b, c->answers, number, c->ring.answer_bytes),
              barrier = place(c, b, c->told, number, MBARRIER_BYTES);
    MlirNamedAttribute attribute = attr_unit(b, ATTR_PAIR);
    OP(b, OP_LAUNCH_ASK, OPERANDS(answer, barrier), NO_RESULTS,
       ((struct attrs){c->pair ? 1 : 0, &attribute}));
}

static MlirValue is_even_block(struct builder *b) {
    MlirValue block =
        VALUE(b, OP_PROGRAM_ID, NO_OPERANDS, RESULTS(type_i32(b->ir)), ATTRS(attr_i32(b, ATTR_AXIS, 0)));
    MlirValue rank = build_binary(b, OP_ANDI, block, const_i32(b, 1));
    return build_compare(b, INT_EQ, rank, const_i32(b, 0));
}

static struct builder begin_if(struct builder *b, MlirValue condition) {
    MlirBlock then_block, else_block;
    build_if(b, condition, NO_RESULTS, &then_block, &else_block);
    struct builder other = builder_at_end(b->ir, else_block, b->location);
    build_yield(&other, NO_OPERANDS);
    return builder_at_end(b->ir, then_block, b->location);
}

// The next request, if the last one was granted. Of a pair all readers report to the even block; it alone asks.
static void ask_again(struct control *c, struct builder *b, MlirValue number, MlirValue more) {
    struct builder in = begin_if(b, more);
    struct builder even = c->pair ? begin_if(&in, is_even_block(&in)) : in;
    wait_for(c, &even, c->free, number, true, c->pair);
    if (c->pair) {
        build_yield(&even, NO_OPERANDS);
    }
    ask(c, &in, number);
    build_yield(&in, NO_OPERANDS);
}

// Until the answer ahead of the refusal has been given back: each reader gives answers back in order, the refusal excepted. `number`: behind
// the refusal.
static void wait_for_readers(struct control *c, struct builder *b, MlirValue number) {
    struct builder even = begin_if(b, is_even_block(b));
    MlirValue next = build_binary(&even, OP_ADDI, number, const_i32(&even, ring_answers(c) - 2));
    wait_for(c, &even, c->free, next, true, true);
    build_yield(&even, NO_OPERANDS);
}

static MlirValue all_programs(struct control *c, struct builder *b) {
    MlirValue rows = build_binary(b, OP_MULI, c->grid[0], c->grid[1]);
    return build_binary(b, OP_MULI, rows, c->grid[2]);
}

// Takes a program from the launch's counter, at the end of the one before. Returns the place of the counter.
static MlirValue take(struct control *c, struct builder *b, MlirValue number, MlirValue counter,
                      MlirValue word) {
    wait_for(c, b, c->free, number, true, false);
    MlirValue answer = place(c, b, c->answers, number, c->ring.answer_bytes),
              barrier = place(c, b, c->told, number, MBARRIER_BYTES);
    return VALUE(b, OP_LAUNCH_TAKE, OPERANDS(counter, word, number, all_programs(c, b), answer, barrier),
                 RESULTS(type_i64(c->ir)), NO_ATTRS);
}

// The program of a block: x + grid_x * (y + grid_y * z). Clusters are launched along x.
static MlirValue program_of(struct control *c, struct builder *b, const MlirValue index[AXES]) {
    if (c->pair || c->counts) {
        return index[0];
    }
    MlirValue row = build_binary(b, OP_MULI, c->grid[1], index[2]);
    row = build_binary(b, OP_ADDI, row, index[1]);
    return build_binary(b, OP_ADDI, build_binary(b, OP_MULI, c->grid[0], row), index[0]);
}

static MlirValue first_program(struct control *c, struct builder *b, MlirOperation tiles) {
    MlirValue index[AXES];
    if (c->pair || c->counts) {
        return for_lower(tiles);
    }
    for (int axis = 0; axis < AXES; axis++) {
        index[axis] = VALUE(b, OP_PROGRAM_ID, NO_OPERANDS, RESULTS(type_i32(c->ir)),
                            ATTRS(attr_i32(b, ATTR_AXIS, axis)));
    }
    return program_of(c, b, index);
}

// Reads the next answer at the end of the loop's body. Returns the values for the next turn.
static struct operands go_on(struct control *c, struct builder *b, MlirValue number, MlirValue counter,
                             MlirValue word, MlirOperation yield, bool asks) {
    MlirType i32 = type_i32(c->ir);
    MlirNamedAttribute attribute = attr_unit(b, c->counts ? ATTR_TAKEN : ATTR_PAIR);
    bool takes = asks && c->counts;
    counter = takes ? take(c, b, number, counter, word) : counter;
    wait_for(c, b, c->told, number, false, false);
    MlirValue answer = place(c, b, c->answers, number, c->ring.answer_bytes),
              barrier = place(c, b, c->free, number, MBARRIER_BYTES);
    MlirOperation read =
        OP(b, OP_LAUNCH_READ, OPERANDS(answer, barrier), RESULTS(type_i1(c->ir), i32, i32, i32),
           ((struct attrs){c->pair || c->counts ? 1 : 0, &attribute}));
    MlirValue more = mlirOperationGetResult(read, 0), index[AXES];
    for (int axis = 0; axis < AXES; axis++) {
        index[axis] = mlirOperationGetResult(read, axis + 1);
    }
    MlirValue next = build_binary(b, OP_ADDI, number, const_i32(b, 1));
    if (asks && !takes) {
        ask_again(c, b, next, more);
    }
    intptr_t carried = mlirOperationGetNumOperands(yield), own = takes ? OWN_VALUES + 1 : OWN_VALUES;
    MlirValue *values = ARENA_ARRAY(c->context->arena, MlirValue, (size_t)(own + carried) + 1);
    values[0] = program_of(c, b, index);
    values[1] = next;
    values[2] = counter;
    for (intptr_t i = 0; i < carried; i++) {
        values[own + i] = mlirOperationGetOperand(yield, i);
    }
    values[own + carried] = more;
    return (struct operands){own + carried + 1, values};
}

// Moves the ops of the loop's body but its end.
static void move_body(MlirOperation loop, struct builder *to) {
    MlirBlock body = op_body(loop, 0);
    MlirOperation end = mlirBlockGetTerminator(body);
    for (MlirOperation op = mlirBlockGetFirstOperation(body), next; !mlirOperationEqual(op, end); op = next) {
        next = mlirOperationGetNextInBlock(op);
        mlirOperationRemoveFromParent(op);
        build_insert(to, op);
    }
}

// Replaces a role's loop. The loop carries the program, the answer's number, the old loop's values, and whether there is a program.
static void rewrite_role(struct control *c, int role) {
    MlirOperation tiles = c->tiles[role];
    struct builder b = builder_before(c->ir, tiles);
    bool takes = role == PRODUCER && c->counts;
    intptr_t own = takes ? OWN_VALUES + 1 : OWN_VALUES;
    intptr_t carried = mlirOperationGetNumResults(tiles), count = own + carried;
    MlirValue *inits = ARENA_ARRAY(c->context->arena, MlirValue, (size_t)count + 2);
    MlirType *types = ARENA_ARRAY(c->context->arena, MlirType, (size_t)count + 1);
    inits[0] = first_program(c, &b, tiles);
    inits[1] = const_i32(&b, 0);
    inits[2] = takes ? const_int(&b, type_i64(c->ir), 0) : inits[1];
    for (intptr_t i = 0; i < carried; i++) {
        inits[own + i] = for_init(tiles, i);
    }
    inits[count] = build_compare(&b, INT_SLT, inits[0], for_upper(tiles));
    for (intptr_t i = 0; i < count; i++) {
        types[i] = mlirValueGetType(inits[i]);
    }
    if (role == PRODUCER && !takes) {
        ask(c, &b, inits[1]);
    }
    MlirBlock before, after;
    MlirOperation loop =
        build_while(&b, (struct operands){count + 1, inits}, (struct results){count, types}, &before, &after);
    struct builder test = builder_at_end(c->ir, before, b.location),
                   in = builder_at_end(c->ir, after, b.location);
    MlirValue *passed = ARENA_ARRAY(c->context->arena, MlirValue, (size_t)count + 1);
    passed[0] = mlirBlockGetArgument(before, count);
    for (intptr_t i = 0; i < count; i++) {
        passed[i + 1] = mlirBlockGetArgument(before, i);
    }
    OP(&test, OP_CONDITION, ((struct operands){count + 1, passed}), NO_RESULTS, NO_ATTRS);
    MlirBlock body = op_body(tiles, 0);
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, 0), mlirBlockGetArgument(after, 0));
    for (intptr_t i = 0; i < carried; i++) {
        mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, 1 + i),
                                      mlirBlockGetArgument(after, own + i));
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(tiles, i),
                                      mlirOperationGetResult(loop, own + i));
    }
    MlirValue counter = takes ? mlirBlockGetArgument(after, OWN_VALUES) : (MlirValue){NULL};
    MlirValue word = {NULL};
    if (takes) {
        word = VALUE(&in, OP_LAUNCH_LOOK, OPERANDS(mlirBlockGetArgument(after, 1)), RESULTS(type_i64(c->ir)),
                     NO_ATTRS);
    }
    move_body(tiles, &in);
    build_yield(&in, go_on(c, &in, mlirBlockGetArgument(after, 1), counter, word,
                           mlirBlockGetTerminator(body), role == PRODUCER));
    mlirOperationDestroy(tiles);
    if (role == PRODUCER && c->pair) {
        struct builder behind = builder_after(c->ir, loop);
        wait_for_readers(c, &behind, mlirOperationGetResult(loop, 1));
    }
}

static MlirValue barriers(struct control *c, struct builder *b, int64_t arrivals) {
    return VALUE(
        b, OP_MBARRIER_ALLOC, NO_OPERANDS, RESULTS(type_i32(b->ir)),
        ATTRS(attr_i32(b, ATTR_COUNT, ring_answers(c)), attr_i32(b, ATTR_ARRIVALS, (int32_t)arrivals)));
}

// The readers of an answer: the consumers' warps and the producer's thread of each block, and the warp of products.
static int64_t readers(struct control *c) {
    int64_t blocks = op_int(c->function, ATTR_CLUSTER);
    if (c->counts) {
        return op_int(c->function, ATTR_NUM_WARPS) * op_int(c->function, ATTR_SLICES) + 1 +
               (c->roles == ROLES);
    }
    return (op_int(c->function, ATTR_NUM_WARPS) + 1) * blocks + (c->roles == ROLES);
}

static void rewrite(struct control *c) {
    struct builder b = builder_before(c->ir, c->specialise);
    c->answers =
        VALUE(&b, OP_LAUNCH_ANSWERS, NO_OPERANDS, RESULTS(type_i32(c->ir)),
              ATTRS(attr_i32(&b, ATTR_COUNT, ring_answers(c) * c->ring.answer_bytes / LAUNCH_ANSWER_BYTES)));
    c->told = barriers(c, &b, 1);
    c->free = barriers(c, &b, readers(c));
    for (int role = 0; role < c->roles; role++) {
        rewrite_role(c, role);
    }
    op_set_unit(c->ir, c->function, c->counts ? ATTR_COUNTS_PROGRAMS : ATTR_TAKES_BLOCKS);
}

void pass_launch_control(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        struct control c = {.context = context, .ir = context->ir, .function = op};
        c.pair = op_int(op, ATTR_CLUSTER) > 1;
        bool asks = target_has(context->target, FEATURE(LAUNCH_CONTROL));
        c.counts = !asks && op_has(op, ATTR_UNLIKE);
        c.ring = c.counts ? taken : asked;
        if (!(asks || c.counts) || !find_specialise(&c)) {
            continue;
        }
        find_grid(&c);
        if (!may_take(&c)) {
            reason_keep(context, op, ATTR_LAUNCH_CONTROL);
            continue;
        }
        rewrite(&c);
        if (c.counts) {
            remark(context, REMARK_LAUNCH_CONTROL, op,
                   "a block that is done takes the next program by a counter, and its copies come while "
                   "results are stored");
            continue;
        }
        remark(context, REMARK_LAUNCH_CONTROL, op,
               "a block that is done takes the place of %s that has not begun, and %s",
               c.pair ? "a pair of blocks" : "a block",
               c.roles == ROLES ? "stores results beside the next one's products"
                                : "the next one's copies come while results are stored");
    }
}
