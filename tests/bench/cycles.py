#!/usr/bin/env python3
"""Cycles that a step of a main loop takes by a model, tkc's code beside Triton's, of sm_100a beside the schedules of two libraries, too.

    python3 tests/bench/cycles.py [--chip sm_100a | sm_120a | gfx950] [--tkc build/bin/tkc] [--only WORD] [--keep FOLDER]

No GPU is needed, and nobody of tkc's authors has those chips: the table says which unit would be the bound, not what a card does. Of both
compilers the inputs are counted from their code for the same source: products (shape, kind, operands in tensor memory, blocks of a pair)
and copies of scales to tensor memory from PTX, instructions, exponentials, accesses to shared memory, spills and meetings from SASS (CUDA's ptxas, both alike). A step is one
iteration of the source's loop; a loop that does several is divided by them, and a loop's way is its shortest (of attention without
scaling of sums, of products without what the issuing thread does). The libraries' rows are their published tiles and roles. "tkc, pairs" is
the same source whose rows are annotated as multiples of 256: then two blocks multiply together, but for causal attention.

Clocks of a step on one multiprocessor of sm_100a, each unit alone:
  unit    products: 8,192 operations of f16, 16,384 of f8, 32,768 of f4 a clock (peaks.def)
  shared  128 bytes a clock: operands that the unit reads, and what threads read and write; "+ copies" counts what copies write, too
  L2      bytes that copies bring over 64 a clock, Hopper's port (inferred); a pair brings half of B to each block
  exp     16 a clock (CUDA's programming guide)
  issue   four instructions of warps a clock
The bound is the slowest of unit, shared, exp and issue; the other one takes "+ copies" and L2 in. TFLOP/s: of 148 multiprocessors at
1,856 MHz. Latencies, meetings and what products wait for are left out, so speeds are upper bounds.

On the other two chips every warp multiplies; what differs is in CHIPS: rates of products, bytes of LDS, and on gfx950 "issue" is vector
arithmetic, a wave's instruction a clock on the four SIMDs together, and four clocks if it is an exponential or another transcendental; its
unit has the clocks of packed f32, too, which does not run beside products.

The last table of sm_100a is of whole launches: tiles' times that 2,048 tiles take on 148 multiprocessors (1,024 on 74 pairs) by a fixed share for each
block and by cluster launch control, where another kernel holds some of them at first. A request's latency is left out: it comes beside copies.

Exits 77 (skipped) without Triton.
"""
import argparse
import heapq
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
import check_triton  # noqa: E402
import other_chips  # noqa: E402

SKIPPED = 77
RATE = {"f16": 8192, "tf32": 4096, "f8f6f4": 16384, "i8": 16384, "mxf8f6f4": 16384, "mxf4": 32768, "mxf4nvf4": 32768}
DEPTH = {"f16": 16, "tf32": 8, "f8f6f4": 32, "i8": 32, "mxf8f6f4": 32, "mxf4": 64, "mxf4nvf4": 64}
ROW_BYTES = 32  # of an operand's row in one product, of every kind
SHARED, PORT, SPECIAL, SCHEDULERS = 128, 64, 16, 4
CARD = 148 * 1.856e9
LANES = 32

SCALED = '''
import triton
import triton.language as tl


@triton.jit
def scaled(a: "*u8:16", a_scale: "*fp8e4nv:16", b: "*u8:16", b_scale: "*fp8e4nv:16", c: "*fp32:16", M: "i32", N: "i32:16",
           K: "i32:16", stride: "i32:16", scale_stride: "i32:16", BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    tiles = tl.cdiv(N, BLOCK_N)
    rows = tl.program_id(0) // tiles * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(0) % tiles * BLOCK_N + tl.arange(0, BLOCK_N)
    bytes_k, groups = tl.arange(0, BLOCK_K // 2), tl.arange(0, BLOCK_K // 16)
    sums = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_K)):
        x = tl.load(a + rows[:, None] * stride + (k * (BLOCK_K // 2) + bytes_k)[None, :], mask=rows[:, None] < M, other=0)
        y = tl.load(b + columns[None, :] * stride + (k * (BLOCK_K // 2) + bytes_k)[:, None])
        x_scale = tl.load(a_scale + rows[:, None] * scale_stride + (k * (BLOCK_K // 16) + groups)[None, :])
        y_scale = tl.load(b_scale + columns[:, None] * scale_stride + (k * (BLOCK_K // 16) + groups)[None, :])
        sums = tl.dot_scaled(x, x_scale, "e2m1", y, y_scale, "e2m1", sums)
    tl.store(c + rows[:, None] * N + columns[None, :], sums)
'''


