// Additions, subtractions, products and multiply-adds of f32 become instructions on two numbers (sm_100, sm_103).
//
//   %c = fmul float %a, %s                       %p = assembly: mul.rn.f32x2 of {%a, %b} and {%s, %s}
//   %d = fmul float %b, %s               →       %e = assembly: add.rn.f32x2 of %p and {%t, %u}
//   %f = fadd float %c, %t                       %f, %g = the halves of %e
//   %g = fadd float %d, %u
//
// Each half is rounded as the one operation was, so no bit of a result changes. Two operations go together if one of them can move to
// the other's place in their block, and if each two operands are cheap to have in neighbouring registers: halves of one earlier
// pair, one number for both (the instruction reads it twice), constants, neighbours of a vector that was loaded, or two results that no
// other pair has. Among later operations of a kind the one whose operands fit best is taken, then the nearest. ptxas makes no such pairs
// of scalar instructions itself.
//
// test: tests/unit/test_float_pairs.c
#include "codegen/float_pairs.h"

#include <stdint.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "chip/asm.h"
#include "support/arena.h"
#include "support/map.h"

enum { WINDOW = 32, MOST_USES = 64, MOST_OPERANDS = 3, HALF_BITS = 32 };

struct pairing {
    LLVMBuilderRef b;
    LLVMTypeRef f32, i32, word; // word: i64, a pair
    struct map numbers;         // instruction of the block → its place, from 1 on
    struct map partners;        // number outside of pairs → its neighbour in a pack
};

enum kind { KIND_NONE, KIND_ADD, KIND_SUB, KIND_MUL, KIND_FMA };

static const enum asm_id rows[] = {[KIND_ADD] = ASM_ADD_F32X2,
                                   [KIND_SUB] = ASM_SUB_F32X2,
                                   [KIND_MUL] = ASM_MUL_F32X2,
                                   [KIND_FMA] = ASM_FMA_F32X2};

static bool is_fma(LLVMValueRef value) {
    static const char name[] = "llvm.fma.f32";
    LLVMValueRef function = LLVMIsACallInst(value) ? LLVMGetCalledValue(value) : NULL;
    size_t length;
    return function && LLVMIsAFunction(function) && LLVMGetIntrinsicID(function) &&
           !strcmp(LLVMGetValueName2(function, &length), name);
}

static enum kind kind_of(const struct pairing *p, LLVMValueRef value) {
    if (LLVMTypeOf(value) != p->f32) {
        return KIND_NONE;
    }
    if (is_fma(value)) {
        return KIND_FMA;
    }
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMFAdd:
        return KIND_ADD;
    case LLVMFSub:
        return KIND_SUB;
    case LLVMFMul:
        return KIND_MUL;
    default:
        return KIND_NONE;
    }
}

static uintptr_t number_of(const struct pairing *p, LLVMValueRef value) {
    return (uintptr_t)map_get(&p->numbers, value); // 0: not of this block
}

// ---- operands ----

// The vector or structure around a number, and the number's index there; NULL: none.
static LLVMValueRef whole_of(LLVMValueRef value, unsigned *index) {
    value = LLVMIsABitCastInst(value) ? LLVMGetOperand(value, 0) : value;
    if (LLVMIsAExtractValueInst(value) && LLVMGetNumIndices(value) == 1) {
        *index = *LLVMGetIndices(value);
        return LLVMGetOperand(value, 0);
    }
    if (LLVMIsAExtractElementInst(value) && LLVMIsAConstantInt(LLVMGetOperand(value, 1))) {
        *index = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1));
        return LLVMGetOperand(value, 0);
    }
    return NULL;
}

