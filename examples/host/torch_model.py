#!/usr/bin/env python3
"""A small PyTorch model whose softmax, layer norm and matrix product with activation are kernels that tkc compiled: outputs and
gradients compared with PyTorch's own, and times under eager, torch.compile and a CUDA graph.

    for k in softmax layer_norm matmul_activation host/gradients; do
        n=$(basename $k); tkc $k.tk --target sm_90a --all-configs -o $n.ptx -o $n.torch.c         and n.json
    done
    python3 torch_model.py [FOLDER]                         the folder of these files
    python3 torch_model.py FOLDER --python                  without a C compiler: operators by ctypes

Exits with 1 where a result is off, and with 77 without a GPU.
"""
import argparse
import functools
import os
import statistics
import sys

import torch
import torch.nn.functional as F

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = ["softmax", "layer_norm", "matmul_activation", "gradients"]
TOKENS, WIDTH, HIDDEN, CLASSES, LAYERS = 4096, 1024, 4096, 1008, 4
NORM_PARTS, BIAS_PARTS = 264, 32  # of sums over rows: two programs a multiprocessor of an H200, and 512 programs
LOSS_SCALE = 64  # gradients of probabilities are small, and fp16 ends at 6e-8
TOLERANCE = 1.25  # times the difference that PyTorch's own fp16 has from fp32
ops = torch.ops.tkc


sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "tools")]
import tkc_torch  # noqa: E402


def load_kernels(folder, in_python):
    for name in KERNELS:
        tkc_torch.load(os.path.join(folder, name + ".json"), compiled=False if in_python else None)


# ---- gradients ----

def register_gradients():
    """Of one operator: the names of parameters say what is kept of the forward pass."""
    @tkc_torch.gradient("tkc::softmax")
    def softmax_gradient(y, dy):
        return ops.softmax_backward(y, dy.contiguous())


class FeedForward(torch.autograd.Function):
    """Of several: a node of autograd for all of them takes the host less than one for each, and here the host is the slower one."""

    @staticmethod
    def forward(ctx, x, weight, bias, up, up_bias, down):
        normal, mean, rstd = ops.layer_norm(x, weight, bias, 1e-5)
        inner = ops.matmul_activation(normal, up, up_bias)
        ctx.save_for_backward(x, weight, mean, rstd, normal, up, inner, down)
        return torch.addmm(x, inner, down)

    @staticmethod
    def backward(ctx, dy):
        x, weight, mean, rstd, normal, up, inner, down = ctx.saved_tensors
        dinner, dup_bias = ops.activation_gradient(dy @ down.t(), inner, BIAS_PARTS)
        dx, dweight, dbias = ops.layer_norm_gradient(x, dinner @ up.t(), weight, mean, rstd, NORM_PARTS)
        return dx.add_(dy), dweight, dbias, normal.t() @ dinner, dup_bias, inner.t() @ dy


# The node without a look for transforms of torch.func, which takes the host longer; torch.compile knows FeedForward.apply alone.
connect = super(torch.autograd.Function, FeedForward).apply


# ---- the model, once with each set of functions ----

class PyTorch:
    softmax = staticmethod(lambda x: F.softmax(x, dim=-1))

    @staticmethod
    def feed_forward(x, weight, bias, up, up_bias, down):
        normal = F.layer_norm(x, weight.shape, weight, bias, 1e-5)
        return torch.addmm(x, F.leaky_relu(torch.addmm(up_bias, normal, up)), down)


class Tkc:
    softmax = staticmethod(lambda x: ops.softmax(x))

    @staticmethod
    def feed_forward(*arguments):
        return FeedForward.apply(*arguments) if torch.compiler.is_compiling() else connect(*arguments)