class Work:
    """A kernel with its constants; operations and bytes copied to shared memory in one step of one block."""

    def __init__(self, title, path, name, constants, warps, stages, operations, copied, paired, retyped=()):
        self.title, self.path, self.name, self.constants, self.warps, self.stages = title, path, name, constants, warps, stages
        self.operations, self.copied, self.paired, self.retyped = operations, copied, paired, retyped  # paired: copied by a block of a pair


GROUPS = {"nvfp4": 16, "mxfp4": 32}  # elements to a scale


def product(kind, m, n, k, warps, stages):
    bits = {"fp16": 16, "fp8": 8}.get(kind, 4)
    path, name = {"fp16": ("examples/matmul.tk", "matmul"), "fp8": ("tests/bench/products.tk", "products")}.get(kind, (None, "scaled"))
    scales = (m + n) * k // GROUPS.get(kind, 1 << 30)  # of all columns in each block of a pair
    copied, paired = (m + n) * k * bits // 8 + scales, (m + n // 2) * k * bits // 8 + scales
    return Work(f"{kind} {m}×{n}×{k}, {warps} warps", path, name, {"BLOCK_M": m, "BLOCK_N": n, "BLOCK_K": k}, warps, stages,
                2 * m * n * k, copied, paired, ("fp8e4nv", "fp8e4nv", "fp32") if kind == "fp8" else ())


def attention(rows, columns, warps, causal=False, slack=8):
    return Work(f"{'causal ' if causal else ''}attention D = 128, {rows}×{columns}, {warps} warps", "examples/attention.tk", "attention",
                {"BLOCK_M": rows, "BLOCK_N": columns, "HEAD_DIM": 128, "CAUSAL": causal, "SLACK": slack}, warps, 3,
                4 * rows * columns * 128, 2 * columns * 128 * 2, columns * 128 * 2)


WORKS = {
    "sm_100a": [product("fp16", 128, 256, 64, 8, 4), product("fp8", 128, 256, 128, 8, 4), product("nvfp4", 128, 256, 256, 8, 3),
                attention(128, 128, 4), attention(128, 128, 8), attention(128, 64, 4), attention(128, 128, 4, causal=True),
                attention(128, 128, 8, causal=True)],
    "sm_120a": [product("fp16", 128, 128, 64, 8, 3), product("fp8", 128, 128, 128, 8, 3), product("nvfp4", 128, 128, 256, 8, 2),
                attention(128, 64, 8), attention(64, 64, 4), attention(128, 64, 8, causal=True)],
    "gfx950": [product("fp16", 256, 256, 64, 8, 2), product("fp8", 256, 256, 128, 8, 2), product("mxfp4", 256, 256, 256, 8, 2),
               attention(128, 64, 4), attention(256, 64, 8), attention(256, 64, 8, causal=True)]}
# As Triton likes a product best: descriptor_products.py, persistent and with specialised warps.
DESCRIPTORS = ("fp16 128×256×64", dict(BLOCK_M=128, BLOCK_N=256, BLOCK_K=64, GROUP=8, PARTS=1, LEFT_TURNED=False, RIGHT_TURNED=False, FLAT=True,
                                     SPECIALISED=True), 4, 3)


class Step:
    """Clocks of the units, and what the code is made of."""

    def __init__(self, who, **clocks):
        self.who, self.unit, self.shared, self.copies, self.port = who, clocks["unit"], clocks["shared"], clocks["copies"], clocks["port"]
        self.exp, self.issue, self.about = clocks["exp"], clocks["issue"], clocks["about"]

    def bounds(self):
        units = {"unit": self.unit, "shared": self.shared, "exp": self.exp, "issue": self.issue}
        first = max(units, key=units.get)
        units.update({"shared": self.shared + self.copies, "L2": self.port})
        second = max(units, key=units.get)
        return first, max(self.unit, self.shared, self.exp, self.issue), second, units[second]

    def row(self, operations, card=CARD):
        first, least, second, most = self.bounds()
        speeds = [operations / clocks * card / 1e12 for clocks in (least, most)]
        return (f"{self.who} | {self.about} | {self.unit:.0f} | {self.shared:.0f} + {self.copies:.0f} | {self.port:.0f} | {self.exp:.0f} | "
                f"{self.issue:.0f} | {first} {speeds[0]:,.0f}; {second} {speeds[1]:,.0f}")


