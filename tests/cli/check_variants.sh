#!/bin/sh
# Kernels with several configurations: the compiled ones, their names, and those left out.
#   check_variants.sh TKC SOURCE_DIR FOLDER
set -u
tkc=$1 top=$2 out=$3
. "$top/tests/cli/expect.sh"
fresh

cat >tuned.py <<'END_OF_SOURCE'
import triton
import triton.language as tl


@triton.autotune(configs=[
    triton.Config({"BLOCK": 64}, num_warps=2),
    triton.Config({"BLOCK": 128}),
    triton.Config({"BLOCK": 128, "SHIFT": -1}, num_warps=4, num_stages=1),
    triton.Config({"BLOCK": 128}, num_ctas=2),
    triton.Config({"BLOCK": 128}),
], key=["n"])
@triton.jit
def tuned(x: "*fp32", n: "i32", BLOCK: tl.constexpr, SHIFT: tl.constexpr = 0):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + o, 1.0 + SHIFT, mask=o < n)


tuned.grid = lambda meta: (triton.cdiv(meta["n"], meta["BLOCK"]),)


@triton.jit
def plain(x: "*fp32"):
    tl.store(x, 1.0)


plain.grid = lambda meta: (1,)
END_OF_SOURCE

names() { grep -o '^.visible .entry [A-Za-z_0-9]*' "$1" | sed 's/.* //' | tr '\n' ' '; }

# All that differ, those left out named; kernels without configurations beside them.
expect 0 'tuned: configuration 3 (BLOCK=128, num_warps=4, num_stages=3, num_ctas=2) is left out on sm_80: num_ctas is 2' \
    tuned.py --target sm_80,sm_90 -o t.ptx
[ "$(names t.sm_80.ptx)" = "tuned_BLOCK_64_warps_2_stages_3 tuned_BLOCK_128_warps_4_stages_3 \
tuned_BLOCK_128_SHIFT_m1_warps_4_stages_1 plain " ] || fail "on sm_80: $(names t.sm_80.ptx)"
[ "$(names t.sm_90.ptx)" = "tuned_BLOCK_64_warps_2_stages_3 tuned_BLOCK_128_warps_4_stages_3 \
tuned_BLOCK_128_SHIFT_m1_warps_4_stages_1 tuned_BLOCK_128_warps_4_stages_3_ctas_2 plain " ] || fail "on sm_90: $(names t.sm_90.ptx)"
grep -q 'tuned_VARIANTS = 4' t.h && grep -q 'plain_launch(' t.h || fail "the header's kernels"
[ "$(grep -c '"target": "sm_80"' t.json)" = 4 ] && [ "$(grep -c '"target": "sm_90"' t.json)" = 5 ] || fail "entries in the JSON"
grep -q '"key": \["n"\]' t.json || fail "the key in the JSON"
"$tkc" tuned.py --target sm_90 -o t.ptx 2>log && ! [ -s log ] || fail "notes where nothing is left out: $(cat log)"

# Types stand in names and in the JSON as in signatures, and in text of the kernel's as Triton's str() and repr() have them.
cat >types.py <<'END_OF_SOURCE'
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"T": tl.int32}), triton.Config({"T": tl.uint8}), triton.Config({"T": tl.float16})], key=[])
@triton.jit
def types(x: "*fp32", T: tl.constexpr, U: tl.constexpr = (tl.int32, tl.bfloat16)):
    tl.static_print("of", f"{T}", U)
    tl.store(x, tl.load(x).to(T))


types.grid = lambda meta: (1,)
END_OF_SOURCE
expect 0 'note: of uint8 (triton.language.int32, triton.language.bfloat16)' types.py --target sm_90 -o types.ptx
[ "$(names types.ptx)" = "types_T_i32_warps_4_stages_3 types_T_u8_warps_4_stages_3 types_T_fp16_warps_4_stages_3 " ] ||
    fail "types in names: $(names types.ptx)"
