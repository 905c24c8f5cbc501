"""Attention of caches, blocks and windows, and its gradients."""

from spellings.form import attention, form, softmax


def causal_after(np, q, k, v, prefix, scale=0.18):
    """Rows of q stand behind `prefix` keys."""
    s = q @ k.T * scale
    ok = np.arange(q.shape[0])[:, None] + prefix >= np.arange(k.shape[0])
    return softmax(np, np.where(ok, s, -1e30)) @ v


form(
    "keys of a cache in parts of eight along D, by pages; then the new ones (prefix prefill)",
    """
def k(q: "*fp16:16", kc: "*fp16:16", vc: "*fp16:16", k: "*fp16:16", v: "*fp16:16", o: "*fp32:16", table: "*i32:16", prefix: "i32",
      new: "i32", PAGE: tl.constexpr = 16, X: tl.constexpr = 8, D: tl.constexpr = 64, BM: tl.constexpr = 128, BN: tl.constexpr = 64):
    pm = tl.program_id(0)
    rn = tl.arange(0, BN)
    rd = tl.arange(0, D)
    rm = pm * BM + tl.arange(0, BM)
    x = tl.load(q + rm[:, None] * D + rd[None, :], mask=rm[:, None] < new, other=0.0)
    BEGIN
    for n in range(0, prefix, BN):
        n = tl.multiple_of(n, BN)
        page = tl.load(table + (n + rn) // PAGE, mask=n + rn < prefix, other=0).to(tl.int64)
        at_k = page[None, :] * (D * PAGE) + (rd[:, None] // X) * (PAGE * X) + ((n + rn[None, :]) % PAGE) * X + rd[:, None] % X
        at_v = page[:, None] * (D * PAGE) + rd[None, :] * PAGE + (n + rn[:, None]) % PAGE
        kk = tl.load(kc + at_k, mask=n + rn[None, :] < prefix, other=0.0)
        s = tl.dot(x, kk) * 0.18
        s = tl.where(n + rn[None, :] < prefix, s, -1.0e30)
        SOFTMAX
        acc = acc * fade[:, None]
        vv = tl.load(vc + at_v, mask=n + rn[:, None] < prefix, other=0.0)
        acc = tl.dot(w.to(vv.dtype), vv, acc)
    kp = k + rn[None, :] * D + rd[:, None]
    vp = v + rn[:, None] * D + rd[None, :]
    live = tl.where(pm * BM < new, 1, 0)
    for n in range(0, live * (pm + 1) * BM, BN):
        n = tl.multiple_of(n, BN)
        kk = tl.load(kp + n * D, mask=n + rn[None, :] < new, other=0.0)
        s = tl.dot(x, kk) * 0.18
        s = tl.where(rm[:, None] >= n + rn[None, :], s, -1.0e30)
        SOFTMAX
        acc = acc * fade[:, None]
        vv = tl.load(vp + n * D, mask=n + rn[:, None] < new, other=0.0)
        acc = tl.dot(w.to(vv.dtype), vv, acc)
    tl.store(o + rm[:, None] * D + rd[None, :], acc / l[:, None], mask=rm[:, None] < new)
""",
    "q=randn(200,64):fp16 kc=randn(12,8,16,8):fp16 vc=randn(12,64,16):fp16 k=randn(200,64):fp16 v=randn(200,64):fp16 o=zeros(200,64):fp32"
    " table=randint(0,11,10):i32 prefix=150 new=200",
    "2",
    lambda np, x: (
        lambda t: dict(
            o=causal_after(
                np,
                x["q"],
                np.concatenate([x["kc"][t].transpose(0, 2, 1, 3).reshape(160, 64)[:150], x["k"]]),
                np.concatenate([x["vc"][t].transpose(0, 2, 1).reshape(160, 64)[:150], x["v"]]),
                150,
            )
        )
    )(x["table"].astype(int)),
)

