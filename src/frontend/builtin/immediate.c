// Immediates of inline assembly: operands under the constraint "n" or "i" are numbers of the text.
//
//   "lop3.b32 $0, $1, $1, $1, $2;", "=r,r,n", [x, 0x96]   →   "lop3.b32 $0, $1, $1, $1, 150;", "=r,r", [x]
//
// LLVM wants a constant there when it selects instructions, and by then a tile's constant may be in a register.
#include "frontend/builtin/immediate.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/builtin/handler.h"
#include "support/strbuf.h"

enum { MOST_PLACES = 1024 };

// The places $0, $1 … of the text.
struct places {
    const char *number[MOST_PLACES]; // that replaces it; NULL: it stays, as
    size_t now[MOST_PLACES];
    size_t count;
};

static const char *next_constraint(const char *at, size_t *length) {
    *length = strcspn(at, ",");
    return *length ? at : NULL;
}

static bool is_immediate(const char *constraint, size_t length) {
    return length == 1 && (*constraint == 'n' || *constraint == 'i');
}

static bool has_immediate(const char *constraints) {
    for (const char *at = constraints; *at; at += strcspn(at, ","), at += *at == ',') {
        if (is_immediate(at, strcspn(at, ","))) {
            return true;
        }
    }
    return false;
}

// The text with the places as they are now. `$$` is a dollar sign, `${1:x}` a place with a modifier.
static const char *replaced(struct emitter *e, const char *text, const struct places *places) {
    struct strbuf out = {0};
    for (const char *at = text; *at;) {
        size_t plain = strcspn(at, "$");
        strbuf_add_bytes(&out, at, plain);
        at += plain;
        bool braces = at[0] == '$' && at[1] == '{';
        if (*at && !isdigit((unsigned char)at[1 + braces])) {
            size_t copied = at[1] ? 2 : 1;
            strbuf_add_bytes(&out, at, copied);
            at += copied;
            continue;
        }
        if (!*at) {
            break;
        }
        char *end;
        unsigned long place = strtoul(at + 1 + braces, &end, 10);
        const char *number = place < places->count ? places->number[place] : NULL;
        if (number) {
            end = braces ? end + strcspn(end, "}") + (strchr(end, '}') != NULL) : end;
            strbuf_add(&out, number);
        } else {
            strbuf_printf(&out, "$%s%zu", braces ? "{" : "",
                          place < places->count ? places->now[place] : place);
        }
        at = end;
    }
    const char *result = arena_strndup(e->arena, strbuf_text(&out), out.length);
    strbuf_free(&out);
    return result;
}

static const char *number_of(struct emitter *e, struct value operand, struct location at) {
    struct value constant;
    if (!tensor_constant(e, operand, &constant) || !value_is_integral(constant)) {
        emit_error(e, at,
                   "an operand of inline assembly under the constraint n is a constant integer, not %s",
                   describe(e, operand));
        return NULL;
    }
    return value_text(e->arena, constant);
}

bool asm_immediates(struct emitter *e, const char **text, const char **constraints, int64_t pack,
                    struct value *operands, size_t *count, struct location at) {
    if (!has_immediate(*constraints)) {
        return true;
    }
    struct places places = {{0}, {0}, 0};
    struct strbuf left = {0};
    size_t operand = 0, kept = 0, registers = 0, now = 0, length;
    const char *number = NULL;
    bool ok = true;
    for (const char *c = *constraints; ok && places.count < MOST_PLACES && (c = next_constraint(c, &length));
         c += length, c += *c == ',') {
        bool is_input = *c != '=' && *c != '~';
        if (is_input && registers == 0 && operand < *count) { // the first register of an operand
            unsigned bits = dtype_bits(element(operands[operand]));
            registers = bits >= 32 ? (size_t)pack : (bits * (size_t)pack + 31) / 32;
            number = is_immediate(c, length) ? number_of(e, operands[operand], at) : NULL;
            ok = !is_immediate(c, length) || number;
            operands[kept] = operands[operand++];
            kept += number == NULL;
        }
        registers -= is_input && registers > 0;
        if (*c != '~') {
            places.number[places.count] = is_input ? number : NULL;
            places.now[places.count++] = now;
            now += !is_input || !number;
        }
        if (!is_input || !number) {
            strbuf_printf(&left, "%s%.*s", left.length ? "," : "", (int)length, c);
        }
    }
    *text = replaced(e, *text, &places);
    *constraints = arena_strndup(e->arena, strbuf_text(&left), left.length);
    *count = kept;
    strbuf_free(&left);
    return ok;
}