grep -q '"constants": {"T": "u8", "U": "(i32, bf16)"}' types.json || fail "types in the JSON: $(grep constants types.json)"

# A configuration with too many values for the registers, beside one with fewer.
cat >long.py <<'END_OF_SOURCE'
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 8192}, num_warps=1), triton.Config({"BLOCK": 64}, num_warps=1)], key=["n"])
@triton.jit
def long(x: "*fp32", n: "i32", BLOCK: tl.constexpr, num_warps: tl.constexpr):
    o = tl.arange(0, BLOCK)
    row = tl.load(x + o, mask=o < n, other=0.0)
    tl.store(x + o, row - tl.max(row, 0), mask=o < n)


long.grid = lambda meta: (1,)
END_OF_SOURCE
expect 0 'is left out on gfx1100: its values do not fit in the 256 registers' \
    long.py --target gfx1100 -o long.hsaco
[ "$(grep -c '"target": "gfx1100"' long.json)" = 1 ] || fail "a variant that spills"

# A configuration with products: every attempt of LLVM spills, and there are no more warps.
cat >wide.py <<'END_OF_SOURCE'
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"N": 64}, num_warps=16), triton.Config({"N": 256}, num_warps=16)], key=[])
@triton.jit
def wide(x: "*fp16:16", y: "*fp16:16", z: "*fp32:16", N: tl.constexpr):
    m = tl.arange(0, 256)
    n = tl.arange(0, N)
    k = tl.arange(0, 16)
    total = tl.dot(tl.load(x + m[:, None] * 16 + k[None, :]), tl.load(y + k[:, None] * N + n[None, :]))
    total = tl.cumsum(total, 1) * total
    tl.store(z + m[:, None] * N + n[None, :], total * tl.sum(total, 1)[:, None])


wide.grid = lambda meta: (1,)
END_OF_SOURCE
expect 0 'configuration 1 (N=256, num_warps=16, num_stages=3) is left out on gfx942: its values do' \
    wide.py --target gfx942 -o wide.hsaco

# On NVIDIA sums of products beyond the registers are known before ptxas runs; those of smaller heads, in the same tiles, do.
expect 0 'configuration 4 (BLOCK_M=256, BLOCK_N=64, num_warps=16, num_stages=4) is left out on sm_90a' \
    "$top/examples/attention.tk" --target sm_90a -o heads.ptx
[ "$(grep -c '"target": "sm_90a"' heads.json)" = 4 ] || fail "a variant whose sums do not fit"
expect 0 'the sums of a loop'"'"'s products need 96 registers of a thread and other values 24 more, but it has 112' \
    "$top/examples/attention.tk" --target sm_90a --config 4 -o heads.ptx
expect 0 '' "$top/examples/attention.tk" --target sm_90a -D HEAD_DIM=64 --all-configs -o heads.ptx
[ "$(grep -c '"target": "sm_90a"' heads.json)" = 5 ] || fail "a variant whose sums fit"

# The configurations left by prune_configs_by, if it needs no facts of a launch.
cat >pruned.py <<'END_OF_SOURCE'
import triton
import triton.language as tl


def small(configs, named_args, **kwargs):
    return [c for c in configs if c.kwargs["BLOCK"] <= 128 and c.num_warps < 8]


def by_size(configs, named_args, **kwargs):
    kept = []
    for c in configs:
        if c.kwargs["BLOCK"] <= named_args["n"]:
            kept.append(c)
    return kept


CONFIGS = [triton.Config({"BLOCK": b}, num_warps=w) for b in (64, 128, 256) for w in (4, 8)]


@triton.autotune(configs=CONFIGS, key=["n"], prune_configs_by={"early_config_prune": small})
@triton.jit
def pruned(x: "*fp32", n: "i32", BLOCK: tl.constexpr):
    tl.store(x + tl.arange(0, BLOCK), 1.0)


pruned.grid = lambda meta: (meta["n"],)


