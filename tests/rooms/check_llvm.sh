#!/bin/sh
# No source, nor a test, calls a function of LLVM's or MLIR's C headers that LLVM 19 lacks (llvm_since_20.txt), but behind `#if LLVM_AT_LEAST(…)`: the build
# with -DTKC_LLVM=19 would end there.
#
#   check_llvm.sh [ROOT]
set -eu
cd "${1:-.}"
found=$(find src passes dialects tools tests -name '*.[ch]' -type f | sort | xargs awk '
    FILENAME ~ /llvm_since_20.txt$/ { if (FNR > 1) for (i = 1; i <= NF; i++) later[$i] = 1; next }
    FNR == 1 { depth = guarded = 0 }
    /^[ \t]*#[ \t]*if/ { depth++; if (/LLVM_AT_LEAST/ && !guarded) guarded = depth }
    /^[ \t]*#[ \t]*(else|elif|endif)/ { if (guarded == depth) guarded = 0 }
    /^[ \t]*#[ \t]*endif/ { depth-- }
    !guarded {
        line = $0
        sub(/[ \t]*\/\/.*/, "", line)
        while (match(line, /(LLVM|mlir)[A-Z][A-Za-z0-9_]*/)) {
            name = substr(line, RSTART, RLENGTH)
            line = substr(line, RSTART + RLENGTH)
            if (name in later) print FILENAME ":" FNR ": LLVM 19 has no " name
        }
    }' tests/rooms/llvm_since_20.txt)
[ -z "$found" ] || { echo "$found"; exit 1; }
