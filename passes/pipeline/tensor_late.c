// The second product of a chain runs beside the next step of its loop (attention).
//
//   for %sum = … {                                   for %sum = … {
//     %s = dot %q, next slot                           %s = dot %q, next slot
//     %w = weights of the step's scores                %w = weights of the step's scores
//     %f = rescale %sum                                %g = dot_wait %sum {pending = 1}
//     %d = dot %w, %v, %f                      →       %f = rescale %g
//     %e = dot_wait %d {pending = 0}                   %d = dot %w, %v, %f
//     mbarrier_arrive %empty                           tensor_release %empty
//     %t = dot_wait %s {pending = 0}                   %t = dot_wait %s {pending = 1}
//     yield %e                                         yield %d
//   }                                                }
//                                                    dot_wait of the result {pending = 0}
//
// The sums are in tensor memory, so nobody needs them before the next step scales them, and the weights' columns are not
// written before either. The slot of %v is given back by the product's commit, for which no thread waits.
#include "passes/pipeline/tensor_columns.h"

#include "ir/build.h"

enum { MOST = 8 };

// A loop whose product may go on.
struct late {
    MlirOperation loop, dot, wait, arrive, barriers; // mbarrier_alloc
    MlirValue argument;
    MlirOperation first; // the argument's reader
};

static bool follows(struct ir *ir, MlirOperation op, MlirOperation *next) {
    *next = mlirOperationGetNextInBlock(op);
    while (!mlirOperationIsNull(*next) && (op_traits(op_kind(ir, *next)) & PURE) &&
           mlirOperationGetNumRegions(*next) == 0) {
        *next = mlirOperationGetNextInBlock(*next);
    }
    return !mlirOperationIsNull(*next);
}

// The mbarriers behind an address: an addition to a mbarrier_alloc.
static MlirOperation barriers_of(struct ir *ir, MlirValue address) {
    MlirOperation add = value_op(address), none = {NULL};
    for (int i = 0; i < 2 && !mlirOperationIsNull(add) && op_kind(ir, add) == OP_ADDI; i++) {
        MlirOperation op = value_op(mlirOperationGetOperand(add, i));
        if (!mlirOperationIsNull(op) && op_kind(ir, op) == OP_MBARRIER_ALLOC) {
            return op;
        }
    }
    return none;
}

static bool is_copied_to(struct ir *ir, MlirValue slot) {
    for (MlirOpOperand use = mlirValueGetFirstUse(slot); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        enum op_kind kind = op_kind(ir, user);
        if (kind == OP_BULK_LOAD || kind == OP_GATHER_LOAD ||
            (kind == OP_SMEM_SLOT && is_copied_to(ir, mlirOperationGetResult(user, 0)))) {
            return true;
        }
    }
    return false;
}

// True for a read, by threads, of a slot that a role of its own fills.
static bool reads_copy(struct ir *ir, MlirOperation op) {
    enum op_kind kind = op_kind(ir, op);
    if (kind != OP_SMEM_LOAD && kind != OP_SMEM_GATHER) {
        return false;
    }
    MlirOperation buffer = value_op(slot_user_slot(op));
    while (op_kind(ir, buffer) != OP_SMEM_ALLOC) {
        buffer = value_op(unary_source(buffer)); // a transposition, or the slot of a buffer
    }
    return is_copied_to(ir, mlirOperationGetResult(buffer, 0));
}

// True if each wait of the loop's body for a dot is behind it in the body, no dot is further inside, and threads read no slot
// that copies fill: a commit says nothing of their reads.
static bool waits_are_plain(struct pass_context *context, MlirOperation loop) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, loop, &count);
    MlirBlock body = op_body(loop, 0);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(context->ir, ops[i]);
        bool wait = kind == OP_DOT_WAIT, dot = tensor_dot_is_pending(context->ir, ops[i]);
        if (reads_copy(context->ir, ops[i])) {
            return false;
        }
        if ((wait || dot) && !mlirBlockEqual(mlirOperationGetBlock(ops[i]), body)) {
            return false;
        }
        MlirOperation of = wait ? value_op(dot_wait_tile(ops[i], 0)) : (MlirOperation){NULL};
        if (wait && (mlirOperationGetNumOperands(ops[i]) != 1 || mlirOperationIsNull(of) ||
                     !tensor_dot_is_pending(context->ir, of))) {
            return false;
        }
    }
    return true;
}

static bool find(struct pass_context *context, MlirOperation dot, struct late *late) {
    struct ir *ir = context->ir;
    MlirValue result = mlirOperationGetResult(dot, 0), argument = tensor_dot_carried(ir, dot);
    int64_t always;
    *late = (struct late){.dot = dot, .argument = argument};
    if (mlirValueIsNull(argument) || type_is_shared(ir, mlirValueGetType(warpgroup_dot_a(dot))) ||
        !value_has_one_use(result)) {
        return false;
    }
    late->loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(argument));
    late->first = mlirOpOperandGetOwner(mlirValueGetFirstUse(argument));
    late->wait = mlirOpOperandGetOwner(mlirValueGetFirstUse(result));
    if (op_kind(ir, late->wait) != OP_DOT_WAIT || !follows(ir, late->wait, &late->arrive) ||
        op_kind(ir, late->arrive) != OP_MBARRIER_ARRIVE) {
        return false;
    }
    late->barriers = barriers_of(ir, mbarrier_arrive_barrier(late->arrive));
    return !mlirOperationIsNull(late->barriers) &&
           value_is_constant_int(ir, mbarrier_arrive_condition(late->arrive), &always) && always &&
           waits_are_plain(context, late->loop);
}

