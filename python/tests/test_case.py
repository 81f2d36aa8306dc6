# SPDX-License-Identifier: MIT
"""Cases: files, texts, dicts and changes give the same case; messages about mistakes name their place."""
from __future__ import annotations

import copy
import html.parser
import json
import os
import pathlib
import pickle
import re
import threading
import types
import warnings
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import jager

LATTICE = """jager: 1
title: Lattice
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
assembly:
  lattice: {kind: fcc, cells: [2, 2, 2], radius: 0.5 mm, overlap: 1e-4}
output: {series: 20, plots: false}
stages:
  - name: rest
    control: {xx: {stress: 100 kPa}, yy: {stress: 100 kPa}, zz: {stress: 100 kPa}}
    until: {steps: 50}
  - name: triaxial
    control: {xx: {stress: 100 kPa}, yy: {stress: 100 kPa}, zz: {strain_step: 1e-7}}
    until: {steps: 150, strain_zz: 1 %}
"""

AS_DICT = {
    "jager": 1, "title": "Lattice",
    "material": {"shear_modulus": 29e9, "poisson": 0.15, "friction": 0.5, "density": 2650},
    "assembly": {"lattice": {"kind": "fcc", "cells": [2, 2, 2], "radius": 0.5e-3, "overlap": 1e-4}},
    "output": {"series": 20, "plots": False},
    "stages": [
        {"name": "rest", "control": {"xx": {"stress": 1e5}, "yy": {"stress": 1e5}, "zz": {"stress": 1e5}},
         "until": {"steps": 50}},
        {"name": "triaxial", "control": {"xx": {"stress": 1e5}, "yy": {"stress": 1e5}, "zz": {"strain_step": 1e-7}},
         "until": {"steps": 150, "strain_zz": 0.01}}]}

PACKING = LATTICE.replace("lattice: {kind: fcc, cells: [2, 2, 2], radius: 0.5 mm, overlap: 1e-4}",
                          "packing: {spheres: 60, sizes: {uniform: {min: 0.8 mm, max: 1.2 mm}}, pressure: 100 kPa}")


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def hash_of(case) -> str:
    simulation = jager.Simulation(case, threads=1)
    simulation.step(30)
    return simulation.hash


# ---- Sources ---------------------------------------------------------------------------------------------------------


def test_file_text_and_dict_are_the_same_case(tmp_path):
    path = tmp_path / "case.yaml"
    path.write_text(LATTICE)
    of_text = jager.Case(LATTICE)
    for case in (jager.Case(path), jager.Case(str(path)), jager.Case("case.yaml"), jager.Case(AS_DICT),
                 jager.Case(types.MappingProxyType(AS_DICT)), jager.Case(of_text),
                 jager.Case(json.dumps(AS_DICT, indent=1))):
        assert case.keys == of_text.keys
        assert (case.title, case.stages) == ("Lattice", ["packing", "rest", "triaxial"])
        assert not case.has_packing and not case.has_lists and case.warnings == ""
        assert str(case) == str(of_text)
    assert of_text.path is None and jager.Case("case.yaml").path == "case.yaml"
    assert jager.Case("case.yaml", {"seed": 3}).changed(["title=x"]).path == "case.yaml"
    assert jager.Case(PACKING).has_packing
    assert jager.Case(LATTICE, {"contact.model": ["jager", "linear"]}).has_lists
    assert hash_of(AS_DICT) == hash_of(LATTICE) == hash_of("case.yaml") == hash_of(path)


def test_numbers_of_numpy_in_a_dict():
    changed = copy.deepcopy(AS_DICT)
    changed["material"] = {key: np.float64(value) for key, value in AS_DICT["material"].items()}
    changed["assembly"]["lattice"]["cells"] = np.array([2, 2, 2])
    changed["gravity"] = np.zeros(3)
    changed["seed"] = np.int64(1)
    changed["output"] = {"series": np.uint8(20), "plots": np.bool_(False)}
    changed["stages"] = tuple(changed["stages"])
    changed["stages"][0]["until"] = types.MappingProxyType({"steps": np.array(50)})
    assert jager.Case(changed).keys == jager.Case(LATTICE).keys


