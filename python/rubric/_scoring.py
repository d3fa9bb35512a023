"""Scoring in this process, with metrics that need no model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import _light
from ._answers import Missing, answers_from, candidates_of, warn_of
from ._errors import InputError
from ._inputs import MOST_THREADS, require_whole
from ._messages import as_arguments, keywords, names_keywords, of_call
from ._metrics import Names, arguments_of, chosen, require_light, setting_values
from ._scores import Score, Scores


@names_keywords()
def score(candidates: Any = None, references: Any = None, *,
          metrics: Names | None = None, metric: Names | None = None, predictions: Any = None,
          passages: Any = None, questions: Any = None,
          columns: Mapping[str, str] | None = None, missing: Missing | None = None,
          reference_separator: str = "", threads: int = 0,
          **settings: object) -> Scores:
    """Score candidates against references, with metrics that need no model.

    The scores are exactly those of the command `rubric score`. Other threads of Python go on while
    it computes, and Ctrl-C stops it.

    Parameters
    ----------
    candidates : list of str, a table, or a path
        The texts to score, one for each row. Or a table of all rows, in place of the lists: a dict
        of columns, a list of dicts, a data frame of pandas or polars, an Arrow table, a
        `datasets.Dataset`; or the path of a file of rows, one that the command reads, parquet,
        feather or .xlsx. Its columns are called `candidate` and `reference`, perhaps also
        `passage` and `question`; usual other names, such as `prediction`, are found.
    references : list
        For each row one text, or a list of texts that are all right answers.
    metrics, metric : str, or list of str
        Names of metrics, such as ``["f1", "em"]``; `rubric.list_metrics()` lists them, and f1, em
        and rouge_l are taken where none is named. Metrics that need a model are scored with
        `rubric.load`. Two names of one argument.
    predictions : list of str, optional
        Another name of `candidates`.
    passages, questions : list of str, optional
        One for each row. Only the intervals depend on them: the bootstrap draws rows with the same
        passage and question together. None and NaN are none; a row with neither is drawn alone.
    columns : dict, optional
        What the table calls our columns: ``{"candidate": "prediction"}``.
    missing : {"empty", "drop", "error"}, optional
        What becomes of a candidate or reference that is None, NaN or NA: the text "", its row left
        out, or an InputError. None: the text "" for candidates, with a warning, and an error for
        references.
    reference_separator : str
        What separates several references in one text: ``"/"`` reads "a/b" as ["a", "b"].
    threads : int
        The most threads to score and to compute intervals with; 0: one for each core.
    **settings
        Settings of the metrics: ``strip="?.!"``, which bleu1, rouge_l and others have.

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
    kinds = require_light(chosen(metrics, metric, ("f1", "em", "rouge_l")))
    names = [kind.name for kind in kinds]
    values = setting_values(kinds, settings,
                            ("candidates", "references", *keywords(score)))
    answers = answers_from(candidates_of(candidates, predictions), references, passages, questions,
                           columns, missing, reference_separator)
    threads = require_whole("threads", threads, most=MOST_THREADS)
    arguments = arguments_of(kinds, {"metric": "metrics"}, "threads", "reference_separator")
    try:
        tuples, told = _light.score(*answers.for_light(), names, values, threads,
                                    answers.reference_separator)
    except InputError as error:
        raise of_call(error, arguments) from None
    warn_of(answers, [as_arguments(message, arguments) for message in told])
    return Scores([Score(name, values, mean, interval, answers.signed(signature), is_corpus)
                   for name, mean, interval, signature, values, is_corpus in tuples], answers)
