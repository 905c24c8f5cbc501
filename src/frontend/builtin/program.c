// Programs, hints and assumptions, checks and printing, inline assembly, and compile-time helpers.
#include <string.h>

#include <mlir-c/BuiltinAttributes.h>

#include "frontend/builtin/handler.h"
#include "frontend/builtin/immediate.h"
#include "frontend/eval/walk.h"

// ---- programs ----

static struct value program(struct emitter *e, enum op_kind op, struct value axis, struct location at) {
    int64_t number;
    struct location place = emit_place_of(e, "axis", at);
    if (!value_to_int(e, axis, "the axis of a program id", place, &number)) {
        return value_error();
    }
    if (number < 0 || number > 2) {
        return emit_error(e, place, "a grid has axes 0, 1 and 2, not %lld", (long long)number);
    }
    struct builder *b = &e->builder;
    MlirValue value =
        VALUE(b, op, NO_OPERANDS, RESULTS(type_i32(e->ir)), ATTRS(attr_i32(b, ATTR_AXIS, (int32_t)number)));
    return tensor_from(e, value, DTYPE_OF(INT32), 0, NULL);
}

struct value builtin_program_id(struct emitter *e, struct value *args, struct location at) {
    return program(e, OP_PROGRAM_ID, args[0], at);
}
struct value builtin_num_programs(struct emitter *e, struct value *args, struct location at) {
    return program(e, OP_NUM_PROGRAMS, args[0], at);
}

// ---- hints ----

// `fact` holds one number a dimension (one for a scalar). A constant needs no hint.
static struct value hint(struct emitter *e, enum attribute_name fact, struct value input,
                         struct value numbers, struct location at) {
    int64_t values[TILE_MAX_RANK];
    int32_t facts[TILE_MAX_RANK];
    int count;
    if (!value_to_ints(e, numbers, "the values of a hint", at, TILE_MAX_RANK, values, &count)) {
        return value_error();
    }
    if (!value_is_tensor(input)) {
        return input;
    }
    int wanted = input.tensor.rank ? input.tensor.rank : 1;
    if (count != wanted) {
        return emit_error(e, at, "a hint on %s needs %d value%s, not %d", describe(e, input), wanted,
                          wanted == 1 ? "" : "s", count);
    }
    for (int i = 0; i < count; i++) {
        if (values[i] < 1 || values[i] > INT32_MAX) {
            return emit_error(e, at, "a hint must be a positive number, not %lld", (long long)values[i]);
        }
        facts[i] = (int32_t)values[i];
    }
    struct builder *b = &e->builder;
    MlirValue value =
        VALUE(b, OP_HINT, OPERANDS(input.tensor.value), RESULTS(mlirValueGetType(input.tensor.value)),
              ATTRS(attr_i32_array(b, fact, count, facts)));
    return tensor_like(e, value, element(input), input);
}

struct value builtin_multiple_of(struct emitter *e, struct value *args, struct location at) {
    return hint(e, ATTR_DIVISIBILITY, args[0], args[1], at);
}
struct value builtin_max_contiguous(struct emitter *e, struct value *args, struct location at) {
    return hint(e, ATTR_CONTIGUITY, args[0], args[1], at);
}
struct value builtin_max_constancy(struct emitter *e, struct value *args, struct location at) {
    return hint(e, ATTR_CONSTANCY, args[0], args[1], at);
}

struct value builtin_assume(struct emitter *e, struct value *args, struct location at) {
    struct value condition = args[0];
    if (!value_is_tensor(condition)) {
        return value_none();
    }
    if (condition.tensor.rank != 0) {
        return emit_error(e, at, "tl.assume needs a scalar condition, not %s", describe(e, condition));
    }
    condition = emit_to_bool(e, condition, at);
    if (value_failed(condition)) {
        return condition;
    }
    OP(&e->builder, OP_ASSUME, OPERANDS(condition.tensor.value), NO_RESULTS, NO_ATTRS);
    return value_none();
}

struct value builtin_debug_barrier(struct emitter *e, struct value *args, struct location at) {
    (void)args, (void)at;
    // An atomic after the barrier may publish any store before it, so the scope is the GPU.
    OP(&e->builder, OP_BARRIER, NO_OPERANDS, NO_RESULTS, ATTRS(attr_memory_scope(&e->builder, SCOPE_GPU)));
    return value_none();
}

// ---- checks and printing ----

