// The lexer makes one array of tokens of the whole file before parsing begins.
//
// An array, not a stream, because the parser recovers from an error by skipping to the end of the indented
// block, and because the soft keywords (match, type) and parenthesised `with` items are told apart by looking
// ahead any distance.
//
// Indentation becomes INDENT and DEDENT tokens as in Python's reference (2.1.8): a tab goes to the next
// multiple of 8, and a second count with tabs one column wide must agree, or the indentation depends on the
// tab width and is refused. Inside brackets line ends are white space. F-strings (PEP 701) are split here by
// two functions that call each other: literal text up to a brace, and the tokens of a replacement field up to
// its closing brace.
//
// Names are interned, keywords being the first entries of the same table. Any valid UTF-8 letter beyond ASCII
// is taken as part of a name, without Unicode normalisation.
#include "frontend/lexer.h"

#include <string.h>

#include "support/arena.h"
#include "support/diag.h"

enum { MAX_INDENTS = 100, MAX_BRACKETS = 200, MAX_FSTRING_NESTING = 100 };

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
    bool failed; // an error was reported; stop
};

const char *token_kind_text(enum token_kind kind) {
    static const char *const texts[] = {
#define TOKEN(id, text) [TOK_##id] = text,
#define PUNCTUATION(id, text) [TOK_##id] = "'" text "'",
#define KEYWORD(id, text) [TOK_##id] = "'" text "'",
#include "frontend/tokens.def"
    };
    return texts[kind];
}

// ---- tokens and errors ----

static char peek(const struct lexer *lexer, uint32_t ahead) {
    // The text is NUL-terminated past its end, so one byte ahead of any unread byte is readable; farther is
    // not.
    return lexer->end - lexer->position > ahead ? lexer->text[lexer->position + ahead] : '\0';
}

static struct token *add_token(struct lexer *lexer, enum token_kind kind, uint32_t offset, uint32_t line,
                               uint32_t line_start) {
    if (lexer->token_count == lexer->token_capacity) {
        size_t capacity = lexer->token_capacity * 2;
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
static struct token *add_token_here(struct lexer *lexer, enum token_kind kind, uint32_t offset) {
    return add_token(lexer, kind, offset, lexer->line, lexer->line_start);
}

static void add_error(struct lexer *lexer, uint32_t offset, const char *message) {
    add_token_here(lexer, TOK_ERROR, offset)->text = message;
}

static struct location location_of(const struct lexer *lexer, const struct token *token) {
    return (struct location){
        .source = lexer->source, .line = token->line, .column = token->column, .length = token->length};
}

static void fail_here(struct lexer *lexer, const char *message) {
    struct location location = {.source = lexer->source,
                                .line = lexer->line,
                                .column = lexer->position - lexer->line_start + 1,
                                .length = 1};
    diag_error(lexer->diag, location, "%s", message);
    lexer->failed = true;
}

// ---- lines ----

static bool at_newline(const struct lexer *lexer) {
    char c = peek(lexer, 0);
    return c == '\n' || c == '\r';
}

static void skip_newline(struct lexer *lexer) {
    lexer->position += lexer->text[lexer->position] == '\r' && peek(lexer, 1) == '\n' ? 2 : 1;
    lexer->line++;
    lexer->line_start = lexer->position;
}

static void skip_to_line_end(struct lexer *lexer) {
    while (lexer->position < lexer->end && !at_newline(lexer))
        lexer->position++;
}

// A backslash and the line end after it, as one piece of white space.
static bool skip_continuation(struct lexer *lexer) {
    if (peek(lexer, 0) != '\\' || (peek(lexer, 1) != '\n' && peek(lexer, 1) != '\r'))
        return false;
    lexer->position++;
    skip_newline(lexer);
    return true;
}

// ---- names ----

static uint32_t hash_bytes(const char *text, size_t length) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return hash;
}

static struct name_entry *find_name(struct lexer *lexer, const char *text, uint32_t length, uint32_t hash) {
    size_t mask = lexer->name_capacity - 1;
    size_t i = hash & mask;
    for (; lexer->names[i].text; i = (i + 1) & mask) {
        const struct name_entry *entry = &lexer->names[i];
        if (entry->hash == hash && entry->length == length && memcmp(entry->text, text, length) == 0)
            break;
    }
    return &lexer->names[i];
}

static void grow_names(struct lexer *lexer) {
    struct name_entry *old = lexer->names;
    size_t old_capacity = lexer->name_capacity;
    lexer->name_capacity *= 2;
    lexer->names = ARENA_ARRAY(lexer->arena, struct name_entry, lexer->name_capacity);
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].text)
            *find_name(lexer, old[i].text, old[i].length, old[i].hash) = old[i];
}

