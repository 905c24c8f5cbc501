#!/bin/sh
# No file calls, by way of others, a file that calls it: a file can then be read with those below it alone. The arrows are the symbols
# of the object files. The circles that are left stand in a table below, with their reason; one that is gone must leave it.
#
#   check_circles.sh SOURCE_ROOT BUILD_FOLDER
set -eu
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# name, files (a pattern), reason
cat >"$work/known" <<'END'
eval      ^src/frontend/eval/                                             an expression evaluates expressions, and calls functions of statements
parser    ^src/frontend/syntax/parser                                     an expression holds expressions
lexer     ^src/frontend/syntax/lexer                                      an f-string holds tokens
operators ^src/frontend/semantics/(cast|operator|promote|shape|tensor)\.c a cast compares, a comparison casts
kernels   ^src/frontend/(frontend|grid|inductor|kernel_[a-z]*|chain_[a-z]*)\.c a configuration evaluates expressions over the parameters that it fixes; so does a chain
pointers  ^src/frontend/builtin/(block_pointer|memory)\.c                 a load takes block pointers, whose loads are loads
regions   ^src/lower/(lower|control/lower_(control|specialise)|exchange/lower_(reduce|scan))\.c an op holds a block of ops
layouts   ^passes/layout/layouts_(chain|choose|home|warpgroup)\.c         a choice for one op asks for the homes of others
copies    ^src/emulator/memory/(launch|mbarrier|tensor)\.c                a copy names its barrier, whose phase lands the copy
images    ^tools/tkc-diff/load(_header)?\.c                               a header holds files
END

# Objects of sources that are there; one that replaces the C library's functions is no file of ours to them.
find "$2/CMakeFiles" -name '*.c.o' | sort | while read -r object; do
    source=${object#*.dir/}
    source=${source%.o}
    case $source in
    tools/malloc.c) ;;
    src/* | passes/* | dialects/* | tools/*)
        if [ -f "$root/$source" ]; then
            echo "$object"
        fi ;;
    esac
done >"$work/objects"
if [ ! -s "$work/objects" ]; then
    echo "there are no objects of this tree in $2/CMakeFiles"
    exit 77
fi
xargs nm -A <"$work/objects" | awk '
{
    place = $1
    sub(/\.o:.*$/, "", place)
    program = place
    sub(/\.dir\/.*$/, "", program)
    sub(/^.*\//, "", program)
    sub(/^.*\.dir\//, "", place)
    kind = $(NF - 1)
    if (kind == "U" || kind ~ /:U$/) uses[place SUBSEP $NF SUBSEP program]
    else if (kind ~ /^[TDBRVW]$/) home[program ~ /^tkc_/ ? "" : program, $NF] = place
}
END {
    for (use in uses) {
        split(use, part, SUBSEP)
        to = (part[3], part[2]) in home ? home[part[3], part[2]] : home["", part[2]]
        if (to != "" && to != part[1]) print part[1], to
    }
}' | sort -u >"$work/arrows"

failed=0
# $1: the known circles as single rooms; of the rest tsort names each circle.
awk 'NR == FNR { name[NR] = $1; files[NR] = $2; known = NR; next }
function room(file,    i) { for (i = 1; i <= known; i++) if (file ~ files[i]) return name[i]; return file }
{ from = room($1); to = room($2); if (from != to) print from, to }' "$work/known" "$work/arrows" >"$work/rooms"
if ! tsort "$work/rooms" >"$work/sorted" 2>"$work/circles"; then
    echo "files call each other in a circle:"
    sed 's/^tsort: //; /input contains a loop/d; s/^/  /' "$work/circles"
    failed=1
fi
while read -r name files reason; do
    awk -v files="$files" '$1 ~ files && $2 ~ files' "$work/arrows" >"$work/inside"
    if tsort "$work/inside" >"$work/sorted" 2>&1; then
        echo "check_circles.sh: the circle '$name' is gone ($reason): take its row out"
        failed=1
    fi
done <"$work/known"
exit $failed
