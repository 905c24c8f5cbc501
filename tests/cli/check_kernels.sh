#!/bin/sh
# Kernels as they are found: without signatures, with configurations, as parts of packages.
#   check_kernels.sh TKC SOURCE_DIR FOLDER
set -u
tkc=$1 top=$2 out=$3
. "$top/tests/cli/expect.sh"
fresh

# The note about configurations names the compiled one, also if flags decided.
cat >tuned.py <<'END'
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 64}, num_warps=2), triton.Config({"BLOCK": 128})], key=["n"])
@triton.jit
def tuned(x, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + o, 1.0, mask=o < n)
END
expect 0 'configuration 0 of 2 is compiled (BLOCK=64, num_warps=2, num_stages=3)' tuned.py -s '*fp32, i32' -o - --target sm_80
expect 0 'configuration 1 of 2 is compiled (BLOCK=32, num_warps=8, num_stages=5)' tuned.py -s '*fp32, i32' -o - \
    --target sm_80 --config 1 -v -D BLOCK=32 --num-warps 8 --num-stages 5
expect 0 '(BLOCK=256, num_warps=2, num_stages=3)' tuned.py -s '*fp32, i32, 256' -o - --target sm_80

# No configuration is one of defaults.
sed 's/configs=\[.*\], key/configs=[], key/' tuned.py >untuned.py
expect 0 'ntid' untuned.py -s '*fp32, i32, 64' -o - --target sm_80
expect 1 'configs is not a list of triton.Config' untuned.py -s '*fp32, i32, 64' -o - --config 1

# TorchInductor puts helpers ahead of its kernel.
cat >helper.py <<'END'
import triton
import triton.language as tl
from torch._inductor.runtime import triton_helpers, triton_heuristics


@triton.jit
def _triton_helper_fn_add0(a, b):
    return a + b


@triton_heuristics.pointwise(
    size_hints={'x': 256},
    triton_meta={'signature': {'in_ptr0': '*fp32', 'out_ptr0': '*fp32', 'xnumel': 'i32', 'XBLOCK': 'constexpr'}, 'constants': {}},
)
@triton.jit
def triton_scan_0(in_ptr0, out_ptr0, xnumel, XBLOCK: tl.constexpr):
    x = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)
    tmp0, = tl.associative_scan((tl.load(in_ptr0 + x, x < xnumel),), 0, _triton_helper_fn_add0)
    tl.store(out_ptr0 + x, tmp0, x < xnumel)
END
expect 0 '.entry triton_scan_0(' helper.py -o - --target sm_80

# tl.const without a type of its own: the signature's pointer is read-only.
cat >constant.py <<'END'
import triton
import triton.language as tl


@triton.jit
def copy(x: tl.const, y):
    tl.store(y, tl.load(x))


@triton.jit
def swap(x: tl.const, y):
    tl.store(x, tl.load(y))
END
expect 0 '' constant.py -n copy -s '*fp32, *fp32' -o - --target sm_80
expect 1 'tl.store writes through a constant pointer' constant.py -n swap -s '*fp32, *fp32' -o - --target sm_80

# Objects as parameters: the signature names the class, or the annotation does.
cat >object.py <<'END'
from typing import NamedTuple

import triton
import triton.language as tl


class Row(NamedTuple):
    start: tl.tensor
    count: tl.tensor


@triton.jit
def named(row, y):
    tl.store(y, tl.load(row.start), mask=row.count > 0)


@triton.jit
def annotated(row: Row, y):
    tl.store(y, tl.load(row.start), mask=row.count > 0)
END
expect 0 'named_param_1' object.py -n named -s 'Row(*fp32, i32), *fp32' -o - --target sm_80
expect 0 '"name": "row_count", "type": "i32"' object.py -n annotated -s '(*fp32, i32), *fp32' --emit=json -o -
expect 1 'parameter row: Row has 2 fields, and 1 is given' object.py -n named -s 'Row(*fp32), *fp32' -o - --target sm_80

