// Decoding of the instructions other than control flow: a row for each LLVM opcode, with a function to choose
// the executing one.
#include "emulator/decode/decode.h"

#include <stdlib.h>
#include <string.h>

#include "chip/sync_scope.h"
#include "emulator/execute/execute.h"
#include "emulator/machine/machine.h"
#include "emulator/memory/memory.h"

static void set_sources(struct decoder *decoder, struct instr *in, const struct operand *operands,
                        unsigned count) {
    (void)decoder;
    for (unsigned i = 0; i < count && i < 4; i++) {
        in->src[i] = operands[i].reg;
    }
    in->source_bytes = operands[0].shape.bytes;
    in->source_bits = operands[0].shape.bits;
    in->source_element = operands[0].shape.kind;
}

// Operands first: a constant operand may be decoded on the way, but emits no code.
static struct instr *emit_simple(struct decoder *decoder, LLVMValueRef value, exec_fn *exec,
                                 enum instr_kind kind, unsigned operand_count) {
    struct operand operands[4];
    for (unsigned i = 0; i < operand_count; i++) {
        operands[i] = decode_operand(decoder, LLVMGetOperand(value, i));
    }
    struct instr *in = decode_emit(decoder, value, exec, kind);
    set_sources(decoder, in, operands, operand_count);
    return in;
}

static void decode_integer(struct decoder *decoder, LLVMValueRef value) {
    struct instr *in = emit_simple(decoder, value, exec_integer, KIND_INTEGER, 2);
    in->variant = (uint8_t)LLVMGetInstructionOpcode(value);
    if (in->bytes == 16) {
        in->exec = exec_integer_wide;
    } else if (in->bits == 32 && map_has(&decoder->addresses, value)) {
        in->exec = exec_integer_checked;
    }
}

static void decode_float(struct decoder *decoder, LLVMValueRef value) {
    struct instr *in = emit_simple(decoder, value, exec_float, KIND_FLOAT, 2);
    in->variant = (uint8_t)LLVMGetInstructionOpcode(value);
}

static void decode_negate(struct decoder *decoder, LLVMValueRef value) {
    emit_simple(decoder, value, exec_negate, KIND_FLOAT, 1);
}

static void decode_integer_compare(struct decoder *decoder, LLVMValueRef value) {
    struct instr *in = emit_simple(decoder, value, exec_compare_integer, KIND_COMPARE, 2);
    in->variant = (uint8_t)LLVMGetICmpPredicate(value);
}

static void decode_float_compare(struct decoder *decoder, LLVMValueRef value) {
    struct instr *in = emit_simple(decoder, value, exec_compare_float, KIND_COMPARE, 2);
    in->variant = (uint8_t)LLVMGetFCmpPredicate(value);
}

static void decode_select(struct decoder *decoder, LLVMValueRef value) {
    struct operand condition = decode_operand(decoder, LLVMGetOperand(value, 0));
    uint32_t yes = decode_operand(decoder, LLVMGetOperand(value, 1)).reg;
    uint32_t no = decode_operand(decoder, LLVMGetOperand(value, 2)).reg;
    uint32_t dst = decode_result(decoder, value);
    unsigned count;
    const struct operand *fields = decode_fields(decoder, LLVMTypeOf(value), &count);
    for (unsigned i = 0; i < count; i++) {
        uint32_t offset = fields[i].reg;
        struct instr *in = decode_emit(decoder, value, exec_select, KIND_SELECT);
        decode_set_result(decoder, in, (struct operand){.reg = dst + offset, .shape = fields[i].shape});
        in->blend = true;
        in->src[0] = condition.reg;
        in->src[1] = yes + offset;
        in->src[2] = no + offset;
        in->variant = condition.shape.components > 1;
    }
}

// Signed integers wider than 64 bits are not extended, nor any converted to and from floats; a bitcast goes
// through 1,024 bytes.
static void check_cast(struct decoder *decoder, LLVMValueRef value, const struct instr *in,
                       struct shape from) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    unsigned bits = in->exec == exec_float_to_integer                         ? in->bits
                    : in->exec == exec_integer_to_float || opcode == LLVMSExt ? from.bits
                                                                              : 0;
    if (bits > 64) {
        decode_refuse(decoder, value,
                      "this conversion of an integer of %u bits is not supported; the limit is 64", bits);
    }
    if (in->exec == exec_repack && from.components * from.bytes > 1024) {
        decode_refuse(decoder, value, "bitcasts of more than 1024 bytes are not supported");
    }
    if (opcode == LLVMAddrSpaceCast && (from.bytes != 8 || in->bytes != 8)) {
        decode_refuse(decoder, value, "address spaces %u and %u cannot be cast to each other", from.space,
                      LLVMGetPointerAddressSpace(LLVMTypeOf(value)));
    }
}

