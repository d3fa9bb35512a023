"""The machine's rate of matrix multiplication: the best of several products of large square matrices, in float32 on the
processor, by BLAS and by oneDNN, in bfloat16 on a GPU.

    python matrix_rate.py cpu|cuda
"""
import json
import sys
import time

import torch

SIZES = {"cpu": 4096, "cuda": 8192}
PRODUCTS = 5


def by_onednn(a, b, out):
    return torch.ops.mkldnn._linear_pointwise(a, b, None, "none", [], "")


def main(device):
    size = SIZES[device]
    kind = {"cpu": torch.float32, "cuda": torch.bfloat16}[device]
    a, b = (torch.randn(size, size, device=device, dtype=kind) for _ in range(2))
    out = torch.mm(a, b)  # not counted: memory, threads and libraries are made ready
    seconds = []
    multiply = {"cpu": [torch.mm, by_onednn], "cuda": [torch.mm]}[device]
    for product in multiply * PRODUCTS:
        if device == "cuda":
            torch.cuda.synchronize()
        start = time.perf_counter()
        product(a, b, out=out)
        if device == "cuda":
            torch.cuda.synchronize()
        seconds.append(time.perf_counter() - start)
    print(json.dumps({"gflops": 2 * size**3 / min(seconds) / 1e9}))


main(*sys.argv[1:])
