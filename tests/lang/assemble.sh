#!/bin/sh
# The PTX of every language test through ptxas: assemble.sh FOLDER CHIP [FOLDER CHIP]…, after lang_test --emit FOLDER. ptxas takes all
# of it, and says nothing: a remark would be that wgmma instructions are serialised (C7510 and its like) or setmaxnreg is ignored (C7506).
# Exits 77 (skipped) where ptxas is not installed. The folders are removed.
#
# Several chips, the oldest first: a text that an older chip had, but for the lines with its chip's name and PTX's version, is
# assembled for that chip alone, whose instructions the newer one has too. Of the others a text is assembled if it has an instruction in a form
# that no text before it had, wgmma or setmaxnreg: remarks are about a whole kernel of those. A form is an opcode with its types, its kinds of operands, and
# its numbers, but for the numbers of arithmetic and the offsets of plain accesses. So each form that the tests write is assembled.
set -eu
folders='' status=0
for word in "$@"; do
    [ ! -d "$word" ] || folders="$folders $word"
done
trap 'rm -rf $folders' EXIT
PATH=$PATH:/usr/local/cuda/bin
if ! command -v ptxas >/dev/null; then
    echo "ptxas is not installed: skipped"
    exit 77
fi

forms='
BEGIN {
    split("mov add sub mul mad fma setp selp and or xor shl shr min max ld st bra prmt div rem neg", words)
    for (i in words) any_number[words[i]] = 1
}
FNR == 1 { if (wanted) print name; name = FILENAME; wanted = 0 }
/wgmma|setmaxnreg/ { wanted = 1 }
/^\.(max|min|req)/ && !seen[$0]++ { wanted = 1 } # threads, registers and blocks
/^[ \t]+(@!?%p[0-9]+[ \t]+)?[a-z]/ {
    guarded = sub(/^[ \t]+@!?%p[0-9]+[ \t]+/, "")
    opcode = $1
    sub(/^[ \t]*[^ \t]+/, "")
    gsub(/%p[0-9]+/, "%p"); gsub(/%r[0-9]+/, "%r"); gsub(/%rd[0-9]+/, "%rd"); gsub(/%rs[0-9]+/, "%rs"); gsub(/%f[0-9]+/, "%f")
    gsub(/[A-Za-z_$][A-Za-z0-9_]*_[0-9]+/, "name")
    family = opcode
    sub(/\..*/, "", family)
    if (family in any_number) gsub(/-?[0-9][0-9A-Fa-fx]*/, "0")
    if (!seen[guarded, opcode, $0]++) wanted = 1
}
END { if (wanted) print name }'

# assemble FOLDER CHIP: cases whose texts are the same are assembled once. The hashes in `earlier` are of texts assembled already. A third
# of ptxas's time is its start, so it gets many at a time, with kernels that have the names of their files, and second forms a number more.
earlier=$(mktemp)
trap 'rm -rf $folders "$earlier"' EXIT
assemble() (
    cd "$1"
    ls | grep '\.ptx$' | xargs awk '
        FNR == 1 { close(out); out = FILENAME ".bare" }
        !/^(\/\/|\.version|\.target)/ { print >out }'
    ls | grep '\.bare$' | xargs md5sum | awk -v earlier="$earlier" '
        BEGIN { while ((getline hash <earlier) > 0) seen[hash] = 1; close(earlier) }
        !seen[$1]++ { print $1 >>earlier; sub(/\.bare$/, "", $2); print $2 }' | xargs awk "$forms" | xargs awk '
        FNR == 1 { close(out); out = FILENAME ".one"; name = FILENAME; sub(/\.ptx$/, "", name); gsub(/[^A-Za-z0-9_]/, "_", name); forms = 0 }
        /^\.visible \.entry/ { sub(/entry [^(]*/, "entry " name (forms++ ? "_" forms : "")) }
        { print >out }'
    status=0
    ls | grep '\.one$' >ones || true
    : >said
    [ ! -s ones ] || xargs -n 40 ptxas -arch="$2" -o cubin <ones >said 2>&1 || status=1
    if [ $status -ne 0 ] || [ -s said ]; then
        head -50 said
        exit 1
    fi
    echo "$(ls | grep -c '\.ptx$') PTX files, $(wc -l <ones) of them assembled for $2"
)

while [ $# -gt 0 ]; do
    assemble "$1" "$2" || status=1
    shift 2
done
exit $status
