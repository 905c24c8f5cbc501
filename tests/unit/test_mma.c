// Matrix instruction rows against their documents.
//
// NVIDIA's fragments are written here in the form of the PTX ISA (groupID = lane / 4, threadID_in_group =
// lane % 4, and for each element index its row and column); AMD's in the register formulas of AMD's matrix
// instruction calculator. Every element of every row is compared, so a permuted bit anywhere fails. Then:
// each fragment is a bijection up to the replicas declared by its row, and whole-tile layouts cover their
// tile.
#include "chip_testing.h"
#include "chip/mma.h"

static unsigned lanes_of(const struct mma *mma) {
    return strncmp(mma->name, "mfma", 4) == 0 ? 64 : 32;
}

static const struct mma *row(const char *name) {
    const struct mma *mma = mma_find(name, strlen(name));
    if (!mma) {
        fail_msg("no row %s", name);
    }
    return mma;
}

// The element in `reg` of `lane`, by the document.
typedef void fragment_function(unsigned reg, unsigned lane, unsigned at[2]);

static bool documented[256][3]; // row, operand

static void expect(const char *name, enum mma_operand operand, unsigned registers,
                   fragment_function *document) {
    const struct mma *mma = row(name);
    documented[mma - mma_table][operand] = true;
    assert_int_equal(mma_registers(mma, operand), registers);
    for (unsigned reg = 0; reg < registers; reg++) {
        for (unsigned lane = 0; lane < lanes_of(mma); lane++) {
            unsigned wanted[2], found[2];
            document(reg, lane, wanted);
            mma_fragment_element(mma, operand, reg, lane, found);
            if (wanted[0] != found[0] || wanted[1] != found[1]) {
                fail_msg("%s operand %d register %u lane %u: (%u, %u), document says (%u, %u)", name,
                         (int)operand, reg, lane, found[0], found[1], wanted[0], wanted[1]);
            }
        }
    }
}

#define DOCUMENT(name, row_expression, column_expression)                                                    \
    static void name(unsigned i, unsigned lane, unsigned at[2]) {                                            \
        unsigned group = lane / 4, thread = lane % 4;                                                        \
        (void)i, (void)group, (void)thread;                                                                  \
        at[0] = row_expression;                                                                              \
        at[1] = column_expression;                                                                           \
    }

// ---- PTX ISA, "Matrix Fragments for mma.m16n8k…" ----
DOCUMENT(k16_f16_a, (i < 2 || (i >= 4 && i < 6)) ? group : group + 8, thread * 2 + (i & 1) + (i >= 4 ? 8 : 0))
DOCUMENT(k16_f16_b, thread * 2 + (i & 1) + (i >= 2 ? 8 : 0), group)
DOCUMENT(k8_f16_a, i < 2 ? group : group + 8, thread * 2 + (i & 1))
DOCUMENT(k8_f16_b, thread * 2 + i, group)
DOCUMENT(m16n8_c, i < 2 ? group : group + 8, thread * 2 + (i & 1))
DOCUMENT(m8n8_c, group, thread * 2 + (i & 1))
DOCUMENT(k4_tf32_a, i == 0 ? group : group + 8, thread)
DOCUMENT(k4_b, thread, group)
DOCUMENT(k8_tf32_a, i == 0 || i == 2 ? group : group + 8, i < 2 ? thread : thread + 4)
DOCUMENT(k8_tf32_b, i == 0 ? thread : thread + 4, group)
DOCUMENT(k4_f64_a, group, thread)
DOCUMENT(k32_a, i < 4 || (i >= 8 && i < 12) ? group : group + 8, thread * 4 + (i & 3) + (i >= 8 ? 16 : 0))
DOCUMENT(k32_b, thread * 4 + (i & 3) + (i >= 4 ? 16 : 0), group)
DOCUMENT(k16_s8_a, i < 4 ? group : group + 8, thread * 4 + (i & 3))
DOCUMENT(k16_s8_b, thread * 4 + (i & 3), group)
DOCUMENT(m8k16_s8_a, group, thread * 4 + (i & 3))
// Scales of A from lanes 0 and 1 of a quad, of B from lane 0; the others hold the same.
DOCUMENT(sm120_a_scale, group + 8 * (thread % 2), i)
DOCUMENT(sm120_b_scale, group, i)

