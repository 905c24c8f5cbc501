// warp_slices: of a product of few rows with weights unpacked from words, each step becomes one warp's.
//
//   func @f {tk.num_warps = 4}                        func @f {tk.num_warps = 1, tk.warp_slices}
//     scf.for %k = 0 to %K step 128 {           →       the same
//       %w = … of %words · %d = tk.dot %x, %w, %c
//     }
//
// Reason: a group of warps that shares a step waits for its slot, its words and its product together, and each warp has few columns: its lanes
// read the words of four, and unpack two numbers of each (layouts_words.c). One warp with all of a step's columns takes whole words, four
// columns' at a time, pairs of numbers that lie in both halves of a word by one instruction, and meets nobody. Warps take turns in the
// steps, each with a sum of its own (specialise_slices.c).
//
// The layouts are of one warp then, so the decision comes ahead of them; whether slots, slices and registers fit is known behind
// them. The pass therefore tries the passes up to `roles` on a copy of the function and takes what comes out as the answer.
//
// Measured on Hopper alone, whose rows of targets.def have the feature. Other chips keep groups of warps.
//
// requires: dots with types of the chip's multiplications, no layouts
// provides: the same program; another number of warps
// test:     tests/golden/passes/warp_slices
#include "passes/pass.h"

#include "ir/build.h"
#include "passes/facts/packed_words.h"

// True if the dot has few rows and its right operand is unpacked from words of eight numbers.
static bool is_thin(struct pass_context *context, MlirOperation dot) {
    enum { MOST_ROWS = 16, LEAST_COLUMNS = 32, WORD = 3 };
    MlirType sums = mlirValueGetType(dot_c(dot));
    return type_rank(sums) == 2 && type_extent(sums, 0) <= MOST_ROWS &&
           type_extent(sums, 1) >= LEAST_COLUMNS && type_bits(type_element(sums)) == 32 &&
           type_bits(type_element(mlirValueGetType(dot_b(dot)))) == 16 &&
           packed_words(context->ir, context->arena, dot, at_dot_b) == WORD;
}

static void become_one_warp(struct ir *ir, MlirOperation function) {
    op_set_int(ir, function, ATTR_NUM_WARPS, 1);
    op_set_unit(ir, function, ATTR_WARP_SLICES);
}

// True if the roles make slices of the copied function's warp.
static bool makes_slices(struct pass_context *context, MlirOperation function) {
    MlirModule module = mlirModuleCreateEmpty(mlirOperationGetLocation(function));
    MlirOperation copy = mlirOperationClone(function);
    mlirBlockAppendOwnedOperation(mlirModuleGetBody(module), copy);
    become_one_warp(context->ir, copy);
    passes_try(context, module, PASS_WARP_SLICES, PASS_ROLES);
    bool slices = op_int(copy, ATTR_SLICES) > 1;
    mlirModuleDestroy(module);
    return slices;
}

void pass_warp_slices(struct pass_context *context, MlirModule module) {
    if (!target_has(context->target, FEATURE(WARP_SLICES)) || !context->tensor_maps) {
        return;
    }
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        MlirOperation dot = only_dot_in_loop(context->ir, context->arena, op);
        bool free = !op_has(op, ATTR_FIXED_WARPS) && !op_has(op, ATTR_CHAIN) &&
                    op_int(op, ATTR_NUM_CTAS) <= 1 && op_int(op, ATTR_NUM_WARPS) > 1;
        if (free && !mlirOperationIsNull(dot) && is_thin(context, dot) && makes_slices(context, op)) {
            become_one_warp(context->ir, op);
        }
    }
}
