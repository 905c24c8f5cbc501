// reload: invariant operands of a loop's dots stay in shared memory if registers are short.
//
//   %a = tk.convert_layout %q : #operand               %s = tk.smem_alloc; tk.smem_store %s, %q; tk.barrier
//   scf.for … {                                   →    scf.for … {
//     %d = tk.dot %a, %k, %c                             %a = tk.smem_load %s : #operand
//   }                                                    %d = tk.dot %a, %k, %c
//                                                      }
//
// Attention keeps its whole query tile in registers beside the accumulators: 128 x 128 halves are 64
// registers of each thread in four warps, and too many with 128 sums and 32 scores. Reading them again each
// time costs less than spilling. The estimate counts, in 32-bit registers of a thread, the loop-carried
// values, the invariant operands, and the peak of temporary values (results and computed operands of the
// dots). The largest operands move to shared memory until the estimate fits. An outer loop may come back to a
// buffer: the barriers pass keeps its next store from overtaking the last reads.
//
// requires: layouts
// provides: shared buffers, without offsets until shared_alloc
// test:     tests/unit/test_reload.c
#include <string.h>

#include "ir/build.h"
#include "passes/shared/shared_ranges.h"
#include "passes/pass.h"
#include "chip/registers.h"
#include "chip/scratch.h"

enum {
    MAX_OPERANDS = 16,
    POINTERS = 4, // registers of a tile of pointers: one base; other parts are constant or hoisted
};

struct reload {
    struct pass_context *context;
    struct ir *ir;
    struct map buffers; // operand value → its smem_alloc
    MlirOperation function;
};

struct invariant {
    MlirOperation dot;
    intptr_t index;
    MlirValue value;
    unsigned registers;
};

static unsigned registers_held(struct reload *r, MlirValue value) {
    MlirType type = mlirValueGetType(value);
    bool pointers = type_is_tensor(type) && type_is_ptr(type_element(type));
    return pointers ? POINTERS : registers_of(r->ir, value);
}

static bool is_inside(MlirOperation op, MlirBlock block) {
    while (!mlirOperationIsNull(op)) {
        MlirBlock own = mlirOperationGetBlock(op);
        if (mlirBlockIsNull(own)) {
            return false;
        }
        if (mlirBlockEqual(own, block)) {
            return true;
        }
        op = mlirOperationGetParentOperation(op);
    }
    return false;
}

static bool is_invariant(MlirValue value, MlirBlock body) {
    if (mlirValueIsABlockArgument(value)) {
        return false;
    }
    return !is_inside(mlirOpResultGetOwner(value), body);
}

static bool is_carried(MlirValue value, MlirBlock body) {
    return mlirValueIsABlockArgument(value) && mlirBlockEqual(mlirBlockArgumentGetOwner(value), body);
}

// A tile loaded in the loop: pipelining will read it fragment by fragment.
static bool is_streamed(struct reload *r, MlirOperation maker) {
    MlirOperation source = op_kind(r->ir, maker) == OP_CONVERT_LAYOUT ? value_op(unary_source(maker)) : maker;
    return op_kind(r->ir, maker) == OP_SMEM_LOAD ||
           (!mlirOperationIsNull(source) && op_kind(r->ir, source) == OP_LOAD);
}

// The loop's peak of registers; its invariant operands go to `found`.
static unsigned estimate(struct reload *r, MlirBlock body, struct invariant *found, size_t *count) {
    bool wmma = r->context->target->has & (FEATURE(WMMA_GFX11) | FEATURE(WMMA_GFX12));
    unsigned carried = registers_reserved(wmma ? RESERVE_KEPT_OPERANDS_WMMA : RESERVE_KEPT_OPERANDS);
    unsigned transient = 0;
    for (intptr_t i = 1; i < mlirBlockGetNumArguments(body); i++) {
        carried += registers_held(r, mlirBlockGetArgument(body, i));
    }
    *count = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        // Without asynchronous copies the next iteration's tiles are held in registers.
        if (op_kind(r->ir, op) == OP_LOAD && !target_has(r->context->target, FEATURE(CP_ASYNC))) {
            carried += registers_held(r, mlirOperationGetResult(op, 0));
        }
        if (op_kind(r->ir, op) != OP_DOT) {
            continue;
        }
        for (intptr_t index = 0; index < 2; index++) {
            MlirValue value = mlirOperationGetOperand(op, index);
            MlirOperation maker = value_op(value);
            if (is_invariant(value, body) && *count < MAX_OPERANDS) {
                found[(*count)++] = (struct invariant){op, index, value, registers_held(r, value)};
            } else if (!mlirOperationIsNull(maker) && !is_streamed(r, maker)) {
                transient += registers_held(r, value); // computed here: the weights of attention
            }
        }
        MlirOperation accumulator = value_op(dot_c(op));
        bool fresh = !mlirOperationIsNull(accumulator) && op_kind(r->ir, accumulator) == OP_CONSTANT;
        transient +=
            fresh && !is_carried(dot_c(op), body) ? registers_held(r, mlirOperationGetResult(op, 0)) : 0;
    }
    unsigned total = carried + transient;
    for (size_t i = 0; i < *count; i++) {
        total += found[i].registers;
    }
    return total;
}

