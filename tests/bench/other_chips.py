#!/usr/bin/env python3
"""Main loops for chips that nobody tunes for: instructions, waits and spills, tkc's beside Triton's, of the same kernels.

    python3 tests/bench/other_chips.py [--tkc build/bin/tkc] [--chip sm_80] [--only WORD] [--from MODULE.py …] [--jobs 2]
    python3 tests/bench/other_chips.py … --peers FOLDER          Triton's answers are kept there (peers.py), and found again
    python3 tests/bench/other_chips.py … --peers FOLDER --fill   Triton's alone, on any machine
    python3 tests/bench/other_chips.py --check build/bin/tkc-run [--chip sm_80] [--only WORD]

No GPU is needed: the evidence is machine code, of NVIDIA's chips as ptxas assembles either compiler's PTX, of AMD's as it comes. The kernels
are the spellings of spellings/; `--from` adds those of a module that has `FORMS`, texts of kernels `k` by name (each with the
signature of SIGNATURE), or `items()`, which maps names to (kernel, types, constants, warps, stages) in kernels.py beside it.

The main loop is the innermost loop with matrix instructions, of several the one with the fewest other instructions to each; of kernels
without any the innermost loop that loads most; without loops the whole kernel. Two loops are compared by what they do, counted over all warps:
per step of the source's loop, which is what Triton's IR multiplies in one, and loads for its products (a compiler may write several steps
out, or let each warp repeat a product that another one does, too); else per matrix product of the same size, else per byte loaded. Triton
compiles with the kernel's own stages and on AMD with 2, the best counts. Where a branch has two ways to compute the same, arms without
loads, stores, waits and products, the shorter one counts: the other is for values that hardly ever occur. A row's figures are tkc's as a
part of Triton's: instructions, waits (for memory and barriers), and then both's spills in
bytes. `--check` runs the spellings in the emulator on each chip and compares with NumPy. Exits 77 (skipped) without Triton.
"""
import argparse
import concurrent.futures
import importlib.util
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import amd_loops  # noqa: E402  (the folder of this file)
import forms  # noqa: E402
from peers import LIMIT, Kernel, Peers, stages_of  # noqa: E402

SKIPPED = 77
CHIPS = ("sm_80", "sm_89", "gfx942", "gfx1100")
SIGNATURE = ["*fp16:16"] * 3 + ["i32:16"] * 7
TILE = (128, 256, 64)  # of a product in FORMS
SMALLER = (128, 128, 32)  # where shared memory or registers end earlier than on Hopper


# ---- sources of kernels ----


def of_spellings(folder):
    """Spellings say their types by annotations and their constants by defaults."""
    for number, form in enumerate(forms.FORMS):
        path = os.path.join(folder, f"spelling{number}.py")
        with open(path, "w") as file:
            file.write(form["text"])
        head = form["text"][form["text"].index("def k(") :].split("):", 1)[0]
        defines = dict(word.split("=") for word in form.get("defines", "").split())
        types, constants = [], []
        for name, kind, value in re.findall(r"(\w+): (\"[^\"]+\"|tl\.constexpr)(?: = ([^,]+))?", head):
            if kind == "tl.constexpr":
                constants.append(defines.get(name, value).strip())
            else:
                types.append(kind.strip('"'))
        yield Kernel(form["name"], path, "k", types, [literal(text) for text in constants], form.get("warps", 8), 3)


def literal(text):
    return {"True": True, "False": False}.get(text, float(text) if re.search(r"\.|e-", text) else int(text) if text.isdigit() else text)


def of_module(path, folder):
    """Kernels of another list: see above."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if hasattr(module, "items"):
        source = os.path.join(os.path.dirname(os.path.abspath(path)), "kernels.py")
        for title, (name, types, constants, warps, stages) in module.items().items():
            yield Kernel(title, source, name, types, list(constants), warps, stages)
        return
    for number, (title, text) in enumerate(module.FORMS.items()):
        source = os.path.join(folder, f"form{number}.py")
        with open(source, "w") as file:
            file.write(text)
        yield Kernel(title, source, "k", SIGNATURE, list(SMALLER), 8, 3)


# ---- our code ----


def by_tkc(options, kernel, chip, folder):
    """Machine code's text, and its metadata."""
    nvidia = chip.startswith("sm_")
    out = os.path.join(folder, "ours.ptx" if nvidia else "ours.s")
    words = ", ".join([*kernel.types, *(str(value) for value in kernel.constants)])
    command = [options.tkc, kernel.path, "-n", kernel.name, "-s", words, "-w", str(kernel.warps), "-ns", str(kernel.stages), "-t", chip]
    run = subprocess.run(command + ["--no-header", "-o", out], capture_output=True, text=True, timeout=LIMIT)
    if run.returncode:
        raise RuntimeError(next((line for line in run.stderr.splitlines() if "error: " in line), "no error")[-160:])
    with open(out) as file:
        text = file.read()
    if not nvidia:
        return text, amd_loops.Loop.metadata(text, "max_flat_workgroup_size")
    with open(os.path.splitext(out)[0] + ".json") as file:
        entry = json.load(file)["kernels"][0]["entries"][0]
    return assembled(options, text, chip, folder), entry["threads"]


