// Scales of products into tensor memory (PTX ISA 8.6, section 9.7.16.10.7, "Block Scaling"): their bytes in columns, and numbers.
//
// A copy puts 32 rows of 16 bytes of shared memory into 4 columns of lanes 0 to 31, and the same of each further quarter of the
// lanes. A product reads them so: row i of A (column j of B) has its scales in column i / 32, lane i mod 32, from the byte on that the
// instruction descriptor names. All quarters must hold them: which one the unit reads is not written down.
#include "emulator/nvidia/tcgen05.h"

#include <math.h>

#include "emulator/nvidia/nvidia.h"
#include "emulator/report/report.h"

enum { QUARTERS = TMEM_LANES / TMEM_WARP_LANES, GROUP_BYTES = 4, EXPONENT_BIAS = 127, NO_NUMBER = 255 };

// Of the instruction descriptor: bits 4–5 byte of B's scales, 7–9 A, 10–12 B, 17–22 N / 8, 23 the scales' type, 24–28 M / 16, 29–30 byte
// of A's.
const char *tmem_read_scaled_form(unsigned kind, bool pair, uint32_t bits, struct tmem_form *form) {
    static const struct {
        unsigned depth, groups, types;
        enum matrix_type type[2];
        bool exponents;
    } kinds[] = {[TMEM_MXF8F6F4] = {32, 1, 2, {MATRIX_E4M3, MATRIX_E5M2}, true},
                 [TMEM_MXF4] = {64, 2, 2, {MATRIX_S32, MATRIX_E2M1}, true},
                 [TMEM_MXF4NVF4] = {64, 4, 2, {MATRIX_S32, MATRIX_E2M1}, false}};
    unsigned a = bits >> 7 & 7, b = bits >> 10 & 7, rows = (bits >> 24 & 31) * 16;
    if (bits & 0x8001e04f) {
        return "has a bit set that the emulator does not model";
    }
    if (a > 1 || b > 1 || kinds[kind].type[a] == MATRIX_S32 || kinds[kind].type[b] == MATRIX_S32) {
        return "has types that the kind does not have, or that the emulator does not model";
    }
    *form = (struct tmem_form){.a = kinds[kind].type[a],
                               .b = kinds[kind].type[b],
                               .result = MATRIX_F32,
                               .rows = rows,
                               .depth = kinds[kind].depth,
                               .columns = (bits >> 17 & 63) * 8,
                               .groups = kinds[kind].groups,
                               .a_byte = bits >> 29 & 3,
                               .b_byte = bits >> 4 & 3,
                               .exponents = bits >> 23 & 1};
    if (form->exponents != kinds[kind].exponents) {
        return "has scales of a type that the kind does not have, or that the emulator does not model";
    }
    if (form->a_byte % form->groups || form->b_byte % form->groups) {
        return "names a byte where the kind's scales do not begin";
    }
    return rows != (pair ? TMEM_PAIR_ROWS : TMEM_ROWS) || form->columns < 16 || form->columns > 256 ||
                   form->columns % 16
               ? "has a shape that no product has, or that the emulator does not model"
               : NULL;
}

// No swizzle; bits 32–45 are the distance of 8 rows from the next.
bool tmem_locate_scales(struct warp *warp, const struct instr *in, unsigned lane, uint64_t bits,
                        struct shared_operand *operand) {
    enum { VERSION_AT = 46, MODES_AT = 49, PATTERN = 8 };
    uint32_t base = warp->run->emulator->shared_base, start = (bits & 0x3fff) << 4,
             stride = (bits >> 32 & 0x3fff) << 4;
    if ((bits >> VERSION_AT & 7) != 1 || bits >> MODES_AT) {
        report_at(warp, in, lane, FAULT_DESCRIPTOR, NULL, NULL,
                  "matrix descriptor 0x%016llx is none of tcgen05 without a swizzle, or has a mode that the "
                  "emulator does not model",
                  (unsigned long long)bits);
        return false;
    }
    operand->chunk_count = 0;
    for (unsigned row = 0; row < TMEM_WARP_LANES; row++) {
        uint32_t address = start + row / PATTERN * stride + row % PATTERN * CHUNK;
        if (address < base || address - base + CHUNK > warp->run->shared_bytes) {
            report_at(warp, in, lane, FAULT_BOUNDS_INSIDE, NULL, NULL,
                      "matrix descriptor 0x%016llx: row %u reaches byte %lld of shared memory (of %u)",
                      (unsigned long long)bits, row, (long long)address - base, warp->run->shared_bytes);
            return false;
        }
        operand->chunks[operand->chunk_count++] = address - base;
    }
    return true;
}

// Rows of A, or columns of B, whose scales one block has: of a pair its own rows, and all columns.
static uint32_t rows_of(const struct tmem_form *form, bool is_b) {
    return is_b ? form->columns : TMEM_ROWS;
}

static uint32_t blocks_of(const struct tmem_product *product) {
    return product->pair ? MOST_CLUSTER : 1;
}

static bool is_own(const struct warp *warp, const struct tmem_product *product,
                   const struct tmem_cell *cell) {
    bool by_product = cell->state == TMEM_BUSY || cell->writer == AGENT_TENSOR;
    return by_product && cell->issuer == product->warp * warp->lanes + product->lane;
}

