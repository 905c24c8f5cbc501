# For the tests of this folder: set $tkc and $out first.
faults=0

# An empty folder to work in.
fresh() {
    rm -rf "$out"
    mkdir -p "$out"
    cd "$out" || exit 1
}

fail() {
    echo "failed: $*" >&2
    faults=$((faults + 1))
}

# expect STATUS TEXT ARGUMENTS…: tkc with these arguments ends so, and the text is in its output.
expect() {
    status=$1 text=$2
    shift 2
    "$tkc" "$@" >stdout 2>stderr </dev/null
    got=$?
    [ $got = "$status" ] || fail "tkc $*: status $got, not $status: $(cat stderr)"
    [ -z "$text" ] || grep -q -F -e "$text" stdout stderr || fail "tkc $*: no \"$text\" in: $(cat stdout stderr)"
    rm -f stdout stderr
}

finish() {
    [ $faults = 0 ] && echo "$1"
    [ $faults = 0 ]
}
