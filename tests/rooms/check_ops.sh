#!/bin/sh
# Ops, their operands and the numbers of absent attributes go by the tables' names.
#
#   check_ops.sh [ROOT]
#
# 1. No op's name as a string outside of the op tables: code says OP_LOAD.
# 2. No operand by a bare number, as in mlirOperationGetOperand(op, 1) or (op, 3 + i): code says load_mask(op), for_init(op, i).
#    Which of two alike, (op, i) and (op, 1 - i), may be a number.
# 3. No op_int_or with the number that src/ir/attributes.def has for the absent attribute: op_int(op, ATTR_VECTOR) gives it.
set -eu
cd "${1:-.}"
list=$(mktemp)
trap 'rm -f "$list"' EXIT
find src passes dialects tools -name '*.[ch]' | sort >"$list"
xargs awk '
function fail(at, text) { print FILENAME ":" at ": " text; failed = 1 }
function trim(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }

# The tables come first.
FILENAME ~ /_ops\.def$/ {
    if (match($0, /^(TK|UPSTREAM)_OP\([A-Z0-9_]+, "[a-z0-9_.]+"/)) {
        split(substr($0, 1, RLENGTH), part, /[(", ]+/)
        names[(part[1] == "TK_OP" ? "tk." : "") part[3]] = "OP_" part[2]
    }
    next
}
FILENAME ~ /attributes\.def$/ {
    if (split($0, part, /[(), ]+/) > 3 && part[1] == "NUMBER") absent["ATTR_" part[2]] = part[4]
    next
}

# A call is over: is one of its arguments a bare number?
function check(    last, count) {
    count = argument[depth]
    last = trim(held[depth])
    if (called[depth] ~ /^(mlirOperation[GS]etOperand|lower_operand)$/) {
        if (called[depth] == "mlirOperationSetOperand" && count == 2) last = second[depth]
        if (last ~ /^[0-9]+( \+.*)?$/ || last ~ /\+ [0-9]+$/)
            fail(began[depth], "operand " last " of an op by number: dialects/tk/tk_ops.def names it")
    }
    if (called[depth] == "op_int_or" && (second[depth] in absent) && absent[second[depth]] == last)
        fail(began[depth], "op_int_or repeats the number of attributes.def: op_int gives " second[depth])
}

FNR == 1 { depth = 0 }
{
    line = $0
    sub(/(^|[ \t])\/\/.*/, "", line)
    rest = line
    while (match(rest, /"[a-z]+\.[a-z0-9_]+"/)) {
        text = substr(rest, RSTART + 1, RLENGTH - 2)
        if (text in names) fail(FNR, "an op by its name, \"" text "\": say " names[text])
        rest = substr(rest, RSTART + RLENGTH)
    }
    gsub(/"([^"\\]|\\.)*"|\047([^\047\\]|\\.)\047/, "0", line)
    if (line ~ /^}/) depth = 0
    word = ""
    for (p = 1; p <= length(line); p++) {
        c = substr(line, p, 1)
        if (c ~ /[A-Za-z0-9_]/) { word = word c; if (depth) held[depth] = held[depth] c; continue }
        if (c == "(" || c == "[" || c == "{") {
            if (depth) held[depth] = held[depth] c
            depth++
            called[depth] = c == "(" ? word : ""
            began[depth] = FNR
            argument[depth] = 0
            held[depth] = second[depth] = ""
        } else if (c == ")" || c == "]" || c == "}") {
            if (depth) { check(); depth-- }
            if (depth) held[depth] = held[depth] c
        } else if (c == "," && depth) {
            argument[depth]++
            if (argument[depth] == 2) second[depth] = trim(held[depth])
            held[depth] = ""
        } else if (depth) held[depth] = held[depth] c
        word = ""
    }
    if (depth) held[depth] = held[depth] " "
}
END { exit failed }
' dialects/tk/tk_ops.def dialects/tk/upstream_ops.def src/ir/attributes.def <"$list"
