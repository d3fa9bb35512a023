"""Training runs: their events while they go on, and what they leave."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ._inputs import require_path
from ._messages import names_keywords
from ._program import PathLike, refuse, run
from ._reports import Values, measurements_csv, measurements_frame
from ._scores import write_text


class Run:
    """A training run.

    Attributes
    ----------
    directory : Path
        With config.yaml, log.jsonl, checkpoints, report.html.
    model : Path
        The best model, for `load`.
    is_finished : bool
        Else it was stopped with everything saved: the same call goes on.
    results : Values
        The JSON of results.json; empty until the run is finished.
    """

    def __init__(self, directory: Path, is_finished: bool) -> None:
        self.directory = directory
        self.is_finished = is_finished
        self.model = directory / ("model" if is_finished else "best")
        self.results = Values()
        if is_finished:
            text = (directory / "results.json").read_text(encoding="utf-8")
            self.results = json.loads(text, object_hook=Values)

    def to_dict(self) -> dict[str, Any]:
        """The JSON of results.json as dicts and lists."""
        content: dict[str, Any] = json.loads(json.dumps(self.results))
        return content

    def to_pandas(self) -> Any:
        """The measurements of `results` as a data frame, one a row; needs pandas."""
        return measurements_frame(self._csv())

    def to_csv(self, path: PathLike) -> None:
        """Write the measurements of `results` as CSV, one a row."""
        write_text(path, self._csv())

    def _csv(self) -> str:
        return measurements_csv(self.results.get("measurements", []))

    def __repr__(self) -> str:
        return f"<rubric.Run {self.directory}, {'finished' if self.is_finished else 'stopped'}>"


@names_keywords("field")
def train(config: PathLike, *, overrides: Mapping[str, Any] | None = None,
          output: PathLike | None = None,
          on_event: Callable[[Values], object] | None = None, **options: Any) -> Run:
    """Train a metric as a configuration says. The same call resumes what was interrupted.

    Parameters
    ----------
    config : path
        As given, else one of those that the package ships: "lerc_ood_narrativeqa.yaml".
    overrides : dict, optional
        Keys of docs/configuration.md: ``{"run.epochs": 3}``.
    output : path, optional
        The run directory; else runs/ and the configuration's name.
    on_event : function, optional
        Called with each line of log.jsonl as a dict, while the run goes on. Its fields are also
        attributes: ``event.loss``.
    **options
        Those of ``rubric help train`` with underscores: ``extend=True``, ``resume="never"``,
        ``field={"candidate": "answer"}``.

    Returns
    -------
    Run

    Raises
    ------
    InputError
        For what is wrong in the configuration and the data.
    Error
        For what goes wrong while it runs; the same call goes on.
    KeyboardInterrupt
        Where Ctrl-C stops it, after everything was saved. The end of this process stops it too.

    Examples
    --------
    >>> import rubric
    >>> losses = []
    >>> run = rubric.train("configs/sample_rev.yaml", overrides={"run.epochs": 1},
    ...                    output="runs/mine",
    ...                    on_event=lambda event: losses.append(event.get("loss")))
    >>> run.is_finished, run.model
    (True, PosixPath('runs/mine/model'))
    """
    refuse(options, "config_reference", "dry_run", "set")
    resume = require_path("resume", options.get("resume") or "auto")
    is_named = resume not in ("auto", "never")  # a run directory itself
    stem = Path(require_path("config", config)).stem
    directory = Path(resume if is_named else
                     require_path("output", output or Path("runs", stem)))
    _, is_stopped = run(
        ["train"], {"config": config, "output": output if is_named else directory,
                    "set": overrides, **options}, may_stop=True,
        names={"set": "overrides"},
        watch=None if on_event is None else partial(_tell_new, _Log(directory / "log.jsonl"),
                                                    on_event))
    return Run(directory, not is_stopped)


class _Log:
    """The lines that are added to a file of JSON lines from now on.

    A run that resumes takes the lines back that it had not saved, and writes others in their place.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._seen = file.read_bytes() if file.exists() else b""
        self._state: tuple[int, int] | None = None

    def new_lines(self) -> list[Values]:
        if not self._file.exists():
            return []
        status = self._file.stat()
        state = status.st_size, status.st_mtime_ns
        if state == self._state:
            return []
        self._state = state
        text = self._file.read_bytes()
        same = _common_length(self._seen, text)
        start = text.rfind(b"\n", 0, same) + 1
        self._seen = text[:text.rfind(b"\n") + 1]
        return [json.loads(line, object_hook=Values) for line in self._seen[start:].splitlines()]


def _common_length(first: bytes, second: bytes) -> int:
    """How many bytes at the start are the same."""
    low, high = 0, min(len(first), len(second))
    if first[:high] == second[:high]:
        return high
    while low < high:
        middle = (low + high + 1) // 2
        if first[:middle] == second[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _tell_new(log: _Log, on_event: Callable[[Values], object]) -> None:
    for event in log.new_lines():
        on_event(event)
