#!/bin/sh
# Launchers in whole programs, on the recording driver: 1,500 kernels in one file, names that are taken, two headers of one
# name, a shared library.
#   check_programs.sh TKC FOLDER CC CXX CUDA_INCLUDE
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tkc=$1 out=$2 cc=$3 cxx=$4 cuda=$5
rm -rf "$out"
mkdir -p "$out"
cd "$out"
flags="-std=gnu11 -Wall -Wextra -Werror -I$here -isystem $cuda"
"$cc" $flags -fPIC -c "$here/fake.c" -o fake.o
"$cc" $flags -fPIC -c "$here/fake_cuda.c" -o fake_cuda.o
head="import triton\nimport triton.language as tl\n"

fail() {
    echo "failed: $*" >&2
    exit 1
}

# kernel NAME GRID: a kernel that is launched with the grid (GRID,) and stores to what its name says.
kernel() {
    printf '\n\n@triton.jit\ndef %s(x: "*i32", n: "i32"):\n    tl.store(x, n)\n\n\n%s.grid = lambda meta: (%s,)\n' "$1" "$1" "$2"
}

# Many kernels: the header is as large as the code, and compilers read it in a second.
{ printf "$head" && for i in $(seq 0 1499); do
    printf '\n\n@triton.jit\ndef k%d(x: "*i32", n: "i32"):\n    tl.store(x, n + %d)\n\n\nk%d.grid = lambda meta: (meta["n"] + %d,)\n' \
        "$i" "$i" "$i" "$i"
done; } >many.tk
"$tkc" many.tk --target sm_80 -o many.ptx
[ "$(grep -c '^.visible .entry k' many.ptx)" = 1500 ] || fail "many.ptx has $(grep -c '^.visible .entry k' many.ptx) kernels"
cat >many.c <<'E2'
#include "many.h"

#include "fake.h"

static int launches(const char *name, CUresult result, unsigned grid) {
    return result == CUDA_SUCCESS && strcmp(fake.kernel, name) == 0 && fake.grid[0] == grid;
}

static void look_at_nothing(void **arguments) {
    (void)arguments;
}

int main(void) {
    fake.context_id = 7;
    fake.major = 9;
    fake.seen = look_at_nothing;
    return !(launches("k0", k0_launch(NULL, 0x1000, 5), 5) && launches("k749", k749_launch(NULL, 0x1000, 5), 754) &&
             launches("k1499", k1499_launch(NULL, 0x1000, 5), 1504) && fake.loads == 1);
}
E2
(ulimit -t 3 && "$cc" $flags -c many.c) || fail "a header of 1,500 kernels takes the compiler more than 3 s"
"$cc" many.o fake.o fake_cuda.o -o many
./many || fail "one of many kernels is launched in a wrong way"

# Packed images: the driver gets the bytes of the plain ones, and a program is smaller.
sed -n '1,/def k60/p' many.tk | head -n -4 >few.tk
mkdir packed
"$tkc" few.tk --target sm_80 -o few.ptx
"$tkc" few.tk --target sm_80 -o packed/few.ptx --compress-images
cat >packed.c <<'E2'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "packed/few.h"

#include "fake.h"

static char plain[1 << 22];

static int is_plain(const char *image) {
    return strcmp(image, plain) == 0;
}

static void look_at_nothing(void **arguments) {
    (void)arguments;
}

static int damaged(unsigned seed) {
    static unsigned char from[4096], to[4096];
    unsigned i;
    for (i = 0; i < sizeof from; i++) {
        seed = seed * 1664525u + 1013904223u;
        from[i] = (unsigned char)(seed >> (seed >> 30 ? 24 : 29));
    }
    return tkc_unpack(from, seed % sizeof from, to, sizeof to);
}

