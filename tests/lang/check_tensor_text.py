"""A second reader of tensor memory's instructions, over the final PTX: check_tensor_text.py FOLDER, after lang_test --emit FOLDER.

It shares nothing with the compiler but the published tables (CUTLASS, mma_sm100_desc.hpp): constants of instruction and matrix
descriptors are taken apart, and compared with each other and with the columns that the kernel allocates and frees.
"""
import glob
import os
import re
import sys

DEPTH_TYPES = {"f16": {0, 1}, "tf32": {2}, "f8f6f4": {0, 1}, "i8": {1}}
MOVE = re.compile(r"tcgen05\.(ld|st)\.sync\.aligned\.(\w+)\.x(\d+)\.b32 (.*);")
WORDS = {"16x256b": 4, "16x128b": 2}  # of a thread, for each repetition
PRODUCT = re.compile(r"tcgen05\.mma\.cta_group::([12])\.kind::(\w+) \[%r\d+\], (%rd\d+|\[%r\d+\]), (%rd\d+), (%r\d+), (%p\d+);")
SCALED = re.compile(
    r"tcgen05\.mma\.cta_group::([12])\.kind::(\w+)\.block_scale\.(\w+(?:::\dX)?) \[%r\d+\], %rd\d+, %rd\d+, (%r\d+), \[%r\d+\], \[%r\d+\], %p\d+;")
SCALES = {"mxf8f6f4": (1, {"block32", "scale_vec::1X"}), "mxf4": (2, {"block32", "scale_vec::2X"}), "mxf4nvf4": (4, {"block16", "scale_vec::4X"})}
faults = []


def constant(text, register):
    """The one constant of a 32-bit register; None: it is computed."""
    values = set(re.findall(r"mov\.b32\s+%s, (-?\d+);" % re.escape(register), text))
    return int(values.pop()) & 0xFFFFFFFF if len(values) == 1 else None


def check_instruction(kind, blocks, bits):
    d, a, b, n, m = bits >> 4 & 3, bits >> 7 & 7, bits >> 10 & 7, (bits >> 17 & 63) * 8, (bits >> 24 & 31) * 16
    yield bits & ~0x1F7F9FB0 == 0, "unknown bits"
    yield d == (2 if kind == "i8" else 1), "D is of another type than the kind's"
    yield a in DEPTH_TYPES[kind] and b in DEPTH_TYPES[kind], "an operand's type"
    unit = 32 if blocks == 2 and kind in ("f8f6f4", "i8") else 16
    yield m == 128 * blocks and unit <= n <= 256 and n % unit == 0, "shape %d x %d of %d blocks" % (m, n, blocks)
    yield kind == "f16" or bits >> 15 & 3 == 0, "rows of A or columns of B contiguous"


def check_scaled(kind, block, blocks, bits):
    each, forms = SCALES[kind]
    a, b, n, m = bits >> 7 & 7, bits >> 10 & 7, (bits >> 17 & 63) * 8, (bits >> 24 & 31) * 16
    yield bits & ~0x7FFE1FB0 == 0, "unknown bits"
    yield block in forms, "scales of other blocks than the kind's: " + block
    yield {a, b} <= ({0, 1} if kind == "mxf8f6f4" else {1}), "an operand's type"
    yield bits >> 23 & 1 == (kind != "mxf4nvf4"), "the scales' type"
    yield (bits >> 4 & 3) % each == 0 and (bits >> 29 & 3) % each == 0, "the byte of a scale"
    yield m == 128 * blocks and 16 <= n <= 256 and n % 16 == 0, "shape %d x %d of %d blocks" % (m, n, blocks)


def check_descriptor(bits):
    if bits == 1 << 46 | 8 << 32:  # of scales: no swizzle, 8 rows of 16 bytes
        return
    swizzle = {2: 128, 4: 64, 6: 32}.get(bits >> 61)
    yield bits >> 46 & 7 == 1, "version"
    yield bits >> 49 & 0xFFF == 0, "base offset or another mode"
    yield swizzle is not None, "swizzle"
    yield swizzle is not None and (bits >> 32 & 0x3FFF) * 16 == 8 * swizzle, "eight rows are not one pattern"


