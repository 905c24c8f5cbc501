// check_barriers: proves the order of the finished tile IR's accesses to shared memory. It changes nothing.
//
// It is independent of the reasoning in `barriers` and `pipeline`, and follows the memory model along every
// path:
//
//   * Two accesses to a common byte, one of them a write, need a barrier between them.
//   * An asynchronous copy writes at any time between its start and its thread's wait for its group. Until
//     then nothing may touch its bytes; after the wait it still needs the barrier.
//   * A conversion whose elements stay in their warps has bytes of each warp. Of two with the same ones a meeting of each warp's lanes in between is enough.
//   * A warpgroup's dot reads its operands at any time until a dot_wait covers it.
//   * A read of a slot finds its last store: something has been stored since the buffer was made, and no other
//     buffer, slot or scratch was written over it.
//
// A path carries the accesses not yet ordered by a barrier, the ops overwriting slots, and the numbers of
// the slots (slot_numbers.c). Slot numbers are computed exactly: a loop over three stages is followed with
// its slots at 0, 1 and 2, until a round adds nothing new. All other branch conditions are unknown: both
// branches are taken, loops run any number of times. Paths with equal slot numbers are joined. An op with
// effects on shared memory not known to this file is an internal error: add the op here.
//
// Roles of warps (tk.specialise) are followed one by one: mbarriers order the slots filled by one role and
// read by the other, and no other op may access them; the emulator checks these slots.
//
// Faults are errors at the later access.
//
// requires: offsets from shared_alloc, barriers
// provides: nothing
// test:     tests/golden/passes/check_barriers
#include "passes/shared/path.h"

#include "chip/scratch.h"
#include "ir/build.h"
#include "passes/shared/shared_ranges.h"

enum { MAX_NUMBERINGS = 64 }; // distinct slot numberings at one loop

// ---- along every path ----

static struct paths follow_block(struct check *c, MlirBlock block, const struct path *start);

// Control flow: the operands of `from` become the block's arguments, or without a block the op's results.
// Numbers defined in the op's regions are dropped.
static struct path pass_on(struct check *c, const struct path *path, MlirOperation from, intptr_t first,
                           MlirOperation op, MlirBlock block, intptr_t first_argument) {
    struct path next = path_copy(c, path);
    slot_numbers_leave(&c->numbers, next.numbers, op);
    for (intptr_t i = first; i < mlirOperationGetNumOperands(from); i++) {
        MlirValue to = mlirBlockIsNull(block) ? mlirOperationGetResult(op, i - first)
                                              : mlirBlockGetArgument(block, i - first + first_argument);
        slot_number_set(&c->numbers, next.numbers, to,
                        slot_number(&c->numbers, path->numbers, mlirOperationGetOperand(from, i)));
    }
    return next;
}

static void leave(struct check *c, struct paths *exits, const struct path *path, MlirOperation from,
                  intptr_t first, MlirOperation op) {
    bool more;
    struct path next = pass_on(c, path, from, first, op, (MlirBlock){NULL}, 0);
    paths_add(c, exits, &next, &more);
}

static void enter(struct check *c, struct paths *heads, const struct path *path, MlirOperation from,
                  intptr_t first, MlirOperation loop, enum op_kind kind) {
    bool more;
    struct path next = pass_on(c, path, from, first, loop, op_body(loop, 0), kind == OP_FOR);
    if (heads->count >= MAX_NUMBERINGS) {
        slot_numbers_leave(&c->numbers, next.numbers, loop);
    }
    size_t index = paths_add(c, heads, &next, &more);
    heads->at[index].new |= more;
}

static void follow_round(struct check *c, MlirOperation loop, enum op_kind kind, const struct path *head,
                         struct paths *heads, struct paths *exits) {
    MlirBlock first = op_body(loop, 0);
    MlirOperation terminator = mlirBlockGetTerminator(first);
    struct paths ends = follow_block(c, first, head);
    for (size_t i = 0; kind == OP_FOR && i < ends.count; i++) {
        enter(c, heads, &ends.at[i], terminator, 0, loop, kind);
        leave(c, exits, &ends.at[i], terminator, 0, loop);
    }
    for (size_t i = 0; kind == OP_WHILE && i < ends.count; i++) {
        MlirBlock body = op_body(loop, 1);
        leave(c, exits, &ends.at[i], terminator, 1, loop);
        struct path start = pass_on(c, &ends.at[i], terminator, 1, loop, body, 0);
        struct paths rounds = follow_block(c, body, &start);
        for (size_t r = 0; r < rounds.count; r++) {
            enter(c, heads, &rounds.at[r], mlirBlockGetTerminator(body), 0, loop, kind);
        }
    }
}

