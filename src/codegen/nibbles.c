// NVIDIA: two neighbouring 4-bit numbers of a word become a pair of 16-bit numbers in three instructions.
//
//   %a = lshr i32 %q, %s                  %s: 0, 8, 16 or 24        %y = prmt %q, 0, 0x4440 + %s / 8     the byte
//   %b = lshr i32 %q, %s + 4                                   →    %z = mul i32 %y, 0x1001              y | y << 12
//   %p = and <2 x i16> <trunc %a, trunc %b>, 15                     %p = bitcast (and i32 %z, 0x000f000f)
//
// Dequantised products unpack their weights so, and the unpacking takes most of their instructions: two shifts,
// a permutation of bytes and a mask a pair before, all of them in the pipe that does one such instruction every
// other cycle; the multiplication has a pipe of its own.
//
// If both numbers only become f16, by small_floats, the permutation brings the byte to both halves, and the upper
// bytes of 1024 and of 64. The second number stays 4 bits up: from 64 to 127 neighbouring f16 are 1/16 apart, so its
// half is 64 + b.
//
//   %p = … the pair (%a, %b)                               %y = prmt %q, 0x5464, 0x5040 + 0x101 * %s / 8
//   %h = bitcast (or %p, 0x6400) to <2 x half>        →    %h = bitcast (and i32 %y, 0x54f0640f) to <2 x half>
//   (%h[0] + c, %h[1] + c)                                 %h + (c, c + 960)
//
// Both halves of the sum are 1024 + number + c, rounded once: c is a whole number, and so c + 960 is a half, too.
//
// Two numbers that lie in the word's halves alike need no permutation; of f16, the second and fourth of a half stay 4 bits up.
//
//   %p = … the pair (%q >> 4, %q >> 20), as f16            %h = bitcast (or (and i32 %q, 0x00f000f0), 0x54005400) to <2 x half>
//   (%h[0] + c, %h[1] + c)                             →   %h + (c + 960, c + 960)
//
// Requires: nothing. Test: tests/golden/codegen/nibbles
#include "codegen/nibbles.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum {
    BYTE = 8,
    HALF = 16,
    NIBBLE = 4,
    LAST_BYTE = 24,
    NIBBLE_MASK = 15,
    F16_1024 = 0x6400,
    NIBBLES = 0x000f000f,
    LESS = 1024 - 64
};

static bool is_op(LLVMValueRef value, LLVMOpcode opcode) {
    return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == opcode;
}

static bool is_number(LLVMValueRef value, unsigned long long number) {
    return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == number;
}

// The element of an insertion into a pair at `index`; NULL if it is something else.
static LLVMValueRef element_at(LLVMValueRef insert, unsigned index) {
    return LLVMIsAInsertElementInst(insert) && is_number(LLVMGetOperand(insert, 2), index)
               ? LLVMGetOperand(insert, 1)
               : NULL;
}

// The numbers in a word from a place on: the word shifted to the right.
struct numbers {
    LLVMValueRef word, place;
};

// Finds the word whose part the element is the low half of; false if it is something else.
static bool find_numbers(LLVMValueRef element, struct numbers *numbers) {
    LLVMValueRef word = element && LLVMIsATruncInst(element) ? LLVMGetOperand(element, 0) : NULL;
    if (!word || LLVMGetIntTypeWidth(LLVMTypeOf(word)) != 32) {
        return false;
    }
    bool shifted = is_op(word, LLVMLShr) || is_op(word, LLVMAShr);
    numbers->word = shifted ? LLVMGetOperand(word, 0) : word;
    numbers->place = shifted ? LLVMGetOperand(word, 1) : LLVMConstInt(LLVMTypeOf(word), 0, 0);
    return true;
}

// True if the number is 0, 8, 16 or 24.
static bool is_byte_place(LLVMValueRef value) {
    enum { LOG2_BYTE = 3, LAST = 3 };
    if (is_op(value, LLVMShl) && is_number(LLVMGetOperand(value, 1), LOG2_BYTE)) {
        LLVMValueRef byte = LLVMGetOperand(value, 0);
        return is_op(byte, LLVMAnd) && is_number(LLVMGetOperand(byte, 1), LAST);
    }
    LLVMValueRef mask = is_op(value, LLVMAnd) ? LLVMGetOperand(value, 1) : value;
    if (!LLVMIsAConstantInt(mask)) {
        return false;
    }
    unsigned long long number = LLVMConstIntGetZExtValue(mask);
    return number % BYTE == 0 && number <= LAST_BYTE;
}

