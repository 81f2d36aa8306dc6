# SPDX-License-Identifier: MIT
"""Runs as Python objects: against the files read directly, and every mistake of a directory."""
from __future__ import annotations

import builtins
import csv
import importlib
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jager
from jager import JagerError, RunError
from jager._run_files import CONTACT_FIELDS, GRAIN_TYPE, SPHERE_FIELDS, read_table
from jager._pictures.loading import find_loading
from jager._run_units import SNAPSHOT_UNITS, units_of

from conftest import ROOT

h5py = pytest.importorskip("h5py")


def rows_of(path: Path) -> list[dict[str, str]]:
    with builtins.open(path, newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def copy_of(path: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(path, tmp_path / "copy"))


def hide(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    """Makes a module look as if it were not installed."""
    real = importlib.import_module

    def imported(name: str, package: str | None = None) -> Any:
        if name.split(".")[0] == module:
            raise ImportError(f"No module named {module!r}")
        return real(name, package)

    monkeypatch.setattr(importlib, "import_module", imported)


# ---- Tables ----------------------------------------------------------------------------------------------------------

def test_series_is_the_csv_and_the_h5(biaxial_run: Path) -> None:
    series = jager.open(biaxial_run).series
    rows = rows_of(biaxial_run / "series.csv")
    assert list(series.dtype.names) == list(rows[0]) and len(series) == len(rows)
    for name in series.dtype.names:
        assert series.dtype[name] == np.float64
        assert np.array_equal(series[name], [float(row[name]) for row in rows], equal_nan=True)
    with h5py.File(biaxial_run / "result.h5") as result:
        assert set(result["series"]) == set(series.dtype.names)
        for name in series.dtype.names:
            assert np.array_equal(result["series"][name][()], series[name], equal_nan=True)


def test_series_is_cached_and_cannot_be_changed(biaxial_run: Path) -> None:
    run = jager.open(biaxial_run)
    assert run.series is run.series and run.series.base is None
    with pytest.raises(ValueError):
        run.series["p"][0] = 1.0
    copied = run.series.copy()
    copied["p"] = 0.0
    assert run.series["p"].any()


@pytest.mark.parametrize("name", ["cycles", "resistance", "reduction"])
def test_other_tables(name: str, cyclic_run: Path, list_run: Path, reduction_run: Path) -> None:
    path = {"cycles": cyclic_run, "resistance": list_run, "reduction": reduction_run}[name]
    table, rows = getattr(jager.open(path), name), rows_of(path / f"{name}.csv")
    assert list(table.dtype.names) == list(rows[0]) and len(table) == len(rows) > 1
    for column in table.dtype.names:
        if column == "model":
            assert table[column].tolist() == [row[column] for row in rows]
        else:
            assert np.array_equal(table[column], [float(row[column]) for row in rows], equal_nan=True)
    with pytest.raises(ValueError):
        table[column][0] = 0.0


def test_tables_that_are_not_there(biaxial_run: Path) -> None:
    run = jager.open(biaxial_run)
    assert run.cycles is None and run.reduction is None and run.resistance is None


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.floats(), st.floats(allow_nan=False)), max_size=8))
def test_numbers_are_read_exactly(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[float, float]]) -> None:
    path = tmp_path_factory.mktemp("table") / "table.csv"
    path.write_text("model,a,b\n" + "".join(f"m,{a:.17g},{b:.17g}\n" for a, b in rows), encoding="utf-8")
    table, is_cut = read_table(path)
    assert not is_cut and table["model"].tolist() == ["m"] * len(rows)
    assert np.array_equal(table["a"], [a for a, _ in rows], equal_nan=True)
    assert table["b"].tolist() == [b for _, b in rows]


def documented(section: str) -> dict[str, str]:
    """Column and unit of each table in a section of docs/files.md."""
    text = (ROOT / "docs" / "files.md").read_text(encoding="utf-8")
    body = re.split(r"^## ", text.split(f"\n## {section}\n")[1], flags=re.MULTILINE)[0]
    return dict(re.findall(r"^\| `(\w+)` \| ([^ |]+) \|", body, re.MULTILINE))


