"""Where a program of ours spends its processors' time, by operator: perf's samples of every thread, grouped by the
function that they fell into. Samples know no caller: attention's products are among the matrix products."""
import collections
import re
import shutil
import subprocess
import sys

from measure import started_by

# The first that is found in "library function" counts.
OPERATORS = [
    ("waiting threads", r"^libgomp"),
    ("matrix products", r"mkl_|gemm|gemv|multiply_tile|^\[JIT\]"),  # oneDNN makes its code as it runs
    ("losses", r"log_softmax|log_probabilit|TargetCrossEntropy"),
    ("attention but for its products", r"PackedAttention|[sS]oftmax|attend_|add_scaled"),
    ("activations", r"[gG]elu|relu|clamp_min"),
    ("norms, residuals, dropout", r"AddNorm|norm_sum_row|RmsNorm|LayerNorm|RowwiseMoments|apply_mask|mask_row|Dropout"),
    ("rounding to 8 bits", r"round_row|largest_magnitude|::scale_row|finish_row"),
    ("optimiser", r"adam|Adam|Adafactor|norm_kernel"),
    ("embeddings", r"embedding|index_select|index_add|index_put|gather"),
    ("other operations of libtorch", r"^libtorch|^libc10"),
    ("memory and kernel", r"^\[|^libtcmalloc|^libc\."),
    ("texts and files", r"^(?:lib)?rubric|^libhdf5|^libcrypto|^libz|^libyaml"),
]
FREQUENCY = 199  # samples a second and processor; no divisor of what else happens regularly


def operator(library, function):
    text = f"{library} {function}"
    return next((name for name, pattern in OPERATORS if re.search(pattern, text)), "other")


def shares(report):
    """{operator: its share of all samples}, the largest first, of lines "samples|library|function"."""
    samples = collections.Counter()
    for line in report.splitlines():
        if line.strip() and not line.startswith("#"):
            count, library, function = (part.strip() for part in line.split("|", 2))
            samples[operator(library, function)] += int(count)
    return {name: count / samples.total() for name, count in samples.most_common()}


def require_perf():
    if not shutil.which("perf"):
        sys.exit("scripts/bench: --profile needs perf (Debian's package linux-perf)")


def profile(program, folder):
    """Of the longest command that `program` runs, which has the largest file of samples."""
    runs = []

    def record():
        runs.append(folder / f"perf-{len(runs)}.data")
        return ["perf", "record", "--quiet", "-e", "cpu-clock", "-F", FREQUENCY, "-o", runs[-1], "--"]

    with started_by(record):
        program(0)
    longest = max(runs, key=lambda data: data.stat().st_size)
    command = ["perf", "report", "--stdio", "--no-children", "-F", "sample,dso,symbol", "-t", "|", "-i", longest]
    return shares(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
