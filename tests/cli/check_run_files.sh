#!/bin/sh
# What tkc-run writes is none of what it reads: the kernel file, its imports, arrays; and nothing is written twice.
#   check_run_files.sh TKC_RUN SOURCE_DIR FOLDER
set -u
tkc=$1 top=$2 out=$3
. "$top/tests/cli/expect.sh"
fresh

printf 'from helper import helped\nimport triton\nimport triton.language as tl\n\n@triton.jit\ndef k(x: "*fp32", y: "*fp32"):\n    helped(x, y)\nk.grid = (1,)\n' >k.tk
printf 'import triton\nimport triton.language as tl\n\n@triton.jit\ndef helped(x, y):\n    tl.store(y, tl.load(x))\n' >helper.tk
expect 0 '' k.tk -q --arg 'x=ones(4):fp32' --arg 'y=zeros(4):fp32' --out x=x.npy --out y=y.npy --plot shared=s.svg
mkdir sub
ln -s ../x.npy sub/link.npy
ln y.npy hard.npy
before=$(cksum ./*)

# refused TEXT ARGUMENTS…: status 2, and every file is as it was.
refused() {
    text=$1
    shift
    expect 2 "$text" k.tk -q "$@"
    [ "$before" = "$(cksum ./*)" ] || fail "tkc-run $*: files changed"
}

fixed='--arg y=zeros(4):fp32'
refused 'the array saved by --out "k.tk" would overwrite the kernel file "k.tk"' --arg 'x=ones(4):fp32' $fixed --out x=k.tk
refused 'would overwrite the kernel file' --arg 'x=ones(4):fp32' $fixed --plot shared=./sub/../k.tk
refused 'would overwrite the import "helper.tk"' --arg 'x=ones(4):fp32' $fixed --out y=helper.tk
refused 'would overwrite the import "helper.tk"' --arg 'x=ones(4):fp32' $fixed --plot shared=helper.tk
refused 'would overwrite the argument "x.npy"' --arg x=x.npy $fixed --out y=x.npy
refused 'would overwrite the argument "x.npy"' --arg x=x.npy:fp32 $fixed --out y=sub/link.npy
refused 'would overwrite the expected array "y.npy"' --arg 'x=ones(4):fp32' $fixed --expect y=y.npy --out y=hard.npy
refused 'would overwrite the array saved by --out "./z.npy"' --arg 'x=ones(4):fp32' $fixed --out x=z.npy --out y=./z.npy
refused 'would overwrite the drawing "z.npy"' --arg 'x=ones(4):fp32' $fixed --out x=z.npy --plot shared=z.npy
expect 0 '' k.tk -q --arg x=x.npy $fixed --expect y=y.npy --atol 2 --out y=new.npy
expect 1 'cannot write no/y.npy' k.tk -q --arg x=x.npy $fixed --out y=no/y.npy

finish "tkc-run's files are safe"
