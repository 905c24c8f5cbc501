"""Dense products as libraries have them: tails, several products, persistent forms, convolutions, operands computed in the loop."""

from spellings.form import form

STRIDES = 'sam: "i32:16", sbk: "i32:16", scm: "i32:16"'

form(
    "rows and columns scaled, every load masked, 64-bit rows (scaled_mm)",
    """
def k(a: "*fp8e4nv:16", b: "*fp8e4nv:16", sa: "*fp32:16", sb: "*fp32:16", c: "*bf16:16", SIZES, sam: "i32:16", sbn: "i32:16",
      scm: "i32:16", bias: "*bf16:16", TILES):
    pid = tl.program_id(0)
    across = tl.cdiv(N, BN)
    pm = pid // across
    pn = pid % across
    ZEROS
    om = pm * BM + tl.arange(0, BM).to(tl.int64)
    on = pn * BN + tl.arange(0, BN).to(tl.int64)
    am, bn = om < M, on < N
    ok = tl.arange(0, BK).to(tl.int64)
    ap = a + (sam * om[:, None] + ok[None, :])
    bp = b + (ok[:, None] + sbn * on[None, :])
    for k in range(0, tl.cdiv(K, BK)):
        mk = ok < K
        x = tl.load(ap, mask=am[:, None] & mk[None, :])
        y = tl.load(bp, mask=mk[:, None] & bn[None, :])
        acc = tl.dot(x, y, acc, out_dtype=tl.float32)
        ok += BK
        ap += BK
        bp += BK
    rows = tl.load(sa + om[:, None], mask=am[:, None])
    acc = rows * acc
    columns = tl.load(sb + on[:, None], mask=bn[:, None])
    acc = columns.T * acc
    out = acc.to(tl.bfloat16)
    out += tl.load(bias + on, bn)
    tl.store(c + scm * om[:, None] + on[None, :], out, mask=am[:, None] & bn[None, :])
""",
    "a=randn(208,256):fp8e4nv b=randn(240,256):fp8e4nv sa=rand(208):fp32 sb=rand(240):fp32 c=zeros(208,240):bf16 bias=randn(240):bf16"
    " M=208 N=240 K=256 sam=256 sbn=256 scm=240",
    "4",
    lambda np, x: dict(c=(x["a"] @ x["b"].T) * x["sa"][:, None] * x["sb"] + x["bias"]),
    defines="BK=128",
)

form(
    "blocks with scales, four steps unrolled by hand in the loop",
    """
def k(a: "*fp8e4nv:16", b: "*fp8e4nv:16", c: "*fp32:16", sa: "*fp32:16", sb: "*fp32:16", SIZES, sam: "i32:16", sbn: "i32:16",
      ssm: "i32", ssn: "i32", BM: tl.constexpr = 128, BN: tl.constexpr = 128, BK: tl.constexpr = 128, GROUP: tl.constexpr = 128):
    PIDS
    om = (pm * BM + tl.arange(0, BM)) % M
    on = (pn * BN + tl.arange(0, BN)) % N
    ok = tl.arange(0, BK)
    ap = a + (om[:, None] * sam + ok[None, :])
    bp = b + (ok[:, None] + on[None, :] * sbn)
    sap = sa + om * ssm
    sbp = sb + (on // GROUP) * ssn
    ZEROS
    for k in range(0, tl.cdiv(K, BK * 2)):
        x0 = tl.load(ap, mask=ok[None, :] < K - (k * 2) * BK, other=0.0)
        y0 = tl.load(bp, mask=ok[:, None] < K - (k * 2) * BK, other=0.0)
        x1 = tl.load(ap + BK, mask=ok[None, :] < K - (k * 2 + 1) * BK, other=0.0)
        y1 = tl.load(bp + BK, mask=ok[:, None] < K - (k * 2 + 1) * BK, other=0.0)
        g = k * 2 * BK // GROUP
        r0, n0 = tl.load(sap + g), tl.load(sbp + g)
        r1, n1 = tl.load(sap + g + 1), tl.load(sbp + g + 1)
        acc += tl.dot(x0, y0) * r0[:, None] * n0[None, :]
        acc += tl.dot(x1, y1) * r1[:, None] * n1[None, :]
        ap += BK * 2
        bp += BK * 2
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    tl.store(c + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))
""",
    "a=randn(256,512):fp8e4nv b=randn(256,512):fp8e4nv c=zeros(256,256):fp32 sa=rand(256,4):fp32 sb=rand(2,4):fp32 M=256 N=256 K=512 sam=512"
    " sbn=512 ssm=4 ssn=4",
    "2,2",
    lambda np, x: dict(c=(x["a"] * x["sa"].repeat(128, 1)) @ (x["b"] * x["sb"].repeat(128, 0).repeat(128, 1)).T),
)

