// tl.load, tl.store and the atomics.
//
// The pointer tile determines the shape of an access: mask, other and value are broadcast to it (a store's
// pointer is never broadcast), and other and value are cast to the pointee type. Booleans are bytes in
// memory. Block pointers and tensor descriptors are expanded first (block_pointer.c).
#include "frontend/builtin/memory.h"

#include <string.h>

#include "frontend/builtin/handler.h"
#include "frontend/eval/call.h"
#include "frontend/semantics/language.h"

// ---- words ----

enum {
    LOAD_CACHES = 1 << CACHE_CA | 1 << CACHE_CG | 1 << CACHE_CS | 1 << CACHE_CV,
    STORE_CACHES = 1 << CACHE_WB | 1 << CACHE_CG | 1 << CACHE_CS | 1 << CACHE_WT
};

static intptr_t access_attributes(struct emitter *e, struct access_modifiers access,
                                  MlirNamedAttribute *out) {
    struct builder *b = &e->builder;
    intptr_t count = 0;
    if (access.cache != CACHE_NONE) {
        out[count++] = attr_cache_modifier(b, access.cache);
    }
    if (access.evict != EVICT_NORMAL) {
        out[count++] = attr_eviction_policy(b, access.evict);
    }
    if (access.is_volatile) {
        out[count++] = attr_unit(b, ATTR_VOLATILE);
    }
    return count;
}

bool access_words(struct emitter *e, struct value cache, struct value evict, bool is_store,
                  struct location at, struct access_modifiers *access) {
    int modifier, policy;
    if (!word_argument(e, cache, WORDS_CACHE, is_store ? STORE_CACHES : LOAD_CACHES, CACHE_NONE, at,
                       &modifier) ||
        !word_argument(e, evict, WORDS_EVICT, ANY_WORD, EVICT_NORMAL, at, &policy)) {
        return false;
    }
    if (!is_store && modifier == CACHE_CS && !language_takes(e, LANGUAGE_STREAMING_LOADS, at)) {
        return false;
    }
    access->cache = (enum cache_modifier)modifier;
    access->evict = (enum eviction_policy)policy;
    return true;
}

// ---- pointers ----

// An integer is taken for an offset from an address that the function has.
static void refuse_pointer(struct emitter *e, const char *who, struct value v, struct location at) {
    const char *text = emit_operand_text(e, emit_value_place(e, "pointer"), "");
    const char *base = suggest_scalar(e, true, "");
    bool offset = value_is_tensor(v) && dtype_is_integer(element(v)) && *text && *base;
    if (offset) {
        emit_error(e, at,
                   "%s needs a pointer or a tile of pointers, and %s is %s: write %s + %s in its place; a "
                   "parameter that holds an address is annotated \"*fp32\"",
                   who, text, describe(e, v), base, text);
        return;
    }
    emit_error(e, at,
               "%s needs a pointer or a tile of pointers, not %s; a parameter that holds an address is "
               "\"*fp32\"",
               who, describe(e, v));
}

// Reads a pointer or a tile of pointers; pointers to booleans become pointers to bytes.
static bool pointer_argument(struct emitter *e, const char *who, struct value *pointer, bool *is_bool,
                             struct location at) {
    if (!value_is_tensor(*pointer) || !dtype_is_pointer(element(*pointer))) {
        refuse_pointer(e, who, *pointer, emit_place_of(e, "pointer", at));
        return false;
    }
    if (e->lanewise) {
        emit_error(e, at,
                   "%s inside tl.map_elementwise: its function computes on elements and reaches no memory",
                   who);
        return false;
    }
    *is_bool = dtype_is_bool(dtype_pointee(element(*pointer)));
    if (*is_bool) {
        struct dtype bytes = dtype_const(dtype_pointer_to(DTYPE_OF(INT8)), element(*pointer).is_const);
        *pointer = emit_cast(e, *pointer, bytes, at);
    }
    return !value_failed(*pointer);
}

