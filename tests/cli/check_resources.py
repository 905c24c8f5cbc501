#!/usr/bin/env python3
"""--resource-usage and the gates: figures of a kernel that spills and of one that does not, with ptxas, without it, and on AMD.

    check_resources.py TKC FOLDER
"""
import json
import os
import re
import shutil
import stat
import subprocess
import sys

# Rows of 2-byte loads: 255 registers and spills on sm_80. The same with hints does not spill.
SOURCE = '''import triton
import triton.language as tl


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    tn = tl.cdiv(N, BN)
    rm = tl.program_id(0) // tn * BM + tl.arange(0, BM)
    rn = tl.program_id(0) % tn * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    ap = a + rm[:, None] * K + rk[None, :]
    bp = b + rk[:, None] * N + rn[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        x = tl.load(ap, mask=rk[None, :] < K - k, other=0.0)
        y = tl.load(bp, mask=rk[:, None] < K - k, other=0.0)
        acc = tl.dot(x, y, acc)
        ap += BK
        bp += BK * N
    tl.store(c + rm[:, None] * N + rn[None, :], acc.to(tl.float16), mask=(rm[:, None] < M) & (rn[None, :] < N))
'''
NARROW = "*fp16:16, *fp16:16, *fp16:16, i32, i32, i32, 128, 128, 32"
WIDE = "*fp16:16, *fp16:16, *fp16:16, i32, i32:16, i32:16, 128, 128, 32"

# An assembler with known words.
PTXAS = '''#!/bin/sh
[ "$1" = --version ] && echo "Cuda compilation tools, release 99.1, V99.1.2" && exit
for word; do
    [ "$word" != -v ] || echo "ptxas info    : Compiling entry function 'matmul' for 'sm_80'
ptxas info    : Function properties for matmul
    %d bytes stack frame, %d bytes spill stores, %d bytes spill loads
ptxas info    : Used %d registers, used 1 barriers, 400 bytes cmem[0]"
    case "$last" in -o) printf 'cubin' >"$word" ;; esac
    last=$word
done
'''

failed = []


def check(condition, *message):
    if not condition:
        failed.append(message)
        print("failed:", *message, file=sys.stderr)


def compile_(output, signature, *options):
    for name in os.listdir("."):
        if name.startswith("k.") and name != "k.tk":
            os.remove(name)
    done = subprocess.run([TKC, "k.tk", "-s", signature, "-g", "cdiv(M, BM) * cdiv(N, BN)", "-o", output, "-Wno-slow", *options],
                          capture_output=True, text=True, timeout=100)
    return done.returncode, done.stderr


def assembler(name, stack, stores, loads, registers):
    with open(name, "w", encoding="utf-8") as file:
        file.write(PTXAS % (stack, stores, loads, registers))
    os.chmod(name, os.stat(name).st_mode | stat.S_IXUSR)
    return os.path.abspath(name)


def resources():
    with open("k.json", encoding="utf-8") as file:
        return json.load(file)["kernels"][0]["entries"][0].get("resources")


def table(text):
    """The row of the table by its heads."""
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("kernel "))
    heads = re.findall(r"\S+ *", lines[at])
    row, start = {}, 0
    for head in heads:
        row[head.strip()] = lines[at + 1][start:start + len(head)].strip() if head != heads[-1] else lines[at + 1][start:].strip()
        start += len(head)
    return row


