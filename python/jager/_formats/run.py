# SPDX-License-Identifier: MIT
"""Assemblies from the snapshots of a run: its directory, result.h5 or a file of `snapshots`."""
from __future__ import annotations

import os
import re
from typing import Any

import numpy as np

from .._assembly import Assembly
from .._errors import FormatError, JagerError
from .text_file import steps_text

_SNAPSHOT_NAME = re.compile(r"([0-9]{9,})\.h5")
_FORMATS = ("jager-result", "jager-snapshot")


def _h5py() -> Any:
    try:
        import h5py
    except ImportError:
        raise JagerError("reading a run needs h5py (Debian: apt install python3-h5py)") from None
    return h5py


def _files(path: str) -> list[str]:
    """The files of a run that may hold snapshots; files in `snapshots` are newer than result.h5."""
    if not os.path.isdir(path):
        return [path]
    folder = os.path.join(path, "snapshots")
    names = sorted(filter(_SNAPSHOT_NAME.fullmatch, os.listdir(folder))) if os.path.isdir(folder) else []
    result = os.path.join(path, "result.h5")
    files = [result] if os.path.isfile(result) else []
    files += [os.path.join(folder, name) for name in names]
    if not files:
        raise FormatError(f"{path}: there is neither result.h5 nor snapshots/NUMBER.h5: this is no directory of a run "
                          "that has ended, or that writes snapshots (output: {snapshot: ...})")
    return files


def _steps(h5py: Any, path: str) -> list[int]:
    """The steps of the snapshots in a file."""
    with h5py.File(path, "r") as file:
        kind = file.attrs.get("format", b"")
        kind = kind.decode("utf-8", "replace") if isinstance(kind, bytes) else str(kind)
        if kind not in _FORMATS:
            raise FormatError(f"{path}: an HDF5 file, but neither a result nor a snapshot of jager")
        version = int(file.attrs.get("format_version", 1))
        if version != 1:
            raise FormatError(f"{path}: has the format version {version}; only 1 is read")
        return [int(name) for name in file.get("snapshots", {})]


def _read(h5py: Any, path: str, step: int) -> Assembly:
    with h5py.File(path, "r") as file:
        snapshot = next(group for name, group in file["snapshots"].items() if int(name) == step)
        spheres = snapshot["spheres"]
        contacts = len(snapshot["contacts/fn"]) if "contacts" in snapshot else 0
        return Assembly(
            positions=spheres["position"][:], radii=spheres["radius"][:], cell=np.array(snapshot.attrs["cell"]),
            ids=spheres["id"][:].astype(np.int64), velocities=spheres["velocity"][:],
            angular_velocities=spheres["angular_velocity"][:],
            grain=spheres["grain"][:].astype(np.int64) if "grain" in spheres else None,
            beyond={"contacts": f"contacts and their histories ({contacts})"} if contacts else {})


def read_run(path: str, step: int | None) -> Assembly:
    """Reads the snapshot of a step, or the last one. The velocities are those without the mean flow."""
    h5py = _h5py()
    where: dict[int, str] = {}
    name = path
    try:
        for name in _files(path):
            where.update((number, name) for number in _steps(h5py, name))
        if not where:
            raise FormatError(f"{path}: there are no snapshots")
        if step is not None and step not in where:
            raise FormatError(f"{path}: there is no snapshot of step {step}; {steps_text(sorted(where))}")
        step = max(where) if step is None else step
        name = where[step]
        return _read(h5py, name, step)
    except (OSError, KeyError, ValueError, StopIteration) as error:
        raise FormatError(f"{name}: cannot be read: {error}") from error
