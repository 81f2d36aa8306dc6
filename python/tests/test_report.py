# SPDX-License-Identifier: MIT
"""The HTML page of a run: complete in itself, with everything that the run has, and a view that can be turned."""
from __future__ import annotations

import base64
import importlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jager
from jager import RunError
from jager._report import _REDUCTION_COLUMNS, _RESISTANCE_COLUMNS, _SPHERES_MAX, _columns_table, _scene, _viewer

h5py = pytest.importorskip("h5py")
VOID = {"meta", "img", "br", "input", "link", "hr"}
PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
                         "gg==")


class Page(HTMLParser):
    """Elements with their attributes, texts, and the contents of scripts; fails if elements are not closed in order."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.scripts: list[tuple[dict[str, str], str]] = []
        self._open: list[str] = []
        self.source = path.read_text(encoding="utf-8")
        self.feed(self.source)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.elements.append((tag, given))
        if tag not in VOID:
            self._open.append(tag)
        if tag == "script":
            self.scripts.append((given, ""))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "script":
            self.scripts[-1] = (self.scripts[-1][0], self.scripts[-1][1] + data)
        elif not self._open or self._open[-1] != "style":
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def scenes(self) -> list[Any]:
        return [json.loads(text) for attributes, text in self.scripts if attributes.get("type") == "application/json"]


@pytest.fixture()
def page_of(tmp_path: Path) -> Any:
    def make(run: Any) -> Page:
        path = jager.report(run, tmp_path / "page.html")
        assert path == tmp_path / "page.html"
        return Page(path)

    return make


def array(text: str, kind: str) -> Any:
    return np.frombuffer(base64.b64decode(text), dtype=kind)


def check_alone(page: Page) -> None:
    """Nothing is fetched: pictures are data, nothing refers to other files, and the page forbids it."""
    assert page.all("img") and all(image["src"].startswith("data:image/png;base64,") for image in page.all("img"))
    assert all(image["alt"] for image in page.all("img"))
    for tag, attributes in page.elements:
        assert tag not in ("link", "iframe", "object", "embed", "base", "audio", "video")
        for name in ("src", "href", "data", "action", "poster", "srcset"):
            assert attributes.get(name, "#").startswith(("data:", "#")), (tag, name)
    assert not re.search(r"https?://|@import|url\(|fetch\(|XMLHttpRequest|import\(", page.source)
    policies = [meta["content"] for meta in page.all("meta") if "http-equiv" in meta]
    assert policies and "default-src 'none'" in policies[0]


# ---- Contents --------------------------------------------------------------------------------------------------------

def test_a_page(biaxial_run: Path, page_of: Any) -> None:
    page, run = page_of(biaxial_run), jager.open(biaxial_run)
    check_alone(page)
    assert run.title in page.text and "<b>test" not in page.source
    assert run.case_text.split("\n")[2] in "".join(page.texts)
    for line in run.summary.splitlines():
        assert line in "".join(page.texts)
    assert "Compression along zz, in plane strain (biaxial), monotonic, drained, to a strain of 1 %." in page.text
    for text in ("no warnings", "shear modulus 29 GPa", "0 packing, 1 rest, 2 biaxial"):
        assert text in page.text
    last = run.series[-1]
    assert f"{last['p'] / 1e3:.4g}" in page.text and f"{last['void_ratio']:.4g}" in page.text
    assert page.all("html")[0]["lang"] == "en" and any(meta.get("name") == "viewport" for meta in page.all("meta"))


def test_warnings_come_first(warning_run: Path, page_of: Any) -> None:
    page = page_of(jager.open(warning_run))
    warnings = jager.open(warning_run).warnings
    assert len(warnings) > 0 and all(text in page.text for text in warnings)
    assert page.text.index(warnings[0]) < page.text.index("The test")
    assert any(section.get("class") == "warnings" for section in page.all("section"))


def test_pictures_are_embedded(biaxial_run: Path, page_of: Any, tmp_path: Path) -> None:
    place = shutil.copytree(biaxial_run, tmp_path / "copy")
    for name in ("grains-2", "stress-strain", "rose-0"):
        (place / f"{name}.png").write_bytes(PIXEL)
    page = page_of(place)
    images = page.all("img")
    assert [image["alt"] for image in images] == [
        "Stresses and strains", "Grains and force chains at the end of stage 2 (biaxial)",
        "Directions of contacts at the end of stage 0 (packing)"]
    assert all(base64.b64decode(image["src"].split(",")[1]) == PIXEL for image in images)


def test_cycles(cyclic_run: Path, page_of: Any) -> None:
    page, cycles = page_of(cyclic_run), jager.open(cyclic_run).cycles
    check_alone(page)
    assert cycles is not None and "Table of cycles" in page.text
    assert "cyclic, at constant volume (undrained)" in page.text
    assert f"{cycles['young_modulus'][0] / 1e6:.4g}" in page.text and "K (MPa)" not in page.text
    assert "output: {snapshot: 10000}" in page.text and page.scenes() == []


def test_an_unfinished_run(unfinished_run: Path, page_of: Any) -> None:
    page = page_of(unfinished_run)
    check_alone(page)
    assert "Not complete" in page.text and "there is no summary.txt" in page.text and len(page.scenes()) == 1


@pytest.mark.parametrize("name", ["list", "reduction"])
def test_lists(name: str, list_run: Path, reduction_run: Path, page_of: Any) -> None:
    path = list_run if name == "list" else reduction_run
    page = page_of(path)
    check_alone(page)
    sections = {section["id"] for section in page.all("section") if section.get("class") == "member"}
    assert {link["href"][1:] for link in page.all("a")} == sections and len(sections) == (6 if name == "list" else 2)
    for file in path.rglob("summary.txt"):
        assert all(line in "".join(page.texts) for line in file.read_text(encoding="utf-8").splitlines())
    assert ("Liquefaction resistance" if name == "list" else "Modulus reduction") in page.text
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1 and levels.count(1) == 1 and all(b - a <= 1 for a, b in zip(levels, levels[1:]))


STATIC = """  - name: static
    control: {xx: {stress: 100 kPa}, yy: {stress: 100 kPa}, zz: {stress: 100 kPa}, xz: {strain_rate: 1}}
    inertial_number: 2e-3
    until: {stress_xz: 10 kPa, steps: 20000}
  - name: shaking
    control: {xx: {strain_rate: 0}, yy: {strain_rate: 0}, zz: {strain_rate: 0}, xz: {strain_rate: 1}}
    cyclic: {of: stress_xz, csr: [0.05, 0.9]}
    inertial_number: 2e-3
    until: {cycles: 1, steps: 20000, r_u: 0.95, "|gamma_xz|": 4 %}