# Limits of registers and clusters, in a configuration and as flags.
cat >limits.py <<'END'
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({}, maxnreg=64), triton.Config({}, num_ctas=2)], key=[])
@triton.jit
def limits(x: "*fp32", num_ctas: tl.constexpr):
    tl.store(x + tl.arange(0, 128), num_ctas)
END
"$tkc" limits.py --target sm_80 -o - 2>log | grep -q '^\.maxnreg 64' || fail "maxnreg of a configuration"
"$tkc" limits.py --target sm_80 --maxnreg 40 -o - 2>log | grep -q '^\.maxnreg 40' || fail "--maxnreg"
expect 2 'wants a number from 24 to 255' limits.py --maxnreg 2
cat >kept.py <<'END'
import triton
import triton.language as tl
from torch._inductor.runtime import triton_heuristics


@triton.autotune(configs=[triton.Config({}), triton.Config({}, enable_reflect_ftz=False)], key=[])
@triton.jit
def kept(x: "*fp32"):
    tl.store(x, tl.exp2(tl.load(x)))


@triton_heuristics.pointwise(
    size_hints={'x': 1024},
    triton_meta={'signature': {'x': '*fp32', 'XBLOCK': 'constexpr'}, 'constants': {}, 'disable_ftz': True, 'configs': []},
    inductor_meta={'grid_type': 'Grid1D'},
)
@triton.jit
def generated(x, XBLOCK: tl.constexpr):
    tl.store(x, tl.exp2(tl.load(x)))
END
"$tkc" kept.py --kernel kept --config 0 --target sm_80 -o - | grep -q 'ex2.approx.ftz.f32' || fail "exp2 without subnormal results"
for more in "--kernel kept --config 0 --keep-subnormals" "--kernel kept --config 1" "--kernel generated"; do
    "$tkc" kept.py $more --target sm_80 -o - | grep -q 'ex2.approx.f32' || fail "subnormal results of exp2: $more"
done
expect 1 'num_ctas is 2, but sm_80 has no clusters' limits.py --target sm_80 --config 1 -o -
expect 1 'num_ctas is 2, but gfx942 has no clusters' limits.py --target gfx942 --num-ctas 2 -o -
expect 0 '' limits.py --target sm_80 --config 1 --num-ctas 1 -o -
expect 0 '' limits.py --target sm_90 --config 1 -o -
expect 1 'num_ctas is 3; it must be a power of two' limits.py --target sm_90 --num-ctas 3 -o -
expect 1 'num_warps is 32, 2048 threads, of which a block of gfx942 has 1024 at most: use 16' \
    limits.py --target gfx942 --num-ctas 1 --num-warps 32 -o -
expect 0 '' limits.py --target gfx1100 --num-ctas 1 --num-warps 32 -o -

# Chips unknown to LLVM: the PTX names them and is theirs, as ptxas confirms if it knows them too.
for chip in sm_87:7.4 sm_100:8.6 sm_100a:8.7 sm_100f:8.8 sm_103:8.8 sm_103a:8.8 sm_103f:8.8 sm_107a:9.4 sm_110a:9.0 sm_120:8.7 sm_120a:8.7 sm_120f:8.8 sm_121:8.8 sm_121a:8.8; do
    name=${chip%:*}
    "$tkc" "$top/examples/matmul.tk" --config 0 --target "$name" -o m.ptx 2>log || fail "matmul on $name"
    grep -q "^\.version ${chip#*:}\$" m.ptx || fail "$name: $(grep '^.version' m.ptx)"
    grep -q "^\.target $name\$" m.ptx || fail "$name: $(grep '^.target' m.ptx)"
    case $name in
    sm_1[01]?[af]) grep -q 'tcgen05.mma' m.ptx && grep -q 'cp.async.bulk' m.ptx || fail "$name: no tcgen05.mma or no tensor copies" ;;
    *) grep -q 'mma.sync' m.ptx && grep -q 'cp.async' m.ptx || fail "$name: no mma.sync or no cp.async" ;;
    esac
    for ptxas in ptxas /usr/local/cuda/bin/ptxas; do
        "$ptxas" --help 2>/dev/null | grep -q "'$name'" || continue
        expect 0 "" "$top/examples/attention.tk" --config 0 --target "$name" --ptxas "$ptxas" -o m.cubin
        break
    done
