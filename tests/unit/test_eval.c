// Constant evaluation, without IR: Python's operators on integers, floats, strings, tuples and dicts, plain
// functions, and the C text of grid expressions. Each case is an expression and the str() of its value; "!"
// marks an expected error.
#include "testing.h"
#include "frontend/builtin/table.h"
#include "frontend/kernel.h"
#include "frontend/semantics/language.h"

struct fixture {
    struct arena *arena;
    struct diag diag;
    struct frontend frontend;
    struct emitter emitter;
    struct scope scope;
    struct call_frame frame;
};

static void swallow(void *user, enum diag_severity severity, const char *text) {
    (void)user, (void)severity, (void)text;
}

static const char module_text[] =
    "import math\n"
    "import triton\n"
    "import triton.language as tl\n"
    "def fib(n):\n"
    "    a, b = 0, 1\n"
    "    for i in range(n):\n"
    "        a, b = b, a + b\n"
    "    return a\n"
    "def defaults(a, b=2, *rest, c=3, **more):\n"
    "    return (a, b, rest, c, more)\n"
    "def search(values, wanted):\n"
    "    for i in range(len(values)):\n"
    "        if values[i] == wanted:\n"
    "            return i\n"
    "    return None\n"
    "@triton.jit\n"
    "def in_kernel():\n"
    "    same = (1, 2) == [1, 2], (1, [2]) != [1, (2,)], (1,) in [[1]]\n"
    "    return same + (isinstance([], tuple), [[1] == (1,) for i in (0,)][0])\n"
    "import torch\n"
    "import importlib.util\n"
    "from itertools import product\n"
    "from packaging import version\n"
    "def configs(small):\n"
    "    found = []\n"
    "    for block, warps in product([32, 64], (1, 2)):\n"
    "        options = dict(BLOCK=block)\n"
    "        options['STEP'] = block // 2\n"
    "        found.append(triton.Config(options, num_warps=warps))\n"
    "    found.extend([triton.Config({'BLOCK': 8})])\n"
    "    if small:\n"
    "        found = list(filter(lambda c: c.kwargs['BLOCK'] < 64, found))\n"
    "    return found\n"
    "if torch.unknown:\n"
    "    DEVICE = 'body'\n"
    "else:\n"
    "    DEVICE = 'else'\n"
    "if torch.unknown:\n"
    "    import missing as device_module\n"
    "else:\n"
    "    import math as device_module\n"
    "TABLE = {'a': 1, 'b': [1, 2, 3]}\n"
    "N = tl.constexpr(16)\n"
    "if N > 8:\n"
    "    SIZE = 'big'\n"
    "else:\n"
    "    SIZE = 'small'\n"
    "LEVEL = 4\n"
    "DOUBLED = LEVEL * 2\n"
    "def at_level(x=LEVEL):\n"
    "    return (x, LEVEL)\n"
    "LEVEL = 8\n"
    "BEFORE = at_level()\n"
    "LEVEL += 1\n"
    "FOUND = []\n"
    "for w in (2, 4):\n"
    "    if w > LEVEL - 100:\n"
    "        FOUND.append(w)\n"
    "EARLIER = len(FOUND)\n"
    "FOUND += [8]\n"
    "OPTIONS = {'a': 1}\n"
    "OPTIONS['b'] = 2\n"
    "SHARED = []\n"
    "OTHER = SHARED\n"
    "SHARED.append(1)\n"
    "if LEVEL == 9:\n"
    "    CHOICE = 'nine'\n"
    "elif LEVEL > 1:\n"
    "    CHOICE = 'more'\n"
    "if LEVEL > 100:\n"
    "    if LEVEL > 1:\n"
    "        INNER = 'wrong'\n"
    "else:\n"
    "    INNER = 'right'\n"
    "HOSTED = 4\n"
    "HOSTED = torch.unknown\n"
    "def aliased():\n"
    "    x = []\n"
    "    y = x\n"
    "    y.append(1)\n"
    "    return x\n"
    "def copied():\n"
    "    x = []\n"
    "    y = list(x)\n"
    "    y.append(1)\n"
    "    return (x, y)\n"
    "def filled(x):\n"
    "    x.append(1)\n"
    "def passes_on():\n"
    "    x = []\n"
    "    filled(x)\n"
    "    return x\n"
    "def sets_global():\n"
    "    global LEVEL\n"
    "    LEVEL = 3\n"
    "    return LEVEL\n"
    "def reads_global():\n"
    "    global LEVEL\n"
    "    return LEVEL\n"
    "def tried(text):\n"
    "    found, number = False, -1\n"
    "    try:\n"
    "        number = int(text)\n"
    "        found = True\n"
    "    except ValueError:\n"
    "        pass\n"
    "    return (found, number)\n"
    "def handled(text):\n"
    "    try:\n"
    "        number = int(text)\n"
    "    except KeyError:\n"
    "        number = -1\n"
    "    except ValueError:\n"
    "        number = -2\n"
    "    return number\n"
    "def grows_in_loop():\n"
    "    x = [1]\n"
    "    for i in x:\n"
    "        if len(x) < 4:\n"
    "            x.append(i)\n"
    "    return len(x)\n"
    "def grows_beside_copy():\n"
    "    x = [1, 2]\n"
    "    for i in list(x):\n"
    "        x.append(i)\n"
    "    for i in x:\n"
    "        y = [i]\n"
    "        y.append(i)\n"
    "    x.append(3)\n"
    "    return x\n"
    "def deletes():\n"
    "    x = [1, 2]\n"
    "    del x[0]\n"
    "    return x\n"
    "def counts():\n"
    "    y = 0\n"
    "    parts = [(y := y + i) for i in range(4)]\n"
    "    return (y, parts)\n"
    "def matched(x):\n"
    "    match x:\n"
    "        case None | True:\n"
    "            return 'singleton'\n"
    "        case 1:\n"
    "            return 'one'\n"
    "        case [a, *rest, b]:\n"
    "            return (a, rest, b)\n"
    "        case (*all,):\n"
    "            return all\n"
    "    return 'other'\n"
    "POPPED = [1, 2]\n"
    "last = POPPED.pop()\n"
    "FILLED = []\n"
    "[FILLED.append(i) for i in range(3)]\n"
    "HELPED = []\n"
    "filled(HELPED)\n"
    "KEPT = [1]\n"
    "copied_of = list(KEPT)\n"
    "print(KEPT)\n"
    "search(KEPT, 1)\n"
    "SPREAD = [1, 2]\n"
    "SPREAD[0], other = 3, 4\n"
    "LOOPED = [1, 2]\n"
    "for LOOPED[1] in (5, 6):\n"
    "    pass\n"
    "DELETED = [1, 2]\n"
    "del DELETED[0]\n"
    "SEEN = [1]\n"
    "ALIAS = SEEN\n"
    "ALIAS.append(2)\n"
    "def closures():\n"
    "    made = [lambda x, i=i: x + i for i in range(3)]\n"
    "    return [f(1) for f in made]\n";