def test_a_file_is_read_once(tmp_path):
    path = tmp_path / "case.yaml"
    path.write_text(LATTICE)
    case = jager.Case(path, {"seed": 3})
    path.write_text(LATTICE.replace("friction: 0.5", "friction: 0.7"))
    assert case.changed({"title": "x"}).keys == case.keys
    assert pickle.loads(pickle.dumps(case)).keys == case.keys
    path.unlink()
    assert jager.Case(case, {"title": "x"}).keys == case.keys
    again = pickle.loads(pickle.dumps(case))
    assert (again.keys, again.text, again.path) == (case.keys, case.text, case.path)
    assert hash_of(again) == hash_of(LATTICE)


@pytest.mark.parametrize("ending", ["\n", "", "\n# a comment", "\n\n\n", "\n# --set material.friction=0.9\n",
                                    "\n# --set material.friction=0.9"])
@pytest.mark.parametrize("start", ["", "\ufeff", "# ä\n"])
def test_text_keeps_the_file_and_the_changes(tmp_path, start, ending):
    text = start + LATTICE.rstrip("\n") + ending
    path = tmp_path / "case.yaml"
    path.write_bytes(text.encode())
    for source in (path, text):
        for changes in ({}, {"seed": 3, "title": "x  # y"}, {"material.friction": 0.25}):
            case = jager.Case(source, changes)
            assert case.text.startswith(text)
            assert case.text.splitlines()[-1 - len(changes):][1:] == [f"# --set {k}={v}" for k, v in changes.items()]
            assert case.keys["material.friction"] == str(changes.get("material.friction", 0.5))
            assert case.changed(None).text == case.text
            # A simulation reads the recorded text again when it is changed, and so does what is restored.
            simulation = jager.Simulation(case, threads=1)
            simulation.step(2)
            for state in (simulation, simulation.copy(), pickle.loads(pickle.dumps(simulation))):
                assert state.case.keys == case.keys and state.case.text == case.text
                state.change({"stages.1.friction": 0.1})
                assert state.case.keys["material.friction"] == case.keys["material.friction"]
                assert state.case.text == case.text + "# --set stages.1.friction=0.1\n" or "# --set" in ending
                assert state.case.keys == case.changed({"stages.1.friction": 0.1}).keys


def test_windows_line_ends(tmp_path):
    (tmp_path / "case.yaml").write_bytes(LATTICE.replace("\n", "\r\n").encode())
    case = jager.Case("case.yaml", {"seed": 2})
    assert case.keys == jager.Case(LATTICE).keys
    simulation = jager.Simulation(case, threads=1)
    simulation.step()
    simulation.set_friction(0.3)
    assert pickle.loads(pickle.dumps(simulation)).case.text == case.text + "# --set stages.0.friction=0.3\n"


def test_pickle_and_copies():
    case = jager.Case(LATTICE, {"material.friction": "30 %"})
    for again in (pickle.loads(pickle.dumps(case)), copy.copy(case), copy.deepcopy(case)):
        assert (again.keys, again.text, again.path) == (case.keys, case.text, None)
        assert again.changed({"seed": 1}).keys == case.changed({"seed": 1}).keys


def test_missing_and_odd_sources(tmp_path):
    for missing in ("no.yaml", "no/no.yaml", pathlib.Path("no.yaml"), "", "jager: 1", ".", tmp_path, "/dev/null/x"):
        with pytest.raises(OSError):
            jager.Case(missing)
    for wrong in (3, None, b"case.yaml", ["jager: 1"], 1.5, object()):
        with pytest.raises(TypeError, match="a case is a path, a text, a dict or a jager.Case"):
            jager.Case(wrong)
    for wrong in ({"jager": object()}, {"title": {1, 2}}, {"title": b"x"}, {"title": 1j}):
        with pytest.raises(TypeError, match="a case cannot hold a value of type"):
            jager.Case(wrong)
        with pytest.raises(TypeError, match="a case cannot hold a value of type"):
            jager.Case(LATTICE, {"a": next(iter(wrong.values()))})
    with pytest.raises(ValueError):
        jager.Case("a\0b")
    (tmp_path / "latin.yaml").write_bytes(b"jager: 1\ntitle: \xe4\n")
    with pytest.raises(jager.CaseError, match=r"latin.yaml:2:8: the byte 0xE4"):
        jager.Case("latin.yaml")
    (tmp_path / "large.yaml").write_text("#" * 1_000_001)
    with pytest.raises(jager.CaseError, match="larger than 1000000 bytes"):
        jager.Case("large.yaml")


