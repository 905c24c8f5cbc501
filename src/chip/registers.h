// Registers of a thread: how many a value takes, how many each thread gets, how many blocks share a multiprocessor.
//
// A multiprocessor has target->registers_per_sm registers of 32 bits. Its blocks take equal parts of them, and the threads of
// a block equal parts of its part. Each thread addresses target->registers_per_thread of them at most.
#ifndef TKC_CHIP_REGISTERS_H
#define TKC_CHIP_REGISTERS_H

#include <stdbool.h>
#include <mlir-c/IR.h>

#include "chip/target.h"
#include "ir/context.h"

// ---- what a value takes ----

// Registers of a thread that hold its part of a tile, rounded up. Scalars and handles of shared memory: 1.
unsigned registers_of(struct ir *ir, MlirValue value);
// The same rounded down: tiles of less than a register take none. For sums over tiles that are large or do not matter.
unsigned registers_filled(struct ir *ir, MlirValue value);
// Registers of each of so many threads that a tile takes without replicas, rounded down. Needs no layout.
unsigned registers_spread(MlirType tile, unsigned threads);

// Registers that a decision leaves for values that it does not count: a row of reserves.def.
enum reserve_id {
#define RESERVE(name, ...) RESERVE_##name,
#include "chip/reserves.def"
#undef RESERVE
    RESERVE_COUNT
};
struct reserve {
    const char *name;
    unsigned registers;
    const char *chips, *purpose, *found, *day;
};
extern const struct reserve reserve_table[RESERVE_COUNT];
unsigned registers_reserved(enum reserve_id reserve);

// ---- what a thread gets ----

enum {
    REGISTERS_UNIT = 8,            // threads get registers in eights
    REGISTERS_MOST_CONSUMER = 240, // setmaxnreg, with 24 for the producer: more waits for ever
};

// The equal part of a thread where so many blocks of so many warps share a multiprocessor: more than a thread can address
// where blocks are small.
unsigned registers_part(const struct target *target, unsigned warps, unsigned blocks);
// The same, as far as a thread can address it.
unsigned registers_share(const struct target *target, unsigned warps, unsigned blocks);
// How many blocks of so many warps a multiprocessor holds if each of their threads takes `each` registers.
unsigned registers_blocks(const struct target *target, unsigned warps, unsigned each);
// Rounded to whole units.
unsigned registers_rounded_up(unsigned registers);
unsigned registers_rounded_down(unsigned registers);

// Blocks of a producing warpgroup and `num_warps` consuming warps: by setmaxnreg the producer keeps few registers, and the
// consumers divide the rest.
struct registers_specialised {
    unsigned producer, consumer, launched; // of a thread; launched: what each has at first
};
// A slim producer leaves more to two consumers: it costs chains of two dots 1 to 2 %, and is worth that much where more
// dots leave the consumers short (H200).
struct registers_specialised registers_specialised(const struct target *target, unsigned num_warps, bool slim,
                                                   unsigned blocks);

#endif
