// Subscripts: new dimensions of tensors, elements and slices of sequences, dict look-ups. Also iteration over
// sequences and constant ranges, and comprehensions.
#include <string.h>

#include "frontend/eval/walk.h"
#include "frontend/semantics/constant.h"
#include "frontend/semantics/language.h"

static bool is_full_slice(struct value v) {
    return v.kind == VALUE_SLICE && value_is_none(v.slice[0]) && value_is_none(v.slice[1]) &&
           value_is_none(v.slice[2]);
}

static bool slice_bound(struct emitter *e, struct value v, int64_t length, int64_t otherwise,
                        struct location location, int64_t *out) {
    if (value_is_none(v)) {
        *out = otherwise;
        return true;
    }
    if (!value_to_int(e, v, "a slice bound", location, out)) {
        return false;
    }
    if (*out < 0) {
        *out += length;
    }
    return true;
}

static bool is_index(struct value v) {
    return value_is_integral(v) ||
           (v.kind == VALUE_TENSOR && v.tensor.rank == 0 && dtype_is_integer(v.tensor.dtype));
}

// x[…, 3, …]: the element along an axis, without that axis. The index may be a run-time scalar.
static struct value element_along(struct emitter *e, struct value tensor, struct value index, int axis,
                                  struct location location) {
    int64_t extent = tensor.tensor.shape[axis];
    if (value_is_integral(index)) {
        wide_int i = value_integer(index);
        if (i < -extent || i >= extent) {
            return emit_error(e, location, "index %s is out of range for an extent of %lld",
                              value_text(e->arena, index), (long long)extent);
        }
        index = value_int(i < 0 ? i + extent : i);
    }
    struct value args[] = {tensor, index, value_int(axis)};
    return emit_call_library(e, "standard", "_element", args, 3, location);
}

// x[…, a:b:step, …] along an axis, of a power of two of elements.
static struct value slice_along(struct emitter *e, struct value tensor, struct value slice, int axis,
                                struct location location) {
    int64_t extent = tensor.tensor.shape[axis], start, stop, step = 1;
    if ((!value_is_none(slice.slice[2]) &&
         !value_to_int(e, slice.slice[2], "a slice step", location, &step)) ||
        !slice_bound(e, slice.slice[0], extent, 0, location, &start) ||
        !slice_bound(e, slice.slice[1], extent, extent, location, &stop)) {
        return value_error();
    }
    start = start < 0 ? 0 : start;
    stop = stop > extent ? extent : stop;
    int64_t length = step > 0 && stop > start ? (stop - start + step - 1) / step : 0;
    if (length < 1 || (padded_extent(length) != length && !e->pads)) {
        return emit_error(e, location,
                          "a slice of a tile has a power of two of elements and a step above 0, but this one "
                          "has %lld elements and a step of %lld",
                          (long long)length, (long long)step);
    }
    struct value args[] = {tensor, value_int(start), value_int(length), value_int(step), value_int(axis)};
    return emit_call_library(e, "standard", "_slice", args, 5, location);
}

// The text "x + n" for the source's x[n] at the location. `alone`: n is a number, and neither a slice nor one of several items.
static const char *address_text(struct emitter *e, bool alone, struct location location) {
    if (!alone) {
        return "pointer + offsets";
    }
    return arena_printf(e->arena, "%s + %s", emit_term_text(e, emit_left_place(e, location), "pointer"),
                        emit_term_text(e, emit_right_place(e, location), "index"));
}

// Checks the items of an index, and counts the dimensions taken and the dimensions added.
static bool count_items(struct emitter *e, struct value tensor, const struct value *items, size_t count,
                        struct location location, int *taken) {
    int added = 0;
    bool exact = language_has(e, LANGUAGE_INDICES) && !e->in_library;
    *taken = 0;
    for (size_t i = 0; i < count; i++) {
        bool picks = is_index(items[i]) || (items[i].kind == VALUE_SLICE && !is_full_slice(items[i]));
        added += value_is_none(items[i]);
        *taken += picks || is_full_slice(items[i]);
        exact = exact || picks || items[i].kind == VALUE_ELLIPSIS;
        if (!picks && !is_full_slice(items[i]) && !value_is_none(items[i]) &&
            items[i].kind != VALUE_ELLIPSIS) {
            emit_error(e, location,
                       "a tile can be indexed with integers, slices and None, not %s; use tl.gather",
                       value_type_name(e->arena, items[i]));
            return false;
        }
        if (picks && dtype_is_pointer(tensor.tensor.dtype)) {
            if (tensor.tensor.rank) {
                emit_error(e, location,
                           "a tile of pointers has no elements to take: index the offsets that make it");
                return false;
            }
            const char *sum = address_text(e, count == 1 && is_index(items[0]), location);
            emit_error(e, location,
                       "a pointer has no elements: write tl.load(%s) for the value there, %s for its address",
                       sum, sum);
            return false;
        }
    }
    if (exact && *taken > tensor.tensor.rank) {
        emit_error(e, location, "%d dimension%s indexed, but the tile has %d: write as many indices", *taken,
                   *taken == 1 ? " is" : "s are", tensor.tensor.rank);
        return false;
    }
    if (tensor.tensor.rank + added > TILE_MAX_RANK) {
        emit_error(e, location, "the result would have %d dimensions; at most %d are supported",
                   tensor.tensor.rank + added, TILE_MAX_RANK);
        return false;
    }
    return true;
}

