#!/usr/bin/env python3
"""Every example for every chip, looked at from outside.

    check_examples.py TKC EXAMPLES FOLDER-OF-LLVM-TOOLS

NVIDIA: the PTX assembles with ptxas, where that is installed, which serialises no wgmma, in no configuration that launchers
keep; nothing spills from sm_80 on.
AMD: the code object is version 5; its metadata, kernel descriptor and argument offsets agree with the reflection; there is
no scratch; matrix products use the chip's matrix instructions. Kernels that are not in HAS_DOT are made for one chip of a family, the
next one for the other chip, or with --all-chips for both. Two compilations in different folders give the same bytes: each
kernel for one of the chips, the next kernel for the next one, or with --all-chips for all.
"""
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

NVIDIA = ["sm_75", "sm_80", "sm_86", "sm_89", "sm_90a"]
AMD = {"gfx90a": 64, "gfx942": 64, "gfx1100": 32, "gfx1200": 32}
PARTNERS = [("gfx90a", "gfx942"), ("gfx1100", "gfx1200")]  # of a family
MATRIX = {"gfx90a": "v_mfma", "gfx942": "v_mfma", "gfx1100": "v_wmma", "gfx1200": "v_wmma"}
# Chips beside those, and families of chips in code objects of version 6. Each example is compiled for every fifth of them, the
# next one for the next ones; for all of them with --all-chips. The order spares the attention kernels chips without matrix
# instructions, where they spill hundreds of registers and take LLVM 10 s: examples go there up to LLVM's passes.
MORE_AMD = ["gfx908", "gfx1103", "gfx9-generic", "gfx1150", "gfx1030",
            "gfx1102", "gfx11-generic", "gfx10-1-generic", "gfx12-generic", "gfx1101",
            "gfx1201", "gfx1151", "gfx10-3-generic"]
WITHOUT_MATRIX = {"gfx1030", "gfx10-1-generic", "gfx10-3-generic"}
NO_SPILL = {"sm_80", "sm_86", "sm_89", "sm_90a"} | set(AMD)
HAS_DOT = {"matmul", "matmul_activation", "batched_matmul", "attention", "attention_backward_keys",
           "attention_backward_queries"}
SIZES = {"fp16": 2, "bf16": 2, "fp32": 4, "fp64": 8, "i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8,
         "u8": 1, "u16": 2, "u32": 4, "u64": 8}
failures = []


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def tool(*names):
    for name in names:
        found = shutil.which(name) or (name if os.access(name, os.X_OK) else None)
        if found:
            return found
    return None


def expect(condition, what):
    if not condition:
        failures.append(what)
        print("  wrong:", what)


def compile_to(tkc, source, chip, output, *options):
    made = run(tkc, source, "--config", "0", "--target", chip, "-o", output, *options)
    expect(made.returncode == 0, f"{source} for {chip}: {made.stderr.strip()}")
    return made.returncode == 0


def kernels_of(tkc, folder, source):
    """The kernels of a file, without those that chains make of several. Each is looked at alone."""
    listed = os.path.join(folder, "all.json")
    if not compile_to(tkc, os.path.join(folder, source), "sm_80", listed, "--emit=json", "--no-fuse"):
        return []
    with open(listed) as file:
        kernels = json.load(file)["kernels"]
    with open(os.path.join(folder, source)) as file:
        functions = re.findall(r"^def (\w+)\(", file.read(), re.M)
    return [kernel["name"] for kernel in kernels if kernel["function"] in functions]


def chips_of(name, turn):
    left_out = [] if name in HAS_DOT or "--all-chips" in sys.argv else [pair[turn % 2] for pair in PARTNERS]
    return [chip for chip in NVIDIA + list(AMD) if chip not in left_out]


assembled = {}  # PTX without the lines that name its chip -> what ptxas said of it


def check_ptx(ptxas, name, chip, path):
    """Chips from sm_80 on that get one text from tkc have it assembled once."""
    if not ptxas:
        return "not assembled"
    with open(path) as file:
        key = re.sub(r"^(//.*|\.version.*|\.target.*)$", "", file.read(), flags=re.M), chip in NO_SPILL
    if key not in assembled:
        assembled[key] = check_ptx_alone(ptxas, name, chip, path)
    return assembled[key]


