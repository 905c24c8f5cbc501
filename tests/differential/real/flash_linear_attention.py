"""fla-org/flash-linear-attention: linear attention, delta rules, state-space models, short convolutions. --path CHECKOUT"""
import torch
import torch.nn.functional as F
from real import FP32, both, negative, positive, real, whole

B, T, H, D = 2, 2048, 16, 64


def heads(n=3, d=D, h=H, t=T, grad=True):
    return [real(B, t, h, d, grad=grad) for _ in range(n)]


def gate(d=None):
    return negative(*(B, T, H) + ((d,) if d else ()), grad=True)


def rate():
    return positive(B, T, H, grad=True)


def case_gla():
    from fla.ops.gla import chunk_gla, fused_recurrent_gla
    both(chunk_gla(*heads(), gate(D), output_final_state=True))
    both(fused_recurrent_gla(*[real(B, 256, H, D, grad=True) for _ in range(3)], negative(B, 256, H, D, grad=True)))


def case_simple_gla():
    from fla.ops.simple_gla import chunk_simple_gla, parallel_simple_gla
    both(chunk_simple_gla(*heads(), gate()))
    both(parallel_simple_gla(*heads(), gate())[0])


def case_delta_rule():
    from fla.ops.delta_rule import chunk_delta_rule, fused_recurrent_delta_rule
    both(chunk_delta_rule(*heads(), rate(), use_qk_l2norm_in_kernel=True))
    both(fused_recurrent_delta_rule(*[real(B, 256, H, D, grad=True) for _ in range(3)], positive(B, 256, H, grad=True)))


def case_gated_delta_rule():
    from fla.ops.gated_delta_rule import chunk_gated_delta_rule, fused_recurrent_gated_delta_rule
    both(chunk_gated_delta_rule(*heads(d=128), gate(), rate(), use_qk_l2norm_in_kernel=True))
    fused_recurrent_gated_delta_rule(*[real(B, 256, H, D) for _ in range(3)], g=negative(B, 256, H), beta=positive(B, 256, H))


def case_kda():
    from fla.ops.kda import chunk_kda
    both(chunk_kda(*heads(d=128), gate(128), rate(), use_qk_l2norm_in_kernel=True))


def case_retention():
    from fla.ops.retention import chunk_retention, parallel_retention
    both(chunk_retention(*heads()))
    both(parallel_retention(*heads()))


def case_linear_attn():
    from fla.ops.linear_attn import chunk_linear_attn, fused_chunk_linear_attn
    both(chunk_linear_attn(*heads()))
    both(fused_chunk_linear_attn(*heads()))


def case_gsa():
    from fla.ops.gsa import chunk_gsa
    both(chunk_gsa(*heads(4), gate(D)))


def case_hgrn():
    from fla.ops.hgrn import chunk_hgrn, fused_recurrent_hgrn
    both(chunk_hgrn(real(B, T, 1024, grad=True), negative(B, T, 1024, grad=True)))
    both(fused_recurrent_hgrn(real(B, 512, 1024, grad=True), negative(B, 512, 1024, grad=True)))


def case_rwkv6():
    from fla.ops.rwkv6 import chunk_rwkv6, fused_recurrent_rwkv6
    both(chunk_rwkv6(*heads(), gate(D), real(H, D, grad=True)))
    both(fused_recurrent_rwkv6(*[real(B, 256, H, D, grad=True) for _ in range(3)], negative(B, 256, H, D, grad=True), real(H, D, grad=True)))


def case_rwkv7():
    from fla.ops.rwkv7 import chunk_rwkv7
    r, k, v, a, b = heads(5)
    both(chunk_rwkv7(r, gate(D), k, v, a, b))


def case_rwkv7_parts():
    from fla.ops.rwkv7.fused_addcmul import fused_addcmul_rwkv7
    from fla.ops.rwkv7.fused_k_update import fused_k_rwkv7
    from fla.ops.rwkv7.gate_output_correction import gate_output_correction
    both(fused_addcmul_rwkv7(real(B, T, 2048, grad=True), real(B, T, 2048, grad=True), *[real(1, 1, 2048, grad=True) for _ in range(6)]))
    both(fused_k_rwkv7(real(B, T, 2048, grad=True), real(B, T, 2048, grad=True), real(2048, grad=True)))
    both(gate_output_correction(real(B, T, H * D, grad=True), *heads(2), real(H, D, grad=True), *heads(1), real(B, T, H * D, grad=True)))


def case_rwkv7_channel_mixing():
    from fla.ops.rwkv7.channel_mixing import channel_mixing_rwkv7
    both(channel_mixing_rwkv7(real(B, T, 1024, grad=True), real(B, 1024), real(1024, grad=True), real(1024, 1024, grad=True), real(1024, 1024, grad=True))[0])


def case_lightning():
    from fla.ops.lightning_attn import chunk_lightning_attn
    both(chunk_lightning_attn(*heads(), layer_idx=1, num_layers=12))


