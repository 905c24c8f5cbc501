// Sizes of scratch buffers, and the plans behind them.
#include "chip/scratch.h"

#include <string.h>

#include "chip/registers.h"
#include "dialects/tk/tk.h"
#include "ir/build.h"

struct layout_banks scratch_banks(const struct target *target) {
    return target->vendor == VENDOR_NVIDIA ? layout_banks_nvidia() : layout_banks_amd(target->warp_size);
}

// A buffer with 16-byte vectors along `fastest`, one of the tile's last two dimensions, and rows of 128 bytes
// swizzled over the banks.
static struct layout rows_along(const struct layout *tile, unsigned fastest, unsigned element_bytes) {
    int64_t shape[LAYOUT_MAX_RANK];
    unsigned rank = tile->rank, order[LAYOUT_MAX_RANK] = {fastest, 2 * rank - 3 - fastest};
    for (unsigned d = 0; d < rank; d++) {
        shape[d] = layout_extent(tile, d);
    }
    for (unsigned d = 2; d < rank; d++) {
        order[d] = rank - 1 - d;
    }
    return layout_mma_shared(rank, shape, order, element_bytes);
}

static bool moves_matrices(const struct layout *shared, const struct layout *distinct, unsigned element_bytes,
                           struct layout_ldmatrix_plan *plan) {
    struct layout map = layout_offset_map(shared, distinct);
    return layout_ldmatrix(&map, element_bytes, false, plan) ||
           layout_ldmatrix(&map, element_bytes, true, plan);
}

// Rows of 16 bytes are in one of eight places of a line of 128. The place of a row at this offset, and the first offset bit of places.
enum { PLACES = 8, PLACE_BITS = 3 };

static unsigned place_shift(unsigned element_bytes) {
    return (unsigned)__builtin_ctz(16 / element_bytes);
}

static unsigned place_of(uint32_t offset, unsigned element_bytes) {
    return offset >> place_shift(element_bytes) & (PLACES - 1);
}

// The places of sums (XOR) of the rows' bits, a bit for each.
static unsigned places_taken(const uint32_t *rows, unsigned count, unsigned element_bytes) {
    unsigned taken = 1;
    for (unsigned i = 0; i < count; i++) {
        unsigned place = place_of(rows[i], element_bytes), more = 0;
        for (unsigned at = 0; at < PLACES; at++) {
            more |= (taken >> at & 1) << (at ^ place);
        }
        taken |= more;
    }
    return taken;
}

// How many wavefronts the eight rows of a matrix take: as many as share a place.
static unsigned matrix_wavefronts(const struct layout_ldmatrix_plan *plan, unsigned element_bytes) {
    return PLACES / (unsigned)__builtin_popcount(places_taken(plan->address_lane, PLACE_BITS, element_bytes));
}

struct exchange_side {
    const struct layout *layout;
    struct layout distinct; // without register replicas
    bool matrices;          // by ldmatrix or stmatrix, if the buffer's order allows
    bool fragment;          // an operand of matrix instructions: registers in a fixed order
};

static struct exchange_side side_of(const struct target *target, const struct layout *layout,
                                    unsigned element_bytes, bool writes) {
    struct exchange_side side = {.layout = layout, .distinct = layout_remove_replicas(layout)};
    struct layout_point free = layout_free_bits(layout);
    bool owns = !free.at[LAYOUT_LANE] && !free.at[LAYOUT_WARP];
    side.matrices = target_has(target, writes ? FEATURE(SM90) : FEATURE(MMA_SM75)) && (owns || !writes);
    for (unsigned d = layout->rank - 2; d < layout->rank && !writes; d++) {
        struct layout rows = rows_along(layout, d, element_bytes);
        struct layout_ldmatrix_plan plan;
        side.fragment |= moves_matrices(&rows, &side.distinct, element_bytes, &plan);
    }
    return side;
}

