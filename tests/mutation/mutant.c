// Finding places for faults, and planting them.
#include "mutant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const mutant_names[MUTANT_KINDS] = {
    "barrier left out",    "wait too short",    "operand overwritten", "bound left out",
    "shared offset moved", "fragment permuted", "copy left out",       "wrong parity",
    "wrong byte count",    "one more arrival",  "other mbarrier",      "other block",
    "half the columns",    "column moved",      "descriptor changed",  "order changed",
    "sums kept or lost",   "other answer"};

enum change { ADD, FLIP, HALVE };
enum { LAST = 99 };

// Kinds with a changed operand of an instruction in assembly, named by the words of its text.
static const struct word {
    enum mutant_kind kind;
    const char *text;
    unsigned operand;
    enum change change;
    uint64_t number;
} words[] = {
    {MUTANT_PARITY, "mbarrier.try_wait.parity", 1, FLIP, 1},
    {MUTANT_BYTES, "mbarrier.arrive.expect_tx", 1, ADD, 16},
    {MUTANT_ARRIVALS, "mbarrier.init.", 1, ADD, 1},
    {MUTANT_OTHER_BARRIER, "tcgen05.commit", 0, ADD, 8},
    {MUTANT_OTHER_BARRIER, "mbarrier.arrive.shared", 0, ADD, 8},
    {MUTANT_OTHER_BARRIER, "mbarrier.arrive.release.cluster", 0, ADD, 8},
    {MUTANT_OTHER_BARRIER, "clusterlaunchcontrol.try_cancel", 1, ADD, 8},
    {MUTANT_OTHER_ANSWER, "clusterlaunchcontrol.try_cancel", 0, ADD, 16},
    {MUTANT_OTHER_ANSWER, "clusterlaunchcontrol.query_cancel", 0, ADD, 16},
    {MUTANT_OTHER_BLOCK, "mapa.", 1, FLIP, 1},
    {MUTANT_OTHER_BLOCK, "multicast::cluster", 1, FLIP, 2},
    {MUTANT_ALLOCATION, "tcgen05.alloc", 1, HALVE, 0},
    {MUTANT_COLUMN, "tcgen05.mma", 0, ADD, 16},
    {MUTANT_COLUMN, "tcgen05.ld", 0, ADD, 16},
    {MUTANT_COLUMN, "tcgen05.st", 0, ADD, 16},
    {MUTANT_COLUMN, "tcgen05.cp", 0, ADD, 16},
    {MUTANT_DESCRIPTOR, "tcgen05.mma", 2, FLIP, 1ull << 32},
    {MUTANT_DESCRIPTOR, "tcgen05.cp", 1, FLIP, 1ull << 32},
    {MUTANT_INSTRUCTION, "tcgen05.mma", 3, FLIP, 1 << 16},
    {MUTANT_ADDS, "tcgen05.mma", LAST, FLIP, 1},
};

static const char *called_name(LLVMValueRef in) {
    if (!LLVMIsACallInst(in) || !LLVMIsAFunction(LLVMGetCalledValue(in))) {
        return "";
    }
    size_t length;
    return LLVMGetValueName2(LLVMGetCalledValue(in), &length);
}

static bool assembly_has(LLVMValueRef in, const char *words) {
    if (!LLVMIsACallInst(in) || !LLVMIsAInlineAsm(LLVMGetCalledValue(in))) {
        return false;
    }
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(in), &length);
    return text && strstr(text, words) != NULL;
}

