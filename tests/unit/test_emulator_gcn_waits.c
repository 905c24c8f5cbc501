// Faults invisible to checks of the module, because LLVM's back end causes them. A compiled matmul's machine
// code is clean, and reported without tkc's countermeasure.
//
// At the head of a loop entered with no access in flight LLVM 19 deletes the wait of a release fence, and a
// wave reaches the barrier with stores to shared memory in flight: the lowering itself waits before every
// barrier.
//
// Copies to LDS of gfx950 arrive with the wait that the lowering counts.
//
// A scheduling fence that scalar instructions may pass breaks the order of s_barrier and earlier reads of
// shared memory: only vector arithmetic may pass the fences between steps of WMMA.
#include "chip_testing.h"
#include "artifact/artifact.h"
#include "codegen/llvmgen.h"
#include "driver/compile.h"
#include "emulator/emulator.h"

enum { MOST_WORDS = 1 << 16, MOST_NUMBERS = 9 };

typedef void plant_fn(LLVMModuleRef module);
struct subject {
    const char *chip, *file, *kernel;
    unsigned config, halves[4], numbers[MOST_NUMBERS], number_count; // halves: of each array
    plant_fn *plant;
    bool has_fault;   // planted, it is one in this LLVM
    const char *kind; // of its report
};

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

static void remove_fences(LLVMModuleRef module) {
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
             block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (LLVMGetInstructionOpcode(i) == LLVMFence) {
                    LLVMInstructionEraseFromParent(i);
                }
            }
        }
    }
}

// For a fence LLVM waits too, but in loops of some shapes.
static void remove_waits(LLVMModuleRef module) {
    remove_calls(module, "llvm.amdgcn.s.waitcnt");
    remove_calls(module, "llvm.amdgcn.s.wait.dscnt");
    remove_fences(module);
}

// Waits of gfx950 for copies to LDS let every copy go on.
static void remove_waits_for_copies(LLVMModuleRef module) {
    enum { NO_WAIT = 0xc07e, COUNT = 0xc00f, MOST = 62 };
    LLVMValueRef function = LLVMGetNamedFunction(module, "llvm.amdgcn.s.waitcnt");
    for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef wait = LLVMGetUser(use), bits = LLVMGetOperand(wait, 0);
        unsigned count = (unsigned)LLVMConstIntGetZExtValue(bits) & COUNT;
        if ((count & 15) + (count >> 14 << 4) < MOST) {
            LLVMSetOperand(wait, 0, LLVMConstInt(LLVMTypeOf(bits), NO_WAIT, 0));
        }
    }
}

static bool is_wmma(LLVMValueRef instruction) {
    size_t length;
    return LLVMGetInstructionOpcode(instruction) == LLVMCall &&
           LLVMIsAFunction(LLVMGetCalledValue(instruction)) &&
           !strncmp(LLVMGetValueName2(LLVMGetCalledValue(instruction), &length), "llvm.amdgcn.wmma.", 17);
}

// Behind every 16 products, with scalar instructions allowed to pass.
static void put_old_fences(LLVMModuleRef module) {
    static const char name[] = "llvm.amdgcn.sched.barrier";
    enum { STEP = 16, ARITHMETIC_MAY_PASS = 6 };
    remove_calls(module, name);
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1), count = 0;
    LLVMValueRef fence = LLVMGetIntrinsicDeclaration(module, id, NULL, 0);
    LLVMValueRef mask = LLVMConstInt(LLVMInt32TypeInContext(context), ARITHMETIC_MAY_PASS, 0);
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
             block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
                if (!is_wmma(i) || ++count % STEP) {
                    continue;
                }
                LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(i));
                LLVMBuildCall2(builder, LLVMIntrinsicGetType(context, id, NULL, 0), fence, &mask, 1, "");
            }
        }
    }
    LLVMDisposeBuilder(builder);
}

