# SPDX-License-Identifier: MIT
"""Elastic moduli and impacts: the numbers of the program, closed forms, conservation laws."""
from __future__ import annotations

import io
import json
import math
import os
import pathlib
import subprocess

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import jager
from jager._running import Worker

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("JAGER_PROGRAM", str(ROOT / "build/src/cli/jager"))
MATERIAL = "material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}"
LATTICE = f"""jager: 1
title: Lattice
{MATERIAL}
assembly:
  lattice: {{kind: fcc, cells: [2, 2, 2], radius: 0.5 mm, overlap: 1e-4}}
output: {{plots: false}}
stages:
  - name: shear
    control: {{xx: {{strain_rate: 0}}, yy: {{strain_rate: 0}}, zz: {{strain_step: 1e-10}}}}
    until: {{steps: 100}}
"""
PACKED = f"""jager: 1
title: Packed
{MATERIAL}
assembly:
  packing: {{spheres: 60, sizes: {{uniform: {{min: 0.8 mm, max: 1.2 mm}}}}, pressure: 100 kPa, friction: 0.1}}
output: {{plots: false}}
stages:
  - name: shear
    control: {{xx: {{stress: 100 kPa}}, yy: {{stress: 100 kPa}}, zz: {{strain_step: 1e-6}}}}
    until: {{steps: 200}}
"""
QUICK = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def program(*words) -> str:
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False, timeout=3000)
    assert done.returncode == 0, done.stderr
    return done.stdout


def told(*states) -> list[dict]:
    return json.loads(program("moduli", "--json", "-q", *states))["states"]


def compare(mine: jager.Moduli, theirs: dict) -> None:
    """All numbers, to the last bit."""
    voigt = ("xx", "yy", "zz", "yz", "xz", "xy")
    for name in ("p", "density", "spheres", "grains", "rattlers", "contacts", "floppy", "unbalanced", "residual",
                 "bulk", "shear", "young", "poisson", "anisotropy"):
        assert getattr(mine, name) == theirs[name], name
    known = [k for k, name in enumerate(voigt) if f"stress_{name}" in theirs]
    order = {tuple(mine.stress[k] == theirs[f"stress_{name}"] for k, name in zip(range(6), names))
             for names in (voigt, ("xx", "yy", "zz", "xy", "xz", "yz"))}
    assert len(known) == 6 and (True,) * 6 in order
    for kind, values, matrix in (("_springs", mine.springs, mine.springs_stiffness),
                                 ("_affine", mine.affine, mine.affine_stiffness),
                                 ("", None, mine.stiffness)):
        for name, value in (values or {}).items():
            assert value == theirs[name + kind], name
        for i in range(6):
            for j in range(6):
                assert matrix[i, j] == theirs[f"c{i + 1}{j + 1}{kind}"], (kind, i, j)
    for i, a in enumerate("xyz"):
        assert mine.wave_p[i] == theirs[f"vp_{a}"]
        for j, b in enumerate("xyz"):
            assert i == j or mine.wave_s[i, j] == theirs[f"vs_{a}{b}"]


def test_all_states_have_the_moduli_of_the_program(tmp_path):
    for name, text in (("lattice", LATTICE), ("packed", PACKED)):
        path = tmp_path / f"{name}.yaml"
        path.write_text(text)
        run = jager.Case(path).run(name)
        simulation = jager.Simulation(path, threads=1)
        simulation.finish()
        before = simulation.hash
        of_end, = told(name)
        simulation.checkpoint("state.jck")
        for state in (simulation, simulation.copy(), run, run.path, str(run.path), run.path / "checkpoint.jck",
                      "state.jck"):
            for threads in (0, 1, 2):
                compare(jager.moduli(state, threads=threads), of_end)
        assert simulation.hash == before
        of_start, = told(path)
        for state in (path, str(path), jager.Case(path), text, jager.Case(path, {"title": "x"})):
            compare(jager.moduli(state), of_start)
        start = jager.Simulation(path, threads=1)
        if start.stage == 0:
            start.finish_stage()
        before = start.hash
        compare(jager.moduli(start), of_start)
        assert start.hash == before and (start.stage_has_ended or start.steps == 0)


