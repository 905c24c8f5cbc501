// barriers: block barriers between ops that touch the same bytes of shared memory.
//
//   %a = tk.convert_layout %x {scratch = 0}         %a = tk.convert_layout %x {scratch = 0}
//   %b = tk.convert_layout %y {scratch = 0}    →    tk.barrier
//                                                   %b = tk.convert_layout %y {scratch = 0}
//
// The walk carries what has been touched since the last barrier. An op with scratch writes it, meets the
// other threads inside its own lowering and reads it: what it leaves behind is a read of its bytes, and
// everything before it is settled. A barrier does not settle asynchronous copies that their thread has not
// waited for: they may land after it. Nor does it settle what dots of warpgroups read that are under way: each warpgroup waits
// for its own behind it.
//
// A loop is walked with what flows back from its end until that is stable. What leaves a `for` is the state
// of its end or, if it never runs, of its start; what leaves a `while` is the state of its condition.
//
// A program also reads back what it stored to global memory, where another thread may have been the one that stored it:
// between a store and a later load or atomic of the same argument stands a barrier, and between an atomic and a later load, unless
// both have the same pointers, each of them in one thread, so that each thread reads its own; pointers that a loop makes are others
// in its next step. Scalar atomics and volatile loads are done by one thread for all, and need none; nor do atomics whose results
// are handed over, as the threads meet for that. One stands, too,
// between a load of what several threads hold, each for itself, and a later store to the same argument, and between a copy under way
// and one, which waits for it. And one stands between two
// accesses of one argument by tiles of one shape that are spread over the threads in different ways, unless both are loads: a
// program may count on them to be done in its order, element by element, as they are where each thread does its own; a bulk store
// is one by the threads that hold the tile. Pointers that
// are followed to no argument may be of any. What other arguments alias, and other stores after loads, the program orders itself
// (tl.debug_barrier).
//
// One thing is left to others: while a pipelined loop runs, its slots rotate, and the pipeline's waits and
// barriers order what touches them. Once the loop is left its accesses count like all others: an outer loop
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

// Of asynchronous copies: how many groups were closed since; of dots of warpgroups: how many were started. Counting stops short
// of LANDED.
enum { LANDED = 255, MAX_COMMITS = 254 };

// Global memory of argument number n is the byte GLOBAL + n.
enum { GLOBAL = 1 << 30 };

struct access {
    unsigned begin, end;
    bool write;
    MlirOperation buffer;   // null for scratch
    MlirOperation rotation; // the loop in which the buffer's slots rotate; null: none, or it was left
    unsigned commits;       // LANDED for all but asynchronous copies and dots of warpgroups under way
    bool by_dot;            // read by a dot of a warpgroup
    bool rotates;           // of the access itself: its slot is one of that loop's
    MlirValue pointers;     // of global memory, where each is in one thread; else null
    MlirType tile;          // of pointers to global memory; else null
    bool several;           // threads load an element of it, each for itself
    bool atomic;
    bool first; // the block's first thread does it for all
    bool met;   // all threads have met behind the atomic
};

struct pending {
    struct access *accesses;
    size_t count, capacity;
};

struct barriers {
    struct pass_context *context;
    unsigned num_warps;
};

// ---- what was touched since the last barrier ----

static bool same_access(const struct access *a, const struct access *b) {
    return a->begin == b->begin && a->end == b->end && a->write == b->write &&
           a->buffer.ptr == b->buffer.ptr && a->rotation.ptr == b->rotation.ptr && a->by_dot == b->by_dot &&
           a->pointers.ptr == b->pointers.ptr && a->tile.ptr == b->tile.ptr && a->several == b->several &&
           a->atomic == b->atomic && a->first == b->first && a->met == b->met;
}

