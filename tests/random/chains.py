"""Random chains of random kernels against an interpreter of the same trees.

    chains.py TKC_RUN FOLDER [--seeds A-B] [--chips LIST] [--show] [--norms]

A chain has 2 to 6 kernels: rows with and without sums, one index through all rows, tiles, totals of rows and of columns, products. Each is
drawn anew, and takes any arrays that are there: what the one ahead made, what an older one made, inputs of its own, so that steps join,
stay apart, share what they read, or have nothing to do with each other. Values are whole numbers that every type holds, so results are
exact in any order; what is stored is compared with Python's integers. The chain also runs with --no-fuse on one chip, which tells a fault
of the fusion from one of the kernels. With --norms a chain begins with rows that are scaled by a factor of the row and by columns, their
product or two, and at times a step behind these long enough to be computed beside the next tile's products, and also runs with
--fuse=reassociate: factors are powers of two, so results stay exact. Only Python's own library is needed.
"""
import argparse
import os
import random
import re
import struct
import subprocess
import sys

CHIPS = ["sm_80", "sm_90a", "gfx942", "gfx950", "gfx1100", "gfx1200"]
SIZES = [(5, 48, 64), (33, 80, 128), (16, 64, 64), (70, 16, 16), (1, 208, 256), (24, 128, 128)]  # rows, columns, a block for a row
TWO_TILES = (140, 48, 64)
NPY = {"fp16": ("<f2", "e"), "fp32": ("<f4", "f"), "i32": ("<i4", "i"), "i8": ("|i1", "b")}
FLOATS = ("fp16", "fp32")
MOST = 40  # every stored number is in -MOST ... MOST


