"""tkc_torch.py on the stub device, whose memory is the host's, by the compiled operators and by Python: what they make of shapes,
strides, types and hints, what they pass to the driver, and what fakes and gradients say. Skipped (77) without PyTorch.

    torch_operators.py SOURCE_DIR FOLDER TKC       FOLDER: vector_add.json and matmul.json of one configuration for sm_90a
"""
import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
import types
import warnings

try:
    import torch
except ImportError:
    print("skipped: PyTorch is not here")
    sys.exit(77)
sys.path.insert(0, os.path.join(sys.argv[1], "tools"))
import expectations  # noqa: E402
import tkc_torch  # noqa: E402
from expectations import expect, refused  # noqa: E402


class StubDevice(tkc_torch.Device):
    def __init__(self):
        self.index, self.name, self.multiprocessors, self.chip = 0, "the stub device", 132, 90
        self.zeros, context = torch.zeros(8, dtype=torch.int32), ctypes.c_void_p()
        tkc_torch.call("Init", 0)
        tkc_torch.call("DevicePrimaryCtxRetain", ctypes.byref(context), 0)
        tkc_torch.call("CtxSetCurrent", context)

    def run(self, function, *arguments):
        return function(*arguments)

    def stream(self):
        return None

    def capturing(self):
        return False


def check_operators(ops, says):
    """`says`: the text for a size that another tensor contradicts, by its parts."""
    vector_add, matmul = ops.vector_add, ops.matmul
    x = torch.arange(5000.0)
    expect("sums", torch.equal(vector_add(x, x), 2 * x))
    expect("an empty sum", vector_add(x[:0], x[:0]).shape == (0,))
    refused(says("y", "[4]", "n", 5000), lambda: vector_add(x, x[:4]))
    refused("x has strides [2], where a dense one is 1", lambda: vector_add(x[::2], x[::2]))
    refused("x has 2 dimensions, not 1", lambda: vector_add(x.view(50, 100), x))
    refused("x is of torch.float64, not torch.float32", lambda: vector_add(x.double(), x))

    a, b = torch.randint(0, 4, (200, 96)).half(), torch.randint(0, 4, (80, 272)).half()
    expect("a product", torch.equal(matmul(a[:, :80].contiguous(), b), a[:, :80] @ b))
    expect("a product of nothing", torch.equal(matmul(a[:, :0], b[:0]), torch.zeros(200, 272).half()))
    expect("one row", torch.equal(matmul(a[:1, :80], b), a[:1, :80] @ b))
    expect("a product of a view", torch.equal(matmul(a[:, :80], b), a[:, :80] @ b))
    refused(says("b", "[80, 272]", "K", 96), lambda: matmul(a, b))
    refused("K = 72 is not divisible by 16", lambda: matmul(a[:, :72], b[:72]))
    refused("stride_bk = 1 is not divisible by 16", lambda: matmul(a[:, :80], b.t().contiguous().t()))

    fake = torch._subclasses.fake_tensor.FakeTensorMode()
    with fake:
        made = matmul(torch.empty(7, 48, dtype=torch.half), torch.empty(48, 32, dtype=torch.half))
        expect("the fake result", made.shape == (7, 32) and made.dtype == torch.half)
    compiled = torch.compile(lambda x, y: vector_add(x * 2, y) + 1, backend="aot_eager", fullgraph=True, dynamic=True)
    for n in (5000, 77, 78):
        expect(f"compiled sums of {n}", torch.equal(compiled(x[:n], x[:n]), 3 * x[:n] + 1))
    torch.library.opcheck(vector_add.default, (x, x))


