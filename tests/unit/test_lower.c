// Lowering, executed: results of every family of ops on every chip, against the same computed here.
#include "lower_testing.h"

#include <llvm-c/DebugInfo.h>

// The common form: an i32 input, an i32 output.

static void run_integers(const char *name, size_t in_count, size_t out_count,
                         void (*check)(const struct run *run, const char *chip)) {
    in = aligned_bytes(in_count * 4);
    out = aligned_bytes(out_count * 4);
    uint32_t state = 1;
    for (size_t i = 0; i < in_count; i++) {
        in[i] = (int32_t)(next_random(&state) % 1000) + 1;
    }
    struct emulator_buffer buffers[] = {
        {.name = "in", .data = in, .size = in_count * 4, .element_bits = 32},
        {.name = "out", .data = out, .size = out_count * 4, .element_bits = 32}};
    struct emulator_argument arguments[] = {{.name = "in", .buffer = &buffers[0]},
                                            {.name = "out", .buffer = &buffers[1]},
                                            {.name = "n", .bits = 7}};
    bool has_n = strcmp(name, "control") == 0;
    struct run run = {name, buffers, arguments, has_n ? 3 : 2, 1, check};
    run_everywhere(&run);
    free(in);
    free(out);
}

static void check_reduce(const struct run *run, const char *chip) {
    int32_t total = 0;
    for (int c = 0; c < 128; c++) {
        int32_t sum = 0, most = in[c];
        for (int r = 0; r < 64; r++) {
            sum += in[r * 128 + c];
            most = in[r * 128 + c] > most ? in[r * 128 + c] : most;
        }
        EXPECT(c, sum);
        EXPECT(256 + c, most);
        total += sum;
    }
    for (int r = 0; r < 64; r++) {
        int32_t sum = 0, best = 0;
        for (int c = 0; c < 128; c++) {
            sum += in[r * 128 + c];
            best = in[r * 128 + c] > in[r * 128 + best] ? c : best;
        }
        EXPECT(128 + r, sum);
        EXPECT(384 + r, r * 128 + best);
    }
    EXPECT(192, total);
}

static void test_reduce(void **state) {
    run_integers("reduce", 64 * 128, 512, check_reduce);
}

static void check_scan(const struct run *run, const char *chip) {
    for (int mode = 0; mode < 4; mode++) {
        int along = mode & 1 ? 256 : 1, across = mode & 1 ? 1 : 256, length = mode & 1 ? 16 : 256;
        for (int line = 0; line < 4096 / length; line++) {
            int32_t sum = 0;
            for (int i = 0; i < length; i++) {
                int at = line * across + (mode & 2 ? length - 1 - i : i) * along;
                sum += in[at];
                EXPECT(mode * 4096 + at, sum);
            }
        }
    }
}

static void test_scan(void **state) {
    run_integers("scan", 4096, 4 * 4096, check_scan);
}

static void check_gather(const struct run *run, const char *chip) {
    int32_t bins[64] = {0};
    for (int i = 0; i < 2048; i++) {
        int index = in[i] & 31;
        EXPECT(i, in[index * 64 + i % 64]);
        EXPECT(2048 + i, in[i / 64 * 64 + index]);
    }
    for (int i = 0; i < 1024; i++) {
        bins[in[i] & 63]++;
    }
    for (int i = 0; i < 64; i++) {
        EXPECT(4096 + i, bins[i]);
    }
}

static void test_gather(void **state) {
    run_integers("gather", 2048, 4096 + 64, check_gather);
}

static void check_shape(const struct run *run, const char *chip) {
    for (int i = 0; i < 2048; i++) {
        EXPECT(i, in[i % 32 * 64 + i / 32]);
        EXPECT(2048 + i, in[i % 128 * 16 + i / 128]);
        EXPECT(4096 + i, in[i / 2 + i % 2 * 1024]);
    }
    for (int i = 0; i < 1024; i++) {
        EXPECT(6144 + i, in[2 * i] - in[2 * i + 1]);
    }
}

static void test_shape(void **state) {
    run_integers("shape", 2048, 7168, check_shape);
}

