// Linear layouts over GF(2): the place of each element of a tile (Zhou et al., "Linear Layouts: Robust Code
// Generation of Efficient Tensor Computation Using F2", 2025). Pure arithmetic: no MLIR, no LLVM, no
// allocation.
//
// A tile has rank 0 to LAYOUT_MAX_RANK and power-of-two extents. An element is named by its flat row-major
// index: the concatenation of its coordinates' bits, the last dimension in the lowest bits. A layout gives,
// for each hardware input (register, lane, warp, block; or offset, in elements, for shared memory) and each
// bit of that input, one basis vector: a flat index. The element held at a point is the XOR of the bases of
// all set bits. Consequences used everywhere:
//   - reshape and expand_dims keep the bases; trans permutes their bits; reduce and broadcast delete the bits
//     of a dimension;
//   - a zero (or dependent) basis means a replica: two points hold the same element;
//   - a map into shared memory is a layout too: rank 1, extent = number of offsets, "flat index" = element
//     offset.
//
// Layouts are plain values: copy them, compare them with layout_equal. They are canonical: every unused entry
// is zero (so memcmp and hashing the bytes work). Functions return a fresh layout by value; a fallible
// function returns bool and leaves *out untouched on failure. A violated precondition (extent not a power of
// two, axis out of range, too many bits) is a bug().
#ifndef TKC_DIALECTS_TK_LAYOUT_H
#define TKC_DIALECTS_TK_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "support/strbuf.h"

enum { LAYOUT_MAX_RANK = 10, LAYOUT_MAX_BITS = 20 };

enum layout_input { LAYOUT_REGISTER, LAYOUT_LANE, LAYOUT_WARP, LAYOUT_BLOCK, LAYOUT_OFFSET, LAYOUT_INPUTS };

struct layout {
    uint8_t rank;
    uint8_t log2_shape[LAYOUT_MAX_RANK];
    uint8_t bits[LAYOUT_INPUTS]; // number of bits of each input
    uint32_t basis[LAYOUT_INPUTS][LAYOUT_MAX_BITS];
};

// One index for each input: a place in the machine.
struct layout_point {
    uint32_t at[LAYOUT_INPUTS];
};

// ---- layout.c: construction and linear algebra ----

// A layout of the given shape without any input bits (every basis list empty). Extents must be powers of two.
struct layout layout_empty(unsigned rank, const int64_t shape[]);
// Appends one basis vector to an input (the next higher bit of that input).
void layout_push(struct layout *layout, enum layout_input input, uint32_t flat);
// The tile [1,..,extent at dim,..,1] with `input` running along dim: bit i of the input -> coordinate bit i.
struct layout layout_identity(unsigned rank, unsigned dim, unsigned log2_extent, enum layout_input input);
// Direct product: `inner` repeated over the grid `outer`. Extents multiply dimension by dimension (inner's
// coordinates are the low bits), each input's bits are inner's followed by outer's. Fragment x repetitions
// builds every mma layout.
struct layout layout_product(const struct layout *inner, const struct layout *outer);
// Changes the extents: a smaller one deletes the coordinate bits that overflow (their bases become replicas),
// a larger one adds register bits, dimension order[0] first. NULL order: last dimension first.
struct layout layout_fit(const struct layout *layout, const int64_t shape[], const unsigned order[]);
// Triton's blocked distribution: size_per_thread registers, then lanes, then warps, each along order[0] first
// (fastest). When the tile is larger, registers are added; when it is smaller, lanes and warps wrap with
// replicas, while registers beyond the tile are not there at all. All counts are powers of two. NULL order:
// last dimension first (row major).
struct layout layout_blocked(unsigned rank, const int64_t shape[], const unsigned size_per_thread[],
                             const unsigned lanes_per_dim[], const unsigned warps_per_dim[],
                             const unsigned order[]);
// Shared memory, row major: offset = flat index.
struct layout layout_row_major_shared(unsigned rank, const int64_t shape[]);
// Shared memory with dimension order[0] fastest, order[1] next, …
struct layout layout_shared_order(unsigned rank, const int64_t shape[], const unsigned order[]);

