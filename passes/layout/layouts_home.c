// Homes: the layout of each expensive tile. Memory accesses and dots fix theirs. Values computed from them
// follow, and the higher rank wins; loop-carried tiles follow the values yielded by the loop. Cheap tiles
// (ranges, splats, constants, broadcasts, and values computed only from these) float: each use recomputes
// them. A floating loop-carried tile takes the layout of its first user.
#include "passes/layout/layouts.h"
#include "chip/scratch.h"

#include "ir/build.h"
#include "passes/facts/operand_layout.h"

struct home layouts_home(struct layouts *l, MlirValue value) {
    const struct home *home = map_get(&l->homes, value.ptr);
    return home ? *home : (struct home){0};
}

// Returns true if the home is new or has a higher rank than before.
static bool settle(struct layouts *l, MlirValue value, const struct layout *layout, enum home_rank rank) {
    struct home *home = map_get(&l->homes, value.ptr);
    if (home && home->rank >= rank) {
        return false;
    }
    if (!home) {
        home = ARENA_NEW(l->arena, struct home);
        map_put(&l->homes, value.ptr, home);
    }
    *home = (struct home){layouts_keep(l, layout), rank};
    return true;
}

static void order_attribute(struct layouts *l, MlirOperation op, unsigned order[]) {
    const int32_t *values;
    intptr_t count = op_i32_array(op, ATTR_ORDER, &values, l->arena);
    for (intptr_t i = 0; i < count; i++) {
        order[i] = (unsigned)values[i];
    }
}

static void shape_of(MlirType type, int64_t shape[LAYOUT_MAX_RANK]) {
    for (int d = 0; d < type_rank(type); d++) {
        shape[d] = type_extent(type, d);
    }
}

static bool is_expanding(MlirOperation op) {
    return type_elements(mlirValueGetType(mlirOperationGetResult(op, 0))) >
           type_elements(mlirValueGetType(unary_source(op)));
}

// True for a load of few elements that is repeated in each layout, and for copies of its tile that are joined.
static bool is_spread(struct layouts *l, MlirOperation op) {
    while (!mlirOperationIsNull(op)) {
        switch (op_kind(l->ir, op)) {
        case OP_LOAD:
            return map_get(&l->spread, op.ptr) != NULL;
        case OP_JOIN:
        case OP_RESHAPE:
            op = value_op(leading_operand(op));
            break;
        default:
            return false;
        }
    }
    return false;
}

bool layouts_floats(struct layouts *l, MlirOperation op) {
    enum op_kind kind = op_kind(l->ir, op);
    switch (kind) {
    case OP_CONSTANT:
    case OP_RANGE:
    case OP_SPLAT:
        return true;
    case OP_BROADCAST:
        return is_expanding(op) || !layouts_home(l, mlirOperationGetResult(op, 0)).layout;
    case OP_EXPAND_DIMS:
    case OP_RESHAPE:
    case OP_TRANS:
        return !layouts_home(l, mlirOperationGetResult(op, 0)).layout;
    case OP_LOAD:
    case OP_JOIN:
        return is_spread(l, op) && !layouts_home(l, mlirOperationGetResult(op, 0)).layout;
    default:
        return (op_traits(kind) & ELEMENTWISE) && (op_traits(kind) & PURE) &&
               mlirOperationGetNumResults(op) == 1 && !layouts_home(l, mlirOperationGetResult(op, 0)).layout;
    }
}

// ---- forward: operands' homes → results' ----

static bool settle_elementwise(struct layouts *l, MlirOperation op) {
    struct home best = {0};
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        struct home home = layouts_home(l, mlirOperationGetOperand(op, i));
        if (home.rank > best.rank) {
            best = home;
        }
    }
    bool changed = false;
    for (intptr_t i = 0; best.layout && i < mlirOperationGetNumResults(op); i++) {
        if (type_is_tensor(mlirValueGetType(mlirOperationGetResult(op, i)))) {
            changed |= settle(l, mlirOperationGetResult(op, i), best.layout, best.rank);
        }
    }
    return changed;
}

