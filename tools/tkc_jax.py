"""Kernels compiled by tkc as functions of JAX, through its FFI: the generated launcher, compiled into a small library of handlers.

    tkc softmax.tk --runtime dynamic --target sm_90a -o softmax.ptx     writes softmax.h and softmax.json too

    import tkc_jax
    kernels = tkc_jax.load("softmax.json")
    y = jax.jit(kernels["softmax"])(x)

Where the source says what a kernel's tensors look like,

    softmax.tensors = "x[n_rows:x_stride, n_cols] -> y[n_rows:y_stride, n_cols]"

the function takes what stands before the arrow and the numbers that no shape gives, in the kernel's order, and returns what stands
behind. XLA allocates that. What a kernel reads and writes (no arrow, or on both sides) is returned as well: the operand's own
memory where XLA may have it (donate_argnums), a copy of it elsewhere. Without such a line all arrays are read and written. Types,
sizes, strides (JAX's arrays are dense) and hints are checked when JAX traces the function. Numbers are Python's, not traced. Under
jax.vmap a kernel runs once for each element, in turn; gradients are registered as for any function, by jax.custom_vjp.

The launcher does the rest: it picks the image for the device and the variant for the arguments (by `tkc --tuned` or the cost rule)
and launches on XLA's stream; it is the one that C programs include, and serves both vendors. load() needs a C++ compiler (CXX, or c++)
once, and keeps what it makes in ~/.cache/tkc. build("softmax.json", "softmax_jax.so") compiles ahead of time, for machines without a
compiler: load("softmax.json", library="softmax_jax.so").
"""
import ctypes
import hashlib
import json
import math
import os
import shlex
import struct
import subprocess
import tempfile

import jax
import jax.numpy as jnp
import numpy as np

FORMAT = 1  # of descriptions: the last one that this file knows (src/artifact/README.md)
NUMBERS = {"i1": "?", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "u8": "B", "u16": "H", "u32": "I", "u64": "Q"}  # of struct
C_TYPES = {"i1": "bool", "i8": "int8_t", "i16": "int16_t", "i32": "int32_t", "i64": "int64_t", "u8": "uint8_t", "u16": "uint16_t",
           "u32": "uint32_t", "u64": "uint64_t", "fp16": "float", "bf16": "float", "fp32": "float", "fp64": "double"}
ELEMENTS = {"i1": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8", "u16": "uint16",
            "u32": "uint32", "u64": "uint64", "fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "fp64": "float64",
            "fp8e4nv": "float8_e4m3fn", "fp8e5": "float8_e5m2", "fp8e4b8": "float8_e4m3fnuz", "fp8e5b16": "float8_e5m2fnuz"}

# Of XLA's headers the C++ ones stay the same between versions.
HANDLERS = r"""
#ifndef TKC_DRIVER_1
#error "tkc_jax.py wants a launcher that opens its driver: tkc --runtime dynamic"
#endif
#include <string>
#include "xla/ffi/api/ffi.h"

namespace {
namespace ffi = xla::ffi;
using Numbers = ffi::Span<const int64_t>; // one for each parameter, of a float the bits of a double

[[maybe_unused]] double real(int64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

uint64_t address(ffi::AnyBuffer array) {
    return reinterpret_cast<uintptr_t>(array.untyped_data());
}

ffi::Error result_of(int result, const char *kernel, const char *(*text)(int)) {
    return result ? ffi::Error::Internal(std::string(kernel) + ": " + text(result)) : ffi::Error::Success();
}

auto bind() {
#ifdef TKC_JAX_ON_HOST
    return ffi::Ffi::Bind();
#else
    return ffi::Ffi::Bind().Ctx<ffi::PlatformStream<void *>>();
#endif
}

#ifdef TKC_JAX_ON_HOST
#define TKC_JAX_STREAM
[[maybe_unused]] void *const stream = nullptr;
#else
#define TKC_JAX_STREAM void *stream,
#endif
} // namespace
"""

HANDLER = r"""
static ffi::Error tkc_jax_run_{name}(TKC_JAX_STREAM {parameters}, Numbers numbers) {{
    return result_of({name}_launch({arguments}), "{name}", {name}_strerror);
}}
XLA_FFI_DEFINE_HANDLER_SYMBOL(tkc_jax_{name}, tkc_jax_run_{name}, bind(){binding}.Attr<Numbers>("numbers"));
"""


