"""The hostile sources: BOMBS is a list of (name, source, what the error says, None where it may compile too, COMPILES where it
has to)."""

HEAD = "import triton\nimport triton.language as tl\n\n\n"
BUDGET = "here, and a compilation has"  # steps or memory, whichever ends first
OPS = "ops of tile IR here, and a compilation has"
BOUND = "here, and a compilation has"  # ops or memory: calls take both
VALUES = "values of each thread here, and a compilation has"
PARTS = "can be evaluated at compile time"
DEEP = "nest deeper than"
COMPILES = False
DOT_OPERAND = "o = tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]\nm = tl.load(x + o).to(tl.float16)\n"
BOMBS = []


def source(name, text, says=None):
    BOMBS.append((name, text, says))


def kernel(name, body, says=None, before=""):
    """The lines of `body` in a kernel of a pointer and a number."""
    lines = "".join("    " + line + "\n" for line in body.splitlines())
    source(name, HEAD + before + '@triton.jit\ndef k(x: "*fp32", n: "i32"):\n' + lines, says)


def constant(name, body, says=None, before=""):
    """The lines of `body` in a Python function that a default calls."""
    lines = "".join("    " + line + "\n" for line in body.splitlines())
    source(name, HEAD + before + "def f():\n" + lines +
           '\n\n@triton.jit\ndef k(x: "*fp32", N: tl.constexpr = f()):\n    tl.store(x, N)\n', says)


def many(line, count):
    return "\n".join(line.replace("#", str(i)) for i in range(count))


# ---- recursion and calls ----
FIB = "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n\n\n"
constant("fib", "return fib(40)", BUDGET, FIB)
constant("fib_of_fib", "return fib(fib(10))", BUDGET, FIB)
constant("ackermann", "return a(3, 60)", DEEP,
         "def a(m, n):\n    return n + 1 if m == 0 else a(m - 1, 1 if n == 0 else a(m, n - 1))\n\n\n")
constant("endless_recursion", "return g(0)", "calls nest deeper than 100", "def g(n):\n    return g(n + 1)\n\n\n")
constant("endless_pair", "return a(0)", "calls nest deeper than 100",
         "def a(n):\n    return b(n + 1)\n\n\ndef b(n):\n    return a(n + 1)\n\n\n")
constant("collatz_tree", "return c(1, 60)", BUDGET,
         "def c(n, d):\n    return 1 if d == 0 else c(2 * n, d - 1) + c(2 * n + 1, d - 1)\n\n\n")
constant("lambdas", "return (lambda s, n: s(s, n))(lambda s, n: 1 if n == 0 else s(s, n - 1) + s(s, n - 1), 50)", BUDGET)
constant("three_way", "return t(50)", BUDGET,
         "def t(n):\n    return 1 if n == 0 else t(n - 1) + t(n - 1) + t(n - 1)\n\n\n")
TWO_WAY = ("@triton.jit\ndef a(n: tl.constexpr):\n    if n > 0:\n        b(n - 1)\n        b(n - 1)\n\n\n"
           "@triton.jit\ndef b(n: tl.constexpr):\n    if n > 0:\n        a(n - 1)\n        a(n - 1)\n\n\n")
kernel("two_way", "a(90)", BUDGET, TWO_WAY)
DOUBLING = "@triton.jit\ndef f0(v):\n    return v + 1\n\n\n" + "".join(
    f"@triton.jit\ndef f{i}(v):\n    return f{i - 1}(v) + f{i - 1}(v)\n\n\n" for i in range(1, 31))
kernel("doubling", "tl.store(x, f30(n))", BOUND, DOUBLING)
kernel("doubling_statements", "f30(n)", BOUND, DOUBLING.replace("return f", "return v + f"))
constant("doubling_constants", "return f30(1)", None, DOUBLING.replace("@triton.jit\n", ""))
kernel("deep_calls_and_sums", "tl.store(x, f(0))", DEEP,
       "@triton.jit\ndef f(v: tl.constexpr):\n    return f(v + 1)" + " + 1" * 1900 + "\n\n\n")
