// The bounds of a `for`. scf.for counts up, compares signed and takes its step for positive. The source may say otherwise:
//
//   a constant step below 0     from the last number to the first; the source's index is upper - index + lower
//   a step of unknown sign      lower ^ s to upper ^ s by |step|, s: -1 for a negative step, else 0; ~x turns the order round
//   unsigned bounds             lower ^ t to upper ^ t, t: the highest bit; it turns the order into the order of signed numbers
//
// The last two are one, `flip`, and the source's index is taken back from it. Bounds without the highest bit, and steps
// known as positive by their operations or by tl.assume, stay as they are: passes know more of such a loop.
#include "frontend/eval/loop.h"

static const char *scalar_remedy(struct emitter *e, struct value v, struct location at) {
    long long count = 1;
    for (int i = 0; i < v.tensor.rank; i++) {
        count *= v.tensor.shape[i];
    }
    return v.tensor.rank
               ? arena_printf(e->arena,
                              ": write range(%lld) to count its elements, or work on the whole tile "
                              "at once, without a loop",
                              count)
           : dtype_is_float(v.tensor.dtype) ? arena_printf(e->arena, ": write %s", emit_as_integer(e, v, at))
                                            : "";
}

static bool is_scalar_integer(struct emitter *e, struct value v, struct location at) {
    if ((v.tensor.rank && !e->lanewise) || !dtype_is_integer(v.tensor.dtype)) {
        emit_error(e, at, "the bounds and step of a loop must be scalar integers, not %s%s",
                   value_type_name(e->arena, v), scalar_remedy(e, v, at));
        return false;
    }
    return true;
}

static void flip_by(struct emitter *e, struct bounds *bounds, struct value by) {
    bounds->lower = emit_arith(e, BINARY_XOR, bounds->lower, by);
    bounds->upper = emit_arith(e, BINARY_XOR, bounds->upper, by);
    bounds->flip = value_is_none(bounds->flip) ? by : emit_arith(e, BINARY_XOR, bounds->flip, by);
}

// The place of a bound of the range in the source: 0 the first, 1 the end, 2 the step.
static struct location place_of_bound(const struct stmt *stmt, unsigned bound) {
    const struct expr *iterable = stmt->for_loop.iterable;
    const struct expr_list *args = iterable->kind == EXPR_CALL ? &iterable->call.args : NULL;
    unsigned at = args && args->count == 1 && bound == 1 ? 0 : bound;
    return args && at < args->count && !(args->count == 1 && bound != 1) ? args->items[at]->location
                                                                         : iterable->location;
}

bool loop_bounds(struct emitter *e, const struct range_value *range, const struct stmt *stmt,
                 struct bounds *out) {
    struct location at = stmt->location;
    struct value step = *range->step;
    if (value_is_integral(step) && value_integer(step) == 0) {
        emit_error(e, at, "the step of the loop is 0");
        return false;
    }
    *out = (struct bounds){.flip = value_none()};
    out->downwards = value_is_integral(step) && value_integer(step) < 0;
    out->lower = emit_to_tensor(e, out->downwards ? *range->stop : *range->start, at);
    out->upper = emit_to_tensor(e, out->downwards ? *range->start : *range->stop, at);
    out->step = emit_to_tensor(e, out->downwards ? value_int(-value_integer(step)) : step, at);
    struct value *all[] = {&out->lower, &out->upper, &out->step};
    out->type = DTYPE_OF(INT32);
    for (int i = 0; i < 3; i++) {
        unsigned bound = i < 2 && out->downwards ? 1u - (unsigned)i : (unsigned)i;
        if (value_failed(*all[i]) || !is_scalar_integer(e, *all[i], place_of_bound(stmt, bound))) {
            return false;
        }
        out->type = dtype_promote_integers(out->type, all[i]->tensor.dtype);
    }
    out->steps_far = dtype_is_unsigned(out->step.tensor.dtype) &&
                     dtype_bits(out->step.tensor.dtype) == dtype_bits(out->type) &&
                     !emit_is_not_negative(e, out->step);
    bool may_fall = dtype_is_signed(out->step.tensor.dtype) && !emit_is_positive(e, out->step);
    // Signed from here on; a number is extended by its own sign.
    struct dtype number = dtype_integer(dtype_bits(out->type), true);
    for (int i = 0; i < 3; i++) {
        *all[i] = emit_cast(e, emit_cast(e, *all[i], out->type, at), number, at);
    }
    if (!emit_broadcast_pair(e, &out->lower, &out->upper, at) ||
        !emit_broadcast_pair(e, &out->lower, &out->step, at) ||
        !emit_broadcast_pair(e, &out->lower, &out->upper, at)) {
        return false;
    }
    const struct tensor *like = &out->step.tensor;
    bool may_be_high = dtype_is_unsigned(out->type) &&
                       (!emit_is_not_negative(e, out->lower) || !emit_is_not_negative(e, out->upper));
    if (may_be_high) {
        flip_by(e, out,
                emit_int(e, number, like->rank, like->shape, (wide_int)1 << (dtype_bits(number) - 1)));
    }
    if (may_fall) {
        struct value highest = emit_int(e, number, like->rank, like->shape, dtype_bits(number) - 1);
        struct value sign = emit_arith(e, BINARY_SHR, out->step, highest);
        flip_by(e, out, sign);
        out->step = emit_arith(e, BINARY_SUB, emit_arith(e, BINARY_XOR, out->step, sign), sign);
    }
    return true;
}

struct value loop_index(struct emitter *e, const struct bounds *bounds, struct value index) {
    if (!value_is_none(bounds->flip)) {
        index = emit_arith(e, BINARY_XOR, index, bounds->flip);
    }
    index.tensor.dtype = bounds->type;
    return index;
}
