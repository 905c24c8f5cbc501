#!/usr/bin/env python3
"""Remarks and warnings: a table of kernels, and what --remarks and -Wslow say of each.

    check_remarks.py TKC SOURCE_FOLDER FOLDER
"""
import glob
import os
import re
import subprocess
import sys

from remark_kernels import AGAIN, BANKS, CHAINS, COUNTING, HEAD, MASKED, PRODUCT, ROWS, SHORT, SUMS, WEIGHTS, replaced

# The six ways in which hints are missing: the parameter, and the chips on which it costs something.
ALL = "sm_80 sm_90a gfx942 gfx1100"
MISSING = [
    ("pointer", 'a: "*fp16:16"', 'a: "*fp16"', "a", '*fp16:16', ALL),
    ("row stride", 'sam: "i32:16"', 'sam: "i32"', "sam", 'i32:16', ALL),
    ("column stride", 'sak: "i32:1"', 'sak: "i32"', "sak", 'i32:1', ALL),
    ("K", 'K: "i32:16"', 'K: "i32"', "K", 'i32:16', "sm_80 gfx942 gfx1100"),
    ("N", 'N: "i32:16"', 'N: "i32"', "N", 'i32:16', "sm_80 gfx942 gfx1100"),
    ("scalar offset", 'offset: "i32:16"', 'offset: "i32"', "offset", 'i32:16', ALL),
]

STORED = "acc.to(tl.float16)"


def late(sums):
    return [(STORED, "tl.sigmoid(%s).to(tl.float16)" % sums)]


