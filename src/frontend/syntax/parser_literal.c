// Parser: the values of number and string literals, and f-strings.
#include "frontend/syntax/parser_internal.h"

#include <stdlib.h>
#include <string.h>

// ---- numbers ----

static unsigned digit_value(char c) {
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a' + 10);
}

static void decode_integer(struct expr *expr, const char *digits) {
    unsigned radix = 10;
    if (digits[0] == '0' && digits[1] > '9') {
        char mark = (char)(digits[1] | 0x20);
        radix = mark == 'x' ? 16 : mark == 'o' ? 8 : 2;
        digits += 2;
    }
    __extension__ unsigned __int128 value = 0, limit = ~value;
    for (; *digits; digits++) {
        unsigned digit = digit_value(*digits);
        if (value > (limit - digit) / radix) {
            expr->integer.overflow = true;
        }
        value = value * radix + digit;
    }
    expr->integer.value = value;
}

struct expr *parse_number(struct parser *parser) {
    const struct token *token = parser->token++;
    const char *written = parser->source->text + token->offset;
    char *text = arena_strndup(parser->arena, written, token->length);
    char *digits = arena_strndup(parser->arena, written, token->length); // without underscores
    size_t length = 0;
    bool hexadecimal = text[0] == '0' && (text[1] | 0x20) == 'x';
    bool is_float = false;
    for (size_t i = 0; text[i]; i++) {
        if (text[i] != '_') {
            digits[length++] = text[i];
        }
        is_float = is_float || (!hexadecimal && strchr(".eEjJ", text[i]));
    }
    digits[length] = '\0';
    bool imaginary = is_float && (digits[length - 1] | 0x20) == 'j';
    struct expr *expr = parser_new_expr(parser,
                                        imaginary  ? EXPR_IMAGINARY
                                        : is_float ? EXPR_FLOAT
                                                   : EXPR_INT,
                                        token);
    if (is_float) {
        expr->number.value = strtod(digits, NULL);
        expr->number.text = text;
    } else {
        expr->integer.text = text;
        decode_integer(expr, digits);
    }
    return expr;
}

// ---- escapes ----

struct decoder {
    struct parser *parser;
    struct location location; // of the literal
    const char *text;
    const char *end;
    char *out; // as long as the text: decoding never lengthens it
    size_t length;
    bool raw;
    bool bytes;
    bool braces; // {{ and }} stand for one brace
};

static void put_utf8(struct decoder *decoder, uint32_t code) {
    char *out = decoder->out + decoder->length;
    if (code < 0x80) {
        out[0] = (char)code;
        decoder->length += 1;
    } else if (code < 0x800) {
        out[0] = (char)(0xc0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3f));
        decoder->length += 2;
    } else if (code < 0x10000) {
        out[0] = (char)(0xe0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 0x3f));
        out[2] = (char)(0x80 | (code & 0x3f));
        decoder->length += 3;
    } else {
        out[0] = (char)(0xf0 | code >> 18);
        out[1] = (char)(0x80 | (code >> 12 & 0x3f));
        out[2] = (char)(0x80 | (code >> 6 & 0x3f));
        out[3] = (char)(0x80 | (code & 0x3f));
        decoder->length += 4;
    }
}

static void put_code(struct decoder *decoder, uint32_t code) {
    if (decoder->bytes) {
        decoder->out[decoder->length++] = (char)code;
    } else {
        put_utf8(decoder, code);
    }
}

