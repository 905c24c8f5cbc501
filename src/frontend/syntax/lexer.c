// The lexer makes one array of tokens of the whole file before parsing begins.
//
// An array, not a stream, because the parser recovers from an error by skipping to the end of the indented
// block, and because the soft keywords (match, type) and parenthesised `with` items are told apart by looking
// ahead any distance.
//
// Indentation becomes INDENT and DEDENT tokens as in Python's reference (2.1.8): a tab goes to the next
// multiple of 8, and a second count with tabs one column wide must agree, or the indentation depends on the
// tab width and is refused. Inside brackets line ends are white space. F-strings (PEP 701) are split here by
// two mutually recursive functions: one takes literal text up to a brace, the other the tokens of a
// replacement field up to its closing brace.
//
// Names are interned, keywords being the first entries of the same table. Any valid UTF-8 letter beyond ASCII
// is taken as part of a name, without Unicode normalisation.
#include "frontend/syntax/lexer_internal.h"

#include <string.h>

#include "support/arena.h"
#include "support/diag.h"

const char *token_kind_text(enum token_kind kind) {
    static const char *const texts[] = {
#define TOKEN(id, text) [TOK_##id] = text,
#define PUNCTUATION(id, text) [TOK_##id] = "'" text "'",
#define KEYWORD(id, text) [TOK_##id] = "'" text "'",
#include "frontend/syntax/tokens.def"
    };
    return texts[kind];
}

// ---- tokens and errors ----

static void check_memory(struct lexer *lexer, size_t bytes) {
    struct location location = {
        .source = lexer->source, .line = lexer->line, .column = lexer->position - lexer->line_start + 1};
    lexer->failed |= !diag_hold(lexer->diag, BUDGET_MEMORY, bytes >> 20, location);
}

struct token *lexer_add_token(struct lexer *lexer, enum token_kind kind, uint32_t offset, uint32_t line,
                              uint32_t line_start) {
    if (lexer->token_count == lexer->token_capacity) {
        size_t capacity = lexer->token_capacity * 2;
        check_memory(lexer, arena_size(lexer->arena) + capacity * sizeof *lexer->tokens);
        if (lexer->failed) { // the tokens will not be read
            return &lexer->tokens[lexer->token_count - 1];
        }
        struct token *tokens = ARENA_ARRAY(lexer->arena, struct token, capacity);
        memcpy(tokens, lexer->tokens, lexer->token_count * sizeof *tokens);
        lexer->tokens = tokens;
        lexer->token_capacity = capacity;
    }
    struct token *token = &lexer->tokens[lexer->token_count++];
    *token = (struct token){.kind = kind,
                            .offset = offset,
                            .length = lexer->position - offset,
                            .line = line,
                            .column = offset - line_start + 1};
    return token;
}

// A token on the current line, from `offset` to the position.
struct token *lexer_add_token_here(struct lexer *lexer, enum token_kind kind, uint32_t offset) {
    return lexer_add_token(lexer, kind, offset, lexer->line, lexer->line_start);
}

void lexer_add_error(struct lexer *lexer, uint32_t offset, const char *message) {
    lexer_add_token_here(lexer, TOK_ERROR, offset)->text = message;
}

static struct location location_of(const struct lexer *lexer, const struct token *token) {
    return (struct location){
        .source = lexer->source, .line = token->line, .column = token->column, .length = token->length};
}

void lexer_fail_here(struct lexer *lexer, const char *message) {
    struct location location = {.source = lexer->source,
                                .line = lexer->line,
                                .column = lexer->position - lexer->line_start + 1,
                                .length = 1};
    diag_error(lexer->diag, location, "%s", message);
    lexer->failed = true;
}

// ---- lines ----

bool lexer_at_newline(const struct lexer *lexer) {
    char c = peek(lexer, 0);
    return c == '\n' || c == '\r';
}

void lexer_skip_newline(struct lexer *lexer) {
    lexer->position += lexer->text[lexer->position] == '\r' && peek(lexer, 1) == '\n' ? 2 : 1;
    lexer->line++;
    lexer->line_start = lexer->position;
}

void lexer_skip_to_line_end(struct lexer *lexer) {
    while (lexer->position < lexer->end && !lexer_at_newline(lexer)) {
        lexer->position++;
    }
}

