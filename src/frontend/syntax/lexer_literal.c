// Lexer: numbers, strings and f-strings.
#include "frontend/syntax/lexer_internal.h"

#include <string.h>

#include "support/arena.h"
#include "support/diag.h"

enum { MAX_FSTRING_NESTING = 100 };

// ---- numbers ----

static bool is_radix_digit(char c, unsigned radix) {
    if (radix <= 10) {
        return c >= '0' && c < (char)('0' + radix);
    }
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// Digits with single underscores between them; false at a misplaced underscore.
static bool scan_digits(struct lexer *lexer, unsigned radix) {
    for (;;) {
        while (is_radix_digit(peek(lexer, 0), radix)) {
            lexer->position++;
        }
        if (peek(lexer, 0) != '_') {
            return true;
        }
        lexer->position++;
        if (!is_radix_digit(peek(lexer, 0), radix)) {
            return false;
        }
    }
}

// The digits after 0x, 0o or 0b; false if there are none or an underscore is misplaced.
static bool scan_radix_number(struct lexer *lexer, unsigned radix) {
    lexer->position += 2;
    if (peek(lexer, 0) == '_') {
        lexer->position++;
    }
    return is_radix_digit(peek(lexer, 0), radix) && scan_digits(lexer, radix);
}

// The exponent, if one is there. `1else` has none.
static bool scan_exponent(struct lexer *lexer, bool *is_float) {
    char c = peek(lexer, 0);
    if (c != 'e' && c != 'E') {
        return true;
    }
    uint32_t sign = peek(lexer, 1) == '+' || peek(lexer, 1) == '-' ? 1 : 0;
    if (!is_digit(peek(lexer, 1 + sign))) {
        return true;
    }
    lexer->position += 1 + sign;
    *is_float = true;
    return scan_digits(lexer, 10);
}

static bool scan_decimal_number(struct lexer *lexer, const char **message) {
    uint32_t start = lexer->position;
    bool is_float = false;
    if (is_digit(peek(lexer, 0)) && !scan_digits(lexer, 10)) {
        return false;
    }
    uint32_t integer_end = lexer->position;
    if (peek(lexer, 0) == '.') {
        is_float = true;
        lexer->position++;
        if (is_digit(peek(lexer, 0)) && !scan_digits(lexer, 10)) {
            return false;
        }
    }
    if (!scan_exponent(lexer, &is_float)) {
        return false;
    }
    if (peek(lexer, 0) == 'j' || peek(lexer, 0) == 'J') {
        lexer->position++;
        return true;
    }
    if (is_float || lexer->text[start] != '0') {
        return true;
    }
    for (uint32_t i = start; i < integer_end; i++) {
        if (lexer->text[i] != '0' && lexer->text[i] != '_') {
            *message = "leading zeros in a decimal number are not allowed; use the prefix 0o for octal";
            return false;
        }
    }
    return true;
}

// A number may touch a following operator keyword (`1if x else 2`), but no other name.
static bool ends_before_name(struct lexer *lexer) {
    if (!lexer_is_name_byte(peek(lexer, 0))) {
        return true;
    }
    static const char *const words[] = {"and", "else", "for", "if", "in", "is", "not", "or"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if (lexer->end - lexer->position >= length &&
            memcmp(lexer->text + lexer->position, words[i], length) == 0) {
            return true;
        }
    }
    return false;
}

void lexer_take_number(struct lexer *lexer) {
    uint32_t start = lexer->position;
    const char *message = "invalid number";
    char mark = peek(lexer, 0) == '0' ? (char)(peek(lexer, 1) | 0x20) : '\0';
    unsigned radix = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
    bool valid = radix != 10 ? scan_radix_number(lexer, radix) : scan_decimal_number(lexer, &message);
    if (valid && ends_before_name(lexer)) {
        lexer_add_token_here(lexer, TOK_NUMBER, start);
        return;
    }
    while (lexer_is_name_byte(peek(lexer, 0))) {
        lexer->position++;
    }
    lexer_add_error(lexer, start, message);
}

// ---- strings ----

// True if the name text[0..length) is a string prefix; says if it is raw or formatted.
bool lexer_is_string_prefix(const char *text, uint32_t length, bool *raw, bool *formatted) {
    unsigned seen = 0;
    if (length > 2) {
        return false;
    }
    for (uint32_t i = 0; i < length; i++) {
        char c = (char)(text[i] | 0x20);
        unsigned bit = c == 'r' ? 1 : c == 'b' ? 2 : c == 'f' ? 4 : c == 'u' ? 8 : 0;
        if (!bit || (seen & bit)) {
            return false;
        }
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
void lexer_take_string(struct lexer *lexer, uint32_t start) {
    uint32_t line = lexer->line, line_start = lexer->line_start;
    char quote;
    unsigned count = skip_opening_quotes(lexer, &quote);
    while (lexer->position < lexer->end) {
        if (at_quotes(lexer, quote, count)) {
            lexer->position += count;
            lexer_add_token(lexer, TOK_STRING, start, line, line_start);
            return;
        }
        if (lexer_at_newline(lexer)) {
            if (count == 1) {
                break;
            }
            lexer_skip_newline(lexer);
            continue;
        }
        if (lexer->text[lexer->position] == '\\' && lexer->end - lexer->position > 1) {
            lexer->position++;
            if (lexer_at_newline(lexer)) {
                lexer_skip_newline(lexer);
                continue;
            }
        }
        lexer->position++;
    }
    if (count == 3) {
        fail_unclosed(lexer, start, line, line_start, "triple-quoted string");
    } else {
        lexer_add_token(lexer, TOK_ERROR, start, line, line_start)->text =
            "string is not closed before the end of the line";
    }
}

// ---- f-strings ----

struct fstring {
    uint32_t start; // of the prefix
    uint32_t line;
    uint32_t line_start;
    char quote;
    unsigned count; // of quotes: 1 or 3
    bool raw;
};

static bool lex_fields(struct lexer *lexer, const struct fstring *string, bool in_format);

static bool last_is_error(const struct lexer *lexer) {
    return lexer->failed || lexer->tokens[lexer->token_count - 1].kind == TOK_ERROR;
}

static bool report_unclosed_fstring(struct lexer *lexer, const struct fstring *string) {
    if (string->count == 3) {
        fail_unclosed(lexer, string->start, string->line, string->line_start, "triple-quoted f-string");
    } else {
        lexer_add_error(lexer, lexer->position, "f-string is not closed before the end of the line");
    }
    return false;
}

// The tokens of a field after its `{`, up to and with its `}`. False after an error.
static bool lex_field(struct lexer *lexer, const struct fstring *string) {
    size_t floor = lexer->bracket_count; // counts the field's own brace
    for (;;) {
        char c = peek(lexer, 0);
        uint32_t start = lexer->position;
        bool own_level = lexer->bracket_count == floor;
        if (lexer->position == lexer->end) {
            return report_unclosed_fstring(lexer, string);
        }
        if (c == ' ' || c == '\t' || c == '\f') {
            lexer->position++;
        } else if (lexer_at_newline(lexer)) {
            lexer_skip_newline(lexer);
        } else if (c == '#') {
            lexer_skip_to_line_end(lexer);
        } else if (lexer_skip_continuation(lexer)) {
            continue;
        } else if (own_level && c == '!' && peek(lexer, 1) != '=') {
            lexer->position++;
            lexer_add_token_here(lexer, TOK_EXCLAMATION, start);
        } else if (own_level && c == ':') {
            lexer->position++;
            lexer_add_token_here(lexer, TOK_COLON, start);
            if (!lex_fields(lexer, string, true)) {
                return false;
            }
        } else if (own_level && c == '}') {
            lexer->position++;
            lexer_add_token_here(lexer, TOK_RBRACE, start);
            lexer->bracket_count--;
            return true;
        } else {
            lexer_take_token(lexer, floor);
            if (last_is_error(lexer)) {
                return false;
            }
        }
    }
}

// Moves past literal text: to the opening or closing brace of a field, the end of the string, or the end of
// the line of a single-quoted string.
static void scan_fstring_text(struct lexer *lexer, const struct fstring *string, bool in_format) {
    while (lexer->position < lexer->end && !at_quotes(lexer, string->quote, string->count)) {
        char c = lexer->text[lexer->position];
        if (lexer_at_newline(lexer)) {
            if (string->count == 1) {
                return;
            }
            lexer_skip_newline(lexer);
        } else if (c == '{' || c == '}') {
            if (in_format || peek(lexer, 1) != c) {
                return;
            }
            lexer->position += 2;
        } else if (c == '\\' && lexer->end - lexer->position > 1) {
            lexer->position++;
            char escaped = peek(lexer, 0);
            if (lexer_at_newline(lexer)) {
                lexer_skip_newline(lexer);
            } else if (!string->raw && escaped == 'N' && peek(lexer, 1) == '{') {
                while (lexer->position < lexer->end && !lexer_at_newline(lexer) &&
                       lexer->text[lexer->position++] != '}') {
                    ;
                }
            } else if (escaped != '{' && escaped != '}') {
                lexer->position++;
            }
        } else {
            lexer->position++;
        }
    }
}

// Literal text and fields, up to the closing quotes (not taken), or of a format up to the field's `}` (not
// taken).
static bool lex_fields(struct lexer *lexer, const struct fstring *string, bool in_format) {
    if (++lexer->fstring_depth > MAX_FSTRING_NESTING) {
        lexer_fail_here(lexer, "f-strings are nested too deeply");
        return false;
    }
    for (;;) {
        uint32_t start = lexer->position, line = lexer->line, line_start = lexer->line_start;
        scan_fstring_text(lexer, string, in_format);
        if (lexer->position > start) {
            lexer_add_token(lexer, TOK_FSTRING_MIDDLE, start, line, line_start);
        }
        char c = peek(lexer, 0);
        if (lexer->position == lexer->end ||
            (c != '{' && c != '}' && !at_quotes(lexer, string->quote, string->count))) {
            return report_unclosed_fstring(lexer, string);
        }
        start = lexer->position;
        if (c == '{') {
            lexer->position++;
            lexer_add_token_here(lexer, TOK_LBRACE, start);
            lexer_open_bracket(lexer);
            if (lexer->failed || !lex_field(lexer, string)) {
                return false;
            }
        } else if (c == '}' && !in_format) {
            lexer->position++;
            lexer_add_error(lexer, start, "single '}' in an f-string; write '}}'");
            return false;
        } else if (c != '}' && in_format) {
            lexer_add_error(lexer, start, "'{' in an f-string is not closed");
            return false;
        } else {
            lexer->fstring_depth--;
            return true;
        }
    }
}

// After an error in an f-string: skips to its end if found, otherwise to the end of the line.
static void leave_fstring(struct lexer *lexer, const struct fstring *string) {
    while (lexer->position < lexer->end && !at_quotes(lexer, string->quote, string->count)) {
        if (!lexer_at_newline(lexer)) {
            lexer->position++;
        } else if (string->count == 3) {
            lexer_skip_newline(lexer);
        } else {
            return;
        }
    }
    if (lexer->position < lexer->end) {
        lexer->position += string->count;
    }
}

// The position is at the opening quote, `start` at the prefix.
void lexer_take_fstring(struct lexer *lexer, uint32_t start, bool raw) {
    struct fstring string = {
        .start = start, .line = lexer->line, .line_start = lexer->line_start, .raw = raw};
    string.count = skip_opening_quotes(lexer, &string.quote);
    size_t bracket_count = lexer->bracket_count;
    unsigned depth = lexer->fstring_depth;
    lexer_add_token_here(lexer, TOK_FSTRING_START, start);
    if (lex_fields(lexer, &string, false)) {
        uint32_t end = lexer->position;
        lexer->position += string.count;
        lexer_add_token_here(lexer, TOK_FSTRING_END, end);
    } else if (!lexer->failed) {
        leave_fstring(lexer, &string);
    }
    lexer->bracket_count = bracket_count;
    lexer->fstring_depth = depth;
}
