// Lexer: kinds and texts of tokens, indentation, line joining, strings and f-strings, numbers, and refused
// text.
#include "testing.h"
#include "frontend/syntax/lexer.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/strbuf.h"

struct fixture {
    struct arena *arena;
    struct diag diag;
    struct strbuf messages;
    struct token_list tokens;
    const struct source *source;
};

static void collect(void *user, enum diag_severity severity, const char *text) {
    (void)severity;
    strbuf_add(user, text);
}

static int setup(void **state) {
    static struct fixture fixture;
    fixture = (struct fixture){.arena = arena_create()};
    fixture.diag = (struct diag){.sink = collect, .sink_user = &fixture.messages};
    *state = &fixture;
    return 0;
}

static int teardown(void **state) {
    struct fixture *fixture = *state;
    arena_destroy(fixture->arena);
    strbuf_free(&fixture->messages);
    return 0;
}

static bool lex(struct fixture *fixture, const char *text) {
    fixture->source = source_from_text(fixture->arena, "test.tk", text);
    strbuf_clear(&fixture->messages);
    return lexer_run(fixture->arena, &fixture->diag, fixture->source, &fixture->tokens);
}

// The tokens in short: names, numbers, strings and operators as written, the others by a word, with spaces
// between.
static const char *lexed(struct fixture *fixture, const char *text) {
    static const char *const words[TOK_COUNT] = {
        [TOK_END_OF_FILE] = "END", [TOK_NEWLINE] = "NL", [TOK_INDENT] = "IN", [TOK_DEDENT] = "OUT"};
    assert_true(lex(fixture, text));
    struct strbuf buf = {0};
    for (size_t i = 0; i < fixture->tokens.count; i++) {
        const struct token *token = &fixture->tokens.items[i];
        strbuf_add(&buf, i ? " " : "");
        if (words[token->kind]) {
            strbuf_add(&buf, words[token->kind]);
        } else if (token->kind == TOK_ERROR) {
            strbuf_printf(&buf, "<%s>", token->text);
        } else {
            strbuf_add_bytes(&buf, fixture->source->text + token->offset, token->length);
        }
    }
    char *result = arena_strdup(fixture->arena, strbuf_text(&buf));
    strbuf_free(&buf);
    return result;
}

#define LEXES(text, expected) assert_string_equal(lexed(*state, text), expected)

static void lines_and_blocks(void **state) {
    LEXES("", "END");
    LEXES("\n\n  # only a comment\n", "END");
    LEXES("a", "a NL END");
    LEXES("a\nb\n", "a NL b NL END");
    LEXES("if a:\n  b\n\n   # odd comment\n  c\nd\n", "if a : NL IN b NL c NL OUT d NL END");
    LEXES("if a:\n  if b:\n    c", "if a : NL IN if b : NL IN c NL OUT OUT END");
}

static void tabs(void **state) {
    struct fixture *fixture = *state;
    LEXES("if a:\n\tb\n\tc\n", "if a : NL IN b NL c NL OUT END");
    LEXES("if a:\n \tb\n \tc\n", "if a : NL IN b NL c NL OUT END");
    assert_false(lex(fixture, "if a:\n\tb\n        c\n"));
    assert_non_null(strstr(strbuf_text(&fixture->messages), "test.tk:3:9: error: tabs and spaces are mixed"));
}

static void joined_lines(void **state) {
    LEXES("a = (b,\n   c)\n", "a = ( b , c ) NL END");
    LEXES("a = b + \\\n  c\n", "a = b + c NL END");
    LEXES("f(a, # why\n\n  b)\nc", "f ( a , b ) NL c NL END");
    LEXES("\\\na\n", "a NL END");
    LEXES("a\\", "a <unexpected character '\\'> NL END");
}

static void line_ends(void **state) {
    LEXES("\xef\xbb\xbfif a:\r\n  b\r\nc\r\n", "if a : NL IN b NL OUT c NL END");
    LEXES("a\rb", "a NL b NL END");
    LEXES("x = '''a\r\nb'''\r\ny", "x = '''a\r\nb''' NL y NL END");
}

static void locations(void **state) {
    struct fixture *fixture = *state;
    lexed(fixture, "\xef\xbb\xbf"
                   "ab +\\\n c\n'''x\ny''' d\n");
    const struct token *tokens = fixture->tokens.items;
    const unsigned expected[][3] = {{1, 1, 2}, {1, 4, 1}, {2, 2, 1}, {2, 3, 0}, {3, 1, 9}, {4, 6, 1}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_int_equal(tokens[i].line, expected[i][0]);
        assert_int_equal(tokens[i].column, expected[i][1]);
        assert_int_equal(tokens[i].length, expected[i][2]);
    }
}

static void operators(void **state) {
    LEXES("a**=b//c>>=d<<e->f:=g...h!=i@=j", "a **= b // c >>= d << e -> f := g ... h != i @= j NL END");
    LEXES("a$b", "a <unexpected character '$'> b NL END");
    LEXES("a!b", "a <unexpected character '!'> b NL END");
    LEXES("a)", "a <')' closes nothing> NL END");
    LEXES("(a]+b)", "( a <']' does not close '(' of line 1> + b ) NL END");
}