# ---- Values and units ------------------------------------------------------------------------------------------------

UNITS = {"material.shear_modulus": {"Pa": 0, "kPa": 3, "MPa": 6, "GPa": 9, "": 0},
         "assembly.lattice.radius": {"m": 0, "cm": -2, "mm": -3, "um": -6, "µm": -6, "nm": -9, "": 0},
         "material.density": {"kg/m3": 0, "g/cm3": 3, "t/m3": 3, "kg/m³": 0, "": 0},
         "material.friction": {"%": -2, "": 0}}


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), digits=st.integers(1, 10**15), places=st.integers(0, 6))
def test_units_cause_no_rounding(data, digits, places):
    """The double nearest to the decimal number, by Python's Decimal."""
    key = data.draw(st.sampled_from(sorted(UNITS)))
    unit = data.draw(st.sampled_from(sorted(UNITS[key])))
    number = Decimal(digits).scaleb(-places)
    value = float(number.scaleb(UNITS[key][unit]))
    if not 1e-9 < value < {"material.friction": 1e6, "material.density": 1e9}.get(key, 1e5):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jager.JagerWarning)
        blank = data.draw(st.sampled_from(["", " "]))
        with_unit = jager.Case(LATTICE, {key: f"{number}{blank}{unit}"})
        plain = jager.Case(LATTICE, {key: value})
    assert float(with_unit.keys[key]) == value
    assert with_unit.keys == plain.keys


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(friction=st.floats(0, 2), poisson=st.floats(0, 0.5), seed=st.integers(0, 2**63 - 1),
       steps=st.integers(1, 10**12),
       gravity=st.lists(st.floats(-100, 100), min_size=3, max_size=3),
       title=st.text(st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="\u2028\u2029\ufeff"),
                     max_size=40))
def test_dict_text_and_changes_agree(friction, poisson, seed, steps, gravity, title):
    title = re.sub(r"[\ufdd0-\ufdef]|[^\u0000-\ud7ff\ue000-\ufffd]", "", title).strip()
    whole = copy.deepcopy(AS_DICT)
    whole["material"].update(friction=friction, poisson=poisson)
    whole.update(seed=seed, gravity=gravity, title=title)
    whole["stages"][1]["until"] = {"steps": steps}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jager.JagerWarning)
        of_dict = jager.Case(whole)
        changes = {"material.friction": friction, "material.poisson": np.float64(poisson), "seed": np.uint64(seed),
                   "gravity": np.array(gravity), "title": json.dumps(title, ensure_ascii=False),
                   "stages.triaxial.until": {"steps": steps}}
        of_changes = jager.Case(LATTICE, changes)
        of_words = jager.Case(LATTICE, ["=".join(line[len("# --set "):].split("=", 1))
                                        for line in of_changes.text.splitlines()[-len(changes):]])
        again = jager.Case(of_dict.text)
    assert of_dict.keys == of_changes.keys == of_words.keys == again.keys
    assert of_dict.title == of_changes.title == again.title == title
    assert float(of_dict.keys["material.friction"]) == friction
    assert [float(of_dict.keys[f"gravity.{k}"]) for k in range(3)] == gravity


