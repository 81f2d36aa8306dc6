# SPDX-License-Identifier: MIT
"""The exceptions of the package."""
from __future__ import annotations

# The libraries of the extension, and the packages of Debian 12 that have them
LIBRARIES = {"libamd": "libamd2", "libfyaml": "libfyaml0", "libhdf5_serial": "libhdf5-103-1",
             "libhdf5_serial_hl": "libhdf5-hl-100", "libldl": "libldl2"}


def with_remedy(error: ImportError) -> ImportError:
    """An error of the loader, with the package to install if it is about a library that is missing."""
    library = str(error).split(":")[0]
    package = LIBRARIES.get(library.split(".so")[0])
    if package is None:
        return error
    text = (f"jager needs {library}, which is not installed. On Debian 12 it is in the package {package}; "
            f"apt-get install {' '.join(LIBRARIES.values())} installs all that jager needs. "
            "On other systems build jager from its sources.")
    return ImportError(text, name=error.name, path=error.path)


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
