// Linear layouts: construction, evaluation and linear algebra. See layout.h for the representation.
//
// All matrices are small (at most 20 rows and 100 columns), so everything is plain Gaussian elimination on
// machine words.
#include "dialects/tk/layout.h"

#include <stddef.h>
#include <string.h>

#include "dialects/tk/span.h"
#include "support/diag.h"

// Layouts are compared with memcmp: no padding may hide in them.
_Static_assert(offsetof(struct layout, basis) == 1 + LAYOUT_MAX_RANK + LAYOUT_INPUTS,
               "struct layout has padding");

static unsigned log2_exact(int64_t value, const char *what) {
    if (value <= 0 || (value & (value - 1)) != 0) {
        bug("layout: %s %lld is not a power of two", what, (long long)value);
    }
    return (unsigned)__builtin_ctzll((unsigned long long)value);
}

// order[i], or row major (last dimension fastest) without an order.
static unsigned order_at(const unsigned order[], unsigned rank, unsigned i) {
    unsigned dim = order != NULL ? order[i] : rank - 1 - i;
    if (dim >= rank) {
        bug("layout: dimension %u of a tile of rank %u", dim, rank);
    }
    return dim;
}

// ---- construction ----

struct layout layout_empty(unsigned rank, const int64_t shape[]) {
    struct layout layout;
    memset(&layout, 0, sizeof layout);
    if (rank > LAYOUT_MAX_RANK) {
        bug("layout: rank %u exceeds %d", rank, LAYOUT_MAX_RANK);
    }
    layout.rank = (uint8_t)rank;
    for (unsigned d = 0; d < rank; d++) {
        layout.log2_shape[d] = (uint8_t)log2_exact(shape[d], "extent");
    }
    if (layout_size_log2(&layout) > LAYOUT_MAX_BITS) {
        bug("layout: a tile of 2^%u elements exceeds 2^%d", layout_size_log2(&layout), LAYOUT_MAX_BITS);
    }
    return layout;
}

void layout_push(struct layout *layout, enum layout_input input, uint32_t flat) {
    if (layout->bits[input] >= LAYOUT_MAX_BITS) {
        bug("layout: more than %d bits in input %d", LAYOUT_MAX_BITS, (int)input);
    }
    if (flat >> layout_size_log2(layout) != 0) {
        bug("layout: basis %u lies outside the tile", flat);
    }
    layout->basis[input][layout->bits[input]++] = flat;
}

struct layout layout_identity(unsigned rank, unsigned dim, unsigned log2_extent, enum layout_input input) {
    int64_t shape[LAYOUT_MAX_RANK] = {1, 1, 1, 1, 1};
    if (rank > LAYOUT_MAX_RANK || dim >= rank) {
        bug("layout: dimension %u of a tile of rank %u", dim, rank);
    }
    shape[dim] = (int64_t)1 << log2_extent;
    struct layout layout = layout_empty(rank, shape);
    for (unsigned i = 0; i < log2_extent; i++) {
        layout_push(&layout, input, 1u << i);
    }
    return layout;
}

struct layout layout_product(const struct layout *inner, const struct layout *outer) {
    if (inner->rank != outer->rank) {
        bug("layout: product of ranks %u and %u", inner->rank, outer->rank);
    }
    int64_t shape[LAYOUT_MAX_RANK];
    for (unsigned d = 0; d < inner->rank; d++) {
        shape[d] = layout_extent(inner, d) * layout_extent(outer, d);
    }
    struct layout result = layout_empty(inner->rank, shape);
    for (unsigned input = 0; input < LAYOUT_INPUTS; input++) {
        for (unsigned i = 0; i < inner->bits[input] + outer->bits[input]; i++) {
            bool from_inner = i < inner->bits[input];
            const struct layout *part = from_inner ? inner : outer;
            uint32_t c[LAYOUT_MAX_RANK];
            layout_split_coordinates(part, part->basis[input][from_inner ? i : i - inner->bits[input]], c);
            for (unsigned d = 0; d < inner->rank && !from_inner; d++) {
                c[d] <<= inner->log2_shape[d];
            }
            layout_push(&result, input, layout_join_coordinates(&result, c));
        }
    }
    return result;
}

struct layout layout_fit(const struct layout *layout, const int64_t shape[], const unsigned order[]) {
    struct layout result = layout_empty(layout->rank, shape);
    for (unsigned input = 0; input < LAYOUT_INPUTS; input++) {
        for (unsigned i = 0; i < layout->bits[input]; i++) {
            uint32_t c[LAYOUT_MAX_RANK];
            layout_split_coordinates(layout, layout->basis[input][i], c);
            for (unsigned d = 0; d < result.rank; d++) {
                c[d] &= (1u << result.log2_shape[d]) - 1;
            }
            layout_push(&result, input, layout_join_coordinates(&result, c));
        }
    }
    for (unsigned i = 0; i < result.rank; i++) {
        unsigned d = order_at(order, result.rank, i);
        for (unsigned bit = layout->log2_shape[d]; bit < result.log2_shape[d]; bit++) {
            layout_push(&result, LAYOUT_REGISTER, 1u << (layout_dim_shift(&result, d) + bit));
        }
    }
    return result;
}

