#!/usr/bin/env python3
"""Kernels over several GPUs beside NCCL and PyTorch's symmetric-memory operators: right in every element, and how fast.

    several_gpus.py --compile TKC FOLDER        anywhere: examples/several_gpus.tk for sm_90a and two ranks, and examples/matmul.tk
    several_gpus.py FOLDER                      on a machine with two GPUs: a process for each, all figures, beside NCCL and PyTorch
    several_gpus.py FOLDER --loaded             on two GPUs: results alone, after 1,000 launches beside other kernels
    several_gpus.py FOLDER --one-card           both ranks on two streams of one GPU: results, and what kernels cost there

Each case is a CUDA graph of LAUNCHES launches, replayed REPLAYS times before results are compared again; then the median of ROUNDS, in
microseconds a launch, of the slower rank. Cases come in turn, and each round begins with another, so that clocks treat them alike. PyTorch's
fused products do not run in graphs and are launched one by one; its all-reduces take no fp16 and get bf16. A process that does not end in time
is ended, and said.
"""
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = ["barrier", "all_reduce_words", "all_reduce_one_shot", "all_reduce_two_shot", "all_gather", "reduce_scatter", "all_to_all",
           "all_gather_one_shot", "reduce_scatter_one_shot", "all_to_all_one_shot", "all_reduce_norm", "all_gather_product", "product",
           "product_sum", "product_reduce_scatter"]
COPIED = "all_gather_product_copied"  # by copy engines, in a namespace of its own
RANKS, LAUNCHES, ROUNDS, REPLAYS, SECONDS = 2, 20, 9, 50, 400
SIZES = [1 << 10, 1 << 13, 1 << 16, 1 << 18, 1 << 20, 1 << 23, 1 << 26]  # bytes
HIDDEN, M, N, K = 8192, 8192, 4096, 8192


def compile_all(tkc, folder):
    os.makedirs(folder, exist_ok=True)
    examples = os.path.join(HERE, "..", "..", "examples")
    for kernel in KERNELS:
        subprocess.run([tkc, os.path.join(examples, "several_gpus.tk"), "-n", kernel, "-t", "sm_90a", "-o",
                        os.path.join(folder, kernel + ".ptx")], check=True)
    subprocess.run([tkc, os.path.join(examples, "several_gpus.tk"), "-n", "all_gather_product", "-D", "COPIES=0", "-t", "sm_90a", "-o",
                    os.path.join(folder, COPIED + ".ptx")], check=True)
    subprocess.run([tkc, os.path.join(examples, "matmul.tk"), "--config", "4", "-t", "sm_90a", "-o", os.path.join(folder, "matmul.ptx")],
                   check=True)


class Load:
    """Products and copies of about 4 ms on a stream of their own."""

    def __init__(self):
        self.a, self.b, self.c = (torch.zeros(4096, 4096, dtype=torch.float16, device="cuda") for _ in range(3))
        self.stream = torch.cuda.Stream()

    def __call__(self):
        with torch.cuda.stream(self.stream):
            for _ in range(16):
                torch.matmul(self.a, self.b, out=self.c)
                self.b.copy_(self.c)


class OneCard:
    """Both ranks in this process."""
    local, load = list(range(RANKS)), None

    def __init__(self):
        self.streams, self.kept = [torch.cuda.Stream() for _ in self.local], []

    def symmetric(self, shape, dtype):
        tensors = [torch.zeros(shape, dtype=dtype, device="cuda") for _ in self.local]
        self.kept.append(tensors)
        addresses = torch.tensor([t.data_ptr() for t in tensors], dtype=torch.int64, device="cuda")
        return tensors, [addresses] * RANKS

    def everyone(self, tensors):
        return tensors

    def meet(self):
        torch.cuda.synchronize()

    def worst(self, value):
        return value


