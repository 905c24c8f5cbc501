#!/usr/bin/env python3
"""Random tiles (16 to 256), stages (1 to 6) and warps for the examples that have tiles, drawn by a seed.

    sweep.py --count 100 --seed 1 --tkc build/bin/tkc > FILE              as rows for run.sh --variants FILE
    sweep.py --count 100 --seed 1 --tkc build/bin/tkc --emulate build/bin/tkc-run

Both take the same settings: those that tkc compiles for --target (sm_90a). What it refuses, because tiles, stages and
warps want more of a chip than it has, is counted and drawn again. The first form leaves running to run.sh, on a GPU; the
second runs every setting in the emulator over sizes that do not divide the tiles, compares with float64 references, and
looks at the gaps behind rows, which must stay as they were. Needs NumPy to emulate. Exits 0 when all was right.
"""
import argparse
import concurrent.futures
import os
import random
import subprocess
import sys
import tempfile

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")
TILES = [16, 32, 64, 128, 256]
GAP = 16  # elements behind each row, and behind each matrix of a batch


def products(draw):
    sizes = {name: draw.choice(TILES) for name in ("BLOCK_M", "BLOCK_N", "BLOCK_K")}
    return sizes, "SIZE_UNIT=16"


def attention(draw):
    sizes = {"BLOCK_M": draw.choice(TILES), "BLOCK_N": draw.choice(TILES), **heads(draw)}
    return sizes, defines(sizes)


def attention_backward(draw):
    """Rows are padded to 128: larger blocks of queries would read beyond."""
    sizes = {"BLOCK_M": draw.choice(TILES[:4]), "BLOCK_N": draw.choice(TILES), "BLOCK": draw.choice(TILES[:4]), **heads(draw)}
    return sizes, defines(sizes)


def heads(draw):
    return {"HEAD_DIM": draw.choice([16, 32, 64, 128]), "CAUSAL": draw.choice([True, False])}


def defines(sizes):
    return f"TEST_HEAD_DIM={sizes['HEAD_DIM']} TEST_CAUSAL={int(sizes['CAUSAL'])}"


class Setting:
    def __init__(self, draw, example):
        self.example = example
        self.constants, self.definitions = SWEPT[example][0](draw)
        self.warps, self.stages = draw.choice([2, 4, 4, 8, 8, 16]), draw.randint(1, 6)
        self.name = "_".join([example, *(str(int(value)) for value in self.constants.values()), f"w{self.warps}",
                              f"s{self.stages}"])

    def options(self, without=()):
        taken = [(name, value) for name, value in self.constants.items() if name not in without]
        constants = [part for name, value in taken for part in ("-D", f"{name}={value}")]
        return [*constants, "-w", str(self.warps), "--num-stages", str(self.stages)]

    def source(self):
        return os.path.join(EXAMPLES, self.example + ".tk")

    def compiles(self, tkc, target, folder):
        made = subprocess.run([tkc, self.source(), "--config", "0", "--target", target, *self.options(), "-o",
                               os.path.join(folder, self.name + ".ptx")], capture_output=True, text=True)
        if made.returncode not in (0, 1):
            sys.exit(f"{self.name}: tkc ended with {made.returncode}: {made.stderr.strip()}")
        return made.returncode == 0


