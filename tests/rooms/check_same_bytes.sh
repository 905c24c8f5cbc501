#!/bin/sh
# same_bytes.sh finds a compiler the same as itself, and sees one with other bytes and one with refusals.
#
#   check_same_bytes.sh TKC WORK_FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$2"
mkdir -p "$2"
log=$2/log
LIST_COMPILATIONS=$2/list_compilations
export LIST_COMPILATIONS
compare() {
    sh "$here/same_bytes.sh" --chips sm_80,gfx1100 --only examples/vector_add.tk --every 3 "$@" >"$log" 2>&1
}
other() {
    printf '#!/bin/sh\n[ "$1" != --print-targets ] || exec "%s" "$1"\n%s\n' "$1" "$3" >"$2"
    chmod +x "$2"
}
other "$1" "$2/same" "exec '$1' \"\$@\""
other "$1" "$2/other_bytes" "'$1' \"\$@\" | sed 's/add/sub/'"
other "$1" "$2/refuses" "exit 1"

compare "$1" "$2/same" || { echo "differs from itself:"; cat "$log"; exit 1; }
for name in other_bytes refuses; do
    if compare "$1" "$2/$name"; then
        echo "not seen: $name"
        exit 1
    fi
done
