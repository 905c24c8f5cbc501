#!/bin/sh
# A programmer's tools: assertions, prints, names of arguments, watched tiles and steps in tkc-run; lines in compiled code.
#   check_debugging.sh TKC_RUN TKC SOURCE_DIR FOLDER
set -u
tkc=$1 compiler=$2 top=$3 out=$4
. "$top/tests/cli/expect.sh"
fresh

# compile STATUS TEXT ARGUMENTS…: expect, of the compiler.
compile() {
    run=$tkc tkc=$compiler
    expect "$@"
    tkc=$run
}

head='import triton\nimport triton.language as tl\n\n@triton.jit\n'

# ---- assertions ----

printf "$head"'def a(x: "*fp32", n: "i32", N: tl.constexpr = 64):\n    i = tl.program_id(0) * N + tl.arange(0, N)\n    assert n < 1000, "n is 100%% small"\n    tl.device_assert((0 <= i) & (i < n), "in bounds", mask=i < 70)\n    v = tl.load(x + i)\n    tl.device_assert(v == v)\n    tl.device_assert(tl.sum(v) > 0 or n > 5)\n    tl.store(x + i, v)\na.grid = (2,)\n' >a.tk
asserts() { # STATUS TEXT CHIP N ARGUMENTS…
    status=$1 text=$2 chip=$3 n=$4
    shift 4
    expect "$status" "$text" a.tk --on "$chip" -a 'x=ones(128):fp32' -a n="$n" "$@"
}
for chip in sm_80 sm_90a gfx942 gfx1100; do
    asserts 0 '0 faults' $chip 100
    asserts 1 'a.tk:7:5: error: assertion failed: n is 100% small: 2000 < 1000 is false' $chip 2000
    asserts 1 'a.tk:8:5: error: assertion failed: in bounds: 0 <= 66 and 66 < 66 is false, at element (2)' $chip 66
    asserts 1 'in program (1, 0, 0), thread 2 (warp 0, lane 2)' $chip 66
done
expect 1 'a.tk:10:5: error: assertion failed: nan == nan is false, at element (0)' a.tk -a 'x=full(nan,128):fp32' -a n=100
asserts 1 'a.tk:7:5 `s_trap 2`: error: the kernel stopped itself' gfx942 2000 --level machine

# A block of several rows at once is not named as one program.
printf "$head"'def r(f: "*fp32", y: "*fp32"):\n    p = tl.program_id(0)\n    v = tl.load(f + p * 64 + tl.arange(0, 64))\n    tl.store(y + p, tl.sum(v, 0))\nr.grid = (37,)\n' >r.tk
rows="-a f=ones(2367):fp32 -a y=empty(37):fp32"
expect 1 'in program (36, 0, 0), thread 63 (warp 1, lane 31)' r.tk $rows
expect 1 'in block 1 of 37, which share the programs, thread' r.tk --on sm_90a $rows

# Compiled code: dropped, or as Triton's debug mode has them.
grep -v assert a.tk >bare.tk
for name in a bare; do
    compile 0 '' $name.tk --no-header --no-json --kernel a -o $name.ptx
done
cmp -s a.ptx bare.ptx || fail 'assertions leave something in code without --debug-asserts'
compile 0 '' a.tk --debug-asserts -o a.ptx
[ "$(grep -c 'call.uni.* __assertfail' a.ptx)" = 4 ] || fail "assertions in PTX: $(grep -c assertfail a.ptx)"
[ "$(grep -c '^.extern .func __assertfail' a.ptx)" = 1 ] || fail '__assertfail is declared more than once'
compile 0 '' a.tk --debug-asserts -t gfx942 -o a.s
grep -q 's_trap 2' a.s || fail 'assertions on AMD do not trap'

# ---- prints, in the format of Triton 3.9 ----

