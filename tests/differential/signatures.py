"""What a launch of a kernel might be: types of its parameters and values of its constants, from the kernel and its host code.

A parameter that loads and stores reach by adding offsets is a pointer; what it points to follows from its name and from what
becomes of the elements (an index into another array is an integer). A constant has the value of a tuned configuration, of a
launch in the same file, of its default, or one that its name suggests. What stays open is a choice: candidates() lists
combinations, likely ones first, and the caller asks a compiler which of them is a program.
"""
import ast
import itertools
import re

ACCESSES = ("load", "store", "atomic_add", "atomic_max", "atomic_min", "atomic_cas", "atomic_xchg", "atomic_and", "atomic_or",
            "atomic_xor", "make_block_ptr", "make_tensor_descriptor", "_experimental_make_tensor_descriptor", "max_contiguous")
INTEGERS = re.compile(r"idx|index|indice|indptr|(^|_)ids?(_|$|ptr)|table|len|offset|offs(_|$)|(^|_)loc|count|num|cu_|start|(^|_)end|map|slot|page|perm|"
                      r"expert|position|label|target|seed|lock|cnt|sorted|token_id|block_m|kv_ind|req|chunk_|segment|split|range|rank", re.I)
FLOATS = re.compile(r"scale|lse|norm|rstd|mean|(^|_)m(_|$|ptr)|(^|_)l(_|$|ptr)|sum|max|var|loss|delta|amax|absmax|weight_s", re.I)
REALS = re.compile(r"eps|scale|alpha|beta(_|$)|(^|_)lr(_|$)|dropout_p|^p$|p_dropout|momentum|softcap|cap$|slope|smoothing|factor|decay|gamma|theta|limit|"
                   r"fp8_max|fp8_min|_max$|_min$|qmax|temperature|inv_|prob|^base$|lambda|clamp", re.I)
BYTES = re.compile(r"mask|bool|flag", re.I)
TYPES = re.compile(r"dtype|_type$|TYPE$|_ty$", re.I)
FLAGS = re.compile(r"^(IS|HAS|USE|ENABLE|DO|WITH|APPLY|RETURN|STORE|ALLOW|NEED|SAVE|ADD|FUSE|NORM|CAUSAL|EVEN|TRANS|BIAS)(_|$)|causal|^is_|^has_|^use_|bias$|EVEN|"
                   r"_flag|enable|masked|transpose|varlen|VARLEN", re.I)
SMALL = re.compile(r"SPLIT|STAGE|UNROLL|ITERS|XCD|CU|NUM|TOP_?K|RATIO|GQA|N_?HEADS?$|(^|_)H[QK]?V?$|REPEAT|STEPS|BATCH|world|rank|^B$|REMAINDER|WAYS", re.I)


# ---- parameters that are pointers ----


def base_of(node, bound, seen=frozenset()):
    """The name at the bottom of a sum of a pointer and offsets, or None."""
    if isinstance(node, ast.Name):
        if node.id in seen:
            return None
        for value in bound.get(node.id, ()):
            base = base_of(value, bound, seen | {node.id})
            if base:
                return base
        return node.id if node.id not in bound else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        left = base_of(node.left, bound, seen)
        return left if left and not plain_number(left, bound) else base_of(node.right, bound, seen) or left
    if isinstance(node, (ast.Subscript, ast.Starred)):
        return base_of(node.value, bound, seen)
    if isinstance(node, ast.IfExp):
        return base_of(node.body, bound, seen) or base_of(node.orelse, bound, seen)
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr == "to":
            return base_of(node.func.value, bound, seen)
        return base_of(node.args[0], bound, seen) if node.args and is_language(node.func, ("multiple_of", "cast", "broadcast_to", "advance", *ACCESSES)) else None
    return None


def plain_number(name, bound):
    return bool(re.search(r"stride|pid|off", name))


def is_language(function, names):
    return isinstance(function, ast.Attribute) and function.attr in names and ast.unparse(function.value) in ("tl", "triton.language", "language", "libdevice")


