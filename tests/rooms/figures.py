"""The size of the house and the words of its comments, to be compared over time; nothing here is a limit.

    python3 tests/rooms/figures.py ROOT [BUILD_FOLDER]

Prints lines by folder, for C the rates of words in comments, and with a build folder the circles between files: sets of files
that call each other, by the symbols of the object files. A function that another program defines too counts in its own program alone.
"""
import os
import re
import subprocess
import sys

RELATIVE = r"\b(what|that|which|where|those|who|whose)\b"
OPENING = r"(What|Whether|Of|Where|Those|That|Whoever|Who|The same|One|An?d|Nor|Nothing|Else|It)\b"
FOLDERS = ["passes", "src", "dialects", "tools", "include", "tests", "examples"]


def comments_of(text):
    """Each run of comment lines as one string, and each comment behind code."""
    found, run = [], []
    for line in text.split("\n"):
        comment = re.match(r"\s*(//+|\*|/\*+)\s?(.*)", line)
        if comment:
            run.append(comment[2].replace("*/", ""))
            continue
        if run:
            found.append(" ".join(run))
            run = []
        behind = re.search(r"\s//\s(.*)", line)
        if behind:
            found.append(behind[1])
    # Prose alone: no code, no licence, four words at least.
    return [c for c in found if len(c.split()) >= 4 and not re.search(r"[;{}=]\s|copyright|license", c, re.I)]


def files_of(root, folder):
    listed = subprocess.run(["git", "ls-files", folder], cwd=root, capture_output=True, text=True, check=True).stdout.split("\n")
    return [os.path.join(root, name) for name in listed if name]


def print_folder(root, folder):
    names = files_of(root, folder)
    comments, lines, c_lines = [], 0, 0
    for name in names:
        try:
            text = open(name).read()
        except UnicodeDecodeError:
            continue
        lines += text.count("\n")
        if name.endswith((".c", ".h")):
            c_lines += text.count("\n")
            comments += comments_of(text)
    sentences = [s for c in comments for s in re.split(r"(?<=[.!?])\s+|;\s", c) if len(s.split()) >= 3]
    words = sum(len(re.findall(r"[A-Za-z']+", s)) for s in sentences)
    relative = sum(len(re.findall(RELATIVE, s.lower())) for s in sentences)
    openings = sum(bool(re.match(OPENING, c)) for c in comments)
    print(f"| `{folder}` | {len(names):,} | {lines:,} | {c_lines:,} | {1000 * relative / max(1, words):.0f}"
          f" | {100 * openings / max(1, len(comments)):.0f} % |")


def arrows_of(root, build):
    """{file: the files whose functions or variables it uses}"""
    home, uses, seen = {}, [], set()
    for folder, _, names in os.walk(os.path.join(build, "CMakeFiles")):
        for name in names:
            path = os.path.join(folder, name)
            place = re.search(r"CMakeFiles/(.*?)\.dir/((?:src|passes|dialects|tools)/.*\.c)\.o$", path)
            if not place or place[2] == "tools/malloc.c" or place[2] in seen or not os.path.exists(os.path.join(root, place[2])):
                continue
            program, source = place[1], place[2]
            seen.add(source)
            program = "" if program.startswith("tkc_") else program
            for line in subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout.splitlines():
                kind, symbol = line.split()[-2:]
                if kind == "U":
                    uses.append((program, source, symbol))
                elif kind in "TDBRVW":
                    home[program, symbol] = source
    arrows = {source: set() for source in seen}
    for program, source, symbol in uses:
        to = home.get((program, symbol), home.get(("", symbol)))
        if to and to != source:
            arrows[source].add(to)
    return arrows


def circles_of(arrows):
    """Tarjan's strongly connected components of two files and more."""
    sys.setrecursionlimit(10000)
    number, low, stack, circles = {}, {}, [], []

    def visit(file):
        number[file] = low[file] = len(number)
        stack.append(file)
        for other in sorted(arrows[file]):
            if other not in number:
                visit(other)
                low[file] = min(low[file], low[other])
            elif other in stack:
                low[file] = min(low[file], number[other])
        if low[file] == number[file]:
            at = stack.index(file)
            circles.append(stack[at:])
            del stack[at:]

    for file in sorted(arrows):
        if file not in number:
            visit(file)
    return sorted((sorted(c) for c in circles if len(c) > 1), key=len, reverse=True)


def main():
    root = sys.argv[1]
    print("| folder | files | lines | of C | relative words in 1,000 | comments that open with one |\n|---|---|---|---|---|---|")
    for folder in FOLDERS:
        print_folder(root, folder)
    if len(sys.argv) > 2:
        arrows = arrows_of(root, sys.argv[2])
        circles = circles_of(arrows)
        print(f"\n{len(arrows)} files, {sum(map(len, arrows.values())):,} arrows, {len(circles)} circles of"
              f" {sum(map(len, circles))} files in all:")
        for circle in circles:
            print(f"- {len(circle)}: {' '.join(circle)}")


if __name__ == "__main__":
    main()
