// barriers: block barriers between ops on the same bytes of shared memory.
//
//   %a = tk.convert_layout %x {scratch = 0}         %a = tk.convert_layout %x {scratch = 0}
//   %b = tk.convert_layout %y {scratch = 0}    →    tk.barrier
//                                                   %b = tk.convert_layout %y {scratch = 0}
//
// The walk carries the accesses since the last barrier. An op with scratch writes it, synchronises the
// threads inside its own lowering and reads it: it leaves a read of its bytes, and orders everything before
// it. A conversion whose elements stay in their warps synchronises each warp's lanes alone, and orders nothing else. The next one there, if each
// warp has the same bytes in it, is behind a barrier of each warp.
//
// A barrier does not order an asynchronous copy its thread has not waited for: the copy may land after
// the barrier. Nor does it order the reads of a warpgroup dot in flight: each warpgroup waits for its own dot
// behind the barrier. A dot in tensor memory is all warps': each thread waits for it, and no barrier has to follow.
//
// A loop is walked again with the state from its end until the state is stable. A `for` leaves the state of
// its end or, if it never runs, of its start; a `while` leaves the state of its condition.
//
// Global memory: a program may read back its own stores, written by other threads of the block. Barriers
// between two accesses to one argument (or to an unknown one, possibly any), and between two accesses of one
// iteration to the same offsets of two arguments, maybe of one tensor:
//
//     earlier \ later   load             store       atomic
//     load              -                S or F      S or F
//     store             P                -           P
//     atomic            P unless met     -           -
//     any of these      D (not load, load)
//     wait              A                A          A (not another wait)
//
//     P: unless by the same threads: both ops have the same pointers, each in one thread, or one thread does both
//        ops for all (scalar atomics, volatile loads). Pointers defined in a loop differ in its next iteration.
//     met: the atomic's results were handed over through scratch, and the threads met for it.
//     S: several threads loaded the same element, each for itself.
//     A: some threads wait by a poll or a load of each warp; the others go on when they have met these.
//     F: a copy in flight; the store waits for it too.
//     D: tiles of one shape distributed differently over the threads. The program may rely on the order of its
//        accesses to one element; only accesses by the same thread keep it. A bulk store counts as done by the
//        threads with parts of the tile.
//
// The program itself orders other accesses through aliasing arguments, and other stores after loads
// (tl.debug_barrier).
//
// One case is left to the pipeline: while a pipelined loop runs, its slots rotate, and the pipeline's waits
// and barriers order the accesses to them. Behind the loop its accesses count like all others: an outer loop
// may come back to the same buffer.
//
// requires: offsets from shared_alloc
// provides: an order of accesses to shared memory without races
// test:     tests/golden/passes/barriers
#include "passes/facts/apart.h"
#include "passes/shared/shared_ranges.h"

#include <string.h>

#include <mlir-c/BuiltinAttributes.h>

#include "ir/build.h"
#include "chip/scratch.h"
#include "dialects/tk/tensor_map.h"
#include "dialects/tk/words.h"

// Of asynchronous copies: the number of groups closed since; of warpgroup dots: the number of dots started
// since. The count stays below LANDED.
enum { LANDED = 255, MAX_COMMITS = 254 };

// Global memory of argument number n is the byte GLOBAL + n, memory behind the addresses in its array the byte BEHIND + n.
enum { GLOBAL = 1 << 30, BEHIND = GLOBAL + (1 << 20) };

struct barrier_access {
    unsigned begin, end;
    bool write;
    MlirOperation buffer;   // null for scratch
    MlirOperation rotation; // the loop rotating the buffer's slots; null: none, or it has ended
    unsigned commits;       // LANDED except for copies and warpgroup dots in flight
    bool by_dot;            // read by a dot of a warpgroup
    bool rotates;           // of this access: its slot is one of the loop's
    MlirValue pointers;     // to global memory, each in one thread; else null
    MlirType tile;          // type of the pointers to global memory; else null
    MlirValue address;      // the pointers; null: an earlier iteration's, or a bulk store's
    bool several;           // several threads load an element of it, each for itself
    bool atomic;
    bool first;           // the block's first thread does it for all
    bool met;             // all threads have met behind the atomic, or behind the load of one for all
    bool acquires;        // some threads acquire, and all others may read next: the block meets
    bool waits;           // only waits for memory: other accesses need not be ordered before it
    MlirOperation within; // a conversion whose elements stay in their warps; else null
    bool met_in_warp;     // the lanes of each warp have met behind it
};