int main(void) {
    FILE *file = fopen("few.ptx", "rb");
    unsigned i, taken = 0;
    fake.context_id = 7;
    fake.major = 9;
    fake.seen = look_at_nothing;
    fake.accepts = is_plain;
    if (!file || !fread(plain, 1, sizeof plain - 1, file) || k5_launch(NULL, 0x1000, 5) != CUDA_SUCCESS || fake.loads != 1)
        return 1;
    for (i = 0; i < 20000; i++)
        taken += (unsigned)damaged(i); /* reads and writes nothing beyond its arrays: -fsanitize */
    return taken ? 2 : 0;
}
E2
sanitize="-fsanitize=address,undefined -fno-sanitize-recover=all"
echo 'int main(void) { return 0; }' >empty.c
"$cc" $sanitize empty.c -o empty 2>/dev/null && ./empty || sanitize=
"$cc" $flags $sanitize packed.c fake.o fake_cuda.o -o packed_run
./packed_run || fail "packed images: status $?"
sed 's|packed/few|few|' packed.c >plain.c
"$cc" $flags -c packed.c -o packed.o
"$cc" $flags -c plain.c -o plain.o
[ $(($(wc -c <packed.o) + $(wc -c <few.ptx) * 3 / 4)) -lt "$(wc -c <plain.o)" ] || fail "packed $(wc -c <packed.o) B, plain $(wc -c <plain.o)"

# Names of C, C++, their headers and the driver's are parameters; constants named like functions of the launcher have no macro.
{ printf "$head" && printf '\n\n@triton.jit\ndef k(int: "*i32:16", int_: "i32"' &&
    for name in grid_x grid_x_ size_t int32_t RAND_MAX I co_await stream tkc_grid; do printf ', %s: "i32"' $name; done
    printf ', NAN: "fp32", CUDA_ERROR_INVALID_VALUE: "i32:16"' &&
    for name in launch grid load NUM_WARPS; do printf ', %s: tl.constexpr = 7' $name; done
    printf '):\n    tl.store(int, grid_x + grid)\n\n\nk.grid = lambda meta: (meta["grid_x_"], meta["RAND_MAX"], meta["int_"])\n'; } >names.tk
"$tkc" names.tk --target sm_80 -o names.ptx
cat >names.c <<'E2'
#include "headers/everything.h"
#include "names.h"
#include "fake.h"

static void look_at_nothing(void **arguments) {
    (void)arguments;
}

int main(void) {
    fake.context_id = 7;
    fake.major = 9;
    fake.seen = look_at_nothing;
    if (k_launch(NULL, 0x1000, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1.5f, 24) != CUDA_ERROR_INVALID_VALUE || fake.launches)
        return 1;
    if (k_launch(NULL, 0x1000, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1.5f, 32) != CUDA_SUCCESS)
        return 1;
    return !(fake.grid[0] == 3 && fake.grid[1] == 6 && fake.grid[2] == 1 && k_NUM_WARPS == 4);
}
E2
"$cc" $flags -I"$here/../fuzz" names.c fake.o fake_cuda.o -o names
./names || fail "hostile names are launched in a wrong way"
"$cxx" -x c++ -std=c++20 -Wall -Wextra -Werror -I"$here" -I"$here/../fuzz" -isystem "$cuda" names.c -x none fake.o fake_cuda.o -o names
./names || fail "hostile names are launched in a wrong way from C++"
refused() { # TEXT KERNEL…
    text=$1
    shift
    { printf "$head" && for name in "$@"; do kernel "$name" 1; done; } >refused.tk
    "$tkc" refused.tk --target sm_80 -o refused.ptx 2>errors && fail "$* are not refused"
    grep -q "$text" errors || fail "$*: $(cat errors)"
    "$tkc" refused.tk --target sm_80 -o refused.ptx --no-header || fail "$* are refused without a header"
}
refused 'the launchers of kernels "k" and "k_launch" would both define k_launch_grid; rename one' k k_launch
refused 'the launcher of kernel "tkc" would define tkc_load, a name that is taken' tkc

# --triton-abi takes the kernel's own name.
for name in register isnan sin sinf64x index I CUkernel hipLaunchKernel cuLaunchKernel __x _X make_float4 co_await; do
    { printf "$head" && kernel $name 1; } >refused.tk
    "$tkc" refused.tk --target sm_80 -o refused.ptx || fail "a kernel named $name"
    "$tkc" refused.tk --target sm_80 -o refused.ptx --triton-abi 2>errors && fail "a function named $name"
    grep -q "would define a function \"$name\", a name that C, C++ or their headers may take; rename the kernel" errors ||
        fail "$(cat errors)"
