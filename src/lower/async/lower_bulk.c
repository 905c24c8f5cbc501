// mbarriers and bulk tensor copies (TMA, PTX ISA 8.4, section 9.7.9.27).
//
// A load moves a box of a tensor to a slot in pieces: the tensor map's box is one swizzled row wide (128
// bytes, or less for a narrower tile), and the slot's layout has these pieces one behind the other. A vector
// is one piece.
//
// A store takes a warpgroup's part of a tile from the registers of wgmma's accumulator layout, 128 bytes of each row at a
// time:
//
//   wait until the buffer's last store has been read · write to the buffer, swizzled · fence · one thread stores
//
// Warpgroups do so each with a buffer and a barrier of their own. 16-bit elements are written by stmatrix, 32-bit ones
// two by two.
#include <string.h>

#include "chip/wgmma.h"
#include "dialects/tk/tensor_map.h"
#include "lower/lower_internal.h"

static LLVMValueRef address_of(struct lowering *l, LLVMValueRef offset) {
    return LLVMBuildPtrToInt(l->b, lower_shared_address(l, offset), l->i32, "");
}

// The predicate of the producer's one working thread.
static LLVMValueRef leads(struct lowering *l) {
    return l->leads ? l->leads : LLVMConstInt(l->i1, 1, 0);
}

static LLVMValueRef is_even_block(struct lowering *l) {
    LLVMValueRef odd = LLVMBuildAnd(l->b, lower_vendor(l)->program_id(l, 0), lower_i32(l, 1), "");
    return LLVMBuildICmp(l->b, LLVMIntEQ, odd, lower_i32(l, 0), "");
}

// The same place in the even block of the pair.
static LLVMValueRef in_even_block(struct lowering *l, LLVMValueRef address) {
    LLVMValueRef args[] = {address, lower_i32(l, 0)};
    return asm_call(l, ASM_MAP_ADDRESS, l->i32, args, 2);
}

// ---- mbarriers ----

void lower_mbarrier_alloc(struct lowering *l, MlirOperation op) {
    if (!op_has(op, ATTR_OFFSET)) {
        bug("mbarriers without an offset");
    }
    LLVMValueRef offset = lower_i32(l, (uint32_t)op_int(op, ATTR_OFFSET));
    LLVMValueRef args[] = {address_of(l, offset), lower_i32(l, (uint32_t)op_int(op, ATTR_ARRIVALS)),
                           lower_i32(l, (uint32_t)(MBARRIER_BYTES * op_int(op, ATTR_COUNT))),
                           LLVMBuildICmp(l->b, LLVMIntEQ, l->thread, lower_i32(l, 0), "")};
    asm_call(l, ASM_MBARRIER_INIT, l->void_type, args, 4);
    lower_result(l, op, 0)->at[0] = offset;
    l->part_filled = op_has(op, ATTR_FILLS) ? offset : l->part_filled;
    l->part_free = op_has(op, ATTR_ISSUES) ? offset : l->part_free;
}

// Moves the builder to the element of the tile with `eighths`/8 of the registers before it, if an instruction
// of this block computes it.
static void go_amid(struct lowering *l, MlirValue tile, const struct values *elements, unsigned eighths) {
    LLVMValueRef next = elements->at[layout_registers(lower_layout(l, tile)) * eighths / 8];
    bool computed = LLVMIsAInstruction(next) && !LLVMIsAPHINode(next);
    if (computed && LLVMGetInstructionParent(next) == LLVMGetInsertBlock(l->b)) {
        LLVMPositionBuilderBefore(l->b, next);
    }
}

void lower_mbarrier_wait(struct lowering *l, MlirOperation op) {
    LLVMBasicBlockRef block = LLVMGetInsertBlock(l->b);
    if (!mlirValueIsNull(mbarrier_wait_tile(op))) {
        go_amid(l, mbarrier_wait_tile(op), lower_values(l, mbarrier_wait_tile(op)),
                (unsigned)op_int(op, ATTR_EIGHTHS));
    }
    if (op_has(op, ATTR_FENCED)) { // for a later arrival
        asm_call(l, ASM_FENCE_READS, l->void_type, NULL, 0);
    }
    LLVMValueRef args[] = {address_of(l, lower_scalar(l, mbarrier_wait_barrier(op))),
                           lower_scalar(l, mbarrier_wait_parity(op))};
    asm_call(l, op_has(op, ATTR_PAIR) ? ASM_MBARRIER_WAIT_CLUSTER : ASM_MBARRIER_WAIT, l->void_type, args, 2);
    LLVMPositionBuilderAtEnd(l->b, block);
}

