#!/bin/sh
# Compares two compilers by their outputs: the PTX and the AMD assembly of every kernel that the suite compiles, on every chip that
# both know. Run it for a change without effect on the output, with the compiler from before the change.
#
#   same_bytes.sh [--quick] [--every N] [--chips CHIP,…] [--only TEXT] [--jobs N] [--keep FOLDER] OLD_TKC NEW_TKC
#
# The kernels are those of examples/*.tk and tests/bench/products.tk in each of their configurations, and each case of tests/lang with
# its types, constants, numbers of warps and numbers of stages. Two compilations are the same if bytes and exit status are; a kernel
# that both refuse counts as refused. All of it takes hours of processor time: --every compiles only each N-th pair of a kernel and a
# chip, --quick each 997th, and the first configuration of each file for sm_90a and gfx942. --only takes the compilations whose
# arguments contain the text. --keep leaves the pairs of different outputs in a folder.
# $LIST_COMPILATIONS names a place for the program listing the language tests, to be built once for several runs.
# Exit status: 0 all the same, 1 differences, 2 wrong usage.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)

usage() {
    echo "usage: same_bytes.sh [--quick] [--every N] [--chips CHIP,...] [--only TEXT] [--jobs N] [--keep FOLDER] OLD_TKC NEW_TKC" >&2
    exit 2
}

# compare STEM CHIP ARGUMENTS: compiles once with $OLD and once with $NEW and prints a line, the outcome. The two outputs stay if
# they differ.
compare() {
    stem=$1 chip=$2
    eval "set -- $3"
    kind=s
    [ "${chip#sm_}" = "$chip" ] || kind=ptx
    old_status=0 new_status=0
    timeout 300 "$OLD" "$@" --target "$chip" --emit=$kind -o - >"$stem.old.$kind" 2>/dev/null || old_status=$?
    timeout 300 "$NEW" "$@" --target "$chip" --emit=$kind -o - >"$stem.new.$kind" 2>"$stem.said" || new_status=$?
    if [ $old_status != $new_status ]; then
        echo "differs: $chip $*: exit status $old_status, then $new_status: $(head -n 1 "$stem.said")"
    elif ! cmp -s "$stem.old.$kind" "$stem.new.$kind"; then
        echo "differs: $chip $*: $stem.{old,new}.$kind"
    else
        rm -f "$stem.old.$kind" "$stem.new.$kind"
        [ $old_status = 0 ] && echo same || echo refused
    fi
    rm -f "$stem.said"
}

if [ "${1-}" = --compare ]; then
    compare "$2" "$3" "$4"
    exit 0
fi

chips='' only='' quick='' keep='' every=1 jobs=$(getconf _NPROCESSORS_ONLN)
while [ $# -gt 0 ] && [ "${1#--}" != "$1" ]; do
    [ $# -ge 2 ] || usage
    case $1 in
    --quick) quick=yes every=997 && shift && continue ;;
    --every) every=$2 ;;
    --chips) chips=$(echo "$2" | tr ',' ' ') ;;
    --only) only=$2 ;;
    --jobs) jobs=$2 ;;
    --keep) keep=$2 ;;
    *) usage ;;
    esac
    shift 2
done
[ $# = 2 ] || usage
for tkc in "$1" "$2"; do
    [ -x "$tkc" ] || { echo "same_bytes.sh: $tkc is no program" >&2; exit 2; }
done
OLD=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
NEW=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
export OLD NEW

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
outputs=$work/outputs
mkdir -p "$outputs"
if [ -n "$keep" ]; then
    mkdir -p "$keep"
    outputs=$(cd "$keep" && pwd)
fi
cd "$root"

"$OLD" --print-targets | awk '{ print $1 }' | sort >"$work/old.chips"
"$NEW" --print-targets | awk '{ print $1 }' | sort >"$work/new.chips"
[ -n "$chips" ] || chips=$(comm -12 "$work/old.chips" "$work/new.chips" | tr '\n' ' ')

# A line for each compilation, arguments in the shell's quotes: the files in each configuration, then the language tests.
for source in examples/*.tk tests/bench/products.tk; do
    case "'$source' --config " in
    *"$only"*) ;;
    *) case $only in *config*) ;; *) continue ;; esac ;;
    esac
    count=$("$OLD" "$source" --target sm_80 --emit=ptx -o - 2>&1 >/dev/null |
        sed -n 's/.* configuration 0 of \([0-9]*\) is compiled.*/\1/p' | sort -n | tail -n 1)
    config=0
    while [ $config -lt "${count:-1}" ]; do
        echo "'$source'${count:+ --config $config}"
        config=$((config + 1))
    done
done >"$work/list"
tables=$(ls tests/lang/*.c | grep -vE '/(lang_test|run_case)\.c$')
lister=${LIST_COMPILATIONS:-$work/list_compilations}
[ -x "$lister" ] ||
    ${CC:-cc} -std=gnu11 -O0 -w -Itests/lang -Isrc -Itools/tkc-run -DTEST_SOURCE_DIR="\"$root\"" $tables tests/rooms/list_compilations.c \
        tools/tkc-run/hidden.c -lm -o "$lister"
"$lister" >>"$work/list"

# Pairs of a chip and a compilation.
awk '!seen[$0]++' "$work/list" | grep -F -- "$only" | awk -v chips="$chips" -v every="$every" -v quick="$quick" '
    BEGIN { count = split(chips, chip, " ") }
    {
        first = $1 ~ /^.(examples|tests.bench)\// && $1 != before
        before = $1
        for (i = 1; i <= count; i++)
            if (pairs++ % every == 0 || quick && first && chip[i] ~ /^(sm_90a|gfx942)$/) print chip[i] " " $0
    }' >"$work/chosen"
[ -s "$work/chosen" ] || { echo "same_bytes.sh: nothing to compile" >&2; exit 2; }

number=0
while read -r chip line; do
    number=$((number + 1))
    printf '%s\0%s\0%s\0' "$outputs/$number" "$chip" "$line"
done <"$work/chosen" | xargs -0 -n 3 -P "$jobs" sh tests/rooms/same_bytes.sh --compare >"$work/report"

same=$(grep -c '^same$' "$work/report" || true)
refused=$(grep -c '^refused$' "$work/report" || true)
differ=$(grep -c '^differs: ' "$work/report" || true)
grep '^differs: ' "$work/report" | sort | head -n 20 || true
old=$(sed -n 's/^differs: .*: \(.*\){old,new}\(.*\)$/\1old\2/p' "$work/report" | head -n 1)
if [ -n "$old" ]; then
    echo "the first lines of a difference:"
    diff -u "$old" "$(echo "$old" | sed 's/old\(\.[a-z]*\)$/new\1/')" | head -n 40 || true
fi
pairs=$(wc -l <"$work/chosen")
echo "$((same + refused + differ)) of $pairs compilations compared, $(echo $chips | wc -w) chips:" \
    "$same the same, $refused refused by both, $differ different"
[ $differ = 0 ] && [ $((same + refused)) = $pairs ]
