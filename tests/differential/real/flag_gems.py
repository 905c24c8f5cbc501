"""FlagOpen/FlagGems: the operators of PyTorch. --path CHECKOUT/src"""
import os

import torch
from real import FP16, FP32, positive, real, whole

os.environ.setdefault("GEMS_VENDOR", "nvidia")  # else it asks nvidia-smi
import flag_gems  # noqa: E402
from flag_gems import ops  # noqa: E402

M = 1024
ROWS = {"softmax": (-1,), "log_softmax": (-1,), "sum_dim": ([-1],), "mean_dim": ([-1],), "amax": ([-1],), "argmax": (-1,), "argmin": (-1,),
        "max_dim": (-1,), "min_dim": (-1,), "prod_dim": (-1,), "var_mean": ([-1],), "cumsum": (-1,), "cummax": (-1,), "cummin": (-1,),
        "vector_norm": (2, [-1]), "all_dim": (-1,), "any_dim": (-1,), "std": ([-1],), "count_nonzero": (-1,), "normed_cumsum": (-1,)}


def case_rows():
    for name, rest in ROWS.items():
        if hasattr(ops, name):
            try:
                getattr(ops, name)(real(4096, 4096, dtype=FP16), *rest)
            except Exception as error:
                print(name, type(error).__name__, str(error)[:150])


def case_all():
    for name in ("sum", "mean", "max", "min", "prod", "all", "any"):
        try:
            getattr(ops, name)(real(4096, 4096, dtype=FP16))
        except Exception as error:
            print(name, type(error).__name__, str(error)[:150])


def case_products():
    a, b = real(2048, 2048, dtype=FP16), real(2048, 2048, dtype=FP16)
    ops.mm(a, b)
    ops.addmm(real(2048, dtype=FP16), a, b)
    ops.bmm(real(16, 512, 512, dtype=FP16), real(16, 512, 512, dtype=FP16))
    ops.mv(real(8192, 4096, dtype=FP16), real(4096, dtype=FP16))
    ops.addmv(real(8192, dtype=FP16), real(8192, 4096, dtype=FP16), real(4096, dtype=FP16))
    ops.dot(real(1 << 22, dtype=FP32), real(1 << 22, dtype=FP32))
    flag_gems.outer(real(2048, dtype=FP16), real(4096, dtype=FP16))


def case_conv2d():
    ops.conv2d(real(16, 64, 56, 56, dtype=FP16), real(64, 64, 3, 3, dtype=FP16), None, 1, 1)


def case_conv_backward():
    y = ops.conv2d(real(16, 64, 28, 28, dtype=FP16, grad=True), real(64, 64, 3, 3, dtype=FP16, grad=True), None, 1, 1)
    y.backward(real(*y.shape, dtype=FP16))


def case_conv3d():
    ops.conv3d(real(4, 32, 8, 28, 28, dtype=FP16), real(32, 32, 3, 3, 3, dtype=FP16), None, 1, 1)


def case_conv_depthwise():
    ops._conv_depthwise2d(real(16, 64, 56, 56, dtype=FP16), real(64, 1, 3, 3, dtype=FP16), (3, 3), None, (1, 1), (1, 1), (1, 1))


def case_norms():
    x, w = real(4096, 4096, dtype=FP16), real(4096, dtype=FP16)
    ops.layer_norm(x, [4096], w, w)
    ops.layer_norm_backward(x, x, [4096], positive(4096), positive(4096), w, w, [True, True, True])
    ops.rms_norm(x, [4096], w)
    ops.group_norm(real(16, 256, 1024, dtype=FP16), real(256, dtype=FP16), real(256, dtype=FP16), 16, 256, 1024, 32)
    ops.group_norm_backward(real(16, 256, 1024, dtype=FP16), real(16, 256, 1024, dtype=FP16), positive(16, 32), positive(16, 32), real(256, dtype=FP16),
                            16, 256, 1024, 32, [True, True, True])
    flag_gems.fused_add_rms_norm(x, real(4096, 4096, dtype=FP16), [4096], w, 1e-6)
    flag_gems.skip_layer_norm(x, real(4096, 4096, dtype=FP16), [4096], w, w, 1e-6)


def case_batch_norm():
    c = 256
    f = lambda: real(c, dtype=FP32)  # noqa: E731
    ops.batch_norm(real(16, c, 1024, dtype=FP16), f(), f(), f(), f(), True, 0.1, 1e-5)
    ops.batch_norm_backward(real(16, c, 1024, dtype=FP16), real(16, c, 1024, dtype=FP16), f(), f(), f(), f(), f(), True, 1e-5, [True, True, True])


