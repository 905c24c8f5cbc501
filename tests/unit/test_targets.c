// The chip table: no row lacks a field, numbers fit together, and those of some chips stand as their documents give them.
#include "chip_testing.h"

// All features of a vendor's chips.
static uint64_t features_of(enum vendor vendor) {
    uint64_t features = 0;
#define FEATURE_ROW(name, vendor_, what) features |= VENDOR_##vendor_ == vendor ? FEATURE(name) : 0;
#include "chip/features.def"
#undef FEATURE_ROW
    return features;
}

// The first fault of a row; NULL without any.
static const char *fault_of(const struct target *t) {
    bool nvidia = t->vendor == VENDOR_NVIDIA;
    return !t->triple || !t->cpu || !t->features || !t->data_layout     ? "a text is missing"
           : t->warp_size != 32 && t->warp_size != 64                   ? "no such warp"
           : t->compute_units != 1 && t->compute_units != 2             ? "no such number of compute units"
           : t->shared_limit == 0 || t->shared_per_sm < t->shared_limit ? "shared memory"
           : t->shared_per_sm < t->compute_units * t->shared_limit      ? "shared memory of compute units"
           : t->shared_unit == 0 || t->blocks_per_sm == 0
               ? "units of shared memory, or blocks of a multiprocessor"
           : t->registers_per_thread < 255 || t->registers_per_thread > 512 ? "registers of a thread"
           : t->registers_per_sm < t->compute_units * 65536                 ? "registers of a multiprocessor"
           : t->threads_per_sm < TARGET_BLOCK_THREADS                       ? "threads of a multiprocessor"
           : t->threads_per_sm % t->warp_size                               ? "threads are no whole warps"
           : nvidia != (t->compute_capability > 0)                          ? "compute capability"
           : !nvidia && t->ptx                                              ? "a version of PTX"
           : (t->has & ~features_of(t->vendor))                             ? "the other vendor's feature"
           : target_has(t, FEATURES_SHARED_PRODUCTS)                        ? "wgmma beside tensor memory"
                                                                            : NULL;
}

static void test_rows(void **state) {
    (void)state;
    for (size_t i = 0; i < target_count; i++) {
        const struct target *target = &target_table[i];
        if (fault_of(target)) {
            fail_msg("%s: %s", target->name, fault_of(target));
        }
        if (target_find(target->name) != target) {
            fail_msg("%s: there are two of this name", target->name);
        }
    }
    assert_null(target_find("sm_1"));
}

// One chip of each architecture, by its documents.
static void test_documents(void **state) {
    (void)state;
    static const struct {
        const char *name;
        unsigned warp_size, shared_limit, registers_per_thread, registers_per_sm, threads_per_sm;
        uint64_t has;
    } chips[] = {
        {"sm_75", 32, 65536, 255, 65536, 1024, FEATURE(MMA_SM75)},
        {"sm_80", 32, 166912, 255, 65536, 2048,
         FEATURE(MMA_SM75) | FEATURE(MMA_SM80) | FEATURE(CP_ASYNC) | FEATURE(BF16)},
        {"sm_89", 32, 101376, 255, 65536, 1536,
         FEATURE(MMA_SM75) | FEATURE(MMA_SM80) | FEATURE(MMA_FP8) | FEATURE(CP_ASYNC) | FEATURE(BF16) |
             FEATURE(CVT_FP8)},
        {"sm_90", 32, 232448, 255, 65536, 2048, FEATURES_HOPPER | FEATURE(COPY_WARP) | FEATURE(WARP_SLICES)},
        {"sm_90a", 32, 232448, 255, 65536, 2048,
         FEATURE(MMA_SM75) | FEATURE(MMA_SM80) | FEATURE(MMA_FP8) | FEATURE(CP_ASYNC) | FEATURE(BF16) |
             FEATURE(SM90) | FEATURE(WGMMA) | FEATURE(WARP_SLICES) | FEATURE(CVT_FP8)},
        {"sm_100a", 32, 232448, 255, 65536, 2048,
         FEATURES_HOPPER | FEATURE(F32X2) | FEATURE(TCGEN05) | FEATURE(TCGEN05_I8) | FEATURE(SLOW_EXP2) |
             FEATURE(LAUNCH_CONTROL)},
        {"sm_120a", 32, 101376, 255, 65536, 1536,
         FEATURES_HOPPER | FEATURE(MMA_SM120A) | FEATURE(COPY_WARP) | FEATURE(LAUNCH_CONTROL) |
             FEATURE(OWN_COPIES)},
        {"sm_120", 32, 101376, 255, 65536, 1536,
         FEATURES_HOPPER | FEATURE(COPY_WARP) | FEATURE(LAUNCH_CONTROL) | FEATURE(OWN_COPIES)},
        {"gfx908", 64, 65536, 512, 131072, 2560,
         FEATURE(MFMA_GFX908) | FEATURE(MFMA_I8_GFX908) | FEATURE(MFMA_BF16_GFX908)},
        {"gfx90a", 64, 65536, 512, 131072, 2048,
         FEATURE(MFMA_GFX908) | FEATURE(MFMA_I8_GFX908) | FEATURE(MFMA_GFX90A)},
        {"gfx942", 64, 65536, 512, 131072, 2048,
         FEATURE(MFMA_GFX908) | FEATURE(MFMA_GFX90A) | FEATURE(MFMA_GFX942) | FEATURE(MFMA_XF32) |
             FEATURE(FP8_FNUZ)},
        {"gfx950", 64, 163840, 512, 131072, 2048,
         FEATURE(MFMA_GFX908) | FEATURE(MFMA_GFX90A) | FEATURE(MFMA_GFX942) | FEATURE(MFMA_GFX950) |
             FEATURE(FP8_OCP) | FEATURE(CVT_BF16_GFX950) | FEATURE(LDS_TRANSPOSE) | FEATURE(PERMLANE_SWAP) |
             FEATURE(LDS_COPY)},
        {"gfx1030", 32, 65536, 256, 131072, 2048, FEATURE(DOT_GFX1030)},
        {"gfx1100", 32, 65536, 256, 196608, 2048, FEATURE(WMMA_GFX11)},
        {"gfx1200", 32, 65536, 256, 196608, 2048,
         FEATURE(WMMA_GFX12) | FEATURE(FP8_OCP) | FEATURE(WAITS_GFX12)},
        {"gfx1250", 32, 327680, 256, 262144, 2048,
         FEATURE(WMMA_GFX1250) | FEATURE(FP8_OCP) | FEATURE(WAITS_GFX12) | FEATURE(SIGNED_OFFSETS)},
        {"gfx9-generic", 64, 65536, 256, 65536, 2560, FEATURES_NONE},
    };
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++) {
        if (lacks_chip(chips[i].name)) {
            continue;
        }
        const struct target *target = target_find(chips[i].name);
        assert_non_null(target);
        if (target->warp_size != chips[i].warp_size || target->shared_limit != chips[i].shared_limit ||
            target->registers_per_thread != chips[i].registers_per_thread ||
            target->registers_per_sm != chips[i].registers_per_sm ||
            target->threads_per_sm != chips[i].threads_per_sm || target->has != chips[i].has) {
            fail_msg("%s: a number or a feature is another one", chips[i].name);
        }
    }
}

