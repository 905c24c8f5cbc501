// A run: the grid's programs are dealt to the host's threads one by one. A host thread keeps a program until
// it ends; one that goes on for long (it may wait for another program) is set aside in turns while more
// programs are started, as on a GPU, where many are resident.
#include "emulator/machine/machine.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "support/diag.h"
#include "support/strbuf.h"

enum { SLICE = 4096, TURN = 512, RESIDENT_LIMIT = 64 };

struct worker {
    struct run *run;
    pthread_t thread;
    struct block *resident[RESIDENT_LIMIT];
    unsigned resident_count;
    struct block *spare; // the memory of the last program that ended
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void run_stop(struct run *run, enum emulator_status status) {
    int none = 0;
    atomic_compare_exchange_strong(&run->stop, &none, (int)status + 1);
}

static void *allocate(size_t size) {
    void *memory = aligned_alloc(64, (size + 127) / 64 * 64);
    if (!memory)
        bug("out of memory (%zu bytes asked)", size);
    return memory;
}

static void fill_constant(uint8_t *reg, const uint8_t *data, unsigned bytes, unsigned components,
                          unsigned lanes) {
    for (unsigned component = 0; component < components; component++)
        for (unsigned lane = 0; lane < lanes; lane++, reg += bytes)
            memcpy(reg, data + component * bytes, bytes);
}

static void warp_prepare(struct warp *warp, struct block *block, unsigned index) {
    const struct run *run = block->run;
    const struct kernel *kernel = run->kernel;
    warp->run = block->run;
    warp->block = block;
    warp->kernel = kernel;
    warp->index = (uint16_t)index;
    warp->lanes = (uint8_t)run->emulator->lanes;
    warp->registers = allocate(kernel->register_bytes);
    memset(warp->registers, 0, kernel->register_bytes);
    warp->scratch = allocate(kernel->scratch_bytes);
    warp->local = allocate((size_t)kernel->local_bytes * warp->lanes);
    for (uint32_t i = 0; i < kernel->constant_count; i++) {
        const struct constant *constant = &kernel->constants[i];
        fill_constant(warp->registers + constant->reg, constant->data, constant->bytes, constant->components,
                      warp->lanes);
    }
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        const struct operand *parameter = &kernel->parameters[i];
        fill_constant(warp->registers + parameter->reg, (const uint8_t *)&run->argument_bits[i],
                      parameter->shape.bytes, 1, warp->lanes);
    }
}

static struct block *block_create(struct run *run) {
    struct block *block = calloc(1, sizeof *block);
    block->run = run;
    block->warp_count = run->warps;
    block->warps = calloc(run->warps, sizeof *block->warps);
    block->shared = allocate(run->shared_bytes);
    block->shadow = run->checks ? allocate((size_t)run->shared_bytes * sizeof *block->shadow) : NULL;
    for (unsigned i = 0; i < run->warps; i++)
        warp_prepare(&block->warps[i], block, i);
    return block;
}

static void block_destroy(struct block *block) {
    if (!block)
        return;
    for (unsigned i = 0; i < block->warp_count; i++) {
        free(block->warps[i].registers);
        free(block->warps[i].scratch);
        free(block->warps[i].local);
        free(block->warps[i].pending);
    }
    free(block->warps);
    free(block->shared);
    free(block->shadow);
    free(block);
}

static void block_start(struct block *block, uint64_t program) {
    const struct run *run = block->run;
    const unsigned *grid = run->launch->grid;
    block->program[0] = (uint32_t)(program % grid[0]);
    block->program[1] = (uint32_t)(program / grid[0] % grid[1]);
    block->program[2] = (uint32_t)(program / grid[0] / grid[1]);
    block->failed = false;
    block->random = (run->emulator->options.seed + program + 1) * 0x9e3779b97f4a7c15u;
    memset(block->shared, 0xff, run->shared_bytes);
    if (block->shadow)
        memset(block->shadow, 0, (size_t)run->shared_bytes * sizeof *block->shadow);
    memset(block->barriers, 0, sizeof block->barriers);
    for (unsigned i = 0; i < block->warp_count; i++)
        warp_start(&block->warps[i]);
}

static uint64_t random_next(struct block *block) { // splitmix64
    uint64_t z = block->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
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
            report_place_text(&text, warp->kernel->code[warp->pc - 1].value);
            waiting = waiting ? waiting : &block->warps[i];
        }
    }
    report_at(waiting, &waiting->kernel->code[waiting->pc - 1], 0, "deadlock", NULL, NULL,
              "no warp can go on:%s", strbuf_text(&text));
    strbuf_free(&text);
}

