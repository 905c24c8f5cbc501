// Two f32 operations become one where their operands lie together and one of them can move to the other.
#include "testing.h"
#include "codegen/float_pairs.h"
#include "assembly_testing.h"
#include "module_testing.h"

#define BODY(text)                                                                                           \
    "declare float @llvm.fma.f32(float, float, float)\n"                                                     \
    "define void @k(ptr %p, float %s, float %t, float %a, float %b, <4 x float> %v) {\n" text                \
    "  ret void\n}\n"
#define STORED(value) "  store float " value ", ptr %p\n"

static void expect(const char *text, const char *word, unsigned count) {
    char *after = module_behind(float_pairs, text);
    unsigned found = occurrences(after, word);
    if (found != count) {
        fail_msg("%u of %s, not %u:\n%s", found, word, count, after);
    }
    LLVMDisposeMessage(after);
}

static void test_kinds(void **state) {
    expect(BODY("%c = fmul float %a, %s\n%d = fmul float %b, %s\n" STORED("%c") STORED("%d")), "mul.rn.f32x2",
           1);
    expect(BODY("%c = fadd float %a, %s\n%d = fadd float %b, %s\n" STORED("%c") STORED("%d")), "add.rn.f32x2",
           1);
    expect(BODY("%c = fsub float %a, %s\n%d = fsub float %b, %s\n" STORED("%c") STORED("%d")), "sub.rn.f32x2",
           1);
    expect(BODY("%c = call float @llvm.fma.f32(float %a, float %s, float 1.0)\n"
                "%d = call float @llvm.fma.f32(float %b, float %s, float 2.0)\n" STORED("%c") STORED("%d")),
           "fma.rn.f32x2", 1);
    expect(BODY("%c = fadd float %a, %s\n%d = fsub float %b, %s\n" STORED("%c") STORED("%d")), "f32x2", 0);
}

// A pair is an operand of the next one as it is; halves in another order are not.
static void test_chains(void **state) {
#define FIRST "%c = fmul float %a, %s\n%d = fmul float %b, %s\n"
    static const char chain[] =
        BODY(FIRST "%e = fadd float %c, %t\n%f = fadd float %d, %t\n" STORED("%e") STORED("%f"));
    expect(chain, "f32x2", 2);
    expect(chain, "insertelement", 6); // %a and %b, %s twice, %t twice
    expect(BODY(FIRST "%e = fsub float %d, %t\n%f = fsub float %c, %t\n" STORED("%e") STORED("%f")), "f32x2",
           1);
    expect(BODY(FIRST "%e = fadd float %c, %d\n%f = fadd float %a, %b\n" STORED("%e") STORED("%f")), "f32x2",
           1);
    // One half for both is no pair.
    static const char one_half[] =
        BODY(FIRST "%e = fmul float %a, %c\n%f = fmul float %b, %c\n" STORED("%e") STORED("%f") STORED("%d"));
    expect(one_half, "f32x2", 2);
    expect(one_half, "insertelement", 8);
    // The operands of one factor are exchanged.
    expect(BODY(FIRST "%e = fmul float %c, %t\n%f = fmul float %t, %d\n" STORED("%e") STORED("%f")), "f32x2",
           2);
#undef FIRST
}

// The second operation reads the first one's result, or stands behind a reader of it and needs what lies between.
static void test_places(void **state) {
    expect(BODY("%c = fmul float %a, %s\n%d = fmul float %c, %s\n" STORED("%d")), "f32x2", 0);
    expect(BODY("%c = fmul float %a, %s\n" STORED("%c") "%d = fmul float %b, %s\n" STORED("%d")), "f32x2", 1);
    expect(BODY("%c = fmul float %a, %s\n%x = load float, ptr %p\n%d = fmul float %x, %s\n" STORED("%c")
                    STORED("%d")),
           "f32x2", 1);
    expect(BODY("%c = fmul float %a, %s\n" STORED("%c") "%x = load float, ptr %p\n"
                                                        "%d = fmul float %x, %s\n" STORED("%d")),
           "f32x2", 0);
    expect(BODY("%c = fmul float %a, %s\n  br label %next\nnext:\n%d = fmul float %b, %s\n" STORED("%c")
                    STORED("%d")),
           "f32x2", 0);
}

#define ELEMENT(name, index) "%" name " = extractelement <4 x float> %v, i32 " index "\n"
static void test_vectors(void **state) {
    expect(BODY(ELEMENT("x", "2") ELEMENT("y", "3") "%c = fmul float %x, %s\n%d = fmul float %y, %s\n" STORED(
               "%c") STORED("%d")),
           "f32x2", 1);
    expect(BODY(ELEMENT("x", "1") ELEMENT("y", "2") "%c = fmul float %x, %s\n%d = fmul float %y, %s\n" STORED(
               "%c") STORED("%d")),
           "f32x2", 0);
}

// Numbers of one pair do not go into another with others: that would be copies.
static void test_partners(void **state) {
    expect(BODY("%c = fmul float %a, %s\n%d = fmul float %b, %s\n%e = fadd float %a, %s\n%f = fadd float %b, "
                "%s\n" STORED("%c") STORED("%d") STORED("%e") STORED("%f")),
           "f32x2", 2);
    expect(BODY("%c = fmul float %a, %s\n%d = fmul float %b, %s\n%e = fadd float %a, %s\n%f = fadd float %t, "
                "%s\n" STORED("%c") STORED("%d") STORED("%e") STORED("%f")),
           "f32x2", 1);
}

// ptxas makes two instructions of them on other chips.
static void test_chips(void **state) {
    static const char text[] = KERNEL_HEAD "def kernel(x: '*fp32:16', y: '*fp32:16', s: 'fp32', t: 'fp32'):\n"
                                           "    i = tl.arange(0, 512)\n"
                                           "    tl.store(y + i, (tl.load(x + i) - s) * t)\n";
    static const struct {
        const char *chip;
        unsigned pairs;
    } chips[] = {{"sm_90a", 0},  {"sm_100", 4},  {"sm_100a", 4},
                 {"sm_103f", 4}, {"sm_110a", 0}, {"sm_120a", 0}};
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++) {
        assert_int_equal(plain_count(text, chips[i].chip, ".rn.f32x2"), chips[i].pairs);
    }
}

RUN(TEST(test_kinds), TEST(test_chains), TEST(test_places), TEST(test_vectors), TEST(test_partners),
    TEST(test_chips))
