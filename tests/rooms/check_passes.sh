#!/bin/sh
# Every pass file says its requirements, its results and its tests, each on a line of its own in this form, at
# the end of the file's first comment; and the tests are there: a folder of goldens has a case. Every pass of the table
# stands in an order constraint of the runner, which says why it is where it is.
#
#   // requires: layouts
#   // provides: `offset` on every buffer
#   // test:     tests/golden/passes/shared_alloc, tests/unit/test_shared.c
#
#   check_passes.sh [ROOT]
set -eu
cd "${1:-.}"
failed=0
complain() {
    echo "$1"
    failed=1
}
files=$(grep -l '^void pass_[a-z_]*(struct pass_context \*' passes/*/*.c)
[ -n "$files" ] || complain "passes: no pass there"
for file in $files; do
    opening=$(sed '/^\/\//!q' "$file" | sed '$d')
    printf '%s\n' "$opening" | tail -3 | awk '
        NR == 1 && /^\/\/ requires: [^ ]/ || NR == 2 && /^\/\/ provides: [^ ]/ || NR == 3 && /^\/\/ test:     [^ ]/ { good++ }
        END { exit good != 3 }' ||
        complain "$file: the opening comment does not end in the lines \"// requires: …\", \"// provides: …\", \"// test:     …\""
    for test in $(printf '%s\n' "$opening" | sed -n 's|^// test: *||p' | tr ',' ' '); do
        [ -e "$test" ] || complain "$file: there is no $test"
        [ ! -d "$test" ] || ls "$test"/*.mlir >/dev/null 2>&1 || complain "$file: $test has no case"
    done
done
constraints=$(sed -n '/order_constraints\[\]/,/^};/p' passes/runner.c | grep -o 'PASS_[A-Z0-9_]*' | sort -u)
for pass in $(sed -n 's/^PASS(\([A-Z0-9_]*\),.*/\1/p' passes/passes.def); do
    printf '%s\n' "$constraints" | grep -qx "PASS_$pass" ||
        complain "passes/passes.def: $pass stands in no order constraint of passes/runner.c"
done
exit $failed
