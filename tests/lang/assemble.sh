#!/bin/sh
# The PTX of every language test through ptxas: assemble.sh FOLDER CHIP, after lang_test --emit FOLDER. ptxas takes all of it,
# and says nothing: what it says is that wgmma instructions are serialised (C7510 and its like). Exits 77 (skipped) where ptxas
# is not installed. The folder is removed.
set -eu
folder=$1 chip=$2
trap 'rm -rf "$folder"' EXIT
PATH=$PATH:/usr/local/cuda/bin
if ! command -v ptxas >/dev/null; then
    echo "ptxas is not installed: skipped"
    exit 77
fi
cd "$folder"
cases=$(ls | grep -c '\.ptx$')

# Cases whose texts are the same are assembled once. A third of ptxas's time is its start, so it gets many at a time, with
# kernels that have the names of their files.
md5sum *.ptx | awk '!seen[$1]++ { print $2 }' | xargs awk '
    FNR == 1 { close(out); out = FILENAME ".one"; name = FILENAME; sub(/\.ptx$/, "", name); gsub(/[^A-Za-z0-9_]/, "_", name) }
    /^\.visible \.entry/ { sub(/entry [^(]*/, "entry " name) }
    { print >out }'
status=0
ls | grep '\.one$' | xargs -n 40 ptxas -arch="$chip" -o cubin >said 2>&1 || status=1
if [ $status -ne 0 ] || [ -s said ]; then
    head -50 said
    exit 1
fi
echo "$cases PTX files, $(ls | grep -c '\.one$') of them different, assembled for $chip"