def assignments(function):
    """{name: [expressions it was given]}"""
    bound = {}
    for node in ast.walk(function):
        pairs = []
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs += zip(target.elts, node.value.elts)
                else:
                    pairs.append((target, node.value))
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            pairs.append((node.target, node.value))
        for target, value in pairs:
            if isinstance(target, ast.Name):
                bound.setdefault(target.id, []).append(value)
    return bound


def parameters(function):
    return [a.arg for a in function.args.posonlyargs + function.args.args + function.args.kwonlyargs]


def access_of(call, helpers, depth):
    """The pointer expressions of a call: of a load or store, or handed to a helper that loads or stores through them."""
    if is_language(call.func, ACCESSES):
        named = [k.value for k in call.keywords if k.arg in ("pointer", "base")]
        return call.args[:1] or named
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    helper = helpers.get(name)
    if helper is None or depth > 4:
        return []
    inner, names = pointers(helper, helpers, depth + 1)[0], parameters(helper)
    return [a for n, a in zip(names, call.args) if n in inner] + [k.value for k in call.keywords if k.arg in inner]


def base_bindings(function):
    """assignments(), without those that move a parameter: p = p + offset."""
    names = set(parameters(function))
    return {n: v for n, v in assignments(function).items() if n not in names}


def pointers(function, helpers, depth=0):
    """-> (pointers, descriptors, pointers to integers) among a function's parameters."""
    bound, names = base_bindings(function), set(parameters(function))
    found, described = set(), set()
    for call in (n for n in ast.walk(function) if isinstance(n, ast.Call)):
        found |= {base_of(expression, bound) for expression in access_of(call, helpers, depth)}
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("load", "store", "gather", "scatter") and isinstance(call.func.value, ast.Name):
            described.add(call.func.value.id)
    used, loads = used_in_addresses(function, helpers, depth)
    integers = {base for name in used for base in loads.get(name, ()) if base}
    return found & names, (described & names) - found, integers & names


def used_in_addresses(function, helpers, depth=0):
    """-> (names that become part of an address or of the bounds of a loop, {name: bases of the loads that it comes from})"""
    bound, loads, used, queue = base_bindings(function), {}, set(), []
    for name, value in ((n, v) for n, values in bound.items() for v in values):
        for call in (n for n in ast.walk(value) if isinstance(n, ast.Call) and is_language(n.func, ("load",)) and n.args):
            loads.setdefault(name, set()).add(base_of(call.args[0], bound))
    for node in ast.walk(function):
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Call):
            queue += node.iter.args
        elif isinstance(node, ast.Call):
            queue += access_of(node, helpers, depth)
            helper = helpers.get(node.func.id) if isinstance(node.func, ast.Name) and depth < 4 else None
            if helper:
                inner = used_in_addresses(helper, helpers, depth + 1)[0]
                queue += [a for n, a in zip(parameters(helper), node.args) if n in inner]
    while queue:
        for name in (n.id for n in ast.walk(queue.pop()) if isinstance(n, ast.Name)):
            if name not in used:
                used.add(name)
                queue += () if name in loads else bound.get(name, ())
    return used, loads


# ---- constants ----


def literal_of(node, constants=None):
    """(True, value) of an expression that is a literal, or a name that the host code gave a literal."""
    if isinstance(node, ast.Name) and constants and node.id in constants:
        return True, constants[node.id]
    if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("tl", "triton.language"):
        return True, Dtype(node.attr)
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError):
        return False, None
    return isinstance(value, (bool, int, float, str, type(None))), value


class Dtype(str):
    """A type by its name in the language."""


def launches(tree, name):
    """{constant: value} of the launches NAME[grid](…) in a file."""
    given = {}
    for host in [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]:
        constants = {}
        for node in ast.walk(host):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                known, value = literal_of(node.value)
                if known:
                    constants.setdefault(node.targets[0].id, value)
        for node in ast.walk(host):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Subscript) and ast.unparse(node.func.value) == name:
                for keyword in node.keywords:
                    known, value = literal_of(keyword.value, constants)
                    if known and keyword.arg:
                        given.setdefault(keyword.arg, value)
    return given


