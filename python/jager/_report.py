# SPDX-License-Identifier: MIT
"""One self-contained HTML page about a run: what it was, its results, its warnings and its grains in 3D."""
from __future__ import annotations

import base64
import html
import importlib.resources
import io
import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import FormatError, JagerError, RunError
from ._formats.text_file import write_lines
from ._run_compare import value_text
from ._run_files import DOUBTS, Table, optional_column
from ._pictures.loading import ISOTROPIC, NORMAL, SHEAR, STILL, driven_strain, find_loading
from ._runs import Run, Snapshot
from ._runs import open as open_run

_SPHERES_MAX = 50_000  # in the 3D view; of larger assemblies a slice is shown
_CYCLES_OPEN_MAX = 30  # longer tables of cycles are folded


def _e(text: object) -> str:
    return html.escape(str(text))


# ---- Tables ----------------------------------------------------------------------------------------------------------

def _number(value: float) -> str:
    if np.isnan(value):
        return "–"
    if value == int(value) and abs(value) < 1e9:
        return f"{int(value)}".replace("-", "−")
    text = f"{value:.4g}".replace("e-", "e−").replace("e+", "e").replace("-", "−")
    return re.sub(r"e(−?)0*(\d+)$", r"·10<sup>\1\2</sup>", text)


def _table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]], texts: Sequence[int] = (0,)) -> str:
    """Cells are HTML; the columns `texts` are aligned to the left."""
    def kind(column: int) -> str:
        return ' class="text"' if column in texts else ""

    head = "".join(f'<th scope="col"{kind(i)}>{text}</th>' for i, text in enumerate(heads))
    lines = ("".join(f"<td{kind(i)}>{cell}</td>" for i, cell in enumerate(row)) for row in rows)
    body = "".join(f"<tr>{line}</tr>\n" for line in lines)
    return (f'<div class="wide" tabindex="0" role="region" aria-label="{_e(caption)}"><table><caption>{_e(caption)}'
            f"</caption><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table></div>\n")


def _facts(rows: Sequence[tuple[str, str]]) -> str:
    cells = "".join(f'<tr><th scope="row">{_e(name)}</th><td>{_e(text)}</td></tr>\n' for name, text in rows if text)
    return f'<div class="wide"><table class="facts"><tbody>\n{cells}</tbody></table></div>\n'


# Column, heading (HTML), factor and unit of the tables below.
_CYCLE_COLUMNS = (
    ("stage", "stage", 1.0, ""), ("cycle", "cycle", 1.0, ""), ("strain_single", "single amplitude", 100.0, "%"),
    ("strain_double", "double amplitude", 100.0, "%"), ("stress_amplitude", "stress amplitude", 1e-3, "kPa"),
    ("csr", "CSR", 1.0, ""), ("static_stress_ratio", "static α", 1.0, ""), ("shear_modulus", "G", 1e-6, "MPa"),
    ("young_modulus", "E", 1e-6, "MPa"), ("bulk_modulus", "K", 1e-6, "MPa"), ("damping_ratio", "D", 100.0, "%"),
    ("damping_ratio_friction", "D, friction", 100.0, "%"), ("damping_ratio_numerical", "D, numerical", 100.0, "%"),
    ("r_u_max", "largest r<sub>u</sub>", 1.0, ""), ("r_u_end", "r<sub>u</sub> at the end", 1.0, ""),
    ("void_ratio", "void ratio", 1.0, ""),
)
_REDUCTION_COLUMNS = (
    ("model", "model", 1.0, ""), ("test", "test", 1.0, ""), ("gamma", "γ", 1.0, ""),
    ("shear_modulus", "G", 1e-6, "MPa"), ("modulus_ratio", "G/G<sub>max</sub>", 1.0, ""),
    ("damping_ratio", "D", 100.0, "%"),
    ("damping_ratio_numerical", "D, numerical", 100.0, "%"), ("damping_ratio_tolerance", "D, tolerance", 100.0, "%"),
    ("doubtful", "doubt about D", 1.0, ""), ("stress_amplitude", "stress amplitude", 1e-3, "kPa"),
    ("void_ratio", "void ratio", 1.0, ""),
)
_RESISTANCE_COLUMNS = (
    ("model", "model", 1.0, ""), ("csr", "CSR", 1.0, ""), ("static_stress_ratio", "static α", 1.0, ""),
    ("cycles", "cycles to liquefaction", 1.0, ""),
    ("cycles_r_u", "cycles to r<sub>u</sub> = 0.95", 1.0, ""), ("cycles_strain", "cycles to γ = 3.75 %", 1.0, ""),
    ("cycles_done", "cycles made", 1.0, ""), ("r_u_max", "largest r<sub>u</sub>", 1.0, ""),
    ("strain_max", "largest γ", 100.0, "%"), ("void_ratio", "void ratio", 1.0, ""),
)


