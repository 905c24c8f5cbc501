// Machine code of AMD chips in the emulator, for tests: a body of instructions in one wave, and the words left in each lane.
#ifndef TKC_TESTS_AMDGCN_CHECK_H
#define TKC_TESTS_AMDGCN_CHECK_H

#include "amdgcn_harness.h"

static inline float as_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, 4);
    return value;
}
static inline uint32_t as_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return bits;
}
// Runs `body` in one wave on hashed words, and compares the four words of each lane.
typedef void model_fn(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out);
// The chip's wait behind the line; an empty text: none.
static inline const char *wait_behind(const char *chip, const char *line) {
    static const struct {
        const char *chip, *begins, *wait;
    } rows[] = {{"gfx1100", "v_rcp", "s_waitcnt_depctr depctr_va_vdst(0)\n"},
                {"gfx1200", "s_", "s_wait_alu depctr_sa_sdst(0)\n"},
                {"gfx1200", "v_s_", "s_wait_alu depctr_va_sdst(0)\n"},
                {"gfx1200", "v_div_scale", "s_wait_alu depctr_va_vcc(0)\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(chip, rows[i].chip) == 0 && strncmp(line, rows[i].begins, strlen(rows[i].begins)) == 0) {
            return rows[i].wait;
        }
    }
    return "";
}

static inline const char *with_waits(const char *chip, const char *body) {
    static char waited[8192];
    size_t length = 0;
    for (const char *line = body; *line;) {
        size_t size = strcspn(line, "\n");
        length += (size_t)snprintf(waited + length, sizeof waited - length, "%.*s\n%s", (int)size, line,
                                   wait_behind(chip, line));
        assert_true(length < sizeof waited);
        line += size + (line[size] == '\n');
    }
    return waited;
}

static inline void check(const char *chip, const char *body, model_fn *expect, bool floats) {
    static struct gcn_run run;
    if (lacks_chip(chip)) {
        return;
    }
    body = with_waits(chip, body);
    run.threads = gcn_wave64(chip) ? 64 : 32;
    run.scratch = 0;
    for (unsigned i = 0; i < GCN_WORDS; i++) {
        run.in[i] = floats ? as_bits((float)(int32_t)(gcn_hash(i) % 4001) / 16 - 100) : gcn_hash(i);
    }
    bool clean = gcn_run(&run, chip, body);
    if (!clean) {
        fail_msg("%s: %s", chip, run.result.report_count ? run.result.reports[0].text : "did not end");
    }
    emulator_result_free(&run.result);
    for (unsigned lane = 0; lane < run.threads; lane++) {
        uint32_t want[4] = {0};
        expect(run.in + 4 * lane, lane, run.in, want);
        for (unsigned i = 0; i < 4; i++) {
            if (run.out[4 * lane + i] != want[i]) {
                fail_msg("%s: lane %u, word %u: 0x%08x, and 0x%08x was expected of\n%s", chip, lane, i,
                         run.out[4 * lane + i], want[i], body);
            }
        }
    }
}

static inline void on_all(const char *old, const char *new_, model_fn *expect, bool floats) {
    check("gfx942", old, expect, floats);
    check("gfx90a", old, expect, floats);
    check("gfx1100", new_, expect, floats);
    check("gfx1200", new_, expect, floats);
}

#endif