def assembled(options, ptx, chip, folder):
    """SASS of PTX: both compilers' through the same ptxas."""
    source, cubin = os.path.join(folder, "x.ptx"), os.path.join(folder, "x.cubin")
    with open(source, "w") as file:
        file.write(re.sub(r"^\.version .*", ".version 8.7", re.sub(r"^\.target .*", f".target {chip}", ptx, flags=re.M), flags=re.M))
    run = subprocess.run([options.ptxas, f"-arch={chip}", source, "-o", cubin], capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError("ptxas: " + run.stderr.strip().splitlines()[0][-140:])
    return subprocess.run([options.nvdisasm, "-c", cubin], capture_output=True, text=True, check=True).stdout


# ---- loops ----


def blocks_of_sass(text):
    """The blocks of SASS: what a label starts or a branch ends."""
    blocks, labels = [amd_loops.Block()], {}
    for line in text.splitlines():
        label = re.match(r"\s*(\.L_x_\d+):", line)
        found = re.match(r"\s*/\*[0-9a-f]{4,}\*/\s+(.*?)\s*;", line)
        if label:
            if blocks[-1].instructions:
                blocks.append(amd_loops.Block())
            labels[label[1]] = len(blocks) - 1
        elif found:
            blocks[-1].instructions.append(found[1])
            if re.search(r"\b(BRA|EXIT|RET)\b", found[1]):
                blocks.append(amd_loops.Block())
    for i, block in enumerate(blocks):
        last = block.instructions[-1] if block.instructions else ""
        to = re.search(r"\bBRA\b.*`\((\.L_x_\d+)\)", last)
        if to and to[1] in labels and not (labels[to[1]] == i and len(block.instructions) == 1):  # the code's end
            block.next.append(labels[to[1]])
        ends = re.match(r"(EXIT|RET|BRA)\b", last) and not re.match(r"BRA\.(DIV|CONV)|BRA\S* !?U?P\d", last)
        if not ends and i + 1 < len(blocks):
            block.next.append(i + 1)
    return blocks


def products_of_sass(line):
    shape = re.match(r"(?:@!?U?P\w+ )?[HIQDO]MMA\.(?:SF\.)?(\d+)", line)
    sizes = {"16816": (16, 8, 16), "1688": (16, 8, 8), "16832": (16, 8, 32), "16864": (16, 8, 64), "884": (8, 8, 4), "8816": (8, 8, 16)}
    return math.prod(sizes.get(shape[1], (16, 8, 16))) if shape else 0


def bytes_of_sass(line):
    word = re.match(r"(?:@!?U?P\w+ )?(LDG|LDGSTS)\.(\S+)", line)
    width = re.search(r"\b(128|64|U16|S16|U8|S8)\b", word[2]) if word else None
    return 0 if not word else {"128": 16, "64": 8, "U16": 2, "S16": 2, "U8": 1, "S8": 1}[width[1]] if width else 4


def bytes_of_amd(line):
    word = re.match(r"(?:buffer|global|flat)_load_(\w+)", line)
    if not word:
        return 0
    for key, size in (("x4", 16), ("x3", 12), ("x2", 8), ("b128", 16), ("b96", 12), ("b64", 8), ("short", 2), ("16", 2), ("byte", 1), ("8", 1)):
        if re.search(key + r"\b|" + key + "_", word[1]):
            return size
    return 4


def rare_arms(blocks, loop, way):
    """Of two arms that only compute and meet again, the longer one's block."""
    before = {i: [j for j in loop if i in blocks[j].next] for i in loop}
    found = set()
    for i in loop:
        arms = set(blocks[i].next) & loop
        if len(arms) != 2 or any(before[arm] != [i] or len(blocks[arm].next) != 1 for arm in arms):
            continue
        lines = [line for arm in arms for line in blocks[arm].instructions]
        meet = len({blocks[arm].next[0] for arm in arms}) == 1
        if meet and not any(way.products(line) or way.waits.match(line) or way.memory.match(line) for line in lines):
            found.add(max(arms, key=lambda arm: len(blocks[arm].instructions)))
    return found


class Amd:
    blocks = staticmethod(lambda text, name: amd_loops.blocks_of(text, name))
    products = staticmethod(lambda line: amd_loops.matrix_flops(line) // 2 if amd_loops.kind_of(line) == "matrix" else 0)
    loaded = staticmethod(bytes_of_amd)
    waits = re.compile(r"s_(waitcnt|wait_|barrier)")
    memory = re.compile(r"(ds|global|buffer|flat|scratch)_")
    spilled = staticmethod(lambda text, name: amd_loops.Loop.metadata(text, "private_segment_fixed_size"))
    ignored = re.compile(r"s_(delay_alu|nop|code_end)")


class Nvidia:
    blocks = staticmethod(lambda text, name: blocks_of_sass(text))
    products = staticmethod(products_of_sass)
    loaded = staticmethod(bytes_of_sass)
    memory = re.compile(r"(?:@!?U?P\w+ )?(LD|ST|RED|ATOM|SHFL)")
    waits = re.compile(r"(?:@!?U?P\w+ )?(BAR|DEPBAR|LDGDEPBAR|WARPSYNC|ARRIVES|SYNCS)\b")
    spilled = staticmethod(lambda text, name: 4 * len(re.findall(r"\b(?:LDL|STL)\b", text)))
    ignored = re.compile(r"NOP\b")


class Loop:
    """The main loop of a kernel: instructions and waits for so much work, over all warps of the block."""

    def __init__(self, text, name, threads, chip):
        way = Nvidia if chip.startswith("sm_") else Amd
        blocks = way.blocks(text, name)
        found = []
        for loop in [*amd_loops.loops_of(blocks), set(range(len(blocks)))]:
            counted = sorted(loop - rare_arms(blocks, loop, way))
            lines = [line for i in counted for line in blocks[i].instructions if not way.ignored.match(line)]
            found.append((sum(map(way.products, lines)), sum(map(way.loaded, lines)), lines, len(loop) == len(blocks)))
        multiply = [loop for loop in found if loop[0] and (not loop[3] or not any(one[0] for one in found[:-1]))]
        loading = [loop for loop in found if loop[1] and (not loop[3] or not any(one[1] for one in found[:-1]))]
        if multiply:
            best = min(multiply, key=lambda loop: len(loop[2]) / loop[0])
        else:
            best = max(loading, key=lambda loop: loop[1], default=found[-1])
        self.waves = threads // (64 if chip == "gfx942" else 32)
        self.kind = "product" if multiply else "loop" if not best[3] else "whole"
        self.products, self.bytes = best[0] * self.waves, best[1] * threads
        self.work = self.products if multiply else self.bytes if not best[3] else 1
        self.waiting = sum(bool(way.waits.match(line)) for line in best[2])
        self.count, self.spilled = len(best[2]), way.spilled(text, name)

    def take_steps(self, step):
        """Counts per step of the source's loop, if `step` (step_of) says what that is."""
        if self.kind == "product" and step:
            steps = self.products / step[0]
            self.work = steps if steps < 1 else max(1, int(min(steps, self.bytes / step[1] if step[1] else steps) + 0.01))

    @property
    def instructions(self):
        return self.count * self.waves / self.work

    @property
    def waits(self):
        return self.waiting * self.waves / self.work


# ---- the table ----


def row_of(options, peers, kernel, chip):
    """A row's cells, and the ratios of instructions and waits, None where there is nothing to compare."""
    with tempfile.TemporaryDirectory() as folder:
        return row_in(folder, options, peers, kernel, chip)


def row_in(folder, options, peers, kernel, chip):
    try:
        text, threads = by_tkc(options, kernel, chip, folder)
        ours = Loop(text, kernel.name, threads, chip)
    except (RuntimeError, AttributeError, KeyError, subprocess.TimeoutExpired) as error:
        return f"tkc: {type(error).__name__} {error}", None
    best, why = None, ""
    for stages in stages_of(kernel, chip):
        code, name, threads, step = peers.of(kernel, chip, stages)
        if code is None:
            why = name
            continue
        try:
            code = assembled(options, code, chip, folder) if chip.startswith("sm_") else code
            loop = Loop(code, name, threads, chip)
        except (RuntimeError, AttributeError, KeyError) as error:
            why = str(error)
            continue
        loop.take_steps(step)
        ours.take_steps(step)
        if best is None or (loop.spilled > 0, loop.instructions) < (best.spilled > 0, best.instructions):
            best = loop
    if best is None:
        return f"tkc {ours.count} ({ours.kind}), {ours.spilled} B spilled; Triton: {why}", None
    if best.kind != ours.kind:
        return f"{ours.kind} of {ours.count}, Triton's {best.kind} of {best.count}: not compared", None
    ratios = (ours.instructions / best.instructions, (ours.waits + 1e-9) / (best.waits + 1e-9), ours.spilled, best.spilled)
    fault = ratios[0] > 1.005 or ratios[1] > 1.005 or ours.spilled > best.spilled
    waits = "-" if best.waits == 0 else f"{ratios[1]:.2f}"
    return (f"{ours.kind} {ours.count} / {best.count} | {ratios[0]:.2f} | {waits} | {ours.spilled} / {best.spilled} | "
            f"{'MORE' if fault else ''}"), ratios


def check(options, chip, folder):
    """Results of the spellings on the emulator."""
    for form in forms.FORMS:
        if options.only not in form["name"]:
            continue
        with open(os.path.join(folder, "k.py"), "w") as file:
            file.write(form["text"])
        fault = forms.wrong(form, options.check, folder, chip)
        print(f"| {chip} | {form['name']} | {'WRONG: ' + fault if fault else 'right'} |", flush=True)


def table_of(chip, kernels, rows):
    ratios, more = [], 0
    for kernel, (cells, found) in zip(kernels, rows):
        print(f"| {chip} | {kernel.title} | {cells} |", flush=True)
        ratios += [found] if found else []
        more += "MORE" in cells
    if ratios:
        mean = math.exp(sum(math.log(ratio[0]) for ratio in ratios) / len(ratios))
        print(f"| {chip} | **{len(ratios)} kernels** | | {mean:.2f} | | | {more} with more of something |", flush=True)


def version_of_triton(options):
    """The version asked for, which a folder of peers may have without the package."""
    if options.version:
        return options.version
    try:
        import triton
    except ImportError:
        print("other_chips: skipped: the Python package triton is not installed")
        sys.exit(SKIPPED)
    return triton.__version__


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tkc", default="build/bin/tkc")
    parser.add_argument("--chip", action="append", choices=CHIPS)
    parser.add_argument("--only", default="", help="kernels whose title has this in it")
    parser.add_argument("--from", dest="modules", action="append", default=[], help="further kernels")
    parser.add_argument("--no-spellings", action="store_true")
    parser.add_argument("--jobs", type=int, default=1, help="rows at a time")
    parser.add_argument("--peers", metavar="FOLDER", help="where Triton's answers are kept, and found again")
    parser.add_argument("--fill", action="store_true", help="only fill FOLDER: no tkc is needed")
    parser.add_argument("--version", help="Triton's: only answers in FOLDER count, and the package is not needed")
    parser.add_argument("--check", metavar="TKC_RUN", help="compare the spellings' results on the emulator instead")
    parser.add_argument("--ptxas", default=shutil.which("ptxas") or "ptxas")
    parser.add_argument("--nvdisasm", default=shutil.which("nvdisasm") or "nvdisasm")
    options = parser.parse_args()
    if (options.fill or options.version) and not options.peers:
        parser.error("--fill and --version need --peers")
    chips = options.chip or CHIPS
    with tempfile.TemporaryDirectory() as folder:
        if options.check:
            for chip in chips:
                check(options, chip, folder)
            return 0
        kernels = [] if options.no_spellings else list(of_spellings(folder))
        for module in options.modules:
            kernels += of_module(module, folder)
        kernels = [kernel for kernel in kernels if options.only in kernel.title]
        peers = Peers(version_of_triton(options), options.peers, complete=bool(options.version))
        if options.fill:
            peers.fill(kernels, chips, options.jobs)
            return 0
        print(f"Triton {peers.version}. Main loops, tkc / Triton; no GPU ran.\n\n| chip | kernel | instructions | ratio | waits | spills, bytes | |"
              "\n|---|---|---|---|---|---|---|")
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for chip in chips:
                table_of(chip, kernels, pool.map(lambda kernel: row_of(options, peers, kernel, chip), kernels))
    return 0


if __name__ == "__main__":
    sys.exit(main())
