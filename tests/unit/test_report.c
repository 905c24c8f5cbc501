// The page of --report, from facts that no example has together.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "report/gather.h"

// An op that touches memory or orders threads takes time in a loop: its row of doings.def may not be forgotten.
static void ops_with_effects_have_rows(void **state) {
    (void)state;
    static const bool rows[OP_KIND_COUNT] = {
#define DOES(op, doing) [OP_##op] = true,
#include "report/doings.def"
#undef DOES
    };
    enum { EFFECTS = READ | WRITE | SHARED_READ | SHARED_WRITE | SYNC };
    for (int kind = OP_UNKNOWN + 1; kind < OP_KIND_COUNT; kind++) {
        bool wants =
            (op_traits((enum op_kind)kind) & EFFECTS) && !(op_traits((enum op_kind)kind) & MULTIPLIES);
        if (wants && !rows[kind]) {
            fail_msg("%s has no row in src/report/doings.def", op_table[kind].name);
        }
    }
}

static void products_are_products(void **state) {
    (void)state;
    static const enum op_kind products[] = {OP_DOT, OP_SHARED_DOT, OP_WARPGROUP_DOT, OP_TENSOR_DOT};
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        assert_int_equal(doing_of_kind(products[i]), DOING_MATRIX);
    }
    assert_int_equal(doing_of_kind(OP_TENSOR_TAKE), DOING_WAIT);
    assert_int_equal(doing_of_kind(OP_RECIPROCAL), DOING_SPECIAL);
    assert_int_equal(doing_of_kind(OP_ADDF), DOING_NOTHING);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ops_with_effects_have_rows),
                                       cmocka_unit_test(products_are_products)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
