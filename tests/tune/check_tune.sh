#!/bin/sh
# tkc-tune on a driver of its own (driver.c): a sweep, its file under tkc --tuned, faults, resuming, shards, merge.
#   check_tune.sh TKC_TUNE TKC DRIVER_FOLDER FOLDER
set -eu
tune=$1 tkc=$2 export_path=$3 out=$4
rm -rf "$out"
mkdir -p "$out"
cd "$out"
LD_LIBRARY_PATH=$export_path${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
failed=0
check() { # what, command…
    what=$1
    shift
    "$@" || { echo "not so: $what"; failed=1; }
}
says() { # file, text
    grep -q -e "$2" "$1" || { echo "$1 does not say: $2"; sed 's/^/    /' "$1" | tail -n 5; return 1; }
}
cat >scale.tk <<'K'
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 512}, num_warps=4), triton.Config({"BLOCK": 1024}, num_warps=8)], key=["n"])
@triton.jit
def scale(x: "*fp32:16", y: "*fp32:16", n: "i32", factor: "fp32", BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + offsets, tl.load(x + offsets, mask=offsets < n) * factor, mask=offsets < n)


scale.grid = lambda meta: (triton.cdiv(meta["n"], meta["BLOCK"]),)
scale.tensors = "x[n] -> y[n]"
K
echo '{"arguments": {"factor": 2}, "shapes": [{"n": 1000}, {"n": 100000}, {"n": 5000, "factor": 0.5}]}' >shapes.json

# A sweep finds configurations beyond the source's: 1,024 elements by 128 threads. Its file compiles to that. Beyond what the rule
# allows there is still better.
"$tune" scale.tk -s shapes.json --jit --candidates 30 -q --svg scale.svg >said
check "three choices" test "$(wc -l <said)" = 3
check "a choice" says scale.tuned.json '"key": {"n": 100000}, "config": "BLOCK_1024_warps_4_stages_3", "microseconds": [0-9.]*},*$'
check "a device's name" grep -q -F '"device": "Fake \"H\""' scale.tuned.json
"$tune" scale.tk -s shapes.json --jit --candidates 30 -q --dry-run -o none.json >said 2>&1
check "a dry run times and writes nothing" test ! -e none.json
check "a dry run says what it would time" grep -q . said
"$tune" scale.tk -s shapes.json --jit -q --within 100 -o beyond.json >said
check "the largest block" says beyond.json '"key": {"n": 100000}, "config": "BLOCK_2048_warps_4_stages_'
check "a landscape" says scale.svg 'BLOCK_1024_warps_4_stages_3'
check "a title in it" says scale.svg 'of the best'
"$tkc" scale.tk --target sm_80 --tuned scale.tuned.json -o scale.ptx 2>notes
check "no configuration is unknown" test ! -s notes
check "compiled beyond the source" says scale.json '"BLOCK": "1024"'
"$tune" scale.tk -s shapes.json --jit --candidates 30 -q --listed -o listed.json >said
check "the source's alone" test "$(grep -c -e BLOCK_512_warps_4 -e BLOCK_1024_warps_8 listed.json)" = 3

# Resuming: nothing is timed again but for a line cut off within.
lines=$(wc -l <scale.tuned.json.log)
"$tune" scale.tk -s shapes.json --jit --candidates 30 -q >said
check "nothing is timed twice" test "$(wc -l <scale.tuned.json.log)" = "$lines"
head -c 3000 scale.tuned.json.log >cut.json.log
TUNE_DIE_AFTER=4000 "$tune" scale.tk -s shapes.json --jit --candidates 30 -q -o cut.json >said
check "a sweep goes on" grep -q 'BLOCK_1024_warps_4_stages_3' cut.json
lines=$(wc -l <cut.json.log)
"$tune" scale.tk -s shapes.json --jit --candidates 30 -q -o cut.json >said
check "and is known to the next one" test "$(wc -l <cut.json.log)" = "$lines"

