#!/usr/bin/env python3
"""Times tkc's kernels against their peers on an NVIDIA GPU, in one run and on the same data.

    tests/gpu/run.sh --tkc build/bin/tkc --target sm_90a --compile-only --out build/gpu      (where tkc is)
    python3 tests/bench/bench.py [--dir build/gpu] [--only WORD] [--quick] [--native] [--libraries-only]
        [--peers-only]   (where the GPU is)

tkc's kernels are launched through the generated headers: each is wrapped in a small shared library built here with
cc. Peers are Triton's own compiler on the same source (the best of several configurations; for matrix work also
compiled for sm_80, as tkc's default is; for fp16 products also on a persistent kernel of tensor descriptors,
descriptor_products.py), PyTorch (cuBLAS, cuDNN or FlashAttention behind it), and for attention FlashAttention-4 where
its package is installed, for rows quack likewise. Results of tkc and Triton are compared with fp64 before they are timed. All
launchers of a row take turns, each launch between CUDA events with the L2 cache cleared before; a time is the median.

Needs PyTorch and Triton 3.6; exits 77 (skipped) without them or without a GPU.
"""
import argparse
import concurrent.futures
import ctypes
import functools
import importlib
import json
import math
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check_triton  # noqa: E402  (the folder of this file)

SKIPPED = 77
HEAD_START = 500_000  # cycles: a quarter of a millisecond
LONG_HEAD_START = 8_000_000  # for rows with libraries in Python: a call of FlashAttention-4 takes the host longer than a quarter
C_TYPES = {"i32": ("int32_t", ctypes.c_int32), "i64": ("int64_t", ctypes.c_int64), "fp32": ("float", ctypes.c_float)}
POINTER = ("CUdeviceptr", ctypes.c_uint64)


class Kernel:
    """One kernel of an example, its only one without a name: module, jit function, and the parameters of a launch."""

    def __init__(self, example, name=None):
        self.example = example
        self.module = check_triton.load_module(os.path.join(check_triton.TOP, "examples", example + ".tk"))
        ((self.name, self.function, self.config),) = [
            found for found in check_triton.kernels(self.module) if name in (None, found[0])]
        self.parameters = []
        for name, parameter in self.function.signature.parameters.items():
            annotation = parameter.annotation
            if isinstance(annotation, str) and "constexpr" not in annotation:
                kind = annotation.split(":")[0]
                self.parameters.append((name, POINTER if kind[0] == "*" else C_TYPES[kind]))

    def grid(self, arguments, constants):
        meta = dict(zip([name for name, _ in self.parameters], arguments))
        meta.update(constants)
        return getattr(self.module, self.name).grid(meta)


def raw(arguments):
    """Tensors become device addresses."""
    return [a.data_ptr() if hasattr(a, "data_ptr") else a for a in arguments]


def stream_handle():
    import torch

    return torch.cuda.current_stream().cuda_stream


@functools.cache  # a variant is a row's candidate for many shapes
def built(kernel, folder, variant):
    """The library around the generated header folder/variant.h, or None where that is missing."""
    header = os.path.join(folder, variant + ".h")
    if not os.path.exists(header):
        return None
    stem = os.path.join(folder, f"{variant}.{kernel.name}")
    source, library = (stem + suffix for suffix in (".launch.c", ".launch.so"))
    declared = ", ".join(f"{types[0]} a{i}" for i, (_, types) in enumerate(kernel.parameters)) # names may be words of C
    passed = ", ".join(f"a{i}" for i in range(len(kernel.parameters)))
    with open(source, "w") as file:
        file.write(f'#include "{variant}.h"\n#include <stdint.h>\n'
                   f"CUresult launch(CUstream stream, {declared}) {{\n"
                   f"    return {kernel.name}_launch(stream, {passed});\n}}\n")
    cuda = os.environ.get("CUDA_HOME", "/usr/local/cuda")
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", f"-I{cuda}/include", f"-I{folder}", source,
                    "-o", library, f"-L{cuda}/lib64/stubs", "-L/usr/local/nvidia/lib64", "-lcuda"], check=True)
    return os.path.abspath(library)


@functools.cache
def tkc_launcher(kernel, folder, variant):
    """A function that launches through the generated header folder/variant.h, or None where that is missing."""
    library = built(kernel, folder, variant)
    if library is None:
        return None
    function = ctypes.CDLL(library).launch
    function.argtypes = [ctypes.c_void_p] + [types[1] for _, types in kernel.parameters]
    function.restype = ctypes.c_int

    def launch(*arguments):
        status = function(stream_handle(), *raw(arguments))
        if status:
            raise RuntimeError(f"{variant}: launch returned CUDA error {status}")

    return launch


