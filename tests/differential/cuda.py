"""Kernels launched from Python: CUDA's driver API through ctypes, and what tkc's JSON says of its PTX.

    kernel = Kernel(ptx_text, json_of_the_file)
    kernel.launch(arguments, grid)          arguments: an address for a pointer, else a number

What the header that tkc writes does in C is done here by the JSON's description (examples/host/matmul_driver.c does the
same in C): hidden parameters follow the source's own, tensor maps are encoded from the arguments, a persistent kernel is
launched with as many blocks as the device holds at once.
"""
import ctypes
import functools
import math
import struct

CUDA_SUCCESS = 0
JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES = 5, 6
DYNAMIC_SHARED_BYTES = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
REGISTERS, LOCAL_BYTES = 4, 3
MULTIPROCESSORS = 16
PROMOTION_256 = 3
MAP_BYTES = 128


class CudaError(RuntimeError):

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


@functools.lru_cache(None)
def driver():
    return ctypes.CDLL("libcuda.so.1")


def check(code, what, more=""):
    if code != CUDA_SUCCESS:
        name = ctypes.c_char_p()
        driver().cuGetErrorName(code, ctypes.byref(name))
        raise CudaError(code, f"{what}: {(name.value or b'?').decode()} ({code}){' ' + more if more else ''}")


@functools.lru_cache(None)
def multiprocessors():
    device, count = ctypes.c_int(), ctypes.c_int()
    check(driver().cuCtxGetDevice(ctypes.byref(device)), "cuCtxGetDevice")
    check(driver().cuDeviceGetAttribute(ctypes.byref(count), MULTIPROCESSORS, device), "cuDeviceGetAttribute")
    return count.value


@functools.lru_cache(None)
def zeros():
    """What stands for a tensor without elements: 16 bytes of zeros, and behind them 16 that stores may write."""
    address = ctypes.c_uint64()
    check(driver().cuMemAlloc_v2(ctypes.byref(address), 32), "cuMemAlloc")
    check(driver().cuMemsetD8_v2(address, 0, 32), "cuMemsetD8")
    return address.value


