#!/usr/bin/env python3
"""Reasons for refused optimisations (passes/reasons.def): a kernel for each, of which a remark or an attribute gives the reason.

check_reasons.py TKC SOURCE_FOLDER FOLDER
"""

import os
import re
import subprocess
import sys

from remark_kernels import BANKS, CHAINS, COUNTING, HEAD, MASKED, NORM, PRODUCT, ROWS, SHORT, SUMS, replaced

# Lines of PRODUCT.
LOAD_X = "x = tl.load(ap, mask=(rm[:, None] < M) & (rk[None, :] < K - k), other=0.0)"
LOAD_Y = "y = tl.load(bp, mask=(rk[:, None] < K - k) & (rn[None, :] < N), other=0.0)"
STORE = "tl.store(c + rm[:, None] * scm + rn[None, :], acc.to(tl.float16), mask=(rm[:, None] < M) & (rn[None, :] < N))"
AP = "ap = a + offset + rm[:, None] * sam + rk[None, :] * sak"
BP = "bp = b + rk[:, None] * sbk + rn[None, :]"
ACC = "acc = tl.dot(x, y, acc)"
LATE = [("acc.to(tl.float16),", "tl.sigmoid(acc.to(tl.float16).to(tl.float32)).to(tl.float16),")]
BROAD = [("BN: tl.constexpr = 128", "BN: tl.constexpr = 256")]
PLAIN = [(LOAD_X, "x = tl.load(ap)"), (LOAD_Y, "y = tl.load(bp)")]

# The first W columns of the rows of NORM.
PARTS_OF_ROWS = [
    ('K: "i32:16"', 'K: "i32:16", W: "i32:16"'),
    ("< K", "< W"),
    ("range(0, K, 64)", "range(0, W, 64)"),
    ("norm(x, h); product(h, b, y)", "norm(x, h, W=W); product(h, b, y, W=W)"),
]

# A product in two loops, and attention with a mask.
TWO = (
    'def k(a: "*fp16:16", b: "*fp16:16", c: "*fp32:16", n: "i32:16"):\n    i, d = tl.arange(0, 128), tl.arange(0, 64)\n    acc = tl.zeros((128, 128), tl.float32)\n'
    + "    for k in range(0, n, 64):\n        acc = tl.dot(tl.load(a + i[:, None] * n + k + d[None, :]), tl.load(b + (k + d[:, None]) * n + i[None, :]), acc)\n    for k in range(0, n, SECOND):\n        e = tl.arange(0, SECOND)\n        acc = tl.dot(tl.load(a + i[:, None] * n + k + e[None, :]), tl.load(b + (k + e[:, None]) * n + i[None, :]), acc)\n    tl.store(c + i[:, None] * n + i[None, :], acc)\n"
)
ATT = """def k(q: "*fp16:16", kk: "*fp16:16", v: "*fp16:16", y: "*fp16:16", n: "i32:16", first: "i32", B: tl.constexpr = 64):
    i, j, d = tl.program_id(0) * 128 + tl.arange(0, 128), tl.arange(0, B), tl.arange(0, 64)
    x = tl.load(q + i[:, None] * 64 + d[None, :])
    acc = tl.zeros([128, 64], tl.float32)
    l = tl.zeros([128], tl.float32)
    for s in range(0, n, B):
        kt = tl.load(kk + (s + j)[:, None] * 64 + d[None, :])
        p = tl.exp2(tl.where(i[:, None] >= (s + j)[None, :], tl.dot(x, kt.T), -1e30))
        l += tl.sum(p, 1)
        acc += tl.dot(p.to(tl.float16), tl.load(v + (s + j)[:, None] * 64 + d[None, :]))
    tl.store(y + i[:, None] * 64 + d[None, :], (acc / l[:, None]).to(tl.float16))
"""

# Attention with a bias of each score, as many bytes as keys and values.
BIAS = """def k(q: "*bf16:16", k: "*bf16:16", v: "*bf16:16", bias: "*bf16:16", o: "*bf16:16", n: "i32:16"):
    i, j, d = tl.program_id(0) * 64 + tl.arange(0, 64), tl.arange(0, 64), tl.arange(0, 32)
    x = tl.load(q + i[:, None] * 32 + d[None, :])
    top = tl.full((64,), -1e30, tl.float32)
    total, sums = tl.zeros((64, 32), tl.float32), tl.zeros((64,), tl.float32)
    for s in range(0, n, 64):
        y = tl.load(k + (s + j)[None, :] * 32 + d[:, None])
        w = tl.dot(x, y) * 0.1767 + tl.load(bias + i[:, None] * n + (s + j)[None, :]).to(tl.float32)
        new = tl.maximum(top, tl.max(w, 1))
        p, f = tl.exp(w - new[:, None]), tl.exp(top - new)
        sums = sums * f + tl.sum(p, 1)
        z = tl.load(v + (s + j)[:, None] * 32 + d[None, :])
        total = tl.dot(p.to(z.dtype), z, total * f[:, None])
        top = new
    tl.store(o + i[:, None] * 32 + d[None, :], (total / sums[:, None]).to(tl.bfloat16))
"""