static void check_atomics(const struct run *run, const char *chip) {
    int32_t sums[16] = {0};
    for (int i = 0; i < 512; i++) {
        sums[in[i] & 15] += in[i];
    }
    for (int i = 0; i < 16; i++) {
        EXPECT(i, sums[i]);
    }
    EXPECT(16, 1);
    for (int i = 0; i < 64; i++) {
        EXPECT(64 + i, 0);
        EXPECT(128 + i, in[i]);
        EXPECT(256 + i, 0);
        EXPECT(320 + i, in[i]);
        EXPECT(384 + i, 0);
    }
}

static void test_atomics(void **state) {
    run_integers("atomics", 512, 512, check_atomics);
}

static void check_control(const struct run *run, const char *chip) {
    for (int i = 0; i < 256; i++) {
        int32_t value = in[i], count = 21;
        value += 21;
        for (; count > 0; count -= 3) {
            value *= 2;
        }
        EXPECT(i, value + in[i]);
    }
}

static void test_control(void **state) {
    run_integers("control", 256, 256, check_control);
}

static void check_rescale(const struct run *run, const char *chip) {
    for (int i = 0; i < 32 * 64; i++) {
        int row = i / 64;
        EXPECT(i, row >= 16 && in[row] % 2 != 0 ? 2 * in[i] : in[i]);
    }
}

static void test_rescale(void **state) {
    run_integers("rescale", 32 * 64, 32 * 64, check_rescale);
}

static void check_warpgroup(const struct run *run, const char *chip) {
    for (int i = 0; i < 512; i++) {
        EXPECT(i, i / 128);
    }
}

static void test_warpgroup(void **state) {
    run_integers("warpgroup", 1, 512, check_warpgroup);
}

// ---- dot ----

static float *a, *b, *c;

static void check_dot(const struct run *run, const char *chip) {
    for (int i = 0; i < 32 * 64; i++) {
        float sum = 0;
        for (int k = 0; k < 16; k++) {
            sum = fmaf(a[i / 64 * 16 + k], b[k * 64 + i % 64], sum);
        }
        if (c[i] != sum) {
            fail_msg("%s on %s: c[%d] is %g, not %g", run->name, chip, i, c[i], sum);
        }
    }
}

static void test_dot(void **state) {
    a = aligned_bytes(32 * 16 * 4);
    b = aligned_bytes(16 * 64 * 4);
    c = aligned_bytes(32 * 64 * 4);
    uint32_t random = 5;
    for (int i = 0; i < 32 * 16; i++) {
        a[i] = (float)(next_random(&random) % 2000) / 1000 - 1;
    }
    for (int i = 0; i < 16 * 64; i++) {
        b[i] = (float)(next_random(&random) % 2000) / 1000 - 1;
    }
    struct emulator_buffer buffers[] = {{.name = "a", .data = a, .size = 32 * 16 * 4, .element_bits = 32},
                                        {.name = "b", .data = b, .size = 16 * 64 * 4, .element_bits = 32},
                                        {.name = "out", .data = c, .size = 32 * 64 * 4, .element_bits = 32}};
    struct emulator_argument arguments[] = {{.name = "a", .buffer = &buffers[0]},
                                            {.name = "b", .buffer = &buffers[1]},
                                            {.name = "out", .buffer = &buffers[2]}};
    struct run run = {"dot_fma", buffers, arguments, 3, 2, check_dot};
    run_everywhere(&run);
    free(a);
    free(b);
    free(c);
}

// A loop over k with masked loads; 80 is no multiple of the tile's 32.
enum { LOOP_K = 80 };

static void check_matmul(const struct run *run, const char *chip) {
    for (int i = 0; i < 32 * 64; i++) {
        float sum = 0;
        for (int k = 0; k < LOOP_K; k++) {
            sum = fmaf(a[i / 64 * LOOP_K + k], b[k * 64 + i % 64], sum);
        }
        if (c[i] != sum) {
            fail_msg("%s on %s: c[%d] is %g, not %g", run->name, chip, i, c[i], sum);
        }
    }
}

