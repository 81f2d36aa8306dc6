# SPDX-License-Identifier: MIT
"""Sweeps: their runs are ordinary ones, they continue where they were stopped, and their table is right."""
from __future__ import annotations

import csv
import json
import math
import os
import pathlib
import pickle
import re
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest

import jager
from jager._figures import figures_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = str(pathlib.Path(jager.__file__).parents[1])  # where the tested package is
PROGRAM = os.environ.get("JAGER_PROGRAM", str(ROOT / "build/src/cli/jager"))
MATERIAL = "material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}"
LATTICE = f"""jager: 1
title: Lattice
{MATERIAL}
assembly:
  lattice: {{kind: fcc, cells: [2, 2, 2], radius: 0.5 mm, overlap: 1e-4}}
output: {{series: 10, plots: false}}
stages:
  - name: rest
    control: {{xx: {{stress: 100 kPa}}, yy: {{stress: 100 kPa}}, zz: {{stress: 100 kPa}}}}
    until: {{steps: 50}}
  - name: triaxial
    control: {{xx: {{stress: 100 kPa}}, yy: {{stress: 100 kPa}}, zz: {{strain_step: 1e-7}}}}
    until: {{steps: 60}}
"""
PACKED = f"""jager: 1
title: Packed
{MATERIAL}
assembly:
  packing: {{spheres: 80, sizes: {{uniform: {{min: 0.8 mm, max: 1.2 mm}}}}, pressure: 100 kPa, friction: 0.1}}
output: {{series: 20, plots: false}}
stages:
  - name: shear
    control: {{xx: {{stress: 100 kPa}}, yy: {{stress: 100 kPa}}, zz: {{strain_step: 1e-6}}}}
    until: {{strain_zz: 0.05 %}}
"""
UNDRAINED = PACKED.split("stages:")[0] + """stages:
  - name: rest
    control: {xx: {stress: 100 kPa}, yy: {stress: 100 kPa}, zz: {stress: 100 kPa}, xz: {stress: 0}}
    until: {steps: 200}
  - name: cycles
    control: {xx: {strain_rate: 0}, yy: {strain_rate: 0}, zz: {strain_rate: 0}, xz: {strain_rate: 1}}
    cyclic: {of: stress_xz, csr: 0.2, center: 0}
    inertial_number: 2e-3
    until: {cycles: 2, r_u: 0.95}
"""


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def grid(tmp_path_factory):
    """Three seeds and two frictions, with shared packings."""
    place = tmp_path_factory.mktemp("grid")
    return jager.sweep(PACKED, {"seed": range(1, 4), "material.friction": [0.3, 0.5]}, place / "sweep", workers=2)


def hash_in(run) -> str:
    return re.search(r"^hash ([0-9a-f]{16})$", run.summary, re.MULTILINE)[1]


def times(folder) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in pathlib.Path(folder).rglob("*") if path.name != "sweep.csv"}


# ---- Runs ------------------------------------------------------------------------------------------------------------


def test_product_of_values_and_directories():
    over = {"material.friction": (0.3, "50 %"), "stages.triaxial.until": [{"steps": 20}, {"steps": 40}],
            "gravity": [np.zeros(3)], "contact.tolerance": np.array([0.0, 1e-3]), "title": "one text"}
    swept = jager.sweep(LATTICE, over, "out")
    assert swept.keys == list(over) and len(swept.runs) == 8
    assert swept.values[0] == ("0.3", "{steps: 20}", "[0.0, 0.0, 0.0]", "0.0", "one text")
    assert [values[0] for values in swept.values] == ["0.3"] * 4 + ["50 %"] * 4
    folders = [run.path.name for run in swept.runs]
    assert len(set(folders)) == 8 and sorted(folders + ["sweep.csv"]) == sorted(os.listdir("out"))
    assert folders[0] == "friction-0.3_until-steps_20_gravity-0.0_0.0_0.0_tolerance-0.0_title-one_text"
    for values, run in zip(swept.values, swept.runs):
        alone = jager.Case(LATTICE, [f"{key}={value}" for key, value in zip(over, values)])
        assert run.case_text == alone.text and run.is_complete
        assert hash_in(run) == hash_in(alone.run("alone", force=True))  # no packing: the same bits
        assert (run.path / "series.csv").read_bytes() == pathlib.Path("alone/series.csv").read_bytes()


