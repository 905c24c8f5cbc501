// Steps of a chain side by side: one launch with the programs of the first step, then the second's, and so on.
//
//     scale(x, y); silu(z, w)                    def layer_steps_1_to_2(x, y, z, w, n, m):
//     scale.grid = (cdiv(n, 1024),)     →            p = program_id(0); s = cdiv(n, 1024)
//     silu.grid = (m,)                               if p < s: scale's body, with p as its program id
//                                                    else:     silu's body, with p - s
//
// The steps are independent: an array written by one is touched by no other. The kernel computes the ranges of programs from the C texts of
// the grids, by the launcher's rules (artifact/launcher/grid.h), in 64 bits. The branches are a balanced tree.
#include <stdlib.h>
#include <string.h>

#include "frontend/kernel.h"

struct beside {
    struct emitter *e;
    const struct kernel_instance *kernel;
    const struct kernel_merge *merge; // its
    MlirBlock body;                   // of the function: its arguments
    MlirValue (*sides)[3];            // of each step's grid
    MlirValue *ends;                  // of each step's programs, in the launch's
    MlirValue program;                // of the launch
    bool ok;
};

// ---- grids: their C texts, as semantics/symbol.c writes them, in tile IR

struct grid_reader {
    struct beside *s; // NULL: only reads
    const char *at;
};

static bool take(struct grid_reader *r, const char *text) {
    size_t length = strlen(text);
    bool taken = strncmp(r->at, text, length) == 0;
    r->at += taken ? length : 0;
    return taken;
}

static bool read_number(struct grid_reader *r, int64_t *number) {
    char *end;
    *number = strtoll(r->at, &end, 10);
    bool read = end != r->at;
    r->at = end;
    return read && (take(r, "LL") || true);
}

static MlirValue wide_constant(struct beside *s, int64_t number) {
    return s ? const_int(&s->e->builder, type_i64(s->e->ir), number) : (MlirValue){NULL};
}

static MlirValue wide_binary(struct beside *s, enum op_kind op, MlirValue a, MlirValue b) {
    return s ? build_binary(&s->e->builder, op, a, b) : a;
}

// A parameter of the launch, in 64 bits.
static bool read_name(struct grid_reader *r, MlirValue *out) {
    size_t length = strcspn(r->at, "(), ");
    const char *name = r->at;
    r->at += length;
    if (!r->s) {
        return *r->at != '(';
    }
    const struct kernel_instance *kernel = r->s->kernel;
    for (size_t i = 0; i < kernel->param_count; i++) {
        const char *own = kernel->merge->names[i];
        if (strlen(own) == length && memcmp(own, name, length) == 0) {
            MlirValue argument = mlirBlockGetArgument(r->s->body, (intptr_t)i);
            struct value v = tensor_from(r->s->e, argument, kernel->params[i].dtype, 0, NULL);
            *out = emit_cast(r->s->e, v, DTYPE_OF(INT64), kernel->location).tensor.value;
            return true;
        }
    }
    return false;
}

// Divided by a positive number, rounded down or up: the quotient towards 0 is corrected by one according to the remainder's sign.
static MlirValue divide(struct beside *s, MlirValue a, int64_t number, bool up) {
    MlirValue divisor = wide_constant(s, number), zero = wide_constant(s, 0);
    MlirValue quotient = wide_binary(s, OP_DIVSI, a, divisor);
    if (!s) {
        return quotient;
    }
    MlirValue rest = build_binary(&s->e->builder, OP_REMSI, a, divisor);
    MlirValue more = build_compare(&s->e->builder, up ? INT_SGT : INT_SLT, rest, zero);
    MlirValue other = build_binary(&s->e->builder, up ? OP_ADDI : OP_SUBI, quotient, wide_constant(s, 1));
    return build_select(&s->e->builder, more, other, quotient);
}

static bool read_grid(struct grid_reader *r, MlirValue *out);

// tkc_cdiv and tkc_floordiv by a positive number of the source.
static bool read_division(struct grid_reader *r, bool up, MlirValue *out) {
    int64_t number;
    bool read = read_grid(r, out) && take(r, ", ") && read_number(r, &number) && number > 0 && take(r, ")");
    *out = read ? divide(r->s, *out, number, up) : *out;
    return read;
}

static bool read_grid(struct grid_reader *r, MlirValue *out) {
    static const struct {
        const char *head;
        enum op_kind op;
    } calls[] = {{"tkc_add(", OP_ADDI},
                 {"tkc_sub(", OP_SUBI},
                 {"tkc_mul(", OP_MULI},
                 {"tkc_max(", OP_MAXSI},
                 {"tkc_min(", OP_MINSI}};
    MlirValue right = {NULL};
    int64_t number;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (take(r, calls[i].head)) {
            bool read = read_grid(r, out) && take(r, ", ") && read_grid(r, &right) && take(r, ")");
            *out = read ? wide_binary(r->s, calls[i].op, *out, right) : *out;
            return read;
        }
    }
    if (take(r, "tkc_cdiv(")) {
        return read_division(r, true, out);
    }
    if (take(r, "tkc_floordiv(")) {
        return read_division(r, false, out);
    }
    if (!strchr("-0123456789", *r->at)) {
        return read_name(r, out);
    }
    bool read = read_number(r, &number);
    *out = wide_constant(r->s, number);
    return read;
}

bool chain_grid_is_plain(const char *const grid[3]) {
    bool plain = true;
    for (int axis = 0; axis < 3; axis++) {
        struct grid_reader r = {.at = grid[axis] ? grid[axis] : "1"};
        MlirValue none = {NULL};
        plain &= read_grid(&r, &none) && !*r.at;
    }
    return plain;
}