def isotropic(c: np.ndarray) -> tuple[float, float]:
    """Bulk and shear modulus of the isotropic stiffness that is nearest to this one."""
    bulk = c[:3, :3].sum() / 9
    shear = (np.trace(c[:3, :3]) - (c[:3, :3].sum() - np.trace(c[:3, :3])) / 2 + 3 * np.trace(c[3:, 3:])) / 15
    return float(bulk), float(shear)


def test_averages_and_waves():
    m = jager.moduli(PACKED)
    for values, matrix in ((vars(m), m.stiffness), (m.springs, m.springs_stiffness), (m.affine, m.affine_stiffness)):
        bulk, shear = isotropic(matrix)
        assert math.isclose(values["bulk"], bulk, rel_tol=1e-9) and math.isclose(values["shear"], shear, rel_tol=1e-9)
        assert math.isclose(values["young"], 9 * bulk * shear / (3 * bulk + shear), rel_tol=1e-9)
        assert math.isclose(values["poisson"], (3 * bulk - 2 * shear) / (6 * bulk + 2 * shear), rel_tol=1e-9)
    assert np.allclose(m.springs_stiffness, m.springs_stiffness.T, rtol=1e-6, atol=1e-6 * m.bulk)
    # An assembly that relaxes is softer than one that moves with the cell, whatever the strain.
    assert np.linalg.eigvalsh(m.affine_stiffness - m.springs_stiffness).min() > -1e-6 * m.bulk
    assert m.is_stable and np.linalg.eigvalsh((m.stiffness + m.stiffness.T) / 2).min() > 0
    assert np.allclose(m.wave_p**2 * m.density, np.diag(m.stiffness)[:3], rtol=5e-3)
    for i, j, k in ((0, 1, 5), (0, 2, 4), (1, 2, 3)):
        assert math.isclose(m.wave_s[i, j]**2 * m.density, m.stiffness[k, k], rel_tol=5e-3)
    assert m.shear > 1e7 and m.p > 9e4 and m.spheres == 60 and m.anisotropy < 0.3
    assert repr(m).startswith(f"<jager.Moduli at p {m.p:.4g} Pa: G {m.shear:.4g} Pa, K {m.bulk:.4g} Pa, ")


@QUICK
@given(nu=st.floats(0.0, 0.45), shear=st.floats(1e8, 1e11), overlap=st.floats(1e-5, 1e-3), radius=st.floats(1e-5, 1e-2))
def test_closed_form_of_a_cubic_lattice(nu, shear, overlap, radius):
    """Every sphere is a centre of symmetry: all move with the cell. The contacts are Hertz's and Mindlin's springs."""
    m = jager.moduli(jager.Case(LATTICE, {"material.poisson": nu, "material.shear_modulus": shear, "assembly.lattice": {
        "kind": "fcc", "cells": [2, 2, 2], "radius": radius, "overlap": overlap}}), threads=1)
    depth = overlap * 2 * radius
    normal = 2 * shear / (1 - nu) * math.sqrt(radius / 2 * depth)
    tangential = normal * 2 * (1 - nu) / (2 - nu)
    length = 2 * radius - depth
    volume = (length * math.sqrt(2))**3 / 4  # of one sphere, which has six contacts
    directions = np.array([(1, 1, 0), (1, -1, 0), (1, 0, 1), (1, 0, -1), (0, 1, 1), (0, 1, -1)]) / math.sqrt(2)
    expected = np.zeros((6, 6))
    strains = [np.outer(*np.eye(3)[[i, i]]) for i in range(3)]
    strains += [(np.outer(*np.eye(3)[[i, j]]) + np.outer(*np.eye(3)[[j, i]])) / 2 for i, j in ((1, 2), (0, 2), (0, 1))]
    for n in directions:
        k = tangential * np.eye(3) + (normal - tangential) * np.outer(n, n)
        movements = [strain @ n * length for strain in strains]
        expected += np.array([[u @ k @ v for v in movements] for u in movements]) / volume
    assert np.allclose(m.affine_stiffness, expected, rtol=1e-9, atol=1e-9 * expected.max())
    assert np.allclose(m.springs_stiffness, expected, rtol=1e-7, atol=1e-7 * expected.max())
    force = 2 / 3 * normal * depth
    assert math.isclose(m.p, 6 * force * length / (3 * volume), rel_tol=1e-6)
    assert np.allclose(m.stiffness, expected, rtol=0, atol=4 * m.p)
    density = 2650 * 4 / 3 * math.pi * radius**3 / volume
    assert math.isclose(m.density, density, rel_tol=1e-9) and m.rattlers == 0 and m.contacts == 192


