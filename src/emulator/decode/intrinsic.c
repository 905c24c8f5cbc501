// Calls of functions: the table intrinsics.def, and the families with a shape in their names.
#include "emulator/decode/decode.h"

#include <stdlib.h>
#include <string.h>

#include "emulator/amd/amd.h"
#include "emulator/execute/execute.h"
#include "emulator/memory/memory.h"
#include "emulator/nvidia/nvidia.h"

// A row's properties besides its function.
enum call_flags {
    CALL_BLEND = 1,   // elementwise: the caller keeps inactive lanes
    CALL_OMIT = 2,    // no effect: emit nothing
    CALL_ALIAS = 4,   // the result is the first operand
    CALL_WORD = 8,    // knows results of 32 bits only
    CALL_FORMAT = 16, // the first operand is a constant text
};

struct row {
    const char *name;
    exec_fn *exec;
    enum instr_kind kind;
    int64_t immediate;
    unsigned flags;
};

static const struct row rows[] = {
#define ROW(name, exec, kind, immediate, flags) {name, exec, kind, immediate, flags},
#include "emulator/decode/intrinsics.def"
#undef ROW
};

static const struct row *find_row(const char *name) {
    const struct row *best = NULL;
    size_t best_length = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t length = strlen(rows[i].name);
        if (length > best_length && !strncmp(name, rows[i].name, length) &&
            (name[length] == 0 || name[length] == '.')) {
            best = &rows[i];
            best_length = length;
        }
    }
    return best;
}

static const char *after(const char *name, const char *prefix) {
    size_t length = strlen(prefix);
    return strncmp(name, prefix, length) ? NULL : name + length;
}

// Behind a, b and c: cbsz, abid, blgp, which are not known; of instructions with scales cbsz and blgp, the formats of a and b.
static const void *decode_mfma(struct decoder *decoder, LLVMValueRef call, const char *name) {
    bool scaled = after(name, "scale.");
    unsigned modifiers[3];
    for (unsigned i = 0; i < 3; i++) {
        modifiers[i] = (unsigned)decode_operand(decoder, LLVMGetOperand(call, 3 + i)).constant;
    }
    if (!scaled && (modifiers[0] || modifiers[1] || modifiers[2])) {
        return NULL;
    }
    return mfma_parse(decoder->emulator->arena, decoder->emulator, name, modifiers);
}

static bool decode_matrix(struct decoder *decoder, LLVMValueRef call, const char *name) {
    struct arena *arena = decoder->emulator->arena;
    const char *rest;
    const void *extra = NULL;
    exec_fn *exec = exec_mma;
    if ((rest = after(name, "llvm.nvvm.mma."))) {
        extra = mma_parse(arena, rest);
    } else if ((rest = after(name, "llvm.amdgcn.mfma."))) {
        extra = decode_mfma(decoder, call, rest);
        exec = exec_mfma;
    } else if ((rest = after(name, "llvm.amdgcn.wmma."))) {
        extra = wmma_parse(arena, decoder->emulator, rest, false);
        exec = exec_wmma;
    } else {
        return false;
    }
    if (!extra) {
        decode_refuse(decoder, call, "the emulator does not know the matrix operation %s", name);
        return true;
    }
    decode_call(decoder, call, exec, KIND_MATRIX, false)->extra = extra;
    return true;
}

// llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4[.trans].b16.p3
static bool decode_ldmatrix(struct decoder *decoder, LLVMValueRef call, const char *name) {
    const char *rest = after(name, "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x");
    if (!rest) {
        return false;
    }
    struct instr *in = decode_call(decoder, call, exec_ldmatrix, KIND_SHARED_LOAD, false);
    in->immediate = (rest[0] - '0') | (strstr(rest, ".trans") ? 16 : 0);
    return true;
}

// llvm.nvvm.cp.async.{ca,cg}.shared.global.{4,8,16}[.s](target, source [, bytes]); wait.group(n)
static bool decode_async(struct decoder *decoder, LLVMValueRef call, const char *name) {
    const char *rest = after(name, "llvm.nvvm.cp.async.c");
    if (after(name, "llvm.nvvm.cp.async.wait.group")) {
        struct instr *in = decode_call(decoder, call, exec_async_wait, KIND_ASYNC, false);
        in->immediate = (int64_t)in->operands[0].constant;
        return true;
    }
    if (!rest || !(rest = strstr(rest, "shared.global."))) {
        return false;
    }
    struct instr *in = decode_call(decoder, call, exec_async_copy, KIND_ASYNC, false);
    in->immediate = strtol(rest + strlen("shared.global."), NULL, 10);
    in->variant = in->operand_count > 2;
    in->source_bytes = in->operands[0].shape.bytes;
    in->src[0] = in->operands[1].reg;
    in->src[1] = in->operands[0].reg;
    return true;
}

// Integer operations compute in 64 bits; those with a {value, flag} result support no vectors.
static void check_shape(struct decoder *decoder, LLVMValueRef call, const char *name, const struct row *row) {
    LLVMTypeRef type = LLVMTypeOf(call);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind) {
        return;
    }
    unsigned count;
    const struct operand *fields = decode_fields(decoder, type, &count);
    const struct shape *shape = &fields[0].shape;
    bool integers = row->kind == KIND_INTEGER && (shape->bits > 64 || (count > 1 && shape->components > 1));
    bool words = row->flags & CALL_WORD && (shape->bits != 32 || shape->components != 1);
    if (!integers && !words) {
        return;
    }
    char *text = LLVMPrintTypeToString(type);
    decode_refuse(decoder, call, "the emulator does not know %s with a result of type %s", name, text);
    LLVMDisposeMessage(text);
}

// The text of the global in the call's first operand.
static const char *constant_text(struct decoder *decoder, LLVMValueRef call) {
    LLVMValueRef global = LLVMGetOperand(call, 0);
    LLVMValueRef text = LLVMIsAGlobalVariable(global) ? LLVMGetInitializer(global) : NULL;
    if (text && LLVMIsAConstantAggregateZero(text)) {
        return "";
    }
    if (!text || !LLVMIsAConstantDataArray(text) || !LLVMIsConstantString(text)) {
        decode_refuse(decoder, call, "the emulator wants a constant text first");
        return "";
    }
    size_t length;
    const char *bytes = LLVMGetAsString(text, &length);
    return arena_strndup(decoder->emulator->arena, bytes, strnlen(bytes, length));
}

void decode_intrinsic(struct decoder *decoder, LLVMValueRef call, const char *name) {
    if (decode_matrix(decoder, call, name) || decode_ldmatrix(decoder, call, name) ||
        decode_async(decoder, call, name)) {
        return;
    }
    const struct row *row = find_row(name);
    if (!row) {
        decode_refuse(decoder, call, "the emulator does not know the operation %s", name);
        return;
    }
    if (row->flags & CALL_OMIT) {
        return;
    }
    check_shape(decoder, call, name, row);
    struct instr *in = decode_call(decoder, call, row->flags & CALL_ALIAS ? exec_move : row->exec, row->kind,
                                   row->flags & (CALL_BLEND | CALL_ALIAS));
    in->immediate = row->immediate;
    if (row->flags & CALL_FORMAT) {
        in->extra = constant_text(decoder, call);
    }
    // A shuffle with a second result, "its lane was in range", returns {value, predicate}.
    in->variant = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMStructTypeKind;
}
