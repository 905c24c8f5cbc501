// Diagnostics of tkc_compile as structures: the parts of a message, places, fixes; the callback gets the result's own text.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tkc/tkc.h"

static void count(void *user, const struct tkc_diagnostic *diagnostic) {
    assert_non_null(diagnostic->text);
    ++*(size_t *)user;
}

static struct tkc_result *compile(const char *text, size_t *reported) {
    struct tkc_options options;
    tkc_options_init(&options);
    options.input = "k.tk";
    options.text = text;
    options.report = count;
    options.report_user = reported;
    return tkc_compile(&options);
}

#define HEAD "import triton\nimport triton.language as tl\n@triton.jit\n"

static void parts_of_an_error(void **state) {
    (void)state;
    size_t reported = 0;
    struct tkc_result *result =
        compile(HEAD "def k(x: \"*fp32\"):\n    \"\"\"\303\244\303\266\"\"\"; missing(x)\n", &reported);
    assert_false(result->ok);
    assert_int_equal(result->diagnostic_count, 1);
    assert_int_equal(reported, 1);
    const struct tkc_diagnostic *error = &result->diagnostics[0];
    assert_int_equal(error->severity, TKC_ERROR);
    assert_non_null(strstr(error->message, "missing is not defined"));
    assert_null(strchr(error->message, '\n'));
    assert_ptr_equal(strstr(error->text, "k.tk:5:17: error: missing"), error->text);
    assert_string_equal(error->place.file, "k.tk");
    assert_int_equal(error->place.line, 5);
    assert_int_equal(error->place.column, 17);
    assert_int_equal(error->place.end_column, 24);
    assert_int_equal(error->place.character, 15);
    assert_int_equal(error->place.end_character, 22);
    tkc_result_free(result);
}

static void fix_of_a_missing_colon(void **state) {
    (void)state;
    size_t reported = 0;
    struct tkc_result *result = compile(HEAD "def k(x: \"*fp32\"):\n    if True\n        pass\n", &reported);
    assert_int_equal(result->diagnostic_count, 1);
    const struct tkc_fix *fix = result->diagnostics[0].fix;
    assert_non_null(fix);
    assert_string_equal(fix->text, ":");
    assert_int_equal(fix->place.line, 5);
    assert_int_equal(fix->place.column, 12);
    assert_int_equal(fix->place.end_column, 12);
    tkc_result_free(result);
}

// The nearest known name is a fix: its place covers the unknown one, a keyword too.
static void fix_of_a_name(void **state) {
    (void)state;
    size_t reported = 0;
    struct tkc_result *result = compile(
        HEAD "def k(x: \"*fp32\"):\n    tl.stoer(x, 1.0)\n    tl.store(x, 1.0, msk=True)\n", &reported);
    assert_int_equal(result->diagnostic_count, 2);
    const struct tkc_diagnostic *name = &result->diagnostics[0], *keyword = &result->diagnostics[1];
    assert_non_null(strstr(name->message, "did you mean store?"));
    assert_non_null(name->fix);
    assert_string_equal(name->fix->text, "store");
    assert_int_equal(name->fix->place.column, 8);
    assert_int_equal(name->fix->place.end_column, 13);
    assert_non_null(strstr(keyword->message, "did you mean mask?"));
    assert_non_null(keyword->fix);
    assert_string_equal(keyword->fix->text, "mask");
    assert_int_equal(keyword->fix->place.column, 22);
    assert_int_equal(keyword->fix->place.end_column, 25);
    tkc_result_free(result);
}

// A message of any length keeps its beginning and its end.
static void long_messages_are_cut(void **state) {
    (void)state;
    enum { LENGTH = 100000 };
    static char source[LENGTH + 200];
    size_t reported = 0;
    int start = snprintf(source, sizeof source, HEAD "def k(x: \"*fp32\"):\n    tl.static_assert(False, \"");
    memset(source + start, 'a', LENGTH);
    strcpy(source + start + LENGTH, "the end\")\n");
    struct tkc_result *result = compile(source, &reported);
    assert_int_equal(result->diagnostic_count, 1);
    assert_in_range(strlen(result->diagnostics[0].message), 3000, 5000);
    assert_non_null(strstr(result->diagnostics[0].message, "static assertion failed: aaa"));
    assert_non_null(strstr(result->diagnostics[0].message, "the end"));
    assert_non_null(strstr(result->diagnostics[0].message, "bytes left out"));
    tkc_result_free(result);
}

// A wrong option is told from a wrong source.
static void wrong_usage_is_told(void **state) {
    (void)state;
    struct tkc_options options;
    tkc_options_init(&options);
    options.input = "k.tk";
    options.text = HEAD "def k(x: \"*fp32\"):\n    tl.store(x, 1.0)\n";
    const char *const targets[] = {"h1000"};
    options.targets = targets;
    options.target_count = 1;
    struct tkc_result *result = tkc_compile(&options);
    assert_true(!result->ok && result->usage && !result->clash);
    tkc_result_free(result);
    options.target_count = 0;
    options.text = HEAD "def k(x: \"*fp32\"):\n    y\n";
    result = tkc_compile(&options);
    assert_true(!result->ok && !result->usage);
    tkc_result_free(result);
}

// A message about the file as a whole has no line; variants are compiled by several jobs, and all messages come through.
static void messages_without_a_line(void **state) {
    (void)state;
    size_t reported = 0;
    struct tkc_result *result = compile("import triton\n", &reported);
    assert_int_equal(result->diagnostic_count, reported);
    assert_int_equal(result->diagnostics[0].place.line, 0);
    assert_string_equal(result->diagnostics[0].place.file, "k.tk");
    tkc_result_free(result);
    reported = 0;
    result = compile(HEAD "def k(x: \"*fp32:16|*fp32\"):\n    tl.store(x, 1.0)\n    tl.dot(x, x)\n"
                          "k.grid = lambda meta: (1,)\n",
                     &reported);
    assert_false(result->ok);
    assert_int_equal(result->diagnostic_count, reported);
    assert_int_equal(result->diagnostics[0].place.line, 6);
    assert_int_equal(result->diagnostics[0].place.column, 12);
    tkc_result_free(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_an_error),   cmocka_unit_test(fix_of_a_missing_colon),
        cmocka_unit_test(fix_of_a_name),       cmocka_unit_test(long_messages_are_cut),
        cmocka_unit_test(wrong_usage_is_told), cmocka_unit_test(messages_without_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
