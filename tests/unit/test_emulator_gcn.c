// AMD's machine code in the emulator: a few instructions of each family, on values with a result computed
// here.
#include "amdgcn_check.h"

#include <math.h>

// ---- vector arithmetic ----

static void model_integers(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)lane, (void)all;
    uint64_t sum = (uint64_t)in[0] + in[1];
    out[0] = (uint32_t)sum;
    out[1] = in[2] + in[3] + (uint32_t)(sum >> 32);
    out[2] = (uint32_t)((uint64_t)in[0] * in[1] >> 32);
    out[3] = (in[0] & 0xffffff) * (in[1] & 0xffffff) + in[2];
}

static void test_integers(void **state) {
    (void)state;
    on_all("v_add_co_u32 v6, vcc, v2, v3\nv_addc_co_u32 v7, vcc, v4, v5, vcc\nv_mul_hi_u32 v8, v2, v3\n"
           "v_mad_u32_u24 v9, v2, v3, v4",
           "v_add_co_u32 v6, vcc_lo, v2, v3\nv_add_co_ci_u32 v7, vcc_lo, v4, v5, vcc_lo\nv_mul_hi_u32 v8, "
           "v2, v3\n"
           "v_mad_u32_u24 v9, v2, v3, v4",
           model_integers, false);
}

static int64_t low_24(uint32_t x) {
    return (int32_t)(x << 8) >> 8;
}

static void model_narrow_products(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)lane, (void)all;
    uint64_t plain = (uint64_t)(in[0] & 0xffffff) * (in[1] & 0xffffff);
    out[0] = (uint32_t)(low_24(in[0]) * low_24(in[1]) >> 32);
    out[1] = (uint32_t)(low_24(in[0]) * low_24(in[1]));
    out[2] = (uint32_t)(plain >> 32);
    out[3] = (in[0] > in[1] ? in[0] - in[1] : in[1] - in[0]) + in[2];
}

static void test_narrow_products(void **state) {
    (void)state;
    static const char body[] = "v_mul_hi_i32_i24 v6, v2, v3\nv_mul_i32_i24 v7, v2, v3\n"
                               "v_mul_hi_u32_u24 v8, v2, v3\nv_sad_u32 v9, v2, v3, v4";
    on_all(body, body, model_narrow_products, false);
}

// gfx950's own: any function of three bits (0xd8: c chooses between a and b; 0x96: parity), and two conversions.
static void model_gfx950(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)lane, (void)all;
    out[0] = (in[0] & ~in[2]) | (in[1] & in[2]);
    out[1] = in[0] ^ in[1] ^ in[2];
    uint32_t low = in[0] + 0x7fff + (in[0] >> 16 & 1), high = in[1] + 0x7fff + (in[1] >> 16 & 1);
    out[2] = low >> 16 | (high & 0xffff0000u);
    out[3] = (in[0] & 0xffff) & (in[1] & 0xffff);
}

static void test_gfx950(void **state) {
    (void)state;
    check("gfx950",
          "v_bitop3_b32 v6, v2, v3, v4 bitop3:0xd8\nv_bitop3_b32 v7, v2, v3, v4 bitop3:0x96\n"
          "v_cvt_pk_bf16_f32 v8, v2, v3\nv_bitop3_b16 v9, v2, v3, v4 bitop3:0xc0",
          model_gfx950, true);
}

// gfx1250's own: any function of two bits, sums of products, integers of 64 bits, two of which at once.
static void model_gfx1250(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)lane, (void)all;
    out[0] = in[0] & ~in[1];
    out[1] = in[0] * in[1] + in[2];
    uint64_t a = in[0] | (uint64_t)in[1] << 32, b = in[1] | (uint64_t)in[2] << 32, product = a * b - b;
    uint64_t larger = (int64_t)product > (int64_t)a ? product : a;
    out[2] = (uint32_t)larger;
    out[3] = (uint32_t)(larger >> 32) + (uint32_t)(((uint64_t)in[0] * in[1] + a) >> 32);
}

// Halves as bf16, and results rounded to it (its upper 16 bits, ties to even).
static void model_bf16(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)lane, (void)all;
    float a = as_float(in[0] << 16), b = as_float(in[1] & 0xffff0000u), c = as_float(in[2]);
    uint32_t sum = as_bits(fmaf(a, b, c)), rounded = (sum + 0x7fff + (sum >> 16 & 1)) >> 16;
    out[0] = sum;
    out[1] = 0x40000000u | rounded;
    out[2] = 0x4000 | rounded << 16;
    out[3] = as_bits(c + 0.5f);
}

