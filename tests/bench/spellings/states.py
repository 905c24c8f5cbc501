"""States over time: linear attention, delta rules, scans, and gradients of them."""

from spellings.form import form


form(
    "a state and decays within blocks, four products a step (lightning attention)",
    """
def k(QKVO, slopes: "*fp32:16", S: "i32:16", B: tl.constexpr = 64, D: tl.constexpr = 64, E: tl.constexpr = 64):
    z = tl.program_id(0)
    rd = tl.arange(0, D)
    rb = tl.arange(0, B)
    slope = tl.load(slopes + z)
    block = rb.to(tl.float32)
    into = tl.exp(-slope * block[:, None])
    out = tl.exp(-slope * (B - block[None, :]))
    whole = tl.exp(-slope * B)
    between = block[:, None] - block[None, :]
    diagonal = tl.exp(tl.where(between >= 0, -slope * between, float("-inf")))
    qp = q + z * S * D + rb[:, None] * D + rd[None, :]
    kp = k + z * S * D + rb[None, :] * D + rd[:, None]
    vp = v + z * S * E + rb[:, None] * E + tl.arange(0, E)[None, :]
    op = o + z * S * E + rb[:, None] * E + tl.arange(0, E)[None, :]
    state = tl.zeros([D, E], dtype=tl.float32)
    for i in range(tl.cdiv(S, B)):
        x = tl.load(qp)
        kt = tl.load(kp)
        vv = tl.load(vp)
        qk = tl.dot(x, kt) * diagonal
        intra = tl.dot(qk.to(tl.float16), vv)
        inter = tl.dot(x, state.to(tl.float16)) * into
        tl.store(op, intra + inter)
        state = whole * state + tl.dot((kt * out).to(tl.float16), vv)
        qp += B * D
        kp += B * D
        vp += B * E
        op += B * E
""",
    "q=randn(2,256,64):fp16 k=randn(2,256,64):fp16 v=randn(2,256,64):fp16 o=zeros(2,256,64):fp32 S=256",
    "2",
    lambda np, x: dict(
        o=np.stack(
            [
                (
                    (x["q"][z] @ x["k"][z].T)
                    * (lambda t: np.where(t >= 0, np.exp(-x["slopes"][z] * np.maximum(t, 0)), 0))(np.arange(256)[:, None] - np.arange(256))
                )
                @ x["v"][z]
                for z in range(2)
            ]
        )
    ),
    given=lambda np: dict(slopes=np.array([0.05, 0.01], np.float32)),
    warps=4,
)

