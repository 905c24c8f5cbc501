// Loads and stores of tensor memory by threads, shapes 16x256b and, of halves, 16x128b, and their waits (tcgen05.c has the rules).
#include "emulator/nvidia/tcgen05.h"

#include "emulator/execute/execute.h"
#include "emulator/nvidia/nvidia.h"
#include "emulator/report/report.h"

enum { WARP_LANES = TMEM_WARP_LANES, MOVE_LANES = 16 };

// A warp reaches its quarter of the lanes alone. False after a report.
static bool read_address(struct warp *warp, const struct instr *in, unsigned index, uint32_t *lane,
                         uint32_t *column) {
    uint32_t address = (uint32_t)tmem_operand(warp, in, index, 0),
             quarter = own_index(warp) % WARPGROUP * WARP_LANES;
    for (unsigned i = 1; i < warp->lanes; i++) {
        if ((uint32_t)tmem_operand(warp, in, index, i) != address) {
            TENSOR_FAULT(warp, in, i, NULL, NULL, "lanes 0 and %u give different addresses in tensor memory",
                         i);
            return false;
        }
    }
    *lane = address >> 16;
    *column = address & 0xffff;
    if (*lane == quarter || *lane == quarter + MOVE_LANES) {
        return true;
    }
    TENSOR_FAULT(warp, in, 0, NULL, NULL,
                 "warp %u reaches lanes %u to %u of tensor memory, not 16 from lane %u on", own_index(warp),
                 quarter, quarter + WARP_LANES - 1, *lane);
    return false;
}

static unsigned words_of(const struct instr *in) {
    return (unsigned)(in->immediate & (TMEM_HALVES - 1));
}

// The cell of word `i` of a lane.
static struct tmem_cell *moved_cell(struct warp *warp, const struct instr *in, unsigned lane, unsigned i,
                                    uint32_t first, uint32_t first_column) {
    uint32_t from = tmem_first_lane(warp) + first;
    if (in->immediate & TMEM_HALVES) {
        return tmem_cell_at(warp, in, lane, from + lane / 4 + 8 * (i % 2),
                            first_column + lane % 4 + 4 * (i / 2));
    }
    return tmem_cell_at(warp, in, lane, from + lane / 4 + 8 * (i / 2 % 2),
                        first_column + lane % 4 * 2 + i % 2 + 8 * (i / 4));
}

static bool is_together(struct warp *warp, const struct instr *in) {
    if (collective_check(warp, in, warp->full) && warp->full == mask_of(WARP_LANES)) {
        return true;
    }
    warp->state = WARP_FAULT;
    return false;
}

// Operand: address. Results: `immediate` words.
void exec_tmem_load(struct warp *warp, const struct instr *in, void *dst) {
    uint32_t first, first_column;
    if (!is_together(warp, in) || !read_address(warp, in, 0, &first, &first_column)) {
        return;
    }
    struct tmem *tmem = tmem_of(warp->block);
    uint32_t moment = ++tmem->moment, *values = flight_begin(warp, in, dst, (unsigned)in->immediate);
    for (unsigned i = 0; i < in->immediate; i++) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            struct tmem_cell *cell = moved_cell(warp, in, lane, i, first, first_column);
            if (!cell || !tmem_check_idle(warp, in, lane, cell, "reads") ||
                !tmem_check_written_before(warp, in, lane, cell, "reads")) {
                return;
            }
            if (cell->state == TMEM_EMPTY) {
                TENSOR_FAULT(warp, in, lane, NULL, NULL, "reads tensor memory that nothing has written");
                return;
            }
            values[(size_t)i * warp->lanes + lane] = cell->word;
            cell->loaded = moment;
            cell->loader = (uint8_t)warp->index;
            cell->load_instr = in->index + 1;
        }
    }
    warp->tmem_load = warp->tmem_load ? warp->tmem_load : moment;
}

// Operands become results.
void exec_tmem_wait_load(struct warp *warp, const struct instr *in, void *dst) {
    if (is_together(warp, in)) {
        warp->tmem_load = 0;
        flight_end_all(warp);
        flight_pass_through(warp, in, dst);
    }
}

// Operands: address, `immediate` words.
void exec_tmem_store(struct warp *warp, const struct instr *in, void *dst) {
    uint32_t first, first_column;
    (void)dst;
    if (!is_together(warp, in) || !read_address(warp, in, 0, &first, &first_column)) {
        return;
    }
    struct tmem *tmem = tmem_of(warp->block);
    uint32_t moment = ++tmem->moment;
    for (unsigned i = 0; i < words_of(in); i++) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            struct tmem_cell *cell = moved_cell(warp, in, lane, i, first, first_column);
            if (!cell || !tmem_check_idle(warp, in, lane, cell, "stores to") ||
                !tmem_check_written_before(warp, in, lane, cell, "stores to") ||
                !tmem_check_loaded_before(warp, in, lane, cell, "stores to") ||
                !tmem_check_left_before(warp, in, lane, cell, "stores to", false)) {
                return;
            }
            cell->word = (uint32_t)tmem_operand(warp, in, 1 + i, lane);
            cell->state = TMEM_WRITTEN;
            cell->written = moment;
            cell->writer = (uint8_t)warp->index;
            cell->write_instr = in->index + 1;
        }
    }
    warp->tmem_store = warp->tmem_store ? warp->tmem_store : moment;
}

void exec_tmem_wait_store(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    if (is_together(warp, in)) {
        warp->tmem_store = 0;
    }
}