def triton_launcher(kernel, constants, num_warps, num_stages):
    """Triton's own JIT for the GPU that is here."""

    def launch(*arguments):
        kernel.function[kernel.grid(arguments, constants)](*arguments, **constants, num_warps=num_warps,
                                                           num_stages=num_stages)

    return launch


def triton_sm80_launcher(kernel, constants, num_warps, num_stages):
    """Triton compiled for sm_80 with the file's own hints, its PTX loaded by the driver."""
    import triton

    config = triton.Config({}, num_warps=num_warps, num_stages=num_stages)
    compiled = check_triton.compile_kernel(kernel.function, config, 80, overrides=constants)
    cuda = ctypes.CDLL("libcuda.so.1")
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    ptx = compiled.asm["ptx"].encode() + b"\0"

    def must(status):
        if status:
            raise RuntimeError(f"Triton for sm_80: CUDA error {status}")

    must(cuda.cuModuleLoadData(ctypes.byref(module), ptx))
    must(cuda.cuModuleGetFunction(ctypes.byref(function), module, compiled.metadata.name.encode()))
    maximum_dynamic_shared_size = 8
    must(cuda.cuFuncSetAttribute(function, maximum_dynamic_shared_size, compiled.metadata.shared))
    _, constexprs, _ = check_triton.describe(kernel.function, config, constants)
    kept = [i for i, (name, _) in enumerate(kernel.parameters) if name not in constexprs]

    def launch(*arguments):
        # Triton appends two scratch pointers, unused by these kernels.
        values = [kernel.parameters[i][1][1](value) for i, value in enumerate(raw(arguments)) if i in kept]
        values += [ctypes.c_uint64(0), ctypes.c_uint64(0)]
        slots = (ctypes.c_void_p * len(values))(*[ctypes.addressof(value) for value in values])
        grid = tuple(kernel.grid(arguments, constants)) + (1, 1)
        must(cuda.cuLaunchKernel(function, grid[0], grid[1], grid[2], 32 * compiled.metadata.num_warps, 1, 1,
                                 compiled.metadata.shared, ctypes.c_void_p(stream_handle()), slots, None))

    return launch