static int set_up(void **state) {
    struct fixture *f = test_calloc(1, sizeof *f);
    f->arena = arena_create();
    f->diag.sink = swallow;
    f->frontend = (struct frontend){.arena = f->arena, .diag = &f->diag};
    f->frontend.program = program_create(f->arena, &f->diag, builtin_table);
    struct file_scope *file =
        program_add_source(f->frontend.program, source_from_text(f->arena, "test.py", module_text), NULL);
    f->emitter = program_emitter(f->frontend.program);
    f->frame = (struct call_frame){.file = file, .scope = &f->scope};
    f->emitter.frame = &f->frame;
    *state = f;
    return file ? 0 : 1;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    arena_destroy(f->arena);
    test_free(f);
    return 0;
}

static const char *evaluate(struct fixture *f, const char *text) {
    const struct expr *expr = frontend_parse_expression(&f->frontend, text, "test");
    struct value v = expr ? eval(&f->emitter, expr) : value_error();
    return value_failed(v) ? "!" : value_text(f->arena, v);
}

struct test_case {
    const char *text, *expected;
};

static void check(struct fixture *f, const struct test_case *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char *found = evaluate(f, cases[i].text);
        if (strcmp(found, cases[i].expected) != 0) {
            print_error("%s gives %s\n", cases[i].text, found);
        }
        assert_string_equal(found, cases[i].expected);
    }
}
#define CHECK(state, cases) check(*(state), cases, sizeof(cases) / sizeof *(cases))

