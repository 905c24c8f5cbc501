// layouts: every tile gets a layout.
//
//   %p = tk.addptr … : tensor<64x64x!tk.ptr<f16>>       %p = tk.addptr … : tensor<64x64x!tk.ptr<f16>, #coalesced>
//   %x = tk.load %p                               →     %x = tk.load %p {vector = 8}
//   %d = tk.dot %x, %y, %c                              %a = tk.convert_layout %x : #coalesced → #operand_a
//                                                       %d = tk.dot %a, %b, %c {instruction = "mma.m16n8k16.f16"}
//
// Decide, then rewrite. Deciding: memory accesses and dots choose their own layouts (layouts_choose.c), and
// every tile expensive to recompute gets a home (layouts_home.c). Rewriting: each op asks for its
// operands in the layout it needs. A value with a home is used as it is, or converted once, right after its
// definition; a floating value is recomputed in the new layout.
//
// requires: a tile program without layouts
// provides: a layout for every tensor, `vector` on accesses, `instruction` on dots
// test:     tests/golden/passes/layouts
#include "passes/layout/layouts.h"

#include <string.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"
#include "passes/facts/operand_layout.h"

struct converted {
    const struct layout *layout;
    MlirValue value;
    struct converted *next;
};

static MlirValue materialise(struct layouts *l, MlirValue value, const struct layout *layout, bool for_dot);

static void remember(struct layouts *l, MlirValue value, const struct layout *layout, MlirValue made) {
    struct converted *copy = ARENA_NEW(l->arena, struct converted);
    *copy = (struct converted){layouts_keep(l, layout), made, map_get(&l->copies, value.ptr)};
    map_put(&l->copies, value.ptr, copy);
}

static MlirType in_layout(struct layouts *l, MlirValue value, const struct layout *layout) {
    return type_with_layout(l->ir, mlirValueGetType(value), layout);
}

// A constant's attribute holds its type, so the constant is built anew.
static MlirValue constant_in(struct layouts *l, MlirOperation op, MlirType type) {
    struct builder b = builder_after(l->ir, op);
    b.location = mlirOperationGetLocation(op);
    MlirAttribute value = op_attribute(op, ATTR_VALUE);
    MlirAttribute splat = mlirDenseElementsAttrSplatGet(type, mlirDenseElementsAttrGetSplatValue(value));
    return VALUE(&b, OP_CONSTANT, NO_OPERANDS, RESULTS(type), ATTRS(attr(&b, ATTR_VALUE, splat)));
}

// Sets `vector` and `assumes` on `made`, the copy of access `op` in this layout.
static void set_vector(struct layouts *l, MlirOperation made, MlirOperation op, const struct layout *access) {
    int64_t vector = layouts_vector(l, op, access);
    op_set_int(l->ir, made, ATTR_VECTOR, (int32_t)vector);
    const char *assumes = axis_access_assumes(&l->axis, leading_operand(op), access_mask(l->ir, op));
    if ((vector > 1 || op_has(op, ATTR_CONSTANCY)) && assumes) {
        op_set_string(l->ir, made, ATTR_ASSUMES, assumes);
    }
}

// Repeats `op` (one result; floating or recomputable) for a result in `layout`.
static MlirValue recompute(struct layouts *l, MlirOperation op, const struct layout *layout, bool for_dot) {
    MlirType type = in_layout(l, mlirOperationGetResult(op, 0), layout);
    if (op_kind(l->ir, op) == OP_CONSTANT) {
        return constant_in(l, op, type);
    }
    intptr_t count = mlirOperationGetNumOperands(op);
    MlirValue *operands = ARENA_ARRAY(l->arena, MlirValue, count + 1);
    for (intptr_t i = 0; i < count; i++) {
        struct layout wanted;
        operands[i] = mlirOperationGetOperand(op, i);
        if (type_is_tensor(mlirValueGetType(operands[i]))) {
            wanted = operand_layout(l->ir, l->arena, op, i, layout);
            operands[i] = materialise(l, operands[i], &wanted, for_dot);
        }
    }
    struct attrs attributes = op_attributes(l->arena, op);
    struct builder b = builder_after(l->ir, op);
    b.location = mlirOperationGetLocation(op);
    enum op_kind kind = layouts_is_shared(layout) ? OP_SMEM_TRANS : op_kind(l->ir, op);
    MlirOperation made = build_op(&b, kind, (struct operands){count, operands}, RESULTS(type), attributes);
    if (kind == OP_LOAD) {
        set_vector(l, made, op, layout);
    }
    return mlirOperationGetResult(made, 0);
}