// An image for a family uses no feature missing from one of its chips.
static void test_families(void **state) {
    (void)state;
    unsigned families = 0;
    for (size_t i = 0; i < target_count; i++) {
        const char *chips = target_family(&target_table[i]);
        families += chips != NULL;
        for (size_t c = 0; chips && c < target_count; c++) {
            const struct target *chip = &target_table[c];
            bool belongs = strstr(chips, chip->name) != NULL;
            if (belongs && !target_has(chip, target_table[i].has)) {
                fail_msg("%s lacks what %s has", chip->name, target_table[i].name);
            }
            if (belongs && target_for_chip(chip->name) != chip) {
                fail_msg("%s runs another chip's image though it has its own", chip->name);
            }
        }
    }
    assert_int_equal(families + lacks_chip("gfx12-generic"), 5);
    assert_ptr_equal(target_for_chip("gfx1031"), target_find("gfx10-3-generic"));
}

// A chip's name begins with the generation of its instructions.
static void test_generations(void **state) {
    (void)state;
    static const struct {
        const char *begin;
        enum amd_generation generation;
    } names[] = {{"sm_", GENERATION_NONE},    {"gfx9", GENERATION_GFX9},       {"gfx10", GENERATION_GFX10},
                 {"gfx11", GENERATION_GFX11}, {"gfx1250", GENERATION_GFX1250}, {"gfx12", GENERATION_GFX12}};
    for (size_t i = 0; i < target_count; i++) {
        size_t n = 0;
        while (strncmp(target_table[i].name, names[n].begin, strlen(names[n].begin)) != 0) {
            n++;
            assert_true(n < sizeof names / sizeof *names);
        }
        if (target_table[i].generation != names[n].generation) {
            fail_msg("%s is not of the generation %s", target_table[i].name, names[n].begin);
        }
    }
}

// The row for a card of NVIDIA: its own, else the newest of its family, else the newest plain one.
static void test_capabilities(void **state) {
    (void)state;
    static const struct {
        unsigned capability;
        const char *name;
    } cards[] = {{80, "sm_80"},    {90, "sm_90a"},   {100, "sm_100a"}, {103, "sm_103a"},
                 {107, "sm_107a"}, {110, "sm_110a"}, {95, "sm_90"}};
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
        assert_string_equal(target_for_capability(cards[i].capability)->name, cards[i].name);
    }
    assert_null(target_for_capability(70));
}

// Chips of groups are there, and no group has a chip's or a product's name.
static void test_groups(void **state) {
    (void)state;
    const char *name, *chips;
    for (size_t i = 0; target_group_at(i, &name, &chips); i++) {
        assert_null(target_named(name));
        char chip[32];
        for (size_t length; *chips; chips += length + strspn(chips + length, " ")) {
            length = strcspn(chips, " ");
            snprintf(chip, sizeof chip, "%.*s", (int)length, chips);
            assert_non_null(target_find(chip));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),         cmocka_unit_test(test_documents),
        cmocka_unit_test(test_families),     cmocka_unit_test(test_generations),
        cmocka_unit_test(test_capabilities), cmocka_unit_test(test_groups)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
