"""Elementwise steps on the operands of products (--fuse-operands) give the bits of the kernels one after another.

    check_operands.py TKC TKC_RUN operands.tk FOLDER

Each chain runs on the emulator with sizes that fit the tiles and sizes that reach over their edges; the left operand's elements that are
masked out must stay what the load says where the step makes another number of zero, also an infinity (a scale of 0).
"""
import sys

import frame
from frame import faults, launches

TKC, RUN, SOURCE, FOLDER = sys.argv[1:5]
MANY = (3400, 16, 64) # rows: one kernel, by the rule
SIZES = [(128, 128, 64), (70, 144, 208), (3, 16, 16)]
WHOLE = [(128, 128, 64), (70, 144, 192)]
# The chains' launches with the option on sm_90a.
CHAINS = {
    "quantised": ("cast(x, s, h); product8(h, b, s, y, M=M, N=N, K=K)", [2]),
    "zero_scale": ("bare_cast(x, s, h); product8(h, b, s, y, M=M, N=N, K=K)", [2]),
    "rows": ("narrow(x, h); product(h, b, y)", [2]),
    "silu": ("shifted_silu(x, h, scale=2); product(h, b, y)", [2]),
    "silu_whole": ("shifted_silu(x, h, scale=2); whole(h, b, y)", [2]),
    "silu_going": ("shifted_silu(x, h, scale=2); going(h, b, y)", [2]),
    "silu_totals": ("shifted_silu(x, h, scale=2); totals(h, b, y, TILES=TILES)", [2]),
    "bytes": ("bytes_to_halves(x, h); product(h, b, y, M=M, N=N, K=K)", [2]),
    "tripled": ("tripled(x, s, h); product(h, b, y, M=M, N=N, K=K)", [2]),
    "looped": ("narrow(x, h); persistent(h, b, y)", [2]),
    "behind": ("shifted_silu(x, h, scale=2); product(h, b, t); add(t, r, y)", [3]),
    "residual": ("shifted_silu(x, h, scale=2); product(h, b, t, N=K); add_to(t, x)", [2, 1]),
    "apart_gate": ("gate(x, g, h); product(h, b, y, M=M, N=N, K=K)", [1, 1]),
    "apart_rows": ("scaled_rows(x, s, h); product(h, b, y)", [1, 1]),
    "apart_moved": ("moved(x, h); product(h, b, y, M=M, N=N, K=K)", [1, 1]),
    "apart_half": ("half_loaded(x, h); product(h, b, y, M=M, N=N, K=K)", [1, 1]),
    "apart_numbered": ("numbered(x, h); product(h, b, y, M=M, N=N, K=K)", [1, 1]),
    "apart_right": ("narrow(x, h, M=N); product(a, h, y, M=M, N=N, K=K)", [1, 1]),
    "apart_seen": ("narrow(x, h); product(h, b, y) -> y, h", [1, 1]),
    "apart_in_place": ("shifted_silu(x, h, scale=2); product(h, b, x, N=K)", [1, 1]),
    "apart_twice": ("narrow(x, h); product(h, b, y); product(h, g, z) -> y, z", None),
}


def arguments(name, chain, size):
    m, n, k = size
    names = [p["name"] for p in chain["params"]]
    output = "y" if "y" in names else "x" # in place
    n = n if "N" in names else k
    tiles = (m + 127) // 128
    numbers = {"M": m, "N": n, "K": k, "n": m * n, "TILES": tiles}
    shapes = {"x": [m, k], "b": [n, k], "s": [1], "r": [m, n], "y": [tiles, n] if name == "silu_totals" else [m, n]}
    given = []
    for i, p in enumerate(chain["params"]):
        if p["type"][0] != "*":
            given += ["--arg", "%s=%d" % (p["name"], numbers[p["name"]])]
            continue
        text = ",".join(map(str, shapes[p["name"]]))
        how = "empty(%s)" % text if p["name"] == "y" else "randn(%s,seed=%d)" % (text, i + 1)
        how = "randint(-100,100,%s,seed=1)" % text if p["type"] == "*i8" else how
        how = "full(%s,1)" % ("0" if name == "zero_scale" else "0.03125") if p["name"] == "s" else how
        given += ["--arg", "%s=%s:%s" % (p["name"], how, p["type"][1:])]
    return given, output


# The bits of a mode, and of the kernels one after another.
def check(name, chain, size, chip, mode="--fuse-operands"):
    files = []
    for how in ([mode] if mode else [], ["--no-fuse"]):
        files.append("%s%s.npy" % (name, "".join(how)))
        given, output = arguments(name, chain, size)
        frame.run_chain(RUN, name, chip, how, given, {output: files[-1]})
    if open(files[0], "rb").read() != open(files[1], "rb").read():
        faults.append("%s of %s on %s: other bits than --no-fuse" % (name, size, chip))


frame.begin(SOURCE, FOLDER, {name: steps for name, (steps, _) in CHAINS.items()})
chains = frame.described(TKC, "operands.json", "-t", "sm_90a", "-w", "8", "--fuse-operands")
chosen = frame.described(TKC, "chosen.json", "-t", "sm_90a", "-w", "8")
for name, (steps, want) in CHAINS.items():
    if want and launches(chains[name]) != want:
        faults.append("%s has launches of %s steps, not %s" % (name, launches(chains[name]), want))
    # Without the option sizes choose between these and the step ahead apart, but where the launcher cannot tell the steps of the loop, or
    # more of the steps behind the product are one kernel with it.
    apart = [1, want[0] - 1, *want[1:]] if want and want[0] > 1 else want
    apart = [1, 2] if name == "residual" else apart
    got = [launches(chosen[name], "unless"), launches(chosen[name], "when")]
    if want and got != [apart if name in ("looped", "residual") else want, apart]:
        faults.append("%s has launches of %s steps, as sizes choose" % (name, got))
# No warpgroups.
for chip in ("sm_80", "gfx942"):
    apart = frame.described(TKC, chip + ".json", "-t", chip, "-w", "8", "--fuse-operands")
    for name in CHAINS:
        if max(launches(apart[name])) > (2 if name in ("behind", "residual") else 1) or launches(apart[name])[0] > 1:
            faults.append("%s on %s has launches of %s steps" % (name, chip, launches(apart[name])))
for name, chain in sorted(chains.items()):
    if not name.startswith("apart"): # those run as without the option
        for size in WHOLE if name in ("silu_whole", "silu_totals") else SIZES:
            check(name, chain, size, "sm_90a")
check("quantised", chains["quantised"], SIZES[1], "gfx942")
# The form that sizes choose.
for name, size in (("quantised", SIZES[1]), ("behind", SIZES[1]), ("rows", MANY)):
    check(name, chains[name], size, "sm_90a", None)
frame.end()
