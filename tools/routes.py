#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The routes of docs/architecture.md: draws their pictures, and counts the files that they pass.

    tools/routes.py draw                  # docs/img/route-*.svg, from the table ROUTES
    tools/routes.py count [SOURCE ...]    # builds each source tree (default: this one) in SOURCE/build-routes, for gcov

A file counts if one of its lines runs for the datum: the program, or Python, runs with and without one more CSV line,
time step, key or call, and lines that run more often belong to the datum. A step is ordinary: only files that run in
each of six steps count, without the final checkpoint. `count` prints the files; copy the numbers into ROUTES by hand.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from xml.sax.saxutils import escape

ROOT = pathlib.Path(__file__).resolve().parent.parent

# name: title, files before (commit 0327124) and now, rows (the datum, where it is, what happens there), and its end
ROUTES = {
    "csv-line": ("One CSV line of jager contact", 35, 21, [
        ("text: 0,-0.0005", "files", "path_reader_next", "reads the numbers, adds up changes, halves whole movements"),
        ("path_step: ζ, Δξ", "cli, laws", "do_step, law_contact_move",
         "moves the contact of each law by the same step"),
        ("ζ, Δξ", "contact/energy", "jager_balance_move",
         "checks the movement; tries it on a copy of the history's top"),
        ("target T", "include/jager/detail", "step",
         "decides: elastic, slip or slide; cuts the history, adds a segment"),
        ("history, old and new", "contact/energy", "jager_dissipation", "integrates the energy that slip dissipated"),
        ("force, energies", "cli", "write_row", "prints the row with 17 digits"),
    ], "text: 5,0.01,…,slip,…"),
    "step": ("One time step of jager run", 48, 34, [
        ("run_case, simulation", "run", "run_execute: step", "asks for a step; stop flag, progress"),
        ("stage", "dem/step", "dem_simulation_step", "begins the next stage if one has ended"),
        ("stresses, targets", "dem/drive", "dem_drive",
         "strain increments: prescribed, or by the servo; the cell moves"),
        ("forces", "dem/motion", "dem_motion_advance", "in parallel: gathers forces, moves the spheres of a block"),
        ("positions", "dem/contacts", "dem_contacts_move", "in parallel: new and ended contacts of a block"),
        ("list of pairs", "contact/lanes", "jager_pairs_move", "side by side: movements, step, forces on the spheres"),
        ("sums: virial, energies", "dem/cycles, step", "dem_cycles_add_step",
         "loop and r_u; reversal? end of the stage?"),
        ("events", "run", "write_step", "writes what is due: rows, checkpoint, snapshots"),
    ], "state after the step"),
    "key": ("One key of a case", 7, 6, [
        ("text: friction: 0.3", "case/yaml", "yaml_parse", "makes a tree in which each value knows its place"),
        ("yaml_node", "case/keys", "case_read_block",
         "reads it by its line in the table of dem/case_keys: unit, range"),
        ("dem_stage.friction", "case", "case_check_stage, …_plausible",
         "reports contradictions and unusual values with their place"),
        ("run_case", "case/print", "case_print", "prints it in jager check, by a text in the same line"),
        ("run_case", "dem/step", "dem_stage_begin", "uses it when the stage begins"),
        ("stages.0.friction: 0.3", "dem/checkpoint", "dem_key_rule_of",
         "may a resumed run change it? by the same line"),
    ], "A new key is written in 3 places instead of 7: a member, a line of the table, a row in docs/case.md"),
    "python-call": ("One Python call: contact.move(zeta, dxi)", 17, 10, [
        ("float, tuple", "python/jager", "Contact.move", "takes the lock of the contact; two doubles for C"),
        ("double", "_native (cffi)", "lib.jager_contact_move", "made from the header: releases Python's lock, calls C"),
        ("ζ, Δξ", "contact", "jager_contact_move", "checks the movement; sends common ones straight to step"),
        ("target T", "include/jager/detail", "step",
         "decides: elastic, slip or slide; cuts the history, adds a segment"),
        ("jager_force, status", "python/jager", "check, Force", "an error becomes a JagerError with its text"),
    ], "Force(fn, ft)"),
}

