# SPDX-License-Identifier: MIT
"""The paper's figures, gallery/paper. Oracles: the text of the paper, closed forms of Mindlin and Deresiewicz, the
program, and the data that are kept in docs/gallery/paper. The long runs are made with few spheres."""
from __future__ import annotations

import csv
import importlib.util
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib")

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "docs" / "gallery" / "paper"
SMALL = {"assembly.packing.spheres": 150, "assembly.packing.unbalanced": 0.05, "stages.rest.until.steps": 50}


@pytest.fixture(scope="module")
def item(program):
    """The module gallery/paper/make.py."""
    os.environ["JAGER_PROGRAM"] = str(program)
    sys.path.insert(0, str(ROOT / "gallery"))
    spec = importlib.util.spec_from_file_location("gallery_paper", ROOT / "gallery" / "paper" / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def new_figures(folder):
    from common import Figures
    figures = Figures("paper", folder)
    figures.runs = folder / "runs"
    return figures


@pytest.fixture(scope="module")
def figures(item, tmp_path_factory):
    made = new_figures(tmp_path_factory.mktemp("paper"))
    item.quick.make(made)
    return made


def rows_of(figures, name):
    with open(figures.folder / "paper" / f"{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def column(figures, name, key):
    return [row[key] for row in rows_of(figures, name)]


def is_same(one: str, other: str) -> bool:
    try:
        return math.isclose(float(one), float(other), rel_tol=1e-8, abs_tol=1e-13)
    except ValueError:
        return one == other


def test_data_are_those_that_are_kept(figures):
    made = sorted((figures.folder / "paper").glob("*.csv"))
    assert len(made) == 11
    for path in made:
        now, kept = ([line.split(",") for line in file.read_text(encoding="utf-8").splitlines()]
                     for file in (path, KEPT / path.name))
        assert [len(line) for line in now] == [len(line) for line in kept]
        assert all(is_same(a, b) for one, other in zip(now, kept) for a, b in zip(one, other)), path.name


def test_nine_movements_have_the_papers_histories(figures, program):
    assert column(figures, "JagerPath-movements", "history") == [
        "0", "0-1", "0-1-2", "0-1-2-3", "0-1-2-2a-4", "0-1-1a-5", "0-1-1a-5-6", "0-1-1a-5-6-7", "0-1-1a-5-6-6a-8",
        "0-1-1a-5-6-6a-7a-9"]
    assert column(figures, "JagerPath-movements", "state") == (
        "apart elastic elastic elastic slip slip elastic elastic slip slip".split())
    done = subprocess.run([program, "contact", ROOT / "examples" / "nine-movements.csv"], capture_output=True,
                          text=True, check=True)
    moved = list(csv.DictReader(done.stdout.splitlines()))
    assert figures["path_ft"].value == pytest.approx(float(moved[-1]["ft1"]), abs=1e-11)
    radius, tau = (np.array(column(figures, "JagerPath-tractions", key), dtype=float) for key in ("rho_over_a", "tau"))
    area = np.pi * 0.034 * np.diff(radius**2)  # of rings; a^2 = 0.034 m^2
    assert (area * (tau[1:] + tau[:-1]) / 2).sum() == pytest.approx(figures["path_ft"].value, abs=4e-6)
    assert figures["path_traction"].value < 1e-13


def test_six_movements_are_merged_and_cut(figures):
    assert column(figures, "Jager_approx-movements", "length_exact") == list("1234564")
    assert column(figures, "Jager_approx-movements", "length_approximate") == list("1233334")
    assert figures["approx_error_before"].value < 1e-14 and 2 < figures["approx_error"].value < 4


def test_the_oblique_path_is_that_of_the_closed_form(figures, item):
    worst: dict[tuple[str, str], float] = {}
    for row in rows_of(figures, "Compare-laws"):
        key = row["law"], row["steps"]
        off = abs(float(row["ft_over_fn0"]) - float(row["closed_ft_over_fn0"]))
        worst[key] = max(worst.get(key, 0.0), off)
    assert worst["jager", "4"] < 1e-9 and worst["jager", "400"] < 1e-9
    assert worst["zhang-vuquoc", "4"] > 0.02 and worst["zhang-vuquoc", "400"] < 0.005
    assert figures["compare_jager_4"].value < 1e-13 and figures["compare_order"].value == pytest.approx(1, abs=0.1)
    ends = item.quick.Oblique([1.0, 2.0])
    assert ends.ft == pytest.approx(np.array([0.45, -0.45]) * ends.fn, abs=1e-16)
    assert figures["traction"].value < 1e-12
    stages = column(figures, "TractionCompare", "stage")
    assert [stages.count(name) for name in "BCD"] == [401] * 3


def test_what_the_paper_says_in_words(figures):
    value = {name: figure.value for name, figure in figures.items()}
    assert value["words_inside"] > 1000 and value["words_inside_right"] == value["words_inside"]
    assert value["words_outside"] > 1000 and value["words_outside_right"] == value["words_outside"]
    assert value["words_inside_dissipated"] < 1e-14 and value["words_outside_dissipated"] > 0
    assert value["words_collinear"] < 1e-13 and value["words_turning_1"] > 1e-3
    for name in ("words_turning_order", "words_incremental_order"):
        assert value[name] == pytest.approx(1, abs=0.1)
    for law, exponent, loss in (("linear", 0, 0), ("hertz", 1 / 3, 0), ("jager", 1 / 3, 1)):
        assert value[f"words_exponent_{law}"] == pytest.approx(exponent, abs=1e-3)
        for share in (1, 5):
            assert value[f"words_loss_{law}_{share}"] == pytest.approx(loss, abs=1e-5 if loss else 1e-12)
    assert abs(value["words_damping_linear_5"]) < 1e-9
    assert value["words_damping_jager_5"] > 3 * value["words_damping_jager_3"] > 3e-3
    assert value["words_modulus_jager_5"] < 0.95 * value["words_modulus_jager_3"]


def test_labels_keep_clear_of_lines(item):
    """Random corners, seed 1: two lines from a point leave half of the plane free for its label."""
    import matplotlib.pyplot as plt
    random = np.random.default_rng(1)
    for _ in range(50):
        figure, ax = plt.subplots(figsize=(4, 3))
        ax.set(xlim=(-2, 6), ylim=(0, 0.1))
        at, *ends = random.uniform((-2, 0), (6, 0.1), (3, 2))
        item.quick.label(ax, {"1a": (at, "#000000")}, [(at, end) for end in ends], reach=10)
        scale = 72 / figure.dpi
        place = ax.transData.transform(at) * scale + np.array(ax.texts[0].xyann)
        shares = np.linspace(0, 1, 1001)[:, None]
        for end in ends:
            line = ax.transData.transform(at + shares * (end - at)) * scale
            assert np.hypot(*(line - place).T).min() > 9.3
        plt.close(figure)


def test_twins_and_times_of_a_small_test(item, tmp_path):
    if not (item.BENCH / "short_histories").exists():
        pytest.skip("the benchmarks are not built")
    figures = new_figures(tmp_path)
    small = {**SMALL, "stages.biaxial.until.steps": 1200, "stages.biaxial.control.zz.strain_step": "2e-5"}
    item.times(figures, *(f"{key}={value}" for key, value in small.items()), steps=1000)
    assert 0 < figures["times_jager_force"].value < figures["times_jager_total"].value
    assert 150 < figures["times_mindlin_contacts"].value < 600
    item.add_performance(figures, *item.with_twins(figures, [f"{key}={value}" for key, value in small.items()]))
    rows = rows_of(figures, "performance")
    exact, first, second, whole = (sum(float(row[key]) for row in rows[1:]) for key in (
        "sample_exact", "sample_010f", "sample_020f", "length_mean"))
    assert len(rows) == 7 and exact > first > second > 0 and 0.5 < exact / whole < 2
    assert figures["twins_020f_mean"].value > figures["twins_010f_mean"].value > 0


@pytest.mark.filterwarnings("ignore::jager.JagerWarning")
def test_the_table_of_small_tests(item, tmp_path, monkeypatch):
    """The mean lies within the range of the seeds, and other settings reach the runs."""
    monkeypatch.setattr(item, "SEEDS", (1, 2))
    monkeypatch.setattr(item, "WAYS", {way: {**settings, **SMALL} for way, settings in item.WAYS.items()})
    monkeypatch.setattr(item, "OTHERS", {name: {**SMALL, **settings} for name, settings in item.OTHERS.items()})
    for name in ("END", "SHORT"):
        monkeypatch.setattr(item, name, 0.2)
    figures = new_figures(tmp_path)
    tests = item.replica(figures)
    item.add_replica(figures, tests)
    others = item.other_settings(figures, tests["exact"][0])
    value = {name: figure.value for name, figure in figures.items()}
    assert value["replica_length_low"] < value["replica_length"] < value["replica_length_high"]
    assert value["replica_020f"] < value["replica_010f"] < value["replica_length"] == pytest.approx(
        (tests["exact"][0]["length"] + tests["exact"][1]["length"]) / 2)
    assert len({test["length"] for test in others.values()} | {value["first_length"]}) == 5


def test_the_published_assembly_is_read_from_its_file(item, tmp_path):
    """bench/results has a row for each way."""
    figures = new_figures(tmp_path)
    item.add_published(figures)
    assert figures["published_length"].expected == 260
    assert figures["published_020f"].value < figures["published_010f"].value < figures["published_length"].value
    share = figures["published_010f"].value / figures["published_length"].value
    assert figures["published_010f_share"].value == pytest.approx(100 * share)


@pytest.mark.filterwarnings("ignore::jager.JagerWarning")
def test_the_life_of_a_contact(item, tmp_path):
    """Its strain rises all the way, through both stages; the pair is one that touches from the start to the end."""
    import jager
    figures, steps = new_figures(tmp_path), 400
    few = {key: value for key, value in SMALL.items() if "stages" not in key}
    packed = jager.Simulation(jager.Case(item.CASE, {**few, "trace": []}), threads=1)
    packed.finish_stage()
    contacts = packed.contacts()
    pair = contacts["ids"][contacts["fn"].argmax()].tolist()
    rows, = item.traced(figures, [pair], steps, **few)
    tested = rows["strain"][rows["strain"] > 0]
    assert (np.diff(tested[-50:]) > 0).all()
    assert tested[-1] == pytest.approx(2e-6 * steps, abs=2e-5)
    assert item.reversals(np.array([0, 1, 1, 0, 2])) == 2
