// late_scalars: scalars used only at the end of a tile are computed there, or beside its products, instead of
// ahead of them.
//
//   scf.for %tile = … {                         scf.for %tile = … {
//     %head = arith.divui %tile, %width           %sum = scf.for … { products }
//     %sum = scf.for … { products }        →      %head = arith.divui %tile, %width
//     tk.bulk_store … %head …                     tk.bulk_store … %head …
//   }                                           }
//
// Warps on their way from tile to tile have nothing in flight at the start of a tile: three integer divisions, for
// the tile's place in the grid, stood ahead of its first product (118 instructions, most waiting for the one
// before). Behind the products they overlap with other work there, and no register holds their results
// through the loop.
//
// If a loop leaves products in flight, divisions go beside its first product: the matrix units are idle
// between the last product and the tile's store. ptxas would move the wait for the products past divisions
// behind the loop, but not out of a branch in it. Measured on an H200, examples/matmul.tk in its
// configuration 4, by depth K: 4096 x 4096 x 512 4.1 %, 8192 x 8192 x 512 2.4 %, 8192 x 8192 x 1024 1.0 %,
// 2048 x 2048 x 2048 0.7 %, 4096 x 4096 x 4096 0.4 %, 8192 x 8192 x 8192 0.1 %.
//
//   scf.if %runs {                                scf.if %runs {
//     %sum = scf.for … { products }                 %sum, %head = scf.for … {
//     tk.dot_wait %sum                                products; scf.if %first { arith.divui %tile, %width } else { carried }
//   } else { zeros }                         →      }
//   %head = arith.divui %tile, %width               tk.dot_wait %sum
//   tk.bulk_store … %head …                       } else { zeros, arith.divui %tile, %width }
//                                                 tk.bulk_store … %head …
//
// requires: specialise
// provides: nothing; keeps everything
// test:     tests/golden/passes/late_scalars
#include "passes/pass.h"

#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"

enum { MOST_RESULTS = 4 }; // loop-carried results: a register each

static bool is_scalar(struct ir *ir, MlirOperation op) {
    enum op_kind kind = op_kind(ir, op);
    return (op_traits(kind) & PURE) && kind != OP_CONSTANT && mlirOperationGetNumRegions(op) == 0 &&
           mlirOperationGetNumResults(op) == 1 &&
           !type_is_tensor(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

static bool loop_between(MlirOperation op, MlirOperation reader) {
    for (op = mlirOperationGetNextInBlock(op); !mlirOperationEqual(op, reader);
         op = mlirOperationGetNextInBlock(op)) {
        if (mlirOperationGetNumRegions(op) > 0) {
            return true;
        }
    }
    return false;
}

static bool is_tile_loop(struct ir *ir, MlirOperation loop) {
    return op_kind(ir, loop) == OP_FOR && op_kind(ir, mlirOperationGetParentOperation(loop)) == OP_SPECIALISE;
}

// ---- beside the products ----

struct beside {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation guard, loop, *ops; // the branch around the loop; the ops moving from behind it
    size_t count;
    MlirValue results[MOST_RESULTS]; // results of `ops` with other readers
    intptr_t result_count;
};

// True if products of one iteration are in flight in the next: the loop yields the result of a wait with
// pending products.
static bool leaves_products(struct ir *ir, MlirOperation loop) {
    MlirOperation yield = mlirBlockGetTerminator(op_body(loop, 0));
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); i++) {
        MlirOperation op = value_op(mlirOperationGetOperand(yield, i));
        if (!mlirOperationIsNull(op) && op_kind(ir, op) == OP_DOT_WAIT && op_int(op, ATTR_PENDING) > 0) {
            return true;
        }
    }
    return false;
}

// True if the branch is taken exactly if the loop runs. (For a loop with a peeled first iteration the
// conditions differ.)
static bool guards(struct ir *ir, MlirOperation branch, MlirOperation loop) {
    MlirOperation runs = value_op(if_condition(branch));
    return !mlirOperationIsNull(runs) && op_kind(ir, runs) == OP_CMPI &&
           op_int(runs, ATTR_PREDICATE) == INT_SLT && value_is(binary_left(runs), for_lower(loop)) &&
           value_is(binary_right(runs), for_upper(loop));
}

