# SPDX-License-Identifier: MIT
"""Pictures of runs: what is drawn, against computations of its own, and every mistake."""
from __future__ import annotations

import csv
import pickle
import shutil
import statistics
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jager
from jager import JagerError, RunError
from jager._pictures.plot import band
from jager._run_compare import keys_of, labels_of, value_text

matplotlib = pytest.importorskip("matplotlib")
pyplot = pytest.importorskip("matplotlib.pyplot")


NUMERICAL = "numerical part, subtracted"
LABELS = {1.0: "over a third of the loop is numerical", 2.0: "short histories may cost over a third"}


def columns(path: Path, *names: str, stage: int | None = None) -> list[list[float]]:
    with open(path, newline="", encoding="utf-8") as stream:
        rows = [row for row in csv.DictReader(stream) if stage is None or float(row["stage"]) == stage]
    return [[float(row[name]) for row in rows] for name in names]


def labels(figure: Any) -> list[str]:
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


def lines(ax: Any) -> list[Any]:
    """The curves of axes, without lines at zero and entries of the legend."""
    return [line for line in ax.lines if len(line.get_xdata()) > 2]


def interpolated(x: list[float], y: list[float], at: float) -> float:
    """By hand: the value of a polygon."""
    for x0, x1, y0, y1 in zip(x, x[1:], y, y[1:]):
        if x0 <= at <= x1 and x1 > x0:
            return y0 + (y1 - y0) * (at - x0) / (x1 - x0)
    raise AssertionError(at)


# ---- One run ---------------------------------------------------------------------------------------------------------

def test_a_biaxial_run_is_drawn_over_its_strain(biaxial_run: Path) -> None:
    figure = jager.plot(biaxial_run)
    strain, q, volume = columns(biaxial_run / "series.csv", "strain_zz", "q", "volumetric_strain", stage=2)
    left, right = figure.axes
    assert len(lines(left)) == len(lines(right)) == 1 and labels(figure) == []
    for ax, values, factor in ((left, q, 1e-3), (right, np.subtract(volume, volume[0]), 100.0)):
        x, y = lines(ax)[0].get_data()
        assert np.allclose(x[1:], 100.0 * np.subtract(strain, strain[0]), rtol=0, atol=1e-12)  # with the row before
        assert np.allclose(y[1:], factor * np.asarray(values), rtol=1e-12, atol=1e-12)
    assert left.get_xlabel() == r"compressive strain $\varepsilon_{zz}$ (%)"
    assert left.get_ylabel() == "deviator $q$ (kPa)"
    assert jager.open(biaxial_run).plot().axes[0].get_ylabel() == left.get_ylabel()


def test_a_shear_run(warning_run: Path) -> None:
    left = jager.plot(warning_run).axes[0]
    strain, stress = columns(warning_run / "series.csv", "strain_xz", "stress_xz", stage=1)
    x, y = lines(left)[0].get_data()
    assert np.allclose(x[1:], 200.0 * np.asarray(strain)) and np.allclose(y[1:], 1e-3 * np.asarray(stress))
    assert "gamma" in left.get_xlabel() and "tau" in left.get_ylabel()


def test_a_cyclic_run_has_coloured_loops(cyclic_run: Path) -> None:
    figure = jager.plot(cyclic_run)
    loops, path, bar = figure.axes
    pieces = loops.collections[0].get_segments()  # neighbours of one tone
    strain, q, cycle = columns(cyclic_run / "series.csv", "strain_zz", "q", "cycle", stage=1)
    assert "10^{-6}" in loops.get_xlabel()  # the unit of small strains
    drawn = np.concatenate([piece[1:] for piece in pieces])
    assert np.allclose(drawn[1:], np.column_stack([strain, q])[1:] * [1e6, 1e-3])
    assert loops.collections[0].get_array()[-1] == pytest.approx(0.5 * (cycle[-1] + cycle[-2]), abs=0.01 * cycle[-1])
    assert path.get_xlim()[0] == 0.0 and "cycles" in bar.get_ylabel()


