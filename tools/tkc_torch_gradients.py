"""Gradients of operators.

    @tkc_torch.gradient("tkc::layer_norm")
    def layer_norm_gradient(x, weight, mean, rstd, dy):
        dx, dweight, dbias = …
        return dx, dweight, dbias

The function says by its parameters' names what it needs: arguments and results of the operator are kept for it, and `dy` is the
gradient of the result `y` (zeros, if there is none). A result whose gradient it does not take has none. It returns the gradients of the
operator's tensors in their order; None for one without. Numbers among the arguments have none.

An operator with a gradient gets a kernel for the key Autograd, which is Python between the caller and the operator's own C. In a small
model's training step the host is slower than the GPU, so this kernel takes few steps. Beside a node in C++ a call takes longer by 1.7 us
where nothing wants a gradient, else by 5 us, and the backward pass by 3 to 8 us: one for each operator that the function calls (PyTorch
2.11 on an AMD EPYC; the host of an H200 took four times as long). torch.compile and CUDA graphs keep the function's operators alone; no
Python is left there. Where the host is the slower one, one torch.autograd.Function for several operators takes it least
(examples/host/torch_model.py).
"""
import inspect
import operator

import torch
from torch._functorch.utils import enable_single_level_autograd_function
from torch.autograd.function import _SingleLevelFunction as SingleLevelFunction

ARGUMENT, RESULT, GRADIENT = range(3)  # of an operator
BELOW_AUTOGRAD = torch._C._after_autograd_keyset
transformed = torch._C._are_functorch_transforms_active
libraries = []  # a library takes its kernel with it when it goes


class Gradient:
    """A declared one: the function and the places of what it takes."""

    def __init__(self, name, function, schema, results):
        self.name, self.function = name, function
        self.arguments = {argument.name: i for i, argument in enumerate(schema.arguments)}
        self.kinds = [str(argument.type) for argument in schema.arguments]
        self.tensors = [i for i, kind in enumerate(self.kinds) if kind == "Tensor"]
        self.results = results or [f"result{i}" for i in range(len(schema.returns))]
        self.values = [self.value(parameter) for parameter in inspect.signature(function).parameters]
        self.taken = sorted({i for what, i in self.values if what == GRADIENT})  # results
        if not self.taken:
            raise ValueError(f"the gradient of {name} takes none of a result: d{self.results[0] if self.results else ''}")
        if schema.is_mutable:
            raise ValueError(f"{name} changes its arguments, and has no gradient")
        for argument in schema.arguments:
            if argument.kwarg_only or argument.has_default_value():
                raise ValueError(f"{name} has no gradient: its argument {argument.name} has a default or is given by name alone")

    def value(self, parameter):
        if parameter in self.arguments:
            return ARGUMENT, self.arguments[parameter]
        if parameter in self.results:
            return RESULT, self.results.index(parameter)
        if parameter[:1] == "d" and parameter[1:] in self.results:
            return GRADIENT, self.results.index(parameter[1:])
        raise ValueError(f"the gradient of {self.name} takes {parameter}, and the operator has the arguments "
                         f"{', '.join(self.arguments)} and the results {', '.join(self.results)}")

    def kept(self):
        """Places of the tensors and of the numbers that the function takes, among the arguments and the results behind them; and the
        places of the function's values among these tensors, these numbers and the results' gradients."""
        places = [i + len(self.kinds) * (what == RESULT) for what, i in self.values if what != GRADIENT]
        tensors = [place for place in places if place in self.tensors or place >= len(self.kinds)]
        numbers = [place for place in places if place not in tensors]
        both = tensors + numbers
        given = [len(both) + i if what == GRADIENT else both.index(i + len(self.kinds) * (what == RESULT)) for what, i in self.values]
        return tensors, numbers, given

    def checked(self, results):
        """The gradients of the operator's tensors, and None."""
        results = tuple(results) if isinstance(results, (list, tuple)) else (results,)
        if len(results) != len(self.tensors):
            raise ValueError(f"the gradient of {self.name} returns {len(results)} values, and the operator takes {len(self.tensors)} "
                             "tensors")
        return *results, None