done
# Instructions are narrower if a thread may have few registers.
expect 1 'maxnreg is 29, and products of warpgroups take 30 registers of a thread at least' \
    "$top/examples/matmul.tk" --config 1 --target sm_90a --maxnreg 29 -o few.ptx
for few in 30 100; do
    expect 0 '' "$top/examples/matmul.tk" --config 1 --target sm_90a --maxnreg $few -o few.ptx
    for ptxas in ptxas /usr/local/cuda/bin/ptxas; do
        "$ptxas" --version >ptxas.log 2>&1 || continue
        "$ptxas" -arch sm_90a few.ptx -o few.cubin 2>log || fail "maxnreg $few: $(cat log)"
        break
    done
done

# Operands of two loops stay in shared memory between the loops only if there is room beside the second loop's own.
cat >shared.py <<'END'
import triton
import triton.language as tl


@triton.jit
def shared(q: "*fp16:16", k: "*fp16:16", v: "*fp16:16", c: "*fp32:16", n: "i32"):
    i = tl.arange(0, 128)
    j = tl.arange(0, 64)
    Q = tl.load(q + i[:, None] * 128 + i[None, :])
    Q2 = tl.load(q + i[:, None] * 128 + i[None, :] + 128)
    acc = tl.zeros([128, 128], tl.float32)
    for s in range(n):
        K = tl.load(k + (s * 64 + j)[:, None] * 128 + i[None, :])
        V = tl.load(v + (s * 64 + j)[:, None] * 128 + i[None, :])
        S = tl.dot(Q, tl.trans(K)) + tl.dot(Q2, tl.trans(K)) * 0.5
        acc = tl.dot((S * 0.125).to(tl.float16), V, acc * 0.5)
    for s in range(n, n + 2):
        K = tl.load(k + (s * 64 + j)[:, None] * 128 + i[None, :])
        V = tl.load(v + (s * 64 + j)[:, None] * 128 + i[None, :])
        S = tl.where(i[:, None] + n > j[None, :], tl.dot(Q2, tl.trans(K)), 0.0)
        acc = tl.dot((S * 0.125).to(tl.float16), V, acc * 0.5)
        acc += tl.sum(tl.dot(Q, tl.trans(Q2)) * 0.0625, axis=1)[:, None]
    tl.store(c + i[:, None] * 128 + i[None, :], acc)
END
expect 0 '' shared.py -w 4 --target gfx1100 --stop-after=shared_alloc -o shared.mlir

# Full debug information takes PTX 7.5, and an assembler without optimisation.
expect 0 '' "$top/examples/vector_add.tk" -G --target sm_80 -o g.ptx
grep -q '^\.version 7.5$' g.ptx || fail "-G on sm_80: $(grep '^.version' g.ptx)"
expect 0 '' "$top/examples/vector_add.tk" -lineinfo --target sm_80 -o g.ptx
grep -q '^\.version 7.4$' g.ptx || fail "-lineinfo on sm_80: $(grep '^.version' g.ptx)"
for ptxas in ptxas /usr/local/cuda/bin/ptxas; do
    "$ptxas" --version >ptxas.log 2>&1 || continue
    for name in sm_80 sm_90a; do
        expect 0 '' "$top/examples/vector_add.tk" -G --target "$name" --ptxas "$ptxas" -o g.cubin
        expect 0 '' "$top/examples/matmul.tk" --config 0 -lineinfo --target "$name" --ptxas "$ptxas" -o g.cubin
    done
    break
