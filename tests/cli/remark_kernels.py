"""Kernels about which tests of remarks and reasons ask, by lines that their tables replace."""
HEAD = "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"

# A product, by lines to be replaced by rows of the tables.
PRODUCT = '''def k(a: "*fp16:16", b: "*fp16:16", c: "*fp16:16", M: "i32", N: "i32:16", K: "i32:16", sam: "i32:16", sak: "i32:1",
      sbk: "i32:16", scm: "i32:16", offset: "i32:16", BM: tl.constexpr = 128, BN: tl.constexpr = 128, BK: tl.constexpr = 32):
    tn = tl.cdiv(N, BN)
    pm = tl.program_id(0) // tn
    pn = tl.program_id(0) % tn
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    ap = a + offset + rm[:, None] * sam + rk[None, :] * sak
    bp = b + rk[:, None] * sbk + rn[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        x = tl.load(ap, mask=(rm[:, None] < M) & (rk[None, :] < K - k), other=0.0)
        y = tl.load(bp, mask=(rk[:, None] < K - k) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(x, y, acc)
        ap += BK * sak
        bp += BK * sbk
    tl.store(c + rm[:, None] * scm + rn[None, :], acc.to(tl.float16), mask=(rm[:, None] < M) & (rn[None, :] < N))
'''
ROWS = '''def k(x: "*fp16:16", y: "*fp16:16", stride: "i32", n: "i32:16", BLOCK: tl.constexpr = 2048):
    x += tl.program_id(0) * stride
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        total += tl.load(x + columns, mask=columns < n, other=0.0).to(tl.float32)
    tl.store(y + tl.program_id(0), tl.sum(total).to(tl.float16))
'''
CHAINS = '''def double(x: "*fp32", y: "*fp32", M: "i32"):
    at = tl.program_id(0) * 64 + tl.arange(0, 64)
    tl.store(y + at, tl.load(x + at) * 2)


@triton.jit
def shift(x: "*fp32", y: "*fp32", M: "i32"):
    at = tl.program_id(0) * 64 + tl.arange(0, 64)
    tl.store(y + at, tl.load(x + at + 1, mask=at + 1 < M * 64))


class pair:
    pass


double.grid = lambda meta: (meta["M"],)
shift.grid = lambda meta: (meta["M"],)
double.tensors = "x[M, 64] -> y[M, 64]"
shift.tensors = "x[M, 64] -> y[M, 64]"
pair.chain = "double(x, t); double(t, u); shift(u, y)"
'''

NORM = '''def norm(x: "*fp16:16", h: "*fp16:16", M: "i32", K: "i32:16"):
    r = tl.program_id(0)
    c = tl.arange(0, 256)
    v = tl.load(x + r * K + c, mask=c < K, other=0).to(tl.float32)
    tl.store(h + r * K + c, (v * tl.rsqrt(tl.sum(v * v, 0) / K + 1e-5)).to(tl.float16), mask=c < K)


@triton.jit
def product(a: "*fp16:16", b: "*fp16:16", y: "*fp16:16", M: "i32", N: "i32:16", K: "i32:16"):
    rows = tl.program_id(0) * 128 + tl.arange(0, 128)
    columns = tl.program_id(1) * 128 + tl.arange(0, 128)
    depth = tl.arange(0, 64)
    sums = tl.full((128, 128), 0, tl.float32)
    for k in range(0, K, 64):
        left = tl.load(a + rows[:, None] * K + k + depth[None, :], mask=(rows[:, None] < M) & (k + depth[None, :] < K), other=0)
        right = tl.load(b + (k + depth[:, None]) * N + columns[None, :], mask=(k + depth[:, None] < K) & (columns[None, :] < N), other=0)
        sums = tl.dot(left, right, sums)
    tl.store(y + rows[:, None] * N + columns[None, :], sums.to(tl.float16), mask=(rows[:, None] < M) & (columns[None, :] < N))


class both:
    pass


norm.grid = lambda meta: (meta["M"],)
product.grid = lambda meta: (triton.cdiv(meta["M"], 128), triton.cdiv(meta["N"], 128))
norm.tensors = "x[M, K] -> h[M, K]"
product.tensors = "a[M, K], b[K, N] -> y[M, N]"
both.chain = "norm(x, h); product(h, b, y)"
'''

