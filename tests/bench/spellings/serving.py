"""Products of experts and groups, and quantised weights, as serving and training systems have them."""

from spellings.form import form


def nibbles(np, words, count=8):
    return words.astype(np.int64)[..., None] >> (4 * np.arange(count)) & 15


form(
    "a batch of experts: count loaded, early return, the product in a function of its own (batched MoE)",
    """
def multiply(ap, bp, K, sbk, om, rm, rn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    ok = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        x = tl.load(ap, mask=om[:, None] & (ok[None, :] < K - k * BK), other=0.0)
        y = tl.load(bp, mask=ok[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(x, y, acc)
        ap += BK
        bp += BK * sbk
    return acc


@triton.jit
def k(a: "*bf16:16", b: "*bf16:16", c: "*bf16:16", counts: "*i32:16", most: "i64", N: "i64:16", K: "i64:16", sae: "i64:16",
      sam: "i64:16", sbe: "i64:16", sbn: "i64:16", sce: "i64:16", scm: "i64:16", TILES):
    e = tl.program_id(0)
    have = tl.load(counts + e)
    if have == 0:
        return
    across = tl.cdiv(N, BN)
    pm = tl.program_id(1) // across
    pn = tl.program_id(1) % across
    first = pm * BM
    column = pn * BN
    if first >= have:
        return
    rows = min(BM, have - first)
    columns = min(BN, N - column)
    a += e * sae + first * sam
    b += e * sbe + column * sbn
    c += e * sce + first * scm + column
    om = tl.arange(0, BM)
    on = tl.arange(0, BN).to(tl.int64)
    ok = tl.arange(0, BK)
    mask = om < rows
    ap = a + om[:, None] * sam + ok[None, :]
    bp = b + ok[:, None] + on[None, :] * sbn
    acc = multiply(ap, bp, K, 1, mask, om, on, BM, BN, BK)
    tl.store(c + om[:, None] * scm + on[None, :], acc.to(tl.bfloat16), mask=mask[:, None] & (on < columns)[None, :])
""",
    "a=randn(3,256,192):bf16 b=randn(3,256,192):bf16 c=zeros(3,256,256):bf16 most=256 N=256 K=192 sae=49152 sam=192 sbe=49152 sbn=192"
    " sce=65536 scm=256",
    "3,4",
    lambda np, x: dict(c=np.where(np.arange(256)[None, :, None] < x["counts"][:, None, None], x["a"] @ x["b"].swapaxes(1, 2), 0)),
    given=lambda np: dict(counts=np.array([200, 0, 77], np.int32)),
)

form(
    "experts: gathered rows in fp8, a scale a token and 128 of K, a scale a block of weights",
    """
def k(a: "*fp8e4nv:16", b: "*fp8e4nv:16", c: "*bf16:16", sa: "*fp32:16", sb: "*fp32:16", ids: "*i32:16", experts: "*i32:16",
      padded: "*i32:16", N: "i32:16", K: "i32:16", EM: "i32", tokens: "i32", sam: "i32:16", sbe: "i64:16", sbn: "i32:16", scm: "i32:16",
      sasm: "i32", sbse: "i32", sbsn: "i32", TOP: tl.constexpr = 2, BM: tl.constexpr = 64, BN: tl.constexpr = 128,
      BK: tl.constexpr = 128, GM: tl.constexpr = 8):
    pid = tl.program_id(axis=0)
    gm = tl.cdiv(EM, BM)
    gn = tl.cdiv(N, BN)
    per = GM * gn
    group = pid // per
    first = group * GM
    size = min(gm - first, GM)
    pm = first + ((pid % per) % size)
    pn = (pid % per) // size
    if pm * BM >= tl.load(padded):
        return
    token = tl.load(ids + pm * BM + tl.arange(0, BM)).to(tl.int64)
    inside = token < tokens
    on = (pn * BN + tl.arange(0, BN).to(tl.int64)) % N
    ok = tl.arange(0, BK)
    ap = a + (token[:, None] // TOP * sam + ok[None, :])
    e = tl.load(experts + pm).to(tl.int64)
    bp = b + e * sbe + (ok[:, None] + on[None, :] * sbn)
    sap = sa + (token // TOP) * sasm
    sbp = sb + e * sbse + (on // 128) * sbsn
    ZEROS
    for k in range(0, tl.cdiv(K, BK)):
        x = tl.load(ap, mask=inside[:, None] & (ok[None, :] < K - k * BK), other=0.0)
        y = tl.load(bp, mask=ok[:, None] < K - k * BK, other=0.0)
        g = k * BK // 128
        xs = tl.load(sap + g, mask=inside, other=0.0)
        ys = tl.load(sbp + g)
        acc += tl.dot(x, y) * xs[:, None] * ys[None, :]
        ap += BK
        bp += BK
    rn = pn * BN + tl.arange(0, BN)
    tl.store(c + scm * token[:, None] + rn[None, :], acc.to(tl.bfloat16), mask=inside[:, None] & (rn[None, :] < N))
""",
    "a=randn(128,256):fp8e4nv b=randn(3,256,256):fp8e4nv c=zeros(250,256):bf16 sa=rand(128,2):fp32 sb=rand(3,2,2):fp32 ids=arange(256):i32"
    " N=256 K=256 EM=256 tokens=250 sam=256 sbe=65536 sbn=256 scm=256 sasm=2 sbse=4 sbsn=2",
    "8",
    lambda np, x: dict(
        c=np.concatenate(
            [
                (
                    (x["a"] * x["sa"].repeat(128, 1)).repeat(2, 0)[64 * g : 64 * g + 64]
                    @ (x["b"][e] * x["sb"][e].repeat(128, 0).repeat(128, 1)).T
                )
                for g, e in enumerate((0, 0, 2, 1))
            ]
        )[:250]
    ),
    given=lambda np: dict(experts=np.array([0, 0, 2, 1], np.int32), padded=np.array([256], np.int32)),
    warps=4,
)