printf "$head"'def p(x: "*fp32", h: "*fp16", b: "*i8", n: "i64", N: tl.constexpr = 128):\n    i = tl.arange(0, N)\n    v = tl.load(x + i)\n    tl.device_print("100%%", v)\n    tl.device_print("x: ", i, n)\n    tl.device_print("hex", tl.load(b + i), hex=True)\n    tl.device_print("half ", tl.load(h + i), hex=True)\n    tl.device_print("", i[:, None] * 8 + tl.arange(0, 8)[None, :])\n    tl.device_print("where", x + i)\n    print("hello", i < 1)\n    tl.device_print("hello")\np.grid = (1,)\n' >p.tk
for chip in sm_80 gfx942 gfx1200; do
    "$tkc" p.tk -q --on $chip -a 'x=arange(128):fp32' -a 'h=full(1.5,128):fp16' -a 'b=full(-2,128):i8' -a n=-7 >printed ||
        fail "printing on $chip"
    sort printed >lines.$chip
    for line in 'idx (  5) 100%: 5.000000' 'idx (127) x: (operand 0) 127' 'idx () x: (operand 1) -7' 'idx (  3) hex: 0xfffffffe' \
        'idx ( 99) half: 0x1.8p+0' 'idx ( 17, 5): 141' 'idx ( 10) hello: 0' 'idx (  0) hello: 1' 'hello'; do
        [ "$(grep -c -F "pid (0, 0, 0) $line" lines.$chip)" -ge 1 ] || fail "$chip does not print '$line'"
    done
    grep -q 'idx (  1) where: 0x[0-9a-f]*4$' lines.$chip || fail "$chip prints no address"
    [ "$(wc -l <lines.$chip)" = $((7 * 128 - 128 + 1 + 1024 + 1)) ] || fail "$chip prints $(wc -l <lines.$chip) lines"
    grep -v where lines.$chip | cmp -s - lines || [ $chip = sm_80 ] || fail "$chip prints something else than sm_80"
    grep -v where lines.$chip >lines
done
compile 1 'p.tk:8:5: error: tl.device_print needs a print function, which gfx942 has not: run the kernel in the emulator (tkc-run --on gfx942)' \
    p.tk -t gfx942 -o p.hsaco

# ---- names of arguments, and their hints ----

names="-a x=ones(128):fp32 -a n=100"
compile 0 '' bare.tk -t gfx942 -o bare.hsaco -o bare.ll
compile 0 '' bare.tk -t sm_80 -o bare80.ll
expect 0 '0 faults' bare.hsaco --on gfx942 -g 2 $names
expect 0 '0 faults' bare.ll --on gfx942 -g 2 $names
expect 0 '0 faults' bare80.ll -g 2 --shared-bytes 16 $names
expect 1 "argument 'x' of 'a' is missing" bare.hsaco --on gfx942 -g 2 -a arg0=1 -a arg1=2

printf "$head"'def h(x: "*fp32:16", n: "i32:8"):\n    tl.store(x, n)\nh.grid = (1,)\n' >h.tk
expect 0 '0 faults' h.tk -a 'all=ones(64):fp32' -a 'x=all[4:]' -a n=16
expect 1 "argument 'x' of 'h' has to be a multiple of 16, as its hint or its use says, and it begins 8 bytes behind 'all'" \
    h.tk -a 'all=ones(64):fp32' -a 'x=all[2:]' -a n=16
expect 1 "argument 'n' of 'h' has to be a multiple of 8, as its hint or its use says, and 12 was given" h.tk -a 'x=ones(64):fp32' -a n=12

# ---- watched tiles and steps ----

printf "$head"'def double(v):\n    w = v * 2\n    return w + tl.sum(v, 0)\n\n@triton.jit\ndef k(x: "*fp32", y: "*fp32", n: "i32", N: tl.constexpr = 8):\n    i = tl.arange(0, N)\n    acc = tl.zeros((N,), tl.float32)\n    for j in range(n):\n        v = tl.load(x + i + j * N)\n        acc += v\n    if n > 2:\n        acc = double(acc)\n    tl.store(y + tl.program_id(0) * N + i, acc)\nk.grid = (2,)\n' >w.tk
watched="-n k -a x=arange(64):fp32 -a y=empty(16):fp32 -a n=3"
for chip in sm_80 sm_90a gfx942 gfx1100; do
    for line in '15: acc of program (0, 0, 0), time 1: fp32[8] 0 1 2 3 4 5 6 7' '15: acc of program (1, 0, 0), time 3: fp32[8] 24 27' \
        '6: w of program (1, 0, 0), time 1: fp32[8] 48 54 60' '11: N: 8, a constant' '14: j of program (0, 0, 0), time 2: i32 1'; do
        expect 0 "$line" w.tk --on $chip $watched --watch 15:acc --watch 6:w --watch 11:N --watch 14:j
    done
