// counted_whiles: turns counting `while` loops into loops with a known trip count, for pipelining and
// specialisation by later passes.
//
//   %r:2 = scf.while (%k = %first, %x = %a) {               scf.for %k = %first to %bound step %s iter_args(%x = %a) {
//     %c = arith.cmpi slt, %k, %bound                         … %x … %k …
//     scf.condition(%c) %k, %x                         →      scf.yield %y
//   } do {                                                  }
//     … %x … %k …
//     %next = arith.addi %k, %s
//     scf.yield %next, %y
//   }
//
// The condition compares one carried number, the counter, with a loop-invariant bound. Each iteration adds
// one invariant number to the counter, or subtracts it, and the counter is known to move towards the bound. A
// condition's own addend (`%k + 64 <= %n`) is subtracted from the bound. A counter read behind the loop stays
// carried. A falling counter is replaced by the difference of its first value and a rising one:
//
//   while %k > %bound, %k -= %s                      →      for %up = 0 to %first - %bound step %s: %k = %first - %up
//
// `<=` and `>=` become a bound one further. Not covered: a bound equal to the last number of its type, with
// numbers at which the source's loop would not end, and a difference out of the type's range (src/decisions/41). `!=`
// becomes `<` if the first value is known to be at or before the bound, and the step is one.
//
// requires: nothing
// provides: nothing; keeps everything. A loop left alone has the reason in tk.counted
// test:     tests/golden/passes/counted_whiles
#include "passes/facts/axis.h"

#include <stdlib.h>

#include "ir/build.h"

enum { MOST_DEPTH = 8 };

enum direction { STAYS, RISES, FALLS };

struct counted {
    struct pass_context *context;
    MlirOperation loop;
    intptr_t number; // of the counter among the carried values
    enum int_predicate predicate;
    MlirValue bound;
    // The condition's addend to the counter, subtracted if `ahead_minus`; null: none.
    MlirValue ahead;
    bool ahead_minus;
    // The addend of an iteration: the constant, or else the value, subtracted if `minus`.
    int64_t constant;
    MlirValue value;
    bool minus;
};

static bool refuse(const struct counted *c, enum reason reason) {
    return decline(c->context, c->loop, reason);
}

static MlirBlock before(const struct counted *c) {
    return op_body(c->loop, 0);
}

static MlirBlock after(const struct counted *c) {
    return op_body(c->loop, 1);
}

// ---- invariance ----

static bool is_inside(const struct counted *c, MlirValue value) {
    MlirOperation op = mlirValueIsAOpResult(value)
                           ? mlirOpResultGetOwner(value)
                           : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, c->loop)) {
        op = mlirOperationGetParentOperation(op);
    }
    return !mlirOperationIsNull(op);
}

// True if bring() can compute the value before the loop.
static bool stays(const struct counted *c, MlirValue value, int depth) {
    if (!is_inside(c, value)) {
        return true;
    }
    MlirOperation op = value_op(value);
    bool same = !mlirOperationIsNull(op) && depth < MOST_DEPTH && mlirOperationGetNumRegions(op) == 0 &&
                (op_traits(op_kind(c->context->ir, op)) & PURE);
    for (intptr_t i = 0; same && i < mlirOperationGetNumOperands(op); i++) {
        same = stays(c, mlirOperationGetOperand(op, i), depth + 1);
    }
    return same;
}

static MlirValue bring(const struct counted *c, struct builder *b, struct map *map, MlirValue value) {
    if (!is_inside(c, value) || map_has(map, value.ptr)) {
        return value_under(map, value);
    }
    MlirOperation op = value_op(value);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        bring(c, b, map, mlirOperationGetOperand(op, i));
    }
    op_repeat(b, c->context->arena, map, op);
    return value_under(map, value);
}

// ---- the decision ----

// The number of the block argument, or -1 for any other value.
static intptr_t argument_of(MlirBlock block, MlirValue value) {
    return mlirValueIsABlockArgument(value) && mlirBlockEqual(mlirBlockArgumentGetOwner(value), block)
               ? mlirBlockArgumentGetArgNumber(value)
               : -1;
}

// True if the condition has no other effect, and passes the carried values on unchanged.
static bool decides_alone(const struct counted *c) {
    MlirOperation end = mlirBlockGetTerminator(before(c));
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(before(c)); i++) {
        if (argument_of(before(c), condition_value(end, i)) != i) {
            return false;
        }
    }
    for (MlirOperation op = mlirBlockGetFirstOperation(before(c)); !mlirOperationEqual(op, end);
         op = mlirOperationGetNextInBlock(op)) {
        if (!(op_traits(op_kind(c->context->ir, op)) & PURE) || mlirOperationGetNumRegions(op) > 0) {
            return false;
        }
    }
    return condition_value_count(end) == mlirBlockGetNumArguments(before(c));
}

