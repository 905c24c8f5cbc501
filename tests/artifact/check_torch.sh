#!/bin/sh
# Operators of PyTorch as tkc writes them: compiled without a warning by the compilers that are here, and run on the recording
# driver with as little of PyTorch as they need (fake_torch.c). tests/host/torch_operators.py runs them in PyTorch.
#   check_torch.sh TKC FOLDER CC CUDA_INCLUDE
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tkc=$1 out=$2 cc=$3 cuda=$4
rm -rf "$out"
mkdir -p "$out"
cd "$out"

fail() {
    echo "failed: $*" >&2
    exit 1
}

cat >operators.tk <<'E2'
import triton
import triton.language as tl


@triton.jit
def scaled(x: "*fp16:16", y: "*fp16:16", counts: "*i32", x_stride: "i32:16", y_stride: "i32", rows: "i32", columns: "i32",
           factor: "fp32", parts: "i32", BLOCK: tl.constexpr = 64):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x + row * x_stride + offsets, mask=offsets < columns)
    tl.store(y + row * y_stride + offsets, (value * factor).to(tl.float16), mask=offsets < columns)
    tl.atomic_add(counts + row, parts)


scaled.grid = lambda meta: (meta["rows"], meta["parts"])
scaled.tensors = "x[rows:x_stride, columns], counts[rows] -> y[rows:y_stride, columns], counts"


@triton.jit
def plain(x: "*fp32", y: "*fp32", n: "i32", flag: "i1", BLOCK: tl.constexpr = 64):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + offsets, tl.load(x + offsets, mask=(offsets < n) & flag), mask=offsets < n)


plain.grid = lambda meta: (triton.cdiv(meta["n"], meta["BLOCK"]),)


@triton.autotune(configs=[triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 128})], key=["n"])
@triton.jit
def pair(x: "*fp32", y: "*fp32", z: "*fp32", n: "i32", BLOCK: tl.constexpr, WIDTH: tl.constexpr = 4):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + offsets, mask=offsets < n)
    tl.store(y + offsets, value, mask=offsets < n)
    tl.store(z + offsets * WIDTH, value, mask=offsets < n)


pair.grid = lambda meta: (triton.cdiv(meta["n"], meta["BLOCK"]),)
pair.tensors = "x[n] -> y[n], z[n, WIDTH]"


@triton.jit
def blocks(x: "*fp32", y: "*fp32", n: "i32", BLOCK: tl.constexpr = 64):
    first = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK // 2)
    for half in range(2):
        offsets = first + half * (BLOCK // 2)
        tl.store(y + offsets, tl.load(x + n - 1 - offsets, mask=offsets < n), mask=offsets < n)


blocks.grid = lambda meta: (triton.cdiv(meta["n"], meta["BLOCK"]),)
blocks.tensors = "x[n] -> y[n]"


class there_and_back:
    pass


there_and_back.chain = "blocks(x, t); blocks(t, y)"
E2
"$tkc" operators.tk --target sm_80,sm_90a --emit torch
[ "$(ls)" = "operators.tk
operators.torch.c" ] || fail "more than the extension is written: $(ls)"
mkdir again
"$tkc" operators.tk --target sm_80,sm_90a --emit torch -j1 -o again/operators.torch.c
cmp again/operators.torch.c operators.torch.c || fail "two runs differ"
"$tkc" operators.tk -o both.ptx -o both.torch.c && [ -s both.ptx ] && [ -s both.h ] && [ -s both.json ] && [ -s both.torch.c ] ||
    fail "an extension beside other outputs"

"$cc" -std=gnu11 -fPIC -shared -isystem "$cuda" "$here/fake_cuda.c" -o libcuda.so.1
warnings="-Wall -Wextra -pedantic -Wconversion -Wsign-conversion -Wshadow -Wstrict-prototypes -Werror -Wno-missing-field-initializers"
for compiler in "$cc" clang; do
    command -v "$compiler" >/dev/null || continue
    # shellcheck disable=SC2086
    "$compiler" -std=c11 $warnings '-DTORCH_SOURCE="operators.torch.c"' -I. -I"$here" -c "$here/run_torch.c" -o run.o
    "$compiler" -std=gnu11 run.o "$here/fake_torch.c" "$here/fake.c" -rdynamic -ldl -lpthread -lm -o run_torch
    rm -f tuned.json
    LD_LIBRARY_PATH=. ./run_torch || fail "operators built by $compiler"
    [ "$(grep -c '"kernel": "pair", "device": "a device"' tuned.json)" = 3 ] || fail "choices: $(cat tuned.json)"
done

refused() { # TEXT, a kernel's last lines
    text=$1
    printf 'import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(%s):\n    tl.store(x, 1.0)\n%s\n' "$2" "$3" >refused.tk
    "$tkc" refused.tk --emit torch 2>errors && fail "accepted: $2"
    grep -q "$text" errors || fail "$(cat errors)"
    [ ! -e refused.torch.c ] || fail "an extension in spite of an error"
}
refused 'an operator needs the launch grid of kernel "k"' 'x: "*fp32"' ''
refused 'kernel "k" is given no tensor' 'x: "*fp32", n: "i32"' 'k.grid = lambda meta: (1,)
k.tensors = " -> x[n]"'
refused 'named in ASCII, and kernel "k" takes "β"' 'x: "*fp32", β: "i32"' 'k.grid = lambda meta: (1,)'
"$tkc" operators.tk --target gfx942 --emit torch 2>errors && fail "AMD's code in an extension"
grep -q 'no output holds code for target gfx942' errors || fail "$(cat errors)"
"$tkc" operators.tk -o both.torch.c -o both.ptx && [ -s both.torch.c ] && [ -s both.ptx ] || fail "an extension beside its image"
"$tkc" operators.tk -o a.torch.c -o b.torch.c 2>errors && fail "two extensions"
grep -q 'output "b.torch.c" is a second extension' errors || fail "$(cat errors)"
"$tkc" operators.tk -o a.torch.c --stop-after layouts 2>errors && fail "an extension of IR"
grep -q 'do not make' errors || fail "$(cat errors)"

"$tkc" operators.tk -o a.torch.c -o a.ptx --external-images 2>errors && fail "an extension without its images"
grep -q 'holds its images' errors || fail "$(cat errors)"
"$tkc" operators.tk -o a.torch.c -MD
grep -q '^a.torch.c:' a.torch.d && ! grep -q ptx a.torch.d || fail "the depfile: $(cat a.torch.d)"

# Kernels called like what the extension makes of another one.
{ printf 'import triton\nimport triton.language as tl\n' && for name in x x_taken x_parameters x_0 call_x; do
    printf '\n\n@triton.jit\ndef %s(y: "*fp32", n: "i32"):\n    tl.store(y, n)\n\n\n%s.grid = lambda meta: (1,)\n%s.tensors = "y[n] -> y"\n' \
        $name $name $name
done; } >names.tk
"$tkc" names.tk --emit torch
# shellcheck disable=SC2086
"$cc" -std=c11 $warnings -fsyntax-only names.torch.c || fail "names of kernels that meet those of operators"
echo "operators do what they should"
