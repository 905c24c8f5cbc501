// Gradients of attention on Hopper: a wait for a ready slot stands behind three quarters of the exponentials,
// so that ptxas keeps these beside the dots (passes/specialise/specialise_late.c).
#include "testing.h"
#include "assembly_testing.h"

static const char gradients[] = "import triton\nimport triton.language as tl\n"
                                "@triton.jit\n"
                                "def gradients(q: '*fp16:16', do: '*fp16:16', k: '*fp16:16', v: '*fp16:16', "
                                "dk: '*fp32:16', length: 'i32:16'):\n"
                                "    rows = tl.arange(0, 64)\n"
                                "    inner = rows[:, None] * 64 + rows[None, :]\n"
                                "    k_tile = tl.load(k + inner)\n"
                                "    v_tile = tl.load(v + inner)\n"
                                "    sums = tl.zeros((64, 64), tl.float32)\n"
                                "    for start in range(0, length, 64):\n"
                                "        at = (start + rows)[:, None] * 64 + rows[None, :]\n"
                                "        q_tile = tl.load(q + at)\n"
                                "        do_tile = tl.load(do + at)\n"
                                "        scores = tl.dot(k_tile, tl.trans(q_tile))\n"
                                "        slopes = tl.dot(v_tile, tl.trans(do_tile))\n"
                                "        weights = tl.exp2(scores)\n"
                                "        sums = tl.dot((weights * slopes).to(tl.float16), q_tile, sums)\n"
                                "    tl.store(dk + inner, sums)\n";

static void waits_stand_amid_exponentials(void **state) {
    static const char *const chip[] = {"sm_90a"};
    struct tkc_options options = assembly_options(gradients, chip, 4);
    char *code = assembly_of(&options), *line = strtok(code, "\n");
    unsigned exponentials = 0, before = 0, held = 0; // since the last wait, and in front of it
    for (; line; line = strtok(NULL, "\n")) {
        if (strstr(line, "mbarrier.try_wait")) {
            before = exponentials;
            exponentials = 0;
        }
        exponentials += strstr(line, "ex2.approx") != NULL;
        if (before == 24 && exponentials == 8) { // of 32 elements a thread
            held++;
            exponentials = 0;
        }
    }
    free(code);
    assert_int_equal(held, 2); // in the first iteration, and in the loop
}

// More rows than columns, and a diagonal: warps with all rows hidden have exponentials of their own, and the
// value used later comes from either branch. The wait stands behind both.
static const char hidden[] = "import triton\nimport triton.language as tl\n"
                             "@triton.jit\n"
                             "def gradients(k: '*fp16:16', v: '*fp16:16', q: '*fp16:16', do: '*fp16:16', "
                             "dq: '*fp32:16', length: 'i32:16'):\n"
                             "    rows = tl.arange(0, 128)\n"
                             "    columns = tl.arange(0, 64)\n"
                             "    inner = rows[:, None] * 32 + tl.arange(0, 32)[None, :]\n"
                             "    q_tile = tl.load(q + inner)\n"
                             "    do_tile = tl.load(do + inner)\n"
                             "    sums = tl.zeros((128, 32), tl.float32)\n"
                             "    for start in range(0, length, 64):\n"
                             "        at = (start + columns)[:, None] * 32 + tl.arange(0, 32)[None, :]\n"
                             "        k_tile = tl.load(k + at)\n"
                             "        v_tile = tl.load(v + at)\n"
                             "        scores = tl.dot(q_tile, tl.trans(k_tile))\n"
                             "        slopes = tl.dot(do_tile, tl.trans(v_tile))\n"
                             "        visible = (start + columns)[None, :] <= rows[:, None]\n"
                             "        weights = tl.exp2(tl.where(visible, scores, float('-inf')))\n"
                             "        sums = tl.dot((weights * slopes).to(tl.float16), k_tile, sums)\n"
                             "    tl.store(dq + inner, sums)\n";

static void waits_stand_behind_branches(void **state) {
    static const char *const chip[] = {"sm_90a"};
    struct tkc_options options = assembly_options(hidden, chip, 8);
    char *code = assembly_of(&options);
    assert_non_null(strstr(code, "vote.sync")); // and LLVM has nothing against the module
    assert_int_equal(occurrences(code, "mbarrier.try_wait"), 7);
    free(code);
}

RUN(TEST(waits_stand_amid_exponentials), TEST(waits_stand_behind_branches))
