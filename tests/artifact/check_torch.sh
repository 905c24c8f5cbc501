#!/bin/sh
# PyTorch extensions as tkc writes them: compiled without a warning by the compilers that are here, and run on the recording
# driver with as little of PyTorch as they need (torch/). Where PyTorch is, its own headers must take them, too.
#   check_torch.sh TKC FOLDER CC CXX CUDA_INCLUDE
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tkc=$1 out=$2 cc=$3 cxx=$4 cuda=$5
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
E2
"$tkc" operators.tk --target sm_80,sm_90a --emit torch
[ "$(ls)" = "operators.cpp
operators.tk" ] || fail "more than the extension is written: $(ls)"
mkdir again
"$tkc" operators.tk --target sm_80,sm_90a --emit torch -j1 -o again/operators.cpp
cmp again/operators.cpp operators.cpp || fail "two runs differ"
"$tkc" operators.tk -o both.ptx -o both.cpp && [ -s both.ptx ] && [ -s both.h ] && [ -s both.json ] && [ -s both.cpp ] ||
    fail "an extension beside other outputs"

"$cc" -std=gnu11 -isystem "$cuda" -c "$here/fake.c" -o fake.o
"$cc" -std=gnu11 -isystem "$cuda" -c "$here/fake_cuda.c" -o fake_cuda.o
for compiler in "$cxx" clang++; do
    command -v "$compiler" >/dev/null || continue
    "$compiler" -x c++ -std=c++17 -Wall -Wextra -pedantic -Wconversion -Wsign-conversion -Wshadow -Werror \
        -Wno-missing-field-initializers -DTORCH_SOURCE='"operators.cpp"' -I. -I"$here" -isystem "$here/torch" -isystem "$cuda" \
        -c "$here/run_torch.inc" -o run.o
    "$compiler" run.o fake.o fake_cuda.o -lpthread -o run_torch
    ./run_torch || fail "operators built by $compiler"
done

refused() { # TEXT, a kernel's last lines
    text=$1
    printf 'import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(%s):\n    tl.store(x, 1.0)\n%s\n' "$2" "$3" >refused.tk
    "$tkc" refused.tk --emit torch 2>errors && fail "accepted: $2"
    grep -q "$text" errors || fail "$(cat errors)"
    [ ! -e refused.cpp ] || fail "an extension in spite of an error"
}
refused 'an operator needs the launch grid of kernel "k"' 'x: "*fp32"' ''
refused 'kernel "k" is given no tensor' 'x: "*fp32", n: "i32"' 'k.grid = lambda meta: (1,)
k.tensors = " -> x[n]"'
refused 'named in ASCII, and kernel "k" takes "β"' 'x: "*fp32", β: "i32"' 'k.grid = lambda meta: (1,)'
"$tkc" operators.tk --target gfx942 --emit torch 2>errors && fail "AMD's code in an extension"
grep -q 'no output holds code for target gfx942' errors || fail "$(cat errors)"
"$tkc" operators.tk -o both.cpp -o both.ptx && [ -s both.cpp ] && [ -s both.ptx ] || fail "an extension beside its image"
"$tkc" operators.tk -o a.cpp -o b.cpp 2>errors && fail "two extensions"
grep -q 'output "b.cpp" is a second extension' errors || fail "$(cat errors)"
"$tkc" operators.tk -o a.cpp --stop-after layouts 2>errors && fail "an extension of IR"
grep -q 'do not make' errors || fail "$(cat errors)"

"$tkc" operators.tk -o a.cpp -o a.ptx --external-images 2>errors && fail "an extension without its images"
grep -q 'holds its images' errors || fail "$(cat errors)"
"$tkc" operators.tk -o a.cpp -MD && grep -q '^a.cpp:' a.d && ! grep -q ptx a.d || fail "the depfile of an extension: $(cat a.d)"

# Kernels called like what the extension makes of another one.
{ printf 'import triton\nimport triton.language as tl\n' && for name in x x_shapes x_parameters x_0 shapes_x call_x; do
    printf '\n\n@triton.jit\ndef %s(y: "*fp32", n: "i32"):\n    tl.store(y, n)\n\n\n%s.grid = lambda meta: (1,)\n%s.tensors = "y[n] -> y"\n' \
        $name $name $name
done; } >names.tk
"$tkc" names.tk --emit torch
"$cxx" -x c++ -std=c++17 -Wall -Wextra -Werror -Wno-missing-field-initializers -I"$here" -isystem "$here/torch" -isystem "$cuda" \
    -fsyntax-only names.cpp || fail "names of kernels that meet those of operators"

if python3 -c 'import torch' 2>/dev/null; then
    torch=$(python3 -c 'import os, torch; print(os.path.dirname(torch.__file__))')
    "$cxx" -std=c++17 -fsyntax-only -Wall -Wextra -Werror -isystem "$torch/include" \
        -isystem "$torch/include/torch/csrc/api/include" -isystem "$cuda" operators.cpp || fail "PyTorch's own headers"
fi
echo "extensions do what they should"
