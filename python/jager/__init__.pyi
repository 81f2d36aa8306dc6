# SPDX-License-Identifier: MIT
# For type checkers: __init__.py imports the names of _api when they are needed.
from ._api import *
from ._api import __all__ as __all__, __version__ as __version__, open as open
