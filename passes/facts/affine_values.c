// Computes sums of products, and their signs: `first_row + tk.range`, times a stride, plus a loop's increment
// of a pointer.
//
//   %r = tk.range 0 … 127                                  i0
//   %x = arith.addi (tk.splat %first), %r                  first + i0
//   %y = arith.muli (tk.expand_dims %x), (tk.splat %s)     first·s + i0·s
//   %p = tk.addptr (tk.splat %base), %y                    base + first·s + i0·s
//   scf.for … iter_args(%q = %p) {                         base + first·s + i0·s + iteration·64·s
//     … scf.yield (tk.addptr %q, 64·s)
//   }
//
// i0, i1, … is an element's index along the dimensions of the tile. Each value is visited once: the sums of
// its operands are kept, so accesses share the cost of a common chain.
//
// Assumed, as in Triton's descriptors made of pointers: 32-bit arithmetic for an address or its mask does not
// overflow, so the extension of a sum is the sum of the extensions. 64-bit sums may be of any size; `fits`
// marks their terms known to be 32-bit numbers. Arithmetic on 8 and 16 bits is not decomposed.
#include "passes/facts/affine.h"

#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"
#include "passes/facts/parts.h"

static const struct affine unknown, under_way;

static int64_t max64(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static struct affine symbol_sum(struct affines *a, int symbol, int32_t fits) {
    struct affine sum = {.count = 1};
    a->symbols[symbol].fits = fits;
    sum.terms[0] = (struct affine_term){1, -1, 1, -1, {symbol}, fits, 1, 0, 0};
    return sum;
}

// The terms of a 32-bit number are 32-bit numbers, by assumption.
static void mark_narrow(struct affines *a, struct affine *sum) {
    a->whole_count++;
    for (int i = 0; i < sum->count; i++) {
        struct affine_term *term = &sum->terms[i];
        int64_t factor = term->factor < 0 ? -term->factor : term->factor;
        int32_t fits = factor < INT32_MAX ? (int32_t)factor : INT32_MAX;
        term->fits = fits > affine_fits(term) ? fits : term->fits;
        term->narrow = (1u << term->symbol_count) - 1;
        term->whole = a->whole_count;
        term->within = factor;
    }
}

static const struct affine *keep(struct affines *a, struct affine sum) {
    struct affine *kept = ARENA_NEW(a->context->arena, struct affine);
    *kept = sum;
    return kept;
}

// ---- scalars not decomposed ----

static unsigned integer_bits(MlirValue value) {
    MlirType element = type_element(mlirValueGetType(value));
    return mlirTypeIsAInteger(element) ? type_bits(element) : 0;
}

static bool is_narrow(struct affines *a, MlirValue value) {
    struct axis_info info = axis_of(&a->axis, value);
    return info.low >= INT32_MIN && info.high <= INT32_MAX;
}

static int32_t leaf_fits(struct affines *a, MlirValue value) {
    struct axis_info info = axis_of(&a->axis, value);
    MlirOperation op = value_op(value);
    if (!mlirOperationIsNull(op) && op_kind(a->context->ir, op) == OP_PROGRAM_ID &&
        op_int(op, ATTR_AXIS) > 0) {
        info.high = UINT16_MAX; // of a grid along y and z
    }
    return is_narrow(a, value) ? (int32_t)(INT32_MAX / max64(1, max64(-(info.low + 1), info.high))) : 0;
}

static bool is_scalar_integer(MlirValue value) {
    return mlirTypeIsAInteger(mlirValueGetType(value));
}

static const struct affine *leaf(struct affines *a, MlirValue value) {
    if (!is_scalar_integer(value)) {
        return &unknown;
    }
    return keep(a, symbol_sum(a, affine_symbol_of(a, value), leaf_fits(a, value)));
}

// ---- loops ----

static int64_t constant_or(struct affines *a, MlirValue value, int64_t otherwise) {
    int64_t constant_value;
    return value_is_constant_int(a->context->ir, value, &constant_value) ? constant_value : otherwise;
}

// The largest factor of the iteration number: iteration × step is less than the induction variable's range.
// If the upper bound is x / d, iteration × d is less than x.
static int32_t iteration_fits(struct affines *a, MlirOperation loop) {
    MlirValue lower = for_lower(loop), upper = for_upper(loop);
    if (!is_narrow(a, upper) || !is_narrow(a, lower) ||
        axis_of(&a->axis, upper).high - axis_of(&a->axis, lower).low > INT32_MAX) {
        return 0;
    }
    int64_t step = constant_or(a, for_step(loop), 1);
    MlirOperation op = value_op(upper);
    bool divided = step == 1 && constant_or(a, lower, -1) == 0 && !mlirOperationIsNull(op) &&
                   op_kind(a->context->ir, op) == OP_DIVSI;
    int64_t fits = divided ? max64(1, constant_or(a, binary_right(op), 1)) : step;
    return fits < INT32_MAX ? (int32_t)fits : INT32_MAX;
}

static struct affine iteration_of(struct affines *a, MlirOperation loop) {
    return symbol_sum(a, affine_symbol_of_loop(a, loop), iteration_fits(a, loop));
}

// True if the increment is none that a loop adds in each iteration: it varies from one to the next, or over a tile.
static bool varies_in(const struct affines *a, const struct affine_term *term, MlirOperation loop) {
    bool varies = term->dim >= 0;
    for (int s = 0; s < term->symbol_count; s++) {
        varies |= affine_symbol_varies_in(a, term->symbols[s], loop);
    }
    return varies;
}

static bool advance_by(struct affines *a, MlirOperation loop, const struct affine *first,
                       const struct affine *increment, struct affine *out) {
    for (int i = 0; i < increment->count; i++) {
        if (varies_in(a, &increment->terms[i], loop)) {
            return false;
        }
    }
    struct affine iteration = iteration_of(a, loop);
    return affine_multiply(a, &iteration, increment, out) && affine_add(out, first, 1);
}

// The sum that a loop adds to its carried value in all of its iterations, if it adds `increment` in each of them:
// (upper - lower) / step × increment. False: the number of iterations is no such quotient.
static bool all_increments(struct affines *a, MlirOperation loop, const struct affine *increment,
                           struct affine *out) {
    int64_t step = constant_or(a, for_step(loop), 0);
    MlirValue lower = for_lower(loop), upper = for_upper(loop);
    const struct affine *from = affine_of(a, lower), *to = affine_of(a, upper);
    if (step <= 0 || !from || !to || axis_of(&a->axis, lower).divisibility[0] % step != 0 ||
        axis_of(&a->axis, upper).divisibility[0] % step != 0) {
        return false;
    }
    struct affine once = *increment, range = *to;
    for (int i = 0; i < once.count; i++) {
        if (once.terms[i].factor % step != 0 || varies_in(a, &once.terms[i], loop)) {
            return false;
        }
        once.terms[i].factor /= step;
    }
    return affine_add(&range, from, -1) && affine_is_non_negative(a, &range, &range.assumes) &&
           affine_multiply(a, &range, &once, out);
}

static bool increment_of(struct affines *a, MlirValue next, MlirValue argument, int depth,
                         struct affine *increment);

// The increment of an iteration of the loop for its carried value; false: it is no addition, or not the same in all iterations.
static bool loop_increment(struct affines *a, MlirOperation loop, intptr_t number, int depth,
                           struct affine *increment) {
    MlirBlock body = op_body(loop, 0);
    unsigned bits = integer_bits(for_init(loop, number));
    return !(bits > 0 && bits < 32) && increment_of(a, yield_value(mlirBlockGetTerminator(body), number),
                                                    mlirBlockGetArgument(body, number + 1), depth, increment);
}

// next = argument + increment, by additions alone, in loops or not.
static bool increment_of(struct affines *a, MlirValue next, MlirValue argument, int depth,
                         struct affine *increment) {
    if (value_is(next, argument)) {
        *increment = (struct affine){0};
        return true;
    }
    MlirOperation op = value_op(next);
    if (mlirOperationIsNull(op) || depth > 6) {
        return false;
    }
    enum op_kind kind = op_kind(a->context->ir, op);
    if (kind == OP_CONVERT_LAYOUT || kind == OP_HINT) {
        return increment_of(a, unary_source(op), argument, depth + 1, increment);
    }
    if (kind == OP_FOR) {
        intptr_t number = mlirOpResultGetResultNumber(next);
        struct affine once, all;
        return loop_increment(a, op, number, depth + 1, &once) && all_increments(a, op, &once, &all) &&
               increment_of(a, for_init(op, number), argument, depth + 1, increment) &&
               affine_add(increment, &all, 1);
    }
    if (kind != OP_ADDPTR && kind != OP_ADDI && kind != OP_SUBI) {
        return false;
    }
    for (intptr_t side = 0; side < (kind == OP_ADDI ? 2 : 1); side++) {
        if (increment_of(a, mlirOperationGetOperand(op, side), argument, depth + 1, increment)) {
            const struct affine *added = affine_of(a, mlirOperationGetOperand(op, 1 - side));
            return added && affine_add(increment, added, kind == OP_SUBI ? -1 : 1);
        }
    }
    return false;
}

static const struct affine *loop_value(struct affines *a, MlirValue argument, MlirOperation loop) {
    intptr_t number = mlirBlockArgumentGetArgNumber(argument);
    struct affine out, increment;
    const struct affine *first;
    if (number == 0) {
        first = affine_of(a, for_lower(loop));
        increment = *affine_of(a, for_step(loop));
    } else {
        first = affine_of(a, for_init(loop, number - 1));
        if (!first || !loop_increment(a, loop, number - 1, 0, &increment)) {
            return leaf(a, argument);
        }
    }
    if (!advance_by(a, loop, first, &increment, &out)) {
        return leaf(a, argument);
    }
    if (integer_bits(argument) == 32) {
        mark_narrow(a, &out);
    }
    return keep(a, out);
}

// A loop's result: its initial value and all increments.
static const struct affine *loop_result(struct affines *a, MlirOperation loop, intptr_t number) {
    const struct affine *first = affine_of(a, for_init(loop, number));
    struct affine increment, out;
    if (!first || !loop_increment(a, loop, number, 0, &increment) ||
        !all_increments(a, loop, &increment, &out) || !affine_add(&out, first, 1)) {
        return &unknown;
    }
    if (integer_bits(for_init(loop, number)) == 32) {
        mark_narrow(a, &out);
    }
    return keep(a, out);
}

static const struct affine *block_argument(struct affines *a, MlirValue argument) {
    if (type_is_ptr(mlirValueGetType(argument)) && affine_visible_argument(a, argument) >= 0) {
        return keep(a, (struct affine){.base = argument});
    }
    MlirOperation parent = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(argument));
    return op_kind(a->context->ir, parent) == OP_FOR ? loop_value(a, argument, parent) : leaf(a, argument);
}

