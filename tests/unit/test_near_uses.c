// Addresses and masks of a very long function are computed in the blocks that use them; those of others stay.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "codegen/near_uses.h"
#include "module_testing.h"
#include "support/strbuf.h"

// A function that stores `count` elements, each under its mask, in 2 * count + 1 blocks. Addresses and masks of all are computed
// in the first block, from `index`.
static char *stores_behind(unsigned count, const char *index) {
    struct strbuf text = {0};
    strbuf_printf(&text,
                  "declare i32 @llvm.amdgcn.workitem.id.x()\n"
                  "define void @k(ptr addrspace(1) %%p, i32 %%n) {\n"
                  "  %%at = %s\n",
                  index);
    for (unsigned i = 0; i < count; i++) {
        strbuf_printf(&text,
                      "  %%i%u = or i32 %%at, %u\n"
                      "  %%m%u = icmp slt i32 %%i%u, %%n\n"
                      "  %%a%u = getelementptr float, ptr addrspace(1) %%p, i32 %%i%u\n",
                      i, 256 * i, i, i, i, i);
    }
    strbuf_printf(&text, "  br label %%next0\n");
    for (unsigned i = 0; i < count; i++) {
        strbuf_printf(&text,
                      "next%u:\n  br i1 %%m%u, label %%store%u, label %%next%u\n"
                      "store%u:\n  store float 1.0, ptr addrspace(1) %%a%u\n  br label %%next%u\n",
                      i, i, i, i + 1, i, i, i + 1);
    }
    strbuf_printf(&text, "next%u:\n  ret void\n}\n", count);
    char *after = module_behind(near_uses_compute, strbuf_text(&text));
    strbuf_free(&text);
    return after;
}

static unsigned occurrences(const char *text, const char *of) {
    unsigned found = 0;
    for (const char *at = text; (at = strstr(at, of)) != NULL; at++) {
        found++;
    }
    return found;
}

// The index is hidden once for the mask in one block, and once for the address in another.
static void test_long(void **state) {
    (void)state;
    char *after = stores_behind(1000, "call i32 @llvm.amdgcn.workitem.id.x()");
    assert_int_equal(occurrences(after, "asm sideeffect"), 2000);
    assert_non_null(strstr(after, "getelementptr float, ptr addrspace(1) %p, i32 %1"));
    assert_null(strstr(after, "br i1 %m"));
    assert_null(strstr(after, "ptr addrspace(1) %a"));
    LLVMDisposeMessage(after);
}

static void test_others(void **state) {
    (void)state;
    char *after = stores_behind(900, "call i32 @llvm.amdgcn.workitem.id.x()");
    assert_int_equal(occurrences(after, "asm sideeffect"), 0);
    LLVMDisposeMessage(after);
    after = stores_behind(1000, "mul i32 %n, %n"); // the same of all threads
    assert_int_equal(occurrences(after, "asm sideeffect"), 0);
    LLVMDisposeMessage(after);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_long), cmocka_unit_test(test_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
