#!/bin/sh
# The launcher of a chain on the recording driver: each kernel's arguments, the workspace, its rules, failing launches.
#   check_launcher.sh TKC SOURCE_DIR FOLDER CC CXX CUDA_INCLUDE
set -eu
tkc=$1 top=$2 out=$3 cc=$4 cxx=$5 cuda=$6
here=$top/tests/chains artifact=$top/tests/artifact
rm -rf "$out"
mkdir -p "$out"
cd "$out"
"$tkc" "$here/rows.tk" --no-fuse --target sm_80 -o rows.ptx
python3 -c 'import json; print([c["name"] for c in json.load(open("rows.json"))["chains"]])' >names
grep -qF "['hole', 'layer', 'three', 'flat']" names || { echo "chains of rows.json: $(cat names)"; exit 1; }

warn="-Wall -Wextra -pedantic -Wconversion -Wsign-conversion -Wshadow -Werror"
printf '#include "rows.h"\n' >alone.c
for standard in c99 c11; do
    "$cc" -std=$standard $warn -Wdeclaration-after-statement -isystem "$cuda" -fsyntax-only alone.c
done
"$cxx" -std=c++17 -x c++ $warn -Wold-style-cast -Wuseless-cast -isystem "$cuda" -fsyntax-only alone.c
"$cc" -std=gnu11 -Wall -Wextra -Werror -DDEPENDENT=0 -I. -I"$artifact" -isystem "$cuda" "$here/launcher.c" "$artifact/fake_cuda.c" "$artifact/fake.c" \
    -lpthread -o launcher
./launcher
"$cc" -std=gnu11 -Wall -Wextra -Werror -Wno-unused-function -DTKC_CHECK_APART -DDEPENDENT=0 -I. -I"$artifact" -isystem "$cuda" "$here/launcher.c" \
    "$artifact/fake_cuda.c" "$artifact/fake.c" -lpthread -o apart
./apart
for compiler in "$cc -std=c99" "$cxx -std=c++17 -x c++"; do
    $compiler $warn -DTKC_CHECK_APART -isystem "$cuda" -fsyntax-only alone.c
done

# Steps in one kernel: the same function with one launch, and a workspace of nothing. On sm_90 the launches of a chain that stay
# apart depend on each other; with an image of sm_80 beside it, whose code does not wait, they do not.
for chips in sm_90 sm_80,sm_90; do
    mkdir -p $chips
    "$tkc" "$here/rows.tk" --target $chips -o $chips/rows.ptx
    "$cc" -std=gnu11 -Wall -Wextra -Werror -DFUSED -DDEPENDENT=$([ $chips = sm_90 ] && echo 2 || echo 0) -I$chips -I"$artifact" \
        -isystem "$cuda" "$here/launcher.c" "$artifact/fake_cuda.c" "$artifact/fake.c" -lpthread -o launcher
    ./launcher
done

# Sizes choose between one kernel and two, and between a dependent launch and a plain one.
{ cat "$here/operands.tk"; printf '\n\nclass forms:\n    pass\n\n\nforms.chain = "narrow(x, h); product(h, b, y)"\n'
  printf '\n\nclass apart:\n    pass\n\n\napart.chain = "gate(x, g, h); product(h, b, y)"\n'; } >forms.tk
"$tkc" forms.tk -w 8 --target sm_90a -o forms.ptx
printf '#include "forms.h"\n' >alone.c
"$cc" -std=c99 $warn -isystem "$cuda" -fsyntax-only alone.c
"$cc" -std=gnu11 -Wall -Wextra -Werror -I. -I"$artifact" -isystem "$cuda" "$here/forms.c" "$artifact/fake_cuda.c" "$artifact/fake.c" -lpthread -o forms
./forms

# Many chains, with equal names of parameters.
"$tkc" "$here/many.tk" --target sm_90 -o many.ptx
printf '#include "many.h"\n' >alone.c
"$cc" -std=c99 $warn -isystem "$cuda" -fsyntax-only alone.c

# All configurations of the kernel behind merged steps are compiled, and no note names one.
{ cat "$here/rows.tk"; printf '\n\nclass behind:\n    pass\n\n\nbehind.chain = "norm(x, a, eps=1e-5); softmax(a, b); tuned(b, y)"\n'; } >behind.tk
"$tkc" behind.tk --target sm_90 -o behind.ptx 2>stderr || { cat stderr; exit 1; }
grep 'configuration 0 of' stderr && { echo "one configuration is told of"; exit 1; }

# One configuration: a kernel with a product of sizes has one variant, and its grid keeps it apart.
"$tkc" "$here/rows.tk" --config 0 --target sm_90 -o config.ptx

# The same source and flags: the same bytes. A launcher that opens its driver, and one of AMD's.
cp rows.h again.h
"$tkc" "$here/rows.tk" --no-fuse --target sm_80 -o rows.ptx
cmp rows.h again.h
"$tkc" "$here/rows.tk" --no-fuse --runtime dynamic --target sm_80,gfx942 --out-path dynamic --emit ptx --emit hsaco 2>/dev/null ||
    "$tkc" "$here/rows.tk" --no-fuse --runtime dynamic --target sm_80 -o dynamic.ptx
printf '#include "dynamic.h"\n' >alone.c
"$cc" -std=c99 $warn -fsyntax-only alone.c
"$cxx" -std=c++17 -x c++ $warn -Wold-style-cast -Wuseless-cast -fsyntax-only alone.c
