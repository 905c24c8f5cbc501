"""BobMcDear/attorch: layers of PyTorch's nn. --path CHECKOUT"""
import torch
from real import FP32, both, positive, real, whole

import attorch


def layer(made, dtype=FP32):
    for name, parameter in made.named_parameters():
        parameter.data = real(*parameter.shape, dtype=parameter.dtype)
    return made.to(dtype)


def case_conv2d():
    both(layer(attorch.Conv2d(64, 128, 3, padding=1))(real(16, 64, 56, 56, dtype=FP32, grad=True)))


def case_conv1d():
    both(layer(attorch.Conv1d(64, 64, 5, padding=2))(real(16, 64, 4096, dtype=FP32, grad=True)))


def case_batch_norm():
    made = layer(attorch.BatchNorm2d(256, act_func="relu"))
    both(made(real(32, 256, 28, 28, dtype=FP32, grad=True), pre_act_add=real(32, 256, 28, 28, dtype=FP32, grad=True)))


def case_layer_norm():
    both(layer(attorch.LayerNorm(1024))(real(8192, 1024, dtype=FP32, grad=True)))


def case_rms_norm():
    both(layer(attorch.RMSNorm(1024))(real(8192, 1024, dtype=FP32, grad=True)))


def case_linear():
    both(layer(attorch.Linear(1024, 2048, act_func="gelu"), torch.float16)(real(4096, 1024, dtype=torch.float16, grad=True)))


def case_attention():
    from attorch.multi_head_attention_kernels import _bwd_kernel  # noqa: F401  (whether there is one)
    made = layer(attorch.MultiheadAttention(1024, 16, batch_first=True), torch.float16)
    x = real(4, 1024, 1024, dtype=torch.float16, grad=True)
    both(made(x, x, x))


def case_pooling():
    both(attorch.AvgPool2d(2)(real(32, 256, 56, 56, dtype=FP32, grad=True)))


def case_softmax():
    both(attorch.Softmax(dim=-1)(real(8192, 2048, dtype=FP32, grad=True)))


def case_log_softmax():
    both(attorch.LogSoftmax(dim=-1)(real(8192, 2048, dtype=FP32, grad=True)))


def case_cross_entropy():
    both(attorch.CrossEntropyLoss()(real(8192, 1000, dtype=FP32, grad=True), whole(1000, 8192)))


def case_nll():
    both(attorch.NLLLoss()(real(32, 64, 64, 64, dtype=FP32, grad=True), whole(64, 32, 64, 64)))


def case_losses():
    both(attorch.MSELoss()(real(1 << 24, dtype=FP32, grad=True), real(1 << 24, dtype=FP32)))


def case_dropout():
    both(attorch.Dropout(0.3)(real(4096, 4096, dtype=FP32, grad=True)))


def case_glu():
    both(attorch.GLU(act_func="silu")(real(4096, 8192, dtype=FP32, grad=True)))


def case_act():
    both(attorch.GELU()(real(4096, 8192, dtype=FP32, grad=True)))