class Group:
    """A rank a process. load: what runs beside each replay, or None."""

    def __init__(self, rank):
        import torch.distributed as distributed
        import tkc_torch_symmetric
        torch.cuda.set_device(rank)
        distributed.init_process_group("nccl", rank=rank, world_size=RANKS, init_method="tcp://127.0.0.1:29541", device_id=torch.device("cuda", rank))
        self.distributed, self.memory, self.local, self.streams = distributed, tkc_torch_symmetric, [rank], [torch.cuda.Stream()]
        self.kept, self.load = [], Load() if "--loaded" in sys.argv else None

    def symmetric(self, shape, dtype):
        made = self.memory.zeros(shape, dtype)
        self.kept.append(made)
        return [made.tensor], [made.addresses]

    def everyone(self, tensors):
        all_of_them = [torch.empty_like(tensors[0]) for _ in range(RANKS)]
        self.distributed.all_gather(all_of_them, tensors[0])
        return all_of_them

    def meet(self):
        torch.cuda.synchronize()
        self.distributed.barrier()
        torch.cuda.synchronize()

    def worst(self, value):
        number = torch.tensor([value], device="cuda")
        self.distributed.all_reduce(number, self.distributed.ReduceOp.MAX)
        return float(number)


class Case:
    """`run(i)` launches for local rank i; `check()` counts wrong elements after one launch of all, and if `stays` after any number."""

    def __init__(self, world, name, run, check=None, launches=LAUNCHES, stays=True, graph=True):
        self.world, self.name, self.run, self.check, self.launches, self.times, self.wrong = world, name, run, check, launches, [], None
        self.stays, self.graph = stays, graph

    def once(self):
        for i, stream in enumerate(self.world.streams):
            with torch.cuda.stream(stream):
                self.run(i)
        self.world.meet()

    def prepare(self):
        self.once()
        self.wrong = self.check() if self.check else 0
        self.graphs = [torch.cuda.CUDAGraph() if self.graph else None for _ in self.world.streams]
        for i, (graph, stream) in enumerate(zip(self.graphs, self.world.streams)):
            if graph:
                with torch.cuda.graph(graph, stream=stream, capture_error_mode="thread_local"):
                    self.launch(i)
        for _ in range(-(-REPLAYS * LAUNCHES // self.launches) if self.world.load else REPLAYS):
            self.time()
        self.wrong += self.check() if self.check and self.stays else 0
        self.times.clear()

    def launch(self, i):
        for _ in range(self.launches):
            self.run(i)

    def time(self):
        self.world.meet()
        if self.world.load:
            self.world.load()
        events = [[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in self.graphs]
        for i, (graph, stream, (first, last)) in enumerate(zip(self.graphs, self.world.streams, events)):
            with torch.cuda.stream(stream):
                first.record()
                graph.replay() if graph else self.launch(i)
                last.record()
        self.world.meet()
        self.times.append(self.world.worst(max(first.elapsed_time(last) for first, last in events) / self.launches * 1e3))


def numbers(*shape):
    return torch.randint(-4, 5, shape, device="cuda").half()


def differing(got, wanted):
    return sum(int((a != b).sum()) for a, b in zip(got, wanted))


def zeros32(*shape):
    return torch.zeros(shape, dtype=torch.int32, device="cuda")


class Cases:
    def __init__(self, world):
        self.world, self.made, self.ops = world, [], torch.ops.tkc
        self.each = range(len(world.local))

    def add(self, name, run, check=None, launches=LAUNCHES, stays=True, graph=True):
        if name.startswith("tkc") or not self.world.load:
            self.made.append(Case(self.world, name, run, check, launches, stays, graph))

    def flags(self, programs):
        return self.world.symmetric((programs, RANKS), torch.int32)[1], [zeros32(programs) for _ in self.world.local]

    def all_reduce(self, size):
        n, local, world, ops = size // 2, self.world.local, self.world, self.ops
        x, out = [numbers(n) for _ in local], [numbers(n) for _ in local]
        right = lambda got: lambda: differing(got, [sum(t.float() for t in world.everyone(x)).half()] * len(local))
        if size <= 1 << 16:
            words = world.symmetric((2, RANKS, n), torch.int64)[1]
            epochs = [zeros32(128) for _ in local]
            self.add("tkc words", lambda i: ops.all_reduce_words(x[i], out[i], words[i], epochs[i], local[i], n, n), right(out))
        if size <= 1 << 22:
            staging, (signals, stepped) = world.symmetric((2, RANKS, n), torch.float16)[1], self.flags(64)
            self.add("tkc one shot", lambda i: ops.all_reduce_one_shot(x[i], out[i], staging[i], signals[i], stepped[i], local[i], n, n), right(out))
        own, buffers = world.symmetric((n,), torch.float16)
        flags, count = self.flags(132)
        for i in self.each:
            own[i].copy_(x[i])
        self.add("tkc two shot", lambda i: ops.all_reduce_two_shot(buffers[i], flags[i], count[i], local[i], n), right(own), stays=False)
        if isinstance(world, Group):
            y, group = x[0].clone(), world.distributed.group.WORLD.group_name
            self.add("NCCL", lambda i: world.distributed.all_reduce(y))
            shared = world.memory.zeros((n,), torch.bfloat16)
            if size <= 1 << 22:
                self.add("symm_mem one shot", lambda i: torch.ops.symm_mem.one_shot_all_reduce(shared.tensor, "sum", group))
            self.add("symm_mem two shot", lambda i: torch.ops.symm_mem.two_shot_all_reduce_(shared.tensor, "sum", group))

    def others(self, size):
        """Of one rank's bytes."""
        n, local, world, ops = size // 2, self.world.local, self.world, self.ops
        x, out = [numbers(n) for _ in local], [numbers(n) for _ in local]
        (all_of, where), (parts, parted) = (world.symmetric((RANKS, n), torch.float16) for _ in range(2))
        given = [numbers(RANKS, n) for _ in local]
        for i in self.each:
            parts[i].copy_(given[i])
        s, t, u = (self.flags(64) for _ in range(3))
        self.add("tkc all-gather", lambda i: ops.all_gather(x[i], where[i], s[0][i], s[1][i], local[i], n),
                 lambda: differing(all_of, [torch.stack(world.everyone(x))] * len(local)))
        self.add("tkc reduce-scatter", lambda i: ops.reduce_scatter(parted[i], out[i], t[0][i], t[1][i], local[i], n),
                 lambda: differing(out, [sum(g[r].float() for g in world.everyone(given)).half() for r in local]))
        (got, places), counts = world.symmetric((RANKS, n), torch.float16), torch.full((RANKS,), n // 16, dtype=torch.int32, device="cuda")
        came = world.symmetric((RANKS,), torch.int32)[1]
        self.add("tkc all-to-all", lambda i: ops.all_to_all(given[i], counts, places[i], came[i], u[0][i], u[1][i], local[i], 16, n // 16),
                 lambda: differing(got, [torch.stack([g[r] for g in world.everyone(given)]) for r in local]))
        if size <= 1 << 20:
            self.others_one_shot(n, x, given, out)
        if isinstance(world, Group):
            d, gathered, scattered = world.distributed, torch.empty_like(given[0]), torch.empty_like(x[0])
            self.add("NCCL all-gather", lambda i: d.all_gather_into_tensor(gathered, x[0]))
            self.add("NCCL reduce-scatter", lambda i: d.reduce_scatter_tensor(scattered, given[0]))
            self.add("NCCL all-to-all", lambda i: d.all_to_all_single(gathered, given[0]))

    def others_one_shot(self, n, x, given, out):
        local, world, ops = self.world.local, self.world, self.ops
        all_of = [torch.empty_like(g) for g in given]
        staging = [world.symmetric((2, RANKS, n), torch.float16)[1] for _ in range(3)]
        flags, sizes = [self.flags(128) for _ in range(3)], world.symmetric((2, RANKS, 128), torch.int32)[1]
        counts, got = torch.full((RANKS,), n // 16, dtype=torch.int32, device="cuda"), [zeros32(RANKS) for _ in local]
        self.add("tkc all-gather one shot", lambda i: ops.all_gather_one_shot(x[i], all_of[i], staging[0][i], flags[0][0][i], flags[0][1][i],
                                                                              local[i], n, n),
                 lambda: differing(all_of, [torch.stack(world.everyone(x))] * len(local)))
        self.add("tkc reduce-scatter one shot", lambda i: ops.reduce_scatter_one_shot(given[i], out[i], staging[1][i], flags[1][0][i],
                                                                                      flags[1][1][i], local[i], n, n),
                 lambda: differing(out, [sum(g[r].float() for g in world.everyone(given)).half() for r in local]))
        self.add("tkc all-to-all one shot", lambda i: ops.all_to_all_one_shot(given[i], counts, all_of[i], got[i], staging[2][i], sizes[i],
                                                                              flags[2][0][i], flags[2][1][i], local[i], 16, n // 16),
                 lambda: differing(all_of, [torch.stack([g[r] for g in world.everyone(given)]) for r in local]))

    def norm(self, rows):
        local, world, ops = self.world.local, self.world, self.ops
        x, out = [numbers(rows, HIDDEN) for _ in local], [numbers(rows, HIDDEN) for _ in local]
        old, weight = numbers(rows, HIDDEN), torch.ones(HIDDEN, dtype=torch.float16, device="cuda")
        old = world.everyone([old] * len(local))[0].clone()
        residual, n = [old.clone() for _ in local], rows * HIDDEN
        staging, (signals, epochs) = world.symmetric((2, RANKS, n), torch.float16)[1], self.flags(64)
        self.add("tkc all-reduce + norm", lambda i: ops.all_reduce_norm(x[i], residual[i], weight, out[i], staging[i], signals[i], epochs[i],
                                                                        local[i], rows, HIDDEN, n, 1e-6),
                 lambda: differing(residual, [(sum(t.float() for t in world.everyone(x)) + old).half()] * len(local)),
                 stays=False)
        if isinstance(world, Group):
            y, kept = x[0].clone(), old.clone()

            def apart(i):
                world.distributed.all_reduce(y)
                kept.add_(y)
                torch.nn.functional.rms_norm(kept, (HIDDEN,), weight, 1e-6)
            self.add("NCCL + kernels", apart)

    def products(self):
        """Where both ranks are on one card, one rank alone, whose waits are over: its kernel takes all multiprocessors."""
        local, world, ops = self.world.local[:1], self.world, self.ops
        alone = isinstance(world, OneCard)
        first = lambda run: lambda i: run() if i == 0 else None
        rank, passed = local[0], 1 << 30
        own, peers = world.symmetric((M, K), torch.float16)
        b, c, wide, high = numbers(K, N), torch.empty(M, N, dtype=torch.float16, device="cuda"), numbers(N, K), numbers(M, N)
        counts, flags = world.symmetric((M // 512,), torch.int32)
        meeting, epochs = self.flags(1)
        out = torch.empty(M // RANKS, K, dtype=torch.float16, device="cuda")
        tiles = M // RANKS // 128 * (K // 256)
        marks, signals = world.symmetric((tiles, RANKS), torch.int32)
        staging, stepped = world.symmetric((2, RANKS, M // RANKS, K), torch.float16)[1], zeros32(RANKS * tiles)
        share = numbers(M // RANKS, K)
        own[0][rank * M // RANKS:(rank + 1) * M // RANKS] = share
        if alone:
            for mark in (*counts, *marks):
                mark.fill_(passed)

        def gather():
            if not alone:
                ops.barrier(meeting[0], epochs[0], rank)
            ops.all_gather_product(own[0], peers[0], b, c, flags[0], epochs[0], rank, M, N, K)
        whole = lambda: torch.cat(world.everyone([share])) if not alone else own[0]
        parts = lambda: [l.float() @ r.float() for l, r in zip(world.everyone([high]), world.everyone([wide]))]
        total = lambda: sum(part if r == rank else part.half().float() for r, part in enumerate(parts())).half()  # sent as fp16
        self.add("tkc all-gather + product", first(gather), lambda: differing([c], [(whole().float() @ b.float()).half()]), 8)
        self.add("tkc product + reduce-scatter", first(lambda: ops.product_reduce_scatter(high, wide, out, staging[0], signals[0], stepped, rank, M, K, N)),
                 None if alone else lambda: differing([out], [total()[rank * M // RANKS:(rank + 1) * M // RANKS]]), 8)
        self.add("tkc product", first(lambda: ops.matmul(own[0], b)), None, 8)
        self.add("cuBLAS product", first(lambda: torch.matmul(own[0], b, out=c)), None, 8)
        self.add("tkc product of the sums", first(lambda: ops.matmul(high, wide)), None, 8)
        if not alone:
            self.products_copied(share, b, c, high, wide, lambda: (whole().float() @ b.float()).half(),
                                 lambda: sum(part.half().float() for part in parts()).half()[rank * M // RANKS:(rank + 1) * M // RANKS])
            d, rows, part, product = world.distributed, torch.empty_like(own[0]), torch.empty_like(out), torch.empty(M, K, dtype=torch.float16, device="cuda")
            name = d.group.WORLD.group_name
            self.add("NCCL all-gather", lambda i: d.all_gather_into_tensor(rows, share), None, 8)
            self.add("NCCL reduce-scatter", lambda i: d.reduce_scatter_tensor(part, product), None, 8)
            self.add("symm_mem all-gather + product", lambda i: torch.ops.symm_mem.fused_all_gather_matmul(share, [b], 0, name), None, 8, graph=False)
            self.add("symm_mem product + reduce-scatter", lambda i: torch.ops.symm_mem.fused_matmul_reduce_scatter(high, wide, "sum", 0, name), None, 8, graph=False)

    def products_copied(self, share, b, c, high, wide, gathered, scattered):
        """With copies by copy engines; the peers' rows of the second product in pieces, so that copies start early."""
        world, ops, rank, made = self.world, self.ops, self.world.local[0], self.world.memory
        copies, size, chunk, sent = made.CopyStream(), M // RANKS, 512, 1024
        meeting, epochs = self.flags(1)
        all_rows, flags = made.zeros((M, K), torch.float16), made.zeros((RANKS, size // chunk), torch.int32)
        parts, marks = made.zeros((RANKS, size, K), torch.float16), made.zeros((RANKS, size // chunk), torch.int32)
        own_rows, half = all_rows.tensor[rank * size:(rank + 1) * size], torch.empty(M, K, dtype=torch.float16, device="cuda")
        own_rows.copy_(share)
        self.kept = all_rows, flags, parts, marks
        there = {peer: [made_.of(peer) for made_ in self.kept] for peer in range(RANKS) if peer != rank}

        def gather(i):
            ops.barrier(meeting[0], epochs[0], rank)
            copies.begin()
            for peer, (rows, flag, _, _) in there.items():
                copies.send(own_rows, rows[rank * size:(rank + 1) * size], flag[rank], epochs[0], chunk)
            torch.ops.tkc_copied.all_gather_product(all_rows.tensor, all_rows.addresses, b, c, flags.addresses, epochs[0], rank, M, N, K)
            copies.end()

        def scatter(i):
            ops.barrier(meeting[0], epochs[0], rank)
            for peer, (_, _, rows, mark) in there.items():
                to = rows[peer if (peer + 1) % RANKS == rank else rank]
                for first in range(0, size, sent):
                    at = slice(peer * size + first, peer * size + first + sent)
                    ops.product(high[at], wide, half[at], sent, K, N)
                    copies.begin()
                    copies.send(half[at], to[first:first + sent], mark[rank, first // chunk:], epochs[0], chunk)
            ops.product_sum(high[rank * size:(rank + 1) * size], wide, parts.tensor[rank], parts.tensor, marks.addresses, epochs[0], rank, size, K, N)
            copies.end()
        self.add("tkc all-gather + product, copied", gather, lambda: differing([c], [gathered()]), 8)
        self.add("tkc product + reduce-scatter, copied", scatter, lambda: differing([parts.tensor[rank]], [scattered()]), 8)


def load(folder):
    """All kernels are loaded before the first of them waits: loading waits for the device."""
    for kernel in [*KERNELS, "matmul"]:
        tkc_torch.load(os.path.join(folder, kernel + ".json"))
    tkc_torch.load(os.path.join(folder, COPIED + ".json"), namespace="tkc_copied")
    passed = torch.full((256, RANKS), 1 << 30, dtype=torch.int32, device="cuda")
    flags = torch.tensor([passed.data_ptr()] * RANKS, dtype=torch.int64, device="cuda")
    room = torch.zeros(1 << 22, dtype=torch.float16, device="cuda")
    rooms, ops, e = torch.tensor([room.data_ptr()] * RANKS, dtype=torch.int64, device="cuda"), torch.ops.tkc, zeros32(256)
    ops.barrier(flags, e, 0)
    words = torch.full((1 << 12,), 1 << 32, dtype=torch.int64, device="cuda")  # all of the first launch
    ops.all_reduce_words(room, room, torch.tensor([words.data_ptr()] * RANKS, dtype=torch.int64, device="cuda"), zeros32(128), 0, 256, 256)
    ops.all_reduce_one_shot(room, room, rooms, flags, e, 0, 256, 256)
    ops.all_reduce_two_shot(rooms, flags, e, 0, 256)
    ops.all_gather(room, rooms, flags, e, 0, 256)
    ops.reduce_scatter(rooms, room, flags, e, 0, 256)
    ops.all_to_all(room, zeros32(RANKS), rooms, rooms, flags, e, 0, 16, 1)
    ops.all_gather_one_shot(room, room, rooms, flags, e, 0, 256, 256)
    ops.reduce_scatter_one_shot(room, room, rooms, flags, e, 0, 256, 256)
    ops.all_to_all_one_shot(room, zeros32(RANKS), room, zeros32(RANKS), rooms, rooms, flags, e, 0, 16, 1)
    ops.all_reduce_norm(room, room, room, room, rooms, flags, e, 0, 1, 16, 16, 1.0)
    ops.product(room, room, room, 128, 256, 64)
    ops.product_sum(room, room, room, room, flags, zeros32(1), 0, 2048, 256, 64)
    ops.all_gather_product(room, rooms, room, room, flags, zeros32(1), 0, 1024, 256, 64)
    ops.product_reduce_scatter(room, room, room, rooms, flags, zeros32(256), 0, 1024, 256, 64)
    torch.cuda.synchronize()


def measure(world):
    failed = 0
    titles = [(f"all-reduce, {size >> 10} KiB", "all_reduce", size) for size in SIZES]
    titles += [(f"{size >> 10} KiB of a rank", "others", size) for size in (1 << 16, 1 << 20, 1 << 24)]
    titles += [(f"norm, {rows} rows", "norm", rows) for rows in (1, 8, 64)]
    titles += [(f"products {M} x {N} x {K}", "products", None)]
    for title, kind, argument in titles:
        cases = Cases(world)
        getattr(cases, kind)(*([] if argument is None else [argument]))
        for case in cases.made:
            try:
                case.prepare()
            except Exception as error:  # an operator missing from this PyTorch
                if case.name.startswith("tkc"):
                    raise
                print(f"{title:28} {case.name:34} {str(error).splitlines()[0][:60]}", flush=True)
                case.times = None
        timed = [case for case in cases.made if case.times is not None]
        for start in range(0 if world.load else ROUNDS):
            for number in range(len(timed)):
                timed[(start * len(timed) // ROUNDS + number) % len(timed)].time()
        for case in cases.made:
            if case.times is not None and 0 in world.local:
                took = f"{statistics.median(case.times):9.2f} us" if case.times else "beside other kernels"
                print(f"{title:28} {case.name:34} {took}  {case.wrong} wrong", flush=True)
            failed += bool(case.wrong)
    return failed


def main():
    global torch, tkc_torch
    if sys.argv[1] == "--compile":
        compile_all(*sys.argv[2:4])
        return 0
    if "--rank" not in sys.argv and "--one-card" not in sys.argv:
        children = [subprocess.Popen([sys.executable, __file__, *sys.argv[1:], "--rank", str(rank)]) for rank in range(RANKS)]
        try:
            return max(child.wait(timeout=SECONDS) for child in children)
        except subprocess.TimeoutExpired:
            print(f"not done after {SECONDS} s", flush=True)
            return 1
        finally:
            for child in children:
                child.kill()
    import torch
    sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "tools")]
    import tkc_torch
    torch.manual_seed(int(sys.argv[-1]) if "--rank" in sys.argv else 0)
    world = OneCard() if "--one-card" in sys.argv else Group(int(sys.argv[-1]))
    load(sys.argv[1])
    return bool(measure(world))


if __name__ == "__main__":
    sys.exit(main())