def test_moduli_are_the_response_of_the_simulator():
    simulation = jager.Simulation(LATTICE, threads=1)
    c, before = jager.moduli(simulation).stiffness, simulation.measures
    simulation.step(50)
    after = simulation.measures
    strain = after.strain_zz - before.strain_zz
    assert math.isclose(strain, 50e-10, rel_tol=1e-6)
    for name, value in (("xx", c[0, 2]), ("yy", c[1, 2]), ("zz", c[2, 2])):
        assert math.isclose((after[f"stress_{name}"] - before[f"stress_{name}"]) / strain, value, rel_tol=0.02), name


def test_states_without_moduli(tmp_path):
    for missing in ("no", "no.yaml", tmp_path / "no.jck"):
        with pytest.raises(OSError):
            jager.moduli(missing)
    (tmp_path / "x.jck").write_text("x")
    for wrong in (tmp_path, "x.jck", jager.Case(LATTICE, {"contact.model": ["jager", "linear"]})):
        with pytest.raises(jager.RunError):
            jager.moduli(wrong)
    for wrong in (3, None, [LATTICE]):
        with pytest.raises(TypeError):
            jager.moduli(wrong)
    with pytest.raises(ValueError, match="threads"):
        jager.moduli(LATTICE, threads=-2)
    with pytest.raises(jager.CaseError):
        jager.moduli({"jager": 1})


# ---- Impacts ---------------------------------------------------------------------------------------------------------

PSI = [0.0, 0.25, 0.5, 1.0, 1.5, 2.5, 4.0, 6.0, 9.0]


@pytest.mark.parametrize("model", [*jager.MODELS, "springs"])
@pytest.mark.parametrize("wall", [False, True])
@pytest.mark.parametrize("damping", [0.0, 0.1])
def test_impacts_are_those_of_the_program(model, wall, damping):
    steps = 200
    words = ["--wall"] if wall else ["--radius-b", "2e-3"]
    out = program("impact", "--psi", ",".join(map(str, PSI)), "--speed", "0.01", "--model", model, "--steps", steps,
                  "--damping", damping, *words)
    table = np.genfromtxt(io.StringIO(out), delimiter=",", names=True, dtype=None, encoding="utf-8")
    law = jager.Law(29e9, 0.3, 0.5, model="jager" if model == "springs" else model)
    mine = jager.impact(law, 1e-3, math.inf if wall else 2e-3, approach=0.01, psi=PSI, steps=steps, damping=damping,
                        model=model)
    assert mine.shape == (len(PSI),)
    for name, value in (("psi1", mine["psi1"]), ("psi2", mine["psi2"]), ("spin", mine["spin_a"]),
                        ("e_normal", mine["rebound"] / 0.01), ("steps", mine["steps"]),
                        ("force_error", mine["force_error"])):
        assert np.array_equal(table[name], value), name
    if not wall:
        assert np.array_equal(table["spin_b"], mine["spin_b"])
    lost = (mine["energy_before"] - mine["energy_after"]) / mine["energy_before"]
    assert np.allclose(table["energy_lost"], lost, rtol=1e-12, atol=1e-14)
    assert np.allclose(table["lost_in_dashpots"], mine["viscous"] / mine["energy_before"], rtol=1e-12, atol=1e-15)
    assert mine["separates"].all()
    one_by_one = [jager.impact(law, 1e-3, math.inf if wall else 2e-3, approach=0.01, psi=psi, steps=steps,
                               damping=damping, model=model)[0] for psi in PSI]
    assert np.array(one_by_one, dtype=mine.dtype).tobytes() == mine.tobytes()


@QUICK
@given(nu=st.floats(0.0, 0.45), friction=st.floats(0.05, 1.0), radius=st.floats(1e-4, 1e-1),
       speed=st.floats(1e-5, 1e-3), more=st.floats(0.0, 10.0), wall=st.booleans())