def check_nvidia():
    spilling, clean = assembler("spilling", 376, 508, 456, 255), assembler("clean", 0, 0, 0, 128)
    status, text = compile_("k.ptx", NARROW, "-t", "sm_80", "--resource-usage", "--ptxas", spilling)
    row, r = table(text), resources()
    check(status == 0 and (row["kernel"], row["chip"], row["registers"], row["spills"], row["stack"], row["shared-memory"], row["threads"]) ==
          ("matmul", "sm_80", "255", "508+456 B", "376 B", "0+32768 B", "128"), "table", text)
    check(row["occupancy"] == "12% (registers)" and int(row["matrix"]) > 0 and row["loads"].startswith("2x"), "table", row)
    check((r["from"], r["registers"], r["spill_store_bytes"], r["spill_load_bytes"], r["stack_bytes"], r["static_shared_bytes"], r["occupancy"],
           r["limited_by"], r["blocks_per_multiprocessor"]) == ("ptxas 99.1.2", 255, 508, 456, 376, 0, 0.125, "registers", 2), "JSON", r)
    check(list(r["instructions"]["loads"]) == ["2"] and r["instructions"]["copies"] == 0 and r["instructions"]["barriers"] > 0, "mix", r)
    check("k.tk:6:5: warning: matmul on sm_80: its values do not fit in the 255 registers of a thread: ptxas spills them (508 B stored and "
          "456 B loaded)" in text and "[-Wspills]" in text, "-Wspills", text)
    _, text = compile_("k.ptx", WIDE, "-t", "sm_80", "--resource-usage", "--ptxas", clean)
    check(resources()["instructions"]["loads"] == {} and resources()["instructions"]["copies"] > 0 and "Wspills" not in text, "wide", text)
    _, text = compile_("k.ptx", WIDE, "-t", "sm_80", "--remarks=spills", "--ptxas", clean)
    check("k.tk:6:5: remark: matmul on sm_80: nothing spills: 128 registers of a thread, an occupancy of 19 %, limited by shared memory [spills]" in text,
          "the remark", text)
    _, plain = compile_("k.ptx", NARROW, "-t", "sm_80", "--ptxas", spilling)
    check(resources() is None and "kernel " not in plain, "without --resource-usage", plain)
    compile_("k.ptx", NARROW, "-t", "sm_80", "--ptxas", spilling)
    with open("k.ptx", encoding="utf-8") as file:
        code = file.read()
    compile_("k.ptx", NARROW, "-t", "sm_80", "--resource-usage", "--ptxas", spilling)
    with open("k.ptx", encoding="utf-8") as file:
        check(file.read() == code, "the code is the same")


# Flags of the user go to ptxas behind tkc's own, for the code and for its figures.
def check_flags():
    clean = assembler("clean", 0, 0, 0, 128)
    status, text = compile_("k.cubin", NARROW, "-t", "sm_80", "--ptxas", clean, "-Xptxas", "-O2,-dlcm=cg", "--ptxas-options=-w", "--verbose", "--resource-usage")
    runs = [line for line in text.splitlines() if line.startswith("runs ")]
    check(status == 0 and len(runs) == 2 and all(" -O3 " in r and r.endswith(" -O2 -dlcm=cg -w") for r in runs), "flags for ptxas", text)
    status, text = compile_("k.ptx", NARROW, "-t", "sm_80", "-Xptxas", "-O2")
    check(status != 0 and "--ptxas-options: ptxas makes none of the outputs; add -o with a name ending in .cubin" in text, "flags for nothing", text)


def check_unknown():
    status, text = compile_("k.ptx", NARROW, "-t", "sm_80", "--resource-usage", "--ptxas", "/nowhere/ptxas")
    row, r = table(text), resources()
    check(status == 0 and row["registers"] == row["spills"] == row["stack"] == row["occupancy"] == "?" and row["threads"] == "128", "no ptxas", text)
    check(r["from"] is None and r["registers"] is None and r["occupancy"] is None and r["instructions"]["all"] > 0, "no ptxas", r)
    check("without ptxas of the CUDA toolkit registers, spills, stack and occupancy are not known" in text, "no ptxas", text)
    for gate in ["--fail-on-spill", "--max-registers=255", "--min-occupancy=1"]:
        status, text = compile_("k.ptx", NARROW, "-t", "sm_80", gate, "--ptxas", "/nowhere/ptxas")
        check(status == 1 and f"its registers are not known, and {gate.split('=')[0]} asks for them" in text, gate, text)
    check(compile_("k.ptx", NARROW, "-t", "sm_80", "--max-shared=32768", "--ptxas", "/nowhere/ptxas")[0] == 0, "shared memory is known")


