// Random kernels, compiled and run in the emulator, held against the interpreter of the same tree.
//
//   random_test [--seed N] [--count N] [--chip CHIP] [--show] [--keep] [--verbose]
//
// Kernel number n is made from seed + n alone and runs on one of six chips in turn, or on the one given, with the
// warps in two orders. A failure is shrunk and its source printed with what is needed to run it again. --show
// prints the kernels instead of running them; --keep does not shrink.
#include "kernel.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lang/run_case.h"

enum { SECONDS = 60, MESSAGE = 2048 };

static const char *const chips[] = {"sm_80", "gfx942", "sm_90a", "gfx1100", "gfx90a", "gfx1200"};
enum { CHIPS = sizeof chips / sizeof *chips };

struct options {
    uint64_t seed;
    unsigned count;
    const char *chip;
    bool show, keep, verbose;
};

static const struct kernel *current;
static bool legal;

static void reference(struct lang_run *run) {
    legal = kernel_interpret(current, run);
}

// True if it fails; the message says how.
static bool run(const struct kernel *kernel, const char *chip, char *message, size_t size) {
    char path[] = "/tmp/random_kernel_XXXXXX.tk";
    int file = mkstemps(path, 3);
    char *text = kernel_text(kernel);
    bool written = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    free(text);
    if (file < 0 || close(file) || !written) {
        perror(path);
        exit(1);
    }
    struct lang_case test = {.name = "kernel",
                             .file = path,
                             .kernel = "kernel",
                             .grid = {(unsigned)kernel->programs},
                             .reference = reference,
                             .absolute = 1e-30};
    kernel_arguments(kernel, test.arguments);
    struct run_settings settings = {.seed = kernel->seed};
    current = kernel;
    legal = true;
    enum case_outcome outcome =
        run_case("random", &test, chip, kernel->warps, kernel->stages, &settings, message, size);
    unlink(path);
    return outcome == CASE_FAILED && legal;
}

// The same in a process of its own, so that a crash is a failure.
static bool run_apart(const struct kernel *kernel, const char *chip, char message[MESSAGE]) {
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
        bool failed = run(kernel, chip, message, MESSAGE);
        size_t length = failed ? strlen(message) : 0;
        _exit(write(ends[1], message, length) == (ssize_t)length ? failed : 2);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got;
         length < MESSAGE - 1 && (got = read(ends[0], message + length, MESSAGE - 1 - length)) > 0;)
        length += (size_t)got;
    message[length] = '\0';
    close(ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFSIGNALED(status))
        snprintf(message, MESSAGE, "%s",
                 WTERMSIG(status) == SIGALRM ? "took too long" : strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) > 1)
        snprintf(message, MESSAGE, "internal error, status %d", WEXITSTATUS(status));
    return status != 0;
}

// More shared memory than the chip has is an honest answer.
static bool is_refusal(const char *message) {
    return strstr(message, "shared memory") && strstr(message, "exceeds");
}

struct failure {
    const char *chip;
    char kind[32];
};

static void kind_of(const char *message, char kind[32]) {
    snprintf(kind, 32, "%.*s", (int)strcspn(message, ",:0123456789"), message);
}

static bool fails_alike(const struct kernel *kernel, void *user) {
    const struct failure *failure = user;
    char message[MESSAGE], kind[32];
    bool failed = run_apart(kernel, failure->chip, message) && !is_refusal(message);
    kind_of(message, kind);
    return failed && !strcmp(kind, failure->kind);
}

static void report(const struct options *options, const struct kernel *kernel, const char *chip,
                   char message[MESSAGE]) {
    struct failure failure = {.chip = chip};
    kind_of(message, failure.kind);
    printf("seed %llu on %s: %s\n", (unsigned long long)kernel->seed, chip, message);
    struct kernel *small = options->keep ? kernel_copy(kernel) : kernel_shrink(kernel, fails_alike, &failure);
    char *text = kernel_text(small);
    run_apart(small, chip, message);
    printf("%s\n# %s, %u warps, %u stages, %d programs, n0 = %d, n1 = %d, n2 = %d: %s\n", text, chip,
           small->warps, small->stages, small->programs, small->counts[0], small->counts[1], small->counts[2],
           message);
    free(text);
    kernel_free(small);
}

static void usage(void) {
    fprintf(stderr,
            "usage: random_test [--seed N] [--count N] [--chip CHIP] [--show] [--keep] [--verbose]\n");
    exit(2);
}

static void read_options(struct options *options, int argc, char **argv) {
    *options = (struct options){.seed = 1, .count = 60};
    for (int i = 1; i < argc; i++) {
        bool has_value = i + 1 < argc;
        if (!strcmp(argv[i], "--seed") && has_value)
            options->seed = strtoull(argv[++i], NULL, 0);
        else if (!strcmp(argv[i], "--count") && has_value)
            options->count = (unsigned)strtoul(argv[++i], NULL, 0);
        else if (!strcmp(argv[i], "--chip") && has_value)
            options->chip = argv[++i];
        else if (!strcmp(argv[i], "--show"))
            options->show = true;
        else if (!strcmp(argv[i], "--keep"))
            options->keep = true;
        else if (!strcmp(argv[i], "--verbose"))
            options->verbose = true;
        else
            usage();
    }
}

int main(int argc, char **argv) {
    struct options options;
    read_options(&options, argc, argv);
    unsigned failures = 0, refusals = 0;
    for (unsigned n = 0; n < options.count; n++) {
        struct kernel *kernel = kernel_generate(options.seed + n);
        const char *chip = options.chip ? options.chip : chips[(options.seed + n) % CHIPS];
        char message[MESSAGE];
        if (options.show) {
            char *text = kernel_text(kernel);
            printf("# seed %llu\n%s\n", (unsigned long long)kernel->seed, text);
            free(text);
        } else {
            bool failed = run_apart(kernel, chip, message), refused = failed && is_refusal(message);
            refusals += refused;
            failures += failed && !refused;
            if (failed && !refused)
                report(&options, kernel, chip, message);
            else if (options.verbose)
                printf("seed %llu on %s, %u warps, %u stages: %s\n", (unsigned long long)kernel->seed, chip,
                       kernel->warps, kernel->stages, refused ? message : "good");
        }
        kernel_free(kernel);
    }
    printf("%u random kernels from seed %llu: %u failed, %u need more shared memory than there is\n",
           options.count, (unsigned long long)options.seed, failures, refusals);
    return failures != 0;
}
