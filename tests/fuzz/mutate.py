#!/usr/bin/env python3
"""Mutated sources: kernels that compile, with one to four changes, and no compilation may end in an internal error, hang, or
leave a file behind that it should not.

    lang_test --launches --seed 1 > lang.jsonl
    mutate.py TKC lang.jsonl examples… --target sm_90a [--cpu SECONDS] [--count N] [--seed N] [--jobs N] [--keep FOLDER]

Tokens of the kernel are replaced, dropped, doubled and exchanged, lines likewise, words of other kernels put in, options
changed. A good end has status 0 and the files asked for, or status 1 (2 for options) and none; within SLOW seconds of processor
time. What ends otherwise is kept, and one line a kind of message says so. --cpu is processor time of all compilations together.
"""
import argparse
import collections
import io
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import tokenize

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "differential"))
import launches  # noqa: E402  (the folder beside this one)

SLOW, LIMIT, WALL = 10, 30, 120
NUMBERS = ("0", "1", "-1", "2", "3", "4", "7", "8", "15", "16", "17", "31", "32", "33", "64", "100", "128", "256", "1024", "4096",
           "65536", "1048576", "2147483647", "2147483648", "4294967296", "9223372036854775807", "9223372036854775808",
           "1" + "0" * 40, "0.0", "0.5", "-1.0", "1e-320", "1e308", "1e400", "float('inf')", "float('nan')", "True", "None")
OPERATORS = ("and", "or", "is", "in", ",", ":", ".", "not", "(", ")", "[", "]", "{", "}", "@", "->", ":=", ";", "~")
ALIKE = (("+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^"), ("==", "!=", "<", "<=", ">", ">="),
         ("=", "+=", "-=", "*=", "//=", "^="))
WORDS = ("break", "continue", "return", "pass", "if", "else", "for", "while", "def", "lambda", "None", "tl", "range", "x", "yield",
         "global", "assert", "del", "import", "class", "with", "try", "match", "raise", "async", "tl.static_range", "tl.range")
STRINGS = ('""', '"fp16"', '"*i8:16"', '"constexpr"', '".cg"', '"evict_last"', '"tf32"', '"ieee"', '"acq_rel"', '"rn"',
           '"\\0"', '"{}"', 'f"{x}"', 'b"x"', '"é"', '"tensordesc<fp16[4, 8]>"', '"(*fp32, i32)"')
OPTIONS = (["-w", "1"], ["-w", "2"], ["-w", "8"], ["-w", "16"], ["-w", "32"], ["--num-stages", "1"], ["--num-stages", "7"],
           ["--no-tensor-maps"], ["--fp-contract=off"], ["-G"], ["-lineinfo"], ["--opt-level=0"], ["--num-ctas=2"],
           ["--maxnreg=64"], ["--no-grouped-pid"], ["--group-size=3"], ["--check-shared"], ["-g", "1, 2, 3"], ["-D", "BLOCK=32"],
           ["-s", "*fp32, *fp32, i32"], ["-s", "*fp16:16, i64:1"])


# ---- one mutant ----


def tokens_of(text):
    """(kind, text, start, end) with offsets, as far as Python can split it."""
    starts = [0]
    for line in text.splitlines(True):
        starts.append(starts[-1] + len(line))
    found = []
    try:
        for t in tokenize.generate_tokens(io.StringIO(text).readline):
            if t.type in (tokenize.NAME, tokenize.NUMBER, tokenize.OP, tokenize.STRING):
                found.append((t.type, t.string, starts[t.start[0] - 1] + t.start[1], starts[t.end[0] - 1] + t.end[1]))
    except (tokenize.TokenError, IndentationError, SyntaxError):
        pass
    return found


def kernel_range(text, kernel):
    """Where the kernel's own lines are: most changes go there."""
    match = re.search(rf"^def {re.escape(kernel)}\(", text, re.M) if kernel else None
    if not match:
        return 0, len(text)
    end = re.search(r"^(?=[^\s)#])", text[match.end():], re.M)
    return match.start(), match.end() + end.start() if end else len(text)