static void test_matmul(void **state) {
    a = aligned_bytes(32 * LOOP_K * 4);
    b = aligned_bytes(LOOP_K * 64 * 4);
    c = aligned_bytes(32 * 64 * 4);
    uint32_t random = 5;
    for (int i = 0; i < 32 * LOOP_K; i++) {
        a[i] = (float)(next_random(&random) % 2000) / 1000 - 1;
    }
    for (int i = 0; i < LOOP_K * 64; i++) {
        b[i] = (float)(next_random(&random) % 2000) / 1000 - 1;
    }
    struct emulator_buffer buffers[] = {{.name = "a", .data = a, .size = 32 * LOOP_K * 4, .element_bits = 32},
                                        {.name = "b", .data = b, .size = LOOP_K * 64 * 4, .element_bits = 32},
                                        {.name = "c", .data = c, .size = 32 * 64 * 4, .element_bits = 32}};
    struct emulator_argument arguments[] = {{.name = "a", .buffer = &buffers[0]},
                                            {.name = "b", .buffer = &buffers[1]},
                                            {.name = "c", .buffer = &buffers[2]},
                                            {.name = "k", .bits = LOOP_K}};
    struct run run = {"matmul_f32", buffers, arguments, 4, 2, check_matmul};
    run_everywhere(&run);
    free(a);
    free(b);
    free(c);
}

// ---- masks ----

static uint8_t *in8;
static uint16_t *in16;
static uint64_t *in64;

static void check_masks(const struct run *run, const char *chip) {
    for (int i = 0; i < 512; i++) {
        int32_t sum = i < 333 ? in8[i] + in16[i] + (int32_t)in64[i] : 21;
        EXPECT(i, sum);
        EXPECT(512 + i, i < 333 ? sum : 0);
    }
}

static void test_masks(void **state) {
    in8 = aligned_bytes(333);
    in16 = aligned_bytes(333 * 2);
    in64 = aligned_bytes(333 * 8);
    out = aligned_bytes(1024 * 4);
    uint32_t random = 9;
    for (int i = 0; i < 333; i++) {
        in8[i] = (uint8_t)next_random(&random);
        in16[i] = (uint16_t)next_random(&random);
        in64[i] = next_random(&random);
    }
    struct emulator_buffer buffers[] = {{.name = "in8", .data = in8, .size = 333, .element_bits = 8},
                                        {.name = "in16", .data = in16, .size = 333 * 2, .element_bits = 16},
                                        {.name = "in64", .data = in64, .size = 333 * 8, .element_bits = 64},
                                        {.name = "out", .data = out, .size = 4096, .element_bits = 32}};
    struct emulator_argument arguments[] = {{.name = "in8", .buffer = &buffers[0]},
                                            {.name = "in16", .buffer = &buffers[1]},
                                            {.name = "in64", .buffer = &buffers[2]},
                                            {.name = "out", .buffer = &buffers[3]},
                                            {.name = "n", .bits = 333}};
    struct run run = {"masks", buffers, arguments, 5, 3, check_masks};
    run_everywhere(&run);
    free(in8);
    free(in16);
    free(in64);
    free(out);
}

// ---- text ----

static const struct {
    const char *file, *chip;
    const char *lines[6]; // all must occur
} texts[] = {
    {"vector_add",
     "sm_80",
     {".visible .entry vector_add(", ".reqntid 128, 1, 1", "ld.global.v4.b32", "st.global.v4.b32"}},
    {"vector_add",
     "gfx942",
     {"global_load_dwordx4", "global_store_dwordx4", ".amdhsa_code_object_version 5"}},
    {"matmul_f16",
     "sm_80",
     {"cp.async.cg.shared.global", "ldmatrix.sync", "mma.sync", "cp.async.wait_group"}},
    {"matmul_f16", "gfx942", {"v_mfma_f32", "ds_read_b", ".private_segment_fixed_size: 0"}},
    {"matmul_f16", "gfx1100", {"v_wmma_f32", "ds_load_b128", ".private_segment_fixed_size: 0"}},
    {"atomics", "sm_80", {"atom.global.gpu.relaxed.add.u32", "atom.global.acq_rel.gpu.cas.b32"}},
    {"atomic_float", "gfx942", {"global_atomic_add_f32", "global_atomic_add_f64"}},
    {"f8", "sm_90a", {"cvt.rn.satfinite.e4m3x2.f32", "cvt.rn.f16x2.e5m2x2"}},
    {"reduce", "sm_80", {"shfl.sync.bfly.b32", "bar.sync"}},
    {"reduce", "gfx942", {"row_ror:8", "quad_perm:[1,0,3,2]"}},
};