def test_sliding_impacts(nu, friction, radius, speed, more, wall):
    """Above psi1 = 4 chi - 1 the contact slides throughout: the impulse is f times the normal one."""
    law = jager.Law(29e9, nu, friction)
    chi = 7 * (1 - nu) / (2 * (2 - nu))
    psi = 4 * chi + more
    hit = jager.impact(law, radius, math.inf if wall else radius, approach=speed, psi=psi, steps=500)[0]
    assert math.isclose(hit["psi1"], psi, rel_tol=1e-12)
    assert math.isclose(hit["psi2"], psi - 4 * chi, rel_tol=1e-3, abs_tol=1e-3)
    assert math.isclose(hit["rebound"], speed, rel_tol=1e-3)


@QUICK
@given(nu=st.floats(0.0, 0.45), friction=st.floats(0.05, 1.0), ratio=st.floats(-20.0, 20.0), wall=st.booleans(),
       radius=st.floats(1e-4, 1e-1), other=st.floats(0.2, 5.0), density=st.floats(100.0, 10000.0))
def test_conservation_laws(nu, friction, ratio, wall, radius, other, density):
    law, speed = jager.Law(29e9, nu, friction), 1e-4
    b = math.inf if wall else radius * other
    hit = jager.impact(law, radius, b, approach=speed, shear=ratio * speed, density=density, steps=400)[0]
    vt, vn = ratio * speed, speed
    mass = [4 / 3 * math.pi * density * r**3 for r in (radius, b)]
    reduced = 1 / (1 / mass[0] + 1 / mass[1])
    assert math.isclose(hit["energy_before"], reduced * (vn**2 + vt**2) / 2, rel_tol=1e-9)
    # A tangential impulse J changes vt by 7/2 J/m; arms and normal change by the order of overlap over radius.
    impulse = (vt - hit["shear"]) * 2 / 7 * reduced
    small = 10 * hit["depth"] / min(radius, b) * (1 + abs(ratio))**2
    for spin, m, r in zip((hit["spin_a"], hit["spin_b"]), mass, (radius, b)):
        if math.isfinite(r):
            assert math.isclose(spin, 2.5 * impulse / (m * r), rel_tol=small, abs_tol=small * vn / r)
    spins = sum(0.2 * m * (r * spin)**2 for spin, m, r in zip((hit["spin_a"], hit["spin_b"]), mass, (radius, b))
                if math.isfinite(r))
    centres = reduced * (hit["rebound"]**2 + (vt - impulse / reduced)**2) / 2
    assert math.isclose(hit["energy_after"], centres + spins, rel_tol=small)
    assert hit["dissipated"] >= -1e-9 * hit["energy_before"] and hit["viscous"] == 0.0
    assert hit["energy_after"] <= hit["energy_before"] * (1 + 1e-5)
    assert math.isclose(hit["energy_before"], hit["energy_after"] + hit["dissipated"], rel_tol=1e-4)
    mirrored = jager.impact(law, radius, b, approach=speed, shear=-ratio * speed, density=density, steps=400)[0]
    assert mirrored["shear"] == -hit["shear"] and mirrored["rebound"] == hit["rebound"]
    assert mirrored["energy_after"] == hit["energy_after"]


def test_hertz_and_the_reference_of_springs():
    law = jager.Law(29e9, 0.3, 0.5)
    hit = jager.impact(law, 1e-3, math.inf, approach=0.1, shear=0.0)[0]
    modulus = 29e9 / (1 - 0.3)  # E/(2 (1 - nu²)) of two bodies of one material
    mass = 4 / 3 * math.pi * 2650 * 1e-9
    depth = (15 * mass * 0.1**2 / (16 * modulus * math.sqrt(1e-3)))**0.4
    assert math.isclose(2 * hit["depth"], depth, rel_tol=1e-3) or math.isclose(hit["depth"], depth, rel_tol=1e-3)
    assert math.isclose(hit["rebound"], 0.1, rel_tol=1e-5) and hit["shear"] == hit["spin_a"] == 0.0
    exact, springs = (jager.impact(law, psi=PSI, approach=0.01, model=model) for model in ("jager", "springs"))
    assert np.allclose(exact["psi2"], springs["psi2"], atol=1e-4)
    damped = jager.impact(law, psi=PSI, approach=0.01, damping=0.2)
    assert (damped["rebound"] < 0.9 * exact["rebound"]).all() and (damped["viscous"] > 0).all()
    frictionless = jager.impact(law.replace(friction=0.0), approach=0.01, shear=[0.0, 0.02])
    assert np.array_equal(frictionless["shear"], [0.0, 0.02]) and (frictionless["dissipated"] == 0.0).all()


