#!/bin/sh
# Takes the examples to an NVIDIA GPU: compiles them with tkc, builds one C program per variant against the generated
# header, launches, compares with float64 references and prints a table.
#
#   tests/gpu/run.sh [--tkc FILE] [--target CHIP] [--out DIR] [--compile-only] [--seed N] [--small]
#                    [--sanitize] [--variants FILE] [NAME …]
#
#   --tkc FILE       compile with this tkc; without it, DIR must hold the headers from an earlier run
#   --target CHIP    what to compile for (sm_80)
#   --out DIR        where headers, PTX and programs go (build/gpu)
#   --compile-only   stop after compiling: for a machine without a GPU, to carry DIR to one that has no LLVM
#   --seed N         repeat a run's random inputs
#   --small          small shapes only
#   --sanitize       small shapes under compute-sanitizer's memcheck (no guard zones) and racecheck
#   --variants FILE  these variants (variants.txt); sweep.py writes others
#   NAME …           only these of them
#
# Exits 0 when all passed, 1 on any failure, 77 (skipped) where there is no GPU. Needs cc, cuda.h and libcuda.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
tkc= target=sm_80 out=build/gpu compile_only= seed= small= sanitize= variants=$here/variants.txt names=
while [ $# -gt 0 ]; do
    case $1 in
    --tkc) tkc=$2; shift ;;
    --target) target=$2; shift ;;
    --out) out=$2; shift ;;
    --seed) seed=$2; shift ;;
    --compile-only) compile_only=1 ;;
    --small) small=--small ;;
    --variants) variants=$2; shift ;;
    --sanitize) sanitize=1 small=--small ;;
    -*) echo "run.sh: unknown option $1" >&2; exit 2 ;;
    *) names="$names $1" ;;
    esac
    shift
done
mkdir -p "$out" || exit 1
failed=0

# Calls $1 NAME EXAMPLE OPTIONS DEFINITIONS for every chosen variant.
each_variant() {
    while IFS='|' read -r name example options definitions; do
        name=$(echo $name)
        case $name in '' | '#'*) continue ;; esac
        [ "$(echo $definitions)" = bench ] && [ "$1" != compile ] && continue
        case "$names " in ' ' | *" $name "*) "$1" "$name" "$(echo $example)" "$options" "$definitions" ;; esac
    done <"$variants"
}

compile() {
    # The options hold quoted signatures: let the shell split them as it would on a command line. No globbing: they
    # hold asterisks.
    # Of several configurations the first, unless they say otherwise.
    case $3 in *-config*) config= ;; *) config='--config 0' ;; esac
    set -f
    if ! eval "\"$tkc\" \"$top/examples/$2.tk\" --target $target $config $3 -o \"$out/$1.ptx\"" 2>"$out/$1.log"; then
        echo "$1: tkc failed:"
        sed 's/^/    /' "$out/$1.log"
        rm -f "$out/$1.h"
        failed=1
    fi
    set +f
}

if [ -n "$tkc" ]; then
    each_variant compile
    echo "compiled for $target into $out"
fi
[ -n "$compile_only" ] && exit $failed

# The driver's library may be a stub to link against; at run time the loader finds the real one.
cuda=${CUDA_HOME:-/usr/local/cuda}
link="-L$cuda/lib64/stubs -L/usr/local/nvidia/lib64 -lcuda"
openmp=
echo 'int main(void) { return 0; }' >"$out/probe.c"
if ${CC:-cc} -fopenmp "$out/probe.c" -o "$out/probe" 2>/dev/null && "$out/probe"; then openmp=-fopenmp; fi
[ -n "$openmp" ] || echo "note: no OpenMP: references run on one core"
cat >"$out/probe.c" <<'END'
#include <cuda.h>
int main(void) {
    int devices = 0;
    return cuInit(0) != CUDA_SUCCESS || cuDeviceGetCount(&devices) != CUDA_SUCCESS || devices == 0;
}
END
${CC:-cc} -isystem "$cuda/include" "$out/probe.c" -o "$out/probe" $link || {
    echo "run.sh: needs a C compiler, cuda.h and libcuda (CUDA_HOME names the toolkit, now $cuda)"
    exit 1
}

# Without a GPU the programs are compiled, to see that they can be, and not linked.
"$out/probe" 2>/dev/null && have_gpu=1 || have_gpu=

compiler() {
    ${CC:-cc} -std=gnu11 -O3 -march=native $openmp -Wall -Wextra -Werror -I"$here" -isystem "$cuda/include" "$@"
}
compiler -c "$here/harness.c" -o "$out/harness.o" || exit 1

build() {
    if [ ! -f "$out/$1.h" ]; then
        echo "$1: no header $out/$1.h"
        failed=1
        return
    fi
    name=$1 source=$2 defines=
    for definition in $4; do defines="$defines -D$definition"; done
    if [ -n "$have_gpu" ]; then set -- "$out/harness.o" $link -lm; else set -- -O0 -c; fi
    compiler -isystem "$out" -DHEADER="\"$name.h\"" -DNAME="\"$name\"" $defines "$here/$source.c" "$@" \
        -o "$out/$name.test" 2>"$out/$name.log" || {
        echo "$name: the test program does not build:"
        sed 's/^/    /' "$out/$name.log"
        rm -f "$out/$name.test"
        failed=1
    }
}

launch() {
    [ -x "$out/$1.test" ] || return
    "$out/$1.test" $small --seed "$seed" || failed=1
}

launch_sanitized() {
    [ -x "$out/$1.test" ] || return
    for tool in memcheck racecheck; do
        guards=
        [ $tool = memcheck ] && guards=--no-guards
        if compute-sanitizer --tool $tool --error-exitcode 9 "$out/$1.test" $small $guards --seed "$seed" \
            >"$out/$1.$tool.log" 2>&1; then
            printf '%-26s %-10s %s\n' "$1" $tool "no errors"
        else
            printf '%-26s %-10s %s\n' "$1" $tool "FAIL (status $?)"
            grep -v PASS "$out/$1.$tool.log" | head -n 20 | sed 's/^/    /'
            failed=1
        fi
    done
}

[ -n "$seed" ] || seed=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
jobs=0 cores=$(nproc 2>/dev/null || echo 4)
for_build() {
    build "$@" &
    jobs=$((jobs + 1))
    [ $((jobs % cores)) = 0 ] && wait
}
each_variant for_build
wait
each_variant_missing() { [ -e "$out/$1.test" ] || failed=1; }
each_variant each_variant_missing
if [ -z "$have_gpu" ]; then
    [ $failed = 0 ] || exit 1
    echo "skipped: no NVIDIA GPU here; the test programs compile"
    exit 77
fi
echo "seed $seed; device $(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1)"
if [ -n "$sanitize" ]; then
    if ! command -v compute-sanitizer >/dev/null; then
        echo "skipped: compute-sanitizer is not installed"
        exit 77
    fi
    each_variant launch_sanitized
else
    printf '%-26s %-44s %10s %10s\n' example shape 'max error' tolerance
    each_variant launch
fi
if [ $failed = 0 ]; then echo "all passed"; else echo "FAILED"; fi
exit $failed
