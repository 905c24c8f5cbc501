#!/usr/bin/env python3
"""Compiles every example with Triton's own compiler, to prove that each stays valid under Triton's JIT.

    python3 tests/bench/check_triton.py [--capability 80] [FILE.tk …]      (default: all of examples/, 80 and 90)

No GPU is needed: the target is named. Types, hints and constexpr values come from the same
places that tkc reads: string annotations, the first autotune configuration, defaults. Exits 77 (skipped) where
Triton is not installed, 1 if any example fails.
"""
import argparse
import importlib.machinery
import importlib.util
import os
import re
import sys

SKIPPED = 77
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def load_module(path):
    """Imports a .tk file as the Python module that it is."""
    name = os.path.splitext(os.path.basename(path))[0]
    loader = importlib.machinery.SourceFileLoader(name, path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


def kernels(module):
    """The kernels of a module, those with a launch grid, as (name, jit function, first configuration or None)."""
    found = []
    for name, value in vars(module).items():
        if not hasattr(value, "grid") or not callable(value.grid):
            continue
        configs = getattr(value, "configs", None)
        found.append((name, value.fn if configs else value, configs[0] if configs else None))
    return found


def default_config():
    """Triton's own defaults, for a kernel without configurations."""
    import triton

    return triton.Config({}, num_warps=4, num_stages=3)


def describe(function, config, overrides=None):
    """signature, constexprs and attributes for ASTSource, from annotations, configuration and defaults."""
    signature, constexprs, attributes = {}, {}, {}
    values = dict(config.kwargs) if config else {}
    values.update(overrides or {})
    for index, (name, parameter) in enumerate(function.signature.parameters.items()):
        annotation = parameter.annotation
        if not isinstance(annotation, str) or "constexpr" in annotation:
            signature[name] = "constexpr"
            constexprs[name] = values[name] if name in values else parameter.default
            continue
        annotation = re.sub(r"^\*\*\w+", "*i64", annotation)  # an array of addresses
        match = re.fullmatch(r"(\*?\w+)(?::(\d+))?", annotation)
        if match is None:
            raise ValueError(f"{function.__name__}: parameter {name}: cannot read annotation {annotation!r}")
        signature[name] = match[1]
        if match[2] == "1":
            signature[name] = "constexpr"
            constexprs[name] = 1
        elif match[2] == "16":
            attributes[(index,)] = [["tt.divisibility", 16]]
    return signature, constexprs, attributes


def compile_kernel(function, config, capability, overrides=None, options=None):
    """Compiles for one NVIDIA compute capability; returns Triton's compiled kernel (asm["ptx"], metadata)."""
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    signature, constexprs, attributes = describe(function, config, overrides)
    source = ASTSource(fn=function, signature=signature, constexprs=constexprs, attrs=attributes)
    settings = {"num_warps": config.num_warps, "num_stages": config.num_stages} if config else {}
    settings.update(options or {})
    return triton.compile(source, target=GPUTarget("cuda", capability, 32), options=settings)


def main():
    parser = argparse.ArgumentParser(description="Compiles examples with Triton's own compiler.")
    parser.add_argument("--capability", type=int, action="append", help="compute capability, as 80")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    try:
        import triton
    except ImportError:
        print("check_triton: skipped: the Python package triton is not installed")
        return SKIPPED
    folder = os.path.join(TOP, "examples")
    files = options.files or [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".tk")]
    failures = 0
    print(f"Triton {triton.__version__}")
    for path in files:
        for name, function, config in kernels(load_module(path)):
            for capability in options.capability or (80, 90):
                try:
                    kernel = compile_kernel(function, config, capability)
                    print(f"{name:20} sm_{capability}  PTX {len(kernel.asm['ptx']):7,d} B  "
                          f"shared memory {kernel.metadata.shared:7,d} B  ok")
                except Exception as error:  # any failure of the peer is this check's finding
                    failures += 1
                    print(f"{name:20} sm_{capability}  FAIL: {type(error).__name__}: {error}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