static void decode_cast(struct decoder *decoder, LLVMValueRef value) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    struct operand from = decode_operand(decoder, LLVMGetOperand(value, 0));
    exec_fn *exec = exec_convert_integer;
    switch (opcode) {
    case LLVMFPTrunc:
    case LLVMFPExt:
        exec = exec_float_to_float;
        break;
    case LLVMFPToSI:
    case LLVMFPToUI:
        exec = exec_float_to_integer;
        break;
    case LLVMSIToFP:
    case LLVMUIToFP:
        exec = exec_integer_to_float;
        break;
    case LLVMBitCast:
        exec = exec_repack;
        break;
    default:
        break;
    }
    struct instr *in = decode_emit(decoder, value, exec, KIND_CONVERT);
    set_sources(decoder, in, &from, 1);
    check_cast(decoder, value, in, from.shape);
    in->operand_count = from.shape.components;
    in->variant = (uint8_t)opcode;
    if (opcode == LLVMAddrSpaceCast) {
        uint64_t window = 0;
        unsigned to = LLVMGetPointerAddressSpace(LLVMTypeOf(value));
        if ((from.shape.space == SPACE_SHARED) != (to == SPACE_SHARED)) {
            window = (uint64_t)REGION_SHARED << REGION_SHIFT;
        }
        in->exec = exec_pointer_offset;
        in->immediate = to == SPACE_SHARED ? -(int64_t)window : (int64_t)window;
        if (to != SPACE_SHARED && to != SPACE_GENERIC && from.shape.space == SPACE_SHARED) {
            decode_refuse(decoder, value, "a shared-memory pointer cannot be cast to address space %u", to);
        }
    }
}

// base + Σ index × scale + constant, one instruction for each index that is not a constant.
static void decode_gep(struct decoder *decoder, LLVMValueRef value) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(value);
    LLVMTargetDataRef layout = decoder->emulator->layout;
    struct operand base = decode_operand(decoder, LLVMGetOperand(value, 0));
    struct operand indices[8];
    int64_t scales[8], constant = 0;
    unsigned dynamic = 0;
    for (int i = 1; i < LLVMGetNumOperands(value); i++) {
        LLVMValueRef index = LLVMGetOperand(value, (unsigned)i);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            constant += (int64_t)LLVMOffsetOfElement(layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 1) {
            type = LLVMGetElementType(type);
        }
        int64_t scale = (int64_t)LLVMABISizeOfType(layout, type);
        if (LLVMIsAConstantInt(index)) {
            constant += LLVMConstIntGetSExtValue(index) * scale;
            continue;
        }
        if (dynamic == 8) {
            decode_refuse(decoder, value, "getelementptr with more than 8 variable indices is not supported");
            return;
        }
        indices[dynamic] = decode_operand(decoder, index);
        if (indices[dynamic].shape.bits > 64) {
            decode_refuse(decoder, value, "getelementptr with an index of %u bits is not supported",
                          indices[dynamic].shape.bits);
        }
        scales[dynamic++] = scale;
    }
    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind || base.shape.bytes != 8) {
        decode_refuse(decoder, value,
                      "getelementptr on vectors of pointers and on buffer resources is not supported");
        return;
    }
    for (unsigned i = 0; i < (dynamic ? dynamic : 1); i++) {
        struct instr *in = decode_emit(decoder, value, dynamic ? exec_gep : exec_gep_constant, KIND_INTEGER);
        in->src[0] = i == 0 ? base.reg : in->dst;
        in->source_bytes = 8;
        in->align = in->bits;
        if (dynamic) {
            in->src[1] = indices[i].reg;
            in->source_bytes = indices[i].shape.bytes;
            in->source_bits = indices[i].shape.bits;
            in->extra = (const void *)(uintptr_t)scales[i];
        }
        in->immediate = i == 0 ? constant : 0;
    }
}