void lower_mbarrier_expect(struct lowering *l, MlirOperation op) {
    LLVMValueRef args[] = {address_of(l, lower_scalar(l, mbarrier_expect_barrier(op))),
                           lower_i32(l, (uint32_t)op_int(op, ATTR_BYTES)), leads(l)};
    if (op_has(op, ATTR_PAIR)) {
        args[2] = LLVMBuildAnd(l->b, args[2], is_even_block(l), "");
    }
    asm_call(l, ASM_MBARRIER_EXPECT, l->void_type, args, 3);
}

// A slot that threads have read is given back behind a fence. An mbarrier's arrival, and a barrier, of NVIDIA's chips wait for no read of shared
// memory that is under way, and ptxas moves uses of the values behind them: the next copy then comes first (H200: 60 % of 3e8 reads with bank
// conflicts were wrong, none behind the fence). ptxas waits for all reads at a fence with acquire; fence.sc has no such wait.
void lower_mbarrier_arrive(struct lowering *l, MlirOperation op) {
    if (op_has(op, ATTR_PROXY)) {
        asm_call(l, ASM_FENCE_PROXY_ASYNC, l->void_type, NULL, 0);
    }
    if (op_has(op, ATTR_TOGETHER)) {
        if (!op_has(op, ATTR_BESIDE) && !op_has(op, ATTR_BEHIND)) {
            asm_call(l, ASM_FENCE_READS, l->void_type, NULL, 0);
        }
        INTRINSIC(l, "llvm.nvvm.bar.warp.sync", lower_i32(l, ~0u));
    }
    LLVMValueRef first = LLVMBuildICmp(l->b, LLVMIntEQ, lower_lane(l), lower_i32(l, 0), "");
    LLVMValueRef args[] = {address_of(l, lower_scalar(l, mbarrier_arrive_barrier(op))),
                           LLVMBuildAnd(l->b, first, lower_scalar(l, mbarrier_arrive_condition(op)), "")};
    asm_call(l, ASM_MBARRIER_ARRIVE, l->void_type, args, 2);
}

// ---- loads ----

static LLVMValueRef map_address(struct lowering *l, LLVMValueRef map) {
    return LLVMBuildPtrToInt(l->b, map, l->i64, "");
}

// The load of a box wholly outside of its tensor, on any side, reads the memory at the map's base (H200: an illegal access where none is mapped).
// A base ahead of the array may be such a place: that of a cut box (passes/facts/tile_access.h), of an address with a negative offset, or with
// an argument, of either sign, as an offset. By such maps a box that is outside is not loaded: zeros of the module go to the slot, as many bytes
// at the same mbarrier. Sides on which no box can be are not tested.
struct outside {
    MlirAttribute map;
    // enum tile_side, for each dimension; NULL: every box has an element, or the base is in the array
    const int32_t *sides;
    LLVMValueRef zeros;
};

static LLVMValueRef zeros_of_module(struct lowering *l) {
    LLVMValueRef zeros = LLVMGetNamedGlobal(l->module, "tkc_zeros");
    if (!zeros) {
        LLVMTypeRef type = LLVMArrayType2(l->i8, TENSOR_MAP_MOST_BYTES);
        zeros = LLVMAddGlobalInAddressSpace(l->module, type, "tkc_zeros", SPACE_GLOBAL);
        LLVMSetInitializer(zeros, LLVMConstNull(type));
        LLVMSetGlobalConstant(zeros, true);
        LLVMSetLinkage(zeros, LLVMInternalLinkage);
        LLVMSetAlignment(zeros, 128);
    }
    return LLVMConstPtrToInt(zeros, l->i64);
}

static struct outside outside_of(struct lowering *l, MlirOperation op) {
    const int32_t *sides = bulk_load_outside(op, l->arena);
    return sides ? (struct outside){tensor_map_of(bulk_load_map(op)), sides, zeros_of_module(l)}
                 : (struct outside){0};
}