static void test_nvidia(void **state) {
    (void)state;
    static const char *const pairs[] = {"f16", "bf16", "f16.f16"};
    for (unsigned n = 0; n < sizeof pairs / sizeof *pairs; n++) {
        char name[64];
        snprintf(name, sizeof name, "mma.m16n8k16.%s", pairs[n]);
        expect(name, MMA_A, 8, k16_f16_a);
        expect(name, MMA_B, 4, k16_f16_b);
        expect(name, MMA_C, 4, m16n8_c);
        snprintf(name, sizeof name, "mma.m16n8k8.%s", pairs[n]);
        expect(name, MMA_A, 4, k8_f16_a);
        expect(name, MMA_B, 2, k8_f16_b);
        expect(name, MMA_C, 4, m16n8_c);
    }
    expect("mma.m16n8k8.tf32", MMA_A, 4, k8_tf32_a);
    expect("mma.m16n8k8.tf32", MMA_B, 2, k8_tf32_b);
    expect("mma.m16n8k8.tf32", MMA_C, 4, m16n8_c);
    expect("mma.m16n8k4.tf32", MMA_A, 2, k4_tf32_a);
    expect("mma.m16n8k4.tf32", MMA_B, 1, k4_b);
    expect("mma.m16n8k4.tf32", MMA_C, 4, m16n8_c);
    static const char *const bytes[] = {"mma.m16n8k32.s8", "mma.m16n8k32.e4m3", "mma.m16n8k32.e4m3.e5m2",
                                        "mma.m16n8k32.e5m2.e4m3", "mma.m16n8k32.e5m2"};
    for (unsigned n = 0; n < sizeof bytes / sizeof *bytes; n++) {
        expect(bytes[n], MMA_A, 16, k32_a);
        expect(bytes[n], MMA_B, 8, k32_b);
        expect(bytes[n], MMA_C, 4, m16n8_c);
    }
    static const char *const pairs_of_bytes[] = {"e4m3.e4m3", "e4m3.e5m2", "e5m2.e4m3", "e5m2.e5m2"};
    for (unsigned n = 0; n < 4; n++) {
        char name[64];
        snprintf(name, sizeof name, "mma.f8f6f4.m16n8k32.%s", pairs_of_bytes[n]);
        expect(name, MMA_A, 16, k32_a);
        expect(name, MMA_B, 8, k32_b);
        expect(name, MMA_C, 4, m16n8_c);
        snprintf(name, sizeof name, "mma.scale.m16n8k32.%s", pairs_of_bytes[n]);
        expect(name, MMA_A, 16, k32_a);
        expect(name, MMA_B, 8, k32_b);
        expect(name, MMA_C, 4, m16n8_c);
        expect(name, MMA_A_SCALE, 1, sm120_a_scale);
        expect(name, MMA_B_SCALE, 1, sm120_b_scale);
    }
    static const char *const e2m1[] = {"mma.scale.m16n8k64.e2m1.e2m1", "mma.scale.m16n8k64.e2m1.e4m3"};
    for (unsigned n = 0; n < 2; n++) {     // two exponents, four numbers
        expect(e2m1[n], MMA_A, 16, k32_a); // by bytes
        expect(e2m1[n], MMA_B, 8, k32_b);
        expect(e2m1[n], MMA_C, 4, m16n8_c);
        expect(e2m1[n], MMA_A_SCALE, 2 + 2 * n, sm120_a_scale);
        expect(e2m1[n], MMA_B_SCALE, 2 + 2 * n, sm120_b_scale);
    }
    expect("mma.m16n8k16.s8", MMA_A, 8, k16_s8_a);
    expect("mma.m16n8k16.s8", MMA_B, 4, k16_s8_b);
    expect("mma.m16n8k16.s8", MMA_C, 4, m16n8_c);
    expect("mma.m8n8k16.s8", MMA_A, 4, m8k16_s8_a);
    expect("mma.m8n8k16.s8", MMA_B, 4, k16_s8_b);
    expect("mma.m8n8k16.s8", MMA_C, 2, m8n8_c);
    expect("mma.m8n8k4.f64", MMA_A, 1, k4_f64_a);
    expect("mma.m8n8k4.f64", MMA_B, 1, k4_b);
    expect("mma.m8n8k4.f64", MMA_C, 2, m8n8_c);
}

