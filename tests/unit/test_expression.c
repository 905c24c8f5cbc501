// Integer expressions as tkc-run and tkc-tune read them.
#include "testing.h"
#include "command/expression.h"

static const struct expression_name names[] = {{"M", 200}, {"stride_m", 80}, {"M2", -7}};
static char wrong[EXPRESSION_WRONG];

static int64_t value_of(const char *text) {
    int64_t value = 0;
    if (!expression_evaluate(text, names, sizeof names / sizeof *names, &value, wrong)) {
        fail_msg("%s: %s", text, wrong);
    }
    return value;
}

static void assert_wrong(const char *text, const char *why) {
    int64_t value;
    assert_false(expression_evaluate(text, names, sizeof names / sizeof *names, &value, wrong));
    assert_string_equal(wrong, why);
}

static void test_values(void **state) {
    assert_int_equal(value_of("1 + 2 * 3 - 4"), 3);
    assert_int_equal(value_of("-(M - 1) // 128"), -2); // as Python rounds
    assert_int_equal(value_of("M2 % 4 + M2 / 2"), 1 - 4);
    assert_int_equal(value_of("M*stride_m\n"), 16000);
    assert_int_equal(value_of("0x10"), 16);
}

static void test_functions(void **state) {
    assert_int_equal(value_of("tkc_cdiv(M, 128)"), 2);
    assert_int_equal(value_of("triton.cdiv(M, 3) * max(1, min(M, M2))"), 67);
    assert_int_equal(value_of("tkc_choose(tkc_lt(M2, 0), 5, 6)"), 5);
}

static void test_wrong(void **state) {
    assert_wrong("n + 1", "'n' has no value");
    assert_wrong("M +", "expected a value at ''");
    assert_wrong("(M", "expected ')' at ''");
    assert_wrong("M M2", "unexpected 'M2'");
    assert_wrong("cdiv(M)", "unknown function cdiv of 1 arguments");
    assert_wrong("cdiv(1, 2, 3, 4, 5)", "expected ',' or ')' at ', 5)'");
    assert_wrong("M // 0", "it overflows or divides by zero");
    assert_wrong("9223372036854775807 + 1", "it overflows or divides by zero");
    assert_wrong("9223372036854775808", "a number is beyond 64 bits");
}

RUN(TEST(test_values), TEST(test_functions), TEST(test_wrong))
