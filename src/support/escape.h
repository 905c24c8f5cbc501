// Quotes text from outside (paths, names, values of constants) for a format with special characters.
// Arbitrary bytes can neither end the surrounding construct nor hide a part of it. All quoting for artifacts
// and terminals is here.
#ifndef TKC_SUPPORT_ESCAPE_H
#define TKC_SUPPORT_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "support/strbuf.h"

enum escape {
    ESCAPE_JSON,    // between double quotes; the JSON stays valid UTF-8: invalid bytes become U+FFFD
    ESCAPE_STRING,  // between double quotes in C and C++: the same bytes, with and without trigraphs
    ESCAPE_COMMENT, // in a // comment of C
    ESCAPE_LINE,    // in a line of a message
    ESCAPE_MESSAGE, // in a message of several lines and tabs
    ESCAPE_COLUMNS, // a source line above its caret line: one column a character, tabs stay
    ESCAPE_MAKE,    // a path in a rule of make; see escape_fits_make
    ESCAPE_TARGET,  // the same before the rule's colon
    ESCAPE_HTML,    // text and quoted attributes of HTML; tabs stay
};

void escape_add(struct strbuf *out, enum escape form, const char *text, size_t length);
void escape_add_text(struct strbuf *out, enum escape form, const char *text); // up to its NUL

// make cannot name a path with a line break.
bool escape_fits_make(const char *path);

// Bytes of the UTF-8 character at `text`, 1 to 4; 0 if it is none.
size_t escape_utf8(const char *text, size_t length, unsigned *code);

#endif