WIDE = [("BN: tl.constexpr = 128", "BN: tl.constexpr = 256")]
NARROWED = "acc.to(tl.float16).to(tl.float32)"
# name, source, replacements, chip, options, kind, text
REMARKS = [
    ("results beside", PRODUCT, late(NARROWED) + WIDE, "sm_90a", ["-w", "8"], "epilogue",
     "what it stores is computed beside the next tile's products: 64 KiB of shared memory hold the sums"),
    ("few sums", PRODUCT, late(NARROWED), "sm_90a", ["-w", "8"], "epilogue",
     "its tile is too small to gain by it (16384 sums, more than 16384 are needed); use tiles of 128 x 256"),
    ("wide sums", PRODUCT, late("acc"), "sm_90a", ["-w", "8"], "epilogue",
     "what it stores is computed while the matrix units wait: the loop at 17:5: its sums are not narrowed to 16 bits before other values are "
     "computed with them (32 bits); narrow them first, as by .to(tl.float16), if that rounding may be"),
    ("sums of many warps", PRODUCT, late(NARROWED) + WIDE, "sm_90a", ["-w", "16"], "epilogue", "its tile has not 16 rows for each warp and 64 to 256 columns (128 x 256)"),
    ("no room for sums", PRODUCT, late(NARROWED) + [("BN: tl.constexpr = 128, BK: tl.constexpr = 32", "BN: tl.constexpr = 256, BK: tl.constexpr = 128")], "sm_90a", ["-w", "8"],
     "epilogue", "shared memory has no room for the sums beside three slots (65536 B of sums"),
    ("two results", PRODUCT, late(NARROWED) + [("    tl.store(c", "    tl.store(a + offset, 1.0)\n    tl.store(c")], "sm_90a", ["-w", "8"], "epilogue",
     "the store at 23:5: it writes memory, or orders it, beside the store of the results"),
    ("a narrow load", PRODUCT, [('sam: "i32:16"', 'sam: "i32"')], "sm_80", [], "access",
     'k.tk:18:13: remark: k on sm_80: loads of `a` in a loop are 2 bytes wide, not 16 (asynchronous copies move 4 at least): '
     '`sam` is not known to be a multiple of 16; annotate `sam: "i32:16"` [access]'),
    ("a narrow store", PRODUCT, [('scm: "i32:16"', 'scm: "i32"')], "sm_80", [], "access", "stores to `c` are 2 bytes wide, not 16: `scm`"),
    ("loaded rows of single elements", ROWS, [("x + columns", "x + tl.load(y.to(tl.pointer_type(tl.int32)) + columns)")], "sm_80", [],
     "access", "tl.multiple_of and tl.max_contiguous say"),
    ("pipelined", PRODUCT, [], "sm_80", ["-ns", "4"], "pipeline", "the loop is pipelined: 4 stages"),
    # As the emulator counts them: tkc-run --stats has 4 x 256 wavefronts beyond the ideal in a step, of 4 warps.
    ("bank conflicts", BANKS, [], "gfx942", [], "bank-conflicts",
     "k on gfx942: the read of shared memory takes 192 wavefronts more of a warp than its bytes need, in each step of a loop: threads meet in "
     "its 32 banks"),
    ("bank conflicts of one side", BANKS, [], "gfx942", [], "bank-conflicts", "takes 64 wavefronts more of a warp"),
    ("fewer stages", PRODUCT, [], "sm_80", ["-ns", "16"], "pipeline",
     "the loop is pipelined: 10 stages; fewer than the 16 stages, for a block has no room for more (16384 bytes a stage)"),
    ("one stage", PRODUCT, [], "sm_80", ["-ns", "1"], "pipeline", "not pipelined: num_stages is 1; give --num-stages 2 or more"),
    ("no copies", PRODUCT, [('sam: "i32:16"', 'sam: "i32"'), ('sbk: "i32:16"', 'sbk: "i32"')], "sm_80", [], "pipeline",
     "not pipelined: the load at 19:13: cp.async does not move it, and threads have no registers for it on the way (2 B at a time, and "
     "cp.async moves 4, 8 or 16)"),
    ("copies past the registers", WEIGHTS, [], "gfx950", [], "lds-copy", "k.tk:10:5: remark: k on gfx950: the loop's tiles are copied to LDS past the registers"),
    ("copies of masked rows", PRODUCT, [], "gfx950", [], "lds-copy",
     "k.tk:17:5: remark: k on gfx950: its loads go through registers to LDS: the load at 18:13: its mask may leave out elements, and a copy to "
     "LDS moves all; let rows that are left out repeat rows that exist, by a remainder, and mask the store"),
    ("a store in the loop", PRODUCT, [("        ap += BK * sak\n", "        ap += BK * sak\n        tl.store(a + k, 0.0)\n        tl.store(b + k, 0.0)\n")], "sm_80", [],
     "pipeline", "the store at 23:9: it may write, or make visible, what the loop's loads read; store behind the loop"),
    ("no room", PRODUCT, [("BK: tl.constexpr = 32", "BK: tl.constexpr = 256")], "sm_75", ["-w", "8"], "pipeline",
     "shared memory has no room for its stages (131072 B at least)"),
    ("specialised", PRODUCT, [], "sm_90a", [], "specialise",
     "9 slots, filled by a warp of their own; more than the 3 stages, until about 144 KiB of copies are under way on a multiprocessor (16384 bytes a slot)"),
    ("specialised, without room", PRODUCT, [], "sm_90a", ["-D", "BK=128", "-ns", "6"], "specialise",
     "3 slots, filled by a warp of their own; fewer than the 6 stages, for a block has no room for more (65536 bytes a slot)"),
    ("products one after the other", WEIGHTS, [], "sm_90a", [], "specialise",
     "k.tk:12:17: remark: k on sm_90a: no product runs beside the arithmetic between the two: that takes 328 registers of a thread, of 240; use "
     "more warps or smaller tiles"),
    ("a tensor map", PRODUCT, [], "sm_90a", [], "tensor-map", "k.tk:18:13: remark: k on sm_90a: a tensor map moves it (TMA)"),
    ("rows shifted within pieces", PRODUCT, [("x = tl.load(ap, mask=(rm[:, None] < M) & (rk[None, :] < K - k)",
                                              "x = tl.load(ap, mask=((rm % M - 1 >= 0) & (rm % M - 1 < M))[:, None]")],
     "sm_90a", [], "tensor-map", 'k.tk:18:13: remark: k on sm_90a: threads of the warps that copy bring its rows (cp.async): a tensor map would, in '
     'up to 16 runs that lie in one piece each, but runs of 1 are known; hint the size'),
    ("… of a known size", PRODUCT, [("x = tl.load(ap, mask=(rm[:, None] < M) & (rk[None, :] < K - k)",
                                     "x = tl.load(ap, mask=((rm % M - 1 >= 0) & (rm % M - 1 < M))[:, None]"), ('M: "i32"', 'M: "i32:16"')],
     "sm_90a", [], "tensor-map", "k.tk:18:13: remark: k on sm_90a: a tensor map moves it (TMA)"),
    ("a stride forbids it", PRODUCT, [('sam: "i32:16"', 'sam: "i32"')], "sm_90a", [], "specialise",
     'the load at 18:13: a stride is not known to be a multiple of 16 bytes (a multiple of 2 B is known): `sam` is not known to be a '
     'multiple of 16; annotate `sam: "i32:16"`'),
    ("a pointer forbids it", PRODUCT, [('b: "*fp16:16"', 'b: "*fp16"')], "sm_90a", [], "specialise",
     'annotate `b: "*fp16:16"`'),
    ("a bound forbids the store's", PRODUCT, [('N: "i32:16"', 'N: "i32"')], "sm_90a", [], "tensor-map",
     '`N` is not known to be a multiple of 16; annotate `N: "i32:16"`'),
    ("bounds of 64 bits", PRODUCT, [("    ap = a + offset + rm[:", "    far = tl.load(c.to(tl.pointer_type(tl.int64)))\n    ap = a + (rm + far)[:"),
                                    ("x = tl.load(ap, mask=(rm[:, None] < M) & (rk[None, :] < K - k)", "x = tl.load(ap, mask=(rm + far)[:, None] < M * N"),
                                    ("bp = b + rk[:", "bp = b + (rk + far)[:"),
                                    ("y = tl.load(bp, mask=(rk[:, None] < K - k) & (rn[None, :] < N)", "y = tl.load(bp, mask=(rk + far)[:, None] < M * N - k")],
     "sm_90a", [], "specialise", "the load at 19:13: an index may need more than 32 bits; use bounds and offsets of 32 bits, as by .to(tl.int32)"),
    ("in a while loop", PRODUCT, [("    acc = tl.zeros", "    acc = tl.zeros((BM, BN), tl.float32)\n    while tl.atomic_add(c.to(tl.pointer_type(tl.int32)), 1) < M:\n     acc = tl.zeros"),
                                  ("    for k", "     for k"), ("        x =", "         x ="), ("        y =", "         y ="),
                                  ("        acc =", "         acc ="), ("        ap +=", "         ap +="), ("        bp +=", "         bp +=")],
     "sm_90a", [], "specialise", "the while loop at 17:5: a bound or condition of it is not computed from arguments, program ids and loaded scalars alone"),
    ("2 warps", PRODUCT, [], "sm_90a", ["-w", "2"], "specialise", "the number of warps is not 4, 8, 12 or 16 (2); give --num-warps"),
    ("no warpgroup", PRODUCT, [("BM: tl.constexpr = 128", "BM: tl.constexpr = 32")], "sm_90a", [], "matrix",
     "the dot does not run on warpgroups (wgmma)"),
    ("no matrix instruction", PRODUCT, [], "gfx1030", [], "multiply-adds",
     "the dot is done by multiply-adds: gfx1030 has no matrix instruction (128 x 128 x 32, operands of 16 bits)"),
    ("all bits of f32", PRODUCT, [('a: "*fp16:16"', 'a: "*fp32:16"'), ('b: "*fp16:16"', 'b: "*fp32:16"'),
                                  ("tl.dot(x, y, acc)", 'tl.dot(x, y, acc, input_precision="ieee")')], "sm_90a", [], "multiply-adds",
     'sm_90a has no matrix instruction for all bits of f32 (128 x 128 x 32, operands of 32 bits); give input_precision="tf32", or "tf32x3"'),
    ("a conversion", PRODUCT, [("acc = tl.dot(x, y, acc)", "acc = tl.dot(x, y, acc)\n        acc += tl.sum(acc, 1)[None, :]")], "sm_80",
     [], "conversion", "B of shared memory in each step of a loop"),
    ("grouped", PRODUCT, [], "sm_80", [], "grouped-pid", "program ids are grouped by 8 rows of tiles"),
    ("not grouped", ROWS, [], "sm_80", [], "grouped-pid", "program ids are not grouped: "),
    ("a pair", PRODUCT, [('M: "i32"', 'M: "i32:256"'), ("a + offset + rm", "a + rm")], "sm_100a", ["-w", "8"], "pairs",
     "two blocks multiply together, 256 rows by 128 columns, and each copies half of the right operand"),
    ("a pair that is asked for", PRODUCT, [("a + offset + rm", "a + rm")], "sm_100a", ["-w", "8", "--num-ctas", "2"], "pairs", "two blocks multiply together, 256 rows by 128 columns"),
    ("no pair", PRODUCT, [("a + offset + rm", "a + rm")], "sm_100a", ["-w", "8"], "pairs", "(a multiple of 1 is known, and 256 is needed): `M` is not known"),
    ("places of blocks", PRODUCT, [], "sm_100a", ["-w", "8"], "launch-control", "a block that is done takes the place of a block that has not begun"),
    ("places of pairs", PRODUCT, [('M: "i32"', 'M: "i32:256"'), ("a + offset + rm", "a + rm")], "sm_100a", ["-w", "8"], "launch-control", "takes the place of a pair of blocks that has not begun"),
    ("programs by a counter", PRODUCT, [("range(0, K, BK)", "range(0, tl.load(a.to(tl.pointer_type(tl.int32)) + pm), BK)")], "sm_90a", ["-w", "8"], "launch-control",
     "a block that is done takes the next program by a counter"),
    ("a fixed share", PRODUCT, [("range(0, K, BK)", "range(0, K + pm * BK, BK)")], "sm_100a", ["-w", "8"], "launch-control",
     "each block keeps a fixed share of the programs: "),
    ("packed rows", SHORT, [], "sm_90a", [], "rows", "16 programs of rows of 128 elements are done at once, by 4 warps"),
    ("long rows", SHORT, [("= 128", "= 4096")], "sm_90a", [], "rows",
     "a block does one row, not several short ones: the kernel at 6:5: its rows are too long for one warp (4096 elements, 1024 at most)"),
    ("rows read again", AGAIN, [], "sm_80", [], "rows", "k.tk:10:5: remark: k on sm_80: the loop begins at the end of what the loop before it has read"),
    ("a while loop", COUNTING, [], "sm_80", [], "loop",
     "the while loop does not become a for loop: the while loop at 9:5: its counter does not step once an iteration, by a number that stays the same; step it"),
    ("a sum", SUMS, [], "sm_80", [], "sums", "the sum is combined over threads in each step: the reduction at 9:18: what it adds up may be negative"),
    ("whole steps", MASKED, [], "sm_90a", [], "whole-steps", "the loop is split: steps in which no score is masked run first, without the mask"),
    ("no whole steps", MASKED, [(">= (s + j)", "!= (s + j)")], "sm_90a", [], "whole-steps",
     "the loop is not split into steps with masked scores and steps without: tl.where at 12:18: its condition is more than comparisons of indices, arguments and counters"),
    ("scores where the mask does not hold", MASKED, [("tl.where(i[:, None] >= (s + j)[None, :], tl.dot(x, z), -1.0)",
                                                      "tl.where(i[:, None] < (s + j)[None, :], -1.0, tl.dot(x, z))")], "sm_90a", [], "whole-steps",
     "tl.where at 12:18: scores are its value where the mask does not hold; turn the comparison round"),
    ("its own split", MASKED, [("range(0, n", "range(first, n")], "sm_90a", [], "whole-steps",
     "and steps without: it begins at a computed step (the source may have split it itself); begin at a constant"),
    ("more warps", PRODUCT, [("BM: tl.constexpr = 128", "BM: tl.constexpr = 256"), ("BN: tl.constexpr = 128", "BN: tl.constexpr = 256")],
     "gfx1100", ["-w", "4"], "configuration", "warps instead of the 4 that were asked for"),
    ("warps that copy", PRODUCT, [], "sm_90a", [], "configuration", "4 warps and 4 extra that only copy (by one thread of them), 3 stages; persistent: 1 block a multiprocessor, each doing"),
    ("a chip in part", PRODUCT, [], "sm_90", [], "configuration", "4 warps and 1 extra that only copy (by one thread of them), 3 stages; persistent: 2 blocks "
     "a multiprocessor, each doing one program after another; for the chip's own matrix instructions compile for sm_90a instead"),
    ("a chip in part, without roles", PRODUCT, [], "sm_100", [], "configuration",
     "4 warps, 3 stages; for the chip's own matrix instructions and tensor copies compile for sm_100a instead"),
    ("warps and stages", ROWS, [], "sm_80", ["-w", "8", "-ns", "2"], "configuration", "8 warps, 2 stages"),
    ("registers", PRODUCT, [], "gfx942", [], "spills", "nothing spills: "),
    ("steps that become one kernel", CHAINS, [], "sm_80", [], "chain",
     "k.tk:25:14: remark: pair: double, double are one kernel, pair_steps_1_to_2; in registers: t [chain]"),
    ("steps that stay apart", CHAINS, [], "sm_80", [], "chain",
     "pair: a launch ends between double and shift, and what they hand on goes through memory: the load at 14:22: it loads elements that "
     "are not known to be those that the same program has stored"),
    ("steps that only share an input", CHAINS, [("double(x, t); double(t, u); shift(u, y)", "double(x, u); shift(x, y) -> u, y"),
                                                ("    tl.store(y + at, tl.load(x + at + 1", "    tl.debug_barrier()\n    tl.store(y + at, tl.load(x + at + 1")],
     "sm_80", [], "chain", "pair: a launch ends between double and shift: "),
]

