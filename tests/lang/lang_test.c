// Compiles and runs the language tests: every case on a chip, with its numbers of warps and stages, in the
// emulator with checks on. Cases run in child processes, so a crash is a single failure.
//
//   lang_test [--chip CHIP]… [--only TEXT] [--except TEXT]… [--seed N] [--order NAME] [--multiprocessors N] [--level NAME]
//             [--verbose] [--hostile] [--list] [--launches] [--times] [--emit FOLDER] [--hashes FILE]
//             [--without NAME]… [--share]
//
// --level machine runs code objects of AMD's chips instead of LLVM modules. --level both runs, for each
// example, all code objects, for each other case that of one pair of warps and stages, different from chip to
// chip, and otherwise modules.
// --share is for tests of all chips, as ctest runs them: gfx90a and gfx942 share work by case, and so do gfx1100 and
// gfx1200. One of the two makes the code objects of a case. Products, casts, atomics and accesses of memory run on
// both, other cases on one of the two alone (is_alike); of products with every pair of warps and stages each of the two
// runs the pairs with the first number of warps or stages, and half of the others.
//
// Each case runs with the warps at random and once more in one of the emulator's other orders; --order takes one
// alone. Persistent kernels are launched for two multiprocessors, and in the other order for 1, 3, 5 or 132, by the
// seed; --multiprocessors takes one number.
// --hostile gives cases without allowed errors reals to overflow, cancel or vanish, and NaN.
// --times prints each case's seconds of the processor.
// --without leaves a pass, or a step of the LLVM pipeline, out; given repeatedly, each case runs without each of
// them in turn, and a program left by several of them runs once. Of a case with three pairs of warps and stages
// or more, each of many such passes is left out in every third pair, different from pass to pass.
// --only takes the cases with the text in FAMILY.NAME, --except leaves such out. --launches prints the input of tests/differential.
// --emit writes the PTX of every program that runs, with --hashes of every run, and --hashes a hash of the outputs of each:
// device/lang_device.c runs the same on a GPU. Exit status 1 after any failure.
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

enum { CASE_SECONDS = 180, TOGETHER = 32 };

static const char *const all_chips[] = {"sm_80", "sm_90a", "gfx90a", "gfx942", "gfx1100", "gfx1200"};
enum { ALL_CHIPS = sizeof all_chips / sizeof *all_chips };

enum level { LEVEL_LLVM, LEVEL_MACHINE, LEVEL_BOTH, LEVELS };

enum { MOST_EXCEPT = 16, MOST_WITHOUT = 128, MANY_WITHOUT = 16 };

struct options {
    const char *chips[ALL_CHIPS];
    unsigned chip_count;
    const char *only, *except[MOST_EXCEPT];
    unsigned except_count;
    const char *without[MOST_WITHOUT];
    unsigned without_count;
    struct run_settings settings;
    enum level level;
    const char *hashes;
    bool hostile, verbose, list, launches, times, share;
};

static void usage(void) {
    fprintf(stderr,
            "usage: lang_test [--chip CHIP]... [--only TEXT] [--except TEXT]... [--seed N] [--order NAME] "
            "[--multiprocessors N]\n"
            "                 [--level NAME] [--verbose] [--hostile] [--list] [--launches] [--times] "
            "[--emit FOLDER]\n"
            "                 [--hashes FILE] [--without NAME]... [--share]\n");
    exit(2);
}

static uint64_t fresh_seed(void) {
    uint64_t seed = (uint64_t)time(NULL);
    FILE *file = fopen("/dev/urandom", "rb");
    if (file) {
        if (fread(&seed, sizeof seed, 1, file) != 1) {
            seed = (uint64_t)time(NULL);
        }
        fclose(file);
    }
    return seed >> 32; // short enough to type
}

static int order_named(const char *name) {
    for (int i = 0; i < EMULATOR_ORDERS; i++) {
        if (!strcmp(name, emulator_order_names[i])) {
            return i;
        }
    }
    usage();
    return 0;
}

static enum level level_named(const char *name) {
    static const char *const names[] = {"llvm", "machine", "both"};
    for (int i = 0; i < LEVELS; i++) {
        if (!strcmp(name, names[i])) {
            return (enum level)i;
        }
    }
    usage();
    return LEVEL_LLVM;
}

