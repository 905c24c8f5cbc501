// Random kernels, compiled and run in the emulator, held against the interpreter of the same tree.
//
//   random_test [--seeds A-B] [--chip CHIP] [--level llvm|machine] [--warps N] [--stages N]
//               [--multiprocessors N] [--ways N] [--hostile] [--narrow] [--show] [--write FOLDER] [--emit FOLDER] [--keep]
//               [--planted] [--verbose]
//
// A kernel is made from its seed alone and runs on one of six chips in turn, or on the one given, with the
// warps in two orders; with --level machine, AMD's chips run code objects instead of LLVM modules. A failure
// is shrunk and its source printed with the command to repeat it. --hostile: its inputs overflow, cancel, vanish or
// are no numbers. --narrow: much is of 8 and 16 bits. --ways runs each kernel N times, on other chips, with other
// warps, stages and hints, and in other words of the language: each element that is exact is the same. --emit writes
// its PTX. --show prints the kernels instead of running them, --write makes files of them, with launches.jsonl for
// tests/differential; --keep does not shrink; --warps and --stages replace the kernel's own, --multiprocessors
// the emulated chip's number, two and another by the seed.
//
// --planted tests this test: the interpreter makes a mistake, as if the compiler had; it must be noticed and
// shrunk to a few statements, the mistake among them.
#include "kernel.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lang/run_case.h"
#include "codegen/machine.h"

enum { SECONDS = 60, MESSAGE = 2048 };

static const char *const chips[] = {"sm_80", "gfx942", "sm_90a", "gfx1100", "gfx90a", "gfx1200", "gfx950"};
enum { CHIPS = sizeof chips / sizeof *chips };

enum { FEW_STATEMENTS = 32 };

struct options {
    uint64_t first, last;
    const char *chip, *folder, *emit;
    unsigned warps, stages, multiprocessors, ways;
    bool hostile, narrow, machine, show, keep, planted, verbose;
};

// A way to run a kernel: as the module of a chip, or as its code object.
struct place {
    const char *chip;
    bool machine;
    const char *emit; // a folder for its PTX; NULL: none
    unsigned multiprocessors;
};

static const struct kernel *current;
static bool legal;
static const char not_legal[] = "no legal kernel";

static void reference(struct lang_run *run) {
    legal = kernel_interpret(current, run);
}

static struct lang_case case_of(const struct kernel *kernel, const char *path) {
    struct lang_case test = {
        .name = "kernel",
        .file = path,
        .kernel = "kernel",
        .grid = {(unsigned)kernel->grid[0], (unsigned)kernel->grid[1], (unsigned)kernel->grid[2]},
        .reference = reference,
        .scratch = "gfx90 gfx94 gfx10 gfx11 gfx12"}; // spilled values are read from memory
    kernel_arguments(kernel, test.arguments);
    return test;
}

// Writes FOLDER/SEED.py and a line of FOLDER/launches.jsonl; nothing for an illegal kernel.
static void write_files(const struct kernel *kernel, const char *folder) {
    char source[64], path[1024], launches[1024];
    snprintf(source, sizeof source, "%llu.py", (unsigned long long)kernel->seed);
    snprintf(path, sizeof path, "%s/%s", folder, source);
    snprintf(launches, sizeof launches, "%s/launches.jsonl", folder);
    struct lang_case test = case_of(kernel, path);
    struct lang_run expected;
    lang_arguments_make(&expected, &test, kernel->seed);
    expected.chip = ""; // any
    if (kernel_interpret(kernel, &expected)) {
        FILE *file = fopen(path, "w"), *lines = fopen(launches, "a");
        char *text = kernel_text(kernel);
        if (!file || !lines) {
            perror(folder);
            exit(1);
        }
        fputs(text, file);
        free(text);
        lang_launch_json(&test, source, kernel->warps, kernel->stages, kernel->seed, &expected, lines);
        if (fclose(file) || fclose(lines)) {
            perror(folder);
            exit(1);
        }
    }
    lang_arguments_free(&expected);
}

// True if it fails; the message says how.
static bool run(const struct kernel *kernel, const struct place *place, char *message, size_t size) {
    char path[] = "/tmp/random_kernel_XXXXXX.tk";
    int file = mkstemps(path, 3);
    char *text = kernel_text(kernel);
    bool written = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    free(text);
    if (file < 0 || close(file) || !written) {
        perror(path);
        exit(1);
    }
    struct lang_case test = case_of(kernel, path);
    struct run_settings settings = {.seed = kernel->seed,
                                    .machine = place->machine,
                                    .emit = place->emit,
                                    .multiprocessors = place->multiprocessors};
    char family[32];
    snprintf(family, sizeof family, "random%llu", (unsigned long long)kernel->seed);
    current = kernel;
    legal = true;
    struct lang_run made = {0};
    enum case_outcome outcome =
        run_case(family, &test, place->chip, kernel->warps, kernel->stages, &settings, &made, message, size);
    lang_arguments_free(&made);
    unlink(path);
    if (!legal) {
        snprintf(message, size, "%s", not_legal);
    }
    return outcome == CASE_FAILED && legal;
}