failed = []


def check(condition, *message):
    if not condition:
        failed.append(message)
        print("failed:", *message, file=sys.stderr)


def compile_(source, chip, *options):
    with open("k.tk", "w", encoding="utf-8") as file:
        file.write(HEAD + source)
    kind = "hsaco" if chip.startswith("gfx") else "ptx"
    done = subprocess.run([TKC, "k.tk", "--target", chip, "-o", "k." + kind, *options], capture_output=True, text=True, timeout=100)
    return done.returncode, done.stderr


# Without it the number of warps is searched in machine code, hundreds of times as long as the passes; they do the same for any.
AS_ASKED = "--opt-level=0"


# The same up to the last pass with a remark: enough for most rows.
def pass_over(source, chip, *options):
    with open("k.tk", "w", encoding="utf-8") as file:
        file.write(HEAD + source)
    done = subprocess.run([TKC, "k.tk", "--target", chip, "--stop-after=costly_ops", AS_ASKED, "-o", "k.mlir", *options],
                          capture_output=True, text=True, timeout=100)
    return done.returncode, done.stderr


def warnings(text):
    return [line for line in text.splitlines() if ": warning: " in line]


def check_missing():
    for chip in ALL.split():
        _, text = pass_over(PRODUCT, chip)
        check(not warnings(text), "a product with all hints", chip, text)
    for way, old, new, parameter, annotation, chips in MISSING:
        for chip in ALL.split():
            status, text = pass_over(replaced(PRODUCT, [(old, new)]), chip)
            wanted = f'annotate `{parameter}: "{annotation}"` [-Wslow]'
            found = warnings(text)
            check(status == 0 and len(found) == (chip in chips.split()), way, chip, "warnings:", found)
            check(not found or (found[0].startswith("k.tk:") and found[0].endswith(wanted)), way, chip, found, "not", wanted)


