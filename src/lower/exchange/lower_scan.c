// scan: inclusive prefix combination along one axis.
//
// Step b joins segments of 2^b elements in pairs: every element of the upper one (coordinate bit b set) is
// combined with the last element of the lower one (bit b clear, all lower bits set). Where bit b and the
// lower ones live decides how that element is reached: a register of this thread, another lane (shuffle),
// another warp (scratch). In a reverse scan bits count the other way round. Steps go up, so an element is
// final once its own bits are done.
#include "lower/lower_internal.h"
#include "chip/scratch.h"

#include <string.h>

enum { MAX_SCANNED = 16 };

struct scan {
    MlirOperation op;
    unsigned count;
    const struct layout *layout;
    unsigned shift, bits; // the axis in a flat index
    bool reverse;
    uint32_t free; // register bits that only repeat
    int crossing;
    LLVMValueRef *values[MAX_SCANNED];
};

// Bits of one input that carry coordinate bits [0, b).
static uint32_t input_bits_below(const struct scan *scan, enum layout_input input, unsigned b) {
    uint32_t mask = 0, low = ((1u << b) - 1) << scan->shift;
    for (unsigned i = 0; i < scan->layout->bits[input]; i++) {
        mask |= scan->layout->basis[input][i] & low ? 1u << i : 0;
    }
    return mask;
}

static uint32_t input_bit(const struct scan *scan, enum layout_input input, unsigned b) {
    for (unsigned i = 0; i < scan->layout->bits[input]; i++) {
        if (scan->layout->basis[input][i] == 1u << (scan->shift + b)) {
            return 1u << i;
        }
    }
    return 0;
}

static uint32_t thread_mask(struct lowering *l, const struct scan *scan, unsigned b, bool below) {
    uint32_t lanes = below ? input_bits_below(scan, LAYOUT_LANE, b) : input_bit(scan, LAYOUT_LANE, b);
    uint32_t warps = below ? input_bits_below(scan, LAYOUT_WARP, b) : input_bit(scan, LAYOUT_WARP, b);
    return lanes | warps << l->lane_bits;
}

// Scratch holds elements whose lowest `crossing` coordinate bits are known: those bits are cut out of the
// flat index.
static uint32_t slot_of(const struct scan *scan, uint32_t flat) {
    uint32_t low = flat & ((1u << scan->shift) - 1);
    return low | flat >> (scan->shift + (unsigned)scan->crossing) << scan->shift;
}

static LLVMValueRef slot_address(struct lowering *l, const struct scan *scan, uint32_t clear, uint32_t flat,
                                 unsigned bytes, uint32_t offset) {
    uint32_t basis[LAYOUT_MAX_BITS] = {0}, span = 0;
    for (unsigned i = 0; i < l->lane_bits + l->warp_bits; i++) {
        enum layout_input input = i < l->lane_bits ? LAYOUT_LANE : LAYOUT_WARP;
        unsigned bit = i < l->lane_bits ? i : i - l->lane_bits;
        basis[i] = slot_of(scan, scan->layout->basis[input][bit] & ~clear) * bytes;
        span |= basis[i];
    }
    LLVMValueRef thread = lower_thread_linear(l, basis);
    LLVMValueRef at = lower_xor_constant(l, thread, span, slot_of(scan, flat) * bytes);
    return lower_shared_address(l, LLVMBuildAdd(l->b, at, lower_i32(l, offset), ""));
}

// The last element of the lower segment for register r, through scratch.
static void write_totals(struct lowering *l, struct scan *scan, unsigned b, const uint32_t *offsets) {
    uint32_t ones = thread_mask(l, scan, b, true), at_b = thread_mask(l, scan, b, false);
    uint32_t wanted = scan->reverse ? at_b : ones, repeats = lower_free_threads(l, scan->layout);
    LLVMValueRef bits = LLVMBuildAnd(l->b, l->thread, lower_i32(l, ones | at_b | repeats), "");
    LLVMValueRef writes = LLVMBuildICmp(l->b, LLVMIntEQ, bits, lower_i32(l, wanted), "");
    uint32_t low = input_bits_below(scan, LAYOUT_REGISTER, b), reg_b = input_bit(scan, LAYOUT_REGISTER, b);
    for (uint32_t r = 0; r < layout_registers(scan->layout); r++) {
        if ((r & scan->free) || (r & (low | reg_b)) != (scan->reverse ? reg_b : low)) {
            continue;
        }
        for (unsigned i = 0; i < scan->count; i++) {
            unsigned bytes = lower_type_bits(LLVMTypeOf(scan->values[i][r])) / 8;
            LLVMValueRef address =
                slot_address(l, scan, 0, layout_column(scan->layout, LAYOUT_REGISTER, r), bytes, offsets[i]);
            lower_shared_write(l, address, &scan->values[i][r], 1, writes);
        }
    }
    lower_barrier(l);
}

static void read_total(struct lowering *l, struct scan *scan, unsigned b, uint32_t r, const uint32_t *offsets,
                       LLVMValueRef *total) {
    uint32_t clear = ((2u << b) - 1) << scan->shift, ones = ((1u << b) - 1) << scan->shift;
    uint32_t flat = layout_column(scan->layout, LAYOUT_REGISTER, r) & ~clear;
    flat |= scan->reverse ? 1u << (scan->shift + b) : ones;
    for (unsigned i = 0; i < scan->count; i++) {
        LLVMTypeRef type = LLVMTypeOf(scan->values[i][r]);
        LLVMValueRef address = slot_address(l, scan, clear, flat, lower_type_bits(type) / 8, offsets[i]);
        lower_shared_read(l, address, type, 1, &total[i]);
    }
}