// ---- signs ----

static bool choices_are_non_negative(struct affines *a, MlirValue scalar, unsigned *assumes);

enum { SIGN_UNKNOWN = 1, SIGN_POSITIVE = 2, SIGN_BITS = 2 };

static bool is_non_negative(struct affines *a, MlirValue scalar, unsigned *assumes);
static bool operand_is_non_negative(struct affines *a, MlirValue value, unsigned *assumes);

static bool is_loaded_position(struct affines *a, MlirValue scalar, unsigned *assumes, int depth);

static bool is_difference_of_loop(struct ir *ir, MlirOperation difference);

static bool branch_gives_position(struct affines *a, MlirOperation branch, intptr_t number, unsigned *assumes,
                                  int depth) {
    for (intptr_t i = 0; i < 2; i++) {
        MlirValue value = yield_value(mlirBlockGetTerminator(op_body(branch, i)), number);
        if (!operand_is_non_negative(a, value, assumes) &&
            !is_loaded_position(a, value, assumes, depth + 1)) {
            return false;
        }
    }
    return true;
}

// True for the least or the largest of loaded numbers, and of a constant for masked ones: it is one of them.
static bool is_extreme_loaded(struct affines *a, MlirOperation reduce) {
    struct ir *ir = a->context->ir;
    enum op_kind by = reduce_combines_by(ir, reduce);
    MlirOperation load =
        mlirOperationGetNumOperands(reduce) == 1 ? value_op(reduce_tile(reduce, 0)) : (MlirOperation){NULL};
    bool extreme = by == OP_MINSI || by == OP_MAXSI;
    if (!extreme || mlirOperationIsNull(load) || op_kind(ir, load) != OP_LOAD || load_is_volatile(load)) {
        return false;
    }
    int64_t other;
    return mlirValueIsNull(load_mask(load)) ||
           (!mlirValueIsNull(load_other(load)) && value_is_constant_int(ir, load_other(load), &other) &&
            other >= 0);
}

