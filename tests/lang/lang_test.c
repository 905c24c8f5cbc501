// Compiles and runs the language tests: every case on a chip, with its numbers of warps and stages, in the
// emulator with checks on. Each case runs in a process of its own, so that a crash is one failure and not the
// end.
//
//   lang_test [--chip CHIP]… [--only TEXT] [--seed N] [--order NAME] [--level NAME] [--verbose]
//             [--list] [--launches] [--times] [--emit FOLDER] [--hashes FILE]
//
// --level machine runs the code objects of AMD's chips instead of the modules that they are made of; --level both the examples'
// all, of each other case the one of a pair of warps and stages that differs from chip to chip, and the modules of the rest.
//
// Each case runs with the warps at random and once more in one of the emulator's other orders; --order takes one
// alone.
// --times prints each case's seconds of the processor.
// --only takes the cases whose FAMILY.NAME contains the text. --launches prints what tests/differential takes. --emit
// writes the PTX of every run, --hashes a hash of the outputs of each: device/lang_device.c runs the same on a GPU. Exit
// status 1 after any failure.
#include "lang.h"
#include "emulator/emulator.h"
#include "run_case.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CASE_SECONDS = 180 };

static const char *const all_chips[] = {"sm_80", "sm_90a", "gfx90a", "gfx942", "gfx1100", "gfx1200"};
enum { ALL_CHIPS = sizeof all_chips / sizeof *all_chips };

enum level { LEVEL_LLVM, LEVEL_MACHINE, LEVEL_BOTH, LEVELS };

struct options {
    const char *chips[ALL_CHIPS];
    unsigned chip_count;
    const char *only;
    struct run_settings settings;
    enum level level;
    const char *hashes;
    bool verbose, list, launches, times;
};

static void usage(void) {
    fprintf(stderr, "usage: lang_test [--chip CHIP]... [--only TEXT] [--seed N] [--order NAME] [--level "
                    "NAME] [--verbose]\n"
                    "                 [--list] [--launches] [--times] [--emit FOLDER] [--hashes FILE]\n");
    exit(2);
}

static uint64_t fresh_seed(void) {
    uint64_t seed = (uint64_t)time(NULL);
    FILE *file = fopen("/dev/urandom", "rb");
    if (file) {
        if (fread(&seed, sizeof seed, 1, file) != 1)
            seed = (uint64_t)time(NULL);
        fclose(file);
    }
    return seed >> 32; // short enough to type
}

static int order_named(const char *name) {
    for (int i = 0; i < EMULATOR_ORDERS; i++)
        if (!strcmp(name, emulator_order_names[i]))
            return i;
    usage();
    return 0;
}

static enum level level_named(const char *name) {
    static const char *const names[] = {"llvm", "machine", "both"};
    for (int i = 0; i < LEVELS; i++)
        if (!strcmp(name, names[i]))
            return (enum level)i;
    usage();
    return LEVEL_LLVM;
}

static void read_options(struct options *options, int argc, char **argv) {
    *options = (struct options){.only = "", .settings = {.seed = fresh_seed()}};
    for (int i = 1; i < argc; i++) {
        bool has_value = i + 1 < argc;
        if (!strcmp(argv[i], "--chip") && has_value && options->chip_count < ALL_CHIPS)
            options->chips[options->chip_count++] = argv[++i];
        else if (!strcmp(argv[i], "--only") && has_value)
            options->only = argv[++i];
        else if (!strcmp(argv[i], "--seed") && has_value)
            options->settings.seed = strtoull(argv[++i], NULL, 0);
        else if (!strcmp(argv[i], "--order") && has_value)
            options->settings.order = order_named(argv[++i]);
        else if (!strcmp(argv[i], "--emit") && has_value)
            options->settings.emit = argv[++i];
        else if (!strcmp(argv[i], "--hashes") && has_value)
            options->hashes = argv[++i];
        else if (!strcmp(argv[i], "--level") && has_value)
            options->level = level_named(argv[++i]);
        else if (!strcmp(argv[i], "--verbose"))
            options->verbose = true;
        else if (!strcmp(argv[i], "--list"))
            options->list = true;
        else if (!strcmp(argv[i], "--launches"))
            options->launches = true;
        else if (!strcmp(argv[i], "--times"))
            options->times = true;
        else
            usage();
    }
    if (!options->chip_count)
        for (unsigned i = 0; i < ALL_CHIPS; i++)
            options->chips[options->chip_count++] = all_chips[i];
}

static bool selected(const struct options *options, const struct lang_family *family,
                     const struct lang_case *test) {
    char name[256];
    snprintf(name, sizeof name, "%s.%s", family->name, test->name);
    return strstr(name, options->only) != NULL;
}

static void list_cases(const struct options *options) {
    for (unsigned f = 0; lang_families[f]; f++)
        for (size_t i = 0; i < lang_families[f]->count; i++) {
            const struct lang_case *test = &lang_families[f]->cases[i];
            if (selected(options, lang_families[f], test))
                printf("%s\t%s\t%s\t%s\t%s\n", lang_families[f]->name, test->name, test->kernel,
                       test->signature ? test->signature : "-", test->defines ? test->defines : "-");
        }
}

