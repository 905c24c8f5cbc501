// joined_loops: two loops of products with a common loaded operand become one.
//
//   %g = scf.for %k = 0 to %n step 64 iter_args(%s = %zero) {        %gu:2 = scf.for %k = 0 to %n step 64 iter_args(%s = %zero, %t = %zero) {
//     yield dot load(a, %k), load(b, %k), %s                           %a = load(a, %k)
//   }                                                          →       yield dot %a, load(b, %k), %s, dot %a, load(c, %k), %t
//   store %g                                                         }
//   %u = scf.for %k = 0 to %n step 64 iter_args(%t = %zero) {        store %gu#0
//     yield dot load(a, %k), load(c, %k), %t
//   }
//
// Gate and up of a language model's layer are such loops: written as two steps of a chain, or one below the other. A step of the joined loop
// copies the common operand once, and a tile of 128 x 128 in both loads as much for a product as one of 128 x 256. Each sum keeps its
// order of additions, so every bit stays.
//
// Two loops are joined if
//
//   their bounds and steps are the same values, and the second one takes no result of the first one
//   neither writes, and the second one's loads may pass what is stored between them: arrays of a chain that it does not load, or other
//     arguments at other offsets (apart.c); loads between them stay between these stores
//   they have 64 rows at least, load an operand alike, and all their sums fit in a thread's registers beside a product's operands
//
// requires: nothing
// provides: nothing; keeps everything
// test:     tests/golden/passes/joined_loops
#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"
#include "passes/facts/apart.h"
#include "passes/pass.h"

// Registers of a thread for sums, at most: those of a tile of 128 x 256 on two warpgroups.
enum { MOST_SUMS = 128, LEAST_ROWS = 64 };

struct pair {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation function, first, second; // loops of one block, in this order
    // The second loop's values with an equal in each step: op → the first loop's op, carried value → the first loop's carried value. For each
    // value carried by the second loop, the zero-based number of its equal, or -1.
    struct map matches;
    intptr_t *alike;
};

// ---- the loops' bodies ----

static bool same_bounds(const struct pair *p) {
    return value_is(for_lower(p->first), for_lower(p->second)) &&
           value_is(for_upper(p->first), for_upper(p->second)) &&
           value_is(for_step(p->first), for_step(p->second));
}

// Products of warpgroups, by their rows, in the loop's own body, beside no writes, no orders of memory and no regions.
static bool only_multiplies(const struct pair *p, MlirOperation loop) {
    bool dots = false;
    for (MlirOperation op = mlirBlockGetFirstOperation(op_body(loop, 0)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if ((op_traits(op_kind(p->ir, op)) & WRITE) || op_orders_memory(p->ir, op) ||
            mlirOperationGetNumRegions(op) > 0) {
            return false;
        }
        if (op_kind(p->ir, op) == OP_DOT) {
            dots = true;
            MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
            if (type_rank(type) != 2 || type_extent(type, 0) < LEAST_ROWS) {
                return false;
            }
        }
    }
    return dots;
}

// True for the type of a result of the loop's products.
static bool is_product(const struct pair *p, MlirOperation loop, MlirType type) {
    MlirOperation op = mlirBlockGetFirstOperation(op_body(loop, 0));
    while (!mlirOperationIsNull(op) &&
           (op_kind(p->ir, op) != OP_DOT ||
            !mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(op, 0)), type))) {
        op = mlirOperationGetNextInBlock(op);
    }
    return !mlirOperationIsNull(op);
}

// Registers of a thread for the loop's carried sums: floats, and integers as its products have them.
static unsigned sums_of(const struct pair *p, MlirOperation loop) {
    int64_t registers = 0, threads = op_num_warps(p->function) * (int64_t)p->context->target->warp_size;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++) {
        MlirType type = mlirValueGetType(mlirOperationGetResult(loop, i)), element = type_element(type);
        if (mlirTypeIsAFloat(element) || is_product(p, loop, type)) {
            registers += (type_elements(type) * type_bits(element) / 32 + threads - 1) / threads;
        }
    }
    return (unsigned)registers;
}

// ---- common values ----

