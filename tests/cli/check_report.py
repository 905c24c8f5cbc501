#!/usr/bin/env python3
"""--report: the page is well-formed and self-contained, has every line of the source, escapes names, says the same each time, and leaves the
other outputs as they are.

    check_report.py TKC TKC_RUN ROOT FOLDER
"""
import html
import html.parser
import json
import os
import re
import shutil
import struct
import subprocess
import sys

VOID = {"meta", "br", "hr", "img", "input", "link", "path", "rect", "line", "circle", "use", "polyline"}
failed = []


def check(condition, *message):
    if not condition:
        failed.append(message)
        print("failed:", *message, file=sys.stderr)


class Page(html.parser.HTMLParser):
    """Tags that nest, attributes, the cells of the source, and the text outside of style and script."""

    def __init__(self):
        super().__init__()
        self.open, self.faults, self.addresses, self.ids, self.references = [], [], [], set(), []
        self.lines, self.text, self.in_code = {}, [], None

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if len(values) != len(attributes):
            self.faults.append(f"<{tag}> has an attribute twice")
        for name in ("src", "href", "xlink:href", "action"):
            address = values.get(name)
            if address and address.startswith("#"):
                self.references.append(address[1:])
            elif address:
                self.addresses.append(address)
        if "id" in values:
            if values["id"] in self.ids:
                self.faults.append(f"two elements have the id {values['id']}")
            self.ids.add(values["id"])
        if tag == "tr" and "data-l" in values:
            self.in_code = int(values["data-l"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"</{tag}> at {self.getpos()} closes {self.open[-1:]}")
        else:
            self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] in ("style", "script"):
            return
        self.text.append(data)
        if self.open and self.open[-1] == "code":
            self.lines.setdefault(self.in_code, data)


def compile_(*arguments):
    done = subprocess.run([TKC, *arguments], capture_output=True, text=True, timeout=100)
    return done.returncode, done.stderr


