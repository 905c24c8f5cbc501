#!/bin/sh
# Brings the build up to date and runs the whole suite. Arguments go to ctest:  sh tools/test.sh -R unit.layout
# PRESET=dev or PRESET=asan tests another build than the release one. --coverage, first, tests a build with counts of the lines that
# run, and prints a table of them by folder (coverage.sh); tests take several times as long.
set -eu
cd "$(dirname "$0")/.."
preset=${PRESET:-release}
if [ "${1-}" = --coverage ]; then
    preset=coverage
    shift
fi
case $preset in
release) folder=build ;;
*) folder=build-$preset ;;
esac

if [ ! -f $folder/build.ninja ]; then
    cmake --preset "$preset"
fi
cmake --build --preset "$preset"

log=$folder/test.log
status=0
ctest --preset "$preset" -j "$(getconf _NPROCESSORS_ONLN)" "$@" >$log 2>&1 </dev/null || status=$?
cat $log

# The closing line counts test programs and, inside them, the cmocka cases.
cases=$(cat $folder/Testing/Temporary/LastTest.log 2>/dev/null | sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' |
    awk '{ sum += $1 } END { print sum + 0 }')
passed=$(grep -c '  *Passed ' $log || true)
skipped=$(grep -c '\*\*\*Skipped' $log || true)
failed=$(grep -c -E '\*\*\*(Failed|Timeout|Exception|Not Run)' $log || true)
# Kernels run in the emulator, per chip.
grep -h -E '^(sm_|gfx)[0-9a-z]+ +[0-9]+ kernels' $folder/Testing/Temporary/LastTest.log 2>/dev/null || true
echo "tests: $passed passed, $failed failed, $skipped skipped; $cases unit cases passed inside them"
if [ $preset = coverage ]; then
    sh tools/coverage.sh $folder
fi
exit $status
