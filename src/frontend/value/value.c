// Values: making, comparing and printing them. Arithmetic on them is in semantics/.
#include "frontend/value/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const known_type_names[KNOWN_TYPE_COUNT] = {
#define KNOWN_TYPE(id, name) name,
#include "frontend/value/types.def"
#undef KNOWN_TYPE
};

static const char *const class_names[] = {
    [CLASS_CONFIG] = "triton.Config",   [CLASS_PROPAGATE_NAN] = "tl.PropagateNan",
    [CLASS_GPU_TARGET] = "GPUTarget",   [CLASS_DEVICE] = "device properties",
    [CLASS_MODULE_SPEC] = "ModuleSpec", [CLASS_FINFO] = "torch.finfo",
    [CLASS_IINFO] = "torch.iinfo",      [CLASS_CONSTEXPR_TYPE] = "tl.constexpr_type",
    [CLASS_NAMED_TUPLE] = "NamedTuple"};

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
                              .weight = 1}; // of an address of its own, too, where it is empty (host.c)
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

// By value, as Python compares them: a float may be no integer's equal though it is the one nearest to it.
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

// Element by element; a dict's values by their keys, in whatever order.
static enum equality equality_of_parts(struct value a, struct value b) {
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

// ---- describing ----

static void print_shape(struct strbuf *buf, struct arena *arena, struct tensor t) {
    for (int i = 0; i < t.rank; i++) {
        strbuf_printf(buf, "%s%lld", i ? "x" : "", (long long)t.shape[i]);
    }
    strbuf_printf(buf, "%s%s", t.rank ? "x" : "", dtype_name(arena, t.dtype));
}

const char *value_type_name(struct arena *arena, struct value v) {
    switch (v.kind) {
    case VALUE_ERROR:
        return "error";
    case VALUE_NONE:
        return "None";
    case VALUE_BOOL:
        return "bool";
    case VALUE_INT:
        return "int";
    case VALUE_FLOAT:
        return "float";
    case VALUE_STRING:
        return "str";
    case VALUE_TUPLE:
        return "tuple";
    case VALUE_LIST:
        return "list";
    case VALUE_DICT:
        return "dict";
    case VALUE_SLICE:
        return "slice";
    case VALUE_ELLIPSIS:
        return "ellipsis";
    case VALUE_DTYPE:
    case VALUE_TILE_TYPE:
        return "dtype";
    case VALUE_FUNCTION:
        return arena_printf(arena, "function %s", v.function->name);
    case VALUE_BUILTIN:
        return arena_printf(arena, "builtin %s", v.builtin->name);
    case VALUE_METHOD:
        return "bound method";
    case VALUE_MODULE:
        return arena_printf(arena, "module %s", v.module.name ? v.module.name : "of this program");
    case VALUE_RANGE:
        return "range";
    case VALUE_OBJECT:
        return v.object.name ? v.object.name : class_names[v.object.class];
    case VALUE_TYPE:
        return arena_printf(arena, "type %s", known_type_text(v.type));
    case VALUE_HOST:
        return v.host;
    case VALUE_SYMBOL:
        return "kernel argument";
    case VALUE_BLOCK_PTR:
        return "block pointer";
    case VALUE_DESCRIPTOR:
        return "tensor descriptor";
    case VALUE_TENSOR: {
        if (v.tensor.rank == 0) {
            return dtype_name(arena, v.tensor.dtype);
        }
        struct strbuf buf = {0};
        strbuf_add(&buf, "tensor<");
        print_shape(&buf, arena, v.tensor);
        strbuf_add(&buf, ">");
        const char *text = arena_strdup(arena, strbuf_text(&buf));
        strbuf_free(&buf);
        return text;
    }
    }
    return "value";
}

void wide_int_print(struct strbuf *buf, wide_int i) {
    char digits[48];
    size_t at = sizeof digits;
    __extension__ unsigned __int128 rest = i < 0 ? -(unsigned __int128)i : (unsigned __int128)i;
    do {
        digits[--at] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest);
    if (i < 0) {
        digits[--at] = '-';
    }
    strbuf_add_bytes(buf, digits + at, sizeof digits - at);
}

enum { DOUBLE_DIGITS = 17 }; // of a double's decimal digits, that many always read back

// The next decimal after the digits "d.ddd"; false where that has one more digit.
static bool next_decimal(char *digits) {
    for (size_t at = strlen(digits); at-- > 0;) {
        if (digits[at] == '9') {
            digits[at] = '0';
        } else if (digits[at] != '.') {
            digits[at]++;
            return true;
        }
    }
    return false;
}

// "d.ddde+XX", the shortest that reads back as the same finite double, which is not negative. At a power of two the numbers that
// do reach twice as far up as down, so that the decimal nearest to it may not read back where the one above does.
static void shortest_decimal(char text[DOUBLE_DIGITS + 16], double magnitude) {
    for (int digits = 1; digits <= DOUBLE_DIGITS; digits++) {
        snprintf(text, DOUBLE_DIGITS + 16, "%.*e", digits - 1, magnitude);
        if (strtod(text, NULL) == magnitude) {
            return;
        }
        char above[DOUBLE_DIGITS + 16];
        strcpy(above, text);
        char *exponent = strchr(above, 'e');
        *exponent = 0;
        bool next = next_decimal(above);
        *exponent = 'e';
        if (next && strtod(above, NULL) == magnitude) {
            strcpy(text, above);
            return;
        }
    }
}

// As Python writes it: the shortest text that reads back as the same double, with an exponent below 1e-4 and from 1e16 on.
static void print_double(struct strbuf *buf, double d) {
    if (isnan(d) || isinf(d)) {
        strbuf_add(buf, isnan(d) ? "nan" : d < 0 ? "-inf" : "inf");
        return;
    }
    char text[DOUBLE_DIGITS + 16], digits[DOUBLE_DIGITS + 1];
    shortest_decimal(text, fabs(d));
    char *mark = strchr(text, 'e');
    int exponent = (int)strtol(mark + 1, NULL, 10), count = 0;
    for (const char *at = text; at < mark; at++) {
        if (*at != '.') {
            digits[count++] = *at;
        }
    }
    strbuf_add(buf, signbit(d) ? "-" : "");
    if (exponent < -4 || exponent >= 16) {
        strbuf_add(buf, text);
        return;
    }
    for (int place = exponent < 0 ? 0 : exponent; place > -count + exponent || place >= -1; place--) {
        int at = exponent - place; // of the digit that stands for 10 ** place
        strbuf_add(buf, place == -1 ? "." : "");
        strbuf_add_char(buf, at >= 0 && at < count ? digits[at] : '0');
    }
}

// As Python's repr.
static void print_string(struct strbuf *buf, struct value v) {
    const char *bytes = v.string.bytes;
    size_t length = v.string.length;
    char quote = memchr(bytes, '\'', length) && !memchr(bytes, '"', length) ? '"' : '\'';
    strbuf_add_char(buf, quote);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)bytes[i];
        const char *named = c == '\n' ? "\\n" : c == '\r' ? "\\r" : c == '\t' ? "\\t" : NULL;
        if (named) {
            strbuf_add(buf, named);
        } else if (c < 0x20 || c == 0x7f) {
            strbuf_printf(buf, "\\x%02x", c);
        } else {
            strbuf_add(buf, c == quote || c == '\\' ? "\\" : "");
            strbuf_add_char(buf, (char)c);
        }
    }
    strbuf_add_char(buf, quote);
}