// One input of a blocked layout: `counts` units along each dimension, order[0] first, above the bits used so
// far.
static void push_blocked(struct layout *layout, enum layout_input input, const unsigned counts[],
                         const unsigned order[], unsigned used[]) {
    for (unsigned i = 0; i < layout->rank; i++) {
        unsigned d = order_at(order, layout->rank, i);
        unsigned bits = log2_exact(counts[d], "blocked count");
        for (unsigned bit = 0; bit < bits; bit++, used[d]++) {
            bool inside = used[d] < layout->log2_shape[d];
            layout_push(layout, input, inside ? 1u << (layout_dim_shift(layout, d) + used[d]) : 0);
        }
    }
}

struct layout layout_blocked(unsigned rank, const int64_t shape[], const unsigned size_per_thread[],
                             const unsigned lanes_per_dim[], const unsigned warps_per_dim[],
                             const unsigned order[]) {
    struct layout layout = layout_empty(rank, shape);
    unsigned used[LAYOUT_MAX_RANK] = {0};
    // A thread never holds replicas of its own elements: register bits beyond the tile are omitted.
    unsigned size[LAYOUT_MAX_RANK] = {0};
    for (unsigned d = 0; d < rank; d++) {
        size[d] = size_per_thread[d] < shape[d] ? size_per_thread[d] : (unsigned)shape[d];
    }
    push_blocked(&layout, LAYOUT_REGISTER, size, order, used);
    push_blocked(&layout, LAYOUT_LANE, lanes_per_dim, order, used);
    push_blocked(&layout, LAYOUT_WARP, warps_per_dim, order, used);
    for (unsigned i = 0; i < rank; i++) {
        unsigned d = order_at(order, rank, i);
        for (; used[d] < layout.log2_shape[d]; used[d]++) {
            layout_push(&layout, LAYOUT_REGISTER, 1u << (layout_dim_shift(&layout, d) + used[d]));
        }
    }
    return layout;
}

struct layout layout_row_major_shared(unsigned rank, const int64_t shape[]) {
    return layout_shared_order(rank, shape, NULL);
}

struct layout layout_shared_order(unsigned rank, const int64_t shape[], const unsigned order[]) {
    struct layout layout = layout_empty(rank, shape);
    for (unsigned i = 0; i < rank; i++) {
        unsigned d = order_at(order, rank, i);
        for (unsigned bit = 0; bit < layout.log2_shape[d]; bit++) {
            layout_push(&layout, LAYOUT_OFFSET, 1u << (layout_dim_shift(&layout, d) + bit));
        }
    }
    return layout;
}

// ---- shape and evaluation ----

