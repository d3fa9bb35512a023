"""What `mypy --strict` reads: a caller's code."""

from pathlib import Path

import rubric
from rubric import lm_eval


def best(candidates: list[str], references: list[list[str]]) -> int:
    s = rubric.score(candidates, references, metrics=["f1"])
    score: rubric.Score = s["f1"]
    low, high = score.interval or (0.0, 1.0)
    assert low <= score.mean <= high
    return max(range(len(score)), key=lambda i: score.scores[i])


def of_files(folder: Path) -> rubric.Report:
    s = rubric.score(folder / "rows.parquet", metrics=["exact_match"], missing="drop")
    t = rubric.score(predictions=["a"], references=["b"], missing=None)
    return rubric.compare({"mine": s, "theirs": t, "file": "scored.xlsx"}, metric="em")


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
    report: rubric.Report = rubric.agreement(s, human="judge", test="permutation", dev=rows)
    report.to_html("agreement.html")
    return rubric.compare(s, rows, metric="bertscore").p_value, s["bertscore"].scores


def trained(losses: list[float]) -> rubric.Model:
    def keep(event: rubric.Values) -> None:
        if event["event"] == "update":
            losses.append(event.loss)

    run: rubric.Run = rubric.train("own.yaml", overrides={"run.epochs": 3}, on_event=keep)
    directory: Path = run.directory
    assert run.is_finished and run.results.measurements, directory
    return rubric.load(run.model, threads=2)


def reports() -> list[str]:
    made: list[rubric.Report] = [
        rubric.evaluate_mocha("dev.json", scores="scored.json", constituent=["drop"]),
        rubric.evaluate_r4c("dev_csf.json", Path("core.json")),
        rubric.evaluate_rev({"gold": "gold.jsonl", "written": [Path("a.jsonl"), "b.jsonl"]}),
        rubric.evaluate_chie("ledger.jsonl", human_file="labels.csv"),
        rubric.describe("mocha", "train.json", Path("dev.json")),
        rubric.reproduce("mocha/table_4.yaml", dry_run=True),
    ]
    values: rubric.Values = made[0].values
    return [report.to_text("latex") for report in made] + list(values)


def few_labels(rows: dict[str, list[str]], path: Path) -> list[rubric.Report]:
    sheet: rubric.Report = rubric.choose(rows, 120, metrics=["f1"], system="model", method="score")
    sheet.to_html(path / "sheet.html")
    planned = rubric.plan(rows, labels=path / "pilot.csv", human="verdict", width=0.05)
    return [sheet, planned, rubric.estimate(rows, labels=path / "sheet.csv", human="verdict",
                                            probability="probability", scale=(0, 1)),
            rubric.estimate(ledger=path / "ledger.jsonl", labels=path / "c.csv", human="C")]


def judged(rows: list[dict[str, str]]) -> list[str]:
    entries: list[rubric.Values] = rubric.judge(
        rows, "ledger.jsonl", judge="gpt-4o", endpoint="http://localhost:8000/v1")
    return [str(entry.reply) for entry in entries]


def of_sequences(sources: list[str], targets: list[str]) -> list[float]:
    texts: list[str] = rubric.generate(sources, "t5-small", max_new_tokens=8)
    likely: rubric.Score = rubric.likelihood(sources, targets, model="gpt2", sum=True)["likelihood"]
    gain = rubric.rev("rows.jsonl", model="with", baseline_model="without", keep_going=True)["rev"]
    bart = rubric.bartscore(texts, targets, model="facebook/bart-large-cnn", truncation="error")
    cut: list[int] = likely.truncated
    return [gain.mean, bart["bartscore"].mean, float(len(cut))]


def running() -> dict[str, float]:
    collected = rubric.Running(["f1"], strip="?.!")
    collected.update(["a dog"], [["dog"]])
    means: dict[str, float] = collected.compute()
    scores: rubric.Scores = collected.scores()
    collected.reset()
    assert means["f1"] == scores["f1"].mean
    return means


def for_other_packages(docs: list[dict[str, str]]) -> tuple[str, list[dict[str, float]]]:
    score = lm_eval.scorer(["f1"], references="gold")
    scores: list[dict[str, float]] = score([["dog"]], docs)
    assert lm_eval.process_results(docs[0], scores[:1]) == scores[0]
    path: str = rubric.hf_path()
    return path, scores
