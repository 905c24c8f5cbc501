#!/bin/sh
# The command line: response files, names of chips, companions alone, dependencies, intermediate files, the status of wrong usage.
#   check_command_line.sh TKC SOURCE_DIR FOLDER
set -u
tkc=$1 top=$2 out=$3
. "$top/tests/cli/expect.sh"
fresh
add=$top/examples/vector_add.tk
cp "$add" add.tk

# Response files: blanks, quotes, backslashes; one may name another.
printf -- "-t sm_90\n  -o 'a b.ptx' @more.rsp\n" >options.rsp
printf -- '--no-header "--no-json"\n-D BLOCK=5\\12' >more.rsp
expect 0 '' add.tk @options.rsp
grep -q '^.target sm_90' 'a b.ptx' || fail "@options.rsp: $(ls)"
[ ! -e 'a b.h' ] || fail "@more.rsp is not read"
expect 2 '@none.rsp: No such file or directory' add.tk @none.rsp
echo @loop.rsp >loop.rsp
expect 2 'response files name each other without an end' add.tk @loop.rsp
expect 1 'cannot read' ./@none.tk

# Chips by the names of products and without the underscore.
expect 0 '' add.tk -t sm80,H100 --no-header --no-json -o chip.ptx
[ -s chip.sm_80.ptx ] && [ -s chip.sm_90a.ptx ] || fail "-t sm80,H100: $(ls)"
expect 0 '' add.tk -t mi300x --no-header --no-json -o chip.s
grep -q 'gfx942' chip.s || fail "-t mi300x"
expect 0 'sm_90a           NVIDIA, warps of 32; h100, h200' --print-targets
expect 0 'gfx950           AMD, waves of 64, never run on such a card; mi350x, mi355x' --print-targets
expect 0 'sm_90            NVIDIA, warps of 32, not all that the chip has: add an a to the name' --print-targets
expect 0 'blackwell        a group: sm_100f' --print-targets
expect 2 'unknown target "h1000"; did you mean h100?' add.tk -t h1000
expect 2 'unknown target "gfx941"; did you mean gfx942?' add.tk -t gfx941