def test_wrong_sweeps(tmp_path):
    for over, problem, text in (
            ({}, ValueError, "a sweep needs keys"), ({"seed": []}, ValueError, "has no values"),
            ({"seed": range(0)}, ValueError, "has no values"), ({"seed": [1, 1]}, ValueError, "twice"),
            ({"title": ["a b", "a_b"]}, ValueError, "signs that a name cannot have"),
            ({"sed": [1]}, jager.CaseError, "did you mean 'seed'"),
            ({"seed": [1, "x"]}, jager.CaseError, "whole number"),
            ({"seed": [None]}, TypeError, "NoneType"), ({"material.friction": -1}, jager.CaseError, "must lie in")):
        with pytest.raises(problem, match=text):
            jager.sweep(LATTICE, over, "out")
    for options in ({"workers": -1}, {"threads": -1}):
        with pytest.raises(ValueError, match="number of"):
            jager.sweep(LATTICE, {"seed": 1}, "out", **options)
    assert not (tmp_path / "out").exists() or os.listdir("out") == []
    with pytest.raises(OSError):
        jager.sweep("no.yaml", {"seed": 1}, "out")
    (tmp_path / "file").write_text("x")
    with pytest.raises(OSError):
        jager.sweep(LATTICE, {"seed": 1}, "file")
    swept = jager.sweep(LATTICE, {"contact": {"model": "linear"}}, "out")  # a dict is one value
    assert swept.values == [("{model: linear}",)]
    long = jager.sweep(LATTICE, {"title": ["x" * 300, "x" * 299]}, "long")
    assert len({run.path.name for run in long.runs}) == 2 and all(len(run.path.name) <= 120 for run in long.runs)


def test_shared_packings(grid, tmp_path):
    """Packings equal single runs; later stages differ, since stiffnesses are taken at another moment."""
    packings = sorted(grid.path.glob("packing-*.jck"))
    assert len(packings) == 3
    scatter = {name: np.std([f[name] for f, v in zip(grid.figures, grid.values) if v[1] == "0.3"], ddof=1)
               for name in grid.names()}
    for values, run, figures in zip(grid.values, grid.runs, grid.figures):
        case = jager.Case(PACKED, {"seed": values[0], "material.friction": values[1]})
        alone = case.run(tmp_path / "-".join(values))
        own = figures_of(alone)
        assert {name for name in own if not name.startswith("packing.")} == set(figures)
        for name, value in figures.items():
            assert math.isclose(value, own[name], rel_tol=0.03, abs_tol=max(0.2 * scatter[name], 2e-5)), (values, name)
        simulation = jager.Simulation(case, threads=1)
        simulation.finish_stage()
        assert simulation.hash in {jager.Simulation.restore(path).hash for path in packings}
        assert run.series["stage"][0] == 1
        assert run.series["void_ratio"][0] == pytest.approx(simulation.measures.void_ratio)


@pytest.mark.filterwarnings("ignore::jager.JagerWarning")
def test_a_packing_is_the_same_whoever_makes_it():
    case = jager.Case(PACKED, {"assembly.packing.spheres": 30, "stages.0.until": {"steps": 5}, "trace": [
        {"born": {"strain_zz": "1 %"}, "stage": "shear", "window": 1e-3}]})
    one = jager.sweep(case, {"stages.0.control.zz.strain_step": [1e-6, 2e-6], "seed": [1, 2]}, "one")
    two = jager.sweep(case, {"seed": [2, 1], "stages.0.control.zz.strain_step": [2e-6, 1e-6]}, "two", workers=1)
    files = [sorted(sweep.path.glob("packing-*")) for sweep in (one, two)]
    assert len(files[0]) == 2 and [path.name for path in files[0]] == [path.name for path in files[1]]
    for a, b in zip(*files):
        a, b = jager.Simulation.restore(a), jager.Simulation.restore(b)
        assert a.hash == b.hash and {key: value for key, value in a.case.keys.items() if key.startswith("stages")} == \
            {key: value for key, value in b.case.keys.items() if key.startswith("stages")}
    assert {values[0] + values[1]: hash_in(run) for values, run in zip(one.values, one.runs)} == \
        {values[1] + values[0]: hash_in(run) for values, run in zip(two.values, two.runs)}