def _columns_table(caption: str, table: Table, columns: Sequence[tuple[str, str, float, str]]) -> str:
    """Columns in which no row has a number are left out, except `cycles`, which also names flow failures."""
    flows = optional_column(table, "flow_failure")

    def has_values(name: str) -> bool:
        if name == "doubtful":
            return bool(np.any(table[name]))
        return name in ("model", "cycles") or bool(np.any(np.isfinite(table[name])))

    shown = [column for column in columns if column[0] in (table.dtype.names or ()) and has_values(column[0])]
    heads = [f"{head} ({unit})" if unit else head for _, head, _, unit in shown]

    def cell(row: Any, is_flow: bool, name: str, factor: float) -> str:
        if name == "cycles" and is_flow:
            return "flow failure"
        if name == "doubtful":
            return DOUBTS.get(float(row[name]), "")
        return _e(row[name]) if name == "model" else _number(factor * float(row[name]))

    rows = [[cell(row, flow > 0.0, name, factor) for name, _, factor, _ in shown] for row, flow in zip(table, flows)]
    return _table(caption, heads, rows, [i for i, column in enumerate(shown) if column[0] == "model"])


def _tables_of(run: Run) -> str:
    parts = []
    if run.resistance is not None:
        parts.append(_columns_table("Liquefaction resistance (–: not liquefied)", run.resistance, _RESISTANCE_COLUMNS))
    if run.reduction is not None:
        parts.append(_columns_table("Modulus reduction and damping", run.reduction, _REDUCTION_COLUMNS))
    if run.cycles is not None and len(run.cycles) > 0:
        name = f"Cycles: {len(run.cycles)} lines of cycles.csv, which has more columns"
        table = _columns_table(name, run.cycles, _CYCLE_COLUMNS)
        is_open = " open" if len(run.cycles) <= _CYCLES_OPEN_MAX else ""
        parts.append(f"<details{is_open}><summary>Table of cycles</summary>{table}</details>\n")
    return "".join(parts)


# ---- The test --------------------------------------------------------------------------------------------------------

def _keys(run: Run) -> dict[str, str]:
    try:
        return run.case_keys
    except RunError:
        return {}


def _sentence(run: Run) -> str:
    """What the test was, in words."""
    if not run.has_series or len(run.series) < 2:
        return ""
    of = find_loading(run.series, _keys(run))
    rows = run.series[of.rows]
    how = "cyclic" if of.is_cyclic else "monotonic"
    volume = "at constant volume (undrained)" if of.is_at_constant_volume else "drained"
    if of.kind == STILL:
        return "No stage loads the assembly: packing, consolidation or rest."
    if of.kind == ISOTROPIC:
        return f"Isotropic loading, {how}."
    strain = np.nan_to_num(driven_strain(rows, of))
    size = f"to a strain of {100.0 * float(strain[np.argmax(np.abs(strain))]):.3g} %"
    if of.kind == SHEAR:
        return f"Shear of the component {of.component}, {how}, {volume}, {size} (γ)."
    sense = "Loading" if of.is_cyclic else "Compression" if strain[-1] > 0.0 else "Extension"
    plane = "in plane strain (biaxial), " if of.kind == NORMAL and of.lateral else ""
    return f"{sense} along {of.component}, {plane}{how}, {volume}, {size}."


