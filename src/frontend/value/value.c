// Values: constructors and comparison. describe.c converts them to text; arithmetic is in semantics/.
#include "frontend/value/value.h"

#include <math.h>
#include <string.h>

static const char *const known_type_names[KNOWN_TYPE_COUNT] = {
#define KNOWN_TYPE(id, name) name,
#include "frontend/value/types.def"
#undef KNOWN_TYPE
};

const char *known_type_text(enum known_type type) {
    return known_type_names[type];
}

bool known_type_find(const char *name, enum known_type *type) {
    for (int i = 0; i < KNOWN_TYPE_COUNT; i++) {
        if (strcmp(known_type_names[i], name) == 0) {
            *type = (enum known_type)i;
            return true;
        }
    }
    return false;
}

// ---- making ----

struct value value_error(void) {
    return (struct value){.kind = VALUE_ERROR};
}
struct value value_none(void) {
    return (struct value){.kind = VALUE_NONE};
}
struct value value_bool(bool b) {
    return (struct value){.kind = VALUE_BOOL, .boolean = b};
}
struct value value_int(wide_int i) {
    return (struct value){.kind = VALUE_INT, .integer = i};
}
struct value value_float(double d) {
    return (struct value){.kind = VALUE_FLOAT, .number = d};
}

struct value value_string_n(struct arena *arena, const char *bytes, size_t length) {
    return (struct value){.kind = VALUE_STRING,
                          .string = {.bytes = arena_strndup(arena, bytes, length), .length = length}};
}

struct value value_string(struct arena *arena, const char *text) {
    return value_string_n(arena, text, strlen(text));
}

static struct value_list copy_list(struct arena *arena, const struct value *items, size_t count) {
    struct value_list list = {.count = count,
                              .weight = 1}; // even an empty list has an address of its own (host.c)
    list.items = ARENA_ARRAY(arena, struct value, count + 1);
    if (count) {
        memcpy(list.items, items, count * sizeof *items);
    }
    for (size_t i = 0; i < count; i++) {
        list.weight += value_weight(items[i]);
    }
    return list;
}

struct value value_tuple(struct arena *arena, const struct value *items, size_t count) {
    return (struct value){.kind = VALUE_TUPLE, .list = copy_list(arena, items, count)};
}

struct value value_list_of(struct arena *arena, const struct value *items, size_t count) {
    return (struct value){.kind = VALUE_LIST, .list = copy_list(arena, items, count)};
}

struct value value_dtype(struct dtype type) {
    return (struct value){.kind = VALUE_DTYPE, .dtype = type};
}
struct value value_function(struct function *function) {
    return (struct value){.kind = VALUE_FUNCTION, .function = function};
}
struct value value_builtin(const struct builtin *builtin) {
    return (struct value){.kind = VALUE_BUILTIN, .builtin = builtin};
}

struct value value_method(struct arena *arena, struct value self, struct value function) {
    struct value *parts = ARENA_ARRAY(arena, struct value, 2);
    parts[0] = self;
    parts[1] = function;
    return (struct value){.kind = VALUE_METHOD, .method = {&parts[0], &parts[1]}};
}

struct value value_module(const char *name, struct file_scope *file) {
    return (struct value){.kind = VALUE_MODULE, .module = {name, file}};
}
struct value value_type(enum known_type type) {
    return (struct value){.kind = VALUE_TYPE, .type = type};
}
struct value value_host(const char *what) {
    return (struct value){.kind = VALUE_HOST, .host = what};
}
struct value value_symbol(const char *text) {
    return (struct value){.kind = VALUE_SYMBOL, .symbol = text};
}

struct value value_object(struct arena *arena, enum object_class class, const struct value *fields,
                          size_t count) {
    return (struct value){.kind = VALUE_OBJECT,
                          .object = {.class = class, .fields = copy_list(arena, fields, count)}};
}

struct value value_named_tuple(struct arena *arena, const char *name, const struct value *fields,
                               size_t count) {
    struct value v = value_object(arena, CLASS_NAMED_TUPLE, fields, count);
    v.object.name = name;
    return v;
}