struct pending {
    struct barrier_access *accesses;
    size_t count, capacity;
};

struct barriers {
    struct pass_context *context;
    unsigned num_warps;
};

// ---- accesses since the last barrier ----

static bool same_access(const struct barrier_access *a, const struct barrier_access *b) {
    return a->begin == b->begin && a->end == b->end && a->write == b->write &&
           a->buffer.ptr == b->buffer.ptr && a->rotation.ptr == b->rotation.ptr && a->by_dot == b->by_dot &&
           a->pointers.ptr == b->pointers.ptr && a->tile.ptr == b->tile.ptr &&
           a->address.ptr == b->address.ptr && a->several == b->several && a->atomic == b->atomic &&
           a->first == b->first && a->met == b->met && a->acquires == b->acquires && a->waits == b->waits &&
           a->within.ptr == b->within.ptr && a->met_in_warp == b->met_in_warp;
}

// Two accesses differing only in their commits become one, with the count of the later one. True if `pending`
// has changed.
static bool add(struct barriers *b, struct pending *pending, struct barrier_access access) {
    for (size_t i = 0; i < pending->count; i++) {
        struct barrier_access *known = &pending->accesses[i];
        if (same_access(known, &access)) {
            bool later = access.commits < known->commits;
            known->commits = later ? access.commits : known->commits;
            return later;
        }
    }
    pending->accesses =
        arena_grown(b->context->arena, pending->accesses, pending->count, &pending->capacity, sizeof access);
    pending->accesses[pending->count++] = access;
    return true;
}

static bool merge(struct barriers *b, struct pending *into, const struct pending *from) {
    bool more = false;
    for (size_t i = 0; i < from->count; i++) {
        more |= add(b, into, from->accesses[i]);
    }
    return more;
}

static struct pending copy_of(struct barriers *b, const struct pending *pending) {
    struct pending copy = {0};
    merge(b, &copy, pending);
    return copy;
}

// True if two tiles of one shape are distributed differently over the threads.
static bool in_other_threads(struct ir *ir, MlirType x, MlirType y) {
    if (!type_is_tensor(x) || !type_is_tensor(y) || !type_same_shape(x, y)) {
        return false;
    }
    return !layout_equal(type_layout(ir, x), type_layout(ir, y));
}

// True if two accesses through two arguments are to the same elements if both arguments are one tensor.
// A copy in flight counts as apart: its tile is read behind its wait.
static bool may_meet(struct ir *ir, const struct barrier_access *a, const struct barrier_access *b) {
    return !mlirValueIsNull(a->address) && !mlirValueIsNull(b->address) && a->commits == LANDED &&
           pointers_may_meet(ir, a->address, b->address);
}

// For two accesses to global memory, at least one a write. A `begin` below GLOBAL: the argument is not known.
static bool conflict_in_memory(struct ir *ir, const struct barrier_access *earlier,
                               const struct barrier_access *access) {
    bool known = earlier->begin >= GLOBAL && access->begin >= GLOBAL; // else: possibly any argument
    bool other = known && earlier->begin != access->begin;
    if (other && !may_meet(ir, earlier, access)) {
        return false;
    }
    bool own = !mlirValueIsNull(earlier->pointers) && !mlirValueIsNull(access->pointers);
    bool same = own && (other ? mlirTypeEqual(earlier->tile, access->tile)
                              : mlirValueEqual(earlier->pointers, access->pointers));
    same |= earlier->first && access->first;
    bool reads = earlier->atomic ? !access->write && !earlier->met : !access->write || access->atomic;
    bool reads_back = earlier->write && reads && !same;
    bool read_later = access->write && ((earlier->several && !earlier->met) || earlier->commits != LANDED);
    return in_other_threads(ir, earlier->tile, access->tile) || read_later || reads_back;
}

// True if each warp has the same bytes in both, and no other warp has.
static bool same_in_warp(const struct barrier_access *earlier, const struct barrier_access *access) {
    return !mlirOperationIsNull(earlier->within) && !mlirOperationIsNull(access->within) &&
           scratch_same_in_warp(earlier->within, access->within);
}