// ---- AMD MFMA: `i` counts elements, packed into 32-bit registers from the low bits up ----
DOCUMENT(mfma32_a1, lane % 32, lane / 32 + i)
DOCUMENT(mfma32_b1, lane / 32 + i, lane % 32)
DOCUMENT(mfma32_a2, lane % 32, 2 * (lane / 32) + i)
DOCUMENT(mfma32_b2, 2 * (lane / 32) + i, lane % 32)
DOCUMENT(mfma32_a4, lane % 32, 4 * (lane / 32) + i)
DOCUMENT(mfma32_b4, 4 * (lane / 32) + i, lane % 32)
DOCUMENT(mfma32_a8, lane % 32, 8 * (lane / 32) + i)
DOCUMENT(mfma32_b8, 8 * (lane / 32) + i, lane % 32)
DOCUMENT(mfma32_c, 8 * (i / 4) + 4 * (lane / 32) + i % 4, lane % 32)
DOCUMENT(mfma16_a1, lane % 16, lane / 16 + i)
DOCUMENT(mfma16_b1, lane / 16 + i, lane % 16)
DOCUMENT(mfma16_a2, lane % 16, 2 * (lane / 16) + i)
DOCUMENT(mfma16_b2, 2 * (lane / 16) + i, lane % 16)
DOCUMENT(mfma16_a4, lane % 16, 4 * (lane / 16) + i)
DOCUMENT(mfma16_b4, 4 * (lane / 16) + i, lane % 16)
DOCUMENT(mfma16_a8, lane % 16, 8 * (lane / 16) + i)
DOCUMENT(mfma16_b8, 8 * (lane / 16) + i, lane % 16)
DOCUMENT(mfma32_a16, lane % 32, 16 * (lane / 32) + i)
DOCUMENT(mfma32_b16, 16 * (lane / 32) + i, lane % 32)
DOCUMENT(mfma16_a16, lane % 16, 16 * (lane / 16) + i)
DOCUMENT(mfma16_b16, 16 * (lane / 16) + i, lane % 16)
// f8f6f4 with elements of 8 bits: two runs of 16 bytes, half of K apart.
DOCUMENT(mfma32_a32, lane % 32, 32 * (i / 16) + 16 * (lane / 32) + i % 16)
DOCUMENT(mfma32_b32, 32 * (i / 16) + 16 * (lane / 32) + i % 16, lane % 32)
DOCUMENT(mfma16_a32, lane % 16, 64 * (i / 16) + 16 * (lane / 16) + i % 16)
DOCUMENT(mfma16_b32, 64 * (i / 16) + 16 * (lane / 16) + i % 16, lane % 16)
DOCUMENT(mfma32_scale, lane % 32, lane / 32)
DOCUMENT(mfma16_scale, lane % 16, lane / 16)
DOCUMENT(mfma16_c, 4 * (lane / 16) + i, lane % 16)
DOCUMENT(mfma16_f64_c, 4 * i + lane / 16, lane % 16)