# Several missing hints, kernels and configurations: one warning a kernel.
def check_slow():
    bare = re.sub(r'(M|N|K|sam|sak|sbk|scm|offset): "[^"]*"', r'\1: "i32"', PRODUCT)
    _, text = compile_(bare, "sm_80")
    found = warnings(text)
    check(len(found) == 1 and all(f'`{p}: "i32:16"`' in found[0] for p in ("K", "sam", "sbk", "N", "offset")) and '`sak: "i32:1"`' in found[0],
          "all hints missing", text)
    tuned = ('@triton.autotune(configs=[triton.Config({"BM": 128}, num_warps=4), triton.Config({"BM": 64}, num_warps=4)], key=[])\n@triton.jit\n'
             + bare.replace("BM: tl.constexpr = 128", "BM: tl.constexpr"))
    with open("k.tk", "w", encoding="utf-8") as file:
        file.write(HEAD.replace("@triton.jit\n", "") + tuned + '\n\nk.grid = lambda meta: (1,)\n')
    done = subprocess.run([TKC, "k.tk", "-t", "sm_80,sm_90a", "-o", "k.ptx"], capture_output=True, text=True, timeout=100)
    check(len(warnings(done.stderr)) == 1, "configurations and chips", done.stderr)
    # One remark of both configurations in text, and each by itself as data.
    done = subprocess.run([TKC, "k.tk", "-t", "sm_80", "-o", "k.ptx", "--remarks=access|config", "-Wno-slow"], capture_output=True, text=True, timeout=100)
    check(done.stderr.count("remark: configurations 0, 1 of k on sm_80: loads of `a` in a loop") == 1 and "remark: k_BM" not in done.stderr
          and done.stderr.count("configurations 0, 1 of k on sm_80: 4 warps, 3 stages") == 1, "remarks of configurations", done.stderr)
    done = subprocess.run([TKC, "k.tk", "-t", "sm_80", "-o", "k.ptx", "--remarks=config", "-Wno-slow", "--diagnostics-format=json"],
                          capture_output=True, text=True, timeout=100)
    told = done.stdout + done.stderr
    check("k_BM_128_warps_4_stages_3 on sm_80: 4 warps" in told and "k_BM_64_warps_4_stages_3 on sm_80: 4 warps" in told, "remarks as data", told)
    # A kernel without products whose rows have any length is not warned of; a stride alone is.
    _, text = compile_(ROWS, "sm_80")
    check(len(warnings(text)) == 1 and '`stride: "i32:16"`' in text, "rows with a stride", text)
    _, text = compile_(ROWS.replace('n: "i32:16"', 'n: "i32"'), "sm_80")
    check(not warnings(text), "rows of any length", text)