form(
    "pointers of scales step by one, blocks of weights by column (inference code)",
    """
def k(a: "*fp8e4nv:16", b: "*fp8e4nv:16", c: "*fp32:16", sa: "*fp32:16", sb: "*fp32:16", M: "i32", N: "i32:16", K: "i32:16",
      BM: tl.constexpr = 64, BN: tl.constexpr = 128, BK: tl.constexpr = 128):
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    steps = tl.cdiv(K, BK)
    om = (pm * BM + tl.arange(0, BM)) % M
    on = (pn * BN + tl.arange(0, BN)) % N
    ok = tl.arange(0, BK)
    ap = a + om[:, None] * K + ok[None, :]
    bp = b + on[None, :] * K + ok[:, None]
    asp = sa + om * steps
    bsp = sb + (on // BK) * steps
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for i in range(steps):
        x = tl.load(ap, mask=ok[None, :] < K - i * BK, other=0.0)
        y = tl.load(bp, mask=ok[:, None] < K - i * BK, other=0.0)
        xs = tl.load(asp)
        ys = tl.load(bsp)
        acc += tl.dot(x, y) * xs[:, None] * ys[None, :]
        ap += BK
        bp += BK
        asp += 1
        bsp += 1
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    tl.store(c + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))
""",
    "a=randn(100,512):fp8e4nv b=randn(256,512):fp8e4nv c=zeros(100,256):fp32 sa=rand(100,4):fp32 sb=rand(2,4):fp32 M=100 N=256 K=512",
    "2,2",
    lambda np, x: dict(c=(x["a"] * x["sa"].repeat(128, 1)) @ (x["b"] * x["sb"].repeat(128, 0).repeat(128, 1)).T),
    warps=4,
)

form(
    "whole steps without masks, the rest of K by a masked product behind the loop (FlagGems)",
    """
def k(ABC, SIZES, sam: "i32:16", sbk: "i32:16", TILES, GM: tl.constexpr = 8):
    pid = tl.program_id(0).to(tl.int64)
    gm = tl.cdiv(M, BM)
    gn = tl.cdiv(N, BN)
    width = GM * gn
    group = pid // width
    size = min(gm - group * GM, GM)
    pm = group * GM + (pid % size)
    pn = (pid % width) // size
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    ram = tl.max_contiguous(tl.multiple_of(rm % M, BM), BM).to(tl.int64)
    rbn = tl.max_contiguous(tl.multiple_of(rn % N, BN), BN).to(tl.int64)
    rm = rm.to(tl.int64)
    rn = rn.to(tl.int64)
    whole = (tl.cdiv(K, BK) - 1) * BK
    ZEROS
    for start in range(0, whole, BK):
        rk = (start + tl.arange(0, BK)).to(tl.int64)
        x = tl.load(a + (ram[:, None] * sam + rk[None, :]))
        y = tl.load(b + (rk[:, None] * sbk + rbn[None, :]))
        acc += tl.dot(x, y, out_dtype=tl.float32, allow_tf32=False)
    rk = (whole + tl.arange(0, BK)).to(tl.int64)
    mask = rk < K
    x = tl.load(a + (ram[:, None] * sam + rk[None, :]), mask=mask[None, :], other=0.0)
    y = tl.load(b + (rk[:, None] * sbk + rbn[None, :]), mask=mask[:, None], other=0.0)
    acc += tl.dot(x, y, out_dtype=tl.float32, allow_tf32=False)
    tl.store(c + (rm[:, None] * N + rn[None, :]), acc, mask=(rm < M)[:, None] & (rn < N)[None, :])
""",
    "a=randn(256,208):fp16 b=randn(208,256):fp16 c=zeros(256,256):fp32 M=256 N=256 K=208 sam=208 sbk=256",
    "4",
    lambda np, x: dict(c=x["a"] @ x["b"]),
)

