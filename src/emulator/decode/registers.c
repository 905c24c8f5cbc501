// Values and registers: every SSA value has a register of its own. Values that only rename a part of another
// one (extractvalue, extractelement at a constant index, freeze, a bitcast with the same elements) share its
// register. SSA dominance makes this safe even across loop iterations: a definition cannot run again between
// an alias's definition and its use.
#include "emulator/decode/decode.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/report/report.h"

void decode_refuse(struct decoder *decoder, LLVMValueRef value, const char *format, ...) {
    if (decoder->error->length > 0) {
        return;
    }
    if (!value || !LLVMIsAInstruction(value)) {
        value = decoder->at;
    }
    if (value) {
        report_value_place(decoder->error, value);
        strbuf_add(decoder->error, ": ");
    }
    va_list args;
    va_start(args, format);
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    strbuf_add(decoder->error, text);
}

static uint8_t container_bytes(unsigned bits) {
    return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : bits <= 64 ? 8 : 16;
}

struct shape decode_shape(struct decoder *decoder, LLVMTypeRef type) {
    struct shape shape = {.components = 1};
    unsigned bits;
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        bits = LLVMGetIntTypeWidth(type);
        if (bits > 128) {
            decode_refuse(decoder, NULL, "integers of %u bits are not supported; the limit is 128", bits);
        }
        return (struct shape){ELEMENT_INT, container_bytes(bits), (uint8_t)(bits > 128 ? 128 : bits), 0, 1};
    case LLVMHalfTypeKind:
        return (struct shape){ELEMENT_HALF, 2, 16, 0, 1};
    case LLVMBFloatTypeKind:
        return (struct shape){ELEMENT_BFLOAT, 2, 16, 0, 1};
    case LLVMFloatTypeKind:
        return (struct shape){ELEMENT_FLOAT, 4, 32, 0, 1};
    case LLVMDoubleTypeKind:
        return (struct shape){ELEMENT_DOUBLE, 8, 64, 0, 1};
    case LLVMPointerTypeKind: {
        unsigned space = LLVMGetPointerAddressSpace(type);
        if (space == 8) {
            return (struct shape){ELEMENT_POINTER, 16, 128, 8, 1};
        }
        bits = 8 * LLVMPointerSizeForAS(decoder->emulator->layout, space);
        return (struct shape){ELEMENT_POINTER, 8, (uint8_t)(bits < 64 ? bits : 64), (uint8_t)space, 1};
    }
    case LLVMVectorTypeKind:
        shape = decode_shape(decoder, LLVMGetElementType(type));
        shape.components = (uint16_t)LLVMGetVectorSize(type);
        return shape;
    case LLVMVoidTypeKind:
        return (struct shape){0};
    default: {
        char *text = LLVMPrintTypeToString(type);
        decode_refuse(decoder, NULL, "values of type %s are not supported", text);
        LLVMDisposeMessage(text);
        return (struct shape){ELEMENT_INT, 1, 8, 0, 1};
    }
    }
}

static uint32_t round_up(uint32_t value, uint32_t to) {
    return (value + to - 1) / to * to;
}

// Members of an aggregate; 0: it is none.
static unsigned member_count(LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMStructTypeKind  ? LLVMCountStructElementTypes(type)
           : kind == LLVMArrayTypeKind ? (unsigned)LLVMGetArrayLength2(type)
                                       : 0;
}

static bool is_aggregate(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMStructTypeKind || LLVMGetTypeKind(type) == LLVMArrayTypeKind;
}

static LLVMTypeRef member_type(LLVMTypeRef type, unsigned index) {
    return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, index)
                                                       : LLVMGetElementType(type);
}

uint32_t decode_size(struct decoder *decoder, LLVMTypeRef type) {
    uint32_t size = 0;
    if (is_aggregate(type)) {
        for (unsigned i = 0; i < member_count(type); i++) {
            size += decode_size(decoder, member_type(type, i));
        }
        return size;
    }
    struct shape shape = decode_shape(decoder, type);
    return round_up((uint32_t)shape.components * shape.bytes * decoder->emulator->lanes, 64);
}

static unsigned field_count(LLVMTypeRef type) {
    unsigned count = 0;
    if (!is_aggregate(type)) {
        return 1;
    }
    for (unsigned i = 0; i < member_count(type); i++) {
        count += field_count(member_type(type, i));
    }
    return count;
}

