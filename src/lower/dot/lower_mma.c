// One matrix instruction: from the registers of its fragments to a call and back.
//
// Nothing here knows an instruction by name. The intrinsic's own type defines the passing of a fragment: each
// parameter takes as many elements as fit its width (NVIDIA: four i32 or <2 x half> for A; AMD: one <4 x
// half>, i64 or <16 x half>), in the order A, B, C. Parameters of type i1 among the operands are WMMA's sign
// flags (of integers: tk.dot is signed; of floats: negations), and parameters after C are modifiers that stay zero (cbsz, abid, blgp, clamp). A
// row without an intrinsic is a snippet of asm.def with 32-bit words as operands, and the accumulator as it
// is.
#include "lower/dot/lower_dot.h"

#include <stdio.h>
#include <string.h>

static unsigned total_bits(LLVMTypeRef type) {
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        return LLVMGetVectorSize(type) * lower_type_bits(LLVMGetElementType(type));
    }
    return lower_type_bits(type);
}

static unsigned fragment_bits(const struct mma *mma, enum mma_operand operand) {
    enum mma_type type = operand == MMA_A ? mma->a : operand == MMA_B ? mma->b : mma->acc;
    return mma_registers(mma, operand) * mma_type_bits(type);
}

static LLVMTypeRef accumulator_type(struct lowering *l, const struct mma *mma) {
    return mma->acc == MMA_F64   ? l->f64
           : mma->acc == MMA_I32 ? l->i32
           : mma->acc == MMA_F16 ? l->f16
                                 : l->f32;
}

// WMMA's overloads: the accumulator's vector and an operand's.
static LLVMTypeRef wmma_operand(struct lowering *l, const struct mma *mma) {
    unsigned count = mma_registers(mma, MMA_A);
    switch (mma->a) {
    case MMA_F16:
        return LLVMVectorType(l->f16, count);
    case MMA_BF16:
        return LLVMVectorType(mma->features & FEATURE(WMMA_GFX1250) ? l->bf16 : l->i16, count);
    case MMA_F32:
        return LLVMVectorType(l->f32, count);
    default:
        return LLVMVectorType(l->i32, count / 4);
    }
}

static LLVMTypeRef words_of(struct lowering *l, const struct mma *mma, enum mma_operand operand) {
    return LLVMVectorType(l->i32, fragment_bits(mma, operand) / 32);
}

static void prepare_intrinsic(struct lowering *l, struct mma_call *call) {
    const struct mma *mma = call->mma;
    char name[96];
    snprintf(name, sizeof name, "llvm.%s", mma->intrinsic);
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name)), overloads = 0;
    if (!id) {
        bug("LLVM has no intrinsic %s", name);
    }
    LLVMTypeRef overload[2];
    if (mma->mixed) {
        overload[overloads++] = words_of(l, mma, MMA_A);
        overload[overloads++] = words_of(l, mma, MMA_B);
    } else if (LLVMIntrinsicIsOverloaded(id)) {
        overload[overloads++] = LLVMVectorType(accumulator_type(l, mma), mma_registers(mma, MMA_C));
        overload[overloads++] = wmma_operand(l, mma);
    }
    call->function = LLVMGetIntrinsicDeclaration(l->module, id, overload, overloads);
    call->type = LLVMIntrinsicGetType(l->context, id, overload, overloads);
    call->parameter_count = LLVMCountParamTypes(call->type);
    if (call->parameter_count > sizeof call->parameter / sizeof *call->parameter) {
        bug("%s has %u parameters", name, call->parameter_count);
    }
    LLVMGetParamTypes(call->type, call->parameter);
    call->result = LLVMGetReturnType(call->type);
}

static void prepare_asm(struct lowering *l, struct mma_call *call) {
    const struct mma *mma = call->mma;
    LLVMTypeRef members[8];
    for (int operand = MMA_A; operand < MMA_OPERANDS; operand++) {
        unsigned count = fragment_bits(mma, (enum mma_operand)operand) / 32;
        for (unsigned i = 0; i < count; i++) {
            call->parameter[call->parameter_count++] = operand == MMA_C ? accumulator_type(l, mma) : l->i32;
            members[i] = accumulator_type(l, mma);
        }
    }
    for (unsigned i = 0; i < 2 && mma->group; i++) {
        call->parameter[call->parameter_count++] = l->i32; // words of scales
    }
    call->result = LLVMStructTypeInContext(l->context, members, mma_registers(mma, MMA_C), 0);
}

