"""Chains of products, rows and elementwise kernels of other tiles give the same bits as one kernel and as a launch each, on the emulator.

    check_tiles.py TKC TKC_RUN tiles.tk FOLDER [SEEDS]

The chains below, of which the expected steps become one kernel, and SEEDS random ones (default 8). Sizes, tiles and chips change from
chain to chain: tiles that fit, and tiles that reach over the edge.
"""
import json
import os
import random
import shutil
import subprocess
import sys

TKC, RUN, SOURCE, FOLDER = sys.argv[1:5]
SEEDS = int(sys.argv[5]) if len(sys.argv) > 5 else 8
CHIPS = ["sm_90a", "gfx942", "sm_80", "gfx1100"]
SIZES = [(80, 144, 48), (64, 64, 64), (33, 208, 32), (128, 128, 96)]
# The launches of the chains: the number of steps in each.
CHAINS = {
    "flat": ("product(a, b, t); bias_gelu(t, bias, y, N=N)", [2]),
    "rows": ("product(a, b, t); residual(t, r, y)", [2]),
    "tiles": ("product(a, b, t); gate(t, g, y)", [2]),
    "square": ("product(a, b, t); relu(t, y)", [2]),
    "scales": ("product(a, b, t); scaled_rows(t, scale, u, M=M, N=N); quantise(u, scale, q, M=M, N=N) -> q, u", [3]),
    "random_bits": ("product(a, b, t); dropout(t, u, seed=5); residual(u, r, y, M=M, N=N)", [3]),
    "two": ("product(a, b, t); part(t, y, z, some=2)", [2]),
    "both": ("product(a, b, t); product(a, w, u); residual(t, u, y)", [3]),
    "gated": ("product(a, b, t, M=M, N=N); product(a, w, u, M=M, N=N); swiglu(t, u, y)", [3]),
    "halves": ("product(a, b, t); gated_rows(t, half)", [2]),
    "halves_in_tiles": ("product(a, b, t, M=M, N=N); gated_tiles(t, half); relu(half, half_relu, M=M, N=F)", [2, 1]),
    "halves_looped": ("persistent(a, b, t); gated_tiles(t, half)", [2]),
    "apart_halves": ("product(a, b, t); gated_rows(t, half) -> half, t", [1, 1]),
    "unread": ("product(a, b, t, M=M, N=N); product(a, w, u, M=M, N=N); relu(u, y, M=M, N=N) -> y", [3]),
    "seen": ("product(a, b, t); bias_gelu(t, bias, y, N=N) -> y, t", [2]),
    "loop": ("persistent(a, b, t); bias_gelu(t, bias, u, N=N); residual(u, r, y, M=M, N=N)", [3]),
    "norms": ("norm(r, t); bias_gelu(t, bias, u, N=N); softmax(u, y, M=M, N=N)", [3]),
    "norm_tiles": ("norm(r, t); gate(t, g, u, M=M, N=N); dropout(u, y, seed=3)", [3]),
    "in_place": ("product(a, b, t); residual(t, y, y) -> y", [2]),
    "all": ("product(a, b, t); gate(t, g, u, M=M, N=N); dropout(u, v, seed=2); quantise(v, scale, q, M=M, N=N)", [4]),
    "apart_shifted": ("product(a, b, t); shifted(t, y)", [1, 1]),
    "apart_softmax": ("product(a, b, t); bias_gelu(t, bias, u, N=N); softmax(u, y, M=M, N=N)", [2, 1]),
    "apart_unbounded": ("product(a, b, t); unbounded(t, y)", [1, 1]),
    "apart_looped": ("product(a, b, t); looped(t, y)", [1, 1]),
    "apart_branch": ("product(a, b, t); branch(t, y, last=100)", [1, 1]),
    "apart_numbered": ("product(a, b, t); numbered(t, y)", [1, 1]),
    "elementwise": ("product(a, b, t); shifted(t, u); dropout(u, y, seed=3)", [1, 2]),
    "weights": ("product(a, b, t); product(t, v, y, M=M, N=N, K=N)", [1, 1]),
    "apart_sizes": ("product(a, b, t); bias_gelu(t, bias, y, N=K)", [2]),
}
# Behind products of warpgroups only little work is done, and no two large tiles wait.
WIDE = {"flat": [1, 1], "rows": [2], "tiles": [2], "both": [3], "random_bits": [1, 1, 1]}
# More work is done beside the next tile's products, if a warp of its own copies the operands: rows that are no multiple of 16 bytes it does
# not copy.
LARGE = ["-D", "BM=128", "-D", "BN=256", "-D", "BK=64", "-w", "8"]
BESIDE = {"large": [2], "plain_k": [1, 1], "left_out": [1, 1]}
# Two products in one loop, whose results are computed beside the next tile's: of more steps than pieces, and of fewer.
GATED = ["-D", "BM=128", "-D", "BN=128", "-D", "BK=64", "-w", "8"]
GATED_SIZES = [(300, 272, 80), (257, 528, 1104), (129, 144, 16)]
# Columns as a number of the source: of all, of a half, and of a step on the first half alone.
FIXED = {
    "fixed": ("product(a, b, t, N=128); residual(t, r, y, N=128)", [2]),
    "fixed_halves": ("product(a, b, t, N=128); gated_rows(t, half, F=64)", [2]),
    "fixed_part": ("product(a, b, t, N=128); first_half(t, half, F=64)", [2]),
}
FIXED_SIZE = (33, 128, 32)
FIRST = ["product(a, b, @)", "persistent(a, b, @)", "norm(r, @)"]
STEPS = ["bias_gelu($, bias, @, N=N)", "scaled_rows($, scale, @, M=M, N=N)", "residual($, r, @, M=M, N=N)", "gate($, g, @, M=M, N=N)", "relu($, @, M=M, N=N)",
         "dropout($, @, seed=SEED)", "part($, @, zLET, some=SOME)", "residual($, OLD, @, M=M, N=N)", "shifted($, @)",
         "softmax($, @, M=M, N=N)", "norm($, @, M=M, N=N)"]
