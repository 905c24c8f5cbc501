#!/bin/sh
# The random kernels of a night: night.sh FOLDER SEEDS [FIRST]. FOLDER holds random_test and lang_test, SEEDS is the number of kernels,
# FIRST the first seed (today's number, so that each night has others). Each kernel runs with whole numbers and with hostile
# inputs, in two ways; on AMD a fifth of them runs from code objects, too, and a fifth is assembled by ptxas for NVIDIA. The
# language tests run with hostile inputs of 20 seeds. Prints every failure, and exits with 1 after any.
set -u
[ $# -ge 2 ] || { echo "usage: night.sh FOLDER SEEDS [FIRST]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
tests=$(cd "$1" && pwd) seeds=$2 first=${3-$(date +%y%m%d)0000}
part=$(((seeds + 4) / 5))
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0
run() {
    echo "== $*"
    "$@"
    code=$?
    [ $code -eq 0 ] || [ $code -eq 77 ] || status=1 # 77: ptxas is not installed
}

for inputs in '' --hostile; do
    run "$tests/random_test" $inputs --ways 2 --seeds "$first-$((first + seeds - 1))"
    for chip in gfx90a gfx942 gfx1100 gfx1200; do
        run "$tests/random_test" $inputs --chip $chip --level machine --seeds "$first-$((first + part - 1))"
    done
    for chip in sm_80 sm_90a; do
        mkdir -p "$folder/$chip"
        run "$tests/random_test" $inputs --chip $chip --emit "$folder/$chip" --seeds "$first-$((first + part - 1))"
        run sh "$here/../lang/assemble.sh" "$folder/$chip" $chip
    done
done
for seed in $(seq "$first" $((first + 19))); do
    run "$tests/lang_test" --hostile --seed "$seed"
done
exit $status
