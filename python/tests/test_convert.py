# SPDX-License-Identifier: MIT
"""Conversion of assemblies: every chain of formats gives the same bits, and nothing is lost silently.

Random assemblies come from hypothesis with fixed seeds (derandomize). The oracle of a chain is the assembly itself;
bounds and scaled coordinates are computed here in another way.
"""
from __future__ import annotations

import argparse
import dataclasses
import itertools
import os
import tempfile
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jager._convert import Assembly, convert, convert_arguments, convert_command, read_assembly, write_assembly
from jager._errors import FormatError, JagerError

RANDOM = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
ENDINGS = {"jager": ".txt", "lammps-data": ".data", "lammps-dump": ".dump", "yade": ".yade", "csv": ".csv",
           "dempla": ".dempla"}
FULL = ("lammps-data", "lammps-dump", "csv")

lengths = st.floats(1e-6, 1e3)
fractions = st.floats(0.0, 1.0, exclude_max=True)


def ratios(limit: float) -> st.SearchStrategy[float]:
    """Ratios of lengths up to a limit; none is less than 1e-30, unless it is zero."""
    return st.floats(-limit, limit).map(lambda ratio: ratio if abs(ratio) >= 1e-30 else 0.0)


signed = st.floats(-1e6, 1e6)


def vectors(count: int) -> st.SearchStrategy[list[tuple[float, float, float]]]:
    """A list of vectors."""
    return st.lists(st.tuples(signed, signed, signed), min_size=count, max_size=count)


@st.composite
def assemblies(draw: st.DrawFn, full: bool = True, origin: bool = True) -> Assembly:
    """Random assemblies inside their cell; only spheres in a periodic cell if not full."""
    count = draw(st.integers(1, 6))
    size = draw(lengths)
    edges = [size * draw(st.floats(0.1, 10.0)) for _ in range(3)]
    lean = draw(st.booleans())
    tilts = [draw(ratios(0.55)) * edges[k] if lean else 0.0 for k in (0, 0, 1)]
    cell = np.diag(edges)
    cell[0, 1], cell[0, 2], cell[1, 2] = tilts
    corner = np.array([draw(ratios(10.0)) * size if origin else 0.0 for _ in range(3)])
    places = np.array(draw(st.lists(st.tuples(fractions, fractions, fractions), min_size=count, max_size=count)))
    a = {"positions": corner + places @ cell.T, "radii": [size * draw(st.floats(1e-3, 0.5)) for _ in range(count)],
         "cell": cell, "origin": corner}
    if full:
        a["velocities"] = draw(st.none() | vectors(count))
        a["angular_velocities"] = draw(st.none() | vectors(count))
        a["density"] = draw(st.lists(st.floats(1.0, 2e4), min_size=count, max_size=count))
        a["types"] = draw(st.lists(st.integers(1, 5), min_size=count, max_size=count))
        a["ids"] = draw(st.none() | st.lists(st.integers(1, 2**40), min_size=count, max_size=count, unique=True))
    return Assembly(**a).wrapped()


def through(a: Assembly, formats: tuple[str, ...], **options: object) -> Assembly:
    """The assembly after it was written and read in each of the formats."""
    with tempfile.TemporaryDirectory() as folder:
        for k, name in enumerate(formats):
            path = os.path.join(folder, f"{k}{ENDINGS[name]}")
            write_assembly(a, path, **options)
            a = read_assembly(path)
    return a


def simple(**changes: object) -> Assembly:
    """Two spheres in a leaning cell."""
    a = {"positions": [[0.1, 0.2, 0.3], [0.5, 0.6, 0.7]], "radii": [0.1, 0.2], "cell": (1.0, 2.0, 3.0, 0.1, -0.2, 0.3)}
    return Assembly(**{**a, **changes})


def refused(text: str, call: object, *args: object, **options: object) -> None:
    """The call raises a FormatError with this text."""
    with pytest.raises(FormatError) as caught:
        call(*args, **options)
    assert text in str(caught.value)


# Chains


@RANDOM
@given(assemblies())
def test_full_chains_keep_all_bits(a: Assembly) -> None:
    for chain in itertools.permutations(FULL):
        assert through(a, chain) == a


@RANDOM
@given(assemblies(), st.tuples(st.booleans(), st.booleans(), st.booleans()))
def test_boundaries_are_kept(a: Assembly, periodic: tuple[bool, bool, bool]) -> None:
    a = dataclasses.replace(a, periodic=periodic)
    assert through(a, ("lammps-dump", "csv", "lammps-dump")) == a


