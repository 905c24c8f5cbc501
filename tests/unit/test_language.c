// What each version of the language takes: kernels with the versions of Triton that compile them.
#include "testing.h"
#include "assembly_testing.h"

enum { OLDEST = 6, NEWEST = 9 };

// A kernel of pointers x and y (fp32), z (i32), h (fp16), b (bf16), c (i8), u (u8), f (fp8e5), w (i64), m (i1), a number n,
// and o = tl.arange(0, 64); `before` stands ahead of it. Triton 3.`first` to 3.`last` compile it; 0: none does.
static const struct {
    unsigned first, last;
    const char *body, *before, *chip;
} forms[] = {
    {9, 9, "tl.store(z + o, tl.atomic_load(z + o))", NULL, NULL},
    {9, 9, "tl.atomic_store(z, 1, sem='relaxed')", NULL, NULL},
    {9, 9, "tl.store(z, z.atomic_poll(1, timeout_ns=9).to(tl.int32))", NULL, NULL},
    {7, 9, "tl.store(x + o, tl.squeeze(tl.load(x + o)[None, :], 0))", NULL, NULL},
    {7, 9, "tl.store(x + o[None, :], tl.load(x + o).unsqueeze(0))", NULL, NULL},
    {7, 9, "tl.store(z, tl.to_tensor(3))", NULL, NULL},
    {8, 9, "tl.store(x + o, tl.expect_zero(tl.load(x + o), o > 3))", NULL, NULL},
    {8, 9, "tl.store(x + tl.arange(0, 4), tl.topk(tl.load(x + o), 4, descending=False))", NULL, NULL},
    {6, 9, "tl.store(x + tl.arange(0, 4), tl.topk(tl.load(x + o), 4))", NULL, NULL},
    {9, 9, "tl.store(x + tl.arange(0, 1), tl.topk(tl.load(x + o), 1))", NULL, NULL},
    {6, 8, "tl.store(x + tl.arange(0, 2), tl.topk(tl.load(x + o), 3))", NULL, NULL},
    {9, 9, "tl.store(x + o, tl.cumprod(tl.load(h + o), 0, dtype=tl.float32))", NULL, NULL},
    {6, 9, "tl.store(x + o, tl.cumsum(tl.load(h + o), 0, dtype=tl.float32))", NULL, NULL},
    {6, 9, "v = tl.load(x + o)\ntl.store(y + tl.arange(0, 128), tl.cat(v, v, can_reorder=True))", NULL, NULL},
    {7, 9, "v = tl.load(x + o)\ntl.store(y + tl.arange(0, 128), tl.cat(v, v))", NULL, NULL},
    {7, 9, "v = tl.load(x + o)\ntl.store(y + tl.arange(0, 128), tl.cat(v, v, True, dim=0))", NULL, NULL},
    {9, 9, "tl.store(y + o, tl.fdiv(tl.load(x + o), 2.0, approx=True))", NULL, NULL},
    {6, 9, "tl.store(y + o, tl.fdiv(tl.load(x + o), 2.0, True))", NULL, NULL},
    {9, 9, "tl.store(y + o, tl.fdiv(tl.load(x + o), tl.load(z + o)))", NULL, NULL},
    {9, 9, "tl.store(z + o, tl.clamp(tl.load(z + o), 0, 7))", NULL, NULL},
    {6, 8, "tl.store(x + o, tl.softmax(tl.load(x + o), 0, False))", NULL, NULL},
    {6, 9, "tl.store(x + o, tl.softmax(tl.load(x + o), 0, ieee_rounding=True))", NULL, NULL},
    {8, 9, "tl.store(x + o, tl.load(x + o, cache_modifier='.cs'))", NULL, NULL},
    {8, 9,
     "k = tl.arange(0, 8)\nv = tl.load(x + o[:, None] * 8 + k[None, :])\n"
     "tl.store(y + o[:, None] * 64 + o[None, :], tl.dot(v, tl.trans(v)))",
     NULL, NULL},
    {0, 0,
     "k = tl.arange(0, 4)\nv = tl.load(x + o[:, None] * 4 + k[None, :])\n"
     "tl.store(y + o[:, None] * 64 + o[None, :], tl.dot(v, tl.trans(v)))",
     NULL, NULL},
    {8, 9,
     "v = tl.load(h + o[:, None] * 64 + o[None, :])\ntl.store(h + o[:, None] * 64 + o[None, :], tl.dot(v, v, "
     "v))",
     NULL, NULL},
    {6, 9,
     "v = tl.load(h + o[:, None] * 64 + o[None, :])\n"
     "tl.store(h + o[:, None] * 64 + o[None, :], tl.dot(v, v, v, out_dtype=tl.float16))",
     NULL, NULL},
    {9, 9, "tl.static_assert(tl.maximum(tl.load(b + o), 0.0).dtype == tl.bfloat16)", NULL, NULL},
    {6, 8, "tl.static_assert(tl.maximum(tl.load(b + o), 0.0).dtype == tl.float32)", NULL, NULL},
    {9, 9, "tl.static_assert(tl.clamp(tl.load(h + o), 0.0, 1.0).dtype == tl.float16)", NULL, NULL},
    {9, 9, "tl.static_assert(tl.fma(tl.load(h + o), 2.0, 1.0).dtype == tl.float16)", NULL, NULL},
    {9, 9, "tl.static_assert(tl.max(tl.load(b + o), 0, return_indices=True)[0].dtype == tl.bfloat16)", NULL,
     NULL},
    {6, 9, "tl.static_assert(tl.max(tl.load(b + o), 0).dtype == tl.float32)", NULL, NULL},
    {9, 9, "tl.static_assert((tl.load(f + o) / tl.load(f + o)).dtype == tl.float32)", NULL, NULL},
    {6, 9, "tl.store(m + o, tl.load(c + o) > 3)", NULL, NULL},
    {6, 8, "tl.store(m + o, tl.load(c + o) > 300)", NULL, NULL},
    {6, 8, "tl.store(m + o, tl.load(u + o) > -1)", NULL, NULL},
    {6, 8, "tl.store(m + o, tl.load(z + o) < 2**31)", NULL, NULL},
    {6, 9, "tl.store(m + o, tl.load(w + o) < 2**31)", NULL, NULL},
    {6, 8, "tl.store(z + o, tl.maximum(tl.load(c + o), 300))", NULL, NULL},
    {6, 8, "tl.store(z + tl.arange(0, 16), tl.histogram(tl.load(w + o), 16))", NULL, NULL},
    {9, 9, "tl.store(x + o, 1.0, mask=0 <= o < n)", NULL, NULL},
    {8, 9, "if (k := n + 1) > 4:\n    tl.store(z, k)", NULL, NULL},
    {6, 9, "t = [i for i in (1, 2, 3) if i > 1]\ntl.store(z, t[0])", NULL, NULL},
    {9, 9, "t = [i + j for i, j in ((1, 2), (3, 4))]\ntl.store(z, t[0])", NULL, NULL},
    {8, 9, "k: tl.constexpr\nk = 64\ntl.store(z + tl.arange(0, k), n)", NULL, NULL},
    {9, 9, "while n:\n    n -= 1\ntl.store(z, n)", NULL, NULL},
    {7, 9, "k, _ = g(n)\ntl.store(z, k)", "@triton.jit\ndef g(n):\n    return n, None\n", NULL},
    {9, 9, "tl.store(z, g(n, s=2))", "@triton.jit\ndef g(n, *, s):\n    return n * s\n", NULL},
    {8, 9, "tl.store(z, g(n, 2))", "@triton.jit\ndef g(n, *rest):\n    return n * rest[0]\n", NULL},
    {8, 9, "t: tl.constexpr = (4, 16)\ntl.store(x + o, tl.load(x + o).reshape(*t).reshape(64))", NULL, NULL},
    {6, 8, "tl.store(x + o, tl.load(x + o)[:, :])", NULL, NULL},
    {6, 9, "tl.store(x + o[:, None], tl.load(x + o)[:, None])", NULL, NULL},
    {8, 9, "tl.store(z, A(n).a)", "@triton.aggregate\nclass A:\n    a: tl.tensor\n", NULL},
    {9, 9, "tl.store(z, A(n) + 1)",
     "@triton.aggregate\nclass A:\n    a: tl.tensor\n    @triton.jit\n    def __add__(self, b):\n        "
     "return self.a + b\n",
     NULL},
    {6, 9, "tl.store(z, A(n).a)",
     "from triton.language.core import _aggregate\n@_aggregate\nclass A:\n    a: tl.tensor\n    def "
     "__init__(self, a):\n        self.a = a\n",
     NULL},
    {6, 8, "d = tl.make_tensor_descriptor(x, [n, 64], [65, 1], [64, 64])\nd.store([0, 0], d.load([0, 0]))",
     NULL, NULL},
    {6, 9, "d = tl.make_tensor_descriptor(x, [n, 64], [68, 1], [64, 64])\nd.store([0, 0], d.load([0, 0]))",
     NULL, NULL},
    {7, 9, "tl.store(f + o, tl.full((64,), 1.5, tl.float8e5))", NULL, NULL},
    {0, 0, "tl.store(z + o, tl.full((64,), 1.5, tl.int32))", NULL, NULL},
    {6, 9, "tl.store(z + o, tl.full((64,), 0.0, tl.int32))", NULL, NULL},
    {0, 0, "def g(a):\n    return a\ntl.store(z, g(n))", NULL, NULL},
    {8, 9, "tl.store(z, tl.extra.hip.smid())", NULL, "gfx942"},
    {6, 9, "tl.store(z, tl.extra.hip.memrealtime().to(tl.int32))", NULL, "gfx942"},
    {8, 9, "tl.store(z + o, libdevice.clz(tl.load(z + o)))", "from triton.language.extra import libdevice\n",
     "gfx942"},
    {6, 9, "tl.store(z + o, libdevice.clz(tl.load(z + o)))", "from triton.language.extra import libdevice\n",
     NULL},
    // Block pointers stay, with a warning since 3.8.
    {6, 9,
     "p = tl.make_block_ptr(x, (n,), (1,), (0,), (64,), (0,))\ntl.store(tl.advance(p, (64,)), tl.load(p))",
     NULL, NULL},
};