static bool conflict(struct ir *ir, const struct barrier_access *earlier,
                     const struct barrier_access *access) {
    if (earlier->acquires && !access->waits && !mlirTypeIsNull(access->tile)) {
        return true;
    }
    if ((!earlier->write && !access->write) || same_in_warp(earlier, access)) {
        return false;
    }
    bool global = !mlirTypeIsNull(access->tile);
    if (global || !mlirTypeIsNull(earlier->tile)) {
        return global && !mlirTypeIsNull(earlier->tile) && conflict_in_memory(ir, earlier, access);
    }
    bool ordered = access->rotates && mlirOperationEqual(earlier->buffer, access->buffer) &&
                   mlirOperationEqual(earlier->rotation, access->rotation);
    return !ordered && earlier->begin < access->end && access->begin < earlier->end;
}

// All threads meet: only accesses in flight remain.
static void settle(struct pending *pending) {
    size_t kept = 0;
    for (size_t i = 0; i < pending->count; i++) {
        if (pending->accesses[i].commits != LANDED) {
            pending->accesses[kept++] = pending->accesses[i];
        }
    }
    pending->count = kept;
}

static void settle_in_warp(struct pending *pending) {
    for (size_t i = 0; i < pending->count; i++) {
        pending->accesses[i].met_in_warp |= !mlirOperationIsNull(pending->accesses[i].within);
    }
}

// A group of copies is closed, or a dot starts.
static void commit(struct pending *pending, bool by_dot) {
    for (size_t i = 0; i < pending->count; i++) {
        struct barrier_access *access = &pending->accesses[i];
        access->commits += access->by_dot == by_dot && access->commits < MAX_COMMITS;
    }
}

// At most `groups` of the last groups, or dots, stay in flight.
static void wait(struct pending *pending, int64_t groups, bool by_dot) {
    for (size_t i = 0; i < pending->count; i++) {
        struct barrier_access *access = &pending->accesses[i];
        bool lands = access->by_dot == by_dot && access->commits > groups;
        access->commits = lands ? LANDED : access->commits;
    }
}

// As wait() of dots in tensor memory, started by one thread for all: each thread waits for the dot itself, so its reads are behind
// all of them without a barrier.
static void wait_for_tensor_dots(struct pending *pending, int64_t dots) {
    size_t kept = 0;
    for (size_t i = 0; i < pending->count; i++) {
        const struct barrier_access *access = &pending->accesses[i];
        if (!access->by_dot || access->commits == LANDED || access->commits <= dots) {
            pending->accesses[kept++] = *access;
        }
    }
    pending->count = kept;
}

// The loop's slots no longer rotate.
static void leave(struct pending *pending, MlirOperation loop) {
    for (size_t i = 0; i < pending->count; i++) {
        if (mlirOperationEqual(pending->accesses[i].rotation, loop)) {
            pending->accesses[i].rotation = (MlirOperation){NULL};
        }
    }
}

// ---- accesses ----

// The loop carrying the slot's number; null if no loop does.
static MlirOperation rotation_of_index(struct ir *ir, MlirValue index) {
    if (mlirValueIsABlockArgument(index)) {
        MlirOperation owner = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(index));
        if (op_kind(ir, owner) == OP_FOR) {
            return owner;
        }
    }
    return (MlirOperation){NULL};
}

static MlirOperation rotation_of_buffer(struct ir *ir, MlirOperation buffer) {
    MlirOperation loop = {NULL};
    for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(buffer, 0));
         !mlirOpOperandIsNull(use) && mlirOperationIsNull(loop); use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        if (op_kind(ir, user) == OP_SMEM_SLOT) {
            loop = rotation_of_index(ir, smem_slot_index(user));
        }
    }
    return loop;
}

static struct barrier_access buffer_access(struct barriers *b, MlirValue handle, bool write) {
    struct ir *ir = b->context->ir;
    struct barrier_access access = {.buffer = shared_buffer(ir, handle), .write = write, .commits = LANDED};
    if (mlirOperationIsNull(access.buffer)) {
        bug("a shared-memory handle without a buffer");
    }
    unsigned bytes = shared_buffer_bytes(ir, access.buffer);
    access.begin = (unsigned)op_int(access.buffer, ATTR_OFFSET);
    access.end = access.begin + bytes;
    access.rotation = rotation_of_buffer(ir, access.buffer);
    MlirValue index = shared_slot(ir, handle);
    int64_t slot, stages = op_int(access.buffer, ATTR_STAGES);
    if (mlirValueIsNull(index)) {
        return access;
    }
    access.rotates = !mlirOperationIsNull(rotation_of_index(ir, index));
    if (value_is_constant_int(ir, index, &slot) && slot >= 0 && slot < stages) {
        access.begin += (unsigned)slot * (bytes / (unsigned)stages);
        access.end = access.begin + bytes / (unsigned)stages;
    }
    return access;
}