kernel("deep_calls_and_brackets", "tl.store(x, f(0))", None,
       "@triton.jit\ndef f(v: tl.constexpr):\n    return " + "(" * 150 + "f(v + 1)" + ")" * 150 + "\n\n\n")
kernel("deep_calls_and_lambdas", "tl.store(x, f(0))", None,
       "@triton.jit\ndef f(v: tl.constexpr):\n    return " + "(lambda: " * 60 + "f(v + 1)" + ")()" * 60 + "\n\n\n")
kernel("deep_ifs", "f(n, 0)", None,
       "@triton.jit\ndef f(v, d: tl.constexpr):\n" + "".join(" " * (i + 1) + f"if v > {i}:\n" for i in range(90)) +
       " " * 91 + "f(v, d + 1)\n\n\n")
kernel("deep_loops", "f(n, 0)", None,
       "@triton.jit\ndef f(v, d: tl.constexpr):\n" +
       "".join(" " * (i + 1) + f"for i{i} in range(v):\n" for i in range(60)) + " " * 61 + "f(v, d + 1)\n\n\n")
kernel("default_of_default", "tl.store(x, 1)", None,
       "def d(a=0):\n    return d(d())\n\n\nY = d()\n\n\n")
kernel("splits", "\n".join(f"if n > {i}:\n    if n > {i + 1}:\n        return" for i in range(40)) + "\ntl.store(x, n)",
       "ifs in a row may return")
kernel("combine", "r = tl.arange(0, 1024)\ntl.store(x, tl.reduce(r, 0, c))", BUDGET,
       DOUBLING + "@triton.jit\ndef c(a, b):\n    return f30(a) + b\n\n\n")
kernel("keywords", "f(**{'a' + str(i): i for i in range(50000)})", None, "@triton.jit\ndef f(**rest):\n    pass\n\n\n")
kernel("starred", "t = (1,) * 60000\nf(" + "*t, " * 3000 + ")", PARTS, "@triton.jit\ndef f(*rest):\n    pass\n\n\n")

# ---- loops ----
kernel("nested_static_range", "for i in tl.static_range(1000):\n    for j in tl.static_range(1000):\n        tl.store(x + i * j, n)", OPS)
kernel("nested_empty", "for i in tl.static_range(60000):\n    for j in tl.static_range(60000):\n        pass")
kernel("static_range_huge", "for i in tl.static_range(10 ** 12):\n    pass", "iterations would be unrolled")
kernel("static_range_wide", "for i in tl.static_range(2 ** 62, -2 ** 62, -1):\n    pass", "iterations would be unrolled")
kernel("static_if", "for i in tl.static_range(50000):\n    if n > i:\n        tl.store(x + i, n)", OPS)
kernel("static_break", "for i in tl.static_range(60000):\n    for j in tl.static_range(60000):\n        if j == i:\n            break")
constant("while_true", "while True:\n    pass", "runs more than 65536 times")
constant("while_while", "while True:\n    while True:\n        i = 0\n        while i < 60000:\n            i = i + 1", BUDGET)
constant("while_strings", "s = 'a'\nwhile True:\n    s = s + s", PARTS)
constant("while_lists", "s = [1]\nwhile True:\n    s = s + s", PARTS)
constant("while_nested_lists", "s = [1]\nwhile True:\n    s = [s, s]", PARTS)
constant("while_tuples", "s = (1,)\nwhile True:\n    s = (s,)", BUDGET)
constant("while_lambdas", "s = lambda: 1\nwhile True:\n    t = s\n    s = lambda: t()", None)
constant("while_numbers", "s = 3\nwhile True:\n    s = s * s", "does not fit 128 bits")
constant("for_for_for", "t = 0\nfor i in range(2000):\n    for j in range(2000):\n        for l in range(2000):\n            t += 1\nreturn t")
constant("while_slices", "s = 'ab' * 30000\nwhile len(s) > 1:\n    s = s[1:]", None)
kernel("promoted_loops", "a = 0\n" + "".join("  " * i + f"for i{i} in range(n):\n" for i in range(18)) + "  " * 18 + "a += 1\ntl.store(x, a)")
kernel("loop_carries", "\n".join(f"v{i} = n + {i}" for i in range(2000)) + "\nfor i in range(n):\n" +
       "\n".join(f"    v{i} = v{i} + v{(i + 1) % 2000}" for i in range(2000)) + "\ntl.store(x, v0)")
