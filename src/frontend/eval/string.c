// f-strings: literal parts and constants; a format after a colon understands what kernels print (widths, d,
// x, f, e, g).
#include <stdio.h>
#include <string.h>

#include "frontend/eval/walk.h"

// Formats a number by a Python format of the form [0][width][.precision][type].
static bool format_number(struct strbuf *buf, struct value v, const char *format) {
    char pattern[32], type = 0;
    size_t length = strlen(format);
    if (length > 16 || strspn(format, "0123456789.+ -") + 1 < length) {
        return false;
    }
    if (length && strspn(format, "0123456789.+ -") < length) {
        type = format[--length];
    }
    if (strchr("fFeEgG", type) ? type != 0 : v.kind == VALUE_FLOAT) {
        snprintf(pattern, sizeof pattern, "%%%.*s%c", (int)length, format, type ? type : 'g');
        char text[400];
        snprintf(text, sizeof text, pattern, value_number(v));
        strbuf_add(buf, text);
        return true;
    }
    if (value_is_integral(v) && (type == 0 || strchr("dxXo", type))) {
        snprintf(pattern, sizeof pattern, "%%%.*sll%c", (int)length, format, type ? type : 'd');
        char text[400];
        snprintf(text, sizeof text, pattern, (long long)value_integer(v));
        strbuf_add(buf, text);
        return true;
    }
    return false;
}

static bool add_field(struct emitter *e, struct strbuf *buf, const struct fstring_part *part) {
    struct value v = eval(e, part->value);
    if (value_failed(v)) {
        return false;
    }
    struct value constant;
    if (tensor_constant(e, v, &constant) && v.tensor.rank == 0) {
        v = constant;
    }
    if (part->text) {
        strbuf_add_bytes(buf, part->text, part->length);
    }
    if (part->format) {
        struct value format = eval(e, part->format);
        if (value_failed(format)) {
            return false;
        }
        if (format.string.length && value_is_number(v)) {
            if (!format_number(buf, v, format.string.bytes)) {
                emit_error(e, part->location, "the format '%s' is not supported", format.string.bytes);
                return false;
            }
            return true;
        }
    }
    value_print(buf, v, part->conversion == 'r' || (part->text && !part->conversion));
    return true;
}

struct value eval_fstring(struct emitter *e, const struct expr *expr) {
    struct strbuf buf = {0};
    bool ok = true;
    for (size_t i = 0; i < expr->fstring.count && ok; i++) {
        const struct fstring_part *part = &expr->fstring.parts[i];
        if (part->value) {
            ok = add_field(e, &buf, part);
        } else {
            strbuf_add_bytes(&buf, part->text, part->length);
        }
    }
    struct value result = ok ? value_string_n(e->arena, strbuf_text(&buf), buf.length) : value_error();
    strbuf_free(&buf);
    return result;
}