// The cost of one side of a buffer for a warp: instructions, their wavefronts, and moves to assemble words or
// fragments.
static unsigned side_cost(const struct target *target, const struct layout *shared,
                          const struct exchange_side *side, unsigned element_bytes) {
    enum { WORD_BYTES = 4, WAVEFRONT_BYTES = 128 };
    struct layout_banks banks = scratch_banks(target);
    struct layout map = layout_offset_map(shared, &side->distinct);
    unsigned registers = layout_registers(&map), words = registers * element_bytes / WORD_BYTES;
    struct layout_ldmatrix_plan plan;
    if (side->matrices && moves_matrices(shared, &side->distinct, element_bytes, &plan)) {
        return words * matrix_wavefronts(&plan, element_bytes) + (words >> plan.matrix_bits);
    }
    uint8_t bit[LAYOUT_MAX_BITS] = {0};
    unsigned vector = layout_offset_vector_bits(&map, (unsigned)__builtin_ctz(16 / element_bytes), bit);
    unsigned wide = (element_bytes << vector) * banks.lanes / WAVEFRONT_BYTES;
    bool whole = words == registers || (vector > 0 && bit[0] == 0), in_order = whole;
    for (unsigned i = 0; i < vector; i++) {
        in_order &= bit[i] == i;
    }
    return (registers >> vector) * (1 + (wide > 1 ? wide : 1)) +
           ((side->fragment ? in_order : whole) ? 0 : words) +
           layout_bank_conflicts(shared, &side->distinct, element_bytes, 1u << vector, &banks);
}

// Transposed reads: a lane's 8 bytes side by side at its address.
static bool reads_transposed(const struct target *target, const struct layout *shared,
                             const struct layout *distinct, unsigned element_bytes,
                             struct layout *addresses) {
    if (!target_has(target, FEATURE(LDS_TRANSPOSE)) ||
        !layout_transposed_addresses(distinct, element_bytes, addresses)) {
        return false;
    }
    struct layout map = layout_offset_map(shared, addresses);
    uint8_t bit[LAYOUT_MAX_BITS] = {0};
    unsigned wanted = log2_of(8 / element_bytes);
    bool in_order = layout_offset_vector_bits(&map, wanted, bit) == wanted;
    for (unsigned i = 0; i < wanted; i++) {
        in_order &= bit[i] == i;
    }
    return in_order;
}

unsigned scratch_read_cost(const struct target *target, const struct layout *shared,
                           const struct layout *reader, unsigned element_bytes) {
    struct layout_banks banks = scratch_banks(target);
    struct exchange_side side = side_of(target, reader, element_bytes, false);
    struct layout addresses;
    side.fragment = true;
    if (!reads_transposed(target, shared, &side.distinct, element_bytes, &addresses)) {
        return side_cost(target, shared, &side, element_bytes);
    }
    enum { BYTES = 8, WAVEFRONT_BYTES = 128 };
    unsigned reads = layout_registers(&addresses) * element_bytes / BYTES;
    return reads * (1 + banks.lanes * BYTES / WAVEFRONT_BYTES) +
           layout_bank_conflicts(shared, &addresses, element_bytes, BYTES / element_bytes, &banks);
}

unsigned scratch_write_cost(const struct target *target, const struct layout *shared,
                            const struct layout *writer, unsigned element_bytes) {
    struct exchange_side side = side_of(target, writer, element_bytes, true);
    return side_cost(target, shared, &side, element_bytes);
}

unsigned scratch_conflicts(const struct target *target, const struct layout *shared,
                           const struct layout *distributed, unsigned element_bytes, bool writes) {
    struct layout_banks banks = scratch_banks(target);
    struct exchange_side side = side_of(target, distributed, element_bytes, writes);
    struct layout map = layout_offset_map(shared, &side.distinct);
    struct layout_ldmatrix_plan plan;
    struct layout addresses;
    uint8_t bit[LAYOUT_MAX_BITS] = {0};
    if (side.matrices && moves_matrices(shared, &side.distinct, element_bytes, &plan)) {
        unsigned words = layout_registers(&map) * element_bytes / 4;
        return words * (matrix_wavefronts(&plan, element_bytes) - 1);
    }
    if (!writes && reads_transposed(target, shared, &side.distinct, element_bytes, &addresses)) {
        return layout_bank_conflicts(shared, &addresses, element_bytes, 8 / element_bytes, &banks);
    }
    unsigned vector = layout_offset_vector_bits(&map, (unsigned)__builtin_ctz(16 / element_bytes), bit);
    return layout_bank_conflicts(shared, &side.distinct, element_bytes, 1u << vector, &banks);
}