// As pointer_argument, for the target of a store.
static bool target_argument(struct emitter *e, const char *who, struct value *pointer, bool *is_bool,
                            struct location at) {
    if (!pointer_argument(e, who, pointer, is_bool, at)) {
        return false;
    }
    if (element(*pointer).is_const) {
        emit_error(e, at, "%s writes through a constant pointer (tl.const), %s", who, describe(e, *pointer));
        return false;
    }
    return true;
}

static bool extents_fit(int64_t one, int64_t other) {
    return one == other || one == 1 || other == 1;
}

// The remedy for an operand that would fit with rows and columns exchanged; NULL: it would not.
static const char *other_axis(struct value pointer, struct value operand) {
    const int64_t *to = pointer.tensor.shape, *has = operand.tensor.shape;
    if (pointer.tensor.rank != 2 || operand.tensor.rank != 2 || !extents_fit(to[0], has[1]) ||
        !extents_fit(to[1], has[0])) {
        return NULL;
    }
    return has[0] == 1
               ? "it is a row where the pointer wants a column: write [:, None] in the place of [None, :]"
           : has[1] == 1
               ? "it is a column where the pointer wants a row: write [None, :] in the place of [:, None]"
               : "it fits when transposed";
}

// What to do about an operand whose extent does not fit the pointer's `extent`.
static const char *fitting_remedy(struct emitter *e, const char *parameter, struct value pointer,
                                  struct value operand, int64_t extent) {
    int rank = pointer.tensor.rank;
    const char *exchanged = other_axis(pointer, operand);
    if (exchanged) {
        return exchanged;
    }
    const char *range =
        extent > 1 ? arena_printf(e->arena, "make both from one tl.arange(0, %lld)", (long long)extent)
                   : "make both from one tl.arange";
    bool column =
        operand.tensor.rank == 1 && rank > 1 && operand.tensor.shape[0] == pointer.tensor.shape[rank - 2];
    const char *text = emit_operand_text(e, emit_value_place(e, parameter), parameter);
    return column ? arena_printf(e->arena, "write %s[:, None] for a column of it, or %s", text, range)
                  : range;
}

// As emit_broadcast_pair, but says which argument does not fit.
static bool broadcast_named(struct emitter *e, struct value *pointer, struct value *operand, const char *what,
                            struct location at) {
    int rank = pointer->tensor.rank, other = operand->tensor.rank;
    const char *parameter = strncmp(what, "the ", 4) == 0 ? what + 4 : what;
    for (int i = 1; i <= rank && i <= other; i++) {
        int64_t left = pointer->tensor.shape[rank - i], right = operand->tensor.shape[other - i];
        if (left != right && left != 1 && right != 1) {
            emit_error(e, at, "%s is %s, which does not fit the pointer's %s: %lld and %lld elements; %s",
                       what, describe(e, *operand), describe(e, *pointer), (long long)right, (long long)left,
                       fitting_remedy(e, parameter, *pointer, *operand, left));
            emit_note_tiles(e, emit_value_place(e, "pointer"));
            emit_note_tiles(e, emit_value_place(e, parameter));
            return false;
        }
    }
    return emit_broadcast_pair(e, pointer, operand, at);
}

// Broadcasts `operand` to the pointer's shape; a scalar pointer takes only scalars.
static bool shape_to(struct emitter *e, struct value pointer, struct value *operand, const char *what,
                     struct location at) {
    if (pointer.tensor.rank == 0 && operand->tensor.rank != 0) {
        emit_error(e, at,
                   "%s is %s, but the pointer is the scalar %s: add a tl.arange of as many elements to the "
                   "pointer, or "
                   "reduce the tile, as by tl.sum",
                   what, describe(e, *operand), describe(e, pointer));
        return false;
    }
    struct value shape = pointer;
    if (!broadcast_named(e, &shape, operand, what, at)) {
        return false;
    }
    if (!same_shape(shape, pointer)) {
        emit_error(e, at, "%s has shape %s, which does not fit the pointer's %s", what, describe(e, *operand),
                   describe(e, pointer));
        return false;
    }
    return true;
}