// True if the second loop's value equals the first one's in each step.
static bool values_match(const struct pair *p, MlirValue a, MlirValue b) {
    if (value_is(a, b)) {
        return true;
    }
    if (mlirValueIsABlockArgument(a) || mlirValueIsABlockArgument(b)) {
        return map_get(&p->matches, b.ptr) == a.ptr;
    }
    return map_get(&p->matches, value_op(b).ptr) == value_op(a).ptr &&
           mlirOpResultGetResultNumber(a) == mlirOpResultGetResultNumber(b);
}

// Products stay as many as they are: steps of a chain are compared by them (driver/fuse.c).
static bool ops_match(const struct pair *p, MlirOperation a, MlirOperation b) {
    enum op_kind kind = op_kind(p->ir, a);
    bool match = kind == op_kind(p->ir, b) && ops_alike(a, b) &&
                 (kind == OP_LOAD ? !load_is_volatile(a) : (op_traits(kind) & PURE) && kind != OP_DOT) &&
                 mlirOperationGetNumOperands(a) == mlirOperationGetNumOperands(b);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(a) && match; i++) {
        match = values_match(p, mlirOperationGetOperand(a, i), mlirOperationGetOperand(b, i));
    }
    return match;
}

// Finds the second loop's ops with an equal in the first one, if the guess `alike` about carried values holds. Returns true if a load is among
// them.
static bool match_ops(struct pair *p) {
    MlirBlock first = op_body(p->first, 0), second = op_body(p->second, 0);
    bool share = false;
    map_clear(&p->matches);
    map_value(&p->matches, mlirBlockGetArgument(second, 0), mlirBlockGetArgument(first, 0));
    for (intptr_t i = 0; i < mlirOperationGetNumResults(p->second); i++) {
        if (p->alike[i] >= 0) {
            map_value(&p->matches, mlirBlockGetArgument(second, 1 + i),
                      mlirBlockGetArgument(first, 1 + p->alike[i]));
        }
    }
    for (MlirOperation op = mlirBlockGetFirstOperation(second); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        MlirOperation match = mlirBlockGetFirstOperation(first);
        while (!mlirOperationIsNull(match) && !ops_match(p, match, op)) {
            match = mlirOperationGetNextInBlock(match);
        }
        if (!mlirOperationIsNull(match)) {
            map_put(&p->matches, op.ptr, match.ptr);
            share |= op_kind(p->ir, op) == OP_LOAD;
        }
    }
    return share;
}

// Values carried by both loops from one value on, such as pointers.
static void guess_alike(struct pair *p) {
    intptr_t count = mlirOperationGetNumResults(p->second);
    p->alike = ARENA_ARRAY(p->context->arena, intptr_t, count + 1);
    for (intptr_t i = 0; i < count; i++) {
        p->alike[i] = mlirOperationGetNumResults(p->first) - 1;
        while (p->alike[i] >= 0 && !value_is(for_init(p->first, p->alike[i]), for_init(p->second, i))) {
            p->alike[i]--;
        }
    }
}

// Takes back a guess not borne out by the loops' yields. Returns false if there is none.
static bool guess_less(struct pair *p) {
    MlirOperation first = mlirBlockGetTerminator(op_body(p->first, 0)),
                  second = mlirBlockGetTerminator(op_body(p->second, 0));
    bool less = false;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(p->second); i++) {
        if (p->alike[i] >= 0 && !values_match(p, mlirOperationGetOperand(first, p->alike[i]),
                                              mlirOperationGetOperand(second, i))) {
            p->alike[i] = -1;
            less = true;
        }
    }
    return less;
}

// Finds the ops and the carried values common to both loops. True if they share an operand.
static bool share_operand(struct pair *p) {
    guess_alike(p);
    bool share = match_ops(p);
    while (guess_less(p)) {
        share = match_ops(p);
    }
    return share;
}

// ---- ops between the loops ----

static bool is_among(const MlirOperation *ops, size_t count, MlirOperation op) {
    bool among = false;
    for (size_t i = 0; i < count; i++) {
        among |= mlirOperationEqual(ops[i], op);
    }
    return among;
}

