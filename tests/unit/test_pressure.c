// pressure: live registers are counted from first to last use, around loops, and kernels that need all of a
// thread's registers get them.
#include "testing.h"
#include "chip/launch_bounds.h"
#include "codegen/pressure.h"
#include "module_testing.h"
#include "support/strbuf.h"

struct bench {
    LLVMContextRef context;
    LLVMModuleRef module;
};

static LLVMValueRef open_bench(struct bench *bench, struct strbuf *text) {
    bench->context = LLVMContextCreate();
    bench->module = module_of(bench->context, strbuf_text(text));
    strbuf_free(text);
    return LLVMGetNamedFunction(bench->module, "k");
}

static void close_bench(struct bench *bench) {
    LLVMDisposeModule(bench->module);
    LLVMContextDispose(bench->context);
}

// `count` values are loaded, and then stored in the same order.
static void add_values(struct strbuf *text, unsigned count, const char *type) {
    strbuf_printf(text, "define void @k(ptr %%p) {\n");
    for (unsigned i = 0; i < count; i++) {
        strbuf_printf(text, "%%v%u = load volatile %s, ptr %%p\n", i, type);
    }
    for (unsigned i = 0; i < count; i++) {
        strbuf_printf(text, "store volatile %s %%v%u, ptr %%p\n", type, i);
    }
    strbuf_add(text, "ret void\n}\n");
}