bool layout_equal(const struct layout *a, const struct layout *b);
bool layout_same_shape(const struct layout *a, const struct layout *b);
static inline unsigned log2_of(uint64_t size) { // of a power of two; rounded down of another number
    return (unsigned)(63 - __builtin_clzll(size));
}
unsigned layout_size_log2(const struct layout *layout); // log2 of the number of elements in the tile
int64_t layout_extent(const struct layout *layout, unsigned dim);     // extent of a dimension
unsigned layout_dim_shift(const struct layout *layout, unsigned dim); // lowest flat-index bit of a dimension
uint32_t layout_dim_mask(const struct layout *layout, unsigned dim);  // flat-index bits of a dimension
unsigned layout_registers(const struct layout *layout); // registers per thread: 1 << bits[LAYOUT_REGISTER]

// XOR of the bases selected by `index` in one input.
uint32_t layout_column(const struct layout *layout, enum layout_input input, uint32_t index);
// The flat index of the element at a point.
uint32_t layout_apply(const struct layout *layout, const struct layout_point *point);
// The same at (register, lane, warp), block 0.
uint32_t layout_at(const struct layout *layout, uint32_t reg, uint32_t lane, uint32_t warp);
// Flat index <-> coordinates.
void layout_split_coordinates(const struct layout *layout, uint32_t flat,
                              uint32_t coordinates[LAYOUT_MAX_RANK]);
uint32_t layout_join_coordinates(const struct layout *layout, const uint32_t coordinates[]);

// result(x) = outer(inner(x)). `outer` has the single input `through` (e.g. LAYOUT_OFFSET), as wide as
// inner's tile at least.
struct layout layout_compose(const struct layout *outer, enum layout_input through,
                             const struct layout *inner);

unsigned layout_rank_of_matrix(const struct layout *layout); // dimension of the span of all bases
bool layout_is_surjective(const struct layout *layout);      // every element is held somewhere
bool layout_is_injective(const struct layout *layout);       // no replicas
// Replicated bits of every input: a point with all free bits zero is the one owner of its element, and each
// element has exactly one owner. Stores and atomics act on owners only. Registers are declared free in
// preference to lanes, warps and blocks.
struct layout_point layout_free_bits(const struct layout *layout);
// Drops register bits with a basis dependent on other registers of the same thread. Lanes, warps and blocks
// keep their bits.
struct layout layout_remove_replicas(const struct layout *layout);
// For layout_remove_replicas: the register of the reduced layout that holds the element of register `reg` of
// the full layout.
uint32_t layout_replica_register(const struct layout *layout, uint32_t reg);
// As layout_replica_register, for all registers.
void layout_replica_registers(const struct layout *layout, uint32_t *replica);

// The layout of one half of the tile: the elements with flat-index bit `bit` 0 (or 1). One register bit,
// `*reg_bit`, must select the half; false if lanes, warps or several registers do.
bool layout_half(const struct layout *layout, unsigned bit, struct layout *out, unsigned *reg_bit);

// A right inverse of a surjective layout: locate(apply(p)) is the owner-like point of the same element;
// replicas are never chosen.
struct layout_inverse {
    uint8_t size_log2;
    struct layout_point basis[LAYOUT_MAX_BITS]; // one point for each flat-index bit
};
bool layout_invert(const struct layout *layout, struct layout_inverse *out); // false: not surjective
struct layout_point layout_locate(const struct layout_inverse *inverse, uint32_t flat);

// "128x64 register=[(0,1) (0,2)] lane=[…] warp=[…]"; zero bases print as `0`, absent inputs are left out.
void layout_print(struct strbuf *out, const struct layout *layout);

// ---- layout_shape.c: shape operations, forward (operand's layout -> result's) and backward ----