// A side of a grid as an i32, 0 where it is negative: the launch holds fewer than 2^31 programs.
static MlirValue side_value(struct beside *s, const char *text) {
    struct grid_reader r = {.s = s, .at = text ? text : "1"};
    MlirValue side = wide_constant(s, 1);
    if (!read_grid(&r, &side) || *r.at) {
        bug("chain_beside: %s was plain before", text);
    }
    side = wide_binary(s, OP_MAXSI, side, wide_constant(s, 0));
    return VALUE(&s->e->builder, OP_TRUNCI, OPERANDS(side), RESULTS(type_i32(s->e->ir)), NO_ATTRS);
}

// The sides of each step's grid, and the end of its range of programs.
static void fill_grids(struct beside *s) {
    struct builder *b = &s->e->builder;
    MlirValue end = {NULL};
    for (size_t i = 0; i < s->merge->count; i++) {
        MlirValue all = {NULL};
        for (size_t axis = 0; axis < 3; axis++) {
            s->sides[i][axis] = side_value(s, s->merge->steps[i].grid[axis]);
            all = axis ? build_binary(b, OP_MULI, all, s->sides[i][axis]) : s->sides[i][axis];
        }
        end = i ? build_binary(b, OP_ADDI, end, all) : all;
        s->ends[i] = end;
    }
}

// ---- bodies

static bool has_one_axis(const struct merge_step *step) {
    return !step->grid[1] && !step->grid[2];
}

// The ids of a step's program: axis 0 counts fastest.
static void fill_ids(struct beside *s, size_t i, struct builder *b, MlirValue ids[3]) {
    MlirValue first = i ? s->ends[i - 1] : const_int(b, type_i32(s->e->ir), 0);
    MlirValue rest = i ? build_binary(b, OP_SUBI, s->program, first) : s->program;
    if (has_one_axis(&s->merge->steps[i])) {
        ids[0] = rest;
        ids[1] = ids[2] = const_int(b, type_i32(s->e->ir), 0);
        return;
    }
    ids[0] = build_binary(b, OP_REMUI, rest, s->sides[i][0]);
    rest = build_binary(b, OP_DIVUI, rest, s->sides[i][0]);
    ids[1] = build_binary(b, OP_REMUI, rest, s->sides[i][1]);
    ids[2] = build_binary(b, OP_DIVUI, rest, s->sides[i][1]);
}

static void replace_op(MlirOperation op, MlirValue value) {
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), value);
    mlirOperationDestroy(op);
}

// The ids and numbers of programs in a step's body are of its own grid.
static void replace_ids(struct beside *s, size_t i, MlirBlock block, const MlirValue ids[3]) {
    struct emitter *e = s->e;
    size_t count;
    MlirOperation *ops = ops_collect(e->ir, e->arena, mlirBlockGetParentOperation(block), &count);
    for (size_t k = 0; k < count; k++) {
        enum op_kind kind = op_kind(e->ir, ops[k]);
        if (kind == OP_PROGRAM_ID) {
            replace_op(ops[k], ids[op_int(ops[k], ATTR_AXIS)]);
        } else if (kind == OP_NUM_PROGRAMS) {
            replace_op(ops[k], s->sides[i][op_int(ops[k], ATTR_AXIS)]);
        }
    }
}

static void emit_programs(struct beside *s, size_t i, MlirBlock block) {
    const struct merge_step *step = &s->merge->steps[i];
    struct builder b = builder_at_end(s->e->ir, block, ir_location(s->e->ir, step->kernel->location));
    MlirValue ids[3];
    fill_ids(s, i, &b, ids);
    s->ok &= kernel_emit_body(s->e, step->kernel, step, s->body, block);
    replace_ids(s, i, block, ids);
}

// The steps from `first` on, at the end of a block reached by their programs alone.
static void emit_branches(struct beside *s, size_t first, size_t count, MlirBlock block) {
    if (count == 1) {
        emit_programs(s, first, block);
        return;
    }
    struct ir *ir = s->e->ir;
    size_t half = count / 2;
    MlirBlock blocks[2];
    struct builder b = builder_at_end(ir, block, ir_location(ir, s->merge->steps[first].kernel->location));
    MlirValue before = build_compare(&b, INT_SLT, s->program, s->ends[first + half - 1]);
    build_if(&b, before, NO_RESULTS, &blocks[0], &blocks[1]);
    emit_branches(s, first, half, blocks[0]);
    emit_branches(s, first + half, count - half, blocks[1]);
    for (int i = 0; i < 2; i++) {
        struct builder end = builder_at_end(ir, blocks[i], b.location);
        build_yield(&end, NO_OPERANDS);
    }
}

bool kernel_emit_beside(struct emitter *e, const struct kernel_instance *kernel, MlirBlock body) {
    const struct kernel_merge *merge = kernel->merge;
    struct beside s = {.e = e, .kernel = kernel, .merge = merge, .body = body, .ok = true};
    s.sides = arena_alloc(e->arena, (merge->count + 1) * sizeof *s.sides);
    s.ends = ARENA_ARRAY(e->arena, MlirValue, merge->count + 1);
    e->builder = builder_at_end(e->ir, body, ir_location(e->ir, merge->steps[0].kernel->location));
    s.program = VALUE(&e->builder, OP_PROGRAM_ID, NO_OPERANDS, RESULTS(type_i32(e->ir)),
                      ATTRS(attr_i32(&e->builder, ATTR_AXIS, 0)));
    fill_grids(&s);
    emit_branches(&s, 0, merge->count, body);
    return s.ok;
}