static void test_gfx1250(void **state) {
    (void)state;
    static const char operands[] = "v2, v3, v4 op_sel:[0,1,0] op_sel_hi:[1,1,0]";
    char body[512];
    snprintf(body, sizeof body,
             "v_fma_mix_f32_bf16 v6, %s\nv_mov_b32 v7, 0x40000000\nv_fma_mixlo_bf16 v7, %s\n"
             "v_mov_b32 v8, 0x4000\nv_fma_mixhi_bf16 v8, %s\n"
             "v_fma_mix_f32_bf16 v9, 1.0, v4, 0.5 op_sel_hi:[1,0,0]",
             operands, operands, operands);
    check("gfx1250", body, model_bf16, true);
    check("gfx1250",
          "v_mov_b32 v7, v2\nv_dual_mov_b32 v8, v3 :: v_dual_bitop2_b32 v6, v2, v3 bitop3:0x10\n"
          "v_mov_b32 v12, v3\nv_mov_b32 v13, v4\nv_mov_b32 v10, v2\nv_mov_b32 v11, v3\n"
          "v_mul_u64 v[14:15], v[10:11], v[12:13]\nv_sub_nc_u64 v[14:15], v[14:15], v[12:13]\n"
          "v_max_i64 v[14:15], v[14:15], v[10:11]\nv_mad_nc_u64_u32 v[16:17], v2, v3, v[10:11]\n"
          "v_mad_u32 v7, v2, v3, v4\nv_mov_b32 v8, v14\nv_add_nc_u32 v9, v15, v17",
          model_gfx1250, false);
}

static void model_bits(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)lane, (void)all;
    out[0] = (uint32_t)(((uint64_t)in[0] << 32 | in[1]) >> 26);
    uint32_t field = in[0] >> 5 & 0x7ff;
    out[1] = field & 0x400 ? field | 0xfffff800u : field;
    out[2] = (in[1] >> 24) | (in[0] & 0xff) << 8 | 0 << 16 | 0xffu << 24; // bytes 3, 4, none, ones
    out[3] = (in[0] & in[1]) | (~in[0] & in[2]);
}

static void test_bits(void **state) {
    (void)state;
    static const char body[] =
        "v_alignbit_b32 v6, v2, v3, 26\nv_bfe_i32 v7, v2, 5, 11\n"
        "s_mov_b32 s8, 0x0d0c0403\nv_perm_b32 v8, v2, v3, s8\nv_bfi_b32 v9, v2, v3, v4";
    on_all(body, body, model_bits, false);
}

static int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static void model_limits(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)lane, (void)all;
    int32_t low[3], high[3], a = (int32_t)in[0], b = (int32_t)in[1], c = (int32_t)in[2];
    for (int i = 0; i < 3; i++) {
        low[i] = (int16_t)in[i];
        high[i] = (uint16_t)in[i];
    }
    out[0] = (uint16_t)larger(larger(low[0], low[1]), low[2]);
    out[1] = (uint32_t)larger(smaller(high[0], high[1]), smaller(larger(high[0], high[1]), high[2]));
    out[2] = (uint32_t)smaller(larger(a, b), c);
    out[3] = (uint16_t)((uint32_t)high[0] * (uint32_t)high[1] + (uint32_t)high[2]);
}

static void test_limits(void **state) {
    (void)state;
    on_all("v_max3_i16 v6, v2, v3, v4\nv_med3_u16 v7, v2, v3, v4\n"
           "v_max_i32 v8, v2, v3\nv_min_i32 v8, v8, v4\nv_mad_legacy_u16 v9, v2, v3, v4",
           "v_mov_b32 v6, 0\nv_max3_i16 v6, v2, v3, v4\nv_mov_b32 v7, 0\nv_med3_u16 v7, v2, v3, v4\n"
           "v_maxmin_i32 v8, v2, v3, v4\nv_mov_b32 v9, 0\nv_mad_u16 v9, v2, v3, v4",
           model_limits, false);
}

static void model_floats(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)lane, (void)all;
    float a = as_float(in[0]), b = as_float(in[1]), c = as_float(in[2]), d = as_float(in[3]);
    out[0] = as_bits(fmaf(-fabsf(a), b, c));
    out[1] = as_bits(2 * (a + d));
    float low = a * 0.0078125f + 0.25f;
    out[2] = as_bits(low < 0 ? 0 : low > 1 ? 1 : low);
    out[3] = as_bits(a > b ? (a < c ? a : b > c ? b : c) : (b < c ? b : a > c ? a : c));
}

static void model_mixed(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)lane, (void)all, (void)in;
    out[0] = out[1] = 0x3c00; // of 1 + 2^-11 + 2^-30 by way of the tie
    out[2] = 0x3c01;          // of 1 + 2^-11 + 2^-23
    out[3] = as_bits(0x1.002p0f);
}

