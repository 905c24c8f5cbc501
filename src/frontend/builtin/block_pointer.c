// Block pointers (tl.make_block_ptr) and tensor descriptors (tl.make_tensor_descriptor).
//
// Both consist of a base, shapes, strides and offsets known to the front end alone. An access expands them:
//
//   pointer = base + sum(offset_i stride_i)  +  sum over dimensions of range(block_i) stride_i
//   mask    = and over the checked dimensions of 0 <= offset_i + range(block_i) < shape_i
//
// The first sum is a scalar and the second is independent of the offsets, so a loop that advances the block
// updates only one scalar. Sums of offsets have 64 bits; the work per dimension is done on one-dimensional
// tiles.
#include <math.h>
#include <string.h>

#include <mlir-c/BuiltinAttributes.h>

#include "frontend/builtin/handler.h"
#include "frontend/builtin/memory.h"
#include "frontend/eval/call.h"
#include "frontend/semantics/language.h"

static struct value *shape_of(struct block_ptr *block) {
    return block->parts + 1;
}
static struct value *strides_of(struct block_ptr *block) {
    return block->parts + 1 + block->rank;
}
static struct value *offsets_of(struct block_ptr *block) {
    return block->parts + 1 + 2 * block->rank;
}

// ---- making ----

// One integer of a shape, stride or offset list, as a scalar tensor of `type`.
static bool scalar_part(struct emitter *e, struct value v, const char *what, struct dtype type,
                        struct location at, struct value *out) {
    if (value_is_tensor(v) ? v.tensor.rank != 0 || !dtype_is_integer(element(v)) : !value_is_integral(v)) {
        emit_error(e, at, "%s must be integers, not %s", what, describe(e, v));
        return false;
    }
    *out = value_is_tensor(v) ? emit_cast(e, v, type, at) : emit_constant_in(e, v, type, at);
    return !value_failed(*out);
}

static bool parts(struct emitter *e, struct value list, const char *what, struct dtype type, int rank,
                  struct location at, struct value *out) {
    size_t count = value_is_sequence(list) ? list.list.count : 1;
    if ((int)count != rank) {
        emit_error(e, at, "%s has %zu entries, block_shape %d", what, count, rank);
        return false;
    }
    for (int i = 0; i < rank; i++) {
        struct value item = value_is_sequence(list) ? list.list.items[i] : list;
        if (!scalar_part(e, item, what, type, at, &out[i])) {
            return false;
        }
    }
    return true;
}

// Offsets have 32 bits. Triton refuses wider ones, because their upper half would be lost.
static bool offsets_argument(struct emitter *e, struct value list, int rank, struct location at,
                             struct value *out) {
    size_t count = value_is_sequence(list) ? list.list.count : 1;
    for (size_t i = 0; i < count; i++) {
        struct value item = value_is_sequence(list) ? list.list.items[i] : list;
        if (value_is_tensor(item) && dtype_bits(element(item)) > 32) {
            emit_error(e, at, "offsets have 32 bits, not %s: cast with .to(tl.int32), or compute pointers",
                       describe(e, item));
            return false;
        }
    }
    return parts(e, list, "offsets", DTYPE_OF(INT32), rank, at, out);
}

static struct block_ptr *new_block(struct emitter *e, const struct block_ptr *from) {
    struct block_ptr *block = ARENA_NEW(e->arena, struct block_ptr);
    if (from) {
        *block = *from;
    }
    int rank = from ? from->rank : TILE_MAX_RANK;
    block->parts = ARENA_ARRAY(e->arena, struct value, 1 + 3 * rank);
    if (from) {
        memcpy(block->parts, from->parts, sizeof(struct value) * (size_t)(1 + 3 * rank));
    }
    return block;
}

