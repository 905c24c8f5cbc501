#!/usr/bin/env python3
"""matmul through the CUDA driver API from Python: an image file and its JSON are all that a loader needs, no header, no compiler.

    tkc matmul.tk --config 0 --target sm_90a -o matmul.ptx           writes matmul.json too
    python3 matmul_json.py [matmul.json]

`Kernel` serves any kernel that tkc compiled for NVIDIA: it chooses the entry for the device, evaluates the grid, encodes the tensor
maps and passes the other hidden parameters. Of a kernel with variants, name the one to launch.
"""
import array
import ctypes
import json
import os
import sys

cuda = ctypes.CDLL("libcuda.so.1")
SCALARS = {"i1": ctypes.c_uint8, "i8": ctypes.c_int8, "i16": ctypes.c_int16, "i32": ctypes.c_int32, "i64": ctypes.c_int64,
           "u8": ctypes.c_uint8, "u16": ctypes.c_uint16, "u32": ctypes.c_uint32, "u64": ctypes.c_uint64, "fp32": ctypes.c_float,
           "fp64": ctypes.c_double}
GRID = {"neg": lambda a: -a, "invert": lambda a: ~a, "not": lambda a: int(not a), "abs": abs, "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "floordiv": lambda a, b: a // b, "mod": lambda a, b: a % b,
        "cdiv": lambda a, b: (a + b - 1) // b, "shl": lambda a, b: a << b, "shr": lambda a, b: a >> b, "bit_and": lambda a, b: a & b,
        "bit_or": lambda a, b: a | b, "bit_xor": lambda a, b: a ^ b, "min": min, "max": max, "lt": lambda a, b: int(a < b),
        "le": lambda a, b: int(a <= b), "eq": lambda a, b: int(a == b), "ne": lambda a, b: int(a != b),
        "and": lambda a, b: a and b, "or": lambda a, b: a or b, "choose": lambda test, a, b: a if test else b}
FORMAT = 1  # of descriptions: the last one that this file knows
MULTIPROCESSORS, MAJOR, MINOR = 16, 75, 76  # CUdevice_attribute
MAX_DYNAMIC_SHARED = 8  # CUfunction_attribute


def check(result, what):
    if result:
        text = ctypes.c_char_p()
        cuda.cuGetErrorString(result, ctypes.byref(text))
        sys.exit(f"error: {what}: {(text.value or b'unknown error').decode()}")


class Device:
    def __init__(self, ordinal=0):
        self.device, context = ctypes.c_int(), ctypes.c_void_p()
        check(cuda.cuInit(0), "starting the CUDA driver")
        check(cuda.cuDeviceGet(ctypes.byref(self.device), ordinal), "finding a device")
        check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), self.device), "making a context")
        check(cuda.cuCtxSetCurrent(context), "choosing the context")
        self.capability = 10 * self.attribute(MAJOR) + self.attribute(MINOR)
        self.multiprocessors = self.attribute(MULTIPROCESSORS)
        self.zeros = ctypes.c_uint64()  # what stands for empty tensors: 16 bytes that are read, and 16 that are written
        check(cuda.cuMemAlloc_v2(ctypes.byref(self.zeros), ctypes.c_size_t(32)), "allocating zeros")
        check(cuda.cuMemsetD8_v2(self.zeros, ctypes.c_ubyte(0), ctypes.c_size_t(32)), "clearing them")

    def attribute(self, number):
        value = ctypes.c_int()
        check(cuda.cuDeviceGetAttribute(ctypes.byref(value), number, self.device), "asking the device")
        return value.value