// A half of a word of a loaded vector, as LLVM writes it: the vector's 16-bit element. `word`, another place's word, is the vector's element.
static bool find_half(LLVMValueRef element, LLVMValueRef word, struct numbers *numbers) {
    LLVMValueRef halves = element && LLVMIsAExtractElementInst(element) ? LLVMGetOperand(element, 0) : NULL;
    LLVMValueRef words = halves && LLVMIsABitCastInst(halves) ? LLVMGetOperand(halves, 0) : NULL;
    LLVMValueRef index = words ? LLVMGetOperand(element, 1) : NULL;
    if (!words || !LLVMIsAConstantInt(index) || !LLVMIsAExtractElementInst(word) ||
        LLVMGetOperand(word, 0) != words ||
        !is_number(LLVMGetOperand(word, 1), LLVMConstIntGetZExtValue(index) / 2)) {
        return false;
    }
    unsigned long long half = LLVMConstIntGetZExtValue(index) % 2;
    *numbers = (struct numbers){word, LLVMConstInt(LLVMTypeOf(word), half * HALF, 0)};
    return LLVMGetIntTypeWidth(LLVMTypeOf(word)) == 4 * BYTE;
}

static bool is_nibble_above(LLVMValueRef high, LLVMValueRef low) {
    if (LLVMIsAConstantInt(high) && LLVMIsAConstantInt(low)) {
        return LLVMConstIntGetZExtValue(high) == LLVMConstIntGetZExtValue(low) + NIBBLE;
    }
    return (is_op(high, LLVMOr) || is_op(high, LLVMAdd)) && LLVMGetOperand(high, 0) == low &&
           is_number(LLVMGetOperand(high, 1), NIBBLE);
}

// True for a constant pair with `number` as both elements.
static bool is_splat(LLVMValueRef pair, unsigned number) {
    for (unsigned i = 0; LLVMIsConstant(pair) && i < 2; i++) {
        LLVMValueRef element = LLVMGetAggregateElement(pair, i);
        if (!element || !is_number(element, number)) {
            return false;
        }
    }
    return LLVMIsConstant(pair);
}

// The number of both elements of a constant pair of 16 bits; 0 if it is something else.
static unsigned long long splat_of(LLVMValueRef pair) {
    LLVMValueRef element = LLVMIsConstant(pair) ? LLVMGetAggregateElement(pair, 0) : NULL;
    unsigned long long number =
        element && LLVMIsAConstantInt(element) ? LLVMConstIntGetZExtValue(element) : 0;
    return is_splat(pair, (unsigned)number) ? number : 0;
}

// Two 4-bit numbers of a word: neighbours in a byte, or `far`, a number in each half of the word with as many ahead of it.
struct pair {
    struct numbers low;
    bool far;
};

// True if the places lie in the word's halves alike.
static bool is_half_above(LLVMValueRef high, LLVMValueRef low) {
    if (!LLVMIsAConstantInt(high) || !LLVMIsAConstantInt(low)) {
        return false;
    }
    unsigned long long place = LLVMConstIntGetZExtValue(low);
    return place % NIBBLE == 0 && place < HALF && LLVMConstIntGetZExtValue(high) == place + HALF;
}

// Finds the place of the first of two masked 4-bit numbers of a word; false if the pair is something else.
static bool find_pair(LLVMValueRef masked, struct pair *pair) {
    LLVMTypeRef type = LLVMTypeOf(masked);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMGetVectorSize(type) != 2 ||
        !is_splat(LLVMGetOperand(masked, 1), NIBBLE_MASK)) {
        return false;
    }
    struct numbers high;
    LLVMValueRef second = LLVMGetOperand(masked, 0), last = element_at(second, 1);
    LLVMValueRef first = last ? element_at(LLVMGetOperand(second, 0), 0) : NULL;
    bool found = find_numbers(last, &high)
                     ? find_numbers(first, &pair->low) || find_half(first, high.word, &pair->low)
                     : find_numbers(first, &pair->low) && find_half(last, pair->low.word, &high);
    if (!found || pair->low.word != high.word) {
        return false;
    }
    pair->far = is_half_above(high.place, pair->low.place);
    return pair->far || (is_byte_place(pair->low.place) && is_nibble_above(high.place, pair->low.place));
}

