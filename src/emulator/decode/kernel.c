// Decoding: turns one LLVM function into an array of instructions, with offsets in a warp's register file
// (registers.c) as operands. This file walks the blocks and decodes the control flow.
#include "emulator/decode/decode.h"

#include <stdlib.h>
#include <string.h>

#include "chip/launch_bounds.h"
#include "chip/llvm.h"
#include "emulator/execute/execute.h"

// The copies for a phi on an edge with incoming value `from`: one for each field.
static void copy_phi(struct decoder *decoder, LLVMValueRef phi, LLVMValueRef from, struct edge *edge) {
    struct kernel *kernel = decoder->kernel;
    unsigned lanes = decoder->emulator->lanes, count;
    const struct operand *fields = decode_fields(decoder, LLVMTypeOf(phi), &count);
    uint32_t src = decode_operand(decoder, from).reg, dst = decode_result(decoder, phi);
    for (unsigned i = 0; i < count && src != dst; i++) {
        const struct shape *shape = &fields[i].shape;
        *PUSH(kernel, copies, copy_count, copy_capacity) =
            (struct phi_copy){dst + fields[i].reg, src + fields[i].reg, shape->components * lanes,
                              shape->components, shape->bytes};
        edge->copy_bytes += (uint32_t)shape->components * lanes * shape->bytes;
    }
}

// The phi copies of one control-flow edge.
static uint32_t make_edge(struct decoder *decoder, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    struct kernel *kernel = decoder->kernel;
    struct edge edge = {.target = (uint32_t)(uintptr_t)map_get(&decoder->blocks, to) - 1,
                        .first = kernel->copy_count};
    for (LLVMValueRef phi = LLVMGetFirstInstruction(to); phi && LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        unsigned i = 0;
        while (LLVMGetIncomingBlock(phi, i) != from) {
            i++;
        }
        decoder->at = phi;
        copy_phi(decoder, phi, LLVMGetIncomingValue(phi, i), &edge);
    }
    edge.count = kernel->copy_count - edge.first;
    for (uint32_t i = 0; i < edge.count; i++) {
        for (uint32_t j = 0; j < edge.count && !edge.overlap; j++) {
            const struct phi_copy *a = &kernel->copies[edge.first + i], *b = &kernel->copies[edge.first + j];
            uint32_t end = a->dst + a->total * a->bytes;
            edge.overlap = i != j && b->src < end && b->src + b->total * b->bytes > a->dst;
        }
    }
    if (edge.copy_bytes > kernel->scratch_bytes) {
        kernel->scratch_bytes = edge.copy_bytes;
    }
    *PUSH(kernel, edges, edge_count, edge_capacity) = edge;
    return kernel->edge_count - 1;
}

// The number of case `i` of a switch. LLVM 22 keeps these numbers beside the operands, LLVM 19 among them.
static LLVMValueRef case_value(LLVMValueRef instruction, unsigned i) {
#if LLVM_AT_LEAST(22)
    return LLVMGetSwitchCaseValue(instruction, i + 1); // successor 0 is the default
#else
    return LLVMGetOperand(instruction, 2 + 2 * i);
#endif
}

