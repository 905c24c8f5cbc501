"""One launch under both compilers on a GPU: the same bytes in, every byte that comes out compared, both timed."""
import ast
import importlib.machinery
import importlib.util
import os
import statistics
import sys
import zlib

import torch
import triton
import triton.language as tl
from triton.compiler import ASTSource
from triton.runtime.jit import JITFunction

import cuda
import fill
import launches
import sensitive

SLACK, SLACK_BYTE = 4096, 0xA5  # around every buffer
# Close: so many units apart, or apart by what the largest element of the buffer loses in so many bits of its precision, which
# sums in another order may. Results of 8 and 16 bits are rounded from wider ones.
UNITS, BITS = {True: 16, False: 2}, {True: 4, False: 1}
CACHE_BYTES, HEAD_START = 256 << 20, 200_000
PRECISION = {"fp16": 11, "bf16": 8, "fp32": 24, "fp64": 53, "fp8e5": 3, "fp8e4nv": 4, "fp8e5b16": 3, "fp8e4b8": 4}


class Refusal(Exception):
    """Triton does not compile it."""


# ---- buffers ----


class Buffers:
    """The arguments of a launch on the device. Buffers lie between zones of slack, so that hints of 16 bytes hold."""

    def __init__(self, launch):
        self.arguments, self.start = launch["arguments"], []
        for stream, argument in enumerate(self.arguments):
            if not isinstance(argument, dict):
                self.start.append(argument)
                continue
            data = fill.fill_tensor(argument, launch["seed"], stream, "cuda")
            whole = torch.full((len(data) + 2 * SLACK + -len(data) % 16,), SLACK_BYTE, dtype=torch.uint8, device="cuda")
            whole[SLACK:SLACK + len(data)] = data
            self.start.append(whole)

    def fresh(self):
        """Copies, of tensors only."""
        return [s.clone() if torch.is_tensor(s) else s for s in self.start]

    def moved(self, tf32):
        """Copies whose numbers are a little different."""
        return [sensitive.moved(s, a["element"], SLACK, tf32) if torch.is_tensor(s) and fill.is_real(a["element"]) else
                s.clone() if torch.is_tensor(s) else s for s, a in zip(self.start, self.arguments)]

    def values(self, buffers):
        """What a kernel is given: addresses and numbers."""
        return [b.data_ptr() + SLACK if torch.is_tensor(b) else float(b) if isinstance(b, str) else b for b in buffers]


# ---- comparison ----


