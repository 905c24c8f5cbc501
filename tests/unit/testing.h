// The headers of every unit test: the C library, and cmocka, which asks for the first four before its own.
#ifndef TKC_TESTS_UNIT_TESTING_H
#define TKC_TESTS_UNIT_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The program of a file's tests: RUN(TEST(first), TEST(second)).
#define TEST cmocka_unit_test
#define RUN(...)                                                                                             \
    int main(void) {                                                                                         \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                                                     \
        return cmocka_run_group_tests(tests, NULL, NULL);                                                    \
    }

#endif
