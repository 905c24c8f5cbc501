// One run of one case. The kernel is compiled in this process up to the module before instruction selection,
// and the emulator runs the module.
#include "run_case.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "artifact/artifact.h"
#include "driver/compile.h"
#include "emulate.h"
#include "launch_facts.h"
#include "emulator/emulator.h"
#include "codegen/llvmgen.h"
#include "codegen/spills.h"

enum { MAX_DEFINES = 8, RUN_SECONDS = 120 };

struct gathered {
    char *text;
    size_t size, length;
};

static void gather(void *user, enum diag_severity severity, const char *text) {
    struct gathered *gathered = user;
    if (severity != DIAG_ERROR || gathered->length >= gathered->size) {
        return;
    }
    gathered->length +=
        (size_t)snprintf(gathered->text + gathered->length, gathered->size - gathered->length, "%s", text);
}

// "A=1 B='x'" to an array; the copy holds the text.
static size_t split_defines(const char *text, char *copy, size_t size, struct tkc_define *defines) {
    size_t count = 0;
    snprintf(copy, size, "%s", text ? text : "");
    for (char *word = strtok(copy, " "); word && count < MAX_DEFINES; word = strtok(NULL, " ")) {
        char *equals = strchr(word, '=');
        *equals = '\0';
        defines[count++] = (struct tkc_define){word, equals + 1};
    }
    return count;
}

static void bind(const struct lang_run *run, struct emulator_buffer *buffers,
                 struct emulator_argument *arguments) {
    for (unsigned i = 0; i < run->count; i++) {
        const struct lang_argument *a = &run->arrays[i].argument;
        arguments[i] = (struct emulator_argument){.name = "argument"};
        if (a->kind == ARGUMENT_INTEGER) {
            arguments[i].bits = (uint64_t)(int64_t)a->low;
        } else if (a->kind == ARGUMENT_REAL) {
            arguments[i].bits = float_encode(a->element, a->low, false);
        } else {
            buffers[i] = (struct emulator_buffer){.name = "argument",
                                                  .data = run->arrays[i].data,
                                                  .size = run->arrays[i].bytes,
                                                  .element_bits = 8 * element_bytes(a->element),
                                                  .poisoned = a->kind == ARGUMENT_OUTPUT,
                                                  .read_only = a->kind == ARGUMENT_INPUT};
            arguments[i].buffer = &buffers[i];
        }
    }
}

// False if the written line does not read back.
static bool describe_launch(const struct reflect_entry *entry, char line[LAUNCH_LINE]) {
    struct launch_facts facts = {.threads = entry->threads,
                                 .shared_bytes = entry->dynamic_shared_bytes,
                                 .dealing = entry->dealing,
                                 .hidden_count = (unsigned)entry->hidden_count},
                        read;
    if (entry->hidden_count > LAUNCH_HIDDEN) {
        return false;
    }
    for (size_t i = 0; i < entry->hidden_count; i++) {
        facts.hidden[i] = entry->hidden[i];
    }
    launch_facts_write(&facts, line);
    bool good = launch_facts_read(line, &read) && read.hidden_count == facts.hidden_count;
    char again[LAUNCH_LINE];
    launch_facts_write(&read, again);
    return good && !strcmp(line, again);
}

// FOLDER/FAMILY.CASE.wW.sS.ptx as a program gets it, without places in the source; its first line says how to launch it.
static bool emit(struct compiled *compiled, struct diag *diag, const char *family, const struct lang_run *run,
                 const char *folder) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.%s.w%u.s%u.ptx", folder, family, run->test->name, run->warps,
             run->stages);
    struct strbuf text = {0};
    LLVMModuleRef plain = LLVMCloneModule(compiled->llvm);
    LLVMStripModuleDebugInfo(plain);
    bool good = llvmgen_emit_last(plain, compiled->target, LLVMGEN_ASSEMBLY, NULL, &text, diag);
    LLVMDisposeModule(plain);
    char line[LAUNCH_LINE];
    good = good && describe_launch(&compiled->entries[0], line);
    FILE *file = good ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%s\n", line);
        good = fwrite(text.data, 1, text.length, file) == text.length;
        good = !fclose(file) && good;
    }
    strbuf_free(&text);
    return file && good;
}