def check_compiled(source):
    """The operators' C file, as a library of its own namespace."""
    if not (shutil.which("cc") or os.environ.get("CC")):
        return
    tkc_torch.COMPILE_FLAGS.append("-DTKC_TORCH_ON_HOST")
    with tempfile.TemporaryDirectory() as folder:
        kept, os.environ["TORCH_EXTENSIONS_DIR"] = os.environ.get("TORCH_EXTENSIONS_DIR"), os.path.join(folder, "libraries")
        for name in ("vector_add", "matmul"):
            example, stem = os.path.join(source, "examples", name + ".tk"), os.path.join(folder, name)
            subprocess.run([sys.argv[3], example, "--target", "sm_90a", "--config", "0", "-o", stem + ".ptx", "-o", stem + ".torch.c"]
                           if name == "matmul" else [sys.argv[3], example, "--target", "sm_90a", "-o", stem + ".ptx", "-o", stem + ".torch.c"],
                           check=True)
            tkc_torch.load(stem + ".json", namespace="compiled", compiled=True)
        expect("one library a file", len(os.listdir(os.path.join(folder, "libraries", "tkc"))) == 2 == len(tkc_torch.libraries))
        refused("has an operator matmul already", lambda: tkc_torch.load(stem + ".json", namespace="compiled", compiled=True))
        with open(stem + ".torch.c", "w") as file:
            file.write("#error broken\n")
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            tkc_torch.load(stem + ".json", namespace="broken")
        expect("a file that does not compile is a warning", "error broken" in str(seen[-1].message))
        del os.environ["TORCH_EXTENSIONS_DIR"]
        os.environ.update({"TORCH_EXTENSIONS_DIR": kept} if kept else {})
    tkc_torch.libraries.clear()
    check_operators(torch.ops.compiled, lambda tensor, shape, name, size: f"{tensor} is {shape}, but {name} = {size} in dimension 0")
    x = torch.arange(64.0, requires_grad=True)
    tkc_torch.gradient("compiled::vector_add")(lambda dz: (dz, 1 * dz))
    for _ in range(2):
        gradients = torch.autograd.grad(torch.ops.compiled.vector_add(x, x * x).sum(), x)
        expect("a gradient", torch.equal(gradients[0], 1 + 2 * x))


