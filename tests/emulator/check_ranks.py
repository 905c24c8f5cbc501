#!/usr/bin/env python3
"""Several ranks in the emulator: the collectives of examples/several_gpus.tk give what they should, and planted faults are reported.

    check_ranks.py TKC-RUN EXAMPLE FOLDER

Ranks have different data: small integers, whose sums are exact in fp16.
"""
import os
import random
import struct
import subprocess
import sys

tkc_run, example, folder = sys.argv[1:]
failures = []
os.makedirs(folder, exist_ok=True)


def save(name, shape, values, kind="e"):
    """An array in NumPy's format, version 1."""
    head = f"{{'descr': '{dict(e='<f2', i='<i4', q='<i8')[kind]}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    head += " " * (63 - (len(head) + 10) % 64) + "\n"
    path = os.path.join(folder, name + ".npy")
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack(f"<{len(values)}{kind}", *values))
    return path


def run(source, kernel, chip, ranks, arguments, expected=(), *options):
    command = [tkc_run, source, "-n", kernel, "--on", chip, "--ranks", str(ranks), "-D", f"WORLD={ranks}", "-a", "rank=rank()",
               "-a", "epochs=zeros(8):i32"]
    command += [word for a in arguments for word in ("-a", a)] + [word for e in expected for word in ("--expect", e)]
    return subprocess.run([*command, *options], capture_output=True, text=True, timeout=100)


def is_right(kernel, chip, ranks, arguments, expected, *options):
    made = run(example, kernel, chip, ranks, arguments, expected, *options)
    if made.returncode:
        failures.append(f"{kernel} on {chip}, {ranks} ranks: {made.stdout[-600:]}{made.stderr[-1200:]}")