class Kernel:
    def __init__(self, path, name, device):
        with open(path) as file:
            reflection = json.load(file)
        if reflection.get("format", 0) > FORMAT:
            sys.exit(f"error: {path} has format {reflection['format']}, and this file knows formats up to {FORMAT}")
        self.device, self.kernel = device, next(k for k in reflection["kernels"] if k["name"] == name)
        self.entry = max((e for e in self.kernel["entries"] if self.rank(e["target"]) > 0), key=lambda e: self.rank(e["target"]),
                         default=None) or sys.exit(f"error: {path} holds no code for compute capability {device.capability}")
        image = next(t["file"] for t in reflection["targets"] if t["name"] == self.entry["target"])
        module, self.function = ctypes.c_void_p(), ctypes.c_void_p()
        check(cuda.cuModuleLoad(ctypes.byref(module), os.path.join(os.path.dirname(path), image).encode()), "loading " + image)
        check(cuda.cuModuleGetFunction(ctypes.byref(self.function), module, name.encode()), "finding " + name)
        check(cuda.cuFuncSetAttribute(self.function, MAX_DYNAMIC_SHARED, self.entry["dynamic_shared_bytes"]), "shared memory")

    def rank(self, target):
        """How well code for a target serves the device; 0: not at all. Code for sm_90a runs there alone."""
        there = int(target[3:].rstrip("a")) if target.startswith("sm_") else 1000
        runs = there == self.device.capability if target.endswith("a") else there <= self.device.capability
        return 2 * there + target.endswith("a") if runs else 0

    def tensor_map(self, hidden, arguments):
        def numbers(terms):
            def quotient(t):  # rounded towards zero
                value, over = arguments.get(t.get("param"), 1), t.get("over", 1)
                return value // over if value >= 0 else -(-value // over)
            return [t["times"] * quotient(t) * arguments.get(t.get("by"), 1) + t.get("plus", 0) for t in terms]
        sizes, strides, rank = numbers(hidden["sizes"]), numbers(hidden["byte_strides"]), len(hidden["box"])
        address = arguments[hidden["pointer"]] + sum(numbers(hidden.get("byte_offsets", [])))
        if min(sizes) <= 0:  # no tensor map is empty: one element of zeros is
            sizes, address = [1] * rank, self.device.zeros.value + 16 * hidden.get("written", False)
        strides = [stride if size > 1 else 16 for stride, size in zip(strides, sizes[1:])]  # of one element it does not matter
        room = ctypes.create_string_buffer(128 + 64)
        start = ctypes.addressof(room) + -ctypes.addressof(room) % 64
        swizzle = {0: 0, 32: 1, 64: 2, 128: 3}[hidden["swizzle"]]
        check(cuda.cuTensorMapEncodeTiled(
            ctypes.c_void_p(start), hidden["data_type_value"], rank, ctypes.c_void_p(address), (ctypes.c_uint64 * rank)(*sizes),
            (ctypes.c_uint64 * rank)(*strides), (ctypes.c_uint32 * rank)(*hidden["box"]), (ctypes.c_uint32 * rank)(*[1] * rank),
            0, swizzle, 3, 0), "encoding a tensor map")  # no interleaving, 256-byte L2 promotion, zeros outside
        return room, start

    def launch(self, stream=None, **arguments):
        names = {"__builtins__": {}, **{"tkc_" + name: function for name, function in GRID.items()}}
        grid = [eval(text, names, dict(arguments)) for text in self.kernel["grid"]]
        if 0 in grid:
            return
        values = [(ctypes.c_uint64 if p["type"].startswith("*") else SCALARS[p["type"]])(arguments[p["name"]])
                  for p in self.kernel["params"]]
        pointers, kept = [ctypes.addressof(v) for v in values], []
        for hidden in self.entry.get("hidden", []):
            if hidden["kind"] == "tensor_map":
                room, start = self.tensor_map(hidden, arguments)
            else:
                room = ctypes.c_uint32(grid["xyz".index(hidden["kind"][-1])])
                start = ctypes.addressof(room)
            kept.append(room)
            pointers.append(start)
        if "persistent" in self.entry:
            grid = [min(grid[0] * grid[1] * grid[2], self.device.multiprocessors * self.entry["persistent"]), 1, 1]
        check(cuda.cuLaunchKernel(self.function, *grid, self.entry["threads"], 1, 1, self.entry["dynamic_shared_bytes"],
                                  ctypes.c_void_p(stream), (ctypes.c_void_p * len(pointers))(*pointers), None), "launching")


def half_bits(values):
    """Of integers from 0 to 2047."""
    return array.array("H", (((14 + v.bit_length()) << 10 | (v << (11 - v.bit_length())) & 0x3ff) if v else 0 for v in values))


def upload(values):
    bits = half_bits(values)
    address = ctypes.c_uint64()
    check(cuda.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(2 * len(bits))), "allocating a matrix")
    check(cuda.cuMemcpyHtoD_v2(address, ctypes.c_void_p(bits.buffer_info()[0]), ctypes.c_size_t(2 * len(bits))), "copying a matrix")
    return address.value


def main():
    M, N, K = 200, 272, 80
    a = [(3 * i + k) % 5 for i in range(M) for k in range(K)]
    b = [(k + 2 * j) % 4 for k in range(K) for j in range(N)]
    matmul = Kernel(sys.argv[1] if len(sys.argv) > 1 else "matmul.json", "matmul", Device())
    device_a, device_b = upload(a), upload(b)
    all_wrong = 0
    for rows, depth in ((M, K), (M, 0), (0, K)):  # of no columns and no rows the product is zeros
        c = upload([1] * (M * N))
        expected = half_bits(sum(x * y for x, y in zip(a[i * K:i * K + depth], b[j::N])) for i in range(rows) for j in range(N))
        expected += half_bits([1] * ((M - rows) * N))
        matmul.launch(a=device_a, b=device_b, c=c, M=rows, N=N, K=depth, stride_am=K, stride_ak=1, stride_bk=N, stride_bn=1,
                      stride_cm=N, stride_cn=1)
        got = (ctypes.c_uint16 * (M * N))()
        check(cuda.cuMemcpyDtoH_v2(got, ctypes.c_uint64(c), ctypes.c_size_t(2 * M * N)), "copying the product back")
        wrong = sum(x != y for x, y in zip(got, expected))
        print(f"{rows} x {N} x {depth}: {wrong} of {M * N} elements wrong")
        all_wrong += wrong
    return all_wrong != 0


if __name__ == "__main__":
    sys.exit(main())