def check_pairs(text):
    """Of a pair of blocks: a cluster, one group in all products, arrivals at the even block, meetings before and behind. With a role for
    products copies count at the even block, too; else all count at their own."""
    groups = set(re.findall(r"tcgen05\S*cta_group::(\d)", text))
    pairs = groups == {"2"}
    yield len(groups) == 1, "instructions of groups of %s blocks" % " and ".join(sorted(groups))
    yield pairs == (".reqnctapercluster 2, 1, 1" in text), "a pair without a cluster, or a cluster without a pair"
    yield len(re.findall(r"barrier\.cluster\.arrive\S+; barrier\.cluster\.wait", text)) == (2 if pairs else 0), "meetings of the cluster"
    commits = re.findall(r"tcgen05\.commit\.cta_group::(\d)\S*?(\.multicast::cluster)?\.b64 \[%r\d+\](?:, (%rs\d+))?;", text)
    yield all((group == "2") == bool(multicast) for group, multicast, _ in commits), "a commit that one block of two hears"
    masks = {re.search(r"mov\.b16\s+%s, (\d+);" % re.escape(mask), text) for _, _, mask in commits if mask}
    yield all(mask and mask.group(1) == "3" for mask in masks), "a commit's mask of blocks is not 3"
    loads = re.findall(r"cp\.async\.bulk\.tensor\.\dd\.shared::cluster\.global\S*?(\.cta_group::2)? \[%r\d+\], .*\[(%r\d+)\];", text)
    mapped = set(re.findall(r"mapa\.shared::cluster\.u32 (%r\d+), %r\d+, %r\d+;", text))
    yield len({bool(group) for group, _ in loads}) <= 1, "some copies count at the even block, and others at their own"
    yield all(bool(group) == (barrier in mapped) for group, barrier in loads), "a copy's barrier is of another block than the copy says"
    arrivals = set(re.findall(r"mbarrier\.arrive\.release\.cluster\.shared::cluster\.b64 _, \[(%r\d+)\];", text))
    yield bool(arrivals) == pairs and arrivals <= mapped, "arrivals at the other block's barriers"


def check_launch_control(text):
    """Requests expect 16 bytes at the mbarrier that they name, to both blocks of a pair; three roles read answers, each with a proxy fence ahead of
    its arrival."""
    requests = re.findall(r"clusterlaunchcontrol\.try_cancel\S*?(\.multicast::cluster::all)?\.b128 \[(%r\d+)\], \[(%r\d+)\];", text)
    expected = dict(re.findall(r"mbarrier\.arrive\.expect_tx\.shared::cta\.b64 _, \[(%r\d+)\], (%r\d+|\d+);", text))
    reads = [part.split("mbarrier.arrive")[0] for part in text.split("clusterlaunchcontrol.query_cancel.is_canceled")[1:]]
    yield len(requests) in (0, 2) and len(reads) == (3 if requests else 0), "%d requests and %d reads" % (len(requests), len(reads))
    yield all(bool(both) == (".reqnctapercluster" in text) for both, _, _ in requests), "an answer to one block of two"
    yield all(barrier in expected and (expected[barrier] == "16" or constant(text, expected[barrier]) == 16) for _, _, barrier in requests), \
        "a request whose bytes nobody expects"
    yield all("fence.proxy.async" in read for read in reads), "an answer is given back without a proxy fence"