// Swizzles a buffer of rows for a writer of matrices with distant rows (of words unpacked, 16 columns apart). Each bit of these rows without a
// place of its own gets one, by an offset bit above the places and outside the reader's rows.
static void spread_rows(struct layout *rows, const struct exchange_side *writer,
                        const struct exchange_side *reader, unsigned element_bytes) {
    struct layout_ldmatrix_plan written, read;
    if (!writer->matrices || !moves_matrices(rows, &writer->distinct, element_bytes, &written)) {
        return;
    }
    unsigned shift = place_shift(element_bytes);
    uint32_t kept = (1u << (shift + PLACE_BITS)) - 1;
    bool reads = reader->matrices && moves_matrices(rows, &reader->distinct, element_bytes, &read);
    for (unsigned i = 0; i < PLACE_BITS; i++) {
        kept |= reads ? read.address_lane[i] : 0;
    }
    for (unsigned i = 0; i < PLACE_BITS; i++) {
        unsigned before = places_taken(written.address_lane, i, element_bytes);
        uint32_t free = written.address_lane[i] & ~kept;
        unsigned own = place_of(written.address_lane[i], element_bytes);
        kept |= written.address_lane[i];
        for (unsigned n = 0; free && (before >> own & 1) && n < PLACE_BITS; n++) {
            if (!(before >> (own ^ 1u << n) & 1)) {
                rows->basis[LAYOUT_OFFSET][__builtin_ctz(free)] ^= rows->basis[LAYOUT_OFFSET][shift + n];
                moves_matrices(rows, &writer->distinct, element_bytes, &written);
                break;
            }
        }
    }
}

// A buffer for ldmatrix.trans into the reader's registers, two to a word: a matrix's rows of 16 bytes are the elements held one each by the
// reader's lanes 4, 8 and 16. False if the writer's registers don't fill such rows.
static bool rows_across_lanes(const struct layout *from, const struct layout *to, unsigned element_bytes,
                              const struct layout_banks *banks, struct layout *rows) {
    enum { ROW_BITS = 3, WORD_LANE_BITS = 2, MATRIX_BITS = 2 };
    struct layout addresses =
        layout_remove_replicas(to); // of rows: its registers; matrices and their rows: its lanes
    if (element_bytes != 2 || addresses.bits[LAYOUT_REGISTER] < 1 + MATRIX_BITS) {
        return false;
    }
    uint32_t *lane = addresses.basis[LAYOUT_LANE], *reg = addresses.basis[LAYOUT_REGISTER];
    uint32_t word = reg[0], across[ROW_BITS], matrix[MATRIX_BITS] = {reg[1], reg[2]};
    memcpy(across, lane + WORD_LANE_BITS, sizeof across);
    memcpy(reg, across, sizeof across);
    memmove(lane + 1, lane, WORD_LANE_BITS * sizeof *lane);
    lane[0] = word;
    memcpy(lane + 1 + WORD_LANE_BITS, matrix, sizeof matrix);
    *rows = layout_swizzle_for(from, &addresses, element_bytes, banks, true).shared;
    for (unsigned i = 0; i < ROW_BITS; i++) {
        uint32_t element = rows->basis[LAYOUT_OFFSET][i];
        if (element != across[0] && element != across[1] && element != across[2]) {
            return false;
        }
    }
    memcpy(rows->basis[LAYOUT_OFFSET], across, sizeof across);
    return true;
}

// Considers 16-byte rows along either of the last two dimensions, and across the reader's lanes: with ldmatrix or stmatrix
// on a side they may cost less than the common vectors of both sides.
struct layout scratch_shared(const struct target *target, const struct layout *from, const struct layout *to,
                             unsigned element_bytes) {
    struct layout_banks banks = scratch_banks(target);
    struct layout best = layout_swizzle_for(from, to, element_bytes, &banks, false).shared;
    if (target->vendor != VENDOR_NVIDIA || element_bytes > 4 || from->bits[LAYOUT_LANE] != 5 ||
        to->bits[LAYOUT_LANE] != 5) {
        return best;
    }
    struct exchange_side writer = side_of(target, from, element_bytes, true),
                         reader = side_of(target, to, element_bytes, false);
    unsigned least =
        side_cost(target, &best, &writer, element_bytes) + side_cost(target, &best, &reader, element_bytes);
    for (unsigned d = 0; d <= (from->rank < 2 ? 0u : 2u); d++) {
        struct layout rows;
        if (d > 0) {
            rows = rows_along(from, from->rank - d, element_bytes);
            spread_rows(&rows, &writer, &reader, element_bytes);
        } else if (!rows_across_lanes(from, to, element_bytes, &banks, &rows)) {
            continue;
        }
        unsigned cost = side_cost(target, &rows, &writer, element_bytes) +
                        side_cost(target, &rows, &reader, element_bytes);
        if (cost < least) {
            least = cost;
            best = rows;
        }
    }
    return best;
}

