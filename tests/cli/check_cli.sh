#!/bin/sh
# The command line from outside: exit statuses, atomic output, determinism, artifacts of both vendors.
#   check_cli.sh TKC SOURCE_DIR FOLDER
set -u
tkc=$1 top=$2 out=$3
. "$top/tests/cli/expect.sh"
fresh
mkdir one two

cp "$top/examples/vector_add.tk" add.tk
printf 'import triton\nimport triton.language as tl\n\n@triton.jit\ndef k(x: "*fp32"):\n    tl.store(x, wrong)\n    tl.store(x, worse)\n' >bad.tk

# Usage errors are 2, errors in the source 1; both say what to do.
expect 2 'unknown option "--frobnicate"' --frobnicate add.tk
expect 2 'did you mean --target?' --taregt=sm_80 add.tk
expect 2 'no source file'
expect 2 'wants FILE' add.tk -o
expect 2 'wants a number from 1 to 32' add.tk --num-warps=99
expect 1 'cannot read none.tk' bad.tk none.tk
expect 2 'the name of the source file is empty' ''
expect 2 '--grid is given twice: "1" and "2"' add.tk -g 1 --grid=2
expect 0 '' add.tk -g 1 --grid=1 -D BLOCK=64 -D BLOCK=64 -o -
expect 2 '--define BLOCK is given twice: "64" and "128"' add.tk -D BLOCK=64 -D BLOCK=128
expect 2 '--define wants NAME=VALUE, not "BLOCK="' add.tk -D BLOCK=
expect 1 'a grid of -1 blocks: a launch has 0 or more' add.tk -g -1
expect 1 'x, which is not an integer' add.tk -g 'cdiv(x, 2)'
expect 2 'there is no pass "nosuch"' add.tk --stop-after nosuch
expect 2 'takes no value' add.tk --no-json=1
expect 0 'usage: tkc SOURCE' --help
expect 0 'sm_90a' --print-targets
expect 0 'layouts' --print-passes
expect 0 ' ms  layouts' add.tk --target sm_80 -o - --time-passes
expect 0 'AMD: zeros keep their signs' --print-passes
expect 0 '(LLVM ' --version
expect 0 'commit: ' --version --verbose
# The JSON tells two compilers apart, too.
commit=$("$tkc" --version --verbose | sed -n 's/^commit: \([0-9a-gv.-]*\)$/\1/p')
"$tkc" "$top/examples/vector_add.tk" --no-header -o commit.ptx
if [ -n "$commit" ] && ! grep -q "\"commit\": \"$commit\"" commit.json; then
    fail "the JSON does not have the compiler's commit $commit"
fi
expect 1 'cannot read missing.tk' missing.tk
expect 2 'unknown target "sm_1"' add.tk --target sm_1
expect 1 'bad.tk:6:17: error:' bad.tk
expect 1 'bad.tk:7:17: error:' bad.tk

# The version of the language: of the option, of a file, and one unknown to Triton.
printf 'import triton\nimport triton.language as tl\n\nV = tl.constexpr(triton.__version__)\n\n@triton.jit\ndef k(x: "*fp32"):\n    tl.static_print(V)\n    tl.store(x, tl.expect_zero(tl.load(x), True))\n' >version.tk
expect 0 'note: 3.9.0' version.tk -o -
expect 0 'note: 3.8.0' version.tk -o - --language=3.8
expect 1 'tl.expect_zero: of Triton 3.8 and later, and the language here is 3.7; compile with --language=3.8' version.tk -o - --language 3.7
expect 1 "--language=3.5: Triton's language is 3.6, 3.7, 3.8 or 3.9 here" version.tk -o - --language=3.5
{ echo '# tkc: language 3.6'; cat version.tk; } >older.tk
expect 1 'and the language here is 3.6' older.tk -o - --language=3.9
{ echo '#tkc:language  3.11'; cat version.tk; } >newer.tk
expect 1 'newer.tk:1:16: error: language 3.11 is unknown: 3.6, 3.7, 3.8 or 3.9' newer.tk -o -
{ cat older.tk; echo '# tkc: language 3.9'; } >both.tk
expect 1 'the file states its language a second time' both.tk -o -