class Run:
    """One launch after the other of the emulator on one set of arrays."""

    def __init__(self, numpy, setting, options, folder):
        self.numpy, self.setting, self.options, self.folder = numpy, setting, options, folder
        self.random = numpy.random.default_rng(options.seed)
        self.wrong = []

    def path(self, name):
        return os.path.join(self.folder, f"{self.setting.name}.{name}.npy")

    def give(self, name, values, gap=GAP):
        """Leaves a matrix whose rows have a gap of NaNs behind them; returns its values in float64."""
        values = self.numpy.asarray(values)
        wide = self.numpy.full((values.shape[0], values.shape[1] + gap), self.numpy.nan, values.dtype)
        wide[:, :values.shape[1]] = values
        self.numpy.save(self.path(name), wide)
        return values.astype(self.numpy.float64)

    def uniform(self, name, rows, columns, reach=1.0, gap=GAP):
        return self.give(name, self.random.uniform(-reach, reach, (rows, columns)).astype(self.numpy.float16), gap)

    def launch(self, kernel, inputs, outputs, without=(), **scalars):
        """outputs: name to (rows, columns, type, gap); without: the constants that this kernel of several does not take."""
        for name, (rows, columns, dtype, gap) in outputs.items():
            self.give(name, self.numpy.full((rows, columns), self.numpy.nan, dtype), gap)
        arguments = [f"{name}={self.path(name)}" for name in [*inputs, *outputs]]
        arguments += [f"{name}={value!r}" for name, value in scalars.items()]
        command = [self.options.emulate, self.setting.source(), "--on", self.options.target, "-n", kernel, "--config", "0",
                   *self.setting.options(without), "-j", "1", "--quiet", "--seed", str(self.options.seed)]
        for argument in arguments:
            command += ["-a", argument]
        for name in outputs:
            command += ["-o", f"{name}={self.path(name + '.after')}"]
        made = subprocess.run(command, capture_output=True, text=True)
        if made.returncode == 0:
            for name in outputs:
                os.replace(self.path(name + ".after"), self.path(name))
        else:
            self.wrong.append(f"tkc-run ended with {made.returncode}: {made.stderr.strip()[:2000]}")

    def compare(self, name, want, tolerance):
        """tolerance is absolute, plus what a result in fp16 loses by rounding."""
        if self.wrong:
            return
        wide = self.numpy.load(self.path(name)).astype(self.numpy.float64)
        got = wide[:, :want.shape[1]]
        if not self.numpy.isnan(wide[:, want.shape[1]:]).all():
            self.wrong.append(f"{name}: written beyond its rows")
        with self.numpy.errstate(invalid="ignore"):
            off = self.numpy.abs(got - want) - self.numpy.abs(want) * 2.0**-10
        same = (got == want) | (off <= tolerance)  # infinities are equal, a NaN is neither
        if not same.all():
            at = tuple(int(i) for i in self.numpy.argwhere(~same)[0])
            self.wrong.append(f"{name}{list(at)} is {got[at]}, not {want[at]}; {int((~same).sum())} of {same.size} are wrong")


def run_product(run, m, n, k):
    a, b = run.uniform("a", m, k), run.uniform("b", k, n)
    scalars = {"M": m, "N": n, "K": k, "stride_am": k + GAP, "stride_bk": n + GAP, "stride_cm": n + GAP}
    want, inputs = a @ b, ["a", "b"]
    if run.setting.example == "matmul":
        scalars.update(stride_ak=1, stride_bn=1, stride_cn=1)
    else:
        want += run.uniform("bias", 1, n, 4.0, 0)
        want = run.numpy.where(want >= 0, want, 0.01 * want)
        inputs.append("bias")
    run.launch(run.setting.example, inputs, {"c": (m, n, run.numpy.float16, GAP)}, **scalars)
    run.compare("c", want, 1e-4 * k**0.5)