// A form of a kernel in the emulator.
struct made {
    struct emulator *emulator;
    const char *kernel;
    const struct reflect_entry *entry;
    struct lang_run *run;
    uint64_t seed;
};

// Runs it with the warps in one order and judges the outputs.
static bool run_in_order(const struct made *made, enum emulator_order order, unsigned multiprocessors,
                         char *message, size_t size) {
    const struct reflect_entry *entry = made->entry;
    const unsigned *grid = made->run->test->grid;
    struct emulator_buffer buffers[LANG_ARGUMENTS] = {{0}};
    struct emulator_argument arguments[LANG_ARGUMENTS + EMULATED_HIDDEN];
    struct emulated_hidden hidden;
    int64_t numbers[LANG_ARGUMENTS] = {0};
    bind(made->run, buffers, arguments);
    for (unsigned i = 0; i < made->run->count; i++) {
        if (made->run->arrays[i].argument.kind == ARGUMENT_INTEGER) {
            numbers[i] = (int64_t)made->run->arrays[i].argument.low;
        }
    }
    struct emulator_launch how = {
        .kernel = made->kernel,
        .arguments = arguments,
        .argument_count = made->run->count,
        .grid = {grid[0] ? grid[0] : 1, grid[1] ? grid[1] : 1, grid[2] ? grid[2] : 1},
        .threads = entry->threads,
        .shared_bytes = entry->dynamic_shared_bytes};
    const char *wrong = emulate_hidden(entry->hidden, entry->hidden_count,
                                       (struct emulated_blocks){entry->dealing, multiprocessors}, numbers,
                                       arguments, &how, &hidden);
    if (wrong) {
        snprintf(message, size, "tensor map: %s", wrong);
        return false;
    }
    struct emulator_result result = {0};
    lang_arguments_reset(made->run);
    emulator_reorder(made->emulator, order, made->seed);
    bool clean = emulator_run(made->emulator, &how, &result);
    if (!clean) {
        const char *said = result.report_count ? result.reports[0].text
                           : result.message    ? result.message
                                               : "did not end";
        snprintf(message, size, "run, order %s, %u multiprocessors: %s", emulator_order_names[order],
                 multiprocessors, said);
    }
    emulator_result_free(&result);
    if (clean && !lang_arguments_judge(made->run, message, size)) {
        size_t length = strlen(message);
        snprintf(message + length, size - length, " (order %s, %u multiprocessors)",
                 emulator_order_names[order], multiprocessors);
        return false;
    }
    return clean;
}

// True if an example has values in scratch memory instead of registers.
static bool has_scratch(const struct lang_case *test, const struct target *target,
                        const struct strbuf *object) {
    char family[6] = "";
    memcpy(family, target->name, sizeof family - 1);
    bool may = !test->file || (test->scratch && strstr(test->scratch, family));
    return !may && spills_read(object->data, object->length, true).bytes > 0;
}

// The module, or the code object made of it; of the examples it is linked as well.
static struct emulator *make_emulator(struct compiled *compiled, struct unit *unit, bool machine,
                                      const struct lang_case *test, const struct emulator_options *options,
                                      char **error) {
    bool linked = test->file != NULL;
    LLVMModuleRef module = compiled->llvm;
    struct strbuf *object = &compiled->object, image = {0};
    const char *tool;
    if (!machine) {
        compiled->llvm = NULL;
        return emulator_create(module, options, error);
    }
    struct emulator *emulator = NULL;
    bool made =
        object->length || llvmgen_emit(module, compiled->target, LLVMGEN_OBJECT, NULL, object, &unit->diag);
    if (made && linked) {
        made = hsaco_link(unit->arena, object, 1, NULL, &image, &tool, &unit->diag);
    }
    const struct strbuf *code = linked ? &image : object;
    if (made && has_scratch(test, compiled->target, object)) {
        *error = strdup("its values do not fit in registers");
        made = false;
    }
    if (made) {
        emulator = emulator_create_object(code->data, code->length, options, error);
    }
    strbuf_free(&image);
    return emulator;
}

