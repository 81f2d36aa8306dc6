# SPDX-License-Identifier: MIT
"""Conversion and the programs themselves: LAMMPS reads what was written and writes what is read, and so does jager.

The program is build/src/cli/jager, or named by the environment variable JAGER_PROGRAM. Random numbers have fixed seeds.
"""
from __future__ import annotations

import dataclasses
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from jager._convert import Assembly, convert, read_assembly, write_assembly
from jager._errors import FormatError, JagerError

PROGRAM = os.environ.get("JAGER_PROGRAM", str(Path(__file__).resolve().parents[2] / "build/src/cli/jager"))
needs_jager = pytest.mark.skipif(not os.access(PROGRAM, os.X_OK), reason=f"there is no program {PROGRAM}")
needs_lammps = pytest.mark.skipif(not shutil.which("lmp"), reason="LAMMPS (lmp) is not installed")

CASE = """jager: 1
title: Spheres of a file
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
assembly: {file: spheres.txt}
output: {series: 1, snapshot: 5, plots: false}
stages:
  - name: rest
    control: {xx: {strain_rate: 0}, yy: {strain_rate: 0}, zz: {strain_rate: 0}}
    until: {steps: 10}
"""


def grid(seed: int, tilt: float, origin: float, size: float = 0.01) -> Assembly:
    """27 spheres of random sizes near the points of a grid, in a cell that leans by up to the tilt."""
    random = np.random.default_rng(seed)
    edges = size * random.uniform(1.0, 1.5, 3)
    cell = np.diag(edges)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        cell[i, j] = tilt * random.choice([-1.0, 1.0]) * edges[i]
    places = (np.indices((3, 3, 3)).reshape(3, -1).T + random.uniform(0.4, 0.6, (27, 3))) / 3.0
    corner = origin * random.uniform(-size, size, 3)
    return Assembly(positions=corner + places @ cell.T, radii=size * random.uniform(0.05, 0.1, 27), cell=cell,
                    origin=corner)


def with_all(a: Assembly, seed: int) -> Assembly:
    """The assembly with everything that LAMMPS holds."""
    random = np.random.default_rng(seed)
    return dataclasses.replace(
        a, density=random.choice([2000.0, 2650.0], 27), types=random.integers(1, 4, 27),
        ids=random.permutation(100)[:27] + 1, velocities=random.normal(size=(27, 3)),
        angular_velocities=random.normal(size=(27, 3)))