static bool base_argument(struct emitter *e, const char *who, struct block_ptr *block, struct location at) {
    struct value *base = &block->parts[0];
    if (!value_is_tensor(*base) || base->tensor.rank != 0 || !dtype_is_pointer(element(*base))) {
        emit_error(e, at, "the base of %s must be a scalar pointer, not %s", who, describe(e, *base));
        return false;
    }
    base->tensor.dtype = dtype_const(element(*base), false); // as in Triton: const is forgotten here
    block->of_booleans = dtype_is_bool(dtype_pointee(element(*base)));
    if (block->of_booleans) {
        *base = emit_cast(e, *base, dtype_pointer_to(DTYPE_OF(INT8)), at);
    }
    return !value_failed(*base);
}

enum { BLOCK_BASE, BLOCK_SHAPE, BLOCK_STRIDES, BLOCK_OFFSETS, BLOCK_BLOCK, BLOCK_ORDER };

struct value builtin_make_block_ptr(struct emitter *e, struct value *args, struct location at) {
    if (language_has(e, LANGUAGE_BLOCK_POINTERS_GONE) && !e->told_of_block_pointers) {
        e->told_of_block_pointers = true;
        emit_warning(e, at,
                     "Triton 3.8 and later have no block pointers: use tl.make_tensor_descriptor, or say `# "
                     "tkc: language "
                     "3.7` in the file");
    }
    struct block_ptr *block = new_block(e, NULL);
    int64_t order[TILE_MAX_RANK];
    int order_count;
    block->parts[0] = args[BLOCK_BASE];
    if (!base_argument(e, "tl.make_block_ptr", block, at) ||
        !value_to_shape(e, args[BLOCK_BLOCK], "block_shape", at, block->block, &block->rank) ||
        !parts(e, args[BLOCK_SHAPE], "shape", DTYPE_OF(INT64), block->rank, at, shape_of(block)) ||
        !parts(e, args[BLOCK_STRIDES], "strides", DTYPE_OF(INT64), block->rank, at, strides_of(block)) ||
        !offsets_argument(e, args[BLOCK_OFFSETS], block->rank, at, offsets_of(block)) ||
        !value_to_ints(e, args[BLOCK_ORDER], "order", at, TILE_MAX_RANK, order, &order_count)) {
        return value_error();
    }
    unsigned seen = 0;
    for (int i = 0; i < order_count; i++) {
        block->order[i] = (int)order[i];
        seen |= order[i] >= 0 && order[i] < order_count ? 1u << order[i] : 0;
    }
    if (order_count != block->rank || seen != (1u << order_count) - 1) {
        return emit_error(e, at, "order must be a permutation of 0 … %d", block->rank - 1);
    }
    return (struct value){.kind = VALUE_BLOCK_PTR, .block_ptr = block};
}

enum { ADVANCE_BASE, ADVANCE_OFFSETS };

struct value builtin_advance(struct emitter *e, struct value *args, struct location at) {
    if (args[ADVANCE_BASE].kind != VALUE_BLOCK_PTR) {
        return emit_error(e, at, "tl.advance needs a block pointer, not %s", describe(e, args[ADVANCE_BASE]));
    }
    struct block_ptr *block = new_block(e, args[ADVANCE_BASE].block_ptr);
    struct value steps[TILE_MAX_RANK];
    if (!offsets_argument(e, args[ADVANCE_OFFSETS], block->rank, at, steps)) {
        return value_error();
    }
    for (int i = 0; i < block->rank; i++) {
        offsets_of(block)[i] = emit_binary(e, BINARY_ADD, offsets_of(block)[i], steps[i], at);
        if (value_failed(offsets_of(block)[i])) {
            return value_error();
        }
    }
    return (struct value){.kind = VALUE_BLOCK_PTR, .block_ptr = block};
}

// The function of the kernel's argument behind a value, if the value is one, at another width at most; null otherwise. *number: the argument's.
static MlirOperation argument_of(struct emitter *e, MlirValue value, intptr_t *number) {
    for (MlirOperation op = value_op(value); !mlirOperationIsNull(op); op = value_op(value)) {
        enum op_kind kind = op_kind(e->ir, op);
        if (kind != OP_EXTSI && kind != OP_EXTUI && kind != OP_TRUNCI && kind != OP_HINT) {
            return (MlirOperation){NULL};
        }
        value = unary_source(op);
    }
    MlirOperation around = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    *number = mlirBlockArgumentGetArgNumber(value);
    return op_kind(e->ir, around) == OP_FUNC ? around : (MlirOperation){NULL};
}