static const struct name_entry *intern(struct lexer *lexer, const char *text, uint32_t length,
                                       enum token_kind kind) {
    uint32_t hash = hash_bytes(text, length);
    struct name_entry *entry = find_name(lexer, text, length, hash);
    if (entry->text)
        return entry;
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
#include "frontend/tokens.def"
    };
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        intern(lexer, keywords[i].text, (uint32_t)strlen(keywords[i].text), keywords[i].kind);
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_name_byte(char c) {
    return is_name_start(c) || is_digit(c);
}

// Length of the UTF-8 sequence at text[0..available), with its code point; 0 if it is not valid.
static uint32_t utf8_length(const char *text, uint32_t available, uint32_t *code) {
    const unsigned char *p = (const unsigned char *)text;
    uint32_t length = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4 || available < length)
        return 0;
    *code = p[0] & (0x7fu >> length);
    for (uint32_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (p[i] & 0x3f);
    }
    return length;
}

// Marks and spaces that editors and web pages put where ASCII was meant: refused in names, so that the
// message is clear.
static bool is_typographic(uint32_t code) {
    return (code >= 0x80 && code <= 0xa9) || (code >= 0xab && code <= 0xb4) ||
           (code >= 0xb6 && code <= 0xbf && code != 0xb7) || code == 0xba || code == 0xd7 || code == 0xf7 ||
           (code >= 0x2000 && code <= 0x203e) || (code >= 0x2041 && code <= 0x2053) ||
           (code >= 0x2055 && code <= 0x206f) || (code >= 0x2190 && code <= 0x2bff) ||
           (code >= 0x3000 && code <= 0x3004) || code == 0xfeff || (code >= 0xff01 && code <= 0xff0f) ||
           (code >= 0x1f000 && code <= 0x1faff);
}

// Moves past a name. False, with an error token, at a byte beyond ASCII that cannot be in one.
static bool scan_name(struct lexer *lexer) {
    uint32_t start = lexer->position;
    while (is_name_byte(peek(lexer, 0))) {
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
        lexer->position += length ? length : 1;
        add_error(lexer, start,
                  typographic ? arena_printf(lexer->arena, "invalid character U+%04X", code)
                              : "the file is not valid UTF-8");
        return false;
    }
    return true;
}

// ---- numbers ----

