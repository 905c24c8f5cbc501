#!/bin/sh
# The lines run by tests, by folder, from a counting build (preset coverage). `sh tools/test.sh --coverage` builds, tests
# and calls this; more tests add to the counts until the build folder goes.
#
#   coverage.sh [BUILD_FOLDER]
#
# A line counts once, whatever programs it is compiled into: as run if it ran in one. Tests and generated files are left out.
set -eu
cd "$(dirname "$0")/.."
folder=$(cd "${1:-build-coverage}" && pwd)
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT
# -t -j writes JSON to standard output: {"lines": [{…, "count": C, "line_number": N, …}, …], …, "file": NAME} for each source.
find "$folder" -name '*.gcda' -print0 | (cd "$folder" && xargs -0 -r -n 16 "${GCOV:-gcov}" -t -j 2>/dev/null) |
    sed 's/{"branches"/\n&/g; s/"file": /\n&/g' | awk '
    match($0, /"line_number": [0-9]+/) {
        number[count] = substr($0, RSTART + 15, RLENGTH - 15)
        match($0, /"count": [0-9]+/)
        ran[count++] = substr($0, RSTART + 9, RLENGTH - 9) + 0 != 0
    }
    match($0, /^"file": "[^"]*"/) {
        file = substr($0, RSTART + 9, RLENGTH - 10)
        for (i = 0; i < count && file ~ /^(src|passes|dialects|tools)\/.*\.c$/; i++) print file ":" number[i], ran[i]
        count = 0
    }' >"$lines"
[ -s "$lines" ] || { echo "coverage.sh: no counts in $folder" >&2; exit 1; }
awk '
    { ran[$1] = ran[$1] || $2 }
    END {
        for (at in ran) {
            folder = at
            sub(/\/[^\/]*$/, "", folder)
            all[folder]++; hit[folder] += ran[at]; total++; hits += ran[at]
        }
        for (folder in all) printf "%-28s %7d lines  %5.1f %%\n", folder, all[folder], 100 * hit[folder] / all[folder] | "sort"
        close("sort")
        printf "%-28s %7d lines  %5.1f %%\n", "coverage", total, 100 * hits / total
    }' "$lines"