static LLVMValueRef argument_long(struct lowering *l, int number) {
    return LLVMBuildSExt(l->b, lower_scalar(l, mlirBlockGetArgument(op_body(l->kernel, 0), number)), l->i64,
                         "");
}

static LLVMValueRef size_value(struct lowering *l, struct tile_size size) {
    LLVMValueRef value = lower_i64(l, size.factor);
    for (int i = 0; i < TILE_FACTORS && size.parameters[i] >= 0; i++) {
        LLVMValueRef argument = argument_long(l, size.parameters[i]), over = lower_i64(l, size.over);
        value = LLVMBuildMul(l->b, value, i == 0 ? LLVMBuildSDiv(l->b, argument, over, "") : argument, "");
    }
    return LLVMBuildAdd(l->b, value, lower_i64(l, size.constant), "");
}

// True where the box at the corner has no element of the tensor.
static LLVMValueRef is_outside(struct lowering *l, const struct outside *o, LLVMValueRef *corner,
                               unsigned rank) {
    LLVMValueRef outside = LLVMConstInt(l->i1, 0, 0);
    for (unsigned d = 0; d < rank; d++) {
        LLVMValueRef first = LLVMBuildSExt(l->b, corner[d], l->i64, "");
        if (o->sides[d] & TILE_AHEAD) {
            LLVMValueRef end = LLVMBuildAdd(l->b, first, lower_i64(l, tensor_map_box(o->map, d)), "");
            LLVMValueRef ahead = LLVMBuildICmp(l->b, LLVMIntSLE, end, lower_i64(l, 0), "");
            outside = LLVMBuildOr(l->b, outside, ahead, "");
        }
        if (o->sides[d] & TILE_BEHIND) {
            LLVMValueRef size = size_value(l, tensor_map_size(o->map, ATTR_SIZES, d));
            LLVMValueRef behind = LLVMBuildICmp(l->b, LLVMIntSGE, first, size, "");
            outside = LLVMBuildOr(l->b, outside, behind, "");
        }
    }
    return outside;
}

// Copies zeros where the box is outside. Returns the predicate of the copy by the map.
static LLVMValueRef load_outside(struct lowering *l, const struct outside *o, LLVMValueRef *args,
                                 unsigned rank, uint32_t bytes) {
    if (!o->sides) {
        return args[3];
    }
    LLVMValueRef outside = is_outside(l, o, args + 4, rank);
    LLVMValueRef zeros[] = {args[0], o->zeros, args[2], lower_i32(l, bytes),
                            LLVMBuildAnd(l->b, args[3], outside, "")};
    enum asm_id copy = target_has(l->target, FEATURE(OWN_COPIES)) ? ASM_BULK_OWN : ASM_BULK_LOAD;
    asm_call(l, copy, l->void_type, zeros, 5);
    return LLVMBuildAnd(l->b, args[3], LLVMBuildNot(l->b, outside, ""), "");
}