def test_packing_alone_is_drawn_over_steps(list_run: Path) -> None:
    left, right = jager.plot(list_run / "jager").axes
    assert left.get_xlabel() == "time steps" and "void ratio" in right.get_ylabel()


# ---- Ready tests -----------------------------------------------------------------------------------------------------

def test_a_modulus_reduction(reduction_run: Path) -> None:
    figure = jager.plot(reduction_run)
    left, right = figure.axes
    table = jager.open(reduction_run).reduction
    assert table is not None
    assert labels(figure)[:2] == ["jager", "hertz-mindlin"] and left.get_xscale() == right.get_yscale() == "log"
    is_open = np.isnan(table["damping_ratio"])
    assert is_open.any() and not table["doubtful"][is_open].any()
    assert labels(figure)[2:] == [NUMERICAL, *(LABELS[doubt] for doubt in (1.0, 2.0) if doubt in table["doubtful"])]
    for model, line, damping in zip(("jager", "hertz-mindlin"), lines(left), lines(right)):
        rows = table[table["model"] == model]
        assert np.array_equal(line.get_xdata(), rows["gamma"])
        assert np.array_equal(line.get_ydata(), rows["modulus_ratio"])
        assert np.allclose(damping.get_ydata(), 100.0 * rows["damping_ratio"], equal_nan=True)


def test_doubtful_damping_has_a_mark(reduction_run: Path, tmp_path: Path) -> None:
    path = shutil.copytree(reduction_run, tmp_path / "marked")
    head, *rows = [line.split(",") for line in (path / "reduction.csv").read_text().splitlines()]
    for number, row in enumerate(rows):
        row[head.index("doubtful")] = str(number % 3)
    gamma, damping = head.index("gamma"), head.index("damping_ratio")

    def write(head: list[str], rows: list[list[str]]) -> None:
        (path / "reduction.csv").write_text("".join(",".join(row) + "\n" for row in [head, *rows]))

    def marks(ax: Any, marker: str) -> list[Any]:
        return [point for line in ax.lines if line.get_marker() == marker for point in line.get_xydata()]

    write(head, rows)
    for figure, ax, part in ((jager.plot(path), 1, [NUMERICAL]), (jager.plot(path, y="damping_ratio"), 0, [])):
        assert labels(figure) == ["jager", "hertz-mindlin", *part, *LABELS.values()]
        for doubt, marker in ((1, "x"), (2, "+")):
            expected = [[float(row[gamma]), 100.0 * float(row[damping])] for row in rows[doubt::3]]
            assert expected and np.allclose(marks(figure.axes[ax], marker), expected, equal_nan=True)
    assert not marks(jager.plot(path).axes[0], "x") and not marks(jager.plot(path, y="modulus_ratio").axes[0], "x")
    old = head.index("doubtful")  # a table of an earlier version
    write(head[:old] + head[old + 1:], [row[:old] + row[old + 1:] for row in rows])
    assert labels(jager.plot(path)) == ["jager", "hertz-mindlin", NUMERICAL]


def test_a_liquefaction_resistance(list_run: Path) -> None:
    figure = jager.plot(list_run)
    left, right = figure.axes
    table = jager.open(list_run).resistance
    assert table is not None
    filled = sorted(x for line in left.lines if line.get_markerfacecolor() != "none" and line.get_marker() != "*"
                    for x in line.get_xdata())
    opened = sorted(x for line in left.lines if line.get_markerfacecolor() == "none" for x in line.get_xdata())
    done, still = np.isfinite(table["cycles"]), np.isnan(table["cycles"]) & (table["flow_failure"] == 0.0)
    assert filled == sorted(table["cycles"][done]) and opened == sorted(table["cycles_done"][still])
    assert labels(figure)[:2] == ["jager", "hertz-mindlin"] and right.get_ylabel().startswith("largest pore")
    assert ("open: not liquefied by then" in labels(figure)) == still.any()


