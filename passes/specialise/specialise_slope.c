// The axes of the grid with different trip counts, if loaded scalars take part in them (packed sequences) or
// branches stand around the loops (early returns): then no block knows the trip counts of all programs.
//
//   %n = tk.load (%lengths + %id2)                  through a load: axis 2
//   %end = arith.minsi %n, (%id0 + 1) * 128         by arithmetic: axis 0, and the counts rise along it
//   scf.for %k = 0 to %end step 128                 not: axis 1
//
// Only values computed alike by all blocks count: loaded ones may change while the kernel runs, and blocks in
// disagreement would leave programs out.
#include "passes/specialise/specialise.h"

#include "ir/build.h"

// The axes behind a value.
struct reach {
    struct specialise *s;
    struct map seen[2];     // not below a load, and below one
    unsigned by_arithmetic; // bit masks
    unsigned by_load;
    bool unknown; // control flow takes part
    bool loads;
};

static void reach_value(struct reach *r, MlirValue value, bool below_load) {
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op) || map_has(&r->seen[below_load], value.ptr)) {
        r->unknown |=
            mlirOperationIsNull(op) && !mlirBlockEqual(mlirBlockArgumentGetOwner(value), r->s->body);
        return;
    }
    map_put(&r->seen[below_load], value.ptr, (void *)value.ptr);
    enum op_kind kind = op_kind(r->s->ir, op);
    r->unknown |= mlirOperationGetNumRegions(op) > 0;
    r->loads |= kind == OP_LOAD;
    if (kind == OP_PROGRAM_ID) {
        *(below_load ? &r->by_load : &r->by_arithmetic) |= 1u << op_int(op, ATTR_AXIS);
    }
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        reach_value(r, mlirOperationGetOperand(op, i), below_load || kind == OP_LOAD);
    }
}

static struct reach reach_bounds(struct specialise *s) {
    struct reach r = {.s = s};
    for (size_t n = 0; n < s->loop_count; n++) {
        for (intptr_t i = 0; i < 3; i++) {
            reach_value(&r, mlirOperationGetOperand(s->loops[n].loop, i), false);
        }
    }
    map_free(&r.seen[0]);
    map_free(&r.seen[1]);
    return r;
}

// True for a test for one number, such as a mark of programs without work: it says nothing of lengths.
static bool tests_mark(struct specialise *s, MlirValue condition) {
    MlirOperation op = value_op(condition);
    int64_t predicate =
        !mlirOperationIsNull(op) && op_kind(s->ir, op) == OP_CMPI ? op_int(op, ATTR_PREDICATE) : INT_SLT;
    return predicate == INT_EQ || predicate == INT_NE;
}

// True if the value is computed from program ids, and from nothing loaded.
static bool is_of_ids(struct specialise *s, MlirValue value) {
    struct reach r = {.s = s};
    reach_value(&r, value, false);
    map_free(&r.seen[0]);
    map_free(&r.seen[1]);
    return r.by_arithmetic && !r.loads;
}

// True if the condition compares numbers that both depend on program ids: the tiles of a triangle, or near a diagonal. A bound, such as a
// matrix's rows, says of most programs that they run.
static bool compares_ids(struct specialise *s, MlirValue condition) {
    MlirOperation op = value_op(condition);
    enum op_kind kind = mlirOperationIsNull(op) ? OP_CONSTANT : op_kind(s->ir, op);
    if (kind == OP_CMPI) {
        return is_of_ids(s, binary_left(op)) && is_of_ids(s, binary_right(op));
    }
    bool joins = kind == OP_ANDI || kind == OP_ORI || kind == OP_XORI;
    return joins && (compares_ids(s, binary_left(op)) || compares_ids(s, binary_right(op)));
}

bool programs_leave(struct specialise *s) {
    size_t count;
    bool any = false;
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    for (size_t i = 0; i < count && !any; i++) {
        any = op_kind(s->ir, ops[i]) == OP_IF && on_spine(s, ops[i]) && compares_ids(s, if_condition(ops[i]));
    }
    return any;
}

bool lengths_are_loaded(struct specialise *s) {
    struct reach r = {.s = s};
    size_t count;
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(s->ir, ops[i]);
        bool around = on_spine(s, ops[i]);
        bool bounds = kind == OP_FOR && (around || stage_at(s, ops[i]));
        bool leaves = around && kind == OP_IF && !tests_mark(s, if_condition(ops[i]));
        for (intptr_t n = 0; n < (bounds ? 3 : leaves ? 1 : 0); n++) {
            reach_value(&r, mlirOperationGetOperand(ops[i], n), false);
        }
    }
    map_free(&r.seen[0]);
    map_free(&r.seen[1]);
    return r.by_load != 0 || (r.unknown && r.loads);
}