static LLVMValueRef source_lane(struct lowering *l, const struct scan *scan, uint32_t below, uint32_t at_b) {
    LLVMValueRef lane = lower_lane(l);
    uint32_t set = scan->reverse ? at_b : below, clear = scan->reverse ? below : at_b;
    lane = LLVMBuildAnd(l->b, lane, lower_i32(l, ~clear), "");
    return LLVMBuildOr(l->b, lane, lower_i32(l, set), "");
}

static void scan_step(struct lowering *l, struct scan *scan, unsigned b, const uint32_t *offsets) {
    uint32_t lane_low = input_bits_below(scan, LAYOUT_LANE, b), lane_b = input_bit(scan, LAYOUT_LANE, b);
    uint32_t reg_low = input_bits_below(scan, LAYOUT_REGISTER, b),
             reg_b = input_bit(scan, LAYOUT_REGISTER, b);
    bool crosses = scan->crossing >= 0 && (unsigned)scan->crossing <= b,
         shuffles = !crosses && (lane_low | lane_b);
    unsigned count = scan->count, registers = layout_registers(scan->layout);
    if (crosses) {
        write_totals(l, scan, b, offsets);
    }
    uint32_t thread_b = thread_mask(l, scan, b, false);
    LLVMValueRef upper = NULL;
    if (thread_b) {
        LLVMValueRef bit = LLVMBuildAnd(l->b, l->thread, lower_i32(l, thread_b), "");
        upper = LLVMBuildICmp(l->b, scan->reverse ? LLVMIntEQ : LLVMIntNE, bit, lower_i32(l, 0), "");
    }
    LLVMValueRef from = shuffles ? source_lane(l, scan, lane_low, lane_b) : NULL;
    LLVMValueRef(*totals)[MAX_SCANNED] = (void *)ARENA_ARRAY(l->arena, LLVMValueRef, registers * MAX_SCANNED);
    // First every total, from values of the step before; then the combinations.
    for (uint32_t r = 0; r < registers; r++) {
        uint32_t base = r & ~(reg_low | reg_b), source = base | (scan->reverse ? reg_b : reg_low);
        if ((r & scan->free) || r != base) {
            continue;
        }
        if (crosses) {
            read_total(l, scan, b, r, offsets, totals[r]);
            continue;
        }
        for (unsigned i = 0; i < count; i++) {
            LLVMValueRef value = scan->values[i][source];
            totals[r][i] = shuffles ? lower_shuffle_index(l, value, from) : value;
        }
    }
    for (uint32_t r = 0; r < registers; r++) {
        bool in_upper = !reg_b || ((r & reg_b) != 0) != scan->reverse;
        if ((r & scan->free) || !in_upper) {
            continue;
        }
        LLVMValueRef mine[MAX_SCANNED], joined[MAX_SCANNED];
        for (unsigned i = 0; i < count; i++) {
            mine[i] = scan->values[i][r];
        }
        lower_combine(l, scan->op, count, totals[r & ~(reg_low | reg_b)], mine, joined);
        for (unsigned i = 0; i < count; i++) {
            scan->values[i][r] = upper ? LLVMBuildSelect(l->b, upper, joined[i], mine[i], "") : joined[i];
        }
    }
}

// Every axis bit must be a basis of its own, and no other basis may touch the axis.
static void check_layout(const struct scan *scan) {
    uint32_t mask = ((1u << scan->bits) - 1) << scan->shift;
    for (int input = LAYOUT_REGISTER; input <= LAYOUT_WARP; input++) {
        for (unsigned i = 0; i < scan->layout->bits[input]; i++) {
            uint32_t basis = scan->layout->basis[input][i];
            bool repeats = input == LAYOUT_REGISTER && (scan->free >> i & 1) && basis;
            if (repeats || ((basis & mask) && (basis & (basis - 1)))) {
                bug("scan: a layout basis mixes the axis with something else");
            }
        }
    }
}

void lower_scan(struct lowering *l, MlirOperation op) {
    struct scan scan = {
        .op = op, .count = (unsigned)mlirOperationGetNumOperands(op), .reverse = op_has(op, ATTR_REVERSE)};
    scan.layout = lower_layout(l, mlirOperationGetOperand(op, 0));
    unsigned axis = (unsigned)op_int(op, ATTR_AXIS, 0);
    scan.shift = layout_dim_shift(scan.layout, axis);
    scan.bits = scan.layout->log2_shape[axis];
    scan.free = lower_free_registers(scan.layout);
    scan.crossing = scan_first_crossing(scan.layout, axis);
    check_layout(&scan);
    if (scan.count > MAX_SCANNED) {
        bug("scan of more than %d tiles", MAX_SCANNED);
    }
    unsigned registers = layout_registers(scan.layout);
    uint32_t offsets[MAX_SCANNED], base = scan.crossing >= 0 ? (uint32_t)op_int(op, ATTR_SCRATCH, -1) : 0;
    for (unsigned i = 0; i < scan.count; i++) {
        scan.values[i] = ARENA_ARRAY(l->arena, LLVMValueRef, registers);
        memcpy(scan.values[i], lower_operand(l, op, i)->at, sizeof(LLVMValueRef) * registers);
        unsigned bytes = lower_type_bits(LLVMTypeOf(scan.values[i][0])) / 8;
        offsets[i] = base;
        if (scan.crossing >= 0) {
            lower_scratch(l, op);
            base += (((1u << layout_size_log2(scan.layout)) >> scan.crossing) * bytes + 15) & ~15u;
        }
    }
    for (unsigned b = 0; b < scan.bits; b++) {
        scan_step(l, &scan, b, offsets);
    }
    for (unsigned i = 0; i < scan.count; i++) {
        struct values *out = lower_result(l, op, i);
        for (unsigned r = 0; r < out->count; r++) {
            out->at[r] = scan.values[i][r & ~scan.free];
        }
    }
}