// True if an operand of the op, or of an op in its regions, is made by one of these.
static bool takes_from(const struct pair *p, MlirOperation op, const MlirOperation *makers,
                       size_t makers_count) {
    size_t count;
    MlirOperation *inner = ops_collect(p->ir, p->context->arena, op, &count);
    bool takes = false;
    for (size_t i = 0; i <= count; i++) {
        MlirOperation reader = i < count ? inner[i] : op;
        for (intptr_t o = 0; o < mlirOperationGetNumOperands(reader); o++) {
            MlirOperation maker = value_op(mlirOperationGetOperand(reader, o));
            takes |= !mlirOperationIsNull(maker) && is_among(makers, makers_count, maker);
        }
    }
    return takes;
}

// The second loop's loads. *count: so many.
static MlirOperation *loads_of_second(const struct pair *p, size_t *count) {
    MlirBlock body = op_body(p->second, 0);
    size_t most = 1;
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        most++;
    }
    MlirOperation *loads = ARENA_ARRAY(p->context->arena, MlirOperation, most);
    *count = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(p->ir, op) == OP_LOAD) {
            loads[(*count)++] = op;
        }
    }
    return loads;
}

// True if the store is to an array that steps of a chain hand on: no other memory meets it.
static bool is_handed_on(const struct pair *p, MlirOperation store) {
    MlirValue array = pointer_argument(p->ir, access_pointer(store));
    return !mlirValueIsNull(array) && !mlirAttributeIsNull(argument_attribute(
                                          p->function, mlirBlockArgumentGetArgNumber(array), ATTR_HANDED));
}

// True if the second loop's loads may run ahead of the store.
static bool may_wait(const struct pair *p, MlirOperation store) {
    size_t count;
    MlirOperation *loads = loads_of_second(p, &count);
    MlirValue array = pointer_argument(p->ir, access_pointer(store));
    bool apart = is_handed_on(p, store);
    for (size_t i = 0; i < count && apart; i++) {
        MlirValue from = pointer_argument(p->ir, load_pointer(loads[i]));
        apart = !mlirValueIsNull(from) && !value_is(from, array);
    }
    struct declined declined = p->context->declined;
    bool may = apart || loads_pass_ops(p->context, &store, 1, loads, count, REASON_WRITES_LOADED);
    p->context->declined = declined;
    return may;
}

static void assume_apart(const struct pair *p, const MlirOperation *later, size_t later_count) {
    size_t count;
    MlirOperation *loads = loads_of_second(p, &count);
    for (size_t i = 0; i < later_count; i++) {
        if (op_kind(p->ir, later[i]) == OP_STORE && !is_handed_on(p, later[i])) {
            loads_assume_apart_of(p->context, p->function, &later[i], 1, loads, count);
        }
    }
}

// The ops between the loops to be moved behind them: loads, stores, and users of the first loop's results. Returns false if the second loop
// needs one of them, or if one does more than compute, load or store.
static bool find_later(const struct pair *p, MlirOperation **later, size_t *count) {
    size_t most = 2;
    for (MlirOperation op = p->first; !mlirOperationEqual(op, p->second);
         op = mlirOperationGetNextInBlock(op)) {
        most++;
    }
    *later = ARENA_ARRAY(p->context->arena, MlirOperation, most);
    *count = 0;
    (*later)[(*count)++] = p->first;
    for (MlirOperation op = mlirOperationGetNextInBlock(p->first); !mlirOperationEqual(op, p->second);
         op = mlirOperationGetNextInBlock(op)) {
        enum op_kind kind = op_kind(p->ir, op);
        bool store = kind == OP_STORE, pure = (op_traits(kind) & PURE) && mlirOperationGetNumRegions(op) == 0;
        bool load = kind == OP_LOAD && !load_is_volatile(op);
        if (!(store ? may_wait(p, op) : pure || load)) {
            return false;
        }
        if (store || load || takes_from(p, op, *later, *count)) {
            (*later)[(*count)++] = op;
        }
    }
    return !takes_from(p, p->second, *later, *count);
}

// ---- one loop ----

