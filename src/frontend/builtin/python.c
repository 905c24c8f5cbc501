// Python's builtins, as far as kernels use them, and Python's math module on constants.
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "frontend/builtin/handler.h"
#include "frontend/eval/call.h"
#include "frontend/semantics/constant.h"

#define HANDLER(name) struct value name(struct emitter *e, struct value *args, struct location location)

#define COMPILE_TIME(name, handler, signature, doc) builtin_handler handler;
#include "frontend/builtin/builtins_python.def"
#undef COMPILE_TIME
builtin_handler builtin_static_print;

// ---- ranges ----

enum {
    RANGE_FIRST,
    RANGE_SECOND,
    RANGE_STEP,
    RANGE_STAGES,
    RANGE_UNROLL,
    RANGE_FLAGS, // from here on: hints for schedules absent from this compiler
    RANGE_ARGUMENTS = RANGE_FLAGS + 4
};

static struct value make_range(struct emitter *e, struct value *args, bool is_static) {
    struct range_value *range = ARENA_NEW(e->arena, struct range_value);
    struct value *kept = ARENA_ARRAY(e->arena, struct value, 3);
    bool has_second = !value_is_none(args[RANGE_SECOND]);
    kept[0] = has_second ? args[RANGE_FIRST] : value_int(0);
    kept[1] = has_second ? args[RANGE_SECOND] : args[RANGE_FIRST];
    kept[2] = value_is_none(args[RANGE_STEP]) ? value_int(1) : args[RANGE_STEP];
    range->start = &kept[0];
    range->stop = &kept[1];
    range->step = &kept[2];
    range->is_static = is_static;
    return (struct value){.kind = VALUE_RANGE, .range = range};
}

// Inside a kernel Triton accepts tl.range's options for range too, and ignores them.
HANDLER(python_range) {
    bool options = false;
    for (int i = RANGE_STAGES; i < RANGE_ARGUMENTS; i++) {
        options |= given(args[i]);
    }
    if (options && !eval_in_kernel(e)) {
        return emit_error(e, location, "range has no options; tl.range does");
    }
    if (options) {
        emit_warning(e, location, "range has no options, and Triton ignores these; write tl.range");
    }
    return make_range(e, args, false);
}
HANDLER(python_static_range) {
    (void)location;
    return make_range(e, args, true);
}

HANDLER(tl_range) {
    struct value made = make_range(e, args, false);
    int64_t number = 0;
    bool flag;
    if (given(args[RANGE_STAGES])) {
        if (!value_to_int(e, args[RANGE_STAGES], "num_stages", location, &number)) {
            return value_error();
        }
        if (number > TARGET_MOST_STAGES) {
            return emit_error(e, location, "num_stages is %lld; it must be at most %d", (long long)number,
                              TARGET_MOST_STAGES);
        }
        made.range->has_stages = true;
        made.range->num_stages = (int)number;
    }
    if (given(args[RANGE_UNROLL]) &&
        !value_to_int(e, args[RANGE_UNROLL], "loop_unroll_factor", location, &number)) {
        return value_error();
    }
    for (int i = RANGE_FLAGS; i < RANGE_ARGUMENTS; i++) {
        if (given(args[i]) && !value_to_bool(e, args[i], "an option of tl.range", location, &flag)) {
            return value_error();
        }
    }
    return made;
}

// ---- questions ----

HANDLER(python_len) {
    struct value_list elements;
    if (args[0].kind == VALUE_STRING) {
        size_t characters = 0;
        for (size_t i = 0; i < args[0].string.length; i++) {
            characters += ((unsigned char)args[0].string.bytes[i] & 0xc0) != 0x80;
        }
        return value_int((wide_int)characters);
    }
    if (args[0].kind == VALUE_OBJECT) {
        return value_int((wide_int)(args[0].object.fields.count / 2));
    }
    return eval_elements(e, args[0], location, &elements) ? value_int((wide_int)elements.count)
                                                          : value_error();
}