def collectives(chip, ranks, seed):
    numbers = random.Random(ranks)
    few = lambda count: [numbers.randint(-8, 8) for _ in range(count)]
    n = 1008
    x = [few(n) for _ in range(ranks)]
    flat = lambda rows: [v for row in rows for v in row]
    sums = [sum(column) for column in zip(*x)]
    given = "x=" + save("x", (ranks, n), flat(x))
    total = "out=" + save("total", (ranks, n), sums * ranks)
    signals = f"signals=addresses(zeros(8,{ranks})):i32"
    staging = f"staging=addresses(zeros(2,{ranks},1024)):"
    one = ("-D", "PROGRAMS=2", "-D", "BLOCK=128", "--seed", str(seed))
    small = (*one, "--launches", "3")  # of kernels that give the same each time
    is_right("barrier", chip, ranks, [signals], [], "--launches", "3")
    is_right("all_reduce_one_shot", chip, ranks, [given, signals, staging + "fp16", f"out=empty({n}):fp16", f"n={n}", "capacity=1024"], [total], *small)
    is_right("all_reduce_words", chip, ranks, [given, staging + "i64", f"out=empty({n}):fp16", f"n={n}", "capacity=1024"], [total],
             *small, "-w", "1" if seed else "4")
    y = [few(1024) for _ in range(ranks)]
    whole = save("y", (ranks, 1024), flat(y))
    done = save("y_total", (ranks, 1024), [sum(column) for column in zip(*y)] * ranks)
    is_right("all_reduce_two_shot", chip, ranks, [f"buffers=addresses({whole}):fp16", signals, "n=1024"], [f"buffers={done}"], *one)
    gathered = save("gathered", (ranks, ranks, n), flat(x) * ranks)
    is_right("all_gather", chip, ranks, [given, f"buffers=addresses(empty({ranks},{n})):fp16", signals, f"n={n}"], [f"buffers={gathered}"], *small)
    parts = [few(ranks * 496) for _ in range(ranks)]
    scattered = flat([[sum(p[rank * 496 + i] for p in parts) for i in range(496)] for rank in range(ranks)])
    is_right("reduce_scatter", chip, ranks, [f"buffers=addresses({save('parts', (ranks, ranks, 496), flat(parts))}):fp16", "out=empty(496):fp16",
                                             signals, "n=496"], [f"out={save('scattered', (ranks, 496), scattered)}"], *small)
    rows, width = 3, 48  # of capacity
    counts = [[numbers.randint(0, rows) for _ in range(ranks)] for _ in range(ranks)]
    sent = [[few(rows * width) for _ in range(ranks)] for _ in range(ranks)]
    reached = [[sent[source][rank][:counts[source][rank] * width] + [0] * ((rows - counts[source][rank]) * width) for source in range(ranks)]
               for rank in range(ranks)]
    is_right("all_to_all", chip, ranks,
             [f"x={save('sent', (ranks, ranks, rows, width), flat(flat(sent)))}", f"counts={save('counts', (ranks, ranks), flat(counts), 'i')}",
              f"buffers=addresses(zeros({ranks},{rows},{width})):fp16", f"got=addresses(zeros({ranks})):i32", signals, f"width={width}", f"capacity={rows}"],
             [f"buffers={save('reached', (ranks, ranks, rows, width), flat(flat(reached)))}",
              f"got={save('got', (ranks, ranks), [counts[source][rank] for rank in range(ranks) for source in range(ranks)], 'i')}"], *small)
    width = 240
    x = [few(2 * width) for _ in range(ranks)]
    old = few(2 * width)
    summed = [sum(column) + o for column, o in zip(zip(*x), old)]
    weight = [v / 4 for v in few(width)]
    mean = [sum(v * v for v in summed[r * width:(r + 1) * width]) / width + 0.5 for r in range(2)]
    normed = [v / mean[i // width] ** 0.5 * weight[i % width] for i, v in enumerate(summed)]
    is_right("all_reduce_norm", chip, ranks,
             ["x=" + save("rows", (ranks, 2, width), flat(x)), "residual=" + save("old", (ranks, 2, width), old * ranks),
              "weight=" + save("weight", (ranks, width), weight * ranks), f"out=empty(2,{width}):fp16", staging + "fp16", signals, "rows=2",
              f"width={width}", "capacity=1024", "eps=0.5"],
             ["residual=" + save("summed", (ranks, 2, width), summed * ranks), "out=" + save("normed", (ranks, 2, width), normed * ranks)],
             "-D", "WIDTH=256", "--rtol", "2e-3", "--atol", "2e-3", "--seed", str(seed))


LATE = "of rank 1 may not have read yet: no release there, behind its read, and acquire here; among ranks both are of scope \"sys\""
STALE = "of rank 1 stored, without a release there and an acquire here; among ranks both are of scope \"sys\""
# What is changed, into what, and what is said.
FAULTS = [
    ("    _meet(signals, rank, epoch, WORLD)\n    for start", "    tl.debug_barrier()\n    for start", STALE),
    ('rank, epoch, sem="release"', 'rank, epoch, sem="relaxed"', STALE),
    ('own, sem="acquire"', 'own, sem="relaxed"', STALE),
    ('sem="release", scope="sys"', 'sem="release", scope="gpu"', STALE),
    ('sem="acquire", scope="sys"', 'sem="acquire", scope="gpu"', STALE),
    ("    _meet(signals, rank, epoch, WORLD)", "    _meet(signals, rank, epoch - 1, WORLD)", STALE),
    ("rank, epoch, sem=", "rank, epoch - rank, sem=",
     "no rank can go on: rank 0 program (0, 0, 0) reads in vain at "),
    # The next launch: one half of staging alone, and epochs that stay.
    ("half = (epoch & 1)", "half = (epoch & 0)", LATE),
    ("    tl.store(epochs + tl.program_id(0), epoch)", "    pass", STALE),
    ("rank, epoch, sem=", "rank, epoch - rank, sem=", ", rank 1 program (0, 0, 0) reads in vain at "),
]


def faults(chip):
    text = open(example).read()
    for number, (right, wrong, said) in enumerate(FAULTS):
        assert right in text, right
        path = os.path.join(folder, f"fault{number}.tk")
        with open(path, "w") as out:
            out.write(text.replace(right, wrong))
        made = run(path, "all_reduce_one_shot", chip, 2, ["x=ones(480):fp16", "signals=addresses(zeros(8,2)):i32", "out=empty(480):fp16",
                                                          "staging=addresses(zeros(2,2,512)):fp16", "n=480", "capacity=512"], [],
                   "-D", "PROGRAMS=2", "-D", "BLOCK=256", "--launches", "2")
        if made.returncode != 1 or said not in made.stderr:
            failures.append(f"{wrong} on {chip}: {made.stdout}{made.stderr}")


def wrong_usage():
    for arguments, said in [
            (["--ranks", "0"], "--ranks"), (["--on", "cuda", "--ranks", "2"], "in the emulator"),
            (["--level", "machine", "--on", "gfx942", "--ranks", "2"], "runs on one device, not on 2 ranks"),
            (["--launches", "2"], "several launches of 'barrier' need several ranks"),
            (["--ranks", "2", "-a", "epochs=signals"], "no argument is part of another one")]:
        made = subprocess.run([tkc_run, example, "-n", "barrier", "-a", "signals=addresses(zeros(2)):i32", "-a", "epochs=zeros(1):i32",
                               "-a", "rank=rank()", *arguments], capture_output=True, text=True, timeout=100)
        if made.returncode == 0 or said not in made.stderr:
            failures.append(f"{arguments}: {made.stdout}{made.stderr}")


collectives("sm_90a", 2, 0)
collectives("gfx942", 4, 7)
collectives("gfx1100", 8, 0)
for chip in ("sm_90a", "gfx942"):
    faults(chip)
wrong_usage()
for failure in failures:
    print(failure)
sys.exit(bool(failures))
