# SPDX-License-Identifier: MIT
"""Shared by the tests: settings, and tiny runs of the program, made once in a session.

JAGER_PROGRAM names the program; by default, the one in the build directory `build`.
"""
from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# Examples are the same in every run; HYPOTHESIS_PROFILE=soak looks for new ones.
settings.register_profile("quick", deadline=None, max_examples=25, derandomize=True)
settings.register_profile("soak", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

os.environ["MPLBACKEND"] = "Agg"  # no windows, here and in processes of the tests
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell makes jobs in the background ignore Ctrl-C

ROOT = Path(__file__).resolve().parents[2]
HEAD = """jager: 1
title: "{title}"
material: {{shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}}
assembly:
  packing: {{spheres: {spheres}, sizes: {{uniform: {{min: 0.8 mm, max: 1.2 mm}}}}, pressure: 100 kPa, friction: 0.1}}
output: {{series: 50, snapshot: {snapshot}, plots: false}}
stages:
"""
BIAXIAL = """  - name: rest
    control: {xx: {stress: 100 kPa}, yy: {stress: 100 kPa}, zz: {stress: 100 kPa}}
    until: {steps: 100}
  - name: biaxial
    control: {xx: {stress: 100 kPa}, yy: {strain_rate: 0}, zz: {strain_step: 8e-7}}
    until: {strain_zz: 1 %}
"""
CYCLIC = """  - name: cycles
    control: {xx: {volume: constant}, yy: {volume: constant}, zz: {strain_step: 1e-6}}
    cyclic: {of: q, amplitude: 20 kPa, center: 0 kPa}
    until: {cycles: 3, steps: 20000}
"""
SHEAR = """  - name: shear
    control: {xx: {stress: 100 kPa}, yy: {strain_rate: 0}, zz: {stress: 100 kPa}, xz: {strain_step: 1e-5}}
    until: {strain_xz: 2 %}
"""
RESISTANCE = """  - name: rest
    control: {xx: {stress: 100 kPa}, yy: {stress: 100 kPa}, zz: {stress: 100 kPa}, xz: {stress: 0}}
    until: {unbalanced: 1e-2, steps: 2000}
  - name: shaking
    control: {xx: {strain_rate: 0}, yy: {strain_rate: 0}, zz: {strain_rate: 0}, xz: {strain_rate: 1}}
    cyclic: {of: stress_xz, csr: [0.2, 0.4], center: 0}
    inertial_number: 2e-3
    until: {cycles: 3, r_u: 0.95}
"""
REDUCTION = """  - name: shear
    control: {xx: {stress: 100 kPa}, yy: {stress: 100 kPa}, zz: {stress: 100 kPa}}
    modulus_reduction: {amplitudes: [1e-5, 1e-4, 1e-3], steps_per_cycle: 400, inertial_number: 1e-3, rest_steps: 200}
"""
Maker = Callable[..., Path]


@pytest.fixture(autouse=True)
def no_figures() -> Iterator[None]:
    """No test sees figures of another one."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(scope="session")
def program() -> Path:
    """The program."""
    named = os.environ.get("JAGER_PROGRAM")
    path = Path(named) if named else ROOT / "build" / "src" / "cli" / "jager"
    if not path.is_file():
        (pytest.fail if named else pytest.skip)(f"there is no program {path}: build it, or set JAGER_PROGRAM")
    return path.resolve()


@pytest.fixture(scope="session")
def make_run(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Maker:
    """Runs a case: make_run(NAME, STAGES, *SETTINGS, title=…, spheres=…, snapshot=…) is its directory."""
    place = tmp_path_factory.mktemp("runs")

    def make(name: str, stages: str, *settings: str, title: str = "A test", spheres: int = 50,
             snapshot: int = 0) -> Path:
        case = place / f"{name}.yaml"
        case.write_text(HEAD.format(title=title, spheres=spheres, snapshot=snapshot) + stages, encoding="utf-8")
        options = [word for setting in settings for word in ("--set", setting)]
        command = [str(program), "run", str(case), "-o", str(place / name), "--quiet", "--threads", "2", *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=3000)
        assert done.returncode == 0, done.stderr
        return place / name

    return make


@pytest.fixture(scope="session")
def biaxial_run(make_run: Maker) -> Path:
    """Two stages and snapshots; seed 1, friction 0.5."""
    return make_run("biaxial", BIAXIAL, title="Biaxial <b>test</b> & more", snapshot=2000)


@pytest.fixture(scope="session")
def seed_runs(make_run: Maker, biaxial_run: Path) -> list[Path]:
    """Three runs of one case with the seeds 1, 2, 3."""
    return [biaxial_run, *(make_run(f"seed-{seed}", BIAXIAL, f"seed={seed}") for seed in (2, 3))]


@pytest.fixture(scope="session")
def friction_run(make_run: Maker) -> Path:
    """The biaxial run with friction 0.3."""
    return make_run("friction", BIAXIAL, "material.friction=0.3")


@pytest.fixture(scope="session")
def cyclic_run(make_run: Maker) -> Path:
    """Undrained cycles of q."""
    return make_run("cyclic", CYCLIC)


@pytest.fixture(scope="session")
def warning_run(make_run: Maker) -> Path:
    """Sheared too fast, so that the summary warns."""
    return make_run("warning", SHEAR, title="Too fast", snapshot=1000)


@pytest.fixture(scope="session")
def list_run(make_run: Maker) -> Path:
    """Two models and two cyclic stress ratios, with resistance.csv."""
    return make_run("list", RESISTANCE, "contact.model=[jager,hertz-mindlin]", spheres=40)


@pytest.fixture(scope="session")
def reduction_run(make_run: Maker) -> Path:
    """Two models with reduction.csv. With this seed the loops of the largest amplitude do not close."""
    return make_run("reduction", REDUCTION, "contact.model=[jager,hertz-mindlin]", "seed=4", spheres=40)


@pytest.fixture(scope="session")
def unfinished_run(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Killed in the midst of its second stage, with snapshots and a checkpoint."""
    place = tmp_path_factory.mktemp("unfinished")
    case, out = place / "case.yaml", place / "out"
    case.write_text(HEAD.format(title="Killed", spheres=40, snapshot=200) + BIAXIAL, encoding="utf-8")
    command = [str(program), "run", str(case), "-o", str(out), "--quiet", "--threads", "1", "--set",
               "stages.biaxial.until.strain_zz=50 %", "--set", "checkpoint.steps=500"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        end = time.monotonic() + 3000.0
        while time.monotonic() < end and process.poll() is None and len(list(out.glob("snapshots/*.h5"))) < 8:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    assert len(list(out.glob("snapshots/*.h5"))) >= 8
    yield out