def narrow(value):
    """The bits of a bf16, rounded to nearest even."""
    bits, = struct.unpack("<I", struct.pack("<f", value))
    if value != value:
        return 0x7FC0
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def pack(kind, value):
    """The bytes of an argument of a type as the JSON names it."""
    if kind.startswith("*"):
        return struct.pack("<Q", int(value or 0))
    if kind == "bf16":
        return struct.pack("<H", narrow(float(value)))
    if kind in ("fp16", "fp32", "fp64"):
        try:
            return struct.pack({"fp16": "<e", "fp32": "<f", "fp64": "<d"}[kind], float(value))
        except OverflowError:  # beyond the format's largest number
            return struct.pack("<H" if kind == "fp16" else "<I",
                               (0x8000 if value < 0 else 0) | 0x7C00 if kind == "fp16" else
                               (0x80000000 if value < 0 else 0) | 0x7F800000)
    if kind == "i1":
        return struct.pack("<?", bool(value))
    bits = int(kind[1:])
    return (int(value) & ((1 << bits) - 1)).to_bytes(bits // 8, "little")


class Function:
    """A kernel of an image (PTX or a cubin), loaded when it is first needed."""

    def __init__(self, image, name, threads, dynamic_shared_bytes):
        self.image = image if isinstance(image, bytes) else image.encode() + b"\0"  # PTX ends in a zero
        self.name, self.threads, self.dynamic_shared_bytes = name, threads, dynamic_shared_bytes
        self.function = None

    def load(self):
        if self.function is not None:
            return self
        log, module, function = ctypes.create_string_buffer(8192), ctypes.c_void_p(), ctypes.c_void_p()
        options = (ctypes.c_int * 2)(JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES)
        values = (ctypes.c_void_p * 2)(ctypes.cast(log, ctypes.c_void_p), ctypes.c_void_p(len(log)))
        code = driver().cuModuleLoadDataEx(ctypes.byref(module), self.image, 2, options, values)
        check(code, "cuModuleLoadDataEx", log.value.decode(errors="replace")[:1000])
        check(driver().cuModuleGetFunction(ctypes.byref(function), module, self.name.encode()), "cuModuleGetFunction")
        self.module, self.function = module, function
        if self.dynamic_shared_bytes > 48 << 10:
            check(driver().cuFuncSetAttribute(function, DYNAMIC_SHARED_BYTES, self.dynamic_shared_bytes), "cuFuncSetAttribute")
        return self

    def unload(self):
        if self.function is not None:
            check(driver().cuModuleUnload(self.module), "cuModuleUnload")
            self.function = None

    def attribute(self, number):
        value = ctypes.c_int()
        check(driver().cuFuncGetAttribute(ctypes.byref(value), number, self.load().function), "cuFuncGetAttribute")
        return value.value

    def registers(self):
        return self.attribute(REGISTERS)

    def local_bytes(self):
        return self.attribute(LOCAL_BYTES)

    def prepare_values(self, packed, blocks):
        """Of the bytes of each parameter, or (something kept alive, an address): what launch_prepared takes."""
        keep, addresses = [], []
        for value in packed:
            if isinstance(value, bytes):
                room = ctypes.create_string_buffer(value.ljust(8, b"\0"), 8)
                value = (room, ctypes.addressof(room))
            keep.append(value[0])
            addresses.append(value[1])
        keep.append((ctypes.c_void_p * max(1, len(addresses)))(*addresses))
        return keep, blocks

    def launch_prepared(self, prepared, stream=0, cooperative=False):
        keep, blocks = prepared
        if 0 in blocks:
            return
        arguments = [self.load().function, *map(ctypes.c_uint, blocks), ctypes.c_uint(self.threads), ctypes.c_uint(1),
                     ctypes.c_uint(1), ctypes.c_uint(self.dynamic_shared_bytes), ctypes.c_void_p(stream), keep[-1]]
        if cooperative:
            check(driver().cuLaunchCooperativeKernel(*arguments), "launch")
        else:
            check(driver().cuLaunchKernel(*arguments, None), "launch")


FORMAT = 1  # of descriptions: the last one that this file knows


class Kernel(Function):
    """One kernel of a file that tkc compiled, on the first target in its JSON."""

    def __init__(self, image, description, name=None):
        if description.get("format", 0) > FORMAT:
            raise ValueError(f"the description has format {description['format']}, and cuda.py knows formats up to {FORMAT}")
        self.described = next(k for k in description["kernels"] if name in (None, k["name"]))
        self.entry = self.described["entries"][0]
        self.params = self.described["params"]
        self.hidden = self.entry.get("hidden", [])
        super().__init__(image, self.described["function"], self.entry["threads"], self.entry["dynamic_shared_bytes"])

    # ---- hidden parameters ----

    def tensor_map(self, hidden, numbers):
        """The 128 bytes of a tensor map, aligned as the driver wants them: (what holds them, their address)."""
        rank = len(hidden["sizes"])

        def value(term):
            param, by = (numbers[term[key]] if key in term else 1 for key in ("param", "by"))
            over = term.get("over", 1)
            param = param // over if param >= 0 else -(-param // over)  # as C rounds
            return term["times"] * param * by + term.get("plus", 0)

        sizes = [value(t) for t in hidden["sizes"]]
        if any(s > 1 << 31 for s in sizes):
            raise CudaError(-1, f"tensor map of '{hidden['pointer']}': sizes {sizes}")
        empty = min(sizes) <= 0  # below 0: a mask's limit that no index is below
        sizes = [1] * rank if empty else sizes
        strides = [value(t) if s > 1 else 16 for t, s in zip(hidden["byte_strides"], sizes[1:])]
        address = zeros() + 16 * hidden.get("written", False) if empty else (
            numbers[hidden["pointer"]] + sum(value(t) for t in hidden.get("byte_offsets", [])))
        if address % 16 or any(s % 16 or not 0 <= s < 1 << 40 for s in strides):
            raise CudaError(-1, f"tensor map of '{hidden['pointer']}': address {address:#x}, strides {strides}")
        room = ctypes.create_string_buffer(2 * MAP_BYTES)
        at = ctypes.addressof(room)
        at += -at % MAP_BYTES
        check(driver().cuTensorMapEncodeTiled(
            ctypes.c_void_p(at), hidden["data_type_value"], rank, ctypes.c_void_p(address), (ctypes.c_uint64 * 5)(*sizes),
            (ctypes.c_uint64 * 5)(*strides), (ctypes.c_uint32 * 5)(*hidden["box"]), (ctypes.c_uint32 * 5)(*[1] * rank), 0,
            {0: 0, 32: 1, 64: 2, 128: 3}[hidden["swizzle"]], PROMOTION_256, 0), f"tensor map of '{hidden['pointer']}'",
              f"sizes {sizes}, strides {strides}, box {hidden['box']}")
        return room, at

    def prepare(self, arguments, grid):
        """What a launch with these arguments takes."""
        if len(self.params) != len(arguments):
            raise ValueError(f"{len(arguments)} arguments for {len(self.params)} parameters")
        numbers = {p["name"]: a for p, a in zip(self.params, arguments)}
        values = [pack(p["type"], a) for p, a in zip(self.params, arguments)]
        grid = [int(g) for g in grid] + [1] * (3 - len(grid))
        for hidden in self.hidden:
            if hidden["kind"] == "tensor_map":
                values.append(self.tensor_map(hidden, numbers))
            else:
                values.append(struct.pack("<I", grid["xyz".index(hidden["kind"][-1])]))
        cluster = self.entry.get("cluster", 1)
        if self.entry.get("persistent") or cluster > 1:
            programs = -(-math.prod(grid) // cluster) * cluster
            most = max(cluster, multiprocessors() * self.entry.get("persistent", 0) // cluster * cluster)
            fewest = most if self.entry.get("fills") and programs else 0
            grid = [max(fewest, min(programs, most)) if self.entry.get("persistent") else programs, 1, 1]
        return self.prepare_values(values, grid)

    def launch(self, arguments, grid, stream=0, cooperative=False):
        self.load()
        self.launch_prepared(self.prepare(arguments, grid), stream, cooperative)