static void test_integers(void **state) {
    static const struct test_case cases[] = {
        {"7 // 2", "3"},
        {"-7 // 2", "-4"},
        {"7 // -2", "-4"},
        {"-7 % 3", "2"},
        {"7 % -3", "-2"},
        {"2 ** 100", "1267650600228229401496703205376"},
        {"2 ** 127", "!"},
        {"2 ** -1", "0.5"},
        {"1 << 70", "1180591620717411303424"},
        {"-1 >> 5", "-1"},
        {"~5", "-6"},
        {"6 & 3 | 8 ^ 1", "11"},
        {"1 // 0", "!"},
        {"1 << -1", "!"},
        {"True + True", "2"},
        {"True & False", "False"},
        {"-(-7 // 2)", "4"},
        {"0x10 + 0b11 + 0o7", "26"},
        {"5 / 2", "2.5"},
        {"10**18 * 10**18", "1000000000000000000000000000000000000"},
        {"10**38 * 10", "!"},
        {"abs(-3)", "3"},
        {"min(3, 1, 2)", "1"},
        {"max([4, 9])", "9"},
        {"sum(range(5))", "10"},
        {"max(float('nan'), 1), max(1, float('nan')), min(float('nan'), 1), min([1, float('nan'), 0])",
         "(nan, 1, nan, 0)"},
        {"max(1, 1.0), max(1.0, 1), min(True, 1), max(0.0, -0.0), min(-0.0, 0)", "(1, 1.0, True, 0.0, -0.0)"},
    };
    CHECK(state, cases);
}

static void test_floats(void **state) {
    static const struct test_case cases[] = {
        {"0.1 + 0.2", "0.30000000000000004"},
        {"1e10", "10000000000.0"},
        {"1e16 + 4", "1.0000000000000004e+16"},
        {"9999999999999998.0, 1e16, 123456.789, 100.0", "(9999999999999998.0, 1e+16, 123456.789, 100.0)"},
        {"1e-4, 0.00012, 1e-5, -0.0, 5e-324, -1e300", "(0.0001, 0.00012, 1e-05, -0.0, 5e-324, -1e+300)"},
        {"2.0 ** -44, 9007199254740993.0, 1e22", "(5.684341886080802e-14, 9007199254740992.0, 1e+22)"},
        {"7.5 // 2", "3.0"},
        {"-7.5 % 2", "0.5"},
        {"-5.0 // float('inf'), 5.0 // float('inf'), 1.0 // 0.1, -1.0 // 0.1", "(-1.0, 0.0, 9.0, -10.0)"},
        {"float('-inf')", "-inf"},
        {"1.0 / 0", "!"},
        {"int(3.9)", "3"},
        {"2 ** 0.5 > 1.41", "True"},
        {"math.sqrt(16)", "4.0"},
        {"math.ceil(1.2)", "2"},
        {"float('nan') == float('nan')", "False"},
        {"1.5 & 1", "!"},
        {"round(2.5)", "2"},
    };
    CHECK(state, cases);
}