static void test_mfma(void **state) {
    (void)state;
    static const struct {
        const char *name;
        unsigned elements;
        fragment_function *a, *b;
    } large[] = {
        {"mfma.f32.32x32x8f16", 4, mfma32_a4, mfma32_b4},
        {"mfma.f32.32x32x8bf16.1k", 4, mfma32_a4, mfma32_b4},
        {"mfma.f32.32x32x4.xf32", 2, mfma32_a2, mfma32_b2},
        {"mfma.f32.32x32x4bf16", 2, mfma32_a2, mfma32_b2},
        {"mfma.f32.32x32x2f32", 1, mfma32_a1, mfma32_b1},
        {"mfma.i32.32x32x16.i8", 8, mfma32_a8, mfma32_b8},
        {"mfma.i32.32x32x8i8", 4, mfma32_a4, mfma32_b4},
        {"mfma.f32.32x32x16.fp8.fp8", 8, mfma32_a8, mfma32_b8},
        {"mfma.f32.32x32x16.fp8.bf8", 8, mfma32_a8, mfma32_b8},
        {"mfma.f32.32x32x16.bf8.fp8", 8, mfma32_a8, mfma32_b8},
        {"mfma.f32.32x32x16.bf8.bf8", 8, mfma32_a8, mfma32_b8},
        {"mfma.f32.32x32x16.f16", 8, mfma32_a8, mfma32_b8},
        {"mfma.f32.32x32x16.bf16", 8, mfma32_a8, mfma32_b8},
        {"mfma.f32.32x32x16.fp8.fp8.ocp", 8, mfma32_a8, mfma32_b8},
        {"mfma.f32.32x32x16.fp8.bf8.ocp", 8, mfma32_a8, mfma32_b8},
        {"mfma.f32.32x32x16.bf8.fp8.ocp", 8, mfma32_a8, mfma32_b8},
        {"mfma.f32.32x32x16.bf8.bf8.ocp", 8, mfma32_a8, mfma32_b8},
        {"mfma.i32.32x32x32.i8", 16, mfma32_a16, mfma32_b16},
        {"mfma.f32.32x32x64.f8f6f4.fp8.fp8", 32, mfma32_a32, mfma32_b32},
        {"mfma.f32.32x32x64.f8f6f4.fp8.bf8", 32, mfma32_a32, mfma32_b32},
        {"mfma.f32.32x32x64.f8f6f4.bf8.fp8", 32, mfma32_a32, mfma32_b32},
        {"mfma.f32.32x32x64.f8f6f4.bf8.bf8", 32, mfma32_a32, mfma32_b32},
    };
    for (unsigned n = 0; n < sizeof large / sizeof *large; n++) {
        expect(large[n].name, MMA_A, large[n].elements, large[n].a);
        expect(large[n].name, MMA_B, large[n].elements, large[n].b);
        expect(large[n].name, MMA_C, 16, mfma32_c);
    }
    static const struct {
        const char *name;
        unsigned elements;
        fragment_function *a, *b;
    } small[] = {
        {"mfma.f32.16x16x16f16", 4, mfma16_a4, mfma16_b4},
        {"mfma.f32.16x16x16bf16.1k", 4, mfma16_a4, mfma16_b4},
        {"mfma.f32.16x16x8bf16", 2, mfma16_a2, mfma16_b2},
        {"mfma.f32.16x16x8.xf32", 2, mfma16_a2, mfma16_b2},
        {"mfma.f32.16x16x4f32", 1, mfma16_a1, mfma16_b1},
        {"mfma.i32.16x16x32.i8", 8, mfma16_a8, mfma16_b8},
        {"mfma.i32.16x16x16i8", 4, mfma16_a4, mfma16_b4},
        {"mfma.f32.16x16x32.fp8.fp8", 8, mfma16_a8, mfma16_b8},
        {"mfma.f32.16x16x32.fp8.bf8", 8, mfma16_a8, mfma16_b8},
        {"mfma.f32.16x16x32.bf8.fp8", 8, mfma16_a8, mfma16_b8},
        {"mfma.f32.16x16x32.bf8.bf8", 8, mfma16_a8, mfma16_b8},
        {"mfma.f32.16x16x32.f16", 8, mfma16_a8, mfma16_b8},
        {"mfma.f32.16x16x32.bf16", 8, mfma16_a8, mfma16_b8},
        {"mfma.f32.16x16x32.fp8.fp8.ocp", 8, mfma16_a8, mfma16_b8},
        {"mfma.f32.16x16x32.fp8.bf8.ocp", 8, mfma16_a8, mfma16_b8},
        {"mfma.f32.16x16x32.bf8.fp8.ocp", 8, mfma16_a8, mfma16_b8},
        {"mfma.f32.16x16x32.bf8.bf8.ocp", 8, mfma16_a8, mfma16_b8},
        {"mfma.i32.16x16x64.i8", 16, mfma16_a16, mfma16_b16},
        {"mfma.f32.16x16x128.f8f6f4.fp8.fp8", 32, mfma16_a32, mfma16_b32},
        {"mfma.f32.16x16x128.f8f6f4.fp8.bf8", 32, mfma16_a32, mfma16_b32},
        {"mfma.f32.16x16x128.f8f6f4.bf8.fp8", 32, mfma16_a32, mfma16_b32},
        {"mfma.f32.16x16x128.f8f6f4.bf8.bf8", 32, mfma16_a32, mfma16_b32},
    };
    for (unsigned n = 0; n < sizeof small / sizeof *small; n++) {
        expect(small[n].name, MMA_A, small[n].elements, small[n].a);
        expect(small[n].name, MMA_B, small[n].elements, small[n].b);
        expect(small[n].name, MMA_C, 4, mfma16_c);
    }
    // Scales: the lane with row m and block g of K; operands of e2m1 by bytes.
    static const char *const formats[] = {"fp8.fp8", "fp8.bf8", "bf8.fp8", "bf8.bf8", "fp4.fp4"};
    for (unsigned n = 0; n < sizeof formats / sizeof *formats; n++) {
        char name[64];
        bool fp4 = n == 4;
        snprintf(name, sizeof name, "mfma.scale.f32.32x32x64.%s", formats[n]);
        expect(name, MMA_A, fp4 ? 16 : 32, fp4 ? mfma32_a16 : mfma32_a32);
        expect(name, MMA_B, fp4 ? 16 : 32, fp4 ? mfma32_b16 : mfma32_b32);
        expect(name, MMA_C, 16, mfma32_c);
        expect(name, MMA_A_SCALE, 1, mfma32_scale);
        expect(name, MMA_B_SCALE, 1, mfma32_scale);
        snprintf(name, sizeof name, "mfma.scale.f32.16x16x128.%s", formats[n]);
        expect(name, MMA_A, fp4 ? 16 : 32, fp4 ? mfma16_a16 : mfma16_a32);
        expect(name, MMA_B, fp4 ? 16 : 32, fp4 ? mfma16_b16 : mfma16_b32);
        expect(name, MMA_C, 4, mfma16_c);
        expect(name, MMA_A_SCALE, 1, mfma16_scale);
        expect(name, MMA_B_SCALE, 1, mfma16_scale);
    }
    expect("mfma.f64.16x16x4f64", MMA_A, 1, mfma16_a1);
    expect("mfma.f64.16x16x4f64", MMA_B, 1, mfma16_b1);
    expect("mfma.f64.16x16x4f64", MMA_C, 4, mfma16_f64_c);
}

