# SPDX-License-Identifier: MIT
"""The commands `python3 -m jager draw|sweep|plot|convert|report`. Drawing does without the compiled extension."""
from __future__ import annotations

import argparse
import pathlib
import re
import sys
import warnings
from typing import Callable, Sequence

from ._errors import CaseError, JagerError

EXIT_FILES, EXIT_INPUT, EXIT_INTERRUPTED = 1, 2, 130


def _split(values: str) -> list[str]:
    """Splits at commas that are not within brackets or quotation marks."""
    parts, depth, mark = [""], 0, ""
    for sign in values:
        if mark or (sign in "\"'" and (depth > 0 or not parts[-1].strip())):
            mark = "" if sign == mark else mark or sign
        depth += 0 if mark else (sign in "[{") - (sign in "]}")
        if sign == "," and depth == 0 and not mark:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]


def _values(text: str) -> tuple[str, list[str]]:
    """KEY=1..10 or KEY=a,b,c; commas within brackets do not separate."""
    key, found, values = text.partition("=")
    if not found or not key or not values:
        raise argparse.ArgumentTypeError(f"{text!r} is not KEY=VALUES, such as seed=1..10 or material.friction=0.3,0.5")
    numbers = re.fullmatch(r"(-?\d+)\.\.(-?\d+)", values)
    if numbers:
        first, last = int(numbers[1]), int(numbers[2])
        if last < first:
            raise argparse.ArgumentTypeError(f"{text!r}: the range has no values")
        return key, [str(number) for number in range(first, last + 1)]
    parts = _split(values)
    if not all(parts):
        raise argparse.ArgumentTypeError(f"{text!r}: a value is empty")
    return key, parts


def _require(*paths: str) -> None:
    """What is not there is a fault of files, not of input."""
    for path in paths:
        if not pathlib.Path(path).expanduser().exists():
            raise FileNotFoundError(f"{path}: there is no such file or directory")


def _sweep_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("case", metavar="CASE.yaml")
    parser.add_argument("over", metavar="KEY=VALUES", nargs="+", type=_values,
                        help="values of a key: seed=1..10, material.friction=0.3,0.5")
    parser.add_argument("-o", "--output", metavar="DIR", help="directory of all runs (default: out/NAME-sweep)")
    parser.add_argument("--set", metavar="KEY=VALUE", action="append", default=[], help="change a value of the case")
    parser.add_argument("--workers", type=int, default=0, metavar="N", help="runs at a time (default: all processors)")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="threads of each run (default: 1)")
    parser.add_argument("--force", action="store_true", help="make all runs anew")
    parser.add_argument("--plot", metavar="FILE", help="draw all runs, with the seeds as a band")
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")


def _sweep(options: argparse.Namespace) -> int:
    from ._case import Case
    from ._sweep import TABLE, sweep
    out = options.output or f"out/{pathlib.Path(options.case).stem}-sweep"
    over = dict(options.over)
    if len(over) < len(options.over):
        raise JagerError("a key is given twice: put all its values into one list")
    result = sweep(Case(options.case, options.set), over, out, workers=options.workers, threads=options.threads,
                   force=options.force, progress=False if options.quiet else None)
    print(result)
    print(f"all figures: {result.path / TABLE}")
    if options.plot:
        result.plot(file=options.plot)
        print(f"picture: {options.plot}")
    return 0


def _draw_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", metavar="RUN", nargs="+", help="directory of a run; of a case with lists, all its runs")
    parser.add_argument("--only", metavar="NAME", action="append", default=[],
                        help="a picture, such as stress-strain or grains-1 (default: all)")


def _draw(options: argparse.Namespace) -> int:
    from ._pictures.draw import draw_run
    from ._runs import Run
    _require(*options.runs)
    pending, has_problems = [Run(path) for path in options.runs], False
    for run in pending:
        pending += run.members.values()
        drawn, problems = draw_run(run, options.only)
        for name in drawn:
            print(run.path / f"{name}.png")
        for problem in problems:
            print(f"jager: {run.path}: {problem}", file=sys.stderr)
        has_problems = has_problems or bool(problems)
    return EXIT_FILES if has_problems else 0


def _plot_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", metavar="RUN", nargs="+", help="directory of a run")
    parser.add_argument("-o", "--output", metavar="FILE", default="plot.png", help="picture (default: plot.png)")
    parser.add_argument("-x", metavar="COLUMN", help="column of the series for the abscissa (default: by the test)")
    parser.add_argument("-y", metavar="COLUMN", help="column for the ordinate")


def _plot(options: argparse.Namespace) -> int:
    from ._pictures.plot import plot
    _require(*options.runs)
    plot(*options.runs, x=options.x, y=options.y, file=options.output)
    print(options.output)
    return 0


def _report_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", metavar="RUN", help="directory of a run")
    parser.add_argument("-o", "--output", metavar="FILE", help="page (default: RUN/report.html)")


def _report(options: argparse.Namespace) -> int:
    from ._report import report
    _require(options.run)
    print(report(options.run, options.output))
    return 0


def _convert_arguments(parser: argparse.ArgumentParser) -> None:
    from ._convert import convert_arguments
    convert_arguments(parser)


def _convert(options: argparse.Namespace) -> int:
    from ._convert import convert_command
    _require(options.source)
    return convert_command(options)


Arguments = Callable[[argparse.ArgumentParser], None]
Command = Callable[[argparse.Namespace], int]

COMMANDS: dict[str, tuple[str, Arguments, Command]] = {
    "draw": ("draw the pictures of a run into its directory, as `jager run` does at its end", _draw_arguments, _draw),
    "sweep": ("run a case for many values of some keys, side by side; again: continue", _sweep_arguments, _sweep),
    "plot": ("draw any runs in one picture, with the seeds of one case as a band", _plot_arguments, _plot),
    "convert": ("convert spheres from and to LAMMPS, YADE, DEMPLA, CSV and jager's text", _convert_arguments, _convert),
    "report": ("make one HTML page of a run that needs no network", _report_arguments, _report),
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python3 -m jager", description="Tools around runs of jager. The simulator "
                                     "itself is the program 'jager', or the Python module 'jager'.")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, (text, arguments, command) in COMMANDS.items():
        sub = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        arguments(sub)
        sub.set_defaults(command=command)
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """Runs a command. Exit codes as in the program: 1 files, 2 input, 130 Ctrl-C."""
    options = _parser().parse_args(words)
    warnings.showwarning = lambda message, *rest: print(f"jager: warning: {message}", file=sys.stderr)
    try:
        return int(options.command(options))
    except KeyboardInterrupt:
        print("jager: stopped; the same command continues", file=sys.stderr)
        return EXIT_INTERRUPTED
    except (OSError, MemoryError) as problem:
        print(f"jager: {problem}", file=sys.stderr)
        return EXIT_FILES
    except (JagerError, ValueError, ImportError) as problem:
        print(problem if isinstance(problem, CaseError) else f"jager: {problem}", file=sys.stderr)
        return EXIT_INPUT


if __name__ == "__main__":
    sys.exit(main())
