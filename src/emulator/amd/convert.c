// AMD's conversions of packed halves and 8-bit floats (CDNA3 and RDNA4 ISA, "V_CVT_PKRTZ_F16_F32",
// "V_CVT_PK_FP8_F32", "V_CVT_SR_FP8_F32").
#include "emulator/amd/amd.h"
#include "emulator/number/number.h"

// gfx942 use the FNUZ formats, gfx12 the OCP ones.
static enum float8_format float8_of(const struct warp *warp, bool bf8) {
    return target_has(warp->run->emulator->target, FEATURE(FP8_FNUZ))
               ? (bf8 ? FLOAT8_E5M2_FNUZ : FLOAT8_E4M3_FNUZ)
               : (bf8 ? FLOAT8_E5M2 : FLOAT8_E4M3);
}

static uint16_t half_toward_zero(float value) {
    uint16_t nearest = half_from_float(value);
    float back = half_to_float(nearest);
    return fabsf(back) > fabsf(value) && isfinite(value) ? (uint16_t)(nearest - 1) : nearest;
}

static void pack_float8(struct warp *warp, const struct instr *in, uint32_t *dst, bool bf8) {
    const float *a = operand(warp, in, 0), *b = operand(warp, in, 1);
    const uint32_t *old = operand(warp, in, 2);
    unsigned shift = in->operands[3].constant & 1 ? 16 : 0;
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        uint32_t pair = float8_from_float(a[lane], float8_of(warp, bf8), false) |
                        (uint32_t)float8_from_float(b[lane], float8_of(warp, bf8), false) << 8;
        dst[lane] = (old[lane] & ~(0xffffu << shift)) | pair << shift;
    }
}

static void stochastic_float8(struct warp *warp, const struct instr *in, uint32_t *dst, bool bf8) {
    const float *a = operand(warp, in, 0);
    const uint32_t *noise = operand(warp, in, 1), *old = operand(warp, in, 2);
    unsigned shift = 8 * (in->operands[3].constant & 3);
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        uint32_t byte = float8_from_float_stochastic(a[lane], float8_of(warp, bf8), false, noise[lane]);
        dst[lane] = (old[lane] & ~(0xffu << shift)) | byte << shift;
    }
}

static void unpack_float8(struct warp *warp, const struct instr *in, float *dst, bool bf8, bool pair) {
    const uint32_t *word = operand(warp, in, 0);
    unsigned select = (unsigned)in->operands[1].constant, shift = pair ? (select & 1) * 16 : (select & 3) * 8;
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        for (unsigned c = 0; c < (pair ? 2u : 1u); c++) {
            dst[c * warp->lanes + lane] =
                float8_to_float((uint8_t)(word[lane] >> (shift + 8 * c)), float8_of(warp, bf8));
        }
    }
}

void exec_amd_cvt(struct warp *warp, const struct instr *in, void *dst) {
    switch (in->immediate) {
    case CVT_PKRTZ: {
        const float *a = operand(warp, in, 0), *b = operand(warp, in, 1);
        for (unsigned lane = 0; lane < warp->lanes; lane++) {
            ((uint16_t *)dst)[lane] = half_toward_zero(a[lane]);
            ((uint16_t *)dst)[warp->lanes + lane] = half_toward_zero(b[lane]);
        }
        return;
    }
    case CVT_PK_FP8:
    case CVT_PK_BF8:
        pack_float8(warp, in, dst, in->immediate == CVT_PK_BF8);
        return;
    case CVT_SR_FP8:
    case CVT_SR_BF8:
        stochastic_float8(warp, in, dst, in->immediate == CVT_SR_BF8);
        return;
    case CVT_FROM_FP8:
    case CVT_FROM_BF8:
        unpack_float8(warp, in, dst, in->immediate == CVT_FROM_BF8, false);
        return;
    default:
        unpack_float8(warp, in, dst, in->immediate == CVT_PK_FROM_BF8, true);
    }
}