# Passes and steps of the LLVM pipeline by name: dumped, timed, run alone, left out unless they are needed.
expect 2 'there is no pass "nosuch"' add.tk --dump-after=nosuch
expect 2 '"slim" is a step of the LLVM pipeline' add.tk --stop-after=slim
expect 2 '--without=nosuch: there is no pass or step of this name' add.tk --without=nosuch
expect 2 '--without=barriers: kernels are wrong or cannot be compiled without it' add.tk --without=barriers
expect 2 '--without=zeros: kernels are wrong' add.tk --without zeros --target gfx942
expect 0 '; after slim' add.tk --dump-after=slim -o -
expect 0 ' ms  slim' add.tk --time-passes -o -
expect 0 " ms  (LLVM's back end)" add.tk --time-passes -o -
for phase in 'source: parsing and choice of kernels' 'tile IR' 'lowering' 'linking, assembling' 'the whole compilation'; do
    expect 0 " ms  ($phase)" add.tk --time-passes -o -
done
expect 0 ' ms  (search for warps' add.tk --target gfx942 --emit=s --time-passes -o -
"$tkc" add.tk --time-passes -o k.ptx 2>seen >/dev/null
awk '/the whole/ { whole = $1; next } { sum += $1 } END { exit !(sum > whole / 2 && sum <= whole) }' seen || fail "--time-passes: $(cat seen)"
"$tkc" add.tk --time-passes --without=slim --without=peel -o - >seen 2>&1
grep -q ' ms  \(slim\|peel\)$' seen && fail "--without: slim or peel ran"
grep -q ' ms  claim_registers$' seen || fail "--without=slim left claim_registers out"
printf 'import triton\nimport triton.language as tl\n\n@triton.jit\ndef k(x: "*fp32", a: "fp32"):\n    tl.store(x, tl.load(x) * a + a)\n' >fma.tk
expect 0 'fma.rn.f32' fma.tk -o -
"$tkc" fma.tk --without=fuse_fma -o - 2>&1 | grep -q 'fma.rn.f32' && fail "--without=fuse_fma: a product is fused"
printf 'define void @k(ptr %%p, float %%x) {\n  %%d = fsub float 0.0, %%x\n  store float %%d, ptr %%p\n  ret void\n}\n' >zero.ll
expect 0 'fsub float %' zero.ll --run-pass=zeros --target gfx942
expect 0 'asm "", "=s,0"(i32 0)' zero.ll --run-pass=zeros --target gfx942
expect 1 'sm_80 has no step zeros' zero.ll --run-pass=zeros --target sm_80
expect 1 "add.tk: not LLVM's IR" add.tk --run-pass=slim

# A hint is of pointers and integers, wherever types are given.
printf 'import triton\nimport triton.language as tl\n\n@triton.jit\ndef k(x, n):\n    tl.store(x, n)\n' >hint.tk
expect 1 "'fp32:16': fp32 takes no hint" hint.tk -s '*fp32, fp32:16'
expect 1 "'i32:-3': the hint behind i32 is no power of two" hint.tk -s '*fp32, i32:-3'
expect 0 '' hint.tk -s '*fp32:16, i32:16'
expect 1 "hint.tk:5:7: error: 'fp33*:16' is not a type; did you mean *fp32:16?" hint.tk -s 'fp33*:16, i32'
expect 1 "parameter x is given as 'Q(*fp32, i32)', and the file has no named tuple or aggregate Q" hint.tk -s 'Q(*fp32, i32), i32'
expect 1 '<--signature>:1:1: error: foo is not defined' hint.tk -s 'foo, i32'