// Bytes, scalars and bits hold booleans; other integers are counters, and a mask compares these with their bound.
static const char *boolean_remedy(struct emitter *e, struct value mask) {
    const char *text = emit_term_text(e, emit_value_place(e, "mask"), "mask");
    if (!dtype_is_integer(element(mask))) {
        return "";
    }
    if (dtype_bits(element(mask)) == 8 || mask.tensor.rank == 0 || strpbrk(text, "&|^")) {
        return arena_printf(e->arena, ": write %s != 0", text);
    }
    return arena_printf(e->arena, ": write a comparison, as mask=%s < %s", text,
                        suggest_scalar(e, false, "the number of elements"));
}

bool mask_type(struct emitter *e, struct value *mask, struct location at) {
    struct location place = emit_place_of(e, "mask", at);
    if (!tensor_argument(e, mask, place)) {
        return false;
    }
    if (!dtype_is_bool(element(*mask))) {
        emit_error(e, place, "a mask is a boolean, not %s%s", describe(e, *mask), boolean_remedy(e, *mask));
        return false;
    }
    return true;
}

static bool mask_argument(struct emitter *e, struct value pointer, struct value *mask, struct location at) {
    return !given(*mask) ||
           (mask_type(e, mask, at) && shape_to(e, pointer, mask, "the mask", emit_place_of(e, "mask", at)));
}

// ---- load and store ----

struct value build_load(struct emitter *e, struct value pointer, struct value mask, struct value other,
                        struct access_modifiers access) {
    MlirValue operands[3] = {pointer.tensor.value};
    intptr_t count = 1;
    if (given(mask)) {
        operands[count++] = mask.tensor.value;
        if (given(other)) {
            operands[count++] = other.tensor.value;
        }
    }
    MlirNamedAttribute attributes[3];
    struct attrs attrs = {access_attributes(e, access, attributes), attributes};
    struct dtype dtype = dtype_pointee(element(pointer));
    MlirType type = tensor_mlir_type(e, dtype, pointer.tensor.rank, pointer.tensor.shape);
    MlirValue value = VALUE(&e->builder, OP_LOAD, ((struct operands){count, operands}), RESULTS(type), attrs);
    return tensor_like(e, value, dtype, pointer);
}

void build_store(struct emitter *e, struct value pointer, struct value value, struct value mask,
                 struct access_modifiers access) {
    MlirValue operands[3] = {pointer.tensor.value, value.tensor.value};
    intptr_t count = 2;
    if (given(mask)) {
        operands[count++] = mask.tensor.value;
    }
    MlirNamedAttribute attributes[3];
    struct attrs attrs = {access_attributes(e, access, attributes), attributes};
    OP(&e->builder, OP_STORE, ((struct operands){count, operands}), NO_RESULTS, attrs);
}

struct value stored_value(struct emitter *e, struct value pointer, struct value value, bool of_booleans,
                          struct location at) {
    if (of_booleans && language_has(e, LANGUAGE_STORED_BOOLEANS)) {
        value = emit_to_bool(e, value, at);
    }
    return emit_cast(e, value, dtype_pointee(element(pointer)), at);
}

enum {
    LOAD_POINTER,
    LOAD_MASK,
    LOAD_OTHER,
    LOAD_BOUNDARY,
    LOAD_PADDING,
    LOAD_CACHE,
    LOAD_EVICT,
    LOAD_VOLATILE
};

static bool has_items(struct value v) {
    return given(v) && !(value_is_sequence(v) && v.list.count == 0);
}

static struct value load_block(struct emitter *e, struct value *args, struct access_modifiers access,
                               struct location at) {
    int padding;
    struct value pointer, mask, other = value_none();
    if (!word_argument(e, args[LOAD_PADDING], WORDS_PADDING, ANY_WORD, PADDING_NONE, at, &padding)) {
        return value_error();
    }
    if (given(args[LOAD_MASK]) || given(args[LOAD_OTHER])) {
        return emit_error(e, at,
                          "a block pointer takes no mask and no other: use boundary_check and "
                          "padding_option");
    }
    if (!block_pointer_expand(e, args[LOAD_POINTER], args[LOAD_BOUNDARY], at, &pointer, &mask)) {
        return value_error();
    }
    if (given(mask)) {
        other = block_padding(e, pointer, (enum padding_option)padding, at);
        if (value_failed(other)) {
            return other;
        }
    }
    return build_load(e, pointer, mask, other, access);
}

