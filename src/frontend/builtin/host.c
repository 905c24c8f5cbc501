// Calls in host code that affect how kernels are compiled: queries about the machine, answered for the
// target, and functions that build lists of configurations.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chip/target.h"
#include "frontend/builtin/handler.h"
#include "frontend/eval/call.h"
#include "frontend/eval/walk.h"
#include "frontend/semantics/constant.h"

#define HANDLER(name) struct value name(struct emitter *e, struct value *args, struct location location)

#define COMPILE_TIME(name, handler, signature, doc) builtin_handler handler;
#include "frontend/builtin/builtins_python.def"
#undef COMPILE_TIME

// ---- the machine ----

static struct value object(struct emitter *e, enum object_class class, const char *const *names,
                           const struct value *values, size_t count) {
    struct value *fields = ARENA_ARRAY(e->arena, struct value, 2 * count);
    for (size_t i = 0; i < count; i++) {
        fields[2 * i] = value_string(e->arena, names[i]);
        fields[2 * i + 1] = values[i];
    }
    return value_object(e->arena, class, fields, 2 * count);
}

static bool is_amd(const struct emitter *e) {
    return e->target && e->target->vendor == VENDOR_AMD;
}

HANDLER(host_current_target) {
    (void)args, (void)location;
    static const char *const names[] = {"backend", "arch", "warp_size"};
    struct value values[] = {value_string(e->arena, is_amd(e) ? "hip" : "cuda"),
                             is_amd(e) ? value_string(e->arena, e->target->name)
                                       : value_int(e->target ? e->target->compute_capability : 80),
                             value_int(e->target ? e->target->warp_size : 32)};
    return object(e, CLASS_GPU_TARGET, names, values, 3);
}

HANDLER(host_current_device) {
    (void)e, (void)args, (void)location;
    return value_int(0);
}

HANDLER(host_is_available) {
    (void)e, (void)args, (void)location;
    return value_bool(true);
}

// (9, 0) for sm_90; for gfx942, as in torch, the digits before the last: (9, 4).
HANDLER(host_device_capability) {
    (void)args, (void)location;
    unsigned capability = e->target ? e->target->compute_capability : 80;
    struct value pair[] = {value_int(capability / 10), value_int(capability % 10)};
    if (is_amd(e)) {
        const char *digits = e->target->name + strlen("gfx");
        size_t length = strspn(digits, "0123456789abcdef");
        bool exact = length > 2 && !digits[length];
        pair[0] = value_int(atoi(arena_strndup(e->arena, digits, exact ? length - 2 : length)));
        pair[1] = value_int(exact ? digits[length - 2] - '0' : 0);
    }
    return value_tuple(e->arena, pair, 2);
}

HANDLER(host_device_count) {
    (void)e, (void)args, (void)location;
    return value_int(1);
}

// There is no device: the maker's name, the usual search text.
HANDLER(host_device_name) {
    (void)args, (void)location;
    return value_string(e->arena, is_amd(e) ? "AMD" : "NVIDIA");
}

HANDLER(host_device_properties) {
    static const char *const names[] = {"name", "major", "minor", "warp_size"};
    struct value capability = host_device_capability(e, args, location);
    struct value values[] = {host_device_name(e, args, location), capability.list.items[0],
                             capability.list.items[1], value_int(e->target ? e->target->warp_size : 32)};
    return object(e, CLASS_DEVICE, names, values, 4);
}

// A module's specification: its loader has run the module already.
static struct value module_spec(struct emitter *e, struct value name, struct value module) {
    static const char *const loader_names[] = {"exec_module"}, *const names[] = {"name", "loader", "module"};
    struct value run = value_builtin(builtin_find(e->program, "importlib.exec_module"));
    struct value values[] = {name, object(e, CLASS_MODULE_LOADER, loader_names, &run, 1), module};
    return object(e, CLASS_MODULE_SPEC, names, values, 3);
}

HANDLER(host_find_spec) {
    const char *name;
    if (!value_to_string(e, args[0], "the name of a module", location, &name)) {
        return value_error();
    }
    bool is_top = strcmp(name, "triton") == 0 || strcmp(name, "torch") == 0;
    if (is_top || strncmp(name, "triton.", strlen("triton.")) == 0) {
        struct value module = module_import(e, e->frame->file, name, 0);
        if (is_top || module.kind == VALUE_MODULE) {
            return module_spec(e, args[0], module);
        }
    }
    return emit_error(e, location, "whether there is a module %s is for the host to tell", name);
}

HANDLER(host_module_from_spec) {
    static const char module[] = "module";
    const struct value *spec = args;
    for (size_t i = 0; spec->kind == VALUE_OBJECT && spec->object.class == CLASS_MODULE_SPEC &&
                       i < spec->object.fields.count;
         i += 2) {
        if (strcmp(spec->object.fields.items[i].string.bytes, module) == 0) {
            return spec->object.fields.items[i + 1];
        }
    }
    return emit_error(e, location, "module_from_spec takes what find_spec gives, not %s",
                      value_type_name(e->arena, *spec));
}

