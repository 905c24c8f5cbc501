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

try_consumer() { # name, option for tkc's place
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
for file in bin/tkc bin/tkc-diff bin/tkc-run bin/tkc-tune include/tkc/tkc.h include/tkc/tkc_runtime.h include/tkc/tkc_driver.h \
    include/tkc/tkc_symmetric.h; do
    [ -s "$out/prefix/$file" ] || fail "$file is not installed"
done
for file in share/man/man1/tkc.1 share/bash-completion/completions/tkc share/zsh/site-functions/_tkc-run \
    share/fish/vendor_completions.d/tkc-diff.fish share/doc/tkc/LICENSE share/doc/tkc/copyright; do
    [ -s "$out/prefix/$file" ] || fail "$file is not installed"
done
! grep -rlF "$tkc_build" "$out/prefix/lib/cmake" "$out/prefix/share" || fail "installed files name the build"
if [ -e "$out/prefix/lib/libtkc.so" ] && command -v pkg-config >/dev/null; then
    mv "$out/prefix" "$out/moved" # installed files hold no path
    PKG_CONFIG_PATH=$out/moved/lib/pkgconfig
    export PKG_CONFIG_PATH
    # shellcheck disable=SC2046
    ${CC:-cc} "$here/../library/consumer.c" $(pkg-config --cflags --libs tkc) -o "$out/consumer" || fail "pkg-config does not link"
    LD_LIBRARY_PATH=$out/moved/lib "$out/consumer" >"$out/consumer.ptx" || fail "a program with the moved library does not run"
    grep -q '\.entry k(' "$out/consumer.ptx" || fail "a program with the moved library writes no kernel"
    mv "$out/moved" "$out/prefix"
fi
"$out/prefix/bin/tkc-run" --help >"$out/tkc-run.help" || fail "the installed tkc-run does not run"
for language in c c++; do
    echo '#include <tkc/tkc.h>' | ${CC:-cc} -x $language -Wall -Werror -fsyntax-only "-I$out/prefix/include" - ||
        fail "the installed tkc.h does not compile as $language"
done
try_consumer from_prefix "-DCMAKE_PREFIX_PATH=$out/prefix"
# A wheel of the installation, without times of day, and its installation by pip.
if python3 -m pip --version >/dev/null 2>&1; then
    wheel=$(python3 "$here/../../tools/packages/wheel.py" "$out/prefix" -o "$out" --level 0)
    python3 -c 'import sys, zipfile
sys.exit(any(entry.date_time[0] != 1980 for entry in zipfile.ZipFile(sys.argv[1]).infolist()))' "$wheel" || fail "the wheel has times"
    python3 -m pip install -q --no-index --no-deps --no-compile --root-user-action=ignore --prefix "$out/python" "$wheel" >"$out/pip.log" 2>&1 ||
        fail "pip: $(cat "$out/pip.log")"
    [ "$("$out/python/bin/tkc" --version)" = "$("$out/prefix/bin/tkc" --version)" ] || fail "the wheel's tkc does not run"
    modules=$(dirname "$(find "$out/python" -name tkc_torch.py)")
    [ -s "$modules/tkc_jax.py" ] && [ -s "$modules/tkc_compiler/__main__.py" ] || fail "the wheel's modules"
    [ -s "$out/python/lib/cmake/tkc/tkc-config.cmake" ] || fail "the wheel has no CMake package"
    if [ -e "$out/prefix/lib/libtkc.so" ]; then
        ${CC:-cc} "$here/../library/consumer.c" "-I$out/python/include" "-L$out/python/lib" -ltkc -o "$out/consumer" || fail "the wheel's library does not link"
        LD_LIBRARY_PATH=$out/python/lib "$out/consumer" | grep -q '\.entry k(' || fail "a program with the wheel's library does not run"
    fi
fi
echo "the package works from the build tree and from a prefix"
