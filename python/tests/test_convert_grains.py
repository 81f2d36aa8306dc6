# SPDX-License-Identifier: MIT
"""Conversion of rigid grains of several spheres.

Oracles: spheres placed here by rotation matrices; the simulator, which reads the same text by its own reader; LAMMPS,
which reads and writes molecules. Random numbers have fixed seeds.
"""
from __future__ import annotations

import dataclasses
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from jager._convert import Assembly, convert, read_assembly, write_assembly
from jager._errors import FormatError, JagerError
from jager._grains import Grains, fit_grains, quaternion_of, turned

ENDINGS = {"jager": ".txt", "lammps-data": ".data", "lammps-dump": ".dump", "csv": ".csv", "dempla": ".dempla"}
PAIR = np.array([[0.0, 0.0, 0.0, 1.0], [1.2, 0.0, 0.0, 0.7]])
CRANK = np.array([[0.3, 0.1, 0.0, 1.0], [1.1, 0.1, 0.0, 0.6], [0.3, 1.0, 0.2, 0.5], [0.3, 0.1, -0.9, 0.4]])
NEVADA = np.array([[0, 0, 0, 0.8], [0.64, 0, 0, 0.6], [-0.64, 0, 0, 0.6], [0, 0.64, 0, 0.6], [0, -0.64, 0, 0.6],
                   [0, 0, 0.64, 0.6], [0, 0, -0.64, 0.6]])
CASE = """jager: 1
title: t
material: {{shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}}
assembly:
  {assembly}
output: {{snapshot: 1000, plots: false}}
stages:
  - name: s
    control: {{xx: {{strain_rate: 0}}, yy: {{strain_rate: 0}}, zz: {{strain_rate: 0}}}}
    until: {{steps: 2}}
"""
CELL = (0.01, 0.012, 0.014, 0.001, -0.002, 0.003)


def rotation_of(quaternion: np.ndarray) -> np.ndarray:
    w, x, y, z = quaternion
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def random_grains(shapes: list[np.ndarray], count: int, seed: int) -> tuple[Assembly, list[np.ndarray]]:
    """Grains of these shapes by turns in a leaning cell, some across its faces, and their spheres, made here."""
    random = np.random.default_rng(seed)
    cell = np.array([[CELL[0], CELL[3], CELL[4]], [0.0, CELL[1], CELL[5]], [0.0, 0.0, CELL[2]]])
    positions = random.uniform(0.0, 1.0, (count, 3)) @ cell.T
    scales, quaternions = random.uniform(5e-4, 8e-4, count), random.normal(size=(count, 4))
    quaternions /= np.linalg.norm(quaternions, axis=1)[:, None]
    numbers = np.arange(count) % len(shapes)
    grains = Grains(tuple(shapes), numbers, positions, scales, quaternions)
    made = [np.column_stack([x + s * shapes[k][:, :3] @ rotation_of(q).T, s * shapes[k][:, 3]])
            for k, x, s, q in zip(numbers, positions, scales, quaternions)]
    spheres = np.concatenate(made)
    return Assembly(spheres[:, :3], spheres[:, 3], CELL, grains=grains), made


def same_lattice(a: Assembly, b: Assembly, tolerance: float = 1e-12) -> bool:
    """The same spheres at the same places of the periodic lattice."""
    turns = np.linalg.solve(a.cell, (b.positions - a.positions).T)
    return np.abs(turns - np.rint(turns)).max() < tolerance and np.allclose(a.radii, b.radii, rtol=tolerance, atol=0)


def test_rotations() -> None:
    random = np.random.default_rng(4)
    special = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0.5, 0.5, -0.5, 0.5]]
    for q in [*random.normal(size=(50, 4)), *np.array(special, dtype=float)]:
        q = q / np.linalg.norm(q)
        matrix, v = rotation_of(q), random.normal(size=3)
        assert np.allclose(turned(q[None], v[None])[0], matrix @ v, rtol=0, atol=1e-14)
        assert np.allclose(rotation_of(quaternion_of(matrix)), matrix, rtol=0, atol=1e-14)


def test_spheres_are_where_shapes_and_places_have_them() -> None:
    a, made = random_grains([PAIR, CRANK, NEVADA], 20, 1)
    assert a.grains is not None
    positions, radii = a.grains.spheres()
    assert np.allclose(positions, np.concatenate(made)[:, :3], rtol=0, atol=1e-17)
    assert np.allclose(radii, np.concatenate(made)[:, 3], rtol=1e-14)
    assert a.grain.tolist() == [k for k, own in enumerate(made) for _ in own]


