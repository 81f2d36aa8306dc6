# SPDX-License-Identifier: MIT
"""The elastic stiffness of an assembly at one moment."""
from __future__ import annotations

import html
import pathlib
import warnings
from typing import Any, Mapping, Union

import numpy as np

from ._case import Case, CaseLike, JagerWarning
from ._errors import RunError
from ._library import Floats, thread_count
from ._native import ffi, lib
from ._running import compute
from ._runs import Run
from ._simulation import Simulation

UNBALANCED_LIMIT = 1e-2  # beyond, a state is not in equilibrium
KINDS = ("stressed", "springs", "affine")
StateLike = Union[Simulation, Run, CaseLike]


class Moduli:
    """The small-strain stiffness of an assembly with all contacts stuck, as `jager moduli` gives it.

    Attributes:
        stiffness: 6 × 6, Pa, in Voigt's order xx, yy, zz, yz, xz, xy with shear strains gamma = 2 epsilon.
        bulk, shear, young, poisson: of the nearest isotropic stiffness; `shear` is Gmax, Pa.
        anisotropy: distance from the isotropic stiffness; 0: isotropic.
        wave_p: velocities of compression waves along x, y, z, m/s.
        wave_s: velocities of shear waves, [i, j]: along axis i, motion along axis j, m/s.
        springs, affine: the same averages of the springs without initial stress, and with all grains moving with the
            cell (Voigt's bound), as dicts.
        springs_stiffness, affine_stiffness: their 6 × 6 matrices.
        p, stress: of all contacts, Pa; the stress in Voigt's order.
        density: kg/m³.
        spheres, grains: numbers of all spheres and of all grains, which are the spheres unless these form clumps.
        rattlers, contacts: numbers of grains without load, and of contacts between the others.
        floppy: movements of single grains that no contact resists.
        softest, softest_share: the stiffness of the softest movement of the springs over their mean stiffness, and by
            which share a diagonal entry of springs_stiffness would rise if that movement were held.
        is_stable: is the stiffness positive definite?
        resisted: strains that the springs resist; 6 unless the assembly is floppy.
        unbalanced: how far the state is from equilibrium.
        residual: of the solution.
    """

    def __init__(self, c: Any) -> None:
        self.spheres, self.grains, self.rattlers, self.contacts, self.floppy = (
            int(c.spheres), int(c.grains), int(c.rattlers), int(c.contacts), int(c.floppy))
        self.p, self.density, self.unbalanced = float(c.p), float(c.density), float(c.unbalanced)
        self.stress = _array(c.stress, 6)
        self.stiffness = _array(c.stiffness[0], 6, 6)
        self.wave_p, self.wave_s = _array(c.wave_p, 3), _array(c.wave_s, 3, 3)
        self.softest, self.softest_share = float(c.softest), float(c.softest_share)
        self._softest_entry = f"C{c.softest_strain + 1}{c.softest_strain + 1}"
        self._springs_are_doubtful = bool(c.springs_are_doubtful)
        self.resisted, self.is_stable, self.residual = int(c.resisted), bool(c.is_stable), float(c.residual)
        averages = [_averages(c, kind) for kind in range(len(KINDS))]
        self.bulk, self.shear = averages[0]["bulk"], averages[0]["shear"]
        self.young, self.poisson = averages[0]["young"], averages[0]["poisson"]
        self.anisotropy = averages[0]["anisotropy"]
        self.springs, self.affine = averages[1], averages[2]
        self.springs_stiffness, self.affine_stiffness = _array(c.stiffness[1], 6, 6), _array(c.stiffness[2], 6, 6)

    def doubts(self) -> list[str]:
        """What is doubtful about the state; `jager.moduli` warns of it."""
        texts = []
        if self.unbalanced > UNBALANCED_LIMIT:
            texts.append(f"the state is not in equilibrium: the unbalanced force is {self.unbalanced:.2g}, limit "
                         f"{UNBALANCED_LIMIT:g}: let the assembly rest first, in a stage with until: "
                         "{unbalanced: 1e-4}")
        if self.resisted < 6:
            texts.append(f"the contacts resist only {self.resisted} of the 6 strains: the assembly is floppy")
        if self._springs_are_doubtful:
            texts.append(f"springs_stiffness is unreliable: {self._softest_entry} depends by "
                         f"{100.0 * self.softest_share:.2g} % on one movement that is nearly free (stiffness "
                         f"{self.softest:.2g} of the mean): use stiffness, which has the initial stress")
        if not self.is_stable:
            texts.append("with the initial stress the stiffness is not positive: the assembly is not stable")
        return texts

    def __repr__(self) -> str:
        return (f"<jager.Moduli at p {self.p:.4g} Pa: G {self.shear:.4g} Pa, K {self.bulk:.4g} Pa, "
                f"E {self.young:.4g} Pa, nu {self.poisson:.3f}>")

    def _repr_html_(self) -> str:
        rows = {"mean stress p": f"{self.p:.5g} Pa", "shear modulus G": f"{self.shear:.5g} Pa",
                "bulk modulus K": f"{self.bulk:.5g} Pa", "Young's modulus E": f"{self.young:.5g} Pa",
                "Poisson's ratio": f"{self.poisson:.4f}", "anisotropy": f"{self.anisotropy:.3g}",
                "grains without load": f"{self.rattlers} of {self.grains}"}
        cells = "".join(f"<tr><th>{html.escape(key)}</th><td>{value}</td></tr>" for key, value in rows.items())
        return f"<table><caption>jager.Moduli</caption>{cells}</table>"


def _array(values: Any, *shape: int) -> Floats:
    return np.frombuffer(ffi.buffer(values), dtype="f8").reshape(shape).copy()


def _averages(c: Any, kind: int) -> dict[str, float]:
    return {name: float(getattr(c, name)[kind]) for name in ("bulk", "shear", "young", "poisson", "anisotropy")}


def moduli(state: StateLike, *, threads: int = 0) -> Moduli:
    """The small-strain elastic stiffness of a state.

    Args:
        state: a Simulation as it is now; a Run or the directory of a run (its last checkpoint counts); a checkpoint; a
            Case, or the path of a case file or anything else that Case takes, whose assembly is made as a run would
            make it, packing included.
        threads: 0: as many as there are processors. Results do not depend on them.
    """
    simulation = _simulation_of(state, threads)
    result, count = ffi.new("binding_moduli *"), thread_count(threads)
    with simulation._use() as c:
        compute(lambda watch, error: lib.binding_simulation_moduli(c, count, result, watch, error))
    found = Moduli(result)
    for text in found.doubts():
        warnings.warn(text, JagerWarning, stacklevel=2)
    return found


def _simulation_of(state: StateLike, threads: int) -> Simulation:
    if isinstance(state, Simulation):
        return state
    if isinstance(state, Case):
        simulation = Simulation(state, threads=threads)
        if simulation.stage == 0 and not simulation.stage_has_ended:
            simulation.finish_stage()
        return simulation
    if isinstance(state, Mapping) or (isinstance(state, str) and "\n" in state):
        return _simulation_of(Case(state), threads)
    path = pathlib.Path(state.path if isinstance(state, Run) else state).expanduser()
    if path.is_dir():
        checkpoint = path / "checkpoint.jck"
        if not checkpoint.exists():
            raise RunError(f"{path} has no checkpoint: it is not the directory of a run, or of a case with lists, "
                           "whose runs are in its folders")
        return Simulation.restore(checkpoint, threads=threads)
    if path.suffix in (".yaml", ".yml"):
        return _simulation_of(Case(path), threads)
    return Simulation.restore(path, threads=threads)
