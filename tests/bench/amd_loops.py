#!/usr/bin/env python3
"""Counts the instructions of main loops for AMD, tkc's beside Triton's, in the assembly of the same kernels.

    python3 tests/bench/amd_loops.py [--tkc build/bin/tkc] [--chip gfx942] [--only WORD] [--keep FOLDER] [--no-triton] [--run]

No GPU is needed, and none is measured: the evidence is what the compilers emit. A kernel's main loop is the innermost loop
with matrix instructions, of several the one with the fewest other instructions to each (attention's loop without masks), or one
that comes before it with at most a tenth more (what is left of an odd number of steps has a loop of its own behind).
"Behind" is how many matrix instructions stand between a load and the wait for it, the fewest of all loads: 0 waits for memory
at once. Triton's row is the best of num_stages 1 to 3, with and without the range of 32 bits that its JIT gives to small tensors;
everything else is as it comes. With --run both code objects are executed by tkc-run beside tkc, for two lengths of the loop, or
for three numbers of blocks of causal attention, each of which takes two steps more than the one before: their difference, or
differences' difference, gives the wave instructions that one step executes and the passes over LDS's banks for each that it
takes without a conflict. llvm-mca, where it is installed, estimates a
step's cycles for a wave that is alone: on gfx942, since it stops at RDNA's code and at some of Triton's. Figures are per wave of
those that the row names and per step of the source's loop: a loop that does several whole steps a turn, which its matrix
instructions tell, is divided by them, and of code that runs on twice the waves all is counted twice. A row of the table is as good as

    total <= 0.9 of Triton's, VALU to a matrix instruction at most Triton's, no scratch, one block.

Exits 77 (skipped) without Triton, unless --no-triton asks for tkc alone; 1 if a kernel does not compile.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check_triton  # noqa: E402  (the folder of this file)

SKIPPED = 77
WARP = {"gfx90a": 64, "gfx942": 64, "gfx1100": 32, "gfx1200": 32}
E4M3 = {"gfx942": "fp8e4b8", "gfx1100": "fp8e4nv", "gfx1200": "fp8e4nv"}  # gfx1100 has none: both convert to fp16
KINDS = ("matrix", "VALU", "AGPR", "LDS read", "LDS write", "load", "store", "scratch", "SALU", "wait", "barrier", "branch",
         "other")


STEPS = 8


class Work:
    """A kernel with its constants; flops: of one step of its main loop, in one program. launches: (weight, size) of some whose
    counts, weighted, add up to those of STEPS steps; arguments(chip, size): of such a launch, as tkc-run has them, of
    programs(size) programs."""

    def __init__(self, title, path, constants, warps, flops, arguments, types=None, launches=((1, 16), (-1, 8)),
                 programs=lambda size: 1):
        self.title, self.path, self.constants, self.warps, self.flops = title, path, constants, warps, flops
        self.arguments, self.launches, self.programs = arguments, launches, programs
        self.types = types or (lambda chip: None)


def product(m, n, k, warps, kind="fp16"):
    constants = {"BLOCK_M": m, "BLOCK_N": n, "BLOCK_K": k}
    title = f"matmul {kind} {m}×{n}×{k}, {warps} warps"

    def types(chip):
        return ("i8", "i8", "i32") if kind == "i8" else (E4M3[chip], E4M3[chip], "fp32")

    def arrays(chip, depth):
        a, b, c = types(chip) if kind != "fp16" else ("fp16", "fp16", "fp16")
        values = "randint(-4,4,{}):{}" if kind == "i8" else "rand({}):{}"
        return [values.format(m * depth, a), values.format(depth * n, b), f"empty({m * n}):{c}"]

    def plain(chip, steps):
        return [*arrays(chip, steps * k), m, n, steps * k, steps * k, 1, n, 1, n, 1]

    def transposed(chip, steps):
        return [*arrays(chip, steps * k), m, n, steps * k, steps * k, steps * k, n]

    if kind == "fp16":
        return Work(title, "examples/matmul.tk", constants, warps, 2 * m * n * k, plain)
    return Work(title, "tests/bench/products.tk", constants, warps, 2 * m * n * k, transposed, types)


def attention(dim, causal):
    rows, columns, warps = 128, 64, 8
    constants = {"BLOCK_M": rows, "BLOCK_N": columns, "HEAD_DIM": dim, "CAUSAL": causal}
    title = f"attention D = {dim}, {'causal' if causal else 'full'}"

    def arguments(chip, steps):
        length = steps * columns
        tile = f"rand({length * dim}):fp16"
        return [tile, tile, tile, f"empty({length * dim}):fp16", 0.125, 1, 1, length, length * dim, length * dim, dim]

    if not causal:
        return Work(title, "examples/attention.tk", constants, warps, 4 * rows * columns * dim, arguments)
    # Program n of those of so many blocks takes 2 n steps without a mask, and all the same number with one: of 2, 4 and 6
    # blocks 2, 12 and 30 in all.
    return Work(title, "examples/attention.tk", constants, warps, 4 * rows * columns * dim,
                lambda chip, blocks: arguments(chip, blocks * rows // columns),
                launches=((1, 6), (-2, 4), (1, 2)), programs=lambda blocks: blocks)


# Triton's emulation of fp8 there takes its compiler more than half an hour.
NOT_BY_TRITON = {("gfx1100", "matmul fp8 128×128×64, 8 warps")}

WORKS = [product(128, 128, 32, 4), product(128, 128, 64, 8), product(256, 256, 32, 8), product(256, 256, 64, 8),
         product(128, 128, 64, 8, "fp8"), product(128, 128, 64, 8, "i8"),
         *(attention(dim, causal) for dim in (64, 128) for causal in (False, True))]


# ---- assembly ----

class Block:
    def __init__(self):
        self.instructions, self.next = [], []


def blocks_of(text, name):
    """The blocks of a function, in order: what a label starts or a branch ends."""
    body = re.search(rf"^{name}:(.*?)^\.Lfunc_end", text, re.M | re.S)[1]
    blocks, labels = [Block()], {}
    for line in body.splitlines():
        line = line.split(";")[0].strip()
        label = re.fullmatch(r"(\.LBB\w+):", line)
        if label:
            if blocks[-1].instructions:
                blocks.append(Block())
            labels[label[1]] = len(blocks) - 1
        elif line and not line.startswith("."):
            blocks[-1].instructions.append(line)
            if re.match(r"s_(c?branch|endpgm)", line):
                blocks.append(Block())
    for i, block in enumerate(blocks):
        last = block.instructions[-1] if block.instructions else ""
        if last.startswith(("s_branch", "s_cbranch")):
            block.next.append(labels[last.split()[1]])
        if not last.startswith(("s_branch", "s_endpgm")) and i + 1 < len(blocks):
            block.next.append(i + 1)
    return blocks


def cycles_of(blocks, inside):
    """Strongly connected parts of the graph within `inside` that hold an edge (Tarjan, without recursion)."""
    number, low, stack, parts = {}, {}, [], []
    for root in sorted(inside):
        work = [(root, iter(blocks[root].next))] if root not in number else []
        if work:
            number[root] = low[root] = len(number)
            stack.append(root)
        while work:
            at, following = work[-1]
            for other in following:
                if other not in inside:
                    continue
                if other not in number:
                    number[other] = low[other] = len(number)
                    stack.append(other)
                    work.append((other, iter(blocks[other].next)))
                    break
                if other in stack:
                    low[at] = min(low[at], number[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[at])
                if low[at] == number[at]:
                    part = set(stack[stack.index(at):])
                    del stack[stack.index(at):]
                    if len(part) > 1 or at in blocks[at].next:
                        parts.append(part)
    return parts


def loops_of(blocks):
    """The innermost loops, each a set of block numbers: cycles that without the blocks they are entered by are none."""
    loops, work = [], cycles_of(blocks, set(range(len(blocks))))
    while work:
        loop = work.pop()
        entries = {i for i in loop for j, block in enumerate(blocks) if i in block.next and j not in loop} or {min(loop)}
        inner = cycles_of(blocks, loop - entries)
        work += inner
        loops += [] if inner else [loop]
    return loops


def kind_of(instruction):
    name = instruction.split()[0]
    for pattern, kind in (
            (r"v_(s?mfma|s?wmma)", "matrix"), (r"v_accvgpr", "AGPR"), (r"v_", "VALU"),
            (r"ds_(read|load|bpermute|permute|swizzle)", "LDS read"), (r"ds_", "LDS write"), (r"scratch_", "scratch"),
            (r"(buffer|global|flat)_(load|atomic)", "load"), (r"(buffer|global|flat)_store", "store"),
            (r"s_(waitcnt|wait_)", "wait"), (r"s_barrier", "barrier"), (r"s_(c?branch)", "branch"),
            (r"s_(nop|delay_alu|setprio|clause|sleep|sched|set_gpr|inst_prefetch)", "other"), (r"s_", "SALU")):
        if re.match(pattern, name):
            return kind
    return "other"


def matrix_flops(instruction):
    m, n, k = map(int, re.search(r"_(\d+)x(\d+)x(\d+)", instruction).groups())
    return 2 * m * n * k


def loads_left(instruction):
    """How many loads may still be under way behind a wait; None: it waits for something else."""
    old = re.match(r"s_waitcnt .*vmcnt\((\d+)\)", instruction)
    new = re.match(r"s_wait_loadcnt (0x[0-9a-f]+)", instruction)
    both = re.match(r"s_wait_loadcnt_dscnt (0x[0-9a-f]+)", instruction)
    return int(old[1]) if old else int(new[1], 16) if new else int(both[1], 16) >> 8 if both else None


def fewest_behind(instructions):
    """Of two turns of a loop: the fewest matrix instructions between a load and the wait for it. None without loads."""
    counts, under_way, matrices = [], [], 0
    for instruction in instructions * 2:
        matrices += kind_of(instruction) == "matrix"
        if kind_of(instruction) == "load":
            under_way.append(matrices)
        left = loads_left(instruction)
        while left is not None and len(under_way) > left:
            counts.append(matrices - under_way.pop(0))
    return min(counts, default=None)


class Loop:
    """What a main loop has: counts by kind and total per step, matrix instructions among them."""

    def __init__(self, text, name, work):
        blocks = blocks_of(text, name)
        found = []
        for loop in sorted(loops_of(blocks), key=min):
            instructions = [line for i in sorted(loop) for line in blocks[i].instructions]
            matrix = [line for line in instructions if kind_of(line) == "matrix"]
            if matrix:
                found.append((len(instructions) / len(matrix), instructions, matrix, len(loop)))
        if not found:
            raise RuntimeError("no loop with matrix instructions")
        fewest = min(loop[0] for loop in found)
        _, instructions, matrix, self.blocks = next(loop for loop in found if loop[0] <= 1.1 * fewest)
        self.waves = self.metadata(text, "max_flat_workgroup_size") // self.metadata(text, "wavefront_size")
        self.steps = max(1, int(sum(map(matrix_flops, matrix)) * self.waves / work.flops + 0.01))
        self.count = dict.fromkeys(KINDS, 0)
        share = self.waves / work.warps / self.steps
        for line in instructions:
            self.count[kind_of(line)] += share
        self.count["other"] -= sum(line.startswith("s_delay_alu") for line in instructions) * share  # a hint, no work
        self.instructions = instructions
        self.executed = self.passes = self.cycles = None
        self.total = sum(self.count.values())
        self.behind = fewest_behind(instructions)
        self.valu = (self.count["VALU"] + self.count["AGPR"]) / self.count["matrix"]
        self.vgprs, self.sgprs = self.metadata(text, "vgpr_count"), self.metadata(text, "sgpr_count")
        self.lds = self.metadata(text, "group_segment_fixed_size")
        self.scratch = self.metadata(text, "private_segment_fixed_size")

    @staticmethod
    def metadata(text, key):
        found = re.search(rf"\.{key}:\s+(\d+)", text)
        return int(found[1]) if found else 0


# ---- the compilers ----

def tkc_signature(kernel, types):
    """Parameter types of the annotations, pointers retyped: what --signature takes."""
    parts, pointers = [], list(types)
    for parameter in kernel.signature.parameters.values():
        annotation = parameter.annotation
        if isinstance(annotation, str) and "constexpr" not in annotation:
            parts.append(f"*{pointers.pop(0)}:16" if annotation.startswith("*") else annotation)
    return ", ".join(parts)


def compile_tkc(options, work, chip, kernel, folder):
    path = os.path.join(folder, "kernel.s")
    command = [options.tkc, os.path.join(check_triton.TOP, work.path), "--target", chip, "-o", path, "-o", path[:-1] + "hsaco",
               "--no-header", "--no-json", "-w", str(work.warps)]
    command += [f"-D{name}={value}" for name, value in work.constants.items()]
    if work.types(chip):
        constants = ", ".join(str(value) for value in work.constants.values())
        command += ["-s", tkc_signature(kernel, work.types(chip)) + ", " + constants]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(next(line for line in run.stderr.splitlines() if "error: " in line))
    with open(path) as file:
        return file.read()


def triton_sources(kernel, work, chip):
    """The kernel for Triton's compiler: without and with the range of pointers that its JIT finds out."""
    from triton.compiler import ASTSource

    config = type("Config", (), {"kwargs": work.constants})()
    signature, constexprs, attributes = check_triton.describe(kernel, config, work.constants)
    pointers = [(i, name) for i, (name, kind) in enumerate(signature.items()) if kind.startswith("*")]
    for (_, name), kind in zip(pointers, work.types(chip) or ()):
        signature[name] = "*" + kind
    yield ASTSource(fn=kernel, signature=signature, constexprs=constexprs, attrs=attributes)
    ranged = dict(attributes)
    for index, _ in pointers:
        ranged[(index,)] = [*ranged.get((index,), []), ["tt.pointer_range", 32]]
    yield ASTSource(fn=kernel, signature=signature, constexprs=constexprs, attrs=ranged)


