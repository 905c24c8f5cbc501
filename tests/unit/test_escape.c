// support/escape: text from outside cannot end the construct around it; and the parts of a diagnostic that
// print such text.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/arena.h"
#include "support/diag.h"
#include "support/escape.h"

static void forms_are_told_apart(void **state) {
    (void)state;
    static const struct {
        enum escape form;
        const char *text, *escaped;
    } cases[] = {
        {ESCAPE_JSON, "a\"b\\c\n\t\x7f", "a\\\"b\\\\c\\u000a\\u0009\\u007f"},
        {ESCAPE_JSON, "gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80", "gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80"},
        {ESCAPE_JSON, "\xff\xc3", "\\ufffd\\ufffd"},
        {ESCAPE_JSON, "\xc0\xaf", "\\ufffd\\ufffd"},            // overlong
        {ESCAPE_JSON, "\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd"}, // a surrogate
        {ESCAPE_STRING,
         "a\"b\\c?\?/\n\x01"
         "7",
         "a\\\"b\\\\c\\?\\?/\\012\\0017"},
        {ESCAPE_STRING, "gr\xc3\xbc\xc3\x9f\xff\xe2\x80\xae", "gr\xc3\xbc\xc3\x9f\\377\\342\\200\\256"},
        {ESCAPE_HTML, "<b>&\"'</b>\t\n", "&lt;b&gt;&amp;&quot;&#39;&lt;/b&gt;\t\\x0a"},
        {ESCAPE_HTML, "gr\xc3\xbc\xff", "gr\xc3\xbc\\xff"},
        {ESCAPE_COMMENT, "a\rint x;\n", "a\\x0dint x;\\x0a"},
        {ESCAPE_COMMENT, "back\\slash\\", "back\\slash\\x5c"},
        {ESCAPE_COMMENT, "why?\?/", "why?\\x3f/"},
        {ESCAPE_COMMENT, "\xe2\x80\xae", "\\u202e"},
        {ESCAPE_COMMENT, "\xc2\x85\xff", "\\x85\\xff"},
        {ESCAPE_LINE, "k\n.tk\x1b[2J\t", "k\\x0a.tk\\x1b[2J\\x09"},
        {ESCAPE_MESSAGE, "one\n\ttwo\x1b", "one\n\ttwo\\x1b"},
        {ESCAPE_COLUMNS, "\ta\x1b\xff", "\ta\xef\xbf\xbd\xef\xbf\xbd"},
        {ESCAPE_MAKE, "a b#c$d:e%f\\ g", "a\\ b\\#c$$d\\:e%f\\\\\\ g"},
        {ESCAPE_TARGET, "e%f", "e\\%f"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct strbuf text = {0};
        escape_add_text(&text, cases[i].form, cases[i].text);
        assert_string_equal(strbuf_text(&text), cases[i].escaped);
        strbuf_free(&text);
    }
    assert_true(escape_fits_make("a b"));
    assert_false(escape_fits_make("a\nb"));
}

// Every form of any bytes: no control character, and valid UTF-8 in forms that promise it.
static void any_bytes_are_harmless(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 20000; round++) {
        char bytes[12];
        for (size_t i = 0; i < sizeof bytes; i++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
            unsigned value = (unsigned)(seed >> 56);
            bytes[i] = round % 2 ? (char)value : "\\?/\"\r\n\xc2\x85\xe2\x80\xae "[value % 12];
        }
        for (enum escape form = ESCAPE_JSON; form <= ESCAPE_COLUMNS; form++) {
            struct strbuf text = {0};
            escape_add(&text, form, bytes, sizeof bytes);
            for (size_t i = 0; i < text.length;) {
                unsigned code;
                size_t count = escape_utf8(text.data + i, text.length - i, &code);
                assert_true(count > 0);
                bool allowed = (form == ESCAPE_MESSAGE && code == '\n') ||
                               ((form == ESCAPE_MESSAGE || form == ESCAPE_COLUMNS) && code == '\t');
                assert_true(allowed || (code >= 0x20 && code != 0x7f && code != 0x85 && code != 0x202e));
                i += count;
            }
            if (form == ESCAPE_COMMENT && text.length) {
                assert_true(text.data[text.length - 1] != '\\');
                assert_null(strstr(text.data, "?\?/"));
            }
            strbuf_free(&text);
        }
    }
}

static void keep_text(void *user, enum diag_severity severity, const char *text) {
    (void)severity;
    strbuf_add(user, text);
}

static const char *message_at(struct strbuf *out, const char *path, const char *line, uint32_t column,
                              uint32_t length) {
    struct arena *arena = arena_create();
    struct diag diag = {.sink = keep_text, .sink_user = out};
    struct source *source = source_from_text(arena, path, line);
    strbuf_clear(out);
    diag_error(&diag, (struct location){source, 1, column, length}, "odd");
    arena_destroy(arena);
    return strbuf_text(out);
}

static void long_lines_are_cut(void **state) {
    (void)state;
    struct strbuf out = {0};
    assert_string_equal(message_at(&out, "a\nb.tk", "x\x1b = \xff!", 6, 1),
                        "a\\x0ab.tk:1:6: error: odd\n"
                        "    x\xef\xbf\xbd = \xef\xbf\xbd!\n"
                        "         ^\n");
    char line[100001];
    memset(line, 'a', sizeof line);
    line[sizeof line - 1] = 0;
    memcpy(line + 50000, "here", 4);
    const char *text = message_at(&out, "k.tk", line, 50001, 4);
    assert_true(out.length < 600);
    const char *shown = strstr(text, "here"), *caret = strstr(text, "^~~~\n");
    assert_non_null(shown);
    assert_non_null(caret);
    // Both ends are cut: "   …" is four columns of six bytes.
    const char *start = strstr(text, "\n   …") + 1, *below = strchr(start, '\n') + 1;
    assert_int_equal(shown - start - 2, caret - below);
    assert_non_null(strstr(text, "aaa…\n"));
    text = message_at(&out, "k.tk", line, 1, 1);
    assert_non_null(strstr(text, "\n    aaa"));
    text = message_at(&out, "k.tk", line, 100000, 1);
    assert_null(strstr(text, "a…\n"));
    strbuf_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_are_told_apart),
        cmocka_unit_test(any_bytes_are_harmless),
        cmocka_unit_test(long_lines_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