static void follow_loop(struct check *c, MlirOperation loop, enum op_kind kind, const struct path *path,
                        struct paths *exits) {
    struct paths heads = {0};
    intptr_t inits = kind == OP_FOR ? 3 : 0;
    enter(c, &heads, path, loop, inits, loop, kind);
    if (kind == OP_FOR) {
        leave(c, exits, path, loop, inits, loop);
    }
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < heads.count; i++) {
            if (heads.at[i].new) {
                heads.at[i].new = false;
                struct path head = path_copy(c, &heads.at[i]);
                follow_round(c, loop, kind, &head, &heads, exits);
                again = true;
            }
        }
    }
}

// Behind a loop of one thread the others get its results through scratch.
static void hand_on(struct check *c, MlirOperation loop, enum op_kind kind, struct paths *exits) {
    for (size_t i = 0; kind == OP_WHILE && i < exits->count; i++) {
        path_touch_scratch(c, &exits->at[i], loop);
    }
}

static void follow_if(struct check *c, MlirOperation op, const struct path *path, struct paths *exits) {
    for (int r = 0; r < 2; r++) {
        MlirBlock block = op_body(op, r);
        bool more;
        if (mlirBlockIsNull(block)) {
            paths_add(c, exits, path, &more);
            continue;
        }
        struct paths ends = follow_block(c, block, path);
        for (size_t i = 0; i < ends.count; i++) {
            leave(c, exits, &ends.at[i], mlirBlockGetTerminator(block), 0, op);
        }
    }
}

static void follow_op(struct check *c, MlirOperation op, enum op_kind kind, struct path *path) {
    switch (kind) {
    case OP_BARRIER:
        if (op_has(op, ATTR_EACH_WARP)) {
            path_meet_in_warp(path);
            return;
        }
        // fall through
    case OP_SLICES_GIVE: // all slices meet
        path_meet(path);
        return;
    case OP_ASYNC_COMMIT:
        path_close_group(path, false);
        return;
    case OP_ASYNC_WAIT:
        path_wait(path, op_int(op, ATTR_PENDING), false);
        return;
    case OP_WARPGROUP_DOT:
    case OP_TENSOR_DOT:
        path_close_group(path, true);
        for (intptr_t i = 0; i < 2; i++) {
            if (type_is_shared(c->ir, mlirValueGetType(mlirOperationGetOperand(op, i)))) {
                path_touch_slot(c, path, op, i, EFFECT_READ);
            }
        }
        return;
    case OP_DOT_WAIT:
        path_wait(path, op_int(op, ATTR_PENDING), true);
        return;
    case OP_TENSOR_WAIT:
        path_wait_for_all(path, op_int(op, ATTR_PENDING));
        return;
    case OP_MBARRIER_ALLOC: // separate bytes: see check_apart
    case OP_MBARRIER_WAIT:
    case OP_MBARRIER_EXPECT:
    case OP_MBARRIER_ARRIVE:
    case OP_LAUNCH_ANSWERS:
    case OP_LAUNCH_ASK:
    case OP_LAUNCH_READ:
    case OP_LAUNCH_LOOK:
    case OP_LAUNCH_TAKE:
    case OP_LAUNCH_TELL:
    case OP_LAUNCH_LEAVE:
    case OP_BULK_LOAD:
    case OP_GATHER_LOAD:
    case OP_BULK_STORE:
    case OP_BULK_WAIT:
    case OP_TENSOR_ALLOC:
    case OP_TENSOR_LOAD:
    case OP_TENSOR_STORE:
    case OP_TENSOR_RESCALE:
    case OP_TENSOR_RELEASE:
    case OP_TENSOR_FREE:
    case OP_TENSOR_TAKE:
    case OP_TENSOR_PASS:
    case OP_SLICES_TAKE:
    case OP_PARK: // bytes of one warp each
    case OP_PARKED:
    case OP_FETCHED:
        return;
    case OP_SMEM_ALLOC:
        path_make_buffer(c, path, op);
        return;
    case OP_SMEM_LOAD:
    case OP_SMEM_GATHER:
        path_touch_slot(c, path, op, 0, EFFECT_READ);
        return;
    case OP_SHARED_DOT:
        path_touch_slot(c, path, op, at_shared_dot_a, EFFECT_READ);
        path_touch_slot(c, path, op, at_shared_dot_b, EFFECT_READ);
        return;
    case OP_SMEM_STORE:
    case OP_SMEM_ROUND: // a thread reads only elements it writes itself
        path_touch_slot(c, path, op, 0, EFFECT_WRITE);
        return;
    case OP_ASYNC_COPY:
        path_touch_slot(c, path, op, 0, EFFECT_COPY);
        return;
    default:
        break;
    }
    if (op_traits(kind) & (SHARED_READ | SHARED_WRITE | SYNC)) {
        bug("check_barriers does not know what %s does to shared memory", op_table[kind].name);
    }
    if (op_traits(kind) & SCRATCH) {
        path_touch_scratch(c, path, op);
    }
    slot_number_compute(&c->numbers, path->numbers, op);
}

