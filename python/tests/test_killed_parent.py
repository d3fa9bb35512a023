"""Nothing that a call has started goes on when the Python around it is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import rubric

sys.path.insert(0, str(Path(__file__).parent))
from test_judging import endpoint  # noqa: E402

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures"
needs_models = pytest.mark.skipif(
    not (Path(rubric.__file__).parent / "bin" / "libtorch").exists(),
    reason="the wheel is without models")

# Prints the processes that it has started, then ends as it is told to.
PRELUDE = """
import json, os, signal, sys, threading, time
sys.path.insert(0, {tests!r})
import rubric
from test_judging import ROWS, children

def below(pids):
    return pids + below([int(pid) for parent in pids
                         for pid in open(f"/proc/{{parent}}/task/{{parent}}/children").read().split()]
                        ) if pids else []

def die(least=1):
    while len(pids := below(children())) < least:
        time.sleep(0.01)
    print(*pids, flush=True)
    {death}
"""
KILL = "os.kill(os.getpid(), signal.SIGKILL)"
ENDS = {
    "killed": KILL,
    # A child that the dead parent has forked must not keep the program alive.
    "killed beside a fork": "os.fork() == 0 and (time.sleep(60), os._exit(0)); " + KILL,
    "ends": "os._exit(0)",
}


def wait_for_end_of(code: str, end: str, cwd: Path) -> list[int]:
    """Run code that ends so, and wait, without end, for all that it has started."""
    parent = subprocess.Popen(
        [sys.executable, "-c", PRELUDE.format(tests=str(Path(__file__).parent), death=ENDS[end]) + code],
        stdout=subprocess.PIPE, text=True, start_new_session=True, cwd=cwd)
    assert parent.stdout is not None
    try:
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        assert pids
        parent.wait()
        for pid in pids:
            wait_for_end(pid)
        return pids
    finally:
        try:
            os.killpg(parent.pid, signal.SIGKILL)  # the fork
        except ProcessLookupError:
            pass
        parent.stdout.close()


def wait_for_end(pid: int) -> None:
    while True:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return
        if state == "Z":
            return
        time.sleep(0.05)


JUDGE = """
def wait():
    while not os.path.exists("ledger.jsonl") or open("ledger.jsonl").read().count("\\n") < 2:
        time.sleep(0.01)
    die()

signal.signal(signal.SIGTERM, signal.SIG_IGN)  # which children inherit
{call}
"""
CALL = "rubric.judge(ROWS, 'ledger.jsonl', endpoint={url!r}, judge='gpt', parallel=1, timeout=86_400)"
ON_MAIN = "threading.Thread(target=wait, daemon=True).start(); " + CALL
ON_THREAD = f"threading.Thread(target=lambda: {CALL}, daemon=True).start(); wait()"


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("call", [ON_MAIN, ON_THREAD], ids=["on the main thread", "on a thread"])
def test_judge(call, end, tmp_path):
    """The endpoint, which is this process's, leaves the third request without an answer."""
    with endpoint(answers=2) as (url, _, _):
        wait_for_end_of(JUDGE.format(call=call.format(url=url)), end, tmp_path)
    lines = (tmp_path / "ledger.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["0", "1"]


TRAIN = """
os.chdir({root!r})
rubric.train("configs/sample_rev.yaml", output={run!r}, overrides={overrides!r},
             on_event=lambda event: event.event == "update" and die())
"""


@needs_models
def test_train_saves_and_goes_on(tmp_path, monkeypatch):
    overrides = {"run.epochs": 3, "data.store": str(tmp_path / "store")}
    run = tmp_path / "run"
    wait_for_end_of(TRAIN.format(root=str(ROOT), run=str(run), overrides=overrides), "killed", tmp_path)
    assert not (run / "results.json").exists()
    assert list((run / "checkpoints").iterdir())
    monkeypatch.chdir(ROOT)
    steps: list[int] = []
    again = rubric.train("configs/sample_rev.yaml", output=run, overrides=overrides,
                         on_event=lambda event: steps.append(event.get("step", 0)))
    assert again.is_finished and steps[0] > 1


REPRODUCE = """
threading.Thread(target=die, args=(2,), daemon=True).start()
rubric.reproduce({experiment!r})
"""


@needs_models
def test_the_steps_of_reproduce_end_too(clone):
    experiment = str(ROOT / "experiments" / "mocha" / "sample_table_4.yaml")
    if not (ROOT / ".deps" / "minilm").exists():
        pytest.skip("the sample's models start from .deps/minilm")
    pids = wait_for_end_of(REPRODUCE.format(experiment=experiment), "killed", clone)
    assert len(pids) >= 2
