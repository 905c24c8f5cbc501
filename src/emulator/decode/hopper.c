// Hopper's asynchronous instructions, and those that order them: rows of asm.def, recognised by their whole
// text, with the operands in the row's constraints.
#include "emulator/decode/decode.h"

#include <string.h>

#include "emulator/memory/memory.h"
#include "emulator/nvidia/nvidia.h"

static const struct assembly_row rows[] = {
    {ASM_WGMMA_COMMIT, exec_wgmma_commit, KIND_MATRIX, 0},
    {ASM_FENCE_PROXY_ASYNC, exec_proxy_fence, KIND_BARRIER, 0},
    {ASM_FENCE_PROXY_ASYNC_GLOBAL, exec_proxy_fence_global, KIND_BARRIER, 0},
    {ASM_MBARRIER_INIT, exec_mbarrier_init, KIND_BARRIER, 0},
    {ASM_MBARRIER_FENCE_INIT, exec_mbarrier_fence, KIND_BARRIER, 0},
    {ASM_MBARRIER_EXPECT, exec_mbarrier_expect, KIND_BARRIER, 0},
    {ASM_MBARRIER_ARRIVE, exec_mbarrier_arrive, KIND_BARRIER, 0},
    {ASM_MBARRIER_WAIT, exec_mbarrier_wait, KIND_BARRIER, 0},
    {ASM_MBARRIER_ARRIVE_CLUSTER, exec_mbarrier_arrive_mapped, KIND_BARRIER, 0},
    {ASM_MBARRIER_WAIT_CLUSTER, exec_mbarrier_wait, KIND_BARRIER, 0},
    {ASM_MAP_ADDRESS, exec_map_address, KIND_INTEGER, 0},
    {ASM_CLUSTER_MEET, exec_cluster_meet, KIND_BARRIER, 0},
    {ASM_TENSOR_MAP_PREFETCH, exec_tensor_prefetch, KIND_ASYNC, 0},
    {ASM_LAUNCH_ASK, exec_launch_ask, KIND_ASYNC, 0},
    {ASM_LAUNCH_ASK_PAIR, exec_launch_ask, KIND_ASYNC, 1},
    {ASM_LAUNCH_NUMBER, exec_launch_number, KIND_SPECIAL, 0},
    {ASM_LAUNCH_LOOK, exec_launch_look, KIND_ATOMIC, 0},
    {ASM_LAUNCH_JOIN, exec_launch_join, KIND_ATOMIC, 0},
    {ASM_LAUNCH_TAKE, exec_launch_take, KIND_ATOMIC, 0},
    {ASM_LAUNCH_LEAVE, exec_launch_leave, KIND_ATOMIC, 0},
    {ASM_LAUNCH_READ, exec_launch_read, KIND_ASYNC, 0},
    {ASM_TMA_LOAD_1D, exec_tensor_load, KIND_ASYNC, 1},
    {ASM_TMA_LOAD_2D, exec_tensor_load, KIND_ASYNC, 2},
    {ASM_TMA_LOAD_3D, exec_tensor_load, KIND_ASYNC, 3},
    {ASM_TMA_LOAD_4D, exec_tensor_load, KIND_ASYNC, 4},
    {ASM_TMA_LOAD_5D, exec_tensor_load, KIND_ASYNC, 5},
    {ASM_TMA_OWN_1D, exec_tensor_load, KIND_ASYNC, 1},
    {ASM_TMA_OWN_2D, exec_tensor_load, KIND_ASYNC, 2},
    {ASM_TMA_OWN_3D, exec_tensor_load, KIND_ASYNC, 3},
    {ASM_TMA_OWN_4D, exec_tensor_load, KIND_ASYNC, 4},
    {ASM_TMA_OWN_5D, exec_tensor_load, KIND_ASYNC, 5},
    {ASM_TMA_PAIR_2D, exec_tensor_load, KIND_ASYNC, 2 | TENSOR_PAIR},
    {ASM_TMA_PAIR_3D, exec_tensor_load, KIND_ASYNC, 3 | TENSOR_PAIR},
    {ASM_TMA_PAIR_4D, exec_tensor_load, KIND_ASYNC, 4 | TENSOR_PAIR},
    {ASM_TMA_PAIR_5D, exec_tensor_load, KIND_ASYNC, 5 | TENSOR_PAIR},
    {ASM_BULK_LOAD, exec_bulk_load, KIND_ASYNC, 0},
    {ASM_BULK_OWN, exec_bulk_load, KIND_ASYNC, 0},
    {ASM_TMA_STORE_1D, exec_tensor_store, KIND_ASYNC, 1},
    {ASM_TMA_STORE_2D, exec_tensor_store, KIND_ASYNC, 2},
    {ASM_TMA_STORE_3D, exec_tensor_store, KIND_ASYNC, 3},
    {ASM_TMA_STORE_4D, exec_tensor_store, KIND_ASYNC, 4},
    {ASM_TMA_STORE_5D, exec_tensor_store, KIND_ASYNC, 5},
    {ASM_TMA_ADD_2D, exec_tensor_add, KIND_ASYNC, 2},
    {ASM_TMA_ADD_3D, exec_tensor_add, KIND_ASYNC, 3},
    {ASM_TMA_ADD_4D, exec_tensor_add, KIND_ASYNC, 4},
    {ASM_TMA_ADD_5D, exec_tensor_add, KIND_ASYNC, 5},
    {ASM_BULK_COMMIT, exec_bulk_commit, KIND_ASYNC, 0},
    {ASM_BULK_WAIT_READ, exec_bulk_wait_read, KIND_ASYNC, 0},
    {ASM_BULK_WAIT, exec_bulk_wait, KIND_ASYNC, 0},
    {ASM_GRID_WAIT, exec_grid_wait, KIND_BARRIER, 0},
    {ASM_GRID_TRIGGER, exec_grid_trigger, KIND_BARRIER, 0},
    {ASM_ELECT, exec_elect_lane, KIND_SHUFFLE, 0},
    {ASM_SETMAXNREG_INC, exec_setmaxnreg, KIND_SPECIAL, 1},
    {ASM_SETMAXNREG_DEC, exec_setmaxnreg, KIND_SPECIAL, 0},
};

bool decode_hopper(struct decoder *decoder, LLVMValueRef call, const char *text) {
    struct kernel *kernel = decoder->kernel;
    const struct assembly_row *row;
    struct instr *in = decode_row(decoder, call, text, rows, sizeof rows / sizeof *rows, &row);
    if (!in) {
        return false;
    }
    if (row->id == ASM_SETMAXNREG_INC && in->operands[0].constant > kernel->most_registers) {
        kernel->most_registers = (uint32_t)in->operands[0].constant;
    }
    kernel->asks |= row->exec == exec_launch_ask;
    kernel->has_agents |= row->exec == exec_tensor_load || row->exec == exec_bulk_load ||
                          row->exec == exec_tensor_store || row->exec == exec_tensor_add ||
                          row->exec == exec_launch_ask;
    return true;
}
