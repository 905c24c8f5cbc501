#!/bin/sh
# Generated launcher headers: compiled alone as C99, C11 and C++17 without a warning, then run on the recording drivers.
#   check_headers.sh MAKE_HEADERS FOLDER CC CXX CUDA_INCLUDE|- HIP_INCLUDE|-
set -eu
here=$(dirname "$0")
make=$1 out=$2 cc=$3 cxx=$4 cuda=$5 hip=$6
rm -rf "$out"
mkdir -p "$out"
"$make" "$out"
warn="-Wall -Wextra -pedantic -Wconversion -Wsign-conversion -Wshadow -Werror -I$out"
ran=no

compile_alone() { # header, include folder, definitions…
    header=$1 include=$2
    shift 2
    printf '#include "%s"\n' "$header" >"$out/alone.c"
    cp "$out/alone.c" "$out/alone.cc"
    "$cc" -std=c99 $warn -isystem "$include" "$@" -c "$out/alone.c" -o "$out/alone.o"
    "$cc" -std=c11 $warn -isystem "$include" "$@" -c "$out/alone.c" -o "$out/alone.o"
    "$cxx" -std=c++17 $warn -isystem "$include" "$@" -c "$out/alone.cc" -o "$out/alone.o"
}

run_launcher() { # vendor, include folder, definitions…
    vendor=$1 include=$2
    shift 2
    "$cc" -std=gnu11 -Wall -Wextra -Werror -I"$out" -isystem "$include" "$@" -c "$here/run_launcher.c" -o "$out/run.o"
    "$cc" -std=gnu11 -I"$out" -isystem "$include" -c "$here/fake_$vendor.c" -o "$out/fake.o"
    for language in c++ c; do
        standard=-std=c99
        [ $language = c ] || standard=-std=c++17
        "$cxx" -x $language $standard $warn "-DHEADER=\"on_$vendor.h\"" -isystem "$include" -c "$here/other_unit.inc" \
            -o "$out/other.o"
        "$cxx" "$out/run.o" "$out/fake.o" "$out/other.o" -lpthread -o "$out/run_$vendor"
        "$out/run_$vendor"
    done
}

run_variants() { # vendor, include folder, definitions…
    vendor=$1 include=$2
    shift 2
    for standard in c99 gnu11; do
        "$cc" -std=$standard $warn -isystem "$include" "$@" -c "$here/run_variants.c" -o "$out/run.o"
        "$cc" -std=gnu11 -I"$out" -isystem "$include" -c "$here/fake_$vendor.c" -o "$out/fake.o"
        "$cxx" "$out/run.o" "$out/fake.o" -lpthread -o "$out/run_variants"
        (cd "$out" && ./run_variants)
    done
    # Under the thread sanitizer too, where the compiler has one.
    if "$cc" -std=gnu11 -g -O1 -fsanitize=thread -DTHREADS_ONLY -Wno-unused-function -I"$out" -isystem "$include" "$@" "$here/run_variants.c" \
        "$here/fake_$vendor.c" -lpthread -o "$out/run_variants" 2>/dev/null; then
        (cd "$out" && TSAN_OPTIONS=halt_on_error=1 ./run_variants)
    fi
}

if [ "$cuda" != - ]; then
    compile_alone on_cuda.h "$cuda"
    compile_alone on-both.h "$cuda"
    compile_alone on_tensor.h "$cuda"
    compile_alone on_variants.h "$cuda"
    compile_alone on_levels.h "$cuda"
    run_variants cuda "$cuda"
    run_launcher cuda "$cuda"
    for standard in c99 gnu11; do
        "$cc" -std=$standard -Wall -Wextra -Werror -I"$out" -isystem "$cuda" -c "$here/run_tensor.c" -o "$out/run.o"
        "$cxx" "$out/run.o" "$out/fake.o" -lpthread -o "$out/run_tensor"
        "$out/run_tensor"
    done
    ran=yes
fi
if [ "$hip" != - ]; then
    compile_alone on_hip.h "$hip"
    compile_alone on-both.h "$hip" -D__HIP_PLATFORM_AMD__
    compile_alone on_tensor.h "$hip" -D__HIP_PLATFORM_AMD__
    compile_alone on_variants.h "$hip" -D__HIP_PLATFORM_AMD__
    compile_alone on_levels.h "$hip" -D__HIP_PLATFORM_AMD__
    run_variants hip "$hip" -DRUN_HIP
    run_launcher hip "$hip" -DRUN_HIP
    ran=yes
fi
if [ $ran = no ]; then
    echo "skipped: neither cuda.h nor HIP's headers are here"
    exit 77
fi
