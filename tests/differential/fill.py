"""What arguments hold: the bytes of a buffer from a seed, as tests/lang/arguments.c makes them."""
import base64
import zlib

import numpy
import torch

BYTES = {"i1": 1, "i8": 1, "u8": 1, "i16": 2, "u16": 2, "i32": 4, "u32": 4, "i64": 8, "u64": 8, "fp16": 2, "bf16": 2,
         "fp32": 4, "fp64": 8, "fp8e5": 1, "fp8e4nv": 1, "fp8e5b16": 1, "fp8e4b8": 1, "fp8e4b15": 1}
REALS = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32, "fp64": torch.float64,
         "fp8e5": torch.float8_e5m2, "fp8e4nv": torch.float8_e4m3fn, "fp8e5b16": torch.float8_e5m2fnuz,
         "fp8e4b8": torch.float8_e4m3fnuz}
SPECIALS = [0.0, -0.0, float("inf"), float("-inf"), float("nan"), 1.0, -1.0, 2.0**-149, -2.0**-140, 2.0**-24, 2.0**127,
            -(2 - 2.0**-4) * 2.0**127]
POISON = 0xFF


class NoFormat(Exception):
    """A type that PyTorch lacks."""


def is_real(element):
    return element.startswith(("fp", "bf"))


def hashes(seed, stream, count):
    """One step of splitmix64 over a counter (lang_hash)."""
    mask = (1 << 64) - 1
    start = numpy.uint64((seed ^ stream * 0xD1342543DE82EF95 & mask) & mask)
    with numpy.errstate(over="ignore"):
        x = start + numpy.arange(1, count + 1, dtype=numpy.uint64) * numpy.uint64(0x9E3779B97F4A7C15)
        x = (x ^ x >> numpy.uint64(30)) * numpy.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ x >> numpy.uint64(27)) * numpy.uint64(0x94D049BB133111EB)
        return x ^ x >> numpy.uint64(31)


def low_bytes(words, size):
    """The lowest bytes of 64-bit words."""
    return numpy.ascontiguousarray(words.view(numpy.uint8).reshape(-1, 8)[:, :size]).reshape(-1)


def encode(element, values):
    if not is_real(element):
        return low_bytes(values.astype(numpy.int64), BYTES[element])
    if element not in REALS:
        raise NoFormat(element)
    return torch.from_numpy(values).to(REALS[element]).view(torch.uint8).numpy()


def finite_bytes(element, words):
    """Bit patterns that are neither NaN nor infinite: the others become 0."""
    data = low_bytes(words, BYTES[element])
    if is_real(element):
        if element not in REALS:
            raise NoFormat(element)
        bad = ~torch.from_numpy(data.copy()).view(REALS[element]).to(torch.float64).isfinite().numpy()
        data.reshape(-1, BYTES[element])[bad] = 0
    return data


def fill(argument, seed, stream):
    """`argument`: {"element", "count", "fill", "low", "high"}, as lang_test and random_test write them."""
    element, count, how = argument["element"], argument["count"], argument["fill"]
    if how == "poison":
        return numpy.full(count * BYTES[element], POISON, numpy.uint8)
    if how == "kept":
        return numpy.frombuffer(zlib.decompress(base64.b64decode(argument["data"])), numpy.uint8)
    if how == "permute":
        order = numpy.random.default_rng((seed ^ stream) & (1 << 63) - 1).permutation(count)
        return encode(element, order.astype(numpy.float64))
    random = hashes(seed, stream, count)
    if how == "bits":
        return low_bytes(random & numpy.uint64(1) if element == "i1" else random, BYTES[element])
    if how == "finite":
        return finite_bytes(element, random)
    low, high = float(argument["low"]), float(argument["high"])
    fraction = (random >> numpy.uint64(11)).astype(numpy.float64) * 2.0**-53
    if how == "iota":
        return encode(element, low + numpy.arange(count, dtype=numpy.float64))
    if not is_real(element) or how == "whole":
        values = numpy.floor(low + fraction * (high - low + 1))
    else:
        values = low + fraction * (high - low)
    if how == "special" and is_real(element):
        chosen = numpy.array(SPECIALS)[(random >> numpy.uint64(3)) % numpy.uint64(len(SPECIALS))]
        values = numpy.where(random % numpy.uint64(3) == 0, chosen, values)
    return encode(element, values)


# ---- the same, on a device ----

CHUNK = 1 << 24


def hashes_tensor(seed, stream, begin, end, device):
    """Those of `hashes` from `begin` to `end`, as int64."""

    def signed(word):
        return word - (1 << 64) if word >> 63 else word

    def shifted(x, by):
        return (x >> by) & ((1 << 64 - by) - 1)

    start = (seed ^ stream * 0xD1342543DE82EF95 & (1 << 64) - 1) & (1 << 64) - 1
    x = torch.arange(begin + 1, end + 1, dtype=torch.int64, device=device) * signed(0x9E3779B97F4A7C15) + signed(start)
    x = (x ^ shifted(x, 30)) * signed(0xBF58476D1CE4E5B9)
    x = (x ^ shifted(x, 27)) * signed(0x94D049BB133111EB)
    return x ^ shifted(x, 31)


def fill_tensor(argument, seed, stream, device):
    """What `fill` gives, as a tensor of bytes on a device."""
    element, count, how = argument["element"], argument["count"], argument["fill"]
    if how not in ("uniform", "whole") or element not in REALS and is_real(element) or count < CHUNK >> 8:
        return torch.from_numpy(fill(argument, seed, stream).copy()).to(device)
    low, high = float(argument["low"]), float(argument["high"])
    real = is_real(element)
    kind = REALS.get(element) or {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[BYTES[element]]
    made = torch.empty(count, dtype=kind, device=device)
    for begin in range(0, count, CHUNK):
        end = min(count, begin + CHUNK)
        random = hashes_tensor(seed, stream, begin, end, device)
        fraction = ((random >> 11) & ((1 << 53) - 1)).to(torch.float64) * 2.0**-53
        if real and how == "uniform":
            made[begin:end] = (low + fraction * (high - low)).to(kind)
        else:
            made[begin:end] = torch.floor(low + fraction * (high - low + 1)).to(kind if real else torch.int64).to(kind)
    return made.view(torch.uint8)
