#!/bin/sh
# libtkc.so and libtkc.a export the functions of tkc.h and nothing else, and programs with either compile as tkc does.
#   check_exports.sh TKC_H LIBTKC_SO LIBTKC_A TKC OUT PROGRAM...
set -eu
header=$1 shared=$2 archive=$3 tkc=$4 out=$5
shift 5
rm -rf "$out"
mkdir -p "$out"
cd "$out"

fail() {
    echo "failed: $*" >&2
    exit 1
}

grep -oE '^[a-z].*[ *](tkc_[a-z_]+)\(' "$header" | grep -oE 'tkc_[a-z_]+\($' | tr -d '(' | sort >declared
[ "$(wc -l <declared)" -ge 13 ] || fail "the functions of tkc.h are not read"
nm -D --defined-only "$shared" | awk '{print $3}' | sort >of_shared
nm -g --defined-only "$archive" 2>/dev/null | awk 'NF == 3 {print $3}' | sort >of_archive
diff declared of_shared || fail "$shared exports other than tkc.h declares"
diff declared of_archive || fail "$archive exports other than tkc.h declares"

cat >helper.tk <<'END'
import triton


@triton.jit
def twice(x):
    return x + x
END
cat >k.tk <<'END'
import triton
import triton.language as tl
from helper import twice


@triton.jit
def k(x: "*fp32:16"):
    i = tl.arange(0, 128)
    tl.store(x + i, twice(tl.load(x + i)))
END
"$tkc" k.tk -o k.ptx
mkdir elsewhere
for program; do
    (cd elsewhere && "$program" >k.ptx) || fail "$program does not run"
    cmp k.ptx elsewhere/k.ptx || fail "$program writes other PTX than tkc"
done
echo "both libraries export tkc_ alone, and compile"