struct value value_constexpr_type(struct arena *arena, struct value constant) {
    if (value_is_sequence(constant)) {
        struct value *types = ARENA_ARRAY(arena, struct value, constant.list.count + 1);
        for (size_t i = 0; i < constant.list.count; i++) {
            types[i] = value_constexpr_type(arena, constant.list.items[i]);
        }
        return value_tuple(arena, types, constant.list.count);
    }
    struct value field[] = {value_string(arena, "value"), constant};
    return value_object(arena, CLASS_CONSTEXPR_TYPE, field, 2);
}

// ---- asking ----

bool value_is_sequence(struct value v) {
    return v.kind == VALUE_TUPLE || v.kind == VALUE_LIST;
}
bool value_is_set(struct value v) {
    return v.kind == VALUE_TUPLE && v.list.is_set;
}
bool value_is_integral(struct value v) {
    return v.kind == VALUE_BOOL || v.kind == VALUE_INT;
}
bool value_is_number(struct value v) {
    return value_is_integral(v) || v.kind == VALUE_FLOAT;
}

struct value_list value_parts(struct value v) {
    switch (v.kind) {
    case VALUE_TUPLE:
    case VALUE_LIST:
    case VALUE_DICT:
        return v.list;
    case VALUE_OBJECT:
        return v.object.fields;
    default:
        return (struct value_list){0};
    }
}

struct value value_with_parts(struct value like, struct value_list parts) {
    parts.weight = value_weight(like);
    if (like.kind == VALUE_OBJECT) {
        like.object.fields = parts;
    } else {
        like.list = parts;
    }
    return like;
}

bool value_is_constant(struct value v) {
    struct value_list parts = value_parts(v);
    for (size_t i = 0; i < parts.count; i++) {
        if (!value_is_constant(parts.items[i])) {
            return false;
        }
    }
    switch (v.kind) {
    case VALUE_ERROR:
    case VALUE_TENSOR:
    case VALUE_BLOCK_PTR:
    case VALUE_DESCRIPTOR:
    case VALUE_SYMBOL:
        return false;
    default:
        return true;
    }
}

size_t value_weight(struct value v) {
    switch (v.kind) {
    case VALUE_TUPLE:
    case VALUE_LIST:
    case VALUE_DICT:
        return v.list.weight;
    case VALUE_OBJECT:
        return v.object.fields.weight;
    case VALUE_STRING:
        return 1 + v.string.length / 16;
    case VALUE_METHOD:
        return value_weight(*v.method.self);
    case VALUE_SLICE:
        return value_weight(v.slice[0]) + value_weight(v.slice[1]) + value_weight(v.slice[2]);
    default:
        return 1;
    }
}

bool value_is_callable(struct value v) {
    switch (v.kind) {
    case VALUE_FUNCTION:
    case VALUE_BUILTIN:
    case VALUE_METHOD:
    case VALUE_DTYPE:
    case VALUE_TYPE:
        return true;
    default:
        return false;
    }
}

wide_int value_integer(struct value v) {
    return v.kind == VALUE_BOOL ? (wide_int)v.boolean : v.integer;
}

double value_number(struct value v) {
    return v.kind == VALUE_FLOAT ? v.number : (double)value_integer(v);
}

// Compares by value as Python does: an integer may differ from the float nearest to it.
static int order_mixed(wide_int i, double d) {
    if (fabs(d) >= 0x1p127) {
        return d > 0 ? -1 : 1;
    }
    wide_int whole = (wide_int)d;
    double rest = d - trunc(d);
    return i != whole ? (i > whole) - (i < whole) : (rest < 0) - (rest > 0);
}

int value_order(struct value a, struct value b) {
    if (a.kind == VALUE_FLOAT && b.kind == VALUE_FLOAT) {
        return isnan(a.number) || isnan(b.number) ? 2 : (a.number > b.number) - (a.number < b.number);
    }
    if (b.kind == VALUE_FLOAT) {
        return isnan(b.number) ? 2 : order_mixed(value_integer(a), b.number);
    }
    if (a.kind == VALUE_FLOAT) {
        return isnan(a.number) ? 2 : -order_mixed(value_integer(b), a.number);
    }
    wide_int x = value_integer(a), y = value_integer(b);
    return (x > y) - (x < y);
}

