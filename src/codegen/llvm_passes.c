// LLVM's own passes over a module, and the amount of optimisation for its size.
//
// The pipeline is ours, not O3: tile code has no calls to inline and no loops to vectorise, so only merging
// equal values, folding and hoisting pay (8 ms instead of 22 for O3). No pass here may change a value: no
// fast-math flag is ever set.
#include "codegen/llvm_passes.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "codegen/machine.h"
#include "codegen/vendor.h"
#include "support/diag.h"

// Some of LLVM's work grows with the square of a function. gvn and instcombine derive facts about a value
// from the branches on it, with a step for each pair of branches: 6,400 branches on one value are 40 million
// steps. Gvn and the vectoriser of loads and stores compare each access with many before it. Very long
// functions do without them; in the back end, they use the level below the highest.
enum module_size module_size(LLVMModuleRef module) {
    enum { LONG = 40000, MANY_BLOCKS = 2000 };
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMCountBasicBlocks(f) >= MANY_BLOCKS) {
            return SIZE_MANY_BLOCKS;
        }
    }
    return module_instructions(module) >= LONG ? SIZE_LONG : SIZE_USUAL;
}

unsigned module_instructions(LLVMModuleRef module) {
    unsigned count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                count++;
            }
        }
    }
    return count;
}

static bool is_crowded(LLVMBasicBlockRef block) {
    enum { CROWD = 768 };
    unsigned count = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && count < CROWD; i = LLVMGetNextInstruction(i)) {
        count += LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsACallInst(i);
    }
    return count == CROWD;
}

bool module_is_crowded(LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            if (is_crowded(b)) {
                return true;
            }
        }
    }
    return false;
}

// Unrolling asks for the trip count of each loop under the conditions on the way to it: 800 loops in a row
// with one bound took LLVM's scalar evolution 40 s, 100 loops 0.1 s. Such code gains nothing from unrolling
// either.
static bool has_rows_of_loops(LLVMModuleRef module) {
    enum { BLOCKS = 300 }; // two a loop
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMCountBasicBlocks(f) >= BLOCKS) {
            return true;
        }
    }
    return false;
}

LLVMCodeGenOptLevel module_level(LLVMModuleRef module, const struct target *target, enum module_size size) {
    bool gains = codegen_vendor(target)->gains_by_highest_level(module);
    return size == SIZE_USUAL && gains ? LLVMCodeGenLevelAggressive : LLVMCodeGenLevelDefault;
}

static const char *const passes_by_size[] = {
    [SIZE_USUAL] = "function(mem2reg,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,"
                   "loop-mssa(licm),gvn,instcombine<no-verify-fixpoint>,simplifycfg,adce)",
    [SIZE_LONG] = "function(mem2reg,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,"
                  "loop-mssa(licm),early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,adce)",
    [SIZE_MANY_BLOCKS] = "function(mem2reg,early-cse,instsimplify,simplifycfg,"
                         "loop-mssa(licm),instsimplify,simplifycfg,adce)",
};

static void run_passes(LLVMModuleRef module, const struct target *target, enum module_size size,
                       const char *passes) {
    struct machine *machine = machine_take(target, module_level(module, target, size));
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, passes, machine->chip, options);
    LLVMDisposePassBuilderOptions(options);
    machine_give(machine);
    if (error) {
        bug("LLVM's pass pipeline: %s", LLVMGetErrorMessage(error));
    }
}

void llvm_passes(LLVMModuleRef module, const struct target *target) {
    enum module_size size = module_size(module);
    const char *unrolling = codegen_vendor(target)->unrolling_passes, *passes = passes_by_size[size];
    if (unrolling && size == SIZE_USUAL) {
        passes = has_rows_of_loops(module) ? passes_by_size[SIZE_LONG] : unrolling;
    }
    run_passes(module, target, size, passes);
}

// ---- packed f16 and f32 ----

static bool is_vector_of(LLVMTypeRef type, LLVMTypeKind element) {
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
           LLVMGetTypeKind(LLVMGetElementType(type)) == element;
}

static bool computes(LLVMValueRef instruction) {
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMCall: // a multiply-add
        return true;
    default:
        return false;
    }
}

// Instructions that packing operations of one type saves, and numbers that it moves beside others.
struct packing {
    int saved, moved;
};

static struct packing packing_of(LLVMModuleRef module, LLVMTypeKind element) {
    struct packing packing = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                bool floats = is_vector_of(LLVMTypeOf(i), element);
                packing.saved += floats && computes(i) ? (int)LLVMGetVectorSize(LLVMTypeOf(i)) / 2 : 0;
                packing.moved += floats && LLVMGetInstructionOpcode(i) == LLVMInsertElement;
            }
        }
    }
    return packing;
}

// Without fast-math flags LLVM's vectoriser keeps the order of sums, and a packed operation rounds as the two did. It counts a number put
// into a pair as free, but the back end moves it as often as not: attention's gradients got 24 pairs, 24 such numbers and 2 % more
// instructions. So pairs must save twice as many instructions.
bool packed_floats(LLVMModuleRef module, const struct target *target) {
    static const char pass[] = "function(slp-vectorizer)";
    static const LLVMTypeKind elements[] = {LLVMFloatTypeKind, LLVMHalfTypeKind};
    enum { MOST_MOVED = 2 };
    enum module_size size = module_size(module);
    if (size != SIZE_USUAL) {
        return false;
    }
    LLVMModuleRef copy = LLVMCloneModule(module);
    run_passes(copy, target, size, pass);
    struct packing sum = {0};
    for (int i = 0; i < 2; i++) {
        struct packing before = packing_of(module, elements[i]), after = packing_of(copy, elements[i]);
        sum.saved += after.saved - before.saved;
        sum.moved += after.moved > before.moved ? after.moved - before.moved : 0;
    }
    LLVMDisposeModule(copy);
    if (sum.saved <= 0 || sum.saved < MOST_MOVED * sum.moved) {
        return false;
    }
    run_passes(module, target, size, pass);
    return true;
}