// A dot's operand in shared memory. A view (trans) of a load becomes a view of the loaded tile in shared
// memory; any other value is computed in threads first.
static MlirValue in_shared(struct layouts *l, MlirValue value, const struct layout *layout) {
    bool transposed;
    MlirOperation op = value_op(value);
    bool view = !mlirOperationIsNull(layouts_load_behind(l, value, &transposed));
    if (view && op_kind(l->ir, op) == OP_TRANS) {
        return recompute(l, op, layout, true);
    }
    if (!layouts_home(l, value).layout) {
        struct layout plain = layouts_default(l, mlirValueGetType(value));
        value = materialise(l, value, layouts_keep(l, &plain), false);
    }
    struct builder b = builder_after_value(l->ir, value);
    b.location = mlirOperationIsNull(op) ? b.location : mlirOperationGetLocation(op);
    return VALUE(&b, OP_CONVERT_LAYOUT, OPERANDS(value), RESULTS(in_layout(l, value, layout)), NO_ATTRS);
}

static MlirValue convert(struct layouts *l, MlirValue value, const struct layout *layout) {
    MlirOperation op = value_op(value);
    struct builder b = builder_after_value(l->ir, value);
    if (!mlirOperationIsNull(op)) {
        b.location = mlirOperationGetLocation(op);
    }
    return VALUE(&b, OP_CONVERT_LAYOUT, OPERANDS(value), RESULTS(in_layout(l, value, layout)), NO_ATTRS);
}

// A loaded vector for a dot's operand: its spread is converted, not the vector, so one copy still can bring the vector
// to shared memory (specialise_boxes.c). The layout of its spread as loaded; rank 0 for other ops.
static struct layout spread_as_loaded(struct layouts *l, MlirOperation op) {
    MlirOperation load = op_kind(l->ir, op) == OP_EXPAND_DIMS ? value_op(unary_source(op)) : op;
    if (mlirOperationIsNull(load) || mlirOperationEqual(load, op) || op_kind(l->ir, load) != OP_LOAD) {
        return (struct layout){0};
    }
    const struct layout *loaded = type_layout(l->ir, mlirValueGetType(unary_source(op)));
    return loaded ? layout_expand_dim(loaded, (unsigned)op_int(op, ATTR_AXIS)) : (struct layout){0};
}

// Addresses of one argument's elements: their indices are converted, of half as many bits or as many, and once for all arguments.
static bool is_of_one_pointer(struct layouts *l, MlirOperation op) {
    MlirOperation pointer = value_op(addptr_pointer(op)), index = value_op(addptr_offset(op));
    return !mlirOperationIsNull(pointer) && op_kind(l->ir, pointer) == OP_SPLAT &&
           !mlirOperationIsNull(index) && !layouts_floats(l, index);
}

// A tile is converted before it is widened: half the bytes, and half the registers until its use. So is a loaded vector, once spread, before it
// is negated: then one copy to shared memory brings it (specialise_boxes.c).
static bool is_converted_before(struct layouts *l, MlirOperation op) {
    enum op_kind kind = op_kind(l->ir, op);
    if (kind == OP_ADDPTR) {
        return is_of_one_pointer(l, op);
    }
    bool widens = kind == OP_EXTF || kind == OP_EXTSI || kind == OP_EXTUI;
    if (!widens && !(kind == OP_NEGF && !mlirOperationIsNull(value_op(unary_source(op))) &&
                     spread_as_loaded(l, value_op(unary_source(op))).rank > 0)) {
        return false;
    }
    struct home home = layouts_home(l, mlirOperationGetResult(op, 0)),
                source = layouts_home(l, unary_source(op));
    return home.layout && source.layout && layout_equal(home.layout, source.layout);
}