def write_npy(name, dtype, shape, values):
    descr, code = NPY[dtype]
    header = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (descr, "".join("%d, " % s for s in shape))
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    with open(name, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        out.write(struct.pack("<%d%s" % (len(values), code), *values))


class Array:
    def __init__(self, name, dtype, dims, values):
        self.name, self.dtype, self.dims, self.values = name, dtype, dims, values


def clamp(v):
    return max(-MOST, min(MOST, v))


def half(v):
    return struct.unpack("<e", struct.pack("<e", v))[0]


class Chain:
    def __init__(self, seed, norms=False):
        self.r = random.Random(seed)
        self.seed = seed
        self.rows, self.columns, self.block = TWO_TILES if norms and self.r.random() < 0.3 else self.r.choice(SIZES)
        self.arrays, self.inputs, self.kernels, self.calls, self.made, self.hidden = [], [], [], [], [], []
        if norms:
            self.scaled()
        for i in range(len(self.made), len(self.made) + self.r.randint(*((0, 2) if norms else (2, 6)))):
            self.step(i)
        last = self.made[-1]
        taken = {a for _, arrays in self.calls for a in arrays}
        self.outputs = [a for a in self.made if a is last or (a not in taken and a not in self.hidden) or self.r.random() < 0.2]

    # ---- arrays

    def size(self, dims):
        size = 1
        for d in dims:
            size *= {"M": self.rows, "N": self.columns}[d]
        return size

    def input(self, dims, dtype=None):
        a = Array("in%d" % len(self.inputs), dtype or self.r.choice(list(NPY)), dims, [])
        a.values = [self.r.randint(-9, 9) for _ in range(self.size(dims))]
        self.inputs.append(a)
        self.arrays.append(a)
        return a

    def pick(self, dims, dtypes=tuple(NPY)):
        fits = [a for a in self.arrays if a.dims == dims and a.dtype in dtypes]
        new = [a for a in fits if a in self.made]
        if new and self.r.random() < 0.75:
            return new[-1] if self.r.random() < 0.7 else self.r.choice(new)
        return self.r.choice(fits) if fits and self.r.random() < 0.4 else self.input(dims, self.r.choice(dtypes))

    # ---- trees: the text of an expression, and a function of the element's values

    def tree(self, leaves, depth):
        r = self.r
        if depth == 0 or r.random() < 0.15:
            i = r.randrange(len(leaves))
            return leaves[i], lambda v: v[i]
        (a, f), (b, g) = self.tree(leaves, depth - 1), self.tree(leaves, depth - 1)
        kind, n = r.randrange(8), r.randint(-6, 6)
        if kind == 0:
            return "(%s + %s)" % (a, b), lambda v: f(v) + g(v)
        if kind == 1:
            return "(%s - %s)" % (a, b), lambda v: f(v) - g(v)
        if kind == 2:
            text = "tl.minimum(tl.maximum(%s, -%d), %d) * %d" % (a, MOST, MOST, n)
            return "(%s)" % text, lambda v: clamp(f(v)) * n
        if kind == 3:
            return "tl.maximum(%s, %s)" % (a, b), lambda v: max(f(v), g(v))
        if kind == 4:
            return "tl.where(%s > %d, %s, %s)" % (a, n, b, a), lambda v: g(v) if f(v) > n else f(v)
        if kind == 5:
            return "tl.abs(%s)" % a, lambda v: abs(f(v))
        if kind == 6:
            text = "(tl.minimum(tl.maximum(%s, -%d), %d) * tl.minimum(tl.maximum(%s, -%d), %d))"
            return text % (a, MOST, MOST, b, MOST, MOST), lambda v: clamp(f(v)) * clamp(g(v))
        return "(-%s)" % a, lambda v: -f(v)

    # ---- kernels

    def add(self, i, params, body, grid, tensors_in, *outs):
        name = "k%s" % i
        arrays = [a for a, _ in tensors_in] + list(outs)
        kernel = "@triton.jit\ndef %s(%s, %s):\n" % (
            name, ", ".join('%s: "*%s:16"' % (p, a.dtype) for p, a in zip(params, arrays)), 'M: "i32", N: "i32:16"')
        kernel += "".join("    %s\n" % line for line in body)
        kernel += "\n\n%s.grid = lambda meta: %s\n" % (name, grid)
        shape = lambda a: ", ".join(a.dims)
        described = ["%s[%s]" % (p, shape(a)) for p, a in zip(params, arrays)]
        kernel += '%s.tensors = "%s -> %s"\n' % (name, ", ".join(described[:-len(outs)]), ", ".join(described[-len(outs):]))
        self.kernels.append(kernel)
        self.calls.append(("%s(%s, M=M, N=N)" % (name, ", ".join(a.name for a in arrays)), arrays[:-len(outs)]))
        self.arrays += outs
        self.made += outs

    def out(self, i, dims="MN", dtypes=tuple(NPY)):
        return Array("t%d" % i, self.r.choice(dtypes), dims, [])

    def number(self):
        return self.r.choice(["fp32", "i32"])  # in which it computes

    def cast(self, dtype):
        return {"fp16": "tl.float16", "fp32": "tl.float32", "i32": "tl.int32", "i8": "tl.int8"}[dtype]

    def elements(self, f, gives):
        n = self.columns
        return [clamp(f(gives(e // n, e % n))) for e in range(self.rows * n)]

    def sources(self):
        take = [(self.pick("MN"), "MN")] + [(self.pick(d), d) for d in self.r.choices(["MN", "M", "N"], k=self.r.randint(0, 2))]
        return take, ["p%d" % k for k in range(len(take))]

    def given(self, take):
        n = self.columns
        at = {"MN": lambda i, j: i * n + j, "M": lambda i, j: i, "N": lambda i, j: j}
        return lambda i, j: [a.values[at[d](i, j)] for a, d in take]

    # Three chains in five are of what often becomes one kernel.
    def step(self, i):
        many = [self.row, self.row, self.row, self.flat, self.tiles]
        self.r.choice(many if self.seed % 5 < 3 else many + [self.total, self.column_total, self.product])(i)

    def row(self, i):
        take, params = self.sources()
        out, number, r = self.out(i), self.number(), self.r
        at = {"MN": "row * N + c", "M": "row", "N": "c"}
        body = ["row = tl.program_id(0)", "c = tl.arange(0, %d)" % self.block]
        leaves = ["v%d" % k for k in range(len(take))]
        for p, v, (a, d) in zip(params, leaves, take):
            mask = "" if d == "M" else ", mask=c < N, other=0"
            body.append("%s = tl.load(%s + %s%s).to(%s)" % (v, p, at[d], mask, self.cast(number)))
        gives = self.given(take)
        sums = r.choice([None, "sum", "max", "min"])
        if sums:
            text, f = self.tree(leaves, 1)
            start = {"sum": "0", "max": "-9999", "min": "9999"}[sums]
            body.append("s = tl.%s(tl.where(c < N, tl.minimum(tl.maximum(%s, -%d), %d), %s), 0)" % (sums, text, MOST, MOST, start))
            of = {"sum": sum, "max": max, "min": min}[sums]
            rows = [of(clamp(f(gives(x, y))) for y in range(self.columns)) for x in range(self.rows)]
            leaves, take_row = leaves + ["s"], gives
            gives = lambda x, y: take_row(x, y) + [rows[x]]
        text, f = self.tree(leaves, r.randint(1, 3))
        body.append("v = tl.minimum(tl.maximum(%s + tl.zeros([%d], %s), -%d), %d)" % (text, self.block, self.cast(number), MOST, MOST))
        body.append("tl.store(y + row * N + c, v.to(%s), mask=c < N)" % self.cast(out.dtype))
        out.values = self.elements(f, gives)
        self.add(i, params + ["y"], body, '(meta["M"],)', take, out)

    def flat(self, i):
        take, params = self.sources()
        out, number = self.out(i), self.number()
        block = self.r.choice([64, 256, 1024])
        at = {"MN": "i", "M": "i // N", "N": "i % N"}
        body = ["i = tl.program_id(0) * %d + tl.arange(0, %d)" % (block, block)]
        leaves = ["v%d" % k for k in range(len(take))]
        for p, v, (a, d) in zip(params, leaves, take):
            body.append("%s = tl.load(%s + %s, mask=i < M * N, other=0).to(%s)" % (v, p, at[d], self.cast(number)))
        text, f = self.tree(leaves, self.r.randint(1, 3))
        body.append("v = tl.minimum(tl.maximum(%s, -%d), %d)" % (text, MOST, MOST))
        body.append("tl.store(y + i, v.to(%s), mask=i < M * N)" % self.cast(out.dtype))
        out.values = self.elements(f, self.given(take))
        n = 'meta["M"] * meta["N"]'
        grid = self.r.choice(["triton.cdiv(%s, %d)", "(%s - 1) // %d + 1", "-(-%s // %d)", "max(%s // %d + 1, 1)"]) % (n, block)
        self.add(i, params + ["y"], body, "(%s,)" % grid, take, out)

    def tiles(self, i):
        take, params = self.sources()
        out, number = self.out(i), self.number()
        bm, bn = self.r.choice([8, 16, 32]), self.r.choice([16, 32, 64])
        at = {"MN": "rows * N + columns", "M": "rows", "N": "columns"}
        body = ["rows = tl.program_id(0) * %d + tl.arange(0, %d)[:, None]" % (bm, bm),
                "columns = tl.program_id(1) * %d + tl.arange(0, %d)[None, :]" % (bn, bn), "inside = (rows < M) & (columns < N)"]
        mask = {"MN": "inside", "M": "rows < M", "N": "columns < N"}
        leaves = ["v%d" % k for k in range(len(take))]
        for p, v, (a, d) in zip(params, leaves, take):
            body.append("%s = tl.load(%s + %s, mask=%s, other=0).to(%s)" % (v, p, at[d], mask[d], self.cast(number)))
        text, f = self.tree(leaves, self.r.randint(1, 3))
        body.append("v = tl.minimum(tl.maximum(%s + tl.zeros([%d, %d], %s), -%d), %d)" % (text, bm, bn, self.cast(number), MOST, MOST))
        body.append("tl.store(y + rows * N + columns, v.to(%s), mask=inside)" % self.cast(out.dtype))
        out.values = self.elements(f, self.given(take))
        self.add(i, params + ["y"], body, '(triton.cdiv(meta["M"], %d), triton.cdiv(meta["N"], %d))' % (bm, bn), take, out)

    def total(self, i):
        x, out = self.pick("MN"), self.out(i, "M")
        step = self.r.choice([self.block, 16])
        body = ["row = tl.program_id(0)", "s = tl.zeros([%d], tl.int32)" % step, "for start in range(0, N, %d):" % step,
                "    c = start + tl.arange(0, %d)" % step, "    s += tl.load(x + row * N + c, mask=c < N, other=0).to(tl.int32)",
                "t = tl.sum(s, 0)", "tl.store(y + row, tl.minimum(tl.maximum(t, -%d), %d).to(%s))" % (MOST, MOST, self.cast(out.dtype))]
        n = self.columns
        out.values = [clamp(sum(x.values[k * n:k * n + n])) for k in range(self.rows)]
        self.add(i, ["x", "y"], body, '(meta["M"],)', [(x, "MN")], out)

    def column_total(self, i):
        x, out = self.pick("MN"), self.out(i, "N")
        body = ["c = tl.program_id(0) * 32 + tl.arange(0, 32)", "s = tl.zeros([32], tl.float32)", "for row in range(0, M):",
                "    s += tl.load(x + row * N + c, mask=c < N, other=0).to(tl.float32)",
                "tl.store(y + c, tl.minimum(tl.maximum(s, -%d), %d).to(%s), mask=c < N)" % (MOST, MOST, self.cast(out.dtype))]
        out.values = [clamp(sum(x.values[k::self.columns])) for k in range(self.columns)]
        self.add(i, ["x", "y"], body, '(triton.cdiv(meta["N"], 32),)', [(x, "MN")], out)

    # The largest element of each row of x times w transposed: a product in a loop, and what follows of its sums.
    def product(self, i):
        x, w, out = self.pick("MN", ("fp16",)), self.pick("MN", ("fp16",)), self.out(i, "M")
        bm, bk = self.r.choice([16, 32, 64]), self.r.choice([16, 32])
        body = ["rows = tl.program_id(0) * %d + tl.arange(0, %d)" % (bm, bm), "depth = tl.arange(0, %d)" % bk,
                "best = tl.zeros([%d], tl.float32)" % bm, "for start in range(0, M, %d):" % bm, "    others = start + tl.arange(0, %d)" % bm,
                "    sums = tl.zeros([%d, %d], tl.float32)" % (bm, bm), "    for k in range(0, N, %d):" % bk,
                "        a = tl.load(x + rows[:, None] * N + k + depth[None, :], mask=(rows[:, None] < M) & (k + depth[None, :] < N), other=0)",
                "        b = tl.load(w + others[None, :] * N + k + depth[:, None], mask=(others[None, :] < M) & (k + depth[:, None] < N), other=0)",
                "        sums = tl.dot(a, b, sums)", "    best = tl.maximum(best, tl.max(sums, 1))",
                "tl.store(y + rows, tl.minimum(best, %d).to(%s), mask=rows < M)" % (MOST, self.cast(out.dtype))]
        n, m = self.columns, self.rows
        row = lambda a, k: a.values[k * n:k * n + n]
        out.values = [clamp(max(0, max(sum(p * q for p, q in zip(row(x, k), row(w, l))) for l in range(m)))) for k in range(m)]
        self.add(i, ["x", "w", "y"], body, '(triton.cdiv(meta["M"], %d),)' % bm, [(x, "MN"), (w, "MN")], out)

    # A sum of two arrays, by a step of its own or in the step that scales the rows: its lines there, and what these load.
    def residual(self):
        x, y, t = self.input("MN", "fp16"), self.input("MN", "fp16"), Array("sum", "fp16", "MN", [])
        t.values = [p + q for p, q in zip(x.values, y.values)]
        load = "tl.load(%s + row * N + c, mask=c < N, other=0)"
        body = ["s = %s + %s" % (load % "x", load % "r"), "tl.store(t + row * N + c, s, mask=c < N)"]
        if self.r.random() < 0.5:
            return t, body + ["v = s.to(tl.float32)"], [(x, "MN"), (y, "MN")]
        self.add("_sum", ["x", "r", "t"], ["row = tl.program_id(0)", "c = tl.arange(0, %d)" % self.block] + body, '(meta["M"],)',
                 [(x, "MN"), (y, "MN")], t)
        return t, ["v = %s.to(tl.float32)" % (load % "x")], [(t, "MN")]

    # Rows times a power of two that their sum chooses, times or without a factor of each column, and their product with another matrix.
    def scaled(self):
        r, n, m = self.r, self.columns, self.rows
        column, less, whole = r.random() < 0.2, r.random() < 0.4, r.random() < 0.7
        w = self.input("MN", "fp16")
        if r.random() < 0.5:
            x, begin, take = self.residual()
        else:
            x = self.input("MN", "fp16")
            begin, take = ["v = tl.load(x + row * N + c, mask=c < N, other=0).to(tl.float32)"], [(x, "MN")]
        more_outs = [x] if len(take) == 2 else []
        g = self.input("N", r.choice(FLOATS)) if column else None
        h, out = Array("t0", "fp16", "MN", []), Array("t1", "fp32" if whole else "fp16", "MM", [])
        of, limit, more = r.choice(["v * v", "tl.abs(v)"]), r.randint(0, 40 * n), r.choice([2, 4])
        value = (lambda v: v * v) if of == "v * v" else abs
        body = ["row = tl.program_id(0)", "c = tl.arange(0, %d)" % self.block] + begin
        body.append("f = tl.where(tl.sum(%s, 0) > %d, %d.0, 1.0)" % (of, limit, more))
        if column:
            body.append("g = tl.load(w + c, mask=c < N, other=0).to(tl.float32)")
        text = ("v / f" if less else "v * f") + (" * g" if column else "")
        body.append("tl.store(y + row * N + c, (%s * %d).to(tl.float16), mask=c < N)" % (text, more))
        for k in range(m):
            row = x.values[k * n:k * n + n]
            f = more if sum(map(value, row)) > limit else 1
            h.values += [v * (more // f if less else more * f) * (g.values[c] if column else 1) for c, v in enumerate(row)]
        if more_outs and r.random() < 0.3:
            self.hidden.append(x)  # nobody else sees it
        self.add(0, ["x", "r"][:len(take)] + ["w"] * column + ["t"] * len(more_outs) + ["y"], body, '(meta["M"],)', take + [(g, "N")] * column,
                 *more_outs, h)
        if r.random() < 0.8:
            self.arrays.remove(h)  # else a later step may need it, and it stays
        bm, bn, bk = 128, r.choice([128, 256, 256]), r.choice([32, 64])
        count, at = r.choice([("range(0, N, %d)" % bk, "k"), ("range(0, tl.cdiv(N, %d))" % bk, "k * %d" % bk)])
        body = ["tiles = tl.cdiv(M, %d)" % bn, "rows = tl.program_id(0) // tiles * %d + tl.arange(0, %d)" % (bm, bm),
                "others = tl.program_id(0) %% tiles * %d + tl.arange(0, %d)" % (bn, bn), "depth = tl.arange(0, %d)" % bk,
                "sums = tl.zeros([%d, %d], tl.float32)" % (bm, bn), "for k in %s:" % count, "    d = %s + depth" % at,
                "    a = tl.load(x + rows[:, None] * N + d[None, :], mask=(rows[:, None] < M) & (d[None, :] < N), other=0)",
                "    b = tl.load(w + others[None, :] * N + d[:, None], mask=(others[None, :] < M) & (d[:, None] < N), other=0)",
                "    sums = tl.dot(a, b, sums)", "v = sums" if whole else "v = tl.minimum(tl.maximum(sums, -%d), %d).to(tl.float16)" % (MOST, MOST),
                "tl.store(y + rows[:, None] * M + others[None, :], v, mask=(rows[:, None] < M) & (others[None, :] < M))"]
        row = lambda a, k: a.values[k * n:k * n + n]
        narrow, products, other = not whole and r.random() < 0.7, [], body[-2]
        for number in range(1, 3 if bn == 128 and r.random() < 0.5 else 2):  # two products of the rows become one loop
            w = w if number == 1 else self.input("MN", "fp16")
            out = Array("t%d" % number, out.dtype, "MM", [])
            sums = [sum(p * q for p, q in zip(row(h, k), row(w, l))) for k in range(m) for l in range(m)]
            products += [out] if narrow and max(map(abs, sums)) < 60000 else []
            body[-2] = "v = sums.to(tl.float16)" if out in products else other
            out.values = sums if whole else [half(v) for v in sums] if out in products else [clamp(v) for v in sums]
            self.add("_product%d" % number, ["x", "w", "y"], body, '(triton.cdiv(meta["M"], %d) * triton.cdiv(meta["M"], %d),)' % (bm, bn),
                     [(h, "MN"), (w, "MN")], out)
        if products:
            self.hidden += products
            self.behind(products)

    # What is computed of products narrowed to 16 bits, and at times of one more array.
    def behind(self, products):
        take = products + ([self.input("MM", "fp16")] if self.r.random() < 0.5 else [])
        params = ["p%d" % k for k in range(len(take))]
        leaves, m = ["v%d" % k for k in range(len(take))], self.rows
        body = ["i = tl.program_id(0) * 1024 + tl.arange(0, 1024)"]
        body += ["%s = tl.load(%s + i, mask=i < M * M, other=0).to(tl.float32)" % (v, p) for v, p in zip(leaves, params)]
        text, f = self.tree(leaves, 4)
        body.append("v = tl.minimum(tl.maximum(%s, -%d), %d)" % (text, MOST, MOST))
        body.append("tl.store(y + i, v.to(tl.float16), mask=i < M * M)")
        out = Array("behind", "fp16", "MM", [])
        out.values = [clamp(f([a.values[e] for a in take])) for e in range(m * m)]
        self.add("_behind", params + ["y"], body, '(triton.cdiv(meta["M"] * meta["M"], 1024),)', [(a, "MM") for a in take], out)

    # ---- files and runs

    def source(self):
        calls = "; ".join(c for c, _ in self.calls) + " -> " + ", ".join(a.name for a in self.outputs)
        return "import triton\nimport triton.language as tl\n\n\n%s\n\nclass chain:\n    pass\n\n\nchain.chain = \"%s\"\n" % (
            "\n\n".join(self.kernels), calls)

    def write(self, folder):
        os.makedirs(folder, exist_ok=True)
        open(os.path.join(folder, "chain.tk"), "w").write(self.source())
        for a in self.inputs + self.outputs:
            sizes = [{"M": self.rows, "N": self.columns}[d] for d in a.dims]
            write_npy(os.path.join(folder, a.name + ".npy"), a.dtype, sizes, a.values)

    def command(self, run, folder, chip, *more):
        given = ["M=%d" % self.rows, "N=%d" % self.columns] + ["%s=%s/%s.npy" % (a.name, folder, a.name) for a in self.inputs]
        for a in self.outputs:
            given.append("%s=empty(%s):%s" % (a.name, ",".join(str({"M": self.rows, "N": self.columns}[d]) for d in a.dims), a.dtype))
        expected = ["%s=%s/%s.npy" % (a.name, folder, a.name) for a in self.outputs]
        return [run, os.path.join(folder, "chain.tk"), "-q", "-j", "1", "--chain", "chain", "--on", chip, *more,
                *(x for g in given for x in ("--arg", g)), *(x for e in expected for x in ("--expect", e))]


def execute(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("run")
    parser.add_argument("folder")
    parser.add_argument("--seeds", default="1-12")
    parser.add_argument("--chips", default=",".join(CHIPS))
    parser.add_argument("--one", action="store_true", help="each chain on one chip, in turn")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--norms", action="store_true")
    given = parser.parse_args()
    first, last = (int(x) for x in given.seeds.split("-"))
    chips, faults, runs = given.chips.split(","), 0, 0
    for seed in range(first, last + 1):
        chain, folder = Chain(seed, given.norms), os.path.join(given.folder, str(seed))
        chain.write(folder)
        if given.show:
            print(chain.source())
        own = chips[seed % len(chips)]
        ways = [(chip, []) for chip in ([own] if given.one else chips)] + [(own, ["--no-fuse"])]
        if given.norms:
            one = ["-w", "8"] + ["--multiprocessors=1"] * (seed % 2)  # a block has one tile, or all
            ways = [("sm_90a", one + ["--fuse=reassociate"]), ("sm_90a", one), (own, ["--fuse=reassociate"])]
        for chip, more in ways:
            runs += 1
            code, text = execute(chain.command(given.run, folder, chip, *more))
            if code:
                faults += 1
                print("seed %d on %s%s:\n%s" % (seed, chip, " --no-fuse" if more else "", text[:2000]), flush=True)
    print("%d chains, %d runs, %d failed" % (last - first + 1, runs, faults))
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