@RANDOM
@given(assemblies(full=False, origin=False))
def test_chains_with_plain_text_keep_all_bits(a: Assembly) -> None:
    for chain in itertools.permutations(("jager", "lammps-dump", "csv", "dempla")):
        assert through(a, chain) == a
    for other in FULL:
        b = through(a, (other,), density=2650.0)
        assert through(b, ("jager",)) == a


@RANDOM
@given(assemblies(full=False, origin=False), st.lists(st.integers(1, 4), min_size=6, max_size=6))
def test_yade_keeps_all_bits(a: Assembly, types: list[int]) -> None:
    a = dataclasses.replace(a, types=types[:len(a)])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.yade")
        write_assembly(a, path, drop=["cell"])
        assert read_assembly(path, cell=a.cell) == a
        assert convert(path, os.path.join(folder, "a.dump"), cell=a.cell) == a
        assert "\n\n" not in Path(path).read_text()  # YADE fails on empty lines


@RANDOM
@given(assemblies(full=False))
def test_jager_text_has_the_same_lattice(a: Assembly) -> None:
    b = through(a, ("jager",))
    assert np.array_equal(b.cell, a.cell) and np.array_equal(b.radii, a.radii) and not b.origin.any()
    turns = np.linalg.solve(a.cell, (b.positions - a.positions).T)
    assert np.abs(turns - np.rint(turns)).max() < 1e-12
    places = np.linalg.solve(a.cell, b.positions.T)
    assert places.min() > -1e-11 and places.max() < 1.0 + 1e-11
    assert through(b, ("jager", "csv", "jager")) == b


@RANDOM
@given(assemblies(), st.lists(st.tuples(*[st.integers(-1000, 1000)] * 3), min_size=6, max_size=6))
def test_wrapping_finds_the_place(a: Assembly, turns: list[tuple[int, int, int]]) -> None:
    shifted = dataclasses.replace(a, positions=a.positions + np.array(turns[:len(a)]) @ a.cell.T)
    b = shifted.wrapped()
    assert b.wrapped() == b
    difference = np.linalg.solve(a.cell, (b.positions - a.positions).T)
    assert np.abs(difference - np.rint(difference)).max() < 1e-9
    assert through(shifted, FULL) == b


@RANDOM
@given(assemblies())
def test_bounds_of_dumps_are_those_of_the_box_around(a: Assembly) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.dump")
        write_assembly(a, path)
        lines = Path(path).read_text().splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("ITEM: BOX BOUNDS")) + 1
    corners = [a.origin + a.cell @ np.array(c) for c in itertools.product((0.0, 1.0), repeat=3)]
    for k in range(3):
        low, high = (float(text) for text in lines[start + k].split()[:2])
        scale = np.abs(corners).max()
        assert abs(low - min(c[k] for c in corners)) <= 1e-14 * scale
        assert abs(high - max(c[k] for c in corners)) <= 1e-14 * scale


def test_bounds_are_exact_sums() -> None:
    # 0.1 + 0.3 - 0.1 is not 0.3 in doubles
    a = Assembly([[0.2, 0.2, 0.2]], [0.1], (0.3, 0.3, 0.3, 0.1, 0.2, 0.07), origin=[0.1, 0.1, 0.1], density=1.0)
    assert 0.1 + 0.3 - 0.1 != 0.3
    with tempfile.TemporaryDirectory() as folder:
        write_assembly(a, os.path.join(folder, "a.data"))
        assert "0.1 0.4 xlo xhi" in Path(folder, "a.data").read_text()
        write_assembly(a, os.path.join(folder, "a.dump"))
        assert "0.1 0.7 0.1\n0.1 0.47 0.2\n0.1 0.4 0.07" in Path(folder, "a.dump").read_text()
    assert through(a, FULL) == a
    # More than 28 digits, to which Decimal rounds by default
    a = Assembly([[0.2, 0.2, 0.2]], [0.1], (1, 1, 1, -0.5, -3.4106051319483273e-13, 0), density=1)
    assert through(a, FULL) == a