// Runs one form of the kernel.
static bool run_form(const struct made *made, const struct run_settings *settings, char *message,
                     size_t size) {
    struct lang_run *run = made->run;
    enum emulator_order order = (enum emulator_order)settings->order;
    // The other order of a run differs from case to case and from seed to seed, and so does its number of multiprocessors.
    static const unsigned numbers[] = {1, 3, 5, 132};
    unsigned others = EMULATOR_RANDOM - EMULATOR_IN_TURN, first = EMULATED_MULTIPROCESSORS;
    uint64_t drawn = lang_hash(settings->seed, (uint64_t)(run->chip[2] + run->warps * 8 + run->stages),
                               strlen(run->test->name)),
             pick = drawn % others;
    unsigned other =
        numbers[lang_hash(drawn, lang_seed(run->test, 0), 0) % (sizeof numbers / sizeof *numbers)];
    // Machine code takes longer to make and to run: one of the orders, different in the same way.
    if (settings->machine && order == EMULATOR_BY_SEED) {
        order = pick % 2 ? EMULATOR_RANDOM : (enum emulator_order)(EMULATOR_IN_TURN + pick);
        first = pick % 2 ? first : other;
    }
    if (settings->multiprocessors) {
        first = other = settings->multiprocessors;
    }
    bool good = run_in_order(made, order != EMULATOR_BY_SEED ? order : EMULATOR_RANDOM, first, message, size);
    if (good && order == EMULATOR_BY_SEED) {
        good = run_in_order(made, (enum emulator_order)(EMULATOR_IN_TURN + pick), other, message, size);
    }
    return good;
}

// Runs the kernel; with a second form both, which must give the same bits.
static bool launch(struct unit *unit, struct compiled *compiled, struct lang_run *run,
                   const struct run_settings *settings, char *message, size_t size) {
    struct emulator_options options = {
        .chip = run->chip, .workers = 1, .timeout_seconds = RUN_SECONDS, .printed = stderr};
    char *error = NULL;
    struct emulator *emulator = make_emulator(compiled, unit, settings->machine, run->test, &options, &error);
    if (!emulator) {
        snprintf(message, size, "emulator: %s", error ? error : "refused");
        free(error);
        return false;
    }
    const struct reflect_form *paired = compiled->entries[0].paired;
    struct made made = {emulator, run->test->kernel, &compiled->entries[0], run, settings->seed};
    bool good = run_form(&made, settings, message, size);
    if (good && paired) {
        uint64_t bits = lang_arguments_hash(run);
        made.kernel = paired->name;
        made.entry = &paired->entry;
        good = run_form(&made, settings, message, size);
        if (good && lang_arguments_hash(run) != bits) {
            snprintf(message, size, "%s gives other bits", paired->name);
            good = false;
        }
    }
    emulator_destroy(emulator);
    return good;
}

// True if operands are copied by tensor copies, or the case does not require it.
static bool has_maps(const struct lang_case *test, const char *chip, const struct run_settings *settings,
                     const struct reflect_entry *entry) {
    unsigned maps = 0;
    for (size_t i = 0; i < entry->hidden_count; i++) {
        maps += entry->hidden[i].kind == TKC_HIDDEN_TENSOR_MAP;
    }
    return settings->without || strcmp(chip, "sm_90a") || maps >= test->maps;
}

static const char *expected_refusal(const struct lang_case *test, const char *chip) {
    for (unsigned i = 0; i < LANG_REFUSALS && test->refusals[i].chip; i++) {
        if (!strcmp(test->refusals[i].chip, chip) || !strcmp(test->refusals[i].chip, "*")) {
            return test->refusals[i].text;
        }
    }
    return NULL;
}

