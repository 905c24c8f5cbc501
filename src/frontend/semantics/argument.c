// Reading constant arguments of builtins: each function names the argument in its error.
#include <string.h>

#include "frontend/semantics/emit.h"

// The constant value of a scalar tensor if known, else the value itself.
static struct value known(struct emitter *e, struct value v) {
    struct value constant;
    return v.kind == VALUE_TENSOR && v.tensor.rank == 0 && tensor_constant(e, v, &constant) ? constant : v;
}

// The text to write for a value of another kind than wanted.
static const char *remedy(struct emitter *e, struct value v, const char *wanted, struct location location) {
    if (strcmp(wanted, "a string") == 0) {
        return "; write a text in quotes";
    }
    if (strcmp(wanted, "a dtype") == 0) {
        bool names = v.kind == VALUE_TYPE;
        return names && v.type == TYPE_FLOAT  ? "; write tl.float32"
               : names && v.type == TYPE_INT  ? "; write tl.int32"
               : names && v.type == TYPE_BOOL ? "; write tl.int1"
                                              : "; write one of tl, as tl.float32";
    }
    return v.kind != VALUE_TENSOR
               ? ""
               : arena_printf(e->arena, "; pass %s as a parameter that is annotated tl.constexpr",
                              emit_text_of(e, emit_value_at(e, location), "it"));
}

static bool refuse(struct emitter *e, struct value v, const char *what, const char *wanted,
                   struct location location) {
    if (!value_failed(v)) {
        bool is_run_time = v.kind == VALUE_TENSOR;
        emit_error(e, location, "%s must be %s%s, not %s%s", what,
                   is_run_time ? "a compile-time constant, " : "", wanted, value_type_name(e->arena, v),
                   remedy(e, v, wanted, location));
    }
    return false;
}

bool value_to_int(struct emitter *e, struct value v, const char *what, struct location location,
                  int64_t *out) {
    v = known(e, v);
    if (!value_is_integral(v)) {
        return refuse(e, v, what, "an integer", location);
    }
    wide_int i = value_integer(v);
    if (i < INT64_MIN || i > INT64_MAX) {
        emit_error(e, location, "%s is %s, which does not fit 64 bits", what, value_text(e->arena, v));
        return false;
    }
    *out = (int64_t)i;
    return true;
}

bool value_to_bool(struct emitter *e, struct value v, const char *what, struct location location, bool *out) {
    v = known(e, v);
    if (!value_is_number(v) && v.kind != VALUE_NONE) {
        return refuse(e, v, what, "True or False", location);
    }
    bool ok;
    *out = value_truth(v, &ok);
    return true;
}

bool value_to_string(struct emitter *e, struct value v, const char *what, struct location location,
                     const char **out) {
    if (v.kind != VALUE_STRING) {
        return refuse(e, v, what, "a string", location);
    }
    if (strlen(v.string.bytes) != v.string.length) {
        emit_error(e, location, "%s holds a NUL character", what);
        return false;
    }
    *out = v.string.bytes;
    return true;
}

bool value_to_dtype(struct emitter *e, struct value v, const char *what, struct location location,
                    struct dtype *out) {
    if (v.kind == VALUE_DTYPE) {
        *out = v.dtype;
        return true;
    }
    if (v.kind == VALUE_TILE_TYPE) {
        *out = v.tensor.dtype;
        return true;
    }
    bool is_text = v.kind == VALUE_STRING && strlen(v.string.bytes) == v.string.length;
    if (is_text && dtype_parse(v.string.bytes, out)) {
        if (e->ir) {
            emit_error(e, location, "%s is the text \"%s\", and must be a type: write tl.%s", what,
                       v.string.bytes, dtype_table[out->scalar].name);
        }
        return !e->ir;
    }
    return refuse(e, v, what, "a dtype", location);
}

// Of a tuple or list; an element that is no constant is named.
static bool element_to_int(struct emitter *e, struct value v, size_t index, const char *what,
                           struct location location, int64_t *out) {
    v = known(e, v);
    const char *text = emit_element_text(e, emit_value_at(e, location), index);
    if (v.kind != VALUE_TENSOR || !text) {
        return value_to_int(e, v, what, location, out);
    }
    emit_error(e, location,
               "%s, element %zu of %s, is %s and must be a compile-time constant, an integer; pass it as a "
               "parameter %s tl.constexpr",
               text, index, what, value_type_name(e->arena, v),
               emit_is_name(text) ? arena_printf(e->arena, "%s:", text) : "that is annotated");
    return false;
}

bool value_to_ints(struct emitter *e, struct value v, const char *what, struct location location, int limit,
                   int64_t *out, int *count) {
    if (!value_is_sequence(v)) {
        *count = 1;
        return value_to_int(e, v, what, location, out);
    }
    if (v.list.count > (size_t)limit) {
        emit_error(e, location, "%s has %zu elements; at most %d are supported", what, v.list.count, limit);
        return false;
    }
    for (size_t i = 0; i < v.list.count; i++) {
        if (!element_to_int(e, v.list.items[i], i, what, location, &out[i])) {
            return false;
        }
    }
    *count = (int)v.list.count;
    return true;
}

static bool to_shape(struct emitter *e, struct value v, const char *what, struct location location, bool any,
                     int64_t shape[TILE_MAX_RANK], int *rank) {
    if (!value_to_ints(e, v, what, location, TILE_MAX_RANK, shape, rank)) {
        return false;
    }
    for (int i = 0; i < *rank; i++) {
        bool fits = shape[i] > 0 && shape[i] <= TILE_MAX_ELEMENTS;
        int64_t padded = fits ? padded_extent(shape[i]) : 0;
        if (!fits || (!any && padded != shape[i])) {
            const char *remedy =
                fits ? arena_printf(e->arena, "take %lld, and mask the rest", (long long)padded)
                     : arena_printf(e->arena, "it is one of 1 to %d", TILE_MAX_ELEMENTS);
            emit_error(e, location, "%s: extent %lld is not a power of two; %s", what, (long long)shape[i],
                       remedy);
            return false;
        }
    }
    return emit_check_size(e, *rank, shape, location);
}

bool value_to_shape(struct emitter *e, struct value v, const char *what, struct location location,
                    int64_t shape[TILE_MAX_RANK], int *rank) {
    return to_shape(e, v, what, location, false, shape, rank);
}

bool value_to_tile_shape(struct emitter *e, struct value v, const char *what, struct location location,
                         int64_t shape[TILE_MAX_RANK], int *rank) {
    return to_shape(e, v, what, location, e->pads, shape, rank);
}

bool value_to_axis(struct emitter *e, struct value v, int rank, const char *what, struct location location,
                   int *axis) {
    int64_t number;
    if (!value_to_int(e, v, what, location, &number)) {
        return false;
    }
    if (number < -rank || number >= rank) {
        emit_error(e, location, "%s is %lld, but the tile has %d dimension%s: write 0%s%s", what,
                   (long long)number, rank, rank == 1 ? "" : "s", rank > 1 ? " to " : "",
                   rank > 1 ? arena_printf(e->arena, "%d", rank - 1) : "");
        return false;
    }
    *axis = (int)(number < 0 ? number + rank : number);
    return true;
}