void lower_bulk_load(struct lowering *l, MlirOperation op) {
    MlirValue slot = bulk_load_slot(op);
    const struct layout *layout = lower_layout(l, slot);
    unsigned bytes = lower_storage_bits(lower_element(slot)) / 8, inner = (unsigned)op_int(op, ATTR_INNER);
    unsigned rank = (unsigned)bulk_load_corner_count(op);
    struct wgmma_operand arrangement;
    bool vector = layout->rank == 1; // one piece, not swizzled
    if (!vector && (!wgmma_operand_of(layout, bytes, &arrangement) || inner * bytes != arrangement.swizzle)) {
        bug("bulk_load: the slot does not lie as the tensor map has it");
    }
    unsigned fastest = !vector && !arrangement.rows_fastest;
    uint32_t columns = (uint32_t)layout_extent(layout, fastest),
             rows = vector ? 1 : (uint32_t)layout_extent(layout, 1 - fastest);
    uint32_t first = (uint32_t)op_int(op, ATTR_START),
             copied = op_has(op, ATTR_END) ? (uint32_t)op_int(op, ATTR_END) - first : rows;
    LLVMValueRef at = lower_scalar(l, slot), corner = lower_scalar(l, bulk_load_corner(op, 0));
    LLVMValueRef args[4 + 5] = {NULL, map_address(l, lower_scalar(l, bulk_load_map(op))),
                                address_of(l, lower_scalar(l, bulk_load_barrier(op))), leads(l)};
    unsigned row = ASM_TMA_LOAD_1D + 2 * (rank - 1);
    if (target_has(l->target, FEATURE(OWN_COPIES))) {
        row = ASM_TMA_OWN_1D + (rank - 1);
    }
    if (op_has(op, ATTR_PAIR)) {
        row = ASM_TMA_PAIR_2D + (rank - 2);
        args[2] = in_even_block(l, args[2]);
    }
    struct outside outside = outside_of(l, op);
    if (outside.sides && op_has(op, ATTR_PAIR)) {
        bug("bulk_load: a pair's box by a map whose base lies ahead of the array");
    }
    for (unsigned d = 1; d < rank; d++) {
        args[4 + d] = lower_scalar(l, bulk_load_corner(op, d));
    }
    for (uint32_t column = 0; column < columns; column += inner) {
        uint32_t place = (column * rows + first * inner) * bytes;
        args[0] = address_of(l, LLVMBuildAdd(l->b, at, lower_i32(l, place), ""));
        args[4] = LLVMBuildAdd(l->b, corner, lower_i32(l, column), "");
        args[3] = load_outside(l, &outside, args, rank, inner * copied * bytes);
        asm_call(l, (enum asm_id)row, l->void_type, args, 4 + rank);
        args[3] = leads(l);
    }
}

// ---- stores ----

enum { WARP_PART = 16 }; // rows of a warp in one write

struct bulk_store {
    const struct layout *layout;
    struct bulk_store_plan plan;
    LLVMValueRef *elements;
    LLVMValueRef buffer, warpgroup; // i32: offset of the block's buffer; number of the barrier
    LLVMValueRef group;             // i32: this warpgroup
    unsigned groups;
    LLVMValueRef lane_offset; // byte offset of this lane's row in its warpgroup's buffer
    unsigned bytes;           // of an element
    unsigned warp_rows;       // neighbours in a warp
    LLVMValueRef issues;      // i1: this thread stores for its warpgroup
    LLVMValueRef odd;         // i1: this lane's rows are
};

// A linear function of the warps beyond a warpgroup: `steps` along a dimension of the tile, or their number.
static LLVMValueRef of_warpgroup(struct lowering *l, const struct layout *layout, int dim, uint32_t unit) {
    uint32_t basis[LAYOUT_MAX_BITS] = {0};
    for (unsigned bit = 2; bit < layout->bits[LAYOUT_WARP]; bit++) {
        uint32_t at[LAYOUT_MAX_RANK] = {0};
        layout_split_coordinates(layout, layout->basis[LAYOUT_WARP][bit], at);
        basis[l->lane_bits + bit] = dim < 0 ? unit << (bit - 2) : at[dim] * unit;
    }
    return lower_thread_linear(l, basis);
}

// A row is 128 bytes; its 16-byte unit u lies at u ^ (row mod 8). stmatrix takes row r of matrix q from lane 8 q + r:
// matrices 0 and 1 are rows 0–7 and 8–15, 2 and 3 the same rows of the next unit. A lane of the accumulator holds row
// lane / 4, columns 2 (lane mod 4) and the next. Eight bytes are written by half a warp at a time, four rows: were all of them to
// write the same two units, rows of a pair would lie in the same banks. Odd rows therefore write the units four further, or four ahead.
static void prepare_lanes(struct lowering *l, struct bulk_store *store) {
    static const uint32_t matrices[] = {128 | 16, 256 | 32, 512 | 64, 1024, 16};
    static const uint32_t pairs[] = {8, 16, 128 | 64 | 16, 256 | 32, 512 | 64};
    uint32_t basis[LAYOUT_MAX_BITS] = {0}, of_warp = store->warp_rows * BULK_STORE_ROW_BYTES;
    memcpy(basis, store->bytes == 2 ? matrices : pairs, sizeof matrices);
    basis[l->lane_bits] = of_warp;
    basis[l->lane_bits + 1] = 2 * of_warp;
    for (unsigned bit = 2; bit < store->layout->bits[LAYOUT_WARP]; bit++) {
        basis[l->lane_bits + bit] = store->plan.warpgroup_bytes << (bit - 2);
    }
    store->lane_offset = lower_thread_linear(l, basis);
}

