// Registers of a thread for float tiles, at the op of each line with the most: accumulators, fragments and rows that wait for their last use.
// Only ops that read or make such tiles count: at a line of scalars the registers are others' business.
// Addresses, masks and tiles of one repeated number are left out, as LLVM makes them of few registers; so this is no count of all
// registers, but the part that tiles and warps decide.
//
// A value lives from its op to its last use; a loop around a use, if it does not have the op, too, keeps it from beginning to end; of
// the branches of an if only those with a use do.
#include "report/gather.h"

#include <string.h>

#include <mlir-c/BuiltinTypes.h>

#include "chip/registers.h"

struct lives {
    struct gathering *g;
    struct map positions; // op → its number + 1
    size_t *ends;         // of each op: the number of the last op in its regions, or its own
    bool *alive;          // of the value at hand, at each op
    unsigned *sums;       // at each op
};

static size_t position(const struct lives *l, MlirOperation op) {
    uintptr_t known = (uintptr_t)map_get(&l->positions, op.ptr);
    return known ? known - 1 : 0;
}

static void find_ends(struct lives *l) {
    for (size_t i = 0; i < l->g->count; i++) {
        map_put(&l->positions, l->g->ops[i].ptr, (void *)(uintptr_t)(i + 1));
        l->ends[i] = i;
    }
    for (size_t i = 0; i < l->g->count; i++) {
        MlirOperation up = mlirOperationGetParentOperation(l->g->ops[i]);
        while (!mlirOperationIsNull(up) && map_has(&l->positions, up.ptr)) {
            l->ends[position(l, up)] = i; // numbers grow
            up = mlirOperationGetParentOperation(up);
        }
    }
}

// Registers of a tile of floats in threads; 0: it is none.
static unsigned registers(struct ir *ir, MlirValue value) {
    MlirType type = mlirValueGetType(value);
    bool counts = type_is_tensor(type) && mlirTypeIsAFloat(type_element(type)) && !type_is_shared(ir, type) &&
                  type_layout(ir, type);
    return counts ? registers_filled(ir, value) : 0;
}

static void mark(struct lives *l, size_t from, size_t to) {
    for (size_t i = from; i < to && i < l->g->count; i++) {
        l->alive[i] = true;
    }
}

// Marks the ops from the value's definition, in `block` at number `from`, to a use.
static void mark_use(struct lives *l, MlirOperation use, MlirBlock block, size_t from) {
    MlirOperation at = use;
    while (!mlirBlockEqual(mlirOperationGetBlock(at), block)) {
        MlirOperation parent = mlirOperationGetParentOperation(at);
        if (mlirOperationIsNull(parent) || !map_has(&l->positions, parent.ptr)) {
            return;
        }
        enum op_kind kind = op_kind(l->g->ir, parent);
        if (kind == OP_FOR || kind == OP_WHILE) {
            size_t begin = position(l, parent);
            mark(l, begin, l->ends[begin] + 1);
        } else {
            MlirOperation first = mlirBlockGetFirstOperation(mlirOperationGetBlock(at));
            size_t begin = position(l, first), end = position(l, at);
            mark(l, begin, end);
        }
        at = parent;
    }
    mark(l, from, position(l, at));
}

static void add(struct lives *l, MlirValue value, MlirBlock block, size_t from) {
    unsigned count = registers(l->g->ir, value);
    if (!count) {
        return;
    }
    memset(l->alive, 0, l->g->count * sizeof *l->alive);
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        mark_use(l, mlirOpOperandGetOwner(use), block, from);
    }
    for (size_t i = 0; i < l->g->count; i++) {
        l->sums[i] += l->alive[i] ? count : 0;
    }
}

// Tiles of one repeated number, or of a row's or column's: no registers of their own.
static bool is_repeated(enum op_kind kind) {
    return kind == OP_SPLAT || kind == OP_BROADCAST || kind == OP_EXPAND_DIMS || kind == OP_CONSTANT ||
           kind == OP_UNWRITTEN;
}

static void add_op(struct lives *l, size_t at) {
    MlirOperation op = l->g->ops[at];
    enum op_kind kind = op_kind(l->g->ir, op);
    for (intptr_t r = 0; r < mlirOperationGetNumResults(op) && !is_repeated(kind); r++) {
        // Results of a loop or branch come with its end.
        add(l, mlirOperationGetResult(op, r), mlirOperationGetBlock(op), l->ends[at] + (l->ends[at] > at));
    }
    bool is_loop = kind == OP_FOR || kind == OP_WHILE;
    for (intptr_t region = 0; is_loop && region < mlirOperationGetNumRegions(op); region++) {
        MlirBlock body = op_body(op, (int)region);
        for (intptr_t a = 0; a < mlirBlockGetNumArguments(body); a++) {
            add(l, mlirBlockGetArgument(body, a), body, at + 1);
        }
    }
}

// True if a tile of floats is among the op's operands and results.
static bool handles_tiles(struct ir *ir, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        if (registers(ir, mlirOperationGetOperand(op, i))) {
            return true;
        }
    }
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        if (registers(ir, mlirOperationGetResult(op, i))) {
            return true;
        }
    }
    return false;
}

// Each value walks over all ops: larger kernels go without these figures.
enum { OPS_MAX = 20000 };

void gather_live(struct gathering *g) {
    struct lives l = {.g = g,
                      .ends = ARENA_ARRAY(g->arena, size_t, g->count + 1),
                      .alive = ARENA_ARRAY(g->arena, bool, g->count + 1),
                      .sums = ARENA_ARRAY(g->arena, unsigned, g->count + 1)};
    struct report_kernel *kernel = g->kernel;
    find_ends(&l);
    for (size_t i = 0; i < g->count; i++) {
        unsigned line = gather_line(g->ir, g->ops[i], g->source);
        kernel->line_count = line > kernel->line_count ? line : kernel->line_count;
        if (g->count <= OPS_MAX) {
            add_op(&l, i);
        }
    }
    kernel->live = ARENA_ARRAY(g->arena, unsigned, kernel->line_count + 1);
    for (size_t i = 0; i < g->count; i++) {
        unsigned line = gather_line(g->ir, g->ops[i], g->source);
        bool more = l.sums[i] > kernel->live[line] && handles_tiles(g->ir, g->ops[i]);
        kernel->live[line] = more ? l.sums[i] : kernel->live[line];
    }
    map_free(&l.positions);
}
