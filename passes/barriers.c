// barriers: block barriers between ops that touch the same bytes of shared memory.
//
//   %a = tk.convert_layout %x {scratch = 0}         %a = tk.convert_layout %x {scratch = 0}
//   %b = tk.convert_layout %y {scratch = 0}    →    tk.barrier
//                                                   %b = tk.convert_layout %y {scratch = 0}
//
// An op with scratch writes it, meets the other threads inside its own lowering and reads it: what it leaves
// behind is a read of its bytes, and everything before it is settled. Buffers of the pipeline order their own
// slots, so two accesses to one buffer are no hazard here. The walk carries the accesses since the last
// barrier; loop bodies are walked with what their own end leaves behind, until that is stable.
//
// requires: offsets from shared_alloc
// provides: an order of accesses to shared memory without races
// test:     tests/golden/passes/barriers
#include "passes/shared_ranges.h"

#include <string.h>

#include "ir/build.h"
#include "chip/scratch.h"

enum { MAX_PENDING = 64 };

struct access {
    unsigned begin, end;
    bool write;
    MlirOperation buffer; // null for scratch
};

struct pending {
    struct access accesses[MAX_PENDING];
    size_t count;
    bool overflow; // more than the table holds: everything is a hazard
};

struct barriers {
    struct pass_context *context;
    unsigned num_warps;
};

static void add(struct pending *pending, struct access access) {
    for (size_t i = 0; i < pending->count; i++) {
        const struct access *known = &pending->accesses[i];
        if (known->begin == access.begin && known->end == access.end && known->write == access.write &&
            known->buffer.ptr == access.buffer.ptr) {
            return;
        }
    }
    if (pending->count == MAX_PENDING) {
        pending->overflow = true;
        return;
    }
    pending->accesses[pending->count++] = access;
}

static void merge(struct pending *into, const struct pending *from) {
    for (size_t i = 0; i < from->count; i++) {
        add(into, from->accesses[i]);
    }
    into->overflow |= from->overflow;
}

static bool conflicts(const struct pending *pending, const struct access *access) {
    if (pending->overflow) {
        return true;
    }
    for (size_t i = 0; i < pending->count; i++) {
        const struct access *other = &pending->accesses[i];
        bool same_buffer =
            !mlirOperationIsNull(access->buffer) && mlirOperationEqual(access->buffer, other->buffer);
        if (!same_buffer && (access->write || other->write) && access->begin < other->end &&
            other->begin < access->end) {
            return true;
        }
    }
    return false;
}

static struct access buffer_access(struct barriers *b, MlirValue handle, bool write) {
    struct access access;
    memset(&access, 0, sizeof access);
    access.buffer = shared_buffer(b->context->ir, handle);
    access.write = write;
    if (mlirOperationIsNull(access.buffer)) {
        bug("a shared-memory handle without a buffer");
    }
    access.begin = (unsigned)op_int(access.buffer, "offset", 0);
    access.end = access.begin + shared_buffer_bytes(b->context->ir, access.buffer);
    return access;
}

static void barrier_before(struct barriers *b, MlirOperation op, struct pending *pending) {
    struct builder at = builder_before(b->context->ir, op);
    OP(&at, "tk.barrier", NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    pending->count = 0;
    pending->overflow = false;
}

static void walk_block(struct barriers *b, MlirBlock block, struct pending *pending);

static void walk_regions(struct barriers *b, MlirOperation op, enum op_kind kind, struct pending *pending) {
    if (kind == OP_IF) {
        struct pending other = *pending;
        walk_block(b, op_body(op, 0), pending);
        MlirBlock otherwise = op_body(op, 1);
        if (!mlirBlockIsNull(otherwise)) {
            walk_block(b, otherwise, &other);
        }
        merge(pending, &other);
        return;
    }
    for (bool changed = true; changed;) { // a loop: its end flows to its start
        struct pending before = *pending;
        for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
            walk_block(b, op_body(op, (int)r), pending);
        }
        struct pending joined = before;
        merge(&joined, pending);
        changed = joined.count != before.count || joined.overflow != before.overflow;
        *pending = joined;
    }
}

static void walk_op(struct barriers *b, MlirOperation op, struct pending *pending) {
    enum op_kind kind = op_kind(b->context->ir, op);
    struct access access;
    switch (kind) {
    case OP_BARRIER:
        pending->count = 0;
        pending->overflow = false;
        return;
    case OP_FOR:
    case OP_WHILE:
    case OP_IF:
        walk_regions(b, op, kind, pending);
        return;
    case OP_SMEM_LOAD:
    case OP_SMEM_STORE:
    case OP_ASYNC_COPY:
        access = buffer_access(b, mlirOperationGetOperand(op, 0), kind != OP_SMEM_LOAD);
        if (conflicts(pending, &access)) {
            barrier_before(b, op, pending);
        }
        add(pending, access);
        return;
    default:
        break;
    }
    if (!op_has(op, "scratch")) {
        return;
    }
    memset(&access, 0, sizeof access);
    access.begin = (unsigned)op_int(op, "scratch", 0);
    access.end = access.begin + scratch_bytes(b->context->ir, b->context->target, b->num_warps, op);
    access.write = true;
    if (conflicts(pending, &access)) {
        barrier_before(b, op, pending);
    }
    pending->count = 0;
    pending->overflow = false;
    access.write = false;
    add(pending, access);
}

static void walk_block(struct barriers *b, MlirBlock block, struct pending *pending) {
    for (MlirOperation op = mlirBlockGetFirstOperation(block), next; !mlirOperationIsNull(op); op = next) {
        next = mlirOperationGetNextInBlock(op);
        walk_op(b, op, pending);
    }
}

void pass_barriers(struct pass_context *context, MlirModule module);

void pass_barriers(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        struct barriers b = {.context = context, .num_warps = (unsigned)op_int(op, "tk.num_warps", 4)};
        struct pending pending;
        memset(&pending, 0, sizeof pending);
        walk_block(&b, op_body(op, 0), &pending);
    }
}