form(
    "heads of a group in rows, sequence found by bisection, tiles within pages (unified attention)",
    """
def k(QKVO, table: "*i32:16", lengths: "*i32:16", starts: "*i32:16", scale: "fp32", row: "i64:16", page_row: "i64:16", count: "i32",
      H: tl.constexpr = 4, PAGE: tl.constexpr = 32, PAGES: tl.constexpr = 8, TILE: tl.constexpr = 64, D: tl.constexpr = 64,
      BM: tl.constexpr = 128):
    BQ: tl.constexpr = BM // H
    block = tl.program_id(0)
    left: tl.int32 = 0
    right = count
    while left < right:
        middle = (left + right) // 2
        value = tl.load(starts + middle) // BQ + middle
        if value <= block:
            left = middle + 1
        else:
            right = middle
    z = left - 1
    first = tl.load(starts + z) // BQ + z
    local = block - first
    begin = tl.load(starts + z)
    new = tl.load(starts + z + 1) - begin
    if local * BQ >= new:
        return
    rm = tl.arange(0, BM)
    rd = tl.arange(0, D)
    rt = tl.arange(0, TILE)
    pos = local * BQ + rm // H
    head = rm % H
    at = (begin + pos)[:, None] * row + head[:, None] * D + rd[None, :]
    mask = tl.where(pos < new, 1, 0).to(tl.int1)
    x = tl.load(q + at, mask=mask[:, None], other=0.0)
    length = tl.load(lengths + z)
    context = length - new
    m = tl.full([BM], float("-inf"), dtype=tl.float32)
    l = tl.full([BM], 1.0, dtype=tl.float32)
    acc = tl.zeros([BM, D], dtype=tl.float32)
    last = context + local * BQ + (BM - 1) // H + 1
    last = tl.minimum(last, length)
    tiles = (last + TILE - 1) // TILE
    for j in range(0, tiles):
        slot = j * TILE + rt
        ok = slot < last
        page = tl.load(table + z * PAGES + slot // PAGE).to(tl.int64)
        at_v = page[:, None] * page_row + (slot % PAGE)[:, None] * D + rd[None, :]
        at_k = page[None, :] * page_row + (slot % PAGE)[None, :] * D + rd[:, None]
        kk = tl.load(k + at_k, mask=ok[None, :], other=0.0)
        vv = tl.load(v + at_v, mask=ok[:, None], other=0.0)
        s = tl.zeros(shape=(BM, TILE), dtype=tl.float32)
        s += scale * tl.dot(x, kk)
        s = tl.where(mask[:, None] & (slot[None, :] < context + pos[:, None] + 1), s, float("-inf"))
        now = tl.maximum(m, tl.max(s, axis=1))
        now = tl.where(now > float("-inf"), now, 0.0)
        w = tl.exp(s - now[:, None])
        sums = tl.sum(w, axis=1)
        fade = tl.exp(m - now)
        acc = acc * fade[:, None]
        l = l * fade + sums
        m = now
        acc += tl.dot(w.to(vv.dtype), vv)
    acc = acc / l[:, None]
    tl.store(o + at, acc, mask=mask[:, None])
""",
    "q=randn(100,4,64):fp16 k=randn(20,32,64):fp16 v=randn(20,32,64):fp16 o=zeros(100,4,64):fp32 table=randint(0,19,2,8):i32 scale=0.125"
    " row=256 page_row=2048 count=2",
    "5",
    lambda np, x: dict(
        o=np.concatenate(
            [
                np.stack(
                    [
                        (
                            lambda p, n, c: (
                                lambda w: w @ x["v"][p].reshape(-1, 64)[: n + c] / (w.sum(-1, keepdims=True) + 0)
                            )(
                                (
                                    lambda s: np.exp(s - s.max(-1, keepdims=True))
                                )(
                                    np.where(
                                        np.arange(n)[:, None] + c >= np.arange(n + c),
                                        x["q"][i : i + n, h] @ x["k"][p].reshape(-1, 64)[: n + c].T * 0.125,
                                        -1e30,
                                    )
                                )
                            )
                        )(x["table"][z].astype(int), n, c)
                        for h in range(4)
                    ],
                    1,
                )
                for z, (i, n, c) in enumerate(((0, 40, 130), (40, 60, 190)))
            ]
        )
    ),
    given=lambda np: dict(lengths=np.array([170, 250], np.int32), starts=np.array([0, 40, 100], np.int32)),
)

