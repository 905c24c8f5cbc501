#!/bin/sh
# No global symbol stands twice in one program: not in two archives that it links, nor in an archive and in an object of its own. A linker
# takes a member of an archive only for a symbol that it still lacks, so it says nothing of most of these: which of the two functions is
# called then depends on what else the program calls. Weak symbols may stand twice. The programs are those of Ninja's file; what is
# not built yet is left out.
#
#   check_symbols.sh BUILD_FOLDER
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ ! -f build.ninja ]; then
    echo "there is no build.ninja in $1"
    exit 77
fi

# Lines "program file", of the objects and the project's archives of each program that links one of them.
awk '/^build .*_EXECUTABLE_LINKER/ {
    sub(/ \|\|.*/, "")
    sub(/:$/, "", $2)
    count = archives = 0
    for (i = 4; i <= NF; i++) if ($i ~ /\.o$/ || $i ~ /^lib[a-z_]*\.a$/) {
        file[++count] = $i
        archives += $i ~ /\.a$/
    }
    for (i = 1; i <= count && archives; i++) print $2, file[i]
}' build.ninja | sort -u >"$work/links"
cut -d ' ' -f 2 "$work/links" | sort -u | while read -r file; do
    [ ! -f "$file" ] || echo "$file"
done >"$work/files"
if [ "$(grep -c '\.a$' "$work/files")" -lt 2 ]; then
    echo "the archives are not built in $1"
    exit 77
fi

# A row of nm: "FILE:MEMBER:VALUE KIND NAME", of an object without the member.
xargs nm -A -g --defined-only <"$work/files" | awk '
NR == FNR { programs[$2] = programs[$2] " " $1; next }
NF > 2 && $(NF - 1) ~ /^[TDBRC]$/ && $NF !~ /^__odr_asan/ {
    place = $1
    sub(/:[0-9a-f]*$/, "", place)
    file = place
    sub(/:.*/, "", file)
    count = split(programs[file], list, " ")
    for (i = 1; i <= count; i++) {
        key = list[i] SUBSEP $NF
        if (!(key in home)) home[key] = place
        else if (!seen[$NF, home[key], place]++)
            print $NF " stands in " home[key] " and in " place " (" list[i] ")"
    }
}' "$work/links" - >"$work/twice"
head -n 20 "$work/twice"
[ ! -s "$work/twice" ]
