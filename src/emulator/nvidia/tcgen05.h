// Inside of nvidia: cells of tensor memory, and scales of products (tcgen05.c, tcgen05_cells.c, tcgen05_moves.c, tcgen05_scale.c).
#ifndef TKC_EMULATOR_NVIDIA_TCGEN05_H
#define TKC_EMULATOR_NVIDIA_TCGEN05_H

#include "emulator/nvidia/wgmma.h"

enum { TMEM_WARP_LANES = 32, TMEM_ROWS = 128, TMEM_PAIR_ROWS = 256, TMEM_MOST_DEPTH = 64 };

#define TENSOR_FAULT(warp, in, lane, ...)                                                                    \
    (report_at(warp, in, lane, FAULT_TENSOR, __VA_ARGS__), (warp)->state = WARP_FAULT)

// The bits of an operand of a lane.
static inline uint64_t tmem_operand(const struct warp *warp, const struct instr *in, unsigned index,
                                    unsigned lane) {
    const struct operand *from = &in->operands[index];
    uint64_t bits = 0;
    memcpy(&bits, warp->registers + from->reg + (size_t)lane * from->shape.bytes, from->shape.bytes);
    return bits;
}

// tcgen05.c: the program's tensor memory, made if there is none yet.
struct tmem *tmem_of(struct block *block);

// ---- cells ----

// The first lane of the warp's block.
static inline uint32_t tmem_first_lane(const struct warp *warp) {
    return warp->rank * TMEM_LANES;
}

// The cell of a lane and column; NULL after a report. Lanes of block r of a cluster begin at r * TMEM_LANES.
struct tmem_cell *tmem_cell_at(struct warp *warp, const struct instr *in, unsigned thread, uint32_t lane,
                               uint32_t column);
// Each is false after a report.
bool tmem_check_idle(struct warp *warp, const struct instr *in, unsigned thread, const struct tmem_cell *cell,
                     const char *what);
bool tmem_check_written_before(struct warp *warp, const struct instr *in, unsigned thread,
                               const struct tmem_cell *cell, const char *what);
bool tmem_check_loaded_before(struct warp *warp, const struct instr *in, unsigned thread,
                              const struct tmem_cell *cell, const char *what);
// Products that have the cell as their left operand, or among their scales, are done, or are the thread's own and so run before what it
// starts next.
bool tmem_check_left_before(struct warp *warp, const struct instr *in, unsigned thread,
                            const struct tmem_cell *cell, const char *what, bool own);

// ---- products ----

struct tmem_form {
    enum matrix_type a, b, result;
    unsigned rows, depth, columns;
    bool a_rows_fastest, b_columns_fastest;
    unsigned groups;         // of K, each with a scale; 0: no scales
    unsigned a_byte, b_byte; // the first scale's, in its column
    bool exponents;          // scales are ue8m0, else ue4m3
};

// tcgen05_scale.c
// Reads the instruction descriptor of a product with scales; the fault, or NULL.
const char *tmem_read_scaled_form(unsigned kind, bool pair, uint32_t bits, struct tmem_form *form);
// Locates the 32 chunks that a copy of scales reads in the issuing block's memory. False after a report.
bool tmem_locate_scales(struct warp *warp, const struct instr *in, unsigned lane, uint64_t descriptor,
                        struct shared_operand *operand);
// Checks the scales of A or B, and holds their cells until the product is done. False after a report.
bool tmem_take_scales(struct warp *warp, const struct tmem_product *product, const struct tmem_form *form,
                      bool is_b);
// Multiplies the numbers, element (row, k) at [k * rows + row], by their scales, and releases the cells. False after a report.
bool tmem_apply_scales(struct warp *warp, const struct tmem_product *product, const struct tmem_form *form,
                       bool is_b, double *numbers);
// An operand's bytes as numbers: two to a byte of e2m1.
void tmem_packed_numbers(const struct warp *warp, const struct shared_operand *operand, enum matrix_type type,
                         double *numbers);

#endif
