# SPDX-License-Identifier: MIT
"""The simulator step by step and whole runs: the bits of the program, whatever happens on the way."""
from __future__ import annotations

import copy
import csv
import json
import math
import os
import pathlib
import pickle
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import types
import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import jager
from jager._run_units import SNAPSHOT_UNITS

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = str(pathlib.Path(jager.__file__).parents[1])  # where the tested package is
PROGRAM = os.environ.get("JAGER_PROGRAM", str(ROOT / "build/src/cli/jager"))
MATERIAL = "material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}"
LATTICE = f"""jager: 1
title: Lattice
{MATERIAL}
assembly:
  lattice: {{kind: fcc, cells: [2, 2, 2], radius: 0.5 mm, overlap: 1e-4}}
output: {{series: 20, plots: false}}
stages:
  - name: rest
    control: {{xx: {{stress: 100 kPa}}, yy: {{stress: 100 kPa}}, zz: {{stress: 100 kPa}}}}
    until: {{steps: 50}}
  - name: triaxial
    control: {{xx: {{stress: 100 kPa}}, yy: {{stress: 100 kPa}}, zz: {{strain_step: 1e-7}}}}
    until: {{steps: 150}}
"""
PACKED = f"""jager: 1
title: Packed
{MATERIAL}
contact: {{tolerance: 1e-3}}
assembly:
  packing: {{spheres: 60, sizes: {{uniform: {{min: 0.8 mm, max: 1.2 mm}}}}, pressure: 100 kPa, friction: 0.1}}
output: {{series: 50, snapshot: 400, plots: false}}
stages:
  - name: shear
    control: {{xx: {{stress: 100 kPa}}, yy: {{strain_rate: 0}}, zz: {{strain_step: 1e-6}}}}
    until: {{steps: 500}}
  - name: cycles
    control: {{xx: {{volume: constant}}, yy: {{volume: constant}}, zz: {{strain_step: 1e-6}}}}
    cyclic: {{of: q, amplitude: 30 kPa, center: 40 kPa}}
    until: {{cycles: 2, steps: 900}}
"""
LONG = PACKED.replace("spheres: 60", "spheres: 300").replace("steps: 500", "steps: 1e9")
RESTLESS = LONG.replace("friction: 0.1", "friction: 0.1, unbalanced: 1e-12")
FEW = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
QUICK = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))


class Told(Exception):
    pass


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """The finished run, and the simulation at the end of packing."""
    run = jager.Case(PACKED).run(tmp_path_factory.mktemp("packed") / "run", threads=2)
    simulation = jager.Simulation(PACKED, threads=1)
    simulation.finish_stage()
    return run, simulation


def program(*words):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False, timeout=3000)
    assert done.returncode == 0, done.stderr
    return done.stdout


def hash_in(run) -> str:
    return re.search(r"^hash ([0-9a-f]{16})$", run.summary, re.MULTILINE)[1]


def same_files(a: pathlib.Path, b: pathlib.Path, names=("series.csv", "summary.txt")) -> None:
    for name in names:
        assert (a / name).read_bytes() == (b / name).read_bytes(), name


def equal(a: jager.Measures, b) -> bool:
    return all(a[name] == b[name] or (math.isnan(a[name]) and math.isnan(b[name])) for name in jager.MEASURES)


def state_of(simulation):
    return simulation.hash, simulation.case.text, dict(simulation.measures), simulation.steps, simulation.stage


def no_nan(state):
    return [repr(part) for part in state]


# ---- The bits --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [LATTICE, PACKED], ids=["lattice", "packed"])
def test_program_case_run_and_simulation_run_are_the_same(tmp_path, text):
    (tmp_path / "case.yaml").write_text(text)
    told = json.loads(program("run", "case.yaml", "-o", "by-program", "-q", "--json", "--threads", "2"))
    runs = [jager.Case("case.yaml").run(f"by-case-{threads}", threads=threads) for threads in (1, 2)]
    simulation = jager.Simulation("case.yaml", threads=2)
    assert simulation.threads == 2
    runs.append(simulation.run("by-simulation"))
    by_hand = jager.Simulation(text, threads=1)
    by_hand.finish()
    assert simulation.is_done and by_hand.is_done
    assert simulation.steps == by_hand.steps == told["steps"]
    assert told["hash"] == simulation.hash == by_hand.hash
    for run in runs:
        assert run.is_complete and hash_in(run) == told["hash"]
        same_files(tmp_path / "by-program", run.path)
        assert run.case_text == text
    if text == PACKED:
        same_files(tmp_path / "by-program", runs[0].path, ["cycles.csv"])
    assert sorted(os.listdir("by-program")) == sorted(os.listdir("by-case-1"))


@QUICK
@given(seed=st.integers(0, 10**6))
def test_portions_of_steps(packed, seed):
    run, start = packed
    rng = np.random.default_rng(seed)
    simulation = start.copy()
    while not simulation.is_done:
        before, stage, choice = simulation.steps, simulation.stage, rng.integers(5)
        if choice == 0:
            made = simulation.finish_stage(limit=int(rng.integers(1, 300)))
            assert simulation.stage in (stage, stage + 1)
        elif choice == 1:
            made = simulation.step()
        elif choice == 2:
            assert simulation.step(0) == simulation.step(-3) == simulation.finish_stage(limit=0) == 0
            made = 0
        else:
            made = simulation.step(np.int64(rng.integers(1, 400)))
        assert simulation.steps - before == made
    assert simulation.hash == hash_in(run)
    final = no_nan(state_of(simulation))
    assert simulation.finish() == simulation.finish_stage() == 0
    with pytest.raises(jager.RunError, match=r"last stage has ended at step \d+: change its end, stages\.\d+\.until"):
        simulation.step()
    assert no_nan(state_of(simulation)) == final and simulation.stage_has_ended


def test_finish_stage_and_where_it_is():
    simulation = jager.Simulation(LATTICE)
    assert (simulation.stage, simulation.stage_name, simulation.stage_has_ended) == (1, "rest", False)
    assert simulation.finish_stage(limit=10) == 10
    assert simulation.finish_stage() == 40
    assert (simulation.stage, simulation.stage_has_ended, simulation.is_done) == (1, True, False)
    assert simulation.step() == 1
    assert (simulation.stage, simulation.stage_name, simulation.stage_has_ended) == (2, "triaxial", False)
    assert simulation.finish() == 149
    assert simulation.is_done and simulation.stage_has_ended and simulation.steps == 200
    assert simulation.time == simulation.measures.time > 0.0
    assert simulation.bytes > 10_000 and simulation.threads >= 1
    assert simulation.case.title == "Lattice"
    with pytest.raises(TypeError):
        jager.Simulation(LATTICE, threads=1).step(1.5)
    for threads in (-1, -100):
        with pytest.raises(ValueError, match="threads"):
            jager.Simulation(LATTICE, threads=threads)
        with pytest.raises(ValueError, match="threads"):
            jager.Case(LATTICE).run("out", threads=threads)


