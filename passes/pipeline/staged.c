// The staged loads of a loop: whether cp.async can copy them, their slice, and the layout of their slots. For
// both the plan and its expansion.
#include "passes/pipeline/pipeline.h"

#include "chip/lds_copy.h"
#include "chip/scratch.h"
#include "ir/build.h"
#include "passes/facts/tile_access.h"
#include "passes/facts/value_work.h"
#include "passes/pipeline/slice.h"

bool pipeline_copies_itself(struct pipeline *p, MlirOperation load) {
    unsigned bytes = type_bits(type_element(mlirValueGetType(mlirOperationGetResult(load, 0)))) / 8;
    MlirValue other = load_other(load);
    bool fills = !mlirValueIsNull(other) && !fills_with_zero(p->ir, other);
    return op_int(load, ATTR_VECTOR) * bytes >= 4 && !fills;
}

// From sm_90 on warps of their own copy most tiles, and rows keep their way there.
int pipeline_least_rank(const struct target *target) {
    return target_has(target, FEATURE(CP_ASYNC)) && !target_has(target, FEATURE(SM90)) ? 1 : 2;
}

bool pipeline_is_staged(const struct pipeline *p, MlirOperation load) {
    for (size_t i = 0; i < p->load_count; i++) {
        if (mlirOperationEqual(p->loads[i].load, load)) {
            return true;
        }
    }
    return false;
}

bool pipeline_passes_on(enum op_kind kind) {
    return (op_traits(kind) & ELEMENTWISE) || kind == OP_TRANS || kind == OP_SMEM_TRANS ||
           kind == OP_CONVERT_LAYOUT || kind == OP_EXPAND_DIMS || kind == OP_BROADCAST ||
           kind == OP_RESHAPE || kind == OP_JOIN;
}

// True for an operand of a dot. Its scales count if they wait where loads go through registers, or in shared memory:
// asynchronous copies need 4 bytes side by side.
static bool is_of_dot(const void *asker, MlirOpOperand use, MlirValue value) {
    const struct pass_context *context = asker;
    intptr_t operand = mlirOpOperandGetOperandNumber(use);
    bool scales =
        context->target->vendor == VENDOR_AMD || type_is_shared(context->ir, mlirValueGetType(value));
    return op_kind(context->ir, mlirOpOperandGetOwner(use)) == OP_DOT &&
           (operand < 2 || (operand > 2 && scales));
}

bool pipeline_feeds_dot(const struct pipeline *p, MlirValue tile) {
    return value_has_reader(
        &(struct reader_question){p->arena, p->ir, pipeline_passes_on, is_of_dot, p->context}, tile);
}

unsigned pipeline_dots(const struct pipeline *p) {
    unsigned dots = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(p->body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        dots += op_kind(p->ir, op) == OP_DOT;
    }
    return dots;
}

// The tile's first reader in the order of the program: uses have none that printed IR would keep.
static MlirOperation first_reader(MlirValue tile) {
    MlirOpOperand use = mlirValueGetFirstUse(tile);
    MlirOperation first = mlirOpOperandGetOwner(use);
    while (!mlirOpOperandIsNull(use = mlirOpOperandGetNextUse(use))) {
        MlirOperation reader = mlirOpOperandGetOwner(use);
        first = op_is_before(reader, first) ? reader : first;
    }
    return first;
}

// An operand's slot is free of bank conflicts for the copy's 16-byte writes and for the dot's reads; a
// warpgroup reads it directly. Copies to LDS past the registers fill it in the order of the lanes. Other tiles are read back by the threads that wrote them, in the same layout:
// no conflicts in one access means none in the other.
struct layout pipeline_slot_layout(const struct pipeline *p, MlirOperation load, enum op_role role) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(load, 0));
    const struct layout *writer = type_layout(p->ir, type), *reader = writer;
    if (role == ROLE_COPY) {
        MlirOperation convert = first_reader(mlirOperationGetResult(load, 0));
        MlirType read = mlirValueGetType(mlirOperationGetResult(convert, 0));
        reader = type_layout(p->ir, read);
        if (type_is_shared(p->ir, read)) {
            return *reader;
        }
    }
    unsigned bytes = (type_bits(type_element(type)) + 7) / 8;
    struct layout slot;
    if (p->async && lds_copy_slot(p->context->target, writer, bytes, &slot)) {
        return slot;
    }
    return scratch_operand(p->context->target, writer, reader, bytes);
}

static bool runs_ahead(struct ir *ir, MlirOperation op) {
    enum op_kind kind = op_kind(ir, op);
    return ((op_traits(kind) & PURE) && kind != OP_DOT && mlirOperationGetNumRegions(op) == 0) ||
           (kind == OP_LOAD && !load_is_volatile(op));
}

bool pipeline_find_slice(struct pipeline *p) {
    p->arg_count = mlirOperationGetNumResults(p->loop);
    p->ahead = ARENA_ARRAY(p->arena, bool, p->arg_count + 1);
    struct slice slice = {.ir = p->ir, .body = p->body, .runs_ahead = runs_ahead, .carried = p->ahead};
    bool possible = true;
    for (size_t i = 0; i < p->load_count && possible; i++) {
        possible = slice_add_operands(&slice, p->loads[i].load);
    }
    p->slice = ARENA_ARRAY(p->arena, MlirOperation, slice.ops.count + 1);
    p->slice_count = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(p->body); possible && !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (map_has(&slice.ops, op.ptr)) {
            p->slice[p->slice_count++] = op;
        }
    }
    map_free(&slice.ops);
    return possible || decline(p->context, slice.obstacle, REASON_NOT_AHEAD);
}
