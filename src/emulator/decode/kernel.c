// Decoding: one LLVM function to an array of instructions whose operands are offsets in a warp's register
// file.
//
// Every SSA value has a register of its own. Values that only rename a part of another one (extractvalue,
// extractelement at a constant index, freeze, a bitcast that keeps the elements) share its register: SSA
// dominance makes that safe even across loop iterations, because a definition cannot run again between an
// alias's definition and its use.
#include "emulator/machine/machine.h"

#include <llvm-c/Target.h>
#include <stdarg.h>
#include <stdlib.h>

#include "support/diag.h"
#include "support/strbuf.h"

void decode_refuse(struct decoder *decoder, LLVMValueRef value, const char *format, ...) {
    if (decoder->error->length > 0)
        return;
    if (value && LLVMIsAInstruction(value)) {
        report_place_text(decoder->error, value);
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
        if (bits > 128)
            decode_refuse(decoder, NULL, "integers of %u bits are not supported; the limit is 128", bits);
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
        if (space == 8)
            return (struct shape){ELEMENT_POINTER, 16, 128, 8, 1};
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

uint32_t decode_size(struct decoder *decoder, LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    uint32_t size = 0;
    if (kind == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            size += decode_size(decoder, LLVMStructGetTypeAtIndex(type, i));
        return size;
    }
    if (kind == LLVMArrayTypeKind)
        return (uint32_t)LLVMGetArrayLength2(type) * decode_size(decoder, LLVMGetElementType(type));
    struct shape shape = decode_shape(decoder, type);
    return round_up((uint32_t)shape.components * shape.bytes * decoder->emulator->lanes, 64);
}

uint32_t decode_allocate(struct decoder *decoder, uint32_t bytes) {
    uint32_t reg = decoder->kernel->register_bytes;
    decoder->kernel->register_bytes += round_up(bytes ? bytes : 64, 64);
    return reg;
}

#define PUSH(kernel, array, count, capacity)                                                                 \
    ((kernel)->count == (kernel)->capacity                                                                   \
         ? (void)((kernel)->array =                                                                          \
                      realloc((kernel)->array,                                                               \
                              sizeof *(kernel)->array * ((kernel)->capacity = (kernel)->capacity * 2 + 64))) \
         : (void)0,                                                                                          \
     &(kernel)->array[(kernel)->count++])

static void push_constant(struct decoder *decoder, uint32_t reg, const void *data, unsigned bytes,
                          unsigned components) {
    uint8_t *copy = arena_alloc(decoder->emulator->arena, (size_t)bytes * components);
    memcpy(copy, data, (size_t)bytes * components);
    *PUSH(decoder->kernel, constants, constant_count, constant_capacity) =
        (struct constant){reg, (uint16_t)components, (uint8_t)bytes, copy};
}

uint32_t decode_constant(struct decoder *decoder, const void *data, unsigned bytes, unsigned components) {
    uint32_t reg = decode_allocate(decoder, bytes * components * decoder->emulator->lanes);
    push_constant(decoder, reg, data, bytes, components);
    return reg;
}

// Fills a register with a constant of any type.
static uint64_t constant_register(struct decoder *decoder, uint32_t reg, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind) {
        unsigned count = kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(type)
                                                    : (unsigned)LLVMGetArrayLength2(type);
        for (unsigned i = 0; i < count; i++) {
            LLVMValueRef field = LLVMGetAggregateElement(value, i);
            constant_register(decoder, reg, field);
            reg += decode_size(decoder, LLVMTypeOf(field));
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

// The register of the value that `value` renames a part of; false when it is an operation of its own.
static bool alias_register(struct decoder *decoder, LLVMValueRef value, uint32_t *reg) {
    if (!LLVMIsAInstruction(value))
        return false;
    LLVMValueRef from;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMFreeze:
        *reg = decode_operand(decoder, LLVMGetOperand(value, 0)).reg;
        return true;
    case LLVMExtractValue: {
        from = LLVMGetOperand(value, 0);
        *reg = decode_operand(decoder, from).reg;
        LLVMTypeRef type = LLVMTypeOf(from);
        const unsigned *indices = LLVMGetIndices(value);
        for (unsigned i = 0; i < LLVMGetNumIndices(value); i++) {
            if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
                for (unsigned j = 0; j < indices[i]; j++)
                    *reg += decode_size(decoder, LLVMStructGetTypeAtIndex(type, j));
                type = LLVMStructGetTypeAtIndex(type, indices[i]);
            } else {
                type = LLVMGetElementType(type);
                *reg += indices[i] * decode_size(decoder, type);
            }
        }
        return true;
    }
    case LLVMExtractElement: {
        LLVMValueRef index = LLVMGetOperand(value, 1);
        if (!LLVMIsAConstantInt(index))
            return false;
        struct operand vector = decode_operand(decoder, LLVMGetOperand(value, 0));
        uint64_t position = LLVMConstIntGetZExtValue(index);
        if (position >= vector.shape.components)
            position = 0; // poison
        *reg = vector.reg + (uint32_t)position * vector.shape.bytes * decoder->emulator->lanes;
        return true;
    }
    case LLVMBitCast: {
        from = LLVMGetOperand(value, 0);
        struct shape before = decode_shape(decoder, LLVMTypeOf(from));
        struct shape after = decode_shape(decoder, LLVMTypeOf(value));
        if (before.bytes != after.bytes || before.components != after.components || before.bits != after.bits)
            return false;
        *reg = decode_operand(decoder, from).reg;
        return true;
    }
    default:
        return false;
    }
}

uint32_t decode_result(struct decoder *decoder, LLVMValueRef value) {
    uintptr_t known = (uintptr_t)map_get(&decoder->registers, value);
    if (known)
        return (uint32_t)(known - 1);
    uint32_t reg;
    if (!alias_register(decoder, value, &reg))
        reg = decode_allocate(decoder, decode_size(decoder, LLVMTypeOf(value)));
    map_put(&decoder->registers, value, (void *)((uintptr_t)reg + 1));
    return reg;
}

void decode_alias(struct decoder *decoder, LLVMValueRef value, uint32_t reg) {
    map_put(&decoder->registers, value, (void *)((uintptr_t)reg + 1));
}

struct operand decode_operand(struct decoder *decoder, LLVMValueRef value) {
    struct operand operand = {0};
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    if (kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind && kind != LLVMMetadataTypeKind)
        operand.shape = decode_shape(decoder, LLVMTypeOf(value));
    if (kind == LLVMMetadataTypeKind)
        return operand;
    if (LLVMIsConstant(value)) {
        operand.is_constant = true;
        uintptr_t known = (uintptr_t)map_get(&decoder->registers, value);
        unsigned __int128 bits = 0;
        if (known) {
            operand.reg = (uint32_t)(known - 1);
            LLVMValueRef first = kind == LLVMVectorTypeKind ? LLVMGetAggregateElement(value, 0) : value;
            if (operand.shape.components && first)
                constant_bits(decoder->emulator, first, &bits);
            operand.constant = (uint64_t)bits;
            return operand;
        }
        operand.reg = decode_allocate(decoder, decode_size(decoder, LLVMTypeOf(value)));
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
    if (size > decoder->kernel->scratch_bytes)
        decoder->kernel->scratch_bytes = size;
}

struct instr *decode_emit(struct decoder *decoder, LLVMValueRef value, exec_fn *exec, enum instr_kind kind) {
    struct instr *in = PUSH(decoder->kernel, code, code_count, code_capacity);
    memset(in, 0, sizeof *in);
    in->exec = exec;
    in->kind = (uint8_t)kind;
    in->value = value;
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeKind type_kind = LLVMGetTypeKind(type);
    if (type_kind == LLVMStructTypeKind) {
        in->dst = decode_result(decoder, value);
    } else if (type_kind != LLVMVoidTypeKind) {
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
    for (unsigned i = 0; i < count; i++)
        operands[i] = decode_operand(decoder, LLVMGetOperand(call, i));
    struct instr *in = decode_emit(decoder, call, exec, kind);
    in->operands = operands;
    in->operand_count = (uint16_t)count;
    in->blend = blend;
    if (count) {
        in->source_bytes = operands[0].shape.bytes;
        in->source_bits = operands[0].shape.bits;
        in->source_element = operands[0].shape.kind;
        for (unsigned i = 0; i < 4 && i < count; i++)
            in->src[i] = operands[i].reg;
    }
    return in;
}

// The phi copies of one control-flow edge.
static uint32_t make_edge(struct decoder *decoder, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    struct kernel *kernel = decoder->kernel;
    struct edge edge = {.target = (uint32_t)(uintptr_t)map_get(&decoder->blocks, to) - 1,
                        .first = kernel->copy_count};
    for (LLVMValueRef phi = LLVMGetFirstInstruction(to); phi && LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            if (LLVMGetIncomingBlock(phi, i) != from)
                continue;
            struct operand value = decode_operand(decoder, LLVMGetIncomingValue(phi, i));
            uint32_t dst = decode_result(decoder, phi);
            if (value.reg != dst) {
                *PUSH(kernel, copies, copy_count, copy_capacity) =
                    (struct phi_copy){dst, value.reg, value.shape.components * decoder->emulator->lanes,
                                      value.shape.components, value.shape.bytes};
                edge.copy_bytes +=
                    (uint32_t)value.shape.components * decoder->emulator->lanes * value.shape.bytes;
            }
            break;
        }
    }
    edge.count = kernel->copy_count - edge.first;
    for (uint32_t i = 0; i < edge.count; i++) {
        for (uint32_t j = 0; j < edge.count && !edge.overlap; j++) {
            const struct phi_copy *a = &kernel->copies[edge.first + i], *b = &kernel->copies[edge.first + j];
            uint32_t end = a->dst + a->total * a->bytes;
            edge.overlap = i != j && b->src < end && b->src + b->total * b->bytes > a->dst;
        }
    }
    if (edge.copy_bytes > kernel->scratch_bytes)
        kernel->scratch_bytes = edge.copy_bytes;
    *PUSH(kernel, edges, edge_count, edge_capacity) = edge;
    return kernel->edge_count - 1;
}

static void decode_terminator(struct decoder *decoder, LLVMValueRef value, LLVMBasicBlockRef block,
                              uint32_t index) {
    struct instr *in;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMRet:
        decode_emit(decoder, value, exec_return, KIND_BRANCH);
        return;
    case LLVMUnreachable:
        decode_emit(decoder, value, exec_unreachable, KIND_BRANCH);
        return;
    case LLVMBr: {
        bool conditional = LLVMIsConditional(value);
        uint32_t yes = make_edge(decoder, block, LLVMGetSuccessor(value, 0));
        uint32_t no = conditional ? make_edge(decoder, block, LLVMGetSuccessor(value, 1)) : 0;
        uint32_t condition = conditional ? decode_operand(decoder, LLVMGetCondition(value)).reg : 0;
        in = decode_emit(decoder, value, conditional ? exec_branch : exec_jump, KIND_BRANCH);
        in->src[0] = condition;
        in->src[1] = yes; // exec_jump takes it too
        in->src[2] = no;
        in->src[3] = index;
        return;
    }
    case LLVMSwitch: {
        unsigned count = LLVMGetNumSuccessors(value) - 1;
        struct switch_table *table = ARENA_NEW(decoder->emulator->arena, struct switch_table);
        table->count = count;
        table->values = ARENA_ARRAY(decoder->emulator->arena, uint64_t, count + 1);
        table->edges = ARENA_ARRAY(decoder->emulator->arena, uint32_t, count + 1);
        for (unsigned i = 0; i < count; i++) {
            table->values[i] = LLVMConstIntGetZExtValue(LLVMGetOperand(value, 2 + 2 * i));
            table->edges[i] = make_edge(decoder, block, LLVMGetSuccessor(value, i + 1));
        }
        table->edges[count] = make_edge(decoder, block, LLVMGetSuccessor(value, 0));
        struct operand condition = decode_operand(decoder, LLVMGetOperand(value, 0));
        in = decode_emit(decoder, value, exec_switch, KIND_BRANCH);
        in->src[0] = condition.reg;
        in->source_bytes = condition.shape.bytes;
        in->src[3] = index;
        in->extra = table;
        return;
    }
    default: {
        char *text = LLVMPrintValueToString(value);
        decode_refuse(decoder, value, "control flow not supported: %.200s", text);
        LLVMDisposeMessage(text);
    }
    }
}

// Integer additions, subtractions, multiplications and shifts of 32 bits that reach the index of a
// getelementptr.
static void mark_address(struct decoder *decoder, LLVMValueRef value, unsigned depth) {
    if (depth > 64 || !LLVMIsAInstruction(value) || map_has(&decoder->addresses, value))
        return;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        map_put(&decoder->addresses, value, value);
        mark_address(decoder, LLVMGetOperand(value, 1), depth + 1);
        mark_address(decoder, LLVMGetOperand(value, 0), depth + 1);
        return;
    case LLVMSExt:
    case LLVMZExt:
        mark_address(decoder, LLVMGetOperand(value, 0), depth + 1);
        return;
    default:
        return;
    }
}

static unsigned parse_threads(LLVMValueRef function) {
    const char *names[] = {"nvvm.reqntid", "nvvm.maxntid", "amdgpu-flat-work-group-size"};
    for (unsigned i = 0; i < 3; i++) {
        LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                                                   names[i], (unsigned)strlen(names[i]));
        if (!attribute)
            continue;
        unsigned length;
        const char *text = LLVMGetStringAttributeValue(attribute, &length);
        char copy[64];
        snprintf(copy, sizeof copy, "%.*s", (int)length, text);
        char *comma = strchr(copy, ',');
        return (unsigned)strtoul(i == 2 && comma ? comma + 1 : copy, NULL, 10);
    }
    LLVMModuleRef module = LLVMGetGlobalParent(function);
    unsigned count = LLVMGetNamedMetadataNumOperands(module, "nvvm.annotations");
    LLVMValueRef *rows = calloc(count + 1, sizeof *rows);
    LLVMGetNamedMetadataOperands(module, "nvvm.annotations", rows);
    unsigned threads = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned fields = (unsigned)LLVMGetMDNodeNumOperands(rows[i]);
        LLVMValueRef *operands = calloc(fields + 1, sizeof *operands);
        LLVMGetMDNodeOperands(rows[i], operands);
        for (unsigned j = 1; j + 1 < fields && operands[0] == function; j += 2) {
            unsigned length = 0;
            const char *key =
                operands[j] && LLVMIsAMDString(operands[j]) ? LLVMGetMDString(operands[j], &length) : NULL;
            if (key && length == 8 &&
                (!memcmp(key, "reqntidx", 8) || (!threads && !memcmp(key, "maxntidx", 8))))
                threads = (unsigned)LLVMConstIntGetZExtValue(operands[j + 1]);
        }
        free(operands);
    }
    free(rows);
    return threads;
}

