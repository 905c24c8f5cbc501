#!/usr/bin/env python3
"""What Triton accepts of a folder of clones, what tkc accepts of that, and how long both take. No GPU, no PyTorch.

    survey.py CLONES --out FOLDER [--tkc build/bin/tkc] [--targets sm_90a,gfx942] [--only REGEX] [--assemble]

CLONES holds checkouts of repositories, one a folder. sources.py finds and loads their kernels, signatures.py proposes signatures,
and Triton, if it is installed, decides which of them is a program: FOLDER/triton.jsonl keeps what it took, with its time to PTX or
AMD's assembly, so that a second call only asks tkc. FOLDER/tkc.jsonl has tkc's answers. Times are of the processor; above 2 s a
kernel is long, above 5 s and Triton's time it is slow. A kernel counts on a chip where Triton's code fits in the chip's shared
memory. --assemble also runs Triton's ptxas on both PTX texts
and compares registers, stack and instructions.
"""
import argparse
import ast
import collections
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import signatures  # noqa: E402
import sources  # noqa: E402

SHARED = {"sm_90a": 232448, "gfx942": 65536}
FOREIGN = "inline assembly that"  # another vendor's, which Triton leaves out or leaves to the assembler: counts for neither
SEARCH_SECONDS, SEARCH_TRIES, COMPILE_SECONDS, LONG_SECONDS, SLOW_SECONDS = 40, 160, 120, 2, 5


