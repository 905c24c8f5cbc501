// One launch of a kernel, with bound arguments: in the emulator, or on a device.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "emulate.h"
#include "memory.h"
#include "report.h"
#include "settings.h"

// Set by the tool's signal handler, read by the emulator's threads.
static volatile int interrupted;

void launch_interrupt(void) {
    interrupted = 1;
}

bool launch_is_interrupted(void) {
    return interrupted;
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
    program_take_form(program, bound, grid,
                      settings->multiprocessors ? settings->multiprocessors : EMULATED_MULTIPROCESSORS);
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

static bool run_device(struct settings *settings, struct kernel_program *program, const char *where,
                       struct run_argument **bound, const unsigned *grid, struct report_place *place) {
    struct device_result result;
    unsigned multiprocessors;
    if (!device_multiprocessors(where, &multiprocessors)) {
        return false;
    }
    program_take_form(program, bound, grid, multiprocessors);
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

bool place_is_device(const char *where) {
    return !strcmp(where, "cuda") || !strcmp(where, "hip");
}

bool run_program(struct settings *settings, struct kernel_program *program, const char *where,
                 struct run_argument **bound) {
    unsigned grid[3];
    struct report_place place = {0};
    snprintf(place.name, sizeof place.name, "the emulator of %s", where);
    return bind_grid(settings, program, bound, grid) && check_apart(settings, program, bound) &&
           (place_is_device(where) ? run_device(settings, program, where, bound, grid, &place)
                                   : emulate(settings, program, where, bound, grid)) &&
           (!settings->request.options.page || report_run(settings, program, bound, grid, &place));
}