static MlirValue convert_spread(struct layouts *l, MlirOperation op, const struct layout *layout) {
    struct layout loaded = spread_as_loaded(l, op);
    struct builder b = builder_after(l->ir, op);
    b.location = mlirOperationGetLocation(op);
    MlirType type = in_layout(l, mlirOperationGetResult(op, 0), &loaded);
    MlirValue spread = mlirOperationGetResult(
        build_op(&b, OP_EXPAND_DIMS, OPERANDS(unary_source(op)), RESULTS(type), op_attributes(l->arena, op)),
        0);
    return layout_equal(&loaded, layout) ? spread : convert(l, spread, layout);
}

// What a conversion of this pass converts: an op that is repeated in another layout may have been rewritten already.
static MlirValue unconverted(struct layouts *l, MlirValue value) {
    MlirOperation op = value_op(value);
    bool converted =
        !mlirOperationIsNull(op) && op_kind(l->ir, op) == OP_CONVERT_LAYOUT && !layouts_home(l, value).layout;
    return converted ? unary_source(op) : value;
}

static MlirValue recount(struct layouts *l, MlirValue argument, const struct layout *layout) {
    MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(argument));
    MlirValue first = for_init(loop, mlirBlockArgumentGetArgNumber(argument) - 1);
    return layouts_recount(l, argument, materialise(l, first, layout, false));
}

static MlirValue materialise(struct layouts *l, MlirValue value, const struct layout *layout, bool for_dot) {
    if (!type_is_tensor(mlirValueGetType(value))) {
        return value;
    }
    value = unconverted(l, value);
    struct home home = layouts_home(l, value);
    if (home.layout && layout_equal(home.layout, layout)) {
        return value;
    }
    for (struct converted *copy = map_get(&l->copies, value.ptr); copy; copy = copy->next) {
        if (layout_equal(copy->layout, layout)) {
            return copy->value;
        }
    }
    MlirOperation op = value_op(value);
    MlirValue made;
    if (layouts_is_shared(layout)) {
        made = in_shared(l, value, layout);
    } else if (for_dot && !mlirOperationIsNull(op) && spread_as_loaded(l, op).rank > 0) {
        made = convert_spread(l, op, layout);
    } else if (!mlirOperationIsNull(op) &&
               (layouts_floats(l, op) || (for_dot && layouts_follows_load(l, op, layout)) ||
                is_converted_before(l, op))) {
        made = recompute(l, op, layout, for_dot);
    } else if (layouts_counts(l, value, layout)) {
        made = mlirOperationIsNull(op) ? recount(l, value, layout) : recompute(l, op, layout, for_dot);
    } else {
        made = convert(l, value, layout);
    }
    remember(l, value, layout, made);
    return made;
}

// ---- rewriting one op ----

static void ask(struct layouts *l, MlirOperation op, intptr_t index, const struct layout *layout,
                bool for_dot) {
    MlirValue value = mlirOperationGetOperand(op, index);
    if (layout && type_is_tensor(mlirValueGetType(value))) {
        mlirOperationSetOperand(op, index, materialise(l, value, layout, for_dot));
    }
}

static void ask_all(struct layouts *l, MlirOperation op, const struct layout *layout) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        ask(l, op, i, layout, false);
    }
}

static void ask_like(struct layouts *l, MlirOperation op, intptr_t index, MlirValue like) {
    ask(l, op, index, layouts_home(l, like).layout, false);
}

static void rewrite_dot(struct layouts *l, MlirOperation op) {
    const struct dot_choice *choice = map_get(&l->dots, op.ptr);
    for (int i = 0; i < mlirOperationGetNumOperands(op); i++) {
        ask(l, op, i, &choice->operand[i], true);
    }
    if (choice->mma) {
        op_set_string(l->ir, op, ATTR_INSTRUCTION, choice->mma->name);
    }
    if (choice->k_bits > 0) {
        op_set_attribute(op, ATTR_K_ORDER,
                         mlirDenseI32ArrayGet(l->ir->context, choice->k_bits, choice->k_order));
    }
    if (choice->row_bits > 0) {
        op_set_attribute(op, ATTR_ROW_ORDER,
                         mlirDenseI32ArrayGet(l->ir->context, choice->row_bits, choice->row_order));
    }
    if (choice->mma && choice->mma->group) {
        remark(l->context, REMARK_MATRIX, op, "%s takes the operands and their scales as they are",
               choice->mma->name);
    }
}

