// costly_ops: names the dots without a matrix instruction, and in each step of a loop the tiles with a change of layout through shared
// memory, and the accesses to it with bank conflicts. It changes nothing.
//
//   %d = tk.dot %a, %b, %c                         remark: the dot is done by multiply-adds: …
//   %y = tk.convert_layout %x : #one → #other      remark: a tile of 64x64 changes its layout through 8192 B of shared memory
//   %z = tk.smem_load %slot                        remark: the read of shared memory takes 24 wavefronts more a warp than …
//
// requires: layouts; the loops as they are lowered
// provides: nothing; keeps everything
// test:     tests/cli/check_remarks.py
#include "passes/pass.h"

#include <mlir-c/BuiltinTypes.h>

#include "chip/mma.h"
#include "chip/scratch.h"
#include "ir/build.h"

static bool is_in_loop(struct ir *ir, MlirOperation op) {
    while (op_kind(ir, op) != OP_FUNC && op_kind(ir, op) != OP_FOR && op_kind(ir, op) != OP_WHILE) {
        op = mlirOperationGetParentOperation(op);
    }
    return op_kind(ir, op) != OP_FUNC;
}

static MlirType operand_type(MlirOperation op, intptr_t index) {
    return mlirValueGetType(mlirOperationGetOperand(op, index));
}

static void say_dot(struct pass_context *context, MlirOperation dot) {
    MlirType a = operand_type(dot, 0), c = mlirValueGetType(mlirOperationGetResult(dot, 0));
    int rank = type_rank(c);
    const struct target *target = context->target;
    bool none = target->vendor == VENDOR_AMD && !target_has_matrices(target);
    bool by_precision = mlirTypeIsAF32(type_element(a)) &&
                        mma_fits(target, MMA_TF32, MMA_TF32, MMA_F32, type_extent(a, rank - 1));
    const char *fact = arena_printf(
        context->arena,
        "the dot is done by multiply-adds: %s has no matrix instruction%s (%lld x %lld x %lld, operands "
        "of %u bits)",
        target->name,
        none           ? ""
        : by_precision ? " for all bits of f32"
                       : " for its types and shape",
        (long long)type_extent(c, rank - 2), (long long)type_extent(c, rank - 1),
        (long long)type_extent(a, rank - 1), type_bits(type_element(a)));
    remark_add(context, dot,
               (struct remark){.kind = REMARK_MULTIPLY_ADDS,
                               .fact = fact,
                               .advice = none ? "no form of the source changes that"
                                         : by_precision
                                             ? "give input_precision=\"tf32\", or \"tf32x3\" for "
                                               "nearly the precision of f32"
                                             : "use 16 rows, columns and products at least, of types "
                                               "in the language reference's table of chips"});
}

// True if the conversion goes through shared memory in a loop.
static bool say_conversion(struct pass_context *context, MlirOperation convert, unsigned num_warps) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(convert, 0));
    unsigned bytes =
        type_is_shared(context->ir, type) || type_is_shared(context->ir, operand_type(convert, 0))
            ? 0
            : scratch_bytes(context->ir, context->target, num_warps, convert);
    bool says = bytes && is_in_loop(context->ir, convert);
    if (says) {
        remark(context, REMARK_CONVERSION, convert,
               "the value changes its layout through %u B of shared memory in each step of a loop: what "
               "makes it and what reads it hold it in other threads",
               bytes);
    }
    return says;
}

// Bytes of an element; 0: of a part of one.
static unsigned element_bytes(MlirType type) {
    unsigned bits = type_bits(type_element(type));
    return bits % 8 || bits > 64 ? 0 : bits / 8;
}

static void say_conflicts(struct pass_context *context, MlirOperation op, const char *what,
                          unsigned conflicts) {
    if (conflicts) {
        const char *fact = arena_printf(
            context->arena,
            "the %s shared memory takes %u wavefronts more of a warp than its bytes need, in each step of "
            "a loop: threads meet in its %u banks",
            what, conflicts, scratch_banks(context->target).banks);
        remark_add(context, op,
                   (struct remark){.kind = REMARK_BANKS,
                                   .fact = fact,
                                   .advice = "other numbers of warps or extents of the tile, or a transposed "
                                             "tile, may keep them apart"});
    }
}

// An access to a slot, or a conversion through scratch memory, in the layouts of its lowering.
static void say_banks(struct pass_context *context, MlirOperation op) {
    enum op_kind kind = op_kind(context->ir, op);
    MlirType tile = kind == OP_SMEM_STORE ? operand_type(op, at_smem_store_tile)
                                          : mlirValueGetType(mlirOperationGetResult(op, 0));
    unsigned bytes = element_bytes(tile);
    const struct layout *layout = type_layout(context->ir, tile);
    if (!bytes || !layout || !is_in_loop(context->ir, op)) {
        return;
    }
    const struct layout *other = type_layout(context->ir, operand_type(op, 0)); // the slot, or the source
    if (!other || !layout_same_shape(layout, other)) {
        return;
    }
    if (kind == OP_SMEM_LOAD) {
        say_conflicts(context, op, "read of",
                      scratch_conflicts(context->target, other, layout, bytes, false));
    } else if (kind == OP_SMEM_STORE) {
        say_conflicts(context, op, "write to",
                      scratch_conflicts(context->target, other, layout, bytes, true));
    } else {
        struct layout shared = scratch_shared(context->target, other, layout, bytes);
        say_conflicts(context, op, "change of layout through",
                      scratch_conflicts(context->target, &shared, other, bytes, true) +
                          scratch_conflicts(context->target, &shared, layout, bytes, false));
    }
}

void pass_costly_ops(struct pass_context *context, MlirModule module) {
    if (!context->remarks || context->remarks->slow_only) {
        return;
    }
    for (MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
         !mlirOperationIsNull(function); function = mlirOperationGetNextInBlock(function)) {
        size_t count;
        unsigned num_warps = (unsigned)op_int(function, ATTR_NUM_WARPS);
        MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
        for (size_t i = 0; i < count; i++) {
            enum op_kind kind = op_kind(context->ir, ops[i]);
            if (kind == OP_SHARED_DOT || (kind == OP_DOT && !op_has(ops[i], ATTR_INSTRUCTION))) {
                say_dot(context, ops[i]);
            } else if (kind == OP_CONVERT_LAYOUT && say_conversion(context, ops[i], num_warps)) {
                say_banks(context, ops[i]);
            } else if (kind == OP_SMEM_LOAD || kind == OP_SMEM_STORE) {
                say_banks(context, ops[i]);
            }
        }
    }
}
