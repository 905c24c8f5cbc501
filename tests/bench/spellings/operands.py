"""Products of groups, of sparse and quantised operands, convolutions."""

from spellings.form import form

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
