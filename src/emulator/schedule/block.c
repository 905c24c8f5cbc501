// One program: its memory, its warps in turn.
#include "emulator/schedule/schedule.h"

#include <stdlib.h>

#include "emulator/execute/execute.h"
#include "emulator/memory/memory.h"
#include "emulator/report/report.h"
#include "support/diag.h"
#include "support/memory.h"

enum { SLICE = 4096, PATIENCE = 64 };

const char *const emulator_order_names[EMULATOR_ORDERS] = {
    [EMULATOR_BY_SEED] = "seed", [EMULATOR_IN_TURN] = "turn",  [EMULATOR_REVERSED] = "reversed",
    [EMULATOR_AHEAD] = "ahead",  [EMULATOR_BEHIND] = "behind", [EMULATOR_RANDOM] = "random"};

enum emulator_order run_order(const struct run *run) {
    const struct emulator_options *options = &run->emulator->options;
    if (options->order != EMULATOR_BY_SEED) {
        return options->order;
    }
    return options->seed ? EMULATOR_RANDOM : EMULATOR_IN_TURN;
}

static void *allocate(size_t size) {
    void *memory = aligned_alloc(64, (size + 127) / 64 * 64);
    if (!memory) {
        out_of_memory(size);
    }
    return memory;
}

static void fill_constant(uint8_t *reg, const uint8_t *data, unsigned bytes, unsigned components,
                          unsigned lanes) {
    for (unsigned component = 0; component < components; component++) {
        for (unsigned lane = 0; lane < lanes; lane++, reg += bytes) {
            memcpy(reg, data + component * bytes, bytes);
        }
    }
}

static void warp_prepare(struct warp *warp, struct block *block, unsigned index) {
    const struct run *run = block->run;
    const struct kernel *kernel = run->kernel;
    warp->run = block->run;
    warp->block = block;
    warp->kernel = kernel;
    warp->index = (uint16_t)index;
    warp->rank = (uint8_t)(index / run->block_warps);
    warp->lanes = (uint8_t)run->emulator->lanes;
    warp->registers = allocate(kernel->register_bytes);
    memset(warp->registers, 0, kernel->register_bytes);
    warp->scratch = allocate(kernel->scratch_bytes);
    warp->local = allocate((size_t)kernel->local_bytes * warp->lanes);
    if (kernel->has_products) {
        warp->flights = allocate((kernel->slot_count + 1) * sizeof *warp->flights);
    }
    for (uint32_t i = 0; i < kernel->constant_count; i++) {
        const struct constant *constant = &kernel->constants[i];
        fill_constant(warp->registers + constant->reg, constant->data, constant->bytes, constant->components,
                      warp->lanes);
    }
}

// The arguments of the program's device.
static void warp_take_arguments(struct warp *warp, unsigned rank) {
    const struct run *run = warp->run;
    const struct kernel *kernel = run->kernel;
    for (uint32_t i = 0; i < kernel->parameter_count && !kernel->machine; i++) {
        const struct operand *parameter = &kernel->parameters[i];
        fill_constant(warp->registers + parameter->reg, (const uint8_t *)&run->argument_bits[rank][i],
                      parameter->shape.bytes, 1, warp->lanes);
    }
}

static size_t shared_bytes(const struct run *run) {
    return run->cluster > 1 ? (size_t)run->cluster * run->shared_span : run->shared_bytes;
}

static size_t chunk_count(const struct run *run) {
    return shared_bytes(run) / CHUNK + 1;
}

static size_t held_bytes(const struct run *run) {
    return chunk_count(run) * sizeof(struct held);
}

struct block *block_create(struct run *run) {
    struct block *block = calloc(1, sizeof *block);
    block->run = run;
    block->warp_count = run->warps;
    block->warps = calloc(run->warps, sizeof *block->warps);
    block->shared = allocate(shared_bytes(run));
    if (run->checks) {
        block->shadow = allocate(chunk_count(run) * CHUNK * sizeof *block->shadow);
        block->chunks = allocate(chunk_count(run) * sizeof *block->chunks);
        block->split = allocate(chunk_count(run) * sizeof *block->split);
    }
    if (run->kernel->has_agents && run->checks) {
        block->held = allocate(held_bytes(run));
    }
    if (run->kernel->has_products) {
        block->warpgroups = calloc(run->warps / WARPGROUP + 1, sizeof *block->warpgroups);
    }
    for (unsigned i = 0; i < run->warps; i++) {
        warp_prepare(&block->warps[i], block, i);
    }
    return block;
}

static void free_tmem(struct block *block) {
    if (block->tmem) {
        free(block->tmem->products);
        free(block->tmem->commits);
        free(block->tmem);
        block->tmem = NULL;
    }
}

