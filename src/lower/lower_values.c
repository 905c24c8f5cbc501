// Tile values as LLVM values: the map, element types, and the packing of elements into memory words.
#include "lower/lower_internal.h"

#include <string.h>

#include <llvm-c/IRReader.h>

#include "support/strbuf.h"

struct values *lower_values(struct lowering *l, MlirValue value) {
    struct values *found = map_get(&l->values, value.ptr);
    if (!found) {
        bug("a value is used before it was lowered");
    }
    return found;
}

struct values *lower_operand(struct lowering *l, MlirOperation op, intptr_t index) {
    return lower_values(l, mlirOperationGetOperand(op, index));
}

struct values *lower_optional(struct lowering *l, MlirValue operand) {
    return mlirValueIsNull(operand) ? NULL : lower_values(l, operand);
}

LLVMValueRef lower_scalar(struct lowering *l, MlirValue value) {
    return lower_values(l, value)->at[0];
}

void lower_bind(struct lowering *l, MlirValue value, struct values *values) {
    map_put(&l->values, value.ptr, values);
}

const struct layout *lower_layout(struct lowering *l, MlirValue value) {
    MlirType type = mlirValueGetType(value);
    if (!type_is_tensor(type)) {
        return NULL;
    }
    const struct layout *layout = type_layout(l->ir, type);
    if (!layout) {
        bug("a tensor without a layout reached the lowering");
    }
    return layout;
}

MlirType lower_element(MlirValue value) {
    return type_element(mlirValueGetType(value));
}

unsigned lower_register_count(struct lowering *l, MlirType type) {
    if (!type_is_tensor(type) || type_is_shared(l->ir, type)) {
        return 1;
    }
    const struct layout *layout = type_layout(l->ir, type);
    if (!layout) {
        bug("a tensor without a layout reached the lowering");
    }
    return layout_registers(layout);
}

struct values *lower_define(struct lowering *l, MlirValue value) {
    struct values *values = ARENA_NEW(l->arena, struct values);
    values->count = lower_register_count(l, mlirValueGetType(value));
    values->at = ARENA_ARRAY(l->arena, LLVMValueRef, values->count);
    lower_take(l, values->count);
    lower_bind(l, value, values);
    return values;
}

struct values *lower_result(struct lowering *l, MlirOperation op, intptr_t index) {
    return lower_define(l, mlirOperationGetResult(op, index));
}

LLVMTypeRef lower_type(struct lowering *l, MlirType element) {
    if (mlirTypeIsAInteger(element)) {
        return LLVMIntTypeInContext(l->context, mlirIntegerTypeGetWidth(element));
    }
    if (mlirTypeIsAF16(element)) {
        return l->f16;
    }
    if (mlirTypeIsABF16(element)) {
        return l->bf16;
    }
    if (mlirTypeIsAF32(element)) {
        return l->f32;
    }
    if (mlirTypeIsAF64(element)) {
        return l->f64;
    }
    if (type_is_f8(element)) {
        return l->i8;
    }
    if (type_is_ptr(element)) {
        return l->global_ptr;
    }
    if (mlirTypeIsAIndex(element)) {
        return l->i32;
    }
    bug("an element type without an LLVM type");
}

unsigned lower_storage_bits(MlirType element) {
    unsigned bits = type_bits(element);
    return bits < 8 ? 8 : bits;
}

LLVMTypeRef lower_int_type(struct lowering *l, unsigned bits) {
    return LLVMIntTypeInContext(l->context, bits);
}

unsigned lower_type_bits(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) < 8 ? 8 : LLVMGetIntTypeWidth(type);
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
        return 16;
    case LLVMFloatTypeKind:
        return 32;
    default:
        return 64;
    }
}

LLVMValueRef lower_to_bits(struct lowering *l, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) < 8 ? LLVMBuildZExt(l->b, value, l->i8, "") : value;
    case LLVMPointerTypeKind:
        return LLVMBuildPtrToInt(l->b, value, l->i64, "");
    default:
        return LLVMBuildBitCast(l->b, value, lower_int_type(l, lower_type_bits(type)), "");
    }
}