// trans: result dimension i is operand dimension order[i].
struct layout layout_trans(const struct layout *operand, const unsigned order[]);
struct layout layout_trans_operand(const struct layout *result, const unsigned order[]);
// The bits of a dimension in another order: coordinate bit i becomes bit order[i].
struct layout layout_order_dim(const struct layout *layout, unsigned dim, const int32_t order[]);
// reshape: same number of elements, row-major order kept. Serves both directions.
struct layout layout_reshape(const struct layout *layout, unsigned rank, const int64_t shape[]);
// expand_dims: inserts an extent of 1 before dimension `axis` of the operand; the backward form removes it.
struct layout layout_expand_dim(const struct layout *operand, unsigned axis);
struct layout layout_expand_dim_operand(const struct layout *result, unsigned axis);
// reduce: deletes the axis and its bits. Bases along the axis become replicas (use layout_remove_replicas to
// drop the registers among them).
struct layout layout_reduce_dim(const struct layout *operand, unsigned axis);
// partial_reduce: the elements of a thread along the axis are combined into one, so the axis keeps only its
// extent over lanes and warps. False if a lane or warp replicates elements held elsewhere in other registers,
// or moves along the axis and another dimension at once.
bool layout_partial_reduce(const struct layout *operand, unsigned axis, struct layout *out);
// An operand layout for a given result of layout_reduce_dim (without register replicas): the axis goes to the
// replicated (zero) lane bits, then to replicated warp bits, the rest to new low registers.
struct layout layout_reduce_dim_operand(const struct layout *result, unsigned axis, int64_t extent);
// broadcast: deletes the result's bits in dimensions of operand extent 1. This leaves replicas, so register r
// of the result reads register r of this layout, or layout_replica_register(…, r) once replicas are removed.
struct layout layout_broadcast_operand(const struct layout *result, const int64_t operand_shape[]);
// A result layout for a given operand: the new coordinates go to new registers, last dimension first.
struct layout layout_broadcast_result(const struct layout *operand, const int64_t result_shape[]);
// join: a new last dimension of 2, held in the new lowest register bit: result register 2r+i is register r of
// operand i.
struct layout layout_join(const struct layout *operand);
// split (and the operand of join): removes a last dimension of 2. True if it lies in a register bit of its
// own, *register_bit; result register r then comes from the two operand registers r with a 0 or a 1 inserted
// at that bit.
bool layout_split(const struct layout *operand, struct layout *result, unsigned *register_bit);

// ---- layout_convert.c: vector widths and conversions ----

// The number of consecutive registers (2^k, from an aligned register) with consecutive elements along dim,
// starting at an aligned coordinate: the widest vector in plain register order.
unsigned layout_contiguity(const struct layout *layout, unsigned dim);
// As layout_contiguity, with registers in any order: register_bit[i] is the register bit of coordinate bit i.
// Returns k (the vector has 2^k elements), at most max_log2.
unsigned layout_vector_bits(const struct layout *layout, unsigned dim, unsigned max_log2,
                            uint8_t register_bit[]);
// The vector width of accesses through an offset map: the register bits (in any order) of offset bits 0, 1, …
unsigned layout_offset_vector_bits(const struct layout *offset_map, unsigned max_log2,
                                   uint8_t register_bit[]);
// The number of consecutive registers (2^k) with the same element along every coordinate: constancy for
// uniform values.
unsigned layout_constancy(const struct layout *layout);
// The register bits between equal elements of a tile of aligned groups of constancy[d] equal elements
// along each dimension d.
uint32_t layout_alike(const struct layout *layout, const int32_t constancy[]);

enum layout_conversion_kind {
    LAYOUT_CONVERT_NOTHING,   // the registers are the same
    LAYOUT_CONVERT_REGISTERS, // each result register is a copy of a register of the same thread
    LAYOUT_CONVERT_SHUFFLE,   // data stays in its warp: see the rounds
    LAYOUT_CONVERT_SHARED,    // through shared memory: see layout_swizzle_for
};

// All members are linear: XOR of the entries of the set bits. See layout_convert_* below to evaluate them.
//   REGISTERS: result register r is source register XOR(register_source[bits of r]).
//   SHUFFLE: for each round i in [0, 2^round_bits):
//     each lane p of warp w offers its source register    offer(i, p, w)
//     lane l of warp w reads the offer of lane            read(i, l, w)    (shfl.idx; no shuffle if in_lane)
//     and the value is distinct result register           target(i, l)
//   Each map is XOR of a constant of the round, a linear function of the lane bits and (offer, read) one of the
//   warp bits, so the lowering is straight-line: selects by lane bits on both sides. At last result register r
//   (of all, replicas included) is distinct register XOR(replica[bits of r]).
struct layout_conversion {
    enum layout_conversion_kind kind;
    uint32_t register_source[LAYOUT_MAX_BITS];
    uint8_t round_bits;
    bool in_lane; // every lane reads itself: only selects are needed
    uint32_t offer_round[LAYOUT_MAX_BITS], offer_lane[LAYOUT_MAX_BITS], offer_warp[LAYOUT_MAX_BITS];
    uint32_t read_round[LAYOUT_MAX_BITS], read_lane[LAYOUT_MAX_BITS], read_warp[LAYOUT_MAX_BITS];
    uint32_t target_lane[LAYOUT_MAX_BITS]; // target(i, l) = i ^ target_lane(l)
    uint32_t replica[LAYOUT_MAX_BITS];
};