static LLVMValueRef only_user(LLVMValueRef value) {
    LLVMUseRef use = LLVMGetFirstUse(value);
    return use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
}

// A pair of numbers as f16: both are 1024 more, and then the same constant is added.
struct floats {
    LLVMValueRef sums[2];
    double added;
};

// The sum of a half of a pair and a whole number, if nothing else reads the half; else NULL. The number and LESS
// more are halves: whole numbers up to 2,048 are.
static LLVMValueRef sum_of_half(LLVMValueRef half, double *added) {
    enum { MOST = 2048 };
    LLVMBool loses;
    LLVMValueRef sum = only_user(half);
    if (!sum || !is_op(sum, LLVMFAdd) || !LLVMIsAConstantFP(LLVMGetOperand(sum, 1))) {
        return NULL;
    }
    *added = LLVMConstRealGetDouble(LLVMGetOperand(sum, 1), &loses);
    bool fits = *added >= -MOST && *added <= MOST - LESS && *added == (double)(int)*added;
    return fits ? sum : NULL;
}

// Finds the floats made from a pair of numbers; false if it becomes something else, or something else too.
static bool find_floats(LLVMValueRef pair, struct floats *floats) {
    LLVMValueRef bits = only_user(pair);
    LLVMValueRef halves =
        bits && is_op(bits, LLVMOr) && is_splat(LLVMGetOperand(bits, 1), F16_1024) ? only_user(bits) : NULL;
    if (!halves || !LLVMIsABitCastInst(halves) || LLVMGetTypeKind(LLVMTypeOf(halves)) != LLVMVectorTypeKind ||
        LLVMGetTypeKind(LLVMGetElementType(LLVMTypeOf(halves))) != LLVMHalfTypeKind) {
        return false;
    }
    double added[2] = {0, 0};
    *floats = (struct floats){.added = 0};
    for (LLVMUseRef use = LLVMGetFirstUse(halves); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef half = LLVMGetUser(use);
        unsigned i = LLVMIsAExtractElementInst(half) && is_number(LLVMGetOperand(half, 1), 1);
        bool is_half = LLVMIsAExtractElementInst(half) && (i || is_number(LLVMGetOperand(half, 1), 0));
        LLVMValueRef sum = is_half && !floats->sums[i] ? sum_of_half(half, &added[i]) : NULL;
        if (!sum) {
            return false;
        }
        floats->sums[i] = sum;
    }
    floats->added = added[0];
    return floats->sums[0] && floats->sums[1] && added[0] == added[1];
}

static LLVMValueRef call(LLVMModuleRef module, LLVMBuilderRef b, const char *name, LLVMValueRef *arguments,
                         unsigned count) {
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMTypeRef type = LLVMIntrinsicGetType(LLVMGetModuleContext(module), id, NULL, 0);
    return LLVMBuildCall2(b, type, LLVMGetIntrinsicDeclaration(module, id, NULL, 0), arguments, count, "");
}

static LLVMValueRef permute(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef word, LLVMValueRef others,
                            LLVMValueRef bytes) {
    return call(module, b, "llvm.nvvm.prmt", (LLVMValueRef[]){word, others, bytes}, 3);
}

// Upper bytes of floats, each in a register of the function from its first use on: of a byte's two numbers, and of far ones.
struct tops {
    LLVMValueRef bytes, lower, upper;
    LLVMValueRef other; // of far ones that get another constant, as bf16 do: the first constant
    unsigned long long number;
};

// The number in a register, made at the head of the function. A permutation takes one constant: of two, ptxas would move one to a register
// each time. The number differs between threads, as far as ptxas knows: the highest bit of a thread's mask of lower lanes is 0 in all.
static LLVMValueRef in_register(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef number,
                                LLVMValueRef at) {
    enum { HIGHEST = 31 };
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(at));
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    LLVMValueRef below = call(module, b, "llvm.nvvm.read.ptx.sreg.lanemask.lt", NULL, 0);
    LLVMValueRef zero = LLVMBuildLShr(b, below, LLVMConstInt(LLVMTypeOf(number), HIGHEST, 0), "");
    return LLVMBuildOr(b, zero, number, "");
}