@QUICK
@given(seed=st.integers(0, 10**6))
def test_copies_go_on_to_the_same_state(packed, seed, tmp_path_factory):
    run, start = packed
    rng = np.random.default_rng(seed)
    simulation = start.copy()
    while not simulation.is_done:
        simulation.step(int(rng.integers(1, 300)))
        before = simulation.hash
        path = tmp_path_factory.mktemp("states") / "state"
        other = [simulation.copy, lambda: copy.copy(simulation), lambda: copy.deepcopy(simulation),
                 lambda: pickle.loads(pickle.dumps(simulation)),
                 lambda: simulation.checkpoint(path) or jager.Simulation.restore(path, threads=2)][rng.integers(5)]()
        assert no_nan(state_of(other)) == no_nan(state_of(simulation))
        assert other.time == simulation.time and other.stage_has_ended == simulation.stage_has_ended
        assert repr(other.cycle) == repr(simulation.cycle)
        simulation.finish_stage(limit=3)  # the other one does not see it
        assert other.hash == before
        simulation = other
    assert simulation.hash == hash_in(run)


# ---- Changes ---------------------------------------------------------------------------------------------------------


def test_a_change_before_the_first_step_is_a_change_of_the_case():
    for changes in ({"stages.0.friction": 0.1}, {"stages.0.control.zz": {"strain_rate": 3}},
                    {"stages.1.control.zz.strain_step": -2e-7}, {"stages.1.friction": 0.05, "stages.1.until.steps": 60},
                    {"stages.0.damping": {"local": 0.5}}, {"stages.0.until": {"steps": 20}}, {"title": "other"},
                    ["stages.1={name: x, until: {steps: 5}, control: {xx: {stress: 1 MPa}, yy: {stress: 90 kPa}, "
                     "zz: {strain_rate: 0}}}"]):
        changed, made = jager.Simulation(LATTICE, threads=1), jager.Simulation(jager.Case(LATTICE, changes), threads=1)
        changed.change(changes)
        assert changed.case.keys == made.case.keys
        for simulation in (changed, made):
            simulation.finish()
        assert (changed.hash, changed.steps) == (made.hash, made.steps), changes


def test_a_change_in_a_stage_is_a_new_stage():
    """A stage that is changed at its step 50 goes on as a second stage with these values does."""
    for number, control, friction in ((1, {"zz": {"strain_step": 1e-7}}, None), (2, {}, 0.02),
                                      (3, {"zz": {"strain_rate": 0.5}, "xz": {"gamma_step": 1e-7}}, 0.3),
                                      (4, {"xx": {"strain_rate": 0}, "zz": {"stress": "150 kPa"}}, None)):
        held = {name: {"stress": 1e5} for name in ("xx", "yy", "zz")}
        second = {"name": "b", "control": {**held, **control}, "until": {"steps": 100}}
        if friction is not None:
            second["friction"] = friction
        first = {"name": "a", "control": held, "until": {"steps": 50}}
        two = jager.Simulation(jager.Case(LATTICE, {"stages": [first, second]}), threads=1)
        one = jager.Simulation(jager.Case(LATTICE, {"stages": [{**first, "until": {"steps": 150}}]}), threads=1)
        two.finish()
        one.step(50)
        if control:
            one.set_control(**control)
        if friction is not None:
            one.set_friction(friction)
        one.finish()
        assert (one.hash, one.steps) == (two.hash, two.steps), number


SAVERS = [lambda s: s, lambda s: s.copy(), lambda s: pickle.loads(pickle.dumps(s))]


@QUICK
@given(seed=st.integers(0, 10**6))
def test_changes_survive_copies(packed, seed):
    """A random sequence of steps and changes, refused ones among them: with and without copies between."""
    _, start = packed
    rng = np.random.default_rng(seed)
    plain, copied = start.copy(), start.copy()
    plain.change({"stages.0.until.steps": 1e6})
    copied.change({"stages.0.until.steps": 1e6})
    plain.step(), copied.step()
    for _ in range(12):
        kind, value, saver = rng.integers(6), float(rng.uniform(0, 1)), SAVERS[rng.integers(len(SAVERS))]
        count = int(rng.integers(1, 60))
        for simulation in (plain, copied):
            if kind == 0:
                simulation.set_friction(value)
            elif kind == 1:
                simulation.set_control(zz={"strain_step": 4e-6 * (value - 0.5)})
            elif kind == 2:
                simulation.set_control(xx={"stress": 1e5 * (0.8 + 0.4 * value)}, yy={"strain_rate": 0})
            elif kind == 3:
                simulation.change({"stages.0.damping.local": value / 2, "stages.1.friction": value})
            elif kind == 4:
                simulation.change([f"stages.0.until.steps={10**6 + count}", f"title=number {count}"])
            else:
                before = no_nan(state_of(simulation))
                with pytest.raises(jager.CaseError):
                    simulation.change({"material.friction": value, "stages.0.friction": 0.5})
                assert no_nan(state_of(simulation)) == before
            simulation.step(count)
        copied = saver(copied)
        assert plain.hash == copied.hash and plain.case.text == copied.case.text
    assert plain.case.keys == copied.case.keys == jager.Case(
        PACKED, [line[len("# --set "):] for line in plain.case.text.splitlines() if line.startswith("# --set ")]).keys
    assert plain.case.text.count("# --set") <= 12  # of equal keys only the last one stays


def test_refused_changes_leave_everything_as_it_was(packed):
    _, start = packed
    simulation = start.copy()
    simulation.step(100)
    before, seen = no_nan(state_of(simulation)), simulation.snapshot()
    for changes in ({"material.friction": 0.1}, {"material.shear_modulus": "1 GPa"}, {"nope": 1}, ["nope"], {"seed": 5},
                    {"stages.0.friction": -1}, {"stages.0.friction": "nan"}, {"stages": []}, {"stages.0.name.x": 3},
                    {"stages.0.until.steps": 50}, {"stages.0.control.zz": {"stress": 1e5, "ramp": 100}},
                    {"stages.0.control": {}}, {"assembly": {"lattice": {"kind": "fcc"}}}, {"contact.model": "linear"},
                    {"contact.model": ["jager", "linear"]}, {"stages.0.inertial_number": 1e-4},
                    {"time_step.safety": 0.1},
                    {"stages.9.friction": 1}, {"stages.0.friction": 0.1, "stages.1.friction": -1}, {"title": "a\0b"}):
        with pytest.raises(jager.CaseError) as caught:
            simulation.change(changes)
        assert "--set" not in str(caught.value)
        assert no_nan(state_of(simulation)) == before, changes
    for wrong in ({"aa": 3}, {}, {"friction": 3}):
        with pytest.raises(ValueError, match="set_control takes xx"):
            simulation.set_control(**wrong)
    for wrong in ("stages.0.friction=1", 3):
        with pytest.raises(TypeError):
            simulation.change(wrong)
    for wrong in (-1, "x", float("inf"), [1]):
        with pytest.raises(jager.CaseError):
            simulation.set_friction(wrong)
    with pytest.raises(TypeError):
        simulation.set_friction(None)
    assert no_nan(state_of(simulation)) == before
    now = simulation.snapshot()
    assert now.spheres.tobytes() == seen.spheres.tobytes() and now.contacts.tobytes() == seen.contacts.tobytes()
    other = start.copy()
    other.finish()
    simulation.finish()
    assert simulation.hash == other.hash