static enum instr_kind memory_kind(unsigned space, bool write) {
    switch (space) {
    case SPACE_SHARED:
        return write ? KIND_SHARED_STORE : KIND_SHARED_LOAD;
    case SPACE_LOCAL:
        return KIND_LOCAL;
    default:
        return write ? KIND_GLOBAL_STORE : KIND_GLOBAL_LOAD;
    }
}

// A volatile access is a relaxed one.
static void set_order(struct instr *in, LLVMAtomicOrdering ordering) {
    static const struct {
        const char *prefix; // AMD's names go on with "-one-as" for an order of one address space
        uint8_t scope;
    } scopes[] = {{"singlethread", SCOPE_WARP}, {"wavefront", SCOPE_WARP}, {"workgroup", SCOPE_BLOCK},
                  {"block", SCOPE_BLOCK},       {"agent", SCOPE_DEVICE},   {"device", SCOPE_DEVICE}};
    in->scope = SCOPE_SYSTEM;
    in->ordering = (uint8_t)ordering;
    if (ordering < LLVMAtomicOrderingMonotonic) {
        return;
    }
    char name[SYNC_SCOPE_NAME];
    sync_scope_name(in->value, name);
    for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++) {
        if (!strncmp(name, scopes[i].prefix, strlen(scopes[i].prefix))) {
            in->scope = scopes[i].scope;
        }
    }
}

static bool memory_space_known(struct decoder *decoder, LLVMValueRef value, unsigned space) {
    if (space == SPACE_GENERIC || space == SPACE_GLOBAL || space == SPACE_SHARED || space == SPACE_CONSTANT ||
        space == SPACE_LOCAL) {
        return true;
    }
    decode_refuse(decoder, value, "memory accesses in address space %u are not supported", space);
    return false;
}

static void decode_memory(struct decoder *decoder, LLVMValueRef value) {
    bool write = LLVMIsAStoreInst(value);
    LLVMValueRef pointer = LLVMGetOperand(value, write ? 1 : 0);
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    struct operand address = decode_operand(decoder, pointer), data = {0};
    if (!memory_space_known(decoder, value, space)) {
        return;
    }
    LLVMTypeRef type = write ? LLVMTypeOf(LLVMGetOperand(value, 0)) : LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind || LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
        decode_refuse(decoder, value, "loads and stores of aggregates are not supported");
        return;
    }
    if (write) {
        data = decode_operand(decoder, LLVMGetOperand(value, 0));
    }
    struct instr *in = decode_emit(decoder, value, write ? exec_store : exec_load, memory_kind(space, write));
    struct shape shape = decode_shape(decoder, type);
    if (shape.components > 1 && shape.bits % 8) {
        decode_refuse(decoder, value, "vectors of %u-bit integers in memory are not supported", shape.bits);
    }
    if (shape.components * shape.bytes > 256) {
        decode_refuse(decoder, value, "accesses of more than 256 bytes are not supported");
    }
    in->blend = false;
    in->src[0] = address.reg;
    in->src[1] = data.reg;
    in->components = shape.components;
    in->bytes = shape.bytes;
    in->bits = shape.bits;
    in->space = (uint8_t)space;
    in->align = (uint16_t)LLVMGetAlignment(value);
    LLVMAtomicOrdering ordering = LLVMGetOrdering(value);
    set_order(in, !ordering && LLVMGetVolatile(value) ? LLVMAtomicOrderingMonotonic : ordering);
}

static void check_atomic(struct decoder *decoder, LLVMValueRef value, struct shape shape) {
    if (shape.components * shape.bits > 64) {
        decode_refuse(decoder, value, "atomics of %u bits are not supported; the limit is 64",
                      shape.components * shape.bits);
    }
    if (LLVMIsAAtomicCmpXchgInst(value)) {
        return;
    }
    LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(value);
    bool real = shape.kind != ELEMENT_INT && shape.kind != ELEMENT_POINTER;
    if (operation > LLVMAtomicRMWBinOpFMin || (operation >= LLVMAtomicRMWBinOpFAdd) != real) {
        if (operation != LLVMAtomicRMWBinOpXchg) {
            decode_refuse(decoder, value, "the emulator does not know this atomic operation");
        }
    }
}