form(
    "state less what it says of the new keys, stored at each chunk (gated delta rule)",
    """
def k(k: "*bf16:16", u: "*bf16:16", w: "*bf16:16", news: "*bf16:16", g: "*fp32:16", h: "*bf16:16", T: "i32", V: "i32:16",
      BT: tl.constexpr = 64, BV: tl.constexpr = 64):
    i_v, i_h = tl.program_id(0), tl.program_id(1)
    k += i_h * T * 128
    w += i_h * T * 128
    u += i_h * T * V
    news += i_h * T * V
    g += i_h * T
    NT = tl.cdiv(T, BT)
    h += i_h * NT * 128 * V
    b_h1 = tl.zeros([64, BV], dtype=tl.float32)
    b_h2 = tl.zeros([64, BV], dtype=tl.float32)
    for t in range(NT):
        p_h1 = tl.make_block_ptr(h + t * 128 * V, (128, V), (V, 1), (0, i_v * BV), (64, BV), (1, 0))
        p_h2 = tl.make_block_ptr(h + t * 128 * V, (128, V), (V, 1), (64, i_v * BV), (64, BV), (1, 0))
        tl.store(p_h1, b_h1.to(tl.bfloat16), boundary_check=(0, 1))
        tl.store(p_h2, b_h2.to(tl.bfloat16), boundary_check=(0, 1))
        p_w = tl.make_block_ptr(w, (T, 128), (128, 1), (t * BT, 0), (BT, 64), (1, 0))
        b_w = tl.load(p_w, boundary_check=(0, 1))
        b_v = tl.dot(b_w, b_h1.to(b_w.dtype))
        p_w = tl.make_block_ptr(w, (T, 128), (128, 1), (t * BT, 64), (BT, 64), (1, 0))
        b_w = tl.load(p_w, boundary_check=(0, 1))
        b_v += tl.dot(b_w, b_h2.to(b_w.dtype))
        p_u = tl.make_block_ptr(u, (T, V), (V, 1), (t * BT, i_v * BV), (BT, BV), (1, 0))
        b_v = tl.load(p_u, boundary_check=(0, 1)) - b_v
        p_n = tl.make_block_ptr(news, (T, V), (V, 1), (t * BT, i_v * BV), (BT, BV), (1, 0))
        tl.store(p_n, b_v.to(tl.bfloat16), boundary_check=(0, 1))
        last = min((t + 1) * BT, T) - 1
        b_last = tl.load(g + last)
        p_g = tl.make_block_ptr(g, (T,), (1,), (t * BT,), (BT,), (0,))
        b_g = tl.load(p_g, boundary_check=(0,))
        b_v = b_v * tl.exp(b_last - b_g)[:, None]
        b_last = tl.exp(b_last)
        b_h1 *= b_last
        b_h2 *= b_last
        b_v = b_v.to(tl.bfloat16)
        p_k = tl.make_block_ptr(k, (128, T), (1, 128), (0, t * BT), (64, BT), (0, 1))
        b_h1 += tl.dot(tl.load(p_k, boundary_check=(0, 1)), b_v)
        p_k = tl.make_block_ptr(k, (128, T), (1, 128), (64, t * BT), (64, BT), (0, 1))
        b_h2 += tl.dot(tl.load(p_k, boundary_check=(0, 1)), b_v)
""",
    "u=randn(2,256,128):bf16 news=zeros(2,256,128):bf16 h=zeros(2,4,128,128):bf16 T=256 V=128",
    "2,2",
    lambda np, x: (lambda r: dict(h=r[0], news=r[1]))(delta(np, x)),
    given=lambda np: dict(
        k=bf16(np, np.random.default_rng(2).normal(size=(2, 256, 128)) / 16),
        w=bf16(np, np.random.default_rng(3).normal(size=(2, 256, 128)) / 16),
        g=np.tile(np.cumsum(np.full((4, 64), -0.01), 1).reshape(256), (2, 1)).astype(np.float32),
    ),
    warps=4,
)


def bf16(np, x):
    """What bf16 keeps, as the bits of a number."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    return ((bits + 0x8000) >> 16).astype(np.uint16)


def real(np, x):
    return (x.astype(np.uint32) << 16).view(np.float32).astype(float) if x.dtype == np.uint16 else x


def delta(np, x):
    hs, news = np.zeros((2, 4, 128, 128)), np.zeros((2, 256, 128))
    for z in range(2):
        h = np.zeros((128, 128))
        for t in range(4):
            s = slice(64 * t, 64 * t + 64)
            k, w, g = real(np, x["k"][z, s]), real(np, x["w"][z, s]), x["g"][z, s]
            hs[z, t] = h
            news[z, s] = x["u"][z, s] - w @ h
            h = h * np.exp(g[-1]) + k.T @ (news[z, s] * np.exp(g[-1] - g)[:, None])
    return hs, news


form(
    "one matrix kept, times scaled keys and values, a block of columns at a time, all stored (WY form)",
    """