def case_softmax_backward():
    ops.softmax_backward(real(4096, 4096, dtype=FP16), real(4096, 4096, dtype=FP16), -1, FP16)
    ops.log_softmax_backward(real(4096, 4096, dtype=FP16), real(4096, 4096, dtype=FP16), -1, FP16)


def case_sort():
    ops.sort(real(64, 16384, dtype=FP32))


def case_topk():
    ops.topk(real(64, 16384, dtype=FP32), 50)


def case_unique():
    ops._unique2(whole(1000, 1 << 16, dtype=torch.int32), sorted=True, return_inverse=True, return_counts=True)


def case_index():
    x, at = real(4096, 4096, dtype=FP16), whole(4096, 2048)
    ops.index_select(x, 0, at)
    ops.gather(x, 1, whole(4096, 4096, 1024))
    ops.embedding(real(32000, 1024, dtype=FP16), whole(32000, 8192))
    ops.embedding_backward(real(8192, 1024, dtype=FP16), whole(32000, 8192), 32000)
    ops.masked_fill(x, torch.rand(4096, 4096) > 0.5, 0.5)
    ops.index_add(x, 0, torch.randperm(4096)[:2048], real(2048, 4096, dtype=FP16))
    ops.scatter(x, 1, whole(4096, 4096, 1024), real(4096, 1024, dtype=FP16))
    ops.nonzero(torch.rand(1 << 20) > 0.5)


def case_masked_select():
    ops.masked_select(real(2048, 2048, dtype=FP16), torch.rand(2048, 2048) > 0.5)


def case_shapes():
    x = real(2048, 2048, dtype=FP16)
    ops.triu(x)
    ops.repeat(x, (2, 2))
    ops.tile(x, (2, 2))
    ops.flip(x, [0, 1])
    ops.cat([x, x], 0)
    ops.stack([x, x], 0)
    ops.pad(x, [1, 1, 1, 1])


def case_random():
    torch.cuda.default_generators = [torch.Generator()]
    ops.rand([4096, 4096], dtype=FP32, device="cuda")
    ops.randn([4096, 4096], dtype=FP32, device="cuda")
    ops.dropout(real(4096, 4096, dtype=FP16), 0.3, True)


def case_pool():
    ops.max_pool2d_with_indices(real(16, 64, 112, 112, dtype=FP16), 3, 2, 1)


def case_pool_avg():
    ops.avg_pool2d(real(16, 64, 112, 112, dtype=FP16), 3, 2, 1)


def case_upsample():
    ops.upsample_nearest2d(real(8, 64, 64, 64, dtype=FP16), (128, 128))
    ops._upsample_bicubic2d_aa(real(4, 16, 64, 64, dtype=FP16), (128, 128))


def case_losses():
    ops.nll_loss_forward(real(8192, 1024, dtype=FP32), whole(1024, 8192), None, 1)
    ops.nll_loss_backward(real(1, dtype=FP32), real(8192, 1024, dtype=FP32), whole(1024, 8192), None, 1, -100, real(1, dtype=FP32))
    ops.mse_loss(real(1 << 22, dtype=FP32), real(1 << 22, dtype=FP32))
    x = real(4096, 32000, dtype=FP32, grad=True)
    flag_gems.cross_entropy_loss(x, whole(32000, 4096)).backward()


def case_attention():
    q, k, v = (real(4, 16, 2048, 128, dtype=FP16) for _ in range(3))
    ops.scaled_dot_product_attention(q, k, v, is_causal=True)


def case_fused():
    flag_gems.silu_and_mul(real(4096, 8192, dtype=FP16), real(4096, 8192, dtype=FP16))
    flag_gems.gelu_and_mul(real(4096, 8192, dtype=FP16), real(4096, 8192, dtype=FP16))
    flag_gems.topk_softmax(real(8192, 8, dtype=FP32), whole(8, 8192, 8, dtype=torch.int32), whole(8, 8192, 8, dtype=torch.int32), real(8192, 128, dtype=FP32))


def case_pointwise():
    x, y = real(4096, 4096, dtype=FP16), real(4096, 4096, dtype=FP16)
    for name in ("exp", "tanh", "gelu", "silu", "erf", "sin", "rsqrt", "sigmoid", "reciprocal", "log_sigmoid"):
        try:
            getattr(ops, name)(x)
        except Exception as error:
            print(name, type(error).__name__, str(error)[:150])
    ops.add(x, y)
    ops.pow_tensor_tensor(x, y)
    ops.where_self(torch.rand(4096, 4096) > 0.5, x, y)
    ops.add(x, real(4096, 1, dtype=FP16))
