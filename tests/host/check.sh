#!/bin/sh
# check.sh PROGRAM ARGUMENT …: runs a host program and compares what it prints with 512 sums.
set -eu
printed=$("$@")
expected=$(awk 'BEGIN { for (i = 0; i < 512; i++) printf "%f + %f = %f\n", i, i, 2 * i }')
[ "$printed" = "$expected" ] || {
    echo "$1 printed:"
    printf '%s\n' "$printed" | head -n 5
    exit 1
}
