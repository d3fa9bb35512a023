"""What is shipped, and which libtorch the programs are given."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from importlib.metadata import files, requires
from pathlib import Path

import pytest
import rubric_program

import rubric

ROOT = Path(__file__).parents[2]
BUILD, TOOLS = ROOT / "build", ROOT / ".deps" / "wheel" / "bin"  # what scripts/wheel makes
FIXTURE = ROOT / "tests" / "fixtures" / "lerc"
CONSOLE = Path(sys.executable).parent / "rubric"

needs_models = pytest.mark.skipif(not (rubric_program.PROGRAMS / "libtorch").exists(),
                                  reason="the wheel is without models")
needs_build = pytest.mark.skipif(not (BUILD / "build.ninja").exists() or not TOOLS.exists(),
                                 reason="scripts/wheel has not built here")


def run(*command: object, **options: object) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def test_types_are_in_the_wheel():
    shipped = {str(file) for file in files("rubric") or ()}
    assert {"rubric/py.typed", "rubric/_light.pyi", "rubric_program/py.typed"} <= shipped


def inputs_of_the_build() -> set[Path]:
    """Every file of the repository that building the package reads: sources and their headers."""
    targets = "python_package", "build.ninja"
    inputs = set(run("ninja", "-C", BUILD, "-t", "inputs", *targets).splitlines())
    read = set(inputs)
    for section in run("ninja", "-C", BUILD, "-t", "deps").split("\n\n"):
        target, *headers = section.splitlines() or [""]
        if target.partition(":")[0] in inputs:
            read.update(headers)
    absolute = (Path(os.path.normpath(BUILD / path.strip())) for path in read)
    return {path.relative_to(ROOT) for path in absolute if path.is_relative_to(ROOT)}


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sdist")
    run(TOOLS / "python", "-c", "import sys, scikit_build_core.build as build; "
        "build.build_sdist(sys.argv[1])", folder, cwd=ROOT)
    with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
        archive.extractall(folder, filter="data")
    return next(path for path in folder.iterdir() if path.is_dir())


@needs_build
def test_a_source_distribution_has_what_the_build_reads(unpacked):
    # Tests and bench are parts of scripts/build's build, not of the package's.
    others = {"build", ".deps", ".git", "tests", "bench", "CMakePresets.json"}
    needed = {path for path in inputs_of_the_build() if path.parts[0] not in others}
    assert len(needed) > 500
    assert not {path for path in needed if not (unpacked / path).exists()}
    shipped = [Path(file).relative_to("rubric/share/rubric") for file in files("rubric") or ()
               if str(file).startswith("rubric/share/rubric/")]
    assert any(path.parts[0] == "experiments" for path in shipped)
    assert not [path for path in shipped if not (unpacked / path).exists()]


@needs_build
def test_a_source_distribution_is_configured_by_itself(unpacked, tmp_path):
    """Nothing is compiled: CMake looks for each source, and the test above for each header."""
    prefix = run(TOOLS / "python", "-m", "nanobind", "--cmake_dir").strip()
    torch = rubric.versions()["torch_folder"]
    run("cmake", "-S", unpacked, "-B", tmp_path, "-G", "Ninja", f"-Dnanobind_DIR={prefix}",
        f"-DPython_EXECUTABLE={TOOLS / 'python'}", "-DRUBRIC_PYTHON=ON", "-DRUBRIC_TESTS=OFF",
        *([f"-DRUBRIC_TORCH={torch}"] if torch else ["-DRUBRIC_NEURAL=OFF"]))
    inputs = run("ninja", "-C", tmp_path, "-t", "inputs", "python_package")
    assert "/cli/main.cpp.o" in inputs and ("librubric-neural.so" in inputs) == bool(torch)


@needs_models
def test_the_extra_is_the_torch_of_the_build():
    extra = [re.split("[; ]", line)[0] for line in requires("rubric") or () if "neural" in line]
    assert extra == [f"torch=={rubric.versions()['torch']}"]


def make_torch(folder: Path, version: str) -> Path:
    """A folder `torch` on the build's libraries, with a copy of the smallest of them."""
    real = Path(rubric.versions()["torch_folder"])
    torch = folder / "torch"
    (torch / "lib").mkdir(parents=True)
    for name in ("libtorch_cpu.so", "libc10.so"):
        (torch / "lib" / name).symlink_to(real / "lib" / name)
    shutil.copy(real / "lib" / "libgomp.so.1", torch / "lib")
    if (real.parent / "nvidia").exists():
        (folder / "nvidia").symlink_to(real.parent / "nvidia")
    (torch / "version.py").write_text(f"import x\n__version__ = '{version}+cpu'\n")
    (torch / "__init__.py").write_text("raise AssertionError('torch is imported')\n")
    return torch