static bool settle_shape(struct layouts *l, MlirOperation op, enum op_kind kind) {
    struct home home = layouts_home(l, unary_source(op));
    MlirValue result = mlirOperationGetResult(op, 0);
    int64_t shape[LAYOUT_MAX_RANK];
    unsigned order[LAYOUT_MAX_RANK];
    struct layout layout;
    if (!home.layout || (kind == OP_BROADCAST && is_expanding(op))) {
        return false;
    }
    shape_of(mlirValueGetType(result), shape);
    switch (kind) {
    case OP_EXPAND_DIMS:
        layout = layout_expand_dim(home.layout, (unsigned)op_int(op, ATTR_AXIS));
        break;
    case OP_TRANS:
        order_attribute(l, op, order);
        layout = layout_trans(home.layout, order);
        break;
    case OP_BROADCAST:
        layout = *home.layout;
        break;
    default:
        layout = layout_reshape(home.layout, (unsigned)type_rank(mlirValueGetType(result)), shape);
        break;
    }
    return settle(l, result, &layout, home.rank);
}

// True if each step from lane to lane, or from warp to warp, goes along one dimension. The pointers of copies to LDS are swizzled: theirs go
// along two (layouts_lds_copy.c), and no reduction or scan takes such a tile.
static bool is_straight(const struct layout *layout) {
    for (enum layout_input input = LAYOUT_LANE; input <= LAYOUT_WARP; input++) {
        for (unsigned i = 0; i < layout->bits[input]; i++) {
            unsigned dimensions = 0;
            for (unsigned d = 0; d < layout->rank; d++) {
                dimensions += (layout->basis[input][i] & layout_dim_mask(layout, d)) != 0;
            }
            if (dimensions > 1) {
                return false;
            }
        }
    }
    return true;
}

// The layout for a tile without constraints: as of a memory access with the same number of elements,
// reshaped, because the tile may meet it in another shape (sorts written by hand reshape keys and indices
// alike). Otherwise the default layout.
struct layout layouts_likely(struct layouts *l, MlirType type) {
    int64_t shape[LAYOUT_MAX_RANK];
    shape_of(type, shape);
    for (size_t i = 0; i < l->op_count; i++) {
        const struct layout *access = map_get(&l->accesses, l->ops[i].ptr);
        if (access && (int64_t)1 << layout_size_log2(access) == type_elements(type) && is_straight(access)) {
            return layout_reshape(access, (unsigned)type_rank(type), shape);
        }
    }
    return layouts_default(l, type);
}

// The register in place of a warp bit along a scan's axis, with the mask `axis`: of another dimension, else of a higher bit
// of the axis. -1: none.
static int register_for_warp(const struct layout *layout, uint32_t warp, uint32_t axis) {
    int higher = -1;
    for (int r = layout->bits[LAYOUT_REGISTER] - 1; r >= 0; r--) {
        uint32_t basis = layout->basis[LAYOUT_REGISTER][r];
        if (basis && !(basis & axis)) {
            return r;
        }
        higher = higher < 0 && basis > warp ? r : higher;
    }
    return higher;
}

// True if the warps run along the lowest bits of a scan's axis, and exchange more elements than shared memory holds.
static bool scan_overflows(struct layouts *l, MlirOperation scan, const struct layout *operand) {
    return scan_bytes(scan, operand) > (unsigned)l->context->target->shared_limit;
}

// The warp bit at the lowest bit of a scan's axis; NULL: none.
static uint32_t *lowest_warp(struct layout *layout, uint32_t axis) {
    uint32_t *lowest = NULL;
    for (unsigned w = 0; w < layout->bits[LAYOUT_WARP]; w++) {
        uint32_t *warp = &layout->basis[LAYOUT_WARP][w];
        lowest = (*warp & axis) && (!lowest || *warp < *lowest) ? warp : lowest;
    }
    return lowest;
}