form(
    "experts: int4 weights by bytes along K, zeros and scales of groups, gathered rows",
    """
def k(a: "*fp16:16", b: "*u8:16", c: "*fp16:16", sb: "*fp16:16", zb: "*u8:16", ids: "*i32:16", experts: "*i32:16", padded: "*i32:16",
      N: "i32:16", K: "i32:16", tokens: "i32", TOP: tl.constexpr = 2, GROUP: tl.constexpr = 64, TILES):
    across = tl.cdiv(N, BN)
    pm = tl.program_id(0) // across
    pn = tl.program_id(0) % across
    if pm * BM >= tl.load(padded):
        return
    token = tl.load(ids + pm * BM + tl.arange(0, BM).to(tl.int64))
    inside = token < tokens
    e = tl.load(experts + pm).to(tl.int64)
    on = (pn * BN + tl.arange(0, BN).to(tl.int64)) % N
    ok = tl.arange(0, BK)
    ap = a + (token[:, None] // TOP * K + ok[None, :])
    bp = b + e * N * (K // 2) + (ok[:, None] // 2) + on[None, :] * (K // 2)
    shift = (ok[:, None] % 2) * 4
    ZEROS
    for k in range(0, tl.cdiv(K, BK)):
        x = tl.load(ap, mask=inside[:, None] & (ok[None, :] < K - k * BK), other=0.0)
        w = tl.load(bp)
        w = (w >> shift) & 0xF
        g = (ok[:, None] + BK * k) // GROUP
        s = tl.load(sb + e * N * (K // GROUP) + on[None, :] * (K // GROUP) + g).to(tl.float32)
        z = tl.load(zb + e * (N // 2) * (K // GROUP) + (on[None, :] // 2) * (K // GROUP) + g)
        z = ((z >> (on[None, :] % 2) * 4) & 0xF).to(tl.float32)
        w = ((w.to(tl.float32) - z) * s).to(tl.float16)
        acc = tl.dot(x, w, acc=acc)
        ap += BK
        bp += BK // 2
    rn = pn * BN + tl.arange(0, BN)
    tl.store(c + token[:, None] * N + rn[None, :], acc.to(tl.float16), mask=inside[:, None] & (rn[None, :] < N))
""",
    "a=randn(128,128):fp16 b=randint(0,255,2,256,64):u8 c=zeros(250,256):fp16 sb=rand(2,256,2):fp16 zb=randint(0,255,2,128,2):u8"
    " ids=arange(256):i32 N=256 K=128 tokens=250",
    "4",
    lambda np, x: dict(
        c=np.concatenate(
            [
                x["a"].repeat(2, 0)[128 * g : 128 * g + 128]
                @ (
                    (
                        nibbles(np, x["b"][g], 2).reshape(256, 128)
                        - nibbles(np, x["zb"][g], 2).transpose(0, 2, 1).reshape(256, 2).repeat(64, 1)
                    )
                    * x["sb"][g].repeat(64, 1)
                ).T
                for g in range(2)
            ]
        )[:250]
    ),
    given=lambda np: dict(experts=np.array([0, 1], np.int32), padded=np.array([256], np.int32)),
)