@triton.autotune(configs=CONFIGS[:3], key=["n"], prune_configs_by={"early_config_prune": by_size, "top_k": 1})
@triton.jit
def sized(x: "*fp32", n: "i32", BLOCK: tl.constexpr):
    tl.store(x + tl.arange(0, BLOCK), 1.0)


sized.grid = lambda meta: (meta["n"],)


@triton.autotune(configs=CONFIGS[:2], key=["n"], prune_configs_by={"early_config_prune": lambda configs, named_args: []})
@triton.jit
def emptied(x: "*fp32", n: "i32", BLOCK: tl.constexpr):
    tl.store(x + tl.arange(0, BLOCK), 1.0)


emptied.grid = lambda meta: (meta["n"],)
END_OF_SOURCE
expect 0 '' pruned.py -o pruned.ptx
[ "$(names pruned.ptx)" = "pruned_BLOCK_64_warps_4_stages_3 pruned_BLOCK_128_warps_4_stages_3 sized_BLOCK_64_warps_4_stages_3 \
sized_BLOCK_64_warps_8_stages_3 sized_BLOCK_128_warps_4_stages_3 emptied_BLOCK_64_warps_4_stages_3 \
emptied_BLOCK_64_warps_8_stages_3 " ] || fail "pruned: $(names pruned.ptx)"
expect 0 'configuration 1 of 2 is compiled (BLOCK=128, num_warps=4' pruned.py -n pruned --config 1 -v -o pruned.ptx
expect 2 '--config 2: pruned has configurations 0 to 1' pruned.py -n pruned --config 2 -o pruned.ptx

# One, as it was: named after the function.
expect 0 '' tuned.py -n tuned --config 1 --target sm_80 -o one.ptx
[ "$(names one.ptx)" = "tuned " ] && grep -q 'tuned_BLOCK 128' one.h && grep -q 'tuned_launch_grid(' one.h || fail "--config 1"
for one in '-D BLOCK=32' '-w 8' '--num-stages 2' --no-header; do
    expect 0 'tuned: configuration 0 of 5 is compiled' tuned.py $one --target sm_80 -o one.ptx
    [ "$(names one.ptx)" = "tuned plain " ] || fail "$one: $(names one.ptx)"
done
expect 0 'configuration 0 of 5' tuned.py --target sm_80 -o -
expect 0 'configuration 0 of 5' tuned.py --target sm_80 -G -o one.ptx
expect 0 'configuration 0 of 5' tuned.py --target sm_80 -o one.ptx -o one.ll

# The last output is made of the module itself, those before it of copies: of both comes the same code.
cp "$top/examples/attention.tk" .
expect 0 '' attention.tk --config 0 --target sm_80 --no-header --no-json -o alone.ptx
expect 0 '' attention.tk --config 0 --target sm_80 --no-header --no-json -o beside.ptx -o beside.ll
cmp alone.ptx beside.ptx || fail "an output beside another one is not what it is alone"

# All, though some names are decided: configurations made equal by them are one.
expect 0 '' tuned.py -n tuned --all-configs -D BLOCK=32 --target sm_80 -o all.ptx
[ "$(names all.ptx)" = "tuned_BLOCK_32_warps_2_stages_3 tuned_BLOCK_32_warps_4_stages_3 tuned_BLOCK_32_SHIFT_m1_warps_4_stages_1 " ] ||
    fail "--all-configs: $(names all.ptx)"
expect 2 'all-configs needs outputs that hold several' tuned.py --all-configs --target sm_80 -o all.ll

# No variant fits: an error.
expect 1 'num_ctas is 2, but sm_80 has no clusters' tuned.py --num-ctas 2 --all-configs --target sm_80 -o none.ptx
[ ! -e none.ptx ] || fail "a file in spite of the error"

# Without a grid nothing could launch a picked variant: the caller computes it for one.
sed '/^tuned.grid/d' tuned.py >gridless.py
for all in '' --all-configs; do
    expect 0 "tuned: configuration 0 of 5 is compiled (BLOCK=64, num_warps=2, num_stages=3); all are where the kernel's grid is known" \
        gridless.py $all --target sm_80 -o gridless.ptx
