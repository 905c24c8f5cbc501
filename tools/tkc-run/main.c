// tkc-run: runs one kernel and says whether it did what it should.
//
//   tkc-run softmax.tk --on gfx942 --arg 'x=rand(64,1000):fp16' --arg 'y=empty(64,1000):fp16' --arg
//   n_cols=1000 …
//
// Exit status: 0 the run was clean and every --expect held; 1 otherwise; 2 wrong usage.
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "run.h"
#include "support/diag.h"
#include "target/target.h"

enum option_id {
#define OPTION(id, name, letter, argument, help) OPTION_##id = 256 + __LINE__,
#include "options.def"
#undef OPTION
};

struct settings {
    struct program_request request;
    const char *on, *grid, *stats, *trace;
    struct argument arguments[RUN_ARGUMENTS], expected[RUN_ARGUMENTS];
    unsigned argument_count, expected_count;
    const char *outputs[RUN_ARGUMENTS], *prints[RUN_ARGUMENTS];
    unsigned output_count, print_count;
    struct tolerance tolerance;
    struct emulator_options emulator;
    bool time, quiet;
};

// Set by the signal handler, read by the emulator's threads.
static volatile int interrupted;

static void on_interrupt(int signal) {
    (void)signal;
    interrupted = 1;
}

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
    struct argument *slot = expected ? &settings->expected[*count] : &settings->arguments[*count];
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

// ---- binding ----

static struct argument *find_argument(struct argument *arguments, unsigned count, const char *name,
                                      size_t length) {
    for (unsigned i = 0; i < count; i++)
        if (strlen(arguments[i].name) == length && !strncmp(arguments[i].name, name, length))
            return &arguments[i];
    return NULL;
}

static bool complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool complain(const char *format, ...) {
    va_list args;
    fprintf(stderr, "tkc-run: error: ");
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\n");
    return false;
}

static bool bind_parameter(struct settings *settings, const struct program *program, unsigned index,
                           struct argument **bound) {
    const struct parameter *parameter = &program->parameters[index];
    struct argument *argument = find_argument(settings->arguments, settings->argument_count, parameter->name,
                                              strlen(parameter->name));
    if (!argument)
        return complain("argument '%s' of '%s' is missing: --arg %s=%s", parameter->name, program->name,
                        parameter->name, parameter->pointer ? "rand(…):fp32" : "NUMBER");
    if (argument->is_array != parameter->pointer)
        return complain("argument '%s' of '%s' is %s", parameter->name, program->name,
                        parameter->pointer ? "an array, and a number was given"
                                           : "a number, and an array was given");
    if (parameter->pointer && parameter->dtype && parameter->dtype != argument->array.dtype)
        return complain("argument '%s' of '%s' points to %s, and an array of %s was given", parameter->name,
                        program->name, parameter->dtype->name, argument->array.dtype->name);
    if (!parameter->pointer && parameter->dtype && parameter->dtype->kind != DTYPE_FLOAT &&
        !argument->is_integer)
        return complain("argument '%s' of '%s' is %s, and %g was given", parameter->name, program->name,
                        parameter->dtype->name, argument->number);
    argument->used = true;
    bound[index] = argument;
    return true;
}

static bool bind_arguments(struct settings *settings, const struct program *program,
                           struct argument **bound) {
    bool good = true;
    for (unsigned i = 0; i < program->parameter_count; i++)
        good = bind_parameter(settings, program, i, bound) && good;
    for (unsigned i = 0; i < settings->argument_count && good; i++) {
        if (settings->arguments[i].used)
            continue;
        bool constant = false;
        for (size_t j = 0; j < program->constant_count; j++)
            constant = constant || !strcmp(program->constants[j].name, settings->arguments[i].name);
        if (!constant)
            good = complain("'%s' has no argument '%s'", program->name, settings->arguments[i].name);
    }
    return good;
}

// --grid, or the source's own; every integer argument and constant may be named in it.
static bool find_grid(const struct settings *settings, const struct program *program, unsigned *grid) {
    struct expression_name names[3 * RUN_ARGUMENTS];
    size_t count = 0;
    for (unsigned i = 0; i < settings->argument_count; i++)
        if (settings->arguments[i].is_integer)
            names[count++] =
                (struct expression_name){settings->arguments[i].name, settings->arguments[i].integer};
    for (size_t i = 0; i < program->constant_count && count < 3 * RUN_ARGUMENTS; i++)
        names[count++] = program->constants[i];
    char *copy = settings->grid ? strdup(settings->grid) : NULL, *at = copy;
    if (!copy && !program->grid[0])
        return complain("'%s' has no launch grid: give --grid", program->name);
    for (unsigned i = 0; i < 3; i++) {
        const char *text = copy ? at : program->grid[i];
        grid[i] = 1;
        unsigned depth = 0;
        for (; copy && at && *at && (*at != ',' || depth); at++)
            depth += (*at == '(') - (*at == ')');
        if (copy && at)
            at = *at ? (*at = 0, at + 1) : NULL;
        if (!text)
            continue;
        int64_t value;
        char *error = expression_evaluate(text, names, count, &value);
        if (error || value < 0 || value > 0x7fffffff) {
            complain("launch grid: %s", error ? error : "the number of programs is out of range");
            free(error);
            free(copy);
            return false;
        }
        grid[i] = (unsigned)value;
    }
    free(copy);
    return true;
}