static void test_mixed(void **state) {
    (void)state;
    static const char body[] =
        "v_mov_b32 v10, 0x3f801000\nv_mov_b32 v11, 0x30800000\nv_mov_b32 v12, 0x34000000\n"
        "v_mov_b32 v6, 0\nv_fma_mixlo_f16 v6, 1.0, v10, v11\n"
        "v_mov_b32 v7, 0\nv_fma_mixhi_f16 v7, 1.0, v10, v11\nv_lshrrev_b32 v7, 16, v7\n"
        "v_mov_b32 v8, 0\nv_fma_mixlo_f16 v8, 1.0, v10, v12\nv_fma_mix_f32 v9, 1.0, v10, v11";
    on_all(body, body, model_mixed, false);
}

static void test_floats(void **state) {
    (void)state;
    static const char body[] =
        "v_fma_f32 v6, -|v2|, v3, v4\nv_add_f32 v7, v2, v5 mul:2\n"
        "s_mov_b32 s8, 0x3c000000\nv_fma_f32 v8, v2, s8, 0.5 clamp\nv_mov_b32 v9, 0\n"
        "v_mul_f32 v8, v2, s8\nv_add_f32 v8, 0x3e800000, v8 clamp\nv_med3_f32 v9, v2, v3, v4";
    static const char old[] = "v_fma_f32 v6, -|v2|, v3, v4\nv_add_f32 v7, v2, v5 mul:2\n"
                              "s_mov_b32 s8, 0x3c000000\ns_mov_b32 s9, 0x3e800000\n"
                              "v_mul_f32 v8, v2, s8\nv_add_f32 v8, s9, v8 clamp\nv_med3_f32 v9, v2, v3, v4";
    on_all(old, body, model_floats, true);
}

// C's sign and magnitude, and signs of A's halves; all A and B are 1.
static void model_signs(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)lane, (void)all;
    out[0] = as_bits(16 - as_float(in[0]));
    out[1] = as_bits(16 - fabsf(as_float(in[1])));
    out[2] = as_bits(as_float(in[2]));
    out[3] = as_bits(as_float(in[3]) - 16);
}

static void test_signs_of_products(void **state) {
    (void)state;
    static const char *const signs[] = {"neg_lo:[0,0,1]", "neg_lo:[0,0,1] neg_hi:[0,0,1]", "neg_lo:[1,0,0]",
                                        "neg_lo:[0,1,0] neg_hi:[0,1,0]"};
    for (unsigned gfx12 = 0; gfx12 < 2; gfx12++) {
        struct strbuf body = {0};
        for (unsigned reg = 10; reg < 28; reg++) {
            strbuf_printf(&body, "v_mov_b32 v%u, 0x3c003c00\n", reg);
        }
        for (unsigned i = 0; i < 4; i++) {
            strbuf_printf(
                &body,
                "v_mov_b32 v20, v%u\nv_wmma_f32_16x16x16_f16 v[%u:%u], v[10:%u], v[10:%u], v[20:27] %s\n"
                "v_mov_b32 v%u, v%u\n",
                2 + i, 30 + 8 * i, 37 + 8 * i, gfx12 ? 13 : 17, gfx12 ? 13 : 17, signs[i], 6 + i, 30 + 8 * i);
        }
        check(gfx12 ? "gfx1200" : "gfx1100", strbuf_text(&body), model_signs, true);
        strbuf_free(&body);
    }
}

static void model_division(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)lane, (void)all;
    float scale[4] = {1, 0x1p100f, 0x1p-110f, 0x1p20f};
    for (unsigned i = 0; i < 4; i++) {
        out[i] = as_bits((as_float(in[0]) * scale[i]) / (as_float(in[1]) / scale[i]));
    }
}

// LLVM's sequence for a division, near both ends of the range too.
static void division(struct strbuf *out, const char *vcc, const char *pair) {
    static const char *const factors[][2] = {{"1.0", "1.0"},
                                             {"0x71800000", "0x0d800000"},
                                             {"0x08800000", "0x76800000"},
                                             {"0x49800000", "0x35800000"}};
    for (unsigned i = 0; i < 4; i++) {
        strbuf_printf(out,
                      "s_mov_b32 s8, %s\ns_mov_b32 s9, %s\nv_mul_f32 v20, s8, v2\nv_mul_f32 v21, s9, v3\n",
                      factors[i][0], factors[i][1]);
        strbuf_printf(
            out,
            "v_div_scale_f32 v22, %s, v21, v21, v20\nv_div_scale_f32 v23, %s, v20, v21, v20\n"
            "v_rcp_f32 v24, v22\ns_nop 0\nv_fma_f32 v25, -v22, v24, 1.0\nv_fma_f32 v24, v25, v24, v24\n"
            "v_mul_f32 v26, v23, v24\nv_fma_f32 v27, -v22, v26, v23\nv_fma_f32 v26, v27, v24, v26\n"
            "v_fma_f32 v27, -v22, v26, v23\nv_div_fmas_f32 v26, v27, v24, v26\n"
            "v_div_fixup_f32 v%u, v26, v21, v20\n",
            pair, vcc, 6 + i);
    }
}