# Retention: a state of 128 x 64 beside three products of 64 rows.
STATE = """def k(q: "*bf16:16", k: "*bf16:16", v: "*bf16:16", y: "*bf16:16", f: "*fp32:16", n: "i32:16"):
    i, j, d = tl.arange(0, 64), tl.arange(0, 64), tl.arange(0, 128)
    fall, rest = tl.load(f + i), tl.load(f + 64 + i)
    within = tl.where(i[:, None] >= j[None, :], tl.load(f + 128 + i[:, None] * 64 + j[None, :]), 0.0)
    state = tl.zeros([128, 64], tl.float32)
    for s in range(0, n, 64):
        x = tl.load(q + (s + i)[:, None] * 128 + d[None, :])
        z = tl.load(k + (s + i)[None, :] * 128 + d[:, None])
        u = tl.load(v + (s + i)[:, None] * 64 + j[None, :])
        x = (x * 0.5).to(z.dtype)
        o = tl.dot((tl.dot(x, z) * within).to(u.dtype), u) + tl.dot(x, state.to(x.dtype)) * fall[:, None]
        state = 0.5 * state + tl.dot(z, (u * rest[:, None]).to(z.dtype))
        tl.store(y + (s + i)[:, None] * 64 + j[None, :], o.to(tl.bfloat16))
"""

# Eight 4-bit weights along N to a word, whose rows no hint aligns.
SPREAD = """def k(a: "*fp16:16", w: "*i32:16", c: "*fp32:16", N: "i32:16", K: "i32:16"):
    i, d = tl.arange(0, 16), tl.arange(0, 32)
    j, word = tl.program_id(0) * 128 + tl.arange(0, 128), tl.program_id(0) * 16 + tl.arange(0, 16)
    acc = tl.zeros([16, 128], tl.float32)
    for n in range(0, K, 32):
        y = tl.load(w + (N // 8) * (n + d)[:, None] + word[None, :])
        y = tl.interleave(y, y)
        y = tl.interleave(y, y)
        y = tl.interleave(y, y)
        y = (y >> (tl.arange(0, 128) % 8 * 4)[None, :]) & 15
        acc = tl.dot(tl.load(a + i[:, None] * K + (n + d)[None, :]), y.to(tl.float16), acc)
    tl.store(c + i[:, None] * N + j[None, :], acc)
"""

# Two products of the same operands, of 256 x 256 each.
TWO_SUMS = [
    ("BN: tl.constexpr = 128", "BN: tl.constexpr = 256"),
    ("BM: tl.constexpr = 128", "BM: tl.constexpr = 256"),
    (ACC, "acc = tl.dot(x, y, acc)\n        bcc = tl.dot(x, y, bcc)"),
    ("    for k", "    bcc = acc\n    for k"),
    ("acc.to(", "(acc * bcc).to("),
]

# The last step of CHAINS on a grid of its own, elementwise.
OTHER_GRID = [
    ('shift.grid = lambda meta: (meta["M"],)', 'shift.grid = lambda meta: (meta["M"] * 2,)'),
    (
        "    tl.store(y + at, tl.load(x + at + 1, mask=at + 1 < M * 64))",
        "    at = tl.program_id(0) * 32 + tl.arange(0, 32)\n    tl.store(y + at, tl.load(x + at) + 1)",
    ),
]

# Rows for full pairs of tiles.
FILLS = ('M: "i32"', 'M: "i32:256"')

# The left operand at the pointer itself.
STARTS = ("a + offset + rm", "a + rm")

