"""What is launched: lines of JSON that say it, or files of kernels for which it is guessed; and tkc's part, compiling them.

A line of FILE.jsonl is one launch (lang_test --launches, random_test --write, or by hand):

    {"source": "softmax.py", "kernel": "softmax", "signature": "*fp32, *fp32, i32", "defines": "BLOCK=128",
     "grid": [4, 1, 1], "num_warps": 4, "num_stages": 3, "seed": 1, "exact": false,
     "arguments": [{"element": "fp32", "count": 4096, "fill": "uniform", "low": -1, "high": 1}, …, 1000]}

Only "source" must be there, which is found from the line's folder. "exact": no result may differ in a bit. For what is left
out the source must do, or its tkc description: parameters, constants, grid. Arguments are then guessed: extents from
TorchInductor's size hints or DEFAULT_INTEGER, buffers of DEFAULT_ELEMENTS elements. "triton" says where it stands in
Triton's IR and what a launch of that takes (record.py --triton); else Triton takes the source.
"""
import ast
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
DEFAULT_INTEGER, DEFAULT_REAL, DEFAULT_ELEMENTS, DEFAULT_PROGRAMS = 1024, 0.5, 1 << 22, 4
COMPILE_SECONDS = 120


# ---- finding them ----


def of_file(path):
    """The launches of a file of lines, or the one of a source."""
    if not path.endswith(".jsonl"):
        return [{"source": os.path.abspath(path)}]
    folder = os.path.dirname(os.path.abspath(path))
    with open(path) as file:
        launches = [json.loads(line) for line in file if line.strip()]
    for launch in launches:
        launch["source"] = os.path.abspath(os.path.join(folder, launch["source"]))
        if "triton" in launch:  # compiled before (record.py)
            launch["triton"]["image"] = os.path.abspath(os.path.join(folder, launch["triton"]["image"]))
    return launches


def has_kernel(path):
    with open(path, errors="replace") as file:
        return re.search(r"^\s*@triton\.(jit|autotune)|^\s*@triton_heuristics\.", file.read(), re.M) is not None


def find(paths):
    """Launches of files and folders, each with an "id" that is a file name. A folder's .jsonl files speak for it."""
    found = []
    for path in paths:
        if not os.path.isdir(path):
            found += of_file(path)
            continue
        names = [os.path.join(at, n) for at, _, files in sorted(os.walk(path)) for n in sorted(files)]
        lines = [n for n in names if n.endswith(".jsonl")]
        sources = [n for n in names if n.endswith((".py", ".tk")) and has_kernel(n)]
        found += [launch for n in lines or sources for launch in of_file(n)]
    for index, launch in enumerate(found):
        stem = os.path.splitext(os.path.basename(launch["source"]))[0]
        name = launch.get("name", launch.get("kernel", ""))
        launch["id"] = re.sub(r"[^\w.-]", "_", f"{index:05d}-{stem}" + (f"-{name}" if name != stem else ""))[:120]
    return found


# ---- compiling with tkc ----


def command(tkc, launch, target, output, options):
    arguments = [tkc, launch["source"], "--target", target, "--no-header", "-o", output, *options]
    for key, option in (("kernel", "-n"), ("signature", "-s"), ("num_warps", "-w"), ("num_stages", "--num-stages"),
                        ("maxnreg", "--maxnreg")):
        if key in launch:
            arguments += [option, str(launch[key])]
    for definition in launch.get("defines", "").split():
        arguments += ["-D", definition]
    return arguments


def compile_one(tkc, launch, target, folder, options):
    """-> the launch with "status" ("compiled", "refused", "fault"), "said" and "seconds"."""
    output = os.path.join(folder, launch["id"] + (".cubin" if "--emit=cubin" in options else ".ptx"))
    start = time.time()
    try:
        done = subprocess.run(command(tkc, launch, target, output, options), capture_output=True, text=True,
                              timeout=COMPILE_SECONDS)
        status, said = {0: "compiled", 1: "refused"}.get(done.returncode, "fault"), done.stderr
    except subprocess.TimeoutExpired:
        status, said = "fault", f"tkc: not done after {COMPILE_SECONDS} s"
    return dict(launch, status=status, said=said[:4000], seconds=round(time.time() - start, 3))


def compile_all(launches, tkc, target, folder, options, jobs):
    """Writes ID.ptx, ID.json and compiled.jsonl."""
    os.makedirs(folder, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        compiled = list(pool.map(lambda launch: compile_one(tkc, launch, target, folder, options), launches))
    with open(os.path.join(folder, "compiled.jsonl"), "w") as file:
        for launch in compiled:
            line = dict(launch, source=os.path.relpath(launch["source"], folder))
            if "triton" in launch:
                line["triton"] = dict(launch["triton"], image=os.path.relpath(launch["triton"]["image"], folder))
            file.write(json.dumps(line) + "\n")
    return compiled


def read_compiled(folder):
    with open(os.path.join(folder, "compiled.jsonl")) as file:
        compiled = [json.loads(line) for line in file]
    for launch in compiled:
        launch["source"] = os.path.abspath(os.path.join(folder, launch["source"]))
        if "triton" in launch:
            launch["triton"]["image"] = os.path.join(folder, launch["triton"]["image"])
    return compiled


# ---- what is left open ----


def size_hints(source):
    """TorchInductor's {"x": 4096, "r0_": 128} of a file as {"xnumel": 4096, "r0_numel": 128}."""
    with open(source, errors="replace") as file:
        match = re.search(r"size_hints=(\{[^}]*\}|\[[^\]]*\])", file.read())
    if not match:
        return {}
    hints = ast.literal_eval(match[1])
    if isinstance(hints, list):
        hints = dict(zip("xyz", hints))
    return {prefix + "numel": number for prefix, number in hints.items()}


def guess(param, hints, given):
    name, kind = param["name"], param["type"]
    if name in given:
        return given[name]
    if kind.startswith("*"):
        element = kind[1:]
        how = {"fill": "uniform", "low": -1, "high": 1} if element.startswith(("fp", "bf")) else \
            {"fill": "bits" if element == "i1" else "whole", "low": 0, "high": 7}
        return {"element": element, "count": DEFAULT_ELEMENTS, **how}
    if kind.startswith(("fp", "bf")):
        return DEFAULT_REAL
    return 1 if param.get("equals") == 1 else hints.get(name, DEFAULT_INTEGER)


def complete(launch, described, given):
    """The launch of a kernel as tkc described it, with "arguments" and "grid" for certain."""
    launch = dict(launch, kernel=described["name"], num_warps=described["num_warps"], num_stages=described["num_stages"])
    launch.setdefault("seed", 1)
    if "arguments" not in launch:
        hints = size_hints(launch["source"])
        launch["arguments"] = [guess(p, hints, given) for p in described["params"]]
    if "grid" not in launch:
        import tkc_torch  # which takes PyTorch, as what launches does, and what compiles does not
        described = {"grid": [str(DEFAULT_PROGRAMS), "1", "1"], **described}
        launch["grid"] = tkc_torch.Variant("", {}, described).sides(launch["arguments"])
    return launch


def kernels_of(launch, folder):
    """[(description of a kernel, whole JSON, PTX or cubin)] of a compiled launch."""
    stem = os.path.join(folder, launch["id"])
    with open(stem + ".json") as file:
        described = json.load(file)
    assembled = os.path.exists(stem + ".cubin")
    with open(stem + (".cubin" if assembled else ".ptx"), "rb") as file:
        image = file.read() + (b"" if assembled else b"\0")
    return [(kernel, described, image) for kernel in described["kernels"]]