bool scratch_swaps(const struct target *target, const struct layout *from, const struct layout *to,
                   unsigned bits, struct layout_swaps *swaps) {
    return target_has(target, FEATURE(PERMLANE_SWAP)) && bits >= 8 && bits <= 32 &&
           layout_swaps(from, to, swaps);
}

static bool halve(struct scratch_pieces *pieces) {
    for (unsigned bit = layout_size_log2(&pieces->to); bit-- > 0;) {
        struct layout from, to;
        if (layout_half(&pieces->from, bit, &from, &pieces->from_bit[pieces->count]) &&
            layout_half(&pieces->to, bit, &to, &pieces->to_bit[pieces->count])) {
            pieces->from = from;
            pieces->to = to;
            pieces->count++;
            return true;
        }
    }
    return false;
}

struct scratch_pieces scratch_pieces(const struct target *target, const struct layout *from,
                                     const struct layout *to, unsigned element_bytes, unsigned limit) {
    struct scratch_pieces pieces = {.from = *from, .to = *to};
    limit = limit ? limit : target->shared_limit;
    while (((uint64_t)element_bytes << layout_size_log2(&pieces.to)) > limit && halve(&pieces)) {
    }
    return pieces;
}

bool scratch_pieces_stay_in_warp(const struct scratch_pieces *pieces) {
    return pieces->from.bits[LAYOUT_WARP] > 0 && layout_stays_in_warp(&pieces->from, &pieces->to);
}

// True if the writer has neighbours in the dimension in which the reader's lanes do: then transposed reads need no moves on either side.
static bool scratch_transposes(const struct target *target, const struct layout *writer,
                               const struct layout *reader, unsigned element_bytes,
                               struct layout *addresses) {
    struct layout distinct = layout_remove_replicas(reader);
    if (!target_has(target, FEATURE(LDS_TRANSPOSE)) ||
        !layout_transposed_addresses(&distinct, element_bytes, addresses)) {
        return false;
    }
    for (unsigned i = 0; i < log2_of(8 / element_bytes); i++) {
        if (i >= writer->bits[LAYOUT_REGISTER] ||
            writer->basis[LAYOUT_REGISTER][i] != addresses->basis[LAYOUT_REGISTER][i]) {
            return false;
        }
    }
    return true;
}

struct layout scratch_operand(const struct target *target, const struct layout *writer,
                              const struct layout *reader, unsigned element_bytes) {
    if (target->vendor != VENDOR_NVIDIA) {
        struct layout_banks banks = scratch_banks(target);
        struct layout addresses;
        if (scratch_transposes(target, writer, reader, element_bytes, &addresses)) {
            return layout_swizzle_for(writer, &addresses, element_bytes, &banks, true).shared;
        }
        return layout_swizzle_for(writer, reader, element_bytes, &banks, true).shared;
    }
    int64_t shape[LAYOUT_MAX_RANK];
    unsigned order[LAYOUT_MAX_RANK], fastest = 0, rank = writer->rank;
    for (unsigned d = 0; d < rank; d++) {
        shape[d] = layout_extent(writer, d);
        fastest = layout_contiguity(writer, d) > layout_contiguity(writer, fastest) ? d : fastest;
    }
    unsigned n = 0;
    order[n++] = layout_contiguity(writer, fastest) > 1 ? fastest : rank - 1;
    for (unsigned d = rank; d-- > 0;) {
        if (d != order[0]) {
            order[n++] = d;
        }
    }
    return layout_mma_shared(rank, shape, order, element_bytes);
}

static unsigned element_bytes(MlirType type) {
    unsigned bits = type_bits(type_element(type));
    return bits < 8 ? 1 : bits / 8;
}

static unsigned aligned(unsigned bytes) {
    return (bytes + 15) & ~15u;
}

// ---- reduce ----

unsigned reduce_plan_results(const struct reduce_plan *plan) {
    return plan->groups << __builtin_popcount(plan->kept_threads);
}

