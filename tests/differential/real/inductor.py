#!/usr/bin/env python3
"""Has TorchInductor write kernels of many kinds, and records what they are launched with.

    inductor.py --out FOLDER [--jobs N] [--limit SECONDS] [--only REGEX]

Leaves a source a kernel in FOLDER and FOLDER/launches.jsonl for differential.py. Kernels are written, not compiled and not run;
with a GPU they are those for it, and else those of Inductor's Triton back end for the CPU, told the properties of pretend.py's GPU:
they differ in little (numbers of no dimension are arguments, not in memory).
"""
import argparse
import ast
import collections
import hashlib
import json
import math
import multiprocessing
import os
import re
import sys
import time
import traceback

import torch
import torch.nn.functional as F

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
GPU = False
half, bf16, single, double = torch.float16, torch.bfloat16, torch.float32, torch.float64
CASES = {}


def device():
    return "cuda" if GPU else "cpu"


def real(*shape, dtype=single):
    return torch.rand(*shape, device=device(), dtype=single).sub_(0.5).mul_(2).to(dtype)


def whole(low, high, *shape, dtype=torch.int64):
    return torch.randint(low, high, shape, device=device(), dtype=dtype)


def case(name, function, *makers, dynamic=False, backward=False):
    """`makers` give the inputs when they are called."""
    while name in CASES:
        name += "_"
    CASES[name] = (function, makers, dynamic, backward)


def tensor(*shape, dtype=single):
    return lambda: real(*shape, dtype=dtype)


def indices(high, *shape, dtype=torch.int64):
    return lambda: whole(0, high, *shape, dtype=dtype)


def short(dtype):
    return str(dtype).split(".")[1]


# ---- element by element ----

UNARY = {
    "gelu": F.gelu, "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"), "silu": F.silu, "sigmoid": torch.sigmoid, "tanh": torch.tanh,
    "softplus": F.softplus, "mish": F.mish, "elu": F.elu, "selu": F.selu, "hardswish": F.hardswish, "relu6": F.relu6,
    "leaky_relu": F.leaky_relu, "logsigmoid": F.logsigmoid, "erf": torch.erf, "erfc": torch.erfc, "exp": torch.exp, "exp2": torch.exp2,
    "expm1": torch.expm1, "log": lambda x: (x.abs() + 1).log(), "log1p": lambda x: x.abs().log1p(), "log2": lambda x: (x.abs() + 1).log2(),
    "sin": torch.sin, "cos": torch.cos, "tan": torch.tan, "asin": torch.asin, "acos": torch.acos, "atan": torch.atan,
    "sinh": torch.sinh, "cosh": torch.cosh, "asinh": torch.asinh, "acosh": lambda x: (x.abs() + 1.5).acosh(), "atanh": lambda x: (x * 0.5).atanh(),
    "sqrt": lambda x: x.abs().sqrt(), "rsqrt": lambda x: (x.abs() + 1).rsqrt(), "reciprocal": lambda x: (x + 3).reciprocal(),
    "floor": torch.floor, "ceil": torch.ceil, "round": torch.round, "trunc": torch.trunc, "frac": torch.frac, "sign": torch.sign,
    "lgamma": lambda x: (x.abs() + 0.5).lgamma(), "digamma": lambda x: (x.abs() + 0.5).digamma(), "erfinv": lambda x: (x * 0.9).erfinv(),
    "i0": torch.special.i0, "i1": torch.special.i1, "pow3": lambda x: x**3, "pow_half": lambda x: x.abs()**0.5,
    "nan_to_num": lambda x: (x / (x - x)).nan_to_num(), "clamp": lambda x: x.clamp(-0.5, 0.5), "isfinite": lambda x: (1 / x).isfinite(),
    "logit": lambda x: (x.abs() * 0.5 + 0.25).logit(), "sinc": torch.sinc, "signbit": torch.signbit, "frexp": lambda x: torch.frexp(x)[0],
}
BINARY = {
    "add": torch.add, "mul_add": lambda x, y: x * y + x, "div": lambda x, y: x / (y + 3), "atan2": torch.atan2, "hypot": torch.hypot,
    "fmod": lambda x, y: torch.fmod(x, y + 2), "remainder": lambda x, y: torch.remainder(x, y + 2), "pow": lambda x, y: x.abs()**y,
    "maximum": torch.maximum, "minimum": torch.minimum, "copysign": torch.copysign, "nextafter": torch.nextafter,
    "floor_divide": lambda x, y: torch.floor_divide(x, y + 2), "where": lambda x, y: torch.where(x > y, x, y * 2), "lerp": lambda x, y: torch.lerp(x, y, 0.3),
    "logaddexp": torch.logaddexp, "heaviside": torch.heaviside, "swiglu": lambda x, y: F.silu(x) * y, "xlogy": lambda x, y: torch.xlogy(x, y.abs() + 1),
}
for name, function in UNARY.items():
    case(f"unary_{name}", function, tensor(1024, 4096))
for name in ("gelu", "silu", "tanh", "exp", "sigmoid", "rsqrt", "mish", "softplus"):
    for dtype in (half, bf16):
        case(f"unary_{name}_{short(dtype)}", UNARY[name], tensor(2048, 4096, dtype=dtype))
