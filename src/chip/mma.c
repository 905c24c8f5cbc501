// Layouts and selection of matrix instructions, from the rows of mma.def.
#include "chip/mma.h"
#include "chip/tcgen05.h"

#include <string.h>

// A coordinate bit in a row: its axis, and its number plus one (MMA_END is 0).
enum { AXIS_M = 0x20, AXIS_N = 0x40, AXIS_K = 0x60, AXIS_REPLICA = 0x80, AXIS_MASK = 0xe0 };
#define M(bit) (AXIS_M | (bit))
#define N(bit) (AXIS_N | (bit))
#define K(bit) (AXIS_K | (bit))
#define REPLICA AXIS_REPLICA
#define L(...)                                                                                               \
    { __VA_ARGS__ }

#define INTRINSIC(name) .intrinsic = name
#define ASSEMBLY(id) .assembly = ASM_##id
#define A_B false
#define TRANSPOSED true
#define MIXED(name) .intrinsic = name, .mixed = true
#define PRODUCT(features_, a_, b_, acc_, m_, n_, k_, warps_)                                                 \
    .features = features_, .a = MMA_##a_, .b = MMA_##b_, .acc = MMA_##acc_, .m = m_, .n = n_, .k = k_,       \
    .warps = warps_
#define MMA(name_, call, order, features_, a_, b_, acc_, m_, n_, k_, areg, alane, breg, blane, creg, clane)  \
    {.name = name_,                                                                                          \
     call,                                                                                                   \
     .transposed = order,                                                                                    \
     PRODUCT(features_, a_, b_, acc_, m_, n_, k_, 1),                                                        \
     .fragment = {                                                                                           \
         {.reg = areg, .lane = alane}, {.reg = breg, .lane = blane}, {.reg = creg, .lane = clane}}},
#define MMA_SCALED(name_, call, order, features_, a_, b_, acc_, m_, n_, k_, group_, areg, alane, breg,       \
                   blane, creg, clane, sareg, salane, sbreg, sblane)                                         \
    {.name = name_,                                                                                          \
     call,                                                                                                   \
     .transposed = order,                                                                                    \
     PRODUCT(features_, a_, b_, acc_, m_, n_, k_, 1),                                                        \
     .group = group_,                                                                                        \
     .fragment = {{.reg = areg, .lane = alane},                                                              \
                  {.reg = breg, .lane = blane},                                                              \
                  {.reg = creg, .lane = clane},                                                              \
                  {.reg = sareg, .lane = salane},                                                            \
                  {.reg = sbreg, .lane = sblane}}},
#define WGMMA(name_, types_, a_, b_, acc_, k_, areg, alane)                                                  \
    {.name = name_,                                                                                          \
     .types = types_,                                                                                        \
     PRODUCT(FEATURE(WGMMA), a_, b_, acc_, 64, 8, k_, 4),                                                    \
     .fragment = {{.reg = areg, .lane = alane, .warp = L(M(4), M(5))},                                       \
                  {.reg = L(MMA_END)},                                                                       \
                  {.reg = L(N(0), M(3)), .lane = L(N(1), N(2), M(0), M(1), M(2)), .warp = L(M(4), M(5))}}},
#define TCGEN05(name_, kind_, features_, a_, b_, acc_, k_)                                                   \
    TCGEN05_SCALED(name_, kind_, features_, a_, b_, acc_, k_, 0)
#define TCGEN05_SCALED(name_, kind_, features_, a_, b_, acc_, k_, group_)                                    \
    {.name = name_,                                                                                          \
     .types = kind_,                                                                                         \
     .group = group_,                                                                                        \
     PRODUCT(features_, a_, b_, acc_, 128, 8, k_, 4),                                                        \
     .fragment = {                                                                                           \
         {.reg = L(MMA_END)},                                                                                \
         {.reg = L(MMA_END)},                                                                                \
         {.reg = L(N(0), M(3), M(4)), .lane = L(N(1), N(2), M(0), M(1), M(2)), .warp = L(M(5), M(6))}}},
