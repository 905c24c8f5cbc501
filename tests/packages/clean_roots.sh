#!/bin/sh
# The packages on clean Debian systems, by hand and as root (needs debootstrap, unshare, network, 3 GB a suite, some ten minutes):
#
#   clean_roots.sh BUILD FOLDER [SUITE …]          BUILD: of the release preset, all of it; suites: bookworm trixie
#
# makes the .deb, the tarball and the wheel. On a root of each suite, with nothing but a C compiler, CMake and Python's venv, it installs each of
# them alone, builds the project of consumer/, runs that against the stub driver of tests/host, and removes the package. lintian looks at
# the .deb, man --warnings at its pages. Bazel and Meson make kernels in two folders each, which must hold the same bytes.
# Roots stay in FOLDER for the next time.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
shift 2
[ $# -gt 0 ] || set -- bookworm trixie
packages=$folder/packages

fail() {
    echo "failed: $*" >&2
    exit 1
}

# Runs a shell script in a root, with a /proc of its own. in_root ROOT SCRIPT [ARGUMENT …]
in_root() {
    root=$1 script=$2
    shift 2
    unshare --mount --pid --fork --mount-proc="$root/proc" chroot "$root" env -i HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -euc "$script" sh "$@" </dev/null
}

# A root of the suite with these Debian packages beside the smallest system, made once. make_root NAME SUITE [PACKAGE …]
make_root() {
    name=$1 suite=$2
    shift 2
    [ ! -e "$folder/$name/made" ] || return 0
    echo "making $name"
    rm -rf "${folder:?}/$name"
    debootstrap --variant=minbase "$suite" "$folder/$name" http://deb.debian.org/debian >"$folder/$name.log" 2>&1 || fail "see $folder/$name.log"
    cp /etc/resolv.conf "$folder/$name/etc/resolv.conf"
    in_root "$folder/$name" 'apt-get update -q; apt-get install -y -q --no-install-recommends "$@"; apt-get clean' "$@" >>"$folder/$name.log" 2>&1 ||
        fail "see $folder/$name.log"
    touch "$folder/$name/made"
}

make_packages() {
    rm -rf "$packages"
    mkdir -p "$packages"
    (cd "$build" && cpack -G DEB -B "$packages" && cpack -G TGZ -B "$packages") >"$folder/cpack.log" 2>&1 || fail "see $folder/cpack.log"
    cmake --install "$build" --prefix "$packages/prefix" --strip >"$folder/install.log" 2>&1 || fail "see $folder/install.log"
    python3 "$here/../../tools/packages/wheel.py" "$packages/prefix" -o "$packages" --level 1 >/dev/null
    rm -rf "$packages/prefix" "$packages/_CPack_Packages"
    cp -r "$here/consumer" "$here/../../examples/vector_add.tk" "$here/../host/check.sh" "$build/tests/stub" "$packages/"
    ls -l "$packages"
}

# In a root: builds the project with tkc at a prefix and runs it; the embedded compiler and the program are of one version.
consumer='rm -rf /out /app
cp -r /packages/consumer /app
cp /packages/vector_add.tk /app
cmake -S /app -B /out -DCMAKE_PREFIX_PATH="$1"
cmake --build /out
LD_LIBRARY_PATH=/packages/stub sh /packages/check.sh /out/app
[ "tkc $(/out/version)" = "$("$1"/bin/tkc --version | cut -d " " -f 1-2)" ]
"$1"/bin/tkc-run /app/vector_add.tk -a "x=rand(5000):fp32" -a "y=rand(5000):fp32" -a "z=empty(5000):fp32" -a n=5000
! /out/app 2>/out/without_driver
grep error /out/without_driver'

# The parts of an installed system: files and the state of packages, without what apt and dpkg note.
listing='find / -xdev -path /proc -prune -o -path /packages -prune -o -path /out -prune -o -path /app -prune -o -path /before -prune -o \
    -path /after -prune -o -path /var/cache -prune -o -path /var/log -prune -o -path /var/lib/apt -prune -o -path /var/lib/dpkg -prune -o \
    -path /root -prune -o -path /tmp -prune -o ! -name ld.so.cache ! -name "*.pyc" ! -name __pycache__ -print | sort; dpkg-query -W'

deb='( '$listing' ) >/before
apt-get install -y -q --no-install-recommends /packages/tkc_*.deb
dpkg -s tkc | grep Depends
( '$consumer' )
apt-get purge -y -q tkc
( '$listing' ) >/after
diff /before /after'

tarball='mkdir /somewhere
tar -xzf /packages/tkc-*.tar.gz -C /somewhere
( '$consumer' )
rm -rf /somewhere'

wheel='python3 -m venv /venv
/venv/bin/pip install -q --no-index /packages/tkc_compiler-*.whl
( '$consumer' )
/venv/bin/python -m tkc_compiler --version
/venv/bin/pip uninstall -q -y tkc_compiler
[ -z "$(find /venv -name "*tkc*")" ]
rm -rf /venv'

look='apt-get install -y -q --no-install-recommends /packages/tkc_*.deb
lintian --allow-root --fail-on error,warning,info /packages/tkc_*.deb
for page in $(dpkg -L tkc | grep "/man/.*gz$"); do
    MANROFFSEQ= man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>>/said >/dev/null
done
cat /said
[ ! -s /said ]'

bazel='mkdir -p /first /second
apt-get install -y -q --no-install-recommends /packages/tkc_*.deb
for place in /first /second; do
    mkdir -p $place/workspace/tools $place/workspace/app
    cp /packages/tkc.bzl $place/workspace/tools
    cp /packages/vector_add.tk $place/workspace/app
    touch $place/workspace/tools/BUILD.bazel
    cat >$place/workspace/WORKSPACE <<END
load("//tools:tkc.bzl", "tkc_local")
tkc_local(name = "tkc", path = "/usr")
END
    cat >$place/workspace/app/BUILD.bazel <<END
load("//tools:tkc.bzl", "tkc_kernels")
tkc_kernels(name = "kernels", srcs = ["vector_add.tk"], targets = ["sm_80", "sm_90a"])
END
    (cd $place/workspace && HOME=$place bazel --output_user_root=$place/cache build //app:kernels && bazel --output_user_root=$place/cache shutdown)
done
find /first/workspace/bazel-bin/app/kernels/ -type f | grep vector_add.h
diff -r /first/workspace/bazel-bin/app/kernels/ /second/workspace/bazel-bin/app/kernels/'

meson='apt-get install -y -q --no-install-recommends /packages/tkc_*.deb
for place in /first /second; do
    mkdir -p $place/project
    cp /packages/meson.build /packages/vector_add.tk $place/project
    echo "int main(void) { return 0; }" >$place/project/main.c
    meson setup $place/out $place/project
    meson compile -C $place/out
    (cd $place/out && cp vector_add.h vector_add.*.ptx vector_add.json .. && rm -rf $place/out $place/project)
done
ls /first
diff -r /first /second'

# On a copy of a root: attempt ROOT WHAT SCRIPT [ARGUMENT]
attempt() {
    base=$1 what=$2 script=$3 log=$folder/$1-$2.log
    rm -rf "$folder/copy"
    cp -a --reflink=auto "$folder/$base" "$folder/copy"
    cp -r "$packages" "$folder/copy/packages"
    shift 3
    if in_root "$folder/copy" "$script" "$@" >"$log" 2>&1; then
        echo "$base: $what works"
    else
        tail -n 5 "$log"
        echo "$base: $what FAILED, see $log"
        failed=yes
    fi
    rm -rf "$folder/copy"
}

failed=no
make_packages
cp "$here/../../tools/packages/tkc.bzl" "$here/../../tools/packages/meson.build" "$packages"
inside=/somewhere/$(tar -tzf "$packages"/tkc-*.tar.gz | head -n 1 | cut -d / -f 1)
for suite; do
    make_root "$suite" "$suite" gcc libc6-dev cmake make python3-venv
    attempt "$suite" deb "$deb" /usr
    attempt "$suite" tarball "$tarball" "$inside"
    attempt "$suite" wheel "$wheel" /venv
    make_root "$suite-tools" "$suite" gcc libc6-dev lintian man-db groff meson bazel-bootstrap
    attempt "$suite-tools" look "$look"
    attempt "$suite-tools" meson "$meson"
    attempt "$suite-tools" bazel "$bazel"
done
[ $failed = no ]
