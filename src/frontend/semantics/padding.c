// Tiles with other extents than powers of two (--pad-shapes). Here they have the program's shape; tensor_mlir_type() pads each extent to a
// power of two, so that tile IR knows powers of two alone. Operators compute the padding as they do the rest. Builtins through which
// it would reach a result or memory get other arguments first (padding.def):
//
//   tl.store(p + tl.arange(0, 96), x)      →      128 elements, mask = 0 … 127 < 96
//   tl.max(x, 0)                           →      the largest of where(0 … 127 < 96, x, -inf)
#include "frontend/semantics/padding.h"

#include <math.h>
#include <string.h>

enum padding_rule {
    AS_IS,
    MASKED,
    ZEROS,
    ONES,
    LEFTMOST_LOWEST,
    LEFTMOST_HIGHEST,
    PRODUCT,
    INDICES,
    NO_RULE
};

static const struct {
    enum padding_rule rule;
    const char *names;
} rules[] = {
#define PADDING(rule, names) {rule, " " names " "},
#include "frontend/semantics/padding.def"
};

static bool holds_padded(struct value v) {
    bool padded = is_padded(v);
    for (size_t i = 0; value_is_sequence(v) && i < v.list.count && !padded; i++) {
        padded = holds_padded(v.list.items[i]);
    }
    return padded;
}

static enum padding_rule rule_of(struct emitter *e, const struct builtin *builtin) {
    const char *name = arena_printf(e->arena, " %s ", builtin->name);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (strstr(rules[i].names, name)) {
            return rules[i].rule;
        }
    }
    return builtin->is_compile_time ? AS_IS : NO_RULE;
}

// ---- elements outside of padding ----

// Whether an element is no padding along an axis, as a tile that broadcasts to the shape.
static struct value live_along(struct emitter *e, int rank, int64_t extent, int axis, struct location at) {
    struct value index = emit_range(e, 0, extent);
    for (int i = 0; i < rank; i++) {
        index = i != axis ? emit_expand_dims(e, index, i) : index;
    }
    return emit_compare(e, COMPARE_LT, index, value_int(extent), at);
}

// The same along one axis, or along all for -1. VALUE_NONE: there is no padding.
static struct value live(struct emitter *e, struct value tile, int axis, struct location at) {
    struct value all = value_none();
    for (int i = 0; i < tile.tensor.rank; i++) {
        int64_t extent = tile.tensor.shape[i];
        if ((axis < 0 || axis == i) && padded_extent(extent) != extent) {
            struct value one = live_along(e, tile.tensor.rank, extent, i, at);
            all = value_is_none(all) ? one : emit_binary(e, BINARY_AND, all, one, at);
        }
    }
    return all;
}

// ---- rules ----

static struct value *argument(const struct padding_call *call, const char *name) {
    for (size_t i = 0; i < call->count; i++) {
        if (strcmp(call->parameters[i], name) == 0) {
            return &call->args[i];
        }
    }
    return NULL;
}

static void fill(struct emitter *e, struct value *tile, int axis, struct value number, struct location at) {
    struct value keeps = tile->kind == VALUE_TENSOR ? live(e, *tile, axis, at) : value_none();
    if (!value_is_none(keeps)) {
        struct value filling = emit_full(e, number, tile->tensor.dtype, 0, NULL, at);
        *tile = emit_where(e, keeps, *tile, filling, at);
    }
}

// The least or the largest number of a type.
static struct value extreme(struct dtype dtype, bool largest) {
    int bits = (int)dtype_bits(dtype), most = bits - dtype_is_signed(dtype);
    if (dtype_is_float(dtype)) {
        return value_float(largest ? INFINITY : -INFINITY);
    }
    if (largest) {
        return value_int(((wide_int)1 << most) - 1);
    }
    return value_int(dtype_is_signed(dtype) ? -((wide_int)1 << most) : 0);
}