// The same in a child process, so that a crash is a failure; its stderr is the message.
static bool run_apart(const struct kernel *kernel, const struct place *place, char message[MESSAGE]) {
    int ends[2];
    message[0] = '\0';
    if (pipe(ends)) {
        perror("random_test");
        exit(1);
    }
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        close(ends[0]);
        dup2(ends[1], STDERR_FILENO);
        bool failed = run(kernel, place, message, MESSAGE);
        size_t length = failed || !legal ? strlen(message) : 0;
        _exit(write(ends[1], message, length) == (ssize_t)length ? failed : 2);
    }
    close(ends[1]);
    size_t length = 0;
    char part[512];
    for (ssize_t got;
         (got = read(ends[0], part, sizeof part)) > 0;) { // to the end, or the child gets a signal
        size_t kept = (size_t)got < MESSAGE - 1 - length ? (size_t)got : MESSAGE - 1 - length;
        memcpy(message + length, part, kept);
        length += kept;
    }
    message[length] = '\0';
    close(ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        continue;
    }
    if (WIFSIGNALED(status)) {
        snprintf(message, MESSAGE, "%s",
                 WTERMSIG(status) == SIGALRM ? "took too long" : strsignal(WTERMSIG(status)));
    }
    return status != 0;
}

// LLVM is set up once, here, and not in each process of a kernel.
static void ready_chips(const struct options *options) {
    for (unsigned i = 0; i < CHIPS; i++) {
        if (!options->chip || !strcmp(options->chip, chips[i])) {
            machine_give(machine_take(target_find(chips[i]), LLVMCodeGenLevelAggressive));
        }
    }
}

// More shared memory than the chip has is an honest answer, and more values than a compilation takes (budget.def).
static bool is_refusal(const char *message) {
    return (strstr(message, "shared memory") && strstr(message, "exceeds")) || strstr(message, "--budget=");
}

struct failure {
    struct place place;
    char kind[32];
};

// The beginning of a message; for an internal error, its location.
static void kind_of(const char *message, char kind[32]) {
    static const char internal[] = "internal error: ";
    const char *place = strstr(message, internal);
    message = place ? place + sizeof internal - 1 : message;
    snprintf(kind, 32, "%.*s", (int)strcspn(message, ",:0123456789"), message);
}

static bool fails_alike(const struct kernel *kernel, void *user) {
    const struct failure *failure = user;
    char message[MESSAGE], kind[32];
    bool failed = run_apart(kernel, &failure->place, message) && !is_refusal(message);
    kind_of(message, kind);
    return failed && !strcmp(kind, failure->kind);
}

static void report(const struct options *options, const struct kernel *kernel, struct place place,
                   char message[MESSAGE]) {
    const char *chip = place.chip;
    struct failure failure = {.place = place};
    kind_of(message, failure.kind);
    printf("seed %llu on %s: %s\n", (unsigned long long)kernel->seed, chip, message);
    struct kernel *small = options->keep ? kernel_copy(kernel) : kernel_shrink(kernel, fails_alike, &failure);
    char *text = kernel_text(small);
    run_apart(small, &place, message);
    printf("%s\n# %s, %u warps, %u stages, %d programs, n0 = %d, n1 = %d, n2 = %d: %s\n", text, chip,
           small->warps, small->stages, small->programs, small->counts[0], small->counts[1], small->counts[2],
           message);
    free(text);
    kernel_free(small);
}

// The first kernel with a visible mistake is shrunk to a few statements, and still contains it.
static int find_planted(const struct options *options) {
    for (uint64_t seed = options->first; seed <= options->last; seed++) {
        struct kernel *kernel = kernel_generate(seed, options->hostile, options->narrow);
        struct failure failure = {.place = {options->chip ? options->chip : chips[0], options->machine, NULL,
                                            options->multiprocessors}};
        char message[MESSAGE];
        kernel->planted = true;
        if (run_apart(kernel, &failure.place, message)) {
            kind_of(message, failure.kind);
            struct kernel *small = kernel_shrink(kernel, fails_alike, &failure);
            int before = kernel_statements(kernel), after = kernel_statements(small);
            printf("the planted mistake shows in seed %llu: %d statements, shrunk to %d\n",
                   (unsigned long long)seed, before, after);
            bool shown = fails_alike(small, &failure);
            small->planted = false;
            bool needed = !run_apart(small, &failure.place, message);
            kernel_free(small);
            kernel_free(kernel);
            return shown && needed && after <= FEW_STATEMENTS ? 0 : 1;
        }
        kernel_free(kernel);
    }
    printf("the planted mistake was not noticed\n");
    return 1;
}

static void usage(void) {
    fprintf(stderr, "usage: random_test [--seeds A-B] [--chip CHIP] [--level llvm|machine] [--warps N] "
                    "[--stages N] [--multiprocessors N] [--ways N] [--hostile] [--narrow] [--show]"
                    " [--write FOLDER] [--emit FOLDER] [--keep] [--planted] [--verbose]\n");
    exit(2);
}

