// The table of tkc-run's options, and their checks and actions.
#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/options.h"
#include "support/diag.h"

// Arrays are created after all options are read, so --seed may come last.
static bool take_argument(const struct option_use *use) {
    struct settings *settings = use->settings;
    bool expected = strcmp(use->name, "--expect") == 0;
    if (settings->value_count == 2 * RUN_ARGUMENTS) {
        return option_error(use, "more than %d arguments", RUN_ARGUMENTS);
    }
    settings->values[settings->value_count++] = (struct argument_text){use->value, expected};
    return true;
}

static bool check_stats(const struct option_use *use) {
    ((struct settings *)use->settings)->emulator.count = true;
    return !strcmp(use->value, "text") || !strcmp(use->value, "json") ||
           option_error(use, "%s wants text or json, not \"%s\"", use->name, use->value);
}

static bool check_level(const struct option_use *use) {
    ((struct settings *)use->settings)->machine = !strcmp(use->value, "machine");
    return !strcmp(use->value, "llvm") || !strcmp(use->value, "machine") ||
           option_error(use, "%s wants llvm or machine, not \"%s\"", use->name, use->value);
}

static bool take_order(const struct option_use *use) {
    enum emulator_order *order = &((struct settings *)use->settings)->emulator.order;
    for (int i = 0; i < EMULATOR_ORDERS; i++) {
        if (strcmp(use->value, emulator_order_names[i]) == 0) {
            *order = (enum emulator_order)i;
            return true;
        }
    }
    return option_error(use, "%s wants turn, reversed, ahead, behind or random, not \"%s\"", use->name,
                        use->value);
}

// "X" or "X:Y:Z"
static bool take_step(const struct option_use *use) {
    struct settings *settings = use->settings;
    unsigned *program = settings->step_program;
    char rest;
    settings->step = true;
    return !*use->value ||
           sscanf(use->value, "%u:%u:%u%c", &program[0], &program[1], &program[2], &rest) == 3 ||
           (program[1] = program[2] = 0, sscanf(use->value, "%u%c", &program[0], &rest) == 1) ||
           option_error(use, "%s wants %s, not \"%s\"", use->name, use->row->argument, use->value);
}

static bool take_trace(const struct option_use *use) {
    struct emulator_options *options = &((struct settings *)use->settings)->emulator;
    unsigned *program = options->trace_program;
    if (sscanf(use->value, "%u:%u:%u,%u", &program[0], &program[1], &program[2], &options->trace_thread) !=
        4) {
        program[1] = program[2] = 0;
        if (sscanf(use->value, "%u,%u", &program[0], &options->trace_thread) != 2) {
            return option_error(use, "%s wants %s, not \"%s\"", use->name, use->row->argument, use->value);
        }
    }
    options->trace = stderr;
    return true;
}

#define SETTINGS struct settings
static const struct option rows[] = {
#include "options.def"
};

static const struct option_table table = {
    .tool = "tkc-run",
    .summary = "run a GPU kernel on an emulator or a device",
    .about =
        "usage: tkc-run FILE [options]\n\n"
        "Runs a kernel of FILE (.tk, .py, .mlir, .ll or .hsaco) on the emulator of a chip or on a device.\n"
        "Exit status: 0 the run was clean and every --expect held, 1 otherwise, 2 wrong usage.\n",
    .notes =
        "Generators: zeros(d…) ones(d…) full(v,d…) arange(d…) empty(d…) rand(d…) randn(d…) "
        "randint(low,high,d…),\n"
        "with seed=N; OTHER or OTHER[FROM:TO] is part of another argument's array; addresses(ARRAY) is an "
        "array\non each rank, by its addresses, rank() the rank's number. Element types: fp64 "
        "fp32 fp16 bf16 fp8e4nv\nfp8e5 fp8e4b8 fp8e5b16 i1 i8 … u64\n",
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
};

static bool make_value(struct settings *settings, size_t position) {
    const struct argument_text *text = &settings->values[position];
    unsigned *count = text->expected ? &settings->expected_count : &settings->argument_count;
    struct run_argument *slot = text->expected ? &settings->expected[*count] : &settings->arguments[*count];
    if (*count == RUN_ARGUMENTS) {
        return options_error(&table, stderr, "more than %d arguments", RUN_ARGUMENTS);
    }
    char *error =
        argument_parse(text->text, settings->emulator.seed * 1000 + position, settings->ranks, slot);
    if (!error && text->expected && slot->of) {
        error = message("--expect %s: expected FILE.npy or GENERATOR(…):DTYPE", text->text);
    }
    if (error) {
        options_error(&table, stderr, "%s", error);
    }
    free(error);
    ++*count;
    return !error;
}

static bool complete(struct settings *settings) {
    if (!settings->request.options.input) {
        return options_error(&table, stderr, "no kernel file");
    }
    if (settings->request.options.kernel_count > 1) {
        return options_error(&table, stderr, "one kernel at a time: %s and %s",
                             settings->request.options.kernels[0], settings->request.options.kernels[1]);
    }
    if (settings->request.options.page && settings->on && strchr(settings->on, ',')) {
        return options_error(&table, stderr, "--report is about one place: --on names %s", settings->on);
    }
    settings->ranks = settings->ranks ? settings->ranks : 1;
    for (size_t i = 0; i < settings->value_count; i++) {
        if (!make_value(settings, i)) {
            return false;
        }
    }
    for (unsigned i = 0; i < settings->argument_count; i++) {
        struct run_argument *argument = &settings->arguments[i];
        char *error =
            argument->of ? argument_resolve(settings->arguments, settings->argument_count, argument) : NULL;
        if (error) {
            options_error(&table, stderr, "%s", error);
            free(error);
            return false;
        }
    }
    if (!watch_parse(&settings->watching, settings->watches, settings->watch_count)) {
        return false;
    }
    settings->watching.shows.steps = settings->step;
    if (settings->watch_count || settings->step) {
        settings->request.shows = &settings->watching.shows;
        settings->emulator.workers = settings->step ? 1 : settings->emulator.workers;
    }
    settings_list_files(settings);
    return !files_clash(settings->files, settings->request.file_count);
}

void settings_parse(struct settings *settings, int argc, char **argv) {
    *settings = (struct settings){.tolerance = {.relative = -1, .absolute = -1}};
    tkc_options_init(&settings->request.options);
    settings->request.options.debug = TKC_DEBUG_LINES;
    settings->request.options.debug_asserts = true;
    bool good = options_parse(&table, settings, argc, argv, stderr);
    if (good && settings->help) {
        options_help(&table, stdout);
        exit(0);
    }
    if (!good || !complete(settings)) {
        exit(EXIT_USAGE);
    }
    struct tolerance *tolerance = &settings->tolerance;
    tolerance->given = tolerance->relative >= 0 || tolerance->absolute >= 0;
    tolerance->relative = tolerance->relative < 0 ? 0 : tolerance->relative;
    tolerance->absolute = tolerance->absolute < 0 ? 0 : tolerance->absolute;
}

void settings_free(struct settings *settings) {
    for (unsigned i = 0; i < settings->argument_count; i++) {
        argument_free(&settings->arguments[i]);
    }
    for (unsigned i = 0; i < settings->expected_count; i++) {
        argument_free(&settings->expected[i]);
    }
    watch_free(&settings->watching);
    free(settings->files);
    options_free(&table, settings);
}