// x[:, None, 3, 8:16]: None adds a dimension, `:` keeps one, `...` keeps all remaining, a number takes an element along one and
// drops it, a slice takes some. The last two are more than Triton has. Before Triton 3.9 surplus `:` were ignored:
// pointer[None, None, :] of a scalar has two dimensions, scalar[:, None] one.
static struct value index_tensor(struct emitter *e, struct value tensor, struct value index,
                                 struct location location) {
    struct value *items = index.kind == VALUE_TUPLE ? index.list.items : &index;
    size_t count = index.kind == VALUE_TUPLE ? index.list.count : 1;
    int taken, rank = tensor.tensor.rank, axis = 0;
    if (!count_items(e, tensor, items, count, location, &taken)) {
        return value_error();
    }
    for (size_t i = 0; i < count && !value_failed(tensor); i++) {
        if (items[i].kind == VALUE_ELLIPSIS) {
            axis += rank - taken;
            taken = rank;
        } else if (value_is_none(items[i]) && axis > tensor.tensor.rank && tensor.tensor.rank > 0) {
            return emit_error(e, location, "%d dimensions are indexed, but the tile has %d", taken,
                              tensor.tensor.rank);
        } else if (value_is_none(items[i])) {
            int at = axis < tensor.tensor.rank ? axis : tensor.tensor.rank;
            tensor = emit_expand_dims(e, tensor, at);
            axis++;
        } else if (is_full_slice(items[i])) {
            axis++;
        } else if (items[i].kind == VALUE_SLICE) {
            tensor = slice_along(e, tensor, items[i], axis++, location);
        } else {
            tensor = element_along(e, tensor, items[i], axis, location);
        }
    }
    return tensor;
}

static struct value slice_sequence(struct emitter *e, struct value object, struct value slice,
                                   struct location location) {
    int64_t length = (int64_t)(object.kind == VALUE_STRING ? object.string.length : object.list.count);
    int64_t start, stop, step = 1;
    if (!value_is_none(slice.slice[2]) && !value_to_int(e, slice.slice[2], "a slice step", location, &step)) {
        return value_error();
    }
    if (step == 0) {
        return emit_error(e, location, "a slice step of 0");
    }
    if (!slice_bound(e, slice.slice[0], length, step > 0 ? 0 : length - 1, location, &start) ||
        !slice_bound(e, slice.slice[1], length, step > 0 ? length : -1, location, &stop)) {
        return value_error();
    }
    step = step > length ? length + 1 : step < -length ? -length - 1 : step; // no sum below overflows
    int64_t low = step > 0 ? 0 : -1, high = step > 0 ? length : length - 1;
    start = start < low ? low : start > high ? high : start;
    stop = stop < low ? low : stop > high ? high : stop;
    if (object.kind == VALUE_STRING) {
        if (step != 1) {
            return emit_error(e, location, "a string slice with a step");
        }
        return value_string_n(e->arena, object.string.bytes + start,
                              (size_t)(stop > start ? stop - start : 0));
    }
    struct value *items = ARENA_ARRAY(e->arena, struct value, object.list.count + 1);
    size_t count = 0;
    for (int64_t i = start; step > 0 ? i < stop : i > stop; i += step) {
        items[count++] = object.list.items[i];
    }
    return object.kind == VALUE_LIST ? value_list_of(e->arena, items, count)
                                     : value_tuple(e->arena, items, count);
}

