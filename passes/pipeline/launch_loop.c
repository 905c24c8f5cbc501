// The loop of a role over the programs that its block is given, and the ring of answers that tell of them: see launch_control.h.
#include <string.h>

#include "passes/pipeline/launch_control.h"

int32_t launch_answers(const struct control *c) {
    return 1 << c->ring.bits;
}

MlirValue launch_place(struct control *c, struct builder *b, MlirValue first, MlirValue number, int bytes) {
    MlirValue slot = build_binary(b, OP_ANDI, number, const_i32(b, launch_answers(c) - 1));
    return build_binary(b, OP_ADDI, first, build_binary(b, OP_MULI, slot, const_i32(b, bytes)));
}

void launch_wait(struct control *c, struct builder *b, MlirValue barriers, MlirValue number, bool before,
                 bool pair) {
    MlirValue round = build_binary(b, OP_SHRUI, number, const_i32(b, (int32_t)c->ring.bits)),
              one = const_i32(b, 1);
    MlirValue parity = build_binary(b, OP_ANDI, before ? build_binary(b, OP_XORI, round, one) : round, one);
    MlirNamedAttribute attribute = attr_unit(b, ATTR_PAIR);
    OP(b, OP_MBARRIER_WAIT, OPERANDS(launch_place(c, b, barriers, number, MBARRIER_BYTES), parity),
       NO_RESULTS, ((struct attrs){pair ? 1 : 0, &attribute}));
}

struct builder launch_begin_if(struct builder *b, MlirValue condition) {
    MlirBlock then_block, else_block;
    build_if(b, condition, NO_RESULTS, &then_block, &else_block);
    struct builder other = builder_at_end(b->ir, else_block, b->location);
    build_yield(&other, NO_OPERANDS);
    return builder_at_end(b->ir, then_block, b->location);
}

MlirValue launch_program(struct control *c, struct builder *b, const MlirValue index[LAUNCH_AXES]) {
    if (c->pair || c->counts) {
        return index[0];
    }
    MlirValue row = build_binary(b, OP_MULI, c->grid[1], index[2]);
    row = build_binary(b, OP_ADDI, row, index[1]);
    return build_binary(b, OP_ADDI, build_binary(b, OP_MULI, c->grid[0], row), index[0]);
}

static MlirValue first_program(struct control *c, struct builder *b, MlirOperation tiles) {
    MlirValue index[LAUNCH_AXES];
    if (c->pair || c->counts) {
        return for_lower(tiles);
    }
    for (int axis = 0; axis < LAUNCH_AXES; axis++) {
        index[axis] = VALUE(b, OP_PROGRAM_ID, NO_OPERANDS, RESULTS(type_i32(c->ir)),
                            ATTRS(attr_i32(b, ATTR_AXIS, axis)));
    }
    return launch_program(c, b, index);
}

struct launch_loop launch_begin_loop(struct control *c, enum launch_role role, intptr_t more,
                                     const MlirValue *more_inits) {
    MlirOperation tiles = c->tiles[role];
    struct builder b = builder_before(c->ir, tiles);
    intptr_t carried = mlirOperationGetNumResults(tiles), own = LAUNCH_OWN + more, count = own + carried;
    MlirValue *inits = ARENA_ARRAY(c->context->arena, MlirValue, (size_t)count + 1);
    MlirType *types = ARENA_ARRAY(c->context->arena, MlirType, (size_t)count + 1);
    inits[LAUNCH_PROGRAM] = first_program(c, &b, tiles);
    inits[LAUNCH_NUMBER] = const_i32(&b, 0);
    for (intptr_t i = 0; i < more; i++) {
        inits[LAUNCH_OWN + i] = more_inits[i];
    }
    for (intptr_t i = 0; i < carried; i++) {
        inits[own + i] = for_init(tiles, i);
    }
    inits[count] = build_compare(&b, INT_SLT, inits[LAUNCH_PROGRAM], for_upper(tiles));
    for (intptr_t i = 0; i < count; i++) {
        types[i] = mlirValueGetType(inits[i]);
    }
    MlirBlock before, after;
    MlirOperation loop =
        build_while(&b, (struct operands){count + 1, inits}, (struct results){count, types}, &before, &after);
    struct builder test = builder_at_end(c->ir, before, b.location);
    MlirValue *passed = ARENA_ARRAY(c->context->arena, MlirValue, (size_t)count + 1);
    passed[0] = mlirBlockGetArgument(before, count);
    for (intptr_t i = 0; i < count; i++) {
        passed[i + 1] = mlirBlockGetArgument(before, i);
    }
    OP(&test, OP_CONDITION, ((struct operands){count + 1, passed}), NO_RESULTS, NO_ATTRS);
    MlirBlock body = op_body(tiles, 0);
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, 0), mlirBlockGetArgument(after, 0));
    for (intptr_t i = 0; i < carried; i++) {
        mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, 1 + i),
                                      mlirBlockGetArgument(after, own + i));
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(tiles, i),
                                      mlirOperationGetResult(loop, own + i));
    }
    return (struct launch_loop){loop, tiles, after, own, builder_at_end(c->ir, after, b.location)};
}

void launch_move_body(struct launch_loop *l) {
    MlirBlock body = op_body(l->tiles, 0);
    MlirOperation end = mlirBlockGetTerminator(body);
    for (MlirOperation op = mlirBlockGetFirstOperation(body), next; !mlirOperationEqual(op, end); op = next) {
        next = mlirOperationGetNextInBlock(op);
        mlirOperationRemoveFromParent(op);
        build_insert(&l->end, op);
    }
}

void launch_end_loop(struct control *c, struct launch_loop *l, const MlirValue *own, MlirValue more) {
    MlirOperation yield = mlirBlockGetTerminator(op_body(l->tiles, 0));
    intptr_t carried = mlirOperationGetNumOperands(yield);
    MlirValue *values = ARENA_ARRAY(c->context->arena, MlirValue, (size_t)(l->own + carried) + 1);
    memcpy(values, own, (size_t)l->own * sizeof *values);
    for (intptr_t i = 0; i < carried; i++) {
        values[l->own + i] = mlirOperationGetOperand(yield, i);
    }
    values[l->own + carried] = more;
    build_yield(&l->end, (struct operands){l->own + carried + 1, values});
    mlirOperationDestroy(l->tiles);
}
