# SPDX-License-Identifier: MIT
"""The law of a contact: materials, friction, contact model."""
from __future__ import annotations

from typing import Any

from ._errors import JagerError
from ._library import CONTOURS, MODELS, check
from ._native import ffi, lib


class _Value:
    """A value of a law, for reading."""

    def __init__(self, text: str) -> None:
        self.__doc__ = text

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, law: Law | None, owner: type) -> Any:
        return self if law is None else law._values[self._name]

    def __set__(self, law: Law, value: object) -> None:
        raise AttributeError(f"a law does not change: law.replace({self._name}=...) makes another one")


def _value(text: str) -> Any:
    return _Value(text)


class Law:
    """The properties of a pair of materials. A law never changes; `replace` makes another one.

    Args:
        G: shear modulus of both bodies, Pa.
        nu: Poisson's ratio of both bodies.
        friction: friction coefficient f.
        other: (G, nu) of the second body, if it has another material; G may be math.inf: rigid.
        model: "jager" (exact along a line), or to compare with: "linear", "hertz-mindlin", "modified-mindlin",
            "zhang-vuquoc".
        contour: shape of the bodies near the contact: "sphere", "cone" (height = slope r) or "power"
            (height = slope r**exponent).
        slope: of a cone or power law.
        exponent: of a power law.
        tolerance: keeps histories short, with errors of the tangential force of about tolerance · f · Fn; 0: exact.
        dp_max: the paper's way to short histories, without a bound of the error; 0: exact.
        kn: of the model "linear": dFn/d(2 zeta), N/m; 0: Hertz's at 1/100 of the smaller radius.
        kt: of the model "linear": dFt/d(2 xi), N/m; 0: kn over kappa.

    Raises:
        JagerError: a value is outside its range; the text names the range.
    """

    def __init__(self, G: float, nu: float, friction: float = 0.5, *, other: tuple[float, float] | None = None,
                 model: str = "jager", contour: str = "sphere", slope: float = 0.0, exponent: float = 0.0,
                 tolerance: float = 0.0, dp_max: float = 0.0, kn: float = 0.0, kt: float = 0.0) -> None:
        self._values: dict[str, Any] = {
            "G": float(G), "nu": float(nu), "friction": float(friction), "other": other, "model": model,
            "contour": contour, "slope": float(slope), "exponent": float(exponent), "tolerance": float(tolerance),
            "dp_max": float(dp_max), "kn": float(kn), "kt": float(kt)}
        self._c = ffi.new("jager_law *", lib.jager_law_default())
        if other is None:
            check(lib.jager_law_set_bodies(self._c, G, nu))
        else:
            check(lib.jager_law_set_dissimilar_bodies(self._c, (G, nu), tuple(other)))
        check(lib.jager_law_set_friction(self._c, friction))
        check(lib.jager_law_set_model(self._c, _number(MODELS, model, "contact model")))
        check(lib.jager_law_set_contour(self._c, _number(CONTOURS, contour, "contour"), slope, exponent))
        check(lib.jager_law_set_tolerance(self._c, tolerance))
        check(lib.jager_law_set_dp_max(self._c, dp_max))
        check(lib.jager_law_set_linear(self._c, kn, kt))
        check(lib.jager_law_check(self._c))

    def replace(self, **changes: Any) -> Law:
        """The same law with other values: `law.replace(friction=0.3)`."""
        return Law(**{**self._values, **changes})

    G: float = _value("shear modulus of the first body, Pa")
    nu: float = _value("Poisson's ratio of the first body")
    friction: float = _value("friction coefficient")
    other: tuple[float, float] | None = _value("(G, nu) of the second body; None: as the first")
    model: str = _value("contact model")
    contour: str = _value("shape of the bodies")
    slope: float = _value("slope of a cone or power law")
    exponent: float = _value("exponent of a power law")
    tolerance: float = _value("tolerance of short histories; 0: exact")
    dp_max: float = _value("the paper's way to short histories; 0: exact")
    kn: float = _value("normal stiffness of the model linear, N/m; 0: derived")
    kt: float = _value("tangential stiffness of the model linear, N/m; 0: derived")

    @property
    def kappa(self) -> float:
        """(2 - nu)/(2 (1 - nu)) of one material: normal over tangential stiffness."""
        return float(self._c.kappa)

    @property
    def modulus(self) -> float:
        """8 G/(3 (1 - nu)) of one material, Pa."""
        return float(self._c.modulus)

    def __repr__(self) -> str:
        defaults = {"other": None, "model": "jager", "contour": "sphere"}
        shown = [f"{key}={value!r}" for key, value in self._values.items()
                 if key in ("G", "nu", "friction") or value != defaults.get(key, 0.0)]
        return f"jager.Law({', '.join(shown)})"

    def _bytes(self) -> bytes:
        return bytes(ffi.buffer(self._c))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Law) and self._bytes() == other._bytes()

    def __hash__(self) -> int:
        return hash(self._bytes())

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (self._values, self._bytes())


def _remake(values: dict[str, Any], of_c: bytes) -> Law:
    law = Law(**values)
    ffi.memmove(law._c, of_c, len(of_c))
    return law


def _number(names: tuple[str, ...], name: str, kind: str) -> int:
    if name not in names:
        raise JagerError(f"there is no {kind} {name!r}; there are {', '.join(names)}",
                         "JAGER_ERROR_MODEL" if names is MODELS else "JAGER_ERROR_CONTOUR")
    return names.index(name)


def law_from_c(c: Any) -> Law:
    """The law of a simulation, whose grains are all of one material."""
    kappa, modulus = c.kappa, c.modulus
    nu = (2.0 * kappa - 2.0) / (2.0 * kappa - 1.0)
    law = Law(3.0 * (1.0 - nu) * modulus / 8.0, nu, c.friction, model=MODELS[c.model], contour=CONTOURS[c.contour],
              slope=c.slope, exponent=c.exponent, tolerance=c.tolerance, dp_max=c.dp_max, kn=c.linear_kn,
              kt=c.linear_kt)
    law._c[0] = c  # the bits of the simulation's own
    return law
