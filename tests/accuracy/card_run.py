#!/usr/bin/env python3
"""Compares the library with CUDA's libdevice on one card: errors and times of every function of accuracy.def.

    python3 tests/accuracy/card_run.py FOLDER RESULT.json       FOLDER is card_make.py's; needs an sm_90 card, PyTorch and Triton
    python3 tests/accuracy/card_run.py --table RESULT.json      the table of src/decisions/accuracy.md

f32: every number (of two arguments: 2**28 pairs) against libdevice in fp64. f64: samples against mpmath. Times: one loop of calls,
in turns. A worker that says nothing for SILENT seconds is ended, and its function is left out.
"""
import ctypes
import importlib.util
import json
import math
import os
import re
import select
import struct
import subprocess
import sys
import tempfile
import time

from card_table import HEAD, SAMPLES, kernel, kernel_name, libdevice_call, rows

SILENT, WORKERS = 150, 4
CHUNK = 1 << 26
SHARED = 16384  # bytes of shared memory, for functions with reductions (jn)
HUGE = 3.4028235677973366e38  # rounds to infinity in f32


class Ours:
    """A kernel of tkc's PTX."""
    def __init__(self, torch, folder, name):
        self.torch, self.driver = torch, ctypes.CDLL("libcuda.so.1")
        self.module, self.function = ctypes.c_void_p(), ctypes.c_void_p()
        with open(os.path.join(folder, name + ".ptx"), "rb") as file:
            text = file.read()
        self.threads = int(re.search(rb"\.reqntid (\d+)", text)[1])
        self.check(self.driver.cuModuleLoadData(ctypes.byref(self.module), text + b"\0"))
        self.check(self.driver.cuModuleGetFunction(ctypes.byref(self.function), self.module, name.encode()))

    @staticmethod
    def check(status):
        if status:
            raise RuntimeError(f"CUDA's driver: error {status}")

    def __call__(self, blocks, *arguments):
        values = [a if hasattr(a, "value") else ctypes.c_uint64(a.data_ptr()) for a in arguments]
        places = (ctypes.c_void_p * len(values))(*[ctypes.cast(ctypes.byref(v), ctypes.c_void_p) for v in values])
        stream = ctypes.c_void_p(self.torch.cuda.current_stream().cuda_stream)
        self.check(self.driver.cuLaunchKernel(self.function, blocks, 1, 1, self.threads, 1, 1, SHARED, stream, places, None))


