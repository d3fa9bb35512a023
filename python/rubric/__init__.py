"""The metrics of reading comprehension: scores, their intervals and signatures.

Computes in this process what needs no model; the numbers are those of the commands to the last bit.
See docs/python.md.
"""

from __future__ import annotations

from pathlib import Path as _Path

from rubric_program import libtorch as _libtorch

from ._build import ARCHITECTURE as _ARCHITECTURE
from ._cpu import require_cpu as _require_cpu

_require_cpu(_ARCHITECTURE)

from ._agreement import agreement  # noqa: E402
from ._compare import compare  # noqa: E402
from ._errors import Error, InputError, RubricWarning  # noqa: E402
from ._estimate import choose, estimate, plan  # noqa: E402
from ._evaluation import (  # noqa: E402
    describe,
    evaluate_chie,
    evaluate_mocha,
    evaluate_r4c,
    evaluate_rev,
    judge,
    reproduce,
)
from ._light import version as _version  # noqa: E402
from ._metrics import Metric, Setting, list_metrics  # noqa: E402
from ._model import Model, load  # noqa: E402
from ._reports import Report, Sheet, Values  # noqa: E402
from ._running import Running  # noqa: E402
from ._scores import Score, Scores  # noqa: E402
from ._scoring import score  # noqa: E402
from ._sequences import bartscore, generate, likelihood, rev  # noqa: E402
from ._training import Run, train  # noqa: E402

__version__ = _version().partition("+")[0]

__all__ = [
    "Error", "InputError", "Metric", "Model", "Report", "RubricWarning", "Run", "Running", "Score",
    "Scores", "Setting", "Sheet", "Values", "agreement", "bartscore", "choose", "compare",
    "describe", "estimate", "evaluate_chie", "evaluate_mocha", "evaluate_r4c", "evaluate_rev",
    "generate", "hf_path", "judge", "likelihood", "list_metrics", "load", "plan", "reproduce", "rev", "score",
    "train", "versions",
]


def hf_path() -> str:
    """The folder of this package's module for Hugging Face's `evaluate`.

    Returns
    -------
    str
        For ``evaluate.load(rubric.hf_path(), "lexical")``, or "lerc"; nothing is downloaded.

    Examples
    --------
    >>> import rubric
    >>> rubric.hf_path().endswith("rubric_metrics")
    True
    """
    return str(_Path(__file__).parent / "hf" / "rubric_metrics")


def versions() -> dict[str, str]:
    """The release of rubric, the build that computes scores, and the libtorch that models use.

    Returns
    -------
    dict
        "rubric", "build", and "torch", libtorch's version, "" where the package was built without
        models. "torch_folder" is where it is: in this environment, else where the build had it; ""
        where neither has that version.

    Examples
    --------
    >>> import rubric
    >>> sorted(rubric.versions())
    ['build', 'rubric', 'torch', 'torch_folder']
    """
    release, _, build = _version().partition("+")
    torch, folder, _ = _libtorch()
    return {"rubric": release, "build": build, "torch": torch, "torch_folder": folder}
