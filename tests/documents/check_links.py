#!/usr/bin/env python3
"""Documents name nothing that is not there: links of the .md files of the tree lead to files and headings, and paths in backticks
that begin with a folder of the top level exist.

    check_links.py ROOT                 prints what is stale, and where a file of that name is now
    UPDATE=1 check_links.py ROOT        writes the new path where there is only one file of that name
"""
import glob
import os
import re
import sys

TOP = ("src", "passes", "dialects", "tools", "tests", "examples", "include", "cmake")
LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)")
PATH = re.compile(r"`((?:%s)/[A-Za-z0-9_./*-]*)`" % "|".join(TOP))


def documents(root):
    for folder, folders, files in os.walk(root):
        folders[:] = [f for f in folders if f != ".git" and not f.startswith("build")]
        for name in files:
            if name.endswith(".md"):
                yield os.path.join(folder, name)


def prose(text):
    """The text with the lines of code blocks emptied."""
    lines, inside = [], False
    for line in text.split("\n"):
        fence = line.lstrip().startswith("```")
        lines.append("" if inside or fence else line)
        inside ^= fence
    return "\n".join(lines)


def anchors(path):
    """What GitHub calls the headings of a page."""
    with open(path, encoding="utf-8") as file:
        headings = re.findall(r"^#+ (.*)$", prose(file.read()), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.replace("`", "")).strip().lower().replace(" ", "-") for heading in headings}


def link_fault(document, link):
    if re.match(r"[a-z]+:", link):
        return None
    path, _, anchor = link.partition("#")
    target = os.path.normpath(os.path.join(os.path.dirname(document), path)) if path else document
    if not os.path.exists(target):
        return "leads nowhere"
    if anchor and target.endswith(".md") and anchor not in anchors(target):
        return "leads to no heading"
    return None


def is_there(root, path):
    full = os.path.join(root, path)
    return bool(glob.glob(full)) if "*" in path else os.path.exists(full)


def moved(root, path):
    """The files of that name in the same folder of the top level, or in another one."""
    name = os.path.basename(path.rstrip("/"))
    if not name or "*" in name:
        return []
    found = [os.path.relpath(p, root) for top in TOP for p in glob.glob(os.path.join(root, top, "**", name), recursive=True)]
    same = [p for p in found if p.split("/")[0] == path.split("/")[0]]
    return same or found


def check(root, document):
    with open(document, encoding="utf-8") as file:
        text = file.read()
    shown, plain, faults = os.path.relpath(document, root), prose(text), 0
    for link in LINK.findall(plain):
        fault = link_fault(document, link)
        if fault:
            print(f"{shown}: the link {link} {fault}")
            faults += 1
    for path in dict.fromkeys(PATH.findall(plain)):
        if is_there(root, path):
            continue
        now = moved(root, path)
        if len(now) == 1 and os.environ.get("UPDATE"):
            text = text.replace(f"`{path}`", f"`{now[0]}`")
            continue
        print(f"{shown}: there is no {path}" + (f"; it is now {' or '.join(now)}" if now else ""))
        faults += 1
    if os.environ.get("UPDATE"):
        with open(document, "w", encoding="utf-8") as file:
            file.write(text)
    return faults


def main():
    root = os.path.abspath(sys.argv[1])
    faults = sum(check(root, document) for document in sorted(documents(root)))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
