// Hopper's instructions that work beside the program or order what does: rows of asm.def, recognised by their whole
// text, with the operands that the row's constraints name.
#include "emulator/decode/decode.h"

#include <string.h>

#include "chip/asm.h"
#include "emulator/memory/memory.h"
#include "emulator/nvidia/nvidia.h"

static const struct {
    enum asm_id id;
    exec_fn *exec;
    enum instr_kind kind;
    int64_t immediate;
} rows[] = {
    {ASM_WGMMA_COMMIT, exec_wgmma_commit, KIND_MATRIX, 0},
    {ASM_FENCE_PROXY_ASYNC, exec_proxy_fence, KIND_BARRIER, 0},
    {ASM_MBARRIER_INIT, exec_unmodelled, KIND_BARRIER, 0},
    {ASM_MBARRIER_FENCE_INIT, exec_unmodelled, KIND_BARRIER, 0},
    {ASM_MBARRIER_EXPECT, exec_unmodelled, KIND_BARRIER, 0},
    {ASM_MBARRIER_ARRIVE, exec_unmodelled, KIND_BARRIER, 0},
    {ASM_MBARRIER_WAIT, exec_unmodelled, KIND_BARRIER, 0},
    {ASM_TMA_LOAD_1D, exec_unmodelled, KIND_ASYNC, 1},
    {ASM_TMA_LOAD_2D, exec_unmodelled, KIND_ASYNC, 2},
    {ASM_TMA_LOAD_3D, exec_unmodelled, KIND_ASYNC, 3},
    {ASM_TMA_LOAD_4D, exec_unmodelled, KIND_ASYNC, 4},
    {ASM_TMA_LOAD_5D, exec_unmodelled, KIND_ASYNC, 5},
    {ASM_TMA_STORE_1D, exec_unmodelled, KIND_ASYNC, 1},
    {ASM_TMA_STORE_2D, exec_unmodelled, KIND_ASYNC, 2},
    {ASM_TMA_STORE_3D, exec_unmodelled, KIND_ASYNC, 3},
    {ASM_TMA_STORE_4D, exec_unmodelled, KIND_ASYNC, 4},
    {ASM_TMA_STORE_5D, exec_unmodelled, KIND_ASYNC, 5},
    {ASM_BULK_COMMIT, exec_unmodelled, KIND_ASYNC, 0},
    {ASM_BULK_WAIT_READ, exec_unmodelled, KIND_ASYNC, 0},
    {ASM_BULK_WAIT, exec_unmodelled, KIND_ASYNC, 0},
    {ASM_SETMAXNREG_INC, exec_unmodelled, KIND_SPECIAL, 0},
    {ASM_SETMAXNREG_DEC, exec_unmodelled, KIND_SPECIAL, 0},
};

bool decode_hopper(struct decoder *decoder, LLVMValueRef call, const char *text) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(text, asm_table[rows[i].id].text))
            continue;
        decode_call(decoder, call, rows[i].exec, rows[i].kind, false)->immediate = rows[i].immediate;
        return true;
    }
    return false;
}
