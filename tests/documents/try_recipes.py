#!/usr/bin/env python3
"""The recipes of .github/CONTRIBUTING.md, tried literally on a copy of the tree: each code block goes into the file that its first line
names, the copy is built, and what the recipes add is asked for. It builds the compiler, which takes minutes: no test of the suite.

    try_recipes.py WORK [OPTION-OF-CMAKE…]

The first line of a block:    ```c file=PATH                     at the end of the file, or a new one
                              ```c file=PATH before=TEXT         before the first line that begins with the text
                              ```c file=PATH after=TEXT          behind the first line that begins with the text
"""
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
BLOCK = re.compile(r"^```\w+ file=(\S+)(?: (before|after)=([^\n]*))?\n(.*?)^```$", re.M | re.S)
COMMAND = re.compile(r"^(build-dev/bin/tkc mm.tk .*)$", re.M)  # of the recipe for schedules
KERNEL = """import triton
import triton.language as tl


@triton.jit
def k(x: "*fp32:16"):
    i = tl.arange(0, 256)
    tl.store(x + i, tl.tkc_twice(tl.tkc_probe(tl.load(x + i), by=3)))


k.grid = (1,)
"""
PRODUCT = """import triton
import triton.language as tl


@triton.jit
def mm(a: "*fp16:16", b: "*fp16:16", c: "*fp32:16"):
    i = tl.arange(0, 32)
    o = i[:, None] * 32 + i[None, :]
    tl.store(c + o, tl.dot(tl.load(a + o), tl.load(b + o)))


mm.grid = (1,)
"""


def copy_tree(work):
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True, check=True,
                           stdout=subprocess.PIPE).stdout.split("\n")
    for name in filter(None, files):
        source, target = os.path.join(ROOT, name), os.path.join(work, name)
        if not os.path.exists(source):
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target) or open(source, "rb").read() != open(target, "rb").read():
            shutil.copyfile(source, target)


def put(work, path, side, text, block):
    path = os.path.join(work, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    lines = open(path, encoding="utf-8").read().split("\n") if os.path.exists(path) else []
    at = len(lines)
    if side:
        found = [i for i, line in enumerate(lines) if line.startswith(text)]
        if not found:
            sys.exit(f"try_recipes: {path} has no line that begins with {text!r}")
        at = found[0] + (side == "after")
    lines[at:at] = block.rstrip("\n").split("\n") if not side else block[:-1].split("\n")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + ("" if side else "\n"))


def run(work, command, wanted=None, **environment):
    done = subprocess.run(command, shell=True, cwd=work, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          env=dict(os.environ, CCACHE_BASEDIR=work, CCACHE_NOHASHDIR="1", **environment))
    if done.returncode != 0 or (wanted and not re.search(wanted, done.stdout)):
        sys.exit(f"try_recipes: {command}\n{done.stdout[-4000:]}\nexit status {done.returncode}" +
                 (f", wanted: {wanted}" if wanted else ""))


def main():
    work = os.path.abspath(sys.argv[1])
    copy_tree(work)
    recipes = open(os.path.join(ROOT, ".github", "CONTRIBUTING.md"), encoding="utf-8").read()
    for path, *_ in BLOCK.findall(recipes):  # of an earlier run
        if not os.path.exists(os.path.join(ROOT, path)) and os.path.exists(os.path.join(work, path)):
            os.remove(os.path.join(work, path))
    for path, side, text, block in BLOCK.findall(recipes):
        put(work, path, side, text, block)
    for name, text in ("probe.tk", KERNEL), ("mm.tk", PRODUCT):
        with open(os.path.join(work, name), "w", encoding="utf-8") as file:
            file.write(text)
    run(work, "cmake --preset dev " + " ".join(sys.argv[2:]))
    run(work, "cmake --build --preset dev --target tkc tkc-run test_mma test_builtins test_keywords test_passes test_options golden_pass language_reference test_targets test_emulator_dot test_plan")
    run(work, "build-dev/tests/language_reference src/frontend/LANGUAGE.md", UPDATE="1")
    run(work, "build-dev/bin/tkc --help", "--probe ")
    run(work, "build-dev/bin/tkc --print-passes", "probe +changes nothing")
    run(work, "build-dev/bin/tkc --print-targets", "sm_110.*never run")
    run(work, "build-dev/bin/tkc probe.tk --target sm_110 -o -", r"\.target sm_110")
    run(work, "build-dev/bin/tkc probe.tk --target sm_80 -o -", r"add\.rn\.f32")
    run(work, "build-dev/bin/tkc probe.tk --target gfx942 -o probe.s")
    run(work, "build-dev/bin/tkc probe.tk --target sm_110 -o probe.ptx --report=probe.html && grep -c sm_110 probe.html")
    run(work, "python3 -c 'import sys; sys.path.insert(0, \"tests/documents\"); import check_commands; "
              "sys.exit(check_commands.check_manual(\".\", \"build-dev\"))'")
    for command in COMMAND.findall(recipes):
        run(work, command)
    run(work, "build-dev/bin/tkc tests/golden/passes/plan/mm.mlir -t sm_80 --run-pass=plan -o -", "tk.dot")
    os.remove(os.path.join(work, "tests/golden/passes/plan/mm.mlir"))
    run(work, "build-dev/bin/tkc mm.tk --target sm_119 --dump-after=layouts -o mm.ptx", 'instruction = "mma.probe"')
    run(work, "build-dev/bin/tkc-run mm.tk --on sm_119 -a 'a=full(1,32,32):fp16' -a 'b=full(1,32,32):fp16' -a 'c=empty(32,32):fp32' "
              "--print c", " 32 32 32 32 ")
    run(work, "cmake build-dev && ctest --test-dir build-dev -R golden.passes.probe", "Passed", UPDATE="1")
    run(work, "ctest --test-dir build-dev -R 'golden.passes.probe|^rooms.(rooms|passes|order|options|format)|documents.language|"
              "unit.(builtins|keywords|passes|options|mma|targets|emulator_dot)$' --output-on-failure", "100% tests passed")
    print("try_recipes: all recipes hold")


if __name__ == "__main__":
    main()
