"""Arrivals at mbarriers while reads of shared memory are under way, in NVIDIA's machine code: check_arrivals.py FILE.ptx|FILE.cubin... [--arch sm_90a].

An arrival may let a tensor copy overwrite what a read has not yet got: on an H200 it does (src/lower/async/lower_bulk.c). Each instruction's
control bits say which of six scoreboards it waits for, and which one its result counts at. The check follows all paths of a kernel, and lists
each SYNCS.ARRIVE with the LDS and LDSM that no wait covers; of those without a scoreboard the next LDS, LDSM or SHFL has it, as they are done in order.
Listed, too, are reads of scratch and arrivals that give no slot back: what the emulator says of a program (race: "may come before") is exact.

Needs nvdisasm (--nvdisasm; Triton's package has one), and ptxas for .ptx. Exit status 1: there are such arrivals.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

SCOREBOARDS = 6
UNASSIGNED = SCOREBOARDS  # reads whose scoreboard is a later one's
FIRST_WORD = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(.*?);?\s*/\* 0x([0-9a-f]{16}) \*/")
SECOND_WORD = re.compile(r"^\s*/\* 0x([0-9a-f]{16}) \*/")
LABEL = re.compile(r"^(\.L\S*):\s*$")
TARGET = re.compile(r"`\((\S+?)\)")
IN_ORDER = re.compile(r"(LDS|LDSM|SHFL|ATOMS)\b")

Instruction = collections.namedtuple("Instruction", "place text opcode guarded scoreboard waits")


def kernels(listing):
    """Of nvdisasm -hex: each kernel's name, its instructions, and its labels as indices of them."""
    found, code, labels, first = {}, None, None, None
    for line in listing.splitlines():
        section = re.match(r"^\.text\.(\S+):", line)
        word, second, label = FIRST_WORD.match(line), SECOND_WORD.match(line), LABEL.match(line)
        if section:
            code, labels = [], {}
            found[section.group(1)] = code, labels
        elif code is None:
            continue
        elif word:
            first = int(word.group(1), 16), " ".join(word.group(2).split())
        elif second and first:
            control = int(second.group(1), 16)
            plain = re.sub(r"^@\S+ ", "", first[1])
            code.append(Instruction(*first, plain.split(" ")[0], plain != first[1], control >> 46 & 7, control >> 52 & 63))
            first = None
        elif label:
            labels[label.group(1)] = len(code)
    return found


def successors(code, labels):
    meetings = collections.defaultdict(list)
    for at in code:
        if at.opcode.startswith("BSSY"):
            meetings[re.search(r"\bB\d+", at.text).group()] += TARGET.findall(at.text)
    for i, at in enumerate(code):
        base = at.opcode.split(".")[0]
        names = TARGET.findall(at.text) if base in ("BRA", "JMP", "CALL", "WARPSYNC") else []
        names = list(labels) if base in ("BRX", "JMX", "BRXU") else names
        if base == "BSYNC":
            names = meetings[re.search(r"\bB\d+", at.text).group()]
        conditional = at.guarded or base in ("CALL", "WARPSYNC", "BSYNC") or re.search(r" !?U?P\d", at.text)
        ends = base in ("BRA", "JMP", "BRX", "JMX", "BRXU", "EXIT", "RET") and not conditional
        yield [j for j in [labels.get(name, len(code)) for name in names] if j < len(code)] + (
            [] if ends or i + 1 == len(code) else [i + 1])


def behind(at, index, pending):
    """The reads under way behind an instruction, a set a scoreboard."""
    pending = [frozenset() if b < SCOREBOARDS and at.waits >> b & 1 else reads for b, reads in enumerate(pending)]
    if at.opcode.startswith("DEPBAR"):
        counted = re.search(r"SB(\d), 0x0\b", at.text)
        others = re.search(r"\{([\d,]+)\}", at.text)
        for b in ([counted.group(1)] if counted else []) + (others.group(1).split(",") if others else []):
            pending[int(b)] = frozenset()
    if IN_ORDER.match(at.opcode) and not at.text.startswith("@!PT"):
        reads = pending[UNASSIGNED] | ({index} if at.opcode.startswith("LDS") else frozenset())
        pending[UNASSIGNED] = frozenset() if at.scoreboard < SCOREBOARDS else reads
        if at.scoreboard < SCOREBOARDS:
            pending[at.scoreboard] |= reads
    return tuple(pending)


def arrivals(code, labels):
    """Pairs of an arrival and the reads under way there."""
    following = list(successors(code, labels))
    ahead = [None] * len(code)
    ahead[0] = (frozenset(),) * (SCOREBOARDS + 1)
    work = [0]
    while work:
        i = work.pop()
        pending = behind(code[i], i, ahead[i])
        for j in following[i]:
            merged = tuple(a | b for a, b in zip(ahead[j], pending)) if ahead[j] else pending
            if merged != ahead[j]:
                ahead[j] = merged
                work.append(j)
    for i, at in enumerate(code):
        if at.opcode.startswith("SYNCS.ARRIVE") and ahead[i]:
            reads = frozenset().union(*(r for b, r in enumerate(ahead[i]) if b == UNASSIGNED or not at.waits >> b & 1))
            if reads:
                yield at, [code[r] for r in sorted(reads)]


def check(path, options):
    with tempfile.TemporaryDirectory() as folder:
        cubin = path
        if path.endswith(".ptx"):
            cubin = os.path.join(folder, "k.cubin")
            subprocess.run([options.ptxas, "-arch", options.arch, "-o", cubin, path], check=True, stderr=subprocess.DEVNULL)
        listing = subprocess.run([options.nvdisasm, "-hex", "-c", cubin], check=True, capture_output=True, text=True).stdout
    lines = []
    for code, labels in kernels(listing).values():
        for at, reads in arrivals(code, labels) if code else []:
            lines.append("%s: %04x %s behind %d reads: %s" % (os.path.basename(path), at.place, at.text, len(reads), "; ".join(
                "%04x %s" % (read.place, read.text) for read in reads[:4])))
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("--ptxas", default=shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas")
    parser.add_argument("--nvdisasm", default=shutil.which("nvdisasm") or "nvdisasm")
    options = parser.parse_args()
    files = [f for f in options.files if not f.endswith(".ptx") or "mbarrier.arrive" in open(f).read()]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [lines for lines in pool.map(lambda path: check(path, options), files) if lines]
    for lines in found:
        print("\n".join(lines))
    print("%d of %d kernels arrive with reads under way" % (len(found), len(files)))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