def check_choices():
    slow = replaced(PRODUCT, [('sam: "i32:16"', 'sam: "i32"')])
    for options, status, expected, there in [
            (["-Wno-slow"], 0, "slow", False),
            (["-Wno-slow", "-Wslow"], 0, "[-Wslow]", True),
            (["-Werror"], 1, "k.tk:18:13: error: k: loads of `a`", True),
            (["-Werror"], 1, "[-Werror=slow]", True),
            (["-Werror=slow"], 1, "[-Werror=slow]", True),
            (["-Werror=spills"], 0, "[-Wslow]", True),
            (["-Werror", "-Wno-error=slow"], 0, "[-Wslow]", True),
            (["-Werror", "-Wno-slow"], 0, "slow", False),
            (["-Wquick"], 2, "there is no such warning; --print-warnings lists them", True),
            (["-Werror=quick"], 2, "there is no such warning", True),
            (["--remarks=["], 2, "is no regular expression", True),
            (["--remarks=grouped|sums"], 0, "[grouped-pid]", True),
            (["--remarks=grouped|sums"], 0, "[pipeline]", False)]:
        if os.path.exists("k.ptx"):
            os.remove("k.ptx")
        got, text = compile_(slow, "sm_80", *options)
        check(got == status and (expected in text) == there, options, "status", got, text)
        check((status == 0) == os.path.exists("k.ptx"), options, "writes" if status else "writes nothing")
    _, text = compile_("def k(x: \"*fp32\"):\n    tl.store(x, 1.0)\n\n\ndef odd():\n    yield from lambda: (\n", "sm_80", "-Wno-unparsed")
    check("[-Wunparsed]" not in text, "-Wno-unparsed", text)