def check_ptx_alone(ptxas, name, chip, path):
    made = run(ptxas, "-arch=" + chip, "-v", path, "-o", path + ".cubin")
    expect(made.returncode == 0, f"{name} for {chip}: ptxas: {made.stderr[:400]}")
    expect("(C75" not in made.stderr, f"{name} for {chip}: ptxas: {made.stderr[:400]}")
    spills = sum(int(n) for n in re.findall(r"(\d+) bytes spill", made.stderr))
    if chip in NO_SPILL:
        expect(spills == 0, f"{name} for {chip}: {spills} bytes spilled")
    registers = re.findall(r"Used (\d+) registers", made.stderr)
    return f"{registers[0] if registers else '?'} registers, {spills} bytes spilled"


def check_configurations(tkc, ptxas, source):
    """All configurations that a launcher keeps on sm_90a, for both widths of heads where there are heads."""
    with open(source) as file:
        heads = [["-D", "HEAD_DIM=64"], ["-D", "HEAD_DIM=128"]] if "HEAD_DIM" in file.read() else [[]]
    for options in heads if ptxas else []:
        made = run(tkc, source, "--target", "sm_90a", "--all-configs", *options, "-o", "configurations.ptx")
        expect(made.returncode == 0, f"{source}, all configurations: {made.stderr.strip()}")
        made = run(ptxas, "-arch=sm_90a", "configurations.ptx", "-o", "configurations.cubin")
        expect(made.returncode == 0 and "(C75" not in made.stderr,
               f"{source} {' '.join(options)}, all configurations: ptxas: {made.stderr[:400]}")


def field(notes, name):
    found = re.search(r"\." + name + r":\s+(\S+)", notes)
    return found.group(1) if found else None


def check_arguments(name, chip, notes, kernel):
    """Offsets and sizes in the order of the reflection's parameters, each aligned to its size."""
    listed = re.findall(r"\.offset:\s+(\d+)\s+\.size:\s+(\d+)\s+\.value_kind:\s+(\w+)", notes)
    shown = [(int(o), int(s), k) for o, s, k in listed if not k.startswith("hidden")]
    offset, wanted = 0, []
    for parameter in kernel["params"]:
        pointer = parameter["type"].startswith("*")
        size = 8 if pointer else SIZES[parameter["type"]]
        offset = (offset + size - 1) // size * size
        wanted.append((offset, size, "global_buffer" if pointer else "by_value"))
        offset += size
    expect(shown == wanted, f"{name} for {chip}: kernel arguments are {shown}, not {wanted}")
    expect(int(field(notes, "kernarg_segment_size")) >= offset, f"{name} for {chip}: the argument segment is too small")


def descriptor(path, tables, symbol):
    """The 64 bytes of the kernel descriptor, found through the symbol table and the section headers."""
    for line in tables.splitlines():
        parts = line.split()
        if len(parts) >= 8 and parts[7] == symbol:
            address, section = int(parts[1], 16), parts[6]
            break
    else:
        return None
    for line in tables.splitlines():
        parts = re.match(r"\s*\[\s*(\d+)\]\s+(\S+)\s+(\S+)\s+([0-9a-f]+)\s+([0-9a-f]+)", line)
        if parts and parts.group(1) == section:
            with open(path, "rb") as f:
                f.seek(int(parts.group(5), 16) + address - int(parts.group(4), 16))
                return f.read(64)
    return None


def check_hsaco(tools, name, chip, path, reflection):
    readelf, objdump = tools
    if not readelf:
        return "not read back"
    tables, _, notes = run(readelf, "-h", "-S", "-s", "--notes", "-W", path).stdout.partition("Displaying notes")
    expect("ABI Version:                       3" in tables, f"{name} for {chip}: not code object version 5")
    expect(field(notes, "target") is None or chip in notes, f"{name} for {chip}: another target in the notes")
    kernel = reflection["kernels"][0]
    shared = kernel["targets"][chip]["shared_bytes"] if "targets" in kernel else None
    entry = [t for t in kernel.get("entries", []) if t.get("target") == chip]
    shared = entry[0]["shared_bytes"] if entry else shared
    expect(field(notes, "wavefront_size") == str(AMD[chip]), f"{name} for {chip}: wave size")
    # Kernels that spill run on more warps than the source says.
    threads = entry[0]["threads"] if entry else kernel["num_warps"] * AMD[chip]
    expect(field(notes, "max_flat_workgroup_size") == str(threads),
           f"{name} for {chip}: work-group size")
    expect(field(notes, "symbol") == kernel["name"] + ".kd", f"{name} for {chip}: symbol")
    if shared is not None:
        expect(field(notes, "group_segment_fixed_size") == str(shared), f"{name} for {chip}: LDS size")
    scratch = int(field(notes, "private_segment_fixed_size"))
    if chip in NO_SPILL:
        expect(scratch == 0, f"{name} for {chip}: {scratch} bytes of scratch")
    check_arguments(name, chip, notes, kernel)
    # AMDGPU backend guide, "Kernel Descriptor": LDS, scratch and argument sizes are the first three words.
    raw = descriptor(path, tables, kernel["name"] + ".kd")
    expect(raw is not None, f"{name} for {chip}: no kernel descriptor")
    if raw:
        lds, private, arguments = struct.unpack("<III", raw[:12])
        expect(lds == int(field(notes, "group_segment_fixed_size")), f"{name} for {chip}: descriptor's LDS size")
        expect(private == scratch, f"{name} for {chip}: descriptor's scratch size")
        expect(arguments == int(field(notes, "kernarg_segment_size")), f"{name} for {chip}: descriptor's argument size")
    if name in HAS_DOT and objdump:
        expect(MATRIX[chip] in run(objdump, "-d", path).stdout, f"{name} for {chip}: no {MATRIX[chip]}")
    return f"{field(notes, 'vgpr_count')} registers, {scratch} bytes of scratch"