// ---- AMD WMMA ----
DOCUMENT(wmma11_a, lane % 16, i)
DOCUMENT(wmma11_b, i, lane % 16)
DOCUMENT(wmma11_c, 2 * i + lane / 16, lane % 16)
DOCUMENT(wmma12_a16, lane % 16, 8 * (i / 4) + 4 * (lane / 16) + i % 4)
DOCUMENT(wmma12_b16, 8 * (i / 4) + 4 * (lane / 16) + i % 4, lane % 16)
DOCUMENT(wmma12_a8, lane % 16, 8 * (lane / 16) + i)
DOCUMENT(wmma12_b8, 8 * (lane / 16) + i, lane % 16)
DOCUMENT(wmma12_c, 8 * (lane / 16) + i, lane % 16)
DOCUMENT(wmma1250_a, lane % 16, 16 * (i / 8) + 8 * (lane / 16) + i % 8)
DOCUMENT(wmma1250_b, 16 * (i / 8) + 8 * (lane / 16) + i % 8, lane % 16)
DOCUMENT(wmma1250_a32, lane % 16, 2 * (lane / 16) + i)
DOCUMENT(wmma1250_b32, 2 * (lane / 16) + i, lane % 16)

static void test_wmma(void **state) {
    (void)state;
    static const char *const gfx11[] = {"wmma.f32.16x16x16.f16.gfx11", "wmma.f32.16x16x16.bf16.gfx11",
                                        "wmma.i32.16x16x16.iu8.gfx11"};
    for (unsigned n = 0; n < 3; n++) {
        expect(gfx11[n], MMA_A, 16, wmma11_a);
        expect(gfx11[n], MMA_B, 16, wmma11_b);
        expect(gfx11[n], MMA_C, 8, wmma11_c);
    }
    static const char *const wide[] = {"wmma.f32.16x16x16.f16.gfx12", "wmma.f32.16x16x16.bf16.gfx12"};
    for (unsigned n = 0; n < 2; n++) {
        expect(wide[n], MMA_A, 8, wmma12_a16);
        expect(wide[n], MMA_B, 8, wmma12_b16);
        expect(wide[n], MMA_C, 8, wmma12_c);
    }
    static const char *const narrow[] = {"wmma.i32.16x16x16.iu8.gfx12", "wmma.f32.16x16x16.fp8.fp8",
                                         "wmma.f32.16x16x16.fp8.bf8", "wmma.f32.16x16x16.bf8.fp8",
                                         "wmma.f32.16x16x16.bf8.bf8"};
    for (unsigned n = 0; n < 5; n++) {
        expect(narrow[n], MMA_A, 8, wmma12_a8);
        expect(narrow[n], MMA_B, 8, wmma12_b8);
        expect(narrow[n], MMA_C, 8, wmma12_c);
    }
    static const struct {
        const char *name;
        unsigned elements;
    } runs[] = {
        {"wmma.f32.16x16x32.f16", 16},      {"wmma.f32.16x16x32.bf16", 16},
        {"wmma.i32.16x16x64.iu8", 32},      {"wmma.f32.16x16x64.fp8.fp8", 32},
        {"wmma.f32.16x16x64.fp8.bf8", 32},  {"wmma.f32.16x16x64.bf8.fp8", 32},
        {"wmma.f32.16x16x64.bf8.bf8", 32},  {"wmma.f32.16x16x128.fp8.fp8", 64},
        {"wmma.f32.16x16x128.fp8.bf8", 64}, {"wmma.f32.16x16x128.bf8.fp8", 64},
        {"wmma.f32.16x16x128.bf8.bf8", 64},
    };
    for (unsigned n = 0; n < sizeof runs / sizeof *runs; n++) {
        expect(runs[n].name, MMA_A, runs[n].elements, wmma1250_a);
        expect(runs[n].name, MMA_B, runs[n].elements, wmma1250_b);
        expect(runs[n].name, MMA_C, 8, wmma12_c);
    }
    expect("wmma.f32.16x16x4.f32", MMA_A, 2, wmma1250_a32);
    expect("wmma.f32.16x16x4.f32", MMA_B, 2, wmma1250_b32);
    expect("wmma.f32.16x16x4.f32", MMA_C, 8, wmma12_c);
}