// As few warp bits along a scan's axis as possible change places with register bits: a conversion to the layout is done in as many pieces as
// there are registers with lasting places.
static struct layout scan_layout(struct layouts *l, MlirOperation scan, struct layout layout) {
    uint32_t axis = layout_dim_mask(&layout, (unsigned)op_int(scan, ATTR_AXIS));
    while (scan_overflows(l, scan, &layout)) {
        uint32_t *warp = lowest_warp(&layout, axis), basis = *warp;
        int r = register_for_warp(&layout, basis, axis);
        if (r < 0) {
            break;
        }
        *warp = layout.basis[LAYOUT_REGISTER][r];
        layout.basis[LAYOUT_REGISTER][r] = basis;
    }
    return layout;
}

struct home layouts_operands_home(struct layouts *l, MlirOperation op) {
    struct home home = {0};
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !home.layout; i++) {
        home = layouts_home(l, mlirOperationGetOperand(op, i));
    }
    enum op_kind kind = op_kind(l->ir, op);
    bool has_axis = kind == OP_REDUCE || kind == OP_SCAN;
    if (!home.layout || (has_axis && !is_straight(home.layout))) {
        struct layout plain = layouts_likely(l, mlirValueGetType(leading_operand(op)));
        home = (struct home){layouts_keep(l, &plain), HOME_DEMAND};
    }
    if (kind == OP_SCAN && scan_overflows(l, op, home.layout)) {
        struct layout layout = scan_layout(l, op, *home.layout);
        home = (struct home){layouts_keep(l, &layout), HOME_DEMAND};
    }
    return home;
}

static bool settle_results(struct layouts *l, MlirOperation op, const struct layout *layout,
                           enum home_rank rank) {
    bool changed = false;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        if (type_is_tensor(mlirValueGetType(mlirOperationGetResult(op, i)))) {
            changed |= settle(l, mlirOperationGetResult(op, i), layout, rank);
        }
    }
    return changed;
}

static bool settle_structural(struct layouts *l, MlirOperation op, enum op_kind kind) {
    struct home home = layouts_operands_home(l, op);
    struct layout layout;
    unsigned bit;
    switch (kind) {
    case OP_REDUCE: {
        struct layout all = layout_reduce_dim(home.layout, (unsigned)op_int(op, ATTR_AXIS));
        layout = layout_remove_replicas(&all);
        break;
    }
    case OP_JOIN:
        layout = layout_join(home.layout);
        break;
    case OP_SPLIT:
        if (!layout_split(home.layout, &layout,
                          &bit)) { // a pair must be in one thread: rewriting converts
            int64_t shape[LAYOUT_MAX_RANK];
            MlirType half = mlirValueGetType(mlirOperationGetResult(op, 0));
            shape_of(half, shape);
            layout = layouts_default(l, half);
            home.rank = HOME_DEMAND;
        }
        break;
    default:
        layout = *home.layout;
        break;
    }
    return settle_results(l, op, &layout, home.rank);
}

// Two values tied together by a loop or branch share one home.
static bool unify(struct layouts *l, MlirValue *values, int count) {
    struct home best = {0};
    bool changed = false;
    for (int i = 0; i < count; i++) {
        struct home home = layouts_home(l, values[i]);
        if (home.rank > best.rank) {
            best = home;
        }
    }
    return best.layout ? (changed = settle(l, values[0], best.layout, best.rank),
                          changed |= settle(l, values[1], best.layout, best.rank), changed)
                       : false;
}

