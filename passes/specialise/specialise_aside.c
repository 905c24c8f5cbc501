// A loop of several dots, one of them aside: its result is only added to memory (the gradients of queries in attention's loop over
// them). Its left operand is computed by all warps, transposed, and multiplied by all of them.
//
//   for … {                                          for %turn … {
//     %s, %p = dots of slots                           %s, %p = dots of slots
//     %u = … of %s and %p                              %u = … of %s and %p
//     %t = convert %u transposed : → #shared    →      %t = place %turn; store %t, %u; barrier
//     %d = dot %t, %k, 0                               %d = dot %t, %k, 0
//     %sum' = dot %w, slot, %sum                       %sum' = dot %w, slot, %sum             under way beside …
//     atomic_rmw fadd …, %d                            bulk_store %d {adds}                   … this
//   }                                                  yield %turn ^ 1
//                                                    }
//
// Products under way go on during the store, the barrier (`beside`) and the addition: none of them reads the places written by these. With two
// places in turn one barrier an iteration is enough. A warp stores to a place behind the barrier of the iteration before; the
// others have reached it with their product of the place complete: they wait for the product in its own iteration, to add it. The
// loop before may have ended with either place, so warps meet ahead of a loop, too.
//
// All bulk stores of such a function take turns in one buffer.
//
// test: tests/golden/passes/specialise/aside.mlir, tests/lang/examples.c
#include "passes/specialise/specialise.h"

#include "chip/target.h"
#include "ir/build.h"

enum { PLACES = 2 };

MlirOperation aside_operand(struct specialise *s, MlirOperation dot) {
    MlirBlock body = mlirOperationGetBlock(dot);
    MlirOperation convert = value_op(dot_a(dot)), none = {NULL};
    if (target_has(s->context->target, FEATURE(TCGEN05)) || !in_block(convert, body) ||
        op_kind(s->ir, convert) != OP_CONVERT_LAYOUT ||
        !type_is_shared(s->ir, mlirValueGetType(dot_a(dot))) || !value_has_one_use(dot_a(dot))) {
        return none;
    }
    MlirOperation source = value_op(unary_source(convert));
    bool computed = in_block(source, body) && op_kind(s->ir, source) == OP_TRANS;
    return computed ? convert : none;
}

unsigned aside_bytes(const struct specialise *s) {
    MlirOperation convert = s->loops[0].aside;
    if (mlirOperationIsNull(convert)) {
        return 0;
    }
    MlirType type = mlirValueGetType(mlirOperationGetResult(convert, 0));
    return PLACES * (unsigned)type_elements(type) * type_bits(type_element(type)) / 8;
}

void aside_allocate(struct specialise *s, struct builder *b) {
    MlirOperation convert = s->loops[0].aside;
    if (!mlirOperationIsNull(convert)) {
        s->places = VALUE(b, OP_SMEM_ALLOC, NO_OPERANDS,
                          RESULTS(mlirValueGetType(mlirOperationGetResult(convert, 0))),
                          ATTRS(attr_i32(b, ATTR_STAGES, PLACES)));
    }
}

// Moves the op directly behind its operand's op.
static void compute_early(MlirOperation op) {
    MlirOperation maker = value_op(unary_source(op));
    if (in_block(maker, mlirOperationGetBlock(op))) {
        mlirOperationMoveBefore(op, mlirOperationGetNextInBlock(maker));
    }
}

// Stores the operand to the place of the turn as soon as it is computed, and lets the warps meet ahead of its dot. A store behind a dot
// of registers would wait until the dot runs; the fence, waiting for the store, is ahead of the meeting.
static void store_operand(struct specialise *s, MlirOperation convert, MlirValue turn) {
    MlirValue shared = mlirOperationGetResult(convert, 0);
    MlirOperation dot = mlirOpOperandGetOwner(mlirValueGetFirstUse(shared));
    MlirOperation trans = value_op(unary_source(convert)), narrow = value_op(unary_source(trans));
    if (op_kind(s->ir, narrow) == OP_TRUNCF) {
        compute_early(narrow);
    }
    compute_early(trans);
    struct builder b = builder_after(s->ir, trans), at = builder_before(s->ir, dot);
    MlirValue place =
        VALUE(&b, OP_SMEM_SLOT, OPERANDS(s->places, turn), RESULTS(mlirValueGetType(shared)), NO_ATTRS);
    OP(&b, OP_SMEM_STORE, OPERANDS(place, unary_source(convert)), NO_RESULTS,
       ATTRS(attr_unit(&b, ATTR_BESIDE)));
    OP(&at, OP_BARRIER, NO_OPERANDS, NO_RESULTS,
       ATTRS(attr_unit(&at, ATTR_BESIDE), attr_unit(&at, ATTR_PROXY)));
    mlirValueReplaceAllUsesOfWith(shared, place);
    mlirOperationDestroy(convert);
}

void aside_take_turns(struct specialise *s, struct stage_loop *stage) {
    if (mlirOperationIsNull(stage->aside)) {
        return;
    }
    struct builder ahead = builder_before(s->ir, stage->loop);
    ahead.location = mlirOperationGetLocation(stage->aside);
    if (stores_share(s)) { // results of the tile before have left the buffer
        OP(&ahead, OP_BULK_WAIT, NO_OPERANDS, NO_RESULTS, ATTRS(attr_unit(&ahead, ATTR_SHARES)));
    }
    OP(&ahead, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    loop_carry(s, stage, (MlirValue[]){const_i32(&ahead, 0)}, 1);
    MlirBlock body = op_body(stage->loop, 0);
    MlirValue turn = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1);
    struct builder end = builder_before(s->ir, mlirBlockGetTerminator(body));
    loop_yield(s, stage, (MlirValue[]){build_binary(&end, OP_XORI, turn, const_i32(&end, 1))}, 1);
    store_operand(s, stage->aside, turn);
}