def triton_kernel(row, wide, timed, call):
    name = kernel_name(row, wide, timed)
    path = os.path.join(tempfile.mkdtemp(), name + ".py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + kernel(row, wide, timed, call, False))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


class Card:
    """Measures single functions. Errors are pairs: units in the last place, and the argument."""
    def __init__(self, folder):
        import torch  # pylint: disable=import-outside-toplevel
        self.torch, self.folder = torch, folder
        self.keep = torch.zeros(1, device="cuda")
        self.random = torch.Generator(device="cuda").manual_seed(34)

    def unit(self, row, x, result, digits, least):
        """The distance of neighbouring numbers at the result, or at its scale (accuracy.def)."""
        torch, size = self.torch, result.abs()
        if row["scale"] == "WAVE":
            size = torch.maximum(size, torch.clamp(torch.sqrt(2 / (math.pi * x.abs())), max=1.0))
        elif row["scale"] == "ONE":
            size = torch.where(x < 0, torch.clamp(size, min=1.0), size)
        exponent = torch.frexp(size)[1]
        exponent = torch.where(size == 0, torch.full_like(exponent, least), torch.clamp(exponent - digits, min=least))
        return torch.ldexp(torch.ones_like(size), exponent)

    def worst(self, got, want, rest, unit, counted, x, best):
        torch = self.torch
        error = ((got.double() - want) - rest).abs() / unit
        error = torch.where(torch.isnan(error), torch.full_like(error, math.inf), error)
        error = torch.where(counted, error, torch.zeros_like(error))
        at = torch.argmax(error)
        value = float(error[at])
        return (value, float(x[at])) if value > best[0] else best

    def uniform(self, low, high):
        return low + (high - low) * self.torch.rand(CHUNK, device="cuda", dtype=self.torch.float64, generator=self.random)

    def drawn(self, row):
        torch, low, high = self.torch, row["low"], row["high"]
        size = torch.exp2(self.uniform(-30, math.log2(max(abs(low), abs(high)))))
        size = torch.where((self.uniform(0, 1) < 0.5) & (low < 0), -size, size)
        even = torch.arange(CHUNK, device="cuda") % 2 == 0
        return torch.where(even, self.uniform(low, high), size).clamp(low, high).float()

    def errors_f32(self, row):
        torch = self.torch
        ours = Ours(torch, self.folder, kernel_name(row, 0, 0))
        theirs = triton_kernel(row, 0, 0, libdevice_call(row))
        exact = triton_kernel(row, 1, 0, libdevice_call(row, exact=True))
        best = dict.fromkeys(("ours", "theirs", "ours_all", "theirs_all"), (0.0, 0.0))
        got = {key: torch.empty(CHUNK, device="cuda") for key in ("ours", "theirs")}
        want = torch.empty(CHUNK, device="cuda", dtype=torch.float64)
        for chunk in range(64 if row["count"] == 1 else 4):
            codes = torch.arange(CHUNK, device="cuda", dtype=torch.int64) + (chunk * CHUNK - (1 << 31))
            x = codes.to(torch.int32).view(torch.float32) if row["count"] == 1 else self.drawn(row)
            arguments = (x,) if row["count"] == 1 else (x, self.drawn(row))
            ours(CHUNK // 1024, *arguments, got["ours"])
            theirs[(CHUNK // 1024,)](*arguments, got["theirs"])
            exact[(CHUNK // 1024,)](*(a.double() for a in arguments), want)
            finite = torch.isfinite(x) & torch.isfinite(want) & (want.abs() < HUGE)
            result = torch.where(finite, want, torch.ones_like(want))
            unit = self.unit(row, x.double(), result, 24, -149)
            inside = finite & (x >= row["low"]) & (x <= row["high"])
            for key, values in got.items():
                best[key] = self.worst(values, result, 0.0, unit, inside, x, best[key])
                best[key + "_all"] = self.worst(values, result, 0.0, unit, finite, x, best[key + "_all"])
        return best

    def errors_f64(self, row, index):
        torch = self.torch
        with open(os.path.join(self.folder, "samples.bin"), "rb") as file:
            file.seek(index * SAMPLES * 32)
            numbers = struct.unpack(f"<{4 * SAMPLES}d", file.read(SAMPLES * 32))
        columns = torch.tensor(numbers, dtype=torch.float64, device="cuda").view(SAMPLES, 4)
        x, z, want, rest = (columns[:, i].contiguous() for i in range(4))
        got = {key: torch.empty_like(x) for key in ("ours", "theirs")}
        arguments = (x, z) if row["count"] == 2 else (x,)
        Ours(torch, self.folder, kernel_name(row, 1, 0))(SAMPLES // 1024, *arguments, got["ours"])
        triton_kernel(row, 1, 0, libdevice_call(row))[(SAMPLES // 1024,)](*arguments, got["theirs"])
        unit = self.unit(row, x, want, 53, -1074)
        return {key: self.worst(values, want, rest, unit, torch.isfinite(want), x, (0.0, 0.0))
                for key, values in got.items()}

    def times(self, row, wide):
        """Picoseconds of the card for a call: medians of seven runs, in turns, behind two others."""
        torch, kind = self.torch, self.torch.float64 if wide else self.torch.float32
        count, loops, step = 1 << 20, 16 if wide else 64, (row["high"] - row["low"]) * 1e-7
        ours = Ours(torch, self.folder, kernel_name(row, wide, 1))
        theirs = triton_kernel(row, wide, 1, libdevice_call(row))
        arrays = [self.uniform(row["low"], row["high"])[:count].to(kind) for _ in range(row["count"])]
        arrays.append(torch.empty_like(arrays[0]))
        number = (ctypes.c_double if wide else ctypes.c_float)(step)
        calls = {"ours": lambda: ours(count // 1024, *arrays, ctypes.c_int32(loops), number),
                 "theirs": lambda: theirs[(count // 1024,)](*arrays, loops, step)}
        taken = {key: [] for key in calls}
        for turn in range(9):
            for key, call in calls.items():
                begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
                begin.record()
                call()
                end.record()
                torch.cuda.synchronize()
                taken[key] += [begin.elapsed_time(end)] if turn >= 2 else []
        return {key: sorted(values)[len(values) // 2] / (count * loops) * 1e9 for key, values in taken.items()}


def work(mode, folder, indices):
    """A worker: a line of JSON for each function."""
    card, table = Card(folder), rows()
    for index in indices:
        row, found = table[index], {"index": index}
        parts = ([("f32", lambda: card.errors_f32(row)), ("f64", lambda: card.errors_f64(row, index))]
                 if mode == "errors" else [("t32", lambda: card.times(row, 0)), ("t64", lambda: card.times(row, 1))])
        for key, part in parts:
            try:
                found[key] = part()
            except Exception as error:  # whatever one of the compilers says is the finding
                found[key] = {"error": f"{type(error).__name__}: {str(error)[-160:]}"}
        print(json.dumps(found), flush=True)


def watch(mode, folder, groups):
    """The lines of all workers, by function."""
    results, workers = {}, []

    def start(indices):
        if indices:
            command = [sys.executable, os.path.abspath(__file__), mode, folder, ",".join(map(str, indices))]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            workers.append([process, list(indices), time.time(), b""])

    for group in groups:
        start(group)
    while workers:
        for worker in list(workers):
            process, left, since, text = worker
            ready, _, _ = select.select([process.stdout], [], [], 0.2)
            data = os.read(process.stdout.fileno(), 65536) if ready else None
            if data:
                lines = (text + data).split(b"\n")
                worker[2:] = [time.time(), lines[-1]]
                for found in map(json.loads, lines[:-1]):
                    results[found["index"]] = found
                    left.remove(found["index"])
            elif data == b"" or time.time() - since > SILENT:
                workers.remove(worker)
                process.kill()
                process.wait()
                if left:
                    print(f"{rows()[left[0]]['name']}: {'crashed' if data == b'' else 'took too long'}", file=sys.stderr)
                    start(left[1:])
    return results


def shown(error):
    """Errors of more than 100,000 units in f32 are lost subnormal numbers."""
    return f"{error:.3g}" if error < 1e5 else "s"


def print_table(path):
    with open(path, encoding="utf-8") as file:
        found = json.load(file)
    print("| function | f32 | libdevice | f64 | libdevice | time, f32 | f64 |\n|---|---|---|---|---|---|---|")
    for index, row in enumerate(rows()):
        errors, times = found["errors"].get(str(index), {}), found["times"].get(str(index), {})
        cells = [shown(errors[kind][whose][0]) if whose in errors.get(kind, {}) else "-"
                 for kind in ("f32", "f64") for whose in ("ours", "theirs")]
        cells += [f"{times[kind]['ours'] / times[kind]['theirs']:.2f}" if "ours" in times.get(kind, {}) else "-"
                  for kind in ("t32", "t64")]
        print(f"| `{row['name']}` | " + " | ".join(cells) + " |")


def main():
    if len(sys.argv) == 4:
        work(sys.argv[1], sys.argv[2], [int(index) for index in sys.argv[3].split(",")])
    elif len(sys.argv) == 3 and sys.argv[1] == "--table":
        print_table(sys.argv[2])
    elif len(sys.argv) == 3:
        order = range(len(rows()))
        errors = watch("errors", sys.argv[1], [[i for i in order if i % WORKERS == w] for w in range(WORKERS)])
        times = watch("times", sys.argv[1], [list(order)])
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            json.dump({"errors": errors, "times": times}, file)
        print_table(sys.argv[2])
    else:
        sys.exit("usage: card_run.py FOLDER RESULT.json | --table RESULT.json")


if __name__ == "__main__":
    main()
