// Finds loads and stores of a box of a strided tensor.
//
//   %p = a + (first + i0)·s + iteration·64 + i1        base a, the box (64, 128) of a tensor
//   %m = i1 < K - iteration·64                   →       dimension 0: stride 1, from iteration·64, below K
//   tk.load %p, %m, 0                                     dimension 1: stride s, from first, without a bound
//
// Each dimension of the tile is in the address once, times a stride: an argument of the kernel or a constant.
// Each condition of the mask bounds one dimension and gives the box's first index along it. The rest of the
// address are scalars. They move the box along dimensions without a bound, if the stride divides them, or
// along dimensions of their own: batch, head. Only its condition moves the box along a bounded dimension, so
// the box is cut off exactly at the mask's edge. A scalar equal for all programs, made of arguments and
// constants, moves the tensor itself if no dimension takes it: the host adds it to the base.
//
// A stride, a bound or such a scalar is a constant times up to two arguments, one of them optionally divided
// by a constant (tile_size): `rows * columns` is the batch stride of a tensor without gaps, `heads // 4 *
// columns` the row stride if four heads share their rows.
//
// An index without a bound that may need more than 32 bits, such as the loaded start of a sequence, is split in two: its low bits move
// the box along the dimension, the others along one of their own.
//
// A tensor map reads zeros below index 0. So an index is proved non-negative, or the mask tests it. Arguments
// of the kernel count as non-negative as factors, dividends and divisors (sizes and strides, as in axis.c),
// but not as plain offsets.
//
// test: tests/unit/test_tile_access.c
#include "passes/facts/tile_boxing.h"

#include <math.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "dialects/tk/words.h"
#include "ir/build.h"

static int64_t gcd(int64_t a, int64_t b) {
    while (b) {
        int64_t t = a % b;
        a = b;
        b = t;
    }
    return a < 0 ? -a : a;
}

// ---- the dimensions of the tile ----

// Takes the term along dimension d out of the rest: exactly one, with a stride as its factor.
static bool take_dimension(struct boxing *x, int d, int64_t extent) {
    struct affine_term *found = NULL;
    for (int i = 0; i < x->rest.count; i++) {
        if (x->rest.terms[i].dim == d) {
            if (found) {
                return boxing_refuse(x, REASON_DIMENSION);
            }
            found = &x->rest.terms[i];
        }
    }
    if (!found) {
        return boxing_refuse(x, REASON_DIMENSION);
    }
    struct affine_term stride = *found;
    stride.dim = stride.wrap = -1;
    if (stride.factor <= 0 || !affine_is_size(x->affines, &stride)) {
        return boxing_refuse(x, REASON_STRIDE);
    }
    struct tile_dim *dim = boxing_add_dim(x, stride);
    if (!dim) {
        return boxing_refuse(x, REASON_DIMENSIONS);
    }
    dim->tile_dimension = d;
    dim->extent = extent;
    if (found->wrap >= 0) {
        const struct affine_wrap *wrap = &x->affines->wraps[found->wrap];
        dim->bounded = dim->wrapped = true;
        dim->bound = tile_size_of(x->affines, &wrap->size.terms[0], 0);
        dim->start = wrap->first;
        x->out->assumes |= wrap->assumes;
    }
    struct affine_term term = *found;
    term.factor = -term.factor;
    return affine_add_term(&x->rest, term) || boxing_refuse(x, REASON_ADDRESS);
}

// Takes the tile's dimensions, last to first, and moves the one with stride 1 to the front.
static bool take_dimensions(struct boxing *x, MlirType tile) {
    for (int d = type_rank(tile) - 1; d >= 0; d--) {
        if (type_extent(tile, d) > 1 && !take_dimension(x, d, type_extent(tile, d))) {
            return false;
        }
    }
    for (unsigned n = 0; n < x->out->rank; n++) {
        if (x->strides[n].symbol_count == 0 && x->strides[n].factor == 1) {
            struct tile_dim innermost = x->out->dim[n];
            struct affine_term stride = x->strides[n];
            for (; n > 0; n--) {
                x->out->dim[n] = x->out->dim[n - 1];
                x->strides[n] = x->strides[n - 1];
            }
            x->out->dim[0] = innermost;
            x->strides[0] = stride;
            return true;
        }
    }
    return boxing_refuse(x, REASON_CONTIGUOUS);
}