def other_word(rng, kind, word, words):
    """Often one of the same kind, so that a good part of the mutants compiles."""
    alike = next((group for group in ALIKE if word in group), OPERATORS)
    if kind == tokenize.NUMBER:
        return rng.choice(NUMBERS)
    if kind == tokenize.STRING:
        return rng.choice(STRINGS)
    if kind == tokenize.OP:
        return rng.choice(alike if rng.random() < 0.8 else OPERATORS)
    return rng.choice(rng.choice((words["near"], words["near"], words["near"], words["all"], WORDS, NUMBERS)))


def change_tokens(rng, text, kernel, words):
    first, last = kernel_range(text, kernel)
    tokens = [(kind, word, first + start, first + end) for kind, word, start, end in tokens_of(text[first:last])]
    words = {"all": words, "near": [t[1] for t in tokens if t[0] == tokenize.NAME] or WORDS}
    if not tokens:
        return text + rng.choice(WORDS)
    at = rng.randrange(len(tokens))
    kind, word, start, end = tokens[at]
    how = rng.choice(("replace",) * 9 + ("drop", "double", "insert", "exchange", "sequence"))
    if how == "replace":
        new = other_word(rng, kind, word, words)
    elif how == "drop":
        new = ""
    elif how == "double":
        new = word + " " + word
    elif how == "insert":
        new = word + " " + other_word(rng, rng.choice((kind, tokenize.NAME, tokenize.OP)), word, words)
    elif how == "exchange":
        _, other, start2, end2 = tokens[rng.randrange(len(tokens))]
        if end2 <= start:
            return text[:start2] + word + text[end2:start] + other + text[end:]
        new = other
    else:  # a run of tokens from somewhere else
        source = rng.randrange(len(tokens))
        stop = tokens[min(len(tokens) - 1, source + rng.randrange(1, 12))][3]
        new = text[tokens[source][2]:stop]
    return text[:start] + new + text[end:]


def change_lines(rng, text, kernel, words):
    first, last = kernel_range(text, kernel)
    lines = text[first:last].splitlines(True)
    if len(lines) < 2:
        return text
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    how = rng.choice(("drop", "double", "exchange", "move", "indent", "dedent", "cut"))
    if how == "drop":
        del lines[at]
    elif how == "double":
        lines.insert(at, lines[at])
    elif how == "exchange":
        lines[at], lines[other] = lines[other], lines[at]
    elif how == "move":
        lines.insert(other, lines.pop(at))
    elif how == "indent":
        lines[at] = "    " + lines[at]
    elif how == "dedent":
        lines[at] = lines[at][4:] if lines[at].startswith("    ") else lines[at]
    else:
        lines = lines[:at]
    return text[:first] + "".join(lines) + text[last:]


def mutate(rng, text, kernel, words):
    for _ in range(rng.choice((1, 1, 1, 1, 2, 3, 4))):
        text = (change_lines if rng.random() < 0.2 else change_tokens)(rng, text, kernel, words)
    return text


# ---- running ----


def outputs(rng, target):
    kinds = ("ptx", "ptx", "ptx", "ll", "mlir") if target.startswith("sm") else ("s", "s", "s", "hsaco", "ll")
    return rng.choice(kinds)


