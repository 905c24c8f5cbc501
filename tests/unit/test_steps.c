// The steps of the LLVM pipeline: their names and vendors; steps left out, tried, timed and dumped.
#include "testing.h"
#include "codegen/steps.h"
#include "module_testing.h"
#include "passes/pass.h"
#include "tkc/tkc.h"

static const char text[] = "define void @k(ptr %p, float %x, i1 %c) {\n"
                           "  %d = fsub float 0.0, %x\n"
                           "  %r = fdiv float 1.0, %d\n"
                           "  store float %r, ptr %p\n"
                           "  ret void\n}\n";

// --dump-after and its like take one name, of a pass or of a step.
static void names_are_found(void **state) {
    for (int id = 0; id < STEP_COUNT; id++) {
        const char *name = step_table[id].name;
        assert_int_equal(step_find(name), id);
        assert_true(pass_find(name) < 0 && tkc_is_step(name));
        assert_true(strlen(step_table[id].doc) > 0);
        assert_true((tkc_without_fault(name) != NULL) == (step_table[id].use == USE_NEEDED));
    }
    assert_int_equal(step_find("no such step"), -1);
    for (int id = 0; id < PASS_COUNT; id++) {
        assert_false(tkc_is_step(pass_table[id].name));
        assert_true((tkc_without_fault(pass_table[id].name) != NULL) == pass_table[id].needed);
    }
    assert_non_null(tkc_without_fault("no such pass"));
}

static void chips_have_their_steps(void **state) {
    static const struct {
        const char *chip;
        step_set has, lacks;
    } cases[] = {
        {"sm_80", STEP_BIT(SLIM) | STEP_BIT(LLVM_PASSES),
         STEP_BIT(JOIN) | STEP_BIT(ZEROS) | STEP_BIT(ORDER_RUNS)},
        {"sm_90a", STEP_BIT(SLIM) | STEP_BIT(JOIN), STEP_BIT(BUFFERS) | STEP_BIT(AHEAD)},
        {"gfx942", STEP_BIT(HOLD_OPERANDS) | STEP_BIT(ADDRESSES) | STEP_BIT(ZEROS),
         STEP_BIT(WHOLE_WAVES) | STEP_BIT(SLIM)},
        {"gfx1100", STEP_BIT(WHOLE_WAVES) | STEP_BIT(ADDRESSES),
         STEP_BIT(HOLD_OPERANDS) | STEP_BIT(NEAR_SUMS)},
        {"gfx1030", STEP_BIT(AHEAD) | STEP_BIT(ZEROS), STEP_BIT(ADDRESSES) | STEP_BIT(WHOLE_WAVES)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int id = 0; id < STEP_COUNT; id++) {
            bool is = step_table[id].is_for(target_find(cases[i].chip));
            if ((cases[i].has >> id & 1 && !is) || (cases[i].lacks >> id & 1 && is)) {
                fail_msg("%s on %s", step_table[id].name, cases[i].chip);
            }
        }
    }
}

// Times and dumps of a phase on gfx942, as text; to be freed.
static char *said_of(enum step_phase phase, step_set tried, step_set without, const char *dump_after,
                     step_set *idle) {
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = module_of(context, text);
    char *said = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&said, &size);
    struct step_options options = {.without = without, .dump_after = dump_after, .time = true, .out = out};
    *idle = steps_run(module, target_find("gfx942"), phase, tried, &options);
    fclose(out);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return said;
}

static void steps_are_left_out_tried_and_seen(void **state) {
    step_set idle;
    char *said = said_of(PHASE_EMIT, 0, 0, "zeros", &idle);
    assert_non_null(strstr(said, " ms  zeros\n; after zeros\n"));
    assert_non_null(strstr(said, "asm \"\", \"=s,0\"")); // the dump has the step's effect
    assert_non_null(strstr(said, " ms  buffers\n"));
    assert_null(strstr(said, "ahead"));      // of use TRIED, and not named
    assert_null(strstr(said, "slim"));       // the other vendor's
    assert_null(strstr(said, "sink_reads")); // the other phase's
    assert_true(idle == 0);
    free(said);
    said = said_of(PHASE_EMIT, STEP_BIT(AHEAD) | STEP_BIT(IN_ORDER), STEP_BIT(BUFFERS) | STEP_BIT(IN_ORDER),
                   NULL, &idle);
    assert_non_null(strstr(said, " ms  ahead\n"));
    assert_null(strstr(said, "buffers"));
    assert_null(strstr(said, "in_order"));
    assert_null(strstr(said, "; after"));
    assert_true(idle == STEP_BIT(AHEAD)); // there is no load to keep ahead
    free(said);
    said = said_of(PHASE_OPTIMISE, 0, 0, NULL, &idle);
    assert_non_null(strstr(said, " ms  sink_reads\n"));
    assert_null(strstr(said, "zeros"));
    free(said);
}

static void one_step_runs_alone(void **state) {
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = module_of(context, text);
    assert_false(step_run_one(module, target_find("sm_80"), "zeros"));
    assert_false(step_run_one(module, target_find("gfx942"), "no such step"));
    assert_true(step_run_one(module, target_find("gfx942"), "zeros"));
    char *after = LLVMPrintModuleToString(module);
    assert_non_null(strstr(after, "asm \"\", \"=s,0\""));
    LLVMDisposeMessage(after);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
}

RUN(TEST(names_are_found), TEST(chips_have_their_steps), TEST(steps_are_left_out_tried_and_seen),
    TEST(one_step_runs_alone))