static void test_division(void **state) {
    (void)state;
    struct strbuf old = {0}, new_ = {0};
    division(&old, "vcc", "s[10:11]");
    division(&new_, "vcc_lo", "s10");
    on_all(strbuf_text(&old), strbuf_text(&new_), model_division, true);
    strbuf_free(&old);
    strbuf_free(&new_);
}

static void model_conversions(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)lane, (void)all;
    double a = (double)as_float(in[0]), b = (double)as_float(in[1]);
    out[0] = (uint32_t)(int32_t)a;
    out[1] = a < 0 ? 0 : (uint32_t)a;
    double product = fma(a, b, (double)as_float(in[2]));
    memcpy(out + 2, &product, 8);
}

static void test_conversions(void **state) {
    (void)state;
    static const char body[] = "v_cvt_i32_f32 v6, v2\nv_cvt_u32_f32 v7, v2\nv_cvt_f64_f32 v[10:11], v2\n"
                               "v_cvt_f64_f32 v[12:13], v3\nv_cvt_f64_f32 v[14:15], v4\n"
                               "v_fma_f64 v[8:9], v[10:11], v[12:13], v[14:15]";
    on_all(body, body, model_conversions, true);
}

// ---- EXEC, scalars, branches ----

static void model_branches(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)all;
    out[0] = lane < 5 ? in[0] + 7 : in[0];
    out[1] = 55; // 1 + … + 10
    out[2] = lane < 5 ? 1 : 0;
    out[3] = in[3];
}

static void test_branches(void **state) {
    (void)state;
    on_all(
        "v_mov_b32 v6, v2\nv_mov_b32 v9, v5\nv_cmp_gt_u32 vcc, 5, v0\nv_cndmask_b32 v8, 0, 1, vcc\n"
        "s_and_saveexec_b64 s[8:9], vcc\ns_cbranch_execz .Lout\nv_add_u32 v6, 7, v6\n.Lout:\n"
        "s_or_b64 exec, exec, s[8:9]\ns_mov_b32 s10, 10\ns_mov_b32 s11, 0\n.Lloop:\ns_add_u32 s11, s11, s10\n"
        "s_sub_u32 s10, s10, 1\ns_cmp_lg_u32 s10, 0\ns_cbranch_scc1 .Lloop\nv_mov_b32 v7, s11",
        "v_mov_b32 v6, v2\nv_mov_b32 v9, v5\nv_cmp_gt_u32 vcc_lo, 5, v0\nv_cndmask_b32 v8, 0, 1, vcc_lo\n"
        "s_and_saveexec_b32 s8, vcc_lo\ns_cbranch_execz .Lout\nv_add_nc_u32 v6, 7, v6\n.Lout:\n"
        "s_or_b32 exec_lo, exec_lo, s8\ns_mov_b32 s10, 10\ns_mov_b32 s11, 0\n.Lloop:\ns_add_u32 s11, s11, "
        "s10\n"
        "s_sub_u32 s10, s10, 1\ns_cmp_lg_u32 s10, 0\ns_cbranch_scc1 .Lloop\nv_mov_b32 v7, s11",
        model_branches, false);
}

static void model_scalars(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)in, (void)lane;
    uint64_t wide = ((uint64_t)all[1] << 32 | all[0]) << 12;
    out[0] = (uint32_t)(wide >> 32);
    out[1] = (uint32_t)__builtin_popcount(all[0]);
    out[2] = (uint32_t)((int64_t)(int32_t)all[0] * (int32_t)all[1] >> 32);
    int32_t field = (int32_t)(all[0] >> 3 & 0x1ff);
    out[3] = (uint32_t)(field & 0x100 ? field - 0x200 : field);
}

static void test_scalars(void **state) {
    (void)state;
#define SCALARS(popcount)                                                                                    \
    "v_readfirstlane_b32 s8, v2\nv_readfirstlane_b32 s9, v3\ns_lshl_b64 s[10:11], s[8:9], 12\n"              \
    "v_mov_b32 v6, s11\n" popcount "\nv_mov_b32 v7, s12\ns_mul_hi_i32 s13, s8, s9\nv_mov_b32 v8, s13\n"      \
    "s_bfe_i32 s14, s8, 0x90003\nv_mov_b32 v9, s14"
    on_all(SCALARS("s_bcnt1_i32_b32 s12, s8"), SCALARS("s_bcnt1_i32_b32 s12, s8"), model_scalars, false);
}