// The byte of the word at the place as the permutation `first` + `step` * (number of the byte), with the
// bytes of `others`; masked. It stands before `pair`.
static LLVMValueRef spread_byte(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef pair,
                                const struct numbers *numbers, unsigned others, unsigned first, unsigned step,
                                LLVMValueRef *tops) {
    LLVMValueRef place = numbers->place;
    LLVMTypeRef i32 = LLVMTypeOf(numbers->word);
    // Beside the place: once for all words.
    LLVMPositionBuilderBefore(b, LLVMIsAInstruction(place) ? LLVMGetNextInstruction(place) : pair);
    LLVMValueRef bytes = LLVMBuildLShr(b, place, LLVMConstInt(i32, 3, 0), "");
    if (step > 1) {
        bytes = LLVMBuildMul(b, bytes, LLVMConstInt(i32, step, 0), "");
    }
    bytes = LLVMBuildOr(b, bytes, LLVMConstInt(i32, first, 0), "");
    LLVMValueRef fixed = LLVMConstInt(i32, others, 0);
    if (others != 0 && LLVMIsAConstantInt(bytes)) {
        fixed = *tops = *tops ? *tops : in_register(module, b, fixed, pair);
    }
    LLVMPositionBuilderBefore(b, pair);
    return permute(module, b, numbers->word, fixed, bytes);
}

// -> the last instruction built.
static LLVMValueRef take_byte(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef pair,
                              const struct numbers *numbers) {
    enum { FIRST_BYTE_ALONE = 0x4440, NIBBLES_APART = 0x1001 };
    LLVMValueRef both = spread_byte(module, b, pair, numbers, 0, FIRST_BYTE_ALONE, 1, NULL);
    LLVMTypeRef i32 = LLVMTypeOf(both);
    both = LLVMBuildMul(b, both, LLVMConstInt(i32, NIBBLES_APART, 0), "");
    both = LLVMBuildAnd(b, both, LLVMConstInt(i32, NIBBLES, 0), "");
    both = LLVMBuildBitCast(b, both, LLVMTypeOf(pair), "");
    LLVMReplaceAllUsesWith(pair, both);
    return both;
}

// The bits of the word that the mask has, once the word has moved down by `shift`.
static LLVMValueRef both_halves(LLVMBuilderRef b, const struct numbers *numbers, unsigned shift,
                                unsigned mask) {
    LLVMTypeRef i32 = LLVMTypeOf(numbers->word);
    LLVMValueRef word = numbers->word;
    if (shift > 0) {
        word = LLVMBuildLShr(b, word, LLVMConstInt(i32, shift, 0), "");
    }
    return LLVMBuildAnd(b, word, LLVMConstInt(i32, mask, 0), "");
}

// Erases the sums and everything read by them alone, down to the pair.
static void erase_sums(LLVMValueRef pair, const struct floats *floats) {
    LLVMValueRef bits = only_user(pair), halves = only_user(bits);
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef half = LLVMGetOperand(floats->sums[i], 0);
        LLVMInstructionEraseFromParent(floats->sums[i]);
        LLVMInstructionEraseFromParent(half);
    }
    LLVMInstructionEraseFromParent(halves);
    LLVMInstructionEraseFromParent(bits);
}

static void give_sums(LLVMBuilderRef b, LLVMValueRef both, LLVMValueRef pair, const struct floats *floats) {
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef index = LLVMConstInt(LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(both))), i, 0);
        LLVMReplaceAllUsesWith(floats->sums[i], LLVMBuildExtractElement(b, both, index, ""));
    }
    erase_sums(pair, floats);
}

// -> the last instruction built.
static LLVMValueRef take_far(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef pair,
                             const struct numbers *numbers, struct tops *tops) {
    unsigned place = (unsigned)LLVMConstIntGetZExtValue(numbers->place);
    LLVMValueRef bits = only_user(pair);
    unsigned long long number = bits && is_op(bits, LLVMOr) ? splat_of(LLVMGetOperand(bits, 1)) : 0;
    bool joins = number != 0 && (!tops->other || tops->number == number);
    if (joins && !tops->other) {
        LLVMTypeRef i32 = LLVMTypeOf(numbers->word);
        tops->number = number;
        tops->other = in_register(module, b, LLVMConstInt(i32, number | number << HALF, 0), pair);
    }
    LLVMPositionBuilderBefore(b, pair);
    LLVMValueRef both = both_halves(b, numbers, place, NIBBLES);
    both = joins ? LLVMBuildOr(b, both, tops->other, "") : both;
    both = LLVMBuildBitCast(b, both, LLVMTypeOf(pair), "");
    LLVMReplaceAllUsesWith(joins ? bits : pair, both);
    if (joins) {
        LLVMInstructionEraseFromParent(bits);
    }
    return both;
}

