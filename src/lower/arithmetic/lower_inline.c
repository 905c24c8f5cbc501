// The user's own assembly (inline_asm) and device_print.
#include <stdio.h>
#include <string.h>

#include "support/strbuf.h"
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

// ---- device_print: one line an element through CUDA's vprintf ----

struct print_value {
    LLVMValueRef value; // i32, i64 or double, as C's varargs pass them
    const char *format;
};

static struct print_value printable(struct lowering *l, LLVMValueRef value, MlirType element, bool hex,
                                    bool is_signed) {
    LLVMTypeRef type = LLVMTypeOf(value);
    if (mlirTypeIsAFloat(element) && !hex) {
        value = lower_float_to_float(l, value, element, mlirF64TypeGet(l->ir->context), false);
        return (struct print_value){value, "%f"};
    }
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) {
        value = lower_to_bits(l, value);
        is_signed = false;
    }
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(value));
    LLVMTypeRef wide = bits > 32 ? l->i64 : l->i32;
    value = LLVMBuildIntCast2(l->b, value, wide, is_signed && bits > 1, "");
    const char *format = bits > 32   ? (hex         ? "0x%016llx"
                                        : is_signed ? "%lld"
                                                    : "%llu")
                         : hex       ? "0x%08x"
                         : is_signed ? "%d"
                                     : "%u";
    return (struct print_value){value, format};
}

static LLVMValueRef format_string(struct lowering *l, const char *text) {
    LLVMValueRef data = LLVMConstStringInContext2(l->context, text, strlen(text), 0);
    LLVMValueRef global = LLVMAddGlobal(l->module, LLVMTypeOf(data), "tkc_format");
    LLVMSetInitializer(global, data);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    return global;
}

static void call_vprintf(struct lowering *l, const char *format, LLVMValueRef *values, unsigned count) {
    LLVMTypeRef generic = LLVMPointerTypeInContext(l->context, 0), members[16];
    for (unsigned i = 0; i < count; i++) {
        members[i] = LLVMTypeOf(values[i]);
    }
    LLVMTypeRef frame_type = LLVMStructTypeInContext(l->context, members, count, 0);
    LLVMValueRef frame = LLVMBuildAlloca(l->entry, frame_type, "");
    for (unsigned i = 0; i < count; i++) {
        LLVMBuildStore(l->b, values[i], LLVMBuildStructGEP2(l->b, frame_type, frame, i, ""));
    }
    LLVMTypeRef type = LLVMFunctionType(l->i32, (LLVMTypeRef[]){generic, generic}, 2, 0);
    LLVMValueRef function = LLVMGetNamedFunction(l->module, "vprintf");
    function = function ? function : LLVMAddFunction(l->module, "vprintf", type);
    LLVMBuildCall2(l->b, type, function, (LLVMValueRef[]){format_string(l, format), frame}, 2, "");
}

// The coordinates of register r's element.
static unsigned coordinates(struct lowering *l, const struct layout *layout, uint32_t r, LLVMValueRef *out) {
    uint32_t span;
    LLVMValueRef base = lower_layout_base(l, layout, 1, &span);
    LLVMValueRef flat = lower_xor_constant(l, base, span, layout_column(layout, LAYOUT_REGISTER, r));
    for (unsigned dim = 0; dim < layout->rank; dim++) {
        LLVMValueRef at = LLVMBuildLShr(l->b, flat, lower_i32(l, layout_dim_shift(layout, dim)), "");
        out[dim] = LLVMBuildAnd(l->b, at, lower_i32(l, (uint32_t)layout_extent(layout, dim) - 1), "");
    }
    return layout->rank;
}

static void print_register(struct lowering *l, MlirOperation op, intptr_t operand, uint32_t r,
                           const char *prefix) {
    const struct layout *layout = lower_layout(l, mlirOperationGetOperand(op, operand));
    const int32_t *signs;
    bool is_signed = op_i32_array(op, ATTR_SIGNED, &signs, l->arena) <= operand || signs[operand];
    LLVMValueRef values[16];
    struct strbuf format = {0};
    unsigned count = 3, rank = 0;
    for (unsigned axis = 0; axis < 3; axis++) {
        values[axis] = lower_vendor(l)->program_id(l, axis);
    }
    strbuf_add(&format, "pid (%u, %u, %u) idx (");
    if (layout) {
        rank = coordinates(l, layout, r, values + count);
    }
    for (unsigned dim = 0; dim < rank; dim++) {
        strbuf_add(&format, dim ? ", %u" : "%u");
    }
    count += rank;
    struct print_value shown =
        printable(l, lower_operand(l, op, operand)->at[r],
                  lower_element(mlirOperationGetOperand(op, operand)), op_has(op, ATTR_HEX), is_signed);
    values[count++] = shown.value;
    strbuf_printf(&format, ")%s%s\n", prefix, shown.format);
    call_vprintf(l, strbuf_text(&format), values, count);
    strbuf_free(&format);
}

void lower_print(struct lowering *l, MlirOperation op) {
    if (!lower_vendor(l)->prints) {
        lower_error(l, "device_print is not supported on %s", l->target->name);
        return;
    }
    MlirStringRef prefix_ref = op_string(op, ATTR_PREFIX);
    struct strbuf prefix = {0};
    for (size_t i = 0; i < prefix_ref.length; i++) { // a percent sign in the prefix is text
        strbuf_add(&prefix, prefix_ref.data[i] == '%' ? "%%" : (char[]){prefix_ref.data[i], 0});
    }
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        const struct layout *layout = lower_layout(l, mlirOperationGetOperand(op, i));
        uint32_t free = lower_free_registers(layout);
        LLVMValueRef owner = lower_owner(l, layout);
        struct lower_if branch = {0};
        if (owner) {
            branch = lower_if_begin(l, owner);
        }
        for (uint32_t r = 0; r < lower_operand(l, op, i)->count; r++) {
            if (!(r & free)) {
                print_register(l, op, i, r, strbuf_text(&prefix));
            }
        }
        if (owner) {
            lower_if_end(l, &branch);
        }
    }
    strbuf_free(&prefix);
}