def cpu(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def words(error):
    cause = error
    while cause.__cause__ is not None:
        cause = cause.__cause__
    return f"{type(cause).__name__}: " + " ".join(str(cause).split())[-300:]


# ---- Triton ----


def unwrapped(value):
    """-> (function under @triton.jit, constants of its middle configuration, its options, heuristics)"""
    constants, options, heuristics = {}, {}, {}
    while value is not None and type(value).__name__ != "JITFunction":
        if getattr(value, "configs", None):
            config = value.configs[len(value.configs) // 2]
            constants.update(config.kwargs)
            options = {"num_warps": config.num_warps, "num_stages": config.num_stages}
        if isinstance(getattr(value, "values", None), dict):
            heuristics.update(value.values)
        value = getattr(value, "fn", None)
    return value, constants, options, heuristics


def constant(value):
    import triton.language as tl
    return getattr(tl, value) if isinstance(value, signatures.Dtype) else value


def literal(value):
    """A constant as a signature writes it."""
    if isinstance(value, signatures.Dtype):
        return "tl." + value
    value = getattr(value, "value", value)
    if type(value).__name__ == "dtype":
        return "tl." + {"fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "fp64": "float64", "fp8e4nv": "float8e4nv", "fp8e5": "float8e5",
                        "fp8e4b8": "float8e4b8", "fp8e5b16": "float8e5b16"}.get(value.name, value.name)
    if isinstance(value, float) and (value != value or abs(value) == float("inf")):
        return f'float("{value}")'
    if isinstance(value, (tuple, list)):
        return "(" + "".join(literal(v) + ", " for v in value) + ")"
    if isinstance(value, type):
        raise LookupError(f"no signature can say {value}")
    return getattr(value, "__name__", None) or repr(value)


def hinted(name, kind):
    return kind.startswith("*") or kind.startswith("i") and "stride" in name


def typed(kind, rank):
    return f"tensordesc<fp16[{','.join(['64'] * rank)}]>" if kind == "tensordesc" else kind


def signature_text(choice, assignment, ranks):
    """The signature that tkc takes."""
    texts = []
    for name, is_constant, _ in choice:
        kind = assignment[name] if is_constant else typed(assignment[name], ranks.get(name, 2))
        texts.append(literal(kind) if is_constant else kind + (":16" if hinted(name, kind) else ""))
    return ", ".join(texts)


class Program:
    """A kernel with a choice for each parameter."""

    def __init__(self, function, choice, assignment, options, ranks):
        import triton
        self.signature, self.constants, self.attributes = {}, {}, {}
        for index, (name, is_constant, _) in enumerate(choice):
            if is_constant:
                self.signature[name] = "constexpr"
                self.constants[name] = constant(assignment[name])
                continue
            self.signature[name] = typed(assignment[name], ranks.get(name, 2))
            if hinted(name, self.signature[name]):
                self.attributes[(index,)] = [["tt.divisibility", 16]]
        self.text, self.options = signature_text(choice, assignment, ranks), options
        self.source = triton.compiler.ASTSource(function, self.signature, self.constants, self.attributes)

    def front(self, target):
        """Triton's IR as it leaves the front end."""
        from triton._C.libtriton import ir
        from triton.compiler import make_backend
        backend = make_backend(target)
        options = backend.parse_options(dict(self.options))
        context = ir.context()
        ir.load_dialects(context)
        backend.load_dialects(context)
        module = self.source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
        return backend, options, context, module

    def compile(self, target):
        """-> (assembly, seconds, bytes of shared memory)"""
        start = cpu(resource.RUSAGE_SELF)
        backend, options, context, module = self.front(target)
        stages, metadata = {}, {"target": target, **options.__dict__}
        backend.add_stages(stages, options, self.source.language)
        for name, stage in stages.items():
            if name in ("cubin", "hsaco"):
                break
            module = stage(module, metadata)
        seconds = cpu(resource.RUSAGE_SELF) - start
        if "hsaco" in stages:
            stages["hsaco"](module, metadata)  # AMD's text may still be none: inline assembly of another vendor
        return module, seconds, metadata.get("shared", 0)


def target_of(chip):
    from triton.backends.compiler import GPUTarget
    return GPUTarget("cuda", int(re.sub(r"\D", "", chip)), 32) if chip.startswith("sm_") else GPUTarget("hip", chip, 64)


def line_of(error):
    """How far into the kernel the front end came: its line of the outermost CompilationError."""
    node = getattr(error, "node", None)
    return getattr(node, "lineno", 0) or 0


def search(function, choice, options, ranks):
    """The first program that Triton's front end takes, or what it said of the one it came furthest with."""
    start, tries, best, said, seen = time.time(), 0, (-1, None), "", set()
    target = target_of("sm_90a")

    def attempt(assignment):
        nonlocal tries, best, said
        key = repr(sorted(assignment.items(), key=str))
        if key in seen or tries >= SEARCH_TRIES or time.time() - start > SEARCH_SECONDS:
            return None
        seen.add(key)
        tries += 1
        try:
            program = Program(function, choice, assignment, options, ranks)
            program.front(target)
            return program
        except Exception as error:
            if line_of(error) > best[0]:
                best, said = (line_of(error), assignment), words(error)
            return None

    for assignment in signatures.candidates(choice, 24):
        program = attempt(assignment)
        if program:
            return program, ""
    moved = True
    while moved and tries < SEARCH_TRIES:
        moved = False
        reached, base = best
        for name, _, values in choice:
            for value in values:
                program = attempt(dict(base, **{name: value}))
                if program:
                    return program, ""
            if best[0] > reached:
                moved = True
                break
    return None, said


def describe_ranks(function):
    """{descriptor: number of its indices}"""
    ranks = {}
    for call in (n for n in ast.walk(function) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and isinstance(n.func.value, ast.Name)):
        if call.func.attr in ("load", "store") and call.args and isinstance(call.args[0], (ast.List, ast.Tuple)):
            ranks[call.func.value.id] = len(call.args[0].elts)
    return ranks


def propose(found, clone):
    """-> (function, choices, options, ranks) of a kernel of a clone."""
    import importlib
    path, tree, node = found
    root = next(r for r in sources.roots_of(clone) if path.startswith(r + os.sep))
    module = importlib.import_module(sources.module_name(path, root))
    function, configured, options, heuristics = unwrapped(getattr(module, node.name, None))
    if function is None:
        raise LookupError("the module does not define it without what is missing")
    helpers = {f.name: f for f in sources.jit_functions(tree)}
    constants = {p.name for p in function.params if p.is_constexpr}
    defaults = {p.name: getattr(p.default, "value", p.default) for p in function.params if p.has_default and not isinstance(p.default, sources.Stranger)}
    choice = signatures.choices(node, tree, helpers, constants, {k: v for k, v in configured.items() if k in function.arg_names}, defaults)
    return function, choice, options or {"num_warps": 4, "num_stages": 3}, describe_ranks(node)


def asked(found, clone, chips, folder, name):
    """Triton's answer for a kernel: a line of triton.jsonl."""
    line = {"id": name, "source": found[0], "kernel": found[2].name, "accepted": {}}
    try:
        function, choice, options, ranks = propose(found, clone)
        program, said = search(function, choice, options, ranks)
    except Exception as error:
        return dict(line, said=words(error))
    if program is None:
        return dict(line, said=said)
    line.update(signature=program.text, **program.options)
    for chip in chips:
        try:
            text, seconds, shared = program.compile(target_of(chip))
        except BaseException as error:
            line["accepted"][chip] = {"said": words(error)}
            continue
        with open(os.path.join(folder, f"{name}.triton.{'ptx' if chip.startswith('sm_') else 's'}"), "w") as file:
            file.write(text)
        line["accepted"][chip] = {"seconds": round(seconds, 2), "shared": shared}
    return line


def forked(function, seconds):
    """What a function gives in a process of its own, or {"said": how it ended}."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        signal.alarm(seconds)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        answer = json.dumps(function(), default=str).encode()
        with os.fdopen(write, "wb") as pipe:
            pipe.write(answer)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    return json.loads(answer) if answer else {"said": f"Triton: ended by signal {status & 127}", "accepted": {}}


def ask_triton(clones, chips, folder, only):
    import triton  # noqa: F401
    import triton.language  # noqa: F401
    with open(os.path.join(folder, "triton.jsonl"), "a+") as file:
        file.seek(0)
        known = {json.loads(line)["id"] for line in file}
        for clone in sorted(os.path.join(clones, d) for d in os.listdir(clones)):
            if not os.path.isdir(clone):
                continue
            finder = sources.Finder(sources.roots_of(clone))
            sys.meta_path.insert(0, finder)
            for found in sources.kernels(clone):
                path = os.path.relpath(found[0], clones)
                name = re.sub(r"[^\w.-]", "_", f"{path[:-3]}-{found[2].name}")[-150:]
                if name in known or not re.search(only, name):
                    continue
                line = dict(forked(lambda: asked(found, clone, chips, folder, name), 300), id=name, clone=clone)
                file.write(json.dumps(line) + "\n")
                file.flush()
            sys.meta_path.remove(finder)


# ---- tkc ----


def ask_tkc(tkc, line, chip, folder, options):
    output = os.path.join(folder, f"{line['id']}.tkc.{'ptx' if chip.startswith('sm_') else 's'}")
    command = [tkc, line["source"], "-n", line["kernel"], "-s", line["signature"], "-t", chip, "-o", output, "--no-header", "--no-json", "-j1",
               "-w", str(line["num_warps"]), f"--num-stages={max(1, line['num_stages'])}", *options]
    for root in sources.roots_of(line["clone"]):
        command += ["-I", root]
    before = cpu(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=COMPILE_SECONDS)
        status, said = {0: "compiled", 1: "refused"}.get(done.returncode, "fault"), done.stderr
    except subprocess.TimeoutExpired:
        status, said = "fault", f"not done after {COMPILE_SECONDS} s"
    errors = [t for t in said.splitlines() if "error:" in t or "tkc:" in t] or said.splitlines()[:3]
    status = "foreign" if status == "refused" and errors and all(FOREIGN in e for e in errors) else status
    return {"status": status, "said": " | ".join(errors)[:600] if status != "compiled" else "", "seconds": round(cpu(resource.RUSAGE_CHILDREN) - before, 2)}


def assembled(ptx, folder):
    """{registers, stack, instructions} of a PTX text by Triton's ptxas, or what it said."""
    import triton
    tools = os.path.join(os.path.dirname(triton.__file__), "backends", "nvidia", "bin")
    with tempfile.NamedTemporaryFile(suffix=".cubin", dir=folder) as cubin:
        done = subprocess.run([tools + "/ptxas-blackwell", "-v", "--gpu-name", "sm_90a", ptx, "-o", cubin.name], capture_output=True, text=True)
        if done.returncode:
            return {"said": done.stderr[:300]}
        code = subprocess.run([tools + "/cuobjdump", "-sass", cubin.name], capture_output=True, text=True).stdout
    count = len([t for t in code.splitlines() if re.match(r"\s+/\*[0-9a-f]{4,}\*/", t) and "NOP" not in t and "BRA `" not in t])
    registers, stack = re.search(r"Used (\d+) registers", done.stderr), re.search(r"(\d+) bytes stack frame", done.stderr)
    return {"registers": int(registers[1]), "stack": int(stack[1]) if stack else 0, "instructions": count}


def counted(line, chip):
    accepted = line.get("accepted", {}).get(chip, {})
    return "seconds" in accepted and accepted["shared"] <= SHARED.get(chip, 1 << 30)


def report(results, chips):
    """Acceptance and time, a row a clone and chip; then every refusal, and every kernel above its time."""
    print(f"{'clone':40} {'chip':8} {'Triton':>7} {'tkc':>6} {'slow':>5} {'s, Triton':>10} {'s, tkc':>8}")
    whole = collections.Counter()
    for clone in sorted({r["clone"] for r in results}):
        for chip in chips:
            rows = [r for r in results if r["clone"] == clone and r["chip"] == chip and r["status"] != "foreign"]
            taken, slow = sum(r["status"] == "compiled" for r in rows), sum(is_slow(r) for r in rows)
            times = [sum(r["triton"] for r in rows), sum(r["seconds"] for r in rows)]
            print(f"{os.path.basename(clone):40} {chip:8} {len(rows):7} {taken:6} {slow:5} {times[0]:10.1f} {times[1]:8.1f}")
            whole.update({(chip, "all"): len(rows), (chip, "taken"): taken, (chip, "slow"): slow})
    for chip in chips:
        share = 100 * whole[chip, "taken"] / max(1, whole[chip, "all"])
        print(f"{chip}: {whole[chip, 'taken']} of {whole[chip, 'all']} kernels, {share:.2f} %; {whole[chip, 'slow']} slow")
    for r in results:
        if r["status"] != "compiled":
            print(f"{r['status']} {r['id']} {r['chip']}: {r['said']}")
        elif r["seconds"] > LONG_SECONDS:
            print(f"{'slow' if is_slow(r) else 'long'} {r['id']} {r['chip']}: {r['seconds']} s, Triton {r['triton']} s")
        if r.get("ptxas", {}).get("said"):
            print(f"ptxas {r['id']}: {r['ptxas']['said']}")


def is_slow(row):
    return row["status"] == "compiled" and row["seconds"] > max(SLOW_SECONDS, row["triton"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones")
    parser.add_argument("--out", required=True)
    parser.add_argument("--tkc")
    parser.add_argument("--targets", default="sm_90a,gfx942")
    parser.add_argument("--only", default="", help="kernels whose name (clone, file, kernel) this matches")
    parser.add_argument("--option", action="append", default=[], help="an option of tkc")
    parser.add_argument("--known", action="store_true", help="do not ask Triton for what is not in triton.jsonl")
    parser.add_argument("--assemble", action="store_true")
    a = parser.parse_args()
    chips, folder = a.targets.split(","), os.path.abspath(a.out)
    os.makedirs(folder, exist_ok=True)
    if not a.known:
        ask_triton(os.path.abspath(a.clones), chips, folder, a.only)
    with open(os.path.join(folder, "triton.jsonl")) as file:
        lines = [line for line in map(json.loads, file) if re.search(a.only, line["id"])]
    results = []
    for line in lines if a.tkc else ():
        for chip in (c for c in chips if counted(line, c)):
            row = {"id": line["id"], "clone": line["clone"], "chip": chip, "triton": line["accepted"][chip]["seconds"], **ask_tkc(a.tkc, line, chip, folder, a.option)}
            if a.assemble and chip.startswith("sm_") and row["status"] == "compiled":
                stem = os.path.join(folder, line["id"])
                row["ptxas"], row["ptxas_triton"] = assembled(stem + ".tkc.ptx", folder), assembled(stem + ".triton.ptx", folder)
            results.append(row)
    with open(os.path.join(folder, "tkc.jsonl"), "w") as file:
        file.writelines(json.dumps(row) + "\n" for row in results)
    print(f"{len(lines)} kernels, of which Triton takes " + ", ".join(f"{sum(counted(n, c) for n in lines)} on {c}" for c in chips))
    report(results, chips)
    return 0


if __name__ == "__main__":
    sys.exit(main())