static bool is_radix_digit(char c, unsigned radix) {
    if (radix <= 10)
        return c >= '0' && c < (char)('0' + radix);
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// Digits with single underscores between them; false at a misplaced underscore.
static bool scan_digits(struct lexer *lexer, unsigned radix) {
    for (;;) {
        while (is_radix_digit(peek(lexer, 0), radix))
            lexer->position++;
        if (peek(lexer, 0) != '_')
            return true;
        lexer->position++;
        if (!is_radix_digit(peek(lexer, 0), radix))
            return false;
    }
}

// The digits after 0x, 0o or 0b; false if there are none or an underscore is misplaced.
static bool scan_radix_number(struct lexer *lexer, unsigned radix) {
    lexer->position += 2;
    if (peek(lexer, 0) == '_')
        lexer->position++;
    return is_radix_digit(peek(lexer, 0), radix) && scan_digits(lexer, radix);
}

// The exponent, if one is there. `1else` has none.
static bool scan_exponent(struct lexer *lexer, bool *is_float) {
    char c = peek(lexer, 0);
    if (c != 'e' && c != 'E')
        return true;
    uint32_t sign = peek(lexer, 1) == '+' || peek(lexer, 1) == '-' ? 1 : 0;
    if (!is_digit(peek(lexer, 1 + sign)))
        return true;
    lexer->position += 1 + sign;
    *is_float = true;
    return scan_digits(lexer, 10);
}

static bool scan_decimal_number(struct lexer *lexer, const char **message) {
    uint32_t start = lexer->position;
    bool is_float = false;
    if (is_digit(peek(lexer, 0)) && !scan_digits(lexer, 10))
        return false;
    uint32_t integer_end = lexer->position;
    if (peek(lexer, 0) == '.') {
        is_float = true;
        lexer->position++;
        if (is_digit(peek(lexer, 0)) && !scan_digits(lexer, 10))
            return false;
    }
    if (!scan_exponent(lexer, &is_float))
        return false;
    if (peek(lexer, 0) == 'j' || peek(lexer, 0) == 'J') {
        lexer->position++;
        return true;
    }
    if (is_float || lexer->text[start] != '0')
        return true;
    for (uint32_t i = start; i < integer_end; i++)
        if (lexer->text[i] != '0' && lexer->text[i] != '_') {
            *message = "leading zeros in a decimal number are not allowed; use the prefix 0o for octal";
            return false;
        }
    return true;
}

// A number may touch a following operator keyword (`1if x else 2`), but no other name.
static bool ends_before_name(struct lexer *lexer) {
    if (!is_name_byte(peek(lexer, 0)))
        return true;
    static const char *const words[] = {"and", "else", "for", "if", "in", "is", "not", "or"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if (lexer->end - lexer->position >= length &&
            memcmp(lexer->text + lexer->position, words[i], length) == 0)
            return true;
    }
    return false;
}

static void lex_number(struct lexer *lexer) {
    uint32_t start = lexer->position;
    const char *message = "invalid number";
    char mark = peek(lexer, 0) == '0' ? (char)(peek(lexer, 1) | 0x20) : '\0';
    unsigned radix = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
    bool valid = radix != 10 ? scan_radix_number(lexer, radix) : scan_decimal_number(lexer, &message);
    if (valid && ends_before_name(lexer)) {
        add_token_here(lexer, TOK_NUMBER, start);
        return;
    }
    while (is_name_byte(peek(lexer, 0)))
        lexer->position++;
    add_error(lexer, start, message);
}

// ---- strings ----

// True if the name text[0..length) is a string prefix; tells raw, bytes and f apart.
static bool is_string_prefix(const char *text, uint32_t length, bool *raw, bool *formatted) {
    unsigned seen = 0;
    if (length > 2)
        return false;
    for (uint32_t i = 0; i < length; i++) {
        char c = (char)(text[i] | 0x20);
        unsigned bit = c == 'r' ? 1 : c == 'b' ? 2 : c == 'f' ? 4 : c == 'u' ? 8 : 0;
        if (!bit || (seen & bit))
            return false;
        seen |= bit;
    }
    *raw = seen & 1;
    *formatted = seen & 4;
    return seen == 0 || seen == 1 || seen == 2 || seen == 3 || seen == 4 || seen == 5 || seen == 8;
}

static bool at_quotes(const struct lexer *lexer, char quote, unsigned count) {
    return peek(lexer, 0) == quote && (count == 1 || (peek(lexer, 1) == quote && peek(lexer, 2) == quote));
}

// Moves past the opening quotes; returns 1 or 3.
static unsigned skip_opening_quotes(struct lexer *lexer, char *quote) {
    *quote = lexer->text[lexer->position];
    unsigned count = at_quotes(lexer, *quote, 3) ? 3 : 1;
    lexer->position += count;
    return count;
}

static void fail_unclosed(struct lexer *lexer, uint32_t offset, uint32_t line, uint32_t line_start,
                          const char *what) {
    struct location location = {
        .source = lexer->source, .line = line, .column = offset - line_start + 1, .length = 3};
    diag_error(lexer->diag, location, "%s is never closed", what);
    lexer->failed = true;
}

// A string without replacement fields; the position is at the opening quote, `start` at the prefix.
static void lex_string(struct lexer *lexer, uint32_t start) {
    uint32_t line = lexer->line, line_start = lexer->line_start;
    char quote;
    unsigned count = skip_opening_quotes(lexer, &quote);
    while (lexer->position < lexer->end) {
        if (at_quotes(lexer, quote, count)) {
            lexer->position += count;
            add_token(lexer, TOK_STRING, start, line, line_start);
            return;
        }
        if (at_newline(lexer)) {
            if (count == 1)
                break;
            skip_newline(lexer);
            continue;
        }
        if (lexer->text[lexer->position] == '\\' && lexer->end - lexer->position > 1) {
            lexer->position++;
            if (at_newline(lexer)) {
                skip_newline(lexer);
                continue;
            }
        }
        lexer->position++;
    }
    if (count == 3)
        fail_unclosed(lexer, start, line, line_start, "triple-quoted string");
    else
        add_token(lexer, TOK_ERROR, start, line, line_start)->text =
            "string is not closed before the end of the line";
}

// ---- operators ----

// The longest operator at the position.
static enum token_kind match_operator(const char *text, uint32_t available, uint32_t *length) {
    static const struct {
        const char text[4];
        enum token_kind kind;
    } operators[] = {
#define PUNCTUATION(id, text) {text, TOK_##id},
#include "frontend/tokens.def"
    };
    enum token_kind best = TOK_ERROR;
    *length = 0;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (operators[i].text[0] != text[0])
            continue;
        uint32_t n = (uint32_t)strlen(operators[i].text);
        if (n > *length && n <= available && memcmp(operators[i].text, text, n) == 0) {
            best = operators[i].kind;
            *length = n;
        }
    }
    return best;
}

