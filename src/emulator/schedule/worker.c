// The grid's programs are dealt to the host's threads one by one. A host thread keeps a program until it
// ends. A long-running program (it may wait for another one) is set aside in turns while more programs start,
// as on a GPU with many resident programs.
#include "emulator/schedule/schedule.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "emulator/memory/memory.h"
#include "emulator/report/report.h"
#include "support/diag.h"

enum {
    TURN = 512, // rounds
    AGAIN = 32, // rounds of a turn where several programs have begun: one of them may wait for another
    RESIDENT_LIMIT = 1024,
    VAIN = 8192,  // strong reads of a warp, while nothing changes, before it counts as waiting
    TURNS = 1024, // such reads, and barriers, of a warp that meets others in each turn
    MIXED = 4,    // programs at a time, if interleaved at random
    MIXED_TURN = 16,
};

struct worker {
    struct run *run;
    pthread_t thread;
    struct block *resident[RESIDENT_LIMIT];
    unsigned resident_count;
    struct block *spare[RESIDENT_LIMIT]; // memory of ended programs
    unsigned spare_count;
    uint64_t random;
};

double run_clock(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void run_stop(struct run *run, enum emulator_status status) {
    int none = 0;
    atomic_compare_exchange_strong(&run->stop, &none, (int)status + 1);
}

static void add_statistics(struct emulator_statistics *sum, struct emulator_statistics *part) {
    uint64_t *to = (uint64_t *)sum, *from = (uint64_t *)part;
    for (size_t i = 0; i < sizeof *sum / sizeof *to; i++) {
        to[i] += from[i];
        from[i] = 0;
    }
}

static void block_end(struct worker *worker, unsigned index) {
    struct run *run = worker->run;
    struct block *block = worker->resident[index];
    worker->resident[index] = worker->resident[--worker->resident_count];
    uint64_t done = atomic_fetch_add(&run->programs_done, block->failed ? 0 : 1) + 1;
    if (done == run->program_count) {
        launch_check_counters(block);
    }
    if (block->failed) {
        run_stop(run, EMULATOR_STOPPED);
    }
    run->changes += run->ranks > 1;
    run->ended[block->number % run->ranks] += run->ranks > 1;
    for (unsigned i = 0; i < block->warp_count && run->launches > 1; i++) {
        publish_program(&block->warps[i]);
    }
    pthread_mutex_lock(&run->lock);
    for (unsigned i = 0; i < block->warp_count; i++) {
        add_statistics(&run->statistics, &block->warps[i].statistics);
    }
    const struct emulator_options *options = &run->emulator->options;
    if (options->progress) {
        options->progress(options->progress_user, done * run->cluster, run->program_count * run->cluster);
    }
    pthread_mutex_unlock(&run->lock);
    worker->spare[worker->spare_count++] = block;
}

// With several launches: false while a program of the next one's rank has not ended in the launch before. One thread runs them all.
static bool may_start(const struct run *run) {
    uint64_t next = run->launches > 1 ? atomic_load(&run->next_program) : 0;
    uint64_t launch = next / run->ranks / run->grid_size;
    return launch == 0 || launch >= run->launches || run->ended[next % run->ranks] >= launch * run->grid_size;
}

static bool start_program(struct worker *worker) {
    struct run *run = worker->run;
    if (worker->resident_count == RESIDENT_LIMIT) {
        return false;
    }
    if (!may_start(run)) {
        return false;
    }
    uint64_t program;
    do {
        program = atomic_fetch_add(&run->next_program, 1);
        if (program >= run->program_count) {
            return false;
        }
    } while (!launch_claim(run, program));
    struct block *block = worker->spare_count ? worker->spare[--worker->spare_count] : block_create(run);
    block_start(block, program);
    worker->resident[worker->resident_count++] = block;
    return true;
}

static bool watches_in_vain(const struct warp *warp) {
    return warp->vain >= VAIN && warp->changes == warp->run->changes;
}

static bool meets_in_vain(const struct warp *warp) {
    return warp->meetings >= TURNS && warp->met == warp->run->changes;
}

// True if a warp reads in vain for others, which it meets in each turn of its loop.
static bool turns_in_vain(const struct block *block) {
    for (unsigned i = 0; i < block->warp_count; i++) {
        const struct warp *warp = &block->warps[i];
        if (warp->vain >= TURNS && warp->changes == block->run->changes && meets_in_vain(warp)) {
            return true;
        }
    }
    return false;
}

// True if no warp of the program goes on: each has ended, waits at a barrier or for another warp, or reads in vain, itself or
// by another one.
static bool stands_still(const struct block *block) {
    bool turns = turns_in_vain(block), watches = turns;
    for (unsigned i = 0; i < block->warp_count; i++) {
        const struct warp *warp = &block->warps[i];
        bool waits = watches_in_vain(warp);
        bool polls = warp->state == WARP_POLLING && !warp->wait->ready(warp);
        bool follows = turns && meets_in_vain(warp);
        if (!waits && !polls && !follows && warp->state != WARP_DONE && warp->state != WARP_BARRIER) {
            return false;
        }
        watches |= waits;
    }
    return watches;
}

static struct warp *watching_warp(struct block *block) {
    for (unsigned i = 0; i < block->warp_count; i++) {
        if (block->warps[i].vain >= TURNS) {
            return &block->warps[i];
        }
    }
    return NULL;
}

// Names the place of the first unfinished program of each rank.
static void report_standstill(struct worker *worker) {
    struct run *run = worker->run;
    struct strbuf text = {0};
    struct warp *first = NULL;
    for (unsigned rank = 0; rank < run->ranks; rank++) {
        struct block *block = NULL;
        for (unsigned i = 0; i < worker->resident_count; i++) {
            struct block *other = worker->resident[i];
            block = other->number % run->ranks == rank && (!block || other->number < block->number) ? other
                                                                                                    : block;
        }
        struct warp *warp = block ? watching_warp(block) : NULL;
        strbuf_printf(&text, "%s rank %u ", rank ? "," : "", rank);
        if (warp) {
            strbuf_printf(&text, "program (%u, %u, %u) reads in vain at ", block->program[0],
                          block->program[1], block->program[2]);
            report_place_text(&text, warp->watches);
        } else {
            strbuf_add(&text, "has ended");
        }
        first = first ? first : warp;
    }
    report_at(first, first->watches, 0, FAULT_STANDSTILL, NULL, NULL, "no rank can go on:%s",
              strbuf_text(&text));
    strbuf_free(&text);
}

// Several ranks run on one thread of the host, so all programs that have begun are this worker's. Reports where they are, and
// stops the run, if all of them wait.
static bool all_stand_still(struct worker *worker) {
    struct run *run = worker->run;
    bool waiting = run->ranks > 1 && worker->resident_count > 0 &&
                   (atomic_load(&run->next_program) >= run->program_count || !may_start(run) ||
                    worker->resident_count == RESIDENT_LIMIT);
    for (unsigned i = 0; i < worker->resident_count && waiting; i++) {
        waiting = stands_still(worker->resident[i]);
    }
    if (waiting) {
        report_standstill(worker);
        run_stop(run, EMULATOR_STOPPED);
    }
    return waiting;
}

static bool stopping(struct run *run) {
    const struct emulator_options *options = &run->emulator->options;
    if (options->stop && *options->stop) {
        run_stop(run, EMULATOR_INTERRUPTED);
    } else if (run->deadline > 0 && run_clock() > run->deadline) {
        run_stop(run, EMULATOR_TIMEOUT);
    } else if (atomic_load(&run->reports_full)) {
        run_stop(run, EMULATOR_STOPPED);
    }
    return atomic_load(&run->stop) != 0;
}

static void *worker_main(void *argument) {
    struct worker *worker = argument;
    struct run *run = worker->run;
    bool mixed = run_order(run) == EMULATOR_RANDOM;
    unsigned least = mixed ? MIXED : 1, wanted = least, turn = 0, turns = 0;
    while (!stopping(run)) {
        while (worker->resident_count < wanted && start_program(worker)) {
            continue;
        }
        if (worker->resident_count == 0) {
            break;
        }
        turn = (mixed ? (unsigned)random_next(&worker->random) : turn) % worker->resident_count;
        // Ranks wait for each other most of the time.
        unsigned rounds = mixed            ? 1 + (unsigned)random_next(&worker->random) % MIXED_TURN
                          : run->ranks > 1 ? 1
                          : worker->resident_count > 1 ? AGAIN
                                                       : TURN;
        bool ended = false;
        for (unsigned round = 0; round < rounds && !ended && !stopping(run); round++) {
            ended = block_round(worker->resident[turn]);
        }
        if (ended) {
            block_end(worker, turn);
            wanted = least;
            continue;
        }
        if (all_stand_still(worker)) {
            break;
        }
        // A program may wait for one not yet begun: one more begins when each has had a long turn.
        unsigned enough = mixed ? TURN : rounds == AGAIN ? worker->resident_count * (TURN / AGAIN) : 1;
        if (++turns % enough == 0) {
            wanted = worker->resident_count + 1;
        }
        turn++;
    }
    bool hung = atomic_load(&run->stop) != EMULATOR_STOPPED + 1;
    for (unsigned i = 0; i < worker->resident_count; i++) {
        if (i < 4 && hung) {
            report_warps(worker->resident[i]);
        }
        block_destroy(worker->resident[i]);
    }
    for (unsigned i = 0; i < worker->spare_count; i++) {
        block_destroy(worker->spare[i]);
    }
    return NULL;
}

void worker_run(struct run *run) {
    unsigned count = run->emulator->options.workers;
    if (count == 0) {
        count = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    }
    count = run->ranks > 1 ? 1 : count;
    if (count > run->program_count) {
        count = (unsigned)run->program_count;
    }
    struct worker *workers = calloc(count + 1, sizeof *workers);
    for (unsigned i = 0; i < count; i++) {
        workers[i].run = run;
        workers[i].random = run->emulator->options.seed + i;
    }
    for (unsigned i = 1; i < count; i++) {
        if (pthread_create(&workers[i].thread, NULL, worker_main, &workers[i])) {
            bug("cannot start a thread");
        }
    }
    if (count) {
        worker_main(&workers[0]);
    }
    for (unsigned i = 1; i < count; i++) {
        pthread_join(workers[i].thread, NULL);
    }
    free(workers);
}