// ---- after the run ----

static void print_array(const char *name, const struct array *array) {
    printf("%s: %s[", name, array->dtype->name);
    for (unsigned i = 0; i < array->rank; i++)
        printf("%s%zu", i ? "," : "", array->dimensions[i]);
    printf("]");
    for (size_t i = 0; i < array->count && i < 64; i++)
        printf(" %.9g", array_get(array, i));
    printf("%s\n", array->count > 64 ? " …" : "");
}

static bool check_results(struct settings *settings, uint8_t *const *written) {
    bool good = true;
    for (unsigned i = 0; i < settings->expected_count; i++) {
        struct argument *want = &settings->expected[i];
        struct argument *got =
            find_argument(settings->arguments, settings->argument_count, want->name, strlen(want->name));
        if (!got || !got->is_array || !want->is_array) {
            good = complain("--expect %s: there is no such array argument", want->name);
            continue;
        }
        struct strbuf text = {0};
        bool same = compare_arrays(want->name, &got->array, &want->array, written[got - settings->arguments],
                                   &settings->tolerance, &text);
        if (!same || !settings->quiet)
            fputs(strbuf_text(&text), same ? stdout : stderr);
        good = good && same;
        strbuf_free(&text);
    }
    for (unsigned i = 0; i < settings->print_count; i++) {
        struct argument *argument = find_argument(settings->arguments, settings->argument_count,
                                                  settings->prints[i], strlen(settings->prints[i]));
        if (argument && argument->is_array)
            print_array(argument->name, &argument->array);
        else
            good = complain("--print %s: there is no such array argument", settings->prints[i]);
    }
    for (unsigned i = 0; i < settings->output_count; i++) {
        const char *equals = strchr(settings->outputs[i], '=');
        struct argument *argument =
            equals ? find_argument(settings->arguments, settings->argument_count, settings->outputs[i],
                                   (size_t)(equals - settings->outputs[i]))
                   : NULL;
        char *error = NULL;
        if (!argument || !argument->is_array)
            good = complain("--out %s: expected ARRAY=FILE.npy", settings->outputs[i]);
        else if ((error = npy_write(equals + 1, &argument->array)))
            good = complain("%s", error);
        free(error);
    }
    return good;
}

// ---- the emulator ----