static void test_text(void **state) {
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct lowered t = lower_file(texts[i].file, texts[i].chip, true);
        struct strbuf text = {0}, again = {0};
        const struct target *target = target_find(texts[i].chip);
        assert_true(llvmgen_emit(t.module, target, LLVMGEN_ASSEMBLY, NULL, &text, &t.diag));
        for (unsigned line = 0; line < 6 && texts[i].lines[line]; line++) {
            if (!strstr(strbuf_text(&text), texts[i].lines[line])) {
                fail_msg("%s for %s lacks %s", texts[i].file, texts[i].chip, texts[i].lines[line]);
            }
        }
        assert_true(llvmgen_emit_last(t.module, target, LLVMGEN_ASSEMBLY, NULL, &again, &t.diag));
        assert_string_equal(strbuf_text(&again), strbuf_text(&text)); // in place as of a copy
        strbuf_free(&again);
        strbuf_free(&text);
        LLVMDisposeModule(t.module);
        lowered_free(&t);
    }
}

// ---- packing ----

// Data copied from memory to memory is stored in the loaded words, not unpacked and packed again.
static void test_words(void **state) {
    static const char *const chips[] = {"sm_80", "gfx942"};
    for (int i = 0; i < 2; i++) {
        struct lowered t = lower_file("words", chips[i], false);
        char *text = LLVMPrintModuleToString(t.module);
        assert_non_null(strstr(text, " extractelement <2 x half>"));
        assert_null(strstr(text, " insertelement <2 x half>"));
        LLVMDisposeMessage(text);
        LLVMDisposeModule(t.module);
        lowered_free(&t);
    }
}

// ---- places ----

// Counts the calls of assembly with `mark` in its text, or all instructions (NULL).
static unsigned count_instructions(LLVMModuleRef module, const char *mark, bool placed) {
    unsigned count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                char *text = LLVMPrintValueToString(i);
                count += (!mark || (strstr(text, " asm ") && strstr(text, mark))) &&
                         (!placed || LLVMInstructionGetDebugLoc(i));
                LLVMDisposeMessage(text);
            }
        }
    }
    return count;
}

// Instructions have locations on request; otherwise only the user's assembly has, for diagnostics.
static void test_places(void **state) {
    static const char user[] = " $0, $1, $1;";
    struct lowered t = lower_placed("programs", "sm_80", false, DEBUG_NONE);
    unsigned written = count_instructions(t.module, user, false);
    assert_int_not_equal(written, 0);
    assert_int_equal(count_instructions(t.module, user, true), written);
    assert_true(count_instructions(t.module, NULL, true) < 5 * written); // and the packing of its operands
    assert_true(count_instructions(t.module, NULL, false) > 20 * written);
    LLVMDisposeModule(t.module);
    lowered_free(&t);
    t = lower_placed("programs", "sm_80", false, DEBUG_PLACES);
    assert_int_equal(count_instructions(t.module, NULL, true), count_instructions(t.module, NULL, false));
    LLVMDisposeModule(t.module);
    lowered_free(&t);
}

RUN(TEST(test_reduce), TEST(test_scan), TEST(test_gather), TEST(test_shape), TEST(test_atomics),
    TEST(test_control), TEST(test_rescale), TEST(test_dot), TEST(test_matmul), TEST(test_masks),
    TEST(test_text), TEST(test_words), TEST(test_places), TEST(test_warpgroup))
