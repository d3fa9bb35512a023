"""The process around the package: threads, signals, children, and that it is left as it was."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import rubric

LONG = ["the quick brown fox jumps over the lazy dog and comes back " * 8 + str(i) for i in range(500)]


def scores_of(start: int) -> list[float]:
    return rubric.score(LONG[start:start + 50], LONG[50 - start:100 - start],
                        metrics=["rouge_l"])["rouge_l"].scores


def test_several_threads_score_at_once():
    expected = [scores_of(start) for start in range(8)]
    got: list[list[float] | None] = [None] * 8

    def work(start: int) -> None:
        got[start] = scores_of(start)

    threads = [threading.Thread(target=work, args=(start,)) for start in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == expected


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_children_score(method):
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(scores_of, range(4)) == [scores_of(start) for start in range(4)]


class Reference:
    """A list of one text, as an array is one, that tells when it is read."""

    def __init__(self, when_read: Callable[[], object]) -> None:
        self._when_read = when_read

    def tolist(self) -> list[str]:
        self._when_read()
        return ["b"]


class Stop(Exception):
    pass


@pytest.mark.parametrize(("number", "error"), [(signal.SIGINT, KeyboardInterrupt),
                                               (signal.SIGALRM, Stop)])
@pytest.mark.parametrize("metric", ["em", "rouge_l"])
def test_a_signal_stops_a_call(number, error, metric):
    """It comes while row 10,000 is read, and most rows are never read."""
    rows, read = 200_000, 0

    def count() -> None:
        nonlocal read
        read += 1
        if read == 10_000:
            os.kill(os.getpid(), number)
        if read > 10_000:
            time.sleep(1e-4)

    def stop(*_):
        raise Stop

    before = signal.signal(signal.SIGALRM, stop)
    try:
        with pytest.raises(error):
            rubric.score(["a"] * rows, [Reference(count)] * rows, metrics=[metric])
    finally:
        signal.signal(signal.SIGALRM, before)
    assert 10_000 <= read < rows / 2
    assert rubric.score(["a"], ["a"], metrics=[metric])[metric].mean == 1


def state_of_process() -> dict[str, object]:
    """What a library must leave as it is, as C sees it."""
    c, m = ctypes.CDLL(None), ctypes.CDLL("libm.so.6")
    environment = []
    pointer = ctypes.POINTER(ctypes.c_char_p).in_dll(c, "environ")
    while pointer[len(environment)] is not None:
        environment.append(pointer[len(environment)])
    floating_point = ctypes.create_string_buffer(64)
    m.fegetenv(floating_point)
    c.setlocale.restype = ctypes.c_char_p
    status = dict(line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return {
        "environment": environment,
        # Control, status and tag words, and SSE's; between them is where x87 was last used.
        "floating point": floating_point.raw[:12] + floating_point.raw[28:32],
        "locale": c.setlocale(6, None),
        "signals": [status[key] for key in ("SigBlk", "SigIgn", "SigCgt")],
        "threads": status["Threads"],
        "umask": status["Umask"],
        "folder": os.getcwd(),
        "files": sorted(os.listdir("/proc/self/fd")),
    }


def use_everything() -> None:
    rubric.score(LONG, LONG[::-1], metrics=["f1", "rouge_l", "bleu4", "rouge1"])
    with pytest.raises(rubric.InputError):
        rubric.score(["a", "b"], [["a"]], metrics=["f1"])


def test_leaves_the_process_as_it_was():
    use_everything()  # what is loaded once is loaded
    before = state_of_process()
    use_everything()
    assert state_of_process() == before


def stand_ins(torch: Path, folder: Path) -> None:
    """Empty libraries for those of CUDA that libtorch names and scripts/setup leaves out.

    With them `import torch` works for what runs on the CPU.
    """
    def told() -> str:
        return subprocess.run(["ldd", "-r", torch / "lib" / "libtorch_python.so"], text=True,
                              env={**os.environ, "LD_LIBRARY_PATH": str(folder)},
                              capture_output=True).stdout

    def make(symbols: set[tuple[str, str]]) -> None:
        code, versions = folder / "symbols.c", folder / "versions"
        code.write_text("".join(f"void {name}(void) {{}}\n" for name, _ in symbols))
        versions.write_text("".join(
            f"{version} {{ {' '.join(name + ';' for name, of in symbols if of == version)} }};\n"
            for version in {version for _, version in symbols if version}))
        with_versions = [f"-Wl,--version-script,{versions}"] if symbols else []
        for name in missing:
            subprocess.run(["cc", "-shared", "-fPIC", "-w", code, f"-Wl,-soname,{name}",
                            *with_versions, "-o", folder / name], check=True)

    missing = set(re.findall(r"(\S+) => not found", told()))
    make(set())  # which shows what they are to have
    make({(name, version) for name, version
          in re.findall(r"undefined symbol: (\w+)(?:, version (\S+))?", told())
          if not re.match("_?Py", name)})


def check_torch() -> None:
    """Runs in a process of its own: a training step of torch, all of ours, the step again."""
    import torch

    def step() -> list[float]:
        torch.manual_seed(0)
        layer = torch.nn.Linear(4, 4)
        optimizer = torch.optim.AdamW(layer.parameters())
        layer(torch.ones(2, 4)).square().sum().backward()
        optimizer.step()
        return layer.weight.flatten().tolist()

    def settings() -> tuple[object, ...]:
        return (torch.get_num_threads(), torch.get_num_interop_threads(),
                torch.get_float32_matmul_precision(), torch.are_deterministic_algorithms_enabled())

    first = step()
    before = state_of_process(), settings()
    use_everything()
    if rubric.versions()["torch_folder"]:
        with rubric.load(Path(__file__).parents[2] / "tests" / "fixtures" / "lerc") as model:
            model.score(["a"], ["a"], passages=["p"], questions=["q"])
        del model  # with the file of its messages
    after = state_of_process(), settings()
    assert after[1] == before[1]
    assert {key: value for key, value in after[0].items() if value != before[0][key]} == {}
    assert step() == first
    print("torch", torch.__version__)


def test_leaves_torch_as_it_was(tmp_path):
    """With the environment's torch, else with the build's."""
    torch = rubric.versions()["torch_folder"]
    if not torch:
        pytest.skip("the wheel is without models, nor is there its torch")
    stand_ins(Path(torch), tmp_path)
    # At the end, as only torch is wanted of that folder.
    code = ("import sys; sys.path += sys.argv[1:]; "
            "import test_process; test_process.check_torch()")
    folders = Path(__file__).parent, Path(torch).parent
    run = subprocess.run([sys.executable, "-c", code, *folders], text=True, capture_output=True,
                         env={**os.environ, "LD_LIBRARY_PATH": str(tmp_path)})
    assert run.stdout.startswith("torch ") and run.returncode == 0, run.stdout + run.stderr


def test_floating_point_flags_of_the_caller_do_not_change_scores():
    """Rounds upwards in the caller: the work is done on a thread of the default environment."""
    m = ctypes.CDLL("libm.so.6")
    upward = 0x800
    expected = scores_of(0)
    try:
        assert m.fesetround(upward) == 0
        got = scores_of(0)
        assert m.fegetround() == upward
    finally:
        m.fesetround(0)
    assert got == expected
