// Many elements compared with one number: by their distance from it.
#include "testing.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>

#include "codegen/compares.h"
#include "module_testing.h"
#include "support/strbuf.h"

// The occurrences of `word` in the function, after its comparisons are rewritten.
static unsigned left_of(const char *body, const char *word) {
    LLVMContextRef context = LLVMContextCreate();
    struct strbuf text = {0};
    strbuf_printf(&text, "define void @k(ptr %%p, i64 %%label, i32 %%tid, i64 %%start) {\n%s  ret void\n}\n",
                  body);
    LLVMModuleRef module = module_of(context, strbuf_text(&text));
    compares_by_distance(module);
    assert_int_equal(LLVMVerifyModule(module, LLVMReturnStatusAction, NULL), 0);
    char *printed = LLVMPrintModuleToString(module);
    unsigned count = 0;
    for (const char *at = printed; (at = strstr(at, word)); at++) {
        count++;
    }
    LLVMDisposeMessage(printed);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    strbuf_free(&text);
    return count;
}

// So many elements of a thread, each start + tid + its number.
static char *elements(unsigned count, const char *sum, const char *compare) {
    struct strbuf text = {0};
    for (unsigned i = 0; i < count; i++) {
        strbuf_printf(&text, "  %%o%u = or disjoint i32 %%tid, %u\n  %%w%u = %s i32 %%o%u to i64\n", i, i, i,
                      sum, i);
        strbuf_printf(&text, "  %%c%u = add i64 %%start, %%w%u\n  %%q%u = icmp %s i64 %%c%u, %%label\n", i, i,
                      i, compare, i);
        strbuf_printf(&text, "  store volatile i1 %%q%u, ptr %%p\n", i);
    }
    return text.data;
}

static void test_many(void **state) {
    static const struct {
        unsigned count;
        const char *sum, *compare;
        bool rewritten;
    } cases[] = {{8, "zext", "eq", true},
                 {8, "sext", "ne", true},
                 {4, "zext", "eq", true},
                 {3, "zext", "eq", false},
                 {8, "zext", "slt", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *body = elements(cases[i].count, cases[i].sum, cases[i].compare);
        assert_int_equal(left_of(body, "= sub i64"), cases[i].rewritten ? 2 : 0);
        assert_int_equal(left_of(body, ", %label"), cases[i].rewritten ? 0 : cases[i].count);
        free(body);
    }
}

// A sum wrapped before its extension is not the sum of the extended operands.
static void test_wraps(void **state) {
    static const char *const flags[] = {"", "nuw ", "nsw "};
    for (size_t f = 0; f < 3; f++) {
        struct strbuf text = {0};
        for (unsigned i = 0; i < 8; i++) {
            strbuf_printf(&text, "  %%o%u = add %si32 %%tid, %u\n  %%w%u = zext i32 %%o%u to i64\n", i,
                          flags[f], i + 1, i, i);
            strbuf_printf(&text, "  %%c%u = add i64 %%start, %%w%u\n  %%q%u = icmp eq i64 %%c%u, %%label\n",
                          i, i, i, i);
            strbuf_printf(&text, "  store volatile i1 %%q%u, ptr %%p\n", i);
        }
        assert_int_equal(left_of(text.data, "= sub i64"), f == 1 ? 2 : 0);
        strbuf_free(&text);
    }
}

RUN(TEST(test_many), TEST(test_wraps))