// The byte of the memory behind the pointers; GLOBAL - 1 if it is not known.
static unsigned byte_of(struct ir *ir, MlirValue pointers) {
    MlirValue argument = pointer_argument(ir, pointers), array = pointer_array(ir, pointers);
    return !mlirValueIsNull(argument) ? GLOBAL + (unsigned)mlirBlockArgumentGetArgNumber(argument)
           : !mlirValueIsNull(array)  ? BEHIND + (unsigned)mlirBlockArgumentGetArgNumber(array)
                                      : GLOBAL - 1;
}

// True if no two threads have the same element.
static bool in_one_thread(struct ir *ir, MlirType type) {
    const struct layout *layout = type_is_tensor(type) ? type_layout(ir, type) : NULL;
    if (!layout) {
        return false;
    }
    struct layout_point free = layout_free_bits(layout);
    return free.at[LAYOUT_LANE] == 0 && free.at[LAYOUT_WARP] == 0;
}

static struct barrier_access global_access(struct barriers *b, MlirValue pointers, bool write) {
    unsigned at = byte_of(b->context->ir, pointers);
    bool own = in_one_thread(b->context->ir, mlirValueGetType(pointers));
    return (struct barrier_access){.begin = at,
                                   .end = at + 1,
                                   .write = write,
                                   .commits = LANDED,
                                   .pointers = own ? pointers : (MlirValue){NULL},
                                   .tile = mlirValueGetType(pointers),
                                   .address = pointers,
                                   .several = !write && !own};
}

// The write of a bulk store, by the threads of its warpgroup with parts of the tile. It is not added to
// `pending`: behind it comes another program, or another bulk store with an order of its own.
static struct barrier_access bulk_access(MlirOperation store) {
    MlirAttribute known = tensor_map_of(bulk_store_map(store));
    MlirAttribute pointer = mlirAttributeIsNull(known) ? known : dictionary_attribute(known, ATTR_POINTER);
    unsigned at =
        GLOBAL + (unsigned)(mlirAttributeIsNull(pointer) ? -1 : mlirIntegerAttrGetValueInt(pointer));
    return (struct barrier_access){.begin = at,
                                   .end = at + 1,
                                   .write = true,
                                   .commits = LANDED,
                                   .tile = mlirValueGetType(bulk_store_tile(store))};
}

static void meet_before(struct barriers *b, MlirOperation op, struct pending *pending) {
    struct builder at = builder_before(b->context->ir, op);
    OP(&at, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    settle(pending);
}

static void meet_in_warp_before(struct barriers *b, MlirOperation op, struct pending *pending) {
    struct builder at = builder_before(b->context->ir, op);
    OP(&at, OP_BARRIER, NO_OPERANDS, NO_RESULTS, ATTRS(attr_unit(&at, ATTR_EACH_WARP)));
    settle_in_warp(pending);
}

// Builds a barrier before `op` if an earlier access conflicts with it, and a wait before the barrier if the earlier
// access is in flight.
static void order(struct barriers *b, MlirOperation op, struct pending *pending,
                  const struct barrier_access *access) {
    bool hazard = false, under_way = false, in_warp = false;
    for (size_t i = 0; i < pending->count; i++) {
        in_warp |= same_in_warp(&pending->accesses[i], access) && !pending->accesses[i].met_in_warp;
        if (conflict(b->context->ir, &pending->accesses[i], access)) {
            hazard = true;
            under_way |= pending->accesses[i].commits != LANDED && !pending->accesses[i].by_dot;
        }
    }
    if (under_way) {
        struct builder at = builder_before(b->context->ir, op);
        OP(&at, OP_ASYNC_WAIT, NO_OPERANDS, NO_RESULTS, ATTRS(attr_i32(&at, ATTR_PENDING, 0)));
        wait(pending, 0, false);
    }
    if (hazard) {
        meet_before(b, op, pending);
    } else if (in_warp) {
        meet_in_warp_before(b, op, pending);
    }
}

// ---- the walk ----

static void walk_block(struct barriers *b, MlirBlock block, struct pending *pending);

static void walk_if(struct barriers *b, MlirOperation op, struct pending *pending) {
    struct pending other = copy_of(b, pending);
    MlirBlock otherwise = op_body(op, 1);
    walk_block(b, op_body(op, 0), pending);
    if (!mlirBlockIsNull(otherwise)) {
        walk_block(b, otherwise, &other);
    }
    merge(b, pending, &other);
}

static bool is_made_in(MlirValue value, MlirOperation loop) {
    MlirOperation op = mlirValueIsABlockArgument(value)
                           ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
                           : mlirOperationGetParentOperation(value_op(value));
    while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, loop)) {
        op = mlirOperationGetParentOperation(op);
    }
    return !mlirOperationIsNull(op);
}

