"""Each freedom of src/decisions/numerics.md has its condition, its bound, its switch, its place and its test: six cells, none of them empty,
the last one with a file of tests/. A name before "in `tests/…`" stands in that file; NAME_* is the beginning of one.

    check_freedoms.py ROOT [PAGE]
"""
import os
import re
import sys


def rows(text):
    """The tables' lines below their heads, with their numbers."""
    table = False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            table = False
        elif re.fullmatch(r"\|[-|]+\|", line):
            table = True
        elif table:
            yield number, [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def faults_of(root, cells):
    if len(cells) != 6:
        yield f"{len(cells)} cells: freedom, condition, how far, switch, where and test are six"
        return
    for name, cell in zip(("freedom", "condition", "how far", "switch", "where", "test"), cells):
        if not cell:
            yield f"no {name}"
    tests = re.findall(r"`(tests/[^`]*)`", cells[5])
    if not tests:
        yield "the test is no file of tests/"
    for path in tests:
        if not os.path.exists(os.path.join(root, path)):
            yield f"there is no {path}"
    for name, path in re.findall(r"`([A-Za-z0-9_*]+)` in `(tests/[^`]*)`", cells[5]):
        place = os.path.join(root, path)
        others = [place, place[:-3] + ".c"] if place.endswith(".tk") else [place]  # the case of a kernel is in the table beside it
        if not any(name.rstrip("*") in open(p).read() for p in others if os.path.isfile(p)):
            # Cases whose names a macro puts together: NAME_part
            yield f"{path} has no {name}"


def main():
    root = sys.argv[1]
    page = sys.argv[2] if len(sys.argv) > 2 else os.path.join(root, "src/decisions/numerics.md")
    count = failed = 0
    for number, cells in rows(open(page).read()):
        count += 1
        for fault in faults_of(root, cells):
            print(f"{page}:{number}: {fault}")
            failed += 1
    if not count:
        print(f"{page}: no table")
        failed += 1
    sys.exit(failed > 0)


main()