struct value builtin_load(struct emitter *e, struct value *args, struct location at) {
    struct access_modifiers access = {0};
    struct value pointer = args[LOAD_POINTER], mask = args[LOAD_MASK], other = args[LOAD_OTHER];
    bool is_bool;
    if (!access_words(e, args[LOAD_CACHE], args[LOAD_EVICT], false, at, &access) ||
        !bool_option(e, args[LOAD_VOLATILE], "volatile", at, &access.is_volatile)) {
        return value_error();
    }
    if (pointer.kind == VALUE_BLOCK_PTR) {
        return load_block(e, args, access, at);
    }
    if (!pointer_argument(e, "tl.load", &pointer, &is_bool, at)) {
        return value_error();
    }
    if (has_items(args[LOAD_BOUNDARY])) {
        return emit_error(e, at,
                          "boundary_check needs a block pointer (tl.make_block_ptr): the bounds of a "
                          "pointer tile are not known");
    }
    if (!given(mask) && given(other)) {
        return emit_error(
            e, emit_place_of(e, "other", at),
            "tl.load takes other only together with a mask: give mask=…, too, or leave other out");
    }
    if (given(mask)) {
        // Mask and other may also broadcast the pointer, so that one element is read several times.
        if (!mask_type(e, &mask, at)) {
            return value_error();
        }
        if (pointer.tensor.rank != 0 &&
            !broadcast_named(e, &pointer, &mask, "the mask", emit_place_of(e, "mask", at))) {
            return value_error();
        }
        if (given(other)) {
            struct location place = emit_place_of(e, "other", at);
            if (!tensor_argument(e, &other, place) ||
                (pointer.tensor.rank != 0 && other.tensor.rank != 0 &&
                 !broadcast_named(e, &pointer, &other, "other", place)) ||
                !shape_to(e, pointer, &other, "other", place)) {
                return value_error();
            }
            other = emit_cast(e, other, dtype_pointee(element(pointer)), at);
            if (value_failed(other)) {
                return other;
            }
        }
        if (!shape_to(e, pointer, &mask, "the mask", emit_place_of(e, "mask", at))) {
            return value_error();
        }
    }
    struct value result = build_load(e, pointer, mask, other, access);
    return is_bool ? emit_to_bool(e, result, at) : result;
}

enum { STORE_POINTER, STORE_VALUE, STORE_MASK, STORE_BOUNDARY, STORE_CACHE, STORE_EVICT };

struct value builtin_store(struct emitter *e, struct value *args, struct location at) {
    struct access_modifiers access = {0};
    struct value pointer = args[STORE_POINTER], value = args[STORE_VALUE], mask = args[STORE_MASK];
    bool is_bool = false;
    if (!access_words(e, args[STORE_CACHE], args[STORE_EVICT], true, at, &access)) {
        return value_error();
    }
    if (pointer.kind == VALUE_BLOCK_PTR) {
        if (given(mask)) {
            return emit_error(e, at, "a block pointer takes no mask: use boundary_check");
        }
        is_bool = pointer.block_ptr->of_booleans;
        if (!block_pointer_expand(e, pointer, args[STORE_BOUNDARY], at, &pointer, &mask)) {
            return value_error();
        }
    } else {
        if (value_is_tensor(value) && dtype_is_pointer(element(value)) && value_is_tensor(pointer) &&
            !dtype_is_pointer(element(pointer))) {
            return emit_error(
                e, at,
                "tl.store takes the pointer first, and the value %s is ahead of the pointer %s: swap them",
                describe(e, pointer), describe(e, value));
        }
        if (!target_argument(e, "tl.store", &pointer, &is_bool, at)) {
            return value_error();
        }
        if (has_items(args[STORE_BOUNDARY])) {
            return emit_error(e, at,
                              "boundary_check needs a block pointer (tl.make_block_ptr): the bounds of a "
                              "pointer tile are not known");
        }
        if (!mask_argument(e, pointer, &mask, at)) {
            return value_error();
        }
    }
    if (!tensor_argument(e, &value, emit_place_of(e, "value", at)) ||
        !shape_to(e, pointer, &value, "the value", at)) {
        return value_error();
    }
    value = stored_value(e, pointer, value, is_bool, at);
    if (value_failed(value)) {
        return value;
    }
    build_store(e, pointer, value, mask, access);
    return value_none();
}