// ---- scalars ----

static bool has_symbol(const struct affine_term *term, int symbol) {
    bool has = false;
    for (int i = 0; i < term->symbol_count; i++) {
        has |= term->symbols[i] == symbol;
    }
    return has;
}

// The term as an index along a dimension of the stride. False: the stride does not divide the term.
static bool divided(const struct boxing *x, const struct affine_term *term, const struct affine_term *stride,
                    struct affine_term *index) {
    int of_stride = 0;
    *index = *term;
    index->factor /= stride->factor;
    index->symbol_count = 0;
    index->narrow = 0;
    for (int i = 0; i < term->symbol_count; i++) {
        if (of_stride < stride->symbol_count && term->symbols[i] == stride->symbols[of_stride]) {
            of_stride++; // a product fits only if its factors do
            continue;
        }
        index->narrow |= (term->narrow >> i & 1u) << index->symbol_count;
        index->symbols[index->symbol_count++] = term->symbols[i];
    }
    if (index->symbol_count < 2) {
        int32_t own = index->symbol_count ? x->affines->symbols[index->symbols[0]].fits : INT32_MAX;
        index->fits = own > affine_fits(index) ? own : index->fits;
        index->narrow = (1u << index->symbol_count) - 1;
    }
    return of_stride == stride->symbol_count && term->factor % stride->factor == 0;
}

static bool is_wide(const struct affine_term *index) {
    return (index->factor < 0 ? -index->factor : index->factor) > affine_fits(index);
}

// The dimension without a bound to move the box along by the term: the one with most arguments in its stride,
// then with the largest factor.
static int open_dimension(const struct boxing *x, const struct affine_term *term, bool constant_stride) {
    int best = -1;
    for (int n = 0; n < (int)x->out->rank; n++) {
        const struct affine_term *stride = &x->strides[n], *known = best < 0 ? stride : &x->strides[best];
        struct affine_term index;
        if (!x->out->dim[n].bounded && (stride->symbol_count == 0) == constant_stride &&
            divided(x, term, stride, &index) &&
            (best < 0 || stride->symbol_count > known->symbol_count ||
             (stride->symbol_count == known->symbol_count && stride->factor > known->factor))) {
            best = n;
        }
    }
    return best;
}

// Makes argument i of the term a stride; with another argument j, their product.
static bool stride_of(const struct boxing *x, const struct affine_term *term, int i, int j,
                      struct affine_term *stride) {
    *stride = affine_constant(1).terms[0];
    stride->symbols[stride->symbol_count++] = term->symbols[i];
    if (j > i) {
        stride->symbols[stride->symbol_count++] = term->symbols[j];
    }
    return affine_is_size(x->affines, stride);
}

// True if steps of the term along the stride are multiples of 16 bytes.
static bool is_aligned(const struct boxing *x, const struct affine_term *term,
                       const struct affine_term *stride) {
    int64_t known = tile_divisibility(x->affines, tile_size_of(x->affines, stride, 0));
    return known * tile_aligned_part(term->factor) * (type_bits(x->out->element) / 8) % TMA_ALIGNMENT == 0;
}

// Finds the best stride among the term's arguments: one already used as a stride, else the one with the
// greatest divisibility, if steps along it are aligned. An argument alone is an offset, maybe negative,
// unless a dimension has it as its stride. False: none.
static bool short_stride(const struct boxing *x, const struct affine_term *term, struct affine_term *best) {
    int64_t best_rank = 0;
    for (int i = 0; i < term->symbol_count; i++) {
        struct affine_term stride;
        if (!stride_of(x, term, i, i, &stride)) {
            continue;
        }
        MlirValue argument = x->affines->symbols[term->symbols[i]].value;
        int64_t rank = axis_of(&x->affines->axis, argument).divisibility[0];
        bool aligned = is_aligned(x, term, &stride), offset = term->symbol_count == 1;
        for (unsigned n = 0; n < x->out->rank; n++) {
            if (boxing_same_symbols(&x->strides[n], &stride)) {
                rank = INT64_MAX;
                offset = false;
            }
        }
        if (!offset && (aligned || rank == INT64_MAX) && rank > best_rank) {
            *best = stride;
            best_rank = rank;
        }
    }
    return best_rank > 0;
}

