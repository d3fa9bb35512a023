"""What `mypy --strict` reads: a caller's code."""

import rubric


def best(candidates: list[str], references: list[list[str]]) -> int:
    s = rubric.score(candidates, references, metrics=["f1"])
    score: rubric.Score = s["f1"]
    low, high = score.interval or (0.0, 1.0)
    assert low <= score.mean <= high
    return max(range(len(score)), key=lambda i: score.scores[i])


def name_of_metrics() -> list[str]:
    return [metric.name for metric in rubric.list_metrics()]


def logged() -> dict[str, float]:
    try:
        return rubric.score(["a"], ["a"], metrics=["f1"]).to_dict("dev")
    except rubric.InputError as error:
        print(error.row, error.field)
        return {}


def with_model(rows: dict[str, list[str]]) -> tuple[float, list[float]]:
    with rubric.load("model", metric="bertscore", threads=2, layer=6) as model:
        s = model.score(rows, columns={"candidate": "prediction"}, progress=True)
    report: rubric.Report = rubric.agreement(s, human="judge", test="permutation")
    report.to_html("agreement.html")
    return rubric.compare(s, rows, metric="bertscore").p_value, s["bertscore"].scores
