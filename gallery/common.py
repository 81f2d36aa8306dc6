# SPDX-License-Identifier: MIT
"""What the items of the gallery share: the style of the pictures, the collector of figures, an oracle of springs."""
from __future__ import annotations

import csv
import math
import os
import pathlib
import subprocess

import matplotlib
import numpy as np
from PIL import Image

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

import jager  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs" / "gallery"
FIGURES = "figures.csv"
PROGRAM = os.environ.get("JAGER_PROGRAM") or str(ROOT / "build" / "src" / "cli" / "jager")
LARGEST_PICTURE = 120_000  # bytes
# Okabe and Ito's colours, which differ in grey, too, each with a line of its own.
LAWS = {"jager": ("#000000", "-"), "springs": ("#D55E00", (0, (1, 1))), "hertz-mindlin": ("#0072B2", "--"),
        "linear": ("#009E73", "-."), "zhang-vuquoc": ("#CC79A7", (0, (5, 1, 1, 1, 1, 1))),
        "modified-mindlin": ("#E69F00", (0, (3, 2, 1, 2)))}
LABELS = {"hertz-mindlin": "hertz-mindlin (capped spring)", "linear": "linear (capped spring)",
          "springs": "springs (independent)", "zhang-vuquoc": "zhang-vuquoc, modified-mindlin"}
REFERENCE = "#D55E00"  # points of a source
STYLE = {"font.size": 9, "font.family": "DejaVu Sans", "axes.labelsize": 9, "legend.fontsize": 7.5,
         "axes.linewidth": 0.7, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
         "grid.color": "#dddddd", "grid.linewidth": 0.5, "lines.linewidth": 1.4, "lines.markersize": 4.5,
         "legend.frameon": False, "xtick.direction": "in", "ytick.direction": "in", "figure.dpi": 130,
         "savefig.dpi": 130, "axes.formatter.useoffset": False, "mathtext.default": "regular"}


def line(law: str, **more) -> dict:
    """The line of a law in a picture."""
    colour, dashes = LAWS[law]
    return {"color": colour, "linestyle": dashes, "label": LABELS.get(law, law), **more}


def axes(columns: int = 2, height: float = 3.1, rows: int = 1, **more):
    """A picture as wide as a page, with the letters (a), (b), ... on its parts, row by row."""
    plt.rcParams.update(STYLE)
    figure, parts = plt.subplots(rows, columns, figsize=(7.4 if columns > 1 else 4.4, height), squeeze=False, **more)
    for letter, ax in zip("abcdef", parts.flat):
        if columns > 1:
            ax.set_title(f"({letter})", loc="left", fontsize=9, fontweight="bold")
    return figure, (parts.flatten() if columns > 1 else parts[0][0])


class Figure:
    """A number with its unit, what was expected of it, and the source of that."""

    def __init__(self, name, value, unit="", expected=None, source="", exact=False, floor=0.0):
        self.name, self.value, self.unit, self.source = name, float(value), unit, source
        self.expected = None if expected is None else Number(expected)
        self.exact, self.floor = exact, floor

    @property
    def difference(self):
        return None if self.expected is None else Number(self.value - self.expected)

    @property
    def percent(self):
        """The difference in percent of what was expected."""
        return Number(100.0 * self.difference / abs(self.expected))

    @property
    def error(self):
        return Number(abs(self.difference))

    def __format__(self, how):
        return format(Number(self.value), how)

    def row(self):
        numbers = (repr(float(n)) if n is not None else "" for n in (self.expected, self.difference))
        return [self.name, repr(self.value), self.unit, *numbers, self.source]

    def fault(self, kept: float) -> str | None:
        """How this value differs from the one that was kept; None if it does not."""
        if self.value == kept or (math.isnan(self.value) and math.isnan(kept)):
            return None
        close = math.isclose(self.value, kept, rel_tol=1e-9, abs_tol=self.floor)
        return None if close and not self.exact else f"{self.name}: {self.value!r}, but {kept!r} is kept"


class Number(float):
    """Writes 1e-5 for Python's 1e-05, a true minus, and – for a number that is not known."""

    def __format__(self, how):
        if math.isnan(self):
            return "–"
        text = format(float(self), how).replace("e-0", "e-").replace("e+0", "e")
        return text.replace("-", "−", 1) if text.startswith("-") else text


