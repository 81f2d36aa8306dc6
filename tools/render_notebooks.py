#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the notebooks of python/notebooks and shows them with their results in docs/notebooks.

    tools/render_notebooks.py [--check] [NAME ...]

Without names, all notebooks. Each is run from its beginning by the Python that runs this script, with its PYTHONPATH
and without any configuration of Jupyter or IPython. The page docs/notebooks/NAME.md gets text, code and output, the
pictures go to docs/notebooks/img/NAME-1.png and so on, and the notebook itself is saved without outputs.

--check runs the notebooks, too, but writes nothing. It compares everything but the pictures with the pages, tells which
cells differ, and exits with 1 if any does. A notebook that is stored with outputs is a difference.
"""
import argparse
import base64
import difflib
import importlib.util
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOTEBOOKS, PAGES = "python/notebooks", "docs/notebooks"
MAX_LINE = 120  # characters, as for every page
MAX_PICTURE = 80_000  # bytes
SECONDS = 600  # for one cell
METADATA = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"}}


class Failure(Exception):
    """A notebook that cannot be run or shown."""


# ---- Running --------------------------------------------------------------------------------------------------------


def isolate(folder):
    """Lets this process and its kernels see no configuration but that of `folder`, which is empty."""
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        os.environ[name] = str(folder / name.lower())
        os.mkdir(os.environ[name])
    for name in ("JUPYTER_PATH", "JUPYTER_CONFIG_PATH", "PYTHONWARNINGS", "PYTHONSTARTUP", "COLUMNS", "LINES"):
        os.environ.pop(name, None)
    os.environ.update(JUPYTER_NO_CONFIG="1", PYTHONHASHSEED="0", PYDEVD_DISABLE_FILE_VALIDATION="1",
                      MPLBACKEND="module://matplotlib_inline.backend_inline")
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)  # kernels run in another directory
    os.environ["PYTHONPATH"] = os.pathsep.join(os.path.abspath(path) for path in paths if path)


def kernel_manager_class(folder):
    """A class of managers whose only kernel is this Python, whatever Jupyter knows beside it."""
    from jupyter_client.kernelspec import KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager
    place = folder / "kernels" / "this"
    place.mkdir(parents=True)
    words = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (place / "kernel.json").write_text(json.dumps({"argv": words, "display_name": "this", "language": "python"}))
    specs = KernelSpecManager(kernel_dirs=[str(place.parent)], ensure_native_kernel=False)

    class Manager(AsyncKernelManager):
        """Starts that kernel, whatever the notebook asks for."""

        def __init__(self, **options):
            super().__init__(**{**options, "kernel_name": "this", "kernel_spec_manager": specs})

    return Manager


def execute(notebook, name):
    """Runs all cells; the outputs are in the notebook then."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        (folder / "work").mkdir()
        client = NotebookClient(notebook, kernel_manager_class=kernel_manager_class(folder), timeout=SECONDS,
                                resources={"metadata": {"path": str(folder / "work")}})
        try:
            client.execute()
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as problem:
            raise Failure(f"{name}: {problem}") from None
        left = sorted(os.listdir(folder / "work"))
    if left:
        raise Failure(f"{name} leaves files in the working directory: {', '.join(left)}")


# ---- Showing --------------------------------------------------------------------------------------------------------


def final_text(text):
    """Text as a terminal shows it in the end, where lines are written over after a carriage return."""
    lines = []
    for line in text.split("\n"):
        shown = ""
        for part in line.split("\r"):
            shown = part + shown[len(part):]
        lines.append(shown.expandtabs().rstrip())
    return "\n".join(lines).strip("\n")


def fenced(text, language):
    fence = "```" if "```" not in text else "~~~"
    return f"{fence}{language}\n{text}\n{fence}"


def relinked(text):
    """Links from the folder of the notebooks as links from that of the pages."""
    text = re.sub(r"\]\(\.\./\.\./docs/", "](../", text)
    return re.sub(r"\]\((\w+)\.ipynb\)", r"](\1.md)", text)


class Page:
    """A page that grows cell by cell; every line knows its cell."""

    def __init__(self, name):
        self.name, self.lines, self.cells, self.pictures = name, [], [], []
        self.heading, self.number = name, 0

    def add(self, text):
        lines = [line.rstrip() for line in text.split("\n")] + [""]
        for line in lines:
            if len(line) > MAX_LINE and not line.startswith("|"):
                raise Failure(f"{self.name}, {self.place()}: a line of {len(line)} characters: {line[:60]}…")
        self.lines += lines
        self.cells += [self.place()] * len(lines)

    def place(self):
        return f"cell {self.number}, '{self.heading}'"

    def add_markdown(self, text):
        found = re.findall(r"^#+ (.*)$", text, re.M)
        self.heading = found[-1] if found else self.heading
        self.add(relinked(text))
        if self.number == 1:
            self.add(f"*The notebook [{self.name}.ipynb](../../{NOTEBOOKS}/{self.name}.ipynb) with its results, made\n"
                     "by `tools/render_notebooks.py`. All notebooks: [python.md](../python.md#notebooks).*")

    def add_picture(self, data):
        if len(data) > MAX_PICTURE:
            raise Failure(f"{self.name}, {self.place()}: a picture of {len(data)} bytes, of at most {MAX_PICTURE}")
        self.pictures.append(data)
        count = len(self.pictures)
        self.add(f"![{self.heading}: picture {count}](img/{self.name}-{count}.png)")

    def add_outputs(self, outputs):
        """Texts up to a picture or a result are one. Of a progress line nothing is left in the end."""
        out = errors = ""
        for output in outputs:
            if output["output_type"] == "stream":
                out += output["text"] if output["name"] == "stdout" else ""
                errors += output["text"] if output["name"] == "stderr" else ""
                continue
            out = self.add_text(out)
            data = output.get("data", {})
            if "image/png" in data:
                self.add_picture(base64.b64decode(data["image/png"]))
            elif "text/plain" in data:
                self.add_text(data["text/plain"])
        self.add_text(out)
        self.add_text(errors)

    def add_text(self, text):
        if final_text(text).strip():
            self.add(fenced(final_text(text), "text"))
        return ""


