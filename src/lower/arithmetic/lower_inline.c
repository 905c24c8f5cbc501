// The user's own assembly (inline_asm).
#include <string.h>

#include "lower/lower_internal.h"

enum { MAX_ASM_OPERANDS = 32, MAX_ASM_REGISTERS = 128 }; // of a call; registers: on either side

// The registers for `pack` elements: packed into 32-bit registers, or one register for each element of 32
// bits or more.
static unsigned asm_registers(LLVMTypeRef type, unsigned pack) {
    unsigned bits = lower_type_bits(type);
    return bits >= 32 ? pack : (bits * pack + 31) / 32;
}

// All registers of the op's operands or of its results.
static unsigned asm_all_registers(struct lowering *l, MlirOperation op, bool results, unsigned pack) {
    intptr_t count = results ? mlirOperationGetNumResults(op) : mlirOperationGetNumOperands(op);
    unsigned sum = 0;
    for (intptr_t i = 0; i < count; i++) {
        MlirValue value = results ? mlirOperationGetResult(op, i) : mlirOperationGetOperand(op, i);
        sum += asm_registers(lower_type(l, lower_element(value)), pack);
    }
    return sum;
}

static LLVMTypeRef asm_register_type(struct lowering *l, LLVMTypeRef type, unsigned pack) {
    unsigned bits = lower_type_bits(type);
    return bits >= 32                ? type
           : pack == 1 && bits == 16 ? type
           : pack * bits < 32        ? lower_int_type(l, pack * bits < 16 ? 16 : pack * bits)
                                     : l->i32;
}

static unsigned pack_operand(struct lowering *l, const struct values *values, unsigned first, unsigned pack,
                             LLVMValueRef *out) {
    LLVMTypeRef type = LLVMTypeOf(values->at[0]), passed = asm_register_type(l, type, pack);
    LLVMValueRef elements[64], words[16];
    for (unsigned i = 0; i < pack; i++) {
        elements[i] = values->at[(first + i) % values->count];
    }
    unsigned count = asm_registers(type, pack);
    if (lower_type_bits(type) >= 32 || passed == type) {
        memcpy(out, elements, sizeof(LLVMValueRef) * count);
        return count;
    }
    unsigned per_word = pack / count;
    for (unsigned w = 0; w < count; w++) {
        lower_pack(l, elements + w * per_word, per_word, &words[w]);
        out[w] = LLVMTypeOf(words[w]) == passed ? words[w] : LLVMBuildZExt(l->b, words[w], passed, "");
    }
    return count;
}

static void unpack_result(struct lowering *l, LLVMValueRef *words, LLVMTypeRef type, unsigned pack,
                          LLVMValueRef *elements) {
    unsigned count = asm_registers(type, pack), per_word = pack / count;
    for (unsigned w = 0; w < count; w++) {
        if (lower_type_bits(type) >= 32 || LLVMTypeOf(words[w]) == type) {
            elements[w] = words[w];
            continue;
        }
        LLVMTypeRef exact = lower_int_type(l, per_word * lower_type_bits(type));
        LLVMValueRef word =
            LLVMTypeOf(words[w]) == exact ? words[w] : LLVMBuildTrunc(l->b, words[w], exact, "");
        lower_unpack(l, &word, type, per_word, elements + w * per_word);
    }
}

void lower_inline_asm(struct lowering *l, MlirOperation op) {
    unsigned pack = (unsigned)op_int(op, ATTR_PACK);
    intptr_t operand_count = mlirOperationGetNumOperands(op), result_count = mlirOperationGetNumResults(op);
    MlirStringRef text = op_string(op, ATTR_ASM), constraints = op_string(op, ATTR_CONSTRAINTS);
    struct values *out[MAX_ASM_OPERANDS];
    if (operand_count > MAX_ASM_OPERANDS || result_count > MAX_ASM_OPERANDS || pack > 16) {
        lower_error(l, "inline assembly takes at most %d operands and 16 elements a call", MAX_ASM_OPERANDS);
        return;
    }
    unsigned read = asm_all_registers(l, op, false, pack), written = asm_all_registers(l, op, true, pack);
    if (read > MAX_ASM_REGISTERS || written > MAX_ASM_REGISTERS) {
        lower_error(l,
                    "with pack=%u inline assembly reads %u registers and writes %u; at most %d of either: "
                    "reduce pack",
                    pack, read, written, MAX_ASM_REGISTERS);
        return;
    }
    LLVMTypeRef members[MAX_ASM_REGISTERS];
    unsigned member_count = 0;
    for (intptr_t i = 0; i < result_count; i++) {
        out[i] = lower_result(l, op, i);
        LLVMTypeRef type = lower_type(l, lower_element(mlirOperationGetResult(op, i)));
        for (unsigned w = 0; w < asm_registers(type, pack); w++) {
            members[member_count++] = asm_register_type(l, type, pack);
        }
    }
    LLVMTypeRef result =
        member_count == 1 ? members[0] : LLVMStructTypeInContext(l->context, members, member_count, 0);
    for (unsigned first = 0; first < out[0]->count; first += pack) {
        LLVMValueRef args[MAX_ASM_REGISTERS], words[MAX_ASM_REGISTERS], elements[64];
        LLVMTypeRef types[MAX_ASM_REGISTERS];
        unsigned count = 0, next = 0;
        for (intptr_t i = 0; i < operand_count; i++) {
            count += pack_operand(l, lower_operand(l, op, i), first, pack, args + count);
        }
        for (unsigned i = 0; i < count; i++) {
            types[i] = LLVMTypeOf(args[i]);
        }
        LLVMTypeRef type = LLVMFunctionType(result, types, count, 0);
        LLVMValueRef snippet =
            LLVMGetInlineAsm(type, text.data, text.length, constraints.data, constraints.length,
                             !op_has(op, ATTR_PURE), 0, LLVMInlineAsmDialectATT, 0);
        LLVMValueRef call = LLVMBuildCall2(l->b, type, snippet, args, count, "");
        LLVMAddCallSiteAttribute(
            call, LLVMAttributeFunctionIndex,
            LLVMCreateStringAttribute(l->context, ASM_OF_PROGRAM, sizeof ASM_OF_PROGRAM - 1, "", 0));
        lower_mark_convergent(l, call); // it may exchange values between lanes, even if it is pure
        for (unsigned w = 0; w < member_count; w++) {
            words[w] = member_count == 1 ? call : LLVMBuildExtractValue(l->b, call, w, "");
        }
        for (intptr_t i = 0; i < result_count; i++) {
            LLVMTypeRef element = lower_type(l, lower_element(mlirOperationGetResult(op, i)));
            unpack_result(l, words + next, element, pack, elements);
            next += asm_registers(element, pack);
            for (unsigned e = 0; e < pack && first + e < out[i]->count; e++) {
                out[i]->at[first + e] = elements[e];
            }
        }
    }
}
