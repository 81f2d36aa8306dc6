# SPDX-License-Identifier: MIT
"""The commands of `python3 -m jager`: end to end, and clear messages without a traceback for every mistake."""
from __future__ import annotations

import csv
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jager
from jager.__main__ import COMMANDS, _split, _values, main

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = str(pathlib.Path(jager.__file__).parents[1])  # where the tested package is
LATTICE = """jager: 1
title: Lattice
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
assembly:
  lattice: {kind: fcc, cells: [2, 2, 2], radius: 0.5 mm, overlap: 1e-4}
output: {series: 10, snapshot: 50, plots: false}
stages:
  - name: rest
    control: {xx: {stress: 100 kPa}, yy: {stress: 100 kPa}, zz: {stress: 100 kPa}}
    until: {steps: 50}
  - name: triaxial
    control: {xx: {stress: 100 kPa}, yy: {stress: 100 kPa}, zz: {strain_step: 1e-7}}
    until: {steps: 60}
"""


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "case.yaml").write_text(LATTICE)


@pytest.fixture
def run():
    return jager.Case(LATTICE).run("run")


def call(*words):
    """The command in a process of its own."""
    return subprocess.run([sys.executable, "-m", "jager", *map(str, words)], capture_output=True, text=True,
                          check=False, timeout=3000, env={**os.environ, "PYTHONPATH": PACKAGES})


def said(capsys, code, *words):
    """The output of the command in this process; checks its exit code."""
    try:
        found = main([str(word) for word in words])
    except SystemExit as end:  # argparse
        found = end.code
    out, err = capsys.readouterr()
    assert found == code, out + err
    assert "Traceback" not in err and (code == 0 or err.strip())
    return out if code == 0 else err


# ---- Help and mistakes -----------------------------------------------------------------------------------------------


def test_help(capsys):
    shown = call("--help")
    assert shown.returncode == 0 and shown.stderr == ""
    for name in COMMANDS:
        assert name in shown.stdout
        text = said(capsys, 0, name, "--help")
        assert text.startswith(f"usage: python3 -m jager {name}") and len(text) > 200


WRONG = [
    ((), "COMMAND"), (("nope",), "invalid choice: 'nope'"), (("sweep",), "required"), (("plot",), "required"),
    (("convert",), "required"), (("report",), "required"), (("sweep", "case.yaml"), "KEY=VALUES"),
    (("sweep", "case.yaml", "seed"), "'seed' is not KEY=VALUES"), (("sweep", "case.yaml", "=1"), "not KEY=VALUES"),
    (("sweep", "case.yaml", "seed="), "not KEY=VALUES"),
    (("sweep", "case.yaml", "seed=3..1"), "the range has no values"),
    (("sweep", "case.yaml", "seed=1,,2"), "a value is empty"),
    (("sweep", "case.yaml", "seed=1", "seed=2"), "given twice"),
    (("sweep", "case.yaml", "sed=1"), "did you mean 'seed'?"), (("sweep", "case.yaml", "seed=1,1"), "twice"),
    (("sweep", "case.yaml", "seed=x"), "seed=x: 'seed' must be a whole number"),
    (("sweep", "case.yaml", "seed=1", "--workers", "x"), "invalid int value"),
    (("sweep", "case.yaml", "seed=1", "--workers", "-1"), "jager: the number of workers"),
    (("sweep", "case.yaml", "seed=1", "--threads", "-1"), "jager: the number of threads"),
    (("sweep", "case.yaml", "seed=1", "--set", "friction"), "friction: write it as key=value"),
    (("sweep", "case.yaml", "seed=1", "--set", "material.friction=-1"), "must lie in"),
    (("sweep", "wrong.yaml", "seed=1"), "wrong.yaml:2:1: unknown key 'titel': did you mean 'title'?"),
    (("sweep", "case.yaml", "contact.model=jager,nope"), "nope"),
    (("plot", "empty"), "is not the directory of a run"), (("plot", "case.yaml"), "is a file"),
    (("plot", "run", "-o", "x.nope"), "ending"), (("plot", "run", "-x", "nope", "-y", "q"), "nope"),
    (("report", "empty"), "is not the directory of a run"), (("report", "case.yaml"), "is a file"),
    (("convert", "case.yaml", "x.csv"), "format"), (("convert", "run", "x.nope"), "extension"),
    (("convert", "run", "x.csv", "--to", "nope"), "invalid choice"), (("convert", "run", "x.csv"), "contacts"),
    (("convert", "run", "x.csv", "--drop", "contacts", "--frame", "7"), "7"),
]