def _values(keys: Mapping[str, str], names: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{word} {value_text(key, keys[key])}".strip() for key, word in names if key in keys)


def _assembly_text(keys: Mapping[str, str]) -> str:
    packing = _values(keys, (("assembly.packing.spheres", "spheres:"), ("assembly.packing.pressure", "packed at"),
                             ("assembly.packing.friction", "with friction"),
                             ("assembly.packing.void_ratio", "to the void ratio"),
                             ("assembly.packing.relative_density", "to the relative density")))
    return packing or ", ".join(f"{key[len('assembly.'):]} {value}" for key, value in keys.items()
                                if key.startswith("assembly."))


def _test_facts(run: Run) -> list[tuple[str, str]]:
    keys = _keys(run)
    made = [str(run._result_attribute(name) or "") for name in ("version", "created", "command")]
    return [
        ("test", _sentence(run)),
        ("stages", ", ".join(f"{number} {name}" for number, name in enumerate(run.stages))),
        ("assembly", _assembly_text(keys)),
        ("grains", _values(keys, (("material.shear_modulus", "shear modulus"), ("material.poisson", "Poisson's ratio"),
                                  ("material.friction", "friction"), ("material.density", "density")))),
        ("contact", _values({key: value for key, value in keys.items() if value != "0"},
                            (("contact.model", "law"), ("contact.contour.kind", "contour"),
                             ("contact.tolerance", "tolerance"), ("contact.dp_max", "dp_max")))),
        ("seed", keys.get("seed", "")), ("directory", str(run.path)), ("command", made[2]),
        ("program", " ".join(text for text in ("jager" if made[0] else "", made[0], made[1]) if text)),
    ]


_STAGE_COLUMNS = (
    ("void_ratio", "void ratio", 1.0, ""), ("coordination", "coordination", 1.0, ""), ("r_u", "r<sub>u</sub>", 1.0, ""),
    ("unbalanced", "unbalanced force", 1.0, ""), ("energy_error", "energy error", 1.0, ""),
)


def _stage_columns(run: Run) -> list[tuple[str, str, float, str]]:
    """Columns of the table of stages, with the driven strain of the test."""
    of = find_loading(run.series, _keys(run))
    part = of.component
    strain = (f"gamma_{part}", f"γ<sub>{part}</sub> in the stage", 100.0, "%")
    if of.kind != SHEAR:
        strain = (f"strain_in_stage_{part}", f"ε<sub>{part}</sub> in the stage", 100.0, "%")
    stress = [(f"stress_{part}", f"τ<sub>{part}</sub>", 1e-3, "kPa")] if of.kind == SHEAR else []
    columns = [("step", "step", 1.0, ""), ("p", "p", 1e-3, "kPa"), ("q", "q", 1e-3, "kPa"), *stress, strain,
               ("volumetric_strain", "ε<sub>v</sub>", 100.0, "%"), *_STAGE_COLUMNS]
    known = run.series.dtype.names or ()
    return [row for row in columns if row[0] in known and (row[0] != "r_u" or np.any(run.series["r_u"] != 0.0))]


def _said_of_stages(summary: str) -> dict[int, list[str]]:
    """The indented lines of the summary, by stage."""
    said: dict[int, list[str]] = {}
    stage: int | None = None
    for line in summary.splitlines():
        found = re.match(r"stage (\d+) ", line)
        stage = int(found[1]) if found else stage if line.startswith("    ") else None
        if stage is not None and not found:
            said.setdefault(stage, []).append(line.strip())
    return said


def _stages_table(run: Run) -> str:
    """The state at the end of each stage, and below it what the summary says of it."""
    series, said, shown = run.series, _said_of_stages(run.summary), _stage_columns(run)
    head = "".join(f'<th scope="col">{text} ({unit})</th>' if unit else f'<th scope="col">{text}</th>'
                   for _, text, _, unit in shown)
    rows = []
    for number in dict.fromkeys(series["stage"].astype(int).tolist()):
        last = series[series["stage"] == number][-1]
        name = run.stages[number] if number < len(run.stages) else ""
        is_strain = [number == 0 and re.match("strain|gamma|volumetric", column) for column, *_ in shown]
        cells = "".join(f"<td>{'–' if skipped else _number(factor * float(last[column]))}</td>"
                        for (column, _, factor, _), skipped in zip(shown, is_strain))
        rows.append(f'<tr><th scope="row" class="text">{_e(f"{number} {name}")}</th>{cells}</tr>\n')
        if number in said:
            lines = "<br>".join(_e(line) for line in said[number])
            rows.append(f'<tr class="said"><td class="text" colspan="{len(shown) + 1}"><div>{lines}</div></td></tr>\n')
    caption = "State at the end of each stage; compression is positive"
    return (f'<div class="wide tall" tabindex="0" role="region" aria-label="{caption}"><table>'
            f'<caption>{caption}</caption><thead><tr><th scope="col" class="text">stage</th>{head}</tr></thead>'
            f'<tbody>\n{"".join(rows)}</tbody></table></div>\n')


# ---- Pictures --------------------------------------------------------------------------------------------------------

_CAPTIONS = {
    "stress-strain": "Stresses and strains", "volumetric-strain": "Volume change, or pore pressure at constant volume",
    "cycles": "Over the number of cycles", "energy": "Energies and the error of their balance",
    "history-length": "Lengths of the contacts' histories", "grading": "Grading of the grains",
    "reduction": "Modulus reduction and damping", "resistance": "Liquefaction resistance",
}


def _caption(run: Run, stem: str) -> str:
    found = re.fullmatch(r"(grains|rose)-(\d+)", stem)
    if not found:
        return _CAPTIONS.get(stem, stem.replace("-", " "))
    number = int(found[2])
    name = f" ({run.stages[number]})" if number < len(run.stages) else ""
    what = "Grains and force chains" if found[1] == "grains" else "Directions of contacts"
    return f"{what} at the end of stage {number}{name}"


def _picture(data: bytes, caption: str) -> str:
    source = "data:image/png;base64," + base64.b64encode(data).decode("ascii")
    return f'<figure><img src="{source}" alt="{_e(caption)}"><figcaption>{_e(caption)}</figcaption></figure>\n'


def _drawn_here(run: Run) -> str:
    """A picture as `plot` draws it, if the program drew none."""
    from ._pictures.plot import draw
    try:
        stream = io.BytesIO()
        draw(run).savefig(stream, format="png", dpi=160)
    except JagerError as error:
        return f"<p>There are no pictures: {_e(error)}.</p>\n"
    return f'<div class="pictures">{_picture(stream.getvalue(), "Result, drawn by the Python package")}</div>\n'


def _pictures(run: Run) -> str:
    files = run.pictures
    if not files:
        return _drawn_here(run)
    try:
        drawn = "".join(_picture(file.read_bytes(), _caption(run, file.stem)) for file in files)
    except OSError as error:
        raise RunError(f"{error.filename}: cannot be read: {error.strerror}") from error
    return f'<div class="pictures">{drawn}</div>\n'


# ---- The 3D view -----------------------------------------------------------------------------------------------------

def _packed(values: npt.NDArray[Any], kind: str) -> str:
    return base64.b64encode(np.ascontiguousarray(values, dtype=kind).tobytes()).decode("ascii")


def _slice(snapshot: Snapshot) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Rows of spheres and contacts that are shown: all, or those nearest to the middle of the cell along y."""
    count = len(snapshot.spheres)
    if count <= _SPHERES_MAX:
        return np.arange(count), np.arange(len(snapshot.contacts))
    place = np.linalg.solve(snapshot.cell, snapshot.spheres["position"].T)[1]
    spheres = np.sort(np.argsort(np.abs(place - 0.5), kind="stable")[:_SPHERES_MAX])
    ids = snapshot.spheres["id"][spheres]
    return spheres, np.flatnonzero(np.all(np.isin(snapshot.contacts["ids"], ids), axis=1))


def _scene(snapshot: Snapshot) -> dict[str, Any]:
    """The data of the 3D view. Arrays are little-endian, as base64; `first` has rows of spheres."""
    some, pairs = _slice(snapshot)
    spheres, contacts = snapshot.spheres[some], snapshot.contacts[pairs]
    grains, fn = snapshot.grains, contacts["fn"]
    pressure = spheres["pressure"]
    if len(grains) > 0:  # one colour for all spheres of a grain
        pressure = grains["pressure"][np.searchsorted(grains["id"], spheres["grain"])]
    finite = pressure[np.isfinite(pressure)]
    return {
        "step": snapshot.step, "time": snapshot.time, "cell": snapshot.cell.tolist(),
        "pressure_max": float(np.percentile(finite, 98)) if len(finite) > 0 else 0.0,
        "fn_mean": float(np.nanmean(fn)) if len(fn) > 0 else 0.0,
        "grains": {"count": len(np.unique(spheres["grain"])) if len(grains) > 0 else len(spheres),
                   "of": len(grains) if len(grains) > 0 else len(snapshot.spheres)},
        "spheres": {"count": len(spheres), "of": len(snapshot.spheres), "position": _packed(spheres["position"], "<f4"),
                    "radius": _packed(spheres["radius"], "<f4"), "pressure": _packed(np.nan_to_num(pressure), "<f4")},
        "contacts": {"count": len(contacts), "of": len(snapshot.contacts),
                     "first": _packed(np.searchsorted(spheres["id"], contacts["ids"][:, 0]), "<u4"),
                     "branch": _packed(contacts["branch"], "<f4"), "fn": _packed(np.nan_to_num(fn), "<f4")},
    }


def _with_prefix(value: float, unit: str) -> str:
    for factor, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ")):
        if abs(value) >= factor:
            return f"{value / factor:.3g} {prefix}{unit}"
    return f"{value:.3g} {unit}"


def _legend(scene: Mapping[str, Any]) -> str:
    most, mean = float(scene["pressure_max"]), float(scene["fn_mean"])
    ticks = "".join(f"<span>{_e(_with_prefix(value, 'Pa') if value else '0')}</span>" for value in (0.0, most / 2))
    return (f'<div class="legend"><div>mean stress of a grain (dark: that or more)<br><span class="bar"></span>'
            f'<div class="ticks">{ticks}<span>{_e(_with_prefix(most, "Pa"))}</span></div></div>'
            '<div>normal force, as the width of a line<br>'
            '<span class="force" style="border-top:5px solid var(--strong)"></span>above the mean, '
            f'{_e(_with_prefix(mean, "N"))}<br>'
            '<span class="force" style="border-top:2px solid var(--weak)"></span>below the mean</div></div>\n')


_CONTROLS = (
    '<div class="controls" role="group" aria-label="What the view shows">'
    '<label><input type="checkbox" name="grains" checked> grains</label>'
    '<label><input type="checkbox" name="chains" checked> force chains</label>'
    '<label><input type="checkbox" name="weak"> forces below the mean</label>'
    '<label><input type="checkbox" name="cell" checked> cell</label>'
    '<label>size of grains <input type="range" name="size" min="5" max="100" step="5" value="50"> '
    '<output>50 %</output></label>'
    '<button type="button" name="farther" aria-label="smaller">−</button>'
    '<button type="button" name="nearer" aria-label="larger">+</button>'
    '<button type="button" name="front">front (x–z)</button><button type="button" name="reset">reset</button></div>\n'
)
_HINT = ("Turn it with the mouse, a finger or the arrow keys; zoom with the wheel, two fingers or + and −; the keys G, "
         "F, W and C show and hide grains, forces, weak forces and the cell, 0 goes back. The grains are drawn at half "
         "their size, so that the forces between them are seen; the slider changes that.")


def _viewer(scene: Mapping[str, Any]) -> str:
    spheres, grains, contacts = scene["spheres"], scene["grains"], scene["contacts"]
    counts = f"{grains['count']:,} grains and {contacts['count']:,} contacts at step {scene['step']:,}"
    if spheres["count"] < spheres["of"]:
        counts = f"a slice in the middle of the cell with {counts}; the assembly has {grains['of']:,} grains"
    data = json.dumps(scene, allow_nan=False).replace("<", "\\u003c")
    name = _e(f"3D view of {counts}. Arrow keys turn it, plus and minus zoom, 0 resets.")
    return (f'<div class="viewer"><p>The last snapshot: {_e(counts)}. {_HINT}</p>\n{_CONTROLS}<div class="stage">'
            f'<canvas class="scene" tabindex="0" role="application" aria-label="{name}"></canvas>'
            f'<canvas class="labels" aria-hidden="true"></canvas></div>\n{_legend(scene)}'
            f'<noscript><p>The 3D view needs JavaScript.</p></noscript>'
            f'<script type="application/json">{data}</script></div>\n')


_NO_SNAPSHOT = ("<p>The run has no snapshot, so there is no 3D view. To get one, write <code>output: {snapshot: 10000}"
                "</code> into the case (a number of steps), or run it with <code>--set output.snapshot=10000</code>: "
                "snapshots are then taken at these intervals and at the end.</p>\n")


def _view(run: Run) -> str:
    try:
        if len(run.snapshots) == 0:
            return _NO_SNAPSHOT
        return _viewer(_scene(run.snapshots[-1]))
    except JagerError as error:
        return f"<p>There is no 3D view: {_e(error)}.</p>\n"


# ---- The page --------------------------------------------------------------------------------------------------------

def _warnings(run: Run, level: int) -> str:
    texts = [*run.warnings, *(f"note: {text}" for text in run.notes)]
    if not texts:
        return '<p class="fine">The program has no warnings about this run.</p>\n' if level == 2 else ""
    items = "".join(f"<li>{_e(text)}</li>" for text in texts)
    count = len(run.warnings)
    title = f"{count} warning{'s' if count != 1 else ''}" if count else "Not complete" if run.notes else "Notes"
    return (f'<section class="warnings" aria-label="Warnings"><h{level}>⚠ {_e(title)}</h{level}><ul>{items}</ul>'
            "</section>\n")


def _case_text(run: Run) -> str:
    try:
        return f"<pre>{_e(run.case_text.rstrip())}</pre>\n"
    except JagerError as error:
        return f"<p>The case cannot be shown: {_e(error)}.</p>\n"


def _folded(title: str, content: str, is_open: bool = False) -> str:
    return f"<details{' open' if is_open else ''}><summary>{_e(title)}</summary>\n{content}</details>\n"


def _results(run: Run, level: int) -> str:
    """Tables, pictures, view and summary of a run without its members."""
    head = f"h{level}"
    tables = (_stages_table(run) if run.has_series and len(run.series) > 0 else "") + _tables_of(run)
    parts = [f"<{head}>Results</{head}>\n", tables] if tables else []
    if run.has_series:
        parts += [f"<{head}>Grains and force chains</{head}>\n", _view(run)]
    parts += [f"<{head}>Pictures</{head}>\n", _pictures(run)]
    if run.summary:
        parts.append(_folded("Summary, as the program wrote it", f"<pre>{_e(run.summary.rstrip())}</pre>\n"))
    return "".join(parts)


def _all_members(run: Run, prefix: str = "") -> list[tuple[str, Run]]:
    found = []
    for name, member in run.members.items():
        found += [(prefix + name, member), *_all_members(member, f"{prefix}{name}/")]
    return found


def _anchor(name: str) -> str:
    return "run-" + re.sub(r"[^A-Za-z0-9-]", "_", name)


def _member(name: str, run: Run) -> str:
    own = Run(run.path)
    own.__dict__["members"] = {}  # they have sections of their own
    lead = f"Before its runs part: {_sentence(run)}" if run.members else _sentence(run)
    return (f'<section class="member" id="{_anchor(name)}"><h2>{_e(name)}</h2>\n<p class="lead">{_e(lead)}</p>\n'
            f"{_warnings(own, 3)}{_results(own, 3)}{_folded('Case', _case_text(own))}</section>\n")


def _facts_of(run: Run, members: Sequence[tuple[str, Run]]) -> list[tuple[str, str]]:
    """Facts about a run, or about what the runs of a list have in common; the test is the last member's."""
    if not members:
        return _test_facts(run)
    shared = ("assembly", "grains", "seed", "program")
    rows = [("before the runs part", _sentence(run)), *_test_facts(run)[1:]] if run.has_series else [
        *(row for row in _test_facts(members[0][1]) if row[0] in shared), ("directory", str(run.path))]
    return [("test", _sentence(members[-1][1])), *rows]


def _body(run: Run) -> str:
    members = _all_members(run)
    state = "complete" if run.is_complete else "not complete"
    parts = [f"<header><h1>{_e(run.title)}</h1>\n<p class=\"soft\">{_e(run.path)} · {state}</p></header>\n<main>\n",
             _warnings(run, 2)]
    if members:
        links = "".join(f'<li><a href="#{_anchor(name)}">{_e(name)}</a></li>' for name, _ in members)
        parts.append(f'<nav aria-label="Runs of this case"><h2>Runs of this case</h2><ul>{links}</ul></nav>\n')
    parts += ["<h2>The test</h2>\n", _facts(_facts_of(run, members)), _results(run, 2)]
    parts += [_member(name, member) for name, member in members]
    parts += ["<h2>Case</h2>\n", _case_text(run), "</main>"]
    return "".join(parts)


def _page(run: Run) -> str:
    template = importlib.resources.files(__package__ or "jager").joinpath("_report.html").read_text(encoding="utf-8")
    parts = {"title": _e(run.title), "body": _body(run)}
    return re.sub(r"\{\{(title|body)\}\}", lambda found: parts[found[1]], template)


def report(run: Run | str | os.PathLike[str], file: str | os.PathLike[str] | None = None) -> Path:
    """Writes one HTML page about a run that needs no other file and no network.

    It has the warnings, the case, what the test was, tables, all pictures of the directory, and the grains and force
    chains of the last snapshot, to be turned in 3D. Of a case with lists it has a section for each run.

    Args:
        run: the run, or its directory.
        file: default: report.html in the directory of the run. An existing file is replaced.

    Returns:
        The path of the page.

    Raises:
        RunError: the run cannot be read, or the page cannot be written.
    """
    opened = run if isinstance(run, Run) else open_run(run)
    target = opened.path / "report.html" if file is None else Path(file).expanduser()
    try:
        write_lines(str(target), [_page(opened).removesuffix("\n")], force=True)
    except FormatError as error:
        raise RunError(str(error)) from error
    return target


__all__ = ["report"]
