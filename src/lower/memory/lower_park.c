// Tiles that warps put aside in shared memory, each its own rows, and read again row by row.
//
//   a warp's part:  row 0, its 16-byte units in the order u ^ (row mod 8)  ·  row 1  ·  …  ·  row 15
//
// The sums of a product lie in threads as its instruction has them: a lane has two neighbours of each eight columns, of two rows. Memory
// wants 16 bytes a lane and whole rows. Units are exchanged so that neither way asks a bank twice at once: stmatrix writes a unit of eight
// rows, reads take the units of one row. No other
// warp has part in it, so lanes meet, not the block.
#include "lower/lower_internal.h"

#include "chip/wgmma.h"

enum { UNIT = 16, ROWS = 16, BYTES = 2 }; // bytes; rows of a warp; of an element

static LLVMValueRef own_part(struct lowering *l, MlirValue buffer, uint32_t row_bytes) {
    uint32_t basis[LAYOUT_MAX_BITS] = {0};
    for (unsigned i = 0; i < l->warp_bits; i++) {
        basis[l->lane_bits + i] = ROWS * row_bytes << i;
    }
    return LLVMBuildAdd(l->b, lower_scalar(l, buffer), lower_thread_linear(l, basis), "");
}

static LLVMValueRef element_at(const struct layout *layout, const LLVMValueRef *elements, uint32_t row,
                               uint32_t column) {
    return elements[wgmma_result_register(layout, row, column)];
}

// What a lane adds to a place, by exclusive or: stmatrix takes row r of matrix q from lane 8 q + r.
static LLVMValueRef lane_places(struct lowering *l, uint32_t row_bytes) {
    uint32_t basis[LAYOUT_MAX_BITS] = {0};
    for (unsigned bit = 0; bit < 4; bit++) {
        basis[bit] = (row_bytes << bit) ^ (bit < 3 ? UNIT << bit : 0);
    }
    basis[4] = UNIT;
    return lower_thread_linear(l, basis);
}

void lower_park(struct lowering *l, MlirOperation op) {
    const struct layout *layout = lower_layout(l, park_tile(op));
    const LLVMValueRef *elements = lower_values(l, park_tile(op))->at;
    uint32_t columns = (uint32_t)layout_extent(layout, 1), row_bytes = columns * BYTES;
    LLVMValueRef part = own_part(l, park_buffer(op), row_bytes), lane = lane_places(l, row_bytes);
    lower_warp_barrier(l); // all have read what was there
    for (uint32_t column = 0; column < columns; column += 2 * UNIT / BYTES) {
        LLVMValueRef within = LLVMBuildXor(l->b, lane, lower_i32(l, column * BYTES), "");
        LLVMValueRef address = lower_shared_address(l, LLVMBuildAdd(l->b, part, within, ""));
        LLVMValueRef args[5] = {LLVMBuildPtrToInt(l->b, address, l->i32, "")};
        for (uint32_t i = 0; i < 4; i++) { // rows 0 to 7 and 8 to 15 of a unit, then of the next
            uint32_t row = 8 * (i & 1), first = column + 8 * (i / 2);
            LLVMValueRef pair[] = {element_at(layout, elements, row, first),
                                   element_at(layout, elements, row, first + 1)};
            LLVMValueRef words[4];
            lower_pack(l, pair, 2, words);
            args[1 + i] = words[0];
        }
        asm_call(l, ASM_STMATRIX_X4, l->void_type, args, 5);
    }
    lower_warp_barrier(l);
}

// A lane's row of a piece, from the piece's first row on, and its unit in that row.
void lower_parked(struct lowering *l, MlirOperation op) {
    MlirValue result = mlirOperationGetResult(op, 0);
    LLVMTypeRef type = lower_type(l, lower_element(result));
    uint32_t row_bytes = (uint32_t)op_int(op, ATTR_END) * BYTES, basis[LAYOUT_MAX_BITS] = {0};
    uint32_t row_basis[LAYOUT_MAX_BITS] = {0}, in_row = row_bytes / UNIT;
    for (unsigned bit = 0; bit < l->lane_bits; bit++) {
        uint32_t lane = 1u << bit;
        basis[bit] = lane < in_row ? lane * UNIT : 0;
        row_basis[bit] = lane < in_row ? 0 : lane / in_row;
    }
    LLVMValueRef row = lower_scalar(l, parked_row(op));
    row = in_row < 1u << l->lane_bits ? LLVMBuildAdd(l->b, row, lower_thread_linear(l, row_basis), "") : row;
    LLVMValueRef mask = LLVMBuildAnd(l->b, row, lower_i32(l, 7), "");
    LLVMValueRef exchange = LLVMBuildMul(l->b, mask, lower_i32(l, UNIT), "");
    LLVMValueRef within = LLVMBuildXor(l->b, lower_thread_linear(l, basis), exchange, "");
    LLVMValueRef above = LLVMBuildMul(l->b, row, lower_i32(l, row_bytes), "");
    LLVMValueRef part = own_part(l, parked_buffer(op), row_bytes);
    LLVMValueRef at = LLVMBuildAdd(l->b, LLVMBuildAdd(l->b, part, above, ""), within, "");
    lower_shared_read(l, lower_shared_address(l, at), type, UNIT / BYTES, lower_result(l, op, 0)->at);
}

// The address of a thread's bytes in a place of the buffer.
static LLVMValueRef own_place(struct lowering *l, MlirValue buffer, MlirValue place, unsigned bytes) {
    unsigned threads = l->num_warps * l->target->warp_size;
    LLVMValueRef own = LLVMBuildMul(l->b, l->thread, lower_i32(l, bytes), "");
    LLVMValueRef above = LLVMBuildMul(l->b, lower_scalar(l, place), lower_i32(l, bytes * threads), "");
    LLVMValueRef at = LLVMBuildAdd(l->b, LLVMBuildAdd(l->b, own, above, ""), lower_scalar(l, buffer), "");
    return lower_shared_address(l, at);
}

void lower_fetched(struct lowering *l, MlirOperation op) {
    MlirValue result = mlirOperationGetResult(op, 0);
    LLVMTypeRef type = lower_type(l, lower_element(result));
    unsigned count = layout_registers(lower_layout(l, result));
    LLVMValueRef address = own_place(l, fetched_buffer(op), fetched_place(op), BYTES * count);
    lower_shared_read(l, address, type, count, lower_result(l, op, 0)->at);
}
