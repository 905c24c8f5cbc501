#!/usr/bin/env python3
"""The commands that documents print work as printed.

    check_commands.py ROOT BUILD WORK

Every ```console block of the documents below is run from a folder that looks like a clone's root with a build in it: lines that begin
with `$ ` are commands, the others what they print. Each of these lines must be printed; numbers of seconds may differ. A command that
names a file of CUDA's is left out where CUDA is not installed. The CMake project of README.md is configured and built. The manual of tkc
names every option that `tkc --help` lists.
"""
import os
import re
import shutil
import subprocess
import sys

DOCUMENTS = ("README.md", "examples/README.md", "tools/tkc/README.md", "tools/tkc-run/README.md", "tools/tkc-diff/README.md")
CUDA = "/usr/local/cuda/include/cuda.h"


def blocks(text, language):
    return re.findall(r"^```%s[^\n]*\n(.*?)^```$" % language, text, re.M | re.S)


def commands(block):
    """Pairs of a command and the lines that it prints."""
    pairs, lines = [], block.rstrip("\n").split("\n")
    while lines:
        line = lines.pop(0)
        if not line.startswith("$ "):
            pairs[-1][1].append(line)
            continue
        command = line[2:]
        while command.endswith("\\"):
            command = command[:-1] + lines.pop(0).lstrip()
        pairs.append((command, []))
    return pairs


def masked(line):
    return re.sub(r"\d+\.\d\d s\b", "N s", line.strip())


def clone(root, build, work):
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(os.path.join(work, "build", "out"))
    for name in ("examples", "include", "tools", "cmake", "src"):
        os.symlink(os.path.join(root, name), os.path.join(work, name))
    os.symlink(os.path.join(build, "bin"), os.path.join(work, "build", "bin"))


def run_document(root, build, work, name):
    with open(os.path.join(root, name), encoding="utf-8") as file:
        text = file.read()
    clone(root, build, work)
    environment = dict(os.environ, PATH=os.path.join(build, "bin") + os.pathsep + os.environ["PATH"], LC_ALL="C.UTF-8")
    faults = 0
    for command, wanted in (pair for block in blocks(text, "console") for pair in commands(block)):
        if "cuda" in command and not os.path.exists(CUDA):
            print(f"{name}: left out, there is no CUDA: {command}")
            continue
        done = subprocess.run(command, shell=True, cwd=work, env=environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        printed = {masked(line) for line in done.stdout.split("\n")}
        missing = [line for line in wanted if line.strip() not in ("", "…") and masked(line) not in printed]
        if missing or (done.returncode != 0 and not wanted):
            faults += 1
            print(f"{name}: $ {command}\n  exit status {done.returncode}; not printed:", *missing, "printed:", done.stdout, sep="\n  ")
    return faults


def check_manual(root, build):
    """The manual names every option that --help lists."""
    text = subprocess.run([os.path.join(build, "bin", "tkc"), "--help"], text=True, stdout=subprocess.PIPE, check=True).stdout
    with open(os.path.join(root, "tools/tkc/README.md"), encoding="utf-8") as file:
        manual = file.read()
    missing = [option for option in re.findall(r"^ +(?:-\w+,? +)?(--?[A-Za-z][\w-]*)", text, re.M)
               if not re.search(re.escape(option) + r"(?![\w-])", manual)]
    for option in missing:
        print(f"tools/tkc/README.md: does not name {option}")
    return len(missing)


def run_project(root, build, work):
    """The CMake block of README.md, with the program that it names."""
    if not os.path.exists(CUDA) or not os.path.exists(os.path.join(build, "tkc-config.cmake")):
        return 0
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    with open(os.path.join(root, "README.md"), encoding="utf-8") as file:
        block = blocks(file.read(), "cmake")[0]
    with open(os.path.join(work, "CMakeLists.txt"), "w", encoding="utf-8") as file:
        file.write(block)
    shutil.copy(os.path.join(root, "examples/vector_add.tk"), work)
    shutil.copy(os.path.join(root, "examples/host/vector_add_header.c"), os.path.join(work, "main.c"))
    stub = os.path.join(build, "tests/stub/libcuda.so")  # a driver to link with and to run on
    commands = [["cmake", "-B", "out", f"-Dtkc_DIR={build}"], ["cmake", "--build", "out"]]
    if os.path.exists(stub):
        commands[0].append(f"-DTKC_CUDA_DRIVER={stub}")
        commands.append(["out/app"])
    environment = dict(os.environ, LD_LIBRARY_PATH=os.path.dirname(stub))
    for command in commands:
        done = subprocess.run(command, cwd=work, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            print("README.md: the CMake project:", done.stdout)
            return 1
    return 0


def main():
    root, build, work = (os.path.abspath(argument) for argument in sys.argv[1:4])
    faults = sum(run_document(root, build, os.path.join(work, "clone"), name) for name in DOCUMENTS)
    faults += check_manual(root, build)
    return 1 if faults + run_project(root, build, os.path.join(work, "project")) else 0


if __name__ == "__main__":
    sys.exit(main())
