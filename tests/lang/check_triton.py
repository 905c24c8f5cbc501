#!/usr/bin/env python3
"""Compiles every language test with Triton's own compiler, to prove that the tests are written in its language.

    lang_test --list | python3 tests/lang/check_triton.py [--capability 80] [--only TEXT]

Lines of the list: family, case, kernel, signature or -, definitions or -, separated by tabs. No GPU is needed. Exits 77
(skipped) where Triton is not installed, 1 if a kernel does not compile.
"""
import argparse
import ast
import importlib.machinery
import importlib.util
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def load_module(path):
    """Imports a .tk file as the Python module that it is."""
    name = "lang_" + os.path.splitext(os.path.basename(path))[0]
    loader = importlib.machinery.SourceFileLoader(name, path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    sys.modules[name] = module
    loader.exec_module(module)
    return module


def describe(function, signature, defines):
    """signature, constexprs and attributes for ASTSource."""
    types = [] if signature == "-" else [text.strip() for text in signature.split(",")]
    values = {} if defines == "-" else {n: ast.literal_eval(v) for n, v in (d.split("=", 1) for d in defines.split())}
    found, constexprs, attributes = {}, {}, {}
    for index, (name, parameter) in enumerate(function.signature.parameters.items()):
        annotation = parameter.annotation
        text = types[index] if index < len(types) else annotation if isinstance(annotation, str) else ""
        match = re.fullmatch(r"(\*?\w+)(?::(\d+))?", text)
        if name in values or match is None or "constexpr" in text:
            found[name] = "constexpr"
            constexprs[name] = values[name] if name in values else parameter.default
            continue
        found[name] = match[1]
        if match[2] == "1":
            found[name] = "constexpr"
            constexprs[name] = 1
        elif match[2] == "16":
            attributes[(index,)] = [["tt.divisibility", 16]]
    return found, constexprs, attributes


def main():
    parser = argparse.ArgumentParser(description="Compiles language tests with Triton's own compiler.")
    parser.add_argument("--capability", type=int, default=90)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    try:
        import triton
        from triton.backends.compiler import GPUTarget
        from triton.compiler import ASTSource
    except ImportError:
        print("check_triton: skipped: the Python package triton is not installed")
        return 77
    modules, count, failures = {}, 0, 0
    for line in sys.stdin:
        family, case, kernel, signature, defines = line.rstrip("\n").split("\t")
        if options.only not in f"{family}.{case}":
            continue
        if family not in modules:
            modules[family] = load_module(os.path.join(HERE, family + ".tk"))
        function = getattr(modules[family], kernel)
        count += 1
        try:
            found, constexprs, attributes = describe(function, signature, defines)
            source = ASTSource(fn=function, signature=found, constexprs=constexprs, attrs=attributes)
            triton.compile(source, target=GPUTarget("cuda", options.capability, 32), options={"num_warps": 4})
        except Exception as error:  # whatever Triton says about it is the finding
            failures += 1
            text = str(error) + (" " + str(error.__cause__) if error.__cause__ else "")
            print(f"{family}.{case}: {type(error).__name__}: {' | '.join(text.split(chr(10))[-6:])}", flush=True)
    print(f"Triton {triton.__version__}: {count - failures} of {count} cases compile for sm_{options.capability}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