// Merges the state at the end of an iteration into the state at the loop's start.
static bool come_round(struct barriers *b, MlirOperation loop, struct pending *start, struct pending *end) {
    for (size_t i = 0; i < end->count; i++) {
        struct barrier_access *access = &end->accesses[i];
        if (!mlirValueIsNull(access->address) && is_made_in(access->address, loop)) {
            access->address = access->pointers = (MlirValue){NULL};
        }
    }
    return merge(b, start, end);
}

static void meet_behind_wait(struct barriers *b, MlirOperation op, struct pending *pending);

static void walk_for(struct barriers *b, MlirOperation op, struct pending *pending) {
    meet_behind_wait(b, op, pending);
    for (bool more = true; more;) {
        struct pending end = copy_of(b, pending);
        walk_block(b, op_body(op, 0), &end);
        more = come_round(b, op, pending, &end);
    }
    leave(pending, op);
}

// Nobody writes an array of addresses meanwhile.
static bool is_global(enum op_kind kind, MlirOperation op) {
    return kind == OP_STORE || op_is_atomic(kind) || (kind == OP_LOAD && !op_has(op, ATTR_ADDRESSES));
}

// The access of a load done by each warp for itself.
static struct barrier_access waiting_access(struct barriers *b, MlirOperation op) {
    enum op_kind kind = op_kind(b->context->ir, op);
    struct barrier_access access = global_access(b, access_pointer(op), kind != OP_LOAD);
    access.atomic = op_is_atomic(kind);
    access.waits = true;
    return access;
}

// Meets ahead of a loop left by each warp by itself (passes/latency/waits.c) if an access ahead of it conflicts with
// one of its loads: within the loop the warps do not meet.
static void meet_ahead_of_waits(struct barriers *b, MlirOperation op, struct pending *pending) {
    size_t count;
    MlirOperation *ops = ops_collect(b->context->ir, b->context->arena, op, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_has(ops[i], ATTR_EACH_WARP)) {
            struct barrier_access access = waiting_access(b, ops[i]);
            order(b, op, pending, &access);
        }
    }
}

static void touch_scratch(struct barriers *b, MlirOperation op, struct pending *pending);

// An access of one thread's loop (passes/latency/lone_loops.c).
static struct barrier_access lone_access(struct barriers *b, enum op_kind kind, MlirOperation op) {
    struct barrier_access access = global_access(b, access_pointer(op), kind != OP_LOAD);
    access.atomic = op_is_atomic(kind);
    access.first = true;
    return access;
}

// Lets the block meet ahead of a loop with a release, unless it has just met for it.
static void release_ahead(struct barriers *b, MlirOperation loop, enum memory_scope scope,
                          struct pending *pending) {
    bool met = false;
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(loop));
         !mlirOperationEqual(op, loop); op = mlirOperationGetNextInBlock(op)) {
        bool meets = op_kind(b->context->ir, op) == OP_BARRIER && !op_has(op, ATTR_EACH_WARP);
        met = meets && (met || (op_has(op, ATTR_SCOPE) && op_memory_scope(op) == scope));
    }
    if (!met) {
        struct builder at = builder_before(b->context->ir, loop);
        OP(&at, OP_BARRIER, NO_OPERANDS, NO_RESULTS,
           ATTRS(attr_string(&at, ATTR_SCOPE, word_text(WORDS_SCOPE, scope))));
        settle(pending);
    }
}

// True if the op of one thread's loop changes memory.
static bool changes_memory(enum op_kind kind, MlirOperation op) {
    return kind == OP_STORE ||
           (op_is_atomic(kind) && !(kind == OP_ATOMIC_RMW && op_rmw_operation(op) == RMW_LOAD));
}

