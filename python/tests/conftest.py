"""What tests share: a folder that looks like the clone after `scripts/demo`, with tiny models."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import rubric

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures"

# In place of the configuration of the real data: the sample, and a tiny model of random weights.
CONFIG = f"""\
task: lerc
model: {{name: {FIXTURES / "lerc"}}}
data:
  train: samples/mocha/train.json
  dev: samples/mocha/dev.json
  store: store
  hold_out: [narrativeqa]
  inputs: [question, reference, candidate]
  max_length: 64
run: {{epochs: 10}}
"""


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path | None:
    """A sequence model of samples/rev after an epoch; None where the wheel has no rubric-neural."""
    if not (Path(rubric.__file__).parent / "bin" / "rubric-neural").exists():
        return None
    folder = tmp_path_factory.mktemp("trained")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)  # the sample's paths are the repository's
        return rubric.train("configs/sample_rev.yaml", output=folder / "run",
                            overrides={"run.epochs": 1, "data.store": str(folder / "store")}).model


@pytest.fixture
def clone(tmp_path: Path, trained: Path | None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working directory: samples/ and configs/, and in runs/ and $RUBRIC_MODELS tiny models."""
    folder = tmp_path / "clone"
    models = {"gpt2": "gpt2", "t5-small": "t5", "facebook/bart-large-cnn": "bart"}
    links = {"samples": ROOT / "samples", ".deps": ROOT / ".deps",
             "runs/demo_narrativeqa/model": FIXTURES / "lerc", "runs/sample_rev/model": trained,
             **{f"configs/{file.name}": file for file in (ROOT / "configs").iterdir()},
             **{f"models/{name}": FIXTURES / "likelihood" / tiny for name, tiny in models.items()}}
    for name, target in links.items():
        if target is not None and name != "configs/lerc_ood_narrativeqa.yaml":
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).symlink_to(target)
    (folder / "configs" / "lerc_ood_narrativeqa.yaml").write_text(CONFIG, encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("RUBRIC_MODELS", str(folder / "models"))
    yield folder