static void test_comparisons(void **state) {
    static const struct test_case cases[] = {
        {"1 < 2 < 3", "True"},
        {"1 < 2 > 3", "False"},
        {"2**53 + 1 == 2.0**53, 2**53 + 1 > 2.0**53, 2.0**53 < 2**53 + 1, 2**53 == 2.0**53",
         "(False, True, True, True)"},
        {"2 < 2.5, -2 > -2.5, 3 > 2.5, 10**38 < 1e300, -10**38 > float('-inf'), 1 < float('nan')",
         "(True, True, True, True, True, False)"},
        {"3 < 2 < undefined", "False"},
        {"1 < 2 < undefined", "!"},
        {"1 < 3 > 2 != 1 // 0", "!"},
        {"1 in (1,) == (1,) is not None", "True"},
        {"3 == 4 in 5", "False"},
        {"1 == 1.0", "True"},
        {"(1, 2) == [1, 2], (1, 2) != [1, 2], [1, (2,)] == [1, [2]], [1, 2] == [1.0, 2]",
         "(False, True, False, True)"},
        {"(1,) in [[1]], [1] in ([1],), isinstance([], tuple), isinstance([], (tuple, list))",
         "(False, True, False, True)"},
        {"in_kernel()", "(True, False, True, True, True)"},
        {"'a' < 'b'", "True"},
        {"(1, 2) < (1, 3)", "True"},
        {"2 in (1, 2)", "True"},
        {"'x' not in 'abc'", "True"},
        {"None is None", "True"},
        {"1 is not None", "True"},
        {"tl.float16 == tl.float16", "True"},
        {"tl.float16 != tl.float32", "True"},
        {"'a' < 1", "!"},
        {"not 0 and 5", "5"},
        {"0 or 'x'", "x"},
        {"1 if 2 > 1 else undefined", "1"},
        {"undefined", "!"},
    };
    CHECK(state, cases);
}

static void test_sequences(void **state) {
    static const struct test_case cases[] = {
        {"(1, 2) + (3,)", "(1, 2, 3)"},
        {"[1] * 3", "[1, 1, 1]"},
        {"(1, 2, 3)[-1]", "3"},
        {"(1, 2, 3)[3]", "!"},
        {"(1, 2, 3, 4)[1:3]", "(2, 3)"},
        {"(1, 2, 3)[::-1]", "(3, 2, 1)"},
        {"'abc' 'def'", "abcdef"},
        {"'abc'[1]", "b"},
        {"TABLE['b'][2]", "3"},
        {"TABLE['c']", "!"},
        {"TABLE.get('c', 7)", "7"},
        {"len(TABLE)", "2"},
        {"[i * j for i in range(3) for j in (1, 2) if i != 1]", "[0, 0, 2, 4]"},
        {"{k: v for k, v in (('a', 1), ('b', 2))}", "{'a': 1, 'b': 2}"},
        {"tuple(range(0, 6, 2))", "(0, 2, 4)"},
        {"[*range(2), 5]", "[0, 1, 5]"},
        {"{**TABLE, 'a': 9}['a']", "9"},
        {"{1: 'a', 2: 'b', True: 'c'}, len({**TABLE, 'a': 9}), dict(dict(a=1, b=2), a=3)",
         "({1: 'c', 2: 'b'}, 2, {'a': 3, 'b': 2})"},
        {"{k % 2: k for k in range(5)}", "{0: 4, 1: 3}"},
        {"len({1, 2, 2}), len({1, 1.0, True, *[1, 2]}), sorted({3, 1, 3}), len({i % 3 for i in range(9)})",
         "(2, 2, [1, 3], 3)"},
        {"{1, 2} == {2, 1} != (1, 2) and {1} < {1, 2} <= {2, 1} and not {3} <= {1, 2} and {1, 2} > {2}",
         "True"},
        {"{1, 2} < {1, 2} or {1} == {2} or isinstance({1}, tuple) or {(1, 2)} == {(2, 1)}", "False"},
        {"{1} < (1, 2)", "!"},
        {"{1} + {2}", "!"},
        {"{1, 2}, {3}", "({1, 2}, {3})"},
        {"list(zip((1, 2), 'a' 'b' == 'ab' and (3, 4)))", "[(1, 3), (2, 4)]"},
        {"[(i, v) for i, v in enumerate((7, 8))]", "[(0, 7), (1, 8)]"},
    };
    CHECK(state, cases);
}