@needs_models
def test_the_environment_s_torch_comes_first(tmp_path, monkeypatch):
    of_build, variables = rubric.versions(), dict(os.environ)
    torch = make_torch(tmp_path, of_build["torch"])
    monkeypatch.syspath_prepend(tmp_path)
    assert rubric.versions() == {**of_build, "torch_folder": str(torch)}
    with rubric.load(FIXTURE, threads=1) as model:
        process = model._worker.pid
        assert str(torch / "lib" / "libgomp.so.1") in Path(f"/proc/{process}/maps").read_text()
    assert dict(os.environ) == variables


@needs_models
def test_the_build_s_libtorch_serves_where_the_environment_s_does_not_fit(tmp_path, monkeypatch):
    of_build = rubric.versions()
    make_torch(tmp_path, "9.9.0")
    monkeypatch.syspath_prepend(tmp_path)
    assert rubric.versions() == of_build
    rubric.load(FIXTURE, threads=1).close()


@needs_models
@pytest.mark.parametrize("found", ["9.9.0", None])
def test_no_libtorch_that_fits_is_told_before_anything_starts(found, tmp_path, monkeypatch):
    version = rubric.versions()["torch"]
    if found:
        monkeypatch.syspath_prepend(make_torch(tmp_path, found).parent)
    monkeypatch.setattr(rubric_program, "PROGRAMS", tmp_path)
    (tmp_path / "libtorch").write_text(f"{version}\n{tmp_path / 'gone'}\n")
    assert rubric.versions()["torch_folder"] == ""
    what = (f"libtorch {found} in {tmp_path / 'torch'} does not fit this build, which was made "
            f"against {version}\n" if found else f"there is no libtorch {version}, which")
    for call in (lambda: rubric.load(FIXTURE), lambda: rubric.generate(["a"], FIXTURE)):
        with pytest.raises(rubric.InputError, match=re.escape(what)) as error:
            call()
        assert f"pip install torch=={version}" in str(error.value)
    assert rubric.describe("mocha", ROOT / "samples" / "mocha" / "dev.json").values  # needs none


@needs_models
def test_the_console_program_scores_with_a_model(tmp_path):
    rows = tmp_path / "rows.jsonl"
    row = {"candidate": "dog", "reference": "dog", "passage": "p", "question": "q"}
    rows.write_text(json.dumps(row) + "\n")
    out = tmp_path / "out.jsonl"
    run(CONSOLE, "score", "lerc,f1", "--model", FIXTURE, "--input", rows, "--output", out)
    expected = rubric.load(FIXTURE).score([row])["lerc"].scores
    assert json.loads(out.read_text())["scores"] == {"lerc": expected[0], "f1": 1}
    assert "usage: rubric train" in run(CONSOLE, "train", "--help")


@needs_models
def test_half_a_torch_is_passed_over(tmp_path, monkeypatch):
    of_build = rubric.versions()
    torch = make_torch(tmp_path, of_build["torch"])
    monkeypatch.syspath_prepend(tmp_path)
    (torch / "version.py").write_text(f'__version__ = "{of_build["torch"]}"\n')
    assert rubric.versions() == {**of_build, "torch_folder": str(torch)}
    (torch / "version.py").unlink()
    assert rubric.versions() == of_build


@needs_models
@pytest.mark.parametrize("own", ["", "/their/own"])
def test_programs_that_rubric_starts_do_not_find_libtorch(own, tmp_path, monkeypatch):
    """Here the segmenter's Python, whose libraries may be others."""
    python, told = tmp_path / "bin" / "python", tmp_path / "told"
    python.parent.mkdir()
    python.write_text(f"#!/bin/sh\necho \"$LD_LIBRARY_PATH\" > {told}\n")
    python.chmod(0o755)
    (tmp_path / "DONE").touch()
    monkeypatch.setenv("RUBRIC_SEGMENTERS", str(tmp_path))
    monkeypatch.setenv("LD_LIBRARY_PATH", own)
    ledger = tmp_path / "ledger.jsonl"
    rubric.judge(ROOT / "samples" / "chie" / "replies.csv", ledger, recorded=True, judge="gpt-4o")
    with pytest.raises(rubric.Error):  # the segmenter says nothing
        rubric.evaluate_chie(ledger)
    assert told.read_text() == own + "\n"
    rubric.generate(["a"], FIXTURE.parent / "likelihood" / "t5", max_new_tokens=1)
