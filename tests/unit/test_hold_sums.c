// Sums that leave their blocks are held there if a function has many of them.
#include "testing.h"
#include "codegen/hold_sums.h"
#include "module_testing.h"
#include "support/strbuf.h"

// A function of `count` chains over three blocks. -> the number of sums with an attribute behind the step
static unsigned held(unsigned count) {
    struct strbuf text = {0};
    strbuf_printf(&text, "declare float @llvm.fma.f32(float, float, float)\n"
                         "define void @k(ptr %%p, float %%x, i1 %%c) {\n  br label %%one\none:\n");
    for (unsigned i = 0; i < count; i++) {
        strbuf_printf(&text, "  %%a%u = call float @llvm.fma.f32(float %%x, float %%x, float %u.0)\n", i, i);
    }
    strbuf_printf(&text, "  br i1 %%c, label %%two, label %%two.end\ntwo:\n  br label %%two.end\ntwo.end:\n");
    for (unsigned i = 0; i < count; i++) {
        strbuf_printf(&text,
                      "  %%b%u = call float @llvm.fma.f32(float %%x, float 2.0, float %%a%u)\n"
                      "  store float %%b%u, ptr %%p\n",
                      i, i, i);
    }
    strbuf_printf(&text, "  ret void\n}\n");
    char *after = module_behind(hold_sums, strbuf_text(&text));
    unsigned found = 0;
    for (const char *at = after; (at = strstr(at, "call float @llvm.fma.f32(")) != NULL; at++) {
        found += strcspn(at, "#") < strcspn(at, "\n");
    }
    assert_int_equal(found > 0, strstr(after, "{ convergent }") != NULL);
    LLVMDisposeMessage(after);
    strbuf_free(&text);
    return found;
}

static void test_many(void **state) {
    assert_int_equal(held(128), 128); // the second sum of a chain is used beside itself
    assert_int_equal(held(127), 0);
}

RUN(TEST(test_many))
