// Python 3.12 source to tokens.
#ifndef TKC_FRONTEND_SYNTAX_LEXER_H
#define TKC_FRONTEND_SYNTAX_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/source.h"

struct arena;
struct diag;

enum token_kind {
#define TOKEN(id, text) TOK_##id,
#define PUNCTUATION(id, text) TOK_##id,
#define KEYWORD(id, text) TOK_##id,
#include "frontend/syntax/tokens.def"
    TOK_COUNT,
};

struct token {
    enum token_kind kind;
    uint32_t offset; // of the first byte in the source text
    uint32_t length; // bytes; may span lines in a string
    uint32_t line;
    uint32_t column;
    // TOK_NAME: the name, equal names are one pointer; TOK_ERROR: the message; otherwise NULL
    const char *text;
};

struct token_list {
    struct token *items; // the last is TOK_END_OF_FILE
    size_t count;
    // The VERSION of a comment `# tkc: language VERSION`, `text` a copy; `text` NULL: there is none.
    struct token language;
};

// Splits the whole file. An invalid character or literal becomes a TOK_ERROR, reported by the parser. False,
// with the error reported, if the structure is lost: inconsistent indentation, or an unclosed bracket or
// string.
//
// An f-string is FSTRING_START, then FSTRING_MIDDLE (literal text, undecoded) and replacement fields in any
// order, then FSTRING_END. A field is LBRACE, ordinary tokens, perhaps EXCLAMATION NAME, perhaps COLON
// followed by FSTRING_MIDDLE and fields, RBRACE.
bool lexer_run(struct arena *arena, struct diag *diag, const struct source *source,
               struct token_list *tokens);

// The name of a token kind in messages: "a name", "'('", "'while'".
const char *token_kind_text(enum token_kind kind);

#endif