def compile_triton(kernel, work, chip, folder):
    """The loop of the setting with the fewest instructions, and that setting."""
    import triton
    from triton.backends.compiler import GPUTarget

    best = None
    for ranged, source in enumerate(triton_sources(kernel, work, chip)):
        for stages in (1, 2, 3):
            try:
                made = triton.compile(source, target=GPUTarget("hip", chip, WARP[chip]),
                                      options={"num_warps": work.warps, "num_stages": stages})
            except Exception as error:  # a setting refused by the peer is one less
                print(f"  Triton {work.title} {chip} {stages} stages: {type(error).__name__}: {str(error)[-300:]}",
                      file=sys.stderr)
                continue
            loop = Loop(made.asm["amdgcn"], made.metadata.name, work)
            loop.lds = made.metadata.shared
            loop.setting = f"{stages} st.{', ranged' if ranged else ''}"
            if best is None or (loop.scratch > 0, loop.total) < (best.scratch > 0, best.total):
                best = loop
                with open(os.path.join(folder, "triton.s"), "w") as file:
                    file.write(made.asm["amdgcn"])
                with open(os.path.join(folder, "triton.hsaco"), "wb") as file:
                    file.write(made.asm["hsaco"])
    return best


# ---- the instructions of a step, and its time ----

def counted(options, path, chip, programs, arguments, shared):
    """tkc-run's statistics of a launch."""
    run = os.path.join(os.path.dirname(options.tkc), "tkc-run")
    command = [run, path, "--on", chip, "--grid", str(programs), "--stats=json", "-q", "--shared-bytes", str(shared)]
    for index, value in enumerate(arguments):
        command += ["--arg", f"arg{index}={value}"]
    made = subprocess.run(command, capture_output=True, text=True)
    if made.returncode:
        raise RuntimeError(made.stderr.strip().splitlines()[0] if made.stderr.strip() else "tkc-run failed")
    return json.loads(made.stdout)


