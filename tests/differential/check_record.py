#!/usr/bin/env python3
"""Whether what host code launches is written down as it was: a program is recorded, tkc compiles its launches. Needs PyTorch and
Triton, no GPU; exits 77 (skipped) without them.   check_record.py TKC FOLDER"""
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
    compiled = subprocess.run([sys.executable, os.path.join(HERE, "differential.py"), "--tkc", tkc, "--compile-only", "--out",
                               os.path.join(folder, "out"), out], capture_output=True, text=True)
    assert "1 compiled" in compiled.stdout, compiled.stdout
    print("what was launched is what was written down")
    return 0


if __name__ == "__main__":
    sys.exit(main())
