#!/bin/sh
# Random launcher headers compile without a warning as C99, C11, C++17 and C++20, with every compiler that is here, behind all
# that the standard headers define; and launch what they should. Every set is compiled by itself, as names of two would meet;
# those headers are precompiled. One standard of each compiler, by the seed, makes code, and all its sets run as one program;
# of the others the syntax and all that is warned of are checked, which takes a third of the time. Sets for both vendors are
# compiled for AMD too.
#   check.sh FUZZ_HEADERS FOLDER CC CXX CUDA_INCLUDE HIP_INCLUDE|- SEED COUNT [DONE]
# DONE is a file with a line for each seed and compiler that has been checked, which are not checked again.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
fuzz=$1 out=$2 cc=$3 cxx=$4 cuda=$5 hip=$6 seed=$7 count=$8 list=${9:-}
rm -rf "$out"
mkdir -p "$out"
cd "$out"
"$fuzz" . "$seed" "$count"
strict="-Wall -Wextra -pedantic -Wconversion -Wshadow -Werror"
"$cc" -std=gnu11 -Wall -Wextra -Werror -I. -isystem "$cuda" -c "$here/driver.c" -o driver.o
for part in fake fake_cuda; do
    "$cc" -std=gnu11 -isystem "$cuda" -c "$here/../../artifact/$part.c" -o $part.o
done
sed 's/SET(\(.*\))/..\/h\1.inc/' sets.inc >files
failed=0

begun() { # what is checked; false when it was before
    what="seed $seed: $*"
    ! { [ -f "$list" ] && grep -q -x -F "$what" "$list"; }
}

ended() {
    if [ "$list" ]; then
        echo "$what" >>"$list"
    fi
}

wrong() { # MESSAGE
    echo "seed $seed: $1"
    head -n 20 errors
    failed=1
}

try() { # language, standard, compiler, whether it makes code
    begun "$3 -std=$2" || return 0
    rm -rf objects
    mkdir -p objects
    cp "$here/everything.h" objects
    flags="-x $1 -std=$2 $strict -isystem $cuda"
    "$3" -x "$1-header" "-std=$2" $strict -isystem "$cuda" objects/everything.h -o objects/everything.h.gch
    if ! (cd objects && xargs "$3" $flags -include everything.h -I.. -I"$here" "$4" <../files) 2>errors; then
        wrong "$3 -std=$2 says:"
    elif [ "$4" = -c ] && ! { "$cxx" objects/*.o driver.o fake.o fake_cuda.o -o sets && ./sets; } 2>errors; then
        wrong "$3 -std=$2: a launch is wrong"
    else
        ended
    fi
}

for compiler in "$cc $cxx" "clang clang++"; do
    c=${compiler% *} cpp=${compiler#* }
    command -v "$c" >/dev/null && command -v "$cpp" >/dev/null || continue
    number=0
    for standard in c99 c11 c++17 c++20; do
        mode=-fsyntax-only
        [ $((seed % 4)) != $number ] || mode=-c
        number=$((number + 1))
        case $standard in
        c++*) try c++ $standard "$cpp" $mode ;;
        *) try c $standard "$c" $mode ;;
        esac
    done
done
try_amd() { # language, standard, compiler
    [ "$hip" != - ] && begun "$3 -std=$2 for AMD" || return 0
    if ! xargs "$3" -x "$1" "-std=$2" $strict -Wno-unused-function -D__HIP_PLATFORM_AMD__ \
        -isystem "$hip" -include "$here/everything.h" -fsyntax-only <amd 2>errors; then
        wrong "$3 -std=$2 for AMD says:"
    else
        ended
    fi
}
try_amd c c99 "$cc"
try_amd c++ c++20 "$cxx"
exit $failed