static void test_strings(void **state) {
    static const struct test_case cases[] = {
        {"f'{1 + 1} {N} {\"x\"!r}'", "2 16 'x'"},
        {"f'{3:04d}|{2.5:.2f}|{255:x}'", "0003|2.50|ff"},
        {"len(f'{1:1000}'), len(f'{1.0:2000f}')", "(1000, 2000)"},
        {"f'{2**70:x}|{-1:x}|{-255:#^8X}|{-5:b}|{8:o}'", "400000000000000000|-1|##-FF###|-101|10"},
        {"f'{1.0:%}|{0.125:.1%}|{-0.5:e}|{1e300:g}|{3:f}'",
         "100.000000%|12.5%|-5.000000e-01|1e+300|3.000000"},
        {"f'{5:<4}|{5:>4}|{5:^4}|{-5:=5}|{5:+}|{5: d}|{True:3}'", "5   |   5| 5  |-   5|+5| 5|  1"},
        {"f'{float(\"inf\"):06f}|{float(\"nan\"):5}|{-0.0:.1f}|{1.5:8}|{0.1}'",
         "000inf|  nan|-0.0|     1.5|0.1"},
        {"f'{\"ab\":5}|{\"ab\":>5}|{\"abc\":.2}|{\"\u00fc\":*^3}|{\"a\"!r:>5}'",
         "ab   |   ab|ab|*\u00fc*|  'a'"},
        {"'a\\0b' < 'a\\0c', '\\0x' in 'a\\0b', 'b' in 'a\\0b'", "(True, False, True)"},
        {"f'{\"a\\r\\x00\\t\"!r}'", "'a\\r\\x00\\t'"},
        {"f'{N=}'", "N=16"},
        {"'a' + 'b' * 2", "abb"},
        {"str(tl.float16), str(tl.int32), str(tl.uint8), str(tl.int1), str(tl.bfloat16), str(tl.void)",
         "('fp16', 'int32', 'uint8', 'int1', 'bf16', 'void')"},
        {"f'{tl.int64} {tl.float8e4nv} {tl.pointer_type(tl.float32)} {tl.pointer_type(tl.int32)!r}'",
         "int64 fp8e4nv pointer<fp32> pointer<int32>"},
        {"f'{tl.float32!r} {(tl.bfloat16, tl.int8)}'",
         "triton.language.float32 (triton.language.bfloat16, triton.language.int8)"},
        {"'fp16'.startswith('fp')", "True"},
        {"(64).bit_length() - 1, N.bit_length(), (0).bit_length(), (-5).bit_length(), True.bit_length()",
         "(6, 5, 0, 3, 1)"},
        {"(2**64).bit_length(), (255).bit_count(), (-7).bit_count(), (0).bit_count()", "(65, 8, 3, 0)"},
        {"(1.5).bit_length()", "!"},
    };
    CHECK(state, cases);
}

static void test_dtypes(void **state) {
    static const struct test_case cases[] = {
        {"tl.int8.primitive_bitwidth", "8"},
        {"tl.bfloat16.is_floating()", "True"},
        {"tl.uint32.is_int_unsigned()", "True"},
        {"tl.int1.is_int_signed()", "False"},
        {"tl.float32.fp_mantissa_width", "23"},
        {"tl.pointer_type(tl.float16).is_ptr()", "True"},
        {"tl.pointer_type(tl.float16).element_ty == tl.float16", "True"},
        {"tl.dtype('fp8e5') == tl.float8e5", "True"},
        {"tl.int16.get_int_max_value()", "32767"},
        {"tl.load", "builtin tl.load"},
        {"tl.load(1)", "!"},
    };
    CHECK(state, cases);
}