def test_changes_while_packing_and_at_the_end():
    simulation = jager.Simulation(PACKED, threads=1)
    simulation.step(20)
    assert simulation.stage == 0
    for change in (lambda: simulation.set_friction(0.1), lambda: simulation.set_control(zz={"strain_rate": 0})):
        with pytest.raises(jager.RunError, match="packed"):
            change()
    with pytest.raises(jager.CaseError):
        simulation.change({"assembly.packing.friction": 0.3})
    simulation.change({"stages.shear.friction": 0.3})
    assert simulation.case.keys["stages.0.friction"] == "0.3"
    done = jager.Simulation(LATTICE, threads=1)
    done.finish()
    final = done.hash
    done.change({"stages.1.until.steps": 160})  # a later end: it is not done any more
    assert not done.is_done and done.hash == final
    assert done.finish() == 10
    longer = jager.Simulation(jager.Case(LATTICE, {"stages.1.until.steps": 160}), threads=1)
    longer.finish()
    assert done.hash == longer.hash


def test_refused_checkpoints_and_restores(tmp_path):
    simulation = jager.Simulation(LATTICE, threads=1)
    for path in ("no/x.jck", "/", ""):
        with pytest.raises(OSError):
            simulation.checkpoint(path)
    for path in ("a\0b", pathlib.Path("a\0b")):
        with pytest.raises(ValueError):
            simulation.checkpoint(path)
    assert os.listdir(tmp_path) == []
    for path in ("no.jck", "", "no/x"):
        with pytest.raises(OSError):
            jager.Simulation.restore(path)
    (tmp_path / "x.jck").write_bytes(b"nonsense")
    for path in (tmp_path, "x.jck"):
        with pytest.raises(jager.RunError):
            jager.Simulation.restore(path)
    simulation.checkpoint("good.jck")
    good = pathlib.Path("good.jck").read_bytes()
    rng = np.random.default_rng(1)
    for _ in range(60):  # a byte that differs anywhere, or a missing end
        at = int(rng.integers(len(good)))
        other = bytes([good[at] ^ int(rng.integers(1, 256))]) + good[at + 1:] if rng.random() < 0.7 else b""
        pathlib.Path("bad.jck").write_bytes(good[:at] + other)
        with pytest.raises(jager.RunError):
            jager.Simulation.restore("bad.jck")
    assert jager.Simulation.restore(pathlib.Path("good.jck"), threads=1).hash == simulation.hash


# ---- Reading ---------------------------------------------------------------------------------------------------------


@FEW
@given(step=st.integers(0, 1399))
def test_measures_are_the_lines_of_the_series(packed, step, tmp_path_factory):
    _, start = packed
    place = getattr(test_measures_are_the_lines_of_the_series, "place", None)
    if place is None:
        place = test_measures_are_the_lines_of_the_series.place = tmp_path_factory.mktemp("every") / "run"
        jager.Case(PACKED, {"output": {"series": 1, "plots": False}}).run(place)
    run = jager.open(place)
    simulation = start.copy()
    simulation.step(step)
    rows = run.series[(run.series["step"] == simulation.steps) & (run.series["stage"] == simulation.stage)]
    measures = simulation.measures
    assert len(rows) >= 1 and equal(measures, rows[0] if simulation.stage_has_ended else rows[-1])
    assert tuple(run.series.dtype.names) == jager.MEASURES == tuple(measures) == tuple(dict(measures))


def test_measures_are_a_mapping():
    measures = jager.Simulation(LATTICE, threads=1).measures
    assert len(measures) == len(jager.MEASURES) == len(set(jager.MEASURES))
    assert jager.UNITS.keys() == jager.MEANINGS.keys() == set(jager.MEASURES) and all(jager.MEANINGS.values())
    assert jager.CYCLE_UNITS.keys() == set(jager.CYCLE_VALUES)
    for name in jager.MEASURES:
        assert repr(getattr(measures, name)) == repr(measures[name])
        assert isinstance(measures[name], float) and name in dir(measures) and name in measures
    for again in (pickle.loads(pickle.dumps(measures)), copy.copy(measures), copy.deepcopy(measures)):
        assert equal(again, measures)
    with pytest.raises(KeyError):
        measures["nope"]
    with pytest.raises(AttributeError, match="there is no measure 'nope'"):
        measures.nope
    with pytest.raises((AttributeError, TypeError)):
        measures.p = 3.0
    assert repr(measures).startswith("<jager.Measures step 0")


def test_arrays_are_those_of_the_file(packed):
    h5py = pytest.importorskip("h5py")
    run, start = packed
    simulation = start.copy()
    checked = 0
    with h5py.File(run.path / "result.h5") as file:
        for name, group in file["snapshots"].items():
            if int(name) < simulation.steps:
                continue
            simulation.step(int(name) - simulation.steps)
            snapshot = simulation.snapshot()
            assert snapshot.step == simulation.steps == int(name) and snapshot.time == group.attrs["time"]
            assert np.array_equal(simulation.cell, group.attrs["cell"])
            of_run = run.snapshots[run.snapshots.steps.index(int(name))]
            assert snapshot.spheres.dtype == of_run.spheres.dtype and snapshot.contacts.dtype == of_run.contacts.dtype
            for kind, table in (("spheres", simulation.spheres()), ("contacts", simulation.contacts())):
                for field in table.dtype.names:
                    stored = group[kind]["id" if field == "grain" else field]  # these spheres are the grains
                    assert np.array_equal(table[field], stored[()]), field
            checked += 1
    assert checked >= 3


def turned(quaternion, vectors):
    w, u = quaternion[:, :1], quaternion[:, 1:]
    return vectors + 2 * np.cross(u, np.cross(u, vectors) + w * vectors)


def test_grains_of_several_spheres(tmp_path):
    h5py = pytest.importorskip("h5py")
    text = PACKED.replace("spheres: 60", "grains: 40, shapes: [nevada, pair]").replace("steps: 500", "steps: 100")
    case = jager.Case(text).changed({"stages.1.until.steps": 20, "output.snapshot": 50})
    run, simulation = case.run(tmp_path / "run"), jager.Simulation(case)
    simulation.finish()
    spheres, grains, contacts = simulation.spheres(), simulation.grains(), simulation.contacts()
    of_run, cell, m = run.snapshots[-1], simulation.cell, simulation.measures
    assert of_run.step == simulation.steps
    for kind, table in (("spheres", spheres), ("grains", grains), ("contacts", contacts)):
        assert table.dtype == getattr(of_run, kind).dtype and np.array_equal(table, getattr(of_run, kind))
    with h5py.File(run.path / "result.h5") as file:
        group = file["snapshots"][f"{of_run.step:09d}"]["grains"]
        assert SNAPSHOT_UNITS["grains"] == {name: group[name].attrs["unit"].decode() for name in grains.dtype.names}
    assert list(grains["id"]) == list(range(40)) and set(grains["shape"]) == {0, 1}
    assert np.array_equal(spheres["grain"], np.repeat(grains["id"], grains["spheres"]))
    assert np.array_equal(grains["first_sphere"], np.cumsum(grains["spheres"]) - grains["spheres"])
    # Rigid: in the axes of the grain, all grains of a shape are the same
    own = spheres["grain"]
    arms = spheres["position"] - grains["position"][own]
    arms -= (cell @ np.round(np.linalg.solve(cell, arms.T))).T
    inverse = grains["quaternion"][own] * [1, -1, -1, -1]
    places = turned(inverse, arms) / grains["diameter"][own, None]
    for shape in (0, 1):
        of_shape = places[grains["shape"][own] == shape].reshape(-1, grains["spheres"][grains["shape"] == shape][0], 3)
        assert np.allclose(of_shape, of_shape[0], rtol=0, atol=1e-12) and np.ptp(of_shape) > 0.3
    volumes, volume = np.pi / 6 * grains["diameter"]**3, np.linalg.det(cell)
    assert math.isclose(m.void_ratio, volume / volumes.sum() - 1, rel_tol=1e-9)
    stresses = contacts["force"] * (contacts["branch"] + arms[contacts["ids"][:, 0]] - arms[contacts["ids"][:, 1]])
    assert math.isclose((grains["pressure"] * volumes).sum(), stresses.sum() / 3, rel_tol=1e-9)
    assert np.array_equal(np.bincount(own[contacts["ids"]].ravel(), minlength=40), grains["contacts"])
    count = f"40 grains of {len(spheres)} spheres, {len(contacts)} contacts"
    assert count in repr(simulation) and count in repr(of_run) and count in run.summary and run.is_complete
    assert f"40 grains of {len(spheres)}<" in simulation._repr_html_()