static char *source_of(size_t i) {
    static const char head[] = "def kernel(x: '*fp32', y: '*fp32', z: '*i32', h: '*fp16', b: '*bf16', c: "
                               "'*i8', u: '*u8', f: '*fp8e5', w: '*i64', "
                               "m: '*i1', n: 'i32'):\n    o = tl.arange(0, 64)\n";
    size_t length = 4096;
    char *text = malloc(length);
    int used = snprintf(text, length, "import triton\nimport triton.language as tl\n%s@triton.jit\n%s",
                        forms[i].before ? forms[i].before : "", head);
    for (const char *line = forms[i].body; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        used += snprintf(text + used, length - (size_t)used, "    %.*s\n", (int)strcspn(line, "\n"), line);
    }
    return text;
}

static void test_forms(void **state) {
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const char *chip = forms[i].chip ? forms[i].chip : "sm_90a";
        char *text = source_of(i);
        for (unsigned version = OLDEST; version <= NEWEST; version++) {
            char language[8];
            snprintf(language, sizeof language, "3.%u", version);
            struct tkc_options options = assembly_options(text, &chip, 4);
            options.language = language;
            options.stop_after = "cleanup";
            struct tkc_result *result = tkc_compile(&options);
            bool wanted = version >= forms[i].first && version <= forms[i].last;
            if (result->ok != wanted) {
                wrong++;
                print_message("3.%u %s:\n%s\n%s", version, wanted ? "has to take" : "has to refuse",
                              forms[i].body, result->diagnostic_count ? result->diagnostics[0].text : "");
            }
            tkc_result_free(result);
        }
        free(text);
    }
    assert_int_equal(wrong, 0);
}

RUN(TEST(test_forms))