// True for a loaded scalar, or one computed from loaded scalars: the index of a page, an expert, the start of
// a sequence. Like arguments in products, they count as positions, and positions begin at 0.
static bool is_loaded_position(struct affines *a, MlirValue scalar, unsigned *assumes, int depth) {
    MlirOperation op = value_op(scalar);
    if (mlirOperationIsNull(op) || depth > 6) {
        return false;
    }
    if (op_kind(a->context->ir, op) == OP_IF) { // of both branches, as of both choices of a select
        return branch_gives_position(a, op, mlirOpResultGetResultNumber(scalar), assumes, depth);
    }
    intptr_t first = 0, operands = 2;
    bool offsets = true; // an argument as a plain operand is not trusted
    switch (op_kind(a->context->ir, op)) {
    case OP_LOAD:
        *assumes |= AXIS_ASSUMES_ARGUMENTS;
        return !load_is_volatile(op);
    case OP_REDUCE:
        *assumes |= AXIS_ASSUMES_ARGUMENTS;
        return is_extreme_loaded(a, op);
    case OP_EXTSI:
    case OP_EXTUI:
    case OP_TRUNCI:
    case OP_HINT:
        operands = 1;
        break;
    case OP_SELECT:
        first = 1;
        break;
    case OP_SUBI:
        return is_difference_of_loop(a->context->ir, op);
    case OP_ADDI:
    case OP_MINSI:
    case OP_MAXSI:
        break;
    case OP_MULI:
    case OP_DIVSI:
    case OP_DIVUI:
    case OP_REMSI:
    case OP_REMUI:
    case OP_SHLI:
    case OP_SHRSI:
    case OP_SHRUI:
        offsets = false;
        break;
    default:
        return false;
    }
    for (intptr_t i = first; i < first + operands; i++) {
        MlirValue operand = mlirOperationGetOperand(op, i);
        bool known =
            offsets ? operand_is_non_negative(a, operand, assumes) : is_non_negative(a, operand, assumes);
        if (!known && !is_loaded_position(a, operand, assumes, depth + 1)) {
            return false;
        }
    }
    return true;
}

