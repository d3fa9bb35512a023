"""The examples in docstrings, and the types."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import rubric

MODULES = ["rubric"] + [f"rubric.{module.name}" for module in pkgutil.iter_modules(rubric.__path__)
                        if module.name not in ("_light", "_build")]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_public_names_have_docstrings():
    for name in rubric.__all__:
        assert getattr(rubric, name).__doc__, name


def test_types(tmp_path):
    pytest.importorskip("mypy")
    example = Path(__file__).parent / "typed_example.py"
    for what in ([str(example)], ["-p", "rubric", "--exclude", "/(share|hf)/"]):
        result = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir",
                                 str(tmp_path), *what], cwd=tmp_path, capture_output=True, text=True)
        assert result.returncode == 0, result.stdout + result.stderr
