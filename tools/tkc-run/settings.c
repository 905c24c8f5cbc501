// The command line.
#include "settings.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/diag.h"

enum option_id {
#define OPTION(id, name, letter, argument, help) OPTION_##id = 256 + __LINE__,
#include "options.def"
#undef OPTION
};

static void usage(FILE *out) {
    fprintf(out, "usage: tkc-run FILE [options]\n\nRuns a kernel of FILE (.tk, .py or .ll) on the emulator "
                 "of a chip or on a "
                 "device.\n\n");
    const struct {
        const char *name, *argument, *help;
        char letter;
    } rows[] = {
#define OPTION(id, name, letter, argument, help) {name, argument, help, letter},
#include "options.def"
#undef OPTION
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char left[64], letter[8] = "";
        if (rows[i].letter)
            snprintf(letter, sizeof letter, "-%c, ", rows[i].letter);
        snprintf(left, sizeof left, "%4s--%s%s%s", letter, rows[i].name, rows[i].argument ? " " : "",
                 rows[i].argument ? rows[i].argument : "");
        fprintf(out, "  %-32s %s\n", left, rows[i].help);
    }
    fprintf(out,
            "\nGenerators: zeros(d…) ones(d…) full(v,d…) arange(d…) empty(d…) rand(d…) randn(d…) "
            "randint(low,high,d…), "
            "with seed=N.\nelement types: fp64 fp32 fp16 bf16 fp8e4nv fp8e5 fp8e4b8 fp8e5b16 i1 i8 … u64\n");
}

_Noreturn static void wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn static void wrong(const char *format, ...) {
    va_list args;
    fprintf(stderr, "tkc-run: error: ");
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\n");
    exit(EXIT_USAGE);
}

static double number(const char *text, const char *option) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end)
        wrong("--%s: '%s' is no number", option, text);
    return value;
}

static void parse_trace(struct settings *settings, const char *text) {
    unsigned *program = settings->emulator.trace_program, thread;
    if (sscanf(text, "%u:%u:%u,%u", &program[0], &program[1], &program[2], &thread) != 4) {
        program[1] = program[2] = 0;
        if (sscanf(text, "%u,%u", &program[0], &thread) != 2)
            wrong("--trace %s: expected PROGRAM,THREAD", text);
    }
    settings->emulator.trace_thread = thread;
    settings->emulator.trace = stderr;
}

static void parse_option(struct settings *settings, int id, const char *value) {
    switch (id) {
    case OPTION_ON:
        settings->on = value;
        break;
    case OPTION_KERNEL:
        settings->request.kernel = value;
        break;
    case OPTION_GRID:
        settings->grid = value;
        break;
    case OPTION_SIGNATURE:
        settings->request.signature = value;
        break;
    case OPTION_DEFINE: {
        const char **defines = (const char **)settings->request.defines;
        defines[settings->request.define_count++] = value;
        break;
    }
    case OPTION_NUM_WARPS:
        settings->request.num_warps = (int)number(value, "num-warps");
        break;
    case OPTION_NUM_STAGES:
        settings->request.num_stages = (int)number(value, "num-stages");
        break;
    case OPTION_THREADS:
        settings->request.threads = (unsigned)number(value, "threads");
        break;
    case OPTION_SHARED:
        settings->request.shared_bytes = (size_t)number(value, "shared-bytes");
        break;
    case OPTION_CONFIG:
        settings->request.config = (int)number(value, "config");
        break;
    case OPTION_RTOL:
        settings->tolerance.relative = number(value, "rtol");
        settings->tolerance.given = true;
        break;
    case OPTION_ATOL:
        settings->tolerance.absolute = number(value, "atol");
        settings->tolerance.given = true;
        break;
    case OPTION_OUT:
        settings->outputs[settings->output_count++] = value;
        break;
    case OPTION_PRINT:
        settings->prints[settings->print_count++] = value;
        break;
    case OPTION_SEED:
        settings->emulator.seed = (uint64_t)number(value, "seed");
        break;
    case OPTION_TIMEOUT:
        settings->emulator.timeout_seconds = number(value, "timeout");
        break;
    case OPTION_NO_CHECKS:
        settings->emulator.no_checks = true;
        break;
    case OPTION_OVERFLOW:
        settings->emulator.check_address_overflow = true;
        break;
    case OPTION_STATS:
        if (strcmp(value, "text") && strcmp(value, "json"))
            wrong("--stats %s: there are text and json", value);
        settings->stats = value;
        settings->emulator.count = true;
        break;
    case OPTION_TRACE:
        parse_trace(settings, value);
        break;
    case OPTION_PLOT:
        if (settings->request.plot_count == RUN_PLOTS)
            wrong("more than %d plots", RUN_PLOTS);
        settings->request.plots[settings->request.plot_count++] = value;
        break;
    case OPTION_TIME:
        settings->time = true;
        break;
    case OPTION_WORKERS:
        settings->emulator.workers = (unsigned)number(value, "workers");
        break;
    case OPTION_REPORTS:
        settings->emulator.report_limit = (unsigned)number(value, "max-reports");
        break;
    case OPTION_QUIET:
        settings->quiet = true;
        break;
    case OPTION_HELP:
        usage(stdout);
        exit(0);
    default:
        usage(stderr);
        exit(EXIT_USAGE);
    }
}

