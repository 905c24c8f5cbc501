#!/usr/bin/env python3
"""Records what host code launches, without a GPU, as lines for differential.py.

    record.py --out FOLDER [--path CHECKOUT]… [--triton] [--only NAME] PROGRAM.py…

A program's functions called case_* are run one by one on a machine that is pretended (pretend.py). Every launch of a Triton
kernel becomes a line of FOLDER/launches.jsonl: source, signature with the values of constants, grid, and for every buffer its
type, extent and contents (indices as they are, numbers as their range). Kernels themselves do not run. --triton also leaves
each in Triton's IR for a Hopper GPU, so that the machine with the GPU needs neither the sources nor what they import.
Needs PyTorch and Triton.
"""
import argparse
import base64
import collections
import hashlib
import importlib.util
import inspect
import json
import os
import sys
import time
import traceback
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TORCHDYNAMO_DISABLE", "1")  # functions under torch.compile run as they are
import pretend  # noqa: E402
import torch  # noqa: E402
import triton  # noqa: E402
import triton.language as tl  # noqa: E402
from triton._C.libtriton import ir  # noqa: E402
from triton.compiler import ASTSource, make_backend  # noqa: E402
from triton.runtime import autotuner, jit  # noqa: E402

KEPT_ELEMENTS = 1 << 16  # integers are kept as they are up to here
SAMPLE = 1 << 12
ELEMENTS = {torch.float16: "fp16", torch.bfloat16: "bf16", torch.float32: "fp32", torch.float64: "fp64", torch.int8: "i8",
            torch.uint8: "u8", torch.int16: "i16", torch.uint16: "u16", torch.int32: "i32", torch.uint32: "u32",
            torch.int64: "i64", torch.uint64: "u64", torch.bool: "i1", torch.float8_e5m2: "fp8e5", torch.float8_e4m3fn: "fp8e4nv",
            torch.float8_e4m3fnuz: "fp8e4b8", torch.float8_e5m2fnuz: "fp8e5b16"}


class Unsaid(Exception):
    """A launch that a line cannot say."""


# ---- arguments ----


def kept(data):
    return base64.b64encode(zlib.compress(data.contiguous().numpy().tobytes(), 9)).decode()


def contents_of_integers(flat):
    flat = flat if flat.dtype not in (torch.uint16, torch.uint32, torch.uint64) else flat.to(torch.int64)
    low, high = int(flat.min()), int(flat.max())
    if low == high:
        return {"fill": "whole", "low": low, "high": high}
    if low + flat.numel() - 1 == high and torch.equal(flat, torch.arange(low, high + 1, dtype=flat.dtype)):
        return {"fill": "iota", "low": low, "high": high}
    if flat.numel() <= KEPT_ELEMENTS and flat.dtype in (torch.int32, torch.int64):
        return {"fill": "kept", "low": low, "high": high, "data": kept(flat)}
    return {"fill": "whole", "low": low, "high": high}


def contents(flat, element):
    """How to fill a buffer like this one. Zeros that floats hold are what a kernel would have written: some positive numbers."""
    if element == "i1":
        sample = flat[:SAMPLE].to(torch.int32)
        return {"fill": "bits", "low": int(sample.min()), "high": int(sample.max())} if flat.numel() else {"fill": "bits", "low": 0, "high": 1}
    if not element.startswith(("fp", "bf")):
        return contents_of_integers(flat)
    sample = flat[:SAMPLE].to(torch.float64)
    sample = sample[sample.isfinite() & (sample.abs() < 1e6)]
    if not sample.numel() or float(sample.abs().max()) < 1e-30:
        return {"fill": "uniform", "low": 0.1, "high": 1}
    low, high = float(sample.quantile(0.02)), float(sample.quantile(0.98))
    return {"fill": "uniform", "low": round(low, 4), "high": round(high, 4)}