for name in ("exp", "sin", "tanh", "erf", "log", "sqrt"):
    case(f"unary_{name}_fp64", UNARY[name], tensor(512, 1024, dtype=double))
for name, function in BINARY.items():
    case(f"binary_{name}", function, tensor(1024, 4096), tensor(1024, 4096))
for dtype in (half, bf16):
    case(f"binary_swiglu_{short(dtype)}", BINARY["swiglu"], tensor(4096, 4096, dtype=dtype), tensor(4096, 4096, dtype=dtype))
    case(f"broadcast_{short(dtype)}", lambda x, y, z: x * y + z, tensor(2048, 4096, dtype=dtype), tensor(4096, dtype=dtype), tensor(2048, 1, dtype=dtype))
    case(f"geglu_split_{short(dtype)}", lambda x: F.gelu(x[:, :4096]) * x[:, 4096:], tensor(2048, 8192, dtype=dtype))
    case(f"residual_{short(dtype)}", lambda x, y, b: (x + y + b, F.relu(x + y + b)), tensor(4096, 4096, dtype=dtype), tensor(4096, 4096, dtype=dtype), tensor(4096, dtype=dtype))
for dtype in (torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8):
    case(f"integers_{short(dtype)}", lambda x, y: (x + y, x * y, x // (y.abs() + 1), x % (y.abs() + 1), x & y, x << 2, x > y),
         lambda dtype=dtype: whole(0, 100, 1024, 2048, dtype=dtype), lambda dtype=dtype: whole(1, 50, 1024, 2048, dtype=dtype))
case("bool_logic", lambda x, y: ((x > 0) & (y < 0.5)) | (x == y), tensor(2048, 4096), tensor(2048, 4096))
case("casts", lambda x: (x.to(half), x.to(bf16), x.to(torch.int32), x.to(torch.int8)), tensor(2048, 2048))
case("casts_int", lambda x: (x.to(single), x.to(half), x.to(torch.int16)), indices(100, 2048, 2048, dtype=torch.int32))
case("fp8_quant", lambda x: (x * 12).clamp(-448, 448).to(torch.float8_e4m3fn), tensor(2048, 4096, dtype=bf16))
case("fp8_dequant", lambda x: x.to(bf16) * 0.5, lambda: real(2048, 4096).to(torch.float8_e4m3fn))
case("fp8_e5m2", lambda x: x.to(torch.float8_e5m2), tensor(2048, 4096))
case("transpose_add", lambda x, y: x.t() + y, tensor(2048, 2048), tensor(2048, 2048))
case("transpose_half", lambda x: x.t().contiguous() * 2, tensor(4096, 4096, dtype=half))
case("permute4d", lambda x: x.permute(0, 2, 1, 3).contiguous() + 1, tensor(8, 128, 16, 64, dtype=half))
case("nchw_nhwc", lambda x: (x * 2).contiguous(memory_format=torch.channels_last), tensor(16, 64, 56, 56, dtype=half))
case("permute3d", lambda x: x.permute(2, 0, 1).contiguous().sin(), tensor(64, 128, 96))
case("cat2", lambda x, y: torch.cat([x, y], 1), tensor(2048, 1024), tensor(2048, 3072))
case("cat3", lambda x, y, z: torch.cat([x.sin(), y.cos(), z], 0), tensor(512, 1024), tensor(700, 1024), tensor(324, 1024))
case("cat_half", lambda x, y: F.relu(torch.cat([x, y], -1)), tensor(4096, 512, dtype=half), tensor(4096, 1536, dtype=half))
case("stack", lambda x, y: torch.stack([x, y], -1), tensor(2048, 2048), tensor(2048, 2048))
case("pad", lambda x: F.pad(x, (3, 5, 2, 1)), tensor(16, 500, 500))
case("pad_reflect", lambda x: F.pad(x, (3, 3, 2, 2), mode="reflect"), tensor(4, 8, 250, 250))
case("roll_flip", lambda x: x.roll(5, 1).flip(0), tensor(2048, 2048))
case("repeat", lambda x: x.repeat(4, 2) * 3, tensor(512, 1024))
case("tril", lambda x: x.tril(), tensor(2048, 2048))
case("mask_fill", lambda x, m: x.masked_fill(m > 0, float("-inf")), tensor(2048, 2048), tensor(2048, 2048))
case("arange_eye", lambda x: x + torch.arange(x.shape[1], device=x.device) + torch.eye(x.shape[1], device=x.device), tensor(1024, 1024))
case("slice_scatter", lambda x, y: torch.slice_scatter(x, y, 1, 100, 1100), tensor(1024, 2048), tensor(1024, 1000))
case("unfold", lambda x: x.unfold(1, 16, 8).sum(-1), tensor(512, 4096))
case("complex_parts", lambda x, y: (x * y - y * y, x * y + x * x), tensor(2048, 2048), tensor(2048, 2048))
case("bucketize_1000", lambda x, b: torch.bucketize(x, b), tensor(1024, 4096), lambda: torch.linspace(-1, 1, 1000, device=device()))
case("bucketize", lambda x, b: torch.bucketize(x, b), tensor(1024, 1024), lambda: torch.linspace(-1, 1, 65, device=device()))

# ---- indices ----

for dtype in (single, half):
    case(f"embedding_{short(dtype)}", lambda i, w: F.embedding(i, w), indices(50000, 8192), tensor(50000, 768, dtype=dtype))
    case(f"embedding_norm_{short(dtype)}", lambda i, w, g: F.layer_norm(F.embedding(i, w), (768,), g), indices(50000, 4096), tensor(50000, 768, dtype=dtype), tensor(768, dtype=dtype))
    case(f"index_put_{short(dtype)}", lambda x, i, y: x.index_put((i,), y, accumulate=True), tensor(4096, 512, dtype=dtype), indices(4096, 8192), tensor(8192, 512, dtype=dtype))
case("gather", lambda x, i: x.gather(1, i), tensor(2048, 4096), indices(4096, 2048, 1024))
case("take", lambda x, i: x.flatten()[i], tensor(1 << 20), indices(1 << 20, 1 << 20))
case("index_rows", lambda x, i: x[i] * 2, tensor(8192, 1024), indices(8192, 8192))
case("index_two", lambda x, i, j: x[i, j], tensor(1024, 1024, 8), indices(1024, 65536), indices(1024, 65536))
case("index_select", lambda x, i: x.index_select(1, i).exp(), tensor(2048, 2048), indices(2048, 512))
case("scatter_add", lambda x, i, y: x.scatter_add(0, i, y), tensor(4096, 256), indices(4096, 8192, 256), tensor(8192, 256))
case("scatter", lambda x, i, y: x.scatter(1, i, y), tensor(2048, 2048), lambda: torch.arange(512, device=device()).expand(2048, 512).contiguous() * 4, tensor(2048, 512))
case("scatter_reduce", lambda x, i, y: x.scatter_reduce(0, i, y, "amax"), tensor(4096, 64), indices(4096, 8192, 64), tensor(8192, 64))
case("one_hot", lambda i: F.one_hot(i, 1000), indices(1000, 4096))
case("embedding_bag", lambda i, w: F.embedding(i, w).sum(1), indices(10000, 2048, 20), tensor(10000, 256))
case("embedding_backward", lambda w, i: F.embedding(i, w).float().square().sum(), tensor(20000, 512), indices(20000, 4096), backward=True)
case("kv_cache", lambda c, k, i: c.index_copy(1, i, k), tensor(8, 2048, 16, 64, dtype=half), tensor(8, 1, 16, 64, dtype=half), indices(2048, 1))
case("rope", lambda q, c, s: q * c + torch.cat([-q[..., 64:], q[..., :64]], -1) * s, tensor(8, 16, 1024, 128, dtype=bf16), tensor(1024, 128, dtype=bf16), tensor(1024, 128, dtype=bf16))
case("rope_interleaved", lambda q, c, s: torch.stack([q[..., ::2] * c - q[..., 1::2] * s, q[..., 1::2] * c + q[..., ::2] * s], -1).flatten(-2), tensor(8, 16, 512, 128), tensor(512, 64), tensor(512, 64))

# ---- reductions ----

REDUCED = {"sum": lambda x: x.sum(-1), "mean": lambda x: x.mean(-1), "amax": lambda x: x.amax(-1), "argmax": lambda x: x.argmax(-1), "var": lambda x: x.var(-1),
           "prod": lambda x: (x * 0.01 + 1).prod(-1), "norm": lambda x: x.norm(dim=-1), "logsumexp": lambda x: x.logsumexp(-1), "any": lambda x: (x > 0.99).any(-1),
           "max_both": lambda x: x.max(-1), "var_mean": lambda x: torch.var_mean(x, -1)}
for name, function in REDUCED.items():
    case(f"row_{name}", function, tensor(4096, 1024))
    case(f"long_row_{name}", function, tensor(512, 16384))
for name in ("sum", "amax", "var", "argmax", "logsumexp"):
    case(f"column_{name}", lambda x, f=REDUCED[name]: f(x.t()), tensor(2048, 4096))
    case(f"short_row_{name}", REDUCED[name], tensor(65536, 32))
    case(f"row_{name}_half", REDUCED[name], tensor(8192, 1024, dtype=half))
    case(f"huge_row_{name}_bf16", REDUCED[name], tensor(256, 131072, dtype=bf16))
    case(f"middle_{name}", lambda x, f=REDUCED[name]: f(x.transpose(1, 2)), tensor(32, 512, 256))
case("sum_all", lambda x: x.sum(), tensor(1 << 22))
case("mean_square_all", lambda x: x.square().mean(), tensor(4096, 2048, dtype=bf16))
case("amax_all", lambda x: x.abs().amax(), tensor(4096, 4096, dtype=half))
case("count", lambda x: (x > 0).sum(), tensor(4096, 2048))
case("sum_odd", lambda x: x.sum(-1), tensor(3000, 1111))
case("sum_int", lambda x: x.sum(-1), indices(100, 4096, 1024, dtype=torch.int32))
case("sum_two_axes", lambda x: x.sum((0, 2, 3)), tensor(16, 64, 56, 56))
case("bias_gradient", lambda g: g.sum(0), tensor(8192, 1024, dtype=half))
case("minmax_quant", lambda x: ((x - x.amin(-1, True)) / (x.amax(-1, True) - x.amin(-1, True)) * 255).round().to(torch.uint8), tensor(4096, 1024))
case("rowwise_int8", lambda x: ((x / (x.abs().amax(-1, True) / 127)).round().to(torch.int8), x.abs().amax(-1) / 127), tensor(4096, 4096, dtype=bf16))
case("block_fp8", lambda x: (x.view(2048, 32, 128) / (x.view(2048, 32, 128).abs().amax(-1, True) / 448)).to(torch.float8_e4m3fn), tensor(2048, 4096, dtype=bf16))

for n in (128, 768, 1024, 4096, 5000, 16384):
    for dtype in (single, bf16):
        tag = f"{n}_{short(dtype)}"
        case(f"softmax_{tag}", lambda x: F.softmax(x, -1), tensor(2048, n, dtype=dtype))
        case(f"layer_norm_{tag}", lambda x, w, b: F.layer_norm(x, x.shape[-1:], w, b), tensor(2048, n, dtype=dtype), tensor(n, dtype=dtype), tensor(n, dtype=dtype))
        case(f"rms_norm_{tag}", lambda x, w: x * torch.rsqrt(x.float().square().mean(-1, True) + 1e-6).to(x.dtype) * w, tensor(2048, n, dtype=dtype), tensor(n, dtype=dtype))
for n in (1024, 8192):
    case(f"log_softmax_{n}", lambda x: F.log_softmax(x, -1), tensor(2048, n))
    case(f"softmax_masked_{n}", lambda x, m: F.softmax(x * 0.125 + m, -1), tensor(2048, n, dtype=half), tensor(2048, n, dtype=half))
    case(f"add_layer_norm_{n}", lambda x, y, w, b: F.layer_norm(x + y, x.shape[-1:], w, b), tensor(2048, n, dtype=half), tensor(2048, n, dtype=half), tensor(n, dtype=half), tensor(n, dtype=half))
    case(f"layer_norm_backward_{n}", lambda x, w, b: F.layer_norm(x, x.shape[-1:], w, b).square().sum(), tensor(2048, n), tensor(n), tensor(n), backward=True)
    case(f"rms_backward_{n}", lambda x, w: (x * torch.rsqrt(x.square().mean(-1, True) + 1e-6) * w).square().sum(), tensor(2048, n), tensor(n), backward=True)
    case(f"softmax_backward_{n}", lambda x: (F.softmax(x, -1) ** 3).sum(), tensor(2048, n), backward=True)
case("log_softmax_backward", lambda x, g: (F.log_softmax(x, -1) * g).sum(), tensor(1024, 32000), tensor(1024, 32000), backward=True)
case("log_softmax_backward_bf16", lambda x, g: (F.log_softmax(x, -1) * g).sum(), tensor(1024, 32000, dtype=bf16), tensor(1024, 32000, dtype=bf16), backward=True)
case("mean_and_variance", lambda x: torch.var_mean(x, -1), tensor(2048, 8192))
case("mean_and_variance_bf16", lambda x: torch.var_mean(x.float(), -1), tensor(4096, 5000, dtype=bf16))
case("softmax_columns", lambda x: F.softmax(x, 0), tensor(512, 4096))
case("group_norm", lambda x, w, b: F.group_norm(x, 8, w, b), tensor(16, 64, 32, 32), tensor(64), tensor(64))
case("group_norm_silu", lambda x, w, b: F.silu(F.group_norm(x, 32, w, b)), tensor(4, 320, 64, 64, dtype=half), tensor(320, dtype=half), tensor(320, dtype=half))
case("instance_norm", lambda x: F.instance_norm(x), tensor(16, 32, 64, 64))
case("batch_norm", lambda x, w, b: F.batch_norm(x, None, None, w, b, training=True), tensor(32, 64, 28, 28), tensor(64), tensor(64))
case("batch_norm_relu_half", lambda x, w, b: F.relu(F.batch_norm(x, None, None, w, b, training=True)), tensor(32, 128, 28, 28, dtype=half), tensor(128), tensor(128))
case("batch_norm_infer", lambda x, m, v, w, b: F.relu(F.batch_norm(x, m, v.abs() + 1, w, b)), tensor(32, 64, 56, 56), tensor(64), tensor(64), tensor(64), tensor(64))
case("batch_norm_backward", lambda x, w, b: F.batch_norm(x, None, None, w, b, training=True).square().sum(), tensor(16, 64, 28, 28), tensor(64), tensor(64), backward=True)
case("group_norm_backward", lambda x, w, b: F.group_norm(x, 8, w, b).square().sum(), tensor(16, 64, 32, 32), tensor(64), tensor(64), backward=True)
case("normalize", lambda x: F.normalize(x, dim=-1), tensor(4096, 512))
case("cosine", lambda x, y: F.cosine_similarity(x, y, -1), tensor(4096, 512), tensor(4096, 512))

# ---- losses ----

for classes in (1000, 32000, 128256):
    case(f"cross_entropy_{classes}", lambda x, t: F.cross_entropy(x, t), tensor(1024, classes, dtype=bf16 if classes > 1000 else single), indices(classes, 1024))
    case(f"cross_entropy_backward_{classes}", lambda x, t: F.cross_entropy(x.float(), t), tensor(1024, classes, dtype=bf16 if classes > 1000 else single), indices(classes, 1024), backward=True)
case("label_smoothing", lambda x, t: F.cross_entropy(x, t, label_smoothing=0.1), tensor(1024, 1000), indices(1000, 1024))
case("nll", lambda x, t: F.nll_loss(F.log_softmax(x, -1), t, ignore_index=3), tensor(2048, 512), indices(512, 2048))
case("mse", lambda x, y: F.mse_loss(x, y), tensor(2048, 2048), tensor(2048, 2048))
case("huber", lambda x, y: F.huber_loss(x, y), tensor(2048, 2048), tensor(2048, 2048))
case("bce", lambda x, y: F.binary_cross_entropy_with_logits(x, y.abs()), tensor(2048, 2048), tensor(2048, 2048))
case("kl", lambda x, y: F.kl_div(F.log_softmax(x, -1), F.softmax(y, -1), reduction="batchmean"), tensor(2048, 1024), tensor(2048, 1024))
case("mse_backward", lambda x, y: F.mse_loss(x.tanh(), y), tensor(2048, 2048), tensor(2048, 2048), backward=True)
case("gelu_backward", lambda x, y: (F.gelu(x) * y).sum(), tensor(2048, 4096, dtype=bf16), tensor(2048, 4096, dtype=bf16), backward=True)
case("swiglu_backward", lambda x, y: (F.silu(x) * y).square().sum(), tensor(2048, 4096, dtype=bf16), tensor(2048, 4096, dtype=bf16), backward=True)

# ---- scans, sorts, random numbers, windows ----

case("cumsum", lambda x: x.cumsum(-1), tensor(2048, 1024))
case("cumsum_long", lambda x: x.cumsum(-1), tensor(64, 32768))
case("cumsum_flat", lambda x: x.cumsum(0), tensor(1 << 20))
case("cumsum_int", lambda x: (x > 50).cumsum(-1), indices(100, 2048, 512))
case("cumprod", lambda x: (1 + x * 0.01).cumprod(-1), tensor(1024, 512))
case("cummax", lambda x: x.cummax(-1), tensor(1024, 512))
case("logcumsumexp", lambda x: x.logcumsumexp(-1), tensor(512, 512))
case("cummax_cummin_logcumsumexp", lambda x: (x.cummax(-1), x.cummin(-1), x.logcumsumexp(-1)), tensor(2048, 1024))
case("cumsum_int64", lambda x: x.cumsum(-1), indices(100, 8192, 1024))
case("cumsum_columns", lambda x: x.cumsum(0), tensor(512, 1024))
case("sort", lambda x: x.sort(-1), tensor(1024, 256))
case("sort_stable", lambda x: x.sort(dim=-1, stable=True, descending=True), tensor(2048, 64))
case("argsort_int", lambda x: x.argsort(dim=-1, stable=True), indices(1000, 512, 128, dtype=torch.int32))
case("median_like", lambda x: x.sort(-1).values[:, 32], tensor(4096, 64))
case("dropout", lambda x: F.dropout(x, 0.1, True), tensor(2048, 4096))
case("dropout_add_norm", lambda x, y, w, b: F.layer_norm(F.dropout(x, 0.1, True) + y, (1024,), w, b), tensor(4096, 1024, dtype=half), tensor(4096, 1024, dtype=half), tensor(1024, dtype=half), tensor(1024, dtype=half))
case("rand_like", lambda x: torch.rand_like(x) + x, tensor(2048, 2048))
case("randn_like", lambda x: torch.randn_like(x) * x, tensor(2048, 2048))
case("randint", lambda x: torch.randint(0, 10, x.shape, device=x.device) + x, tensor(2048, 2048))
case("bernoulli", lambda x: torch.bernoulli(x.abs()), tensor(1024, 2048))
case("max_pool", lambda x: F.max_pool2d(x, 3, 2, 1), tensor(16, 64, 112, 112))
case("avg_pool", lambda x: F.avg_pool2d(x, 2), tensor(16, 64, 112, 112, dtype=half))
case("adaptive_pool", lambda x: F.adaptive_avg_pool2d(x, 1), tensor(32, 512, 7, 7))
case("adaptive_pool_3", lambda x: F.adaptive_avg_pool2d(x, 3), tensor(32, 128, 14, 14))
case("max_pool_backward", lambda x: F.max_pool2d(x, 3, 2, 1).square().sum(), tensor(8, 64, 56, 56), backward=True)
case("avg_pool_backward", lambda x: F.avg_pool2d(x, 3, 2).square().sum(), tensor(8, 64, 56, 56), backward=True)
case("upsample_nearest", lambda x: F.interpolate(x, scale_factor=2), tensor(8, 64, 64, 64, dtype=half))
case("upsample_bilinear", lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), tensor(8, 32, 64, 64))
case("upsample_bicubic", lambda x: F.interpolate(x, size=(100, 100), mode="bicubic"), tensor(4, 8, 64, 64))
case("pixel_shuffle", lambda x: F.pixel_shuffle(x, 2) + 1, tensor(8, 64, 64, 64))
case("grid_sample", lambda x, g: F.grid_sample(x, g, align_corners=False), tensor(4, 16, 64, 64), tensor(4, 64, 64, 2))
case("reflect_conv_window", lambda x: x.unfold(2, 3, 1).unfold(3, 3, 1).amax((-1, -2)), tensor(4, 16, 64, 64))

