// cleanup: dead code, equal pure ops, loop-invariant ops.
//
//   %a = tk.range …                         %a = tk.range …
//   %b = tk.range …        (same)     →     %s = tk.splat %n
//   scf.for … {                             scf.for … {
//     %s = tk.splat %n                        … %a … %s …
//     … %b … %s …                           }
//   }
//
// Effects come from the op table's traits: upstream passes do not know tk's ops. Dead code is found by
// marking from the ops with effects, so loop-carried values used only to compute themselves go too. The pass
// runs twice: as `cleanup` on the front end's output, and as `finish` after the rewrites. In between, `unread` drops dead code alone: a loop's
// plan counts products, and none of these may go once their waits stand.
//
// requires: nothing
// provides: nothing; keeps everything
// test:     tests/golden/passes/cleanup, tests/golden/passes/unread, tests/unit/test_cleanup.c
#include "passes/pass.h"
#include "passes/simplify/counters.h"
#include "passes/simplify/quotients.h"
#include "passes/simplify/short_loops.h"
#include "passes/facts/value_work.h"

#include <string.h>

#include <mlir-c/BuiltinAttributes.h>

#include "dialects/tk/words.h"
#include "ir/build.h"

// ---- equal pure ops ----

struct cse_entry {
    MlirOperation op;
    size_t hash;
    struct cse_entry *next; // in the same bucket
    struct cse_entry *scope_next;
};

enum { CSE_BUCKETS = 4096 };

struct cse {
    struct pass_context *context;
    struct cse_entry *buckets[CSE_BUCKETS];
};

static size_t mix(size_t hash, const void *pointer) {
    return (hash ^ ((size_t)pointer >> 4)) * 0x9e3779b97f4a7c15u;
}

static size_t op_hash(MlirOperation op) {
    size_t hash = mix(0, mlirOperationGetName(op).ptr);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        hash = mix(hash, mlirOperationGetOperand(op, i).ptr);
    }
    // Registered ops differ in these two attributes; other ops keep all of theirs as discardable attributes.
    hash = mix(mix(hash, op_attribute(op, ATTR_VALUE).ptr), op_attribute(op, ATTR_PREDICATE).ptr);
    for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(op); i++) {
        hash = mix(hash, mlirOperationGetDiscardableAttribute(op, i).attribute.ptr);
    }
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        hash = mix(hash, mlirValueGetType(mlirOperationGetResult(op, i)).ptr);
    }
    return hash;
}

static bool ops_equal(MlirOperation a, MlirOperation b) {
    if (!ops_alike(a, b)) {
        return false;
    }
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(a); i++) {
        if (!value_is(mlirOperationGetOperand(a, i), mlirOperationGetOperand(b, i))) {
            return false;
        }
    }
    return true;
}

static void replace_op(MlirOperation op, MlirOperation by) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), mlirOperationGetResult(by, i));
    }
    mlirOperationDestroy(op);
}

static void cse_block(struct cse *cse, MlirBlock block) {
    struct cse_entry *scope = NULL;
    for (MlirOperation op = mlirBlockGetFirstOperation(block), next; !mlirOperationIsNull(op); op = next) {
        next = mlirOperationGetNextInBlock(op);
        intptr_t regions = mlirOperationGetNumRegions(op);
        for (intptr_t r = 0; r < regions; r++) {
            MlirBlock body = op_body(op, (int)r);
            if (!mlirBlockIsNull(body)) {
                cse_block(cse, body);
            }
        }
        if (regions > 0 || !(op_traits(op_kind(cse->context->ir, op)) & PURE)) {
            continue;
        }
        size_t hash = op_hash(op);
        struct cse_entry **bucket = &cse->buckets[hash % CSE_BUCKETS], *found = *bucket;
        while (found && (found->hash != hash || !ops_equal(found->op, op))) {
            found = found->next;
        }
        if (found) {
            replace_op(op, found->op);
            continue;
        }
        struct cse_entry *entry = ARENA_NEW(cse->context->arena, struct cse_entry);
        *entry = (struct cse_entry){.op = op, .hash = hash, .next = *bucket, .scope_next = scope};
        *bucket = scope = entry;
    }
    for (; scope; scope = scope->scope_next) { // newest first: each is the head of its bucket
        cse->buckets[scope->hash % CSE_BUCKETS] = scope->next;
    }
}

