// Chooses layouts for memory accesses and dots. Decisions only: nothing is rewritten here.
#include "chip/asm.h"
#include "chip/registers.h"
#include "passes/layout/layouts.h"

#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"
#include "passes/layout/legal_dots.h"

static int shape_of(MlirType type, int64_t shape[LAYOUT_MAX_RANK]) {
    for (int d = 0; d < type_rank(type); d++) {
        shape[d] = type_extent(type, d);
    }
    return type_rank(type);
}

const struct layout *layouts_keep(struct layouts *l, const struct layout *layout) {
    struct layout *copy = ARENA_NEW(l->arena, struct layout);
    *copy = *layout;
    return copy;
}

// A kernel whose tiles are rows of several programs (specialise/packed_rows.c): warps go to rows, and a row has its
// share of a warp's lanes. Then rows are combined within a warp, and all tiles agree on each row's owner.
static bool is_packed(struct layouts *l, MlirType type, const unsigned order[]) {
    int64_t rows = op_int(l->function, ATTR_PACKED);
    return rows && type_rank(type) > 1 && type_extent(type, 0) == rows && order[0] != 0;
}

static int64_t lanes_of_row(struct layouts *l) {
    return (int64_t)l->num_warps * l->context->target->warp_size / op_int(l->function, ATTR_PACKED);
}

// The number of each row of a tile, or one value a row: the lanes of a row hold the same.
static struct layout packed_rows(struct layouts *l) {
    int64_t rows = op_int(l->function, ATTR_PACKED), shape[2] = {rows, lanes_of_row(l)};
    unsigned size[2] = {1, 1}, lanes[2] = {(unsigned)(rows / l->num_warps), (unsigned)shape[1]};
    unsigned warps[2] = {l->num_warps, 1}, order[2] = {1, 0};
    struct layout wide = layout_blocked(2, shape, size, lanes, warps, order);
    return layout_reduce_dim(&wide, 1);
}

// Sorting exchanges neighbours in a row at all distances, most often at small ones: those are to be in one thread.
static bool sorts(struct layouts *l) {
    enum { FEW = 3 };
    int exchanges = 0;
    for (size_t i = 0; i < l->op_count; i++) {
        MlirOperation op = l->ops[i];
        exchanges += op_kind(l->ir, op) == OP_REDUCE &&
                     type_extent(mlirValueGetType(reduce_tile(op, 0)), (int)op_int(op, ATTR_AXIS)) == 2;
    }
    return exchanges > FEW;
}

// Threads fill the dimensions in `order`, each holding `vector` elements along order[0] and `rows` along
// order[1].
static struct layout blocked(struct layouts *l, MlirType type, const unsigned order[], int64_t vector,
                             int64_t rows) {
    int64_t shape[LAYOUT_MAX_RANK];
    int rank = shape_of(type, shape);
    unsigned size[LAYOUT_MAX_RANK], lanes[LAYOUT_MAX_RANK], warps[LAYOUT_MAX_RANK];
    unsigned lanes_left = l->context->target->warp_size, warps_left = l->num_warps;
    bool packed = is_packed(l, type, order);
    if (rank == 1 && shape[0] == op_int(l->function, ATTR_PACKED)) {
        return packed_rows(l);
    }
    if (packed && sorts(l) && shape[order[0]] / lanes_of_row(l) > vector) {
        vector = shape[order[0]] / lanes_of_row(l);
    }
    for (int i = 0; i < rank; i++) {
        unsigned d = order[i];
        size[d] = i == 0 ? (unsigned)vector : i == 1 ? (unsigned)rows : 1;
        int64_t left = shape[d] / size[d] > 0 ? shape[d] / size[d] : 1;
        int64_t most = packed && i == 0 ? lanes_of_row(l) : lanes_left;
        lanes[d] = left < most ? (unsigned)left : (unsigned)most;
        lanes_left /= lanes[d];
        left /= lanes[d];
        warps[d] = packed && i == 0 ? 1 : left < warps_left ? (unsigned)left : warps_left;
        warps_left /= warps[d];
    }
    // The remaining lanes and warps hold replicas, along the slowest dimension.
    lanes[order[rank - 1]] *= lanes_left;
    warps[order[rank - 1]] *= warps_left;
    return layout_blocked((unsigned)rank, shape, size, lanes, warps, order);
}

