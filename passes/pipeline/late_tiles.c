// Late tiles: what a later product of a step reads is copied in its own step, into one slot.
//
//                                        copy of the first step's %k; tk.async_wait
//   scf.for … {                          scf.for … {
//     %k = tk.load …                       tk.barrier                     nobody reads %v any more
//     %v = tk.load …                       copies of this step's %v and of the next step's %k start
//     %s = tk.dot %q, %k            →      %s = tk.dot %q, a slot of %k
//     … exponentials of %s …               … exponentials of %s …
//     %o = tk.dot %w, %v                   tk.async_wait; tk.barrier      both have arrived
//   }                                      %o = tk.dot %w, the slot of %v
//                                        }
//
// The first product and what is computed with it hide both copies' way, so %v needs one slot alone. Attention with heads of 128 and 128
// keys a step takes 96 KB in place of 128 (sm_86, sm_89 and sm_120 have 99). A second barrier a step is the price, so a loop with
// room for two slots of everything does without. With three slots of %k the wait would be for copies that are needed two steps later.
//
// Where shared memory has no room for two slots of %k either, %k has one, too: it is filled again behind the second barrier, when everybody
// has read it, and the later product alone hides the copy's way. The step begins with a wait of its own then.
//
// A part of plan and pipeline. test: tests/golden/passes/plan/late.mlir, tests/golden/passes/pipeline/late.mlir
#include "passes/pipeline/pipeline.h"

#include "ir/build.h"

static MlirOperation first_product(const struct pipeline *p) {
    MlirOperation op = mlirBlockGetFirstOperation(p->body);
    while (!mlirOperationIsNull(op) && op_kind(p->ir, op) != OP_DOT) {
        op = mlirOperationGetNextInBlock(op);
    }
    return op;
}

// The op of the loop's body that is, or holds, this one.
static MlirOperation in_body(const struct pipeline *p, MlirOperation op) {
    while (!mlirBlockEqual(mlirOperationGetBlock(op), p->body)) {
        op = mlirOperationGetParentOperation(op);
    }
    return op;
}

// The first op of the body that reads a converted tile of an operand's load; null: none. Other loads have readers without results.
static MlirOperation first_reader(const struct pipeline *p, MlirOperation load) {
    MlirOperation first = {NULL};
    MlirValue tile = mlirOperationGetResult(load, 0);
    for (MlirOpOperand use = mlirValueGetFirstUse(tile); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirValue converted = mlirOperationGetResult(mlirOpOperandGetOwner(use), 0);
        for (MlirOpOperand read = mlirValueGetFirstUse(converted); !mlirOpOperandIsNull(read);
             read = mlirOpOperandGetNextUse(read)) {
            MlirOperation reader = in_body(p, mlirOpOperandGetOwner(read));
            first = mlirOperationIsNull(first) || op_is_before(reader, first) ? reader : first;
        }
    }
    return first;
}

static MlirOperation first_late_reader(const struct pipeline *p) {
    MlirOperation first = {NULL};
    for (size_t i = 0; i < p->load_count; i++) {
        MlirOperation reader = p->loads[i].late ? first_reader(p, p->loads[i].load) : first;
        first = mlirOperationIsNull(first) || op_is_before(reader, first) ? reader : first;
    }
    return first;
}

// True if all readers of the tile, converted or transposed, stand ahead of the op.
static bool is_read_ahead(const struct pipeline *p, MlirValue tile, MlirOperation end) {
    bool ahead = true;
    for (MlirOpOperand use = mlirValueGetFirstUse(tile); ahead && !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation reader = mlirOpOperandGetOwner(use);
        enum op_kind kind = op_kind(p->ir, reader);
        ahead = op_is_before(in_body(p, reader), end);
        if (kind == OP_CONVERT_LAYOUT || kind == OP_TRANS) {
            ahead = ahead && is_read_ahead(p, mlirOperationGetResult(reader, 0), end);
        }
    }
    return ahead;
}

bool pipeline_may_refill(const struct pipeline *p) {
    MlirOperation end = first_late_reader(p);
    bool may = p->load_count == p->operand_count;
    for (size_t i = 0; i < p->load_count && may; i++) {
        may = p->loads[i].late || is_read_ahead(p, mlirOperationGetResult(p->loads[i].load, 0), end);
    }
    return may;
}

bool pipeline_find_late(struct pipeline *p) {
    MlirOperation product = first_product(p);
    bool possible = p->async && target_has(p->context->target, FEATURE(CP_ASYNC)) && !p->proxy && !p->here;
    size_t late = 0;
    for (size_t i = 0; i < p->load_count; i++) {
        MlirOperation reader = {NULL};
        if (possible && i < p->operand_count && !mlirOperationIsNull(product)) {
            reader = first_reader(p, p->loads[i].load);
        }
        p->loads[i].late = !mlirOperationIsNull(reader) && op_is_before(product, reader);
        late += p->loads[i].late;
    }
    return late > 0 && late < p->load_count;
}

size_t pipeline_late_count(const struct pipeline *p) {
    size_t count = 0;
    for (size_t i = 0; i < p->load_count; i++) {
        count += p->loads[i].late;
    }
    return count;
}

struct builder pipeline_wait_for_late(struct pipeline *p) {
    MlirOperation first = first_late_reader(p);
    struct builder b = builder_before(p->ir, first);
    OP(&b, OP_ASYNC_WAIT, NO_OPERANDS, NO_RESULTS, ATTRS(attr_i32(&b, ATTR_PENDING, 0)));
    MlirOperation barrier = OP(&b, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    for (size_t i = 0; i < p->load_count; i++) {
        MlirValue tile = mlirOperationGetResult(p->loads[i].load, 0);
        for (MlirOpOperand use = mlirValueGetFirstUse(tile); p->loads[i].late && !mlirOpOperandIsNull(use);
             use = mlirOpOperandGetNextUse(use)) {
            mlirOperationMoveBefore(mlirOpOperandGetOwner(use), first);
        }
    }
    return builder_after(p->ir, barrier);
}