form(
    "batch and tile of three program numbers, alpha and beta, a bias of its own strides (baddbmm)",
    """
def k(a: "*bf16:16", b: "*bf16:16", c: "*fp32:16", bias: "*bf16:16", alpha: "fp32", beta: "fp32", SIZES, sbb: "i32", sbm: "i32",
      sbn: "i32", TILES, GM: tl.constexpr = 2):
    z = tl.program_id(2)
    a += z * M * K
    b += z * K * N
    c += z * M * N
    bias += z * sbb
    pidx, pidy = tl.program_id(0), tl.program_id(1)
    gx, gy = tl.num_programs(0), tl.num_programs(1)
    pid = pidx + pidy * gx
    per = gy * GM
    group = pid // per
    first = group * GM
    gm = tl.where(first + GM > gx, gx % GM, GM)
    pm = first + pid % per % gm
    pn = pid % per // gm
    om = pm * BM + tl.arange(0, BM)
    on = pn * BN + tl.arange(0, BN)
    ok = tl.arange(0, BK)
    mm, mn = om < M, on < N
    ap = a + om[:, None] * K + ok[None, :]
    bp = b + ok[:, None] * N + on[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(tl.cdiv(K, BK)):
        mk = ok < K
        x = tl.load(ap, mask=mm[:, None] & mk[None, :], other=0.0)
        y = tl.load(bp, mask=mk[:, None] & mn[None, :], other=0.0)
        acc += tl.dot(x, y, allow_tf32=False)
        ok += BK
        ap += BK
        bp += BK * N
    t = tl.load(bias + sbm * om[:, None] + sbn * on[None, :], mask=mm[:, None] & mn[None, :], other=0.0).to(acc.dtype)
    tl.store(c + om[:, None] * N + on[None, :], acc * alpha + t * beta, mask=mm[:, None] & mn[None, :])
""",
    "a=randn(2,208,192):bf16 b=randn(2,192,240):bf16 c=zeros(2,208,240):fp32 bias=randn(2,240):bf16 alpha=0.5 beta=2 M=208 N=240 K=192"
    " sbb=240 sbm=0 sbn=1",
    "2,2,2",
    lambda np, x: dict(c=0.5 * (x["a"] @ x["b"]) + 2 * x["bias"][:, None, :]),
)

form(
    "one loop after another into one sum: A B + C D (Inductor)",
    """
def k(a: "*fp16:16", b: "*fp16:16", d: "*fp16:16", e: "*fp16:16", c: "*fp32:16", SIZES, K2: "i32:16", TILES):
    pid = tl.program_id(0)
    gm = (M + BM - 1) // BM
    gn = (N + BN - 1) // BN
    width = 8 * gn
    group = pid // width
    size = min(gm - group * 8, 8)
    pm = group * 8 + (pid % size)
    pn = (pid % width) // size
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    ram = tl.max_contiguous(tl.multiple_of(rm % M, BM), BM)
    rbn = tl.max_contiguous(tl.multiple_of(rn % N, BN), BN)
    rk = tl.arange(0, BK)
    ap = a + (ram[:, None] * K + rk[None, :])
    bp = b + (rk[:, None] * N + rbn[None, :])
    cp = d + (ram[:, None] * K2 + rk[None, :])
    dp = e + (rk[:, None] * N + rbn[None, :])
    ZEROS
    for k1 in range(K, 0, -BK):
        x = tl.load(ap, mask=rk[None, :] < k1, other=0.0)
        y = tl.load(bp, mask=rk[:, None] < k1, other=0.0)
        acc += tl.dot(x, y, allow_tf32=False)
        ap += BK
        bp += BK * N
    for k2 in range(K2, 0, -BK):
        x = tl.load(cp, mask=rk[None, :] < k2, other=0.0)
        y = tl.load(dp, mask=rk[:, None] < k2, other=0.0)
        acc += tl.dot(x, y, allow_tf32=False)
        cp += BK
        dp += BK * N
    i = rm[:, None]
    j = rn[None, :]
    tl.store(c + (j + N * i), acc, (i < M) & (j < N))
""",
    "a=randn(256,192):fp16 b=randn(192,256):fp16 d=randn(256,128):fp16 e=randn(128,256):fp16 c=zeros(256,256):fp32 M=256 N=256 K=192 K2=128",
    "4",
    lambda np, x: dict(c=x["a"] @ x["b"] + x["d"] @ x["e"]),
)