static void open_bracket(struct lexer *lexer) {
    if (lexer->bracket_count == MAX_BRACKETS) {
        fail_here(lexer, "more than 200 nested brackets");
        return;
    }
    lexer->brackets[lexer->bracket_count++] = lexer->token_count - 1;
}

static enum token_kind closing_of(enum token_kind opening) {
    return opening == TOK_LPAREN ? TOK_RPAREN : opening == TOK_LBRACKET ? TOK_RBRACKET : TOK_RBRACE;
}

// The token just added is a closing bracket. `floor` is the number of brackets that belong to the outside.
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
    for (size_t i = lexer->bracket_count; i > floor; i--)
        if (closing_of(lexer->tokens[lexer->brackets[i - 1]].kind) == token->kind) {
            lexer->bracket_count = i - 1;
            break;
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
        add_error(lexer, start,
                  c >= ' ' && c < 0x7f ? arena_printf(lexer->arena, "unexpected character '%c'", c)
                                       : arena_printf(lexer->arena, "unexpected byte 0x%02x", c));
        return;
    }
    add_token_here(lexer, kind, start);
    if (kind == TOK_LPAREN || kind == TOK_LBRACKET || kind == TOK_LBRACE)
        open_bracket(lexer);
    else if (kind == TOK_RPAREN || kind == TOK_RBRACKET || kind == TOK_RBRACE)
        close_bracket(lexer, floor);
}

// ---- f-strings and the token switch ----

