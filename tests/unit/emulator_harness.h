// Functions shared by the emulator's tests: a module from a file or from text, buffers, a run.
#ifndef TKC_TESTS_EMULATOR_HARNESS_H
#define TKC_TESTS_EMULATOR_HARNESS_H

#include "testing.h"

#include <llvm-c/Core.h>

#include "emulator/emulator.h"
#include "module_testing.h"
#include "support/file.h"

static const char nvidia_head[] = "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\n"
                                  "target triple = \"nvptx64-nvidia-cuda\"\n";
static const char amd_head[] =
    "target datalayout = "
    "\"e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128-"
    "p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-"
    "v2048:2048-n32:"
    "64-S32-A5-G1-ni:7:8:9\"\ntarget triple = \"amdgcn-amd-amdhsa\"\n";

struct harness {
    LLVMContextRef context;
    struct emulator *emulator;
    struct emulator_result result;
};

static inline LLVMModuleRef harness_parse(LLVMContextRef context, const char *head, const char *text) {
    size_t size = strlen(head) + strlen(text) + 1;
    char *whole = malloc(size);
    snprintf(whole, size, "%s%s", head, text);
    LLVMModuleRef module = module_of(context, whole);
    free(whole);
    return module;
}

static inline void harness_text(struct harness *harness, const char *head, const char *text,
                                const struct emulator_options *options) {
    char *error = NULL;
    memset(harness, 0, sizeof *harness);
    harness->context = LLVMContextCreate();
    LLVMModuleRef module = harness_parse(harness->context, head, text);
    harness->emulator = emulator_create(module, options, &error);
    if (!harness->emulator) {
        fail_msg("%s", error);
    }
}

static inline void harness_file(struct harness *harness, const char *name,
                                const struct emulator_options *options) {
    char path[1024];
    size_t length;
    snprintf(path, sizeof path, TEST_SOURCE_DIR "/tests/emulator/%s", name);
    char *text = file_read(path, &length);
    assert_non_null(text);
    harness_text(harness, "", text, options);
    free(text);
}

static inline void harness_end(struct harness *harness) {
    emulator_result_free(&harness->result);
    emulator_destroy(harness->emulator);
    LLVMContextDispose(harness->context);
}

static inline bool harness_run(struct harness *harness, const struct emulator_argument *arguments,
                               unsigned count, unsigned grid, unsigned threads, size_t shared_bytes) {
    emulator_result_free(&harness->result);
    struct emulator_launch launch = {.arguments = arguments,
                                     .argument_count = count,
                                     .grid = {grid, 1, 1},
                                     .threads = threads,
                                     .shared_bytes = shared_bytes};
    return emulator_run(harness->emulator, &launch, &harness->result);
}

// Fails with the reports when the run was not clean.
static inline void harness_expect_clean(struct harness *harness, bool clean) {
    if (clean) {
        return;
    }
    for (unsigned i = 0; i < harness->result.report_count; i++) {
        print_error("%s", harness->result.reports[i].text);
    }
    fail_msg("the run was not clean (status %d): %s", (int)harness->result.status,
             harness->result.message ? harness->result.message : "");
}

// True if the compiler is at fault by the reports. Their field and their text must agree.
static inline bool harness_of_compiler(const struct harness *harness) {
    assert_true(harness->result.report_count > 0);
    for (unsigned i = 0; i < harness->result.report_count; i++) {
        const struct emulator_report *report = &harness->result.reports[i];
        assert_int_equal(report->of_compiler, harness->result.reports[0].of_compiler);
        assert_int_equal(report->of_compiler, strstr(report->text, "a fault of the compiler") != NULL);
    }
    return harness->result.reports[0].of_compiler;
}

// Fails unless some report is of this kind and has these words.
static inline void harness_expect_fault(struct harness *harness, const char *kind, const char *words) {
    for (unsigned i = 0; i < harness->result.report_count; i++) {
        if (!strcmp(harness->result.reports[i].kind, kind) &&
            (!words || strstr(harness->result.reports[i].text, words))) {
            return;
        }
    }
    for (unsigned i = 0; i < harness->result.report_count; i++) {
        print_error("%s", harness->result.reports[i].text);
    }
    fail_msg("nothing of the kind \"%s\" was reported with \"%s\"", kind, words ? words : "");
}

#endif