def make_parameters():
    generator = torch.Generator("cuda").manual_seed(1)

    def normal(*shape, scale=1.0, around=0.0):
        values = torch.randn(*shape, generator=generator, device="cuda") * scale + around
        return values.half().requires_grad_()
    layers = [[normal(WIDTH, scale=0.1, around=1.0), normal(WIDTH, scale=0.1), normal(WIDTH, HIDDEN, scale=WIDTH ** -0.5),
               normal(HIDDEN, scale=0.1), normal(HIDDEN, WIDTH, scale=HIDDEN ** -0.5)] for _ in range(LAYERS)]
    return [p for layer in layers for p in layer] + [normal(WIDTH, CLASSES, scale=WIDTH ** -0.5)]


def model(functions, x, parameters):
    for i in range(LAYERS):
        x = functions.feed_forward(x, *parameters[5 * i:5 * i + 5])
    return functions.softmax(x @ parameters[-1])


def step(apply, x, target, parameters):
    """Forward and backward: the gradients of all parameters."""
    loss = -(apply(x, parameters).float() * target).sum() * LOSS_SCALE
    return torch.autograd.grad(loss, parameters)


# ---- how it is run ----

def in_single(function, x, parameters):
    """In fp32, as a reference."""
    return [r.clone() for r in function(x.float(), [p.detach().float().requires_grad_() for p in parameters])]



def in_graph(function):
    """Captured once; what it returns is written again by each replay."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            function()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        results = function()

    def replay():
        graph.replay()
        return results
    return replay


def milliseconds(functions, rounds=12, runs=10):
    """The medians of the functions' times, in turns: a host's speed drifts."""
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, samples in zip(functions, times):
            for run in range(runs + 1):
                start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
                torch.cuda.synchronize()
                start.record()
                function()
                end.record()
                end.synchronize()
                if run:  # the first of a turn finds the other's memory and caches
                    samples.append(start.elapsed_time(end))
    return [statistics.median(samples) for samples in times]


def difference(got, expected):
    """The largest relative one (by the square root of the sum of squares) of any of the tensors."""
    return max(((g.float() - e).norm() / e.norm()).item() for g, e in zip(got, expected))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=".")
    parser.add_argument("--python", action="store_true")
    options = parser.parse_args()
    if not torch.cuda.is_available():
        print("skipped: no GPU")
        return 77
    load_kernels(options.folder, options.python)
    register_gradients()
    parameters = make_parameters()
    x = torch.randn(TOKENS, WIDTH, device="cuda").half()
    target = torch.rand(TOKENS, CLASSES, device="cuda")

    def forward(apply, x, parameters):
        with torch.no_grad():
            return [apply(x, parameters)]

    def training(apply, x, parameters):
        return step(apply, x, target, parameters)
    off = 0
    for what, run in (("forward", forward), ("training step", training)):
        expected = in_single(lambda x, parameters: run(functools.partial(model, PyTorch), x, parameters), x, parameters)
        tolerance = TOLERANCE * difference(run(functools.partial(model, PyTorch), x, parameters), expected)
        for mode in ("eager", "torch.compile", "CUDA graph"):
            calls = []
            for functions in (PyTorch, Tkc):
                apply = functools.partial(model, functions)
                if mode == "torch.compile":
                    apply = torch.compile(apply, fullgraph=True)
                once = functools.partial(run, apply, x, parameters)
                calls.append(in_graph(once) if mode == "CUDA graph" else once)
            differences = [difference(once(), expected) for once in calls]
            times = milliseconds(calls)
            off += not max(differences) <= tolerance
            print(f"{what:14s} {mode:14s} PyTorch {times[0]:7.3f} ms, tkc's kernels {times[1]:7.3f} ms ({times[1] / times[0]:.3f}), "
                  f"differences from fp32 {differences[0]:.5f} and {differences[1]:.5f}{'' if max(differences) <= tolerance else '  TOO LARGE'}", flush=True)
    print("every result within tolerance" if not off else f"{off} results are off")
    return off != 0


if __name__ == "__main__":
    sys.exit(main())