struct fstring {
    uint32_t start; // of the prefix
    uint32_t line;
    uint32_t line_start;
    char quote;
    unsigned count; // of quotes: 1 or 3
    bool raw;
};

static bool lex_fields(struct lexer *lexer, const struct fstring *string, bool in_format);
static void lex_fstring(struct lexer *lexer, uint32_t start, bool raw);

// One token that is neither white space nor a line end. `floor`: brackets that belong to the outside of a
// field.
static void lex_token(struct lexer *lexer, size_t floor) {
    uint32_t start = lexer->position;
    char c = peek(lexer, 0);
    if (is_digit(c) || (c == '.' && is_digit(peek(lexer, 1)))) {
        lex_number(lexer);
        return;
    }
    bool quoted = c == '"' || c == '\'';
    if (!quoted && !is_name_start(c)) {
        lex_operator(lexer, floor);
        return;
    }
    if (!quoted && !scan_name(lexer))
        return;
    uint32_t length = lexer->position - start;
    bool raw = false, formatted = false;
    if ((peek(lexer, 0) == '"' || peek(lexer, 0) == '\'') &&
        is_string_prefix(lexer->text + start, length, &raw, &formatted)) {
        if (formatted)
            lex_fstring(lexer, start, raw);
        else
            lex_string(lexer, start);
        return;
    }
    const struct name_entry *entry = intern(lexer, lexer->text + start, length, TOK_NAME);
    add_token_here(lexer, entry->kind, start)->text = entry->kind == TOK_NAME ? entry->text : NULL;
}

static bool last_is_error(const struct lexer *lexer) {
    return lexer->failed || lexer->tokens[lexer->token_count - 1].kind == TOK_ERROR;
}

static bool report_unclosed_fstring(struct lexer *lexer, const struct fstring *string) {
    if (string->count == 3)
        fail_unclosed(lexer, string->start, string->line, string->line_start, "triple-quoted f-string");
    else
        add_error(lexer, lexer->position, "f-string is not closed before the end of the line");
    return false;
}

// The tokens of a field after its `{`, up to and with its `}`. False after an error.
static bool lex_field(struct lexer *lexer, const struct fstring *string) {
    size_t floor = lexer->bracket_count; // counts the field's own brace
    for (;;) {
        char c = peek(lexer, 0);
        uint32_t start = lexer->position;
        bool own_level = lexer->bracket_count == floor;
        if (lexer->position == lexer->end)
            return report_unclosed_fstring(lexer, string);
        if (c == ' ' || c == '\t' || c == '\f') {
            lexer->position++;
        } else if (at_newline(lexer)) {
            skip_newline(lexer);
        } else if (c == '#') {
            skip_to_line_end(lexer);
        } else if (skip_continuation(lexer)) {
            continue;
        } else if (own_level && c == '!' && peek(lexer, 1) != '=') {
            lexer->position++;
            add_token_here(lexer, TOK_EXCLAMATION, start);
        } else if (own_level && c == ':') {
            lexer->position++;
            add_token_here(lexer, TOK_COLON, start);
            if (!lex_fields(lexer, string, true))
                return false;
        } else if (own_level && c == '}') {
            lexer->position++;
            add_token_here(lexer, TOK_RBRACE, start);
            lexer->bracket_count--;
            return true;
        } else {
            lex_token(lexer, floor);
            if (last_is_error(lexer))
                return false;
        }
    }
}