// ---- atomics ----

enum { ATOMIC_POINTER, ATOMIC_VALUE, ATOMIC_MASK, ATOMIC_SEM, ATOMIC_SCOPE };

struct atomic {
    struct value pointer, value, mask;
    enum memory_order order;
    enum memory_scope scope;
};

static bool order_words(struct emitter *e, struct value sem, struct value scope, int allowed, int otherwise,
                        struct location at, struct atomic *atomic) {
    int order, among;
    if (!word_argument(e, sem, WORDS_ORDER, allowed, otherwise, at, &order) ||
        !word_argument(e, scope, WORDS_SCOPE, ANY_WORD, SCOPE_GPU, at, &among)) {
        return false;
    }
    atomic->order = (enum memory_order)order;
    atomic->scope = (enum memory_scope)among;
    return true;
}

static bool atomic_words(struct emitter *e, struct value sem, struct value scope, struct location at,
                         struct atomic *atomic) {
    return order_words(e, sem, scope, ANY_WORD, ORDER_ACQ_REL, at, atomic);
}

static bool atomic_value(struct emitter *e, struct value pointer, struct value *value, struct location at) {
    if (!tensor_argument(e, value, at) || !shape_to(e, pointer, value, "the value", at)) {
        return false;
    }
    *value = emit_cast(e, *value, dtype_pointee(element(pointer)), at);
    return !value_failed(*value);
}

static bool atomic_arguments(struct emitter *e, const char *who, struct value *args, bool short_floats,
                             struct location at, struct atomic *atomic) {
    bool is_bool;
    *atomic = (struct atomic){
        .pointer = args[ATOMIC_POINTER], .value = args[ATOMIC_VALUE], .mask = args[ATOMIC_MASK]};
    if (!atomic_words(e, args[ATOMIC_SEM], args[ATOMIC_SCOPE], at, atomic) ||
        !target_argument(e, who, &atomic->pointer, &is_bool, at)) {
        return false;
    }
    struct dtype type = dtype_pointee(element(atomic->pointer));
    unsigned bits = dtype_bits(type);
    if (dtype_is_pointer(type) || bits < 16 || (bits == 16 && !(short_floats && dtype_is_float(type)))) {
        emit_error(e, at, "%s does not support elements of type %s", who, describe_dtype(e, type));
        return false;
    }
    return atomic_value(e, atomic->pointer, &atomic->value, at) &&
           mask_argument(e, atomic->pointer, &atomic->mask, at);
}

static struct value build_atomic(struct emitter *e, enum rmw_operation op, struct atomic atomic) {
    struct builder *b = &e->builder;
    MlirValue operands[3] = {atomic.pointer.tensor.value, atomic.value.tensor.value};
    intptr_t count = 2;
    if (given(atomic.mask)) {
        operands[count++] = atomic.mask.tensor.value;
    }
    MlirValue old = VALUE(b, OP_ATOMIC_RMW, ((struct operands){count, operands}),
                          RESULTS(mlirValueGetType(atomic.value.tensor.value)),
                          ATTRS(attr_rmw_operation(b, op), attr_memory_order(b, atomic.order),
                                attr_memory_scope(b, atomic.scope)));
    return tensor_like(e, old, element(atomic.value), atomic.value);
}