SHORT = '''def k(x: "*fp32:16", y: "*fp32:16", N: tl.constexpr = 128):
    row = tl.program_id(0)
    tl.store(y + row, tl.sum(tl.load(x + row * N + tl.arange(0, N))))
'''
AGAIN = '''def k(x: "*fp32:16", n: "i32:16", B: tl.constexpr = 256):
    total = 0.0
    for i in range(0, n, B):
        total += tl.sum(tl.load(x + i + tl.arange(0, B)))
    for i in range(0, n, B):
        at = x + i + tl.arange(0, B)
        tl.store(at, tl.load(at) / total)
'''
COUNTING = '''def k(x: "*i32:16", y: "*i32:16", n: "i32"):
    i = 0
    total = 0
    while i < n:
        total += tl.load(x + i)
        i += total
    tl.store(y, total)
'''
MASKED = '''def k(q: "*fp16:16", k: "*fp16:16", y: "*fp32:16", first: "i32", n: "i32", B: tl.constexpr = 64):
    i, j = first + tl.arange(0, B), tl.arange(0, B)
    x = tl.load(q + j[:, None] * B + j[None, :])
    total = tl.zeros([B, B], tl.float32)
    for s in range(0, n, B):
        z = tl.load(k + (s + j)[None, :] * B + j[:, None])
        total += tl.where(i[:, None] >= (s + j)[None, :], tl.dot(x, z), -1.0)
    tl.store(y + j[:, None] * B + j[None, :], total)
'''
# The second product's operand is computed from the first one's result.
WEIGHTS = '''def k(q: "*fp16:16", k: "*fp16:16", v: "*fp16:16", y: "*fp32:16", n: "i32", B: tl.constexpr = 128):
    i, j, d = tl.arange(0, 128), tl.arange(0, B), tl.arange(0, 64)
    x = tl.load(q + i[:, None] * 64 + d[None, :])
    total = tl.zeros([128, 64], tl.float32)
    for s in range(0, n, B):
        w = tl.math.exp2(tl.dot(x, tl.load(k + (s + j)[None, :] * 64 + d[:, None])))
        total = tl.dot(w.to(tl.float16), tl.load(v + (s + j)[:, None] * 64 + d[None, :]), total)
    tl.store(y + i[:, None] * 64 + d[None, :], total)
'''
SUMS = '''def k(x: "*fp32:16", y: "*fp32:16", n: "i32:16", BLOCK: tl.constexpr = 256):
    total = 0.0
    for start in range(0, n, BLOCK):
        total += tl.sum(tl.load(x + start + tl.arange(0, BLOCK)))
    tl.store(y, total)
'''

# Both operands are read along rows and along columns.
BANKS = '''def k(a: "*fp16:16", b: "*fp16:16", c: "*fp32:16", n: "i32"):
    i = tl.arange(0, 64)
    p = a + i[:, None] * 64 + i[None, :]
    q = b + i[:, None] * 64 + i[None, :]
    rows = tl.zeros((64, 64), tl.float32)
    columns = tl.zeros((64, 64), tl.float32)
    for j in range(n):
        x = tl.load(p)
        y = tl.load(q)
        rows = tl.dot(x, y, rows)
        columns = tl.dot(tl.trans(x), tl.trans(y), columns)
        p += 4096
        q += 4096
    tl.store(c + i[:, None] * 64 + i[None, :], rows + columns)
'''


def replaced(source, pairs):
    for old, new in pairs:
        assert old in source, old
        source = source.replace(old, new)
    return source