// One round over the warps. True when the program has ended.
static bool block_round(struct block *block) {
    const struct emulator_options *options = &block->run->emulator->options;
    unsigned done = 0, running = 0, count = block->warp_count;
    unsigned first = options->seed ? (unsigned)(random_next(block) % count) : 0;
    for (unsigned i = 0; i < count; i++) {
        struct warp *warp = &block->warps[(first + i) % count];
        uint64_t budget = SLICE;
        if (options->seed) {
            uint64_t number = random_next(block);
            budget = number % 3 == 0 ? 0 : 1 + (number >> 8) % (number % 3 == 1 ? 8 : 256);
        }
        if (warp->state == WARP_RUNNING)
            warp_step(warp, budget);
        if (warp->state == WARP_FAULT) {
            block->failed = true;
            run_stop(block->run, EMULATOR_STOPPED);
            return true;
        }
    }
    for (unsigned i = 0; i < count; i++) {
        done += block->warps[i].state == WARP_DONE;
        running += block->warps[i].state == WARP_RUNNING;
    }
    // AMD: a wave that has ended no longer counts at the barrier (CDNA3 ISA, S_BARRIER).
    if (!running && done && done < count && block->run->emulator->amd && block->barriers[0].expected) {
        block->barriers[0].expected = count - done;
        barrier_check(block, 0);
        return false;
    }
    if (!running && done < count) {
        report_deadlock(block);
        block->failed = true;
        run_stop(block->run, EMULATOR_STOPPED);
        return true;
    }
    return done == count;
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
    pthread_mutex_lock(&run->lock);
    for (unsigned i = 0; i < block->warp_count; i++)
        add_statistics(&run->statistics, &block->warps[i].statistics);
    const struct emulator_options *options = &run->emulator->options;
    if (options->progress)
        options->progress(options->progress_user, done, run->program_count);
    pthread_mutex_unlock(&run->lock);
    if (worker->spare)
        block_destroy(block);
    else
        worker->spare = block;
}

static bool start_program(struct worker *worker) {
    struct run *run = worker->run;
    if (worker->resident_count == RESIDENT_LIMIT)
        return false;
    uint64_t program = atomic_fetch_add(&run->next_program, 1);
    if (program >= run->program_count)
        return false;
    struct block *block = worker->spare ? worker->spare : block_create(run);
    worker->spare = NULL;
    block_start(block, program);
    worker->resident[worker->resident_count++] = block;
    return true;
}

static bool stopping(struct run *run) {
    const struct emulator_options *options = &run->emulator->options;
    if (options->stop && *options->stop)
        run_stop(run, EMULATOR_INTERRUPTED);
    else if (run->deadline > 0 && now() > run->deadline)
        run_stop(run, EMULATOR_TIMEOUT);
    return atomic_load(&run->stop) != 0;
}

static void *worker_main(void *argument) {
    struct worker *worker = argument;
    struct run *run = worker->run;
    unsigned turn = 0;
    while (!stopping(run) && (worker->resident_count > 0 || start_program(worker))) {
        if (turn >= worker->resident_count)
            turn = 0;
        struct block *block = worker->resident[turn];
        bool ended = false;
        for (unsigned round = 0; round < TURN && !ended && !stopping(run); round++)
            ended = block_round(block);
        if (ended) {
            block_end(worker, turn);
            continue;
        }
        start_program(worker);
        turn++;
    }
    bool hung = atomic_load(&run->stop) != EMULATOR_STOPPED + 1;
    for (unsigned i = 0; i < worker->resident_count; i++) {
        if (i < 4 && hung)
            report_warps(worker->resident[i]);
        block_destroy(worker->resident[i]);
    }
    block_destroy(worker->spare);
    return NULL;
}

// ---- setting up ----

