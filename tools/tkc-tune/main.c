// tkc-tune: sweeps over configurations of a kernel. The command line, and the input and output of a sweep.
#include <sys/wait.h>
#include <unistd.h>

#include "command/options.h"
#include "support/file.h"
#include "support/memory.h"
#include "tune.h"

enum { STATUS_OK = 0, STATUS_FAILED = 1, STATUS_USAGE = 2 };

#define SETTINGS struct settings
static const struct option rows[] = {
#include "options.def"
};

static const struct option_table table = {
    .tool = "tkc-tune",
    .summary = "tune the configurations of GPU kernels on devices",
    .about = "usage: tkc-tune SOURCE --shapes FILE [options]\n"
             "       tkc-tune merge OUTPUT FILE...\n"
             "       tkc-tune draw OUTPUT.svg FILE.log...\n\n"
             "Times the configurations of an autotuned kernel, and others like them, on the devices of this "
             "machine, and writes\n"
             "the best of each shape for tkc --tuned. A sweep that was stopped goes on where it was. `merge` "
             "joins the files of\n"
             "several machines, the best time counts; `draw` makes a landscape of their logs.\n"
             "Exit status: 0 done, 1 it could not be done, 2 wrong usage.\n",
    .notes = "FILE has shapes, [{\"M\": 512, \"N\": 512}, ...], or with them what follows from them, as "
             "expressions over the\n"
             "arguments: {\"arguments\": {\"stride_x\": \"N\", \"x\": \"M * stride_x\"}, \"shapes\": [...]}. "
             "For an array that is how\n"
             "many elements it has; NAME.tensors in the source says both, too.\n",
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
};

// ---- devices: queried by a child process, since no process may fork after opening a driver ----

static const char *probe(struct device_about *about, unsigned *count) {
    static char why[512];
    int ends[2];
    *count = 0;
    if (pipe(ends)) {
        return "no pipe";
    }
    pid_t process = fork();
    if (process == 0) {
        const char *wrong = devices_probe(about, count);
        snprintf(why, sizeof why, "%s", wrong ? wrong : "");
        bool sent = write(ends[1], why, sizeof why) == sizeof why &&
                    write(ends[1], count, sizeof *count) == sizeof *count &&
                    write(ends[1], about, *count * sizeof *about) >= 0;
        _exit(!sent);
    }
    close(ends[1]);
    FILE *from = fdopen(ends[0], "r");
    bool got = process > 0 && from && fread(why, sizeof why, 1, from) == 1 &&
               fread(count, sizeof *count, 1, from) == 1 && *count <= TUNE_DEVICES &&
               fread(about, sizeof *about, *count, from) == *count;
    if (from) {
        fclose(from);
    }
    waitpid(process, NULL, 0);
    return !got ? "the driver ended the process that asked for devices" : why[0] ? why : NULL;
}

// The devices of --devices, or all devices like the first.
static bool choose_devices(const struct settings *settings, struct device_about *about, unsigned count,
                           int *ordinals, unsigned *chosen) {
    *chosen = 0;
    for (size_t i = 0; i < settings->device_count && i < TUNE_DEVICES; i++) {
        char *end;
        long ordinal = strtol(settings->devices[i], &end, 10);
        if (*end || ordinal < 0 || ordinal >= (long)count) {
            return complain("--devices %s: this machine has devices 0 to %u", settings->devices[i],
                            count - 1);
        }
        ordinals[(*chosen)++] = (int)ordinal;
    }
    for (unsigned i = 0; i < count && !settings->device_count; i++) {
        if (strcmp(about[i].name, about[0].name) == 0) {
            ordinals[(*chosen)++] = (int)i;
        }
    }
    for (unsigned i = 1; i < *chosen; i++) {
        if (strcmp(about[ordinals[i]].name, about[ordinals[0]].name) != 0) {
            return complain("--devices: %s and %s are not alike; tune them in two sweeps",
                            about[ordinals[0]].name, about[ordinals[i]].name);
        }
    }
    return *chosen != 0;
}

// ---- shards ----