// Of two accesses that differ in their commits only, the one that lands later stands for both. True when
// `pending` says more than before.
static bool add(struct barriers *b, struct pending *pending, struct access access) {
    for (size_t i = 0; i < pending->count; i++) {
        struct access *known = &pending->accesses[i];
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

// Whether tiles of one shape are spread over the threads in different ways.
static bool in_other_threads(struct ir *ir, MlirType x, MlirType y) {
    if (!type_is_tensor(x) || !type_is_tensor(y) || type_rank(x) != type_rank(y)) {
        return false;
    }
    for (int d = 0; d < type_rank(x); d++) {
        if (type_extent(x, d) != type_extent(y, d)) {
            return false;
        }
    }
    return !layout_equal(type_layout(ir, x), type_layout(ir, y));
}

// Of accesses to global memory, one of which writes. The argument of those in front of GLOBAL is not known.
static bool conflict_in_memory(struct ir *ir, const struct access *earlier, const struct access *access) {
    bool known = earlier->begin >= GLOBAL && access->begin >= GLOBAL; // else it may be any
    if (known && earlier->begin != access->begin) {
        return false;
    }
    bool same = !mlirValueIsNull(access->pointers) && mlirValueEqual(earlier->pointers, access->pointers);
    same |= earlier->first && access->first;
    bool reads = earlier->atomic ? !access->write && !earlier->met : !access->write || access->atomic;
    bool reads_back = earlier->write && reads && !same;
    bool read_later = access->write && (earlier->several || earlier->commits != LANDED);
    return in_other_threads(ir, earlier->tile, access->tile) || read_later || reads_back;
}

static bool conflict(struct ir *ir, const struct access *earlier, const struct access *access) {
    if (!earlier->write && !access->write) {
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

// Every thread meets the others: what is under way stays so.
static void settle(struct pending *pending) {
    size_t kept = 0;
    for (size_t i = 0; i < pending->count; i++) {
        if (pending->accesses[i].commits != LANDED) {
            pending->accesses[kept++] = pending->accesses[i];
        }
    }
    pending->count = kept;
}

// A group of copies was closed, or a dot started.
static void commit(struct pending *pending, bool by_dot) {
    for (size_t i = 0; i < pending->count; i++) {
        struct access *access = &pending->accesses[i];
        access->commits += access->by_dot == by_dot && access->commits < MAX_COMMITS;
    }
}

// At most `groups` of the last groups, or dots, are still under way.
static void wait(struct pending *pending, int64_t groups, bool by_dot) {
    for (size_t i = 0; i < pending->count; i++) {
        struct access *access = &pending->accesses[i];
        bool lands = access->by_dot == by_dot && access->commits > groups;
        access->commits = lands ? LANDED : access->commits;
    }
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

// The loop that carries the slot's number round; null for other numbers.
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

static struct access buffer_access(struct barriers *b, MlirValue handle, bool write) {
    struct ir *ir = b->context->ir;
    struct access access = {.buffer = shared_buffer(ir, handle), .write = write, .commits = LANDED};
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

// The number of the kernel's argument that pointers count from; -1 where that is not known.
static int argument_of(struct ir *ir, MlirValue pointers) {
    MlirValue argument = pointer_argument(ir, pointers);
    return mlirValueIsNull(argument) ? -1 : (int)mlirBlockArgumentGetArgNumber(argument);
}

// Whether no two threads have the same element.
static bool in_one_thread(struct ir *ir, MlirType type) {
    const struct layout *layout = type_is_tensor(type) ? type_layout(ir, type) : NULL;
    if (!layout) {
        return false;
    }
    struct layout_point free = layout_free_bits(layout);
    return free.at[LAYOUT_LANE] == 0 && free.at[LAYOUT_WARP] == 0;
}

static struct access global_access(struct barriers *b, MlirValue pointers, bool write) {
    unsigned at = GLOBAL + (unsigned)argument_of(b->context->ir, pointers);
    bool own = in_one_thread(b->context->ir, mlirValueGetType(pointers));
    return (struct access){.begin = at,
                           .end = at + 1,
                           .write = write,
                           .commits = LANDED,
                           .pointers = own ? pointers : (MlirValue){NULL},
                           .tile = mlirValueGetType(pointers),
                           .several = !write && !own};
}

// What a bulk store writes, by its warpgroup's threads as they hold the tile. It need not be kept: what comes behind it is
// another program, or another bulk store, which has its own order.
static struct access bulk_access(MlirOperation store) {
    MlirValue map = bulk_store_map(store);
    MlirOperation function = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(map));
    MlirAttribute known = argument_attribute(function, mlirBlockArgumentGetArgNumber(map), ATTR_TENSOR_MAP);
    MlirAttribute pointer = mlirAttributeIsNull(known) ? known : dictionary_attribute(known, ATTR_POINTER);
    unsigned at =
        GLOBAL + (unsigned)(mlirAttributeIsNull(pointer) ? -1 : mlirIntegerAttrGetValueInt(pointer));
    return (struct access){.begin = at,
                           .end = at + 1,
                           .write = true,
                           .commits = LANDED,
                           .tile = mlirValueGetType(bulk_store_tile(store))};
}

// Before `op`: a barrier if what it touches was touched, and a wait if that is under way.
static void order(struct barriers *b, MlirOperation op, struct pending *pending,
                  const struct access *access) {
    bool hazard = false, under_way = false;
    for (size_t i = 0; i < pending->count; i++) {
        if (conflict(b->context->ir, &pending->accesses[i], access)) {
            hazard = true;
            under_way |= pending->accesses[i].commits != LANDED && !pending->accesses[i].by_dot;
        }
    }
    struct builder at = builder_before(b->context->ir, op);
    if (under_way) {
        OP(&at, OP_ASYNC_WAIT, NO_OPERANDS, NO_RESULTS, ATTRS(attr_i32(&at, ATTR_PENDING, 0)));
        wait(pending, 0, false);
    }
    if (hazard) {
        OP(&at, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
        settle(pending);
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

// What one step of the loop leaves for the next one.
static bool come_round(struct barriers *b, MlirOperation loop, struct pending *start, struct pending *end) {
    for (size_t i = 0; i < end->count; i++) {
        MlirValue *pointers = &end->accesses[i].pointers;
        if (!mlirValueIsNull(*pointers) && is_made_in(*pointers, loop)) {
            *pointers = (MlirValue){NULL};
        }
    }
    return merge(b, start, end);
}

static void walk_for(struct barriers *b, MlirOperation op, struct pending *pending) {
    for (bool more = true; more;) {
        struct pending end = copy_of(b, pending);
        walk_block(b, op_body(op, 0), &end);
        more = come_round(b, op, pending, &end);
    }
    leave(pending, op);
}

static void walk_while(struct barriers *b, MlirOperation op, struct pending *pending) {
    struct pending leaving;
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
    struct access access = {.begin = (unsigned)op_int(op, ATTR_SCRATCH), .write = true, .commits = LANDED};
    access.end = access.begin + scratch_bytes(b->context->ir, b->context->target, b->num_warps, op);
    order(b, op, pending, &access);
    settle(pending);
    access.write = false;
    add(b, pending, access);
}

static void walk_plain(struct barriers *b, MlirOperation op, struct pending *pending) {
    enum op_kind kind = op_kind(b->context->ir, op);
    bool atomic = kind == OP_ATOMIC_RMW || kind == OP_ATOMIC_CAS;
    bool global = kind == OP_LOAD || kind == OP_STORE || atomic;
    struct access access = {0};
    if (global) {
        access = global_access(b, access_pointer(op), kind != OP_LOAD);
        access.atomic = atomic;
        access.first = !type_is_tensor(access.tile) && (atomic || (kind == OP_LOAD && load_is_volatile(op)));
        order(b, op, pending, &access);
    }
    if (op_has(op, ATTR_SCRATCH)) {
        touch_scratch(b, op, pending);
    }
    if (global) {
        access.pointers = access.write ? access.pointers : (MlirValue){NULL}; // nobody asks which were read
        access.met = op_has(op, ATTR_SCRATCH);
        add(b, pending, access);
    }
}

static void walk_op(struct barriers *b, MlirOperation op, struct pending *pending) {
    enum op_kind kind = op_kind(b->context->ir, op);
    struct access access;
    switch (kind) {
    case OP_BARRIER:
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
    case OP_SPECIALISE: // its roles start once all threads have met; mbarriers order what they share
        settle(pending);
        for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
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
    case OP_WARPGROUP_DOT:
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