bool layout_equal(const struct layout *a, const struct layout *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

bool layout_same_shape(const struct layout *a, const struct layout *b) {
    return a->rank == b->rank && memcmp(a->log2_shape, b->log2_shape, sizeof a->log2_shape) == 0;
}

unsigned layout_size_log2(const struct layout *layout) {
    unsigned sum = 0;
    for (unsigned d = 0; d < layout->rank; d++) {
        sum += layout->log2_shape[d];
    }
    return sum;
}

int64_t layout_extent(const struct layout *layout, unsigned dim) {
    return (int64_t)1 << layout->log2_shape[dim];
}

unsigned layout_dim_shift(const struct layout *layout, unsigned dim) {
    unsigned shift = 0;
    for (unsigned d = dim + 1; d < layout->rank; d++) {
        shift += layout->log2_shape[d];
    }
    return shift;
}

uint32_t layout_dim_mask(const struct layout *layout, unsigned dim) {
    return ((1u << layout->log2_shape[dim]) - 1) << layout_dim_shift(layout, dim);
}

unsigned layout_registers(const struct layout *layout) {
    return 1u << layout->bits[LAYOUT_REGISTER];
}

uint32_t layout_linear(const uint32_t basis[], uint32_t index) {
    uint32_t sum = 0;
    for (; index != 0; index &= index - 1) {
        sum ^= basis[__builtin_ctz(index)];
    }
    return sum;
}

uint32_t layout_column(const struct layout *layout, enum layout_input input, uint32_t index) {
    if (index >> layout->bits[input] != 0) {
        bug("layout: index %u of an input of %u bits", index, layout->bits[input]);
    }
    return layout_linear(layout->basis[input], index);
}

uint32_t layout_apply(const struct layout *layout, const struct layout_point *point) {
    uint32_t flat = 0;
    for (unsigned input = 0; input < LAYOUT_INPUTS; input++) {
        flat ^= layout_column(layout, input, point->at[input]);
    }
    return flat;
}

uint32_t layout_at(const struct layout *layout, uint32_t reg, uint32_t lane, uint32_t warp) {
    return layout_column(layout, LAYOUT_REGISTER, reg) ^ layout_column(layout, LAYOUT_LANE, lane) ^
           layout_column(layout, LAYOUT_WARP, warp);
}

void layout_split_coordinates(const struct layout *layout, uint32_t flat,
                              uint32_t coordinates[LAYOUT_MAX_RANK]) {
    for (unsigned d = layout->rank; d-- > 0;) {
        coordinates[d] = flat & ((1u << layout->log2_shape[d]) - 1);
        flat >>= layout->log2_shape[d];
    }
}

uint32_t layout_join_coordinates(const struct layout *layout, const uint32_t coordinates[]) {
    uint32_t flat = 0;
    for (unsigned d = 0; d < layout->rank; d++) {
        flat = flat << layout->log2_shape[d] | coordinates[d];
    }
    return flat;
}

// ---- linear algebra ----

struct layout layout_compose(const struct layout *outer, enum layout_input through,
                             const struct layout *inner) {
    if (outer->bits[through] < layout_size_log2(inner)) {
        bug("layout: composition through %u bits of a tile of %u bits", outer->bits[through],
            layout_size_log2(inner));
    }
    struct layout result = *inner;
    result.rank = outer->rank;
    memcpy(result.log2_shape, outer->log2_shape, sizeof result.log2_shape);
    for (unsigned input = 0; input < LAYOUT_INPUTS; input++) {
        for (unsigned i = 0; i < result.bits[input]; i++) {
            result.basis[input][i] = layout_linear(outer->basis[through], inner->basis[input][i]);
        }
    }
    return result;
}

// Registers last: among dependent bases the register counts as the replica, because skipping a register saves
// an instruction and skipping a lane does not.
static const enum layout_input owner_order[LAYOUT_INPUTS] = {LAYOUT_LANE, LAYOUT_WARP, LAYOUT_BLOCK,
                                                             LAYOUT_REGISTER, LAYOUT_OFFSET};

// The span of all bases, and in *free_bits the bits with dependent bases. Tag t of the span is place[t].
struct layout_bit {
    enum layout_input input;
    unsigned bit;
};

static struct span span_of(const struct layout *layout, struct layout_point *free_bits,
                           struct layout_bit place[LAYOUT_MAX_BITS]) {
    struct span span = {0};
    memset(free_bits, 0, sizeof *free_bits);
    for (unsigned n = 0; n < LAYOUT_INPUTS; n++) {
        enum layout_input input = owner_order[n];
        for (unsigned i = 0; i < layout->bits[input]; i++) {
            unsigned tag = span.dimension;
            if (span_add(&span, layout->basis[input][i], (uint64_t)1 << tag)) {
                place[tag] = (struct layout_bit){input, i};
            } else {
                free_bits->at[input] |= 1u << i;
            }
        }
    }
    return span;
}

unsigned layout_rank_of_matrix(const struct layout *layout) {
    struct layout_point free_bits;
    struct layout_bit place[LAYOUT_MAX_BITS];
    return span_of(layout, &free_bits, place).dimension;
}

bool layout_is_surjective(const struct layout *layout) {
    return layout_rank_of_matrix(layout) == layout_size_log2(layout);
}

bool layout_is_injective(const struct layout *layout) {
    unsigned bits = 0;
    for (unsigned input = 0; input < LAYOUT_INPUTS; input++) {
        bits += layout->bits[input];
    }
    return layout_rank_of_matrix(layout) == bits;
}

struct layout_point layout_free_bits(const struct layout *layout) {
    struct layout_point free_bits;
    struct layout_bit place[LAYOUT_MAX_BITS];
    span_of(layout, &free_bits, place);
    return free_bits;
}

struct layout layout_remove_replicas(const struct layout *layout) {
    struct layout result = *layout;
    struct span span = {0};
    memset(result.basis[LAYOUT_REGISTER], 0, sizeof result.basis[LAYOUT_REGISTER]);
    result.bits[LAYOUT_REGISTER] = 0;
    for (unsigned i = 0; i < layout->bits[LAYOUT_REGISTER]; i++) {
        if (span_add(&span, layout->basis[LAYOUT_REGISTER][i], 0)) {
            layout_push(&result, LAYOUT_REGISTER, layout->basis[LAYOUT_REGISTER][i]);
        }
    }
    return result;
}

uint32_t layout_replica_register(const struct layout *layout, uint32_t reg) {
    struct span span = {0};
    for (unsigned i = 0; i < layout->bits[LAYOUT_REGISTER]; i++) {
        span_add(&span, layout->basis[LAYOUT_REGISTER][i], (uint64_t)1 << span.dimension);
    }
    uint64_t kept;
    span_reduce(&span, layout_column(layout, LAYOUT_REGISTER, reg), &kept);
    return (uint32_t)kept;
}

void layout_replica_registers(const struct layout *layout, uint32_t *replica) {
    replica[0] = 0;
    for (uint32_t bit = 1; bit < layout_registers(layout); bit *= 2) {
        replica[bit] = layout_replica_register(layout, bit);
        for (uint32_t below = 1; below < bit; below++) {
            replica[bit | below] = replica[bit] ^ replica[below]; // the map is linear
        }
    }
}

// Removes bit `bit` from a flat index; higher bits move down by one.
static uint32_t without_bit(uint32_t flat, unsigned bit) {
    uint32_t low = flat & ((1u << bit) - 1);
    return low | (flat >> (bit + 1)) << bit;
}

bool layout_half(const struct layout *layout, unsigned bit, struct layout *out, unsigned *reg_bit) {
    struct layout half = *layout;
    unsigned found = 0, at = 0;
    memset(half.basis, 0, sizeof half.basis);
    memset(half.bits, 0, sizeof half.bits);
    for (unsigned input = 0; input < LAYOUT_INPUTS; input++) {
        for (unsigned i = 0; i < layout->bits[input]; i++) {
            uint32_t basis = layout->basis[input][i];
            if (basis >> bit & 1) {
                if (input != LAYOUT_REGISTER || basis != 1u << bit || found++) {
                    return false;
                }
                at = i;
                continue;
            }
            half.basis[input][half.bits[input]++] = without_bit(basis, bit);
        }
    }
    for (unsigned d = 0; d < layout->rank && found; d++) {
        if (layout_dim_mask(layout, d) >> bit & 1) {
            half.log2_shape[d]--;
        }
    }
    if (!found) {
        return false;
    }
    *out = half;
    *reg_bit = at;
    return true;
}

bool layout_invert(const struct layout *layout, struct layout_inverse *out) {
    struct layout_point free_bits;
    struct layout_bit place[LAYOUT_MAX_BITS];
    struct span span = span_of(layout, &free_bits, place);
    unsigned size = layout_size_log2(layout);
    if (span.dimension != size) {
        return false;
    }
    memset(out, 0, sizeof *out);
    out->size_log2 = (uint8_t)size;
    for (unsigned bit = 0; bit < size; bit++) {
        uint64_t used;
        span_reduce(&span, 1u << bit, &used);
        for (; used != 0; used &= used - 1) {
            const struct layout_bit *p = &place[__builtin_ctzll(used)];
            out->basis[bit].at[p->input] |= 1u << p->bit;
        }
    }
    return true;
}

struct layout_point layout_locate(const struct layout_inverse *inverse, uint32_t flat) {
    struct layout_point point;
    memset(&point, 0, sizeof point);
    if (flat >> inverse->size_log2 != 0) {
        bug("layout: element %u of a tile of 2^%u", flat, inverse->size_log2);
    }
    for (; flat != 0; flat &= flat - 1) {
        for (unsigned input = 0; input < LAYOUT_INPUTS; input++) {
            point.at[input] ^= inverse->basis[__builtin_ctz(flat)].at[input];
        }
    }
    return point;
}

// ---- printing ----

static void print_basis(struct strbuf *out, const struct layout *layout, uint32_t flat) {
    uint32_t c[LAYOUT_MAX_RANK];
    layout_split_coordinates(layout, flat, c);
    if (flat == 0) {
        strbuf_add(out, "0");
        return;
    }
    for (unsigned d = 0; d < layout->rank; d++) {
        strbuf_printf(out, "%s%u", d == 0 ? "(" : ",", c[d]);
    }
    strbuf_add(out, ")");
}

void layout_print(struct strbuf *out, const struct layout *layout) {
    static const char *const names[LAYOUT_INPUTS] = {"register", "lane", "warp", "block", "offset"};
    if (layout->rank == 0) {
        strbuf_add(out, "scalar");
    }
    for (unsigned d = 0; d < layout->rank; d++) {
        strbuf_printf(out, "%s%lld", d == 0 ? "" : "x", (long long)layout_extent(layout, d));
    }
    for (unsigned input = 0; input < LAYOUT_INPUTS; input++) {
        if (layout->bits[input] == 0) {
            continue;
        }
        strbuf_printf(out, " %s=[", names[input]);
        for (unsigned i = 0; i < layout->bits[input]; i++) {
            strbuf_add(out, i == 0 ? "" : " ");
            print_basis(out, layout, layout->basis[input][i]);
        }
        strbuf_add(out, "]");
    }
}
