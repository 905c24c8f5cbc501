// order: long runs of arithmetic are sorted by value and in pieces; ops between runs, and short runs, stay.
#include "testing.h"
#include "codegen/order.h"
#include "module_testing.h"
#include "support/strbuf.h"

enum { STEPS = 40, MOST = 128 };

struct bench {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBasicBlockRef block;
    LLVMValueRef values[MOST][STEPS + 1]; // of each element, as loaded and behind each step
};

// The module before: "elements" loads, then STEPS ops for all of them each, then the stores.
static void open_bench(struct bench *bench, unsigned elements, const char *between) {
    struct strbuf text = {0};
    strbuf_printf(&text, "define void @k(ptr addrspace(1) %%p) {\n");
    for (unsigned e = 0; e < elements; e++) {
        strbuf_printf(&text, "%%p%u = getelementptr i32, ptr addrspace(1) %%p, i32 %u\n", e, e);
    }
    for (unsigned e = 0; e < elements; e++) {
        strbuf_printf(&text, "%%v%u.0 = load i32, ptr addrspace(1) %%p%u\n", e, e);
    }
    for (unsigned step = 0; step < STEPS; step++) {
        for (unsigned e = 0; e < elements; e++) {
            strbuf_printf(&text, "%%v%u.%u = mul i32 %%v%u.%u, %u\n", e, step + 1, e, step, step + 3);
        }
        strbuf_add(&text, step == STEPS / 2 ? between : "");
    }
    for (unsigned e = 0; e < elements; e++) {
        strbuf_printf(&text, "store i32 %%v%u.%d, ptr addrspace(1) %%p%u\n", e, STEPS, e);
    }
    strbuf_add(&text, "ret void\n}\n");
    bench->context = LLVMContextCreate();
    bench->module = module_of(bench->context, strbuf_text(&text));
    bench->block = LLVMGetEntryBasicBlock(LLVMGetNamedFunction(bench->module, "k"));
    strbuf_free(&text);
    for (LLVMValueRef i = LLVMGetFirstInstruction(bench->block); i; i = LLVMGetNextInstruction(i)) {
        size_t length;
        unsigned element, step;
        if (sscanf(LLVMGetValueName2(i, &length), "v%u.%u", &element, &step) == 2) {
            bench->values[element][step] = i;
        }
    }
}

static void close_bench(struct bench *bench) {
    assert_false(LLVMVerifyModule(bench->module, LLVMReturnStatusAction, NULL));
    LLVMDisposeModule(bench->module);
    LLVMContextDispose(bench->context);
}

static unsigned place_of(const struct bench *bench, unsigned element, unsigned step) {
    unsigned at = 0;
    LLVMValueRef i = LLVMGetFirstInstruction(bench->block);
    for (; i && i != bench->values[element][step]; i = LLVMGetNextInstruction(i)) {
        at++;
    }
    return at;
}

static unsigned count_calls(const struct bench *bench) {
    unsigned calls = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(bench->block); i; i = LLVMGetNextInstruction(i)) {
        calls += LLVMGetInstructionOpcode(i) == LLVMCall;
    }
    return calls;
}

static void value_by_value(void **state) {
    struct bench bench;
    open_bench(&bench, 128, "");
    order_long_runs(bench.module);
    unsigned first = place_of(&bench, 0, 1);
    assert_int_equal(place_of(&bench, 0, 40), first + STEPS - 1);
    assert_int_equal(place_of(&bench, 1, 1), first + STEPS);
    assert_int_equal(place_of(&bench, 0, 0), 128); // the first load stays
    assert_int_equal(count_calls(&bench), 4);      // 5,120 values in pieces of 26 · 40
    close_bench(&bench);
}

static void runs_do_not_mix(void **state) {
    struct bench bench;
    open_bench(&bench, 128, "store i32 0, ptr addrspace(1) %p, align 1\n");
    order_long_runs(bench.module);
    // The 21 steps before the store stay before it, those behind it behind.
    assert_int_equal(place_of(&bench, 0, 21), place_of(&bench, 0, 1) + 20);
    assert_true(place_of(&bench, 127, 21) < place_of(&bench, 0, 22));
    assert_int_equal(place_of(&bench, 0, 40), place_of(&bench, 0, 22) + 18);
    close_bench(&bench);
}

static void others_stay(void **state) {
    struct bench bench;
    open_bench(&bench, 32, "");
    char *before = LLVMPrintModuleToString(bench.module);
    order_long_runs(bench.module);
    char *after = LLVMPrintModuleToString(bench.module);
    assert_string_equal(before, after);
    LLVMDisposeMessage(before);
    LLVMDisposeMessage(after);
    close_bench(&bench);
}

RUN(TEST(value_by_value), TEST(runs_do_not_mix), TEST(others_stay))