# Published schedules, of one block's half of a pair, or of one tile of two (facts: decision 53). Sums over two blocks of a pair are two
# accumulators of 256 columns; one warp issues products, one copies, four store. Scales of B are in both blocks, of all columns.
def pair(kind, k, bits):
    operations, copied = 2 * 128 * 256 * k, (128 + 128) * k * bits // 8 + ((128 + 256) * k // 16 if bits == 4 else 0)
    return Step("CUTLASS, pair of 256×256", unit=operations / RATE[kind], shared=copied / SHARED, copies=copied / SHARED, port=copied / PORT,
                exp=0, issue=0, about="2 × 128 rows, N 256; 3 roles")


# FlashAttention-4 (4.0.0b36, flash_fwd_sm100.py), one of the two tiles of 128 queries of a block's 16 warps over one set of keys and values: two blocks are
# a pair without a mask, and blocks are alone with a causal one. Of a row's 128 exponentials 24 are polynomials in pairs, 16 causal. Instructions of an element,
# counted in its source: half of a maximum, of a multiply-add, of a conversion, of an addition, the exponential or 6.5 of a polynomial.
def flash(paired):
    keys, polynomials = (64, 24) if paired else (128, 16)  # rows of keys and of values copied and read by a block
    reads, copied = 128 * 256 + 2 * keys * 256, 2 * keys * 256
    issue = 128 * 128 * (2 + 1 - polynomials / 128 + 6.5 * polynomials / 128) / LANES / SCHEDULERS
    return Step("FlashAttention-4, one of its two tiles", unit=1024, shared=reads / SHARED, copies=copied / 2 / SHARED, port=copied / 2 / PORT,
                exp=128 * (128 - polynomials) / SPECIAL, issue=issue, about=f"{'pair, ' if paired else ''}128 rows, N 128; 5 roles")


LIBRARIES = {"fp16 128×256×64": pair("f16", 64, 16), "fp8 128×256×128": pair("f8f6f4", 128, 8), "nvfp4 128×256×256": pair("mxf4nvf4", 256, 4),
             "attention D = 128, 128×128": flash(True), "causal attention D = 128, 128×128": flash(False)}


# ---- PTX: the products ----


def blocks_of_ptx(text):
    blocks, labels, deep = [amd_loops.Block()], {}, 0
    for line in re.search(r"\.entry.*?^\{(.*)^\}", text, re.M | re.S)[1].splitlines():
        line = line.split("//")[0].strip()
        label = re.fullmatch(r"(\$?\w+):", line)
        if label and not deep:
            if blocks[-1].instructions:
                blocks.append(amd_loops.Block())
            labels[label[1]] = len(blocks) - 1
            continue
        deep += line.count("{") - line.count("}")
        if line:
            blocks[-1].instructions.append(line)
            if not deep and re.search(r"\b(bra|ret|exit)\b", line):
                blocks.append(amd_loops.Block())
    for i, block in enumerate(blocks):
        last = block.instructions[-1] if block.instructions else ""
        to = re.search(r"\bbra(?:\.uni)?\s+(\$?\w+)\s*;", last)
        if to and to[1] in labels:
            block.next.append(labels[to[1]])
        if not re.match(r"(bra|ret|exit)\b", last) and i + 1 < len(blocks):
            block.next.append(i + 1)
    return blocks


