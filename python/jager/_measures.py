# SPDX-License-Identifier: MIT
"""The measures of an assembly at one moment."""
from __future__ import annotations

import html
from typing import Callable, Iterator, Mapping

from ._library import Floats
from ._native import ffi, lib


def _names(count: int, name: Callable[[int], object]) -> tuple[str, ...]:
    return tuple(ffi.string(name(k)).decode() for k in range(count))


MEASURES = _names(lib.binding_measure_count(), lib.binding_measure_name)
UNITS = dict(zip(MEASURES, _names(len(MEASURES), lib.binding_measure_unit)))
MEANINGS = dict(zip(MEASURES, _names(len(MEASURES), lib.binding_measure_meaning)))
CYCLE_VALUES = _names(lib.binding_cycle_count(), lib.binding_cycle_name)
CYCLE_UNITS = dict(zip(CYCLE_VALUES, _names(len(CYCLE_VALUES), lib.binding_cycle_unit)))
_INDEX = {name: k for k, name in enumerate(MEASURES)}


class Measures(Mapping[str, float]):
    """The measures of an assembly at one moment: m.strain_zz, m["strain_zz"], dict(m). SI units, compression positive.

    Names, units and meanings are the same as in series.csv (docs/files.md) and `jager.MEANINGS`.
    """

    __slots__ = ("_values",)

    def __init__(self, values: Floats) -> None:
        self._values = values

    def __getitem__(self, name: str) -> float:
        return float(self._values[_INDEX[name]])

    def __getattr__(self, name: str) -> float:
        if name in _INDEX:
            return float(self._values[_INDEX[name]])
        raise AttributeError(f"there is no measure '{name}'; there are {', '.join(MEASURES)}")

    def __iter__(self) -> Iterator[str]:
        return iter(MEASURES)

    def __len__(self) -> int:
        return len(MEASURES)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *MEASURES]

    def __reduce__(self) -> tuple[type[Measures], tuple[Floats]]:
        return Measures, (self._values,)

    def __repr__(self) -> str:
        shown = ("step", "stage", "strain_zz", "p", "q", "void_ratio", "contacts")
        return f"<jager.Measures {', '.join(f'{name} {self[name]:.6g}' for name in shown)}>"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{name}</th><td>{self[name]:.6g}</td><td>{UNITS[name]}</td>"
                       f"<td>{html.escape(MEANINGS[name])}</td></tr>" for name in MEASURES)
        return f"<table><tr><th>measure</th><th>value</th><th>unit</th><th>meaning</th></tr>{rows}</table>"
