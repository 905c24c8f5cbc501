// Escaping, one character at a time.
#include "support/escape.h"

#include <stdint.h>
#include <string.h>

size_t escape_utf8(const char *text, size_t length, unsigned *code) {
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)*text;
    size_t count = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (count == 1) {
        *code = first;
        return 1;
    }
    if (first < 0xc0 || first >= 0xf8 || count > length) {
        return 0;
    }
    *code = first & (0x7fu >> count);
    for (size_t i = 1; i < count; i++) {
        unsigned char next = (unsigned char)text[i];
        if ((next & 0xc0) != 0x80) {
            return 0;
        }
        *code = *code << 6 | (next & 0x3f);
    }
    bool surrogate = *code >= 0xd800 && *code < 0xe000;
    return *code < least[count] || *code > 0x10ffff || surrogate ? 0 : count;
}

// True for characters that end a line, move the cursor, change the writing direction or are invisible.
static bool is_hidden(unsigned code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
           (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

// A hidden character as a number, in the form's notation.
static void add_number(struct strbuf *out, enum escape form, unsigned code) {
    if (form == ESCAPE_COLUMNS) {
        strbuf_add(out, "\xef\xbf\xbd"); // U+FFFD: one column
    } else if (form == ESCAPE_JSON || code > 0xff) {
        strbuf_printf(out, "\\u%04x", code);
    } else {
        strbuf_printf(out, "\\x%02x", code);
    }
}

static void add_invalid(struct strbuf *out, enum escape form, unsigned char byte) {
    if (form == ESCAPE_JSON) {
        strbuf_add(out, "\\ufffd");
    } else {
        add_number(out, form, byte);
    }
}

// Always three octal digits: a following digit cannot join them. Question marks are escaped against
// trigraphs.
static void add_for_string(struct strbuf *out, const char *text, size_t length) {
    for (size_t i = 0; i < length;) {
        unsigned code = 0;
        size_t count = escape_utf8(text + i, length - i, &code);
        bool plain = count && !is_hidden(code);
        for (size_t end = i + (count ? count : 1); i < end; i++) {
            bool marked = text[i] == '"' || text[i] == '\\' || text[i] == '?';
            strbuf_printf(out, marked ? "\\%c" : plain ? "%c" : "\\%03o", (unsigned char)text[i]);
        }
    }
}

// Puts a backslash before make's syntax characters, and doubles the backslashes right before them.
static void add_for_make(struct strbuf *out, bool target, const char *text, size_t length) {
    size_t backslashes = 0;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '$') {
            strbuf_add_char(out, '$');
        } else if (c == ' ' || c == '\t' || c == '#' || c == ':' || (c == '%' && target)) {
            for (size_t k = 0; k < backslashes; k++) {
                strbuf_add_char(out, '\\');
            }
            strbuf_add_char(out, '\\');
        }
        backslashes = c == '\\' ? backslashes + 1 : 0;
        strbuf_add_char(out, c);
    }
}

bool escape_fits_make(const char *path) {
    return !path[strcspn(path, "\n\r")];
}

// The name of a character that HTML has a meaning for; NULL: it has none.
static const char *html_name(unsigned code) {
    switch (code) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

static bool stays(enum escape form, unsigned code) {
    if (code == '\t') {
        return form == ESCAPE_MESSAGE || form == ESCAPE_COLUMNS || form == ESCAPE_HTML;
    }
    return code == '\n' ? form == ESCAPE_MESSAGE : !is_hidden(code);
}

void escape_add(struct strbuf *out, enum escape form, const char *text, size_t length) {
    if (form == ESCAPE_STRING) {
        add_for_string(out, text, length);
        return;
    }
    if (form == ESCAPE_MAKE || form == ESCAPE_TARGET) {
        add_for_make(out, form == ESCAPE_TARGET, text, length);
        return;
    }
    for (size_t i = 0; i < length;) {
        unsigned code = 0;
        size_t count = escape_utf8(text + i, length - i, &code);
        if (!count) {
            add_invalid(out, form, (unsigned char)text[i++]);
            continue;
        }
        if (form == ESCAPE_JSON && (code == '"' || code == '\\')) {
            strbuf_printf(out, "\\%c", (char)code);
        } else if (form == ESCAPE_HTML && html_name(code)) {
            strbuf_add(out, html_name(code));
        } else if (!stays(form, code)) {
            add_number(out, form, code);
        } else if (form == ESCAPE_COMMENT &&
                   ((code == '\\' && i + 1 == length) || (code == '?' && i && text[i - 1] == '?'))) {
            add_number(out, form, code); // a line continuation, plain or as a trigraph
        } else {
            strbuf_add_bytes(out, text + i, count);
        }
        i += count;
    }
}

void escape_add_text(struct strbuf *out, enum escape form, const char *text) {
    escape_add(out, form, text, strlen(text));
}