// Writes the fields of `type`, at offset `offset`; returns the end of the written fields.
static struct operand *add_fields(struct decoder *decoder, LLVMTypeRef type, uint32_t offset,
                                  struct operand *fields) {
    if (!is_aggregate(type)) {
        *fields = (struct operand){.reg = offset, .shape = decode_shape(decoder, type)};
        return fields + 1;
    }
    for (unsigned i = 0; i < member_count(type); i++) {
        fields = add_fields(decoder, member_type(type, i), offset, fields);
        offset += decode_size(decoder, member_type(type, i));
    }
    return fields;
}

const struct operand *decode_fields(struct decoder *decoder, LLVMTypeRef type, unsigned *count) {
    *count = field_count(type);
    struct operand *fields = ARENA_ARRAY(decoder->emulator->arena, struct operand, *count + 1);
    add_fields(decoder, type, 0, fields);
    return fields;
}

uint32_t decode_part(struct decoder *decoder, LLVMTypeRef whole, LLVMValueRef value, LLVMTypeRef *part) {
    const unsigned *indices = LLVMGetIndices(value);
    uint32_t offset = 0;
    *part = whole;
    for (unsigned i = 0; i < LLVMGetNumIndices(value); i++) {
        for (unsigned j = 0; j < indices[i]; j++) {
            offset += decode_size(decoder, member_type(*part, j));
        }
        *part = member_type(*part, indices[i]);
    }
    return offset;
}

static uint32_t allocate(struct decoder *decoder, uint32_t bytes) {
    uint32_t reg = decoder->kernel->register_bytes;
    decoder->kernel->register_bytes += round_up(bytes ? bytes : 64, 64);
    return reg;
}

static void push_constant(struct decoder *decoder, uint32_t reg, const void *data, unsigned bytes,
                          unsigned components) {
    uint8_t *copy = arena_alloc(decoder->emulator->arena, (size_t)bytes * components);
    memcpy(copy, data, (size_t)bytes * components);
    *PUSH(decoder->kernel, constants, constant_count, constant_capacity) =
        (struct constant){reg, (uint16_t)components, (uint8_t)bytes, copy};
}

// Fills a register with a constant of any type.
static uint64_t constant_register(struct decoder *decoder, uint32_t reg, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (is_aggregate(type)) {
        for (unsigned i = 0; i < member_count(type); i++) {
            LLVMValueRef member = LLVMGetAggregateElement(value, i);
            constant_register(decoder, reg, member);
            reg += decode_size(decoder, LLVMTypeOf(member));
        }
        return 0;
    }
    struct shape shape = decode_shape(decoder, type);
    uint8_t data[16 * 256] = {0};
    if (shape.components > 256) {
        decode_refuse(decoder, value, "vectors of more than 256 elements are not supported");
        return 0;
    }
    for (unsigned i = 0; i < shape.components; i++) {
        LLVMValueRef element = kind == LLVMVectorTypeKind ? LLVMGetAggregateElement(value, i) : value;
        unsigned __int128 bits = 0;
        if (!element || !constant_bits(decoder->emulator, element, &bits)) {
            char *text = LLVMPrintValueToString(value);
            decode_refuse(decoder, value, "constant not supported: %.200s", text);
            LLVMDisposeMessage(text);
        }
        memcpy(data + i * shape.bytes, &bits, shape.bytes);
    }
    push_constant(decoder, reg, data, shape.bytes, shape.components);
    uint64_t low = 0;
    memcpy(&low, data, shape.bytes < 8 ? shape.bytes : 8);
    return low;
}

bool decode_alias(struct decoder *decoder, LLVMValueRef value, uint32_t *reg) {
    if (!LLVMIsAInstruction(value)) {
        return false;
    }
    LLVMValueRef from;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMFreeze:
        *reg = decode_operand(decoder, LLVMGetOperand(value, 0)).reg;
        return true;
    case LLVMExtractValue: {
        from = LLVMGetOperand(value, 0);
        LLVMTypeRef part;
        *reg = decode_operand(decoder, from).reg + decode_part(decoder, LLVMTypeOf(from), value, &part);
        return true;
    }
    case LLVMExtractElement: {
        LLVMValueRef index = LLVMGetOperand(value, 1);
        if (!LLVMIsAConstantInt(index)) {
            return false;
        }
        struct operand vector = decode_operand(decoder, LLVMGetOperand(value, 0));
        uint64_t position = LLVMConstIntGetZExtValue(index);
        if (position >= vector.shape.components) {
            position = 0; // poison
        }
        *reg = vector.reg + (uint32_t)position * vector.shape.bytes * decoder->emulator->lanes;
        return true;
    }
    case LLVMBitCast: {
        from = LLVMGetOperand(value, 0);
        struct shape before = decode_shape(decoder, LLVMTypeOf(from));
        struct shape after = decode_shape(decoder, LLVMTypeOf(value));
        if (before.bytes != after.bytes || before.components != after.components ||
            before.bits != after.bits) {
            return false;
        }
        *reg = decode_operand(decoder, from).reg;
        return true;
    }
    default:
        return false;
    }
}