kernel("row_of_loops", many("for i in range(#):\n    n = n * 3 + i", 530) + "\ntl.store(x, n)")
kernel("row_of_counts", many("for i in range(n):\n    n = n * 3 + i", 530) + "\ntl.store(x, n)")
kernel("row_of_counts_long", many("for i in range(n):\n    n = n * 3 + i", 7500) + "\ntl.store(x, n)", OPS)
kernel("row_of_stores", many("for i in range(n):\n    tl.store(x + i, n)", 300) + "\ntl.store(x, n)")
kernel("row_of_stores_long", many("for i in range(n):\n    tl.store(x + i, n)", 480) + "\ntl.store(x, n)")
kernel("row_of_ifs", many("if n == #:\n    tl.store(x + #, n)", 400) + "\ntl.store(x, n)")
kernel("row_of_dots", DOT_OPERAND + many("for i in range(n):\n    m = tl.dot(m, m).to(tl.float16)", 190) + "\ntl.store(x + o, m)")
kernel("row_of_prints", many("tl.device_print('n', n)", 900))
kernel("row_of_atomics", many("n += tl.atomic_add(x + n, 1.0).to(tl.int32)", 1100) + "\ntl.store(x, n)")
kernel("row_of_loads", many("n += tl.load(x + #).to(tl.int32)", 1300) + "\ntl.store(x, n)")
kernel("chain_of_loads", many("n = tl.load(x + n).to(tl.int32)", 1500) + "\ntl.store(x, n)")
kernel("row_of_divisions", many("n = n // (n + #)", 1100) + "\ntl.store(x, n)")
kernel("bounds_of_loads", many("a# = tl.load(x + #).to(tl.int32)", 8) + "\n" +
       many("for i in range(a0):\n" + "".join(f"    a{i} = a{i} * 3 + a{(i + 1) % 8} + i\n" for i in range(8)).rstrip(), 40) +
       "\ntl.store(x, a0)")
kernel("while_carries", "a = n\n" + "".join("  " * i + f"while a > {i}:\n" for i in range(40)) + "  " * 40 + "a -= 1")

kernel("returns_in_loops", "".join("  " * i + f"for i{i} in range(n):\n" + "  " * (i + 1) + f"if n > {i}:\n" + "  " * (i + 2) + "return\n"
                                  for i in range(20)) + "  " * 20 + "tl.store(x, n)")
kernel("breaks_in_loops", "for i in range(n):\n" + "".join(f"    if n == {i}:\n        break\n    if n == -{i}:\n        continue\n"
                                                         for i in range(300)))
kernel("else_of_loops", "".join("  " * i + f"for i{i} in range(n):\n" + "  " * (i + 1) + "n += 1\n" + "  " * i + "else:\n"
                                for i in range(30)) + "  " * 30 + "tl.store(x, n)")
kernel("ifs_nested", "".join(" " * i + f"if n > {i}:\n" for i in range(90)) + " " * 90 + "tl.store(x, n)")
kernel("returns_in_ifs", many("if n == #:\n    return", 3000) + "\ntl.store(x, n)")
kernel("match_many", "match 1:\n" + "".join(f"    case {i}:\n        n += 1\n" for i in range(2, 20000)))
constant("appends", "s = []\nfor i in range(60000):\n    s.append(s)\nreturn len(s)")
constant("extends", "s = [1]\nfor i in range(60000):\n    s.extend(s)\nreturn len(s)")
constant("updates", "d = {}\nfor i in range(60000):\n    d.update({i: d})\nreturn len(d)")
constant("product", "return len(list(itertools.product(range(1000), range(1000), range(1000))))", None, "import itertools\n\n\n")
source("variants", HEAD + "@triton.autotune(configs=[triton.Config({'M': i}) for i in range(200)], key=[])\n"
       "@triton.jit\ndef k(x: '*fp32', M: tl.constexpr):\n    s = tl.load(x + tl.arange(0, 128))\n    for i in tl.static_range(300):\n"
       "        s = s * (i + M) + tl.sin(s)\n    tl.store(x + tl.arange(0, 128), s)\nk.grid = lambda meta: (1,)\n", "each of so many variants")