HANDLER(host_exec_module) {
    (void)e, (void)args, (void)location;
    return value_none();
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// "3.6.0rc1+git" as ((3, 6), (-1, 1), 1): versions compare like tuples. Trailing zeros of the numbers are
// dropped; a suffix makes the version earlier, except `post` and a local part, which make it later.
HANDLER(host_version) {
    static const struct {
        const char *name;
        int rank;
    } phases[] = {{"dev", -4}, {"a", -3}, {"b", -2}, {"rc", -1}, {"post", 1}};
    const char *text;
    struct value numbers[8], phase[] = {value_int(0), value_int(0)};
    size_t count = 0, kept = 0, most = sizeof numbers / sizeof *numbers;
    char *end;
    if (!value_to_string(e, args[0], "a version", location, &text)) {
        return value_error();
    }
    const char *at = text + (*text == 'v');
    while (count < most && is_digit(*at)) {
        long number = strtol(at, &end, 10);
        numbers[count++] = value_int(number);
        kept = number ? count : kept;
        at = end[0] == '.' && is_digit(end[1]) ? end + 1 : end;
    }
    const char *name = at + strspn(at, ".-_");
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        size_t length = strlen(phases[i].name);
        if (strncmp(name, phases[i].name, length) == 0 && is_digit(name[length])) {
            phase[0] = value_int(phases[i].rank);
            phase[1] = value_int(strtol(name + length, &end, 10));
            at = end;
            break;
        }
    }
    if (count == 0 || (*at && *at != '+')) {
        return emit_error(e, location, "'%s' is no version like 3.6.0, 3.6.0rc1 or 3.6.0+local", text);
    }
    struct value parts[] = {value_tuple(e->arena, numbers, kept), value_tuple(e->arena, phase, 2),
                            value_int(*at == '+')};
    return value_tuple(e->arena, parts, 3);
}

// ---- limits of element types ----

// The greatest finite number. Exponents of all ones are infinities and NaNs in IEEE's formats and in e5m2. In
// the other formats they are numbers too; only one pattern is NaN: all ones in e4m3, the negative zero in the
// FNUZ formats.
static double greatest(struct dtype type) {
    const struct dtype_row *row = &dtype_table[type.scalar];
    int exponent_bits = row->bits - 1 - row->mantissa, top = (1 << exponent_bits) - 1;
    double ulp = ldexp(1, -row->mantissa);
    switch (type.scalar) {
    case SCALAR_FLOAT8E4NV:
        return ldexp(2 - 2 * ulp, top - row->bias);
    case SCALAR_FLOAT8E4B8:
    case SCALAR_FLOAT8E5B16:
    case SCALAR_FLOAT8E4B15:
        return ldexp(2 - ulp, top - row->bias);
    default:
        return ldexp(2 - ulp, top - 1 - row->bias);
    }
}

HANDLER(host_finfo) {
    static const char *const names[] = {"bits", "eps", "max", "min", "tiny", "smallest_normal", "dtype"};
    struct dtype type;
    if (!value_to_dtype(e, args[0], "the argument of torch.finfo", location, &type)) {
        return value_error();
    }
    if (!dtype_is_float(type)) {
        return emit_error(e, location, "torch.finfo needs a type of floats, not %s", describe_dtype(e, type));
    }
    const struct dtype_row *row = &dtype_table[type.scalar];
    double least = ldexp(1, 1 - row->bias), most = greatest(type);
    struct value values[] = {value_int(row->bits), value_float(ldexp(1, -row->mantissa)),
                             value_float(most),    value_float(-most),
                             value_float(least),   value_float(least),
                             value_dtype(type)};
    return object(e, CLASS_FINFO, names, values, sizeof values / sizeof *values);
}

HANDLER(host_iinfo) {
    static const char *const names[] = {"bits", "max", "min", "dtype"};
    struct dtype type;
    if (!value_to_dtype(e, args[0], "the argument of torch.iinfo", location, &type)) {
        return value_error();
    }
    if (!dtype_is_integer(type)) {
        return emit_error(e, location, "torch.iinfo needs a type of integers, not %s",
                          describe_dtype(e, type));
    }
    struct value values[] = {value_int(dtype_bits(type)), dtype_get_int_max_value(e, args, location),
                             dtype_get_int_min_value(e, args, location), value_dtype(type)};
    return object(e, CLASS_IINFO, names, values, sizeof values / sizeof *values);
}

// ---- lists ----

HANDLER(host_filter) {
    struct value_list values;
    if (!eval_elements(e, args[1], location, &values)) {
        return value_error();
    }
    struct value *kept = ARENA_ARRAY(e->arena, struct value, values.count + 1);
    size_t count = 0;
    for (size_t i = 0; i < values.count; i++) {
        struct value test = value_is_none(args[0])
                                ? values.items[i]
                                : emit_call_function(e, args[0], &values.items[i], 1, location);
        bool known, holds = value_truth(test, &known);
        if (!known) {
            return value_failed(test)
                       ? test
                       : emit_error(e, location, "%s has no truth value", value_type_name(e->arena, test));
        }
        if (holds) {
            kept[count++] = values.items[i];
        }
    }
    return value_list_of(e->arena, kept, count);
}

