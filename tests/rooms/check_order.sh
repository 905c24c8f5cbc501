#!/bin/sh
# No two arguments of a call build ops or instructions: C leaves open which is evaluated first, compilers differ, and what tkc
# writes must not depend on the one that compiled it. Such arguments are variables: they say the order.
#
# An argument builds if it calls something that is named as builders are, or that is handed a builder, `b`, or the lowering,
# `l`, and does not look up alone.
#
#   check_order.sh [ROOT]
set -eu
cd "${1:-.}"
find src passes dialects -name '*.c' ! -path 'src/emulator/*' ! -path 'src/frontend/syntax/*' | sort | xargs awk '
function builds(name, handed) {
    if (name ~ /^(LLVMBuild[A-Z]|build_|const_(i32|i64|int|float)$|VALUE$|INTRINSIC|asm_call$)/ ||
        name ~ /^emit_(cast|splat|int|float|binary|unary|compare|where|rarely|bitcast|broadcast|expand|arith|to_)/)
        return 1
    return handed && name !~ /^(if|for|while|switch|return|sizeof|OP|OPERANDS|RESULTS|ATTRS)$/ &&
           name !~ /^lower_(operands?|scalar|values?|layout|element|result|type|i32|i64)$/ &&
           name !~ /^(attr|op|type|mlir|block_threads|LLVM(Get|Is|Const|Type|Int))/
}
# The argument before place `p` of the line is over.
function argument(p,    text) {
    text = held[depth] substr(line, from, p - from)
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    if (text ~ /^(b|l|&(b|in|end|after|here|before|where))$/)
        handed[depth] = 1
    held[depth] = ""
    from = p + 1
    building[depth] += inside[depth]
    inside[depth] = 0
}
FNR == 1 { depth = 0; comment = 0 }
{
    line = $0
    gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
    sub(/\/\/.*/, "", line)
    if (line ~ /^[ \t]*#/) next
    from = 1
    for (p = 1; p <= length(line); p++) {
        c = substr(line, p, 1)
        if (c == "(" || c == "[" || c == "{") {
            before = substr(line, 1, p - 1)
            held[depth] = held[depth] substr(line, from, p - from) c
            depth++
            name[depth] = c == "(" && match(before, /[A-Za-z_][A-Za-z_0-9]*$/) ? substr(before, RSTART) : ""
            begin[depth] = FNR; held[depth] = ""; handed[depth] = inside[depth] = building[depth] = 0
            from = p + 1
        } else if (c == "," && depth > 0) {
            argument(p)
        } else if ((c == ")" || c == "]" || c == "}") && depth > 0) {
            argument(p)
            known = name[depth]; count = building[depth]; is = known != "" && builds(known, handed[depth])
            if (known != "" && known !~ /^(if|for|while|switch)$/ && count > 1) {
                print FILENAME ":" begin[depth] ": " count " arguments of " known " build: make them variables"
                failed = 1
            }
            within = count > 0
            depth--
            if (depth > 0 && c == ")" && (is || within)) inside[depth] = 1
            if (depth > 0 && c != ")" && within) inside[depth] = 1
        } else if (c == ";" && depth == 0) from = p + 1
    }
    if (depth > 0) held[depth] = held[depth] substr(line, from) " "
}
END { exit failed }'