STYLE = """
    text { font-size: 14px; fill: #222 }
    .title { font-size: 18px; font-weight: bold }
    .place { font-weight: bold; fill: #1d4f7c }
    .name { font-family: DejaVu Sans Mono, Menlo, monospace; font-size: 13px }
    .datum { font-size: 13px; font-style: italic; fill: #7a0c2e; text-anchor: end }
    .what { font-size: 13px; fill: #444 }
    .box { fill: #eaf2f9; stroke: #6d9cc8 }
    .way { stroke: #555; stroke-width: 1.4; fill: none }
"""
WIDTH, BOX, LEFT, TOP, ROW = 960, 310, 190, 100, 62


def picture(title, before, now, rows, end):
    height = TOP + ROW * len(rows) + 40
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
           'font-family="DejaVu Sans, Helvetica, Arial, sans-serif">',
           f"  <title>{escape(title)}: {before} files before, {now} now</title>", f"  <style>{STYLE}  </style>",
           f'  <rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
           f'  <text x="20" y="32" class="title">{escape(title)}</text>']
    scale = 8
    for y, count, name, colour in ((48, before, "before", "#c8ccd0"), (68, now, "now", "#6d9cc8")):
        out.append(f'  <text x="75" y="{y + 12}" class="what" text-anchor="end">{name}</text>')
        out.append(f'  <rect x="85" y="{y}" width="{scale * count}" height="14" fill="{colour}"/>')
        out.append(f'  <text x="{95 + scale * count}" y="{y + 12}" class="what">{count} files</text>')
    for k, (datum, place, name, what) in enumerate(rows):
        y = TOP + ROW * k
        out.append(f'  <path class="way" d="M{LEFT + 40},{y - 12} V{y + 6} m-4,-7 l4,7 l4,-7"/>')
        out.append(f'  <text x="{LEFT - 12}" y="{y + 30}" class="datum">{escape(datum)}</text>')
        out.append(f'  <rect x="{LEFT}" y="{y + 6}" width="{BOX}" height="44" rx="4" class="box"/>')
        out.append(f'  <text x="{LEFT + 10}" y="{y + 24}" class="place">{escape(place)}</text>')
        out.append(f'  <text x="{LEFT + 10}" y="{y + 42}" class="name">{escape(name)}</text>')
        out.append(f'  <text x="{LEFT + BOX + 14}" y="{y + 33}" class="what">{escape(what)}</text>')
    y = TOP + ROW * len(rows)
    out.append(f'  <path class="way" d="M{LEFT + 40},{y - 12} V{y + 6} m-4,-7 l4,7 l4,-7"/>')
    out.append(f'  <text x="{LEFT}" y="{y + 26}" class="what">{escape(end)}</text>')
    return "\n".join(out) + "\n</svg>\n"


def draw():
    for name, route in ROUTES.items():
        (ROOT / "docs" / "img" / f"route-{name}.svg").write_text(picture(*route), encoding="utf-8")


PATH = "dzeta,dxi1\n0.01,0\n0,0.003\n0,-0.002\n0,0.001\n"
CASE = """jager: 1
skin: 0.05
material: {{shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}}
assembly:
  packing: {{spheres: 200, sizes: {{uniform: {{min: 0.8 mm, max: 1.2 mm}}}}, pressure: 100 kPa, friction: 0.1}}
stages:
  - name: biaxial
    control: {{xx: {{stress: 100 kPa}}, yy: {{strain_rate: 0}}, zz: {{strain_step: 5e-7}}}}
    until: {{steps: {steps}}}{key}
output: {{series: 0, plots: false}}
checkpoint: {{minutes: 0}}
"""
CALLS = """
import sys
import jager
contact, seen = jager.Contact(jager.Law(G=29e9, nu=0.15, friction=0.5), 1e-3, 1e-3), set()
for shift in (0, 3e-8, -2.4e-8):
    contact.move(1e-7, (shift, 0))

def trace(frame, event, argument):
    seen.add(frame.f_code.co_filename)
    return trace

if "call" in sys.argv:
    sys.settrace(trace)
    contact.move(1e-7, (1e-8, 0))
    sys.settrace(None)
print(*(name for name in seen if "/python/jager/" in name), sep="\\n")
"""
AT_THE_END = ("hash.h", "pack.c", "field_file.c")  # the final state as bytes