enum { ASSERT_CONDITION, ASSERT_MESSAGE, ASSERT_MASK };

struct value builtin_static_assert(struct emitter *e, struct value *args, struct location at) {
    bool known;
    bool holds = value_truth(args[ASSERT_CONDITION], &known);
    if (!known) {
        return emit_error(e, at,
                          "tl.static_assert needs a condition known at compile time, not %s; write "
                          "tl.device_assert for one of run time",
                          describe(e, args[ASSERT_CONDITION]));
    }
    if (holds) {
        return value_none();
    }
    const char *message = given(args[ASSERT_MESSAGE]) ? value_text(e->arena, args[ASSERT_MESSAGE]) : "";
    return emit_error(e, at, *message ? "static assertion failed: %s" : "static assertion failed%s", message);
}

enum { STATIC_PRINT_VALUES, STATIC_PRINT_SEPARATOR, STATIC_PRINT_END };

// The comparison in a condition, for the message of an assertion: "{} <= {} and {} < {}", and the tiles for the braces.
enum { COMPARED_VALUES = 4 };
struct compared {
    struct strbuf text;
    MlirValue values[COMPARED_VALUES];
    int32_t is_signed[COMPARED_VALUES];
    intptr_t count;
};

static const char *comparison_text(struct ir *ir, MlirOperation op) {
    static const char *const of_integers[] = {
        [INT_EQ] = "==",  [INT_NE] = "!=", [INT_SLT] = "<",  [INT_SLE] = "<=", [INT_SGT] = ">",
        [INT_SGE] = ">=", [INT_ULT] = "<", [INT_ULE] = "<=", [INT_UGT] = ">",  [INT_UGE] = ">="};
    static const char *const of_floats[FLOAT_TRUE + 1] = {
        [FLOAT_OEQ] = "==", [FLOAT_UNE] = "!=", [FLOAT_OLT] = "<",
        [FLOAT_OLE] = "<=", [FLOAT_OGT] = ">",  [FLOAT_OGE] = ">="};
    int64_t predicate = op_int(op, ATTR_PREDICATE);
    return op_kind(ir, op) == OP_CMPI ? of_integers[predicate] : of_floats[predicate];
}

// Adds a comparison, or several joined by "and". False if the condition is something else, or has too many.
static bool add_compared(struct ir *ir, struct compared *compared, MlirValue condition) {
    if (!mlirValueIsAOpResult(condition)) {
        return false;
    }
    MlirOperation op = mlirOpResultGetOwner(condition);
    enum op_kind kind = op_kind(ir, op);
    if (kind == OP_ANDI) {
        if (!add_compared(ir, compared, binary_left(op))) {
            return false;
        }
        strbuf_add(&compared->text, " and ");
        return add_compared(ir, compared, binary_right(op));
    }
    const char *text = kind == OP_CMPI || kind == OP_CMPF ? comparison_text(ir, op) : NULL;
    if (!text || compared->count + 2 > COMPARED_VALUES) {
        return false;
    }
    int64_t predicate = op_int(op, ATTR_PREDICATE);
    for (int side = 0; side < 2; side++) {
        compared->is_signed[compared->count] = kind == OP_CMPF || predicate < INT_ULT;
        compared->values[compared->count++] = side ? binary_right(op) : binary_left(op);
    }
    strbuf_printf(&compared->text, "{} %s {}", text);
    return true;
}

// The elements that a mask, and inside tl.map_elementwise the conditions around, leave to be checked.
static struct value checked_elements(struct emitter *e, struct value mask, struct location at) {
    mask = given(mask) ? mask : value_none();
    if (!e->lanes) {
        return mask;
    }
    return lanes_among(e, value_is_none(mask) ? value_bool(true) : mask, at);
}

static void emit_assert(struct emitter *e, struct value condition, const struct compared *compared,
                        const char *message) {
    struct builder *b = &e->builder;
    MlirValue operands[1 + COMPARED_VALUES] = {condition.tensor.value};
    memcpy(operands + 1, compared->values, sizeof compared->values);
    MlirNamedAttribute attributes[] = {attr_string(b, ATTR_MESSAGE, message),
                                       attr_string(b, ATTR_SHOWN, strbuf_text(&compared->text)),
                                       attr_i32_array(b, ATTR_SIGNED, compared->count, compared->is_signed)};
    OP(b, OP_ASSERT, ((struct operands){1 + compared->count, operands}), NO_RESULTS,
       ((struct attrs){compared->count ? 3 : 1, attributes}));
}