form(
    "a prefix by a list of slots, then the new keys with a triangle (extend attention)",
    """
def k(q: "*bf16:16", k: "*bf16:16", v: "*bf16:16", o: "*fp32:16", kb: "*bf16:16", vb: "*bf16:16", starts: "*i32:16",
      prefixes: "*i32:16", slots: "*i64:16", scale: "fp32", row: "i32:16", D: tl.constexpr = 64, BM: tl.constexpr = 128,
      BN: tl.constexpr = 64):
    z = tl.program_id(0)
    h = tl.program_id(1)
    pm = tl.program_id(2)
    first = tl.load(starts + z)
    new = tl.load(starts + z + 1) - first
    list0 = tl.load(prefixes + z)
    prefix = tl.load(prefixes + z + 1) - list0
    rd = tl.arange(0, D)
    rm = tl.arange(0, BM)
    mm = (pm * BM + rm) < new
    x = tl.load(q + (first + pm * BM + rm[:, None]) * row + h * D + rd[None, :], mask=mm[:, None], other=0.0)
    rn = tl.arange(0, BN)
    acc = tl.zeros([BM, D], dtype=tl.float32)
    l = tl.zeros([BM], dtype=tl.float32)
    m = tl.zeros([BM], dtype=tl.float32) - float("inf")
    for n in range(0, prefix, BN):
        n = tl.multiple_of(n, BN)
        mn = (n + rn) < prefix
        slot = tl.load(slots + list0 + n + rn, mask=mn, other=0)
        kk = tl.load(kb + slot[None, :] * row + h * D + rd[:, None], mask=mn[None, :], other=0.0)
        s = tl.dot(x, kk)
        s *= scale
        s = tl.where(mm[:, None] & mn[None, :], s, float("-inf"))
        most = tl.max(s, 1)
        most = tl.where(most == float("-inf"), -1e20, most)
        now = tl.maximum(most, m)
        fade = tl.exp(m - now)
        w = tl.exp(s - now[:, None])
        l = l * fade + tl.sum(w, 1)
        vv = tl.load(vb + slot[:, None] * row + h * D + rd[None, :], mask=mn[:, None], other=0.0)
        acc = acc * fade[:, None] + tl.dot(w.to(vv.dtype), vv)
        m = now
    end = tl.minimum(new, (pm + 1) * BM)
    for n in range(0, end, BN):
        n = tl.multiple_of(n, BN)
        mn = (n + rn) < end
        kk = tl.load(k + (first + n + rn[None, :]) * row + h * D + rd[:, None], mask=mn[None, :], other=0.0)
        s = tl.dot(x, kk, out_dtype=tl.float32)
        s *= scale
        ok = (pm * BM + rm[:, None]) >= (n + rn[None, :])
        ok &= mm[:, None] & mn[None, :]
        s = tl.where(ok, s, float("-inf"))
        most = tl.max(s, 1)
        most = tl.where(most == float("-inf"), -1e20, most)
        now = tl.maximum(most, m)
        fade = tl.exp(m - now)
        w = tl.exp(s - now[:, None])
        l = l * fade + tl.sum(w, 1)
        vv = tl.load(v + (first + n + rn[:, None]) * row + h * D + rd[None, :], mask=mn[:, None], other=0.0)
        acc = acc * fade[:, None] + tl.dot(w.to(vv.dtype), vv)
        m = now
    tl.store(o + (first + pm * BM + rm[:, None]) * row + h * D + rd[None, :], acc / l[:, None], mask=mm[:, None])
""",
    "q=randn(230,2,64):bf16 k=randn(230,2,64):bf16 v=randn(230,2,64):bf16 o=zeros(230,2,64):fp32 kb=randn(300,2,64):bf16"
    " vb=randn(300,2,64):bf16 slots=randint(0,299,250):i64 scale=0.125 row=128",
    "2,2,2",
    lambda np, x: dict(
        o=np.concatenate(
            [
                np.stack(
                    [
                        causal_after(
                            np,
                            x["q"][i:j, h] * 1.4426950408889634,
                            np.concatenate([x["kb"][x["slots"].astype(int)[a:b], h], x["k"][i:j, h]]),
                            np.concatenate([x["vb"][x["slots"].astype(int)[a:b], h], x["v"][i:j, h]]),
                            b - a,
                            0.125,
                        )
                        for h in range(2)
                    ],
                    1,
                )
                for (i, j), (a, b) in (((0, 100), (0, 150)), ((100, 230), (150, 250)))
            ]
        )
    ),
    given=lambda np: dict(starts=np.array([0, 100, 230], np.int32), prefixes=np.array([0, 150, 250], np.int32)),
)