static void rewrite_yield(struct layouts *l, MlirOperation op) {
    MlirOperation parent = mlirOperationGetParentOperation(op);
    enum op_kind around = op_kind(l->ir, parent);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        ask_like(l, op, i,
                 around == OP_WHILE ? mlirBlockGetArgument(op_body(parent, 0), i)
                                    : mlirOperationGetResult(parent, i));
    }
}

static void rewrite_split(struct layouts *l, MlirOperation op) {
    struct layout joined = layout_join(layouts_home(l, mlirOperationGetResult(op, 0)).layout), half;
    struct home home = layouts_home(l, unary_source(op));
    unsigned bit;
    if (!home.layout || !layout_split(home.layout, &half, &bit) ||
        !layout_equal(&half, layouts_home(l, mlirOperationGetResult(op, 0)).layout)) {
        ask(l, op, at_unary_source, &joined, false);
    }
}

// The layout of a result of reduce, scan or join as it follows from the operand's. It may differ from the
// result's home: the operand's home may have changed after the result's was settled.
static struct layout following(struct layouts *l, MlirOperation op, enum op_kind kind) {
    const struct layout *operand = type_layout(l->ir, mlirValueGetType(leading_operand(op)));
    struct layout layout;
    switch (kind) {
    case OP_REDUCE:
        layout = layout_reduce_dim(operand, (unsigned)op_int(op, ATTR_AXIS));
        return layout_remove_replicas(&layout);
    case OP_JOIN:
        return layout_join(operand);
    default:
        return *operand;
    }
}

// Gives the results their following layout and their users a conversion to the home.
static void rewrite_results(struct layouts *l, MlirOperation op, enum op_kind kind) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        MlirValue result = mlirOperationGetResult(op, i);
        if (!type_is_tensor(mlirValueGetType(result))) {
            continue;
        }
        struct layout made = following(l, op, kind);
        struct home *home = map_get(&l->homes, result.ptr);
        if (layout_equal(&made, home->layout)) {
            continue;
        }
        MlirType type = mlirValueGetType(result);
        mlirValueSetType(result, in_layout(l, result, &made));
        struct builder b = builder_after(l->ir, op);
        b.location = mlirOperationGetLocation(op);
        MlirValue converted = VALUE(&b, OP_CONVERT_LAYOUT, OPERANDS(result), RESULTS(type), NO_ATTRS);
        mlirValueReplaceAllUsesOfWith(result, converted);
        set_unary_source(mlirOpResultGetOwner(converted), result);
        map_put(&l->homes, converted.ptr, home);
    }
}

static void rewrite_for(struct layouts *l, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        ask_like(l, op, at_for_init + i, mlirOperationGetResult(op, i));
    }
}

static void rewrite_while(struct layouts *l, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        ask_like(l, op, i, mlirBlockGetArgument(op_body(op, 0), i));
    }
}

static void rewrite_condition(struct layouts *l, MlirOperation op) {
    for (intptr_t i = 0; i < condition_value_count(op); i++) {
        ask_like(l, op, at_condition_value + i,
                 mlirOperationGetResult(mlirOperationGetParentOperation(op), i));
    }
}

// reduce, scan and join.
static void rewrite_following(struct layouts *l, MlirOperation op) {
    if (layouts_floats(l, op)) {
        return;
    }
    ask_all(l, op, layouts_operands_home(l, op).layout);
    rewrite_results(l, op, op_kind(l->ir, op));
}

static void rewrite_histogram(struct layouts *l, MlirOperation op) {
    ask_all(l, op, layouts_operands_home(l, op).layout);
}

static const struct layout *home_or_plain(struct layouts *l, MlirValue value) {
    struct home home = layouts_home(l, value);
    struct layout plain = layouts_default(l, mlirValueGetType(value));
    return home.layout ? home.layout : layouts_keep(l, &plain);
}