def execute(options, work, chip, loop, path, removed=(), extra=0, shared=0):
    """Fills in what a step of the loop executes; `removed`: parameters that the code does not have."""
    counts = []
    for _, size in work.launches:
        arguments = [value for i, value in enumerate(work.arguments(chip, size)) if i not in removed]
        try:
            counts.append(counted(options, path, chip, work.programs(size), arguments + ["zeros(16):i8"] * extra, shared))
        except RuntimeError as error:
            print(f"  {os.path.basename(path)} {work.title} {chip}: {error}", file=sys.stderr)
            return

    def difference(key):
        return sum(weight * count[key] for (weight, _), count in zip(work.launches, counts))

    loop.executed = difference("warp_instructions") / STEPS / work.warps
    if difference("shared_ideal_wavefronts"):
        loop.passes = difference("shared_wavefronts") / difference("shared_ideal_wavefronts")


def estimate(loop, chip, folder):
    """llvm-mca's cycles of a step."""
    tool = next(filter(None, map(shutil.which, ("llvm-mca-22", "llvm-mca", "/usr/lib/llvm-22/bin/llvm-mca"))), None)
    path, turns = os.path.join(folder, "loop.s"), 50
    if not tool or chip != "gfx942":
        return
    with open(path, "w") as file:
        file.write("".join(line + "\n" for line in loop.instructions if not re.match("s_c?branch", line)))
    command = [tool, "-mtriple=amdgcn", f"-mcpu={chip}", f"-iterations={turns}", path]
    made = subprocess.run(command, capture_output=True, text=True)
    cycles = re.search(r"Total Cycles:\s+(\d+)", made.stdout)
    loop.cycles = int(cycles[1]) / turns / loop.steps if cycles else None