struct value builtin_atomic_add(struct emitter *e, struct value *args, struct location at) {
    struct atomic atomic;
    if (!atomic_arguments(e, "tl.atomic_add", args, true, at, &atomic)) {
        return value_error();
    }
    return build_atomic(e, dtype_is_float(element(atomic.value)) ? RMW_FADD : RMW_ADD, atomic);
}

static struct value bitwise(struct emitter *e, const char *who, enum rmw_operation op, struct value *args,
                            struct location at) {
    struct atomic atomic;
    if (!atomic_arguments(e, who, args, false, at, &atomic)) {
        return value_error();
    }
    if (!dtype_is_integer(element(atomic.value))) {
        return emit_error(e, at, "%s needs integers, not %s", who, describe(e, atomic.value));
    }
    return build_atomic(e, op, atomic);
}

struct value builtin_atomic_and(struct emitter *e, struct value *args, struct location at) {
    return bitwise(e, "tl.atomic_and", RMW_AND, args, at);
}
struct value builtin_atomic_or(struct emitter *e, struct value *args, struct location at) {
    return bitwise(e, "tl.atomic_or", RMW_OR, args, at);
}
struct value builtin_atomic_xor(struct emitter *e, struct value *args, struct location at) {
    return bitwise(e, "tl.atomic_xor", RMW_XOR, args, at);
}

struct value builtin_atomic_xchg(struct emitter *e, struct value *args, struct location at) {
    struct atomic atomic;
    if (!atomic_arguments(e, "tl.atomic_xchg", args, false, at, &atomic)) {
        return value_error();
    }
    return build_atomic(e, RMW_XCHG, atomic);
}

// Positive floats are ordered like their bits read as signed integers, negative ones in the reverse order of
// their bits read as unsigned. So the maximum with a value without sign bit is a signed maximum, the maximum
// with a negative value an unsigned minimum, regardless of the memory's contents.
static struct value float_extreme(struct emitter *e, struct atomic atomic, bool is_max, struct location at) {
    struct dtype type = element(atomic.value);
    struct dtype integer = dtype_integer(dtype_bits(type), true);
    struct value bits = emit_bitcast(e, atomic.value, integer, at);
    struct value positive = emit_compare(e, COMPARE_GE, bits, value_int(0), at);
    struct value negative = emit_compare(e, COMPARE_LT, bits, value_int(0), at);
    struct atomic part = atomic;
    part.pointer = emit_cast(e, atomic.pointer, dtype_pointer_to(integer), at);
    part.value = bits;
    bool masked = given(atomic.mask);
    part.mask = masked ? emit_binary(e, BINARY_AND, atomic.mask, positive, at) : positive;
    struct value above = build_atomic(e, is_max ? RMW_MAX : RMW_MIN, part);
    part.mask = masked ? emit_binary(e, BINARY_AND, atomic.mask, negative, at) : negative;
    struct value below = build_atomic(e, is_max ? RMW_UMIN : RMW_UMAX, part);
    return emit_bitcast(e, emit_where(e, positive, above, below, at), type, at);
}

static struct value atomic_extreme(struct emitter *e, const char *who, bool is_max, struct value *args,
                                   struct location at) {
    struct atomic atomic;
    if (!atomic_arguments(e, who, args, false, at, &atomic)) {
        return value_error();
    }
    struct dtype type = element(atomic.value);
    if (dtype_is_float(type)) {
        return float_extreme(e, atomic, is_max, at);
    }
    if (dtype_is_signed(type)) {
        return build_atomic(e, is_max ? RMW_MAX : RMW_MIN, atomic);
    }
    return build_atomic(e, is_max ? RMW_UMAX : RMW_UMIN, atomic);
}

struct value emit_atomic_half(struct emitter *e, struct value pointer, struct value value, struct value mask,
                              bool is_max) {
    struct atomic atomic = {
        .pointer = pointer, .value = value, .mask = mask, .order = ORDER_RELAXED, .scope = SCOPE_GPU};
    return build_atomic(e, is_max ? RMW_FMAX : RMW_FMIN, atomic);
}

