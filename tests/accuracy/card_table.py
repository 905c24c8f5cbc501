"""What card_make.py and card_run.py share: the functions of accuracy.def, and kernels that call them.

A kernel exists twice: with types in annotations for tkc, and without for Triton.
"""
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = 1024  # of each function in f64
HEAD = """import triton
import triton.language as tl
from triton.language import math
from triton.language.extra import libdevice

"""
ONCE = """
@triton.jit
def {name}(x{pointer}, {second}y{pointer}):
    o = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    a = tl.load(x + o)
{load}    tl.store(y + o, {call})

"""
LOOP = """
@triton.jit
def {name}(x{pointer}, {second}y{pointer}, n{integer}, d{real}):
    o = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    a = tl.load(x + o)
{load}    total = a * 0
    for i in range(n):
        total += {call}
        a += d
    tl.store(y + o, total)

"""


def rows():
    """Dictionaries: name, call, reference, count of arguments, low, high, scale."""
    found = []
    with open(os.path.join(HERE, "accuracy.def"), encoding="utf-8") as file:
        for line in file:
            m = re.match(r'FUNCTION\("([^"]+)", "([^"]+)", (\w+), (NONE|LIKE_A), ([^,]+), ([^,]+), (\w+),', line)
            if m:
                found.append({"name": m[1], "call": m[2], "reference": m[3], "count": 2 if m[4] == "LIKE_A" else 1,
                              "low": float(m[5]), "high": float(m[6]), "scale": m[7]})
    return found


def libdevice_call(row, exact=False):
    """The same function of CUDA's library, as Triton calls it; exact: not tl.exp, which is less so."""
    if not exact and row["name"] in ("tl.exp", "tl.exp2"):
        return row["call"]
    return re.sub(r"^(math|tl)\.", "libdevice.", row["call"])


def kernel_name(row, wide, timed):
    return f"{'loop' if timed else 'once'}{64 if wide else 32}_{row['name'].replace('.', '_')}"


def kernel(row, wide, timed, call, annotated):
    kind = "fp64" if wide else "fp32"
    pointer = f': "*{kind}:16"' if annotated else ""
    two = row["count"] == 2
    return (LOOP if timed else ONCE).format(
        name=kernel_name(row, wide, timed), pointer=pointer, second=f"z{pointer}, " if two else "",
        load="    b = tl.load(z + o)\n" if two else "", call=call, integer=': "i32"' if annotated else "",
        real=f': "{kind}"' if annotated else "")