def buffer(tensor):
    """The storage behind an argument, from where it points to."""
    if tensor.dtype not in ELEMENTS:
        raise Unsaid(f"a buffer of {tensor.dtype}")
    element = ELEMENTS[tensor.dtype]
    storage = tensor.untyped_storage()
    count = storage.nbytes() // tensor.element_size() - tensor.storage_offset()
    flat = torch.as_strided(tensor.detach(), (max(0, count),), (1,))
    return {"element": element, "count": max(1, count), **(contents(flat, element) if count > 0 else {"fill": "whole", "low": 0, "high": 0})}


def literal(value):
    """A constant as it is written in a signature."""
    value = getattr(value, "value", value) if isinstance(value, tl.constexpr) else value
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value) if not isinstance(value, float) or value == value and abs(value) != float("inf") else f'float("{value}")'
    if isinstance(value, torch.dtype):
        return str(value)
    if isinstance(value, tl.dtype):
        return "tl." + {"fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "fp64": "float64", "fp8e4nv": "float8e4nv",
                        "fp8e5": "float8e5"}.get(value.name, value.name)
    if isinstance(value, (tuple, list)):
        return "(" + ", ".join(map(literal, value)) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, jit.JITCallable):
        return value.__name__
    raise Unsaid(f"a constant of type {type(value).__name__}")


def signed(kind):
    return kind.replace("u1", "i1") if kind in ("u1", "*u1") else kind.replace("*k", "*")


# ---- recording ----


def bench(call, *rest, quantiles=None, **keywords):
    """Calls once, and says what no decision can rest on."""
    call()
    return [1.0] * len(quantiles) if quantiles else 1.0


def behind(value):
    """The tensor of something that poses as one."""
    if torch.is_tensor(value) or not hasattr(value, "data_ptr"):
        return value
    return next((t for t in vars(value).values() if torch.is_tensor(t) and t.data_ptr() == value.data_ptr()), value)


class Recorder:

    def __init__(self, folder, per_kernel, with_triton, choose):
        self.folder, self.per_kernel, self.with_triton, self.choose = folder, per_kernel, with_triton, choose
        self.seen, self.lines, self.unsaid, self.case = collections.Counter(), [], [], ""
        self.digests, self.binders = set(), {}

    def launch(self, function, arguments, keywords, grid):
        source = os.path.abspath(inspect.getsourcefile(function.fn))
        where = (source, function.__name__)
        if self.seen[where] >= self.per_kernel:
            return
        keywords.setdefault("debug", function.debug)
        for hook in function.pre_run_hooks:
            hook(*arguments, **keywords)
        _, _, target, backend, binder = function.device_caches[0]
        bound, special, options = binder(*arguments, **keywords)
        options, signature, constants, attributes = function._pack_args(backend, keywords, bound, special, options)
        if callable(grid):
            grid = grid(bound)
        grid = [int(g) for g in grid]
        texts, values = [], []
        for (name, value), (kind, hint) in zip(bound.items(), special):
            if kind == "constexpr":
                texts.append(literal(value))
            elif not isinstance(kind, str) or kind.startswith(("tensordesc", "nvTma")):
                raise Unsaid(f"parameter '{name}' of type {kind}")
            else:
                texts.append(signed(kind) + (":16" if isinstance(hint, str) and "D" in hint else ""))
                values.append(behind(value))
        # Pointers come last: looking at a tensor is what takes time.
        line = {"source": source, "kernel": function.__name__, "case": self.case, "signature": ", ".join(texts), "grid": grid,
                "num_warps": options.num_warps, "num_stages": max(1, options.num_stages), "seed": 1}
        digest = hashlib.sha256(json.dumps([source, line["kernel"], line["signature"], line["num_warps"], line["num_stages"]]).encode()).hexdigest()[:12]
        if digest in self.digests or 0 in grid:
            return
        line["arguments"] = [buffer(v) if torch.is_tensor(v) else v if isinstance(v, (bool, int, float)) else self.odd(v) for v in values]
        if getattr(options, "num_ctas", 1) != 1:
            raise Unsaid("num_ctas")
        if getattr(options, "maxnreg", None):
            line["maxnreg"] = options.maxnreg
        self.digests.add(digest)
        if self.with_triton:
            line["triton"] = self.compile(function, signature, constants, attributes, target, options, digest)
        self.seen[where] += 1
        self.lines.append(line)

    @staticmethod
    def odd(value):
        raise Unsaid(f"an argument of type {type(value).__name__}")

    def compile(self, function, signature, constants, attributes, target, options, digest):
        """The kernel in Triton's IR, which Triton compiles anywhere, and what a launch takes."""
        backend = make_backend(target)
        context = ir.context()
        ir.load_dialects(context)
        backend.load_dialects(context)
        source = ASTSource(function, signature, constants, attributes)
        stages, metadata = {}, dict(options.__dict__)
        backend.add_stages(stages, options, source.language)
        module = source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
        with open(os.path.join(self.folder, digest + ".ttir"), "w") as file:
            file.write(str(stages["ttir"](module, metadata)))
        return {"image": digest + ".ttir", "kinds": [k for k in signature.values() if k != "constexpr"],
                "options": {"num_warps": options.num_warps, "num_stages": options.num_stages, "maxnreg": options.maxnreg}}

    def install(self):
        recorder = self

        def run(function, *arguments, grid, warmup=False, **keywords):
            try:
                recorder.launch(function, arguments, dict(keywords), grid)
            except Exception as error:
                cause = error.__cause__ or error
                recorder.unsaid.append((recorder.case, function.__name__, f"{type(error).__name__}: " + " ".join(str(cause).split())[-300:]))
            return pretend.Nothing()

        def tune(tuner, *arguments, **keywords):
            tuner.nargs = dict(zip(tuner.arg_names, arguments))
            configs = tuner.prune_configs(keywords) if len(tuner.configs) > 1 else tuner.configs
            config = configs[min(len(configs) - 1, int(len(configs) * recorder.choose))]
            tuner.best_config = config
            if config.pre_hook is not None:
                config.pre_hook({**tuner.nargs, **keywords, **config.all_kwargs()})
            return tuner.fn.run(*arguments, **{**keywords, **config.all_kwargs()})

        jit.JITFunction.run = run
        triton.testing.do_bench = bench
        autotuner.Autotuner.run = tune


