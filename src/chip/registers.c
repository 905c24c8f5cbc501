// Registers of a thread, counted from layouts and divided between threads. Decisions have no constants of
// their own: a chip's numbers are columns of targets.def, reserves are rows of reserves.def.
//
// Test: tests/unit/test_registers.c
#include "chip/registers.h"

#include "dialects/tk/layout.h"
#include "dialects/tk/tk.h"

enum { REGISTER_BITS = 32 };

// Bits of the thread's part of the tile; 0 for scalars and handles.
static unsigned bits_of_thread(struct ir *ir, MlirValue value) {
    MlirType type = mlirValueGetType(value);
    const struct layout *layout = type_is_tensor(type) ? type_layout(ir, type) : NULL;
    return layout && !type_is_shared(ir, type) ? layout_registers(layout) * type_bits(type_element(type)) : 0;
}

unsigned registers_of(struct ir *ir, MlirValue value) {
    unsigned bits = bits_of_thread(ir, value);
    return bits > 0 ? (bits + REGISTER_BITS - 1) / REGISTER_BITS : 1;
}

unsigned registers_filled(struct ir *ir, MlirValue value) {
    unsigned bits = bits_of_thread(ir, value);
    return bits > 0 ? bits / REGISTER_BITS : 1;
}

unsigned registers_spread(MlirType tile, unsigned threads) {
    uint64_t bits = (uint64_t)type_elements(tile) * type_bits(type_element(tile));
    return (unsigned)(bits / REGISTER_BITS / threads);
}

const struct reserve reserve_table[RESERVE_COUNT] = {
#define RESERVE(name, registers, chips, purpose, found, day)                                                 \
    [RESERVE_##name] = {#name, registers, chips, purpose, found, day},
#include "chip/reserves.def"
#undef RESERVE
};

unsigned registers_reserved(enum reserve_id reserve) {
    return reserve_table[reserve].registers;
}

unsigned registers_part(const struct target *target, unsigned warps, unsigned blocks) {
    return target->registers_per_sm / (blocks * warps * target->warp_size);
}

unsigned registers_share(const struct target *target, unsigned warps, unsigned blocks) {
    unsigned part = registers_part(target, warps, blocks);
    return part < target->registers_per_thread ? part : target->registers_per_thread;
}

unsigned registers_blocks(const struct target *target, unsigned warps, unsigned each) {
    return target->registers_per_sm / (each * warps * target->warp_size);
}

unsigned registers_rounded_down(unsigned registers) {
    return registers / REGISTERS_UNIT * REGISTERS_UNIT;
}

unsigned registers_rounded_up(unsigned registers) {
    return registers_rounded_down(registers + REGISTERS_UNIT - 1);
}

enum producer registers_producer(MlirOperation function) {
    bool slim = op_has(function, ATTR_SLIM_PRODUCER);
    return op_has(function, ATTR_GATHERS)               ? slim ? PRODUCER_GATHERS_SLIM : PRODUCER_GATHERS
           : slim                                       ? PRODUCER_SLIM
           : op_has(function, ATTR_MANY_BOXES)          ? PRODUCER_MANY_BOXES
           : op_int(function, ATTR_PRODUCER_WARPS) == 1 ? PRODUCER_WARP
                                                        : PRODUCER_COPIES;
}

struct registers_specialised registers_specialised(const struct target *target, unsigned num_warps,
                                                   enum producer producer, unsigned blocks) {
    enum { PRODUCER = 40, SLIM = 24, GATHERS = 64, GATHERS_SLIM = 32, PRODUCER_OF_MANY = 32 };
    enum { MANY_CONSUMERS = 3 };
    if (producer == PRODUCER_WARP) { // the fullest partition decides
        unsigned warps = (blocks * (num_warps + 1) + target->partitions - 1) / target->partitions;
        unsigned each = registers_rounded_down(registers_share(target, warps * target->partitions, 1));
        return (struct registers_specialised){each, each, each};
    }
    unsigned consumers = num_warps / WGMMA_WARPS;
    unsigned launched = registers_rounded_down(registers_part(target, num_warps + WGMMA_WARPS, blocks));
    bool gathers =
        producer == PRODUCER_GATHERS || producer == PRODUCER_GATHERS_SLIM || producer == PRODUCER_MANY_BOXES;
    unsigned few = producer == PRODUCER_GATHERS_SLIM && blocks > 1 ? GATHERS_SLIM
                   : gathers                                       ? GATHERS
                   : consumers >= MANY_CONSUMERS                   ? PRODUCER_OF_MANY
                   : producer == PRODUCER_SLIM || blocks > 1       ? SLIM
                                                                   : PRODUCER;
    few = few < launched ? few : SLIM;
    unsigned rest = registers_rounded_down((launched * (consumers + 1) - few) / consumers);
    unsigned many = rest > REGISTERS_MOST_CONSUMER ? REGISTERS_MOST_CONSUMER : rest;
    return (struct registers_specialised){few, many, launched};
}