done
grep -q 'tuned_launch_grid(' gridless.h || fail "without a grid"

# Levels of hints: in the source, and as flags; crossed with configurations.
cat >levels.py <<'END_OF_SOURCE'
import triton
import triton.language as tl


@triton.jit
def levels(x: "*fp32:16 | *fp32", n: "i32:16|i32", s: "i32:1 | i32:16 | i32", BLOCK: tl.constexpr = 64):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + o * s, 1.0, mask=o < n)


levels.grid = lambda meta: (triton.cdiv(meta["n"], meta["BLOCK"]),)
END_OF_SOURCE
expect 0 '' levels.py --target sm_80 -o levels.ptx
[ "$(names levels.ptx)" = "levels_x_16_n_16_s_1 levels_s_16 levels_any " ] || fail "levels: $(names levels.ptx)"
# tests HEADER: the tests of its sets of hints, without the memory of a broken one.
tests() { tr -d '\n' <"$1" | sed 's/ ||  *tkc_break_rule("[^"]*",  *"[^"]*",  *tkc_values\[[0-9]*\],  *[01])//g; s/ && */ \&\& /g'; }
tests levels.h | grep -q 'return (tkc_values\[0\] % 16 == 0) && (tkc_values\[1\] % 16 == 0) && (tkc_values\[2\] == 1);' ||
    fail "the test of the first level"
expect 0 '' levels.py --config 0 --target sm_80 -o levels.ptx
[ "$(names levels.ptx)" = "levels " ] && grep -q '^//   x_: array of fp32; address a multiple of 16 bytes' levels.h && grep -q '^//   s_: int32_t, always 1' levels.h || fail "one level"
expect 0 '' tuned.py -n tuned --specialize "x:16 n:16" --specialize n:8 --target sm_90 -o special.ptx
[ "$(names special.ptx | wc -w)" = 12 ] || fail "levels times configurations: $(names special.ptx)"
names special.ptx | grep -q '^tuned_BLOCK_64_warps_2_stages_3_x_16_n_16 ' || fail "--specialize: $(names special.ptx)"
names special.ptx | grep -q ' tuned_BLOCK_128_warps_4_stages_3_any ' || fail "--specialize: $(names special.ptx)"
expect 2 'tuned has no parameter "m"' tuned.py -n tuned --specialize m:16 --target sm_90 -o special.ptx
expect 2 '"n:3" is no NAME:NUMBER' tuned.py -n tuned --specialize n:3 --target sm_90 -o special.ptx
expect 2 'x takes no hint such as "x:1"' tuned.py -n tuned --specialize x:1 --target sm_90 -o special.ptx
expect 2 'specialize makes variants' tuned.py -n tuned --specialize n:16 --config 0 --target sm_90 -o special.ptx

sed 's/i32:16|i32"/i32:16|i64"/' levels.py >types.py
expect 1 'the alternatives of parameter n of levels differ in more than their hints' types.py --target sm_80 -o types.ptx

# Elements of tuples and descriptors by their names in the compiled kernel.
cat >parts.py <<'END_OF_SOURCE'
import triton
import triton.language as tl


@triton.jit
def parts(p: "(*fp32, i32)", d: "tensordesc<fp16[64, 64]>"):
    tl.store(p[0] + p[1], tl.sum(d.load([0, 0])).to(tl.float32))


parts.grid = lambda meta: (1,)
END_OF_SOURCE
expect 0 '' parts.py --specialize "p_0:16 p_1:8 d:32" --specialize d_shape_1:64 --target sm_90 -o parts.ptx
[ "$(names parts.ptx)" = "parts_p_0_16_p_1_8_d_32 parts_d_shape_1_64 parts_any " ] || fail "parts: $(names parts.ptx)"
tests parts.h | grep -q 'return (tkc_values\[0\] % 16 == 0) && (tkc_values\[1\] % 8 == 0) && (tkc_values\[2\] % 32 == 0) && (tkc_values\[5\] % 8 == 0);' ||
    fail "the test of the elements' level"
