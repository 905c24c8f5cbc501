#!/bin/sh
# check_compile.sh TKC RANDOM_TEST LANG_TEST PYTHON FOLDER: what is written for differential.py is what it takes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tkc=$1 random_test=$2 lang_test=$3 python=$4 folder=$5
rm -rf "$folder"
mkdir -p "$folder/random" "$folder/lang"
"$random_test" --seeds 1-8 --write "$folder/random" >"$folder/log"
"$lang_test" --launches --seed 1 --only block.d >"$folder/lang/launches.jsonl"
"$python" "$here/differential.py" --tkc "$tkc" --compile-only --jobs 2 --out "$folder/out" "$folder/random" "$folder/lang" \
    >"$folder/log" || { cat "$folder/log"; exit 1; }
cases=$(wc -l <"$folder/lang/launches.jsonl")
compiled=$(ls "$folder"/out/*.ptx | wc -l)
[ "$compiled" -gt 8 ] && [ "$compiled" -ge $((cases - 4)) ] || { echo "only $compiled compiled"; cat "$folder/log"; exit 1; }
# A buffer for each pointer and a number for each other parameter, by the JSON.
"$python" - "$here" "$folder/out" <<'P'
import sys
sys.path.insert(0, sys.argv[1])
import launches
seen = 0
for launch in launches.read_compiled(sys.argv[2]):
    if launch["status"] != "compiled":
        continue
    for described, _, _ in launches.kernels_of(launch, sys.argv[2]):
        whole = launches.complete(launch, described, {})
        kinds = [isinstance(a, dict) for a in whole["arguments"]]
        assert kinds == [p["type"].startswith("*") for p in described["params"]], launch["id"]
        assert all(g > 0 for g in whole["grid"]), launch["id"]
        seen += 1
print(f"{seen} launches")
P
