#!/usr/bin/env python3
"""Kernels of eleven kinds, once slower than under Triton, and 40 launches of them.

    kinds.py > kinds.jsonl && differential.py --tkc build/bin/tkc --time 0.2 kinds.jsonl
"""
import json
import os

import triton
import triton.language as tl
from triton.language.extra import libdevice

# ---- three scans of a row in one kernel ----


@triton.jit
def larger(a, i, b, j):
    return tl.where(b >= a, b, a), tl.where(b >= a, j, i)


@triton.jit
def smaller(a, i, b, j):
    return tl.where(b <= a, b, a), tl.where(b <= a, j, i)


@triton.jit
def log_of_sum(a, b):
    high = tl.maximum(a, b)
    return high + libdevice.log1p(tl.exp(tl.minimum(a, b) - high))


@triton.jit
def three_scans(x, high, high_at, low, low_at, logs, columns, BLOCK: tl.constexpr):
    column = tl.arange(0, BLOCK)
    mask = column < columns
    at = tl.program_id(0) * columns + column
    value = tl.load(x + at, mask=mask, other=0.0).to(tl.float32)
    index = column.to(tl.int64)
    most, most_at = tl.associative_scan((value, index), 0, larger)
    least, least_at = tl.associative_scan((value, index), 0, smaller)
    total = tl.associative_scan(value, 0, log_of_sum)
    tl.store(high + at, most, mask=mask)
    tl.store(high_at + at, most_at, mask=mask)
    tl.store(low + at, least, mask=mask)
    tl.store(low_at + at, least_at, mask=mask)
    tl.store(logs + at, total, mask=mask)


# ---- Bessel functions ----


@triton.jit
def bessel(x, y, n, ORDER: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n)
    if ORDER == 0:
        value = libdevice.j0(value)
    else:
        value = libdevice.j1(value)
    tl.store(y + at, value, mask=at < n)


# ---- grouped products through descriptors made on the device ----