def page_of(notebook, name):
    page = Page(name)
    for cell in notebook["cells"]:
        page.number += 1
        if cell["cell_type"] == "markdown":
            page.add_markdown(cell["source"])
        elif cell["source"].strip():
            page.add(fenced(cell["source"], "python"))
            page.add_outputs(cell["outputs"])
    return page


# ---- Writing and checking -------------------------------------------------------------------------------------------


def write_text(path, text):
    part = path.with_name(path.name + ".tmp")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)


def write_page(page):
    folder = ROOT / PAGES
    (folder / "img").mkdir(parents=True, exist_ok=True)
    for old in (folder / "img").glob(f"{page.name}-*.png"):
        old.unlink()
    for number, data in enumerate(page.pictures, 1):
        (folder / "img" / f"{page.name}-{number}.png").write_bytes(data)
    write_text(folder / f"{page.name}.md", "\n".join(page.lines).rstrip("\n") + "\n")
    print(f"{page.name}: {len(page.pictures)} pictures, {len(page.lines)} lines")


def cleared(notebook):
    """The notebook as it is stored: without outputs, numbers of execution and metadata of programs."""
    cells = []
    for number, cell in enumerate(notebook["cells"], 1):
        kept = {"cell_type": cell["cell_type"], "id": cell.get("id", f"cell-{number}"), "metadata": {},
                "source": cell["source"].splitlines(keepends=True)}
        cells.append({**kept, "execution_count": None, "outputs": []} if cell["cell_type"] == "code" else kept)
    whole = {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def differences(page):
    """In words: where the page that is stored differs from the one that was made now."""
    folder = ROOT / PAGES
    if not (folder / f"{page.name}.md").exists():
        return [f"{page.name}: there is no page {PAGES}/{page.name}.md"]
    new = "\n".join(page.lines).rstrip("\n").split("\n")
    old = (folder / f"{page.name}.md").read_text(encoding="utf-8").rstrip("\n").split("\n")
    found = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            lines = [*("  page: " + line for line in old[a:b]), *("  now:  " + line for line in new[c:d])]
            found.append("\n".join([f"{page.name}, {page.cells[min(c, len(page.cells) - 1)]}:", *lines]))
    pictures = [f"{page.name}-{number}.png" for number in range(1, len(page.pictures) + 1)]
    stored = [path.name for path in (folder / "img").glob(f"{page.name}-*.png")]
    if sorted(pictures) != sorted(stored):
        found.append(f"{page.name}: its pictures are {', '.join(pictures) or 'none'}; {PAGES}/img has "
                     f"{', '.join(sorted(stored)) or 'none'}")
    return found


def treat(name, is_check):
    """Renders or checks one notebook; returns what is wrong with it."""
    import nbformat
    path = ROOT / NOTEBOOKS / f"{name}.ipynb"
    if not path.exists():
        raise Failure(f"there is no {NOTEBOOKS}/{name}.ipynb")
    stored = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(stored, as_version=4)
    plain = cleared(notebook)
    execute(notebook, name)
    page = page_of(notebook, name)
    if not is_check:
        write_page(page)
        write_text(path, plain)
        return []
    wrong = [] if plain == stored else [f"{name}.ipynb is stored with outputs, or by another program: render it again"]
    wrong += differences(page)
    print(f"{name}: {'differs' if wrong else 'as its page says'}", flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description="Runs the notebooks and makes, or checks, their pages.")
    parser.add_argument("names", metavar="NAME", nargs="*", help="notebooks, without .ipynb; default: all")
    parser.add_argument("--check", action="store_true", help="compare with the pages, and write nothing")
    options = parser.parse_args()
    names = options.names or sorted(path.stem for path in (ROOT / NOTEBOOKS).glob("*.ipynb"))
    lacking = [module for module in ("jager", "nbformat", "nbclient", "ipykernel", "matplotlib", "pandas")
               if importlib.util.find_spec(module) is None]
    if lacking:
        print(f"{sys.executable} lacks {', '.join(lacking)}; after a build: PYTHONPATH=build/python /usr/bin/python3 "
              "tools/render_notebooks.py")
        return 2
    folder = pathlib.Path(tempfile.mkdtemp())
    isolate(folder)
    try:
        wrong = [text for name in names for text in treat(name, options.check)]
    except Failure as failure:
        wrong = [str(failure)]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