def test_a_flow_failure_is_on_the_axis(list_run: Path, tmp_path: Path) -> None:
    """Of three tests one withstood 30 cycles, one liquefied in 4, and one flowed at 0.16 cycles."""
    place = tmp_path / "list"
    shutil.copytree(list_run, place)
    (place / "resistance.csv").write_text(
        "model,csr,static_stress_ratio,flow_failure,cycles,cycles_r_u,cycles_strain,cycles_done,r_u_max\n"
        "jager,0.1,0.1,0,nan,nan,nan,30,0.2\njager,0.2,0.1,0,4,4,nan,4,0.97\njager,0.3,0.1,1,nan,nan,nan,0.16,0.96\n",
        encoding="utf-8")
    figure = jager.plot(place)
    left = figure.axes[0]
    data = {line.get_marker(): (list(line.get_xdata()), list(line.get_ydata())) for line in left.lines
            if line.get_markerfacecolor() != "none" and len(line.get_xdata())}
    star = next(line for line in left.lines if line.get_marker() == "*")
    assert data.pop("*") == ([0.0], [0.3]) and star.get_transform() == left.get_yaxis_transform()
    assert list(data.values()) == [([4.0], [0.2])]
    assert [list(line.get_xdata()) for line in left.lines if line.get_markerfacecolor() == "none"] == [[30.0]]
    assert left.get_xlim() == (1.0, 100.0)
    assert labels(figure)[-2:] == ["open: not liquefied by then", "on the axis: flow failure"]


def test_a_table_without_flow_failures(list_run: Path, tmp_path: Path) -> None:
    """The table of an earlier version, in axes that have a star and a horizontal line of the caller."""
    place = shutil.copytree(list_run, tmp_path / "list")
    (place / "resistance.csv").write_text("model,csr,cycles,cycles_done,r_u_max\njager,0.2,4,4,0.97\n")
    ax = pyplot.Figure().subplots()
    ax.plot([2.0], [0.1], "*")
    ax.axhline(0.4)
    jager.plot(place, ax=ax)
    assert ax.get_ylim() == (0.0, pytest.approx(0.44))
    assert ax.get_legend() is None


def test_members_of_a_list_are_drawn_if_columns_are_given(list_run: Path) -> None:
    figure = jager.plot(list_run, y="r_u")
    assert labels(figure) == ["jager, CSR 0.2", "jager, CSR 0.4", "hertz-mindlin, CSR 0.2", "hertz-mindlin, CSR 0.4"]
    assert figure.axes[0].get_xlabel() == "number of cycles $N$"


# ---- Several runs ----------------------------------------------------------------------------------------------------

def test_seeds_are_a_mean_and_a_band(seed_runs: list[Path]) -> None:
    figure = jager.plot(seed_runs)
    left = figure.axes[0]
    assert labels(figure) == ["mean of 3 seeds", "band: ±1 standard deviation"]
    curves = []
    for run in seed_runs:
        strain, q = columns(run / "series.csv", "strain_zz", "q", stage=2)
        curves.append(([100.0 * (value - strain[0]) for value in strain], [1e-3 * value for value in q]))
    grid, mean = lines(left)[0].get_data()
    assert grid[0] == 0.0 and grid[-1] == pytest.approx(min(x[-1] for x, _ in curves))
    edge = left.collections[0].get_paths()[0].vertices
    for at, value in list(zip(grid, mean))[2:-1:7]:
        given = [interpolated(x, y, at) for x, y in curves]
        assert value == pytest.approx(statistics.mean(given), rel=1e-9)
        here = sorted(edge[np.isclose(edge[:, 0], at, rtol=1e-9), 1])
        assert here[0] == pytest.approx(statistics.mean(given) - statistics.stdev(given), rel=1e-6)
        assert here[-1] == pytest.approx(statistics.mean(given) + statistics.stdev(given), rel=1e-6)


