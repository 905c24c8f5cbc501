#!/usr/bin/env python3
"""Times ways to write one product beside the plain one, in one run, each compared with fp64.

    python3 tests/bench/ways.py FORMS.py --compile build/bin/tkc FOLDER     (where tkc is)
    python3 tests/bench/ways.py FORMS.py FOLDER                             (where the GPU and PyTorch are)

FORMS.py has FORMS: the sources of a kernel k by their names, of the parameters (a, b, c, M, N, K, sam, sbk, scm, extra) and three
constants, as issue 36's raise_forms.py has them; a name says what the arguments mean. Indices and lengths that a form reads
through a cast of c come through a parameter of their own here: results would be written over them.

8192x8192x8192, fp16, tiles of 128x256x64 on 8 warps, 3 stages; gate and up with tiles of 128x128. All take turns, with the
second-level cache cleared before each; medians of 15. Exits 77 (skipped) without PyTorch or a GPU.
"""
import argparse
import importlib.util
import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "differential"))
import cuda  # noqa: E402  (tests/differential)

SKIPPED, SIZE, SHIFTS, DEPTH_OF_SHIFT, PART, ROUNDS = 77, 8192, 9, 1024, 64, 15
PLAIN = "plain, strides are arguments"
POINTERS = ["*fp16:16"] * 3 + ["*i32:16"]
HEAD_START = 500_000  # cycles


def forms_of(path):
    """The file's FORMS; what it does besides, at its end, is left out."""
    with open(path) as file:
        text = file.read()
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("ways_forms", None))
    exec(compile(text.removesuffix("main()\n"), path, "exec"), module.__dict__)
    return module.FORMS


def variants(forms):
    """(number, name, columns of a tile)"""
    for number, name in enumerate(forms):
        for columns in (256, 128) if name == PLAIN else (128,) if "gate and up" in name else (256,):
            yield number, name, columns


def stem(folder, number, columns):
    return os.path.join(folder, f"way{number:02}_{columns}")


def compile_all(forms, tkc, folder):
    os.makedirs(folder, exist_ok=True)
    for number, name, columns in variants(forms):
        text = forms[name].replace("def k(a, b, c, M,", "def k(a, b, c, index, M,")
        text = text.replace("c.to(tl.pointer_type(tl.int32))", "index").replace("c.to(tl.pointer_type(tl.float32))", "c")
        path = stem(folder, number, columns)
        with open(path + ".py", "w") as file:
            file.write(text)
        types = POINTERS + ["i32:16"] * 7 + ["128", str(columns), "64"]
        if "atomic" in name:
            types[2] = "*fp32:16"
        subprocess.run([tkc, path + ".py", "-n", "k", "-s", ", ".join(types), "-w", "8", "-ns", "3", "-t", "sm_90a",
                        "--no-header", "-o", path + ".cubin"], check=True)


