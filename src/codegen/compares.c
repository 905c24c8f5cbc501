// NVIDIA: if the elements of a tile are all compared with one value, compares their distance from it instead.
//
//   start + tid + 0 == label, start + tid + 1 == label, …      →      d = label - (start + tid); d == 0, d == 1, …
//
// A loop searching for a row's label among its columns compares 32 sums with one value in each iteration.
// LLVM's strength reduction makes one side loop-carried and keeps the others in registers throughout the
// loop, one or two for each: 56 of the 64 registers of a thread in a block of 32 warps. As distances they are
// one value and constants. Integer sums are exact modulo 2^bits, so equality does not change.
//
// Requires: nothing. Test: tests/unit/test_compares.c
#include "codegen/compares.h"

#include <stdbool.h>
#include <stdlib.h>

#include "support/memory.h"

enum { MOST_TERMS = 4, FEWEST = 4, MOST_DEPTH = 16 };

enum extension { EXTENSION_NONE, EXTENSION_ZERO, EXTENSION_SIGN };

struct term {
    LLVMValueRef value;
    enum extension extension;
};

// The terms of a sum and its constant, modulo 2^64.
struct sum {
    struct term terms[MOST_TERMS];
    unsigned count;
    unsigned long long constant;
};

// One comparison of a block: a sum with another value.
struct question {
    LLVMValueRef compare, other;
    struct sum sum;
    bool asked;
};

// True if the extension of the sum equals the sum of its extended operands.
static bool adds_up(LLVMValueRef value, enum extension extension) {
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMOr:
        return LLVMGetIsDisjoint(value);
    case LLVMAdd:
        return extension == EXTENSION_NONE   ? true
               : extension == EXTENSION_ZERO ? LLVMGetNUW(value)
                                             : LLVMGetNSW(value);
    default:
        return false;
    }
}

// False: there are too many terms.
static bool take_apart(LLVMValueRef value, enum extension extension, int depth, struct sum *sum) {
    if (LLVMIsAConstantInt(value)) {
        sum->constant += extension == EXTENSION_ZERO ? LLVMConstIntGetZExtValue(value)
                                                     : (unsigned long long)LLVMConstIntGetSExtValue(value);
        return true;
    }
    if (LLVMIsAInstruction(value) && depth < MOST_DEPTH) {
        LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
        if (adds_up(value, extension)) {
            return take_apart(LLVMGetOperand(value, 0), extension, depth + 1, sum) &&
                   take_apart(LLVMGetOperand(value, 1), extension, depth + 1, sum);
        }
        if ((opcode == LLVMZExt || opcode == LLVMSExt) && extension == EXTENSION_NONE) {
            enum extension own = opcode == LLVMZExt ? EXTENSION_ZERO : EXTENSION_SIGN;
            return take_apart(LLVMGetOperand(value, 0), own, depth + 1, sum);
        }
    }
    if (sum->count == MOST_TERMS) {
        return false;
    }
    sum->terms[sum->count++] = (struct term){value, extension};
    return true;
}

static bool is_alike(const struct question *a, const struct question *b) {
    bool same = a->other == b->other && a->sum.count == b->sum.count;
    for (unsigned i = 0; i < a->sum.count && same; i++) {
        same = a->sum.terms[i].value == b->sum.terms[i].value &&
               a->sum.terms[i].extension == b->sum.terms[i].extension;
    }
    return same;
}

// The sum is the side with a constant; for a first element, without one, the side that is a sum at all.
static bool read_question(LLVMValueRef compare, struct question *question) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(compare, 0));
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(compare);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64 ||
        (predicate != LLVMIntEQ && predicate != LLVMIntNE)) {
        return false;
    }
    for (unsigned side = 0; side < 2; side++) {
        *question = (struct question){.compare = compare, .other = LLVMGetOperand(compare, 1 - side)};
        if (!LLVMIsAConstant(question->other) &&
            take_apart(LLVMGetOperand(compare, side), EXTENSION_NONE, 0, &question->sum) &&
            question->sum.count > 1) {
            return true;
        }
    }
    return false;
}

static LLVMValueRef distance(LLVMBuilderRef builder, const struct question *question) {
    LLVMTypeRef type = LLVMTypeOf(question->other);
    LLVMValueRef left = question->other;
    for (unsigned i = 0; i < question->sum.count; i++) {
        struct term term = question->sum.terms[i];
        LLVMValueRef value = term.extension == EXTENSION_NONE ? term.value
                             : term.extension == EXTENSION_ZERO
                                 ? LLVMBuildZExt(builder, term.value, type, "")
                                 : LLVMBuildSExt(builder, term.value, type, "");
        left = LLVMBuildSub(builder, left, value, "");
    }
    return left;
}

// Rewrites the comparisons with the same terms as the first one, if there are many.
static void ask_distance(LLVMBuilderRef builder, struct question *questions, size_t count) {
    size_t alike = 0;
    for (size_t i = 0; i < count; i++) {
        alike += is_alike(&questions[0], &questions[i]);
    }
    if (alike < FEWEST) {
        return;
    }
    LLVMPositionBuilderBefore(builder, questions[0].compare);
    LLVMValueRef left = distance(builder, &questions[0]);
    for (size_t i = 0; i < count; i++) {
        if (is_alike(&questions[0], &questions[i])) {
            LLVMSetOperand(questions[i].compare, 0, left);
            LLVMSetOperand(questions[i].compare, 1,
                           LLVMConstInt(LLVMTypeOf(left), questions[i].sum.constant, false));
            questions[i].asked = true;
        }
    }
}

static void of_block(LLVMBuilderRef builder, LLVMBasicBlockRef block, struct question *questions) {
    enum { REACH = 256 }; // the first is compared with so many after it
    size_t count = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        count += LLVMGetInstructionOpcode(i) == LLVMICmp && read_question(i, &questions[count]);
    }
    for (size_t i = 0; i < count; i++) {
        if (!questions[i].asked) {
            ask_distance(builder, &questions[i], count - i < REACH ? count - i : REACH);
        }
    }
}

static size_t compares_of(LLVMBasicBlockRef block) {
    size_t count = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        count += LLVMGetInstructionOpcode(i) == LLVMICmp;
    }
    return count;
}

void compares_by_distance(LLVMModuleRef module) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            size_t count = compares_of(b);
            struct question *questions = count >= FEWEST ? calloc(count + 1, sizeof *questions) : NULL;
            if (count >= FEWEST && !questions) {
                out_of_memory(count * sizeof *questions);
            }
            if (questions) {
                of_block(builder, b, questions);
            }
            free(questions);
        }
    }
    LLVMDisposeBuilder(builder);
}