// Checked as in Triton's debug mode, under --debug-asserts and in tkc-run.
struct value builtin_device_assert(struct emitter *e, struct value *args, struct location at) {
    struct value condition = args[ASSERT_CONDITION], mask;
    const char *message = "";
    if (!e->asserts) {
        return value_none();
    }
    if (given(args[ASSERT_MESSAGE]) && !value_is_none(args[ASSERT_MESSAGE]) &&
        !value_to_string(e, args[ASSERT_MESSAGE], "the message of an assertion", at, &message)) {
        return value_error();
    }
    if (!tensor_argument(e, &condition, at)) {
        return value_error();
    }
    condition = emit_to_bool(e, condition, at);
    mask = checked_elements(e, args[ASSERT_MASK], at);
    if (value_failed(condition) || value_failed(mask)) {
        return value_error();
    }
    struct compared compared = {0};
    bool shown = add_compared(e->ir, &compared, condition.tensor.value);
    if (!value_is_none(mask)) {
        MlirValue plain = condition.tensor.value;
        condition =
            emit_binary(e, BINARY_OR, condition, emit_unary(e, UNARY_NOT, emit_to_bool(e, mask, at), at), at);
        shown = shown && !value_failed(condition) && // not if the mask has more dimensions
                mlirTypeEqual(mlirValueGetType(plain), mlirValueGetType(condition.tensor.value));
    }
    if (!shown) {
        strbuf_clear(&compared.text);
        compared.count = 0;
    }
    if (!value_failed(condition)) {
        emit_assert(e, condition, &compared, message);
    }
    strbuf_free(&compared.text);
    return value_failed(condition) ? condition : value_none();
}

// Prints while compiling, as a note at the call. The note ends the line itself.
struct value builtin_static_print(struct emitter *e, struct value *args, struct location at) {
    const char *separator = " ", *end = "";
    if ((given(args[STATIC_PRINT_SEPARATOR]) &&
         !value_to_string(e, args[STATIC_PRINT_SEPARATOR], "sep", at, &separator)) ||
        (given(args[STATIC_PRINT_END]) && !value_to_string(e, args[STATIC_PRINT_END], "end", at, &end))) {
        return value_error();
    }
    struct strbuf text = {0};
    const struct value_list *values = &args[STATIC_PRINT_VALUES].list;
    for (size_t i = 0; i < values->count; i++) {
        strbuf_printf(&text, "%s%s", i ? separator : "", value_text(e->arena, values->items[i]));
    }
    strbuf_add(&text, strcmp(end, "\n") == 0 ? "" : end);
    if (e->quiet == 0) {
        diag_note(e->diag, at, "%s", strbuf_text(&text));
    }
    strbuf_free(&text);
    return value_none();
}

enum { PRINT_PREFIX, PRINT_ARGS, PRINT_HEX, PRINT_LIMIT = 64 };

// The prefix as Triton has it: with a space before, and behind it ": " if values follow.
static const char *print_prefix(struct emitter *e, const char *text, bool has_values) {
    size_t length = strlen(text);
    const char *whole = text;
    if (has_values && (length < 2 || strcmp(text + length - 2, ": ") != 0)) {
        length -= length && text[length - 1] == ' ';
        whole = arena_printf(e->arena, "%.*s: ", (int)length, text);
    }
    return strlen(whole) > 2 && *whole != ' ' ? arena_printf(e->arena, " %s", whole) : whole;
}

struct value builtin_device_print(struct emitter *e, struct value *args, struct location at) {
    struct builder *b = &e->builder;
    MlirValue operands[PRINT_LIMIT];
    int32_t is_signed[PRINT_LIMIT];
    const char *prefix;
    bool hex = false;
    size_t count = args[PRINT_ARGS].list.count;
    if (value_is_tensor(args[PRINT_PREFIX])) {
        return emit_error(e, emit_place_of(e, "prefix", at),
                          "print begins with a text, and this is %s: write print(\"name\", value)",
                          describe(e, args[PRINT_PREFIX]));
    }
    if (!value_to_string(e, args[PRINT_PREFIX], "the prefix of device_print", emit_place_of(e, "prefix", at),
                         &prefix) ||
        !bool_option(e, args[PRINT_HEX], "hex", at, &hex)) {
        return value_error();
    }
    if (count > PRINT_LIMIT) {
        return emit_error(e, at, "device_print takes at most %d values", PRINT_LIMIT);
    }
    for (size_t i = 0; i < count; i++) {
        struct value v = args[PRINT_ARGS].list.items[i];
        if (!tensor_argument(e, &v, at)) {
            return value_error();
        }
        operands[i] = v.tensor.value;
        is_signed[i] = dtype_is_signed(element(v));
    }
    MlirNamedAttribute attributes[3] = {attr_string(b, ATTR_PREFIX, print_prefix(e, prefix, count > 0)),
                                        attr_i32_array(b, ATTR_SIGNED, (intptr_t)count, is_signed),
                                        attr_unit(b, ATTR_HEX)};
    OP(b, OP_PRINT, ((struct operands){(intptr_t)count, operands}), NO_RESULTS,
       ((struct attrs){hex ? 3 : 2, attributes}));
    return value_none();
}