class Counter:
    def __init__(self, source, scratch):
        self.source, self.build, self.scratch = source, source / "build-routes", scratch
        flags = "--coverage -O0 -DNDEBUG -fprofile-update=atomic"
        for command in (["cmake", "-S", source, "-B", self.build, "-DCMAKE_BUILD_TYPE=Debug",
                         f"-DCMAKE_C_FLAGS={flags}", "-DJAGER_TESTS=OFF", "-DJAGER_LAMMPS=OFF"],
                        ["cmake", "--build", self.build, "--parallel"]):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        self.program = self.build / "src" / "cli" / "jager"

    def counts(self, command, text=None):
        """How often each line of the sources ran, and what the command printed."""
        for data in self.build.rglob("*.gcda"):
            data.unlink()
        shutil.rmtree(self.scratch / "out", ignore_errors=True)
        environment = {**os.environ, "PYTHONPATH": str(self.build / "python")}
        printed = subprocess.run(command, cwd=self.scratch, input=text, text=True, check=True, env=environment,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout
        counts = {}
        for data in self.build.rglob("*.gcda"):
            found = subprocess.run(["gcov", "--json-format", "--stdout", data], cwd=data.parent, check=True, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
            for unit in map(json.loads, filter(None, found.splitlines())):
                for file in unit["files"]:
                    path = (pathlib.Path(unit["current_working_directory"]) / file["file"]).resolve()
                    if path.is_relative_to(self.source) and not path.is_relative_to(self.build):
                        for line in file["lines"]:
                            place = str(path.relative_to(self.source)), line["line_number"]
                            counts[place] = counts.get(place, 0) + line["count"]
        return counts, printed

    def files(self, without, having):
        (before, _), (after, printed) = self.counts(*without), self.counts(*having)
        return {place[0] for place in after if after[place] > before.get(place, 0)}, printed

    def case(self, name, **values):
        (self.scratch / name).write_text(CASE.format(**{"steps": 100, "key": "", **values}), encoding="utf-8")
        return name

    def routes(self):
        contact = [self.program, "contact"]
        yield "csv-line", self.files((contact, PATH), (contact, PATH + "0,-0.0005\n"))[0]
        runs = [[self.program, "run", self.case(f"{k}.yaml", steps=k), "-q", "--threads", "1", "-o", "out"]
                for k in range(101, 108)]
        steps = [self.files((a,), (b,))[0] for a, b in zip(runs, runs[1:])]
        yield "step", {name for name in set.intersection(*steps) if not name.endswith(AT_THE_END)}
        cases = self.case("without.yaml"), self.case("with.yaml", key="\n    friction: 0.3")
        yield "key", self.files(*(([self.program, "check", name],) for name in cases))[0]
        python = ["/usr/bin/python3", "-c", CALLS]
        compiled, interpreted = self.files((python,), ([*python, "call"],))
        yield "python-call", compiled | {"python/jager/" + pathlib.Path(name).name for name in interpreted.split()}


def main():
    words = sys.argv[1:]
    if words == ["draw"]:
        draw()
    elif words[:1] == ["count"]:
        for source in words[1:] or [ROOT]:
            with tempfile.TemporaryDirectory() as scratch:
                for name, files in Counter(pathlib.Path(source).resolve(), pathlib.Path(scratch)).routes():
                    print(f"{source}, {name}: {len(files)} files", *sorted(files), sep="\n  ")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