// A backslash and the line end after it, as one piece of white space.
bool lexer_skip_continuation(struct lexer *lexer) {
    if (peek(lexer, 0) != '\\' || (peek(lexer, 1) != '\n' && peek(lexer, 1) != '\r')) {
        return false;
    }
    lexer->position++;
    lexer_skip_newline(lexer);
    return true;
}

// ---- names ----

static uint32_t hash_bytes(const char *text, size_t length) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    }
    return hash;
}

static struct name_entry *find_name(struct lexer *lexer, const char *text, uint32_t length, uint32_t hash) {
    size_t mask = lexer->name_capacity - 1;
    size_t i = hash & mask;
    for (; lexer->names[i].text; i = (i + 1) & mask) {
        const struct name_entry *entry = &lexer->names[i];
        if (entry->hash == hash && entry->length == length && memcmp(entry->text, text, length) == 0) {
            break;
        }
    }
    return &lexer->names[i];
}

static void grow_names(struct lexer *lexer) {
    struct name_entry *old = lexer->names;
    size_t old_capacity = lexer->name_capacity;
    lexer->name_capacity *= 2;
    lexer->names = ARENA_ARRAY(lexer->arena, struct name_entry, lexer->name_capacity);
    for (size_t i = 0; i < old_capacity; i++) {
        if (old[i].text) {
            *find_name(lexer, old[i].text, old[i].length, old[i].hash) = old[i];
        }
    }
}

static const struct name_entry *intern(struct lexer *lexer, const char *text, uint32_t length,
                                       enum token_kind kind) {
    uint32_t hash = hash_bytes(text, length);
    struct name_entry *entry = find_name(lexer, text, length, hash);
    if (entry->text) {
        return entry;
    }
    if (lexer->name_count * 2 >= lexer->name_capacity) {
        grow_names(lexer);
        entry = find_name(lexer, text, length, hash);
    }
    lexer->name_count++;
    *entry = (struct name_entry){arena_strndup(lexer->arena, text, length), length, hash, kind};
    return entry;
}

static void intern_keywords(struct lexer *lexer) {
    static const struct {
        const char *text;
        enum token_kind kind;
    } keywords[] = {
#define KEYWORD(id, text) {text, TOK_##id},
#include "frontend/syntax/tokens.def"
    };
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        intern(lexer, keywords[i].text, (uint32_t)strlen(keywords[i].text), keywords[i].kind);
    }
}

static bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

bool lexer_is_name_byte(char c) {
    return is_name_start(c) || is_digit(c);
}

// Length of the UTF-8 sequence at text[0..available), with its code point; 0 if it is not valid.
static uint32_t utf8_length(const char *text, uint32_t available, uint32_t *code) {
    const unsigned char *p = (const unsigned char *)text;
    uint32_t length = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4 || available < length) {
        return 0;
    }
    *code = p[0] & (0x7fu >> length);
    for (uint32_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            return 0;
        }
        *code = *code << 6 | (p[i] & 0x3f);
    }
    return length;
}

// Marks and spaces inserted by editors and web pages in place of ASCII. They are refused in names, so that
// the error message is clear.
static bool is_typographic(uint32_t code) {
    return (code >= 0x80 && code <= 0xa9) || (code >= 0xab && code <= 0xb4) ||
           (code >= 0xb6 && code <= 0xbf && code != 0xb7) || code == 0xba || code == 0xd7 || code == 0xf7 ||
           (code >= 0x2000 && code <= 0x203e) || (code >= 0x2041 && code <= 0x2053) ||
           (code >= 0x2055 && code <= 0x206f) || (code >= 0x20a0 && code <= 0x20cf) ||
           (code >= 0x2190 && code <= 0x2bff) || (code >= 0x3000 && code <= 0x3004) || code == 0xfeff ||
           (code >= 0xff01 && code <= 0xff0f) || (code >= 0x1f000 && code <= 0x1faff);
}