// ---- loop-invariant ops ----

static bool inside(MlirOperation op, MlirOperation loop) {
    for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op)) {
        if (mlirOperationEqual(op, loop)) {
            return true;
        }
    }
    return false;
}

static bool defined_outside(MlirValue value, MlirOperation loop) {
    if (mlirValueIsAOpResult(value)) {
        return !inside(mlirOpResultGetOwner(value), loop);
    }
    return !inside(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)), loop);
}

static void hoist_from(struct pass_context *context, MlirOperation loop, MlirBlock body) {
    for (MlirOperation op = mlirBlockGetFirstOperation(body), next; !mlirOperationIsNull(op); op = next) {
        next = mlirOperationGetNextInBlock(op);
        enum op_kind kind = op_kind(context->ir, op);
        bool is_number =
            kind == OP_REDUCE && mlirOperationGetNumResults(op) == 1 &&
            !type_is_tensor(mlirValueGetType(mlirOperationGetResult(op, 0))); // takes one register
        bool invariant = (op_traits(kind) & PURE) && (is_number || mlirOperationGetNumRegions(op) == 0) &&
                         kind != OP_CONVERT_LAYOUT && kind != OP_DOT;
        for (intptr_t i = 0; invariant && i < mlirOperationGetNumOperands(op); i++) {
            invariant = defined_outside(mlirOperationGetOperand(op, i), loop);
        }
        if (invariant) {
            mlirOperationMoveBefore(op, loop);
        }
    }
}

// ---- dead code ----

struct liveness {
    struct pass_context *context;
    struct value_work live; // ops and values; values whose definitions are to be marked
};

static MlirOperation terminator(MlirBlock block) {
    return mlirBlockIsNull(block) ? (MlirOperation){NULL} : mlirBlockGetTerminator(block);
}

// The op itself is live: so are its operands, but a loop's or branch's values only as far as each is used.
static void mark_op(struct liveness *l, MlirOperation op) {
    if (!value_work_see(&l->live, op.ptr)) {
        return;
    }
    MlirOperation parent = mlirOperationGetParentOperation(op);
    if (!mlirOperationIsNull(parent)) {
        mark_op(l, parent);
    }
    enum op_kind kind = op_kind(l->context->ir, op);
    intptr_t operands = mlirOperationGetNumOperands(op);
    if (kind == OP_FOR) {
        operands = 3;
    } else if (kind == OP_SCF_YIELD) {
        enum op_kind around = op_kind(l->context->ir, parent);
        operands = around == OP_FOR || around == OP_IF ? 0 : operands;
    }
    for (intptr_t i = 0; i < operands; i++) {
        value_work_add(&l->live, mlirOperationGetOperand(op, i));
    }
}

static void mark_loop_value(struct liveness *l, MlirOperation loop, intptr_t i) {
    value_work_add(&l->live, mlirOperationGetResult(loop, i));
    value_work_add(&l->live, mlirBlockGetArgument(op_body(loop, 0), i + 1));
    value_work_add(&l->live, for_init(loop, i));
    value_work_add(&l->live, yield_value(terminator(op_body(loop, 0)), i));
}

static void mark_definition(struct liveness *l, MlirValue value) {
    if (mlirValueIsABlockArgument(value)) {
        MlirOperation owner = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
        intptr_t number = mlirBlockArgumentGetArgNumber(value);
        mark_op(l, owner);
        if (op_kind(l->context->ir, owner) == OP_FOR && number > 0) {
            mark_loop_value(l, owner, number - 1);
        }
        return;
    }
    MlirOperation op = mlirOpResultGetOwner(value);
    intptr_t number = mlirOpResultGetResultNumber(value);
    mark_op(l, op);
    switch (op_kind(l->context->ir, op)) {
    case OP_FOR:
        mark_loop_value(l, op, number);
        break;
    case OP_IF:
        for (int r = 0; r < 2; r++) {
            value_work_add(&l->live, mlirOperationGetOperand(terminator(op_body(op, r)), number));
        }
        break;
    default:
        break;
    }
}