const struct mma mma_table[] = {
#include "chip/mma.def"
};
#undef TCGEN05
#undef TCGEN05_SCALED
#undef INTRINSIC
#undef MIXED
#undef PRODUCT
#undef ASSEMBLY
#undef A_B
#undef TRANSPOSED
#undef MMA
#undef MMA_SCALED
#undef WGMMA
#undef M
#undef N
#undef K
#undef L

const unsigned mma_count = sizeof mma_table / sizeof *mma_table;

const struct mma *mma_find(const char *name, size_t length) {
    for (unsigned i = 0; i < mma_count; i++) {
        if (strlen(mma_table[i].name) == length && memcmp(mma_table[i].name, name, length) == 0) {
            return &mma_table[i];
        }
    }
    return NULL;
}

enum mma_operand mma_slot(const struct mma *mma, enum mma_operand operand) {
    static const enum mma_operand turned[] = {MMA_B, MMA_A, MMA_C, MMA_B_SCALE, MMA_A_SCALE};
    return mma->transposed ? turned[operand] : operand;
}

static bool serves(const struct mma *mma, const struct target *target, enum mma_type a, enum mma_type b,
                   enum mma_type acc) {
    enum mma_type first = mma->transposed ? b : a, second = mma->transposed ? a : b;
    return target_has(target, mma->features) && mma->a == first && mma->b == second && mma->acc == acc;
}

bool mma_exists(const struct target *target, enum mma_type a, enum mma_type b, enum mma_type acc) {
    for (unsigned i = 0; i < mma_count; i++) {
        if (serves(&mma_table[i], target, a, b, acc)) {
            return true;
        }
    }
    return false;
}

bool mma_fits(const struct target *target, enum mma_type a, enum mma_type b, enum mma_type acc, int64_t k) {
    for (unsigned i = 0; i < mma_count; i++) {
        if (mma_table[i].k <= k && serves(&mma_table[i], target, a, b, acc)) {
            return true;
        }
    }
    return false;
}

bool mma_fits_scaled(const struct target *target, enum mma_type a, enum mma_type b, int64_t m, int64_t n,
                     int64_t k) {
    for (unsigned i = 0; i < mma_count; i++) {
        const struct mma *mma = &mma_table[i];
        bool copied = mma_in_tensor_memory(mma);
        bool enough = !copied || (m >= TENSOR_SCALE_ROWS && n >= TENSOR_SCALE_ROWS &&
                                  k >= TENSOR_SCALE_GROUPS * mma->group);
        if (mma->group && mma->k <= k && enough && serves(mma, target, a, b, MMA_F32)) {
            return true;
        }
    }
    return false;
}

const struct mma *mma_select(const struct target *target, enum mma_type a, enum mma_type b, enum mma_type acc,
                             int64_t m, int64_t n, int64_t k, unsigned warps, bool whole_rows) {
    const struct mma *best = NULL;
    int64_t best_cost = INT64_MAX;
    for (unsigned i = 0; i < mma_count; i++) {
        const struct mma *mma = &mma_table[i];
        if (mma->warps > 1 || !serves(mma, target, a, b, acc) || mma->k > k) {
            continue;
        }
        // The work of the busiest warp, in elements of the accumulator.
        int64_t tiles = ((m + mma->m - 1) / mma->m) * ((n + mma->n - 1) / mma->n);
        int64_t cost = (tiles + warps - 1) / warps * mma->m * mma->n;
        if (whole_rows && m < (int64_t)mma->m * warps) {
            cost *= 2; // values cross warps on their way to the next dot
        }
        if (cost < best_cost) {
            best = mma;
            best_cost = cost;
        }
    }
    return best;
}

const struct mma *mma_select_warpgroup(const struct target *target, enum mma_type a, enum mma_type b,
                                       enum mma_type acc, int64_t m, int64_t n, int64_t k, unsigned warps) {
    for (unsigned i = 0; i < mma_count; i++) {
        const struct mma *mma = &mma_table[i];
        if (mma->warps > 1 && warps % mma->warps == 0 && serves(mma, target, a, b, acc) && m >= mma->m &&
            k >= mma->k && m / mma->m * (n / mma->n) >= warps / mma->warps) {
            return mma;
        }
    }
    return NULL;
}