// Leading bits equal to the first one; for 64 bits, leading zeros.
static void model_leading(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)in, (void)lane;
    unsigned zeros = 0;
    while (zeros < 32 && !(all[1] >> 9 >> (31 - zeros) & 1)) {
        zeros++;
    }
    out[0] = out[1] = zeros;
    out[2] = UINT32_MAX;
    out[3] = zeros + 32;
}

static void test_leading_bits(void **state) {
    (void)state;
#define LEADING(sign, clear)                                                                                 \
    "v_readfirstlane_b32 s8, v3\ns_lshr_b32 s8, s8, 9\ns_not_b32 s9, s8\ns_mov_b32 s10, -1\n"                \
    "s_mov_b32 s14, s8\ns_mov_b32 s15, 0\n" sign " s11, s8\nv_mov_b32 v6, s11\n" sign                        \
    " s11, s9\nv_mov_b32 v7, s11\n" sign " s11, s10\nv_mov_b32 v8, s11\n" clear                              \
    " s11, s[14:15]\nv_mov_b32 v9, s11"
    on_all(LEADING("s_flbit_i32", "s_flbit_i32_b64"), LEADING("s_cls_i32", "s_clz_i32_u64"), model_leading,
           false);
}

static void model_halves(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)in, (void)lane, (void)all;
    out[0] = 0x4100; // 1.5 + 1
    out[1] = 0xc080; // 1.5 * -1.5
    out[2] = 0x3c00; // the smaller of 1.5 and 1
    out[3] = 0x4580; // 2 * 2 + 1.5
}

static void test_scalar_halves(void **state) {
    (void)state;
    static const char body[] =
        "s_movk_i32 s8, 0x3e00\ns_movk_i32 s9, 0xbe00\ns_add_f16 s10, s8, 1.0\nv_mov_b32 v6, s10\n"
        "s_mul_f16 s10, s8, s9\nv_and_b32 v7, 0xffff, s10\ns_min_num_f16 s10, s8, 1.0\nv_mov_b32 v8, s10\n"
        "s_mov_b32 s10, s8\ns_movk_i32 s11, 0x4000\ns_fmac_f16 s10, s11, s11\n"
        "s_cmp_lt_f16 s9, s8\ns_cselect_b32 s10, s10, 0\ns_cmp_nlg_f16 s9, s8\ns_cselect_b32 s10, 0, s10\n"
        "v_mov_b32 v9, s10";
    check("gfx1200", body, model_halves, false);
}

static void model_scalar_extremes(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)in, (void)lane, (void)all;
    out[0] = out[1] = 0x3f800000; // a number, not a NaN, even a signalling one
    out[2] = 0;                   // the larger of -0 and 0
    out[3] = 0x80000000;          // the smaller
}

static void test_scalar_extremes(void **state) {
    (void)state;
    static const char body[] =
        "s_mov_b32 s8, 0x7f800001\ns_max_num_f32 s10, s8, 1.0\nv_mov_b32 v6, s10\n"
        "s_min_num_f32 s10, 1.0, s8\nv_mov_b32 v7, s10\ns_brev_b32 s8, 1\n"
        "s_max_num_f32 s10, s8, 0\nv_mov_b32 v8, s10\ns_min_num_f32 s10, 0, s8\nv_mov_b32 v9, s10";
    check("gfx1200", body, model_scalar_extremes, false);
}

// ---- lanes ----

static void model_lanes(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)in;
    out[0] = all[4 * (lane ^ 1)];
    out[1] = all[4 * ((lane & ~15u) | ((lane + 8) & 15)) + 1];
    out[2] = all[4 * (lane ^ 16) + 2];
    out[3] = all[4 * (lane ^ 5) + 3];
}

static void test_lanes(void **state) {
    (void)state;
#define LANES(permute, wait)                                                                                 \
    "v_mov_b32_dpp v6, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:1\n"                     \
    "v_mov_b32_dpp v7, v3 row_ror:8 row_mask:0xf bank_mask:0xf bound_ctrl:1\n"                               \
    "ds_swizzle_b32 v8, v4 offset:swizzle(SWAP,16)\nv_xor_b32 v10, 5, v0\nv_lshlrev_b32 v10, 2, v10\n"       \
    "ds_bpermute_b32 v9, v10, v5\n" wait
    check("gfx942", LANES("", "s_waitcnt lgkmcnt(0)"), model_lanes, false);
    check("gfx1100", LANES("", "s_waitcnt lgkmcnt(0)"), model_lanes, false);
    check("gfx1200", LANES("", "s_wait_dscnt 0x0"), model_lanes, false);
}

static void model_swap(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)all;
    bool both = lane == 0 || lane == 2 || lane >= 32; // in the second
    out[0] = in[1];
    out[1] = in[0];
    out[2] = in[both ? 3 : 2];
    out[3] = in[both ? 2 : 3];
}