static bool settle_control(struct layouts *l, MlirOperation op, enum op_kind kind) {
    bool changed = false;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        MlirValue result = mlirOperationGetResult(op, i);
        if (!type_is_tensor(mlirValueGetType(result))) {
            continue;
        }
        MlirOperation end = mlirBlockGetTerminator(op_body(op, 0));
        MlirValue first = kind == OP_WHILE ? condition_value(end, i) : yield_value(end, i);
        if (kind == OP_FOR) {
            MlirValue tied[4] = {result, mlirBlockGetArgument(op_body(op, 0), i + 1), first, for_init(op, i)};
            changed |= unify(l, tied, 4);
        } else if (kind == OP_IF) {
            MlirValue tied[4] = {result, result, first,
                                 yield_value(mlirBlockGetTerminator(op_body(op, 1)), i)};
            changed |= unify(l, tied, 4);
        } else {
            MlirValue tied[3] = {result, mlirBlockGetArgument(op_body(op, 1), i), first};
            changed |= unify(l, tied, 3);
        }
    }
    if (kind == OP_WHILE) {
        MlirBlock before = op_body(op, 0), after = op_body(op, 1);
        for (intptr_t i = 0; i < mlirBlockGetNumArguments(before); i++) {
            if (type_is_tensor(mlirValueGetType(mlirBlockGetArgument(before, i)))) {
                MlirValue argument = mlirBlockGetArgument(before, i);
                MlirValue tied[4] = {argument, argument, while_init(op, i),
                                     yield_value(mlirBlockGetTerminator(after), i)};
                changed |= unify(l, tied, 4);
            }
        }
    }
    return changed;
}

static bool settle_op(struct layouts *l, MlirOperation op) {
    enum op_kind kind = op_kind(l->ir, op);
    const struct layout *once = map_get(&l->once, op.ptr);
    if (once) {
        return settle_results(l, op, once, HOME_ACCESS);
    }
    switch (kind) {
    case OP_LOAD:
    case OP_ATOMIC_RMW:
    case OP_ATOMIC_CAS:
    case OP_ATOMIC_POLL: {
        const struct layout *layout = map_get(&l->accesses, op.ptr);
        return layout && settle_results(l, op, layout, HOME_ACCESS);
    }
    case OP_DOT: {
        struct dot_choice *choice = map_get(&l->dots, op.ptr);
        return settle_results(l, op, &choice->operand[MMA_C], HOME_DOT);
    }
    case OP_EXPAND_DIMS:
    case OP_BROADCAST:
    case OP_RESHAPE:
    case OP_TRANS:
        return settle_shape(l, op, kind);
    case OP_JOIN:
        return !layouts_floats(l, op) && settle_structural(l, op, kind);
    case OP_REDUCE:
    case OP_SCAN:
    case OP_SPLIT:
        return settle_structural(l, op, kind);
    case OP_GATHER: {
        struct home home = layouts_home(l, gather_indices(op));
        struct layout plain = layouts_default(l, mlirValueGetType(mlirOperationGetResult(op, 0)));
        return settle_results(l, op, home.layout ? home.layout : &plain, HOME_ACCESS);
    }
    case OP_HISTOGRAM: {
        struct layout plain = layouts_default(l, mlirValueGetType(mlirOperationGetResult(op, 0)));
        return settle_results(l, op, &plain, HOME_ACCESS);
    }
    case OP_INLINE_ASM: { // several results, or packed calls: never recomputed
        struct home home = {0};
        if (mlirOperationGetNumOperands(op) > 0 && type_is_tensor(mlirValueGetType(leading_operand(op)))) {
            home = layouts_operands_home(l, op);
        } else if (type_is_tensor(mlirValueGetType(mlirOperationGetResult(op, 0)))) {
            struct layout plain = layouts_default(l, mlirValueGetType(mlirOperationGetResult(op, 0)));
            home = (struct home){layouts_keep(l, &plain), HOME_DEMAND};
        }
        return home.layout && settle_results(l, op, home.layout, home.rank);
    }
    case OP_FOR:
    case OP_IF:
    case OP_WHILE:
        return settle_control(l, op, kind);
    default:
        return (op_traits(kind) & ELEMENTWISE) && settle_elementwise(l, op);
    }
}

static void settle_all(struct layouts *l) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < l->op_count; i++) {
            changed |= settle_op(l, l->ops[i]);
        }
    }
}

// ---- backward: layouts asked for by users of floating values reach loop-carried ones ----