def ordered(data, element):
    """Floats as integers in the same order, next to each other where the floats are."""
    size = fill.BYTES[element]
    whole = data.view({1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[size]).to(torch.int64)
    return torch.where(whole < 0, -(whole & (1 << 8 * size - 1) - 1), whole)


def compare_buffer(element, triton_bytes, tkc_bytes):
    """-> (verdict, detail): equal, nan (the bits of NaNs differ), close, different."""
    if torch.equal(triton_bytes, tkc_bytes):
        return "equal", ""
    ours, theirs = tkc_bytes[SLACK:-SLACK], triton_bytes[SLACK:-SLACK]
    for zone in (slice(None, SLACK), slice(-SLACK, None)):
        if not torch.equal(triton_bytes[zone], tkc_bytes[zone]):
            return "different", "the slack beside it"
    size = fill.BYTES[element]
    kind = fill.REALS.get(element)
    if kind is None:
        off = (ours != theirs).view(-1, size).any(1)
        at = int(off.nonzero()[0])
        return "different", f"{int(off.sum())} of {off.numel()}, first [{at}]"
    a, b = theirs.view(kind).to(torch.float64), ours.view(kind).to(torch.float64)
    off = (ours != theirs).view(-1, size).any(1) & ~(a.isnan() & b.isnan())
    if not off.any():
        return "nan", "bits of NaNs"
    x, y = a[off], b[off]
    at = int(off.nonzero()[0])
    first = f"first [{at}]: {float(x[0])!r} under Triton, {float(y[0])!r}"
    steps = (ordered(theirs, element)[off] - ordered(ours, element)[off]).abs()
    finite = a[a.isfinite()].abs()
    scale = float(finite.max()) if finite.numel() else 0.0
    wide = size >= 4
    near = (steps <= UNITS[wide]) | ((x - y).abs() <= scale * 2.0**(BITS[wide] - PRECISION[element]))
    near &= ~(x.isnan() | y.isnan())
    text = f"{int(off.sum())} of {off.numel()}, at most {int(steps.max())} units apart"
    if bool(near.all()):
        return "close", text
    return "different", f"{text}, {int((~near).sum())} not close, {first}"


ORDER = ("equal", "nan", "close", "different")


def who_is_wrong(argument, triton_bytes, tkc_bytes):
    """By the checksum of what is wanted, where the launch has one."""
    if "crc" not in argument:
        return ""
    size = argument["count"] * fill.BYTES[argument["element"]]
    right = [zlib.crc32(b[SLACK:SLACK + size].cpu().numpy().tobytes()) == argument["crc"] for b in (triton_bytes, tkc_bytes)]
    return {(True, False): " (tkc is wrong)", (False, True): " (Triton is wrong)", (False, False): " (both are wrong)",
            (True, True): " (right in both, but beside it)"}[tuple(right)]


def compare(launch, triton_buffers, tkc_buffers, names):
    worst, details = "equal", []
    for argument, a, b, name in zip(launch["arguments"], triton_buffers, tkc_buffers, names):
        if isinstance(argument, dict):
            verdict, detail = compare_buffer(argument["element"], a, b)
            worst = max(worst, verdict, key=ORDER.index)
            if detail:
                details.append(f"{name}{who_is_wrong(argument, a, b)}: {detail}")
    if worst == "close" and launch.get("exact"):
        worst = "different"
    return worst, "; ".join(details)


# ---- Triton ----


def load_module(path):
    """A source as a module, in its package where it lies in one."""
    folder, parts = os.path.dirname(path), [os.path.splitext(os.path.basename(path))[0]]
    while os.path.exists(os.path.join(folder, "__init__.py")):
        parts.insert(0, os.path.basename(folder))
        folder = os.path.dirname(folder)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    name = ".".join(parts) if len(parts) > 1 else "differential_" + parts[0]
    if name in sys.modules and getattr(sys.modules[name], "__file__", None) == path:
        return sys.modules[name]
    loader = importlib.machinery.SourceFileLoader(name, path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    sys.modules[name] = module
    loader.exec_module(module)
    return module


def constant(text, module):
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return eval(text, {**vars(module), "tl": tl, "inf": float("inf"), "nan": float("nan")})


class TritonKernel(cuda.Function):
    """A kernel as Triton compiles it for the parameters that tkc describes."""

    def __init__(self, launch, described):
        before = launch.get("triton")
        if before and "metadata" in before:
            meta, self.kinds, self.scratch_bytes = before["metadata"], before["kinds"], before["metadata"]["scratch"]
            with open(before["image"], "rb") as file:
                super().__init__(file.read(), meta["name"], meta["threads"], meta["shared"])
            return
        if before:
            compiled, self.kinds = triton.compile(before["image"], options=before["options"]), before["kinds"]
        else:
            compiled, self.kinds = compile_triton(launch, described)
        meta = compiled.metadata
        super().__init__(compiled.asm["cubin"], meta.name, 32 * meta.num_warps, meta.shared)
        self.scratch_bytes = meta.global_scratch_size

    def prepare(self, values, grid):
        """`values` are those of all parameters; the constant ones have none here."""
        packed = [cuda.pack(kind, value) for kind, value in zip(self.kinds, values) if kind]
        scratch = torch.empty(max(1, self.scratch_bytes * grid[0] * grid[1] * grid[2]), dtype=torch.uint8, device="cuda")
        prepared = self.prepare_values(packed + [cuda.pack("*i8", scratch.data_ptr()), cuda.pack("*i8", 0)], list(grid))
        prepared[0].insert(0, scratch)
        return prepared


def compile_triton(launch, described, target=None):
    """-> (Triton's compiled kernel, for each of tkc's parameters its type, or None where it is a constant there)"""
    module = load_module(launch["source"])
    function = getattr(module, described["name"])
    while not isinstance(function, JITFunction):
        function = function.fn
    params = {p["name"]: p for p in described["params"]}
    signature, constants, attributes = {}, {}, {}
    for index, name in enumerate(function.arg_names):
        param = params.get(name)
        if param is None or param.get("equals") == 1:
            signature[name] = "constexpr"
            text = described["constants"].get(name)
            default = function.signature.parameters[name].default
            constants[name] = 1 if param else constant(text, module) if text is not None else default
            continue
        signature[name] = param["type"]
        if param.get("divisible_by", 1) % 16 == 0:
            attributes[(index,)] = [["tt.divisibility", 16]]
    if any(name not in signature for name in params) or list(params) != [n for n in function.arg_names if n in params]:
        raise Refusal("its parameters are tuples or descriptors, which ASTSource does not take")
    source = ASTSource(fn=function, signature=signature, constexprs=constants, attrs=attributes)
    try:
        compiled = triton.compile(source, target=target,
                                  options={"num_warps": launch["num_warps"], "num_stages": launch["num_stages"]})
    except Exception as error:
        cause = error.__cause__ or error
        raise Refusal(f"{type(error).__name__}: " + " ".join(str(cause).split())[-300:]) from error
    return compiled, [None if p.get("equals") == 1 else p["type"] for p in described["params"]]


# ---- both ----


def median_times(runs, seconds):
    """Milliseconds of each of several functions, which take turns with a cold cache, queued behind a head start."""
    cold = torch.empty(CACHE_BYTES, dtype=torch.uint8, device="cuda")

    def once(run):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        cold.zero_()
        torch.cuda._sleep(HEAD_START)
        begin.record()
        run()
        end.record()
        torch.cuda.synchronize()
        return begin.elapsed_time(end)

    first = [once(run) for run in runs]
    rounds = max(5, min(50, int(seconds * 1000 / (sum(first) + 0.3 * len(runs)))))
    times = [[] for _ in runs]
    for _ in range(rounds):
        for at, run in enumerate(runs):
            times[at].append(once(run))
    return [statistics.median(t) for t in times]


def image_beside(launch, folder, name, image):
    """What another tkc made of a kernel: (description of its file, image), or None where it is the same."""
    try:
        found = [(whole, other) for described, whole, other in launches.kernels_of(launch, folder) if described["name"] == name]
    except FileNotFoundError:
        return None
    return found[0] if found and found[0][1] != image else None


class Run:
    """A compiled kernel, and the buffers that it has run on."""

    def __init__(self, kernel, buffers, grid):
        self.kernel, self.buffers = kernel, buffers.fresh()
        self.prepared = kernel.prepare(buffers.values(self.buffers), grid)
        kernel.launch_prepared(self.prepared)
        torch.cuda.synchronize()

    def again(self, buffers, start, grid):
        self.kernel.launch_prepared(self.kernel.prepare(buffers.values(start), grid))
        torch.cuda.synchronize()
        return start

    def time(self, stream):
        return lambda: self.kernel.launch_prepared(self.prepared, stream)


def judge(launch, described, buffers, other, own, grid, tf32):
    """-> (status, detail) of what tkc's code left beside what Triton's did."""
    names = [p["name"] for p in described["params"]]
    status, detail = compare(launch, other.buffers, own.buffers, names)
    if status == "different" and not launch.get("exact"):
        runs = [other.again(buffers, start, grid) for start in (buffers.fresh(), buffers.moved(tf32))]
        status, more = sensitive.judge(launch, other.buffers, own.buffers, *runs, names, SLACK)
        detail += f" ({more})"
    return status, detail


def execute(launch, folder, options, tell):
    """Runs all kernels of a compiled launch; `tell` hears what is tried next. Yields a record for each kernel."""
    for described, whole, image in launches.kernels_of(launch, folder):
        launch_here = launches.complete(launch, described, options["given"])
        record = {"id": launch["id"], "kernel": described["name"]}
        tell("arguments")
        try:
            buffers = Buffers(launch_here)
            grid = [int(g) for g in launch_here["grid"]] + [1] * (3 - len(launch_here["grid"]))
            tell("triton refused")
            kernel = TritonKernel(launch_here, described)
            tell("triton failed")
            other = Run(kernel, buffers, grid)
        except Refusal as refusal:
            yield dict(record, status="triton refused", detail=str(refusal))
            continue
        except fill.NoFormat as missing:
            yield dict(record, status="no format", detail=f"PyTorch has no {missing}")
            continue
        tell("tkc failed")
        own = Run(cuda.Kernel(image, whole, described["name"]), buffers, grid)
        beside = {}
        for name, path in options["beside"].items():
            found = image_beside(launch, path, described["name"], image)
            if found:
                tell(f"{name} failed")
                beside[name] = Run(cuda.Kernel(found[1], found[0], described["name"]), buffers, grid)
        if not options["seconds"]:
            tell("comparison")
            tf32 = b"tf32" in image
            status, detail = judge(launch_here, described, buffers, other, own, grid, tf32)
            record.update(status=status, detail=detail, hidden=len(own.kernel.hidden))
            record["beside"] = {name: dict(zip(("status", "detail"), judge(launch_here, described, buffers, other, run, grid, tf32)))
                                for name, run in beside.items()}
        else:
            tell("timing")
            stream = torch.cuda.current_stream().cuda_stream
            record["triton_ms"], record["tkc_ms"], *more = median_times(
                [run.time(stream) for run in (other, own, *beside.values())], options["seconds"])
            record.update(registers=own.kernel.registers(), local=own.kernel.local_bytes(),
                          triton_registers=other.kernel.registers(), triton_local=other.kernel.local_bytes())
            record["beside_times"] = {name: {"ms": ms, "registers": run.kernel.registers(), "local": run.kernel.local_bytes()}
                                      for (name, run), ms in zip(beside.items(), more)}
        for run in (other, own, *beside.values()):
            run.kernel.unload()
        del buffers, other, own, beside
        torch.cuda.empty_cache()  # other processes need it
        yield record
