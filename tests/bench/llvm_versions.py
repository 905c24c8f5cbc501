#!/usr/bin/env python3
"""What two compilers make of the same kernels: length of code, registers, spills, and processor time. Written for LLVM 19 beside LLVM 22.

    python3 tests/bench/compile_bound.py --build build --random 0 --write FOLDER
    python3 tests/bench/llvm_versions.py OLD_TKC NEW_TKC FOLDER [--chips sm_90a,gfx942] [--ptxas ptxas] [--jobs 2] [--runs 5]

The kernels are the examples' products and attention, in all configurations, and the language tests. Of NVIDIA's chips the figures are
those of ptxas: bytes of code, and bytes that are spilled. Of AMD's they are those of the assembly: instructions, and spilled registers.
Kernels that one compiler alone takes are counted and left out. Time is that of tkc alone, to PTX or assembly, of products and attention: of
each kernel the least of --runs runs, the compilers in turns.
"""
import argparse
import concurrent.futures
import os
import re
import resource
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compile_bound  # noqa: E402  (the folder of this file)

FIGURES = ("code", "registers", "spills")


def group_of(name):
    """None: a kernel of an example that is neither a product nor attention."""
    if ".tk " not in name:
        return "language tests"
    return "products" if "matmul" in name else "attention" if name.startswith("attention") else None


def compile_kernel(tkc, arguments, chip, path):
    command = [tkc, *arguments, "-t", chip, "-j1", "--no-header", "--no-json", "-o", path]
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


def text_bytes(path):
    """Bytes of the sections .text.* of a cubin."""
    with open(path, "rb") as file:
        elf = file.read()
    at, = struct.unpack_from("<Q", elf, 40)
    size, count, names = struct.unpack_from("<HHH", elf, 58)
    sections = [struct.unpack_from("<IIQQQQ", elf, at + size * i) for i in range(count)]
    return sum(section[5] for section in sections if elf.startswith(b".text.", sections[names][4] + section[0]))


def figures_of_ptx(ptxas, chip, path):
    said = subprocess.run([ptxas, "-v", "-arch", chip, "-o", path + ".cubin", path], stderr=subprocess.PIPE, text=True, check=False).stderr
    registers, spills = re.findall(r"Used (\d+) registers", said), re.findall(r"(\d+) bytes spill stores", said)
    return (text_bytes(path + ".cubin"), sum(map(int, registers)), sum(map(int, spills))) if registers else None


def figures_of_assembly(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = [len(re.findall(r"^\t[a-z]+_\w+", text, re.MULTILINE))]
    return (*found, *(sum(map(int, re.findall(rf"\.vgpr_{what}: +(\d+)", text))) for what in ("count", "spill_count")))


def figures(options, tkc, arguments, chip):
    """Of a kernel's file, FIGURES; None: it is refused."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "code" + compile_bound.suffix(chip))
        if not compile_kernel(tkc, arguments, chip, path):
            return None
        return figures_of_ptx(options.ptxas, chip, path) if chip.startswith("sm_") else figures_of_assembly(path)


def processor_time(tkc, arguments, chip):
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        compile_kernel(tkc, arguments, chip, os.path.join(folder, "code" + compile_bound.suffix(chip)))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def print_times(options, kernels, chip):
    least = {}
    for _ in range(options.runs):
        for number, (_, arguments) in enumerate(kernels):
            for tkc in (options.old, options.new):
                seconds = processor_time(tkc, arguments, chip)
                least[tkc, number] = min(seconds, least.get((tkc, number), seconds))
    old, new = (sum(seconds for (tkc, _), seconds in least.items() if tkc == side) for side in (options.old, options.new))
    print(f"{chip}: processor time of {len(kernels)} compilations {old:.2f} s -> {new:.2f} s", flush=True)


def print_group(chip, group, rows):
    """`rows`: pairs of figures, either may be None."""
    both = [(old, new) for old, new in rows if old and new]
    alone = [sum(1 for row in rows if row[side] and not row[1 - side]) for side in (0, 1)]
    parts = []
    for i, figure in enumerate(FIGURES):
        old, new = sum(row[0][i] for row in both), sum(row[1][i] for row in both)
        less, more = sum(row[1][i] < row[0][i] for row in both), sum(row[1][i] > row[0][i] for row in both)
        parts.append(f"{figure} {old:,} -> {new:,} ({less} less, {more} more)")
    print(f"{chip} {group}: {len(both)} kernels, {alone[0]} by the old alone, {alone[1]} by the new alone; {'; '.join(parts)}", flush=True)


def print_changes(kernels, rows, count):
    """Kernels whose code changed most."""
    changes = [(new[0] / old[0], name, old, new) for (name, _), (old, new) in zip(kernels, rows) if old and new and old[0]]
    changes.sort()
    for ratio, name, old, new in changes[:count] + changes[-count:] if count else []:
        print(f"  {ratio:.3f} {name}: {old} -> {new}")


def compare(options, kernels, chip):
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        old, new = (list(pool.map(lambda kernel: figures(options, tkc, kernel[1], chip), kernels)) for tkc in (options.old, options.new))
    rows = list(zip(old, new))
    for group in ("products", "attention", "language tests"):
        print_group(chip, group, [row for row, kernel in zip(rows, kernels) if group_of(kernel[0]) == group])
    print_changes(kernels, rows, options.changes)


def main():
    parser = argparse.ArgumentParser(description="Compares the code of two compilers.")
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("folder", help="of compile_bound.py --write")
    parser.add_argument("--chips", default="sm_90a,gfx942")
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--jobs", type=int, default=2, help="compilations at once, but those that are timed")
    parser.add_argument("--runs", type=int, default=5, help="of each compilation that is timed")
    parser.add_argument("--only", default="", help="kernels whose names contain this")
    parser.add_argument("--changes", type=int, default=0, help="print so many of the kernels whose code shrank and grew most")
    options = parser.parse_args()
    kernels = [kernel for kernel in compile_bound.read_kernels(options.folder) if options.only in kernel[0] and group_of(kernel[0])]
    for chip in options.chips.split(","):
        print_times(options, [kernel for kernel in kernels if group_of(kernel[0]) != "language tests"], chip)
        compare(options, kernels, chip)


if __name__ == "__main__":
    main()
