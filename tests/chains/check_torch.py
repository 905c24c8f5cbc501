"""Chains in tkc_torch.py: what each kernel gets, and where the arrays between them are; and formats of descriptions, in every loader.
PyTorch is not needed: a module of that name stands in.

    check_torch.py TKC SOURCE_DIR FOLDER
"""
import json
import os
import re
import subprocess
import sys
import types

TKC, TOP, FOLDER = sys.argv[1:4]
PLACE = 0x10010  # of the workspace, 16 bytes behind a multiple of 256
made = []


class Tensor:
    def __init__(self, size):
        self.size = size

    def data_ptr(self):
        return PLACE


def empty(size, dtype, device):
    made.append(size)
    return Tensor(size)


elements = {name: types.SimpleNamespace(itemsize=size) for name, size in (("float16", 2), ("float32", 4), ("int8", 1), ("uint8", 1))}
torch = types.SimpleNamespace(version=types.SimpleNamespace(hip=None), Tensor=Tensor, empty=empty, **elements)
sys.modules["torch"] = torch
sys.path.insert(0, os.path.join(TOP, "tools"))
import tkc_torch  # noqa: E402

faults = []


def expect(what, holds):
    if not holds:
        faults.append(what)


class Recorded:
    """In the place of a kernel's family."""

    def __init__(self, name, kernel, calls):
        self.name, self.parameters, self.calls = name, kernel["params"], calls

    def level(self, values):
        return 0

    def launch(self, device, level, values, written):
        self.calls.append((self.name, values, {i: t for i, t in written.items()}))


def chain(described, name):
    calls = []
    families = {k["function"]: Recorded(k["function"], k, calls) for k in described["kernels"]}
    return tkc_torch.Chain(next(c for c in described["chains"] if c["name"] == name), families), calls


def describe(*options, source=os.path.join(TOP, "tests/chains/rows.tk"), chip="sm_80"):
    os.makedirs(FOLDER, exist_ok=True)
    path = os.path.join(FOLDER, "rows.json")
    subprocess.run([TKC, source, "-t", chip, "--emit", "json", "-o", path, *options], check=True)
    with open(path) as file:
        return json.load(file)


device = types.SimpleNamespace(place=None, multiprocessors=132)
layer, calls = chain(describe("--no-fuse"), "layer")
names = [p["name"] for p in layer.parameters]
expect("the chain's parameters are %s" % names, names == ["x", "y", "stride", "n_rows", "n_cols", "y_stride"])
values = (0x1000, 0x2000, 2048, 5, 1008, 4096)
layer.launch(device, 0, values, {})
start = -(-PLACE // 256) * 256
expect("norm, then softmax", [c[0] for c in calls] == ["norm", "softmax"])
expect("norm writes the workspace: %s" % (calls[0][1],), calls[0][1][:2] == (0x1000, start) and calls[0][1][2:5] == (2048, 5, 1008))
expect("softmax reads it: %s" % (calls[1][1],), calls[1][1][:2] == (start, 0x2000) and calls[1][1][2:] == (1008, 4096, 5, 1008))
expect("a workspace of one array and the way to 256: %s" % made, made == [-(-5 * 1008 * 2 // 256) * 256 + 256])
layer, calls = chain(describe(), "layer")
layer.launch(device, 0, values, {})
expect("one kernel and no array: %s %s" % (calls, made), len(calls) == 1 and made[1:] == [256])
three, calls = chain(describe("--no-fuse"), "three")
given = tuple(0x1000 * (i + 1) if p["type"][0] == "*" else 8 for i, p in enumerate(three.parameters))
three.launch(device, 0, given, {})
expect("three kernels", len(calls) == 3 and len({c[1][0] for c in calls}) == 3)
# Sizes choose between one kernel and two.
forms = os.path.join(FOLDER, "forms.tk")
with open(os.path.join(TOP, "tests/chains/operands.tk")) as file, open(forms, "w") as out:
    out.write(file.read() + '\n\nclass forms:\n    pass\n\n\nforms.chain = "narrow(x, h); product(h, b, y)"\n')
chosen, calls = chain(describe("-w", "8", source=forms, chip="sm_90a"), "forms")
for rows, device.multiprocessors, want in ((16384, 132, ["forms_steps_1_to_2"]), (128, 132, ["narrow", "product"]), (16384, 8, ["narrow", "product"])):
    del calls[:]
    chosen.launch(device, 0, tuple({"M": rows, "N": 16, "K": 64}.get(p["name"], 0x1000) for p in chosen.parameters), {})
    expect("%d rows launch %s" % (rows, [c[0] for c in calls]), [c[0] for c in calls] == want)
# Every loader knows the format that the compiler writes, and refuses a later one.
described = describe()
for loader in ("tools/tkc_torch.py", "tools/tkc_jax.py", "examples/host/matmul_json.py", "examples/host/matmul_json.rs",
               "examples/host/matmul_driver.c", "tests/differential/cuda.py"):
    with open(os.path.join(TOP, loader)) as file:
        known = re.search(r"FORMAT(?:: i64)? = (\d+)", file.read())
    expect(f"{loader} knows format {described['format']}", known and int(known[1]) == described["format"])
later = os.path.join(FOLDER, "later.json")
with open(later, "w") as file:
    json.dump({**described, "format": described["format"] + 1}, file)
try:
    tkc_torch.load(later)
    expect("a later format is refused", False)
except ValueError as error:
    expect(f"the refusal names both formats: {error}", re.search(f"format {described['format'] + 1}, .* up to {described['format']};", str(error)))
for fault in faults:
    print("failed:", fault)
sys.exit(bool(faults))