// Moves past a name. False, with an error token, if it begins with a non-ASCII character not allowed in
// names.
static bool scan_name(struct lexer *lexer) {
    uint32_t start = lexer->position;
    while (lexer_is_name_byte(peek(lexer, 0))) {
        if ((unsigned char)lexer->text[lexer->position] < 0x80) {
            lexer->position++;
            continue;
        }
        uint32_t code = 0;
        uint32_t length = utf8_length(lexer->text + lexer->position, lexer->end - lexer->position, &code);
        bool typographic = length && is_typographic(code);
        if (length && !typographic) {
            lexer->position += length;
            continue;
        }
        if (lexer->position > start) {
            return true; // the name ends here; the byte is the next token's
        }
        lexer->position += length ? length : 1;
        lexer_add_error(lexer, start,
                        typographic ? arena_printf(lexer->arena, "invalid character U+%04X", code)
                                    : "the file is not valid UTF-8");
        return false;
    }
    return true;
}

// ---- operators ----

// The longest operator at the position.
static enum token_kind match_operator(const char *text, uint32_t available, uint32_t *length) {
    static const struct {
        const char text[4];
        enum token_kind kind;
    } operators[] = {
#define PUNCTUATION(id, text) {text, TOK_##id},
#include "frontend/syntax/tokens.def"
    };
    enum token_kind best = TOK_ERROR;
    *length = 0;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (operators[i].text[0] != text[0]) {
            continue;
        }
        uint32_t n = (uint32_t)strlen(operators[i].text);
        if (n > *length && n <= available && memcmp(operators[i].text, text, n) == 0) {
            best = operators[i].kind;
            *length = n;
        }
    }
    return best;
}

void lexer_open_bracket(struct lexer *lexer) {
    if (lexer->bracket_count == MAX_BRACKETS) {
        lexer_fail_here(lexer, "more than 200 nested brackets");
        return;
    }
    lexer->brackets[lexer->bracket_count++] = lexer->token_count - 1;
}

static enum token_kind closing_of(enum token_kind opening) {
    return opening == TOK_LPAREN ? TOK_RPAREN : opening == TOK_LBRACKET ? TOK_RBRACKET : TOK_RBRACE;
}

// Closes the bracket opened last; its closing token was just added. The first `floor` brackets are outside.
static void close_bracket(struct lexer *lexer, size_t floor) {
    struct token *token = &lexer->tokens[lexer->token_count - 1];
    if (lexer->bracket_count == floor) {
        token->text = arena_printf(lexer->arena, "%s closes nothing", token_kind_text(token->kind));
        token->kind = TOK_ERROR;
        return;
    }
    const struct token *opening = &lexer->tokens[lexer->brackets[lexer->bracket_count - 1]];
    if (closing_of(opening->kind) == token->kind) {
        lexer->bracket_count--;
        return;
    }
    token->text = arena_printf(lexer->arena, "%s does not close %s of line %u", token_kind_text(token->kind),
                               token_kind_text(opening->kind), opening->line);
    for (size_t i = lexer->bracket_count; i > floor; i--) {
        if (closing_of(lexer->tokens[lexer->brackets[i - 1]].kind) == token->kind) {
            lexer->bracket_count = i - 1;
            break;
        }
    }
    token->kind = TOK_ERROR;
}

static void lex_operator(struct lexer *lexer, size_t floor) {
    uint32_t start = lexer->position;
    uint32_t length;
    enum token_kind kind = match_operator(lexer->text + start, lexer->end - start, &length);
    lexer->position += length ? length : 1;
    if (kind == TOK_ERROR || kind == TOK_EXCLAMATION) {
        unsigned char c = (unsigned char)lexer->text[start];
        lexer_add_error(lexer, start,
                        c >= ' ' && c < 0x7f ? arena_printf(lexer->arena, "unexpected character '%c'", c)
                                             : arena_printf(lexer->arena, "unexpected byte 0x%02x", c));
        return;
    }
    lexer_add_token_here(lexer, kind, start);
    if (kind == TOK_LPAREN || kind == TOK_LBRACKET || kind == TOK_LBRACE) {
        lexer_open_bracket(lexer);
    } else if (kind == TOK_RPAREN || kind == TOK_RBRACKET || kind == TOK_RBRACE) {
        close_bracket(lexer, floor);
    }
}

// ---- the token switch ----

