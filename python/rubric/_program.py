"""The console program `rubric`: the package's own copy of it, which takes this process's place."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ._build import ARCHITECTURE
from ._cpu import require_cpu


def main() -> None:
    program = Path(__file__).parent / "bin" / "rubric"
    try:
        require_cpu(ARCHITECTURE)
        os.execv(program, ["rubric", *sys.argv[1:]])
    except (ImportError, OSError) as error:
        sys.exit(f"error: {error}\n  to do: install the package rubric again")