// True if the flag is, or implies, x >= y of whole numbers.
static bool says_at_least(struct ir *ir, MlirValue flag, MlirValue x, MlirValue y) {
    MlirOperation op = value_op(flag);
    enum op_kind kind = mlirOperationIsNull(op) ? OP_UNKNOWN : op_kind(ir, op);
    if (kind == OP_ANDI) {
        return says_at_least(ir, binary_left(op), x, y) || says_at_least(ir, binary_right(op), x, y);
    }
    int64_t predicate = kind == OP_CMPI ? op_int(op, ATTR_PREDICATE) : -1;
    bool at_least = predicate == INT_SGE || predicate == INT_SGT,
         at_most = predicate == INT_SLE || predicate == INT_SLT;
    return (at_least && value_is(binary_left(op), x) && value_is(binary_right(op), y)) ||
           (at_most && value_is(binary_left(op), y) && value_is(binary_right(op), x));
}

// True for a difference x - y in a while loop that goes on only while its carried x is at least y, which it does not change: the tile
// within a group, of a number among the tiles of all groups.
static bool is_difference_of_loop(struct ir *ir, MlirOperation difference) {
    MlirValue x = binary_left(difference), y = binary_right(difference);
    MlirOperation loop = mlirValueIsABlockArgument(x)
                             ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(x))
                             : (MlirOperation){NULL};
    if (mlirOperationIsNull(loop) || op_kind(ir, loop) != OP_WHILE ||
        !mlirBlockEqual(mlirBlockArgumentGetOwner(x), op_body(loop, 1))) {
        return false;
    }
    MlirOperation flag = mlirBlockGetTerminator(op_body(loop, 0));
    MlirValue handed = condition_value(flag, mlirBlockArgumentGetArgNumber(x));
    return says_at_least(ir, condition_flag(flag), handed, y); // y is used in both of the loop's blocks
}

static bool is_non_negative(struct affines *a, MlirValue scalar, unsigned *assumes) {
    size_t known = (size_t)map_get(&a->signs, scalar.ptr);
    if (!known) {
        struct axis_info info = axis_of(&a->axis, scalar);
        unsigned own = info.bounds_assume;
        bool positive = (info.low >= 0 &&
                         (!(own & AXIS_ASSUMES_ARGUMENTS) || choices_are_non_negative(a, scalar, &own))) ||
                        is_loaded_position(a, scalar, &own, 0);
        known = (size_t)own << SIGN_BITS | (positive ? SIGN_POSITIVE : SIGN_UNKNOWN);
        map_put(&a->signs, scalar.ptr, (void *)known);
    }
    *assumes |= (unsigned)(known >> SIGN_BITS);
    return known & SIGN_POSITIVE;
}

