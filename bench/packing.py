#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How many steps random ordinary packings take, and whether they come to rest.

    bench/packing.py [--count N] [--first K] [--seed S] [--limit STEPS] [--jobs N] [--keep FILE]
                     NAME=BUILD/src/cli/jager ...

Case K of a seed is the same for every program: 300 to 1,000 spheres of gradings 1:1 to 1:4, friction 0 to 0.5,
10 kPa to 10 MPa, contacts of spheres, cones and powers, to an unbalanced force of 1e-3. A run stops right after its
packing. Anisotropy is the largest deviation of one of the six stresses from the isotropic state, over the pressure.
"""
import argparse
import concurrent.futures
import csv
import json
import pathlib
import random
import statistics
import subprocess
import tempfile

STRESSES = ("stress_xx", "stress_yy", "stress_zz", "stress_xy", "stress_xz", "stress_yz")


def draw(seed, number):
    """The settings of a case, drawn from a stream of its own, and its group in the table."""
    r = random.Random(f"{seed}/{number}")
    ratio, spheres = 4.0 ** r.random(), round(300.0 * (10.0 / 3.0) ** r.random())
    pressure = 10.0 * 1000.0 ** r.random()
    friction = 0.0 if r.random() < 0.3 else r.uniform(0.0, 0.5)
    contour = r.choice(("sphere", "sphere", "cone", "power"))
    contact = {"model": r.choice(("jager", "jager", "jager", "hertz-mindlin", "linear"))}
    if contour == "cone":
        contact["contour"] = {"kind": "cone", "slope": r.choice((0.02, 0.05, 0.1, 0.2)[:2 if pressure > 1000.0 else 4])}
    elif contour == "power":  # as high as a cone at a twentieth of the radius of a sphere of 0.5 mm
        contact["contour"] = {"kind": "power", "slope": r.choice((0.02, 0.05)) * 2.5e-5 ** -0.5, "exponent": 1.5}
    sizes = {"uniform": {"min": f"{1.2 / ratio:.6g} mm", "max": "1.2 mm"}}
    packing = {"spheres": spheres, "sizes": sizes, "pressure": f"{pressure:.6g} kPa", "friction": round(friction, 4)}
    case = {"jager": 1, "seed": r.randrange(1, 2 ** 31), "contact": contact,
            "material": {"shear_modulus": "29 GPa", "poisson": 0.15, "friction": 0.5, "density": "2650 kg/m3"},
            "output": {"series": 1000000000, "plots": False},
            "stages": [{"name": "hold", "control": {c: {"strain_rate": 0} for c in ("xx", "yy", "zz")},
                        "until": {"steps": 1}}]}
    groups = ["all", "friction 0" if friction == 0.0 else "friction > 0", contour,
              "below 100 kPa" if pressure < 100.0 else "above 100 kPa"]
    if friction == 0.0 and pressure < 100.0:
        groups.append("friction 0, below 100 kPa")
    text = (f"{contact['model']}, {contour}, {spheres} spheres 1:{ratio:.2f}, "
            f"{pressure:.0f} kPa, friction {friction:.3f}")
    return case, packing, groups, text


def distortion(row):
    """The largest component of the cell's strain without its volumetric part."""
    mean = float(row["volumetric_strain"]) / 3.0
    normal = (abs(float(row[f"strain_{c}"]) - mean) for c in ("xx", "yy", "zz"))
    return max(*normal, *(abs(float(row[f"strain_{c}"])) for c in ("xy", "xz", "yz")))


def run(program, limit, unbalanced, seed, number):
    """The last row of the packing, or None if the limit was met."""
    case, packing, groups, text = draw(seed, number)
    case["assembly"] = {"packing": dict(packing, max_steps=limit, unbalanced=unbalanced)}
    pressure = 1000.0 * float(packing["pressure"].split()[0])
    with tempfile.TemporaryDirectory() as directory:
        place = pathlib.Path(directory, "case.yaml")
        place.write_text(json.dumps(case), encoding="utf-8")  # JSON is YAML
        done = subprocess.run([program, "run", place, "-q", "--threads", "1", "-o", place.parent / "run"],
                              capture_output=True, text=True, check=False)
        row = None
        if "has not come to rest" not in done.stderr:
            if done.returncode != 0 and "the result" not in done.stderr:
                raise SystemExit(f"case {number}, {text}: {done.stderr}")
            with open(place.parent / "run" / "series.csv", encoding="utf-8") as file:
                row = [row for row in csv.DictReader(file) if row["stage"] == "0"][-1]
    result = {"number": number, "text": text, "groups": groups, "steps": None}
    if row:
        deviations = [float(row[name]) - (pressure if k < 3 else 0.0) for k, name in enumerate(STRESSES)]
        result.update(steps=int(row["step"]), anisotropy=max(map(abs, deviations)) / pressure,
                      void_ratio=float(row["void_ratio"]),
                      distortion=distortion(row), coordination=float(row["coordination_mechanical"]),
                      unbalanced=float(row["unbalanced"]))
    return result


def print_table(results, limit):
    print(f"{'program':12} {'packings':26} {'number':>6} {'quartile':>8} {'median':>8} {'quartile':>8} {'worst':>8} "
          f"{'no rest':>7} {'anisotropy':>10} {'e':>6} {'contacts':>8}")
    for group in dict.fromkeys(group for rows in results.values() for row in rows for group in row["groups"]):
        for name, rows in results.items():
            rows = [row for row in rows if group in row["groups"]]
            steps = sorted(row["steps"] or limit for row in rows)
            rest = [row for row in rows if row["steps"]]
            quarters = statistics.quantiles(steps, n=4, method="inclusive") if len(steps) > 1 else steps * 3
            print(f"{name:12} {group:26} {len(rows):6} {quarters[0]:8.0f} {quarters[1]:8.0f} {quarters[2]:8.0f} "
                  f"{steps[-1]:8} {len(rows) - len(rest):7}", end=" ")
            if rest:
                print(f"{max(row['anisotropy'] for row in rest):10.4f} "
                      f"{statistics.mean(row['void_ratio'] for row in rest):6.4f} "
                      f"{statistics.mean(row['coordination'] for row in rest):8.3f}", end="")
            print(flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("programs", nargs="+", metavar="NAME=PROGRAM")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=29)
    parser.add_argument("--limit", type=int, default=1000000, help="a packing that takes more steps has no rest")
    parser.add_argument("--unbalanced", type=float, default=1e-3, help="at rest below it")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", help="appends the result of each packing to this file, as lines of JSON")
    options = parser.parse_args()
    results = {}
    for name, program in (text.split("=", 1) for text in options.programs):
        numbers = range(options.first, options.first + options.count)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            jobs = [pool.submit(run, program, options.limit, options.unbalanced, options.seed, number)
                    for number in numbers]
            rows = []
            for job in concurrent.futures.as_completed(jobs):
                rows.append(job.result())
                if options.keep:
                    with open(options.keep, "a", encoding="utf-8") as file:
                        print(json.dumps({"program": name, **rows[-1]}), file=file)
        results[name] = rows
    print_table(results, options.limit)
    for name, rows in results.items():
        for row in sorted(rows, key=lambda row: -(row["steps"] or options.limit))[:5]:
            print(f"{name}: case {row['number']}, {row['text']}: {row['steps'] or 'no rest'}")


if __name__ == "__main__":
    main()