form(
    "int8 queries and keys with a scale a block, values in fp16 (SageAttention)",
    """
def k(q: "*i8:16", k: "*i8:16", v: "*fp16:16", sq: "*fp32:16", sk: "*fp32:16", o: "*fp16:16", S: "i32:16", D: tl.constexpr = 64,
      BM: tl.constexpr = 128, BN: tl.constexpr = 64):
    pm = tl.program_id(0)
    z = tl.program_id(1).to(tl.int64)
    blocks = tl.cdiv(S, BN)
    rm = pm * BM + tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rd = tl.arange(0, D)
    qp = q + z * S * D + rm[:, None] * D + rd[None, :]
    kp = k + z * S * D + rn[None, :] * D + rd[:, None]
    vp = v + z * S * D + rn[:, None] * D + rd[None, :]
    ksp = sk + z * blocks
    m = tl.zeros([BM], dtype=tl.float32) - float("inf")
    l = tl.zeros([BM], dtype=tl.float32) + 1.0
    acc = tl.zeros([BM, D], dtype=tl.float32)
    x = tl.load(qp, mask=rm[:, None] < S)
    xs = tl.load(sq + z * tl.cdiv(S, BM) + pm)
    for n in range(0, S, BN):
        n = tl.multiple_of(n, BN)
        km = rn[None, :] < (S - n)
        kk = tl.load(kp, mask=km)
        ks = tl.load(ksp)
        s = tl.dot(x, kk).to(tl.float32) * xs * ks
        s = tl.where(km, s, -1.0e6)
        now = tl.maximum(m, tl.max(s, 1))
        s = s - now[:, None]
        w = tl.math.exp2(s)
        sums = tl.sum(w, 1)
        fade = tl.math.exp2(m - now)
        l = l * fade + sums
        acc = acc * fade[:, None]
        vv = tl.load(vp, mask=rn[:, None] < (S - n))
        w = w.to(tl.float16)
        acc += tl.dot(w, vv, out_dtype=tl.float16)
        m = now
        kp += BN * D
        ksp += 1
        vp += BN * D
    acc = acc / l[:, None]
    tl.store(o + z * S * D + rm[:, None] * D + rd[None, :], acc.to(tl.float16), mask=rm[:, None] < S)
""",
    "q=randint(-100,100,2,240,64):i8 k=randint(-100,100,2,240,64):i8 v=randn(2,240,64):fp16 sq=full(0.02,2,2):fp32 sk=full(0.005,2,4):fp32"
    " o=zeros(2,240,64):fp16 S=240",
    "2,2",
    lambda np, x: dict(
        o=(lambda s: (lambda w: w @ x["v"] / w.sum(-1, keepdims=True))(np.exp2(s - s.max(-1, keepdims=True))))(
            x["q"] @ x["k"].swapaxes(1, 2) * 0.0001
        )
    ),
)