def test_what_shares_a_packing():
    def packings(over, text=PACKED):
        folder = f"out{len(os.listdir('.'))}"
        jager.sweep(jager.Case(text, {"stages.0.until": {"steps": 5}}), over, folder)
        return len(list(pathlib.Path(folder).glob("packing-*")))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jager.JagerWarning)
        small = PACKED.replace("spheres: 80", "spheres: 20")
        assert packings({"material.friction": [0.3, 0.5], "stages.0.control.zz.strain_step": [1e-6, 2e-6]}, small) == 1
        assert packings({"seed": [1, 2]}, small) == 0
        assert packings({"assembly.packing.friction": [0.1, 0.2], "material.friction": [0.4, 0.5]}, small) == 2
        assert packings({"contact.tolerance": [0, 1e-3]}, small) == 0  # they pack with friction
        assert packings({"contact.tolerance": [0, 1e-3], "assembly.packing.friction": 0}, small) == 1
        assert packings({"contact.model": ["jager", "linear"]}, small) == 0
        assert packings({"material.friction": [0.3, 0.5]}, LATTICE) == 0


# ---- Continuing ------------------------------------------------------------------------------------------------------


def test_a_second_time_nothing_is_made(grid):
    copied = pathlib.Path("moved")
    shutil.copytree(grid.path, copied)  # also somewhere else
    before = times(copied)
    over = {"seed": range(1, 4), "material.friction": [0.3, 0.5]}
    again = jager.sweep(PACKED, over, copied)
    assert times(copied) == before
    assert repr(again.figures) == repr(grid.figures) and again.values == grid.values
    assert (copied / "sweep.csv").read_text().replace("moved", str(grid.path)) == (grid.path / "sweep.csv").read_text()
    for path in copied.glob("packing-*"):
        path.unlink()  # runs that are complete need it no more
    assert repr(jager.sweep(PACKED, over, copied).figures) == repr(grid.figures)
    assert not list(copied.glob("packing-*"))


def test_a_run_that_was_deleted_is_made_again(grid):
    copied = pathlib.Path("copied")
    shutil.copytree(grid.path, copied)
    lost = copied / grid.runs[3].path.name
    shutil.rmtree(lost)
    before = times(copied)
    over = {"seed": range(1, 4), "material.friction": [0.3, 0.5]}
    again = jager.sweep(PACKED, over, copied)
    assert repr(again.figures) == repr(grid.figures) and hash_in(again.runs[3]) == hash_in(grid.runs[3])
    assert {path: at for path, at in times(copied).items() if path in before and path not in map(str, lost.rglob("*"))
            and path not in (str(copied),)} == {path: at for path, at in before.items() if path != str(copied)}
    # A packing that is lost or damaged is made again.
    packing = sorted(copied.glob("packing-*"))[0]
    good = packing.read_bytes()
    for damage in (packing.unlink, lambda: packing.write_bytes(good[:1000])):
        damage()
        for path in list(copied.glob("seed-*_friction-0.3")):
            shutil.rmtree(path)
        assert repr(jager.sweep(PACKED, over, copied).figures) == repr(grid.figures)