# The header or the description alone.
rm -f ./*.ptx ./*.h ./*.json
expect 0 '' add.tk --emit=json -o only.json
expect 0 '' add.tk --emit=header -o only.h
[ "$(ls ./*.ptx ./*.h ./*.json 2>/dev/null | tr '\n' ' ')" = './only.h ./only.json ' ] || fail "--emit=json wrote: $(ls)"
grep -q '"file": "only.ptx"' only.json || fail "--emit=json names $(grep file only.json)"
"$tkc" add.tk --emit=json -o - >printed 2>stderr && grep -q '"function": "vector_add"' printed || fail "--emit=json -o -: $(cat stderr)"
"$tkc" add.tk --emit=header -o - | grep -q 'vector_add_launch' || fail "--emit=header -o -"
expect 2 'takes one -o' add.tk --emit=json -o a.json -o b.json
expect 2 '--emit knows ptx, cubin, hsaco, s, ll, mlir, torch, header and json, not "xml"' add.tk --emit=xml

# Dependencies: on standard output alone, under another name, with rules for lost files.
rm -f ./*.ptx ./*.h ./*.json
"$tkc" add.tk -M >printed || fail "-M"
[ "$(tr -d '\\\n' <printed)" = 'add.ptx add.h add.json:   add.tkadd.tk:' ] || fail "-M: $(cat printed)"
[ -z "$(ls ./*.ptx ./*.h ./*.d 2>/dev/null)" ] || fail "-M wrote: $(ls)"
expect 0 '' add.tk -MD -MP -MT 'my lib.a' -o k.ptx
grep -q '^my\\ lib.a: ' k.d || fail "-MT: $(cat k.d)"
expect 0 '' add.tk -M -MF named.d
[ -s named.d ] || fail "-M -MF"

# Intermediate files: the option of other compilers, too, is no -s.
expect 0 '' add.tk --save-temps=temps -o k.ptx
expect 0 '' add.tk -save-temps=temps2 -o k.ptx -t sm_80,sm_90
[ "$(ls temps | tr '\n' ' ')" = 'add.ll add.mlir add.s ' ] || fail "--save-temps: $(ls temps)"
mkdir -p bare
(cd bare && "$tkc" ../add.tk -save-temps -o k.ptx) 2>printed || fail "-save-temps: $(cat printed)"
[ -s bare/add.ll ] || fail "-save-temps without a folder: $(ls bare)"
[ -s temps2/add.sm_90.ll ] || fail "-save-temps: $(ls temps2)"
grep -q 'tk.load' temps/add.mlir || fail "--save-temps: $(head -n 3 temps/add.mlir)"

# A chosen configuration is not told, else it is.
"$tkc" "$top/examples/softmax.tk" --config 1 -o k.ptx 2>printed && [ ! -s printed ] || fail "--config 1: $(cat printed)"
expect 0 'configuration 0 of 3 is compiled' "$top/examples/softmax.tk" -n softmax --stop-after=cleanup -o -

# Runs and their outputs.
expect 0 'writes k.ptx (' add.tk -o k.ptx -v
if command -v ld.lld >/dev/null 2>&1; then
    expect 0 'runs ' add.tk -o k.hsaco --verbose
fi

# Several sources, each by itself; names of one output are refused.
mkdir -p several/sub && cd several || exit 1
cp "$add" one.tk
sed 's/vector_add/other/' "$add" >two.tk
cp "$add" sub/one.tk
expect 0 '' one.tk two.tk
[ -s one.ptx ] && [ -s one.h ] && [ -s two.json ] || fail "several sources: $(ls)"
echo 'y = =' >bad.tk
rm one.ptx two.ptx
expect 1 'bad.tk' one.tk bad.tk two.tk
[ -s one.ptx ] && [ -s two.ptx ] || fail "a wrong source stops the others: $(ls)"
expect 2 '-o is for one source file, and there are 2' one.tk two.tk -o k.ptx
expect 2 'one.tk and sub/one.tk would write the same outputs, one.*' one.tk two.tk sub/one.tk

# Folders of imports, behind those of the source.
mkdir -p lib/pack
printf 'import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef helped(x):\n    tl.store(x, 1.0)\n' >lib/pack/helper.tk
printf 'from pack.helper import helped\nimport triton\n\n\n@triton.jit\ndef k(x: "*fp32"):\n    helped(x)\n' >user.tk
expect 1 'in a folder above or in one of -I' user.tk -o user.ptx
expect 0 '' user.tk -o user.ptx -I none -I lib -MD
grep -q 'lib/pack/helper.tk' user.d || fail "-I: $(cat user.d)"
cd .. || exit 1

# Wrong usage is status 2, whether an option is wrong by itself or with this source; a wrong source is 1.
expect 2 'no source file'
expect 2 'did you mean softmax?' "$top/examples/softmax.tk" --kernel softmxa -o k.ptx
expect 2 'did you mean BLOCK?' add.tk -D BLCOK=1 -o k.ptx
expect 2 '--config 3: vector_add has no @triton.autotune' add.tk --config 3 -o k.ptx
expect 2 '--signature has 1 type, vector_add needs 4 (x, y, z, n)' add.tk -s '*fp32' -o k.ptx
expect 2 'the ( at character 1 of "(*fp32, i32" has no partner' add.tk -s '(*fp32, i32' -o k.ptx
expect 2 'the ) at character 13 of' add.tk -s '*fp32, *fp32), *fp32, i32' -o k.ptx
expect 2 'the suffix of output "k.xyz" names no kind of output' add.tk -o k.xyz
expect 2 'output "k.h" is written beside the code'"'"'s; --emit=header writes it alone' add.tk -o k.h
expect 2 '--runtime knows' add.tk --runtime cuda -o k.ptx
expect 2 'there is no pass "layuts"; did you mean layouts?' add.tk --dump-after layuts
expect 1 'cannot read none.tk' none.tk
printf 'import triton\n\n\n@triton.jit\ndef k(x: "*fp32"):\n    y\n' >wrong.tk
expect 1 'y is not defined' wrong.tk
# Annotations for type checkers.
printf 'from typing import Annotated, Any\nimport typing\nimport triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(x: Annotated[Any, "*fp32:16"], n: typing.Annotated[int, "i32"]):\n    tl.store(x + n, 1.0)\n' >annotated.tk
printf 'from typing import Annotated, Any\nimport typing\nimport triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(x: "*fp32:16", n: "i32"):\n    tl.store(x + n, 1.0)\n' >plain.tk
expect 0 '' annotated.tk -o annotated.ptx --no-header --no-json
expect 0 '' plain.tk -o plain.ptx --no-header --no-json
cmp annotated.ptx plain.ptx || fail "Annotated[Any, text] is not the text"
sed 's/"i32"/"i33"/' annotated.tk >wrong.tk
expect 1 'wrong.tk:8:' wrong.tk -o wrong.ptx

finish "the command line is as documented"