# ---- optimisers: many small tensors in one kernel ----

SHAPES = ((512, 512), (2048,), (128, 1024), (1000,), (64, 64), (3, 5, 7), (4096, 16))


def foreach(kind, dtype=single):
    return [lambda s=s: real(*s, dtype=dtype) for s in SHAPES for _ in range(kind)]


def adam(*tensors):
    n = len(tensors) // 4
    p, g, m, v = tensors[::4], tensors[1::4], tensors[2::4], tensors[3::4]
    m = torch._foreach_add(torch._foreach_mul(m, 0.9), g, alpha=0.1)
    v = torch._foreach_addcmul(torch._foreach_mul(v, 0.999), g, g, 0.001)
    return torch._foreach_addcdiv(p, m, torch._foreach_add(torch._foreach_sqrt(torch._foreach_abs(v)), 1e-8), -1e-3), m, v


case("foreach_adam", adam, *foreach(4))
case("foreach_add", lambda *t: torch._foreach_add(t[::2], t[1::2]), *foreach(2))
case("foreach_mul_half", lambda *t: torch._foreach_mul(t, 0.5), *foreach(1, half))
case("foreach_norm_clip", lambda *t: torch._foreach_mul(t, 1 / (1 + sum(x.square().sum() for x in t))), *foreach(1))
case("foreach_sgd", lambda *t: torch._foreach_sub(t[::2], torch._foreach_mul(t[1::2], 0.1)), *foreach(2))