def load(path):
    spec = importlib.util.spec_from_file_location("recorded_" + os.path.splitext(os.path.basename(path))[0], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--out", required=True)
    parser.add_argument("--path", action="append", default=[], help="a checkout, to import from")
    parser.add_argument("--triton", action="store_true", help="leave Triton's IR of each, too")
    parser.add_argument("--only", default="", help="cases whose name holds this")
    parser.add_argument("--per-kernel", type=int, default=1, help="launches recorded of one kernel")
    parser.add_argument("--config", type=float, default=0.5, help="which autotune configuration: 0 the first, 1 the last")
    a = parser.parse_args()
    os.makedirs(a.out, exist_ok=True)
    sys.path[:0] = a.path
    sys.path += [os.path.dirname(os.path.abspath(path)) for path in a.programs]
    recorder = Recorder(a.out, a.per_kernel, a.triton, a.config)
    failed = []
    torch.manual_seed(1)
    pretend.install()
    recorder.install()
    for path in a.programs:
        module = load(path)
        for name, case in [(n, c) for n, c in vars(module).items() if n.startswith("case_") and a.only in n]:
            recorder.case = name[len("case_"):]
            before, begin = len(recorder.lines), time.time()
            try:
                case()
            except Exception as error:
                place = traceback.extract_tb(error.__traceback__)[-1]
                failed.append((recorder.case, f"{type(error).__name__}: {' '.join(str(error).split())[:200]} ({place.filename}:{place.lineno})"))
            print(f"{recorder.case}: {len(recorder.lines) - before} kernels, {time.time() - begin:.1f} s", flush=True)
    with open(os.path.join(a.out, "launches.jsonl"), "w") as file:
        file.writelines(json.dumps(dict(line, source=os.path.relpath(line["source"], a.out))) + "\n" for line in recorder.lines)
    for case, name, why in recorder.unsaid:
        print(f"not recorded: {case} {name}: {why}")
    for case, why in failed:
        print(f"failed: {case}: {why}")
    print(f"{len(recorder.lines)} launches, {len(recorder.unsaid)} not recorded, {len(failed)} cases failed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
