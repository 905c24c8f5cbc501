// Exponentials by polynomials, of f32, two at a time by multiply-adds of pairs. They take a part of a softmax's weights off the unit for
// exponentials, whose 16 results a clock bound attention on Blackwell for data centres.
//
//   n = round(x), r = x - n in [-1/2, 1/2]        2^x = p(r) * 2^(n - 1)
//
// p has degree 5 and p(0) = 2: |p(r) / 2^(r + 1) - 1| < 2^-22.4 as computed in f32 (tests/unit/test_lower_exponential.c), no more than the instruction's
// error. The rounding is an addition of 1.5 * 2^23, whose lowest bits then are n. Arguments above 128 count as 128, for which the product is infinite;
// those below -126 as -126, where the power of two is made as 0, as it is for all whose n is -126. A NaN stays one.
#include "lower/lower_internal.h"

#include <string.h>

enum { EVERY = 16, LAST_PAIR = EVERY - 2, MANTISSA_BITS = 23, HALF = 0x3f000000 };

// True for the first of the last two of each 16 registers: an eighth of a tile's exponentials.
bool lower_exponential_is_polynomial(struct lowering *l, MlirOperation op, unsigned r, uint32_t repeated,
                                     unsigned count) {
    return op_kind(l->ir, op) == OP_EXP2 && op_has(op, ATTR_POLYNOMIAL) && r % EVERY == LAST_PAIR &&
           !(repeated & (EVERY - 1)) && r + 1 < count;
}

// Pairs are words of 64 bits. One of the same number twice:
static LLVMValueRef pair(struct lowering *l, double value) {
    float number = (float)value;
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return lower_i64(l, (uint64_t)bits << 32 | bits);
}

// x * y + z of pairs.
static LLVMValueRef multiply_add(struct lowering *l, LLVMValueRef x, LLVMValueRef y, LLVMValueRef z) {
    return asm_call(l, ASM_FMA_F32X2, l->i64, (LLVMValueRef[]){x, y, z}, 3);
}

static LLVMValueRef both(LLVMValueRef one) {
    return LLVMConstVector((LLVMValueRef[]){one, one}, 2);
}

// 2^x of a vector of two.
void lower_exponential_pair(struct lowering *l, LLVMValueRef x, LLVMValueRef results[2]) {
    static const double coefficients[] = {0x1.5bb9fep-9, 0x1.3cea8ap-6, 0x1.c6b754p-4,
                                          0x1.ebf9bcp-2, 0x1.62e42ap+0, 2};
    const double magic = 0x1.8p23;
    LLVMTypeRef type = LLVMTypeOf(x), integers = LLVMVectorType(l->i32, 2);
    x = INTRINSIC_OF(l, "llvm.maximum", type, x, both(LLVMConstReal(l->f32, -126)));
    x = INTRINSIC_OF(l, "llvm.minimum", type, x, both(LLVMConstReal(l->f32, 128)));
    x = LLVMBuildBitCast(l->b, x, l->i64, "");
    LLVMValueRef one = pair(l, 1), up = pair(l, magic), down = pair(l, -magic);
    LLVMValueRef rounded = multiply_add(l, x, one, up), whole = multiply_add(l, rounded, one, down);
    LLVMValueRef rest = multiply_add(l, whole, pair(l, -1), x), sum = pair(l, coefficients[0]);
    for (size_t i = 1; i < sizeof coefficients / sizeof *coefficients; i++) {
        sum = multiply_add(l, sum, rest, pair(l, coefficients[i]));
    }
    LLVMValueRef power = LLVMBuildBitCast(l->b, rounded, integers, "");
    power = LLVMBuildShl(l->b, power, both(lower_i32(l, MANTISSA_BITS)), "");
    power = LLVMBuildAdd(l->b, power, both(lower_i32(l, HALF)), "");
    power = LLVMBuildBitCast(l->b, power, l->i64, "");
    LLVMValueRef product = LLVMBuildBitCast(l->b, multiply_add(l, sum, power, pair(l, -0.0)), type, "");
    for (unsigned i = 0; i < 2; i++) {
        results[i] = LLVMBuildExtractElement(l->b, product, lower_i32(l, (int)i), "");
    }
}
