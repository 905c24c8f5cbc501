#!/bin/sh
# Kernels are right without any one pass or step that --without takes: a product in a loop and attention, in the emulator.
#   without.sh TKC LANG_TEST CHIP
set -u
tkc=$1 lang_test=$2 chip=$3 failed=0 tried=0
names=$("$tkc" --print-passes | grep -v '(needed)$' | cut -d' ' -f1)
for name in $names; do
    for only in dot.matmul_fp16_hinted dot.attention; do
        tried=$((tried + 1))
        "$lang_test" --chip "$chip" --only $only --seed 1 --without "$name" >said 2>&1 || {
            echo "failed: $only on $chip without $name: $(tail -3 said)"
            failed=1
        }
    done
done
[ $tried -ge 40 ] || { echo "failed: --print-passes lists $tried names"; failed=1; }
exit $failed
