#!/bin/sh
# The checks of this folder fail on the faults that they are there for: each fault is planted in a small tree or a copy.
#
#   selftest.sh ROOT LANGUAGE_REFERENCE PYTHON WORK
set -eu
root=$(cd "$1" && pwd)
reference=$2
python=$3
rm -rf "$4"
mkdir -p "$4/tree/src" "$4/tree/passes"
cd "$4"
failed=0

# expect TEXT COMMAND…: the command fails and prints the text.
expect() {
    text=$1
    shift
    if "$@" >log 2>&1; then
        echo "not seen: $text"
        failed=1
    elif ! grep -qF "$text" log; then
        echo "says something else than: $text"
        cat log
        failed=1
    fi
}

touch tree/src/there.c tree/passes/moved.c
links="$python $root/tests/documents/check_links.py tree"
printf '# A page\n\n[x](src/there.c) [y](#a-page) `src/there.c` `passes/*.c`\n' >tree/README.md
$links
printf '[x](src/gone.c)\n' >tree/README.md
expect 'the link src/gone.c leads nowhere' $links
printf '[x](#gone)\n' >tree/README.md
expect 'the link #gone leads to no heading' $links
printf '`src/gone.c`\n' >tree/README.md
expect 'there is no src/gone.c' $links
printf '`src/moved.c`\n' >tree/README.md
expect 'there is no src/moved.c; it is now passes/moved.c' $links
UPDATE=1 $links
grep -qF '`passes/moved.c`' tree/README.md || { echo "UPDATE=1 wrote no new path"; failed=1; }

freedoms="$python $root/tests/documents/check_freedoms.py $root page.md"
head='| freedom | condition | how far | switch | where | test |\n|---|---|---|---|---|---|\n'
printf "$head| a \\\\| b | c | d | none | e | \`dot_rounded\` in \`tests/lang/extremes.tk\` |\n" >page.md
$freedoms
printf "$head| a | c | | none | e | \`tests/lang/dot.tk\` |\n" >page.md
expect 'page.md:3: no how far' $freedoms
printf "$head| a | c | d | none | e | by hand |\n" >page.md
expect 'the test is no file of tests/' $freedoms
printf "$head| a | c | d | none | e | \`gone\` in \`tests/lang/dot.tk\` |\n" >page.md
expect 'tests/lang/dot.tk has no gone' $freedoms
printf "$head| a | c | d | none | e |\n" >page.md
expect '5 cells' $freedoms

plans="$python $root/tests/documents/check_plans.py $root page.md"
page=$root/src/decisions/40-plans-stand-in-the-ir.md
grep -v '^| `tk.slots`' "$page" >page.md
expect 'does not have tk.slots, which passes/pipeline/plan.c writes' $plans
sed 's/| `behind`, /| `behind`, `tk.gone`, /' "$page" >page.md
expect 'no attribute has the name tk.gone' $plans
sed 's/`proxy`/proxy/' "$page" >page.md
expect 'does not have proxy' $plans
sed 's/`tk.copies`/copies/' "$page" >page.md
expect 'does not have tk.copies' $plans

sed 's/^| `tl.load(.*/| `tl.load()` | stale |/' "$root/src/frontend/LANGUAGE.md" >stale.md
expect 'stale from line' "$reference" stale.md
UPDATE=1 "$reference" stale.md
cmp stale.md "$root/src/frontend/LANGUAGE.md" || failed=1
touch -d '1 hour' newer.def
expect 'is older than newer.def: build it first' "$reference" "$root/src/frontend/LANGUAGE.md" "$reference" newer.def
expect 'is older than gone.def' "$reference" "$root/src/frontend/LANGUAGE.md" gone.def
grep -v '^<!-- Written by' "$root/src/frontend/LANGUAGE.md" >stale.md
expect 'has no line of the marker' "$reference" stale.md

cat >commands.py <<END
import sys
sys.path.insert(0, "$root/tests/documents")
import check_commands as c
assert c.commands("\$ a \\\\\\n   b\\nout\\n\$ c\\n") == [("a b", ["out"]), ("c", [])]
assert c.masked("in 0.07 s, 1 fault") == c.masked("in 12.30 s, 1 fault") != c.masked("in 0.07 s, 2 faults")
END
"$python" commands.py || failed=1
exit $failed
