#!/bin/sh
# Generated launcher headers: compiled alone as C99, C++17 and, by one compiler, C11 without a warning, of all warnings of the compiler and clang,
# then run on the recording drivers.
#   check_headers.sh MAKE_HEADERS FOLDER CC CXX CUDA_INCLUDE|- HIP_INCLUDE|-
set -eu
here=$(dirname "$0")
source=$(cd "$here/../.." && pwd)
make=$1 out=$2 cc=$3 cxx=$4 cuda=$5 hip=$6
rm -rf "$out"
mkdir -p "$out"
"$make" "$out"
warn="-Wall -Wextra -pedantic -Wconversion -Wsign-conversion -Wshadow -Werror -I$out"
ran=no
localedef -i de_DE -f UTF-8 "$out/de_DE.UTF-8" 2>/dev/null || rm -rf "$out/de_DE.UTF-8"

every_warning() { # compiler, language
    case $("$1" --version) in
    *clang*) echo -Weverything ;;
    *)
        echo -Wall -Wextra -pedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wcast-align -Wundef -Wformat=2 \
            -Wdouble-promotion -Wfloat-equal -Wswitch-default -Wredundant-decls -Wlogical-op -Wduplicated-cond -Wvla \
            -Wduplicated-branches -Wunused-macros -Wwrite-strings -Wstack-protector
        case $2 in
        c) echo -Wbad-function-cast -Wstrict-prototypes -Wmissing-prototypes -Wnested-externs -Wdeclaration-after-statement ;;
        *) echo -Wold-style-cast -Wuseless-cast -Wzero-as-null-pointer-constant -Wextra-semi -Wmissing-declarations ;;
        esac
        ;;
    esac
}

compile_with() { # C compiler, C++ compiler, include folder, definitions…
    c=$1 cpp=$2 include=$3
    shift 3
    for standard in $standards; do
        "$c" -std=$standard $(every_warning "$c" c) -Werror -I"$out" -isystem "$include" "$@" -fsyntax-only "$out/alone.c"
    done
    "$cpp" -std=c++17 $(every_warning "$cpp" c++) -Werror -I"$out" -isystem "$include" "$@" -fsyntax-only "$out/alone.cc"
}

compile_alone() { # header, include folder, definitions…
    header=$1
    shift
    printf '#include "%s"\n' "$header" >"$out/alone.c"
    cp "$out/alone.c" "$out/alone.cc"
    standards='c99 c11'
    compile_with "$cc" "$cxx" "$@"
    if command -v clang >/dev/null && command -v clang++ >/dev/null; then
        standards=c99
        compile_with clang clang++ "$@"
    fi
}

# tkc_runtime.h has no part about warnings of C's own in C++: here it has that of launchers.
compile_runtime() { # mode, include folder
    printf '#include "%s"\n' "$source/src/artifact/launcher/warnings.h" "$source/include/tkc/tkc_runtime.h" \
        "$source/src/artifact/launcher/warnings_end.h" >"$out/runtime.h"
    compile_alone runtime.h "$2" "-DTKC_RUNTIME_$1"
    if [ "$1" = DYNAMIC ]; then # so is tkc_symmetric.h, for Linux alone
        printf '#include "%s"\n' "$source/src/artifact/launcher/warnings.h" "$source/include/tkc/tkc_symmetric.h" \
            "$source/src/artifact/launcher/warnings_end.h" >"$out/symmetric.h"
        compile_alone symmetric.h "$2" -D_GNU_SOURCE
    fi
}

run_launcher() { # vendor, include folder, definitions…
    vendor=$1 include=$2
    shift 2
    "$cc" -std=gnu11 -Wall -Wextra -Werror -I"$out" -isystem "$include" "$@" -c "$here/run_launcher.c" -o "$out/run.o"
    "$cc" -std=gnu11 -I"$out" -isystem "$include" -c "$here/fake_$vendor.c" -o "$out/driver.o"
    "$cc" -std=gnu11 -c "$here/fake.c" -o "$out/fake.o"
    for language in c++ c; do
        standard=-std=c99
        [ $language = c ] || standard=-std=c++17
        "$cxx" -x $language $standard $warn "-DHEADER=\"on_$vendor.h\"" -isystem "$include" -c "$here/other_unit.inc" \
            -o "$out/other.o"
        "$cxx" "$out/run.o" "$out/fake.o" "$out/driver.o" "$out/other.o" -lpthread -o "$out/run_$vendor"
        "$out/run_$vendor"
    done
}

run_variants() { # vendor, include folder, definitions…
    vendor=$1 include=$2
    shift 2
    "$cc" -std=c99 $warn -isystem "$include" "$@" -fsyntax-only "$here/run_variants.c"
    sanitized run_variants "$vendor" "$include" "$@"
}

