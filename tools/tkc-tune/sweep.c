// A sweep: units of one shape and some candidates are dealt to worker processes. Each worker opens one
// device. A candidate fatal to its worker, or to the device, is found by halving its unit; a
// fresh worker continues. All times are in the log, one a line, so a killed sweep resumes from there.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tune.h"

enum { UNIT_CANDIDATES = 48, FINALISTS = 8, BAR = 30 };
#define FINAL_WITHIN 1.05

struct unit {
    size_t shape;
    int round;
    unsigned count;
    unsigned candidates[UNIT_CANDIDATES];
};

struct worker {
    pid_t process; // 0: none
    int to, from;
    FILE *answers;
    bool busy;
    struct unit unit;
    unsigned answered;
};

struct queue {
    struct sweep *sweep;
    struct unit *units;
    size_t count, room, next, done;
    unsigned *open; // of each shape: unfinished units of round 1
    unsigned *chunks;
    FILE *log;
    double started;
    struct worker workers[TUNE_DEVICES];
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// ---- the rule ----

static const struct sweep *rule_of; // functions of a family have no argument for it

static int rule_grid(unsigned variant, const int64_t *values, int64_t grid[3]) {
    return grid_of(&rule_of->candidates[variant], rule_of->kernel, values, grid);
}

static int rule_when(unsigned variant, unsigned term, const int64_t *values) {
    return term_counts(&rule_of->candidates[variant], rule_of->kernel, term, values);
}

static int64_t rule_steps(unsigned variant, unsigned term, const int64_t *values, const int64_t id[3]) {
    return term_steps(&rule_of->candidates[variant], rule_of->kernel, term, values, id);
}

static double cost_of(const struct sweep *sweep, const struct shape *shape,
                      const struct tkc_variant *variants, size_t candidate) {
    const struct tkc_family family = {.variants = variants,
                                      .count = (unsigned)sweep->candidate_count,
                                      .grid = rule_grid,
                                      .when = rule_when,
                                      .steps = rule_steps};
    rule_of = sweep;
    return tkc_cost(&family, (unsigned)candidate, &sweep->candidates[candidate].fit, &sweep->about->facts,
                    shape->numbers);
}

// Admits all candidates of the source, and others with a cost close to the least.
static void find_admitted(const struct sweep *sweep, const struct shape *shape, bool *admitted) {
    struct tkc_variant *variants = calloc(sweep->candidate_count + 1, sizeof *variants);
    double *costs = calloc(sweep->candidate_count + 1, sizeof *costs), least = -1;
    bool facts = sweep->about->facts.multiprocessors != 0;
    for (size_t i = 0; variants && costs && i < sweep->candidate_count; i++) {
        variants[i] = sweep->candidates[i].work;
    }
    for (size_t i = 0; variants && costs && i < sweep->candidate_count; i++) {
        costs[i] = sweep->candidates[i].image ? cost_of(sweep, shape, variants, i) : -1;
        least = costs[i] >= 0 && (least < 0 || costs[i] < least) ? costs[i] : least;
    }
    for (size_t i = 0; i < sweep->candidate_count; i++) {
        bool cheap = costs && (!facts || (costs[i] >= 0 && costs[i] <= sweep->settings->budget * least));
        admitted[i] = sweep->candidates[i].image && (sweep->candidates[i].listed >= 0 || cheap);
    }
    free(variants);
    free(costs);
}

bool sweep_admits(const struct sweep *sweep, const struct shape *shape, size_t candidate) {
    bool *admitted = calloc(sweep->candidate_count + 1, sizeof *admitted);
    if (!admitted) {
        return true;
    }
    find_admitted(sweep, shape, admitted);
    bool is = admitted[candidate];
    free(admitted);
    return is;
}

// ---- the log ----

static bool is_logged(const struct sweep *sweep, const char *key, const char *config) {
    for (size_t i = 0; i < sweep->log.count; i++) {
        const struct choice *row = &sweep->log.rows[i];
        if (strcmp(row->config, config) == 0 && strcmp(row->key, key) == 0) {
            return true;
        }
    }
    return false;
}

static void log_time(struct queue *q, const struct unit *unit, unsigned candidate, double microseconds) {
    struct sweep *sweep = q->sweep;
    struct choice row = {sweep->kernel->name,
                         sweep->about->name,
                         key_text(sweep->arena, sweep->kernel, &sweep->shapes[unit->shape]),
                         sweep->candidates[candidate].config,
                         microseconds,
                         unit->round};
    struct strbuf line = {0};
    choices_add(sweep->arena, &sweep->log, &row);
    choices_line(&row, &line);
    strbuf_add_char(&line, '\n');
    fputs(strbuf_text(&line), q->log);
    fflush(q->log);
    strbuf_free(&line);
}

// ---- the worker's side ----

static void serve(struct sweep *sweep, unsigned device, FILE *asked, FILE *answers) {
    const char *why = NULL;
    struct device *opened = device_open(sweep->ordinals[device], sweep->about, sweep->kernel, &why);
    size_t shape;
    unsigned count;
    while (opened && fscanf(asked, "%zu %u", &shape, &count) == 2 && count <= UNIT_CANDIDATES) {
        struct candidate *candidates[UNIT_CANDIDATES];
        unsigned index[UNIT_CANDIDATES];
        double times[UNIT_CANDIDATES];
        struct strbuf notes = {0};
        for (unsigned i = 0; i < count; i++) {
            if (fscanf(asked, "%u", &index[i]) != 1) {
                _exit(1);
            }
            candidates[i] = &sweep->candidates[index[i]];
        }
        why = device_time(opened, &sweep->shapes[shape], candidates, count, times, &notes);
        for (const char *note = strbuf_text(&notes); *note; note += strcspn(note, "\n") + 1) {
            fprintf(answers, "n %.*s\n", (int)strcspn(note, "\n"), note);
        }
        for (unsigned i = 0; i < count && !why; i++) {
            fprintf(answers, "t %u %.17g\n", index[i], times[i]);
        }
        strbuf_free(&notes);
        if (why) {
            break;
        }
        fprintf(answers, "d\n");
        fflush(answers);
    }
    if (why) {
        fprintf(answers, "e %s\n", why);
    }
    fflush(answers);
    _exit(why ? 1 : 0);
}

static bool start_worker(struct queue *q, unsigned device) {
    struct worker *worker = &q->workers[device];
    int to[2], from[2];
    if (pipe(to) || pipe(from)) {
        return complain("cannot make a pipe: %s", strerror(errno));
    }
    fflush(NULL);
    worker->process = fork();
    if (worker->process < 0) {
        return complain("cannot make a process: %s", strerror(errno));
    }
    if (worker->process == 0) {
        for (unsigned i = 0; i < q->sweep->device_count; i++) {
            if (q->workers[i].answers) {
                close(q->workers[i].to);
            }
        }
        close(to[1]);
        close(from[0]);
        signal(SIGINT, SIG_DFL);
        serve(q->sweep, device, fdopen(to[0], "r"), fdopen(from[1], "w"));
    }
    close(to[0]);
    close(from[1]);
    worker->to = to[1];
    worker->from = from[0];
    worker->answers = fdopen(from[0], "r");
    worker->busy = false;
    return worker->answers != NULL;
}

static void stop_worker(struct worker *worker) {
    if (worker->answers) {
        close(worker->to);
        fclose(worker->answers);
        waitpid(worker->process, NULL, 0);
        worker->answers = NULL;
        worker->process = 0;
        worker->busy = false;
    }
}

// ---- the sweep's side ----

static void push(struct queue *q, const struct unit *unit) {
    q->units = arena_grown(q->sweep->arena, q->units, q->count, &q->room, sizeof *q->units);
    q->units[q->count++] = *unit;
    q->open[unit->shape] += unit->round == 1;
}

static void plan_shape(struct queue *q, size_t shape) {
    const struct sweep *sweep = q->sweep;
    const char *key = key_text(sweep->arena, sweep->kernel, &sweep->shapes[shape]);
    bool *admitted = ARENA_ARRAY(sweep->arena, bool, sweep->candidate_count + 1);
    struct unit unit = {.shape = shape, .round = 1};
    find_admitted(sweep, &sweep->shapes[shape], admitted);
    for (size_t i = 0; i < sweep->candidate_count; i++) {
        bool known = is_logged(sweep, key, sweep->candidates[i].config);
        q->chunks[shape] += known && !q->chunks[shape];
        if (admitted[i] && !known) {
            unit.candidates[unit.count++] = (unsigned)i;
        }
        if (unit.count == UNIT_CANDIDATES || (unit.count && i + 1 == sweep->candidate_count)) {
            push(q, &unit);
            q->chunks[shape]++;
            unit.count = 0;
        }
    }
}

// After a shape's last unit: times its best candidates against each other, unless all were in one unit.
static void plan_final(struct queue *q, size_t shape) {
    struct sweep *sweep = q->sweep;
    const char *key = key_text(sweep->arena, sweep->kernel, &sweep->shapes[shape]);
    struct unit unit = {.shape = shape, .round = 2};
    double least = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < sweep->log.count; i++) {
            const struct choice *row = &sweep->log.rows[i];
            if (row->round != 1 || row->microseconds <= 0 || strcmp(row->key, key) != 0) {
                continue;
            }
            if (pass == 0) {
                least = least == 0 || row->microseconds < least ? row->microseconds : least;
                continue;
            }
            for (size_t c = 0; c < sweep->candidate_count && row->microseconds <= FINAL_WITHIN * least; c++) {
                if (strcmp(sweep->candidates[c].config, row->config) == 0 && sweep->candidates[c].image &&
                    unit.count < FINALISTS) {
                    unit.candidates[unit.count++] = (unsigned)c;
                }
            }
        }
    }
    if (q->chunks[shape] > 1 && unit.count > 1) {
        push(q, &unit);
    }
}