static void read_options(struct options *options, int argc, char **argv) {
    *options = (struct options){.only = "", .settings = {.seed = fresh_seed()}};
    for (int i = 1; i < argc; i++) {
        bool has_value = i + 1 < argc;
        if (!strcmp(argv[i], "--chip") && has_value && options->chip_count < ALL_CHIPS) {
            options->chips[options->chip_count++] = argv[++i];
        } else if (!strcmp(argv[i], "--only") && has_value) {
            options->only = argv[++i];
        } else if (!strcmp(argv[i], "--except") && has_value && options->except_count < MOST_EXCEPT) {
            options->except[options->except_count++] = argv[++i];
        } else if (!strcmp(argv[i], "--seed") && has_value) {
            options->settings.seed = strtoull(argv[++i], NULL, 0);
        } else if (!strcmp(argv[i], "--multiprocessors") && has_value) {
            options->settings.multiprocessors = (unsigned)strtoul(argv[++i], NULL, 10);
        } else if (!strcmp(argv[i], "--order") && has_value) {
            options->settings.order = order_named(argv[++i]);
        } else if (!strcmp(argv[i], "--emit") && has_value) {
            options->settings.emit = argv[++i];
        } else if (!strcmp(argv[i], "--hashes") && has_value) {
            options->hashes = argv[++i];
        } else if (!strcmp(argv[i], "--without") && has_value && options->without_count < MOST_WITHOUT) {
            options->without[options->without_count++] = argv[++i];
        } else if (!strcmp(argv[i], "--level") && has_value) {
            options->level = level_named(argv[++i]);
        } else if (!strcmp(argv[i], "--hostile")) {
            options->hostile = true;
        } else if (!strcmp(argv[i], "--verbose")) {
            options->verbose = true;
        } else if (!strcmp(argv[i], "--list")) {
            options->list = true;
        } else if (!strcmp(argv[i], "--launches")) {
            options->launches = true;
        } else if (!strcmp(argv[i], "--times")) {
            options->times = true;
        } else if (!strcmp(argv[i], "--share")) {
            options->share = true;
        } else {
            usage();
        }
    }
    if (!options->chip_count) {
        for (unsigned i = 0; i < ALL_CHIPS; i++) {
            options->chips[options->chip_count++] = all_chips[i];
        }
    }
}

static bool selected(const struct options *options, const struct lang_family *family,
                     const struct lang_case *test) {
    char name[256];
    snprintf(name, sizeof name, "%s.%s", family->name, test->name);
    bool is = strstr(name, options->only) != NULL;
    for (unsigned i = 0; i < options->except_count; i++) {
        is &= strstr(name, options->except[i]) == NULL;
    }
    return is;
}

static void list_cases(const struct options *options) {
    for (unsigned f = 0; lang_families[f]; f++) {
        for (size_t i = 0; i < lang_families[f]->count; i++) {
            const struct lang_case *test = &lang_families[f]->cases[i];
            if (!test->language && !test->pads && selected(options, lang_families[f], test)) {
                printf("%s\t%s\t%s\t%s\t%s\n", lang_families[f]->name, test->name, test->kernel,
                       test->signature ? test->signature : "-", test->defines ? test->defines : "-");
            }
        }
    }
}

static void print_launches(const struct options *options) {
    for (unsigned f = 0; lang_families[f]; f++) {
        for (size_t i = 0; i < lang_families[f]->count; i++) {
            const struct lang_case *test = &lang_families[f]->cases[i];
            char source[512];
            if (test->file) {
                snprintf(source, sizeof source, "%s%s", *test->file == '/' ? "" : TEST_SOURCE_DIR "/",
                         test->file);
            } else {
                snprintf(source, sizeof source, TEST_SOURCE_DIR "/tests/lang/%s.tk", lang_families[f]->name);
            }
            if (!test->pads && selected(options, lang_families[f], test)) {
                lang_launch_json(test, source, lang_digit(test->warps ? *test->warps : '4'),
                                 lang_digit(test->stages ? *test->stages : '3'), options->settings.seed, NULL,
                                 stdout);
            }
        }
    }
}

struct counts {
    unsigned cases, cases_failed, runs, machine_runs, same, failures, refusals;
};

// With --share each of two chips with a common back end takes one half of the work: 0 or 1, the half. -1: the chip
// takes all.
static int half_of(const struct options *options, const char *chip) {
    static const char *const partners[][2] = {{"gfx90a", "gfx942"}, {"gfx1100", "gfx1200"}};
    for (size_t i = 0; options->share && i < sizeof partners / sizeof *partners; i++) {
        for (int half = 0; half < 2; half++) {
            if (!strcmp(chip, partners[i][half])) {
                return half;
            }
        }
    }
    return -1;
}

