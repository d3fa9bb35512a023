"""Scores in lm-evaluation-harness, by its route of filters.

A filter sees all responses of a task at once; `process_results` then hands out each document's
scores. (The harness's plain `metric:` calls a function for one document at a time, and makes any
score of several targets 1.)

.. code-block:: yaml

    filter_list:
      - name: rubric
        filter:
          - {function: custom, filter_fn: !function rubric.lm_eval.score}
    process_results: !function rubric.lm_eval.process_results
    metric_list:
      - {metric: f1, aggregation: mean, higher_is_better: true}
      - {metric: em, aggregation: mean, higher_is_better: true}
      - {metric: rouge_l, aggregation: mean, higher_is_better: true}

For other metrics or fields a file beside the task makes the filter: ``score = scorer([…])``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ._answers import names_of_fields
from ._errors import InputError
from ._inputs import find_column, nested
from ._metrics import Names, chosen, require_metrics
from ._model import Truncation, load, require_truncation
from ._scoring import score as _score

_Filter = Callable[[Iterable[Sequence[str]], Sequence[Mapping[str, Any]]], list[dict[str, float]]]

_MORE_THAN_NUMBERS = ("verdict", "explain")  # settings


def scorer(metrics: Names | None = None, *, metric: Names | None = None,
           references: str | None = None, questions: str | None = None,
           passages: str | None = None, model: str | os.PathLike[str] | None = None, truncation: Truncation = "warn",
           **settings: Any) -> _Filter:
    """Make a filter that scores the first response of each document.

    Parameters
    ----------
    metrics, metric : str, or list of str
        Those that need no model, or one that does; without `model` it is the metric's own, which
        "lerc" has. f1, em and rouge_l where none is named.
    references, questions, passages : str, optional
        Fields of the documents; references else under one of their usual names.
    model : path or str, optional
        A model directory, for a metric such as "bertscore".
    truncation : {"warn", "error", "ignore"}
        What to do where the model does not read all of a row, as in `Model.score`.
    **settings
        Of the metrics, without ``verdict`` and ``explain``, which give more than numbers.

    Returns
    -------
    function
        For ``filter_fn``: gives a dict of scores for each document.

    Raises
    ------
    InputError
        For arguments that are wrong; when the filter is called, for a field that a document lacks,
        and what `rubric.score` refuses.

    Examples
    --------
    >>> from rubric.lm_eval import scorer
    >>> scorer(["f1"])([["the dog"]], [{"answers": ["dog", "hound"]}])
    [{'f1': 1.0}]
    """
    names = chosen(metrics, metric, ("f1", "em", "rouge_l"))
    require_truncation(truncation)
    for name in _MORE_THAN_NUMBERS:
        if settings.get(name):
            raise InputError(f"{name} gives more than numbers, and the harness takes no more\n"
                             "  to do: leave it out, and score the logged samples: "
                             f"rubric.load(…, {name}=True)")

    def score_responses(resps: Iterable[Sequence[str]],
                        docs: Sequence[Mapping[str, Any]]) -> list[dict[str, float]]:
        if not docs:
            return []
        candidates = [_first(responses, row) for row, responses in enumerate(resps)]
        field = _reference_field(docs) if references is None else references
        of_questions = None if questions is None else _column(docs, questions)
        of_passages = None if passages is None else _column(docs, passages)
        wanted = [_texts_of(value) for value in _column(docs, field)]
        if model is None and not any(metric.needs_model for metric in require_metrics(names)):
            scores = _score(candidates, wanted, metrics=names, passages=of_passages,
                            questions=of_questions, **settings)
        else:
            if len(names) != 1:
                raise InputError("a model is for one metric\n  to do: scorer([\"lerc\"], model=…)")
            with load(model, metric=names[0], **settings) as loaded:
                scores = loaded.score(candidates, wanted, passages=of_passages,
                                      questions=of_questions, truncation=truncation)
        of_corpus = [name for name, score in scores.items() if score.is_corpus]
        if of_corpus:
            raise InputError(f"{of_corpus[0]} is a score of all documents, not of each\n  to do: "
                             "leave it out, and score the logged samples: "
                             f"rubric score {of_corpus[0]} --input FILE")
        return [{name: score.scores[row] for name, score in scores.items()}
                for row in range(len(candidates))]

    return score_responses


def score(resps: Iterable[Sequence[str]],
          docs: Sequence[Mapping[str, Any]]) -> list[dict[str, float]]:
    """The filter of f1, em and rouge_l; references are found by their usual names.

    Examples
    --------
    >>> from rubric.lm_eval import score
    >>> score([["the dog"]], [{"target": "dog"}])[0]["em"]
    1.0
    """
    return scorer()(resps, docs)


def process_results(doc: Mapping[str, Any], results: list[dict[str, float]]) -> dict[str, float]:
    """The scores of a document, as the filter made them.

    Examples
    --------
    >>> from rubric.lm_eval import process_results
    >>> process_results({}, [{"f1": 1.0}])
    {'f1': 1.0}
    """
    return results[0]


def _first(responses: Sequence[str], document: int) -> str:
    if not responses:
        raise InputError(f"document {document} (the first is 0) has no response", row=document)
    return responses[0]


def _texts_of(value: Any) -> Any:
    """Of SQuAD's answers their texts."""
    return value["text"] if isinstance(value, Mapping) and "text" in value else value


def _column(docs: Sequence[Mapping[str, Any]], field: str) -> list[Any]:
    for row, doc in enumerate(docs):
        if find_column([doc], field) is None:
            raise InputError(f"document {row} (the first is 0) has no {field!r}; it has "
                             f"{', '.join(doc)}", row=row)
    return [nested(doc, field) for doc in docs]


def _reference_field(docs: Sequence[Mapping[str, Any]]) -> str:
    """The documents' field of references, which the table of docs/rows.md has."""
    to_do = ("\n  to do: name it, score = rubric.lm_eval.scorer(references=\"…\"), in a file "
             "beside the task")
    try:
        field = names_of_fields(list(docs), {"candidate": ""}).get("reference", "reference")
    except InputError as error:
        raise InputError(str(error).partition("\n")[0] + to_do) from None
    if find_column(list(docs), field) is None:
        raise InputError(f"no field of {', '.join(docs[0])} holds references{to_do}")
    return field
