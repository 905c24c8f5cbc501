"""ModelTC/lightllm: prefill and decode attention over paged caches, mixtures of experts, quantised products. --path CHECKOUT"""
import os
from importlib import import_module

import torch
from real import FP16, FP32, positive, real, whole

os.environ.setdefault("LIGHTLLM_CURRENT_DEVICE_ID", "0")
LLAMA, BASE, MOE = "lightllm.models.llama.triton_kernel.", "lightllm.common.basemodel.triton_kernel.", "lightllm.common.fused_moe."
N, T, H, KV, D, MOST = 32, 2048, 32, 8, 128, 4096  # sequences, tokens each, heads, heads of keys, features


def get(path, name):
    return getattr(import_module(path), name)


def i32(values):
    return torch.as_tensor(values, dtype=torch.int32)


def paged(n=N, t=T):
    """Where each sequence's tokens lie: requests, starts, lengths, request-to-token indices."""
    return i32(range(n)), i32([t * i for i in range(n)]), i32([t] * n), torch.randperm(n * t).to(torch.int32).view(n, t).contiguous()


def half(*shape, scale=1.0):
    return real(*shape, dtype=FP16, scale=scale)


def case_prefill():
    n, t = 4, 2048
    request, start, length, table = paged(n, t)
    q, k = half(n * t, H, D), half(n * t, KV, D)
    path = LLAMA + "context_flashattention_nopad"
    get(path, "context_attention_fwd")(q, k, k, q, request, start, length, i32([0] * n), t, table)
    get(path, "context_attention_fwd_no_prompt_cache")(q, k, k, q, start, length, t)


def case_decode():
    request, start, length, table = paged()
    q, k = half(N, H, D), half(N * T, KV, D)
    block, blocks = 256, T // 256
    mid, lse = real(N, H, blocks, D, dtype=FP32), real(N, H, blocks, dtype=FP32)
    get(LLAMA + "gqa_flash_decoding_stage1", "flash_decode_stage1")(q, k, k, table, request, length, T, mid, lse, block)
    get(LLAMA + "gqa_flash_decoding_stage2", "flash_decode_stage2")(mid, lse, length, q, block)
    k = half(N * T, H, D)
    get(LLAMA + "flash_decoding_stage1", "flash_decode_stage1")(q, k, k, table, request, length, T, mid, lse, block)
    get(LLAMA + "flash_decoding_stage2", "flash_decode_stage2")(mid, lse, length, q, block)
    get(LLAMA + "gqa_decode_flashattention_nopad", "gqa_decode_attention_fwd")(q, half(N * T, KV, D), half(N * T, KV, D), q, table, request, length)


def case_token_attention():
    request, start, length, table = paged()
    q, k = half(N, H, D), half(N * T, KV, D)
    prob = half(H, N * T)
    get(LLAMA + "token_attention_nopad_att1", "token_att_fwd")(q, k, prob, table, request, start, length, T)
    get(LLAMA + "token_attention_nopad_softmax", "token_softmax_fwd")(prob, start, length, prob, T)
    get(LLAMA + "token_attention_nopad_reduceV", "token_att_fwd2")(prob, k, q, table, request, start, length)
    get(LLAMA + "token_attention_softmax_and_reducev", "token_softmax_reducev_fwd")(prob, k, q, table, request, start, length)


def case_token_attention_int8():
    request, start, length, table = paged()
    q, k, scale = half(N, H, D), whole(100, N * T, KV, D, dtype=torch.int8), half(N * T, KV, 1)
    prob = half(H, N * T)
    get(LLAMA + "token_attention_nopad_att1", "token_att_fwd_int8k")(q, k, scale, prob, table, request, start, length, T)
    get(LLAMA + "token_attention_nopad_reduceV", "token_att_fwd2_int8v")(prob, k, scale, q, table, request, start, length, T)


def case_bloom():
    request, start, length, table = paged(4)
    q, k = half(4 * T, H, D), half(4 * T, H, D)
    path = "lightllm.models.bloom.triton_kernel."
    get(path + "context_flashattention_nopad", "context_attention_fwd")(q, k, k, q, request, positive(H), start, length, i32([0] * 4), T, table)
    get(path + "layernorm", "layernorm_forward")(half(4096, 4096), half(4096), half(4096), 1e-5)