done
"$tkc" "$top/examples/vector_add.tk" --target sm_80,sm_90a,sm_120 -o three.ptx 2>log && grep -q '120u, 0, 0' three.h || fail "no row of sm_120 in the header"

# The parameters of a kernel have so much room: 512 of 8 bytes before PTX 8.1.
parameters() { # COUNT
    printf 'import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(x: "*i64"'
    for i in $(seq 2 "$1"); do printf ', p%d: "i64"' "$i"; done
    printf '):\n    tl.store(x, p2)\n'
}
parameters 512 >room.tk
parameters 513 >full.tk
expect 0 '' room.tk --target sm_80 -o -
expect 1 'full.tk:6:5: error: k takes 4104 bytes of parameters, and a kernel has 4096 on sm_80' full.tk --target sm_80 -o -
expect 0 '' full.tk --target sm_90 -o -

# Packages: triton under conditions for the host to decide, and through the package's own modules.
mkdir -p package/ops package/utils
: >package/__init__.py
: >package/ops/__init__.py
printf 'from .importing import HAS_TRITON, tl, triton\nfrom .op import *\n' >package/utils/__init__.py
cat >package/utils/importing.py <<'END'
import types
from importlib.util import find_spec
from typing import TYPE_CHECKING
from package.logger import make_logger

logger = make_logger(__name__)
HAS_TRITON = find_spec("triton") is not None or find_spec("another-triton") is not None
if HAS_TRITON:
    try:
        from triton.backends import backends
        if len([x for x in backends.values() if x.driver.is_active()]) != 1:
            HAS_TRITON = False
    except ImportError:
        HAS_TRITON = False


class Placeholder(types.ModuleType):
    def __init__(self):
        super().__init__("triton")


if TYPE_CHECKING or HAS_TRITON:
    import triton
    import triton.language as tl
else:
    triton = Placeholder()
    tl = Placeholder()
END
cat >package/utils/op.py <<'END'
import os
import triton
import triton.language as tl

if os.environ.get("FAST", "0") == "1":
    exp = tl.extra.libdevice.fast_expf
else:
    exp = tl.exp
END
cat >package/ops/scale.py <<'END'
import torch
from package.platforms import current
from package.utils import exp, tl, triton

LIMIT = tl.constexpr(torch.finfo(torch.float8_e4m3fn).max)
if current.is_rocm():
    FLOAT8 = tl.float8e4b8
else:
    FLOAT8 = tl.float8e4nv


@triton.jit
def scale(x: "*fp32", y: "*fp32"):
    o = tl.arange(0, 32)
    tl.store(y + o, exp(tl.load(x + o)) * LIMIT)
END
expect 0 '' package/ops/scale.py --target sm_80 -o scale.ptx
grep -q '0f43E00000' scale.ptx || fail "448 is not in the code"
cat >tried.py <<'END'
try:
    import triton
    import triton.language as tl
    HAS = True
except ImportError:
    HAS = False
    triton = None
    tl = None

if HAS:
    @triton.jit
    def tried(x: "*fp32"):
        tl.store(x, 1.0)
END
expect 0 '' tried.py --target sm_80 -o -

# A package whose files import each other by its full name, in a circle, is the same files however it is reached; and a module
# that a function of it would have chosen is what the except clause falls back to.
mkdir -p circle/ops circle/utils
printf 'from circle import utils\nfrom circle.utils import *\nfrom circle.ops import *\n' >circle/__init__.py
printf 'from circle.utils import shim\nfrom circle import missing\n' >circle/ops/__init__.py
printf 'from circle.utils.choose import shim\nfrom circle.utils.lists import missing\n' >circle/utils/__init__.py
cat >circle/utils/lists.py <<'END'
from circle import ops, runtime
from circle.ops import other
END
cat >circle/utils/choose.py <<'END'
from circle import utils

chosen = None


def choose():
    global chosen
    chosen = utils.backend
    return chosen


def get():
    return chosen


try:
    choose()
    shim = get()
except ImportError:
    import triton

    try:
        shim = triton.language.math
    except ImportError:
        shim = triton.language.libdevice
