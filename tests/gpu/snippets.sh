#!/bin/sh
# Compares instructions and inline-assembly snippets on CUDA's first device (sm_89 or later) with the emulator's C semantics.
#   sh tests/gpu/snippets.sh build/bin/tkc-run
set -eu
[ -e /dev/nvidia0 ] || exit 77
run=$1
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compare() {
    kernel=$1 count=$2
    shift 2
    set -- --grid 256 --threads 256 --arg "xs=$inputs" --arg "ys=$others" --arg "out=empty($((count * 65536))):$type" "$@"
    "$run" "$here/$kernel.ll" -q --on sm_90a "$@" --out "out=$work/$kernel.npy"
    "$run" "$here/$kernel.ll" --on cuda "$@" --expect "out=$work/$kernel.npy:$type"
}
# Any bit pattern, then numbers of ordinary size.
type=u32 inputs="randint(0,4294967296,65536,seed=1):u32" others="randint(0,4294967296,65536,seed=2):u32"
compare snippets_exact 33
type=u32 inputs="randn(65536,seed=3):fp32" others="randn(65536,seed=4):fp32"
compare snippets_exact 33
# sin and cos are good to 2^-21 absolute in [-pi, pi], tanh to 2^-11 relative, the others to 2 ulp (PTX ISA).
type=fp32 inputs="rand(65536,seed=5):fp32" others="rand(65536,seed=6):fp32"
compare snippets_approximate 10 --rtol 5e-4 --atol 5e-7