def check_remarks():
    _, text = subprocess.getstatusoutput(f"{TKC} --print-remarks")
    kinds = [line.split()[0] for line in text.splitlines()]
    check(set(kinds) == {row[5] for row in REMARKS}, "a row for each kind", set(kinds) ^ {row[5] for row in REMARKS})
    twice = set()
    for name, source, pairs, chip, options, kind, expected in REMARKS:
        run = compile_ if kind in ("spills", "configuration", "launch-control") else pass_over
        status, text = run(replaced(source, pairs), chip, f"--remarks=^{kind}$", *options)
        found = [line for line in text.splitlines() if ": remark: " in line]
        check(status == 0 and any(expected in line for line in found), name, "says", text, "not", expected)
        check(all(line.endswith(f" [{kind}]") and re.match(r"k\.tk:\d+:\d+: ", line) for line in found), name, "is all of", kind, found)
        if kind not in twice:
            twice.add(kind)
            check(run(replaced(source, pairs), chip, f"--remarks=^{kind}$", *options)[1] == text, name, "is the same twice")
    _, text = compile_(PRODUCT, "sm_80")
    check("remark" not in text, "no remark without --remarks", text)


# No example lacks a hint, in any configuration.
def check_examples(source):
    for path in sorted(glob.glob(source + "/examples/*.tk")):
        for chip in ALL.split():
            for config in range(100):
                done = subprocess.run([TKC, path, "-v", "--config", str(config), "--target", chip, "--stop-after=access_widths", AS_ASKED,
                                       "-o", "e.mlir"], capture_output=True, text=True, timeout=100)
                if done.returncode != 0:
                    check(config > 0 and "configuration" in done.stderr, path, chip, done.stderr)
                    break
                check(not warnings(done.stderr), path, chip, config, done.stderr)
                if "configuration" not in done.stderr: # there is one
                    break


def main():
    os.makedirs(sys.argv[3], exist_ok=True)
    os.chdir(sys.argv[3])
    check_missing()
    check_slow()
    check_choices()
    check_remarks()
    check_examples(sys.argv[2])
    print(f"{len(REMARKS)} remarks, {len(MISSING)} missing hints: {len(failed)} failed")
    return bool(failed)


TKC = os.path.abspath(sys.argv[1])
if __name__ == "__main__":
    sys.exit(main())