form(
    "expert and block of rows packed in one word, gathered rows, pairs of columns gated and clamped (gpt-oss)",
    """
def k(a: "*bf16:16", b: "*bf16:16", bias: "*fp32:16", c: "*bf16:16", blocks: "*i32:16", gather: "*i32:16", starts: "*i32:16",
      sizes: "*i32:16", N: "i32:16", K: "i32:16", limit: "fp32", TILES):
    pid = tl.program_id(0)
    across = tl.cdiv(N, BN)
    word = tl.load(blocks + pid // across)
    if word == -1:
        return
    e = word & 0x0000FFFF
    block = word >> 16
    pn = pid % across
    size = tl.load(sizes + e)
    start = tl.load(starts + e)
    om = block * BM + tl.arange(0, BM)
    om = tl.max_contiguous(tl.multiple_of(om % size, BM), BM)
    row = tl.load(gather + start + om)
    on = pn * BN + tl.arange(0, BN)
    ok = tl.arange(0, BK)
    ap = a + row.to(tl.int64)[:, None] * K + ok[None, :]
    bp = b + e.to(tl.int64) * K * N + (ok.to(tl.int64)[:, None] * N + on.to(tl.int64)[None, :])
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(K, 0, -BK):
        x = tl.load(ap, mask=ok[None, :] < k, other=0.0)
        w = tl.load(bp, mask=(ok[:, None] < k) & (on[None, :] < N), other=0.0)
        acc = tl.dot(x, w, acc)
        ap += BK
        bp += BK * N
    acc = acc + tl.load(bias + e * N + on, mask=on < N, other=0.0)[None, :]
    gate, up = tl.split(tl.reshape(acc, (BM, BN // 2, 2)))
    gate = tl.minimum(gate, limit)
    up = tl.clamp(up, -limit, limit)
    out = gate / (1 + tl.exp(-1.702 * gate)) * (up + 1)
    rows = block * BM + tl.arange(0, BM)
    oh = pn * (BN // 2) + tl.arange(0, BN // 2)
    tl.store(c + (start + rows)[:, None] * (N // 2) + oh[None, :], out.to(tl.bfloat16), mask=(rows < size)[:, None] & (oh < N // 2)[None, :])
""",
    "a=randn(150,192):bf16 b=randn(2,192,256):bf16 bias=randn(2,256):fp32 c=zeros(300,128):bf16 gather=randint(0,149,300):i32 N=256 K=192"
    " limit=7",
    "8",
    lambda np, x: dict(
        c=np.concatenate(
            [
                (lambda t: (lambda g, u: g / (1 + np.exp(-1.702 * g)) * (u + 1))(np.minimum(t[:, ::2], 7), np.clip(t[:, 1::2], -7, 7)))(
                    x["a"][x["gather"].astype(int)[i:j]] @ x["b"][e] + x["bias"][e]
                )
                for e, (i, j) in enumerate(((0, 100), (100, 300)))
            ]
        )
    ),
    given=lambda np: dict(
        blocks=np.array([0, 1, 1 | 1 << 16, -1], np.int32), starts=np.array([0, 100], np.int32), sizes=np.array([100, 200], np.int32)
    ),
)

