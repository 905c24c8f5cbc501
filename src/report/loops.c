// The work of each loop's body, by source line: copies, waits, reads, products, stores. Warps of their own for copies have their part of
// a loop apart in the IR (tk.specialise); both parts come from one line of the source and are one loop here. Copies of a loop (of a function
// that is called twice, of the steps that are left behind a pipelined loop) are loops apart, in the order of the program.
#include <string.h>

#include "passes/shared/shared_ranges.h"
#include "report/gather.h"

enum report_doing doing_of_kind(enum op_kind kind) {
    static const unsigned char doings[OP_KIND_COUNT] = {
#define DOES(op, doing) [OP_##op] = DOING_##doing,
#include "report/doings.def"
#undef DOES
    };
    return op_traits(kind) & MULTIPLIES     ? DOING_MATRIX
           : op_traits(kind) & SPECIAL_UNIT ? DOING_SPECIAL
                                            : (enum report_doing)doings[kind];
}

static enum report_doing doing_of(struct ir *ir, MlirOperation op) {
    enum report_doing doing = doing_of_kind(op_kind(ir, op));
    if (doing == DOING_MATRIX && !op_string(op, ATTR_INSTRUCTION).data) {
        return DOING_PRODUCT;
    }
    bool scalar = doing == DOING_SPECIAL && !type_is_tensor(mlirValueGetType(mlirOperationGetResult(op, 0)));
    return scalar ? DOING_NOTHING : doing;
}

// The slots of a copy's buffer.
static unsigned slots_of(struct ir *ir, MlirOperation copy) {
    MlirOperation alloc = shared_buffer(ir, leading_operand(copy));
    return mlirOperationIsNull(alloc) ? 0 : (unsigned)op_int(alloc, ATTR_STAGES);
}

// The warps of an op: a region of tk.specialise is of one role.
static enum report_role role_of(struct ir *ir, MlirOperation op) {
    for (MlirOperation up = op; !mlirOperationIsNull(up) && op_kind(ir, up) != OP_FUNC;
         up = mlirOperationGetParentOperation(up)) {
        MlirOperation parent = mlirOperationGetParentOperation(up);
        for (int i = 0; !mlirOperationIsNull(parent) && op_kind(ir, parent) == OP_SPECIALISE &&
                        i < mlirOperationGetNumRegions(parent);
             i++) {
            static const enum report_role roles[] = {ROLE_COPIES, ROLE_COMPUTES, ROLE_MULTIPLIES};
            if (mlirBlockEqual(mlirOperationGetBlock(up), op_body(parent, i))) {
                return op_has(parent, ATTR_ADDS) && i == 2 ? ROLE_COPIES : roles[i];
            }
        }
    }
    return ROLE_COMPUTES;
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

// The line of the call behind a loop of an inlined function; 0: it is in none.
static unsigned called_at(struct gathering *g, MlirOperation loop) {
    const struct ir_place *place = ir_place(g->ir, mlirOperationGetLocation(loop));
    while (place && place->position.source != g->source) {
        place = place->caller;
    }
    return place && place->caller && place->caller->position.source == g->source
               ? place->caller->position.line
               : 0;
}

// "2 stages, through registers"; NULL: the loop is left alone.
static const char *pipeline_of(struct gathering *g, MlirOperation loop) {
    MlirStringRef text = op_string(loop, ATTR_PIPELINE);
    bool alone = !text.data || text_starts(text.data, text.length, "left alone");
    return alone ? NULL : arena_strndup(g->arena, text.data, text.length);
}

// The page's loop for one of the IR. Roles have their parts of one loop in the same order.
static struct report_loop *loop_at(struct gathering *g, MlirOperation loop, enum report_role role) {
    struct report_kernel *kernel = g->kernel;
    unsigned line = gather_line(g->ir, loop, g->source), depth = depth_of(g->ir, loop), copies = 0;
    for (size_t i = 0; i < kernel->loop_count; i++) {
        struct report_loop *known = &kernel->loops[i];
        if (known->line != line || known->depth != depth) {
            continue;
        }
        if (!known->seen[role]) {
            known->seen[role] = loop.ptr;
            known->called = role == ROLE_COMPUTES ? called_at(g, loop) : known->called;
        }
        if (known->seen[role] == loop.ptr) {
            return known;
        }
        copies++;
    }
    struct report_loop *made = &kernel->loops[kernel->loop_count++];
    *made = (struct report_loop){.line = line,
                                 .depth = depth,
                                 .over_programs = kernel->persistent && depth == 0,
                                 .called = called_at(g, loop),
                                 .copy = copies + 1,
                                 .pipeline = pipeline_of(g, loop)};
    made->seen[role] = loop.ptr;
    return made;
}

static void count_copies(struct report_kernel *kernel) {
    for (size_t i = 0; i < kernel->loop_count; i++) {
        struct report_loop *loop = &kernel->loops[i];
        for (size_t j = 0; j < kernel->loop_count; j++) {
            bool same = kernel->loops[j].line == loop->line && kernel->loops[j].depth == loop->depth;
            loop->copies += same ? 1 : 0;
        }
    }
}

static void add_action(struct gathering *g, struct report_loop *loop, struct report_action action) {
    for (size_t i = 0; i < loop->count; i++) {
        struct report_action *known = &loop->actions[i];
        if (known->doing == action.doing && known->line == action.line && known->role == action.role) {
            known->count++;
            return;
        }
    }
    action.count = 1;
    loop->actions = arena_grown(g->arena, loop->actions, loop->count, &loop->capacity, sizeof *loop->actions);
    loop->actions[loop->count++] = action;
}

void gather_loops(struct gathering *g) {
    struct report_kernel *kernel = g->kernel;
    kernel->loops = ARENA_ARRAY(g->arena, struct report_loop, g->count + 1);
    for (size_t i = 0; i < g->count; i++) {
        enum report_doing doing = doing_of(g->ir, g->ops[i]);
        MlirOperation loop = loop_of(g->ir, g->ops[i]);
        if (mlirOperationIsNull(loop) || doing == DOING_NOTHING) {
            continue;
        }
        unsigned line = gather_line(g->ir, g->ops[i], g->source);
        enum report_role role = role_of(g->ir, g->ops[i]);
        struct report_loop *known = loop_at(g, loop, role);
        kernel->has_multiplier |= role == ROLE_MULTIPLIES;
        unsigned slots = doing == DOING_COPY ? slots_of(g->ir, g->ops[i]) : 0;
        known->slots = slots > known->slots ? slots : known->slots;
        known->has_producer |= role == ROLE_COPIES;
        add_action(g, known, (struct report_action){.doing = doing, .line = line, .role = role});
    }
    count_copies(kernel);
}