// The error names the dict's keys: for a grid's meta, the names that a grid may use.
static struct value no_key(struct emitter *e, struct value dict, struct value key, struct location location) {
    enum { MOST_KEYS = 20 };
    struct strbuf keys = {0};
    struct nearest nearest = {.text = key.kind == VALUE_STRING ? key.string.bytes : ""};
    for (size_t i = 0; i < dict.list.count / 2 && i < MOST_KEYS; i++) {
        struct value known = dict.list.items[2 * i];
        if (dict.list.items[2 * i + 1].kind == VALUE_HOST) {
            continue;
        }
        strbuf_printf(&keys, "%s%s", keys.length ? ", " : "; there are ", value_text(e->arena, known));
        if (known.kind == VALUE_STRING) {
            nearest_offer(&nearest, known.string.bytes);
        }
    }
    bool is_meta = value_dict_get(dict, value_string(e->arena, "num_warps")) != NULL;
    const char *remedy =
        !is_meta || nearest.name
            ? ""
            : arena_printf(e->arena, ": write one of these, or make %s a parameter of the kernel",
                           value_text(e->arena, key));
    struct value error = emit_unknown(e, location, &nearest, "there is no %s here%s%s",
                                      value_text(e->arena, key), strbuf_text(&keys), remedy);
    strbuf_free(&keys);
    return error;
}

struct value eval_subscript_of(struct emitter *e, struct value object, struct value index,
                               struct location location) {
    struct value method;
    if (object.kind == VALUE_TENSOR) {
        return index_tensor(e, object, index, location);
    }
    if (aggregate_method(e, object, "__getitem__", &method)) {
        return emit_call_function(e, method, &index, 1, location);
    }
    if (object.kind == VALUE_DICT) {
        const struct value *found = value_dict_get(object, index);
        return found ? *found : no_key(e, object, index, location);
    }
    if (object.kind == VALUE_HOST) {
        return emit_error(e, location, "%s cannot be used in a kernel", object.host);
    }
    if (object.kind == VALUE_FUNCTION && object.function->is_jit && e->frame->is_jit) {
        return emit_error(
            e, location,
            "a kernel launches no other kernel: call %s(…) without a grid, as a function of this one",
            object.function->name);
    }
    if (object.kind == VALUE_TYPE || object.kind == VALUE_FUNCTION) { // tuple[int], kernel[grid]
        return object;
    }
    if (value_is_number(object) && e->ir) {
        return index_tensor(e, emit_to_tensor(e, object, location), index, location);
    }
    bool is_object = object.kind == VALUE_OBJECT && !object.object.aggregate;
    if (!value_is_sequence(object) && object.kind != VALUE_STRING && !is_object) {
        return emit_error(e, location, "%s cannot be indexed", value_type_name(e->arena, object));
    }
    for (size_t c = 0; object.kind == VALUE_STRING && c < object.string.length; c++) {
        if ((unsigned char)object.string.bytes[c] >= 0x80) {
            return emit_error(e, location, "a part of a string that is not all ASCII");
        }
    }
    if (index.kind == VALUE_SLICE && !is_object) {
        return slice_sequence(e, object, index, location);
    }
    int64_t i, length = (int64_t)(is_object                     ? object.object.fields.count / 2
                                  : object.kind == VALUE_STRING ? object.string.length
                                                                : object.list.count);
    if (!value_to_int(e, index, "an index", location, &i)) {
        return value_error();
    }
    if (i < -length || i >= length) {
        return emit_error(e, location, "index %lld is out of range for %s of %lld elements", (long long)i,
                          value_type_name(e->arena, object), (long long)length);
    }
    i = i < 0 ? i + length : i;
    if (is_object) {
        return object.object.fields.items[2 * i + 1];
    }
    return object.kind == VALUE_STRING ? value_string_n(e->arena, object.string.bytes + i, 1)
                                       : object.list.items[i];
}

// ---- iteration over constants ----