// Makes a property of an argument a hint, checked by launchers: the value 1, or a divisor. False if the value is computed, and no
// argument.
static bool imply(struct emitter *e, struct value value, int32_t hint) {
    intptr_t number;
    MlirOperation function = argument_of(e, value.tensor.value, &number);
    if (mlirOperationIsNull(function)) {
        return false;
    }
    MlirAttribute known = argument_attribute(function, number, ATTR_IMPLIED);
    int64_t before = mlirAttributeIsNull(known) ? 0 : mlirIntegerAttrGetValueInt(known);
    if (hint == 1 || (before != 1 && before < hint)) { // 1 says most, and all others are powers of two
        set_argument_attribute(e->ir, e->arena, function, number, ATTR_IMPLIED,
                               mlirIntegerAttrGet(type_i32(e->ir), hint));
    }
    return true;
}

// Chips with tensor copies need a base and strides that are multiples of 16 bytes. Triton asks the same of every descriptor. An extent is
// any number, but becomes known as a multiple here if it is a stride, too.
static void known_multiples(struct emitter *e, struct value base, struct value strides, int rank,
                            struct location at) {
    unsigned bytes = dtype_bits(dtype_pointee(element(base))) / 8;
    if (!e->target || !target_has(e->target, FEATURE(SM90)) || !value_is_sequence(strides) ||
        (int)strides.list.count != rank || bytes >= 16) {
        return;
    }
    struct value aligned[] = {base, value_int(16)};
    emit_call_builtin(e, "tl.multiple_of", aligned, 2, at);
    imply(e, base, 16);
    for (int i = 0; i + 1 < rank; i++) {
        struct value known[] = {strides.list.items[i], value_int(16 / bytes)};
        if (value_is_tensor(known[0]) && known[0].tensor.rank == 0 && dtype_is_integer(element(known[0]))) {
            emit_call_builtin(e, "tl.multiple_of", known, 2, at);
            imply(e, known[0], (int32_t)(16 / bytes));
        }
    }
}

// The last stride is 1. Triton's launcher makes a constant of an argument of 1; ours checks for the 1.
static bool last_is_one(struct emitter *e, struct value stride, struct location at) {
    struct value constant;
    if (tensor_constant(e, stride, &constant)) {
        if (value_integer(constant) != 1) {
            emit_error(e, at, "the last stride of a tensor descriptor must be 1, not %lld",
                       (long long)value_integer(constant));
            return false;
        }
    } else if (!imply(e, stride, 1)) {
        emit_error(e, at,
                   "the last stride of a tensor descriptor must be 1, and this one is computed at run time: "
                   "write 1, "
                   "or pass it as an argument of its own, which launchers check");
        return false;
    }
    return true;
}

enum { DESCRIPTOR_BASE, DESCRIPTOR_SHAPE, DESCRIPTOR_STRIDES, DESCRIPTOR_BLOCK, DESCRIPTOR_PADDING };

// Tensor copies need rows to begin at multiples of 16 bytes. Only numbers of the source are known here.
static bool check_strides(struct emitter *e, struct value strides, unsigned bytes, struct location at) {
    size_t count = value_is_sequence(strides) ? strides.list.count : 1;
    for (size_t i = 0; i + 1 < count; i++) {
        struct value stride = strides.list.items[i];
        if (value_is_integral(stride) && value_integer(stride) * bytes % 16 != 0) {
            emit_error(e, at,
                       "a descriptor's strides are multiples of 16 bytes, but %s times %u bytes is not",
                       value_text(e->arena, stride), bytes);
            return false;
        }
    }
    return true;
}

// The list with an integer in place of each scalar float, cut off as a cast does: Triton casts what describes a descriptor.
static struct value cast_floats(struct emitter *e, struct value list, struct location at) {
    if (!value_is_sequence(list)) {
        return list;
    }
    struct value *items = ARENA_ARRAY(e->arena, struct value, list.list.count + 1);
    for (size_t i = 0; i < list.list.count; i++) {
        items[i] = list.list.items[i];
        if (value_is_tensor(items[i]) && items[i].tensor.rank == 0 && dtype_is_float(element(items[i]))) {
            items[i] = emit_cast(e, items[i], DTYPE_OF(INT64), at);
        }
    }
    list.list.items = items;
    return list;
}