static bool refuse(struct emulator_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool refuse(struct emulator_result *result, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    result->status = EMULATOR_REFUSED;
    result->message = strdup(text);
    return false;
}

static unsigned region_of(struct run *run, struct emulator_buffer *buffer) {
    for (unsigned i = 0; i < run->region_count; i++)
        if (run->regions[i].buffer == buffer)
            return i;
    uint8_t *written = buffer->written;
    if (!written && run->checks && buffer->poisoned)
        written = calloc(buffer->size + 16, 1);
    run->regions[run->region_count] = (struct region){buffer,       buffer->name ? buffer->name : "argument",
                                                      buffer->data, run->checks ? written : NULL,
                                                      buffer->size, buffer->read_only};
    return run->region_count++;
}

static bool bind_arguments(struct run *run, struct emulator_result *result) {
    const struct emulator_launch *launch = run->launch;
    const struct kernel *kernel = run->kernel;
    if (launch->argument_count != kernel->parameter_count || launch->argument_count > 64)
        return refuse(result, "kernel '%s' takes %u arguments, %u were given", kernel->name,
                      kernel->parameter_count, launch->argument_count);
    for (unsigned i = 0; i < launch->argument_count; i++) {
        const struct emulator_argument *argument = &launch->arguments[i];
        bool pointer = kernel->parameters[i].shape.kind == ELEMENT_POINTER;
        if (pointer && !argument->buffer && argument->bits)
            return refuse(result, "argument '%s' of '%s' is a pointer, and a scalar was given",
                          argument->name, kernel->name);
        if (!pointer && argument->buffer)
            return refuse(result, "argument '%s' of '%s' is a scalar, and an array was given", argument->name,
                          kernel->name);
        run->argument_bits[i] = argument->bits;
        if (argument->buffer)
            run->argument_bits[i] =
                ((uint64_t)(region_of(run, argument->buffer) + 1) << REGION_SHIFT) + argument->offset;
    }
    return true;
}

// AMD's implicit arguments, code object version 5 (LLVM's AMDGPU usage guide, "hidden_block_count_x" …): 256
// bytes.
static void add_implicit_arguments(struct run *run, uint8_t *implicit) {
    memset(implicit, 0, 256);
    for (unsigned i = 0; i < 3; i++) {
        uint32_t count = run->launch->grid[i];
        uint16_t size = (uint16_t)(i == 0 ? run->threads : 1);
        memcpy(implicit + 4 * i, &count, 4);
        memcpy(implicit + 12 + 2 * i, &size, 2);
    }
    uint16_t dimensions = 3;
    memcpy(implicit + 64, &dimensions, 2);
    run->regions[run->region_count++] =
        (struct region){NULL, "implicit arguments", implicit, NULL, 256, true};
    run->implicit_address = (uint64_t)run->region_count << REGION_SHIFT;
}

static struct kernel *find_kernel(struct emulator *emulator, const char *name) {
    for (struct kernel *kernel = emulator->kernels; kernel; kernel = kernel->next)
        if (!name || !strcmp(kernel->name, name))
            return kernel;
    return NULL;
}

static bool prepare(struct run *run, struct emulator_result *result, uint8_t *implicit) {
    struct emulator *emulator = run->emulator;
    const struct emulator_launch *launch = run->launch;
    run->kernel = find_kernel(emulator, launch->kernel);
    if (!run->kernel)
        return refuse(result, "the module has no kernel '%s'", launch->kernel ? launch->kernel : "");
    run->threads = launch->threads ? launch->threads : run->kernel->required_threads;
    if (run->threads == 0 || run->threads > 1024)
        return refuse(result, "kernel '%s' has %u threads; 1 to 1024 can run", run->kernel->name,
                      run->threads);
    run->warps = (run->threads + emulator->lanes - 1) / emulator->lanes;
    run->shared_bytes = emulator->shared_static + (emulator->amd ? 0 : (uint32_t)launch->shared_bytes);
    run->program_count = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    run->regions = calloc(emulator->global_count + launch->argument_count + 2, sizeof *run->regions);
    for (unsigned i = 0; i < emulator->global_count; i++) {
        const struct module_global *global = &emulator->globals[i];
        if (global->space == SPACE_SHARED)
            continue;
        size_t length;
        run->regions[run->region_count++] = (struct region){
            NULL, LLVMGetValueName2(global->value, &length), global->data, NULL, global->size, false};
    }
    if (!bind_arguments(run, result))
        return false;
    add_implicit_arguments(run, implicit);
    return true;
}

static void execute(struct run *run) {
    unsigned count = run->emulator->options.workers;
    if (count == 0)
        count = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    if (count > run->program_count)
        count = (unsigned)run->program_count;
    struct worker *workers = calloc(count + 1, sizeof *workers);
    for (unsigned i = 0; i < count; i++)
        workers[i].run = run;
    for (unsigned i = 1; i < count; i++)
        if (pthread_create(&workers[i].thread, NULL, worker_main, &workers[i]))
            bug("cannot start a thread");
    if (count)
        worker_main(&workers[0]);
    for (unsigned i = 1; i < count; i++)
        pthread_join(workers[i].thread, NULL);
    free(workers);
}

bool emulator_run(struct emulator *emulator, const struct emulator_launch *launch,
                  struct emulator_result *result) {
    uint8_t implicit[256] __attribute__((aligned(16)));
    struct run run = {.emulator = emulator, .launch = launch, .checks = !emulator->options.no_checks};
    double start = now();
    memset(result, 0, sizeof *result);
    pthread_mutex_init(&run.lock, NULL);
    if (emulator->options.timeout_seconds > 0)
        run.deadline = start + emulator->options.timeout_seconds;
    bool ready = prepare(&run, result, implicit);
    if (ready) {
        execute(&run);
        int stop = atomic_load(&run.stop);
        result->status = stop ? (enum emulator_status)(stop - 1) : EMULATOR_DONE;
        result->message = run.places;
        report_finish(&run, result);
        result->statistics = run.statistics;
        result->programs_done = atomic_load(&run.programs_done);
    }
    for (unsigned i = 0; i < run.region_count; i++)
        if (run.regions[i].written && run.regions[i].written != run.regions[i].buffer->written)
            free(run.regions[i].written);
    free(run.regions);
    pthread_mutex_destroy(&run.lock);
    result->seconds = now() - start;
    return ready && result->status == EMULATOR_DONE && result->report_count == 0;
}

void emulator_result_free(struct emulator_result *result) {
    for (unsigned i = 0; i < result->report_count; i++) {
        free((char *)result->reports[i].text);
        free((char *)result->reports[i].file);
    }
    free(result->reports);
    free(result->message);
    memset(result, 0, sizeof *result);
}
