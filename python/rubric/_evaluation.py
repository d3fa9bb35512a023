"""The commands that evaluate: what they print and their JSON become reports."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ._answers import with_lists_in_cells
from ._files import opened
from ._inputs import is_table, require_path
from ._messages import names_keywords
from ._program import Files, PathLike, fields_of, json_lines, place, refuse, run
from ._reports import FORMATS, Report, Values


def _report(words: Sequence[str], options: Mapping[str, Any], has_page: bool = True) -> Report:
    """All that one run of a command prints: later its files may be others."""
    options = {**options, "format": ",".join(FORMATS)}
    if not has_page:
        return Report(json.loads(run(words, options)[0]), None)
    with TemporaryDirectory(prefix="rubric-") as folder:
        page = Path(folder, "report.html")
        printed = run(words, {**options, "report": page})[0]
        return Report(json.loads(printed), page.read_text(encoding="utf-8"))


@names_keywords()
def evaluate_mocha(data: PathLike, *, predictions: PathLike | None = None,
                   scores: PathLike | None = None, **options: Any) -> Report:
    """Agreement of metrics with MOCHA's human judgements (Chen et al. 2020, Tables 4 and 5).

    Parameters
    ----------
    data : path
        MOCHA's JSON with human scores.
    predictions, scores : path, optional
        The file of one metric's scores in MOCHA's form, or a file that `rubric score` has written.
        One of the two is needed.
    **options
        Those of ``rubric help evaluate mocha`` with underscores: ``constituent=["drop"]``.

    Returns
    -------
    Report
        Of each constituent, the `group`, and without a group on average over them: `pearson` in
        [-1, 1] with a 95% interval, and `minimal_pair_accuracy` in [0, 1].

    Raises
    ------
    InputError
        For what is wrong in the files and the options.

    Examples
    --------
    Here the annotators' own scores, as if they were a metric's:

    >>> import json, rubric
    >>> rows = json.load(open("samples/mocha/dev.json"))
    >>> scores = {name: {id: {"pred_score": row["score"]} for id, row in rows[name].items()}
    ...           for name in rows}
    >>> with open("scores.json", "w") as file:
    ...     json.dump(scores, file)
    >>> report = rubric.evaluate_mocha("samples/mocha/dev.json", predictions="scores.json")
    >>> report.find("pearson", group="drop").value
    1
    >>> report.to_html("mocha.html")
    """
    refuse(options, "report")
    return _report(["evaluate", "mocha"],
                   {"data": data, "predictions": predictions, "scores": scores, **options})


@names_keywords()
def evaluate_r4c(gold: PathLike, predictions: PathLike, **options: Any) -> Report:
    """Agreement of derivations with R4C's reference derivations (Inoue et al. 2020, section 4).

    Parameters
    ----------
    gold, predictions : path
        R4C's JSON, and HotpotQA's predictions with derivations.
    **options
        Those of ``rubric help evaluate r4c`` with underscores.

    Returns
    -------
    Report
        ``precision``, ``recall`` and ``f1`` of entities (metric ``e``), relations (``r``) and
        whole steps (``er``), in [0, 1]; the printed tables have percent.

    Raises
    ------
    InputError
        For what is wrong in the files and the options.

    Examples
    --------
    Here the first reference derivation of each question, as if a system had written it:

    >>> import json, rubric
    >>> gold = json.load(open("samples/r4c/dev.json"))
    >>> with open("predictions.json", "w") as file:
    ...     json.dump({"re": {id: derivations[0] for id, derivations in gold.items()}}, file)
    >>> report = rubric.evaluate_r4c("samples/r4c/dev.json", "predictions.json")
    >>> report.find("f1", metric="er").value
    1
    """
    refuse(options, "report")
    return _report(["evaluate", "r4c"], {"gold": gold, "predictions": predictions, **options})


@names_keywords()
def evaluate_rev(pairs: Mapping[str, PathLike | Sequence[PathLike]], **options: Any) -> Report:
    """Comparison of kinds of rationales by REV (Chen et al. 2023, Table 2).

    Parameters
    ----------
    pairs : dict
        Files that `rev` has scored by the kind of their rationales: ``{"gold": "gold.jsonl"}``.
    **options
        Those of ``rubric help evaluate rev`` with underscores.

    Returns
    -------
    Report
        The `mean` of REV (nats), LAS and RQ (the `metric`) of each kind (the `system`) with a 95%
        interval.

    Raises
    ------
    InputError
        For what is wrong in the files and the options.

    Examples
    --------
    The scores are of the command, ``rubric score rev --input FILE --output gold.jsonl …``:

    >>> import json, rubric
    >>> for kind, rev in ("gold", [0.9, 0.4]), ("vacuous", [0.1, -0.1]):
    ...     with open(kind + ".jsonl", "w") as file:
    ...         for id, value in enumerate(rev):
    ...             row = {"id": str(id), "question": "Who?", "choices": ["Ann", "Bob"],
    ...                    "label": "Ann", "gold": "Ann", "rationale": kind,
    ...                    "baseline": "It is Ann.", "scores": {"rev": value}}
    ...             print(json.dumps(row), file=file)
    >>> report = rubric.evaluate_rev({"gold": "gold.jsonl", "vacuous": "vacuous.jsonl"})
    >>> report.find("mean", metric="rev", system="gold").value
    0.65
    """
    refuse(options, "report")
    return _report(["evaluate", "rev"], {"pairs": pairs, **options})


@names_keywords("field")
def evaluate_chie(ledger: PathLike, **options: Any) -> Report:
    """Comparison of systems by a judge's verdicts (CHIE, Phatthiyaphaibun et al. 2024, Table 5).

    Parameters
    ----------
    ledger : path
        Of a judge's replies, as `judge` writes it.
    **options
        Those of ``rubric help evaluate chie`` with underscores: ``human_file="labels.csv"``.

    Returns
    -------
    Report
        The `count` of each system's `n` answers that the judge finds correct (metric `C`), helpful
        (`H`), irrelevant (`I`) and extraneous (`E`), and agreement with human labels where they are given.

    Raises
    ------
    InputError
        For what is wrong in the files and the options.

    Examples
    --------
    >>> import rubric
    >>> entries = rubric.judge("samples/chie/replies.csv", "ledger.jsonl", recorded=True,
    ...                        judge="gpt-4o")
    >>> report = rubric.evaluate_chie("ledger.jsonl", human_file="samples/chie/labels.csv")
    >>> agreed = report.find("count", metric="H", system="long")
    >>> agreed.value, agreed.n
    (4, 6)
    >>> report.to_html("chie.html")
    """
    refuse(options, "report")
    return _report(["evaluate", "chie"], {"ledger": ledger, "field": None,
             **options})


@names_keywords()
def describe(data_format: str, *files: PathLike, **options: Any) -> Report:
    """Describe a data set by its statistics (the papers' Tables 1 to 3).

    Parameters
    ----------
    data_format : str
        "mocha", "r4c", or another of ``rubric help describe``.
    *files : path
        Of the data set; ``"train=FILE"`` names a part of it.
    **options
        Those of ``rubric help describe`` with underscores.

    Returns
    -------
    Report
        Counts and means; it has no page of HTML.

    Raises
    ------
    InputError
        For what is wrong in the files and the options.

    Examples
    --------
    >>> import rubric
    >>> report = rubric.describe("mocha", "samples/mocha/train.json", "samples/mocha/dev.json")
    >>> report.find("candidates", subset="train", group="quoref").value
    52
    """
    refuse(options)
    places = [place("data_format", data_format), *(place("a file", file) for file in files)]
    return _report(["describe", *places], options, has_page=False)


@names_keywords()
def reproduce(experiment: PathLike, **options: Any) -> Report:
    """Run what is missing behind a table of a paper, and compare it with the paper's values.

    Parameters
    ----------
    experiment : path
        A YAML file, or one that the package ships: "mocha/table_4.yaml".
    **options
        Those of ``rubric help reproduce`` with underscores: ``dry_run=True``. It runs the steps
        here: `launcher` is for the command.

    Returns
    -------
    Report
        The paper's value, ours, its 95% interval and a verdict for each cell; no page of HTML.

    Raises
    ------
    InputError
        For what is wrong in the experiment and the options.
    KeyboardInterrupt
        Where Ctrl-C stops it; the same call goes on.

    Examples
    --------
    >>> import rubric
    >>> plan = rubric.reproduce("mocha/table_4.yaml", dry_run=True)
    """
    refuse(options, "launcher")  # of Slurm it prints a script
    return _report(["reproduce", place("experiment", experiment)], options, has_page=False)


@names_keywords("field")
def judge(rows: Any, ledger: PathLike, *, recorded: bool = False, **options: Any) -> list[Values]:
    """Ask a language model about answers as CHIE does, and keep each reply in a ledger.

    Parameters
    ----------
    rows : a table, or a path
        With passage, question, reference, candidate and perhaps id, system and language. Lists in
        cells of a data frame are read as by `score`.
    ledger : path
        JSON lines, to which replies are appended. What it holds is not asked again.
    recorded : bool
        The rows hold replies that were recorded before, and nothing is sent.
    **options
        Those of ``rubric help judge`` with underscores: ``endpoint="http://localhost:8000/v1"``,
        ``judge="gpt-4o"``.

    Returns
    -------
    list of Values
        The ledger's entries: dicts whose fields are also attributes, such as ``entry.reply``;
        `verdicts` is None where none could be read in the reply.

    Raises
    ------
    InputError
        For what is wrong in the rows and the options, and an endpoint that cannot be reached.
    Error
        Where a budget is spent or answers stay without a reply; the ledger has the others.
    KeyboardInterrupt
        Where Ctrl-C stops it, with open requests given up; the same call goes on.

    Examples
    --------
    Replies that were recorded before; without ``recorded=True`` and with ``endpoint=URL`` it asks.

    >>> import rubric
    >>> rows = [{"passage": "The dog barks.", "question": "What barks?", "reference": "the dog",
    ...          "candidate": "a dog", "system": "mine", "reply": "Agree Agree Disagree Disagree"}]
    >>> entries = rubric.judge(rows, "mine.jsonl", recorded=True, judge="gpt-4o")
    >>> entries[0].verdicts
    {'C': True, 'H': True, 'I': False, 'E': False}
    """
    refuse(options, "dry_run", "import", "input")
    ledger = require_path("ledger", ledger)
    rows = opened(rows)
    if is_table(rows):
        rows = with_lists_in_cells(rows, fields_of(options.get("field")))
    with Files(rows, options.get("field")) as files:
        run(["judge"],
            {"import" if recorded else "input": files.input, "ledger": ledger, "field": None,
             **options},
            files=files, names={"input": "rows", "import": "rows"})
    return [Values({"verdicts": None, **entry}) for entry in json_lines(Path(ledger))]
