#!/usr/bin/env python3
"""Runs kernels as Triton compiles them and as tkc does, on the same buffers, and compares every byte.

    differential.py --tkc build/bin/tkc PATH…                          where there are tkc, PyTorch, Triton and a GPU
    differential.py --tkc build/bin/tkc --compile-only --out DIR PATH…  where tkc is, and then
    differential.py --out DIR                                           where the GPU is (with the sources)

PATH is a file of launches (.jsonl), a source, or a folder of either; README.md says what is compared how. Exits 0 when
nothing differs or fails, 1 otherwise, 77 (skipped) without a GPU, PyTorch or Triton.
"""
import argparse
import collections
import json
import math
import multiprocessing
import multiprocessing.connection
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import launches  # noqa: E402  (the folder of this file)

SKIPPED = 77
GOOD = ("equal", "nan", "close", "sensitive", "unstable")
BAD = ("different", "tkc failed", "fault")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--tkc", default="tkc")
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--option", action="append", default=[], help="another option for tkc, as --option=--no-tensor-maps")
    parser.add_argument("--out", default="build/differential", help="PTX, descriptions, results")
    parser.add_argument("--compile-only", action="store_true")
    parser.add_argument("--assemble", action="store_true", help="let tkc run ptxas now, rather than the driver later")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="launches whose id holds this")
    parser.add_argument("--limit", type=float, default=math.inf, help="begin none after so many seconds")
    parser.add_argument("--timeout", type=float, default=60, help="seconds of one launch, Triton's compilation included")
    parser.add_argument("--time", type=float, default=0, metavar="SECONDS", help="time each that agrees, one at a time")
    parser.add_argument("--time-limit", type=float, default=math.inf, help="begin no timing after so many seconds of it")
    parser.add_argument("--beside", action="append", default=[], metavar="NAME=FOLDER",
                        help="what another tkc made of the same launches (its --out): compared and timed, too, where it differs")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="an argument that is guessed")
    return parser.parse_args()


# ---- workers, each a process with its own context, since a fault ends one ----


def work(pipe, folder, options):
    import execute

    while True:
        launch = pipe.recv()
        if launch is None:
            return
        records = []
        try:
            for record in execute.execute(launch, folder, options, lambda stage: pipe.send(("stage", stage))):
                records.append(record)
            pipe.send(("done", records))
        except Exception as error:
            pipe.send(("broken", f"{type(error).__name__}: {' '.join(str(error).split())[:400]}"))
            return


class Worker:

    def __init__(self, folder, options):
        context = multiprocessing.get_context("spawn")
        self.pipe, far = context.Pipe()
        self.process = context.Process(target=work, args=(far, folder, options), daemon=True)
        self.process.start()
        far.close()
        self.launch = None

    def give(self, launch, timeout):
        self.launch, self.stage, self.deadline = launch, "arguments", time.time() + timeout
        self.pipe.send(launch)

    def hear(self):
        """None, or the records of its launch; a worker that is dead afterwards says so."""
        try:
            kind, what = self.pipe.recv()
        except (EOFError, ConnectionError):
            return [self.lost("the process died")]
        if kind == "stage":
            self.stage = what
            return None
        return what if kind == "done" else [self.lost(what)]

    def lost(self, why):
        launch, self.launch = self.launch, None
        self.process.kill()
        self.process.join()
        return {"id": launch["id"], "status": self.stage, "detail": why}


def run_all(todo, folder, options, jobs, timeout, limit):
    results, queue, begin = [], collections.deque(todo), time.time()
    workers = [Worker(folder, options) for _ in range(min(jobs, len(todo)))]
    said = begin
    while True:
        for at, worker in enumerate(workers):
            if worker.launch is None and queue and time.time() - begin < limit:
                if not worker.process.is_alive():
                    workers[at] = worker = Worker(folder, options)
                worker.give(queue.popleft(), timeout)
        busy = {w.pipe: w for w in workers if w.launch}
        if not busy:
            break
        for pipe in multiprocessing.connection.wait(list(busy), 0.5):
            records = busy[pipe].hear()
            if records is not None:
                results += records
                busy[pipe].launch = None
        for worker in busy.values():
            if worker.launch and time.time() > worker.deadline:
                results.append(worker.lost(f"not done after {timeout:g} s"))
        if time.time() - said > 20:
            said = time.time()
            print(f"{len(results)} done, {len(queue)} to do, {said - begin:.0f} s", flush=True)
    for worker in workers:
        if worker.process.is_alive():
            worker.pipe.send(None)
    return results, len(queue)


# ---- what is said ----


