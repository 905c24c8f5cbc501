#!/usr/bin/env python3
"""Triton's side of tables of machine code: what it makes of a kernel, compiled in a process of its own, and kept in a folder.

A folder of peers has a folder a version of Triton, and in it a file an answer: code, or why there is none, its function's name, the threads
of a block and a step of the source's loop (`step_of`). A file is found by what the answer depends on: the text of the source, the kernel's
name, types, constants, warps, stages and the chip. So the folder can be filled on another machine, one without tkc. What took too long is not
kept: a faster machine may have it.
"""
import concurrent.futures
import hashlib
import importlib.util
import json
import math
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import amd_loops  # noqa: E402  (the folder of this file)

LIMIT = 240  # seconds for one compilation by Triton


class Kernel:
    def __init__(self, title, path, name, types, constants, warps, stages):
        self.title, self.path, self.name, self.types = title, path, name, types
        self.constants, self.warps, self.stages = constants, warps, stages


def stages_of(kernel, chip):
    """Triton compiles with the kernel's own stages, and on AMD with 2, too."""
    return dict.fromkeys([kernel.stages] if chip.startswith("sm_") else [kernel.stages, 2])


def by_triton(kernel, chip, stages):
    """Code, its function's name, the threads of a block and a step, or no code and the reason."""
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    spec = importlib.util.spec_from_file_location("kernels_of_peer", kernel.path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["kernels_of_peer"] = module
    spec.loader.exec_module(module)
    function = getattr(module, kernel.name)
    signature, constants, attributes = {}, {}, {}
    for index, name in enumerate(function.arg_names):
        if index < len(kernel.types):
            signature[name], hint = (kernel.types[index].split(":") + [""])[:2]
            if hint == "16":
                attributes[(index,)] = [["tt.divisibility", 16]]
        else:
            signature[name] = "constexpr"
            constants[(index,)] = kernel.constants[index - len(kernel.types)]
    target = GPUTarget("cuda", int(chip[3:]), 32) if chip.startswith("sm_") else GPUTarget("hip", chip, amd_loops.WARP[chip])
    try:
        source = ASTSource(function, signature, constants, attributes)
        made = triton.compile(source, target=target, options=dict(num_warps=kernel.warps, num_stages=stages))
        threads = target.warp_size * made.metadata.num_warps
        return made.asm.get("ptx") or made.asm["amdgcn"], made.metadata.name, threads, step_of(made.asm["ttir"])
    except Exception as error:  # a kernel refused by the peer is a row without it
        return None, f"{type(error).__name__}: {' '.join(str(error).split())[-120:]}", 0, None


ELEMENT = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "f16": 2, "bf16": 2, "f32": 4, "f64": 8}


def size_of(text):
    """Elements and their bytes of the tensors of a line, last one last; elements of pointers are what they point to."""
    found = re.findall(r"tensor<([\dx]+)x(?:!tt\.ptr<)?(\w+)>+", text)
    return [(math.prod(map(int, shape.split("x"))), ELEMENT.get(kind, 1), list(map(int, shape.split("x")))) for shape, kind in found]


def step_of(ttir):
    """Products of one step of the innermost loops with products, and the bytes loaded that are operands as they are. None if loops
    multiply differently."""
    loops, stack, loaded = [], [], {}  # of the stack each region: a loop or None; by value the load and its bytes
    for line in ttir.splitlines():
        enters = re.search(r"scf\.(for|while)\b", line)
        opened = line.count("{") - line.count("}")
        loop = next((one for one in reversed(stack) if one), None)
        made = re.match(r"\s*(%\w+) = (\S+) (%\w+)(?:, (%\w+))?", line)
        if loop and made and made[2] in ("tt.load", "tt.descriptor_load") and size_of(line):
            loaded[made[1]] = (made[1], size_of(line)[-1][0] * size_of(line)[-1][1])
        elif loop and made and made[2] in ("tt.trans", "tt.reshape"):
            loaded[made[1]] = loaded.get(made[3], (None, 0))
        elif loop and made and made[2] == "tt.dot":
            left, _, result = size_of(line.split(" : ", 1)[1])[:3]
            loop["products"] += result[0] * left[2][-1]
            loop["loads"] |= {loaded.get(operand, (None, 0)) for operand in made.groups()[2:]}
        if opened < 0:
            del stack[opened:]
        if enters:
            loops.append(dict(products=0, loads=set()))
        if opened > 0:
            stack += [loops[-1] if enters else None] * opened
    found = [loop for loop in loops if loop["products"]]
    if len({loop["products"] for loop in found}) != 1:
        return None
    return found[0]["products"], min(sum(size for _, size in loop["loads"]) for loop in found)


def in_child(kernel, chip, stages):
    spec = json.dumps(dict(kernel=vars(kernel), chip=chip, stages=stages))
    run = subprocess.run([sys.executable, __file__, spec], capture_output=True, text=True, timeout=LIMIT)
    return json.loads(run.stdout.splitlines()[-1]) if run.stdout else (None, "the compiler died", 0, None)


class Peers:
    """Triton's answers, of a version, kept in a folder if there is one. `complete`: what the folder lacks is not asked for."""

    def __init__(self, version, folder=None, complete=False):
        self.version, self.folder, self.complete = version, os.path.join(folder, version) if folder else None, complete
        if folder:
            os.makedirs(self.folder, exist_ok=True)

    def file_of(self, kernel, chip, stages):
        with open(kernel.path) as file:
            asked = [file.read(), kernel.name, kernel.types, kernel.constants, kernel.warps, stages, chip]
        return os.path.join(self.folder, hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:24] + ".json")

    def of(self, kernel, chip, stages):
        path = self.file_of(kernel, chip, stages) if self.folder else None
        if path and os.path.exists(path):
            with open(path) as file:
                return json.load(file)["answer"]
        if self.complete:
            return None, "no answer kept", 0, None
        try:
            answer = in_child(kernel, chip, stages)
        except subprocess.TimeoutExpired:
            return None, f"over {LIMIT} s", 0, None
        if path:
            with open(f"{path}.{os.getpid()}", "w") as file:
                json.dump(dict(kernel=kernel.title, chip=chip, stages=stages, answer=answer), file)
            os.replace(file.name, path)
        return answer

    def fill(self, kernels, chips, jobs):
        """Asks for all there is to ask; says what was refused."""
        asked = [(kernel, chip, stages) for chip in chips for kernel in kernels for stages in stages_of(kernel, chip)]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for (kernel, chip, stages), answer in zip(asked, pool.map(lambda one: self.of(*one), asked)):
                if answer[0] is None:
                    print(f"{chip} {kernel.title}, {stages} stages: {answer[1]}", flush=True)
        print(f"{len(asked)} answers of Triton {self.version}")


if __name__ == "__main__":
    asked = json.loads(sys.argv[1])
    print(json.dumps(by_triton(Kernel(**asked["kernel"]), asked["chip"], asked["stages"])))