static void decode_blocks(struct decoder *decoder, LLVMValueRef function) {
    struct kernel *kernel = decoder->kernel;
    kernel->block_count = LLVMCountBasicBlocks(function);
    kernel->blocks = calloc(kernel->block_count, sizeof *kernel->blocks);
    uint32_t index = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        kernel->blocks[index].ref = block;
        map_put(&decoder->blocks, block, (void *)(uintptr_t)++index);
    }
    flow_post_dominators(kernel, &decoder->blocks);
    if (decoder->emulator->options.check_address_overflow)
        for (index = 0; index < kernel->block_count; index++)
            for (LLVMValueRef in = LLVMGetFirstInstruction(kernel->blocks[index].ref); in;
                 in = LLVMGetNextInstruction(in))
                if (LLVMIsAGetElementPtrInst(in))
                    for (int i = 1; i < LLVMGetNumOperands(in); i++)
                        mark_address(decoder, LLVMGetOperand(in, (unsigned)i), 0);
    for (index = 0; index < kernel->block_count && decoder->error->length == 0; index++) {
        LLVMBasicBlockRef block = kernel->blocks[index].ref;
        kernel->blocks[index].first = kernel->code_count;
        for (LLVMValueRef in = LLVMGetFirstInstruction(block); in && decoder->error->length == 0;
             in = LLVMGetNextInstruction(in)) {
            uint32_t reg;
            if (LLVMIsATerminatorInst(in))
                decode_terminator(decoder, in, block, index);
            else if (LLVMIsAPHINode(in) || alias_register(decoder, in, &reg))
                decode_result(decoder, in);
            else
                decode_instruction(decoder, in);
        }
    }
}

struct kernel *decode_kernel(struct emulator *emulator, LLVMValueRef function, struct strbuf *error) {
    struct kernel *kernel = ARENA_NEW(emulator->arena, struct kernel);
    struct decoder decoder = {.emulator = emulator, .kernel = kernel, .error = error};
    size_t length;
    kernel->name = LLVMGetValueName2(function, &length);
    kernel->function = function;
    kernel->required_threads = parse_threads(function);
    kernel->parameter_count = LLVMCountParams(function);
    kernel->parameters = ARENA_ARRAY(emulator->arena, struct operand, kernel->parameter_count + 1);
    for (unsigned i = 0; i < kernel->parameter_count; i++)
        kernel->parameters[i] = decode_operand(&decoder, LLVMGetParam(function, i));
    decode_blocks(&decoder, function);
    map_free(&decoder.registers);
    map_free(&decoder.blocks);
    map_free(&decoder.addresses);
    kernel->scratch_bytes += 4096;
    return kernel;
}