static bool operand_is_non_negative(struct affines *a, MlirValue value, unsigned *assumes) {
    const struct affine *sum = affine_of(a, value);
    return sum && affine_is_non_negative(a, sum, assumes);
}

// True if arguments count as non-negative in this scalar: as factors, dividends and divisors, but not alone.
// For a choice between scalars all must qualify.
static bool choices_are_non_negative(struct affines *a, MlirValue scalar, unsigned *assumes) {
    MlirOperation op = value_op(scalar);
    if (mlirOperationIsNull(op)) {
        return affine_visible_argument(a, scalar) >=
               0; // a loop-carried value: its initial value is unknown here
    }
    switch (op_kind(a->context->ir, op)) {
    case OP_MULI:
    case OP_SHLI:
    case OP_DIVSI:
    case OP_DIVUI:
    case OP_SHRSI:
    case OP_SHRUI:
    case OP_REMSI:
    case OP_REMUI:
        return true;
    case OP_EXTSI:
    case OP_EXTUI:
    case OP_TRUNCI:
    case OP_HINT:
        return operand_is_non_negative(a, unary_source(op), assumes);
    case OP_SUBI:
        return axis_is_remainder(a->context->ir, op);
    case OP_SELECT:
        return operand_is_non_negative(a, select_yes(op), assumes) &&
               operand_is_non_negative(a, select_no(op), assumes);
    case OP_MAXSI:
    case OP_ANDI:
        return operand_is_non_negative(a, binary_left(op), assumes) ||
               operand_is_non_negative(a, binary_right(op), assumes);
    case OP_ADDI:
    case OP_MINSI:
    case OP_MINUI:
    case OP_MAXUI:
    case OP_ORI:
    case OP_XORI:
        return operand_is_non_negative(a, binary_left(op), assumes) &&
               operand_is_non_negative(a, binary_right(op), assumes);
    default:
        return false;
    }
}

bool affine_is_non_negative(struct affines *a, const struct affine *sum, unsigned *assumes) {
    for (int i = 0; i < sum->count; i++) {
        const struct affine_term *term = &sum->terms[i];
        bool sizes_alone = true, has_argument = false;
        for (int s = 0; s < term->symbol_count; s++) {
            MlirValue value = a->symbols[term->symbols[s]].value;
            if (!mlirValueIsNull(value) && !is_non_negative(a, value, assumes)) {
                return false;
            }
            int64_t over;
            sizes_alone &= affine_parameter(a, term->symbols[s], &over) >= 0;
            has_argument |= affine_argument(a, term->symbols[s]) >= 0;
        }
        if (term->factor < 0 || (sizes_alone && has_argument)) {
            return false;
        }
    }
    return true;
}

// ---- shapes ----

bool affine_dims_moved(struct affines *a, MlirOperation op, int *to) {
    MlirType from = mlirValueGetType(unary_source(op));
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
    int rank = type_rank(from), d = 0, r = 0;
    const int32_t *order;
    switch (op_kind(a->context->ir, op)) {
    case OP_EXPAND_DIMS:
        for (; d < rank; d++) {
            to[d] = d < op_int(op, ATTR_AXIS) ? d : d + 1;
        }
        return true;
    case OP_TRANS:
    case OP_SMEM_TRANS:
        op_i32_array(op, ATTR_ORDER, &order, a->context->arena);
        for (; r < rank; r++) {
            to[order[r]] = r;
        }
        return true;
    case OP_RESHAPE:
        while (d < rank || r < type_rank(type)) {
            if (d < rank && type_extent(from, d) == 1) {
                to[d++] = 0;
            } else if (r < type_rank(type) && type_extent(type, r) == 1) {
                r++;
            } else if (d < rank && r < type_rank(type) && type_extent(from, d) == type_extent(type, r)) {
                to[d++] = r++;
            } else {
                return false;
            }
        }
        return !op_has(op, ATTR_ALLOW_REORDER);
    default:
        return false;
    }
}