static bool mask(struct emitter *e, const struct padding_call *call, struct location at) {
    struct value *mask = argument(call, "mask");
    struct value keeps = call->args[0].kind == VALUE_TENSOR ? live(e, call->args[0], -1, at) : value_none();
    if (mask && !value_is_none(keeps)) {
        *mask = value_is_none(*mask) ? keeps : emit_binary(e, BINARY_AND, *mask, keeps, at);
    }
    return mask != NULL;
}

// Fills the padding along the call's axis: along all without one.
static bool fill_axis(struct emitter *e, const struct padding_call *call, struct value number,
                      struct location at) {
    struct value *axis = argument(call, "axis"), *tile = &call->args[0];
    int along = -1;
    if (axis && !value_is_none(*axis) && tile->kind == VALUE_TENSOR &&
        !value_to_axis(e, *axis, tile->tensor.rank, "the axis", at, &along)) {
        return false;
    }
    fill(e, tile, along, number, at);
    return true;
}

static bool fill_extreme(struct emitter *e, const struct padding_call *call, bool largest,
                         struct location at) {
    struct value *tile = &call->args[0], *axis = argument(call, "axis");
    struct value *first = argument(call, "tie_break_left"), *indices = argument(call, "return_indices");
    bool indexed = first || (indices && indices->kind == VALUE_BOOL && indices->boolean);
    first = first ? first : argument(call, "return_indices_tie_break_left");
    if (tile->kind != VALUE_TENSOR || dtype_is_f8(tile->tensor.dtype) ||
        (indexed && value_is_none(*axis) && tile->tensor.rank > 1)) {
        return false;
    }
    if (first) {
        *first = value_bool(true);
    }
    return fill_axis(e, call, extreme(tile->tensor.dtype, largest), at);
}

static bool fill_product(struct emitter *e, const struct padding_call *call, struct location at) {
    struct value *a = &call->args[0], *b = &call->args[1], *turned = argument(call, "trans_a");
    struct value *other = argument(call, "trans_b");
    bool plain = (!turned || value_is_none(*turned) || (turned->kind == VALUE_BOOL && !turned->boolean)) &&
                 (!other || value_is_none(*other) || (other->kind == VALUE_BOOL && !other->boolean));
    if (!plain || a->kind != VALUE_TENSOR || b->kind != VALUE_TENSOR || a->tensor.rank < 2 ||
        b->tensor.rank < 2) {
        return plain;
    }
    fill(e, a, a->tensor.rank - 1, value_int(0), at);
    fill(e, b, b->tensor.rank - 2, value_int(0), at);
    return true;
}

static bool apply(struct emitter *e, enum padding_rule rule, const struct padding_call *call,
                  struct location at) {
    switch (rule) {
    case AS_IS:
        return true;
    case MASKED:
        return mask(e, call, at);
    case ZEROS:
    case ONES:
        return fill_axis(e, call, value_int(rule == ONES), at);
    case LEFTMOST_LOWEST:
    case LEFTMOST_HIGHEST:
        return fill_extreme(e, call, rule == LEFTMOST_HIGHEST, at);
    case PRODUCT:
        return fill_product(e, call, at);
    case INDICES:
        fill(e, &call->args[1], -1, value_int(0), at);
        return true;
    case NO_RULE:
        break;
    }
    return false;
}

bool padding_settle(struct emitter *e, const struct padding_call *call, struct location location) {
    bool padded = false;
    for (size_t i = 0; i < call->count; i++) {
        padded = padded || holds_padded(call->args[i]);
    }
    unsigned errors = e->diag->error_count;
    if (padded && !apply(e, rule_of(e, call->builtin), call, location)) {
        if (e->diag->error_count == errors) {
            emit_error(
                e, location,
                "%s does not take tiles whose extents are no powers of two in this way: take the next power "
                "of two there, and mask the rest",
                call->builtin->name);
        }
        return false;
    }
    return true;
}