def read(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


def check_page(name, source):
    """A page by itself. -> its text"""
    text = read(name)
    page = Page()
    page.feed(text)
    page.close()
    check(not page.faults and not page.open, name, page.faults[:3], page.open)
    check(not page.addresses, name, "addresses", page.addresses)
    rest = re.sub(r'(xmlns(:\w+)?)="http://www.w3.org/[^"]*"', "", text)
    check(not re.search(r"\b(https?|ftp|file):|url\(|@import|//[a-z]+\.[a-z]", rest.replace("// ", "")), name, "an address")
    check(set(page.references) <= page.ids, name, "links to nowhere", sorted(set(page.references) - page.ids)[:5])
    check(len(text) < 1500000, name, "size", len(text))
    for number, line in enumerate(read(source).splitlines(), 1):
        check(page.lines.get(number, "") == line, name, "line", number, line, page.lines.get(number))
    return "".join(page.text)


def answer(words):
    """For messages of failures."""
    return words[words.find("Bound by"):][:900]


# Names and texts with every character special to HTML.
STRANGE = '''import triton
import triton.language as tl


@triton.jit
def copy(x: "*fp16:16", y: "*fp16", n: "i32:16", TAG: tl.constexpr = "<b>&\\"'</table><script>"):
    tl.static_assert(TAG != "", "<i>&\\"'")
    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)  # <script>alert("&amp;")</script>
    tl.store(y + i, tl.load(x + i, mask=i < n) + 1.0, mask=i < n)


copy.grid = lambda meta: (triton.cdiv(meta["n"], 1024),)
'''

SPILLING = '''import triton
import triton.language as tl


@triton.jit
def matmul(a: "*fp16:16", b: "*fp16:16", c: "*fp16:16", M: "i32", N: "i32", K: "i32"):
    rm = tl.program_id(0) * 128 + tl.arange(0, 128)
    rn = tl.program_id(1) * 128 + tl.arange(0, 128)
    rk = tl.arange(0, 32)
    acc = tl.zeros((128, 128), tl.float32)
    for k in range(0, K, 32):
        x = tl.load(a + rm[:, None] * K + (k + rk)[None, :], mask=(k + rk)[None, :] < K, other=0.0)
        y = tl.load(b + (k + rk)[:, None] * N + rn[None, :], mask=(k + rk)[:, None] < K, other=0.0)
        acc = tl.dot(x, y, acc)
    tl.store(c + rm[:, None] * N + rn[None, :], acc.to(tl.float16), mask=(rm[:, None] < M) & (rn[None, :] < N))


matmul.grid = lambda meta: (triton.cdiv(meta["M"], 128), triton.cdiv(meta["N"], 128))
'''


def check_strange():
    folder = "<b>&\"'"
    os.makedirs(folder, exist_ok=True)
    source = f"{folder}/k&lt;.tk"
    with open(source, "w", encoding="utf-8") as file:
        file.write(STRANGE)
    status, text = compile_(source, "-o", "k.ptx", "--report", "strange.html", "--ptxas", "/nowhere")
    check(status == 0, "strange names", text)
    words = check_page("strange.html", source)
    check("<script>alert" not in read("strange.html") and "k&lt;.tk" in words, "strange names are escaped")
    check("stores to y are 2 bytes wide, not 16" in words and "memory bandwidth" in words, "a kernel of elements", answer(words))


def check_matmul():
    source = f"{ROOT}/examples/matmul.tk"
    options = [source, "--config", "3", "--ptxas", "/nowhere", "-t", "sm_80"]
    compile_(*options, "-o", "plain.ptx")
    status, text = compile_(*options, "-o", "with.ptx", "--report=m.html")
    check(status == 0 and read("plain.ptx") == read("with.ptx"), "other outputs stay the same", text)
    words = check_page("m.html", source)
    smallest, small, middle, large = re.findall(r"matmul, M = N = K = (.*?) Bound by: (.*?)Change: (.*?)\.\n", words, re.S)
    check(smallest[0].startswith("128: a launch runs BLOCK_M=64, BLOCK_N=64, BLOCK_K=32, num_warps=4, num_stages=4, 4 programs")
          and smallest[2].startswith("put more work into a launch: several such problems along a further axis of the grid (27 of them, each on "
                                     "multiprocessors of its own, take some 4.04 µs together, not 27 times 3.33 µs)")
          and "By split K: 4 programs a tile" in smallest[2]  # of 4 steps
          and smallest[2].endswith("the second launch that adds up the parts costs a start and end of its own, 2.5 µs, so nothing is gained"),
          "the smallest size", smallest)
    check(small[0].startswith("256: ") and small[1].startswith("the start and the end of the kernel, 2.5 µs of some 4.07 µs at M = N = K = 256 (61 %): starting")
          and "with 16 programs for the 108 multiprocessors of A100 80GB SXM (each unit alone, at its peak: memory 193 ns, matrix units 726 ns, shared "
          "memory 1.37 µs)" in small[1], "small sizes", small)
    check(middle[0].startswith("512: ") and middle[1].startswith("too few programs, 2.63 µs of some 5.6 µs at M = N = K = 512 (47 %); about as long: start "
                                                               "and end (2.5 µs): 64 programs for the "
                                                               "108 multiprocessors") and "use smaller tiles" in middle[2], "size 512", middle)
    # A peeled step counts once: 512 steps of the loop have 512 barriers, and one stands behind it.
    check(large[0].startswith("1024 to 16384: ") and large[1].startswith("shared memory, 49 ms of some 58.2 ms at M = N = K = 16384 (75 to 84 %): a program reads "
          "and writes 12599296 bytes of it, with 513 barriers. That takes 80.7 µs, 1.7 times as long as the matrix units"), "large sizes", large)
    rows = re.findall(r'<tr><th scope="row">(\d+)</th>.*?data-head="launch">(.*?)</td>(.*?)</tr>', read("m.html"))
    bounds = [re.search(r'data-head="([a-z ]+)"><b>', row[2]).group(1) for row in rows]
    check([row[0] for row in rows] == [str(128 << i) for i in range(8)] and rows[0][1] == "3.33 µs" and rows[-1][1] == "58.2 ms"
          and bounds == ["start and end"] * 2 + ["shared memory"] * 6, "the table of launches", rows[:1], bounds)
    check("each of the 4 warps reads its rows and columns of the operands by itself" in words
          and "for a program on one multiprocessor at M = N = K = 16384" in words and "shared memory and its barriers80.7 µs" in words, "the answer", answer(words))
    for word in ["3 iterations ahead", "asynchronous copy: 16 bytes wide", "the loop is pipelined: 4 stages", "16 matrix products", "tile IR", "LLVM",
                 "tiles of floats take 64 registers", "PTX"]:
        check(word in words, "m.html has", word)
    first = read("m.html")
    compile_(*options, "-o", "with.ptx", "--report=m.html", "-j", "1")
    check(read("m.html") == first, "the same bytes")
    compile_(*options, "--emit", "json", "-o", "alone.json", "--report=alone.html")
    check(os.path.exists("alone.json") and read("alone.html") == first, "the page beside a description alone")
    compile_(*options, "-o", "with.ptx", "--report=m.html", "--save-temps", "temporaries")
    check(read("m.html") == first, "the page beside temporary files")
    # Every instruction of the loop's products is at the line of the dot.
    row = re.search(r'<tr data-l="62">(.*?)</tr>', first, re.S).group(1)
    check("16 matrix products" in row and "tl.dot" in row, "instructions of the dot", row)
    row = re.search(r'<tr data-l="69">(.*?)</tr>', first, re.S).group(1)
    check("16 conversions" in row and "tl.store" in row, "pairs of roundings are at their line", row)


def check_roles():
    source = f"{ROOT}/examples/matmul.tk"
    status, text = compile_(source, "--config", "0", "-t", "sm_90a", "-o", "h.ptx", "--report=h.html", "--ptxas", "/nowhere")
    check(status == 0, "sm_90a", text)
    words = check_page("h.html", source)
    for word in ["the matrix units, 8.95 ms of some 13.5 ms at M = N = K = 16384 (61 to 66 %) (at the same time shared memory takes 75 % of their time)",
                 "too few programs, 4.48 µs of some 8.7 µs at M = N = K = 1024 (51 %): 64 programs", "(beside: memory 1.88 µs, L2 cache 1.64 µs, shared memory 3.5 µs, start and end 2.5 µs)",
                 "Change: split K: 2 programs a tile, each with a part of the loop's steps, use the other multiprocessors, too, and leave some 3.78 µs of "
                 "work, but the second launch that adds up the parts costs a start and end of its own, 2.5 µs",
                 "as long as caches at M = N = K = 1024 serve 62 % or more of what a program's loop loads of a and b (below, memory would be the bound). They can "
                 "serve up to 88 % there: the operands of the launch are 4 MiB",
                 "nothing is gained. Narrower types alone: some 3.97 µs (73 %; fp8", "(memory 4.05 ms, L2 cache 6.35 ms, shared memory 6.73 ms). That the chip lowers its clock in long products is not counted",
                 "Over the programs of a block", "a thread of warp 4", "slot 8", "9 slots of shared memory", "32×128 f16 in shared memory",
                 "180,376 bytes of the 232,448", "The page shows configuration 0 of matmul, which has 0 to 11; without --config",
                 "Change: use tiles twice as large with num_warps=8", "Narrower types alone shorten it, to some 6.75 ms (50 %): fp8", "barriers9 of 8 bytes", "H100 SXM (NVIDIA H100 data sheet)", "K / 32 steps1,048,576", "a warp covers 8 × 8 elements"]:
        check(word in words, "h.html has", word)


def check_cache():
    """The L2 cache is one of a launch's resources: 52.4 MB at 90 bytes a clock of 1,830 MHz and 132 multiprocessors are 2.41 µs."""
    source = f"{ROOT}/examples/matmul.tk"
    status, text = compile_(source, "--config", "9", "-t", "sm_90a", "-o", "l2.ptx", "--report=l2.html", "--ptxas", "/nowhere")
    check(status == 0, "sm_90a", text)
    words = check_page("l2.html", source)
    row = re.search(r'<tr><th scope="row">1024</th>.*?</tr>', read("l2.html")).group(0)
    check(re.findall(r'data-head="([A-Za-z0-9 ]+)"><b>(.*?)</b>', row) == [("L2 cache", "2.41 µs"), ("matrix units", "2.24 µs"), ("start and end", "2.5 µs")]
          and 'data-head="launch">6.67 µs' in row, "resources about as long are all bold", row)
    check("<b>Bound by: the start and the end of the kernel, 2.5 µs of some 6.67 µs at M = N = K = 1024 (37 %); about as long: L2 cache (2.41 µs), matrix "
          "units (2.24 µs)</b>: starting it" in read("l2.html") and "The L2 cache's time is of the 52.4 MB that programs load and store" in words,
          "bounds about as long", words[words.find("= 1024: a launch"):][:800])
    status, text = compile_(source, "--config", "3", "-t", "sm_90a", "-o", "l2.ptx", "--report=l2.html", "--ptxas", "/nowhere")
    words = check_page("l2.html", source)
    check("Bound by: the L2 cache, 12.7 ms of some 18.3 ms at M = N = K = 16384 (43 to 69 %): a program loads and stores 4104 KiB, all of which pass "
          "through it, and it hands out 90 bytes a clock for each multiprocessor at most" in words and "Change: use tiles twice as large" in words,
          "the L2 cache as the bound", words[words.find("to 16384: a launch"):][:800])


def check_slow_dot():
    """A dot that lost its fast products to the order of a matrix: the page names the cause and the cure."""
    text = read(f"{ROOT}/examples/matmul.tk").replace('a: "*fp16:16", b: "*fp16:16"', 'a: "*fp8e4nv:16", b: "*fp8e4nv:16"')
    with open("eight.tk", "w", encoding="utf-8") as file:
        file.write(text)
    command = ["eight.tk", "--config", "0", "-t", "sm_90a", "-o", "eight.ptx", "--report=eight.html", "--ptxas", "/nowhere"]
    status, text = compile_(*command)
    words = check_page("eight.html", "eight.tk")
    check("Bound by: shared memory" in words and "At line 62 the dot does not run on warpgroups (wgmma) or in tensor memory (tcgen05): the load at 61:24: "
          "a copy keeps its order" in words and "Change: transpose the matrix in memory: the dot at line 62 then" in words, "cause", text, answer(words))


def check_layout_changes():
    """A loop that transposes a tile: its layout changes through shared memory, and the barriers between, outweigh the arithmetic."""
    with open("turn.tk", "w") as file:
        file.write("""import triton
import triton.language as tl


@triton.jit
def turn(x: "*fp32:16", n: "i32"):
    at = tl.arange(0, 64)[:, None] * 64 + tl.arange(0, 64)[None, :]
    tile = tl.load(x + at)
    for step in range(n):
        tile = tl.trans(tile) * 0.5 + tile
    tl.store(x + at, tile)
""")
    status, text = compile_("turn.tk", "-t", "gfx942", "-o", "turn.s", "--report=turn.html")
    check(status == 0, "turn", text)
    words = check_page("turn.html", "turn.tk")
    check("shared memory: a step reads and writes 65536 bytes of it, 65536 of them to change layouts and for partial results, most of them at line 10, "
          "with 2 barriers" in words and "times as long as the arithmetic. Change: keep tiles in one layout" in words, "layout changes in a loop", answer(words))


def check_shared_steps():
    """Two loops of the source, without masks and with, share the steps: each step has one pair of products, and loads one tile of k and of v."""
    source = f"{ROOT}/examples/attention.tk"
    status, text = compile_(source, "--config", "0", "-t", "gfx942", "-o", "a.s", "--report=a.html")
    check(status == 0, "attention", text)
    words = check_page("a.html", source)
    check("25% (registers, shared memory)" in words and "shared memory, 4.24 ms of some 5.95 ms at length = 2048 (66 to 71 %)" in words, "all limits", answer(words))
    check(re.search(r"length / 64 steps4,194,304[\d,]*32,768(?!,)", words), "one copy's work a step", words[words.find("length / 64"):][:90])
    status, text = compile_(source, "--config", "0", "-t", "sm_90a", "-o", "a.ptx", "--report=a90.html", "--ptxas", "/nowhere")
    words = check_page("a90.html", source)
    check("tiles of twice the size would not fit in the registers of a thread" in words, "no room", text, answer(words))
    status, text = compile_(source, "--all-configs", "-t", "sm_90a", "-o", "a.ptx", "--report=a90.html", "--ptxas", "/nowhere")
    words = check_page("a90.html", source)
    top = re.search(r'<p class="answer"><span class="name"><b>(.*?)</span>', read("a90.html")).group(1).replace("</b>", "")
    check(top == "attention, length = 128 to 512: a launch runs BLOCK_M=128, BLOCK_N=128, num_warps=8, num_stages=2, 4,096 to 16,384 programs", "the top answer", top)
    check("as long as caches at length = 2048 serve 68 % or more of what a program's loop loads of k and v, less at the other sizes (below, memory would be "
          "the bound). They can serve up to 87 % there: programs that differ in tl.program_id(0) alone load the same addresses" in words, "keys of a head", answer(words))
    check("Compiled with HEAD_DIM=128, CAUSAL=True, SLACK=8. The loop at line 28 ends where each program computes it; the answers for sizes "
          "count the steps of the mean program." in words and "BLOCK_M=" not in words[words.find("Compiled with"):][:60], "constants and steps", words[words.find("Compiled"):][:200])
    check("For other cards with this chip (h200, gh200) the page has the figures of H100 SXM, too: 3350 GB/s" in words, "cards")
    # 8 programs of a head do 1 to 8 steps of 64 KiB, on average 4.5, beside 64 KiB of q and of the result; memory sends the longest one's, an eighth to each.
    check("memory bandwidth, 1.3 ms of some 2.23 ms at length = 1024 (58 %); about as long: matrix units (1.25 ms): a program moves 352 KiB on average at length = 1024. Caches can serve up to "
          "222 KiB of that, 77 % of what a program's loop loads of k and v" in words and "130 KiB are left for memory. For each byte that is left the "
          "program does 284 operations of products" in words and "if all arrays have half the width, a launch takes some 1.34 ms (60 %). Or fuse this kernel with those before and behind it: 64 KiB of "
          "a program are loaded and stored outside its loop, once, and need not pass through memory then: some 1.9 ms (85 %)" in words, "the mean program", answer(words))
    check("8 warps that compute with 232 registers a thread (40 stay with the others: setmaxnreg), and 4 more, one thread of which copies" in words, "roles share registers out")
    check("(at the same time shared memory takes 63 % of their time, special units (exponentials, divisions, roots) 50 %, elementwise arithmetic 43 %)" in words
          and "special units 146 ms" in words, "units beside", answer(words))
    check("Left out on this chip: BLOCK_M=256, BLOCK_N=64, num_warps=16, num_stages=4, because the sums of a loop's products need 96 registers" in words, "why")
    check("no variant of this file loads clearly fewer bytes for each operation, not even BLOCK_M=128, BLOCK_N=128" in words, "a larger variant", text,
          answer(words))


def check_branches():
    """A launch takes one branch of an `if`: the answer is about one, and the work of each has its own row."""
    source = f"{ROOT}/examples/softmax.tk"
    status, text = compile_(source, "--config", "1", "-t", "gfx942", "-o", "s.s", "--report=s.html")
    check(status == 0, "softmax", text)
    words = check_page("s.html", source)
    check("(at line 36 loads of x in a loop are 2 bytes wide" in words and "MI300X can do 15.4 elementwise operations" in words
          and "This is about the branch where n_cols > 4096 (line 62), which these sizes take" in words, "an access of the branch that is judged", answer(words))
    check("softmax, n_cols = 4096: a launch runs BLOCK=4096, num_warps=8, num_stages=3, 4,096 programs Bound by: memory bandwidth, 12.7 µs of some 16.3 µs at "
          "n_cols = 4096 (78 %)" in words and "with its address and mask (at line 22 loads" in words,
          "the other branch has sizes of its own", answer(words))
    for word in ["once a program, where n_cols <= 4096 (line 62)020,4804,09616,384", "n_cols / 2048 steps, where n_cols > 4096 (line 62)026,6246,14412,288",
                 "for a program on one multiprocessor at n_cols = 16384, if nothing else ran, where n_cols > 4096",
                 'x_stride: "i32:16", n_cols: "i32:16", y_stride: "i32:16", if that holds']:
        check(word in words, "s.html has", word)
    status, text = compile_(source, "--config", "2", "-t", "sm_90a", "-o", "s.ptx", "--report=s.html", "--remarks", "--ptxas", "/nowhere")
    words = check_page("s.html", source)
    check("at line 36 loads of x in a loop" in words and "This is about the branch where n_cols > 1024 (line 62)" in words, "several rows a block", answer(words))
    check("36:15: no dot reads it" in text and "conversion to a dot" not in text, "no remark on the loop over rows", text)
    sizes = ["-a", "x_stride=16384", "-a", "y_stride=16384", "-a", "n_rows=1", "-a", "n_cols=16384"]
    status, text = run(source, "--config=0", "-a", "x=ones(16384):fp16", "-a", "y=ones(16384):fp16", *sizes, "--on", "gfx942", "--report", "long.html", "-q")
    check(status == 0, "tkc-run of long rows", text)
    words = check_page("long.html", source)
    check("if nothing else ran, where n_cols > 8192 (line 62)" in words, "the branch of the run", words[words.find("How long"):][:200])


def check_tensor_memory():
    source = f"{ROOT}/examples/matmul.tk"
    status, text = compile_(source, "--config", "0", "-t", "sm_100a", "-o", "b.ptx", "--report=b.html", "--ptxas", "/nowhere")
    check(status == 0, "sm_100a", text)
    words = check_page("b.html", source)
    check("address" in words and "of tensor memory" in words, "the word of tensor memory in shared memory")
    for word in ["62matrix product1a thread of warp 5", "another one starts the products", "read tensor memory1warps 0 to 3", "tcgen05.f16",
                 "9 slots of shared memory"]:
        check(word in words, "b.html has", word)


# A product in f32, of all bits: no instruction of warpgroups, and none of warps.
EXACT = SPILLING.replace('a: "*fp16:16", b: "*fp16:16"', 'a: "*fp32:16", b: "*fp32:16"').replace("(x, y, acc)", '(x, y, acc, input_precision="ieee")')


def check_exact():
    with open("exact.tk", "w", encoding="utf-8") as file:
        file.write(EXACT.replace('N: "i32", K: "i32"', 'N: "i32:16", K: "i32:16"'))
    status, text = compile_("exact.tk", "-t", "sm_90a", "-o", "exact.ptx", "--report", "exact.html", "--ptxas", "/nowhere")
    words = check_page("exact.html", "exact.tk")
    check("the dot at line 14 runs without matrix instructions. Change: give input_precision=" in words, "f32", text, answer(words))


# An assembler with spills for every kernel.
PTXAS = '''#!/bin/sh
[ "$1" = --version ] && echo "Cuda compilation tools, release 99.1, V99.1.2" && exit
echo "ptxas info    : Compiling entry function 'matmul' for 'sm_80'
ptxas info    : Function properties for matmul
    376 bytes stack frame, 508 bytes spill stores, 456 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 400 bytes cmem[0]"
for word; do
    case "$last" in -o) cp "$(dirname "$0")/full.cubin" "$word" ;; esac
    last=$word
done
'''


# The row of .nv.info with the registers of a kernel, and a cubin with nothing else.
COUNT = bytes([4, 0x2F, 8, 0]) + struct.pack("<II", 8, 255)


def full_cubin():
    names = b"\0.nv.info\0.names\0"
    info = bytes([3, 0x1C, 0, 0]) + COUNT
    head = struct.pack("<4sBBBBQHHIQQQIHHHHHH", b"\x7fELF", 2, 1, 1, 0, 0, 2, 190, 1, 0, 0, 64 + len(info) + len(names), 0, 64, 0, 0, 64, 3, 2)
    section = lambda name, offset, size: struct.pack("<IIQQQQIIQQ", name, 1, 0, 0, offset, size, 0, 0, 1, 0)
    return head + info + names + section(0, 0, 0) + section(1, 64, len(info)) + section(10, 64 + len(info), len(names))


# A disassembler beside it. As NVIDIA's, it has no live registers for a count of 255.
NVDISASM = '''#!/bin/sh
for file; do :; done
case "$*" in
*--version*) exit ;;
*-g*) mark='\t//## File "spill.tk", line 14\n' more= ;;
*) mark= more='  // |  201  |   1   |        |        |'
   ! od -An -v -tx1 "$file" | tr -d ' \n' | grep -q 042f080008000000ff000000 || exit 1 ;;
esac
printf '.text.matmul:\n        /*0000*/      STL.128 [R1], R8 ;%s\n'"$mark"'        /*0000*/      @!P0 HMMA.16816.F32 R4, R8, R2, R4 ;%s\n.L_x_0:\n' "$more" "$more"
printf '        /*0010*/      STL.64 [R1+0xd8], R2 ;%s\n        /*0020*/      @!P0 LDL R4, [R1] ;%s\n        /*0030*/      @P1 BRA `(.L_x_0) ;%s\n' "$more" "$more" "$more"
'''


def check_spills():
    with open("spill.tk", "w", encoding="utf-8") as file:
        file.write(SPILLING)
    with open("ptxas", "w", encoding="utf-8") as file:
        file.write(PTXAS)
    os.chmod("ptxas", 0o755)
    with open("full.cubin", "wb") as file:
        file.write(full_cubin())
    if os.path.exists("nvdisasm"):  # of the last run
        os.remove("nvdisasm")
    status, text = compile_("spill.tk", "-t", "sm_80", "-o", "spill.ptx", "--report", "spill.html", "--ptxas", os.path.abspath("ptxas"))
    check(shutil.which("nvdisasm") or "at which lines is not shown: that takes nvdisasm" in check_page("spill.html", "spill.tk"), "no disassembler", text)
    with open("nvdisasm", "w", encoding="utf-8") as file:
        file.write(NVDISASM)
    os.chmod("nvdisasm", 0o755)
    status, text = compile_("spill.tk", "-t", "sm_80", "-o", "spill.ptx", "--report", "spill.html", "--ptxas", os.path.abspath("ptxas"))
    words = check_page("spill.html", "spill.tk")
    check("registers: the values of a thread do not fit in 255 registers, and spill to memory (508 B stored and 456 B loaded; most at line 14, with "
          "8 B stored, 4 B loaded; tiles of floats take 224 registers at line 13)"
          in words and "annotate K: \"i32:16\", N: \"i32:16\" (all of them: the accesses at lines 12, 13 need them), if that holds in every call: tiles then go to shared memory" in words
          and "the spills should go away with the tiles' values: of the 255 registers of a thread the sums of products take 128" in words, "spills", text, answer(words))
    row = re.search(r'<tr data-l="11">(.*?)</tr>', read("spill.html"), re.S).group(1)
    check("the loop is not pipelined" in row and "loads that are done a step ahead, and stay in registers: 2" in row, "loads ahead in registers", row)
    # A pass: 8 bytes stored and 4 loaded by each of 128 threads, at 128 bytes a clock of 1,410 MHz.
    check("In machine code a pass through the main loop keeps a multiprocessor busy for 363 ns: loads and stores of threads take 8.51 ns, of which spilled "
          "values, 12 bytes of a thread (others move before and behind the loop), take 8.51 ns (100 %); products 363 ns, all instructions 2.13 ns. The wait" in words
          and "here 2.18 µs to 2.9 µs for a pass of the 2 blocks together). Memory is not in these times: if no cache served a byte, it would take 868 ns for a step; it stays below them if caches serve 58 % of" in words, "the time of spills", answer(words))
    check("Loads and stores of threads in machine code, spilled values among them, are in the answer on top" in words, "the unit times of a kernel that spills")
    page = read("spill.html")
    check("<h5>SASS</h5>" in page and '<i data-l="14">0000  @!P0 HMMA.16816.F32 R4, R8, R2, R4\n</i><i>.L_x_0:' in page, "machine code")
    check("spills: 8 B stored, 4 B loaded" in re.search(r'<tr data-l="14">(.*?)</tr>', page, re.S).group(1), "spills of the line")
    check("functions of other files" in page and "16 B stored, 0 B loaded" in page[page.find(">none</td>"):][:900], "spills of no line")
    check("201 registers live" in re.search(r'<tr data-l="14">(.*?)</tr>', page, re.S).group(1), "live registers of the line")
    status, text = compile_("spill.tk", "-t", "gfx942", "-o", "spill.s", "--report", "amd.html", "-Wno-slow", "-Wno-spills")
    check(status == 0, "AMD", text)
    words = check_page("amd.html", "spill.tk")
    check("GCN" in words and "memory instructions: at line 12 loads of a in a loop are 2 bytes wide" in words, "AMD", answer(words))
    check('annotate K: "i32:16", N: "i32:16"' in words, "the change", answer(words))
    row = re.search(r'<tr data-l="14">(.*?)</tr>', read("amd.html"), re.S).group(1)
    check("matrix products" in row and "tl.dot" in row, "AMD's instructions of the dot", row)


# A product with sums of 512 registers a thread.
WIDE = (SPILLING.replace('N: "i32", K: "i32")', 'N: "i32:16", K: "i32:16", BM: tl.constexpr = 256, BN: tl.constexpr = 256)')
        .replace("(128, 128)", "(BM, BN)").replace("program_id(0) * 128 + tl.arange(0, 128)", "program_id(0) * BM + tl.arange(0, BM)")
        .replace("program_id(1) * 128 + tl.arange(0, 128)", "program_id(1) * BN + tl.arange(0, BN)")
        .replace('"M"], 128', '"M"], meta["BM"]').replace('"N"], 128', '"N"], meta["BN"]'))


def check_advice():
    """What the page advises to a kernel that spills does stop the spill."""
    with open("wide.tk", "w", encoding="utf-8") as file:
        file.write(WIDE)
    command = ["-t", "sm_90a", "-o", "wide.ptx", "--ptxas"]
    status, text = compile_("wide.tk", *command, os.path.abspath("ptxas"), "--report", "wide.html")
    words = check_page("wide.html", "wide.tk")
    check('Compiled with BM=256, BN=256. The answer is for sizes large enough to fill the chip. To have one for each size, list the sizes, such as "K", in '
          "key=[...] of @triton.autotune (above @triton.jit; configs=[triton.Config({})] is enough)." in words, "no sizes", words[:600])
    advice = re.search(r"Change: use a tile of (\d+)×(\d+) or \d+×\d+ with num_warps=(\d+); no number of warps holds the sums of a tile of 256×256", words)
    check(advice and "the sums of products alone need 512" in words and advice.group(0)[len("Change: "):] in text, "advice", text, answer(words))
    rows, columns, warps = advice.groups() if advice else ("256", "256", "4")
    ptxas = shutil.which("ptxas")
    status, text = compile_("wide.tk", *command, ptxas or "/nowhere", "-w", warps, "-D", f"BM={rows}", "-D", f"BN={columns}", "-Werror=sums", *["--fail-on-spill"] * bool(ptxas))
    check(status == 0 and "wgmma.mma_async" in read("wide.ptx"), "as advised", rows, columns, warps, text)


# Variants, each with its sizes of launches.
def check_picks():
    source = f"{ROOT}/examples/softmax.tk"
    status, text = compile_(source, "-t", "sm_90a", "-o", "picks.ptx", "--report", "picks.html", "--ptxas", "/nowhere")
    check(status == 0, "variants", text)
    words = check_page("picks.html", source)
    check("memory bandwidth, 40.1 µs of some 51.2 µs at n_cols = 8192 (78 %)" in words and "Beside it the instructions of threads take 27 µs; "
          "some 67 % of that time are loads and stores, each counted as 6 instructions, with its address and mask (at line 22 loads of x are 2 bytes wide, not 16). This is about the branch where n_cols <= 8192 (line 62)" in words, "the other branch", answer(words))
    check("What bounds a launch, and the change to make first, for n_cols from 128 to 16384, with n_rows = 4096. A launch (softmax_launch, in the C header "
          "that tkc writes) runs the one of the 3 variants that was fastest when softmax_tune timed them all for sizes like these; where nothing was "
          "timed, as here, the one with the least time by a simpler count than this page's:" in words, "sizes", words[words.find("A launch ("):][:700])
    rows = [row for row in re.findall(r'<tr><th scope="row"><a href="#p\d">(.*?)</tr>', read("picks.html"))]
    bounds = [re.search(r'data-head="bound by">(.*?)<', row).group(1) for row in rows]
    check(bounds == ["memory bandwidth", "idle lanes; memory bandwidth; instructions of threads", "idle lanes; memory bandwidth"], "bounds", bounds)
    small, = re.findall(r"softmax, n_cols = 128: .*?Bound by: (.*?Change: .*?)\.\n", words, re.S)
    check(small.startswith("idle lanes, 3.37 µs of some 5.93 µs at n_cols = 128 (57 %): the instructions of threads take that long, as a program "
                           "computes tiles of 1024 elements, of which the mask lets 128 "
                           "through at n_cols = 128, so 88 %")
          and "Change: add a configuration with a tile as long as the rows, BLOCK=128, num_warps=1: some 3.26 µs for a launch instead of 5.93 µs. Then "
          "annotate x_stride: \"i32:16\", n_cols: \"i32:16\", y_stride: \"i32:16\", if that holds in every call" in small
          and small.endswith("some 3.16 µs for a launch instead of 3.26 µs. What then remains is mostly the start and the end: put more rows, or the kernels "
                             "before and behind, into a launch"), "a mask's elements", small)
    check("idle lanes, 13.5 µs of some 19.4 µs at n_cols = 2048 (70 %)" in words and "BLOCK=2048, num_warps=4: some 14.7 µs" in words, "idle lanes", answer(words))
    # Twice a row of 8,192: the same branch takes 40.1 µs of memory and 27 µs of instructions, 11 µs with hints; no hint first.
    check("16384 (77 %): arithmetic" in words and "Change: add a configuration with BLOCK=16384, num_warps=16: a launch then takes the other branch of line 62, which loads the rows once: some "
          "99.9 µs for a launch instead of 135 µs. Then annotate" in words and "some 86.6 µs for a launch instead of 99.9 µs. What then remains is mostly memory" in words,
          "rows of 16384", words[words.find("n_cols = 16384: a launch"):][:2500])
    taken = [re.search(r'data-head="taken for">(.*?)<', row).group(1) for row in rows]
    check(taken == ["8192", "2048 to 4096, 16384", "128 to 1024"], "picks", taken)


def check_twice():
    """Rows that are loaded twice: of the variants one that loads them once, or the configuration that would."""
    text = read(f"{ROOT}/examples/softmax.tk")
    for name in ["x_stride", "y_stride", "n_cols"]:
        text = text.replace(f'{name}: "i32"', f'{name}: "i32:16"')
    with open("twice.tk", "w", encoding="utf-8") as file:
        file.write(text)
    status, text = compile_("twice.tk", "-t", "sm_90a", "-o", "twice.ptx", "--report", "twice.html", "--ptxas", "/nowhere")
    words = check_page("twice.html", "twice.tk")
    check("32768 of the 98304 bytes that a program moves are loaded a second time" in words and "add a configuration with BLOCK=16384, num_warps=16: a "
          "launch then takes the other branch of line 62, which loads the rows once" in words
          and "Change: time it against BLOCK=4096, num_warps=8, num_stages=3, which loads the rows once" in words, "twice", text, answer(words), words[words.find("time it"):][:200])


def run(*arguments):
    done = subprocess.run([TKC_RUN, *arguments], capture_output=True, text=True, timeout=100)
    return done.returncode, done.stdout + done.stderr


def check_run():
    source = f"{ROOT}/examples/vector_add.tk"
    arguments = [word for name in "xyz" for word in ("-a", f"{name}=ones(1008):fp32")] + ["-a", "n=1008"]
    status, text = run(source, *arguments, "--on", "gfx942", "--report", "run.html", "-q")
    check(status == 0, "tkc-run --report", text)
    words = check_page("run.html", source)
    check("with 1 program for the 304 multiprocessors of MI300X" in words and "the emulator of gfx942 with n=1008" in words and "12,096 bytes of arrays" in words, "the run", answer(words))
    status, text = run(source, *arguments, "--on", "sm_80,gfx942", "--report", "run.html")
    check(status == 2 and "--report is about one place" in text, "two places", text)
    status, text = run(source, *arguments, "--report", source)
    check(status == 2 and "would overwrite" in text, "overwriting", text)


# Looks at pages in frames of a phone's width and of a desk's.
LOOKING = '''<!DOCTYPE html><meta charset="utf-8"><title>looking</title>
%s
<script>addEventListener("load", () => {
  const seen = [...document.querySelectorAll("iframe")].map(frame => {
    const page = frame.contentDocument, view = frame.contentWindow;
    const root = page.documentElement;
    const line = page.querySelector(".pane [data-l]");
    line.dispatchEvent(new view.MouseEvent("mouseover", {bubbles: true}));
    const plain = view.getComputedStyle(root).backgroundColor;
    const marked = [...line.closest(".part").querySelectorAll(`[data-l="${line.dataset.l}"]`)].every(
      one => ![plain, "rgba(0, 0, 0, 0)"].includes(view.getComputedStyle(one).backgroundColor));
    const outside = [...page.querySelectorAll("td, th, p, svg")].filter(
      one => !one.closest(".wide") && one.getBoundingClientRect().right > root.clientWidth + 1).length;
    return [view.innerWidth, root.scrollWidth - root.clientWidth, outside, marked];
  });
  document.title = JSON.stringify(seen);
});</script>
'''


def check_looks():
    browser = shutil.which("chromium")
    if not browser:
        return
    names = ["h.html", "amd.html", "run.html"]
    frames = [f'<iframe srcdoc="{html.escape(read(name))}" style="width:{width}px;height:900px"></iframe>' for name in names for width in (390, 1440)]
    with open("look.html", "w", encoding="utf-8") as file:
        file.write(LOOKING % "".join(frames))
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir=browser",
                           "--virtual-time-budget=4000", "--dump-dom", "file://" + os.path.abspath("look.html")],
                          capture_output=True, text=True, timeout=100)
    title = re.search(r"<title>(.*?)</title>", done.stdout)
    wanted = json.dumps([[390, 0, 0, True], [1440, 0, 0, True]] * len(names), separators=(",", ":"))
    check(title and title.group(1) == wanted, names,
          "in a browser: width, overflow, elements outside, lines linked", title and title.group(1), done.stderr[-500:])


def check_refusals():
    for more, fault in [(["--stop-after", "layouts"], "--report is about whole compilations; leave out --stop-after"),
                        (["-o", "m.html", "--emit", "ptx"], 'the output "m.html" would overwrite the report "m.html"')]:
        status, text = compile_(f"{ROOT}/examples/vector_add.tk", "--report", "m.html", *more)
        check(status == 2 and fault in text, fault, text)
    status, text = compile_("spill.tk", "k.tk", "--report", "m.html")
    check(status == 2 and "--report is for one source file" in text, "two sources", text)


TKC, TKC_RUN, ROOT = (os.path.abspath(path) for path in sys.argv[1:4])
os.makedirs(sys.argv[4], exist_ok=True)
os.chdir(sys.argv[4])
check_strange()
check_matmul()
check_roles()
check_cache()
check_shared_steps()
check_branches()
check_slow_dot()
check_layout_changes()
check_tensor_memory()
check_exact()
check_spills()
check_advice()
check_picks()
check_twice()
check_run()
check_looks()
check_refusals()
sys.exit(1 if failed else 0)