static bool run(const struct subject *subject, const struct strbuf *image, struct emulator_result *result) {
    static uint16_t data[4][MOST_WORDS];
    struct emulator_options options = {
        .chip = subject->chip, .workers = 1, .order = EMULATOR_AHEAD, .timeout_seconds = 60};
    struct emulator_buffer buffers[4];
    struct emulator_argument arguments[4 + MOST_NUMBERS];
    unsigned count = 0;
    for (; count < 4 && subject->halves[count]; count++) {
        buffers[count] = (struct emulator_buffer){
            .name = "array", .data = data[count], .size = 2 * subject->halves[count], .element_bits = 16};
        arguments[count] = (struct emulator_argument){.name = "array", .buffer = &buffers[count]};
    }
    for (unsigned i = 0; i < subject->number_count; i++) {
        arguments[count++] = (struct emulator_argument){.name = "number", .bits = subject->numbers[i]};
    }
    char *error = NULL;
    struct emulator *emulator = emulator_create_object(image->data, image->length, &options, &error);
    if (!emulator) {
        fail_msg("%s", error);
    }
    struct emulator_launch launch = {
        .kernel = subject->kernel, .arguments = arguments, .argument_count = count, .grid = {1, 1, 1}};
    bool clean = emulator_run(emulator, &launch, result);
    emulator_destroy(emulator);
    return clean;
}

static void check(const struct subject *subject) {
    need_chip(subject->chip);
    struct tkc_options options;
    tkc_options_init(&options);
    options.input = subject->file;
    options.kernels = &subject->kernel;
    options.kernel_count = 1;
    options.config = (int)subject->config;
    options.debug = TKC_DEBUG_LINES;
    const struct target *target = target_find(subject->chip);
    struct unit unit = {.arena = arena_create(), .diag.sink = silent};
    struct compiled compiled = {0};
    assert_true(unit_open(&unit, &options, target) && compile_for(&unit, target, &compiled));
    for (unsigned planted = 0; planted <= subject->has_fault; planted++) {
        struct strbuf object = {0}, image = {0};
        const char *tool;
        struct emulator_result result;
        if (planted) {
            subject->plant(compiled.llvm);
        }
        assert_true(llvmgen_emit(compiled.llvm, compiled.target, LLVMGEN_OBJECT, NULL, &object, &unit.diag));
        assert_true(hsaco_link(unit.arena, &object, 1, NULL, &image, &tool, &unit.diag));
        bool clean = run(subject, &image, &result);
        if (clean == planted) {
            fail_msg("%s %s the fault: %s", subject->chip, planted ? "with" : "without",
                     result.report_count ? result.reports[0].text : "nothing is reported");
        }
        if (planted) {
            assert_string_equal(result.reports[0].kind, subject->kind);
            assert_non_null(strstr(result.reports[0].text, ".tk:"));
            assert_non_null(strstr(result.reports[0].text, "`ds_")); // the instruction
        }
        emulator_result_free(&result);
        strbuf_free(&object);
        strbuf_free(&image);
    }
    compiled_free(&compiled);
    arena_destroy(unit.arena);
}

static void test_waits(void **state) {
    struct subject subject = {.file = TEST_SOURCE_DIR "/examples/matmul_activation.tk",
                              .kernel = "matmul_activation",
                              .halves = {128 * 128, 128 * 64, 64, 128 * 64},
                              .numbers = {128, 64, 128, 128, 64, 64},
                              .number_count = 6,
                              .plant = remove_waits,
                              .has_fault = true,
                              .kind = "race"};
    static const char *const chips[] = {"gfx90a", "gfx942"};
    for (unsigned i = 0; i < 2; i++) {
        subject.chip = chips[i];
        check(&subject);
    }
}

// Tiles of 128×256×64, with one slot for each operand.
static void test_fences(void **state) {
    struct subject subject = {.file = TEST_SOURCE_DIR "/examples/matmul.tk",
                              .kernel = "matmul",
                              .config = 1,
                              .halves = {128 * 192, 192 * 256, 128 * 256},
                              .numbers = {128, 256, 192, 192, 1, 256, 1, 256, 1},
                              .number_count = 9,
                              .plant = put_old_fences,
                              .kind = "race"};
    // On gfx1200, and everywhere with LLVM 22, the scheduler does not move the barriers of today's loop.
    subject.chip = "gfx1100";
    subject.has_fault = !LLVM_AT_LEAST(22);
    check(&subject);
}

// Two iterations ahead: 64 x 64 x 32 in three slots.
static void test_copies(void **state) {
    struct subject subject = {.chip = "gfx950",
                              .file = TEST_SOURCE_DIR "/examples/matmul.tk",
                              .kernel = "matmul",
                              .config = 3,
                              .halves = {64 * 192, 192 * 64, 64 * 64},
                              .numbers = {64, 64, 192, 192, 1, 64, 1, 64, 1},
                              .number_count = 9,
                              .plant = remove_waits_for_copies,
                              .has_fault = true,
                              .kind = "asynchronous copy"};
    check(&subject);
}

RUN(TEST(test_waits), TEST(test_fences), TEST(test_copies))
