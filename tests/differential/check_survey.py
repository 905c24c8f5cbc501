#!/usr/bin/env python3
"""check_survey.py TKC FOLDER: survey.py finds the kernels of a clone and proposes signatures that tkc takes. Without Triton."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import signatures  # noqa: E402
import sources  # noqa: E402
import survey  # noqa: E402

KERNELS = '''
import missing_package.parts as parts
import torch
import triton
import triton.language as tl
from .sizes import LOG2E

assert parts.anything(), "only definitions are executed"


@triton.jit
def rows_of(base, row, COLUMNS: tl.constexpr):
    return tl.load(base + row * COLUMNS + tl.arange(0, COLUMNS))


@triton.jit
def gathered(values, where, out, scale, n, stride_out, COLUMNS: tl.constexpr, IS_SQUARED: tl.constexpr, HOW: tl.constexpr):
    row = tl.load(where + tl.program_id(0))
    v = rows_of(values, row, COLUMNS)
    if IS_SQUARED:
        v = v * v
    if HOW == "log2":
        v = v * LOG2E
    at = out + tl.program_id(0) * stride_out
    at += tl.arange(0, COLUMNS)
    tl.store(at, v * scale, mask=tl.program_id(0) < n)


def launch(values, where, out):
    columns = 256
    gathered[(8,)](values, where, out, 0.5, 8, out.stride(0), COLUMNS=columns, IS_SQUARED=False, HOW="log2")
'''
EXPECTED = '*fp16:16, *i32:16, *fp16:16, fp32, i32, i32:16, 256, False, \'log2\''


def main(tkc, folder):
    package = os.path.join(folder, "clone", "package")
    os.makedirs(package, exist_ok=True)
    for name, text in (("__init__.py", "import nothing_there\n"), ("sizes.py", "import triton.language as tl\nLOG2E = tl.constexpr(1.44)\n"), ("kernels.py", KERNELS)):
        with open(os.path.join(package, name), "w") as file:
            file.write(text)
    clone = os.path.join(folder, "clone")
    assert sources.roots_of(clone) == [clone]
    found = sources.kernels(clone)
    assert [f.name for _, _, f in found] == ["gathered"], found
    path, tree, function = found[0]
    helpers = {f.name: f for f in sources.jit_functions(tree)}
    choice = signatures.choices(function, tree, helpers, {"COLUMNS", "IS_SQUARED", "HOW"}, {}, {})
    every = list(signatures.candidates(choice, 24))
    text = survey.signature_text(choice, every[0], {})
    assert text == EXPECTED, text
    assert 8 < len(every) <= 24 and {a["IS_SQUARED"] for a in every} == {False, True} and "*fp32" in {a["values"] for a in every}
    line = {"id": "gathered", "source": path, "kernel": "gathered", "signature": text, "num_warps": 4, "num_stages": 3, "clone": clone}
    answer = survey.ask_tkc(tkc, line, "gfx942", folder, [])
    assert answer["status"] == "compiled", answer
    refused = survey.ask_tkc(tkc, dict(line, signature=text.replace("fp32", "fp33")), "gfx942", folder, [])
    assert refused["status"] == "refused" and "fp33" in refused["said"], refused
    rows = [dict(id="a", clone="c", chip="gfx942", triton=1, **answer), dict(id="b", clone="c", chip="gfx942", triton=1, **refused)]
    survey.report(rows, ["gfx942"])
    assert survey.is_slow(dict(rows[0], seconds=5.1)) and not survey.is_slow(dict(rows[0], seconds=5.1, triton=6))
    # Missing modules are strangers; a clone's own are executed.
    sys.meta_path.insert(0, sources.Finder([clone], installed=()))
    import package.kernels as module
    assert isinstance(module.torch, sources.Stranger) and module.torch.version.hip is None and not hasattr(module.parts, "__name")
    assert hasattr(module, "launch") and isinstance(module.LOG2E, sources.Stranger)
    assert subprocess.run([sys.executable, survey.__file__, "--help"], capture_output=True).returncode == 0
    print("1 kernel")


if __name__ == "__main__":
    main(*sys.argv[1:])