// Every row stands in the tests above; those of warpgroups in test_wgmma.c.
static void test_all_rows(void **state) {
    (void)state;
    for (unsigned i = 0; i < mma_count; i++) {
        for (int operand = MMA_A; operand <= MMA_C; operand++) {
            bool of_warpgroups = mma_table[i].types != NULL;
            if (!documented[i][operand] && !of_warpgroups) {
                fail_msg("row %s of mma.def: operand %d has no formula of the vendor's document in this file",
                         mma_table[i].name, operand);
            }
        }
    }
}

// ---- every row ----

static void extents(const struct mma *mma, enum mma_operand operand, unsigned extent[2]) {
    extent[0] = operand == MMA_B ? mma->k : mma->m;
    extent[1] = operand == MMA_A ? mma->k : mma->n;
}

// Each element of the fragment is held equally often: once, or twice in rows with a replica.
static void test_bijective(void **state) {
    (void)state;
    for (unsigned n = 0; n < mma_count; n++) {
        const struct mma *mma = &mma_table[n];
        for (int operand = MMA_A; mma->warps == 1 && operand < MMA_OPERANDS;
             operand++) { // else: test_wgmma.c
            unsigned extent[2], held[32 * 64] = {0};
            extents(mma, (enum mma_operand)operand, extent);
            unsigned registers = mma_registers(mma, (enum mma_operand)operand),
                     points = registers * lanes_of(mma);
            for (unsigned point = 0; point < points; point++) {
                unsigned at[2];
                mma_fragment_element(mma, (enum mma_operand)operand, point % registers, point / registers,
                                     at);
                assert_true(at[0] < extent[0] && at[1] < extent[1]);
                held[at[0] * extent[1] + at[1]]++;
            }
            bool halves = strstr(mma->name, "gfx11") && operand != MMA_C;
            assert_int_equal(points, extent[0] * extent[1] * (halves ? 2 : 1));
            for (unsigned i = 0; i < extent[0] * extent[1]; i++) {
                assert_int_equal(held[i], halves ? 2 : 1);
            }
        }
    }
}