struct value builtin_make_tensor_descriptor(struct emitter *e, struct value *args, struct location at) {
    struct block_ptr *block = new_block(e, NULL);
    int padding;
    block->parts[0] = args[DESCRIPTOR_BASE];
    if (!base_argument(e, "tl.make_tensor_descriptor", block, at) ||
        !value_to_shape(e, args[DESCRIPTOR_BLOCK], "block_shape", at, block->block, &block->rank)) {
        return value_error();
    }
    args[DESCRIPTOR_SHAPE] = cast_floats(e, args[DESCRIPTOR_SHAPE], at);
    args[DESCRIPTOR_STRIDES] = cast_floats(e, args[DESCRIPTOR_STRIDES], at);
    known_multiples(e, block->parts[0], args[DESCRIPTOR_STRIDES], block->rank, at);
    if (!parts(e, args[DESCRIPTOR_SHAPE], "shape", DTYPE_OF(INT32), block->rank, at, shape_of(block)) ||
        !parts(e, args[DESCRIPTOR_STRIDES], "strides", DTYPE_OF(INT64), block->rank, at, strides_of(block)) ||
        !word_argument(e, args[DESCRIPTOR_PADDING], WORDS_PADDING, 1 << PADDING_ZERO | 1 << PADDING_NAN,
                       PADDING_ZERO, at, &padding)) {
        return value_error();
    }
    block->padding = (enum padding_option)padding;
    if (!last_is_one(e, strides_of(block)[block->rank - 1], at)) {
        return value_error();
    }
    strides_of(block)[block->rank - 1] = emit_int(e, DTYPE_OF(INT64), 0, NULL, 1);
    unsigned bytes = dtype_bits(dtype_pointee(element(block->parts[0]))) / 8;
    if (block->block[block->rank - 1] * bytes < 16) {
        return emit_error(e, at,
                          "the last dimension of a descriptor's block must have 16 bytes or more, not %lld",
                          (long long)block->block[block->rank - 1] * bytes);
    }
    if (language_has(e, LANGUAGE_DESCRIPTOR_STRIDES) &&
        !check_strides(e, args[DESCRIPTOR_STRIDES], bytes, at)) {
        return value_error();
    }
    for (int i = 0; i < block->rank; i++) {
        offsets_of(block)[i] = emit_int(e, DTYPE_OF(INT32), 0, NULL, 0);
    }
    return (struct value){.kind = VALUE_DESCRIPTOR, .block_ptr = block};
}

// ---- expansion ----

// A bit for each dimension left out of an access: extents of 1 around a matrix in a descriptor of more dimensions. The matrix is then
// loaded, stored and multiplied as one.
static unsigned left_out(const struct block_ptr *block) {
    unsigned units = 0;
    int left = block->rank;
    for (int i = 0; i < block->rank; i++) {
        units |= (block->block[i] == 1) * 1u << i;
        left -= block->block[i] == 1;
    }
    return left == 2 ? units : 0;
}

static int kept_rank(const struct block_ptr *block, unsigned units, int end) {
    int rank = 0;
    for (int i = 0; i < end; i++) {
        rank += !(units >> i & 1);
    }
    return end <= block->rank ? rank : 0;
}

// Places a one-dimensional tile in dimension `dim` of a tile of `rank`.
static struct value place(struct emitter *e, struct value line, int dim, int rank) {
    for (int i = 0; i < rank; i++) {
        if (i != dim) {
            line = emit_expand_dims(e, line, i);
        }
    }
    return line;
}

static bool is_checked(unsigned checked, int dim) {
    return (checked >> dim & 1) != 0;
}