// Occupied threads are worth more than wide vectors: no thread idles to let another take a wide access.
static int64_t limit_vector(struct layouts *l, MlirType type, int64_t vector) {
    int64_t threads = (int64_t)l->num_warps * l->context->target->warp_size;
    int64_t share = type_elements(type) / threads;
    return share < 1 ? 1 : vector < share ? vector : share;
}

struct layout layouts_default(struct layouts *l, MlirType type) {
    unsigned order[LAYOUT_MAX_RANK];
    int rank = type_rank(type);
    for (int i = 0; i < rank; i++) {
        order[i] = (unsigned)(rank - 1 - i);
    }
    unsigned bytes = (type_bits(type_element(type)) + 7) / 8;
    int64_t vector = 16 / bytes, extent = type_extent(type, rank - 1);
    return blocked(l, type, order, limit_vector(l, type, vector < extent ? vector : extent), 1);
}

// ---- memory accesses ----

struct global_access {
    MlirOperation op;
    MlirType type; // of the pointer tile
    unsigned order[LAYOUT_MAX_RANK];
    int64_t vector;              // elements of an access of at most 16 bytes
    int64_t wide;                // of the widest access of the chip
    int64_t rows;                // along order[1]
    unsigned bits;               // of an element
    int64_t most;                // most elements a thread should hold of a stored tile; 0: no limit
    int64_t own;                 // elements of one store of a scanned tile; 0: any other access
    bool sums;                   // stores values computed from a dot's result, converted for the store anyway
    const struct layout *layout; // of the group, in its first access
};

static bool is_access(enum op_kind kind) {
    return kind == OP_LOAD || kind == OP_STORE || op_is_atomic(kind);
}

// The elements of the widest access along a dimension: atomics and copies to shared memory have 16 bytes at most.
static int64_t access_elements(struct layouts *l, MlirOperation access, int dim) {
    enum { BYTES = 16 };
    enum op_kind kind = op_kind(l->ir, access);
    MlirValue pointer = kind == OP_ASYNC_COPY ? async_copy_pointer(access) : access_pointer(access);
    int64_t most = kind == OP_LOAD || kind == OP_STORE ? l->context->target->access_bytes : BYTES;
    return axis_access_elements(&l->axis, pointer, access_mask(l->ir, access), dim, most);
}

// Matrix operands hold neighbours along K in one register. On chips without a transposing read of shared
// memory (ldmatrix, ds_read_b64_tr), a thread loads several steps of K of a narrow operand whose other dimension is
// contiguous in memory, and packs them when it writes to shared memory. NVIDIA's threads do so, too, if they load
// single elements: their writes would be as narrow, and rows a swizzle's period apart meet in one bank.
static int64_t rows_of(struct layouts *l, const struct global_access *access) {
    unsigned rank = (unsigned)type_rank(access->type);
    bool transposes = l->context->target->has & (FEATURE(MMA_SM75) | FEATURE(LDS_TRANSPOSE));
    bool narrow = access->vector == 1 && l->context->target->vendor == VENDOR_NVIDIA;
    if ((transposes && !narrow) || rank < 2 || op_kind(l->ir, access->op) != OP_LOAD) {
        return 1;
    }
    MlirValue loaded = mlirOperationGetResult(access->op, 0);
    unsigned bits = type_bits(type_element(mlirValueGetType(loaded)));
    for (MlirOpOperand use = mlirValueGetFirstUse(loaded); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        unsigned operand = mlirOpOperandGetOperandNumber(use);
        if (op_kind(l->ir, mlirOpOperandGetOwner(use)) != OP_DOT || operand > 1 || bits > 16) {
            continue;
        }
        unsigned depth = operand == 0 ? rank - 1 : rank - 2; // the dimension K
        int64_t threads = (int64_t)l->num_warps * l->context->target->warp_size;
        int64_t share = type_elements(access->type) / threads / access->vector;
        int64_t wanted = (transposes ? 128 : 64) / bits;
        if (access->order[1] == depth) {
            return share < 1 ? 1 : share < wanted ? share : wanted;
        }
    }
    return 1;
}

