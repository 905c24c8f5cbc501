#!/usr/bin/env python3
"""Kernels of seven kinds that models are served and trained with, once slower than under Triton, and 10 launches of them.

    served.py > served.jsonl && differential.py --tkc build/bin/tkc --time 0.2 served.jsonl
"""
import json
import os

import triton
import triton.language as tl
from kinds import real, room, whole

# ---- 4-bit weights packed along the columns (AWQ), K split by programs ----


@triton.jit
def packed_columns(a, words, c, zeros, scales, M, N, K, group, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PARTS: tl.constexpr):
    part = tl.program_id(1)
    columns = tl.cdiv(N, BN)
    row = tl.program_id(0) // columns * BM + tl.arange(0, BM)
    tile = tl.program_id(0) % columns
    word = tile * (BN // 8) + tl.arange(0, BN // 8)
    column = tile * BN + tl.arange(0, BN)
    order = ((tl.arange(0, 2) * 4)[None, :] + tl.arange(0, 4)[:, None]).reshape(8)
    shifts = tl.reshape(tl.broadcast_to((order * 4)[None, :], (BK * (BN // 8), 8)), (BK, BN))
    depth = part * BK + tl.arange(0, BK)
    left = a + K * row[:, None] + depth[None, :]
    right = words + (N // 8) * depth[:, None] + word[None, :]
    total = tl.zeros((BM, BN), tl.float32)
    for k in range(0, tl.cdiv(K, BK * PARTS)):
        x = tl.load(left, mask=(row < M)[:, None] & (depth < K)[None, :], other=0.0)
        w = tl.load(right, mask=(depth < K)[:, None], other=0)
        w = tl.interleave(w, w)
        w = tl.interleave(w, w)
        w = tl.interleave(w, w)
        at = (BK * PARTS * k + part * BK) // group + tl.arange(0, 1)
        z = tl.load(zeros + (N // 8) * at[:, None] + word[None, :], mask=(at < K // group)[:, None], other=0)
        z = tl.interleave(z, z)
        z = tl.interleave(z, z)
        z = tl.broadcast_to(tl.interleave(z, z), (BK, BN))
        s = tl.load(scales + N * at[:, None] + column[None, :], mask=(at < K // group)[:, None], other=0.0)
        w = (((w >> shifts) & 15) - ((z >> shifts) & 15)) * tl.broadcast_to(s, (BK, BN))
        total = tl.dot(x, w.to(tl.float16), total)
        depth += BK * PARTS
        left += BK * PARTS
        right += BK * PARTS * (N // 8)
    tl.store(c + part * N * M + N * row[:, None] + column[None, :], total, mask=(row < M)[:, None])


# ---- the nearest of 256 codes, a scale for 256 numbers (the state of an optimizer in 8 bits) ----


@triton.jit
def nearest_code(x, codes, y, largest, n, BLOCK: tl.constexpr, BLOCKS: tl.constexpr):
    at = tl.program_id(0) * (BLOCK * BLOCKS) + tl.arange(0, BLOCK * BLOCKS)
    value = tl.load(x + at, mask=at < n, other=0.0).reshape(BLOCKS, BLOCK)
    most = tl.max(tl.abs(value), axis=1)
    value = value / most[:, None]
    low = tl.zeros((BLOCKS, BLOCK), tl.int32)
    high = tl.full((BLOCKS, BLOCK), 255, tl.int32)
    for _ in range(8):
        middle = (low + high) // 2
        above = value > tl.load(codes + middle)
        low = tl.where(above, middle, low)
        high = tl.where(above, high, middle)
    nearer = tl.abs(value - tl.load(codes + low)) < tl.abs(value - tl.load(codes + high))
    tl.store(y + at, tl.where(nearer, low, high).reshape(BLOCK * BLOCKS).to(tl.uint8), mask=at < n)
    tl.store(largest + tl.program_id(0) * BLOCKS + tl.arange(0, BLOCKS), most)


# ---- places of tokens in the queues of their experts, one token after the other ----


@triton.jit
def queue_places(expert, places, order, n, share, EXPERTS: tl.constexpr):
    first = tl.program_id(0) * share
    for i in range(first, tl.minimum(first + share, n)):
        e = tl.load(expert + i)
        place = tl.load(places + tl.program_id(0) * EXPERTS + e)
        tl.store(order + tl.program_id(0) * share + place, i)
        tl.store(places + tl.program_id(0) * EXPERTS + e, place + 1)


# ---- the largest of a window, and its place ----


@triton.jit
def largest_of_window(x, y, place, H, W, OH, OW, SIZE: tl.constexpr, STEP: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    plane = tl.program_id(1).to(tl.int64)
    best = tl.full([BLOCK], float("-inf"), tl.float32)
    found = tl.zeros([BLOCK], tl.int64)
    for dy in tl.static_range(SIZE):
        for dx in tl.static_range(SIZE):
            iy, ix = at // OW * STEP + dy - SIZE // 2, at % OW * STEP + dx - SIZE // 2
            inside = (at < OH * OW) & (iy >= 0) & (iy < H) & (ix >= 0) & (ix < W)
            value = tl.load(x + plane * H * W + iy * W + ix, mask=inside, other=float("-inf")).to(tl.float32)
            better = value > best
            best = tl.where(better, value, best)
            found = tl.where(better, (iy * W + ix).to(tl.int64), found)
    tl.store(y + plane * OH * OW + at, best, mask=at < OH * OW)
    tl.store(place + plane * OH * OW + at, found, mask=at < OH * OW)


# ---- an adapter of low rank, added to the results of its tokens ----


@triton.jit
def adapter(x, b, y, tokens, n, N, BM: tl.constexpr, BN: tl.constexpr, R: tl.constexpr):
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    inside = row < n
    token = tl.load(tokens + row, mask=inside, other=0)
    column = tl.program_id(1) * BN + tl.arange(0, BN)
    rank = tl.arange(0, R)
    left = tl.load(x + token[:, None] * R + rank[None, :], mask=inside[:, None], other=0.0)
    right = tl.load(b + column[None, :] * R + rank[:, None])
    at = y + token[:, None] * N + column[None, :]
    total = tl.dot(left.to(right.dtype), right).to(tl.bfloat16)
    tl.store(at, total + tl.load(at, mask=inside[:, None], other=0.0), mask=inside[:, None])


# ---- states of chunks: rows scaled by their decay in the right operand ----


@triton.jit
def chunk_states(x, b, steps, decay, states, D: tl.constexpr, N: tl.constexpr, CHUNK: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    chunk = tl.program_id(1).to(tl.int64)
    d, n, k = tl.arange(0, D), tl.program_id(0) * BN + tl.arange(0, BN), tl.arange(0, BK)
    last = tl.load(decay + chunk * CHUNK + CHUNK - 1)
    total = tl.zeros((D, BN), tl.float32)
    for first in range(0, CHUNK, BK):
        row = chunk * CHUNK + first + k
        left = tl.load(x + row[None, :] * D + d[:, None])
        right = tl.load(b + row[:, None] * N + n[None, :]).to(tl.float32)
        right *= (tl.exp(tl.minimum(last - tl.load(decay + row), 0.0)) * tl.load(steps + row))[:, None]
        total += tl.dot(left, right.to(left.dtype))
    tl.store(states + chunk * D * N + d[:, None] * N + n[None, :], total)


# ---- rotary embedding: halves of heads, and pairs at positions from a table ----


@triton.jit
def rotate_halves(x, sines, cosines, HEADS: tl.constexpr, D: tl.constexpr):
    token = tl.program_id(0).to(tl.int64)
    half = tl.arange(0, D // 2)
    sine, cosine = tl.load(sines + token * (D // 2) + half), tl.load(cosines + token * (D // 2) + half)
    at = x + token * HEADS * D + tl.arange(0, HEADS)[:, None] * D + half[None, :]
    a, b = tl.load(at).to(tl.float32), tl.load(at + D // 2).to(tl.float32)
    tl.store(at, a * cosine[None, :] - b * sine[None, :])
    tl.store(at + D // 2, b * cosine[None, :] + a * sine[None, :])


@triton.jit
def rotate_pairs(x, y, sines, cosines, positions, n, HEADS, BLOCK: tl.constexpr, D: tl.constexpr):
    token = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    position = tl.load(positions + token, mask=token < n, other=0)
    table = position[:, None] * (D // 2) + tl.arange(0, D // 2)[None, :]
    sine, cosine = tl.load(sines + table), tl.load(cosines + table)
    at = (token[:, None] * HEADS + tl.program_id(1)) * D + tl.arange(0, D)[None, :]
    value = tl.load(x + at, mask=token[:, None] < n, other=0.0).to(tl.float32)
    even, odd = tl.split(tl.reshape(value, (BLOCK, D // 2, 2)))
    value = tl.join(even * cosine - odd * sine, even * sine + odd * cosine)
    tl.store(y + at, tl.reshape(value, (BLOCK, D)), mask=token[:, None] < n)


# ---- launches ----


def launch(name, kernel, arguments, grid, warps, stages=1, **constants):
    """Prints a line. Pointers are divisible by 16, and extents where they are."""
    kinds = [f"*{a['element']}:16" if isinstance(a, dict) else "i32:16" if a % 16 == 0 else "i32" for a in arguments]
    print(json.dumps({"source": os.path.abspath(__file__), "name": name, "kernel": kernel, "signature": ", ".join(kinds),
                      "defines": " ".join(f"{k}={v}" for k, v in constants.items()), "grid": list(grid) + [1] * (3 - len(grid)),
                      "num_warps": warps, "num_stages": stages, "seed": 1, "arguments": arguments}))


def main():
    for rows, columns, depth, parts, tall, wide in ((16, 4096, 4096, 8, 16, 64), (16, 8192, 4096, 4, 16, 128), (256, 4096, 4096, 2, 64, 64)):
        launch(f"packed_columns_{rows}x{columns}x{depth}", "packed_columns",
               [real("fp16", rows * depth, -0.1, 0.1), whole("i32", depth * columns // 8, -(1 << 31), (1 << 31) - 1), room("fp32", parts * rows * columns),
                whole("i32", depth // 128 * columns // 8, -(1 << 31), (1 << 31) - 1), real("fp16", depth // 128 * columns, 0.01, 0.1), rows, columns, depth, 128],
               [rows // tall * (columns // wide), parts], 4, 3, BM=tall, BN=wide, BK=32, PARTS=parts)
    n = 1 << 24
    launch("nearest_code", "nearest_code",
           [real("fp32", n), {"element": "fp32", "count": 256, "fill": "iota", "low": -128, "high": 0}, room("u8", n), room("fp32", n // 256), n], [n // 1024], 4,
           BLOCK=256, BLOCKS=4)
    n, programs = 1 << 18, 1024
    launch("queue_places", "queue_places", [whole("i32", n, 0, 63), room("i32", programs * 64), room("i32", n), n, n // programs], [programs], 1, EXPERTS=64)
    planes, side = 2048, 112
    launch("largest_of_window", "largest_of_window",
           [real("fp16", planes * side**2), room("fp16", planes * (side // 2)**2), room("i64", planes * (side // 2)**2), side, side, side // 2, side // 2],
           [-(-(side // 2)**2 // 256), planes], 4, SIZE=3, STEP=2, BLOCK=256)
    n, columns = 4096, 4096
    launch("adapter", "adapter", [real("fp32", n * 16), real("bf16", columns * 16), real("bf16", n * columns),
                                  {"element": "i32", "count": n, "fill": "permute", "low": 0, "high": 0}, n - 7, columns], [n // 64, columns // 128], 4, BM=64, BN=128, R=16)
    chunks = 4096
    launch("chunk_states", "chunk_states",
           [real("bf16", chunks * 256 * 64), real("bf16", chunks * 256 * 128), real("fp32", chunks * 256, 0, 1), real("fp32", chunks * 256, -2, 0),
            room("fp32", chunks * 64 * 128)], [2, chunks], 4, 3, D=64, N=128, CHUNK=256, BN=64, BK=64)
    tokens, heads = 16384, 32
    launch("rotate_halves", "rotate_halves", [real("bf16", tokens * heads * 128), real("fp32", tokens * 64), real("fp32", tokens * 64)], [tokens], 4, HEADS=heads, D=128)
    launch("rotate_pairs", "rotate_pairs", [real("bf16", tokens * heads * 128), room("bf16", tokens * heads * 128), real("fp32", 4096 * 64), real("fp32", 4096 * 64),
                                            whole("i64", tokens, 0, 4095), tokens, heads], [tokens // 32, heads], 4, BLOCK=32, D=128)


if __name__ == "__main__":
    main()
