#!/bin/sh
# Nothing of a user's is ever lost: outputs that lead to inputs or to each other, failures at the last output, long names,
# links.
#   check_files.sh TKC SOURCE_DIR FOLDER
set -u
tkc=$1 top=$2 out=$3
. "$top/tests/cli/expect.sh"
add=$top/examples/vector_add.tk

# refused SOURCE TEXT ARGUMENTS…: status 2, the source is as it was, and nothing else appeared.
refused() {
    source=$1 text=$2
    shift 2
    before=$(ls -A; cat ./*.tk 2>/dev/null | cksum; cksum <"$source")
    expect 2 "$text" "$@"
    [ "$before" = "$(ls -A; cat ./*.tk 2>/dev/null | cksum; cksum <"$source")" ] || fail "tkc $*: files changed"
}

# An output leading to the source, however spelled; an output leading to another one.
fresh
cp "$add" va.tk
cp "$add" vector_add.ptx
cp "$add" s2.h
cp "$add" s3.d
ln -s va.tk link.ptx
mkdir sub
ln -s ../va.tk sub/link.ptx
refused va.tk 'would overwrite the source "va.tk"' va.tk --emit ptx -o va.tk
refused va.tk 'would overwrite the source' va.tk --emit ptx -o ./sub/../va.tk
refused va.tk 'would overwrite the source' va.tk -o link.ptx
refused va.tk 'would overwrite the source' sub/link.ptx --emit ptx -o va.tk
refused va.tk 'would overwrite the source' va.tk -o sub/link.ptx
refused vector_add.ptx 'the output "vector_add.ptx" would overwrite the source' vector_add.ptx
refused s2.h 'the launcher header "s2.h" would overwrite the source' s2.h -o s2.ptx
refused s3.d 'the depfile "s3.d" would overwrite the source' s3.d -MD -o s3.ptx
refused va.tk 'the depfile "va.tk" would overwrite the source' va.tk -o k.ptx -MF va.tk
refused va.tk 'would overwrite the reflection "k.json"' va.tk --emit=ptx -o k.json
refused va.tk 'would overwrite the depfile "k.ptx"' va.tk -o k.ptx -MF k.ptx
refused va.tk 'would overwrite the output' va.tk -o k.ptx -o ./k.ptx
refused va.tk 'named twice' va.tk -o k.ptx -o k.ptx

# An import is an input too.
printf 'from helper import helped\nimport triton\nimport triton.language as tl\n\n@triton.jit\ndef k(x: "*fp32"):\n    helped(x)\n' >k.tk
printf 'import triton\nimport triton.language as tl\n\n@triton.jit\ndef helped(x):\n    tl.store(x, 1.0)\n' >helper.tk
expect 0 '' k.tk -o k.ptx
rm k.ptx k.h k.json
refused helper.tk 'would overwrite the source "helper.tk"' k.tk --emit ptx -o helper.tk
refused helper.tk 'would overwrite the source "helper.tk"' k.tk -o k.ptx -MF sub/../helper.tk

# A failure at the last output leaves every earlier one as it was.
fresh
cp "$add" va.tk
expect 0 '' va.tk -o k.ptx
echo old >k.ptx
echo old >k.h
rm k.json
mkdir k.json
expect 1 'cannot write k.json: Is a directory' va.tk -o k.ptx
rmdir k.json
expect 1 'cannot write no/k.d: No such file or directory' va.tk -o k.ptx -MF no/k.d
expect 1 'cannot write /dev/full: No space left on device' va.tk -o k.ptx -MF /dev/full
(ulimit -f 1 && exec "$tkc" va.tk -o k.ptx 2>stderr)
[ $? = 1 ] && grep -q 'cannot write k.ptx: File too large' stderr || fail "a file past the limit: $(cat stderr)"
mkdir full
(ulimit -f 0 && TMPDIR=$PWD/full exec "$tkc" va.tk --target gfx942 -o k.hsaco 2>stderr) && fail "no file may have a byte"
rmdir full || fail "a folder without files is left"
"$tkc" va.tk -o k.ptx -o - >/dev/full 2>stderr && fail "standard output was full"
grep -q 'cannot write to standard output: No space left on device' stderr || fail "standard output: $(cat stderr)"
[ "$(cat k.ptx k.h)" = "old
old" ] || fail "old outputs changed: $(head -n 1 k.ptx k.h)"
rm -f stdout stderr
[ "$(ls -A)" = "k.h
k.ptx
va.tk" ] || fail "left behind: $(ls -A)"

# A pipe by a name of the system's is written to.
"$tkc" va.tk --emit ptx -o /dev/stdout --no-header --no-json | grep -q '^.visible .entry vector_add' || fail "-o /dev/stdout"
"$tkc" va.tk --emit ptx -o /dev/stdout --no-header --no-json >file.ptx
grep -q '^.visible .entry vector_add' file.ptx || fail "-o /dev/stdout into a file"
rm -f file.ptx

# Sources and imports are files of a bounded size; standard input is -.
fresh
cp "$add" va.tk
mkfifo pipe.tk
truncate -s 65M large.tk
expect 1 'cannot read /dev/zero: it is a device or a pipe' /dev/zero -o k.ptx
expect 1 'cannot read pipe.tk: it is a device or a pipe' pipe.tk
expect 1 'cannot read large.tk: it is larger than 64 MiB' large.tk
expect 1 'cannot read .: Is a directory' . -o k.ptx
printf 'from pipe import helped\nimport triton\nimport triton.language as tl\n\n@triton.jit\ndef k(x: "*fp32"):\n    helped(x)\n' >k.tk
expect 1 'cannot read the import pipe.tk: it is a device or a pipe' k.tk
"$tkc" - <va.tk >out.ptx && grep -q '^.visible .entry vector_add' out.ptx || fail "standard input"
"$tkc" - -o k.ptx -MD <va.tk && [ "$(cat k.d)" = 'k.ptx k.h k.json:' ] || fail "-MD of standard input: $(cat k.d)"
sed 's/tl.load/tl.lode/' va.tk | "$tkc" - 2>stderr && fail "a wrong source from standard input"
grep -q '^<stdin>:[0-9]*:[0-9]*: error:' stderr || fail "errors of standard input: $(cat stderr)"

# Paths and constants with everything in them: make reads the depfile, the JSON is JSON, the header compiles.
fresh
mkdir 'o d'
odd=$(printf 'k:1%%2$3#4\\ 5\r#error injected\377.tk')
cp "$add" "$odd"
sed 's/BLOCK: tl.constexpr = 1024/BLOCK: tl.constexpr = 1024, NOTE: tl.constexpr = "a\\r#error injected\\x00\\\\"/' "$add" >note.tk
expect 0 '' "./$odd" -o 'o d/k:%1.ptx' --no-json
expect 0 '' note.tk -o note.ptx
expect 0 '' note.tk -o 'o d/n:%1.ptx' -MF n.d
for file in 'o d/k:%1.h' note.h; do
    tr '\r' '\n' <"$file" | grep -q '^#error injected' && fail "$file has a line from outside"
done
grep -q "NOTE = 'a.r#error injected.x00" note.h || fail "the constant in the header: $(grep NOTE note.h)"
expect 0 '' "./$odd" -o odd.ptx
if command -v python3 >/dev/null; then
    python3 -c 'import json; json.load(open("odd.json", encoding="utf-8", errors="strict"))' || fail "odd.json is no JSON"
    python3 -c 'import json; assert json.load(open("note.json"))["kernels"][0]["constants"]["NOTE"] == repr("a\r#error injected\0\\")' ||
        fail "the constant in the JSON: $(grep NOTE note.json)"
fi
if command -v make >/dev/null; then
    { cat n.d && printf 'all: o\\ d/n\\:%%1.ptx\n.PHONY: all\no\\ d/n\\:\\%%1.ptx:\n\t@false\n'; } >n.mk
    make -q -f n.mk all >make.log 2>&1 || fail "make on n.d: $(cat make.log n.d)"
    touch -d '1 hour' note.tk
    make -q -f n.mk all >make.log 2>&1 && fail "make does not see that note.tk is newer"
    odd=$(printf 'k:1%%2$3#4\\ 5.tk')
    cp "$add" "$odd"
    expect 0 '' "./$odd" -o k.ptx -MD
    { cat k.d && printf 'all: k.ptx\n.PHONY: all\nk.ptx:\n\t@false\n'; } >k.mk
    make -q -f k.mk all >make.log 2>&1 || fail "make on k.d: $(cat make.log k.d)"
    touch -d '1 hour' "$odd"
    make -q -f k.mk all >make.log 2>&1 && fail "make does not see that $odd is newer"
    rm "$odd"
    make -q -f k.mk all >make.log 2>&1
    [ $? != 2 ] || fail "make stops at a source that is gone: $(cat make.log k.d)"
fi
newline=$(printf 'a\nb.tk')
cp "$add" "$newline"
expect 1 'its path has a line break' "$newline" -o k.ptx -MD
expect 0 '' "$newline" -o k.ptx
grep -q 'kernel vector_add in a.x0ab.tk' k.h || fail "a line break in the name: $(head -n 3 k.h)"

# A signal while a tool runs ends the tool and leaves no temporary folder, here or in TMPDIR.
fresh
cp "$add" va.tk
mkdir tmp
printf '#!/bin/sh\n[ "$1" = --version ] && echo "LLD 19.1.0" && exit\ntouch "${0%%/*}/started"\nexec sleep 30\n' >ld
chmod +x ld
TMPDIR=$PWD/tmp "$tkc" va.tk --target gfx942 -o k.hsaco --ld "$PWD/ld" 2>stderr &
child=$!
for wait in $(seq 100); do
    [ -e started ] || sleep 0.1
done
[ -n "$(ls tmp)" ] || fail "the linker was not started"
kill -TERM $child
wait $child
[ $? = 143 ] || fail "SIGTERM while linking: status $?"
rm -f started stderr ld
[ "$(ls -A . tmp)" = ".:
tmp
va.tk

tmp:" ] || fail "left behind: $(ls -A . tmp)"

# Names as long as the file system takes; links, live and dangling, are followed.
fresh
cp "$add" va.tk
long=$(printf '%0251d' 0)
expect 0 '' va.tk -o "$long.ptx" --no-json --no-header
[ -s "$long.ptx" ] || fail "no output with a name of 255 bytes"
mkdir real
ln -s real/k.ptx k.ptx
expect 0 '' va.tk -o k.ptx
[ -L k.ptx ] && [ -s real/k.ptx ] || fail "a dangling link was replaced"
echo old >real/k.ptx
expect 0 '' va.tk -o k.ptx
[ -L k.ptx ] && grep -q vector_add real/k.ptx || fail "a live link was replaced"

finish "files are safe"