static void print_items(struct strbuf *buf, struct value v, enum value_words words) {
    const char *ends = v.kind == VALUE_TUPLE ? "()" : v.kind == VALUE_LIST ? "[]" : "{}";
    strbuf_add_char(buf, ends[0]);
    for (size_t i = 0; i < v.list.count; i++) {
        bool is_value = v.kind == VALUE_DICT && i % 2;
        strbuf_add(buf, i == 0 ? "" : is_value ? ": " : ", ");
        value_print(buf, v.list.items[i], words == WORDS_STR ? WORDS_REPR : words);
    }
    if (v.kind == VALUE_TUPLE && v.list.count == 1) {
        strbuf_add_char(buf, ',');
    }
    strbuf_add_char(buf, ends[1]);
}

void value_print(struct strbuf *buf, struct value v, enum value_words words) {
    struct arena *scratch = NULL;
    switch (v.kind) {
    case VALUE_BOOL:
        strbuf_add(buf, v.boolean ? "True" : "False");
        break;
    case VALUE_INT:
        wide_int_print(buf, v.integer);
        break;
    case VALUE_FLOAT:
        print_double(buf, v.number);
        break;
    case VALUE_STRING:
        if (words != WORDS_STR) {
            print_string(buf, v);
        } else {
            strbuf_add_bytes(buf, v.string.bytes, v.string.length);
        }
        break;
    case VALUE_TUPLE:
    case VALUE_LIST:
    case VALUE_DICT:
        print_items(buf, v, words);
        break;
    case VALUE_DTYPE:
        scratch = arena_create();
        strbuf_add(buf, words == WORDS_REPR  ? dtype_repr(scratch, v.dtype)
                        : words == WORDS_STR ? dtype_str(scratch, v.dtype)
                        : v.dtype.pointers   ? dtype_name(scratch, v.dtype)
                                             : dtype_signature(scratch, v.dtype));
        break;
    case VALUE_FUNCTION:
        strbuf_add(buf, v.function->name);
        break;
    case VALUE_SYMBOL:
        strbuf_add(buf, v.symbol);
        break;
    default:
        scratch = arena_create();
        strbuf_add(buf, value_type_name(scratch, v));
        break;
    }
    if (scratch) {
        arena_destroy(scratch);
    }
}

const char *value_text(struct arena *arena, struct value v) {
    struct strbuf buf = {0};
    value_print(&buf, v, WORDS_STR);
    const char *text = arena_strndup(arena, strbuf_text(&buf), buf.length);
    strbuf_free(&buf);
    return text;
}
