#!/bin/sh
# A launcher header opens with the contract: its first 60 lines have a prototype of every function for its user, the parameters,
# the grid, the constants, the images and the error codes. Definitions, runtime and images follow in this order. With several kernels an
# index comes first.
#   check_contract.sh TKC FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tkc=$1 out=$2
rm -rf "$out"
mkdir -p "$out"
cd "$out"
examples=$here/../../examples

fail() {
    echo "failed: $*" >&2
    exit 1
}

# The user's functions in a header: `static inline` at the start of a line, a name without tkc_, a brace behind the head.
defined() { # HEADER
    awk '/^static inline / { head = $0; while (head !~ /[;{]$/ && (getline line) > 0) head = head line
             if (head ~ /{$/ && match(head, /[A-Za-z_0-9]+\(/)) print substr(head, RSTART, RLENGTH - 1) }' "$1" |
        grep -v '^tkc_' | sort -u
}

# The same of prototypes.
declared() { # TEXT
    awk '/^static inline / { head = $0; while (head !~ /[;{] *(\/\/.*)?$/ && (getline line) > 0) head = head line
             sub(/ *\/\/.*/, "", head)
             if (head ~ /;$/ && match(head, /[A-Za-z_0-9]+\(/)) print substr(head, RSTART, RLENGTH - 1) }' "$1" | sort -u
}

# The number of the first matching line.
line_of() { # HEADER PATTERN
    grep -n -m 1 -e "$2" "$1" | cut -d: -f1 | grep . || fail "$1: no line matches $2"
}

# contract FUNCTIONS SOURCE OPTIONS…: compiles to k.h and compares.
contract() {
    functions=$1 source=$2
    shift 2
    rm -f k.*
    "$tkc" "$source" "$@" 2>log || fail "$source $*: $(cat log)"
    defined k.h >defined.txt
    [ "$(wc -l <defined.txt)" = "$functions" ] || fail "$source $*: not $functions functions but $(cat defined.txt)"
    head -n 60 k.h >opening.h
    declared opening.h >declared.txt
    diff defined.txt declared.txt >differ.txt ||
        fail "$source $*: functions without a prototype in the first 60 lines: $(cat differ.txt)"
    grep -q '^// Images: ' opening.h || fail "$source $*: no images"
    definition=$(line_of k.h '^// ---- Definitions') runtime=$(line_of k.h '^#ifndef TKC_LAUNCHER_COMMON') image=$(line_of k.h '_image_0\[')
    [ "$definition" -gt "$(grep -n -m 1 '_strerror(.*;' k.h | cut -d: -f1)" ] && [ "$runtime" -gt "$definition" ] &&
        [ "$image" -gt "$runtime" ] || fail "$source $*: the order of the sections: $definition $runtime $image"
    ! grep 'TKC_LAUNCHER_GPU' k.h >log || fail "$source $*: guards without their vendor: $(cat log)"
}

says() { # TEXT…: lines of the opening
    for text in "$@"; do
        grep -q -F -e "$text" opening.h || fail "$source: the opening does not say: $text"
    done
}

contract 6 "$examples/vector_add.tk" --target sm_80,sm_90a -o k.ptx
says '//   x_, y_: fp32[n_], read; address a multiple of 16 bytes' '//   z_: fp32[n_], written; address a multiple of 16 bytes' '//   n_: int32_t' \
    '// Grid of programs: ceil(n_ / 1024); blocks of 128 threads' 'vector_add_BLOCK = 1024' '// Images: sm_80 (PTX, assembly that later chips take too), sm_90a (no other chip)' \
    'CUDA_SUCCESS ' 'CUDA_ERROR_INVALID_VALUE ' 'CUDA_ERROR_NO_BINARY_FOR_GPU ' 'CUDA_ERROR_OUT_OF_MEMORY ' '#include <cuda.h>' \
    'static inline CUresult vector_add_launch(CUstream stream, CUdeviceptr x_, CUdeviceptr y_, CUdeviceptr z_, int32_t n_);' \
    '// For example: CUresult result = vector_add_launch(stream, x_, y_, z_, n_);'
contract 6 "$examples/vector_add.tk" --target gfx942 -o k.hsaco
says 'hipErrorInvalidValue ' 'hipErrorNoBinaryForGpu ' '#include <hip/hip_runtime_api.h>' 'vector_add_launch(hipStream_t stream, hipDeviceptr_t x_'
contract 6 "$examples/vector_add.tk" --target sm_80,gfx942 -o k.ptx -o k.hsaco
says 'hipErrorInvalidValue' 'CUDA_ERROR_INVALID_VALUE' '; typedef hipStream_t tkc_gpu_stream; ' '; typedef CUstream tkc_gpu_stream; ' \
    'tkc_gpu_result vector_add_launch(tkc_gpu_stream stream, tkc_gpu_pointer x_'
contract 10 "$examples/matmul.tk" --target sm_90a,gfx942 -o k.ptx -o k.hsaco --runtime dynamic
contract 6 "$examples/vector_add.tk" --target sm_80,gfx942 -o k.ptx -o k.hsaco --runtime dynamic
says '//   209  no image' '100; 303' 'static inline int vector_add_launch(void *stream, uint64_t x_, uint64_t y_, uint64_t z_, int32_t n_);'
contract 6 "$examples/vector_add.tk" --target sm_80 -o k.ptx --runtime cuda-runtime
says '#include <cuda_runtime_api.h>' 'CUDA_ERROR_SHARED_OBJECT_INIT_FAILED' '-lcudart'
contract 11 "$examples/vector_add.tk" --target sm_80 -o k.ptx --triton-abi
says 'static inline CUresult vector_add(CUstream stream, CUdeviceptr x_' 'load_vector_add(void);'
contract 10 "$examples/matmul.tk" --target sm_80,sm_90a -o k.ptx
says '//   a_: fp16[M_, K_], neighbours [stride_am_, stride_ak_] elements apart, read; address a multiple of 16 bytes' \
    '//   N_, K_, stride_am_, stride_bk_, stride_cm_: int32_t, a multiple of 16' \
    '//   stride_ak_, stride_bn_, stride_cn_: int32_t, always 1' \
    '// On sm_90a TMA, the chip'"'"'s copy unit, copies arrays. Multiples of 16: the addresses a_, b_, c_,' \
    'the byte strides 2 * stride_am_, 2 * stride_bk_, 2 * stride_cm_; a byte stride is from 0 to below 2^40' \
    '// 12 variants' 'the least estimated time (tkc_cost' 'enum { matmul_VARIANTS = 12 };' '//   C = A @ B (the product of matrices): fp16 matrices, sums in fp32 (floats of 16 and 32 bits).' \
    '; cards of sm_80: A100,' 'A30; of sm_90a: H100, H200, GH200' 'call it before dlclose' '// Not checked: sizes against strides' 'names the rule that was broken last' 'Refused while the stream is captured'
grep -q '^//   0  BLOCK_M_128_BLOCK_N_128_BLOCK_K_32_warps_4_stages_4: ceil(M_ / 128) \* ceil(N_ / 128); 128 threads (sm_80),' k.h ||
    fail "the list of variants"

# A descriptor's needs become hints of its arguments: the last stride is 1, and the rest are, if tensors are copied, multiples of 16
# bytes. The source's hints stay. JSON, as read by the launchers of PyTorch and JAX, has the same.
cat >implied.tk <<'END'
import triton
import triton.language as tl


@triton.jit
def k(x: "*fp32", y: "*fp32:16", n: "i32", s: "i32:2", one: "i64"):
    from_x = tl.make_tensor_descriptor(x, [n, n], [s, one], [16, 16])
    to_y = tl.make_tensor_descriptor(y, [n, n], [s, 1], [16, 16])
    to_y.store([0, 0], from_x.load([0, 0]))


k.grid = (1,)
END
contract 6 implied.tk --target sm_90a -o k.ptx
says '//   x_, y_: array of fp32; address a multiple of 16 bytes' '//   s_: int32_t, a multiple of 4' '//   one_: int64_t, always 1'
grep -q '{"name": "s", "type": "i32", "divisible_by": 4}' k.json && grep -q '{"name": "one", "type": "i64", "equals": 1}' k.json &&
    grep -q 'if (one_ != 1) {' k.h || fail "$source: hints of descriptors"
contract 6 implied.tk --target sm_80 -o k.ptx
says '//   x_: array of fp32' '//   s_: int32_t, a multiple of 2' '//   one_: int64_t, always 1'
contract 6 "$here/../lang/copies.tk" --kernel gate_and_up --grid 'cdiv(M, 64), cdiv(N, 64)' --target sm_90a -o k.ptx
says 'the addresses a_, b_ + 2 * first_,' '//   b_ + 2 * first_ + 2 * up_, c_ + 12 * N_ - 4 * first_, the byte strides 2 * K_'
contract 6 "$here/../lang/copies.tk" --kernel rows_of_two_sizes --grid 'cdiv(M, 64)' --target sm_90a -o k.ptx
says 'the byte strides 2 * H_ * K_; a byte stride is from 0 to below 2^40; at most 2^31: M_ * H_ - 1'

# Arrays with loads of a loop ahead of its earlier steps' stores: the contract, the reflection and the check name them.
cat >recurrence.tk <<'END'
import triton
import triton.language as tl


@triton.jit
def steps(x: "*fp16:16", w: "*fp16:16", y: "*fp16:16", n: "i32", stride: "i32:16"):
    o = tl.arange(0, 64)[:, None] * stride + tl.arange(0, 64)[None, :]
    b = tl.load(w + o)
    for k in range(n):
        tl.store(y + k * 64 + o, tl.dot(tl.load(x + k * 64 + o), b).to(tl.float16))


steps.grid = (1,)
END
contract 6 recurrence.tk --target sm_80,gfx942 -o k.ptx -o k.hsaco
says '// Apart: x_ from y_.' 'makes a launch refuse arrays that overlap'
[ "$(grep -c '"apart": \[\["x", "y"\]\]' k.json)" = 2 ] || fail "k.json says nothing of arrays apart"
sed 's/tl.store(y/tl.store(x/' recurrence.tk >same.tk
contract 6 same.tk --target sm_80 -o k.ptx
grep -q -i apart k.h k.json && fail "one array is to be apart from itself"

# Numbers with one value if two arrays are one: a residual in place.
contract 6 "$here/../cli/in_place.tk" --target sm_90a -w 8 -o k.ptx
says '// Apart: r_ from c_ unless sr_ == sc_.'
grep -q '"apart": \[\["r", "c", \["sr", "sc"\]\]\]' k.json || fail "k.json does not name the strides"
grep -q '(sr_ != sc_)' k.h || fail "k.h does not compare the strides"

# Several kernels: the index names both before anything else, and each has its contract.
cat >two.tk <<'END'
import triton
import triton.language as tl


@triton.jit
def first(x: "*i32:16", n: "i32"):
    tl.store(x, n)


@triton.jit
def second(x: "*i32", scale: "fp16", m: "i64:8", MODE: tl.constexpr = "fast"):
    tl.store(x, m)


second.grid = lambda meta: (meta["m"] + 1, 1, triton.cdiv(2 * meta["m"], 3))
END
"$tkc" two.tk --target sm_80 -o two.ptx
cat >index.txt <<'END'
// Launcher of the kernels in two.tk.
//
// Kernels (each called k in the rules below):
//   first(x_, n_)
//   second(x_, scale_, m_)
END
head -n 5 two.h | sed 's/ Generated by.*//' | diff index.txt - || fail "the index of two kernels"
grep '^// ---- first' two.h >/dev/null && sed -n '/^\/\/ ---- second/,/^static/p' two.h >opening.h
source=two.tk
says '//   scale_: float, rounded to fp16' '//   m_: int64_t, a multiple of 8' '// Grid of programs: m_ + 1, 1, ceil((2 * m_) / 3); blocks of ' \
    "// Constants: MODE = 'fast'"
says 'second_launch(' && ! grep -q 'first_launch(' two.h || fail "first has no grid, and so no first_launch"

# Hints of one set and not of another.
sed 's/"i64:8"/"i64:8|i64"/' two.tk >sets.tk
"$tkc" sets.tk --kernel second --target sm_80 -o sets.ptx
head -n 60 sets.h >opening.h
source=sets.tk
says '//   m_: int64_t' "// Sets of rules (the source's hints); a launch takes the first that its arguments keep:" '//   0: m_ % 8 == 0' '//   1: nothing'
echo "headers open with the contract"