static bool is_instance(struct value v, enum known_type type, bool in_kernel) { // in it a list is a tuple
    switch (v.kind) {
    case VALUE_BOOL:
        return type == TYPE_BOOL || type == TYPE_INT || type == TYPE_CONSTEXPR;
    case VALUE_INT:
        return type == TYPE_INT || type == TYPE_CONSTEXPR;
    case VALUE_SYMBOL:
        return type == TYPE_INT;
    case VALUE_FLOAT:
        return type == TYPE_FLOAT || type == TYPE_CONSTEXPR;
    case VALUE_STRING:
        return type == TYPE_STR || type == TYPE_CONSTEXPR;
    case VALUE_OBJECT:
        if (v.object.class == CLASS_CONSTEXPR_TYPE) {
            return type == TYPE_CONSTEXPR_TYPE;
        }
        return type == TYPE_TUPLE || type == TYPE_TL_TUPLE;
    case VALUE_TUPLE:
        return !value_is_set(v) && (type == TYPE_TUPLE || type == TYPE_TL_TUPLE);
    case VALUE_LIST:
        return type == TYPE_LIST || (in_kernel && (type == TYPE_TUPLE || type == TYPE_TL_TUPLE));
    case VALUE_DICT:
        return type == TYPE_DICT;
    case VALUE_DTYPE:
        return type == TYPE_DTYPE || (v.dtype.pointers && type == TYPE_POINTER_TYPE);
    case VALUE_TENSOR:
        return type == TYPE_TENSOR;
    case VALUE_TILE_TYPE:
        return type == TYPE_BLOCK_TYPE;
    case VALUE_DESCRIPTOR:
        return type == TYPE_TENSOR_DESCRIPTOR || type == TYPE_TENSOR_DESCRIPTOR_BASE;
    default:
        return false;
    }
}

static bool is_derived(const struct aggregate *aggregate, const struct aggregate *from) {
    bool derived = aggregate->def == from->def;
    for (size_t i = 0; i < aggregate->base_count && !derived; i++) {
        derived = is_derived(aggregate->bases[i], from);
    }
    return derived;
}

struct value builtin_aggregate_replace(struct emitter *e, struct value *args, struct location location) {
    return aggregate_replace(e, args[0], args[1], location);
}

HANDLER(python_isinstance) {
    struct value one = args[1];
    struct value_list types =
        value_is_sequence(one) ? one.list : (struct value_list){.items = &one, .count = 1};
    for (size_t i = 0; i < types.count; i++) {
        struct value type = types.items[i];
        if (type.kind == VALUE_FUNCTION && type.function->aggregate) {
            bool is_object = args[0].kind == VALUE_OBJECT && args[0].object.aggregate;
            if (is_object && is_derived(args[0].object.aggregate, type.function->aggregate)) {
                return value_bool(true);
            }
            continue;
        }
        if (type.kind == VALUE_FUNCTION && type.function->fields) { // the class of a named tuple
            if (args[0].kind == VALUE_OBJECT && args[0].object.name &&
                strcmp(args[0].object.name, type.function->name) == 0) {
                return value_bool(true);
            }
            continue;
        }
        if (types.items[i].kind != VALUE_TYPE && types.items[i].kind != VALUE_HOST) {
            return emit_error(e, location, "isinstance needs a type, not %s",
                              value_type_name(e->arena, types.items[i]));
        }
        if (types.items[i].kind == VALUE_TYPE &&
            is_instance(args[0], types.items[i].type, eval_in_kernel(e))) {
            return value_bool(true);
        }
    }
    return value_bool(false);
}

static struct value quiet_attribute(struct emitter *e, struct value object, struct value name,
                                    struct location location) {
    const char *text;
    if (!value_to_string(e, name, "the name of an attribute", location, &text)) {
        return value_error();
    }
    e->quiet++;
    struct value found = eval_attribute_of(e, object, text, location);
    e->quiet--;
    return found;
}

HANDLER(python_hasattr) {
    return value_bool(!value_failed(quiet_attribute(e, args[0], args[1], location)));
}

