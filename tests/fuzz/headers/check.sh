#!/bin/sh
# Random launcher headers compile without a warning as C99, C11, C++17 and C++20, with every compiler that is here, behind all
# that the standard headers define; and launch what they should. Every set is compiled by itself; those headers are
# precompiled, and the sets of one compiler and standard run as one program, which is most of the time saved.
# Those for both vendors are compiled for AMD too.
#   check.sh FUZZ_HEADERS FOLDER CC CXX CUDA_INCLUDE HIP_INCLUDE|- SEED COUNT
set -eu
here=$(cd "$(dirname "$0")" && pwd)
fuzz=$1 out=$2 cc=$3 cxx=$4 cuda=$5 hip=$6 seed=$7 count=$8
rm -rf "$out"
mkdir -p "$out/objects"
cd "$out"
"$fuzz" . "$seed" "$count"
warn="-Wall -Wextra -pedantic -Wconversion -Wshadow -Werror -isystem $cuda"
"$cc" -std=gnu11 -Wall -Wextra -Werror -I. -isystem "$cuda" -c "$here/driver.c" -o driver.o
sed 's/SET(\(.*\))/..\/h\1.inc/' sets.inc >files
failed=0

try() { # language, standard, compiler
    rm -rf objects
    mkdir -p objects
    cp "$here/everything.h" objects
    "$3" -x "$1-header" "-std=$2" $warn objects/everything.h -o objects/everything.h.gch
    if ! (cd objects && xargs "$3" -x "$1" "-std=$2" $warn -include everything.h -I.. -I"$here" -c <../files) 2>errors; then
        echo "seed $seed: $3 -std=$2 says:"
        head -n 20 errors
        failed=1
    elif ! { "$cxx" objects/*.o driver.o -o sets && ./sets; } 2>errors; then
        echo "seed $seed, $3 -std=$2: a launch is wrong"
        head -n 20 errors
        failed=1
    fi
}

for compiler in "$cc $cxx" "clang clang++"; do
    c=${compiler% *} cpp=${compiler#* }
    command -v "$c" >/dev/null && command -v "$cpp" >/dev/null || continue
    try c c99 "$c"
    try c c11 "$c"
    try c++ c++17 "$cpp"
    try c++ c++20 "$cpp"
done
try_amd() { # language, standard, compiler
    if [ "$hip" != - ] && ! xargs "$3" -x "$1" "-std=$2" -Wall -Wextra -pedantic -Wconversion -Wshadow -Wno-unused-function -Werror -D__HIP_PLATFORM_AMD__ \
        -isystem "$hip" -include "$here/everything.h" -fsyntax-only <amd 2>errors; then
        echo "seed $seed: $3 -std=$2 for AMD says:"
        head -n 20 errors
        failed=1
    fi
}
try_amd c c99 "$cc"
try_amd c++ c++20 "$cxx"
exit $failed
