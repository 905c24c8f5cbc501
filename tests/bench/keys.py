#!/usr/bin/env python3
"""Prints a file of choices as launches.c asks for: 100 keys of matmul, M x 64 x 64, which eight configurations share.

    python3 keys.py "NVIDIA H200" matmul.json > keys.json      (matmul.json: beside the header of all configurations)
"""
import json
import sys

device, described = sys.argv[1:]
kernels = [kernel["name"] for kernel in json.load(open(described))["kernels"]]
configs = [name[len("matmul_"):] for name in kernels][:8]
lines = [json.dumps({"kernel": "matmul", "device": device, "key": {"M": 16 * (i + 1), "N": 64, "K": 64},
                     "config": configs[i % len(configs)], "microseconds": 5.0}) for i in range(100)]
print('{"tkc_tuned": 1, "choices": [\n' + ",\n".join(lines) + "\n]}")