def test_shapes_are_found() -> None:
    """Equal shapes of other sizes and orientations are one; mirrored ones are another."""
    mirrored = CRANK * [-1.0, 1.0, 1.0, 1.0]
    a, made = random_grains([PAIR, CRANK, mirrored, np.array([[5.0, 4.0, 3.0, 2.0]])], 40, 2)
    found = fit_grains(a.positions, a.radii, a.grain)
    assert [len(shape) for shape in found.shapes] == [2, 4, 4, 1] and found.shapes[-1].tolist() == [[0, 0, 0, 1]]
    assert found.shape.tolist() == 10 * [0, 1, 2, 3]
    positions, radii = found.spheres()
    assert np.allclose(positions, np.concatenate(made)[:, :3], rtol=0, atol=1e-16)
    assert np.allclose(radii, np.concatenate(made)[:, 3], rtol=1e-13)


def test_formats_keep_grains(tmp_path: Path) -> None:
    a, _ = random_grains([PAIR, CRANK, np.array([[0.0, 0.0, 0.0, 1.0]])], 21, 3)
    a = dataclasses.replace(a, density=2650.0)
    for name in ("jager", "lammps-data", "lammps-dump", "csv"):
        path = tmp_path / f"a{ENDINGS[name]}"
        write_assembly(a, path)
        b = read_assembly(path)
        assert same_lattice(a, b) and np.array_equal(b.grain, a.grain), name
        assert len(b.grains) == 21 and len(b.grains.shapes) == 3
        # Whole grains: no sphere lies at the other side of the cell
        first = b.positions[np.searchsorted(b.grain, b.grain)]
        assert np.linalg.norm(b.positions - first, axis=1).max() < 2e-3
        for other in ENDINGS:
            target = tmp_path / f"b-{name}{ENDINGS[other]}"
            if other == "dempla":
                with pytest.raises(FormatError, match="holds clumps of one shape, a centre sphere and six equal"):
                    convert(path, target)
                continue
            held = convert(path, target, density=None if b.density is not None else 2650.0)
            c = read_assembly(target)
            assert held == c and same_lattice(a, c) and np.array_equal(c.grain, a.grain), (name, other)


def test_text_of_jager_keeps_all_bits(tmp_path: Path) -> None:
    a, _ = random_grains([PAIR, CRANK, np.array([[1.0, 2.0, 0.0, 1.5]])], 12, 4)
    b = convert_through(a, tmp_path / "a.txt")
    assert convert_through(b, tmp_path / "b.txt") == b
    text = (tmp_path / "b.txt").read_text()
    assert text.count("shape ") == 2 and text.count("grain ") == 8 and "# 12 grains of 28 spheres" in text


def convert_through(a: Assembly, path: Path) -> Assembly:
    write_assembly(a, path)
    return read_assembly(path)


def test_clumps_of_dempla(tmp_path: Path) -> None:
    path = tmp_path / "a.dempla"
    path.write_text("7\n 2  0.01 0.02 0.03\n 0.001 0 0\n 6\n 0.6 0.8 0.64\n"
                    " 1e-3 2e-3 3e-3 4e-3 1 0 0 0\n 2e-3 9e-3 -1e-3 5e-3 0.8 0 0 0.6\n")
    a = read_assembly(path)
    assert a.grain.tolist() == 7 * [0] + 7 * [1] and a.cell.tolist() == [[0.01, 0.001, 0], [0, 0.02, 0], [0, 0, 0.03]]
    own = np.column_stack([a.positions, a.radii])
    assert np.allclose(own[:7], [2e-3, 3e-3, 4e-3, 0] + 1e-3 * NEVADA, rtol=0, atol=1e-18)
    # Half the angle has the cosine 0.8 and the sine 0.6: x goes to (0.28, 0.96)
    arm = 2e-3 * 0.64
    assert np.allclose(own[8], [9e-3 + arm * 0.28, -1e-3 + arm * 0.96, 5e-3, 1.2e-3], rtol=0, atol=1e-17)
    b = convert_through(a, tmp_path / "b.dempla")
    assert same_lattice(a, b) and b.grains.shapes[0].tolist() == a.grains.shapes[0].tolist()
    assert np.array_equal(b.grains.quaternions, a.grains.quaternions)
    assert convert_through(b, tmp_path / "c.dempla") == b
    text = convert_through(a, tmp_path / "a.txt")
    assert same_lattice(a, text) and convert_through(text, tmp_path / "d.dempla") == b


