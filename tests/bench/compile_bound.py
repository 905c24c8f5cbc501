#!/usr/bin/env python3
"""The bound on compile time: one kernel and variant on one chip take at most --limit seconds of one core.

    python3 tests/bench/compile_bound.py [--build build] [--random 300] [--chips gfx942,sm_80] [--limit 2] [--most 5]

Compiles every configuration of every example, every language test and --random kernels of tests/random, each for all
chips, and prints the ten slowest pairs of a kernel and a chip. Exits with 1 if one takes more than --most seconds.
Time is processor time (user and system) of the whole process, so that other work on the machine counts little.

Chips are compiled together by one process on one thread, whose time bounds each of them. Only where the sum could be
among the ten slowest, or where a chip refuses the kernel, the chips are halved until one is left, or compiled each for itself.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHOWN = 10
STARTS = 0.5  # seconds below which no pair is of interest


def examples(tkc):
    """(name, arguments) of every kernel and configuration."""
    folder = os.path.join(TOP, "examples")
    for file_name in sorted(name for name in os.listdir(folder) if name.endswith(".tk")):
        path = os.path.join(folder, file_name)
        with tempfile.TemporaryDirectory() as scratch:
            made = os.path.join(scratch, "all.json")
            subprocess.run([tkc, path, "-t", "sm_80", "--emit=json", "--all-configs", "-o", made], check=True,
                           stderr=subprocess.DEVNULL)
            with open(made, encoding="utf-8") as file:
                kernels = json.load(file)["kernels"]
        for kernel in sorted({entry["function"] for entry in kernels}):
            for config in range(configurations(tkc, path, kernel)):
                yield f"{file_name} {kernel} {config}", [path, "-n", kernel, "--config", str(config)]


def configurations(tkc, path, kernel):
    """How many there are: tkc says so of an example that has several."""
    said = subprocess.run([tkc, path, "-n", kernel, "-t", "sm_80", "-o", "-"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, check=True).stderr
    _, found, rest = said.partition("configuration 0 of ")
    return int(rest.split()[0]) if found else 1


def language_tests(lang_test):
    listed = subprocess.run([lang_test, "--list"], stdout=subprocess.PIPE, text=True, check=True).stdout
    for line in listed.splitlines():
        family, case, kernel, signature, defines = line.split("\t")
        arguments = [os.path.join(TOP, "tests", "lang", family + ".tk"), "-n", kernel]
        arguments += ["-s", signature] if signature != "-" else []
        for define in defines.split() if defines != "-" else []:
            arguments += ["-D", define]
        yield f"{family}.{case}", arguments


def random_kernels(random_test, count, first, folder):
    subprocess.run([random_test, "--write", folder, "--seeds", f"{first}-{first + count - 1}"], check=True,
                   stdout=subprocess.DEVNULL)
    with open(os.path.join(folder, "launches.jsonl"), encoding="utf-8") as file:
        for launch in map(json.loads, file):
            yield (f"random {launch['source'][:-3]}",
                   [os.path.join(folder, launch["source"]), "-n", launch["kernel"], "-w", str(launch["num_warps"]),
                    "-ns", str(launch["num_stages"])])


class Measure:
    def __init__(self, tkc, give_up):
        self.tkc, self.give_up = tkc, give_up
        self.slowest = []  # (seconds, name, chip), the largest first
        self.pairs = self.refused = 0

    def floor(self):
        return max(STARTS, self.slowest[-1][0] if len(self.slowest) == SHOWN else 0)

    def run(self, arguments, chips):
        """Status and processor seconds."""
        with tempfile.TemporaryDirectory() as folder:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            limit = int(self.give_up * len(chips)) + 1
            status = subprocess.run(
                [self.tkc, *arguments, "-t", ",".join(chips), "-j1", "--no-header", "--no-json", "-o",
                 os.path.join(folder, "code" + suffix(chips[0]))],
                stderr=subprocess.DEVNULL, check=False,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))).returncode
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return status, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def measure(self, name, arguments, chips):
        status, seconds = self.run(arguments, chips)
        if len(chips) > 1 and (status != 0 or seconds > self.floor()):
            size = 1 if seconds > 4 * self.floor() else (len(chips) + 1) // 2
            for start in range(0, len(chips), size):
                self.measure(name, arguments, chips[start:start + size])
            return
        self.pairs += len(chips)
        self.refused += status != 0
        if len(chips) == 1 and seconds > self.floor():
            self.slowest = sorted(self.slowest + [(seconds, name, chips[0])], reverse=True)[:SHOWN]


def suffix(chip):
    return ".ptx" if chip.startswith("sm_") else ".s"


def chips_of(tkc, wanted):
    """The chips of each vendor."""
    listed = subprocess.run([tkc, "--print-targets"], stdout=subprocess.PIPE, text=True, check=True).stdout
    chips = wanted.split(",") if wanted else [line.split()[0] for line in listed.splitlines()]
    return [group for group in ([c for c in chips if c.startswith("sm_")], [c for c in chips if c.startswith("gfx")])
            if group]


def main():
    parser = argparse.ArgumentParser(description="Measures the bound on compile time.")
    parser.add_argument("--build", default="build", help="folder of a release build")
    parser.add_argument("--random", type=int, default=300, help="random kernels")
    parser.add_argument("--first", type=int, default=1, help="seed of the first")
    parser.add_argument("--chips", default="", help="these alone")
    parser.add_argument("--only", default="", help="kernels whose names contain this")
    parser.add_argument("--limit", type=float, default=2, help="seconds; pairs above it are counted")
    parser.add_argument("--most", type=float, default=5, help="seconds; a pair above it fails")
    options = parser.parse_args()
    tkc, tests = os.path.join(options.build, "bin", "tkc"), os.path.join(options.build, "tests")
    measure = Measure(tkc, 4 * options.most)
    above = 0
    with tempfile.TemporaryDirectory() as folder:
        kernels = list(examples(tkc)) + list(language_tests(os.path.join(tests, "lang_test")))
        if options.random:
            kernels += random_kernels(os.path.join(tests, "random_test"), options.random, options.first, folder)
        kernels = [kernel for kernel in kernels if options.only in kernel[0]]
        for done, (name, arguments) in enumerate(kernels):
            if done % 50 == 0:
                print(f"{done} of {len(kernels)} kernels", file=sys.stderr, flush=True)
            for chips in chips_of(tkc, options.chips):
                measure.measure(name, arguments, chips)
    print(f"{len(kernels)} kernels, {measure.pairs} pairs of a kernel and a chip, {measure.refused} refused")
    for seconds, name, chip in measure.slowest:
        above += seconds > options.limit
        print(f"{seconds:7.2f} s  {chip:16} {name}")
    print(f"{above} of the slowest {SHOWN} above {options.limit:g} s")
    return bool(measure.slowest) and measure.slowest[0][0] > options.most


if __name__ == "__main__":
    sys.exit(main())
