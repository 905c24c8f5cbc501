#!/usr/bin/env python3
"""Compares what one compilation costs: tkc against Triton's compiler run ahead of time, as whole processes.

    python3 tests/bench/compile_time.py [--tkc build/bin/tkc] [--runs 10]

For each example both compile the same source for sm_80. The table gives the median wall time and the peak resident
memory of the process tree, both from the kernel's own accounting (wait4). Triton's cache is emptied before each run,
since a build that changed is what one waits for. Triton's side is the call that its tool triton.tools.compile makes,
in a fresh process: the tool itself refuses to start without a GPU, even for a named target. It ends with ptxas, which
tkc runs only for .cubin. Without the Python package triton only tkc is measured.
"""
import argparse
import importlib.util
import os
import statistics
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check_triton  # noqa: E402  (the folder of this file)


def run(command, environment=None):
    """(wall milliseconds, peak MB) of one process and its children; stops at a failure."""
    begin = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        try:
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 1)
            os.execvpe(command[0], command, {**os.environ, **(environment or {})})
        finally:
            os._exit(127)
    _, status, usage = os.wait4(pid, 0)
    wall = (time.perf_counter() - begin) * 1e3
    if status:
        sys.exit(f"compile_time: failed: {' '.join(command)}")
    return wall, usage.ru_maxrss / 1024


def measure(command, runs, environment=None):
    results = [run(command, environment() if environment else None) for _ in range(runs)]
    return statistics.median(wall for wall, _ in results), max(memory for _, memory in results)


def triton_command(path):
    """A fresh Python process that compiles the file's kernel for sm_80, as Triton's tool does."""
    return [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "check_triton.py"),
            "--capability", "80", path]


def main():
    parser = argparse.ArgumentParser(description="Compares compile time and memory with Triton's.")
    parser.add_argument("--tkc", default="build/bin/tkc")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--triton-runs", type=int, default=3)
    options = parser.parse_args()
    with_triton = importlib.util.find_spec("triton") is not None
    examples = os.path.join(check_triton.TOP, "examples")
    print(f"{'example':20} {'tkc ms':>9} {'tkc MB':>9} {'Triton ms':>11} {'Triton MB':>10} {'ratio':>7}")
    for file_name in sorted(name for name in os.listdir(examples) if name.endswith(".tk")):
        path = os.path.join(examples, file_name)
        with tempfile.TemporaryDirectory() as folder:
            ours = measure([options.tkc, path, "--config", "0", "-o", os.path.join(folder, "kernel.ptx")], options.runs)
            line = f"{file_name[:-3]:20} {ours[0]:9.1f} {ours[1]:9.1f}"
            command = triton_command(path) if with_triton else None
            if command:
                def empty_cache():
                    return {"TRITON_CACHE_DIR": tempfile.mkdtemp(dir=folder)}

                theirs = measure(command, options.triton_runs, empty_cache)
                line += f" {theirs[0]:11.1f} {theirs[1]:10.1f} {theirs[0] / ours[0]:6.0f}x"
            else:
                line += f" {'-':>11} {'-':>10} {'-':>7}"
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
