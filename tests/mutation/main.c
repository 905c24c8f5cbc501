// mutation_test LIMIT SCORE FILE tkc-run's options: compiles the kernel, runs it once as it is, then once
// with each fault planted, at most LIMIT of a kind (spread evenly). A fault is noticed when the emulator
// reports something, does not finish, or an array comes out different. Prints the survivors by source line;
// fails below SCORE percent.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutant.h"
#include "emulate.h"
#include "settings.h"

enum { TRIALS = 8 };

struct trial {
    struct settings *settings;
    struct kernel_program *program;
    struct run_argument *bound[RUN_ARGUMENTS];
    unsigned grid[3];
    double seconds;                                     // of the clean run
    void *before[RUN_ARGUMENTS], *clean[RUN_ARGUMENTS]; // arrays by parameter
};

// Runs a module (given away) on the arrays as they were at first. True when nothing was reported.
static bool run(struct trial *trial, LLVMModuleRef module, const char *chip, bool verbose) {
    struct emulator_buffer buffers[RUN_ARGUMENTS];
    struct emulator_argument arguments[RUN_ARGUMENTS + EMULATED_HIDDEN];
    struct emulated_hidden hidden;
    int64_t numbers[RUN_ARGUMENTS] = {0};
    struct kernel_program *program = trial->program;
    struct emulator_options options = trial->settings->emulator;
    char *error = NULL;
    options.chip = chip;
    options.workers = 1; // floating-point atomics in one order
    options.report_limit = verbose ? 20 : 1;
    options.timeout_seconds = verbose ? 60 : 0.3 + 20 * trial->seconds; // many times a clean run's
    struct emulator *emulator = emulator_create(module, &options, &error);
    if (!emulator) {
        if (verbose) {
            complain("%s", error);
        }
        free(error);
        return false;
    }
    for (unsigned i = 0; i < program->parameter_count; i++) {
        const struct kernel_parameter *parameter = &program->parameters[i];
        struct run_argument *argument = trial->bound[i];
        struct array *array = &argument->array;
        if (array->data) {
            memcpy(array->data, trial->before[i], array_bytes(array));
            buffers[i] = (struct emulator_buffer){
                parameter->name, array->data, array_bytes(array), array->dtype->bits, array->empty,
                false,           NULL};
        }
        arguments[i] = (struct emulator_argument){.name = parameter->name};
        if (parameter->pointer) {
            arguments[i].buffer = &buffers[i];
            continue;
        }
        numbers[i] = argument->integer;
        arguments[i].bits = scalar_bits(parameter->dtype, argument->number, argument->integer);
    }
    struct emulator_launch launch = {program->name,
                                     arguments,
                                     program->parameter_count,
                                     {trial->grid[0], trial->grid[1], trial->grid[2]},
                                     program->threads,
                                     program->shared_bytes,
                                     false,
                                     0,
                                     0};
    const char *wrong =
        emulate_hidden(program->hidden, program->hidden_count, (struct emulated_blocks){program->dealing, 0},
                       numbers, arguments, &launch, &hidden);
    struct emulator_result result;
    if (wrong) {
        emulator_destroy(emulator);
        return complain("tensor map of '%s': %s", program->name, wrong);
    }
    bool clean = emulator_run(emulator, &launch, &result);
    for (unsigned i = 0; verbose && i < result.report_count; i++) {
        fputs(result.reports[i].text, stderr);
    }
    if (verbose) {
        trial->seconds = result.seconds;
    }
    emulator_result_free(&result);
    emulator_destroy(emulator);
    return clean;
}

static bool same_arrays(const struct trial *trial) {
    for (unsigned i = 0; i < trial->program->parameter_count; i++) {
        const struct array *array = &trial->bound[i]->array;
        if (array->data && memcmp(array->data, trial->clean[i], array_bytes(array))) {
            return false;
        }
    }
    return true;
}

static LLVMValueRef kernel_of(LLVMModuleRef module, const char *name) {
    return LLVMGetNamedFunction(module, name);
}

static void print_place(LLVMValueRef function, const struct mutant *mutant) {
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
    for (unsigned i = 0; i < mutant->block; i++) {
        block = LLVMGetNextBasicBlock(block);
    }
    LLVMValueRef in = LLVMGetFirstInstruction(block);
    for (unsigned i = 0; i < mutant->position; i++) {
        in = LLVMGetNextInstruction(in);
    }
    char *text = LLVMPrintValueToString(in), *cut = strstr(text, ", !dbg");
    if (cut) {
        *cut = 0;
    }
    printf("  survived: %s, block %u, instruction %u, line %u: %.160s\n", mutant_names[mutant->kind],
           mutant->block, mutant->position, LLVMGetDebugLocLine(in), text + strspn(text, " "));
    LLVMDisposeMessage(text);
}

// Every `step`th of a kind, for at most `limit` trials.
static bool chosen(const struct mutant *list, unsigned count, unsigned index, unsigned limit) {
    unsigned total = 0, before = 0;
    for (unsigned i = 0; i < count; i++) {
        total += list[i].kind == list[index].kind;
        before += i < index && list[i].kind == list[index].kind;
    }
    return total <= limit || before * limit / total != (before + 1) * limit / total;
}

