#!/bin/sh
# The consumer project against tkc's build tree and against an install prefix: configures, builds, follows imports, and
# does nothing when nothing changed. The prefix has the tools and the headers.
#   check_package.sh TKC_BUILD FOLDER CUDA_HEADERS|-
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tkc_build=$1 out=$2 cuda=$3
[ "$cuda" != - ] || cuda=
rm -rf "$out"
mkdir -p "$out"
unset DESTDIR || true

fail() {
    echo "failed: $*" >&2
    exit 1
}

try_consumer() { # name, option that finds tkc
    name=$1 found=$2
    cp -r "$here/consumer" "$out/$name"
    cmake -G Ninja -S "$out/$name" -B "$out/$name/build" "$found" "-DCUDA_HEADERS=$cuda" >"$out/$name.log"
    kernels=$out/$name/build/tkc
    cmake --build "$out/$name/build" >>"$out/$name.log"
    for file in app/scale.sm_80.ptx app/scale.sm_90a.ptx app/scale.h app/scale.json app/shift.h both/scale.ptx \
        both/scale.hsaco both/scale.h; do
        [ -s "$kernels/$file" ] || fail "$name: $file was not written"
    done
    [ ! -e "$kernels/both/scale.sm_80.ptx" ] || fail "$name: one target a kind gets no suffix"
    [ "$("$out/$name/build/app")" = "kernels are in" ] || fail "$name: the program does not run"
    cmake --build "$out/$name/build" | grep -q "no work to do" || fail "$name: a second build does work"

    cp "$kernels/app/scale.sm_80.ptx" "$out/before"
    sleep 1
    sed 's/x \* FACTOR/x * FACTOR + 1/' "$here/consumer/common.tk" >"$out/$name/common.tk"
    cmake --build "$out/$name/build" >>"$out/$name.log"
    ! cmp -s "$out/before" "$kernels/app/scale.sm_80.ptx" || fail "$name: a changed import did not rebuild its user"
}

try_consumer from_build "-Dtkc_DIR=$tkc_build"
cmake --install "$tkc_build" --prefix "$out/prefix" >"$out/install.log"
for file in bin/tkc bin/tkc-diff bin/tkc-run bin/tkc-tune include/tkc/tkc.h include/tkc/tkc_runtime.h include/tkc/tkc_driver.h; do
    [ -s "$out/prefix/$file" ] || fail "$file is not installed"
done
"$out/prefix/bin/tkc-run" --help >"$out/tkc-run.help" || fail "the installed tkc-run does not run"
for language in c c++; do
    echo '#include <tkc/tkc.h>' | ${CC:-cc} -x $language -Wall -Werror -fsyntax-only "-I$out/prefix/include" - ||
        fail "the installed tkc.h does not compile as $language"
done
try_consumer from_prefix "-DCMAKE_PREFIX_PATH=$out/prefix"
echo "the package works from the build tree and from a prefix"
