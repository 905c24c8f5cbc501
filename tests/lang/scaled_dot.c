// tl.dot_scaled: matrix products of narrow formats with a scale for each block of K. References sum in float64.
#include "lang.h"

#include <math.h>
#include <string.h>

// One operand value of dot_scaled: e2m1 packs two to a byte, the first along K in the low bits.
static double scaled_value(struct lang_run *r, unsigned a, const char *format, size_t outer, size_t k,
                           size_t step_outer, size_t step_k, size_t scale) {
    double value;
    if (!strcmp(format, "e2m1")) {
        static const double codes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
        uint64_t code = bits(r, a, outer * step_outer + k / 2 * step_k) >> k % 2 * 4 & 15;
        value = code & 8 ? -codes[code & 7] : codes[code & 7];
    } else {
        value =
            float_decode(!strcmp(format, "e5m2") ? E5M2 : E4M3, bits(r, a, outer * step_outer + k * step_k));
    }
    return value * exp2((double)bits(r, a + 1, outer * (r->test->arguments[1].count / 32) + scale) - 127);
}

static void scaled(struct lang_run *r, const char *format_a, const char *format_b) {
    size_t bytes_a = r->test->arguments[0].count / 32, depth = r->test->arguments[1].count;
    for (size_t i = 0; i < 32; i++) {
        for (size_t j = 0; j < 32; j++) {
            double sum = 0;
            for (size_t k = 0; k < depth; k++) {
                sum += scaled_value(r, 0, format_a, i, k, bytes_a, 1, k / 32) *
                       scaled_value(r, 2, format_b, j, k, 1, 32, k / 32);
            }
            put_real(r, 4, i * 32 + j, sum);
        }
    }
}

static void scaled_e2m1(struct lang_run *r) {
    scaled(r, "e2m1", "e2m1");
}

static void scaled_e4m3(struct lang_run *r) {
    scaled(r, "e4m3", "e4m3");
}

static void scaled_deep(struct lang_run *r) {
    scaled(r, "e4m3", "e5m2");
}

static void scaled_mixed(struct lang_run *r) {
    scaled(r, "e5m2", "e2m1");
}

// Operand `a` of dot_scaled_steps, 256 deep: an element times its scale, an exponent or, for 16 of K, a number of e4m3.
static double step_value(struct lang_run *r, unsigned a, size_t outer, size_t k, bool rows) {
    bool packed = r->test->arguments[a].count == 128 * 256 / 2;
    size_t groups = r->test->arguments[a + 1].count / 128, at = packed ? k / 2 : k,
           depth = packed ? 128 : 256;
    uint64_t code = bits(r, a, rows ? at * 128 + outer : outer * depth + at);
    uint64_t scale = bits(r, a + 1, outer * groups + k / (256 / groups));
    double factor = groups == 16 ? float_decode(E4M3, scale) : exp2((double)scale - 127);
    if (!packed) {
        return float_decode(E4M3, code) * factor;
    }
    static const double codes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    code = code >> k % 2 * 4 & 15;
    return (code & 8 ? -codes[code & 7] : codes[code & 7]) * factor;
}

static void scaled_by_steps(struct lang_run *r, bool rows) {
    for (size_t i = 0; i < 128; i++) {
        for (size_t j = 0; j < 128; j++) {
            double sum = 0;
            for (size_t k = 0; k < 256; k++) {
                sum += step_value(r, 0, i, k, false) * step_value(r, 2, j, k, rows);
            }
            put_real(r, 4, i * 128 + j, sum);
        }
    }
}

static void scaled_steps(struct lang_run *r) {
    scaled_by_steps(r, false);
}

static void scaled_steps_of_rows(struct lang_run *r) {
    scaled_by_steps(r, true);
}