static bool is_barrier(LLVMValueRef in) {
    static const char *const names[] = {"llvm.nvvm.barrier", "llvm.nvvm.bar.", "llvm.amdgcn.s.barrier",
                                        "llvm.amdgcn.wave.barrier"};
    const char *name = called_name(in);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (!strncmp(name, names[i], strlen(names[i]))) {
            return true;
        }
    }
    return LLVMIsAFenceInst(in) || assembly_has(in, "s_waitcnt lgkmcnt") || assembly_has(in, "bar.sync") ||
           assembly_has(in, "bar.warp.sync") || assembly_has(in, "fence.proxy.async") ||
           assembly_has(in, "fence.mbarrier_init") || assembly_has(in, "wgmma.fence") ||
           assembly_has(in, "tcgen05.fence") || assembly_has(in, "tcgen05.wait::") ||
           assembly_has(in, "tcgen05.commit") || assembly_has(in, "barrier.cluster") ||
           assembly_has(in, "tcgen05.dealloc") || assembly_has(in, "clusterlaunchcontrol.try_cancel");
}

static bool is_copy_to_lds(LLVMValueRef in) {
    return strstr(called_name(in), ".load.lds") != NULL;
}

// llvm.amdgcn.s.waitcnt of gfx9: vmcnt is bits 0 to 3, 14 and 15; the barriers' own waits have 62 there.
enum { LOW_COUNT = 15, HIGH_COUNT = 3 << 14, NO_COPIES = 62 };

static unsigned awaited_copies(LLVMValueRef in) {
    unsigned bits = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(in, 0));
    return (bits & LOW_COUNT) | (bits & HIGH_COUNT) >> 10;
}

// True if the instruction's module has such copies. Other chips have other bits, and their barriers' waits look like waits for a few.
static bool has_copies_to_lds(LLVMValueRef in) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(in);
    LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(block));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        if (strstr(LLVMGetValueName2(f, &length), ".load.lds")) {
            return true;
        }
    }
    return false;
}

static bool waits_for_copies(LLVMValueRef in) {
    return !strcmp(called_name(in), "llvm.amdgcn.s.waitcnt") && awaited_copies(in) < NO_COPIES &&
           has_copies_to_lds(in);
}

static const char wgmma_wait[] = "wgmma.wait_group.sync.aligned ";

static bool is_matrix(LLVMValueRef in) {
    const char *name = called_name(in);
    return !strncmp(name, "llvm.nvvm.mma.", 14) || !strncmp(name, "llvm.amdgcn.mfma.", 17) ||
           !strncmp(name, "llvm.amdgcn.wmma.", 17) || assembly_has(in, "mma.sync");
}

// A comparison bounds an access when it ends, perhaps through and, or, select and casts, in a predicate: an
// i1 operand of assembly, a branch forward, or a select. Loop conditions are not asked for.
static bool bounds_access(LLVMValueRef value, unsigned depth) {
    if (depth > 6) {
        return false;
    }
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) && LLVMIsAInlineAsm(LLVMGetCalledValue(user))) {
            return true;
        }
        if (LLVMIsABranchInst(user)) {
            // Forward only: the target leads on to another block, not back into this one.
            LLVMBasicBlockRef here = LLVMGetInstructionParent(user), next = LLVMGetSuccessor(user, 0);
            LLVMValueRef end = LLVMGetBasicBlockTerminator(next);
            if (next != here && LLVMGetSuccessor(user, 1) != here && LLVMGetNumSuccessors(end) == 1 &&
                LLVMGetSuccessor(end, 0) == LLVMGetSuccessor(user, 1)) {
                return true;
            }
            continue;
        }
        if (LLVMIsASelectInst(user) && LLVMGetOperand(user, 0) == value) {
            LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(user));
            if (kind != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(LLVMTypeOf(user)) != 1) {
                return true;
            }
        }
        if (LLVMIsAInstruction(user)) {
            LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
            bool passes = opcode == LLVMAnd || opcode == LLVMOr || opcode == LLVMSelect ||
                          opcode == LLVMZExt || opcode == LLVMPHI;
            if (passes && bounds_access(user, depth + 1)) {
                return true;
            }
        }
    }
    return false;
}

