// A recursive descent over RFC 8259.
#include "support/json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/escape.h"
#include "support/strbuf.h"

struct reader {
    struct arena *arena;
    const char *start, *at;
    const char *why; // the first fault
    int depth;
};

static bool fault(struct reader *r, const char *why) {
    r->why = r->why ? r->why : why;
    return false;
}

static void skip_space(struct reader *r) {
    r->at += strspn(r->at, " \t\r\n");
}

static bool expect(struct reader *r, char c, const char *why) {
    skip_space(r);
    if (*r->at != c) {
        return fault(r, why);
    }
    r->at++;
    return true;
}

// Four hexadecimal digits.
static bool read_code(struct reader *r, unsigned *code) {
    *code = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        static const char digits[] = "0123456789abcdef";
        const char *digit =
            *r->at ? strchr(digits, *r->at | ('A' <= *r->at && *r->at <= 'F' ? 32 : 0)) : NULL;
        if (!digit) {
            return fault(r, "four hexadecimal digits");
        }
        *code = *code * 16 + (unsigned)(digit - digits);
    }
    return true;
}

static void add_utf8(struct strbuf *out, unsigned code) {
    if (code < 0x80) {
        strbuf_add_char(out, (char)code);
    } else if (code < 0x800) {
        strbuf_add_char(out, (char)(0xc0 | code >> 6));
        strbuf_add_char(out, (char)(0x80 | (code & 0x3f)));
    } else if (code < 0x10000) {
        strbuf_add_char(out, (char)(0xe0 | code >> 12));
        strbuf_add_char(out, (char)(0x80 | (code >> 6 & 0x3f)));
        strbuf_add_char(out, (char)(0x80 | (code & 0x3f)));
    } else {
        strbuf_add_char(out, (char)(0xf0 | code >> 18));
        strbuf_add_char(out, (char)(0x80 | (code >> 12 & 0x3f)));
        strbuf_add_char(out, (char)(0x80 | (code >> 6 & 0x3f)));
        strbuf_add_char(out, (char)(0x80 | (code & 0x3f)));
    }
}

static bool read_escape(struct reader *r, struct strbuf *out) {
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *letter = *r->at ? strchr(letters, *r->at) : NULL;
    unsigned code, low;
    if (letter) {
        strbuf_add_char(out, meant[letter - letters]);
        r->at++;
        return true;
    }
    if (*r->at != 'u') { // possibly the end of the text
        return fault(r, "an escape");
    }
    r->at++;
    if (!read_code(r, &code)) {
        return false;
    }
    if (code >= 0xd800 && code < 0xdc00) {
        if (r->at[0] != '\\' || r->at[1] != 'u') {
            return fault(r, "the second half of a surrogate pair");
        }
        r->at += 2;
        if (!read_code(r, &low) || low < 0xdc00 || low > 0xdfff) {
            return fault(r, "the second half of a surrogate pair");
        }
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xdc00 && code < 0xe000) {
        return fault(r, "the first half of a surrogate pair");
    }
    if (code == 0) {
        return fault(r, "a character other than U+0000");
    }
    add_utf8(out, code);
    return true;
}

static bool read_string(struct reader *r, const char **text) {
    struct strbuf out = {0};
    bool ok = expect(r, '"', "a string");
    while (ok && *r->at != '"') {
        if ((unsigned char)*r->at < 0x20) {
            ok = fault(r, "the end of a string");
        } else if (*r->at == '\\') {
            r->at++;
            ok = read_escape(r, &out);
        } else {
            unsigned code;
            size_t count = escape_utf8(r->at, strnlen(r->at, 4), &code);
            ok = count || fault(r, "UTF-8");
            strbuf_add_bytes(&out, r->at, count);
            r->at += count;
        }
    }
    r->at += ok;
    *text = arena_strdup(r->arena, strbuf_text(&out));
    strbuf_free(&out);
    return ok;
}

