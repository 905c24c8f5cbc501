// f-strings and str.format: literal parts and constants, with a format after a colon (format.c).
#include <string.h>

#include "frontend/eval/walk.h"

static bool holds_argument(struct value v) {
    struct value_list parts = value_parts(v);
    bool holds = v.kind == VALUE_SYMBOL;
    for (size_t i = 0; i < parts.count && !holds; i++) {
        holds = holds_argument(parts.items[i]);
    }
    return holds;
}

bool has_text(struct emitter *e, struct value v, struct location location) {
    if (holds_argument(v)) {
        emit_error(e, location, "which number a kernel argument is, is known at launch: it has no text here");
        return false;
    }
    return true;
}

// Appends a value by its conversion (r, s or 0) and format.
static bool add_value(struct emitter *e, struct strbuf *buf, struct value v, char conversion,
                      const char *format, size_t length, struct location location) {
    if (length && conversion) {
        struct strbuf text = {0};
        value_print(&text, v, conversion == 'r' ? WORDS_REPR : WORDS_STR);
        v = value_string_n(e->arena, strbuf_text(&text), text.length);
        strbuf_free(&text);
    }
    if (!length) {
        value_print(buf, v, conversion == 'r' ? WORDS_REPR : WORDS_STR);
        return true;
    }
    return format_value(buf, v, format, length) ||
           (emit_error(e, location, "the format '%.*s' of %s is not supported", (int)length, format,
                       value_type_name(e->arena, v)),
            false);
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
    if (v.kind == VALUE_TENSOR && e->frame->is_jit && !e->frame->file->library) {
        emit_error(
            e, part->location,
            "an f-string is text of compile time, and this is %s: give print the value as an argument of its "
            "own (print(\"n is\", n))",
            value_type_name(e->arena, v));
        return false;
    }
    if (!has_text(e, v, part->location)) {
        return false;
    }
    if (part->text) {
        strbuf_add_bytes(buf, part->text, part->length);
    }
    struct value format = part->format ? eval(e, part->format) : value_string(e->arena, "");
    if (value_failed(format)) {
        return false;
    }
    bool repr = part->text && !part->conversion && !format.string.length; // f"{x=}"
    return add_value(e, buf, v, repr ? 'r' : (char)part->conversion, format.string.bytes,
                     format.string.length, part->location);
}

struct value eval_fstring(struct emitter *e, const struct expr *expr) {
    struct strbuf buf = {0};
    bool ok = true;
    for (size_t i = 0; i < expr->fstring.count && ok; i++) {
        ok = emit_check_weight(e, buf.length / 16, expr->location);
        const struct fstring_part *part = &expr->fstring.parts[i];
        if (part->value) {
            ok = ok && add_field(e, &buf, part);
        } else {
            strbuf_add_bytes(&buf, part->text, part->length);
        }
    }
    struct value result = ok ? value_string_n(e->arena, strbuf_text(&buf), buf.length) : value_error();
    strbuf_free(&buf);
    return result;
}

// ---- str.format ----

struct fields {
    struct value_list args;
    struct value named;
    size_t next; // of the fields without a number
};

// The value of a field by its name: "", "0" or "x".
static bool find_field(struct emitter *e, struct fields *fields, const char *name, size_t length,
                       struct location location, struct value *out) {
    size_t digits = 0, number = 0;
    for (; digits < length && name[digits] >= '0' && name[digits] <= '9' && digits < 9; digits++) {
        number = 10 * number + (size_t)(name[digits] - '0');
    }
    if (digits == length) {
        number = length ? number : fields->next++;
        if (number < fields->args.count) {
            *out = fields->args.items[number];
            return true;
        }
        emit_error(e, location, "format() has no argument %zu", number);
        return false;
    }
    const struct value *found = value_dict_get(fields->named, value_string_n(e->arena, name, length));
    if (!found) {
        emit_error(e, location,
                   "format() has no argument %.*s; attributes and elements of one are not supported",
                   (int)length, name);
        return false;
    }
    *out = *found;
    return true;
}

// A field without its braces: name, !conversion, :format.
static bool format_field(struct emitter *e, struct strbuf *buf, struct fields *fields, const char *at,
                         size_t length, struct location location) {
    const char *end = at + length, *name_end = at;
    while (name_end < end && *name_end != '!' && *name_end != ':') {
        name_end++;
    }
    char conversion = name_end + 1 < end && *name_end == '!' ? name_end[1] : 0;
    const char *format = conversion ? name_end + 2 : name_end;
    bool known = !conversion || conversion == 'r' || conversion == 's';
    if (!known || (format < end && *format != ':') || memchr(at, '{', length)) {
        emit_error(e, location, "the field {%.*s} of format() is not supported", (int)length, at);
        return false;
    }
    format += format < end;
    struct value v, constant;
    if (!find_field(e, fields, at, (size_t)(name_end - at), location, &v) || !has_text(e, v, location)) {
        return false;
    }
    v = v.kind == VALUE_TENSOR && v.tensor.rank == 0 && tensor_constant(e, v, &constant) ? constant : v;
    return add_value(e, buf, v, conversion, format, (size_t)(end - format), location);
}

struct value eval_format(struct emitter *e, struct value text, struct value_list args, struct value named,
                         struct location location) {
    struct fields fields = {args, named, 0};
    struct strbuf buf = {0};
    const char *at = text.string.bytes, *end = at + text.string.length;
    bool ok = true;
    while (at < end && ok) {
        bool doubled = at + 1 < end && at[0] == at[1] && (*at == '{' || *at == '}');
        const char *close = *at == '{' && !doubled ? memchr(at, '}', (size_t)(end - at)) : NULL;
        if (close) {
            ok = format_field(e, &buf, &fields, at + 1, (size_t)(close - at - 1), location) &&
                 emit_check_weight(e, buf.length / 16, location);
            at = close + 1;
        } else if (doubled || (*at != '{' && *at != '}')) {
            strbuf_add_bytes(&buf, at, 1);
            at += doubled ? 2 : 1;
        } else {
            emit_error(e, location, "a single '%c' in the text of format(); write it twice", *at);
            ok = false;
        }
    }
    struct value result = ok ? value_string_n(e->arena, strbuf_text(&buf), buf.length) : value_error();
    strbuf_free(&buf);
    return result;
}