unsigned mma_type_bits(enum mma_type type) {
    switch (type) {
    case MMA_F64:
        return 64;
    case MMA_TF32:
    case MMA_F32:
    case MMA_I32:
        return 32;
    case MMA_F16:
    case MMA_BF16:
        return 16;
    default:
        return 8;
    }
}

// The row axis and the column axis of each operand.
static const uint8_t operand_axes[MMA_WITH_SCALES][2] = {[MMA_A] = {AXIS_M, AXIS_K},
                                                         [MMA_B] = {AXIS_K, AXIS_N},
                                                         [MMA_C] = {AXIS_M, AXIS_N},
                                                         [MMA_A_SCALE] = {AXIS_M, AXIS_K},
                                                         [MMA_B_SCALE] = {AXIS_N, AXIS_K}};

static unsigned list_length(const uint8_t bits[MMA_FRAGMENT_BITS]) {
    unsigned length = 0;
    while (length < MMA_FRAGMENT_BITS && bits[length] != MMA_END) {
        length++;
    }
    return length;
}

unsigned mma_registers(const struct mma *mma, enum mma_operand operand) {
    return 1u << list_length(mma->fragment[operand].reg);
}

static void add_coordinates(const uint8_t *bits, const uint8_t axes[2], unsigned index, unsigned at[2]) {
    for (unsigned i = 0; i < MMA_FRAGMENT_BITS && bits[i] != MMA_END; i++) {
        for (unsigned side = 0; side < 2; side++) {
            if ((index >> i & 1) != 0 && (bits[i] & AXIS_MASK) == axes[side]) {
                at[side] |= 1u << (bits[i] & ~AXIS_MASK);
            }
        }
    }
}

void mma_fragment_element(const struct mma *mma, enum mma_operand operand, unsigned reg, unsigned lane,
                          unsigned at[2]) {
    at[0] = at[1] = 0;
    add_coordinates(mma->fragment[operand].reg, operand_axes[operand], reg, at);
    add_coordinates(mma->fragment[operand].lane, operand_axes[operand], lane, at);
}

// Renumbers the bits of K: first those in registers, then those in lanes, in the order of A's lists.
static unsigned reorder_k(const struct mma *mma, unsigned k) {
    const struct mma_fragment *fragment = &mma->fragment[MMA_A];
    const uint8_t *lists[] = {fragment->reg, fragment->lane};
    unsigned result = 0, next = 0;
    for (unsigned n = 0; n < 2; n++) {
        for (unsigned i = 0; i < list_length(lists[n]); i++) {
            if ((lists[n][i] & AXIS_MASK) == AXIS_K) {
                result |= (k >> (lists[n][i] & ~AXIS_MASK) & 1) << next++;
            }
        }
    }
    return result;
}

void mma_tile_element(const struct mma *mma, enum mma_operand operand, unsigned reg, unsigned lane,
                      unsigned at[2]) {
    unsigned found[2];
    mma_fragment_element(mma, mma_slot(mma, operand), reg, lane, found);
    if (operand >= MMA_OPERANDS) { // rows, or columns, of either operand by blocks
        memcpy(at, found, sizeof found);
        return;
    }
    at[0] = found[mma->transposed ? 1 : 0];
    at[1] = found[mma->transposed ? 0 : 1];
    if (mma->transposed && operand != MMA_C && !mma->group) {
        unsigned side = operand == MMA_A ? 1 : 0;
        at[side] = reorder_k(mma, at[side]);
    }
}

static unsigned axis_extent(const struct mma *mma, uint8_t axis) {
    return axis == AXIS_M ? mma->m : axis == AXIS_N ? mma->n : mma->k;
}

