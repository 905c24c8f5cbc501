#!/usr/bin/env python3
"""Whether what host code launches is written down as it was: a program is recorded, tkc compiles its launches, and so is what a
kernel of TorchInductor's is given. Needs PyTorch and Triton, no GPU; exits 77 (skipped) without them.   check_record.py TKC FOLDER"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = '''
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": b}, num_warps=w) for b, w in ((64, 1), (128, 2), (256, 8))], key=["n"])
@triton.heuristics({"EVEN": lambda a: a["n"] % a["BLOCK"] == 0})
@triton.jit
def scaled(x, rows, y, n, step, factor, skip, dtype: tl.constexpr, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + tl.load(rows + tl.program_id(0)) + o * step, mask=o < n)
    tl.store(y + o, (v * factor).to(dtype), mask=o < n)


def case_scaled():
    x = torch.randn(4096, device="cuda", dtype=torch.bfloat16)
    assert x.is_cuda and x.device.type == "cuda" and torch.cuda.get_device_capability() == (9, 0)
    rows = torch.tensor([3, 1, 4, 1, 5, 9, 2, 6], device=x.device, dtype=torch.int32)
    scaled[lambda meta: (triton.cdiv(1000, meta["BLOCK"]),)](x[16:], rows, torch.empty_like(x), 1000, 1, 0.5, None, tl.bfloat16)


def case_nothing_launched():
    raise RuntimeError("is said, and the others go on")
'''
INDUCTOR = """
import triton
import triton.language as tl
from torch._inductor.runtime import triton_heuristics

@triton_heuristics.persistent_reduction(
    size_hints={'x': 1, 'r0_': 512}, filename=__file__,
    triton_meta={'signature': {'in_ptr0': '*fp32', 'out_ptr0': '*fp32', 'xnumel': 'constexpr', 'r0_numel': 'i32', 'XBLOCK': 'constexpr'},
                 'constants': {'xnumel': 1}, 'configs': [{(0,): [['tt.divisibility', 16]], (1,): [['tt.divisibility', 16]]}]},
    inductor_meta={'grid_type': 'Grid1D', 'kernel_name': 'total'}
)
@triton.jit
def total(in_ptr0, out_ptr0, xnumel, r0_numel, XBLOCK: tl.constexpr):
    r0 = tl.arange(0, 512)[None, :]
    v = tl.load(in_ptr0 + tl.broadcast_to(r0, [XBLOCK, 512]), r0 < r0_numel, other=0.0)
    tl.store(out_ptr0 + tl.full([XBLOCK, 1], 0, tl.int32), tl.sum(v, 1)[:, None])
"""


def compile_recorded(tkc, folder, out):
    compiled = subprocess.run([sys.executable, os.path.join(HERE, "differential.py"), "--tkc", tkc, "--compile-only", "--out", out,
                               folder], capture_output=True, text=True)
    assert "1 compiled" in compiled.stdout, compiled.stdout


def check_inductor(tkc, folder, out):
    """Of the arguments that Inductor's host code names, those that its source makes constants are no parameters."""
    import torch

    sys.path.insert(0, os.path.join(HERE, "real"))
    import inductor

    os.makedirs(folder, exist_ok=True)
    recorder = inductor.Recorder(folder)
    inductor.Written(recorder, "total", INDUCTOR).run(torch.rand(512), torch.rand(1), 1, 512, stream=0)
    assert not recorder.unsaid, recorder.unsaid
    line, = recorder.lines
    with open(os.path.join(folder, "launches.jsonl"), "w") as file:
        file.write(json.dumps(line) + "\n")
    compile_recorded(tkc, folder, out)
    import launches

    compiled, = launches.read_compiled(out)
    (described, _, _), = launches.kernels_of(compiled, out)
    taken = [p["name"] for p in described["params"]]
    given = [a["count"] if isinstance(a, dict) else a for a in line["arguments"]]
    assert (taken, given) == (["in_ptr0", "out_ptr0", "r0_numel"], [512, 1, 512]), (taken, given)


def main():
    tkc, folder = sys.argv[1:]
    try:
        import torch  # noqa: F401
        import triton  # noqa: F401
    except ImportError as error:
        print(f"check_record: skipped: {error}")
        return 77
    os.makedirs(folder, exist_ok=True)
    program = os.path.join(folder, "program.py")
    with open(program, "w") as file:
        file.write(PROGRAM)
    out = os.path.join(folder, "recorded")
    said = subprocess.run([sys.executable, os.path.join(HERE, "record.py"), "--triton", "--out", out, program], check=True,
                          capture_output=True, text=True).stdout
    with open(os.path.join(out, "launches.jsonl")) as file:
        lines = [json.loads(line) for line in file]
    assert "1 launches, 0 not recorded, 1 cases failed" in said, said
    line, = lines
    wanted = {"kernel": "scaled", "signature": "*bf16:16, *i32:16, *bf16:16, i32, 1, fp32, None, tl.bfloat16, 128, False", "grid": [8],
              "num_warps": 2}
    for key, value in wanted.items():
        assert line[key] == value, (key, line[key], value)
    x, rows, y, n, factor = line["arguments"]
    assert (x["element"], x["count"], y["count"], n, factor) == ("bf16", 4080, 4096, 1000, 0.5), line["arguments"]
    sys.path.insert(0, HERE)
    import fill
    assert fill.fill(rows, 1, 1).view("int32").tolist() == [3, 1, 4, 1, 5, 9, 2, 6], rows
    with open(os.path.join(out, line["triton"]["image"])) as file:
        assert "tt.func public @scaled" in file.read()
    compile_recorded(tkc, out, os.path.join(folder, "out"))
    check_inductor(tkc, os.path.join(folder, "inductor"), os.path.join(folder, "inductor_out"))
    print("what was launched is what was written down")
    return 0


if __name__ == "__main__":
    sys.exit(main())
