// Matrices in shared memory named by a descriptor (PTX ISA, "Matrix Descriptor Format" and "Shared Memory
// Matrix Layout"): bits 0-13 the address, 16-29 the leading and 32-45 the stride distance, each without its
// low four bits; 62-63 the swizzle: 1 is 128, 2 is 64, 3 is 32 bytes. A swizzle pattern is 8 rows of that
// width; in it the 16-byte chunk number (address bits 4-6) is XORed with the number of the 128-byte line
// (bits 7-9), in as many bits as the width has chunks. If k is contiguous, patterns follow each other along
// the rows, `stride` apart, and an instruction's 32 bytes of k are in one pattern. If rows are contiguous, a
// pattern holds 8 k; patterns are `leading` apart along the rows and `stride` apart along k.
#include "emulator/nvidia/wgmma.h"

#include "emulator/report/report.h"

enum { PATTERN_ROWS = 8 };

struct descriptor {
    uint32_t start, leading, stride, width;
};

static bool read_descriptor(struct warp *warp, const struct instr *in, uint64_t bits,
                            struct descriptor *out) {
    static const uint32_t widths[] = {0, 128, 64, 32};
    *out = (struct descriptor){(bits & 0x3fff) << 4, (bits >> 16 & 0x3fff) << 4, (bits >> 32 & 0x3fff) << 4,
                               widths[bits >> 62]};
    if (out->width && !(bits >> 49 & 7)) {
        return true;
    }
    report_at(warp, in, 0, FAULT_DESCRIPTOR, NULL, NULL,
              "matrix descriptor 0x%016llx %s, which the emulator does not model", (unsigned long long)bits,
              out->width ? "has a base offset" : "has no swizzle");
    return false;
}

static uint32_t swizzled(uint32_t address, uint32_t width) {
    return address ^ ((address >> 7 & (width / CHUNK - 1)) << 4);
}

bool operand_locate(struct warp *warp, const struct instr *in, uint64_t bits, unsigned first_row,
                    struct shared_operand *operand) {
    struct descriptor d;
    uint32_t base = warp->run->emulator->shared_base;
    if (!read_descriptor(warp, in, bits, &d)) {
        return false;
    }
    unsigned lines = operand->rows_fastest ? operand->depth : operand->rows;
    unsigned line_bytes = (operand->rows_fastest ? operand->rows : operand->depth) * operand->element_bytes;
    operand->chunk_count = 0;
    for (unsigned line = 0; line < lines; line++) {
        for (unsigned byte = 0; byte < line_bytes; byte += CHUNK) {
            unsigned across = operand->rows_fastest ? byte + first_row * operand->element_bytes : byte;
            unsigned down = operand->rows_fastest ? line : line + first_row;
            uint32_t address = d.start + down / PATTERN_ROWS * d.stride + down % PATTERN_ROWS * d.width;
            if (operand->rows_fastest) { // else the chunk is within the pattern, at any start address
                address += across / d.width * d.leading + across % d.width;
            } else {
                address += across;
            }
            address = swizzled(address, d.width);
            if (address < base || address - base + CHUNK > warp->run->shared_bytes) {
                report_at(warp, in, 0, FAULT_BOUNDS_INSIDE, NULL, NULL,
                          "matrix descriptor 0x%016llx: row %u reaches byte %lld of shared memory (of %u)",
                          (unsigned long long)bits, down, (long long)address - base, warp->run->shared_bytes);
                return false;
            }
            operand->chunks[operand->chunk_count++] = address - base;
        }
    }
    return true;
}

bool product_operand(struct warp *warp, const struct product *product, bool is_b,
                     struct shared_operand *operand) {
    const struct wgmma_form *form = product->in->extra;
    enum matrix_type type = is_b ? form->b : form->a;
    operand->rows = is_b ? form->columns : WARP_ROWS;
    operand->depth = form->depth;
    operand->element_bytes = matrix_bits(type) / 8;
    operand->rows_fastest = is_b ? form->b_columns_fastest : form->a_rows_fastest;
    unsigned first_row = is_b ? 0 : warp->index % WARPGROUP * WARP_ROWS;
    return operand_locate(warp, product->in, is_b ? product->b : product->a, first_row, operand);
}

void operand_numbers(const struct warp *warp, const struct shared_operand *operand, enum matrix_type type,
                     double *numbers) {
    unsigned per_chunk = CHUNK / operand->element_bytes;
    unsigned chunks_per_line = (operand->rows_fastest ? operand->rows : operand->depth) / per_chunk;
    for (unsigned i = 0; i < operand->chunk_count; i++) {
        const uint8_t *bytes = warp->block->shared + operand->chunks[i];
        unsigned line = i / chunks_per_line, first = i % chunks_per_line * per_chunk;
        uint64_t bits[CHUNK];
        double chunk[CHUNK];
        for (unsigned j = 0; j < per_chunk; j++) {
            bits[j] = bits_at(bytes + (size_t)j * operand->element_bytes, operand->element_bytes);
        }
        matrix_numbers(type, bits, per_chunk, chunk);
        for (unsigned j = 0; j < per_chunk; j++) {
            unsigned row = operand->rows_fastest ? first + j : line,
                     k = operand->rows_fastest ? line : first + j;
            numbers[(size_t)k * operand->rows + row] = chunk[j];
        }
    }
}