// True if the other chip of the family makes the case's code objects.
static bool left_to_partner(const struct options *options, const struct lang_case *test, const char *chip) {
    return half_of(options, chip) == (int)(lang_hash(lang_seed(test, 0), 0, 0) % 2);
}

// True if the family's cases run on one chip of an AMD family with --share. Products, casts, atomics and accesses of memory run on all: their
// instructions differ within a family.
static bool is_alike(const struct lang_family *family) {
    static const char *const own[] = {"dot", "extremes", "cast", "atomic", "memory"};
    bool is = true;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        is &= !strstr(family->name, own[i]);
    }
    return is;
}

static bool at_machine_level(const struct options *options, const struct lang_case *test, const char *chip,
                             unsigned pair, unsigned pairs) {
    if (strncmp(chip, "gfx", 3) != 0) {
        return false;
    }
    if (options->level != LEVEL_BOTH) {
        return options->level != LEVEL_LLVM;
    }
    if (left_to_partner(options, test, chip)) {
        return false;
    }
    return test->file ||
           lang_hash(strlen(test->name), (unsigned char)chip[3], (unsigned char)chip[4]) % pairs == pair;
}

struct variants {
    const struct options *options;
    const struct lang_family *family;
    const struct lang_case *test;
    const char *chip;
    struct lang_run run;
    struct seen seen;
    bool may_repeat; // several runs, some of which may be of one program
    struct counts *counts;
    FILE *out; // messages about failures
};

static void run_variant(struct variants *v, struct run_settings settings, unsigned warps, unsigned stages) {
    char message[4096] = "";
    settings.seen = v->options->hashes || !v->may_repeat ? NULL : &v->seen;
    enum case_outcome outcome = run_case(v->family->name, v->test, v->chip, warps, stages, &settings, &v->run,
                                         message, sizeof message);
    v->counts->runs++;
    v->counts->machine_runs += settings.machine && outcome == CASE_PASSED;
    v->counts->same += outcome == CASE_SAME;
    v->counts->refusals += outcome == CASE_REFUSED;
    v->counts->failures += outcome == CASE_FAILED;
    if (outcome == CASE_FAILED) {
        if (!v->options->verbose && strchr(message, '\n')) {
            *strchr(message, '\n') = '\0';
        }
        fprintf(v->out, "  %s.%s on %s, %u warps, %u stages%s%s: %s\n", v->family->name, v->test->name,
                v->chip, warps, stages, settings.without ? ", without " : "",
                settings.without ? settings.without : "", message);
    }
}

// With all passes, or without each pass to be left out.
static void run_with_passes(struct variants *v, struct run_settings settings, unsigned warps, unsigned stages,
                            unsigned pair, unsigned pairs) {
    unsigned parts = v->options->without_count >= MANY_WITHOUT && pairs >= 3 ? 3 : 1;
    if (!v->options->without_count) {
        run_variant(v, settings, warps, stages);
    }
    for (unsigned i = pair % parts; i < v->options->without_count; i += parts) {
        settings.without = v->options->without[i];
        run_variant(v, settings, warps, stages);
    }
}

// True if the pair of the test's warps number `w` and stages number `s` is run on the chip.
static bool takes_pair(const struct variants *v, unsigned w, unsigned s) {
    int half = is_alike(v->family) ? -1 : half_of(v->options, v->chip);
    return w == 0 || s == 0 || (v->test->every_pair && (half < 0 || (w + s) % 2 == (unsigned)half));
}

static void run_variants(const struct options *options, const struct lang_family *family,
                         const struct lang_case *test, const char *chip, struct counts *counts, FILE *out) {
    const char *warps = test->warps ? test->warps : "4", *stages = test->stages ? test->stages : "3";
    unsigned w_count = (unsigned)strlen(warps), s_count = (unsigned)strlen(stages), pair = 0, pairs = 0;
    struct variants v = {
        .options = options, .family = family, .test = test, .chip = chip, .counts = counts, .out = out};
    for (unsigned i = 0; i < w_count * s_count; i++) {
        pairs += takes_pair(&v, i / s_count, i % s_count);
    }
    v.may_repeat = pairs > 1 || options->without_count > 1;
    for (unsigned i = 0; i < w_count * s_count; i++) {
        unsigned w = i / s_count, s = i % s_count;
        if (takes_pair(&v, w, s)) {
            struct run_settings settings = options->settings;
            settings.machine = at_machine_level(options, test, chip, pair, pairs);
            run_with_passes(&v, settings, lang_digit(warps[w]), lang_digit(stages[s]), pair++, pairs);
        }
    }
    seen_free(&v.seen);
    lang_arguments_free(&v.run);
}