// Takes one token other than white space and line ends. `floor`: number of brackets outside the field.
void lexer_take_token(struct lexer *lexer, size_t floor) {
    uint32_t start = lexer->position;
    char c = peek(lexer, 0);
    if (is_digit(c) || (c == '.' && is_digit(peek(lexer, 1)))) {
        lexer_take_number(lexer);
        return;
    }
    bool quoted = c == '"' || c == '\'';
    if (!quoted && !is_name_start(c)) {
        lex_operator(lexer, floor);
        return;
    }
    if (!quoted && !scan_name(lexer)) {
        return;
    }
    uint32_t length = lexer->position - start;
    bool raw = false, formatted = false;
    if ((peek(lexer, 0) == '"' || peek(lexer, 0) == '\'') &&
        lexer_is_string_prefix(lexer->text + start, length, &raw, &formatted)) {
        if (formatted) {
            lexer_take_fstring(lexer, start, raw);
        } else {
            lexer_take_string(lexer, start);
        }
        return;
    }
    const struct name_entry *entry = intern(lexer, lexer->text + start, length, TOK_NAME);
    lexer_add_token_here(lexer, entry->kind, start)->text = entry->kind == TOK_NAME ? entry->text : NULL;
}

// ---- indentation ----

// Measures the white space at the start of a line in both ways of counting tabs.
static void measure_indent(struct lexer *lexer, unsigned *column, unsigned *alt_column) {
    *column = *alt_column = 0;
    for (;; lexer->position++) {
        char c = peek(lexer, 0);
        if (c == ' ') {
            (*column)++;
            (*alt_column)++;
        } else if (c == '\t') {
            *column = (*column / 8 + 1) * 8;
            (*alt_column)++;
        } else if (c == '\f') {
            *column = *alt_column = 0;
        } else {
            return;
        }
    }
}

// At the start of a line outside brackets: adds INDENT or DEDENTs. Blank and comment lines have no
// indentation.
static void lex_indent(struct lexer *lexer) {
    unsigned column, alt_column;
    measure_indent(lexer, &column, &alt_column);
    while (lexer_skip_continuation(lexer)) {
        while (peek(lexer, 0) == ' ' || peek(lexer, 0) == '\t') {
            lexer->position++;
        }
    }
    if (lexer->position == lexer->end || lexer_at_newline(lexer) || peek(lexer, 0) == '#') {
        return;
    }
    size_t top = lexer->indent_count - 1;
    bool ambiguous;
    if (column == lexer->indents[top]) {
        ambiguous = alt_column != lexer->alt_indents[top];
    } else if (column > lexer->indents[top]) {
        ambiguous = alt_column <= lexer->alt_indents[top];
        if (lexer->indent_count == MAX_INDENTS) {
            lexer_fail_here(lexer, "more than 99 levels of indentation");
            return;
        }
        lexer->indents[lexer->indent_count] = column;
        lexer->alt_indents[lexer->indent_count++] = alt_column;
        lexer_add_token_here(lexer, TOK_INDENT, lexer->position);
    } else {
        while (column < lexer->indents[lexer->indent_count - 1]) {
            lexer->indent_count--;
            lexer_add_token_here(lexer, TOK_DEDENT, lexer->position);
        }
        if (column != lexer->indents[lexer->indent_count - 1]) {
            lexer_fail_here(lexer, "the indentation matches no enclosing block");
            return;
        }
        ambiguous = alt_column != lexer->alt_indents[lexer->indent_count - 1];
    }
    if (ambiguous) {
        lexer_fail_here(
            lexer, "tabs and spaces are mixed in the indentation so that its depth depends on the tab width");
    }
}

// ---- the file ----

// Something was opened and the file ended: the likely culprit is an earlier broken token inside it, else the
// bracket.
static void fail_open_bracket(struct lexer *lexer) {
    size_t first = lexer->brackets[lexer->bracket_count - 1];
    for (size_t i = first; i < lexer->token_count; i++) {
        if (lexer->tokens[i].kind == TOK_ERROR) {
            diag_error(lexer->diag, location_of(lexer, &lexer->tokens[i]), "%s", lexer->tokens[i].text);
            break;
        }
    }
    const struct token *opening = &lexer->tokens[first];
    diag_error(lexer->diag, location_of(lexer, opening), "%s is never closed",
               token_kind_text(opening->kind));
    lexer->failed = true;
}