class Bench:
    """One line of the table: a problem, the peers that solve it, and how much work it is."""

    def __init__(self, options):
        self.options = options
        self.rows = []

    def race(self, launches, rounds, before_round=lambda: None, head_start=HEAD_START):
        """Median milliseconds of each, in turns of changing order: a warm card and what ran before slow all alike."""
        import torch

        cache = torch.empty(256 << 20, dtype=torch.int8, device="cuda")
        times = [[] for _ in launches]
        turns, order = list(zip(launches, times)), random.Random(0)
        for round_ in range(rounds + 2):
            order.shuffle(turns)
            before_round()
            for launch, own in turns:
                cache.zero_()
                torch.cuda._sleep(head_start)  # the host gets ahead: no event waits for a launch
                before, after = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
                before.record()
                launch()
                after.record()
                after.synchronize()
                if round_ >= 2:
                    own.append(before.elapsed_time(after))
        return [sorted(own)[len(own) // 2] for own in times]

    def checked(self, launchers, arguments, output, want, tolerance):
        """The launchers of a group that run and give the right result, with their labels."""
        import torch

        good = []
        for label, make in launchers:
            try:
                launch = make()
                if launch is None:
                    continue
                output.fill_(float("nan") if output.is_floating_point() else -1)
                launch(*arguments)
                torch.cuda.synchronize()
                error = ((output.float() - want.float()).abs() / (want.float().abs() + 1)).max().item()
                if not error <= tolerance:
                    print(f"  {label}: WRONG: error {error:.3g} exceeds {tolerance:.3g}; not timed", flush=True)
                    continue
                good.append((label, lambda launch=launch: launch(*arguments)))
            except Exception as error:  # a peer unable to run is reported, not fatal
                print(f"  {label}: {type(error).__name__}: {str(error)[:200]}", flush=True)
        return good

    def row(self, title, unit, work, arguments, output, want, tolerance, groups, torch_call, moving=False,
            libraries={}):
        """work is in units per millisecond-to-unit factor: FLOP * 1e-9 for TFLOP/s, bytes * 1e-6 for GB/s.

        With moving the output lies elsewhere in each round, for all launchers alike: what is bound by memory differs by a
        percent from place to place, which is more than what such kernels differ by. libraries are further peers' calls by name.
        """
        result = {"work": title, "unit": unit}
        arguments = list(arguments)
        calls = torch_call if isinstance(torch_call, list) else [torch_call]
        entries = [("PyTorch", "", call) for call in calls] + [(name, "", call) for name, call in libraries.items()]
        for group, launchers in groups.items():
            if not (group == "Triton sm_80" and self.options.native or not group.startswith("tkc") and self.options.libraries_only):
                entries += [(group, label, launch) for label, launch in
                            self.checked(launchers, arguments, output, want, tolerance)]
        rounds = 8 if self.options.quick else 80 if moving else 20
        before_round = self.mover(arguments, output) if moving else lambda: None
        for (group, label, _), milliseconds in zip(
                entries, self.race([entry[2] for entry in entries], rounds, before_round,
                                   LONG_HEAD_START if libraries else HEAD_START)):
            if self.options.verbose:
                print(f"  {group} {label}: {milliseconds:.4f} ms", flush=True)
            if work / milliseconds > result.get(group, 0):
                result[group] = work / milliseconds
                result[group + " with"] = label
        self.rows.append(result)
        print(f"{title}: " + ", ".join(f"{key} {value:,.1f}" if isinstance(value, float) else f"{value}"
                                       for key, value in result.items() if key not in ("work", "unit")), flush=True)

    @staticmethod
    def mover(arguments, output):
        """A function that puts the output among the arguments to another place of 3 GiB of memory."""
        import torch

        at = next(i for i, argument in enumerate(arguments) if argument is output)
        size, order = output.nbytes, random.Random(0)
        pool = torch.empty(3 << 30, dtype=torch.int8, device="cuda")

        def move():
            start = order.randrange((pool.nbytes - size) // 4096) * 4096
            arguments[at] = pool[start:start + size].view(output.dtype).view(output.shape)

        return move

    def table(self):
        columns = ["tkc", "Triton sm_80", "Triton", "PyTorch", "FA4", "quack"]
        print(f"\n{'work':34} {'unit':8}" + "".join(f"{name:>14}" for name in columns)
              + f"{'/Triton sm_80':>15}{'/Triton':>9}{'/PyTorch':>9}{'/FA4':>9}{'/quack':>9}")
        for row in self.rows:
            line = f"{row['work']:34} {row['unit']:8}"
            line += "".join(f"{row[name]:14,.1f}" if name in row else f"{'-':>14}" for name in columns)
            for peer, width in (("Triton sm_80", 15), ("Triton", 9), ("PyTorch", 9), ("FA4", 9), ("quack", 9)):
                both = "tkc" in row and peer in row
                line += f"{row['tkc'] / row[peer]:{width}.2f}" if both else f"{'-':>{width}}"
            print(line)

    def tkc(self, kernel, variants):
        if self.options.peers_only:
            return []
        with concurrent.futures.ThreadPoolExecutor(len(variants)) as pool:
            list(pool.map(lambda variant: built(kernel, self.options.dir, variant), variants))
        return [(variant, lambda variant=variant: tkc_launcher(kernel, self.options.dir, variant))
                for variant in variants]


def triton_group(kernel, make, settings):
    """Launchers for (constants, num_warps, num_stages) settings."""
    group = []
    for constants, num_warps, num_stages in settings:
        label = "x".join(str(v) for v in constants.values()) + f" w{num_warps} s{num_stages}"
        group.append((label, lambda c=constants, w=num_warps, s=num_stages: make(kernel, c, w, s)))
    return group


def bench_vector_add(bench):
    import torch

    kernel = Kernel("vector_add")
    n = 1 << 28
    x, y = (torch.rand(n, device="cuda") for _ in range(2))
    z = torch.empty_like(x)
    settings = [({"BLOCK": block}, warps, 3) for block, warps in ((1024, 4), (2048, 8), (4096, 8))]
    bench.row("vector add fp32 2^28", "GB/s", 12 * n * 1e-6, (x, y, z, n), z, x + y, 0,
              {"tkc": bench.tkc(kernel, ["vector_add", "vector_add_by16"]),
               "Triton": triton_group(kernel, triton_launcher, settings)}, lambda: torch.add(x, y, out=z), moving=True)


NARROW, NARROW_WARPS = 1024, (1, 2, 4, 8)  # columns of narrow rows at most, and the trials for them


def row_settings(columns):
    """Triton's settings for rows that a block holds."""
    return [({"BLOCK": 1 << (columns - 1).bit_length()}, warps, 3)
            for warps in (NARROW_WARPS if columns <= NARROW else (4, 8, 16, 32))]


def row_variants(name, columns, large, narrow=NARROW_WARPS):
    """tkc's variants for rows: those of narrow ones where these suffice, without hints where the width keeps none."""
    hints = "_by16" if columns % 16 == 0 else ""
    return large if columns > NARROW else [f"{name}{hints}_{NARROW}_{suffix}" for suffix in narrow]


def quack_calls(module, name, *arguments):
    """{"quack": its call}, where its package (quack-kernels on PyPI) is installed."""
    try:
        function = getattr(importlib.import_module("quack." + module), name)
        function(*arguments)
    except Exception as error:  # a peer that cannot run is reported, not fatal
        print(f"  quack: {type(error).__name__}: {str(error)[:200]}", flush=True)
        return {}
    return {"quack": lambda: function(*arguments)}


def bench_softmax(bench):
    import torch

    kernel = Kernel("softmax")
    for rows, columns in ((16384, 1024), (16384, 8192), (8192, 32768), (4096, 781)):
        x = torch.randn(rows, columns, device="cuda", dtype=torch.float16)
        y = torch.empty_like(x)
        settings = row_settings(columns)
        settings += [({"BLOCK": 4096}, 8, 3)] if columns > 8192 else []
        bench.row(f"softmax fp16 {rows}x{columns}", "GB/s", 4 * rows * columns * 1e-6,
                  (x, y, columns, columns, rows, columns), y, torch.softmax(x.double(), -1), 2e-3,
                  {"tkc": bench.tkc(kernel, row_variants("softmax", columns, ["softmax", "softmax_by16", "softmax_by16_wide",
                                                                             "softmax_by16_long", "softmax_by16_long_wide"])),
                   "Triton": triton_group(kernel, triton_launcher, settings)}, lambda: torch.softmax(x, -1), moving=True,
                  libraries=quack_calls("softmax", "softmax_fwd", x))


def bench_layer_norm(bench):
    import torch

    kernel = Kernel("layer_norm")
    for rows, columns in ((16384, 1024), (16384, 8192), (8192, 32768)):
        x = torch.randn(rows, columns, device="cuda", dtype=torch.float16)
        weight, bias = (torch.randn(columns, device="cuda", dtype=torch.float16) for _ in range(2))
        mean, rstd = (torch.empty(rows, device="cuda") for _ in range(2))
        y = torch.empty_like(x)
        settings = row_settings(columns)
        settings += [({"BLOCK": columns, "maxnreg": 80}, 8, 3)] if columns == 8192 else []
        settings += [({"BLOCK": columns, "maxnreg": 64}, 2, 3)] if columns == 1024 else []
        want = torch.nn.functional.layer_norm(x.double(), (columns,), weight.double(), bias.double())
        bench.row(f"layer norm fp16 {rows}x{columns}", "GB/s", 4 * rows * columns * 1e-6,
                  (x, y, weight, bias, mean, rstd, columns, columns, rows, columns, 1e-5), y, want, 4e-3,
                  {"tkc": bench.tkc(kernel, row_variants("layer_norm", columns, ["layer_norm"] + [
                      "layer_norm_by16" + s for s in ("", "_slim", "_wide", "_roomy", "_long", "_long_wide", "_long_widest")],
                      NARROW_WARPS + ("2_roomy",))),
                   "Triton": triton_group(kernel, triton_launcher, settings)},
                  lambda: torch.nn.functional.layer_norm(x, (columns,), weight, bias), moving=True,
                  libraries=quack_calls("rmsnorm", "layernorm_fwd", x, weight.float(), bias.float(), 1e-5, True, True))


MATMUL_SETTINGS = [({"BLOCK_M": m, "BLOCK_N": n, "BLOCK_K": k}, warps, stages) for m, n, k, warps, stages in (
    (128, 256, 64, 8, 3), (128, 256, 32, 8, 4), (128, 128, 64, 4, 3), (128, 128, 64, 8, 3), (128, 128, 32, 4, 4),
    (256, 128, 64, 8, 3), (64, 256, 32, 4, 4), (64, 64, 64, 4, 4), (64, 64, 128, 4, 4), (64, 128, 64, 4, 4))]


MATMUL_LARGE = [(4096, 4096, 4096), (8192, 8192, 8192), (2048, 2048, 2048), (4096, 14336, 4096), (8192, 28672, 8192)]


def bench_matmul(bench):
    import descriptor_products
    import torch

    kernel = Kernel("matmul")
    shapes = [*MATMUL_LARGE, (1024, 1024, 1024), (512, 512, 512), (128, 8192, 8192), (16, 4096, 4096), (1, 8192, 8192)]
    for m, n, k in shapes[:1] if bench.options.quick else shapes:
        a = torch.randn(m, k, device="cuda", dtype=torch.float16)
        b = torch.randn(k, n, device="cuda", dtype=torch.float16)
        c = torch.empty(m, n, device="cuda", dtype=torch.float16)
        settings = MATMUL_SETTINGS + ([({"BLOCK_M": 16, "BLOCK_N": columns, "BLOCK_K": depth}, 4, 4)
                                       for columns, depth in ((64, 128), (32, 256))] if m < 64 else [])
        bench.row(f"matmul fp16 {m}x{n}x{k}", "TFLOP/s", 2 * m * n * k * 1e-9,
                  (a, b, c, m, n, k, k, 1, n, 1, n, 1), c, a.double() @ b.double(), 0.1,
                  {"tkc": bench.tkc(kernel, ["matmul"] + [f"matmul_config_{i}" for i in range(1, 12)]),
                   "Triton sm_80": triton_group(kernel, triton_sm80_launcher, settings),
                   "Triton": triton_group(kernel, triton_launcher, settings) + descriptor_products.launchers(a, b, c)},
                  lambda: torch.matmul(a, b, out=c))


def bench_matmul_types(bench):
    """Operands that lie transposed, other element types, and a shape that no hint fits: 2-byte rows of odd length."""
    import descriptor_products
    import torch

    kernel = Kernel("matmul")
    settings = [(128, 256, 8, 3), (128, 256, 8, 4), (128, 128, 8, 3), (128, 128, 4, 4)]

    def row(name, size, a, b, c, want, tolerance, depths, variants, peer, more=()):
        m, n, k = size
        blocks = [({"BLOCK_M": bm, "BLOCK_N": bn, "BLOCK_K": depth}, warps, stages)
                  for depth in depths for bm, bn, warps, stages in settings]
        bench.row(f"matmul {name} {m}x{n}x{k}", "TOP/s", 2 * m * n * k * 1e-9,
                  (a, b, c, m, n, k, *a.stride(), *b.stride(), n, 1), c, want, tolerance,
                  {"tkc": bench.tkc(kernel, variants),
                   "Triton": triton_group(kernel, triton_launcher, blocks) + list(more)}, peer)

    def variants(name):
        return [f"matmul_{name}_{suffix}" for suffix in (3, 4, "slim")]

    def halves(rows, columns, transposed):
        shape = (columns, rows) if transposed else (rows, columns)
        tensor = torch.randn(shape, device="cuda", dtype=torch.float16)
        return tensor.t() if transposed else tensor

    for layout in ("nt", "tn"):
        for m, n, k in MATMUL_LARGE:
            a, b = halves(m, k, layout[0] == "t"), halves(k, n, layout[1] == "t")
            c = torch.empty(m, n, device="cuda", dtype=torch.float16)
            row(f"fp16 {layout}", (m, n, k), a, b, c, a.double() @ b.double(), 0.1, (64,), variants(layout),
                lambda: torch.matmul(a, b, out=c), descriptor_products.launchers(a, b, c))
    n = 8192
    a, b = (torch.randn(n, n, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    c = torch.empty_like(a)
    row("bf16", (n, n, n), a, b, c, a.double() @ b.double(), 0.1, (64,), variants("bf16"), lambda: torch.matmul(a, b, out=c))
    a8, b8 = (torch.randn(n, n, device="cuda").to(torch.float8_e4m3fn) for _ in range(2))
    c8, one = torch.empty(n, n, device="cuda", dtype=torch.float16), torch.ones((), device="cuda")

    def scaled():
        return torch._scaled_mm(a8, b8.t(), one, one, out_dtype=torch.bfloat16, use_fast_accum=True)

    # The matrix units add products of fp8 with 14 bits or so: of 8192 products up to 2.7 is lost, and one block is 5.7.
    row("e4m3 nt", (n, n, n), a8, b8.t(), c8, a8.double() @ b8.double().t(), 2, (64, 128), variants("e4m3"), scaled)
    ai, bi = (torch.randint(-128, 128, (n, n), device="cuda", dtype=torch.int8) for _ in range(2))
    ci = torch.empty(n, n, device="cuda", dtype=torch.int32)
    row("s8 nt", (n, n, n), ai, bi.t(), ci, torch._int_mm(ai, bi.t()), 0, (64, 128), variants("s8"),
        lambda: torch._int_mm(ai, bi.t(), out=ci))
    n = 4096
    a32, b32 = (torch.randn(n, n, device="cuda") for _ in range(2))
    c32 = torch.empty_like(a32)
    torch.backends.cuda.matmul.allow_tf32 = True
    row("tf32 nt", (n, n, n), a32, b32.t(), c32, a32.double() @ b32.double().t(), 0.5, (32, 64), variants("tf32"),
        lambda: torch.matmul(a32, b32.t(), out=c32))
    m, n, k = 4095, 4097, 4093
    ao, bo = (torch.randn(shape, device="cuda", dtype=torch.float16) for shape in ((m, k), (k, n)))
    co = torch.empty(m, n, device="cuda", dtype=torch.float16)
    row("fp16", (m, n, k), ao, bo, co, ao.double() @ bo.double(), 0.1, (16, 32, 64),
        [f"matmul_odd_{tile}" for tile in ("128x128x16", "128x128x32", "128x256x32")],
        lambda: torch.matmul(ao, bo, out=co))


def flash_attention_4():
    """FlashAttention-4's function, where its package (flash-attn-4 on PyPI) is installed. It takes (batch, length, heads, head_dim)."""
    try:
        from flash_attn.cute.interface import flash_attn_func
    except ImportError:
        return None
    return flash_attn_func


def flash_attention_4_calls(q, k, v, causal, do=None):
    """{"FA4": its call} for tensors of (batch, heads, length, head_dim): forward, or with do the gradients of what was computed before."""
    import torch

    function = flash_attention_4()
    if function is None:
        return {}
    rows = [tensor.transpose(1, 2) for tensor in (q, k, v)]
    if do is None:
        return {"FA4": lambda: function(*rows, causal=causal)}
    rows = [tensor.detach().contiguous().requires_grad_() for tensor in rows]
    out = function(*rows, causal=causal)
    out = out[0] if isinstance(out, tuple) else out
    gradient = do.transpose(1, 2).contiguous()
    return {"FA4": lambda: torch.autograd.grad(out, rows, gradient, retain_graph=True)}


def rows_in_fp64(q, k, v, causal, scale, rows=4096):
    """For each (batch, head), and some of its rows at a time: the keys that these see, and their weights in fp64."""
    import torch

    for place in [(batch, head) for batch in range(q.shape[0]) for head in range(q.shape[1])]:
        keys = k[place].double()
        for start in range(0, q.shape[2], rows):
            end = min(q.shape[2], start + rows)
            seen = slice(0, end if causal else q.shape[2])
            scores = q[place][start:end].double() @ keys[seen].T * scale
            if causal:
                later = torch.ones_like(scores[:, start:], dtype=torch.bool).triu(1)
                scores[:, start:].masked_fill_(later, -math.inf)
            yield place, slice(start, end), seen, torch.softmax(scores, 1)


def attention_in_fp64(q, k, v, causal, scale):
    import torch

    o = torch.empty(q.shape, device="cuda")
    for place, rows, seen, weights in rows_in_fp64(q, k, v, causal, scale):
        o[place][rows] = weights @ v[place][seen].double()
    return o


def gradients_in_fp64(q, k, v, do, causal, scale):
    """Of q, k and v, in one tensor."""
    import torch

    dq, dk, dv = gradients = torch.zeros((3, *q.shape), device="cuda", dtype=torch.double)
    with torch.no_grad():
        for place, rows, seen, weights in rows_in_fp64(q, k, v, causal, scale):
            of, values, given = q[place][rows].double(), v[place][seen].double(), do[place][rows].double()
            delta = (weights @ values * given).sum(1, keepdim=True)
            dv[place][seen] += weights.T @ given
            slopes = weights * (given @ values.T - delta) * scale
            dq[place][rows] = slopes @ k[place][seen].double()
            dk[place][seen] += slopes.T @ of
    return gradients


def bench_attention(bench):
    import torch

    kernel = Kernel("attention")
    heads = 16
    for head_dim, batch, length in ((128, 8, 4096), (64, 8, 4096), (128, 2, 16384), (64, 2, 16384)):
        shape = (batch, heads, length, head_dim)
        q, k, v = (torch.randn(shape, device="cuda", dtype=torch.float16) for _ in range(3))
        o = torch.empty_like(q)
        for causal in (False, True):
            scale = 1 / math.sqrt(head_dim)
            constants = {"HEAD_DIM": head_dim, "CAUSAL": causal}
            settings = [({"BLOCK_M": m, "BLOCK_N": n, "SLACK": slack, **constants}, warps, stages)
                        for m, n, warps, stages, slacks in (
                            (128, 32, 4, 3, (0,)), (128, 64, 8, 3, (0, 8)), (128, 64, 4, 3, (0, 8)), (64, 64, 4, 3, (0, 8)),
                            (128, 128, 8, 3, (0,))) for slack in slacks]
            variant = "attention" + ("_64" if head_dim == 64 else "") + ("" if causal else "_full")

            def torch_call(backend, is_causal=causal):
                with torch.nn.attention.sdpa_kernel(backend):
                    return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=is_causal)

            backends = torch.nn.attention.SDPBackend
            calls = [lambda backend=backend: torch_call(backend)
                     for backend in (backends.CUDNN_ATTENTION, backends.FLASH_ATTENTION)]

            work = 4 * batch * heads * length * length * head_dim * (0.5 if causal else 1) * 1e-9
            bench.row(f"attention fp16 D={head_dim} S={length} {'causal' if causal else 'full'}", "TFLOP/s", work,
                      (q, k, v, o, scale, batch, heads, length, heads * length * head_dim, length * head_dim,
                       head_dim), o, attention_in_fp64(q, k, v, causal, scale), 1e-2,
                      {"tkc": bench.tkc(kernel, [variant, variant + "_wide", variant + "_four"]),
                       "tkc without slack": bench.tkc(kernel, [variant + "_exact" + tiles for tiles in ("", "_wide", "_four")]),
                       "Triton sm_80": triton_group(kernel, triton_sm80_launcher, settings),
                       "Triton": triton_group(kernel, triton_launcher, settings)}, calls,
                      libraries=flash_attention_4_calls(q, k, v, causal))


class Sequence:
    """The kernels of a backward pass one behind the other, each with the best of its configurations."""

    def __init__(self, bench, values):
        self.bench = bench
        self.values = values  # of parameters, by name

    def arguments(self, kernel):
        return [self.values[name] for name, _ in kernel.parameters]

    def launcher(self, parts):
        """A launch of all; parts is for each kernel a list of (label, make). None where a kernel has no launcher."""
        import torch

        chosen = []
        for kernel, launchers in parts:
            good = []
            for label, make in launchers:
                try:
                    launch = make()
                    if launch is not None:
                        launch(*self.arguments(kernel))
                        torch.cuda.synchronize()
                        good.append((label, lambda launch=launch, given=self.arguments(kernel): launch(*given)))
                except Exception as error:  # a configuration unable to run is reported, not fatal
                    print(f"  {kernel.name} {label}: {type(error).__name__}: {str(error)[:200]}", flush=True)
            if not good:
                return None
            times = self.bench.race([launch for _, launch in good], 4)
            if self.bench.options.verbose:
                for (label, _), milliseconds in zip(good, times):
                    print(f"  {kernel.name} {label}: {milliseconds:.4f} ms", flush=True)
            chosen.append(good[times.index(min(times))][1])
        return lambda *_: [launch() for launch in chosen]


def bench_attention_backward(bench):
    import torch

    names = ["rows", "keys", "queries"]
    kernels = [Kernel("attention_backward", "attention_backward_" + name) for name in names]
    heads = 16
    for head_dim, batch, length in ((128, 8, 4096), (64, 8, 4096), (128, 2, 16384), (64, 2, 16384)):
        shape = (batch, heads, length, head_dim)
        q, k, v = (torch.randn(shape, device="cuda", dtype=torch.float16, requires_grad=True) for _ in range(3))
        do, gradients = torch.randn_like(q), torch.empty((3, *shape), device="cuda", dtype=torch.float16)
        base2, delta = (torch.empty(batch * heads * length, device="cuda") for _ in range(2))
        for causal in (True, False):
            with torch.no_grad():
                o, lse = torch.ops.aten._scaled_dot_product_flash_attention(q, k, v, 0.0, causal)[:2]
            values = {"q": q.detach(), "k": k.detach(), "v": v.detach(), "o": o.contiguous(), "do": do,
                      "lse": lse.contiguous(), "base2": base2, "delta": delta, "dq": gradients[0], "dk": gradients[1],
                      "dv": gradients[2], "scale": 1 / math.sqrt(head_dim), "batch": batch, "heads": heads,
                      "length": length, "padded": length, "stride_batch": heads * length * head_dim,
                      "stride_head": length * head_dim, "stride_row": head_dim}
            constants = {"HEAD_DIM": head_dim, "CAUSAL": causal}
            blocks = [({"BLOCK_M": m, "BLOCK_N": n, **constants}, warps, stages) for m, n, warps, stages in (
                (32, 64, 4, 2), (64, 64, 4, 2), (64, 128, 4, 2), (64, 128, 8, 2), (64, 128, 8, 3), (128, 64, 8, 2),
                (128, 64, 4, 2), (128, 64, 8, 3), (128, 128, 8, 2), (128, 32, 4, 3), (64, 32, 4, 3))]
            lines = [({"BLOCK": block, "HEAD_DIM": head_dim}, warps, 3) for block, warps in ((32, 4), (64, 8), (16, 4))]
            variant = "attention_backward" + ("_64" if head_dim == 64 else "") + ("" if causal else "_full")
            variants = [variant] + [f"{variant}_config_{i}" for i in (1, 2, 3, 4)]

            def backward(backend, is_causal=causal):
                with torch.nn.attention.sdpa_kernel(backend):
                    out = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=is_causal)
                return lambda: torch.autograd.grad(out, (q, k, v), do, retain_graph=True)

            backends = torch.nn.attention.SDPBackend
            calls = [backward(backend) for backend in (backends.CUDNN_ATTENTION, backends.FLASH_ATTENTION)]
            sequence = Sequence(bench, values)
            tkc = [(kernel, bench.tkc(kernel, variants)) for kernel in kernels]
            peer = [(kernel, triton_group(kernel, triton_launcher, lines if kernel is kernels[0] else blocks))
                    for kernel in kernels]
            work = 10 * batch * heads * length * length * head_dim * (0.5 if causal else 1) * 1e-9
            bench.row(f"backward fp16 D={head_dim} S={length} {'causal' if causal else 'full'}", "TFLOP/s", work, (),
                      gradients, gradients_in_fp64(q, k, v, do, causal, values["scale"]), 1e-2,
                      {"tkc": [("best of each", lambda: sequence.launcher(tkc))],
                       "Triton": [("best of each", lambda: sequence.launcher(peer))]}, calls,
                      libraries=flash_attention_4_calls(q, k, v, causal, do))


BENCHES = {"vector_add": bench_vector_add, "softmax": bench_softmax, "layer_norm": bench_layer_norm,
           "matmul": bench_matmul, "matmul_types": bench_matmul_types, "attention": bench_attention,
           "attention_backward": bench_attention_backward}


def main():
    parser = argparse.ArgumentParser(description="Times tkc's kernels against their peers.")
    parser.add_argument("--dir", default="build/gpu", help="where tests/gpu/run.sh left the headers")
    parser.add_argument("--only", action="append", choices=sorted(BENCHES), help="only these kernels")
    parser.add_argument("--quick", action="store_true", help="short windows, one matrix shape")
    parser.add_argument("--native", action="store_true", help="no peers compiled for sm_80")
    parser.add_argument("--libraries-only", action="store_true", help="no peers that Triton compiles")
    parser.add_argument("--peers-only", action="store_true", help="leave tkc out")
    parser.add_argument("--verbose", action="store_true", help="every configuration's time")
    parser.add_argument("--json", help="also write the rows to this file")
    options = parser.parse_args()
    try:
        import torch
        import triton
    except ImportError as error:
        print(f"bench: skipped: {error}")
        return SKIPPED
    if not torch.cuda.is_available():
        print("bench: skipped: no NVIDIA GPU here")
        return SKIPPED
    print(f"{torch.cuda.get_device_name()}; PyTorch {torch.__version__}, Triton {triton.__version__}", flush=True)
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    bench = Bench(options)
    for name in options.only or BENCHES:
        BENCHES[name](bench)
        torch.cuda.empty_cache()
    bench.table()
    if options.json:
        with open(options.json, "w") as file:
            json.dump(bench.rows, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