void block_destroy(struct block *block) {
    if (!block) {
        return;
    }
    for (unsigned i = 0; i < block->warp_count; i++) {
        free(block->warps[i].registers);
        free(block->warps[i].scratch);
        free(block->warps[i].local);
        free(block->warps[i].pending);
        free(block->warps[i].flights);
        for (unsigned j = 0; j < block->warps[i].product_capacity; j++) {
            free(block->warps[i].products[j].values);
        }
        free(block->warps[i].products);
        free(block->warps[i].open_reads);
    }
    for (unsigned i = 0; block->warpgroups && i < block->warp_count / WARPGROUP; i++) {
        free(block->warpgroups[i].issues);
    }
    free(block->warpgroups);
    for (unsigned i = 0; i < block->store_count; i++) {
        free(block->stores[i].data);
    }
    free(block->stores);
    free(block->loads);
    free(block->answers);
    free_tmem(block);
    free(block->mbarriers);
    free(block->held);
    free(block->warps);
    free(block->shared);
    free(block->shadow);
    free(block->chunks);
    free(block->split);
    free(block);
}

void block_start(struct block *block, uint64_t program) {
    const struct run *run = block->run;
    const unsigned *grid = run->launch->grid;
    uint64_t own = program * run->cluster / run->ranks % run->grid_size; // on its device, in its launch
    block->program[0] = (uint32_t)(own % grid[0]);
    block->program[1] = (uint32_t)(own / grid[0] % grid[1]);
    block->program[2] = (uint32_t)(own / grid[0] / grid[1]);
    block->number = program;
    block->failed = block->stored = block->refused = block->took = false;
    block->answer_count = 0;
    memset(block->left, 0, sizeof block->left);
    block->random = (run->emulator->options.seed + program + 1) * 0x9e3779b97f4a7c15u;
    block->favourite = (unsigned)(random_next(&block->random) % block->warp_count);
    block->unfair = 0;
    memset(block->shared, 0xff, shared_bytes(run));
    if (block->shadow) {
        memset(block->chunks, 0, chunk_count(run) * sizeof *block->chunks);
        memset(block->split, 0, chunk_count(run) * sizeof *block->split);
    }
    if (block->held) {
        memset(block->held, 0, held_bytes(run));
    }
    for (unsigned i = 0; block->warpgroups && i < block->warp_count / WARPGROUP; i++) {
        block->warpgroups[i].count = 0;
    }
    free_tmem(block);
    block->mbarrier_count = block->load_count = block->landings = 0;
    memset(block->barriers, 0, sizeof block->barriers);
    for (unsigned i = 0; i < block->warp_count; i++) {
        warp_take_arguments(&block->warps[i], (unsigned)(program % run->ranks));
        warp_start(&block->warps[i]);
        publish_start(&block->warps[i]);
    }
}

static void report_deadlock(struct block *block) {
    struct warp *waiting = NULL;
    struct strbuf text = {0};
    for (unsigned i = 0; i < block->warp_count; i++) {
        const struct warp *warp = &block->warps[i];
        strbuf_printf(&text, "%s warp %u ", i ? "," : "", i);
        if (warp->state == WARP_DONE) {
            strbuf_add(&text, "has ended");
        } else {
            strbuf_add(&text, "waits in ");
            report_place_text(&text, &warp->kernel->code[warp->pc - 1]);
            if (warp->state == WARP_POLLING) {
                warp->wait->describe(warp, &text);
            }
            waiting = waiting ? waiting : &block->warps[i];
        }
    }
    report_at(waiting, &waiting->kernel->code[waiting->pc - 1], 0, FAULT_DEADLOCK, NULL, NULL,
              "no warp can go on:%s", strbuf_text(&text));
    strbuf_free(&text);
}

// Checks for warps of a warpgroup that have ended without operations the others did together: on a device the
// others would wait for ever.
static bool warpgroups_agree(struct block *block) {
    for (unsigned i = 0; i < block->warp_count; i++) {
        struct warp *warp = &block->warps[i], *first = &block->warps[i / WARPGROUP * WARPGROUP];
        // Loads of tensor memory are each warp's own.
        bool products = !block->tmem && warp->issued != first->issued;
        if (products || warp->register_changes != first->register_changes) {
            report_at(
                warp, &warp->kernel->code[warp->pc - 1], 0, FAULT_WARPGROUP, NULL, NULL,
                "warp %u ends after %u wgmma and %u setmaxnreg, warp %u after %u and %u: the warps of a "
                "warpgroup run them together",
                warp->index, warp->issued, warp->register_changes, first->index, first->issued,
                first->register_changes);
            return false;
        }
    }
    return true;
}