// True for bytes ordered by mbarriers, or accessed by bulk copies themselves.
static bool is_apart(struct check *c, MlirOperation op, struct access *bytes) {
    enum op_kind kind = op_kind(c->ir, op);
    if (kind == OP_MBARRIER_ALLOC) {
        bytes->begin = (unsigned)op_int(op, ATTR_OFFSET);
        bytes->end = bytes->begin + MBARRIER_BYTES * (unsigned)op_int(op, ATTR_COUNT);
        return true;
    }
    if (kind == OP_LAUNCH_ANSWERS) {
        bytes->begin = (unsigned)op_int(op, ATTR_OFFSET);
        bytes->end = bytes->begin + LAUNCH_ANSWER_BYTES * (unsigned)op_int(op, ATTR_COUNT);
        return true;
    }
    if (kind == OP_TENSOR_ALLOC) {
        bytes->begin = (unsigned)op_int(op, ATTR_OFFSET);
        bytes->end = bytes->begin + TENSOR_WORD_BYTES;
        return true;
    }
    if (kind != OP_SMEM_ALLOC) {
        return false;
    }
    bytes->begin = (unsigned)op_int(op, ATTR_OFFSET);
    bytes->end = bytes->begin + shared_buffer_bytes(c->ir, op);
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        MlirValue slot =
            op_kind(c->ir, user) == OP_SMEM_SLOT ? mlirOperationGetResult(user, 0) : (MlirValue){NULL};
        MlirOpOperand inner = mlirValueIsNull(slot) ? use : mlirValueGetFirstUse(slot);
        for (; !mlirOpOperandIsNull(inner); inner = mlirOpOperandGetNextUse(inner)) {
            enum op_kind reader = op_kind(c->ir, mlirOpOperandGetOwner(inner));
            if (reader == OP_BULK_LOAD || reader == OP_GATHER_LOAD || reader == OP_BULK_STORE ||
                reader == OP_SLICES_GIVE || reader == OP_PARK) {
                return true;
            }
            if (mlirValueIsNull(slot)) {
                break;
            }
        }
    }
    return false;
}

// Checks these bytes against all others of the function: no overlap.
static void check_apart(struct check *c, const MlirOperation *ops, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct access own = {0};
        bool apart = is_apart(c, ops[i], &own);
        for (size_t j = 0; apart && j < count; j++) {
            struct access other = {0};
            bool same = i == j, buffer = op_kind(c->ir, ops[j]) == OP_SMEM_ALLOC;
            if (!same && !is_apart(c, ops[j], &other) && !buffer && op_has(ops[j], ATTR_SCRATCH)) {
                other.begin = (unsigned)op_int(ops[j], ATTR_SCRATCH);
                other.end = other.begin + scratch_bytes(c->ir, c->context->target, c->num_warps, ops[j]);
            }
            if (!same && own.begin < other.end && other.begin < own.end) {
                path_fault(c, ops[j], "takes bytes that bulk copies or mbarriers have for themselves",
                           ops[i]);
            }
        }
    }
}

// Both roles start behind a barrier. A slot filled by one role for the other counts as holding its tile.
static void follow_roles(struct check *c, MlirOperation op, const struct path *path, struct paths *exits) {
    struct path start = path_copy(c, path);
    path_meet(&start);
    for (size_t i = 0; i < c->place_count; i++) {
        MlirOperation maker = start.spoilers[i];
        struct access bytes;
        if (!mlirOperationIsNull(maker) && op_kind(c->ir, maker) == OP_SMEM_ALLOC &&
            is_apart(c, maker, &bytes)) {
            start.spoilers[i] = (MlirOperation){NULL};
        }
    }
    for (int r = 0; r < mlirOperationGetNumRegions(op); r++) {
        struct paths ends = follow_block(c, op_body(op, r), &start);
        for (size_t i = 0; i < ends.count; i++) {
            bool more;
            struct path next = path_copy(c, &ends.at[i]);
            slot_numbers_leave(&c->numbers, next.numbers, op);
            paths_add(c, exits, &next, &more);
        }
    }
}

