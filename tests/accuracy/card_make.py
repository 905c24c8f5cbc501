#!/usr/bin/env python3
"""Prepares the comparison of the library with CUDA's libdevice on a card (card_run.py): anywhere, with tkc and mpmath.

    python3 tests/accuracy/card_make.py TKC FOLDER

FOLDER gets the PTX of each function for sm_90a in f32 and f64, once and in a loop for times, and samples.bin: SAMPLES rows a
function of a, b and the result in f64, as a double and what is left.
"""
import math
import os
import random
import struct
import subprocess
import sys

import mpmath as mp

from card_table import HEAD, SAMPLES, kernel, kernel_name, rows


def sign(a):
    return -1 if a < 0 else 1


def erfcinv(t):
    """Newton's method from the first term of the asymptotic series; in the middle mpmath's own."""
    if t == 1:
        return mp.mpf(0)
    if 0.05 < t < 1.95:
        return mp.erfinv(1 - mp.mpf(t))
    u = mp.mpf(t) if t < 1 else 2 - mp.mpf(t)
    z = mp.sqrt(-mp.log(u * mp.sqrt(mp.pi) * mp.sqrt(-mp.log(u))))
    for _ in range(8):
        z += (mp.erfc(z) - u) / (2 / mp.sqrt(mp.pi) * mp.exp(-z * z))
    return sign(1 - t) * z


def erfcx(a):
    """From 20 on the first 12 terms of the asymptotic series."""
    if a < 20:
        return mp.exp(a * a) * mp.erfc(a)
    terms = (mp.mpf(-1) ** k * mp.fac2(2 * k - 1) / (2 * a * a) ** k for k in range(12))
    return mp.fsum(terms) / (a * mp.sqrt(mp.pi))


def whole_quotient(a, b, rounded):
    """a - b * n with n = rounded(a / b), exactly: both are doubles."""
    with mp.workprec(2200):
        return mp.mpf(a) - mp.mpf(b) * rounded(mp.mpf(a) / mp.mpf(b))


REFERENCES = {
    "jn": lambda a, b: mp.besselj(int(abs(b) / 8), a), "yn": lambda a, b: mp.bessely(int(abs(b) / 8), a),
    "exp10": lambda a: mp.mpf(10) ** a, "exp2": lambda a: mp.mpf(2) ** a, "log2": lambda a: mp.log(a, 2),
    "cbrt": lambda a: sign(a) * mp.cbrt(abs(a)), "rcbrt": lambda a: sign(a) / mp.cbrt(abs(a)), "rsqrt": lambda a: 1 / mp.sqrt(a),
    "erfinv": lambda a: sign(a) * erfcinv(1 - abs(a)), "erfcinv": erfcinv, "erfcx": erfcx,
    "normcdf": lambda a: mp.erfc(-a / mp.sqrt(2)) / 2, "normcdfinv": lambda a: -mp.sqrt(2) * erfcinv(2 * a),
    "lgamma": lambda a: mp.re(mp.loggamma(a)) if a > 0 else mp.log(abs(mp.gamma(a))), "tgamma": mp.gamma,
    "j0": lambda a: mp.besselj(0, a), "j1": lambda a: mp.besselj(1, a), "y0": lambda a: mp.bessely(0, a),
    "y1": lambda a: mp.bessely(1, a), "cyl_bessel_i0": lambda a: mp.besseli(0, a), "cyl_bessel_i1": lambda a: mp.besseli(1, a),
    "pow": lambda a, b: a ** b, "fmod": lambda a, b: whole_quotient(a, b, lambda q: mp.floor(q) if q > 0 else mp.ceil(q)),
    "remainder": lambda a, b: whole_quotient(a, b, mp.nint),
}


def sample(row, index):
    """Half of the arguments are evenly spread, half have evenly spread exponents."""
    low, high = row["low"], row["high"]
    if index % 2 == 0:
        return random.uniform(low, high)
    size = 2 ** random.uniform(-40, math.log2(max(abs(low), abs(high))))
    return min(max(-size if low < 0 and random.random() < 0.5 else size, low), high)


def result(row, arguments):
    """The result as mpmath's number; None where there is none, or no double."""
    reference = REFERENCES.get(row["reference"]) or getattr(mp, row["reference"])
    try:
        value = mp.mpf(reference(*(mp.mpf(a) for a in arguments)))
    except (ValueError, ZeroDivisionError, TypeError):
        return None
    return value if mp.isfinite(value) and abs(value) < sys.float_info.max else None


def write_samples(path):
    mp.mp.prec = 120
    random.seed(34)
    with open(path, "wb") as file:
        for row in rows():
            for index in range(SAMPLES):
                value = None
                while value is None:
                    arguments = [sample(row, index + i) for i in range(row["count"])]
                    value = result(row, arguments)
                near = float(value)
                file.write(struct.pack("<4d", arguments[0], arguments[-1], near, float(value - mp.mpf(near))))


def write_code(tkc, folder):
    for row in rows():
        source = os.path.join(folder, "source.tk")
        kinds = [(wide, timed) for wide in (0, 1) for timed in (0, 1)]
        with open(source, "w", encoding="utf-8") as file:
            file.write(HEAD + "".join(kernel(row, wide, timed, row["call"], True) for wide, timed in kinds))
        for wide, timed in kinds:
            name = kernel_name(row, wide, timed)
            subprocess.run([tkc, source, "-n", name, "-t", "sm_90a", "--no-header", "--no-json", "-o",
                            os.path.join(folder, name + ".ptx")], check=True)
    os.remove(source)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: card_make.py TKC FOLDER")
    os.makedirs(sys.argv[2], exist_ok=True)
    write_code(sys.argv[1], sys.argv[2])
    write_samples(os.path.join(sys.argv[2], "samples.bin"))


if __name__ == "__main__":
    main()