// True if the condition is only read beside `column <= …`, in an `and`.
static bool is_beside_rows(LLVMValueRef condition, LLVMValueRef column) {
    for (LLVMUseRef use = LLVMGetFirstUse(condition); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef both = LLVMGetUser(use);
        if (!LLVMIsAInstruction(both) || LLVMGetInstructionOpcode(both) != LLVMAnd) {
            return false;
        }
        LLVMValueRef left = LLVMGetOperand(both, 0);
        LLVMValueRef beside = left == condition ? LLVMGetOperand(both, 1) : left;
        if (!LLVMIsAICmpInst(beside) || LLVMGetICmpPredicate(beside) != LLVMIntSLE ||
            LLVMGetOperand(beside, 0) != column) {
            return false;
        }
    }
    return LLVMGetFirstUse(condition);
}

static bool is_below(LLVMValueRef compare, LLVMValueRef bound) {
    return LLVMIsAICmpInst(compare) && LLVMGetICmpPredicate(compare) == LLVMIntSLT &&
           LLVMGetOperand(compare, 1) == bound;
}

// True if the condition holds only with something other than the column below the bound.
static bool asks_for_below(LLVMValueRef condition, LLVMValueRef column, LLVMValueRef bound) {
    if (LLVMIsAInstruction(condition) && LLVMGetInstructionOpcode(condition) == LLVMAnd) {
        return asks_for_below(LLVMGetOperand(condition, 0), column, bound) ||
               asks_for_below(LLVMGetOperand(condition, 1), column, bound);
    }
    return is_below(condition, bound) && LLVMGetOperand(condition, 0) != column;
}

// True if a branch leads to the store only where something other than the column is below the bound.
static bool branch_asks_for_below(LLVMValueRef store, LLVMValueRef column, LLVMValueRef bound) {
    LLVMValueRef block = LLVMBasicBlockAsValue(LLVMGetInstructionParent(store));
    for (LLVMUseRef use = LLVMGetFirstUse(block); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef branch = LLVMGetUser(use);
        bool guards = LLVMIsABranchInst(branch) && LLVMIsConditional(branch) &&
                      LLVMGetSuccessor(branch, 0) == LLVMGetInstructionParent(store);
        if (!guards || !asks_for_below(LLVMGetCondition(branch), column, bound)) {
            return false;
        }
    }
    return LLVMGetFirstUse(block);
}

// Stores in assembly have their predicate as the second operand, if they have any.
static bool stores_below(LLVMValueRef store, LLVMValueRef column, LLVMValueRef bound) {
    return (assembly_has(store, "@$1 st.global") &&
            asks_for_below(LLVMGetOperand(store, 1), column, bound)) ||
           branch_asks_for_below(store, column, bound);
}

// Tensor copies leave out places outside of their maps.
static bool all_stores_below(LLVMValueRef function, LLVMValueRef column, LLVMValueRef bound) {
    enum { GLOBAL = 1 };
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(function); bb; bb = LLVMGetNextBasicBlock(bb)) {
        for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in)) {
            bool store = assembly_has(in, "st.global") ||
                         (LLVMIsAStoreInst(in) &&
                          LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(in, 1))) == GLOBAL);
            if (store && !stores_below(in, column, bound)) {
                return false;
            }
        }
    }
    return true;
}

static const struct word *word_of(LLVMValueRef in, enum mutant_kind kind) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (words[i].kind == kind && assembly_has(in, words[i].text)) {
            return &words[i];
        }
    }
    return NULL;
}

static bool applies(LLVMValueRef in, enum mutant_kind kind) {
    switch (kind) {
    case MUTANT_BARRIER:
        return is_barrier(in);
    case MUTANT_WAIT:
        return assembly_has(in, "cp.async.wait_group") || assembly_has(in, "cp.async.bulk.wait_group") ||
               assembly_has(in, wgmma_wait) || waits_for_copies(in);
    case MUTANT_COPY:
        return is_copy_to_lds(in);
    case MUTANT_OPERAND:
        return assembly_has(in, "wgmma.mma_async");
    case MUTANT_MASK:
        // Equalities choose one of several owners of the same value; leaving them out stores it again.
        return LLVMIsAICmpInst(in) && LLVMGetICmpPredicate(in) != LLVMIntEQ &&
               LLVMGetICmpPredicate(in) != LLVMIntNE && bounds_access(in, 0);
    case MUTANT_OFFSET:
        return LLVMIsAGetElementPtrInst(in) && LLVMGetTypeKind(LLVMTypeOf(in)) == LLVMPointerTypeKind &&
               LLVMGetPointerAddressSpace(LLVMTypeOf(in)) == 3 && LLVMGetFirstUse(in);
    case MUTANT_FRAGMENT:
        return is_matrix(in);
    default:
        return word_of(in, kind);
    }
}

