#!/usr/bin/env python3
"""Cuts kernels out of test functions, as Triton's own tests have them, so that survey.py finds them at the level of a module.

    cut.py python/test/unit/language clones/tests [--only NAMES]

A file for each test function with kernels: the imports, classes, constants and functions under @triton.jit of its file, then the
test's own. A parameter of the test read by a kernel is the first value of its @pytest.mark.parametrize, a variable its literal. NAMES
has lines of a file and a function.
"""
import argparse
import ast
import os
import textwrap

IMPORTED = ("triton", "typing", "dataclasses", "math")
NOT_IMPORTED = ("_internal_testing", "_filecheck")
OF_KERNELS = ("jit", "constexpr_function", "builtin")


def decorators(node):
    return [ast.unparse(d) for d in getattr(node, "decorator_list", [])]


def is_of_kernels(node):
    return isinstance(node, ast.FunctionDef) and any(word in d for d in decorators(node) for word in OF_KERNELS)


def is_jit(node):
    return isinstance(node, ast.FunctionDef) and any("jit" in d for d in decorators(node))


def is_test(node):
    return isinstance(node, ast.FunctionDef) and node.name.startswith("test_")


def source(node, lines):
    first = min([node.lineno] + [d.lineno for d in getattr(node, "decorator_list", [])])
    return textwrap.dedent("\n".join(lines[first - 1:node.end_lineno]))


def is_helper(node):
    """True of a statement of the file that kernels may need."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        text = ast.unparse(node)
        return any(word in text for word in IMPORTED) and not any(word in text for word in NOT_IMPORTED)
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        return "constexpr" in ast.unparse(node)
    return isinstance(node, ast.ClassDef) or is_of_kernels(node) and not is_test(node)


def constant(node):
    """The text of a constant for a kernel, or None."""
    try:
        return f"tl.constexpr({ast.literal_eval(node)!r})"
    except (ValueError, TypeError, SyntaxError):
        text = ast.unparse(node)
        return text if isinstance(node, ast.Attribute) and text.startswith("tl.") or text.startswith("tl.constexpr(") else None


def chosen(test):
    """{name: text} of parameters and variables of a test."""
    found = {}
    for call in (d for d in test.decorator_list if isinstance(d, ast.Call) and ast.unparse(d.func).endswith("parametrize")):
        values = call.args[1] if len(call.args) > 1 else None
        if not isinstance(call.args[0], ast.Constant) or not isinstance(values, (ast.List, ast.Tuple)) or not values.elts:
            continue
        names, first = [n.strip() for n in call.args[0].value.split(",")], values.elts[0]
        parts = first.elts if len(names) > 1 and isinstance(first, (ast.List, ast.Tuple)) else [first]
        found.update(zip(names, map(constant, parts)))
    for node in ast.walk(test):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, constant(node.value))
    return {name: text for name, text in found.items() if text}


def cut(test, lines):
    """The text of a test's kernels, or None."""
    if is_jit(test):
        test.decorator_list = [d for d in test.decorator_list if "jit" in ast.unparse(d)]
        return ast.unparse(test)
    parts = sorted((n for n in ast.walk(test) if n is not test and (is_of_kernels(n) or isinstance(n, ast.ClassDef))), key=lambda n: n.lineno)
    if not any(map(is_jit, parts)):
        return None
    read = {n.id for part in parts for n in ast.walk(part) if isinstance(n, ast.Name)}
    constants = [f"{name} = {text}" for name, text in chosen(test).items() if name in read]
    return "\n\n\n".join(constants + [source(part, lines) for part in parts])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests")
    parser.add_argument("out")
    parser.add_argument("--only")
    a = parser.parse_args()
    only = None
    if a.only:
        with open(a.only) as file:
            only = {tuple(line.split()) for line in file}
    os.makedirs(a.out, exist_ok=True)
    count = 0
    for name in sorted(n for n in os.listdir(a.tests) if n.endswith(".py")):
        with open(os.path.join(a.tests, name)) as file:
            text = file.read()
        tree, lines = ast.parse(text), text.split("\n")
        helpers = [source(n, lines) for n in tree.body if is_helper(n)]
        for test in filter(is_test, tree.body):
            kernels = cut(test, lines) if only is None or (name, test.name) in only else None
            if kernels:
                count += 1
                with open(os.path.join(a.out, f"{name[:-3]}__{test.name}.py"), "w") as file:
                    file.write("\n".join(helpers) + "\n\n\n" + kernels + "\n")
    print(f"{count} test functions with kernels")


if __name__ == "__main__":
    main()
