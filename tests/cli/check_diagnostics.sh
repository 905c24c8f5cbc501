#!/bin/sh
# Messages as data and in colour: JSON, SARIF, files beside the text, fixes.
#   check_diagnostics.sh TKC SOURCE_DIR FOLDER
set -u
tkc=$1 top=$2 out=$3
. "$top/tests/cli/expect.sh"
fresh

printf 'import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef inner(x):\n    tl.static_assert(False, "inner äöü")\n\n\n@triton.jit\ndef kernel(x: "*fp32"):\n    """ä"""; inner(x)\n    missing(x)\n' >wrong.tk
printf 'import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef kernel(x: "*fp32", n: "i32"):\n    if n > 0\n        tl.store(x, 1.0)\n' >colon.tk

# The text is the same with and without a file of data.
"$tkc" wrong.tk -o k.ptx 2>plain
[ $? = 1 ] || fail "a wrong source has another status"
"$tkc" wrong.tk -o k.ptx --diagnostics-format=json --diagnostics-file=w.json 2>beside
[ $? = 1 ] || fail "--diagnostics-file changes the status"
cmp -s plain beside || fail "--diagnostics-file changes the text: $(cat beside)"
"$tkc" wrong.tk -o k.ptx --diagnostics-format=json 2>w2.json
cmp -s w.json w2.json || fail "JSON on standard error is another: $(cat w2.json)"
"$tkc" wrong.tk -o k.ptx --diagnostics-file=w.sarif 2>beside
cmp -s plain beside || fail "SARIF changes the text"
"$tkc" wrong.tk -o k.ptx --diagnostics-file=- --diagnostics-format=json >w2.json 2>/dev/null
cmp -s w.json w2.json || fail "JSON on standard output is another: $(cat w2.json)"
"$tkc" wrong.tk -o k.ptx --diagnostics-format=text --diagnostics-file=w.txt 2>/dev/null
cmp -s plain w.txt || fail "the text in a file is another: $(cat w.txt)"
"$tkc" colon.tk -o k.ptx --diagnostics-file=c.json 2>/dev/null
"$tkc" colon.tk -o k.ptx --diagnostics-file=c.sarif 2>/dev/null
"$tkc" "$top/examples/softmax.tk" --config 1 -o k.ptx --diagnostics-file=good.sarif 2>/dev/null || fail "a good source"
"$tkc" "$top/examples/softmax.tk" -o k.ptx --diagnostics-file=good.json 2>/dev/null || fail "a good source"
sed 's/stride_am: "i32:16"/stride_am: "i32"/' "$top/examples/matmul.tk" >slow.tk
"$tkc" slow.tk --config 0 --no-header -o k.ptx --diagnostics-file=slow.json 2>/dev/null || fail "a warning"
"$tkc" slow.tk --config 0 --no-header -Werror=slow -o k.ptx --diagnostics-file=slow.sarif 2>/dev/null && fail "-Werror=slow"
"$tkc" slow.tk --config 0 --no-header --remarks=access -o k.ptx --diagnostics-file=remarks.json 2>/dev/null || fail "remarks"

expect 2 "the suffix is neither .json nor .sarif; say --diagnostics-format" wrong.tk --diagnostics-file=x.txt
expect 2 '--diagnostics-format wants text, json or sarif, not "xml"' wrong.tk --diagnostics-format xml
expect 2 '--color wants auto, always or never, not "red"' wrong.tk --color red
expect 2 'would overwrite the source "wrong.tk"' wrong.tk --diagnostics-file wrong.tk --diagnostics-format json
expect 2 'would overwrite the output "k.json"' "$top/examples/softmax.tk" -o k.ptx --diagnostics-file k.json
expect 1 'cannot write no/x.json' "$top/examples/softmax.tk" -o k.ptx --diagnostics-file no/x.json

# Colour: escapes around the severity, off without a terminal; without escapes it is the text.
"$tkc" wrong.tk -o k.ptx --color=always 2>colored
escape=$(printf '\033')
grep -q "$escape\[1;31merror: " colored || fail "no red error: $(cat colored)"
grep -q "$escape\[32m *\^" colored || fail "no green caret: $(cat colored)"
sed "s/$escape\[[0-9;]*m//g" colored | cmp -s - plain || fail "colour changes the text: $(cat colored)"
grep -q "$escape" plain && fail "colour without a terminal"
TERM=xterm "$tkc" wrong.tk -o k.ptx --color=never 2>&1 | grep -q "$escape" && fail "--color=never"

if command -v python3 >/dev/null 2>&1; then
    python3 "$top/tests/cli/check_diagnostics.py" . || fail "the data are not as documented"
fi
finish "messages are the same as text and as data"