// The number of threads that combine an element; 0: every holder. Shared memory delivers 128 bytes a clock to
// a block: if each thread of 16 warps reads 16 numbers for each of 4 elements, they wait 1,000 clocks; another
// barrier takes less than 100. An element's sharers are neighbours in a warp, and each combines at least four
// numbers.
//
// A row of a block is also combined by sharers if each thread holds 16 elements or more and no loop reduces
// one row after the other. Such a row is usually stored afterwards, and memory under loads and stores of many
// blocks has a higher throughput if stores come a little later (tests/bench/TRIED.md). Not if a block has a
// multiprocessor to itself: it would wait for each barrier.
//
// Nor does each thread combine several pairs of value and index of eight warps or more.
static unsigned sharers_of(const struct target *target, unsigned threads, const struct reduce_plan *plan,
                           unsigned elements, bool in_loop, unsigned operands) {
    enum { MANY_READS = 8192, LEAST_SHARE = 4, LONG_ROW = 16, LEAST_BLOCKS = 2 };
    enum { MANY_WARPS = 8, MANY_PAIRS = 4 };
    unsigned warps = 1u << __builtin_popcount(plan->axis_warps), results = reduce_plan_results(plan);
    if (!plan->axis_warps || plan->rounds > 1) {
        return 0;
    }
    if (target->vendor == VENDOR_NVIDIA && results == 1 && elements >= LONG_ROW && !in_loop &&
        registers_blocks(target, threads / target->warp_size,
                         elements + registers_reserved(RESERVE_SHARED_ROW)) >= LEAST_BLOCKS) {
        return warps > LEAST_SHARE ? warps / LEAST_SHARE : 1;
    }
    if (target->vendor == VENDOR_NVIDIA && operands > 1 && warps >= MANY_WARPS &&
        plan->groups >= MANY_PAIRS && results * (warps / LEAST_SHARE) <= threads) {
        return warps / LEAST_SHARE;
    }
    if (plan->axis_lanes || results > threads || (uint64_t)threads * plan->groups * warps < MANY_READS) {
        return 0;
    }
    unsigned sharers = threads / results; // all threads work
    return sharers <= warps / LEAST_SHARE && sharers <= target->warp_size ? sharers : 0;
}

// As many rounds as it takes for a round's partial results to fit into shared memory. Where two warps hold a pair each (sorts and flips of
// large tiles), all of the partial results are as many as the tile's elements.
static unsigned rounds_of(const struct target *target, const struct reduce_plan *plan, MlirOperation reduce) {
    uint64_t slots = (uint64_t)reduce_plan_results(plan) << __builtin_popcount(plan->axis_warps), bytes = 0;
    for (intptr_t i = 0; plan->axis_warps && i < mlirOperationGetNumOperands(reduce); i++) {
        bytes += slots * element_bytes(mlirValueGetType(mlirOperationGetOperand(reduce, i)));
    }
    unsigned rounds = 1;
    while (bytes / rounds > (uint64_t)target->shared_limit && rounds < plan->groups) {
        rounds *= 2;
    }
    return rounds;
}

struct reduce_plan reduce_plan(struct ir *ir, const struct target *target, unsigned num_warps,
                               MlirOperation reduce) {
    struct reduce_plan plan = {.possible = true};
    const struct layout *operand = type_layout(ir, mlirValueGetType(reduce_tile(reduce, 0)));
    unsigned axis = (unsigned)op_int(reduce, ATTR_AXIS);
    unsigned lane_bits = (unsigned)__builtin_ctz(target->warp_size),
             warp_bits = (unsigned)__builtin_ctz(num_warps);
    uint32_t mask = layout_dim_mask(operand, axis);
    struct layout_point free = layout_free_bits(operand);
    for (unsigned i = 0; i < lane_bits + warp_bits; i++) {
        enum layout_input input = i < lane_bits ? LAYOUT_LANE : LAYOUT_WARP;
        unsigned bit = i < lane_bits ? i : i - lane_bits;
        if (bit >= operand->bits[input] || (free.at[input] >> bit & 1)) {
            continue;
        }
        uint32_t basis = operand->basis[input][bit];
        if ((basis & mask) && (basis & ~mask)) {
            plan.possible = false;
        } else if (basis & mask) {
            *(input == LAYOUT_LANE ? &plan.axis_lanes : &plan.axis_warps) |= 1u << bit;
        } else {
            plan.kept_threads |= 1u << i;
        }
    }
    // Groups: the rank of the register bases outside the axis.
    uint32_t pivots[LAYOUT_MAX_BITS];
    unsigned rank = 0;
    for (unsigned i = 0; i < operand->bits[LAYOUT_REGISTER]; i++) {
        uint32_t basis = free.at[LAYOUT_REGISTER] >> i & 1 ? 0 : operand->basis[LAYOUT_REGISTER][i] & ~mask;
        for (unsigned p = 0; p < rank; p++) {
            basis = (basis ^ pivots[p]) < basis ? basis ^ pivots[p] : basis;
        }
        if (basis) {
            pivots[rank++] = basis;
        }
    }
    plan.groups = 1u << rank;
    plan.rounds = rounds_of(target, &plan, reduce);
    plan.sharers = sharers_of(target, target->warp_size * num_warps, &plan, layout_registers(operand),
                              op_is_in_loop(ir, reduce), (unsigned)mlirOperationGetNumOperands(reduce));
    return plan;
}