static const struct affine *reshaped(struct affines *a, MlirOperation op) {
    const struct affine *sum = affine_of(a, unary_source(op));
    int to[LAYOUT_MAX_RANK];
    if (!sum || !affine_dims_moved(a, op, to)) {
        return &unknown;
    }
    struct affine out = *sum;
    for (int i = 0; i < out.count; i++) {
        out.terms[i].dim = out.terms[i].dim < 0 ? -1 : to[out.terms[i].dim];
    }
    return keep(a, out);
}

// ---- wrapped rows ----

// Splits the sum into one index along a dimension, with factor 1, and scalars.
static bool split_index(const struct affine *sum, int *dim, struct affine *first) {
    *first = (struct affine){0};
    *dim = -1;
    for (int i = 0; i < sum->count; i++) {
        const struct affine_term *term = &sum->terms[i];
        if (term->dim < 0) {
            affine_add_term(first, *term);
            continue;
        }
        if (*dim >= 0 || term->factor != 1 || term->symbol_count > 0 || term->wrap >= 0) {
            return false;
        }
        *dim = term->dim;
    }
    return *dim >= 0 && mlirValueIsNull(sum->base);
}

static int wrap_number(struct affines *a, const struct affine_wrap *wrap) {
    for (int i = 0; i < a->wrap_count; i++) {
        if (affine_equal(&a->wraps[i].size, &wrap->size) && affine_equal(&a->wraps[i].first, &wrap->first)) {
            return i;
        }
    }
    a->wraps =
        arena_grown(a->context->arena, a->wraps, (size_t)a->wrap_count, &a->wrap_capacity, sizeof *wrap);
    a->wraps[a->wrap_count] = *wrap;
    return a->wrap_count++;
}

// The sum of `rows` if below `size`; otherwise some number below the size.
static const struct affine *wrapped(struct affines *a, const struct affine *rows, const struct affine *size) {
    struct affine_wrap wrap = {0};
    int dim;
    if (!rows || !size || size->count != 1 || !mlirValueIsNull(size->base) || size->terms[0].factor <= 0 ||
        !affine_is_size(a, &size->terms[0]) || !split_index(rows, &dim, &wrap.first) ||
        !affine_is_non_negative(a, &wrap.first, &wrap.assumes)) {
        return &unknown;
    }
    wrap.size = *size;
    struct affine out = {.count = 1};
    out.terms[0] = (struct affine_term){1, dim, 0, wrap_number(a, &wrap), {0}, 0, 0, 0, 0};
    return keep(a, out);
}

static const struct affine *clamped(struct affines *a, const struct affine *x, const struct affine *y) {
    for (int side = 0; x && y && side < 2; side++) { // min(rows, size - 1)
        const struct affine *rows = side ? y : x, *last = side ? x : y;
        struct affine size = *last, one = affine_constant(1);
        if (affine_add(&size, &one, 1)) {
            const struct affine *sum = wrapped(a, rows, &size);
            if (sum != &unknown) {
                return sum;
            }
        }
    }
    return &unknown;
}

// select(rows < size, rows, any)
static const struct affine *selected(struct affines *a, MlirOperation op) {
    MlirOperation condition = value_op(select_condition(op));
    const struct affine *rows = affine_of(a, select_yes(op));
    struct affine below;
    if (!rows || mlirOperationIsNull(condition) || !affine_below_zero(a, condition, &below)) {
        return &unknown;
    }
    struct affine size = *rows;
    return affine_add(&size, &below, -1) ? wrapped(a, rows, &size) : &unknown;
}

bool affine_below_zero(struct affines *a, MlirOperation comparison, struct affine *out) {
    if (op_kind(a->context->ir, comparison) != OP_CMPI || integer_bits(binary_left(comparison)) < 32) {
        return false;
    }
    int64_t predicate = op_int(comparison, ATTR_PREDICATE);
    const struct affine *left = affine_of(a, binary_left(comparison));
    const struct affine *right = affine_of(a, binary_right(comparison));
    if (!left || !right || predicate < INT_SLT || predicate > INT_SGE) {
        return false;
    }
    bool greater = predicate >= INT_SGT, or_equal = predicate == INT_SLE || predicate == INT_SGE;
    struct affine one = affine_constant(1);
    *out = greater ? *right : *left;
    return affine_add(out, greater ? left : right, -1) && (!or_equal || affine_add(out, &one, -1));
}

// ---- values ----