// WMMA's operands have flags before them: signs of i1, and on gfx1250 those of floats' C as an i16.
static bool is_flag(struct lowering *l, LLVMTypeRef type) {
    return type == l->i1 || type == l->i16;
}

struct mma_call mma_call_prepare(struct lowering *l, const struct mma *mma) {
    struct mma_call call = {.mma = mma};
    if (mma->intrinsic) {
        prepare_intrinsic(l, &call);
    } else {
        prepare_asm(l, &call);
    }
    unsigned next = 0;
    for (int operand = MMA_A; operand < MMA_OPERANDS; operand++) {
        while (next < call.parameter_count && is_flag(l, call.parameter[next])) {
            next++;
        }
        call.first[operand] = next;
        unsigned wanted = fragment_bits(mma, (enum mma_operand)operand), bits = 0;
        while (bits < wanted && next < call.parameter_count) {
            bits += total_bits(call.parameter[next++]);
        }
        call.count[operand] = next - call.first[operand];
        if (bits != wanted) {
            bug("%s: operand %d has %u bits, its fragment %u", mma->name, operand, bits, wanted);
        }
    }
    return call;
}

// ---- packing ----

// The i32 an element was just unpacked from, as part number *part; NULL if there is none. Fragments from
// ldmatrix or a wide load go into the instruction as they came, without work for the optimiser.
static LLVMValueRef source_word(struct lowering *l, LLVMValueRef element, unsigned bits, unsigned *part) {
    if (bits == 16) {
        if (LLVMIsABitCastInst(element)) {
            element = LLVMGetOperand(element, 0);
        }
        LLVMValueRef index = LLVMIsAExtractElementInst(element) ? LLVMGetOperand(element, 1) : NULL;
        LLVMValueRef vector = index ? LLVMGetOperand(element, 0) : NULL;
        if (!index || !LLVMIsAConstantInt(index) || !LLVMIsABitCastInst(vector)) {
            return NULL;
        }
        *part = (unsigned)LLVMConstIntGetZExtValue(index);
        LLVMValueRef word = LLVMGetOperand(vector, 0);
        return LLVMTypeOf(word) == l->i32 ? word : NULL;
    }
    if (!LLVMIsATruncInst(element)) {
        return NULL;
    }
    LLVMValueRef word = LLVMGetOperand(element, 0);
    unsigned long long shift = 0;
    if (LLVMIsABinaryOperator(word) && LLVMGetInstructionOpcode(word) == LLVMLShr &&
        LLVMIsAConstantInt(LLVMGetOperand(word, 1))) {
        shift = LLVMConstIntGetZExtValue(LLVMGetOperand(word, 1));
        word = LLVMGetOperand(word, 0);
    }
    *part = (unsigned)(shift / 8);
    return LLVMTypeOf(word) == l->i32 && shift % 8 == 0 ? word
                                                        : NULL; // a program shifts by any number of bits
}

static LLVMValueRef pack_word(struct lowering *l, const LLVMValueRef *elements, unsigned bits) {
    LLVMValueRef whole = NULL;
    for (unsigned i = 0; bits < 32 && i < 32 / bits; i++) {
        unsigned part = 0;
        LLVMValueRef word = source_word(l, elements[i], bits, &part);
        if (!word || part != i || (i > 0 && word != whole)) {
            whole = NULL;
            break;
        }
        whole = word;
    }
    if (whole) {
        return whole;
    }
    LLVMValueRef words[4];
    lower_pack(l, elements, 32 / bits, words);
    return words[0];
}

// `count` elements of `bits` bits as one value of `type`.
static LLVMValueRef pack_parameter(struct lowering *l, const LLVMValueRef *elements, unsigned count,
                                   unsigned bits, LLVMTypeRef type) {
    bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    if (count == 1 && !vector) {
        return LLVMTypeOf(elements[0]) == type ? elements[0] : LLVMBuildBitCast(l->b, elements[0], type, "");
    }
    if (bits >= 32) {
        LLVMValueRef value = LLVMGetPoison(type);
        for (unsigned i = 0; i < count; i++) {
            value = LLVMBuildInsertElement(l->b, value, elements[i], lower_i32(l, i), "");
        }
        return value;
    }
    unsigned per_word = 32 / bits, words = count / per_word;
    if (words == 1) {
        LLVMValueRef word = pack_word(l, elements, bits);
        return type == l->i32 ? word : LLVMBuildBitCast(l->b, word, type, "");
    }
    LLVMTypeRef word_vector = LLVMVectorType(l->i32, words);
    LLVMValueRef value = LLVMGetPoison(word_vector);
    for (unsigned w = 0; w < words; w++) {
        LLVMValueRef word = pack_word(l, elements + w * per_word, bits);
        value = LLVMBuildInsertElement(l->b, value, word, lower_i32(l, w), "");
    }
    return type == word_vector ? value : LLVMBuildBitCast(l->b, value, type, "");
}