static void check_tile(const struct mma *mma, unsigned rank, const int64_t sizes[4], unsigned warps_m,
                       unsigned warps_n) {
    for (int operand = MMA_A; operand < MMA_OPERANDS; operand++) {
        int64_t shape[3] = {sizes[0], operand == MMA_B ? sizes[3] : sizes[1],
                            operand == MMA_A ? sizes[3] : sizes[2]};
        struct layout layout =
            mma_layout(mma, (enum mma_operand)operand, rank, shape + (3 - rank), warps_m, warps_n);
        if (!layout_is_surjective(&layout) || 1u << layout.bits[LAYOUT_LANE] != lanes_of(mma) ||
            1u << layout.bits[LAYOUT_WARP] != warps_m * warps_n) {
            fail_msg("%s operand %d: a tile's layout does not hold every element on these warps", mma->name,
                     operand);
        }
        // The fragment is the low part of every whole-tile layout.
        for (unsigned reg = 0; reg < mma_registers(mma, (enum mma_operand)operand); reg++) {
            for (unsigned lane = 0; lane < lanes_of(mma); lane++) {
                unsigned at[2];
                uint32_t coordinates[LAYOUT_MAX_RANK];
                mma_tile_element(mma, (enum mma_operand)operand, reg, lane, at);
                layout_split_coordinates(&layout, layout_at(&layout, reg, lane, 0), coordinates);
                if (coordinates[rank - 2] != (at[0] & (shape[1] - 1)) ||
                    coordinates[rank - 1] != (at[1] & (shape[2] - 1))) {
                    fail_msg("%s operand %d register %u lane %u: (%u, %u) of the tile, (%u, %u) of the row",
                             mma->name, operand, reg, lane, coordinates[rank - 2], coordinates[rank - 1],
                             at[0], at[1]);
                }
            }
        }
    }
}

static void test_tiles(void **state) {
    (void)state;
    static const int64_t sizes[][4] = {
        {1, 64, 64, 64}, {4, 32, 64, 32}, {1, 128, 32, 32}, {1, 16, 16, 32}, {2, 8, 64, 64}};
    static const unsigned warps[][2] = {{1, 1}, {2, 2}, {4, 1}, {1, 4}, {4, 2}};
    for (unsigned n = 0; n < mma_count; n++) {
        for (unsigned s = 0; mma_table[n].warps == 1 && s < sizeof sizes / sizeof *sizes; s++) {
            for (unsigned w = 0; w < sizeof warps / sizeof *warps; w++) {
                check_tile(&mma_table[n], sizes[s][0] > 1 ? 3 : 2, sizes[s], warps[w][0], warps[w][1]);
            }
        }
    }
}

// Rows give the order of operands: all rows of a vendor have the same, for any feature.
static void test_orders(void **state) {
    (void)state;
    const char *lonely = NULL; // a row that no chip has
    for (unsigned n = 0; n < mma_count; n++) {
        unsigned chips = 0;
        for (size_t t = 0; t < target_count; t++) {
            if (target_has(&target_table[t], mma_table[n].features)) {
                chips++;
                if (mma_table[n].transposed != (target_table[t].vendor == VENDOR_AMD)) {
                    fail_msg("%s has the wrong order of operands for %s", mma_table[n].name,
                             target_table[t].name);
                }
            }
        }
        lonely = chips == 0 ? mma_table[n].name : lonely;
    }
    if (lonely) {
        need_llvm(20, "no chip has a row of newer ones");
        fail_msg("%s: no chip has it", lonely);
    }
}

static const char *chosen(const char *chip, enum mma_type a, enum mma_type b, enum mma_type acc, int64_t m,
                          int64_t n, int64_t k, unsigned warps) {
    need_chip(chip);
    const struct mma *mma = mma_select(target_find(chip), a, b, acc, m, n, k, warps, false);
    return mma ? mma->name : "none";
}

// Attention keeps whole rows in a warp: 128 rows are enough for eight waves of 16, not of 32.
static void test_whole_rows(void **state) {
    (void)state;
    const struct target *chip = target_find("gfx942");
    const struct mma *apart = mma_select(chip, MMA_F16, MMA_F16, MMA_F32, 128, 64, 64, 8, false);
    const struct mma *whole = mma_select(chip, MMA_F16, MMA_F16, MMA_F32, 128, 64, 64, 8, true);
    assert_string_equal(apart->name, "mfma.f32.32x32x8f16");
    assert_string_equal(whole->name, "mfma.f32.16x16x16f16");
}