def test_spheres_are_their_own_grains(packed):
    simulation = packed[1].copy()
    assert np.array_equal(simulation.spheres()["grain"], simulation.spheres()["id"])
    grains = simulation.grains()
    assert len(grains) == 0 and grains.dtype == packed[0].snapshots[-1].grains.dtype


def test_mechanics_of_the_arrays(packed):
    """Stress, porosity, overlaps and forces, computed anew."""
    _, start = packed
    simulation = start.copy()
    for _ in range(4):
        simulation.step(200)
        spheres, contacts, cell, m = (simulation.spheres(), simulation.contacts(), simulation.cell, simulation.measures)
        a, b = contacts["ids"].T
        assert list(spheres["id"]) == list(range(60)) and (a < b).all()
        volume = np.linalg.det(cell)
        stress = np.einsum("ki,kj->ij", contacts["force"], contacts["branch"]) / volume
        names = ("stress_xx", "stress_yy", "stress_zz", "stress_xy", "stress_xz", "stress_yz")
        assert np.allclose(stress[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]], [m[name] for name in names], rtol=1e-9,
                           atol=1e-9 * m.p)
        assert math.isclose(m.p, np.trace(stress) / 3, rel_tol=1e-9)
        assert math.isclose(m.void_ratio, volume / (4 / 3 * np.pi * (spheres["radius"]**3).sum()) - 1, rel_tol=1e-9)
        assert m.coordination == 2 * len(contacts) / len(spheres) and m.contacts == len(contacts)
        assert np.array_equal(np.bincount(np.concatenate([a, b]), minlength=60), spheres["contacts"])
        between = spheres["position"][b] - spheres["position"][a]
        between -= (cell @ np.round(np.linalg.solve(cell, between.T))).T
        assert np.allclose(between, contacts["branch"], rtol=0, atol=1e-17)
        distance = np.linalg.norm(contacts["branch"], axis=1)
        radii = spheres["radius"][a] + spheres["radius"][b]
        assert np.allclose(2 * contacts["zeta"], radii - distance, rtol=0, atol=1e-17)
        assert np.allclose(contacts["normal"], contacts["branch"] / distance[:, None], rtol=0, atol=1e-14)
        force = np.zeros((60, 3))
        np.add.at(force, a, -contacts["force"])
        np.add.at(force, b, contacts["force"])
        assert np.allclose(force, spheres["force"], rtol=0, atol=1e-12 * np.abs(contacts["force"]).max())
        assert np.allclose(np.einsum("ki,ki->k", contacts["force"], contacts["normal"]), contacts["fn"], rtol=1e-12)
        friction = 0.5 * contacts["fn"]
        assert (contacts["ft"] <= friction * (1 + 1e-9)).all() and m.sliding_fraction <= 1.0


def test_one_contact_with_its_history(packed):
    _, start = packed
    simulation = start.copy()
    simulation.step(300)
    table, before = simulation.contacts(), simulation.hash
    radii = simulation.spheres()["radius"]
    found = {}
    for row in table:
        a, b = row["ids"].tolist()
        contact = simulation.contact(a, b)
        assert contact.fn == row["fn"] and contact.zeta == row["zeta"]
        assert math.isclose(np.hypot(*contact.ft), row["ft"], rel_tol=1e-14)
        assert (int(contact.state), len(contact)) == (row["state"], row["length"])
        assert contact.law.friction == 0.5 and contact.law.tolerance == 1e-3 and contact.law.model == "jager"
        turned = simulation.contact(b, a)
        assert contact.pack() == turned.pack() and contact.radii_of_bodies == turned.radii_of_bodies
        assert contact.pack() == simulation.contact(row["ids"][0], row["ids"][1]).pack()
        found[a, b] = contact
        turned = contact.copy()
        turned.move(row["zeta"] * 1.2, (1e-8, 0.0))
        assert turned.pack() != contact.pack()
    assert simulation.hash == before
    simulation.step(40)
    for row in simulation.contacts():
        a, b = row["ids"].tolist()
        if (a, b) in found:
            assert found[a, b].move(row["zeta"], (0.0, 0.0)).fn == row["fn"]  # it has the radii of the spheres
            assert a < b and found[a, b].radii_of_bodies == (float(radii[a]), float(radii[b]))
    for pair in ((0, 0), (0, 10**6), (10**6, 10**7)):
        with pytest.raises(jager.RunError, match="do not touch"):
            simulation.contact(*pair)
    for pair in ((-1, 3), (3, 2**40)):
        with pytest.raises(OverflowError):
            simulation.contact(*pair)
    simulation.set_friction(0.25)
    simulation.step()
    assert simulation.contact(*simulation.contacts()["ids"][0].tolist()).law.friction == 0.25


def test_arrays_are_copies():
    simulation = jager.Simulation(LATTICE, threads=1)
    simulation.step(20)
    before, measures = simulation.hash, simulation.measures
    arrays = [simulation.spheres(), simulation.contacts(), simulation.cell, simulation.snapshot().spheres]
    kept = [array.tobytes() for array in arrays]
    simulation.spheres()["position"][:] = 7.0
    simulation.contacts()["fn"][:] = 0.0
    simulation.cell[:] = 1.0
    assert simulation.hash == before and equal(simulation.measures, measures)
    simulation.finish()
    assert [array.tobytes() for array in arrays] == kept
    del simulation
    others = [jager.Simulation(LATTICE, threads=1) for _ in range(20)]
    del others
    assert [array.tobytes() for array in arrays] == kept and all(array.flags.owndata for array in arrays)
    assert measures.step == 20.0


def test_cycles_are_the_lines_of_the_file(packed):
    run, start = packed
    simulation, found = start.copy(), []
    assert simulation.cycle is None
    while not simulation.is_done:
        simulation.step()
        if simulation.cycle is not None:
            found.append(simulation.cycle)
    assert len(found) == len(run.cycles) >= 1
    assert tuple(run.cycles.dtype.names) == jager.CYCLE_VALUES == tuple(found[0])
    for mine, row in zip(found, run.cycles):
        assert repr(list(mine.values())) == repr([float(value) for value in row])


# ---- Until -----------------------------------------------------------------------------------------------------------