static void decode_atomic(struct decoder *decoder, LLVMValueRef value) {
    bool exchange = LLVMIsAAtomicCmpXchgInst(value);
    LLVMValueRef pointer = LLVMGetOperand(value, 0);
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    struct operand operands[3];
    for (unsigned i = 0; i < (exchange ? 3u : 2u); i++) {
        operands[i] = decode_operand(decoder, LLVMGetOperand(value, i));
    }
    if (!memory_space_known(decoder, value, space)) {
        return;
    }
    check_atomic(decoder, value, operands[1].shape);
    struct instr *in =
        decode_emit(decoder, value, exchange ? exec_compare_exchange : exec_atomic, KIND_ATOMIC);
    in->blend = false;
    set_sources(decoder, in, operands, exchange ? 3 : 2);
    struct shape shape = operands[1].shape;
    in->components = shape.components;
    in->bytes = shape.bytes;
    in->bits = shape.bits;
    in->element = shape.kind;
    in->space = (uint8_t)space;
    in->align = (uint16_t)LLVMGetAlignment(value);
    in->variant = exchange ? 0 : (uint8_t)LLVMGetAtomicRMWBinOp(value);
    set_order(in, exchange ? LLVMGetCmpXchgSuccessOrdering(value) : LLVMGetOrdering(value));
}

static void decode_fence(struct decoder *decoder, LLVMValueRef value) {
    set_order(decode_emit(decoder, value, exec_fence, KIND_BARRIER), LLVMGetOrdering(value));
}

// With a variable index; with a constant one it is an alias.
static void decode_extract(struct decoder *decoder, LLVMValueRef value) {
    struct operand vector = decode_operand(decoder, LLVMGetOperand(value, 0));
    struct instr *in = emit_simple(decoder, value, exec_extract_dynamic, KIND_MOVE, 2);
    in->immediate = vector.shape.components;
    in->source_bytes = decode_operand(decoder, LLVMGetOperand(value, 1)).shape.bytes;
}

static void decode_insert(struct decoder *decoder, LLVMValueRef value) {
    struct operand operands[3];
    LLVMValueRef index = LLVMGetOperand(value, 2);
    for (unsigned i = 0; i < 3; i++) {
        operands[i] = decode_operand(decoder, LLVMGetOperand(value, i));
    }
    struct instr *in =
        decode_emit(decoder, value, LLVMIsAConstantInt(index) ? exec_insert : exec_insert_dynamic, KIND_MOVE);
    set_sources(decoder, in, operands, 3);
    in->source_bytes = operands[2].shape.bytes;
    if (LLVMIsAConstantInt(index)) {
        in->immediate = (int64_t)LLVMConstIntGetZExtValue(index);
    }
}

static void decode_insert_value(struct decoder *decoder, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value), part;
    uint32_t dst = decode_result(decoder, value);
    uint32_t from = decode_operand(decoder, LLVMGetOperand(value, 0)).reg;
    uint32_t inserted = decode_operand(decoder, LLVMGetOperand(value, 1)).reg;
    uint32_t first = decode_part(decoder, type, value, &part), end = first + decode_size(decoder, part);
    unsigned count;
    const struct operand *fields = decode_fields(decoder, type, &count);
    for (unsigned i = 0; i < count; i++) {
        uint32_t offset = fields[i].reg;
        struct instr *in = decode_emit(decoder, value, exec_move, KIND_MOVE);
        decode_set_result(decoder, in, (struct operand){.reg = dst + offset, .shape = fields[i].shape});
        in->blend = true;
        in->src[0] = offset >= first && offset < end ? inserted + (offset - first) : from + offset;
    }
}

static void decode_shuffle(struct decoder *decoder, LLVMValueRef value) {
    struct operand operands[2];
    for (unsigned i = 0; i < 2; i++) {
        operands[i] = decode_operand(decoder, LLVMGetOperand(value, i));
    }
    unsigned count = LLVMGetNumMaskElements(value);
    int *mask = ARENA_ARRAY(decoder->emulator->arena, int, count + 1);
    for (unsigned i = 0; i < count; i++) {
        mask[i] = LLVMGetMaskValue(value, i);
    }
    struct instr *in = decode_emit(decoder, value, exec_shuffle_vector, KIND_MOVE);
    set_sources(decoder, in, operands, 2);
    in->immediate = operands[0].shape.components;
    in->extra = mask;
}

