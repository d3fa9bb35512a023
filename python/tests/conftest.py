"""What tests share: a folder that looks like the clone after `scripts/demo`, with tiny models."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

import rubric

# What a shell starts in the background ignores Ctrl-C, which tests send.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures"

# In place of the configuration of the real data: short texts of the sample, and a tiny model.
CONFIG = f"""\
task: lerc
model: {{name: {FIXTURES / "lerc"}}}
data:
  train: short.json
  dev: short.json
  store: store
  hold_out: [narrativeqa]
  inputs: [reference, candidate]
  max_length: 64
run: {{epochs: 10}}
"""


def short_rows() -> str:
    rows = json.loads((ROOT / "samples" / "mocha" / "dev.json").read_text(encoding="utf-8"))
    return json.dumps({name: {id: {**row, "reference": row["reference"][:20],
                                   "candidate": row["candidate"][:20]}
                              for id, row in of_name.items()} for name, of_name in rows.items()})


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Sequence models of samples/rev after an epoch; none where the wheel is without models."""
    if not (Path(rubric.__file__).parent / "bin" / "libtorch").exists():
        return {}
    folder = tmp_path_factory.mktemp("trained")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)  # the sample's paths are the repository's
        return {name: rubric.train(f"configs/{name}.yaml", output=folder / name,
                                   overrides={"run.epochs": 1,
                                              "data.store": str(folder / "store")}).model
                for name in ("sample_rev", "sample_rev_baseline")}


@pytest.fixture
def clone(tmp_path: Path, trained: dict[str, Path],
          monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working directory: samples/ and configs/, and in runs/ and $RUBRIC_MODELS tiny models."""
    folder = tmp_path / "clone"
    models = {"gpt2": "gpt2", "t5-small": "t5", "facebook/bart-large-cnn": "bart"}
    links = {"samples": ROOT / "samples", ".deps": ROOT / ".deps",
             "runs/demo_narrativeqa/model": FIXTURES / "lerc",
             **{f"runs/{name}/model": model for name, model in trained.items()},
             **{f"configs/{file.name}": file for file in (ROOT / "configs").iterdir()},
             **{f"models/{name}": FIXTURES / "likelihood" / tiny for name, tiny in models.items()}}
    for name, target in links.items():
        if name != "configs/lerc_ood_narrativeqa.yaml":
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).symlink_to(target)
    (folder / "configs" / "lerc_ood_narrativeqa.yaml").write_text(CONFIG, encoding="utf-8")
    (folder / "short.json").write_text(short_rows(), encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("RUBRIC_MODELS", str(folder / "models"))
    yield folder


def summary_of(file: Path) -> dict[str, tuple[float, list[float], str]]:
    """Of each metric in a summary of `score`: its value, the ends of its interval, its signature."""
    summary = json.loads(file.read_text(encoding="utf-8"))
    signatures = {row["metric"]: row["signature"] for row in summary["records"]["signatures"]}
    return {one["metric"]: (one["value"], [one["low"], one["high"]] if "low" in one else [],
                            signatures[one["metric"]])
            for one in summary["measurements"] if one["statistic"] in ("mean", "corpus")}