static void decode_terminator(struct decoder *decoder, LLVMValueRef value, LLVMBasicBlockRef block,
                              uint32_t index) {
    struct instr *in;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMRet:
        if (LLVMGetNumOperands(value)) {
            decode_refuse(decoder, value, "a kernel that returns a value is not supported");
        }
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
        struct operand condition = decode_operand(decoder, LLVMGetOperand(value, 0));
        if (condition.shape.bits > 64) {
            decode_refuse(decoder, value, "a switch over %u bits is not supported; the limit is 64",
                          condition.shape.bits);
            return;
        }
        struct switch_table *table = ARENA_NEW(decoder->emulator->arena, struct switch_table);
        table->count = count;
        table->values = ARENA_ARRAY(decoder->emulator->arena, uint64_t, count + 1);
        table->edges = ARENA_ARRAY(decoder->emulator->arena, uint32_t, count + 1);
        for (unsigned i = 0; i < count; i++) {
            table->values[i] = LLVMConstIntGetZExtValue(case_value(value, i));
            table->edges[i] = make_edge(decoder, block, LLVMGetSuccessor(value, i + 1));
        }
        table->edges[count] = make_edge(decoder, block, LLVMGetSuccessor(value, 0));
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

// Marks 32-bit integer additions, subtractions, multiplications and shifts that are part of the index of a
// getelementptr.
static void mark_address(struct decoder *decoder, LLVMValueRef value, unsigned depth) {
    if (depth > 64 || !LLVMIsAInstruction(value) || map_has(&decoder->addresses, value)) {
        return;
    }
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
    const char *names[] = {"nvvm.maxntid", "amdgpu-flat-work-group-size"};
    for (unsigned i = 0; i < 2; i++) {
        LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                                                   names[i], (unsigned)strlen(names[i]));
        if (!attribute) {
            continue;
        }
        unsigned length;
        const char *text = LLVMGetStringAttributeValue(attribute, &length);
        char copy[64];
        snprintf(copy, sizeof copy, "%.*s", (int)length, text);
        char *comma = strchr(copy, ',');
        return (unsigned)strtoul(i == 1 && comma ? comma + 1 : copy, NULL, 10);
    }
    return launch_bound(function, BOUND_THREADS);
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
    if (decoder->emulator->options.check_address_overflow) {
        for (index = 0; index < kernel->block_count; index++) {
            for (LLVMValueRef in = LLVMGetFirstInstruction(kernel->blocks[index].ref); in;
                 in = LLVMGetNextInstruction(in)) {
                if (LLVMIsAGetElementPtrInst(in)) {
                    for (int i = 1; i < LLVMGetNumOperands(in); i++) {
                        mark_address(decoder, LLVMGetOperand(in, (unsigned)i), 0);
                    }
                }
            }
        }
    }
    for (index = 0; index < kernel->block_count && decoder->error->length == 0; index++) {
        LLVMBasicBlockRef block = kernel->blocks[index].ref;
        kernel->blocks[index].first = kernel->code_count;
        for (LLVMValueRef in = LLVMGetFirstInstruction(block); in && decoder->error->length == 0;
             in = LLVMGetNextInstruction(in)) {
            uint32_t reg;
            decoder->at = in;
            if (LLVMIsATerminatorInst(in)) {
                decode_terminator(decoder, in, block, index);
            } else if (LLVMIsAPHINode(in) || decode_alias(decoder, in, &reg)) {
                decode_result(decoder, in);
            } else {
                decode_operation(decoder, in);
            }
        }
    }
}

// A launch gives each argument as one number of at most 64 bits.
static struct operand decode_parameter(struct decoder *decoder, LLVMValueRef parameter, unsigned index) {
    struct operand operand = decode_operand(decoder, parameter);
    if (operand.shape.components != 1 || operand.shape.bits > 64) {
        char *text = LLVMPrintTypeToString(LLVMTypeOf(parameter));
        decode_refuse(decoder, NULL,
                      "parameter %u of kernel '%s' has type %s; scalars of at most 64 bits can be "
                      "given",
                      index, decoder->kernel->name, text);
        LLVMDisposeMessage(text);
    }
    return operand;
}

struct kernel *decode_kernel(struct emulator *emulator, LLVMValueRef function, struct strbuf *error) {
    struct kernel *kernel = ARENA_NEW(emulator->arena, struct kernel);
    struct decoder decoder = {.emulator = emulator, .kernel = kernel, .error = error};
    size_t length;
    kernel->name = LLVMGetValueName2(function, &length);
    kernel->function = function;
    kernel->required_threads = parse_threads(function);
    kernel->resident_blocks = launch_bound(function, BOUND_BLOCKS);
    unsigned cluster = launch_bound(function, BOUND_CLUSTER);
    kernel->cluster = cluster ? cluster : 1;
    kernel->parameter_count = LLVMCountParams(function);
    kernel->parameters = ARENA_ARRAY(emulator->arena, struct operand, kernel->parameter_count + 1);
    for (unsigned i = 0; i < kernel->parameter_count; i++) {
        kernel->parameters[i] = decode_parameter(&decoder, LLVMGetParam(function, i), i);
    }
    decode_blocks(&decoder, function);
    if (error->length == 0) {
        decode_flights(&decoder);
    }
    map_free(&decoder.registers);
    map_free(&decoder.blocks);
    map_free(&decoder.addresses);
    kernel->scratch_bytes += 4096;
    return kernel;
}
