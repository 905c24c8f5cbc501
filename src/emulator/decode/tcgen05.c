// Blackwell's tensor memory: rows of asm.def, recognised by their whole text, and composed moves (chip/tcgen05.h).
#include "emulator/decode/decode.h"

#include <string.h>

#include "chip/tcgen05.h"
#include "emulator/nvidia/nvidia.h"

static const struct assembly_row rows[] = {
    {ASM_TCGEN05_ALLOC, exec_tmem_alloc, KIND_SPECIAL, 0},
    {ASM_TCGEN05_RELINQUISH, exec_tmem_relinquish, KIND_SPECIAL, 0},
    {ASM_TCGEN05_FREE, exec_tmem_free, KIND_SPECIAL, 0},
    {ASM_TCGEN05_FENCE_BEFORE, exec_tmem_before, KIND_BARRIER, 0},
    {ASM_TCGEN05_FENCE_AFTER, exec_tmem_after, KIND_BARRIER, 0},
    {ASM_TCGEN05_WAIT_STORE, exec_tmem_wait_store, KIND_BARRIER, 0},
    {ASM_TCGEN05_MMA_F16, exec_tmem_multiply, KIND_MATRIX, TMEM_F16},
    {ASM_TCGEN05_MMA_LEFT_F16, exec_tmem_multiply, KIND_MATRIX, TMEM_F16 | TMEM_LEFT},
    {ASM_TCGEN05_MMA_TF32, exec_tmem_multiply, KIND_MATRIX, TMEM_TF32},
    {ASM_TCGEN05_MMA_F8F6F4, exec_tmem_multiply, KIND_MATRIX, TMEM_F8F6F4},
    {ASM_TCGEN05_MMA_I8, exec_tmem_multiply, KIND_MATRIX, TMEM_I8},
    {ASM_TCGEN05_MMA_MXF8F6F4, exec_tmem_multiply, KIND_MATRIX, TMEM_MXF8F6F4},
    {ASM_TCGEN05_MMA_MXF4, exec_tmem_multiply, KIND_MATRIX, TMEM_MXF4},
    {ASM_TCGEN05_MMA_MXF4NVF4, exec_tmem_multiply, KIND_MATRIX, TMEM_MXF4NVF4},
    {ASM_TCGEN05_MMA_MXF8F6F4_OLD, exec_tmem_multiply, KIND_MATRIX, TMEM_MXF8F6F4},
    {ASM_TCGEN05_MMA_MXF4_OLD, exec_tmem_multiply, KIND_MATRIX, TMEM_MXF4},
    {ASM_TCGEN05_MMA_MXF4NVF4_OLD, exec_tmem_multiply, KIND_MATRIX, TMEM_MXF4NVF4},
    {ASM_TCGEN05_COPY_SCALES, exec_tmem_copy_scales, KIND_SPECIAL, 0},
    {ASM_TCGEN05_COMMIT, exec_tmem_commit, KIND_BARRIER, 0},
    {ASM_TCGEN05_PAIR_ALLOC, exec_tmem_alloc, KIND_SPECIAL, TMEM_PAIR},
    {ASM_TCGEN05_PAIR_RELINQUISH, exec_tmem_relinquish, KIND_SPECIAL, TMEM_PAIR},
    {ASM_TCGEN05_PAIR_FREE, exec_tmem_free, KIND_SPECIAL, TMEM_PAIR},
    {ASM_TCGEN05_PAIR_F16, exec_tmem_multiply, KIND_MATRIX, TMEM_F16 | TMEM_PAIR},
    {ASM_TCGEN05_PAIR_TF32, exec_tmem_multiply, KIND_MATRIX, TMEM_TF32 | TMEM_PAIR},
    {ASM_TCGEN05_PAIR_F8F6F4, exec_tmem_multiply, KIND_MATRIX, TMEM_F8F6F4 | TMEM_PAIR},
    {ASM_TCGEN05_PAIR_I8, exec_tmem_multiply, KIND_MATRIX, TMEM_I8 | TMEM_PAIR},
    {ASM_TCGEN05_PAIR_MXF8F6F4, exec_tmem_multiply, KIND_MATRIX, TMEM_MXF8F6F4 | TMEM_PAIR},
    {ASM_TCGEN05_PAIR_MXF4, exec_tmem_multiply, KIND_MATRIX, TMEM_MXF4 | TMEM_PAIR},
    {ASM_TCGEN05_PAIR_MXF4NVF4, exec_tmem_multiply, KIND_MATRIX, TMEM_MXF4NVF4 | TMEM_PAIR},
    {ASM_TCGEN05_PAIR_MXF8F6F4_OLD, exec_tmem_multiply, KIND_MATRIX, TMEM_MXF8F6F4 | TMEM_PAIR},
    {ASM_TCGEN05_PAIR_MXF4_OLD, exec_tmem_multiply, KIND_MATRIX, TMEM_MXF4 | TMEM_PAIR},
    {ASM_TCGEN05_PAIR_MXF4NVF4_OLD, exec_tmem_multiply, KIND_MATRIX, TMEM_MXF4NVF4 | TMEM_PAIR},
    {ASM_TCGEN05_PAIR_COPY_SCALES, exec_tmem_copy_scales, KIND_SPECIAL, TMEM_PAIR},
    {ASM_TCGEN05_PAIR_LEFT_F16, exec_tmem_multiply, KIND_MATRIX, TMEM_F16 | TMEM_LEFT | TMEM_PAIR},
    {ASM_TCGEN05_PAIR_COMMIT, exec_tmem_commit, KIND_BARRIER, TMEM_PAIR},
};

bool decode_tcgen05(struct decoder *decoder, LLVMValueRef call, const char *text, const char *constraints) {
    struct tcgen05_move move;
    const struct assembly_row *row;
    struct instr *in = decode_row(decoder, call, text, rows, sizeof rows / sizeof *rows, &row);
    if (!in && !tcgen05_parse(text, strlen(text), constraints, &move)) {
        return false;
    }
    if (!in) {
        exec_fn *exec = move.move == TENSOR_LOAD        ? exec_tmem_load
                        : move.move == TENSOR_LOAD_WAIT ? exec_tmem_wait_load
                                                        : exec_tmem_store;
        in = decode_call(decoder, call, exec, KIND_SPECIAL, false);
        in->immediate = move.words | (move.move == TENSOR_STORE_HALVES ? TMEM_HALVES : 0);
    }
    decoder->kernel->has_products = decoder->kernel->has_agents = true;
    return true;
}