static LLVMValueRef element_at(const struct bulk_store *store, uint32_t row, uint32_t column) {
    return store->elements[wgmma_result_register(store->layout, row, column)];
}

static LLVMValueRef word_at(struct lowering *l, const struct bulk_store *store, uint32_t row,
                            uint32_t column) {
    LLVMValueRef pair[2] = {element_at(store, row, column), element_at(store, row, column + 1)}, words[4];
    lower_pack(l, pair, 2, words);
    return words[0];
}

// The offset of this lane's write to the unit, in the part of the buffer at `place`.
static LLVMValueRef lane_place(struct lowering *l, const struct bulk_store *store, uint32_t unit,
                               uint32_t place) {
    LLVMValueRef offset = LLVMBuildXor(l->b, store->lane_offset, lower_i32(l, unit * 16), "");
    return LLVMBuildAdd(l->b, offset, LLVMBuildAdd(l->b, store->buffer, lower_i32(l, place), ""), "");
}

// Writes two elements of 32 bits, of even rows or of odd ones.
static void write_pair(struct lowering *l, const struct bulk_store *store, LLVMValueRef at,
                       const LLVMValueRef even[2], const LLVMValueRef odd[2]) {
    LLVMValueRef pair[2];
    for (unsigned i = 0; i < 2; i++) {
        pair[i] = LLVMBuildSelect(l->b, store->odd, odd[i], even[i], "");
    }
    lower_shared_write(l, lower_shared_address(l, at), pair, 2, NULL);
}

// A row of each warp, of 32 columns of 32 bits: 8 columns are two units.
static void fill_words(struct lowering *l, const struct bulk_store *store, uint32_t row, uint32_t column,
                       uint32_t place) {
    for (uint32_t unit = 0; unit < 4; unit += 2) {
        LLVMValueRef near[2], far[2];
        for (uint32_t i = 0; i < 2; i++) {
            near[i] = element_at(store, row, column + 4 * unit + i);
            far[i] = element_at(store, row, column + 4 * (unit + 4) + i);
        }
        write_pair(l, store, lane_place(l, store, unit, place), near, far);
        write_pair(l, store, lane_place(l, store, unit + 4, place), far, near);
    }
}

// 16 rows of each warp, from `row` on in the first one, of a piece's columns, to the part of the buffer at `place`.
static void fill(struct lowering *l, const struct bulk_store *store, uint32_t row, uint32_t column,
                 uint32_t place) {
    if (store->bytes == 4) {
        fill_words(l, store, row, column, place);
        fill_words(l, store, row + 8, column, place + 8 * BULK_STORE_ROW_BYTES);
        return;
    }
    for (uint32_t unit = 0; unit < 8; unit += 2) { // two units of 8 columns
        LLVMValueRef args[5] = {address_of(l, lane_place(l, store, unit, place))};
        for (uint32_t i = 0; i < 4; i++) {
            args[1 + i] = word_at(l, store, row + 8 * (i & 1), column + 8 * (unit + i / 2));
        }
        asm_call(l, ASM_STMATRIX_X4, l->void_type, args, 5);
    }
}

static void meet(struct lowering *l, const struct bulk_store *store) {
    LLVMValueRef args[] = {store->warpgroup, lower_i32(l, 4 * l->target->warp_size)};
    asm_call(l, ASM_BARRIER_SYNC, l->void_type, args, 2);
}

// Waits until all stores of this thread are in memory.
static void wait_written(struct lowering *l) {
    LLVMValueRef pending = lower_i32(l, 0);
    asm_call(l, ASM_BULK_WAIT, l->void_type, &pending, 1);
}

// A store of a piece's columns to memory, by one thread of the warpgroup.
struct bulk_issue {
    MlirOperation op;
    LLVMValueRef from, column,
        row; // of the warpgroup: its part of the buffer, its first column and row in memory
};

