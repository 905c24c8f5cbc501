// RDNA's matrix instructions in final code: none executes with lanes masked off.
#include "testing.h"
#include "assembly_testing.h"

// Results stored by few lanes: four columns are held by several lanes each, rows end in the tile.
#define NARROW(element)                                                                                      \
    KERNEL_HEAD "def kernel(x: '*" element "', y: '*" element "', z: '*fp32'):\n"                            \
                "    i = tl.arange(0, 16)\n"                                                                 \
                "    j = tl.arange(0, 4)\n"                                                                  \
                "    a = tl.load(x + i[:, None] * 16 + i[None, :])\n"                                        \
                "    b = tl.load(y + i[:, None] * 4 + j[None, :])\n"                                         \
                "    tl.store(z + i[:, None] * 4 + j[None, :], tl.dot(a, b).to(tl.float32))\n"
#define MASKED                                                                                               \
    KERNEL_HEAD "def kernel(x: '*fp16', y: '*fp16', z: '*fp32', n: 'i32'):\n"                                \
                "    i = tl.arange(0, 64)\n"                                                                 \
                "    j = tl.arange(0, 32)\n"                                                                 \
                "    inside = i[:, None] < n\n"                                                              \
                "    a = tl.load(x + i[:, None] * 64 + i[None, :], mask=inside, other=0.0)\n"                \
                "    b = tl.load(y + i[:, None] * 32 + j[None, :])\n"                                        \
                "    tl.store(z + i[:, None] * 32 + j[None, :], tl.dot(a, b), mask=inside)\n"
#define CHOSEN                                                                                               \
    KERNEL_HEAD "def kernel(x: '*fp16', y: '*fp16', z: '*fp32', n: 'i32'):\n"                                \
                "    i = tl.arange(0, 16)\n"                                                                 \
                "    at = i[:, None] * 16 + i[None, :]\n"                                                    \
                "    u = tl.dot(tl.load(x + at), tl.load(y + at))\n"                                         \
                "    if n > 0:\n"                                                                            \
                "        u = tl.dot(tl.load(x + 256 + at), tl.load(y + at), u)\n"                            \
                "    tl.store(z + at, u, mask=at % 3 == n)\n"

// The number of matrix instructions; fails on one between a change of the active lanes and its end.
static unsigned check_lanes(const char *code, const char *chip) {
    unsigned count = 0;
    bool off = false;
    for (const char *line = code; *line; line += strcspn(line, "\n") + 1) {
        const char *end = line + strcspn(line, "\n");
        char text[256];
        snprintf(text, sizeof text, "%.*s", (int)(end - line), line);
        off = (off || strstr(text, "\tv_cmpx_") || strstr(text, "saveexec")) &&
              !strstr(text, "s_or_b32 exec_lo");
        if (strstr(text, "\tv_wmma_")) {
            count++;
            if (off) {
                fail_msg("%s: lanes are off at %s in\n%s", chip, text, code);
            }
        }
        if (!*end) {
            break;
        }
    }
    return count;
}

static void test_all_lanes_take_part(void **state) {
    static const char *const chips[] = {"gfx1100", "gfx1200"};
    static const char *const texts[] = {NARROW("fp16"), NARROW("bf16"), NARROW("i8"), MASKED, CHOSEN};
    for (size_t c = 0; c < sizeof chips / sizeof *chips; c++) {
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
            for (int warps = 1; warps <= 8; warps *= 2) {
                struct tkc_options options = assembly_options(texts[t], &chips[c], warps);
                char *code = assembly_of(&options);
                assert_true(check_lanes(code, chips[c]) > 0);
                free(code);
            }
        }
    }
}

RUN(TEST(test_all_lanes_take_part))