// For a thread packing fewer steps of K than a lane reads at once: half on RDNA (16 lanes write together),
// one word on CDNA (32 lanes write together). Makes the next steps of K the last lane bit of the lanes
// writing together: their writes cover all banks, and both parts of a read are adjacent.
static void pair_lanes(struct layouts *l, const struct global_access *access, struct layout *layout) {
    enum { FOURTH = 3, FIFTH = 4, WORD_BITS = 32 };
    bool wide = l->context->target->warp_size != 32;
    unsigned rank = layout->rank, at = wide ? FIFTH : FOURTH;
    if (access->rows < 2 || rank < 2 || layout->bits[LAYOUT_LANE] <= at ||
        l->context->target->vendor == VENDOR_NVIDIA || (wide && access->rows * access->bits > WORD_BITS)) {
        return;
    }
    uint32_t step = (uint32_t)access->rows << layout_dim_shift(layout, access->order[1]);
    uint32_t *lanes = layout->basis[LAYOUT_LANE];
    for (unsigned w = 0; w < layout->bits[LAYOUT_WARP]; w++) {
        unsigned last = layout->bits[LAYOUT_LANE] - 1;
        if (layout->basis[LAYOUT_WARP][w] == step) {
            layout->basis[LAYOUT_WARP][w] = lanes[last];
            lanes[last] = step;
        }
    }
    for (unsigned i = layout->bits[LAYOUT_LANE] - 1; i > at; i--) {
        if (lanes[i] == step) {
            lanes[i] = lanes[i - 1];
            lanes[i - 1] = step;
        }
    }
}

bool layouts_multiply(const struct layouts *l) {
    for (size_t i = 0; i < l->op_count; i++) {
        if (op_kind(l->ir, l->ops[i]) == OP_DOT) {
            return true;
        }
    }
    return false;
}

static unsigned ops_of(MlirBlock block) {
    unsigned count = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        count++;
    }
    return count;
}

// A thread scans a run of neighbours by itself, and each run takes one scan more over lanes and warps. Where combinations
// are long, a run has as many elements as the widest access.
static bool is_scanned(struct layouts *l, const struct global_access *access) {
    enum { CHEAP_OPS = 4 }; // with the terminator
    for (size_t i = 0; i < l->op_count; i++) {
        if (op_kind(l->ir, l->ops[i]) != OP_SCAN ||
            op_int(l->ops[i], ATTR_AXIS) != (int64_t)access->order[0] ||
            ops_of(op_body(l->ops[i], 0)) <= CHEAP_OPS) {
            continue;
        }
        MlirType scanned = mlirValueGetType(leading_operand(l->ops[i]));
        bool same = type_rank(scanned) == type_rank(access->type);
        for (int d = 0; same && d < type_rank(scanned); d++) {
            same = type_extent(scanned, d) == type_extent(access->type, d);
        }
        if (same) {
            return true;
        }
    }
    return false;
}

// True if the program computes the addresses from places and arguments, not from memory.
static bool is_computed(struct layouts *l, struct map *seen, MlirValue value) {
    MlirOperation op = value_op(value);
    if (!type_is_tensor(mlirValueGetType(value)) || map_has(seen, value.ptr)) {
        return true;
    }
    map_put(seen, value.ptr, (void *)value.ptr);
    bool computed = !mlirOperationIsNull(op) && (op_traits(op_kind(l->ir, op)) & PURE) &&
                    op_kind(l->ir, op) != OP_GATHER && mlirOperationGetNumRegions(op) == 0;
    for (intptr_t i = 0; computed && i < mlirOperationGetNumOperands(op); i++) {
        computed = is_computed(l, seen, mlirOperationGetOperand(op, i));
    }
    return computed;
}

