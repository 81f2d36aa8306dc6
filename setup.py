# SPDX-License-Identifier: MIT
"""Builds the Python package: CMake compiles the extension, which is one for all versions of Python (abi3).

JAGER_BUILD_DIR names a CMake build directory to be used instead of a temporary one.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from wheel.bdist_wheel import bdist_wheel

ROOT = pathlib.Path(__file__).resolve().parent
HEADER = (ROOT / "include/jager/jager.h").read_text(encoding="utf-8")
VERSION = ".".join(re.search(rf"#define JAGER_VERSION_{part} (\d+)", HEADER)[1] for part in ("MAJOR", "MINOR", "PATCH"))


class CMakeBuild(build_ext):
    """Lets CMake make the extension, and copies it to where setuptools expects it."""

    def build_extension(self, ext):
        given = os.environ.get("JAGER_BUILD_DIR")
        build = pathlib.Path(given or self.build_temp).resolve()
        if not given:
            subprocess.run(["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DJAGER_TESTS=OFF",
                            "-DJAGER_LAMMPS=OFF", "-DJAGER_PYTHON_REQUIRED=ON",
                            f"-DJAGER_PYTHON_PROGRAM={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "jager_python", "--parallel",
                        str(os.cpu_count() or 1)], check=True)
        target = pathlib.Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(build / "python/jager/_native.abi3.so", target)


class Abi3Wheel(bdist_wheel):
    """Marks the wheel as good for this and all later versions of Python 3."""

    def get_tag(self):
        python, abi, platform = super().get_tag()
        return ("cp39", "abi3", platform) if python.startswith("cp") else (python, abi, platform)


setup(version=VERSION, ext_modules=[Extension("jager._native", sources=[], py_limited_api=True)],
      cmdclass={"build_ext": CMakeBuild, "bdist_wheel": Abi3Wheel})