static void fill_piece(struct lowering *l, const struct bulk_store *store, uint32_t piece) {
    const struct bulk_store_plan *plan = &store->plan;
    uint32_t place = piece % plan->buffers * plan->piece_bytes;
    for (uint32_t row16 = 0; row16 < plan->blocks * (WGMMA_ROWS / 4 / WARP_PART); row16++) {
        uint32_t parts = store->warp_rows / WARP_PART;
        uint32_t at = row16 / parts * 4 * store->warp_rows + row16 % parts * WARP_PART;
        fill(l, store, at, piece * plan->columns, place + at * BULK_STORE_ROW_BYTES);
    }
}

static void issue_piece(struct lowering *l, const struct bulk_store *store, const struct bulk_issue *issue,
                        uint32_t piece) {
    MlirOperation op = issue->op;
    const struct bulk_store_plan *plan = &store->plan;
    unsigned rank = (unsigned)bulk_store_corner_count(op);
    uint32_t place = piece % plan->buffers * plan->piece_bytes;
    uint32_t block_bytes = plan->block_rows * BULK_STORE_ROW_BYTES;
    for (uint32_t block = 0; block < plan->blocks; block++) {
        LLVMValueRef from = LLVMBuildAdd(l->b, issue->from, lower_i32(l, place + block * block_bytes), "");
        LLVMValueRef args[3 + 5] = {map_address(l, lower_scalar(l, bulk_store_map(op))), address_of(l, from),
                                    store->issues};
        args[3] = LLVMBuildAdd(l->b, issue->column, lower_i32(l, piece * plan->columns), "");
        args[4] = LLVMBuildAdd(l->b, issue->row, lower_i32(l, block * plan->block_rows), "");
        for (unsigned d = 2; d < rank; d++) {
            args[3 + d] = lower_scalar(l, bulk_store_corner(op, d));
        }
        unsigned row_of_asm =
            op_has(op, ATTR_ADDS) ? ASM_TMA_ADD_2D + rank - 2 : ASM_TMA_STORE_1D + 2 * (rank - 1);
        asm_call(l, (enum asm_id)row_of_asm, l->void_type, args, 3 + rank);
    }
}

// ---- additions by a warp of its own (passes/specialise/specialise_adder.c) ----

// The parity of the phase that the thread's next part of the buffer waits for: 0 ahead of the first one. `next`: turns it.
static LLVMValueRef part_turn(struct lowering *l, bool next) {
    if (!l->part_turn) {
        l->part_turn = LLVMBuildAlloca(l->entry, l->i32, "part");
        LLVMBuildStore(l->entry, lower_i32(l, 0), l->part_turn);
    }
    LLVMValueRef turn = LLVMBuildLoad2(l->b, l->i32, l->part_turn, "");
    if (next) {
        LLVMBuildStore(l->b, LLVMBuildXor(l->b, turn, lower_i32(l, 1), ""), l->part_turn);
    }
    return turn;
}

static LLVMValueRef part_barrier(struct lowering *l, LLVMValueRef barriers, LLVMValueRef warpgroup) {
    LLVMValueRef offset = LLVMBuildMul(l->b, warpgroup, lower_i32(l, MBARRIER_BYTES), "");
    return address_of(l, LLVMBuildAdd(l->b, barriers, offset, ""));
}

// Until the adder's copies have read the warpgroup's part.
static void wait_for_part(struct lowering *l, LLVMValueRef warpgroup, bool next) {
    LLVMValueRef turn = LLVMBuildXor(l->b, part_turn(l, next), lower_i32(l, 1), "");
    LLVMValueRef args[] = {part_barrier(l, l->part_free, warpgroup), turn};
    asm_call(l, ASM_MBARRIER_WAIT, l->void_type, args, 2);
}

// A transposed result: a lane holds columns lane / 4 and 8 further, of rows 2 (lane mod 4) and the next, and a warp 16 columns. Four
// lanes write a row's next unit each, in units that differ by their rows, so that no two are in the same banks.
static void prepare_turned_lanes(struct lowering *l, struct bulk_store *store) {
    static const uint32_t lanes[] = {256 | 32, 512 | 64, 4, 8, 16};
    uint32_t basis[LAYOUT_MAX_BITS] = {0};
    memcpy(basis, lanes, sizeof lanes);
    basis[l->lane_bits] = 64;
    basis[l->lane_bits + 1] = store->plan.piece_bytes;
    for (unsigned bit = 2; bit < store->layout->bits[LAYOUT_WARP]; bit++) {
        basis[l->lane_bits + bit] = store->plan.warpgroup_bytes << (bit - 2);
    }
    store->lane_offset = lower_thread_linear(l, basis);
}