def test_round_trip_through_yaml():
    yaml = pytest.importorskip("yaml")
    of_yaml = yaml.safe_load(LATTICE)
    assert jager.Case(of_yaml).keys == jager.Case(LATTICE).keys
    assert jager.Case(yaml.safe_dump(of_yaml)).keys == jager.Case(LATTICE).keys
    assert jager.Case(yaml.safe_dump(AS_DICT)).keys == jager.Case(LATTICE).keys


def test_examples_have_stages_and_keys():
    folder = pathlib.Path(__file__).parents[2] / "examples"
    for path in sorted(folder.glob("*.yaml")):
        case = jager.Case(path)
        assert len(case.stages) > 1 and case.stages[0] == "packing"
        assert jager.Case(path.read_text()).keys == case.keys
        assert case.text == path.read_text()
        numbers = {int(key.split(".")[1]) for key in case.keys if key.startswith("stages.")}
        assert numbers == set(range(len(case.stages) - 1))


# ---- Changes ---------------------------------------------------------------------------------------------------------


def test_changes_of_all_forms():
    case = jager.Case(LATTICE)
    for changes, key, value in (
            ({"material.friction": 0.3}, "material.friction", "0.3"),
            (["material.friction=0.3"], "material.friction", "0.3"),
            (("material.friction=0.9", "material.friction=0.3"), "material.friction", "0.3"),
            (types.MappingProxyType({"material.friction": "30 %"}), "material.friction", "0.3"),
            ({"stages.triaxial.until.steps": 7}, "stages.1.until.steps", "7"),
            ({"stages.1.until": {"steps": 7.0}}, "stages.1.until.steps", "7"),
            ({"stages.1.until": {"|gamma_xz|": "3 %", "steps": 9}}, "stages.1.until.|gamma_xz|", "0.03"),
            ({"stages.1.until.|gamma_xz|": 0.03}, "stages.1.until.|gamma_xz|", "0.03"),
            ({"gravity": (0, 0, -9.5)}, "gravity.2", "-9.5"),
            (["gravity=[0, 0, 1]", "gravity.2=-9.5 m/s2"], "gravity.2", "-9.5"),
            ({"contact": {"model": "linear", "linear": {"kn": "1 MN/m"}}}, "contact.linear.kn", "1000000"),
            ({"material": {**AS_DICT["material"], "friction": np.float32(0.25)}}, "material.friction", "0.25"),
            ({"density_scaling": "each"}, "density_scaling", "each"),
            ({"stages": [AS_DICT["stages"][1]]}, "stages.0.control.zz.strain_step", "1e-07")):
        assert case.changed(changes).keys[key] == value, changes
    assert jager.Case(LATTICE).keys == case.keys
    for changes in (None, {}, [], ()):
        assert case.changed(changes).text == case.text
    for changes in ("material.friction=0.3", 3, {1, 2}, iter([])):
        with pytest.raises(TypeError, match="changes of a case are a dict"):
            case.changed(changes)


@pytest.mark.parametrize("name", ["a b.txt", "a, b.txt", "a: b.txt", "it's #1.txt", "[x].txt", "ä{}.txt", '"q".txt',
                                  "back\\slash.txt", "100 %.txt", "- x.txt", "-.txt"])
def test_paths_with_odd_names(tmp_path, name):
    spheres = jager.Simulation(LATTICE, threads=1)
    edges = " ".join(repr(float(edge)) for edge in np.diag(spheres.cell))
    lines = [" ".join(map(repr, [*row["position"].tolist(), float(row["radius"])])) for row in spheres.spheres()]
    (tmp_path / name).write_text(f"cell {edges}\n" + "\n".join(lines) + "\n")
    changes = {"assembly": {"file": pathlib.Path(name)}}
    whole = {**AS_DICT, "assembly": {"file": tmp_path / name}}
    for case in (jager.Case(LATTICE, changes), jager.Case(whole), jager.Case(LATTICE, {"assembly": whole["assembly"]})):
        assert case.keys["assembly.file"] in (name, str(tmp_path / name))
        simulation = jager.Simulation(case, threads=1)
        assert pickle.loads(pickle.dumps(simulation)).hash == simulation.hash
        assert len(simulation.spheres()) == 32
    if not name.startswith(("[", '"', "{")):  # texts that begin so are YAML already
        assert jager.Case(LATTICE, {"assembly": {"file": name}}).keys["assembly.file"] == name


