#!/bin/sh
# Random launcher headers compile without a warning as C99, C11, C++17 and C++20, with every compiler that is here, behind all
# that the standard headers define; and launch what they should.
#   check.sh FUZZ_HEADERS FOLDER CC CXX CUDA_INCLUDE SEED COUNT
set -eu
here=$(cd "$(dirname "$0")" && pwd)
fuzz=$1 out=$2 cc=$3 cxx=$4 cuda=$5 seed=$6 count=$7
rm -rf "$out"
mkdir -p "$out"
cd "$out"
"$fuzz" . "$seed" "$count"
warn="-Wall -Wextra -pedantic -Wconversion -Wshadow -Werror -I. -I$here -isystem $cuda"
"$cc" -std=gnu11 -Wall -Wextra -Werror -isystem "$cuda" -c "$here/driver.c" -o driver.o
failed=0

try() { # set, language, standard, compiler
    if ! "$4" -x "$2" "-std=$3" $warn -c "h$1.inc" -o "h$1.o" 2>errors; then
        echo "set $1 of seed $seed: $4 -std=$3 says:"
        head -n 12 errors
        failed=1
    elif ! { "$cxx" "h$1.o" driver.o -o "h$1" && "./h$1"; } 2>errors; then
        echo "set $1 of seed $seed, $4 -std=$3: a launch is wrong"
        head -n 12 errors
        failed=1
    fi
}

set_index=0
while [ $set_index -lt "$count" ]; do
    if [ -e "h$set_index.h" ]; then
        for compiler in "$cc $cxx" "clang clang++"; do
            c=${compiler% *} cpp=${compiler#* }
            command -v "$c" >/dev/null && command -v "$cpp" >/dev/null || continue
            try $set_index c c99 "$c"
            try $set_index c c11 "$c"
            try $set_index c++ c++17 "$cpp"
            try $set_index c++ c++20 "$cpp"
        done
        rm -f "h$set_index" "h$set_index.o"
    fi
    set_index=$((set_index + 1))
done
exit $failed