source("configurations", HEAD + "@triton.autotune(configs=[triton.Config({'B': b}, num_warps=w) for b in range(60000) for w in range(60000)], key=[])\n"
       "@triton.jit\ndef k(x: '*fp32', B: tl.constexpr):\n    tl.store(x, B)\n")

# ---- long sources ----
kernel("lines", many("n += 1", 100000), OPS)
kernel("lines_of_stores", many("tl.store(x + #, n)", 60000), OPS)
kernel("lines_of_names", many("v# = n", 60000), BUDGET)
kernel("lines_of_constants", many("v#: tl.constexpr = #", 60000))
kernel("lines_of_tuples", "t = (n, n)\n" + many("t = (t, t)", 40), PARTS)
kernel("lines_of_ifs", many("if n > #:\n    n += 1", 30000), OPS)
kernel("lines_of_wrong_names", many("wrong#(x)", 60000), "is not defined")
kernel("lines_of_asserts", many("tl.static_assert(#==-1)", 30000))
kernel("lines_of_prints", many("tl.static_print('#')", 60000))
kernel("lines_of_calls", many("f(n)", 60000), None, "@triton.jit\ndef f(v):\n    return v\n\n\n")
kernel("semicolons", ";".join(["n += 1"] * 100000), OPS)
kernel("long_sum", "tl.store(x, " + " + ".join(["n"] * 100000) + ")", "operators deep")
kernel("long_comparison", "tl.store(x, " + " < ".join(["n"] * 50000) + ")")
kernel("long_and", "tl.store(x, " + " and ".join(["n"] * 60000) + ")")
kernel("long_call", "f(" + ", ".join(["n"] * 60000) + ")", None, "@triton.jit\ndef f(*v):\n    return v\n\n\n")
kernel("long_tuple", "t = (" + "1, " * 1000000 + ")")
kernel("long_name", "a" * 5000000 + " = 1\ntl.store(x, n)")
kernel("long_string", 's = "' + "a" * 5000000 + '"\ntl.store(x, n)')
kernel("long_number", "tl.store(x, " + "1" * 1000000 + ")", "does not fit 128 bits")
kernel("long_float", "tl.store(x, 1." + "1" * 1000000 + ")")
kernel("brackets", "t = " + "(" * 100000 + ")" * 100000, "nested brackets")
kernel("minuses", "tl.store(x, " + "-" * 100000 + "n)", "nested more than")
kernel("nots", "tl.store(x, " + "not " * 100000 + "n)", "nested more than")
kernel("powers", "tl.store(x, " + "2 ** " * 100000 + "1)", "nested more than")
kernel("lambdas_in_text", "t = " + "lambda: " * 100000 + "1", "nested more than")
kernel("ternaries", "tl.store(x, " + "1 if n else " * 100000 + "2)", "nested more than")
kernel("attributes", "t = x" + ".T" * 100000, "operators deep")
kernel("subscripts", "t = x" + "[0]" * 100000, "operators deep")
kernel("elifs", "if n == 0:\n    pass\n" + many("elif n == #:\n    pass", 50000))
source("indents", HEAD + "".join(" " * i + "if 1:\n" for i in range(5000)) + " " * 5000 + "pass\n")
source("data", HEAD + "t = [" + "1, " * 3000000 + "]\n\n\n@triton.jit\ndef k(x: '*fp32'):\n    tl.store(x, 1)\n", BUDGET)
source("comments", HEAD + "# a\n" * 3000000 + "@triton.jit\ndef k(x: '*fp32'):\n    tl.store(x, 1)\n")
source("unparsed", HEAD + "a b\n" * 200000 + "@triton.jit\ndef k(x: '*fp32'):\n    tl.store(x, 1)\n")
source("unparsed_kernels", HEAD + "@triton.jit\ndef k(x y):\n    pass\n" * 20000)
source("functions", HEAD + "".join(f"@triton.jit\ndef f{i}(x):\n    tl.store(x, 1)\n\n\n" for i in range(30000)))
source("grids", HEAD + "".join(f"f{i}.grid = (1,)\n" for i in range(8000)) +
       "".join(f"@triton.jit\ndef f{i}(x):\n    tl.store(x, 1)\n\n\n" for i in range(8000)))