// ---- inline assembly ----

enum {
    ASM_TEXT,
    ASM_CONSTRAINTS,
    ASM_ARGS,
    ASM_DTYPE,
    ASM_PURE,
    ASM_PACK,
    ASM_LIMIT = 64,
    ASM_PACK_LIMIT = 16
};

// All operands of one shape. False after an error.
static bool asm_operands(struct emitter *e, struct value list, struct location at, size_t *count,
                         struct value *out) {
    *count = value_is_sequence(list) ? list.list.count : 1;
    if (*count > ASM_LIMIT) {
        emit_error(e, at, "inline assembly takes at most %d operands", ASM_LIMIT);
        return false;
    }
    for (size_t i = 0; i < *count; i++) {
        out[i] = value_is_sequence(list) ? list.list.items[i] : list;
        if (!tensor_argument(e, &out[i], at) || (i && !emit_broadcast_pair(e, &out[0], &out[i], at))) {
            return false;
        }
    }
    for (size_t i = 1; i < *count; i++) {
        if (!emit_broadcast_pair(e, &out[0], &out[i], at)) {
            return false;
        }
    }
    return true;
}

struct value builtin_inline_asm(struct emitter *e, struct value *args, struct location at) {
    struct builder *b = &e->builder;
    const char *text, *constraints;
    bool pure = false;
    int64_t pack = 1;
    struct value operands[ASM_LIMIT], results[ASM_LIMIT];
    MlirValue values[ASM_LIMIT];
    MlirType types[ASM_LIMIT];
    struct dtype dtypes[ASM_LIMIT];
    size_t count;
    struct value dtype = args[ASM_DTYPE];
    size_t result_count = value_is_sequence(dtype) ? dtype.list.count : 1;
    if (!value_to_string(e, args[ASM_TEXT], "the assembly text", at, &text) ||
        !value_to_string(e, args[ASM_CONSTRAINTS], "the constraints", at, &constraints) ||
        !bool_option(e, args[ASM_PURE], "is_pure", at, &pure) ||
        !int_option(e, args[ASM_PACK], "pack", at, &pack) ||
        !asm_operands(e, args[ASM_ARGS], at, &count, operands)) {
        return value_error();
    }
    if (result_count == 0 || result_count > ASM_LIMIT) {
        return emit_error(e, at, "inline assembly has %zu results; at least 1 and at most %d are possible",
                          result_count, ASM_LIMIT);
    }
    // Other values do not divide a power-of-two element count.
    if (pack < 1 || pack > ASM_PACK_LIMIT || (pack & (pack - 1))) {
        return emit_error(e, at, "pack is %lld; a power of two of at most %d is needed", (long long)pack,
                          ASM_PACK_LIMIT);
    }
    int rank = count ? operands[0].tensor.rank : 0;
    const int64_t *shape = count ? operands[0].tensor.shape : NULL;
    if (!asm_immediates(e, &text, &constraints, pack, operands, &count, at)) {
        return value_error();
    }
    int own_rank = count ? rank : 0; // of immediates alone the assembly is one for all elements
    for (size_t i = 0; i < count; i++) {
        values[i] = operands[i].tensor.value;
    }
    for (size_t i = 0; i < result_count; i++) {
        struct value item = value_is_sequence(dtype) ? dtype.list.items[i] : dtype;
        if (!value_to_dtype(e, item, "the dtype of inline assembly", at, &dtypes[i])) {
            return value_error();
        }
        types[i] = tensor_mlir_type(e, dtypes[i], own_rank, shape);
    }
    MlirNamedAttribute attributes[] = {attr_string(b, ATTR_ASM, text),
                                       attr_string(b, ATTR_CONSTRAINTS, constraints),
                                       attr_i32(b, ATTR_PACK, (int32_t)pack), attr_unit(b, ATTR_PURE)};
    MlirOperation op =
        OP(b, OP_INLINE_ASM, ((struct operands){(intptr_t)count, values}),
           ((struct results){(intptr_t)result_count, types}), ((struct attrs){pure ? 4 : 3, attributes}));
    for (size_t i = 0; i < result_count; i++) {
        results[i] = tensor_from(e, mlirOperationGetResult(op, (intptr_t)i), dtypes[i], own_rank, shape);
        results[i] = rank > own_rank ? emit_splat(e, results[i], rank, shape) : results[i];
    }
    return value_is_sequence(dtype) ? value_tuple(e->arena, results, result_count) : results[0];
}