// 0 <= index < limit.
static struct value in_bounds(struct emitter *e, struct value index, struct value limit, struct location at) {
    struct value above = emit_compare(e, COMPARE_GE, index, value_int(0), at);
    struct value below = emit_compare(e, COMPARE_LT, index, limit, at);
    return emit_binary(e, BINARY_AND, above, below, at);
}

struct expansion {
    struct value pointer, mask; // mask: VALUE_NONE if no dimension is checked
    const struct block_ptr *block;
    unsigned units; // dimensions of the block, but not of the pointers
};

// The part of dimension `i` in an access: `base` moves by its offset, `tile` gets its steps, `mask` its bounds.
static void expand_dim(struct emitter *e, struct block_ptr *block, int i, bool is_bounded, unsigned units,
                       struct value parts[3], struct location at) {
    enum { BASE, TILE, MASK };
    struct dtype wide = DTYPE_OF(INT64);
    int rank = kept_rank(block, units, block->rank), dim = kept_rank(block, units, i);
    bool is_kept = !(units >> i & 1);
    struct value stride = strides_of(block)[i], index = emit_cast(e, offsets_of(block)[i], wide, at);
    struct value line = is_kept ? emit_cast(e, emit_range(e, 0, block->block[i]), wide, at) : value_none();
    parts[BASE] = emit_binary(e, BINARY_ADD, parts[BASE], emit_binary(e, BINARY_MUL, index, stride, at), at);
    if (is_kept) {
        struct value step = place(e, emit_binary(e, BINARY_MUL, line, stride, at), dim, rank);
        parts[TILE] = given(parts[TILE]) ? emit_binary(e, BINARY_ADD, parts[TILE], step, at) : step;
        index = is_bounded ? emit_binary(e, BINARY_ADD, line, index, at) : index;
    }
    if (is_bounded) {
        struct value inside = in_bounds(e, index, emit_cast(e, shape_of(block)[i], wide, at), at);
        inside = is_kept ? place(e, inside, dim, rank) : inside;
        parts[MASK] = given(parts[MASK]) ? emit_binary(e, BINARY_AND, parts[MASK], inside, at) : inside;
    }
}

static bool expand(struct emitter *e, struct block_ptr *block, unsigned checked, unsigned units,
                   struct location at, struct expansion *out) {
    struct value parts[] = {block->parts[0], value_none(), value_none()}, base, tile, mask;
    for (int i = 0; i < block->rank; i++) {
        expand_dim(e, block, i, is_checked(checked, i), units, parts, at);
    }
    base = parts[0], tile = parts[1], mask = parts[2];
    *out = (struct expansion){.block = block, .units = units};
    out->pointer = emit_binary(e, BINARY_ADD, base, tile, at);
    if (value_failed(out->pointer) || value_failed(mask)) {
        return false;
    }
    const struct tensor *whole = &out->pointer.tensor;
    out->mask = given(mask) ? emit_broadcast_to(e, mask, whole->rank, whole->shape, at) : mask;
    return !value_failed(out->mask);
}

// The tile of a block with and without the left-out dimensions.
static struct value with_units(struct emitter *e, const struct expansion *x, struct value tile) {
    for (int i = 0; i < x->block->rank && !value_failed(tile); i++) {
        tile = x->units >> i & 1 ? emit_expand_dims(e, tile, i) : tile;
    }
    return tile;
}

static struct value without_units(struct emitter *e, const struct expansion *x, struct value tile) {
    return x->units ? emit_squeeze(e, tile, x->pointer.tensor.rank, x->pointer.tensor.shape) : tile;
}

bool block_pointer_expand(struct emitter *e, struct value block, struct value boundary, struct location at,
                          struct value *pointer, struct value *mask) {
    int64_t dims[TILE_MAX_RANK];
    int count = 0;
    unsigned checked = 0;
    struct expansion out;
    if (given(boundary) && !value_to_ints(e, boundary, "boundary_check", at, TILE_MAX_RANK, dims, &count)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (dims[i] < 0 || dims[i] >= block.block_ptr->rank || is_checked(checked, (int)dims[i])) {
            emit_error(e, at, "boundary_check names dimension %lld, which is out of range or named twice",
                       (long long)dims[i]);
            return false;
        }
        checked |= 1u << dims[i];
    }
    if (!expand(e, block.block_ptr, checked, 0, at, &out)) {
        return false;
    }
    *pointer = out.pointer;
    *mask = out.mask;
    return true;
}