static void finish_unit(struct queue *q, const struct unit *unit) {
    q->done++;
    if (unit->round == 1 && --q->open[unit->shape] == 0) {
        plan_final(q, unit->shape);
    }
}

static void note(const struct queue *q, const char *text) {
    if (!q->sweep->settings->quiet) {
        fprintf(stderr, "\r%-78s\n", text);
    }
}

// Splits a unit fatal to its worker in halves; a single candidate is dropped.
static void fail_unit(struct queue *q, const struct unit *unit, const char *why) {
    char text[700];
    if (unit->count == 1) {
        snprintf(text, sizeof text, "%s is left out: %s", q->sweep->candidates[unit->candidates[0]].config,
                 why);
        note(q, text);
        log_time(q, unit, unit->candidates[0], 0);
    } else {
        for (unsigned half = 0; half < 2; half++) {
            struct unit part = {.shape = unit->shape, .round = unit->round};
            unsigned middle = unit->count / 2;
            for (unsigned i = half ? middle : 0; i < (half ? unit->count : middle); i++) {
                part.candidates[part.count++] = unit->candidates[i];
            }
            push(q, &part);
        }
        q->chunks[unit->shape]++;
    }
    finish_unit(q, unit);
}

static bool give(struct queue *q, struct worker *worker) {
    struct strbuf line = {0};
    worker->unit = q->units[q->next++];
    worker->busy = true;
    worker->answered = 0;
    strbuf_printf(&line, "%zu %u", worker->unit.shape, worker->unit.count);
    for (unsigned i = 0; i < worker->unit.count; i++) {
        strbuf_printf(&line, " %u", worker->unit.candidates[i]);
    }
    strbuf_add_char(&line, '\n');
    bool ok = write(worker->to, line.data, line.length) == (ssize_t)line.length;
    strbuf_free(&line);
    return ok;
}