LLVMValueRef lower_from_bits(struct lowering *l, LLVMValueRef bits, LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        if (LLVMGetIntTypeWidth(type) == 1) {
            return LLVMBuildICmp(l->b, LLVMIntNE, bits, lower_zero(LLVMTypeOf(bits)), "");
        }
        return bits;
    case LLVMPointerTypeKind:
        return LLVMBuildIntToPtr(l->b, bits, type, "");
    default:
        return LLVMBuildBitCast(l->b, bits, type, "");
    }
}

LLVMTypeRef lower_word_type(struct lowering *l, unsigned bytes, unsigned *words) {
    *words = bytes <= 4 ? 1 : bytes / 4;
    return bytes >= 4 ? l->i32 : lower_int_type(l, bytes * 8);
}

// Two 16-bit floats are a vector of their own type if the chip has it: no shifts to move them.
static LLVMTypeRef pair_type(struct lowering *l, LLVMTypeRef type) {
    bool direct = type == l->f16 || type == l->i16 || (type == l->bf16 && target_rounds_to_bf16(l->target));
    return LLVMVectorType(direct ? type : l->i16, 2);
}

// The word both halves were extracted from, in this order, or NULL: data on its way between memories, or to a
// matrix instruction, is packed as it came.
static LLVMValueRef unpacked_word(const LLVMValueRef halves[2]) {
    LLVMValueRef pair = NULL;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef half = LLVMIsABitCastInst(halves[i]) ? LLVMGetOperand(halves[i], 0) : halves[i];
        LLVMValueRef index = LLVMIsAExtractElementInst(half) ? LLVMGetOperand(half, 1) : NULL;
        if (!index || !LLVMIsAConstantInt(index) || LLVMConstIntGetZExtValue(index) != i ||
            (pair && LLVMGetOperand(half, 0) != pair)) {
            return NULL;
        }
        pair = LLVMGetOperand(half, 0);
    }
    LLVMValueRef word = LLVMIsABitCastInst(pair) ? LLVMGetOperand(pair, 0) : NULL;
    return word && LLVMGetTypeKind(LLVMTypeOf(word)) == LLVMIntegerTypeKind &&
                   LLVMGetIntTypeWidth(LLVMTypeOf(word)) == 32
               ? word
               : NULL;
}

unsigned lower_pack(struct lowering *l, const LLVMValueRef *elements, unsigned count, LLVMValueRef *words) {
    LLVMTypeRef type = LLVMTypeOf(elements[0]);
    unsigned bits = lower_type_bits(type), word_count;
    LLVMTypeRef word = lower_word_type(l, bits * count / 8, &word_count);
    unsigned word_bits = LLVMGetIntTypeWidth(word);
    if (bits == 64) {
        for (unsigned i = 0; i < count; i++) {
            LLVMValueRef value = lower_to_bits(l, elements[i]);
            words[2 * i] = LLVMBuildTrunc(l->b, value, l->i32, "");
            words[2 * i + 1] =
                LLVMBuildTrunc(l->b, LLVMBuildLShr(l->b, value, lower_i64(l, 32), ""), l->i32, "");
        }
        return word_count;
    }
    unsigned per_word = word_bits / bits;
    for (unsigned w = 0; w < word_count; w++) {
        const LLVMValueRef *from = elements + w * per_word;
        if (per_word == 1) {
            words[w] = lower_to_bits(l, from[0]);
        } else if (bits == 16 && (words[w] = unpacked_word(from))) {
            continue;
        } else if (bits == 16) {
            LLVMTypeRef pair = pair_type(l, type);
            LLVMValueRef vector = LLVMGetPoison(pair);
            for (unsigned i = 0; i < 2; i++) {
                LLVMValueRef part = LLVMGetElementType(pair) == type ? from[i] : lower_to_bits(l, from[i]);
                vector = LLVMBuildInsertElement(l->b, vector, part, lower_i32(l, i), "");
            }
            words[w] = LLVMBuildBitCast(l->b, vector, l->i32, "");
        } else {
            LLVMValueRef sum = NULL;
            for (unsigned i = 0; i < per_word; i++) {
                LLVMValueRef part = LLVMBuildZExt(l->b, lower_to_bits(l, from[i]), word, "");
                part = i ? LLVMBuildShl(l->b, part, LLVMConstInt(word, i * bits, 0), "") : part;
                sum = sum ? LLVMBuildOr(l->b, sum, part, "") : part;
            }
            words[w] = sum;
        }
    }
    return word_count;
}