source("module_chain", HEAD + "a0 = 1\n" + "".join(f"a{i} = a{i - 1} + 1\n" for i in range(1, 50000)) +
       "@triton.jit\ndef k(x: '*fp32', N: tl.constexpr = a49999):\n    tl.store(x, N)\n", DEEP)
source("module_doubling", HEAD + "a0 = 'a'\n" + "".join(f"a{i} = a{i - 1} + a{i - 1}\n" for i in range(1, 60)) +
       "@triton.jit\ndef k(x: '*fp32', N: tl.constexpr = a59):\n    tl.store(x, 1)\n", PARTS)
source("rebound", HEAD + "a = 1\n" + "a = a + 1\n" * 50000 +
       "@triton.jit\ndef k(x: '*fp32', N: tl.constexpr = a):\n    tl.store(x, N)\n", DEEP)
source("parameters", HEAD + "@triton.jit\ndef k(" + ", ".join(f"p{i}: 'i32'" for i in range(8000)) + "):\n    pass\n")
source("decorators", HEAD + "@triton.jit\n" * 50000 + "def k(x: '*fp32'):\n    tl.store(x, 1)\n")
source("no_newlines", HEAD + "x = " + "'" * 1000001, None)
source("nothing", "\0" * 1000000, None)

# ---- strings, sequences, numbers ----
constant("repeat", "return len('a' * 65536 * 65536)", "a repetition longer than")
constant("repeat_lists", "return len([[[1] * 60000] * 60000] * 60000)", PARTS)
# As deep as a build with sanitizers goes, too: the parts end it.
constant("join_by_plus", "s = 'a' * 60000\nreturn len(s" + " + s" * 900 + ")", PARTS)
constant("format_width", "return len(f'{1:1000000000}')", "is not supported")
constant("format_precision", "return len(f'{1.5:.1000000000f}')", "is not supported")
constant("format_many", "s = 'a' * 60000\nreturn len(f'" + "{s}" * 20000 + "')", PARTS)
constant("format_nested", "s = 'a'\nwhile True:\n    s = f'{s!r}{s!r}'", PARTS)
constant("power_tower", "return 9 ** 9 ** 9 ** 9", "does not fit 128 bits")
constant("shift", "return 1 << 10 ** 30", "does not fit 128 bits")
constant("comprehension", "return len([i for a in range(1000) for b in range(1000) for i in range(1000)])")
constant("comprehension_of_lists", "return len([[0] * 60000 for a in range(60000)])")
constant("spread", "s = [0] * 60000\nreturn len([" + "*s, " * 20000 + "])", PARTS)
constant("zip", "r = range(60000)\nreturn len(list(zip(" + "r, " * 3000 + ")))")
constant("sum_of_lists", "return len(sum([[0] * 1000 for i in range(1000)], []))", PARTS)
constant("equal_lists", "s = [0] * 60000\nt = [0] * 60000\nn = 0\nwhile True:\n    n = n + (s == t)")
constant("in_lists", "s = [0] * 60000\nn = 0\nwhile True:\n    n = n + (1 in s)")
constant("in_strings", "s = 'a' * 60000\nt = 'a' * 30000 + 'b'\nn = 0\nwhile True:\n    n = n + (t in s)")
constant("dicts", "d = {}\nfor i in range(60000):\n    d = {**d, i: i}\nreturn len(d)")
constant("dicts_compared", "d = {i: i for i in range(3000)}\ne = {i: i for i in range(2999, -1, -1)}\n"
         "return sum([1 for j in range(2000) if d == e])", BUDGET)
constant("sorted_backwards", "return sorted(range(60000, 0, -1))[0]", BUDGET)
constant("dict_keys", "d = {i: i for i in range(30000)}\nreturn sum([d[i] for i in range(30000)])")

