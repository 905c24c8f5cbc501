"""tkc_torch_gradients.py with operators in Python, against the same written in PyTorch: one result and two, second gradients, torch.compile,
the transforms of torch.func, and what is kept how long. Skipped (77) without PyTorch.

    torch_gradients.py SOURCE_DIR
"""
import gc
import os
import sys
import weakref

try:
    import torch
except ImportError:
    print("skipped: PyTorch is not here")
    sys.exit(77)
sys.path.insert(0, os.path.join(sys.argv[1], "tools"))
import expectations  # noqa: E402
import tkc_torch_gradients  # noqa: E402
from expectations import expect, refused  # noqa: E402

library = torch.library.Library("here", "DEF")
grad = torch.autograd.grad


def define(name, schema, function, fake):
    library.define(name + schema)
    library.impl(name, function, "CPU")
    torch.library.register_fake("here::" + name, fake)


def scaled(x, w, factor):
    return x * w * factor


def both(x, times, w):
    return x * w * times, x + w


define("scaled", "(Tensor x, Tensor w, float factor) -> Tensor", scaled, lambda x, w, factor: torch.empty_like(x))
define("both", "(Tensor x, int times, Tensor w) -> (Tensor, Tensor)", both, lambda x, times, w: (torch.empty_like(x), torch.empty_like(x)))
define("first", "(Tensor x, int times, Tensor w) -> (Tensor, Tensor)", both, lambda x, times, w: (torch.empty_like(x), torch.empty_like(x)))
define("changed", "(Tensor(a!) x) -> Tensor", lambda x: x.clone(), torch.empty_like)
define("usual", "(Tensor x, int n=1) -> Tensor", lambda x, n=1: x * n, torch.empty_like)
ops = torch.ops.here
calls = []


@tkc_torch_gradients.gradient("here::scaled", ["y"])
def scaled_gradient(w, factor, x, dy):
    calls.append(dy)
    return dy * w * factor, dy * x * factor


@tkc_torch_gradients.gradient("here::both", ["y", "z"])
def both_gradient(dz, x, w, times, dy):
    return dy * w * times + dz, dy * x * times + dz


@tkc_torch_gradients.gradient("here::first", ["y", "z"])
def first_gradient(x, w, times, dy, z):
    return dy * w * times, dy * (z - w) * times


def same(ours, theirs):
    return len(ours) == len(theirs) and all(torch.allclose(a, b, rtol=1e-4, atol=1e-5) for a, b in zip(ours, theirs))


def second(function, x, w):
    a, b = grad(function(x, w), (x, w), create_graph=True)
    return grad(a.sum() + b.square().sum(), (x, w))


PICKS = {"y": lambda r: r[0].square().sum(), "z": lambda r: r[1].square().sum(), "both": lambda r: (r[0] * r[1].sin()).sum()}


def check_gradients(x, w):
    expect("scaled", same(grad(ops.scaled(x, w, 3.0).square().sum(), (x, w)), grad(scaled(x, w, 3.0).square().sum(), (x, w))))
    expect("by name", same(grad(ops.scaled(factor=2.0, w=w, x=x).sum(), (x,)), (2 * w,)))
    expect("one wanted", same(grad(ops.scaled(x, w.detach(), 3.0).sum(), (x,)), (3 * w,)))
    expect("scaled twice", same(second(lambda x, w: ops.scaled(x, w, 3.0).pow(3).sum(), x, w),
                                second(lambda x, w: scaled(x, w, 3.0).pow(3).sum(), x, w)))
    for name, pick in PICKS.items():
        expect(f"both by {name}", same(grad(pick(ops.both(x, 3, w)), (x, w)), grad(pick(both(x, 3, w)), (x, w))))
        expect(f"both by {name} twice", same(second(lambda x, w: pick(ops.both(x, 3, w)), x, w),
                                             second(lambda x, w: pick(both(x, 3, w)), x, w)))
    y, z = ops.first(x, 3, w)
    expect("a result without a gradient", y.requires_grad and not z.requires_grad)
    expect("the other", same(grad((y * z).sum(), (x, w)), grad((both(x, 3, w)[0] * (x + w).detach()).sum(), (x, w))))


def check_kept(x, w):
    def is_freed(made):
        reference = weakref.ref(made[0])
        made.clear()
        return reference() is None
    gc.disable()
    expect("a result is freed", is_freed([ops.scaled(x, w, 3.0)]))
    expect("one that is kept is freed", is_freed([ops.first(x, 3, w)[0]]))
    gc.enable()
    changed = x * 1
    y = ops.scaled(changed, w, 3.0)
    changed.add_(1)
    try:
        grad(y.sum(), w)
        expect("a kept argument that was changed is refused", False)
    except RuntimeError as error:
        expect("it says so", "modified by an inplace operation" in str(error))
    calls.clear()
    with torch.no_grad():
        expect("no gradient is wanted", not ops.scaled(x, w, 3.0).requires_grad)
    with torch.inference_mode():
        expect("nor in inference mode", not ops.scaled(x, w, 3.0).requires_grad)
    expect("nor of constants", not ops.scaled(x.detach(), w.detach(), 3.0).requires_grad and not calls)


def check_transforms(x, w):
    x, w, func = x.detach(), w.detach(), torch.func

    def results(function):
        def loss(x):
            return function(x, w, 3.0).pow(3).sum()
        yield func.grad(loss)(x)
        yield func.grad(lambda x: func.grad(loss)(x).square().sum())(x)
        yield func.vmap(func.grad(loss))(x)
        yield func.grad(lambda x: func.vmap(lambda row: function(row, w[0], 3.0))(x).square().sum())(x)
    expect("transforms", same(list(results(ops.scaled)), list(results(scaled))))


def check_compiled(x, w):
    def apply(scaled, both, x, w):
        y, z = both(x * 2, x.shape[0], w)
        return (scaled(y.sin(), w, 3.0) * z).relu().sum()
    for dynamic in (False, True):
        compiled = torch.compile(lambda x, w: apply(ops.scaled, ops.both, x, w), backend="aot_eager", fullgraph=True, dynamic=dynamic)
        expect("compiled", same(grad(compiled(x, w), (x, w)), grad(apply(scaled, both, x, w), (x, w))))
    torch.library.opcheck(ops.scaled.default, (x, w, 3.0))


def check_refused(x, w):
    declare = tkc_torch_gradients.gradient
    refused("takes v, and the operator has the arguments x, w, factor and the results y",
            lambda: declare("here::scaled", ["y"])(lambda v, dy: None))
    refused("takes none of a result: dy", lambda: declare("here::scaled", ["y"])(lambda x: None))
    refused("here::changed changes its arguments, and has no gradient", lambda: declare("here::changed", ["y"])(lambda dy: dy))
    refused("its argument n has a default", lambda: declare("here::usual", ["y"])(lambda dy: dy))
    define("few", "(Tensor x, Tensor w) -> Tensor", lambda x, w: x * w, torch.empty_like)
    declare("here::few", ["y"])(lambda dy: dy)
    refused("the gradient of here::few returns 1 values, and the operator takes 2 tensors", lambda: grad(ops.few(x, w).sum(), x))


def main():
    torch.manual_seed(1)
    x, w = torch.randn(6, 6, requires_grad=True), torch.randn(6, 6, requires_grad=True)
    for check in (check_gradients, check_kept, check_transforms, check_compiled, check_refused):
        check(x, w)
    return expectations.failures != 0


if __name__ == "__main__":
    sys.exit(main())