// True for a tile whose neighbours are apart in memory, each as far as the next (every second number of a row). Where indices come from
// memory, lanes do not write to the same sectors, however many elements a thread holds.
static bool is_spaced_out(struct layouts *l, const struct global_access *access) {
    struct map seen = {0};
    MlirValue pointer = access_pointer(access->op);
    bool apart = axis_of(&l->axis, pointer).contiguity[access->order[0]] == 1 &&
                 type_extent(access->type, (int)access->order[0]) > 1 &&
                 l->context->target->vendor == VENDOR_NVIDIA && is_computed(l, &seen, pointer);
    map_free(&seen);
    return apart;
}

// If a thread holds more of a row than one store writes, every store leaves gaps: half-written sectors, and
// two or four times as many. (Loads with gaps find the rest in the cache.) Atomics leave the same gaps, and
// most act on one element at a time.
static int64_t most_of(struct layouts *l, const struct global_access *access) {
    enum op_kind kind = op_kind(l->ir, access->op);
    int64_t bytes = pointee_bytes(l->ir, access->type);
    if (op_is_atomic(kind) && l->context->target->vendor == VENDOR_NVIDIA) {
        return atomic_takes_vectors(l->ir, l->context->target, access->op) ? 16 / bytes : 1;
    }
    if (kind == OP_STORE && is_spaced_out(l, access)) {
        return 1;
    }
    return kind == OP_STORE && access->vector * bytes >= 16 ? 16 / bytes : 0;
}

// True if a value is computed from a dot's result, in a loop or behind it.
static bool is_sum(struct layouts *l, struct map *seen, MlirValue value, int depth) {
    if (depth > 1000 || map_has(seen, value.ptr)) {
        return false;
    }
    map_put(seen, value.ptr, (void *)value.ptr);
    MlirOperation op = value_op(value);
    bool is_argument = mlirOperationIsNull(op);
    op = is_argument ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)) : op;
    enum op_kind kind = op_kind(l->ir, op);
    if (kind == OP_FOR) {
        intptr_t index =
            is_argument ? mlirBlockArgumentGetArgNumber(value) - 1 : mlirOpResultGetResultNumber(value);
        MlirOperation yield = mlirBlockGetTerminator(op_body(op, 0));
        return index >= 0 && is_sum(l, seen, mlirOperationGetOperand(yield, index), depth + 1);
    }
    bool sum = !is_argument && kind == OP_DOT;
    bool passes_on = !is_argument && (op_traits(kind) & ELEMENTWISE) && kind != OP_LOAD;
    for (intptr_t i = 0; passes_on && i < mlirOperationGetNumOperands(op) && !sum; i++) {
        sum = is_sum(l, seen, mlirOperationGetOperand(op, i), depth + 1);
    }
    return sum;
}

static bool stores_sums(struct layouts *l, MlirOperation op) {
    struct map seen = {0};
    bool stores = l->context->target->vendor == VENDOR_NVIDIA && op_kind(l->ir, op) == OP_STORE;
    bool sums = stores && is_sum(l, &seen, store_value(op), 0);
    map_free(&seen);
    return sums;
}

static bool same_group(const struct global_access *a, const struct global_access *b) {
    if (type_rank(a->type) != type_rank(b->type) || a->sums != b->sums || (a->sums && a->bits != b->bits)) {
        return false;
    }
    for (int d = 0; d < type_rank(a->type); d++) {
        if (type_extent(a->type, d) != type_extent(b->type, d) || a->order[d] != b->order[d]) {
            return false;
        }
    }
    return true;
}

// The layout of an access of a group. A store with gaps in a scanned tile's rows (64-bit indices beside floats) has one of its
// own: its tile is converted, as narrow as it can be, for whole sectors.
static const struct layout *layout_of(struct layouts *l, const struct global_access *access,
                                      const struct global_access *first) {
    if (access->own <= 1 || access->own >= layout_contiguity(first->layout, first->order[0])) {
        return first->layout;
    }
    struct layout layout = blocked(l, first->type, first->order, access->own, first->rows);
    return layouts_keep(l, &layout);
}