// Finds the last branch of the tile around one such loop and no other region.
static bool find_guard(struct beside *s, MlirBlock tile) {
    for (MlirOperation op = mlirBlockGetFirstOperation(tile); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(s->ir, op) != OP_IF || mlirOperationGetNumResults(op) == 0) {
            continue;
        }
        size_t loops = 0;
        MlirOperation loop = {NULL};
        for (MlirOperation in = mlirBlockGetFirstOperation(op_body(op, 0)); !mlirOperationIsNull(in);
             in = mlirOperationGetNextInBlock(in)) {
            loop = op_kind(s->ir, in) == OP_FOR ? in : loop;
            loops += mlirOperationGetNumRegions(in) > 0;
        }
        if (loops == 1 && !mlirOperationIsNull(loop) && guards(s->ir, op, loop) &&
            leaves_products(s->ir, loop)) {
            s->guard = op;
            s->loop = loop;
        }
    }
    return !mlirOperationIsNull(s->guard);
}

static bool divides(enum op_kind kind) {
    return kind == OP_DIVSI || kind == OP_DIVUI || kind == OP_REMSI || kind == OP_REMUI;
}

static bool among(const struct beside *s, MlirOperation op) {
    for (size_t i = 0; i < s->count; i++) {
        if (mlirOperationEqual(s->ops[i], op)) {
            return true;
        }
    }
    return false;
}

// True if the value is available ahead of the guard, or moves.
static bool known_there(const struct beside *s, MlirValue value) {
    MlirOperation op = value_op(value);
    return mlirOperationIsNull(op) ||
           !mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(s->guard)) ||
           op_is_before(op, s->guard) || among(s, op);
}

// Collects the integer ops behind the guard independent of its results. True if divisions are among them.
static bool collect(struct beside *s) {
    bool any = false;
    for (MlirOperation op = mlirOperationGetNextInBlock(s->guard), next; !mlirOperationIsNull(op);
         op = next) {
        next = mlirOperationGetNextInBlock(op);
        if (op_kind(s->ir, op) == OP_CONSTANT) {
            mlirOperationMoveBefore(op, s->guard);
            continue;
        }
        bool moves =
            is_scalar(s->ir, op) && mlirTypeIsAInteger(mlirValueGetType(mlirOperationGetResult(op, 0)));
        for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && moves; i++) {
            moves = known_there(s, mlirOperationGetOperand(op, i));
        }
        if (moves) {
            s->ops[s->count++] = op;
            any |= divides(op_kind(s->ir, op));
        }
    }
    return any;
}

// False: too many.
static bool find_results(struct beside *s) {
    for (size_t i = 0; i < s->count; i++) {
        MlirValue result = mlirOperationGetResult(s->ops[i], 0);
        bool read = false;
        for (MlirOpOperand use = mlirValueGetFirstUse(result); !mlirOpOperandIsNull(use);
             use = mlirOpOperandGetNextUse(use)) {
            read |= !among(s, mlirOpOperandGetOwner(use));
        }
        if (read && s->result_count == MOST_RESULTS) {
            return false;
        }
        if (read) {
            s->results[s->result_count++] = result;
        }
    }
    return true;
}

// Repeats the ops at the builder's insertion point, for an opaque copy of the tile's number: with the number
// itself LLVM would hoist them out of the loop again.
static struct operands repeated(struct beside *s, struct builder *b) {
    struct operands made = {s->result_count, ARENA_ARRAY(s->context->arena, MlirValue, MOST_RESULTS)};
    struct map map = {0};
    MlirValue tile = mlirBlockGetArgument(mlirOperationGetBlock(s->guard), 0);
    map_value(&map, tile, VALUE(b, OP_OPAQUE, OPERANDS(tile), RESULTS(type_i32(s->ir)), NO_ATTRS));
    for (size_t i = 0; i < s->count; i++) {
        op_repeat(b, s->context->arena, &map, s->ops[i]);
    }
    for (intptr_t i = 0; i < s->result_count; i++) {
        made.values[i] = (MlirValue){map_get(&map, s->results[i].ptr)};
    }
    map_free(&map);
    return made;
}

