// JSON reading: values, escapes, faults with their places.
#include "testing.h"
#include "support/json.h"

static struct arena *arena;

static const struct json *parse(const char *text) {
    const char *why;
    size_t at;
    return json_parse(arena, text, &why, &at);
}

static int setup(void **state) {
    arena = arena_create();
    return 0;
}

static int teardown(void **state) {
    arena_destroy(arena);
    return 0;
}

static void values(void **state) {
    long long number;
    const struct json *root = parse(" { \"a\" : [1, -2.5e1, true, false, null, {}, []], \"b\":\"x\"} \n");
    assert_non_null(root);
    const struct json *a = json_member(root, "a");
    assert_int_equal(a->kind, JSON_ARRAY);
    assert_int_equal(a->count, 7);
    assert_true(json_integer(&a->items[0], &number) && number == 1);
    assert_false(json_integer(&a->items[1], &number));
    assert_true(a->items[1].number == -25);
    assert_true(a->items[2].truth && !a->items[3].truth && a->items[4].kind == JSON_NULL);
    assert_string_equal(json_text(root, "b"), "x");
    assert_null(json_text(root, "a"));
    assert_null(json_member(root, "c"));
    assert_null(json_member(NULL, "c"));
    assert_false(json_integer(parse("99999999999999999999"), &number));
}

static void many_items(void **state) {
    char text[4096] = "[";
    for (int i = 0; i < 500; i++) {
        strcat(text, i ? ",7" : "7");
    }
    strcat(text, "]");
    const struct json *root = parse(text);
    assert_int_equal(root->count, 500);
    assert_true(root->items[499].number == 7);
}

static void strings(void **state) {
    const struct json *root =
        parse("[\"\\\"\\\\\\/\\n\", \"\\u00e9\\u20AC\", \"\\ud83d\\ude00\", \"\xc3\xa9\"]");
    assert_non_null(root);
    assert_string_equal(root->items[0].text, "\"\\/\n");
    assert_string_equal(root->items[1].text, "\xc3\xa9\xe2\x82\xac");
    assert_string_equal(root->items[2].text, "\xf0\x9f\x98\x80");
    assert_string_equal(root->items[3].text, "\xc3\xa9");
}

static void faults(void **state) {
    static const struct {
        const char *text, *why;
        size_t at;
    } cases[] = {{"", "a value", 0},
                 {"{\"a\" 1}", "a colon", 5},
                 {"[1 2]", "a comma or ]", 3},
                 {"{\"a\": 1,}", "a string", 8},
                 {"[1,]", "a value", 3},
                 {"\"abc", "the end of a string", 4},
                 {"\"\\x\"", "an escape", 2},
                 {"\"\\", "an escape", 2},
                 {"\"\\u00g0\"", "four hexadecimal digits", 5},
                 {"\"\\ud800\"", "the second half of a surrogate pair", 7},
                 {"\"\\u0000\"", "a character other than U+0000", 7},
                 {"\"\\udc00\"", "the first half of a surrogate pair", 7},
                 {"\"a\xff\"", "UTF-8", 2},
                 {"\"\xed\xa0\x80\"", "UTF-8", 1},
                 {"\"\xc3", "UTF-8", 1},
                 {"[1e999]", "a number that a double holds", 1},
                 {"1 1", "the end", 2},
                 {"+1", "a value", 0},
                 {"nul", "a value", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *why = NULL;
        size_t at = 0;
        assert_null(json_parse(arena, cases[i].text, &why, &at));
        assert_string_equal(why, cases[i].why);
        assert_int_equal(at, cases[i].at);
    }
    char deep[200] = {0};
    memset(deep, '[', JSON_NESTING + 1);
    assert_null(parse(deep));
    memset(deep + JSON_NESTING, ']', JSON_NESTING);
    assert_non_null(parse(deep));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(many_items),
                                       cmocka_unit_test(strings), cmocka_unit_test(faults)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