static void finish(struct lexer *lexer) {
    if (lexer->bracket_count) {
        fail_open_bracket(lexer);
        return;
    }
    bool in_line = lexer->token_count && lexer->tokens[lexer->token_count - 1].kind != TOK_NEWLINE &&
                   lexer->tokens[lexer->token_count - 1].kind != TOK_DEDENT;
    if (in_line) {
        lexer_add_token_here(lexer, TOK_NEWLINE, lexer->position);
    }
    for (; lexer->indent_count > 1; lexer->indent_count--) {
        lexer_add_token_here(lexer, TOK_DEDENT, lexer->position);
    }
    lexer_add_token_here(lexer, TOK_END_OF_FILE, lexer->position);
}

// Skips a comment. `# tkc: language VERSION` is kept for the evaluator.
static void lex_comment(struct lexer *lexer) {
    static const char *const words[] = {"#", "tkc:", "language"};
    uint32_t at = lexer->position;
    lexer_skip_to_line_end(lexer);
    uint32_t end = lexer->position;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        uint32_t length = (uint32_t)strlen(words[i]);
        if (end - at < length || memcmp(lexer->text + at, words[i], length) != 0) {
            return;
        }
        for (at += length; at < end && lexer->text[at] == ' '; at++) {
        }
    }
    while (end > at && (lexer->text[end - 1] == ' ' || lexer->text[end - 1] == '\t')) {
        end--;
    }
    if (lexer->language.text) {
        lexer_fail_here(lexer, "the file states its language a second time");
        return;
    }
    lexer->language = (struct token){.offset = at,
                                     .length = end - at,
                                     .line = lexer->line,
                                     .column = at - lexer->line_start + 1,
                                     .text = arena_strndup(lexer->arena, lexer->text + at, end - at)};
}

static void lex_file(struct lexer *lexer) {
    bool line_start = true;
    bool line_empty = true; // no token of this line yet
    if (lexer->end >= 3 && memcmp(lexer->text, "\xef\xbb\xbf", 3) == 0) {
        lexer->position = lexer->line_start = 3;
    }
    while (lexer->position < lexer->end && !lexer->failed) {
        if (line_start && lexer->bracket_count == 0) {
            lex_indent(lexer);
        }
        line_start = false;
        if (lexer->failed || lexer->position == lexer->end) {
            break;
        }
        char c = lexer->text[lexer->position];
        if (c == ' ' || c == '\t' || c == '\f') {
            lexer->position++;
        } else if (c == '#') {
            lex_comment(lexer);
        } else if (lexer_at_newline(lexer)) {
            uint32_t start = lexer->position;
            if (lexer->bracket_count == 0 && !line_empty) {
                lexer_add_token_here(lexer, TOK_NEWLINE, start);
            }
            lexer_skip_newline(lexer);
            line_start = true;
            line_empty = line_empty || lexer->bracket_count == 0;
        } else if (!lexer_skip_continuation(lexer)) {
            lexer_take_token(lexer, 0);
            line_empty = false;
        }
    }
    if (!lexer->failed) {
        finish(lexer);
    }
}

bool lexer_run(struct arena *arena, struct diag *diag, const struct source *source,
               struct token_list *tokens) {
    struct lexer lexer = {
        .arena = arena, .diag = diag, .source = source, .text = source->text, .line = 1, .indent_count = 1};
    if (source->length > UINT32_MAX / 2) {
        lexer_fail_here(&lexer, "the file is larger than 2 GiB");
        return false;
    }
    lexer.end = (uint32_t)source->length;
    lexer.token_capacity = source->length / 4 + 64;
    check_memory(&lexer, arena_size(arena) + lexer.token_capacity * sizeof *lexer.tokens);
    if (lexer.failed) {
        return false;
    }
    lexer.tokens = ARENA_ARRAY(arena, struct token, lexer.token_capacity);
    lexer.name_capacity = 256;
    lexer.names = ARENA_ARRAY(arena, struct name_entry, lexer.name_capacity);
    intern_keywords(&lexer);
    lex_file(&lexer);
    *tokens = (struct token_list){lexer.tokens, lexer.token_count, lexer.language};
    return !lexer.failed;
}