form(
    "listed blocks of keys, several steps each, pointers jump to the next; partial ones first (FlexAttention)",
    """
def steps(acc, l, m, x, kp, vp, lists, count, rm, S, D: tl.constexpr, BN: tl.constexpr, SPARSE: tl.constexpr, MASKED: tl.constexpr):
    first = tl.load(lists) * SPARSE
    kp = tl.advance(kp, (0, first))
    vp = tl.advance(vp, (first, 0))
    rn = first + tl.arange(0, BN)
    for i in range(0, count * (SPARSE // BN)):
        kk = tl.load(kp)
        s = tl.dot(x, kk, input_precision="ieee")
        s *= 0.125
        s = s + (rn[None, :] - rm[:, None]) * 0.01
        if MASKED:
            s = tl.where(rm[:, None] >= rn[None, :], s, float("-inf"))
        s *= 1.4426950408889634
        now = tl.maximum(m, tl.max(s, 1))
        safe = tl.where(now == float("-inf"), 0, now)
        fade = tl.math.exp2(m - safe)
        w = tl.math.exp2(s - safe[:, None])
        l = l * fade + tl.sum(w, 1)
        acc = acc * fade[:, None]
        vv = tl.load(vp)
        acc = tl.dot(w.to(tl.float16), vv, acc, input_precision="ieee")
        m = now
        part = i // (SPARSE // BN)
        now_at = tl.load(lists + part, eviction_policy="evict_last")
        next_at = tl.load(lists + part + 1, eviction_policy="evict_last", mask=part + 1 < count)
        turn = (i + 1) % (SPARSE // BN) == 0
        jump = (next_at - now_at) * SPARSE - SPARSE + BN
        move = jump * turn + (1 - turn) * BN
        kp = tl.advance(kp, (0, move))
        vp = tl.advance(vp, (move, 0))
        rn = rn + move
    return acc, l, m


@triton.jit
def k(q: "*fp16:16", k: "*fp16:16", v: "*fp16:16", o: "*fp32:16", part_n: "*i32:16", part: "*i32:16", full_n: "*i32:16", full: "*i32:16",
      S: "i32:16", D: tl.constexpr = 64, BM: tl.constexpr = 128, BN: tl.constexpr = 64, SPARSE: tl.constexpr = 128):
    pm = tl.program_id(0)
    z = tl.program_id(1)
    blocks = tl.cdiv(S, SPARSE)
    rm = pm * BM + tl.arange(0, BM)
    rd = tl.arange(0, D)
    x = tl.load(q + z * S * D + rm[:, None] * D + rd[None, :])
    m = tl.zeros([BM], dtype=tl.float32) - float("inf")
    l = tl.zeros([BM], dtype=tl.float32)
    acc = tl.zeros([BM, D], dtype=tl.float32)
    kp = tl.make_block_ptr(k + z * S * D, (D, S), (1, D), (0, 0), (D, BN), (0, 1))
    vp = tl.make_block_ptr(v + z * S * D, (S, D), (D, 1), (0, 0), (BN, D), (1, 0))
    acc, l, m = steps(acc, l, m, x, kp, vp, part + pm * blocks, tl.load(part_n + pm), rm, S, D, BN, SPARSE, True)
    acc, l, m = steps(acc, l, m, x, kp, vp, full + pm * blocks, tl.load(full_n + pm), rm, S, D, BN, SPARSE, False)
    l = tl.where(l == 0.0, 1, l)
    tl.store(o + z * S * D + rm[:, None] * D + rd[None, :], acc / l[:, None])
""",
    "q=randn(2,384,64):fp16 k=randn(2,384,64):fp16 v=randn(2,384,64):fp16 o=zeros(2,384,64):fp32 S=384",
    "3,2",
    lambda np, x: (
        lambda s: dict(o=(lambda w: w @ x["v"] / w.sum(-1, keepdims=True))(np.exp(s - s.max(-1, keepdims=True))))
    )(
        np.where(
            np.tril(np.ones((384, 384))) > 0,
            x["q"] @ x["k"].swapaxes(1, 2) * 0.125 + (np.arange(384) - np.arange(384)[:, None]) * 0.01,
            -1e30,
        )
    ),
    given=lambda np: dict(
        part_n=np.array([1, 1, 1], np.int32),
        part=np.array([0, 1, 2, 1, 0, 2, 2, 0, 1], np.int32),
        full_n=np.array([0, 1, 2], np.int32),
        full=np.array([0, 1, 2, 0, 1, 2, 1, 0, 2], np.int32),
    ),
)

