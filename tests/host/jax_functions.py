"""tkc_jax.py on the stub device, whose memory is the host's, so that the handlers serve JAX's CPU: what it makes of shapes, strides,
types and hints, what reaches the driver, under jit, vmap and custom_vjp. Skipped (77) without JAX or a compiler.

    jax_functions.py SOURCE_DIR TKC
"""
import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile

try:
    import jax
    import jax.numpy as jnp
    import numpy as np
except ImportError:
    print("skipped: JAX is not here")
    sys.exit(77)
if not shutil.which("c++"):
    print("skipped: no compiler is here")
    sys.exit(77)
sys.path.insert(0, os.path.join(os.path.abspath(sys.argv[1]), "tools"))
import expectations  # noqa: E402
import tkc_jax  # noqa: E402
from expectations import expect  # noqa: E402

SOURCE, TKC = map(os.path.abspath, sys.argv[1:3])
ON_HOST = {"platforms": ["cpu"], "flags": ["-DTKC_JAX_ON_HOST", "-O0"]}


def refused(text, function):
    expectations.refused(text, lambda: jax.block_until_ready(function()))


def use_stub():
    """Makes its context current, as XLA does before it calls a handler."""
    driver, context = ctypes.CDLL("libcuda.so.1"), ctypes.c_void_p()
    driver.cuInit(0)
    driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
    driver.cuCtxSetCurrent(context)


def compile_kernel(name, *options):
    source = os.path.join(SOURCE, "examples", name + ".tk")
    subprocess.run([TKC, source, "--runtime", "dynamic", "--target", "sm_90a", "-o", name + ".ptx", *options], check=True)


def check_vector_add():
    compile_kernel("vector_add")
    vector_add = tkc_jax.load("vector_add.json", **ON_HOST)["vector_add"]
    again = tkc_jax.load("vector_add.json", **ON_HOST)["vector_add"]
    x = jnp.arange(5000.0)
    expect("what is loaded twice", jnp.array_equal(again(x, x), 2 * x))
    expect("sums", jnp.array_equal(vector_add(x, x), 2 * x))
    expect("sums under jit", jnp.array_equal(jax.jit(lambda x, y: vector_add(x * 2, y) + 1)(x, x), 3 * x + 1))
    expect("an empty sum", vector_add(x[:0], x[:0]).shape == (0,))
    expect("shapes alone", jax.eval_shape(vector_add, x, x) == jax.ShapeDtypeStruct((5000,), jnp.float32))
    rows = x.reshape(50, 100)
    expect("sums under vmap", jnp.array_equal(jax.vmap(vector_add)(rows, rows), 2 * rows))
    refused("y is [4], which should be [n] with n = 5000", lambda: vector_add(x, x[:4]))
    refused("x has 2 dimensions, not 1", lambda: vector_add(rows, rows))
    refused("x is of int32, not float32", lambda: vector_add(x.astype(jnp.int32), x))
    refused("takes 2 arguments, not 3", lambda: vector_add(x, x, 5000))

    scaled = jax.custom_vjp(lambda x, y: vector_add(x, y))
    scaled.defvjp(lambda x, y: (vector_add(x, y), None), lambda _, g: (g, 3 * g))
    expect("a gradient", jnp.array_equal(jax.jit(jax.grad(lambda y: scaled(x, y).sum()))(x), jnp.full(5000, 3.0)))


def check_in_place():
    """The same kernel, described as one that changes z."""
    shutil.copy("vector_add.h", "changed.h")
    reflection = json.load(open("vector_add.json"))
    reflection["kernels"][0]["params"][2]["role"] = "both"
    json.dump(reflection, open("changed.json", "w"))
    tkc_jax.build("changed.json", "changed.so", flags=ON_HOST["flags"])
    changed = tkc_jax.load("changed.json", library="changed.so", platforms=["cpu"])["vector_add"]
    x, z = jnp.arange(1000.0), jnp.zeros(1000)
    expect("what is changed comes back", jnp.array_equal(changed(x, x, z), 2 * x))
    expect("an operand that is needed stays", not z.any())
    text = jax.jit(changed, donate_argnums=2).lower(x, x, z).compile().as_text()
    expect("operand and result share their memory", "output_to_operand_aliasing={{}: (2, {})}" in text)
    given = jnp.ones(1000)
    expect("a donated operand", jnp.array_equal(jax.jit(changed, donate_argnums=2)(x, x, given), 2 * x) and given.is_deleted())

    # Without a description all arrays may be changed, and every number is passed.
    for p in reflection["kernels"][0]["params"]:
        for key in ("role", "shape", "strides"):
            p.pop(key, None)
    json.dump(reflection, open("changed.json", "w"))
    plain = tkc_jax.load("changed.json", **ON_HOST)["vector_add"]
    results = plain(x, x + 1, z, 500)
    expect("three results", len(results) == 3 and jnp.array_equal(results[2], jnp.where(x < 500, 2 * x + 1, 0)))
    refused("n = 4294967296 is no i32", lambda: plain(x, x, z, 1 << 32))
    refused("n is a number that the host passes", lambda: jax.jit(plain)(x, x, z, 500))
    expect("a static number", jnp.array_equal(jax.jit(plain, static_argnums=3)(x, x, z, 500)[1], x))


def check_matmul():
    compile_kernel("matmul", "--config", "0")
    matmul = jax.jit(tkc_jax.load("matmul.json", **ON_HOST)["matmul"])
    random = np.random.default_rng(0)
    a, b = (jnp.asarray(random.integers(0, 4, shape), jnp.float16) for shape in ((200, 80), (80, 272)))
    expect("a product", jnp.array_equal(matmul(a, b), a @ b))
    expect("a product of nothing", jnp.array_equal(matmul(a[:, :0], b[:0]), jnp.zeros((200, 272), jnp.float16)))
    expect("one row", jnp.array_equal(matmul(a[:1], b), a[:1] @ b))
    refused("b is [80, 272], which should be [K, N] with K = 64", lambda: matmul(a[:, :64], b))
    refused("K = 72 is not divisible by 16", lambda: matmul(a[:, :72], b[:72]))


def check_errors():
    """What the launcher says comes out of JAX; a launcher that is linked with its driver is refused."""
    reflection = json.load(open("vector_add.json"))
    reflection["kernels"][0]["params"][0].pop("divisible_by")
    source = open("vector_add.h").read()
    open("wrong.h", "w").write(source.replace("90u, 1, 0", "80u, 1, 0"))
    json.dump(reflection, open("wrong.json", "w"))
    wrong = tkc_jax.load("wrong.json", **ON_HOST)["vector_add"]
    x = jnp.arange(8.0)
    refused("vector_add: no image of vector_add fits this device; there is sm_90a", lambda: wrong(x, x))
    source = os.path.join(SOURCE, "examples", "vector_add.tk")
    subprocess.run([TKC, source, "--target", "sm_90a", "-o", "linked.ptx"], check=True)
    shutil.copy("vector_add.json", "linked.json")
    open("linked.h", "w").write("")
    refused("tkc --runtime dynamic", lambda: tkc_jax.load("linked.json", **ON_HOST))


def main():
    use_stub()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder  # of what is compiled
        here = os.getcwd()
        os.chdir(folder)
        check_vector_add()
        check_in_place()
        check_matmul()
        check_errors()
        os.chdir(here)
    return expectations.failures != 0


sys.exit(main())
