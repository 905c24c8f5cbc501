// tkc-run: runs one kernel and checks its results.
//
//   tkc-run softmax.tk --on gfx942 --arg 'x=rand(64,1000):fp16' --arg 'y=empty(64,1000):fp16' --arg n_cols=1000 …
//
// Exit status: 0 the run was clean and every --expect held; 1 otherwise; 2 wrong usage.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "emulate.h"
#include "memory.h"
#include "report.h"
#include "settings.h"
#include "chip/target.h"
#include "emulator/amdgcn/object.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/file.h"
#include "support/memory.h"

// Set by the signal handler, read by the emulator's threads.
static volatile int interrupted;

static void on_interrupt(int signal) {
    (void)signal;
    interrupted = 1;
}

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
    if (time < progress->next) {
        return;
    }
    progress->next = time + 0.2;
    fprintf(stderr, "\r%llu of %llu programs", (unsigned long long)done, (unsigned long long)total);
    fflush(stderr);
}

static bool print_reports(const struct emulator_result *result, const char *kernel, const char *chip,
                          const struct emulator_launch *launch, bool quiet) {
    static const char *const endings[] = {"", "stopped at its time limit", "interrupted", "stopped",
                                          "not run"};
    for (unsigned i = 0; i < result->report_count; i++) {
        fputs(result->reports[i].text, stderr);
    }
    if (result->status == EMULATOR_REFUSED) {
        return complain("%s", result->message);
    }
    unsigned long long total = (unsigned long long)launch->grid[0] * launch->grid[1] * launch->grid[2] *
                               (launch->ranks ? launch->ranks : 1) *
                               (launch->launches ? launch->launches : 1);
    if (result->status != EMULATOR_DONE) {
        fprintf(stderr, "tkc-run: %s on %s was %s after %llu of %llu programs\n%s", kernel, chip,
                endings[result->status], (unsigned long long)result->programs_done, total,
                result->message ? result->message : "");
    } else if (!quiet || result->report_count) {
        printf("%s on %s: %llu programs, %.2f s, %u faults\n", kernel, chip, total, result->seconds,
               result->report_count);
    }
    return result->status == EMULATOR_DONE && result->report_count == 0;
}

static void print_statistics(const struct settings *settings, const struct emulator_result *result,
                             const char *chip, unsigned threads, size_t shared_bytes) {
    struct strbuf text = {0};
    if (!strcmp(settings->stats, "json")) {
        statistics_json(&result->statistics, chip, threads, shared_bytes, &text);
    } else {
        statistics_text(&result->statistics, chip, threads, shared_bytes, &text);
    }
    fputs(strbuf_text(&text), stdout);
    strbuf_free(&text);
}

// Gets ready for the kernel's output. False: nothing is watched.
static bool watch_launch(struct settings *settings, const struct emulator_launch *launch) {
    struct watching *watching = &settings->watching;
    if (!settings->request.shows) {
        return false;
    }
    watch_begin(watching, (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2]);
    watching->stepping = settings->step ? step_begin(watching, settings->step_program, &interrupted) : NULL;
    return true;
}

static bool emulate(struct settings *settings, struct kernel_program *program, const char *chip,
                    struct run_argument **bound, const unsigned *grid) {
    struct progress progress = {now() + 1};
    struct emulator_options options = settings->emulator;
    char *error = NULL;
    options.chip = chip;
    options.stop = &interrupted;
    if (settings->request.shows) {
        options.show = settings->step ? step_show : watch_show;
        options.show_user = &settings->watching;
    }
    if (!settings->quiet && isatty(2)) {
        options.progress = show_progress;
        options.progress_user = &progress;
    }
    struct emulator *emulator;
    if (settings->machine) {
        emulator = emulator_create_object(program->image, program->image_length, &options, &error);
    } else {
        emulator = emulator_create(program->module, &options, &error);
        program->module = NULL;
    }
    if (!emulator) {
        complain("%s", error);
        free(error);
        return false;
    }
    struct emulated_memory *memory = emulated_memory(settings);
    struct emulator_launch launch;
    const char *wrong = emulated_launch(memory, settings, program, bound, grid, &launch);
    struct emulator_result result;
    if (wrong) {
        emulator_destroy(emulator);
        emulated_memory_free(memory);
        return complain("tensor map of '%s': %s", program->name, wrong);
    }
    bool watched = watch_launch(settings, &launch);
    emulator_run(emulator, &launch, &result);
    if (progress.next > now() - 3600 && options.progress) {
        fprintf(stderr, "\r%40s\r", "");
    }
    bool good = print_reports(&result, program->name, chip, &launch, settings->quiet);
    if (result.statistics.matrix_flushes && !settings->quiet) {
        printf("%s's matrix units took %llu subnormal numbers for 0; a product in fp32 keeps them\n", chip,
               (unsigned long long)result.statistics.matrix_flushes);
    }
    if (settings->stats) {
        print_statistics(settings, &result, chip, program->threads, program->shared_bytes);
    }
    if (watched) {
        good = watch_finish(&settings->watching) && good;
        step_free(settings->watching.stepping);
    }
    settings->ran |= result.status != EMULATOR_REFUSED;
    emulator_result_free(&result);
    emulator_destroy(emulator);
    emulated_memory_free(memory);
    return good;
}

