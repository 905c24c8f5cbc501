// Products of two blocks together (Blackwell): rows in whole pairs of tiles, several pairs a block, more steps than slots.
#include "lang.h"

#include <math.h>

#include "emulator/number/number.h"

static void paired(struct lang_run *r) {
    size_t m = (size_t)scalar(r, 3), n = (size_t)scalar(r, 4), depth = (size_t)scalar(r, 5);
    size_t am = (size_t)scalar(r, 6), ak = (size_t)scalar(r, 7), bk = (size_t)scalar(r, 8),
           bn = (size_t)scalar(r, 9);
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t k = 0; k < depth; k++) {
                sum += real(r, 0, i * am + k * ak) * real(r, 1, j * bn + k * bk);
            }
            put_real(r, 2, i * n + j, sum);
        }
    }
}

// An element times its scale: packed numbers of e2m1 with one of e4m3 for 16 of K, or numbers of e4m3 with an exponent for 32.
static double scaled_number(struct lang_run *r, unsigned a, size_t outer, size_t k) {
    static const double codes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    size_t stride = (size_t)scalar(r, 8), scales = (size_t)scalar(r, 9), depth = (size_t)scalar(r, 7);
    bool packed = stride < depth;
    uint64_t scale = bits(r, a + 1, outer * scales + k / (depth / scales));
    uint64_t code = bits(r, a, outer * stride + (packed ? k / 2 : k));
    if (!packed) {
        return float_decode(E4M3, code) * exp2((double)scale - 127);
    }
    code = code >> k % 2 * 4 & 15;
    return (code & 8 ? -codes[code & 7] : codes[code & 7]) * float_decode(E4M3, scale);
}

static void paired_scaled(struct lang_run *r) {
    size_t m = (size_t)scalar(r, 5), n = (size_t)scalar(r, 6), depth = (size_t)scalar(r, 7);
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t k = 0; k < depth; k++) {
                sum += scaled_number(r, 0, i, k) * scaled_number(r, 2, j, k);
            }
            put_real(r, 4, i * n + j, sum);
        }
    }
}

static void paired_heads(struct lang_run *r) {
    enum { HEAD = 64 };
    size_t rows = (size_t)scalar(r, 4), keys = (size_t)scalar(r, 5), heads = 2;
    for (size_t row = 0; row < heads * rows; row++) {
        double sums[HEAD] = {0};
        for (size_t key = row / rows * keys; key < (row / rows + 1) * keys; key++) {
            double weight = 0;
            for (size_t d = 0; d < HEAD; d++) {
                weight += real(r, 0, row * HEAD + d) * real(r, 1, key * HEAD + d);
            }
            for (size_t d = 0; d < HEAD && weight > 0; d++) {
                sums[d] += weight * real(r, 2, key * HEAD + d);
            }
        }
        for (size_t d = 0; d < HEAD; d++) {
            put_real(r, 3, row * HEAD + d, sums[d]);
        }
    }
}

#define P(TYPE) "*" NAME_##TYPE
#define PAIRED(NAME, FROM, TO, DEFINES, HINT, GM, GN, M, N, K, AM, AK, BK, BN, ABSOLUTE)                     \
    ROW("product_" NAME, paired, paired,                                                                     \
        .signature = P(FROM) ":16, " P(FROM) ":16, " P(TO) ":16, i32:256, " HINT, .defines = DEFINES,        \
        .grid = {GM, GN},                                                                                    \
        .arguments = {IN(FROM, M * K, -1, 1), IN(FROM, K * N, -1, 1), OUT(TO, M * N), INT(M), INT(N),        \
                      INT(K), INT(AM), INT(AK), INT(BK), INT(BN)},                                           \
        .absolute = ABSOLUTE, .relative = 1e-3, .warps = "8", .stages = "3")

static const struct lang_case pairs_cases[] = {
    PAIRED("fp16", F16, F32, "BN=128 BK=32", "i32:16, i32:16, i32:16, i32:1, i32:16, i32:1", 2, 3, 256, 384,
           176, 176, 1, 384, 1, 1e-3),
    PAIRED("fp16_tt", F16, F16, "BN=128 BK=64", "i32:16, i32:16, i32:1, i32:16, i32:1, i32:16", 2, 2, 256,
           240, 176, 1, 256, 1, 176, 4e-3),
    PAIRED("fp8e5_nt", E5M2, F16, "BN=256 BK=64", "i32, i32:16, i32:16, i32:1, i32:1, i32:16", 4, 2, 512, 272,
           208, 208, 1, 1, 208, 1e-2),
    ROW("product_turned", paired_turned, paired,
        .signature = "*fp16:16, *fp16:16, *fp16:16, i32:256, i32:16, i32:16, i32:16, i32:1, i32:1, i32:16",
        .grid = {2, 2},
        .arguments = {IN(F16, 256 * 112, -1, 1), IN(F16, 112 * 208, -1, 1), OUT(F16, 256 * 208), INT(256),
                      INT(208), INT(112), INT(112), INT(1), INT(1), INT(112)},
        .absolute = 4e-3, .relative = 1e-3, .warps = "4", .stages = "3"),
    ROW("heads_of_64", paired_heads, paired_heads,
        .signature = "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:256, i32:16", .grid = {2, 2},
        .arguments = {IN(F16, 2 * 256 * 64, -1, 1), IN(F16, 2 * 144 * 64, -1, 1),
                      IN(F16, 2 * 144 * 64, -1, 1), OUT(F32, 2 * 256 * 64), INT(256), INT(144)},
        .absolute = 5e-2, .relative = 5e-3, .warps = "8", .stages = "2"),
    ROW("scaled_nvfp4", paired_scaled, paired_scaled,
        .signature =
            "*u8:16, *fp8e4nv:16, *u8:16, *fp8e4nv:16, *fp32:16, i32:256, i32:16, i32, i32:16, i32:16",
        .defines = "FORMAT='e2m1' PACKED=2 GROUP=16", .grid = {2, 1},
        .arguments = {BITS(U8, 256 * 256), IN(E4M3, 256 * 32, 1, 4), BITS(U8, 128 * 256),
                      IN(E4M3, 128 * 32, 1, 4), OUT(F32, 32768), INT(256), INT(128), INT(512), INT(256),
                      INT(32)},
        .relative = 1e-5, .absolute = 1e-3, .warps = "4"),
    ROW("scaled_e4m3", paired_scaled, paired_scaled,
        .signature =
            "*fp8e4nv:16, *u8:16, *fp8e4nv:16, *u8:16, *fp32:16, i32:256, i32:16, i32, i32:16, i32:8",
        .defines = "FORMAT='e4m3' PACKED=1 GROUP=32", .grid = {2, 2},
        .arguments = {IN(E4M3, 65536, -4, 4), IN(U8, 2048, 125, 129), IN(E4M3, 65536, -4, 4),
                      IN(U8, 2048, 125, 129), OUT(F32, 65536), INT(256), INT(256), INT(256), INT(256),
                      INT(8)},
        .relative = 1e-5, .absolute = 1e-3, .warps = "8"),
};

FAMILY(pairs);
