#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the loop of the landing page as SVG: loop.py PROGRAM > loop.svg

One contact between two quartz grains is sheared to and fro at constant normal force, between the same two forces under
Jäger's contact and under the capped spring, with smaller loops on the way. The forces are those of PROGRAM, `jager
contact`.
"""
import csv
import subprocess
import sys

ZETA = 1e-7  # half of the overlap, m
SHEAR, POISSON, FRICTION, RADIUS = 29e9, 0.15, 0.5, 1e-3
KAPPA = (2 - POISSON) / (2 * (1 - POISSON))
SLIDES = KAPPA * FRICTION * ZETA  # the shift at which the whole contact slides
PEAK = 0.95  # the largest force over the friction limit
FAR, SPRING_FAR = 1 - (1 - PEAK) ** (2 / 3), PEAK / 1.5  # the shifts at that force, over SLIDES
TURNS = {"jager": (0.0, FAR, -0.15, 0.4, -FAR, 0.15, -0.4, FAR), "hertz-mindlin": (0.0, SPRING_FAR, -SPRING_FAR)}
STEP = 0.01
WIDTH, HEIGHT = 420, 340
LEFT, RIGHT, TOP, BOTTOM = 24, 396, 24, 296


def path(turns):
    """The shift after each step, over SLIDES."""
    points = [turns[0]]
    for turn in turns[1:]:
        start, count = points[-1], round(abs(turn - points[-1]) / STEP)
        points += [start + (turn - start) * (k + 1) / count for k in range(count)]
    return points


def forces(program, model, points):
    """Ft over f·Fn at each of the points."""
    lines = ["dzeta,dxi1", f"{ZETA!r},0"]
    lines += [f"0,{(b - a) * SLIDES!r}" for a, b in zip(points, points[1:])]
    command = [program, "contact", f"--shear-modulus={SHEAR!r}", f"--poisson={POISSON}", f"--radius={RADIUS}",
               f"--friction={FRICTION}", f"--model={model}", "-"]
    table = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True).stdout
    return [float(row["ft1"]) / (FRICTION * float(row["fn"])) for row in csv.DictReader(table.splitlines())]


def curve(points, values):
    places = [f"{x_of(x):.1f},{y_of(y):.1f}" for x, y in zip(points, values)]
    return "M" + " ".join(places)


def x_of(shift):
    return LEFT + (shift / 0.92 + 1) / 2 * (RIGHT - LEFT)


def y_of(force):
    return TOP + (1 - force / 1.06) / 2 * (BOTTOM - TOP)


def drawing(curves):
    middle_x, middle_y = x_of(0), y_of(0)
    limits = "".join(f'<line class="limit" x1="{LEFT}" x2="{RIGHT}" y1="{y_of(s):.1f}" y2="{y_of(s):.1f}"/>'
                     for s in (1, -1))
    return f"""<svg class="loop" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="loop-title">
<title id="loop-title">Tangential force over shift. The Jäger contact draws a hysteresis loop with smaller loops inside;
the spring of most DEM codes goes to and fro on one straight line.</title>
{limits}
<line class="axis" x1="{LEFT}" x2="{RIGHT}" y1="{middle_y:.1f}" y2="{middle_y:.1f}"/>
<line class="axis" x1="{middle_x:.1f}" x2="{middle_x:.1f}" y1="{TOP}" y2="{BOTTOM}"/>
<path class="spring" d="{curves['hertz-mindlin']}"/>
<path class="jager" d="{curves['jager']}"/>
<text class="name-jager" x="262" y="196">Jäger contact</text>
<text class="name-spring" x="290" y="66" text-anchor="end">capped spring</text>
<text x="{LEFT}" y="{y_of(1) - 7:.1f}">friction limit</text>
<text x="{RIGHT}" y="{middle_y + 16:.1f}" text-anchor="end">shift</text>
<text x="{middle_x + 6:.1f}" y="{BOTTOM + 16}">force</text>
</svg>
"""


def main():
    curves = {}
    for model, turns in TURNS.items():
        points = path(turns)
        values = forces(sys.argv[1], model, points)
        first = 0 if model == "jager" else points.index(turns[1])  # the spring goes over its line once
        curves[model] = curve(points[first:], values[first:])
    sys.stdout.write(drawing(curves))


if __name__ == "__main__":
    main()