@pytest.mark.parametrize("words, part", WRONG, ids=[" ".join(words) or "nothing" for words, _ in WRONG])
def test_wrong_input(capsys, run, tmp_path, words, part):
    (tmp_path / "wrong.yaml").write_text(LATTICE.replace("title", "titel"))
    (tmp_path / "empty").mkdir()
    before = sorted(os.listdir())
    assert part in said(capsys, 2, *words)
    assert [name for name in sorted(os.listdir()) if name != "out"] == before


@pytest.mark.parametrize("words", [("sweep", "no.yaml", "seed=1"), ("plot", "no"), ("plot", "run", "no"),
                                   ("report", "no"),
                                   ("convert", "no.txt", "x.csv"), ("sweep", "case.yaml", "seed=1", "-o", "case.yaml"),
                                   ("sweep", "case.yaml", "seed=1", "-o", "case.yaml/x"), ("sweep", ".", "seed=1")])
def test_missing_files(capsys, run, words):
    assert said(capsys, 1, *words).startswith("jager: ")


def test_mistakes_in_a_process_of_its_own():
    for code, words in ((2, ("sweep", "case.yaml", "sed=1")), (1, ("sweep", "no.yaml", "seed=1")), (2, ("nope",))):
        done = call(*words)
        assert done.returncode == code and done.stdout == "" and "Traceback" not in done.stderr and done.stderr


def test_failures_of_runs(capsys):
    text = said(capsys, 2, "sweep", "case.yaml", "overlap_limit=1e-6,0.1", "-o", "out")
    assert "1 of 2 runs have failed:\nout/overlap_limit-1e-6: " in text
    assert "jager: warning: " in text
    assert jager.open("out/overlap_limit-0.1").is_complete


# ---- Values ----------------------------------------------------------------------------------------------------------


def test_values_of_keys():
    assert _values("seed=1..3") == ("seed", ["1", "2", "3"])
    assert _values("a.b=-1..1") == ("a.b", ["-1", "0", "1"])
    assert _values("seed=5..5") == ("seed", ["5"])
    assert _values("f=0.3, 0.5 ,50 %") == ("f", ["0.3", "0.5", "50 %"])
    assert _values("g=[0, 0, 1],[0, 0, 2]") == ("g", ["[0, 0, 1]", "[0, 0, 2]"])
    assert _values("a={b: 1, c: [2, 3]},{b: {d: 1, e: [1]}, c: 2}") == ("a", ["{b: 1, c: [2, 3]}",
                                                                          "{b: {d: 1, e: [1]}, c: 2}"])
    assert _values('t="a, b",c') == ("t", ['"a, b"', "c"])
    assert _values("t='it, is',it's,5") == ("t", ["'it, is'", "it's", "5"])
    assert _values('t={a: "]", b: 1},2') == ("t", ['{a: "]", b: 1}', "2"])
    assert _values("x=a=b,c") == ("x", ["a=b", "c"])


NESTED = st.recursive(st.integers(-99, 99), lambda inner: st.lists(inner, min_size=1, max_size=3)
                      | st.dictionaries(st.sampled_from("abc"), inner, min_size=1), max_leaves=6)


@given(st.lists(NESTED, min_size=1, max_size=4))
def test_splitting_undoes_joining(values):
    texts = [str(value).replace("'", "") for value in values]
    assert _split(",".join(texts)) == texts


# ---- End to end ------------------------------------------------------------------------------------------------------