def test_band_of_simple_curves() -> None:
    one = (np.array([0.0, 1.0, 1.0, 2.0]), np.array([0.0, 9.0, 1.0, 2.0]))  # of a repeated abscissa the last counts
    other = (np.array([0.5, 3.0]), np.array([1.5, 4.0]))
    found = band([one, other])
    assert found is not None
    grid, mean, deviation = found
    assert grid.tolist() == [0.5, 1.0, 2.0] and np.allclose(mean, [1.0, 1.5, 2.5])
    assert np.allclose(deviation, [np.sqrt(0.5)] * 3)
    assert band([one, (np.array([5.0, 6.0]), np.array([0.0, 0.0]))]) is None  # nothing in common
    assert band([one, (np.array([0.0, 1.0, 0.5]), np.zeros(3))]) is None  # an abscissa falls
    assert band([one]) is None


def test_runs_are_labelled_by_what_differs(seed_runs: list[Path], friction_run: Path) -> None:
    figure = jager.plot(seed_runs, friction_run)
    assert labels(figure) == ["friction 0.5, mean of 3 seeds", "friction 0.3", "band: ±1 standard deviation"]
    styles = {(line.get_color(), str(line.get_linestyle())) for line in lines(figure.axes[0])}
    assert len({colour for colour, _ in styles}) == len({line for _, line in styles}) == 2
    named = jager.plot([seed_runs[0]], friction_run, label=["rough", "smooth"])
    assert labels(named) == ["rough", "smooth"]


def test_patterns_lists_and_runs_may_be_mixed(seed_runs: list[Path], friction_run: Path) -> None:
    figure = jager.plot(str(seed_runs[1].parent / "seed-?"), [jager.open(seed_runs[0])], friction_run, friction_run)
    assert labels(figure)[0] == "friction 0.5, mean of 3 seeds" and len(lines(figure.axes[0])) == 2


def test_the_same_run_twice_is_drawn_once(biaxial_run: Path, friction_run: Path, tmp_path: Path) -> None:
    copied = shutil.copytree(biaxial_run, tmp_path / "again")
    with pytest.warns(UserWarning, match="is the same case, with the same seed"):
        figure = jager.plot(biaxial_run, copied, friction_run)
    assert labels(figure) == ["friction 0.5", "friction 0.3"]


def test_seeds_of_loops_are_drawn_one_by_one(make_run: Any, cyclic_run: Path) -> None:
    from conftest import CYCLIC
    other = make_run("cyclic-2", CYCLIC, "seed=2")
    figure = jager.plot(cyclic_run, other, x="strain_zz", y="q")
    assert labels(figure) == ["each of 2 seeds"] and len(lines(figure.axes[0])) == 2
    over_cycles = jager.plot(cyclic_run, other)
    assert over_cycles.axes[0].get_ylabel() == "pore pressure ratio $r_u$"
    assert labels(over_cycles) == ["mean of 2 seeds", "band: ±1 standard deviation"]


def test_runs_without_checkpoints(seed_runs: list[Path], friction_run: Path, tmp_path: Path) -> None:
    """The case texts of result.h5 are compared: enough to know seeds and settings."""
    pytest.importorskip("h5py")
    places = []
    for path in (*seed_runs[1:], friction_run):
        place = shutil.copytree(path, tmp_path / path.name)
        for file in place.glob("*.jck"):
            file.unlink()
        places.append(place)
    found = labels(jager.plot(*places))
    assert found == ["seed-2, mean of 2 seeds", "material.friction 0.3", "band: ±1 standard deviation"] or \
        found[0].endswith("mean of 2 seeds") and "friction 0.3" in found[1]
    for place in places:
        (place / "result.h5").unlink()
    assert labels(jager.plot(*places)) == ["seed-2", "seed-3", "friction"]


