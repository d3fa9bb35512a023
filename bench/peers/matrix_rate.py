"""The machine's rate of float32 matrix multiplication: the median of 20 products of 2048 by 2048."""
import json
import statistics
import time

import torch

SIZE = 2048


def main():
    a, b = torch.randn(SIZE, SIZE), torch.randn(SIZE, SIZE)
    seconds = []
    for _ in range(20):
        start = time.perf_counter()
        torch.mm(a, b)
        seconds.append(time.perf_counter() - start)
    print(json.dumps({"gflops": 2 * SIZE**3 / statistics.median(seconds) / 1e9}))


main()
