#!/bin/sh
# Corners of tkc_add_kernels: each works, or is refused at configure time in our words. And tkc's own project configures
# if ccache cannot write.
#   check_corners.sh TKC_BUILD FOLDER SOURCE_DIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tkc_build=$1 out=$2 top=$3
rm -rf "$out"
mkdir -p "$out"

fail() {
    echo "failed: $*" >&2
    exit 1
}

cp -r "$here/corners" "$out/project"

# tools/bootstrap.sh installs Ninja, and not make.
make=$(command -v make || true)
for generator in Ninja ${make:+"Unix Makefiles"}; do
    build="$out/$(echo "$generator" | tr -d ' ')"
    cmake -G "$generator" -S "$out/project" -B "$build" "-Dtkc_DIR=$tkc_build" -DCMAKE_BUILD_TYPE=Debug >"$out/log"
    cmake --build "$build" >>"$out/log" 2>&1 || fail "$generator: $(tail -n 20 "$out/log")"
    for file in tkc/app/one.ptx tkc/app/one.h below/tkc/app/two.hsaco below/tkc/app/two.h tkc/kernels/three.sm_90a.ptx; do
        [ -s "$build/$file" ] || fail "$generator: $file was not written"
    done
    for file in $(test "$generator" != Ninja || echo named.sm_80.ptx named.sm_90a.ptx named.hsaco); do
        [ -s "$build/tkc/named/$file" ] || fail "$generator: named/$file was not written"
    done
    [ "$generator" != Ninja ] || grep -q 'renamed' "$build/tkc/named/named.h" || fail "$generator: named.h does not have the source's options"
    [ ! -e "$build/tkc/app/one.json" ] || fail "$generator: --no-json wrote a JSON"
    [ "$("$build/app")" = "all kernels are in" ] || fail "$generator: the program does not run"
    stamp=$(ls -l --full-time "$build/tkc/app/one.ptx" "$build/below/tkc/app/two.hsaco")
    cmake --build "$build" >>"$out/log" 2>&1
    [ "$stamp" = "$(ls -l --full-time "$build/tkc/app/one.ptx" "$build/below/tkc/app/two.hsaco")" ] ||
        fail "$generator: a second build compiles kernels"
    stamp=$(ls -l --full-time "$build/tkc/kernels/three.h")
    sleep 1 && touch "$out/project/three.json"
    cmake --build "$build" >>"$out/log" 2>&1
    [ "$stamp" != "$(ls -l --full-time "$build/tkc/kernels/three.h")" ] || fail "$generator: new choices change nothing"
done

# Every configuration has files of its own.
build=$out/multi
cmake -G "Ninja Multi-Config" -S "$out/project" -B "$build" "-Dtkc_DIR=$tkc_build" >"$out/log"
for config in Debug Release; do
    cmake --build "$build" --config $config >>"$out/log" 2>&1 || fail "multi-config: $(tail -n 20 "$out/log")"
    [ -s "$build/tkc/app/$config/one.h" ] || fail "multi-config: no one.h for $config"
    [ "$("$build/$config/app")" = "all kernels are in" ] || fail "multi-config: the program does not run"
done
cmake --build "$build" --config Release | grep -q "no work to do" || fail "multi-config: a second build does work"

refused() { # corner, text
    ! cmake -G Ninja -S "$out/project" -B "$out/refused" "-Dtkc_DIR=$tkc_build" "-DREFUSED=$1" >"$out/log" 2>&1 ||
        fail "$1 is not refused"
    tr -s ' \n' ' ' <"$out/log" | grep -qF "$2" || fail "$1: no \"$2\" in: $(cat "$out/log")"
}
refused basename 'twice/one.tk" is the second source of app to write one.h'
refused again 'is the second source of app to write one.h'
refused output 'OPTIONS cannot hold -o'
refused choices 'tkc_add_kernels: --tuned: there is no file'
refused chips 'OPTIONS cannot hold --target=sm_80'
refused short 'OPTIONS cannot hold -t'
refused attached 'OPTIONS cannot hold -onward.ptx'
refused path 'OPTIONS cannot hold --out-path'
refused configuration 'OPTIONS cannot hold $<$<CONFIG:Debug>:-tsm_90a>'
refused commas 'TARGETS wants names of chips or products (sm_80, h100, gfx942), not "sm_80,sm_90a"'
refused conditional 'what is written is the same in every configuration'
refused expression 'SOURCES wants paths, not the generator expression'
refused utility '"nothing" compiles nothing in this project'
refused imported '"tkc::tkc" compiles nothing in this project'
refused unknown '"no_such" is no target of this project'

if command -v ccache >/dev/null; then
    CCACHE_DIR=/dev/null/no cmake -G Ninja -S "$top" -B "$out/tkc" -DTKC_SHARED_LLVM=ON -DTKC_TESTS=OFF >"$out/log" 2>&1 ||
        fail "tkc does not configure where ccache cannot write: $(tail -n 20 "$out/log")"
    grep -q 'ccache cannot write' "$out/log" || fail "ccache is used where it cannot write"
fi
# Inside another project: the same names, no tests, no examples, nothing installed. Configured alone, for the build is tkc's own.
mkdir "$out/outer"
cat >"$out/outer/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.22)
project(outer LANGUAGES C CXX)
include(FetchContent)
FetchContent_Declare(tkc SOURCE_DIR "$top")
FetchContent_MakeAvailable(tkc)
add_executable(app "$out/project/main.c")
tkc_add_kernels(TARGET app SOURCES "$out/project/one.tk" TARGETS sm_80)
END
cmake -G Ninja -S "$out/outer" -B "$out/outer/build" -DTKC_SHARED_LLVM=ON >"$out/log" 2>&1 || fail "as a part: $(tail -n 20 "$out/log")"
ninja -C "$out/outer/build" -t targets all >"$out/targets"
ninja -C "$out/outer/build" -t commands app >"$out/commands"
grep -q 'bin/tkc .*/one.tk' "$out/commands" || fail "as a part: no kernels are compiled"
! grep -E '^(test_|host_examples|tkc_shared|tkc_archive|tkc_pages)' "$out/targets" || fail "as a part it builds more than tkc"
echo "corners of tkc_add_kernels are round"