def test_a_sweep_can_be_extended(grid):
    copied = pathlib.Path("copied")
    shutil.copytree(grid.path, copied)
    kept = times(copied)
    smaller = jager.sweep(PACKED, {"seed": [3, 1], "material.friction": [0.5]}, copied)
    assert [hash_in(run) for run in smaller.runs] == [hash_in(grid.runs[5]), hash_in(grid.runs[1])]
    larger = jager.sweep(PACKED, {"seed": [0, *range(1, 4)], "material.friction": [0.3, 0.4, 0.5]}, copied)
    assert len(larger.runs) == 12
    now = times(copied)
    assert {path for path, at in kept.items() if now[path] != at} <= {str(copied)}
    mine = {values: hash_in(run) for values, run in zip(larger.values, larger.runs)}
    assert all(mine[values] == hash_in(run) for values, run in zip(grid.values, grid.runs))
    # The other way: a run with a packing of its own, which the larger sweep would have shared.
    alone = jager.sweep(PACKED, {"seed": [1], "material.friction": [0.3]}, "alone").runs[0]
    both = jager.sweep(PACKED, {"seed": [1], "material.friction": [0.3, 0.5]}, "alone")
    assert both.runs[0].path == alone.path and "packing.p" in both.figures[0]


def test_another_case_is_refused_unless_forced():
    over = {"material.friction": [0.3, 0.5]}
    first = jager.sweep(LATTICE, over, "out")
    before = times("out")
    for changes in ({"title": "x"}, {"output.series": 5}, {"stages.1.until.steps": 70}):
        with pytest.raises(jager.RunError) as caught:
            jager.sweep(jager.Case(LATTICE, changes), over, "out")
        assert str(caught.value).startswith("2 of 2 runs have failed:\n")
        assert str(caught.value).count("has a run of another case: force=True replaces it") == 2
        assert times("out") == before
    forced = jager.sweep(jager.Case(LATTICE, {"stages.1.until.steps": 70}), over, "out", force=True)
    assert [run.series["step"][-1] for run in forced.runs] == [120, 120]
    assert [run.reload().series["step"][-1] for run in first.runs] == [120, 120]
    again = jager.sweep(jager.Case(LATTICE, {"stages.1.until.steps": 70}), over, "out", force=True)
    assert [hash_in(run) for run in again.runs] == [hash_in(run) for run in forced.runs]


@pytest.mark.parametrize("model", ["jager", ["jager", "linear"]])
def test_a_run_without_a_checkpoint_is_replaced_only_by_force(model):
    case, over = jager.Case(LATTICE, {"contact.model": model}), {"seed": [1, 2]}
    swept = jager.sweep(case, over, "out")
    figures, folder = swept.figures, swept.runs[0].path
    (folder / "notes.txt").write_text("mine")
    for path in list(folder.rglob("checkpoint*")):
        path.unlink()
    before = times("out")
    for of in (case, case.changed({"title": "Another"})):
        with pytest.raises(jager.RunError) as caught:
            jager.sweep(of, {"seed": [1]}, "out")
        assert f"{folder}: has a run without a checkpoint: force=True replaces it" in str(caught.value)
        assert times("out") == before
    assert jager.sweep(case, over, "out", force=True).figures == figures
    for path in list(folder.rglob("*"))[::-1]:  # a folder without a run is used
        if path.name != "notes.txt":
            path.rmdir() if path.is_dir() else path.unlink()
    assert jager.sweep(case, over, "out").figures == figures and (folder / "notes.txt").read_text() == "mine"


def test_a_run_killed_before_its_summary_is_resumed():
    swept = jager.sweep(LATTICE, {"seed": [1, 2]}, "out")
    expected = [hash_in(run) for run in swept.runs]
    (swept.runs[1].path / "summary.txt").unlink()
    assert [hash_in(run) for run in jager.sweep(LATTICE, {"seed": [1, 2]}, "out").runs] == expected