def test_until():
    simulation, asked = jager.Simulation(LATTICE, threads=1), []

    def reached(strain, every=100, limit=None):
        def condition(m):
            asked.append(m.step)
            return m.strain_zz > strain
        return simulation.until(condition, every=every, limit=limit)

    assert reached(-1.0).step == 0 and asked == [0]
    now = reached(4e-5, every=7)
    assert now.strain_zz > 4e-5 and simulation.steps == now.step
    assert asked == [0, *range(0, int(now.step) + 1, 7)]
    asked.clear()
    with pytest.raises(jager.RunError, match="does not hold after 25 steps"):
        reached(1.0, every=10, limit=25)
    assert [step - now.step for step in asked] == [0, 10, 20, 25] and simulation.steps == now.step + 25
    with pytest.raises(jager.RunError, match="does not hold after 0 steps"):
        reached(1.0, limit=0)
    asked.clear()
    with pytest.raises(jager.RunError, match="the last stage has ended at step 200"):
        reached(1.0, every=1000)
    assert asked[-1] == 200 and len(asked) == len(set(asked)) == 2
    assert simulation.is_done
    for every in (1, 50, 1000):
        with pytest.raises(jager.RunError, match="the last stage has ended at step 200, before the condition held"):
            reached(1.0, every=every)
    assert simulation.until(lambda m: m.step == 200).step == 200  # the last state counts
    other = jager.Simulation(LATTICE, threads=1)
    assert other.until(lambda m: m.step == 200, every=33).step == 200
    for every in (0, -1):
        with pytest.raises(ValueError):
            other.until(lambda m: True, every=every)
    with pytest.raises(ZeroDivisionError):
        jager.Simulation(LATTICE, threads=1).until(lambda m: 1 / 0)
    assert other.hash == simulation.hash


# ---- Failures --------------------------------------------------------------------------------------------------------


@pytest.fixture
def failing():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jager.JagerWarning)
        return jager.Case(LATTICE, {"overlap_limit": 3e-4, "stages.1.control.zz.strain_step": 1e-5})


def test_everything_is_safe_after_a_failure(failing, tmp_path):
    simulation = jager.Simulation(failing, threads=1)
    with pytest.raises(jager.RunError, match="overlap_limit") as caught:
        simulation.finish()
    assert pickle.loads(pickle.dumps(caught.value)).args == caught.value.args
    for refused in (simulation.step, simulation.finish, simulation.finish_stage, simulation.copy,
                    lambda: simulation.until(lambda m: False), lambda: simulation.checkpoint("x.jck"),
                    lambda: pickle.dumps(simulation), lambda: simulation.set_friction(0.1),
                    lambda: simulation.change({"title": "x"}), lambda: simulation.run("out"),
                    lambda: copy.copy(simulation)):
        with pytest.raises(jager.JagerError):
            refused()
    assert not os.path.exists("x.jck") and not os.path.exists("out")
    assert not simulation.is_done and simulation.stage == 2 and simulation.stage_name == "triaxial"
    for read in (lambda: simulation.measures, lambda: simulation.spheres(), lambda: simulation.contacts(),
                 lambda: simulation.cell, lambda: simulation.hash, lambda: simulation.cycle, lambda: repr(simulation),
                 simulation._repr_html_, lambda: simulation.case, lambda: simulation.bytes, lambda: simulation.time,
                 lambda: simulation.contact(*simulation.contacts()["ids"][0].tolist()),
                 lambda: jager.moduli(simulation)):
        read()


def test_a_run_that_fails_keeps_its_last_good_state(failing):
    with pytest.raises(jager.RunError, match="the last good state is kept in out/checkpoint.jck"):
        failing.run("out")
    assert not jager.open("out").is_complete
    assert jager.Simulation.restore("out/checkpoint.jck").steps == 50
    simulation = jager.Simulation(failing, threads=1)
    with pytest.raises(jager.RunError, match="overlap_limit"):
        simulation.run("out2")
    with pytest.raises(jager.RunError):
        simulation.step()
    # With resume the state of the checkpoint takes the place of the failed one, and a later stage may differ.
    with pytest.raises(jager.RunError, match="overlap_limit"):
        simulation.run("out2", resume=True)
    good = jager.Case(failing, {"stages.1.control.zz.strain_step": 1e-7, "overlap_limit": 0.1})
    run = good.run("out", resume=True)
    whole = good.run("whole")
    assert run.is_complete and hash_in(run) == hash_in(whole)
    same_files(run.path, whole.path, ["series.csv"])


def test_simulations_that_cannot_begin():
    with pytest.raises(jager.RunError, match="list of models.*set one value, or run the case"):
        jager.Simulation(LATTICE.replace("output:", "contact: {model: [jager, linear]}\noutput:"))
    with pytest.raises(jager.RunError):
        jager.Simulation(LATTICE.replace("[2, 2, 2]", "[1, 1, 1]"))  # narrower than the reach of a sphere
    with pytest.raises(jager.RunError):
        jager.Case(LATTICE.replace("[2, 2, 2]", "[1, 1, 1]")).run("out")


# ---- Runs ------------------------------------------------------------------------------------------------------------


def test_refused_runs(tmp_path):
    case = jager.Case(LATTICE)
    first = case.run("out")
    before = {path.name: path.read_bytes() for path in first.path.iterdir()}
    fresh = jager.Simulation(case, threads=1)
    for make in (lambda: case.run("out"), lambda: fresh.run("out")):
        with pytest.raises(jager.RunError) as caught:
            make()
        assert "resume=True continues it, force=True replaces it; or give another directory" in str(caught.value)
        assert "--" not in str(caught.value) and "-o" not in str(caught.value)
    for make in (case.run, fresh.run):
        with pytest.raises(jager.RunError, match="nothing to resume"):
            make("empty", resume=True)
    with pytest.raises(ValueError, match="give only one of them"):
        case.run("out", resume=True, force=True)
    (tmp_path / "file").write_text("x")
    for place, problem in (("file", OSError), ("file/x", OSError), ("", OSError), ("a\0b", ValueError), (3, TypeError)):
        for make in (case.run, fresh.run):
            with pytest.raises(problem) as caught:
                make(place)
            assert "-o" not in str(caught.value)
    assert {path.name: path.read_bytes() for path in first.path.iterdir()} == before
    assert fresh.steps == 0 and fresh.run("fresh").is_complete  # refusals have not touched it
    with pytest.raises(jager.RunError, match="has made 200 steps"):
        fresh.run("again")
    stepped = jager.Simulation(case, threads=1)
    stepped.step(3)
    with pytest.raises(jager.RunError, match="has made 3 steps"):
        stepped.run("again")
    assert not os.path.exists("again") and stepped.steps == 3
    with pytest.raises(jager.RunError, match="made with another case: material.friction was 0.5 and is 0.3"):
        case.changed({"material.friction": 0.3}).run("out", resume=True)
    assert hash_in(case.run("out", force=True)) == hash_in(first.reload())
    name = os.fsdecode(b"odd \xff name")
    assert case.run(tmp_path / name).is_complete


def test_the_case_file_is_not_overwritten(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "series.csv").write_text(LATTICE)
    for make in (jager.Case("out/series.csv").run, jager.Simulation("out/series.csv", threads=1).run):
        with pytest.raises(jager.JagerError) as caught:
            make("out", force=True)
        assert "-o" not in str(caught.value)
    changed = jager.Simulation("out/series.csv", threads=1)
    changed.change({"title": "x"})
    with pytest.raises(jager.JagerError):
        changed.run("out", force=True)
    assert (tmp_path / "out" / "series.csv").read_text() == LATTICE