class Trial:
    """A folder of its own, and what is in it after a compilation."""

    def __init__(self, tkc, target, keep):
        self.tkc, self.target, self.keep = tkc, target, keep
        self.folder = tempfile.mkdtemp(prefix="mutate_")
        self.temporary = os.path.join(self.folder, "tmp")
        os.mkdir(self.temporary)

    def run(self, arguments):
        """-> status (negative: a signal, None: killed for time), processor seconds, stderr."""
        with open(os.path.join(self.folder, "stderr"), "w+b") as errors:
            process = subprocess.Popen(
                [self.tkc, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
                env=dict(os.environ, TMPDIR=self.temporary),
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT)))
            timer = threading.Timer(WALL, process.kill)
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            errors.seek(0)
            text = errors.read().decode(errors="replace")
        os.unlink(os.path.join(self.folder, "stderr"))
        return process.returncode, usage.ru_utime + usage.ru_stime, text

    def fault(self, text, launch, rng):
        """-> (what is wrong or None, seconds)"""
        source, kind = "k.tk", outputs(rng, self.target)
        with open(os.path.join(self.folder, source), "w", errors="surrogateescape") as file:
            file.write(text)
        wanted = [f"k.{kind}"] + (["k.h", "k.json"] if kind in ("ptx", "hsaco") else [])
        arguments = launches.command("", dict(launch, source=source), self.target, wanted[0], [])[1:]
        arguments.remove("--no-header")
        for _ in range(rng.choice((0, 0, 1, 2))):
            arguments += rng.choice(OPTIONS)
        status, seconds, said = self.run(arguments)
        there = set(os.listdir(self.folder)) - {source, "tmp"}
        wrong = None
        if status == -9:
            wrong = "killed: " + (f"{LIMIT} s of processor time" if seconds > LIMIT - 1 else f"{WALL} s asleep, or starved")
        elif status not in (0, 1, 2):
            wrong = f"status {status}"
        elif seconds > SLOW:
            wrong = f"slow: {seconds:.1f} s"
        elif status and there or os.listdir(self.temporary):
            wrong = f"left behind: {sorted(there) + os.listdir(self.temporary)}"
        elif status == 0 and not there >= {wanted[0]}:
            wrong = f"wrote only {sorted(there)}"
        elif status == 0 and there - set(wanted) - {"k.h", "k.json"}:
            wrong = f"wrote {sorted(there)}"
        elif status and not said.strip():
            wrong = f"status {status} without a word"
        if wrong:
            self.save(text, arguments, said, wrong)
        for name in there:
            os.unlink(os.path.join(self.folder, name))
        for name in os.listdir(self.temporary):
            os.unlink(os.path.join(self.temporary, name))
        return (f"{wrong}: {first_line(said)}" if wrong else None), seconds, status

    def save(self, text, arguments, said, wrong):
        os.makedirs(self.keep, exist_ok=True)
        stem = os.path.join(self.keep, f"{self.target}-{abs(hash(text)) % 10**10:010d}")
        with open(stem + ".tk", "w", errors="surrogateescape") as file:
            file.write(text)
        with open(stem + ".txt", "w") as file:
            file.write(f"{wrong}\n{arguments}\n{said}")

    def close(self):
        shutil.rmtree(self.folder)


def first_line(said):
    lines = [line for line in said.splitlines() if line.strip()]
    inside = [line for line in lines if "internal error" in line or "LLVM ERROR" in line or "Assertion" in line]
    return re.sub(r"\d+", "N", (inside or lines or [""])[0])[:200]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tkc")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--cpu", type=float, default=60)
    parser.add_argument("--count", type=int, default=10**9, help="mutants at most")
    parser.add_argument("--wall", type=float, default=float("inf"), help="seconds at most")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", default="mutants")
    a = parser.parse_args()
    a.tkc = os.path.abspath(a.tkc)
    seed = a.seed if a.seed is not None else random.randrange(10**6)
    found = launches.find(a.paths)
    texts = {}
    for launch in found:
        if launch["source"] not in texts:
            with open(launch["source"], errors="surrogateescape") as file:
                texts[launch["source"]] = file.read()
    words = sorted({w for text in texts.values() for w in re.findall(r"\b(?:tl|libdevice)\.\w+|\b[A-Za-z_]\w*", text)})
    lock, spent, wrong = threading.Lock(), [0.0, 0], collections.Counter()
    statuses = collections.Counter()

    def work(index):
        rng, trial = random.Random(f"{seed} {a.target} {index}"), Trial(a.tkc, a.target, a.keep)
        while spent[0] < a.cpu and spent[1] < a.count and time.time() - begin < a.wall:
            launch = rng.choice(found)
            mutant = mutate(rng, texts[launch["source"]], launch.get("kernel"), words)
            fault, seconds, status = trial.fault(mutant, launch, rng)
            with lock:
                spent[0] += seconds
                spent[1] += 1
                statuses[status] += 1
                if fault:
                    if not wrong[fault]:
                        print(f"{a.target}: {fault}", flush=True)
                    wrong[fault] += 1
        trial.close()

    begin = time.time()
    threads = [threading.Thread(target=work, args=(i,)) for i in range(a.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{a.target}, seed {seed}: {spent[1]} mutants in {spent[0]:.0f} s of processor time ({time.time() - begin:.0f} s), "
          f"{statuses[0]} compile, {statuses[1]} are refused; {sum(wrong.values())} ended badly, in {len(wrong)} ways")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