// Writes the warpgroup's part of a transposed result: 64 columns of 32 bits, in two pieces.
static void fill_turned(struct lowering *l, struct bulk_store *store) {
    prepare_turned_lanes(l, store);
    for (uint32_t row = 0; row < store->plan.block_rows; row += 8) {
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t of_pair = i % 2, column = i / 2 * 8;
            LLVMValueRef value = element_at(store, row + of_pair, column);
            LLVMValueRef at =
                lane_place(l, store, column / 4 ^ of_pair, (row + of_pair) * BULK_STORE_ROW_BYTES);
            lower_shared_write(l, lower_shared_address(l, at), &value, 1, NULL);
        }
    }
}

static void fill_parts(struct lowering *l, struct bulk_store *store) {
    wait_for_part(l, store->group, true);
    if (!wgmma_is_result(store->layout)) {
        fill_turned(l, store);
        return;
    }
    for (uint32_t piece = 0; piece < store->plan.pieces; piece++) {
        fill_piece(l, store, piece);
    }
}

// The first coordinate of a warpgroup's part of the tile.
static uint32_t place_of_group(const struct bulk_store *store, uint32_t group, unsigned dim) {
    const struct layout *layout = store->layout;
    uint32_t place = 0;
    for (unsigned bit = 2; bit < layout->bits[LAYOUT_WARP]; bit++) {
        uint32_t at[LAYOUT_MAX_RANK] = {0};
        layout_split_coordinates(layout, layout->basis[LAYOUT_WARP][bit], at);
        place += group >> (bit - 2) & 1 ? at[dim] : 0;
    }
    return place;
}

// By one thread, for all warpgroups.
static void issue_parts(struct lowering *l, struct bulk_store *store, MlirOperation op) {
    const struct bulk_store_plan *plan = &store->plan;
    store->issues = LLVMConstInt(l->i1, 1, 0);
    LLVMValueRef turn = part_turn(l, true);
    for (uint32_t group = 0; group < store->groups; group++) {
        LLVMValueRef wait[] = {part_barrier(l, l->part_filled, lower_i32(l, group)), turn};
        asm_call(l, ASM_MBARRIER_WAIT, l->void_type, wait, 2);
        if (group == 0 && (op_has(op, ATTR_BEHIND) || op_has(op, ATTR_REPEATED))) {
            wait_written(l);
        }
        struct bulk_issue issue = {.op = op};
        issue.from = LLVMBuildAdd(l->b, store->buffer, lower_i32(l, group * plan->warpgroup_bytes), "");
        issue.column = LLVMBuildAdd(l->b, lower_scalar(l, bulk_store_corner(op, 0)),
                                    lower_i32(l, place_of_group(store, group, 1)), "");
        issue.row = LLVMBuildAdd(l->b, lower_scalar(l, bulk_store_corner(op, 1)),
                                 lower_i32(l, place_of_group(store, group, 0)), "");
        for (uint32_t piece = 0; piece < plan->pieces; piece++) {
            issue_piece(l, store, &issue, piece);
        }
        asm_call(l, ASM_BULK_COMMIT, l->void_type, NULL, 0);
    }
    for (uint32_t group = 0; group < store->groups; group++) {
        LLVMValueRef pending = lower_i32(l, store->groups - 1 - group);
        asm_call(l, ASM_BULK_WAIT_READ, l->void_type, &pending, 1);
        LLVMValueRef args[] = {part_barrier(l, l->part_free, lower_i32(l, group)), store->issues};
        asm_call(l, ASM_MBARRIER_ARRIVE, l->void_type, args, 2);
    }
}