@pytest.mark.filterwarnings("ignore::jager.JagerWarning")
def test_a_run_with_only_the_checkpoint_before_is_resumed(monkeypatch):
    case = jager.Case(LATTICE, {"checkpoint.steps": 30})
    swept = jager.sweep(case, {"seed": [1]}, "out")
    expected, folder = hash_in(swept.runs[0]), swept.runs[0].path
    os.replace(folder / "checkpoint.jck", folder / "checkpoint-before.jck")
    (folder / "summary.txt").unlink()
    resumed, run = [], jager.Case.run
    monkeypatch.setattr(jager.Case, "run", lambda *of, **options: resumed.append(options) or run(*of, **options))
    assert hash_in(jager.sweep(case, {"seed": [1]}, "out").runs[0]) == expected
    assert [(options["resume"], options["force"]) for options in resumed] == [(True, False)]


def test_the_table_is_not_written_through_a_link(tmp_path):
    swept = jager.sweep(LATTICE, {"seed": [1]}, "out")
    precious, temporary = tmp_path / "precious", pathlib.Path(f"out/sweep.csv.tmp-{os.getpid()}")
    precious.write_text("kept")
    temporary.symlink_to(precious)
    before = pathlib.Path("out/sweep.csv").read_bytes()
    with pytest.raises(jager.RunError, match="exists already; remove it"):
        swept.write()
    assert precious.read_text() == "kept" and pathlib.Path("out/sweep.csv").read_bytes() == before
    temporary.unlink()
    swept.write()
    assert pathlib.Path("out/sweep.csv").read_bytes() == before and not list(pathlib.Path("out").glob("*.tmp*"))


def test_lists_in_a_sweep():
    case = jager.Case(LATTICE, {"contact.model": ["jager", "hertz-mindlin"]})
    over = {"material.friction": [0.2, 0.4]}
    swept = jager.sweep(case, over, "out")
    assert list(swept.runs[0].members) == ["jager", "hertz-mindlin"]
    assert {name.split(".")[0] for name in swept.names()} == {"jager", "hertz-mindlin"}
    before = times("out")
    assert jager.sweep(case, over, "out").figures == swept.figures and times("out") == before
    shutil.rmtree("out/friction-0.4/hertz-mindlin")
    assert jager.sweep(case, over, "out").figures == swept.figures
    with pytest.raises(jager.RunError, match="made with another case"):
        jager.sweep(case.changed({"material.density": 2700}), over, "out")
    for name in ("jager", "hertz-mindlin"):
        alone = jager.Case(LATTICE, {"contact.model": name, "material.friction": 0.2}).run(f"alone-{name}")
        assert hash_in(alone) == hash_in(swept.runs[0].members[name])


def test_failures_are_told_when_the_others_are_done():
    over = {"overlap_limit": [1e-6, 0.1, 2e-6, 0.05]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jager.JagerWarning)
        with pytest.raises(jager.RunError) as caught:
            jager.sweep(LATTICE, over, "out", workers=1)
        assert str(caught.value).startswith("2 of 4 runs have failed:\nout/overlap_limit-1e-06: step 1: spheres ")
        assert "out/overlap_limit-2e-06: " in str(caught.value)
        assert isinstance(caught.value.__cause__, jager.RunError)
        assert all(jager.open(f"out/overlap_limit-{value}").is_complete for value in (0.1, 0.05))
        before = times("out/overlap_limit-0.1")
        with pytest.raises(jager.RunError, match="2 of 4 runs have failed"):
            jager.sweep(LATTICE, over, "out")
        assert times("out/overlap_limit-0.1") == before
    assert len(jager.sweep(LATTICE, {"overlap_limit": [0.1, 0.05]}, "out").runs) == 2
    # Each run of a packing that fails reports it.
    hopeless = jager.Case(PACKED, {"assembly.packing.max_steps": 10})
    with pytest.raises(jager.RunError, match="2 of 2 runs have failed"):
        jager.sweep(hopeless, {"material.friction": [0.3, 0.5]}, "hopeless")


# ---- Ctrl-C ----------------------------------------------------------------------------------------------------------

CODE = """
import jager, sys
case = jager.Case(open('case.yaml').read(), {'assembly.packing.spheres': 150})
print('go', flush=True)
try:
    jager.sweep(case, {'material.friction': [0.3, 0.5], 'seed': [1, 2]}, 'out', workers=2)
except KeyboardInterrupt as problem:
    print('INTERRUPTED', problem)
"""


