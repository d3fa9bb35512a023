"""The package's programs, which libtorch they use, and the console program `rubric`.

A package of its own, so that starting the program does not import `rubric`.
"""

from __future__ import annotations

import os
import re
import sys
from importlib.machinery import PathFinder
from pathlib import Path

_LIBRARIES = ("libtorch_cpu.so", "libc10.so", "libgomp.so.1")  # that models need


def _programs() -> Path:
    beside = Path(__file__).parent.parent / "rubric" / "bin"
    if beside.is_dir():
        return beside
    import sysconfig  # with `pip install -e` this file is the clone's

    return Path(sysconfig.get_path("platlib"), "rubric", "bin")


PROGRAMS = _programs()


def _version_of(torch: Path) -> str:
    """The version of libtorch in a folder `torch`; "" where it has none."""
    if not all((torch / "lib" / name).exists() for name in _LIBRARIES):
        return ""
    try:
        text = (torch / "version.py").read_text(encoding="utf-8")
    except OSError:  # half an installation
        return ""
    found = re.search(r"^__version__ = ['\"]([^'\"+]+)", text, re.MULTILINE)
    return found[1] if found else ""


def _environments() -> list[Path]:
    """This environment's folder `torch`, which is not imported; none where it has none."""
    found = PathFinder.find_spec("torch")
    places = found.submodule_search_locations if found else None
    return [Path(place) for place in places or ()][:1]


def libtorch() -> tuple[str, str, str]:
    """The libtorch of `rubric`: the environment's where it fits, else the build's.

    It fits where its version is the build's: between versions symbols, layouts and the last digits
    of scores change.

    Returns
    -------
    tuple
        Its version, its folder `torch`, and "". Where none fits the folder is "", and the last is
        what to tell the user; where the package was built without models the version is "", too.
    """
    try:
        text = (PROGRAMS / "libtorch").read_text(encoding="utf-8")
    except FileNotFoundError:
        return "", "", (
            "this build of the package has no librubric-neural.so, which models need\n"
            "  to do: scripts/setup && pip install . -C cmake.define.RUBRIC_NEURAL=ON")
    version, of_build = text.splitlines()
    others = []
    for torch in (*_environments(), Path(of_build)):
        found = _version_of(torch)
        if found == version:
            return version, str(torch), ""
        if found:
            others.append((found, torch))
    to_do = f"\n  to do: pip install torch=={version}"
    if not others:
        return version, "", (
            f"there is no libtorch {version}, which this build was made against: neither in this "
            f"environment nor in {of_build}{to_do}")
    found, torch = others[0]
    return version, "", (
        f"libtorch {found} in {torch} does not fit this build, which was made against {version}"
        f"{to_do}, or build against yours: pip install . -C cmake.define.RUBRIC_TORCH={torch}")


def environment() -> dict[str, str]:
    """Environment variables of `rubric`: those of this process, and where libtorch is.

    A command that does not need it runs also where none fits.
    """
    variables = dict(os.environ)
    _, torch, problem = libtorch()
    for name, value in (("RUBRIC_LIBTORCH_PROBLEM", problem),
                        ("RUBRIC_LIBTORCH", "" if problem else os.path.join(torch, "lib"))):
        variables.pop(name, None)  # of a program that started this one
        if value:
            variables[name] = value
    return variables


def main() -> None:
    """Run the package's own copy of the program, which takes this process's place."""
    program, variables = PROGRAMS / "rubric", environment()
    try:
        os.execve(program, ["rubric", *sys.argv[1:]], variables)
    except OSError as error:
        sys.exit(f"error: {program}: {error.strerror}\n  to do: install the package rubric again")
