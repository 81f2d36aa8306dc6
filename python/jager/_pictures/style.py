# SPDX-License-Identifier: MIT
"""What all pictures share: figures, axes, legends, units of axes, and files that are whole or not there."""
from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .._errors import RunError
from .._run_files import need

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Numbers = npt.NDArray[np.float64]

# Pictures of files are read on a screen: 1300 x 650 pixels, two panels side by side, or two rows of them.
WIDE, TALL = (13.0, 6.5), (13.0, 10.5)
STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans", "font.size": 11.5, "axes.labelsize": 11.5, "axes.titlesize": 12.0,
    "legend.fontsize": 11.0, "xtick.labelsize": 11.0, "ytick.labelsize": 11.0, "axes.linewidth": 0.8,
    "axes.edgecolor": "#333333", "xtick.direction": "in", "ytick.direction": "in", "axes.grid": True,
    "grid.color": "#dddddd", "grid.linewidth": 0.6, "axes.axisbelow": True, "lines.linewidth": 2.2,
    "xtick.major.pad": 5.0, "legend.frameon": False, "legend.handlelength": 3.2, "mathtext.fontset": "dejavusans",
    "axes.formatter.limits": (-5, 6), "axes.formatter.useoffset": False,
    "figure.dpi": 100, "savefig.dpi": 100, "pdf.fonttype": 42, "svg.fonttype": "none", "svg.hashsalt": "jager",
}
# Curves of one panel differ by tone and dashes, so that they differ in grey print, too.
CURVES: tuple[dict[str, Any], ...] = (
    {"color": "#15396b", "linestyle": "-", "linewidth": 2.4},
    {"color": "#c8552b", "linestyle": (0, (6, 2))},
    {"color": "#2c7a4b", "linestyle": (0, (1.2, 1.4))},
    {"color": "#e0a526", "linestyle": "-", "linewidth": 2.4},
    {"color": "#7a4fa3", "linestyle": (0, (6, 1.8, 1.2, 1.8))},
    {"color": "#6f7f8c", "linestyle": (0, (3, 1.8))},
)
# Of several contact laws in one picture, with their marks
LAWS: tuple[dict[str, Any], ...] = (
    {"color": "#7a0c2e", "linestyle": "-", "linewidth": 2.0},
    {"color": "#2f87c9", "linestyle": (0, (6, 3)), "linewidth": 1.6},
    {"color": "#8a4a00", "linestyle": (0, (2.4, 2.4)), "linewidth": 1.6},
    {"color": "#2a7a2a", "linestyle": (0, (7, 2, 1.5, 2)), "linewidth": 1.6},
    {"color": "#6a3d9a", "linestyle": (0, (4, 2, 1, 2, 1, 2)), "linewidth": 1.6},
    {"color": "#333333", "linestyle": (0, (1.5, 1.5)), "linewidth": 1.6},
)
LAW_MARKS = ("o", "s", "^", "v", "D", "P")
CYCLE_COLOURS = ("#dfb13f", "#7fa95a", "#2b7f86", "#15396b", "#1a0b2e")  # light to dark, as the cycles go on

# Without what differs from one drawing to the next
_METADATA: dict[str, dict[str, None]] = {
    "png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
ENDINGS = tuple("." + ending for ending in _METADATA)


# ---- Figures ---------------------------------------------------------------------------------------------------------

@contextmanager
def own_settings() -> Iterator[None]:
    """While pictures of files are drawn: they do not depend on the user's settings of matplotlib."""
    if "matplotlib" not in sys.modules:
        os.environ["MPLBACKEND"] = "Agg"  # matplotlib cannot be imported while the variable has a wrong name
    matplotlib = need("matplotlib")
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE)
        yield


def plain(text: str) -> str:
    """A text that matplotlib draws as it is: no formulas, no signs that cannot be printed."""
    return "".join(sign if sign.isprintable() else "_" for sign in text).replace("$", r"\$")


def two_panels(title: str) -> tuple[Figure, Axes, Axes]:
    """A wide figure and its panels. A long title gets smaller letters."""
    figure = new_figure(title, WIDE)
    left, right = figure.subplots(1, 2)
    return figure, left, right