// A loop's result and its carried argument get one home together: otherwise two users in the same round could
// give them different ones.
static bool settle_carried(struct layouts *l, MlirValue value, const struct layout *layout) {
    MlirOperation op = value_op(value);
    intptr_t index;
    MlirBlock block;
    if (mlirOperationIsNull(op)) {
        block = mlirBlockArgumentGetOwner(value);
        op = mlirBlockGetParentOperation(block);
        enum op_kind kind = op_kind(l->ir, op);
        index = mlirBlockArgumentGetArgNumber(value) - (kind == OP_FOR);
        bool tied = kind == OP_FOR || (kind == OP_WHILE && mlirBlockEqual(block, op_body(op, 1)));
        bool changed = settle(l, value, layout, HOME_DEMAND);
        return (tied && settle(l, mlirOperationGetResult(op, index), layout, HOME_DEMAND)) || changed;
    }
    enum op_kind kind = op_kind(l->ir, op);
    index = mlirOpResultGetResultNumber(value);
    bool changed = settle(l, value, layout, HOME_DEMAND);
    if (kind == OP_FOR) {
        changed |= settle(l, mlirBlockGetArgument(op_body(op, 0), index + 1), layout, HOME_DEMAND);
    } else if (kind == OP_WHILE) {
        changed |= settle(l, mlirBlockGetArgument(op_body(op, 1), index), layout, HOME_DEMAND);
    }
    return changed;
}

// `seen`: values visited in this round. The loop-carried values behind them have their homes already.
static bool demand(struct layouts *l, struct map *seen, MlirValue value, const struct layout *layout,
                   int depth) {
    if (!type_is_tensor(mlirValueGetType(value)) || layouts_home(l, value).layout || depth > 1000 ||
        map_has(seen, value.ptr)) {
        return false;
    }
    map_put(seen, value.ptr, (void *)value.ptr);
    MlirOperation op = value_op(value);
    enum op_kind kind = mlirOperationIsNull(op) ? OP_UNKNOWN : op_kind(l->ir, op);
    if (mlirOperationIsNull(op) || kind == OP_FOR || kind == OP_IF || kind == OP_WHILE) {
        return settle_carried(l, value, layout);
    }
    bool changed = false;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && layouts_floats(l, op); i++) {
        if (type_is_tensor(mlirValueGetType(mlirOperationGetOperand(op, i)))) {
            struct layout operand = operand_layout(l->ir, l->arena, op, i, layout);
            changed |= demand(l, seen, mlirOperationGetOperand(op, i), &operand, depth + 1);
        }
    }
    return changed;
}

// The layout an op asks of all of its operands alike; NULL if they differ.
static const struct layout *asked(struct layouts *l, MlirOperation op) {
    const struct layout *access = map_get(&l->accesses, op.ptr);
    if (access) {
        return access;
    }
    if ((op_traits(op_kind(l->ir, op)) & ELEMENTWISE) && mlirOperationGetNumResults(op) > 0) {
        return layouts_home(l, mlirOperationGetResult(op, 0)).layout;
    }
    return NULL;
}

static bool demand_from(struct layouts *l, struct map *seen, MlirOperation op) {
    const struct layout *layout = asked(l, op);
    bool changed = false;
    for (intptr_t i = 0; layout && i < mlirOperationGetNumOperands(op); i++) {
        changed |= demand(l, seen, mlirOperationGetOperand(op, i), layout, 0);
    }
    return changed;
}

// Loop-carried and branch values without any demand get a plain layout.
static bool settle_leftovers(struct layouts *l) {
    bool changed = false;
    for (size_t i = 0; i < l->op_count; i++) {
        enum op_kind kind = op_kind(l->ir, l->ops[i]);
        if (kind != OP_FOR && kind != OP_IF && kind != OP_WHILE) {
            continue;
        }
        for (intptr_t r = 0; r < mlirOperationGetNumResults(l->ops[i]); r++) {
            MlirValue value = mlirOperationGetResult(l->ops[i], r);
            if (type_is_tensor(mlirValueGetType(value)) && !layouts_home(l, value).layout) {
                struct layout plain = layouts_default(l, mlirValueGetType(value));
                changed |= settle(l, value, &plain, HOME_DEMAND);
            }
        }
        for (intptr_t a = 0; kind == OP_WHILE && a < mlirBlockGetNumArguments(op_body(l->ops[i], 0)); a++) {
            MlirValue value = mlirBlockGetArgument(op_body(l->ops[i], 0), a);
            if (type_is_tensor(mlirValueGetType(value)) && !layouts_home(l, value).layout) {
                struct layout plain = layouts_default(l, mlirValueGetType(value));
                changed |= settle(l, value, &plain, HOME_DEMAND);
            }
        }
    }
    return changed;
}