void lower_unpack(struct lowering *l, const LLVMValueRef *words, LLVMTypeRef type, unsigned count,
                  LLVMValueRef *elements) {
    unsigned bits = lower_type_bits(type), word_count;
    LLVMTypeRef word = lower_word_type(l, bits * count / 8, &word_count);
    if (bits == 64) {
        for (unsigned i = 0; i < count; i++) {
            LLVMValueRef low = LLVMBuildZExt(l->b, words[2 * i], l->i64, "");
            LLVMValueRef high = LLVMBuildZExt(l->b, words[2 * i + 1], l->i64, "");
            high = LLVMBuildShl(l->b, high, lower_i64(l, 32), "");
            elements[i] = lower_from_bits(l, LLVMBuildOr(l->b, low, high, ""), type);
        }
        return;
    }
    unsigned per_word = LLVMGetIntTypeWidth(word) / bits;
    for (unsigned w = 0; w < word_count; w++) {
        if (per_word == 1) {
            elements[w] = lower_from_bits(l, words[w], type);
        } else if (bits == 16) {
            LLVMTypeRef pair = pair_type(l, type);
            LLVMValueRef vector = LLVMBuildBitCast(l->b, words[w], pair, "");
            for (unsigned i = 0; i < 2; i++) {
                LLVMValueRef part = LLVMBuildExtractElement(l->b, vector, lower_i32(l, i), "");
                elements[2 * w + i] =
                    LLVMGetElementType(pair) == type ? part : lower_from_bits(l, part, type);
            }
        } else {
            for (unsigned i = 0; i < per_word; i++) {
                LLVMValueRef part = words[w];
                part = i ? LLVMBuildLShr(l->b, part, LLVMConstInt(word, i * bits, 0), "") : part;
                part = LLVMBuildTrunc(l->b, part, lower_int_type(l, bits), "");
                elements[w * per_word + i] = lower_from_bits(l, part, type);
            }
        }
    }
}

LLVMValueRef lower_i32(struct lowering *l, uint32_t value) {
    return LLVMConstInt(l->i32, value, 0);
}

LLVMValueRef lower_i64(struct lowering *l, uint64_t value) {
    return LLVMConstInt(l->i64, value, 0);
}

LLVMValueRef lower_zero(LLVMTypeRef type) {
    return LLVMConstNull(type);
}

LLVMValueRef lower_intrinsic(struct lowering *l, const char *name, LLVMTypeRef *overloads,
                             unsigned overload_count, LLVMValueRef *args, unsigned count) {
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    if (!id) {
        bug("LLVM has no intrinsic %s", name);
    }
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(l->module, id, overloads, overload_count);
    LLVMTypeRef type = LLVMIntrinsicGetType(l->context, id, overloads, overload_count);
    return LLVMBuildCall2(l->b, type, function, args, count, "");
}

LLVMValueRef lower_from_text(struct lowering *l, const char *text, const char *parameters,
                             LLVMValueRef *operands, unsigned count) {
    struct strbuf source = {0};
    bool value = memcmp(text, "fence", 5) != 0 && memcmp(text, "store", 5) != 0;
    strbuf_printf(&source, "define void @f(%s) {\n%s%s\n ret void\n}\n", parameters ? parameters : "",
                  value ? "%r = " : "", text);
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(source.data, source.length, "template");
    LLVMModuleRef module;
    char *message = NULL;
    if (LLVMParseIRInContext(l->context, buffer, &module, &message)) {
        bug("cannot parse the instruction %s: %s", text, message);
    }
    LLVMValueRef function = LLVMGetNamedFunction(module, "f");
    LLVMValueRef clone = LLVMInstructionClone(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    for (unsigned i = 0; i < count; i++) {
        LLVMSetOperand(clone, i, operands[i]);
    }
    LLVMInsertIntoBuilder(l->b, clone);
    LLVMDisposeModule(module);
    strbuf_free(&source);
    return clone;
}