def products_of_ptx(text):
    """(group of blocks, kind, A in tensor memory, N) of each product in the innermost loop with the fewest of them."""
    values = dict(re.findall(r"mov\.[bu]32\s+(%r\d+), (-?\d+|0x[0-9a-f]+);", text))
    blocks, best = blocks_of_ptx(text), None
    loops = amd_loops.loops_of(blocks) + [set(range(len(blocks)))]
    for loop in loops:
        found = []
        for line in (line for i in sorted(loop) for line in blocks[i].instructions):
            one = re.search(r"tcgen05\.mma\.cta_group::(\d)\.kind::(\w+)\S* \[[^]]*\], (\[?)[^,]+, [^,]+, ([^,; ]+)", line)
            if one:
                number = int(values.get(one[4], one[4]), 0)
                found.append((int(one[1]), one[2], one[3] == "[", (number >> 17 & 63) * 8))
        if found and (best is None or len(found) < len(best)):
            best = found
    return best or []


def scales_of_ptx(text):
    """Bytes that a step's product copies from shared to tensor memory: 512 a copy, all of one product."""
    return 512 * len(re.findall(r"tcgen05\.cp\.cta_group::\d\.32x128b", text)) / max(len(re.findall(r"tcgen05\.cp.*\n(?:(?!tcgen05\.cp).*\n)*?.*tcgen05\.mma", text)), 1)


def operations_of(one):
    return 2 * 128 * one[3] * DEPTH[one[1]]


# ---- SASS: the warps ----

MARKS = (r"\bUTC\w*MMA\b", r"\bUTMALDG\b", r"\bLDGSTS\b", r"\bMUFU\.EX2\b")
OF_WARPS = (r"\b[HQO]MMA\b",)  # products of each warp


def lines_of(blocks, loop):
    return [line for i in sorted(loop) for line in blocks[i].instructions]


def loops_without_waits(blocks):
    """The innermost loops, but for those that try a barrier again: they count as one try."""
    while True:
        loops = amd_loops.loops_of(blocks)
        waits = [loop for loop in loops if any("PHASECHK" in line for line in lines_of(blocks, loop))
                 and not any(re.search(mark, line) for line in lines_of(blocks, loop) for mark in MARKS + OF_WARPS)]
        if not waits:
            return loops
        for loop in waits:
            for i in loop:
                blocks[i].next = [to for to in blocks[i].next if to not in loop or to > i]


def shortest(blocks, loop):
    """Instructions of the shortest way around a loop."""
    entry = min(loop)
    ways, done = [(0, entry, [])], set()
    while ways:
        length, at, lines = heapq.heappop(ways)
        if at in done:
            continue
        done.add(at)
        lines = lines + [line for line in blocks[at].instructions if not line.startswith("NOP")]
        for other in blocks[at].next:
            if other == entry:
                return lines
            if other in loop:
                heapq.heappush(ways, (len(lines), other, lines))
    return []


def bytes_of(line):
    word = re.match(r"(?:@!?U?P\w+ )?(LDS|STS|LDSM|STSM|LDGSTS)\b(\S*)", line)
    if not word or line.startswith("@!PT"):  # ptxas pads meetings and fences with loads of no thread
        return 0
    width = re.search(r"\.(128|64)\b", word[2])
    return 16 if word[1] in ("LDSM", "STSM") else int(width[1]) // 8 if width else 4


