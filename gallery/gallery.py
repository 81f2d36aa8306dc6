#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the gallery: for each claim a page with pictures and figures, their sources, and the command that makes it.

    gallery/gallery.py [ITEM ...]           # docs/gallery/ITEM.md, ITEM/*.png and *.csv, README.md; default: all
    gallery/gallery.py --check [ITEM ...]   # computes what is quick anew and compares the figures with the kept ones
    gallery/gallery.py --pages [ITEM ...]   # writes the pages anew, from the figures that are kept
    gallery/gallery.py --list

An item is a folder gallery/ITEM with make.py, which has TITLE, CLAIM, SOURCES, make(figures) and QUICK (less than
20 s), and page.md.in, whose numbers are the figures: {name:.3g}, {name.expected:.3g}, {name.error:.1e},
{name.percent:.1f}. A slow item may have part(figures), which makes some of its figures in less than 10 s for --check.
Runs of the simulator are kept in build/gallery/ITEM; they are made anew unless --keep is given. --check exits with 1 if
a figure or a page differs; see Figure.fault for what may differ.
"""
import argparse
import importlib.util
import pathlib
import re
import shutil
import sys
import tempfile
import textwrap
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from common import PAGES, Figures, kept_figures  # noqa: E402

ORDER = ("impact", "contacts", "moduli", "damping", "strength", "liquefaction", "sand", "paper", "lateral", "restart",
         "grazing", "matter")
WIDTH = 120
GLUE = "\x01"  # a space at which no line ends


def items():
    """All items; `matter` is the last one, since it reads the figures of the others."""
    return sorted((path.parent.name for path in HERE.glob("*/make.py")), key=ORDER.index)


def load(item):
    spec = importlib.util.spec_from_file_location(f"gallery_{item}", HERE / item / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def wrapped(text):
    """Text with paragraphs and list entries as wide as the page; headings, tables and code as they are."""
    blocks = []
    for block in text.strip().split("\n\n"):
        if block.startswith(("#", "|", "!", "    ", "```")):
            blocks.append(block)
            continue
        entries = ["- " + entry for entry in block[2:].split("\n- ")] if block.startswith("- ") else [block]
        for number, entry in enumerate(entries):
            words = " ".join(entry.split()).replace(" %", GLUE + "%")
            entries[number] = textwrap.fill(words, WIDTH, break_long_words=False, break_on_hyphens=False,
                                            subsequent_indent="  " * entry.startswith("- "))
        blocks.append("\n".join(entries))
    return "\n\n".join(blocks).replace(GLUE, " ") + "\n"


def page_of(item, module, figures):
    sources = "\n".join(f"- **{key}**: {text}" for key, text in module.SOURCES.items())
    body = (HERE / item / "page.md.in").read_text(encoding="utf-8").format_map(figures).replace("– ± –", "–")
    return wrapped(f"# {module.TITLE}\n\n{body.strip()}\n\n## Reproduce it\n\n"
                   f"    make gallery ITEM={item}       # or: python3 gallery/gallery.py {item}\n\n"
                   f"[figures.csv]({item}/figures.csv) has all numbers with the expected ones; "
                   f"[make.py](../../gallery/{item}/make.py) is the script. [All items](README.md).\n\n"
                   f"## Sources\n\n{sources}\n")


def check_sources(module, figures):
    unknown = {figure.source for figure in figures.values()} - set(module.SOURCES) - {""}
    nameless = [name for name, figure in figures.items() if figure.expected is not None and not figure.source]
    if unknown or nameless:
        raise ValueError(f"sources that SOURCES does not have: {unknown}; expected, but from nowhere: {nameless}")


def make(item, folder):
    module, figures, start = load(item), Figures(item, folder), time.perf_counter()
    module.make(figures)
    check_sources(module, figures)
    figures.write()
    (folder / f"{item}.md").write_text(page_of(item, module, figures), encoding="utf-8")
    print(f"{item}: {len(figures)} figures, {len(figures.pictures)} pictures, {time.perf_counter() - start:.1f} s",
          flush=True)
    return figures


def index():
    rows = []
    for item in items():
        module = load(item)
        page = PAGES / f"{item}.md"
        first = re.search(rf"\]\(({item}/[^)]*png)\)", page.read_text(encoding="utf-8")) if page.exists() else None
        shown = f"[![{item}]({first[1]})]({item}.md)" if first else ""
        rows.append(f"| {module.CLAIM} | [{item}]({item}.md) | {shown} | `make gallery ITEM={item}` |")
    return wrapped("# Gallery\n\nEach claim has a picture, the numbers behind it, the source that it is compared with, "
                   "and the command that reproduces it. The pages also say where this project differs from published "
                   "results, and why. `gallery/gallery.py` computes all numbers except the reference values, which "
                   "are in `gallery/ITEM` with their citation.\n\n"
                   "| claim | item | picture | command |\n|---|---|---|---|\n" + "\n".join(rows) + "\n\n"
                   "`make gallery` makes all items. `python3 gallery/gallery.py --check` repeats the quick ones and "
                   "compares their numbers with the committed ones.\n")


def quick_figures(item, folder):
    """The figures of a quick item, or of the quick part of a slow one."""
    module = load(item)
    if module.QUICK:
        return make(item, folder)
    figures = Figures(item, folder)
    getattr(module, "part", lambda _: None)(figures)
    return figures


def check(item):
    """The differences of an item from what is kept."""
    kept, module = kept_figures(item), load(item)
    with tempfile.TemporaryDirectory() as folder:
        figures = quick_figures(item, pathlib.Path(folder))
    faults = [figure.fault(kept[name].value) for name, figure in figures.items() if name in kept]
    faults += [f"{name} is not in the kept figures" for name in figures if name not in kept]
    if module.QUICK:
        faults += [f"{name} is in the kept figures only" for name in kept if name not in figures]
    if not any(faults) and page_of(item, module, kept) != (PAGES / f"{item}.md").read_text(encoding="utf-8"):
        faults.append(f"docs/gallery/{item}.md is out of date")
    return [f"{item}: {fault}" for fault in faults if fault]


def main():
    parser = argparse.ArgumentParser(description="Makes the gallery of docs/gallery.")
    parser.add_argument("items", metavar="ITEM", nargs="*")
    parser.add_argument("--check", action="store_true", help="compare what is quick to make with what is kept")
    parser.add_argument("--keep", action="store_true", help="use the runs of an earlier call, or go on with them")
    parser.add_argument("--pages", action="store_true", help="write the pages anew, from the figures that are kept")
    parser.add_argument("--list", action="store_true", help="name the items")
    options = parser.parse_args()
    unknown = sorted(set(options.items) - set(items()))
    if unknown:
        parser.error(f"there is no item {', '.join(unknown)}; there are {', '.join(items())}")
    wanted = options.items or items()
    if options.list:
        for item in wanted:
            print(f"{item:12} {'quick' if load(item).QUICK else 'slow':5} {load(item).TITLE}")
        return 0
    if options.check:
        faults = [fault for item in wanted for fault in check(item)]
        if (PAGES / "README.md").read_text(encoding="utf-8") != index():
            faults.append("docs/gallery/README.md is out of date")
        print("\n".join(faults) or "all figures are those that are kept")
        return 1 if faults else 0
    PAGES.mkdir(parents=True, exist_ok=True)
    for item in wanted:
        if options.pages:
            (PAGES / f"{item}.md").write_text(page_of(item, load(item), kept_figures(item)), encoding="utf-8")
            continue
        if not options.keep:
            shutil.rmtree(Figures(item, PAGES).runs, ignore_errors=True)
        make(item, PAGES)
    (PAGES / "README.md").write_text(index(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