// -> the last instruction built.
static LLVMValueRef take_far_floats(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef pair,
                                    const struct numbers *numbers, const struct floats *floats,
                                    struct tops *tops) {
    enum { F16_1024_TWICE = 0x64006400, F16_64_TWICE = 0x54005400 };
    unsigned place = (unsigned)LLVMConstIntGetZExtValue(numbers->place);
    bool upper = place % BYTE != 0;
    LLVMTypeRef i32 = LLVMTypeOf(numbers->word);
    LLVMValueRef *top = upper ? &tops->upper : &tops->lower;
    if (!*top) {
        *top = in_register(module, b, LLVMConstInt(i32, upper ? F16_64_TWICE : F16_1024_TWICE, 0), pair);
    }
    LLVMPositionBuilderBefore(b, pair);
    LLVMValueRef both = both_halves(b, numbers, place - place % BYTE, upper ? NIBBLES << NIBBLE : NIBBLES);
    both = LLVMBuildOr(b, both, *top, "");
    LLVMTypeRef half = LLVMTypeOf(floats->sums[0]);
    both = LLVMBuildBitCast(b, both, LLVMVectorType(half, 2), "");
    LLVMValueRef added = LLVMConstReal(half, upper ? floats->added + LESS : floats->added);
    both = LLVMBuildFAdd(b, both, LLVMConstVector((LLVMValueRef[]){added, added}, 2), "");
    give_sums(b, both, pair, floats);
    return both;
}

// -> the last instruction built.
static LLVMValueRef take_floats(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef pair,
                                const struct numbers *numbers, const struct floats *floats,
                                struct tops *tops) {
    enum { BYTE_TWICE = 0x5040, BOTH = 0x101, TOPS = 0x5464, KEPT = 0x54f0640f };
    LLVMValueRef both = spread_byte(module, b, pair, numbers, TOPS, BYTE_TWICE, BOTH, &tops->bytes);
    LLVMTypeRef half = LLVMTypeOf(floats->sums[0]);
    both = LLVMBuildAnd(b, both, LLVMConstInt(LLVMTypeOf(both), KEPT, 0), "");
    both = LLVMBuildBitCast(b, both, LLVMVectorType(half, 2), "");
    LLVMValueRef added[] = {LLVMConstReal(half, floats->added), LLVMConstReal(half, floats->added + LESS)};
    both = LLVMBuildFAdd(b, both, LLVMConstVector(added, 2), "");
    give_sums(b, both, pair, floats);
    return both;
}

// Erases an instruction without users, and its operands without another one.
static void erase_dead(LLVMValueRef instruction) {
    LLVMValueRef operands[3];
    unsigned count = (unsigned)LLVMGetNumOperands(instruction);
    for (unsigned i = 0; i < count && i < 3; i++) {
        operands[i] = LLVMGetOperand(instruction, i);
    }
    LLVMInstructionEraseFromParent(instruction);
    for (unsigned i = 0; i < count && i < 3; i++) {
        bool dead = (LLVMIsAInsertElementInst(operands[i]) || LLVMIsATruncInst(operands[i]) ||
                     is_op(operands[i], LLVMLShr) || is_op(operands[i], LLVMAShr)) &&
                    !LLVMGetFirstUse(operands[i]);
        if (dead) {
            erase_dead(operands[i]);
        }
    }
}

void nibbles_take_bytes(LLVMModuleRef module) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        struct tops tops = {NULL};
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                struct pair pair;
                struct floats floats;
                if (is_op(i, LLVMAnd) && find_pair(i, &pair)) {
                    bool become = find_floats(i, &floats);
                    LLVMValueRef last = pair.far && become
                                            ? take_far_floats(module, builder, i, &pair.low, &floats, &tops)
                                        : pair.far ? take_far(module, builder, i, &pair.low, &tops)
                                        : become ? take_floats(module, builder, i, &pair.low, &floats, &tops)
                                                 : take_byte(module, builder, i, &pair.low);
                    erase_dead(i);
                    next = LLVMGetNextInstruction(last);
                }
            }
        }
    }
    LLVMDisposeBuilder(builder);
}