def test_labels() -> None:
    same = {"seed": "1", "contact.model": "jager", "contact.tolerance": "0.001"}
    two = [{**same, "material.friction": "0.3", "assembly.packing.friction": "0.1"},
           {**same, "material.friction": "0.5", "assembly.packing.friction": "0.2", "seed": "7"}]
    assert labels_of(two, ["a", "b"]) == ["material friction 0.3, packing friction 0.1",
                                          "material friction 0.5, packing friction 0.2"]
    laws = [same, {**same, "contact.model": "linear", "contact.tolerance": "0", "contact.linear.kn": "0"}]
    assert labels_of(laws, ["a", "b"]) == ["jager", "linear"]
    many = [{**same, **{f"key{i}": str(value) for i in range(9)}} for value in (1, 2)]
    assert labels_of(many, ["a", "b"]) == ["a", "b"]
    stages = [{f"stages.{i}.damping.local": value for i in range(3)} for value in ("0.1", "0.2")]
    assert labels_of(stages, ["a", "b"]) == ["local 0.1", "local 0.2"]
    assert value_text("assembly.packing.pressure", "400000") == "400 kPa"
    assert value_text("assembly.packing.sizes.uniform.min", "0.0008") == "0.8 mm"
    assert value_text("material.density", "2650") == "2650 kg/m³"


def test_members_are_compared_with_the_keys_of_their_origin(list_run: Path) -> None:
    keys = keys_of(jager.open(list_run / "jager" / "csr-0.2"))
    assert keys["assembly.packing.spheres"] == "40" and keys["seed"] == "1" and "assembly.checkpoint" not in keys
    assert keys["before.stages.0.until.unbalanced"] == "0.01" and keys["stages.0.cyclic.csr"] == "0.2"


# ---- Columns, axes, files --------------------------------------------------------------------------------------------

def test_columns(biaxial_run: Path, cyclic_run: Path, reduction_run: Path) -> None:
    ax = jager.plot(biaxial_run, x="strain_zz", y="mobilised_friction").axes[0]
    strain, value = columns(biaxial_run / "series.csv", "strain_zz", "mobilised_friction", stage=2)
    assert np.allclose(lines(ax)[0].get_xdata(), 100.0 * np.asarray(strain)) and ax.get_ylabel() == "mobilised friction"
    assert np.array_equal(lines(ax)[0].get_ydata(), value)
    figure = jager.plot(biaxial_run, y=["p", "void_ratio", "kinetic"])
    assert [ax.get_ylabel()[:10] for ax in figure.axes] == ["mean stres", "void ratio", "kinetic (n"]
    cycles = jager.plot(cyclic_run, y="damping_ratio").axes[0]
    table = jager.open(cyclic_run).cycles
    assert table is not None
    assert np.allclose(lines(cycles)[0].get_ydata(), 100.0 * table["damping_ratio"], equal_nan=True)
    assert jager.plot(reduction_run, y="shear_modulus").axes[0].get_xscale() == "log"
    assert jager.plot(biaxial_run, x="step").axes[0].get_ylabel() == "deviator $q$ (kPa)"


def test_stages(biaxial_run: Path) -> None:
    def count(**options: Any) -> int:
        return len(jager.plot(biaxial_run, x="step", y="p", **options).axes[0].lines[0].get_xdata())

    stage = columns(biaxial_run / "series.csv", "stage")[0]
    assert count(stages="all") == len(stage) and count() == stage.count(2) == count(stages=2) == count(stages="biaxial")
    assert count(stages=["rest", 2]) == stage.count(1) + stage.count(2) and count(stages=0) == stage.count(0)
    with pytest.raises(RunError, match="has no stage 'shear'; its stages are packing, rest, biaxial"):
        count(stages="shear")


