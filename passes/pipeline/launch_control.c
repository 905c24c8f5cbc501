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
// If times of programs differ by loaded numbers (tk.unlike), and the chip has no such requests, a block takes its programs from a counter of
// the launch: launch_counter.c.
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
#include "passes/pipeline/launch_control.h"

// Answers of the launch's counter fit into the room left by slots (specialise_room.c: slot_bytes counts more mbarriers than there are).
static const struct ring asked = {2, LAUNCH_ANSWER_BYTES}, taken = {1, LAUNCH_TAKEN_BYTES};

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

static void ask(struct control *c, struct builder *b, MlirValue number) {
    MlirValue answer = launch_place(c, b, c->answers, number, c->ring.answer_bytes),
              barrier = launch_place(c, b, c->told, number, MBARRIER_BYTES);
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

// The next request, if the last one was granted. Of a pair all readers report to the even block; it alone asks.
static void ask_again(struct control *c, struct builder *b, MlirValue number, MlirValue more) {
    struct builder in = launch_begin_if(b, more);
    struct builder even = c->pair ? launch_begin_if(&in, is_even_block(&in)) : in;
    launch_wait(c, &even, c->free, number, true, c->pair);
    if (c->pair) {
        build_yield(&even, NO_OPERANDS);
    }
    ask(c, &in, number);
    build_yield(&in, NO_OPERANDS);
}

// Until the answer ahead of the refusal has been given back: each reader gives answers back in order, the refusal excepted. `number`: behind
// the refusal.
static void wait_for_readers(struct control *c, struct builder *b, MlirValue number) {
    struct builder even = launch_begin_if(b, is_even_block(b));
    MlirValue next = build_binary(&even, OP_ADDI, number, const_i32(&even, launch_answers(c) - 2));
    launch_wait(c, &even, c->free, next, true, true);
    build_yield(&even, NO_OPERANDS);
}

// Replaces the loop of a role that reads answers. It reads the next one at the end of the body.
static void rewrite_reader(struct control *c, enum launch_role role) {
    MlirType i32 = type_i32(c->ir);
    bool asks = role == PRODUCER;
    struct builder ahead = builder_before(c->ir, c->tiles[role]);
    if (asks) {
        ask(c, &ahead, const_i32(&ahead, 0));
    }
    struct launch_loop l = launch_begin_loop(c, role, 0, NULL);
    launch_move_body(&l);
    MlirValue number = mlirBlockGetArgument(l.body, LAUNCH_NUMBER), index[LAUNCH_AXES];
    launch_wait(c, &l.end, c->told, number, false, false);
    MlirValue answer = launch_place(c, &l.end, c->answers, number, c->ring.answer_bytes),
              barrier = launch_place(c, &l.end, c->free, number, MBARRIER_BYTES);
    MlirNamedAttribute attribute = attr_unit(&l.end, c->counts ? ATTR_TAKEN : ATTR_PAIR);
    MlirOperation read =
        OP(&l.end, OP_LAUNCH_READ, OPERANDS(answer, barrier), RESULTS(type_i1(c->ir), i32, i32, i32),
           ((struct attrs){c->pair || c->counts ? 1 : 0, &attribute}));
    MlirValue more = mlirOperationGetResult(read, 0);
    for (int axis = 0; axis < LAUNCH_AXES; axis++) {
        index[axis] = mlirOperationGetResult(read, axis + 1);
    }
    MlirValue next = build_binary(&l.end, OP_ADDI, number, const_i32(&l.end, 1));
    if (asks) {
        ask_again(c, &l.end, next, more);
    }
    MlirValue own[LAUNCH_OWN] = {launch_program(c, &l.end, index), next};
    launch_end_loop(c, &l, own, more);
    if (asks && c->pair) {
        struct builder behind = builder_after(c->ir, l.loop);
        wait_for_readers(c, &behind, mlirOperationGetResult(l.loop, LAUNCH_NUMBER));
    }
}

static MlirValue barriers(struct control *c, struct builder *b, int64_t arrivals) {
    return VALUE(
        b, OP_MBARRIER_ALLOC, NO_OPERANDS, RESULTS(type_i32(b->ir)),
        ATTRS(attr_i32(b, ATTR_COUNT, launch_answers(c)), attr_i32(b, ATTR_ARRIVALS, (int32_t)arrivals)));
}

// The readers of an answer: the consumers' warps of each block, the warp of products, and a producer's thread that asked for it.
static int64_t readers(struct control *c) {
    int64_t blocks = op_int(c->function, ATTR_CLUSTER);
    if (c->counts) {
        return op_int(c->function, ATTR_NUM_WARPS) * op_int(c->function, ATTR_SLICES) + (c->roles == ROLES);
    }
    return (op_int(c->function, ATTR_NUM_WARPS) + 1) * blocks + (c->roles == ROLES);
}

static void rewrite(struct control *c) {
    struct builder b = builder_before(c->ir, c->specialise);
    c->answers = VALUE(
        &b, OP_LAUNCH_ANSWERS, NO_OPERANDS, RESULTS(type_i32(c->ir)),
        ATTRS(attr_i32(&b, ATTR_COUNT, launch_answers(c) * c->ring.answer_bytes / LAUNCH_ANSWER_BYTES)));
    c->told = barriers(c, &b, 1);
    c->free = barriers(c, &b, readers(c));
    if (c->counts) {
        launch_rewrite_taker(c);
    }
    for (int role = c->counts ? CONSUMERS : PRODUCER; role < c->roles; role++) {
        rewrite_reader(c, role);
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
                   "results are stored%s",
                   c.passes ? "; programs with nothing to do are passed by" : "");
            continue;
        }
        remark(context, REMARK_LAUNCH_CONTROL, op,
               "a block that is done takes the place of %s that has not begun, and %s",
               c.pair ? "a pair of blocks" : "a block",
               c.roles == ROLES ? "stores results beside the next one's products"
                                : "the next one's copies come while results are stored");
    }
}
