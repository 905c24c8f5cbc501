"""A spelling: a kernel's text, its arguments and the value that each result must have; `given` makes arrays that no generator does, bf16 as bits."""

import re

HEAD = "import triton\nimport triton.language as tl\n\n\n"
PARTS = {
    "SIZES": 'M: "i32:16", N: "i32:16", K: "i32:16"',
    "ABC": 'a: "*fp16:16", b: "*fp16:16", c: "*fp32:16"',
    "TILES": "BM: tl.constexpr = 128, BN: tl.constexpr = 128, BK: tl.constexpr = 64",
    "QKVO": 'q: "*fp16:16", k: "*fp16:16", v: "*fp16:16", o: "*fp32:16"',
    "BLOCKS": "D: tl.constexpr = 64, BM: tl.constexpr = 128, BN: tl.constexpr = 64",
    "PIDS": "pm = tl.program_id(0)\n    pn = tl.program_id(1)",
    "RANGES": "rm = pm * BM + tl.arange(0, BM)\n    rn = pn * BN + tl.arange(0, BN)\n    rk = tl.arange(0, BK)",
    "POINTERS": "ap = a + rm[:, None] * K + rk[None, :]\n    bp = b + rk[:, None] * N + rn[None, :]",
    "ZEROS": "acc = tl.zeros((BM, BN), tl.float32)",
    "LOOP": "for k in range(0, K, BK):\n        acc = tl.dot(tl.load(ap), tl.load(bp), acc)\n        ap += BK\n        bp += BK * N",
    "STORE": "tl.store(c + rm[:, None] * N + rn[None, :], acc)",
    # Softmax of one block of scores, base 2, as FlashAttention has it.
    "SOFTMAX": (
        "now = tl.maximum(m, tl.max(s, 1))\n        w = tl.math.exp2(s - now[:, None])\n        fade = tl.math.exp2(m - now)\n"
        "        l = l * fade + tl.sum(w, 1)\n        m = now"
    ),
    "BEGIN": "m = tl.full((BM,), -1.0e30, tl.float32)\n    l = tl.zeros((BM,), tl.float32)\n    acc = tl.zeros((BM, D), tl.float32)",
}
FORMS = []
MM = "a=randn(256,192):fp16 b=randn(192,256):fp16 c=zeros(256,256):fp32 M=256 N=256 K=192"
ATTENTION = "q=randn(2,256,64):fp16 k=randn(2,256,64):fp16 v=randn(2,256,64):fp16 o=zeros(2,256,64):fp32 S=256"


def form(name, text, arguments, grid, want, **more):
    for part, replacement in PARTS.items():
        text = re.sub(r"\b%s\b" % part, lambda _: replacement, text)
    FORMS.append(dict(name=name, text=HEAD + "@triton.jit\n" + text.strip() + "\n", arguments=arguments, grid=grid, want=want, **more))


def softmax(np, s):
    w = np.exp2(s - s.max(-1, keepdims=True))
    return w / w.sum(-1, keepdims=True)


def attention(np, x, change=lambda s: s, causal=False):
    s = change(x["q"] @ x["k"].swapaxes(-1, -2) * 0.18)
    if causal:
        s = np.where(np.tril(np.ones(s.shape[-2:])) > 0, s, -1e30)
    return softmax(np, s) @ x["v"]


def silu(np, x):
    return x / (1 + np.exp(-x))