static struct layout fragment_layout(const struct mma *mma, enum mma_operand operand, unsigned rank,
                                     const int64_t shape[]) {
    struct layout layout = layout_empty(rank, shape);
    const struct mma_fragment *fragment = &mma->fragment[mma_slot(mma, operand)];
    unsigned at[2], columns = (unsigned)shape[rank - 1];
    for (unsigned bit = 0; bit < list_length(fragment->reg); bit++) {
        mma_tile_element(mma, operand, 1u << bit, 0, at);
        layout_push(&layout, LAYOUT_REGISTER, at[0] * columns + at[1]);
    }
    for (unsigned bit = 0; bit < list_length(fragment->lane); bit++) {
        mma_tile_element(mma, operand, 0, 1u << bit, at);
        layout_push(&layout, LAYOUT_LANE, at[0] * columns + at[1]);
    }
    for (unsigned bit = 0; bit < list_length(fragment->warp); bit++) { // rows alone
        layout_push(&layout, LAYOUT_WARP, (1u << (fragment->warp[bit] & ~AXIS_MASK)) * columns);
    }
    return layout;
}

// Repeats `layout` along `dim`, 2^`log2_count` times, on the given input.
static void repeat(struct layout *layout, unsigned dim, unsigned log2_count, enum layout_input input) {
    struct layout outer = layout_identity(layout->rank, dim, log2_count, input);
    *layout = layout_product(layout, &outer);
}

struct layout mma_layout(const struct mma *mma, enum mma_operand operand, unsigned rank,
                         const int64_t shape[], unsigned warps_m, unsigned warps_n) {
    const uint8_t *axes = operand_axes[operand];
    unsigned rows = rank - 2, columns = rank - 1;
    int64_t fragment_shape[LAYOUT_MAX_RANK];
    for (unsigned dim = 0; dim < rows; dim++) {
        fragment_shape[dim] = 1;
    }
    fragment_shape[rows] = axis_extent(mma, axes[0]);
    fragment_shape[columns] = axis_extent(mma, axes[1]) / (operand >= MMA_OPERANDS ? mma->group : 1);
    struct layout layout = fragment_layout(mma, operand, rank, fragment_shape);
    // Registers: columns, then rows, then the batch; each as far as the warps leave the tile uncovered.
    unsigned more_m = log2_of(warps_m / (axes[0] == AXIS_M ? mma->warps : 1)); // beyond one instruction's
    unsigned warps[2];
    for (unsigned side = 0; side < 2; side++) {
        warps[side] = axes[side] == AXIS_M ? more_m : axes[side] == AXIS_N ? log2_of(warps_n) : 0;
    }
    for (int side = 1; side >= 0; side--) {
        unsigned dim = side ? columns : rows;
        int64_t covered = fragment_shape[dim] << warps[side];
        if (shape[dim] > covered) {
            repeat(&layout, dim, log2_of((uint64_t)(shape[dim] / covered)), LAYOUT_REGISTER);
        }
    }
    for (unsigned dim = 0; dim < rows; dim++) {
        repeat(&layout, dim, log2_of((uint64_t)shape[dim]), LAYOUT_REGISTER);
    }
    // Warps: low bits along M, high bits along N; an axis missing from the operand gives replicas.
    uint32_t sizes[2] = {1, 1};
    for (int axis = 0; axis < 2; axis++) {
        unsigned count = axis ? log2_of(warps_n) : more_m;
        int side = axes[0] == (axis ? AXIS_N : AXIS_M) ? 0 : axes[1] == (axis ? AXIS_N : AXIS_M) ? 1 : -1;
        if (side >= 0) {
            repeat(&layout, side ? columns : rows, count, LAYOUT_WARP);
            sizes[side] <<= count;
        } else {
            for (unsigned i = 0; i < count; i++) {
                layout_push(&layout, LAYOUT_WARP, 0);
            }
        }
    }
    return layout_fit(&layout, shape, NULL);
}

void mma_warps_of_groups(const struct mma *mma, unsigned num_warps, int64_t rows, unsigned *warps_m,
                         unsigned *warps_n) {
    unsigned groups = num_warps / mma->warps, groups_m = 1;
    while (groups_m < groups && rows / mma->m / groups_m > 1) {
        groups_m *= 2;
    }
    *warps_m = groups_m * mma->warps;
    *warps_n = groups / groups_m;
}