static void test_swap(void **state) {
    (void)state;
    static const char body[] =
        "v_mov_b32 v6, v2\nv_mov_b32 v7, v3\nv_mov_b32 v8, v4\nv_mov_b32 v9, v5\nv_swap_b32 v6, v7\n"
        "s_mov_b32 exec_lo, 5\nv_swap_b32 v9, v8\ns_mov_b32 exec_lo, -1";
    on_all(body, body, model_swap, false);
}

// ---- packed and parts of registers ----

static void model_packed(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)lane, (void)all;
    out[0] = (uint16_t)(in[0] + in[1]) | (uint32_t)(uint16_t)((in[0] >> 16) + (in[1] >> 16)) << 16;
    out[1] = (uint16_t)((in[0] >> 16) * in[1]) | (uint32_t)(uint16_t)(in[0] * (in[1] >> 16)) << 16;
    out[2] = (in[0] & 0xffff) | in[1] << 16;
    out[3] = in[3];
}

static void test_packed(void **state) {
    (void)state;
    static const char body[] =
        "v_pk_add_u16 v6, v2, v3\nv_pk_mul_lo_u16 v7, v2, v3 op_sel:[1,0] op_sel_hi:[0,1]\n"
        "v_and_b32 v10, 0xffff, v2\nv_lshl_or_b32 v8, v3, 16, v10\nv_mov_b32 v9, v5";
    on_all(body, body, model_packed, false);
}

static uint32_t dot_words(uint32_t a, uint32_t b, unsigned width, bool is_signed, int64_t low, int64_t high,
                          int64_t sum) {
    for (unsigned at = 0; at < 32; at += width) {
        int64_t x = a >> at & ((1u << width) - 1), y = b >> at & ((1u << width) - 1), half = 1 << (width - 1);
        sum += is_signed ? ((x ^ half) - half) * ((y ^ half) - half) : x * y;
    }
    return (uint32_t)(sum < low ? low : sum > high ? high : sum);
}

static void model_dots(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)lane, (void)all;
    out[0] = dot_words(in[0], in[1], 8, false, 0, INT64_MAX, 0x7d3);
    out[1] = dot_words(in[0], in[1], 8, true, INT64_MIN, INT64_MAX, in[2]);
    out[2] = dot_words(in[0], in[1], 8, false, 0, UINT32_MAX, in[2] | 0xfffff000u);
    out[3] = dot_words(in[0], in[1], 8, true, INT32_MIN, INT32_MAX, (int32_t)((in[3] >> 24) - 0x80000000u));
}

// 1.5 * 2 - 3 * 0.5 plus the addend; with halves exchanged and a sign, 3 * 2 + 1.5 * 0.5.
static void model_half_dots(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)lane, (void)all;
    out[0] = as_bits(1.5f + as_float(in[0]));
    out[1] = as_bits(1.5f + as_float(in[1]));
    out[2] = as_bits(6.75f - as_float(in[2]));
    out[3] = as_bits(1);
}

static void test_dots(void **state) {
    (void)state;
// v_dot4_u32_u8 v6, v2, v3, 0x7d3 and v_dot4_u32_u8 v8, v2, v3, v10 clamp; the feature is off for these chips
// (targets.c)
#define DOT4_PLAIN ".long 0xcc174006, 0x1bfe0702, 0x7d3\n"
#define DOT4_CLAMP ".long 0xcc17c008, 0x1c2a0702\n"
#define DOTS(first, second, signs)                                                                           \
    DOT4_PLAIN first "\n"                                                                                    \
                     "v_or_b32 v10, 0xfffff000, v4\n" DOT4_CLAMP                                             \
                     "v_lshrrev_b32 v10, 24, v5\nv_xor_b32 v10, 0x80000000, v10\n" second                    \
                     " v9, v2, v3, v10 " signs " clamp"
    static const char plain[] = DOTS("v_dot4_i32_i8 v7, v2, v3, v4", "v_dot4_i32_i8", ""),
                      adding[] = DOTS("v_mov_b32 v7, v4\nv_dot4c_i32_i8 v7, v2, v3", "v_dot4_i32_i8", ""),
                      mixed[] = DOTS("v_dot4_i32_iu8 v7, v2, v3, v4 neg_lo:[1,1,0]", "v_dot4_i32_iu8",
                                     "neg_lo:[1,1,0]");
    check("gfx1030", plain, model_dots, false);
    check("gfx1030", adding, model_dots, false);
    check("gfx1100", mixed, model_dots, false);
    check("gfx1200", mixed, model_dots, false);
#undef DOTS
#define HALF_DOTS(adding)                                                                                    \
    "s_mov_b32 s8, 0x42003e00\ns_mov_b32 s9, 0xb8004000\nv_mov_b32 v10, s8\nv_mov_b32 v11, s9\n"             \
    "v_dot2_f32_f16 v6, v10, v11, v2\nv_mov_b32 v7, v3\n" adding                                             \
    "v_dot2_f32_f16 v8, v10, v11, v4 op_sel:[1,0,0] op_sel_hi:[0,1,1] neg_lo:[0,0,1] neg_hi:[1,0,0]\n"       \
    "v_dot2_f32_f16 v9, v10, v11, 0.5 clamp"
    check("gfx90a", HALF_DOTS("v_dot2c_f32_f16 v7, v10, v11\n"), model_half_dots, true);
    check("gfx1030", HALF_DOTS("v_dot2c_f32_f16 v7, v10, v11\n"), model_half_dots, true);
    check("gfx1100", HALF_DOTS("v_dot2acc_f32_f16 v7, v10, v11\n"), model_half_dots, true);
#undef HALF_DOTS
}

