#!/bin/sh
# The table of the library's accuracy in a document is that of accuracy.def: check_table.sh ACCURACY_TEST DOCUMENT. With UPDATE=1 the
# lines are written anew.
set -eu
test=$1 document=$2
begin='| function | arguments | f32 | f64 | |'
table=$(mktemp)
trap 'rm -f "$table" "$table.new"' EXIT
"$test" --table >"$table"
if [ -n "${UPDATE-}" ]; then
    awk -v begin="$begin" -v table="$table" '
        $0 == begin { print; getline; print; while ((getline line < table) > 0) print line; skip = 1; next }
        skip && /^\|/ { next }
        { skip = 0; print }' "$document" >"$table.new"
    cat "$table.new" >"$document"
fi
awk -v begin="$begin" '$0 == begin { getline; on = 1; next } on && !/^\|/ { exit } on' "$document" | diff - "$table"