static void test_types(void **state) {
    static const struct {
        const char *type;
        unsigned registers;
    } cases[] = {{"i32", 1}, {"float", 1},       {"i64", 2},  {"double", 2}, {"i16", 1},      {"ptr", 2},
                 {"i1", 0},  {"<4 x float>", 4}, {"half", 1}, {"i128", 4},   {"[2 x i32]", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench bench;
        struct strbuf text = {0};
        add_values(&text, 10, cases[i].type);
        assert_int_equal(pressure_of(open_bench(&bench, &text), false), 10 * cases[i].registers);
        close_bench(&bench);
    }
}

// A value live into a loop and used there is live to the loop's end; an unused one ends at its last use.
static void test_loops(void **state) {
    struct bench bench;
    struct strbuf text = {0};
    strbuf_add(&text, "define void @k(ptr %p, i32 %n) {\n"
                      "entry:\n"
                      "  %kept = load <8 x float>, ptr %p\n"
                      "  %before = load <64 x float>, ptr %p\n"
                      "  store <64 x float> %before, ptr %p\n"
                      "  br label %loop\n"
                      "loop:\n"
                      "  %i = phi i32 [0, %entry], [%next, %loop]\n"
                      "  store volatile <8 x float> %kept, ptr %p\n"
                      "  %inside = load volatile <128 x float>, ptr %p\n"
                      "  store volatile <128 x float> %inside, ptr %p\n"
                      "  %next = add i32 %i, 1\n"
                      "  %more = icmp slt i32 %next, %n\n"
                      "  br i1 %more, label %loop, label %end\n"
                      "end:\n"
                      "  ret void\n"
                      "}\n");
    assert_int_equal(pressure_of(open_bench(&bench, &text), false), 8 + 1 + 128);
    close_bench(&bench);
}

// 200 sums, all of them before the first product of them: one after the other they need none of the room.
static void test_any_order(void **state) {
    enum { COUNT = 200 };
    struct bench bench;
    struct strbuf text = {0};
    strbuf_add(&text, "define void @k(ptr %p) {\n  %a = load volatile i32, ptr %p\n");
    for (int i = 0; i < COUNT; i++) {
        strbuf_printf(&text, "  %%s%d = add i32 %%a, %d\n", i, i);
    }
    for (int i = 0; i < COUNT; i++) {
        strbuf_printf(&text, "  %%t%d = mul i32 %%%c%d, %%s%d\n", i, i ? 't' : 's', i ? i - 1 : 0, i);
    }
    strbuf_printf(&text, "  store volatile i32 %%t%d, ptr %%p\n  ret void\n}\n", COUNT - 1);
    open_bench(&bench, &text);
    LLVMValueRef function = LLVMGetFirstFunction(bench.module);
    assert_true(pressure_of(function, false) >= COUNT);
    assert_true(pressure_of(function, true) <= 2);
    close_bench(&bench);
}

static bool is_claimed(LLVMModuleRef module) {
    pressure_claim_registers(module, target_find("sm_90a"));
    return launch_bound(LLVMGetNamedFunction(module, "k"), BOUND_BLOCKS) > 0;
}

static void test_claims(void **state) {
    static const struct {
        unsigned values;
        const char *known;
        bool claimed;
    } cases[] = {{255, "", false},
                 {256, "", true},
                 {256, "!nvvm.annotations = !{!0}\n!0 = !{ptr @k, !\"maxnreg\", i32 64}\n", false},
                 {256, "!nvvm.annotations = !{!0}\n!0 = !{ptr @k, !\"kernel\", i32 1}\n", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench bench;
        struct strbuf text = {0};
        add_values(&text, cases[i].values, "i32");
        strbuf_add(&text, cases[i].known);
        open_bench(&bench, &text);
        assert_int_equal(is_claimed(bench.module), cases[i].claimed);
        close_bench(&bench);
    }
}

// A loop with many loads a step reports the number of blocks with room; not so a loop with matrix products,
// nor one in a kernel with as many loads at once elsewhere.
static void test_loads_of_loops(void **state) {
    static const struct {
        unsigned loaded;
        const char *other, *behind;
        bool claimed;
    } cases[] = {{32, "", "", true},
                 {16, "", "", false},
                 {32, "  call void asm sideeffect \"mma.sync\", \"\"()\n", "", false},
                 {32, "", "  %y = load volatile <8 x float>, ptr addrspace(1) %p\n", true},
                 {32, "", "  %y = load volatile <24 x float>, ptr addrspace(1) %p\n", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench bench;
        struct strbuf text = {0};
        strbuf_printf(&text,
                      "define void @k(ptr addrspace(1) %%p, ptr %%q, i32 %%n) {\n"
                      "entry:\n"
                      "  br label %%loop\n"
                      "loop:\n"
                      "  %%i = phi i32 [0, %%entry], [%%next, %%loop]\n"
                      "  %%x = load volatile <%u x float>, ptr addrspace(1) %%p\n"
                      "  store volatile <%u x float> %%x, ptr %%q\n"
                      "%s"
                      "  %%next = add i32 %%i, 1\n"
                      "  %%more = icmp slt i32 %%next, %%n\n"
                      "  br i1 %%more, label %%loop, label %%end\n"
                      "end:\n"
                      "%s"
                      "  ret void\n"
                      "}\n"
                      "!nvvm.annotations = !{!0}\n!0 = !{ptr @k, !\"reqntidx\", i32 128}\n",
                      cases[i].loaded, cases[i].loaded, cases[i].other, cases[i].behind);
        open_bench(&bench, &text);
        assert_int_equal(is_claimed(bench.module), cases[i].claimed);
        close_bench(&bench);
    }
}

// Addresses ahead of many loads wait for theirs in kernels with products, which ptxas gives fewer registers then, and more blocks.
static void test_waiting_addresses(void **state) {
    enum { LOADS = 140 }; // two registers each
    for (int multiplies = 0; multiplies < 2; multiplies++) {
        struct bench bench;
        struct strbuf text = {0};
        strbuf_printf(
            &text,
            "declare void @mma()\ndefine void @k(ptr %%p, i32 %%n) {\n%%m = load volatile i32, ptr %%p\n");
        for (int i = 0; i < LOADS; i++) {
            strbuf_printf(&text,
                          "%%i%d = mul i32 %%m, %d\n%%w%d = sext i32 %%i%d to i64\n%%a%d = getelementptr "
                          "float, ptr %%p, i64 %%w%d\n",
                          i, i + 3, i, i, i, i);
        }
        for (int i = 0; i < LOADS; i++) {
            strbuf_printf(&text,
                          "%%v%d = load volatile float, ptr %%a%d\nstore volatile float %%v%d, ptr %%p\n", i,
                          i, i);
        }
        strbuf_printf(&text, "%sret void\n}\n", multiplies ? "call void @mma()\n" : "");
        open_bench(&bench, &text);
        assert_int_equal(is_claimed(bench.module), !multiplies);
        close_bench(&bench);
    }
}

RUN(TEST(test_types), TEST(test_loops), TEST(test_any_order), TEST(test_claims), TEST(test_loads_of_loops),
    TEST(test_waiting_addresses))