// Arrays are made after all options are read, so that --seed may come last.
static void parse_value(struct settings *settings, const char *text, bool expected, uint64_t position) {
    unsigned *count = expected ? &settings->expected_count : &settings->argument_count;
    struct run_argument *slot = expected ? &settings->expected[*count] : &settings->arguments[*count];
    if (*count == RUN_ARGUMENTS)
        wrong("more than %d arguments", RUN_ARGUMENTS);
    char *error = argument_parse(text, settings->emulator.seed * 1000 + position, slot);
    if (error)
        wrong("%s", error);
    ++*count;
}

static void parse_command_line(struct settings *settings, int argc, char **argv) {
    static const struct option options[] = {
#define OPTION(id, name, letter, argument, help) {name, (argument) != NULL, NULL, OPTION_##id},
#include "options.def"
#undef OPTION
        {0}};
    static const struct {
        char letter;
        int id;
    } letters[] = {
#define OPTION(id, name, letter, argument, help) {letter, OPTION_##id},
#include "options.def"
#undef OPTION
    };
    const char *values[2 * RUN_ARGUMENTS];
    bool expected[2 * RUN_ARGUMENTS];
    unsigned value_count = 0;
    int id;
    while ((id = getopt_long(argc, argv, "n:a:g:s:D:w:o:p:j:qh", options, NULL)) != -1) {
        for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
            if (letters[i].letter == id)
                id = letters[i].id;
        if (id == OPTION_ARG || id == OPTION_EXPECT) {
            if (value_count == 2 * RUN_ARGUMENTS)
                wrong("more than %d arguments", RUN_ARGUMENTS);
            expected[value_count] = id == OPTION_EXPECT;
            values[value_count++] = optarg;
            continue;
        }
        parse_option(settings, id, optarg);
    }
    if (optind + 1 != argc) {
        usage(stderr);
        exit(EXIT_USAGE);
    }
    settings->request.path = argv[optind];
    for (unsigned i = 0; i < value_count; i++)
        parse_value(settings, values[i], expected[i], i);
}

void settings_parse(struct settings *settings, int argc, char **argv) {
    memset(settings, 0, sizeof *settings);
    settings->request.defines = calloc((size_t)argc, sizeof *settings->request.defines);
    parse_command_line(settings, argc, argv);
}

void settings_free(struct settings *settings) {
    for (unsigned i = 0; i < settings->argument_count; i++)
        argument_free(&settings->arguments[i]);
    for (unsigned i = 0; i < settings->expected_count; i++)
        argument_free(&settings->expected[i]);
    free((void *)settings->request.defines);
}