static uint32_t saturated_half(int value) {
    return (uint32_t)(value > INT16_MAX ? INT16_MAX : value < INT16_MIN ? INT16_MIN : value) & 0xffff;
}

static void model_saturating_halves(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)lane, (void)all;
    int a = (int16_t)in[0], b = (int16_t)in[1], c = (int16_t)in[2], d = (int16_t)in[3];
    out[0] = saturated_half(a + b);
    out[1] = saturated_half(a - b);
    out[2] = (uint32_t)(c + d) & 0xffff;
    out[3] = (uint32_t)(c - d) & 0xffff;
}

static void test_saturating_halves(void **state) {
    (void)state;
#define HALVES(add, sub)                                                                                     \
    add " v6, v2, v3 clamp\n" sub " v7, v2, v3 clamp\n" add " v8, v4, v5\n" sub " v9, v4, v5\n"              \
        "v_and_b32 v6, 0xffff, v6\nv_and_b32 v7, 0xffff, v7\nv_and_b32 v8, 0xffff, v8\n"                     \
        "v_and_b32 v9, 0xffff, v9"
    check("gfx90a", HALVES("v_add_i16", "v_sub_i16"), model_saturating_halves, false);
    check("gfx942", HALVES("v_add_i16", "v_sub_i16"), model_saturating_halves, false);
    check("gfx1030", HALVES("v_add_nc_i16", "v_sub_nc_i16"), model_saturating_halves, false);
    check("gfx1100", HALVES("v_add_nc_i16", "v_sub_nc_i16"), model_saturating_halves, false);
#undef HALVES
}

static void model_register_pairs(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)lane, (void)all;
    out[0] = in[1];
    out[1] = in[2];
    out[2] = as_bits(as_float(in[0]) * as_float(in[2]));
    out[3] = as_bits(as_float(in[1]) * as_float(in[3]));
}

static void test_register_pairs(void **state) {
    (void)state;
    static const char body[] =
        "v_pk_mov_b32 v[6:7], v[2:3], v[4:5] op_sel:[1,0]\nv_pk_mul_f32 v[8:9], v[2:3], v[4:5]";
    check("gfx90a", body, model_register_pairs, true);
    check("gfx942", body, model_register_pairs, true);
}

static void model_parts(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)lane, (void)all;
    out[0] = in[0] + (uint32_t)(int16_t)in[1];
    out[1] = (in[0] & 0xff0000ffu) | ((in[0] + in[1]) & 0xff) << 16 | (in[0] & 0xff00);
    out[2] = in[2];
    out[3] = in[3];
}

static void test_parts(void **state) {
    (void)state;
    static const char body[] =
        "v_add_u32_sdwa v6, v2, sext(v3) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:WORD_0\n"
        "v_mov_b32 v7, v2\n"
        "v_add_u32_sdwa v7, v2, v3 dst_sel:BYTE_2 dst_unused:UNUSED_PRESERVE src0_sel:DWORD src1_sel:DWORD\n"
        "v_mov_b32 v8, v4\nv_mov_b32 v9, v5";
    check("gfx90a", body, model_parts, false);
    check("gfx942", body, model_parts, false);
}

static void model_pairs(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)lane, (void)all;
    out[0] = as_bits(as_float(in[1]) + as_float(in[0]));
    out[1] = in[0];
    out[2] = in[3];
    out[3] = in[2];
}

static void model_scalar_functions(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)in, (void)lane, (void)all;
    static const float values[] = {0.125f, 4, INFINITY, 0.25f};
    for (unsigned i = 0; i < 4; i++) {
        out[i] = as_bits(values[i]);
    }
}