static bool has_effect(struct ir *ir, MlirOperation op, enum op_kind kind) {
    if (kind == OP_LOAD) {
        return load_is_volatile(op);
    }
    if (kind == OP_INLINE_ASM) {
        return !op_has(op, ATTR_PURE);
    }
    // Kept as well: a `while` loop (it may not end), and the terminators of live regions.
    return !(op_traits(kind) & (PURE | SHARED_READ)) && kind != OP_FOR && kind != OP_IF &&
           !(kind == OP_SCF_YIELD && op_kind(ir, mlirOperationGetParentOperation(op)) != OP_WHILE) &&
           kind != OP_YIELD;
}

// The yields of a for or if give the values at `keep` only. Until rebuild_with_fewer_results the op itself
// disagrees.
static void shorten_yields(struct pass_context *context, MlirOperation op, const bool *keep) {
    intptr_t count = mlirOperationGetNumResults(op);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
        MlirBlock body = op_body(op, (int)r);
        if (mlirBlockIsNull(body)) {
            continue;
        }
        MlirOperation yield = terminator(body);
        MlirValue *yielded = ARENA_ARRAY(context->arena, MlirValue, count + 1);
        intptr_t n = 0;
        for (intptr_t i = 0; i < count; i++) {
            if (keep[i]) {
                yielded[n++] = mlirOperationGetOperand(yield, i);
            }
        }
        struct builder at = builder_before(context->ir, yield);
        build_yield(&at, (struct operands){n, yielded});
        mlirOperationDestroy(yield);
    }
}

// The initial value of a dead loop-carried value may be dead too. Until the loop is rebuilt, its lower bound,
// a live value, takes the place of its initial value.
static void forget_dead_inits(struct pass_context *context, MlirOperation op, const bool *keep) {
    if (op_kind(context->ir, op) != OP_FOR) {
        return;
    }
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        if (!keep[i]) {
            set_for_init(op, i, for_lower(op));
        }
    }
}

static void rebuild_with_fewer_results(struct pass_context *context, MlirOperation op, const bool *keep) {
    enum op_kind kind = op_kind(context->ir, op);
    intptr_t count = mlirOperationGetNumResults(op), kept = 0, fixed = kind == OP_FOR ? 3 : 1;
    MlirType *types = ARENA_ARRAY(context->arena, MlirType, count + 1);
    MlirValue *operands = ARENA_ARRAY(context->arena, MlirValue, fixed + count);
    intptr_t operand_count = fixed;
    for (intptr_t i = 0; i < fixed; i++) {
        operands[i] = mlirOperationGetOperand(op, i);
    }
    for (intptr_t i = 0; i < count; i++) {
        if (keep[i]) {
            types[kept++] = mlirValueGetType(mlirOperationGetResult(op, i));
            if (kind == OP_FOR) {
                operands[operand_count++] = mlirOperationGetOperand(op, fixed + i);
            }
        }
    }
    struct attrs attributes = op_attributes(context->arena, op);
    intptr_t region_count = mlirOperationGetNumRegions(op);
    MlirRegion regions[2];
    for (intptr_t r = 0; r < region_count; r++) {
        regions[r] = mlirRegionCreate();
        mlirRegionTakeBody(regions[r], mlirOperationGetRegion(op, r));
        MlirBlock body = mlirRegionGetFirstBlock(regions[r]);
        for (intptr_t i = count - 1; kind == OP_FOR && i >= 0; i--) {
            if (!keep[i]) {
                mlirBlockEraseArgument(body, (unsigned)(i + 1));
            }
        }
    }
    struct builder b = builder_before(context->ir, op);
    MlirOperation made = build_op_regions(&b, kind, (struct operands){operand_count, operands},
                                          (struct results){kept, types}, attributes, region_count, regions);
    for (intptr_t i = 0, k = 0; i < count; i++) {
        if (keep[i]) {
            mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), mlirOperationGetResult(made, k++));
        }
    }
    mlirOperationDestroy(op);
}

