// Occupancy: the blocks of a kernel on a multiprocessor at the same time, by the chip table.
#ifndef TKC_CHIP_OCCUPANCY_H
#define TKC_CHIP_OCCUPANCY_H

#include "chip/target.h"
#include "support/strbuf.h"

// The needs of one block.
struct occupancy_need {
    unsigned threads;
    unsigned registers;    // of a thread: vector registers
    unsigned accumulators; // of a thread: the part of `registers` for matrix instructions alone (AMD)
    unsigned scalars;      // of a warp (AMD)
    unsigned shared;       // bytes
    unsigned launched;     // blocks given to a multiprocessor by a launch; 0: as many as it has room for
};

enum occupancy_limit {
#define LIMIT(id, name) OCCUPANCY_BY_##id,
#include "chip/occupancy.def"
#undef LIMIT
};
const char *occupancy_limit_name(enum occupancy_limit limit);

struct occupancy {
    unsigned blocks;            // on a multiprocessor (AMD: on one compute unit)
    unsigned warps, most;       // of these blocks, and the room of a multiprocessor
    enum occupancy_limit limit; // the first of the following
    unsigned limits;            // a bit for each without room for one more block
};

struct occupancy occupancy_of(const struct target *target, const struct occupancy_need *need);
// Adds the names of all limits: "registers, shared memory"; "nothing".
void occupancy_add_limits(const struct occupancy *occupancy, struct strbuf *out);
double occupancy_percent(const struct occupancy *occupancy);

#endif