HANDLER(python_getattr) {
    struct value found = quiet_attribute(e, args[0], args[1], location);
    if (!value_failed(found)) {
        return found;
    }
    return args[2].list.count ? args[2].list.items[0]
                              : eval_attribute_of(e, args[0], value_text(e->arena, args[1]), location);
}

HANDLER(python_callable) {
    (void)e, (void)location;
    return value_bool(value_is_callable(args[0]));
}

// ---- numbers ----

static struct value extreme(struct emitter *e, struct value args, bool is_max, struct location location) {
    struct value_list values = args.list;
    if (values.count == 1 && !eval_elements(e, values.items[0], location, &values)) {
        return value_error();
    }
    if (values.count == 0) {
        return emit_error(e, location, "the %s of nothing", is_max ? "maximum" : "minimum");
    }
    bool constant = true; // if all are constant numbers, so is the result
    for (size_t i = 0; i < values.count; i++) {
        constant &= value_is_number(values.items[i]);
    }
    struct value result = values.items[0];
    for (size_t i = 1; i < values.count && !value_failed(result); i++) {
        result = constant ? constant_min_max(e, is_max, result, values.items[i], location)
                          : emit_min_max(e, is_max, result, values.items[i], MIN_MAX_IGNORE_NAN, location);
    }
    return result;
}

HANDLER(python_min) {
    return extreme(e, args[0], false, location);
}
HANDLER(python_max) {
    return extreme(e, args[0], true, location);
}

static struct value fold_elements(struct emitter *e, struct value values, enum binary_op op,
                                  struct value start, struct location location) {
    struct value_list elements;
    if (!eval_elements(e, values, location, &elements)) {
        return value_error();
    }
    for (size_t i = 0; i < elements.count; i++) {
        start = emit_binary(e, op, start, elements.items[i], location);
    }
    return start;
}

HANDLER(python_sum) {
    return fold_elements(e, args[0], BINARY_ADD, args[1], location);
}
HANDLER(math_prod) {
    return fold_elements(e, args[0], BINARY_MUL, value_int(1), location);
}

HANDLER(python_abs) {
    if (value_is_tensor(args[0])) {
        return emit_call_builtin(e, "tl.abs", args, 1, location);
    }
    if (args[0].kind == VALUE_FLOAT) {
        return value_float(fabs(args[0].number));
    }
    if (value_is_integral(args[0])) {
        return value_integer(args[0]) < 0 ? constant_unary(e, UNARY_MINUS, args[0], location)
                                          : value_int(value_integer(args[0]));
    }
    if (args[0].kind == VALUE_SYMBOL) {
        return symbol_abs(e, args[0]);
    }
    return emit_error(e, location, "abs() needs a number, not %s", value_type_name(e->arena, args[0]));
}

// Converts a float without a fraction.
static struct value to_integer(struct emitter *e, double number, struct location location) {
    return fabs(number) < 0x1p126 ? value_int((wide_int)number)
                                  : emit_error(e, location, "%.17g has no integer value of 128 bits", number);
}

HANDLER(python_round) {
    if (!value_is_number(args[0]) || !value_is_none(args[1])) {
        return emit_error(e, location, "round() needs one constant number");
    }
    return args[0].kind == VALUE_FLOAT ? to_integer(e, nearbyint(args[0].number), location)
                                       : value_int(value_integer(args[0]));
}

HANDLER(python_pow) {
    return emit_binary(e, BINARY_POW, args[0], args[1], location);
}

static struct value math_function(struct emitter *e, struct value v, double (*function)(double),
                                  const char *name, struct location location) {
    if (!value_is_number(v)) {
        return emit_error(e, location, "math.%s needs a constant; for tensors use tl.%s", name, name);
    }
    double x = value_number(v), result = function(x);
    if (!isfinite(result) && isfinite(x)) {
        return emit_error(e, location, "math.%s(%.17g) is not a finite number", name, x);
    }
    return value_float(result);
}