static struct paths follow_block(struct check *c, MlirBlock block, const struct path *start) {
    struct paths paths = {0};
    bool more;
    paths_add(c, &paths, start, &more);
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        enum op_kind kind = op_kind(c->ir, op);
        struct paths exits = {0};
        for (size_t i = 0; i < paths.count; i++) {
            if (kind == OP_FOR || kind == OP_WHILE) {
                follow_loop(c, op, kind, &paths.at[i], &exits);
                hand_on(c, op, kind, &exits);
            } else if (kind == OP_IF) {
                follow_if(c, op, &paths.at[i], &exits);
            } else if (kind == OP_SPECIALISE) {
                follow_roles(c, op, &paths.at[i], &exits);
            } else {
                follow_op(c, op, kind, &paths.at[i]);
            }
        }
        if (kind == OP_FOR || kind == OP_WHILE || kind == OP_IF || kind == OP_SPECIALISE) {
            paths = exits;
        }
    }
    return paths;
}

// ---- slices ----

static bool is_first_slices(MlirOperation op) {
    while (!mlirOperationIsNull(op) && !op_has(op, ATTR_FIRST_SLICE)) {
        op = mlirOperationGetParentOperation(op);
    }
    return !mlirOperationIsNull(op);
}

// Barriers of consumers count the warps of one slice: of several only the first one may meet.
static void check_slices(struct check *c, MlirOperation function, const MlirOperation *ops, size_t count) {
    MlirOperation roles = {NULL};
    bool sliced = op_int(function, ATTR_SLICES) > 1;
    for (size_t i = 0; sliced && i < count; i++) {
        enum op_kind kind = op_kind(c->ir, ops[i]);
        roles = kind == OP_SPECIALISE ? ops[i] : roles;
        bool meets = kind == OP_BARRIER || kind == OP_BULK_STORE || op_has(ops[i], ATTR_SCRATCH);
        if (!mlirOperationIsNull(roles) && meets && kind != OP_SPECIALISE && !is_first_slices(ops[i])) {
            path_fault(c, ops[i], "lets the warps of one slice meet where all of them run", roles);
        }
    }
}

// ---- functions ----

static void find_places(struct check *c, const MlirOperation *ops, size_t count) {
    size_t slots = 0;
    for (size_t i = 0; i < count; i++) {
        slots += op_kind(c->ir, ops[i]) == OP_SMEM_ALLOC ? (size_t)op_int(ops[i], ATTR_STAGES) : 0;
    }
    c->places = ARENA_ARRAY(c->arena, struct byte_range, slots + 1);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(c->ir, ops[i]) != OP_SMEM_ALLOC) {
            continue;
        }
        unsigned stages = (unsigned)op_int(ops[i], ATTR_STAGES);
        unsigned begin = (unsigned)op_int(ops[i], ATTR_OFFSET);
        unsigned bytes = shared_buffer_bytes(c->ir, ops[i]) / stages;
        map_put(&c->first_place, ops[i].ptr, (void *)(uintptr_t)(c->place_count + 1));
        for (unsigned slot = 0; slot < stages; slot++, begin += bytes) {
            c->places[c->place_count++] = (struct byte_range){begin, begin + bytes};
        }
    }
}

static void check_function(struct pass_context *context, MlirOperation function) {
    struct check c = {.context = context,
                      .ir = context->ir,
                      .arena = context->arena,
                      .name = op_string(function, ATTR_SYM_NAME),
                      .num_warps = (unsigned)op_int(function, ATTR_NUM_WARPS),
                      .shared_bytes = (unsigned)op_int(function, ATTR_SHARED_BYTES),
                      .numbers = {.ir = context->ir, .arena = context->arena}};
    size_t count;
    MlirOperation *ops = ops_collect(c.ir, c.arena, function, &count);
    find_places(&c, ops, count);
    check_apart(&c, ops, count);
    check_slices(&c, function, ops, count);
    slot_numbers_find(&c.numbers, ops, count);
    struct path start = {.spoilers = ARENA_ARRAY(c.arena, MlirOperation, c.place_count + 1),
                         .numbers = ARENA_ARRAY(c.arena, struct number, c.numbers.count + 1)};
    follow_block(&c, op_body(function, 0), &start);
    map_free(&c.first_place);
    map_free(&c.told);
    slot_numbers_free(&c.numbers);
}

void pass_check_barriers(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        check_function(context, op);
    }
}
