"""The exceptions and the warning of the package."""

from __future__ import annotations

import os
import sys
import warnings
from types import FrameType

_PACKAGE = os.path.dirname(__file__) + os.sep


class Error(Exception):
    """Something went wrong while running, such as a full disk."""


class InputError(Error, ValueError):
    """What the caller gave is wrong.

    Attributes
    ----------
    row : int or None
        The row at fault, counted from 0, where it is one.
    field : str or None
        The field at fault, such as "candidate" or a column of the table.
    """

    def __init__(self, message: str, row: int | None = None, field: str | None = None) -> None:
        super().__init__(message)
        self.row = row
        self.field = field


class RubricWarning(UserWarning):
    """What the commands write on stderr as "warning:", such as empty texts."""


def warn(message: str) -> None:
    """Warn with RubricWarning, at the line that called the package."""
    level = 1
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, RubricWarning, stacklevel=level)
