"""Kernels compiled by tkc as PyTorch operators: from the images and their JSON.

    tkc softmax.tk --target sm_90a -o softmax.ptx -o softmax.torch.c       writes softmax.json too

    import tkc_torch
    tkc_torch.load("softmax.json")                               # or load(path, namespace="mine", tuned="tuned.json")
    y = torch.ops.tkc.softmax(x)

Each kernel becomes torch.ops.NAMESPACE.KERNEL. Where its source says what its tensors look like,

    softmax.tensors = "x[n_rows:x_stride, n_cols] -> y[n_rows:y_stride, n_cols]"

the operator takes what stands before the arrow and the numbers that no shape gives, in the kernel's order; it makes what stands
behind, and returns it. Sizes, strides, types and hints are checked. Without that line the operator takes all parameters of the
kernel, may write each tensor, and returns nothing. Operators have an implementation for fake tensors, so torch.compile takes them
as they are; launches go to the current stream and are legal in CUDA graphs once a kernel has run before (it is loaded then).

Checks, results and launches are those of softmax.torch.c, which a C compiler (CC, or cc) makes a library of, once, in a second; the
library is kept under TORCH_EXTENSIONS_DIR (~/.cache/torch_extensions). It stands on PyTorch's stable C interface and needs no headers.
Without that file, without a compiler and on AMD's chips the same is done here by ctypes, which takes the host longer.

Gradients are functions that name what they need:

    @tkc_torch.gradient("tkc::softmax")                          # tkc_torch_gradients.py
    def softmax_gradient(y, dy):
        return torch.ops.tkc.softmax_backward(y, dy.contiguous())

A chain of the source, NAME.chain, is an operator as well: torch.ops.NAMESPACE.CHAIN takes the chain's own arrays and numbers.

Of a kernel with variants the one runs that was tuned for the key, in the file `tuned` or here: the first call with a new key times
all that fit (in the library: of a kernel that changes none of its arguments and is not part of a chain). While a graph is captured, it
is the nearest key's. save_tuned("tuned.json") adds what was timed to such a file, which `tkc --tuned` takes as well.
"""
import ctypes
import functools
import hashlib
import itertools
import json
import math
import os
import shlex
import statistics
import struct
import subprocess
import threading
import time
import warnings

import torch

FORMAT = 1  # of descriptions: the last one that this file knows (src/artifact/README.md)
SCALARS = {"i1": "?", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "u8": "B", "u16": "H", "u32": "I", "u64": "Q", "fp16": "e",
           "bf16": "H", "fp32": "f", "fp64": "d"}  # of struct; it has no bf16: the bits
ELEMENTS = {"i1": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8", "u16": "uint16",
            "u32": "uint32", "u64": "uint64", "fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "fp64": "float64",
            "fp8e4nv": "float8_e4m3fn", "fp8e5": "float8_e5m2", "fp8e4b8": "float8_e4m3fnuz", "fp8e5b16": "float8_e5m2fnuz"}
MAX_SIDE = 2**32 - 1  # of a kernel's grid, as in the launcher (tkc_grid_fits): a persistent kernel's may be longer than SIDES
SIDES = (2**31 - 1, 65535, 65535)  # of what CUDA launches; the launcher of C leaves the refusal to the driver
MAX_PROGRAMS = 2**31 - 1  # of a persistent kernel, with as many as run at once behind the last (tkc_persistent_blocks)
MAX_DYNAMIC_SHARED = 8  # of CUfunction_attribute and of hipFuncAttribute
ROUNDS, REPEATS = 5, 4  # of timing: medians of so many samples of so many launches
HEAD_START = 1_000_000  # cycles of the device's first sleep: a call takes the host longer than many a kernel the device
PLANS = 4096  # of an operator


# ---- grids ----

NO_GRID = -2**63  # numbers without a result in 64 bits, and all computed from them


def bounded(function):
    def call(*arguments):
        result = NO_GRID if NO_GRID in arguments else function(*arguments)
        return result if NO_GRID < result < -NO_GRID else NO_GRID
    return call


def choose(test, a, b):
    return NO_GRID if test == NO_GRID else a if test else b


def cdiv(a, b):
    """(a + (b - 1)) // b, where the launcher computes neither sum for a b above 0."""
    return (a + b - 1) // b if b > 0 or b < 0 and min(b, a + b) - 1 > NO_GRID else NO_GRID


GRID = {"and": lambda a, b: choose(a, b, a), "or": lambda a, b: choose(a, a, b), "choose": choose,
        **{name: bounded(function) for name, function in {
            "neg": lambda a: -a, "invert": lambda a: ~a, "not": lambda a: int(not a), "abs": abs, "add": lambda a, b: a + b,
            "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "floordiv": lambda a, b: a // b if b else NO_GRID,
            "mod": lambda a, b: a % b if b else NO_GRID, "cdiv": cdiv,
            "shl": lambda a, b: NO_GRID if b < 0 else a << b if b < 63 else 0 if a == 0 else NO_GRID,
            "shr": lambda a, b: a >> min(b, 63) if b >= 0 else NO_GRID, "bit_and": lambda a, b: a & b,
            "bit_or": lambda a, b: a | b, "bit_xor": lambda a, b: a ^ b, "min": min, "max": max, "lt": lambda a, b: int(a < b),
            "le": lambda a, b: int(a <= b), "eq": lambda a, b: int(a == b), "ne": lambda a, b: int(a != b)}.items()}}


