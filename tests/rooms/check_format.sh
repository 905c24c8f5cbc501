#!/bin/sh
# Every C file is as clang-format 14 leaves it with .clang-format. Exits 77 (skipped) without that version: others format differently.
# Beyond the formatter: every branch and loop has braces; and no declaration is split before its name, which happens where
# a comment behind it is too long (put such a comment on the line above).
#
#   check_format.sh [ROOT [FOLDER…]]
set -eu
cd "${1:-.}"
[ $# = 0 ] || shift
folders=${*:-src passes dialects tools include examples tests cmake}
list() {
    find $folders -name '*.[ch]' -type f
}
split=$(list | sort | xargs awk '
    FNR == 1 { before = "" }
    before ~ /^ +[a-z][A-Za-z_ *]*[a-z*]$/ && /^ +[*a-z][A-Za-z_0-9, *\[\]]*; *\/\// {
        print FILENAME ":" FNR ": the formatter has split this declaration: put its comment on the line above"
    }
    { before = $0 }')
[ -z "$split" ] || { echo "$split"; exit 1; }
# A condition may go over several lines: those up to its closing parenthesis are one.
bare=$(list | sort | xargs awk '
    FNR == 1 { open = macro = 0 }
    macro || /^[ \t]*#/ { macro = /\\$/; next }
    {
        line = $0
        gsub(/"([^"\\]|\\.)*"|\047(\\.|[^\047\\])[^\047]*\047/, "\"\"", line)
        sub(/[ \t]*(\/\/|\/\*).*/, "", line)
        if (!open && line !~ /^[ \t]*(\} )?(else )?(if|for|while) \(/) {
            if (line ~ /^[ \t]*(\} )?else$/) print FILENAME ":" FNR ": this branch has no braces"
            next
        }
        if (!open) { at = FNR; depth = 0 }
        depth += gsub(/\(/, "(", line) - gsub(/\)/, ")", line)
        open = depth > 0
        if (!open && line !~ /[{;]$/) print FILENAME ":" at ": this branch or loop has no braces"
    }')
[ -z "$bare" ] || { echo "$bare"; exit 1; }
for name in clang-format-14 clang-format; do
    if "$name" --version 2>/dev/null | grep -q 'version 14\.'; then
        list | xargs -n 64 -P "$(getconf _NPROCESSORS_ONLN)" "$name" --dry-run -Werror 2>&1 && exit 0
        echo "format the files above: $name -i FILE"
        exit 1
    fi
done
echo "clang-format 14 is not here"
exit 77
