// Registers of a thread: the need of a value, the share of each thread, the blocks on a multiprocessor.
//
// A multiprocessor has target->registers_per_sm registers of 32 bits. Its blocks take equal parts of them, and the threads of
// a block equal parts of its part. Each thread addresses target->registers_per_thread of them at most.
#ifndef TKC_CHIP_REGISTERS_H
#define TKC_CHIP_REGISTERS_H

#include <stdbool.h>
#include <mlir-c/IR.h>

#include "chip/target.h"
#include "ir/context.h"

// ---- the need of a value ----

// Registers of a thread for its part of a tile, rounded up. Scalars and handles of shared memory: 1.
unsigned registers_of(struct ir *ir, MlirValue value);
// The same rounded down: tiles below one register count as none. For sums over large tiles, where small ones
// do not matter.
unsigned registers_filled(struct ir *ir, MlirValue value);
// Registers for a tile spread over `threads` threads without replicas, rounded down. Needs no layout.
unsigned registers_spread(MlirType tile, unsigned threads);

// Registers kept free by a decision for values it does not count: a row of reserves.def.
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

// ---- the share of a thread ----

enum {
    REGISTERS_UNIT = 8,            // threads get registers in eights
    REGISTERS_MOST_CONSUMER = 240, // limit for setmaxnreg, with 24 for the producer: more waits for ever
};

// The equal part of a thread if `blocks` blocks of `warps` warps share a multiprocessor. For small blocks it
// exceeds the registers addressable by a thread.
unsigned registers_part(const struct target *target, unsigned warps, unsigned blocks);
// The same, limited to the registers addressable by a thread.
unsigned registers_share(const struct target *target, unsigned warps, unsigned blocks);
// The number of blocks of `warps` warps on a multiprocessor, with `each` registers a thread.
unsigned registers_blocks(const struct target *target, unsigned warps, unsigned each);
// Rounded to whole units.
unsigned registers_rounded_up(unsigned registers);
unsigned registers_rounded_down(unsigned registers);

// The division of registers between a producer warpgroup and `num_warps` consumer warps, by setmaxnreg: the
// producer keeps few registers, and the consumers divide the rest.
struct registers_specialised {
    unsigned producer, consumer, launched; // a thread's registers; launched: before setmaxnreg
};
// A producer's use of its registers. A slim one leaves more to two consumers: it slows chains of two dots
// by 1 to 2 %, and speeds up as much for more dots, with consumers short of registers (H200). One that gathers
// holds addresses of its own in each thread; beside a chain of dots in several blocks it computes them one at a time, so that consumers do
// not spill. A producer of one warp leaves no registers to others: setmaxnreg works by warpgroup.
enum producer {
    PRODUCER_COPIES,
    PRODUCER_SLIM,
    PRODUCER_MANY_BOXES,
    PRODUCER_GATHERS,
    PRODUCER_GATHERS_SLIM,
    PRODUCER_WARP
};
enum producer registers_producer(MlirOperation function); // from its attributes
struct registers_specialised registers_specialised(const struct target *target, unsigned num_warps,
                                                   enum producer producer, unsigned blocks);

#endif
