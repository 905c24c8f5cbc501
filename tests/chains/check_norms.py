"""Factors of rows behind products (--fuse=reassociate) give results as exact as the kernels one after another; --fuse=exact gives their bits.

    check_norms.py TKC TKC_RUN norms.tk FOLDER

Each chain runs on the emulator with sizes that fit the tiles and sizes that reach over their edges. The results of a product are compared
with sums of doubles: an error is measured in the sum of the absolute values of what is added up, of which the operands' rounding to 16
bits takes 2^-11, the column's factor as much, and the result's as much of the result. Apart they have one rounding more.
"""
import math
import sys

import frame
from frame import faults, launches, read

TKC, RUN, SOURCE, FOLDER = sys.argv[1:5]
SIZES = [(64, 128, 64), (70, 144, 208), (3, 16, 16)]
MANY_ROWS = [(1930, 32, 64)] # by the rule a product multiplies its operand by a gain
FEW_SUMS = [(500, 48, 208), (1000, 48, 208)] # by the rule one product, and two, of tiles of 16 columns read factors from memory
TILES_IN_TURN = [(140, 48, 80)] # of a block, beside the next tile's products, if their results take as long to compute
HALF = 2.0**-11
# The chains' launches, and the function of a multiplied row; none: the function of the chain before.
CHAINS = {
    "rms": ("rms(x, w, h); triple(h, b, d, e, y, z, u, M=M, N=N, K=K)", [2]),
    "mean": ("mean(x, h); triple(h, b, d, e, y, z, u, M=M, N=N, K=K)", [2]),
    "plain": ("plain(x, h); product(h, b, y, M=M, N=N, K=K)", [2]),
    "steps": ("plain(x, h); stepping(h, b, y, M=M, N=N, K=K)", [2]),
    "gated": ("plain(x, h); gated(h, b, d, y, M=M, N=N, K=K)", [2]),
    "behind": ("plain(x, h); product(h, b, t, M=M, N=N, K=K); shift(t, v, y, N=N)", [3]),
    # The factors of rows have memory: two launches have the step that scales rows.
    "memory_gain": ("rms(x, w, h); product(h, b, y, M=M, N=N, K=K)", [1, 2]),
    "memory_wide_gain": ("gain(x, s, h); product(h, b, y, M=M, N=N, K=K)", [1, 2]),
    "memory_largest": ("largest(x, h); stepping(h, b, y, M=M, N=N, K=K)", [1, 2]),
    "memory_plus_one": ("plus_one(x, h); gated(h, b, d, y, M=M, N=N, K=K)", [1, 2]),
    "memory_added": ("added(x, r, t, h); product(h, b, y, M=M, N=N, K=K) -> y, t", [1, 2]),
    "memory_unseen": ("added(x, r, t, h); product(h, b, y, M=M, N=N, K=K) -> y", [1, 2]),
    "memory_two": ("added(x, r, t, h); narrow(h, b, y, M=M, N=N, K=K); narrow(h, d, z, M=M, N=N, K=K) -> y, z, t", [1, 3]),
    "memory_two_gains": ("rms(x, w, h); narrow(h, b, y, M=M, N=N, K=K); narrow(h, d, z, M=M, N=N, K=K) -> y, z", [1, 3]),
    "memory_kept": ("residual(x, r, t); plain(t, h); product(h, b, y, M=M, N=N, K=K) -> y, t", [2, 2]),
    "memory_all_kept": ("residual(x, r, t); residual(t, x, g); plain(g, h); product(h, b, y, M=M, N=N, K=K) -> y, g", [3, 2]),
    "ahead": ("shift(x, w, t, N=K); rms(t, w, h, M=M, K=K); product(h, b, y, M=M, N=N, K=K) -> y, t", None),
    # What the norm reads has no memory: the product would need it.
    "sum_unseen": ("residual(x, r, t); plain(t, h); product(h, b, y, M=M, N=N, K=K)", [2, 1]),
    "memory_behind": ("added(x, r, t, h); product(h, b, u, M=M, N=N, K=K); shift(u, v, y, N=N) -> y, t", [1, 3]),
    "turns_loop": ("plain(x, h); product(h, b, u, M=M, N=N, K=K); bend(u, v, y, N=N) -> y", [3]),
    "turns_memory": ("added(x, r, t, h); product(h, b, u, M=M, N=N, K=K); bend(u, v, y, N=N) -> y, t", [1, 3]),
    "turns_two": (
        "added(x, r, t, h); narrow(h, b, g, M=M, N=N, K=K); narrow(h, d, u, M=M, N=N, K=K); swiglu(g, u, y) -> y, t",
        [1, 4],
    ),
    # Two products become one loop, the third would be another one.
    "apart_three": ("plain(x, h); narrow(h, b, y, M=M, N=N, K=K); narrow(h, d, z, M=M, N=N, K=K); narrow(h, e, u, M=M, N=N, K=K) -> y, z, u", [1, 2, 1]),
    "apart_layer_norm": ("layer_norm(x, h); product(h, b, y, M=M, N=N, K=K)", [1, 1]),
    "apart_changing": ("changing(x, h); product(h, b, y, M=M, N=N, K=K)", [1, 1]),
    "apart_ones": ("ones(x, h); product(h, b, y, M=M, N=N, K=K)", [1, 1]),
    "apart_half": ("plain(x, h); half(h, b, y, M=M, N=N, K=K)", [1, 1]),
    "apart_half_gain": ("half_gain(x, w, h); triple(h, b, d, e, y, z, u, M=M, N=N, K=K)", [1, 1]),
    "apart_seen": ("plain(x, h); product(h, b, y, M=M, N=N, K=K) -> y, h", [1, 1]),
    "apart_twice": ("plain(x, h); product(h, b, y, M=M, N=N, K=K); product(h, d, z, M=M, N=N, K=K)", None),
    "apart_right": ("plain(x, h); product(a, h, y, M=N, N=K, K=M)", [1, 1]),
}