form(
    "gates summed over time in scores, keys before the block and those of it (forgetting attention)",
    """
def k(q: "*bf16:16", k: "*bf16:16", v: "*bf16:16", g: "*fp32:16", o: "*bf16:16", lse: "*fp32:16", T: "i32", scale: "fp32",
      H: tl.constexpr = 2, BT: tl.constexpr = 128, BS: tl.constexpr = 64, K: tl.constexpr = 64, V: tl.constexpr = 64):
    i_t, i_bh = tl.program_id(0), tl.program_id(1)
    i_b, i_h = i_bh // H, i_bh % H
    base = (i_b * T * H + i_h).to(tl.int64)
    p_q = tl.make_block_ptr(q + base * K, (T, K), (H * K, 1), (i_t * BT, 0), (BT, K), (1, 0))
    p_o = tl.make_block_ptr(o + base * V, (T, V), (H * V, 1), (i_t * BT, 0), (BT, V), (1, 0))
    p_l = tl.make_block_ptr(lse + base, (T,), (H,), (i_t * BT,), (BT,), (0,))
    b_q = tl.load(p_q, boundary_check=(0, 1))
    b_o = tl.zeros([BT, V], dtype=tl.float32)
    b_m = tl.full([BT], float("-inf"), dtype=tl.float32)
    b_acc = tl.zeros([BT], dtype=tl.float32)
    p_gq = tl.make_block_ptr(g + base, (T,), (H,), (i_t * BT,), (BT,), (0,))
    b_gq = tl.load(p_gq, boundary_check=(0,)).to(tl.float32)
    for i_s in range(0, i_t * BT, BS):
        p_k = tl.make_block_ptr(k + base * K, (K, T), (1, H * K), (0, i_s), (K, BS), (0, 1))
        p_v = tl.make_block_ptr(v + base * V, (T, V), (H * V, 1), (i_s, 0), (BS, V), (1, 0))
        b_k = tl.load(p_k, boundary_check=(0, 1))
        b_v = tl.load(p_v, boundary_check=(0, 1))
        b_s = tl.dot(b_q, b_k) * scale
        o_k = i_s + tl.arange(0, BS)
        b_gk = tl.load(g + base + o_k * H, mask=o_k < T, other=0).to(tl.float32)
        b_s += b_gq[:, None] - b_gk[None, :]
        b_m, b_mp = tl.maximum(b_m, tl.max(b_s, 1)), b_m
        b_r = tl.exp(b_mp - b_m)
        b_p = tl.exp(b_s - b_m[:, None])
        b_acc = b_acc * b_r + tl.sum(b_p, 1)
        b_o = b_o * b_r[:, None] + tl.dot(b_p.to(b_q.dtype), b_v)
    o_q = i_t * BT + tl.arange(0, BT)
    for i_s in range(i_t * BT, min((i_t + 1) * BT, T), BS):
        p_k = tl.make_block_ptr(k + base * K, (K, T), (1, H * K), (0, i_s), (K, BS), (0, 1))
        p_v = tl.make_block_ptr(v + base * V, (T, V), (H * V, 1), (i_s, 0), (BS, V), (1, 0))
        o_k = i_s + tl.arange(0, BS)
        m_k = o_k < T
        b_k = tl.load(p_k, boundary_check=(0, 1))
        b_v = tl.load(p_v, boundary_check=(0, 1))
        b_s = tl.dot(b_q, b_k) * scale
        b_gk = tl.load(g + base + o_k * H, mask=m_k, other=0).to(tl.float32)
        b_s += b_gq[:, None] - b_gk[None, :]
        b_s = tl.where((o_q[:, None] >= o_k[None, :]) & m_k[None, :], b_s, float("-inf"))
        b_m, b_mp = tl.maximum(b_m, tl.max(b_s, 1)), b_m
        b_r = tl.exp(b_mp - b_m)
        b_p = tl.exp(b_s - b_m[:, None])
        b_acc = b_acc * b_r + tl.sum(b_p, 1)
        b_o = b_o * b_r[:, None] + tl.dot(b_p.to(b_q.dtype), b_v)
    b_o = b_o / b_acc[:, None]
    b_m += tl.log(b_acc)
    tl.store(p_o, b_o.to(p_o.dtype.element_ty), boundary_check=(0, 1))
    tl.store(p_l, b_m.to(p_l.dtype.element_ty), boundary_check=(0,))
""",
    "q=randn(1,230,2,64):bf16 k=randn(1,230,2,64):bf16 v=randn(1,230,2,64):bf16 g=randn(1,230,2):fp32 o=zeros(1,230,2,64):bf16"
    " lse=zeros(1,230,2):fp32 T=230 scale=0.125",
    "2,2",
    lambda np, x: (
        lambda s: dict(
            o=(lambda w: w @ x["v"][0].swapaxes(0, 1) / w.sum(-1, keepdims=True))(np.exp(s - s.max(-1, keepdims=True))).swapaxes(0, 1)[None],
            lse=np.logaddexp.reduce(s, axis=-1).T[None],
        )
    )(
        np.where(
            np.tril(np.ones((230, 230))) > 0,
            x["q"][0].swapaxes(0, 1) @ x["k"][0].transpose(1, 2, 0) * 0.125 + x["g"][0].T[:, :, None] - x["g"][0].T[:, None, :],
            -1e30,
        )
    ),
)

form(
    "keys and values in int8 with a scale a token, made fp16 in the loop",
    """
def k(q: "*fp16:16", k: "*i8:16", v: "*i8:16", sk: "*fp16:16", sv: "*fp16:16", o: "*fp32:16", S: "i32:16", BLOCKS):
    z = tl.program_id(1)
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rd = tl.arange(0, D)
    x = tl.load(q + z * S * D + rm[:, None] * D + rd[None, :])
    BEGIN
    for n in range(0, S, BN):
        kk = tl.load(k + z * S * D + (n + rn[None, :]) * D + rd[:, None]).to(tl.float16)
        s = tl.dot(x, kk) * (tl.load(sk + z * S + n + rn).to(tl.float32) * 0.18)[None, :]
        SOFTMAX
        vv = tl.load(v + z * S * D + (n + rn[:, None]) * D + rd[None, :]).to(tl.float16)
        w = w * tl.load(sv + z * S + n + rn).to(tl.float32)[None, :]
        acc = tl.dot(w.to(tl.float16), vv, acc * fade[:, None])
    tl.store(o + z * S * D + rm[:, None] * D + rd[None, :], acc / l[:, None])
""",
    "q=randn(2,256,64):fp16 k=randint(-100,100,2,256,64):i8 v=randint(-100,100,2,256,64):i8 sk=full(0.01,2,256):fp16 sv=rand(2,256):fp16"
    " o=zeros(2,256,64):fp32 S=256",
    "2,2",
    lambda np, x: dict(
        o=attention(np, dict(q=x["q"], k=x["k"] * float(np.float16(0.01)), v=x["v"] * x["sv"][:, :, None]))
    ),
)

