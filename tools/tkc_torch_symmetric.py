"""Memory that all GPUs of a process group address, for kernels over several GPUs (examples/several_gpus.tk), beside tkc_torch.py.

    import tkc_torch, tkc_torch_symmetric as symmetric
    tkc_torch.load("all_reduce_one_shot.json")
    staging = symmetric.zeros((2, ranks, capacity), torch.float16)              # on all ranks, in the same order
    signals = symmetric.zeros((programs, ranks), torch.int32)
    epochs = torch.zeros(programs, dtype=torch.int32, device="cuda")
    torch.ops.tkc.all_reduce_one_shot(x, out, staging.addresses, signals.addresses, epochs, staging.rank, x.numel(), capacity)

The memory is PyTorch's symmetric memory: PyTorch makes it, maps it between processes, and gives it back with the last reference. A process
that is killed leaves nothing behind, because the driver counts who has it. A launch waits for those of the other ranks: all launch
the same kernels in the same order. Kernels may run in CUDA graphs; their epochs are in memory.

Copies by copy engines beside a kernel take no multiprocessor: CopyStream sends rows to a peer, and behind each chunk of them the epoch for
which the kernel there waits (`all_gather_product` with COPIES = 0, `product_sum`).
"""
import torch


class Symmetric:
    """A tensor of one shape on each rank of the group. `tensor`: this rank's; `addresses`: int64, one a rank, on this rank's GPU, for a
    parameter "**…"; `rank` and `ranks`: of the group."""

    def __init__(self, tensor, handle):
        self.tensor, self.handle = tensor, handle  # the handle keeps the mappings of the peers' memory
        self.rank, self.ranks = handle.rank, handle.world_size
        behind = tensor.data_ptr() - handle.buffer_ptrs[self.rank]  # the same on each rank
        if behind < 0 or behind + tensor.numel() * tensor.element_size() > handle.buffer_size:
            raise RuntimeError(f"symmetric memory: the tensor begins {behind} bytes behind its buffer of {handle.buffer_size} bytes")
        self.behind = behind
        self.addresses = torch.tensor([address + behind for address in handle.buffer_ptrs], dtype=torch.int64, device=tensor.device)

    def of(self, rank):
        """The tensor of another rank, as a tensor on this rank's GPU."""
        address, size, dtype = self.handle.buffer_ptrs[rank] + self.behind, self.tensor.element_size(), self.tensor.dtype
        start = self.handle.get_buffer(rank, (1,), dtype).data_ptr()
        made = self.handle.get_buffer(rank, self.tensor.shape, dtype, (address - start) // size)
        if made.data_ptr() != address:
            raise RuntimeError(f"symmetric memory: the tensor of rank {rank} is at {address:#x}, and not at {made.data_ptr():#x}")
        return made


class CopyStream:
    """A stream for copies to peers beside the kernels of the current stream; may be captured in a graph."""

    def __init__(self):
        self.stream = torch.cuda.Stream()

    def begin(self):
        """What is copied next waits for what the current stream did so far."""
        self.stream.wait_stream(torch.cuda.current_stream())

    def send(self, rows, to, flags, epoch, chunk):
        """Copies `rows` to the peer's rows `to`, of the same shape, `chunk` rows at a time; behind each chunk `epoch`, int32 [1], to its flag,
        int32, in the peer's `flags`."""
        with torch.cuda.stream(self.stream):
            for number, first in enumerate(range(0, rows.shape[0], chunk)):
                to[first:first + chunk].copy_(rows[first:first + chunk], non_blocking=True)
                flags[number:number + 1].copy_(epoch, non_blocking=True)

    def end(self):
        """What the current stream does next waits for all copies."""
        torch.cuda.current_stream().wait_stream(self.stream)


def zeros(shape, dtype, group=None, device=None):
    """On all ranks of the group (the default one if None) together, on the current GPU or `device`. Zero on all of them when it returns."""
    import torch.distributed as distributed
    import torch.distributed._symmetric_memory as memory
    group = group or distributed.group.WORLD
    device = device or torch.device("cuda", torch.cuda.current_device())
    tensor = memory.empty(shape, dtype=dtype, device=device).zero_()
    made = Symmetric(tensor, memory.rendezvous(tensor, group))
    torch.cuda.synchronize(device)
    distributed.barrier(group)  # no peer writes before all are zero
    return made