done
# Both programs' three times: an array of [2, 3, 8]; its last parts are the sum of all.
expect 0 '' w.tk $watched --watch 15:acc=acc.npy --watch w.tk:17:acc=end.npy -o y=y.npy
head -c 80 acc.npy | grep -q "(2, 3, 8)" || fail "the watched array is $(head -c 80 acc.npy)"
expect 0 'y: all 16 elements as expected' w.tk $watched --expect y=y.npy
tail -c 64 end.npy >end
tail -c 64 y.npy | cmp -s - end || fail 'the watched tile is not what is stored'
expect 1 '--watch 15:foo: behind line 15 of w.tk there is no number and no tile foo' w.tk $watched --watch 15:foo
expect 1 '--watch 99:acc: no statement of the kernel begins on line 99 of w.tk' w.tk $watched --watch 99:acc
expect 2 '--watch wants LINE:NAME' w.tk $watched --watch acc
expect 2 'would overwrite the kernel file' w.tk $watched --watch 15:acc=w.tk
expect 1 'look into the emulator' w.tk $watched --on gfx942 --level machine --watch 15:acc
# The whole matrix of a kernel with a loop that is specialised, pipelined or neither without the watch.
for chip in sm_90a gfx942; do
    expect 0 '0 faults' "$top/examples/matmul.tk" --config 0 --on $chip --watch 62:sums=sums.npy -a 'a=randn(128,64):fp16' -a 'b=randn(64,128):fp16' \
        -a 'c=empty(128,128):fp16' -a M=128 -a N=128 -a K=64 -a stride_am=64 -a stride_ak=1 -a stride_bk=128 -a stride_bn=1 -a stride_cm=128 -a stride_cn=1
    head -c 80 sums.npy | grep -q "(2, 128, 128)" || fail "sums on $chip: $(head -c 80 sums.npy)"
done

printf 's\n\n\n\n\np acc\nb 17\nc\nn\np w\nv\nx\nc\n' >commands
"$tkc" w.tk --step=1 $watched <commands >steps 2>&1 || fail "stepping: $(cat steps)"
for line in 'w.tk:11:     i = tl.arange(0, N)' '>     i: i32[8] 0 1 2 3 4 5 6 7' '    j: i32 1' '> acc: fp32[8] 0 1 2 3 4 5 6 7' \
    'w.tk:17:         acc = double(acc)' '>     acc: fp32[8] 324 330' 'w.tk:18:     tl.store' '> w: fp32[8] 48 54 60' 's  step to the next statement' \
    'k on sm_80: 2 programs'; do
    grep -q -F "$line" steps || fail "stepping does not say \"$line\": $(cat steps)"
done
grep -q 'w.tk:6:' steps && fail 'n steps into a call'
printf 'b 17\nc\ns\no\nq\n' | "$tkc" w.tk --step $watched >steps 2>&1 && fail 'q is no clean end'
grep -q 'w.tk:6:     w = v' steps && grep -q 'w.tk:18:' steps && grep -q 'interrupted' steps || fail "steps: $(cat steps)"

# ---- lines ----