static void decode_alloca(struct decoder *decoder, LLVMValueRef value) {
    LLVMValueRef number = LLVMGetOperand(value, 0);
    if (!LLVMIsAConstantInt(number)) {
        decode_refuse(decoder, value, "stack memory of variable size is not supported");
        return;
    }
    uint64_t size = LLVMABISizeOfType(decoder->emulator->layout, LLVMGetAllocatedType(value)) *
                    LLVMConstIntGetZExtValue(number);
    unsigned align = LLVMGetAlignment(value) ? LLVMGetAlignment(value) : 16;
    uint32_t at = (decoder->kernel->local_bytes + align - 1) / align * align;
    decoder->kernel->local_bytes = at + (uint32_t)size;
    struct instr *in = decode_emit(decoder, value, exec_alloca, KIND_LOCAL);
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(value));
    in->immediate = (int64_t)(at + 64 + (space == SPACE_LOCAL ? 0 : (uint64_t)REGION_LOCAL << REGION_SHIFT));
}

static void decode_call_of(struct decoder *decoder, LLVMValueRef value) {
    LLVMValueRef callee = LLVMGetCalledValue(value);
    if (LLVMIsAInlineAsm(callee)) {
        size_t length, constraint_length;
        const char *text = LLVMGetInlineAsmAsmString(callee, &length);
        const char *constraints = LLVMGetInlineAsmConstraintString(callee, &constraint_length);
        char *copy = arena_strndup(decoder->emulator->arena, text, length);
        decode_assembly(decoder, value, copy,
                        arena_strndup(decoder->emulator->arena, constraints, constraint_length));
        return;
    }
    if (!LLVMIsAFunction(callee)) {
        decode_refuse(decoder, value, "calls through pointers are not supported");
        return;
    }
    size_t length;
    decode_intrinsic(decoder, value, LLVMGetValueName2(callee, &length));
}

typedef void decode_fn(struct decoder *decoder, LLVMValueRef value);

void decode_operation(struct decoder *decoder, LLVMValueRef value) {
    // clang-format off
    static decode_fn *const rows[] = {
        [LLVMAdd] = decode_integer,   [LLVMSub] = decode_integer,   [LLVMMul] = decode_integer,
        [LLVMUDiv] = decode_integer,  [LLVMSDiv] = decode_integer,  [LLVMURem] = decode_integer,
        [LLVMSRem] = decode_integer,  [LLVMShl] = decode_integer,   [LLVMLShr] = decode_integer,
        [LLVMAShr] = decode_integer,  [LLVMAnd] = decode_integer,   [LLVMOr] = decode_integer,
        [LLVMXor] = decode_integer,   [LLVMICmp] = decode_integer_compare,
        [LLVMFAdd] = decode_float,    [LLVMFSub] = decode_float,    [LLVMFMul] = decode_float,
        [LLVMFDiv] = decode_float,    [LLVMFRem] = decode_float,    [LLVMFNeg] = decode_negate,
        [LLVMFCmp] = decode_float_compare,
        [LLVMSelect] = decode_select,
        [LLVMTrunc] = decode_cast,    [LLVMZExt] = decode_cast,     [LLVMSExt] = decode_cast,
        [LLVMFPTrunc] = decode_cast,  [LLVMFPExt] = decode_cast,    [LLVMFPToSI] = decode_cast,
        [LLVMFPToUI] = decode_cast,   [LLVMSIToFP] = decode_cast,   [LLVMUIToFP] = decode_cast,
        [LLVMPtrToInt] = decode_cast, [LLVMIntToPtr] = decode_cast, [LLVMBitCast] = decode_cast,
        [LLVMAddrSpaceCast] = decode_cast,
        [LLVMGetElementPtr] = decode_gep,
        [LLVMLoad] = decode_memory,   [LLVMStore] = decode_memory,  [LLVMAlloca] = decode_alloca,
        [LLVMAtomicRMW] = decode_atomic, [LLVMAtomicCmpXchg] = decode_atomic, [LLVMFence] = decode_fence,
        [LLVMExtractElement] = decode_extract, [LLVMInsertElement] = decode_insert,
        [LLVMInsertValue] = decode_insert_value, [LLVMShuffleVector] = decode_shuffle,
        [LLVMCall] = decode_call_of,
    };
    // clang-format on
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    if (opcode < sizeof rows / sizeof *rows && rows[opcode]) {
        rows[opcode](decoder, value);
        return;
    }
    char *text = LLVMPrintValueToString(value);
    decode_refuse(decoder, value, "instruction not supported: %.200s", text);
    LLVMDisposeMessage(text);
}
