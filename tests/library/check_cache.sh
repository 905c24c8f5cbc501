#!/bin/sh
# --cache-dir: the second time is a hit with the same bytes and messages; a change of an option, the source, an import, or a file that now
# comes before an import is a miss; damaged files, folders that cannot be written and writers at once do no harm; it stays within its bound.
#   check_cache.sh TKC OUT
set -eu
tkc=$1 out=$2
rm -rf "$out"
mkdir -p "$out/lib"
cd "$out"

fail() {
    echo "failed: $*" >&2
    exit 1
}

printf 'import triton\n\n\n@triton.jit\ndef twice(x):\n    return x + x\n' >lib/helper.py
cat >k.tk <<'END'
import triton
import triton.language as tl
from helper import twice


@triton.jit
def k(x: "*fp32", n: "i32"):
    for i in range(n):
        j = i * 128 + tl.arange(0, 128)
        tl.store(x + j, twice(tl.load(x + j)))
END

results() { # how many the cache holds
    find cache -name '*.tkc-r' | wc -l
}
run() { # how many results are there afterwards, arguments
    wanted=$1
    shift
    "$tkc" k.tk -I lib -o k.ptx -o k.hsaco --cache-dir cache "$@" 2>messages || fail "tkc $*: $(cat messages)"
    [ "$(results)" = "$wanted" ] || fail "$*: $(results) results are kept, not $wanted"
}
settle() { # a file written in the very moment of a compilation is not trusted
    sleep 0.05
}

settle
run 1 --remarks
cat k.ptx k.hsaco k.h k.json messages >first
rm k.ptx k.hsaco k.h k.json
touch -d '2020-01-01' cache/*
run 1 --remarks
cat k.ptx k.hsaco k.h k.json messages | cmp - first || fail "a hit gives other bytes"
[ -z "$(find cache -type f ! -newermt 2021-01-01)" ] || fail "a hit does not make its files new"
grep -q ': remark: ' messages || fail "a hit has no remarks: $(cat messages)"
run 1 --remarks -j 1
run 2
cat k.ptx k.hsaco k.h k.json messages >first
run 3 --num-warps 8
sed -i 's/x + x/x * 3/' lib/helper.py && settle
run 4
cat k.ptx k.hsaco k.h k.json messages | cmp -s - first && fail "a changed import is not seen"
sed -i 's/x \* 3/x + x/' lib/helper.py && settle
run 4
cat k.ptx k.hsaco k.h k.json messages | cmp - first || fail "an import that is back as it was is not found"
sed 's/x + x/x * 5/' lib/helper.py >helper.tk && settle # ahead of lib/helper.py
run 5
rm helper.tk
run 5
echo '# more' >>k.tk && settle
run 6

for file in cache/*; do
    printf X | dd of="$file" bs=1 seek=40 conv=notrunc 2>/dev/null
done
run 6
"$tkc" k.tk -I lib -o fresh.ptx
cmp k.ptx fresh.ptx || fail "a damaged cache gives other bytes"

# Errors are not kept; compilations that print do not use it.
printf 'import triton\n\n\n@triton.jit\ndef k(x: "*fp32"):\n    undefined(x)\n' >wrong.tk && settle
! "$tkc" wrong.tk -o wrong.ptx --cache-dir cache 2>/dev/null || fail "an error is no error"
[ "$(results)" = 6 ] || fail "an error is kept"
"$tkc" k.tk -I lib -o k.ptx --cache-dir cache --dump-after=cleanup 2>dump
grep -q 'tt.func\|func.func' dump || fail "--dump-after prints nothing with a cache"

# Writers at once.
rm -rf cache
pids=
for i in 1 2 3 4 5 6 7 8; do
    mkdir "w$i"
    (cd "w$i" && "$tkc" ../k.tk -I ../lib -o k.ptx --cache-dir ../cache -j 1) &
    pids="$pids $!"
done
for pid in $pids; do
    wait "$pid" || fail "a writer fails beside others"
done
for i in 1 2 3 4 5 6 7 8; do
    cmp "w$i/k.ptx" fresh.ptx || fail "writers at once disturb each other"
done
[ "$(results)" = 1 ] && [ -z "$(find cache -name '*.tmp')" ] || fail "temporary files are left"

# Its bound: 1 MiB.
head -c 1200000 /dev/zero >cache/0000.tkc-r && touch -d '2020-01-01' cache/0000.tkc-r
echo keep >cache/other
run 2 --cache-size 1 --num-warps 2
[ ! -e cache/0000.tkc-r ] && [ -e cache/other ] || fail "the bound removes the wrong files"
! "$tkc" k.tk --cache-size 0 2>/dev/null || fail "--cache-size 0"

# A file instead of a folder.
"$tkc" k.tk -I lib -o k.ptx --cache-dir k.tk/cache 2>messages || fail "a cache that cannot be written is an error"
grep -q 'is not kept in the cache k.tk/cache' messages || fail "no warning: $(cat messages)"
echo "the cache keeps and finds"
