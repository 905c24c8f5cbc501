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
    command = [tkc_run, source, "-n", kernel, "--on", chip, "--ranks", str(ranks), "-D", f"WORLD={ranks}", "-a", "rank=rank()"]
    command += [] if any(a.startswith("epochs=") for a in arguments) else ["-a", "epochs=zeros(8):i32"]
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
    is_right("all_gather_one_shot", chip, ranks, [given, staging + "fp16", f"out=empty({ranks},{n}):fp16", signals, f"n={n}", "capacity=1024"],
             ["out=" + gathered], *small)
    parts = [few(ranks * 496) for _ in range(ranks)]
    scattered = flat([[sum(p[rank * 496 + i] for p in parts) for i in range(496)] for rank in range(ranks)])
    parts, scattered = save("parts", (ranks, ranks, 496), flat(parts)), [f"out={save('scattered', (ranks, 496), scattered)}"]
    is_right("reduce_scatter", chip, ranks, [f"buffers=addresses({parts}):fp16", "out=empty(496):fp16", signals, "n=496"], scattered, *small)
    is_right("reduce_scatter_one_shot", chip, ranks,
             [f"x={parts}", "out=empty(496):fp16", staging + "fp16", signals, "n=496", "capacity=1024"], scattered, *small)
    rows, width = 3, 48  # of capacity
    counts = [[numbers.randint(0, rows) for _ in range(ranks)] for _ in range(ranks)]
    sent = [[few(rows * width) for _ in range(ranks)] for _ in range(ranks)]
    reached = [[sent[source][rank][:counts[source][rank] * width] + [0] * ((rows - counts[source][rank]) * width) for source in range(ranks)]
               for rank in range(ranks)]
    given = [f"x={save('sent', (ranks, ranks, rows, width), flat(flat(sent)))}", f"counts={save('counts', (ranks, ranks), flat(counts), 'i')}",
             signals, f"width={width}", f"capacity={rows}"]
    reached = save("reached", (ranks, ranks, rows, width), flat(flat(reached)))
    got = save("got", (ranks, ranks), [counts[source][rank] for rank in range(ranks) for source in range(ranks)], "i")
    is_right("all_to_all", chip, ranks, given + [f"buffers=addresses(zeros({ranks},{rows},{width})):fp16", f"got=addresses(zeros({ranks})):i32"],
             [f"buffers={reached}", f"got={got}"], *small)
    is_right("all_to_all_one_shot", chip, ranks,
             given + [f"staging=addresses(zeros(2,{ranks},{rows},{width})):fp16", f"sizes=addresses(zeros(2,{ranks},{ranks})):i32",
                      f"out=zeros({ranks},{rows},{width}):fp16", f"got=zeros({ranks}):i32"], [f"out={reached}", f"got={got}"],
             "-D", f"PROGRAMS={ranks}", *small[2:])
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