static bool goes_on(const struct warp *warp) {
    return warp->state == WARP_READY || warp->state == WARP_RUNNING;
}

static void give(struct block *block, struct warp *warp, uint64_t budget) {
    if (warp->state == WARP_READY) {
        warp->state = WARP_RUNNING;
    }
    if (warp->state == WARP_RUNNING && !block->failed) {
        warp_step(warp, budget);
    }
    block->failed |= warp->state == WARP_FAULT;
}

static void give_all(struct block *block, bool reversed) {
    unsigned count = block->warp_count;
    for (unsigned i = 0; i < count; i++) {
        give(block, &block->warps[reversed ? count - 1 - i : i], SLICE);
    }
}

static void give_at_random(struct block *block) {
    unsigned count = block->warp_count, first = (unsigned)(random_next(&block->random) % count);
    for (unsigned i = 0; i < count; i++) {
        uint64_t number = random_next(&block->random);
        uint64_t budget = number % 3 == 0 ? 0 : 1 + (number >> 8) % (number % 3 == 1 ? 8 : 256);
        give(block, &block->warps[(first + i) % count], budget);
    }
}

// True if the warp has read the same again and again: it gets no further before another one goes on.
static bool reads_in_vain(const struct warp *warp) {
    enum { MANY = 64 };
    return warp->vain >= MANY && warp->changes == warp->run->changes;
}

// Gives one warp a slice: the favourite if it leads and can run, another warp if the favourite is to stay
// behind. A warp may wait for memory written by another warp, so after many slices every warp gets one; at once if
// the one whose turn it is reads in vain.
static void give_unfairly(struct block *block, bool ahead) {
    struct warp *favourite = &block->warps[block->favourite], *other = NULL;
    unsigned others = 0;
    for (unsigned i = 0; i < block->warp_count; i++) {
        if (i != block->favourite && goes_on(&block->warps[i])) {
            other = other ? other : &block->warps[i];
            others++;
        }
    }
    struct warp *next = goes_on(favourite) && (ahead || !other) ? favourite : other;
    bool alone = others + goes_on(favourite) < 2;
    if (!alone && (++block->unfair == PATIENCE || reads_in_vain(next))) {
        block->unfair = 0;
        give_all(block, false);
    } else if (next) {
        give(block, next, SLICE);
    }
}

static void give_turns(struct block *block) {
    enum emulator_order order = run_order(block->run);
    switch (order) {
    case EMULATOR_AHEAD:
    case EMULATOR_BEHIND:
        give_unfairly(block, order == EMULATOR_AHEAD);
        return;
    case EMULATOR_RANDOM:
        give_at_random(block);
        return;
    default:
        give_all(block, order == EMULATOR_REVERSED);
    }
}

static void wake(struct block *block) {
    for (unsigned i = 0; i < block->warp_count; i++) {
        struct warp *warp = &block->warps[i];
        if (warp->state != WARP_POLLING || !warp->wait->ready(warp)) {
            continue;
        }
        warp->state = WARP_READY;
        warp->pc--;
    }
}

// Warps that have ended no longer count at the cluster's barrier, and nothing may be on its way to a block that has.
static void look_at_cluster(struct block *block) {
    cluster_check(block);
    for (unsigned rank = 0; rank < block->run->cluster; rank++) {
        if (block->left[rank] || !block_has_ended(block, rank)) {
            continue;
        }
        block->left[rank] = true;
        tensor_leave(block, rank);
        if (block->tmem) {
            block->tmem->leave(block, rank);
        }
    }
}

bool block_round(struct block *block) {
    unsigned done = 0, running = 0, count = block->warp_count;
    give_turns(block);
    if (block->run->cluster > 1) {
        look_at_cluster(block);
    }
    wake(block);
    if (block->failed) {
        return true;
    }
    for (unsigned i = 0; i < count; i++) {
        done += block->warps[i].state == WARP_DONE;
        running += goes_on(&block->warps[i]);
    }
    // AMD: a wave no longer counts at the barrier once it has ended (CDNA3 ISA, S_BARRIER).
    if (!running && done && done < count && block->run->emulator->amd && block->barriers[0].expected) {
        block->barriers[0].expected = count - done;
        barrier_check(block, 0);
        return false;
    }
    if (!running && done < count) {
        report_deadlock(block);
        block->failed = true;
        return true;
    }
    if (done == count) {
        launch_end(block);
        tensor_end(block);
        if (block->tmem) {
            block->tmem->end(block);
        }
        block->failed |= !warpgroups_agree(block);
    }
    return done == count;
}