static bool lists_equal(struct value_list a, struct value_list b, bool (*same)(struct value, struct value)) {
    if (a.count != b.count) {
        return false;
    }
    for (size_t i = 0; i < a.count && a.items != b.items; i++) {
        if (!same(a.items[i], b.items[i])) {
            return false;
        }
    }
    return true;
}

static bool shapes_equal(struct tensor a, struct tensor b) {
    return dtype_equal(a.dtype, b.dtype) && a.rank == b.rank &&
           (a.rank == 0 || memcmp(a.shape, b.shape, (size_t)a.rank * sizeof *a.shape) == 0);
}

// EQUAL if set a is a subset of set b.
enum equality value_set_within(struct value a, struct value b) {
    enum equality all = EQUAL;
    for (size_t i = 0; i < a.list.count && all != DIFFERENT; i++) {
        enum equality any = DIFFERENT;
        for (size_t j = 0; j < b.list.count && any != EQUAL; j++) {
            enum equality one = value_equality(a.list.items[i], b.list.items[j]);
            any = one > any ? one : any;
        }
        all = any < all ? any : all;
    }
    return all;
}

// Compares element by element; the values of dicts by their keys, in any order.
static enum equality equality_of_parts(struct value a, struct value b) {
    if (value_is_set(a) || value_is_set(b)) {
        bool both = value_is_set(a) && value_is_set(b);
        return both && a.list.count == b.list.count ? value_set_within(a, b) : DIFFERENT;
    }
    enum equality all = a.list.count == b.list.count ? EQUAL : DIFFERENT;
    bool is_dict = a.kind == VALUE_DICT;
    for (size_t i = is_dict; i < a.list.count && all != DIFFERENT && a.list.items != b.list.items;
         i += 1 + is_dict) {
        const struct value *other = is_dict ? value_dict_get(b, a.list.items[i - 1]) : &b.list.items[i];
        enum equality one = other ? value_equality(a.list.items[i], *other) : DIFFERENT;
        all = one < all ? one : all;
    }
    return all;
}

enum equality value_equality(struct value a, struct value b) {
    if (value_is_number(a) && value_is_number(b)) {
        return value_order(a, b) == 0 ? EQUAL : DIFFERENT;
    }
    if ((value_is_sequence(a) || a.kind == VALUE_DICT) && a.kind == b.kind) {
        return equality_of_parts(a, b);
    }
    bool a_varies = a.kind == VALUE_SYMBOL, b_varies = b.kind == VALUE_SYMBOL;
    bool numbers = (a_varies || value_is_number(a)) && (b_varies || value_is_number(b));
    return value_identical(a, b) ? EQUAL : numbers ? KNOWN_AT_LAUNCH : DIFFERENT;
}

bool value_equal(struct value a, struct value b) {
    return value_equality(a, b) == EQUAL;
}

bool value_same_class(struct value a, struct value b) {
    if (a.object.aggregate && b.object.aggregate) {
        return a.object.aggregate->def == b.object.aggregate->def;
    }
    bool named = a.object.name && b.object.name;
    return a.object.class == b.object.class && (!named || strcmp(a.object.name, b.object.name) == 0);
}

