"""The table of decision 40 has each attribute that the passes of plans write, and no attribute that the compiler does not have.

A pass writes an attribute in a call of op_set_… or reason_keep, or by a row of flags, `{p->behind, ATTR_BEHIND}`.

    check_plans.py ROOT [PAGE]
"""
import glob
import os
import re
import sys

PASSES = ("passes/pipeline/plan.c", "passes/specialise/roles*.c")
WRITES = r"(?:op_set_\w+|reason_keep)\([^;]*?\b(ATTR|WORDS)_(\w+)|\{\w+->\w+, (ATTR)_(\w+)\}"


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def main():
    root = sys.argv[1]
    page = sys.argv[2] if len(sys.argv) > 2 else os.path.join(root, "src/decisions/40-plans-stand-in-the-ir.md")
    names = dict(re.findall(r'(?:ATTRIBUTE|NUMBER)\((\w+), "([\w.]+)"', read(root, "src/ir/attributes.def")))
    words = dict(re.findall(r"WORD_KIND\(\w+, (\w+), ATTR_(\w+)", read(root, "dialects/tk/words.def")))
    table = [line.split("|")[1] for line in read("", page).splitlines() if line.startswith("|")]
    told = set(re.findall(r"`([\w.]+)`", " ".join(table)))
    faults = [f"{page}: no attribute has the name {name}" for name in sorted(told - set(names.values()))]
    for path in sorted(path for pattern in PASSES for path in glob.glob(os.path.join(root, pattern))):
        written = set()
        for kind, name, flag_kind, flag in re.findall(WRITES, read("", path)):
            written.add(names[words[name] if kind == "WORDS" else name or flag])
        faults += [f"{page}: its table does not have {name}, which {os.path.relpath(path, root)} writes" for name in sorted(written - told)]
    if not told:
        faults.append(f"{page}: no table of attributes")
    for fault in faults:
        print(fault)
    sys.exit(len(faults) > 0)


main()
