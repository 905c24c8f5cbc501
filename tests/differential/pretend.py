"""A machine with a Hopper GPU, as far as host code of kernels asks for one: tensors lie on the CPU and say that they do not.

    pretend.install()        device="cuda" is then taken off every call of PyTorch

What host code computes with PyTorch is computed, on the CPU. What a kernel would have computed is not: `launches` may be
replaced (record.py), and Triton compiles for the GPU as it would there.
"""
import functools
import types

import torch
import torch.distributed.tensor  # noqa: F401  (before it is changed)
import triton
from triton.backends.compiler import GPUTarget
from triton.backends.nvidia.driver import CudaDriver

CAPABILITY, MULTIPROCESSORS, SHARED_BYTES, MEMORY_BYTES = (9, 0), 132, 232448, 141 << 30
PROPERTIES = types.SimpleNamespace(
    name="NVIDIA H200", major=CAPABILITY[0], minor=CAPABILITY[1], multi_processor_count=MULTIPROCESSORS, warp_size=32,
    total_memory=MEMORY_BYTES, regs_per_multiprocessor=65536, max_threads_per_multi_processor=2048, L2_cache_size=60 << 20,
    shared_memory_per_block=49152, shared_memory_per_block_optin=SHARED_BYTES, shared_memory_per_multiprocessor=SHARED_BYTES + 1024,
    gcnArchName="")


class Nothing:
    """Streams, events, locks: whatever is asked of them is done."""

    cuda_stream = 0

    def __init__(self, *arguments, **keywords):
        pass

    def __call__(self, *arguments, **keywords):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *what):
        return False

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing()


class Driver(CudaDriver):

    def __init__(self):
        self.utils = types.SimpleNamespace(get_device_properties=lambda device: {
            "max_shared_mem": SHARED_BYTES, "max_num_regs": 65536, "multiprocessor_count": MULTIPROCESSORS, "warpSize": 32,
            "sm_clock_rate": 1980000, "mem_clock_rate": 3201000, "mem_bus_width": 6144})
        self.get_device_capability = lambda device=None: CAPABILITY
        self.get_current_device = lambda: 0
        self.set_current_device = lambda device: None
        self.get_current_stream = lambda device=None: 0

    def get_current_target(self):
        return GPUTarget("cuda", CAPABILITY[0] * 10 + CAPABILITY[1], 32)

    def get_active_torch_device(self):
        return torch.device("cuda", 0)


def is_gpu(what):
    return isinstance(what, torch.device) and what.type == "cuda" or isinstance(what, str) and what.split(":")[0] == "cuda"


MAKERS = ("empty", "zeros", "ones", "full", "tensor", "as_tensor", "asarray", "scalar_tensor", "arange", "linspace", "logspace", "eye",
          "rand", "randn", "randint", "randperm", "normal", "empty_strided", "empty_like", "zeros_like", "ones_like", "full_like",
          "rand_like", "randn_like", "randint_like", "tril_indices", "triu_indices")
METHODS = ("to", "new_empty", "new_zeros", "new_ones", "new_full", "new_tensor", "new_empty_strided")


def on_cpu(function):
    """Takes the device off every call."""

    @functools.wraps(function, updated=())
    def call(*arguments, **keywords):
        arguments = tuple(torch.device("cpu") if is_gpu(a) else a for a in arguments)
        if is_gpu(keywords.get("device")) or type(keywords.get("device")) is int:
            keywords["device"] = torch.device("cpu")
        keywords.pop("pin_memory", None)
        made = function(*arguments, **keywords)
        if "empty" in function.__name__ and not made.is_floating_point():
            made.zero_()  # indices that a kernel would have written: the first element is one for certain
        return made

    return call


def install():
    gpu = torch.device("cuda", 0)
    torch.Tensor.device = property(lambda tensor: gpu)
    torch.Tensor.is_cuda = property(lambda tensor: True)
    torch.Tensor.is_cpu = property(lambda tensor: False)
    torch.Tensor.get_device = lambda tensor: 0
    torch.Tensor.pin_memory = lambda tensor, *rest: tensor
    torch.Tensor.cuda = lambda tensor, *rest, **keywords: tensor
    torch.Tensor.record_stream = lambda tensor, stream: None
    for owner, names in ((torch, MAKERS), (torch.Tensor, METHODS)):
        for name in names:
            setattr(owner, name, on_cpu(getattr(owner, name)))
    cuda = torch.cuda
    for name, value in {
            "is_available": True, "device_count": 1, "current_device": 0, "get_device_capability": CAPABILITY, "is_initialized": True,
            "get_device_properties": PROPERTIES, "get_device_name": PROPERTIES.name, "synchronize": None, "empty_cache": None,
            "mem_get_info": (MEMORY_BYTES, MEMORY_BYTES), "set_device": None, "current_stream": Nothing(), "init": None,
            "_lazy_init": None, "is_current_stream_capturing": False, "is_bf16_supported": True, "get_arch_list": ["sm_90"],
            "default_stream": Nothing(), "memory_allocated": 0, "max_memory_allocated": 0, "reset_peak_memory_stats": None,
            "manual_seed": None, "manual_seed_all": None}.items():
        setattr(cuda, name, lambda *arguments, value=value, **keywords: value)
    for name in ("Stream", "Event", "stream", "device", "device_of"):
        setattr(cuda, name, Nothing)
    cuda.nvtx = Nothing()
    torch.accelerator.is_available = lambda: True
    torch.accelerator.current_accelerator = lambda *rest, **keywords: torch.device("cuda")
    torch.accelerator.current_device_index = lambda: 0
    torch.version.cuda = torch.version.cuda or "13.0"
    triton.runtime.driver.set_active(Driver())