def test_interrupted_sweeps_continue_to_the_same_bits(tmp_path):
    (tmp_path / "case.yaml").write_text(PACKED)
    stops = 0
    for after in (0.2, 0.6, 0.3):
        process = subprocess.Popen([sys.executable, "-c", CODE], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, start_new_session=True,
                                   env={**os.environ, "PYTHONPATH": PACKAGES})
        assert process.stdout.readline() == "go\n"
        time.sleep(after)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=3000)
        if not out:  # it was done before
            break
        assert process.returncode == 0 and "Traceback" not in err, out + err
        assert out == "INTERRUPTED stopped; the same sweep continues in out\n"
        stops += 1
    assert stops > 0
    case = jager.Case(PACKED, {"assembly.packing.spheres": 150})
    over = {"material.friction": [0.3, 0.5], "seed": [1, 2]}
    resumed, whole = jager.sweep(case, over, "out"), jager.sweep(case, over, "whole")
    for a, b in zip(resumed.runs, whole.runs):
        assert hash_in(a) == hash_in(b)
        assert (a.path / "series.csv").read_bytes() == (b.path / "series.csv").read_bytes()
    assert repr(resumed.figures) == repr(whole.figures)


def test_exceptions_of_a_progress_function_stop_the_sweep():
    seen = []

    def stop(now):
        seen.append(now)
        raise ZeroDivisionError
    case = jager.Case(PACKED, {"assembly.packing.spheres": 300})
    with pytest.raises(ZeroDivisionError):
        jager.sweep(case, {"seed": range(1, 9)}, "out", progress=stop)
    assert len(seen) == 1 and isinstance(seen[0], jager.Progress) and seen[0].stage_count == 8
    assert threading.active_count() < 20
    assert len([path for path in pathlib.Path("out").iterdir() if path.is_dir()]) < 8


def test_progress_of_a_sweep(capfd):
    seen = []
    jager.sweep(PACKED, {"seed": [1, 2, 3]}, "out", progress=seen.append, workers=1)
    assert all(0.0 <= now.fraction <= 1.0 and now.stage_count == 3 for now in seen)
    assert [now.fraction for now in seen] == sorted(now.fraction for now in seen)
    assert seen and seen[-1].stage == 3 or seen[-1].fraction > 0.3
    assert capfd.readouterr() == ("", "")
    jager.sweep(PACKED, {"seed": [1, 2, 3]}, "out2", progress=True)
    assert "runs (" in capfd.readouterr().err