// Moves past literal text: to a brace that opens or closes a field, the end of the string, or the end of the
// line of a single-quoted string.
static void scan_fstring_text(struct lexer *lexer, const struct fstring *string, bool in_format) {
    while (lexer->position < lexer->end && !at_quotes(lexer, string->quote, string->count)) {
        char c = lexer->text[lexer->position];
        if (at_newline(lexer)) {
            if (string->count == 1)
                return;
            skip_newline(lexer);
        } else if (c == '{' || c == '}') {
            if (in_format || peek(lexer, 1) != c)
                return;
            lexer->position += 2;
        } else if (c == '\\' && lexer->end - lexer->position > 1) {
            lexer->position++;
            char escaped = peek(lexer, 0);
            if (at_newline(lexer))
                skip_newline(lexer);
            else if (!string->raw && escaped == 'N' && peek(lexer, 1) == '{')
                while (lexer->position < lexer->end && !at_newline(lexer) &&
                       lexer->text[lexer->position++] != '}')
                    ;
            else if (escaped != '{' && escaped != '}')
                lexer->position++;
        } else {
            lexer->position++;
        }
    }
}

// Literal text and fields, up to the closing quotes (not taken), or of a format up to the field's `}` (not
// taken).
static bool lex_fields(struct lexer *lexer, const struct fstring *string, bool in_format) {
    if (++lexer->fstring_depth > MAX_FSTRING_NESTING) {
        fail_here(lexer, "f-strings are nested too deeply");
        return false;
    }
    for (;;) {
        uint32_t start = lexer->position, line = lexer->line, line_start = lexer->line_start;
        scan_fstring_text(lexer, string, in_format);
        if (lexer->position > start)
            add_token(lexer, TOK_FSTRING_MIDDLE, start, line, line_start);
        char c = peek(lexer, 0);
        if (lexer->position == lexer->end ||
            (c != '{' && c != '}' && !at_quotes(lexer, string->quote, string->count)))
            return report_unclosed_fstring(lexer, string);
        start = lexer->position;
        if (c == '{') {
            lexer->position++;
            add_token_here(lexer, TOK_LBRACE, start);
            open_bracket(lexer);
            if (lexer->failed || !lex_field(lexer, string))
                return false;
        } else if (c == '}' && !in_format) {
            lexer->position++;
            add_error(lexer, start, "single '}' in an f-string; write '}}'");
            return false;
        } else if (c != '}' && in_format) {
            add_error(lexer, start, "'{' in an f-string is not closed");
            return false;
        } else {
            lexer->fstring_depth--;
            return true;
        }
    }
}

// After an error in an f-string: to its end if that can be found, otherwise to the end of the line.
static void leave_fstring(struct lexer *lexer, const struct fstring *string) {
    while (lexer->position < lexer->end && !at_quotes(lexer, string->quote, string->count)) {
        if (!at_newline(lexer))
            lexer->position++;
        else if (string->count == 3)
            skip_newline(lexer);
        else
            return;
    }
    if (lexer->position < lexer->end)
        lexer->position += string->count;
}

// The position is at the opening quote, `start` at the prefix.
static void lex_fstring(struct lexer *lexer, uint32_t start, bool raw) {
    struct fstring string = {
        .start = start, .line = lexer->line, .line_start = lexer->line_start, .raw = raw};
    string.count = skip_opening_quotes(lexer, &string.quote);
    size_t bracket_count = lexer->bracket_count;
    unsigned depth = lexer->fstring_depth;
    add_token_here(lexer, TOK_FSTRING_START, start);
    if (lex_fields(lexer, &string, false)) {
        uint32_t end = lexer->position;
        lexer->position += string.count;
        add_token_here(lexer, TOK_FSTRING_END, end);
    } else if (!lexer->failed) {
        leave_fstring(lexer, &string);
    }
    lexer->bracket_count = bracket_count;
    lexer->fstring_depth = depth;
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
    while (skip_continuation(lexer))
        while (peek(lexer, 0) == ' ' || peek(lexer, 0) == '\t')
            lexer->position++;
    if (lexer->position == lexer->end || at_newline(lexer) || peek(lexer, 0) == '#')
        return;
    size_t top = lexer->indent_count - 1;
    bool ambiguous;
    if (column == lexer->indents[top]) {
        ambiguous = alt_column != lexer->alt_indents[top];
    } else if (column > lexer->indents[top]) {
        ambiguous = alt_column <= lexer->alt_indents[top];
        if (lexer->indent_count == MAX_INDENTS) {
            fail_here(lexer, "more than 99 levels of indentation");
            return;
        }
        lexer->indents[lexer->indent_count] = column;
        lexer->alt_indents[lexer->indent_count++] = alt_column;
        add_token_here(lexer, TOK_INDENT, lexer->position);
    } else {
        while (column < lexer->indents[lexer->indent_count - 1]) {
            lexer->indent_count--;
            add_token_here(lexer, TOK_DEDENT, lexer->position);
        }
        if (column != lexer->indents[lexer->indent_count - 1]) {
            fail_here(lexer, "the indentation matches no enclosing block");
            return;
        }
        ambiguous = alt_column != lexer->alt_indents[lexer->indent_count - 1];
    }
    if (ambiguous)
        fail_here(lexer,
                  "tabs and spaces are mixed in the indentation so that its depth depends on the tab width");
}