form(
    "tiles of groups by a while loop in a loop over experts, weights by a descriptor of three dimensions (unsloth)",
    """
def k(a: "*bf16:16", b: "*bf16:16", c: "*bf16:16", sizes: "*i32:16", gather: "*i32:16", E: tl.constexpr = 3, N: tl.constexpr = 256,
      K: tl.constexpr = 192, PROGRAMS: tl.constexpr = 3, TILES):
    tid = tl.program_id(0)
    wd = tl.make_tensor_descriptor(b, shape=[E, N, K], strides=[N * K, K, 1], block_shape=[1, BN, BK])
    m_end = 0
    done = 0
    mb = tl.arange(0, BM)
    kb = tl.arange(0, BK)
    for e in tl.range(E):
        m_start = m_end
        size = tl.load(sizes + e).to(tl.int32)
        m_end = m_start + size
        if size > 0:
            tm = tl.cdiv(size, BM)
            tn = tl.cdiv(N, BN)
            mine = tm * tn
            while tid >= done and tid < done + mine:
                here = tid - done
                im = here % tm
                jn = here // tm
                rows = im * BM + tl.max_contiguous(tl.multiple_of(mb % size, BM), BM)
                which = m_start + rows
                mask = which < m_end
                which = tl.minimum(which, m_end - 1)
                src = tl.load(gather + which)
                xp = a + src[:, None] * K + kb[None, :]
                acc = tl.zeros((BM, BN), dtype=tl.float32)
                for kk in range(0, K, BK):
                    x = tl.load(xp, mask=mask[:, None])
                    w = wd.load([e, jn * BN, kk]).reshape((BN, BK))
                    acc += tl.dot(x, w.T)
                    xp += BK
                y = acc.to(tl.bfloat16)
                on = jn * BN + tl.arange(0, BN)
                tl.store(c + which[:, None] * N + on[None, :], y, mask=mask[:, None] & (on[None, :] < N))
                tid += PROGRAMS
            done += mine
""",
    "a=randn(200,192):bf16 b=randn(3,256,192):bf16 c=zeros(300,256):bf16 gather=randint(0,199,300):i32",
    "3",
    lambda np, x: dict(
        c=np.concatenate(
            [x["a"][x["gather"].astype(int)[i:j]] @ x["b"][e].T for e, (i, j) in ((0, (0, 100)), (2, (100, 300)))]
        )
    ),
    given=lambda np: dict(sizes=np.array([100, 0, 200], np.int32)),
)

form(
    "groups of 64-bit sizes, a while loop of tiles, rows and columns masked (FBGEMM)",
    """
def k(a: "*bf16:16", b: "*bf16:16", c: "*bf16:16", sizes: "*i64:16", G: tl.constexpr = 3, N: tl.constexpr = 256, K: tl.constexpr = 192,
      PROGRAMS: tl.constexpr = 4, TILES):
    tid = tl.program_id(0)
    m_end = 0
    m_end = m_end.to(tl.int64) if False else 0
    done = 0
    for g in tl.range(G):
        size = tl.load(sizes + g).to(tl.int32)
        m_start = m_end
        m_end = m_start + size
        if size > 0:
            n_start = g.to(tl.int64) * N
            tm = tl.cdiv(size, BM)
            tn = tl.cdiv(N, BN)
            mine = tm * tn
            while tid >= done and tid < done + mine:
                here = tid - done
                im = here % tm
                jn = here // tm
                om = im * BM + tl.arange(0, BM)
                on = jn * BN + tl.arange(0, BN)
                ok = tl.arange(0, BK)
                ap = a + (m_start + om[:, None]) * K + ok[None, :]
                bp = b + (n_start + on[:, None]) * K + ok[None, :]
                acc = tl.zeros((BM, BN), dtype=tl.float32)
                for k in range(0, K, BK):
                    x = tl.load(ap, mask=om[:, None] < size)
                    w = tl.load(bp, mask=on[:, None] < N)
                    acc += tl.dot(x, w.T)
                    ap += BK
                    bp += BK
                tl.store(c + (m_start + om[:, None]) * N + on[None, :], acc.to(tl.bfloat16), mask=(om[:, None] < size) & (on[None, :] < N))
                tid += PROGRAMS
            done += mine
""".replace("    m_end = m_end.to(tl.int64) if False else 0\n", ""),
    "a=randn(300,192):bf16 b=randn(3,256,192):bf16 c=zeros(300,256):bf16",
    "4",
    lambda np, x: dict(c=np.concatenate([x["a"][i:j] @ x["b"][e].T for e, (i, j) in ((0, (0, 100)), (2, (100, 300)))])),
    given=lambda np: dict(sizes=np.array([100, 0, 200], np.int64)),
)

