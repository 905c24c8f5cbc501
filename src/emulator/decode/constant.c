// Constants of the module: their bits for registers, their bytes for initialised memory.
#include "emulator/decode/decode.h"

#include <string.h>

#include "emulator/number/number.h"

static unsigned __int128 wide_integer(LLVMValueRef value) {
    char *text = LLVMPrintValueToString(value); // "i128 -5"
    const char *digits = strchr(text, ' ');
    digits = digits ? digits + 1 : text;
    bool negative = *digits == '-';
    unsigned __int128 bits = 0;
    for (const char *c = digits + negative; *c >= '0' && *c <= '9'; c++) {
        bits = bits * 10 + (unsigned)(*c - '0');
    }
    LLVMDisposeMessage(text);
    return negative ? -bits : bits;
}

// The offset added by the indices of a getelementptr. False if some index is not a constant.
static bool gep_offset(struct emulator *emulator, LLVMValueRef gep, int64_t *offset) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    *offset = 0;
    for (int i = 1; i < LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
        if (!LLVMIsAConstantInt(index)) {
            return false;
        }
        int64_t number = LLVMConstIntGetSExtValue(index);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            *offset += (int64_t)LLVMOffsetOfElement(emulator->layout, type, (unsigned)number);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)number);
            continue;
        }
        if (i > 1) {
            type = LLVMGetElementType(type);
        }
        *offset += number * (int64_t)LLVMABISizeOfType(emulator->layout, type);
    }
    return true;
}

static bool expression_bits(struct emulator *emulator, LLVMValueRef value, unsigned __int128 *bits) {
    unsigned __int128 first;
    if (!constant_bits(emulator, LLVMGetOperand(value, 0), &first)) {
        return false;
    }
    switch (LLVMGetConstOpcode(value)) {
    case LLVMGetElementPtr: {
        int64_t offset;
        if (!gep_offset(emulator, value, &offset)) {
            return false;
        }
        *bits = (uint64_t)first + (uint64_t)offset;
        return true;
    }
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
        *bits = first;
        return true;
    case LLVMTrunc:
        *bits = first & (((unsigned __int128)1 << LLVMGetIntTypeWidth(LLVMTypeOf(value))) - 1);
        return true;
    case LLVMAddrSpaceCast: {
        unsigned from = LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(value, 0)));
        unsigned to = LLVMGetPointerAddressSpace(LLVMTypeOf(value));
        *bits = first;
        if (from == SPACE_SHARED && to == SPACE_GENERIC) {
            *bits = first + ((uint64_t)REGION_SHARED << REGION_SHIFT);
        }
        return true;
    }
    case LLVMAdd:
    case LLVMSub: {
        unsigned __int128 second;
        if (!constant_bits(emulator, LLVMGetOperand(value, 1), &second)) {
            return false;
        }
        *bits = LLVMGetConstOpcode(value) == LLVMAdd ? first + second : first - second;
        unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(value));
        if (width < 128) {
            *bits &= ((unsigned __int128)1 << width) - 1;
        }
        return true;
    }
    default:
        return false;
    }
}

bool constant_bits(struct emulator *emulator, LLVMValueRef value, unsigned __int128 *bits) {
    *bits = 0;
    if (LLVMIsAConstantInt(value)) {
        unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(value));
        *bits = width <= 64 ? LLVMConstIntGetZExtValue(value) : wide_integer(value);
        return true;
    }
    if (LLVMIsAConstantFP(value)) {
        LLVMBool lossy;
        double number = LLVMConstRealGetDouble(value, &lossy);
        switch (LLVMGetTypeKind(LLVMTypeOf(value))) {
        case LLVMHalfTypeKind:
            *bits = half_from_float((float)number);
            return true;
        case LLVMBFloatTypeKind:
            *bits = bfloat_from_float((float)number);
            return true;
        case LLVMFloatTypeKind:
            *bits = float_bits((float)number);
            return true;
        case LLVMDoubleTypeKind:
            *bits = double_bits(number);
            return true;
        default:
            return false;
        }
    }
    if (LLVMIsAUndefValue(value) || LLVMIsAConstantPointerNull(value) ||
        LLVMIsAConstantAggregateZero(value)) {
        return true;
    }
    if (LLVMIsAGlobalVariable(value)) {
        for (unsigned i = 0; i < emulator->global_count; i++) {
            if (emulator->globals[i].value == value) {
                *bits = emulator->globals[i].address;
                return true;
            }
        }
        return false;
    }
    return LLVMIsAConstantExpr(value) && expression_bits(emulator, value, bits);
}

bool constant_memory(struct emulator *emulator, LLVMValueRef value, uint8_t *data, size_t size) {
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (LLVMIsAConstantAggregateZero(value) || LLVMIsAUndefValue(value)) {
        memset(data, 0, size);
        return true;
    }
    unsigned count;
    switch (kind) {
    case LLVMArrayTypeKind:
        count = (unsigned)LLVMGetArrayLength2(type);
        break;
    case LLVMVectorTypeKind:
        count = LLVMGetVectorSize(type);
        break;
    case LLVMStructTypeKind:
        count = LLVMCountStructElementTypes(type);
        break;
    default: {
        unsigned __int128 bits;
        if (size > 16 || !constant_bits(emulator, value, &bits)) {
            return false;
        }
        memcpy(data, &bits, size);
        return true;
    }
    }
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef element = LLVMGetAggregateElement(value, i);
        size_t bytes = element ? LLVMStoreSizeOfType(emulator->layout, LLVMTypeOf(element)) : 0;
        size_t offset = !element                     ? 0
                        : kind == LLVMStructTypeKind ? LLVMOffsetOfElement(emulator->layout, type, i)
                        : kind == LLVMVectorTypeKind
                            ? i * bytes
                            : i * LLVMABISizeOfType(emulator->layout, LLVMTypeOf(element));
        if (!element || offset + bytes > size || !constant_memory(emulator, element, data + offset, bytes)) {
            return false;
        }
    }
    return true;
}