def test_units_are_those_of_the_documentation_and_of_the_h5(biaxial_run: Path) -> None:
    run = jager.open(biaxial_run)
    assert run.units == documented("series.csv") and set(run.units) == set(run.series.dtype.names)
    with h5py.File(biaxial_run / "result.h5") as result:
        assert run.units == {name: data.attrs["unit"].decode() for name, data in result["series"].items()}
        snapshot = result["snapshots"][sorted(result["snapshots"])[0]]
        for group in ("spheres", "contacts"):
            units = {name: unit for name, unit in SNAPSHOT_UNITS[group].items() if name != "grain"}  # it has no clumps
            assert units == {name: snapshot[group][name].attrs["unit"].decode() for name in units}
    cycles = documented("cycles.csv")
    assert units_of("cycles", cycles) == cycles
    tests = documented("reduction.csv, resistance.csv")
    assert {**units_of("reduction", tests), **units_of("resistance", tests)} == tests
    assert units_of("series", ["a_column_of_tomorrow"]) == {}


# ---- Texts -----------------------------------------------------------------------------------------------------------

def test_texts_of_a_finished_run(biaxial_run: Path, program: Path) -> None:
    run = jager.open(str(biaxial_run))
    assert run.path == biaxial_run and run.title == "Biaxial <b>test</b> & more"
    assert run.summary == (biaxial_run / "summary.txt").read_text(encoding="utf-8")
    assert run.stages == ["packing", "rest", "biaxial"] and run.is_complete and run.notes == []
    command = [program, "info", "--input", biaxial_run / "checkpoint.jck"]
    shown = subprocess.run(command, capture_output=True, check=True)
    assert run.case_text.strip() == shown.stdout.decode().strip()
    assert run.case_keys["material.friction"] == "0.5" and run.case_keys["stages.1.until.strain_zz"] == "0.01"


def test_warnings_are_those_of_the_h5(warning_run: Path) -> None:
    warnings = jager.open(warning_run).warnings
    with h5py.File(warning_run / "result.h5") as result:
        assert warnings == result["warnings"][()].decode().splitlines()
    assert any("not quasi-static" in text for text in warnings)


def test_case_comes_from_one_of_three_files(biaxial_run: Path, tmp_path: Path) -> None:
    text = jager.open(biaxial_run).case_text
    place = copy_of(biaxial_run, tmp_path)
    (place / "checkpoint.jck").write_bytes(b"JAGERCKP\x08\0\0\0\4\3\2\1")
    assert jager.open(place).case_text == text  # of the checkpoint before
    (place / "checkpoint-before.jck").unlink()
    assert jager.open(place).case_text == text  # of result.h5
    with pytest.raises(RunError, match="its format is 8, and this version of jager reads 7"):
        jager.open(place).case_keys
    (place / "result.h5").unlink()
    with pytest.raises(RunError, match="format is 8.*result.h5, which is not there"):
        jager.open(place).case_text
    assert jager.open(place).title == place.name


@pytest.mark.parametrize("data, message", [
    (b"", "ends too early"), (b"NOTAFILE" + bytes(8), "not a checkpoint"),
    (b"JAGERCKP\7\0\0\0\4\3\2\1" + b"\xff" * 16, "not well formed"),
    (b"JAGERCKP\7\0\0\0\4\3\2\1" + bytes(8), "ends too early"),
])
def test_damaged_checkpoints(biaxial_run: Path, tmp_path: Path, data: bytes, message: str) -> None:
    place = copy_of(biaxial_run, tmp_path)
    (place / "checkpoint-before.jck").unlink()
    (place / "checkpoint.jck").write_bytes(data)
    with pytest.raises(RunError, match=message):
        jager.open(place).case_keys


# ---- Snapshots -------------------------------------------------------------------------------------------------------