// True if other threads than the first have accessed global memory since the block last met.
static bool others_have_accessed(const struct pending *pending) {
    bool any = false;
    for (size_t i = 0; i < pending->count; i++) {
        any |= !mlirTypeIsNull(pending->accesses[i].tile) && !pending->accesses[i].first;
    }
    return any;
}

// Lets the block meet ahead of one thread's loop, if the loop conflicts with an access of other threads, releases their writes, or changes
// memory after their accesses: within the loop nobody meets. And behind it, if the loop's results are not handed on there.
static void walk_lone(struct barriers *b, MlirOperation op, struct pending *pending) {
    size_t count;
    MlirOperation *ops = ops_collect(b->context->ir, b->context->arena, op, &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(b->context->ir, ops[i]);
        if (op_is_atomic(kind) && (op_memory_order(ops[i]) & ORDER_RELEASE)) {
            release_ahead(b, op, op_memory_scope(ops[i]), pending);
        } else if (is_global(kind, ops[i])) {
            struct barrier_access access = lone_access(b, kind, ops[i]);
            order(b, op, pending, &access);
            if (changes_memory(kind, ops[i]) && others_have_accessed(pending)) {
                meet_before(b, op, pending);
            }
        }
    }
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (op_has(op, ATTR_SCRATCH)) {
        touch_scratch(b, op, pending);
    } else if (op_kind(b->context->ir, next) != OP_BARRIER) {
        struct builder at = builder_after(b->context->ir, op);
        OP(&at, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    }
}

static void walk_while(struct barriers *b, MlirOperation op, struct pending *pending) {
    struct pending leaving;
    if (op_has(op, ATTR_ONE_THREAD)) {
        walk_lone(b, op, pending);
        return;
    }
    if (op_has(op, ATTR_EACH_WARP)) {
        meet_ahead_of_waits(b, op, pending);
    }
    for (bool more = true; more;) {
        struct pending end = copy_of(b, pending);
        walk_block(b, op_body(op, 0), &end);
        leaving = copy_of(b, &end);
        walk_block(b, op_body(op, 1), &end);
        more = come_round(b, op, pending, &end);
    }
    *pending = leaving;
}

static void touch_scratch(struct barriers *b, MlirOperation op, struct pending *pending) {
    struct barrier_access access = {
        .begin = (unsigned)op_int(op, ATTR_SCRATCH), .write = true, .commits = LANDED};
    access.end = access.begin + scratch_bytes(b->context->ir, b->context->target, b->num_warps, op);
    if (scratch_meets_in_warp(b->context->ir, b->context->target, op)) {
        access.within = op;
        order(b, op, pending, &access);
        settle_in_warp(pending);
        add(b, pending, access);
        return;
    }
    order(b, op, pending, &access);
    settle(pending);
    access.write = false;
    add(b, pending, access);
}

// True if some threads have to wait by the op, and the others have not met them behind it.
static bool waits_apart(struct barriers *b, enum op_kind kind, MlirOperation op) {
    bool polls = kind == OP_ATOMIC_POLL && (op_memory_order(op) & ORDER_ACQUIRE);
    return op_has(op, ATTR_EACH_WARP) ||
           (polls && !op_has(op, ATTR_SCRATCH) &&
            !in_one_thread(b->context->ir, mlirValueGetType(access_pointer(op))));
}

static void walk_plain(struct barriers *b, MlirOperation op, struct pending *pending) {
    enum op_kind kind = op_kind(b->context->ir, op);
    bool atomic = op_is_atomic(kind), global = is_global(kind, op);
    struct barrier_access access = {0};
    if (global) {
        access = global_access(b, access_pointer(op), kind != OP_LOAD);
        access.atomic = atomic;
        access.first = !type_is_tensor(access.tile) && !op_has(op, ATTR_EACH_WARP) &&
                       (atomic || (kind == OP_LOAD && load_is_volatile(op)));
        access.waits = waits_apart(b, kind, op);
        if (!op_has(mlirOperationGetParentOperation(op), ATTR_EACH_WARP)) { // else walk_while has
            order(b, op, pending, &access);
        }
    }
    if (op_has(op, ATTR_SCRATCH)) {
        touch_scratch(b, op, pending);
    }
    if (global) {
        access.pointers = access.write ? access.pointers : (MlirValue){NULL}; // not compared for reads
        access.met = op_has(op, ATTR_SCRATCH);
        access.acquires = access.waits;
        add(b, pending, access);
    }
}

// Meets ahead of a loop with accesses to memory, once, rather than in each of its turns.
static void meet_behind_wait(struct barriers *b, MlirOperation op, struct pending *pending) {
    bool waits = false, accesses = false;
    for (size_t i = 0; i < pending->count; i++) {
        waits |= pending->accesses[i].acquires;
    }
    size_t count = 0;
    MlirOperation *ops = waits ? ops_collect(b->context->ir, b->context->arena, op, &count) : NULL;
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(b->context->ir, ops[i]);
        accesses |= is_global(kind, ops[i]) && !waits_apart(b, kind, ops[i]);
    }
    if (accesses) {
        struct builder at = builder_before(b->context->ir, op);
        OP(&at, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
        settle(pending);
    }
}

static void walk_op(struct barriers *b, MlirOperation op, struct pending *pending) {
    enum op_kind kind = op_kind(b->context->ir, op);
    struct barrier_access access;
    switch (kind) {
    case OP_BARRIER:
        if (op_has(op, ATTR_EACH_WARP)) {
            settle_in_warp(pending);
            return;
        }
        // fall through
    case OP_SLICES_GIVE: // all slices meet
        settle(pending);
        return;
    case OP_FOR:
        walk_for(b, op, pending);
        return;
    case OP_WHILE:
        walk_while(b, op, pending);
        return;
    case OP_IF:
        walk_if(b, op, pending);
        return;
    case OP_SPECIALISE: // its roles start behind a barrier; mbarriers order their common slots
        settle(pending);
        // One thread runs the first region, unless it gathers.
        for (intptr_t r = op_has(mlirOperationGetParentOperation(op), ATTR_GATHERS) ? 0 : 1;
             r < mlirOperationGetNumRegions(op); r++) {
            struct pending own = copy_of(b, pending);
            walk_block(b, op_body(op, (int)r), &own);
        }
        return;
    case OP_ASYNC_COMMIT:
        commit(pending, false);
        return;
    case OP_ASYNC_WAIT:
        wait(pending, op_int(op, ATTR_PENDING), false);
        return;
    case OP_DOT_WAIT:
        wait(pending, op_int(op, ATTR_PENDING), true);
        return;
    case OP_TENSOR_WAIT:
        wait_for_tensor_dots(pending, op_int(op, ATTR_PENDING));
        return;
    case OP_ASYNC_COPY:
        access = global_access(b, async_copy_pointer(op), false);
        order(b, op, pending, &access);
        access.pointers = (MlirValue){NULL};
        access.commits = 0;
        add(b, pending, access);
        // fall through
    case OP_SMEM_LOAD:
    case OP_SMEM_GATHER:
    case OP_SMEM_STORE:
    case OP_SMEM_ROUND:
        access = buffer_access(b, slot_user_slot(op), kind != OP_SMEM_LOAD && kind != OP_SMEM_GATHER);
        order(b, op, pending, &access);
        access.commits = kind == OP_ASYNC_COPY ? 0 : LANDED;
        add(b, pending, access);
        return;
    case OP_BULK_STORE:
        access = bulk_access(op);
        order(b, op, pending, &access);
        return;
    case OP_SHARED_DOT:
        for (intptr_t i = 0; i < 2; i++) {
            access = buffer_access(b, mlirOperationGetOperand(op, i), false);
            order(b, op, pending, &access);
            access.commits = LANDED;
            add(b, pending, access);
        }
        return;
    case OP_WARPGROUP_DOT:
    case OP_TENSOR_DOT:
        for (intptr_t i = 0; i < 2; i++) {
            if (type_is_shared(b->context->ir, mlirValueGetType(mlirOperationGetOperand(op, i)))) {
                access = buffer_access(b, mlirOperationGetOperand(op, i), false);
                order(b, op, pending, &access);
                access.by_dot = true;
                access.commits = 0;
                add(b, pending, access);
            }
        }
        commit(pending, true);
        return;
    default:
        walk_plain(b, op, pending);
    }
}

static void walk_block(struct barriers *b, MlirBlock block, struct pending *pending) {
    for (MlirOperation op = mlirBlockGetFirstOperation(block), next; !mlirOperationIsNull(op); op = next) {
        next = mlirOperationGetNextInBlock(op);
        walk_op(b, op, pending);
    }
}

void pass_barriers(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        struct barriers b = {.context = context, .num_warps = (unsigned)op_int(op, ATTR_NUM_WARPS)};
        struct pending pending = {0};
        walk_block(&b, op_body(op, 0), &pending);
    }
}