HANDLER(math_sqrt) {
    return math_function(e, args[0], sqrt, "sqrt", location);
}
HANDLER(math_exp) {
    return math_function(e, args[0], exp, "exp", location);
}
HANDLER(math_log) {
    return math_function(e, args[0], log, "log", location);
}
HANDLER(math_log2) {
    return math_function(e, args[0], log2, "log2", location);
}
HANDLER(math_ceil) {
    if (value_is_integral(args[0])) {
        return value_int(value_integer(args[0]));
    }
    struct value result = math_function(e, args[0], ceil, "ceil", location);
    return value_failed(result) ? result : to_integer(e, result.number, location);
}
HANDLER(math_floor) {
    if (value_is_integral(args[0])) {
        return value_int(value_integer(args[0]));
    }
    struct value result = math_function(e, args[0], floor, "floor", location);
    return value_failed(result) ? result : to_integer(e, result.number, location);
}
HANDLER(math_pow) {
    if (!value_is_number(args[0]) || !value_is_number(args[1])) {
        return emit_error(e, location, "math.pow needs constants");
    }
    struct value x = value_float(value_number(args[0])), y = value_float(value_number(args[1]));
    return constant_binary(e, BINARY_POW, x, y, location);
}

// ---- sequences ----

static struct value any_all(struct emitter *e, struct value values, bool is_any, struct location location) {
    struct value_list elements;
    if (!eval_elements(e, values, location, &elements)) {
        return value_error();
    }
    for (size_t i = 0; i < elements.count; i++) {
        bool ok, truth = value_truth(elements.items[i], &ok);
        if (!ok) {
            return emit_error(e, location, "%s has no truth value",
                              value_type_name(e->arena, elements.items[i]));
        }
        if (truth == is_any) {
            return value_bool(is_any);
        }
    }
    return value_bool(!is_any);
}

HANDLER(python_any) {
    return any_all(e, args[0], true, location);
}
HANDLER(python_all) {
    return any_all(e, args[0], false, location);
}

HANDLER(python_zip) {
    size_t width = args[0].list.count, shortest = SIZE_MAX;
    struct value_list *columns = ARENA_ARRAY(e->arena, struct value_list, width + 1);
    for (size_t i = 0; i < width; i++) {
        if (!eval_elements(e, args[0].list.items[i], location, &columns[i])) {
            return value_error();
        }
        shortest = columns[i].count < shortest ? columns[i].count : shortest;
    }
    shortest = width ? shortest : 0;
    struct value *rows = ARENA_ARRAY(e->arena, struct value, shortest + 1);
    struct value *row = ARENA_ARRAY(e->arena, struct value, width + 1);
    for (size_t i = 0; i < shortest; i++) {
        for (size_t j = 0; j < width; j++) {
            row[j] = columns[j].items[i];
        }
        rows[i] = value_tuple(e->arena, row, width);
    }
    return value_list_of(e->arena, rows, shortest);
}

HANDLER(python_enumerate) {
    struct value_list elements;
    if (!eval_elements(e, args[0], location, &elements)) {
        return value_error();
    }
    struct value *rows = ARENA_ARRAY(e->arena, struct value, elements.count + 1);
    for (size_t i = 0; i < elements.count; i++) {
        struct value pair[] = {emit_binary(e, BINARY_ADD, args[1], value_int((wide_int)i), location),
                               elements.items[i]};
        rows[i] = value_tuple(e->arena, pair, 2);
    }
    return value_list_of(e->arena, rows, elements.count);
}

HANDLER(python_reversed) {
    struct value_list elements;
    if (!eval_elements(e, args[0], location, &elements)) {
        return value_error();
    }
    struct value *items = ARENA_ARRAY(e->arena, struct value, elements.count + 1);
    for (size_t i = 0; i < elements.count; i++) {
        items[i] = elements.items[elements.count - 1 - i];
    }
    return value_list_of(e->arena, items, elements.count);
}

// Triton's print in a kernel is device_print when its first value is a string, else static printing of
// constants.
HANDLER(python_print) {
    bool constant = true;
    for (size_t i = 0; i < args[0].list.count; i++) {
        constant = constant && value_is_constant(args[0].list.items[i]);
    }
    if (constant) {
        return builtin_static_print(e, args, location); // of the same signature
    }
    return emit_call_builtin(e, "tl.device_print", args[0].list.items, args[0].list.count, location);
}