static const struct affine *arithmetic(struct affines *a, MlirOperation op, enum op_kind kind) {
    const struct affine *x = affine_of(a, binary_left(op));
    const struct affine *y = affine_of(a, binary_right(op));
    struct affine out;
    if (!x || !y) {
        return &unknown;
    }
    bool made = false;
    if (kind == OP_MULI) {
        made = affine_multiply(a, x, y, &out);
    } else if (kind == OP_SHLI) {
        int64_t shift = constant_or(a, binary_right(op), -1);
        struct affine power = affine_constant((int64_t)1 << (shift & 31));
        made = shift >= 0 && shift < 31 && affine_multiply(a, x, &power, &out);
    } else {
        out = *x;
        made = affine_add(&out, y, kind == OP_SUBI ? -1 : 1);
    }
    if (!made) {
        return &unknown;
    }
    if (integer_bits(mlirOperationGetResult(op, 0)) == 32) {
        mark_narrow(a, &out);
    }
    return keep(a, out);
}

static const struct affine *range(struct affines *a, MlirOperation op) {
    struct affine out = affine_constant(op_int(op, ATTR_START));
    if (type_extent(mlirValueGetType(mlirOperationGetResult(op, 0)), 0) > 1) {
        affine_add_term(&out, (struct affine_term){1, 0, 0, -1, {0}, 0, 0, 0, 0});
    }
    return keep(a, out);
}

static const struct affine *op_sum(struct affines *a, MlirOperation op, MlirValue value) {
    enum op_kind kind = op_kind(a->context->ir, op);
    int64_t number;
    const struct affine *sum;
    if (value_is_constant_int(a->context->ir, value, &number) && integer_bits(value) >= 32) {
        return keep(a, affine_constant(number));
    }
    switch (kind) {
    case OP_RANGE:
        return range(a, op);
    case OP_FOR:
        return loop_result(a, op, mlirOpResultGetResultNumber(value));
    case OP_SPLAT:
    case OP_BROADCAST:
    case OP_CONVERT_LAYOUT:
    case OP_HINT:
        sum = affine_of(a, unary_source(op));
        return sum ? sum : &unknown;
    case OP_PTR_CAST: // no offset yet, in elements of another size
        sum = affine_of(a, unary_source(op));
        return sum && sum->count == 0 ? sum : &unknown;
    case OP_EXTSI:
        sum = integer_bits(unary_source(op)) >= 32 ? affine_of(a, unary_source(op)) : NULL;
        return sum ? sum : &unknown;
    case OP_EXPAND_DIMS:
    case OP_TRANS:
    case OP_RESHAPE:
        return reshaped(a, op);
    case OP_SUBI:
        if (!type_is_tensor(mlirValueGetType(value)) && axis_is_remainder(a->context->ir, op)) {
            return &unknown;
        }
        // fall through
    case OP_ADDI:
    case OP_MULI:
    case OP_SHLI:
        return integer_bits(value) >= 32 ? arithmetic(a, op, kind) : &unknown;
    case OP_ADDPTR:
        return arithmetic(a, op, kind);
    case OP_REMSI:
    case OP_REMUI:
        return type_is_tensor(mlirValueGetType(value))
                   ? wrapped(a, affine_of(a, binary_left(op)), affine_of(a, binary_right(op)))
                   : &unknown;
    case OP_MINSI:
        return type_is_tensor(mlirValueGetType(value))
                   ? clamped(a, affine_of(a, binary_left(op)), affine_of(a, binary_right(op)))
                   : &unknown;
    case OP_SELECT:
        return type_is_tensor(mlirValueGetType(value)) && integer_bits(value) >= 32 ? selected(a, op)
                                                                                    : &unknown;
    default:
        return &unknown;
    }
}

const struct affine *affine_of(struct affines *a, MlirValue value) {
    enum { MAX_DEPTH = 256 };
    const struct affine *known = map_get(&a->sums, value.ptr);
    if (!known && a->depth < MAX_DEPTH) {
        map_put(&a->sums, value.ptr, (void *)&under_way);
        a->depth++;
        known = mlirValueIsABlockArgument(value) ? block_argument(a, value)
                                                 : op_sum(a, mlirOpResultGetOwner(value), value);
        a->depth--;
        if (known == &unknown) {
            known = leaf(a, value);
        }
        map_put(&a->sums, value.ptr, (void *)known);
    } else if (!known || known == &under_way) { // too deep, or depends on itself through a loop
        known = leaf(a, value);
    }
    return known == &unknown ? NULL : known;
}