// The number of the counter in one side of the comparison, `%k` or `%k + %ahead`; or -1.
static intptr_t counter_of(struct counted *c, MlirValue side) {
    MlirOperation op = value_op(side);
    enum op_kind kind = mlirOperationIsNull(op) ? OP_UNKNOWN : op_kind(c->context->ir, op);
    intptr_t number = argument_of(before(c), side);
    c->ahead = (MlirValue){NULL};
    for (intptr_t i = 0; number < 0 && i < (kind == OP_ADDI ? 2 : kind == OP_SUBI); i++) {
        c->ahead = mlirOperationGetOperand(op, 1 - i);
        c->ahead_minus = kind == OP_SUBI;
        number = stays(c, c->ahead, 0) ? argument_of(before(c), mlirOperationGetOperand(op, i)) : -1;
    }
    return number;
}

static bool read_condition(struct counted *c) {
    static const enum int_predicate mirrored[] = {
        [INT_EQ] = INT_EQ,   [INT_NE] = INT_NE,   [INT_SLT] = INT_SGT,
        [INT_SLE] = INT_SGE, [INT_SGT] = INT_SLT, [INT_SGE] = INT_SLE};
    MlirOperation compare = value_op(condition_flag(mlirBlockGetTerminator(before(c))));
    if (!decides_alone(c) || mlirOperationIsNull(compare) || op_kind(c->context->ir, compare) != OP_CMPI ||
        op_int(compare, ATTR_PREDICATE) > INT_SGE) {
        return refuse(c, REASON_COUNTED_CONDITION);
    }
    MlirValue left = binary_left(compare), right = binary_right(compare);
    c->predicate = (enum int_predicate)op_int(compare, ATTR_PREDICATE);
    c->number = counter_of(c, left);
    c->bound = right;
    if (c->number < 0) {
        c->number = counter_of(c, right);
        c->predicate = mirrored[c->predicate];
        c->bound = left;
    }
    if (c->number < 0 || type_bits(mlirValueGetType(left)) < 32) {
        return refuse(c, REASON_COUNTED_CONDITION);
    }
    return stays(c, c->bound, 0) || refuse(c, REASON_COUNTED_BOUND);
}

// Adds a part to the addend of an iteration.
static bool add_step(struct counted *c, MlirValue value, bool minus) {
    int64_t constant;
    if (value_is_constant_int(c->context->ir, value, &constant)) {
        return minus ? !__builtin_sub_overflow(c->constant, constant, &c->constant)
                     : !__builtin_add_overflow(c->constant, constant, &c->constant);
    }
    bool first = mlirValueIsNull(c->value);
    c->value = value;
    c->minus = minus;
    return first;
}

static bool read_step(struct counted *c) {
    MlirValue next = yield_value(mlirBlockGetTerminator(after(c)), c->number);
    for (int depth = 0; argument_of(after(c), next) != c->number; depth++) {
        MlirOperation op = value_op(next);
        if (mlirOperationIsNull(op) || depth == MOST_DEPTH ||
            !mlirBlockEqual(mlirOperationGetBlock(op), after(c))) {
            return refuse(c, REASON_COUNTED_STEP);
        }
        enum op_kind kind = op_kind(c->context->ir, op);
        bool known = kind == OP_ADDI || kind == OP_SUBI;
        bool right = known && stays(c, binary_right(op), 0),
             left = kind == OP_ADDI && !right && stays(c, binary_left(op), 0);
        if ((!right && !left) || !add_step(c, right ? binary_right(op) : binary_left(op), kind == OP_SUBI)) {
            return refuse(c, REASON_COUNTED_STEP);
        }
        next = right ? binary_left(op) : binary_right(op);
    }
    bool one = mlirValueIsNull(c->value) ? llabs(c->constant) <= INT32_MAX : c->constant == 0;
    return one || refuse(c, REASON_COUNTED_STEP);
}

static bool read_loop(struct counted *c) {
    return read_condition(c) && read_step(c);
}

// The counter's direction; STAYS if unknown.
static enum direction direction_of(struct counted *c, struct axis *axis) {
    bool rises = c->constant > 0, falls = c->constant < 0;
    if (!mlirValueIsNull(c->value)) {
        struct axis_info step = axis_of(axis, c->value);
        rises = !step.bounds_assume && (c->minus ? step.high < 0 : step.low > 0);
        falls = !step.bounds_assume && (c->minus ? step.low > 0 : step.high < 0);
    }
    return rises ? RISES : falls ? FALLS : STAYS;
}

// True if the counter, one step after the other, reaches the bound without passing it.
static bool meets_bound(struct counted *c, struct axis *axis) {
    struct axis_info first = axis_of(axis, while_init(c->loop, c->number)), bound = axis_of(axis, c->bound);
    bool meets = c->constant == 1    ? first.high <= bound.low
                 : c->constant == -1 ? first.low >= bound.high
                                     : false;
    return meets && mlirValueIsNull(c->ahead) && !first.bounds_assume && !bound.bounds_assume;
}