// How well two operands lie in neighbouring registers: 0, not at all, to 4, they do.
static unsigned fit_of(const struct pairing *p, LLVMValueRef low, LLVMValueRef high) {
    enum { APART, FREE, ALIKE = 3, TOGETHER };
    if (LLVMIsConstant(low) || LLVMIsConstant(high)) {
        return LLVMIsAConstantFP(low) && LLVMIsAConstantFP(high) ? ALIKE : APART;
    }
    if (low == high) {
        return ALIKE;
    }
    unsigned first = 0, second = 0;
    LLVMValueRef from = whole_of(low, &first), other = whole_of(high, &second);
    if (from || other) {
        return from == other && first % 2 == 0 && second == first + 1 ? TOGETHER : APART;
    }
    LLVMValueRef of_low = map_get(&p->partners, low), of_high = map_get(&p->partners, high);
    return !of_low && !of_high ? FREE : of_low == high && of_high == low ? TOGETHER : APART;
}

static unsigned operand_count(enum kind kind) {
    return kind == KIND_FMA ? 3 : 2;
}

// The sum of the operands' fits; 0: one of them does not.
static unsigned operands_fit(const struct pairing *p, enum kind kind, LLVMValueRef low, LLVMValueRef high,
                             bool turned) {
    unsigned sum = 0;
    for (unsigned i = 0; i < operand_count(kind); i++) {
        unsigned of_high = turned && i < 2 ? 1 - i : i;
        unsigned fit = fit_of(p, LLVMGetOperand(low, i), LLVMGetOperand(high, of_high));
        if (!fit) {
            return 0;
        }
        sum += fit;
    }
    return sum;
}

// ---- places ----

// True if the later operation's operands are there where the earlier one stands.
static bool moves_up(const struct pairing *p, enum kind kind, LLVMValueRef early, LLVMValueRef late) {
    for (unsigned i = 0; i < operand_count(kind); i++) {
        if (number_of(p, LLVMGetOperand(late, i)) >= number_of(p, early)) {
            return false;
        }
    }
    return true;
}

// True if nobody in the block reads the earlier operation's result before the later one stands.
static bool moves_down(const struct pairing *p, LLVMValueRef early, LLVMValueRef late) {
    unsigned count = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(early); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        uintptr_t number = LLVMIsAPHINode(user) ? 0 : number_of(p, user);
        if (++count > MOST_USES || (number && number <= number_of(p, late))) {
            return false;
        }
    }
    return true;
}

// ---- rewriting ----

static LLVMValueRef numbered(struct pairing *p, LLVMValueRef made, uintptr_t place) {
    map_put(&p->numbers, made, (void *)place);
    return made;
}

static uint64_t bits_of(const struct pairing *p, LLVMValueRef constant) {
    return LLVMConstIntGetZExtValue(LLVMConstBitCast(constant, p->i32));
}

// Two numbers as a word, made ahead of the builder's place.
static LLVMValueRef word_of(struct pairing *p, LLVMValueRef low, LLVMValueRef high, uintptr_t place) {
    if (LLVMIsConstant(low)) {
        return LLVMConstInt(p->word, bits_of(p, high) << HALF_BITS | bits_of(p, low), 0);
    }
    unsigned first, second;
    LLVMValueRef from = whole_of(low, &first), other = whole_of(high, &second);
    if (low != high && from && from == other && LLVMIsABitCastInst(from) &&
        LLVMTypeOf(LLVMGetOperand(from, 0)) == p->word) {
        return LLVMGetOperand(from, 0);
    }
    if (!from && !other && low != high) {
        map_put(&p->partners, low, high);
        map_put(&p->partners, high, low);
    }
    LLVMValueRef pair = LLVMGetPoison(LLVMVectorType(p->f32, 2)), parts[] = {low, high};
    for (unsigned i = 0; i < 2; i++) {
        pair = LLVMBuildInsertElement(p->b, pair, parts[i], LLVMConstInt(p->i32, i, 0), "");
        numbered(p, pair, place);
    }
    return numbered(p, LLVMBuildBitCast(p->b, pair, p->word, ""), place);
}