// True if each access stands beside many operations on its elements: the arithmetic limits the speed, and all results that one
// access stores must be in registers at once (sm_100a, random numbers of a dropout: 31 registers with 16 bytes, 62 with 32).
static bool computes_much(const struct layouts *l, size_t accesses) {
    enum { MUCH = 24 };
    size_t computed = 0;
    for (size_t i = 0; i < l->op_count; i++) {
        enum op_kind kind = op_kind(l->ir, l->ops[i]);
        computed += (op_traits(kind) & ELEMENTWISE) && !is_access(kind) &&
                    mlirOperationGetNumResults(l->ops[i]) > 0 &&
                    type_is_tensor(mlirValueGetType(mlirOperationGetResult(l->ops[i], 0)));
    }
    return computed > MUCH * accesses;
}

// The elements of a thread along order[0], in a function whose speed memory limits: twice as many as 16 bytes hold where the
// chip has wider accesses, and each access of the group is then one instruction still.
static int64_t widened(const struct layouts *l, const struct global_access *accesses, size_t count,
                       const size_t leader[], size_t first, int64_t vector) {
    enum { BYTES = 16 };
    int64_t wide = l->context->target->access_bytes > BYTES ? INT64_MAX : vector;
    for (size_t i = 0; i < count; i++) {
        if (leader[i] == first && accesses[i].wide < wide) {
            wide = accesses[i].wide;
        }
    }
    return wide > vector ? wide : vector;
}

// At least 4 bytes for a thread, the fewest that cp.async copies, of a small tile that a loop of products loads (the scales of a step's words,
// 1 x 64): the loop's other tiles then need not go through registers, a step ahead (H200, AWQ, 16 rows: 0.85 to 0.97 of the time).
static int64_t copied_vector(struct layouts *l, const struct global_access *access, int64_t vector) {
    enum { WORD_BITS = 32 };
    bool tile = op_kind(l->ir, access->op) == OP_LOAD && type_rank(access->type) > 1 &&
                op_is_in_loop(l->ir, access->op) && target_has(l->context->target, FEATURE(CP_ASYNC));
    int64_t word = access->bits < WORD_BITS ? WORD_BITS / access->bits : 1;
    return tile && access->vector < word && vector >= word ? word : access->vector;
}

// Accesses of one shape and order share one layout, so ops between them need no conversion. It has the widest
// vector of any of them (a narrower element type then takes several accesses a thread). In a function without
// dots memory limits the speed, and the stores set the limit of the width.
void layouts_choose_accesses(struct layouts *l) {
    struct global_access *accesses = ARENA_ARRAY(l->arena, struct global_access, l->op_count + 1);
    size_t count = 0;
    enum { BYTES = 16 };
    bool has_dot = layouts_multiply(l);
    for (size_t i = 0; i < l->op_count; i++) {
        if (!is_access(op_kind(l->ir, l->ops[i])) || map_get(&l->spread, l->ops[i].ptr)) {
            continue;
        }
        MlirValue pointer = access_pointer(l->ops[i]);
        if (!type_is_tensor(mlirValueGetType(pointer))) {
            continue;
        }
        struct global_access *access = &accesses[count++];
        access->op = l->ops[i];
        access->type = mlirValueGetType(pointer);
        access->bits = type_bits(tk_ptr_pointee(l->ir, type_element(access->type)));
        layouts_order(l, pointer, access->order);
        if (op_kind(l->ir, access->op) == OP_LOAD) {
            layouts_order_reduced(l, access->op, access->order);
        }
        int64_t vector = axis_access_elements(&l->axis, pointer, access_mask(l->ir, l->ops[i]),
                                              (int)access->order[0], BYTES);
        int64_t extent = type_extent(access->type, (int)access->order[0]);
        vector = vector < extent ? vector : extent;
        access->vector = limit_vector(l, access->type, vector);
        access->vector = has_dot ? copied_vector(l, access, vector) : access->vector;
        bool widens = !has_dot && !is_scanned(l, access) && !op_is_atomic(op_kind(l->ir, access->op));
        int64_t wide = widens ? access_elements(l, access->op, (int)access->order[0]) : 0;
        access->wide = limit_vector(l, access->type, wide < extent ? wide : extent);
        access->rows = rows_of(l, access);
        access->most = has_dot || is_scanned(l, access) ? 0 : most_of(l, access);
        access->sums = has_dot && stores_sums(l, access->op);
        bool stores = op_kind(l->ir, access->op) == OP_STORE && l->context->target->vendor == VENDOR_NVIDIA;
        access->own = stores && !has_dot && is_scanned(l, access) ? access->vector : 0;
    }
    // Each access joins the group of the first access like it; the first access collects the group's widest
    // vector.
    size_t *leader = ARENA_ARRAY(l->arena, size_t, count + 1),
           *leaders = ARENA_ARRAY(l->arena, size_t, count + 1);
    size_t groups = 0;
    bool narrow = computes_much(l, count);
    for (size_t i = 0; i < count; i++) {
        size_t g = 0;
        while (g < groups && !same_group(&accesses[leaders[g]], &accesses[i])) {
            g++;
        }
        if (g == groups) {
            leaders[groups++] = i;
        }
        leader[i] = leaders[g];
        struct global_access *first = &accesses[leaders[g]];
        first->vector = accesses[i].vector > first->vector ? accesses[i].vector : first->vector;
        first->rows = accesses[i].rows > first->rows ? accesses[i].rows : first->rows;
        bool narrower = accesses[i].most && (!first->most || accesses[i].most < first->most);
        first->most = narrower ? accesses[i].most : first->most;
    }
    for (size_t i = 0; i < count; i++) {
        struct global_access *first = &accesses[leader[i]];
        if (leader[i] == i) {
            int64_t vector = first->most && first->most < first->vector ? first->most : first->vector;
            vector = narrow ? vector : widened(l, accesses, count, leader, leader[i], vector);
            struct layout layout = blocked(l, first->type, first->order, vector, first->rows);
            pair_lanes(l, first, &layout);
            first->layout = layouts_keep(l, &layout);
        }
        map_put(&l->accesses, accesses[i].op.ptr, (void *)layout_of(l, &accesses[i], first));
    }
}