// Moves the second loop's ops to the end of the first one's body, but for those already there.
static void move_body(struct pair *p) {
    MlirBlock body = op_body(p->first, 0), from = op_body(p->second, 0);
    MlirOperation end = mlirBlockGetTerminator(body), yield = mlirBlockGetTerminator(from);
    for (MlirOperation op = mlirBlockGetFirstOperation(from), next; !mlirOperationEqual(op, yield);
         op = next) {
        MlirOperation match = {map_get(&p->matches, op.ptr)};
        next = mlirOperationGetNextInBlock(op);
        if (mlirOperationIsNull(match)) {
            mlirOperationMoveBefore(op, end);
            continue;
        }
        for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
            mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), mlirOperationGetResult(match, i));
        }
        mlirOperationDestroy(op);
    }
}

// The number, among the joined loop's carried values, of each value carried by the second loop; the first loop carried `known`.
static void number_carried(struct pair *p, intptr_t known) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(p->second); i++) {
        p->alike[i] = p->alike[i] >= 0 ? p->alike[i] : known++;
    }
}

// Replaces the second loop's values, in its body and behind it.
static void follow(struct pair *p) {
    MlirBlock body = op_body(p->first, 0), from = op_body(p->second, 0);
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(from, 0), mlirBlockGetArgument(body, 0));
    for (intptr_t i = 0; i < mlirOperationGetNumResults(p->second); i++) {
        mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(from, 1 + i),
                                      mlirBlockGetArgument(body, 1 + p->alike[i]));
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(p->second, i),
                                      mlirOperationGetResult(p->first, p->alike[i]));
    }
}

static void join(struct pair *p, const MlirOperation *later, size_t count) {
    MlirOperation place = p->second;
    for (size_t i = 1; i < count; i++) {
        mlirOperationMoveAfter(later[i], place);
        place = later[i];
    }
    mlirOperationMoveBefore(p->first, p->second);
    intptr_t known = mlirOperationGetNumResults(p->first), carried = mlirOperationGetNumResults(p->second);
    MlirValue *inits = ARENA_ARRAY(p->context->arena, MlirValue, carried + 1);
    MlirValue *yields = ARENA_ARRAY(p->context->arena, MlirValue, carried + 1);
    intptr_t more = 0;
    move_body(p);
    for (intptr_t i = 0; i < carried; i++) {
        if (p->alike[i] < 0) {
            inits[more] = for_init(p->second, i);
            yields[more++] = mlirOperationGetOperand(mlirBlockGetTerminator(op_body(p->second, 0)), i);
        }
    }
    number_carried(p, known);
    p->first = build_more(p->ir, p->context->arena, p->first, (struct operands){more, inits});
    build_yield_more(p->ir, p->context->arena, op_body(p->first, 0), (struct operands){more, yields});
    follow(p);
    mlirOperationDestroy(p->second);
}

static MlirOperation next_loop(const struct pair *p) {
    MlirOperation op = mlirOperationGetNextInBlock(p->first);
    while (!mlirOperationIsNull(op) && op_kind(p->ir, op) != OP_FOR) {
        op = mlirOperationGetNextInBlock(op);
    }
    return op;
}

// Joins the loop behind to the first one, if it may be.
static bool join_next(struct pair *p) {
    MlirOperation *later;
    size_t count;
    p->second = next_loop(p);
    bool may = !mlirOperationIsNull(p->second) && same_bounds(p) && only_multiplies(p, p->first) &&
               only_multiplies(p, p->second) && sums_of(p, p->first) + sums_of(p, p->second) <= MOST_SUMS &&
               share_operand(p) && find_later(p, &later, &count);
    if (may) {
        assume_apart(p, later, count);
        join(p, later, count);
        remark(p->context, REMARK_LOOP, p->first,
               "the loop does the products of the loop behind it, which loads an operand alike");
    }
    map_free(&p->matches);
    return may;
}

void pass_joined_loops(struct pass_context *context, MlirModule module) {
    if (!target_has(context->target, FEATURE(WGMMA))) {
        return;
    }
    for (MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
         !mlirOperationIsNull(function); function = mlirOperationGetNextInBlock(function)) {
        struct pair p = {.context = context, .ir = context->ir, .function = function};
        size_t count;
        MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
        for (size_t i = count; i-- > 0;) { // from behind: a loop joined to one ahead is not looked at again
            p.first = ops[i];
            while (op_kind(context->ir, ops[i]) == OP_FOR && join_next(&p)) {
                ops[i] = p.first;
            }
        }
    }
}
