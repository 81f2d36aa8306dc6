# SPDX-License-Identifier: MIT
"""The exceptions of the package."""
from __future__ import annotations


class JagerError(Exception):
    """An error of jager; the base of all others.

    Attributes:
        status: name of the library's status, such as "JAGER_ERROR_FRICTION"; None if the library did not say one.
    """

    def __init__(self, text: str, status: str | None = None) -> None:
        super().__init__(text)
        self.status = status

    def __reduce__(self) -> tuple[type[JagerError], tuple[str, str | None]]:
        return type(self), (str(self), self.status)


class CaseError(JagerError):
    """A case that cannot run. The text has file, line, column, the line and a caret, for up to ten mistakes."""


class RunError(JagerError):
    """A run or simulation that was refused, failed or cannot be read."""


class FormatError(JagerError):
    """A file of spheres that cannot be read, or a conversion that would lose something."""
