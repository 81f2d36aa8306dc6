#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Gathers what Sphinx makes the site of: stage.py SOURCE STAGE [--loop SVG] [--explorer]

The stage has the layout of the repository, so that relative links lead to the same pages. Pages are site/index.md, the
Markdown files of docs, and those to which they link. docs/api.md gets the reference of the headers to which it links.
The man page is formatted by mandoc, notebooks by nbconvert. Any other file or folder to which a page links, such as an
example or a header, becomes a page with its text, and a file to download. Files that have not changed are not touched,
so that Sphinx makes anew only what has changed.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

from nbconvert import MarkdownExporter
from traitlets.config import Config

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tools")]
import c_api  # noqa: E402
import check_links  # noqa: E402

PICTURES = (".png", ".svg", ".jpg", ".gif")
LANGUAGES = {".c": "c", ".h": "c", ".py": "python", ".yaml": "yaml", ".sh": "sh", ".cmake": "cmake", ".cff": "yaml"}
API_PAGE = "docs/api.md"
EXPLORER_PAGE = "docs/explorer.md"
EXPLORER = """
<p><a href="../explorer.html">The explorer in a page of its own</a></p>
<iframe class="explorer" title="The explorer: move a contact and see what it remembers" src="../explorer.html"></iframe>
"""
NO_EXPLORER = "\n*This site was built without the explorer; `make site` builds both.*\n"
DATA = (".csv", ".txt", ".json")  # not found by the search
LONGEST = 400  # lines of data that a page shows
CHILDREN = {  # pages below others in the navigation
    "docs/gallery/README.md": "docs/gallery/*.md",
    "docs/python.md": "python/notebooks/*.ipynb",
    API_PAGE: "include/jager/*.h",
}
TEXT_NOT_HTML = Config({"NbConvertBase": {"display_data_priority": ["image/png", "text/plain"]}})


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def copy(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.exists() or target.stat().st_mtime != source.stat().st_mtime:
        shutil.copy2(source, target)


def links_of(path):
    """The files and folders to which a Markdown file links, relative to the working directory."""
    for _, line, is_code in check_links.text_lines(path):
        for link in check_links.links_of(line) if not is_code else ():
            file = link.partition("#")[0]
            if file and not re.match(r"[a-z][a-z0-9+.-]*:", link, re.I):
                yield os.path.normpath(os.path.join(os.path.dirname(path), unquote(file)))


def fence_for(text):
    return "`" * max([3] + [len(run) + 1 for run in re.findall(r"`{3,}", text)])


def man_page(source, path):
    """The man page: its sections are headings, so that the search and the list of contents know them."""
    html = subprocess.run(["mandoc", "-T", "html", "-O", "fragment", source / path], check=True, capture_output=True,
                          text=True).stdout
    page = f"# {Path(path).name.replace('.', '(')}): the man page\n\n{{download}}`Download it </_raw/{path}>`"
    for section in re.findall(r'<section class="Sh">(.*?)</section>', html, re.S):
        heading, body = re.match(r"\s*<h1[^>]*>(.*?)</h1>(.*)", section, re.S).groups()
        heading = re.sub(r"<[^>]*>", "", " ".join(heading.split()))
        body = re.sub(r'<a class="permalink"[^>]*>(.*?)</a>', r"\1", body, flags=re.S)
        page += f"\n\n## {heading}\n\n```{{raw}} html\n{body.strip()}\n```"
    return page + "\n"


def notebook_page(source, path):
    """A notebook with its results, and its pictures by name. nbconvert describes every picture as "png": here the
    heading above it does."""
    resources = {"unique_key": Path(path).stem, "output_files_dir": Path(path).stem + "_files"}
    with open(source / path, encoding="utf-8") as file:
        text, resources = MarkdownExporter(config=TEXT_NOT_HTML).from_file(file, resources)
    heading = ""

    def described(found):
        nonlocal heading
        heading = found[1] or heading
        return f"![{heading}]" if found[0] == "![png]" else found[0]

    text = re.sub(r"^```.*?^```$|^#+ (.*?)$|!\[png\]", described, text, flags=re.M | re.S)
    title, rest = text.split("\n", 1)
    download = f"{{download}}`Download {Path(path).name} </_raw/{path}>`, for Jupyter."
    return f"{title}\n\n{download}\n{rest}", resources["outputs"]


def source_page(source, path):
    """The page of a file that is not Markdown: its text, and a link to download it."""
    suffix = Path(path).suffix
    name = Path(path).name
    if suffix == ".1":
        return man_page(source, path)
    hidden = "nosearch: true\n" if suffix in DATA else ""
    page = f"---\norphan: true\n{hidden}---\n# {path}\n\n{{download}}`Download {name} </_raw/{path}>`"
    lines = (source / path).read_text(encoding="utf-8").splitlines()
    if suffix in DATA and len(lines) > LONGEST:
        page += f". The first {LONGEST} of its {len(lines)} lines:"
        lines = lines[:LONGEST]
    text = "\n".join(lines)
    fence = fence_for(text)
    return page + f"\n\n{fence}{LANGUAGES.get(suffix, 'text')}\n{text}\n{fence}\n"


def folder_page(source, path, pages):
    """The page of a folder: a list of its files, as links to those that have a page."""
    page = f"---\norphan: true\n---\n# {path}\n\n"
    for file in sorted(p for p in (source / path).rglob("*") if p.is_file() and "__pycache__" not in p.parts):
        relative = file.relative_to(source).as_posix()
        name = file.relative_to(source / path).as_posix()
        target = os.path.relpath(relative, Path(path).parent)
        page += f"- [{name}]({target})\n" if relative in pages else f"- `{name}`\n"
    return page


class Stage:
    def __init__(self, source, stage, has_explorer):
        self.source, self.stage, self.has_explorer = source, stage, has_explorer
        self.markdown, self.sources, self.folders, self.pictures = set(), set(), set(), set()
        self.of_notebooks = set()  # pictures

    def add(self, path):
        file = self.source / path
        if path.startswith("..") or path in self.markdown | self.sources | self.folders | self.pictures:
            return
        if file.is_dir():
            self.folders.add(path)
        elif path.endswith(".md") and file.is_file():
            self.markdown.add(path)
            for link in links_of(file):
                self.add(os.path.relpath(link, self.source))
        elif path.endswith(PICTURES) and file.is_file():
            self.pictures.add(path)
        elif file.is_file():  # what does not exist, Sphinx will tell
            self.sources.add(path)

    def collect(self):
        for page in sorted((self.source / "docs").rglob("*.md")):
            self.add(page.relative_to(self.source).as_posix())
        for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "site/index.md"):
            self.add(name)
        for header in sorted((self.source / "include").rglob("*.h")):
            self.add(header.relative_to(self.source).as_posix())
        for folder in list(self.folders):
            for file in (self.source / folder).rglob("*"):
                if file.suffix in (".lmp", ".in", ".cpp", ".h", ".ipynb"):
                    self.add(file.relative_to(self.source).as_posix())
        self.markdown.discard("site/index.md")

    def write_pages(self):
        for path in (self.markdown | self.pictures) - set(CHILDREN) - {EXPLORER_PAGE}:
            copy(self.source / path, self.stage / path)
        if EXPLORER_PAGE in self.markdown:  # the explorer itself, below the heading
            text = (self.source / EXPLORER_PAGE).read_text(encoding="utf-8")
            shown = EXPLORER if self.has_explorer else NO_EXPLORER
            write(self.stage / EXPLORER_PAGE, re.sub(r"(^# .*\n)", lambda m: m[1] + shown, text, count=1, flags=re.M))
        for path in self.markdown & set(CHILDREN):
            text = (self.source / path).read_text(encoding="utf-8")
            for link in links_of(self.source / path) if path == API_PAGE else ():
                text += c_api.reference(Path(link)) if link.endswith(".h") else ""
            write(self.stage / path, text + self.tree_below(path))
        pages = self.markdown | self.sources
        for path in self.sources:
            copy(self.source / path, self.stage / "_raw" / path)
            if path.endswith(".ipynb"):
                self.write_notebook(path)
            else:
                write(self.stage / (path + ".md"), source_page(self.source, path))
        for path in self.folders:
            write(self.stage / (path + ".md"), folder_page(self.source, path, pages))
        write(self.stage / "sources.md", self.list_of_sources())

    def write_notebook(self, path):
        text, pictures = notebook_page(self.source, path)
        write(self.stage / (path + ".md"), text)
        for name, data in pictures.items():
            file = self.stage / Path(path).parent / name
            file.parent.mkdir(exist_ok=True)
            if not file.exists() or file.read_bytes() != data:
                file.write_bytes(data)
            self.of_notebooks.add(file)

    def tree_below(self, path):
        """The pages below a page: in the order in which it links to them, the others behind."""
        linked = [os.path.relpath(link, self.source) for link in links_of(self.source / path)]
        below = {file.relative_to(self.source).as_posix() for file in self.source.glob(CHILDREN[path])} - {path}
        order = sorted(below, key=lambda page: (linked.index(page) if page in linked else len(linked), page))
        lines = "".join(f"/{page.removesuffix('.md')}\n" for page in order)
        return f"\n```{{toctree}}\n:hidden:\n\n{lines}```\n"

    def list_of_sources(self):
        page = "# Files shown here\n\nSource files, examples and data to which these pages link.\n"
        for folder in sorted({path.partition("/")[0] if "/" in path else "." for path in self.sources}):
            page += f"\n## {'Top folder' if folder == '.' else folder}\n\n"
            for path in sorted(self.sources):
                if folder == (path.partition("/")[0] if "/" in path else "."):
                    page += f"- [{path}]({path})\n"
        return page

    def write_index(self, loop):
        text = (self.source / "site/index.md").read_text(encoding="utf-8").replace("](../", "](")
        text = text.replace("<!-- the loop -->", loop)
        has_explorer = EXPLORER_PAGE in self.markdown
        link = "[Move a contact yourself](docs/explorer.md)" if has_explorer else ""
        text = text.replace("<!-- the explorer -->", link)
        text = text.replace("<!-- the explorer in the navigation -->\n", "docs/explorer\n" if has_explorer else "")
        write(self.stage / "index.md", text)

    def remove_old(self):
        wanted = {self.stage / p for p in self.markdown | self.pictures | {"index.md", "sources.md"}}
        wanted |= {self.stage / (p + ".md") for p in self.sources | self.folders}
        wanted |= {self.stage / "_raw" / p for p in self.sources} | self.of_notebooks
        for file in list(self.stage.rglob("*")):
            if file.is_file() and file not in wanted:
                file.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("stage", type=Path)
    parser.add_argument("--loop", type=Path, help="the picture of the landing page")
    parser.add_argument("--explorer", action="store_true", help="the site will have explorer.html")
    options = parser.parse_args()
    stage = Stage(options.source.resolve(), options.stage.resolve(), options.explorer)
    stage.collect()
    stage.write_pages()
    stage.write_index(options.loop.read_text(encoding="utf-8") if options.loop else "")
    stage.remove_old()
    print(f"site: {len(stage.markdown) + 2} pages, {len(stage.sources)} files, {len(stage.pictures)} pictures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