// Many chips have one program for several numbers of stages.
static bool has_run(struct seen *seen, LLVMModuleRef module, bool machine) {
    if (!seen) {
        return false;
    }
    char *text = LLVMPrintModuleToString(module);
    bool found = false;
    for (unsigned i = 0; i < seen->count && !found; i++) {
        found = seen->machine[i] == machine && !strcmp(seen->texts[i], text);
    }
    if (found || seen->count == SEEN_PROGRAMS) {
        LLVMDisposeMessage(text);
        return found;
    }
    seen->machine[seen->count] = machine;
    seen->texts[seen->count++] = text;
    return false;
}

void seen_free(struct seen *seen) {
    while (seen->count) {
        LLVMDisposeMessage(seen->texts[--seen->count]);
    }
}

enum case_outcome run_case(const char *family, const struct lang_case *test, const char *chip, unsigned warps,
                           unsigned stages, const struct run_settings *settings, struct lang_run *run,
                           char *message, size_t size) {
    char path[1024], names[512], said[4096] = "";
    struct tkc_define defines[MAX_DEFINES];
    struct tkc_options options;
    struct gathered gathered = {said, sizeof said, 0};
    if (test->file && test->file[0] == '/') {
        snprintf(path, sizeof path, "%s", test->file);
    } else if (test->file) {
        snprintf(path, sizeof path, TEST_SOURCE_DIR "/%s", test->file);
    } else {
        snprintf(path, sizeof path, TEST_SOURCE_DIR "/tests/lang/%s.tk", family);
    }
    tkc_options_init(&options);
    options.input = path;
    options.kernels = &test->kernel;
    options.kernel_count = 1;
    options.signature = test->signature;
    options.language = test->language;
    options.pad_shapes = test->pads;
    options.check_shared = true;
    options.num_warps = (int)warps;
    options.num_stages = (int)stages;
    options.defines = defines;
    options.define_count = split_defines(test->defines, names, sizeof names, defines);
    options.debug = TKC_DEBUG_LINES;
    options.without = &settings->without;
    options.without_count = settings->without != NULL;

    struct unit unit = {.arena = arena_create(),
                        .diag = {.error_limit = 20, .sink = gather, .sink_user = &gathered}};
    struct compiled compiled = {0};
    enum case_outcome outcome = CASE_FAILED;
    const char *refusal = expected_refusal(test, chip);
    const struct target *target = target_find(chip);
    bool made = unit_open(&unit, &options, target) && compile_as_asked(&unit, target, &compiled);
    bool seen = made && has_run(settings->seen, compiled.llvm, settings->machine);
    // Spills are known only from machine code, slow to make.
    made = made && (seen || !settings->machine || compile_fitting(&unit, target, &compiled));
    if (!made && refusal && strstr(said, refusal)) {
        outcome = CASE_REFUSED;
    } else if (!made) {
        snprintf(message, size, "compile: %s", said);
    } else if (refusal) {
        snprintf(message, size, "was to be refused: %s", refusal);
    } else if (!has_maps(test, chip, settings, &compiled.entries[0])) {
        snprintf(message, size, "has fewer than %u tensor maps", test->maps);
    } else {
        if (!run->test) {
            lang_arguments_make(run, test, settings->seed);
            run->chip = chip;
            test->reference(run);
        }
        run->warps = warps;
        run->stages = stages;
        // The same module once more is the same PTX.
        bool written = !settings->emit || seen || emit(&compiled, &unit.diag, family, run, settings->emit);
        if (!written) {
            snprintf(message, size, "no machine code: %s", said);
        } else if (seen) {
            outcome = CASE_SAME;
        } else if (launch(&unit, &compiled, run, settings, message, size)) {
            outcome = CASE_PASSED;
        }
        if (settings->hashes && outcome == CASE_PASSED) {
            fprintf(settings->hashes, "%s.%s.w%u.s%u %016llx\n", family, test->name, warps, stages,
                    (unsigned long long)lang_arguments_hash(run));
        }
    }
    compiled_free(&compiled);
    arena_destroy(unit.arena);
    return outcome;
}