def pick(places):
    """A function that takes a tuple's elements at these places, as a tuple."""
    return operator.itemgetter(*places) if len(places) > 1 else lambda values: tuple([values[i] for i in places])


def with_zeros(gradients, taken, made):
    """The results' gradients, with zeros for absent ones that the function takes. None where all of those are absent."""
    if all(gradients[i] is None for i in taken):
        return None
    return tuple([torch.zeros(made[i][0], dtype=made[i][1], device=made[i][2]) if i in taken and gradient is None else gradient
                  for i, gradient in enumerate(gradients)])


def node_of(gradient, run, results):
    """Functions that connect arguments with results by a node of autograd: one for calls, one inside the transforms of torch.func. `run` is
    the operator without gradients, `results` the number of its results."""
    tensors, numbers, given = map(pick, gradient.kept())
    function, checked, taken = gradient.function, gradient.checked, gradient.taken
    untaken = [i for i in range(results) if i not in taken]
    pick_untaken, no_gradients = pick(untaken), (None,) * (1 + len(gradient.kinds))
    by_argument = pick([-1, *(gradient.tensors.index(i) if i in gradient.tensors else -1 for i in range(len(gradient.kinds)))])

    class Steps:
        @staticmethod
        def forward(ctx, keys, *arguments):
            if transformed():  # the levels of torch.func below this one record for themselves
                with torch.enable_grad():
                    outputs = run(keys & BELOW_AUTOGRAD, *arguments)
            else:
                outputs = run(keys & BELOW_AUTOGRAD, *arguments)
            made = (outputs,) if results == 1 else tuple(outputs)
            values = arguments + made
            ctx.save_for_backward(*tensors(values))
            ctx.numbers = numbers(values)
            ctx.set_materialize_grads(False)  # PyTorch's zeros would be for all results
            if untaken:
                ctx.mark_non_differentiable(*pick_untaken(made))
            if len(taken) > 1:
                ctx.made = [(result.shape, result.dtype, result.device) for result in made]
            return outputs

        @staticmethod
        def backward(ctx, *gradients):
            for i in taken:
                if gradients[i] is None:
                    gradients = with_zeros(gradients, taken, ctx.made if len(taken) > 1 else [])
                    break
            if not gradients:
                return no_gradients
            return by_argument(checked(function(*given(ctx.saved_tensors + ctx.numbers + gradients))))

    node, level = [type(gradient.name, (Steps, base), {}) for base in (torch.autograd.Function, SingleLevelFunction)]
    # Function.apply would look for transforms first, a third of the node's time.
    return super(torch.autograd.Function, node).apply, level.apply


def register(gradient, overload):
    run, results = overload._handle.redispatch_boxed, len(overload._schema.returns)
    connect, connect_level = node_of(gradient, run, results)
    grad_mode, any_wants = torch.is_grad_enabled, torch._C._any_requires_grad

    def autograd(keys, *arguments):
        if not grad_mode() or not any_wants(*arguments):
            return run(keys & BELOW_AUTOGRAD, *arguments)
        if transformed():
            with enable_single_level_autograd_function():
                return connect_level(keys, *arguments)
        return connect(keys, *arguments)

    space, name = gradient.name.split("::")
    libraries.append(torch.library.Library(space, "IMPL"))
    libraries[-1].impl(name, autograd, "Autograd", with_keyset=True)


def gradient(name, results=()):
    """A decorator: see above. `results` are the names of the operator's results."""
    space, operator_name = name.split("::")
    overload = getattr(getattr(torch.ops, space), operator_name).default

    def declare(function):
        register(Gradient(name, function, overload._schema, list(results)), overload)
        return function
    return declare