// ---- conversions move up to the smallest value ----

// The one home, of a higher rank than the value's own, shared by all users of the tile, all elementwise; else
// none.
static struct home wanted_home(struct layouts *l, MlirValue value) {
    struct home wanted = {0}, home = layouts_home(l, value);
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        bool one = (op_traits(op_kind(l->ir, user)) & ELEMENTWISE) && mlirOperationGetNumResults(user) == 1;
        struct home other = one ? layouts_home(l, mlirOperationGetResult(user, 0)) : (struct home){0};
        if (other.rank <= home.rank || (wanted.layout && !layout_equal(wanted.layout, other.layout))) {
            return (struct home){0};
        }
        wanted = other;
    }
    return wanted;
}

// For an elementwise op on one tile with a home (its other operands float) whose users all want another home:
// gives the result their home. Then the operand is converted, once for all results computed from it, in a
// loop too.
static bool raise(struct layouts *l, MlirOperation op) {
    unsigned traits = op_traits(op_kind(l->ir, op)), others = 0;
    if (!(traits & ELEMENTWISE) || !(traits & PURE) || mlirOperationGetNumResults(op) != 1) {
        return false;
    }
    MlirValue result = mlirOperationGetResult(op, 0);
    unsigned bits = type_bits(type_element(mlirValueGetType(result)));
    struct home home = layouts_home(l, result), wanted = home.layout ? wanted_home(l, result) : home;
    if (!wanted.layout || wanted.rank == home.rank) {
        return false;
    }
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        MlirValue operand = mlirOperationGetOperand(op, i);
        struct home lives = layouts_home(l, operand);
        if (lives.layout && !layout_equal(lives.layout, wanted.layout)) {
            others += type_bits(type_element(mlirValueGetType(operand))) <= bits ? 1 : 2;
        }
    }
    return others <= 1 && settle(l, result, wanted.layout, wanted.rank);
}

// Sums that a loop's own product adds to have its layout while the loop runs, also where they begin as another product's result: else each
// step would convert them there and back.
static void settle_sums(struct layouts *l, struct map *seen, MlirOperation loop) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++) {
        MlirValue result = mlirOperationGetResult(loop, i);
        map_clear(seen);
        MlirOperation dot =
            type_is_tensor(mlirValueGetType(result))
                ? layouts_dot_behind(l, seen, yield_value(mlirBlockGetTerminator(op_body(loop, 0)), i), 0)
                : (MlirOperation){NULL};
        if (!mlirOperationIsNull(dot) && mlirBlockEqual(mlirOperationGetBlock(dot), op_body(loop, 0))) {
            struct dot_choice *choice = map_get(&l->dots, dot.ptr);
            settle(l, result, &choice->operand[MMA_C], HOME_DOT);
            settle(l, mlirBlockGetArgument(op_body(loop, 0), i + 1), &choice->operand[MMA_C], HOME_DOT);
        }
    }
}

void layouts_find_homes(struct layouts *l) {
    struct map seen = {0};
    for (size_t i = 0; i < l->op_count; i++) {
        if (op_kind(l->ir, l->ops[i]) == OP_FOR) {
            settle_sums(l, &seen, l->ops[i]);
        }
    }
    for (bool changed = true; changed;) {
        settle_all(l);
        changed = false;
        for (size_t i = l->op_count; i-- > 0;) {
            changed |= raise(l, l->ops[i]);
        }
        map_clear(&seen);
        for (size_t i = 0; i < l->op_count; i++) {
            changed |= demand_from(l, &seen, l->ops[i]);
        }
        if (!changed) {
            changed = settle_leftovers(l);
        }
    }
    map_free(&seen);
}