// Base 36: g is 16.
static unsigned digit(char c) {
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static void print_launches(const struct options *options) {
    for (unsigned f = 0; lang_families[f]; f++)
        for (size_t i = 0; i < lang_families[f]->count; i++) {
            const struct lang_case *test = &lang_families[f]->cases[i];
            char source[512];
            if (test->file)
                snprintf(source, sizeof source, "%s%s", *test->file == '/' ? "" : TEST_SOURCE_DIR "/",
                         test->file);
            else
                snprintf(source, sizeof source, TEST_SOURCE_DIR "/tests/lang/%s.tk", lang_families[f]->name);
            if (selected(options, lang_families[f], test))
                lang_launch_json(test, source, digit(test->warps ? *test->warps : '4'),
                                 digit(test->stages ? *test->stages : '3'), options->settings.seed, NULL,
                                 stdout);
        }
}

struct counts {
    unsigned cases, cases_failed, runs, machine_runs, failures, refusals;
};

static bool at_machine_level(const struct options *options, const struct lang_case *test, const char *chip,
                             unsigned pair, unsigned pairs) {
    if (options->level != LEVEL_BOTH || test->file)
        return options->level != LEVEL_LLVM;
    return lang_hash(strlen(test->name), (unsigned char)chip[3], (unsigned char)chip[4]) % pairs == pair;
}

static void run_variants(const struct options *options, const struct lang_family *family,
                         const struct lang_case *test, const char *chip, struct counts *counts, FILE *out) {
    const char *warps = test->warps ? test->warps : "4", *stages = test->stages ? test->stages : "3";
    unsigned w_count = (unsigned)strlen(warps), s_count = (unsigned)strlen(stages), pair = 0;
    struct lang_run run = {0};
    unsigned pairs = test->every_pair ? w_count * s_count : w_count + s_count - 1;
    for (const char *w = warps; *w; w++)
        for (const char *s = stages; *s; s++) {
            if (!test->every_pair && w != warps && s != stages)
                continue;
            char message[4096] = "";
            struct run_settings settings = options->settings;
            settings.machine = at_machine_level(options, test, chip, pair++, pairs);
            enum case_outcome outcome = run_case(family->name, test, chip, digit(*w), digit(*s), &settings,
                                                 &run, message, sizeof message);
            counts->runs++;
            counts->machine_runs += settings.machine && outcome == CASE_PASSED;
            counts->refusals += outcome == CASE_REFUSED;
            counts->failures += outcome == CASE_FAILED;
            if (outcome == CASE_FAILED) {
                if (!options->verbose && strchr(message, '\n'))
                    *strchr(message, '\n') = '\0';
                fprintf(out, "  %s.%s on %s, %u warps, %u stages: %s\n", family->name, test->name, chip,
                        digit(*w), digit(*s), message);
            }
        }
    lang_arguments_free(&run);
}

static double seconds_of(const struct timeval *time) {
    return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

// The child writes its failures as text and ends with the counts as bytes.
static void run_apart(const struct options *options, const struct lang_family *family,
                      const struct lang_case *test, const char *chip, struct counts *total) {
    struct counts counts = {0};
    FILE *text = tmpfile();
    int ends[2];
    if (!text || pipe(ends)) {
        perror("lang_test");
        exit(1);
    }
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        alarm(CASE_SECONDS);
        run_variants(options, family, test, chip, &counts, text);
        fflush(text);
        if (options->settings.hashes)
            fflush(options->settings.hashes);
        _exit(write(ends[1], &counts, sizeof counts) == sizeof counts ? 0 : 1);
    }
    close(ends[1]);
    bool complete = child > 0 && read(ends[0], &counts, sizeof counts) == sizeof counts;
    close(ends[0]);
    int status = 0;
    struct rusage used = {0};
    while (child > 0 && wait4(child, &status, 0, &used) < 0 && errno == EINTR)
        continue;
    if (options->times)
        printf("%8.3f s  %s.%s on %s, %u runs\n", seconds_of(&used.ru_utime) + seconds_of(&used.ru_stime),
               family->name, test->name, chip, counts.runs);
    rewind(text);
    for (int c; (c = getc(text)) != EOF;)
        putchar(c);
    fclose(text);
    if (!complete) {
        counts.runs++;
        counts.failures++;
        const char *how = WIFSIGNALED(status)
                              ? WTERMSIG(status) == SIGALRM ? "took too long" : strsignal(WTERMSIG(status))
                              : "internal error";
        printf("  %s.%s on %s: %s\n", family->name, test->name, chip, how);
    }
    total->runs += counts.runs;
    total->machine_runs += counts.machine_runs;
    total->failures += counts.failures;
    total->refusals += counts.refusals;
    total->cases++;
    total->cases_failed += counts.failures != 0;
}

int main(int argc, char **argv) {
    struct options options;
    read_options(&options, argc, argv);
    if (options.list) {
        list_cases(&options);
        return 0;
    }
    if (options.launches) {
        print_launches(&options);
        return 0;
    }
    printf("language tests, --seed %llu\n", (unsigned long long)options.settings.seed);
    unsigned failures = 0;
    if (options.settings.emit && mkdir(options.settings.emit, 0777) && errno != EEXIST) {
        perror(options.settings.emit);
        return 1;
    }
    if (options.hashes && !(options.settings.hashes = fopen(options.hashes, "w"))) {
        perror(options.hashes);
        return 1;
    }
    for (unsigned c = 0; c < options.chip_count; c++) {
        struct counts total = {0};
        for (unsigned f = 0; lang_families[f]; f++)
            for (size_t i = 0; i < lang_families[f]->count; i++)
                if (selected(&options, lang_families[f], &lang_families[f]->cases[i]))
                    run_apart(&options, lang_families[f], &lang_families[f]->cases[i], options.chips[c],
                              &total);
        unsigned passed = total.runs - total.failures - total.refusals;
        printf("%-8s %4u kernels, %4u runs: %u passed (%u from machine code), %u refused as expected, "
               "%u failed (%u kernels)\n",
               options.chips[c], total.cases, total.runs, passed, total.machine_runs, total.refusals,
               total.failures, total.cases_failed);
        failures += total.failures;
    }
    return failures != 0;
}
