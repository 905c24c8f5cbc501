"""C = A @ B as Triton likes it best on Hopper, a peer for bench.py: tensor descriptors, persistent programs, tiles in groups.

This is what a kernel's author must write by hand there; examples/matmul.tk, which tkc compiles, has plain pointers and one
tile a program. A is M x K or, LEFT_TURNED, K x M as it lies in memory; B is K x N or, RIGHT_TURNED, N x K; C is M x N.
"""
import triton
import triton.language as tl


@triton.jit
def descriptor_products(a, b, c, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                        GROUP: tl.constexpr, PARTS: tl.constexpr, LEFT_TURNED: tl.constexpr, RIGHT_TURNED: tl.constexpr,
                        FLAT: tl.constexpr, SPECIALISED: tl.constexpr):
    if SPECIALISED:  # the compiler divides a warp-specialised tile in two, and the descriptors with it, if they are made here
        a = tl.make_tensor_descriptor(a, [K, M] if LEFT_TURNED else [M, K], [M if LEFT_TURNED else K, 1],
                                      [BLOCK_K, BLOCK_M] if LEFT_TURNED else [BLOCK_M, BLOCK_K])
        b = tl.make_tensor_descriptor(b, [N, K] if RIGHT_TURNED else [K, N], [K if RIGHT_TURNED else N, 1],
                                      [BLOCK_N, BLOCK_K] if RIGHT_TURNED else [BLOCK_K, BLOCK_N])
        c = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BLOCK_M, BLOCK_N // PARTS])
    tiles_m, tiles_n = tl.cdiv(M, BLOCK_M), tl.cdiv(N, BLOCK_N)
    for tile in tl.range(tl.program_id(0), tiles_m * tiles_n, tl.num_programs(0), flatten=FLAT, warp_specialize=SPECIALISED):
        group = tile // (GROUP * tiles_n)
        height = min(tiles_m - group * GROUP, GROUP)
        inside = tile % (GROUP * tiles_n)
        row = (group * GROUP + inside % height) * BLOCK_M
        column = inside // height * BLOCK_N
        sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        for depth in range(0, K, BLOCK_K):
            if LEFT_TURNED:
                left = a.load([depth, row]).T
            else:
                left = a.load([row, depth])
            if RIGHT_TURNED:
                right = b.load([column, depth]).T
            else:
                right = b.load([depth, column])
            sums = tl.dot(left, right, sums)
        if PARTS == 1:
            c.store([row, column], sums.to(tl.float16))
        else:
            halves = sums.reshape(BLOCK_M, 2, BLOCK_N // 2).permute(0, 2, 1)
            first, second = tl.split(halves)
            c.store([row, column], first.to(tl.float16))
            c.store([row, column + BLOCK_N // 2], second.to(tl.float16))


# BLOCK_M, BLOCK_N, BLOCK_K, GROUP, PARTS, FLAT, SPECIALISED, num_warps, num_stages. Four specialised warps become two
# multiplying groups of four and one warp for copies; Triton 3.6 fails on such kernels if a tile is stored in parts.
SETTINGS = [(128, 256, 64, 8, 2, True, False, 8, 3), (128, 256, 64, 8, 2, False, False, 8, 4),
            (128, 256, 64, 8, 1, False, False, 8, 3), (128, 256, 64, 16, 2, True, False, 8, 3),
            (128, 128, 64, 8, 1, True, False, 4, 4), (128, 128, 64, 8, 1, True, False, 8, 4),
            (128, 128, 128, 8, 1, False, False, 8, 3), (64, 128, 64, 8, 1, True, False, 4, 5),
            (128, 256, 64, 8, 1, False, True, 4, 3), (128, 256, 64, 16, 1, False, True, 4, 3),
            (256, 128, 64, 8, 1, False, True, 4, 3), (128, 128, 64, 8, 1, False, True, 4, 4),
            (128, 128, 128, 8, 1, False, True, 4, 3)]


def as_it_lies(matrix):
    """A matrix whose last dimension is contiguous, and whether it is the transposed one."""
    return (matrix, False) if matrix.stride(-1) == 1 else (matrix.t(), True)


def launcher(a, b, c, block_m, block_n, block_k, group, parts, flat, specialised, num_warps, num_stages):
    """A launch of c = a @ b for fp16 matrices on the GPU; c is contiguous."""
    import torch
    from triton.tools.tensor_descriptor import TensorDescriptor

    (left, left_turned), (right, right_turned) = as_it_lies(a), as_it_lies(b)
    given = [left, right, c]
    if specialised:
        triton.set_allocator(lambda size, alignment, stream: torch.empty(size, dtype=torch.int8, device="cuda"))
    else:
        given = [TensorDescriptor.from_tensor(tensor, block) for tensor, block in (
            (left, [block_k, block_m] if left_turned else [block_m, block_k]),
            (right, [block_n, block_k] if right_turned else [block_k, block_n]), (c, [block_m, block_n // parts]))]
    (m, k), n = a.shape, b.shape[1]
    programs = min(torch.cuda.get_device_properties("cuda").multi_processor_count,
                   triton.cdiv(m, block_m) * triton.cdiv(n, block_n))

    def launch(*_):
        descriptor_products[(programs,)](*given, m, n, k, block_m, block_n, block_k, group, parts, left_turned, right_turned,
                                         flat, specialised, num_warps=num_warps, num_stages=num_stages)

    return launch


def launchers(a, b, c):
    """(label, what makes a launch) for each setting."""
    return [("TMA " + "x".join(map(str, s[:3])) + f" group {s[3]} parts {s[4]}" + " flat" * s[5] + " specialised" * s[6]
             + f" w{s[7]} s{s[8]}", lambda s=s: launcher(a, b, c, *s)) for s in SETTINGS]
