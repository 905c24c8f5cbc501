"""What the programs of this folder share: tensors of the sizes that models have, and gradients."""
import torch

BF16, FP16, FP32 = torch.bfloat16, torch.float16, torch.float32


def stretched(make, shape, dtype):
    """Numbers in the first elements, by which the others are filled when it is launched: nothing is computed with them here."""
    whole = torch.zeros(shape, dtype=dtype)
    flat = whole.view(-1)
    few = min(1 << 12, flat.numel())
    flat[:few] = make(few).to(dtype)
    return whole


def real(*shape, dtype=BF16, grad=False, scale=1.0):
    return stretched(lambda n: torch.randn(n) * scale, shape, dtype).requires_grad_(grad)


def positive(*shape, dtype=FP32, grad=False):
    return stretched(lambda n: torch.rand(n) + 0.1, shape, dtype).requires_grad_(grad)


def negative(*shape, dtype=FP32, grad=False):
    return stretched(lambda n: -0.1 * torch.rand(n) - 0.01, shape, dtype).requires_grad_(grad)


def whole(high, *shape, dtype=torch.int64):
    return torch.randint(0, high, shape).to(dtype)


def both(outputs):
    """Runs the backward pass, too."""
    outputs = [o for o in (outputs if isinstance(outputs, (tuple, list)) else [outputs])
               if torch.is_tensor(o) and o.requires_grad]
    torch.autograd.backward(outputs, [real(*o.shape, dtype=o.dtype) for o in outputs])