static const struct lang_case scaled_dot_cases[] = {
    ROW("dot_scaled_e2m1", dot_scaled, scaled_e2m1, .signature = "*u8, *u8, *u8, *u8, *fp32",
        .defines = "FORMAT_A='e2m1' FORMAT_B='e2m1' BYTES_A=32 BYTES_B=32",
        .arguments = {BITS(U8, 1024), IN(U8, 64, 125, 129), BITS(U8, 1024), IN(U8, 64, 125, 129),
                      OUT(F32, 1024)},
        .relative = 1e-5, .absolute = 1e-3, .warps = "14"),
    {.name = "dot_scaled_e4m3",
     .kernel = "dot_scaled",
     .signature = "*fp8e4nv, *u8, *fp8e4nv, *u8, *fp32",
     .defines = "FORMAT_A='e4m3' FORMAT_B='e4m3' BYTES_A=64 BYTES_B=64",
     .arguments = {IN(E4M3, 2048, -4, 4), IN(U8, 64, 125, 129), IN(E4M3, 2048, -4, 4), IN(U8, 64, 125, 129),
                   OUT(F32, 1024)},
     .reference = scaled_e4m3,
     .relative = 1e-5,
     .absolute = 1e-3,
     .warps = "14"},
    {.name = "dot_scaled_deep", // four blocks of K in an instruction
     .kernel = "dot_scaled",
     .signature = "*fp8e4nv, *u8, *fp8e5, *u8, *fp32",
     .defines = "FORMAT_A='e4m3' FORMAT_B='e5m2' BYTES_A=128 BYTES_B=128 GROUPS=4",
     .arguments = {IN(E4M3, 4096, -4, 4), IN(U8, 128, 125, 129), IN(E5M2, 4096, -4, 4), IN(U8, 128, 125, 129),
                   OUT(F32, 1024)},
     .reference = scaled_deep,
     .relative = 1e-5,
     .absolute = 1e-3,
     .warps = "4"},
    {.name = "dot_scaled_mixed",
     .kernel = "dot_scaled",
     .signature = "*fp8e5, *u8, *u8, *u8, *fp32",
     .defines = "FORMAT_A='e5m2' FORMAT_B='e2m1' BYTES_A=64 BYTES_B=32",
     .arguments = {IN(E5M2, 2048, -4, 4), IN(U8, 64, 125, 129), BITS(U8, 1024), IN(U8, 64, 125, 129),
                   OUT(F32, 1024)},
     .reference = scaled_mixed,
     .relative = 1e-5,
     .absolute = 1e-3,
     .warps = "14"},
    {.name = "dot_scaled_steps_e4m3",
     .kernel = "dot_scaled_steps",
     .signature = "*fp8e4nv:16, *u8:16, *fp8e4nv:16, *u8:16, *fp32:16",
     .defines = "FORMAT='e4m3' PACKED=1 GROUP=32",
     .arguments = {IN(E4M3, 32768, -4, 4), IN(U8, 1024, 125, 129), IN(E4M3, 32768, -4, 4),
                   IN(U8, 1024, 125, 129), OUT(F32, 16384)},
     .reference = scaled_steps,
     .relative = 1e-5,
     .absolute = 1e-3,
     .warps = "4"},
    {.name = "dot_scaled_steps_rows", // no instruction takes 8-bit operands with columns side by side
     .kernel = "dot_scaled_steps",
     .signature = "*fp8e4nv:16, *u8:16, *fp8e4nv:16, *u8:16, *fp32:16",
     .defines = "FORMAT='e4m3' PACKED=1 GROUP=32 ROWS=1",
     .arguments = {IN(E4M3, 32768, -4, 4), IN(U8, 1024, 125, 129), IN(E4M3, 32768, -4, 4),
                   IN(U8, 1024, 125, 129), OUT(F32, 16384)},
     .reference = scaled_steps_of_rows,
     .relative = 1e-5,
     .absolute = 1e-3,
     .warps = "4"},
    {.name = "dot_scaled_steps_e2m1",
     .kernel = "dot_scaled_steps",
     .signature = "*u8:16, *u8:16, *u8:16, *u8:16, *fp32:16",
     .defines = "FORMAT='e2m1' PACKED=2 GROUP=32",
     .arguments = {BITS(U8, 16384), IN(U8, 1024, 125, 129), BITS(U8, 16384), IN(U8, 1024, 125, 129),
                   OUT(F32, 16384)},
     .reference = scaled_steps,
     .relative = 1e-5,
     .absolute = 1e-3,
     .warps = "4"},
    {.name = "dot_scaled_steps_e2m1_rows",
     .kernel = "dot_scaled_steps",
     .signature = "*u8:16, *u8:16, *u8:16, *u8:16, *fp32:16",
     .defines = "FORMAT='e2m1' PACKED=2 GROUP=32 ROWS=1",
     .arguments = {BITS(U8, 16384), IN(U8, 1024, 125, 129), BITS(U8, 16384), IN(U8, 1024, 125, 129),
                   OUT(F32, 16384)},
     .reference = scaled_steps_of_rows,
     .relative = 1e-5,
     .absolute = 1e-3,
     .warps = "4"},
    {.name = "dot_scaled_steps_nvfp4",
     .kernel = "dot_scaled_steps",
     .signature = "*u8:16, *fp8e4nv:16, *u8:16, *fp8e4nv:16, *fp32:16",
     .defines = "FORMAT='e2m1' PACKED=2 GROUP=16",
     .arguments = {BITS(U8, 16384), IN(E4M3, 2048, 1, 4), BITS(U8, 16384), IN(E4M3, 2048, 1, 4),
                   OUT(F32, 16384)},
     .reference = scaled_steps,
     .relative = 1e-5,
     .absolute = 1e-3,
     .warps = "4",
     .stages = "23"},
};

FAMILY(scaled_dot);
