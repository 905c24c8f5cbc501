// The occupancy of a multiprocessor, from the chip table.
//
// Sources. NVIDIA: CUDA C++ Programming Guide, "Technical specifications per compute capability": each partition of a multiprocessor
// gives a warp registers in units of 8 a thread; a block takes shared memory in units, and 1 KB more for the system from sm_80 on. AMD:
// LLVM's AMDGPU usage guide and the ISA documents: each SIMD gives a wave vector registers in units, and gfx9 scalar registers; a block
// of more than one wave takes one of a compute unit's 16 barriers.
//
// test: tests/unit/test_occupancy.c
#include "chip/occupancy.h"

const char *occupancy_limit_name(enum occupancy_limit limit) {
    static const char *const names[] = {
#define LIMIT(id, name) [OCCUPANCY_BY_##id] = name,
#include "chip/occupancy.def"
#undef LIMIT
    };
    return names[limit];
}

static unsigned rounded_up(unsigned number, unsigned unit) {
    return (number + unit - 1) / unit * unit;
}

static unsigned lower(unsigned a, unsigned b) {
    return a < b ? a : b;
}

// Warps on one partition by their registers. Where vector and accumulation registers are files of their own, the larger need counts.
static unsigned warps_by_registers(const struct target *t, const struct occupancy_need *need) {
    unsigned vectors = need->registers;
    if (t->register_files == 2) {
        unsigned others = need->registers - need->accumulators;
        vectors = 2 * (need->accumulators > others ? need->accumulators : others);
    }
    unsigned each = rounded_up(vectors ? vectors : 1, t->register_unit * t->register_files);
    unsigned there = t->registers_per_sm / t->partitions / t->warp_size;
    unsigned warps = there / each;
    return t->scalar_registers && need->scalars ? lower(warps, t->scalar_registers / need->scalars) : warps;
}

struct occupancy occupancy_of(const struct target *t, const struct occupancy_need *need) {
    enum { ANY = 1 << 16 };
    // A block runs on one compute unit.
    unsigned units = t->compute_units, partitions = t->partitions / units;
    unsigned most = t->threads_per_sm / units / t->warp_size;
    unsigned warps = (need->threads + t->warp_size - 1) / t->warp_size;
    unsigned shared = rounded_up(need->shared + t->shared_of_system, t->shared_unit);
    const unsigned blocks[] = {
        [OCCUPANCY_BY_NOTHING] = ANY,
        [OCCUPANCY_BY_REGISTERS] = warps_by_registers(t, need) * partitions / warps,
        [OCCUPANCY_BY_SHARED] = shared ? t->shared_per_sm / units / shared : ANY,
        [OCCUPANCY_BY_LAUNCH] = need->launched ? need->launched : ANY,
        [OCCUPANCY_BY_BLOCKS] = t->vendor == VENDOR_AMD && warps == 1 ? ANY : t->blocks_per_sm / units,
        [OCCUPANCY_BY_WARPS] = most / warps,
    };
    struct occupancy result = {.blocks = ANY, .most = most};
    for (unsigned i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        if (blocks[i] < result.blocks) {
            result.blocks = blocks[i];
            result.limit = (enum occupancy_limit)i;
        }
    }
    for (unsigned i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        // A launch has as few blocks as there is room for.
        bool follows = i == OCCUPANCY_BY_LAUNCH && result.limits;
        result.limits |= blocks[i] == result.blocks && !follows ? 1U << i : 0;
    }
    result.warps = result.blocks * warps;
    if (result.warps == most) {
        result.limit = OCCUPANCY_BY_NOTHING;
        result.limits = 1U << OCCUPANCY_BY_NOTHING;
    }
    return result;
}

void occupancy_add_limits(const struct occupancy *occupancy, struct strbuf *out) {
    const char *between = "";
    for (unsigned i = 0; occupancy->limits >> i; i++) {
        if (occupancy->limits >> i & 1) {
            strbuf_printf(out, "%s%s", between, occupancy_limit_name((enum occupancy_limit)i));
            between = ", ";
        }
    }
}

double occupancy_percent(const struct occupancy *occupancy) {
    return 100.0 * occupancy->warps / occupancy->most;
}