def check_more(tkc, readelf, source, chips):
    """One header and one image a chip; only the notes are read."""
    output = "more.hsaco"
    if not compile_to(tkc, source, ",".join(chips), output):
        return
    for chip in chips if readelf else []:
        path = f"more.{chip}.hsaco" if len(chips) > 1 else output
        header, _, notes = run(readelf, "-h", "--notes", path).stdout.partition("Displaying notes")
        version = 4 if "generic" in chip else 3  # of the ABI: code objects 6 and 5
        expect(f"ABI Version:                       {version}" in header, f"{source} for {chip}: version of the code object")
        expect(f"amdhsa--{chip}" in notes, f"{source} for {chip}: another target in the notes")
    print(f"{source:26} {' '.join(chips)}", flush=True)


def check_lowers(tkc, source, chips):
    """All that is ours accepts the source, its budgets too."""
    if chips:
        compile_to(tkc, source, ",".join(sorted(chips)), "more.ll", "--emit=ll", "--opt-level=0")


def check_kernel(tkc, ptxas, tools, folders, source, name, chip):
    """Made in each folder, with the same bytes, and looked at in the first."""
    suffix = ".hsaco" if chip in AMD else ".ptx"
    outputs = []
    for folder in folders:
        os.chdir(folder)
        compile_to(tkc, source, chip, name + suffix, "-n", name)
        outputs.append({s: open(name + s, "rb").read() for s in (suffix, ".h", ".json")})
    expect(outputs[0] == outputs[-1], f"{name} for {chip}: two compilations differ")
    path = os.path.join(folders[0], name + suffix)
    if chip in AMD:
        said = check_hsaco(tools, name, chip, path, json.loads(outputs[0][".json"]))
    else:
        said = check_ptx(ptxas, name, chip, path)
    print(f"{name:26} {chip:8} {said}", flush=True)


def main():
    tkc, examples, llvm = map(os.path.abspath, sys.argv[1:4])
    ptxas = tool("ptxas", "/usr/local/cuda/bin/ptxas")
    tools = (tool(f"{llvm}/llvm-readelf"), tool(f"{llvm}/llvm-objdump"))
    sources = sorted(f for f in os.listdir(examples) if f.endswith(".tk"))
    kernels = 0
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        for index, source in enumerate(sources):
            for folder in (one, two):
                shutil.copy(os.path.join(examples, source), folder)
            os.chdir(one)
            turns = range(5) if "--all-chips" in sys.argv else [index % 5]
            for turn in turns:
                check_more(tkc, tools[0], source, MORE_AMD[turn::5])
            check_configurations(tkc, ptxas, source)
            check_lowers(tkc, source, WITHOUT_MATRIX.difference(*(MORE_AMD[turn::5] for turn in turns)))
            for name in kernels_of(tkc, one, source):
                chips = chips_of(name, kernels)
                for number, chip in enumerate(chips):
                    again = "--all-chips" in sys.argv or number == kernels % len(chips)
                    check_kernel(tkc, ptxas, tools, (one, two) if again else (one,), source, name, chip)
                kernels += 1
    print(f"{len(sources)} examples, {len(NVIDIA) + len(AMD) + len(MORE_AMD)} chips: {len(failures)} faults")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
