#!/usr/bin/env python3
"""The bound on compile time: one kernel and variant on one chip take at most --limit seconds of one core.

    python3 tests/bench/compile_bound.py [--build build] [--random 300] [--chips gfx942,sm_80] [--limit 2] [--most 5]

Compiles every configuration of every example, every language test and --random kernels of tests/random, each for all
chips, and prints the pairs of a kernel and a chip that take more than --limit seconds. Exits with 1 if one takes more
than --most. Time is processor time (user and system) of the whole process, so that other work on the machine counts little.

Chips are compiled together by one process on one thread, whose time bounds each of them. Only where the sum is above the
limit, or where a chip refuses the kernel, the chips are halved until one is left, or compiled each for itself.

On a machine without LLVM (tkc alone is needed there), several kernels at once. What a log holds is not measured again, so
that the whole can be done in parts:

    python3 tests/bench/compile_bound.py --build build --random 2000 --write FOLDER
    python3 FOLDER/compile_bound.py --tkc ./tkc --read FOLDER --jobs 14 --seconds 500 --log FOLDER/log.jsonl
"""
import argparse
import json
import multiprocessing
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOGETHER = 6  # chips of one process at first


def examples(tkc):
    """(name, arguments) of every kernel and configuration."""
    folder = os.path.join(TOP, "examples")
    for file_name in sorted(name for name in os.listdir(folder) if name.endswith(".tk")):
        path = os.path.join(folder, file_name)
        with tempfile.TemporaryDirectory() as scratch:
            made = os.path.join(scratch, "all.json")
            subprocess.run([tkc, path, "-t", "sm_80", "--emit=json", "--all-configs", "--no-fuse", "-o", made], check=True,
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
        if family == "examples":  # measured in all their configurations
            continue
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
    """Of one job. `measured`: the pairs of a kernel's name and a chip that need not be measured; `log`: where results go, or None."""

    def __init__(self, options, measured, log):
        self.tkc, self.give_up, self.limit = options.tkc, 4 * options.most, options.limit
        self.measured, self.log = measured, log
        self.pairs, self.refused, self.slow = 0, 0, []

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
        chips = [chip for chip in chips if (name, chip) not in self.measured]
        if not chips:
            return
        status, seconds = self.run(arguments, chips)
        if len(chips) > 1 and (status != 0 or seconds > self.limit):
            size = 1 if status != 0 or seconds > 4 * self.limit else (len(chips) + 1) // 2
            for start in range(0, len(chips), size):
                self.measure(name, arguments, chips[start:start + size])
            return
        self.note([name, chips, status, round(seconds, 3)])
        if self.log:
            with open(self.log, "a", encoding="utf-8") as file:
                file.write(json.dumps([name, chips, status, round(seconds, 3)]) + "\n")

    def note(self, result):
        name, chips, status, seconds = result
        self.pairs += len(chips)
        self.refused += len(chips) if status != 0 else 0
        if len(chips) == 1 and seconds > self.limit:
            self.slow.append((seconds, name, chips[0]))


def read_log(log):
    """Lines of [name, chips, status, seconds]; the last may be cut off where a job was ended."""
    results = []
    if log and os.path.exists(log):
        with open(log, encoding="utf-8") as file:
            for line in file:
                try:
                    results.append(json.loads(line))
                except json.JSONDecodeError:
                    continue
    return results


def shown(seconds, name, chip):
    return f"{seconds:7.2f} s  {chip:16} {name}"


def suffix(chip):
    return ".ptx" if chip.startswith("sm_") else ".s"


def chips_of(tkc, wanted):
    """The chips of each vendor."""
    listed = subprocess.run([tkc, "--print-targets"], stdout=subprocess.PIPE, text=True, check=True).stdout
    chips = wanted.split(",") if wanted else [line.split()[0] for line in listed.splitlines()]
    vendors = ([c for c in chips if c.startswith("sm_")], [c for c in chips if c.startswith("gfx")])
    return [vendor[at:at + TOGETHER] for vendor in vendors for at in range(0, len(vendor), TOGETHER)]


def write_kernels(kernels, folder):
    """The kernels' sources, this file, and a line of JSON for each kernel: its name and arguments, the source's first."""
    os.makedirs(os.path.join(folder, "sources"), exist_ok=True)
    shutil.copy(os.path.abspath(__file__), folder)
    with open(os.path.join(folder, "kernels.jsonl"), "w", encoding="utf-8") as file:
        for name, (source, *rest) in kernels:
            shutil.copy(source, os.path.join(folder, "sources"))
            file.write(json.dumps([name, [os.path.basename(source), *rest]]) + "\n")


def read_kernels(folder):
    with open(os.path.join(folder, "kernels.jsonl"), encoding="utf-8") as file:
        for name, (source, *rest) in map(json.loads, file):
            yield name, [os.path.join(folder, "sources", source), *rest]


def find_kernels(options, folder):
    if options.read:
        return list(read_kernels(options.read))
    tests = os.path.join(options.build, "tests")
    kernels = list(examples(options.tkc)) + list(language_tests(os.path.join(tests, "lang_test")))
    if options.random:
        kernels += random_kernels(os.path.join(tests, "random_test"), options.random, options.first, folder)
    return kernels


def measure_kernels(measure, options, kernels, next_kernel):
    """Measures kernels until there are none or time is up. `next_kernel`: the first that nobody measures."""
    groups = chips_of(options.tkc, options.chips)
    while True:
        with next_kernel.get_lock():
            index = next_kernel.value
            next_kernel.value += 1
        if index >= len(kernels) or time.monotonic() > options.until:
            return
        if index % 50 == 0:
            print(f"{index} of {len(kernels)} kernels", file=sys.stderr, flush=True)
        for chips in groups:
            measure.measure(*kernels[index], chips)


def work(options, kernels, measured, next_kernel, results):
    measure = Measure(options, measured, options.log)
    measure_kernels(measure, options, kernels, next_kernel)
    results.put((measure.pairs, measure.refused, measure.slow))


def measure_together(options, kernels):
    """Pairs, refused pairs, and the slow pairs, of all jobs and of the log."""
    before = Measure(options, set(), None)
    logged = read_log(options.log)
    for result in logged:
        before.note(result)
    measured = {(name, chip) for name, chips, _, _ in logged for chip in chips}
    next_kernel, results = multiprocessing.Value("i", 0), multiprocessing.Queue()
    jobs = [multiprocessing.Process(target=work, args=(options, kernels, measured, next_kernel, results)) for _ in range(options.jobs)]
    for job in jobs:
        job.start()
    found = [(before.pairs, before.refused, before.slow)] + [results.get() for _ in jobs]
    for job in jobs:
        job.join()
    pairs, refused, slow = zip(*found)
    return sum(pairs), sum(refused), sorted(sum(slow, []), reverse=True)


def parse_options():
    parser = argparse.ArgumentParser(description="Measures the bound on compile time.")
    parser.add_argument("--build", default="build", help="folder of a release build")
    parser.add_argument("--tkc", help="the compiler, instead of the build's")
    parser.add_argument("--random", type=int, default=300, help="random kernels")
    parser.add_argument("--first", type=int, default=1, help="seed of the first")
    parser.add_argument("--chips", default="", help="these alone")
    parser.add_argument("--only", default="", help="kernels whose names contain this")
    parser.add_argument("--limit", type=float, default=2, help="seconds; pairs above it are printed")
    parser.add_argument("--most", type=float, default=5, help="seconds; a pair above it fails")
    parser.add_argument("--jobs", type=int, default=1, help="kernels measured at once")
    parser.add_argument("--seconds", type=float, default=1e9, help="no kernel begins later than this")
    parser.add_argument("--part", default="1/1", help="1/3: kernels 0, 3, 6, ...; 2/3: 1, 4, 7, ...")
    parser.add_argument("--log", help="results are added to this file; those that it holds are not measured again")
    parser.add_argument("--write", help="write the kernels into this folder and measure none")
    parser.add_argument("--read", help="take them from there")
    options = parser.parse_args()
    options.tkc = options.tkc or os.path.join(options.build, "bin", "tkc")
    options.until = time.monotonic() + options.seconds
    return options


def main():
    options = parse_options()
    part, parts = map(int, options.part.split("/"))
    with tempfile.TemporaryDirectory() as folder:
        kernels = [kernel for kernel in find_kernels(options, folder) if options.only in kernel[0]][part - 1::parts]
        if options.write:
            write_kernels(kernels, options.write)
            return False
        pairs, refused, slow = measure_together(options, kernels)
    every = len(kernels) * sum(map(len, chips_of(options.tkc, options.chips)))
    print(f"{pairs} of {every} pairs of a kernel and a chip, {refused} refused, {len(slow)} above {options.limit:g} s")
    for seconds, name, chip in slow:
        print(shown(seconds, name, chip))
    return bool(slow) and slow[0][0] > options.most


if __name__ == "__main__":
    sys.exit(main())