// A copy of the same thread that is under way ends before the product begins.
static bool take_cell(struct warp *warp, const struct tmem_product *product, struct tmem_cell *cell) {
    if (!cell ||
        (!is_own(warp, product, cell) &&
         (!tmem_check_idle(warp, product->in, product->lane, cell, "multiplies by scales in") ||
          !tmem_check_written_before(warp, product->in, product->lane, cell, "multiplies by scales in")))) {
        return false;
    }
    if (cell->state == TMEM_EMPTY) {
        TENSOR_FAULT(warp, product->in, product->lane, NULL, NULL,
                     "multiplies by scales that nothing has written");
        return false;
    }
    cell->left = product->number;
    cell->left_instr = product->in->index + 1;
    cell->issuer = (uint16_t)(product->warp * warp->lanes + product->lane);
    return true;
}

bool tmem_take_scales(struct warp *warp, const struct tmem_product *product, const struct tmem_form *form,
                      bool is_b) {
    uint32_t at = is_b ? product->b_scale : product->a_scale, first = at & 0xffff;
    if (at >> 16) {
        TENSOR_FAULT(warp, product->in, product->lane, NULL, NULL, "scales of a product begin at lane %u",
                     at >> 16);
        return false;
    }
    for (uint32_t row = 0; row < rows_of(form, is_b); row++) {
        uint32_t column = first + row / TMEM_WARP_LANES, end = blocks_of(product) * TMEM_LANES;
        for (uint32_t lane = row % TMEM_WARP_LANES; lane < end; lane += TMEM_WARP_LANES) {
            if (!take_cell(warp, product, tmem_cell_at(warp, product->in, product->lane, lane, column))) {
                return false;
            }
        }
    }
    return true;
}

static double scale_of(const struct tmem_form *form, uint32_t word, unsigned byte) {
    unsigned bits = word >> 8 * byte & 0xff;
    if (!form->exponents) {
        return matrix_number(MATRIX_E4M3, bits & 0x7f); // unsigned
    }
    return bits == NO_NUMBER ? NAN : ldexp(1.0, (int)bits - EXPONENT_BIAS);
}

// Of the quarters from `first` on.
static bool quarters_agree(const struct tmem *tmem, unsigned first, unsigned count, uint32_t lane,
                           uint32_t column) {
    const struct tmem_cell *cells = &tmem->cells[lane * TMEM_COLUMNS + column];
    for (unsigned quarter = first; quarter < first + count; quarter++) {
        if (cells[quarter * TMEM_WARP_LANES * TMEM_COLUMNS].word !=
            cells[first * TMEM_WARP_LANES * TMEM_COLUMNS].word) {
            return false;
        }
    }
    return true;
}

static void release_cells(struct tmem *tmem, const struct tmem_product *product, uint32_t lane,
                          uint32_t column) {
    for (unsigned quarter = 0; quarter < blocks_of(product) * QUARTERS; quarter++) {
        struct tmem_cell *cell = &tmem->cells[(quarter * TMEM_WARP_LANES + lane) * TMEM_COLUMNS + column];
        if (cell->left == product->number) {
            cell->left = 0;
            cell->left_read = tmem->moment;
        }
    }
}

// The scales of row `row` of A, or of column `row` of B: all quarters of a block, and of B both blocks', have the same. False after a
// report.
static bool scale_word(struct warp *warp, const struct tmem_product *product, bool is_b, uint32_t row,
                       uint32_t *word) {
    struct tmem *tmem = warp->block->tmem;
    uint32_t own = is_b ? row : row % TMEM_ROWS, lane = own % TMEM_WARP_LANES;
    uint32_t column = (is_b ? product->b_scale : product->a_scale) + own / TMEM_WARP_LANES;
    unsigned first = is_b ? 0 : row / TMEM_ROWS * QUARTERS,
             count = is_b ? blocks_of(product) * QUARTERS : QUARTERS;
    *word = tmem->cells[(first * TMEM_WARP_LANES + lane) * TMEM_COLUMNS + column].word;
    if (quarters_agree(tmem, first, count, lane, column)) {
        return true;
    }
    TENSOR_FAULT(warp, product->in, product->lane, NULL, NULL,
                 "the scales of %s %u are not the same in all quarters of the lanes%s",
                 is_b ? "column" : "row", row, is_b && product->pair ? " of both blocks" : "");
    return false;
}

bool tmem_apply_scales(struct warp *warp, const struct tmem_product *product, const struct tmem_form *form,
                       bool is_b, double *numbers) {
    uint32_t rows = is_b ? form->columns : form->rows, word;
    unsigned first_byte = is_b ? form->b_byte : form->a_byte, each = form->depth / form->groups;
    for (uint32_t row = 0; row < rows; row++) {
        if (!scale_word(warp, product, is_b, row, &word)) {
            return false;
        }
        for (unsigned k = 0; k < form->depth; k++) {
            numbers[(size_t)k * rows + row] *= scale_of(form, word, first_byte + k / each);
        }
    }
    for (uint32_t row = 0; row < rows_of(form, is_b); row++) {
        release_cells(warp->block->tmem, product, row % TMEM_WARP_LANES,
                      (is_b ? product->b_scale : product->a_scale) + row / TMEM_WARP_LANES);
    }
    return true;
}

void tmem_packed_numbers(const struct warp *warp, const struct shared_operand *operand, enum matrix_type type,
                         double *numbers) {
    unsigned chunks = operand->depth / CHUNK;
    for (unsigned i = 0; i < operand->chunk_count; i++) {
        const uint8_t *bytes = warp->block->shared + operand->chunks[i];
        for (unsigned j = 0; j < CHUNK; j++) {
            unsigned row = i / chunks, k = 2 * (i % chunks * CHUNK + j);
            numbers[(size_t)k * operand->rows + row] = matrix_number(type, bytes[j] & 15);
            numbers[(size_t)(k + 1) * operand->rows + row] = matrix_number(type, bytes[j] >> 4);
        }
    }
}