def test_shapes_and_refusals():
    law = jager.Law(29e9, 0.3, 0.5)
    assert jager.impact(law, psi=[]).shape == (0,)
    assert jager.impact(law, psi=1.0).shape == (1,)
    assert jager.impact(law, approach=[0.1, 0.2, 0.3], shear=0.1, steps=50).shape == (3,)
    assert jager.impact(law, approach=0.1, psi=np.arange(4)[::2], steps=50)["psi1"][1] == pytest.approx(2.0)
    for wrong in ({}, {"shear": 1.0, "psi": 1.0}):
        with pytest.raises(TypeError, match="either shear"):
            jager.impact(law, **wrong)
    for wrong in ({"approach": 0.0}, {"approach": -1.0}, {"model": "no"}, {"steps": 3}, {"damping": 2.0},
                  {"density": 0.0}, {"density": -1.0}, {"radius_a": math.inf}, {"radius_a": 0.0}, {"radius_b": -1.0},
                  {"radius_b": 0.0},
                  {"radius_a": math.nan}, {"approach": 1e300}, {"density": math.inf}, {"damping": math.nan},
                  {"psi": math.nan}, {"psi": math.inf}, {"density": math.nan}):
        with pytest.raises(jager.JagerError):
            jager.impact(law, **{"psi": 1.0, **wrong})
    with pytest.raises(jager.RunError, match="overlap by .* of a radius, and Hertz's contact is small"):
        jager.impact(law.replace(G=1e6), psi=1.0)
    with pytest.raises(jager.RunError, match="is lost in rounding"):
        jager.impact(law, psi=1.0, approach=1e-9)
    with pytest.raises(jager.RunError, match="impact 1: at vt/vn = 100 the spheres fly past each other"):
        jager.impact(law, 1e-3, 1e-3, approach=1.0, shear=[1.0, 100.0])
    assert jager.impact(law, 1e-3, approach=1.0, shear=[1.0, 100.0])["separates"].all()  # not of a wall
    with pytest.raises(ValueError):
        jager.impact(law, psi=[1, 2], approach=[1, 2, 3])
    with pytest.raises(jager.JagerError, match="only impacts of spheres can be computed"):
        jager.impact(law.replace(contour="cone", slope=0.1), psi=1.0)
    with pytest.raises(ValueError, match="psi is in units of the friction"):
        jager.impact(law.replace(friction=0.0), psi=1.0)
    with pytest.raises(TypeError):
        jager.impact(law, psi=1.0, steps=100.0)


def test_doubtful_states_are_told():
    simulation = jager.Simulation(ROOT / "examples/biaxial-small.yaml", threads=1)
    simulation.step(3000)  # while it is packed
    with pytest.warns(jager.JagerWarning, match="not in equilibrium: the unbalanced force is .*, limit 0.01"):
        found = jager.moduli(simulation)
    assert found.doubts() and found.unbalanced > 0.01


def test_a_soft_movement_is_told():
    """The message, with made-up values: tests in C check which movements are soft."""
    found = jager.moduli(jager.Simulation(LATTICE))
    assert found.doubts() == []
    found._springs_are_doubtful, found._softest_entry = True, "C55"
    found.softest, found.softest_share = 4e-9, 8e-3
    assert found.doubts() == ["springs_stiffness is unreliable: C55 depends by 0.8 % on one movement that is nearly "
                              "free (stiffness 4e-09 of the mean): use stiffness, which has the initial stress"]


def test_impacts_have_one_dimension():
    with pytest.raises(ValueError, match="one dimension"):
        jager.impact(jager.Law(29e9, 0.15, 0.5), psi=[[0.5, 1.0]])


def test_computations_can_be_stopped(monkeypatch):
    """As if Ctrl-C came before they begin (test_simulation sends the signal). The simulation does not change."""
    simulation = jager.Simulation(LATTICE)
    before, start = simulation.hash, Worker.start
    with monkeypatch.context() as patch:
        patch.setattr(Worker, "start", lambda worker: (worker.watch.stop(), start(worker)))
        with pytest.raises(KeyboardInterrupt):
            jager.moduli(simulation)
        with pytest.raises(KeyboardInterrupt):
            jager.impact(jager.Law(29e9, 0.15, 0.5), approach=1e-4, psi=1.5)
    assert simulation.hash == before and jager.moduli(simulation).shear > 0.0