static struct operands last_results(struct beside *s, MlirOperation op) {
    struct operands last = {s->result_count, ARENA_ARRAY(s->context->arena, MlirValue, MOST_RESULTS)};
    for (intptr_t i = 0; i < s->result_count; i++) {
        last.values[i] = mlirOperationGetResult(op, mlirOperationGetNumResults(op) - s->result_count + i);
    }
    return last;
}

// The loop carries the results; its first iteration computes them.
static void compute_in_loop(struct beside *s) {
    MlirValue zeros[MOST_RESULTS];
    MlirType types[MOST_RESULTS];
    struct builder before = builder_before(s->ir, s->loop);
    for (intptr_t i = 0; i < s->result_count; i++) {
        types[i] = mlirValueGetType(s->results[i]);
        zeros[i] = const_int(&before, types[i], 0);
    }
    s->loop = build_more(s->ir, s->context->arena, s->loop, (struct operands){s->result_count, zeros});
    MlirBlock body = op_body(s->loop, 0), first, later;
    struct builder b = builder_before(s->ir, mlirBlockGetTerminator(body));
    MlirValue is_first = build_compare(&b, INT_EQ, mlirBlockGetArgument(body, 0), for_lower(s->loop));
    MlirOperation branch = build_if(&b, is_first, (struct results){s->result_count, types}, &first, &later);
    struct builder compute = builder_at_end(s->ir, first, b.location),
                   keep = builder_at_end(s->ir, later, b.location);
    build_yield(&compute, repeated(s, &compute));
    MlirValue carried[MOST_RESULTS];
    for (intptr_t i = 0; i < s->result_count; i++) {
        carried[i] = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - s->result_count + i);
    }
    build_yield(&keep, (struct operands){s->result_count, carried});
    build_yield_more(s->ir, s->context->arena, body, last_results(s, branch));
}

static void move_beside(struct pass_context *context, MlirOperation tile_loop) {
    struct beside s = {.context = context, .ir = context->ir};
    size_t all;
    ops_collect(s.ir, context->arena, tile_loop, &all);
    s.ops = ARENA_ARRAY(context->arena, MlirOperation, all + 1);
    bool is_i32 =
        mlirTypeEqual(mlirValueGetType(mlirBlockGetArgument(op_body(tile_loop, 0), 0)), type_i32(s.ir));
    if (!is_i32 || !find_guard(&s, op_body(tile_loop, 0)) || !collect(&s) || !find_results(&s)) {
        return;
    }
    compute_in_loop(&s);
    struct builder skipped = builder_before(s.ir, mlirBlockGetTerminator(op_body(s.guard, 1)));
    build_yield_more(s.ir, context->arena, op_body(s.guard, 0), last_results(&s, s.loop));
    build_yield_more(s.ir, context->arena, op_body(s.guard, 1), repeated(&s, &skipped));
    s.guard = build_more(s.ir, context->arena, s.guard, (struct operands){s.result_count, s.results});
    struct operands made = last_results(&s, s.guard);
    for (intptr_t i = 0; i < s.result_count; i++) {
        mlirValueReplaceAllUsesOfWith(s.results[i], made.values[i]);
    }
    while (s.count > 0) {
        mlirOperationDestroy(s.ops[--s.count]);
    }
}

void pass_late_scalars(struct pass_context *context, MlirModule module) {
    struct ir *ir = context->ir;
    size_t count, loops = 0;
    MlirOperation *ops = ops_collect(ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = count; i-- > 0;) { // backwards: the ops used by a moved reader alone follow it
        MlirOperation op = ops[i];
        if (!is_scalar(ir, op) || !is_tile_loop(ir, mlirOperationGetParentOperation(op))) {
            continue;
        }
        MlirOperation reader =
            value_reader(mlirOperationGetResult(op, 0), mlirOperationGetBlock(op), READER_FIRST);
        if (!mlirOperationIsNull(reader) && loop_between(op, reader)) {
            mlirOperationMoveBefore(op, reader);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (is_tile_loop(ir, ops[i])) {
            ops[loops++] = ops[i];
        }
    }
    for (size_t i = 0; i < loops; i++) {
        move_beside(context, ops[i]);
    }
}