"""


def test_a_list_is_the_test_of_its_runs(make_run: Any, page_of: Any) -> None:
    """Drained shear, then a list of cyclic stress ratios, of which the second is beyond the strength."""
    page = page_of(make_run("static", STATIC, "assembly.packing.friction=0.4"))
    facts = re.search(r"The test test (.*?) before the runs part (.*?) stages ", page.text)
    assert facts is not None
    assert facts[1].startswith("Shear of the component xz, cyclic, at constant volume (undrained)")
    assert facts[2].startswith("Shear of the component xz, monotonic, drained")
    assert page.text.count("monotonic") == 1
    assert "static α" in page.text and "flow failure: r_u" in page.text
    assert re.search(r"jager\s+0\.9\s+0\.[01]\d*\s+flow failure\s+0\.[01]", page.text)


def test_doubtful_damping_is_marked() -> None:
    rows = np.array([("jager", 1e-6, 1.0), ("jager", 1e-5, 2.0), ("jager", 1e-4, 0.0)],
                    dtype=[("model", "U20"), ("gamma", float), ("doubtful", float)])
    table = _columns_table("", rows, _REDUCTION_COLUMNS)
    assert table.count("over a third of the loop is numerical") == 1
    assert table.count("short histories may cost over a third") == 1
    assert "doubt about D" in table and "doubt" not in _columns_table("", rows[2:], _REDUCTION_COLUMNS)


def test_tables_without_flow_failures() -> None:
    rows = np.array([("jager", 0.2, 4.0)], dtype=[("model", "U20"), ("csr", float), ("cycles", float)])
    table = _columns_table("", rows, _RESISTANCE_COLUMNS)
    assert ">4<" in table and "flow" not in table


# ---- The 3D view -----------------------------------------------------------------------------------------------------

def test_the_view_has_the_last_snapshot(biaxial_run: Path, page_of: Any) -> None:
    scene = page_of(biaxial_run).scenes()[0]
    with h5py.File(biaxial_run / "result.h5") as result:
        name = max(result["snapshots"])
        group = result["snapshots"][name]
        spheres, contacts = group["spheres"], group["contacts"]
        assert scene["step"] == int(name) and np.array_equal(scene["cell"], group.attrs["cell"])
        assert scene["spheres"]["count"] == len(spheres["id"]) and scene["contacts"]["count"] == len(contacts["fn"])
        position = array(scene["spheres"]["position"], "<f4").reshape(-1, 3)
        assert np.array_equal(position, spheres["position"][()].astype("f4"))
        assert np.array_equal(array(scene["spheres"]["radius"], "<f4"), spheres["radius"][()].astype("f4"))
        assert np.array_equal(array(scene["spheres"]["pressure"], "<f4"), spheres["pressure"][()].astype("f4"))
        assert np.array_equal(array(scene["contacts"]["fn"], "<f4"), contacts["fn"][()].astype("f4"))
        first = array(scene["contacts"]["first"], "<u4")
        assert np.array_equal(spheres["id"][()][first], contacts["ids"][()][:, 0])
        assert scene["fn_mean"] == pytest.approx(contacts["fn"][()].mean())
        assert scene["pressure_max"] == pytest.approx(np.percentile(spheres["pressure"][()], 98))


def test_the_view_can_be_used_without_a_mouse(biaxial_run: Path, page_of: Any) -> None:
    page = page_of(biaxial_run)
    scene = next(canvas for canvas in page.all("canvas") if canvas["class"] == "scene")
    assert scene["tabindex"] == "0" and "Arrow keys" in scene["aria-label"]
    boxes = {box["name"] for box in page.all("input")}
    assert boxes == {"grains", "chains", "weak", "cell", "size"}
    assert all("aria-label" in button or button["name"] in ("front", "reset") for button in page.all("button"))
    assert "kPa" in page.text and "mean stress of a grain" in page.text
    assert re.search(r"above the mean, [\d.]+ m?N", page.text)


def test_of_large_assemblies_a_slice_is_shown(biaxial_run: Path) -> None:
    small = jager.open(biaxial_run).snapshots[-1]
    copies = 2 * _SPHERES_MAX // len(small.spheres)
    spheres, contacts = np.tile(small.spheres, copies), np.tile(small.contacts, copies)
    spheres["id"] = np.arange(len(spheres))
    shift = np.repeat(np.arange(copies), len(small.contacts)) * len(small.spheres)
    contacts["ids"] += shift[:, np.newaxis].astype(contacts["ids"].dtype)
    scene = _scene(jager.Snapshot(1, 0.0, small.cell, spheres, contacts))
    assert scene["spheres"]["count"] == _SPHERES_MAX and scene["spheres"]["of"] == len(spheres)
    assert 0 < scene["contacts"]["count"] < scene["contacts"]["of"] == len(contacts)
    edge = small.cell[1, 1]
    y = array(scene["spheres"]["position"], "<f4").reshape(-1, 3)[:, 1] / edge
    assert np.abs(y - 0.5).max() <= np.sort(np.abs(spheres["position"][:, 1] / edge - 0.5))[_SPHERES_MAX] + 0.02
    assert array(scene["contacts"]["first"], "<u4").max() < _SPHERES_MAX
    assert scene["grains"] == {"count": _SPHERES_MAX, "of": len(spheres)}


def test_spheres_of_a_grain_have_its_colour(biaxial_run: Path) -> None:
    last = jager.open(biaxial_run).snapshots[-1]
    grains = np.zeros(len(last.spheres) // 2, dtype=last.grains.dtype)
    grains["id"], grains["pressure"] = 5 * np.arange(len(grains)), 1e3 * np.arange(len(grains))
    last.spheres["grain"] = np.repeat(grains["id"], 2)
    scene = _scene(jager.Snapshot(1, 0.0, last.cell, last.spheres, last.contacts, grains))
    assert np.array_equal(array(scene["spheres"]["pressure"], "<f4"), np.repeat(grains["pressure"], 2).astype("f4"))
    assert scene["grains"] == {"count": len(grains), "of": len(grains)}
    assert f"{len(grains)} grains and" in _viewer(scene)


_DRIVE = """<script>
const view = document.querySelector("canvas.scene"), changed = [];
let before = view.toDataURL();
view.setPointerCapture = function () {};
function act(name, what) { what(); const now = view.toDataURL(); if (now !== before) changed.push(name); before = now; }
function point(kind, id, x, y) { view.dispatchEvent(new PointerEvent(kind, {pointerId: id, clientX: x, clientY: y})); }
for (const key of ["ArrowLeft", "ArrowUp", "+", "-", "0", "g", "w", "f", "c", "x"])
  act(key, () => view.dispatchEvent(new KeyboardEvent("keydown", {key: key, cancelable: true})));