faults = []


def random_chain(seed):
    r = random.Random(seed)
    rows, text = ["t0"], [r.choice(FIRST).replace("@", "t0")]
    outputs = []
    for i in range(1, r.randint(2, 5)):
        step = r.choice(STEPS).replace("$", rows[-1]).replace("@", "t%d" % i).replace("OLD", r.choice(rows))
        text.append(step.replace("LET", str(i)).replace("SEED", str(seed)).replace("SOME", str(seed % 3)))
        outputs += ["z%d" % i] if "part" in step else []
        rows.append("t%d" % i)
    outputs = sorted({rows[-1]} | set(r.sample(rows, r.randint(0, 1)))) + outputs
    return "; ".join(text) + " -> " + ", ".join(outputs)


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def shape_of(name, m, n, k):
    return {"a": [m, k], "b": [k, n], "w": [k, n], "bias": [n], "scale": [m], "g": [n, m], "v": [n, n], "half": [m, n // 2], "half_relu": [m, n // 2]}.get(name, [m, n])


def arguments(chain, size):
    m, n, k = size
    numbers, given = {"M": m, "N": n, "K": k, "F": n // 2, "n": m * n, "some": 1}, []
    for i, p in enumerate(chain["params"]):
        if p["type"][0] != "*":
            given += ["--arg", "%s=%s" % (p["name"], numbers[p["name"]])]
            continue
        shape = ",".join(map(str, shape_of(p["name"], *size)))
        how = "empty(%s)" % shape if p.get("role") == "output" else "randn(%s,seed=%d)" % (shape, i + 1)
        given += ["--arg", "%s=%s:%s" % (p["name"], how, p["type"][1:])]
    return given


def check(name, chain, chip, size, tiles):
    common = [RUN, "source.tk", "-q", "-j", "1", "--chain", name, "--on", chip, *tiles, *arguments(chain, size)]
    names = [p["name"] for p in chain["params"] if p.get("role") in ("output", "both")]
    for mode in ("fused", "apart"):
        saved = [x for n in names for x in ("--out", "%s=%s.%s.npy" % (n, mode, n))]
        done = run(*common, *saved, *([] if mode == "fused" else ["--no-fuse"]))
        if done.returncode:
            faults.append("%s on %s, %s: %s" % (name, chip, mode, done.stdout))
            return
    for n in names:
        if open("fused.%s.npy" % n, "rb").read() != open("apart.%s.npy" % n, "rb").read():
            faults.append("%s on %s, %s: %s differs" % (name, chip, size, n))


shutil.rmtree(FOLDER, ignore_errors=True)
os.makedirs(FOLDER)
text = open(SOURCE).read()
calls = {name: steps for name, (steps, _) in {**CHAINS, **FIXED}.items()}
calls.update({"random_%d" % seed: random_chain(seed) for seed in range(SEEDS)})


def with_chains(names):
    return text + "".join('\n\nclass %s:\n    pass\n\n\n%s.chain = "%s"\n' % (name, name, calls[name]) for name in names)


os.chdir(FOLDER)
open("source.tk", "w").write(with_chains(calls))
open("flat.tk", "w").write(with_chains(["flat"]))
open("gated.tk", "w").write(with_chains(["gated"]))
open("plain_k.tk", "w").write(with_chains(["flat"]).replace('K: "i32:16"', 'K: "i32"'))
sources = {"wide": "source.tk", "narrow": "source.tk", "large": "flat.tk", "plain_k": "plain_k.tk", "left_out": "flat.tk"}
for name, tiles in (("wide", []), ("narrow", ["-D", "BM=32", "-D", "BN=32"]), ("large", LARGE), ("plain_k", LARGE), ("left_out", LARGE + ["--without", "beside"])):
    made = run(TKC, sources[name], "-t", "sm_90a", "--emit", "json", "-o", name + ".json", *tiles)
    if made.returncode:
        sys.exit(made.stdout)


def launches(tiles, name):
    return [len(launch["steps"].split(", ")) for launch in described[tiles][name]["launches"]]


described = {tiles: {c["name"]: c for c in json.load(open(tiles + ".json"))["chains"]} for tiles in sources}
chains = described["narrow"]
for name, (_, want) in {**CHAINS, **FIXED}.items():
    if launches("narrow", name) != want:
        faults.append("%s has launches of %s steps, not %s" % (name, launches("narrow", name), want))
for name, want in WIDE.items():
    if launches("wide", name) != want:
        faults.append("%s of wide tiles has launches of %s steps, not %s" % (name, launches("wide", name), want))
for tiles, want in BESIDE.items():
    if launches(tiles, "flat") != want:
        faults.append("flat of %s has launches of %s steps, not %s" % (tiles, launches(tiles, "flat"), want))
for i, name in enumerate(FIXED):
    check(name, chains.pop(name), CHIPS[i], FIXED_SIZE, ["-D", "BM=32", "-D", "BN=32"])
for i, (name, chain) in enumerate(sorted(chains.items())):
    tiles = [] if i % 2 else ["-D", "BM=32", "-D", "BN=32"]
    check(name, chain, CHIPS[i % len(CHIPS)], SIZES[i // 2 % len(SIZES)], tiles)
for size in GATED_SIZES:
    check("gated", chains["gated"], "sm_90a", size, GATED)
for size in (GATED_SIZES[0], GATED_SIZES[2]):
    check("halves", chains["halves"], "sm_90a", size, LARGE)
check("unread", chains["unread"], "sm_90a", GATED_SIZES[1], [*GATED, "-ns", "4"])
made = run(TKC, "gated.tk", "-t", "sm_90a", "--remarks=epilogue|loop", "-o", "gated.ptx", *GATED)
for part in ("the loop does the products of the loop behind it", "computed beside the next tile's products: 64 KiB"):
    if part not in made.stdout:
        faults.append("two products of large tiles: no remark that %s: %s" % (part, made.stdout))
made = run(TKC, "source.tk", "-t", "sm_90a", "--remarks=epilogue", "-o", "halves.ptx", *LARGE)
if "halves_steps_1_to_2 on sm_90a: what it stores is computed beside the next tile's products: 64 KiB" not in made.stdout:
    faults.append("a product of both halves: no remark that its results are computed beside: " + made.stdout)
# The second product's weights are copied ahead of its wait for the first (sm_90 and later); the emulator reports forbidden reads.
check("weights", chains["weights"], "sm_90a", SIZES[0], ["-D", "BM=32", "-D", "BN=32"])
for fault in faults:
    print("failed:", fault)
print("%d chains" % len(chains))
sys.exit(bool(faults))
