// Python's format specifications: [[fill]align][sign][0][width][.precision][type]. What is not Python's to the letter here
// ('#', 'z', grouping, 'n', a precision without a type) is refused, not approximated.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "frontend/eval/walk.h"
#include "support/escape.h"

enum { WIDTH_MAX = 4096, PRECISION_MAX = 100 };

struct format {
    char fill[5]; // one character
    char align;   // < > ^ =; 0: as the value's type has it
    char sign;    // + - or a space; 0: not given
    bool zeros;   // a 0 before the width
    int width;
    int precision; // -1: none
    char type;     // 0: none
};

static bool read_number(const char **at, const char *end, int limit, int *out) {
    *out = 0;
    while (*at < end && isdigit((unsigned char)**at)) {
        *out = *out * 10 + (*(*at)++ - '0');
        if (*out > limit) {
            return false;
        }
    }
    return true;
}

static bool is_align(const char *at, const char *end) {
    return at < end && strchr("<>^=", *at) && *at;
}

static bool read_format(const char *at, const char *end, struct format *f) {
    *f = (struct format){.precision = -1};
    unsigned code;
    size_t first = at < end ? escape_utf8(at, (size_t)(end - at), &code) : 0;
    if (first && is_align(at + first, end)) {
        memcpy(f->fill, at, first);
        f->fill[first] = 0;
        f->align = at[first];
        at += first + 1;
    } else if (is_align(at, end)) {
        f->align = *at++;
    }
    if (at < end && *at && strchr("+- ", *at)) {
        f->sign = *at++;
    }
    if (at < end && *at == '0') {
        at++;
        f->zeros = true;
    }
    if (!*f->fill) {
        strcpy(f->fill, f->zeros ? "0" : " ");
    }
    if (!read_number(&at, end, WIDTH_MAX, &f->width)) {
        return false;
    }
    if (at < end && *at == '.') {
        at++;
        if (at == end || !isdigit((unsigned char)*at) ||
            !read_number(&at, end, PRECISION_MAX, &f->precision)) {
            return false;
        }
    }
    if (at < end) {
        f->type = *at++;
    }
    return at == end;
}

static size_t characters(const char *text, size_t length) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    }
    return count;
}

static void fill(struct strbuf *buf, const struct format *f, size_t count) {
    for (size_t i = 0; i < count; i++) {
        strbuf_add(buf, f->fill);
    }
}

// sign and digits, or a string (no sign), in the width.
static void pad(struct strbuf *buf, const struct format *f, const char *sign, const char *text, size_t length,
                char align) {
    size_t taken = strlen(sign) + characters(text, length);
    size_t space = (size_t)f->width > taken ? (size_t)f->width - taken : 0;
    size_t before = align == '>' ? space : align == '^' ? space / 2 : 0;
    fill(buf, f, before);
    strbuf_add(buf, sign);
    fill(buf, f, align == '=' ? space : 0);
    strbuf_add_bytes(buf, text, length);
    fill(buf, f, align == '<' ? space : align == '^' ? space - before : 0);
}

static void pad_number(struct strbuf *buf, const struct format *f, bool negative, const char *digits) {
    const char *sign = negative ? "-" : f->sign == '+' ? "+" : f->sign == ' ' ? " " : "";
    pad(buf, f, sign, digits, strlen(digits), f->align ? f->align : f->zeros ? '=' : '>');
}

static bool format_integer(struct strbuf *buf, const struct format *f, wide_int value) {
    char digits[130];
    size_t at = sizeof digits;
    unsigned base = !f->type || f->type == 'd' ? 10 : f->type == 'o' ? 8 : f->type == 'b' ? 2 : 16;
    if (f->precision >= 0 || (f->type && !strchr("dxXob", f->type))) {
        return false;
    }
    __extension__ unsigned __int128 rest = value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;
    digits[--at] = 0;
    do {
        digits[--at] = (f->type == 'X' ? "0123456789ABCDEF" : "0123456789abcdef")[rest % base];
        rest /= base;
    } while (rest);
    pad_number(buf, f, value < 0, digits + at);
    return true;
}

static bool format_float(struct strbuf *buf, const struct format *f, double value) {
    char digits[512], pattern[8];
    bool percent = f->type == '%', negative = signbit(value) && !isnan(value);
    double magnitude = fabs(percent ? value * 100 : value);
    if (!f->type) {
        struct strbuf text = {0};
        value_print(&text, value_float(magnitude), WORDS_STR);
        pad_number(buf, f, negative, strbuf_text(&text));
        strbuf_free(&text);
        return f->precision < 0;
    }
    if (!strchr("fFeEgG%", f->type)) {
        return false;
    }
    snprintf(pattern, sizeof pattern, "%%.*%c", percent ? 'f' : f->type);
    snprintf(digits, sizeof digits, pattern, f->precision < 0 ? 6 : f->precision, magnitude);
    strcat(digits, percent ? "%" : "");
    pad_number(buf, f, negative, digits);
    return true;
}

static bool format_string(struct strbuf *buf, const struct format *f, const char *text, size_t length) {
    if ((f->type && f->type != 's') || f->align == '=' || f->sign) {
        return false;
    }
    if (f->precision >= 0 && characters(text, length) > (size_t)f->precision) {
        size_t kept = 0;
        for (length = 0; kept < (size_t)f->precision || ((unsigned char)text[length] & 0xc0) == 0x80;
             length++) {
            kept += ((unsigned char)text[length] & 0xc0) != 0x80;
        }
    }
    pad(buf, f, "", text, length, f->align ? f->align : '<');
    return true;
}

bool format_value(struct strbuf *buf, struct value v, const char *text, size_t length) {
    struct format f;
    if (!read_format(text, text + length, &f)) {
        return false;
    }
    if (v.kind == VALUE_STRING) {
        return format_string(buf, &f, v.string.bytes, v.string.length);
    }
    bool real = v.kind == VALUE_FLOAT || (f.type && strchr("fFeEgG%", f.type));
    if (value_is_number(v) && real) {
        return format_float(buf, &f, value_number(v));
    }
    return value_is_integral(v) && format_integer(buf, &f, value_integer(v));
}
