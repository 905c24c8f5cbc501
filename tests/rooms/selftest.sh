#!/bin/sh
# The checks of this folder fail on their faults: each fault is planted in a copy of the tree.
#
#   selftest.sh SOURCE_ROOT WORK_FOLDER
set -eu
root=$(cd "$1" && pwd)
rm -rf "$2"
mkdir -p "$2"
cd "$2"
here=$root/tests/rooms
failed=0

mkdir -p clean/tests
for folder in src passes dialects tools include examples cmake .clang-format; do
    cp -R "$root/$folder" clean
done
ln -s "$root"/tests/* clean/tests
cp -R clean tree

# Takes back the planted faults: copies the differing paths.
fresh() {
    diff -rq --no-dereference clean tree >planted || true
    sed -n -E 's,^(Files|File) clean/(.*) (and|is a .* while file) tree/.*$,\2,p
        s,^Only in (clean|tree): (.*)$,\2,p
        s,^Only in (clean|tree)/(.*): (.*)$,\2/\3,p' planted | while read -r at; do
        rm -rf "tree/$at"
        [ ! -e "clean/$at" ] || cp -R "clean/$at" "tree/$at"
    done
    diff -rq --no-dereference clean tree
}

# expect CHECK TEXT…: the check fails on the tree, or its $folder, and says each TEXT. That the checks pass without a fault is for tests of
# their own.
folder=
expect() {
    check=$1
    shift
    if sh "$here/$check" tree $folder >log 2>&1; then
        echo "$check does not see it: $*"
        failed=1
    fi
    for text in "$@"; do
        grep -qF "$text" log || {
            echo "$check does not say: $text"
            cat log
            failed=1
        }
    done
    fresh
}

echo '#include "passes/pass.h"' >>tree/src/support/strbuf.c
expect check_rooms.sh 'src/support may not use passes ("passes/pass.h")'

echo '  #  include "ir/context.h"' >>tree/src/frontend/syntax/lexer.h
expect check_rooms.sh 'src/frontend/syntax may not use src/ir'

echo '#include <llvm-c/Core.h>' >>tree/include/tkc/tkc.h
expect check_rooms.sh 'include/tkc may not use llvm-c'

if git init -q tree 2>/dev/null; then
    touch tree/notes.txt
    git -C tree add notes.txt
    expect check_rooms.sh 'the root holds notes.txt'
fi

echo '#include "support/attic.h"' >>tree/src/ir/build.c
expect check_rooms.sh 'cannot find "support/attic.h"'

echo 'int f(void) { return LLVMGetSwitchCaseValue(0); }' >>tree/src/lower/lower.c
expect check_llvm.sh 'LLVM 19 has no LLVMGetSwitchCaseValue'

mkdir tree/src/support/attic
echo 'int unused;' >tree/src/support/attic/unused.c
expect check_rooms.sh 'src/support/attic: has no row'

grep -v '^| `support` ' "$root/src/README.md" >tree/src/README.md
expect check_rooms.sh 'src/support: has no row'

rm -r tree/src/artifact
expect check_rooms.sh 'there is no folder `artifact`'

sed '/^| `support` /s/|[^|]*|$/| `ir` |/' "$root/src/README.md" >tree/src/README.md
expect check_rooms.sh 'names `ir`, which is not below it'

sed 's|^// requires: layouts$|// requires layouts|' "$root/passes/pipeline/reload.c" >tree/passes/pipeline/reload.c
sed 's|^// test: .*|// test:     tests/unit/test_attic.c|' "$root/passes/pipeline/peel.c" >tree/passes/pipeline/peel.c
sed '/PASS_PARTIAL_SUMS/d' "$root/passes/runner.c" >tree/passes/runner.c
expect check_passes.sh 'passes/pipeline/reload.c: the opening comment does not end in' \
    'passes/pipeline/peel.c: there is no tests/unit/test_attic.c' 'PARTIAL_SUMS stands in no order constraint'

sed 's|tests/unit/test_reload.c|tests/golden/passes/attic|' "$root/passes/pipeline/reload.c" >tree/passes/pipeline/reload.c
rm tree/tests/golden
mkdir -p tree/tests/golden/passes/attic
cp -R "$root/tests/golden/passes" tree/tests/golden
expect check_passes.sh 'passes/pipeline/reload.c: tests/golden/passes/attic has no case'

planted='(b, "arith.addi", const_i32(b, 1), doubled(b, x));'
printf 'static MlirValue planted(struct builder *b, MlirValue x) {\n    return build_binary%s\n}\n' "$planted" >>tree/passes/pipeline/peel.c
printf 'static LLVMValueRef planted(struct lowering *l, LLVMValueRef x) {\n    return joined(l, half(l, x),\n%s\n}\n' \
    '                  LLVMBuildNot(l->b, x, ""));' >>tree/src/lower/lower.c
expect check_order.sh 'arguments of build_binary build' 'arguments of joined build'

printf 'OPTION(options.planted, "attic", NULL, NULL, "does nothing")\n' >>tree/tools/tkc/options.def
sed -i 's/^    bool no_json;/&\n    bool planted;/' tree/include/tkc/tkc.h
expect check_options.sh 'option attic: no code reads what it sets' 'option attic (NULL): no test has it' \
    'options.planted is neither in the key of the cache'

printf 'BUILTIN("tl.attic", builtin_attic, "x")\n' >>tree/src/frontend/builtin/builtins.def
printf '\n\n@triton.jit\ndef attic(x):\n    return x\n' >>tree/src/frontend/library/standard.tk
expect check_tested.sh 'builtin tl.attic: no test calls it' 'standard.tk: no test calls attic'

printf 'struct planted {\n    struct map\n        split; // a comment\n};\n' >>tree/src/support/strbuf.h
expect check_format.sh 'src/support/strbuf.h'

printf 'int bare(int x) {\n    if (x > 0 &&\n        x < 3)\n        return 1;\n    return 0;\n}\n' >>tree/src/support/strbuf.c
expect check_format.sh 'this branch or loop has no braces'

# Faults for the formatter alone, if it is installed.
status=0
sh "$here/check_format.sh" tree src/support >log || status=$?
if [ $status != 77 ]; then
    echo 'int  spaced;' >>tree/src/support/strbuf.c
    folder=src/support expect check_format.sh 'src/support/strbuf.c'
fi

cat >>tree/src/driver/work.c <<'END'
static MlirValue planted(struct builder *b, MlirOperation op, intptr_t i) {
    MlirValue first = mlirOperationGetOperand(op, 1), second = mlirOperationGetOperand(value_op(for_init(op, i + 1)),
                                                                                       3 + i);
    mlirOperationSetOperand(op, 2, build_binary(b, OP_ADDI, first, second));
    return build_binary(b, "arith.addi", first, const_i32(b, op_int_or(op, ATTR_NUM_WARPS, 4)));
}
END
sh "$here/check_ops.sh" tree >log 2>&1 && failed=1
for text in 'operand 1 of an op by number' 'operand 3 + i of an op by number' 'operand 2 of an op by number' \
    'an op by its name, "arith.addi": say OP_ADDI' 'op_int gives ATTR_NUM_WARPS'; do
    grep -qF "$text" log || { echo "check_ops.sh does not see it: $text"; failed=1; }
done

# Two files calling each other, and a table of known circles without one of them.
mkdir -p build/CMakeFiles/tkc_core.dir/src/support
for pair in 'there here' 'here there'; do
    set -- $pair
    echo "void $1(void); void $2(void); void $2(void) { $1(); }" >tree/src/support/$2.c
    cc -c tree/src/support/$2.c -o build/CMakeFiles/tkc_core.dir/src/support/$2.c.o
done
sh "$here/check_circles.sh" tree build >log 2>&1 && failed=1
for text in '  src/support/here.c' '  src/support/there.c' "the circle 'parser' is gone"; do
    grep -qF "$text" log || { echo "check_circles.sh does not see it: $text"; failed=1; }
done

# A symbol in two archives, one in an archive and in an object, and a weak one.
echo 'int both, once; __attribute__((weak)) int weak;' >one.c
echo 'int both; __attribute__((weak)) int weak;' >two.c
echo 'int once; int main(void) { return 0; }' >main.c
cc -fno-common -c one.c two.c main.c
ar rc libone.a one.o
ar rc libtwo.a two.o
echo 'build bin/tool: C_EXECUTABLE_LINKER__tool_Release main.o | libone.a libtwo.a libone.a || order' >build.ninja
sh "$here/check_symbols.sh" . >log 2>&1 && failed=1
for text in 'both stands in libone.a:one.o and in libtwo.a:two.o (bin/tool)' 'once stands in libone.a:one.o and in main.o (bin/tool)'; do
    grep -qF "$text" log || { echo "check_symbols.sh does not see it: $text"; failed=1; }
done
[ "$(wc -l <log)" = 2 ] || { echo "check_symbols.sh says more:"; cat log; failed=1; }

rm -rf tree clean build log planted build.ninja one.* two.* main.* libone.a libtwo.a
exit $failed