struct mutant *mutant_list(LLVMValueRef function, unsigned *count) {
    unsigned capacity = 0, block = 0;
    struct mutant *list = NULL;
    *count = 0;
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(function); bb;
         bb = LLVMGetNextBasicBlock(bb), block++) {
        unsigned position = 0;
        for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in), position++) {
            for (int kind = 0; kind < MUTANT_KINDS; kind++) {
                if (!applies(in, (enum mutant_kind)kind)) {
                    continue;
                }
                if (*count == capacity) {
                    list = realloc(list, sizeof *list * (capacity = capacity * 2 + 64));
                }
                list[(*count)++] = (struct mutant){(enum mutant_kind)kind, block, position};
            }
        }
    }
    return list;
}

static void permute(LLVMValueRef in, LLVMBuilderRef builder) {
    unsigned count = LLVMGetNumArgOperands(in);
    for (unsigned i = 0; i + 1 < count; i++) {
        LLVMValueRef a = LLVMGetOperand(in, i), b = LLVMGetOperand(in, i + 1);
        LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(a));
        bool single = !strncmp(called_name(in), "llvm.amdgcn", 11);
        if (kind == LLVMVectorTypeKind && single) {
            unsigned size = LLVMGetVectorSize(LLVMTypeOf(a));
            LLVMValueRef mask[64];
            for (unsigned j = 0; j < size; j++) {
                mask[j] =
                    LLVMConstInt(LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(a))), size - 1 - j, 0);
            }
            LLVMValueRef reversed = LLVMBuildShuffleVector(builder, a, LLVMGetUndef(LLVMTypeOf(a)),
                                                           LLVMConstVector(mask, size), "");
            LLVMSetOperand(in, i, reversed);
            return;
        }
        if (LLVMTypeOf(a) == LLVMTypeOf(b) && a != b) {
            LLVMSetOperand(in, i, b);
            LLVMSetOperand(in, i + 1, a);
            return;
        }
    }
}

// True if the address is only read as a number, itself or with something added: for descriptors and copies.
static bool becomes_number(LLVMValueRef address, unsigned depth) {
    bool number = LLVMGetFirstUse(address);
    for (LLVMUseRef use = LLVMGetFirstUse(address); use && number; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        number = LLVMIsAPtrToIntInst(user) ||
                 (depth > 0 && LLVMIsAGetElementPtrInst(user) && becomes_number(user, depth - 1));
    }
    return number;
}

// By 16 bytes, or by a swizzle pattern: LLVM knows the alignment of slots, and cuts less off when it makes a descriptor.
static void shift(LLVMValueRef in, LLVMBuilderRef builder) {
    enum { CHUNK = 16, PATTERN = 1024 };
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(in));
    LLVMValueRef next = LLVMGetNextInstruction(in);
    LLVMValueRef distance =
        LLVMConstInt(LLVMInt32TypeInContext(context), becomes_number(in, 1) ? PATTERN : CHUNK, 0);
    LLVMPositionBuilderBefore(builder, next);
    LLVMValueRef moved = LLVMBuildGEP2(builder, LLVMInt8TypeInContext(context), in, &distance, 1, "");
    LLVMReplaceAllUsesWith(in, moved);
    LLVMSetOperand(moved, 0, in);
}