def test_clumps_become_those_of_dempla_again(tmp_path: Path) -> None:
    """From formats that only have spheres, in another order: the axes are found."""
    a, made = random_grains([NEVADA[[3, 5, 0, 2, 6, 1, 4]]], 15, 6)
    write_assembly(a, tmp_path / "a.csv")
    b = convert(tmp_path / "a.csv", tmp_path / "b.dempla")
    assert b == read_assembly(tmp_path / "b.dempla") and len(b.grains) == 15
    for k, own in enumerate(made):
        found = np.column_stack([b.positions, b.radii])[b.grain == k]
        apart = found[:, None, :3] - own[None, :, :3]
        apart -= np.rint(np.linalg.solve(b.cell, apart.reshape(-1, 3).T)).T.reshape(7, 7, 3) @ b.cell.T
        nearest = np.linalg.norm(apart, axis=2).argmin(axis=1)
        assert sorted(nearest) == list(range(7)) and np.linalg.norm(apart, axis=2).min(axis=1).max() < 1e-15
        assert np.allclose(found[:, 3], own[nearest, 3], rtol=1e-12)


@pytest.mark.parametrize("shape", [
    NEVADA[:6], NEVADA * [1, 1, 1.01, 1], np.vstack([NEVADA[:6], [[0, 0, -0.64, 0.61]]]), PAIR,
    np.vstack([NEVADA[:5], [[0.1, 0, 0.63, 0.6]], NEVADA[6:]])])
def test_other_shapes_are_not_of_dempla(shape: np.ndarray, tmp_path: Path) -> None:
    a, _ = random_grains([shape], 3, 7)
    with pytest.raises(FormatError, match="a.dempla: an assembly of DEMPLA holds clumps of one shape"):
        write_assembly(a, tmp_path / "a.dempla")
    assert os.listdir(tmp_path) == []


def test_grains_are_lost_only_if_named(tmp_path: Path) -> None:
    a, _ = random_grains([PAIR], 4, 8)
    write_assembly(a, tmp_path / "a.txt", drop=["grains"])
    b = read_assembly(tmp_path / "a.txt")
    assert b.grains is None and b.grain is None and same_lattice(a, b)
    assert "4 of 8 spheres" in repr(a) and "grains" not in repr(b)


def test_clumps_of_yade(tmp_path: Path) -> None:
    """Columns x y z r clumpId, as yade.export.textClumps writes them; all bits return."""
    path = tmp_path / "a.yade"
    path.write_text("#format x_y_z_r_clumpId\n1e-3\t2e-3\t3e-3\t1e-3\t7\n2e-3 2e-3 3e-3 5e-4 7\n# one alone\n"
                    "5e-3 5e-3 5e-3 1e-3 9\n")
    a = read_assembly(path, cell=CELL)
    assert a.grain.tolist() == [0, 0, 1] and a.positions[1].tolist() == [2e-3, 2e-3, 3e-3]
    path.write_text("#format x_y_z_r_clumpId\n1 1 1 1 3\n2 1 1 1 4\n3 1 1 1 3\n")
    with pytest.raises(FormatError, match="the spheres of the grain 3 must follow each other"):
        read_assembly(path, cell=(9, 9, 9))
    path.write_text("#format x_y_z_r_clumpId\n1 1 1 1 -1\n")
    with pytest.raises(FormatError, match="a.yade:2: clumpId must be an integer from 0 on, not '-1'"):
        read_assembly(path, cell=(9, 9, 9))
    a, _ = random_grains([PAIR, CRANK, np.array([[0.0, 0.0, 0.0, 1.0]])], 21, 11)
    write_assembly(a, tmp_path / "b.yade", drop=["cell"])
    b = read_assembly(tmp_path / "b.yade", cell=CELL)
    assert np.array_equal(b.positions, a.wrapped().positions) and np.array_equal(b.radii, a.radii)
    assert np.array_equal(b.grain, a.grain) and len(b.grains.shapes) == 3
    assert (tmp_path / "b.yade").read_text().startswith("#format x_y_z_r_clumpId\n")
    assert convert(tmp_path / "b.yade", tmp_path / "c.csv", cell=CELL) == b.wrapped()