def shape_of(name, m, n, k):
    shapes = {"x": [m, k], "b": [k, n], "d": [k, n], "e": [k, n], "w": [k], "s": [k], "v": [n], "a": [n, m], "h": [m, k], "t": [m, k],
              "r": [m, k], "g": [m, k]}
    return shapes.get(name, [m, n])


def is_output(param): # arrays of a flat step have no role
    return param.get("role") == "output" or param["name"] in ("y", "z", "u")


def arguments(name, chain, size):
    m, n, k = size
    given, inputs = [], []
    for i, p in enumerate(chain["params"]):
        if p["type"][0] != "*":
            value = {"M": m, "N": n, "K": k, "n": m * (k if name == "ahead" else n)}[p["name"]]
            given += ["--arg", "%s=%d" % (p["name"], value)]
            continue
        shape = [n, k] if name == "apart_right" and p["name"] == "y" else shape_of(p["name"], m, n, k)
        text = ",".join(map(str, shape))
        out = is_output(p)
        how = "empty(%s)" % text if out else "randn(%s,seed=%d)" % (text, i + 1)
        given += ["--arg", "%s=%s:%s" % (p["name"], how, p["type"][1:])]
        inputs += [] if out else ["--out", "%s=%s.npy" % (p["name"], p["name"])]
    return given, inputs


# Each kernel's left operand, in doubles: rows of x, scaled.
def scaled(name, x, w, m, k):
    out = []
    for i in range(m):
        row = x[i * k:i * k + k]
        square = sum(v * v for v in row)
        root = 1 / math.sqrt(square / k + 1e-5)
        half = 0.5 / max(sum(map(abs, row)) / k + math.sqrt(square) / 8, 1e-3)
        out.append({"rms": lambda: [v * root * g for v, g in zip(row, w)], "plain": lambda: [v * root for v in row], "mean": lambda: [v * half for v in row]}[name]())
    return out


def check_products(name, size, got):
    m, n, k = size
    x, b = read("x.npy"), read("b.npy")
    w = read("w.npy") if name == "rms" else []
    bias = read("v.npy") if name == "behind" else [0.0] * n
    rows = scaled(name if name in ("rms", "mean") else "plain", x, w, m, k)
    worst = 0.0
    for i in range(m):
        for j in range(n):
            terms = [p * b[c * n + j] for c, p in enumerate(rows[i])]
            want, sizes = sum(terms), sum(map(abs, terms))
            bound = 3 * HALF * sizes + 2 * HALF * (abs(want) + abs(bias[j])) + 1e-6
            worst = max(worst, abs(got[i * n + j] - want - bias[j]) / bound)
    if not worst <= 1:
        faults.append("%s of %s: an error of %g bounds" % (name, size, worst))