struct progress {
    double next;
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void show_progress(void *user, uint64_t done, uint64_t total) {
    struct progress *progress = user;
    double time = now();
    if (time < progress->next)
        return;
    progress->next = time + 0.2;
    fprintf(stderr, "\r%llu of %llu programs", (unsigned long long)done, (unsigned long long)total);
    fflush(stderr);
}

static bool print_reports(const struct emulator_result *result, const char *kernel, const char *chip,
                          const struct emulator_launch *launch, bool quiet) {
    static const char *const endings[] = {"", "stopped at its time limit", "interrupted", "stopped",
                                          "not run"};
    for (unsigned i = 0; i < result->report_count; i++)
        fputs(result->reports[i].text, stderr);
    if (result->status == EMULATOR_REFUSED)
        return complain("%s", result->message);
    unsigned long long total = (unsigned long long)launch->grid[0] * launch->grid[1] * launch->grid[2];
    if (result->status != EMULATOR_DONE)
        fprintf(stderr, "tkc-run: %s on %s was %s after %llu of %llu programs\n%s", kernel, chip,
                endings[result->status], (unsigned long long)result->programs_done, total,
                result->message ? result->message : "");
    else if (!quiet || result->report_count)
        printf("%s on %s: %llu programs, %.2f s, %u faults\n", kernel, chip, total, result->seconds,
               result->report_count);
    return result->status == EMULATOR_DONE && result->report_count == 0;
}

static void print_statistics(const struct settings *settings, const struct emulator_result *result,
                             const char *chip, unsigned threads, size_t shared_bytes) {
    struct strbuf text = {0};
    if (!strcmp(settings->stats, "json"))
        statistics_json(&result->statistics, chip, threads, shared_bytes, &text);
    else
        statistics_text(&result->statistics, chip, threads, shared_bytes, &text);
    fputs(strbuf_text(&text), stdout);
    strbuf_free(&text);
}

static bool emulate(struct settings *settings, struct program *program, const char *chip,
                    struct argument **bound, const unsigned *grid) {
    struct emulator_buffer buffers[RUN_ARGUMENTS];
    struct emulator_argument arguments[RUN_ARGUMENTS];
    uint8_t *written[RUN_ARGUMENTS] = {0};
    struct progress progress = {now() + 1};
    struct emulator_options options = settings->emulator;
    char *error = NULL;
    options.chip = chip;
    options.stop = &interrupted;
    if (!settings->quiet && isatty(2)) {
        options.progress = show_progress;
        options.progress_user = &progress;
    }
    LLVMModuleRef module = program->module;
    program->module = NULL;
    struct emulator *emulator = emulator_create(module, &options, &error);
    if (!emulator) {
        complain("%s", error);
        free(error);
        return false;
    }
    for (unsigned i = 0; i < program->parameter_count; i++) {
        const struct parameter *parameter = &program->parameters[i];
        struct argument *argument = bound[i];
        struct array *array = &argument->array;
        unsigned slot = (unsigned)(argument - settings->arguments);
        if (array->data && array->empty && !settings->emulator.no_checks)
            written[slot] = calloc(array_bytes(array) + 16, 1);
        if (array->data)
            buffers[i] =
                (struct emulator_buffer){parameter->name, array->data, array_bytes(array), array->dtype->bits,
                                         array->empty,    false,       written[slot]};
        arguments[i] = (struct emulator_argument){
            parameter->name, parameter->pointer ? &buffers[i] : NULL, 0,
            parameter->pointer ? 0 : scalar_bits(parameter->dtype, argument->number, argument->integer)};
    }
    struct emulator_launch launch = {program->name,
                                     arguments,
                                     program->parameter_count,
                                     {grid[0], grid[1], grid[2]},
                                     program->threads,
                                     program->shared_bytes};
    struct emulator_result result;
    emulator_run(emulator, &launch, &result);
    if (progress.next > now() - 3600 && options.progress)
        fprintf(stderr, "\r%40s\r", "");
    bool good = print_reports(&result, program->name, chip, &launch, settings->quiet);
    if (settings->stats)
        print_statistics(settings, &result, chip, program->threads, program->shared_bytes);
    if (result.status != EMULATOR_REFUSED)
        good = check_results(settings, written) && good;
    emulator_result_free(&result);
    emulator_destroy(emulator);
    for (unsigned i = 0; i < RUN_ARGUMENTS; i++)
        free(written[i]);
    return good;
}

static bool run_device(struct settings *settings, const struct program *program, const char *where,
                       struct argument **bound, const unsigned *grid) {
    struct device_result result;
    uint8_t *written[RUN_ARGUMENTS] = {0};
    char *error = !strcmp(where, "cuda") ? cuda_run(program, bound, grid, settings->time, &result)
                                         : hip_run(program, bound, grid, settings->time, &result);
    if (error) {
        complain("%s", error);
        free(error);
        return false;
    }
    if (!settings->quiet)
        printf("%s on %s: %llu programs\n", program->name, result.name,
               (unsigned long long)grid[0] * grid[1] * grid[2]);
    if (settings->time)
        printf("%.2f us\n", result.seconds * 1e6);
    return check_results(settings, written);
}

// One place to run. Arrays are put back as they were, so that several places see the same.
static bool run_on(struct settings *settings, const char *where) {
    struct program program;
    struct argument *bound[RUN_ARGUMENTS];
    unsigned grid[3];
    bool device = !strcmp(where, "cuda") || !strcmp(where, "hip");
    settings->request.want_image = device;
    settings->request.target = !device ? where : where[0] == 'c' ? cuda_target() : hip_target();
    if (!settings->request.target)
        return false;
    if (!target_find(settings->request.target))
        return complain("unknown chip '%s'", where);
    void *saved[RUN_ARGUMENTS] = {0};
    for (unsigned i = 0; i < settings->argument_count; i++) {
        struct array *array = &settings->arguments[i].array;
        settings->arguments[i].used = false;
        saved[i] = array->data ? malloc(array_bytes(array)) : NULL;
        if (saved[i])
            memcpy(saved[i], array->data, array_bytes(array));
    }
    bool good = program_load(&program, &settings->request) && bind_arguments(settings, &program, bound) &&
                find_grid(settings, &program, grid) &&
                (device ? run_device(settings, &program, where, bound, grid)
                        : emulate(settings, &program, where, bound, grid));
    program_free(&program);
    for (unsigned i = 0; i < settings->argument_count; i++) {
        if (saved[i])
            memcpy(settings->arguments[i].array.data, saved[i], array_bytes(&settings->arguments[i].array));
        free(saved[i]);
    }
    return good;
}

int main(int argc, char **argv) {
    struct settings *settings = calloc(1, sizeof *settings);
    const char **defines = calloc((size_t)argc, sizeof *defines);
    settings->request.defines = defines;
    parse_command_line(settings, argc, argv);
    signal(SIGINT, on_interrupt);
    char *places = strdup(settings->on ? settings->on : "sm_80"), *rest = places, *where;
    bool good = true;
    while ((where = strsep(&rest, ",")) && !interrupted)
        good = run_on(settings, where) && good;
    for (unsigned i = 0; i < settings->argument_count; i++)
        argument_free(&settings->arguments[i]);
    for (unsigned i = 0; i < settings->expected_count; i++)
        argument_free(&settings->expected[i]);
    free(places);
    free(defines);
    free(settings);
    return good ? 0 : 1;
}