static bool read_number(struct reader *r, struct json *value) {
    size_t length = strspn(r->at, "+-.0123456789eE");
    const char *text = arena_strndup(r->arena, r->at, length);
    char *end;
    value->number = strtod(text, &end);
    if (!length || *end || end == text || *text == '+' || *text == '.') {
        return fault(r, "a value");
    }
    if (!isfinite(value->number)) {
        return fault(r, "a number that a double holds");
    }
    value->kind = JSON_NUMBER;
    value->text = text;
    r->at += length;
    return true;
}

static bool read_value(struct reader *r, struct json *value);

static void add_item(struct reader *r, struct json *to, size_t *room, const char *name, struct json item) {
    size_t name_room = *room;
    to->names = arena_grown(r->arena, to->names, to->count, &name_room, sizeof *to->names);
    to->items = arena_grown(r->arena, to->items, to->count, room, sizeof *to->items);
    to->names[to->count] = name;
    to->items[to->count++] = item;
}

// Reads the items between brackets: values, or names and values.
static bool read_items(struct reader *r, struct json *value, char close) {
    size_t room = 0;
    r->at++;
    skip_space(r);
    if (*r->at == close) {
        r->at++;
        return true;
    }
    for (;;) {
        const char *name = NULL;
        struct json item;
        if (value->kind == JSON_OBJECT && (!read_string(r, &name) || !expect(r, ':', "a colon"))) {
            return false;
        }
        if (!read_value(r, &item)) {
            return false;
        }
        add_item(r, value, &room, name, item);
        skip_space(r);
        if (*r->at == close) {
            r->at++;
            return true;
        }
        if (!expect(r, ',', close == ']' ? "a comma or ]" : "a comma or }")) {
            return false;
        }
    }
}

static bool read_word(struct reader *r, struct json *value) {
    static const struct {
        const char *word;
        struct json value;
    } words[] = {{"null", {.kind = JSON_NULL}},
                 {"true", {.kind = JSON_BOOL, .truth = true}},
                 {"false", {.kind = JSON_BOOL}}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i].word);
        if (strncmp(r->at, words[i].word, length) == 0) {
            *value = words[i].value;
            r->at += length;
            return true;
        }
    }
    return false;
}

static bool read_value(struct reader *r, struct json *value) {
    *value = (struct json){0};
    skip_space(r);
    if (++r->depth > JSON_NESTING) {
        return fault(r, "less nesting");
    }
    bool ok;
    switch (*r->at) {
    case '{':
        value->kind = JSON_OBJECT;
        ok = read_items(r, value, '}');
        break;
    case '[':
        value->kind = JSON_ARRAY;
        ok = read_items(r, value, ']');
        break;
    case '"':
        value->kind = JSON_STRING;
        ok = read_string(r, &value->text);
        break;
    default:
        ok = read_word(r, value) || read_number(r, value);
    }
    r->depth--;
    return ok;
}

const struct json *json_parse(struct arena *arena, const char *text, const char **why, size_t *at) {
    struct reader r = {.arena = arena, .start = text, .at = text};
    struct json *value = ARENA_NEW(arena, struct json);
    bool ok = read_value(&r, value);
    skip_space(&r);
    if (ok && *r.at) {
        ok = fault(&r, "the end");
    }
    *why = r.why;
    *at = (size_t)(r.at - r.start);
    return ok ? value : NULL;
}

const struct json *json_member(const struct json *of, const char *name) {
    for (size_t i = 0; of && of->kind == JSON_OBJECT && i < of->count; i++) {
        if (strcmp(of->names[i], name) == 0) {
            return &of->items[i];
        }
    }
    return NULL;
}

const char *json_text(const struct json *of, const char *name) {
    const struct json *member = json_member(of, name);
    return member && member->kind == JSON_STRING ? member->text : NULL;
}

bool json_integer(const struct json *value, long long *out) {
    if (!value || value->kind != JSON_NUMBER) {
        return false;
    }
    char *end;
    errno = 0;
    *out = strtoll(value->text, &end, 10);
    return !*end && !errno;
}
