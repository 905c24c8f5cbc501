#!/bin/sh
# Every builtin of the front end (builtins*.def) and every function of the kernel-language library is called by some test, or by a
# library function that one calls. Names with a leading _ are the library's own and need no test beside its functions.
#
#   check_tested.sh [ROOT]
set -eu
cd "${1:-.}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Names with ( behind them, and behind a dot: attributes such as x.T are rows too, and combine functions go by name.
find -L tests examples -type f \( -name '*.tk' -o -name '*.py' -o -name '*.c' -o -name '*.h' -o -name '*.def' -o -name '*.sh' \) \
    ! -path 'tests/rooms/*' ! -path '*/inputs/*' -print0 | xargs -0 cat |
    grep -oE '[A-Za-z_][A-Za-z_0-9]* *\(|\.[A-Za-z_][A-Za-z_0-9]*' | tr -d ' (.' | sort -u >"$work/called"

cat src/frontend/builtin/builtins*.def | sed -n 's/^[A-Z_]*("\([A-Za-z_0-9.]*\)", [a-z_0-9]*,.*/\1/p' >"$work/builtins"
[ "$(wc -l <"$work/builtins")" -ge 200 ] || { echo "the rows of builtins.def are not read"; exit 1; }
awk '
    FILENAME ~ /called$/ { called[$1]; next }
    FILENAME ~ /builtins$/ {
        name = $1
        sub(/.*\./, "", name)
        if (name !~ /^_/ && !(name in called)) { print "builtin " $1 ": no test calls it"; failed = 1 }
        next
    }
    # The library: the names in each function.
    /^def / { within = $2; sub(/\(.*/, "", within); functions[within]; files[within] = FILENAME }
    /^[a-z_A-Z0-9]+ = [a-z_A-Z0-9]+$/ { functions[$1]; files[$1] = FILENAME; names[$1] = names[$1] " " $3; next }
    {
        line = $0
        sub(/#.*/, "", line)
        gsub(/[^A-Za-z_0-9]+/, " ", line)
        names[within] = names[within] " " line
    }
    END {
        for (name in functions) if (name in called) tested[name]
        do {
            more = 0
            for (name in tested) {
                count = split(names[name], word, " ")
                names[name] = ""
                for (i = 1; i <= count; i++)
                    if ((word[i] in functions) && !(word[i] in tested)) { tested[word[i]]; more = 1 }
            }
        } while (more)
        for (name in functions)
            if (name !~ /^_/ && !(name in tested)) { print files[name] ": no test calls " name; failed = 1 }
        exit failed
    }' "$work/called" "$work/builtins" src/frontend/library/*.tk | sort >"$work/report"
cat "$work/report"
[ ! -s "$work/report" ]