static void test_choice(void **state) {
    (void)state;
    assert_string_equal(chosen("sm_80", MMA_F16, MMA_F16, MMA_F32, 128, 128, 64, 4), "mma.m16n8k16.f16");
    assert_string_equal(chosen("sm_80", MMA_F16, MMA_F16, MMA_F32, 128, 128, 8, 4), "mma.m16n8k8.f16");
    assert_string_equal(chosen("sm_75", MMA_F16, MMA_F16, MMA_F32, 128, 128, 64, 4), "mma.m16n8k8.f16");
    assert_string_equal(chosen("sm_75", MMA_BF16, MMA_BF16, MMA_F32, 128, 128, 64, 4), "none");
    assert_string_equal(chosen("sm_75", MMA_I8, MMA_I8, MMA_I32, 64, 64, 64, 4), "mma.m8n8k16.s8");
    assert_string_equal(chosen("sm_80", MMA_E4M3, MMA_E4M3, MMA_F32, 64, 64, 64, 4), "none");
    assert_string_equal(chosen("sm_89", MMA_E4M3, MMA_E5M2, MMA_F32, 64, 64, 64, 4),
                        "mma.m16n8k32.e4m3.e5m2");
    assert_string_equal(chosen("sm_80", MMA_F32, MMA_F32, MMA_F32, 64, 64, 64, 4), "none");
    assert_string_equal(chosen("gfx90a", MMA_I8, MMA_I8, MMA_I32, 64, 64, 64, 4), "mfma.i32.32x32x8i8");
    assert_string_equal(chosen("gfx908", MMA_I8, MMA_I8, MMA_I32, 64, 64, 64, 4), "mfma.i32.32x32x8i8");
    assert_string_equal(chosen("gfx908", MMA_BF16, MMA_BF16, MMA_F32, 64, 64, 64, 4), "mfma.f32.32x32x4bf16");
    assert_string_equal(chosen("gfx90a", MMA_BF16, MMA_BF16, MMA_F32, 64, 64, 64, 4),
                        "mfma.f32.32x32x8bf16.1k");
    assert_string_equal(chosen("gfx908", MMA_F64, MMA_F64, MMA_F64, 64, 64, 64, 4), "none");
    assert_string_equal(chosen("gfx1030", MMA_F16, MMA_F16, MMA_F32, 64, 64, 64, 4), "none");
    assert_string_equal(chosen("gfx11-generic", MMA_F16, MMA_F16, MMA_F32, 64, 64, 64, 4),
                        chosen("gfx1100", MMA_F16, MMA_F16, MMA_F32, 64, 64, 64, 4));
    assert_string_equal(chosen("gfx942", MMA_I8, MMA_I8, MMA_I32, 64, 64, 64, 4), "mfma.i32.32x32x16.i8");
    // One 32x32 tile for four waves leaves three idle: the smaller form serves all.
    assert_string_equal(chosen("gfx942", MMA_F16, MMA_F16, MMA_F32, 64, 64, 64, 4), "mfma.f32.32x32x8f16");
    assert_string_equal(chosen("gfx942", MMA_F16, MMA_F16, MMA_F32, 32, 32, 64, 4), "mfma.f32.16x16x16f16");
    assert_string_equal(chosen("gfx942", MMA_F16, MMA_F16, MMA_F32, 16, 64, 64, 4), "mfma.f32.16x16x16f16");
    assert_string_equal(chosen("gfx90a", MMA_TF32, MMA_TF32, MMA_F32, 64, 64, 64, 4), "none");
    assert_string_equal(chosen("gfx942", MMA_E4M3, MMA_E4M3, MMA_F32, 64, 64, 64, 4), "none");
    assert_string_equal(chosen("gfx1100", MMA_F64, MMA_F64, MMA_F64, 64, 64, 64, 4), "none");
    assert_string_equal(chosen("gfx1200", MMA_BF16, MMA_BF16, MMA_F32, 64, 64, 64, 4),
                        "wmma.f32.16x16x16.bf16.gfx12");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nvidia),   cmocka_unit_test(test_mfma),       cmocka_unit_test(test_wmma),
        cmocka_unit_test(test_all_rows), cmocka_unit_test(test_bijective),  cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_choice),   cmocka_unit_test(test_whole_rows), cmocka_unit_test(test_orders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