def geometric_mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def report(results, left):
    timed = [r for r in results if "tkc_ms" in r]
    for r in sorted(timed, key=lambda r: r["tkc_ms"] / r["triton_ms"]):
        print(f"{r['tkc_ms'] / r['triton_ms']:6.3f}  tkc {r['tkc_ms'] * 1000:9.2f} us, {r['registers']} registers, "
              f"{r['local']} B local; Triton {r['triton_ms'] * 1000:9.2f} us, {r['triton_registers']} registers, "
              f"{r['triton_local']} B local  {r['status']}  {r['id']} {r['kernel']}")
    for name in sorted({name for r in timed for name in r["beside_times"]}):
        ratios = {r["id"]: (r["beside_times"][name]["ms"] / r["tkc_ms"], r["tkc_ms"] / r["triton_ms"]) for r in timed if name in r["beside_times"]}
        print(f"\n{name}: {len(ratios)} others, geometric mean of time {geometric_mean([x for x, _ in ratios.values()]):.3f} of tkc's")
        for where, (ratio, before) in sorted(ratios.items(), key=lambda item: item[1]):
            print(f"{ratio:6.3f}  {before:6.3f} to {before * ratio:6.3f} of Triton's  {where}")
        for r in results:
            if r.get("beside", {}).get(name, {"status": r["status"]})["status"] != r["status"]:
                print(f"    {r['status']}, but {r['beside'][name]['status']}: {r['id']}: {r['beside'][name]['detail'][:200]}")
    for status in sorted({r["status"] for r in results} - {"equal"}):
        found = [r for r in results if r["status"] == status]
        print(f"\n{status}: {len(found)}")
        for r in found[:40]:
            print(f"    {r['id']} {r.get('kernel', '')}: {r.get('detail', '')[:300]}")
        if len(found) > 40:
            print(f"    and {len(found) - 40} more")
    counts = collections.Counter(r["status"] for r in results)
    print("\n" + ", ".join(f"{n} {status}" for status, n in counts.most_common()) + (f", {left} not begun" if left else ""))
    if timed:
        ratios = [r["tkc_ms"] / r["triton_ms"] for r in timed]
        print(f"time relative to Triton's: geometric mean {geometric_mean(ratios):.3f} of {len(ratios)}, "
              f"{sum(x > 1.2 for x in ratios)} above 1.20, slowest {max(ratios):.2f}")


def write(results, folder):
    with open(os.path.join(folder, "results.jsonl"), "w") as file:
        file.writelines(json.dumps(r) + "\n" for r in results)


def main():
    a = parse()
    given = {name: json.loads(value) for name, value in (text.split("=", 1) for text in a.set)}
    if a.paths:
        found = [launch for launch in launches.find(a.paths) if a.only in launch["id"]]
        compiled = launches.compile_all(found, a.tkc, a.target, a.out, a.option + ["--emit=cubin"] * a.assemble, a.jobs)
    else:
        compiled = [launch for launch in launches.read_compiled(a.out) if a.only in launch["id"]]
    counts = collections.Counter(launch["status"] for launch in compiled)
    print(f"tkc for {a.target}: " + ", ".join(f"{n} {status}" for status, n in counts.items()), flush=True)
    refused = [{"id": c["id"], "status": {"refused": "tkc refused"}.get(c["status"], c["status"]),
                "detail": " ".join(c["said"].split())} for c in compiled if c["status"] != "compiled"]
    if a.compile_only:
        report(refused, 0)
        return 1 if counts["fault"] else 0
    try:
        import torch
        import triton  # noqa: F401  (whether it is there)
    except ImportError as error:
        print(f"differential: skipped: {error}")
        return SKIPPED
    if not torch.cuda.is_available():
        print("differential: skipped: no GPU here")
        return SKIPPED
    options = {"given": given, "beside": dict(text.split("=", 1) for text in a.beside)}
    todo = [c for c in compiled if c["status"] == "compiled"]
    results, left = run_all(todo, a.out, dict(options, seconds=0), a.jobs, a.timeout, a.limit)
    if a.time:
        print(f"{len(results)} compared, {left} not begun", flush=True)
        write(results, a.out)
        agreed = {r["id"] for r in results if r["status"] in GOOD}
        timed, _ = run_all([c for c in todo if c["id"] in agreed], a.out, dict(options, seconds=a.time), 1, a.timeout,
                           a.time_limit)
        again = {(r["id"], r.get("kernel")): r for r in timed if "tkc_ms" in r}
        results = [dict(r, **again.get((r["id"], r.get("kernel")), {})) for r in results]
    results += refused
    write(results, a.out)
    report(results, left)
    return 1 if any(r["status"] in BAD for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