static void test_functions(void **state) {
    static const struct test_case cases[] = {
        {"fib(30)", "832040"},
        {"defaults(1)", "(1, 2, (), 3, {})"},
        {"defaults(1, 5, 6, 7, c=8, d=9)", "(1, 5, (6, 7), 8, {'d': 9})"},
        {"defaults()", "!"},
        {"defaults(1, a=2)", "!"},
        {"(lambda x, y=3: x * y)(2)", "6"},
        {"(lambda f: f(f(2)))(lambda x: x * x)", "16"},
        {"search((4, 5, 6), 6)", "2"},
        {"search((4, 5, 6), 7)", "None"},
        {"SIZE", "big"},
        {"triton.cdiv(10, 4)", "3"},
        {"triton.next_power_of_2(100)", "128"},
        {"triton.next_power_of_2(0)", "0"},
        {"triton.next_power_of_2(-5)", "0"},
        {"triton.next_power_of_2(2**62 + 1)", "9223372036854775808"},
    };
    CHECK(state, cases);
}

static void test_symbols(void **state) {
    struct fixture *f = *state;
    scope_set(&f->emitter, &f->scope, "n", value_symbol("n"));
    scope_set(&f->emitter, &f->scope, "m", value_symbol("m"));
    static const struct test_case cases[] = {
        {"n * 1 + 0", "n"},
        {"triton.cdiv(n, 64)", "tkc_cdiv(n, 64)"},
        {"triton.cdiv(n, m) * 2", "tkc_mul(tkc_cdiv(n, m), 2)"},
        {"triton.cdiv(n + m, m)", "tkc_cdiv(tkc_add(n, m), m)"},
        {"(n + 63) // 64", "tkc_cdiv(n, 64)"},
        {"(n + 63) % 64", "tkc_mod(tkc_add(n, 63), 64)"},
        {"-(-n // 8)", "tkc_neg(tkc_floordiv(tkc_neg(n), 8))"},
        {"-(n // -8)", "tkc_neg(tkc_floordiv(n, -8))"},
        {"min(n, 1024)", "tkc_min(n, 1024)"},
        {"abs(n - m)", "tkc_abs(tkc_sub(n, m))"},
        {"n % 3", "tkc_mod(n, 3)"},
        {"1 if n > 4 and m <= 2 else m", "tkc_choose(tkc_and(tkc_lt(4, n), tkc_le(m, 2)), 1, m)"},
        {"1 if 0 < n < m else 2", "tkc_choose(tkc_and(tkc_lt(0, n), tkc_lt(n, m)), 1, 2)"},
        {"1 if 1 < 2 < n < m else 2", "tkc_choose(tkc_and(tkc_lt(2, n), tkc_lt(n, m)), 1, 2)"},
        {"1 if 0 < n > 2 > 3 > undefined else 2", "2"},
        {"1 if not n == m else 2", "tkc_choose(tkc_not(tkc_eq(n, m)), 1, 2)"},
        {"n and 4", "tkc_and(n, 4)"}, // the value of one of them, as in Python
        {"n or 4", "tkc_or(n, 4)"},
        {"4 and n", "n"},
        {"0 or n", "n"},
        {"n << 2 | m & ~n ^ 1", "tkc_bit_or(tkc_shl(n, 2), tkc_bit_xor(tkc_bit_and(m, tkc_invert(n)), 1))"},
        {"n / 2", "!"},
        {"n ** 2", "!"},
        {"n // 0", "!"},
        {"n % 1", "tkc_mod(n, 1)"},
        {"n + 2**40", "tkc_add(n, 1099511627776LL)"},
        {"n + (2**63 - 1)", "tkc_add(n, 9223372036854775807LL)"},
        {"n + 2**63", "!"},
        {"n - 2**63", "!"},
        {"n + -2**63", "!"},
        {"max(n, 2**64)", "!"},
        {"n < 2**70", "!"},
        {"n if n > 1 else 2**64", "!"},
        {"n in (2, 5)", "!"}, // known only at launch, like the next ones
        {"n not in {2: 1}", "!"},
        {"(n, 1) == (2, 1)", "!"},
        {"n == 2.0", "!"},
        {"len({n, m})", "!"},
        {"{n: 1, 2: 3}", "!"},
        {"{'a': n} != {'a': 2}", "!"},
        {"{2: 3}.get(n, 4)", "!"},
        {"sorted([n, m])", "!"},
        {"{n} == {2}", "!"},
        {"{n} <= {1, 2}", "!"},
        {"str(n)", "!"},
        {"f'{[n]}'", "!"},
        {"(n, 1) == (2, 3) or n == 'n' or n in ('n', None) or n is None", "False"},
        {"len({n, n}) + {'n': 3}.get('n', 4) + {'m': 1}.get(n, 5)", "9"},
        {"isinstance(n, int) and not isinstance(n, (bool, str))", "True"},
    };
    CHECK(state, cases);
}