static void rewrite_gather(struct layouts *l, MlirOperation op) {
    ask(l, op, at_gather_source, home_or_plain(l, gather_source(op)), false);
    ask_like(l, op, at_gather_indices, mlirOperationGetResult(op, 0));
}

// print and watch take their tiles in any layout.
static void rewrite_shown(struct layouts *l, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        MlirValue value = mlirOperationGetOperand(op, i);
        if (type_is_tensor(mlirValueGetType(value))) {
            ask(l, op, i, home_or_plain(l, value), false);
        }
    }
}

// assert takes its condition in any layout, and the compared tiles in the same.
static void rewrite_assert(struct layouts *l, MlirOperation op) {
    MlirValue condition = assert_condition(op);
    for (intptr_t i = 0; type_is_tensor(mlirValueGetType(condition)) && i < mlirOperationGetNumOperands(op);
         i++) {
        ask(l, op, i, home_or_plain(l, condition), false);
    }
}

// Ops with a map of indices: each operand's layout follows from it.
static void rewrite_mapped(struct layouts *l, MlirOperation op) {
    if (mlirOperationGetNumResults(op) == 0) {
        return;
    }
    const struct layout *result = layouts_home(l, mlirOperationGetResult(op, 0)).layout;
    for (intptr_t i = 0; result && i < mlirOperationGetNumOperands(op); i++) {
        if (type_is_tensor(mlirValueGetType(mlirOperationGetOperand(op, i)))) {
            struct layout operand = operand_layout(l->ir, l->arena, op, i, result);
            ask(l, op, i, &operand, false);
        }
    }
}

typedef void rewrite(struct layouts *l, MlirOperation op);

// NULL: rewrite_mapped.
static rewrite *const rewrites[OP_KIND_COUNT] = {
    [OP_DOT] = rewrite_dot,
    [OP_FOR] = rewrite_for,
    [OP_WHILE] = rewrite_while,
    [OP_SCF_YIELD] = rewrite_yield,
    [OP_CONDITION] = rewrite_condition,
    [OP_REDUCE] = rewrite_following,
    [OP_SCAN] = rewrite_following,
    [OP_JOIN] = rewrite_following,
    [OP_SPLIT] = rewrite_split,
    [OP_GATHER] = rewrite_gather,
    [OP_HISTOGRAM] = rewrite_histogram,
    [OP_ASSERT] = rewrite_assert,
    [OP_PRINT] = rewrite_shown,
    [OP_WATCH] = rewrite_shown,
};

static void rewrite_op(struct layouts *l, MlirOperation op) {
    const struct layout *access = map_get(&l->accesses, op.ptr);
    rewrite *rewrite = rewrites[op_kind(l->ir, op)];
    if (access) {
        if (op_may_have(op_kind(l->ir, op), ATTR_VECTOR)) {
            set_vector(l, op, op, access);
        }
        ask_all(l, op, access);
    } else if (rewrite) {
        rewrite(l, op);
    } else {
        rewrite_mapped(l, op);
    }
}

static void set_home_type(struct layouts *l, MlirValue value) {
    struct home home = layouts_home(l, value);
    if (home.layout) {
        mlirValueSetType(value, in_layout(l, value, home.layout));
    }
}

// Types of everything with a home, ahead of rewriting: conversions then read the right operand types.
static void assign_homes(struct layouts *l) {
    for (size_t i = 0; i < l->op_count; i++) {
        for (intptr_t r = 0; r < mlirOperationGetNumResults(l->ops[i]); r++) {
            set_home_type(l, mlirOperationGetResult(l->ops[i], r));
        }
        enum op_kind kind = op_kind(l->ir, l->ops[i]);
        for (intptr_t r = 0;
             (kind == OP_FOR || kind == OP_WHILE) && r < mlirOperationGetNumRegions(l->ops[i]); r++) {
            MlirBlock body = op_body(l->ops[i], (int)r);
            for (intptr_t a = 0; a < mlirBlockGetNumArguments(body); a++) {
                set_home_type(l, mlirBlockGetArgument(body, a));
            }
        }
    }
}