// Finds a product of two arguments as a stride, if the index along it is known to fit. False: none.
static bool long_stride(const struct boxing *x, const struct affine_term *term, struct affine_term *best) {
    for (int i = 0; i < term->symbol_count; i++) {
        for (int j = i + 1; j < term->symbol_count; j++) {
            struct affine_term stride, index;
            if (stride_of(x, term, i, j, &stride) && is_aligned(x, term, &stride) &&
                divided(x, term, &stride, &index) && affine_fits(&index) > 0) {
                *best = stride;
                return true;
            }
        }
    }
    return false;
}

static bool is_of_scalars(const struct tile_dim *dim) {
    return dim->tile_dimension < 0 && dim->cut_by < 0 && dim->run_of < 0;
}

// A dimension for scalars alone, found or added; its stride's factor is fixed when all its scalars are known.
static int scalar_dimension(struct boxing *x, const struct affine_term *stride) {
    for (unsigned n = 0; n < x->out->rank; n++) {
        const struct tile_dim *dim = &x->out->dim[n];
        if (is_of_scalars(dim) && boxing_same_symbols(&x->strides[n], stride)) {
            return (int)n;
        }
    }
    return boxing_add_dim(x, *stride) ? (int)x->out->rank - 1 : -1;
}

// Places the term along a dimension of its own, with a stride for a small index.
static bool place_apart(struct boxing *x, const struct affine_term *term, struct affine_term stride) {
    struct affine_term index;
    stride.factor = 1;
    divided(x, term, &stride, &index);
    if (affine_fits(&index) == 0) {
        long_stride(x, term, &stride);
    }
    int n = scalar_dimension(x, &stride);
    return n >= 0 && divided(x, term, &stride, &index) && affine_add_term(&x->out->dim[n].start, index);
}

// True if the term moves the tensor: equal for all programs, but not if it is a constant index along an open
// dimension, or the mask tests the dimension.
static bool moves_tensor(const struct boxing *x, const struct affine_term *term, int n,
                         const struct affine_term *index) {
    bool indexes = n >= 0 && (x->tested_count[n] > 0 ||
                              (index->symbol_count == 0 && index->factor > 0 && !is_wide(index)));
    return !indexes && x->out->offset_count < TILE_OFFSETS && affine_is_size(x->affines, term);
}

// Places the term along an open dimension if the index surely fits, else along a dimension of its own, with a
// longer stride.
static bool place_term(struct boxing *x, const struct affine_term *term) {
    struct affine_term stride = affine_constant(1).terms[0], index;
    int n = open_dimension(x, term, false);
    if (!short_stride(x, term, &stride) && n < 0) {
        n = open_dimension(x, term, true);
    }
    if (n >= 0) {
        stride = x->strides[n];
        divided(x, term, &stride, &index);
    }
    if (moves_tensor(x, term, n, &index)) {
        x->out->offsets[x->out->offset_count++] = tile_size_of(x->affines, term, 0);
        return true;
    }
    if (n < 0 || is_wide(&index)) {
        return place_apart(x, term, stride);
    }
    return affine_add_term(&x->out->dim[n].start, index);
}

static bool place_scalars(struct boxing *x) {
    for (int i = 0; i < x->rest.count; i++) {
        if (x->rest.terms[i].dim >= 0 || !place_term(x, &x->rest.terms[i])) {
            return boxing_refuse(x, REASON_SCALARS);
        }
    }
    for (unsigned n = 0; n < x->out->rank; n++) {
        struct tile_dim *dim = &x->out->dim[n];
        int64_t common = 0;
        bool own = is_of_scalars(dim); // its stride
        for (int i = 0; own && i < dim->start.count; i++) {
            common = gcd(dim->start.terms[i].factor, common);
        }
        for (int i = 0; common > 1 && i < dim->start.count; i++) {
            dim->start.terms[i].factor /= common;
        }
        x->strides[n].factor *= common > 1 ? common : 1;
        dim->stride = tile_size_of(x->affines, &x->strides[n], 0);
    }
    return true;
}

// ---- results ----

static const struct affine_term *term_of_loop(const struct affine *sum, int symbol) {
    for (int i = 0; i < sum->count; i++) {
        if (has_symbol(&sum->terms[i], symbol)) {
            return &sum->terms[i];
        }
    }
    return NULL;
}

