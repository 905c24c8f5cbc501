#!/bin/sh
# libFuzzer on what takes any bytes: sources, tile IR, .npy files, JSON.
#   fuzz.sh FOLDER SECONDS [NAME…]      e.g.  tests/fuzz/fuzz.sh build-fuzz 600 parse evaluate
# Builds with clang in FOLDER and runs each harness for SECONDS from the repository's own sources, cut into single kernels, and
# with the names that the tables know as its dictionary; inputs that it grows stay in FOLDER/corpus/NAME. A finding is in
# FOLDER/found/NAME: mended, it goes to tests/fuzz/inputs/NAME, which ctest replays.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd) seconds=$2
shift 2
[ $# -gt 0 ] || set -- parse evaluate ir npy json
[ -f "$folder/CMakeCache.txt" ] || shared=-DTKC_SHARED_LLVM=ON
CC=clang CXX=clang++ cmake -S "$top" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DTKC_FUZZ=ON ${shared:-} >/dev/null
cd "$top"

# Every kernel or class of a file behind the file's imports and constants, a file each.
cut_kernels() { # file, folder
    awk -v stem="$2/$(echo "$1" | tr / _)" '
        BEGIN { RS = ""; FS = "\n" }
        /^@|^def |^class |\n@triton|\nclass / { kernels[++count] = $0; next }
        /^import|^from|\nimport|^[A-Za-z_]+ *[=:]/ { opening = opening $0 "\n" }
        { if (count && !/^import|^from|^[A-Za-z_]/) kernels[count] = kernels[count] "\n" $0 }
        END { for (i = 1; i <= count; i++) print opening kernels[i] > (stem "." i) }' "$1"
}

# Quoted words, one a line, as libFuzzer wants them.
dictionary() { # files
    sed -n 's/^ *[A-Z_]*(\(.*\)/\1/p' "$@" | grep -o '"[^"\\]\{1,40\}"' | sort -u
}

for name in "$@"; do
    cmake --build "$folder" --target "input_$name"
    rm -rf "$folder/seeds/$name"
    mkdir -p "$folder/corpus/$name" "$folder/found/$name" "$folder/seeds/$name"
    : >"$folder/$name.dict"
    case $name in
    parse | evaluate)
        for file in examples/*.tk tests/golden/*/*.tk tests/lang/*.tk; do
            cut_kernels "$file" "$folder/seeds/$name"
            cp "$file" "$folder/seeds/$name/$(echo "$file" | tr / _)"
        done
        dictionary src/frontend/syntax/*.def src/frontend/builtin/*.def src/frontend/value/*.def >"$folder/$name.dict"
        ;;
    ir)
        find tests/golden -name '*.mlir' | while read -r file; do
            cp "$file" "$folder/seeds/$name/$(echo "$file" | tr / _)"
        done
        dictionary dialects/tk/*.def src/ir/*.def >"$folder/$name.dict"
        ;;
    npy)
        cp tests/fuzz/inputs/npy/* "$folder/seeds/$name"
        printf '"%s"\n' "'descr'" "'fortran_order'" "'shape'" True False '<f4' '<f2' '>i8' '|b1' '|u1' '<u2' >"$folder/$name.dict"
        ;;
    json)
        cp examples/tuned.json tests/fuzz/inputs/json/* "$folder/seeds/$name"
        printf '"%s"\n' '\\ud83d\\ude00' '\\u0000' tkc_tuned choices kernel device key config microseconds 1e308 true null >"$folder/$name.dict"
        ;;
    esac
    [ "$seconds" -gt 0 ] || continue
    ASAN_OPTIONS=detect_leaks=0 "$folder/tests/input_$name" "$folder/corpus/$name" "$folder/seeds/$name" \
        "-dict=$folder/$name.dict" "-max_total_time=$seconds" -max_len=6000 -timeout=60 -rss_limit_mb=2500 \
        "-artifact_prefix=$folder/found/$name/"
done
