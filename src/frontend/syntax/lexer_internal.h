// Between the files of the lexer. Not for use outside lexer*.c.
#ifndef TKC_FRONTEND_SYNTAX_LEXER_INTERNAL_H
#define TKC_FRONTEND_SYNTAX_LEXER_INTERNAL_H

#include "frontend/syntax/lexer.h"

enum { MAX_INDENTS = 100, MAX_BRACKETS = 200 };

struct name_entry {
    const char *text;
    uint32_t length;
    uint32_t hash;
    enum token_kind kind;
};

struct lexer {
    struct arena *arena;
    struct diag *diag;
    const struct source *source;
    const char *text;
    uint32_t position;
    uint32_t end;
    uint32_t line;
    uint32_t line_start; // offset of the line's first byte

    struct token *tokens;
    size_t token_count;
    size_t token_capacity;

    struct name_entry *names; // open addressing, a power of two
    size_t name_count;
    size_t name_capacity;

    unsigned indents[MAX_INDENTS];     // columns with tabs to multiples of 8
    unsigned alt_indents[MAX_INDENTS]; // columns with tabs one wide
    size_t indent_count;
    size_t brackets[MAX_BRACKETS]; // indices of the open brackets' tokens
    size_t bracket_count;
    unsigned fstring_depth;
    struct token language; // see token_list
    bool failed;           // an error was reported; stop
};

// The byte `ahead` bytes on; 0 past the end.
static inline char peek(const struct lexer *lexer, uint32_t ahead) {
    // The text ends in a NUL, so one byte after any unread byte is readable, but no more.
    return lexer->end - lexer->position > ahead ? lexer->text[lexer->position + ahead] : '\0';
}

static inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// lexer.c
struct token *lexer_add_token(struct lexer *lexer, enum token_kind kind, uint32_t offset, uint32_t line,
                              uint32_t line_start); // from `offset` to the position
struct token *lexer_add_token_here(struct lexer *lexer, enum token_kind kind,
                                   uint32_t offset);                             // on the current line
void lexer_add_error(struct lexer *lexer, uint32_t offset, const char *message); // a TOK_ERROR
void lexer_fail_here(struct lexer *lexer, const char *message);                  // reports; stops all
bool lexer_at_newline(const struct lexer *lexer);
void lexer_skip_newline(struct lexer *lexer);
void lexer_skip_to_line_end(struct lexer *lexer);
bool lexer_skip_continuation(struct lexer *lexer); // a backslash and the line end after it, if next
bool lexer_is_name_byte(char c);
void lexer_open_bracket(struct lexer *lexer); // the token just added
// Takes one token other than white space and line ends. `floor`: number of brackets outside the f-string's
// field.
void lexer_take_token(struct lexer *lexer, size_t floor);

// lexer_literal.c
void lexer_take_number(struct lexer *lexer);
bool lexer_is_string_prefix(const char *text, uint32_t length, bool *raw, bool *formatted);
void lexer_take_string(struct lexer *lexer,
                       uint32_t start); // the position is at the opening quote, `start` at the prefix
void lexer_take_fstring(struct lexer *lexer, uint32_t start, bool raw);

#endif
