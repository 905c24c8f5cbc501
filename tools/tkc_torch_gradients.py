"""Gradients of operators, without Python in their way where a C++ compiler and PyTorch's headers are.

    @tkc_torch.gradient("tkc::layer_norm")
    def layer_norm_gradient(x, weight, mean, rstd, dy):
        dx, dweight, dbias = …
        return dx, dweight, dbias

The function says by its parameters' names what it needs: arguments and results of the operator are kept for it, and `dy` is the
gradient of the result `y` (zeros, if there is none). A result whose gradient it does not take has none. It returns the gradients of the
operator's tensors in their order; None for one without. Numbers among the arguments have none. Double backward and torch.compile call
the function as they call any.

tkc_torch_gradients.cpp, built once by torch.utils.cpp_extension (a minute, then kept), makes the node of autograd. The function's first
call with tensors of some shapes, strides and types, and with some numbers, is recorded as a list of PyTorch's operators, and the list is
replayed from then on. So the function has to be one of its arguments alone. One that reads a tensor's elements (`.item()`) or tensors
from elsewhere is not recorded but called. Without the compiler the function is registered by torch.library.register_autograd.
"""
import functools
import inspect
import os
import warnings

import torch
from torch.utils._python_dispatch import TorchDispatchMode

ARGUMENT, RESULT, GRADIENT = range(3)  # of tkc_torch_gradients.cpp
TYPES = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.float32, torch.float64, None, None, None,
         torch.bool, None, None, None, torch.bfloat16]  # by c10::ScalarType
FORMATS = [torch.contiguous_format, torch.preserve_format, torch.channels_last, torch.channels_last_3d]  # by c10::MemoryFormat


class Unrecordable(Exception):
    pass


class Recorder(TorchDispatchMode):
    """What a function does with tensors, as text: a line for each call of an operator, with slots for tensors."""

    def __init__(self, tensors):
        super().__init__()
        self.kept = list(tensors)  # so that no other tensor gets the id of one
        self.slots = {id(tensor): slot for slot, tensor in enumerate(tensors) if tensor is not None}
        self.calls = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        results = function(*args, **(kwargs or {}))
        self.calls.append((function, args, kwargs or {}, results))
        return results

    def word(self, value):
        if isinstance(value, torch.Tensor):
            if id(value) not in self.slots:
                raise Unrecordable("it reads a tensor that is none of its arguments")
            return f"t{self.slots[id(value)]}"
        if isinstance(value, (list, tuple)):
            return " ".join(["[", *map(self.word, value), "]"])
        if value is None:
            return "n"
        if isinstance(value, bool):
            return f"b{value:d}"
        if isinstance(value, int):
            return f"i{value}"
        if isinstance(value, float):
            return f"f{value.hex()}"
        if isinstance(value, torch.device):
            return f"d{value}"
        if value in TYPES:
            return f"i{TYPES.index(value)}"
        if value in FORMATS:
            return f"i{FORMATS.index(value)}"
        if value is torch.strided:
            return "i0"
        raise Unrecordable(f"it calls an operator with {value!r}")

    def line(self, function, args, kwargs, results):
        """The call in words, the slots that it reads, and those that it makes."""
        words = [function._schema.name, function._schema.overload_name or "."]
        for i, argument in enumerate(function._schema.arguments):
            words.append(self.word(args[i]) if i < len(args) else
                         self.word(kwargs[argument.name]) if argument.name in kwargs else "-")
        made = range(len(self.kept), len(self.kept))
        for result in results if isinstance(results, (list, tuple)) else [] if results is None else [results]:
            if not isinstance(result, torch.Tensor):
                raise Unrecordable(f"{function} gives it {result!r}")
            self.slots[id(result)] = len(self.kept)
            self.kept.append(result)
            made = range(made.start, len(self.kept))
        text = " ".join(words)
        return text, {word for word in text.split() if word[0] == "t"}, [f"t{slot}" for slot in made]

    def text(self, results, wanted):
        """What gives the wanted results. A call that changes a tensor is left out nowhere."""
        lines = [self.line(*call) for call in self.calls]
        end = [self.word(result if want else None) for result, want in zip(results, wanted)]
        needed, kept = set(end), []
        changes = any(call[0]._schema.is_mutable for call in self.calls)
        slots = len(self.kept) - sum(len(made) for _, _, made in lines)
        for text, read, made in reversed(lines):
            kept.append((text, made, changes or not needed.isdisjoint(made)))
            needed |= read if kept[-1][2] else set()
        renamed = {f"t{slot}": f"t{slot}" for slot in range(slots)}
        program = []
        for text, made, is_needed in reversed(kept):
            if is_needed:
                program.append(" ".join(renamed.get(word, word) for word in text.split()))
                for slot in made:
                    renamed[slot] = f"t{slots}"
                    slots += 1
        return "\n".join([*program, "return " + " ".join(renamed.get(word, word) for word in end)])