int64_t layouts_vector(struct layouts *l, MlirOperation access, const struct layout *layout) {
    int64_t best = 1;
    for (unsigned d = 0; d < layout->rank; d++) {
        int64_t elements = access_elements(l, access, (int)d);
        int64_t held = layout_contiguity(layout, d);
        int64_t both = elements < held ? elements : held;
        best = both > best ? both : best;
    }
    return best;
}

// ---- dots ----

// If one dot feeds another, the function keeps whole rows in one warp: then the first dot's accumulator
// becomes the second dot's operand without leaving its thread.
static bool dots_are_chained(struct layouts *l) {
    struct map seen = {0};
    bool chained = false;
    for (size_t i = 0; i < l->op_count && !chained; i++) {
        chained = op_kind(l->ir, l->ops[i]) == OP_DOT &&
                  (!mlirOperationIsNull(layouts_dot_behind(l, &seen, dot_a(l->ops[i]), 0)) ||
                   !mlirOperationIsNull(layouts_dot_behind(l, &seen, dot_b(l->ops[i]), 0)));
    }
    map_free(&seen);
    return chained;
}

static struct layout operand_of(const struct dot_choice *choice, enum mma_operand operand, unsigned rank,
                                const int64_t shape[]) {
    return mma_layout(choice->mma, operand, rank, shape, choice->warps_m, choice->warps_n);
}

// Peak registers of a thread in one step of the loop: the accumulators, the next step's tiles in flight, and
// for the current products one fragment of rows and the fragments of all columns.
static int64_t registers_of_step(const struct layouts *l, const struct dot_choice *choice, unsigned rank,
                                 const int64_t shape[MMA_OPERANDS][LAYOUT_MAX_RANK], const unsigned bits[]) {
    int64_t depth = shape[MMA_A][rank - 1], steps = depth > choice->mma->k ? depth / choice->mma->k : 1;
    int64_t rows = shape[MMA_C][rank - 2] / choice->mma->m / choice->warps_m;
    int64_t threads = l->num_warps * (int64_t)l->context->target->warp_size;
    int64_t total = registers_reserved(RESERVE_WMMA_STEP);
    rows = rows > 1 ? rows : 1;
    for (int i = 0; i < MMA_OPERANDS; i++) {
        struct layout layout = operand_of(choice, (enum mma_operand)i, rank, shape[i]);
        int64_t registers = layout_registers(&layout) * (int64_t)bits[i] / 32;
        total += i == MMA_C ? registers : registers / steps / (i == MMA_A ? rows : 1);
        total += i == MMA_C ? 0 : ((int64_t)bits[i] << layout_size_log2(&layout)) / 32 / threads;
    }
    return total;
}