# All of it under the sanitizer of leaks, and threads under the thread sanitizer; if
# the compiler has none, without.
sanitized() { # program, vendor, include folder, definitions…
    program=$1 vendor=$2 include=$3
    shift 3
    set -- -std=gnu11 -g -Wno-unused-function "-I$out" -isystem "$include" "$@" "$here/$program.c" "$here/fake_$vendor.c" "$here/fake.c" \
        -lpthread -o "$out/$program"
    "$cc" -fsanitize=leak "$@" 2>/dev/null || "$cc" "$@"
    (cd "$out" && "./$program")
    if [ -d "$out/de_DE.UTF-8" ]; then # with a comma in numbers
        (cd "$out" && LOCPATH=$out LC_ALL=de_DE.UTF-8 "./$program")
    fi
    if "$cc" -fsanitize=thread -DTHREADS_ONLY "$@" 2>/dev/null; then
        (cd "$out" && TSAN_OPTIONS=halt_on_error=1 "./$program")
    fi
}

# A fake driver as a library; its parts may be in the program.
library() { # vendor, file, include folder, definitions and parts…
    vendor=$1 file=$2 include=$3
    shift 3
    mkdir -p "$out/by_table"
    "$cc" -std=gnu11 -shared -fPIC "-Wl,-soname,$file" -isystem "$include" "$here/fake_$vendor.c" "$@" -o "$out/by_table/$file"
}

# Launchers look for the driver's functions at run time: no object asks the linker for one.
not_linked() {
    if nm -u "$out/run.o" | grep -E ' (cu|hip)[A-Z]'; then
        echo "$1 is linked with the driver"
        exit 1
    fi
}

run_through_runtime() { # include folder
    library cuda libcudart.so "$1" -DWITH_CUDART "$here/fake.c"
    "$cc" -std=gnu11 $warn "-DVARIANTS=\"on_runtime.h\"" -isystem "$1" -c "$here/run_variants.c" -o "$out/run.o"
    not_linked on_runtime.h
    "$cc" "$out/run.o" "$out/by_table/libcudart.so" -lpthread -o "$out/run_by_table"
    (cd "$out" && LD_LIBRARY_PATH=by_table ./run_by_table)
}

# One program for both vendors without their headers: with two drivers, one of them with a device.
run_any() { # include folder of CUDA, of HIP
    library cuda libcuda.so.1 "$1"
    library hip libamdhip64.so.7 "$2"
    set -- -std=gnu11 -g -Wno-unused-function "-I$out" -DRUN_ANY "-DVARIANTS=\"on_dynamic.h\"" "$here/run_variants.c" "$here/fake.c" -rdynamic -ldl -lpthread
    "$cc" -std=gnu11 $warn -DRUN_ANY "-DVARIANTS=\"on_dynamic.h\"" -c "$here/run_variants.c" -o "$out/run.o"
    not_linked on_dynamic.h
    "$cc" "$@" -o "$out/run_any"
    (cd "$out" && LD_LIBRARY_PATH=by_table ./run_any && LD_LIBRARY_PATH=by_table ./run_any amd)
    if "$cc" -fsanitize=thread -DTHREADS_ONLY "$@" -o "$out/run_any" 2>/dev/null; then
        (cd "$out" && LD_LIBRARY_PATH=by_table TSAN_OPTIONS=halt_on_error=1 ./run_any)
        (cd "$out" && LD_LIBRARY_PATH=by_table TSAN_OPTIONS=halt_on_error=1 ./run_any amd)
    fi
}

nothing=$out/nothing
mkdir -p "$nothing"
compile_runtime DYNAMIC "$nothing"
compile_alone on_dynamic.h "$nothing"
compile_alone on_dynamic_levels.h "$nothing"
compile_alone on_dynamic_tensor.h "$nothing"
if [ "$cuda" != - ] && [ "$hip" != - ]; then
    run_any "$cuda" "$hip"
fi
if [ "$cuda" != - ]; then
    compile_runtime CUDA_DRIVER "$cuda"
    compile_runtime CUDA_RUNTIME "$cuda"
    compile_alone on_runtime.h "$cuda"
    run_through_runtime "$cuda"
    compile_alone on_cuda.h "$cuda"
    compile_alone on-both.h "$cuda"
    compile_alone on_tensor.h "$cuda"
    compile_alone on_variants.h "$cuda"
    compile_alone on_levels.h "$cuda"
    run_variants cuda "$cuda"
    run_launcher cuda "$cuda"
    "$cc" -std=c99 -Wall -Wextra -Werror -I"$out" -isystem "$cuda" -fsyntax-only "$here/run_tensor.c"
    sanitized run_tensor cuda "$cuda"
    "$cc" -std=gnu11 -DDYNAMIC "-I$out" -isystem "$cuda" "$here/run_tensor.c" "$here/fake.c" -rdynamic -ldl -lpthread -o "$out/run_dynamic_tensor"
    library cuda libcuda.so.1 "$cuda"
    (cd "$out" && LD_LIBRARY_PATH=by_table ./run_dynamic_tensor)
    ran=yes
fi
if [ "$hip" != - ]; then
    compile_runtime HIP "$hip"
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
