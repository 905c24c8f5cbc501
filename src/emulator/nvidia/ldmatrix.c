// ldmatrix and stmatrix (PTX ISA, "Warp-level matrix load instruction: ldmatrix"): 8×8 matrices of 16-bit
// elements. Lane 8m + r gives the address of row r of matrix m; lane l receives elements 2 (l mod 4) and the
// next of row l / 4, or with .trans of column l / 4.
#include "emulator/nvidia/nvidia.h"

#include "emulator/memory/memory.h"
#include "emulator/report/report.h"

struct rows {
    uint16_t element[4][8][8];
};

static bool ready(struct warp *warp, const struct instr *in) {
    if (collective_check(warp, in, warp->full) && warp->full == mask_of(32)) {
        return true;
    }
    warp->state = WARP_FAULT;
    return false;
}

static uint64_t row_address(const struct warp *warp, const struct instr *in, unsigned lane) {
    uint64_t address = 0;
    memcpy(&address, (const uint8_t *)operand(warp, in, 0) + (size_t)lane * in->operands[0].shape.bytes,
           in->operands[0].shape.bytes);
    return address;
}

static void count_rows(struct warp *warp, const struct instr *in, unsigned matrices, bool write) {
    if (!warp->run->emulator->options.count) {
        return;
    }
    uint64_t address[MAX_LANES] = {0};
    for (unsigned lane = 0; lane < 8 * matrices; lane++) {
        address[lane] = row_address(warp, in, lane);
    }
    memory_count(warp, in, address, mask_of(8 * matrices), SPACE_SHARED, 16, write);
}

void exec_ldmatrix(struct warp *warp, const struct instr *in, void *dst) {
    unsigned matrices = (unsigned)in->immediate & 15;
    bool transposed = in->immediate >> 4 & 1;
    struct rows rows;
    if (!ready(warp, in)) {
        return;
    }
    count_rows(warp, in, matrices, false);
    for (unsigned lane = 0; lane < 8 * matrices; lane++) {
        memory_read(warp, in, lane, row_address(warp, in, lane), SPACE_SHARED, 16, 16,
                    rows.element[lane / 8][lane % 8]);
    }
    for (unsigned m = 0; m < matrices; m++) {
        for (unsigned lane = 0; lane < 32; lane++) {
            unsigned i = lane / 4, j = 2 * (lane % 4);
            uint32_t low = transposed ? rows.element[m][j][i] : rows.element[m][i][j];
            uint32_t high = transposed ? rows.element[m][j + 1][i] : rows.element[m][i][j + 1];
            ((uint32_t *)dst)[m * 32 + lane] = low | high << 16;
        }
    }
}

void exec_stmatrix(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    unsigned matrices = (unsigned)in->immediate & 15;
    bool transposed = in->immediate >> 4 & 1;
    struct rows rows;
    if (!ready(warp, in)) {
        return;
    }
    for (unsigned m = 0; m < matrices; m++) {
        const uint32_t *words = operand(warp, in, 1 + m);
        for (unsigned lane = 0; lane < 32; lane++) {
            unsigned i = lane / 4, j = 2 * (lane % 4);
            *(transposed ? &rows.element[m][j][i] : &rows.element[m][i][j]) = (uint16_t)words[lane];
            *(transposed ? &rows.element[m][j + 1][i] : &rows.element[m][i][j + 1]) =
                (uint16_t)(words[lane] >> 16);
        }
    }
    count_rows(warp, in, matrices, true);
    for (unsigned lane = 0; lane < 8 * matrices; lane++) {
        memory_write(warp, in, lane, row_address(warp, in, lane), SPACE_SHARED, 16, 16,
                     rows.element[lane / 8][lane % 8]);
    }
}
