#!/usr/bin/env python3
"""tkc_torch_symmetric.py on a stand-in for PyTorch: addresses of two ranks and of one, memory that is not as said, and the order of copies.

    torch_symmetric.py REPOSITORY
"""
import contextlib
import os
import sys
import types

calls = []


class Tensor:
    def __init__(self, address, count, size):
        self.address, self.count, self.size, self.device = address, count, size, "cuda:0"
        self.dtype, self.shape = "float16", (count,)

    def __getitem__(self, part):
        return Tensor(self.address + part.start * self.size, min(part.stop, self.count) - part.start, self.size)

    def copy_(self, other, non_blocking):
        calls.append((streams[-1], self.address, other.address, other.count))

    def zero_(self):
        calls.append("zero")
        return self

    def data_ptr(self):
        return self.address

    def numel(self):
        return self.count

    def element_size(self):
        return self.size


class Handle:
    def __init__(self, rank, pointers, bytes):
        self.rank, self.world_size, self.buffer_ptrs, self.buffer_size = rank, len(pointers), pointers, bytes

    def get_buffer(self, rank, shape, dtype, start=0):
        return Tensor(self.buffer_ptrs[rank] + skipped + 2 * start, shape[0], 2)


class Stream:
    def wait_stream(self, other):
        calls.append((self, "waits for", other))


skipped, streams = 0, [Stream()]  # what get_buffer leaves out, as releases of PyTorch differ; current streams


@contextlib.contextmanager
def current(stream):
    streams.append(stream)
    yield
    streams.pop()


torch = types.ModuleType("torch")
torch.int64 = "int64"
torch.device = lambda *words: words
torch.tensor = lambda values, dtype, device: (list(values), dtype, device)
torch.cuda = types.SimpleNamespace(current_device=lambda: 0, synchronize=lambda device: calls.append("synchronize"),
                                   Stream=Stream, stream=current, current_stream=lambda: streams[-1])
distributed = types.ModuleType("torch.distributed")
distributed.group = types.SimpleNamespace(WORLD="world")
distributed.barrier = lambda group: calls.append(("barrier", group))
memory = types.ModuleType("torch.distributed._symmetric_memory")
torch.distributed, distributed._symmetric_memory = distributed, memory
sys.modules.update({"torch": torch, "torch.distributed": distributed, "torch.distributed._symmetric_memory": memory})
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(sys.argv[1], "tools"))
import tkc_torch_symmetric  # noqa: E402


def made(rank, pointers, behind, count, bytes, group=None):
    def rendezvous(tensor, given):
        calls.append(("rendezvous", given))
        return Handle(rank, pointers, bytes)
    calls.clear()
    memory.empty = lambda shape, dtype, device: Tensor(pointers[rank] + behind, count, 2)
    memory.rendezvous = rendezvous
    return tkc_torch_symmetric.zeros((count,), "float16", group)


for rank in range(2):  # the tensor lies 256 bytes into a pool that each rank sees elsewhere
    two = made(rank, [0x1000, 0x9000], 256, 512, 4096)
    assert two.addresses == ([0x1100, 0x9100], "int64", "cuda:0"), two.addresses
    assert (two.rank, two.ranks, two.tensor.address) == (rank, 2, [0x1100, 0x9100][rank])
    # Nobody goes on before the memory of all is zero.
    assert calls == ["zero", ("rendezvous", "world"), "synchronize", ("barrier", "world")], calls
assert made(0, [0x1000], 0, 512, 1024, "mine").addresses[0] == [0x1000] and ("rendezvous", "mine") in calls
for behind, count in ((256, 512), (-2, 8)):
    try:
        made(1, [0x1000, 0x9000], behind, count, 1024)
    except RuntimeError as error:
        assert "symmetric memory" in str(error)
    else:
        sys.exit(f"{count} elements {behind} bytes behind a buffer of 1024 bytes were taken")
for skipped in (0, 256):
    there = made(0, [0x1000, 0x9000], 256, 512, 4096).of(1)
    assert (there.address, there.count) == (0x9100, 512), there.address
skipped = 1  # no element begins there
try:
    made(0, [0x1000, 0x9000], 256, 512, 4096).of(1)
except RuntimeError as error:
    assert "0x9100" in str(error)
else:
    sys.exit("a peer's tensor at another address was taken")
copies, (main,) = tkc_torch_symmetric.CopyStream(), streams
calls.clear()
copies.begin()
copies.send(Tensor(0x100, 5, 2), Tensor(0x200, 5, 2), Tensor(0x300, 3, 4), Tensor(0x400, 1, 4), 2)
copies.end()
side = copies.stream
assert calls == [(side, "waits for", main), (side, 0x200, 0x100, 2), (side, 0x300, 0x400, 1), (side, 0x204, 0x104, 2), (side, 0x304, 0x400, 1),
                 (side, 0x208, 0x108, 1), (side, 0x308, 0x400, 1), (main, "waits for", side)], calls
print("addresses of ranks are right, and copies in order")