// WMMA's products go row by row through a warp's part, with the fragments of all its columns in registers. If
// registers are short, a part gets more rows and fewer columns.
static void spare_columns(const struct layouts *l, struct dot_choice *choice, unsigned rank,
                          const int64_t shape[MMA_OPERANDS][LAYOUT_MAX_RANK], const unsigned bits[]) {
    const struct target *target = l->context->target;
    bool wmma = target->has & FEATURES_WMMA;
    int64_t share = registers_share(target, l->num_warps, target->compute_units);
    int64_t columns = shape[MMA_C][rank - 1] / choice->mma->n / choice->warps_n;
    for (; wmma && columns > 1 && choice->warps_m > 1; columns /= 2) {
        if (registers_of_step(l, choice, rank, shape, bits) <= share) {
            return;
        }
        choice->warps_m /= 2;
        choice->warps_n *= 2;
    }
}

// How many operations of the dot's block stand in a row behind the operand, up to its loads.
static unsigned computed_by(const struct layouts *l, MlirOperation dot, MlirValue operand) {
    unsigned count = 0;
    for (MlirOperation op = value_op(operand);
         !mlirOperationIsNull(op) && mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(dot)) &&
         mlirOperationGetNumOperands(op) > 0 && op_kind(l->ir, op) != OP_LOAD;
         op = value_op(leading_operand(op))) {
        count += (op_traits(op_kind(l->ir, op)) & ELEMENTWISE) != 0;
    }
    return count;
}

// True if the right operand alone takes work (dequantised weights): warps sharing its columns repeat the work.
// With WMMA the registers decide (spare_columns).
static bool computes_columns(const struct layouts *l, MlirOperation dot) {
    enum { WORK = 3 };
    const struct target *target = l->context->target;
    return (target->has & (FEATURE(CP_ASYNC) | FEATURE(MFMA_GFX90A) | FEATURE(MFMA_GFX942))) &&
           computed_by(l, dot, dot_b(dot)) >= WORK && computed_by(l, dot, dot_a(dot)) < WORK;
}

// True if the left operand alone takes much work (weights with exponentials): warps sharing its rows repeat the work. Such a product is one of
// warps with rows of their own, and each reads the whole right operand.
static bool computes_rows(struct layouts *l, MlirOperation dot, const struct mma *mma, int64_t m) {
    enum { WORK = 3 };
    return target_has(l->context->target, FEATURE(CP_ASYNC)) && m >= mma->m * (int64_t)l->num_warps &&
           computed_by(l, dot, dot_b(dot)) < WORK && layouts_is_dear(l, dot, dot_a(dot));
}

// Gives warps to the side with the longer part per warp, in units of the instruction; of two alike to the rows, or to the columns if
// those are `dear`.
static void split_warps(const struct layouts *l, const struct mma *mma, int64_t m, int64_t n, bool rows_first,
                        bool dear, unsigned *warps_m, unsigned *warps_n) {
    *warps_m = *warps_n = 1;
    while (*warps_m * *warps_n < l->num_warps) {
        int64_t rows = m / mma->m / *warps_m, columns = n / (mma->n * (mma->n < mma->m ? 2 : 1)) / *warps_n;
        if (rows > 1 && (rows_first || rows >= columns + dear)) {
            *warps_m *= 2;
        } else if (columns > 1 || rows <= 1) {
            *warps_n *= 2;
        } else {
            *warps_m *= 2;
        }
    }
    if (rows_first && *warps_n > 1 && m >= mma->m * l->num_warps) {
        *warps_m = l->num_warps;
        *warps_n = 1;
    }
}