static void show(const struct queue *q) {
    char bar[BAR + 1];
    double spent = now() - q->started;
    size_t filled = q->count ? BAR * q->done / q->count : BAR;
    memset(bar, '.', BAR);
    memset(bar, '=', filled);
    bar[BAR] = 0;
    if (!q->sweep->settings->quiet) {
        fprintf(stderr, "\r[%s] %zu of %zu units, %.0f s", bar, q->done, q->count, spent);
        if (q->done && q->done < q->count) {
            fprintf(stderr, ", about %.0f s left", spent / (double)q->done * (double)(q->count - q->done));
        }
        fprintf(stderr, "      %s", q->done == q->count ? "\n" : "");
    }
}

// Reads answers until the unit is done. False if the worker ended.
static bool listen(struct queue *q, struct worker *worker, char *why, size_t room) {
    char line[1024];
    while (fgets(line, sizeof line, worker->answers)) {
        unsigned candidate;
        double microseconds;
        line[strcspn(line, "\n")] = 0;
        if (line[0] == 'd') {
            return true;
        }
        if (line[0] == 'n') {
            note(q, line + 2);
        } else if (line[0] == 'e') {
            snprintf(why, room, "%.500s", line + 2);
        } else if (sscanf(line, "t %u %lf", &candidate, &microseconds) == 2 &&
                   candidate < q->sweep->candidate_count) {
            log_time(q, &worker->unit, candidate, microseconds);
        }
    }
    return false;
}