// ---- the direction ----

enum { EVEN = 0, RISES = 1, FALLS = 2, EITHER = RISES | FALLS };

static unsigned turned(unsigned slope) {
    return (slope & RISES ? FALLS : EVEN) | (slope & FALLS ? RISES : EVEN);
}

struct walk {
    struct ir *ir;
    unsigned axis;
    struct map slopes; // value → its slope, plus one
};

static unsigned slope_of(struct walk *w, MlirValue value);

static unsigned slope_of_product(struct walk *w, MlirOperation op, unsigned left) {
    int64_t factor;
    if (!value_is_constant_int(w->ir, binary_right(op), &factor)) {
        return EITHER;
    }
    return factor < 0 ? turned(left) : left;
}

static unsigned slope_of_op(struct walk *w, MlirOperation op) {
    unsigned operands[3] = {EVEN, EVEN, EVEN}, any = EVEN;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        unsigned slope = slope_of(w, mlirOperationGetOperand(op, i));
        any |= slope;
        operands[i < 2 ? i : 2] |= slope;
    }
    enum op_kind kind = op_kind(w->ir, op);
    if (kind == OP_PROGRAM_ID) {
        return op_int(op, ATTR_AXIS) == w->axis ? RISES : EVEN;
    }
    switch (any == EVEN ? OP_ADDI : kind) {
    case OP_ADDI:
    case OP_MINSI:
    case OP_MAXSI:
    case OP_EXTSI:
    case OP_TRUNCI:
    case OP_HINT:
        return any;
    case OP_SUBI:
        return operands[0] | turned(operands[1]);
    case OP_MULI:
    case OP_DIVSI:
        return operands[1] == EVEN ? slope_of_product(w, op, operands[0]) : EITHER;
    default:
        return EITHER;
    }
}

static unsigned slope_of(struct walk *w, MlirValue value) {
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op)) {
        return EVEN;
    }
    size_t known = (size_t)map_get(&w->slopes, value.ptr);
    if (!known) {
        known = slope_of_op(w, op) + 1;
        map_put(&w->slopes, value.ptr, (void *)known);
    }
    return (unsigned)known - 1;
}

// True if this bound of a loop is also the other bound of another one: the meeting of a loop's two parts
// (pipeline/whole_steps.c).
static bool meets(struct specialise *s, MlirValue bound, bool is_upper) {
    for (size_t i = 0; i < s->loop_count; i++) {
        MlirOperation loop = s->loops[i].loop;
        if (value_is(bound, is_upper ? for_lower(loop) : for_upper(loop))) {
            return true;
        }
    }
    return false;
}

// Of the total distance of all loops.
static unsigned slope_of_loops(struct specialise *s, unsigned axis) {
    struct walk w = {.ir = s->ir, .axis = axis};
    unsigned slope = EVEN;
    for (size_t n = 0; n < s->loop_count; n++) {
        MlirValue lower = for_lower(s->loops[n].loop), upper = for_upper(s->loops[n].loop);
        slope |= meets(s, upper, true) ? EVEN : slope_of(&w, upper);
        slope |= meets(s, lower, false) ? EVEN : turned(slope_of(&w, lower));
    }
    map_free(&w.slopes);
    return slope;
}

static bool has_outer_loops(struct specialise *s) {
    for (size_t n = 0; n < s->loop_count; n++) {
        if (spine_repeats(s, s->loops[n].loop)) {
            return true;
        }
    }
    return false;
}

static bool has_branches(struct specialise *s) {
    for (size_t n = 0; n < s->loop_count; n++) {
        MlirOperation op = mlirOperationGetParentOperation(s->loops[n].loop);
        for (; !mlirOperationEqual(op, s->function); op = mlirOperationGetParentOperation(op)) {
            if (op_kind(s->ir, op) == OP_IF) {
                return true;
            }
        }
    }
    return false;
}

struct slope slope_find(struct specialise *s) {
    struct slope slope = {0};
    if (s->uneven || has_outer_loops(s)) {
        return slope;
    }
    struct reach reach = reach_bounds(s);
    bool of_rows = reach.by_load && !(reach.by_load & 1) && !reach.unknown; // alike along a row of the grid
    slope.by_row = of_rows && has_branches(s) && target_has(s->context->target, FEATURE(WGMMA));
    unsigned axes = reach.by_arithmetic;
    if (reach.unknown || axes == 0 || (axes & (axes - 1)) || (axes & reach.by_load)) {
        return slope;
    }
    slope.axis = (unsigned)__builtin_ctz(axes);
    slope.loaded = reach.by_load;
    unsigned direction = slope_of_loops(s, slope.axis);
    slope.known = direction == RISES || direction == FALLS;
    slope.rises = direction == RISES;
    return slope;
}