expect 2 'parts has no parameter "p"' parts.py --specialize p:16 --target sm_90 -o parts.ptx

# A level is compiled once, however often it is asked for; names of entries are ASCII and differ.
expect 0 '' tuned.py -n tuned --specialize n:16 --specialize n:8 --specialize "n:16" --target sm_90 -o special.ptx
[ "$(names special.ptx | wc -w)" = 12 ] && [ "$(names special.ptx | tr ' ' '\n' | sort -u | wc -w)" = 12 ] || fail "twice: $(names special.ptx)"
expect 2 'has no hint; give it NAME:NUMBER' tuned.py -n tuned --specialize ' ' --target sm_90 -o special.ptx
expect 2 'two hints of n, the second one "n:8"' tuned.py -n tuned --specialize 'n:16	n:8' --target sm_90 -o special.ptx
sed 's/ n: "i32:16|i32"/ \xce\xb1: "i32:16|i32:16|i32"/; s/o < n/o < \xce\xb1/; s/"n"/"\xce\xb1"/; s/\*fp32:16 | /*fp32:16|*fp32:16|/' levels.py >letters.py
expect 0 '' letters.py --specialize "$(printf '\316\261:32')" --target sm_80 -o letters.ptx
[ "$(names letters.ptx)" = "levels_x_16____32_s_1 levels_x_16____16_s_1 levels_x_16____16_s_16 levels_any " ] ||
    fail "letters: $(names letters.ptx)"
sed '/^levels.grid/d' levels.py >gridless.py
expect 0 'levels: the first of its 3 sets of hints is compiled; other arguments are invalid values' gridless.py --target sm_80 -o gridless.ptx
{ cat tuned.py && printf '\n\n@triton.jit\ndef tuned_BLOCK_64_warps_2_stages_3(x: "*fp32"):\n    tl.store(x, 1.0)\n'; } >same.py
expect 1 'kernels "tuned" and "tuned_BLOCK_64_warps_2_stages_3" would both have an entry point tuned_BLOCK_64_warps_2_stages_3' \
    same.py --target sm_90 -o same.ptx

# Impossible arguments of @triton.autotune.
sed 's/key=\["n"\]/key=["n"], restore_value=["x", "n"]/' tuned.py >arrays.py
"$tkc" arrays.py -n tuned --target sm_90 -o arrays.ptx 2>log || fail "arrays.py"
[ "$(grep -c 'tuned has no array "n" that tuning could put back' log)" = 1 ] || fail "arrays: $(cat log)"
sed 's/key=\["n"\]/key=["n"], reset_to_zero=["y"]/' tuned.py >unknown.py
expect 1 'reset_to_zero names y, which is no parameter of tuned: it has x, n, BLOCK, SHIFT' unknown.py -n tuned --target sm_90 -o arrays.ptx
sed 's/num_warps=2/num_warps=4294967298/' tuned.py >many.py
expect 1 'num_warps is 4294967298, more than any chip has' many.py --target sm_90 -o many.ptx
sed 's/n: "i32", BLOCK/n: "i32", a: "i32", b: "i32", c: "i32", d: "i32", e: "i32", f: "i32", g: "i32", h: "i32", BLOCK/
    s/key=\["n"\]/key=["n", "a", "b", "c", "d", "e", "f", "g", "h"]/' tuned.py >keys.py
expect 0 'the key of tuned has 9 numbers; choices go by the first 8 of them' keys.py --target sm_90 -o keys.ptx

# The names of Triton's own tools.
expect 0 '' tuned.py --triton-abi --target sm_90 -o abi.ptx
for name in 'tuned(CUstream stream' 'tuned_default(' 'int tuned_get_num_algos(void)' ' load_tuned(void)' ' unload_tuned(void)' 'plain(CUstream'; do
    grep -q -F "$name" abi.h || fail "--triton-abi: no $name"