static LLVMValueRef snippet(struct pairing *p, enum asm_id id, LLVMValueRef *operands, unsigned count) {
    const struct asm_row *row = &asm_table[id];
    LLVMTypeRef types[MOST_OPERANDS] = {p->word, p->word, p->word};
    LLVMTypeRef type = LLVMFunctionType(p->word, types, count, 0);
    LLVMValueRef assembly = LLVMGetInlineAsm(type, row->text, strlen(row->text), row->constraints,
                                             strlen(row->constraints), 0, 0, LLVMInlineAsmDialectATT, 0);
    return LLVMBuildCall2(p->b, type, assembly, operands, count, "");
}

static void join(struct pairing *p, enum kind kind, LLVMValueRef low, LLVMValueRef high, bool turned) {
    LLVMValueRef at = moves_up(p, kind, low, high) ? low : high, operands[MOST_OPERANDS],
                 both[] = {low, high};
    uintptr_t place = number_of(p, at);
    LLVMPositionBuilderBefore(p->b, at);
    for (unsigned i = 0; i < operand_count(kind); i++) {
        LLVMValueRef of_high = LLVMGetOperand(high, turned && i < 2 ? 1 - i : i);
        operands[i] = word_of(p, LLVMGetOperand(low, i), of_high, place);
    }
    LLVMValueRef word = numbered(p, snippet(p, rows[kind], operands, operand_count(kind)), place);
    LLVMInstructionSetDebugLoc(word, LLVMInstructionGetDebugLoc(low));
    LLVMValueRef pair = numbered(p, LLVMBuildBitCast(p->b, word, LLVMVectorType(p->f32, 2), ""), place);
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef half = LLVMBuildExtractElement(p->b, pair, LLVMConstInt(p->i32, i, 0), "");
        LLVMReplaceAllUsesWith(both[i], numbered(p, half, place));
    }
    LLVMInstructionEraseFromParent(low);
    LLVMInstructionEraseFromParent(high);
}

// Joins the first operation with the best of the next ones. Returns that one's index, or 0.
static size_t visit(struct pairing *p, LLVMValueRef *operations, size_t first, size_t count) {
    enum kind kind = kind_of(p, operations[first]);
    size_t best = 0;
    unsigned most = 0;
    bool turned = false;
    for (size_t i = first + 1, seen = 0; i < count && seen < WINDOW; i++) {
        if (!operations[i]) {
            continue;
        }
        seen++;
        if (kind_of(p, operations[i]) != kind || (!moves_up(p, kind, operations[first], operations[i]) &&
                                                  !moves_down(p, operations[first], operations[i]))) {
            continue;
        }
        for (unsigned turn = 0; turn < (kind == KIND_SUB ? 1 : 2); turn++) {
            unsigned fit = operands_fit(p, kind, operations[first], operations[i], turn);
            if (fit > most) {
                most = fit;
                best = i;
                turned = turn;
            }
        }
    }
    if (best) {
        join(p, kind, operations[first], operations[best], turned);
    }
    return best;
}

static void pair_block(struct pairing *p, struct arena *arena, LLVMBasicBlockRef block) {
    size_t count = 0, capacity = 0;
    LLVMValueRef *operations = NULL;
    uintptr_t number = 0;
    map_clear(&p->numbers);
    map_clear(&p->partners);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        numbered(p, i, ++number);
        if (kind_of(p, i)) {
            operations = arena_grown(arena, operations, count, &capacity, sizeof *operations);
            operations[count++] = i;
        }
    }
    for (size_t i = 0; i < count; i++) {
        size_t other = operations[i] ? visit(p, operations, i, count) : 0;
        if (other) {
            operations[i] = operations[other] = NULL;
        }
    }
}

void float_pairs(LLVMModuleRef module) {
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct pairing p = {.b = LLVMCreateBuilderInContext(context),
                        .f32 = LLVMFloatTypeInContext(context),
                        .i32 = LLVMInt32TypeInContext(context),
                        .word = LLVMInt64TypeInContext(context)};
    struct arena *arena = arena_create();
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block)) {
            pair_block(&p, arena, block);
        }
    }
    arena_destroy(arena);
    map_free(&p.numbers);
    map_free(&p.partners);
    LLVMDisposeBuilder(p.b);
}
