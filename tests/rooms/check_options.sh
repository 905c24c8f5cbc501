#!/bin/sh
# Every field of struct tkc_options is named in the cache, in its key or among those that change no result.
# Every option of the tools is read by code and tried by a test: C code reads the field that a row of an options.def fills (or names
# the value that a SET row stores), and the option's name stands in a test, with its dashes.
#
#   check_options.sh [ROOT]
set -eu
cd "${1:-.}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find src tools passes -name '*.c' -type f -print0 | xargs -0 cat >"$work/code"
find -L tests examples cmake tools .ci -type f \( -name '*.sh' -o -name '*.py' -o -name '*.c' -o -name '*.txt' -o -name '*.cmake' -o -name '*.yml' \) \
    ! -path 'tests/rooms/*' -print0 2>/dev/null | xargs -0 cat >"$work/tests"

# Rows as "pattern long short": how code names the field, the function of CALL or the value of SET; names or NULL.
cat tools/*/options.def src/command/*.def | awk '
    function print_row(    rest, word, names) {
        if (row !~ /^(OPTION|LIST|COMMAS|NUMBER|CHECKED|CHECKED_LIST|SET|REAL|CALL)\(/) return
        gsub(/SOURCE\(|options\./, "", row)
        rest = row
        sub(/^[A-Z_]+\(/, "", rest)
        split(rest, argument, /, */)
        word = argument[row ~ /^SET/ ? 2 : 1]
        gsub(/\)/, "", word)
        sub(/.*\./, "", word)
        if (!match(rest, /("[^"]*"|NULL), *("[^"]*"|NULL), /)) return
        names = substr(rest, RSTART, RLENGTH)
        gsub(/[",]/, "", names)
        print row ~ /^(CALL|SET)/ ? "\\<" word "\\>" : "[.>]" word "\\>", names
    }
    /^[A-Z_]+\(/ { print_row(); row = "" }
    { row = row $0 }
    END { print_row() }' >"$work/options"
[ "$(wc -l <"$work/options")" -ge 70 ] || { echo "the rows of options.def are not read"; exit 1; }

failed=0
while read -r pattern long short; do
    grep -q -e "$pattern" "$work/code" || {
        echo "option $long: no code reads what it sets"
        failed=1
    }
    spelled=''
    [ "$long" = NULL ] || spelled="--$long"
    [ "$short" = NULL ] || spelled="$spelled${spelled:+|}(^|[^-A-Za-z0-9])-$short"
    grep -qE -e "($spelled)\\>" "$work/tests" || {
        echo "option $long ($short): no test has it"
        failed=1
    }
done <"$work/options"
sed -n '/^struct tkc_options {/,/^};/p' include/tkc/tkc.h | sed 's,//.*,,' |
    sed -nE 's/.*[ *]([a-z_]+);.*/\1/p; s/.*\(\*([a-z_]+)\)\(.*/\1/p' >"$work/fields"
[ "$(wc -l <"$work/fields")" -ge 60 ] || { echo "the fields of struct tkc_options are not read"; exit 1; }
while read -r field; do
    grep -qw -e "$field" src/driver/cache.c || {
        echo "src/driver/cache.c: options.$field is neither in the key of the cache nor among those that change no result"
        failed=1
    }
done <"$work/fields"
exit $failed