def test_resuming_with_a_later_end_is_the_longer_run():
    short = jager.Case(LATTICE)
    longer = short.changed({"stages.1.until.steps": 260})
    short.run("a")
    simulation = jager.Simulation(longer, threads=1)
    simulation.run("a", resume=True)
    run = longer.run("b")
    assert simulation.hash == hash_in(run) == hash_in(jager.open("a"))
    same_files(jager.open("a").path, run.path)
    assert simulation.case.text == longer.text


def test_directory_in_use():
    told = []

    def progress(now):
        assert isinstance(now, jager.Progress) and 0.0 <= now.fraction <= 1.0
        for make in (jager.Case(LATTICE).run, jager.Simulation(LATTICE, threads=1).run):
            with pytest.raises(jager.RunError, match="another run is working in out") as caught:
                make("out", force=True)
            told.append(str(caught.value))
        raise Told
    with pytest.raises(Told):
        jager.Case(LONG).run("out", progress=progress)
    assert len(told) == 2


def test_exceptions_of_a_progress_function_stop_the_run():
    whole = jager.Case(LONG, {"stages.0.until.steps": 400, "assembly.packing.spheres": 100}).run("whole")
    changes = [line[8:] for line in whole.case_text.splitlines() if line.startswith("# --set")]
    case = jager.Case(whole.case_text, changes)
    counts = []

    def stop(now):
        counts.append(now.step)
        raise Told(str(now.step))
    simulation = jager.Simulation(case, threads=1)
    for make, place in ((case.run, "a"), (simulation.run, "b")):
        with pytest.raises(Told):
            make(place, progress=stop)
        assert os.path.exists(f"{place}/checkpoint.jck") and not jager.open(place).is_complete
    assert 0 < simulation.steps and simulation.hash == jager.Simulation.restore("b/checkpoint.jck").hash
    assert len(counts) == 2  # not asked again after the exception
    simulation.step(7)  # the run does not know of these steps: resume takes the state of the run
    with pytest.raises(jager.RunError, match="has made"):
        simulation.run("c")
    assert simulation.run("b", resume=True, progress=False).is_complete and simulation.hash == hash_in(whole)
    run = case.run("a", resume=True)
    same_files(run.path, whole.path)
    same_files(jager.open("b").path, whole.path)


def test_interrupts_at_bad_moments_leave_no_run_behind(monkeypatch):
    """Ctrl-C while the thread starts, before or after it has, and again while the run is being stopped."""
    from jager._running import Watch, Worker
    start, stop, workers, stops = Worker.start, Watch.stop, [], []

    def interrupted_start(worker, starts):
        workers.append(worker)
        if starts:
            start(worker)
        raise KeyboardInterrupt("first")

    def interrupted_stop(watch):
        stops.append(watch)
        if len(stops) % 4:
            raise KeyboardInterrupt("again")
        stop(watch)

    def interrupted_progress(now):
        raise KeyboardInterrupt("first")
    monkeypatch.setattr(Watch, "stop", interrupted_stop)
    simulation = jager.Simulation(LONG, threads=1)
    for k, starts in enumerate((False, True, None)):
        monkeypatch.setattr(Worker, "start", start if starts is None else
                            lambda worker, starts=starts: interrupted_start(worker, starts))
        with pytest.raises(KeyboardInterrupt, match="first|stopped at step"):
            simulation.run(f"out{k}", progress=interrupted_progress if starts is None else None)
        assert len(stops) % 4 == 0 and not simulation._worker.may_use()
        assert simulation._worker.withdraw() or simulation._worker.has_ended()
        assert simulation.copy().step() == 1  # nobody else uses it
        simulation = jager.Simulation(LONG, threads=1)
    assert len(workers) == 2 and not os.path.exists("out0") and os.path.exists("out2/checkpoint.jck")
    start(workers[0])  # a thread that begins after all finds its work withdrawn
    time.sleep(0.05)
    assert not workers[0].has_ended() and not os.path.exists("out0")


def test_a_simulation_whose_run_was_left_refuses_use(monkeypatch):
    from jager import _running
    simulation = jager.Simulation(LONG, threads=1)

    def left(worker, show):
        worker.start()
        while not worker.watch.progress().step:
            time.sleep(0.01)
        raise KeyboardInterrupt
    monkeypatch.setattr(_running, "_wait", left)
    with pytest.raises(KeyboardInterrupt):
        simulation.run("out")
    with pytest.raises(jager.RunError, match="the simulation is running"):
        simulation.step()
    simulation._worker.watch.stop()
    assert simulation._worker.has_ended(60.0) and simulation.step() == 1


def test_a_thread_that_cannot_start_is_told(monkeypatch):
    from jager._running import Worker

    def fails(worker):
        raise RuntimeError("can't start new thread")
    monkeypatch.setattr(Worker, "start", fails)
    simulation = jager.Simulation(LATTICE)
    with pytest.raises(RuntimeError, match="can't start"):
        simulation.run("out")
    assert simulation.step() == 1 and not os.path.exists("out")


def test_pickles_keep_the_folder_of_the_case(tmp_path):
    os.makedirs("cases")
    first = jager.Simulation(LATTICE, threads=1)
    first.step(10)
    first.checkpoint("cases/start.jck")
    text = re.sub(r"  lattice: .*", "  checkpoint: start.jck", LATTICE)
    pathlib.Path("cases/case.yaml").write_text(text)
    simulation = jager.Simulation("cases/case.yaml", threads=1)
    simulation.step(5)
    twin = pickle.loads(pickle.dumps(simulation))
    assert twin.hash == simulation.hash and twin.case.path == simulation.case.path == "cases/case.yaml"
    assert hash_in(twin.case.run("a")) == hash_in(simulation.case.run("b"))
    twin.change({"title": "Changed"})
    assert twin.case.path == "cases/case.yaml" and jager.Simulation(twin.case).step() == 1
    assert pickle.loads(pickle.dumps(first)).case.path is None
    twin.checkpoint("elsewhere.jck")
    os.replace("cases/start.jck", "start.jck")  # paths begin in the folder of the checkpoint
    assert jager.Simulation(jager.Simulation.restore("elsewhere.jck").case).step() == 1


def test_a_simulation_cannot_be_used_by_its_own_progress_function(tmp_path):
    simulation = jager.Simulation(LONG, threads=1)
    uses = [lambda: simulation.measures, lambda: simulation.steps, lambda: simulation.step(), lambda: simulation.case,
            lambda: simulation.spheres(), lambda: simulation.copy(), lambda: simulation.run("other"),
            lambda: simulation.stage_name, lambda: simulation.hash, lambda: simulation.change({"title": "x"}),
            lambda: jager.moduli(simulation), lambda: pickle.dumps(simulation), lambda: simulation.contact(0, 1)]
    refused = []

    def progress(now):
        for use in uses:
            with pytest.raises(jager.RunError, match="the simulation is running"):
                use()
            refused.append(use)
        raise Told
    with pytest.raises(Told):
        simulation.run("out", progress=progress)
    assert len(refused) == len(uses)
    assert simulation.steps > 0 and simulation.step() == 1


