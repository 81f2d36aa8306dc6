# SPDX-License-Identifier: MIT
"""Notebooks and documentation of the package: what they show is what happens."""
import inspect
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

import jager

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(path.stem for path in (ROOT / "python/notebooks").glob("*.ipynb"))
RENDER = [sys.executable, str(ROOT / "tools/render_notebooks.py"), "--check"]

# Runs the blocks of a page one after the other, in one namespace; warnings are errors. Prints what each has printed.
RUN_BLOCKS = """
import contextlib, io, json, sys, warnings
import jager
warnings.simplefilter("error", jager.JagerWarning)
names, printed = {}, []
for number, block in enumerate(json.load(sys.stdin)):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(block, f"<block {number}>", "exec"), names)
    printed.append(out.getvalue())
print(json.dumps(printed))
"""


def environment():
    """That of the tests, with absolute paths, since the examples run in another directory."""
    paths = [os.path.abspath(path) for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "MPLBACKEND": "Agg"}


# ---- Notebooks ------------------------------------------------------------------------------------------------------


def test_there_are_notebooks():
    assert NOTEBOOKS == ["contact", "damping", "liquefaction", "servo"]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebook_gives_what_its_page_says(name):
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    done = subprocess.run([*RENDER, name], capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stdout + done.stderr


SMALL = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
    {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "# A title"},
    {"cell_type": "code", "id": "b", "metadata": {}, "execution_count": None, "outputs": [], "source":
     "import os, sys\nprint(6 * 7)\nsys.stderr.write('\\rwork' + 'ing\\r       \\r')\n"
     "sys.executable == os.environ['EXPECTED'], 'intruder' in globals()"}]}


@pytest.fixture
def small(tmp_path):
    """A tree with one small notebook, and a function that runs the script there. The home directory has another kernel
    of the usual name and a startup file of IPython, which must not matter."""
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    home, startup = tmp_path / "home", tmp_path / "home/.ipython/profile_default/startup"
    kernel = home / ".local/share/jupyter/kernels/python3"
    for folder in (tmp_path / "tools", tmp_path / "python/notebooks", startup, kernel):
        folder.mkdir(parents=True)
    (startup / "00.py").write_text("intruder = True\n")
    (kernel / "kernel.json").write_text('{"argv": ["/bin/false"], "display_name": "x", "language": "python"}')
    script = tmp_path / "tools/render_notebooks.py"
    script.write_text((ROOT / "tools/render_notebooks.py").read_text())
    (tmp_path / "python/notebooks/small.ipynb").write_text(json.dumps(SMALL))

    def run(*words):
        variables = {**environment(), "HOME": str(home), "EXPECTED": sys.executable}
        return subprocess.run([sys.executable, script, *words], capture_output=True, text=True, timeout=120,
                              env=variables)
    return tmp_path, run


def test_script_runs_this_python_and_nothing_else(small):
    tree, run = small
    done = run()
    assert done.returncode == 0, done.stdout + done.stderr
    page = (tree / "docs/notebooks/small.md").read_text()
    assert page.endswith("```text\n42\n```\n\n```text\n(True, False)\n```\n")
    assert "working" not in page


def test_checker_sees_another_number(small):
    """A page with a wrong number, and a notebook with outputs, are found, with the number of the cell."""
    tree, run = small
    page, path = tree / "docs/notebooks/small.md", tree / "python/notebooks/small.ipynb"
    assert run().returncode == 0
    assert run("--check").returncode == 0
    page.write_text(page.read_text().replace("42\n", "43\n"))
    found = run("--check", "small")
    assert found.returncode == 1
    assert "small, cell 2, 'A title':\n  page: 43\n  now:  42\n" in found.stdout
    page.write_text(page.read_text().replace("43\n", "42\n"))
    stored = json.loads(path.read_text())
    stored["cells"][1]["execution_count"] = 7
    path.write_text(json.dumps(stored))
    found = run("--check")
    assert found.returncode == 1 and "stored with outputs" in found.stdout
    assert run("--check", "none").returncode == 1


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebook_is_stored_plain(name):
    stored = json.loads((ROOT / f"python/notebooks/{name}.ipynb").read_text())
    assert set(stored["metadata"]) == {"kernelspec", "language_info"}
    for cell in stored["cells"]:
        assert cell["metadata"] == {}
        assert cell["cell_type"] == "markdown" or (cell["outputs"] == [] and cell["execution_count"] is None)
        assert all(len(line.rstrip("\n")) <= 120 for line in cell["source"])


def test_pictures_are_small():
    pictures = list((ROOT / "docs/notebooks/img").glob("*.png"))
    assert len(pictures) >= len(NOTEBOOKS)
    assert all(path.stat().st_size < 80_000 for path in pictures)


# ---- Docstrings -----------------------------------------------------------------------------------------------------


def public_members(of):
    """Public methods, properties and functions that a class or module defines itself."""
    for name, member in vars(of).items():
        plain = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
        is_ours = inspect.isfunction(plain) or isinstance(plain, property) or hasattr(plain, "func")
        if is_ours and not name.startswith("_") and getattr(plain, "__module__", of.__name__) != "typing":
            yield name, plain


@pytest.mark.parametrize("name", jager.__all__)
def test_public_names_have_docstrings(name):
    value = getattr(jager, name)
    page = (ROOT / "docs/python-api.md").read_text(encoding="utf-8")
    assert f"\n### {name}\n" in page
    if not (inspect.isclass(value) or inspect.isfunction(value) or inspect.ismodule(value)):
        return  # a constant: the page describes it
    assert value.__doc__ and value.__doc__.strip()
    if inspect.isfunction(value):
        return
    for member, function in public_members(value):
        if inspect.ismodule(value) and function.__module__ != value.__name__:
            continue
        assert function.__doc__ and function.__doc__.strip(), f"{name}.{member} has no docstring"
        has_heading = f"\n#### {name}.{member}\n" in page
        assert has_heading or f"\n| `{member}` |" in page, f"{name}.{member} is not in docs/python-api.md"


# ---- docs/python.md -------------------------------------------------------------------------------------------------


def test_examples_of_the_page_run(tmp_path):
    """Every block of Python of docs/python.md runs and prints what stands below it; then the commands run."""
    pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    found = re.findall(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", page, re.S | re.M)
    assert len(found) == page.count("```python\n") >= 12
    blocks, expected = [block for block, _ in found], [text for _, text in found]
    done = subprocess.run([sys.executable, "-c", RUN_BLOCKS], input=json.dumps(blocks), capture_output=True, text=True,
                          cwd=tmp_path, env=environment(), timeout=500)
    assert done.returncode == 0, done.stderr
    for block, printed, text in zip(blocks, json.loads(done.stdout), expected):
        assert printed == text, block

    commands = re.findall(r"^    python3 (-m jager .*)$", page, re.M)
    assert {command.split()[2] for command in commands} == {"sweep", "plot", "report", "convert"}
    for command in commands:
        done = subprocess.run([sys.executable, *command.split()], capture_output=True, text=True, cwd=tmp_path,
                              env=environment(), timeout=300)
        assert done.returncode == 0, command + "\n" + done.stdout + done.stderr
    for file in ("compare.png", "columns.pdf", "sweep.png", "more.png", "two.png", "spheres.csv", "spheres.data"):
        assert (tmp_path / file).stat().st_size > 0
