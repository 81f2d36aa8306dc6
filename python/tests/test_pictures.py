# SPDX-License-Identifier: MIT
"""The pictures that a run has: their names, what they show against numbers computed here, and that neither titles nor
the user's settings spoil them."""
from __future__ import annotations

import html
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jager
from jager._pictures import assembly, draw, series
from jager._pictures.loading import Loading
from jager._pictures.style import plain
from jager._run_files import GRAIN_TYPE
from jager._runs import Snapshot

matplotlib = pytest.importorskip("matplotlib")
pytest.importorskip("h5py")

CHILD = Path(draw.__file__).parent / "__main__.py"
SERIES = ["stress-strain", "volumetric-strain", "history-length", "energy"]


def names_of(path: Path, ending: str = "png") -> set[str]:
    return {file.stem for file in path.glob("*." + ending)}


def fresh(run: Path, place: Path) -> Path:
    """A copy of a run without its pictures."""
    return Path(shutil.copytree(run, place, ignore=shutil.ignore_patterns("*.png", "*.svg")))


def texts_of(svg: Path) -> str:
    """All texts of a picture: matplotlib writes those with formulas as comments, too."""
    found = re.findall(r"(?:<!-- |<text[^>]*>)(.*?)(?: -->|</text>)", svg.read_text(encoding="utf-8"))
    return html.unescape("\n".join(found))


# ---- Pictures of runs ------------------------------------------------------------------------------------------------

def test_a_run_has_all_its_pictures(biaxial_run: Path, tmp_path: Path) -> None:
    path = fresh(biaxial_run, tmp_path / "run")
    run = jager.open(path)
    drawn, problems = draw.draw_run(run)
    assert not problems and drawn[:4] == SERIES and "grading" in drawn
    ends = [step for step in run.snapshots.steps if step in run.series["step"]]
    assert ends and {f"grains-{len(run.stages) - 1}", f"rose-{len(run.stages) - 1}"} <= set(drawn)
    assert names_of(path) == names_of(path, "svg") == set(drawn)
    title = texts_of(path / "stress-strain.svg")
    assert run.title in title and run.stages[-1] in title and "since the start of stage" in title


def test_cycles_and_their_loops(cyclic_run: Path, tmp_path: Path) -> None:
    path = fresh(cyclic_run, tmp_path / "run")
    drawn, problems = draw.draw_run(jager.open(path), ["cycles", "stress-strain"])
    assert (sorted(drawn), problems) == (["cycles", "stress-strain"], [])
    for word in ("number of cycles", "damping ratio", "secant modulus", "double amplitude"):
        assert word in texts_of(path / "cycles.svg")


def test_ready_tests_have_titles(reduction_run: Path, list_run: Path, tmp_path: Path) -> None:
    for run, name, word in ((reduction_run, "reduction", "modulus reduction and damping"),
                            (list_run, "resistance", "liquefaction resistance")):
        path = fresh(run, tmp_path / name)
        assert draw.draw_run(jager.open(path), [name]).names == [name]
        assert word in texts_of(path / f"{name}.svg")


def test_the_stages_of_a_reduction_end_with_the_last() -> None:
    stages = ["packing", "g-rest-1", "g-1", "g-rest-2", "g-2", "shear-1", "rest"]
    within = [draw._is_within_reduction(stages, stage) for stage in range(len(stages))]
    assert within == [False, True, True, True, False, False, False]


def test_pictures_of_stages_that_are_gone_are_removed(biaxial_run: Path, tmp_path: Path) -> None:
    path = fresh(biaxial_run, tmp_path / "run")
    for name in ("grains-60.png", "rose-60.svg", "grains-60.txt", "my-grains-60.png"):
        (path / name).touch()
    draw.draw_run(jager.open(path))
    left = {file.name for file in path.glob("*60*")}
    assert left == {"grains-60.txt", "my-grains-60.png"}


def test_a_picture_that_cannot_be_written_is_told(biaxial_run: Path, tmp_path: Path) -> None:
    path = fresh(biaxial_run, tmp_path / "run")
    (path / "energy.png").mkdir()
    drawn, problems = draw.draw_run(jager.open(path), SERIES)
    assert "energy" not in drawn and "stress-strain" in drawn
    assert problems == [f"no picture of series.csv: cannot write {path / 'energy.png'}: Is a directory"]
    assert not list(path.glob("*.tmp-*"))


def test_empty_panels_say_so(biaxial_run: Path) -> None:
    source = series.source_of(jager.open(biaxial_run))
    rows = np.array(source.rows)
    rows["energy_error"] = 0.0
    figure = series.draw_series("energy", series.Source(source.run, {}, rows, source.loading), "")
    assert [text.get_text() for text in figure.axes[1].texts] == ["nothing to show"]


