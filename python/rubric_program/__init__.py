"""The console program `rubric`: the package's own copy of it, which takes this process's place.

A package of its own, so that starting the program does not import `rubric`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    program = Path(__file__).parent.parent / "rubric" / "bin" / "rubric"
    try:
        os.execv(program, ["rubric", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"error: {program}: {error.strerror}\n  to do: install the package rubric again")