static bool serve_workers(struct queue *q) {
    struct pollfd polled[TUNE_DEVICES];
    unsigned deaths_without_work = 0;
    while (q->done < q->count) {
        for (unsigned d = 0; d < q->sweep->device_count; d++) {
            struct worker *worker = &q->workers[d];
            if (!worker->busy && q->next < q->count) {
                if ((!worker->answers && !start_worker(q, d)) || !give(q, worker)) {
                    return false;
                }
            }
            polled[d] = (struct pollfd){.fd = worker->busy ? worker->from : -1, .events = POLLIN};
        }
        if (poll(polled, q->sweep->device_count, -1) < 0 && errno != EINTR) {
            return complain("cannot wait for the devices: %s", strerror(errno));
        }
        for (unsigned d = 0; d < q->sweep->device_count; d++) {
            struct worker *worker = &q->workers[d];
            char why[512] = "its process came to an end";
            if (!worker->busy || !polled[d].revents) {
                continue;
            }
            if (listen(q, worker, why, sizeof why)) {
                worker->busy = false;
                finish_unit(q, &worker->unit);
                deaths_without_work = 0;
            } else {
                struct unit unit = worker->unit;
                stop_worker(worker);
                fail_unit(q, &unit, why);
                if (++deaths_without_work > 4u * UNIT_CANDIDATES) {
                    return complain("no device goes on: %s", why);
                }
            }
            show(q);
        }
    }
    return true;
}

// Removes the incomplete last line of a killed sweep. False with errno set on failure.
static bool end_last_line(const char *path) {
    FILE *file = fopen(path, "r");
    off_t whole = 0, length = 0;
    for (int byte; file && (byte = getc(file)) != EOF;) {
        length++;
        whole = byte == '\n' ? length : whole;
    }
    if (file) {
        fclose(file);
    }
    return whole == length || truncate(path, whole) == 0;
}

bool sweep_run(struct sweep *sweep) {
    struct queue q = {.sweep = sweep, .started = now()};
    q.open = ARENA_ARRAY(sweep->arena, unsigned, sweep->shape_count + 1);
    q.chunks = ARENA_ARRAY(sweep->arena, unsigned, sweep->shape_count + 1);
    memset(q.open, 0, sweep->shape_count * sizeof *q.open);
    memset(q.chunks, 0, sweep->shape_count * sizeof *q.chunks);
    q.log =
        end_last_line(sweep->log_path) ? fopen(sweep->log_path, sweep->settings->fresh ? "w" : "a") : NULL;
    if (!q.log) {
        return complain("cannot write %s: %s", sweep->log_path, strerror(errno));
    }
    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < sweep->shape_count; i++) {
        plan_shape(&q, i);
    }
    if (!sweep->settings->quiet && sweep->log.count) {
        fprintf(stderr, "%zu times are known from %s\n", sweep->log.count, sweep->log_path);
    }
    show(&q);
    bool ok = serve_workers(&q);
    for (unsigned i = 0; i < sweep->device_count; i++) {
        stop_worker(&q.workers[i]);
    }
    fclose(q.log);
    return ok;
}
