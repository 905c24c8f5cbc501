#!/bin/sh
# Manual pages and completions of the tools: each has every option of --help, shells take the files, and bash completes by them. man,
# bash, zsh and fish are asked if they are installed.
#   check_pages.sh BIN_FOLDER OUT
set -eu
bin=$1 out=$2
rm -rf "$out"
mkdir -p "$out"
cd "$out"
PATH=$bin:$PATH

fail() {
    echo "failed: $*" >&2
    exit 1
}

has() {
    command -v "$1" >/dev/null 2>&1
}

for tool in tkc tkc-run tkc-diff tkc-tune; do
    $tool --print-man >$tool.1
    for shell in bash zsh fish; do
        $tool --print-completion=$shell >$tool.$shell
        ! has $shell || $shell -n $tool.$shell || fail "$shell does not read the completion of $tool"
    done
    $tool --help | grep -oE '^ +(-[A-Za-z]+, )?--[a-z-]+' | sed 's/.*--/--/' | sort -u >options
    [ "$(wc -l <options)" -ge 10 ] || fail "$tool --help is not read"
    sed 's/\\-/-/g' $tool.1 >plain
    while read -r option; do
        grep -qF -e "\\fB$option\\fR" plain || fail "$option of $tool is not in its manual page"
        grep -qF -e "$option " $tool.bash || fail "$option of $tool is not completed by bash"
        grep -qF -e "'*$option" $tool.zsh || fail "$option of $tool is not completed by zsh"
        grep -qF -e "-l ${option#--} " $tool.fish || fail "$option of $tool is not completed by fish"
    done <options
    if has man; then
        LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=100 man --warnings -E UTF-8 -l $tool.1 >$tool.text 2>warnings
        [ ! -s warnings ] || fail "man warns of $tool.1: $(cat warnings)"
    fi
done
grep -q '^\.SH EXIT STATUS' tkc.1 || fail "the manual page has no exit status"

# completes ANSWER WORDS…: bash's offer for the last word.
completes() {
    answer=$1
    shift
    got=$(bash -c 'source ./tkc.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tkc; echo "${COMPREPLY[@]}"' bash "$@")
    [ "$got" = "$answer" ] || fail "bash completes \"$*\" to \"$got\", not \"$answer\""
}
if has bash; then
    completes always tkc --color = al
    completes sm_80,gfx942 tkc -t sm_80,gfx94
    completes pipeline tkc --dump-after pipel
    completes all tkc --dump-after al
    completes --print-passes tkc --print-p
    completes '' tkc --grid x
fi
! tkc --print-completion=csh 2>wrong || fail "a shell that is not known is taken"
grep -q 'knows bash|zsh|fish, not "csh"' wrong || fail "$(cat wrong)"
echo "manual pages and completions are whole"
