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
NOTEBOOKS = sorted((ROOT / "python/notebooks").glob("*.ipynb"))

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
    """The environment of the tests with absolute paths, since the examples run in another directory."""
    paths = [os.path.abspath(path) for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "MPLBACKEND": "Agg"}


# ---- Jupyter --------------------------------------------------------------------------------------------------------

# Runs cells in the kernel of docs/python.md and prints their outputs.
RUN_CELLS = """
import json, sys
import nbclient, nbformat
sheet = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in json.load(sys.stdin)])
nbclient.NotebookClient(sheet, kernel_name="jager", timeout=3000).execute()
print(json.dumps([cell.outputs for cell in sheet.cells]))
"""
FORMS = ["run.plot()", "run.plot();", "fig = run.plot()", "run.plot()\nplt.show()"]


@pytest.fixture(scope="module")
def run_cells(tmp_path_factory):
    """A function that runs cells in a new kernel, in an empty directory, and gives their outputs. The kernel is
    installed as docs/python.md says, in a home directory of its own."""
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("matplotlib")
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    words = re.search(r"^    build/python-env/bin/python (-m ipykernel install [^#\n]*)", page, re.M)[1].split()
    variables = {name: value for name, value in environment().items()
                 if name != "MPLBACKEND" and not name.startswith(("JUPYTER", "IPYTHON"))}
    variables["HOME"] = str(tmp_path_factory.mktemp("home"))
    subprocess.run([sys.executable, *words], check=True, capture_output=True, env=variables, timeout=3000)

    def run(cells, folder):
        done = subprocess.run([sys.executable, "-c", RUN_CELLS], input=json.dumps(cells), capture_output=True,
                              text=True, env=variables, cwd=folder, timeout=3000)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)
    return run


def pictures(outputs):
    return sum("image/png" in output.get("data", {}) for output in outputs)


def texts(outputs):
    """The outputs of a cell as text, without pictures; a notebook stores texts line by line."""
    shown = [output.get("text", output.get("data", {}).get("text/plain")) for output in outputs
             if "image/png" not in output.get("data", {})]
    return "".join("".join(text) for text in shown)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_gives_what_is_stored_in_it(path, run_cells, tmp_path):
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    found = run_cells(["".join(cell["source"]) for cell in cells], tmp_path)
    for cell, outputs in zip(cells, found):
        assert texts(outputs) == texts(cell["outputs"]), "".join(cell["source"])
        assert pictures(outputs) == pictures(cell["outputs"]), "".join(cell["source"])
    assert sum(map(pictures, found)) > 0
    assert not list(tmp_path.iterdir())  # it leaves no files behind


@pytest.mark.parametrize("first", FORMS)
def test_each_form_shows_one_picture(first, run_cells, biaxial_run, tmp_path):
    """The first picture of a kernel loads matplotlib's backend, and shows once, too."""
    begin = f"import jager, matplotlib.pyplot as plt\nrun = jager.open({str(biaxial_run)!r})"
    assert [*map(pictures, run_cells([begin, first, *FORMS], tmp_path))] == [0] + 5 * [1]


def test_figures_in_a_notebook(run_cells, biaxial_run, tmp_path):
    cells = {
        f"import jager, numpy as np\nrun = jager.open({str(biaxial_run)!r})": 0,
        "run.plot(file='a.png')": 1,  # as the value of the cell, even before pyplot has made a figure
        "run.plot(file='a.png');": 0,
        "import matplotlib.pyplot as plt": 0,
        "fig = run.plot()\nfig.axes[0].set_title('changed')": 1,
        "fig": 1,
        "fig.axes[0].set_title('later');": 0,
        "display(run.plot())": 1,
        "display(run.plot(), run.plot())": 2,
        "ax = plt.subplots()[1]\nrun.plot(ax=ax)": 1,
        "plt.subplots(2)\nplt.title('mine')\nrun.plot()\nplt.title('last');": 2,
        "for _ in range(3): run.plot(file='a.png')": 0,
        "assert not plt.get_fignums()": 0,
        "contact = jager.Contact(jager.Law(29e9, 0.15, 0.5))\npath = contact.walk(1e-7, np.linspace(0, 3e-8, 9))": 0,
        "path.plot()": 1,
        "ax = path.plot()": 1,
        "contact.plot_cone();": 1,
        "contact.plot_tractions()\nplt.show()": 1,
        "assert jager._running._is_seen()  # progress": 0,
    }
    assert dict(zip(cells, map(pictures, run_cells(list(cells), tmp_path)))) == cells


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
    assert re.search(rf"^\.\. (auto\w+:: jager\.|py:data:: ){name}$", page, re.M), "not in docs/python-api.md"
    if not (inspect.isclass(value) or inspect.isfunction(value) or inspect.ismodule(value)):
        return  # a constant: the page describes it
    assert value.__doc__ and value.__doc__.strip()
    if inspect.isfunction(value):
        return
    for member, function in public_members(value):
        if not inspect.ismodule(value) or function.__module__ == value.__name__:
            assert function.__doc__ and function.__doc__.strip(), f"{name}.{member} has no docstring"


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
                          cwd=tmp_path, env=environment(), timeout=3000)
    assert done.returncode == 0, done.stderr
    for block, printed, text in zip(blocks, json.loads(done.stdout), expected):
        assert printed == text, block

    commands = re.findall(r"^    python3 (-m jager .*)$", page, re.M)
    assert {command.split()[2] for command in commands} == {"sweep", "draw", "plot", "report", "convert"}
    for command in commands:
        done = subprocess.run([sys.executable, *command.split()], capture_output=True, text=True, cwd=tmp_path,
                              env=environment(), timeout=3000)
        assert done.returncode == 0, command + "\n" + done.stdout + done.stderr
    for file in ("compare.png", "columns.pdf", "sweep.png", "more.png", "two.png", "spheres.csv", "spheres.data"):
        assert (tmp_path / file).stat().st_size > 0
