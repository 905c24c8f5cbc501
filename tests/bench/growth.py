#!/usr/bin/env python3
"""How compile time grows with a kernel's length: the same statement 400, 1,600 and 6,400 times in a row.

    python3 tests/bench/growth.py [--tkc build/bin/tkc] [--target sm_80] [--counts 400,1600,6400] [KIND …]

A line a statement and length: processor seconds (of the process, so that others on the machine do not count), peak MB,
microseconds for one statement, and a bar of those. Bars of one length mean linear growth; each step of the table is four times
as long as the one before.
"""
import argparse
import os
import subprocess
import sys
import tempfile

HEAD = """import triton
import triton.language as tl


@triton.jit
def kernel(x: "*fp32", y: "*fp32", n: "i32", BLOCK: tl.constexpr = 128):
    offsets = tl.arange(0, BLOCK)
    a = tl.load(x + offsets)
"""
STATEMENTS = {
    "if": "    if n > {i}:\n        a = a + {i}.0\n",
    "for": "    for i in range(n):\n        a = a * 1.5 + {i}.0\n",
    "load": "    a += tl.load(x + offsets + {i} * BLOCK)\n",
    "store": "    tl.store(y + offsets + {i} * BLOCK, a + {i})\n",
    "reduce": "    a = a + tl.sum(a * {i}.5, axis=0)\n",
    "multiply": "    a = a * {i}.5 + {i}.25\n",
}


def kernel(kind, count):
    return HEAD + "".join(STATEMENTS[kind].format(i=i) for i in range(count)) + "    tl.store(y + offsets, a)\n"


def compile_once(options, source, output):
    """(processor seconds, peak MB), or the compiler's last words."""
    command = [options.tkc, source, "--target=" + options.target, "--budget=32", "--no-header", "--no-json", "-o", output]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    words = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if status:
        return words.strip().splitlines()[-1] if words.strip() else f"status {process.returncode}"
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description="How compile time grows with a kernel's length.")
    parser.add_argument("--tkc", default="build/bin/tkc")
    parser.add_argument("--target", default="sm_80")
    parser.add_argument("--counts", default="400,1600,6400")
    parser.add_argument("kinds", nargs="*", default=list(STATEMENTS), metavar="KIND", help=", ".join(STATEMENTS))
    options = parser.parse_args()
    unknown = [kind for kind in options.kinds if kind not in STATEMENTS]
    if unknown:
        parser.error(f"no statement is called {unknown[0]}; there are {', '.join(STATEMENTS)}")
    print(f"{'statement':10} {'count':>6} {'seconds':>8} {'MB':>6} {'µs each':>8}")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "kernel.tk")
        output = os.path.join(folder, "kernel.s" if options.target.startswith("gfx") else "kernel.ptx")
        for kind in options.kinds:
            for count in map(int, options.counts.split(",")):
                with open(source, "w", encoding="utf-8") as file:
                    file.write(kernel(kind, count))
                result = compile_once(options, source, output)
                if isinstance(result, str):
                    failed = True
                    print(f"{kind:10} {count:6} {result}", flush=True)
                    continue
                each = result[0] / count * 1e6
                print(f"{kind:10} {count:6} {result[0]:8.2f} {result[1]:6.0f} {each:8.0f} {'#' * round(each / 25)}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