form(
    "persistent, descriptors, steps and tiles joined, tile number computed at its first step (Inductor)",
    """
def k(ABC, SIZES, PROGRAMS: "i32", TILES):
    start = tl.program_id(0)
    gm = tl.cdiv(M, BM)
    gn = tl.cdiv(N, BN)
    steps = tl.cdiv(K, BK)
    tiles = gm * gn
    per = tiles // PROGRAMS
    if start < tiles % PROGRAMS:
        per += 1
    tile = start - PROGRAMS
    ki = -1
    width = 8 * gn
    ad = tl.make_tensor_descriptor(a, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    bd = tl.make_tensor_descriptor(b, shape=[K, N], strides=[N, 1], block_shape=[BK, BN])
    pm = 0
    pn = 0
    rm = 0
    rn = 0
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, steps * per):
        ki = tl.where(ki == steps - 1, 0, ki + 1)
        if ki == 0:
            tile += PROGRAMS
            group = tile // width
            size = min(gm - group * 8, 8)
            pm = group * 8 + (tile % size)
            pn = (tile % width) // size
            rm = pm * BM
            rn = pn * BN
        rk = ki * BK
        x = tl.load_tensor_descriptor(ad, [rm, rk])
        y = tl.load_tensor_descriptor(bd, [rk, rn])
        acc += tl.dot(x, y, allow_tf32=False)
        if ki == steps - 1:
            rcm = rm + tl.arange(0, BM)
            rcn = rn + tl.arange(0, BN)
            i = rcm[:, None]
            j = rcn[None, :]
            tl.store(c + (j + N * i), acc, (i < M) & (j < N))
            acc = tl.zeros((BM, BN), dtype=tl.float32)
""",
    "a=randn(256,192):fp16 b=randn(192,256):fp16 c=zeros(256,256):fp32 M=256 N=256 K=192 PROGRAMS=3",
    "3",
    lambda np, x: dict(c=x["a"] @ x["b"]),
)

form(
    "operand computed of three matrices in the loop, stored by the first column of programs (Adam in a product)",
    """
def k(a: "*fp16:16", m1: "*fp16:16", m2: "*fp16:16", b: "*fp16:16", c: "*fp32:16", kept: "*fp16:16", SIZES, TILES):
    PIDS
    RANGES
    at = rm[:, None] * K + rk[None, :]
    bp = b + rk[:, None] * N + rn[None, :]
    ZEROS
    for k in range(0, K, BK):
        g = tl.load(a + at).to(tl.float32)
        m = tl.load(m1 + at).to(tl.float32)
        v = tl.load(m2 + at).to(tl.float32)
        m = 0.9 * m + 0.1 * g
        v = 0.99 * v + 0.01 * g * g
        u = (m / (tl.sqrt(v) + 0.1)).to(tl.float16)
        if pn == 0:
            tl.store(kept + at, u)
        acc = tl.dot(u, tl.load(bp), acc)
        at += BK
        bp += BK * N
    STORE
""",
    "a=randn(256,192):fp16 m1=randn(256,192):fp16 m2=rand(256,192):fp16 b=randn(192,256):fp16 c=zeros(256,256):fp32 kept=zeros(256,192):fp16"
    " M=256 N=256 K=192",
    "2,2",
    lambda np, x: (lambda u: dict(kept=u, c=u @ x["b"]))(
        (0.9 * x["m1"] + 0.1 * x["a"]) / (np.sqrt(0.99 * x["m2"] + 0.01 * x["a"] ** 2) + 0.1)
    ),
)