// The number is an operand of cp.async's waits, and in the text of wgmma's.
static void wait_for_less(LLVMValueRef in) {
    if (waits_for_copies(in)) {
        LLVMValueRef bits = LLVMGetOperand(in, 0);
        unsigned count = awaited_copies(in) + 1;
        uint64_t others = LLVMConstIntGetZExtValue(bits) & ~(uint64_t)(LOW_COUNT | HIGH_COUNT);
        LLVMSetOperand(
            in, 0,
            LLVMConstInt(LLVMTypeOf(bits), others | (count & LOW_COUNT) | (count << 10 & HIGH_COUNT), 0));
        return;
    }
    LLVMValueRef callee = LLVMGetCalledValue(in);
    size_t length, constraints_length;
    const char *text = LLVMGetInlineAsmAsmString(callee, &length);
    const char *constraints = LLVMGetInlineAsmConstraintString(callee, &constraints_length);
    if (strncmp(text, wgmma_wait, sizeof wgmma_wait - 1)) {
        LLVMValueRef groups = LLVMGetOperand(in, 0);
        LLVMSetOperand(in, 0, LLVMConstInt(LLVMTypeOf(groups), LLVMConstIntGetZExtValue(groups) + 1, 0));
        return;
    }
    char changed[64];
    int changed_length = snprintf(changed, sizeof changed, "%s%lu;", wgmma_wait,
                                  strtoul(text + sizeof wgmma_wait - 1, NULL, 10) + 1);
    LLVMValueRef other =
        LLVMGetInlineAsm(LLVMGetCalledFunctionType(in), changed, (size_t)changed_length, constraints,
                         constraints_length, true, false, LLVMInlineAsmDialectATT, false);
    LLVMSetOperand(in, (unsigned)LLVMGetNumOperands(in) - 1, other);
}

// Passes the fence's operands to their readers without it.
static void leave_out(LLVMValueRef in, LLVMBuilderRef builder) {
    if (LLVMGetFirstUse(in)) {
        LLVMTypeRef type = LLVMTypeOf(in);
        LLVMValueRef passed = LLVMGetOperand(in, 0);
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            passed = LLVMGetUndef(type);
            for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
                passed = LLVMBuildInsertValue(builder, passed, LLVMGetOperand(in, i), i, "");
            }
        }
        LLVMReplaceAllUsesWith(in, passed);
    }
    LLVMInstructionEraseFromParent(in);
}

static void change_word(LLVMValueRef in, const struct word *word, LLVMBuilderRef builder) {
    unsigned operand = word->operand == LAST ? LLVMGetNumArgOperands(in) - 1 : word->operand;
    LLVMValueRef is = LLVMGetOperand(in, operand);
    LLVMValueRef by = LLVMConstInt(LLVMTypeOf(is), word->change == HALVE ? 1 : word->number, 0);
    LLVMSetOperand(in, operand,
                   word->change == FLIP  ? LLVMBuildXor(builder, is, by, "")
                   : word->change == ADD ? LLVMBuildAdd(builder, is, by, "")
                                         : LLVMBuildLShr(builder, is, by, ""));
}

// B's descriptor comes last; its low 14 bits are the address in units of 16 bytes.
static void overwrite_operand(LLVMValueRef in, LLVMBuilderRef builder) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(in));
    LLVMTypeRef i64 = LLVMInt64TypeInContext(context), i32 = LLVMInt32TypeInContext(context);
    LLVMValueRef descriptor = LLVMGetOperand(in, LLVMGetNumArgOperands(in) - 1);
    LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(in));
    LLVMValueRef address = LLVMBuildAnd(builder, descriptor, LLVMConstInt(i64, 0x3fff, 0), "");
    address = LLVMBuildTrunc(builder, LLVMBuildShl(builder, address, LLVMConstInt(i64, 4, 0), ""), i32, "");
    LLVMValueRef place = LLVMBuildIntToPtr(builder, address, LLVMPointerTypeInContext(context, 3), "");
    LLVMBuildStore(builder, LLVMConstNull(i32), place);
}