def new_figure(title: str, size: tuple[float, float]) -> Figure:
    """A figure that pyplot does not know. The title is drawn as it is."""
    figure: Figure = need("matplotlib.figure").Figure(figsize=size, constrained_layout=True)
    if hasattr(figure, "get_layout_engine"):  # not in matplotlib before 3.6
        figure.get_layout_engine().set(w_pad=0.12, h_pad=0.1, wspace=0.05, hspace=0.05)
    if title:
        figure.suptitle(plain(title), fontsize=min(14.0, 14.0 * 110.0 / len(title)))
    return figure


def legend_above(ax: Axes, rows: int = 1) -> None:
    """A legend above the panel, where it covers no curve, in at most so many rows; none for a single curve."""
    handles, labels = ax.get_legend_handles_labels()
    if labels:
        ax.legend(handles, labels, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=-(-len(labels) // rows),
                  columnspacing=1.4, borderaxespad=0.4)


def nothing_to_show(ax: Axes) -> None:
    """Instead of curves."""
    ax.text(0.5, 0.5, "nothing to show", transform=ax.transAxes, ha="center", va="center", color="#666666")


# ---- Ranges and units ------------------------------------------------------------------------------------------------

_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"), (1e-12, "p"))


def prefix_for(size: float) -> tuple[float, str]:
    """The factor for numbers of this size, and the prefix of their unit."""
    for power, prefix in _PREFIXES:
        if power <= size < 1000.0 * power:
            return 1.0 / power, prefix
    return 1.0, ""


def finite(arrays: Iterable[Any], is_positive: bool = False) -> Numbers:
    """All finite numbers of some arrays; only the positive ones for a logarithmic axis."""
    flat = np.concatenate([np.zeros(0), *(np.ravel(np.asarray(values, dtype=np.float64)) for values in arrays)])
    return np.asarray(flat[np.isfinite(flat) & ((flat > 0.0) | (not is_positive))])


def size_of(values: Any) -> float:
    """The largest absolute value; 0 without finite numbers."""
    return float(np.abs(finite([values])).max(initial=0.0))


def with_margin(values: Numbers, share: float, unit: float) -> tuple[float, float]:
    """The range of the values with a margin: a share of it, or `unit` if all are zero.

    The range is at least 0.2 % of the size of the values, so that the numbers at the axis need few digits.
    """
    if len(values) == 0:
        return 0.0, unit
    low, high, size = float(values.min()), float(values.max()), size_of(values)
    margin = max(share * (high - low), 0.5 * (2e-3 * size - (high - low))) if size > 0.0 else unit
    return low - margin, high + margin


def decades(values: Numbers, if_empty: tuple[float, float]) -> tuple[float, float]:
    """Whole decades around positive numbers, and at least one; numbers may be just outside."""
    if len(values) == 0:
        return if_empty
    low = np.floor(np.log10(values.min()) + 1e-3)
    high = np.ceil(np.log10(values.max()) - 1e-3)
    return float(10.0**low), float(10.0**max(high, low + 1.0))


def numbers_on_log_axis(axis: Any, low: float, high: float) -> None:
    """Numbers as they are written, not powers of ten: at 1, 2, 5 times powers of ten; on a short axis at more."""
    ticker = need("matplotlib.ticker")
    few = high > 100.0 * low
    digits = (1.0,) if few else (1.0, 2.0, 5.0) if high > 8.0 * low else (1.0, 1.2, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0)
    axis.set_major_locator(ticker.LogLocator(subs=digits, numticks=20))
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter("")


# ---- Files -----------------------------------------------------------------------------------------------------------

def picture_bytes(figure: Figure, ending: str) -> bytes:
    """The figure as a png, svg or pdf, the same for the same figure."""
    stream = io.BytesIO()
    figure.savefig(stream, format=ending, metadata=_METADATA[ending])
    return stream.getvalue()


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file under another name and renames it: it is whole, or the old one stays.

    Raises:
        RunError: it cannot be written.
    """
    temporary = path.with_name(f"{path.name}.tmp-{os.getpid()}-0")  # the program removes what a killed process leaves
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a device, or a pipe
            return
        try:
            temporary.write_bytes(data)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror or error}") from error


def save(figure: Figure, directory: Path, name: str, endings: Sequence[str] = ("png", "svg")) -> None:
    """Writes the picture of a run in its two formats. The layout of the first serves the second, too."""
    for ending in endings:
        write_whole(directory / f"{name}.{ending}", picture_bytes(figure, ending))
        if hasattr(figure, "set_layout_engine"):
            figure.set_layout_engine("none")