def test_paths_begin_at_the_case_file(tmp_path, monkeypatch):
    folder = tmp_path / "sub"
    folder.mkdir()
    start = jager.Simulation(LATTICE, threads=1)
    start.step(20)
    start.checkpoint(folder / "start.jck")
    text = re.sub(r"assembly:\n.*\n", "assembly: {checkpoint: start.jck}\n", LATTICE)
    (folder / "case.yaml").write_text(text)
    expected = hash_of(folder / "case.yaml")
    assert hash_of("sub/case.yaml") == expected
    assert hash_of(jager.Case("sub/case.yaml").changed({"seed": 9})) == expected
    assert hash_of(jager.Case(LATTICE, {"assembly": {"checkpoint": "sub/start.jck"}})) == expected
    with pytest.raises(OSError, match="start.jck"):
        jager.Simulation(text)
    monkeypatch.chdir(folder)
    assert hash_of(text) == expected
    run = jager.Case(text, {"output.plots": False}).run("out")
    assert run.is_complete
    (folder / "start.jck").unlink()
    with pytest.raises(OSError, match="start.jck"):
        jager.Simulation("case.yaml")


def test_a_simulation_does_not_need_its_files_any_more(tmp_path):
    start = jager.Simulation(LATTICE, threads=1)
    start.checkpoint("start.jck")
    case = jager.Case(LATTICE, {"assembly": {"checkpoint": "start.jck"}})
    simulation, other = jager.Simulation(case, threads=1), jager.Simulation(case, threads=1)
    other.step(70)
    simulation.step(30)
    (tmp_path / "start.jck").unlink()
    simulation = pickle.loads(pickle.dumps(simulation))
    simulation.change({"title": "x"})
    simulation.step(40)
    assert simulation.hash == other.hash


# ---- Mistakes --------------------------------------------------------------------------------------------------------

MISTAKES = [  # a part of the text, what it becomes, the place that the message points to, a part of the message
    ("friction: 0.5", "frictoin: 0.5", "frictoin", "did you mean 'friction'?"),
    ("friction: 0.5", "friction: -0.5", "-0.5", "must lie in [0, 1e6]"),
    ("friction: 0.5", "friction: nan", "nan", "needs a number"),
    ("friction: 0.5", "friction: 0.5 kPa", "0.5 kPa", "friction"),
    ("friction: 0.5", "friction: [1]", "[1]", "friction"),
    ("29 GPa", "29 GPb", "29 GPb", "GPb"),
    ("29 GPa", "29 mm", "29 mm", "shear_modulus"),
    ("poisson: 0.15", "poisson: 0.6", "0.6", "poisson"),
    ("kind: fcc", "kind: bcc", "bcc", "fcc"),
    ("[2, 2, 2]", "[2, 2]", "[2, 2]", "cells"),
    ("name: triaxial", "name: rest", "rest\n    control: {xx: {stress: 100 kPa}, yy: {stress: 100 kPa}, zz: {strain",
     "rest"),
    ("strain_step: 1e-7", "strain_stop: 1e-7", "strain_stop", "did you mean 'strain_step'?"),
    ("steps: 50", "steps: 0", "0}\n  - name", "steps"),
    ("title: Lattice", "titel: Lattice", "titel", "did you mean 'title'?"),
    ("jager: 1", "jager: 2", "2\ntitle", "version 1"),
    ("series: 20", "series: true", "true, plots", "series"),
]


def place(text: str, part: str) -> tuple[int, int]:
    assert part in text
    at = text.index(part)
    return text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1


def check_message(message: str, file: str, text: str, line: int, column: int, part: str) -> None:
    pattern = rf"^{re.escape(file)}:{line}:{column}: .*{re.escape(part)}.*\n  (.*)\n  ( *)\^$"
    found = re.search(pattern, message, re.MULTILINE)
    assert found, message
    assert found[1] == text.splitlines()[line - 1]
    assert len(found[2]) == column - 1


