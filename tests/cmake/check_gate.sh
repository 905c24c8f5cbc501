#!/bin/sh
# The CI recipes of tools/tkc-diff/README.md, as they stand there, in a repository of their own: kernels pass while they are as the baseline has them
# or within the budget, and fail beyond it. Exits 77 (skipped) without git.
#   check_gate.sh TKC_BUILD FOLDER SOURCE_DIR
set -eu
tkc_build=$1 out=$2 top=$3
command -v git >/dev/null 2>&1 || exit 77
rm -rf "$out"
mkdir -p "$out/repository"
cd "$out/repository"

fail() {
    echo "failed: $*" >&2
    exit 1
}

block() { # the block behind a line "```$1" of the manual
    sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$top/tools/tkc-diff/README.md" | sed '1d;$d'
}
git() {
    command git -c user.name=tester -c user.email=tester@localhost -c init.defaultBranch=main "$@" >>../git.log 2>&1
}

cat >scale.tk <<'end'
import triton
import triton.language as tl


@triton.jit
def scale(x: "*fp32:16", y: "*fp32:16", n: "i32:16", BLOCK: tl.constexpr = 1024):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < n) * 3.0, mask=at < n)


scale.grid = lambda meta: (triton.cdiv(meta["n"], meta["BLOCK"]),)
end
{
    echo 'cmake_minimum_required(VERSION 3.20)'
    echo 'project(repository C)'
    block 'cmake gate'
} >CMakeLists.txt
grep -q tkc_gate_kernels CMakeLists.txt || fail "the manual has no project"
block 'sh recipe' >recipe.sh
grep -q tkc-diff recipe.sh || fail "the manual has no recipe"
git init .
git add scale.tk CMakeLists.txt
git commit -m "kernels"

# The project: no baseline fails, an accepted one passes, a constant is within the budget, a narrower load is not.
build() {
    cmake -G Ninja -S . -B build "-Dtkc_DIR=$tkc_build" >../log
    cmake --build build >>../log
    ctest --test-dir build --output-on-failure >>../log 2>&1
}
! build || fail "a test without a baseline passes"
cmake --build build --target kernels_accept >>../log
[ -s kernels/scale.ptx ] && [ -s kernels/scale.json ] && [ ! -e kernels/scale.h ] || fail "accepted: $(ls kernels)"
build || fail "accepted kernels fail: $(cat ../log)"
sed -i 's/3\.0/5.0/' scale.tk
build || fail "a constant fails: $(cat ../log)"
grep -q 'with another constant' build/tkc_gate/kernels.md || fail "no report: $(cat build/tkc_gate/kernels.md)"
sed -i 's/x: "\*fp32:16"/x: "*fp32"/' scale.tk
! build || fail "a hint taken away passes"
grep -q 'worse than allowed: scale.ptx: scale: instructions' ../log || fail "no reason: $(cat ../log)"

# Kernels of the target in other folders are compared, one without a source is gone, and other files of the baseline's folder stay.
sed -i 's/x: "\*fp32"/x: "*fp32:16"/' scale.tk
mkdir below
sed 's/scale/less/; s/5\.0/0.5/' scale.tk >below/less.tk
sed 's/scale/more/' scale.tk >more.tk
echo 'tkc_add_kernels(TARGET app SOURCES less.tk)' >below/CMakeLists.txt
cp CMakeLists.txt ../one.txt
sed -i 's/SOURCES scale.tk/SOURCES scale.tk more.tk/' CMakeLists.txt
echo 'add_subdirectory(below)' >>CMakeLists.txt
echo '{"choices": 1}' >kernels/choices.json
cp scale.tk kernels/scale.tk
build || fail "new kernels fail: $(cat ../log)"
cmake --build build --target kernels_accept >>../log
[ "$(cd kernels && echo *)" = "choices.json less.json less.ptx more.json more.ptx scale.json scale.ptx scale.tk" ] || fail "accepted: $(ls kernels)"
build || fail "accepted kernels of two folders fail: $(cat ../log)"
sed -i 's/x: "\*fp32:16"/x: "*fp32"/' below/less.tk
! build || fail "a hint taken away below passes"
sed -i 's/x: "\*fp32"/x: "*fp32:16"/' below/less.tk
sed -i 's/ more.tk//' CMakeLists.txt
! build || fail "a source that went passes"
grep -q 'more' ../log || fail "no kernel that went: $(cat ../log)"
cp ../one.txt CMakeLists.txt
rm -r below more.tk kernels/scale.tk kernels/choices.json
sed -i 's/x: "\*fp32:16"/x: "*fp32"/' scale.tk

# The recipe against a branch: the same source, then a worse one.
PATH=$tkc_build/bin:$PATH
export PATH
BASE=main
export BASE
rm -rf build
! sh -e recipe.sh 2>../recipe.log || fail "the recipe passes a hint taken away"
grep -q '^\*\*Kernels: worse' comment.md || fail "the comment: $(cat comment.md)"
git worktree remove --force base
git checkout scale.tk
sh -e recipe.sh 2>../recipe.log || fail "the recipe fails the same source: $(cat ../recipe.log)"
grep -q '^\*\*Kernels: same' comment.md || fail "the comment: $(cat comment.md)"
echo "the recipes gate kernels"