// Operands of a dot computed with multiply-adds: every thread holds whole rows of A and columns of B for its
// own elements of C.
static struct layout fma_operand(const struct layout *c, bool is_a, const int64_t shape[]) {
    unsigned rank = c->rank, kept = is_a ? rank - 2 : rank - 1, axis = is_a ? rank - 1 : rank - 2;
    struct layout layout = layout_empty(rank, shape);
    uint32_t contracted = 1u << layout_dim_shift(&layout, axis);
    for (int64_t i = 1; i < shape[axis]; i *= 2, contracted *= 2) {
        layout_push(&layout, LAYOUT_REGISTER, contracted);
    }
    static const enum layout_input inputs[] = {LAYOUT_REGISTER, LAYOUT_LANE, LAYOUT_WARP};
    for (size_t k = 0; k < 3; k++) {
        for (unsigned i = 0; i < c->bits[inputs[k]]; i++) {
            uint32_t coordinates[LAYOUT_MAX_RANK];
            layout_split_coordinates(c, c->basis[inputs[k]][i], coordinates);
            for (unsigned d = rank - 2; d < rank; d++) {
                coordinates[d] = d == kept ? coordinates[d] : 0;
            }
            uint32_t flat = layout_join_coordinates(&layout, coordinates);
            if (flat != 0 || inputs[k] != LAYOUT_REGISTER) {
                layout_push(&layout, inputs[k], flat);
            }
        }
    }
    return layout;
}

static void choose_dot(struct layouts *l, MlirOperation dot, bool chained) {
    struct dot_choice *choice = ARENA_NEW(l->arena, struct dot_choice);
    MlirType types[MMA_OPERANDS];
    int64_t shape[MMA_OPERANDS][LAYOUT_MAX_RANK];
    unsigned bits[MMA_OPERANDS];
    for (int i = 0; i < MMA_OPERANDS; i++) {
        types[i] = mlirValueGetType(mlirOperationGetOperand(dot, i));
        bits[i] = type_bits(type_element(types[i]));
        shape_of(types[i], shape[i]);
    }
    unsigned rank = (unsigned)type_rank(types[MMA_C]);
    map_put(&l->dots, dot.ptr, choice);
    if (l->context->target->has & FEATURES_SHARED_PRODUCTS) {
        if (layouts_choose_warpgroup(l, dot, chained, choice)) {
            return;
        }
        reason_keep(l->context, dot, ATTR_WGMMA);
    }
    choice->mma = dot_instruction(l->context->target, dot, l->num_warps, chained);
    if (choice->mma) {
        bool dear = !chained && computes_columns(l, dot);
        bool by_rows = chained || computes_rows(l, dot, choice->mma, shape[MMA_C][rank - 2]);
        split_warps(l, choice->mma, shape[MMA_C][rank - 2], shape[MMA_C][rank - 1], by_rows, dear,
                    &choice->warps_m, &choice->warps_n);
        if (!chained) {
            spare_columns(l, choice, rank, shape, bits);
        }
        for (int i = 0; i < MMA_OPERANDS; i++) {
            choice->operand[i] = operand_of(choice, (enum mma_operand)i, rank, shape[i]);
        }
        layouts_order_words(l, dot, choice);
        layouts_order_chained(l, dot, choice);
        for (int i = MMA_OPERANDS; i < mlirOperationGetNumOperands(dot); i++) {
            int64_t scales[LAYOUT_MAX_RANK];
            shape_of(mlirValueGetType(mlirOperationGetOperand(dot, i)), scales);
            choice->operand[i] = operand_of(choice, (enum mma_operand)i, rank, scales);
        }
    } else {
        choice->operand[MMA_C] = layouts_default(l, types[MMA_C]);
        choice->operand[MMA_A] = fma_operand(&choice->operand[MMA_C], true, shape[MMA_A]);
        choice->operand[MMA_B] = fma_operand(&choice->operand[MMA_C], false, shape[MMA_B]);
    }
}

void layouts_choose_dots(struct layouts *l) {
    bool chained = dots_are_chained(l);
    if (chained && target_has(l->context->target, FEATURE(TCGEN05))) {
        l->tensor_chain = layouts_chain_fits(l);
    }
    for (size_t i = 0; i < l->op_count; i++) {
        if (op_kind(l->ir, l->ops[i]) == OP_DOT) {
            choose_dot(l, l->ops[i], chained);
        }
    }
}