def check(name, chain, size):
    given, inputs = arguments(name, chain, size)
    more = ["--multiprocessors=1"] if name == "turns_loop" else ["-D", "BN=16", "-D", "NN=16"] if size in FEW_SUMS else []
    outputs = [p["name"] for p in chain["params"] if is_output(p)]
    results = {}
    for mode in ("--fuse=reassociate", "--fuse=exact", "--no-fuse"):
        frame.run_chain(RUN, name, "sm_90a", [mode, *more], given + inputs, {o: "out.%s.npy" % o for o in outputs})
        results[mode] = {o: read("out.%s.npy" % o) for o in outputs}
    if str(results["--fuse=exact"]) != str(results["--no-fuse"]):
        faults.append("%s of %s: --fuse=exact and --no-fuse differ" % (name, size))
    if name == "memory_gain" and size in MANY_ROWS: # one multiprocessor: its product takes more rounds, and no gain
        frame.run_chain(RUN, name, "sm_90a", ["--fuse=reassociate", "--multiprocessors=1"], given, {o: "out.%s.npy" % o for o in outputs})
        one = {o: read("out.%s.npy" % o) for o in outputs}
        if [str(one) == str(results[mode]) for mode in ("--no-fuse", "--fuse=reassociate")] != [True, False]:
            faults.append("%s: the multiprocessors do not choose" % name)
    if name in ("rms", "mean", "plain", "steps", "behind"):
        check_products(name, size, results["--fuse=reassociate"]["y"])
        check_products(name, size, results["--no-fuse"]["y"])
    else:
        if (name.startswith("turns") or size in FEW_SUMS) and str(results["--fuse=reassociate"]) == str(results["--no-fuse"]):
            faults.append("%s: the product reads scaled rows" % name)
        for o in outputs:
            one, other = results["--fuse=reassociate"][o], results["--no-fuse"][o]
            far = math.sqrt(sum((p - q)**2 for p, q in zip(one, other)))
            if not far <= 2e-3 * math.sqrt(sum(q * q for q in other)):
                faults.append("%s of %s: %s is far from --no-fuse" % (name, size, o))


frame.begin(SOURCE, FOLDER, {name: steps for name, (steps, _) in CHAINS.items()})
for mode, fused in (("exact", False), ("reassociate", True)):
    chains = frame.described(TKC, mode + ".json", "-t", "sm_90a", "-w", "8", "--fuse=" + mode)
    for name, (steps, want) in CHAINS.items():
        got = launches(chains[name])
        if fused and name == "memory_gain" and launches(chains[name], "when") != [1, 1]:
            faults.append("%s: sizes do not choose" % name)
        other = {"plain": [1, 1], "memory_largest": [1, 1], "memory_added": [1, 1], "turns_loop": [1, 2], "turns_memory": [1, 2], "turns_two": [1, 3]}
        if fused and name in other and launches(chains[name], "when") != other[name]:
            faults.append("%s: sizes do not choose another form" % name)
        if fused and want and got != want:
            faults.append("%s has launches of %s steps, not %s" % (name, got, want))
        rows = "residual" in steps
        if not fused and rows and got[-2:] != [len(steps.split(";")) - 1, 1]:
            faults.append("%s has launches of %s steps, though all but the product are rows" % (name, got))
        if not fused and max(got) > 1 and name not in ("behind", "ahead", "apart_twice", "memory_behind", "turns_loop", "turns_memory", "turns_two", "memory_added", "memory_two", "memory_two_gains", "apart_three") and not rows:
            faults.append("%s has launches of %s steps, though no bit may change" % (name, got))
for name, chain in sorted(chains.items()):
    if not name.startswith("apart") and name not in ("memory_wide_gain", "memory_two_gains", "memory_all_kept", "turns_memory"): # those run as without the option, or as others do
        products = 2 if name in ("memory_plus_one", "memory_two") else 1
        memory = FEW_SUMS[products - 1:products] if name.startswith("memory") else SIZES[1:2]
        sizes = MANY_ROWS if name == "memory_gain" else TILES_IN_TURN if name.startswith("turns") else memory
        for size in SIZES if name == "rms" else sizes:
            check(name, chain, size)
# Where a multiprocessor has several blocks, they hide the factors' multiplication: no sizes choose.
given, _ = arguments("memory_kept", chains["memory_kept"], SIZES[1])
found = []
for mode in ("--fuse=reassociate", "--no-fuse"):
    frame.run_chain(RUN, "memory_kept", "gfx942", [mode], given, {"y": "y.npy"})
    found.append(str(read("y.npy")))
if found[0] == found[1]:
    faults.append("memory_kept: the product of gfx942 reads scaled rows")
# A row without columns has no mean; its products are 0.
for name, chain in sorted(chains.items()):
    if name in ("rms", "mean", "plain", "steps", "memory_kept"):
        given, _ = arguments(name, chain, (3, 16, 16))
        given = ["K=0" if x == "K=16" else x for x in given]
        frame.run_chain(RUN, name, "sm_90a", ["--fuse=reassociate"], given, {"y": "y.npy", **({"t": "t.npy"} if name == "memory_kept" else {})})
        if any(v != 0 for v in read("y.npy")):
            faults.append("%s: rows without columns give no zeros" % name)
# Narrow tiles, and one warpgroup, would wait for the sums: the step writes the factors.
for name, more in (("narrow", ["-D", "BN=128", "-w", "8"]), ("four", ["-w", "4"])):
    if launches(frame.described(TKC, name + ".json", "-t", "sm_90a", "--fuse=reassociate", *more)["plain"]) != [1, 2]:
        faults.append("plain of %s tiles is one kernel, or stays apart" % name)
frame.end()