struct value builtin_atomic_max(struct emitter *e, struct value *args, struct location at) {
    return atomic_extreme(e, "tl.atomic_max", true, args, at);
}
struct value builtin_atomic_min(struct emitter *e, struct value *args, struct location at) {
    return atomic_extreme(e, "tl.atomic_min", false, args, at);
}

static bool is_integer(struct value v) {
    return v.kind == VALUE_INT || v.kind == VALUE_BOOL ||
           (v.kind == VALUE_TENSOR && !dtype_is_float(element(v)) && !dtype_is_pointer(element(v)));
}

enum { CAS_POINTER, CAS_COMPARE, CAS_VALUE, CAS_SEM, CAS_SCOPE };

struct value builtin_atomic_cas(struct emitter *e, struct value *args, struct location at) {
    struct atomic atomic = {.pointer = args[CAS_POINTER], .value = args[CAS_VALUE]};
    struct value compare = args[CAS_COMPARE];
    bool is_bool;
    if (!atomic_words(e, args[CAS_SEM], args[CAS_SCOPE], at, &atomic) ||
        !target_argument(e, "tl.atomic_cas", &atomic.pointer, &is_bool, at)) {
        return value_error();
    }
    struct dtype type = dtype_pointee(element(atomic.pointer));
    if (dtype_bits(type) < 16) {
        return emit_error(e, at, "tl.atomic_cas supports elements of 16, 32 and 64 bits, not %s",
                          describe_dtype(e, type));
    }
    for (unsigned i = CAS_COMPARE; i <= CAS_VALUE; i++) {
        if (dtype_is_float(type) && is_integer(args[i])) {
            return emit_error(
                e, emit_place_of(e, i == CAS_VALUE ? "val" : "cmp", at),
                "tl.atomic_cas of %s takes floats, and its %s is an integer: write it as a float",
                describe_dtype(e, type), i == CAS_VALUE ? "val" : "cmp");
        }
    }
    if (!atomic_value(e, atomic.pointer, &compare, at) ||
        !atomic_value(e, atomic.pointer, &atomic.value, at)) {
        return value_error();
    }
    struct builder *b = &e->builder;
    MlirValue old =
        VALUE(b, OP_ATOMIC_CAS,
              OPERANDS(atomic.pointer.tensor.value, compare.tensor.value, atomic.value.tensor.value),
              RESULTS(mlirValueGetType(atomic.value.tensor.value)),
              ATTRS(attr_memory_order(b, atomic.order), attr_memory_scope(b, atomic.scope)));
    return tensor_like(e, old, type, atomic.value);
}

// ---- atomic loads and stores ----

enum { LOADS = 1 << ORDER_RELAXED | 1 << ORDER_ACQUIRE, STORES = 1 << ORDER_RELAXED | 1 << ORDER_RELEASE };

static bool has_plain_elements(struct emitter *e, const char *who, struct value pointer, struct location at) {
    struct dtype type = dtype_pointee(element(pointer));
    if (dtype_is_pointer(type)) {
        emit_error(e, at, "%s does not support elements of type %s", who, describe_dtype(e, type));
    }
    return !dtype_is_pointer(type);
}

enum { ATOMIC_LOAD_POINTER, ATOMIC_LOAD_MASK, ATOMIC_LOAD_SEM, ATOMIC_LOAD_SCOPE };

struct value builtin_atomic_load(struct emitter *e, struct value *args, struct location at) {
    struct atomic atomic = {.pointer = args[ATOMIC_LOAD_POINTER], .mask = args[ATOMIC_LOAD_MASK]};
    bool is_bool;
    if (!order_words(e, args[ATOMIC_LOAD_SEM], args[ATOMIC_LOAD_SCOPE], LOADS, ORDER_ACQUIRE, at, &atomic) ||
        !pointer_argument(e, "tl.atomic_load", &atomic.pointer, &is_bool, at) ||
        !has_plain_elements(e, "tl.atomic_load", atomic.pointer, at) ||
        !mask_argument(e, atomic.pointer, &atomic.mask, at)) {
        return value_error();
    }
    struct tensor *pointer = &atomic.pointer.tensor;
    atomic.value = emit_int(e, dtype_pointee(pointer->dtype), pointer->rank, pointer->shape, 0);
    struct value loaded = build_atomic(e, RMW_LOAD, atomic);
    return is_bool ? emit_to_bool(e, loaded, at) : loaded;
}