// ---- compile-time helpers ----

// The condition of a `while` with a hint for a pass absent from this compiler.
struct value builtin_condition(struct emitter *e, struct value *args, struct location at) {
    bool flag = false;
    return bool_option(e, args[1], "disable_licm", at, &flag) ? args[0] : value_error();
}

// tl.cdiv and triton.cdiv, of constants and tensors.
struct value builtin_cdiv(struct emitter *e, struct value *args, struct location at) {
    struct value less = emit_binary(e, BINARY_SUB, args[1], value_int(1), at);
    return emit_binary(e, BINARY_FLOOR_DIV, emit_binary(e, BINARY_ADD, args[0], less, at), args[1], at);
}

struct value builtin_next_power_of_2(struct emitter *e, struct value *args, struct location at) {
    int64_t n;
    wide_int power = 1;
    if (!value_to_int(e, args[0], "the argument of next_power_of_2", at, &n)) {
        return value_error();
    }
    while (power < n) {
        power *= 2;
    }
    return value_int(n > 0 ? power : 0);
}

// floor(log2 n) by halving; 0 for n below 2.
struct value builtin_log2_int(struct emitter *e, struct value *args, struct location at) {
    int64_t n, log2 = 0;
    if (!value_to_int(e, args[0], "the argument of _log2", at, &n)) {
        return value_error();
    }
    for (; n > 1; n >>= 1) {
        log2++;
    }
    return value_int(log2);
}

struct value builtin_is_power_of_two(struct emitter *e, struct value *args, struct location at) {
    int64_t n;
    if (!value_to_int(e, args[0], "the argument of _is_power_of_two", at, &n)) {
        return value_error();
    }
    return value_bool(n > 0 && (n & (n - 1)) == 0);
}

// The product of a tuple of integers, for library code.
struct value builtin_product(struct emitter *e, struct value *args, struct location at) {
    struct value product = value_int(1);
    for (size_t i = 0; value_is_sequence(args[0]) && i < args[0].list.count; i++) {
        product = emit_binary(e, BINARY_MUL, product, args[0].list.items[i], at);
    }
    return product;
}

struct value builtin_get_int_dtype(struct emitter *e, struct value *args, struct location at) {
    int64_t bits;
    bool is_signed;
    if (!value_to_int(e, args[0], "bitwidth", at, &bits) ||
        !value_to_bool(e, args[1], "signed", at, &is_signed)) {
        return value_error();
    }
    if (bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64) {
        return emit_error(e, at, "there are no integers of %lld bits", (long long)bits);
    }
    return value_dtype(dtype_integer((unsigned)bits, is_signed));
}

struct value builtin_num_warps(struct emitter *e, struct value *args, struct location at) {
    (void)args, (void)at;
    e->asked_warps = true;
    return value_int(e->num_warps);
}

struct value builtin_num_threads(struct emitter *e, struct value *args, struct location at) {
    (void)args, (void)at;
    e->asked_warps = true;
    return value_int(e->num_warps * (e->target ? e->target->warp_size : 32));
}

// ---- refused by name ----

#define REFUSED(id, name, advice)                                                                            \
    struct value builtin_##id(struct emitter *e, struct value *args, struct location at) {                   \
        (void)args;                                                                                          \
        return emit_error(e, at, "%s is not supported yet: %s", name, advice);                               \
    }
REFUSED(experimental_descriptor, "a TMA descriptor made by the host",
        "use tl.make_tensor_descriptor in the kernel")