// The tile ahead of its conversion to an operand: the buffer's contents.
static MlirValue source_of(struct reload *r, MlirValue operand) {
    MlirOperation op = value_op(operand);
    return op_kind(r->ir, op) == OP_CONVERT_LAYOUT ? unary_source(op) : operand;
}

static size_t bytes_of(MlirValue value) {
    MlirType type = mlirValueGetType(value);
    return (size_t)type_elements(type) * ((type_bits(type_element(type)) + 7) / 8);
}

static MlirValue buffer_for(struct reload *r, MlirValue operand) {
    MlirOperation known = {map_get(&r->buffers, operand.ptr)};
    if (!mlirOperationIsNull(known)) {
        return mlirOperationGetResult(known, 0);
    }
    MlirValue source = source_of(r, operand);
    MlirType type = mlirValueGetType(source);
    unsigned bytes = (type_bits(type_element(type)) + 7) / 8;
    struct layout shared = scratch_operand(r->context->target, type_layout(r->ir, type),
                                           type_layout(r->ir, mlirValueGetType(operand)), bytes);
    struct builder b = builder_after_value(r->ir, operand);
    b.location = mlirOperationGetLocation(value_op(operand));
    MlirOperation alloc = OP(&b, OP_SMEM_ALLOC, NO_OPERANDS, RESULTS(type_with_layout(r->ir, type, &shared)),
                             ATTRS(attr_i32(&b, ATTR_STAGES, 1)));
    OP(&b, OP_SMEM_STORE, OPERANDS(mlirOperationGetResult(alloc, 0), source), NO_RESULTS, NO_ATTRS);
    OP(&b, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    map_put(&r->buffers, operand.ptr, alloc.ptr);
    return mlirOperationGetResult(alloc, 0);
}

static void give_up(struct reload *r, const struct invariant *invariant) {
    MlirValue buffer = buffer_for(r, invariant->value);
    struct builder b = builder_before(r->ir, invariant->dot);
    MlirValue loaded =
        VALUE(&b, OP_SMEM_LOAD, OPERANDS(buffer), RESULTS(mlirValueGetType(invariant->value)), NO_ATTRS);
    mlirOperationSetOperand(invariant->dot, invariant->index, loaded);
}

// The last op of the block with a use of the buffer so far.
static MlirOperation last_use(MlirValue buffer, MlirBlock block) {
    MlirOperation last = value_op(buffer);
    for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = op_in_block(mlirOpOperandGetOwner(use), block);
        last = op_is_before(last, user) ? user : last;
    }
    return last;
}

// True if the operand's buffer, live from its store to the end of the loop, fits beside all other live
// buffers. A buffer made by an earlier loop is extended from its last use there.
static bool fits(struct reload *r, MlirOperation loop, MlirValue operand) {
    MlirOperation maker = value_op(operand), known = {map_get(&r->buffers, operand.ptr)};
    MlirBlock block = mlirOperationGetBlock(maker);
    MlirOperation first = maker, last = op_in_block(loop, block);
    if (!mlirOperationIsNull(known)) {
        first = last_use(mlirOperationGetResult(known, 0), block);
        if (!op_is_before(first, last)) {
            return true;
        }
        first = mlirOperationGetNextInBlock(first);
    }
    struct shared_claim claim = {first, last, (unsigned)bytes_of(operand)};
    return shared_need(r->context, r->function, &claim, 1, NULL) <= r->context->target->shared_limit;
}

static void run_on_loop(struct reload *r, MlirOperation loop) {
    struct invariant found[MAX_OPERANDS];
    size_t count;
    unsigned budget = r->context->target->registers_per_thread;
    unsigned total = estimate(r, op_body(loop, 0), found, &count);
    while (total > budget) {
        struct invariant *largest = NULL;
        for (size_t i = 0; i < count; i++) {
            if (found[i].registers > 4 && (!largest || found[i].registers > largest->registers) &&
                fits(r, loop, found[i].value)) {
                largest = &found[i];
            }
        }
        if (!largest) {
            return;
        }
        give_up(r, largest);
        total -= largest->registers;
        largest->registers = 0;
    }
}

void pass_reload(struct pass_context *context, MlirModule module) {
    struct reload r = {.context = context, .ir = context->ir};
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_FUNC) {
            r.function = ops[i];
        } else if (op_kind(context->ir, ops[i]) == OP_FOR) {
            run_on_loop(&r, ops[i]);
        }
    }
    map_free(&r.buffers);
}