def check_gates():
    spilling = os.path.abspath("spilling")
    for output, chip, rows in [
            ("k.ptx", "sm_80", [("--fail-on-spill", "(508 B stored and 456 B loaded), and --fail-on-spill allows none"),
                                ("--max-registers=254", "255 registers of a thread, and --max-registers allows 254"),
                                ("--max-registers=255", None),
                                ("--max-shared=32767", "32768 B of shared memory, and --max-shared allows 32767"),
                                ("--max-shared=32768", None),
                                ("--min-occupancy=12.6", "an occupancy of 12.5 % (8 of 64 warps), limited by registers, and --min-occupancy asks "
                                                         "for 12.6 %"),
                                ("--min-occupancy=12.5", None),
                                ("-Werror=spills", "[-Werror=spills]")]),
            ("k.hsaco", "gfx942", [("--fail-on-spill", None),
                                   ("--max-registers=16", "registers of a thread, and --max-registers allows 16"),
                                   ("--max-shared=1024", "B of shared memory, and --max-shared allows 1024"),
                                   ("--min-occupancy=99", ", and --min-occupancy asks for 99 %")])]:
        for gate, fault in rows:
            options = ["--ptxas", spilling, "--resource-usage"] if gate.startswith("-W") else ["--ptxas", spilling]
            status, text = compile_(output, NARROW, "-t", chip, gate, *options)
            wanted = f"k.tk:6:5: error: matmul on {chip}: "
            check(status == bool(fault) and (not fault or (wanted in text and fault in text)), gate, chip, "status", status, text)
            check(os.path.exists(output) == (not fault), gate, "writes nothing" if fault else "writes")


def check_amd():
    for output in ["k.hsaco", "k.s", "k.ll"]:
        status, text = compile_(output, WIDE, "-t", "gfx942", "--resource-usage")
        row = table(text)
        check(status == 0 and 16 < int(row["registers"]) <= 512 and row["spills"] == "0" and row["stack"] == "0 B", output, text)
        check(int(row["matrix"]) > 0 and int(row["barriers"]) > 0 and "16x" in row["loads"] and row["occupancy"].endswith(")"), output, row)
    status, text = compile_("k.hsaco", WIDE, "-t", "gfx942", "--resource-usage")
    r = resources()
    check(r["from"].startswith("LLVM ") and r["spilled_values"] == 0 and 0 < r["occupancy"] <= 1 and r["scalar_registers"] > 0, r)


# Real figures, if the assembler is there: a .cubin of a kernel with spills warns, though nobody asked.
def check_real():
    status, text = compile_("k.cubin", NARROW, "-t", "sm_80")
    if shutil.which("ptxas") is None and status != 0:
        print("ptxas is not here: left out")
        return
    check(status == 0 and re.search(r"k\.tk:6:5: warning: matmul on sm_80: .* ptxas spills them \(\d+ B stored", text), "k.cubin", text)
    check(compile_("k.cubin", NARROW, "-t", "sm_80", "-Wno-spills")[1] == "", "k.cubin, -Wno-spills")
    check(compile_("k.cubin", NARROW, "-t", "sm_80", "-Werror=spills")[0] == 1 and not os.path.exists("k.cubin"), "k.cubin, -Werror=spills")
    _, text = compile_("k.cubin", WIDE, "-t", "sm_80")
    check(text == "", "k.cubin with hints", text)
    _, text = compile_("k.cubin", WIDE, "-t", "sm_80", "--resource-usage")
    check(resources()["from"].startswith("ptxas ") and 32 < resources()["registers"] <= 255, "real figures", text)


def main():
    os.makedirs(sys.argv[2], exist_ok=True)
    os.chdir(sys.argv[2])
    with open("k.tk", "w", encoding="utf-8") as file:
        file.write(SOURCE)
    check_nvidia()
    check_flags()
    check_unknown()
    check_gates()
    check_amd()
    check_real()
    print(f"{len(failed)} failed")
    return bool(failed)


TKC = os.path.abspath(sys.argv[1])
if __name__ == "__main__":
    sys.exit(main())