// Queries of host code about its machine (here without a chip: sm_80 instead), and its construction of
// configurations.
static void test_host(void **state) {
    static const struct test_case cases[] = {
        {"torch.finfo(torch.float16).max", "65504.0"},
        {"torch.finfo(torch.bfloat16).eps", "0.0078125"},
        {"torch.finfo(torch.float32).tiny == 2**-126", "True"},
        {"torch.finfo(torch.float64).min == -(2 - 2**-52) * 2.0**1023", "True"},
        {"torch.finfo(torch.float8_e4m3fn).max", "448.0"},
        {"torch.finfo(torch.float8_e5m2).max", "57344.0"},
        {"torch.finfo(torch.float8_e4m3fnuz).max", "240.0"},
        {"torch.finfo(tl.float8e5b16).min", "-57344.0"},
        {"torch.finfo(torch.int8)", "!"},
        {"(torch.iinfo(torch.int8).min, torch.iinfo(torch.uint8).max)", "(-128, 255)"},
        {"torch.iinfo(torch.float32)", "!"},
        {"torch.half == tl.float16 and torch.long == tl.int64 and torch.bool == tl.int1", "True"},
        {"torch.version.hip is None and torch.version.cuda is not None", "True"},
        {"triton.runtime.driver.active.get_current_target().backend", "cuda"},
        {"triton.runtime.driver.active.get_current_target().arch", "80"},
        {"torch.cuda.get_device_capability()", "(8, 0)"},
        {"torch.cuda.get_device_capability(0)[0] >= 9", "False"},
        {"version.parse(triton.__version__) >= version.parse('3.2')", "True"},
        {"version.parse('2.10.1+git') < version.Version('2.9')", "False"},
        {"version.parse('3.8') < version.parse(triton.__version__) <= version.parse('3.9')", "True"},
        {"version.parse('3.6') == version.parse('v3.6.0.0') != version.parse('3.60')", "True"},
        {"[version.parse('3.6.0' + s) < version.parse('3.6') for s in ('rc1', 'a0+git', '.dev20250401', "
         "'.post1', '+git')]",
         "[True, True, True, False, False]"},
        {"version.parse('3.5.9') < version.parse('3.6.0.dev1') < version.parse('3.6.0a9') < "
         "version.parse('3.6rc1')",
         "True"},
        {"version.parse('3.6') < version.parse('3.6.post1') < version.parse('3.6.0.1')", "True"},
        {"version.parse('latest')", "!"},
        {"version.parse('3.6 or so')", "!"},
        {"importlib.util.find_spec('triton') is not None or importlib.util.find_spec('other') is None",
         "True"},
        {"importlib.util.find_spec('other')", "!"},
        {"importlib.util.find_spec('triton.other')", "!"},
        {"getattr(importlib.util.module_from_spec(importlib.util.find_spec('triton.language.math')), "
         "'rsqrt') is "
         "None or importlib.util.find_spec('triton').loader.exec_module(1)",
         "None"},
        {"importlib.util.module_from_spec(1)", "!"},
        {"len(configs(False))", "5"},
        {"[(c.kwargs['BLOCK'], c.num_warps) for c in configs(True)]", "[(32, 1), (32, 2), (8, 4)]"},
        {"configs(False)[3].kwargs['STEP']", "32"},
        {"list(product([1, 2], 'a'))", "!"},
        {"sorted([3, 1, 2], reverse=True)", "[3, 2, 1]"},
        {"sorted(['bb', 'a', 'cc'], key=len)", "['a', 'bb', 'cc']"},
        {"list(map(lambda x: x * x, range(3)))", "[0, 1, 4]"},
        {"dict(TABLE, c=5)['c'] + len(dict())", "5"},
        {"isinstance(TABLE, dict)", "True"},
        {"({1: 2, 'b': (3,)} == {'b': (3.0,), True: 2.0}, {1: 2} == {2: 1}, {1: 2} == {1: 2, 3: 4})",
         "(True, False, False)"},
        {"DEVICE", "body"},               // the host decides: the body is tried first,
        {"device_module.pi > 3", "True"}, // a value usable in kernels is preferred
    };
    CHECK(state, cases);
}