done
expect 0 '' tuned.py --target sm_90 -o abi.ptx
! grep -q 'get_num_algos' abi.h || fail "Triton's names without --triton-abi"
for flag in --triton-abi --external-images; do
    expect 2 "$flag is for the launcher header, and none is written" tuned.py $flag --target sm_90 --no-header -o abi.ptx
    expect 2 "$flag is for the launcher header, and none is written" tuned.py $flag --target sm_90 -o -
done

# The functions called by launchers.
expect 0 '' tuned.py --runtime dynamic --target sm_80,gfx942 -o dynamic.ptx -o dynamic.hsaco
grep -q '_image_[0-9]*, NULL, NULL, NULL, 80u' dynamic.h && grep -q '_image_[0-9]*, NULL, "gfx942"' dynamic.h &&
    ! grep -q 'include <cuda\|include <hip' dynamic.h || fail "--runtime dynamic"
expect 0 '' tuned.py --runtime dynamic --target sm_80 -o out.torch.c -o out.ptx
expect 0 '' tuned.py --runtime cuda-runtime --target sm_80 -o dynamic.ptx
grep -q '#include <cuda_runtime_api.h>' dynamic.h || fail "--runtime cuda-runtime"
expect 2 '--runtime hip does not launch on sm_80' tuned.py --runtime hip --target sm_80 -o dynamic.ptx
expect 2 '--runtime knows cuda-driver, cuda-runtime, hip and dynamic, not "cuda"' tuned.py --runtime cuda --target sm_80 -o dynamic.ptx
expect 2 '--runtime dynamic is for a launcher, and none is written' tuned.py --runtime dynamic --no-header --target sm_80 -o dynamic.ptx

# Images in files of their own.
expect 2 'the extension "out.torch.c" holds its images' tuned.py --external-images --target sm_80 -o out.torch.c -o out.ptx
expect 0 '' tuned.py --external-images --target sm_80,sm_90 -o out.ptx
grep -q '{NULL, TKC_IMAGES "out.sm_80.ptx", NULL, NULL, 80u' out.h && ! grep -q 'visible .entry' out.h || fail "--external-images"

# Tuned choices: their configurations are compiled, and the launcher has them in a table.
cat >tuned.json <<'END_OF_CHOICES'
{"tkc_tuned": 1, "choices": [
{"kernel": "tuned", "device": "NVIDIA H200", "key": {"n": 4096}, "config": "BLOCK_128_warps_4_stages_3", "microseconds": 4.5},
{"kernel": "tuned", "device": "NVIDIA H200", "key": {"n": 64}, "config": "BLOCK_64_warps_2_stages_3", "microseconds": 2.25},
{"kernel": "tuned", "device": "NVIDIA H200", "key": {"n": 65}, "config": "TILE_1_warps_2_stages_3", "microseconds": 2.00},
{"kernel": "another", "device": "NVIDIA H200", "key": {}, "config": "x", "microseconds": 1.00}
]}
END_OF_CHOICES
expect 0 'tuned.json: tuned has no configuration TILE_1_warps_2_stages_3; tune it again' \
    tuned.py --tuned tuned.json --target sm_80 -o chosen.ptx -MD
[ "$(names chosen.ptx)" = "tuned_BLOCK_64_warps_2_stages_3 tuned_BLOCK_128_warps_4_stages_3 plain " ] ||
    fail "--tuned: $(names chosen.ptx)"
grep -q '{"NVIDIA H200", {INT64_C(4096)}, 1u, 4.50},' chosen.h && grep -q '{"NVIDIA H200", {INT64_C(64)}, 0u, 2.25},' chosen.h ||
    fail "the table of choices"
