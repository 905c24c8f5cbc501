"""How much a kernel's results move by themselves: what to think of two compilers' results that differ.

Recurrences, differences of large numbers and sums in 16 bits turn a rounding into anything. So Triton's kernel is run again,
once on the same data and once on data whose numbers were moved by their last bit (where products are in tf32, by the last bit
of that). Results that differ no more than that are "sensitive" to rounding, those that differ between runs on the same data
"unstable": neither compiler can be said to be wrong.
"""
import torch

import fill

SLACK_FACTOR = 4  # how much further apart than moved data: rounding is done at every step, data moved at one


def moved(whole, element, slack, tf32):
    """A copy of a buffer of reals with half of its numbers moved by a unit in the last place."""
    size = fill.BYTES[element]
    copy = whole.clone()
    bits = copy[slack:-slack].view({1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[size])
    generator = torch.Generator(device=copy.device).manual_seed(1)
    chosen = torch.randint(0, 2, bits.shape, generator=generator, device=copy.device, dtype=torch.int8).to(bits.dtype)
    zero = (bits << 1) == 0
    bits ^= torch.where(zero, 0, chosen << (13 if tf32 and element == "fp32" else 0)).to(bits.dtype)
    return copy


def distance(element, a, b, slack):
    """Root mean square of the differences of the numbers that are finite in both, and how many are not in one only."""
    x, y = (w[slack:-slack].view(fill.REALS[element]).to(torch.float64) for w in (a, b))
    both = x.isfinite() & y.isfinite()
    odd = int((x.isfinite() != y.isfinite()).sum())
    apart = (x - y)[both]
    largest = float(apart.abs().max()) if apart.numel() else 0.0
    return (float((apart / largest).square().mean().sqrt()) * largest if largest else 0.0), odd


def judge(launch, theirs, ours, again, other, names, slack):
    """-> (status, detail) of buffers of which some differ. `again`: Triton's on the same data; `other`: on moved data."""
    statuses, details = set(), []
    for argument, a, b, c, d, name in zip(launch["arguments"], theirs, ours, again, other, names):
        if not isinstance(argument, dict) or torch.equal(a, b):
            continue
        if not torch.equal(a, c):
            statuses.add("unstable")
            continue
        if argument["element"] not in fill.REALS or not all(torch.equal(a[s], b[s]) for s in (slice(None, slack), slice(-slack, None))):
            statuses.add("different")
            continue
        apart, odd = distance(argument["element"], a, b, slack)
        moves, odd_moves = distance(argument["element"], a, d, slack)
        fits = apart <= SLACK_FACTOR * moves and odd <= SLACK_FACTOR * odd_moves
        statuses.add("sensitive" if fits else "different")
        details.append(f"{name}: {apart:.3g} apart, moved data {moves:.3g}" + (f", {odd} and {odd_moves} not finite" if odd else ""))
    worst = next((s for s in ("different", "unstable", "sensitive") if s in statuses), "different")
    return worst, "; ".join(details)
