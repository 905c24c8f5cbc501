// scan: inclusive prefix combination along one axis.
//
// Step b joins segments of 2^b elements in pairs: every element of the upper one (coordinate bit b set) is
// combined with the last element of the lower one (bit b clear, all lower bits set). The layout's inputs for
// bit b and the lower bits decide how to reach that element: a register of this thread, another lane
// (shuffle), another warp (scratch). A reverse scan counts bits the other way round. Steps go up, so an
// element is final after the steps of its own bits.
//
// If a thread's registers hold neighbours, followed by lanes and then warps, the steps would combine every
// element. Instead a thread scans its own elements first, the lanes of a warp scan the last ones, and the
// total before a thread is combined with each of its elements at the end: for 512 elements in 4 registers, 5
// lane bits and 2 warp bits, 14 combinations a thread instead of 32. Further registers behind the warps hold
// further such runs. The warps meet once for all runs, and the total of the earlier runs, known to every
// thread, is added to the total before a thread in its own run.
//
// What the warps leave (the ends of all warps and runs) each thread combines one after another if a combination is short. Long
// ones are a scan of their own: each lane takes one end, so that eight ends take three combinations, not six.
#include "lower/lower_internal.h"
#include "chip/launch_bounds.h"
#include "chip/scratch.h"

#include <string.h>

enum { MAX_SCANNED = 16 };

struct scan {
    MlirOperation op;
    unsigned count;
    const struct layout *layout;
    unsigned shift, bits; // the axis in a flat index
    bool reverse;
    uint32_t free; // register bits of replicas
    int crossing;
    LLVMValueRef *values[MAX_SCANNED];
};

// The bits of one input for coordinate bits [0, b).
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

// Scratch holds only elements with fixed lowest `crossing` coordinate bits: these bits are cut out of the
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

// The register bits, of those in `varying`, whose elements are neighbours in scratch: the first one's are one place apart, the second one's
// two, in up to 16 bytes. Sets `bits`; returns their number.
static unsigned neighbours(const struct scan *scan, uint32_t varying, unsigned bytes, uint32_t bits[4]) {
    const struct layout *layout = scan->layout;
    unsigned count = 0;
    for (bool found = true; found && bytes << (count + 1) <= 16;) {
        found = false;
        for (unsigned i = 0; i < layout->bits[LAYOUT_REGISTER] && !found; i++) {
            found = (varying >> i & 1) && slot_of(scan, layout->basis[LAYOUT_REGISTER][i]) == 1u << count;
            bits[count] = 1u << i;
        }
        count += found;
    }
    return count;
}

// Writes tile i's last elements of the lower segments: of each register that has those of `set` among `fixed`. Neighbours are one access.
static void write_ends(struct lowering *l, struct scan *scan, unsigned i, uint32_t fixed, uint32_t set,
                       uint32_t offset, LLVMValueRef writes) {
    uint32_t bits[4], within = 0;
    unsigned bytes = lower_type_bits(LLVMTypeOf(scan->values[i][0])) / 8;
    unsigned count = neighbours(scan, ~(fixed | scan->free), bytes, bits);
    for (unsigned b = 0; b < count; b++) {
        within |= bits[b];
    }
    for (uint32_t r = 0; r < layout_registers(scan->layout); r++) {
        if ((r & (scan->free | within)) || (r & fixed) != set) {
            continue;
        }
        LLVMValueRef elements[16];
        for (uint32_t e = 0; e < 1u << count; e++) {
            uint32_t at = r;
            for (unsigned b = 0; b < count; b++) {
                at |= e >> b & 1 ? bits[b] : 0;
            }
            elements[e] = scan->values[i][at];
        }
        uint32_t flat = layout_column(scan->layout, LAYOUT_REGISTER, r);
        lower_shared_write(l, slot_address(l, scan, 0, flat, bytes, offset), elements, 1u << count, writes);
    }
}