# A candidate fatal to its process is left out, one with other results too.
TUNE_CRASH=256 "$tune" scale.tk -s shapes.json --jit --candidates 30 -o crash.json >said 2>notes
check "it is named" says notes 'warps_8_stages_3 is left out: its process came to an end'
check "others are timed" says crash.json 'BLOCK_1024_warps_4'
check "it has no time" says crash.json.log 'warps_8_stages_3", "microseconds": 0.00'
TUNE_WRONG=64 "$tune" scale.tk -s shapes.json --jit --candidates 30 -o wrong.json >said 2>notes
check "it disagrees" says notes 'warps_2_stages_[0-9]* do not agree in y'
check "it is not chosen" test -z "$(grep warps_2 wrong.json)"

# Parts of the shapes, by hand and under Slurm, joined.
"$tune" scale.tk -s shapes.json --jit --candidates 30 -q -o part.json --shard 1/2 >said
SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_MIN=4 SLURM_ARRAY_TASK_COUNT=2 "$tune" scale.tk -s shapes.json --jit --candidates 30 -q -o part.json >said
check "one shape" test "$(grep -c kernel part.2-of-2.json)" = 1
"$tune" merge all.json part.1-of-2.json part.2-of-2.json
check "the parts are the whole" cmp all.json scale.tuned.json
sed 's/"microseconds": [0-9.]*/"microseconds": 0.01/; s/BLOCK_[0-9]*_/BLOCK_64_/' part.2-of-2.json >better.json
"$tune" merge all.json scale.tuned.json better.json
check "the best counts" test "$(grep -c BLOCK_64_ all.json)" = 1
"$tune" draw all.svg part.1-of-2.json.log part.2-of-2.json.log
check "drawn from parts" says all.svg 'n": 100000'
sed 's/BLOCK_64_/a\\"b_/; s/"n"/"n\\"m"/' better.json >odd.json
"$tune" merge again.json odd.json
check "what was escaped is" grep -q -F '{"n\"m": ' again.json
check "what was escaped is" grep -q -F '"config": "a\"b_' again.json

# Wrong use.
fails() { # message, arguments…
    message=$1
    shift
    if "$tune" "$@" >said 2>notes; then
        echo "tkc-tune $* succeeds"
        failed=1
    fi
    check "the message of $*" says notes "$message"
}
fails 'no --shapes' scale.tk
fails 'cannot read none.json' scale.tk -s none.json
fails '0 to 1' scale.tk -s shapes.json --devices 2
fails 'I/N' scale.tk -s shapes.json --shard 3/2
echo '[{"m": 1}]' >bad.json
fails 'no parameter "m"' scale.tk -s bad.json
echo '[{"n": 1e3, "factor": 0.5}]' >bad.json
fails 'n is an integer, not 1e3' scale.tk -s bad.json
echo '[{"n": 10}]' >bad.json
fails 'does not say factor' scale.tk -s bad.json
echo '{"arguments": {"factor": 1, "x": "n +"}, "shapes": [{"n": 10}]}' >bad.json
fails "elements of x: expected a value at ''" scale.tk -s bad.json
sed '/autotune/d; s/tl.constexpr)/tl.constexpr = 512)/' scale.tk >plain.tk
fails 'has no configurations' plain.tk -s shapes.json
echo '[{"n": 10, "n": 20, "factor": 1}]' >bad.json
fails 'says n twice' scale.tk -s bad.json
echo '{"arguments": {"n": "4294967296 + 5"}, "shapes": [{"factor": 1}]}' >bad.json
fails 'n is 4294967301, which i32 does not hold' scale.tk -s bad.json
echo '{"arguments": {"stride": 3}, "shapes": [{"n": 10, "factor": 1}]}' >bad.json
fails 'no parameter "stride"' scale.tk -s bad.json
echo '{"arguments": [1], "shapes": [{"n": 10, "factor": 1}]}' >bad.json
fails '"arguments" is no object' scale.tk -s bad.json
fails 'two names or more' merge all.json
fails 'shapes.json:1 is no choice' merge all.json shapes.json
printf '{"tkc_tuned": 1,\n "choices": []}\n' >bad.json
fails 'bad.json:1 is no choice' draw all.svg bad.json
{ cat better.json && printf '\0'; } >bad.json
fails 'has a NUL at byte' merge all.json bad.json
TUNE_NO_DEVICE=1 fails 'finds no device' scale.tk -s shapes.json
exit $failed