def test_clumps_of_yade_have_one_material(tmp_path: Path) -> None:
    a, _ = random_grains([PAIR], 4, 12)
    a = dataclasses.replace(a, types=[1, 2] * 4)
    target = tmp_path / "a.yade"
    with pytest.raises(FormatError, match="cannot hold the periodic cell; 2 types beside grains. To accept the loss: "
                                          r"drop=\('cell', 'types'\)"):
        write_assembly(a, target)
    write_assembly(a, target, drop=["cell", "grains"])
    b = read_assembly(target, cell=CELL)
    assert b.grains is None and b.types.tolist() == [1, 2] * 4
    write_assembly(a, target, drop=["cell", "types"], force=True)
    assert read_assembly(target, cell=CELL).grain.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]


def bodies_of(path: Path) -> np.ndarray:
    """The lines of an infile of fix rigid/small."""
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    assert int(lines[0]) == len(lines) - 1
    return np.array([line.split() for line in lines[1:]], dtype=float)


def test_bodies_of_lammps(tmp_path: Path) -> None:
    """Spheres that touch without overlap: masses and moments are sums; the motion is that of the rigid grain."""
    pytest.importorskip("jager._native")
    shape = np.array([[0.3, 0.1, 0.0, 1.0], [1.9, 0.1, 0.0, 0.6], [0.3, 1.6, 0.0, 0.5]])
    a, made = random_grains([shape], 6, 13)
    random = np.random.default_rng(14)
    centres = np.array([np.average(own[:, :3], axis=0, weights=own[:, 3]**3) for own in made])
    spins, speeds = random.normal(size=(2, 6, 3))
    owner = a.grain
    velocities = speeds[owner] + np.cross(spins[owner], a.positions - centres[owner])
    a = dataclasses.replace(a, velocities=velocities, angular_velocities=spins[owner], density=2000.0)
    write_assembly(a, tmp_path / "a.rigid")
    bodies, moved = bodies_of(tmp_path / "a.rigid"), a.wrapped()
    assert bodies.shape == (6, 20) and bodies[:, 0].tolist() == [1, 2, 3, 4, 5, 6] and not bodies[:, 17:].any()
    for k, body in enumerate(bodies):
        x, r = moved.positions[owner == k], moved.radii[owner == k]
        m = 2000.0 * 4.0 / 3.0 * np.pi * r**3
        arms = x - m @ x / m.sum()
        tensor = np.diag([0.4 * m @ r**2] * 3) + sum(
            mass * (d @ d * np.eye(3) - np.outer(d, d)) for mass, d in zip(m, arms))
        assert np.isclose(body[1], m.sum(), rtol=1e-9)
        assert np.allclose(body[2:5], m @ x / m.sum(), rtol=0, atol=1e-12)
        expected = tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        assert np.allclose(body[5:11], expected, rtol=0, atol=1e-8 * tensor.max())
        assert np.allclose(body[11:14], speeds[k], rtol=0, atol=1e-9)
        assert np.allclose(body[14:17], tensor @ spins[k], rtol=0, atol=1e-8 * tensor.max())


def test_bodies_count_overlaps_once(tmp_path: Path) -> None:
    """Nevada: volume 4.6168 r3 and moments 0.4595 m r2, as published; sums over the spheres are 64 % more."""
    pytest.importorskip("jager._native")
    a, _ = random_grains([NEVADA], 3, 15)
    write_assembly(a, tmp_path / "a.rigid", density=2650.0)
    bodies, sizes = bodies_of(tmp_path / "a.rigid"), a.grains.scales
    assert np.allclose(bodies[:, 1], 2650.0 * 4.6168 * sizes**3, rtol=1e-4)
    assert np.allclose(bodies[:, 5:8], (0.4595 * bodies[:, 1] * sizes**2)[:, None], rtol=2e-4)
    assert np.abs(bodies[:, 8:11]).max() < 1e-12 * bodies[:, 5:8].min()