// RDNA 4 has functions of scalars, with the vectors' bits.
static void test_scalar_functions(void **state) {
    (void)state;
    static const char body[] =
        "s_mov_b32 s8, 0x41000000\ns_mov_b32 s9, 0x41800000\ns_mov_b32 s10, 0x00000001\n"
        "v_s_rcp_f32 s11, s8\nv_s_sqrt_f32 s12, s9\nv_s_rcp_f32 s13, s10\nv_s_rsq_f32 s14, s9\n"
        "v_s_log_f32 s14, s14\nv_s_exp_f32 s14, s14\ns_wait_alu 0xfffe\n"
        "v_mov_b32 v6, s11\nv_mov_b32 v7, s12\nv_mov_b32 v8, s13\nv_mov_b32 v9, s14";
    check("gfx1200", body, model_scalar_functions, true);
}

static void test_pairs(void **state) {
    (void)state;
    // Each half reads the other half's destination.
    static const char body[] = "v_mov_b32 v6, v2\nv_mov_b32 v7, v3\nv_mov_b32 v8, v4\nv_mov_b32 v9, v5\n"
                               "v_dual_mov_b32 v8, v9 :: v_dual_mov_b32 v9, v8\n"
                               "v_dual_add_f32 v6, v7, v6 :: v_dual_mov_b32 v7, v2";
    check("gfx1100", body, model_pairs, true);
    check("gfx1200", body, model_pairs, true);
}

// ---- matrices: a row of ones times B gives the sums of B's columns ----

static void model_matrix(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)in;
    // v_mfma_f32_16x16x4_f32: B[k][j] is in lane 16 k + j
    float sum = 0;
    for (unsigned k = 0; k < 4; k++) {
        sum += as_float(all[4 * (16 * k + lane % 16)]);
    }
    for (unsigned i = 0; i < 4; i++) {
        out[i] = as_bits(sum + 1);
    }
}

static void test_matrix(void **state) {
    (void)state;
    static const char body[] =
        "v_mov_b32 v10, 1.0\nv_accvgpr_write_b32 a0, 1.0\nv_accvgpr_write_b32 a1, 1.0\n"
        "v_accvgpr_write_b32 a2, 1.0\nv_accvgpr_write_b32 a3, 1.0\n"
        "v_mfma_f32_16x16x4_f32 a[0:3], v10, v2, a[0:3]\ns_nop 9\nv_accvgpr_read_b32 v6, a0\n"
        "v_accvgpr_read_b32 v7, a1\nv_accvgpr_read_b32 v8, a2\nv_accvgpr_read_b32 v9, a3";
    check("gfx942", body, model_matrix, true);
}

static void model_overlap(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    model_matrix(in, lane, all, out);
    for (unsigned i = 0; i < 4; i++) {
        out[i] = as_bits(as_float(out[i]) + (float)i);
    }
}

// The result lies two registers behind C: all of C is read before any of it is written.
static void test_matrix_overlap(void **state) {
    (void)state;
#define OVERLAP(name)                                                                                        \
    "v_mov_b32 v10, 1.0\nv_mov_b32 v12, 1.0\nv_mov_b32 v13, 2.0\nv_mov_b32 v14, 0x40400000\n"                \
    "v_mov_b32 v15, 4.0\n" name " v[14:17], v10, v2, v[12:15]\ns_nop 10\n"                                   \
    "v_mov_b32 v6, v14\nv_mov_b32 v7, v15\nv_mov_b32 v8, v16\nv_mov_b32 v9, v17"
    check("gfx90a", OVERLAP("v_mfma_f32_16x16x4f32"), model_overlap, true);
    check("gfx942", OVERLAP("v_mfma_f32_16x16x4_f32"), model_overlap, true);
    char *error = NULL;
    assert_null(gcn_assemble("gfx90a",
                             ".long 0xd3cc000a\n.long 0x04220502 ; v_mfma_f32_32x32x8f16 v[10:25], v[2:3], "
                             "v[2:3], v[8:23]",
                             64, 0, false, false, &error));
    if (!strstr(error, "its result overlaps operand 3")) {
        fail_msg("%s", error);
    }
    free(error);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_narrow_products),
        cmocka_unit_test(test_gfx950),
        cmocka_unit_test(test_gfx1250),
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_signs_of_products),
        cmocka_unit_test(test_division),
        cmocka_unit_test(test_conversions),
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_scalars),
        cmocka_unit_test(test_leading_bits),
        cmocka_unit_test(test_scalar_halves),
        cmocka_unit_test(test_scalar_extremes),
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_swap),
        cmocka_unit_test(test_packed),
        cmocka_unit_test(test_dots),
        cmocka_unit_test(test_saturating_halves),
        cmocka_unit_test(test_register_pairs),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_scalar_functions),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_matrix),
        cmocka_unit_test(test_matrix_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
