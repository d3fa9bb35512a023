"""Metrics with a model, in a process of their own."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from . import _light
from ._answers import Missing, answers_from, candidates_of, warn_of
from ._errors import InputError, warn
from ._inputs import (
    MOST_THREADS,
    require_path,
    require_text,
    require_whole,
    some_rows,
)
from ._messages import (
    about_records,
    by_number,
    input_error,
    keywords,
    names_keywords,
    of_call,
)
from ._metrics import (
    Metric,
    Names,
    arguments_of,
    chosen,
    list_metrics,
    require_metrics,
    setting_values,
)
from ._progress import Progress
from ._scores import Score, Scores
from ._worker import Worker

Truncation = Literal["warn", "error", "ignore"]


def require_truncation(truncation: str) -> None:
    if truncation not in ("warn", "error", "ignore"):
        raise InputError(f"truncation is {truncation!r}\n  to do: choose warn, error or ignore")


def is_about_truncation(message: str) -> bool:
    """Whether a warning of a command tells of rows that a model does not read all of."""
    return re.search("too long .*and (are cut|left out)", message) is not None


def tell_truncated(truncated: list[int], rows: int, truncation: str) -> None:
    """Warn of the rows that a model does not read all of, or raise InputError."""
    if not truncated or truncation == "ignore":
        return
    message = (f"too long for the model to read whole: {len(truncated)} of {rows} rows, "
               f"{some_rows(truncated)}")
    if truncation == "error":
        raise InputError(message + "\n  to do: shorten their texts", row=truncated[0])
    warn(message)


class Model:
    """A metric with its model, loaded in a process that scores when it is asked to.

    A context manager: `with rubric.load(...) as model`. The process ends with `close`, with this
    object and with this process, however it ends. Several models may be loaded at once.

    Attributes
    ----------
    metric : str
        What it computes: "lerc".
    """

    def __init__(self, metric: str, worker: Worker) -> None:
        self.metric = metric
        self._worker = worker

    @names_keywords()
    def score(self, candidates: Any = None, references: Any = None, *, predictions: Any = None,
              passages: Any = None, questions: Any = None,
              columns: Mapping[str, str] | None = None, missing: Missing | None = None,
              reference_separator: str = "", truncation: Truncation = "warn", progress: bool = False) -> Scores:
        """Score candidates with the model.

        Rows are given as to `rubric.score`, whose scores, intervals and warnings are alike.

        Parameters
        ----------
        candidates, references, predictions, passages, questions, columns, missing, reference_separator
            As of `rubric.score`. Which of them the model reads is part of it.
        truncation : {"warn", "error", "ignore"}
            What to do where the model does not read all of a row, because a text is too long. The
            rows are in `truncated` of each score.
        progress : bool
            Show on stderr how many rows are scored.

        Returns
        -------
        Scores
            A mapping from names of scores to `Score`.

        Raises
        ------
        InputError
            For what is wrong in the rows, and rows that the model cannot score.
        Error
            Where the process has ended; its last messages are in it.
        KeyboardInterrupt
            Where Ctrl-C ends the call; the model can score again.

        Examples
        --------
        >>> import rubric
        >>> rows = {"prediction": ["a dog"], "reference": ["dog"], "question": ["What barks?"]}
        >>> with rubric.load("runs/demo_narrativeqa/model") as lerc:
        ...     s = lerc.score(rows, columns={"candidate": "prediction"})
        >>> s["lerc"].truncated
        []
        """
        require_truncation(truncation)
        answers = answers_from(candidates_of(candidates, predictions), references, passages,
                               questions, columns, missing, reference_separator)
        rows = _light.checked_rows(*answers.for_light(), answers.reference_separator)
        told: list[str] = []
        bar = Progress("scoring")

        def observe(event: dict[str, Any]) -> None:
            if event["event"] == "warning":
                told.append(event["message"])
            elif progress:
                bar.show(event["done"], event["total"])

        try:
            scores = self._worker.request({"do": "score", "answers": rows}, observe)
        except InputError as error:
            raise input_error(about_records(str(error), by_number(len(rows)))) from None
        truncated: list[int] = scores[0]["truncated"]
        # A warning names the rows that are cut.
        warn_of(answers, [message for message in told if not is_about_truncation(message)])
        tell_truncated(truncated, len(rows), truncation)
        return Scores([Score(score["name"], score["rows"], score["mean"],
                             tuple(score["interval"]) if score["interval"] else None,
                             answers.signed(score["signature"]), score["is_corpus"], score["truncated"], score["seen"],
                             score["fields"].get("verdict"), score["fields"].get("explanation"))
                       for score in scores], answers)

    def close(self) -> None:
        """End the process; the model cannot score any more."""
        self._worker.close()

    def __enter__(self) -> Model:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<rubric.Model {self.metric}, process {self._worker.pid}>"


def _metric_with_model(name: str) -> Metric:
    """The metric of this name. Raises InputError where there is none, and where it has no model."""
    kind = require_metrics([name])[0]
    if kind.needs_model:
        return kind
    raise InputError(f"the metric {name} takes no model\n"
                     f"  to do: call rubric.score(…, metrics=[{name!r}])")


def _require_one_name(model: str) -> None:
    """Raise InputError for METRIC=MODEL, which the command takes."""
    metric, equals, name = model.partition("=")
    if equals and not os.path.exists(model) and metric in (kind.name for kind in list_metrics()):
        _metric_with_model(metric)
        raise InputError(f"model is {model!r}, as the command takes it\n"
                         f"  to do: rubric.load({name!r}, metric={metric!r})")


@names_keywords()
def load(model: str | os.PathLike[str] | None = None, *, metric: Names | None = None,
         metrics: Names | None = None, threads: int = 0, **settings: object) -> Model:
    """Load a model into a process of its own, which scores when it is asked to.

    Nothing is downloaded. The process computes on the CPU. The caller's own torch is neither needed
    nor touched.

    Parameters
    ----------
    model : path or str, optional
        The folder of a model; or a name, such as "lerc-answers", the model that rubric ships.
        A name is looked for as a folder here, then in the folder that `RUBRIC_MODELS` names, among
        the shipped models, and in the cache of Hugging Face. None: the shipped model, for "lerc".
    metric, metrics : str
        What to compute with the model: "lerc", which is the default, "similarity", "bertscore" or
        "bartscore". Two names of one argument.
    threads : int
        The number of threads that the process computes with; 0: one for each core.
    **settings
        Settings of the metric. Of "lerc": ``verdict=True`` also says for each row whether it is
        right (`verdicts` of the score), ``explain=True`` what its score comes from
        (`explanations`), ``int8=True`` computes faster with weights of 8 bits. Of "bertscore":
        ``layer=9``.

    Returns
    -------
    Model

    Raises
    ------
    InputError
        For a model that is not there or does not suit the metric, and where the package was built
        without librubric-neural.so.

    Examples
    --------
    The model is that of `scripts/demo`:

    >>> import rubric
    >>> with rubric.load("runs/demo_narrativeqa/model", threads=2) as lerc:
    ...     s = lerc.score(["a dog"], ["dog"], questions=["What barks?"])
    >>> len(s["lerc"].scores)
    1
    """
    name = "" if model is None else require_text("model", require_path("model", model))
    _require_one_name(name)
    names = chosen(metrics, metric, "lerc")
    if len(names) != 1:
        raise InputError("a model is of one metric\n  to do: load one for each, and score with both")
    kind = _metric_with_model(names[0])
    if model is None and not kind.default_model:
        raise InputError(f"the metric {kind.name} has no model of its own\n"
                         f"  to do: name one, rubric.load(folder, metric={kind.name!r})")
    values = setting_values([kind], settings, ("model", *keywords(load)))
    threads = require_whole("threads", threads, most=MOST_THREADS)
    worker = Worker()
    try:
        path = Path(name)
        told: list[str] = []
        worker.request({"do": "load", "metric": kind.name, "settings": values, "threads": threads,
                        "model": str(path.absolute()) if name and os.path.exists(path) else name},
                       lambda event: told.append(event.get("message", "")))
    except BaseException as error:
        worker.close()
        if isinstance(error, InputError):
            raise of_call(error, arguments_of([kind], {}, "model", "metric", "threads")) from None
        raise
    for message in filter(None, told):
        warn(message)
    return Model(kind.name, worker)