@pytest.mark.parametrize("before, after, at, part", MISTAKES)
def test_mistakes_have_line_column_and_caret(tmp_path, before, after, at, part):
    assert LATTICE.count(before) == 1
    text = LATTICE.replace(before, after)
    (tmp_path / "my case.yaml").write_text(text)
    for source, name in ((text, "case.yaml"), (tmp_path / "my case.yaml", str(tmp_path / "my case.yaml"))):
        with pytest.raises(jager.CaseError) as caught:
            jager.Case(source)
        check_message(str(caught.value), name, text, *place(text, at), part)
        again = pickle.loads(pickle.dumps(caught.value))
        assert type(again) is jager.CaseError and str(again) == str(caught.value)
        for make in (jager.Simulation, jager.moduli, lambda case: jager.sweep(case, {"seed": [1]}, "out")):
            with pytest.raises(jager.CaseError):
                make(source)


def test_mistakes_in_a_dict():
    wrong = copy.deepcopy(AS_DICT)
    wrong["material"]["frictoin"] = wrong["material"].pop("friction")
    wrong["gravity"] = [0, float("inf"), 0]
    wrong["seed"] = float("nan")
    with pytest.raises(jager.CaseError) as caught:
        jager.Case(wrong)
    text = json.dumps(wrong, indent=2)
    for part, what in (('"frictoin"', "unknown key"), ("Infinity", "Infinity"), ("NaN", "'seed'")):
        line, column = place(text, part)
        assert re.search(rf"^case.yaml:{line}:{column}: .*{what}", str(caught.value), re.MULTILINE), str(caught.value)
    for value in (None, "a\nb", "a\x07b", "a\0b", "a\u2028b"):
        with pytest.raises(jager.CaseError, match=r"case.yaml:\d+:\d+: "):
            jager.Case({**AS_DICT, "title": value})


@pytest.mark.parametrize("changes, part", [
    ({"material.frictoin": 1}, "material.frictoin=1: unknown key 'frictoin' in 'material': did you mean 'friction'?"),
    (["material.friction"], "material.friction: write it as key=value"),
    ({"": 1}, "=1: the key must be words"),
    ({"a..b": 1}, "a..b=1: the key must be words"),
    ({"material.friction": -1}, "material.friction=-1: 'friction' must lie in"),
    ({"material.friction": float("nan")}, "'friction' needs a number, not 'nan'"),
    ({"stages.nope.friction": 1}, "'stages' has no item 'nope'"),
    ({"stages.7.friction": 1}, "'stages' has no item '7'"),
    ({"title.x": 1}, "'title' is a single value"),
    ({"material": {"friction": 0.1}}, "'shear_modulus' is missing"),
    ({"title": "a: b"}, "title=a: b: 'title' must be a single value"),
    ({"title": "a\nb"}, "it must be one line without control characters"),
    ({"title": "a\0b"}, "it must be one line without control characters"),
    ({"a\0": 1}, "it must be one line without control characters"),
    ({"seed": True}, "seed=true: 'seed' must be a whole number"),
    ({"seed": 2**63}, "'seed' must be a whole number"),
    ({"gravity": np.zeros((2, 2))}, "'gravity' must be a list of 3 numbers"),
    ({"stages": []}, "'stages' must be a list of blocks"),
    ({"title": "{"}, "this is not YAML"),
])
def test_mistakes_in_changes(changes, part):
    case = jager.Case(LATTICE)
    text, keys = case.text, case.keys
    for make in (lambda: jager.Case(LATTICE, changes), lambda: case.changed(changes)):
        with pytest.raises(jager.CaseError) as caught:
            make()
        assert part in str(caught.value)
        assert "--set" not in str(caught.value)
    assert (case.text, case.keys) == (text, keys)