def main():
    stub = StubDevice()
    tkc_torch.device_of = lambda index: stub
    check_compiled(sys.argv[1])
    for name in ("vector_add", "matmul"):
        operators = tkc_torch.load(os.path.join(sys.argv[2], name + ".json"))
        torch.library.impl(f"tkc::{name}", "cpu", operators[name])
    matmul_parameters = operators["matmul"].parameters
    expect("the schema", str(torch.ops.tkc.matmul.default._schema) == "tkc::matmul(Tensor a, Tensor b) -> Tensor")
    check_operators(torch.ops.tkc, lambda tensor, shape, name, size: f"{tensor} is {shape}, which should be")

    a, b = torch.randint(0, 4, (200, 96)).half(), torch.randint(0, 4, (80, 272)).half()
    c, variant = torch.full((200, 272), -1.0).half(), operators["matmul"].family.variants[0]
    variant.launch(stub, [a.data_ptr(), b.data_ptr(), c.data_ptr(), 200, 272, -16, 96, 1, 272, 1, 272, 1])
    expect("a product over a depth below 0", torch.equal(c, torch.zeros(200, 272).half()))
    launch = variant.prepare(stub, (0, 0, 0, 200, 272, 80, 80, 1, 272, 1, 272, 1))
    for slot, hidden, place in launch.maps:  # what loads and stores of empty tensors reach: never the same bytes
        _, start = launch.encode(slot, hidden, [0] * len(matmul_parameters))
        stands_in = ctypes.c_uint64.from_address(start).value - stub.zeros.data_ptr()
        expect("what stands in for an empty tensor", stands_in == (16 if matmul_parameters[place]["name"] == "c" else 0))

    # Variants are tried on copies: a view's lies in a copy of all of its storage.
    class Tried:
        hints, parameters, kernel, seen = [], matmul_parameters, {}, []

        def __init__(self, fits):
            self.fits = fits

        def launch(self, device, values):
            if not self.fits:
                raise RuntimeError("does not fit")
            self.seen.append(values)

    fitting = Tried(True)
    family, view = tkc_torch.Family("tried", [Tried(False), fitting], []), torch.arange(96.0).view(8, 12)[1:, 2:]
    expect("the variant that fits", family.measure(stub, family.variants, (view.data_ptr(), 7), {0: view})[0] is fitting)
    expect("a copy", Tried.seen[0][0] != view.data_ptr() and Tried.seen[0][1] == 7)

    # What code serves which device.
    def rank(chip, name, kind="ptx", **more):
        stub.chip = chip
        return stub.rank({"name": name, "kind": kind, **more})
    expect("PTX of an earlier chip", 0 < rank(90, "sm_80") < rank(90, "sm_90") < rank(90, "sm_90a") and not rank(100, "sm_90a"))
    expect("a cubin of an earlier chip", rank(89, "sm_80", "cubin") and not rank(90, "sm_80", "cubin"))
    family = {"kind": "hsaco", "chips": "gfx1100 gfx1101"}
    expect("a generic code object", 0 < rank("gfx1101", "gfx11-generic", **family) < rank("gfx1101", "gfx1101", "hsaco"))
    expect("that of others", not rank("gfx1030", "gfx11-generic", **family) and not rank("gfx1030", "gfx1100", "hsaco"))
    stub.chip = 90

    # A kernel's second form: rounds of 264 programs are full to 7/8, and the program in the middle has 20 steps of 64.
    with tempfile.TemporaryDirectory() as folder:
        for grid, few, many in (("cdiv(S, 128), 2", 461 * 128, 462 * 128), ("1000, 2", 19 * 64, 20 * 64)):
            subprocess.run([sys.argv[3], os.path.join(sys.argv[1], "tests", "lang", "rows.tk"), "-n", "softmax_heads", "-D", "HEADS=2",
                            "-D", "GROUP=2", "-w", "8", "-t", "sm_90a", "-g", grid, "--no-header",
                            "-o", os.path.join(folder, "heads.ptx")], check=True)
            with open(os.path.join(folder, "heads.json")) as file:
                reflection = json.load(file)
            heads = tkc_torch.Variant(folder, reflection, reflection["kernels"][0])
            for rows, blocks, threads in ((few, 264, 384), (many, 132, 640)):
                shape = heads.prepare(stub, (0, 0, 0, 0, rows)).shape
                expect(f"the form for {rows} rows", shape[1:5] == (blocks, 1, 1, threads))

    # Choices go into a file as launchers write it, and come back.
    shipped = os.path.join(sys.argv[1], "examples", "tuned.json")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "tuned.json")
        shutil.copy(shipped, path)
        tkc_torch.save_tuned(path)
        expect("a file of choices stays as it was", open(path).read() == open(shipped).read())
        key = ("a device", 0, (200, 272, 80))
        matmul_family = operators["matmul"].family
        matmul_family.variants[0].name = "matmul_BLOCK_M_128"
        matmul_family.best[key], matmul_family.timed[key] = matmul_family.variants[0], 12.345
        tkc_torch.save_tuned(path)
        added = set(open(path).read().split("\n")) - set(open(shipped).read().split("\n"))
        line = '"a device", "key": {"M": 200, "N": 272, "K": 80}, "config": "BLOCK_M_128", "microseconds": 12.3'
        expect("one choice more", sum(line in other for other in added) == 1)
        stale = {"kernel": "matmul", "device": "a device", "key": {"M": 200}, "config": "BLOCK_M_128"}
        read = tkc_torch.Family("matmul", matmul_family.variants, [stale, *json.load(open(path))["choices"]])
        expect("the choice comes back", read.best[key] is matmul_family.variants[0] and not os.path.exists(path + ".lock"))
        key = ("a device", 1, (200, 272, 80))
        other = types.SimpleNamespace(name="matmul_BLOCK_M_64_any")
        matmul_family.levels.append([other])
        matmul_family.best[key], matmul_family.timed[key] = other, 6
        for _ in range(2):
            tkc_torch.save_tuned(path)
            lines = len(open(path).read().split("\n")) - len(open(shipped).read().split("\n"))
            expect("a choice of another level stands beside it", lines == 2)
        matmul_family.levels.pop()
        matmul_family.variants[0].name = "matmul"

    return expectations.failures != 0


sys.exit(main())
