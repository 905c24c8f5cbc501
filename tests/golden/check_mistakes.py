#!/usr/bin/env python3
"""Typical mistakes, and what tkc says about each: tests/golden/errors/mistakes, a file a mistake. The last lines of a file are

    # tkc: --kernel scael          options; may be missing
    # at: 7:20                     the place of the first error or warning; 0:0 is the file or the command line as a whole
    # says: tl has no laod …       its message
    # note: 5:5: twice is …        each of its notes

    check_mistakes.py TKC FOLDER   UPDATE=1 rewrites the lines
"""
import glob
import json
import os
import re
import subprocess
import sys


def header(text, name):
    return "\n".join(re.findall(rf"^# {name}: (.*)$", text, re.M))


def place_of(diagnostic):
    place = diagnostic["place"] or {}
    return f"{place.get('line', 0)}:{place.get('column', 0)}"


def first_of(tkc, path, options):
    command = [tkc, os.path.basename(path), *options.split(), "--emit=ptx", "-o", os.devnull, "--no-header", "--no-json",
               "--diagnostics-format=json"]
    done = subprocess.run(command, cwd=os.path.dirname(path), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    diagnostics = json.loads(done.stderr)["diagnostics"]
    if not diagnostics:
        return "", "nothing", ""
    notes = [f"{place_of(note)}: {note['message']}" for note in diagnostics[0]["notes"]]
    return place_of(diagnostics[0]), diagnostics[0]["message"], "\n".join(notes)


def main(tkc, folder):
    faults, paths = 0, sorted(glob.glob(os.path.join(folder, "*.tk")))
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        at, says, notes = first_of(tkc, path, header(text, "tkc"))
        if os.environ.get("UPDATE"):
            text = re.sub(r"^# (at|says|note): .*\n", "", text, flags=re.M)
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"{text}# at: {at}\n# says: {says}\n" + "".join(f"# note: {note}\n" for note in notes.splitlines()))
        elif (at, says, notes) != tuple(header(text, name) for name in ("at", "says", "note")):
            faults += 1
            print(f"{path}: wanted {header(text, 'at')}: {header(text, 'says')}\n{header(text, 'note')}")
            print(f"  got {at}: {says}\n{notes}")
    if len(paths) < 85:
        faults += 1
        print(f"{len(paths)} mistakes, not 85 or more")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