struct value block_padding(struct emitter *e, struct value pointer, enum padding_option padding,
                           struct location at) {
    struct dtype type = dtype_pointee(element(pointer));
    if (padding != PADDING_NAN) {
        if (dtype_is_float(type)) {
            return emit_float(e, type, pointer.tensor.rank, pointer.tensor.shape, 0.0);
        }
        return emit_int(e, type, pointer.tensor.rank, pointer.tensor.shape, 0);
    }
    if (!dtype_is_float(type)) {
        return emit_error(e, at, "padding with NaN needs floating-point elements, not %s",
                          describe_dtype(e, type));
    }
    return emit_float(e, type, pointer.tensor.rank, pointer.tensor.shape, NAN);
}

// ---- descriptor accesses ----

static bool descriptor_at(struct emitter *e, struct value descriptor, struct value offsets,
                          struct location at, struct expansion *out) {
    if (descriptor.kind != VALUE_DESCRIPTOR) {
        emit_error(e, at, "a tensor descriptor is needed, not %s", describe(e, descriptor));
        return false;
    }
    struct block_ptr *block = new_block(e, descriptor.block_ptr);
    return offsets_argument(e, offsets, block->rank, at, offsets_of(block)) &&
           expand(e, block, (1u << block->rank) - 1, left_out(block), at, out);
}

enum { DESC_SELF, DESC_OFFSETS, DESC_VALUE, DESC_CACHE = DESC_VALUE, DESC_EVICT };

static struct value load_expanded(struct emitter *e, struct expansion at_block, enum padding_option padding,
                                  struct access_modifiers access, struct location at) {
    struct value other = block_padding(e, at_block.pointer, padding, at);
    struct value tile =
        value_failed(other) ? other : build_load(e, at_block.pointer, at_block.mask, other, access);
    return at_block.units ? with_units(e, &at_block, tile) : tile;
}

struct value builtin_descriptor_load(struct emitter *e, struct value *args, struct location at) {
    struct expansion block;
    struct access_modifiers access = {0};
    if (!access_words(e, args[DESC_CACHE], args[DESC_EVICT], false, at, &access) ||
        !descriptor_at(e, args[DESC_SELF], args[DESC_OFFSETS], at, &block)) {
        return value_error();
    }
    return load_expanded(e, block, args[DESC_SELF].block_ptr->padding, access, at);
}

// The value cast to the descriptor's type, of the block's shape.
static bool block_value(struct emitter *e, struct value descriptor, struct expansion block,
                        struct value *value, struct location at) {
    if (!tensor_argument(e, value, at)) {
        return false;
    }
    struct value like = block.pointer;
    if (block.units) {
        like.tensor.rank = block.block->rank;
        like.tensor.shape = block.block->block;
    }
    if (!same_shape(*value, like)) {
        emit_error(e, emit_place_of(e, "value", at),
                   "the value is %s, and the descriptor's block has the shape %s: make the value of this "
                   "shape, or the descriptor with block_shape=%s",
                   describe(e, *value), shape_text(e, like.tensor.rank, like.tensor.shape),
                   shape_text(e, value->tensor.rank, value->tensor.shape));
        emit_note_tiles(e, emit_value_place(e, "value"));
        return false;
    }
    *value = without_units(e, &block, *value);
    *value = stored_value(e, block.pointer, *value, descriptor.block_ptr->of_booleans, at);
    return !value_failed(*value);
}

static bool store_block(struct emitter *e, struct value descriptor, struct value offsets, struct value value,
                        struct location at) {
    struct expansion block;
    struct access_modifiers access = {0};
    if (!descriptor_at(e, descriptor, offsets, at, &block) ||
        !block_value(e, descriptor, block, &value, at)) {
        return false;
    }
    build_store(e, block.pointer, value, block.mask, access);
    return true;
}