form(
    "gradients of K and V summed over a group's heads: a loop over queries in a loop over heads",
    """
def k(q: "*fp16:16", k: "*fp16:16", v: "*fp16:16", do: "*fp16:16", lse: "*fp32:16", delta: "*fp32:16", dk: "*fp32:16", dv: "*fp32:16",
      S: "i32:16", GROUP: tl.constexpr = 2, BLOCKS):
    hk = tl.program_id(1)
    pn = tl.program_id(0)
    rn = pn * BM + tl.arange(0, BM)
    rd = tl.arange(0, D)
    kk = tl.load(k + (hk * S + rn)[:, None] * D + rd[None, :])
    vv = tl.load(v + (hk * S + rn)[:, None] * D + rd[None, :])
    sum_k = tl.zeros((BM, D), tl.float32)
    sum_v = tl.zeros((BM, D), tl.float32)
    for gi in range(0, GROUP):
        at = (hk * GROUP + gi) * S
        rm = pn * BM + tl.arange(0, BN)
        qp = q + at * D + rm[None, :] * D + rd[:, None]
        op = do + at * D + rm[:, None] * D + rd[None, :]
        for i in range(pn * BM, S, BN):
            ri = i + tl.arange(0, BN)
            qt = tl.load(qp)
            wt = tl.math.exp2(tl.dot(kk, qt) * 0.18 - tl.load(lse + at + ri)[None, :])
            wt = tl.where(ri[None, :] >= rn[:, None], wt, 0.0)
            g = tl.load(op)
            sum_v += tl.dot(wt.to(tl.float16), g)
            dwt = tl.dot(vv, tl.trans(g))
            dst = (wt * (dwt - tl.load(delta + at + ri)[None, :])).to(tl.float16)
            sum_k += tl.dot(dst, tl.trans(qt))
            qp += BN * D
            op += BN * D
    tl.store(dv + (hk * S + rn)[:, None] * D + rd[None, :], sum_v)
    tl.store(dk + (hk * S + rn)[:, None] * D + rd[None, :], sum_k)
""",
    "q=randn(2,2,256,64):fp16 k=randn(2,256,64):fp16 v=randn(2,256,64):fp16 do=randn(2,2,256,64):fp16 lse=full(5,2,2,256):fp32"
    " delta=randn(2,2,256):fp32 dk=zeros(2,256,64):fp32 dv=zeros(2,256,64):fp32 S=256",
    "2,2",
    lambda np, x: (
        lambda w: dict(
            dv=sum(w[:, i].swapaxes(1, 2) @ x["do"][:, i] for i in range(2)),
            dk=sum(
                (w[:, i] * (x["do"][:, i] @ x["v"].swapaxes(1, 2) - x["delta"][:, i, :, None])).swapaxes(1, 2) @ x["q"][:, i]
                for i in range(2)
            ),
        )
    )(np.tril(np.exp2(x["q"] @ x["k"][:, None].swapaxes(2, 3) * 0.18 - x["lse"][:, :, :, None]))),
)

