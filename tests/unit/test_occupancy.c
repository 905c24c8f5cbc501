// The occupancy of blocks, by figures of the vendors' own calculators: NVIDIA's occupancy table, and LLVM's waves of a SIMD.
#include "testing.h"
#include "chip/occupancy.h"

static const struct {
    const char *chip;
    struct occupancy_need need;
    unsigned blocks, warps, most;
    enum occupancy_limit limit;
} cases[] = {
    {"sm_80", {.threads = 256, .registers = 32}, 8, 64, 64, OCCUPANCY_BY_NOTHING},
    {"sm_80", {.threads = 128, .registers = 255, .shared = 32768}, 2, 8, 64, OCCUPANCY_BY_REGISTERS},
    {"sm_80", {.threads = 256, .registers = 33}, 6, 48, 64, OCCUPANCY_BY_REGISTERS},
    {"sm_80", {.threads = 32, .registers = 16}, 32, 32, 64, OCCUPANCY_BY_BLOCKS},
    {"sm_80", {.threads = 128, .registers = 32, .shared = 49152}, 3, 12, 64, OCCUPANCY_BY_SHARED},
    {"sm_86", {.threads = 128, .registers = 32, .shared = 49152}, 2, 8, 48, OCCUPANCY_BY_SHARED},
    {"sm_86", {.threads = 1024, .registers = 32}, 1, 32, 48, OCCUPANCY_BY_WARPS},
    {"sm_89", {.threads = 32, .registers = 16}, 24, 24, 48, OCCUPANCY_BY_BLOCKS},
    {"sm_75", {.threads = 128, .registers = 32, .shared = 32768}, 2, 8, 32, OCCUPANCY_BY_SHARED},
    {"sm_90a", {.threads = 1024, .registers = 64}, 1, 32, 64, OCCUPANCY_BY_REGISTERS},
    {"sm_90a", {.threads = 384, .registers = 168}, 1, 12, 64, OCCUPANCY_BY_REGISTERS},
    {"sm_90a", {.threads = 256, .registers = 64, .launched = 1}, 1, 8, 64, OCCUPANCY_BY_LAUNCH},
    {"gfx942", {.threads = 256, .registers = 128}, 4, 16, 32, OCCUPANCY_BY_REGISTERS},
    {"gfx942", {.threads = 256, .registers = 64, .scalars = 100}, 8, 32, 32, OCCUPANCY_BY_NOTHING},
    {"gfx942", {.threads = 256, .registers = 64, .scalars = 102}, 7, 28, 32, OCCUPANCY_BY_REGISTERS},
    {"gfx942", {.threads = 256, .registers = 32, .shared = 32768}, 2, 8, 32, OCCUPANCY_BY_SHARED},
    {"gfx942", {.threads = 64, .registers = 32}, 32, 32, 32, OCCUPANCY_BY_NOTHING},
    {"gfx908", {.threads = 256, .registers = 64}, 4, 16, 40, OCCUPANCY_BY_REGISTERS},
    {"gfx908", {.threads = 256, .registers = 128, .accumulators = 64}, 4, 16, 40, OCCUPANCY_BY_REGISTERS},
    {"gfx1100", {.threads = 256, .registers = 96}, 4, 32, 32, OCCUPANCY_BY_NOTHING},
    {"gfx1100", {.threads = 256, .registers = 100}, 3, 24, 32, OCCUPANCY_BY_REGISTERS},
    {"gfx1030", {.threads = 256, .registers = 100}, 2, 16, 32, OCCUPANCY_BY_REGISTERS},
    {"gfx1100", {.threads = 128, .registers = 16, .shared = 40000}, 1, 4, 32, OCCUPANCY_BY_SHARED},
};

static void test_cases(void **state) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct occupancy o = occupancy_of(target_find(cases[i].chip), &cases[i].need);
        if (o.blocks != cases[i].blocks || o.warps != cases[i].warps || o.most != cases[i].most ||
            o.limit != cases[i].limit) {
            fail_msg("row %zu, %s: %u blocks, %u of %u warps by %s", i, cases[i].chip, o.blocks, o.warps,
                     o.most, occupancy_limit_name(o.limit));
        }
    }
}

// Every chip of the table has its numbers, and an empty block fills it or is limited by a number of blocks.
static void test_all_chips(void **state) {
    for (size_t i = 0; i < target_count; i++) {
        const struct target *t = &target_table[i];
        struct occupancy o = occupancy_of(t, &(struct occupancy_need){.threads = 256, .registers = 16});
        if (!t->partitions || !t->register_unit || !t->register_files || !t->blocks_per_sm ||
            !t->shared_unit || o.warps == 0 || o.warps > o.most) {
            fail_msg("%s: %u of %u warps", t->name, o.warps, o.most);
        }
    }
}

RUN(TEST(test_cases), TEST(test_all_chips))