// The extents of a host's descriptor are unknown, so a row might end within 16 bytes. One run-time comparison
// of the last extent selects between a store with the extent as a known multiple (wide stores or a tensor
// copy) and the general one.
static bool store_by_extent(struct emitter *e, struct value *args, int64_t unit, struct location at) {
    struct value descriptor = args[DESC_SELF];
    int last = descriptor.block_ptr->rank - 1;
    struct value extent = shape_of(descriptor.block_ptr)[last], multiple = value_int(unit);
    struct value rest = emit_binary(e, BINARY_MOD, extent, multiple, at);
    struct value whole = emit_compare(e, COMPARE_EQ, rest, value_int(0), at);
    if (value_failed(whole)) {
        return false;
    }
    struct builder saved = e->builder;
    MlirBlock blocks[2];
    build_if(&e->builder, whole.tensor.value, NO_RESULTS, &blocks[0], &blocks[1]);
    struct builder behind = e->builder;
    bool ok = true;
    for (int i = 0; i < 2 && ok; i++) {
        e->builder = builder_at_end(e->ir, blocks[i], saved.location);
        if (i == 0) {
            struct value known[] = {extent, multiple};
            descriptor.block_ptr = new_block(e, args[DESC_SELF].block_ptr);
            shape_of(descriptor.block_ptr)[last] = emit_call_builtin(e, "tl.multiple_of", known, 2, at);
        }
        ok = store_block(e, i == 0 ? descriptor : args[DESC_SELF], args[DESC_OFFSETS], args[DESC_VALUE], at);
        build_yield(&e->builder, NO_OPERANDS);
    }
    e->builder = behind;
    return ok;
}

struct value builtin_descriptor_store(struct emitter *e, struct value *args, struct location at) {
    const struct value *descriptor = &args[DESC_SELF];
    if (descriptor->kind == VALUE_DESCRIPTOR && descriptor->block_ptr->by_host) {
        unsigned bytes = dtype_bits(dtype_pointee(element(descriptor->block_ptr->parts[0]))) / 8;
        return bytes > 0 && bytes < 16 && store_by_extent(e, args, 16 / bytes, at) ? value_none()
                                                                                   : value_error();
    }
    return store_block(e, *descriptor, args[DESC_OFFSETS], args[DESC_VALUE], at) ? value_none()
                                                                                 : value_error();
}

// True if a tensor copy can do the operation on elements of the type.
static bool is_combined(struct dtype type, const char *op) {
    bool wide = dtype_is_integer(type) && dtype_bits(type) >= 32;
    if (strcmp(op, "add") == 0) {
        return (wide && !dtype_equal(type, DTYPE_OF(INT64))) ||
               (dtype_is_float(type) && (dtype_bits(type) == 16 || dtype_bits(type) == 32));
    }
    bool extreme = strcmp(op, "max") == 0 || strcmp(op, "min") == 0;
    return wide || (extreme && dtype_is_float(type) && dtype_bits(type) == 16);
}

// desc.atomic_add(offsets, value) and similar: atomics on the pointer tile, with their results discarded.
static struct value descriptor_atomic(struct emitter *e, const char *op, struct value *args,
                                      struct location at) {
    struct expansion block;
    struct value value = args[DESC_VALUE];
    if (!descriptor_at(e, args[DESC_SELF], args[DESC_OFFSETS], at, &block) ||
        !block_value(e, args[DESC_SELF], block, &value, at)) {
        return value_error();
    }
    if (!is_combined(element(value), op)) {
        return emit_error(e, at, "a descriptor's atomic_%s does not combine elements of type %s", op,
                          describe_dtype(e, element(value)));
    }
    bool is_max = strcmp(op, "max") == 0;
    if (dtype_is_float(element(value)) && (is_max || strcmp(op, "min") == 0)) {
        if (e->target && !target_has(e->target, FEATURE(SM90))) {
            return emit_error(
                e, at,
                "a descriptor's atomic_%s of %s needs a chip with tensor copies (sm_90 and up), not %s", op,
                describe_dtype(e, element(value)), e->target->name);
        }
        emit_atomic_half(e, block.pointer, value, block.mask, is_max);
        return value_none();
    }
    const char *builtin = arena_printf(e->arena, "tl.atomic_%s", op);
    struct value operands[] = {block.pointer, value, block.mask, value_string(e->arena, "relaxed")};
    struct value old = emit_call_builtin(e, builtin, operands, 4, at);
    return value_failed(old) ? old : value_none();
}