form(
    "rows sorted by expert, blocks cut by experts: a loop over those of a block (ScatterMoE)",
    """
def k(a: "*fp16:16", b: "*fp16:16", c: "*fp32:16", gather: "*i32:16", of: "*i32:16", M: "i32", N: "i32:16", K: "i32:16", TILES):
    pid = tl.program_id(0)
    across = tl.cdiv(N, BN)
    pm = pid // across
    pn = pid % across
    rows = pm * BM + tl.arange(0, BM)
    inside = rows < M
    es = tl.load(of + rows, mask=inside, other=3)
    first = tl.min(es)
    last = tl.minimum(tl.max(es), 2)
    src = tl.load(gather + rows, mask=inside, other=0)
    on = pn * BN + tl.arange(0, BN)
    ok = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for e in range(first, last + 1):
        mine = es == e
        ap = a + src[:, None] * K + ok[None, :]
        bp = b + e * K * N + ok[:, None] * N + on[None, :]
        for k in range(0, tl.cdiv(K, BK)):
            x = tl.load(ap, mask=mine[:, None], other=0.0)
            w = tl.load(bp)
            acc += tl.dot(x, w, allow_tf32=False)
            ap += BK
            bp += BK * N
    tl.store(c + rows[:, None] * N + on[None, :], acc, mask=inside[:, None])
""",
    "a=randn(200,192):fp16 b=randn(3,192,256):fp16 c=zeros(240,256):fp32 gather=randint(0,199,240):i32 M=240 N=256 K=192",
    "4",
    lambda np, x: dict(
        c=np.concatenate(
            [x["a"][x["gather"].astype(int)[i:j]] @ x["b"][e] for e, (i, j) in enumerate(((0, 100), (100, 180), (180, 240)))]
        )
    ),
    given=lambda np: dict(of=np.array([0] * 100 + [1] * 80 + [2] * 60, np.int32)),
)

form(
    "int4 words along K, parts of K dealt in turns and added by atomics, zeros plus one (GPTQ split K)",
    """
def k(a: "*fp16:16", b: "*i32:16", c: "*fp32:16", scales: "*fp16:16", zeros: "*i32:16", SIZES, sam: "i32:16", sbk: "i32:16",
      scm: "i32:16", ssg: "i32:16", szg: "i32", GROUP: tl.constexpr = 128, SPLIT: tl.constexpr = 2, TILES):
    pid = tl.program_id(0)
    part = tl.program_id(1)
    across = tl.cdiv(N, BN)
    pm, pn = pid // across, pid % across
    om = pm * BM + tl.arange(0, BM)
    on = pn * BN + tl.arange(0, BN)
    ok = part * BK + tl.arange(0, BK)
    ap = a + om[:, None] * sam + ok[None, :]
    bp = b + (ok[:, None] // 8) * sbk + on[None, :]
    sp = scales + on
    zp = zeros + (on // 8)
    shift = (ok % 8) * 4
    zshift = (on % 8) * 4
    ZEROS
    for k in range(0, tl.cdiv(K, BK * SPLIT)):
        x = tl.load(ap)
        w = tl.load(bp)
        g = (k * SPLIT + part) // (GROUP // BK)
        s = tl.load(sp + g * ssg)
        z = tl.load(zp + g * szg)
        z = (z >> zshift) & 0xF
        z = (z + 1) * s
        w = (w >> shift[:, None]) & 0xF
        w = w * s[None, :] - z[None, :]
        acc += tl.dot(x, w.to(tl.float16))
        ap += BK * SPLIT
        bp += (BK * SPLIT // 8) * sbk
    tl.atomic_add(c + om[:, None] * scm + on[None, :], acc, sem="release")
""",
    "a=randn(256,256):fp16 b=randint(-2000000000,2000000000,32,256):i32 c=zeros(256,256):fp32 scales=rand(2,256):fp16"
    " zeros=randint(-2000000000,2000000000,2,32):i32 M=256 N=256 K=256 sam=256 sbk=256 scm=256 ssg=256 szg=32",
    "4,2",
    lambda np, x: dict(
        c=x["a"]
        @ (
            (
                nibbles(np, x["b"]).transpose(0, 2, 1).reshape(256, 256)
                - (nibbles(np, x["zeros"]).reshape(2, 256).repeat(128, 0) + 1)
            )
            * x["scales"].repeat(128, 0)
        )
    ),
)