// Replaces iteration·step·c by (induction variable - lower bound)·c, unless the sum gets longer.
static void use_induction_variables(struct affines *a, struct affine *sum) {
    for (int symbol = 0; symbol < a->symbol_count; symbol++) {
        MlirOperation loop = a->symbols[symbol].loop;
        const struct affine_term *term = term_of_loop(sum, symbol);
        if (mlirOperationIsNull(loop) || !term) {
            continue;
        }
        MlirValue induction = mlirBlockGetArgument(op_body(loop, 0), 0);
        const struct affine *variable = affine_of(a, induction);
        const struct affine_term *step = term_of_loop(variable, symbol);
        if (!step || term->factor % step->factor != 0) {
            continue;
        }
        int64_t times = term->factor / step->factor;
        struct affine shorter = *sum;
        struct affine_term by_variable = {times, -1, 1, -1, {affine_symbol_of(a, induction)}, 0, 0, 0, 0};
        if (affine_add(&shorter, variable, -times) && affine_add_term(&shorter, by_variable) &&
            shorter.count <= sum->count && !term_of_loop(&shorter, symbol)) {
            *sum = shorter;
        }
    }
}

// True if terms of 32 bits each also fit together, as terms of one 32-bit sum.
static bool is_narrow_sum(const struct affine *sum) {
    bool narrow = true;
    for (int i = 0; i < sum->count && sum->count > 1; i++) {
        const struct affine_term *term = &sum->terms[i];
        int64_t factor = term->factor < 0 ? -term->factor : term->factor;
        narrow &= term->whole > 0 && term->whole == sum->terms[0].whole && factor <= term->within;
    }
    return narrow;
}

// Without a bound the sum is trusted to stay within 32 bits like its terms: every element there is really
// accessed.
static void make_index(struct affines *a, const struct affine *start, bool bounded, struct tile_index *out) {
    struct affine sum = *start;
    *out = (struct tile_index){.wide = bounded && !is_narrow_sum(&sum)};
    for (int i = 0; i < sum.count; i++) {
        out->wide |= is_wide(&sum.terms[i]);
    }
    use_induction_variables(a, &sum);
    for (int i = 0; i < sum.count; i++) {
        if (sum.terms[i].symbol_count == 0) {
            out->constant = sum.terms[i].factor;
            continue;
        }
        struct tile_term *term = &out->terms[out->term_count++];
        term->factor = sum.terms[i].factor;
        term->symbol_count = sum.terms[i].symbol_count;
        for (int s = 0; s < term->symbol_count; s++) {
            term->symbols[s] = a->symbols[sum.terms[i].symbols[s]];
        }
    }
}

static bool is_uniform_index(const struct affines *a, const struct tile_index *index) {
    for (int i = 0; i < index->term_count; i++) {
        for (int s = 0; s < index->terms[i].symbol_count; s++) {
            MlirValue value = index->terms[i].symbols[s].value;
            if (!mlirValueIsNull(value) && !affine_is_uniform(a, value)) {
                return false;
            }
        }
    }
    return true;
}

static bool finish_dimensions(struct boxing *x) {
    for (unsigned n = 0; n < x->out->rank; n++) {
        struct tile_dim *dim = &x->out->dim[n];
        for (int i = 0; i < x->tested_count[n]; i++) {
            bool own = !dim->cut && affine_equal(&x->tested[n][i], &dim->start);
            if (!own && !affine_is_non_negative(x->affines, &x->tested[n][i], &x->out->assumes)) {
                return boxing_refuse(x, REASON_MASK_CONDITION);
            }
            dim->tests_first |= own;
        }
        if (!dim->tests_first && !dim->cut &&
            !affine_is_non_negative(x->affines, &dim->start, &x->out->assumes)) {
            return boxing_refuse(x, REASON_FIRST_NEGATIVE);
        }
        make_index(x->affines, &dim->start, dim->bounded, &dim->first);
        if (dim->run > 0) {
            const struct affine_wrap *wrap = &x->affines->wraps[x->wraps[n]];
            make_index(x->affines, &wrap->first, false, &dim->counted);
            make_index(x->affines, &wrap->size, false, &dim->period);
        }
        if (!is_uniform_index(x->affines, &dim->first) || !is_uniform_index(x->affines, &dim->counted) ||
            (dim->run_of >= 0 && dim->first.wide) || dim->counted.wide) {
            return boxing_refuse(x, REASON_FIRST_DIFFERS);
        }
    }
    return true;
}