def test_progress_is_shown(capfd, monkeypatch):
    monkeypatch.setitem(sys.modules, "ipykernel", types.ModuleType("ipykernel"))  # as if somebody had imported it
    monkeypatch.setattr("jager._running.POLL", 1e-3)  # s: far less than a run takes
    case = jager.Case(PACKED, {"stages.0.until.steps": 2500})
    case.run("a")
    assert capfd.readouterr() == ("", "")
    case.run("b", progress=True)
    out, err = capfd.readouterr()
    assert out == "" and re.search(r"(packing|shear|cycles) \(\d of 2\) +[0-9.]+ %", err) and err.endswith("\r")
    seen = []
    case.run("c", progress=seen.append)
    assert seen and all(isinstance(now, jager.Progress) for now in seen)
    steps = [now.step for now in seen]
    assert steps == sorted(steps) and steps[-1] > 0 and seen[-1].stage_count == 2 and seen[-1].contacts > 0


def test_warnings_of_a_run(recwarn):
    fast = {"stages.0.control.zz.strain_step": 1e-4, "stages.0.until.steps": 200}
    case = jager.Case(PACKED.split("  - name: cycles")[0], fast)
    recwarn.clear()
    try:
        run = case.run("out")
    except jager.RunError as problem:
        assert "makes no sense" in str(problem)
        run = jager.open("out")
    assert run.warnings
    told = [warning for warning in recwarn if warning.category is jager.JagerWarning]
    assert [str(warning.message) for warning in told] == [f"out: {text}" for text in run.warnings]
    assert {warning.filename for warning in told} == {__file__}


COMMA = """
import locale, pathlib, sys, warnings
import jager
warnings.simplefilter("ignore")
locale.setlocale(locale.LC_NUMERIC, "comma")
assert locale.localeconv()["decimal_point"] == ","
run = jager.Case(pathlib.Path("case.yaml")).run("by-python", threads=2)
assert locale.localeconv()["decimal_point"] == ","
"""


@pytest.mark.skipif(shutil.which("localedef") is None, reason="needs localedef")
def test_a_locale_with_decimal_commas_changes_no_file():
    """Runs side by side: tables, summaries and pictures equal the program's."""
    pathlib.Path("comma.src").write_text('LC_NUMERIC\ndecimal_point ","\nthousands_sep ""\ngrouping -1\n'
                                         "END LC_NUMERIC\n", encoding="ascii")
    subprocess.run(["localedef", "-c", "-i", "./comma.src", "./comma"], capture_output=True, check=False)
    models = "contact: {model: [jager, linear], linear: {kn: 1e6, kt: 8e5}}\n"
    case = LATTICE.replace("plots: false", "plots: true").replace("stages:", models + "stages:")
    pathlib.Path("case.yaml").write_text(case, encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", COMMA], capture_output=True, text=True, check=False, timeout=3000,
                          env={**os.environ, "LOCPATH": os.getcwd(), "PYTHONPATH": PACKAGES})
    assert done.returncode == 0, done.stderr
    program("run", "case.yaml", "-o", "by-program", "-q", "--threads", "2")
    files = sorted(path.relative_to("by-program") for path in pathlib.Path("by-program").rglob("*"))
    same = [path for path in files if path.suffix in (".csv", ".txt", ".png")]
    assert len(same) >= 4
    same_files(pathlib.Path("by-python"), pathlib.Path("by-program"), same)


@pytest.mark.skipif(not (ROOT / "examples").is_dir(), reason="needs the examples")
def test_lists_of_models_and_ratios(tmp_path):
    case = jager.Case(ROOT / "examples/liquefaction-resistance.yaml", {
        "assembly.packing.spheres": 60, "stages.shaking.cyclic.csr": [0.2, 0.4], "stages.rest.until.steps": 300,
        "stages.shaking.inertial_number": 1e-3, "stages.shaking.until.cycles": 1, "output.plots": False})
    assert case.has_lists
    with pytest.raises(jager.RunError, match="list of models"):
        jager.Simulation(case)
    seen = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jager.JagerWarning)
        run = case.run("by-python", threads=2, progress=seen.append)
    changes = [line[len("# --set "):] for line in case.text.splitlines() if line.startswith("# --set ")]
    program("run", case.path, "-o", "by-program", "-q", "--threads", "1",
            *(word for change in changes for word in ("--set", change)))
    assert list(run.members) == ["jager", "hertz-mindlin"] and run.is_complete
    files = sorted(path.relative_to("by-program") for path in pathlib.Path("by-program").rglob("*"))
    assert files == sorted(path.relative_to("by-python") for path in pathlib.Path("by-python").rglob("*"))
    tables = [path for path in files if path.suffix in (".csv", ".txt")]
    assert len(tables) >= 10
    same_files(pathlib.Path("by-python"), pathlib.Path("by-program"), tables)
    if seen:
        assert seen[-1].stage <= seen[-1].stage_count
    with pytest.raises(jager.RunError, match="exists already: resume=True continues it, force=True replaces it"):
        case.run("by-python")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jager.JagerWarning)
        assert case.run("by-python", resume=True).is_complete
    series = [path for path in tables if path.name == "series.csv"]
    same_files(pathlib.Path("by-python"), pathlib.Path("by-program"), series)


# ---- Ctrl-C ----------------------------------------------------------------------------------------------------------

# jager.Case imports the extension, which otherwise happens at first use: no signal may interrupt that
HEAD = "import os, sys, jager\njager.Case\nCASE = open('case.yaml').read()\n"
TAIL = """
def told(problem): print('INTERRUPTED', problem, flush=True)
"""


def interrupted(code: str, after: float = 0.4, times: int = 1) -> str:
    """The output of a process that gets SIGINT while it runs `code`, like all processes of a terminal on Ctrl-C."""
    body = HEAD + TAIL + code
    process = subprocess.Popen([sys.executable, "-c", body], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               start_new_session=True, env={**os.environ, "PYTHONPATH": PACKAGES})
    try:
        assert process.stdout.readline() == "go\n", process.stderr.read()
        time.sleep(after)
        for _ in range(times):
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.01)
        out, err = process.communicate(timeout=3000)
        if times > 1:  # later signals may interrupt anything, even the exit of Python
            return out
        assert process.returncode == 0 and "INTERRUPTED" in out, out + err
        assert "Traceback" not in err
        return out
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def test_interrupted_steps(tmp_path):
    works = {"s.step(10**9)": LONG, "s.finish()": LONG, "s.finish_stage()": RESTLESS, "s.until(lambda m: False)": LONG}
    for work, text in works.items():
        (tmp_path / "case.yaml").write_text(text)
        out = interrupted(f"""
s = jager.Simulation(CASE, threads=1)
print('go', flush=True)
try:
    {work}
except KeyboardInterrupt as problem: told(problem)
s.checkpoint('state.jck')
print(s.steps, s.hash, s.step(5))
""")
        steps, value, made = out.splitlines()[-1].split()
        assert int(steps) > 0 and made == "5"
        assert jager.Simulation.restore("state.jck").hash == value
        whole = jager.Simulation(text, threads=2)
        whole.step(int(steps))
        assert whole.hash == value


def test_interrupted_impacts(tmp_path):
    """The impacts would take hours."""
    (tmp_path / "case.yaml").write_text(LONG)
    out = interrupted("""
law = jager.Law(29e9, 0.15, 0.5)
print('go', flush=True)
try:
    jager.impact(law, approach=1e-4, psi=[1.5] * 1000, model='springs', steps=1000000)
except KeyboardInterrupt as problem: told(problem)
print(jager.impact(law, approach=1e-4, psi=1.5)['psi2'][0])
""")
    again = jager.impact(jager.Law(29e9, 0.15, 0.5), approach=1e-4, psi=1.5)
    assert float(out.splitlines()[-1]) == again["psi2"][0]