unsigned reduce_plan_slots(const struct reduce_plan *plan) {
    unsigned results = reduce_plan_results(plan) / plan->rounds;
    return plan->axis_warps ? results << __builtin_popcount(plan->axis_warps) : 0;
}

unsigned reduce_plan_scratch(const struct reduce_plan *plan) {
    return reduce_plan_slots(plan) + (plan->sharers ? reduce_plan_results(plan) : 0);
}

static unsigned reduce_bytes(struct ir *ir, const struct target *target, unsigned num_warps,
                             MlirOperation op) {
    struct reduce_plan plan = reduce_plan(ir, target, num_warps, op);
    unsigned bytes = 0;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        bytes += aligned(reduce_plan_scratch(&plan) *
                         element_bytes(mlirValueGetType(mlirOperationGetOperand(op, i))));
    }
    return bytes;
}

// ---- scan ----

// The lowest axis bit at or above a warp bit of the axis; -1: none.
int scan_first_crossing(const struct layout *operand, unsigned axis) {
    unsigned shift = layout_dim_shift(operand, axis);
    for (unsigned b = 0; b < operand->log2_shape[axis]; b++) {
        for (unsigned w = 0; w < operand->bits[LAYOUT_WARP]; w++) {
            if (operand->basis[LAYOUT_WARP][w] == 1u << (shift + b)) {
                return (int)b;
            }
        }
    }
    return -1;
}

unsigned scan_bytes(MlirOperation op, const struct layout *operand) {
    int crossing = scan_first_crossing(operand, (unsigned)op_int(op, ATTR_AXIS));
    unsigned bytes = 0;
    for (intptr_t i = 0; crossing >= 0 && i < mlirOperationGetNumOperands(op); i++) {
        MlirType type = mlirValueGetType(reduce_tile(op, i));
        bytes += aligned((unsigned)(type_elements(type) >> crossing) * element_bytes(type));
    }
    return bytes;
}

// ---- one value for all threads ----

// The memory read by an atomic or a volatile load may change at any moment: one thread reads an element, and
// passes it to the threads with replicas.
static unsigned shared_result_bytes(struct ir *ir, const struct target *target, unsigned num_warps,
                                    MlirOperation op) {
    MlirValue result = mlirOperationGetResult(op, 0);
    MlirType type = mlirValueGetType(result);
    if (!value_has_uses(result)) {
        return 0;
    }
    const struct layout *layout = type_layout(ir, type);
    if (!layout) {
        return 16;
    }
    struct layout_point free = layout_free_bits(layout);
    bool shared = free.at[LAYOUT_LANE] || free.at[LAYOUT_WARP] ||
                  (1u << layout->bits[LAYOUT_LANE]) < target->warp_size ||
                  (1u << layout->bits[LAYOUT_WARP]) < num_warps;
    return shared ? aligned((unsigned)type_elements(type) * element_bytes(type)) : 0;
}

// A loop of one thread hands its results on, each in as many bytes.
static unsigned loop_bytes(MlirOperation loop) {
    unsigned bytes = 0;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(loop) && op_has(loop, ATTR_ONE_THREAD); i++) {
        bytes += value_has_uses(mlirOperationGetResult(loop, i)) ? SCRATCH_NUMBER_BYTES : 0;
    }
    return aligned(bytes);
}