@RANDOM
@given(assemblies(), st.sampled_from(["xs ys zs", "xsu ysu zsu"]))
def test_scaled_coordinates(a: Assembly, names: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.dump")
        write_assembly(a, path)
        lines = path.read_text().splitlines()
        head = next(k for k, line in enumerate(lines) if line.startswith("ITEM: ATOMS"))
        h = [[Fraction(value) for value in row] for row in a.cell.tolist()]
        for k in range(head + 1, len(lines)):
            words = lines[k].split()
            x, y, z = (Fraction(float(word)) - Fraction(o) for word, o in zip(words[2:5], a.origin.tolist()))
            z /= h[2][2]
            y = (y - h[1][2] * z) / h[1][1]
            x = (x - h[0][1] * y - h[0][2] * z) / h[0][0]
            lines[k] = " ".join(words[:2] + [repr(float(s)) for s in (x, y, z)] + words[5:])
        lines[head] = lines[head].replace("x y z", names)
        path.write_text("\n".join(lines) + "\n")
        b = read_assembly(path)
    scale = np.abs(a.cell).max() + np.abs(a.origin).max()
    assert np.abs(b.positions - a.positions).max() <= 1e-14 * scale
    assert dataclasses.replace(b, positions=a.positions) == a


def test_convert_returns_what_the_target_holds(tmp_path: Path) -> None:
    a = simple(density=2650.0, velocities=[[1, 2, 3], [4, 5, 6]], types=[3, 3], origin=[-1, 0, 0], ids=[7, 4])
    source = tmp_path / "a.csv"
    write_assembly(a, source)
    for name, drop in (("jager", ["velocities", "ids"]), ("lammps-data", []), ("lammps-dump", ["ids"]), ("csv", ())):
        target = tmp_path / f"b-{name}{ENDINGS[name]}"
        assert convert(source, target, drop=drop) == read_assembly(target)
    target = tmp_path / "b.yade"
    b = convert(source, target, drop=("velocities", "ids", "cell"))
    assert dataclasses.replace(read_assembly(target, cell=a.cell), origin=a.origin) == b
    assert "# density 2650.0 kg/m3" in target.read_text()


# The class


def test_assembly_owns_its_arrays() -> None:
    positions = np.array([[0.1, 0.2, 0.3], [0.5, 0.6, 0.7]])
    a = simple(positions=positions)
    positions[0, 0] = 9.0
    assert a.positions[0, 0] == 0.1
    with pytest.raises(ValueError):
        a.positions[0, 0] = 1.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        a.radii = positions


def test_assembly_has_one_form() -> None:
    assert simple(velocities=np.zeros((2, 3)), ids=[0, 1], types=[1, 1], periodic=True) == simple(ids=[1, 2])
    turned = simple(ids=[2, 1])
    assert turned.ids is None and turned.radii.tolist() == [0.2, 0.1]
    assert simple(ids=[9, 4]).ids.tolist() == [4, 9]
    assert simple(density=2.0).density.tolist() == [2.0, 2.0]
    assert simple(density=2.0).masses == pytest.approx([2 * 4 / 3 * np.pi * r**3 for r in (0.1, 0.2)])
    assert simple().masses is None and len(simple()) == 2
    assert simple() != simple(radii=[0.1, 0.3]) and simple() != 5
    assert simple(types=[1, 2]) != simple() and simple(periodic=False) != simple()
    assert "2 spheres" in repr(simple()) and "2 types" in repr(simple(types=[1, 2]))
    assert np.array_equal(simple(cell=np.diag([1.0, 2.0, 3.0])).cell, simple(cell=(1, 2, 3)).cell)


@pytest.mark.parametrize(("changes", "text"), [
    ({"positions": [[0, 0, np.nan], [0, 0, 0]]}, "positions must be finite"),
    ({"positions": [[0, 0], [0, 0]]}, "positions must have the shape (N, 3), not (2, 2)"),
    ({"positions": np.zeros((0, 3)), "radii": []}, "there are no spheres"),
    ({"positions": "abc"}, "positions must be numbers"),
    ({"radii": [1.0]}, "radii must have the shape (2,), not (1,)"),
    ({"radii": [1.0, 0.0]}, "radii must be positive"),
    ({"radii": [1.0, 1e308]}, "diameters finite"),
    ({"cell": (1, 2)}, "a cell is LX LY LZ"),
    ({"cell": (1, 2, -3)}, "must be positive"),
    ({"cell": (1e-200, 1e-200, 1e-200)}, "positive, finite volume"),
    ({"cell": [[1, 0, 0], [1, 1, 0], [0, 0, 1]]}, "upper triangular"),
    ({"cell": (1, 2, np.inf)}, "must be finite"),
    ({"origin": [1, 2]}, "the origin must have the shape (3,)"),
    ({"periodic": (True, False)}, "periodic must be one truth value or three"),
    ({"ids": [1, 1]}, "ids must be unique: 1 occurs twice"),
    ({"ids": [1.0, 2.0]}, "ids must be 2 integers"),
    ({"ids": [-1, 2]}, "ids must be at least 0"),
    ({"ids": np.array([1, 2**63], dtype=np.uint64)}, "ids must be less than 2**63"),
    ({"types": [0, 1]}, "types must be at least 1"),
    ({"density": [1.0, -1.0]}, "densities must be positive"),
    ({"velocities": [[1, 2, 3]]}, "velocities must have the shape (2, 3)"),
    ({"angular_velocities": [1, 2, 3]}, "angular velocities must have the shape (2, 3)"),
])
def test_assembly_checks(changes: dict[str, object], text: str) -> None:
    with pytest.raises(JagerError) as caught:
        simple(**changes)
    assert text in str(caught.value)


# Losses


@pytest.mark.parametrize(("changes", "name", "part", "text"), [
    ({"velocities": np.ones((2, 3))}, "jager", "velocities", "jager's text cannot hold velocities. To accept the loss"),
    ({"angular_velocities": np.ones((2, 3))}, "jager", "velocities", "cannot hold angular velocities"),
    ({"velocities": np.ones((2, 3))}, "yade", "velocities", "a text of YADE cannot hold velocities"),
    ({"types": [1, 2]}, "jager", "types", "cannot hold 2 types"),
    ({"density": [1.0, 2.0]}, "jager", "densities", "cannot hold densities from 1 to 2 kg/m3"),
    ({"density": [1.0, 2.0]}, "yade", "densities", "cannot hold densities from 1 to 2 kg/m3"),
    ({"ids": [3, 8]}, "jager", "ids", "cannot hold ids that are not 0, 1, ... in order (they are 3 to 8)"),
    ({"ids": [3, 8]}, "yade", "ids", "cannot hold ids that are not"),
    ({"ids": [0, 8]}, "lammps-data", "ids", "a LAMMPS data file cannot hold the id 0 (they begin with 1)"),
    ({"ids": [0, 8]}, "lammps-dump", "ids", "a LAMMPS dump cannot hold the id 0 (they begin with 1)"),
    ({"periodic": (True, False, False)}, "jager", "boundary", "a boundary that is not periodic along y, z"),
    ({"periodic": (True, False, False)}, "lammps-data", "boundary", "a boundary that is not periodic along y, z"),
    ({}, "yade", "cell", "cannot hold the periodic cell"),
    ({"beyond": {"contacts": "contacts"}}, "csv", "contacts", "CSV cannot hold contacts"),
])
def test_losses_are_refused(changes: dict[str, object], name: str, part: str, text: str, tmp_path: Path) -> None:
    a = simple(**{"density": 1.0, **changes})
    target = tmp_path / "target"
    drop = {"cell"} if name == "yade" else set()
    if part != "cell":
        refused(text, write_assembly, a, target, name, drop=drop)
    with pytest.raises(FormatError) as caught:
        write_assembly(a, target, name, drop=drop - {part})
    assert str(caught.value).startswith(f"{target}: ") and f"--drop {part}" in str(caught.value) and \
        f"drop=('{part}',)" in str(caught.value)
    assert os.listdir(tmp_path) == []
    write_assembly(a, target, name, drop=drop | {part}, density=5.0 if part == "densities" else None)
    b = read_assembly(target, cell=a.cell if name == "yade" else None)
    assert np.array_equal(b.radii, a.radii)


def test_several_losses_are_named_at_once(tmp_path: Path) -> None:
    a = simple(velocities=np.ones((2, 3)), types=[1, 2])
    refused("cannot hold velocities; 2 types. To accept the loss: drop=('velocities', 'types') or --drop velocities "
            "--drop types", write_assembly, a, tmp_path / "a.txt")


def test_dropped_parts_are_not_written(tmp_path: Path) -> None:
    a = simple(velocities=np.ones((2, 3)), types=[1, 2], ids=[5, 9], density=[1.0, 2.0], periodic=False)
    write_assembly(a, tmp_path / "a.csv", drop=["velocities", "types", "ids", "densities", "boundary"])
    assert read_assembly(tmp_path / "a.csv") == simple()


def test_a_box_without_periodic_edges_is_no_loss_for_yade(tmp_path: Path) -> None:
    write_assembly(simple(periodic=False), tmp_path / "a.yade")
    assert np.array_equal(read_assembly(tmp_path / "a.yade", cell=(9, 9, 9)).positions, simple().positions)


def test_arguments_are_checked(tmp_path: Path) -> None:
    a, target = simple(), tmp_path / "a.csv"
    with pytest.raises(JagerError, match="drop: unknown part 'velocity': there are ids, velocities"):
        write_assembly(a, target, drop="velocity")
    refused("CSV needs the cell: it cannot be dropped", write_assembly, a, target, drop=["cell"])
    refused("needs a density, and the source has none", write_assembly, a, tmp_path / "a.data")
    refused("the source has densities", write_assembly, simple(density=1.0), target, density=2.0)
    refused("the file name extension names no format: .txt (jager), .data .lmp (lammps-data)", write_assembly, a,
            tmp_path / "a.xyz")
    refused("a run of jager can only be read", write_assembly, a, tmp_path / "a.h5")
    for call in (read_assembly, lambda path, name: write_assembly(a, path, name)):
        with pytest.raises(JagerError, match="unknown format 'lammps': there are jager, lammps-data"):
            call(target, "lammps")
    far = simple(positions=[[0, 0, 1e9], [0, 0, 0]])
    refused("sphere 0 (from 0) at (0.0, 0.0, 1000000000.0) is more than 1e+06 cells away", write_assembly, far, target)
    assert os.listdir(tmp_path) == []


# Files


def test_existing_targets(tmp_path: Path) -> None:
    target = tmp_path / "a.csv"
    target.write_text("precious")
    refused(f"{target}: exists already; force=True (--force) replaces it", write_assembly, simple(), target)
    refused("exists already", convert, tmp_path / "missing", target)
    assert target.read_text() == "precious"
    write_assembly(simple(), target, force=True)
    assert read_assembly(target) == simple()
    convert(target, target, force=True)
    assert read_assembly(target) == simple()
    (tmp_path / "folder.csv").mkdir()
    refused("is no regular file", write_assembly, simple(), tmp_path / "folder.csv", force=True)
    refused("cannot be written: No such file or directory", write_assembly, simple(), tmp_path / "no" / "a.csv")
    assert sorted(os.listdir(tmp_path)) == ["a.csv", "folder.csv"]


def test_no_file_appears_before_it_is_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a.csv"
    target.write_text("precious")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    refused(f"{target}: cannot be written: No space left on device", write_assembly, simple(), target, force=True)
    assert target.read_text() == "precious" and os.listdir(tmp_path) == ["a.csv"]
    monkeypatch.undo()
    other = tmp_path / f"b.csv.tmp-{os.getpid()}"
    other.write_text("of another")
    refused("exists already; remove it if no other process writes it", write_assembly, simple(), tmp_path / "b.csv")
    assert other.read_text() == "of another"


def test_new_files_have_the_usual_mode(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        write_assembly(simple(), tmp_path / "a.csv")
    finally:
        os.umask(mask)
    assert (tmp_path / "a.csv").stat().st_mode & 0o777 == 0o640


# The command


def command(*words: object) -> int:
    parser = argparse.ArgumentParser()
    convert_arguments(parser)
    return convert_command(parser.parse_args([str(word) for word in words]))


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_assembly(simple(velocities=np.ones((2, 3))), tmp_path / "a.csv")
    assert command(tmp_path / "a.csv", tmp_path / "a.txt") == 2
    assert "--drop velocities" in capsys.readouterr().err
    assert command(tmp_path / "a.csv", tmp_path / "a.txt", "--drop", "velocities") == 0
    assert capsys.readouterr().out == f"{tmp_path}/a.txt: 2 spheres\n"
    assert read_assembly(tmp_path / "a.txt") == simple()
    assert command(tmp_path / "a.txt", tmp_path / "out", "--to", "lammps-data", "--density", "2650") == 0
    assert command(tmp_path / "out", tmp_path / "out", "--to", "yade", "--drop", "cell", "--force") == 0
    assert command(tmp_path / "out", tmp_path / "b.txt", "--from", "yade", "--cell=1,2,3,0.1,-2e-1,0.3") == 0
    assert read_assembly(tmp_path / "b.txt") == simple()
    assert command(tmp_path / "out", tmp_path / "c.txt", "--cell", 1, 2, 3, 0.1, -0.2, 0.3) == 0
    assert read_assembly(tmp_path / "c.txt") == simple()
    for cell in (["1", "2"], ["1", "2", "x"]):
        assert command(tmp_path / "out", tmp_path / "d.txt", "--cell", *cell) == 2
        assert "--cell: three or six numbers" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        command(tmp_path / "a.csv", tmp_path / "x.txt", "--drop", "velocity")