done
for name in _fwd softmax sinful curly hips Cube sub f32 matmul_t; do
    { printf "$head" && kernel $name 1; } >free.tk
    "$tkc" free.tk --target sm_80 -o free.ptx --triton-abi || fail "a function named $name is refused"
    printf '#include "headers/everything.h"\n#include "free.h"\n' >free.c
    "$cc" $flags -I"$here/../fuzz" -fsyntax-only free.c || fail "a function named $name meets another"
done

# Constants whose macros would change parameters, types, members or functions, in this header or in those behind it, have none.
constants() { # KERNEL PARAMETER CONSTANT…
    printf '\n\n@triton.jit\ndef %s(to: "*i32", %s: "i32"' "$1" "$2"
    printf ', BLOCK: tl.constexpr = 64'
    kernel=$1 parameter=$2
    shift 2
    for name in "$@"; do printf ', %s: tl.constexpr = 7' "$name"; done
    printf '):\n    tl.store(to, %s + BLOCK)\n\n\n%s.grid = lambda meta: (meta["%s"],)\n' "$parameter" "$kernel" "$parameter"
}
{ printf "$head" && constants k k_B B_ && constants u _x __x0 && constants size n t && constants INT64 n C && constants grid n x y z &&
    constants image n count && constants kernel n count index && constants copy m n && constants quiet n NaN; } >macros.tk
"$tkc" macros.tk --target sm_80 -o macros.ptx
cat >macros.c <<'E2'
#include "macros.h"
#include "headers/everything.h"
#ifdef __cplusplus
#include <algorithm>
#include <limits>
#endif
#include "fake.h"

static void look_at_nothing(void **arguments) {
    (void)arguments;
}

int main(void) {
    fake.context_id = 7;
    fake.major = 9;
    fake.seen = look_at_nothing;
#ifdef __cplusplus
    char from[3] = "ab", to[3] = "";
    std::copy_n(from, sizeof from, to);
    if (to[1] != 'b' || !std::numeric_limits<float>::has_quiet_NaN)
        return 1;
#endif
    if (k_launch(NULL, 0x1000, 3) || fake.grid[0] != 3 || u_launch(NULL, 0x1000, 5) || fake.grid[0] != 5)
        return 1;
    if (image_launch_grid(NULL, 2, 3, 4, 0x1000, 5) || fake.grid[0] != 2 || fake.grid[1] != 3)
        return 1;
    return sizeof(size_t) != sizeof(void *) || INT64_C(9) != 9 || k_BLOCK != 64 || size_BLOCK != 64 || u_NUM_STAGES != 3;
}
E2
"$cc" $flags -I"$here/../fuzz" macros.c fake.o fake_cuda.o -o macros
./macros || fail "a macro gets in the way of a name"
"$cxx" -x c++ -std=c++20 -Wall -Wextra -Werror -I"$here" -I"$here/../fuzz" -isystem "$cuda" macros.c -x none fake.o fake_cuda.o -o macros
./macros || fail "a macro gets in the way of a name of C++"

# Constants as macros, to the ends of what C's integers hold and beyond.
{ printf "$head" && printf '@triton.jit\ndef k(x: "*fp32", A: tl.constexpr = -2**63, B: tl.constexpr = 2**63, C: tl.constexpr = 2**64 - 1, '
    printf 'D: tl.constexpr = 2**64, E: tl.constexpr = -2**63 - 1, F: tl.constexpr = -1):\n    tl.store(x, 1.0)\n'; } >wide.tk
"$tkc" wide.tk --target sm_80 -o wide.ptx
cat >wide.c <<'E2'
#include "wide.h"

_Static_assert(k_A == INT64_MIN && k_B == UINT64_C(1) << 63 && k_C == UINT64_MAX && 2 * k_F == -2, "values");
#if defined k_D || defined k_E
#error "wider than any integer"
#endif
E2
"$cc" $flags -pedantic -fsyntax-only wide.c || fail "constants of 64 bits"

# Two headers of one name whose kernels differ in the grid alone: never one in the place of the other without a word.
mkdir one two copy
{ printf "$head" && kernel k 'meta["n"]'; } >one/k.tk
{ printf "$head" && kernel k '2 * meta["n"]'; } >two/k.tk
for folder in one two; do
    (cd $folder && "$tkc" k.tk --target sm_80 -o k.ptx)