def optional(value, form=".0f"):
    return "-" if value is None else format(value, form)


# ---- the table ----

def number(value):
    return f"{value:.0f}" if abs(value - round(value)) < 0.005 else f"{value:.1f}"


def line_of(who, loop):
    cells = [who, number(loop.total), *(number(loop.count[kind]) for kind in KINDS), f"{loop.valu:.2f}", optional(loop.executed),
             optional(loop.passes, ".2f"), optional(loop.cycles), str(loop.behind),
             str(loop.blocks), number(loop.steps), str(loop.vgprs), str(loop.sgprs), str(loop.lds), str(loop.scratch)]
    return "| " + " | ".join(cells) + " |"


def good(ours, theirs):
    faults = [] if ours.scratch == 0 else ["scratch"]
    faults += [] if ours.blocks == 1 else [f"{ours.blocks} blocks"]
    if theirs:
        faults += [] if ours.total <= 0.9 * theirs.total else ["total"]
        faults += [] if ours.valu <= theirs.valu + 1e-6 else ["VALU"]
    return ", ".join(faults) or "good"


def main():
    parser = argparse.ArgumentParser(description="Counts instructions of main loops on AMD, tkc's beside Triton's.")
    parser.add_argument("--tkc", default="build/bin/tkc")
    parser.add_argument("--chip", action="append", choices=sorted(E4M3))
    parser.add_argument("--only", default="", help="works whose title contains this")
    parser.add_argument("--keep", help="folder for the assembly of both")
    parser.add_argument("--no-triton", action="store_true")
    parser.add_argument("--run", action="store_true", help="execute the loops, too")
    parser.add_argument("--brief", action="store_true", help="a line a row: totals, ratio, verdict")
    options = parser.parse_args()
    try:
        import triton
    except ImportError:
        print("amd_loops: skipped: the Python package triton is not installed")
        return SKIPPED
    print(f"Triton {triton.__version__}. Instructions of a wave in one step of the main loop; no GPU ran.\n")
    if options.brief:
        print("| chip | work | tkc | Triton | ratio | VALU/matrix | of Triton | executed | of Triton | LDS passes | of Triton | "
              "mca | of Triton | behind | of Triton | VGPRs | LDS | verdict |")
        print("|" + "---|" * 18)
    failures = 0
    for chip in options.chip or sorted(E4M3, key=lambda name: len(name)):
        if not options.brief:
            print(f"## {chip}\n\n| | total | " + " | ".join(KINDS) +
                  " | VALU/matrix | executed | LDS passes | mca | behind | blocks | steps | VGPRs | SGPRs | LDS | scratch |\n|" +
                  "---|" * (len(KINDS) + 13))
        for work in WORKS:
            if options.only not in work.title:
                continue
            ((name, kernel, _),) = check_triton.kernels(
                check_triton.load_module(os.path.join(check_triton.TOP, work.path)))
            with tempfile.TemporaryDirectory() as scratch:
                folder = scratch
                if options.keep:
                    folder = os.path.join(options.keep, chip, re.sub(r"\W+", "_", work.title))
                    os.makedirs(folder, exist_ok=True)
                try:
                    ours = Loop(compile_tkc(options, work, chip, kernel, folder), name, work)
                except RuntimeError as error:
                    print(f"| {work.title} on {chip}: {error} |", flush=True)
                    failures += 1
                    continue
                skipped = options.no_triton or (chip, work.title) in NOT_BY_TRITON
                theirs = None if skipped else compile_triton(kernel, work, chip, folder)
                if options.run:
                    execute(options, work, chip, ours, os.path.join(folder, "kernel.hsaco"))
                if options.run and theirs:
                    names = list(kernel.signature.parameters.values())
                    ones = [i for i, one in enumerate(names) if str(one.annotation).endswith(":1")]
                    execute(options, work, chip, theirs, os.path.join(folder, "triton.hsaco"), ones, 2, theirs.lds)
                for loop in filter(None, (ours, theirs)):
                    estimate(loop, chip, folder)
            ratio = f"{ours.total / theirs.total:.2f}" if theirs else "-"
            verdict = good(ours, theirs)
            if options.brief:
                print(f"| {chip} | {work.title} | {number(ours.total)} | {number(theirs.total) if theirs else '-'} | {ratio} | "
                      f"{ours.valu:.2f} | {theirs.valu if theirs else 0:.2f} | {optional(ours.executed)} | "
                      f"{optional(theirs and theirs.executed)} | {optional(ours.passes, '.2f')} | "
                      f"{optional(theirs and theirs.passes, '.2f')} | {optional(ours.cycles)} | "
                      f"{optional(theirs and theirs.cycles)} | {ours.behind} | "
                      f"{theirs.behind if theirs else '-'} | {ours.vgprs} | {ours.lds} | {verdict} |",
                      flush=True)
                continue
            print(line_of(f"**{work.title}**: tkc, {ratio}, {verdict}", ours))
            if theirs:
                print(line_of(f"Triton ({theirs.setting})", theirs), flush=True)
        print()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