// Splits the indices that tensor copies have no coordinate for. A box that begins at low bits goes on beyond them: its dimension has no end.
static void split_wide(struct tile_access *out) {
    for (unsigned n = 0; n < out->rank && out->rank < TILE_DIMS; n++) {
        struct tile_dim *dim = &out->dim[n], high = *dim;
        if (!dim->first.wide || dim->bounded || dim->tests_first ||
            __builtin_mul_overflow(high.stride.factor, (int64_t)1 << TILE_LOW_BITS, &high.stride.factor)) {
            continue;
        }
        dim->part = TILE_LOW;
        high.part = TILE_HIGH;
        dim->first.wide = high.first.wide = false;
        high.tile_dimension = -1;
        high.extent = 1;
        out->dim[out->rank++] = high;
    }
}

// ---- the access ----

bool fills_with_zero(struct ir *ir, MlirValue value) {
    MlirOperation op = value_op(value);
    while (!mlirOperationIsNull(op) && (op_kind(ir, op) == OP_SPLAT || op_kind(ir, op) == OP_BROADCAST ||
                                        op_kind(ir, op) == OP_CONVERT_LAYOUT)) {
        op = value_op(unary_source(op));
    }
    if (mlirOperationIsNull(op) || op_kind(ir, op) != OP_CONSTANT) {
        return false;
    }
    MlirAttribute constant = op_attribute(op, ATTR_VALUE);
    if (mlirAttributeIsADenseElements(constant)) {
        if (!mlirDenseElementsAttrIsSplat(constant)) {
            return false;
        }
        constant = mlirDenseElementsAttrGetSplatValue(constant);
    }
    if (mlirAttributeIsAFloat(constant)) {
        double number = mlirFloatAttrGetValueDouble(constant);
        return number == 0 && !signbit(number);
    }
    return mlirAttributeIsAInteger(constant) && mlirIntegerAttrGetValueInt(constant) == 0;
}

static bool access_of(struct affines *affines, MlirOperation access, bool runs, struct tile_access *out) {
    struct pass_context *context = affines->context;
    struct ir *ir = context->ir;
    enum op_kind kind = op_kind(ir, access);
    MlirValue pointers = access_pointer(access);
    *out = (struct tile_access){.op = access};
    bool writes = kind == OP_STORE || kind == OP_ATOMIC_RMW;
    if ((kind != OP_LOAD && !writes) || !type_is_tensor(mlirValueGetType(pointers))) {
        return decline(context, access, REASON_NO_TILE);
    }
    if (kind == OP_LOAD && load_is_volatile(access)) {
        return decline(context, access, REASON_VOLATILE);
    }
    MlirValue mask = kind == OP_LOAD ? load_mask(access) : writer_mask(access),
              other = kind == OP_LOAD ? load_other(access) : (MlirValue){NULL};
    const struct affine *address = affine_of(affines, pointers);
    if (!address) {
        return decline(context, access, REASON_ADDRESS);
    }
    if (!mlirValueIsNull(other) && !fills_with_zero(ir, other)) {
        return decline(context, access, REASON_FILL);
    }
    struct boxing x = {.affines = affines, .out = out, .rest = *address, .runs = runs};
    out->base = address->base;
    out->assumes = AXIS_ASSUMES_NO_WRAP | address->assumes;
    out->element = tk_ptr_pointee(ir, type_element(mlirValueGetType(pointers)));
    x.rest.base = (MlirValue){NULL};
    if (!take_dimensions(&x, mlirValueGetType(pointers)) ||
        (!mlirValueIsNull(mask) && !boxing_accept_mask(&x, mask)) || !place_scalars(&x) ||
        !finish_dimensions(&x)) {
        return false;
    }
    split_wide(out);
    for (unsigned n = 0; n < out->rank && writes; n++) {
        if (out->dim[n].wrapped) {
            return decline(context, access, REASON_STORE_WRAPS);
        }
    }
    return true;
}

bool tile_access_of(struct affines *affines, MlirOperation access, struct tile_access *out) {
    return access_of(affines, access, false, out);
}

bool tile_access_in_runs(struct affines *affines, MlirOperation access, struct tile_access *out) {
    return access_of(affines, access, true, out);
}
