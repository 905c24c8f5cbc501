// The memory of a run in the emulator: arrays and scalars of each rank, and arrays of the ranks' addresses.
//
// Each rank has arrays of its own, one behind the other in an argument's array. An array of addresses is made for
// each rank; the emulator fills it, because it alone knows addresses.
#include <stdlib.h>
#include <string.h>

#include "emulate.h"
#include "memory.h"

struct emulated_memory {
    unsigned ranks;
    // Of each argument of the command line, by rank.
    struct emulator_buffer (*arrays)[RUN_ARGUMENTS];
    struct emulator_buffer *(*peers)[RUN_ARGUMENTS]; // [rank][argument]: the arrays' buffers
    struct emulator_buffer **lists[RUN_ARGUMENTS];   // the same by argument
    struct emulator_buffer (*tables)[RUN_ARGUMENTS];
    struct emulator_argument *arguments;
    struct emulated_hidden *hidden;
    char *names[64][RUN_ARGUMENTS];
};

// A code object gives the size of a scalar, not its type.
static const struct element_type *scalar_type(const struct kernel_parameter *parameter,
                                              const struct run_argument *argument) {
    const char *name = argument->is_integer ? "i64" : "fp32";
    return parameter->dtype  ? parameter->dtype
           : argument->dtype ? argument->dtype
                             : element_type_find(name, strlen(name));
}

static struct emulator_buffer *take_buffer(struct emulated_memory *memory, struct settings *settings,
                                           const struct run_argument *owner, unsigned rank) {
    const struct array *array = &owner->array;
    unsigned slot = (unsigned)(owner - settings->arguments);
    size_t bytes = array_bytes(array) / memory->ranks;
    if (array->data && array->empty && !settings->emulator.no_checks && !settings->written[slot]) {
        settings->written[slot] = settings->shown[slot] = calloc(array_bytes(array) + 16, 1);
    }
    const char *name = owner->name;
    if (memory->ranks > 1 && !memory->names[rank][slot]) {
        memory->names[rank][slot] = message("%s@%u", owner->name, rank);
    }
    name = memory->ranks > 1 ? memory->names[rank][slot] : name;
    uint8_t *written = settings->written[slot];
    memory->arrays[rank][slot] =
        (struct emulator_buffer){name,
                                 array->data ? (char *)array->data + bytes * rank : NULL,
                                 bytes,
                                 array->dtype->bits,
                                 array->empty,
                                 false,
                                 written ? written + bytes * rank : NULL};
    return &memory->arrays[rank][slot];
}

// An array of the addresses of the ranks' arrays, in this rank's memory.
static void take_addresses(struct emulated_memory *memory, struct settings *settings,
                           const struct run_argument *owner, unsigned rank,
                           struct emulator_argument *argument) {
    unsigned slot = (unsigned)(owner - settings->arguments);
    if (!memory->lists[slot]) {
        memory->lists[slot] = calloc(memory->ranks, sizeof *memory->lists[slot]);
        for (unsigned r = 0; r < memory->ranks; r++) {
            memory->lists[slot][r] = take_buffer(memory, settings, owner, r);
        }
    }
    size_t bytes = sizeof(uint64_t) * memory->ranks;
    memory->tables[rank][slot] = (struct emulator_buffer){
        owner->name, aligned_alloc(64, (bytes + 63) / 64 * 64), bytes, 64, false, true, NULL};
    argument->buffer = &memory->tables[rank][slot];
    argument->peers = memory->lists[slot];
}

static void take_argument(struct emulated_memory *memory, struct settings *settings,
                          const struct kernel_parameter *parameter, const struct run_argument *given,
                          unsigned rank, struct emulator_argument *argument, int64_t *number) {
    *argument = (struct emulator_argument){.name = parameter->name};
    if (!parameter->pointer) {
        *number = given->is_rank ? rank : given->integer;
        argument->bits =
            scalar_bits(scalar_type(parameter, given), given->is_rank ? rank : given->number, *number);
        return;
    }
    const struct run_argument *owner = given->base ? given->base : given;
    unsigned slot = (unsigned)(owner - settings->arguments);
    if (given->addresses) {
        take_addresses(memory, settings, owner, rank, argument);
        return;
    }
    argument->buffer = take_buffer(memory, settings, owner, rank);
    argument->late = given->late;
    argument->offset = (size_t)((char *)given->array.data - (char *)owner->array.data);
    *number = (int64_t)argument->offset;
    if (given->base && settings->written[slot]) {
        settings->shown[given - settings->arguments] = settings->written[slot] + argument->offset;
    }
}

struct emulated_memory *emulated_memory(const struct settings *settings) {
    struct emulated_memory *memory = calloc(1, sizeof *memory);
    memory->ranks = settings->ranks;
    memory->arrays = calloc(memory->ranks, sizeof *memory->arrays);
    memory->tables = calloc(memory->ranks, sizeof *memory->tables);
    memory->hidden = calloc(memory->ranks, sizeof *memory->hidden);
    memory->arguments =
        calloc((size_t)memory->ranks * (RUN_ARGUMENTS + EMULATED_HIDDEN), sizeof *memory->arguments);
    return memory;
}

const char *emulated_launch(struct emulated_memory *memory, struct settings *settings,
                            const struct kernel_program *program, struct run_argument *const *bound,
                            const unsigned *grid, struct emulator_launch *launch) {
    unsigned count = program->parameter_count + (unsigned)program->hidden_count;
    for (unsigned rank = 0; rank < memory->ranks; rank++) {
        struct emulator_argument *arguments = memory->arguments + (size_t)rank * count;
        int64_t numbers[RUN_ARGUMENTS] = {0};
        for (unsigned i = 0; i < program->parameter_count; i++) {
            take_argument(memory, settings, &program->parameters[i], bound[i], rank, &arguments[i],
                          &numbers[i]);
        }
        *launch = (struct emulator_launch){
            .kernel = program->name,
            .arguments = memory->arguments,
            .argument_count = program->parameter_count,
            .grid = {grid[0], grid[1], grid[2]},
            .threads = program->threads,
            // A program compiled by this tkc-run carries its own size.
            .shared_bytes = settings->machine && !program->given_object ? 0 : program->shared_bytes,
            .ranks = memory->ranks,
            .launches = settings->launches};
        const char *wrong =
            emulate_hidden(program->hidden, program->hidden_count,
                           (struct emulated_blocks){program->dealing, settings->multiprocessors}, numbers,
                           arguments, launch, &memory->hidden[rank]);
        if (wrong) {
            return wrong;
        }
    }
    return NULL;
}

void emulated_memory_free(struct emulated_memory *memory) {
    for (unsigned rank = 0; rank < memory->ranks; rank++) {
        for (unsigned i = 0; i < RUN_ARGUMENTS; i++) {
            free(memory->names[rank][i]);
            free(memory->tables[rank][i].data);
        }
    }
    for (unsigned i = 0; i < RUN_ARGUMENTS; i++) {
        free(memory->lists[i]);
    }
    free(memory->arrays);
    free(memory->tables);
    free(memory->hidden);
    free(memory->arguments);
    free(memory);
}