done
cmp one/k.ptx two/k.ptx
cp one/k.h copy
printf '#include "one/k.h"\n#include "copy/k.h"\n#include "two/k.h"\n' >both.c
"$cc" $flags -c both.c 2>errors && fail "one of two headers is dropped without a word"
grep -q 'redefinition of .k_grid' errors || fail "two headers in one file: $(cat errors)"
sed -i 3d both.c
"$cc" $flags -c both.c || fail "a header and its copy do not go together"
for folder in one two; do
    printf '#include "%s/k.h"\nCUresult %s(void);\nCUresult %s(void) {\n    return k_launch(NULL, 0x1000, 5);\n}\n' \
        $folder $folder $folder >in_$folder.c
    "$cc" $flags -c in_$folder.c
done
cat >grids.c <<'E2'
#include <cuda.h>

#include "fake.h"

CUresult one(void), two(void);
static void look_at_nothing(void **arguments) {
    (void)arguments;
}

int main(void) {
    fake.context_id = 7;
    fake.major = 9;
    fake.seen = look_at_nothing;
    if (one() != CUDA_SUCCESS || fake.grid[0] != 5 || two() != CUDA_SUCCESS || fake.grid[0] != 10)
        return 1;
    return fake.loads != 1; /* it is the same image */
}
E2
"$cc" $flags grids.c in_one.o in_two.o fake.o fake_cuda.o -o grids
./grids || fail "two headers of one name get in each other's way"

# Two headers whose choices alone differ: they share images, and neither takes the other's picks.
for choice in 0 1; do
    mkdir choice$choice
    { printf "$head" && printf '@triton.autotune(configs=[triton.Config({"B": 64}), triton.Config({"B": 128})], key=["n"])\n'
        printf '@triton.jit\ndef k(x: "*i32", n: "i32", B: tl.constexpr):\n    tl.store(x + tl.arange(0, B), n)\n\n\n'
        printf 'k.grid = lambda meta: (meta["n"],)\n'; } >choice$choice/k.tk
    line='{"kernel": "k", "device": "fake", "key": {"n": %d}, "config": "B_%d_warps_4_stages_3", "microseconds": 1}'
    printf "{\"tkc_tuned\": 1, \"choices\": [\n$line,\n$line\n]}\n" $((choice ? 5 : 99)) 128 $((choice ? 99 : 5)) 64 >choice$choice/tuned.json
    (cd choice$choice && "$tkc" k.tk --target sm_80 --tuned tuned.json -o k.ptx)
    printf '#include "choice%d/k.h"\nunsigned pick%d(void);\nunsigned pick%d(void) {\n    unsigned variant = 9;\n    (void)k_launch(NULL, 0x1000, 5);\n    (void)k_pick(&variant, 0x1000, 5);\n    return variant;\n}\n' \
        $choice $choice $choice >pick$choice.c
    "$cc" $flags -c pick$choice.c
done
cmp choice0/k.ptx choice1/k.ptx
cat >picks.c <<'E2'
#include "fake.h"

unsigned pick0(void), pick1(void);
static void look_at_nothing(void **arguments) {
    (void)arguments;
}

int main(void) {
    fake.context_id = 7;
    fake.major = 9;
    fake.multiprocessors = 132;
    fake.seen = look_at_nothing;
    return pick0() != 0 || pick1() != 1 || pick0() != 0 || fake.loads != 2;
}
E2
"$cc" $flags picks.c pick0.o pick1.o fake.o fake_cuda.o -o picks
./picks || fail "two headers that differ in their choices take each other's picks"

# The cost rule for attention and its gradients on a chip like an H200, where all configurations were timed: not the small tiles.
for heads in 64 128; do
    for source in attention attention_backward; do
        "$tkc" "$here/../../examples/$source.tk" --target sm_90a -D HEAD_DIM=$heads --all-configs -o ${source}_$heads.ptx 2>rule.log || {
            cat rule.log
            fail "$source.tk for the cost rule"
        }
    done
    cat >rule.c <<E2
#include <stdio.h>

#include "attention_$heads.h"
#include "attention_backward_$heads.h"
#include "fake.h"