HANDLER(host_map) {
    struct value_list values;
    if (!eval_elements(e, args[1], location, &values)) {
        return value_error();
    }
    struct value *made = ARENA_ARRAY(e->arena, struct value, values.count + 1);
    for (size_t i = 0; i < values.count; i++) {
        made[i] = emit_call_function(e, args[0], &values.items[i], 1, location);
        if (value_failed(made[i])) {
            return made[i];
        }
    }
    return value_list_of(e->arena, made, values.count);
}

// Insertion sort: stable.
HANDLER(host_sorted) {
    struct value_list values;
    bool reverse = false;
    if (!eval_elements(e, args[0], location, &values) ||
        !bool_option(e, args[2], "reverse", location, &reverse)) {
        return value_error();
    }
    struct value *sorted = ARENA_ARRAY(e->arena, struct value, values.count + 1);
    struct value *keys = ARENA_ARRAY(e->arena, struct value, values.count + 1);
    for (size_t i = 0; i < values.count; i++) {
        struct value key = value_is_none(args[1])
                               ? values.items[i]
                               : emit_call_function(e, args[1], &values.items[i], 1, location);
        size_t at = i;
        for (; at > 0; at--) {
            struct value before =
                constant_compare(e, reverse ? COMPARE_GT : COMPARE_LT, key, keys[at - 1], location);
            if (before.kind != VALUE_BOOL) {
                return value_failed(before)
                           ? before
                           : emit_error(
                                 e, location,
                                 "the order of kernel arguments is known at launch: use min() and max()");
            }
            if (!before.boolean) {
                break;
            }
            keys[at] = keys[at - 1];
            sorted[at] = sorted[at - 1];
        }
        if (!emit_step(e, (i - at) / 4, location)) {
            return value_error();
        }
        keys[at] = key;
        sorted[at] = values.items[i];
    }
    return value_list_of(e->arena, sorted, values.count);
}

// dict(), dict(other), dict(a=1).
HANDLER(host_dict) {
    struct value dict = value_list_of(e->arena, NULL, 0), more = args[1];
    if (args[0].list.count > 1 || (args[0].list.count == 1 && args[0].list.items[0].kind != VALUE_DICT)) {
        return emit_error(e, location, "dict() needs a dict or names with values");
    }
    if (args[0].list.count == 1) {
        dict = args[0].list.items[0];
    }
    dict.kind = more.kind = VALUE_LIST;
    dict = constant_binary(e, BINARY_ADD, dict, more, location);
    return value_failed(dict) ? dict : constant_dict(e, dict.list.items, dict.list.count / 2, location);
}

// collections.namedtuple("Point", ["x", "y"]) or "x y".
HANDLER(host_namedtuple) {
    const char *name, *text;
    struct value_list names = {0};
    if (!value_to_string(e, args[0], "the name of a named tuple", location, &name)) {
        return value_error();
    }
    if (args[1].kind == VALUE_STRING) {
        names.items = ARENA_ARRAY(e->arena, struct value, args[1].string.length + 1);
        for (text = args[1].string.bytes; *(text += strspn(text, " ,")); text += strcspn(text, " ,")) {
            names.items[names.count++] = value_string_n(e->arena, text, strcspn(text, " ,"));
        }
    } else if (!eval_elements(e, args[1], location, &names)) {
        return value_error();
    }
    struct parameter_list *fields = ARENA_NEW(e->arena, struct parameter_list);
    fields->items = ARENA_ARRAY(e->arena, struct parameter, names.count + 1);
    for (; fields->count < names.count; fields->count++) {
        if (!value_to_string(e, names.items[fields->count], "the name of a field", location, &text)) {
            return value_error();
        }
        fields->items[fields->count] = (struct parameter){.kind = PARAMETER_NORMAL, .name = text};
    }
    struct function *function = ARENA_NEW(e->arena, struct function);
    *function = (struct function){.name = name, .location = location, .fields = fields};
    return value_function(function);
}

// Tuples of one element from each sequence; the last position varies fastest.
HANDLER(host_product) {
    enum { LIMIT = 1 << 16 };
    size_t width = args[0].list.count, total = 1;
    struct value_list *columns = ARENA_ARRAY(e->arena, struct value_list, width + 1);
    for (size_t i = 0; i < width; i++) {
        if (!eval_elements(e, args[0].list.items[i], location, &columns[i])) {
            return value_error();
        }
        total *= columns[i].count;
        if (total > LIMIT) {
            return emit_error(e, location, "itertools.product of more than %d tuples", LIMIT);
        }
    }
    struct value *rows = ARENA_ARRAY(e->arena, struct value, total + 1);
    struct value *row = ARENA_ARRAY(e->arena, struct value, width + 1);
    for (size_t i = 0; i < total; i++) {
        for (size_t j = width, rest = i; j > 0; j--) {
            row[j - 1] = columns[j - 1].items[rest % columns[j - 1].count];
            rest /= columns[j - 1].count;
        }
        rows[i] = value_tuple(e->arena, row, width);
    }
    return value_list_of(e->arena, rows, total);
}
