#!/bin/sh
# The map of the house is true: every folder has its row in the table of src/README.md, and every #include is an arrow of it. The
# root holds the folders and files of the list below; only files known to git count there.
#
#   check_rooms.sh [ROOT]
#
# A row is | `folder` | its content | the folders it may use |. Folders are spelled as in an #include, without src/ and include/
# (or with the path from src/: ../passes). A file may include its own folder's headers, those of the
# folders that its row names, and the system's. llvm, llvm-c, mlir and mlir-c are named like folders. A row names rows below
# it alone, so no arrow has a way back.
set -eu
cd "${1:-.}"
if [ -e .git ]; then
    strays=$(git ls-files | sed 's,/.*,,' | sort -u |
        grep -vxE '\..*|CMakeLists\.txt|CMakePresets\.json|README\.md|LICENSE|include|src|dialects|passes|tools|tests|examples|cmake' || true)
    [ -z "$strays" ] || { echo "the root holds $(echo $strays): not of the list in check_rooms.sh" && exit 1; }
fi
report=$(mktemp)
trap 'rm -f "$report"' EXIT
{
    find src passes dialects tools include -type f ! -path src/README.md ! -path '*/__pycache__/*' | sed 's/^/FILE /'
    sed -n '/^## Rooms/,/^## /s/^| *`/ROW `/p' src/README.md
    find src passes dialects tools include -type f \( -name '*.c' -o -name '*.h' -o -name '*.def' \) | sort |
        xargs grep -nHE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]' | sed 's/^/INCLUDE /'
} | awk '
    function fail(text) { print text; failed = 1 }

    # The folder behind a name of the table; libraries are their own.
    function folder_of(name) {
        sub(/^(\.\.\/)+/, "", name)
        if (name ~ /^(llvm|mlir)(-c)?$/) return name
        if (("src/" name) in folders) return "src/" name
        if (name in folders) return name
        if (("include/" name) in folders) return "include/" name
        return ""
    }

    function directory(path) { sub(/\/[^\/]*$/, "", path); return path }

    # The folder reached by an #include in `from`; "" for the system, "?" for nothing there.
    function target_of(from, text,    name, quoted) {
        quoted = text ~ /^"/
        name = substr(text, 2)
        sub(/[">].*/, "", name)
        if (!quoted) return name ~ /^(llvm|mlir)(-c)?\// ? substr(name, 1, index(name, "/") - 1) : ""
        if ((directory(from) "/" name) in files) return directory(directory(from) "/" name)
        if (("src/" name) in files) return directory("src/" name)
        if (name in files) return directory(name)
        if (("include/" name) in files) return directory("include/" name)
        return "?"
    }

    $1 == "FILE" { files[$2]; folders[directory($2)]; next }

    $1 == "ROW" {
        cells = split($0, cell, /\|/)
        split(cell[1], name, /`/)
        folder = folder_of(name[2])
        if (folder == "") { fail("src/README.md: there is no folder `" name[2] "`; take its row out"); next }
        if (folder in row) fail("src/README.md: two rows for `" name[2] "`")
        row[folder] = ++rows
        folder_at[rows] = folder
        uses[rows] = cells >= 3 ? cell[3] : ""
        next
    }

    # The first include comes after the last row.
    $1 == "INCLUDE" && !linked {
        linked = 1
        for (i = 1; i <= rows; i++) {
            count = split(uses[i], name, /`/)
            for (j = 2; j <= count; j += 2) {
                used = folder_of(name[j])
                if (used == "") { fail("src/README.md: the row of " folder_at[i] " names `" name[j] "`, which is no folder"); continue }
                if (used ~ /\// && !(used in row)) fail("src/README.md: the row of " folder_at[i] " names `" name[j] "`, which has no row")
                if ((used in row) && row[used] <= i) fail("src/README.md: the row of " folder_at[i] " names `" name[j] "`, which is not below it")
                arrow[folder_at[i], used]
            }
        }
    }

    $1 == "INCLUDE" {
        split($2, place, /:/)
        from = directory(place[1])
        text = $0
        sub(/^[^"<]*/, "", text)
        to = target_of(place[1], text)
        at = place[1] ":" place[2] ": "
        if (to == "?") { fail(at "cannot find " text); next }
        if (to == "" || to == from || !(from in row)) next
        if ((from, to) in arrow) next
        fail(at from " may not use " to " (" text "): its row in src/README.md does not name it")
    }

    END {
        for (folder in folders)
            if (!(folder in row)) fail(folder ": has no row in the table of src/README.md")
        if (!rows) fail("src/README.md: found no table under \"## Rooms\"")
        exit failed
    }' >"$report" || { sort "$report"; exit 1; }