#define DESCRIPTOR_ATOMIC(op)                                                                                \
    struct value builtin_descriptor_atomic_##op(struct emitter *e, struct value *args, struct location at) { \
        return descriptor_atomic(e, #op, args, at);                                                          \
    }
DESCRIPTOR_ATOMIC(add)
DESCRIPTOR_ATOMIC(max)
DESCRIPTOR_ATOMIC(min)
DESCRIPTOR_ATOMIC(and)
DESCRIPTOR_ATOMIC(or)
DESCRIPTOR_ATOMIC(xor)

// ---- gather and scatter ----

// Rows x_offsets[i], columns y_offset …: a tile [rows, block columns].
static bool rows_at(struct emitter *e, struct value descriptor, struct value rows, struct value column,
                    struct location at, struct expansion *out) {
    if (descriptor.kind != VALUE_DESCRIPTOR || descriptor.block_ptr->rank != 2 ||
        descriptor.block_ptr->block[0] != 1) {
        emit_error(e, at, "gather and scatter need a descriptor whose block is one row of a matrix");
        return false;
    }
    if (!value_is_tensor(rows) || rows.tensor.rank != 1 || !dtype_is_integer(element(rows))) {
        emit_error(e, at, "the row numbers must be an integer tile of one dimension, not %s",
                   describe(e, rows));
        return false;
    }
    struct block_ptr *block = descriptor.block_ptr;
    *out = (struct expansion){.block = block};
    struct dtype wide = DTYPE_OF(INT64);
    struct value start;
    if (!scalar_part(e, column, "the column offset", wide, at, &start)) {
        return false;
    }
    struct value row = emit_expand_dims(e, emit_cast(e, rows, wide, at), 1);
    struct value line = emit_cast(e, emit_range(e, 0, block->block[1]), wide, at);
    struct value columns = emit_expand_dims(e, emit_binary(e, BINARY_ADD, line, start, at), 0);
    struct value offset =
        emit_binary(e, BINARY_ADD, emit_binary(e, BINARY_MUL, row, strides_of(block)[0], at), columns, at);
    out->pointer = emit_binary(e, BINARY_ADD, block->parts[0], offset, at);
    struct value indices[] = {row, columns};
    out->mask = value_none();
    for (int i = 0; i < 2; i++) {
        struct value limit = emit_cast(e, shape_of(block)[i], wide, at);
        struct value inside = in_bounds(e, indices[i], limit, at);
        out->mask = i ? emit_binary(e, BINARY_AND, out->mask, inside, at) : inside;
    }
    return !value_failed(out->pointer) && !value_failed(out->mask);
}

enum { GATHER_SELF, GATHER_ROWS, GATHER_COLUMN };

struct value builtin_descriptor_gather(struct emitter *e, struct value *args, struct location at) {
    struct expansion block;
    struct access_modifiers access = {0};
    if (!rows_at(e, args[GATHER_SELF], args[GATHER_ROWS], args[GATHER_COLUMN], at, &block)) {
        return value_error();
    }
    return load_expanded(e, block, args[GATHER_SELF].block_ptr->padding, access, at);
}

enum { SCATTER_SELF, SCATTER_VALUE, SCATTER_ROWS, SCATTER_COLUMN };

struct value builtin_descriptor_scatter(struct emitter *e, struct value *args, struct location at) {
    struct expansion block;
    struct access_modifiers access = {0};
    struct value value = args[SCATTER_VALUE];
    if (!rows_at(e, args[SCATTER_SELF], args[SCATTER_ROWS], args[SCATTER_COLUMN], at, &block) ||
        !block_value(e, args[SCATTER_SELF], block, &value, at)) {
        return value_error();
    }
    build_store(e, block.pointer, value, block.mask, access);
    return value_none();
}