static void names(void **state) {
    struct fixture *fixture = *state;
    LEXES("match case type _ \xce\xb1\xce\xb2 x1", "match case type _ \xce\xb1\xce\xb2 x1 NL END");
    assert_int_equal(fixture->tokens.items[0].kind, TOK_NAME);
    lexed(fixture, "name other name if");
    assert_ptr_equal(fixture->tokens.items[0].text, fixture->tokens.items[2].text);
    assert_int_equal(fixture->tokens.items[3].kind, TOK_IF);
    LEXES("a \xe2\x80\x9cq\xe2\x80\x9d", "a <invalid character U+201C> q <invalid character U+201D> NL END");
    LEXES("a\xff", "a <the file is not valid UTF-8> NL END");
}

static void numbers(void **state) {
    LEXES("0 00 1_000 0xFF_ff 0o17 0b1_0 0x_1", "0 00 1_000 0xFF_ff 0o17 0b1_0 0x_1 NL END");
    LEXES("1.5 .5 5. 1e10 1E-3 1_0.0_1e+1_0 3j 1.5J 012.5 09e1",
          "1.5 .5 5. 1e10 1E-3 1_0.0_1e+1_0 3j 1.5J 012.5 09e1 NL END");
    LEXES("1if a else 2", "1 if a else 2 NL END");
    LEXES("1..real", "1. . real NL END");
    const char *const bad[] = {"1_", "1__0", "0x", "0b2", "0o8", "1a", "0xg", "1_000_"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        LEXES(bad[i], "<invalid number> NL END");
    }
    LEXES("012", "<leading zeros in a decimal number are not allowed; use the prefix 0o for octal> NL END");
}

static void strings(void **state) {
    LEXES("r'\\' x", "<string is not closed before the end of the line> NL END");
    LEXES("'a' \"b\" Rb'\\x' bR'' u'' '' ''''''", "'a' \"b\" Rb'\\x' bR'' u'' '' '''''' NL END");
    LEXES("'''a\n'b''c\\''''", "'''a\n'b''c\\'''' NL END");
    LEXES("'a\\\nb' c", "'a\\\nb' c NL END");
    LEXES("ub'a'", "ub 'a' NL END");
    LEXES("'abc\nd", "<string is not closed before the end of the line> NL d NL END");
}

static void fstrings(void **state) {
    LEXES("f'a{b}c' d", "f' a { b } c ' d NL END");
    LEXES("f'{a!r:>{w}.{p}}' d", "f' { a ! r : > { w } . { p } } ' d NL END");
    LEXES("f'{{x}}'", "f' {{x}} ' NL END");
    LEXES("f'{f'{f'{1}'}'}'", "f' { f' { f' { 1 } ' } ' } ' NL END");
    LEXES("f'{a[\"k\"]}' f\"{x=}\"", "f' { a [ \"k\" ] } ' f\" { x = } \" NL END");
    LEXES("f'{(lambda x: {1: x})}'", "f' { ( lambda x : { 1 : x } ) } ' NL END");
    LEXES("f'{a\n}' b", "f' { a } ' b NL END");
    LEXES("f'''a\n{b}\n''' c", "f''' a\n { b } \n ''' c NL END");
    LEXES("rf'\\{a}' f'\\N{DASH}'", "rf' \\ { a } ' f' \\N{DASH} ' NL END");
    LEXES("f'{a!=b}'", "f' { a != b } ' NL END");
    LEXES("f'}' b", "f' <single '}' in an f-string; write '}}'> b NL END");
    LEXES("f'{a b\nc", "f' { a b c <f-string is not closed before the end of the line> NL END");
}

static void refused(struct fixture *fixture, const char *text, const char *message) {
    assert_false(lex(fixture, text));
    if (!strstr(strbuf_text(&fixture->messages), message)) {
        fail_msg("expected: %s\nfound: %s", message, strbuf_text(&fixture->messages));
    }
}

static void lost_structure(void **state) {
    refused(*state, "if a:\n    b\n  c\n", "test.tk:3:3: error: the indentation matches no enclosing block");
    refused(*state, "a\nb = (c,\nd\n", "test.tk:2:5: error: '(' is never closed");
    refused(*state, "f('a\nb\n", "test.tk:1:3: error: string is not closed before the end of the line");
    refused(*state, "a\n'''b\n", "test.tk:2:1: error: triple-quoted string is never closed");
    refused(*state, "f'''{a", "test.tk:1:1: error: triple-quoted f-string is never closed");
    struct strbuf deep = {0};
    for (int i = 0; i < 201; i++) {
        strbuf_add_char(&deep, '[');
    }
    refused(*state, strbuf_text(&deep), "more than 200 nested brackets");
    strbuf_clear(&deep);
    for (int i = 0; i < 120; i++) {
        strbuf_printf(&deep, "%*sif a:\n", i, "");
    }
    refused(*state, strbuf_text(&deep), "more than 99 levels of indentation");
    strbuf_clear(&deep);
    for (int i = 0; i < 120; i++) {
        strbuf_add(&deep, "f'{");
    }
    refused(*state, strbuf_text(&deep), "f-strings are nested too deeply");
    strbuf_free(&deep);
}

int main(void) {
#undef TEST // with a state of its own
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(lines_and_blocks), TEST(tabs),      TEST(joined_lines),   TEST(line_ends),
        TEST(locations),        TEST(operators), TEST(names),          TEST(numbers),
        TEST(strings),          TEST(fstrings),  TEST(lost_structure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
