// Random kernels on an NVIDIA GPU: launches the PTX that `random_test --emit FOLDER` wrote, and judges the outputs by the
// interpreter of the same seeds.
//
//   random_test --chip sm_90a --hostile --seeds 1-1000 --emit FOLDER
//   random_device FOLDER 1-1000 [--hostile] [--narrow]
//
// Needs neither tkc nor LLVM nor headers of CUDA, only the driver. A kernel has SECONDS, then the process ends and names it.
// Exits 77 (skipped) without a GPU, 1 after a failure.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../kernel.h"
#include "device/device.h"

enum { SECONDS = 30 };

static volatile unsigned long long running;

static void too_long(int signal) {
    char text[64];
    int length = snprintf(text, sizeof text, "  seed %llu: took too long\n", running);
    _exit(write(STDOUT_FILENO, text, (size_t)length) == length && signal ? 1 : 2);
}

// After an error of the driver the process ends.
static void say_seed(void) {
    if (running) {
        printf("  at seed %llu\n", running);
    }
}

static struct lang_case case_of(const struct kernel *kernel) {
    struct lang_case test = {
        .name = "kernel",
        .kernel = "kernel",
        .grid = {(unsigned)kernel->grid[0], (unsigned)kernel->grid[1], (unsigned)kernel->grid[2]}};
    kernel_arguments(kernel, test.arguments);
    return test;
}

struct counts {
    unsigned runs, failures, not_legal, absent;
};

static void run_seed(const char *folder, uint64_t seed, bool hostile, bool narrow, struct counts *counts) {
    struct kernel *kernel = kernel_generate(seed, hostile, narrow);
    char path[1024], message[2048] = "";
    snprintf(path, sizeof path, "%s/random%llu.kernel.w%u.s%u.ptx", folder, (unsigned long long)seed,
             kernel->warps, kernel->stages);
    char *text = device_read_file(path);
    if (text) {
        struct lang_case test = case_of(kernel);
        struct lang_run run = {0};
        lang_arguments_make(&run, &test, seed);
        run.chip = "sm_90a"; // whose PTX it is
        run.warps = kernel->warps;
        run.stages = kernel->stages;
        bool legal = kernel_interpret(kernel, &run);
        lang_arguments_reset(&run);
        running = seed;
        alarm(SECONDS);
        bool good = !legal || device_launch(text, &run, message, sizeof message);
        alarm(0);
        running = 0;
        lang_arguments_free(&run);
        counts->runs += legal;
        counts->not_legal += !legal;
        counts->failures += !good;
        if (!good) {
            printf("  seed %llu: %s\n", (unsigned long long)seed, message);
        }
    }
    counts->absent += !text;
    free(text);
    kernel_free(kernel);
}

static bool has_option(int argc, char **argv, const char *option) {
    for (int i = 3; i < argc; i++) {
        if (!strcmp(argv[i], option)) {
            return true;
        }
    }
    return false;
}

int main(int argc, char **argv) {
    bool hostile = has_option(argc, argv, "--hostile"), narrow = has_option(argc, argv, "--narrow");
    char *end = NULL;
    if (argc < 3 || argc != 3 + hostile + narrow) {
        fprintf(stderr, "usage: random_device FOLDER FIRST-LAST [--hostile] [--narrow]\n");
        return 2;
    }
    uint64_t first = strtoull(argv[2], &end, 10), last = *end == '-' ? strtoull(end + 1, NULL, 10) : first;
    if (!device_open(0)) {
        printf("random_device: skipped: no NVIDIA GPU here\n");
        return 77;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    signal(SIGALRM, too_long);
    atexit(say_seed);
    struct counts counts = {0};
    for (uint64_t seed = first; seed <= last; seed++) {
        run_seed(argv[1], seed, hostile, narrow, &counts);
    }
    printf("%u random kernels: %u passed, %u failed; %u are not legal, %u have no PTX\n", counts.runs,
           counts.runs - counts.failures, counts.failures, counts.not_legal, counts.absent);
    return counts.failures > 0;
}
