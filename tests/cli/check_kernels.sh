#!/bin/sh
# Kernels as they are found: without signatures, with configurations, as parts of packages.
#   check_kernels.sh TKC SOURCE_DIR FOLDER
set -u
tkc=$1 top=$2 out=$3
. "$top/tests/cli/expect.sh"
fresh

# The note about configurations says what was compiled, also where flags decided.
cat >tuned.py <<'END'
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 64}, num_warps=2), triton.Config({"BLOCK": 128})], key=["n"])
@triton.jit
def tuned(x, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + o, 1.0, mask=o < n)
END
expect 0 'configuration 0 of 2 is compiled (BLOCK=64, num_warps=2, num_stages=3)' tuned.py -s '*fp32, i32' -o - --target sm_80
expect 0 'configuration 1 of 2 is compiled (BLOCK=32, num_warps=8, num_stages=5)' tuned.py -s '*fp32, i32' -o - \
    --target sm_80 --config 1 -D BLOCK=32 --num-warps 8 --num-stages 5
expect 0 '(BLOCK=256, num_warps=2, num_stages=3)' tuned.py -s '*fp32, i32, 256' -o - --target sm_80

# tl.const without a type of its own: the signature's pointer is one that is only read.
cat >constant.py <<'END'
import triton
import triton.language as tl


@triton.jit
def copy(x: tl.const, y):
    tl.store(y, tl.load(x))


@triton.jit
def swap(x: tl.const, y):
    tl.store(x, tl.load(y))
END
expect 0 '' constant.py -n copy -s '*fp32, *fp32' -o - --target sm_80
expect 1 'tl.store writes through a constant pointer' constant.py -n swap -s '*fp32, *fp32' -o - --target sm_80

finish "kernels of all kinds compile"
