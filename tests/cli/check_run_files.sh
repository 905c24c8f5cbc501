#!/bin/sh
# tkc-run writes no file of its input: the kernel file, its imports, arrays; and nothing is written twice. Arguments
# that a kernel cannot take are refused.
#   check_run_files.sh TKC_RUN SOURCE_DIR FOLDER
set -u
tkc=$1 top=$2 out=$3
. "$top/tests/cli/expect.sh"
fresh

printf 'from helper import helped\nimport triton\nimport triton.language as tl\n\n@triton.jit\ndef k(x: "*fp32", y: "*fp32"):\n    helped(x, y)\nk.grid = (1,)\n' >k.tk
printf 'import triton\nimport triton.language as tl\n\n@triton.jit\ndef helped(x, y):\n    tl.store(y, tl.load(x))\n' >helper.tk
expect 0 '' k.tk -q --arg 'x=ones(4):fp32' --arg 'y=zeros(4):fp32' --out x=x.npy --out y=y.npy --plot shared=s.svg
mkdir sub
ln -s ../x.npy sub/link.npy
ln y.npy hard.npy
before=$(cksum ./*)

# refused TEXT ARGUMENTS…: status 2, and every file is as it was.
refused() {
    text=$1
    shift
    expect 2 "$text" k.tk -q "$@"
    [ "$before" = "$(cksum ./*)" ] || fail "tkc-run $*: files changed"
}

fixed='--arg y=zeros(4):fp32'
refused 'the array saved by --out "k.tk" would overwrite the kernel file "k.tk"' --arg 'x=ones(4):fp32' $fixed --out x=k.tk
refused 'would overwrite the kernel file' --arg 'x=ones(4):fp32' $fixed --plot shared=./sub/../k.tk
refused 'would overwrite the import "helper.tk"' --arg 'x=ones(4):fp32' $fixed --out y=helper.tk
refused 'would overwrite the import "helper.tk"' --arg 'x=ones(4):fp32' $fixed --plot shared=helper.tk
refused 'would overwrite the argument "x.npy"' --arg x=x.npy $fixed --out y=x.npy
refused 'would overwrite the argument "x.npy"' --arg x=x.npy:fp32 $fixed --out y=sub/link.npy
refused 'would overwrite the expected array "y.npy"' --arg 'x=ones(4):fp32' $fixed --expect y=y.npy --out y=hard.npy
refused 'would overwrite the array saved by --out "./z.npy"' --arg 'x=ones(4):fp32' $fixed --out x=z.npy --out y=./z.npy
refused 'would overwrite the drawing "z.npy"' --arg 'x=ones(4):fp32' $fixed --out x=z.npy --plot shared=z.npy
expect 0 '' k.tk -q --arg x=x.npy $fixed --expect y=y.npy --atol 2 --out y=new.npy
expect 1 'cannot write no/y.npy' k.tk -q --arg x=x.npy $fixed --out y=no/y.npy

# A file without an end is not read.
mkfifo pipe.npy pipe.ll pipe.mlir pipe.hsaco pipe.tk
expect 2 'pipe.npy: it is a device or a pipe' k.tk -q --arg x=pipe.npy $fixed
expect 2 'pipe.npy: it is a device or a pipe' k.tk -q --arg 'x=ones(4):fp32' $fixed --expect y=pipe.npy
for kind in ll mlir hsaco; do
    expect 1 "pipe.$kind: it is a device or a pipe" pipe.$kind --on gfx942
done
expect 1 'it is a device or a pipe; give the text on standard input' pipe.tk
rm pipe.*

# Numbers too large for a parameter, arrays beyond any memory, grids without end.
printf 'import triton\nimport triton.language as tl\n\n@triton.jit\ndef n(y: "*i64", a: "i32", b: "u8", c: "i1", d: "u64"):\n    tl.store(y, a + b + d.to(tl.int64) + c)\nn.grid = lambda meta: (meta["a"],)\n' >n.tk
numbers() { # STATUS TEXT ARGUMENTS…
    status=$1 text=$2
    shift 2
    expect "$status" "$text" n.tk -p y "$@"
}
# Hints, and those implied by a descriptor's last stride, are checked as launchers check them.
printf 'import triton\nimport triton.language as tl\n\n@triton.jit\ndef h(y: "*fp32:16", a: "i32:16", b: "i32:1", s: "i64"):\n    d = tl.make_tensor_descriptor(y, [a, a], [a, s], [16, 16])\n    d.store([0, 0], d.load([0, 0]) + b)\nh.grid = (1,)\n' >h.tk
hints() { # STATUS TEXT A B S
    for chip in sm_80 sm_90a gfx942; do
        expect "$1" "$2" h.tk --on $chip -p y -a 'y=zeros(256):fp32' -a a="$3" -a b="$4" -a s="$5"
    done
}
hints 0 'y: fp32[256] 1 1' 16 1 1
hints 1 "argument 'a' of 'h' has to be a multiple of 16, as its hint or its use says, and 24 was given" 24 1 1
hints 1 "argument 'b' of 'h' has to be 1, as its hint or its use says, and 2 was given" 16 2 1
hints 1 "argument 's' of 'h' has to be 1, as its hint or its use says, and 16 was given" 16 1 16

# A product and its addition round once, unless an option says twice.
printf 'import triton\nimport triton.language as tl\n\n@triton.jit\ndef f(y: "*fp32", a: "fp32", b: "fp32"):\n    tl.store(y, a * b - 1.0)\nf.grid = (1,)\n' >f.tk
for way in '' '--fp-contract=on'; do
    expect 0 'y: fp32[1] 1.4901161' f.tk $way -p y -a 'y=zeros(1):fp32' -a a=0.1 -a b=10.0
done
expect 0 'y: fp32[1] 0' f.tk --fp-contract=off -p y -a 'y=ones(1):fp32' -a a=0.1 -a b=10.0

y='--arg y=zeros(1):i64'
numbers 0 'y: i64[1] -7' $y -a a=3 -a b=255 -a c=1 -a d=18446744073709551350
numbers 1 "argument 'a' of 'n' is i32, which has no 2147483648" $y -a a=2147483648 -a b=1 -a c=1 -a d=1
numbers 1 "argument 'b' of 'n' is u8, which has no 256" $y -a a=1 -a b=256 -a c=1 -a d=1
numbers 1 "argument 'b' of 'n' is u8, which has no -1" $y -a a=1 -a b=-1 -a c=1 -a d=1
numbers 1 "argument 'c' of 'n' is i1, which has no 2" $y -a a=1 -a b=1 -a c=2 -a d=1
numbers 1 "argument 'd' of 'n' is u64, which has no -1" $y -a a=1 -a b=1 -a c=1 -a d=-1
numbers 1 "argument 'a' of 'n' is i32, which has no 1.84" $y -a a=18446744073709551615 -a b=1 -a c=1 -a d=1
numbers 2 "18446744073709551616 is beyond 64 bits" $y -a a=1 -a b=1 -a c=1 -a d=18446744073709551616
numbers 1 "argument 'a' is given twice" $y -a a=1 -a b=1 -a c=1 -a d=1 -a a=2
numbers 2 "zeros: the array is too large" -a 'y=zeros(99999999999999999999999):i64' -a a=1 -a b=1 -a c=1 -a d=1
numbers 2 "zeros: -1 is no dimension" -a 'y=zeros(-1):i64' -a a=1 -a b=1 -a c=1 -a d=1
numbers 1 "8-byte write out of bounds: y[0] (of 0)" -a 'y=zeros(0, 4):i64' -a a=1 -a b=1 -a c=1 -a d=1
numbers 1 "it nests deeper than 100" $y -a a=1 -a b=1 -a c=1 -a d=1 -g "$(printf '%05000d' 0 | tr 0 '(')"
numbers 1 "it nests deeper than 100" $y -a a=1 -a b=1 -a c=1 -a d=1 -g "$(printf '%05000d' 0 | tr 0 '-')1"

# bf16 and 8-bit floats survive files, as ml_dtypes saves them; codes in integers become floats if the type is given.
printf 'import triton\nimport triton.language as tl\n\n@triton.jit\ndef c(x, y):\n    o = tl.arange(0, 4)\n    tl.store(y + o, tl.load(x + o))\nc.grid = (1,)\n' >c.tk
copied() { # TYPE DESCR OTHER
    types="*$1, *$1" y="y=empty(4):$1"
    expect 0 '' c.tk -q -s "$types" -a "x=rand(4):$1" -a "$y" -o x=in.npy -o y=out.npy
    head -c 64 out.npy | grep -q "'descr': '$2'" || fail "$1 is not saved as $2"
    expect 0 'y: all 4 elements as expected' c.tk -s "$types" -a x=in.npy -a "$y" --expect y=out.npy
    expect 0 'y: all 4 elements as expected' c.tk -s "$types" -a "x=in.npy:$1" -a "$y" --expect "y=out.npy:$1"
    expect 1 'y: 4 of 4 elements differ' c.tk -s "$types" -a "x=full(2,4):$1" -a "$y" --expect y=out.npy
    expect 1 'got 2, expected 0.' c.tk -s "$types" -a "x=full(2,4):$1" -a "$y" --expect y=out.npy
    expect 1 "points to $3, and an array of $1 was given" c.tk -s "*$3, *$3" -a "x=in.npy:$1" -a "y=empty(4):$3"
}
copied bf16 '<V2' fp16
copied fp8e5 '<V1' fp8e4nv
copied fp8e4nv '<V1' fp8e5
expect 1 "argument 'x': in.npy says not which 8-bit floats it holds: x=in.npy:fp8e4nv" c.tk -s '*i8, *i8' -a x=in.npy -a 'y=empty(4):i8'
expect 1 '--expect y: in.npy says not which 8-bit floats' c.tk -s '*i8, *i8' -a 'x=zeros(4):i8' -a 'y=empty(4):i8' --expect y=in.npy
expect 2 'in.npy holds 8-bit floats, not i8' c.tk -s '*i8, *i8' -a x=in.npy:i8 -a 'y=empty(4):i8'
expect 0 '' c.tk -q -s '*u16, *u16' -a 'x=full(16256,4):u16' -a 'y=empty(4):u16' -o y=codes.npy
expect 0 'y: bf16[4] 1 1 1 1' c.tk -p y -s '*bf16, *bf16' -a x=codes.npy:bf16 -a 'y=empty(4):bf16'
expect 0 '' c.tk -q -s '*fp16, *fp16' -a 'x=ones(4):fp16' -a 'y=empty(4):fp16' -o y=halves.npy
expect 2 'halves.npy holds fp16, not bf16' c.tk -s '*bf16, *bf16' -a x=halves.npy:bf16 -a 'y=empty(4):bf16'

# Integers are printed with all their digits.
expect 0 'y: i32[4] 2147483647 2147483647' c.tk -p y -s '*i32, *i32' -a 'x=full(2147483647,4):i32' -a 'y=empty(4):i32'
expect 0 'y: u64[4] 18446744073709551615' c.tk -p y -s '*u64, *u64' -a 'x=full(-1,4):u64' -a 'y=empty(4):u64'
expect 1 'got 2147483647, expected 2147483646, off by 1' c.tk -s '*i32, *i32' -a 'x=full(2147483647,4):i32' -a 'y=empty(4):i32' \
    --expect 'y=full(2147483646,4):i32'

# Inline assembly beyond the emulator: the error names the instruction and the way to run it.
assembly() { # STATUS TEXT CHIP ASSEMBLY CONSTRAINTS ARGUMENTS…
    status=$1 text=$2 chip=$3
    printf 'import triton\nimport triton.language as tl\n\n@triton.jit\ndef a(x: "*fp32", y: "*fp32"):\n    o = tl.arange(0, 128)\n    tl.store(y + o, tl.inline_asm_elementwise("%s", "%s", [tl.load(x + o)], dtype=tl.float32, is_pure=True, pack=1))\na.grid = (1,)\n' "$4" "$5" >a.tk
    shift 5
    expect "$status" "$text" a.tk --on "$chip" -a 'x=ones(128):fp32' -a 'y=empty(128):fp32' "$@"
}
assembly 1 'a.tk:7:21: the emulator does not run the inline assembly `brev.b32 $0, $1` (=r,r): it has no model of brev.b32. --on cuda runs' \
    sm_90a 'brev.b32 $0, $1' '=r,r'
assembly 1 'it has several instructions. --on cuda runs' sm_90a 'neg.f32 $0, $1; neg.f32 $0, $0;' '=r,r'
assembly 1 'it has no model of v_exp_f32. --level machine runs the machine code' gfx942 'v_exp_f32 $0, $1' '=v,v'
assembly 0 'y: fp32[128] 2 2' gfx942 'v_exp_f32 $0, $1' '=v,v' --level machine -p y

# Arguments inside one array, and arguments assumed by the compiler to be apart.
printf 'import triton\nimport triton.language as tl\n\n@triton.jit\ndef s(x: "*fp16:16", w: "*fp16:16", y: "*fp16:16", n: "i32"):\n    o = tl.arange(0, 64)[:, None] * 64 + tl.arange(0, 64)[None, :]\n    b = tl.load(w + o)\n    for k in range(n):\n        tl.store(y + k * 4096 + o, tl.dot(tl.load(x + k * 4096 + o), b).to(tl.float16))\ns.grid = (1,)\n' >s.tk
parts() { # STATUS TEXT ARGUMENTS…
    status=$1 text=$2
    shift 2
    for chip in sm_80 gfx942; do
        expect "$status" "$text" s.tk --on $chip -a 'w=full(0.015625,64,64):fp16' -a n=3 "$@"
    done
}
parts 0 'y: all 12288 elements as expected' -a 'x=ones(12288):fp16' -a 'y=empty(12288):fp16' --expect 'y=ones(12288):fp16'
parts 0 'y: all 12288 elements as expected' -a 'z=ones(24576):fp16' -a 'x=z[:12288]' -a 'y=z[12288:]' --expect 'y=ones(12288):fp16'
parts 1 "arguments 'x' and 'y' of 's' share 16384 bytes, and the compiler assumed that they do not overlap" \
    -a 'z=ones(16384):fp16' -a 'x=z[0:12288]' -a 'y=z[4096:16384]'
parts 1 "share 24576 bytes" -a 'x=ones(12288):fp16' -a y=x
parts 0 'y: all 12288 elements as expected' -a 'x=ones(12288):fp16' -a y=x --overlap --expect 'y=ones(12288):fp16'
parts 1 'out of bounds: z[12288] (of 12288)' -a 'z=ones(12288):fp16' -a 'x=ones(12288):fp16' -a 'y=z[4096:]'
parts 2 "argument 'y': 'q' is no array of its own" -a 'x=ones(12288):fp16' -a y=q
parts 2 "argument 'y': 'n' is no array of its own" -a 'x=ones(12288):fp16' -a y=n
parts 2 "argument 'y': 'x' has 12288 elements, not 5 to 20000" -a 'x=ones(12288):fp16' -a 'y=x[5:20000]'
parts 2 'expected FILE.npy or GENERATOR' -a 'x=ones(12288):fp16' -a 'y=empty(12288):fp16' --expect y=x
parts 2 "'x[5' is no number, no generator and no .npy file" -a 'x=ones(12288):fp16' -a 'y=x[5'
expect 1 "array of fp32 was given" s.tk -a 'w=ones(4096):fp16' -a n=1 -a 'x=ones(4096):fp32' -a y=x

# A residual in place: with equal strides both arrays are one, and its elements are loaded ahead of their own stores.
residual() { # STATUS TEXT ARGUMENTS…
    status=$1 text=$2
    shift 2
    expect "$status" "$text" "$top/tests/cli/in_place.tk" --on sm_90a -w 8 -a 'a=full(0.015625,16384):fp16' -a 'b=ones(16384):fp16' -a 'c=full(10,65536):fp16' -a K=64 -a sc=256 "$@"
}
residual 0 'c: all 65536 elements as expected' -a r=c -a sr=256 --expect 'c=full(0.875,65536):fp16'
residual 1 "arguments 'r' and 'c' of 'product' share 131072 bytes" -a r=c -a sr=128
residual 0 'c: all 65536 elements as expected' -a 'r=full(10,65536):fp16' -a sr=128 --expect 'c=full(0.875,65536):fp16'

# One tensor given as two arguments: a step may read and write the same offsets through both, whoever its threads are. Where it
# reads other offsets than it wrote, a barrier is for the source to place.
printf 'import triton\nimport triton.language as tl\n\n@triton.jit\ndef spread(x: "*fp32", y: "*fp32", z: "*fp32"):\n    i = tl.arange(0, 32)\n    a = tl.load(x + i)\n    tl.store(y + i, a * 2)\n    tl.store(z + i[:, None] * 32 + i[None, :], a[:, None] + tl.zeros((32, 32), tl.float32))\nspread.grid = (1,)\n\n@triton.jit\ndef one(x: "*fp32", y: "*fp32", z: "*fp32"):\n    tl.store(x, 3.0)\n    tl.store(z + tl.arange(0, 1024), tl.load(y) + tl.zeros((1024,), tl.float32))\none.grid = (1,)\n\n@triton.jit\ndef turned(x: "*fp32", y: "*fp32", z: "*fp32"):\n    i = tl.arange(0, 1024)\n    tl.store(x + i, tl.load(x + i) * 2)\n    tl.store(z + i, tl.load(y + (1023 - i)))\nturned.grid = (1,)\n' >both.tk
both() { # STATUS TEXT KERNEL ARGUMENTS…
    status=$1 text=$2 kernel=$3
    shift 3
    for chip in sm_80 sm_90a gfx942; do
        for order in turn ahead reversed; do
            expect "$status" "$text" both.tk -n "$kernel" --on $chip --order $order -a y=x -a 'z=empty(1024):fp32' "$@"
        done
    done
}
both 0 'z: all 1024 elements as expected' spread -a 'x=ones(32):fp32' --expect 'z=ones(1024):fp32'
both 0 'z: all 1024 elements as expected' one -a 'x=ones(1):fp32' --expect 'z=full(3,1024):fp32'
both 1 'with no barrier between; tl.debug_barrier() is one' turned -a 'x=ones(1024):fp32'

# A module of several kernels: one is chosen by its name. More parameters than are taken.
printf 'target triple = "nvptx64-nvidia-cuda"\ndefine void @a() {\n  ret void\n}\ndefine void @b() {\n  ret void\n}\n' >two.ll
printf 'define void @k(i32 %%0%s) {\n  ret void\n}\n' "$(for i in $(seq 64); do printf ', i32 %%%d' "$i"; done)" >many.ll
printf 'declare void @k()\n' >none.ll
expect 1 'two.ll has 2 kernels; choose one with -n' two.ll --grid 1
expect 1 "kernel 'b' has 0 threads" two.ll --grid 1 -n b
expect 1 'two.ll has no kernel c' two.ll --grid 1 -n c
expect 1 'none.ll has no kernel' none.ll --grid 1
expect 1 'many.ll has more than 64 arguments' many.ll --grid 1

printf 'import triton\nimport triton.language as tl\n\n@triton.jit\ndef a(x: "*fp32"):\n    tl.store(x, 1.0)\n\n@triton.jit\ndef b(x: "*fp32"):\n    tl.store(x, 2.0)\n' >two.tk
"${tkc%-run}" two.tk --target gfx942 -o two.hsaco || fail "two.hsaco"
expect 1 'the code object has several kernels; choose one with -n: a, b' two.hsaco --on gfx942 --grid 1
expect 0 'x: fp32[1] 2' two.hsaco --grid 1 -n b -a 'x=zeros(1):fp32' -p x # on the chip named by the file
# Variants are linked from an object each, with metadata each.
"${tkc%-run}" "$top/examples/softmax.tk" --target gfx942 -o variants.hsaco || fail "variants.hsaco"
expect 1 "argument 'x' of 'softmax_BLOCK_1024_warps_4_stages_3' is missing" variants.hsaco --on gfx942 --grid 1 \
    -n softmax_BLOCK_1024_warps_4_stages_3

# The emulator's checks, and the length of its reports.
printf 'import triton\nimport triton.language as tl\n\n@triton.jit\ndef w(x: "*fp32", y: "*fp32", n: "i32"):\n    i = tl.arange(0, 64)\n    tl.store(y + (i * n * n + i), tl.load(x + i))\n    tl.store(y + i + 64, 1.0)\n' >w.tk
counted='-a n=65536'
expect 1 'read of memory that nothing has written: x[0]' w.tk --grid 1 $counted -a 'x=empty(64):fp32' -a 'y=zeros(128):fp32'
expect 0 '0 faults' w.tk --grid 1 $counted -a 'x=empty(64):fp32' -a 'y=zeros(128):fp32' --no-checks
expect 1 ' 2 faults' w.tk --grid 1 $counted -a 'x=empty(64):fp32' -a 'y=zeros(64):fp32'
expect 1 'was stopped after 1 of 1 programs' w.tk --grid 1 $counted -a 'x=empty(64):fp32' -a 'y=zeros(64):fp32' --max-reports 1
expect 0 '0 faults' w.tk --grid 1 $counted -a 'x=zeros(64):fp32' -a 'y=zeros(128):fp32'
expect 1 '32-bit address arithmetic wraps: 65536' w.tk --grid 1 $counted -a 'x=zeros(64):fp32' -a 'y=zeros(128):fp32' --check-address-overflow

# A box wholly outside of its tensor reads the memory at the map's base, which lies ahead of `x` where a number that is loaded cuts the box: no row is
# below m, or no column of the box's second part is below K.
printf '%s\n' 'import triton' 'import triton.language as tl' '@triton.jit' 'def cut(x: "*fp16:16", w: "*fp16:16", y: "*fp32:16", rows: "*i32:16", K: "i32:8"):' \
    '    p, m = tl.program_id(0), tl.load(rows + tl.program_id(0))' '    i, d, sums = tl.arange(0, 64), tl.arange(0, 128), tl.zeros((64, 64), tl.float32)' \
    '    for k in range(0, K, 128):' \
    '        a = tl.load(x + (p * 64 + i)[:, None] * K + (k + d)[None, :], mask=(i < m)[:, None] & (k + d < K)[None, :], other=0.0)' \
    '        b = tl.load(w + i[None, :] * K + (k + d)[:, None], mask=(k + d < K)[:, None], other=0.0)' '        sums = tl.dot(a, b, sums)' \
    '    tl.store(y + (p * 64 + i)[:, None] * 64 + i[None, :], sums)' >cut.tk
cut() { # ROWS K VALUE
    for chip in sm_90 sm_90a sm_100a sm_120a; do
        expect 0 'y: all 8192 elements as expected' cut.tk --on $chip --grid 2 -a "x=ones(128,$2):fp16" -a "w=ones(64,$2):fp16" -a 'y=empty(128,64):fp32' \
            -a "rows=full($1,2):i32" -a "K=$2" --expect "y=full($3,128,64):fp32"
    done
}
cut 0 168 0
cut 64 40 40

# So does it where the caller's number moves the tensor ahead of the array: x holds rows 128 to 255, and the programs begin behind them.
printf '%s\n' 'import triton' 'import triton.language as tl' '@triton.jit' \
    'def moved(x: "*fp16:16", w: "*fp16:16", y: "*fp32:16", first: "*i32:16", far: "i32:16", end: "i32", K: "i32:64"):' \
    '    i, d, sums = tl.arange(0, 64), tl.arange(0, 64), tl.zeros((64, 64), tl.float32)' \
    '    rows = tl.load(first + tl.program_id(0)) + i' '    for k in range(0, K, 64):' \
    '        a = tl.load(x + far + rows[:, None] * K + (k + d)[None, :], mask=(rows < end)[:, None], other=0.0)' \
    '        sums = tl.dot(a, tl.load(w + i[None, :] * K + (k + d)[:, None]), sums)' \
    '    tl.store(y + (tl.program_id(0) * 64 + i)[:, None] * 64 + i[None, :], sums)' >moved.tk
for chip in sm_90a sm_100a sm_120a; do
    expect 0 'y: all 8192 elements as expected' moved.tk --on $chip --grid 2 -a 'x=ones(128,64):fp16' -a 'w=ones(64,64):fp16' -a 'y=empty(128,64):fp32' \
        -a 'first=full(256,2):i32' -a far=-8192 -a end=256 -a K=64 --expect 'y=zeros(128,64):fp32'
done

# A condition may wrap, so it says nothing of numbers as far away as that.
printf '%s\n' 'import triton' 'import triton.language as tl' '@triton.jit' \
    'def wraps(x: "*fp16:16", w: "*fp16:16", y: "*fp32:16", first: "*i32:16", far: "i32:16", end: "i32", K: "i32:64"):' \
    '    i, d, sums = tl.arange(0, 64), tl.arange(0, 64), tl.zeros((64, 64), tl.float32)' '    p = tl.load(first + tl.program_id(0))' \
    '    if p + 2147483647 < end:' '        for k in range(0, K, 64):' \
    '            a = tl.load(x + far + (p + i)[:, None] * K + (k + d)[None, :], mask=(p + i < end)[:, None], other=0.0)' \
    '            sums = tl.dot(a, tl.load(w + i[None, :] * K + (k + d)[:, None]), sums)' \
    '    tl.store(y + (tl.program_id(0) * 64 + i)[:, None] * 64 + i[None, :], sums)' >wraps.tk
expect 0 'y: all 8192 elements as expected' wraps.tk --on sm_90a --grid 2 -a 'x=ones(128,64):fp16' -a 'w=ones(64,64):fp16' -a 'y=empty(128,64):fp32' \
    -a 'first=full(256,2):i32' -a far=-8192 -a end=256 -a K=64 --expect 'y=zeros(128,64):fp32'

finish "tkc-run's files are safe"