// ---- the file ----

// Something was opened and the file ended: the likely culprit is an earlier broken token inside it, else the
// bracket.
static void fail_open_bracket(struct lexer *lexer) {
    size_t first = lexer->brackets[lexer->bracket_count - 1];
    for (size_t i = first; i < lexer->token_count; i++)
        if (lexer->tokens[i].kind == TOK_ERROR) {
            diag_error(lexer->diag, location_of(lexer, &lexer->tokens[i]), "%s", lexer->tokens[i].text);
            break;
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
    if (in_line)
        add_token_here(lexer, TOK_NEWLINE, lexer->position);
    for (; lexer->indent_count > 1; lexer->indent_count--)
        add_token_here(lexer, TOK_DEDENT, lexer->position);
    add_token_here(lexer, TOK_END_OF_FILE, lexer->position);
}

static void lex_file(struct lexer *lexer) {
    bool line_start = true;
    bool line_empty = true; // no token of this line yet
    if (lexer->end >= 3 && memcmp(lexer->text, "\xef\xbb\xbf", 3) == 0)
        lexer->position = lexer->line_start = 3;
    while (lexer->position < lexer->end && !lexer->failed) {
        if (line_start && lexer->bracket_count == 0)
            lex_indent(lexer);
        line_start = false;
        if (lexer->failed || lexer->position == lexer->end)
            break;
        char c = lexer->text[lexer->position];
        if (c == ' ' || c == '\t' || c == '\f') {
            lexer->position++;
        } else if (c == '#') {
            skip_to_line_end(lexer);
        } else if (at_newline(lexer)) {
            uint32_t start = lexer->position;
            if (lexer->bracket_count == 0 && !line_empty)
                add_token_here(lexer, TOK_NEWLINE, start);
            skip_newline(lexer);
            line_start = true;
            line_empty = line_empty || lexer->bracket_count == 0;
        } else if (!skip_continuation(lexer)) {
            lex_token(lexer, 0);
            line_empty = false;
        }
    }
    if (!lexer->failed)
        finish(lexer);
}

bool lexer_run(struct arena *arena, struct diag *diag, const struct source *source,
               struct token_list *tokens) {
    struct lexer lexer = {
        .arena = arena, .diag = diag, .source = source, .text = source->text, .line = 1, .indent_count = 1};
    if (source->length > UINT32_MAX / 2) {
        fail_here(&lexer, "the file is larger than 2 GiB");
        return false;
    }
    lexer.end = (uint32_t)source->length;
    lexer.token_capacity = source->length / 4 + 64;
    lexer.tokens = ARENA_ARRAY(arena, struct token, lexer.token_capacity);
    lexer.name_capacity = 256;
    lexer.names = ARENA_ARRAY(arena, struct name_entry, lexer.name_capacity);
    intern_keywords(&lexer);
    lex_file(&lexer);
    *tokens = (struct token_list){lexer.tokens, lexer.token_count};
    return !lexer.failed;
}
