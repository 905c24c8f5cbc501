#!/bin/sh
# The program's own assembly: the refused parts, and their places.
#   check_assembly.sh TKC SOURCE_DIR FOLDER
set -u
tkc=$1 top=$2 out=$3
. "$top/tests/cli/expect.sh"
fresh

# assembly TEXT CONSTRAINTS [PACK [OPERANDS [DTYPE]]]: a.py with one piece of it.
assembly() {
    cat >a.py <<END
import triton
import triton.language as tl


@triton.jit
def k(x: "*i32", y: "*i32"):
    o = tl.arange(0, 256)
    v = tl.load(x + o)
    tl.inline_asm_elementwise("$1", "$2", [${4-v}], dtype=(${5-tl.int32},), is_pure=False, pack=${3-1})
END
}

# refused MESSAGE TEXT [CONSTRAINTS…]: by chips of both vendors, at its line, rather than by LLVM: it would end the process.
refused() {
    message=$1
    shift
    assembly "$@"
    for chip in sm_90 gfx942; do
        expect 1 "a.py:9:5: error: inline assembly that $chip cannot run: $message" a.py --target $chip -o a.s
    done
}

refused '$5 names no operand: its constraints list 2, results first, from $0 on' 'mov.b32 $0, $5;' '=r,r'
refused '$2 names no operand: its constraints list 2' 'mov.b32 $0, $2;' '=r,r,~{memory}'
refused '$7 names no operand: its constraints list 2' 'mov.b32 $0, ${7:h};' '=r,r'
refused '$99999999999999999999 names no operand' 'mov.b32 $0, $99999999999999999999;' '=r,r'
refused "a \$ stands before an operand's number, which is missing; \$\$ is a dollar sign" 'mov.b32 $0, $x;' '=r,r'
refused "a \$ stands before an operand's number" 'mov.b32 $0, $' '=r,r'
refused '${ is not closed' 'mov.b32 $0, ${1;' '=r,r'
refused '${1:} is neither ${N} nor ${N:c} with a modifier of one letter' 'mov.b32 $0, ${1:};' '=r,r'
refused '${:name} is neither ${:uid} nor ${:comment} nor ${:private}' 'mov.b32 $0, $1; // ${:name}' '=r,r'
refused '$( stands inside of $( $)' 'mov.b32 $0, $($($1$);' '=r,r'
assembly 'mov.b32 $0, $(${1}$|none$); // $$ ${:uid} $0' '=r,r'
expect 0 '' a.py --target sm_90 -o a.s
grep -q 'mov.b32 %r[0-9]*, %r[0-9]*; // \$ [0-9]* %r' a.s || fail "what \$ stands for: $(grep mov.b32 a.s)"

# Elements are packed in powers of two, and a call has so many registers.
for pack in 0 3 6 32; do
    assembly 'mov.b32 $0, $1;' '=r,r' $pack
    expect 1 "a.py:9:5: error: pack is $pack; a power of two of at most 16 is needed" a.py --target sm_90 -o a.s
done
many() { printf "$1%.0s" 1 2 3 4 5 6 7 8; }
results='=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r' operands='r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r'
assembly 'mov.b32 $0, $16;' "$results,$(many "$operands,")$operands" 16 "$(many v,)v"
expect 1 'a.py:9:5: error: with pack=16 inline assembly reads 144 registers and writes 16; at most 128 of either: reduce pack' \
    a.py --target sm_90 -o a.s
assembly 'mov.b32 $0, $144;' "$(many "$results,")$results,$operands" 16 v "$(many tl.int32,)tl.int32"
expect 1 'reads 16 registers and writes 144' a.py --target sm_90 -o a.s
assembly 'mov.b32 $0, $16;' "$results,$(many "$operands,")" 16 "$(many v,)"
sed -i 's/r,", \[/r", [/' a.py
expect 0 '' a.py --target sm_90 -o a.s

finish "assembly of the program's own is checked"
