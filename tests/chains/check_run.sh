#!/bin/sh
# tkc-run --chain: a chain gives the results of its kernels one by one, and reads of unwritten elements are reported.
#   check_run.sh TKC_RUN SOURCE_DIR FOLDER
set -u
tkc=$1 top=$2 out=$3
. "$top/tests/cli/expect.sh"
fresh
cp "$top/tests/chains/rows.tk" .
x='--arg x=rand(5,992,seed=3):fp16'

expect 0 '' rows.tk -q --chain layer --no-fuse $x --arg 'y=empty(5,992):fp16' --arg stride=992 --arg n_rows=5 \
    --arg n_cols=992 --arg y_stride=992 --out y=chain.npy
expect 0 '' rows.tk -q -n norm $x --arg 'y=empty(5,992):fp16' --arg stride=992 --arg n_rows=5 --arg n_cols=992 \
    --arg eps=1e-5 --out y=h.npy
expect 0 '' rows.tk -q -n softmax --arg x=h.npy --arg 'y=empty(5,992):fp16' --arg x_stride=992 --arg n_rows=5 \
    --arg n_cols=992 --arg y_stride=992 --out y=apart.npy
cmp chain.npy apart.npy || fail 'the chain differs from its kernels run one by one'

# The arrays between the kernels begin unwritten: with fewer columns than the stride the second kernel reads unwritten elements.
expect 1 'read of memory that nothing has written: h[32]' rows.tk -q --chain hole --arg 'x=rand(2,64):fp16' --arg 'y=empty(2,64):fp16' --arg n=2

# Arguments of the command line are the chain's.
expect 1 "'layer' has no argument 'h'" rows.tk --chain layer --arg 'h=rand(4):fp16'
expect 1 'has no chain lair' rows.tk --chain lair
expect 1 "argument 'stride' of 'layer_steps_1_to_2' has to be a multiple of 16" rows.tk --chain layer $x --arg 'y=empty(5,992):fp16' \
    --arg stride=1001 --arg n_rows=5 --arg n_cols=992 --arg y_stride=992
# A kernel with spills gets more warps, and adds up in another order: merged, its steps would keep theirs.
cp "$top/tests/chains/spills.tk" .
for mode in '' --no-fuse; do
    expect 0 '' spills.tk -q --chain rows --on gfx1030 --num-warps 1 $mode --arg 'x=randn(8,32000,seed=5):fp32' --arg 'y=empty(8):fp32' \
        --arg M=8 --arg N=32000 --out "y=spills$mode.npy"
done
cmp spills.npy spills--no-fuse.npy || fail 'a chain with a spilling step has other bits than --no-fuse'
finish 'a chain runs as its kernels do'
