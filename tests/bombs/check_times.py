#!/usr/bin/env python3
"""Long code compiles in seconds, on each chip that once took tens of them.

    check_times.py TKC

Time is processor time, as in check_bombs.py; BOMBS_SLOWER says how many times slower a build with sanitizers may be.
"""
import os
import resource
import subprocess
import sys

SLOWER = int(os.environ.get("BOMBS_SLOWER", "1"))
HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "long_code.tk")
EXAMPLES = os.path.join(HERE, "..", "..", "examples")
LANG = os.path.join(HERE, "..", "lang")
ATTENTION, BACKWARD = (os.path.join(EXAMPLES, name) for name in ("attention.tk", "attention_backward.tk"))

# Seconds, chips, arguments: three times a kernel's time on an idle machine, half as much again on a slow one; these took 5 to 80 s once.
CASES = [
    (6, "gfx1100 gfx1030 gfx9-generic", [KERNELS, "-n", "batch", "-w", "1"]),
    (8, "gfx1030 gfx10-3-generic", [KERNELS, "-n", "halves", "-w", "1"]),
    (6, "gfx942", [KERNELS, "-n", "stores"]),
    (3, "sm_90a", [KERNELS, "-n", "polynomial", "-w", "8"]),
    (5, "gfx9-generic", [KERNELS, "-n", "masked", "-D", "SIZE=262144"]),
    (6, "gfx942", [KERNELS, "-n", "masked", "-D", "SIZE=524288"]),
    (3, "gfx1100", [os.path.join(LANG, "dot.tk"), "-n", "dot_once", "-s", "*fp8e5:16, *fp8e5:16, *fp32:16", "-D", "M=256", "-D", "N=32",
                    "-D", "K=64"]),
    (3, "gfx1030", [os.path.join(LANG, "forms.tk"), "-n", "block_scaled", "-D", "BN=256"]),
    (3, "gfx9-generic", [os.path.join(EXAMPLES, "decode_layer.tk"), "-n", "linear", "--config", "0"]),
    (12, "gfx942", [KERNELS, "-n", "heads"]),
    (24, "gfx942", [KERNELS, "-n", "heads", "-D", "HEADS=64"]),
    (6, "gfx1030 gfx9-generic", [ATTENTION, "--config", "3"]),
    (18, "gfx1030 gfx1100 gfx942", [BACKWARD, "--config", "3"]),
    (6, "gfx9-generic", [BACKWARD, "--config", "0"]),
]


def compiled(tkc, chip, arguments, limit):
    """Status, processor seconds and standard error."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.run([tkc, *arguments, "-t", chip, "--emit=s", "-o", "-"], stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return process.returncode, seconds, process.stderr


def main(tkc):
    failed = 0
    for seconds, chips, arguments in CASES:
        for chip in chips.split():
            status, taken, text = compiled(tkc, chip, arguments, 10 * seconds * SLOWER)
            name = " ".join(os.path.basename(argument) for argument in arguments)
            # A variant too large for the chip is refused, as quickly.
            if status not in (0, 1) or taken > seconds * SLOWER:
                failed += 1
                print(f"{name} for {chip}: status {status}, {taken:.1f} s of {seconds * SLOWER}: {text[:300]}")
            elif os.environ.get("BOMBS_ALL"):
                print(f"{name} for {chip}: status {status}, {taken:.1f} s")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
