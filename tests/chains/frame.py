"""What the checks of chains that become one kernel ahead of a product share: a source with the chains, their launches, runs, results.

    names = frame.begin(SOURCE, FOLDER, {"quantised": "cast(x, s, h); product8(…)"})     changes into FOLDER
    chains = frame.described(TKC, "some.json", "-t", "sm_90a")                           by name
    frame.end()                                                                          exits, with the faults if there are some
"""
import json
import os
import shutil
import struct
import subprocess
import sys

faults = []


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(" ".join(command) + "\n" + done.stdout)


def begin(source, folder, chains):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    text = open(source).read()
    for name, steps in chains.items():
        text += '\n\nclass %s_chain:\n    pass\n\n\n%s_chain.chain = "%s"\n' % (name, name, steps)
    os.chdir(folder)
    open("source.tk", "w").write(text)


def described(tkc, file, *options):
    run(tkc, "source.tk", *options, "--emit", "json", "-o", file)
    return {c["name"][:-len("_chain")]: dict(c, name=c["name"][:-len("_chain")]) for c in json.load(open(file))["chains"]}


def launches(chain, without="unless"):
    """The number of steps of each launch; where sizes choose, of one form: without those that the rule ("when") or its contrary asks for."""
    return [len(launch["steps"].split(", ")) for launch in chain["launches"] if without not in launch]


def run_chain(tkc_run, name, chip, mode, arguments, outputs):
    """outputs: files by name."""
    saved = [x for o, file in outputs.items() for x in ("--out", "%s=%s" % (o, file))]
    run(tkc_run, "source.tk", "-q", "-j", "1", "-w", "8", "--chain", name + "_chain", "--on", chip, *mode, *arguments, *saved)


def read(name):
    """The numbers of an array of 16 or 32 bits."""
    data = open(name, "rb").read()
    size = struct.unpack("<H", data[8:10])[0]
    code = "e" if b"<f2" in data[:10 + size] else "f"
    return list(struct.unpack("<%d%s" % ((len(data) - 10 - size) // struct.calcsize(code), code), data[10 + size:]))


def end():
    sys.exit("\n".join(faults) or None)
