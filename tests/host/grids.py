"""Launch grids of tkc_torch.py against those of generated headers, at the ends of what has a result; how large they may be; who else
takes them from there; and what tells plans of launches apart. PyTorch is not needed: a module of that name stands in.

    grids.py SOURCE_DIR LIBRARY       LIBRARY: grid_functions.c
"""
import ctypes
import itertools
import os
import re
import sys
import types

torch = types.SimpleNamespace(version=types.SimpleNamespace(hip=None), Tensor=type("Tensor", (), {}))
sys.modules["torch"] = torch
sys.path[:0] = [os.path.join(sys.argv[1], "tools"), os.path.join(sys.argv[1], "tests", "differential")]
import expectations  # noqa: E402
import launches  # noqa: E402
import tkc_torch  # noqa: E402
from expectations import expect, refused  # noqa: E402

EDGES = [tkc_torch.NO_GRID, tkc_torch.NO_GRID + 1, tkc_torch.NO_GRID + 2, -2**32, -64, -5, -2, -1, 0, 1, 2, 3, 5, 62, 63, 64, 2**31,
         2**62, 2**63 - 2, 2**63 - 1]


def variant(grid, **parameters):
    described = {"name": "k", "params": [{"name": n, "type": t} for n, t in parameters.items()], "grid": grid}
    return tkc_torch.Variant("", {}, described)


def main():
    library = ctypes.CDLL(sys.argv[2])
    with open(os.path.join(sys.argv[1], "src/artifact/launcher/grid_functions.def")) as file:
        functions = re.findall(r"^GRID_FUNCTION_(\d)\((\w+),", file.read(), re.M)
    expect("the functions", sorted(name for _, name in functions) == sorted(tkc_torch.GRID))
    for count, name in functions:
        there = library["grid_" + name]
        there.restype, there.argtypes = ctypes.c_int64, [ctypes.c_int64] * int(count)
        for values in itertools.product(EDGES, repeat=int(count)):
            here, expected = tkc_torch.GRID[name](*values), there(*values)
            if here != expected:
                expect(f"{name}{values} is {expected}, not {here}", False)
                break

    guarded = variant(["tkc_choose(tkc_eq(n, 0), 1, tkc_floordiv(64, n))", "1", "1"], n="i32")
    expect("a side that is not chosen has no result", guarded.sides([0]) == [1, 1, 1] and guarded.sides([5]) == [12, 1, 1])
    expect("a wide constant", variant(["tkc_floordiv(n, 2147483648)", "1", "1"], n="i64").sides([2**33]) == [4, 1, 1])
    refused("k: no grid: (tkc_floordiv(64, n), 1, 1) overflows", lambda: variant(["tkc_floordiv(64, n)", "1", "1"], n="i32").sides([0]))
    refused("no grid", lambda: variant(["tkc_shr(n, 60)", "1", "1"], n="u64").sides([2**63]))
    refused("a grid of [-1, 1, 1]", lambda: variant(["n", "1", "1"], n="i32").sides([-1]))
    refused("a grid of [1, 4294967296, 1]", lambda: variant(["1", "n", "1"], n="i64").sides([2**32]))

    plain = variant(["x", "y", "z"], x="i64", y="i64", z="i64")
    library.grid_fits.argtypes = [ctypes.c_int64] * 3
    for axis, side in itertools.product(range(3), (-1, 0, 1, 65536, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**33)):
        grid = [1, 1, 1]
        grid[axis] = side
        fits = 0 <= side < 2**32
        expect(f"the launcher takes {grid}" if fits else f"the launcher refuses {grid}", bool(library.grid_fits(*grid)) == fits)
        if fits:
            expect(f"sides of {grid}", plain.sides(grid) == grid)
        else:
            refused(f"a grid of {grid}; sides are from 0 to 4294967295", lambda: plain.sides(grid))

    described = {**variant(["tkc_neg(tkc_cdiv(n, -2))", "1", "1"], x="*fp32", n="i32").kernel, "num_warps": 4, "num_stages": 3}
    expect("tests/differential", launches.complete({"arguments": [{}, 9]}, described, {})["grid"] == [3, 1, 1])

    launch = types.SimpleNamespace(variant=guarded)

    def blocks(grid, at_once, cluster=1, fills=False):
        return tkc_torch.Launch.blocks(launch, grid, at_once, cluster, fills)
    expect("the largest grid", blocks([2**31 - 1, 65535, 65535], 0) == [2**31 - 1, 65535, 65535])
    refused("a grid of [2147483648, 1, 1]; x may be 2147483647", lambda: blocks([2**31, 1, 1], 0))
    refused("a grid of [1, 65536, 1]; y may be 65535", lambda: blocks([1, 65536, 1], 0))
    refused("a grid of [1, 1, 65536]; z may be 65535", lambda: blocks([1, 1, 65536], 0))
    torch.version.hip = "6"
    expect("a larger one on AMD", blocks([1, 65536, 1], 0) == [1, 65536, 1])
    torch.version.hip = None
    for grid in ([1, 1, 1], [7, 70000, 2], [2**31 - 133, 1, 1], [2**31 - 132, 1, 1], [2**31 - 1, 1, 1], [65536, 65536, 65536]):
        expected = library.grid_blocks(*grid, 132, 0, 0)
        if expected:
            expect(f"blocks of {grid}", blocks(grid, 132) == [expected, 1, 1])
        else:
            refused("programs; there may be 2147483515", lambda: blocks(grid, 132))
    for grid, at_once in (([1, 1, 1], 133), ([7, 1, 3], 133), ([200, 1, 1], 133), ([5, 1, 1], 1)):
        expect(f"clusters of {grid}", blocks(grid, at_once, 2) == [library.grid_blocks(*grid, at_once, 2, 0), 1, 1])
    for grid in ([1, 1, 1], [7, 1, 3], [200, 1, 1]):
        expect(f"{grid} fills the chip", blocks(grid, 132, 1, True) == [132, 1, 1] and library.grid_blocks(*grid, 132, 0, 1) == 132)
    expect("nothing fills no chip", library.grid_blocks(0, 1, 1, 132, 0, 1) == 0)
    for grid in ([1, 1, 1], [7, 1, 3], [200, 1, 1], [2**31 - 4, 1, 1]):
        expect(f"all clusters of {grid}", blocks(grid, 0, 2) == [library.grid_blocks(*grid, 0, 2, 0), 1, 1])
    refused("programs; there may be 2147483645", lambda: blocks([2**31 - 2, 1, 1], 0, 2))
    expect("whole clusters", [blocks([n, 1, 1], 133, 2)[0] for n in (1, 21, 200)] == [2, 22, 132])

    numbers = ((0.0, 0), (-0.0, 0x8000), (1.0, 0x3f80), (1 + 2**-8, 0x3f80), (1 + 3 * 2**-8, 0x3f82), (-3.1415926, 0xc049),
               (2**-140, 0), (1e300, 0x7f80), (-1e300, 0xff80), (3.4e38, 0x7f80), (float("inf"), 0x7f80), (float("nan"), 0x7fc0))
    for number, bits in numbers:
        expect(f"{number} as bf16", tkc_torch.bfloat_bits(number) == bits)

    keys = [tkc_torch.Operator.key(value) for value in (0.0, -0.0, 0, False, True, 1, 1.0)]
    expect("arguments that Python takes for the same", len(set(keys)) == len(keys))
    expect("a NaN is itself", tkc_torch.Operator.key(float("nan")) == tkc_torch.Operator.key(float("nan")))
    return expectations.failures != 0


sys.exit(main())
