// A fault that no check of the module can see, since LLVM's back end makes it: at the head of a loop that is entered with nothing
// under way LLVM 19 deletes the wait that a release fence asked for, and the barrier is met while stores to shared memory are on
// their way. The lowering's own wait before every barrier stands against it: as it is compiled a matmul is clean, and without those
// waits its machine code is reported.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "artifact/artifact.h"
#include "codegen/llvmgen.h"
#include "compile.h"
#include "emulator/emulator.h"

enum { M = 128, N = 64, K = 128 };

static void silent(void *user, enum diag_severity severity, const char *text) {
    (void)user, (void)severity, (void)text;
}

static void remove_calls(LLVMModuleRef module, const char *name) {
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL, next; use; use = next) {
        next = LLVMGetNextUse(use);
        LLVMInstructionEraseFromParent(LLVMGetUser(use));
    }
}

static void remove_waits(LLVMModuleRef module) {
    remove_calls(module, "llvm.amdgcn.s.waitcnt");
    remove_calls(module, "llvm.amdgcn.s.wait.dscnt");
}

static bool run(const void *image, size_t length, const char *chip, struct emulator_result *result) {
    static uint16_t a[M * K], b[K * N], bias[N], c[M * N];
    struct emulator_options options = {
        .chip = chip, .workers = 1, .order = EMULATOR_AHEAD, .timeout_seconds = 60};
    struct emulator_buffer buffers[] = {
        {.name = "a", .data = a, .size = sizeof a, .element_bits = 16},
        {.name = "b", .data = b, .size = sizeof b, .element_bits = 16},
        {.name = "bias", .data = bias, .size = sizeof bias, .element_bits = 16},
        {.name = "c", .data = c, .size = sizeof c, .element_bits = 16},
    };
    static const unsigned numbers[] = {M, N, K, K, N, N};
    struct emulator_argument arguments[10];
    for (unsigned i = 0; i < 10; i++)
        arguments[i] = i < 4 ? (struct emulator_argument){.name = buffers[i].name, .buffer = &buffers[i]}
                             : (struct emulator_argument){.name = "number", .bits = numbers[i - 4]};
    char *error = NULL;
    struct emulator *emulator = emulator_create_object(image, length, &options, &error);
    if (!emulator)
        fail_msg("%s", error);
    struct emulator_launch launch = {
        .kernel = "matmul_activation", .arguments = arguments, .argument_count = 10, .grid = {1, 1, 1}};
    bool clean = emulator_run(emulator, &launch, result);
    emulator_destroy(emulator);
    return clean;
}

static void check_chip(const char *chip) {
    struct tkc_options options;
    tkc_options_init(&options);
    options.input = TEST_SOURCE_DIR "/examples/matmul_activation.tk";
    options.debug = TKC_DEBUG_LINES;
    struct unit unit = {.arena = arena_create(), .diag.sink = silent};
    struct compiled compiled = {0};
    assert_true(unit_open(&unit, &options, target_find(chip)) &&
                compile_for(&unit, target_find(chip), &compiled));
    for (unsigned planted = 0; planted < 2; planted++) {
        struct strbuf object = {0}, image = {0};
        const char *tool;
        struct emulator_result result;
        if (planted)
            remove_waits(compiled.llvm);
        assert_true(llvmgen_emit(compiled.llvm, compiled.target, LLVMGEN_OBJECT, &object, &unit.diag));
        assert_true(hsaco_link(unit.arena, object.data, object.length, NULL, &image, &tool, &unit.diag));
        bool clean = run(image.data, image.length, chip, &result);
        if (clean == planted)
            fail_msg("%s %s the waits: %s", chip, planted ? "without" : "with",
                     result.report_count ? result.reports[0].text : "nothing is reported");
        if (planted) {
            assert_string_equal(result.reports[0].kind, "race");
            assert_non_null(strstr(result.reports[0].text, "matmul_activation.tk:"));
            assert_non_null(strstr(result.reports[0].text, "`ds_")); // the instruction
        }
        emulator_result_free(&result);
        strbuf_free(&object);
        strbuf_free(&image);
    }
    compiled_free(&compiled);
    arena_destroy(unit.arena);
}

static void test_gfx90a(void **state) {
    (void)state;
    check_chip("gfx90a");
}

static void test_gfx942(void **state) {
    (void)state;
    check_chip("gfx942");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gfx90a), cmocka_unit_test(test_gfx942)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
