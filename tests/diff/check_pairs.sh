#!/bin/sh
# The verdicts on pairs as a reviewer would give them: a comment, a renamed local, another kernel, a constant, another tile, a spill, a
# hint, another order of instructions, a moved block, another chip. AMD's pairs are skipped where LLD is missing.
#   check_pairs.sh TKC_DIFF TKC SOURCE_DIR FOLDER
. "$3/tests/diff/expect.sh"
softmax=$top/examples/softmax.tk matmul=$top/examples/matmul.tk
amd=true
command -v ld.lld >/dev/null 2>&1 || amd=false

cat >old.tk <<'end'
import triton
import triton.language as tl


@triton.jit
def scale(x: "*fp32:16", y: "*fp32:16", n: "i32:16", BLOCK: tl.constexpr = 1024):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n)
    tl.store(y + at, value * 3.0 + 1.0, mask=at < n)


scale.grid = lambda meta: (triton.cdiv(meta["n"], meta["BLOCK"]),)
end
compile old.tk old.ptx --lineinfo
compile old.tk full.ptx

# A comment moves every line of the line table; a local's name is none of the code's.
{ echo "# A comment."; echo "# Another."; cat old.tk; } >comment.tk
compile comment.tk comment.ptx --lineinfo
cmp -s old.ptx comment.ptx && fail "the line tables of a comment are the same: the pair tests nothing"
verdict 0 '1 kernel: 1 same' old.ptx comment.ptx
verdict 0 '1 kernel: 1 same' old.ptx full.ptx
sed 's/value/element/g; s/\bat\b/place/g' old.tk >local.tk
compile local.tk local.ptx
verdict 0 '1 kernel: 1 same' full.ptx local.ptx
sed 's/%r\([0-9]\)/%r9\1/g; s/%r9\([0-9]*\)</%r9\1/; s/\(\.reg \.b32.*%r\)<[0-9]*>/\1<999>/; s/L__BB0_/L__BB7_/g' full.ptx >renumbered.ptx
cmp -s full.ptx renumbered.ptx && fail "the registers are not renumbered"
verdict 0 '1 kernel: 1 same' full.ptx renumbered.ptx

# Another kernel; one more; another name for the same.
sed 's/scale/shift/g; s/\* 3.0 + 1.0/+ 2.0/' old.tk >other.tk
compile other.tk other.ptx
verdict 1 'scale: went: the old side alone has it
shift: appeared: the new side alone has it
2 kernels: 1 appeared, 1 went' full.ptx other.ptx
sed 's/scale/stretch/g' old.tk >name.tk
compile name.tk name.ptx
verdict 1 'scale → stretch: renamed: equal code under another name' full.ptx name.ptx

# A constant.
sed 's/3\.0/5.0/' old.tk >constant.tk
compile constant.tk constant.ptx
verdict 1 'scale: changed
! added
! moved
8 with another constant
constant: fma.rn.f32 %b32,%b32,0f40400000,0f3F800000 → fma.rn.f32 %b32,%b32,0f40A00000,0f3F800000' full.ptx constant.ptx
verdict 1 '1 kernel: 1 changed' full.ptx constant.ptx --allow instructions=0

# Another tile.
compile old.tk tile.ptx -D BLOCK=512
verdict 1 'scale: changed
global loads, 16 B 2 → 1 (-1)
! constant:
instructions' full.ptx tile.ptx
verdict 1 'constants.BLOCK: 1024 → 512' full.json tile.json

# A hint taken away: narrower accesses, another alignment of the parameter, the same in the description and the contract.
sed 's/x: "\*fp32:16"/x: "*fp32"/' old.tk >hint.tk
compile hint.tk hint.ptx
verdict 1 'global loads, 16 B 2 → 0 (-2)
global loads, 4 B 0 → 8 (+8)
parameter 0: .param .u64 .ptr .global .align 16 → .param .u64 .ptr .global .align 1' full.ptx hint.ptx
verdict 1 'params.x.divisible_by: 16 → none' full.json hint.json
verdict 1 '- //   x_, y_: array of fp32; address a multiple of 16 bytes
+ //   x_: array of fp32
scale: changed' full.h hint.h
verdict 3 'instructions' full.ptx hint.ptx --allow instructions=5%

