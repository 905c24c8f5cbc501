// tl.extra.hip and tl.target_info: the abilities of chips, by their generations.
#include "testing.h"
#include "assembly_testing.h"

#define CALL(value)                                                                                          \
    KERNEL_HEAD                                                                                              \
    "def kernel(y: '*i32'):\n"                                                                               \
    "    tl.store(y, " value ")\n"

static void test_clock(void **state) {
    static const char text[] = CALL("tl.extra.hip.memrealtime().to(tl.int32)");
    assert_int_equal(plain_count(text, "gfx942", "s_memrealtime s"), 1);
    assert_int_equal(plain_count(text, "gfx1030", "s_memrealtime s"), 1);
    assert_int_equal(plain_count(text, "gfx1100", "MSG_RTN_GET_REALTIME"), 1);
    assert_int_equal(plain_count(text, "gfx1200", "MSG_RTN_GET_REALTIME"), 1);
}

static void check_refused(const char *text, const char *chip, const char *why) {
    struct tkc_options options = assembly_options(text, &chip, 4);
    struct tkc_result *result = tkc_compile(&options);
    assert_false(result->ok);
    assert_non_null(strstr(result->diagnostics[0].text, why));
    tkc_result_free(result);
}

static void test_unit(void **state) {
    static const char text[] =
        CALL("tl.extra.hip.smid() + tl.extra.hip.num_warps() * tl.extra.hip.num_threads()");
    assert_int_equal(plain_count(text, "gfx90a", "hwreg(4, 8, 8)"), 1);
    assert_int_equal(plain_count(text, "gfx1100", "hwreg(23, 10, 4)"), 1);
    check_refused(text, "gfx1030", "gfx10 is not supported");
    check_refused(text, "sm_90a", "needs an AMD chip, and the target is sm_90a");
    assert_int_equal(plain_count(text, "gfx1200", "hwreg(23, 10, 4)"), 1);
}

#define ANSWERS(conditions)                                                                                  \
    KERNEL_HEAD                                                                                              \
    "def kernel(y: '*i32'):\n"                                                                               \
    "    tl.static_assert(" conditions ")\n"                                                                 \
    "    tl.store(y, 1)\n"

static void test_answers(void **state) {
    assert_int_equal(
        plain_count(ANSWERS("tl.target_info.is_hip_cdna3() and not tl.target_info.is_hip_cdna4() and "
                            "tl.target_info.current_target().arch == 'gfx942'"),
                    "gfx942", "global_store_dword "),
        1);
    assert_int_equal(
        plain_count(ANSWERS("not tl.target_info.is_hip_cdna3() and not tl.target_info.is_hip_gfx1250() and "
                            "tl.target_info.current_target().arch == 90"),
                    "sm_90a", "st.global.b32"),
        1);
}

// Tensor copies to a cluster's shared memory are calls of a routine in ptxas's code for sm_120 and its like.
static void test_copies(void **state) {
    static const char text[] =
        KERNEL_HEAD "def kernel(a: '*fp16:16', b: '*fp16:16', c: '*fp32:16', K: 'i32:16'):\n"
                    "    x = tl.make_tensor_descriptor(a, [128, K], [K, 1], [128, 64])\n"
                    "    y = tl.make_tensor_descriptor(b, [K, 128], [128, 1], [64, 128])\n"
                    "    i = tl.arange(0, 128)\n"
                    "    s = tl.zeros((128, 128), tl.float32)\n"
                    "    for k in range(0, K, 64):\n"
                    "        s = tl.dot(x.load([0, k]), y.load([k, 0]), s)\n"
                    "    tl.store(c + i[:, None] * 128 + i[None, :], s)\n";
    static const struct {
        const char *chip;
        bool own;
    } chips[] = {{"sm_90a", false}, {"sm_100a", false}, {"sm_120", true},
                 {"sm_120a", true}, {"sm_120f", true},  {"sm_121a", true}};
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++) {
        bool own = assembly_count(text, chips[i].chip, 8, "d.shared::cta.global.mbarrier") > 0;
        bool cluster = assembly_count(text, chips[i].chip, 8, "d.shared::cluster.global.mbarrier") > 0;
        assert_int_equal(own, chips[i].own);
        assert_int_equal(cluster, !chips[i].own);
    }
}

RUN(TEST(test_clock), TEST(test_unit), TEST(test_answers), TEST(test_copies))
