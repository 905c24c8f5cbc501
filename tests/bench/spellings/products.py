"""Dense products, their epilogues and prologues."""

from spellings.form import MM, PARTS, form, silu

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