def two_hot(rows, numbers):
    """A matrix of rows with two numbers each, by their columns."""
    return [{numbers.randrange(DEPTH // 2): numbers.randint(-3, 3), numbers.randrange(DEPTH // 2, DEPTH): numbers.randint(-3, 3)}
            for _ in range(rows)]


def dense(rows):
    return [row.get(k, 0) for row in rows for k in range(DEPTH)]


def times(rows, b):
    return [sum(v * b[k * WIDE + n] for k, v in row.items()) for row in rows for n in range(WIDE)]


CHUNK, WIDE, DEPTH = 64, 80, 128
TILES = ("-D", f"CHUNK={CHUNK}", "-D", "BLOCK_M=64", "-D", "BLOCK_N=64", "-D", "BLOCK_K=64", "-w", "4", "--num-stages", "3")


def gathered(ranks):
    """Arguments and results of all_gather_product: each rank has its own rows alone at first."""
    numbers = random.Random(ranks)
    chunks = 2 if ranks < 8 else 1
    share = chunks * CHUNK
    a = [two_hot(share, numbers) for _ in range(ranks)]
    b = [[numbers.randint(-3, 3) for _ in range(DEPTH * WIDE)] for _ in range(ranks)]
    own = [v for rank in range(ranks) for at in range(ranks) for v in (dense(a[at]) if at == rank else [0] * (share * DEPTH))]
    c = [v for factor in b for rows in a for v in times(rows, factor)]
    m = ranks * share
    given = [f"peers=addresses({save('own', (ranks, m, DEPTH), own)}):fp16", "a=peers", f"c=empty({m},{WIDE}):fp16",
             f"b={save('factor', (ranks, DEPTH, WIDE), [v for factor in b for v in factor])}", f"flags=addresses(zeros({m // CHUNK})):i32",
             f"M={m}", f"N={WIDE}", f"K={DEPTH}"]
    return given, [f"c={save('product', (ranks, m, WIDE), c)}"], ("-D", "COPIES=2", "-D", "ROUNDS=2", "-D", "STRIDE=3", *TILES)


def scattered(ranks):
    numbers = random.Random(ranks)
    share = CHUNK
    a = [two_hot(ranks * share, numbers) for _ in range(ranks)]
    b = [[numbers.randint(-3, 3) for _ in range(DEPTH * WIDE)] for _ in range(ranks)]
    out = [sum(parts) for parts in zip(*[times(rows, factor) for rows, factor in zip(a, b)])]
    given = [f"a={save('left', (ranks, ranks * share, DEPTH), [v for rows in a for v in dense(rows)])}", f"out=empty({share},{WIDE}):fp16",
             f"b={save('factor', (ranks, DEPTH, WIDE), [v for factor in b for v in factor])}",
             f"staging=addresses(zeros(2,{ranks},{share},{WIDE})):fp16", f"signals=addresses(zeros(2,{ranks})):i32", f"M={ranks * share}",
             f"N={WIDE}", f"K={DEPTH}"]
    return given, [f"out={save('sum', (ranks, share, WIDE), out)}"], TILES


def summed(ranks):
    """Arguments and results of product_sum: what copy engines bring is there, and so are their flags."""
    numbers = random.Random(ranks)
    share = 2 * CHUNK
    a = [two_hot(share, numbers) for _ in range(ranks)]
    b = [numbers.randint(-3, 3) for _ in range(DEPTH * WIDE)]
    parts = [[[numbers.randint(-9, 9) for _ in range(share * WIDE)] for _ in range(ranks)] for _ in range(ranks)]
    own = [sent[(rank + 1) % ranks] for rank, sent in enumerate(parts)]  # the next peer's place is this GPU's
    total = [[sum(v) for v in zip(times(rows, b), *(p for peer, p in enumerate(sent) if peer != rank))]
             for rank, (rows, sent) in enumerate(zip(a, parts))]
    given = [f"a={save('left', (ranks, share, DEPTH), [v for rows in a for v in dense(rows)])}",
             f"c={save('next', (ranks, share, WIDE), [v for part in own for v in part])}",
             f"b={save('factor', (ranks, DEPTH, WIDE), b * ranks)}", f"flags=addresses(ones({ranks},2)):i32", "epochs=ones(1):i32",
             f"parts={save('brought', (ranks, ranks, share, WIDE), [v for sent in parts for p in sent for v in p])}", f"M={share}",
             f"N={WIDE}", f"K={DEPTH}"]
    return given, [f"c={save('sum', (ranks, share, WIDE), [v for t in total for v in t])}"], ("-D", f"GROUP={share}", *TILES)


def products(chip, ranks, launches):
    given, expected, options = gathered(ranks)
    is_right("all_gather_product", chip, ranks, given + ["epochs=ones(1):i32"], expected, *options)
    if chip == "sm_90a":
        given, expected, options = summed(ranks)
        is_right("product_sum", chip, ranks, given, expected, *options)
    given, expected, options = scattered(ranks)
    is_right("product_reduce_scatter", chip, ranks, given + [f"epochs=zeros({2 * ranks}):i32"], expected, *options, "--launches", launches)


LATE = "of rank 1 may not have read yet: no release there, behind its read, and acquire here; among ranks both are of scope \"sys\""
STALE = "stored, without a release there and an acquire here; among ranks both are of scope \"sys\""
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


GATHER_FAULTS = [
    ('tl.atomic_load(flag, sem="acquire"', 'tl.atomic_load(flag, sem="relaxed"', STALE),
    ('1, sem="release", scope="sys"', '1, sem="relaxed", scope="sys"', STALE),
    ('1, sem="release", scope="sys"', '1, sem="release", scope="gpu"', STALE),
    ("* senders * pieces", "* senders * pieces - 1", STALE),
    ('            tl.atomic_add(flag, 1, sem="release", scope="sys")', "            pass", "no rank can go on: rank 0 program"),
    ("comes = tile // tiles >= chunks", "comes = tile // tiles > chunks", STALE),
]
SCATTER_FAULTS = [
    ('flags, sem="acquire"', 'flags, sem="relaxed"', STALE),
    ('(flag, epoch, sem="release"', '(flag, epoch, sem="relaxed"', STALE),
    ('(flag, epoch, sem="release"', '(flag, epoch - 1, sem="release"', "no rank can go on: rank 0 program"),
    ("half = (epoch & 1).to(tl.int64) * WORLD * share", "half = (epoch & 0).to(tl.int64) * WORLD * share", LATE),
]


def product_faults(chip):
    text = open(example).read()
    given, _, options = gathered(2)
    for number, (right, wrong, said) in enumerate(GATHER_FAULTS):
        is_reported(text, right, wrong, said, f"gather{number}", "all_gather_product", chip, given + ["epochs=ones(1):i32"], *options)
    given, _, options = scattered(2)
    for number, (right, wrong, said) in enumerate(SCATTER_FAULTS):
        is_reported(text, right, wrong, said, f"scatter{number}", "product_reduce_scatter", chip, given + ["epochs=zeros(4):i32"], *options,
                    "--launches", "2")


def is_reported(text, right, wrong, said, name, kernel, chip, given, *options):
    assert right in text, right
    path = os.path.join(folder, name + ".tk")
    with open(path, "w") as out:
        out.write(text.replace(right, wrong))
    made = run(path, kernel, chip, 2, given, [], *options)
    if made.returncode != 1 or said not in made.stderr:
        failures.append(f"{wrong} on {chip}: {made.stdout}{made.stderr}")


def faults(chip):
    text = open(example).read()
    given = ["x=ones(480):fp16", "signals=addresses(zeros(8,2)):i32", "out=empty(480):fp16", "staging=addresses(zeros(2,2,512)):fp16", "n=480",
             "capacity=512", "epochs=zeros(8):i32"]
    for number, (right, wrong, said) in enumerate(FAULTS):
        is_reported(text, right, wrong, said, f"fault{number}", "all_reduce_one_shot", chip, given, "-D", "PROGRAMS=2", "-D", "BLOCK=256",
                    "--launches", "2")


def wrong_usage():
    for arguments, said in [
            (["--ranks", "0"], "--ranks"), (["--on", "cuda", "--ranks", "2"], "in the emulator"),
            (["--level", "machine", "--on", "gfx942", "--ranks", "2"], "runs on one device, not on 2 ranks"),
            (["--launches", "2"], "several launches of 'barrier' need several ranks"),
            (["--ranks", "2", "-a", "epochs=signals[1:]"], "an argument is no part of another one")]:
        made = subprocess.run([tkc_run, example, "-n", "barrier", "-a", "signals=addresses(zeros(2)):i32", "-a", "epochs=zeros(1):i32",
                               "-a", "rank=rank()", *arguments], capture_output=True, text=True, timeout=100)
        if made.returncode == 0 or said not in made.stderr:
            failures.append(f"{arguments}: {made.stdout}{made.stderr}")


collectives("sm_90a", 2, 0)
collectives("gfx942", 4, 7)
collectives("gfx1100", 8, 0)
products("sm_90a", 2, "3")
products("sm_90a", 4, "1")
products("sm_90a", 8, "1")
products("gfx942", 2, "2")
# One warp ahead of the others: while it waits, the warp that copies must not watch its flag for ever.
given, expected, options = gathered(2)
is_right("all_gather_product", "sm_90a", 2, given + ["epochs=ones(1):i32"], expected, *options, "--order=ahead")
for chip in ("sm_90a", "gfx942"):
    faults(chip)
product_faults("sm_90a")
wrong_usage()
for failure in failures:
    print(failure)
sys.exit(bool(failures))
