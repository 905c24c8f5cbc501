// Blackwell's tensor memory: rows of asm.def, recognised by their whole text, and composed moves (chip/tcgen05.h).
#include "emulator/decode/decode.h"

#include <string.h>

#include "chip/asm.h"
#include "chip/tcgen05.h"
#include "emulator/nvidia/nvidia.h"

static const struct {
    enum asm_id id;
    exec_fn *exec;
    enum instr_kind kind;
    int64_t immediate;
} rows[] = {
    {ASM_TCGEN05_ALLOC, exec_tmem_alloc, KIND_SPECIAL, 0},
    {ASM_TCGEN05_RELINQUISH, exec_tmem_relinquish, KIND_SPECIAL, 0},
    {ASM_TCGEN05_FREE, exec_tmem_free, KIND_SPECIAL, 0},
    {ASM_TCGEN05_FENCE_BEFORE, exec_tmem_before, KIND_BARRIER, 0},
    {ASM_TCGEN05_FENCE_AFTER, exec_tmem_after, KIND_BARRIER, 0},
    {ASM_TCGEN05_WAIT_STORE, exec_tmem_wait_store, KIND_BARRIER, 0},
    {ASM_TCGEN05_MMA_F16, exec_tmem_multiply, KIND_MATRIX, TMEM_F16},
    {ASM_TCGEN05_MMA_TF32, exec_tmem_multiply, KIND_MATRIX, TMEM_TF32},
    {ASM_TCGEN05_MMA_F8F6F4, exec_tmem_multiply, KIND_MATRIX, TMEM_F8F6F4},
    {ASM_TCGEN05_MMA_I8, exec_tmem_multiply, KIND_MATRIX, TMEM_I8},
    {ASM_TCGEN05_COMMIT, exec_tmem_commit, KIND_BARRIER, 0},
};

static void emit(struct decoder *decoder, LLVMValueRef call, exec_fn *exec, enum instr_kind kind,
                 int64_t immediate) {
    struct instr *in = decode_call(decoder, call, exec, kind, false);
    in->immediate = immediate;
    decoder->kernel->has_products = decoder->kernel->has_agents = true;
}

bool decode_tcgen05(struct decoder *decoder, LLVMValueRef call, const char *text, const char *constraints) {
    struct tcgen05_move move;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(text, asm_table[rows[i].id].text) == 0) {
            emit(decoder, call, rows[i].exec, rows[i].kind, rows[i].immediate);
            return true;
        }
    }
    if (!tcgen05_parse(text, strlen(text), constraints, &move)) {
        return false;
    }
    exec_fn *exec = move.move == TENSOR_LOAD    ? exec_tmem_load
                    : move.move == TENSOR_STORE ? exec_tmem_store
                                                : exec_tmem_wait_load;
    emit(decoder, call, exec, KIND_SPECIAL, move.words);
    return true;
}
