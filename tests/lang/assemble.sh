#!/bin/sh
# The PTX of every language test through ptxas: assemble.sh LANG_TEST CHIP. Exits 77 (skipped) where ptxas is not installed.
set -eu
lang_test=$1 chip=$2
PATH=$PATH:/usr/local/cuda/bin
if ! command -v ptxas >/dev/null; then
    echo "ptxas is not installed: skipped"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$lang_test" --chip "$chip" --emit "$folder" >"$folder/log" || { cat "$folder/log"; exit 1; }
count=$(ls "$folder"/*.ptx | wc -l)
ls "$folder"/*.ptx | xargs -P 2 -I FILE sh -c 'ptxas -arch='"$chip"' FILE -o FILE.cubin >FILE.err 2>&1 || { echo "FILE"; head -3 FILE.err; exit 1; }'
echo "$count PTX files assembled for $chip"
