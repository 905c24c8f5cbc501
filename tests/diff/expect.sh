# For the tests of this folder, called as check_NAME.sh TKC_DIFF TKC SOURCE_DIR FOLDER.
set -u
diff=$1 tkc=$2 top=$3 out=$4
here=$top/tests/diff
. "$top/tests/cli/expect.sh"
fresh

# compile SOURCE OUTPUT OPTIONS…
compile() {
    source=$1 output=$2
    shift 2
    "$tkc" "$source" -o "$output" "$@" 2>log || fail "tkc $source $*: $(cat log)"
}

# verdict STATUS TEXT ARGUMENTS…: tkc-diff ends so, and each line of the text is in what it prints; a line "! …" is not.
verdict() {
    status=$1 text=$2
    shift 2
    "$diff" "$@" >printed 2>&1 </dev/null
    got=$?
    [ $got = "$status" ] || fail "tkc-diff $*: status $got, not $status: $(cat printed)"
    printf '%s\n' "$text" >wanted
    while IFS= read -r line; do
        case $line in
        '! '*) ! grep -q -F -e "${line#! }" printed || fail "tkc-diff $*: \"${line#! }\" in: $(cat printed)" ;;
        ?*) grep -q -F -e "$line" printed || fail "tkc-diff $*: no \"$line\" in: $(cat printed)" ;;
        esac
    done <wanted
}
