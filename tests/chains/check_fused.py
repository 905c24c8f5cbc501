"""Chains give the same bits as one kernel and as a launch each (--no-fuse), on the emulator.

    check_fused.py TKC TKC_RUN many.tk FOLDER [SEEDS]

The chains of many.tk, of which the expected steps become one kernel, and SEEDS random chains of its kernels (default 16). Sizes and block
change from chain to chain: rows that fill the block, that leave a part of it free, and short ones, which Hopper packs.
"""
import json
import os
import random
import shutil
import subprocess
import sys

TKC, RUN, SOURCE, FOLDER = sys.argv[1:5]
SEEDS = int(sys.argv[5]) if len(sys.argv) > 5 else 16
CHIPS = ["sm_90a", "gfx942", "sm_80", "gfx1201"]
SIZES = [(5, 464, 512), (3, 512, 512), (37, 128, 128), (9, 240, 256)]
# The launches of many.tk's chains: the number of steps in each.
EXPECTED = {
    "six": [6], "layer_norm": [2], "layer_norm_alone": [2], "residual": [2], "quantised": [2], "eight_bits": [3], "dropped": [3],
    "shifted": [1, 2], "reversed_": [1, 1], "halved": [3], "summed": [1, 1], "guards": [2, 1], "counted": [1, 1, 1],
    "in_place": [1, 1], "twice": [3], "hints": [1, 1], "cube": [3], "beside": [4, 1], "beside_and_behind": [2, 1],
}
# Kernels of random chains: their inputs and outputs. `$`: the row in, `@`: the row out; others are inputs of the chain.
STEPS = ["affine($, s, b, @)", "silu($, @)", "add($, res, @)", "gate($, v, @)", "norm($, g, @, eps=1e-5)", "softmax($, @)",
         "dropout($, @, seed=SEED)", "statistics($, mLET, rLET); normalise($, mLET, rLET, @)", "quantise($, qLET, zLET); dequantise(qLET, zLET, @)",
         "shift($, @)", "guarded($, @, last=M)", "add($, OLD, @)", "gate($, OLD, @)", "unhinted($, @)", "reverse($, @)"]
faults = []


def random_chain(seed):
    r = random.Random(seed)
    rows, text = ["x"], []
    for i in range(r.randint(2, 5)):
        made = "t%d" % i
        step = r.choice(STEPS).replace("$", rows[-1]).replace("@", made).replace("OLD", r.choice(rows))
        text.append(step.replace("LET", str(i)).replace("SEED", str(seed)))
        rows.append(made)
    outputs = sorted({rows[-1]} | set(r.sample(rows[1:], r.randint(0, 1))))
    return "; ".join(text) + " -> " + ", ".join(outputs)


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def arguments(chain, rows, columns):
    numbers, given = {"M": rows, "N": columns, "last": rows - 1, "eps": 1e-5, "seed": 11, "B": 2, "two": 2, "sx": rows * columns,
                      "sy": rows * columns}, []
    for i, p in enumerate(chain["params"]):
        if p["type"][0] != "*":
            given += ["--arg", "%s=%s" % (p["name"], numbers[p["name"]])]
            continue
        shape = ",".join(str(numbers.get(n, n)) for n in p["shape"])
        how = "empty(%s)" % shape if p["role"] == "output" else "zeros(%s)" % shape if p["type"] == "*i32" else \
            "randn(%s,seed=%d)" % (shape, i + 1)
        given += ["--arg", "%s=%s:%s" % (p["name"], how, p["type"][1:])]
    return given


def outputs(chain):
    return [p["name"] for p in chain["params"] if p.get("role") in ("output", "both")]


def check(name, chain, chip, size):
    rows, columns, block = size
    common = [RUN, "source.tk", "-q", "-j", "1", "--chain", name, "--on", chip, "-D", "BLOCK=%d" % block]
    common += arguments(chain, rows, columns)
    for mode in ("fused", "apart"):
        saved = [x for n in outputs(chain) for x in ("--out", "%s=%s.%s.npy" % (n, mode, n))]
        done = run(*common, *saved, *([] if mode == "fused" else ["--no-fuse"]))
        if done.returncode:
            faults.append("%s on %s, %s: %s" % (name, chip, mode, done.stdout))
            return
    for n in outputs(chain):
        if open("fused.%s.npy" % n, "rb").read() != open("apart.%s.npy" % n, "rb").read():
            faults.append("%s on %s, %d x %d in %d: %s differs" % (name, chip, rows, columns, block, n))


shutil.rmtree(FOLDER, ignore_errors=True)
os.makedirs(FOLDER)
text = open(SOURCE).read()
names = {"random_%d" % seed: random_chain(seed) for seed in range(SEEDS)}
for name, calls in names.items():
    text += '\n\nclass %s:\n    pass\n\n\n%s.chain = "%s"\n' % (name, name, calls)
os.chdir(FOLDER)
open("source.tk", "w").write(text)
made = run(TKC, "source.tk", "-t", "sm_80", "--emit", "json", "-o", "source.json")
if made.returncode:
    sys.exit(made.stdout)
chains = {c["name"]: c for c in json.load(open("source.json"))["chains"]}
run(TKC, "source.tk", "-t", "sm_90a", "--emit", "json", "-o", "hopper.json")
hopper = {c["name"]: c for c in json.load(open("hopper.json"))["chains"]}
# Of several chips each image has all launched kernels of the chains.
run(TKC, SOURCE, "-t", "sm_80,sm_90a", "-o", "two.ptx", "--no-header")
for chain in json.load(open("two.json"))["chains"]:
    for launch in chain["launches"]:
        for image in ("two.sm_80.ptx", "two.sm_90a.ptx"):
            if " %s(" % launch["function"] not in open(image).read():
                faults.append("%s has no kernel %s" % (image, launch["function"]))
for name, want in EXPECTED.items():
    for described in (chains, hopper):
        got = [len(launch["steps"].split(", ")) for launch in described[name]["launches"]]
        if got != want:
            faults.append("%s has launches of %s steps, not %s" % (name, got, want))
if not any(len(c["launches"]) == 1 for n, c in chains.items() if n in names):
    faults.append("no random chain becomes one kernel")
for i, (name, chain) in enumerate(sorted(chains.items())):
    check(name, chain, CHIPS[i % len(CHIPS)], SIZES[i // 2 % len(SIZES)])
    if name in EXPECTED and name != "halved":
        check(name, chain, "sm_90a", SIZES[(i + 2) % len(SIZES)])
for fault in faults:
    print("failed:", fault)
print("%d chains" % len(chains))
sys.exit(bool(faults))