// ---- integers, strings and dicts ----

static struct value count_bits(struct value integer, bool ones_alone) {
    wide_int i = value_integer(integer);
    __extension__ unsigned __int128 rest = i < 0 ? -(unsigned __int128)i : (unsigned __int128)i;
    int count = 0;
    for (; rest; rest >>= 1) {
        count += !ones_alone || (rest & 1);
    }
    return value_int(count);
}

HANDLER(int_bit_length) {
    (void)e, (void)location;
    return count_bits(args[0], false);
}
HANDLER(int_bit_count) {
    (void)e, (void)location;
    return count_bits(args[0], true);
}

HANDLER(str_startswith) {
    const char *part;
    return value_to_string(e, args[1], "the prefix", location, &part)
               ? value_bool(strncmp(args[0].string.bytes, part, strlen(part)) == 0)
               : value_error();
}

HANDLER(str_endswith) {
    const char *part;
    if (!value_to_string(e, args[1], "the suffix", location, &part)) {
        return value_error();
    }
    size_t length = strlen(part), whole = args[0].string.length;
    return value_bool(length <= whole && strcmp(args[0].string.bytes + whole - length, part) == 0);
}

static struct value change_case(struct emitter *e, struct value v, int (*change)(int)) {
    char *text = arena_strndup(e->arena, v.string.bytes, v.string.length);
    for (size_t i = 0; i < v.string.length; i++) {
        text[i] = (char)change((unsigned char)text[i]);
    }
    return value_string_n(e->arena, text, v.string.length);
}

HANDLER(str_lower) {
    (void)location;
    return change_case(e, args[0], tolower);
}
HANDLER(str_format) {
    return eval_format(e, args[0], args[1].list, args[2], location);
}

HANDLER(str_upper) {
    (void)location;
    return change_case(e, args[0], toupper);
}

HANDLER(dict_get) {
    struct value inside = constant_compare(e, COMPARE_IN, args[1], args[0], location);
    return value_failed(inside) ? inside : inside.boolean ? *value_dict_get(args[0], args[1]) : args[2];
}

// The environment counts as empty: output is a function of source and flags alone.
HANDLER(os_getenv) {
    (void)e, (void)location;
    return args[1];
}

static struct value dict_column(struct emitter *e, struct value dict, int first, int count) {
    struct value *items = ARENA_ARRAY(e->arena, struct value, dict.list.count / 2 + 1);
    for (size_t i = 0; i < dict.list.count / 2; i++) {
        const struct value *pair = &dict.list.items[2 * i];
        items[i] = count == 2 ? value_tuple(e->arena, pair, 2) : pair[first];
    }
    return value_list_of(e->arena, items, dict.list.count / 2);
}

HANDLER(dict_keys) {
    (void)location;
    return dict_column(e, args[0], 0, 1);
}
HANDLER(dict_values) {
    (void)location;
    return dict_column(e, args[0], 1, 1);
}
HANDLER(dict_items) {
    (void)location;
    return dict_column(e, args[0], 0, 2);
}

// triton.Config as an object; the kernel table reads it. There may be thousands, so that options of Triton's that say something
// here are a field where they are given.
HANDLER(triton_config) {
    (void)location;
    static const char *const names[] = {"kwargs",  "num_warps", "num_stages", "num_ctas",
                                        "maxnreg", "pre_hook",  "options"};
    enum { PRE_HOOK = 5, OPTIONS = 7 };
    struct value fields[2 * sizeof names / sizeof *names];
    size_t count = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct value field = args[i > PRE_HOOK ? OPTIONS : i];
        if (i <= PRE_HOOK || value_dict_get(field, value_string(e->arena, "enable_reflect_ftz"))) {
            fields[count++] = value_string(e->arena, names[i]);
            fields[count++] = field;
        }
    }
    return value_object(e->arena, CLASS_CONFIG, fields, count);
}