bool value_identical(struct value a, struct value b) {
    if (a.kind != b.kind) {
        return false;
    }
    switch (a.kind) {
    case VALUE_ERROR:
    case VALUE_NONE:
    case VALUE_ELLIPSIS:
        return true;
    case VALUE_BOOL:
        return a.boolean == b.boolean;
    case VALUE_INT:
        return a.integer == b.integer;
    case VALUE_FLOAT:
        return a.number == b.number || (isnan(a.number) && isnan(b.number));
    case VALUE_STRING:
        return a.string.length == b.string.length &&
               memcmp(a.string.bytes, b.string.bytes, a.string.length) == 0;
    case VALUE_TUPLE:
    case VALUE_LIST:
    case VALUE_DICT:
        return lists_equal(a.list, b.list, value_identical);
    case VALUE_SLICE:
        return value_identical(a.slice[0], b.slice[0]) && value_identical(a.slice[1], b.slice[1]) &&
               value_identical(a.slice[2], b.slice[2]);
    case VALUE_DTYPE:
        return dtype_equal(a.dtype, b.dtype);
    case VALUE_TILE_TYPE:
        return shapes_equal(a.tensor, b.tensor);
    case VALUE_FUNCTION:
        return a.function == b.function || (a.function->def && a.function->def == b.function->def) ||
               (a.function->fields && b.function->fields && strcmp(a.function->name, b.function->name) == 0);
    case VALUE_BUILTIN:
        return a.builtin == b.builtin || a.builtin->handler == b.builtin->handler;
    case VALUE_METHOD:
        return value_identical(*a.method.self, *b.method.self) &&
               value_identical(*a.method.function, *b.method.function);
    case VALUE_MODULE:
        return a.module.file == b.module.file &&
               (a.module.name == b.module.name ||
                (a.module.name && b.module.name && strcmp(a.module.name, b.module.name) == 0));
    case VALUE_RANGE:
        return a.range == b.range;
    case VALUE_OBJECT:
        return value_same_class(a, b) && lists_equal(a.object.fields, b.object.fields, value_identical);
    case VALUE_TYPE:
        return a.type == b.type;
    case VALUE_HOST:
        return strcmp(a.host, b.host) == 0;
    case VALUE_SYMBOL:
        return strcmp(a.symbol, b.symbol) == 0;
    case VALUE_TENSOR:
        return mlirValueEqual(a.tensor.value, b.tensor.value) && shapes_equal(a.tensor, b.tensor);
    case VALUE_BLOCK_PTR:
    case VALUE_DESCRIPTOR:
        if (a.block_ptr->rank != b.block_ptr->rank) {
            return false;
        }
        for (int i = 0; i < 1 + 3 * a.block_ptr->rank; i++) {
            if (!value_identical(a.block_ptr->parts[i], b.block_ptr->parts[i])) {
                return false;
            }
        }
        return true;
    }
    return false;
}

bool value_truth(struct value v, bool *ok) {
    *ok = true;
    switch (v.kind) {
    case VALUE_NONE:
        return false;
    case VALUE_BOOL:
        return v.boolean;
    case VALUE_INT:
        return v.integer != 0;
    case VALUE_FLOAT:
        return v.number != 0;
    case VALUE_STRING:
        return v.string.length != 0;
    case VALUE_TUPLE:
    case VALUE_LIST:
    case VALUE_DICT:
        return v.list.count != 0;
    case VALUE_ERROR:
    case VALUE_HOST:
    case VALUE_TENSOR:
    case VALUE_SYMBOL:
        *ok = false;
        return false;
    default:
        return true;
    }
}

const struct value *value_field(struct value object, const char *name) {
    for (size_t i = 0; i + 1 < object.object.fields.count; i += 2) {
        if (strcmp(object.object.fields.items[i].string.bytes, name) == 0) {
            return &object.object.fields.items[i + 1];
        }
    }
    return NULL;
}

const struct value *value_dict_get(struct value dict, struct value key) {
    for (size_t i = dict.list.count; i >= 2; i -= 2) {
        if (value_equal(dict.list.items[i - 2], key)) {
            return &dict.list.items[i - 1];
        }
    }
    return NULL;
}

// ---- extents ----

int64_t padded_extent(int64_t extent) {
    int64_t power = 1;
    while (power < extent) {
        power *= 2;
    }
    return power;
}

bool is_padded(struct value v) {
    bool padded = false;
    for (int i = 0; v.kind == VALUE_TENSOR && i < v.tensor.rank; i++) {
        padded |= padded_extent(v.tensor.shape[i]) != v.tensor.shape[i];
    }
    return padded;
}