# reason, source, replacements, chip, options
REASONS = [
    ("COUNTED_CONDITION", COUNTING, [("while i < n:", "while (i < n) & (total < 9):")], "sm_80"),
    ("COUNTED_BOUND", COUNTING, [("        i += total", "        i += 1\n        n -= total")], "sm_80"),
    ("COUNTED_STEP", COUNTING, [], "sm_80"),
    ("COUNTED_SIGN", COUNTING, [("        i += total", "        i += m"), ('n: "i32"', 'n: "i32", m: "i32"')], "sm_80"),
    ("VOLATILE", PRODUCT, [(LOAD_X, LOAD_X[:-1] + ", volatile=True)")], "sm_90a"),
    ("ADDRESS", PRODUCT, [(AP, "ap = a + tl.load(c.to(tl.pointer_type(tl.int32)) + rk)[None, :] + rm[:, None] * sam")], "sm_90a"),
    ("FILL", PRODUCT, [(LOAD_X, LOAD_X.replace("other=0.0", "other=1.0"))], "sm_90a"),
    ("DIMENSION", PRODUCT, [(STORE, STORE.replace("+ rn[None, :]", "+ (rn[None, :] + rm[:, None])"))], "sm_90a"),
    ("STRIDE", PRODUCT, [(STORE, STORE.replace("rm[:, None] * scm", "rm[:, None] * (scm * sam * sbk)"))], "sm_90a"),
    ("CONTIGUOUS", PRODUCT, [('sak: "i32:1"', 'sak: "i32:16"')], "sm_90a"),
    ("MASK", PRODUCT, [(STORE, STORE.replace("(rm[:, None] < M)", "((rm[:, None] ^ 5) < M)"))], "sm_90a"),
    ("MASK_CONDITION", PRODUCT, [(STORE, STORE.replace("(rm[:, None] < M)", "(rm[:, None] + rn[None, :] < M)"))], "sm_90a"),
    ("FIRST_NEGATIVE", PRODUCT, [("rm = pm * BM + tl.arange(0, BM)", "rm = pm * BM - 7 + tl.arange(0, BM)")], "sm_90a"),
    ("STORE_WRAPS", PRODUCT, [(STORE, "tl.store(c + (rm[:, None] % M) * scm + rn[None, :], acc.to(tl.float16), mask=rn[None, :] < N)")], "sm_90a"),
    ("TMA_BASE", PRODUCT, [('a: "*fp16:16"', 'a: "*fp16"')], "sm_90a"),
    ("TMA_OFFSET", PRODUCT, [('offset: "i32:16"', 'offset: "i32"')], "sm_90a"),
    ("TMA_FIRST", PRODUCT, [("rn = pn * BN + tl.arange(0, BN)", "rn = pn * M + tl.arange(0, BN)")], "sm_90a"),
    ("TMA_STRIDE", PRODUCT, [('sam: "i32:16"', 'sam: "i32"')], "sm_90a"),
    (
        "TMA_INDEX",
        PRODUCT,
        [
            (AP, "far = tl.load(c.to(tl.pointer_type(tl.int64)))\n    ap = a + (rm + far)[:, None] * sam + rk[None, :] * sak"),
            (BP, "bp = b + (rk + far)[:, None] * sbk + rn[None, :]"),
            (LOAD_X, "x = tl.load(ap, mask=(rm + far)[:, None] < M * N, other=0.0)"),
            (LOAD_Y, "y = tl.load(bp, mask=(rk + far)[:, None] < M * N - k, other=0.0)"),
        ],
        "sm_90a",
    ),
    (
        "GATHERED",
        PRODUCT,
        [
            (AP, "ids = c.to(tl.pointer_type(tl.int32))\n    ap = a + tl.load(ids + rm)[:, None] * sam + rk[None, :] * sak"),
            (BP, "bp = b + tl.load(ids + rk)[:, None] * sbk + rn[None, :]"),
        ],
        "sm_90a",
    ),
    (
        "TMA_BELOW",
        PRODUCT,
        [
            ("rm = pm * BM + tl.arange(0, BM)", "rm = pm * BM - 64 + tl.arange(0, BM)"),
            (STORE, STORE.replace("(rm[:, None] < M)", "(rm[:, None] >= 0) & (rm[:, None] < M)")),
        ],
        "sm_90a",
    ),
    ("TMA_BOUND", PRODUCT, [('N: "i32:16"', 'N: "i32"')], "sm_90a"),
    ("ORDERS_MEMORY", PRODUCT, [("        ap += BK", "        tl.store(a + k, 0.0)\n        ap += BK")], "sm_90a"),
    ("WARPS", PRODUCT, [], "sm_90a", "-w", "2"),
    (
        "ALL_WARPS",
        PRODUCT,
        [
            (
                "    acc = tl.zeros",
                '    tl.inline_asm_elementwise("bar.sync 1, 128;", "=r", [], dtype=tl.int32, is_pure=False, pack=1)\n    acc = tl.zeros',
            )
        ],
        "sm_90a",
    ),
    ("MAXNREG", PRODUCT, [], "sm_90a", "--maxnreg=64"),
    ("DIRECT", SPREAD, [], "sm_90a"),
    ("SCORES", BIAS, [], "sm_90a", "-w", "4"),
    ("NO_WARPGROUP", PRODUCT, [("BM: tl.constexpr = 128", "BM: tl.constexpr = 32")], "sm_90a"),
    (
        "DOT_PLACE",
        PRODUCT,
        [
            (
                "    for k in range(0, K, BK):\n",
                "    for j in range(M):\n     acc = tl.dot(tl.load(ap), tl.load(bp), acc)\n     for k in range(0, K, BK):\n",
            ),
            ("        x =", "         x ="),
            ("        y =", "         y ="),
            ("        acc =", "         acc ="),
            ("        ap +=", "         ap +="),
            ("        bp +=", "         bp +="),
        ],
        "sm_90a",
    ),
    (
        "DOT_WHILE",
        PRODUCT,
        [
            (
                "    for k in range(0, K, BK):\n",
                "    k = 0\n    while much(ap, bp, K, tl.zeros((BM, BN), tl.float32), BK) < 1.0:\n",
            ),
            (
                "def k(a:",
                "def much(ap, bp, K, acc, BK: tl.constexpr):\n    for k in range(0, K, BK):\n"
                "        acc = tl.dot(tl.load(ap), tl.load(bp), acc)\n    return tl.sum(tl.sum(acc, 1), 0)\n\n\n@triton.jit\ndef k(a:",
            ),
        ],
        "sm_90a",
    ),
    (
        "MANY_LOOPS",
        'def k(a: "*fp16:16", b: "*fp16:16", c: "*fp32:16", n: "i32:16"):\n    i, d = tl.arange(0, 128), tl.arange(0, 64)\n    acc = tl.zeros((128, 128), tl.float32)\n'
        + "".join(
            f"    for k in range(0, n, 64):\n        acc = tl.dot(tl.load(a + {j} * n + i[:, None] * n + k + d[None, :]), tl.load(b + (k + d[:, None]) * n + i[None, :]), acc)\n"
            for j in range(5)
        )
        + "    tl.store(c + i[:, None] * n + i[None, :], acc)\n",
        [],
        "sm_90a",
    ),
    ("BOUNDS", PRODUCT, [("range(0, K, BK)", "range(0, tl.sum(tl.load(c.to(tl.pointer_type(tl.int32)) + rk)), BK)")], "sm_90a"),
    ("OPERAND", ATT, [("l += tl.sum(p, 1)", "l += tl.sum(p, 1) + tl.sum(tl.sum(kt.to(tl.float32), 1), 0)")], "sm_90a", "-w", "8"),
    ("GUARD", PRODUCT, [(LOAD_X, "x = tl.load(ap, mask=(rm[:, None] < M) & (rk[None, :] < K - k) & (tl.sum(acc) > 0), other=0.0)")], "sm_90a"),
    (
        "BOX",
        PRODUCT,
        [("BM: tl.constexpr = 128", "BM: tl.constexpr = 512"), ("BN: tl.constexpr = 128", "BN: tl.constexpr = 64")],
        "sm_90a",
        "-w",
        "8",
    ),
    (
        "MANY_LOADS",
        PRODUCT,
        [
            (
                ACC,
                "acc = tl.dot(x, y, acc)\n        acc = tl.dot(tl.load(ap + 64 * sam), y, acc)\n        acc = tl.dot(x, tl.load(bp + 64 * sbk), acc)\n        acc = tl.dot(tl.load(ap + 128 * sam), tl.load(bp + 128 * sbk), acc)",
            )
        ],
        "sm_90a",
    ),
    (
        "NO_LOADS",
        PRODUCT,
        [("    for k", "    x = tl.load(ap)\n    y = tl.load(bp)\n    for k"), ("        " + LOAD_X + "\n", ""), ("        " + LOAD_Y + "\n", "")],
        "sm_90a",
    ),
    ("SLOTS_DIFFER", TWO, [("SECOND", "32")], "sm_90a"),
    ("FEWER_REGISTERS", PRODUCT, [("BM: tl.constexpr = 128", "BM: tl.constexpr = 256"), *BROAD], "sm_120a", "-w", "16"),
    ("FEWER_REGISTERS", STATE, [], "sm_90a", "-w", "4", "-ns", "2"),
    ("FEWER_BLOCKS", PRODUCT, [("BN: tl.constexpr = 128", "BN: tl.constexpr = 64"), ("BK: tl.constexpr = 32", "BK: tl.constexpr = 64")], "sm_120a", "-ns", "2"),
    ("SLOT_ROOM", PRODUCT, [("BK: tl.constexpr = 32", "BK: tl.constexpr = 512")], "sm_90a", "-w", "8"),
    (
        "SPREAD",
        PRODUCT,
        [("        acc =", "        bias = tl.load(c + k + rk)\n        acc ="), (ACC, ACC + "\n        acc += tl.sum(bias.to(tl.float32))")],
        "sm_90a",
    ),
    (
        "RESULT",
        PRODUCT,
        [(STORE, STORE.replace("acc.to(tl.float16)", "acc.to(tl.float8e5)").replace("c +", "c.to(tl.pointer_type(tl.float8e5)) +"))],
        "sm_90a",
    ),
    ("STORE_TILE", PRODUCT, [(f"{name}: tl.constexpr = {was}", f"{name}: tl.constexpr = 64") for name, was in (("BM", 128), ("BN", 128), ("BK", 32))], "sm_90a", "-ns", "3"),
    ("LAST_ACCESS", PRODUCT, [("    acc = tl.zeros", "    tl.store(c, 0.0)\n    acc = tl.zeros")], "sm_90a"),
    ("WGMMA_SHAPE", PRODUCT, [("BM: tl.constexpr = 128", "BM: tl.constexpr = 32")], "sm_90a"),
    (
        "WGMMA_ORDER",
        PRODUCT,
        [
            ('a: "*fp16:16"', 'a: "*i8:16"'),
            ('b: "*fp16:16"', 'b: "*i8:16"'),
            ("acc = tl.zeros((BM, BN), tl.float32)", "acc = tl.zeros((BM, BN), tl.int32)"),
        ],
        "sm_90a",
    ),
    ("WGMMA_OPERAND", PRODUCT, [("BN: tl.constexpr = 128", "BN: tl.constexpr = 8")], "sm_90a"),
    ("LATE_PRODUCT", TWO.replace("tl.store(", "acc = tl.sigmoid(acc.to(tl.float16).to(tl.float32))\n    tl.store("), [("SECOND", "64")], "sm_90a", "-w", "8"),
    ("LATE_EFFECT", PRODUCT, LATE + [(AP, "tl.store(c + offset, 1.0)\n    " + AP)], "sm_90a", "-w", "8"),
    ("LATE_WIDTH", PRODUCT, [("acc.to(tl.float16),", "tl.sigmoid(acc).to(tl.float16),")], "sm_90a", "-w", "8"),
    ("LATE_SMALL", PRODUCT, LATE, "sm_90a", "-w", "8"),
    ("LATE_SHAPE", PRODUCT, LATE + BROAD, "sm_90a", "-w", "16"),
    ("LATE_LOOP", PRODUCT, LATE + BROAD + [('a: "*fp16:16"', 'a: "*fp16"')], "sm_90a", "-w", "8"),
    ("LATE_ROOM", PRODUCT, LATE + [("BN: tl.constexpr = 128, BK: tl.constexpr = 32", "BN: tl.constexpr = 256, BK: tl.constexpr = 128")], "sm_90a", "-w", "8"),
    ("WGMMA_REGISTERS", PRODUCT, [("BN: tl.constexpr = 128", "BN: tl.constexpr = 256")], "sm_90a", "-w", "4"),
    ("TENSOR_SHAPE", PRODUCT, [("BM: tl.constexpr = 128", "BM: tl.constexpr = 32")], "sm_100a"),
    (
        "TENSOR_LEFT",
        PRODUCT,
        [(ACC, "acc = tl.dot(tl.dot(x, y), tl.load(b + tl.arange(0, BN)[:, None] * sbk + rn[None, :]).to(tl.float32), acc)")],
        "sm_100a",
    ),
    ("TENSOR_SUMS", PRODUCT, [(ACC, "acc = tl.dot(x, y, acc) * 0.5")], "sm_100a"),
    (
        "TENSOR_REGISTERS",
        PRODUCT,
        [("BN: tl.constexpr = 128", "BN: tl.constexpr = 256"), ("BM: tl.constexpr = 128", "BM: tl.constexpr = 256")],
        "sm_100a",
        "-w",
        "4",
    ),
    (
        "TENSOR_CHAIN",
        'def k(a: "*fp16:16", b: "*fp8e4nv:16", s: "*u8:16", c: "*fp32:16"):\n    i = tl.arange(0, 128)\n    at = i[:, None] * 128 + i[None, :]\n'
        '    x, z = tl.load(a + at), tl.load(s + i[:, None] * 4 + tl.arange(0, 4)[None, :])\n    y = tl.load(b + i[None, :] * 128 + i[:, None])\n'
        '    w = tl.dot(x, x).to(tl.float8e4nv)\n    tl.store(c + at, tl.dot_scaled(w, z, "e4m3", y, z, "e4m3"))\n',
        [],
        "sm_100a",
    ),
    ("TENSOR_COLUMNS", PRODUCT, TWO_SUMS, "sm_100a", "-w", "8"),
    ("PAIR_OUTSIDE", PRODUCT, [FILLS], "sm_100a", "-w", "8"),
    ("PAIR_ROWS", PRODUCT, [STARTS], "sm_100a", "-w", "8"),
    ("PAIR_SHAPE", PRODUCT, [FILLS, ("BM: tl.constexpr = 128", "BM: tl.constexpr = 256")], "sm_100a", "-w", "8"),
    ("PAIR_STEPS", PRODUCT, [FILLS, STARTS, ("range(0, K, BK)", "range(0, K + pm * BK, BK)")], "sm_100a", "-w", "8"),
    ("PAIR_NEIGHBOURS", PRODUCT, [FILLS, STARTS], "sm_100a", "-w", "8", "--group-size=1"),
    ("LAUNCH_DEALT", PRODUCT, [("range(0, K, BK)", "range(0, K + pm * BK, BK)")], "sm_100a", "-w", "8"),
    (
        "PAIR_EFFECT",
        PRODUCT,
        [FILLS, STARTS, ("    tl.store(c +", "    seen = tl.atomic_add(c.to(tl.pointer_type(tl.int32)), 1)\n    tl.store(c + seen +")],
        "sm_100a",
        "-w",
        "8",
    ),
    ("WHOLE_START", MASKED, [("range(0, n", "range(first, n")], "sm_90a"),
    ("WHOLE_MASK", MASKED, [(">= (s + j)", "!= (s + j)")], "sm_90a"),
    ("WHOLE_GROWS", MASKED, [("i[:, None] >=", "i[:, None] <")], "sm_90a"),
    (
        "WHOLE_ARMS",
        MASKED,
        [("tl.where(i[:, None] >= (s + j)[None, :], tl.dot(x, z), -1.0)", "tl.where(i[:, None] < (s + j)[None, :], -1.0, tl.dot(x, z))")],
        "sm_90a",
    ),
    (
        "WHOLE_LOOPS",
        'def k(a: "*fp16:16", b: "*fp16:16", c: "*fp32:16", n: "i32:16", first: "i32"):\n    i, d = first + tl.arange(0, 128), tl.arange(0, 64)\n    j = tl.arange(0, 128)\n    acc = tl.zeros((128, 128), tl.float32)\n'
        + "".join(
            f"    for k in range(0, n, 128):\n        s = tl.dot(tl.load(a + {q} * n + j[:, None] * 64 + d[None, :]), tl.load(b + (k + j)[None, :] * 64 + d[:, None]))\n        acc += tl.where(i[:, None] >= (k + j)[None, :], s, -1.0)\n"
            for q in range(4)
        )
        + "    tl.store(c + j[:, None] * n + j[None, :], acc)\n",
        [],
        "sm_90a",
    ),
    ("SUM_SIGN", SUMS, [], "sm_80"),
    (
        "SUM_START",
        SUMS,
        [("total = 0.0", "total = tl.load(y)"), ("tl.sum(tl.load", "tl.sum(tl.abs(tl.load"), ("arange(0, BLOCK)))", "arange(0, BLOCK))))")],
        "sm_80",
    ),
    (
        "SUM_FACTOR",
        SUMS,
        [("total +=", "total = total * tl.load(y) +"), ("tl.sum(tl.load", "tl.sum(tl.abs(tl.load"), ("arange(0, BLOCK)))", "arange(0, BLOCK))))")],
        "sm_80",
    ),
    ("ONE_STAGE", PRODUCT, [], "sm_80", "-ns", "1"),
    ("NOTHING_STAGED", MASKED, [("tl.load(k + (s + j)[None, :] * B + j[:, None])", "x * s.to(tl.float16)")], "sm_80"),
    (
        "INNER_LOOP",
        'def k(a: "*fp16:16", b: "*fp16:16", c: "*fp32:16", n: "i32:16"):\n    i, d = tl.arange(0, 128), tl.arange(0, 64)\n    for t in range(0, n, 128):\n        acc = tl.zeros((128, 128), tl.float32)\n        for s in range(0, n, 64):\n            acc = tl.dot(tl.load(a + (t + i)[:, None] * n + (s + d)[None, :]), tl.load(b + (s + d)[:, None] * 128 + i[None, :]), acc)\n        tl.store(c + (t + i)[:, None] * 128 + i[None, :], acc)\n',
        [],
        "sm_80",
    ),
    ("LAYOUTS_DIFFER", PRODUCT, TWO_SUMS, "sm_100a", "-w", "8"),
    ("NO_DOT", ROWS, [], "sm_80"),
    ("NO_COPY", PRODUCT, [('sam: "i32:16"', 'sam: "i32"'), ('sbk: "i32:16"', 'sbk: "i32"')], "sm_80"),
    ("NOT_AHEAD", PRODUCT, [("ap += BK * sak", "ap += tl.sum(acc).to(tl.int32) * sak")], "sm_80"),
    ("WRITES_LOADED", PRODUCT, [("        ap += BK * sak\n", "        ap += BK * sak\n        tl.store(a + k, 0.0)\n        tl.store(b + k, 0.0)\n")], "sm_80"),
    (
        "KEPT_OPERANDS",
        PRODUCT,
        [
            ("    for k", "    z = tl.load(bp)\n    for k"),
            (ACC, "acc = tl.dot(x, y, acc)\n        acc = tl.dot(x, z, acc)"),
            ("BN: tl.constexpr = 128", "BN: tl.constexpr = 256"),
        ],
        "gfx1100",
    ),
    ("STAGE_ROOM", PRODUCT, [("BK: tl.constexpr = 32", "BK: tl.constexpr = 256")], "sm_75", "-w", "8"),
    ("FEWER_STAGES", PRODUCT, [], "sm_80", "-ns", "16"),
    ("FEWER_FOR_TWO", ATT, [], "sm_80", "-ns", "6"),
    ("ONE_LOAD", PRODUCT, [(ACC, "acc = tl.dot(x, y, acc)\n        acc += tl.dot(x, y)")], "gfx1100", "-ns", "1"),
    ("COPY_MASK", PRODUCT, [], "gfx950"),
    ("COPY_WIDTH", PRODUCT, [*PLAIN, ('sam: "i32:16"', 'sam: "i32"')], "gfx950"),
    ("COPY_ADDRESS", PRODUCT, [(LOAD_X, "x = tl.load(ap + tl.load(c + k).to(tl.int32) * 16)"), (LOAD_Y, "y = tl.load(bp)")], "gfx950"),
    ("COPY_ROOM", PRODUCT, [*PLAIN, ("BK: tl.constexpr = 32", "BK: tl.constexpr = 256")], "gfx950"),
    ("PACKED_OP", SHORT, [("    tl.store", "    tl.debug_barrier()\n    tl.store")], "sm_90a"),
    (
        "PACKED_RANK",
        SHORT,
        [
            (
                "tl.sum(tl.load(x + row * N + tl.arange(0, N)))",
                "tl.sum(tl.load(x + row * N + tl.arange(0, 8)[:, None] * 16 + tl.arange(0, 16)[None, :]))",
            )
        ],
        "sm_90a",
    ),
    (
        "PACKED_CONDITION",
        SHORT,
        [
            (
                "    tl.store(y + row",
                "    z = 0.0\n    if row > 4:\n        z = tl.load(x + row)\n    tl.store(y + row + n, z)\n    tl.store(y + row",
            ),
            ("N: tl", 'n: "i32", N: tl'),
        ],
        "sm_90a",
    ),
    (
        "PACKED_BRANCH",
        SHORT,
        [
            (
                "    tl.store(y + row",
                "    if n > 4:\n        for i in range(n):\n            tl.store(x + i * 99, 0.0)\n    else:\n        for i in range(n):\n            tl.store(x + i * 9, 0.0)\n    tl.store(y + row",
            ),
            ("N: tl", 'n: "i32", N: tl'),
        ],
        "sm_90a",
    ),
    ("PACKED_NO_ROW", SHORT, [("tl.sum(tl.load(x + row * N + tl.arange(0, N)))", "tl.sum(tl.arange(0, N).to(tl.float32) * row)")], "sm_90a"),
    ("PACKED_LONG", SHORT, [("= 128", "= 4096")], "sm_90a"),
    ("PACKED_ENOUGH", SHORT, [("= 128", "= 1024")], "sm_90a"),
    (
        "PACKED_WORK",
        SHORT,
        [("tl.sum(tl.load(x + row * N + tl.arange(0, N)))", "tl.sum(tl.sort(tl.sort(tl.load(x + row * N + tl.arange(0, N)))))"), ("= 128", "= 512")],
        "sm_90a",
    ),
    (
        "CHAIN_EFFECT",
        CHAINS,
        [("    tl.store(y + at, tl.load(x + at) * 2)", "    tl.store(y + at, tl.load(x + at) * 2)\n    tl.atomic_add(y + at, 1.0)")],
        "sm_80",
    ),
    (
        "CHAIN_ADDRESS",
        CHAINS,
        [("    tl.store(y + at, tl.load(x + at) * 2)", "    tl.store(y.to(tl.int64).to(tl.pointer_type(tl.float32)) + at, tl.load(x + at) * 2)")],
        "sm_80",
    ),
    (
        "CHAIN_STORES",
        CHAINS,
        [("    tl.store(y + at, tl.load(x + at) * 2)", "    tl.store(y + at, tl.load(x + at) * 2)\n    tl.store(y + at, 1.0)")],
        "sm_80",
    ),
    ("CHAIN_TILE", CHAINS, [*OTHER_GRID, ("tl.store(y + at, tl.load(x + at) * 2)", "tl.store(y + (at ^ 5), tl.load(x + at) * 2)")], "sm_80"),
    ("CHAIN_ELEMENTS", CHAINS, [*OTHER_GRID, ("tl.load(x + at) + 1)", "tl.sort(tl.load(x + at)))")], "sm_80"),
    ("CHAIN_OTHER", CHAINS, [], "sm_80"),
    ("READ_ELSEWHERE", NORM, [], "sm_90a", "--no-fuse"),
    ("FACTOR_STORES", NORM, [("    tl.store(h +", "    tl.store(h + r, 0)\n    tl.store(h +")], "sm_90a", "--fuse=reassociate"),
    ("FACTOR_ROW", NORM, [("tl.load(x + r * K", "tl.load(x + (r + 1) * K")], "sm_90a", "--fuse=reassociate"),
    ("FACTOR_PARTS", NORM, [("(v * tl.rsqrt", "(v + tl.rsqrt")], "sm_90a", "--fuse=reassociate"),
    ("FACTOR_LOADS", NORM, [("tl.dot(left,", "tl.dot(left * 2,")], "sm_90a", "--fuse=reassociate"),
    ("FACTOR_SUMS", NORM, [("128), 0, tl", "128), 1, tl")], "sm_90a", "--fuse=reassociate"),
    ("FACTOR_TYPE", NORM, [('norm(x: "*fp16:16"', 'norm(x: "*bf16:16"')], "sm_90a", "--fuse=reassociate"),
    ("FACTOR_WHOLE", NORM, [("range(0, K, 64)", "range(0, K // 2, 64)")], "sm_90a", "--fuse=reassociate"),
    ("FACTOR_REDUCES", NORM, [*PARTS_OF_ROWS, ("tl.sum(v * v, 0)", "tl.max(v * v, 0)")], "sm_90a", "--fuse=reassociate"),
    (
        "FACTOR_PLACE",
        NORM,
        [*PARTS_OF_ROWS, ("norm(x, h, W=W); product(h, b, y, W=W)", "norm(x, t, W=W); norm(t, h, W=W); product(h, b, y, W=W) -> y, t")],
        "sm_90a",
        "--fuse=reassociate",
    ),
    ("OPERAND_ROWS", NORM, [], "sm_90a", "--fuse-operands"),
    ("OPERAND_STORES", NORM, [("tl.sum(v * v, 0) / K", "2"), ("    tl.store(h +", "    tl.store(h + r, 0)\n    tl.store(h +")], "sm_90a", "--fuse-operands"),
    ("OPERAND_PARTS", NORM, [("tl.sum(v * v, 0) / K", "r")], "sm_90a", "--fuse-operands"),
    ("OPERAND_LOADS", NORM, [("tl.sum(v * v, 0) / K", "v * v"), ("tl.dot(left,", "tl.dot(left * 2,")], "sm_90a", "--fuse-operands"),
    ("CHAIN_MASK", CHAINS, [("tl.store(y + at, tl.load(x + at) * 2)", "tl.store(y + at, tl.load(x + at) * 2, mask=at < M)")], "sm_80"),
]