static bool run_device(struct settings *settings, const struct kernel_program *program, const char *where,
                       struct run_argument **bound, const unsigned *grid, struct report_place *place) {
    struct device_result result;
    char *error = device_run(where, program, bound, grid, settings->time, &result);
    if (error) {
        complain("%s", error);
        free(error);
        return false;
    }
    snprintf(place->name, sizeof place->name, "%s", result.name);
    place->seconds = result.seconds;
    if (!settings->quiet) {
        printf("%s on %s: %llu programs\n", program->name, result.name,
               (unsigned long long)grid[0] * grid[1] * grid[2]);
    }
    if (settings->time) {
        printf("%.2f us\n", result.seconds * 1e6);
    }
    settings->ran = true;
    return true;
}

static bool is_device(const char *where) {
    return !strcmp(where, "cuda") || !strcmp(where, "hip");
}

bool run_program(struct settings *settings, struct kernel_program *program, const char *where,
                 struct run_argument **bound) {
    unsigned grid[3];
    struct report_place place = {0};
    snprintf(place.name, sizeof place.name, "the emulator of %s", where);
    return bind_grid(settings, program, bound, grid) && check_apart(settings, program, bound) &&
           (is_device(where) ? run_device(settings, program, where, bound, grid, &place)
                             : emulate(settings, program, where, bound, grid)) &&
           (!settings->request.options.page || report_run(settings, program, bound, grid, &place));
}

static bool run_kernel(struct settings *settings, const char *where) {
    struct kernel_program program;
    struct run_argument *bound[RUN_ARGUMENTS];
    bool good = program_load(&program, &settings->request) &&
                watch_check(&settings->watching, settings->request.options.input) &&
                bind_arguments(settings, &program, bound) && run_program(settings, &program, where, bound);
    settings->clash |= program.clash;
    program_free(&program);
    return good;
}

static void forget_written(struct settings *settings) {
    for (unsigned i = 0; i < RUN_ARGUMENTS; i++) {
        free(settings->written[i]);
        settings->written[i] = settings->shown[i] = NULL;
    }
}

static bool is_code_object(const char *path) {
    size_t length = strlen(path);
    return length > 6 && !strcmp(path + length - 6, ".hsaco");
}

// Without --on: the chip of a code object, else sm_80. To be freed.
static char *default_place(const char *path) {
    size_t length;
    struct strbuf fault = {0};
    char *bytes = is_code_object(path) ? file_read(path, &length) : NULL;
    struct arena *arena = arena_create();
    struct code_object object = {(const uint8_t *)bytes, bytes ? length : 0};
    const char *chip = bytes && object_check(&object, &fault) ? note_chip(arena, &object) : NULL;
    char *place = strdup(chip ? chip : "sm_80");
    strbuf_free(&fault);
    arena_destroy(arena);
    free(bytes);
    return place;
}

// Runs in one place. Restores the arrays afterwards, so that every place gets the same.
static bool run_on(struct settings *settings, const char *where) {
    bool device = is_device(where);
    settings->machine |= is_code_object(settings->request.options.input);
    if (device && settings->ranks > 1) {
        return complain("--ranks plays several devices in the emulator; %s is one", where);
    }
    settings->request.want_image = device || settings->machine;
    settings->request.target = device ? device_target(where) : where;
    if (!settings->request.target) {
        return false;
    }
    if (!target_find(settings->request.target)) {
        return complain("unknown chip '%s'", where);
    }
    if (settings->machine && target_find(settings->request.target)->vendor == VENDOR_NVIDIA) {
        return complain("--level machine runs AMD's code objects; %s is NVIDIA's", where);
    }
    if (settings->request.shows && settings->request.want_image) {
        return complain("--watch and --step look into the emulator, without --level machine");
    }
    if (settings->request.options.page && settings->request.chain) {
        return complain("--report shows the run of one kernel: choose one of the chain with --kernel");
    }
    void *saved[RUN_ARGUMENTS] = {0};
    unsigned given = settings->argument_count;
    for (unsigned i = 0; i < settings->argument_count; i++) {
        struct array *array = &settings->arguments[i].array;
        settings->arguments[i].used = false;
        saved[i] = array->data ? malloc(array_bytes(array)) : NULL;
        if (saved[i]) {
            memcpy(saved[i], array->data, array_bytes(array));
        }
    }
    settings->ran = false;
    bool good = settings->request.chain ? run_chain(settings, where) : run_kernel(settings, where);
    good = (!settings->ran || results_check(settings, settings->shown)) && good;
    forget_written(settings);
    end_chain(settings, given);
    for (unsigned i = 0; i < settings->argument_count; i++) {
        if (saved[i]) {
            memcpy(settings->arguments[i].array.data, saved[i], array_bytes(&settings->arguments[i].array));
        }
        free(saved[i]);
    }
    return good;
}

int main(int argc, char **argv) {
    struct settings *settings = calloc(1, sizeof *settings);
    memory_watch_new();
    settings_parse(settings, argc, argv);
    signal(SIGINT, on_interrupt);
    char *places = settings->on ? strdup(settings->on) : default_place(settings->request.options.input);
    char *rest = places, *where;
    bool good = true;
    while ((where = strsep(&rest, ",")) && !interrupted) {
        good = run_on(settings, where) && good;
    }
    int status = good ? 0 : settings->clash ? EXIT_USAGE : EXIT_USER_ERROR;
    settings_free(settings);
    free(places);
    free(settings);
    return status;
}
