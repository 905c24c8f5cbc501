#!/bin/sh
# Kernels are right without any one pass or step that --without takes: a product in a loop and attention, in the emulator.
# One process a kernel: a program left as it is by several passes runs once. Each pass is left out in every third pair of warps and stages.
#   without.sh TKC LANG_TEST CHIP
set -u
tkc=$1 lang_test=$2 chip=$3 failed=0
names=$("$tkc" --print-passes | grep -v '(needed)$' | cut -d' ' -f1)
options=$(echo "$names" | sed 's/^/--without /')
tried=$(echo "$names" | wc -l)
[ "$tried" -ge 40 ] || { echo "failed: --print-passes lists $tried names"; failed=1; }
for only in dot.matmul_fp16_hinted dot.attention; do
    # shellcheck disable=SC2086
    "$lang_test" --chip "$chip" --only $only --seed 1 $options || failed=1
done
exit $failed