class Figures(dict):
    """The figures of an item by name, in order; pictures are saved beside them."""

    def __init__(self, item: str, folder: pathlib.Path):
        super().__init__()
        self.item, self.folder, self.pictures = item, folder, []
        self.runs = ROOT / "build" / "gallery" / item  # runs of the simulator

    def sweep(self, name: str, case, over: dict) -> jager.Sweep:
        """The runs of a case for all combinations of values, two at a time on two processors; see jager.sweep."""
        return jager.sweep(case, over, self.runs / name, progress=False)

    def add(self, name: str, value, unit: str = "", expected=None, source: str = "", **how) -> Figure:
        """exact: the same to the bit on every machine; floor: differences below it are rounding."""
        if name in self:
            raise KeyError(f"the figure {name} is there already")
        self[name] = Figure(name, value, unit, expected, source, **how)
        return self[name]

    def picture(self, figure, name: str) -> None:
        """Saves a picture as ITEM/NAME.png, with 256 colours: a third of the bytes, and no difference to be seen."""
        path = self.folder / self.item / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.tight_layout(w_pad=2.0)
        figure.savefig(path, metadata={"Software": None})
        plt.close(figure)
        with Image.open(path) as drawn:
            few = drawn.convert("RGB").quantize(256, dither=Image.Dither.NONE)
        few.save(path, optimize=True)
        self.pictures.append(path.name)
        if path.stat().st_size > LARGEST_PICTURE:
            raise ValueError(f"{path.name} has {path.stat().st_size} bytes, of at most {LARGEST_PICTURE}")

    def table(self, name: str, columns: str, rows) -> None:
        """Saves rows of numbers and words as ITEM/NAME.csv, numbers with nine digits; `columns` has commas."""
        path = self.folder / self.item / f"{name}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = (",".join(f"{value:.9g}" if isinstance(value, float) else str(value) for value in row) for row in rows)
        path.write_text("\n".join((columns, *lines)) + "\n", encoding="utf-8")

    def write(self) -> None:
        (self.folder / self.item).mkdir(parents=True, exist_ok=True)
        with open(self.folder / self.item / FIGURES, "w", encoding="utf-8", newline="") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow(["name", "value", "unit", "expected", "difference", "source"])
            table.writerows(figure.row() for figure in self.values())


def kept_figures(item: str) -> dict[str, Figure]:
    """The figures of an item as docs/gallery has them."""
    with open(PAGES / item / FIGURES, encoding="utf-8", newline="") as file:
        return {row["name"]: Figure(row["name"], row["value"], row["unit"], row["expected"] or None, row["source"])
                for row in csv.DictReader(file)}


def band(ax, x, values, **how) -> None:
    """The mean of several seeds as a line, and their range as a band; `values` has a row for each seed."""
    values = np.asarray(values)
    ax.plot(x, values.mean(axis=0), **how)
    ax.fill_between(x, values.min(axis=0), values.max(axis=0), color=how.get("color"), alpha=0.2, lw=0)


def run_of(folder, case):
    """A finished run: that of an earlier call, if it is the same case."""
    if folder.is_dir():
        earlier = jager.open(folder)
        if earlier.is_complete and earlier.case_text == case.text:
            return earlier
    return case.run(folder, threads=1, force=True, progress=False)


def read_points(path: pathlib.Path) -> dict[str, np.ndarray]:
    """Points of other authors, from a file of lines SERIES,x,y: {series: (x, y)}."""
    rows = [row for row in csv.reader(path.read_text(encoding="utf-8").splitlines()) if row and row[0][0] != "#"]
    names = dict.fromkeys(row[0] for row in rows[1:])
    return {name: np.array([row[1:] for row in rows[1:] if row[0] == name], dtype=float).T for name in names}


def program_contact(zeta, xi, *words: str) -> dict[str, dict[str, np.ndarray]]:
    """`jager contact` along a path of positions; {law: {column: values}}."""
    steps = zip(np.diff(zeta, prepend=0.0), *np.diff(xi, axis=0, prepend=[[0.0, 0.0]]).T)
    text = "dzeta,dxi1,dxi2\n" + "".join(f"{a!r},{b!r},{c!r}\n" for a, b, c in (map(float, step) for step in steps))
    done = subprocess.run([PROGRAM, "contact", *words, "-"], input=text, capture_output=True, text=True, check=True)
    rows = list(csv.DictReader(done.stdout.splitlines()))
    laws = dict.fromkeys(row["model"] for row in rows)
    return {law: {key: np.array([float(row[key]) for row in rows if row["model"] == law])
                  for key in ("fn", "ft1", "ft2", "dissipated")} for law in laws}


class SpringRow:
    """An oracle that shares nothing with the library: rows of numbers, clamped after each step. One direction of shear.

    A spring touches at the depth z, the square of (i + 1/2)/n; it carries the shear w, of at most f (zeta - z). The
    units are those of a sphere with the largest zeta, its normal force and its movement kappa f zeta.
    """

    def __init__(self, springs: int, rows: int = 1, slips: bool = True):
        v = (np.arange(springs) + 0.5) / springs
        self.z, self.weight, self.slips = v * v, 1.5 / springs, slips
        self.w, self.zeta = np.zeros((rows, springs)), 0.0

    def move(self, zeta: float, dxi) -> np.ndarray:
        """Ft over f Fn of the largest zeta, after a step that is small or has no change of direction."""
        room = np.maximum(zeta - self.z, 0.0)
        old = np.maximum(self.zeta - self.z, 0.0)
        part = np.where(old > 0.0, 1.0, room / max(abs(zeta - self.zeta), 1e-300))  # of the step, in contact
        self.w += np.asarray(dxi).reshape(-1, 1) * np.where(room > 0.0, part, 0.0)
        self.w = np.clip(self.w, -room, room) if self.slips else self.w * (room > 0.0)
        self.zeta = zeta
        return self.weight * self.w.sum(axis=1)
