#!/bin/sh
# Random kernels on a card, by several processes: card.sh RANDOM_DEVICE FOLDER FIRST LAST [--hostile] [--narrow]. FOLDER holds the PTX
# that `random_test --emit FOLDER` wrote. A process has 25 kernels; behind one that ends it (an error of the driver, no end in time) the
# next process begins. Prints failures, then a line with the sums of all, and exits with 1 after any failure, 77 without a card.
set -u
[ $# -ge 4 ] || { echo "usage: card.sh RANDOM_DEVICE FOLDER FIRST LAST [--hostile] [--narrow]" >&2; exit 2; }
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT
export DEVICE="$1" FOLDER="$2" LAST="$4" LOG="$log"
first=$3
shift 4
export OPTIONS="$*"
"$DEVICE" "$FOLDER" "$first-$first" $OPTIONS >"$log/first"
[ $? -ne 77 ] || { cat "$log/first"; exit 77; }
rm "$log/first"
seq "$first" 25 "$LAST" | xargs -P 8 -I FROM sh -c '
    next=FROM to=$((FROM + 24))
    [ $to -le $LAST ] || to=$LAST
    while [ $next -le $to ]; do
        timeout 900 "$DEVICE" "$FOLDER" $next-$to $OPTIONS >"$LOG/$next" 2>&1
        bad=$(sed -n "s/^  at seed //p; s/^  seed \([0-9]*\): took too long/\1/p" "$LOG/$next" | tail -1)
        [ -n "$bad" ] || break
        next=$((bad + 1))
    done'
cat "$log"/* | grep -v '^[0-9]* random kernels: '
cat "$log"/* | awk '
    / random kernels: / { split($0, n, /[^0-9]+/); for (i = 1; i <= 5; i++) sum[i] += n[i] }
    /at seed|took too long/ { ended++ }
    END { printf "%d random kernels: %d passed, %d failed; %d are not legal, %d have no PTX; %d ended their process\n",
                 sum[1], sum[2], sum[3], sum[4], sum[5], ended; exit sum[3] + ended > 0 || !sum[1] }'