struct mma_arguments mma_pack(struct lowering *l, const struct mma_call *call, enum mma_operand operand,
                              const LLVMValueRef *elements) {
    struct mma_arguments packed = {.count = call->count[operand]};
    if (packed.count > sizeof packed.at / sizeof *packed.at) {
        bug("%s: %u parameters for one operand", call->mma->name, packed.count);
    }
    unsigned bits = fragment_bits(call->mma, operand) / mma_registers(call->mma, operand);
    for (unsigned i = 0; i < packed.count; i++) {
        LLVMTypeRef type = call->parameter[call->first[operand] + i];
        unsigned count = total_bits(type) / bits;
        packed.at[i] = pack_parameter(l, elements, count, bits, type);
        elements += count;
    }
    return packed;
}

// Unpacks a vector of elements, or a struct with one element or two halves in each member. Pairs go through
// words, the form the next instruction takes.
static void unpack_result(struct lowering *l, const struct mma_call *call, LLVMValueRef result,
                          LLVMValueRef *elements) {
    unsigned count = mma_registers(call->mma, MMA_C);
    bool vector = LLVMGetTypeKind(call->result) == LLVMVectorTypeKind;
    for (unsigned i = 0; call->mma->acc == MMA_F16 && i < count; i += 2) {
        LLVMValueRef pair = LLVMBuildExtractValue(l->b, result, i / 2, "");
        LLVMValueRef word = LLVMBuildBitCast(l->b, pair, l->i32, "");
        lower_unpack(l, &word, l->f16, 2, elements + i);
    }
    for (unsigned i = 0; call->mma->acc != MMA_F16 && i < count; i++) {
        elements[i] = vector ? LLVMBuildExtractElement(l->b, result, lower_i32(l, i), "")
                             : LLVMBuildExtractValue(l->b, result, i, "");
    }
}

// cbsz and blgp of f8f6f4 (CDNA 4 ISA, section 7).
static unsigned format_code(enum mma_type type) {
    return type == MMA_E5M2 || type == MMA_SCALED_E5M2 ? 1 : type == MMA_SCALED_E2M1 ? 4 : 0;
}

// The parameters behind C: of f8f6f4 formats, then for A and for B the byte of the word of scales, and the word; of assembly words
// of scales alone.
static void set_formats(struct lowering *l, const struct mma *mma, const LLVMValueRef scales[2],
                        LLVMValueRef *modifiers) {
    enum { FORMATS = 0 };
    bool words_alone = !mma->intrinsic;
    if (mma->mixed) {
        modifiers[FORMATS] = lower_i32(l, format_code(mma->a));
        modifiers[FORMATS + 1] = lower_i32(l, format_code(mma->b));
    }
    if (mma->group) {
        modifiers[words_alone ? 0 : 3] = scales[0];
        modifiers[words_alone ? 1 : 5] = scales[1];
    }
}

void mma_emit(struct lowering *l, const struct mma_call *call, const struct mma_arguments *a,
              const struct mma_arguments *b, const LLVMValueRef scales[2], LLVMValueRef *elements) {
    struct mma_arguments c = mma_pack(l, call, MMA_C, elements);
    const struct mma_arguments *packed[] = {a, b, &c};
    LLVMValueRef args[24];
    unsigned end = call->first[MMA_C] + call->count[MMA_C];
    for (unsigned i = 0; i < call->parameter_count; i++) {
        bool integers = call->parameter[i] == l->i1 && i < end && call->mma->acc == MMA_I32;
        args[i] = LLVMConstInt(is_flag(l, call->parameter[i]) || i >= end ? call->parameter[i] : l->i1,
                               integers, 0);
    }
    for (int operand = MMA_A; operand < MMA_OPERANDS; operand++) {
        memcpy(args + call->first[operand], packed[operand]->at,
               packed[operand]->count * sizeof(LLVMValueRef));
    }
    set_formats(l, call->mma, scales, args + end);
    LLVMValueRef result;
    if (call->function) {
        result = LLVMBuildCall2(l->b, call->type, call->function, args, call->parameter_count, "");
    } else {
        result = asm_call(l, call->mma->assembly, call->result, args, call->parameter_count);
    }
    lower_mark_convergent(l, result);
    unpack_result(l, call, result, elements);
}
