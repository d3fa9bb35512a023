"""Runs a program, and says how long it took, how much memory it needed and what it printed."""
import contextlib
import dataclasses
import json
import os
import subprocess
import sys
import tempfile
import time


@dataclasses.dataclass
class Run:
    seconds: float
    memory: float  # the largest resident set, in MB
    report: dict  # the JSON object on the last line of stdout, if there is one


_starter = list  # returns the command that starts the next program: none


@contextlib.contextmanager
def started_by(starter):
    """Within it every program is started by a command, a profiler: what `starter()` returns for each."""
    global _starter
    _starter = starter
    try:
        yield
    finally:
        _starter = list


def run(command, threads, **variables):
    """Stops everything, with what the program wrote, if it fails."""
    command = [str(part) for part in [*_starter(), *command]]
    environment = {
        **os.environ,
        "OMP_NUM_THREADS": str(threads),
        "MKL_NUM_THREADS": str(threads),
        "RAYON_NUM_THREADS": str(threads),
        "TOKENIZERS_PARALLELISM": "false" if threads == 1 else "true",
        "HF_HUB_OFFLINE": "1",
        **{name: str(value) for name, value in variables.items()},
    }
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        printed = out.read().decode(errors="replace")
        if process.returncode != 0:
            complaint = err.read().decode(errors="replace")
            sys.exit(f"scripts/bench: {' '.join(command)}\nended with {process.returncode}\n{printed}{complaint}")
    last = printed.strip().rpartition("\n")[2]
    return Run(seconds, usage.ru_maxrss / 1024, json.loads(last) if last.startswith("{") else {})