def case_deepseek():
    path = "lightllm.models.deepseek2.triton_kernel."
    request, start, length, table = paged(4)
    n, rope = 512, 64
    q, qr, k, kr = half(4 * T, 16, n), half(4 * T, 16, rope), half(4 * T, 1, n), half(4 * T, 1, rope)
    get(path + "context_flashattention_nopad", "context_attention_fwd_no_prompt_cache")(q, qr, k, kr, q, start, length, T, 0.05)
    get(path + "context_flashattention_nopad_with_v", "context_attention_fwd_with_v")(
        half(4 * T, 16, 128), half(4 * T, 16, rope), half(4 * T, 16, 128), half(4 * T, 1, rope), half(4 * T, 16, 128), half(4 * T, 16, 128),
        start, start, length, i32([0] * 4), T, 0.05)
    get(path + "rotary_emb", "rotary_emb_fwd")(half(8192, 16, rope), half(8192, 1, rope), half(8192, rope // 2), half(8192, rope // 2))
    get(path + "destindex_copy_kv", "destindex_copy_kv")(half(8192, 1, n), half(8192, 1, rope), torch.randperm(8192).to(torch.int32), half(8192, 1, n), half(8192, 1, rope))
    get(path + "weight_dequant", "weight_dequant")(torch.zeros(4096, 4096, dtype=torch.float8_e4m3fn), positive(32, 32), 128)
    get(path + "repack_kv_index", "repack_kv_index")(table.view(-1), request, length, start, T, i32([0] * (4 * T)))
    get(path + "destindex_copy_kv_fp8", "destindex_copy_kv_fp8")(half(8192, 1, n), half(8192, 1, rope), torch.randperm(8192).to(torch.int32),
        torch.zeros(8192, 1, n, dtype=torch.float8_e4m3fn), torch.zeros(8192, 1, rope, dtype=torch.float8_e4m3fn), half(8192, 1, 1))


def case_mistral():
    path = "lightllm.models.mistral.triton_kernel."
    request, start, length, table = paged(4)
    q, k = half(4 * T, H, D), half(4 * T, KV, D)
    get(path + "context_flashattention_nopad", "context_attention_fwd")(q, k, k, q, start, length, T, 1024)


def case_vit():
    path = "lightllm.models.vit.triton_kernel."
    get(path + "flashattention_nopad", "_flash_attention_triton_fwd")(half(16, 1024, 16, 64), half(16, 1024, 16, 64), half(16, 1024, 16, 64), half(16, 1024, 16, 64))
    get(path + "rms_norm_vit", "rms_norm")(half(8192, 3200), half(3200))
    get(path + "gelu_vit", "gelu_fwd")(half(8192, 4096))


def case_elementwise():
    get(LLAMA + "rotary_emb", "rotary_emb_fwd")(half(8192, H, D), half(8192, KV, D), half(8192, D // 2), half(8192, D // 2))
    get(LLAMA + "silu_and_mul", "silu_and_mul_fwd")(half(4096, 22016), half(4096, 11008))
    get(LLAMA + "rmsnorm", "rmsnorm_forward")(half(8192, 4096), half(4096), 1e-6, half(8192, 4096))
    get(LLAMA + "embedding", "embedding")(whole(32000, 8192), half(32000, 4096), 0, 32000, half(8192, 4096))
    get("lightllm.models.gemma_2b.triton_kernel.gelu_and_mul", "gelu_and_mul_fwd")(half(4096, 22016), half(4096, 11008))
    get("lightllm.models.chatglm2.triton_kernel.rotary_emb", "rotary_emb_fwd")(half(8192, H, D), half(8192, KV, D), half(8192, D // 4), half(8192, D // 4))
    get("lightllm.models.phi3.triton_kernel.rotary_emb", "rotary_emb_fwd")(half(8192, H, 96), half(8192, KV, 96), half(8192, 48), half(8192, 48))
    get("lightllm.models.cohere.triton_kernels.layernorm", "layernorm_forward")(half(8192, H, D), half(H, D), 1e-5)
    get("lightllm.models.cohere.triton_kernels.rotary_emb", "rotary_emb_fwd")(half(8192, H, D), half(8192, KV, D), half(8192, D), half(8192, D))


def case_copies():
    where = torch.randperm(8192).to(torch.int32)
    get(BASE + "destindex_copy_kv", "destindex_copy_kv")(half(8192, KV, D), where, half(8192, KV, D))
    get(BASE + "destindex_copy_kv", "destindex_copy_quantize_kv")(half(8192, KV, D), where, torch.zeros(8192, KV, D, dtype=torch.int8), half(8192, KV, 1))
    get(LLAMA + "ppl_quant_copy_kv", "destindex_copy_quantize_kv")(half(8192, KV, D), where, torch.zeros(8192, KV, D, dtype=torch.int8), half(8192, KV, D // 8))
    get(LLAMA + "ppl_int4kv_copy_kv", "destindex_copy_int4kv")(half(8192, KV, D), where, torch.zeros(8192, KV, D // 2, dtype=torch.int8), half(8192, KV, D // 8))
    get(BASE + "add_in_place", "add_in_place")(half(4096, 4096), half(4096, 4096))


def case_quantised():
    get(BASE + "dequantize_gemm_int8", "matmul_dequantize_int8")(half(256, 4096), whole(100, 4096, 4096, dtype=torch.int8), half(1, 4096), half(256, 4096))
    get(BASE + "quantize_gemm_int8", "quantize_int8_perrow")(half(4096, 4096))
    get(BASE + "quantize_gemm_int8", "matmul_int8")(whole(100, 1024, 4096, dtype=torch.int8), half(1024), whole(100, 4096, 4096, dtype=torch.int8), half(4096), half(1024, 4096))


def case_int4():
    x, w = half(256, 4096), whole(1 << 31, 512, 4096, dtype=torch.int32)
    get(BASE + "dequantize_gemm_int4", "matmul_dequantize_int4_gptq")(x, w, half(32, 4096), whole(1 << 31, 32, 512, dtype=torch.int32), 128, half(256, 4096))
    get(BASE + "dequantize_gemm_int4", "dequantize_int4")(w, half(32, 4096), whole(1 << 31, 32, 512, dtype=torch.int32), "cuda", FP16, 128)


def case_int4_split():
    x, w = half(256, 4096), whole(1 << 31, 512, 4096, dtype=torch.int32)
    get(BASE + "dequantize_gemm_int4", "matmul_dequantize_int4_s2")(x, w, half(32, 4096), whole(1 << 31, 32, 512, dtype=torch.int32), 128)


def case_fp8():
    path = "lightllm.common.quantization.triton_quant.fp8."
    a, b = (torch.zeros(s, dtype=torch.float8_e4m3fn) for s in ((1024, 4096), (4096, 4096)))
    get(path + "fp8w8a8_block_quant_kernel", "weight_quant")(real(4096, 4096), 128)
    get(path + "fp8w8a8_block_gemm_kernel", "w8a8_block_fp8_matmul")(a, b, positive(1024, 32), positive(32, 32), real(1024, 4096), [128, 128])


def case_bmm_fp8():
    a, b = torch.zeros(16, 512, 512, dtype=torch.float8_e4m3fn), torch.zeros(16, 512, 512, dtype=torch.float8_e4m3fn)
    get(BASE + "bmm_scaled_fp8", "bmm_scaled_fp8")(a, positive(16, 512, 1), b, positive(16, 1, 512), real(16, 512, 512))


def case_moe():
    experts, chosen, tokens, hidden, inner = 32, 4, 2048, 2048, 1024
    get(MOE + "grouped_fused_moe", "fused_experts_impl")(real(tokens, hidden), real(experts, 2 * inner, hidden), real(experts, hidden, inner),
                                                        positive(tokens, chosen), torch.rand(tokens, experts).topk(chosen).indices)
    get(MOE + "softmax_topk", "softmax_topk")(real(8192, 128, dtype=FP32), 8, True)
    get(MOE + "grouped_topk", "triton_grouped_topk")(None, real(8192, 256, dtype=FP32), real(256, dtype=FP32), 8, True, 8, 4, "sigmoid")
    get(MOE + "moe_sum_reduce", "moe_sum_reduce")(real(8192, 8, 2048), real(8192, 2048))
    get(MOE + "moe_silu_and_mul", "silu_and_mul_fwd")(real(4096, 22016), real(4096, 11008))