def lammps(folder: Path, *commands: str) -> None:
    """Runs LAMMPS in a folder."""
    (folder / "in").write_text("units si\natom_style sphere\natom_modify map yes\nbox tilt large\n"
                               + "\n".join(commands) + "\n")
    done = subprocess.run(["lmp", "-log", "none", "-in", "in"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def same_lattice(a: Assembly, b: Assembly) -> None:
    """The same spheres and the same cell to rounding; centres may be other images."""
    scale = np.abs(a.cell).max() + np.abs(a.origin).max()
    assert np.abs(a.cell - b.cell).max() <= 4e-16 * scale and np.abs(a.origin - b.origin).max() <= 4e-16 * scale
    turns = np.linalg.solve(a.cell, (b.positions - a.positions).T)
    assert np.abs(turns - np.rint(turns)).max() < 1e-14 * scale / np.diag(a.cell).min()
    assert np.allclose(a.density, b.density, rtol=1e-15, atol=0.0)
    for name in ("radii", "ids", "types", "velocities", "angular_velocities"):
        assert np.array_equal(getattr(a, name), getattr(b, name)), name
    assert a.periodic == b.periodic


BOXES = [(0.0, 0.0), (0.0, 1.0), (0.3, 0.0), (0.49, 1.0), (0.55, 5.0)]
WRITE = ("pair_style zero 0.01", "pair_coeff * *", "comm_modify vel yes", "write_data out.data nocoeff",
         "dump plain all custom 1 plain.dump id type x y z radius mass vx vy vz omegax omegay omegaz",
         "dump scaled all custom 1 scaled.dump id type xs ys zs diameter mass vx vy vz omegax omegay omegaz ix iy iz",
         "dump_modify plain format float %.17g units yes time yes", "dump_modify scaled format float %.17g sort id",
         "run 0")


@needs_lammps
@pytest.mark.parametrize(("tilt", "origin"), BOXES)
@pytest.mark.parametrize("shift", [0, 2])
def test_lammps_reads_and_writes_data(tilt: float, origin: float, shift: int, tmp_path: Path) -> None:
    a = with_all(grid(1, tilt, origin), 2)
    outside = dataclasses.replace(a, positions=a.positions + shift * a.cell.sum(axis=1))
    write_assembly(outside, tmp_path / "a.data")
    lammps(tmp_path, "read_data a.data", *WRITE)
    for name in ("out.data", "plain.dump", "scaled.dump"):
        b = read_assembly(tmp_path / name)
        same_lattice(a, b)
        if tilt == 0.0 and shift == 0 and "scaled" not in name:
            assert np.array_equal(a.positions, b.positions)


@needs_lammps
@pytest.mark.parametrize(("tilt", "origin"), BOXES)
def test_lammps_reads_dumps(tilt: float, origin: float, tmp_path: Path) -> None:
    a = with_all(grid(3, tilt, origin), 4)
    write_assembly(a, tmp_path / "a.dump")
    moved = dataclasses.replace(a, positions=a.positions + 1e-4, cell=1.2 * a.cell, velocities=None)
    write_assembly(moved, tmp_path / "moved.data")
    lammps(tmp_path, "read_data moved.data", "read_dump a.dump 0 x y z vx vy vz box yes", *WRITE)
    b = read_assembly(tmp_path / "plain.dump")
    same_lattice(a, b)


@needs_lammps
def test_boundaries_of_lammps(tmp_path: Path) -> None:
    a = dataclasses.replace(with_all(grid(1, 0.0, 1.0), 2), periodic=(True, False, False))
    write_assembly(a, tmp_path / "a.data", drop=["boundary"])
    lammps(tmp_path, "boundary p f f", "read_data a.data", *WRITE)
    same_lattice(a, read_assembly(tmp_path / "plain.dump"))


# jager


def run_jager(folder: Path, a: Assembly, **options: object) -> Path:
    """Checks and runs a case of the assembly; returns the directory of the run."""
    write_assembly(a, folder / "spheres.txt", **options)
    (folder / "case.yaml").write_text(CASE)
    for words in (["check", "case.yaml"], ["run", "-o", "out", "case.yaml"]):
        done = subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return folder / "out"


@needs_jager
@pytest.mark.parametrize("tilt", [0.0, 0.4])
def test_jager_reads_its_text(tilt: float, tmp_path: Path) -> None:
    pytest.importorskip("h5py")
    a = grid(5, tilt, 0.0)
    out = run_jager(tmp_path, a)
    assert read_assembly(out, frame=0) == a and read_assembly(out / "result.h5", frame=0) == a
    assert read_assembly(tmp_path / "spheres.txt") == a


@needs_jager
def test_jager_maps_centres_as_conversion_does(tmp_path: Path) -> None:
    pytest.importorskip("h5py")
    a = with_all(grid(6, 0.4, 3.0), 7)
    out = run_jager(tmp_path, a, drop=["velocities", "types", "ids", "densities"])
    b = read_assembly(tmp_path / "spheres.txt")
    assert read_assembly(out, frame=0) == b and not b.origin.any()
    turns = np.linalg.solve(a.cell, (b.positions - a.positions).T)
    assert np.abs(turns - np.rint(turns)).max() < 1e-14


@needs_jager
def test_runs_as_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    h5py = pytest.importorskip("h5py")
    # A periodic chain of three spheres with one out of place: all contacts last
    out = run_jager(tmp_path, Assembly([[1e-3, 1e-3, 1e-3], [1e-3, 1e-3, 2.982e-3], [1e-3, 1e-3, 4.96e-3]],
                                       np.full(3, 1e-3), (0.01, 0.01, 0.00594, 0.002, 0.0, 0.0)))
    steps = [0, 5, 10]
    frames = [read_assembly(out, frame=step) for step in steps]
    assert read_assembly(out) == frames[2] != frames[1] and frames[2].velocities is not None
    with pytest.raises(FormatError, match="out: there is no snapshot of step 7; there are 0, 5, 10"):
        read_assembly(out, frame=7)
    with pytest.raises(FormatError, match=r"jager's text cannot hold contacts and their histories \(3\); velocities"):
        convert(out, tmp_path / "a.txt")
    with pytest.raises(FormatError, match="CSV cannot hold contacts and their histories"):
        convert(out, tmp_path / "a.csv")
    assert convert(out, tmp_path / "a.csv", drop=["contacts"]) == frames[2] == read_assembly(tmp_path / "a.csv")
    convert(out / "result.h5", tmp_path / "a.data", drop=["contacts"], frame=5, density=2650.0)
    assert dataclasses.replace(read_assembly(tmp_path / "a.data"), density=None) == frames[1]

    # Snapshots of a run that has not ended
    other = tmp_path / "other"
    (other / "snapshots").mkdir(parents=True)
    for step in steps[:2]:
        with h5py.File(out / "result.h5") as result, h5py.File(other / "snapshots" / f"{step:09}.h5", "w") as file:
            file.attrs["format"] = np.bytes_("jager-snapshot")
            result.copy(f"snapshots/{step:09}", file.create_group("snapshots"))
    assert read_assembly(other) == frames[1] == read_assembly(other / "snapshots" / "000000005.h5")
    (other / "snapshots" / "000000010.h5").write_bytes((out / "result.h5").read_bytes()[:3000])
    with pytest.raises(FormatError, match="other/snapshots/000000010.h5: cannot be read: "):
        read_assembly(other)

    for name, attributes, why in (("no.h5", {}, "neither a result nor a snapshot of jager"),
                                  ("new.h5", {"format_version": 2}, "has the format version 2; only 1 is read"),
                                  ("empty.h5", {"format_version": 1}, "there are no snapshots")):
        with h5py.File(tmp_path / name, "w") as file:
            if attributes:
                file.attrs["format"] = "jager-result"
            file.attrs.update(attributes)
        with pytest.raises(FormatError, match=f"{name}: .*{why}"):
            read_assembly(tmp_path / name)
    with h5py.File(tmp_path / "odd.h5", "w") as file:
        file.attrs["format"] = "jager-result"
        file.create_group("snapshots/000000001")
    with pytest.raises(FormatError, match="odd.h5: cannot be read: "):
        read_assembly(tmp_path / "odd.h5")

    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(JagerError, match="reading a run needs h5py .Debian: apt install python3-h5py"):
        read_assembly(out)