// A-B, or A alone.
static void read_seeds(struct options *options, const char *text) {
    char *end;
    options->first = options->last = strtoull(text, &end, 10);
    if (*end == '-') {
        options->last = strtoull(end + 1, &end, 10);
    }
    if (end == text || *end || options->last < options->first) {
        usage();
    }
}

static unsigned read_number(const char *text) {
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (end == text || *end || number == 0 || number > 1024) {
        usage();
    }
    return (unsigned)number;
}

static bool level_is_machine(const char *name) {
    bool machine = !strcmp(name, "machine");
    if (!machine && strcmp(name, "llvm")) {
        usage();
    }
    return machine;
}

static void read_options(struct options *options, int argc, char **argv) {
    *options = (struct options){.first = 1, .last = 60, .ways = 1};
    for (int i = 1; i < argc; i++) {
        bool has_value = i + 1 < argc;
        if (!strcmp(argv[i], "--seeds") && has_value) {
            read_seeds(options, argv[++i]);
        } else if (!strcmp(argv[i], "--chip") && has_value) {
            options->chip = argv[++i];
        } else if (!strcmp(argv[i], "--level") && has_value) {
            options->machine = level_is_machine(argv[++i]);
        } else if (!strcmp(argv[i], "--warps") && has_value) {
            options->warps = read_number(argv[++i]);
        } else if (!strcmp(argv[i], "--stages") && has_value) {
            options->stages = read_number(argv[++i]);
        } else if (!strcmp(argv[i], "--multiprocessors") && has_value) {
            options->multiprocessors = read_number(argv[++i]);
        } else if (!strcmp(argv[i], "--hostile")) {
            options->hostile = true;
        } else if (!strcmp(argv[i], "--narrow")) {
            options->narrow = true;
        } else if (!strcmp(argv[i], "--show")) {
            options->show = true;
        } else if (!strcmp(argv[i], "--ways") && has_value) {
            options->ways = read_number(argv[++i]);
        } else if (!strcmp(argv[i], "--emit") && has_value) {
            options->emit = argv[++i];
        } else if (!strcmp(argv[i], "--write") && has_value) {
            options->folder = argv[++i];
        } else if (!strcmp(argv[i], "--keep")) {
            options->keep = true;
        } else if (!strcmp(argv[i], "--planted")) {
            options->planted = true;
        } else if (!strcmp(argv[i], "--verbose")) {
            options->verbose = true;
        } else {
            usage();
        }
    }
}

struct tally {
    unsigned failures, refusals, not_legal;
};

// The kernel in another way: 0 is its own.
static struct kernel *kernel_of(const struct options *options, uint64_t seed, unsigned way) {
    struct kernel *kernel = kernel_generate(seed, options->hostile, options->narrow);
    uint64_t other = lang_hash(seed, 5, way);
    if (way) {
        kernel->warps = 1u << other % 4;
        kernel->stages = 1 + other / 4 % 4;
        kernel->hints = other / 16 % 256;
        kernel->respelled = way % 2;
    }
    kernel->warps = options->warps ? options->warps : kernel->warps;
    kernel->stages = options->stages ? options->stages : kernel->stages;
    return kernel;
}

static void try_seed(const struct options *options, uint64_t seed, unsigned way, struct tally *tally) {
    struct kernel *kernel = kernel_of(options, seed, way);
    const char *chip = options->chip ? options->chip : chips[(seed + way) % CHIPS];
    bool nvidia = chip[0] == 's';
    struct place place = {chip, options->machine && !nvidia, nvidia ? options->emit : NULL,
                          options->multiprocessors};
    char message[MESSAGE];
    if (options->folder) {
        write_files(kernel, options->folder);
    } else if (options->show) {
        char *text = kernel_text(kernel);
        printf("# seed %llu\n%s\n", (unsigned long long)seed, text);
        free(text);
    } else {
        bool failed = run_apart(kernel, &place, message), refused = failed && is_refusal(message);
        tally->refusals += refused;
        tally->failures += failed && !refused;
        tally->not_legal += !failed && !strcmp(message, not_legal);
        if (failed && !refused) {
            report(options, kernel, place, message);
        } else if (options->verbose) {
            printf("seed %llu on %s, %u warps, %u stages: %s\n", (unsigned long long)seed, chip,
                   kernel->warps, kernel->stages, *message ? message : "good");
        }
    }
    kernel_free(kernel);
}

int main(int argc, char **argv) {
    struct options options;
    struct tally tally = {0};
    read_options(&options, argc, argv);
    ready_chips(&options);
    if (options.planted) {
        return find_planted(&options);
    }
    for (uint64_t seed = options.first; seed <= options.last; seed++) {
        for (unsigned way = 0; way < options.ways; way++) {
            try_seed(&options, seed, way, &tally);
        }
    }
    printf("%llu random kernels from seed %llu: %u failed, %u need more than there is, %u are not "
           "legal\n",
           (unsigned long long)(options.last - options.first + 1), (unsigned long long)options.first,
           tally.failures, tally.refusals, tally.not_legal);
    return tally.failures != 0;
}