# ---- tiles ----
kernel("tile_of_tiles", "o = tl.arange(0, 1048576)\n" + many("tl.store(x + o, tl.load(x + o) + #)", 200), VALUES)
kernel("tile_math", "o = tl.arange(0, 1048576)\ntl.store(x + o, tl.sin(tl.exp(tl.load(x + o))))", VALUES)
kernel("tile_huge", "o = tl.arange(0, 2 ** 30)\ntl.store(x + o, 1)", "elements")
kernel("tile_product", "o = tl.arange(0, 65536)\ntl.store(x + o[:, None] + o[None, :], 1)", "elements")
kernel("dot_huge", "o = tl.arange(0, 1024)[:, None] * 1024 + tl.arange(0, 1024)[None, :]\na = tl.load(x + o)\ntl.store(x + o, tl.dot(a, a))", VALUES)
kernel("dot_f64", "o = tl.arange(0, 64)[:, None] * 64 + tl.arange(0, 64)[None, :]\na = tl.load(x + o).to(tl.float64)\n"
       "for i in tl.static_range(8):\n    a = tl.dot(a, a, out_dtype=tl.float64)\ntl.store(x + o, a)")
# Work of real kernels: TorchInductor's sorts, and its unrolled windows.
kernel("window", "o = tl.arange(0, 256)\nv = tl.load(x + o)\nfor i in tl.static_range(40):\n    for j in tl.static_range(40):\n"
       "        w = tl.load(x + o // 16 * 512 + i * 512 + o % 16 + j, mask=o + i * j < n, other=0.0)\n"
       "        v = tl.where(w > v, w, v)\ntl.store(x + o, v)", COMPILES)
kernel("sort_with_index", "o = tl.arange(0, 4)[:, None] * 2048 + tl.arange(0, 2048)[None, :]\n"
       "i = tl.broadcast_to(tl.arange(0, 2048)[None, :].to(tl.int16), [4, 2048])\n"
       "a, b = triton_helpers.sort_with_index(tl.load(x + o), i, None, 1, stable=True)\n"
       "tl.store(x + o, a + b)", COMPILES, "from torch._inductor.runtime import triton_helpers\n\n\n")
kernel("sorts", "o = tl.arange(0, 4096)\ntl.store(x + o, tl.sort(tl.load(x + o)))")
kernel("scans", "o = tl.arange(0, 65536)\nv = tl.load(x + o)\n" + many("v = tl.cumsum(v, 0)", 50) + "\ntl.store(x + o, v)", VALUES)
kernel("transposes", "o = tl.arange(0, 128)[:, None] * 128 + tl.arange(0, 128)[None, :]\nv = tl.load(x + o)\n" +
       many("v = tl.trans(v) + v", 800) + "\ntl.store(x + o, v)", VALUES)

# ---- values at the end of many ways: passes over uses or operands look at each value once ----
ROWS = "i = tl.arange(0, 32)\no = i[:, None] * 32 + i[None, :]\n"
TIMES = "for _ in tl.static_range(0, 40):\n    "
kernel("ways_to_store", ROWS + "z = tl.load(x + o)\n" + TIMES + "z = tl.fma(z, z, z)\ntl.store(x + o, z)", COMPILES)
kernel("ways_to_sum", ROWS + "z = tl.load(x + o * n)\n" + TIMES + "z = z * z + z\ntl.store(x + i, tl.sum(z, 0))", COMPILES)
kernel("ways_to_dot", ROWS + "s = tl.zeros((32, 32), tl.float32)\nfor q in range(0, n, 32):\n    a = tl.load(x + o + q)\n"
       "    for _ in tl.static_range(0, 30):\n        a = tl.fma(a, a, a)\n    b = a.to(tl.float16)\n    s = tl.dot(b, b, s)\n"
       "tl.store(x + o, s)", COMPILES)
kernel("ways_from_place", ROWS + "o = o * n\n" + TIMES + "o = o * o + o - o\ntl.store(x + o, tl.load(x + o + 1))", COMPILES)
kernel("ways_from_poll", "v = 0.0\nwhile v == 0.0:\n    h = n\n    for _ in tl.static_range(0, 40):\n        h = h ^ (h << 3)\n"
       "    v = tl.load(x + (h & 15))\ntl.store(x, v)", COMPILES)
