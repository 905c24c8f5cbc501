"""state-spaces/mamba: the structured state-space dual. --path CHECKOUT"""
import sys

import pretend
import torch
from real import FP32, both, negative, positive, real

for name in ("selective_scan_cuda", "causal_conv1d", "causal_conv1d_cuda"):
    sys.modules.setdefault(name, pretend.Nothing())

B, T, H, P, N, CHUNK = 2, 2048, 32, 64, 128, 256


def case_ssd():
    from mamba_ssm.ops.triton.ssd_combined import mamba_chunk_scan_combined
    both(mamba_chunk_scan_combined(real(B, T, H, P, grad=True), real(B, T, H, grad=True), negative(H, grad=True), real(B, T, 1, N, grad=True),
                                   real(B, T, 1, N, grad=True), CHUNK, D=real(H, dtype=FP32, grad=True), z=real(B, T, H, P, grad=True),
                                   dt_bias=real(H, dtype=FP32, grad=True), dt_softplus=True))


def case_ssd_parts():
    from mamba_ssm.ops.triton import ssd_chunk_scan as scan
    chunks = T // CHUNK
    x, da = real(B, T, H, P), negative(B, H, chunks, CHUNK)
    dt, cb = positive(B, H, chunks, CHUNK), real(B, chunks, 1, CHUNK, CHUNK)
    scan._chunk_scan_bwd_dx(cb, x, dt, da, real(B, T, H, P))
    scan._chunk_scan_bwd_ddAcs_stable_old(x, dt, da, real(B, T, H, P), cb)
    scan._chunk_scan_bwd_ddAcs_unstable(x, dt, real(B, T, H, P), real(B, T, H, P), positive(B, H, chunks, CHUNK))


def case_selective_state_update():
    from mamba_ssm.ops.triton.selective_state_update import selective_state_update
    n, h = 256, 64
    selective_state_update(real(n, h, P, N), real(n, h, P), real(n, h, 1).expand(n, h, P), negative(h, 1, 1).expand(h, P, N), real(n, 1, N), real(n, 1, N),
                           D=real(h, 1).expand(h, P), z=real(n, h, P), dt_bias=real(h, 1).expand(h, P), dt_softplus=True)


def case_norms():
    from mamba_ssm.ops.triton import layer_norm, layernorm_gated
    both(layer_norm.layer_norm_fn(real(4096, 2560, grad=True), real(2560, grad=True), real(2560, grad=True), residual=real(4096, 2560, grad=True),
                                  prenorm=True, residual_in_fp32=True))
    both(layernorm_gated.rmsnorm_fn(real(4096, 4096, grad=True), real(4096, grad=True), None, z=real(4096, 4096, grad=True)))


def case_swiglu():
    from mamba_ssm.ops.triton import k_activations
    both(k_activations.swiglu(real(4096, 8192, grad=True)))


def case_varlen():
    from mamba_ssm.ops.triton.ssd_chunk_state import chunk_state_varlen
    chunks = T // CHUNK
    chunk_state_varlen(real(T, 1, N), real(T, H, P), positive(H, chunks, CHUNK), negative(H, chunks, CHUNK),
                       torch.tensor([0, 500, 1100, T], dtype=torch.int32), real(chunks, H, P, N))