form(
    "convolution by channels first, one loop over taps and blocks of channels (FlagGems)",
    """
def k(a: "*fp16:16", b: "*fp16:16", c: "*fp32:16", Z: "i32", C: "i32:16", H: "i32", W: "i32", F: "i32:16", sic: "i32:16", sfc: "i32",
      R: tl.constexpr = 3, S: tl.constexpr = 3, BM: tl.constexpr = 128, BN: tl.constexpr = 128, BK: tl.constexpr = 64):
    pm, pn = tl.program_id(0), tl.program_id(1)
    place = pm * BM + tl.arange(0, BM)
    z = place // (H * W)
    y = place % (H * W) // W
    x = place % W
    f = pn * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    blocks = (C + BK - 1) // BK
    for hwc in range(R * S * blocks):
        cb = (hwc % blocks) * BK
        hw = hwc // blocks
        r = hw // S
        s = hw % S
        oc = cb + tl.arange(0, BK)
        yy = r - 1 + y
        xx = s - 1 + x
        ip = a + (z * C * sic + yy * W + xx)[:, None] + (sic * oc)[None, :]
        wp = b + (sfc * oc)[:, None] + (f * C * sfc)[None, :] + r * S + s
        im = (z < Z)[:, None] & (oc < C)[None, :] & (0 <= yy)[:, None] & (yy < H)[:, None] & (0 <= xx)[:, None] & (xx < W)[:, None]
        wm = (oc < C)[:, None] & (f < F)[None, :]
        acc += tl.dot(tl.load(ip, mask=im, other=0.0), tl.load(wp, mask=wm, other=0.0), allow_tf32=False)
    tl.store(c + place[:, None] * F + f[None, :], acc, mask=(z < Z)[:, None] & (f < F)[None, :])
""",
    "a=randn(1,64,16,16):fp16 b=randn(128,64,9):fp16 c=zeros(256,128):fp32 Z=1 C=64 H=16 W=16 F=128 sic=256 sfc=9",
    "2,1",
    lambda np, x: dict(
        c=sum(
            np.pad(x["a"][0], ((0, 0), (1, 1), (1, 1)))[:, t // 3 : t // 3 + 16, t % 3 : t % 3 + 16].reshape(64, 256).T @ x["b"][:, :, t].T
            for t in range(9)
        )
    ),
)

form(
    "convolution by channels last, taps in two loops around that over channels (Inductor)",
    """
def k(a: "*fp16:16", b: "*fp16:16", c: "*fp32:16", Z: "i32", H: "i32", W: "i32", C: "i32:16", F: "i32:16", R: tl.constexpr = 3,
      S: tl.constexpr = 3, TILES):
    nhw = tl.program_id(0).to(tl.int64) * BM + tl.arange(0, BM)
    ox = nhw % W
    nh = nhw // W
    oy = nh % H
    z = nh // H
    f = tl.program_id(1).to(tl.int64) * BN + tl.arange(0, BN)
    xb = a + (C * H * W * z)[:, None]
    wb = b + (f * 1)[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for i in range(R):
        for j in range(S):
            iy = i - 1 + oy * 1
            ix = j - 1 + ox * 1
            for k in range(0, C, BK):
                oc = k + tl.arange(0, BK)
                xp = xb + ((iy * W * C)[:, None] + (ix * C)[:, None] + oc[None, :])
                mx = (z < Z)[:, None] & (iy >= 0)[:, None] & (iy < H)[:, None] & (ix >= 0)[:, None] & (ix < W)[:, None] & (oc < C)[None, :]
                px = tl.load(xp, mask=mx, other=0.0)
                wp = wb + ((oc * F)[:, None] + i * S * C * F + j * C * F)
                mw = (oc[:, None] < C) & (f[None, :] < F)
                pw = tl.load(wp, mask=mw, other=0.0)
                acc += tl.dot(px, pw, allow_tf32=False)
    mask = (z < Z)[:, None] & (oy < H)[:, None] & (ox < W)[:, None] & (f < F)[None, :]
    tl.store(c + ((z * H * W + oy * W + ox) * F)[:, None] + f[None, :], acc, mask=mask)
""",
    "a=randn(1,16,16,64):fp16 b=randn(9,64,256):fp16 c=zeros(256,256):fp32 Z=1 H=16 W=16 C=64 F=256",
    "2,2",
    lambda np, x: dict(
        c=sum(
            np.pad(x["a"][0], ((1, 1), (1, 1), (0, 0)))[t // 3 : t // 3 + 16, t % 3 : t % 3 + 16].reshape(256, 64) @ x["b"][t]
            for t in range(9)
        )
    ),
)

form(
    "neighbours from a table loaded in the loop (sparse convolution)",
    """
def k(a: "*fp16:16", b: "*fp16:16", c: "*fp32:16", near: "*i32:16", M: "i32", C: "i32:16", F: "i32:16", V: tl.constexpr = 5, TILES):
    pid = tl.program_id(0)
    across = tl.cdiv(F, BN)
    pn = pid % across
    pm = pid // across
    om = (pm * BM + tl.arange(0, BM)) % M
    on = (pn * BN + tl.arange(0, BN)) % F
    ok = tl.arange(0, BK)
    blocks = tl.cdiv(C, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(blocks * V):
        v = k // blocks
        bk = k % blocks
        row = tl.load(near + om * V + v)
        there = row != -1
        ap = a + row.to(tl.int64)[:, None] * C + (bk * BK + ok[None, :])
        bp = b + (on[None, :] * V * C + v * C) + (bk * BK + ok[:, None])
        x = tl.load(ap, mask=there[:, None], other=0.0)
        acc = tl.dot(x, tl.load(bp), acc, input_precision="tf32")
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    tl.store(c + rm[:, None] * F + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < F))
""",
    "a=randn(200,128):fp16 b=randn(256,5,128):fp16 c=zeros(200,256):fp32 near=randint(-1,199,200,5):i32 M=200 C=128 F=256",
    "4",
    lambda np, x: dict(
        c=sum(
            np.where(x["near"][:, v : v + 1] >= 0, x["a"][np.maximum(x["near"][:, v].astype(int), 0)], 0) @ x["b"][:, v].T for v in range(5)
        )
    ),
)

form(
    "beta A + alpha A A of symmetric matrices, halves mirrored (Newton-Schulz)",
    """
def k(a: "*fp16:16", c: "*fp32:16", M: "i32:16", sz: "i32:16", alpha: "fp32", beta: "fp32", BM: tl.constexpr = 128,
      BK: tl.constexpr = 64):
    pid = tl.program_id(0)
    across = tl.cdiv(M, BM)
    per = across * across
    z = pid // per
    pid = pid % per
    pm, pn = pid // across, pid % across
    if pm > pn:
        return
    a += z * sz
    c += z * sz
    om = (pm * BM + tl.arange(0, BM)) % M
    on = (pn * BM + tl.arange(0, BM)) % M
    ok = tl.arange(0, BK)
    ap = a + om[:, None] * M + ok[None, :]
    tp = a + ok[:, None] + on[None, :] * M
    acc = tl.zeros((BM, BM), dtype=tl.float32)
    for k in tl.range(0, tl.cdiv(M, BK), num_stages=3):
        x = tl.load(ap, mask=ok[None, :] < M - k * BK, other=0.0)
        y = tl.load(tp, mask=ok[:, None] < M - k * BK, other=0.0)
        acc = tl.dot(x, y, acc)
        ap += BK
        tp += BK
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BM + tl.arange(0, BM)
    own = tl.load(a + rm[:, None] * M + rn[None, :], mask=(rm[:, None] < M) & (rn[None, :] < M), other=0.0)
    acc = acc * alpha + own.to(tl.float32) * beta
    tl.store(c + rm[:, None] * M + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < M))
    tl.store(c + rm[None, :] + rn[:, None] * M, acc.T, mask=(rm[None, :] < M) & (rn[:, None] < M))
""",
    "c=zeros(2,240,240):fp32 M=240 sz=57600 alpha=0.25 beta=-0.5",
    "8",
    lambda np, x: dict(c=0.25 * x["a"] @ x["a"] - 0.5 * x["a"]),
    given=lambda np: dict(a=(lambda t: t + t.swapaxes(1, 2))(np.random.default_rng(1).integers(-4, 4, size=(2, 240, 240))).astype(np.float16)),
)

form(
    "sequences of a batch by loaded 64-bit offsets, one dense matrix each, bias (jagged times dense)",
    """
def k(offsets: "*i64:16", a: "*bf16:16", b: "*bf16:16", bias: "*bf16:16", c: "*bf16:16", N: "i32:16", K: "i32:16", sam: "i32:16",
      sbb: "i32:16", TILES):
    z = tl.program_id(1)
    across = tl.cdiv(N, BN)
    pm = tl.program_id(0) // across
    pn = tl.program_id(0) % across
    begin = tl.load(offsets + z)
    end = tl.load(offsets + z + 1)
    length = end - begin
    if pm * BM >= length:
        return
    a += begin * sam
    b += z * sbb
    c += begin * N
    om = pm * BM + tl.arange(0, BM)
    on = pn * BN + tl.arange(0, BN)
    ok = tl.arange(0, BK)
    ap = a + om[:, None] * sam + ok[None, :]
    bp = b + ok[:, None] * N + on[None, :]
    ZEROS
    for k in range(0, K, BK):
        x = tl.load(ap, mask=(ok[None, :] < K - k) & (om[:, None] < length), other=0.0)
        y = tl.load(bp, mask=(ok[:, None] < K - k) & (on[None, :] < N), other=0.0)
        acc += tl.dot(x, y)
        ap += BK
        bp += BK * N
    row = tl.load(bias + z * N + on, mask=on < N)
    acc += row[None, :].to(tl.float32)
    tl.store(c + om[:, None] * N + on[None, :], acc.to(tl.bfloat16), mask=(om[:, None] < length) & (on[None, :] < N))
""",
    "a=randn(330,192):bf16 b=randn(3,192,256):bf16 bias=randn(3,256):bf16 c=zeros(330,256):bf16 N=256 K=192 sam=192 sbb=49152",
    "4,3",
    lambda np, x: dict(
        c=np.concatenate([x["a"][i:j] @ x["b"][z] + x["bias"][z] for z, (i, j) in enumerate(((0, 100), (100, 230), (230, 330)))])
    ),
    given=lambda np: dict(offsets=np.array([0, 100, 230, 330], np.int64)),
)

form(
    "partial maxima and sums of exponents of indexed rows' logits, soft cap (cut cross entropy)",
    """
def k(a: "*bf16:16", b: "*bf16:16", valid: "*i32:16", lse: "*fp32:16", B: "i32", V: "i32", D: "i32:16", sa: "i32:16", sb: "i32:16",
      TILES):
    pid = tl.program_id(0)
    across = tl.cdiv(V, BN)
    pb = pid // across
    pv = pid % across
    ob = (pb * BM + tl.arange(0, BM)) % B
    ob = tl.load(valid + ob)
    ov = (pv * BN + tl.arange(0, BN)) % V
    od = tl.arange(0, BK)
    ep = a + (ob[:, None] * sa + od[None, :])
    cp = b + (ov[None, :] * sb + od[:, None])
    ZEROS
    for d in range(0, tl.cdiv(D, BK)):
        e = tl.load(ep, mask=od[None, :] < D - d * BK, other=0.0)
        w = tl.load(cp, mask=od[:, None] < D - d * BK, other=0.0)
        acc = tl.dot(e, w, acc)
        ep += BK
        cp += BK
    acc = tl.where((pv * BN + tl.arange(0, BN) < V)[None, :], acc, float("-inf"))
    most = tl.max(acc, axis=1)
    part = most + tl.log(tl.sum(tl.exp(acc - most[:, None]), axis=1))
    row = pb * BM + tl.arange(0, BM)
    tl.store(lse + row * across + pv, part, mask=row < B)
""",
    "a=randn(300,192):bf16 b=randn(200,192):bf16 valid=randint(0,299,240):i32 lse=zeros(240,2):fp32 B=240 V=200 D=192 sa=192 sb=192",
    "4",
    lambda np, x: (lambda t: dict(lse=np.stack([np.logaddexp.reduce(t[:, :128], axis=1), np.logaddexp.reduce(t[:, 128:], axis=1)], 1)))(
        x["a"][x["valid"].astype(int)] @ x["b"].T
    ),
)

form(
    "a product behind the loop's, over its columns, added by atomics each step (its gradient)",
    """
def k(a: "*fp16:16", b: "*fp16:16", c: "*fp32:16", lse: "*fp32:16", B: "i32:16", V: "i32:16", D: "i32:16", BM: tl.constexpr = 128,
      BN: tl.constexpr = 128, BK: tl.constexpr = 64):
    pm, pn = tl.program_id(0), tl.program_id(1)
    rm = pm * BM + tl.arange(0, BM)
    rv = pn * BN + tl.arange(0, BN)
    rd = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for d in range(0, D, BK):
        e = tl.load(a + rm[:, None] * D + (d + rd)[None, :])
        w = tl.load(b + rv[None, :] * D + (d + rd)[:, None])
        acc = tl.dot(e, w, acc)
    p = tl.exp(acc - tl.load(lse + rm)[:, None]).to(tl.float16)
    for d in range(0, D, BK):
        w = tl.load(b + rv[:, None] * D + (d + rd)[None, :])
        tl.atomic_add(c + rm[:, None] * D + (d + rd)[None, :], tl.dot(p, w))
""",
    "a=randn(256,128):fp16 b=randn(256,128):fp16 c=zeros(256,128):fp32 lse=full(40,256):fp32 B=256 V=256 D=128",
    "2,2",
    lambda np, x: dict(c=np.exp(x["a"] @ x["b"].T - 40) @ x["b"]),
)

form(
    "scores of a band: blocks outside leave early, heads of their own strides (neighbourhood attention)",
    """
def k(a: "*fp16:16", b: "*fp16:16", c: "*fp32:16", S: "i32:16", D: "i32:16", H: "i32", scale: "fp32", WINDOW: tl.constexpr = 40,
      TILES):
    zh = tl.program_id(0)
    z, h = zh // H, zh % H
    r0 = tl.program_id(1) * BM
    c0 = tl.program_id(2) * BN
    if c0 > r0 + BM + WINDOW:
        return
    if r0 > c0 + BN + WINDOW:
        return
    rm = r0 + tl.arange(0, BM)
    rn = c0 + tl.arange(0, BN)
    base = z * H * S * D + h * S * D
    ZEROS
    for k in range(0, D, BK):
        rk = k + tl.arange(0, BK)
        x = tl.load(a + base + rm[:, None] * D + rk[None, :], mask=(rm[:, None] < S) & (rk[None, :] < D), other=0.0)
        y = tl.load(b + base + rn[:, None] * D + rk[None, :], mask=(rn[:, None] < S) & (rk[None, :] < D), other=0.0)
        acc += tl.dot(x, tl.trans(y))
    acc = acc * scale
    far = tl.abs(rm[:, None] - rn[None, :])
    acc = tl.where(far <= WINDOW, acc, -1000.0)
    tl.store(c + zh * S * S + rm[:, None] * S + rn[None, :], acc, mask=(rm[:, None] < S) & (rn[None, :] < S))
""",
    "a=randn(2,208,128):fp16 b=randn(2,208,128):fp16 c=zeros(2,208,208):fp32 S=208 D=128 H=2 scale=0.5",
    "2,2,2",
    lambda np, x: dict(
        c=np.where(np.abs(np.arange(208)[:, None] - np.arange(208)) <= 40, 0.5 * x["a"] @ x["b"].swapaxes(1, 2), -1000.0)
    ),
)