static bool read_shard(const struct settings *settings, unsigned long *part, unsigned long *parts) {
    const char *task = getenv("SLURM_ARRAY_TASK_ID"), *tasks = getenv("SLURM_ARRAY_TASK_COUNT"),
               *first = getenv("SLURM_ARRAY_TASK_MIN");
    char *end;
    *part = *parts = 1;
    if (settings->shard) {
        *part = strtoul(settings->shard, &end, 10);
        *parts = *end == '/' ? strtoul(end + 1, &end, 10) : 0;
        return (!*end && *part >= 1 && *part <= *parts) ||
               complain("--shard %s: I/N is asked for, I from 1 to N", settings->shard);
    }
    if (task && tasks) {
        *parts = strtoul(tasks, NULL, 10);
        *part = strtoul(task, NULL, 10) - (first ? strtoul(first, NULL, 10) : 0) + 1;
        return (*part >= 1 && *part <= *parts) ||
               complain("SLURM_ARRAY_TASK_ID is %s of %s tasks: give --array one run of numbers, as 0-7",
                        task, tasks);
    }
    return true;
}

// "x.json" of part 2 of 8 is "x.2-of-8.json".
static const char *output_path(struct arena *arena, const struct settings *settings, unsigned long part,
                               unsigned long parts) {
    const char *path = settings->output;
    if (!path) {
        const char *input = settings->options.input, *dot = strrchr(input, '.'), *slash = strrchr(input, '/');
        size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - input) : strlen(input);
        path = arena_printf(arena, "%.*s.tuned.json", (int)stem, input);
    }
    size_t length = strlen(path);
    bool json = length > 5 && strcmp(path + length - 5, ".json") == 0;
    return parts == 1 ? path
                      : arena_printf(arena, "%.*s.%lu-of-%lu%s", (int)(json ? length - 5 : length), path,
                                     part, parts, json ? ".json" : "");
}

// ---- a sweep ----

static void say_candidates(const struct sweep *sweep) {
    size_t listed = 0, compiled = 0;
    for (size_t i = 0; i < sweep->candidate_count; i++) {
        const struct candidate *candidate = &sweep->candidates[i];
        listed += candidate->listed >= 0;
        compiled += candidate->image != NULL;
        if (!candidate->image && (candidate->listed >= 0 || sweep->settings->dry_run)) {
            fprintf(stderr, "%s: %s\n", candidate->config, candidate->why);
        }
    }
    fprintf(
        stderr,
        "%s: %zu configurations of the source and %zu others, %zu compiled for %s; %zu shapes on %u of %s\n",
        sweep->kernel->name, listed, sweep->candidate_count - listed, compiled, sweep->settings->target,
        sweep->shape_count, sweep->device_count, sweep->about->name);
}

static void say_admitted(const struct sweep *sweep) {
    for (size_t s = 0; s < sweep->shape_count; s++) {
        struct strbuf shape = {0};
        size_t count = 0;
        for (size_t i = 0; i < sweep->candidate_count; i++) {
            count += sweep_admits(sweep, &sweep->shapes[s], i);
        }
        shape_print(sweep->kernel, &sweep->shapes[s], &shape);
        printf("%s: %zu to be timed\n", strbuf_text(&shape), count);
        strbuf_free(&shape);
    }
}

static bool write_results(struct sweep *sweep, const char *path) {
    struct choices best = choices_best(sweep->arena, &sweep->log);
    if (!best.count) {
        return complain("nothing could be timed; %s is not written (--fresh times again what failed before)",
                        path);
    }
    if (!choices_write(path, &best) ||
        (sweep->settings->svg && !landscape_write(sweep->settings->svg, &sweep->log))) {
        return false;
    }
    for (size_t i = 0; i < best.count; i++) {
        printf("{%s}: %s, %.2f us\n", best.rows[i].key, best.rows[i].config, best.rows[i].microseconds);
    }
    return true;
}

// Reads the logged times of this kernel and device.
static bool read_log(struct sweep *sweep) {
    struct choices all = {0};
    if (sweep->settings->fresh || access(sweep->log_path, F_OK) != 0) {
        return true;
    }
    if (!choices_read(sweep->arena, sweep->log_path, &all)) {
        return false;
    }
    for (size_t i = 0; i < all.count; i++) {
        if (strcmp(all.rows[i].kernel, sweep->kernel->name) == 0 &&
            strcmp(all.rows[i].device, sweep->about->name) == 0) {
            choices_add(sweep->arena, &sweep->log, &all.rows[i]);
        }
    }
    return true;
}