form(
    "blocks from a list, then columns one by one from another (vertical and slash)",
    """
def k(QKVO, block_n: "*i32:16", blocks: "*i32:16", column_n: "*i32:16", columns: "*i32:16", S: "i32:16", MOST: tl.constexpr = 64,
      BLOCKS):
    pm = tl.program_id(0)
    z = tl.program_id(1)
    rows = tl.num_programs(0)
    rm = pm * BM + tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rd = tl.arange(0, D)
    kp = k + z * S * D + rd[:, None]
    vp = v + z * S * D + rd[None, :]
    nb = tl.load(block_n + z * rows + pm)
    nc = tl.load(column_n + z * rows + pm)
    bp = blocks + (z * rows + pm) * 8
    cp = columns + (z * rows + pm) * MOST
    x = tl.load(q + z * S * D + rm[:, None] * D + rd[None, :])
    BEGIN
    for i in range(nb):
        start = tl.load(bp + i)
        cols = start + rn
        kk = tl.load(kp + cols[None, :] * D)
        vv = tl.load(vp + cols[:, None] * D)
        s = tl.where(cols[None, :] <= rm[:, None], tl.dot(x, kk) * 0.18, -1.0e30)
        SOFTMAX
        acc *= fade[:, None]
        acc += tl.dot(w.to(tl.float16), vv)
    for n in range(0, nc, BN):
        mask = n + rn < nc
        cols = tl.load(cp + n + rn, mask=mask, other=0)
        kk = tl.load(kp + cols[None, :] * D, mask=mask[None, :], other=0.0)
        vv = tl.load(vp + cols[:, None] * D, mask=mask[:, None], other=0.0)
        s = tl.where(mask[None, :], tl.dot(x, kk) * 0.18, -1.0e30)
        SOFTMAX
        acc *= fade[:, None]
        acc += tl.dot(w.to(tl.float16), vv)
    tl.store(o + z * S * D + rm[:, None] * D + rd[None, :], acc / l[:, None])
""",
    "q=randn(2,256,64):fp16 k=randn(2,256,64):fp16 v=randn(2,256,64):fp16 o=zeros(2,256,64):fp32 columns=randint(0,120,2,2,64):i32 S=256",
    "2,2",
    lambda np, x: dict(
        o=np.stack(
            [
                np.concatenate(
                    [
                        (
                            lambda c, own: attention(
                                np,
                                dict(q=x["q"][z, 128 * p : 128 * p + 128], k=x["k"][z][c], v=x["v"][z][c]),
                                lambda s: np.where((c[None, :] <= 128 * p + np.arange(128)[:, None]) | ~own, s, -1e30),
                            )
                        )(
                            np.concatenate([np.arange(128 * p, 128 * p + 128), x["columns"][z, p, : 40 * p].astype(int)]),
                            np.concatenate([np.ones(128, bool), np.zeros(40 * p, bool)]),
                        )
                        for p in range(2)
                    ]
                )
                for z in range(2)
            ]
        )
    ),
    given=lambda np: dict(
        block_n=np.full((2, 2), 2, np.int32),
        blocks=np.array([[[0, 64] + [0] * 6, [128, 192] + [0] * 6]] * 2, np.int32),
        column_n=np.array([[0, 40]] * 2, np.int32),
    ),
)

form(
    "one sequence's decode split over its keys, sixteen rows of heads (flash decoding)",
    """
def k(q: "*bf16:16", k: "*bf16:16", v: "*bf16:16", part: "*fp32:16", lse: "*fp32:16", length: "i32", each: "i32", row: "i64:16",
      D: tl.constexpr = 128, H: tl.constexpr = 16, BN: tl.constexpr = 128):
    split = tl.program_id(0)
    rh = tl.arange(0, H)
    rd = tl.arange(0, D)
    rn = tl.arange(0, BN)
    x = tl.load(q + rh[:, None] * D + rd[None, :])
    m = tl.zeros([H], dtype=tl.float32) - float("inf")
    l = tl.zeros([H], dtype=tl.float32)
    acc = tl.zeros([H, D], dtype=tl.float32)
    start = split * each
    end = tl.minimum(start + each, length)
    for n in range(start, end, BN):
        j = n + rn
        kk = tl.load(k + j[None, :] * row + rd[:, None], mask=j[None, :] < end, other=0.0)
        s = tl.dot(x, kk) * 0.18
        s = tl.where(j[None, :] < end, s, float("-inf"))
        vv = tl.load(v + j[:, None] * row + rd[None, :], mask=j[:, None] < end, other=0.0)
        now = tl.maximum(tl.max(s, 1), m)
        fade = tl.math.exp2(m - now)
        w = tl.math.exp2(s - now[:, None])
        acc = acc * fade[:, None] + tl.dot(w.to(vv.dtype), vv)
        l = l * fade + tl.sum(w, 1)
        m = now
    tl.store(part + (split * H + rh)[:, None] * D + rd[None, :], acc / l[:, None])
    tl.store(lse + split * H + rh, m + tl.math.log2(l))
""",
    "q=randn(16,128):bf16 k=randn(500,128):bf16 v=randn(500,128):bf16 part=zeros(2,16,128):fp32 lse=zeros(2,16):fp32 length=500 each=256"
    " row=128",
    "2",
    lambda np, x: dict(part=np.stack([attention(np, dict(q=x["q"], k=x["k"][i:j], v=x["v"][i:j])) for i, j in ((0, 256), (256, 500))])),
    warps=4,
)