def test_a_strange_title_is_drawn_as_it_is(biaxial_run: Path, tmp_path: Path) -> None:
    source = series.source_of(jager.open(biaxial_run))
    assert plain("a\tb\n$c$") == r"a_b_\$c\$"
    for title in ("it's \"odd\" \\ `x` $y {a}_b^c @d %s $z$", "x" * 400, "a\tb\nc", "砂"):
        figure = series.draw_series("energy", source, title)
        figure.savefig(tmp_path / "a.svg")
    assert figure._suptitle.get_text().startswith("砂: ")


@pytest.mark.parametrize("kind", ["still", "isotropic", "normal", "shear"])
@pytest.mark.parametrize("is_cyclic", [False, True])
@pytest.mark.parametrize("is_undrained", [False, True])
def test_every_kind_of_loading_has_panels(kind: str, is_cyclic: bool, is_undrained: bool) -> None:
    of = Loading(kind=kind, component="xz" if kind == "shear" else "zz", is_cyclic=is_cyclic, counts_cycles=is_cyclic,
                 is_at_constant_volume=is_undrained)
    for choose in series.PICTURES.values():
        left, right = choose(of)
        assert left != right and 1 <= len(left.ys) <= 6
    words = " ".join(y.label for panel in series.PICTURES["volumetric-strain"](of) for y in panel.ys)
    assert ("pore pressure" in words) == is_undrained


# ---- The assembly ----------------------------------------------------------------------------------------------------

def test_even_diameters_have_the_grading_of_the_closed_form() -> None:
    d = np.linspace(1.0, 2.0, 20001)
    of = assembly.Grading.of(0.5 * d)
    for share in (0.1, 0.3, 0.5, 0.6):  # the mass below d is (d^4 - 1)/15
        assert of.at(share) == pytest.approx((1.0 + 15.0 * share)**0.25, rel=1e-3)
    assert assembly.Grading.of(np.array([1.0])).at(0.5) == 2.0