def test_bodies_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("jager._native")
    target = tmp_path / "a.rigid"
    a, _ = random_grains([PAIR], 4, 16)
    with pytest.raises(FormatError, match="fix rigid/small needs a density"):
        write_assembly(a, target)
    with pytest.raises(FormatError, match="there are no grains of several spheres"):
        write_assembly(a, target, density=1.0, drop=["grains"])
    with pytest.raises(FormatError, match="the spheres of the molecule 2 have different densities"):
        write_assembly(dataclasses.replace(a, density=[1, 1, 2, 1, 3, 3, 4, 4]), target)
    loose, _ = random_grains([PAIR, np.array([[0, 0, 0, 1.0], [2.1, 0, 0, 1]])], 4, 17)
    with pytest.raises(FormatError, match="the molecule 2: the spheres do not hang together"):
        write_assembly(loose, target, density=1.0)
    assert os.listdir(tmp_path) == []
    write_assembly(a, target, density=1.0)
    with pytest.raises(FormatError, match="can only be written"):
        read_assembly(target, "lammps-rigid")


def test_labels(tmp_path: Path) -> None:
    x = [[1e-3, 1e-3, 1e-3], [9.5e-3, 1e-3, 1e-3], [5e-3, 5e-3, 5e-3]]
    a = Assembly(x, [6e-4, 6e-4, 6e-4], (0.01, 0.01, 0.01), grain=[7, 7, 3])
    assert a.grain.tolist() == [0, 0, 1] and np.allclose(a.positions[1], [-5e-4, 1e-3, 1e-3])  # the nearest image
    assert Assembly(x, [6e-4, 6e-4, 6e-4], (0.01, 0.01, 0.01), grain=[1, 2, 3]).grains is None
    walls = Assembly(x, [6e-4, 6e-4, 6e-4], (0.01, 0.01, 0.01), grain=[7, 7, 3], periodic=False)
    assert walls.positions[1, 0] == 9.5e-3
    with pytest.raises(JagerError, match="the spheres of the grain 1 must follow each other"):
        Assembly(x, [1, 1, 1], (9, 9, 9), grain=[1, 2, 1])
    assert Assembly(x, [1, 1, 1], (9, 9, 9), grain=[1, 2, 1], ids=[3, 9, 4]).grain.tolist() == [0, 0, 1]  # by ids
    with pytest.raises(JagerError, match="the grains have 2 spheres, the assembly 3"):
        Assembly(x, [1, 1, 1], (9, 9, 9), grains=fit_grains(a.positions[:2], a.radii[:2], np.array([0, 0])))
    (tmp_path / "a.data").write_text("\n\n3 atoms\n1 atom types\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\nAtoms\n\n"
                                     "1 1 1 1 1 1 1\n2 1 1 1 2 2 2\n3 1 1 1 2 2 2.5\n\nMolecules\n\n3 4\n1 0\n2 4\n")
    assert read_assembly(tmp_path / "a.data").grain.tolist() == [0, 1, 1]  # molecule 0 is none


def test_more_shapes_than_the_text_holds(tmp_path: Path) -> None:
    long = np.array([[0.9 * k, 0.0, 0.0, 1.0] for k in range(101)])
    a = Assembly(1e-5 * long[:, :3], 1e-5 * long[:, 3], (1, 1, 1), grain=np.zeros(101, dtype=int))
    with pytest.raises(FormatError, match="a grain has 101 spheres; jager's text holds 100"):
        write_assembly(a, tmp_path / "a.txt")


# ---- Programs --------------------------------------------------------------------------------------------------------

def test_the_simulator_has_the_same_spheres(tmp_path: Path) -> None:
    jager = pytest.importorskip("jager")
    a, _ = random_grains([PAIR, CRANK, np.array([[0.0, 0.0, 0.0, 1.0]])], 12, 9)
    a = dataclasses.replace(a, cell=2.0 * a.cell)  # wide enough
    write_assembly(a, tmp_path / "a.txt")
    case = jager.Case(CASE.format(assembly=f"file: {tmp_path / 'a.txt'}"))
    simulation = jager.Simulation(case)
    b = simulation.assembly()
    assert same_lattice(a, b) and np.array_equal(a.grain, b.grain)
    assert np.array_equal(a.grain, simulation.spheres()["grain"])
    write_assembly(b, tmp_path / "b.txt", drop=["densities"])
    again = jager.Simulation(case.changed({"assembly.file": str(tmp_path / "b.txt")}))
    assert np.allclose(again.grains()["diameter"], simulation.grains()["diameter"], rtol=1e-12)
    assert same_lattice(a, again.assembly())