struct value builtin_atomic_store(struct emitter *e, struct value *args, struct location at) {
    struct atomic atomic = {
        .pointer = args[ATOMIC_POINTER], .value = args[ATOMIC_VALUE], .mask = args[ATOMIC_MASK]};
    bool is_bool;
    if (!order_words(e, args[ATOMIC_SEM], args[ATOMIC_SCOPE], STORES, ORDER_RELEASE, at, &atomic) ||
        !target_argument(e, "tl.atomic_store", &atomic.pointer, &is_bool, at) ||
        !has_plain_elements(e, "tl.atomic_store", atomic.pointer, at) ||
        !tensor_argument(e, &atomic.value, at) ||
        !shape_to(e, atomic.pointer, &atomic.value, "the value", at) ||
        !mask_argument(e, atomic.pointer, &atomic.mask, at)) {
        return value_error();
    }
    atomic.value = stored_value(e, atomic.pointer, atomic.value, is_bool, at);
    if (value_failed(atomic.value)) {
        return value_error();
    }
    build_atomic(e, RMW_STORE, atomic);
    return value_none();
}

enum { POLL_POINTER, POLL_EXPECTED, POLL_SEM, POLL_SCOPE, POLL_TIMEOUT };

static bool timeout_argument(struct emitter *e, struct value *timeout, struct location at) {
    if (value_is_integral(*timeout) && value_integer(*timeout) < 0) {
        emit_error(e, at, "tl.atomic_poll: timeout_ns is %s, and no time is negative",
                   value_text(e->arena, *timeout));
        return false;
    }
    if (!tensor_argument(e, timeout, at)) {
        return false;
    }
    if (timeout->tensor.rank != 0 || !dtype_is_integer(element(*timeout))) {
        emit_error(e, at, "tl.atomic_poll: timeout_ns is one integer, not %s", describe(e, *timeout));
        return false;
    }
    *timeout = emit_cast(e, *timeout, DTYPE_OF(UINT64), at);
    return !value_failed(*timeout);
}

struct value builtin_atomic_poll(struct emitter *e, struct value *args, struct location at) {
    struct atomic atomic = {.pointer = args[POLL_POINTER], .value = args[POLL_EXPECTED]};
    struct value timeout = args[POLL_TIMEOUT];
    bool is_bool;
    if (!order_words(e, args[POLL_SEM], args[POLL_SCOPE], LOADS, ORDER_ACQUIRE, at, &atomic) ||
        !pointer_argument(e, "tl.atomic_poll", &atomic.pointer, &is_bool, at) ||
        (given(timeout) && !timeout_argument(e, &timeout, at))) {
        return value_error();
    }
    struct dtype type = dtype_pointee(element(atomic.pointer));
    if (!dtype_is_integer(type) || dtype_bits(type) < 16) {
        return emit_error(e, at, "tl.atomic_poll waits for integers of 16, 32 or 64 bits, not %s",
                          describe_dtype(e, type));
    }
    if (!atomic_value(e, atomic.pointer, &atomic.value, at)) {
        return value_error();
    }
    struct builder *b = &e->builder;
    MlirValue operands[3] = {atomic.pointer.tensor.value, atomic.value.tensor.value};
    operands[2] = given(timeout) ? timeout.tensor.value : operands[2];
    MlirValue last = VALUE(b, OP_ATOMIC_POLL, ((struct operands){given(timeout) ? 3 : 2, operands}),
                           RESULTS(mlirValueGetType(atomic.value.tensor.value)),
                           ATTRS(attr_memory_order(b, atomic.order), attr_memory_scope(b, atomic.scope)));
    return emit_compare(e, COMPARE_EQ, tensor_like(e, last, type, atomic.value), atomic.value, at);
}
