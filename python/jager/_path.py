# SPDX-License-Identifier: MIT
"""The path of a contact: its movements and forces."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._library import Floats, State

if TYPE_CHECKING:
    from ._law import Law


class Path:
    """What a contact did on its way, one entry for each movement. All arrays are the caller's own.

    Attributes:
        law: the law of the contact.
        zeta: half the overlap at the end of each movement, m, (N,).
        xi: half the shift, m, (N, 2).
        fn: normal force, N, (N,).
        ft: tangential force, N, (N, 2).
        state: kinds of the movements, as numbers of `State`, (N,).
        normal: energy stored by the normal force, J, (N,); None without energies.
        tangential: energy stored by the tangential force, J, (N,); None without energies.
        dissipated: energy dissipated since the start of the path, J, (N,); None without energies.
    """

    def __init__(self, law: Law, zeta: Floats, xi: Floats, fn: Floats, ft: Floats, state: npt.NDArray[np.uint8],
                 energies: Floats | None) -> None:
        self.law = law
        self.zeta, self.xi, self.fn, self.ft, self.state = zeta, xi, fn, ft, state
        self.normal = energies[0] if energies is not None else None
        self.tangential = energies[1] if energies is not None else None
        self.dissipated = energies[2] if energies is not None else None

    def __len__(self) -> int:
        return len(self.zeta)

    @property
    def state_names(self) -> npt.NDArray[np.str_]:
        """The kinds of the movements as texts: "apart", "elastic", "slip", "slide"."""
        names = np.array([state.name.lower() for state in State])
        return names[self.state]

    def frame(self) -> Any:
        """The path as a pandas.DataFrame with the columns of `jager contact`."""
        try:
            import pandas
        except ImportError as missing:
            raise ImportError("pandas is needed: apt install python3-pandas, or pip install pandas") from missing
        data = {"zeta": self.zeta, "xi1": self.xi[:, 0], "xi2": self.xi[:, 1], "fn": self.fn, "ft1": self.ft[:, 0],
                "ft2": self.ft[:, 1], "state": self.state_names}
        if self.normal is not None and self.tangential is not None:
            data |= {"stored": self.normal + self.tangential, "dissipated": self.dissipated}
        return pandas.DataFrame(data, index=pandas.RangeIndex(1, len(self) + 1, name="step"))

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """Draws the tangential force over the shift. Returns the axes.

        Args:
            ax: matplotlib's axes to draw in; by default new ones.
            style: of the line, as for matplotlib's plot: label, color, linestyle, …
        """
        from ._pictures.one_contact import plot_path
        return plot_path(self, ax, **style)

    def __repr__(self) -> str:
        return f"<jager.Path of {len(self)} movements, model {self.law.model}>"