def test_runs_have_grains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jager = pytest.importorskip("jager")
    pytest.importorskip("h5py")
    packing = "packing: {grains: 60, shapes: nevada, sizes: {uniform: {min: 0.8 mm, max: 1.2 mm}}, pressure: 10 MPa}"
    case = jager.Case(CASE.format(assembly=packing))
    run = case.run(tmp_path / "run")
    from jager.__main__ import main
    target = tmp_path / "a.dempla"
    assert main(["convert", str(run.path), str(target), "--drop", "contacts", "--drop", "velocities"]) == 0
    assert capsys.readouterr().out == f"{target}: 60 grains of 420 spheres\n"
    a, last = read_assembly(target), run.snapshots[-1]
    largest = last.spheres["radius"].reshape(60, 7).max(axis=1)
    assert np.allclose(a.grains.scales * a.grains.shapes[0][0, 3], largest, rtol=1e-9)


@pytest.mark.skipif(not shutil.which("lmp"), reason="LAMMPS (lmp) is not installed")
def test_lammps_reads_and_writes_molecules(tmp_path: Path) -> None:
    a, _ = random_grains([PAIR, CRANK], 10, 10)
    write_assembly(a, tmp_path / "a.data", density=2650.0)
    commands = ("units si", "atom_style sphere", "atom_modify map yes", "boundary p p p",
                "fix grains all property/atom mol ghost yes", "read_data a.data fix grains NULL Molecules",
                "pair_style zero 1e-3", "pair_coeff * *", "comm_modify vel yes cutoff 2e-3",
                "dump d all custom 1 b.dump id mol type radius xu yu zu", 'dump_modify d sort id format float "%.17g"',
                "run 0", "write_data b.data")
    (tmp_path / "in").write_text("\n".join(commands) + "\n")
    done = subprocess.run(["lmp", "-in", "in", "-log", "none"], cwd=tmp_path, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    dump = read_assembly(tmp_path / "b.dump")
    assert same_lattice(a, dump) and np.array_equal(dump.grain, a.grain)
    data = read_assembly(tmp_path / "b.data")
    assert same_lattice(a, data, 1e-9) and np.array_equal(data.grain, a.grain)


@pytest.mark.skipif(not shutil.which("lmp"), reason="LAMMPS (lmp) is not installed")
def test_lammps_reads_bodies(tmp_path: Path) -> None:
    """Mass, principal moments and angular velocity of bodies without symmetry, some across the faces of the box, among
    spheres, which are no bodies."""
    pytest.importorskip("jager._native")
    a, _ = random_grains([CRANK, np.array([[0.0, 0.0, 0.0, 1.0]]), PAIR], 12, 18)
    spins = np.random.default_rng(19).normal(size=(12, 3))
    a = dataclasses.replace(a, angular_velocities=spins[a.grain], density=2650.0)
    write_assembly(a, tmp_path / "a.data")
    write_assembly(a, tmp_path / "a.rigid")
    assert same_lattice(a, read_assembly(tmp_path / "a.data"))
    commands = ("units si", "atom_style sphere", "atom_modify map yes", "boundary p p p",
                "fix grains all property/atom mol ghost yes", "read_data a.data fix grains NULL Molecules",
                "pair_style zero 1e-3", "pair_coeff * *", "comm_modify vel yes cutoff 3e-3", "timestep 1e-12",
                "group bodies molecule <= 8", "neigh_modify exclude molecule/intra bodies",
                "fix motion bodies rigid/small molecule infile a.rigid",
                "compute bodies all rigid/local motion mol mass inertiax inertiay inertiaz omegax omegay omegaz",
                "dump d all local 1 bodies c_bodies[*]", 'dump_modify d sort 1 format float "%.17g"',
                "thermo_style custom step", "run 0")
    (tmp_path / "in").write_text("\n".join(commands) + "\n")
    done = subprocess.run(["lmp", "-in", "in", "-log", "none"], cwd=tmp_path, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found, bodies = np.loadtxt(tmp_path / "bodies", skiprows=9), bodies_of(tmp_path / "a.rigid")
    assert found[:, 0].tolist() == bodies[:, 0].tolist() == list(range(1, 9))
    assert np.allclose(found[:, 1], bodies[:, 1], rtol=1e-12)
    for body, moments in zip(bodies, found[:, 2:5]):
        xx, yy, zz, xy, xz, yz = body[5:11]
        expected = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        assert np.allclose(sorted(moments), expected, rtol=1e-9)
    assert np.allclose(found[:, 5:8], spins[np.arange(12) % 3 != 1], rtol=0, atol=1e-9)