// Stores that another op's may be pending behind: a piece at a time, of two buffers in turn. Where ops share the buffer, all that
// was stored before has been read, and as many pieces go together as it holds.
static void store_pieces(struct lowering *l, const struct bulk_store *store, const struct bulk_issue *issue) {
    const struct bulk_store_plan *plan = &store->plan;
    bool behind = op_has(issue->op, ATTR_BEHIND), repeated = op_has(issue->op, ATTR_REPEATED);
    bool shares = op_has(issue->op, ATTR_SHARES);
    uint32_t together = shares ? plan->buffers : 1;
    for (uint32_t piece = 0; piece < plan->pieces; piece += together) {
        // The last read of a piece's buffer was by an earlier store of this op; later ones may be pending,
        // and another op's.
        unsigned after = shares ? 0 : plan->buffers - 1 + (behind && piece < plan->buffers);
        LLVMValueRef pending = lower_i32(l, after);
        asm_call(l, ASM_BULK_WAIT_READ, l->void_type, &pending, 1);
        meet(l, store);
        if (l->part_free && shares) {
            wait_for_part(l, store->group, false);
        }
        for (uint32_t i = 0; i < together; i++) {
            fill_piece(l, store, piece + i);
        }
        asm_call(l, ASM_FENCE_PROXY_ASYNC, l->void_type, NULL, 0);
        meet(l, store);
        if ((behind || repeated) && piece == 0) {
            wait_written(l);
        }
        for (uint32_t i = 0; i < together; i++) {
            issue_piece(l, store, issue, piece + i);
        }
        asm_call(l, ASM_BULK_COMMIT, l->void_type, NULL, 0);
    }
}

void lower_bulk_store(struct lowering *l, MlirOperation op) {
    MlirValue tile = bulk_store_tile(op), buffer = bulk_store_buffer(op);
    struct bulk_store store = {.layout = lower_layout(l, tile), .elements = lower_values(l, tile)->at};
    store.bytes = lower_storage_bits(lower_element(tile)) / 8;
    store.warp_rows = wgmma_result_rows(store.layout);
    store.plan = bulk_store_plan(store.layout, store.bytes);
    // Ops that share a buffer hand over tiles of several sizes: each warpgroup has the same part of it for all.
    store.groups = store.plan.bytes / store.plan.warpgroup_bytes;
    store.plan.warpgroup_bytes = (unsigned)type_elements(mlirValueGetType(buffer)) / store.groups;
    unsigned room = store.plan.warpgroup_bytes / store.plan.piece_bytes;
    store.plan.buffers = room < store.plan.buffers ? room : store.plan.buffers;
    store.buffer = lower_scalar(l, buffer);
    if (op_has(op, ATTR_ISSUES)) {
        issue_parts(l, &store, op);
        return;
    }
    store.group = of_warpgroup(l, store.layout, -1, 1);
    store.warpgroup = LLVMBuildAdd(l->b, store.group, lower_i32(l, WARPGROUP_BARRIER), "");
    LLVMValueRef in_group = LLVMBuildAnd(l->b, l->thread, lower_i32(l, 4 * l->target->warp_size - 1), "");
    store.issues = LLVMBuildICmp(l->b, LLVMIntEQ, in_group, lower_i32(l, 0), "");
    LLVMValueRef row_bit = LLVMBuildAnd(l->b, lower_lane(l), lower_i32(l, 4), "");
    store.odd = LLVMBuildICmp(l->b, LLVMIntNE, row_bit, lower_i32(l, 0), "");
    prepare_lanes(l, &store);
    if (op_has(op, ATTR_FILLS)) {
        fill_parts(l, &store);
        return;
    }
    struct bulk_issue issue = {.op = op};
    issue.from =
        LLVMBuildAdd(l->b, store.buffer, of_warpgroup(l, store.layout, -1, store.plan.warpgroup_bytes), "");
    issue.column = LLVMBuildAdd(l->b, lower_scalar(l, bulk_store_corner(op, 0)),
                                of_warpgroup(l, store.layout, 1, 1), "");
    issue.row = LLVMBuildAdd(l->b, lower_scalar(l, bulk_store_corner(op, 1)),
                             of_warpgroup(l, store.layout, 0, 1), "");
    store_pieces(l, &store, &issue);
}

void lower_bulk_wait(struct lowering *l, MlirOperation op) {
    LLVMValueRef pending = lower_i32(l, 0);
    if (op_has(op, ATTR_SHARES)) {
        asm_call(l, ASM_BULK_WAIT_READ, l->void_type, &pending, 1);
    } else {
        wait_written(l);
    }
}