def k(k: "*bf16:16", v: "*bf16:16", beta: "*fp32:16", w: "*bf16:16", u: "*bf16:16", A: "*bf16:16", g: "*fp32:16", T: "i32",
      K: tl.constexpr = 128, V: tl.constexpr = 128, BT: tl.constexpr = 64, BK: tl.constexpr = 64, BV: tl.constexpr = 64):
    t, h = tl.program_id(0), tl.program_id(1)
    p_b = tl.make_block_ptr(beta + h * T, (T,), (1,), (t * BT,), (BT,), (0,))
    b_b = tl.load(p_b, boundary_check=(0,))
    p_A = tl.make_block_ptr(A + h * T * BT, (T, BT), (BT, 1), (t * BT, 0), (BT, BT), (1, 0))
    b_A = tl.load(p_A, boundary_check=(0, 1))
    for i in range(tl.cdiv(V, BV)):
        p_v = tl.make_block_ptr(v + h * T * V, (T, V), (V, 1), (t * BT, i * BV), (BT, BV), (1, 0))
        p_u = tl.make_block_ptr(u + h * T * V, (T, V), (V, 1), (t * BT, i * BV), (BT, BV), (1, 0))
        b_v = tl.load(p_v, boundary_check=(0, 1))
        b_v = (b_v * b_b[:, None]).to(b_v.dtype)
        b_u = tl.dot(b_A, b_v, allow_tf32=False)
        tl.store(p_u, b_u.to(p_u.dtype.element_ty), boundary_check=(0, 1))
    p_g = tl.make_block_ptr(g + h * T, (T,), (1,), (t * BT,), (BT,), (0,))
    b_g = tl.exp(tl.load(p_g, boundary_check=(0,)))
    for i in range(tl.cdiv(K, BK)):
        p_k = tl.make_block_ptr(k + h * T * K, (T, K), (K, 1), (t * BT, i * BK), (BT, BK), (1, 0))
        p_w = tl.make_block_ptr(w + h * T * K, (T, K), (K, 1), (t * BT, i * BK), (BT, BK), (1, 0))
        b_k = tl.load(p_k, boundary_check=(0, 1))
        b_k = (b_k * b_b[:, None] * b_g[:, None]).to(b_k.dtype)
        b_w = tl.dot(b_A, b_k)
        tl.store(p_w, b_w.to(p_w.dtype.element_ty), boundary_check=(0, 1))
""",
    "k=randn(2,200,128):bf16 v=randn(2,200,128):bf16 beta=rand(2,200):fp32 w=zeros(2,200,128):bf16 u=zeros(2,200,128):bf16"
    " A=randn(2,200,64):bf16 g=rand(2,200):fp32 T=200",
    "4,2",
    lambda np, x: (
        lambda f: dict(
            u=f(x["v"] * x["beta"][:, :, None]),
            w=f(x["k"] * (x["beta"] * np.exp(x["g"]))[:, :, None]),
        )
    )(
        lambda y: np.concatenate(
            [x["A"][:, i : i + 64][:, :, : min(64, 200 - i)] @ y[:, i : i + 64] for i in range(0, 200, 64)], 1
        )
    ),
    warps=4,
)

form(
    "the state's part, then a loop over the chunk with faded scores from memory (chunk scan)",
    """
