# SPDX-License-Identifier: MIT
"""The Jäger contact and its simulator: tangential forces between elastic bodies, exact for movements along a line.

    import jager
    law = jager.Law(G=29e9, nu=0.15, friction=0.5)
    contact = jager.Contact(law, 1e-3, 1e-3)
    fn, ft = contact.move(1e-7, (3e-8, 0))

    run = jager.Case("biaxial.yaml", {"material.friction": 0.3}).run("out/biaxial")
    run.plot()

Units are SI. Stresses and strains are positive in compression.
"""
from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    """The names of _api, which needs the compiled extension. Module names begin with an underscore, except mindlin."""
    if not name.startswith("_") or name in ("__all__", "__version__"):
        from . import _api
        if hasattr(_api, name):
            return getattr(_api, name)
    raise AttributeError(f"module 'jager' has no attribute {name!r}")


def __dir__() -> list[str]:
    from . import _api
    return [*_api.__all__, "__version__", "open"]