def same_snapshot(found: jager.Snapshot, group: Any) -> None:
    assert found.step == group.attrs["step"] and found.time == group.attrs["time"]
    assert np.array_equal(found.cell, group.attrs["cell"]) and found.cell.shape == (3, 3)
    for table, name, fields in ((found.spheres, "spheres", SPHERE_FIELDS),
                                (found.contacts, "contacts", CONTACT_FIELDS)):
        assert table.dtype.names == fields and table.base is None
        for field in fields:
            source = group[name]["id" if field == "grain" else field]  # these spheres are the grains
            assert np.array_equal(table[field], source[()])
            assert table[field].dtype == source.dtype
    assert len(found.grains) == 0 and "grains" not in group


def test_snapshots_of_a_finished_run(biaxial_run: Path) -> None:
    snapshots = jager.open(biaxial_run).snapshots
    with h5py.File(biaxial_run / "result.h5") as result:
        steps = sorted(int(name) for name in result["snapshots"])
        assert snapshots.steps == steps and len(snapshots) == len(steps) > 3
        for index in (0, 1, -1, -len(steps)):
            same_snapshot(snapshots[index], result["snapshots"][f"{steps[index]:09d}"])
    assert [snapshot.step for snapshot in snapshots[1:3]] == steps[1:3]
    assert [snapshot.step for snapshot in snapshots] == steps
    for index in (len(steps), -len(steps) - 1):
        with pytest.raises(IndexError, match=f"there are {len(steps)} snapshots"):
            snapshots[index]
    last = snapshots[-1]
    last.spheres["radius"] = 0.0
    assert np.all(snapshots[-1].spheres["radius"] > 0.0)
    assert "steps" in repr(snapshots) and "50 spheres" in repr(last)


def test_snapshots_of_an_unfinished_run(unfinished_run: Path) -> None:
    snapshots = jager.open(unfinished_run).snapshots
    files = sorted((unfinished_run / "snapshots").glob("*.h5"))
    assert snapshots.steps == [int(file.stem) for file in files]
    with h5py.File(files[-1]) as file:
        same_snapshot(snapshots[-1], file["snapshots"][files[-1].stem])