def test_sweep_end_to_end(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    words = ("sweep", "case.yaml", "seed=1..3", "material.friction=0.3,0.5", "-o", "out", "--set",
             "stages.triaxial.until.steps=40", "--workers", "2", "--plot", "all.png", "-q")
    done = call(*words)
    assert done.returncode == 0, done.stderr
    assert all(line.endswith("drawn once") for line in done.stderr.splitlines())  # seeds do not matter for a lattice
    assert "material.friction 0.3: 3 runs" in done.stdout and "material.friction 0.5: 3 runs" in done.stdout
    assert done.stdout.endswith("all figures: out/sweep.csv\npicture: all.png\n")
    assert (tmp_path / "all.png").read_bytes().startswith(b"\x89PNG")
    with open("out/sweep.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(row["seed"], row["material.friction"]) for row in rows] == [(s, f) for s in "123" for f in ("0.3", "0.5")]
    for row in rows:
        alone = jager.Simulation(jager.Case("case.yaml", {"material.friction": row["material.friction"],
                                                          "stages.triaxial.until.steps": 40}), threads=1)
        alone.finish()
        assert float(row["triaxial.q"]) == alone.measures.q
    before = pathlib.Path("out/seed-1_friction-0.3/series.csv").stat().st_mtime_ns
    assert said(capsys, 0, *words) == done.stdout  # again: nothing is made anew
    assert pathlib.Path("out/seed-1_friction-0.3/series.csv").stat().st_mtime_ns == before
    said(capsys, 0, *words, "--force")
    assert pathlib.Path("out/seed-1_friction-0.3/series.csv").stat().st_mtime_ns != before
    assert "has a run of another case" in said(capsys, 2, *[word for word in words if word != "--set"
                                                           and not word.startswith("stages.")])
    said(capsys, 0, "sweep", "case.yaml", "seed=7")
    assert jager.open("out/case-sweep/seed-7").is_complete


def test_sweep_is_stopped_by_ctrl_c(tmp_path):
    (tmp_path / "long.yaml").write_text(LATTICE.replace("steps: 60", "steps: 1e9").replace("1e-7", "1e-12"))
    process = subprocess.Popen([sys.executable, "-m", "jager", "sweep", "long.yaml", "seed=1..3", "-o", "out"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
                               env={**os.environ, "PYTHONPATH": PACKAGES})
    end = time.monotonic() + 3000
    while not list(tmp_path.glob("out/*/series.csv")) and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(0.2)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=3000)
    assert process.returncode == 130 and out == ""
    assert err.strip().endswith("jager: stopped; the same command continues")
    assert list(tmp_path.glob("out/*/checkpoint.jck"))


def test_plot_end_to_end(capsys, run, tmp_path):
    pytest.importorskip("matplotlib")
    other = jager.Case(LATTICE, {"material.friction": 0.3}).run("other")
    assert said(capsys, 0, "plot", run.path, other.path, "-o", "two.png") == "two.png\n"
    assert said(capsys, 0, "plot", run.path, "-x", "step", "-y", "q", "-o", "q.svg") == "q.svg\n"
    assert said(capsys, 0, "plot", run.path) == "plot.png\n"
    assert (tmp_path / "two.png").read_bytes().startswith(b"\x89PNG") and b"<svg" in (tmp_path / "q.svg").read_bytes()
    assert (tmp_path / "plot.png").exists()


def test_convert_end_to_end(capsys, run, tmp_path):
    pytest.importorskip("h5py")
    said(capsys, 0, "convert", run.path, "spheres.txt", "--drop", "contacts", "--drop", "velocities", "--drop",
         "densities")
    assert "exist" in said(capsys, 2, "convert", run.path, "spheres.txt", "--drop", "contacts")
    again = LATTICE.replace("lattice: {kind: fcc, cells: [2, 2, 2], radius: 0.5 mm, overlap: 1e-4}",
                            "file: spheres.txt")
    spheres, simulation = run.snapshots[-1].spheres, jager.Simulation(again, threads=1)
    assert (simulation.spheres()["radius"] == spheres["radius"]).all()
    between = simulation.spheres()["position"] - spheres["position"]
    edges = simulation.cell.diagonal()
    assert abs(between - edges * (between / edges).round()).max() < 1e-15


def test_report_end_to_end(capsys, run, tmp_path):
    assert said(capsys, 0, "report", run.path) == f"{run.path / 'report.html'}\n"
    assert said(capsys, 0, "report", run.path, "-o", "page.html") == "page.html\n"
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!") and "Lattice" in page