static enum direction counts(struct counted *c, struct axis *axis) {
    if (!read_loop(c)) {
        return STAYS;
    }
    enum direction direction = direction_of(c, axis);
    bool below = c->predicate == INT_SLT || c->predicate == INT_SLE;
    bool above = c->predicate == INT_SGT || c->predicate == INT_SGE;
    bool ends = (direction == RISES && below) || (direction == FALLS && above) ||
                (c->predicate == INT_NE && meets_bound(c, axis));
    if (!ends) {
        refuse(c, REASON_COUNTED_SIGN);
        return STAYS;
    }
    return direction;
}

// ---- the counting loop ----

struct bounds {
    MlirValue lower, upper, step;
};

static struct bounds bounds_of(const struct counted *c, struct builder *b, enum direction direction) {
    struct map map = {0};
    MlirValue first = while_init(c->loop, c->number), bound = bring(c, b, &map, c->bound);
    MlirType type = mlirValueGetType(first);
    if (!mlirValueIsNull(c->ahead)) {
        bound = build_binary(b, c->ahead_minus ? OP_ADDI : OP_SUBI, bound, bring(c, b, &map, c->ahead));
    }
    struct bounds out = {.lower = first, .upper = bound};
    if (direction == FALLS) {
        out.lower = const_int(b, type, 0);
        out.upper = build_binary(b, OP_SUBI, first, bound);
    }
    if (c->predicate == INT_SLE || c->predicate == INT_SGE) {
        out.upper = build_binary(b, OP_ADDI, out.upper, const_int(b, type, 1));
    }
    if (mlirValueIsNull(c->value)) {
        out.step = const_int(b, type, direction == FALLS ? -c->constant : c->constant);
    } else {
        out.step = bring(c, b, &map, c->value);
        if (c->minus != (direction == FALLS)) {
            out.step = build_binary(b, OP_SUBI, const_int(b, type, 0), out.step);
        }
    }
    map_free(&map);
    return out;
}

// Carries all values but the counter; also the counter, if it is read behind the loop.
static void rewrite(const struct counted *c, enum direction direction) {
    struct pass_context *context = c->context;
    struct builder b = builder_before(context->ir, c->loop);
    intptr_t count = mlirBlockGetNumArguments(after(c)), kept = 0;
    bool carries = value_has_uses(mlirOperationGetResult(c->loop, c->number));
    MlirValue *inits = ARENA_ARRAY(context->arena, MlirValue, count + 1);
    MlirValue *yields = ARENA_ARRAY(context->arena, MlirValue, count + 1);
    intptr_t *from = ARENA_ARRAY(context->arena, intptr_t, count + 1);
    MlirOperation end = mlirBlockGetTerminator(after(c));
    for (intptr_t i = 0; i < count; i++) {
        if (i != c->number || carries) {
            inits[kept] = while_init(c->loop, i);
            yields[kept] = yield_value(end, i);
            from[kept++] = i;
        }
    }
    struct bounds bounds = bounds_of(c, &b, direction);
    MlirBlock body;
    MlirOperation loop =
        build_for(&b, bounds.lower, bounds.upper, bounds.step, (struct operands){kept, inits}, &body);
    struct builder inside = builder_at_end(context->ir, body, mlirOperationGetLocation(c->loop));
    MlirValue counter = mlirBlockGetArgument(body, 0);
    if (direction == FALLS) {
        counter = build_binary(&inside, OP_SUBI, while_init(c->loop, c->number), counter);
    }
    build_yield(&inside, (struct operands){kept, yields});
    MlirOperation yield = mlirBlockGetTerminator(body);
    for (MlirOperation op = mlirBlockGetFirstOperation(after(c)), next; !mlirOperationEqual(op, end);
         op = next) {
        next = mlirOperationGetNextInBlock(op);
        mlirOperationMoveBefore(op, yield);
    }
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(after(c), c->number), counter);
    for (intptr_t i = 0; i < kept; i++) {
        if (from[i] != c->number) {
            mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(after(c), from[i]),
                                          mlirBlockGetArgument(body, i + 1));
        }
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(c->loop, from[i]),
                                      mlirOperationGetResult(loop, i));
    }
    mlirOperationDestroy(c->loop);
}

static void rewrite_function(struct pass_context *context, MlirOperation function) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    enum direction *directions = ARENA_ARRAY(context->arena, enum direction, count + 1);
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        directions[i] = STAYS;
        any |= op_kind(context->ir, ops[i]) == OP_WHILE;
    }
    if (!any) {
        return;
    }
    struct axis axis;
    axis_analyse(&axis, context, function);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_WHILE) {
            directions[i] = counts(&(struct counted){.context = context, .loop = ops[i]}, &axis);
            if (directions[i] == STAYS) {
                reason_keep(context, ops[i], ATTR_COUNTED);
            }
        }
    }
    axis_free(&axis);
    for (size_t i = count; i-- > 0;) { // inner loops first
        struct counted c = {.context = context, .loop = ops[i]};
        if (directions[i] != STAYS && read_loop(&c)) {
            rewrite(&c, directions[i]);
        }
    }
}

void pass_counted_whiles(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        rewrite_function(context, op);
    }
}
