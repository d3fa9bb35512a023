"""The examples in docstrings and documents, and the types."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rubric

ROOT = Path(__file__).parents[2]
MODULES = ["rubric"] + [f"rubric.{module.name}" for module in pkgutil.iter_modules(rubric.__path__)
                        if module.name not in ("_light", "_build")]
HAS_MODELS = (Path(rubric.__file__).parent / "bin" / "libtorch").exists()
NEURAL = {"rubric._model", "rubric._sequences", "rubric._training"}


@pytest.mark.filterwarnings("ignore::rubric.RubricWarning")
@pytest.mark.parametrize("name", MODULES)
def test_examples(name, clone):
    if name in NEURAL and not HAS_MODELS:
        pytest.skip("the wheel is without models")
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0 and (result.attempted > 0 or name not in NEURAL)


def test_public_names_have_docstrings_in_numpy_s_style():
    for name in rubric.__all__:
        text = getattr(rubric, name).__doc__
        assert text, name
        if type(getattr(rubric, name)).__name__ == "function":
            assert "Returns\n    -------\n" in text and "    >>> " in text, name
            assert "+SKIP" not in text, name


@pytest.mark.skipif(not HAS_MODELS, reason="the wheel is without models")
@pytest.mark.filterwarnings("ignore::rubric.RubricWarning")
def test_readme(clone, capsys):
    """README's lines print what README shows."""
    pytest.importorskip("pandas")
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 110
    ((block, shown),) = re.findall(r"```python\n(.*?)```\n\n```\n(.*?)```", text, re.DOTALL)
    exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out == shown
    assert (clone / "agreement.html").exists()


def test_types(tmp_path):
    pytest.importorskip("mypy")
    example = Path(__file__).parent / "typed_example.py"
    for what in ([str(example)], ["-p", "rubric", "--exclude", "/(share|hf)/"]):
        result = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir",
                                 str(tmp_path), *what], cwd=tmp_path, capture_output=True, text=True)
        assert result.returncode == 0, result.stdout + result.stderr