def run_batch(run, batch, m, n, k):
    """Each matrix of the batch is a row, so the gap behind a row is one between matrices."""
    a, b = run.uniform("a", batch, m * k), run.uniform("b", batch, k * n)
    want = run.numpy.matmul(a.reshape(batch, m, k), b.reshape(batch, k, n)).reshape(batch, m * n)
    up = lambda size: -(-size // 16) * 16
    gaps = {"c": up(m * n) + GAP - m * n}
    strides = {"stride_ab": m * k + GAP, "stride_bb": k * n + GAP, "stride_cb": m * n + gaps["c"]}
    run.launch("batched_matmul", ["a", "b"], {"c": (batch, m * n, run.numpy.float16, gaps["c"])}, batch=batch, M=m, N=n, K=k,
               stride_am=k, stride_bk=n, stride_cm=n, **strides)
    run.compare("c", want, 1e-4 * k**0.5)


def run_attention(run, batch, heads, length):
    numpy, wide = run.numpy, run.setting.constants["HEAD_DIM"]
    rows, scale = batch * heads * length, float(run.numpy.float32(wide**-0.5))
    shape = (batch * heads, length, wide)
    q, k, v = (run.uniform(name, rows, wide, reach).reshape(shape) for name, reach in (("q", 4.0), ("k", 1.0), ("v", 1.0)))
    scores = scale * q @ k.transpose(0, 2, 1)
    if run.setting.constants["CAUSAL"]:
        scores = numpy.where(numpy.tri(length, dtype=bool), scores, -numpy.inf)
    peak = scores.max(axis=2, keepdims=True)
    lse = peak + numpy.log(numpy.exp(scores - peak).sum(axis=2, keepdims=True))
    weights = numpy.exp(scores - lse)
    o = weights @ v
    common = {"batch": batch, "heads": heads, "length": length, "stride_row": wide + GAP,
              "stride_head": (wide + GAP) * length, "stride_batch": (wide + GAP) * length * heads}
    output = (rows, wide, numpy.float16, GAP)
    if run.setting.example == "attention":
        run.launch("attention", ["q", "k", "v"], {"o": output}, scale=scale, **common)
        run.compare("o", o.reshape(rows, wide), 2e-3)
        return
    o = run.give("o", o.reshape(rows, wide).astype(numpy.float16)).reshape(shape)
    lse = run.give("lse", lse.reshape(1, rows).astype(numpy.float32), 0).reshape(shape[0], length, 1)
    slope = run.uniform("do", rows, wide).reshape(shape)
    delta = (o * slope).sum(axis=2, keepdims=True)
    weights = numpy.exp(scores - lse)
    ds = weights * (slope @ v.transpose(0, 2, 1) - delta)
    padded = -(-length // 128) * 128
    common["padded"] = padded
    vector = (1, shape[0] * padded, numpy.float32, 0)
    run.launch("attention_backward_rows", ["o", "do", "lse"], {"base2": vector, "delta": vector},
               ("BLOCK_M", "BLOCK_N", "CAUSAL"), **common)
    run.launch("attention_backward_keys", ["q", "k", "v", "do", "base2", "delta"], {"dk": output, "dv": output}, ("BLOCK",),
               scale=scale, **common)
    run.launch("attention_backward_queries", ["q", "k", "v", "do", "base2", "delta"], {"dq": output}, ("BLOCK",),
               scale=scale, **common)
    pad = lambda values, with_: numpy.pad(values[:, :, 0], ((0, 0), (0, padded - length)),
                                          constant_values=with_).reshape(1, -1)
    run.compare("base2", pad(lse / numpy.log(2.0), numpy.inf), 1e-5)
    run.compare("delta", pad(delta, 0.0), 1e-4)
    run.compare("dv", (weights.transpose(0, 2, 1) @ slope).reshape(rows, wide), 4e-3)
    run.compare("dk", (scale * ds.transpose(0, 2, 1) @ q).reshape(rows, wide), 1e-2)
    run.compare("dq", (scale * ds @ k).reshape(rows, wide), 4e-3)


PRODUCTS = (products, run_product, [(77, 208, 144), (1, 16, 16), (300, 272, 400)])
SHAPES = [(1, 1, 128), (2, 3, 97), (1, 2, 1), (1, 1, 301)]
# Each example: what draws its constants, what runs one shape in the emulator, and the shapes.
SWEPT = {"matmul": PRODUCTS, "matmul_activation": PRODUCTS,
         "batched_matmul": (products, run_batch, [(3, 65, 48, 80), (2, 7, 144, 48), (2, 130, 272, 272)]),
         "attention": (attention, run_attention, SHAPES), "attention_backward": (attention_backward, run_attention, SHAPES)}


def emulate(numpy, setting, options, folder):
    """Returns the number of sizes that were run, and what was wrong."""
    _, function, shapes = SWEPT[setting.example]
    wrong = []
    for shape in shapes:
        run = Run(numpy, setting, options, folder)
        function(run, *shape)
        wrong += [f"{setting.name} {shape}: {text}" for text in run.wrong]
    return len(shapes), wrong


def settings(options, folder):
    draw, names, refused = random.Random(options.seed), sorted(SWEPT), 0
    chosen = {}
    while len(chosen) < options.count:
        setting = Setting(draw, names[len(chosen) % len(names)])
        if setting.name in chosen:
            continue
        if setting.compiles(options.tkc, options.target, folder):
            chosen[setting.name] = setting
        else:
            refused += 1
    print(f"{len(chosen)} settings; {refused} others were refused", file=sys.stderr)
    return list(chosen.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tkc", default="build/bin/tkc", help="compiles the settings (build/bin/tkc)")
    parser.add_argument("--target", default="sm_90a", help="chip (sm_90a)")
    parser.add_argument("--count", type=int, default=100, help="settings (100)")
    parser.add_argument("--seed", type=int, default=1, help="of the settings, the inputs and the order of warps (1)")
    parser.add_argument("--emulate", metavar="TKC_RUN", help="run them in the emulator")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        chosen = settings(options, folder)
        if not options.emulate:
            for setting in chosen:
                print(setting.name, setting.example, " ".join(setting.options()), setting.definitions, sep=" | ")
            return 0
        import numpy
        runs, wrong = 0, []
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for count, texts in pool.map(lambda setting: emulate(numpy, setting, options, folder), chosen):
                runs += count
                wrong += texts
                for text in texts:
                    print(text, flush=True)
        print(f"{runs} sizes ran, {len(wrong)} wrong")
        return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