// Plans the conversion of a tile from layout `from` to layout `to` (same shape; both surjective). Correct
// with replicas on both sides. A shuffle plan of more than max_rounds rounds is reported as SHARED.
struct layout_conversion layout_conversion(const struct layout *from, const struct layout *to,
                                           unsigned max_rounds);
// True if each warp of the result has elements that no other warp owns in the source: through shared memory, a warp reads what its own
// lanes have written.
bool layout_stays_in_warp(const struct layout *from, const struct layout *to);
// A conversion by exchanges of a register bit with lane bit 4 or 5 (AMD's v_permlane16_swap, v_permlane32_swap): at most two, of the
// same register bit. `order`: result register r is register XOR(order[bits of r]) behind the exchanges.
struct layout_swaps {
    unsigned count;
    uint8_t lane_bit[2];
    uint8_t register_bit;
    uint32_t order[LAYOUT_MAX_BITS];
};
// False where the conversion is none, or of another form; layouts with replicas are left to others.
bool layout_swaps(const struct layout *from, const struct layout *to, struct layout_swaps *swaps);
uint32_t layout_linear(const uint32_t basis[], uint32_t index); // XOR of basis[i] over the set bits of index
uint32_t layout_convert_source(const struct layout_conversion *plan, uint32_t result_register);
uint32_t layout_convert_offer(const struct layout_conversion *plan, uint32_t round, uint32_t lane,
                              uint32_t warp);
uint32_t layout_convert_read(const struct layout_conversion *plan, uint32_t round, uint32_t lane,
                             uint32_t warp);
uint32_t layout_convert_target(const struct layout_conversion *plan, uint32_t round, uint32_t lane);
uint32_t layout_convert_replica(const struct layout_conversion *plan, uint32_t result_register);

// ---- layout_shared.c: shared memory ----

// Model of a warp's access to shared memory: it is served in groups of consecutive lanes; within a group,
// different words in one bank take a wavefront each.
struct layout_banks {
    unsigned lanes;
    unsigned banks;
    unsigned bank_bytes;
    unsigned group[5]; // lanes served together for accesses of 1, 2, 4, 8, 16 bytes
};
struct layout_banks layout_banks_nvidia(void); // 32 lanes, 32 banks of 4 B; 8 B in halves, 16 B in quarters
struct layout_banks layout_banks_amd(unsigned wave_size); // 32 banks of 4 B; a group touches 128 B at most

// The linear map from (register, lane, warp, block) to the offset in a shared tile: inverse(shared) ∘
// distributed. The result has rank 1 and the extent of the tile; bases are element offsets. Both have the
// same shape; shared is a bijection of it.
struct layout layout_offset_map(const struct layout *shared, const struct layout *distributed);
// Wavefronts beyond the ideal, summed over all accesses of warp 0 to the tile, with vectors of
// `vector_elements`. 0: conflict-free. By the model in struct layout_banks.
unsigned layout_bank_conflicts(const struct layout *shared, const struct layout *distributed,
                               unsigned element_bytes, unsigned vector_elements,
                               const struct layout_banks *banks);

// The classic XOR swizzle: dimension order[0] is contiguous; in row i (along order[1]) the group of `vector`
// elements number j is stored at j ^ ((i / per_phase) % max_phase). max_phase is limited to the number of
// groups in a row.
struct layout layout_swizzled(unsigned rank, const int64_t shape[], const unsigned order[], unsigned vector,
                              unsigned per_phase, unsigned max_phase);
