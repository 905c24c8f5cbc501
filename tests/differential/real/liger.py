"""linkedin/Liger-Kernel: losses, norms, activations, rotary embeddings. --path CHECKOUT/src"""
import torch
from real import FP32, both, negative, positive, real, whole

import liger_kernel.ops as ops

T, H, V, F = 4096, 4096, 32000, 11008


def case_cross_entropy():
    x = real(T, V, grad=True)
    both(ops.LigerCrossEntropyFunction.apply(x, whole(V, T), None, -100, 1e-4, 0.1, "mean", None, False)[0])


def case_fused_linear_cross_entropy():
    both(ops.LigerFusedLinearCrossEntropyFunction.apply(real(1024, 2048, grad=True), real(16384, 2048, grad=True), whole(16384, 1024))[0])


def case_geglu():
    both(ops.LigerGELUMulFunction.apply(real(T, F, grad=True), real(T, F, grad=True)))


def case_swiglu():
    both(ops.LigerSiLUMulFunction.apply(real(T, F, grad=True), real(T, F, grad=True)))


def case_rms_norm():
    both(ops.LigerRMSNormFunction.apply(real(T, H, grad=True), real(H, grad=True), 1e-6))


def case_rms_norm_rows():
    both(ops.LigerRMSNormFunction.apply(real(65536, 128, grad=True), real(128, grad=True), 1e-6, 0.0, "gemma"))


def case_layer_norm():
    both(ops.LigerLayerNormFunction.apply(real(T, H, grad=True), real(H, grad=True), real(H, grad=True), 1e-6))


def case_group_norm():
    both(ops.LigerGroupNormFunction.apply(real(32, 256, 4096, dtype=FP32, grad=True), real(256, dtype=FP32, grad=True), real(256, dtype=FP32, grad=True),
                                          256, 32, 1e-6))


def case_rope():
    both(ops.LigerRopeFunction.apply(real(2, 32, 2048, 128, grad=True), real(2, 8, 2048, 128, grad=True), real(1, 2048, 128), real(1, 2048, 128)))


def case_kl_div():
    x = negative(2048, V, grad=True)
    both(ops.LigerKLDivLossFunction.apply(x, positive(2048, V)))


def case_jsd():
    x = negative(2048, V, grad=True)
    both(ops.LigerJSDFunction.apply(x, negative(2048, V), None, 0.5, -100))


def case_tvd():
    x = positive(2048, V, grad=True)
    both(ops.LigerTVDLossFunction.apply(x, positive(2048, V)))


def case_dyt():
    both(ops.LigerDyTFunction.apply(real(T, H, grad=True), real(1, grad=True), real(H, grad=True), real(H, grad=True)))


def case_sparsemax():
    both(ops.LigerSparsemaxFunction.apply(real(2048, 4096, dtype=FP32, grad=True), -1))


def case_softmax():
    both(ops.LigerSoftmaxFunction.apply(real(T, 8192, grad=True)))


def case_softmax_blocks():
    both(ops.LigerSoftmaxFunction.apply(real(512, 65536, grad=True)))


def case_multi_token_attention():
    both(ops.LigerMultiTokenAttentionFunction.apply(real(1, 4, 1024, 1024, dtype=FP32, grad=True), real(4, 4, 3, 3, dtype=FP32, grad=True), None, 1, 1))


def case_fused_add_rms_norm():
    both(ops.LigerFusedAddRMSNormFunction.apply(real(T, H, grad=True), real(T, H, grad=True), real(H, grad=True), 1e-6, 0.0, "llama", False))


def case_neighborhood_attention():
    both(ops.LigerFusedNeighborhoodAttentionFunction.apply(real(2, 8, 512, 64, grad=True), real(2, 8, 512, 64, grad=True),
                                                           real(2, 8, 512, 64, grad=True), 7, 1))


def case_mrope():
    both(ops.LigerQwen2VLMRopeFunction.apply(real(2, 28, 2048, 128, grad=True), real(2, 4, 2048, 128, grad=True), real(3, 2, 2048, 128),
                                             real(3, 2, 2048, 128), [16, 24, 24]))


def case_llama4_rope():
    both(ops.LigerLlama4RopeFunction.apply(real(2, 2048, 32, 128, grad=True), real(2, 2048, 8, 128, grad=True), torch.randn(2048, 64, dtype=torch.complex64)))


def case_poly_norm():
    both(ops.LigerPolyNormFunction.apply(real(T, H, grad=True), real(3, grad=True), real(1, grad=True)))


def case_relu_squared():
    both(ops.LigerReLUSquaredFunction.apply(real(T, F, grad=True)))


def case_grpo():
    from liger_kernel.ops.grpo_loss import GrpoLossFunction
    x = real(4, 513, V, grad=True)
    both(GrpoLossFunction.apply(x, real(4, 512, dtype=FP32), real(4, 512, dtype=FP32), whole(V, 4, 512), real(4, dtype=FP32),
                                torch.ones(4, 512, dtype=torch.int32), 0.9, 0.04, 0.2, 0.2, False)[0])


def case_attn_res():
    from liger_kernel.ops.attn_res import LigerAttnResFunction
    both(LigerAttnResFunction.apply(real(8, 2, 2048, 2048, grad=True), real(2048, grad=True), real(2048, grad=True), 1e-6))


def case_mhc():
    from liger_kernel.ops import mhc
    n, hc, c = 4096, 4, 2048
    x = real(n, hc, c, grad=True)
    both(mhc.LigerMHCPreFunction.apply(x, positive(n, hc, grad=True)))
    both(mhc.LigerMHCPostResFunction.apply(real(n, hc, c, grad=True), real(n, c, grad=True), positive(n, hc, grad=True), positive(n, hc, hc, grad=True)))


def case_fused_moe():
    from liger_kernel.ops.fused_moe import LigerFusedMoEFunction
    e, k, t, h, i = 16, 2, 2048, 1024, 512
    both(LigerFusedMoEFunction.apply(real(t, h, grad=True), real(e, 2 * i, h, grad=True), real(e, h, i, grad=True), whole(e, t, k, dtype=torch.int32),
                                     positive(t, k, grad=True)))
