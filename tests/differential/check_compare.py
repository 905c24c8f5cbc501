#!/usr/bin/env python3
"""Whether the comparison of buffers tells apart what it says it does: differences are planted. Needs PyTorch and Triton, no GPU;
exits 77 (skipped) without them."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
try:
    import torch

    import execute
    import fill
    import sensitive
except ImportError as error:
    print(f"check_compare: skipped: {error}")
    sys.exit(77)

COUNT = 1024


def buffer(element, seed=1):
    data = torch.from_numpy(fill.fill({"element": element, "count": COUNT, "fill": "uniform", "low": -100, "high": 100}, seed, 0))
    slack = torch.full((execute.SLACK,), execute.SLACK_BYTE, dtype=torch.uint8)
    return torch.cat([slack, data, slack])


def changed(whole, element, at, change):
    """A copy in which `change` was done to the integer of an element."""
    size = fill.BYTES[element]
    copy = whole.clone()
    view = copy[execute.SLACK:-execute.SLACK].view({1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[size])
    view[at] = change(int(view[at]))
    return copy


def main():
    wrong = []

    def expect(what, got, wanted):
        if got[0] != wanted:
            wrong.append(f"{what}: {got}, not {wanted}")

    for element in ("fp16", "bf16", "fp32", "fp64"):
        whole = buffer(element)
        top = {"fp16": 0x7C00, "bf16": 0x7F80, "fp32": 0x7F800000, "fp64": 0x7FF << 52}[element]
        expect(f"{element}, the same", execute.compare_buffer(element, whole, whole.clone()), "equal")
        expect(f"{element}, next number", execute.compare_buffer(element, whole, changed(whole, element, 7, lambda v: v + 1)), "close")
        expect(f"{element}, other sign", execute.compare_buffer(element, whole, changed(whole, element, 7, lambda v: ~v)), "different")
        nan = changed(whole, element, 9, lambda v: top + 1)
        expect(f"{element}, NaNs", execute.compare_buffer(element, nan, changed(nan, element, 9, lambda v: v + 2)), "nan")
        expect(f"{element}, NaN or not", execute.compare_buffer(element, whole, nan), "different")
        for at in (0, -1):
            slack = whole.clone()
            slack[at] = 0
            expect(f"{element}, slack at {at}", execute.compare_buffer(element, whole, slack), "different")
    for element in ("i8", "i16", "i32", "i64", "u8", "i1"):
        whole = buffer(element)
        expect(f"{element}, the same", execute.compare_buffer(element, whole, whole.clone()), "equal")
        expect(f"{element}, one off", execute.compare_buffer(element, whole, changed(whole, element, 1023, lambda v: v ^ 1)), "different")
    for element in ("fp16", "bf16", "fp32", "fp64", "i8", "u8", "i16", "i32", "i64", "fp8e5"):
        argument = {"element": element, "count": 200000, "fill": "uniform", "low": -3, "high": 100}
        same = torch.equal(torch.from_numpy(fill.fill(argument, 7, 2).copy()), fill.fill_tensor(argument, 7, 2, "cpu"))
        expect(f"{element}, filled on a device", ("equal" if same else "different", ""), "equal")
    launch = {"arguments": [{"element": "fp32"}]}
    whole = buffer("fp32")
    near, far = sensitive.moved(whole, "fp32", execute.SLACK, False), changed(whole, "fp32", 7, lambda v: ~v)
    for what, ours, again, other, wanted in (
            ("moved as far", near, whole, sensitive.moved(whole, "fp32", execute.SLACK, True), "sensitive"), ("too far", far, whole, near, "different"),
            ("where data move nothing", near, whole, whole, "different"), ("of runs that differ", near, far, near, "unstable")):
        expect(f"differences {what}", sensitive.judge(launch, [whole], [ours], [again], [other], ["x"], execute.SLACK), wanted)
    launch = {"arguments": [{"element": "fp32"}], "exact": True}
    whole = buffer("fp32")
    near = changed(whole, "fp32", 7, lambda v: v + 1)
    expect("exact", execute.compare(launch, [whole], [near], ["x"]), "different")
    expect("not exact", execute.compare(dict(launch, exact=False), [whole], [near], ["x"]), "close")
    print("\n".join(wrong) or "every planted difference is seen for what it is")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
