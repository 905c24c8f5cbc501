"""Products and attention in 82 spellings, of the kinds that public repositories have: which does tkc raise on sm_90a?

Raised means that the main loop has a warp of its own that fills slots by tensor maps or with gathered rows. For each spelling that is not
raised the first remark says why. No GPU is needed. `python3 tests/bench/forms.py --tkc build/bin/tkc [--check build/bin/tkc-run]`;
--check also runs each on the emulator and compares with NumPy in double precision. A first argument chooses spellings by a part of the
name. The spellings (spellings/) are not those that the passes were tuned for: tests/lang/forms.tk has those. The first
run raised 30 of the first 40 (attention, operands, products), and 23 of the 42 others; the passes were mended by what it missed.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

from spellings import attention, library, operands, products, sequence, serving, states  # noqa: F401: each adds its forms
from spellings.form import FORMS


def compiled(form, tkc, folder):
    source = os.path.join(folder, "k.py")
    with open(source, "w") as file:
        file.write(form["text"])
    command = [
        tkc,
        source,
        "-t",
        "sm_90a",
        "-w",
        str(form.get("warps", 8)),
        "-ns",
        "3",
        "--no-header",
        "--remarks=specialise|tensor-map|matrix|pipeline",
        "-o",
        os.path.join(folder, "k.ptx"),
    ] + defines(form)
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if run.returncode:
        return None, run.stderr
    with open(os.path.join(folder, "k.json")) as file:
        return json.load(file)["kernels"][0]["entries"][0], run.stderr


def defines(form):
    return [word for value in form.get("defines", "").split() for word in ("-D", value)]


def reason(remarks):
    """The first remark that says why not: of the loop, then of a load."""
    found = re.findall(r":(\d+):\d+: remark: k on sm_90a: (.*) \[([a-z-]+)\]", remarks)
    for kind in ("specialise", "tensor-map", "pipeline", "matrix"):
        for line, text, of in found:
            if of == kind and not re.match(r"the loop is specialised|a tensor map moves it|.*run ahead", text):
                return f"line {line}: {text} [{of}]"
    return "no remark"


def arguments(form):
    words = []
    for seed, word in enumerate(form["arguments"].split()):
        words += ["-a", re.sub(r"(rand\w*\(.*)\)", r"\1,seed=%d)" % (seed + 1), word)]
    return words


def load(np, path, declared):
    x = np.load(path)
    if declared.endswith(":bf16"):
        return (x.view(np.uint16).astype(np.uint32) << 16).view(np.float32).astype(float)
    if declared.endswith(":fp8e4nv"):
        bits = x.view(np.uint8).astype(int)
        e, f = bits >> 3 & 15, bits & 7
        return np.where(bits > 127, -1, 1) * np.where(e > 0, (1 + f / 8) * np.exp2(e - 7.0), f / 8 * np.exp2(-6.0))
    return x.astype(float)


def wrong(form, tkc_run, folder, chip="sm_90a"):
    """None where all results are right; else what is wrong."""
    import numpy as np

    arrays = {word.split("=")[0]: word for word in form["arguments"].split() if "(" in word}
    command = [
        tkc_run,
        os.path.join(folder, "k.py"),
        f"--on={chip}",
        "-w",
        str(form.get("warps", 8)),
        "-ns",
        "3",
        "-g",
        form["grid"],
        "--timeout=300",
    ]
    given = form["given"](np) if "given" in form else {}
    for name, array in given.items():
        array = array.view("V2") if array.dtype == np.uint16 else array
        np.save(f"{folder}/given_{name}.npy", array)
        command += ["-a", f"{name}={folder}/given_{name}.npy"]
    for name in arrays:
        command += ["-o", f"{name}={folder}/{name}.npy"]
    run = subprocess.run(command + arguments(form) + defines(form), capture_output=True, text=True)
    if run.returncode:
        return (run.stderr + run.stdout).strip().splitlines()[0]
    x = {name: load(np, f"{folder}/{name}.npy", word) for name, word in arrays.items()} | given
    for name, want in form["want"](np, x).items():
        far = np.abs(x[name] - want).max() / max(np.abs(want).max(), 1e-6)
        if not far < (8e-3 if name in arrays and arrays[name].endswith(":bf16") else 4e-3):
            return f"{name} is off by {far:.3g} of its largest value"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="?", default="", help="take the spellings whose name has this in it")
    parser.add_argument("--tkc", default="build/bin/tkc", help="the compiler")
    parser.add_argument("--check", metavar="TKC_RUN", help="compare results on the emulator (NumPy)")
    options = parser.parse_args()
    raised = failed = total = 0
    for form in FORMS:
        if options.part not in form["name"]:
            continue
        total += 1
        with tempfile.TemporaryDirectory() as folder:
            entry, remarks = compiled(form, options.tkc, folder)
            if entry is None:
                print(f"{form['name']:80} error: {remarks.splitlines()[0]}", flush=True)
                failed += 1
                continue
            maps = sum(hidden["kind"] == "tensor_map" for hidden in entry.get("hidden", []))
            is_raised = bool(entry.get("producer_warps"))
            raised += is_raised
            fault = wrong(form, options.check, folder) if options.check else None
            failed += bool(fault)
            print(
                f"{form['name']:80} {'raised' if is_raised else 'not   '}  maps {maps}  threads {entry['threads']}"
                f"{'' if is_raised else '  ' + reason(remarks)}{'  WRONG: ' + fault if fault else ''}",
                flush=True,
            )
    print(f"{raised} of {total} are raised")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