# The work of a compilation is bounded (tests/bombs); --budget moves the bounds.
printf 'import triton\nimport triton.language as tl\n\n@triton.jit\ndef k(x: "*fp32", n: "i32"):\n    for i in tl.static_range(60000):\n        n = (n + i) * n ^ i\n    tl.store(x, n)\n' >bomb.tk
expect 1 'bomb.tk:7:23: error: the kernel takes 10000' bomb.tk
expect 1 'a compilation has 100000; let loops run on the chip (tl.range), or split it, or allow more with --budget=2' bomb.tk
expect 1 'a compilation has 200000' bomb.tk --budget=2
expect 2 '--budget wants a number from 1 to 1000' bomb.tk --budget=0
expect 0 '100000 ops of tile IR' --help
printf 'import triton\nimport triton.language as tl\n\n@triton.jit\ndef k(x: "*i32", n: "i32"):\n    o = tl.arange(0, 16384)\n    v = tl.load(x + o)\n    for i in tl.static_range(8):\n        v = (v + i) // n + v %% (v + i)\n    tl.store(x + o, v)\n' >divisions.tk
expect 0 '' divisions.tk # 2,048 divisions a thread are a quarter of a second

# After a failure there is the old file or none, and nothing else.
echo old >keep.ptx
expect 1 'error' bad.tk -o keep.ptx
[ "$(cat keep.ptx)" = old ] || fail "an old output changed after an error"
expect 1 'error' bad.tk -o fresh.ptx
[ -z "$(ls fresh.* ./*.tmp 2>/dev/null)" ] || fail "files of a failed compilation: $(ls fresh.* ./*.tmp)"
expect 1 'cannot write' add.tk -o no/such/folder/x.ptx

# Standard output; nothing beside it.
"$tkc" add.tk -o - >text.ptx || fail "-o -"
grep -q '^.visible .entry vector_add' text.ptx || fail "-o - wrote no PTX"
[ ! -e add.h ] || fail "-o - wrote a header"
"$tkc" add.tk --target gfx942 -o - | grep -q amdgcn_target || fail "-o - for AMD"

# Every kind is made of the same module, whatever is made before it.
"$tkc" add.tk --target gfx942 -o all.hsaco -o all.s -o all.ll || fail "three kinds of one target"
"$tkc" add.tk --target gfx942 -o turned.ll -o turned.s -o turned.hsaco || fail "three kinds in another order"
for kind in hsaco s ll; do
    "$tkc" add.tk --target gfx942 -o alone.$kind || fail "alone: $kind"
    cmp -s all.$kind alone.$kind || fail "the .$kind is another one after other kinds"
    cmp -s turned.$kind alone.$kind || fail "the .$kind is another one before other kinds"
done

# The same bytes from two folders, two spellings of the path and with several targets in another order of outputs.
for folder in one two; do
    cp add.tk $folder/
    (cd $folder && "$tkc" add.tk -o k.ptx -o k.hsaco --target sm_80,sm_90a,gfx942,gfx1100 -MD) || fail "four targets"
done
"$tkc" "$out/two/add.tk" -o two/k.ptx -o two/k.hsaco --target sm_80,sm_90a,gfx942,gfx1100 || fail "absolute path"
for file in k.sm_80.ptx k.sm_90a.ptx k.gfx942.hsaco k.gfx1100.hsaco k.h k.json; do
    cmp -s one/$file two/$file || fail "$file differs between two folders"
done
[ "$(head -n 1 one/k.d)" = "k.sm_80.ptx k.sm_90a.ptx k.gfx942.hsaco k.gfx1100.hsaco k.h k.json: \\" ] ||
    fail "the depfile: $(cat one/k.d)"
! grep -q "$out" one/k.* || fail "a path reached an artifact"
! grep -q -a -E 'LLD|clang version|Linker' one/k.gfx942.hsaco || fail "the linker's name is in the code object"

finish "the command line behaves"