int main(void) {
    unsigned forward = 0, keys = 0, queries = 0;
    int64_t length = 4096, head = length * $heads;
    fake.context_id = 7;
    fake.major = 9;
    fake.multiprocessors = 132;
    if (attention_pick(&forward, 4096, 4096, 4096, 4096, 0.1f, 8, 16, 4096, 16 * head, head, $heads) ||
        attention_backward_keys_pick(&keys, 4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096, 0.1f, 8, 16, 4096, 4096, 16 * head,
                                     head, $heads) ||
        attention_backward_queries_pick(&queries, 4096, 4096, 4096, 4096, 4096, 4096, 4096, 0.1f, 8, 16, 4096, 4096, 16 * head,
                                        head, $heads)) {
        return 1;
    }
    printf("%s %s %s\n", attention_variant_name(forward), attention_backward_keys_variant_name(keys),
           attention_backward_queries_variant_name(queries));
    return 0;
}
E2
    "$cc" $flags rule.c fake.o fake_cuda.o -o rule
    ./rule >>rule.txt
done
printf '%s BLOCK_M_128_BLOCK_N_128_warps_8_stages_3\n' \
    'BLOCK_M_256_BLOCK_N_64_warps_16_stages_4 BLOCK_M_64_BLOCK_N_128_warps_8_stages_4' \
    'BLOCK_M_128_BLOCK_N_128_warps_8_stages_2 BLOCK_M_64_BLOCK_N_128_warps_8_stages_3' | diff - rule.txt ||
    fail "what the cost rule picks for attention"

# A product with work behind it: a tile whose results are computed beside the next one's products wins against one of as many elements, whose
# matrix units wait.
cat >behind.tk <<'E2'
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BM": 256, "BN": 128}, num_warps=8, num_stages=4), triton.Config({"BM": 128, "BN": 256}, num_warps=8, num_stages=4)],
                 key=["M", "N", "K"])
@triton.jit
def behind(a: "*fp16:16", b: "*fp16:16", c: "*fp16:16", M: "i32", N: "i32:16", K: "i32:16", BM: tl.constexpr, BN: tl.constexpr):
    tiles, d = tl.cdiv(N, BN), tl.arange(0, 64)
    i, j = tl.program_id(0) // tiles * BM + tl.arange(0, BM)[:, None], tl.program_id(0) % tiles * BN + tl.arange(0, BN)[None, :]
    sums = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, 64):
        left = tl.load(a + i * K + k + d[None, :], mask=i < M, other=0.0)
        sums = tl.dot(left, tl.load(b + (k + d[:, None]) * N + j, mask=j < N, other=0.0), sums)
    tl.store(c + i * N + j, tl.sigmoid(sums.to(tl.float16).to(tl.float32)).to(tl.float16), mask=(i < M) & (j < N))


behind.grid = lambda meta: (triton.cdiv(meta["M"], meta["BM"]) * triton.cdiv(meta["N"], meta["BN"]),)
E2
"$tkc" behind.tk --target sm_90a -o behind.ptx
cat >behind.c <<'E2'
#include <stdio.h>

#include "behind.h"
#include "fake.h"

int main(void) {
    unsigned variant = 9;
    fake.context_id = 7;
    fake.major = 9;
    fake.multiprocessors = 132;
    return behind_pick(&variant, 4096, 8192, 12288, 4096, 14336, 4096) || variant != 1;
}
E2
"$cc" $flags behind.c fake.o fake_cuda.o -o behind
./behind || fail "what the cost rule picks for a product with work behind it"

# Softmax: a row that fits one block takes the branch for that, in the smallest block with room for it. Beyond the largest block, the number of rows
# decides; it is not in the key, and the first launch does not decide for later ones.
"$tkc" "$here/../../examples/softmax.tk" --target sm_90a -o softmax.ptx
cat >widths.c <<'E2'
#include <stdio.h>

#include "softmax.h"
#include "fake.h"

int main(void) {
    static const int rows[] = {4096, 1, 4096, 4096, 4096, 1, 4096, 1};
    static const int widths[] = {64, 1024, 1025, 4096, 8192, 16384, 16384, 16384};
    fake.context_id = 7;
    fake.major = 9;
    fake.multiprocessors = 132;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned variant = 9;
        if (softmax_pick(&variant, 4096, 8192, widths[i], widths[i], rows[i], widths[i])) {
            return 1;
        }
        printf("%u", variant);
    }
    return 0;
}
E2
"$cc" $flags widths.c fake.o fake_cuda.o -o widths
[ "$(./widths)" = 22110010 ] || fail "what the cost rule picks for softmax: $(./widths)"