# Reasons without a kernel here: for each tried kernel another condition fails first. A row leaves this list when it gets one.
UNSEEN = set(
    """DIMENSIONS MASK_GUARD SCALARS FIRST_DIFFERS TMA_ELEMENT TMA_ROW WAITS_FOR_MEMORY ROWS_READ DESCRIPTOR CORNER MANY_MAPS VECTOR COPY_LAYOUT WHOLE_STEP WHOLE_WRAPS PACKED_CHAIN CHAIN_ORDER NO_TILE LAUNCH_ORDER LAUNCH_CHAIN LATE_PLACE LATE_SCALAR""".split()
)


def reasons_of(tkc, source, chip, options, texts):
    with open("k.tk", "w", encoding="utf-8") as file:
        file.write(HEAD + source)
    done = subprocess.run(
        [tkc, "k.tk", "--target", chip, "--opt-level=0", "--remarks", "--stop-after=launch_control", "-o", "k.mlir", *options],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    if done.returncode != 0:
        return {done.stderr}
    with open("k.mlir", encoding="utf-8") as file:
        said = done.stderr + file.read()
    return {name for name, text in texts.items() if text in said}


def main(tkc, source_folder, folder):
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    with open(os.path.join(source_folder, "passes", "reasons.def"), encoding="utf-8") as file:
        texts = dict(re.findall(r'REASON\((\w+), "((?:[^"\\]|\\.)*)"', file.read()))
    faults, seen = [], set()
    for name, source, pairs, chip, *options in REASONS:
        found = reasons_of(tkc, replaced(source, pairs), chip, options, texts)
        seen |= found
        if name not in found:
            faults.append(f"{name} on {chip}: the kernel gives {sorted(found)}")
    faults += [f"{name} has no kernel" for name in texts if name not in UNSEEN | {row[0] for row in REASONS}]
    faults += [f"{name} is in UNSEEN, and seen or gone" for name in sorted(UNSEEN & seen | UNSEEN - set(texts))]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*(os.path.abspath(argument) for argument in sys.argv[1:4])))