// The report of a case's process: this, then `length` bytes of text about its failures.
struct verdict {
    struct counts counts;
    double seconds; // of the processor
    size_t length;
};

struct chosen {
    const struct lang_family *family;
    const struct lang_case *test;
};

static double seconds_used(void) {
    struct rusage own, linkers;
    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &linkers);
    const struct timeval *times[] = {&own.ru_utime, &own.ru_stime, &linkers.ru_utime, &linkers.ru_stime};
    double sum = 0;
    for (unsigned i = 0; i < sizeof times / sizeof *times; i++) {
        sum += (double)times[i]->tv_sec + (double)times[i]->tv_usec / 1e6;
    }
    return sum;
}

// In the child: the cases in turn, each with a verdict. False if the parent does not take them.
static bool run_here(const struct options *options, const struct chosen *cases, size_t count,
                     const char *chip, FILE *verdicts) {
    double before = 0;
    for (size_t i = 0; i < count; i++) {
        struct verdict verdict = {0};
        char *text = NULL;
        FILE *failures = open_memstream(&text, &verdict.length);
        alarm(CASE_SECONDS);
        run_variants(options, cases[i].family, cases[i].test, chip, &verdict.counts, failures);
        fclose(failures);
        if (options->settings.hashes) {
            fflush(options->settings.hashes);
        }
        verdict.seconds = seconds_used() - before;
        before += verdict.seconds;
        fwrite(&verdict, sizeof verdict, 1, verdicts);
        fwrite(text, 1, verdict.length, verdicts);
        free(text);
        if (fflush(verdicts)) {
            return false;
        }
    }
    return true;
}

static void add_verdict(const struct options *options, const struct chosen *one, const char *chip,
                        const struct verdict *verdict, struct counts *total) {
    if (options->times) {
        printf("%8.3f s  %s.%s on %s, %u runs\n", verdict->seconds, one->family->name, one->test->name, chip,
               verdict->counts.runs);
    }
    total->runs += verdict->counts.runs;
    total->machine_runs += verdict->counts.machine_runs;
    total->failures += verdict->counts.failures;
    total->same += verdict->counts.same;
    total->refusals += verdict->counts.refusals;
    total->cases++;
    total->cases_failed += verdict->counts.failures != 0;
}

// Runs cases in a child process, since its start costs as much as a small case, until a case kills it: that
// case has failed. Returns the number of cases run.
static size_t run_apart(const struct options *options, const struct chosen *cases, size_t count,
                        const char *chip, struct counts *total) {
    int ends[2];
    if (pipe(ends)) {
        perror("lang_test");
        exit(1);
    }
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        _exit(run_here(options, cases, count, chip, fdopen(ends[1], "w")) ? 0 : 1);
    }
    close(ends[1]);
    FILE *verdicts = fdopen(ends[0], "r");
    size_t done = 0;
    struct verdict verdict;
    while (done < count && fread(&verdict, sizeof verdict, 1, verdicts) == 1) {
        add_verdict(options, &cases[done++], chip, &verdict, total);
        for (int c; verdict.length && (c = getc(verdicts)) != EOF; verdict.length--) {
            putchar(c);
        }
    }
    fclose(verdicts);
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
        continue;
    }
    if (done < count) {
        verdict = (struct verdict){.counts = {.runs = 1, .failures = 1}};
        add_verdict(options, &cases[done], chip, &verdict, total);
        const char *how = WIFSIGNALED(status)
                              ? WTERMSIG(status) == SIGALRM ? "took too long" : strsignal(WTERMSIG(status))
                              : "internal error";
        printf("  %s.%s on %s: %s\n", cases[done].family->name, cases[done].test->name, chip, how);
        done++;
    }
    return done;
}