class Kernel:
    """A kernel of the source, with its variants: those with other hints stand behind each other, the most general last."""

    def __init__(self, variants):
        self.name, self.variants, self.target = variants[0]["function"], variants, None
        self.parameters = variants[-1]["params"]
        self.is_array = [p["type"].startswith("*") for p in self.parameters]
        arrays = [p for p, is_array in zip(self.parameters, self.is_array) if is_array]
        self.described = all("role" in p for p in arrays)
        self.given = [p for p in arrays if p.get("role") != "output"]
        self.written = [p for p in arrays if p.get("role") != "input"]  # results, in the kernel's order
        found = set()
        for p in arrays if self.described else []:
            found.update(n for n in p["strides"] + (p["shape"] if p in self.given else []) if isinstance(n, str))
        self.taken = [p for p, is_array in zip(self.parameters, self.is_array)
                      if (p in self.given if is_array else p["name"] not in found)]
        self.aliases = {self.given.index(p): self.written.index(p) for p in self.written if p in self.given}
        self.__name__, self.__doc__ = self.name, f"{self.name}({', '.join(p['name'] for p in self.taken)})"
        if not self.written:
            raise ValueError(f"{self.name}: the kernel writes nothing that JAX could return")

    def handler(self):
        """Its C++."""
        def argument(i, p):
            if self.is_array[i]:
                return f"address(*result{self.written.index(p)})" if p in self.written else f"address(array{self.given.index(p)})"
            return f"({C_TYPES[p['type']]}){'' if p['type'] in NUMBERS else 'real'}(numbers[{i}])"
        arguments = ", ".join(["stream"] + [argument(i, p) for i, p in enumerate(self.parameters)])
        parameters = ", ".join([f"ffi::AnyBuffer array{i}" for i in range(len(self.given))] +
                               [f"ffi::Result<ffi::AnyBuffer> result{i}" for i in range(len(self.written))])
        binding = ".Arg<ffi::AnyBuffer>()" * len(self.given) + ".Ret<ffi::AnyBuffer>()" * len(self.written)
        return HANDLER.format(name=self.name, parameters=parameters, arguments=arguments, binding=binding)

    def fail(self, text):
        raise ValueError(f"{self.name}: {text}")

    def read_shape(self, p, shape, known):
        """Sizes by name. A size that is known must be the same."""
        if len(shape) != len(p["shape"]):
            self.fail(f"{p['name']} has {len(shape)} dimensions, not {len(p['shape'])}")
        for size, name in zip(shape, p["shape"]):
            expected = name if isinstance(name, int) else known.setdefault(name, size)
            if size != expected:
                self.fail(f"{p['name']} is {list(shape)}, which should be [{', '.join(map(str, p['shape']))}] with {name} = {expected}")

    def read_strides(self, p, shape, known):
        """Strides by name: JAX's arrays are dense. Those that no element is reached by do not matter."""
        for i, (size, name) in enumerate(zip(shape, p["strides"])):
            dense = math.prod(shape[i + 1:])
            if name is None or ((size <= 1 or 0 in shape) and name in known):
                continue
            expected = name if isinstance(name, int) else known.setdefault(name, dense)
            if expected != dense and size > 1 and 0 not in shape:
                self.fail(f"{p['name']} is dense, so that {name} is {dense}, not {expected}")

    def number(self, p, value):
        """As the handler takes it: 64 bits."""
        if isinstance(value, jax.core.Tracer):
            raise TypeError(f"{self.name}: {p['name']} is a number that the host passes; JAX traces it here (static_argnums)")
        if p["type"] not in NUMBERS:
            return struct.unpack("<q", struct.pack("<d", float(value)))[0]
        try:
            struct.pack(NUMBERS[p["type"]], value)
        except struct.error:
            raise OverflowError(f"{self.name}: {p['name']} = {value} is no {p['type']}") from None
        return int(value) - (1 << 64) if value >= 1 << 63 else int(value)

    def check_hints(self, known):
        """The hints of some variant must hold; those about addresses are looked at by the launcher."""
        def broken(variant):
            for p in variant["params"]:
                value = known.get(p["name"])
                if value is not None and value % p.get("divisible_by", 1):
                    return f"{p['name']} = {value} is not divisible by {p['divisible_by']}"
                if value is not None and value != p.get("equals", value):
                    return f"{p['name']} = {value} is not {p['equals']}"
            return None
        problems = [broken(variant) for variant in self.variants]
        if all(problems):
            self.fail(problems[-1])

    def __call__(self, *arguments):
        if len(arguments) != len(self.taken):
            raise TypeError(f"{self.__doc__} takes {len(self.taken)} arguments, not {len(arguments)}")
        known, arrays = {}, []
        for p, argument in zip(self.taken, arguments):
            if p not in self.given:
                known[p["name"]] = argument
        for p, argument in zip(self.taken, arguments):
            if p in self.given:
                argument = jnp.asarray(argument)
                element = ELEMENTS[p["type"][1:]] if p["type"][1:] in ELEMENTS else "uint8"
                if argument.dtype != jnp.dtype(element):
                    self.fail(f"{p['name']} is of {argument.dtype}, not {element}")
                arrays.append(argument)
                if self.described:
                    self.read_shape(p, argument.shape, known)
                    self.read_strides(p, argument.shape, known)
        results = []
        for p in self.written:
            if p in self.given:
                like = arrays[self.given.index(p)]
                results.append(jax.ShapeDtypeStruct(like.shape, like.dtype))
            else:
                shape = tuple(n if isinstance(n, int) else known[n] for n in p["shape"])
                self.read_strides(p, shape, known)
                results.append(jax.ShapeDtypeStruct(shape, jnp.dtype(ELEMENTS[p["type"][1:]])))
        self.check_hints({name: value for name, value in known.items() if not isinstance(value, (float, jax.core.Tracer))})
        numbers = [0 if is_array else self.number(p, known[p["name"]]) for p, is_array in zip(self.parameters, self.is_array)]
        call = jax.ffi.ffi_call(self.target, results, vmap_method="sequential", input_output_aliases=self.aliases)
        made = call(*arrays, numbers=np.array(numbers, np.int64))
        return made[0] if len(made) == 1 else tuple(made)


