// The work of each loop's body, by source line: copies, waits, reads, products, stores. Warps of their own for copies have their part of
// a loop apart in the IR (tk.specialise); both parts come from one line of the source and are one loop here.
#include <string.h>

#include "passes/shared/shared_ranges.h"
#include "report/gather.h"

static bool is_special(enum op_kind kind) {
    return kind == OP_EXP2 || kind == OP_LOG2 || kind == OP_SQRT || kind == OP_RSQRT || kind == OP_DIVF;
}

// The op's kind of work. False: it takes no time to speak of.
static bool doing_of(struct ir *ir, MlirOperation op, enum report_doing *doing) {
    enum op_kind kind = op_kind(ir, op);
    switch (kind) {
    case OP_ASYNC_WAIT:
    case OP_BARRIER:
    case OP_MBARRIER_WAIT:
        *doing = DOING_WAIT;
        return true;
    case OP_ASYNC_COPY:
    case OP_GATHER_LOAD:
    case OP_BULK_LOAD:
        *doing = DOING_COPY;
        return true;
    case OP_LOAD:
        *doing = DOING_LOAD;
        return true;
    case OP_SMEM_LOAD:
    case OP_SMEM_GATHER:
        *doing = DOING_READ;
        return true;
    case OP_SMEM_STORE:
        *doing = DOING_WRITE;
        return true;
    case OP_WARPGROUP_DOT:
        *doing = DOING_MATRIX;
        return true;
    case OP_DOT:
    case OP_SHARED_DOT:
        *doing = op_string(op, ATTR_INSTRUCTION).data ? DOING_MATRIX : DOING_PRODUCT;
        return true;
    case OP_REDUCE:
    case OP_SCAN:
        *doing = DOING_REDUCE;
        return true;
    case OP_STORE:
    case OP_BULK_STORE:
        *doing = DOING_STORE;
        return true;
    default:
        *doing = op_is_atomic(kind) ? DOING_ATOMIC : DOING_SPECIAL;
        return op_is_atomic(kind) || (is_special(kind) && mlirOperationGetNumResults(op) &&
                                      type_is_tensor(mlirValueGetType(mlirOperationGetResult(op, 0))));
    }
}

// The slots of a copy's buffer.
static unsigned slots_of(struct ir *ir, MlirOperation copy) {
    MlirOperation alloc = shared_buffer(ir, leading_operand(copy));
    return mlirOperationIsNull(alloc) ? 0 : (unsigned)op_int(alloc, ATTR_STAGES);
}

// True for ops on the copying side of tk.specialise.
static bool is_by_producer(struct ir *ir, MlirOperation op) {
    for (MlirOperation up = op; !mlirOperationIsNull(up) && op_kind(ir, up) != OP_FUNC;
         up = mlirOperationGetParentOperation(up)) {
        MlirOperation parent = mlirOperationGetParentOperation(up);
        if (!mlirOperationIsNull(parent) && op_kind(ir, parent) == OP_SPECIALISE) {
            return mlirBlockEqual(mlirOperationGetBlock(up), op_body(parent, 0));
        }
    }
    return false;
}

static MlirOperation loop_of(struct ir *ir, MlirOperation op) {
    do {
        op = mlirOperationGetParentOperation(op);
    } while (!mlirOperationIsNull(op) && op_kind(ir, op) != OP_FOR && op_kind(ir, op) != OP_WHILE);
    return op;
}

static unsigned depth_of(struct ir *ir, MlirOperation loop) {
    unsigned depth = 0;
    for (loop = loop_of(ir, loop); !mlirOperationIsNull(loop); loop = loop_of(ir, loop)) {
        depth++;
    }
    return depth;
}

static struct report_loop *loop_at(struct report_kernel *kernel, unsigned line, unsigned depth) {
    for (size_t i = 0; i < kernel->loop_count; i++) {
        if (kernel->loops[i].line == line && kernel->loops[i].depth == depth) {
            return &kernel->loops[i];
        }
    }
    kernel->loops[kernel->loop_count] =
        (struct report_loop){.line = line, .depth = depth, .over_programs = kernel->persistent && depth == 0};
    return &kernel->loops[kernel->loop_count++];
}

static void add_action(struct gathering *g, struct report_loop *loop, struct report_action action) {
    for (size_t i = 0; i < loop->count; i++) {
        struct report_action *known = &loop->actions[i];
        if (known->doing == action.doing && known->line == action.line &&
            known->by_producer == action.by_producer) {
            known->count++;
            return;
        }
    }
    action.count = 1;
    loop->actions = arena_grown(g->arena, loop->actions, loop->count, &loop->capacity, sizeof *loop->actions);
    loop->actions[loop->count++] = action;
}

static void note_decision(struct gathering *g, struct report_loop *loop, MlirOperation op) {
    MlirStringRef text = op_string(op, ATTR_PIPELINE);
    if (text.data && !loop->decision) {
        loop->decision = arena_strndup(g->arena, text.data, text.length);
    }
}

void gather_loops(struct gathering *g) {
    struct report_kernel *kernel = g->kernel;
    kernel->loops = ARENA_ARRAY(g->arena, struct report_loop, g->count + 1);
    for (size_t i = 0; i < g->count; i++) {
        enum report_doing doing;
        MlirOperation loop = loop_of(g->ir, g->ops[i]);
        if (mlirOperationIsNull(loop) || !doing_of(g->ir, g->ops[i], &doing)) {
            continue;
        }
        unsigned line = gather_line(g->ir, g->ops[i], g->source), at = gather_line(g->ir, loop, g->source);
        struct report_loop *known = loop_at(kernel, at, depth_of(g->ir, loop));
        bool producer = is_by_producer(g->ir, g->ops[i]);
        if (!producer && known->seen != loop.ptr) {
            known->copies++;
            known->seen = loop.ptr;
        }
        unsigned slots = doing == DOING_COPY ? slots_of(g->ir, g->ops[i]) : 0;
        known->slots = slots > known->slots ? slots : known->slots;
        known->has_producer |= producer;
        note_decision(g, known, loop);
        add_action(g, known, (struct report_action){.doing = doing, .line = line, .by_producer = producer});
    }
}