def test_the_curve_of_a_rose_is_the_fabric_tensor() -> None:
    random = np.random.default_rng(1)
    normals = random.normal(size=(5000, 3)) * [1.0, 0.7, 1.6]
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    weights, plane = random.uniform(0.5, 2.0, 5000), assembly.Plane(0, 2, 1)
    of = assembly.Rose.of(normals, weights, plane)
    fabric = np.einsum("k,ki,kj->ij", weights, normals, normals)
    trace = fabric[0, 0] + fabric[2, 2]
    turn = 2.0 * np.radians(of.direction)
    assert of.anisotropy * np.cos(turn) == pytest.approx(2.0 * (fabric[0, 0] - fabric[2, 2]) / trace)
    assert of.anisotropy * np.sin(turn) == pytest.approx(4.0 * fabric[0, 2] / trace)
    assert of.radius is not None and of.radius.mean() == pytest.approx(1.0)
    assert np.allclose(of.radius, np.roll(of.radius, assembly.ROSE_BINS // 2))
    assert assembly.Rose.of(normals[:0], weights[:0], plane).radius is None


def test_rounding_does_not_move_normals_between_the_sectors_of_a_rose() -> None:
    edges = np.radians(5.0 + 10.0 * np.arange(36))  # of all sectors; lattices have normals there
    radii = []
    for turn in (-1e-15, 0.0, 1e-15):
        normals = np.column_stack([np.cos(edges + turn), np.zeros(36), np.sin(edges + turn)])
        radii.append(assembly.Rose.of(normals, np.ones(36), assembly.Plane(0, 2, 1)).radius)
    assert all(np.allclose(radius, 1.0, rtol=1e-12) for radius in radii)


def grains(count: int, size: float, lean: float, seed: int = 1) -> Snapshot:
    """Random spheres in a leaning cell, with contacts between neighbours in the list."""
    random = np.random.default_rng(seed)
    cell = np.array([[size, 0.0, lean * size], [0.0, size, 0.0], [0.0, 0.0, size]])
    spheres = np.zeros(count, dtype=[("id", int), ("position", float, 3), ("radius", float), ("pressure", float)])
    spheres["id"], spheres["radius"] = np.arange(count) + 7, random.uniform(4e-4, 6e-4, count)
    spheres["position"] = random.uniform(0.0, 1.0, (count, 3)) @ cell.T
    spheres["pressure"] = random.uniform(0.0, 2e5, count)
    contacts = np.zeros(max(count - 1, 0), dtype=[("ids", int, 2), ("branch", float, 3), ("normal", float, 3),
                                                  ("fn", float)])
    contacts["ids"] = np.column_stack([spheres["id"][:-1], spheres["id"][1:]])
    contacts["branch"] = np.diff(spheres["position"], axis=0)
    contacts["normal"] = contacts["branch"] / np.linalg.norm(contacts["branch"], axis=1)[:, None]
    contacts["fn"] = random.uniform(0.0, 1.0, len(contacts))
    return Snapshot(12, 0.5, cell, spheres, contacts)


@pytest.mark.parametrize("lean", [0.0, 0.4])
def test_a_slice_shows_its_grains_once(lean: float) -> None:
    snapshot = grains(800, 8e-3, lean)
    of = assembly.Slice(snapshot, assembly.Plane(0, 2, 1))
    shown = assembly.grains_of(of)
    places, radii, inside = of.places(shown.shares), of.factor * of.bodies.radius[shown.rows], shown.inside
    y = snapshot.spheres["position"][:, 1]
    thick = np.maximum(0.5 * of.thickness, snapshot.spheres["radius"])
    assert of.is_whole and inside.sum() == (np.abs(y - 4e-3) <= thick).sum()
    # An image that touches the window from outside differs by whole edges from the one inside
    edges = np.array([[8.0, 0.0], [8.0 * lean, 8.0]])
    for place, radius in zip(places[~inside], radii[~inside]):
        shifts = np.linalg.solve(edges.T, (places[inside] - place).T).T
        assert np.min(np.abs(shifts - np.round(shifts)).sum(axis=1)) < 1e-6


def test_odd_assemblies_are_drawn(tmp_path: Path) -> None:
    """One sphere, no contacts, no forces, a wide cell, sizes over two decades."""
    no_forces, wide = grains(50, 3e-3, 0.5), grains(2000, 100e-3, 0.1)
    no_forces.contacts["fn"] = 0.0
    no_forces.spheres["pressure"] = 0.0
    wide.spheres["radius"][0] = 1e-5
    for snapshot in (grains(1, 3e-3, 0.0), no_forces, wide):
        end = assembly.StageEnd(snapshot, 1, "a'b\"c_{d}`$", assembly.Plane(0, 2, 1))
        for figure in (assembly.draw_grains(end, "t"), assembly.draw_rose(end, ""),
                       assembly.draw_grading(snapshot, "t")):
            figure.savefig(tmp_path / "a.png")


def clumps(seed: int) -> Snapshot:
    """Pairs of equal spheres in a leaning cell, across its faces; each touches the next one twice."""
    random, spheres = np.random.default_rng(seed), grains(400, 8e-3, 0.3, seed).spheres
    cell = np.array([[8e-3, 0.0, 2.4e-3], [0.0, 8e-3, 0.0], [0.0, 0.0, 8e-3]])
    many = np.zeros(200, dtype=GRAIN_TYPE)
    many["id"], many["spheres"], many["diameter"] = 3 * np.arange(200), 2, 1.2e-3
    many["first_sphere"], many["extent"] = spheres["id"][::2], 0.9e-3
    many["position"], many["pressure"] = random.uniform(0.0, 1.0, (200, 3)) @ cell.T, random.uniform(0.0, 2e5, 200)
    arms = random.normal(size=(200, 3))
    arms *= 4e-4 / np.linalg.norm(arms, axis=1)[:, None]
    places = np.repeat(many["position"], 2, axis=0) + np.stack([arms, -arms], axis=1).reshape(-1, 3)
    spheres["radius"], spheres["position"] = 5e-4, (np.linalg.solve(cell, places.T) % 1.0).T @ cell.T
    table = np.zeros(400, dtype=[*spheres.dtype.descr, ("grain", int)])
    for name in spheres.dtype.names or ():
        table[name] = spheres[name]
    table["grain"] = np.repeat(many["id"], 2)
    contacts = np.zeros(398, dtype=[("ids", int, 2), ("branch", float, 3), ("normal", float, 3), ("fn", float),
                                    ("force", float, 3)])
    contacts["ids"] = np.column_stack([table["id"][:-2], table["id"][2:]])  # even with even, odd with odd
    contacts["branch"] = places[2:] - places[:-2]
    contacts["normal"] = contacts["branch"] / np.linalg.norm(contacts["branch"], axis=1)[:, None]
    contacts["force"] = np.repeat(random.normal(size=(199, 3)), 2, axis=0) * np.tile([[1.0], [0.5]], (199, 1))
    contacts["fn"] = 1.0
    return Snapshot(12, 0.5, cell, table, contacts, many)


def test_grains_of_several_spheres_are_drawn_whole(tmp_path: Path) -> None:
    snapshot = clumps(3)
    of = assembly.Slice(snapshot, assembly.Plane(0, 2, 1))
    assert of.diameter == pytest.approx(1.2e-3) and np.allclose(np.linalg.norm(of.bodies.arms, axis=1), 4e-4)
    shown = assembly.grains_of(of)
    assert shown.inside.sum() == (np.abs(snapshot.grains["position"][:, 1] - 4e-3) <= 0.5 * of.thickness).sum()
    # One line for each pair of grains, between their centroids; its force is the sum of both contacts
    lines, forces, mean = assembly.chains_of(of, snapshot.spheres, snapshot.contacts)
    sums = np.linalg.norm(snapshot.contacts["force"][::2] * 1.5, axis=1)
    assert mean == pytest.approx(sums.mean()) and len(lines) >= 5
    assert np.isclose(forces[:, None], sums[None, :], rtol=1e-12).any(axis=1).all()
    steps = np.diff(snapshot.grains["position"], axis=0)[:, [0, 2]] * of.factor
    near = np.isclose((lines[:, 1] - lines[:, 0])[:, None], steps[None], rtol=0, atol=1e-9)
    assert near.all(axis=2).any(axis=1).all()
    figure = assembly.draw_grains(assembly.StageEnd(snapshot, 1, "rest", of.plane), "t")
    circles = max(figure.axes[0].collections, key=lambda drawn: len(drawn.get_paths()))
    colours = np.asarray(circles.get_array()).reshape(-1, 4)  # two spheres, with an edge and without
    assert len(colours) == shown.inside.sum() and (colours == colours[:, :1]).all()
    assert np.allclose(colours[:, 0] * 1e3, snapshot.grains["pressure"][shown.rows[shown.inside]])
    figure.savefig(tmp_path / "a.png")
    assembly.draw_grading(snapshot, "t").savefig(tmp_path / "grading.svg")
    assert "t: grading of 200 grains" in texts_of(tmp_path / "grading.svg")


def test_the_plane_is_that_of_the_shear() -> None:
    for component, names in (("xz", ("x", "z")), ("xy", ("x", "y")), ("yz", ("y", "z"))):
        assert assembly.plane_of({f"stages.1.control.{component}.strain_rate": "0.1"}, 2).names == names
        assert assembly.plane_of({f"stages.1.control.{component}.strain_rate": "0"}, 2).names == ("x", "z")
    assert assembly.plane_of({}, 0).names == ("x", "z")


# ---- The child of the program ----------------------------------------------------------------------------------------

def child(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **variables}
    return subprocess.run([sys.executable, "-W", "ignore", CHILD, *words], env=environment, capture_output=True,
                          text=True, check=False, cwd=variables.get("PWD"))


def test_settings_of_the_user_change_nothing(biaxial_run: Path, tmp_path: Path) -> None:
    """Another process, a broken backend, a matplotlibrc at work, no place for its cache: the same bytes."""
    pictures = {}
    (tmp_path / "matplotlibrc").write_text("lines.linewidth: 9\naxes.facecolor: red\ntext.usetex: True\n")
    for name, variables in {"plain": {}, "spoilt": {
            "MPLBACKEND": "nonsense", "MATPLOTLIBRC": str(tmp_path / "matplotlibrc"), "PWD": str(tmp_path),
            "MPLCONFIGDIR": "/proc/none", "LC_ALL": "C", "LANG": "de_DE.UTF-8"}}.items():
        path = fresh(biaxial_run, tmp_path / name)
        done = child("run", str(path), "stress-strain", "grading", **variables)
        assert done.stdout == "\njager: drawn 2\n", done.stderr
        pictures[name] = [(path / file).read_bytes() for file in ("stress-strain.png", "stress-strain.svg",
                                                                  "grading.png", "grading.svg")]
    assert pictures["plain"] == pictures["spoilt"]


def test_the_child_needs_no_extension(biaxial_run: Path, tmp_path: Path) -> None:
    package = Path(jager.__file__).parent
    copy = shutil.copytree(package, tmp_path / "lib" / "jager", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    path = fresh(biaxial_run, tmp_path / "run")
    done = subprocess.run([sys.executable, copy / "_pictures" / "__main__.py", "run", path], capture_output=True,
                          text=True, check=False)
    assert done.stdout.startswith("\njager: drawn "), done.stderr
    assert names_of(path) >= set(SERIES)


def test_what_the_child_cannot_do_is_one_line(tmp_path: Path) -> None:
    done = child("run", str(tmp_path / "nowhere"))
    assert done.returncode != 0 and "drawn" not in done.stdout
    assert done.stderr.strip().splitlines()[-1] == f"{tmp_path / 'nowhere'}: there is no such directory"


def test_the_command_draws_members_too(list_run: Path, tmp_path: Path, capsys: Any) -> None:
    from jager.__main__ import main
    path = fresh(list_run, tmp_path / "run")
    assert main(["draw", str(path), "--only", "resistance", "--only", "energy"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert str(path / "resistance.png") in told and any("csr-" in line for line in told)