// layout_swizzled with parameters chosen so that 8 rows x 16 bytes (ldmatrix, cp.async) touch each bank once.
struct layout layout_mma_shared(unsigned rank, const int64_t shape[], const unsigned order[],
                                unsigned element_bytes);
// The layout written by TMA and read by wgmma in swizzle mode 32, 64 or 128 (bytes; 0: none, 16-byte core
// columns): rows of swizzle_bytes along order[0], all of order[1] below each other, further dimensions and
// the rest of order[0] above.
struct layout layout_tma_shared(unsigned rank, const int64_t shape[], const unsigned order[],
                                unsigned element_bytes, unsigned swizzle_bytes);

// Left division: true if map = tile x quotient. Then the low bits of each input of map are tile's, and all
// other bases are multiples of tile's extent. *quotient maps the remaining input bits to offsets divided by
// tile's extent. Both have rank 1.
bool layout_divide_left(const struct layout *map, const struct layout *tile, struct layout *quotient);

// Transposed reads of AMD (CDNA 4 ISA, "DS_READ_B64_TR_B16", "_B8"): each lane gives the address of 8 bytes, and of 16 lanes as rows of
// elements each gets a column. For a fragment whose first registers are the column: the layout of the elements that lanes address.
// False if the fragment has too few registers, or elements of another size. The layout is its own inverse's.
bool layout_transposed_addresses(const struct layout *fragment, unsigned element_bytes,
                                 struct layout *addresses);
// Plan for reading (ldmatrix) or writing (stmatrix) the registers of an offset map with 8 x 16-byte matrices.
// One instruction moves 2^matrix_bits matrices (x1, x2, x4) into as many 32-bit registers. Register bits are
// of three kinds: word_bit[] (inside a 32-bit register), matrix_bit[] (index of the matrix in the
// instruction), and rest_bit[] (all others, ascending): one instruction for each value of the rest bits. Lane
// a of warp w passes the address
//   offset = XOR(address_lane[bits of a]) ^ XOR(warp bases of the map)
//            ^ XOR(register bases of the instruction's rest bits).
struct layout_ldmatrix_plan {
    bool transposed;
    uint8_t word_bits, matrix_bits, rest_bits;
    uint8_t word_bit[2], matrix_bit[2], rest_bit[LAYOUT_MAX_BITS];
    uint32_t address_lane[5]; // element offsets; bits 0-2: row of a matrix; bits 3-4: matrix (zero beyond
                              // matrix_bits)
};
// True if every 8 x 16-byte matrix of the map has the fragment shape of ldmatrix (lane i/4 holds row, words
// of 4 bytes), or with `transposed` (2-byte elements only) the shape of ldmatrix.trans. Needs 32 lanes and a
// map without register replicas.
bool layout_ldmatrix(const struct layout *offset_map, unsigned element_bytes, bool transposed,
                     struct layout_ldmatrix_plan *plan);

// ---- layout_swizzle.c: the shared layout between two distributions ----

struct layout_swizzle {
    struct layout shared;           // OFFSET bases
    unsigned write_vector_elements; // widest vectors of this shared layout for the writer and the reader
    unsigned read_vector_elements;
};
// A shared layout for passing a tile from `writer` to `reader`. Both accesses are free of bank conflicts and
// use the widest vector common to both; if only one side can use a wider vector, it does. Constructed, not
// searched: always succeeds. `fragments`: the reader passes registers to matrix instructions without moving
// them.
struct layout_swizzle layout_swizzle_for(const struct layout *writer, const struct layout *reader,
                                         unsigned element_bytes, const struct layout_banks *banks,
                                         bool fragments);

// ---- layout_svg.c: drawings for --plot ----

// A grid of the tile (leading dimensions stacked): each cell names warp, lane and register, coloured by warp
// and lane.
void layout_svg_distribution(struct strbuf *out, const struct layout *layout);
// The shared tile: each cell shows offset and bank. With `access` (may be NULL), cells touched by the first
// access of warp 0 are framed, and bank conflicts are marked.
void layout_svg_banks(struct strbuf *out, const struct layout *shared, const struct layout *access,
                      unsigned element_bytes, unsigned vector_elements, const struct layout_banks *banks);

#endif
