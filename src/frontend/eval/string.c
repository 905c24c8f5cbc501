// f-strings: literal parts and constants, with a format after a colon (format.c).
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

static bool add_field(struct emitter *e, struct strbuf *buf, const struct fstring_part *part) {
    struct value v = eval(e, part->value);
    if (value_failed(v)) {
        return false;
    }
    struct value constant;
    if (tensor_constant(e, v, &constant) && v.tensor.rank == 0) {
        v = constant;
    }
    if (!has_text(e, v, part->location)) {
        return false;
    }
    if (part->text) {
        strbuf_add_bytes(buf, part->text, part->length);
    }
    if (part->format) {
        struct value format = eval(e, part->format);
        if (value_failed(format)) {
            return false;
        }
        if (format.string.length && part->conversion) {
            struct strbuf text = {0};
            value_print(&text, v, part->conversion == 'r' ? WORDS_REPR : WORDS_STR);
            v = value_string_n(e->arena, strbuf_text(&text), text.length);
            strbuf_free(&text);
        }
        if (format.string.length) {
            return format_value(buf, v, format.string.bytes, format.string.length) ||
                   (emit_error(e, part->location, "the format '%s' of %s is not supported",
                               format.string.bytes, value_type_name(e->arena, v)),
                    false);
        }
    }
    bool repr = part->conversion == 'r' || (part->text && !part->conversion);
    value_print(buf, v, repr ? WORDS_REPR : WORDS_STR);
    return true;
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