// Marks the live ops and values, starting from the ops with effects.
static void mark_all(struct liveness *l, const MlirOperation *ops, size_t count) {
    struct ir *ir = l->context->ir;
    for (size_t i = 0; i < count; i++) {
        if (has_effect(ir, ops[i], op_kind(ir, ops[i]))) {
            mark_op(l, ops[i]);
        }
    }
    // The region of a live reduce or scan is live; marking goes on until nothing is new.
    for (size_t before = SIZE_MAX; before != l->live.seen.count;) {
        before = l->live.seen.count;
        for (MlirValue value; !mlirValueIsNull(value = value_work_take(&l->live));) {
            mark_definition(l, value);
        }
        for (size_t i = 0; i < count; i++) {
            if (op_kind(ir, ops[i]) == OP_YIELD &&
                map_has(&l->live.seen, mlirOperationGetParentOperation(ops[i]).ptr)) {
                mark_op(l, ops[i]);
            }
        }
    }
}

// The live results of a live for or if, as flags; NULL when all are live.
static bool *results_to_keep(struct liveness *l, MlirOperation op) {
    enum op_kind kind = op_kind(l->context->ir, op);
    if ((kind != OP_FOR && kind != OP_IF) || !map_has(&l->live.seen, op.ptr)) {
        return NULL;
    }
    intptr_t results = mlirOperationGetNumResults(op), kept = 0;
    bool *keep = ARENA_ARRAY(l->context->arena, bool, results + 1);
    for (intptr_t r = 0; r < results; r++) {
        keep[r] = map_has(&l->live.seen, mlirOperationGetResult(op, r).ptr);
        kept += keep[r];
    }
    return kept < results ? keep : NULL;
}

static bool has_used_results(MlirOperation op) {
    for (intptr_t r = 0; r < mlirOperationGetNumResults(op); r++) {
        if (value_has_uses(mlirOperationGetResult(op, r))) {
            return true;
        }
    }
    return false;
}

static void drop_dead(struct pass_context *context, MlirOperation root) {
    struct liveness l = {.context = context, .live = {.arena = context->arena}};
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, root, &count);
    mark_all(&l, ops, count);
    bool **keep = ARENA_ARRAY(context->arena, bool *, count + 1);
    bool *dead = ARENA_ARRAY(context->arena, bool, count + 1);
    for (size_t i = 0; i < count; i++) {
        keep[i] = results_to_keep(&l, ops[i]);
        dead[i] =
            !map_has(&l.live.seen, ops[i].ptr) && !(op_traits(op_kind(context->ir, ops[i])) & TERMINATOR);
    }
    for (size_t i = count; i-- > 0;) {
        if (keep[i]) {
            shorten_yields(context, ops[i],
                           keep[i]); // replaces only terminators, never erased below
            forget_dead_inits(context, ops[i], keep[i]);
        }
    }
    // Users follow their definitions, so in backward order a dead op has no uses left when it is erased. An
    // op in a dead region goes with the region's op.
    for (size_t i = count; i-- > 0;) {
        if (dead[i] && map_has(&l.live.seen, mlirOperationGetParentOperation(ops[i]).ptr) &&
            !has_used_results(ops[i])) {
            mlirOperationDestroy(ops[i]);
        }
    }
    for (size_t i = count; i-- > 0;) {
        if (keep[i]) {
            rebuild_with_fewer_results(context, ops[i], keep[i]);
        }
    }
    value_work_free(&l.live);
}

static void cleanup_function(struct pass_context *context, MlirOperation function) {
    struct cse *cse = ARENA_NEW(context->arena, struct cse);
    cse->context = context;
    cse_block(cse, op_body(function, 0));
    quotients_narrow(context, function);
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    for (size_t i = count; i-- > 0;) { // inner loops first
        enum op_kind kind = op_kind(context->ir, ops[i]);
        for (intptr_t r = 0; (kind == OP_FOR || kind == OP_WHILE) && r < mlirOperationGetNumRegions(ops[i]);
             r++) {
            hoist_from(context, ops[i], op_body(ops[i], (int)r));
        }
    }
    memset(cse->buckets, 0, sizeof cse->buckets);
    cse_block(cse, op_body(function, 0));
    counters_replace(context, function);
    drop_dead(context, function);
}

void pass_cleanup(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        cleanup_function(context, op);
    }
}

void pass_unread(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        drop_dead(context, op);
    }
}

void pass_finish(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        short_loops(context, op, false);
    }
    pass_cleanup(context, module);
}