// Cases whose results the source leaves open for such inputs, or whose references do not speak of them.
static const struct {
    const char *name, *reason;
} tame[] = {
    {"cast.integers_from_", "integers of what their type does not hold differ from chip to chip"},
    {"cast.signed_from_", "integers of what their type does not hold differ from chip to chip"},
    {"libdevice.to_whole", "integers of what their type does not hold differ from chip to chip"},
    {"libdevice.conversions", "integers of what their type does not hold differ from chip to chip"},
    {"memory.store_converts", "integers of what their type does not hold differ from chip to chip"},
    {"cast.fp8e5_", "infinities saturate"},
    {"cast.fp8e4b15_from_", "the format has no NaN"},
    {"reduce.indices_", "the place of the largest among NaNs is open"},
    {"reduce.with_indices", "the place of the largest among NaNs is open"},
    {"inductor.helper_values", "the place of the largest among NaNs is open"},
    {"python.merge", "the place of NaN is open"},
    {"reduce.extremes_", "the reference counts NaN"},
    {"atomic.extremes_fp32", "NaN compares as its bits do"},
    {"atomic.add_tile_bf16", "its sums are exact for small numbers"},
    {"block.descriptor_extremes", "of equal zeros the one or the other"},
    {"reduce.sort", "the place of NaN is open"},
    {"inductor.sort", "the place of NaN is open"},
    {"inductor.buckets", "the place of NaN is open"},
    {"edge.argmax_of_dot", "the place of the largest among NaNs is open"},
    {"reduce.scan_maximum", "of equal zeros the one or the other"},
    {"reduce.doubled_totals", "its sums cancel for finite numbers"},
    {"copies.read_before_stored", "its sums are exact for small numbers"},
    {"extremes.dot_extremes_", "brings its own extremes"},
    {"arithmetic.remainder_float", "exact where the quotient is"},
    {"arithmetic.numbers_have_types", "NaN minus itself is no zero"},
};

static bool is_tame(const struct lang_family *family, const struct lang_case *test) {
    char name[256];
    snprintf(name, sizeof name, "%s.%s", family->name, test->name);
    for (size_t i = 0; i < sizeof tame / sizeof *tame; i++) {
        if (!strncmp(name, tame[i].name, strlen(tame[i].name))) {
            return true;
        }
    }
    return false;
}

// The case with reals that overflow, cancel, vanish or are no numbers; NULL if it has none, or allows for errors.
static const struct lang_case *hostile_case(const struct lang_case *test) {
    struct lang_case *copy = malloc(sizeof *copy);
    bool any = false;
    *copy = *test;
    for (unsigned i = 0; i < LANG_ARGUMENTS && copy->arguments[i].kind; i++) {
        struct lang_argument *a = &copy->arguments[i];
        bool given = a->kind == ARGUMENT_INPUT || a->kind == ARGUMENT_BOTH;
        if (given && element_is_real(a->element) && a->generator == GENERATE_UNIFORM) {
            a->generator = GENERATE_HOSTILE;
            a->low = i;
            any = true;
        }
    }
    if (any && test->relative == 0 && test->absolute == 0) {
        return copy;
    }
    free(copy);
    return NULL;
}

static struct chosen *choose(const struct options *options, const char *chip, size_t *count) {
    size_t all = 0;
    for (unsigned f = 0; lang_families[f]; f++) {
        all += lang_families[f]->count;
    }
    struct chosen *cases = calloc(all + 1, sizeof *cases);
    *count = 0;
    for (unsigned f = 0; cases && lang_families[f]; f++) {
        for (size_t i = 0; i < lang_families[f]->count; i++) {
            const struct lang_case *test = &lang_families[f]->cases[i];
            bool taken = selected(options, lang_families[f], test) &&
                         !(is_alike(lang_families[f]) && left_to_partner(options, test, chip));
            taken = taken && !(options->hostile && is_tame(lang_families[f], test));
            test = taken && options->hostile ? hostile_case(test) : test;
            if (taken && test) {
                cases[(*count)++] = (struct chosen){lang_families[f], test};
            }
        }
    }
    return cases;
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
        size_t count;
        struct chosen *cases = choose(&options, options.chips[c], &count);
        struct counts total = {0};
        for (size_t done = 0; done < count;) {
            done += run_apart(&options, cases + done, count - done < TOGETHER ? count - done : TOGETHER,
                              options.chips[c], &total);
        }
        unsigned passed = total.runs - total.failures - total.refusals;
        printf("%-8s %4u kernels, %4u runs: %u passed (%u from machine code), %u of them the same programs "
               "again, "
               "%u refused as expected, %u failed (%u kernels)\n",
               options.chips[c], total.cases, total.runs, passed, total.machine_runs, total.same,
               total.refusals, total.failures, total.cases_failed);
        failures += total.failures;
        free(cases);
    }
    return failures != 0;
}