form(
    "weights of two bits, four in a byte along K: a loop over the places in a loop (BitNet)",
    """
def k(a: "*i8:16", b: "*u8:16", c: "*i32:16", SIZES, BM: tl.constexpr = 128, BN: tl.constexpr = 128, BK: tl.constexpr = 64):
    pid = tl.program_id(0)
    across = tl.cdiv(N, BN)
    pm, pn = pid // across, pid % across
    om = (pm * BM + tl.arange(0, BM)) % M
    on = (pn * BN + tl.arange(0, BN)) % N
    ok = tl.arange(0, BK)
    ap = a + (om[:, None] * K + ok[None, :])
    bp = b + (ok[:, None] * N + on[None, :])
    acc = tl.zeros((BM, BN), dtype=tl.int32)
    for i in range(4):
        bp = b + (ok[:, None] * N + on[None, :])
        for j in range(0, tl.cdiv(K // 4, BK)):
            k = i * tl.cdiv(K // 4, BK) + j
            x = tl.load(ap, mask=ok[None, :] < K - k * BK, other=0)
            w = tl.load(bp, mask=ok[:, None] < K, other=0)
            mask = 3 << (2 * i)
            w = (w & mask) >> (2 * i)
            w = w.to(tl.int8) - 1
            acc += tl.dot(x, w, out_dtype=tl.int32)
            ap += BK
            bp += BK * N
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    tl.store(c + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))
""",
    "a=randint(-100,100,256,512):i8 b=randint(0,255,128,256):u8 c=zeros(256,256):i32 M=256 N=256 K=512",
    "4",
    lambda np, x: dict(
        c=x["a"] @ np.concatenate([(x["b"].astype(int) >> (2 * i) & 3) - 1 for i in range(4)])
    ),
)

form(
    "fp8 weights in blocks of 128 by 128 with a scale, made bf16 in the loop",
    """
def k(a: "*bf16:16", b: "*fp8e4nv:16", c: "*bf16:16", scales: "*fp32:16", M: "i32", N: "i32:16", K: "i32:16", BM: tl.constexpr = 128,
      BN: tl.constexpr = 128, BK: tl.constexpr = 64):
    PIDS
    om = pm * BM + tl.arange(0, BM)
    on = pn * BN + tl.arange(0, BN)
    ok = tl.arange(0, BK)
    ap = a + om[:, None] * K + ok[None, :]
    bp = b + on[None, :] * K + ok[:, None]
    inside = om[:, None] < M
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        x = tl.load(ap, mask=inside, other=0.0)
        w = tl.load(bp)
        s = tl.load(scales + (pn * BN // 128) * (K // 128) + k * BK // 128)
        w = (w.to(tl.float32) * s).to(tl.bfloat16)
        acc += tl.dot(x, w)
        ap += BK
        bp += BK
    tl.store(c + om[:, None] * N + on[None, :], acc.to(tl.bfloat16), mask=inside)
""",
    "a=randn(200,256):bf16 b=randn(256,256):fp8e4nv c=zeros(200,256):bf16 scales=rand(2,2):fp32 M=200 N=256 K=256",
    "2,2",
    lambda np, x: dict(c=x["a"] @ (x["b"] * x["scales"].repeat(128, 0).repeat(128, 1)).T),
)

form(
    "mxfp8 by mxfp8 with dot_scaled, scales of 32",
    """
def k(a: "*fp8e4nv:16", b: "*fp8e4nv:16", c: "*fp32:16", sa: "*u8:16", sb: "*u8:16", SIZES, TILES):
    PIDS
    RANGES
    ks = tl.arange(0, BK // 32)
    ap = a + rm[:, None] * K + rk[None, :]
    bp = b + rk[:, None] + rn[None, :] * K
    sap = sa + rm[:, None] * (K // 32) + ks[None, :]
    sbp = sb + rn[:, None] * (K // 32) + ks[None, :]
    ZEROS
    for k in range(0, tl.cdiv(K, BK)):
        acc = tl.dot_scaled(tl.load(ap), tl.load(sap), "e4m3", tl.load(bp), tl.load(sbp), "e4m3", acc)
        ap += BK
        bp += BK
        sap += BK // 32
        sbp += BK // 32
    STORE
""",
    "a=randn(256,256):fp8e4nv b=randn(256,256):fp8e4nv c=zeros(256,256):fp32 sa=randint(125,129,256,8):u8 sb=randint(125,129,256,8):u8"
    " M=256 N=256 K=256",
    "2,2",
    lambda np, x: dict(
        c=(x["a"] * np.exp2(x["sa"] - 127).repeat(32, 1)) @ (x["b"] * np.exp2(x["sb"] - 127).repeat(32, 1)).T
    ),
    defines="BK=128",
)