// Noticed when any of the trials tells the faulty module from the clean one.
static bool notices(struct trial *trials, unsigned trial_count, const struct mutant *mutant, const char *chip,
                    void (*plant)(LLVMValueRef, const struct mutant *)) {
    const struct kernel_program *program = trials[0].program;
    for (unsigned i = 0; i < trial_count; i++) {
        LLVMModuleRef clone = LLVMCloneModule(program->module);
        plant(kernel_of(clone, program->name), mutant);
        if (!run(&trials[i], clone, chip, false) || !same_arrays(&trials[i])) {
            return true;
        }
    }
    return false;
}

// True if a fault that was not noticed cannot be, with these arguments: a bound that always holds or whose answer nobody reads, dead code, or
// a copy without a reader.
static bool makes_no_difference(struct trial *trials, unsigned trial_count, const struct mutant *mutant,
                                const char *chip) {
    return !notices(trials, trial_count, mutant, chip, mutant_probe) ||
           (mutant->kind == MUTANT_MASK && !notices(trials, trial_count, mutant, chip, mutant_refuse));
}

static double mutate(struct trial *trials, unsigned trial_count, const char *chip, unsigned limit) {
    const struct kernel_program *program = trials[0].program;
    LLVMValueRef original = kernel_of(program->module, program->name);
    unsigned count, planted[MUTANT_KINDS] = {0}, noticed[MUTANT_KINDS] = {0}, all = 0, caught = 0,
                    unreached = 0, implied = 0;
    struct mutant *list = mutant_list(original, &count);
    for (unsigned i = 0; i < count; i++) {
        if (!chosen(list, count, i, limit)) {
            continue;
        }
        bool found = notices(trials, trial_count, &list[i], chip, mutant_plant);
        if (!found && makes_no_difference(trials, trial_count, &list[i], chip)) {
            unreached++;
            continue;
        }
        if (!found && mutant_is_implied(original, &list[i])) {
            implied++;
            continue;
        }
        planted[list[i].kind]++;
        noticed[list[i].kind] += found;
        if (!found) {
            print_place(original, &list[i]);
        }
    }
    for (int kind = 0; kind < MUTANT_KINDS; kind++) {
        if (planted[kind]) {
            printf("  %-20s %u of %u noticed\n", mutant_names[kind], noticed[kind], planted[kind]);
        }
        all += planted[kind];
        caught += noticed[kind];
    }
    double score = all ? 100.0 * caught / all : 100;
    printf("%s on %s: %u faults planted, %u noticed (%.1f %%); %u more make no difference with these "
           "arguments, %u bounds follow from others\n",
           program->name, chip, all, caught, score, unreached, implied);
    free(list);
    return score;
}

static void keep_arrays(struct trial *trial, void **copies) {
    for (unsigned i = 0; i < trial->program->parameter_count; i++) {
        struct array *array = &trial->bound[i]->array;
        copies[i] =
            array->data ? memcpy(malloc(array_bytes(array) + 1), array->data, array_bytes(array)) : NULL;
    }
}

// Runs the unchanged module for the expected arrays.
static bool prepare(struct trial *trial, struct settings *settings, struct kernel_program *program,
                    const char *chip) {
    *trial = (struct trial){.settings = settings, .program = program};
    if (!bind_arguments(settings, program, trial->bound) ||
        !bind_grid(settings, program, trial->bound, trial->grid)) {
        return false;
    }
    keep_arrays(trial, trial->before);
    if (!run(trial, LLVMCloneModule(program->module), chip, true)) {
        return complain("%s on %s is not clean as it is", program->name, chip);
    }
    keep_arrays(trial, trial->clean);
    return true;
}

static void finish(struct trial *trial) {
    for (unsigned i = 0; trial->program && i < trial->program->parameter_count; i++) {
        if (trial->before[i]) {
            memcpy(trial->bound[i]->array.data, trial->before[i], array_bytes(&trial->bound[i]->array));
        }
        free(trial->before[i]);
        free(trial->clean[i]);
    }
}

static double try_chip(struct settings *settings, unsigned count, const char *chip, unsigned limit) {
    struct kernel_program program;
    struct trial trials[TRIALS] = {0};
    settings[0].request.target = chip;
    bool good = program_load(&program, &settings[0].request);
    for (unsigned i = 0; i < count && good; i++) {
        good = prepare(&trials[i], &settings[i], &program, chip);
    }
    double score = good ? mutate(trials, count, chip, limit) : -1;
    for (unsigned i = 0; i < count; i++) {
        finish(&trials[i]);
    }
    program_free(&program);
    return score;
}

int main(int argc, char **argv) {
    struct settings *settings = calloc(TRIALS, sizeof *settings);
    unsigned count = 0;
    if (argc < 4) {
        fprintf(stderr, "usage: mutation_test LIMIT SCORE FILE tkc-run's options [-- other options …]\n");
        return 2;
    }
    unsigned limit = (unsigned)strtoul(argv[1], NULL, 10);
    double wanted = strtod(argv[2], NULL);
    char *file = argv[3];
    for (int first = 3, i = 4; i <= argc && count < TRIALS; i++) {
        if (i < argc && strcmp(argv[i], "--")) {
            continue;
        }
        argv[first] = file;
        argv[first - 1] = argv[0];
        settings_parse(&settings[count++], i - first + 1, argv + first - 1);
        first = i; // the position of the "--" starts the next set
    }
    char *places = strdup(settings->on ? settings->on : "sm_80"), *rest = places, *where;
    bool good = true;
    while ((where = strsep(&rest, ","))) {
        good = try_chip(settings, count, where, limit) >= wanted && good;
    }
    for (unsigned i = 0; i < count; i++) {
        settings_free(&settings[i]);
    }
    free(places);
    free(settings);
    return good ? 0 : 1;
}
