// Steps of a chain side by side: one launch whose programs are those of the first step, then those of the second, and so on.
//
//     scale(x, y); silu(z, w)                    def layer_steps_1_to_2(x, y, z, w, n, m):
//     scale.grid = (cdiv(n, 1024),)     →            p = program_id(0); s = cdiv(n, 1024)
//     silu.grid = (m,)                               if p < s: scale's body, with p as its program id
//                                                    else:     silu's body, with p - s
//
// The steps have nothing to do with each other: what one writes no other one touches. A grid is evaluated twice: as C for the launcher
// (chain_merge.c), and here as tile IR, in 64 bits as in C, for the ranges of programs. The branches are a balanced tree.
#include "frontend/kernel.h"

struct beside {
    struct emitter *e;
    const struct kernel_merge *merge;
    MlirBlock body;        // of the function: its arguments
    MlirValue (*sides)[3]; // of each step's grid
    MlirValue *ends;       // of each step's programs, in the launch's
    MlirValue program;     // of the launch
    bool ok;
};

// ---- grids in tile IR

static struct value argument_of(struct beside *s, const struct merge_place *place,
                                const struct kernel_param *param) {
    if (place->is_number || param->equals_one) {
        return param->equals_one ? value_int(1) : place->number;
    }
    if (!dtype_is_integer(param->dtype)) {
        return value_host(arena_printf(s->e->arena, "%s, which is not an integer,", param->name));
    }
    MlirValue argument = mlirBlockGetArgument(s->body, (intptr_t)place->parameter);
    struct value v = tensor_from(s->e, argument, param->dtype, 0, NULL);
    return emit_cast(s->e, v, DTYPE_OF(INT64), param->location);
}

// What a grid's lambda gets: the step's arguments by the names of its kernel.
static struct value meta_of(struct beside *s, const struct merge_step *step) {
    const struct kernel_instance *kernel = step->kernel;
    struct value *items = ARENA_ARRAY(s->e->arena, struct value, 2 * kernel->param_count + 5);
    size_t count = 0, next = 0;
    items[count++] = value_string(s->e->arena, "num_warps");
    items[count++] = value_int(kernel->num_warps);
    items[count++] = value_string(s->e->arena, "num_stages");
    items[count++] = value_int(kernel->num_stages);
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct kernel_param *param = &kernel->params[i];
        items[count++] = value_string(s->e->arena, param->name);
        items[count++] = param->is_constant ? param->value : argument_of(s, &step->places[next++], param);
    }
    struct value dict = value_list_of(s->e->arena, items, count);
    dict.kind = VALUE_DICT;
    return dict;
}

static struct value eval_grid(struct beside *s, const struct merge_step *step) {
    struct emitter *e = s->e;
    struct function *callee = step->kernel->callee;
    struct call_frame frame = {.file = callee->file, .scope = scope_inside(e, NULL)};
    enter_frame(e, &frame);
    const struct expr *source =
        frontend_attribute(e, e->program->files[0]->ast, callee->def, "grid"); // chain_merge.c has found it
    struct value grid = eval(e, source);
    if (value_is_callable(grid)) {
        struct value meta = meta_of(s, step);
        grid = emit_call_function(e, grid, &meta, 1, source->location);
    }
    leave_frame(e);
    return value_is_sequence(grid) || value_failed(grid) ? grid : value_tuple(e->arena, &grid, 1);
}

// A side of a grid as an i32, 0 where it is negative: the launch holds fewer than 2^31 programs.
static MlirValue side_value(struct beside *s, struct value side, struct location at) {
    if (value_is_integral(side)) {
        return const_int(&s->e->builder, type_i32(s->e->ir), (int64_t)value_integer(side));
    }
    struct value least = emit_min_max(s->e, true, side, value_int(0), MIN_MAX_IGNORE_NAN, at);
    struct value number = value_failed(least) ? least : emit_cast(s->e, least, DTYPE_OF(INT32), at);
    s->ok &= !value_failed(number);
    return value_failed(number) ? s->program : number.tensor.value;
}

// The sides of each step's grid, and where its programs end.
static void fill_grids(struct beside *s) {
    struct emitter *e = s->e;
    MlirValue end = const_int(&e->builder, type_i32(e->ir), 0);
    for (size_t i = 0; i < s->merge->count && s->ok; i++) {
        const struct merge_step *step = &s->merge->steps[i];
        struct value grid = eval_grid(s, step);
        s->ok &= !value_failed(grid);
        MlirValue all = {NULL};
        for (size_t axis = 0; axis < 3 && s->ok; axis++) {
            struct value side = axis < grid.list.count ? grid.list.items[axis] : value_int(1);
            s->sides[i][axis] = side_value(s, side, step->kernel->location);
            all = axis ? build_binary(&e->builder, OP_MULI, all, s->sides[i][axis]) : s->sides[i][axis];
        }
        end = s->ok ? build_binary(&e->builder, OP_ADDI, end, all) : end;
        s->ends[i] = end;
    }
}

// ---- bodies

static bool has_one_axis(const struct merge_step *step) {
    return !step->grid[1] && !step->grid[2];
}

// The ids of a step's program, of which axis 0 goes first.
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

// The steps from `first` on, at the end of a block, which only their programs reach.
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

bool kernel_emit_beside(struct emitter *e, const struct kernel_merge *merge, MlirBlock body) {
    struct beside s = {.e = e, .merge = merge, .body = body, .ok = true};
    s.sides = arena_alloc(e->arena, (merge->count + 1) * sizeof *s.sides);
    s.ends = ARENA_ARRAY(e->arena, MlirValue, merge->count + 1);
    e->builder = builder_at_end(e->ir, body, ir_location(e->ir, merge->steps[0].kernel->location));
    s.program = VALUE(&e->builder, OP_PROGRAM_ID, NO_OPERANDS, RESULTS(type_i32(e->ir)),
                      ATTRS(attr_i32(&e->builder, ATTR_AXIS, 0)));
    fill_grids(&s);
    if (s.ok) {
        emit_branches(&s, 0, merge->count, body);
    }
    return s.ok;
}
