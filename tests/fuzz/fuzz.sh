#!/bin/sh
# libFuzzer on what takes any bytes: sources, tile IR, .npy files.
#   fuzz.sh FOLDER SECONDS [NAME…]      e.g.  tests/fuzz/fuzz.sh build-fuzz 600 parse evaluate
# Builds with clang in FOLDER and runs each harness for SECONDS from the repository's own sources; inputs that it grows stay in
# FOLDER/corpus/NAME. A finding is in FOLDER/found/NAME: mended, it goes to tests/fuzz/inputs/NAME, which ctest replays.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
folder=$1 seconds=$2
shift 2
[ $# -gt 0 ] || set -- parse evaluate ir npy
CC=clang CXX=clang++ cmake -S "$top" -B "$folder" -DCMAKE_BUILD_TYPE=Debug -DTKC_SHARED_LLVM=ON -DTKC_FUZZ=ON >/dev/null
for name in "$@"; do
    cmake --build "$folder" --target "input_$name"
    mkdir -p "$folder/corpus/$name" "$folder/found/$name" "$folder/seeds/$name"
    case $name in
    parse | evaluate) cp "$top"/examples/*.tk "$top"/tests/golden/*/*.tk "$folder/seeds/$name" ;;
    ir) cp "$top"/tests/golden/*/*.mlir "$folder/seeds/$name" ;;
    npy) cp "$top"/tests/fuzz/inputs/npy/* "$folder/seeds/$name" ;;
    esac
    ASAN_OPTIONS=detect_leaks=0 "$folder/tests/input_$name" "$folder/corpus/$name" "$folder/seeds/$name" \
        "-max_total_time=$seconds" -max_len=6000 -timeout=15 -rss_limit_mb=2500 "-artifact_prefix=$folder/found/$name/"
done