// The last element of the lower segment for each register, through scratch.
static void write_totals(struct lowering *l, struct scan *scan, unsigned b, const uint32_t *offsets) {
    uint32_t ones = thread_mask(l, scan, b, true), at_b = thread_mask(l, scan, b, false);
    uint32_t wanted = scan->reverse ? at_b : ones, repeats = lower_free_threads(l, scan->layout);
    LLVMValueRef bits = LLVMBuildAnd(l->b, l->thread, lower_i32(l, ones | at_b | repeats), "");
    LLVMValueRef writes = LLVMBuildICmp(l->b, LLVMIntEQ, bits, lower_i32(l, wanted), "");
    uint32_t low = input_bits_below(scan, LAYOUT_REGISTER, b), reg_b = input_bit(scan, LAYOUT_REGISTER, b);
    for (unsigned i = 0; i < scan->count; i++) {
        write_ends(l, scan, i, low | reg_b, scan->reverse ? reg_b : low, offsets[i], writes);
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

// The lowest bits of the axis: first `registers`, then `lanes`, then `warps` bits. `behind`: further register
// bits; other bits are left to scan_step.
struct runs {
    unsigned registers, lanes, warps, behind;
};

static unsigned bits_of(const struct scan *scan, enum layout_input input, unsigned from) {
    unsigned b = from;
    while (b < scan->bits && input_bit(scan, input, b)) {
        b++;
    }
    return b - from;
}

static struct runs runs_of(const struct scan *scan) {
    struct runs runs = {.registers = bits_of(scan, LAYOUT_REGISTER, 0)};
    runs.lanes = bits_of(scan, LAYOUT_LANE, runs.registers);
    runs.warps = bits_of(scan, LAYOUT_WARP, runs.registers + runs.lanes);
    unsigned done = runs.registers + runs.lanes + runs.warps, behind = bits_of(scan, LAYOUT_REGISTER, done);
    runs.behind = done + behind == scan->bits ? behind : 0;
    return runs;
}

static int combination_ops(const struct scan *scan) { // with the terminator
    int ops = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(op_body(scan->op, 0)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        ops++;
    }
    return ops;
}

static bool is_long(const struct scan *scan) { // than a sum
    enum { SHORT_OPS = 4 };
    return combination_ops(scan) > SHORT_OPS;
}

// The register at `base` plus axis position `at`, counted from axis bit `from` on.
static uint32_t register_along(const struct scan *scan, uint32_t base, unsigned from, uint32_t at) {
    for (unsigned b = 0; at >> b; b++) {
        base |= at >> b & 1 ? input_bit(scan, LAYOUT_REGISTER, from + b) : 0;
    }
    return base;
}

// out = combine(left, right) if `both` holds, else right; both NULL: always.
static void combine_if(struct lowering *l, const struct scan *scan, LLVMValueRef both, LLVMValueRef *left,
                       LLVMValueRef *right, LLVMValueRef *out) {
    LLVMValueRef joined[MAX_SCANNED];
    lower_combine(l, scan->op, scan->count, left, right, joined);
    for (unsigned i = 0; i < scan->count; i++) {
        out[i] = both ? LLVMBuildSelect(l->b, both, joined[i], right[i], "") : joined[i];
    }
}

static void shuffle_all(struct lowering *l, const struct scan *scan, LLVMValueRef *values, LLVMValueRef lane,
                        LLVMValueRef *out) {
    for (unsigned i = 0; i < scan->count; i++) {
        out[i] = lower_shuffle_index(l, values[i], lane);
    }
}

// The position of this lane, or warp, along the axis: 0 for the first.
static LLVMValueRef place_along(struct lowering *l, const struct scan *scan, enum layout_input input,
                                unsigned from, unsigned count) {
    uint32_t basis[LAYOUT_MAX_BITS] = {0};
    for (unsigned b = 0; b < count; b++) {
        unsigned bit = (unsigned)__builtin_ctz(input_bit(scan, input, from + b));
        basis[input == LAYOUT_LANE ? bit : bit + l->lane_bits] = 1u << b;
    }
    return lower_thread_linear(l, basis);
}

// The lane before this one along the axis; any lane for the first. If the bits are in order, a subtraction;
// otherwise flips the lowest set bit and the bits below it.
static LLVMValueRef lane_before(struct lowering *l, const struct scan *scan, struct runs runs) {
    LLVMValueRef lane = lower_lane(l), before = lane;
    uint32_t first = input_bit(scan, LAYOUT_LANE, runs.registers), in_order = 0;
    for (unsigned b = 0; b < runs.lanes; b++) {
        in_order += input_bit(scan, LAYOUT_LANE, runs.registers + b) == first << b;
    }
    if (in_order == runs.lanes) {
        before = LLVMBuildSub(l->b, lane, lower_i32(l, first), "");
        return LLVMBuildAnd(l->b, before, lower_i32(l, (1u << l->lane_bits) - 1), "");
    }
    for (unsigned b = runs.registers + runs.lanes; b-- > runs.registers;) {
        uint32_t below = input_bits_below(scan, LAYOUT_LANE, b), at = input_bit(scan, LAYOUT_LANE, b);
        LLVMValueRef bits = LLVMBuildAnd(l->b, lane, lower_i32(l, below | at), "");
        LLVMValueRef lowest = LLVMBuildICmp(l->b, LLVMIntEQ, bits, lower_i32(l, at), "");
        LLVMValueRef changed = LLVMBuildXor(l->b, lane, lower_i32(l, below | at), "");
        before = LLVMBuildSelect(l->b, lowest, changed, before, "");
    }
    return before;
}

// The lanes of a warp scan `total`, their last elements. Sets `before` to the total of the lane before, and
// `end` to the last lane's.
static void scan_lanes(struct lowering *l, const struct scan *scan, struct runs runs, LLVMValueRef *total,
                       LLVMValueRef *before, LLVMValueRef *end) {
    LLVMValueRef other[MAX_SCANNED], lane = lower_lane(l);
    for (unsigned b = runs.registers; b < runs.registers + runs.lanes; b++) {
        uint32_t below = input_bits_below(scan, LAYOUT_LANE, b), at = input_bit(scan, LAYOUT_LANE, b);
        LLVMValueRef bit = LLVMBuildAnd(l->b, lane, lower_i32(l, at), "");
        LLVMValueRef upper = LLVMBuildICmp(l->b, LLVMIntNE, bit, lower_i32(l, 0), "");
        shuffle_all(l, scan, total, source_lane(l, scan, below, at), other);
        combine_if(l, scan, upper, other, total, total);
    }
    shuffle_all(l, scan, total, lane_before(l, scan, runs), before);
    if (runs.behind && !runs.warps) {
        uint32_t lanes = input_bits_below(scan, LAYOUT_LANE, runs.registers + runs.lanes);
        shuffle_all(l, scan, total, LLVMBuildOr(l->b, lane, lower_i32(l, lanes), ""), end);
    }
}

// Combines the partial results of all earlier warps; if more runs follow, also the total of all warps.
static void warps_before(struct lowering *l, struct scan *scan, struct runs runs, uint32_t base,
                         const uint32_t *offsets, LLVMValueRef warp, LLVMValueRef *before,
                         LLVMValueRef *end) {
    unsigned shift = scan->shift + runs.registers + runs.lanes, warps = 1u << runs.warps;
    uint32_t flat = layout_column(scan->layout, LAYOUT_REGISTER, base), clear = (warps - 1) << shift;
    LLVMValueRef sum[MAX_SCANNED], next[MAX_SCANNED];
    for (unsigned w = 0; w < (runs.behind ? warps : warps - 1); w++) {
        LLVMValueRef mine = LLVMBuildICmp(l->b, LLVMIntEQ, warp, lower_i32(l, w + 1), "");
        for (unsigned i = 0; i < scan->count; i++) {
            LLVMTypeRef type = LLVMTypeOf(scan->values[i][base]);
            LLVMValueRef address = slot_address(l, scan, clear, (flat & ~clear) | w << shift,
                                                lower_type_bits(type) / 8, offsets[i]);
            lower_shared_read(l, address, type, 1, &next[i]);
        }
        if (w > 0) {
            combine_if(l, scan, NULL, sum, next, next);
        }
        for (unsigned i = 0; i < scan->count; i++) {
            end[i] = sum[i] = next[i];
            before[i] = w == 0          ? sum[i]
                        : w + 1 < warps ? LLVMBuildSelect(l->b, mine, sum[i], before[i], "")
                                        : before[i];
        }
    }
}

// ---- ends of warps, scanned by lanes ----

// True if it takes fewer instructions that lanes hold an end each and scan these, than that every thread combines one after
// another. With four ends a thread waits longer for the lanes than for its few combinations. On AMD's chips an exchange between
// lanes is as slow as memory.
static bool lanes_scan_ends(struct lowering *l, const struct scan *scan, struct runs runs) {
    enum { FEWEST_BITS = 3 };
    int bits = (int)(runs.warps + runs.behind), ends = 1 << bits, parts = 1 << runs.behind, words = 0;
    for (unsigned i = 0; i < scan->count; i++) {
        words += (int)(lower_type_bits(LLVMTypeOf(scan->values[i][0])) + 31) / 32;
    }
    int ops = combination_ops(scan) - 1, in_turn = ends - (parts == 1 ? 2 : 1);
    return lower_vendor(l)->lanes_exchange_fast && runs.warps && bits >= FEWEST_BITS &&
           bits <= (int)runs.lanes && bits * (ops + 2 * words) + parts * words < in_turn * ops;
}

// The lane of this one's row with the place `place` along the axis.
static LLVMValueRef lane_at(struct lowering *l, const struct scan *scan, struct runs runs,
                            LLVMValueRef place) {
    uint32_t all = input_bits_below(scan, LAYOUT_LANE, runs.registers + runs.lanes);
    LLVMValueRef lane = LLVMBuildAnd(l->b, lower_lane(l), lower_i32(l, ~all), "");
    for (unsigned b = 0; b < runs.warps + runs.behind; b++) {
        int shift = __builtin_ctz(input_bit(scan, LAYOUT_LANE, runs.registers + b)) - (int)b;
        LLVMValueRef bit = LLVMBuildAnd(l->b, place, lower_i32(l, 1u << b), "");
        bit = shift < 0 ? LLVMBuildLShr(l->b, bit, lower_i32(l, (uint32_t)-shift), "")
                        : LLVMBuildShl(l->b, bit, lower_i32(l, (uint32_t)shift), "");
        lane = LLVMBuildOr(l->b, lane, bit, "");
    }
    return lane;
}

// The address of the end whose place among all warps and runs is this lane's along the axis.
static LLVMValueRef end_address(struct lowering *l, const struct scan *scan, struct runs runs, uint32_t first,
                                unsigned bytes, uint32_t offset) {
    unsigned within = runs.registers + runs.lanes, ends = runs.warps + runs.behind;
    uint32_t clear = ((1u << ends) - 1) << (scan->shift + within), basis[LAYOUT_MAX_BITS] = {0};
    for (unsigned i = 0; i < l->lane_bits + l->warp_bits; i++) {
        enum layout_input input = i < l->lane_bits ? LAYOUT_LANE : LAYOUT_WARP;
        basis[i] = scan->layout->basis[input][i < l->lane_bits ? i : i - l->lane_bits] & ~clear;
    }
    for (unsigned b = 0; b < ends; b++) {
        basis[__builtin_ctz(input_bit(scan, LAYOUT_LANE, runs.registers + b))] =
            1u << (scan->shift + within + b);
    }
    uint32_t span = 0;
    for (unsigned i = 0; i < l->lane_bits + l->warp_bits; i++) {
        span |= basis[i] = slot_of(scan, basis[i]) * bytes;
    }
    uint32_t flat = layout_column(scan->layout, LAYOUT_REGISTER, first) & ~clear;
    LLVMValueRef at = lower_xor_constant(l, lower_thread_linear(l, basis), span, slot_of(scan, flat) * bytes);
    return lower_shared_address(l, LLVMBuildAdd(l->b, at, lower_i32(l, offset), ""));
}

// Sets `ends` to the combination of the ends up to this lane's.
static void scan_ends(struct lowering *l, struct scan *scan, struct runs runs, uint32_t first,
                      const uint32_t *offsets, LLVMValueRef *ends) {
    LLVMValueRef other[MAX_SCANNED];
    for (unsigned i = 0; i < scan->count; i++) {
        LLVMTypeRef type = LLVMTypeOf(scan->values[i][first]);
        LLVMValueRef address = end_address(l, scan, runs, first, lower_type_bits(type) / 8, offsets[i]);
        lower_shared_read(l, address, type, 1, &ends[i]);
    }
    for (unsigned b = runs.registers; b < runs.registers + runs.warps + runs.behind; b++) {
        uint32_t below = input_bits_below(scan, LAYOUT_LANE, b), at = input_bit(scan, LAYOUT_LANE, b);
        LLVMValueRef bit = LLVMBuildAnd(l->b, lower_lane(l), lower_i32(l, at), "");
        LLVMValueRef upper = LLVMBuildICmp(l->b, LLVMIntNE, bit, lower_i32(l, 0), "");
        shuffle_all(l, scan, ends, source_lane(l, scan, below, at), other);
        combine_if(l, scan, upper, other, ends, ends);
    }
}

// Each warp writes its total; also the last one, even if unused, because LLVM reads three adjacent bytes as a
// word.
static void leave_ends(struct lowering *l, struct scan *scan, struct runs runs, uint32_t base,
                       const uint32_t *offsets, LLVMValueRef *total) {
    uint32_t lanes = input_bits_below(scan, LAYOUT_LANE, runs.registers + runs.lanes);
    uint32_t repeats = lower_free_threads(l, scan->layout);
    LLVMValueRef last = LLVMBuildAnd(l->b, l->thread, lower_i32(l, lanes | repeats), "");
    last = LLVMBuildICmp(l->b, LLVMIntEQ, last, lower_i32(l, lanes), "");
    for (unsigned i = 0; i < scan->count; i++) {
        unsigned bytes = lower_type_bits(LLVMTypeOf(total[i])) / 8;
        uint32_t flat = layout_column(scan->layout, LAYOUT_REGISTER, base);
        lower_shared_write(l, slot_address(l, scan, 0, flat, bytes, offsets[i]), &total[i], 1, last);
    }
}

// A thread scans its elements of the run starting at register `base`; `total` becomes the last one.
static void scan_own(struct lowering *l, struct scan *scan, struct runs runs, uint32_t base,
                     LLVMValueRef *total) {
    for (uint32_t at = 0; at < 1u << runs.registers; at++) {
        uint32_t r = register_along(scan, base, 0, at);
        LLVMValueRef own[MAX_SCANNED];
        for (unsigned i = 0; i < scan->count; i++) {
            own[i] = scan->values[i][r];
        }
        if (at > 0) {
            combine_if(l, scan, NULL, total, own, own);
        }
        for (unsigned i = 0; i < scan->count; i++) {
            scan->values[i][r] = total[i] = own[i];
        }
    }
}

// Combines the total before a thread with each of its elements of the run, if `something` is before it.
static void follow(struct lowering *l, struct scan *scan, struct runs runs, uint32_t base,
                   LLVMValueRef something, LLVMValueRef *before) {
    for (uint32_t at = 0; at < 1u << runs.registers; at++) {
        uint32_t r = register_along(scan, base, 0, at);
        LLVMValueRef own[MAX_SCANNED];
        for (unsigned i = 0; i < scan->count; i++) {
            own[i] = scan->values[i][r];
        }
        combine_if(l, scan, something, before, own, own);
        for (unsigned i = 0; i < scan->count; i++) {
            scan->values[i][r] = own[i];
        }
    }
}

// A scan in runs under way: of each run, by its first register, the total before the thread, the run's end, and the thread's own total.
struct run_scan {
    struct scan *scan;
    struct runs runs;
    const uint32_t *offsets;
    LLVMValueRef (*before)[MAX_SCANNED], (*ends)[MAX_SCANNED], (*totals)[MAX_SCANNED];
    LLVMValueRef warp;                          // its place along the axis
    LLVMValueRef later_lane, later_warp, later; // behind the first lane, the first warp, either
};

// A thread's own elements, then the lanes of its warp; what a warp leaves goes to scratch.
static void scan_within_warps(struct lowering *l, struct run_scan *s) {
    struct scan *scan = s->scan;
    unsigned done = s->runs.registers + s->runs.lanes + s->runs.warps;
    uint32_t others = input_bits_below(scan, LAYOUT_REGISTER, done) | scan->free;
    unsigned registers = layout_registers(scan->layout);
    for (uint32_t base = 0; base < registers; base++) {
        if (!(base & others)) {
            scan_own(l, scan, s->runs, base, s->totals[base]);
            scan_lanes(l, scan, s->runs, s->totals[base], s->before[base], s->ends[base]);
            if (s->runs.warps && !is_long(scan)) {
                leave_ends(l, scan, s->runs, base, s->offsets, s->totals[base]);
            }
        }
    }
    // Long ones behind all of the exchanges: ptxas makes a branch of each write, and overlaps no exchanges across it.
    for (uint32_t base = 0; base < registers && s->runs.warps && is_long(scan); base++) {
        if (!(base & others)) {
            leave_ends(l, scan, s->runs, base, s->offsets, s->totals[base]);
        }
    }
}

// This run's part behind the warps' exchange, with the ends that the lanes have scanned.
static void follow_lanes(struct lowering *l, struct run_scan *s, uint32_t base, uint32_t run,
                         LLVMValueRef *all_ends) {
    LLVMValueRef *mine = s->before[base], ahead[MAX_SCANNED]; // of all earlier warps and runs
    LLVMValueRef place = LLVMBuildAdd(l->b, s->warp, lower_i32(l, (run << s->runs.warps) - 1), "");
    shuffle_all(l, s->scan, all_ends, lane_at(l, s->scan, s->runs, place), ahead);
    combine_if(l, s->scan, run > 0 ? NULL : s->later_warp, ahead, mine, mine);
    for (unsigned i = 0; i < s->scan->count; i++) {
        mine[i] = LLVMBuildSelect(l->b, s->later_lane, mine[i], ahead[i], "");
    }
    follow(l, s->scan, s->runs, base, run > 0 ? NULL : s->later, mine);
}

// The same, where each thread combines the warps' ends; `carry` is the total of the earlier runs, and becomes that of this one, too.
static void follow_in_turn(struct lowering *l, struct run_scan *s, uint32_t base, uint32_t run,
                           LLVMValueRef *carry) {
    LLVMValueRef *mine = s->before[base], *end = s->ends[base], joined[MAX_SCANNED];
    unsigned count = s->scan->count;
    if (s->runs.warps) {
        LLVMValueRef warps[MAX_SCANNED];
        warps_before(l, s->scan, s->runs, base, s->offsets, s->warp, warps, end);
        combine_if(l, s->scan, s->later_warp, warps, mine, mine);
        for (unsigned i = 0; i < count; i++) {
            mine[i] = LLVMBuildSelect(l->b, s->later_lane, mine[i], warps[i], "");
        }
    }
    if (run > 0) {
        combine_if(l, s->scan, NULL, carry, mine, joined);
        for (unsigned i = 0; i < count; i++) {
            mine[i] = LLVMBuildSelect(l->b, s->later, joined[i], carry[i], "");
        }
        combine_if(l, s->scan, NULL, carry, end, end);
    }
    memcpy(carry, end, MAX_SCANNED * sizeof *carry);
    follow(l, s->scan, s->runs, base, run > 0 ? NULL : s->later, mine);
}

// The lanes and warps behind the first ones; the warps meet.
static void find_later(struct lowering *l, struct run_scan *s) {
    struct runs runs = s->runs;
    LLVMValueRef lane = place_along(l, s->scan, LAYOUT_LANE, runs.registers, runs.lanes);
    s->later = s->later_lane = LLVMBuildICmp(l->b, LLVMIntNE, lane, lower_i32(l, 0), "");
    if (runs.warps) {
        lower_barrier(l);
        s->warp = place_along(l, s->scan, LAYOUT_WARP, runs.registers + runs.lanes, runs.warps);
        s->later_warp = LLVMBuildICmp(l->b, LLVMIntNE, s->warp, lower_i32(l, 0), "");
        s->later = LLVMBuildOr(l->b, s->later_lane, s->later_warp, "");
    }
}

// Scans the axis bits in `runs`, with neighbours in the registers.
static void scan_runs(struct lowering *l, struct scan *scan, struct runs runs, const uint32_t *offsets) {
    unsigned done = runs.registers + runs.lanes + runs.warps, registers = layout_registers(scan->layout);
    uint32_t in_runs = input_bits_below(scan, LAYOUT_REGISTER, done + runs.behind);
    struct run_scan s = {.scan = scan,
                         .runs = runs,
                         .offsets = offsets,
                         .before = (void *)ARENA_ARRAY(l->arena, LLVMValueRef, registers * MAX_SCANNED),
                         .ends = (void *)ARENA_ARRAY(l->arena, LLVMValueRef, registers * MAX_SCANNED),
                         .totals = (void *)ARENA_ARRAY(l->arena, LLVMValueRef, registers * MAX_SCANNED)};
    scan_within_warps(l, &s);
    find_later(l, &s);
    bool in_lanes = lanes_scan_ends(l, scan, runs);
    for (uint32_t first = 0; first < registers; first++) {
        LLVMValueRef carry[MAX_SCANNED], all_ends[MAX_SCANNED];
        if (first & (in_runs | scan->free)) {
            continue;
        }
        if (in_lanes) {
            scan_ends(l, scan, runs, first, offsets, all_ends);
        }
        for (uint32_t run = 0; run < 1u << runs.behind; run++) {
            uint32_t base = register_along(scan, first, done, run);
            if (in_lanes) {
                follow_lanes(l, &s, base, run, all_ends);
            } else {
                follow_in_turn(l, &s, base, run, carry);
            }
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

// A combination longer than a sum, and the elements of a thread that make its registers worth a bound (codegen/pressure.c).
static bool scans_runs(const struct scan *scan) {
    enum { MANY = 8 };
    return is_long(scan) && layout_registers(scan->layout) >= MANY;
}

void lower_scan(struct lowering *l, MlirOperation op) {
    struct scan scan = {
        .op = op, .count = (unsigned)mlirOperationGetNumOperands(op), .reverse = op_has(op, ATTR_REVERSE)};
    scan.layout = lower_layout(l, reduce_tile(op, 0));
    unsigned axis = (unsigned)op_int(op, ATTR_AXIS);
    scan.shift = layout_dim_shift(scan.layout, axis);
    scan.bits = scan.layout->log2_shape[axis];
    scan.free = lower_free_registers(scan.layout);
    scan.crossing = scan_first_crossing(scan.layout, axis);
    check_layout(&scan);
    if (scan.count > MAX_SCANNED) {
        bug("scan of more than %d tiles", MAX_SCANNED);
    }
    unsigned registers = layout_registers(scan.layout);
    uint32_t offsets[MAX_SCANNED], base = scan.crossing >= 0 ? (uint32_t)op_int(op, ATTR_SCRATCH) : 0;
    for (unsigned i = 0; i < scan.count; i++) {
        scan.values[i] = ARENA_ARRAY(l->arena, LLVMValueRef, registers);
        memcpy(scan.values[i], lower_values(l, reduce_tile(op, i))->at, sizeof(LLVMValueRef) * registers);
        unsigned bytes = lower_type_bits(LLVMTypeOf(scan.values[i][0])) / 8;
        offsets[i] = base;
        if (scan.crossing >= 0) {
            lower_scratch(l, op);
            base += (((1u << layout_size_log2(scan.layout)) >> scan.crossing) * bytes + 15) & ~15u;
        }
    }
    if (scans_runs(&scan)) {
        launch_scans_runs_set(l->function);
    }
    struct runs runs = runs_of(&scan);
    unsigned done = 0;
    if (!scan.reverse && runs.registers && runs.lanes) {
        scan_runs(l, &scan, runs, offsets);
        done = runs.registers + runs.lanes + runs.warps + runs.behind;
    }
    for (unsigned b = done; b < scan.bits; b++) {
        scan_step(l, &scan, b, offsets);
    }
    for (unsigned i = 0; i < scan.count; i++) {
        struct values *out = lower_result(l, op, i);
        for (unsigned r = 0; r < out->count; r++) {
            out->at[r] = scan.values[i][r & ~scan.free];
        }
    }
}