# ---- products, as templates with what follows them ----

for m, n, k, dtype in ((1024, 1024, 1024, half), (4096, 4096, 1024, bf16), (512, 1000, 768, half), (256, 256, 256, single), (16, 4096, 4096, bf16)):
    tag = f"{m}_{n}_{k}_{short(dtype)}"
    case(f"mm_{tag}", lambda x, y: x @ y, tensor(m, k, dtype=dtype), tensor(k, n, dtype=dtype))
    case(f"mm_t_relu_{tag}", lambda x, y: F.relu(x @ y.t()), tensor(m, k, dtype=dtype), tensor(n, k, dtype=dtype))
    case(f"addmm_gelu_{tag}", lambda x, y, b: F.gelu(torch.addmm(b, x, y)), tensor(m, k, dtype=dtype), tensor(k, n, dtype=dtype), tensor(n, dtype=dtype))
    case(f"bmm_{tag}", lambda x, y: x @ y * 0.5, tensor(4, m // 4, k, dtype=dtype), tensor(4, k, n // 4, dtype=dtype))
case("mm_int8", lambda x, y: torch._int_mm(x, y), indices(10, 512, 1024, dtype=torch.int8), indices(10, 1024, 512, dtype=torch.int8))
case("mm_woq", lambda x, w, s: x @ (w.to(bf16) * s).t(), tensor(64, 4096, dtype=bf16), indices(100, 4096, 4096, dtype=torch.int8), tensor(4096, 1, dtype=bf16))
case("mm_small_reduction", lambda x, y: (x[:, :, None] * y[None]).sum(1), tensor(256, 64), tensor(64, 128))
for shape in ((8, 64, 56, 56, 64, 3), (8, 128, 28, 28, 128, 1), (4, 3, 64, 64, 32, 5)):
    b, c, h, w, o, r = shape
    case(f"conv_relu_{c}_{r}", lambda x, k, z, p=r // 2: F.relu(F.conv2d(x, k, z, padding=p)), tensor(b, c, h, w, dtype=half), tensor(o, c, r, r, dtype=half), tensor(o, dtype=half))
    case(f"conv_bn_{c}_{r}", lambda x, k, m, v, p=r // 2: F.relu(F.batch_norm(F.conv2d(x, k, padding=p), m, v.abs() + 1)), tensor(b, c, h, w), tensor(o, c, r, r), tensor(o), tensor(o))
case("conv1d", lambda x, k: F.gelu(F.conv1d(x, k, padding=2)), tensor(8, 64, 1024, dtype=half), tensor(64, 64, 5, dtype=half))
case("conv_depthwise", lambda x, k: F.conv2d(x, k, padding=1, groups=64).relu(), tensor(8, 64, 56, 56), tensor(64, 1, 3, 3))
case("attention_plain", lambda q, k, v: F.softmax(q @ k.transpose(-1, -2) * 0.125, -1) @ v, *[tensor(4, 8, 512, 64, dtype=half)] * 3)
case("attention_causal", lambda q, k, v: (q @ k.transpose(-1, -2) * 0.125).masked_fill(torch.ones(512, 512, device=q.device, dtype=torch.bool).triu(1), float("-inf")).softmax(-1) @ v,
     *[tensor(4, 8, 512, 64, dtype=half)] * 3)

# ---- shapes that are not known ----

for name, function, makers in (
        ("gelu", F.gelu, (tensor(1000, 3000),)), ("softmax", lambda x: F.softmax(x, -1), (tensor(1000, 3000),)), ("sum", lambda x: x.sum(-1), (tensor(1000, 3000),)),
        ("layer_norm", lambda x: F.layer_norm(x, x.shape[-1:]), (tensor(1000, 1500),)), ("cat", lambda x, y: torch.cat([x, y], 1), (tensor(700, 900), tensor(700, 800))),
        ("transpose", lambda x: x.t().contiguous() + 1, (tensor(900, 1100),)), ("columns", lambda x: x.sum(0), (tensor(3000, 1000),)), ("var", lambda x: x.var(-1), (tensor(1000, 5000),)),
        ("argmax", lambda x: x.argmax(-1), (tensor(1000, 3000),)), ("gather", lambda x, i: x[i] + 1, (tensor(5000, 300), indices(5000, 3000))), ("cumsum", lambda x: x.cumsum(-1), (tensor(1000, 600),)),
        ("broadcast", lambda x, y: x * y + 1, (tensor(1000, 3000), tensor(3000))), ("mean_all", lambda x: x.mean(), (tensor(1000, 3000),)), ("dropout", lambda x: F.dropout(x, 0.5, True), (tensor(1000, 3000),)),
        ("cross_entropy", lambda x, t: F.cross_entropy(x, t), (tensor(1000, 5000), indices(5000, 1000))), ("pad", lambda x: F.pad(x, (1, 2)), (tensor(1000, 3000),)),
        ("mm", lambda x, y: F.relu(x @ y), (tensor(1000, 512, dtype=half), tensor(512, 700, dtype=half))), ("bias_gelu_half", lambda x, b: F.gelu(x + b), (tensor(1000, 3000, dtype=half), tensor(3000, dtype=half)))):
    case(f"dynamic_{name}", function, *makers, dynamic=True)


# ---- recording ----

ELEMENTS = {torch.float16: "fp16", torch.bfloat16: "bf16", torch.float32: "fp32", torch.float64: "fp64", torch.int8: "i8", torch.uint8: "u8",
            torch.int16: "i16", torch.int32: "i32", torch.int64: "i64", torch.bool: "i1", torch.float8_e5m2: "fp8e5", torch.float8_e4m3fn: "fp8e4nv"}
INDICES = 1 << 20  # a larger number in a buffer is no index, but what was left there


def contents(value):
    """What a buffer is to be filled with: kernels were not run, so that what they would have written is not there."""
    element = ELEMENTS[value.dtype]
    count = value.untyped_storage().nbytes() // value.element_size() - value.storage_offset()
    line = {"element": element, "count": max(1, count)}
    if element == "i1":
        return {**line, "fill": "bits", "low": 0, "high": 1}
    if value.dtype.is_floating_point:
        return {**line, "fill": "uniform", "low": -1, "high": 1}
    flat = torch.as_strided(value, (count,), (1,)) if count > 0 else value
    low, high = (int(flat.min()), int(flat.max())) if count > 0 else (0, 0)
    if low < 0 or high > INDICES:
        low, high = 0, min(7, 2**(8 * value.element_size() - 1) - 1)
    return {**line, "fill": "whole", "low": low, "high": high}


def passed(text, values):
    """The arguments that are passed: of all that the host names, those which the source makes constants are not."""
    signature = re.search(r"'signature': (\{[^}]*\})", text)
    kinds = list(ast.literal_eval(signature[1]).values()) if signature else []
    return [value for at, value in enumerate(values) if at >= len(kinds) or kinds[at] != "constexpr"]


def for_gpu(text):
    """A source of the back end for the CPU as one for the GPU whose properties it was told."""
    return text.replace("type='cpu', index=None", "type='cuda', index=0").replace("set_driver_to_cpu()", "set_driver_to_gpu()")


class Written:
    """A kernel that was written: says what it is launched with."""

    def __init__(self, recorder, name, source):
        self.recorder, self.name, self.source = recorder, name, source

    def run(self, *arguments, stream=None, **keywords):
        self.recorder.launch(self, arguments, keywords)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *arguments, **keywords: None


class Recorder:

    def __init__(self, folder):
        self.folder, self.lines, self.case, self.written, self.unsaid = folder, [], "", 0, []

    def launch(self, kernel, arguments, keywords):
        try:
            values = [contents(a) if torch.is_tensor(a) else a if isinstance(a, (bool, int, float)) else int(a) for a in arguments]
        except Exception as error:
            self.unsaid.append(f"{self.case} {kernel.name}: {type(error).__name__}: {error}")
            return
        text = kernel.source if GPU else for_gpu(kernel.source)
        values = passed(text, values)
        extra = re.search(r"'extra_launcher_args': \[([^\]]*)\]", text)
        grid = None
        if extra and values:  # templates are told their grid
            count = extra[1].count("_grid_")
            values, grid = values[:-count], values[-count:]
        same = re.sub(r"\b" + re.escape(kernel.name) + r"\b", "triton_kernel", re.sub(r"'kernel_name': '\w*'|'backend_hash': '\w*'", "", text))
        digest = hashlib.sha256(same.encode()).hexdigest()[:12]
        file = f"{self.case}-{digest}.py"
        with open(os.path.join(self.folder, file), "w") as out:
            out.write(text)
        self.lines.append({"source": file, "case": self.case, "digest": digest, "kernel": kernel.name, "arguments": values, "seed": 1,
                           **({"grid": grid} if grid else {}),
                           **({"keywords": sorted(keywords)} if keywords else {})})


def one(job):
    """Runs a case in a process of its own kind: lines, what went wrong."""
    folder, name, deadline = job
    if time.time() > deadline:
        return name, [], [f"{name}: no time left"], 0
    begin = time.time()
    recorder = Recorder(folder)
    recorder.case = name
    from torch._inductor import async_compile

    async_compile.AsyncCompile.triton = lambda self, kernel, source, device_str="cuda": Written(recorder, kernel, source)
    function, makers, dynamic, backward = CASES[name]
    try:
        torch._dynamo.reset()
        torch.manual_seed(1)
        inputs = [make() for make in makers]
        if backward:
            inputs = [x.requires_grad_() if x.is_floating_point() else x for x in inputs]
        out = torch.compile(function, dynamic=dynamic)(*inputs)
        if backward:
            out.backward()
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        recorder.unsaid.append(f"{name}: {type(error).__name__}: {' '.join(str(error).split())[:300]} ({place.filename}:{place.lineno})")
    return name, recorder.lines, recorder.unsaid, time.time() - begin


def begin(gpu, cache):
    global GPU
    GPU = gpu
    torch.set_num_threads(1)
    import torch._inductor.config as config

    os.environ["TORCHINDUCTOR_CACHE_DIR"] = os.path.join(cache, str(os.getpid()))
    config.fx_graph_cache = False
    config.compile_threads = 1
    config.unroll_reductions_threshold = 8
    if GPU:
        one_config()
    else:
        config.cpu_backend = "triton"
        import pretend
        import triton
        from torch._dynamo.device_interface import CpuInterface

        CpuInterface.Worker.get_device_properties = staticmethod(lambda device=None: pretend.PROPERTIES)
        CpuInterface.get_compute_capability = staticmethod(lambda device=None: 10 * pretend.CAPABILITY[0] + pretend.CAPABILITY[1])
        triton.runtime.driver.set_active(pretend.Driver())
        from torch._inductor import graph, utils

        graph.should_assume_input_aligned = utils.tensor_is_aligned  # never true on the CPU: what is read would move by single elements


def one_config():
    """Templates for products, of which one configuration is taken: nothing is tuned."""
    import torch._inductor.config as config
    from torch._inductor import select_algorithm

    config.max_autotune_gemm = True
    config.max_autotune_gemm_backends = "TRITON"
    config.max_autotune_conv_backends = "TRITON"
    chosen = select_algorithm.AlgorithmSelectorCache.__call__

    def choose(self, name, choices, *rest, **keywords):
        triton_choices = [c for c in choices if type(c).__name__ == "TritonTemplateCaller"]
        kept = triton_choices[len(triton_choices) // 2:][:1] or choices[:1]
        return chosen(self, name, kept, *rest, **keywords)

    select_algorithm.AlgorithmSelectorCache.__call__ = choose


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=float, default=math.inf, help="begin no case after so many seconds")
    parser.add_argument("--only", default="", help="cases whose name this matches")
    a = parser.parse_args()
    os.makedirs(a.out, exist_ok=True)
    gpu = os.path.exists("/dev/nvidia0")
    names = [n for n in CASES if re.search(a.only, n)]
    names = [n for i in range(7) for n in names[i::7]]  # of all kinds from the start
    deadline = time.time() + a.limit
    lines, wrong, seen = [], [], set()
    with multiprocessing.get_context("spawn").Pool(a.jobs, begin, (gpu, os.path.join(a.out, "cache")), maxtasksperchild=40) as pool:
        for name, found, unsaid, seconds in pool.imap_unordered(one, [(a.out, n, deadline) for n in names]):
            wrong += unsaid
            lines += [l for l in found if l["digest"] not in seen and not seen.add(l["digest"])]
            with open(os.path.join(a.out, "launches.jsonl"), "w") as file:
                file.writelines(json.dumps(line) + "\n" for line in lines)
    for why in wrong:
        print(why[:400])
    kinds = collections.Counter(l["case"].split("_")[0] for l in lines)
    print(f"{len(lines)} kernels of {len(names)} cases, {len(wrong)} problems; {dict(kinds)}")


if __name__ == "__main__":
    main()
