// tkc-run: runs one kernel and checks its results.
//
//   tkc-run softmax.tk --on gfx942 --arg 'x=rand(64,1000):fp16' --arg 'y=empty(64,1000):fp16' --arg n_cols=1000 …
//
// Exit status: 0 the run was clean and every --expect held; 1 otherwise; 2 wrong usage.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "settings.h"
#include "chip/target.h"
#include "emulator/amdgcn/object.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/file.h"
#include "support/memory.h"

static void on_interrupt(int signal) {
    (void)signal;
    launch_interrupt();
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

// Runs in one place. Restores the arrays afterwards: every place gets the same.
static bool run_on(struct settings *settings, const char *where) {
    bool device = place_is_device(where);
    settings->machine |= is_code_object(settings->request.options.input);
    if (device && settings->ranks > 1) {
        return complain("--ranks plays several devices in the emulator; %s is one", where);
    }
    if (device && settings->multiprocessors) {
        return complain("--multiprocessors is of the emulated chip; %s has its own number", where);
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
    while ((where = strsep(&rest, ",")) && !launch_is_interrupted()) {
        good = run_on(settings, where) && good;
    }
    int status = good ? 0 : settings->clash ? EXIT_USAGE : EXIT_USER_ERROR;
    settings_free(settings);
    free(places);
    free(settings);
    return status;
}