class Code:
    """One compiler's code of a work."""

    def __init__(self, who, ptx, sass, work, registers):
        self.blocks = other_chips.blocks_of_sass(sass)
        self.loops = loops_without_waits(self.blocks)
        self.products, self.scales = products_of_ptx(ptx), scales_of_ptx(ptx)
        self.work, self.who, self.registers = work, who, registers
        self.steps = sum(map(operations_of, self.products)) / work.operations
        self.roles = self.find_roles()

    def find_roles(self):
        """(shortest way, warps that go it, steps that it does) of the loop with the products and of those of other roles."""
        found = {}
        for loop in self.loops:
            whole = lines_of(self.blocks, loop)
            multiplies, fetches, copies, weighs = (sum(bool(re.search(mark, line)) for line in whole) for mark in MARKS)
            way = shortest(self.blocks, loop)
            role = "unit" if multiplies else "weights" if weighs else "copies" if copies else "maps" if fetches else None
            by_all = copies or weighs or any(re.search(r"\b(LDG|LDS|STS|LDTM)\b", line) for line in whole)
            alone = (multiplies or fetches) and not by_all
            steps = multiplies * self.steps / len(self.products) if multiplies else 1
            if role == "weights":
                steps = weighs * LANES * self.work.warps / (self.work.constants["BLOCK_M"] * self.work.constants["BLOCK_N"])
            cost = len(whole) / max(multiplies, 1)
            if role and way and (role not in found or cost < found[role][0]):
                found[role] = (cost, whole if alone and multiplies else way, 1 if alone else self.work.warps, steps)
        return [role[1:] for role in found.values()]

    def count(self, test):
        return sum(sum(map(test, way)) * warps / steps for way, warps, steps in self.roles)

    def step(self):
        w, per = self.work, 1 / self.steps
        copied = w.paired if any(one[0] == 2 for one in self.products) else w.copied
        unit = per * sum(operations_of(one) / RATE[one[1]] for one in self.products)
        reads = per * sum((0 if one[2] else 128 * ROW_BYTES) + one[3] // one[0] * ROW_BYTES for one in self.products) + self.scales
        threads = self.count(lambda line: 0 if "LDGSTS" in line else bytes_of(line)) * LANES
        local = sum(bool(re.search(r"\b(LDL|STL)\b", line)) for way, _, _ in self.roles for line in way)
        meetings = max((sum(bool(re.search(r"\bBAR\.", line)) for line in way) / steps for way, _, steps in self.roles), default=0)
        main = max(self.roles, key=lambda role: len(role[0]) * role[1], default=([], 0, 1))
        shapes = "; ".join(f"{sum(one[3] == n for one in self.products) * per:g} of N {n}" for n in sorted({one[3] for one in self.products}))
        shapes += " of a pair" if copied != w.copied else ""
        about = (f"{shapes}; {len(self.roles)} loops; {len(main[0]) / main[2]:.0f} instructions ({main[1]} warps), {local} spills, {meetings:g} meetings; "
                 f"epilogue {self.epilogue()}; {self.registers}")
        return Step(self.who, unit=unit, shared=(reads + threads) / SHARED, copies=copied / SHARED, port=copied / PORT,
                    exp=self.count(lambda line: "MUFU.EX2" in line) * LANES / SPECIAL, issue=self.count(lambda line: 1) / SCHEDULERS, about=about)

    def epilogue(self):
        """Instructions from the last load of sums to the end, in blocks that no innermost loop has."""
        inside = set().union(*self.loops, set())
        rest = [i for i, block in enumerate(self.blocks) if i not in inside]
        first = next((i for i in rest if any("LDTM" in line for line in self.blocks[i].instructions)), None)
        return sum(len(self.blocks[i].instructions) for i in rest if first is not None and i >= first)


# ---- chips whose warps multiply ----


class Chip:
    """Units of a multiprocessor by lines of assembly; card: multiprocessors times clock (peaks.def)."""

    def __init__(self, card, lanes, reads, issue, rates, exponential, copies, alone="$."):
        self.card, self.lanes, self.reads, self.rates, self.copies = card, lanes, reads, rates, re.compile(copies)
        self.issue, self.exponential = issue, re.compile(exponential)  # issue: clocks of the multiprocessor that a warp's instruction takes
        self.alone = re.compile(alone)  # instructions not run beside a product

    def unit(self, line, operations):
        if not operations:
            return self.issue(line) if self.alone.match(line) else 0
        return next(operations / rate for pattern, rate in self.rates if re.match(pattern, line))


def issue_of_amd(line):
    if not re.match(r"v_(?!s?mfma|s?wmma)", line):
        return 0
    return 4 if re.match(r"v_(exp|log|rcp|rsq|sqrt|sin|cos)_", line) else 1


# Products a clock of sm_120a: NVIDIA's white paper on GeForce Blackwell, sums in f32 (with block scales others measured twice as many of f8).
# gfx950: MI355X's data sheet; LDS hands out 256 bytes a clock (AMD's blog on fp8 products, 2026), and takes 128 (inferred); packed f32 and packed
# conversions do not run beside MFMA (LLVM's pull request 157968 and issue 161453).
CHIPS = {
    "sm_120a": Chip(170 * 2.407e9, 32, 128, lambda line: 1 / SCHEDULERS, [("HMMA", 512), ("QMMA", 1024), ("OMMA", 4096)],
                    r"(@!?U?P\w+ )?MUFU\.EX2", r"(@!?U?P\w+ )?(LDGSTS|UTMALDG)"),
    "gfx950": Chip(256 * 2.4e9, 64, 256, issue_of_amd, [(r"v_mfma\S*f8f6f4.*cbsz:[234].*blgp:[234]", 16384), (r"v_mfma\S*(f8f6f4|i8|fp8|bf8)", 8192),
                                                       ("v_mfma", 4096)], r"v_exp_", r"(buffer|global)_load_(lds\S*|\S+ .* lds$)",
                   r"v_pk_\w+_f32|v_cvt_(scalef32_)?pk")}


def bytes_of_amd(line):
    word = re.match(r"ds_(read|load|write|store|bpermute|permute|swizzle)(2?)\S*?_b(\d+)", line)
    return (word[1], int(word[3]) // 8 * (2 if word[2] else 1)) if word else ("", 0)


class Warps:
    """One compiler's code of a work: the loop with the fewest instructions to an operation, as all warps of the block go through it."""

    def __init__(self, who, text, work, chip, threads, registers):
        self.work, self.who, self.registers, self.amd, self.chip = work, who, registers, chip.startswith("gfx"), CHIPS[chip]
        self.blocks = amd_loops.blocks_of(text, work.name) if self.amd else other_chips.blocks_of_sass(text)
        loops = amd_loops.loops_of(self.blocks) if self.amd else loops_without_waits(self.blocks)
        ways = [(shortest(self.blocks, loop), loop) for loop in loops]
        self.copier = min((way for way, _ in ways if any("UTMALDG" in line for line in way)), key=len, default=[])
        ways = [(len(way) / sum(map(self.operations, way)), way, loop) for way, loop in ways if any(map(self.operations, way))]
        _, self.way, self.loop = min(ways, key=lambda one: one[0])
        self.warps = work.warps if self.copier else threads // self.chip.lanes
        self.times = self.warps / (self.total(self.operations) * self.warps / work.operations)  # of a line of the way in a step

    def operations(self, line):
        if self.amd:
            return amd_loops.matrix_flops(line) if amd_loops.kind_of(line) == "matrix" else 0
        return 2 * other_chips.products_of_sass(line)

    def total(self, weight):
        return sum(map(weight, self.way))

    def shared(self, line):
        """Clocks of shared memory."""
        if self.amd:
            word, width = bytes_of_amd(line)
            return width * self.chip.lanes / (self.chip.reads if word in ("read", "load") else SHARED)
        return (0 if "LDGSTS" in line else bytes_of(line)) * self.chip.lanes / SHARED

    def epilogue(self):
        """Instructions from the loop to the end, or back to the loop: with those that begin a block's next tile."""
        behind, found = [to for i in self.loop for to in self.blocks[i].next], set()
        while behind:
            at = behind.pop()
            if at not in found and at not in self.loop:
                found.add(at)
                behind += self.blocks[at].next
        return sum(len(self.blocks[i].instructions) for i in found)

    def step(self):
        steps = self.warps / self.times
        copied = any(self.chip.copies.match(line) for line in self.way + self.copier)
        found = [line.split()[0] for line in self.way if self.operations(line)]
        shapes = ", ".join(f"{found.count(name) / steps:g} {name}" for name in sorted(set(found)))
        spills = self.total(lambda line: bool(re.search(r"\b(LDL|STL)\b|^scratch_", line)))
        meetings = self.total(lambda line: bool(re.search(r"\bBAR\.|^s_barrier", line))) / steps
        about = (f"{shapes}; {'a warp copies' if self.copier else 'copies' if copied else 'through registers'}; {len(self.way) / steps:.0f} instructions ({self.warps} warps), {spills} spills, "
                 f"{meetings:g} meetings; epilogue {self.epilogue()}; {self.registers}")
        return Step(self.who, unit=self.times * self.total(lambda line: self.chip.unit(line, self.operations(line))),
                    shared=self.times * self.total(self.shared), copies=self.work.copied / SHARED if copied else 0, port=self.work.copied / PORT,
                    exp=self.times * self.total(lambda line: bool(self.chip.exponential.match(line))) * self.chip.lanes / SPECIAL,
                    issue=self.times * self.total(self.chip.issue) + sum(map(self.chip.issue, self.copier)), about=about)


# ---- the compilers ----


def assembled(options, ptx, folder, name):
    path, cubin = os.path.join(folder, name + ".ptx"), os.path.join(folder, name + ".cubin")
    with open(path, "w") as file:
        file.write(ptx)
    run = subprocess.run([options.ptxas, "-v", "-arch=" + options.chip, path, "-o", cubin], capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError("ptxas: " + run.stderr.strip().splitlines()[0][-140:])
    used, stack = re.search(r"Used (\d+) registers", run.stderr), re.search(r"(\d+) bytes stack", run.stderr)
    sass = subprocess.run([options.nvdisasm, "-c", cubin], capture_output=True, text=True, check=True).stdout
    return sass, f"{used[1]} registers, stack {stack[1]}"


def source_of(work, folder):
    if work.path:
        return os.path.join(check_triton.TOP, work.path)
    path = os.path.join(folder, "scaled.py")
    group = next(group for kind, group in GROUPS.items() if work.title.startswith(kind))
    with open(path, "w") as file:
        file.write(SCALED if group == 16 else SCALED.replace("// 16", f"// {group}").replace("*fp8e4nv", "*u8"))
    return path


def by_tkc(options, work, folder, pairs=False):
    path, function = source_of(work, folder), function_of(work, folder)
    out = os.path.join(folder, "tkc.ptx" if options.chip.startswith("sm_") else "tkc.s")
    if pairs:  # rows for full pairs of tiles
        with open(path) as file:
            text = re.sub(r'\b(M|length): "i32"', r'\1: "i32:256"', file.read())
        path = os.path.join(folder, "pairs.py")
        with open(path, "w") as file:
            file.write(text)
        function = function_in(path, work)
    command = [options.tkc, path, "-n", work.name, "-t", options.chip, "-w", str(work.warps), "-ns", str(work.stages), "--no-header", "--no-json", "-o", out]
    command += [f"-D{name}={value}" for name, value in work.constants.items()]
    if work.retyped:
        command += ["-s", amd_loops.tkc_signature(function, work.retyped) + ", " + ", ".join(map(str, work.constants.values()))]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(next((line for line in run.stderr.splitlines() if "error: " in line), "no error")[-200:])
    with open(out) as file:
        return file.read()


def function_of(work, folder):
    return function_in(source_of(work, folder), work)


def function_in(path, work):
    function = getattr(check_triton.load_module(path), work.name)
    return function.fn if hasattr(function, "configs") else function


def by_triton(options, work, folder):
    function = function_of(work, folder)
    config = type("Config", (), {"kwargs": work.constants})()
    constants = dict(work.constants, **({"SLACK": 0} if "SLACK" in work.constants else {}))
    signature, constexprs, attributes = check_triton.describe(function, config, constants)
    pointers = [(index, name) for index, (name, kind) in enumerate(signature.items()) if kind.startswith("*")]
    for (_, name), kind in zip(pointers, work.retyped):
        signature[name] = "*" + kind
    for index, _ in pointers:  # as Triton's JIT finds of arrays below 2 GiB: then it copies to LDS past the registers
        if options.chip.startswith("gfx"):
            attributes[(index,)] = [*attributes.get((index,), []), ["tt.pointer_range", 32]]
    return triton_code(options, function, signature, constexprs, attributes, work.warps, work.stages)


def by_descriptors(options):
    _, constants, warps, stages = DESCRIPTORS
    function = check_triton.load_module(os.path.join(HERE, "descriptor_products.py")).descriptor_products
    signature = {name: "constexpr" if name in constants else "*fp16" if len(name) == 1 and name.islower() else "i32" for name in function.arg_names}
    attributes = {(i,): [["tt.divisibility", 16]] for i in range(6)}
    return triton_code(options, function, signature, constants, attributes, warps, stages)


def triton_code(options, function, signature, constants, attributes, warps, stages):
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    import triton

    source = ASTSource(fn=function, signature=signature, constexprs=constants, attrs=attributes)
    amd = options.chip.startswith("gfx")
    target = GPUTarget("hip", options.chip, CHIPS[options.chip].lanes) if amd else GPUTarget("cuda", int(options.chip[3:-1]), LANES)
    return triton.compile(source, target=target, options={"num_warps": warps, "num_stages": stages}).asm["amdgcn" if amd else "ptx"]


def row_of(options, work, who, compiled, folder):
    try:
        code = compiled()
        if options.chip.startswith("gfx"):
            fact = {key: amd_loops.Loop.metadata(code, key) for key in ("vgpr_count", "private_segment_fixed_size", "max_flat_workgroup_size")}
            registers = f"{fact['vgpr_count']} registers, stack {fact['private_segment_fixed_size']}"
            return Warps(who, code, work, options.chip, fact["max_flat_workgroup_size"], registers).step().row(work.operations, CHIPS[options.chip].card)
        sass, registers = assembled(options, code, folder, who.split()[0] + str(len(who)))
        if options.chip in CHIPS:
            threads = math.prod(map(int, re.search(r"\.(?:reqntid|maxntid) (\d+)(?:, (\d+), (\d+))?", code).groups("1")))
            return Warps(who, sass, work, options.chip, threads, registers).step().row(work.operations, CHIPS[options.chip].card)
        return Code(who, code, sass, work, registers).step().row(work.operations)
    except Exception as error:  # a work refused by a compiler is a row without figures
        return f"{who} | {type(error).__name__}: {' '.join(str(error).split())[-160:]} | | | | | |"


def launch_time(tiles, blocks, held, until, takes):
    """Times of a tile until all are done: `held` of the blocks begin at `until`. With `takes` the block that is free does the next tile."""
    free = [until if block < held else 0 for block in range(blocks)]
    if not takes:  # block b does tiles b, b + blocks, …
        return max(free[block] + len(range(block, tiles, blocks)) for block in range(blocks))
    heapq.heapify(free)
    for _ in range(tiles):
        heapq.heapreplace(free, free[0] + 1)
    return max(free)


def print_launches():
    print("\n| blocks that another kernel holds | until | fixed share | launch control | of pairs | launch control |\n|---|---|---|---|---|---|")
    for held, until in ((0, 0), (16, 4), (16, 14), (74, 7), (132, 14)):
        times = [launch_time(tiles, blocks, count, until, takes)
                 for tiles, blocks, count in ((2048, 148, held), (1024, 74, held // 2)) for takes in (False, True)]
        print(f"| {held} of 148 | {until} | {' | '.join(str(time) for time in times)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tkc", default="build/bin/tkc")
    parser.add_argument("--chip", default="sm_100a", choices=WORKS)
    parser.add_argument("--only", default="", help="works whose title has this in it")
    parser.add_argument("--keep", metavar="FOLDER", help="leave PTX and cubins there")
    parser.add_argument("--ptxas", default=shutil.which("ptxas") or "ptxas")
    parser.add_argument("--nvdisasm", default=shutil.which("nvdisasm") or "nvdisasm")
    options = parser.parse_args()
    try:
        import triton
    except ImportError:
        print("cycles: skipped: the Python package triton is not installed")
        return SKIPPED
    print(f"Triton {triton.__version__}; clocks of a step on a multiprocessor, and TFLOP/s of the card by the bound, without and with copies.\n\n"
          "| work | of | code | unit | shared + copies | L2 | exp | issue | bound |\n|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        for number, work in enumerate(one for one in WORKS[options.chip] if options.only in one.title):
            folder = os.path.join(options.keep or scratch, str(number))
            os.makedirs(folder, exist_ok=True)
            compilers = [("tkc", lambda: by_tkc(options, work, folder)), ("tkc, pairs", lambda: by_tkc(options, work, folder, True)),
                         ("Triton", lambda: by_triton(options, work, folder))]
            if work.constants.get("CAUSAL") or options.chip in CHIPS:
                del compilers[1]  # steps differ between programs; no pairs
            if work.title.startswith(DESCRIPTORS[0] + ","):
                compilers.append(("Triton, descriptors and roles", lambda: by_descriptors(options)))
            for who, compiled in compilers:
                print(f"| {work.title} | {row_of(options, work, who, compiled, folder)} |", flush=True)
            for title, library in LIBRARIES.items():
                if work.title.startswith(title + ",") and options.chip not in CHIPS:
                    print(f"| {work.title} | {library.row(work.operations)} |", flush=True)
    if options.chip not in CHIPS:
        print_launches()
    return 0


if __name__ == "__main__":
    sys.exit(main())