# Beyond those of the source: a name with the same keys says all of a configuration.
sed 's/BLOCK_128_warps_4_stages_3/BLOCK_256_warps_8_stages_2/; s/TILE_1_/BLOCK_m1_/' tuned.json >further.json
expect 0 'configuration 6 (BLOCK=-1, num_warps=2, num_stages=3) is left out on sm_80' tuned.py --tuned further.json --target sm_80 -o beyond.ptx
grep -q '"BLOCK": "256"' beyond.json && grep -q '{"NVIDIA H200", {INT64_C(4096)}, [01]u, 4.50},' beyond.h || fail "a configuration beyond the source's: $(names beyond.ptx)"
grep -q 'tuned.json' chosen.d || fail "the choices are no dependency"
sed '/4096/!d; s/.*/{"tkc_tuned": 1, "choices": [&/; s/,$/]}/' tuned.json >single.json
expect 0 '' tuned.py --tuned single.json --target sm_80 -o lone.ptx
[ "$(names lone.ptx)" = "tuned plain " ] && grep -q 'define tuned_BLOCK 128' lone.h || fail "one choice: $(names lone.ptx)"
expect 1 'cannot read missing.json' tuned.py --tuned missing.json --target sm_80 -o chosen.ptx
expect 2 'chooses among all configurations' tuned.py --tuned tuned.json --config 1 --target sm_80 -o chosen.ptx
echo '{"tkc_tuned": 1, "choices": [{"kernel": "k"}]}' >short.json
expect 1 'choice 0 has no device' tuned.py --tuned short.json --target sm_80 -o chosen.ptx
echo '{"tkc_tuned": 1, "choices": [}' >broken.json
expect 1 'broken.json is no JSON: a value was expected at byte 29' tuned.py --tuned broken.json --target sm_80 -o chosen.ptx
echo '{"choices": []}' >other.json
expect 1 'other.json is no file of tuned choices' tuned.py --tuned other.json --target sm_80 -o chosen.ptx

# Choices of kernels with levels are of variants, as k_save_tuned writes them: their configurations stay at every level.
cat >levelled.json <<'END_OF_CHOICES'
{"tkc_tuned": 1, "choices": [
{"kernel": "tuned", "device": "NVIDIA H200", "key": {"n": 4096}, "config": "BLOCK_128_warps_4_stages_3_n_16", "microseconds": 4.5},
{"kernel": "tuned", "device": "NVIDIA H200", "key": {"n": 33}, "config": "BLOCK_128_warps_4_stages_3_any", "microseconds": 3},
{"kernel": "levels", "device": "NVIDIA H200", "key": {}, "config": "s_16", "microseconds": 3}
]}
END_OF_CHOICES
"$tkc" tuned.py -n tuned --specialize n:16 --tuned levelled.json --target sm_80 -o lev.ptx >log 2>&1 && ! [ -s log ] || fail "$(cat log)"
[ "$(names lev.ptx)" = "tuned_BLOCK_128_warps_4_stages_3_n_16 tuned_BLOCK_128_warps_4_stages_3_any " ] ||
    fail "tuned levels: $(names lev.ptx)"
grep -q '{"NVIDIA H200", {INT64_C(4096)}, 0u, 4.50},' lev.h && grep -q '{"NVIDIA H200", {INT64_C(33)}, 1u, 3.00},' lev.h ||
    fail "the table of choices with levels"
"$tkc" levels.py --tuned levelled.json --target sm_80 -o lev.ptx >log 2>&1 && ! [ -s log ] || fail "$(cat log)"
[ "$(names lev.ptx | wc -w)" = 3 ] && grep -q '{"NVIDIA H200", {INT64_C(0)}, 1u, 3.00},' lev.h || fail "levels alone, tuned"

# Any other file in its place: its contents reach the header as they are, or are refused.
for place in . /dev/zero; do
    expect 1 'cannot read' tuned.py --tuned $place --target sm_80 -o chosen.ptx