// True if all threads have a part in the access, and one of them hands on the result.
static bool hands_on(MlirOperation op) {
    return !op_has(op, ATTR_EACH_WARP) && !op_has(op, ATTR_ONE_THREAD);
}

unsigned scratch_bytes(struct ir *ir, const struct target *target, unsigned num_warps, MlirOperation op) {
    switch (op_kind(ir, op)) {
    case OP_CONVERT_LAYOUT: {
        MlirType from = mlirValueGetType(unary_source(op));
        MlirType to = mlirValueGetType(mlirOperationGetResult(op, 0));
        if (type_is_shared(ir, to)) { // a buffer of its own, created by the warpgroup pass
            return aligned((unsigned)type_elements(to) * element_bytes(to));
        }
        const struct layout *source = type_layout(ir, from), *result = type_layout(ir, to);
        struct layout_swaps swaps;
        if (layout_conversion(source, result, SCRATCH_SHUFFLE_ROUNDS).kind != LAYOUT_CONVERT_SHARED ||
            scratch_swaps(target, source, result, type_bits(type_element(to)), &swaps)) {
            return 0;
        }
        struct scratch_pieces pieces =
            scratch_pieces(target, source, result, element_bytes(to), (unsigned)op_int(op, ATTR_PIECE));
        return aligned(element_bytes(to) << layout_size_log2(&pieces.to));
    }
    case OP_REDUCE:
        return reduce_bytes(ir, target, num_warps, op);
    case OP_SCAN:
        return scan_bytes(op, type_layout(ir, mlirValueGetType(reduce_tile(op, 0))));
    case OP_GATHER: {
        MlirType source = mlirValueGetType(gather_source(op));
        return aligned((unsigned)type_elements(source) * element_bytes(source));
    }
    case OP_HISTOGRAM:
        return aligned((unsigned)type_elements(mlirValueGetType(mlirOperationGetResult(op, 0))) * 4);
    case OP_LOAD:
        return load_is_volatile(op) && hands_on(op) ? shared_result_bytes(ir, target, num_warps, op) : 0;
    case OP_ATOMIC_RMW:
    case OP_ATOMIC_CAS:
    case OP_ATOMIC_POLL:
        return hands_on(op) ? shared_result_bytes(ir, target, num_warps, op) : 0;
    case OP_WHILE:
        return loop_bytes(op);
    default:
        return 0;
    }
}

bool scratch_meets_in_warp(struct ir *ir, const struct target *target, MlirOperation op) {
    if (op_kind(ir, op) != OP_CONVERT_LAYOUT || !op_has(op, ATTR_SCRATCH)) {
        return false;
    }
    MlirType from = mlirValueGetType(unary_source(op)), to = mlirValueGetType(mlirOperationGetResult(op, 0));
    if (type_is_shared(ir, from) || type_is_shared(ir, to)) {
        return false;
    }
    struct scratch_pieces pieces = scratch_pieces(target, type_layout(ir, from), type_layout(ir, to),
                                                  element_bytes(to), (unsigned)op_int(op, ATTR_PIECE));
    return scratch_pieces_stay_in_warp(&pieces);
}

bool scratch_same_in_warp(MlirOperation a, MlirOperation b) {
    MlirType types[2][2];
    const MlirOperation ops[] = {a, b};
    for (int i = 0; i < 2; i++) {
        types[i][0] = mlirValueGetType(unary_source(ops[i]));
        types[i][1] = mlirValueGetType(mlirOperationGetResult(ops[i], 0));
    }
    return mlirTypeEqual(types[0][0], types[1][0]) && mlirTypeEqual(types[0][1], types[1][1]) &&
           op_int(a, ATTR_SCRATCH) == op_int(b, ATTR_SCRATCH) &&
           op_int(a, ATTR_PIECE) == op_int(b, ATTR_PIECE);
}

bool scratch_within_warp(struct ir *ir, const struct target *target, unsigned num_warps, MlirOperation op) {
    enum op_kind kind = op_kind(ir, op);
    bool combines = kind == OP_REDUCE || kind == OP_PARTIAL_REDUCE;
    return (op_traits(kind) & PURE) && (mlirOperationGetNumRegions(op) == 0 || combines) &&
           scratch_bytes(ir, target, num_warps, op) == 0;
}
