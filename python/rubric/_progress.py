"""Progress of a call: a bar of tqdm in a notebook that has it, else a line that is overwritten."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any


def in_notebook() -> bool:
    """Whether a notebook's kernel runs this process, which shows stderr in red."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


class Progress:
    """How much of some work is done."""

    def __init__(self, task: str) -> None:
        self._task = task
        self._bar: Any = None
        self._is_notebook = in_notebook()

    def show(self, done: int, total: int) -> None:
        if self._is_notebook and find_spec("tqdm"):
            self._show_bar(done, total)
        else:
            print(f"\r{self._task} {done}/{total}", end="\n" if done == total else "", flush=True,
                  file=sys.stdout if self._is_notebook else sys.stderr)

    def _show_bar(self, done: int, total: int) -> None:
        if self._bar is None:
            has_widgets = find_spec("ipywidgets") is not None
            tqdm = import_module("tqdm.auto" if has_widgets else "tqdm").tqdm
            self._bar = tqdm(total=total, desc=self._task, file=None if has_widgets else sys.stdout)
        self._bar.update(done - self._bar.n)
        if done == total:
            self._bar.close()