// True if commits can take the place of all arrivals at the mbarriers.
static bool replaces_all(struct ir *ir, MlirOperation *ops, size_t count, const struct late *found,
                         size_t found_count, MlirOperation barriers) {
    for (size_t i = 0; i < count; i++) {
        MlirOperation op = ops[i];
        bool known = op_kind(ir, op) != OP_MBARRIER_ARRIVE;
        MlirOperation at = known ? op : barriers_of(ir, mbarrier_arrive_barrier(op));
        known |= !mlirOperationIsNull(at) && !mlirOperationEqual(at, barriers);
        for (size_t j = 0; j < found_count && !known; j++) {
            known = mlirOperationEqual(found[j].arrive, op);
        }
        if (!known) {
            return false;
        }
    }
    return true;
}

// Dots of the block from one op up to another, neither of them.
static int dots_between(struct ir *ir, MlirOperation from, MlirOperation to) {
    int dots = 0;
    for (MlirOperation op = from; !mlirOperationEqual(op, to); op = mlirOperationGetNextInBlock(op)) {
        dots += !mlirOperationEqual(op, from) && tensor_dot_is_pending(ir, op);
    }
    return dots;
}

static MlirValue wait_for(struct builder *b, MlirValue tile, int pending) {
    return VALUE(b, OP_DOT_WAIT, OPERANDS(tile), RESULTS(mlirValueGetType(tile)),
                 ATTRS(attr_i32(b, ATTR_PENDING, pending)));
}

static void redirect(MlirValue tile, MlirValue passed) {
    mlirValueReplaceAllUsesOfWith(tile, passed);
    set_dot_wait_tile(value_op(passed), 0, tile);
}

static void rewrite(struct ir *ir, const struct late *late) {
    MlirBlock body = op_body(late->loop, 0);
    MlirValue result = mlirOperationGetResult(late->loop, mlirBlockArgumentGetArgNumber(late->argument) - 1);
    struct builder free = builder_before(ir, late->arrive);
    OP(&free, OP_TENSOR_RELEASE, OPERANDS(mbarrier_arrive_barrier(late->arrive)), NO_RESULTS, NO_ATTRS);
    mlirOperationDestroy(late->arrive);
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(late->wait, 0),
                                  mlirOperationGetResult(late->dot, 0));
    mlirOperationDestroy(late->wait);
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(ir, op) == OP_DOT_WAIT) {
            op_set_int(ir, op, ATTR_PENDING, dots_between(ir, value_op(dot_wait_tile(op, 0)), op));
        }
    }
    MlirOperation begin = mlirBlockGetFirstOperation(body);
    int ahead = dots_between(ir, begin, late->first) + tensor_dot_is_pending(ir, begin);
    struct builder b = builder_before(ir, late->first), behind = builder_after(ir, late->loop);
    redirect(late->argument, wait_for(&b, late->argument, ahead));
    redirect(result, wait_for(&behind, result, 0));
}

// A wait for a dot that others follow waits for it alone: each product's end is waited for at the mbarrier that hears of it.
static void wait_for_own(struct ir *ir, MlirOperation *ops, size_t count) {
    for (size_t i = 0; i < count; i++) {
        bool plain = op_kind(ir, ops[i]) == OP_DOT_WAIT && mlirOperationGetNumOperands(ops[i]) == 1;
        MlirOperation dot = plain ? value_op(dot_wait_tile(ops[i], 0)) : (MlirOperation){NULL};
        if (mlirOperationIsNull(dot) || !tensor_dot_is_pending(ir, dot) ||
            !mlirBlockEqual(mlirOperationGetBlock(dot), mlirOperationGetBlock(ops[i]))) {
            continue;
        }
        int behind = dots_between(ir, dot, ops[i]);
        if (behind > op_int(ops[i], ATTR_PENDING)) {
            op_set_int(ir, ops[i], ATTR_PENDING, behind);
        }
    }
}

void tensor_late(struct pass_context *context, MlirOperation *ops, size_t count) {
    struct late found[MOST];
    size_t found_count = 0;
    wait_for_own(context->ir, ops, count);
    for (size_t i = 0; i < count && found_count < MOST; i++) {
        if (tensor_dot_is_pending(context->ir, ops[i])) {
            found_count += find(context, ops[i], &found[found_count]);
        }
    }
    for (size_t i = 0; i < found_count; i++) {
        if (!replaces_all(context->ir, ops, count, found, found_count, found[i].barriers)) {
            return;
        }
    }
    for (size_t i = 0; i < found_count; i++) {
        op_set_int(context->ir, found[i].barriers, ATTR_ARRIVALS, 1);
        rewrite(context->ir, &found[i]);
    }
}