def test_warnings_of_cases_come_once(recwarn):
    soft = LATTICE.replace("shear_modulus: 29 GPa", "shear_modulus: 0.9 MPa").replace("100 kPa", "1 kPa")
    jager.sweep(soft, {"seed": [1, 2, 3], "material.density": [2650, 2700]}, "out")
    of_case = [str(warning.message) for warning in recwarn if "is the unit right?" in str(warning.message)]
    assert len(of_case) == 1 and "shear_modulus" in of_case[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        jager.sweep(LATTICE, {"material.friction": [0.3, 0.5]}, "quiet")
        with pytest.raises(jager.JagerWarning):
            jager.sweep(LATTICE, {"material.friction": [0.3, 3.0]}, "told")


# ---- The table -------------------------------------------------------------------------------------------------------


def test_means_and_deviations(grid):
    groups = grid.groups()
    assert [(group["material.friction"], group["count"]) for group in groups] == [("0.3", 3), ("0.5", 3)]
    rows = grid.rows()
    for group in groups:
        members = [row for row in rows if row["material.friction"] == group["material.friction"]]
        assert [row["seed"] for row in members] == ["1", "2", "3"]
        for name in grid.names():
            values = [row[name] for row in members]
            assert group[name][0] == pytest.approx(statistics.fmean(values), rel=1e-12)
            assert group[name][1] == pytest.approx(statistics.stdev(values), rel=1e-9, abs=1e-12 * abs(values[0]))
    text = str(grid)
    assert text.startswith("material.friction 0.3: 3 runs\n") and "shear.largest q" in text
    mean, deviation = groups[0]["shear.q"]
    assert f"{mean:.5g} ± {deviation:.2g}" in text
    assert repr(grid).startswith("<jager.Sweep of 6 runs over seed, material.friction")
    assert grid._repr_html_().startswith("<pre>")
    single = jager.sweep(LATTICE, {"seed": [5]}, "single")
    assert str(single).startswith("all runs: 1 run\n") and "±" not in str(single)
    assert math.isnan(single.groups()[0]["rest.p"][1])


def test_table_as_a_file_and_a_frame(grid):
    with open(grid.path / "sweep.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6 and list(rows[0]) == ["seed", "material.friction", "run", *grid.names()]
    for row, values, run, figures in zip(rows, grid.values, grid.runs, grid.figures):
        assert (row["seed"], row["material.friction"]) == values and row["run"] == str(run.path)
        assert {name: float(row[name]) for name in grid.names()} == figures
        last = run.series[-1]
        assert float(row["shear.q"]) == last["q"] and float(row["shear.void_ratio"]) == last["void_ratio"]
    assert not list(grid.path.glob("*.tmp*"))
    pytest.importorskip("pandas")
    frame = grid.frame()
    assert frame["seed"].tolist() == [1, 1, 2, 2, 3, 3]
    assert frame["material.friction"].tolist() == [0.3, 0.5] * 3
    assert frame.groupby("material.friction")["shear.q"].mean()[0.3] == pytest.approx(grid.groups()[0]["shear.q"][0])
    odd = jager.sweep(LATTICE, {"title": ['a, "b"', "c"]}, "odd")
    with open("odd/sweep.csv", newline="", encoding="utf-8") as file:
        assert [row["title"] for row in csv.DictReader(file)] == ['a, "b"', "c"]
    assert odd.frame()["title"].tolist() == ['a, "b"', "c"]


SHEARED = LATTICE.replace("zz: {strain_step: 1e-7}", "zz: {stress: 100 kPa}, xz: {gamma_step: 1e-7}")


@pytest.mark.parametrize("text", [LATTICE, PACKED, UNDRAINED, SHEARED], ids=["axial", "packed", "undrained", "shear"])
def test_figures_are_those_of_the_summary(text, tmp_path):
    (tmp_path / "case.yaml").write_text(text)
    done = subprocess.run([PROGRAM, "run", "case.yaml", "-o", "out", "-q", "--json"], capture_output=True, text=True,
                          check=True)
    run, summary = jager.open("out"), json.loads(done.stdout)
    figures = figures_of(run)
    for stage in summary["stages"]:
        name = stage["name"]
        for key in ("p", "q", "void_ratio", "coordination"):
            assert figures[f"{name}.{key}"] == stage[key]
        strains = [value for key, value in figures.items() if key.startswith(f"{name}.strain_")]
        if stage["stage"] == 0:
            assert f"{name}.largest q" not in figures and not strains
        elif name == "rest":  # here the summary takes the largest of nearly equal strains
            assert f"{name}.largest q" in figures and f"{name}.strain_zz at largest q" in figures
        else:
            assert figures[f"{name}.largest {stage['peak_of']}"] == stage["peak"]
            assert strains == [stage["peak_strain"]]
    if text == UNDRAINED:
        assert figures["cycles.largest r_u"] == run.series["r_u"].max() > 0.0
        closed = run.cycles[~np.isnan(run.cycles["damping_ratio"])]
        if len(closed):
            assert figures["cycles.D of the last cycle"] == closed["damping_ratio"][-1]
    assert pickle.loads(pickle.dumps(figures)) == figures or any(map(math.isnan, figures.values()))


def test_drawing_a_sweep(grid, tmp_path):
    pytest.importorskip("matplotlib")
    grid.plot(file=tmp_path / "sweep.png")
    assert (tmp_path / "sweep.png").read_bytes().startswith(b"\x89PNG")