uint32_t decode_result(struct decoder *decoder, LLVMValueRef value) {
    uintptr_t known = (uintptr_t)map_get(&decoder->registers, value);
    if (known) {
        return (uint32_t)(known - 1);
    }
    uint32_t reg;
    if (!decode_alias(decoder, value, &reg)) {
        reg = allocate(decoder, decode_size(decoder, LLVMTypeOf(value)));
    }
    map_put(&decoder->registers, value, (void *)((uintptr_t)reg + 1));
    return reg;
}

struct operand decode_operand(struct decoder *decoder, LLVMValueRef value) {
    struct operand operand = {0};
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    if (kind == LLVMMetadataTypeKind) {
        return operand;
    }
    if (!is_aggregate(LLVMTypeOf(value))) {
        operand.shape = decode_shape(decoder, LLVMTypeOf(value));
    }
    if (LLVMIsConstant(value)) {
        operand.is_constant = true;
        uintptr_t known = (uintptr_t)map_get(&decoder->registers, value);
        unsigned __int128 bits = 0;
        if (known) {
            operand.reg = (uint32_t)(known - 1);
            LLVMValueRef first = kind == LLVMVectorTypeKind ? LLVMGetAggregateElement(value, 0) : value;
            if (operand.shape.components && first) {
                constant_bits(decoder->emulator, first, &bits);
            }
            operand.constant = (uint64_t)bits;
            return operand;
        }
        operand.reg = allocate(decoder, decode_size(decoder, LLVMTypeOf(value)));
        operand.constant = constant_register(decoder, operand.reg, value);
        map_put(&decoder->registers, value, (void *)((uintptr_t)operand.reg + 1));
        return operand;
    }
    operand.reg = decode_result(decoder, value);
    return operand;
}

void decode_set_result(struct decoder *decoder, struct instr *in, struct operand result) {
    in->dst = result.reg;
    in->components = result.shape.components;
    in->bytes = result.shape.bytes;
    in->bits = result.shape.bits;
    in->element = result.shape.kind;
    in->total = result.shape.components * decoder->emulator->lanes;
    uint32_t size = in->total * in->bytes;
    if (size > decoder->kernel->scratch_bytes) {
        decoder->kernel->scratch_bytes = size;
    }
}

struct instr *decode_emit(struct decoder *decoder, LLVMValueRef value, exec_fn *exec, enum instr_kind kind) {
    struct instr *in = PUSH(decoder->kernel, code, code_count, code_capacity);
    memset(in, 0, sizeof *in);
    in->exec = exec;
    in->kind = (uint8_t)kind;
    in->value = value;
    in->index = decoder->kernel->code_count - 1;
    LLVMTypeRef type = LLVMTypeOf(value);
    if (is_aggregate(type)) {
        in->dst = decode_result(decoder, value);
    } else if (LLVMGetTypeKind(type) != LLVMVoidTypeKind) {
        in->blend = true;
        decode_set_result(
            decoder, in,
            (struct operand){.reg = decode_result(decoder, value), .shape = decode_shape(decoder, type)});
    }
    return in;
}

struct instr *decode_call(struct decoder *decoder, LLVMValueRef call, exec_fn *exec, enum instr_kind kind,
                          bool blend) {
    unsigned count = LLVMGetNumArgOperands(call);
    struct operand *operands = ARENA_ARRAY(decoder->emulator->arena, struct operand, count + 1);
    for (unsigned i = 0; i < count; i++) {
        operands[i] = decode_operand(decoder, LLVMGetOperand(call, i));
    }
    struct instr *in = decode_emit(decoder, call, exec, kind);
    in->operands = operands;
    in->operand_count = (uint16_t)count;
    in->blend = blend;
    if (count) {
        in->source_bytes = operands[0].shape.bytes;
        in->source_bits = operands[0].shape.bits;
        in->source_element = operands[0].shape.kind;
        for (unsigned i = 0; i < 4 && i < count; i++) {
            in->src[i] = operands[i].reg;
        }
    }
    return in;
}

struct instr *decode_row(struct decoder *decoder, LLVMValueRef call, const char *text,
                         const struct assembly_row rows[], size_t count, const struct assembly_row **found) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(text, asm_table[rows[i].id].text) == 0) {
            struct instr *in = decode_call(decoder, call, rows[i].exec, rows[i].kind, false);
            in->immediate = rows[i].immediate;
            *found = &rows[i];
            return in;
        }
    }
    return NULL;
}