# Arrays that have to stay apart: checked by their ranges where the source says them, else by their addresses, and only if asked to.
{ printf "$head" && printf '\n\n@triton.jit\ndef steps(x: "*fp16:16", w: "*fp16:16", y: "*fp16:16", n: "i32", s: "i32:16"):\n' &&
    printf '    o = tl.arange(0, 64)[:, None] * 64 + tl.arange(0, 64)[None, :]\n    b = tl.load(w + o)\n    for k in range(n):\n' &&
    printf '        tl.store(y + k * s + o, tl.dot(tl.load(x + k * s + o), b).to(tl.float16))\n\n\nsteps.grid = (1,)\n'; } >bare.tk
{ cat bare.tk && printf 'steps.tensors = "x[n:s, 64:64, 64], w[64, 64] -> y[n:s, 64:64, 64]"\n'; } >ranges.tk
"$tkc" bare.tk --target sm_80 -o bare.ptx
"$tkc" ranges.tk --target sm_80 -o ranges.ptx
cat >apart.c <<'E2'
#include HEADER

#include "fake.h"

static void look_at_nothing(void **arguments) {
    (void)arguments;
}

/* Five steps are 40,960 bytes; none are nothing, at whatever address. */
int main(void) {
    fake.context_id = 7;
    fake.major = 9;
    fake.seen = look_at_nothing;
    return (steps_launch(NULL, 0x100000, 0x1000, 0x100000, 5, 4096) != CUDA_SUCCESS) +
           2 * (steps_launch(NULL, 0x100000, 0x1000, 0x109ff0, 5, 4096) != CUDA_SUCCESS) +
           4 * (steps_launch(NULL, 0x109ff0, 0x1000, 0x100000, 5, 4096) != CUDA_SUCCESS) +
           8 * (steps_launch(NULL, 0x100000, 0x1000, 0x10a000, 5, 4096) != CUDA_SUCCESS) +
           16 * (steps_launch(NULL, 0x10a000, 0x1000, 0x100000, 5, 4096) != CUDA_SUCCESS) +
           32 * (steps_launch(NULL, 0x100000, 0x1000, 0, 0, 8192) != CUDA_SUCCESS);
}
E2
for case in bare.h:0: bare.h:1:-DTKC_CHECK_APART ranges.h:0: ranges.h:7:-DTKC_CHECK_APART; do
    file=${case%%:*} rest=${case#*:}
    for compiler in "$cc" "$cxx -x c++ -std=c++17"; do
        $compiler ${flags#-std=gnu11} ${rest#*:} -DHEADER="\"$file\"" -c apart.c -o apart.o
        "$cc" apart.o fake.o fake_cuda.o -o apart
        status=0
        ./apart || status=$?
        [ $status = ${rest%%:*} ] || fail "$case: arrays apart: $status"
    done
done

# A library that holds a launcher: the header says to unload before dlclose, and then nothing stays loaded.
grep -q 'k_unload(void); // Unloads from the current context; call it before dlclose' one/k.h || fail "nothing is said of dlclose"
printf '#include "one/k.h"\nint run(void);\nint stop(void);\nint run(void) {\n    return k_launch(NULL, 0x1000, 5);\n}\nint stop(void) {\n    return k_unload();\n}\n' >library.c
"$cc" $flags -shared -fPIC library.c -o library.so
cat >loads.c <<'E2'
#include <dlfcn.h>

#include "fake.h"

int main(void) {
    fake.context_id = 7;
    fake.major = 9;
    for (int i = 1; i <= 3; i++) {
        void *library = dlopen("./library.so", RTLD_NOW | RTLD_LOCAL);
        int (*run)(void) = library ? (int (*)(void))dlsym(library, "run") : NULL;
        int (*stop)(void) = library ? (int (*)(void))dlsym(library, "stop") : NULL;
        if (!run || !stop || run() || run() || fake.loads != i || stop() || fake.unloads != i || dlclose(library))
            return i;
    }
    return 0;
}
E2
"$cc" $flags -rdynamic loads.c fake.o fake_cuda.o -ldl -o loads
./loads || fail "a library leaves its module loaded: status $?"
echo "programs launch what they should"
