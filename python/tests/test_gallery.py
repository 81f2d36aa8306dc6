# SPDX-License-Identifier: MIT
"""The gallery: figures computed anew are those that are kept, and the index lists all items.

The oracle is what gallery/gallery.py wrote before; each item holds its figures against sources of its own.
"""
from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "gallery"
ITEMS = sorted(path.parent.name for path in (ROOT / "gallery").glob("*/make.py"))


def gallery(*words: str, root: Path = ROOT, program: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **({"JAGER_PROGRAM": str(program)} if program else {})}
    command = [sys.executable, str(root / "gallery" / "gallery.py"), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=3000, env=environment)


def test_figures_are_those_that_are_kept(program):
    done = gallery("--check", program=program)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_index_lists_all_items():
    assert {"impact", "contacts"} <= set(ITEMS)
    index = (PAGES / "README.md").read_text(encoding="utf-8")
    listed = gallery("--list").stdout
    for item in ITEMS:
        assert f"[{item}]({item}.md)" in index and f"make gallery ITEM={item}" in index
        assert re.search(rf"^{item} +(quick|slow) ", listed, re.M)
        page = (PAGES / f"{item}.md").read_text(encoding="utf-8")
        pictures = re.findall(rf"\]\(({item}/[A-Za-z0-9_-]+\.png)\)", page)
        assert sorted(pictures) == sorted(f"{item}/{path.name}" for path in (PAGES / item).glob("*.png"))
        assert all((PAGES / name).stat().st_size < 120_000 for name in pictures)


def test_a_changed_figure_is_found(program, tmp_path):
    for name in ("gallery", "docs/gallery"):
        shutil.copytree(ROOT / name, tmp_path / name)
    kept = tmp_path / "docs" / "gallery" / "contacts" / "figures.csv"
    rows = list(csv.reader(kept.read_text(encoding="utf-8").splitlines()))
    changed = next(row for row in rows if row[0] == "exponent")
    changed[1] = repr(float(changed[1]) * (1 + 1e-7))
    with open(kept, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    done = gallery("--check", "contacts", root=tmp_path, program=program)
    assert done.returncode == 1 and "contacts: exponent: " in done.stdout
    assert gallery("--check", "nothing").returncode == 2