mkdir -p one/pkg two/pkg
for folder in one two; do
    printf 'import triton\nimport triton.language as tl\n\n@triton.jit\ndef twice(v):\n    return v * tl.sum(v, 0)\n' >$folder/pkg/helper.py
    printf 'from pkg.helper import twice\nimport triton\nimport triton.language as tl\n\n@triton.autotune(configs=[triton.Config({"N": n}) for n in (64, 128)], key=[])\n@triton.jit\ndef k(x: "*fp32", N: tl.constexpr):\n    i = tl.arange(0, N)\n    tl.store(x + i, tl.softmax(twice(tl.load(x + i))))\nk.grid = (1,)\n' >$folder/k.py
    for what in -lineinfo --debug; do
        compile 0 '' "$out/$folder/k.py" $what --debug-asserts -o $folder/k$what.ptx
    done
    compile 0 '' "$out/$folder/k.py" -lineinfo -t gfx942 -o $folder/k.hsaco
done
for file in k-lineinfo.ptx k--debug.ptx k.hsaco; do
    cmp -s one/$file two/$file || fail "$file differs between two checkouts"
done
lines=one/k-lineinfo.ptx
[ "$(grep -c '^.visible .entry' $lines)" = 2 ] && grep -q 'k_tune(' one/k-lineinfo.h || fail '-lineinfo leaves variants out'
[ "$(grep '\.file' $lines | tr -d '\t\n')" = '.file1 "k.py".file2 "pkg/helper.py".file3 "tkc-library/standard.tk"' ] ||
    fail "files of lines: $(grep '\.file' $lines)"
for place in '1 9 32' '2 6 16, function_name $L__name_twice, inlined_at 1 9 32' '3 [0-9]* [0-9]*, function_name $L__name_softmax, inlined_at 1 9 21'; do
    [ "$(grep -c "^	.loc	$place\$" $lines)" -ge 2 ] || fail "no line $place in $(grep '\.loc' $lines | sort | uniq -c)"
done
[ "$(grep -c '^$L__name_softmax:$' $lines)" = 1 ] || fail 'names of functions are said once'
code() { grep -v -e '\.loc' -e '\.file' -e '^$L__[ft]' -e debug_macinfo -e '^$' "$1" | sed '/debug_str/,$d'; }
compile 0 '' one/k.py -o one/plain.ptx
code $lines >with.ptx
code one/plain.ptx | cmp -s - with.ptx || fail '-lineinfo changes the code'
compile 0 '' one/k.py -lineinfo --file-prefix-map one/=src/ --file-prefix-map one/pkg=lib -o map.ptx
grep -q '"src/k.py"' map.ptx && grep -q '"lib/helper.py"' map.ptx || fail "--file-prefix-map: $(grep '\.file' map.ptx)"
compile 2 '--file-prefix-map wants OLD=NEW' one/k.py --file-prefix-map one -o map.ptx
# The copy of an operand from outside of loops has the line of its load.
compile 0 '' "$top/examples/attention.tk" --config 0 -t sm_90a -lineinfo -o attention.ptx
place=$(grep -n 'q_tile = tl.load' "$top/examples/attention.tk" | cut -d: -f1)
awk '/\.loc/ { line = $3 } /cp.async.bulk.tensor.*mbarrier/ { print line }' attention.ptx | grep -q -x "$place" ||
    fail "no copy of q at line $place"
for ptxas in ptxas /usr/local/cuda/bin/ptxas; do
    "$ptxas" --version >/dev/null 2>&1 || continue
    "$ptxas" -lineinfo -arch sm_80 $lines -o lines.cubin 2>log || fail "ptxas on lines: $(cat log)"
    compile 0 '' one/k.py -lineinfo --ptxas "$ptxas" -o lines.cubin
    break
done

# -g is the grid, unless none follows.
compile 0 '' bare.tk -g 4,1 -o g.ptx
grep -q 'debug_info' g.ptx && fail '-g 4,1 is debug information'
compile 0 '-g is --debug (-G) here' bare.tk -g -o g.ptx
grep -q 'debug_info' g.ptx || fail '-g -o is no debug information'
compile 0 '-g is --debug (-G) here' -g bare.tk -o g.ptx
compile 0 '-g is --debug (-G) here' bare.tk -o g.ptx -g

finish 'assertions, prints, names, watched tiles, steps and lines'
