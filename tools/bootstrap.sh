#!/bin/sh
# From a fresh clone to four artifacts: installs missing packages (as root, on Debian 12 or 13), builds the
# release preset in build/ and compiles examples/matmul.tk for an NVIDIA and an AMD GPU. Without root it checks, and
# names the missing ones and how to get them.
#
#   sh tools/bootstrap.sh [--no-install] [--packages-only]
set -eu
cd "$(dirname "$0")/.."

install=yes
packages_only=no
for argument in "$@"; do
    case $argument in
    --no-install) install=no ;;
    --packages-only) packages_only=yes ;;
    *) echo "usage: sh tools/bootstrap.sh [--no-install] [--packages-only]" >&2; exit 2 ;;
    esac
done

# Build: compiler, CMake, LLVM, MLIR. Run: LLD for .hsaco. Tests: cmocka, a locale with a decimal comma, and the HIP headers.
# g++ is here for libstdc++ alone: LLVM is C++ inside, tkc is not.
packages="gcc g++ cmake ninja-build llvm-22-dev libmlir-22-dev lld-22 zlib1g-dev libzstd-dev libcmocka-dev locales"
optional="ccache libamdhip64-dev"

have_package() {
    [ "$(dpkg-query -W -f '${Status}' "$1" 2>/dev/null)" = "install ok installed" ]
}

list_missing() {
    for package in "$@"; do
        have_package "$package" || printf '%s ' "$package"
    done
}

install_packages() {
    missing=$(list_missing $packages)
    wanted=$(list_missing $optional)
    [ -n "$missing$wanted" ] || return 0
    if [ "$install" = no ] || [ "$(id -u)" != 0 ]; then
        [ -z "$wanted" ] || echo "bootstrap: not installed (useful, not needed): $wanted"
        [ -n "$missing" ] || return 0
        echo "bootstrap: missing packages: $missing" >&2
        echo "bootstrap: install them with:  sudo apt-get install $missing" >&2
        exit 1
    fi
    echo "bootstrap: installing $missing$wanted"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q </dev/null
    if [ -n "$missing" ]; then
        apt-get install -y -q --no-install-recommends $missing </dev/null
    fi
    for package in $wanted; do
        apt-get install -y -q --no-install-recommends "$package" </dev/null ||
            echo "bootstrap: $package could not be installed; going on without it"
    done
}

# Elsewhere than on Debian and Ubuntu the tools themselves are looked for.
check_tools() {
    missing=
    for tool in cc c++ cmake ninja; do
        command -v $tool >/dev/null 2>&1 || missing="$missing $tool"
    done
    command -v llvm-config-22 >/dev/null 2>&1 || [ -x /usr/lib/llvm-22/bin/llvm-config ] ||
        missing="$missing llvm-config-22"
    if [ -n "$missing" ]; then
        echo "bootstrap: missing tools:$missing" >&2
        echo "bootstrap: install a C and a C++ compiler, CMake 3.22, Ninja, LLVM 22, MLIR 22 and LLD 22" >&2
        exit 1
    fi
}

if command -v dpkg-query >/dev/null 2>&1; then
    install_packages
fi
check_tools
[ "$packages_only" = no ] || exit 0

began=$(date +%s)
cmake --preset release
cmake --build --preset release
echo "bootstrap: built in $(($(date +%s) - began)) s"

mkdir -p build/out
rm -f build/out/matmul.*
began=$(date +%s%N)
build/bin/tkc examples/matmul.tk -o build/out/matmul.ptx -o build/out/matmul.hsaco
ended=$(date +%s%N)
echo "bootstrap: compiled examples/matmul.tk in $(((ended - began) / 1000000)) ms:"
for suffix in ptx hsaco h json; do
    printf '  %-24s %8d bytes\n' "build/out/matmul.$suffix" "$(wc -c <build/out/matmul.$suffix)"
done
