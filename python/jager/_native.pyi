# SPDX-License-Identifier: MIT
# cffi's view of the C headers: the compiler has checked it, type checkers need not.
from typing import Any

ffi: Any
lib: Any