def bfloat_bits(value):
    """Rounded to nearest even."""
    try:
        bits, = struct.unpack("<I", struct.pack("<f", value))
    except OverflowError:
        bits = 0x7f800000 if value > 0 else 0xff800000
    return bits >> 16 | 0x40 if value != value else bits + 0x7fff + (bits >> 16 & 1) >> 16


# ---- the driver ----

@functools.cache
def driver():
    return ctypes.CDLL("libamdhip64.so" if torch.version.hip else "libcuda.so.1")


def call(name, *arguments):
    """cuNAME or hipNAME."""
    result = getattr(driver(), ("hip" if torch.version.hip else "cu") + name)(*arguments)
    if result:
        fail(name, result)


def fail(what, result):
    text = ctypes.c_char_p()
    if not torch.version.hip:
        driver().cuGetErrorString(result, ctypes.byref(text))
    raise RuntimeError(f"{what}: {(text.value or b'error').decode()} ({result})")


class Device:
    """A GPU as PyTorch numbers it."""
    made = {}
    current = threading.local()

    def __init__(self, index):
        properties = torch.cuda.get_device_properties(index)
        self.index, self.name, self.multiprocessors = index, properties.name, properties.multi_processor_count
        self.chip = properties.gcnArchName.split(":")[0] if torch.version.hip else 10 * properties.major + properties.minor
        self.place = torch.device("cuda", index)
        self.zeros = torch.zeros(8, dtype=torch.int32, device=self.place)  # stands in for empty tensors (TKC_EMPTY_BYTES)

    def rank(self, target):
        """How well the code of a target serves the device; 0: not at all. That of sm_90a runs there alone, a cubin and that of sm_100f
        on later chips of its generation, that of gfx11-generic on the chips that it names."""
        name = target["name"]
        if not name.startswith("sm_") or isinstance(self.chip, str):
            return 2 * (name == self.chip) or int(self.chip in target.get("chips", "").split())
        there, own, family = int(name[3:].rstrip("af")), name.endswith("a"), name.endswith("f")
        runs = there == self.chip if own else there <= self.chip
        runs = runs and (target["kind"] == "ptx" and not family or there // 10 == self.chip // 10)
        return 4096 * (2 * own + family) + there if runs else 0

    def run(self, function, *arguments):
        """Calls the function while the device is the current one."""
        if torch.cuda.current_device() != self.index:
            with torch.cuda.device(self.index):
                return self.run(function, *arguments)
        if self.index not in vars(self.current):  # a thread of PyTorch's backward pass may have no context yet
            context = ctypes.c_void_p()
            if not torch.version.hip:
                call("CtxGetCurrent", ctypes.byref(context))
                if not context:
                    call("DevicePrimaryCtxRetain", ctypes.byref(context), self.index)
                    call("CtxSetCurrent", context)
            vars(self.current)[self.index] = True
        return function(*arguments)

    def stream(self):
        return torch._C._cuda_getCurrentRawStream(self.index)

    def capturing(self):
        return torch.cuda.is_current_stream_capturing()


def device_of(index):
    if index not in Device.made:
        Device.made[index] = Device(index)
    return Device.made[index]


# ---- one compiled kernel ----

def grid_function(parameters, expression):
    """An expression in the language of grids as a function of the parameters' values."""
    names = {"__builtins__": {}, **{"tkc_" + name: function for name, function in GRID.items()}}
    return eval(f"lambda {', '.join(p['name'] for p in parameters)}: {expression}", names)


class Variant:
    def __init__(self, folder, reflection, kernel):
        self.folder, self.reflection, self.kernel = folder, reflection, kernel
        self.name, self.parameters = kernel["name"], kernel["params"]
        self.hints = [(i, p.get("divisible_by", 1), p.get("equals"), p["name"]) for i, p in enumerate(self.parameters)
                      if p.get("divisible_by", 1) > 1 or "equals" in p]
        self.grid = grid_function(self.parameters, f"({', '.join(kernel['grid'])},)")
        self.functions = {}

    def broken_hint(self, values):
        """The hint that these values break, in words; None: none."""
        for i, divisor, exactly, name in self.hints:
            if values[i] % divisor:
                return f"{name} = {values[i]} is not divisible by {divisor}"
            if exactly is not None and values[i] != exactly:
                return f"{name} = {values[i]} is not {exactly}"
        return None

    def sides(self, numbers):
        """The grid for these values of the parameters, by the launcher's rules."""
        numbers = [NO_GRID if p["type"] == "u64" and value >= 2**63 else value for p, value in zip(self.parameters, numbers)]
        grid = [int(side) for side in self.grid(*numbers)]
        if NO_GRID in grid:
            raise ValueError(f"{self.name}: no grid: ({', '.join(self.kernel['grid'])}) overflows 64 bits, divides by 0 or shifts by "
                             "less than 0")
        if not all(0 <= side <= MAX_SIDE for side in grid):
            raise ValueError(f"{self.name}: a grid of {grid}; sides are from 0 to {MAX_SIDE}")
        return grid

    def entry(self, device):
        targets = {target["name"]: target for target in self.reflection["targets"]}
        ranks = [(device.rank(targets[e["target"]]), -i) for i, e in enumerate(self.kernel["entries"])]
        best, place = max(ranks, default=(0, 0))
        return self.kernel["entries"][-place] if best else None

    def function(self, device):
        """Loads the image; raises if the device cannot run any. The kernel's forms, each a function and what launches it."""
        if device.index not in self.functions:
            entry = self.entry(device)
            if not entry:
                there = ", ".join(e["target"] for e in self.kernel["entries"])
                raise RuntimeError(f"{self.name}: no code for {device.name}; there is some for {there}")
            image = next(t["file"] for t in self.reflection["targets"] if t["name"] == entry["target"])
            module = image_of(os.path.join(self.folder, image), device)
            forms = [(self.name, entry)] + ([(entry["paired"]["name"], entry["paired"])] if "paired" in entry else [])
            self.functions[device.index] = [(self.load(module, name, form), form) for name, form in forms]
        return self.functions[device.index]

    @staticmethod
    def load(module, name, form):
        function = ctypes.c_void_p()
        call("ModuleGetFunction", ctypes.byref(function), module, name.encode())
        if form["dynamic_shared_bytes"] and not torch.version.hip:
            call("FuncSetAttribute", function, MAX_DYNAMIC_SHARED, form["dynamic_shared_bytes"])
        return function

    @functools.lru_cache(maxsize=1024)
    def prepare(self, device, numbers):
        """For these values of the parameters, addresses left out (0)."""
        return Launch(self, device, numbers)

    def launch(self, device, values):
        """While the device is the current one."""
        numbers = tuple(0 if p["type"].startswith("*") else value for p, value in zip(self.parameters, values))
        self.prepare(device, numbers).run(values)


class Launch:
    """A variant on a device with given numbers: from call to call addresses change alone."""

    def __init__(self, variant, device, numbers):
        self.variant, self.device, self.lock, self.encoded = variant, device, threading.Lock(), {}
        self.places = {p["name"]: i for i, p in enumerate(variant.parameters)}
        grid = variant.sides(numbers)
        function, entry = self.form(variant.function(device), grid, numbers)
        hidden = entry.get("hidden", [])
        self.sides = [grid["xyz".index(h["kind"][-1])] for h in hidden if h["kind"] != "tensor_map"]
        formats = ["Q" if p["type"].startswith("*") else SCALARS[p["type"]] for p in variant.parameters] + ["I"] * len(self.sides)
        slots = ["{}{}x".format(f, 8 - struct.calcsize(f)) for f in formats]  # every value in 8 bytes of its own
        self.values = struct.Struct("<" + "".join(slots))
        self.bfloats = [i for i, p in enumerate(variant.parameters) if p["type"] == "bf16"]
        self.check_numbers(self.spelled(numbers), formats)
        self.room = ctypes.create_string_buffer(self.values.size)
        own, side = len(variant.parameters), itertools.count(len(variant.parameters))
        places = [*range(own), *(None if h["kind"] == "tensor_map" else next(side) for h in hidden)]
        start = ctypes.addressof(self.room)
        self.pointers = (ctypes.c_void_p * len(places))(*[start + 8 * (place or 0) for place in places])
        self.maps = [(own + i, h, self.places[h["pointer"]]) for i, h in enumerate(hidden) if h["kind"] == "tensor_map"]
        self.empty = 0 in grid
        if not self.empty:
            grid = self.blocks(grid, device.multiprocessors * entry.get("persistent", 0), entry.get("cluster", 1), entry.get("fills", False))
        self.call = getattr(driver(), "hipModuleLaunchKernel" if torch.version.hip else "cuLaunchKernel")
        self.shape = (function, *grid, entry["threads"], 1, 1, entry["dynamic_shared_bytes"])

    def form(self, forms, grid, numbers):
        """The kernel's second form, if there is one, for many programs of many steps (tkc_form_asks)."""
        second, programs = forms[-1][1], math.prod(grid)
        if "together" not in second or programs < second["programs"] * self.device.multiprocessors or programs >= 2**31:
            return forms[0]
        round = second["together"] * second["persistent"] * self.device.multiprocessors
        ids = [{"name": f"tkc_id_{axis}"} for axis in range(3)]
        steps = grid_function(self.variant.parameters + ids, second["steps"])(*numbers, *(side // 2 for side in grid))
        return forms[-1 if 8 * programs >= 7 * -(-programs // round) * round and steps >= second["least_steps"] else 0]

    def blocks(self, grid, at_once, cluster, fills):
        """What is launched for a grid: itself, or as many blocks as share a persistent kernel's programs, or all in whole clusters."""
        programs, most = math.prod(grid), at_once
        if at_once or cluster > 1:
            at_once = max(cluster, at_once // cluster * cluster)
            if programs + at_once > MAX_PROGRAMS:
                raise ValueError(f"{self.variant.name}: a grid of {grid} is {programs} programs; there may be {MAX_PROGRAMS - at_once}")
            programs = -(-programs // cluster) * cluster
            return [programs if not most else at_once if fills else min(programs, at_once), 1, 1]
        for axis, side, limit in zip("xyz", grid, SIDES):
            if side > limit and not torch.version.hip:
                raise ValueError(f"{self.variant.name}: a grid of {grid}; {axis} may be {limit}")
        return grid

    def spelled(self, values):
        """As struct takes them."""
        if self.bfloats:
            values = [bfloat_bits(value) if i in self.bfloats else value for i, value in enumerate(values)]
        return values

    def check_numbers(self, numbers, formats):
        for p, value, slot in zip(self.variant.parameters, numbers, formats):
            try:
                struct.pack(slot, value)
            except struct.error:
                raise OverflowError(f"{self.variant.name}: {p['name']} = {value} is no {p['type']}") from None

    def run(self, values):
        if self.empty:
            return
        with self.lock:
            self.values.pack_into(self.room, 0, *self.spelled(values), *self.sides)
            for slot, hidden, place in self.maps:
                map_of = self.encoded.get((slot, values[place])) or self.encode(slot, hidden, values)
                self.pointers[slot] = map_of[1]
            result = self.call(*self.shape, ctypes.c_void_p(self.device.stream()), self.pointers, None)
        if result:
            fail("launching " + self.variant.name, result)

    def encode(self, slot, hidden, values):
        """A tensor map as the generated header makes it (tkc_tensor_fill): an empty tensor is 16 bytes of zeros, or 16 behind them that
        stores write and nobody reads."""
        def numbers(terms):
            def argument(term, key):
                return values[self.places[term[key]]] if key in term else 1
            def quotient(value, over):  # rounded towards zero
                return value // over if value >= 0 else -(-value // over)
            return [t["times"] * quotient(argument(t, "param"), t.get("over", 1)) * argument(t, "by") + t.get("plus", 0)
                    for t in terms]
        sizes, rank, place = numbers(hidden["sizes"]), len(hidden["box"]), self.places[hidden["pointer"]]
        address = values[place] + sum(numbers(hidden.get("byte_offsets", [])))
        if max(sizes) > 1 << 31:
            raise ValueError(f"{self.variant.name}: '{hidden['pointer']}' has sizes {sizes}; TMA reaches 2**31 elements along a "
                             "dimension, --no-tensor-maps compiles for more")
        if min(sizes) <= 0:
            sizes, address = [1] * rank, self.device.zeros.data_ptr() + 16 * hidden.get("written", False)
        strides = [s if size > 1 else 16 for s, size in zip(numbers(hidden["byte_strides"]), sizes[1:])]
        room = ctypes.create_string_buffer(128 + 64)
        start = ctypes.addressof(room) + -ctypes.addressof(room) % 64
        swizzle = {0: 0, 32: 1, 64: 2, 128: 3}[hidden["swizzle"]]
        call("TensorMapEncodeTiled", ctypes.c_void_p(start), hidden["data_type_value"], rank, ctypes.c_void_p(address),
             (ctypes.c_uint64 * rank)(*sizes), (ctypes.c_uint64 * rank)(*strides), (ctypes.c_uint32 * rank)(*hidden["box"]),
             (ctypes.c_uint32 * rank)(*[1] * rank), 0, swizzle, 3, 0)  # no interleaving, 256-byte L2 promotion, zeros outside
        if len(self.encoded) >= PLANS:
            self.encoded.clear()
        self.encoded[slot, values[place]] = room, start
        return room, start


@functools.cache
def image_of(path, device):
    with open(path, "rb") as file:
        image = file.read()
    module = ctypes.c_void_p()
    call("ModuleLoadData", ctypes.byref(module), image)
    return module


# ---- variants ----

class Family:
    """A kernel of the source with all its variants: those of a set of hints stand together, the most special first."""

    def __init__(self, name, variants, choices):
        self.name, self.variants, self.parameters = name, variants, variants[0].parameters
        self.levels, self.best, self.timed = [], {}, {}
        for variant in variants:
            if not self.levels or self.levels[-1][0].hints != variant.hints:
                self.levels.append([])
            self.levels[-1].append(variant)
        names = variants[0].kernel.get("key", [])
        self.keys = [i for name in names for i, p in enumerate(self.parameters) if p["name"] == name]
        for choice in choices:
            for level, members in enumerate(self.levels):
                for variant in members:
                    known = choice["kernel"] == name and variant.name == f"{name}_{choice['config']}"
                    if known and all(k in choice["key"] for k in names):  # else it was tuned for another key
                        self.best[choice["device"], level, tuple(choice["key"][k] for k in names)] = variant

    def level(self, values):
        """The first whose hints the values keep."""
        for level, variants in enumerate(self.levels):
            if not variants[0].broken_hint(values):
                return level
        raise ValueError(f"{self.name}: {self.levels[-1][0].broken_hint(values)}")

    def launch(self, device, level, values, written):
        """While the device is the current one. The variant, where later calls with these numbers may take it as well."""
        variants = self.levels[level]
        key = device.name, level, tuple(values[i] for i in self.keys)
        known = variants[0] if len(variants) == 1 else self.best.get(key)
        if not known and not device.capturing():
            known, microseconds = self.measure(device, variants, values, written)
            self.best[key], self.timed[key] = known, microseconds
        (known or self.nearest(key, variants)).launch(device, values)
        return known

    def nearest(self, key, variants):
        known = [k for k in self.best if k[:2] == key[:2]]
        def distance(other):
            return sum(abs(math.log2(max(a, 1)) - math.log2(max(b, 1))) for a, b in zip(key[2], other[2]))
        return self.best[min(known, key=distance)] if known else variants[0]

    def choices(self):
        """What was timed, as lines of a file of choices, by what the choice is for."""
        names = self.variants[0].kernel.get("key", [])
        for (device, level, key), microseconds in self.timed.items():
            config = self.best[device, level, key].name[len(self.name) + 1:]
            start = json.dumps({"kernel": self.name, "device": device, "key": dict(zip(names, key))})[:-1]
            yield (start, level), f'{start}, "config": "{config}", "microseconds": {microseconds:.2f}}}'

    def measure(self, device, variants, values, written):
        """The quickest and its time. Tensors that are read and written are copied, with all that lies between their elements."""
        copies, values = {}, list(values)
        for i, tensor in written.items():
            storage = tensor.untyped_storage()
            copies[i] = storage.clone()
            values[i] += copies[i].data_ptr() - storage.data_ptr()
        values = tuple(values)
        fitting, samples, problem = [], {}, None
        for variant in variants:
            try:
                variant.launch(device, values)
                fitting.append(variant)
            except (RuntimeError, ValueError) as error:
                problem = error
        if not fitting:
            raise problem
        for _ in range(ROUNDS if len(fitting) > 1 else 0):
            for variant in fitting:
                start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
                torch.cuda._sleep(HEAD_START)
                start.record()
                for _ in range(REPEATS):
                    variant.launch(device, values)
                end.record()
                end.synchronize()
                samples.setdefault(variant, []).append(start.elapsed_time(end))
        times = {v: 1000 * statistics.median(samples[v]) / REPEATS for v in samples}
        best = min(times, key=times.get) if times else fitting[0]
        return best, times.get(best, 0.0)


# ---- chains ----

class Chain:
    """Kernels launched one after another, in the place of a Family. What they hand on lies in a tensor that each call makes, at multiples
    of 256 bytes, so that calls on several streams, and graphs, have one each."""
    ALIGNMENT = 256

    def __init__(self, chain, families):
        self.name, self.parameters, self.variants = chain["name"], chain["params"], []
        self.launches = [(families[launch["function"]], launch["arguments"], self.rule(launch)) for launch in chain["launches"]]
        self.temporaries = [t for t in chain["temporaries"] if t["memory"]]

    def rule(self, launch):
        """Whether the device's multiprocessors and the values of the chain's parameters choose the launch."""
        text = launch.get("when") or launch.get("unless")
        if not text:
            return lambda *values: True
        holds = grid_function([{"name": "tkc_multiprocessors"}, *self.parameters], text)
        return lambda multiprocessors, *values: (holds(multiprocessors, *values) == 1) == ("when" in launch)

    def value(self, argument, known):
        """Of a parameter, an array between the kernels, a number of the source or a product of these."""
        if "product" in argument:
            return math.prod(self.value(factor, known) for factor in argument["product"])
        return argument["number"] if "number" in argument else known[argument.get("param") or argument["temporary"]]

    def places(self, known):
        """The byte offset of each array in the workspace, and the bytes of all."""
        places, size = {}, 0
        for t in self.temporaries:
            places[t["name"]] = size
            elements = math.prod(self.value(extent, known) for extent in t["shape"])
            if elements < 0:
                raise ValueError(f"{self.name}: {t['name']} has {elements} elements")
            element = getattr(torch, ELEMENTS[t["type"]]).itemsize
            size += -(-elements * element // self.ALIGNMENT) * self.ALIGNMENT
        return places, size

    def level(self, values):
        return 0

    def launch(self, device, level, values, written):
        """While the device is the current one."""
        known = {p["name"]: value for p, value in zip(self.parameters, values)}
        tensors = {self.parameters[i]["name"]: tensor for i, tensor in written.items()}
        places, size = self.places(known)
        workspace = torch.empty(size + self.ALIGNMENT, dtype=torch.uint8, device=device.place)
        start = -(-workspace.data_ptr() // self.ALIGNMENT) * self.ALIGNMENT
        for name, place in places.items():
            known[name], tensors[name] = start + place, workspace
        for family, arguments, chosen in self.launches:
            if not chosen(device.multiprocessors, *values):
                continue
            own = tuple(self.value(a, known) for a in arguments)
            both = {i: tensors[name] for i, a in enumerate(arguments) for name in [a.get("param") or a.get("temporary")]
                    if family.parameters[i].get("role", "both") == "both" and name in tensors}
            family.launch(device, family.level(own), own, both)


# ---- operators ----

class Plan:
    """What calls with tensors of the same shapes and strides, and with the same numbers, have in common."""

    def __init__(self, device, made, values):
        self.device, self.made, self.values, self.launch = device, made, values, None


class Operator:
    """What PyTorch calls: tensors and numbers to the values of the kernel's parameters."""

    def __init__(self, family):
        self.family, self.parameters, self.plans = family, family.parameters, {}
        for p in self.parameters:
            element = "int64" if p["type"].startswith("**") else ELEMENTS.get(p["type"][1:], "uint8")  # int64: addresses
            p["element"] = getattr(torch, element) if p["type"].startswith("*") else None
        self.pointers = [i for i, p in enumerate(self.parameters) if p["element"]]
        self.described = all("role" in self.parameters[i] for i in self.pointers)
        found = {name for i in self.pointers if self.described for name in self.extents(self.parameters[i])}
        self.made = [(i, p) for i, p in enumerate(self.parameters) if p.get("role") == "output"]
        self.taken = [(i, p) for i, p in enumerate(self.parameters)
                      if p.get("role") != "output" and (p["element"] or p["name"] not in found)]
        self.given = [(place, i) for place, (i, p) in enumerate(self.taken) if p["element"]]
        hints = [hint for variant in family.variants for hint in variant.hints]
        self.mask = max([16] + [divisor for i, divisor, _, _ in hints if i in self.pointers]) - 1

    def extents(self, p):
        """Names that the tensor gives a value: of one that is made the strides alone."""
        return [name for name in (p["strides"] if p["role"] == "output" else p["shape"] + p["strides"]) if isinstance(name, str)]

    def shape(self, p, known):
        return [name if isinstance(name, int) else known[name] for name in p["shape"]]

    def schema(self):
        def argument(letter, p):
            if p["element"]:
                return f"Tensor{f'({letter}!)' if p.get('role', 'both') == 'both' else ''} {p['name']}"
            kind = "float" if p["type"].startswith("fp") else "bool" if p["type"] == "i1" else "SymInt"
            return f"{kind} {p['name']}"
        arguments = [argument(f"t{i}", p) for i, p in self.taken]
        results = "()" if not self.made else "Tensor" if len(self.made) == 1 else f"({', '.join(['Tensor'] * len(self.made))})"
        return f"({', '.join(arguments)}) -> {results}"

    def fail(self, text):
        raise ValueError(f"{self.family.name}: {text}")

    def read_shape(self, p, shape, known):
        """Sizes by name. A size that is known must be the same."""
        if len(shape) != len(p["shape"]):
            self.fail(f"{p['name']} has {len(shape)} dimensions, not {len(p['shape'])}")
        for size, name in zip(shape, p["shape"]):
            expected = name if isinstance(name, int) else known.setdefault(name, size)
            if size != expected:
                self.fail(f"{p['name']} is {list(shape)}, which should be [{', '.join(map(str, p['shape']))}] with "
                          f"{name} = {expected}")

    def read_strides(self, p, shape, strides, known):
        """Strides by name, from the innermost. One without a name is dense. Those that no element is reached by do not matter."""
        dense = 1
        for size, stride, name in zip(reversed(shape), reversed(strides), reversed(p["strides"])):
            stride = dense if size <= 1 or 0 in shape else stride
            expected = dense if name is None else name if isinstance(name, int) else known.setdefault(name, stride)
            if stride != expected:
                self.fail(f"{p['name']} has strides {list(strides)}, where {name or 'a dense one'} is {expected}")
            dense = stride * size

    def plan(self, arguments):
        """Checks everything but addresses."""
        known, place = {}, None
        for (i, p), argument in zip(self.taken, arguments):
            if not p["element"]:
                known[p["name"]] = argument
                continue
            if argument.dtype != p["element"]:
                self.fail(f"{p['name']} is of {argument.dtype}, not {p['element']}")
            if place and argument.device != place:
                self.fail(f"{p['name']} is on {argument.device}, other tensors are on {place}")
            place = argument.device
            if self.described:
                self.read_shape(p, argument.shape, known)
                self.read_strides(p, argument.shape, argument.stride(), known)
        made = []
        for i, p in self.made:
            shape = self.shape(p, known)
            self.read_strides(p, shape, torch.empty(shape, device="meta").stride(), known)
            made.append((i, functools.partial(torch.empty, shape, dtype=p["element"], device=place)))
        return Plan(device_of(place.index), made, tuple(0 if p["element"] else known[p["name"]] for p in self.parameters))

    @staticmethod
    def key(argument):
        """What plans tell arguments apart by: 0.0 and -0.0, 1 and True, and a NaN and itself are alike to Python otherwise."""
        if isinstance(argument, torch.Tensor):
            return argument.shape, argument.stride(), argument.dtype, argument.device
        return type(argument), argument.hex() if isinstance(argument, float) else argument

    def __call__(self, *arguments):
        """On the GPU."""
        key = tuple([self.key(a) for a in arguments])
        plan = self.plans.get(key)
        if not plan:
            if len(self.plans) >= PLANS:
                self.plans.clear()
            plan = self.plans[key] = self.plan(arguments)
        values, results = list(plan.values), []
        for place, i in self.given:
            values[i] = arguments[place].data_ptr()
        for i, make in plan.made:
            results.append(make())
            values[i] = results[-1].data_ptr()
        plan.device.run(self.launch, plan, tuple(values), arguments)
        return results[0] if len(results) == 1 else tuple(results) or None

    def launch(self, plan, values, arguments):
        """While the device is the current one. The first call of a plan, and those with odd addresses, look for the variant."""
        addresses = 0
        for i in self.pointers:
            addresses |= values[i]
        if plan.launch and not addresses & self.mask:
            plan.launch.run(values)
            return
        written = {i: arguments[place] for place, i in self.given if self.parameters[i].get("role", "both") == "both"}
        variant = self.family.launch(plan.device, self.family.level(values), values, written)
        if variant and not addresses & self.mask:
            plan.launch = variant.prepare(plan.device, plan.values)

    def fake(self, *arguments):
        """Shapes alone: of tensors without data, with sizes that may be symbols."""
        known, place = {}, None
        for (_, p), argument in zip(self.taken, arguments):
            if not p["element"]:
                known[p["name"]] = argument
                continue
            place = argument.device
            if self.described:
                self.read_shape(p, argument.shape, known)
        results = [torch.empty(self.shape(p, known), dtype=p["element"], device=place) for _, p in self.made]
        return results[0] if len(results) == 1 else tuple(results) or None


loaded = []  # families
libraries = []  # of compiled operators
operators_of = {}  # by namespace and name


def save_tuned(path):
    """Adds the choices that were made here to the file, as launchers do: while PATH.lock exists, renamed into its place."""
    for library in libraries:
        if library.tkc_torch_save_tuned(os.fsencode(path)):
            raise OSError(f"{path}: the choices cannot be written, or the file has other contents")
    for _ in range(1000):
        try:
            os.close(os.open(path + ".lock", os.O_CREAT | os.O_EXCL))
            break
        except FileExistsError:
            time.sleep(0.01)
    else:
        raise TimeoutError(f"{path}.lock is there: another program writes {path}, or one ended while it did")
    try:
        lines, levels = {}, {v.name: level for family in loaded for level, members in enumerate(family.levels) for v in members}
        if os.path.exists(path):
            with open(path) as file:
                for choice in json.load(file)["choices"]:
                    start = json.dumps({name: choice[name] for name in ("kernel", "device", "key")})[:-1]
                    level = levels.get(f"{choice['kernel']}_{choice['config']}", 0)
                    config, took = json.dumps(choice["config"]), choice.get("microseconds", 0)
                    lines[start, level] = f'{start}, "config": {config}, "microseconds": {took:.2f}}}'
        for family in loaded:
            lines.update(family.choices())
        with open(path + ".new", "w") as file:
            file.write('{"tkc_tuned": 1, "choices": [\n' + ",\n".join(sorted(lines.values())) + "\n]}\n")
        os.replace(path + ".new", path)
    finally:
        os.remove(path + ".lock")


# ---- compiled operators ----

COMPILE_FLAGS = ["-O2", "-shared", "-fPIC", "-fexceptions"]


def build(source, namespace):
    """The library of an operators' file: compiled, or found from an earlier time. OSError, CalledProcessError: there is none."""
    where = os.path.join(os.path.dirname(torch.__file__), "lib")
    cuda = ["-ltorch_cuda"] if os.path.exists(os.path.join(where, "libtorch_cuda.so")) else []
    command = [*shlex.split(os.environ.get("CC") or "cc"), *COMPILE_FLAGS, f'-DTKC_TORCH_NAMESPACE="{namespace}"', source, "-L" + where,
               "-Wl,--no-as-needed", "-ltorch_cpu", *cuda, "-ldl"]
    with open(source, "rb") as file:
        key = hashlib.sha256(json.dumps(command).encode() + file.read()).hexdigest()[:32]
    root = os.environ.get("TORCH_EXTENSIONS_DIR") or os.path.expanduser("~/.cache/torch_extensions")
    path = os.path.join(root, "tkc", key + ".so")
    if not os.path.exists(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        made = f"{path}.{os.getpid()}"
        subprocess.run([*command, "-o", made], check=True, capture_output=True, text=True)
        os.replace(made, path)
    return path


def library_of(path, namespace, compiled):
    """The loaded library of the operators beside a JSON file; None: Python has to do."""
    source = os.path.splitext(path)[0] + ".torch.c"
    if compiled is False or torch.version.hip or compiled is None and not os.path.exists(source):
        return None
    try:
        made = build(source, namespace)
        torch.ops.load_library(made)  # OSError: a PyTorch older than the interface
    except (OSError, subprocess.CalledProcessError) as error:
        if compiled:
            raise
        warnings.warn(f"{source} is not compiled, and its operators are slower: {getattr(error, 'stderr', None) or error}")
        return None
    library = ctypes.CDLL(made)
    if library.tkc_torch_status():
        raise RuntimeError(f"{made}: its operators are not registered; are there others of these names in {namespace}?")
    library.tkc_torch_save_tuned.argtypes = [ctypes.c_char_p]
    library.tkc_torch_take_choice.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_int64), ctypes.c_uint,
                                              ctypes.c_char_p, ctypes.c_double]
    libraries.append(library)
    return library


def give_choices(library, families, choices):
    for choice in choices:
        names = families[choice["kernel"]].variants[0].kernel.get("key", []) if choice["kernel"] in families else []
        if names and all(name in choice["key"] for name in names):
            key = (ctypes.c_int64 * len(names))(*[choice["key"][name] for name in names])
            library.tkc_torch_take_choice(choice["kernel"].encode(), choice["device"].encode(), key, len(names),
                                          choice["config"].encode(), choice.get("microseconds", 0.0))


def register(operator, namespace, library):
    """The operator, where a library has not done so, and its fake."""
    name = f"{namespace}::{operator.family.name}"
    if library:
        schema = str(getattr(getattr(torch.ops, namespace), operator.family.name).default._schema)
        if schema != name + operator.schema():
            raise ValueError(f"the operators' C file has {schema}, the JSON {name}{operator.schema()}: compile both again")
    else:
        torch.library.define(name, operator.schema())
        torch.library.impl(name, "cuda", operator)
    torch.library.register_fake(name, operator.fake)
    operators_of[name] = operator


def read(path):
    """The description at `path`. One of a later format may mean something else by the same keys."""
    with open(path) as file:
        reflection = json.load(file)
    if reflection.get("format", 0) > FORMAT:
        raise ValueError(f"{path}: the description has format {reflection['format']}, and this tkc_torch.py knows formats up to {FORMAT}; "
                         f"take the one of tkc {reflection.get('tkc')}, which wrote it")
    return reflection


def load(path, namespace="tkc", tuned=None, compiled=None):
    """Registers torch.ops.NAMESPACE.KERNEL for each kernel and chain that the JSON at `path` describes. The operators by name.
    `compiled`: True wants the library of the operators' C file, False does without; otherwise it is taken where it can be had."""
    reflection, choices = read(path), []
    if tuned:
        with open(tuned) as file:
            choices = json.load(file)["choices"]
    families, operators, chains = {}, {}, reflection.get("chains", [])
    for kernel in reflection["kernels"]:
        if "grid" not in kernel:
            raise ValueError(f"{path}: kernel {kernel['name']} has no launch grid; give NAME.grid in the source, or tkc --grid")
        if f"{namespace}::{kernel['function']}" in operators_of:
            raise ValueError(f"{path}: {namespace} has an operator {kernel['function']} already; load(…, namespace=…) gives others")
        families.setdefault(kernel["function"], []).append(Variant(os.path.dirname(path), reflection, kernel))
    families = {name: Family(name, variants, choices) for name, variants in families.items()}
    library = library_of(path, namespace, compiled)
    if library:
        give_choices(library, families, choices)
    else:
        loaded.extend(families.values())
    for name, family in [*families.items(), *((c["name"], Chain(c, families)) for c in chains)]:
        operators[name] = Operator(family)
        register(operators[name], namespace, library)
    return operators


def gradient(name):
    """Declares the gradient of the operator "NAMESPACE::KERNEL": see tkc_torch_gradients.py."""
    import tkc_torch_gradients
    made = [p["name"] for _, p in operators_of[name].made] if name in operators_of else []
    return tkc_torch_gradients.gradient(name, made)
