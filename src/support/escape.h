// Text from outside (paths, names, values of constants) inside a text that has rules of its own. Whatever the bytes are, they
// end nothing around them and hide nothing: this is the only place that quotes for an artifact or a terminal.
#ifndef TKC_SUPPORT_ESCAPE_H
#define TKC_SUPPORT_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "support/strbuf.h"

enum escape {
    ESCAPE_JSON,   // between double quotes; the JSON stays valid UTF-8, bytes that are none become U+FFFD
    ESCAPE_STRING, // between double quotes in C and C++: the same bytes, also to compilers that know trigraphs
    ESCAPE_COMMENT, // in a // comment of C
    ESCAPE_LINE,    // in a line of a message
    ESCAPE_MESSAGE, // in a message, which may have several lines and tabs
    ESCAPE_COLUMNS, // a line of source above its caret line: every character takes one column, but for tabs
    ESCAPE_MAKE,    // a path in a rule of make; see escape_fits_make
    ESCAPE_TARGET,  // the same before the rule's colon
};

void escape_add(struct strbuf *out, enum escape form, const char *text, size_t length);
void escape_add_text(struct strbuf *out, enum escape form, const char *text); // up to its NUL

// make cannot name a path with a line break.
bool escape_fits_make(const char *path);

// Bytes of the UTF-8 character at `text`, 1 to 4; 0 if it is none.
size_t escape_utf8(const char *text, size_t length, unsigned *code);

#endif