static LLVMValueRef find(LLVMValueRef function, const struct mutant *mutant) {
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
    for (unsigned i = 0; i < mutant->block; i++) {
        block = LLVMGetNextBasicBlock(block);
    }
    LLVMValueRef in = LLVMGetFirstInstruction(block);
    for (unsigned i = 0; i < mutant->position; i++) {
        in = LLVMGetNextInstruction(in);
    }
    return in;
}

// The function's argument that an address is counted from; NULL: none is seen.
static LLVMValueRef base_of(LLVMValueRef address) {
    while (LLVMIsAGetElementPtrInst(address)) {
        address = LLVMGetOperand(address, 0);
    }
    return LLVMIsAArgument(address);
}

// Lets a copy bring the first bytes of its array, and a product into tensor memory, whatever its fault is, give other sums. False: the place is
// neither.
static bool bring_others(LLVMValueRef in, enum mutant_kind kind) {
    LLVMValueRef base = kind == MUTANT_COPY ? base_of(LLVMGetOperand(in, 0)) : NULL;
    if (base) {
        LLVMSetOperand(in, 0, base);
        return true;
    }
    const struct word *product = word_of(in, kind == MUTANT_ADDS ? MUTANT_INSTRUCTION : MUTANT_ADDS);
    if (product) {
        LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(in)));
        LLVMPositionBuilderBefore(builder, in);
        change_word(in, product, builder);
        LLVMDisposeBuilder(builder);
    }
    return product;
}

// A division by the comparison: by zero if it is false, or for a plain probe always.
void mutant_probe(LLVMValueRef function, const struct mutant *mutant) {
    LLVMValueRef in = find(function, mutant);
    if (bring_others(in, mutant->kind)) {
        return;
    }
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMValueRef divisor = LLVMConstNull(i32);
    if (mutant->kind == MUTANT_MASK) {
        LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(in));
        divisor = LLVMBuildZExt(builder, in, i32, "");
    } else {
        LLVMPositionBuilderBefore(builder, in);
    }
    // The operand must not be a constant, or the builder folds the division away.
    LLVMValueRef one = LLVMBuildFreeze(builder, LLVMConstInt(i32, 1, 0), "");
    LLVMBuildUDiv(builder, one, divisor, "");
    LLVMDisposeBuilder(builder);
}

void mutant_refuse(LLVMValueRef function, const struct mutant *mutant) {
    LLVMValueRef in = find(function, mutant);
    LLVMReplaceAllUsesWith(in, LLVMConstNull(LLVMTypeOf(in)));
}

bool mutant_is_implied(LLVMValueRef function, const struct mutant *mutant) {
    LLVMValueRef in = find(function, mutant);
    if (mutant->kind != MUTANT_MASK || LLVMGetICmpPredicate(in) != LLVMIntSLT) {
        return false;
    }
    LLVMValueRef column = LLVMGetOperand(in, 0);
    return is_beside_rows(in, column) && all_stores_below(function, column, LLVMGetOperand(in, 1));
}

void mutant_plant(LLVMValueRef function, const struct mutant *mutant) {
    LLVMValueRef in = find(function, mutant);
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderBefore(builder, in);
    switch (mutant->kind) {
    case MUTANT_BARRIER:
    case MUTANT_COPY:
        leave_out(in, builder);
        break;
    case MUTANT_WAIT:
        wait_for_less(in);
        break;
    case MUTANT_OPERAND:
        overwrite_operand(in, builder);
        break;
    case MUTANT_MASK:
        LLVMReplaceAllUsesWith(in, LLVMConstAllOnes(LLVMTypeOf(in)));
        break;
    case MUTANT_OFFSET:
        shift(in, builder);
        break;
    case MUTANT_FRAGMENT:
        permute(in, builder);
        break;
    default:
        change_word(in, word_of(in, mutant->kind), builder);
    }
    LLVMDisposeBuilder(builder);
}
