// join: a warpgroup product, its fence, its commit and its wait become one call if they are adjacent and
// their registers have no other users.
#include "testing.h"
#include "chip/wgmma.h"
#include "codegen/join.h"
#include "module_testing.h"
#include "text_testing.h"

#define FOUR "{ float, float, float, float }"
#define ORDER "\"=f,=f,=f,=f,0,1,2,3,~{memory}\""

// A step, with code inserted behind the fence, in the product's place, behind the product, and behind the
// wait.
#define STEP(behind_fence, behind_product, behind_wait)                                                      \
    "define float @k(ptr %%p, i64 %%x, float %%a0, float %%a1, float %%a2, float %%a3) {\n"                  \
    "  %%f = call " FOUR " asm sideeffect \"wgmma.fence.sync.aligned;\", " ORDER "(" PASSED_IN               \
    ")\n" ELEMENTS_OF_FENCE "  %%d = add i64 %%x, 2\n" behind_fence "%s" behind_product                      \
    "  call void asm sideeffect \"wgmma.commit_group.sync.aligned;\", \"~{memory}\"()\n" ELEMENTS_OF_PRODUCT \
    "  %%w = call " FOUR " asm sideeffect \"wgmma.wait_group.sync.aligned 1;\", " ORDER "(" PASSED_PRODUCT   \
    ")\n"                                                                                                    \
    "  %%w0 = extractvalue " FOUR " %%w, 0\n" behind_wait "  ret float %%w0\n"                               \
    "}\n"
#define PASSED_IN "float %%a0, float %%a1, float %%a2, float %%a3"
#define PASSED_PRODUCT "float %%m0, float %%m1, float %%m2, float %%m3"
#define ELEMENTS_OF_FENCE                                                                                    \
    "  %%f0 = extractvalue " FOUR " %%f, 0\n"                                                                \
    "  %%f1 = extractvalue " FOUR " %%f, 1\n"                                                                \
    "  %%f2 = extractvalue " FOUR " %%f, 2\n"                                                                \
    "  %%f3 = extractvalue " FOUR " %%f, 3\n"
#define ELEMENTS_OF_PRODUCT                                                                                  \
    "  %%m0 = extractvalue " FOUR " %%m, 0\n"                                                                \
    "  %%m1 = extractvalue " FOUR " %%m, 1\n"                                                                \
    "  %%m2 = extractvalue " FOUR " %%m, 2\n"                                                                \
    "  %%m3 = extractvalue " FOUR " %%m, 3\n"

// The module behind the pass, to be disposed of.
static char *joined(const char *format) {
    struct wgmma_group group = {
        .form = {.mma = mma_find("wgmma.f16", strlen("wgmma.f16")), .columns = 8, .accumulate = true},
        .rows = 1,
        .parts = 1,
        .steps = 1};
    struct strbuf text = {0}, constraints = {0}, call = {0}, module = {0};
    wgmma_compose(&group, &text, &constraints);
    strbuf_printf(&call,
                  "  %%m = call " FOUR " asm sideeffect \"%s\", \"%s,~{memory}\"(float %%f0, float %%f1, "
                  "float %%f2, float %%f3, i64 %%d, i64 %%x)\n",
                  strbuf_text(&text), strbuf_text(&constraints));
    const char *place = strstr(format, "%s");
    for (const char *at = format; *at; at++) {
        if (at == place) {
            strbuf_add(&module, strbuf_text(&call));
            at++;
        } else {
            strbuf_add_bytes(&module, at, 1);
            at += at[0] == '%' && at[1] == '%';
        }
    }
    char *after = module_behind(join_products, strbuf_text(&module));
    struct strbuf *all[] = {&text, &constraints, &call, &module};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        strbuf_free(all[i]);
    }
    return after;
}

static void test_all(void **state) {
    char *after = joined(STEP("", "", ""));
    assert_int_equal(occurrences(after, "asm sideeffect"), 1);
    const char *fence = strstr(after, "wgmma.fence"), *product = strstr(after, "wgmma.mma_async"),
               *commit = strstr(after, "wgmma.commit_group"), *wait = strstr(after, "wgmma.wait_group");
    assert_true(fence && fence < product && product < commit && commit < wait);
    assert_non_null(strstr(after, "(float %a0, float %a1, float %a2, float %a3, i64 %d, i64 %x)"));
    assert_non_null(strstr(after, "ret float %m0"));
    LLVMDisposeMessage(after);
}

static void test_apart(void **state) {
    static const struct {
        const char *format;
        unsigned pieces;
    } cases[] = {{STEP("  store float %%a0, ptr %%p\n", "", ""), 2},   // the fence orders it
                 {STEP("", "  store float %%a0, ptr %%p\n", ""), 3},   // beside the product
                 {STEP("  %%g = fadd float %%f0, %%a0\n", "", ""), 2}, // behind the fence, for something else
                 {STEP("", "", "  store float %%m1, ptr %%p\n"), 2},   // not behind the wait
                 {STEP("", "", "  store " FOUR " %%w, ptr %%p\n"), 2}}; // a whole structure
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *after = joined(cases[i].format);
        assert_int_equal(occurrences(after, "asm sideeffect"), cases[i].pieces);
        LLVMDisposeMessage(after);
    }
}

RUN(TEST(test_all), TEST(test_apart))