# Another order of the same instructions, as of another scheduler; a block at another place; a branch that leads elsewhere.
compile "$softmax" softmax.ptx --config 2
compile "$softmax" order.ptx --config 2 --without=sink_reads
verdict 1 'softmax: moved: the same instructions in another order
1 kernel: 1 moved
! added' softmax.ptx order.ptx
verdict 1 'code: 2 moved
1 kernel: 1 moved' "$here/block_old.ptx" "$here/block_new.ptx"
sed 's/@%p1 bra.*/@%p1 bra $L__end;/' "$here/block_old.ptx" >elsewhere.ptx
verdict 1 'code: 1 moved' "$here/block_old.ptx" elsewhere.ptx
# Operands the other way around: equal but for the values that they take.
sed 's/%r3, %r1, %r2/%r3, %r2, %r1/' "$here/block_old.ptx" >swapped.ptx
cmp -s "$here/block_old.ptx" swapped.ptx && fail "the operands are not swapped"
verdict 1 'block: changed
with another operand' "$here/block_old.ptx" swapped.ptx

# A wait that leaves more copies under way is a change, in PTX, where it is the program's.
compile "$matmul" waits.ptx --config 0 --no-header
sed '/cp.async.wait_group/s/[0-9]*;/9;/' waits.ptx >longer.ptx
cmp -s waits.ptx longer.ptx && fail "no wait is changed"
verdict 1 'matmul: changed
with another constant' waits.ptx longer.ptx

# Another chip.
compile old.tk chip.ptx -t sm_90
verdict 1 'target: sm_80 → sm_90' full.ptx chip.ptx

if $amd; then
    compile "$matmul" tile_128.hsaco --config 0 --no-header
    compile "$matmul" tile.hsaco --config 3 --no-header
    compile "$matmul" order.hsaco --config 3 --no-header --without=sink_reads
    verdict 0 '1 kernel: 1 same' tile_128.hsaco tile_128.hsaco
    # LLVM sets the numbers of waits by the order of what they wait for: they are none that changed.
    verdict 1 'matmul: moved: the same instructions in another order
! with another constant
! removed' tile.hsaco order.hsaco
    # The figures of the metadata; a spill written into them (the byte behind the key).
    LC_ALL=C sed 's/\(\.vgpr_spill_count\)\x00/\1\x05/' tile_128.hsaco >spill.hsaco
    verdict 1 'spills 0 → 5 (+5)
code: the same' tile_128.hsaco spill.hsaco
    verdict 3 'worse than allowed: spill.hsaco: matmul: spills 0 → 5 (+5), allowed is +4' tile_128.hsaco spill.hsaco --allow spills=+4
    verdict 1 '! worse' tile_128.hsaco spill.hsaco --allow spills=+5,registers=0,instructions=0
    # Another chip of the family.
    compile "$matmul" chip.hsaco --config 0 --no-header -t gfx90a
    verdict 1 'target: gfx942 → gfx90a' tile_128.hsaco chip.hsaco
    compile "$matmul" matmul.ptx --config 0 --no-header
    verdict 1 'kind: PTX → code object
code: another instruction set' matmul.ptx tile_128.hsaco
else
    echo "without LLD: no code objects"
fi

# A spill that ptxas adds: figures of PTX come from it.
ptxas=$(command -v ptxas || command -v /usr/local/cuda/bin/ptxas)
if [ -n "$ptxas" ]; then
    compile "$softmax" few.ptx --config 2 --maxnreg 24
    verdict 3 '.maxnreg: none → 24
softmax: spills 0 → ' softmax.ptx few.ptx --ptxas "$ptxas" --allow spills=0
    verdict 1 'registers' softmax.ptx few.ptx --ptxas "$ptxas" --allow registers=0
else
    echo "without ptxas: no spills of PTX"
fi
finish "each pair has its verdict"
