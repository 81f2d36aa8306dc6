# SPDX-License-Identifier: MIT
"""Makes the C source of the extension jager._native, by cffi, from the C headers themselves.

The C preprocessor expands the headers; what comes from our own headers, and not from the system's, is what Python sees.
The compiler compares every type with the headers again when it compiles the source.
"""
from __future__ import annotations

import argparse
import pathlib
import re
import subprocess

import cffi

HEADERS = ("include/jager/status.h", "include/jager/jager.h", "include/jager/compare.h", "src/dem/snapshot.h",
           "src/binding/binding.h")
INCLUDE = '#include "binding/binding.h"\n'
LINE_MARK = re.compile(r'^# \d+ "([^"]*)"')


def declarations(compiler: str, source: pathlib.Path) -> str:
    """The declarations of our headers, without the system's."""
    command = [compiler, "-E", "-DJAGER_API=", f"-I{source / 'include'}", f"-I{source / 'src'}", "-xc", "-"]
    expanded = subprocess.run(command, input=INCLUDE, capture_output=True, text=True, check=True).stdout
    ours = {(source / header).resolve() for header in HEADERS}
    kept, is_ours = [], False
    for line in expanded.splitlines():
        mark = LINE_MARK.match(line)
        if mark:
            is_ours = pathlib.Path(mark[1]).resolve() in ours
        elif is_ours:
            kept.append(line)
    return "\n".join(kept)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True, help="root of the project")
    parser.add_argument("--output", required=True, help="C file to be written")
    options = parser.parse_args()
    ffi = cffi.FFI()
    ffi.cdef(declarations(options.compiler, options.source))
    ffi.set_source("jager._native", INCLUDE)
    ffi.emit_c_code(options.output)


if __name__ == "__main__":
    main()