def k(cb: "*bf16:16", x: "*bf16:16", dt: "*fp32:16", da: "*fp32:16", cm: "*bf16:16", states: "*fp32:16", o: "*bf16:16", L: "i32",
      HD: "i32:16", N: tl.constexpr = 128, CHUNK: tl.constexpr = 256, BM: tl.constexpr = 128, BN: tl.constexpr = 64,
      BK: tl.constexpr = 64):
    z = tl.program_id(1).to(tl.int64)
    h = tl.program_id(2)
    across = tl.cdiv(HD, BN)
    pm = tl.program_id(0) // across
    pn = tl.program_id(0) % across
    H = tl.num_programs(2)
    cb += z * CHUNK * CHUNK
    x += z * CHUNK * H * HD + h * HD
    dt += (z * H + h) * CHUNK
    da += (z * H + h) * CHUNK
    cm += z * CHUNK * N
    states += (z * H + h) * HD * N
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    limit = min(CHUNK, L - z * CHUNK)
    da_m = tl.load(da + rm, mask=rm < CHUNK, other=0.0)
    ns = tl.arange(0, N)
    c = tl.load(cm + rm[:, None] * N + ns[None, :], mask=rm[:, None] < limit, other=0.0)
    st = tl.load(states + rn[None, :] * N + ns[:, None], mask=rn[None, :] < HD, other=0.0).to(tl.bfloat16)
    acc = tl.dot(c, st) * tl.exp(da_m)[:, None]
    rk = tl.arange(0, BK)
    cbp = cb + rm[:, None] * CHUNK + rk[None, :]
    xp = x + rk[:, None] * (H * HD) + rn[None, :]
    dtp = dt + rk
    dap = da + rk
    most = min((pm + 1) * BM, limit)
    for k in range(0, most, BK):
        s = tl.load(cbp, mask=(rm[:, None] < CHUNK) & (rk[None, :] < CHUNK - k), other=0.0).to(tl.float32)
        da_k = tl.load(dap, mask=rk < CHUNK - k, other=0.0)
        s *= tl.exp(da_m[:, None] - da_k[None, :])
        s *= tl.load(dtp, mask=rk < CHUNK - k, other=0.0)
        s = tl.where(rm[:, None] >= k + rk[None, :], s, 0.0).to(tl.bfloat16)
        y = tl.load(xp, mask=(rk[:, None] < limit - k) & (rn[None, :] < HD), other=0.0)
        acc += tl.dot(s, y)
        cbp += BK
        xp += BK * (H * HD)
        dtp += BK
        dap += BK
    tl.store(o + z * CHUNK * H * HD + h * HD + rm[:, None] * (H * HD) + rn[None, :], acc.to(tl.bfloat16), mask=(rm[:, None] < limit) & (rn[None, :] < HD))
""",
    "cb=randn(2,256,256):bf16 x=randn(500,2,64):bf16 dt=rand(2,2,256):fp32 cm=randn(512,128):bf16 states=randn(2,2,64,128):fp32"
    " o=zeros(500,2,64):bf16 L=500 HD=64",
    "2,2,2",
    lambda np, x: dict(
        o=np.concatenate(
            [
                np.stack(
                    [
                        (
                            lambda a, n: (
                                x["cm"][256 * z : 256 * z + n] @ x["states"][z, h].T * np.exp(a[:n])[:, None]
                                + np.tril(x["cb"][z][:n, :n] * np.exp(a[:n, None] - a[None, :n]) * x["dt"][z, h][:n])
                                @ x["x"][256 * z : 256 * z + n, h]
                            )
                        )(x["da"][z, h].astype(float), min(256, 500 - 256 * z))
                        for h in range(2)
                    ],
                    1,
                )
                for z in range(2)
            ]
        )
    ),
    given=lambda np: dict(da=np.tile(-0.02 * np.arange(256), (2, 2, 1)).astype(np.float32)),
)

form(
    "a product for each head of a group, scaled and summed (chunk scan's gradient)",
    """
def k(x: "*bf16:16", g: "*bf16:16", dt: "*fp32:16", c: "*fp32:16", S: "i32:16", H: "i32", D: tl.constexpr = 64, BM: tl.constexpr = 128,
      BN: tl.constexpr = 128):
    pm, pn = tl.program_id(0), tl.program_id(1)
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    rd = tl.arange(0, D)
    if pn * BN >= (pm + 1) * BM:
        return
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    gp = g + rm[:, None] * (H * D) + rd[None, :]
    xp = x + rn[None, :] * (H * D) + rd[:, None]
    dtp = dt + rn
    for h in range(0, H):
        p = tl.dot(tl.load(gp), tl.load(xp))
        p *= tl.load(dtp)[None, :]
        acc += p
        gp += D
        xp += D
        dtp += S
    acc = tl.where(rm[:, None] >= rn[None, :], acc, 0.0)
    tl.store(c + rm[:, None] * S + rn[None, :], acc)
""",
    "x=randn(256,4,64):bf16 g=randn(256,4,64):bf16 dt=rand(4,256):fp32 c=zeros(256,256):fp32 S=256 H=4",
    "2,2",
    lambda np, x: dict(c=np.tril(sum(x["g"][:, h] @ x["x"][:, h].T * x["dt"][h] for h in range(4)))),
)
