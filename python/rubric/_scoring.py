"""Scoring in this process, with metrics that need no model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from . import _light
from ._answers import answers_from
from ._errors import InputError, warn
from ._inputs import MOST_THREADS, require_new_columns, require_whole
from ._metrics import require_light, setting_values
from ._reports import of_call
from ._scores import Score, Scores


def score(candidates: Any, references: Any = None, *,
          metrics: Iterable[str] = ("f1", "em", "rouge_l"), passages: Any = None,
          questions: Any = None, columns: Mapping[str, str] | None = None, threads: int = 0,
          **settings: object) -> Scores:
    """Score candidates against references.

    The scores are those of the command `score` to the last bit. Other Python threads run meanwhile,
    and Ctrl-C ends the call.

    Parameters
    ----------
    candidates : list of str, or a table
        The texts to score. Or all rows in one: a dict of columns, a list of dicts, a data frame of
        pandas or polars, an Arrow table, a `datasets.Dataset`; its columns are `candidate`,
        `reference` and, where there are such, `passage` and `question`, also in the plural.
    references : list
        For each candidate a text, or a list of texts.
    metrics : list of str
        Those of `list_metrics()` that need no model; without them f1, em and rouge_l.
    passages, questions : list of str, optional
        For the intervals: rows with the same passage and question are drawn together.
    columns : dict, optional
        The table's own names by ours: ``{"candidate": "prediction"}``.
    threads : int
        At most so many for the intervals; 0: one for each core.
    **settings
        Of the metrics: ``strip="?.!"``.

    Returns
    -------
    Scores
        A mapping from names of scores to `Score`.

    Raises
    ------
    InputError
        For what is wrong in the arguments, with the row and the field where it is one.
    KeyboardInterrupt
        Where Ctrl-C ends it.

    Warns
    -----
    RubricWarning
        For empty texts, which are scored like any other.

    Examples
    --------
    >>> import rubric
    >>> s = rubric.score(["the dog", "a black cat"], [["dog", "hound"], "cat"],
    ...                  metrics=["f1", "rouge_l"])
    >>> s["f1"].scores
    [1.0, 0.6666666666666666]
    >>> round(s["f1"].mean, 4), s["f1"].interval
    (0.8333, (0.6666666666666666, 1.0))
    >>> rubric.score(["a", "b"], [["a"]])
    Traceback (most recent call last):
        ...
    rubric._errors.InputError: 2 candidates, 1 entry in references
      to do: give one entry for each candidate
    """
    kinds = require_light(metrics)
    answers = answers_from(candidates, references, passages, questions, columns)
    names = [kind.name for kind in kinds]
    require_new_columns(answers.table, names)
    values = setting_values(kinds, settings, score.__kwdefaults__ or ())
    threads = require_whole("threads", threads, most=MOST_THREADS)
    try:
        tuples, told = _light.score(*answers.for_light(), names, values, threads)
    except InputError as error:
        raise of_call(error, settings) from None
    for message in told:
        warn(message)
    return Scores([Score(name, values, mean, interval, signature, is_corpus)
                   for name, mean, interval, signature, values, is_corpus in tuples], answers)
