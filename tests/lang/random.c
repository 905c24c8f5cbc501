// Random numbers: Philox-4x32 as published by Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3",
// 2011.
#include "lang.h"

#include <math.h>

struct words {
    uint32_t at[4];
};

static struct words generate(uint64_t seed, uint64_t offset, uint32_t second, uint32_t third, int rounds) {
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    struct words c = {{(uint32_t)offset, second, third, 0}};
    for (int i = 0; i < rounds; i++) {
        uint64_t a = UINT64_C(0xD2511F53) * c.at[0], b = UINT64_C(0xCD9E8D57) * c.at[2];
        c = (struct words){{(uint32_t)(b >> 32) ^ c.at[1] ^ key[0], (uint32_t)b,
                            (uint32_t)(a >> 32) ^ c.at[3] ^ key[1], (uint32_t)a}};
        key[0] += 0x9E3779B9;
        key[1] += 0xBB67AE85;
    }
    return c;
}

static struct words at(uint64_t seed, uint64_t offset) {
    return generate(seed, offset, (uint32_t)(offset >> 32), 0, 10);
}

// The sign folded away, scaled to [0, 1).
static double to_uniform(uint32_t word) {
    int32_t x = (int32_t)word;
    x = x < 0 ? -x - 1 : x;
    return (double)((float)x * 4.6566127342e-10f);
}

double lang_uniform(uint64_t seed, uint64_t offset) {
    return to_uniform(at(seed, offset).at[0]);
}

static void integers(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        put_integer(r, 0, i, at((uint64_t)scalar(r, 1), i).at[0]);
    }
}

static void four_integers(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        put_integer(r, 0, i, at((uint64_t)scalar(r, 1), i % 64).at[i / 64]);
    }
}

static void philox(struct lang_run *r) {
    for (uint32_t i = 0; i < 64; i++) {
        struct words w = generate((uint64_t)scalar(r, 1), i, 2 * i, 7, 7);
        put_integer(r, 0, i, w.at[0]);
        put_integer(r, 0, 64 + i, w.at[3]);
    }
}

static void uniform(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        put_real(r, 0, i, to_uniform(at((uint64_t)scalar(r, 1), i).at[0]));
    }
}

static void uniform_wide(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        struct words w = at((uint64_t)scalar(r, 1), UINT64_C(5000000000) + i);
        put_real(r, 0, i, to_uniform(w.at[0]));
        put_real(r, 0, 64 + i, to_uniform(w.at[3]));
    }
}

static void normal(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        struct words w = at((uint64_t)scalar(r, 1), i);
        double u = fmax(1e-7, to_uniform(w.at[0])), angle = 6.283185307179586 * to_uniform(w.at[1]);
        put_real(r, 0, i, sqrt(-2 * log(u)) * cos(angle));
    }
}

static void dropout(struct lang_run *r) {
    double p = real(r, 3, 0);
    for (size_t i = 0; i < (size_t)scalar(r, 2); i++) {
        put_real(r, 1, i, to_uniform(at((uint64_t)scalar(r, 4), i).at[0]) > p ? real(r, 0, i) / (1 - p) : 0);
    }
}

static const struct lang_case random_cases[] = {
    CASE(integers, .grid = {2}, .arguments = {OUT(I32, 128), INT(1234)}, .warps = "14"),
    CASE(four_integers, .arguments = {OUT(I32, 256), INT(123456789012345)}),
    CASE(philox, .arguments = {OUT(U32, 128), INT(98765432109)}),
    CASE(uniform, .arguments = {OUT(F32, 256), INT(42)}),
    CASE(uniform_wide, .arguments = {OUT(F32, 128), INT(7)}),
    CASE(normal, .arguments = {OUT(F32, 256), INT(42)}, .relative = 2e-5, .absolute = 4e-6),
    CASE(dropout, .grid = {2},
         .arguments = {IN(F32, 200, -9, 9), OUT(F32, 200), INT(200), REAL(F32, 0.25), INT(99)},
         .relative = 4e-7),
};

FAMILY(random);