@triton.jit
def grouped_product(a, b, c, GROUPS, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    left = tl.make_tensor_descriptor(a, shape=[GROUPS, M, K], strides=[M * K, K, 1], block_shape=[1, BM, BK])
    right = tl.make_tensor_descriptor(b, shape=[GROUPS, N, K], strides=[N * K, K, 1], block_shape=[1, BN, BK])
    result = tl.make_tensor_descriptor(c, shape=[GROUPS, M, N], strides=[M * N, N, 1], block_shape=[1, BM, BN])
    group = tl.program_id(1)
    columns = tl.cdiv(N, BN)
    row = tl.program_id(0) // columns * BM
    column = tl.program_id(0) % columns * BN
    total = tl.zeros([BM, BN], tl.float32)
    for k in range(0, K, BK):
        x = left.load([group, row, k]).reshape(BM, BK)
        y = right.load([group, column, k]).reshape(BN, BK)
        total = tl.dot(x, y.T, total)
    result.store([group, row, column], total.to(tl.float16).reshape(1, BM, BN))


# ---- quantisation to fp4 with a scale for 32 numbers ----


@triton.jit
def quantise_fp4(x, codes, scales, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)[None, :]
    value = tl.load(x + row * columns + column, mask=column < columns, other=0.0).to(tl.float32)
    value = tl.reshape(value, [ROWS, BLOCK // 32, 32])
    largest = tl.max(tl.abs(value), 2, keep_dims=True)
    power = tl.clamp(tl.ceil(tl.log2(largest / 6.0)), -127.0, 127.0)
    value = value * tl.exp2(-power)
    size = tl.abs(value)
    code = (size > 0.25).to(tl.int32) + (size >= 0.75).to(tl.int32) + (size > 1.25).to(tl.int32) + (size >= 1.75).to(
        tl.int32) + (size > 2.5).to(tl.int32) + (size >= 3.5).to(tl.int32) + (size > 5.0).to(tl.int32)
    code += tl.where(value < 0, 8, 0)
    low, high = tl.split(tl.reshape(code, [ROWS, BLOCK // 2, 2]))
    half = tl.program_id(1) * (BLOCK // 2) + tl.arange(0, BLOCK // 2)[None, :]
    tl.store(codes + row * (columns // 2) + half, (low | high << 4).to(tl.uint8), mask=half < columns // 2)
    part = tl.program_id(1) * (BLOCK // 32) + tl.arange(0, BLOCK // 32)[None, :]
    tl.store(scales + row * (columns // 32) + part, tl.reshape(power + 127.0, [ROWS, BLOCK // 32]).to(tl.uint8),
             mask=part < columns // 32)


# ---- sums of 64-bit integers along rows ----


@triton.jit
def running_sum(x, y, columns, BLOCK: tl.constexpr):
    column = tl.arange(0, BLOCK)
    at = tl.program_id(0) * columns + column
    value = tl.load(x + at, mask=column < columns, other=0).to(tl.int64)
    tl.store(y + at, tl.cumsum(value, 0), mask=column < columns)


# ---- a convolution as a product with a gathered left operand ----


@triton.jit
def convolution(x, w, y, C, H, W, COLUMNS, S: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """x: images, C, H, W; w: COLUMNS, C, S, S; y: images, H, W, COLUMNS. Edges are zeros."""
    pixel = tl.program_id(0) * BM + tl.arange(0, BM)
    image, y0, x0 = pixel // (H * W), pixel // W % H - S // 2, pixel % W - S // 2
    column = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros([BM, BN], tl.float32)
    for k in range(0, C * S * S, BK):
        step = k + tl.arange(0, BK)
        channel, dy, dx = step // (S * S), step // S % S, step % S
        at_y, at_x = y0[:, None] + dy[None, :], x0[:, None] + dx[None, :]
        inside = (at_y >= 0) & (at_y < H) & (at_x >= 0) & (at_x < W) & (channel < C)[None, :]
        values = tl.load(x + ((image[:, None] * C + channel[None, :]) * H + at_y) * W + at_x, mask=inside, other=0.0)
        weights = tl.load(w + column[None, :] * (C * S * S) + step[:, None],
                          mask=(column < COLUMNS)[None, :] & (channel < C)[:, None], other=0.0)
        total = tl.dot(values, weights, total)
    tl.store(y + pixel[:, None] * COLUMNS + column[None, :], total.to(tl.float16), mask=(column < COLUMNS)[None, :])


# ---- gradients of log-softmax ----


@triton.jit
def log_softmax_backward(grad, output, result, columns, BLOCK: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * columns
    total = tl.zeros([BLOCK], tl.float32)
    for first in range(0, columns, BLOCK):
        column = first + tl.arange(0, BLOCK)
        total += tl.load(grad + start + column, mask=column < columns, other=0.0).to(tl.float32)
    whole = tl.sum(total, 0)
    for first in range(0, columns, BLOCK):
        column = first + tl.arange(0, BLOCK)
        g = tl.load(grad + start + column, mask=column < columns, other=0.0).to(tl.float32)
        o = tl.load(output + start + column, mask=column < columns, other=0.0).to(tl.float32)
        tl.store(result + start + column, g - tl.exp(o) * whole, mask=column < columns)


# ---- mean and variance ----


@triton.jit
def combined(mean_a, square_a, n_a, mean_b, square_b, n_b):
    delta, n = mean_b - mean_a, n_a + n_b
    share = tl.where(n == 0.0, 0.0, n_b / n)
    return mean_a + delta * share, square_a + square_b + delta * delta * n_a * share, n


@triton.jit
def mean_variance(x, mean, variance, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    means, squares, counts = tl.zeros([BLOCK], tl.float32), tl.zeros([BLOCK], tl.float32), tl.zeros([BLOCK], tl.float32)
    for first in range(0, columns, BLOCK):
        column = first + tl.arange(0, BLOCK)
        value = tl.load(x + row.to(tl.int64) * columns + column, mask=column < columns, other=0.0).to(tl.float32)
        count = counts + 1
        delta = value - means
        moved = means + delta / count
        squares = tl.where(column < columns, squares + delta * (value - moved), squares)
        means = tl.where(column < columns, moved, means)
        counts = tl.where(column < columns, count, counts)
    m, s, n = tl.reduce((means, squares, counts), 0, combined)
    tl.store(mean + row, m)
    tl.store(variance + row, s / n)


# ---- buckets by bisection ----


@triton.jit
def bucketize(x, bounds, y, n, COUNT: tl.constexpr, STEPS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n, other=0.0)
    low = tl.zeros([BLOCK], tl.int32)
    high = tl.full([BLOCK], COUNT, tl.int32)
    for _ in range(STEPS):
        middle = (low + high) // 2
        bound = tl.load(bounds + middle, mask=(at < n) & (low < high), other=0.0)
        above = (value > bound) & (low < high)
        high = tl.where((low < high) & (value <= bound), middle, high)
        low = tl.where(above, middle + 1, low)
    tl.store(y + at, low.to(tl.int64), mask=at < n)


# ---- attention's gradients of keys and values ----


@triton.jit
def attention_keys_values(q, k, v, do, lse, delta, dk, dv, ROWS, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    head = tl.program_id(1).to(tl.int64) * ROWS * D
    depth = tl.arange(0, D)
    key = tl.program_id(0) * BN + tl.arange(0, BN)
    at = head + key[:, None] * D + depth[None, :]
    keys, values = tl.load(k + at), tl.load(v + at)
    key_sum, value_sum = tl.zeros([BN, D], tl.float32), tl.zeros([BN, D], tl.float32)
    for first in range(0, ROWS, BM):
        row = first + tl.arange(0, BM)
        queries = tl.load(q + head + row[:, None] * D + depth[None, :])
        grads = tl.load(do + head + row[:, None] * D + depth[None, :])
        total = tl.load(lse + tl.program_id(1) * ROWS + row)
        share = tl.load(delta + tl.program_id(1) * ROWS + row)
        weights = tl.exp2(tl.dot(keys, queries.T) * scale - total[None, :])
        value_sum = tl.dot(weights.to(tl.float16), grads, value_sum)
        slopes = weights * (tl.dot(values, grads.T) - share[None, :])
        key_sum = tl.dot(slopes.to(tl.float16), queries, key_sum)
    tl.store(dv + at, value_sum.to(tl.float16))
    tl.store(dk + at, key_sum.to(tl.float16))


# ---- the best of a few groups ----


@triton.jit
def grouped_top_k(scores, values, places, EXPERTS: tl.constexpr, GROUPS: tl.constexpr, KEPT: tl.constexpr, TOP: tl.constexpr):
    token = tl.program_id(0)
    WIDTH: tl.constexpr = EXPERTS // GROUPS
    expert = tl.arange(0, EXPERTS)
    score = tl.sigmoid(tl.load(scores + token * EXPERTS + expert).to(tl.float32))
    tile = tl.reshape(score, [GROUPS, WIDTH])
    first = tl.max(tile, 1)
    rest = tl.where(tl.arange(0, WIDTH)[None, :] == tl.argmax(tile, 1)[:, None], float("-inf"), tile)
    of_group = first + tl.max(rest, 1)
    group = tl.arange(0, GROUPS)
    kept = tl.zeros([GROUPS], tl.int1)
    for _ in tl.static_range(KEPT):
        best = tl.argmax(tl.where(kept, float("-inf"), of_group), 0)
        kept = kept | (group == best)
    tile = tl.where(kept[:, None], tile, float("-inf"))
    score = tl.reshape(tile, [EXPERTS])
    for n in tl.static_range(TOP):
        best = tl.argmax(score, 0)
        tl.store(values + token * TOP + n, tl.max(score, 0))
        tl.store(places + token * TOP + n, best.to(tl.int32))
        score = tl.where(expert == best, float("-inf"), score)


# ---- launches ----


def real(element, count, low=-1, high=1):
    return {"element": element, "count": count, "fill": "uniform", "low": low, "high": high}


def whole(element, count, low, high):
    return {"element": element, "count": count, "fill": "whole", "low": low, "high": high}


def room(element, count):
    return {"element": element, "count": count, "fill": "whole", "low": 0, "high": 0}


def launch(name, kernel, arguments, grid, warps, stages=1, **constants):
    """Prints a line. Pointers are divisible by 16, and extents where they are."""
    kinds = []
    for a in arguments:
        if isinstance(a, dict):
            kinds.append(f"*{a['element']}:16")
        else:
            kinds.append("fp32" if isinstance(a, float) else "i32:16" if a % 16 == 0 else "i32")
    print(json.dumps({"source": os.path.abspath(__file__), "name": name, "kernel": kernel, "signature": ", ".join(kinds),
                      "defines": " ".join(f"{k}={v}" for k, v in constants.items()), "grid": list(grid) + [1] * (3 - len(grid)),
                      "num_warps": warps, "num_stages": stages, "seed": 1, "arguments": arguments}))


def main():
    for rows, columns, warps in ((4096, 1024, 4), (8192, 512, 4), (2048, 2048, 8), (2048, 1000, 4)):
        n = rows * columns
        launch(f"three_scans_{rows}x{columns}", "three_scans",
               [real("fp32", n, -4, 4), room("fp32", n), room("i64", n), room("fp32", n), room("i64", n), room("fp32", n), columns],
               [rows], warps, BLOCK=1 << (columns - 1).bit_length())
    for order in (0, 1):
        for most in (1, 50):
            n = 1 << 22
            launch(f"j{order}_to_{most}", "bessel", [real("fp32", n, 0, most), room("fp32", n), n], [n // 1024], 4, ORDER=order, BLOCK=1024)
    for groups, m, n, k, bm, bn, bk, warps in ((8, 2048, 2048, 1024, 128, 128, 64, 4), (32, 512, 2048, 2048, 128, 128, 64, 8),
                                               (16, 1024, 1024, 4096, 128, 256, 64, 8), (64, 256, 1024, 1024, 64, 128, 64, 4)):
        launch(f"grouped_product_{groups}x{m}x{n}x{k}", "grouped_product",
               [real("fp16", groups * m * k), real("fp16", groups * n * k), room("fp16", groups * m * n), groups, m, n, k],
               [m // bm * (n // bn), groups], warps, 3, BM=bm, BN=bn, BK=bk)
    for element, rows, columns, tall, wide in (("bf16", 8192, 4096, 4, 512), ("fp16", 4096, 7168, 4, 1024), ("bf16", 8192, 2880, 8, 512),
                                               ("fp32", 4096, 4096, 4, 256)):
        n = rows * columns
        launch(f"fp4_{element}_{rows}x{columns}", "quantise_fp4", [real(element, n, -6, 6), room("u8", n // 2), room("u8", n // 32), columns],
               [rows // tall, -(-columns // wide)], 4, ROWS=tall, BLOCK=wide)
    for element, rows, columns, warps in (("i64", 4096, 1024, 4), ("i32", 4096, 1024, 4), ("i64", 2048, 4096, 8), ("i64", 16384, 100, 2)):
        n = rows * columns
        launch(f"running_sum_{element}_{rows}x{columns}", "running_sum", [whole(element, n, -1000, 1000), room("i64", n), columns], [rows], warps,
               BLOCK=1 << (columns - 1).bit_length())
    for images, c, side, columns, size, bm, bn, bk, warps in ((16, 128, 56, 128, 3, 64, 64, 32, 4), (8, 256, 28, 256, 3, 64, 128, 32, 4),
                                                              (16, 64, 56, 256, 1, 128, 64, 32, 4)):
        pixels = images * side * side
        launch(f"convolution_{c}_{side}_{columns}_{size}", "convolution",
               [real("fp16", images * c * side * side), real("fp16", columns * c * size * size), room("fp16", pixels * columns), c, side, side, columns],
               [pixels // bm, columns // bn], warps, 2, S=size, BM=bm, BN=bn, BK=bk)
    for element, rows, columns in (("fp32", 2048, 32000), ("bf16", 2048, 32000), ("fp16", 4096, 32000), ("fp32", 1024, 32768)):
        n = rows * columns
        launch(f"log_softmax_backward_{element}_{rows}x{columns}", "log_softmax_backward",
               [real(element, n), real(element, n, -12, -6), room(element, n), columns], [rows], 16, BLOCK=2048)
    for element, rows, columns, block, warps in (("fp32", 8192, 1024, 1024, 4), ("bf16", 8192, 4096, 2048, 8), ("fp32", 2048, 32768, 2048, 16),
                                                 ("fp16", 4096, 5000, 1024, 4)):
        launch(f"mean_variance_{element}_{rows}x{columns}", "mean_variance", [real(element, rows * columns), room("fp32", rows), room("fp32", rows), columns],
               [rows], warps, BLOCK=block)
    for n, count, steps, block, warps in ((1 << 22, 1000, 10, 1024, 4), (1 << 22, 100, 7, 512, 4), (1 << 23, 60000, 16, 256, 4)):
        launch(f"bucketize_{n}_{count}", "bucketize",
               [real("fp32", n, -10, count + 10), {"element": "fp32", "count": count, "fill": "iota", "low": 0, "high": 0}, room("i64", n), n],
               [n // block], warps, COUNT=count, STEPS=steps, BLOCK=block)
    for heads, rows, depth, bm, bn, warps in ((64, 2048, 64, 32, 64, 2), (32, 2048, 128, 32, 64, 2), (64, 1024, 64, 16, 32, 2)):
        n = heads * rows * depth
        launch(f"attention_keys_values_{heads}x{rows}x{depth}", "attention_keys_values",
               [real("fp16", n), real("fp16", n), real("fp16", n), real("fp16", n), real("fp32", heads * rows, 10, 12), real("fp32", heads * rows, -0.1, 0.1),
                room("fp16", n), room("fp16", n), rows, 1.4426950408889634 / depth**0.5], [rows // bn, heads], warps, 2, D=depth, BM=bm, BN=bn)
    for element, tokens, experts, groups, kept, top, warps in (("fp32", 8192, 256, 8, 4, 8, 1), ("bf16", 8192, 256, 8, 4, 8, 2),
                                                               ("fp32", 16384, 128, 4, 2, 6, 1)):
        launch(f"grouped_top_k_{element}_{tokens}x{experts}", "grouped_top_k",
               [real(element, tokens * experts, -4, 4), room("fp32", tokens * top), room("i32", tokens * top)], [tokens], warps,
               EXPERTS=experts, GROUPS=groups, KEPT=kept, TOP=top)


if __name__ == "__main__":
    main()
