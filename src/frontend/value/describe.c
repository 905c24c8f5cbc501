// Values as text: for messages, and as Python prints them.
#include "frontend/value/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const class_names[] = {[CLASS_CONFIG] = "triton.Config",
                                          [CLASS_PROPAGATE_NAN] = "tl.PropagateNan",
                                          [CLASS_GPU_TARGET] = "GPUTarget",
                                          [CLASS_DEVICE] = "device properties",
                                          [CLASS_MODULE_SPEC] = "ModuleSpec",
                                          [CLASS_MODULE_LOADER] = "Loader",
                                          [CLASS_FINFO] = "torch.finfo",
                                          [CLASS_IINFO] = "torch.iinfo",
                                          [CLASS_CONSTEXPR_TYPE] = "tl.constexpr_type",
                                          [CLASS_NAMED_TUPLE] = "NamedTuple",
                                          [CLASS_AGGREGATE] = "aggregate"};

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
        return value_is_set(v) ? "set" : "tuple";
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

enum { DOUBLE_DIGITS = 17 }; // decimal digits to identify any double

// Increments the digits "d.ddd" by one unit of the last place; false if the result has one more digit.
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

// The shortest "d.ddde+XX" that reads back as the given finite, non-negative double. At a power of two the
// interval of decimals that read back extends twice as far up as down: the nearest decimal may be just below
// the interval, and the next one above it inside.
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

// Prints a double like Python: the shortest text that reads back as the same double, with an exponent below
// 1e-4 and from 1e16 on.
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
        int at = exponent - place; // of the digit for 10 ** place
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
    bool is_tuple = v.kind == VALUE_TUPLE && !value_is_set(v);
    const char *ends = is_tuple ? "()" : v.kind == VALUE_LIST ? "[]" : "{}";
    strbuf_add_char(buf, ends[0]);
    for (size_t i = 0; i < v.list.count; i++) {
        bool is_value = v.kind == VALUE_DICT && i % 2;
        strbuf_add(buf, i == 0 ? "" : is_value ? ": " : ", ");
        value_print(buf, v.list.items[i], words == WORDS_STR ? WORDS_REPR : words);
    }
    if (is_tuple && v.list.count == 1) {
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
