// Writing HTML: what stands for %s is escaped, everything else is as it was written.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "chip/peaks.h"
#include "report/html.h"

static void escapes_texts(void **state) {
    (void)state;
    struct strbuf out = {0};
    html_add(&out, "<td class=\"%s\">%s %u %zu%% %.1f %c %lld</td>", "a\"b", "<b>&'", 7u, (size_t)8, 0.25,
             'x', -9007199254740993LL);
    assert_string_equal(strbuf_text(&out),
                        "<td class=\"a&quot;b\">&lt;b&gt;&amp;&#39; 7 8% 0.2 x -9007199254740993</td>");
    strbuf_free(&out);
}

static void groups_digits(void **state) {
    (void)state;
    struct strbuf out = {0};
    html_number(&out, 0);
    strbuf_add_char(&out, ' ');
    html_number(&out, 999);
    strbuf_add_char(&out, ' ');
    html_number(&out, 1048576);
    assert_string_equal(strbuf_text(&out), "0 999 1,048,576");
    strbuf_free(&out);
}

static void marks_code_of_sentences(void **state) {
    (void)state;
    struct strbuf out = {0};
    html_prose(&out, "annotate `n: \"i32\"`, `<m>`; one ` alone");
    assert_string_equal(strbuf_text(&out),
                        "annotate <code>n: &quot;i32&quot;</code>, <code>&lt;m&gt;</code>; one ` alone");
    strbuf_free(&out);
}

// Every row is of a chip of the table, and its rates are in an order that a mistyped one would break.
static void peaks_are_of_chips(void **state) {
    (void)state;
    size_t found = 0;
    for (size_t i = 0; i < target_count; i++) {
        const struct peaks *p = peaks_of(&target_table[i]);
        found += p != NULL;
        if (p) {
            assert_true(p->memory > 1e11 && p->memory < 1e13 && p->f32 > 1e12 && p->f32 <= p->f16);
            assert_true(p->tf32 == 0 || (p->tf32 >= p->f32 && p->tf32 < p->f16));
            assert_true(p->f8 == 0 || (p->f8 > 1.9 * p->f16 && p->f8 < 2.1 * p->f16));
            assert_true(p->clock > 1e9 && p->clock < 3e9 && p->multiprocessors >= 40);
            assert_true(peaks_rate(p, "bf16") == p->f16 && peaks_rate(p, "i4") == 0);
        }
    }
    assert_true(found >= 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(escapes_texts), cmocka_unit_test(groups_digits),
                                       cmocka_unit_test(marks_code_of_sentences),
                                       cmocka_unit_test(peaks_are_of_chips)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