for (const key of ["g", "f"]) act(key, () => view.dispatchEvent(new KeyboardEvent("keydown", {key: key})));
act("drag", () => { point("pointerdown", 1, 9, 9); point("pointermove", 1, 60, 30); point("pointerup", 1, 60, 30); });
act("pinch", () => { point("pointerdown", 1, 9, 9); point("pointerdown", 2, 90, 9); point("pointermove", 2, 160, 30);
  point("pointerup", 1, 9, 9); point("pointerup", 2, 160, 30); });
for (const button of document.querySelectorAll(".controls button")) act(button.name, () => button.click());
document.title = "RESULT " + document.querySelector(".viewer").dataset.painter + " " + changed.join(" ");
</script></body>"""


@pytest.mark.skipif(not shutil.which("chromium"), reason="chromium is not installed")
@pytest.mark.parametrize("painter, flags", [("webgl2", ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]),
                                            ("canvas", ["--disable-3d-apis"])])
def test_the_view_turns_in_a_browser(painter: str, flags: list[str], biaxial_run: Path, tmp_path: Path) -> None:
    page = jager.report(biaxial_run, tmp_path / "page.html")
    at_once = "<script>window.requestAnimationFrame = function (f) { f(0); return 1; };</script></head>"
    source = page.read_text(encoding="utf-8").replace("</head>", at_once).replace("</body>", _DRIVE)
    page.write_text(source, encoding="utf-8")
    with tempfile.TemporaryDirectory() as profile:
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                   "--disable-background-networking", "--disable-component-update", "--disable-sync",
                   f"--user-data-dir={profile}", *flags, "--window-size=600,800", "--dump-dom", page.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=3000)
    found = re.search(r"<title>RESULT (\w+) ([^<]*)</title>", done.stdout)
    if painter == "webgl2" and found and found[1] == "canvas":
        pytest.skip("this browser has no WebGL 2")
    assert found and found[1] == painter, done.stderr[-2000:]
    assert found[2].split() == ["ArrowLeft", "ArrowUp", "+", "-", "0", "g", "w", "f", "c", "g", "f", "drag", "pinch",
                                "farther", "nearer", "front", "reset"]


# ---- Files and mistakes ----------------------------------------------------------------------------------------------

def test_the_page_goes_into_the_directory_by_default(biaxial_run: Path, tmp_path: Path) -> None:
    place = shutil.copytree(biaxial_run, tmp_path / "copy")
    assert jager.report(str(place)) == place / "report.html"
    first = (place / "report.html").read_bytes()
    assert jager.report(place) == place / "report.html" and (place / "report.html").read_bytes() == first
    assert not list(place.glob("*.tmp-*"))


def test_the_page_is_not_written_through_a_link(biaxial_run: Path, tmp_path: Path) -> None:
    precious, temporary = tmp_path / "precious", tmp_path / f"page.html.tmp-{os.getpid()}"
    precious.write_text("kept")
    temporary.symlink_to(precious)
    with pytest.raises(RunError, match="exists already; remove it if no other process writes it"):
        jager.report(biaxial_run, tmp_path / "page.html")
    assert precious.read_text() == "kept" and temporary.is_symlink() and not (tmp_path / "page.html").exists()


def test_mistakes(biaxial_run: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="there is no such directory"):
        jager.report(tmp_path / "nowhere")
    with pytest.raises(RunError, match="page.html: cannot be written"):
        jager.report(biaxial_run, tmp_path / "no" / "page.html")
    (tmp_path / "folder").mkdir()
    with pytest.raises(RunError, match="folder: exists, and is no regular file"):
        jager.report(biaxial_run, tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
    place = shutil.copytree(biaxial_run, tmp_path / "copy")
    (place / "series.csv").write_bytes(b"step,stage\n1,x\n")
    with pytest.raises(RunError, match="series.csv:2: is damaged"):
        jager.report(place)


@pytest.mark.parametrize("module, message", [("h5py", "There is no 3D view: h5py is needed: apt install python3-h5py"),
                                             ("matplotlib", "There are no pictures: matplotlib is needed")])
def test_without_optional_modules(module: str, message: str, biaxial_run: Path, page_of: Any, monkeypatch: Any) -> None:
    real = importlib.import_module

    def imported(name: str, package: str | None = None) -> Any:
        if name.split(".")[0] == module:
            raise ImportError(name)
        return real(name, package)

    monkeypatch.setattr(importlib, "import_module", imported)
    page = page_of(biaxial_run)
    assert message in page.text and "Biaxial <b>test</b> & more" in page.text


def test_texts_cannot_break_out(biaxial_run: Path, page_of: Any, tmp_path: Path) -> None:
    place = shutil.copytree(biaxial_run, tmp_path / "copy")
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
    summary = (place / "summary.txt").read_text(encoding="utf-8")
    (place / "summary.txt").write_text(f"warning: {evil} {{{{body}}}}\n" + summary, encoding="utf-8")
    page = page_of(place)
    check_alone(page)
    assert evil in "".join(page.texts) and evil not in page.source and len(page.all("body")) == 1
