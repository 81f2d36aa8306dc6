# SPDX-License-Identifier: MIT
"""Compression at held lateral pressure: the strength of a lattice, and how well the lateral stress is held."""
import tempfile

import numpy as np

from common import REFERENCE, ROOT, axes, line

import jager

TITLE = "Compression at held lateral pressure"
CLAIM = ("Compression at constant lateral pressure gives Thornton's strength of a lattice; the lateral stress stays "
         "constant")
QUICK = True
SOURCES = {
    "L5191": "[lammps#5191](https://github.com/lammps/lammps/pull/5191): six bugs of `fix deform/pressure`, found "
             "since the strength of frictional spheres, compressed along z with x and y at constant pressure, was "
             "significantly below the theory. The available text does not name the theory.",
    "T79": "C. Thornton, The conditions for failure of a face-centered cubic array of uniform rigid spheres, "
           "*Géotechnique* 29 (1979) 441–459: σ₁/σ₃ = 2(1 + f)/(1 − f) at failure."}
FRICTIONS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
PRESSURES = (10e3, 100e3, 1e6, 10e6)
MODELS = ("jager", "hertz-mindlin")


def thornton(friction):
    return 2 * (1 + friction) / (1 - friction)


def lattice(friction, pressure, model="jager"):
    """The largest σzz/σxx of the lattice, and the largest error of the lateral stress before it, over the pressure.

    With less damping the lattice loses its symmetry (σxx ≠ σyy) before it fails, at large friction.
    """
    held = {"xx": {"stress": pressure}, "yy": {"stress": pressure}}
    sides = {**held, "zz": {"strain_step": 1e-7 * (pressure / 100e3)**(2 / 3)}}  # elastic strains grow with p^(2/3)
    case = jager.Case(ROOT / "examples" / "lattice-fcc.yaml",
                      {"material.friction": friction, "contact.model": model, "damping.local": 0.5,
                       "stages.rest.control": {**held, "zz": {"stress": pressure}}, "stages.triaxial.control": sides,
                       "output.plots": False,
                       "assembly.lattice.overlap": 1e-4 * (pressure / 100e3)**(2 / 3),
                       "stages.triaxial.until": {"strain_zz": 2e-3 * (pressure / 100e3)**(2 / 3)}})
    with tempfile.TemporaryDirectory() as folder:
        series = case.run(f"{folder}/run", threads=1, progress=False).series
    test = series["stage"] == series["stage"].max()
    ratio = series["stress_zz"][test] / series["stress_xx"][test]
    top = int(ratio.argmax())
    errors = [np.abs(series[key][test][:top + 1] / pressure - 1).max() for key in ("stress_xx", "stress_yy")]
    return ratio[top], max(errors)


def packing():
    """The largest error of the lateral stresses in the drained triaxial test, over the pressure, and the test."""
    case = jager.Case(ROOT / "examples" / "triaxial-drained.yaml",
                      {"assembly.packing.spheres": 300, "output.plots": False,
                       "stages.triaxial.until": {"strain_zz": "2 %"}})
    with tempfile.TemporaryDirectory() as folder:
        series = case.run(f"{folder}/run", threads=1, progress=False).series
    last = series["stage"].max()
    test = {key: series[key][series["stage"] == last] for key in ("strain_zz", "stress_xx", "stress_yy", "stress_zz")}
    return test


def make(figures):
    figure, (left, right) = axes()
    fine = np.linspace(0.05, 0.65, 100)
    left.plot(fine, thornton(fine), color=REFERENCE, label="rigid spheres (T79)")
    held = 0.0
    for model, mark in zip(MODELS, "o+"):
        ratios = []
        for friction in FRICTIONS:
            ratio, error = lattice(friction, 100e3, model)
            held = max(held, error)
            ratios.append(ratio)
            figures.add(f"strength_{10 * friction:.0f}_{model.replace('-', '_')}", ratio, "", thornton(friction), "T79")
        left.plot(FRICTIONS, ratios, mark, color=line(model)["color"], mfc="none", ms=7 if mark == "o" else 6,
                  label=line(model)["label"])
    left.set(xlabel="friction coefficient f", ylabel=r"$\sigma_{zz}/\sigma_{xx}$ at failure", xlim=(0, 0.7),
             ylim=(2, 10))
    left.legend(loc="upper left")
    figures.add("held_lattice", 100 * held, "%", 0.0, "L5191", floor=1e-9)
    for pressure in PRESSURES:
        figures.add(f"strength_at_{pressure / 1e3:.0f}_kpa", lattice(0.5, pressure)[0], "", thornton(0.5), "T79")
    test = packing()
    pressure = 100e3
    error = max(np.abs(test[key] / pressure - 1).max() for key in ("stress_xx", "stress_yy"))
    figures.add("held_packing", 100 * error, "%", 0.0, "L5191", floor=1e-9)
    figures.add("held_packing_mean", 100 * abs(test["stress_xx"].mean() / pressure - 1), "%", 0.0, "L5191", floor=1e-9)
    figures.add("packing_peak", test["stress_zz"].max() / pressure, "")
    right.plot(100 * test["strain_zz"], test["stress_zz"] / 1e3, **line("jager", label=r"$\sigma_{zz}$"))
    right.plot(100 * test["strain_zz"], test["stress_xx"] / 1e3, color="#0072B2", ls="--", label=r"$\sigma_{xx}$")
    right.plot(100 * test["strain_zz"], test["stress_yy"] / 1e3, color="#E69F00", ls=":", label=r"$\sigma_{yy}$")
    right.set(xlabel=r"axial strain $\varepsilon_{zz}$ (%)", ylabel="stress (kPa)", ylim=(0, None))
    right.legend(loc="center right")
    figures.picture(figure, "strength")
