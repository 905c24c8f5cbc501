#!/usr/bin/env python3
"""Hostile sources (bombs.py): none takes tkc more than 12 s or 800 MB, and none ends in an internal error.

    check_bombs.py TKC FOLDER [NAME…]

Time is processor time, so that a busy machine does not fail the test: the longest takes 6.8 s on a slow virtual machine, 8.2
beside others. BOMBS_SLOWER says how many times slower a build with sanitizers may be, which may also take twice the memory.
What an error says stands beside the source.
"""
import os
import resource
import subprocess
import sys
import time

from bombs import BOMBS, COMPILES

SLOWER = int(os.environ.get("BOMBS_SLOWER", "1"))
SECONDS, BYTES = 12.0 * SLOWER, (800 << 20) * min(SLOWER, 2)


def run(tkc, *arguments, limit=(resource.RLIMIT_CPU, 20)):
    """Status, processor seconds, peak bytes and standard error of one compilation."""
    with open("stderr", "w+b") as errors:
        process = subprocess.Popen([tkc, *arguments, "-o", "bomb.ptx"], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=errors,
                                   preexec_fn=lambda: resource.setrlimit(limit[0], (limit[1], limit[1])))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        text = errors.read().decode(errors="replace")
    return process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10, text


def faults_of(says, status, seconds, size, text):
    if status not in (0, 1):
        yield f"status {status}"
    if seconds > SECONDS:
        yield f"{seconds:.1f} s"
    if size > BYTES:
        yield f"{size >> 20} MB"
    if says is COMPILES and status:
        yield text.split("\n")[0]
    if says and says not in text:
        yield f'no "{says}"'
    if status == 1 and "bomb.tk:" not in text:
        yield "no place in the source"
    if len(text) > 1 << 20:
        yield f"{len(text)} bytes of messages"


def write_bomb(name):
    with open("bomb.tk", "w") as file:
        file.write(next(source for other, source, _ in BOMBS if other == name))


def check_memory(tkc):
    """Allowed a thousand times the work, but not the memory: an error of the user's, wherever it ends: in the compiler's
    allocations, in LLVM's, in MLIR's, which does not look at what malloc gives. Sanitizers reserve more than any limit, so
    there is nothing to see with them."""
    failed = 0
    room = next((size for size in range(32, 1024, 16) if run(tkc, "--version", limit=(resource.RLIMIT_AS, size << 20))[0] == 0), None)
    cases = [("fib", 400), ("tile_of_tiles", 400)] + [("lines_of_stores", room + more) for more in range(60, 124, 16)] if room else []
    for name, size in cases:
        write_bomb(name)
        status, _, _, text = run(tkc, "bomb.tk", "--budget=1000", limit=(resource.RLIMIT_AS, size << 20))
        if status != 1 or "error: out of memory" not in text:
            failed += 1
            print(f"{name} with {size} MB: status {status}: {text[:300]}")
    return failed


def main(tkc, folder, *names):
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    failed, total, start = 0, 0.0, time.time()
    chosen = [bomb for bomb in BOMBS if not names or bomb[0] in names]
    for name, source, says in chosen:
        with open("bomb.tk", "w") as file:
            file.write(source)
        status, seconds, size, text = run(tkc, "bomb.tk")
        total += seconds
        faults = list(faults_of(says, status, seconds, size, text))
        if names or os.environ.get("BOMBS_ALL"):
            print(f"{name}: status {status}, {seconds:.2f} s, {size >> 20} MB\n{text[:600]}")
        if faults:
            failed += 1
            print(f"{name}: {', '.join(faults)}: {text[:300]}")
    failed += 0 if names else check_memory(tkc)
    print(f"{len(chosen)} bombs, {failed} of them went off; {total:.1f} s")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), *sys.argv[2:]))