class Gradient:
    """A declared one: the function and the places of what it takes."""

    def __init__(self, name, function, schema, results):
        self.name, self.function = name, function
        self.arguments = {argument.name: i for i, argument in enumerate(schema.arguments)}
        self.kinds = [str(argument.type) for argument in schema.arguments]
        self.tensors = [i for i, kind in enumerate(self.kinds) if kind == "Tensor"]
        self.results = results or [f"result{i}" for i in range(len(schema.returns))]
        self.values = [self.value(parameter) for parameter in inspect.signature(function).parameters]
        if not any(what == GRADIENT for what, _ in self.values):
            raise ValueError(f"the gradient of {name} takes none of a result: d{self.results[0] if self.results else ''}")
        if schema.is_mutable:
            raise ValueError(f"{name} changes its arguments, and has no gradient")

    def value(self, parameter):
        if parameter in self.arguments:
            return ARGUMENT, self.arguments[parameter]
        if parameter in self.results:
            return RESULT, self.results.index(parameter)
        if parameter[:1] == "d" and parameter[1:] in self.results:
            return GRADIENT, self.results.index(parameter[1:])
        raise ValueError(f"the gradient of {self.name} takes {parameter}, and the operator has the arguments "
                         f"{', '.join(self.arguments)} and the results {', '.join(self.results)}")

    def is_tensor(self, what, index):
        return what != ARGUMENT or index in self.tensors

    def __call__(self, given):
        """The gradients of the operator's tensors."""
        results = self.function(*given)
        results = list(results) if isinstance(results, (list, tuple)) else [results]
        if len(results) != len(self.tensors):
            raise ValueError(f"the gradient of {self.name} returns {len(results)} values, and the operator takes {len(self.tensors)} "
                             "tensors")
        return results

    def from_lists(self, tensors, integers, floats):
        tensors, integers, floats = iter(tensors), iter(integers), iter(floats)
        return [next(tensors) if self.is_tensor(what, i) else next(floats) if self.kinds[i] == "float" else
                bool(next(integers)) if self.kinds[i] == "bool" else next(integers) for what, i in self.values]


declared = []  # in the order of tkc_torch_gradients.cpp


def python(which, tensors, integers, floats, wanted, learn):
    """tkc_gradients::python: calls the function, and records it where C++ asks for that."""
    gradient = declared[which]
    given = gradient.from_lists(tensors, integers, floats)
    if not learn:
        return gradient(given)
    recorder = Recorder(tensors)
    with recorder:
        results = gradient(given)
    try:
        program = recorder.text(results, wanted)
    except Unrecordable as why:
        warnings.warn(f"the gradient of {gradient.name} is slower than it could be: {why}")
        program = ""
    torch.ops.tkc_gradients.teach(which, tensors, integers, floats, wanted, program)
    return results


@functools.cache
def extension():
    """The library of "tkc_gradients" with Python's part of it; None: it cannot be built."""
    from torch.utils import cpp_extension
    try:
        cpp_extension.load("tkc_torch_gradients", [os.path.splitext(__file__)[0] + ".cpp"], extra_cflags=["-O2"], is_python_module=False)
    except (OSError, RuntimeError) as error:
        warnings.warn(f"gradients go through Python, which takes longer: {error}")
        return None
    library = torch.library.Library("tkc_gradients", "IMPL")
    library.impl("python", python, "CompositeImplicitAutograd")
    return library


def register_in_python(gradient):
    def setup_context(ctx, inputs, output):
        outputs = output if isinstance(output, tuple) else (output,)
        sources = {ARGUMENT: inputs, RESULT: outputs}
        kept = [sources[what][i] for what, i in gradient.values if what != GRADIENT]
        ctx.save_for_backward(*[value for value in kept if isinstance(value, torch.Tensor)])
        ctx.numbers = [value for value in kept if not isinstance(value, torch.Tensor)]
        taken = {i for what, i in gradient.values if what == GRADIENT}
        ctx.mark_non_differentiable(*[value for i, value in enumerate(outputs) if i not in taken])

    def backward(ctx, *gradients):
        tensors, numbers = iter(ctx.saved_tensors), iter(ctx.numbers)
        given = [gradients[i] if what == GRADIENT else next(tensors if gradient.is_tensor(what, i) else numbers)
                 for what, i in gradient.values]
        results = iter(gradient(given))
        return tuple(next(results) if i in gradient.tensors else None for i in range(len(gradient.kinds)))

    torch.library.register_autograd(gradient.name, backward, setup_context=setup_context)


def gradient(name, results=()):
    """A decorator: see above. `results` are the names of the operator's results."""
    space, operator = name.split("::")
    schema = getattr(getattr(torch.ops, space), operator).default._schema

    def declare(function):
        made = Gradient(name, function, schema, list(results))
        if extension():
            which = torch.ops.tkc_gradients.declare(space, operator, [what for what, _ in made.values], [i for _, i in made.values])
            assert which == len(declared)
            declared.append(made)
        else:
            register_in_python(made)
        return function
    return declare