def compared(function, name):
    """Literals that a constant is compared with, and whether it stands as a condition."""
    literals, condition = [], False
    for node in ast.walk(function):
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name) and node.left.id == name and isinstance(node.ops[0], (ast.Eq, ast.NotEq, ast.Is)):
            for other in node.comparators:
                known, value = literal_of(other)
                literals += [value] if known and value is not None and value not in literals else []
        tests = [node.test] if isinstance(node, (ast.If, ast.IfExp, ast.While)) else node.values if isinstance(node, ast.BoolOp) else \
            [node.operand] if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else []
        condition |= any(isinstance(t, ast.Name) and t.id == name for t in tests)
    return literals, condition


def guess_constant(function, name):
    """Values that a constant may have, likely ones first."""
    literals, condition = compared(function, name)
    exact = [v for v in literals if isinstance(v, str)] or [v for v in literals if type(v) is int and not re.search(r"BLOCK|SIZE|DIM", name)]
    if exact:
        return exact
    if TYPES.search(name):
        return [Dtype("float16"), Dtype("float32"), Dtype("bfloat16"), Dtype("int32")]
    if condition or FLAGS.search(name):
        return [False, True]
    if SMALL.search(name):
        return [4, 1, 2, 8]
    return [64, 16, 32, 128, 1]


# ---- all together ----


def element(name, integer):
    if integer:
        return ["i32", "i64"]
    if BYTES.search(name):
        return ["i1", "i8", "fp16"]
    if INTEGERS.search(name) and not re.search(r"grad|logit|embed", name):
        return ["i32", "i64", "fp16"]
    return ["fp32", "fp16", "bf16"] if FLOATS.search(name) else ["fp16", "fp32", "bf16", "i32", "fp8e5", "u8", "i8"]


def choices(function, tree, helpers, constants, configured, defaults):
    """[(parameter, is a constant, [choices])] of a kernel. `constants` names the constexpr parameters."""
    found, described, integers = pointers(function, helpers)
    given, result = launches(tree, function.name), []
    for name in parameters(function):
        if name in configured:
            result.append((name, True, [configured[name]]))
        elif name in constants:
            known = [given[name]] if name in given else []
            known += [defaults[name]] if name in defaults else []
            result.append((name, True, known + [g for g in guess_constant(function, name) if g not in known]))
        elif name in described:
            result.append((name, False, ["tensordesc"]))
        elif name in found or re.search(r"(_ptrs?|_pointer)$", name):
            result.append((name, False, ["*" + e for e in element(name, name in integers)]))
        elif defaults.get(name, 0) is None:
            result.append((name, True, [None]))
        else:
            numbers = ["fp32", "i32"] if REALS.search(name) else ["i32", "fp32"]
            result.append((name, False, numbers + ["*fp16"]))
    return result


def candidates(choice, limit):
    """Assignments {parameter: value}: the first choices, then with one kind of choice moved at a time, then one parameter at a time."""
    first = {name: values[0] for name, _, values in choice}
    yield first
    count = 1
    kinds = {
        "elements": [n for n, constant, v in choice if not constant and v[0] in ("*fp16",)],
        "floats": [n for n, constant, v in choice if not constant and v[0] in ("*fp32",)],
        "integers": [n for n, constant, v in choice if not constant and v[0] in ("*i32",)],
        "flags": [n for n, constant, v in choice if constant and isinstance(v[0], bool) and len(v) > 1],
        "sizes": [n for n, constant, v in choice if constant and type(v[0]) is int and len(v) > 1],
        "types": [n for n, constant, v in choice if constant and isinstance(v[0], Dtype) and len(v) > 1],
    }
    values = {n: v for n, _, v in choice}
    moves = [(kind, i) for kind in kinds for i in range(1, 7)]
    bases = [first]
    for size in (1, 2):
        for combination in itertools.combinations(moves, size):
            if len({k for k, _ in combination}) < size:
                continue
            moved = dict(first)
            for kind, i in combination:
                moved.update({n: values[n][min(i, len(values[n]) - 1)] for n in kinds[kind]})
            if moved not in bases:
                bases.append(moved)
                yield moved
                count += 1
                if count >= limit * 2 // 3:
                    break
        if count >= limit * 2 // 3:
            break
    for name, _, options in choice:
        for option in options[1:]:
            yield dict(first, **{name: option})
            count += 1
            if count >= limit:
                return
