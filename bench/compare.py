"""Runs our commands and their Python peers in turn and prints how they compare; started by scripts/bench. Exit status 1
when a figure is below what is asked of it, or a program fails; 2 for bad arguments."""
import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from comparison import BENCH, CORES, MODEL_RATE, SHARE, Place
from comparisons import COMPARISONS
from operator_profile import profile, require_perf
from table import median_and_range, print_table, table_rows


def pattern(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text} is no regular expression: {error}") from error


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="scripts/bench",
        description="Compares our commands with the Python peers on the same rows, in turn, in one run. Sets up and builds "
        "what is missing; RUBRIC_REFERENCE names a Python that has the peers, else they go into .deps/reference (6 GB). "
        "Exit status 1, with the names of the rows, when a figure is below what is asked of it.",
    )
    parser.add_argument(
        "--only", metavar="PATTERN", type=pattern, help="a regular expression: comparisons (and peers) that match"
    )
    parser.add_argument("--rounds", type=int, default=3, help="how often each program runs (default: 3)")
    parser.add_argument("--profile", action="store_true", help="also where our time goes, by operator; needs perf")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write every measurement there")
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("--rounds must be at least 1")
    if arguments.json and not arguments.json.absolute().parent.is_dir():
        parser.error(f"--json: there is no directory {arguments.json.absolute().parent}")
    return arguments


def processor():
    models = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    return models[0] if models else platform.machine()


def log(message):
    print(message, file=sys.stderr, flush=True)


def measure(comparison, rounds, place):
    """{program: a list of its figures, one for each round}, the machine's rate of matrix products in each round where
    it is the limit, and {peer: how the values agree}."""
    programs = {"ours": comparison.ours, **comparison.peers}
    results = {name: [] for name in programs}
    rates = []
    for number in range(rounds):
        if comparison.neural:
            rates.append(place.matrix_rate(comparison.device))
        for name, program in programs.items():
            figures = program(number)
            if MODEL_RATE in figures:
                figures[SHARE] = 100 * figures[MODEL_RATE] / rates[-1]
            results[name].append(figures)
            shown = ", ".join(f"{value:.4g} {figure}" for figure, value in figures.items())
            log(f"{comparison.name}, round {number + 1}/{rounds}, {name}: {shown}")
    for name, runs in results.items():
        if runs[0].get("all tokens") != results["ours"][0].get("all tokens"):
            log(f"warning: {comparison.name}: {name} saw other tokens than we did")
    agreements = {}
    if comparison.agreement:
        agreements = {peer: found for peer in comparison.peers if (found := comparison.agreement(peer))}
    return results, rates, agreements


def chosen(comparisons, only):
    for comparison in comparisons:
        if only and not only.search(comparison.name):
            matching = {p: f for p, f in comparison.peers.items() if only.search(f"{comparison.name}: {p}")}
            if not matching:
                continue
            comparison.peers = matching
        yield comparison


def compare(comparison, arguments, place):
    """The table's rows, and what the JSON file says."""
    results, rates, agreements = measure(comparison, arguments.rounds, place)
    rows = list(table_rows(comparison, results))
    record = {
        "threads": comparison.threads,
        "device": comparison.device,
        "gflops": rates,
        "runs": results,
        "rows": [row.record() for row in rows],
        "agreements": agreements,
        "unlike": list(comparison.unlike(agreements)),
    }
    if arguments.profile and comparison.neural and comparison.device == "cpu":
        record["profile"] = profile(comparison.ours, place.folder)
    return rows, record


def report(rows, records, place, arguments):
    data = "real texts" if os.environ.get("RUBRIC_DATA") else "the shipped sample (RUBRIC_DATA is not set)"
    print(f"{processor()}, {CORES} cores; {arguments.rounds} rounds: median (least–most); {data}")
    for device, kind in (("cpu", "float32"), ("cuda", "bfloat16")):
        rates = [rate for record in records.values() if record["device"] == device for rate in record["gflops"]]
        if rates:
            print(f"{kind} matrix product on {device}: {median_and_range(rates)} GFLOP/s")
    versions = place.peer("versions.py", threads=1).report
    print("Peers: " + ", ".join(f"{package} {version}" for package, version in versions.items()))
    print()
    print_table(rows)
    print()
    for name, record in records.items():
        for peer, values in record["agreements"].items():
            if "same" in values:
                print(f"{name}: {100 * values['same']:.1f}% of our texts and those of {peer} are the same")
                continue
            correlation = f"; Pearson's r {values['correlation']:.6f}" if "correlation" in values else ""
            print(f"{name}: our values and those of {peer} differ by {values['difference']:.1e} at most{correlation}")
    for name, setting in place.settings.items():
        print(f"{name}: {setting}, the fastest of the settings that were tried")
    for name, record in records.items():
        if "profile" in record:
            shares = ", ".join(f"{operator} {100 * share:.1f}%" for operator, share in record["profile"].items())
            print(f"{name}, where our time goes: {shares}")
    if arguments.json:
        summary = {
            "machine": processor(), "cores": CORES, "versions": versions, "settings": place.settings, "comparisons": records
        }
        arguments.json.write_text(json.dumps(summary, indent=1) + "\n")


def main():
    arguments = parse_arguments()
    if arguments.profile:
        require_perf()
    rows, records = [], {}
    with tempfile.TemporaryDirectory(prefix="rubric-bench-") as folder:
        place = Place(os.environ["RUBRIC_REFERENCE"], Path(folder))
        place.rows.mkdir()
        # In a process of its own: a child's peak memory is never below what its parent holds.
        subprocess.run([sys.executable, BENCH / "rows.py", place.rows], check=True)
        comparisons = list(chosen([make(place) for make in COMPARISONS.values()], arguments.only))
        if not comparisons:
            sys.exit(f"scripts/bench: nothing matches {arguments.only.pattern}; there are " + "; ".join(COMPARISONS))
        try:
            for comparison in comparisons:
                if comparison.missing:
                    log(f"{comparison.name}: left out, {comparison.missing}")
                    continue
                measured, records[comparison.name] = compare(comparison, arguments, place)
                rows += measured
        finally:  # also what was measured before a program failed, which ends this one
            if rows:
                report(rows, records, place, arguments)
    missed = [row.complaint() for row in rows if row.missed]
    missed += [complaint for record in records.values() for complaint in record["unlike"]]
    if missed:
        sys.exit("\n".join(["scripts/bench: below what is asked:", *missed]))


main()