// A name has its value at the place of use; statements that change it are run, or refused.
static void test_module(void **state) {
    static const struct test_case cases[] = {
        {"DOUBLED", "8"},
        {"(BEFORE, at_level())", "((4, 8), (4, 9))"},
        {"LEVEL", "9"},
        {"(EARLIER, FOUND)", "(2, [2, 4, 8])"},
        {"OPTIONS", "{'a': 1, 'b': 2}"},
        {"SHARED", "[1]"},
        {"OTHER", "!"},
        {"(CHOICE, INNER)", "('nine', 'right')"},
        {"HOSTED", "torch.unknown"},
        {"aliased()", "!"},
        {"copied()", "([], [1])"},
        {"passes_on()", "!"},
        {"sets_global()", "!"},
        {"reads_global()", "9"},
        {"closures()", "[1, 2, 3]"},
        {"(tried('7'), tried('seven'))", "((True, 7), (False, -1))"},
        {"handled('7')", "7"},
        {"handled('seven')", "!"},
        {"grows_in_loop()", "!"},
        {"grows_beside_copy()", "[1, 2, 1, 2, 3]"},
        {"deletes()", "!"},
        {"counts()", "(6, [0, 1, 3, 6])"},
        {"matched(1), matched(True), matched(None), matched(2), matched(())",
         "('one', 'singleton', 'singleton', 'other', [])"},
        {"matched((1, 2)), matched([1, 2, 3, 4]), matched([5])", "((1, [], 2), (1, [2, 3], 4), [5])"},
        {"POPPED", "!"},
        {"FILLED", "!"},
        {"HELPED", "!"},
        {"KEPT", "[1]"},
        {"SPREAD", "[3, 2]"},
        {"LOOPED", "[1, 6]"},
        {"DELETED", "!"},
        {"SEEN", "!"},
    };
    CHECK(state, cases);
}

// What Triton 3.10 has announced: rows that do not hold yet.
static void test_announced(void **state) {
    struct fixture *f = *state;
    struct file_scope *file = f->frontend.program->files[0];
    assert_int_equal(file->language, LANGUAGE_NEWEST);
    assert_true(frontend_contracts(&f->frontend));
    assert_false(language_has(&f->emitter, LANGUAGE_NO_REORDERING));
    file->language = f->emitter.language = 10;
    assert_false(frontend_contracts(&f->frontend));
    assert_true(language_has(&f->emitter, LANGUAGE_NO_REORDERING));
    unsigned version = 0;
    assert_false(language_parse("3.10", &version));
    assert_true(language_parse("3.7", &version));
    assert_int_equal(version, 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_integers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_floats, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_comparisons, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sequences, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_strings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_dtypes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_functions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_host, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_symbols, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_module, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_announced, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