static bool is_hex_digit(char c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

static void decode_hex_escape(struct decoder *decoder, char mark, unsigned digits) {
    uint32_t code = 0;
    for (unsigned i = 0; i < digits; i++) {
        if (decoder->text == decoder->end || !is_hex_digit(*decoder->text)) {
            parser_fault(decoder->parser, decoder->location, "escape \\%c needs %u hexadecimal digits", mark,
                         digits);
        }
        code = code << 4 | digit_value(*decoder->text++);
    }
    if (code > 0x10ffff) {
        parser_fault(decoder->parser, decoder->location, "escape \\%c%08x is beyond Unicode", mark, code);
    }
    put_code(decoder, code);
}

static void decode_octal_escape(struct decoder *decoder, char first) {
    uint32_t code = (uint32_t)(first - '0');
    for (int i = 0; i < 2 && decoder->text < decoder->end && *decoder->text >= '0' && *decoder->text <= '7';
         i++) {
        code = code << 3 | (uint32_t)(*decoder->text++ - '0');
    }
    put_code(decoder, code);
}

// After a backslash. \N{name} stays as it is written: character names are no part of the compiler.
static void decode_escape(struct decoder *decoder) {
    static const char from[] = "\\'\"abfnrtv";
    static const char to[] = "\\'\"\a\b\f\n\r\t\v";
    char c = *decoder->text++;
    const char *simple = c ? strchr(from, c) : NULL;
    if (simple) {
        decoder->out[decoder->length++] = to[simple - from];
    } else if (c == '\n') {
        return;
    } else if (c == '\r') {
        decoder->text += decoder->text < decoder->end && *decoder->text == '\n';
    } else if (c >= '0' && c <= '7') {
        decode_octal_escape(decoder, c);
    } else if (c == 'x') {
        decode_hex_escape(decoder, c, 2);
    } else if (c == 'u' && !decoder->bytes) {
        decode_hex_escape(decoder, c, 4);
    } else if (c == 'U' && !decoder->bytes) {
        decode_hex_escape(decoder, c, 8);
    } else {
        decoder->out[decoder->length++] = '\\';
        decoder->text--;
    }
}

struct piece {
    const char *bytes;
    size_t length;
};

static struct piece decode_text(struct decoder *decoder) {
    decoder->out = arena_alloc(decoder->parser->arena, (size_t)(decoder->end - decoder->text) + 1);
    while (decoder->text < decoder->end) {
        char c = *decoder->text++;
        bool more = decoder->text < decoder->end;
        if (c == '\\' && !decoder->raw && more) {
            decode_escape(decoder);
            continue;
        }
        if (c == '\r') { // line ends become \n
            decoder->text += more && *decoder->text == '\n';
            c = '\n';
        } else if (decoder->braces && more && (c == '{' || c == '}') && *decoder->text == c) {
            decoder->text++;
        }
        decoder->out[decoder->length++] = c;
    }
    return (struct piece){decoder->out, decoder->length};
}

// ---- strings and f-strings ----

// Adjacent literals under construction: the decoded pieces since the last replacement field, and the finished
// parts before them.
struct literal {
    struct piece *pieces;
    size_t piece_count;
    struct fstring_part *parts;
    size_t part_count;
};

static struct piece join_pieces(struct parser *parser, const struct literal *literal) {
    if (literal->piece_count == 1) {
        return literal->pieces[0];
    }
    size_t length = 0;
    for (size_t i = 0; i < literal->piece_count; i++) {
        length += literal->pieces[i].length;
    }
    char *bytes = arena_alloc(parser->arena, length + 1);
    length = 0;
    for (size_t i = 0; i < literal->piece_count; i++) {
        memcpy(bytes + length, literal->pieces[i].bytes, literal->pieces[i].length);
        length += literal->pieces[i].length;
    }
    return (struct piece){bytes, length};
}

// Text gathered so far becomes a part of its own.
static void flush_text(struct parser *parser, struct literal *literal, struct location location) {
    struct piece text = join_pieces(parser, literal);
    literal->piece_count = 0;
    literal->pieces = NULL;
    if (text.length) {
        APPEND(parser, literal->parts, literal->part_count,
               (struct fstring_part){.text = text.bytes, .length = text.length, .location = location});
    }
}

static void add_fields(struct parser *parser, struct literal *literal, bool raw, enum token_kind end);

static char parse_conversion(struct parser *parser) {
    const struct token *token = parser->token;
    const char *name = parser_at(parser, TOK_NAME) ? token->text : "";
    if (strcmp(name, "r") != 0 && strcmp(name, "s") != 0 && strcmp(name, "a") != 0) {
        parser_fault_expected(parser, "'r', 's' or 'a' after '!' in an f-string");
    }
    parser->token++;
    return name[0];
}

static struct expr *new_fstring(struct parser *parser, const struct token *start,
                                const struct literal *literal) {
    struct expr *expr = parser_new_expr(parser, EXPR_FSTRING, start);
    expr->fstring.parts = literal->parts;
    expr->fstring.count = literal->part_count;
    for (size_t i = 0; i < literal->part_count; i++) {
        parser_add_child(parser, expr, literal->parts[i].value);
        parser_add_child(parser, expr, literal->parts[i].format);
    }
    return expr;
}

// A replacement field from its '{' to its '}'.
static struct fstring_part parse_field(struct parser *parser, bool raw) {
    const struct token *brace = parser->token++;
    struct fstring_part part = {.value = parse_star_or_yield(parser)};
    if (parser_take(parser, TOK_ASSIGN)) {
        const char *text = parser->source->text + brace->offset + 1;
        part.length = parser->token->offset - brace->offset - 1;
        part.text = arena_strndup(parser->arena, text, part.length);
    }
    if (parser_take(parser, TOK_EXCLAMATION)) {
        part.conversion = parse_conversion(parser);
    }
    if (parser_take(parser, TOK_COLON)) {
        const struct token *start = parser->token;
        struct literal format = {0};
        add_fields(parser, &format, raw, TOK_RBRACE);
        part.format = new_fstring(parser, start, &format);
    }
    parser_expect(parser, TOK_RBRACE);
    part.location = parser_location_since(parser, brace);
    return part;
}

// Takes literal text and fields before the token `end`.
static void add_fields(struct parser *parser, struct literal *literal, bool raw, enum token_kind end) {
    for (;;) {
        const struct token *token = parser->token;
        struct location location = parser_location_of(parser, token);
        if (parser_take(parser, TOK_FSTRING_MIDDLE)) {
            const char *text = parser->source->text + token->offset;
            struct decoder decoder = {.parser = parser,
                                      .location = location,
                                      .text = text,
                                      .end = text + token->length,
                                      .raw = raw,
                                      .braces = end == TOK_FSTRING_END};
            struct piece piece = decode_text(&decoder);
            APPEND(parser, literal->pieces, literal->piece_count, piece);
        } else if (parser_at(parser, TOK_LBRACE)) {
            flush_text(parser, literal, location);
            struct fstring_part part = parse_field(parser, raw);
            APPEND(parser, literal->parts, literal->part_count, part);
        } else if (parser_at(parser, end)) {
            if (end == TOK_RBRACE) {
                flush_text(parser, literal, location);
            }
            return;
        } else {
            parser_fault_expected(parser, "f-string text");
        }
    }
}

// Reads the prefix letters of a string token.
static void read_prefix(const char **text, bool *raw, bool *bytes) {
    for (*raw = *bytes = false; **text != '"' && **text != '\''; ++*text) {
        *raw = *raw || (**text | 0x20) == 'r';
        *bytes = *bytes || (**text | 0x20) == 'b';
    }
}

static void add_string(struct parser *parser, struct literal *literal, bool *bytes) {
    const struct token *token = parser->token++;
    const char *text = parser->source->text + token->offset;
    struct decoder decoder = {
        .parser = parser, .location = parser_location_of(parser, token), .end = text + token->length};
    read_prefix(&text, &decoder.raw, &decoder.bytes);
    size_t quotes = decoder.end - text >= 6 && text[1] == text[0] && text[2] == text[0] ? 3 : 1;
    decoder.text = text + quotes;
    decoder.end -= quotes;
    *bytes = decoder.bytes;
    struct piece piece = decode_text(&decoder);
    APPEND(parser, literal->pieces, literal->piece_count, piece);
}

static void add_fstring(struct parser *parser, struct literal *literal) {
    const struct token *token = parser->token++;
    const char *text = parser->source->text + token->offset;
    bool raw, bytes;
    read_prefix(&text, &raw, &bytes);
    add_fields(parser, literal, raw, TOK_FSTRING_END);
    parser->token++;
}

struct expr *parse_strings(struct parser *parser) {
    const struct token *start = parser->token;
    struct literal literal = {0};
    bool any_bytes = false, any_text = false, formatted = false;
    while (parser_at(parser, TOK_STRING) || parser_at(parser, TOK_FSTRING_START)) {
        bool bytes = false;
        if (parser_at(parser, TOK_STRING)) {
            add_string(parser, &literal, &bytes);
        } else {
            add_fstring(parser, &literal);
            formatted = true;
        }
        any_bytes = any_bytes || bytes;
        any_text = any_text || !bytes;
    }
    struct location location = parser_location_since(parser, start);
    if (any_bytes && any_text) {
        parser_fault(parser, location, "bytes and text literals cannot be joined");
    }
    if (formatted) {
        flush_text(parser, &literal, location);
        return new_fstring(parser, start, &literal);
    }
    struct piece text = join_pieces(parser, &literal);
    struct expr *expr = parser_new_expr(parser, EXPR_STRING, start);
    expr->string.bytes = text.bytes;
    expr->string.length = text.length;
    expr->string.is_bytes = any_bytes;
    return expr;
}