// Floating ops have been recomputed for each layout in use; their originals are dead, and so are ops recomputed for a dead one.
static void drop_floating(struct layouts *l) {
    l->ops = ops_collect(l->ir, l->arena, l->function, &l->op_count);
    for (size_t i = l->op_count; i-- > 0;) {
        MlirOperation op = l->ops[i];
        if (mlirOperationGetNumResults(op) == 1 &&
            type_is_tensor(mlirValueGetType(mlirOperationGetResult(op, 0))) &&
            ((op_traits(op_kind(l->ir, op)) & PURE) || map_get(&l->spread, op.ptr)) &&
            !value_has_uses(mlirOperationGetResult(op, 0))) {
            mlirOperationDestroy(op);
        }
    }
}

// Marks ops with equal results for neighbouring elements: lowering computes one for all of them. A
// comparison, often a mask, may rest only on the program's own promises. Quotients, and loads addressed by
// them, may rest on all assumptions wide accesses rest on.
static void note_constancy(struct layouts *l) {
    for (size_t i = 0; i < l->op_count; i++) {
        enum op_kind kind = op_kind(l->ir, l->ops[i]);
        bool divides = kind == OP_DIVSI || kind == OP_DIVUI || kind == OP_REMSI || kind == OP_REMUI;
        if (kind != OP_CMPI && kind != OP_LOAD && !divides) {
            continue;
        }
        struct axis_info info = kind == OP_LOAD ? axis_of_load(&l->axis, l->ops[i])
                                                : axis_of(&l->axis, mlirOperationGetResult(l->ops[i], 0));
        int32_t constancy[LAYOUT_MAX_RANK];
        bool any = false;
        for (int d = 0; d < info.rank; d++) {
            constancy[d] = (int32_t)info.constancy[d];
            any |= constancy[d] > 1;
        }
        if (any && (kind != OP_CMPI || !(info.assumes & ~(unsigned)AXIS_ASSUMES_PROMISES))) {
            op_set_attribute(l->ops[i], ATTR_CONSTANCY,
                             mlirDenseI32ArrayGet(l->ir->context, info.rank, constancy));
        }
    }
}

static void forget(struct layouts *l) {
    axis_free(&l->axis);
    map_free(&l->homes);
    map_free(&l->accesses);
    map_free(&l->spread);
    map_free(&l->once);
    map_free(&l->dots);
    map_free(&l->copies);
}

static void lay_out(struct pass_context *context, MlirOperation function) {
    enum { GATHERS = 16 }; // one behind another
    struct layouts l = {.context = context, .ir = context->ir, .arena = context->arena, .function = function};
    l.num_warps = (unsigned)op_int(function, ATTR_NUM_WARPS);
    l.ops = ops_collect(l.ir, l.arena, function, &l.op_count);
    axis_analyse(&l.axis, context, function);
    note_constancy(&l);
    layouts_find_spread(&l);
    layouts_choose_accesses(&l);
    layouts_choose_dots(&l);
    if (layouts_widen_scaled(&l)) {
        forget(&l);
        lay_out(context, function);
        return;
    }
    layouts_choose_copies(&l);
    layouts_choose_once(&l);
    layouts_find_homes(&l);
    if (layouts_drop_spread(&l)) {
        map_clear(&l.homes);
        layouts_choose_accesses(&l);
        layouts_choose_copies(&l);
        layouts_choose_once(&l);
        layouts_find_homes(&l);
    }
    if (layouts_meet_results(&l)) {
        map_clear(&l.homes);
        layouts_find_homes(&l);
    }
    for (int round = 0; round < GATHERS && layouts_follow_addresses(&l); round++) {
        map_clear(&l.homes);
        layouts_find_homes(&l);
    }
    assign_homes(&l);
    for (size_t i = 0; i < l.op_count; i++) {
        bool floating = mlirOperationGetNumResults(l.ops[i]) == 1 &&
                        type_is_tensor(mlirValueGetType(mlirOperationGetResult(l.ops[i], 0))) &&
                        layouts_floats(&l, l.ops[i]);
        if (!floating) {
            rewrite_op(&l, l.ops[i]);
        }
    }
    drop_floating(&l);
    forget(&l);
}

void pass_layouts(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        lay_out(context, op);
    }
}