END
cat >circle/ops/root.py <<'END'
import triton
import triton.language as tl
from circle import runtime
from circle.utils import shim

rsqrt = shim.rsqrt


@triton.autotune(configs=runtime.get_configs("root"), key=["n"])
@triton.jit
def root(x: "*fp32", n: "i32"):
    tl.store(x, rsqrt(tl.load(x) + n))
END
expect 0 '' circle/ops/root.py --target sm_80 -o root.ptx
grep -q 'rsqrt.approx' root.ptx || fail "no rsqrt in the code"

# Configurations by the target of the compilation, from functions of the program, under decorators of its own.
cat >asked.py <<'END'
import triton
import triton.language as tl
from somewhere import tuner


def is_hip():
    return triton.runtime.driver.active.get_current_target().backend == "hip"


def get_configs():
    found = []
    for block in [64, 128]:
        found.append(triton.Config({"BLOCK": block * (2 if is_hip() else 1)}, num_warps=2))
    return found


@tuner(configs=get_configs(), key=["n"])
@triton.heuristics({"EVEN": lambda args: args["BLOCK"] % 128 == 0})
@triton.heuristics({"HALF": lambda args: args["BLOCK"] // 2})
@triton.jit
def asked(x: "*fp32", BLOCK: tl.constexpr, EVEN: tl.constexpr, HALF: tl.constexpr):
    tl.store(x + tl.arange(0, BLOCK), HALF + EVEN)
END
expect 0 '(BLOCK=64, num_warps=2' asked.py --target sm_80 -o -
expect 0 '(BLOCK=128, num_warps=2' asked.py --target gfx942 -o k.hsaco

# Host functions with try and imports; a question to the host takes the first choice, with a remark.
cat >host.py <<'END'
import functools
import triton
import triton.language as tl
from elsewhere import has_room


@functools.cache
def get_device():
    try:
        import torch
        return triton.runtime.driver.active.get_current_target().backend
    except BaseException:
        return "cpu"


def is_hopper():
    import torch
    return get_device() == "cuda" and ("NVIDIA H" in torch.cuda.get_device_name(0)
                                       or torch.cuda.get_device_capability()[0] >= 9)


def broken():
    try:
        return has_room.version > 3
    except AttributeError:
        return False


WARPS = [2, 4] if is_hopper() else [8]
BLOCKS = [512, 64] if has_room() else [32]


@triton.autotune(configs=[triton.Config({"BLOCK": 256}, num_warps=w) for w in WARPS], key=[])
@triton.jit
def told(x: "*fp32", BLOCK: tl.constexpr, BROKEN: tl.constexpr = broken()):
    tl.static_assert(not BROKEN)
    tl.store(x + tl.arange(0, BLOCK), 1.0)


@triton.autotune(configs=[triton.Config({"BLOCK": b}) for b in BLOCKS], key=[])
@triton.jit
def guessed(x: "*fp32", BLOCK: tl.constexpr):
    tl.store(x + tl.arange(0, BLOCK), 1.0)
END
expect 0 'told: configuration 0 of 2 is compiled (BLOCK=256, num_warps=2' host.py -n told --target sm_90 -o -
"$tkc" host.py -n told --target sm_80 -o told.ptx && grep -q '^\.reqntid 256' told.ptx || fail "told on sm_80"
expect 0 'the configurations of guessed depend on the host, whose first choices are taken' host.py -n guessed --target sm_80 -o -
expect 0 'guessed: configuration 1 of 2 is compiled (BLOCK=64' host.py -n guessed --target sm_80 --config 1 -v -o -

# One name defined in several branches is one kernel; static methods are kernels too.
cat >twice.py <<'END'
import triton
import triton.language as tl
from somewhere import FLAG, libentry

if FLAG:
    @triton.jit
    def helper(x):
        return x + 41

    @triton.jit
    def chosen(x: "*i32"):
        tl.store(x, helper(1000))
else:
    @triton.jit
    def helper(x):
        return x + 2

    @triton.jit
    def chosen(x: "*i32"):
        tl.store(x, helper(2))

if triton.__version__ < "3.0.0":
    @triton.jit
    def versioned(x: "*i32"):
        tl.store(x, 11)
else:
    @triton.jit
    def versioned(x: "*i32"):
        tl.store(x, 1234)


class Holder:
    @staticmethod
    @libentry()
    @triton.jit(do_not_specialize=["n"])
    def method(x: "*i32", n: "i32"):
        tl.store(x, n + 4321)
END
"$tkc" twice.py --target sm_80 -o twice.ptx 2>log || fail "twice.py: $(cat log)"
for text in 'entry chosen' 1041 'entry versioned' 1234 'entry method' 4321; do
    grep -q "$text" twice.ptx || fail "twice.py: no $text"
done

# The flags of Triton's own ahead-of-time tool.
cat >tool.py <<'END'
import triton
import triton.language as tl


@triton.jit
def add(x, y, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + o, tl.load(x + o, mask=o < n) + 1.0, mask=o < n)


@triton.autotune(configs=[triton.Config({"BLOCK": 32}), triton.Config({"BLOCK": 64})], key=[])
@triton.jit
def tuned(x: "*fp32", BLOCK: tl.constexpr):
    tl.store(x + tl.arange(0, BLOCK), 1.0)


tuned.grid = (1,)
END
mkdir -p made
triton_tool() { # STATUS TEXT ARGUMENTS…
    status=$1 text=$2
    shift 2
    expect "$status" "$text" tool.py --signature "*fp32:16, *fp32:16, i32, 128" --grid "cdiv(n, 128), 1, 1" "$@"
}
triton_tool 0 '' --kernel-name add --out-name my_add --out-path made/add.c --num-warps 2 -ns 3 -t cuda:90:32 --triton-abi
[ "$(ls made | tr '\n' ' ')" = "add.h add.json add.ptx " ] || fail "--out-path: $(ls made)"
grep -q '^\.target sm_90a' made/add.ptx && grep -q '\.entry my_add(' made/add.ptx && grep -q '^\.reqntid 64,' made/add.ptx ||
    fail "Triton's flags: $(grep -e target -e entry -e reqntid made/add.ptx)"
grep -q 'load_my_add(void)' made/add.h && grep -q '"function": "add"' made/add.json || fail "--out-name"
triton_tool 0 '.target sm_80' --kernel-name add -t cuda:80:32 -o -
triton_tool 0 'amdgcn-amd-amdhsa--gfx942' --kernel-name add -t hip:gfx942:64 --emit s -o -
triton_tool 2 'unknown target "cuda:90:64"' --kernel-name add -t cuda:90:64
triton_tool 2 'unknown target "hip:gfx942"' --kernel-name add -t hip:gfx942
triton_tool 2 '--out-path stands in the place of -o' --kernel-name add --out-path a -o b.ptx
triton_tool 1 'kernel 3x cannot be an entry point' --kernel-name add --out-name 3x
expect 0 'one: configuration 0 of 2 is compiled' tool.py -n tuned --out-name one -o one.ptx
grep -q '\.entry one(' one.ptx && grep -q 'one_launch(' one.h || fail "--out-name of a kernel with configurations"
expect 2 '--out-name is for one configuration' tool.py -n tuned --out-name one --all-configs -o one.ptx

# Features of NVIDIA chips alone.
printf 'import triton\nimport triton.language as tl\nfrom triton.language.extra import cuda\n\n@triton.jit\ndef own(y: "*i64"):\n    tl.store(y, cuda.globaltimer())\n    tl.store(y + 1, cuda.smid())\n    tl.store(y + 2, cuda.num_threads())\n' >own.tk
expect 0 '%globaltimer' own.tk -t sm_80 -o -
expect 0 '%smid' own.tk -t sm_80 -o -

finish "kernels of all kinds compile"