def test_ten_mistakes_at_once():
    text = LATTICE + "".join(f"key{k}: 1\n" for k in range(15))
    with pytest.raises(jager.CaseError) as caught:
        jager.Case(text)
    assert len(re.findall(r"^case.yaml:\d+:\d+: ", str(caught.value), re.MULTILINE)) == 10


# ---- Warnings and looks ----------------------------------------------------------------------------------------------


def test_unusual_values_warn_once_with_the_place_of_the_call(tmp_path):
    text = LATTICE.replace("29 GPa", "29")
    (tmp_path / "case.yaml").write_text(text)

    def made(make):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            make()
        assert [warning.category for warning in told] == [jager.JagerWarning]
        assert told[0].filename == __file__
        return str(told[0].message)

    assert issubclass(jager.JagerWarning, UserWarning)
    shown = made(lambda: jager.Case(text))
    line, column = place(text, "29,")
    assert shown.startswith(f"case.yaml:{line}:{column}: warning: 'shear_modulus' is 29 Pa")
    assert made(lambda: jager.Simulation(text)) == made(lambda: jager.Simulation("case.yaml")) == shown
    changed = made(lambda: jager.Case(LATTICE, {"material.density": 1}))
    assert changed.startswith("material.density=1: warning: 'density' is 1 kg/m3")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        case = jager.Case(text)
    assert case.warnings == shown
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a warning is not repeated
        simulation = jager.Simulation(case, threads=1)
        simulation.step()
        pickle.loads(pickle.dumps(simulation)).case
        assert pickle.loads(pickle.dumps(case)).warnings == case.warnings
        with pytest.raises(jager.JagerWarning):
            case.changed({"seed": 3})


class Parser(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def check_html(text: str) -> None:
    parser = Parser()
    parser.feed(text)
    parser.close()
    assert parser.open == [] and parser.seen and "script" not in parser.seen


def test_representations(tmp_path):
    title = "<script>alert('&')</script>"
    case = jager.Case({**AS_DICT, "title": title})
    assert case.title == title
    check_html(case._repr_html_())
    assert "&lt;script&gt;" in case._repr_html_()
    assert repr(case) == f"<jager.Case {title!r}: packing, rest, triaxial>"
    assert f"title       {title}" in str(case)
    untitled = jager.Case(LATTICE.replace("title: Lattice\n", ""))
    assert repr(untitled) == "<jager.Case 'case.yaml': packing, rest, triaxial>"
    simulation = jager.Simulation(case, threads=1)
    run = jager.Case(case, {"stages.1.until.steps": 2}).run("out")
    for shown in (simulation, simulation.measures, jager.moduli(simulation), run):
        check_html(shown._repr_html_())
        assert repr(shown).startswith("<jager")


def test_default_directory(tmp_path, monkeypatch):
    with pytest.raises(jager.JagerError, match="no default directory"):
        jager.Case(LATTICE).run()
    (tmp_path / "my.case.yaml").write_text(LATTICE)
    assert jager.Case("my.case.yaml", {"stages.1.until.steps": 1}).run().path == pathlib.Path("out/my.case")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    run = jager.Case(LATTICE, {"stages.1.until.steps": 1}).run("~/runs/a")
    assert run.path == tmp_path / "home" / "runs" / "a" and run.is_complete


# ---- Many ------------------------------------------------------------------------------------------------------------


def resident() -> int:
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_ten_thousand_cases_leave_nothing_behind():
    def some(count):
        for k in range(count):
            case = jager.Case(LATTICE, {"material.friction": 0.1 + 0.8 * (k % 2)})
            case.keys, case.text, str(case)
            with pytest.raises(jager.CaseError):
                case.changed({"material.friction": "x" * 100})
    some(500)
    before = resident()
    some(5000)
    assert resident() - before < 3_000_000


def test_cases_in_threads():
    expected = jager.Case(LATTICE, {"seed": 1}).keys
    wrong: list[object] = []

    def work(number):
        for _ in range(100):
            case = jager.Case(LATTICE, {"material.friction": number / 10})
            if float(case.keys["material.friction"]) != number / 10 or case.keys.keys() != expected.keys():
                wrong.append(case.keys)
    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
