#!/usr/bin/env python3
"""Compile-time values are Python's: what Python says of an expression stands in the reflection, or tkc refuses it.

    check_constants.py TKC FOLDER
"""
import json
import math
import os
import subprocess
import sys

EQUAL = r"""
7 // 2; -7 // 2; 7 // -2; -7 // -2; 7 % 3; -7 % 3; 7 % -3; -7 % -3; 1 // -1; 5 % -1
5.0 // 0.3; 1.0 // 0.1; -1.0 // 0.1; 6.0 // 0.1; 5.5 % 2; -5.5 % 2; 5.5 % -2; -5.5 % -2; -0.0 % 3; 0.0 // -3; 1e300 // 3
2 ** 10; 2 ** -1; 2 ** 0; 0 ** 0; 2.5 ** 3; 4 ** 0.5; (-8.0) ** 3; (-2) ** -3; 2 ** 125; -(2 ** 126 - 1) - 2 ** 126
7 / 2; -7 / 2; 2 ** 60 / 4; 1 / 3; 10 ** 15 / 7; 1 << 40; -1 >> 70; 5 & -2; 5 | -8; 5 ^ -1; ~5; -True; True + True
abs(-3); abs(-2.5); round(2.5); round(-0.5); round(3.5); round(1e30); int(-0.5); int(2.9e20); int("12"); int("-7")
int("9223372036854775807"); float("1e3"); float("-inf"); bool(""); bool("0"); bool(0.0); max(1, 2.5); min(3, 2); sum([1, 2])
math.ceil(1.5); math.floor(-1.5); math.ceil(7); math.sqrt(2); math.log2(8); math.exp(1); math.pow(2, 0.5); math.prod([2, 3])
len("é"); len("aé€😀"); len(""); len((1, 2)); len([0] * 3); len("ab" * 3); len("ab" * -1); "é" in "aéb"; "" in ""; "ab" in "aab"
0.1 + 0.2; 0.1 + 0.2 == 0.3; 1e308 * 10; -0.0; 1e16; 1e-5; 1.5e300; 123456789.123; 2.0; 1 < 2 < 3; 3 > 2 > 2; not 3
"abc"[1]; "abc"[-1]; "abc"[1:]; "abc"[:-1]; (1, 2, 3)[1:]; (1, 2, 3)[::-1]; (1, 2, 3)[::2 ** 62]; (1, 2, 3)[2::-(2 ** 62)]
f"{2 ** 70:x}"; f"{-1:x}"; f"{1.0:%}"; f"{0.5:.1%}"; f"{3:05d}"; f"{-3:+}"; f"{True}"; f"{1e100}"; f"{'é':>5}"; len(f"{1:1000}")
f"{1.5:.3f}"; f"{1e10:g}"; f"{255:X}"; f"{5:b}"; f"{-5:08b}"; f"{7:^5}"; f"{'ab':*<4}"; f"{3.0!r}"; f"{'a'!r}"; str(1.0); str(1e16)
1e16 + 4; 2.0 ** -44; 1e22; 1e23; 5e-324; 9999999999999998.0; 0.0001; 0.00012; 1.7976931348623157e308; 2.0 ** -1074; f"{1e17:22}"
2**53 + 1 == 2.0**53; 2**53 + 1 > 2.0**53; 2.0**53 < 2**53 + 1; -2 > -2.5; 10**37 < 1e300; 1 < float("nan"); max(2**53, 2.0**53 + 2)
3 < 2 < undefined; 1 < 2 < 3 < 3 < undefined; 3 == 4 in 5; 1 in (1,) == (1,) is not None
max(float("nan"), 1); max(1, float("nan")); min(float("nan"), 1); min([1, float("nan"), 0]); max(1, 1.0); max(1.0, 1); min(-0.0, 0)
len({1, 2, 2}); len({1, 1.0, True}); sorted({3, 1, 3}); {1: "a", 2: "b", True: "c"}; {k % 2: k for k in range(5)}; len({"a": 1, "a": 2})
(1, 2) == [1, 2]; (1, 2) != [1, 2]; [1, (2,)] == [1, [2]]; [1, 2] == [1.0, 2]; (1,) in [[1]]; isinstance([], tuple); isinstance([], list)
"""

REFUSED = r"""
7 // 0; 7 % 0; 7.0 // 0; 7 / 0; 1.0 % 0; 0 ** -1; 0.0 ** -1; (-8) ** 0.5; 2.0 ** 10000; 1 << -1; 2 ** 127; 1 << 127
(2 ** 126 - 1) * 3; abs(-(2 ** 126) - 2 ** 126); (-(2 ** 126) - 2 ** 126) // -1; -(-(2 ** 126) - 2 ** 126); (2 ** 60 + 1) / 3
int("9223372036854775808"); int("0x10"); int("1.5"); int(""); int(1e40); int(float("inf")); int(float("nan")); round(1e300)
round(float("nan")); math.ceil(1e300); math.floor(float("nan")); math.sqrt(-1); math.log(0); math.log(-1); math.exp(1000)
math.pow(-8, 0.5); math.pow(0, -1); "é"[0]; "aé"[1:]; (1, 2)[2]; "a"[1]; min([]); float("x"); f"{1.5:d}"; f"{1:,}"; f"{'a':d}"
f"{1.0:.1000000000f}"; f"{1:100000}"; (1, 2)[::0]; range(2 ** 70)[0]; "a" * 2 ** 70; "a" + 1; 1 < "a"; len(5); -"a"; ~1.5; 1.5 << 2
"""

HEAD = "import math\nimport triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(x: '*fp32'"


def split(text):
    return [part.strip() for line in text.strip().split("\n") for part in line.split("; ")]


def compile_all(tkc, expressions):
    """The constants as printed, or the error."""
    with open("c.tk", "w", encoding="utf-8") as file:
        file.write(HEAD + "".join(f",\n      N{i}: tl.constexpr = {e}" for i, e in enumerate(expressions)) +
                   "):\n    tl.store(x, 1.0)\n")
    made = subprocess.run([tkc, "c.tk"], capture_output=True, text=True)
    if made.returncode != 0:
        return None, made
    with open("c.json", encoding="utf-8") as file:
        return json.load(file)["kernels"][0]["constants"], made


def main(tkc, folder):
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    failed = 0
    equal, refused = split(EQUAL), split(REFUSED)
    constants, made = compile_all(tkc, equal)
    if constants is None:
        print(made.stderr)
        return 1
    for i, expression in enumerate(equal):
        want, got = repr(eval(expression, {"math": math})), constants[f"N{i}"]
        if want != got:
            failed += 1
            print(f"{expression}: {got}, in Python {want}")
    for expression in refused:
        constants, made = compile_all(tkc, [expression])
        if constants is not None or made.returncode != 1 or "c.tk:8:" not in made.stderr:
            failed += 1
            print(f"{expression}: status {made.returncode}, {constants}, {made.stderr[:200]}")
    print(f"{len(equal)} values of Python, {len(refused)} refusals, {failed} wrong")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2]))
