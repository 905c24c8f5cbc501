// Occupancy: the blocks of a kernel that a multiprocessor runs at the same time, by the chip table.
#ifndef TKC_CHIP_OCCUPANCY_H
#define TKC_CHIP_OCCUPANCY_H

#include "chip/target.h"
#include "support/strbuf.h"

// The needs of one block.
struct occupancy_need {
    unsigned threads;
    unsigned registers;    // of a thread: vector registers
    unsigned accumulators; // of a thread: of `registers`, those that only matrix instructions use (AMD)
    unsigned scalars;      // of a warp (AMD)
    unsigned shared;       // bytes
    unsigned launched;     // blocks that a launch gives a multiprocessor; 0: as many as there is room for
};

enum occupancy_limit {
#define LIMIT(id, name) OCCUPANCY_BY_##id,
#include "chip/occupancy.def"
#undef LIMIT
};
const char *occupancy_limit_name(enum occupancy_limit limit);

struct occupancy {
    unsigned blocks;            // on a multiprocessor (AMD: on one compute unit)
    unsigned warps, most;       // of these blocks, and the warps that a multiprocessor has room for
    enum occupancy_limit limit; // the first of those below
    unsigned limits;            // a bit for each that leaves no room for one more block
};

struct occupancy occupancy_of(const struct target *target, const struct occupancy_need *need);
// Adds the names of all limits: "registers, shared memory"; "nothing".
void occupancy_add_limits(const struct occupancy *occupancy, struct strbuf *out);
double occupancy_percent(const struct occupancy *occupancy);

#endif