def test_interrupted_runs_resume_to_the_same_bits(tmp_path):
    (tmp_path / "case.yaml").write_text(LONG)
    out = interrupted("""
print('go', flush=True)
try:
    jager.Case('case.yaml').run('a')
except KeyboardInterrupt as problem: told(problem)
""")
    steps = int(re.search(r"stopped at step (\d+); resume=True continues the run in a", out)[1])
    assert jager.Simulation.restore("a/checkpoint.jck").steps == steps
    out = interrupted("""
s = jager.Simulation('case.yaml')
print('go', flush=True)
try:
    s.run('b')
except KeyboardInterrupt as problem: told(problem)
print(s.steps, s.hash, jager.Simulation.restore('b/checkpoint.jck').hash)
""")
    more, mine, stored = out.splitlines()[-1].split()
    assert mine == stored and f"stopped at step {more};" in out
    interrupted("""
print('go', flush=True)
jager.Case('case.yaml').run('c')
""", times=3)
    reached = [jager.Simulation.restore(f"{place}/checkpoint.jck") for place in ("a", "b", "c")]
    sheared = max(simulation.steps for simulation in reached) if any(simulation.stage for simulation in reached) else 0
    case = jager.Case("case.yaml", {"stages.0.until.steps": 300 + sheared, "stages.1.until.steps": 200})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jager.JagerWarning)
        whole = case.run("whole")
        for place in ("a", "b", "c"):
            run = case.run(place, resume=True)
            assert hash_in(run) == hash_in(whole)
            same_files(run.path, whole.path, ["series.csv", "cycles.csv"])


def test_interrupted_lists(tmp_path):
    (tmp_path / "case.yaml").write_text(LONG.replace("{tolerance: 1e-3}", "{model: [jager, linear]}"))
    interrupted("""
print('go', flush=True)
try:
    jager.Case('case.yaml').run('out')
except KeyboardInterrupt as problem: told(problem)
""")
    end = {"stages.0.until.steps": 200, "stages.1.until.steps": 100}
    for path in pathlib.Path("out").glob("*/checkpoint.jck"):
        if (simulation := jager.Simulation.restore(path)).stage > 0:
            end["stages.0.until.steps"] += simulation.steps
    case = jager.Case("case.yaml", end)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jager.JagerWarning)
        run, whole = case.run("out", resume=True), case.run("whole")
    for name in ("jager", "linear"):
        same_files(run.members[name].path, whole.members[name].path, ["series.csv"])


# ---- Threads and memory ----------------------------------------------------------------------------------------------


def in_threads(*works):
    problems = []

    def safely(work):
        try:
            work()
        except BaseException as problem:
            problems.append(problem)
    threads = [threading.Thread(target=safely, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]


def test_simulations_and_runs_side_by_side(packed):
    run, start = packed
    simulations = [start.copy() for _ in range(3)]
    runs = {}

    def make(seed):
        runs[seed] = jager.Case(PACKED, {"seed": seed}).run(f"side-{seed}", threads=2)
    in_threads(*(simulation.finish for simulation in simulations), *(lambda seed=seed: make(seed) for seed in (1, 2)))
    assert {simulation.hash for simulation in simulations} == {hash_in(run)}
    assert hash_in(runs[1]) == hash_in(run) != hash_in(runs[2])
    same_files(runs[1].path, run.path)
    same_files(runs[2].path, jager.Case(PACKED, {"seed": 2}).run("alone", threads=1).path)


def test_one_simulation_in_several_threads(packed):
    _, start = packed
    simulation, other = start.copy(), start.copy()

    def step():
        for _ in range(40):
            simulation.step(5)

    def read():
        for _ in range(60):
            step, snapshot = simulation.measures.step, simulation.snapshot()
            assert snapshot.step >= step and len(snapshot.spheres) == 60
            repr(simulation), simulation.stage_name, simulation.bytes, simulation.time, simulation.cycle
            assert simulation.copy().is_done is False

    def change():
        for k in range(40):
            simulation.change({"title": f"number {k}"})
            assert simulation.case.title.startswith("number ")
    in_threads(step, read, change, step, read)
    other.step(400)
    assert (simulation.hash, simulation.steps) == (other.hash, other.steps)


def resident() -> int:
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_simulations_leave_nothing_behind(failing):
    def some(count):
        for _ in range(count):
            simulation = jager.Simulation(LATTICE, threads=1)
            simulation.step(3)
            simulation.measures, simulation.snapshot(), simulation.contact(*simulation.contacts()["ids"][0].tolist())
            simulation.change({"title": "x"})
            simulation.case.keys
            for wrong in (lambda: simulation.change({"seed": "x"}), lambda: simulation.contact(0, 0),
                          lambda: jager.Simulation.restore(__file__)):
                with pytest.raises(jager.JagerError):
                    wrong()
            simulation.copy().hash
            with pytest.raises(jager.RunError):
                jager.Simulation(failing, threads=1).finish()
        for _ in range(count // 10):
            pickle.loads(pickle.dumps(simulation))
    some(40)
    before = resident()
    some(300)
    assert resident() - before < 4_000_000


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_runs_leave_nothing_behind():
    case = jager.Case(LATTICE, {"stages.1.until.steps": 2})
    for _ in range(5):
        case.run("out", force=True)
    before, threads, files = resident(), threading.active_count(), len(os.listdir("/proc/self/fd"))
    for _ in range(15):
        case.run("out", force=True)
        jager.Simulation(case, threads=1).run("out", force=True)
        with pytest.raises(jager.RunError):
            case.run("out")
    assert resident() - before < 3_000_000
    assert threading.active_count() <= threads + 1 and len(os.listdir("/proc/self/fd")) == files


def test_every_public_property_has_a_text_and_works(packed):
    run, start = packed
    swept = jager.sweep(LATTICE, {"seed": [1]}, "swept")
    for thing in (start, jager.Case(PACKED), run, swept, start.measures, jager.moduli(start)):
        for name in dir(type(thing)):
            member = getattr(type(thing), name)
            if name.startswith("_"):
                continue
            assert member.__doc__ or name in ("keys", "items", "values", "get"), (type(thing), name)
            if isinstance(member, property):
                getattr(thing, name)
    for name in jager.__all__:
        assert hasattr(jager, name)


def test_series_read_with_csv_has_the_measures(packed):
    """The file itself, read by Python's csv module: no part of the package between."""
    run, _ = packed
    simulation = jager.Simulation.restore(run.path / "checkpoint.jck")
    with open(run.path / "series.csv", newline="", encoding="ascii") as file:
        last = list(csv.DictReader(file))[-1]
    assert simulation.is_done
    assert {name: repr(float(value)) for name, value in last.items()} == \
        {name: repr(value) for name, value in simulation.measures.items()}


def test_titles_are_escaped(tmp_path):
    case = jager.Case(LATTICE, {"title": "<script>x</script>", "stages.1.until.steps": 2})
    run = case.run(tmp_path / "<b>")
    for thing in (jager.Simulation(case, threads=1), case, run):
        assert "<script" not in thing._repr_html_() and "<b>" not in thing._repr_html_()
    shutil.rmtree(run.path)