class Work:
    """What a form is given, and what it has to give."""

    def __init__(self, name, columns, data):
        import torch

        n = SIZE
        self.m, self.n, self.k, self.extra, self.b, self.c, self.index = n, n, n, 0, data.b, data.c, data.zeros
        self.blocks, self.flop, self.want = [n // 128 * (n // columns), 1, 1], 2 * n ** 3, lambda: data.product
        self.lda = n
        if "persistent" in name:
            self.blocks = [cuda.multiprocessors(), 1, 1]
        elif "gather" in name:
            self.index, self.want = data.order, lambda: data.product[data.order.long()]
        elif "a length" in name:
            self.index = torch.full_like(data.zeros, n)
        elif "early" in name:
            self.extra = n
        elif "split K" in name:
            self.extra, self.c, self.blocks[1] = n // 2, data.sums, 2
        elif "epilogue" in name:
            biased = data.product + data.b[0].double()[None, :]
            self.want = lambda: biased * torch.sigmoid(1.702 * biased) + data.a.double()
        elif "relu" in name:
            self.want = lambda: data.a.double().clamp(min=0) @ data.b.double()
        elif "gate and up" in name:
            self.n = self.extra = n // 2
            self.c, self.blocks[0] = data.c.view(-1)[:n * self.n].view(n, self.n), self.blocks[0] // 2
            self.want = lambda: data.product[:, :self.n] * data.product[:, self.n:]
        elif "shifts" in name:
            self.k = self.lda = DEPTH_OF_SHIFT
            self.extra, self.b, self.flop = PART, data.shifts, 2 * n * n * SHIFTS * self.k
            self.want = lambda: self.shifted(data)

    def shifted(self, data):
        import torch

        rows = torch.arange(SIZE, device="cuda")
        a, total = data.a.view(-1)[:SIZE * self.k].view(SIZE, self.k).double(), 0
        for shift in range(SHIFTS):
            at = rows % PART + shift - SHIFTS // 2
            inside = (at >= 0) & (at < PART)
            moved = a[torch.where(inside, rows + shift - SHIFTS // 2, 0)] * inside[:, None]
            total = total + moved @ self.b[shift * self.k:(shift + 1) * self.k].double()
        return total

    def arguments(self, a):
        pointers = [tensor.data_ptr() for tensor in (a, self.b, self.c, self.index)]
        return pointers + [self.m, self.n, self.k, self.lda, SIZE, self.n, self.extra]


class Data:

    def __init__(self):
        import torch

        def halves(rows):
            return torch.randn(rows, SIZE, device="cuda", dtype=torch.float16)

        self.a, self.b, self.shifts = halves(SIZE), halves(SIZE) / 8, halves(SHIFTS * DEPTH_OF_SHIFT) / 8
        self.c, self.sums = torch.empty_like(self.a), torch.empty(SIZE, SIZE, device="cuda")
        self.order = torch.randperm(SIZE, device="cuda").to(torch.int32)
        self.zeros = torch.zeros_like(self.order)
        self.product = self.a.double() @ self.b.double()


def launcher(path, work, data):
    """A launch of the form, or None if its result is wrong."""
    import torch

    with open(path + ".json") as file:
        description = json.load(file)
    with open(path + ".cubin", "rb") as file:
        kernel = cuda.Kernel(file.read(), description)
    prepared = kernel.prepare(work.arguments(data.a), work.blocks)
    stream = torch.cuda.current_stream().cuda_stream

    def launch():
        kernel.launch_prepared(prepared, stream)

    work.c.fill_(0 if work.c is data.sums else float("nan"))
    launch()
    want = work.want()
    error = ((work.c.double() - want).norm() / want.norm()).item()
    return (launch if error < 2e-3 else None), error


def race(launches):
    """Median milliseconds, in turns of changing order."""
    import torch

    cache = torch.empty(256 << 20, dtype=torch.int8, device="cuda")
    turns, order = [(launch, []) for launch in launches], random.Random(0)
    mixed = list(turns)
    for number in range(ROUNDS + 1):
        order.shuffle(mixed)
        for launch, own in mixed:
            cache.zero_()
            torch.cuda._sleep(HEAD_START)
            before, after = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            before.record()
            launch()
            after.record()
            after.synchronize()
            if number:
                own.append(before.elapsed_time(after))
    return [sorted(own)[ROUNDS // 2] for _, own in turns]


def main():
    parser = argparse.ArgumentParser(description="Times ways to write one product.")
    parser.add_argument("forms")
    parser.add_argument("folder")
    parser.add_argument("--compile", metavar="TKC")
    options = parser.parse_args()
    forms = forms_of(options.forms)
    if options.compile:
        compile_all(forms, options.compile, options.folder)
        return 0
    try:
        import torch
    except ImportError as error:
        print(f"ways: skipped: {error}")
        return SKIPPED
    if not torch.cuda.is_available():
        print("ways: skipped: no NVIDIA GPU here")
        return SKIPPED
    torch.zeros(1, device="cuda")
    data, rows = Data(), []
    for number, name, columns in variants(forms):
        work = Work(name, columns, data)
        launch, error = launcher(stem(options.folder, number, columns), work, data)
        if launch is None:
            print(f"{name}: WRONG: error {error:.3g}; not timed", flush=True)
            continue
        work.want = None
        rows.append((name + (" (128 columns)" if columns == 128 else ""), launch, work.flop, error))
    rows.append(("cuBLAS", lambda: torch.matmul(data.a, data.b, out=data.c), 2 * SIZE ** 3, 0))
    rates = [flop / time * 1e-9 for (_, _, flop, _), time in zip(rows, race([row[1] for row in rows]))]
    plain = rates[0]
    for (name, _, _, error), rate in zip(rows, rates):
        print(f"{name:62} {rate:7.1f} TFLOP/s, {rate / plain:.3f} of the plain form, {rate / rates[-1]:.3f} of cuBLAS, error {error:.1e}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