def check(name, text):
    def expect(holds, words):
        if not holds:
            faults.append("%s: %s" % (name, words))

    for holds, words in [*check_pairs(text), *check_launch_control(text)]:
        expect(holds, words)

    taken = re.findall(r"tcgen05\.alloc\S+ \[%r\d+\], (\d+);", text)
    freed = re.findall(r"tcgen05\.dealloc\S+ %r\d+, (\d+);", text)
    expect(len(taken) == 1 and taken == freed, "takes %s columns, frees %s" % (taken, freed))
    expect("tcgen05.relinquish_alloc_permit" in text, "keeps the permit")
    columns = int(taken[0]) if taken else 0
    expect(32 <= columns <= 512 and columns & columns - 1 == 0, "%d columns" % columns)
    products, scaled = PRODUCT.findall(text), SCALED.findall(text)
    expect(len(products) + len(scaled) == len(re.findall(r"tcgen05\.mma\b", text)), "a product of another form")
    for group, kind, left, _, descriptor, _ in products:
        bits = constant(text, descriptor)
        expect(left[0] != "[" or (kind == "f16" and not (bits or 0) >> 15 & 1), "A in tensor memory has rows of 16-bit elements")
        expect(bits is not None, "an instruction descriptor is no constant")
        for holds, words in check_instruction(kind, int(group), bits or 0):
            expect(holds, "instruction descriptor 0x%08x of kind %s: %s" % (bits or 0, kind, words))
        expect((bits or 0) >> 17 & 63 <= columns // 8, "a product is wider than the allocation")
    for group, kind, block, descriptor in scaled:
        bits = constant(text, descriptor)
        expect(bits is not None, "an instruction descriptor is no constant")
        for holds, words in check_scaled(kind, block, int(group), bits or 0):
            expect(holds, "instruction descriptor 0x%08x of kind %s: %s" % (bits or 0, kind, words))
    expect(not scaled or len(re.findall(r"tcgen05\.cp\.cta_group::[12]\.32x128b\.warpx4 \[%r\d+\], %rd\d+;", text)) > 1, "no copies of scales")
    numbers = re.findall(r"(?:or|add|mov)\.(?:b64|s64|u64)\s+(%rd\d+), (?:%rd\d+, )?(-?\d{15,});", text)
    pairs = {name for line in re.findall(r"(?:add|sub|mul|fma)\.rn\.f32x2 (.*);", text) for name in line.split(", ")}  # of floats, not of descriptors
    constants = {int(number) & (1 << 64) - 1 for name, number in numbers if name not in pairs}  # steps of k are in the address bits
    expect(constants, "no matrix descriptor has a constant part")
    for bits in constants:
        for holds, words in check_descriptor(bits & ~0x3FFF):
            expect(holds, "matrix descriptor 0x%016x: %s" % (bits, words))
    expect("tcgen05.commit" in text, "nobody hears of the products' end")
    loads, under_way = 0, set()
    for line in text.splitlines():
        move = MOVE.search(line)
        if move:
            which, shape, repeat, operands = move.groups()
            expect(shape in WORDS and operands.count("%r") == WORDS.get(shape, 0) * int(repeat) + 1, "a move of another shape: " + line)
            expect(shape == "16x256b" or which == "st", "loads of halves: " + line)
            loads += which == "ld"
            under_way.add(which)
        wait = re.search(r"tcgen05\.wait::(ld|st)", line)
        under_way.discard(wait.group(1) if wait else None)
        if "tcgen05.fence::before_thread_sync" in line or "tcgen05.dealloc" in line:
            expect(not under_way, "a fence before a %s that was not waited for" % " and ".join(sorted(under_way)))
            under_way.clear()
    expect(loads > 0 and not under_way, "%d loads; not waited for: %s" % (loads, sorted(under_way)))
    return len(products) + len(scaled)


def main():
    files = [path for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.ptx"))) if "tcgen05.mma" in open(path, encoding="utf-8").read()]
    products = sum(check(os.path.basename(path), open(path, encoding="utf-8").read()) for path in files)
    for fault in faults[:40]:
        print(fault)
    print("%d files with %d products into tensor memory, %d faults" % (len(files), products, len(faults)))
    sys.exit(bool(faults) or not files)


main()