bool eval_elements(struct emitter *e, struct value iterable, struct location location,
                   struct value_list *out) {
    enum { LIMIT = 1 << 16 };
    int64_t start, stop, step;
    switch (iterable.kind) {
    case VALUE_ERROR:
        return false;
    case VALUE_TUPLE:
    case VALUE_LIST:
        *out = iterable.list;
        return true;
    case VALUE_OBJECT:
        *out = (struct value_list){
            .items = ARENA_ARRAY(e->arena, struct value, iterable.object.fields.count / 2 + 1),
            .count = iterable.object.fields.count / 2};
        for (size_t i = 0; i < out->count; i++) {
            out->items[i] = iterable.object.fields.items[2 * i + 1];
        }
        return true;
    case VALUE_DICT:
        *out = (struct value_list){.items = ARENA_ARRAY(e->arena, struct value, iterable.list.count / 2 + 1),
                                   .count = iterable.list.count / 2};
        for (size_t i = 0; i < out->count; i++) {
            out->items[i] = iterable.list.items[2 * i];
        }
        return true;
    case VALUE_RANGE:
        if (!value_to_int(e, *iterable.range->start, "a bound of the range", location, &start) ||
            !value_to_int(e, *iterable.range->stop, "a bound of the range", location, &stop) ||
            !value_to_int(e, *iterable.range->step, "the step of the range", location, &step)) {
            return false;
        }
        if (step == 0) {
            emit_error(e, location, "the step of the range is 0");
            return false;
        }
        wide_int first = start, last = stop, by = step;
        wide_int count = by > 0 ? (last > first ? (last - first + by - 1) / by : 0)
                                : (first > last ? (first - last - by - 1) / -by : 0);
        if (!emit_step(e, count > 0 && count <= LIMIT ? (size_t)count / 4 : 0, location)) {
            return false;
        }
        if (count > LIMIT) {
            emit_error(e, location, "%.0f iterations would be unrolled; at most %d are", (double)count,
                       LIMIT);
            return false;
        }
        *out = (struct value_list){.items = ARENA_ARRAY(e->arena, struct value, count + 1),
                                   .count = (size_t)count};
        for (int64_t i = 0; i < (int64_t)count; i++) {
            out->items[i] = value_int(first + i * by);
        }
        return true;
    default:
        emit_error(e, location, "%s cannot be iterated over%s", value_type_name(e->arena, iterable),
                   iterable.kind != VALUE_TENSOR ? ""
                   : iterable.tensor.rank
                       ? ": work on the whole tile at once, or load single elements in a for over range(…)"
                   : dtype_is_integer(iterable.tensor.dtype)
                       ? ": write range(…) of it"
                       : ": pass the number of elements as an argument");
        return false;
    }
}

struct comprehension_result {
    struct value *items;
    size_t count, capacity;
};

static void append(struct emitter *e, struct comprehension_result *result, struct value v) {
    result->items = arena_grown(e->arena, result->items, result->count, &result->capacity, sizeof v);
    result->items[result->count++] = v;
}

static bool run_clauses(struct emitter *e, const struct expr *expr, size_t clause,
                        struct comprehension_result *result) {
    if (clause == expr->comprehension.clause_count) {
        struct value element = eval(e, expr->comprehension.element);
        append(e, result, element);
        if (expr->comprehension.kind == COMPREHENSION_DICT && !value_failed(element)) {
            element = eval(e, expr->comprehension.value);
            append(e, result, element);
        }
        return !value_failed(element);
    }
    const struct comprehension_clause *c = &expr->comprehension.clauses[clause];
    if (c->target->kind != EXPR_NAME && eval_in_kernel(e) &&
        !language_takes(e, LANGUAGE_LOOP_TUPLES, c->target->location)) {
        return false;
    }
    struct value_list elements;
    if (!eval_elements(e, eval(e, c->iterable), c->iterable->location, &elements)) {
        return false;
    }
    for (size_t i = 0; i < elements.count; i++) {
        if (!assign_target(e, c->target, elements.items[i])) {
            return false;
        }
        bool holds = true;
        for (size_t j = 0; j < c->conditions.count && holds; j++) {
            bool known;
            MlirValue run_time;
            struct location at = c->conditions.items[j]->location;
            if (!eval_condition(e, eval(e, c->conditions.items[j]), at, &known, &holds, &run_time)) {
                return false;
            }
            if (!known) {
                emit_error(e, at, "the condition of a comprehension must be a compile-time constant");
                return false;
            }
        }
        if (holds && !run_clauses(e, expr, clause + 1, result)) {
            return false;
        }
    }
    return true;
}

struct value eval_comprehension(struct emitter *e, const struct expr *expr) {
    struct scope *outer = e->frame->scope;
    struct comprehension_result result = {0};
    bool was_jit = e->frame->is_jit;
    e->frame->scope = scope_inside(e, outer);
    e->frame->scope->is_comprehension = true;
    e->frame->is_jit = false;
    bool ok = run_clauses(e, expr, 0, &result);
    e->frame->scope = outer;
    e->frame->is_jit = was_jit;
    if (!ok) {
        return value_error();
    }
    switch (expr->comprehension.kind) {
    case COMPREHENSION_DICT:
        return constant_dict(e, result.items, result.count / 2, expr->location);
    case COMPREHENSION_SET:
        return constant_set(e, result.items, result.count, expr->location);
    case COMPREHENSION_GENERATOR:
        return value_tuple(e->arena, result.items, result.count);
    default:
        return value_list_of(e->arena, result.items, result.count);
    }
}
