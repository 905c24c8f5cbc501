// Statistics of memory accesses: sectors of global memory, conflicts of shared memory's banks.
#include "emulator/memory/memory.h"

static void count_sectors(struct emulator_statistics *statistics, const uint64_t *address, lane_mask mask,
                          unsigned size) {
    uint64_t seen[2 * MAX_LANES];
    unsigned count = 0;
    FOR_LANES(lane, mask) {
        for (uint64_t sector = address[lane] / 32;
             sector <= (address[lane] + size - 1) / 32 && count < 2 * MAX_LANES; sector++) {
            unsigned i = 0;
            while (i < count && seen[i] != sector) {
                i++;
            }
            if (i == count) {
                seen[count++] = sector;
            }
        }
    }
    statistics->global_requests++;
    statistics->global_sectors += count;
    statistics->global_useful_bytes += (uint64_t)size * (unsigned)__builtin_popcountll(mask);
}

// Shared memory has 32 banks of 4 bytes. Lanes are served in groups of at most 128 bytes; within a group each
// bank delivers one word a pass, and lanes with the same word share it.
static void count_banks(struct emulator_statistics *statistics, const uint64_t *address, lane_mask mask,
                        unsigned lanes, unsigned size) {
    unsigned group = size <= 4 ? 32 : size <= 8 ? 16 : 8;
    statistics->shared_requests++;
    for (unsigned first = 0; first < lanes; first += group) {
        lane_mask part = mask & (mask_of(group) << first);
        uint64_t words[MAX_LANES * 4];
        unsigned count = 0, used[32] = {0}, most = 0;
        FOR_LANES(lane, part) {
            for (uint64_t word = address[lane] / 4;
                 word <= (address[lane] + size - 1) / 4 && count < MAX_LANES * 4; word++) {
                unsigned i = 0;
                while (i < count && words[i] != word) {
                    i++;
                }
                if (i < count) {
                    continue;
                }
                words[count++] = word;
                used[word % 32]++;
                most = used[word % 32] > most ? used[word % 32] : most;
            }
        }
        statistics->shared_wavefronts += most;
        statistics->shared_ideal_wavefronts += part != 0;
    }
}

void memory_count(struct warp *warp, const struct instr *in, const uint64_t *address, lane_mask mask,
                  unsigned space, unsigned size, bool write) {
    (void)in;
    struct emulator_statistics *statistics = &warp->statistics;
    uint64_t bytes = (uint64_t)size * (unsigned)__builtin_popcountll(mask);
    if (!warp->run->emulator->options.count || !mask) {
        return;
    }
    if (space == SPACE_SHARED) {
        *(write ? &statistics->shared_store_bytes : &statistics->shared_load_bytes) += bytes;
        count_banks(statistics, address, mask, warp->lanes, size);
    } else if (space != SPACE_LOCAL) {
        *(write ? &statistics->global_store_bytes : &statistics->global_load_bytes) += bytes;
        count_sectors(statistics, address, mask, size);
    }
}
