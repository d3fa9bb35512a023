"""Runs our commands and their Python peers in turn and prints how they compare; started by scripts/bench."""
import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from comparisons import BENCH, COMPARISONS, CORES, Place


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="scripts/bench",
        description="Compares our commands with the Python peers on the same rows, in turn, in one run.",
    )
    parser.add_argument("--only", metavar="PATTERN", help="a regular expression: comparisons (and peers) that match")
    parser.add_argument("--rounds", type=int, default=3, help="how often each program runs (default: 3)")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write every measurement there")
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("--rounds must be at least 1")
    return arguments


def processor():
    models = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    return models[0] if models else platform.machine()


def log(message):
    print(message, file=sys.stderr, flush=True)


def measure(comparison, rounds, rates, place):
    """{program: a list of its figures, one for each round}, and {peer: the largest difference}."""
    programs = {"ours": comparison.ours, **comparison.peers}
    results = {name: [] for name in programs}
    for number in range(rounds):
        rates.append(place.peer("matrix_rate.py", threads=CORES).report["gflops"])
        for name, program in programs.items():
            figures = program(number)
            results[name].append(figures)
            shown = ", ".join(f"{value:.4g} {figure}" for figure, value in figures.items())
            log(f"{comparison.name}, round {number + 1}/{rounds}, {name}: {shown}")
    for name, runs in results.items():
        if runs[0].get("all tokens") != results["ours"][0].get("all tokens"):
            log(f"warning: {comparison.name}: {name} saw other tokens than we did")
    differences = {}
    if comparison.difference:
        differences = {peer: comparison.difference(peer) for peer in comparison.peers}
    return results, differences


def median_and_range(runs, figure):
    values = [run[figure] for run in runs]
    return f"{statistics.median(values):.4g} ({min(values):.4g}–{max(values):.4g})"


def table_rows(comparison, results):
    def median(program, figure):
        return statistics.median(run[figure] for run in results[program])

    for peer in comparison.peers:
        for figure in comparison.figures:
            ratio = median("ours", figure.name) / median(peer, figure.name)
            yield [
                comparison.name,
                peer,
                str(comparison.threads),
                figure.name,
                median_and_range(results["ours"], figure.name),
                median_and_range(results[peer], figure.name),
                f"{ratio if figure.more_is_better else 1 / ratio:.2f}",
                f"{median('ours', 'memory'):.0f} / {median(peer, 'memory'):.0f}",
            ]


HEADER = ["comparison", "peer", "threads", "figure", "ours", "peer's", "times better", "MB ours / peer's"]


def print_table(rows):
    widths = [max(len(row[i]) for row in [HEADER, *rows]) for i in range(len(HEADER))]
    for row in [HEADER, ["-" * width for width in widths], *rows]:
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")


def chosen(comparisons, pattern):
    for comparison in comparisons:
        if pattern and not re.search(pattern, comparison.name):
            matching = {p: f for p, f in comparison.peers.items() if re.search(pattern, f"{comparison.name}: {p}")}
            if not matching:
                continue
            comparison.peers = matching
        yield comparison


def main():
    arguments = parse_arguments()
    rates, rows, record = [], [], {}
    with tempfile.TemporaryDirectory(prefix="rubric-bench-") as folder:
        place = Place(os.environ["RUBRIC_REFERENCE"], Path(folder))
        place.rows.mkdir()
        # In a process of its own: a child's peak memory is never below what its parent holds.
        subprocess.run([sys.executable, BENCH / "rows.py", place.rows], check=True)
        for comparison in chosen([make(place) for make in COMPARISONS.values()], arguments.only):
            results, differences = measure(comparison, arguments.rounds, rates, place)
            rows += table_rows(comparison, results)
            record[comparison.name] = {"threads": comparison.threads, "runs": results, "differences": differences}
    if not rows:
        sys.exit(f"scripts/bench: nothing matches {arguments.only}; there are " + "; ".join(COMPARISONS))
    data = "real texts" if os.environ.get("RUBRIC_DATA") else "the shipped sample (RUBRIC_DATA is not set)"
    print(f"{processor()}, {CORES} cores; {arguments.rounds} rounds: median (least–most); {data}")
    print(f"float32 matrix product: {statistics.median(rates):.0f} GFLOP/s ({min(rates):.0f}–{max(rates):.0f})\n")
    print_table(rows)
    print()
    for name, entry in record.items():
        for peer, difference in entry["differences"].items():
            print(f"{name}: our values and those of {peer} differ by {difference:.1e} at most")
    if arguments.json:
        summary = {"machine": processor(), "cores": CORES, "gflops": rates, "comparisons": record}
        arguments.json.write_text(json.dumps(summary, indent=1) + "\n")


main()