def read(path):
    """The kernels of a description, by name."""
    with open(path) as file:
        reflection = json.load(file)
    if reflection.get("format", 0) > FORMAT:
        raise ValueError(f"{path}: the description has format {reflection['format']}, and this tkc_jax.py knows formats up to {FORMAT}; "
                         f"take the one of tkc {reflection.get('tkc')}, which wrote it")
    families = {}
    for kernel in reflection["kernels"]:
        families.setdefault(kernel["function"], []).append(kernel)
    return {name: Kernel(variants) for name, variants in families.items()}


def source_of(path, kernels):
    header = os.path.abspath(os.path.splitext(path)[0] + ".h")
    return "".join([f'#include "{header}"\n', HANDLERS, *(kernel.handler() for kernel in kernels.values())]), header


def compile_source(source, folder, library, flags):
    """Into its place at once: other processes may make it, too."""
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(library))) as room:
        made = os.path.join(room, "handlers.so")
        command = [*shlex.split(os.environ.get("CXX", "c++")), "-std=c++17", "-O2", "-shared", "-fPIC", f'-DTKC_IMAGES="{folder}/"',
                   "-isystem", jax.ffi.include_dir(), *flags, "-x", "c++", "-", "-o", made, "-ldl"]
        done = subprocess.run(command, input=source, text=True, capture_output=True)
        if done.returncode:
            raise RuntimeError(f"{shlex.join(command)}\n{done.stderr}")
        os.replace(made, library)


def build(path, library, flags=()):
    """Compiles the launcher beside the description at `path` into a library of handlers."""
    source, header = source_of(path, read(path))
    compile_source(source, os.path.dirname(header), library, flags)


def load(path, library=None, platforms=("CUDA", "ROCM"), flags=()):
    """The functions by name, for the description at `path`; `library` was made by build(). Handlers are registered for `platforms`."""
    kernels = read(path)
    source, header = source_of(path, kernels)
    if not library:
        with open(header, "rb") as file:
            parts = [file.read(), source.encode(), jax.__version__.encode(), " ".join(flags).encode()]
        cache = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "tkc")
        os.makedirs(cache, exist_ok=True)
        library = os.path.join(cache, hashlib.sha256(b"\0".join(parts)).hexdigest()[:32] + ".so")
        if not os.path.exists(library):
            compile_source(source, os.path.dirname(header), library, flags)
    handlers = ctypes.CDLL(os.path.abspath(library))
    with open(library, "rb") as file:
        content = hashlib.sha256(file.read()).hexdigest()[:16]  # two sources may have kernels of one name
    for kernel in kernels.values():
        kernel.target = f"tkc.{kernel.name}.{content}"
        capsule = jax.ffi.pycapsule(getattr(handlers, "tkc_jax_" + kernel.name))
        for platform in platforms:
            jax.ffi.register_ffi_target(kernel.target, capsule, platform=platform)
    return kernels