def test_fields_are_those_of_the_documentation() -> None:
    text = (ROOT / "docs" / "files.md").read_text(encoding="utf-8")
    for name, fields in (("spheres", SPHERE_FIELDS), ("contacts", CONTACT_FIELDS), ("grains", GRAIN_TYPE.names)):
        table = text.split(f"| dataset of `{name}` |")[1].split("\n\n")[0]
        assert tuple(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == fields == tuple(SNAPSHOT_UNITS[name])


def test_damaged_snapshots(biaxial_run: Path, tmp_path: Path) -> None:
    place = copy_of(biaxial_run, tmp_path)
    with h5py.File(place / "result.h5", "a") as result:
        name = sorted(result["snapshots"])[0]
        del result["snapshots"][name]["spheres"]["radius"]
    with pytest.raises(RunError, match="result.h5: is damaged: snapshot"):
        jager.open(place).snapshots[0]
    (place / "result.h5").write_bytes(b"no HDF5")
    with pytest.raises(RunError, match="result.h5: cannot be read as HDF5"):
        jager.open(place).snapshots


# ---- Unfinished, resumed, lists --------------------------------------------------------------------------------------

def test_an_unfinished_run(unfinished_run: Path) -> None:
    run = jager.open(unfinished_run)
    assert not run.is_complete and run.summary == "" and run.warnings == []
    assert any("there is no summary.txt" in note for note in run.notes)
    assert run.title == "Killed" and run.stages == ["packing", "rest", "biaxial"]
    assert "# --set checkpoint.steps=500" in run.case_text
    assert "not complete" in repr(run)


def test_an_incomplete_last_line_is_left_out_and_told(unfinished_run: Path, tmp_path: Path) -> None:
    place = copy_of(unfinished_run, tmp_path)
    whole = jager.open(place).series
    with builtins.open(place / "series.csv", "ab") as stream:
        stream.write(b"123,2,0.5")
    run = jager.open(place)
    assert np.array_equal(run.series, whole)
    assert "the last line of series.csv is incomplete and left out" in run.notes


def test_reload_sees_what_was_written_since(unfinished_run: Path, tmp_path: Path) -> None:
    place = copy_of(unfinished_run, tmp_path)
    run = jager.open(place)
    rows = len(run.series)
    lines = (place / "series.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    with builtins.open(place / "series.csv", "a", encoding="utf-8") as stream:
        stream.write(lines[-1])
    assert len(run.series) == rows and len(run.reload().series) == rows + 1


def test_a_resumed_run_is_not_complete(biaxial_run: Path, tmp_path: Path) -> None:
    place = copy_of(biaxial_run, tmp_path)
    lines = (place / "series.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    step = lines[-1].split(",")[0]
    lines.append(lines[-1].replace(step, str(int(step) + 50), 1))
    (place / "series.csv").write_text("".join(lines), encoding="utf-8")
    run = jager.open(place)
    assert not run.is_complete and "the run was resumed" in run.notes[0]


def test_members_of_a_list(list_run: Path) -> None:
    run = jager.open(list_run)
    assert list(run.members) == ["jager", "hertz-mindlin"] and run.is_complete and not run.has_series
    assert [list(member.members) for member in run.members.values()] == [["csr-0.2", "csr-0.4"]] * 2
    leaf = run.members["jager"].members["csr-0.4"]
    assert leaf.case_keys["stages.0.cyclic.csr"] == "0.4" and leaf.stages == ["packing", "shaking"]
    assert len(leaf.series) == len(rows_of(list_run / "jager" / "csr-0.4" / "series.csv"))
    with pytest.raises(RunError, match="has no series.csv; it is in the members jager, hertz-mindlin"):
        run.series
    assert run.title == "A test" and run.stages == [] and len(run.snapshots) == 0
    assert set(run.warnings) == {f"{name}: {text}" for name in run.members for text in run.members[name].warnings}


def test_a_list_that_lacks_something(list_run: Path, tmp_path: Path) -> None:
    place = copy_of(list_run, tmp_path)
    (place / "resistance.csv").unlink()
    assert "there is no resistance.csv" in jager.open(place).notes[0]
    (place / "jager" / "csr-0.2" / "summary.txt").unlink()
    assert "jager is not complete" in jager.open(place).notes[0]
    shutil.rmtree(place / "hertz-mindlin")
    assert "hertz-mindlin has not begun" in jager.open(place).notes[0]


def test_kinds_of_loading(biaxial_run: Path, cyclic_run: Path, warning_run: Path, list_run: Path) -> None:
    def found(path: Path, keys: bool) -> tuple[Any, ...]:
        run = jager.open(path)
        of = find_loading(run.series, run.case_keys if keys else {})
        return of.kind, of.component, of.lateral, of.is_cyclic, of.is_at_constant_volume, of.first_stage

    for keys in (True, False):
        assert found(biaxial_run, keys) == ("normal", "zz", "xx", False, False, 2)
        assert found(cyclic_run, keys) == ("normal", "zz", "", True, True, 1)
        assert found(warning_run, keys) == ("shear", "xz", "", False, False, 1)
        assert found(list_run / "jager" / "csr-0.2", keys) == ("shear", "xz", "", True, True, 1)
    assert found(list_run / "jager", True)[0] == "still"


# ---- Other forms -----------------------------------------------------------------------------------------------------

def test_frame(biaxial_run: Path) -> None:
    pytest.importorskip("pandas")
    run = jager.open(biaxial_run)
    frame = run.frame()
    assert list(frame.columns) == list(run.series.dtype.names or ())
    assert all(np.array_equal(frame[name], run.series[name]) for name in frame.columns)
    frame["p"] = 0.0
    assert run.series["p"].any()


def test_xarray(biaxial_run: Path) -> None:
    pytest.importorskip("xarray")
    run = jager.open(biaxial_run)
    data = run.to_xarray()
    assert data.attrs["title"] == run.title and data["q"].attrs["units"] == "Pa" and data["q"].dims == ("step",)
    assert all(np.array_equal(data[name].values, run.series[name]) for name in run.series.dtype.names or ())
    snapshot = run.snapshots[-1]
    grains = snapshot.to_xarray()
    assert grains["position"].attrs["units"] == "m" and grains["cell"].dims == ("axis", "edge")
    assert np.array_equal(grains["position"].sel(axis="z").values, snapshot.spheres["position"][:, 2])
    assert np.array_equal(grains["contact_ids"].sel(pair="second").values, snapshot.contacts["ids"][:, 1])
    assert np.array_equal(grains["contact_force"].values, snapshot.contacts["force"])


def test_representations(biaxial_run: Path, list_run: Path, warning_run: Path) -> None:
    run = jager.open(biaxial_run)
    assert "complete" in repr(run) and "biaxial" in repr(run)
    shown = run._repr_html_()
    assert "Biaxial &lt;b&gt;test&lt;/b&gt; &amp; more" in shown and "<b>test" not in shown and "No warnings." in shown
    assert "rest, biaxial" in shown and "void_ratio" in shown
    assert "not quasi-static" in jager.open(warning_run)._repr_html_()
    assert "hertz-mindlin" in repr(jager.open(list_run)) and "hertz-mindlin" in jager.open(list_run)._repr_html_()


def test_representations_of_damaged_runs(biaxial_run: Path, tmp_path: Path) -> None:
    place = copy_of(biaxial_run, tmp_path)
    (place / "series.csv").write_bytes(b"a,b\n1\n")
    (place / "result.h5").write_bytes(b"")
    (place / "summary.txt").write_bytes(b"\xff")
    run = jager.open(place)
    for text in (repr(run), run._repr_html_()):
        assert "series.csv:2: is damaged" in text and "not complete" in text


@pytest.mark.parametrize("module, use", [
    ("pandas", lambda run: run.frame()), ("xarray", lambda run: run.to_xarray()), ("h5py", lambda run: run.snapshots),
    ("xarray", lambda run: run.snapshots[0].to_xarray()), ("matplotlib", lambda run: run.plot()),
])
def test_modules_that_are_not_installed(module: str, use: Any, biaxial_run: Path, monkeypatch: Any) -> None:
    hide(monkeypatch, module)
    run = jager.open(biaxial_run)
    with pytest.raises(JagerError, match=f"{module} is needed: apt install python3-{module}, or pip install {module}"):
        use(run)
    assert len(run.series) > 0 and run.title and run.stages[-1] == "biaxial" and repr(run)


def test_without_h5py_the_case_is_that_of_the_checkpoint(biaxial_run: Path, tmp_path: Path, monkeypatch: Any) -> None:
    place = copy_of(biaxial_run, tmp_path)
    hide(monkeypatch, "h5py")
    run = jager.open(place)
    assert run.title == "Biaxial <b>test</b> & more" and "strain_step: 8e-7" in run.case_text and run.is_complete
    for name in ("checkpoint.jck", "checkpoint-before.jck"):
        (place / name).unlink()
    with pytest.raises(JagerError, match="python3-h5py"):
        run.reload().case_text


# ---- Mistakes --------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("make", [jager.open, jager.Run])
def test_no_run(make: Any, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="nowhere: there is no such directory"):
        make(tmp_path / "nowhere")
    (tmp_path / "series.csv").mkdir()
    with pytest.raises(RunError, match="is not the directory of a run: it has none of series.csv, "):
        make(tmp_path)
    (tmp_path / "result.h5").write_bytes(b"")
    with pytest.raises(RunError, match="is a file; give the directory of the run"):
        make(tmp_path / "result.h5")


def test_a_run_is_made_of_a_path(biaxial_run: Path) -> None:
    assert len(jager.Run(str(biaxial_run)).series) == len(jager.open(biaxial_run).series) > 0
    with pytest.raises(TypeError):
        jager.Run(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("data, message", [
    (b"", r"series.csv: has no complete line"),
    (b"step,p", r"series.csv: has no complete line"),
    (b"step,p\n1,2\n3\n", r"series.csv:3: is damaged: the header has 2 columns, this line 1"),
    (b"step,p\n1,2\n\n5,6\n", r"series.csv:3: is damaged: the header has 2 columns, this line 1"),
    (b"step,p\n1,2\n3,x4\n", r"series.csv:3: is damaged: 'x4' in column 'p' is not a number"),
    (b"step,p\n1,1_0\n", r"series.csv:2: is damaged: '1_0' in column 'p' is not a number"),
    (b"step,p\n1,\n", r"series.csv:2: is damaged: '' in column 'p' is not a number"),
    (b"step,p\n1,\0\0\n", r"series.csv:2: is damaged: .* is not a number"),
    (b"step,step\n1,2\n", r"series.csv:1: is damaged: the header"),
    (b"1,2\n3,4\n", r"series.csv:1: is damaged: the header"),
    (b"step,p\n1,2\n1,\xff\n", r"series.csv:3: is damaged: the bytes are not UTF-8"),
])
def test_damaged_tables(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "series.csv").write_bytes(data)
    with pytest.raises(RunError, match=message):
        jager.open(tmp_path).series


def test_lines_of_windows_are_read(tmp_path: Path) -> None:
    (tmp_path / "series.csv").write_bytes(b"step,p\r\n1,2\r\n3,inf\r\n")
    assert read_table(tmp_path / "series.csv")[0].tolist() == [(1.0, 2.0), (3.0, np.inf)]


def test_another_table_is_no_series(tmp_path: Path) -> None:
    (tmp_path / "series.csv").write_bytes(b"step,p\n1,2\n")
    with pytest.raises(RunError, match="series.csv:1: is not the series of a run: it has no column 'stage'"):
        jager.open(tmp_path).series


def test_a_series_without_lines(biaxial_run: Path, tmp_path: Path) -> None:
    (tmp_path / "series.csv").write_bytes((biaxial_run / "series.csv").read_bytes().split(b"\n")[0] + b"\n")
    run = jager.open(tmp_path)
    assert len(run.series) == 0 and not run.is_complete and run.stages == ["packing"] and "0 lines" in repr(run)


def test_json_of_the_program_agrees(cyclic_run: Path, program: Path) -> None:
    told = subprocess.run([program, "info", "--json", cyclic_run / "result.h5"], capture_output=True, check=True)
    info, run = json.loads(told.stdout), jager.open(cyclic_run)
    assert info["stages"] == run.stages and info["title"] == run.title and info["series"]["rows"] == len(run.series)
    assert {name: of["unit"] for name, of in info["series"]["quantities"].items()} == run.units


def test_a_run_knows_its_case(biaxial_run):
    import jager
    run = jager.open(biaxial_run)
    assert run.case.keys == run.case_keys and run.case.stages == run.stages
    assert run.case.changed({"material.friction": 0.31}).keys["material.friction"] == "0.31"


def test_frames_of_single_stages(biaxial_run):
    pytest.importorskip("pandas")
    import jager
    run = jager.open(biaxial_run)
    for name, number in (("biaxial", 2), (2, 2), ("packing", 0)):
        frame = run.frame(name)
        assert (frame["stage"] == number).all() and len(frame) == (run.series["stage"] == number).sum()
    with pytest.raises(jager.RunError, match="there is no stage 'shear'; there are packing, rest, biaxial"):
        run.frame("shear")


def test_unfinished_runs_have_names(unfinished_run):
    import jager
    run = jager.open(unfinished_run)
    assert run.title == run.case.title and run.stages == run.case.stages