def test_axes_of_the_caller(biaxial_run: Path, friction_run: Path) -> None:
    figure = pyplot.Figure()
    one = figure.subplots()
    assert jager.plot(biaxial_run, friction_run, ax=one) is figure
    assert len(lines(one)) == 2 and [text.get_text() for text in one.get_legend().get_texts()] == ["friction 0.5",
                                                                                                  "friction 0.3"]
    two = pyplot.Figure().subplots(1, 2)
    jager.plot(biaxial_run, ax=two)
    assert all(len(lines(ax)) == 1 for ax in two)
    with pytest.raises(ValueError, match="there are 2 panels and 3 axes"):
        jager.plot(biaxial_run, ax=pyplot.Figure().subplots(1, 3))


@pytest.mark.parametrize("ending, start", [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_files(ending: str, start: bytes, biaxial_run: Path, tmp_path: Path) -> None:
    file = tmp_path / f"picture{ending}"
    jager.plot(biaxial_run, file=file)
    assert file.read_bytes().startswith(start)


def test_settings_of_matplotlib_stay(biaxial_run: Path) -> None:
    before = dict(matplotlib.rcParams)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        jager.plot(biaxial_run)
    assert dict(matplotlib.rcParams) == before


def test_figures_of_pyplot(biaxial_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are pyplot's, as with pandas, unless they are for a file or report, or drawing fails."""
    figure = jager.plot(biaxial_run)
    assert pyplot.gcf() is figure and pyplot.get_fignums() == [figure.number]
    pyplot.close(figure)
    copy = pickle.loads(pickle.dumps(figure))
    assert [ax.get_xlabel() for ax in copy.axes] == [ax.get_xlabel() for ax in figure.axes]
    pyplot.close(copy)
    saved = jager.plot(biaxial_run, file=tmp_path / "a.png")
    saved.axes[0].set_title("later")
    saved.savefig(tmp_path / "b.png")
    shutil.copytree(biaxial_run, tmp_path / "run")
    jager.report(tmp_path / "run")
    monkeypatch.delattr("jager._pictures.plot._decorate")
    with pytest.raises(NameError):
        jager.plot(biaxial_run)
    assert not pyplot.get_fignums()


# ---- Mistakes --------------------------------------------------------------------------------------------------------

def test_mistakes(biaxial_run: Path, warning_run: Path, cyclic_run: Path, tmp_path: Path) -> None:
    for runs, options, message in (
            ((), {}, "there is no run to draw"), (([],), {}, "there is no run to draw"),
            ((tmp_path / "no*",), {}, "no directory has such a name"), (("nowhere",), {}, "there is no such directory"),
            ((biaxial_run,), {"file": "a.jpg"}, "the ending must be .png, .svg or .pdf"),
            ((biaxial_run,), {"y": "void_rato"}, "there is no column 'void_rato': did you mean void_ratio"),
            ((biaxial_run,), {"y": "xyz123"}, "there is no column 'xyz123'$"),
            ((cyclic_run,), {"x": "damping_ratio", "y": "kinetic"}, "no table of all the runs has the columns"),
            ((biaxial_run, warning_run), {}, "are tests of different kinds: give x and y"),
            ((biaxial_run,), {"file": tmp_path / "no" / "a.png"}, "cannot write")):
        with pytest.raises(RunError, match=message):
            jager.plot(*runs, **options)
    with pytest.raises(TypeError, match="a run is a directory or a Run, not int"):
        jager.plot(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there are 1 curves and 2 labels"):
        jager.plot(biaxial_run, label=["a", "b"])
    assert len(jager.plot(biaxial_run, warning_run, x="step", y="p").axes[0].lines) == 2


def test_nothing_to_draw_yet(biaxial_run: Path, tmp_path: Path) -> None:
    lines_of = (biaxial_run / "series.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "series.csv").write_text("".join(lines_of[:2]), encoding="utf-8")
    with pytest.raises(RunError, match="fewer than two lines"):
        jager.plot(tmp_path)
    with pytest.raises(JagerError):
        jager.plot(tmp_path, x="step", y="p")
