#!/bin/sh
# Second forms of kernels (passes/specialise/paired_form.c): what tkc writes of them, and the launches of tkc-run that take them.
#   check_forms.sh TKC TKC_RUN SOURCE_DIR FOLDER
set -u
tkc=$1 run=$2 top=$3 out=$4
. "$top/tests/cli/expect.sh"
fresh
kernels=$top/tests/lang/rows.tk
heads="-n softmax_heads -D HEADS=2 -D GROUP=2"

has() { # FILE TEXT
    grep -q -F -e "$2" "$1" || fail "$1: no \"$2\""
}
count() { # NUMBER FILE PATTERN
    [ "$(grep -c -e "$3" "$2")" = "$1" ] || fail "$2: not $1 times $3"
}
entry() { # FILE NAME
    sed -n "/^\.visible \.entry $2(/,/^}/p" "$1"
}

# ---- what is written: the kernel itself stays as it was ----

expect 0 ': remark: softmax_heads on sm_90a: launches of 3 programs a multiprocessor and more, of 20 steps and more, take a second form if they fill whole rounds, softmax_heads$paired: on 16 warps' \
    "$kernels" $heads -w 8 -t sm_90a -o two.ptx --remarks=rows
expect 0 '' "$kernels" $heads -w 8 -t sm_90a -o one.ptx --without=paired_form
entry two.ptx softmax_heads >two
entry one.ptx softmax_heads >one
[ -s one ] && cmp two one || fail "the kernel changes"
count 1 two.ptx '^\.visible \.entry softmax_heads$paired('
count 1 one.ptx '^\.visible \.entry'
count 0 one.json paired
count 0 one.h paired
has two.json '"paired": {"name": "softmax_heads$paired", "together": 2, "programs": 3, "least_steps": 20, "steps": "tkc_max(0, tkc_cdiv(tkc_min(S, '
has two.h '// A launch on sm_90a of 3 programs a multiprocessor or more, of 20 steps or more each,'

expect 0 'softmax_heads$paired  sm_90a' "$kernels" $heads -w 8 -t sm_90a -o two.ptx --resource-usage

# ---- other configurations and chips have one form ----

for other in "-w 16 -t sm_90a" "-w 4 -t sm_90a" "-w 8 -t sm_80" "-w 8 -t sm_90a --no-tensor-maps"; do
    expect 0 '' "$kernels" $heads $other -o other.ptx
    count 1 other.ptx '^\.visible \.entry'
done

# ---- launches: the emulator has two multiprocessors, so that 6 programs are many, and 4 a round ----

launch() { # TEXT GRID ROWS
    tkc=$run
    expect 0 "$1 on sm_90a: " "$kernels" $heads -w 8 --on sm_90a --no-checks -g "$2" -a "q=rand($(($3 * 128)),seed=1):bf16" \
        -a "k=rand($(($3 * 64)),seed=2):bf16" -a "v=rand($(($3 * 64)),seed=3):bf16" -a "y=zeros($(($3 * 128))):fp32" -a "S=$3"
    tkc=$1
}
launch 'softmax_heads$paired' 18,2 2304 # 20 steps in the program in the middle
launch softmax_heads 17,2 2176          # 18
launch softmax_heads 2,2 200            # few programs
finish "forms are right"