static bool sweep(struct arena *arena, struct settings *settings) {
    static struct device_about about[TUNE_DEVICES];
    static struct kernel kernel;
    int ordinals[TUNE_DEVICES];
    unsigned count, chosen = 0;
    unsigned long part, parts;
    struct sweep s = {.settings = settings, .arena = arena, .kernel = &kernel};
    const char *why = probe(about, &count);
    if (why || !count) {
        return complain("no device: %s", why ? why : "the driver knows none");
    }
    if (!choose_devices(settings, about, count, ordinals, &chosen) || !read_shard(settings, &part, &parts)) {
        return false;
    }
    s.about = &about[ordinals[0]];
    s.ordinals = ordinals;
    s.device_count = chosen;
    settings->target = settings->target ? settings->target : s.about->chip;
    settings->jit =
        settings->jit || (strncmp(settings->target, "sm_", 3) == 0 && !candidates_assembler(settings));
    if (!candidates_find(arena, settings, &kernel, &s.candidates, &s.candidate_count) ||
        !shapes_read(arena, settings->shapes, &kernel, &s.shapes, &s.shape_count)) {
        return false;
    }
    size_t kept = 0;
    for (size_t i = 0; i < s.shape_count; i++) {
        if (i % parts == part - 1) {
            s.shapes[kept++] = s.shapes[i];
        }
    }
    s.shape_count = kept;
    if (!kept) {
        fprintf(stderr, "part %lu of %lu has no shapes\n", part, parts);
        return true;
    }
    candidates_compile(arena, settings, &kernel, s.candidates, s.candidate_count);
    if (!settings->quiet) {
        say_candidates(&s);
    }
    if (settings->dry_run) {
        say_admitted(&s);
        return true;
    }
    const char *output = output_path(arena, settings, part, parts);
    s.log_path = arena_printf(arena, "%s.log", output);
    return read_log(&s) && sweep_run(&s) && write_results(&s, output);
}

// ---- merge, draw ----

static int join(int argc, char **argv, bool draw) {
    struct arena *arena = arena_create();
    struct choices all = {0};
    bool ok = true;
    if (argc < 4) {
        complain(draw ? "draw OUTPUT.svg FILE.log...: two names or more"
                      : "merge OUTPUT FILE...: two names or more");
        arena_destroy(arena);
        return STATUS_USAGE;
    }
    for (int i = 3; i < argc && ok; i++) {
        ok = choices_read(arena, argv[i], &all);
    }
    if (ok && draw) {
        ok = landscape_write(argv[2], &all);
    } else if (ok) {
        struct choices best = choices_best(arena, &all);
        ok = choices_write(argv[2], &best);
    }
    arena_destroy(arena);
    return ok ? STATUS_OK : STATUS_FAILED;
}

int main(int argc, char **argv) {
    struct settings settings = {.limit = 200, .budget = 2.5};
    memory_watch_new();
    if (argc > 1 && (strcmp(argv[1], "merge") == 0 || strcmp(argv[1], "draw") == 0)) {
        return join(argc, argv, argv[1][0] == 'd');
    }
    tkc_options_init(&settings.options);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    settings.options.jobs = processors > 0 && processors < 256 ? (unsigned)processors : 4;
    int status = STATUS_USAGE;
    if (options_parse(&table, &settings, argc, argv, stderr)) {
        struct arena *arena = arena_create();
        if (settings.action == ACTION_HELP) {
            options_help(&table, stdout);
            status = STATUS_OK;
        } else if (settings.action == ACTION_VERSION) {
            printf("tkc-tune %s\n", tkc_version());
            status = STATUS_OK;
        } else if (!settings.options.input || !settings.shapes) {
            options_error(&table, stderr, settings.options.input ? "no --shapes" : "no source file");
        } else {
            status = sweep(arena, &settings) ? STATUS_OK : STATUS_FAILED;
        }
        arena_destroy(arena);
    }
    options_free(&table, &settings);
    return status;
}
