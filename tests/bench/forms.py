"""Products and attention in 40 spellings, of the kinds that public repositories have: which does tkc raise on sm_90a?

Raised means that the main loop has a warp of its own that fills slots by tensor maps or with gathered rows. For each spelling that is not
raised the first remark says why. No GPU is needed. `python3 tests/bench/forms.py --tkc build/bin/tkc [--check build/bin/tkc-run]`;
--check also runs each on the emulator and compares with NumPy in double precision. A first argument chooses spellings by a part of the
name. The spellings are not what the passes were tuned for: tests/lang/forms.tk has those. The first
run raised 30 of them; four mends of the passes came from what it missed.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

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


# ---------------------------------------------------------------------------------------------------------------- dense products
form(
    "even K a constant, hints on wrapped rows (old triton.ops)",
    """
def k(ABC, SIZES, TILES, EVEN: tl.constexpr = True):
    pid = tl.program_id(0)
    across = (N + BN - 1) // BN
    width = 4 * across
    group = pid // width
    size = min((M + BM - 1) // BM - group * 4, 4)
    pm = group * 4 + pid % size
    pn = pid % width // size
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    ram = tl.max_contiguous(tl.multiple_of(rm % M, BM), BM)
    rbn = tl.max_contiguous(tl.multiple_of(rn % N, BN), BN)
    rk = tl.arange(0, BK)
    ap = a + (ram[:, None] * K + rk[None, :])
    bp = b + (rk[:, None] * N + rbn[None, :])
    ZEROS
    for left in range(K, 0, -BK):
        if EVEN:
            x = tl.load(ap)
            y = tl.load(bp)
        else:
            x = tl.load(ap, mask=rk[None, :] < left, other=0.0)
            y = tl.load(bp, mask=rk[:, None] < left, other=0.0)
        acc += tl.dot(x, y)
        ap += BK
        bp += BK * N
    tl.store(c + rm[:, None] * N + rn[None, :], acc, mask=(rm < M)[:, None] & (rn < N)[None, :])
""",
    MM,
    "4",
    lambda np, x: dict(c=x["a"] @ x["b"]),
)

form(
    "K dealt to programs in turns, atomic sums (old split K)",
    """
def k(ABC, SIZES, TILES, SPLIT: tl.constexpr = 2):
    PIDS
    z = tl.program_id(2)
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    rk = z * BK + tl.arange(0, BK)
    POINTERS
    ZEROS
    for k in range(0, tl.cdiv(K, BK * SPLIT)):
        left = K - k * (BK * SPLIT)
        x = tl.load(ap, mask=rk[None, :] < left, other=0.0)
        y = tl.load(bp, mask=rk[:, None] < left, other=0.0)
        acc += tl.dot(x, y)
        ap += BK * SPLIT
        bp += BK * SPLIT * N
    tl.atomic_add(c + rm[:, None] * N + rn[None, :], acc, sem="relaxed")
""",
    MM,
    "2,2,2",
    lambda np, x: dict(c=x["a"] @ x["b"]),
)

form(
    "Inductor's template: index of the whole matrix, steps counted",
    """
def k(ABC, SIZES, TILES):
    pid = tl.program_id(0).to(tl.int32)
    across = (N + BN - 1) // BN
    pm, pn = pid // across, pid % across
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    ZEROS
    for step in range(0, (K + BK - 1) // BK):
        d = rk + step * BK
        xi = tl.broadcast_to(rm[:, None], (BM, BK))
        xk = tl.broadcast_to(d[None, :], (BM, BK))
        yk = tl.broadcast_to(d[:, None], (BK, BN))
        yj = tl.broadcast_to(rn[None, :], (BK, BN))
        acc += tl.dot(tl.load(a + (xk + K * xi)), tl.load(b + (yj + N * yk)), allow_tf32=False)
    i, j = rm[:, None], rn[None, :]
    at = j + N * i
    tl.store(c + tl.broadcast_to(at, (BM, BN)), acc, (i < M) & (j < N))
""",
    MM,
    "4",
    lambda np, x: dict(c=x["a"] @ x["b"]),
)

form(
    "loop over steps and tiles joined by hand (older tutorial 09)",
    """
def k(ABC, SIZES, TILES):
    first = tl.program_id(0)
    programs = tl.num_programs(0)
    across = tl.cdiv(N, BN)
    tiles = tl.cdiv(M, BM) * across
    steps = tl.cdiv(K, BK)
    mine = tiles // programs
    if first < tiles % programs:
        mine += 1
    tile = first - programs
    rk = tl.arange(0, BK)
    step = -1
    rm = tl.arange(0, BM)
    rn = tl.arange(0, BN)
    ZEROS
    for _ in range(0, steps * mine):
        step = tl.where(step == steps - 1, 0, step + 1)
        if step == 0:
            tile += programs
            rm = tile // across * BM + tl.arange(0, BM)
            rn = tile % across * BN + tl.arange(0, BN)
        d = step * BK + rk
        x = tl.load(a + rm[:, None] * K + d[None, :])
        y = tl.load(b + d[:, None] * N + rn[None, :])
        acc = tl.dot(x, y, acc)
        if step == steps - 1:
            STORE
            acc = tl.zeros((BM, BN), tl.float32)
""".replace("STORE", PARTS["STORE"]),
    MM,
    "3",
    lambda np, x: dict(c=x["a"] @ x["b"]),
)

form(
    "tiles dealt by an atomic counter",
    """
def k(ABC, SIZES, counter: "*i32:16", TILES):
    across = tl.cdiv(N, BN)
    tiles = tl.cdiv(M, BM) * across
    tile = tl.atomic_add(counter, 1)
    while tile < tiles:
        rm = tile // across * BM + tl.arange(0, BM)
        rn = tile % across * BN + tl.arange(0, BN)
        rk = tl.arange(0, BK)
        acc = tl.zeros((BM, BN), tl.float32)
        for k in range(0, K, BK):
            x = tl.load(a + rm[:, None] * K + (k + rk)[None, :])
            y = tl.load(b + (k + rk)[:, None] * N + rn[None, :])
            acc = tl.dot(x, y, acc)
        STORE
        tile = tl.atomic_add(counter, 1)
""",
    MM + " counter=zeros(1):i32",
    "2",
    lambda np, x: dict(c=x["a"] @ x["b"]),
)

form(
    "stream K: a run of steps cuts tiles, partial sums by atomics",
    """
def k(ABC, SIZES, each: "i32", TILES):
    across = tl.cdiv(N, BN)
    steps = tl.cdiv(K, BK)
    at = tl.program_id(0) * each
    last = tl.minimum(at + each, tl.cdiv(M, BM) * across * steps)
    rk = tl.arange(0, BK)
    while at < last:
        tile = at // steps
        until = tl.minimum(last, (tile + 1) * steps)
        rm = tile // across * BM + tl.arange(0, BM)
        rn = tile % across * BN + tl.arange(0, BN)
        acc = tl.zeros((BM, BN), tl.float32)
        for step in range(at - tile * steps, until - tile * steps):
            x = tl.load(a + rm[:, None] * K + (step * BK + rk)[None, :])
            y = tl.load(b + (step * BK + rk)[:, None] * N + rn[None, :])
            acc = tl.dot(x, y, acc)
        tl.atomic_add(c + rm[:, None] * N + rn[None, :], acc)
        at = until
""",
    MM + " each=4",
    "3",
    lambda np, x: dict(c=x["a"] @ x["b"]),
)

form(
    "A is stored transposed and turned by tl.trans",
    """
def k(ABC, SIZES, TILES):
    PIDS
    RANGES
    ap = a + rk[:, None] * M + rm[None, :]
    bp = b + rn[:, None] * K + rk[None, :]
    ZEROS
    for k in range(0, K, BK):
        acc = tl.dot(tl.trans(tl.load(ap)), tl.trans(tl.load(bp)), acc)
        ap += BK * M
        bp += BK
    STORE
""",
    "a=randn(192,256):fp16 b=randn(256,192):fp16 c=zeros(256,256):fp32 M=256 N=256 K=192",
    "2,2",
    lambda np, x: dict(c=x["a"].T @ x["b"].T),
)

form(
    "block pointers, B by columns, three dimensions of programs",
    """
def k(ABC, SIZES, TILES):
    z = tl.program_id(2).to(tl.int64)
    x = tl.make_block_ptr(a + z * M * K, shape=(M, K), strides=(K, 1), offsets=(tl.program_id(0) * BM, 0), block_shape=(BM, BK),
          order=(1, 0))
    y = tl.make_block_ptr(b + z * N * K, shape=(K, N), strides=(1, K), offsets=(0, tl.program_id(1) * BN), block_shape=(BK, BN),
          order=(0, 1))
    w = tl.make_block_ptr(c + z * M * N, shape=(M, N), strides=(N, 1), offsets=(tl.program_id(0) * BM, tl.program_id(1) * BN),
          block_shape=(BM, BN), order=(1, 0))
    ZEROS
    for _ in range(0, tl.cdiv(K, BK)):
        acc += tl.dot(tl.load(x, boundary_check=(0, 1), padding_option="zero"), tl.load(y, boundary_check=(0, 1), padding_option="zero"))
        x = tl.advance(x, (0, BK))
        y = tl.advance(y, (BK, 0))
    tl.store(w, acc, boundary_check=(0, 1))
""",
    "a=randn(2,240,192):fp16 b=randn(2,208,192):fp16 c=zeros(2,240,208):fp32 M=240 N=208 K=192",
    "2,2,2",
    lambda np, x: dict(c=x["a"] @ x["b"].swapaxes(1, 2)),
)

form(
    "descriptors, B turned, results stored in two halves",
    """
def k(ABC, SIZES, TILES):
    x = tl.make_tensor_descriptor(a, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    y = tl.make_tensor_descriptor(b, shape=[N, K], strides=[K, 1], block_shape=[BN, BK])
    w = tl.make_tensor_descriptor(c, shape=[M, N], strides=[N, 1], block_shape=[BM, BN // 2])
    across = tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), tl.cdiv(M, BM) * across, tl.num_programs(0), flatten=True, warp_specialize=True):
        row, column = tile // across * BM, tile % across * BN
        acc = tl.zeros((BM, BN), tl.float32)
        for k in range(tl.cdiv(K, BK)):
            acc = tl.dot(x.load([row, k * BK]), y.load([column, k * BK]).T, acc)
        halves = tl.permute(tl.reshape(acc, (BM, 2, BN // 2)), (0, 2, 1))
        left, right = tl.split(halves)
        w.store([row, column], left)
        w.store([row, column + BN // 2], right)
""",
    "a=randn(256,192):fp16 b=randn(256,192):fp16 c=zeros(256,256):fp32 M=256 N=256 K=192",
    "3",
    lambda np, x: dict(c=x["a"] @ x["b"].T),
)

form(
    "upper half of A times its own transpose, mirrored (Muon)",
    """
def k(a: "*fp16:16", c: "*fp32:16", N: "i32:16", K: "i32:16", TILES):
    PIDS
    if pm > pn:
        return
    RANGES
    ZEROS
    for k in range(0, K, BK):
        x = tl.load(a + rm[:, None] * K + (k + rk)[None, :])
        y = tl.load(a + rn[:, None] * K + (k + rk)[None, :])
        acc = tl.dot(x, y.T, acc)
    STORE
    tl.store(c + rn[:, None] * N + rm[None, :], tl.trans(acc))
""",
    "a=randn(256,192):fp16 c=zeros(256,256):fp32 N=256 K=192",
    "2,2",
    lambda np, x: dict(c=x["a"] @ x["a"].T),
)

form(
    "complex numbers in planes: four products of a tile",
    """
def k(a: "*fp16:16", ai: "*fp16:16", b: "*fp16:16", bi: "*fp16:16", c: "*fp32:16", ci: "*fp32:16", SIZES, TILES):
    PIDS
    RANGES
    re = tl.zeros((BM, BN), tl.float32)
    im = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        at = rm[:, None] * K + (k + rk)[None, :]
        to = (k + rk)[:, None] * N + rn[None, :]
        xr, xi, yr, yi = tl.load(a + at), tl.load(ai + at), tl.load(b + to), tl.load(bi + to)
        re = tl.dot(xr, yr, re)
        re = tl.dot(-xi, yi, re)
        im = tl.dot(xr, yi, im)
        im = tl.dot(xi, yr, im)
    tl.store(c + rm[:, None] * N + rn[None, :], re)
    tl.store(ci + rm[:, None] * N + rn[None, :], im)
""",
    "a=randn(256,192):fp16 ai=randn(256,192):fp16 b=randn(192,128):fp16 bi=randn(192,128):fp16 c=zeros(256,128):fp32"
    " ci=zeros(256,128):fp32 M=256 N=128 K=192",
    "2,2",
    lambda np, x: dict(c=x["a"] @ x["b"] - x["ai"] @ x["bi"], ci=x["a"] @ x["bi"] + x["ai"] @ x["b"]),
    defines="BN=64",
)

form(
    "fp32 by tf32, both with K contiguous, all masked",
    """
def k(a: "*fp32:16", b: "*fp32:16", c: "*fp32:16", SIZES, TILES):
    PIDS
    RANGES
    ZEROS
    for k in range(0, K, BK):
        d = k + rk
        x = tl.load(a + rm[:, None] * K + d[None, :], mask=(rm[:, None] < M) & (d[None, :] < K), other=0.0)
        y = tl.load(b + rn[None, :] * K + d[:, None], mask=(rn[None, :] < N) & (d[:, None] < K), other=0.0)
        acc = tl.dot(x, y, acc, input_precision="tf32")
    tl.store(c + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))
""",
    "a=randn(240,176):fp32 b=randn(208,176):fp32 c=zeros(240,208):fp32 M=240 N=208 K=176",
    "2,2",
    lambda np, x: dict(c=x["a"] @ x["b"].T),
    defines="BK=32",
)

# ---------------------------------------------------------------------------------------------------------------- epilogues, prologues
form(
    "sum starts with the bias, activation's input is kept (xformers)",
    """
def k(ABC, SIZES, bias: "*fp16:16", kept: "*fp32:16", TILES):
    PIDS
    RANGES
    POINTERS
    acc = tl.zeros((BM, BN), tl.float32) + tl.load(bias + rn, mask=rn < N, other=0.0).to(tl.float32)[None, :]
    LOOP
    tl.store(kept + rm[:, None] * N + rn[None, :], acc)
    acc = tl.where(acc >= 0, acc, 0.01 * acc)
    STORE
""",
    MM + " bias=randn(256):fp16 kept=zeros(256,256):fp32",
    "2,2",
    lambda np, x: (lambda t: dict(kept=t, c=np.where(t >= 0, t, 0.01 * t)))(x["a"] @ x["b"] + x["bias"]),
)

form(
    "gate and up in one matrix, silu, one fused output",
    """
def k(ABC, SIZES, TILES):
    PIDS
    RANGES
    gate = tl.zeros((BM, BN), tl.float32)
    up = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + rm[:, None] * K + (k + rk)[None, :])
        wp = b + (k + rk)[:, None] * (2 * N) + rn[None, :]
        gate += tl.dot(x, tl.load(wp))
        up += tl.dot(x, tl.load(wp + N))
    acc = gate * tl.sigmoid(gate) * up
    STORE
""",
    "a=randn(256,192):fp16 b=randn(192,512):fp16 c=zeros(256,256):fp32 M=256 N=256 K=192",
    "2,4",
    lambda np, x: dict(c=silu(np, x["a"] @ x["b"][:, :256]) * (x["a"] @ x["b"][:, 256:])),
    defines="BN=64",
)

form(
    "log of the sum of exponents of logits that are not stored",
    """
def k(a: "*fp16:16", b: "*fp16:16", out: "*fp32:16", SIZES, TILES):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rk = tl.arange(0, BK)
    m = tl.full((BM,), -1.0e30, tl.float32)
    l = tl.zeros((BM,), tl.float32)
    for n in range(0, N, BN):
        rn = n + tl.arange(0, BN)
        acc = tl.zeros((BM, BN), tl.float32)
        for k in range(0, K, BK):
            x = tl.load(a + rm[:, None] * K + (k + rk)[None, :])
            y = tl.load(b + rn[None, :] * K + (k + rk)[:, None])
            acc = tl.dot(x, y, acc)
        now = tl.maximum(m, tl.max(acc, 1))
        l = l * tl.exp(m - now) + tl.sum(tl.exp(acc - now[:, None]), 1)
        m = now
    tl.store(out + rm, m + tl.log(l))
""",
    "a=randn(256,192):fp16 b=randn(256,192):fp16 out=zeros(256):fp32 M=256 N=256 K=192",
    "2",
    lambda np, x: dict(out=np.logaddexp.reduce(x["a"] @ x["b"].T, axis=1)),
)

form(
    "dropout and residual behind the product, rounded to fp8 with a scale a row",
    """
def k(ABC, SIZES, rest: "*fp16:16", scales: "*fp32:16", TILES):
    PIDS
    RANGES
    POINTERS
    ZEROS
    LOOP
    at = rm[:, None] * N + rn[None, :]
    acc = tl.where(tl.rand(42, at) > 2.0, 0.0, acc * 0.5) + tl.load(rest + at).to(tl.float32)
    scale = tl.maximum(tl.max(tl.abs(acc), 1), 1.0e-6) / 448.0
    acc = (acc / scale[:, None]).to(tl.float8e4nv).to(tl.float32)
    STORE
    tl.store(scales + rm * tl.num_programs(1) + pn, scale)
""",
    MM + " rest=randn(256,256):fp16 scales=zeros(256,2):fp32",
    "2,2",
    lambda np, x: (lambda t: dict(scales=np.abs(t.reshape(256, 2, 128)).max(2) / 448))(x["a"] @ x["b"] * 0.5 + x["rest"]),
)

form(
    "layer norm applied to A in the loop: mean, deviation, gain",
    """
def k(ABC, SIZES, mean: "*fp32:16", rstd: "*fp32:16", gain: "*fp16:16", TILES):
    PIDS
    RANGES
    mu, r = tl.load(mean + rm), tl.load(rstd + rm)
    ZEROS
    for k in range(0, K, BK):
        x = tl.load(a + rm[:, None] * K + (k + rk)[None, :]).to(tl.float32)
        g = tl.load(gain + k + rk)
        x = ((x - mu[:, None]) * r[:, None] * g[None, :]).to(tl.float16)
        acc = tl.dot(x, tl.load(b + (k + rk)[:, None] * N + rn[None, :]), acc)
    STORE
""",
    MM + " mean=randn(256):fp32 rstd=rand(256):fp32 gain=randn(192):fp16",
    "2,2",
    lambda np, x: dict(c=((x["a"] - x["mean"][:, None]) * x["rstd"][:, None] * x["gain"]) @ x["b"]),
)

# ---------------------------------------------------------------------------------------------------------------- experts and groups
form(
    "experts: sorted token ids, padded blocks, early return, weights (vLLM)",
    """
def k(ABC, ids: "*i32:16", experts: "*i32:16", padded: "*i32:16", weights: "*fp32:16", N: "i32:16", K: "i32:16", tokens: "i32",
      TOP: tl.constexpr = 2, TILES):
    across = tl.cdiv(N, BN)
    pm = tl.program_id(0) // across
    pn = tl.program_id(0) % across
    if pm * BM >= tl.load(padded):
        return
    token = tl.load(ids + pm * BM + tl.arange(0, BM))
    inside = token < tokens
    rn = (pn * BN + tl.arange(0, BN).to(tl.int64)) % N
    rk = tl.arange(0, BK)
    e = tl.load(experts + pm).to(tl.int64)
    ap = a + (token[:, None] // TOP * K + rk[None, :])
    bp = b + e * N * K + (rk[:, None] + rn[None, :] * K)
    ZEROS
    for k in range(0, tl.cdiv(K, BK)):
        x = tl.load(ap, mask=inside[:, None] & (rk[None, :] < K - k * BK), other=0.0)
        y = tl.load(bp, mask=rk[:, None] < K - k * BK, other=0.0)
        acc += tl.dot(x, y)
        ap += BK
        bp += BK
    acc = acc * tl.load(weights + token, mask=inside, other=0.0)[:, None]
    on = pn * BN + tl.arange(0, BN)
    tl.store(c + token[:, None] * N + on[None, :], acc, mask=inside[:, None] & (on[None, :] < N))
""",
    "a=randn(128,192):fp16 b=randn(3,256,192):fp16 c=zeros(256,256):fp32 ids=arange(384):i32 experts=randint(0,2,3):i32"
    " padded=full(256,1):i32 weights=rand(256):fp32 N=256 K=192 tokens=250",
    "6",
    lambda np, x: dict(
        c=np.concatenate(
            [
                np.where(
                    np.arange(128 * g, 128 * g + 128)[:, None] < 250,
                    x["weights"][128 * g : 128 * g + 128, None]
                    * (x["a"][64 * g : 64 * g + 64].repeat(2, 0) @ x["b"][int(x["experts"][g])].T),
                    0,
                )
                for g in range(2)
            ]
        )
    ),
)

form(
    "groups of an array of pointers and sizes (tutorial 08)",
    """
def k(groups_a: "*i64:16", a: "*fp16:16", b: "*fp16:16", c: "*fp32:16", sizes: "*i32:16", count: "i32", N: "i32:16", K: "i32:16", TILES):
    tile = tl.program_id(0)
    end = 0
    for g in range(count):
        rows = tl.load(sizes + g)
        first = tl.load(groups_a + g)
        tiles = tl.cdiv(rows, BM) * tl.cdiv(N, BN)
        while tile >= end and tile < end + tiles:
            here = tile - end
            rm = here // tl.cdiv(N, BN) * BM + tl.arange(0, BM)
            rn = here % tl.cdiv(N, BN) * BN + tl.arange(0, BN)
            rk = tl.arange(0, BK)
            ap = a + first * K + rm[:, None] * K + rk[None, :]
            bp = b + g * K * N + rk[:, None] * N + rn[None, :]
            acc = tl.zeros((BM, BN), tl.float32)
            for k in range(0, tl.cdiv(K, BK)):
                acc += tl.dot(tl.load(ap), tl.load(bp))
                ap += BK
                bp += BK * N
            tl.store(c + (first + rm)[:, None] * N + rn[None, :], acc)
            tile += tl.num_programs(0)
        end += tiles
""",
    "groups_a=full(128,2):i64 a=randn(256,192):fp16 b=randn(2,192,256):fp16 c=zeros(256,256):fp32 sizes=full(128,2):i32 count=1 N=256"
    " K=192",
    "1",
    lambda np, x: dict(c=np.concatenate([np.zeros((128, 256)), x["a"][128:] @ x["b"][0]])),
)

form(
    "gradient of expert weights: rows of a group are K, ends are loaded",
    """
def k(ABC, ends: "*i32:16", M: "i32:16", N: "i32:16", TILES):
    PIDS
    g = tl.program_id(2)
    RANGES
    start = 0
    if g > 0:
        start = tl.load(ends + g - 1)
    stop = tl.load(ends + g)
    ZEROS
    for k in range(start, stop, BK):
        d = k + rk
        x = tl.load(a + d[None, :] * M + rm[:, None], mask=d[None, :] < stop, other=0.0)
        y = tl.load(b + d[:, None] * N + rn[None, :], mask=d[:, None] < stop, other=0.0)
        acc = tl.dot(x, y, acc)
    tl.store(c + g.to(tl.int64) * M * N + rm[:, None] * N + rn[None, :], acc)
""",
    "a=randn(256,256):fp16 b=randn(256,128):fp16 c=zeros(2,256,128):fp32 ends=full(150,2):i32 M=256 N=128",
    "2,1,2",
    lambda np, x: dict(c=np.stack([x["a"][:150].T @ x["b"][:150], np.zeros((256, 128))])),
)

form(
    "sampled product: blocks of a sparse matrix, row and column loaded",
    """
def k(ABC, rows: "*i16:16", columns: "*i16:16", N: "i32:16", K: "i32:16", TILES):
    z = tl.program_id(0)
    pm = tl.load(rows + z).to(tl.int32)
    pn = tl.load(columns + z).to(tl.int32)
    RANGES
    POINTERS
    ZEROS
    LOOP
    tl.store(c + z * BM * BN + tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :], acc)
""",
    "a=randn(256,192):fp16 b=randn(192,256):fp16 c=zeros(3,128,128):fp32 rows=randint(0,1,3):i16 columns=randint(0,1,3):i16 N=256 K=192",
    "3",
    lambda np, x: dict(
        c=np.stack(
            [
                (x["a"] @ x["b"])[128 * i : 128 * i + 128, 128 * j : 128 * j + 128]
                for i, j in zip(x["rows"].astype(int), x["columns"].astype(int))
            ]
        )
    ),
)

form(
    "sparse blocks times dense: offsets of nonzero blocks in the loop",
    """
def k(ABC, starts: "*i32:16", columns: "*i32:16", N: "i32:16", TILES):
    PIDS
    rn = pn * BN + tl.arange(0, BN)
    i, d = tl.arange(0, BM), tl.arange(0, BK)
    ZEROS
    for n in range(tl.load(starts + pm), tl.load(starts + pm + 1)):
        column = tl.load(columns + n)
        x = tl.load(a + n * BM * BK + i[:, None] * BK + d[None, :])
        y = tl.load(b + (column * BK + d)[:, None] * N + rn[None, :])
        acc = tl.dot(x, y, acc)
    tl.store(c + (pm * BM + i)[:, None] * N + rn[None, :], acc)
""",
    "a=randn(4,128,64):fp16 b=randn(192,256):fp16 c=zeros(256,256):fp32 starts=arange(3):i32 columns=randint(0,2,4):i32 N=256",
    "2,2",
    lambda np, x: dict(c=np.concatenate([x["a"][i] @ x["b"].reshape(3, 64, 256)[int(x["columns"][i])] for i in range(2)])),
)

form(
    "adapters: the second factor by a loaded index, added to the output",
    """
def k(ABC, of: "*i64:16", M: "i32:16", N: "i32:16", R: "i32:16", TILES):
    PIDS
    which = tl.load(of + pm)
    if which == -1:
        return
    RANGES
    ap = a + rm[:, None] * R + rk[None, :]
    bp = b + which * N * R + rn[None, :] * R + rk[:, None]
    ZEROS
    for k in range(tl.cdiv(R, BK)):
        acc += tl.dot(tl.load(ap + k * BK, mask=rk[None, :] < R - k * BK, other=0.0), tl.load(bp + k * BK, mask=rk[:,
              None] < R - k * BK, other=0.0))
    out = c + rm[:, None] * N + rn[None, :]
    acc += tl.load(out)
    tl.store(out, acc)
""",
    "a=randn(256,128):fp16 b=randn(3,256,128):fp16 c=ones(256,256):fp32 of=randint(-1,2,2):i64 M=256 N=256 R=128",
    "2,2",
    lambda np, x: dict(
        c=np.concatenate(
            [1 + (x["a"][128 * g : 128 * g + 128] @ x["b"][int(i)].T if i >= 0 else np.zeros((128, 256))) for g, i in enumerate(x["of"])]
        )
    ),
)

# ---------------------------------------------------------------------------------------------------------------- quantised operands
form(
    "int8 by int8, scales of rows and columns, bias",
    """
def k(a: "*i8:16", b: "*i8:16", c: "*fp32:16", sa: "*fp32:16", sb: "*fp32:16", bias: "*fp16:16", SIZES, TILES):
    PIDS
    RANGES
    ap = a + rm[:, None] * K + rk[None, :]
    bp = b + rn[None, :] * K + rk[:, None]
    acc = tl.zeros((BM, BN), tl.int32)
    for k in range(0, K, BK):
        acc = tl.dot(tl.load(ap), tl.load(bp), acc, out_dtype=tl.int32)
        ap += BK
        bp += BK
    out = acc.to(tl.float32) * tl.load(sa + rm[:, None]) * tl.load(sb + rn[None, :]) + tl.load(bias + rn)[None, :]
    tl.store(c + rm[:, None] * N + rn[None, :], out)
""",
    "a=randint(-100,100,256,256):i8 b=randint(-100,100,256,256):i8 c=zeros(256,256):fp32 sa=rand(256):fp32 sb=rand(256):fp32"
    " bias=randn(256):fp16 M=256 N=256 K=256",
    "2,2",
    lambda np, x: dict(c=(x["a"] @ x["b"].T) * x["sa"][:, None] * x["sb"] + x["bias"]),
    defines="BK=128",
)

form(
    "int8 weights cast in the loop, one scale a column behind it",
    """
def k(a: "*fp16:16", b: "*i8:16", c: "*fp32:16", scales: "*fp16:16", SIZES, TILES):
    PIDS
    RANGES
    POINTERS
    ZEROS
    for k in range(0, K, BK):
        x = tl.load(ap, mask=rm[:, None] < M, other=0.0)
        y = tl.load(bp).to(tl.float16)
        acc = tl.dot(x, y, acc)
        ap += BK
        bp += BK * N
    acc *= tl.load(scales + rn)[None, :]
    tl.store(c + rm[:, None] * N + rn[None, :], acc, mask=rm[:, None] < M)
""",
    "a=randn(240,192):fp16 b=randint(-100,100,192,256):i8 c=zeros(240,256):fp32 scales=rand(256):fp16 M=240 N=256 K=192",
    "2,2",
    lambda np, x: dict(c=x["a"] @ (x["b"] * x["scales"])),
)

form(
    "int4 in words along K with zeros and scales of groups (GPTQ)",
    """
def k(a: "*fp16:16", b: "*i32:16", c: "*fp32:16", scales: "*fp16:16", zeros: "*i32:16", SIZES, TILES, GROUP: tl.constexpr = 64):
    PIDS
    RANGES
    ap = a + rm[:, None] * K + rk[None, :]
    bp = b + (rk[:, None] // 8) * N + rn[None, :]
    by_k = (rk % 8) * 4
    by_n = (rn % 8) * 4
    ZEROS
    for k in range(0, tl.cdiv(K, BK)):
        g = k * BK // GROUP
        s = tl.load(scales + g * N + rn)
        z = (tl.load(zeros + g * (N // 8) + rn // 8) >> by_n) & 15
        w = (tl.load(bp) >> by_k[:, None]) & 15
        w = (w - z[None, :]).to(tl.float16) * s[None, :]
        acc = tl.dot(tl.load(ap), w, acc)
        ap += BK
        bp += BK // 8 * N
    STORE
""",
    "a=randn(256,192):fp16 b=randint(-2000000000,2000000000,24,256):i32 c=zeros(256,256):fp32 scales=rand(3,256):fp16"
    " zeros=randint(-2000000000,2000000000,3,32):i32 M=256 N=256 K=192",
    "2,2",
    lambda np, x: dict(
        c=x["a"]
        @ (
            (
                (x["b"].astype(np.int64)[:, None, :] >> (4 * np.arange(8))[None, :, None] & 15).reshape(192, 256)
                - (x["zeros"].astype(np.int64)[:, :, None] >> (4 * np.arange(8)) & 15).reshape(3, 256).repeat(64, 0)
            )
            * x["scales"].repeat(64, 0)
        )
    ),
)

form(
    "int4 in bytes, low and high halves joined, scales of groups",
    """
def k(a: "*fp16:16", b: "*u8:16", c: "*fp32:16", scales: "*fp16:16", SIZES, TILES):
    PIDS
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    half = tl.arange(0, BK // 2)
    ZEROS
    for k in range(0, K, BK):
        x = tl.load(a + rm[:, None] * K + (k + rk)[None, :])
        packed = tl.load(b + rn[:, None] * (K // 2) + (k // 2 + half)[None, :])
        low = (packed & 15).to(tl.int8) - 8
        high = (packed >> 4).to(tl.int8) - 8
        w = tl.join(low, high).reshape(BN, BK).to(tl.float16)
        w = w * tl.load(scales + rn * (K // BK) + k // BK)[:, None]
        acc = tl.dot(x, w.T, acc)
    STORE
""",
    "a=randn(256,192):fp16 b=randint(0,255,256,96):u8 c=zeros(256,256):fp32 scales=rand(256,3):fp16 M=256 N=256 K=192",
    "2,2",
    lambda np, x: dict(
        c=x["a"] @ (((x["b"].astype(int)[:, :, None] >> np.array([0, 4]) & 15).reshape(256, 192) - 8) * x["scales"].repeat(64, 1)).T
    ),
)

form(
    "mxfp4 weights by dot_scaled, bf16 activations",
    """
def k(a: "*bf16:16", b: "*u8:16", c: "*fp32:16", scales: "*u8:16", SIZES, TILES):
    PIDS
    RANGES
    half = tl.arange(0, BK // 2)
    group = tl.arange(0, BK // 32)
    ZEROS
    for k in range(0, K, BK):
        x = tl.load(a + rm[:, None] * K + (k + rk)[None, :])
        y = tl.load(b + rn[None, :] * (K // 2) + (k // 2 + half)[:, None])
        s = tl.load(scales + rn[:, None] * (K // 32) + (k // 32 + group)[None, :])
        acc = tl.dot_scaled(x, None, "bf16", y, s, "e2m1", acc)
    STORE
""",
    "a=randn(256,256):bf16 b=randint(0,255,256,128):u8 c=zeros(256,256):fp32 scales=randint(125,129,256,8):u8 M=256 N=256 K=256",
    "2,2",
    lambda np, x: dict(
        c=x["a"]
        @ (
            np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])[
                (x["b"].astype(int)[:, :, None] >> np.array([0, 4]) & 15).reshape(256, 256)
            ]
            * np.exp2(x["scales"] - 127).repeat(32, 1)
        ).T
    ),
    defines="BK=128",
)

# ---------------------------------------------------------------------------------------------------------------- convolutions
form(
    "convolution with taps and channels in one K, places by division",
    """
def k(a: "*fp16:16", b: "*fp16:16", c: "*fp32:16", H: "i32", W: "i32", C: "i32:16", N: "i32:16", TILES):
    PIDS
    RANGES
    y, x = rm // W, rm % W
    ZEROS
    for k in range(0, 9 * C, BK):
        tap = k // C
        yy, xx = y + tap // 3 - 1, x + tap % 3 - 1
        inside = (yy >= 0) & (yy < H) & (xx >= 0) & (xx < W)
        p = tl.load(a + (yy * W + xx)[:, None] * C + (k % C + rk)[None, :], mask=inside[:, None], other=0.0)
        acc = tl.dot(p, tl.load(b + (k + rk)[:, None] * N + rn[None, :]), acc)
    STORE
""",
    "a=randn(16,16,64):fp16 b=randn(9,64,256):fp16 c=zeros(256,256):fp32 H=16 W=16 C=64 N=256",
    "2,2",
    lambda np, x: dict(
        c=sum(
            np.pad(x["a"], ((1, 1), (1, 1), (0, 0)))[t // 3 : t // 3 + 16, t % 3 : t % 3 + 16].reshape(256, 64) @ x["b"][t]
            for t in range(9)
        )
    ),
)

form(
    "causal convolution over time: taps unrolled, rows before the start masked",
    """
def k(ABC, SIZES, TILES, TAPS: tl.constexpr = 4):
    PIDS
    RANGES
    ZEROS
    for tap in tl.static_range(TAPS):
        past = rm - (TAPS - 1) + tap
        for k in range(0, K, BK):
            x = tl.load(a + past[:, None] * K + (k + rk)[None, :], mask=past[:, None] >= 0, other=0.0)
            acc = tl.dot(x, tl.load(b + (tap * K + k + rk)[:, None] * N + rn[None, :]), acc)
    STORE
""",
    "a=randn(256,128):fp16 b=randn(4,128,256):fp16 c=zeros(256,256):fp32 M=256 N=256 K=128",
    "2,2",
    lambda np, x: dict(c=sum(np.pad(x["a"], ((3, 0), (0, 0)))[t : t + 256] @ x["b"][t] for t in range(4))),
)

# ---------------------------------------------------------------------------------------------------------------- attention
form(
    "attention: K turned by tl.trans, a bias matrix (FlashAttention-Triton)",
    """
def k(QKVO, bias: "*fp16:16", S: "i32:16", BLOCKS):
    z = tl.program_id(1)
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rd = tl.arange(0, D)
    qs = tl.load(q + z * S * D + rm[:, None] * D + rd[None, :])
    kp = k + z * S * D + rn[:, None] * D + rd[None, :]
    vp = v + z * S * D + rn[:, None] * D + rd[None, :]
    bp = bias + rm[:, None] * S + rn[None, :]
    BEGIN
    for n in range(0, S, BN):
        n = tl.multiple_of(n, BN)
        s = tl.dot(qs, tl.trans(tl.load(kp + n * D)))
        s = s * 0.18 + tl.load(bp + n).to(tl.float32)
        SOFTMAX
        acc = acc * fade[:, None]
        acc += tl.dot(w.to(tl.float16), tl.load(vp + n * D))
    tl.store(o + z * S * D + rm[:, None] * D + rd[None, :], acc / l[:, None])
""",
    ATTENTION + " bias=randn(256,256):fp16",
    "2,2",
    lambda np, x: dict(o=attention(np, x, lambda s: s + x["bias"])),
)

form(
    "attention of packed sequences: start and length loaded, K by columns",
    """
def k(QKVO, starts: "*i32:16", lengths: "*i32:16", BLOCKS, H: tl.constexpr = 2):
    z, h = tl.program_id(1), tl.program_id(2)
    length = tl.load(lengths + z)
    start = tl.load(starts + z)
    pm = tl.program_id(0)
    rm = pm * BM + tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rd = tl.arange(0, D)
    row = H * D
    x = tl.load(q + (start + rm[:, None]) * row + h * D + rd[None, :], mask=rm[:, None] < length, other=0.0)
    kp = k + rn[None, :] * row + h * D + rd[:, None]
    vp = v + rn[:, None] * row + h * D + rd[None, :]
    BEGIN
    live = tl.where(pm * BM < length, 1, 0)
    for n in range(0, live * tl.minimum((pm + 1) * BM, length), BN):
        kk = tl.load(kp + (start + n) * row, mask=(n + rn[None, :]) < length, other=0.0)
        s = tl.dot(x, kk) * 0.18
        s += tl.where(rm[:, None] >= (n + rn[None, :]), 0.0, -1.0e8)
        SOFTMAX
        vv = tl.load(vp + (start + n) * row, mask=(n + rn[:, None]) < length, other=0.0)
        acc = tl.dot(w.to(tl.float16), vv, acc * fade[:, None])
    tl.store(o + (start + rm[:, None]) * row + h * D + rd[None, :], acc / l[:, None], mask=rm[:, None] < length)
""",
    "q=randn(200,2,64):fp16 k=randn(200,2,64):fp16 v=randn(200,2,64):fp16 o=zeros(200,2,64):fp32 starts=full(0,1):i32"
    " lengths=full(200,1):i32",
    "2,1,2",
    lambda np, x: dict(o=attention(np, {n: x[n].swapaxes(0, 1) for n in "qkv"}, causal=True).swapaxes(0, 1)),
)

form(
    "attention over pages: a table entry a step, softcap (vLLM)",
    """
def k(QKVO, table: "*i32:16", length: "i32", BLOCKS):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rd = tl.arange(0, D)
    x = tl.load(q + rm[:, None] * D + rd[None, :])
    BEGIN
    for j in range(0, tl.cdiv(length, BN)):
        page = tl.load(table + j).to(tl.int64)
        kk = tl.load(k + page * BN * D + rn[None, :] * D + rd[:, None])
        vv = tl.load(v + page * BN * D + rn[:, None] * D + rd[None, :])
        s = tl.dot(x, kk) * 0.18
        u = tl.exp(2.0 * s / 4.0)
        s = 4.0 * (1.0 - 2.0 / (u + 1.0))
        s = tl.where((j * BN + rn)[None, :] < length, s, -1.0e30)
        SOFTMAX
        acc = acc * fade[:, None] + tl.dot(w.to(vv.dtype), vv)
    tl.store(o + rm[:, None] * D + rd[None, :], acc / l[:, None])
""",
    "q=randn(256,64):fp16 k=randn(4,64,64):fp16 v=randn(4,64,64):fp16 o=zeros(256,64):fp32 table=randint(0,3,4):i32 length=230",
    "2",
    lambda np, x: dict(
        o=attention(
            np,
            dict(
                q=x["q"], k=x["k"][x["table"].astype(int)].reshape(256, 64)[:230], v=x["v"][x["table"].astype(int)].reshape(256, 64)[:230]
            ),
            lambda s: 4 * np.tanh(s / 4),
        )
    ),
)

form(
    "attention in a window with a sink, block pointers, bounds computed",
    """
def k(QKVO, sink: "*fp32:16", S: "i32:16", WINDOW: "i32", BLOCKS):
    pm, z = tl.program_id(0), tl.program_id(1)
    at = z.to(tl.int64) * S * D
    rm = pm * BM + tl.arange(0, BM)
    low = tl.maximum(pm * BM - WINDOW + 1, 0) // BN * BN
    high = tl.minimum((pm + 1) * BM, S)
    qb = tl.make_block_ptr(q + at, (S, D), (D, 1), (pm * BM, 0), (BM, D), (1, 0))
    kb = tl.make_block_ptr(k + at, (D, S), (1, D), (0, low), (D, BN), (0, 1))
    vb = tl.make_block_ptr(v + at, (S, D), (D, 1), (low, 0), (BN, D), (1, 0))
    ob = tl.make_block_ptr(o + at, (S, D), (D, 1), (pm * BM, 0), (BM, D), (1, 0))
    x = tl.load(qb)
    BEGIN
    m = tl.zeros((BM,), tl.float32) + tl.load(sink + z)
    l = l + 1.0
    for n in range(low, high, BN):
        j = n + tl.arange(0, BN)
        s = tl.dot(x, tl.load(kb)) * 0.18
        s = tl.where((rm[:, None] >= j[None, :]) & (rm[:, None] - j[None, :] < WINDOW), s, -1.0e30)
        SOFTMAX
        acc = tl.dot(w.to(tl.float16), tl.load(vb), acc * fade[:, None])
        kb = tl.advance(kb, (0, BN))
        vb = tl.advance(vb, (BN, 0))
    tl.store(ob, acc / l[:, None])
""",
    ATTENTION + " sink=randn(2):fp32 WINDOW=100",
    "2,2",
    lambda np, x: (
        lambda s: (lambda w: dict(o=w @ x["v"] / (w.sum(-1, keepdims=True) + np.exp2(x["sink"])[:, None, None])))(
            np.where((np.arange(256)[:, None] >= np.arange(256)) & (np.arange(256)[:, None] - np.arange(256) < 100), np.exp2(s), 0)
        )
    )(x["q"] @ x["k"].swapaxes(1, 2) * 0.18),
)

form(
    "attention over a latent: gathered rows are K and V, a second part of K (MLA)",
    """
def k(q: "*fp16:16", qr: "*fp16:16", kv: "*fp16:16", kr: "*fp16:16", o: "*fp32:16", slots: "*i32:16", length: "i32",
      D: tl.constexpr = 128, R: tl.constexpr = 64, BM: tl.constexpr = 64, BN: tl.constexpr = 64):
    rm = tl.arange(0, BM)
    rd, rr = tl.arange(0, D), tl.arange(0, R)
    x = tl.load(q + rm[:, None] * D + rd[None, :])
    xr = tl.load(qr + rm[:, None] * R + rr[None, :])
    BEGIN
    for n in range(0, length, BN):
        j = n + tl.arange(0, BN)
        slot = tl.load(slots + j, mask=j < length, other=0)
        kk = tl.load(kv + slot[None, :] * D + rd[:, None], mask=j[None, :] < length, other=0.0)
        s = tl.dot(x, kk)
        s += tl.dot(xr, tl.load(kr + slot[None, :] * R + rr[:, None], mask=j[None, :] < length, other=0.0))
        s = tl.where(j[None, :] < length, s * 0.18, -1.0e30)
        SOFTMAX
        acc = acc * fade[:, None] + tl.dot(w.to(tl.float16), tl.trans(kk))
    tl.store(o + rm[:, None] * D + rd[None, :], acc / l[:, None])
""",
    "q=randn(64,128):fp16 qr=randn(64,64):fp16 kv=randn(256,128):fp16 kr=randn(256,64):fp16 o=zeros(64,128):fp32"
    " slots=randint(0,255,256):i32 length=200",
    "1",
    lambda np, x: (
        lambda i: dict(
            o=attention(np, dict(q=np.concatenate([x["q"], x["qr"]], 1), k=np.concatenate([x["kv"], x["kr"]], 1)[i], v=x["kv"][i]))
        )
    )(x["slots"][:200].astype(int)),
    warps=4,
)

form(
    "gradients of K and V: transposed scores, all queries in a loop",
    """
def k(q: "*fp16:16", k: "*fp16:16", v: "*fp16:16", do: "*fp16:16", lse: "*fp32:16", delta: "*fp32:16", dk: "*fp32:16", dv: "*fp32:16",
      S: "i32:16", BLOCKS):
    z = tl.program_id(1) * S
    rn = tl.program_id(0) * BM + tl.arange(0, BM)
    rd = tl.arange(0, D)
    kk = tl.load(k + (z + rn)[:, None] * D + rd[None, :])
    vv = tl.load(v + (z + rn)[:, None] * D + rd[None, :])
    sum_k = tl.zeros((BM, D), tl.float32)
    sum_v = tl.zeros((BM, D), tl.float32)
    rm = tl.arange(0, BN)
    qp = q + z * D + rm[None, :] * D + rd[:, None]
    op = do + z * D + rm[:, None] * D + rd[None, :]
    for i in range(0, S, BN):
        qt = tl.load(qp)
        wt = tl.math.exp2(tl.dot(kk, qt) * 0.18 - tl.load(lse + z + i + rm)[None, :])
        g = tl.load(op)
        sum_v += tl.dot(wt.to(tl.float16), g)
        dwt = tl.dot(vv, tl.trans(g))
        dst = (wt * (dwt - tl.load(delta + z + i + rm)[None, :])).to(tl.float16)
        sum_k += tl.dot(dst, tl.trans(qt))
        qp += BN * D
        op += BN * D
    tl.store(dv + (z + rn)[:, None] * D + rd[None, :], sum_v)
    tl.store(dk + (z + rn)[:, None] * D + rd[None, :], sum_k)
""",
    "q=randn(2,256,64):fp16 k=randn(2,256,64):fp16 v=randn(2,256,64):fp16 do=randn(2,256,64):fp16 lse=full(5,2,256):fp32"
    " delta=randn(2,256):fp32 dk=zeros(2,256,64):fp32 dv=zeros(2,256,64):fp32 S=256",
    "2,2",
    lambda np, x: (
        lambda w: dict(
            dv=w.swapaxes(1, 2) @ x["do"], dk=(w * (x["do"] @ x["v"].swapaxes(1, 2) - x["delta"][:, :, None])).swapaxes(1, 2) @ x["q"]
        )
    )(np.exp2(x["q"] @ x["k"].swapaxes(1, 2) * 0.18 - x["lse"][:, :, None])),
)

form(
    "gradient of Q, causal, keys up to the diagonal",
    """
def k(q: "*fp16:16", k: "*fp16:16", v: "*fp16:16", do: "*fp16:16", lse: "*fp32:16", delta: "*fp32:16", dq: "*fp32:16", S: "i32:16", BLOCKS):
    z = tl.program_id(1) * S
    pm = tl.program_id(0)
    rm = pm * BM + tl.arange(0, BM)
    rd = tl.arange(0, D)
    x = tl.load(q + (z + rm)[:, None] * D + rd[None, :])
    g = tl.load(do + (z + rm)[:, None] * D + rd[None, :])
    le = tl.load(lse + z + rm)[:, None]
    di = tl.load(delta + z + rm)[:, None]
    acc = tl.zeros((BM, D), tl.float32)
    for n in range(0, (pm + 1) * BM, BN):
        rn = n + tl.arange(0, BN)
        kt = tl.load(k + z * D + rn[None, :] * D + rd[:, None])
        vt = tl.load(v + z * D + rn[None, :] * D + rd[:, None])
        w = tl.math.exp2(tl.dot(x, kt) * 0.18 - le)
        w = tl.where(rm[:, None] >= rn[None, :], w, 0.0)
        ds = (w * (tl.dot(g, vt).to(tl.float32) - di)).to(tl.float16)
        acc += tl.dot(ds, tl.trans(kt))
    tl.store(dq + (z + rm)[:, None] * D + rd[None, :], acc)
""",
    "q=randn(2,256,64):fp16 k=randn(2,256,64):fp16 v=randn(2,256,64):fp16 do=randn(2,256,64):fp16 lse=full(5,2,256):fp32"
    " delta=randn(2,256):fp32 dq=zeros(2,256,64):fp32 S=256",
    "2,2",
    lambda np, x: (lambda w: dict(dq=(w * (x["do"] @ x["v"].swapaxes(1, 2) - x["delta"][:, :, None])) @ x["k"]))(
        np.tril(np.exp2(x["q"] @ x["k"].swapaxes(1, 2) * 0.18 - x["lse"][:, :, None]))
    ),
)

# ---------------------------------------------------------------------------------------------------------------- without softmax
form(
    "silu of scores in place of softmax, jagged rows (HSTU)",
    """
def k(QKVO, starts: "*i64:16", ends: "*i64:16", BLOCKS):
    z = tl.program_id(1)
    start = tl.load(starts + z)
    length = (tl.load(ends + z) - start).to(tl.int32)
    if tl.program_id(0) * BM >= length:
        return
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rd = tl.arange(0, D)
    x = tl.load(q + start * D + rm[:, None] * D + rd[None, :], mask=(rm < length)[:, None], other=0.0)
    acc = tl.zeros((BM, D), tl.float32)
    for n in range(0, length, BN):
        rn = n + tl.arange(0, BN)
        inside = rn < length
        s = tl.dot(x, tl.load(k + start * D + rn[None, :] * D + rd[:, None], mask=inside[None, :], other=0.0)) * 0.18
        w = s * tl.sigmoid(s) * 0.03125
        w = tl.where(rm[:, None] >= rn[None, :], w, 0.0)
        acc += tl.dot(w.to(tl.float16), tl.load(v + start * D + rn[:, None] * D + rd[None, :], mask=inside[:, None], other=0.0))
    tl.store(o + start * D + rm[:, None] * D + rd[None, :], acc, mask=(rm < length)[:, None])
""",
    "q=randn(300,64):fp16 k=randn(300,64):fp16 v=randn(300,64):fp16 o=zeros(300,64):fp32 starts=full(100,1):i64 ends=full(300,1):i64",
    "2,1",
    lambda np, x: (lambda s: dict(o=np.concatenate([np.zeros((100, 64)), np.tril(silu(np, s) / 32) @ x["v"][100:]])))(
        x["q"][100:] @ x["k"][100:].T * 0.18
    ),
)

form(
    "a state over chunks of time, stored at each, faded (linear attention)",
    """
def k(k: "*fp16:16", v: "*fp16:16", fades: "*fp32:16", h: "*fp32:16", T: "i32:16", BT: tl.constexpr = 64, BM: tl.constexpr = 128,
      BN: tl.constexpr = 128):
    pn, z = tl.program_id(0), tl.program_id(1)
    rd, rv = tl.arange(0, BM), pn * BN + tl.arange(0, BN)
    V = tl.num_programs(0) * BN
    state = tl.zeros((BM, BN), tl.float32)
    for t in range(tl.cdiv(T, BT)):
        kb = tl.make_block_ptr(k + z * T * BM, (BM, T), (1, BM), (0, t * BT), (BM, BT), (0, 1))
        vb = tl.make_block_ptr(v + z * T * V, (T, V), (V, 1), (t * BT, pn * BN), (BT, BN), (1, 0))
        tl.store(h + ((z * tl.cdiv(T, BT) + t) * BM + rd[:, None]) * V + rv[None, :], state)
        state *= tl.load(fades + z * tl.cdiv(T, BT) + t)
        state = tl.dot(tl.load(kb, boundary_check=(0, 1)), tl.load(vb, boundary_check=(0, 1)), state)
""",
    "k=randn(2,256,128):fp16 v=randn(2,256,256):fp16 fades=rand(2,4):fp32 h=zeros(2,4,128,256):fp32 T=256",
    "2,2",
    lambda np, x: dict(h=np.stack([np.stack(list(states(np, x["k"][z], x["v"][z], x["fades"][z]))) for z in range(2)])),
)

form(
    "outputs of a chunk: state by q, then masked scores by v (linear attention)",
    """
def k(q: "*fp16:16", k: "*fp16:16", v: "*fp16:16", h: "*fp16:16", o: "*fp32:16", T: "i32:16", K: "i32:16", V: "i32:16",
      BT: tl.constexpr = 64, BK: tl.constexpr = 64, BN: tl.constexpr = 128):
    pn, t = tl.program_id(0), tl.program_id(1)
    out = tl.zeros((BT, BN), tl.float32)
    scores = tl.zeros((BT, BT), tl.float32)
    for i in range(tl.cdiv(K, BK)):
        qb = tl.make_block_ptr(q, (T, K), (K, 1), (t * BT, i * BK), (BT, BK), (1, 0))
        kb = tl.make_block_ptr(k, (K, T), (1, K), (i * BK, t * BT), (BK, BT), (0, 1))
        hb = tl.make_block_ptr(h + t * K * V, (K, V), (V, 1), (i * BK, pn * BN), (BK, BN), (1, 0))
        x = tl.load(qb, boundary_check=(0, 1))
        out += tl.dot(x, tl.load(hb, boundary_check=(0, 1)))
        scores += tl.dot(x, tl.load(kb, boundary_check=(0, 1)))
    i = tl.arange(0, BT)
    scores = tl.where(i[:, None] >= i[None, :], scores, 0.0)
    vb = tl.make_block_ptr(v, (T, V), (V, 1), (t * BT, pn * BN), (BT, BN), (1, 0))
    ob = tl.make_block_ptr(o, (T, V), (V, 1), (t * BT, pn * BN), (BT, BN), (1, 0))
    out = out + tl.dot(scores.to(tl.float16), tl.load(vb, boundary_check=(0, 1)))
    tl.store(ob, out, boundary_check=(0, 1))
""",
    "q=randn(256,128):fp16 k=randn(256,128):fp16 v=randn(256,256):fp16 h=randn(4,128,256):fp16 o=zeros(256,256):fp32 T=256 K=128 V=256",
    "2,4",
    lambda np, x: dict(
        o=np.concatenate(
            [
                (lambda s: x["q"][s] @ x["h"][t] + np.tril(x["q"][s] @ x["k"][s].T) @ x["v"][s])(slice(64 * t, 64 * t + 64))
                for t in range(4)
            ]
        )
    ),
    warps=4,
)


def states(np, k, v, fades):
    state = np.zeros((k.shape[1], v.shape[1]))
    for t, fade in enumerate(fades):
        yield state
        state = state * fade + k[64 * t : 64 * t + 64].T @ v[64 * t : 64 * t + 64]


def compiled(form, tkc, folder):
    source = os.path.join(folder, "k.py")
    with open(source, "w") as file:
        file.write(form["text"])
    command = [
        tkc,
        source,
        "-t",
        "sm_90a",
        "-w",
        str(form.get("warps", 8)),
        "-ns",
        "3",
        "--no-header",
        "--remarks=specialise|tensor-map|matrix|pipeline",
        "-o",
        os.path.join(folder, "k.ptx"),
    ] + defines(form)
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if run.returncode:
        return None, run.stderr
    with open(os.path.join(folder, "k.json")) as file:
        return json.load(file)["kernels"][0]["entries"][0], run.stderr


def defines(form):
    return [word for value in form.get("defines", "").split() for word in ("-D", value)]


def reason(remarks):
    """The first remark that says why not: of the loop, then of a load."""
    found = re.findall(r":(\d+):\d+: remark: k on sm_90a: (.*) \[([a-z-]+)\]", remarks)
    for kind in ("specialise", "tensor-map", "pipeline", "matrix"):
        for line, text, of in found:
            if of == kind and not re.match(r"the loop is specialised|a tensor map moves it|.*run ahead", text):
                return f"line {line}: {text} [{of}]"
    return "no remark"


def arguments(form):
    words = []
    for seed, word in enumerate(form["arguments"].split()):
        words += ["-a", re.sub(r"(rand\w*\(.*)\)", r"\1,seed=%d)" % (seed + 1), word)]
    return words


def load(np, path, declared):
    x = np.load(path)
    if declared.endswith(":bf16"):
        return (x.view(np.uint16).astype(np.uint32) << 16).view(np.float32).astype(float)
    return x.astype(float)


def wrong(form, tkc_run, folder):
    """None where all results are right; else what is wrong."""
    import numpy as np

    arrays = {word.split("=")[0]: word for word in form["arguments"].split() if "(" in word}
    command = [
        tkc_run,
        os.path.join(folder, "k.py"),
        "--on=sm_90a",
        "-w",
        str(form.get("warps", 8)),
        "-ns",
        "3",
        "-g",
        form["grid"],
        "--timeout=300",
    ]
    for name in arrays:
        command += ["-o", f"{name}={folder}/{name}.npy"]
    run = subprocess.run(command + arguments(form) + defines(form), capture_output=True, text=True)
    if run.returncode:
        return (run.stderr + run.stdout).strip().splitlines()[0]
    x = {name: load(np, f"{folder}/{name}.npy", word) for name, word in arrays.items()}
    for name, want in form["want"](np, x).items():
        far = np.abs(x[name] - want).max() / max(np.abs(want).max(), 1e-6)
        if not far < 4e-3:
            return f"{name} is off by {far:.3g} of its largest value"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="?", default="", help="take the spellings whose name has this in it")
    parser.add_argument("--tkc", default="build/bin/tkc", help="the compiler")
    parser.add_argument("--check", metavar="TKC_RUN", help="compare results on the emulator (NumPy)")
    options = parser.parse_args()
    raised = failed = total = 0
    for form in FORMS:
        if options.part not in form["name"]:
            continue
        total += 1
        with tempfile.TemporaryDirectory() as folder:
            entry, remarks = compiled(form, options.tkc, folder)
            if entry is None:
                print(f"{form['name']:80} error: {remarks.splitlines()[0]}", flush=True)
                failed += 1
                continue
            maps = sum(hidden["kind"] == "tensor_map" for hidden in entry.get("hidden", []))
            is_raised = bool(entry.get("producer_warps"))
            raised += is_raised
            fault = wrong(form, options.check, folder) if options.check else None
            failed += bool(fault)
            print(
                f"{form['name']:80} {'raised' if is_raised else 'not   '}  maps {maps}  threads {entry['threads']}"
                f"{'' if is_raised else '  ' + reason(remarks)}{'  WRONG: ' + fault if fault else ''}",
                flush=True,
            )
    print(f"{raised} of {total} are raised")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
