// A whole Hopper schedule on the emulator: right and clean in every order of warps; and every ordering fault
// planted by the mutation test is noticed.
#include "hopper_testing.h"

#include "../mutation/mutant.h"

static void test_orders(void **state) {
    struct matmul_run *run = malloc(sizeof *run);
    for (int order = EMULATOR_IN_TURN; order < EMULATOR_ORDERS; order++) {
        for (uint64_t seed = 1; seed < 4; seed++) {
            struct emulator_options options = {
                .chip = "sm_90a", .workers = 2, .order = (enum emulator_order)order, .seed = seed};
            matmul_prepare(run);
            matmul_compile(run, &options);
            matmul_launch(run);
            harness_expect_clean(&run->harness, run->clean);
            assert_true(matmul_is_right(run));
            harness_end(&run->harness);
        }
    }
    free(run);
}

// Runs it with a fault planted; true when something is reported or the result is wrong.
static bool is_noticed(struct matmul_run *run, LLVMModuleRef clean, const struct mutant *mutant,
                       enum emulator_order order) {
    struct emulator_options options = {
        .chip = "sm_90a", .workers = 1, .report_limit = 1, .order = order, .seed = 1, .timeout_seconds = 10};
    LLVMModuleRef module = LLVMCloneModule(clean);
    char *error = NULL;
    mutant_plant(LLVMGetNamedFunction(module, "k"), mutant);
    run->harness.emulator = emulator_create(module, &options, &error);
    if (!run->harness.emulator) {
        fail_msg("%s", error);
    }
    matmul_launch(run);
    bool noticed = !run->clean || !matmul_is_right(run);
    emulator_result_free(&run->harness.result);
    emulator_destroy(run->harness.emulator);
    run->harness.emulator = NULL;
    return noticed;
}

static void test_faults(void **state) {
    struct matmul_run *run = malloc(sizeof *run);
    struct strbuf text = {0};
    unsigned count, planted[MUTANT_KINDS] = {0}, missed = 0;
    matmul_prepare(run);
    matmul_text(&text);
    run->harness.context = LLVMContextCreate();
    LLVMModuleRef clean = harness_parse(run->harness.context, nvidia_head, strbuf_text(&text));
    LLVMValueRef kernel = LLVMGetNamedFunction(clean, "k");
    struct mutant *list = mutant_list(kernel, &count);
    for (unsigned i = 0; i < count; i++) {
        if (list[i].kind == MUTANT_MASK || list[i].kind == MUTANT_OFFSET || list[i].kind == MUTANT_FRAGMENT) {
            continue; // these are the other kernels'
        }
        planted[list[i].kind]++;
        bool noticed = false;
        for (int order = EMULATOR_IN_TURN; order < EMULATOR_ORDERS && !noticed; order++) {
            noticed = is_noticed(run, clean, &list[i], (enum emulator_order)order);
        }
        if (!noticed) {
            print_error("not noticed: %s at block %u, instruction %u\n", mutant_names[list[i].kind],
                        list[i].block, list[i].position);
            missed++;
        }
    }
    assert_int_equal(missed, 0);
    for (int kind = MUTANT_BARRIER; kind <= MUTANT_OPERAND; kind++) {
        assert_true(planted[kind] > 0);
    }
    free(list);
    strbuf_free(&text);
    LLVMDisposeModule(clean);
    LLVMContextDispose(run->harness.context);
    free(run);
}

RUN(TEST(test_orders), TEST(test_faults))
