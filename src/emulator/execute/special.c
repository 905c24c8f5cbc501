// Special registers: thread and program ids, and the grid's size.
#include "emulator/execute/execute.h"

#include <time.h>

void exec_special(struct warp *warp, const struct instr *in, void *dst) {
    const struct run *run = warp->run;
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        uint64_t value = 0;
        switch ((enum special_register)in->immediate) {
        case SPECIAL_THREAD_X:
            value = (uint64_t)own_index(warp) * warp->lanes + lane;
            break;
        case SPECIAL_THREADS_X:
            value = run->threads;
            break;
        case SPECIAL_THREADS_Y:
        case SPECIAL_THREADS_Z:
            value = 1;
            break;
        case SPECIAL_PROGRAM_X:
            value = warp->block->program[0] + warp->rank;
            break;
        case SPECIAL_PROGRAM_Y:
            value = warp->block->program[1];
            break;
        case SPECIAL_PROGRAM_Z:
            value = warp->block->program[2];
            break;
        case SPECIAL_GRID_X:
            value = run->launch->grid[0];
            break;
        case SPECIAL_GRID_Y:
            value = run->launch->grid[1];
            break;
        case SPECIAL_GRID_Z:
            value = run->launch->grid[2];
            break;
        case SPECIAL_LANE:
            value = lane;
            break;
        case SPECIAL_WARP:
            value = own_index(warp);
            break;
        case SPECIAL_WARP_SIZE:
            value = warp->lanes;
            break;
        case SPECIAL_LANE_MASK_LT:
            value = ((uint64_t)1 << lane) - 1;
            break;
        case SPECIAL_CLOCK: {
            struct timespec time;
            clock_gettime(CLOCK_MONOTONIC, &time);
            value = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
            break;
        }
        default:
            break;
        }
        memcpy((uint8_t *)dst + (size_t)lane * in->bytes, &value, in->bytes);
    }
}