done
mkfifo pipe
expect 1 'cannot read pipe: it is a device or a pipe' tuned.py --tuned pipe --target sm_80 -o chosen.ptx
{ printf '{"tkc_tuned": 1, "choices": [' && yes '[],' | head -n 1500000 && printf '[]]}'; } >huge.json
expect 1 'cannot read huge.json: it is larger than 4 MiB' tuned.py --tuned huge.json --target sm_80 -o chosen.ptx
head -c 100 tuned.json >cut.json
expect 1 'cut.json is no JSON' tuned.py --tuned cut.json --target sm_80 -o chosen.ptx
printf '{"tkc_tuned": 1, "choices": []}\0{}' >nul.json
expect 1 'nul.json is no JSON: no NUL was expected at byte 31' tuned.py --tuned nul.json --target sm_80 -o chosen.ptx
sed 's/4.5}/1e999}/' tuned.json >infinite.json
expect 1 'a number that a double holds was expected' tuned.py --tuned infinite.json --target sm_80 -o chosen.ptx
sed 's/{"n": 64}/{"m": 64}/' tuned.json >keyless.json
expect 0 'keyless.json: choice 1, of tuned, has no "n" in its key and is left out; tune it again' \
    tuned.py --tuned keyless.json --target sm_80 -o chosen.ptx
{ printf '{"tkc_tuned": 1, "choices": [' && for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do
    printf '{"kernel": "tuned", "device": "d", "key": {"n": 1}, "config": "no%s"},\n' $i
done && sed -n 2,3p tuned.json | sed '$s/,$/]}/'; } >stale.json
"$tkc" tuned.py --tuned stale.json --target sm_80 -o chosen.ptx 2>log || fail "stale choices"
[ "$(grep -c 'has no configuration' log)" = 10 ] && grep -q 'stale.json: 3 more choices are of no configuration' log || fail "warnings about stale choices: $(cat log)"
sed 's/NVIDIA H200/a\\"b\\\\c\\u0001??\/\\n/; s/4096/-9223372036854775808/' tuned.json >odd.json
expect 0 '' tuned.py --tuned odd.json --target sm_80 -o chosen.ptx
grep -q -F '{"a\"b\\c\001\?\?/\012", {-INT64_C(9223372036854775807) - 1}, 1u, 4.50},' chosen.h || fail "a device of any name"
expect 2 'would overwrite the source "odd.json"' tuned.py --tuned odd.json --target sm_80 -o odd.ptx
grep -q 4.5 odd.json || fail "choices are overwritten"

# Image files are named as they are.
expect 0 '' tuned.py --external-images --target sm_80 -o 'a"b\c??.ptx'
grep -q -F 'TKC_IMAGES "a\"b\\c\?\?.ptx", NULL, NULL, 80u' 'a"b\c??.h' || fail "an image file of any name"

# The same bytes for any number of threads; texts to print of several variants; code objects.
sed 's/^    tl.store(x + o/    tl.device_print("o", o)\n    tl.store(x + o/' tuned.py >printing.py
for jobs in 1 2 7; do
    mkdir -p "j$jobs"
    (cd "j$jobs" && "$tkc" ../printing.py -j "$jobs" --target sm_80,sm_90 -o p.ptx -MD &&
        "$tkc" ../tuned.py -j "$jobs" --target sm_80,gfx942,gfx1100 -o t.ptx -o t.hsaco) 2>"log$jobs" ||
        fail "-j $jobs: $(cat "log$jobs")"
    cmp -s log1 "log$jobs" || fail "messages with -j $jobs"
    for file in p.h p.json p.d p.sm_80.ptx p.sm_90.ptx t.h t.json t.ptx t.gfx942.hsaco t.gfx1100.hsaco; do
        cmp -s "j1/$file" "j$jobs/$file" || fail "$file with -j $jobs"
    done
done
[ "$(grep -c '^.extern .func' j1/p.sm_80.ptx)" = 1 ] || fail "vprintf is declared several times"
for ptxas in ptxas /usr/local/cuda/bin/ptxas; do
    "$ptxas" --version >ptxas.log 2>&1 || continue
    "$ptxas" -arch sm_80 j1/p.sm_80.ptx -o p.cubin 2>log || fail "ptxas on joined PTX: $(cat log)"
    expect 0 '' printing.py --target sm_80 --ptxas "$ptxas" -o p.cubin
    break
done
finish "every variant is where it belongs"