def case_attn():
    from fla.ops.attn import parallel_attn
    both(parallel_attn(*heads(), gate()))


def case_attn_window():
    from fla.ops.attn import parallel_attn
    both(parallel_attn(*heads(d=128), window_size=512))


def case_attn_decoding():
    from fla.ops.attn.decoding import attn_decoding_one_step
    n, t = 16, 1024
    attn_decoding_one_step(real(1, n, H, D), real(1, n * t, H, D), real(1, n * t, H, D), None, cu_seqlens=torch.arange(0, n * t + 1, t))


def case_based():
    from fla.ops.based import fused_chunk_based, parallel_based
    for f in (parallel_based, fused_chunk_based):
        both(f(real(B, T, H, 16, grad=True), real(B, T, H, 16, grad=True), real(B, T, H, D, grad=True)))


def case_nsa():
    from fla.ops.nsa import parallel_nsa
    blocks = torch.arange(T // 64).view(1, 1, -1, 1).expand(B, 1, -1, 1)
    chosen = (torch.rand(B, T, 1, 16) * (torch.arange(T).view(1, T, 1, 1) // 64 + 1)).long()
    both(parallel_nsa(real(B, T, 16, 64, grad=True), real(B, T, 1, 64, grad=True), real(B, T, 1, 64, grad=True), None,
                      positive(B, T, 16, grad=True), None, block_indices=chosen, block_counts=16, block_size=64))


def case_nsa_compression():
    from fla.ops.nsa.compression import parallel_nsa_compression
    from fla.ops.nsa.parallel import parallel_nsa_topk
    q, k, v = real(B, T, 16, 64, grad=True), real(B, T // 64, 1, 64, grad=True), real(B, T // 64, 1, 64, grad=True)
    out, lse = parallel_nsa_compression(q, k, v, T, 64, 0.125)[:2]
    parallel_nsa_topk(q=q.detach(), k=k.detach(), lse=lse, TK=T, block_counts=16, block_size=64, scale=0.125)
    both(out)


def case_ttt():
    from fla.ops.ttt import chunk_ttt_linear, fused_chunk_ttt_linear
    for f in (chunk_ttt_linear, fused_chunk_ttt_linear):
        both(f(*heads(), real(H, D, grad=True), real(H, D, grad=True), real(B, T, H, 1, grad=True), chunk_size=16))


def case_log_linear():
    from fla.ops.log_linear_attn import chunk_log_linear_attn
    both(chunk_log_linear_attn(*heads(2, h=1), *heads(1)[:1], gate(), real(B, T, H, 12, grad=True)))


def case_comba():
    from fla.ops.comba import chunk_comba
    q, k, v, p = heads(4)
    both(chunk_comba(q, k, v, p, gate(), rate(), use_qk_l2norm_in_kernel=True))


def case_mesa():
    from fla.ops.mesa_net import chunk_mesa_net
    both(chunk_mesa_net(*heads(), gate(), rate(), positive(H, D, grad=True), use_qk_l2norm_in_kernel=True))


def case_forgetting():
    from fla.ops.forgetting_attn import parallel_forgetting_attn
    both(parallel_forgetting_attn(*heads(), gate()))


def case_deltaformer():
    from fla.ops.deltaformer import deltaformer_attn
    both(deltaformer_attn(*heads(), rate()))


def case_abc():
    from fla.ops.abc import chunk_abc
    both(chunk_abc(*heads(4))[0])


def case_dplr():
    from fla.ops.generalized_delta_rule import chunk_dplr_delta_rule
    both(chunk_dplr_delta_rule(*heads(5), gate(D)))


def case_iplr():
    from fla.ops.generalized_delta_rule import chunk_iplr_delta_rule, fused_recurrent_iplr_delta_rule
    chunk_iplr_delta_rule(*heads(5, grad=False))
    both(fused_recurrent_iplr_delta_rule(*[real(B, 256, H, D, grad=True) for _ in range(5)]))


def case_rebased():
    from fla.ops.rebased import parallel_rebased
    both(parallel_rebased(*[real(B, H, T, 16, grad=True) for _ in range(2)], real(B, H, T, D, grad=True)))


def case_path():
    from fla.ops.path_attn import parallel_path_attn
    both(parallel_path_attn(*heads(3), real(B, T, H, D, dtype=FP32, grad=True), rate())[0])


def case_gdn2():
    from fla.ops.gdn2 import chunk_gdn2
    both(chunk_gdn2(*heads(), gate(D), positive(B, T, H, D, grad=True), positive(B, T, H, D, grad=True), use_qk_l2norm_in_kernel=True))


def case_oja():
    from fla.ops.gated_oja_rule import chunk_gated_oja_rule
    both(chunk_gated_oja_rule(*heads(), gate(D), rate()))


def case_wall():
    from fla.ops.wall_attn.parallel import parallel_wall_attn
    both(parallel_wall_attn(*heads(), gate(D)))


def case_parallax():
    from fla.ops.parallax.parallel import parallel_parallax
    both(parallel_parallax(*heads(4)))


def case_moba():
    from fla.ops.moba import parallel_moba
    t = 4096
    both(parallel_moba(*[real(t, H, D, grad=True) for _ in range(3)], torch.tensor([0, t], dtype=torch.int32), t, 512, 4))


def case_utils():
    from importlib import import_module
    cumsum, logsumexp, matmul, pooling, softmax, solve_tril = (
        import_module("fla.ops.utils." + n) for n in ("cumsum", "logsumexp", "matmul", "pooling", "softmax", "solve_tril"))
    matmul.addmm(real(2048), real(2048, 2048), real(2048, 2048))
    softmax.softmax_fwd(real(4096, 2048))
    softmax.softmax_bwd(real(4096, 2048), real(4096, 2048))
    logsumexp.logsumexp_fwd(real(4096, 4096))
    both(pooling.mean_pooling(real(B, T, H, D, grad=True), 64))
    cumsum.chunk_global_cumsum(real(B, T, H, dtype=FP32))
    cumsum.chunk_global_cumsum(real(B, T, H, D, dtype=FP32))
    cumsum.chunk_local_cumsum(real(B, T, H, dtype=FP32), 64)
    cumsum.chunk_local_cumsum(real(B, T, H, D, dtype=FP32), 64)
    for size in (16, 32, 64):
        solve_tril.solve_tril(real(B, T, H, size, dtype=FP32, scale=0.1))


def case_pack():
    from fla.ops.utils.pack import pack_sequence, unpack_sequence
    lengths = torch.tensor([0, 300, 812, 1500, 2048])
    x = real(4, 1024, 1024, grad=True)
    both(pack_sequence(x, lengths, padding_side="left"))


def case_norms():
    from fla.modules import layernorm, layernorm_gated, fused_norm_gate, l2norm
    both(layernorm.layer_norm(real(4096, 2048, grad=True), real(2048, grad=True), real(2048, grad=True)))
    both(layernorm.rms_norm(real(65536, 128, grad=True), real(128, grad=True), None))
    both(fused_norm_gate.rms_norm_gated(real(4096, 2048, grad=True), real(4096, 2048, grad=True), real(2048, grad=True), None))
    both(fused_norm_gate.rms_norm_gated(real(65536, 128, grad=True), real(65536, 128, grad=True), real(128, grad=True), None))
    both(layernorm_gated.rmsnorm_fn(real(4096, 2048, grad=True), real(2048, grad=True), None, z=real(4096, 2048, grad=True)))
    both(l2norm.l2norm(real(65536, 128, grad=True)))
    both(l2norm.l2norm(real(8192, 1024, grad=True)))


def case_convolution():
    from fla.modules import convolution
    both(convolution.causal_conv1d(real(B, T, 2048, grad=True), real(2048, 4, grad=True), real(2048, grad=True), activation="silu", backend="triton"))


def case_rotary():
    from fla.modules.rotary import rotary_embedding
    both(rotary_embedding(real(B, T, H, 128, grad=True), real(T, 64), real(T, 64)))


def case_token_shift():
    from fla.modules.token_shift import token_shift
    both(token_shift(real(B, T, 2048, grad=True)))


def case_activations():
    from fla.modules import activations
    x, y = (real(4096, 8192, grad=True) for _ in range(2))
    for f in ("SigmoidFunction", "SwishFunction"):
        both(getattr(activations, f).apply(x))
    both(activations.logsigmoid(x))
    for f in ("SwiGLUFunction", "SigmoidGLUFunction", "PowGLUFunction"):
        both(getattr(activations, f).apply(x, y))


def case_losses():
    from fla.modules.fused_cross_entropy import cross_entropy_loss
    from fla.modules.fused_kl_div import fused_kl_div_loss
    from fla.modules.fused_linear_cross_entropy import fused_linear_cross_entropy_loss
    both(cross_entropy_loss(real(4096, 32000, grad=True), whole(32000, 4096))[0].sum())
    both(fused_linear_cross_entropy_loss(real(1024, 1024, grad=True), whole(8192, 1024), real(8192, 1024, grad=True)))
    both(fused_kl_div_loss(real(1024, 1024, grad=True), real(1024, 1024), real(8192, 1024, grad=True), real(8192, 1024)))


def case_grpo():
    from fla.modules.grpo import fused_grpo_loss
    both(fused_grpo_loss(real(4, 513, 32000, grad=True), real(4, 512, dtype=FP32), whole(32000, 4, 600), real(4, dtype=FP32)))


def case_bitlinear():
    from fla.modules.fused_bitlinear import layer_norm_linear_quant_fn
    both(layer_norm_linear_quant_fn(real(2048, 1024, grad=True), real(1024, grad=True), real(1024, grad=True), real(1024, 1024, grad=True), None))
