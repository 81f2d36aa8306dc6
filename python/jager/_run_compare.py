# SPDX-License-Identifier: MIT
"""Which runs are of one case, and in which keys of their cases others differ."""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ._errors import JagerError, RunError
from ._run_files import read_checkpoint_texts
from ._runs import Run

Keys = Mapping[str, str]

SEED = "seed"
_DIRECTORY = "directory"
_TEXT = "case text"
_DIFFERENCES_MAX = 4  # more make no readable label
_WORDS = {"csr": "CSR", "model": "", "directory": ""}
_OF_ONE_MODEL = {"contact.tolerance": "jager", "contact.dp_max": "jager", "contact.linear.kn": "linear",
                 "contact.linear.kt": "linear"}
_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))


def _origin_keys(run: Run, keys: dict[str, str]) -> dict[str, str]:
    """Adds the keys of the checkpoint that a run starts from, if it is there; keys of its stages become `before.…`."""
    place = keys.get("assembly.checkpoint")
    if place is None or not (run.path / place).is_file():
        return keys
    try:
        text = read_checkpoint_texts(run.path / place, ("case.keys",))["case.keys"]
    except RunError:
        return keys
    origin = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
    kept = {key: value for key, value in keys.items() if key != "assembly.checkpoint"}
    return {**{("before." if key.startswith("stages.") else "") + key: value for key, value in origin.items()}, **kept}


def _text_keys(text: str) -> dict[str, str]:
    """The keys of a case text without parsing it: its settings, its seed, and the rest as one value."""
    settings = dict(re.findall(r"^# --set ([^=\n]+)=(.*)$", text, re.MULTILINE))
    body = re.sub(r"^(seed|title):.*$|#.*$", "", text, flags=re.MULTILINE)
    seed = re.search(r"^seed: *(\d+)", text, re.MULTILINE)
    return {SEED: seed[1] if seed else "1", _TEXT: " ".join(body.split()), **settings}


def keys_of(run: Run) -> dict[str, str]:
    """The keys by which a run is compared with others: all keys of its case, or as many as are known."""
    try:
        return _origin_keys(run, run.case_keys)
    except RunError:
        pass
    try:
        return _text_keys(run.case_text)
    except JagerError:
        return {_DIRECTORY: str(run.path)}


def without_seed(keys: Keys) -> frozenset[tuple[str, str]]:
    """Equal for runs of one case that differ only in `seed`."""
    return frozenset((key, value) for key, value in keys.items() if key != SEED)


# ---- Labels ----------------------------------------------------------------------------------------------------------

def _differing(cases: Sequence[Keys]) -> list[str]:
    """The keys, other than the seed, whose values are not the same in all cases, in the order of the cases."""
    ordered = dict.fromkeys(key for keys in cases for key in keys if key != SEED)
    different = [key for key in ordered if len({keys.get(key) for keys in cases}) > 1]

    def counts(key: str) -> bool:  # a key of one model matters only where that model is used several times
        users = [keys for keys in cases if keys.get("contact.model") == _OF_ONE_MODEL.get(key)]
        return key not in _OF_ONE_MODEL or len({keys.get(key) for keys in users}) > 1

    return [key for key in different if counts(key)]


def _short_names(keys: Sequence[str]) -> dict[str, str]:
    """The last part of each key, with parts before it where that is needed to tell keys apart."""
    parts = {key: [part for part in key.split(".") if not part.isdigit() and part not in ("stages", "control")]
             for key in keys}
    names: dict[str, str] = {}
    for key in keys:
        rivals = [other for other in keys if parts[other] != parts[key]]
        size = 1
        while size < len(parts[key]) and any(parts[other][-size:] == parts[key][-size:] for other in rivals):
            size += 1
        words = [_WORDS.get(part, part.replace("_", " ")) for part in parts[key][-size:]]
        names[key] = " ".join(word for word in words if word)
    return names


def _unit(key: str) -> str:
    last = key.rsplit(".", 1)[-1]
    if last in ("pressure", "stress", "shear_modulus", "p", "q") or last.startswith("stress_"):
        return "Pa"
    if ".sizes." in key and last in ("min", "max", "median"):
        return "m"
    return {"density": "kg/m³", "kn": "N/m", "kt": "N/m"}.get(last, "")


def value_text(key: str, value: str) -> str:
    """A value of a case with its unit, such as `100 kPa` for `100000` of `assembly.packing.pressure`."""
    try:
        number = float(value)
    except ValueError:
        return Path(value).name if key == _DIRECTORY else value
    unit = _unit(key)
    if unit == "Pa":
        factor, prefix = next((row for row in _PREFIXES if abs(number) >= row[0]), (1.0, ""))
        return f"{number / factor:g} {prefix}Pa"
    if unit == "m":
        return f"{1e3 * number:g} mm"
    return f"{number:g} {unit}".rstrip()


def _label(keys: Keys, differing: Sequence[str], names: Mapping[str, str]) -> str:
    texts = (f"{names[key]} {value_text(key, keys[key])}".strip() for key in differing if key in keys)
    return ", ".join(dict.fromkeys(texts))


def labels_of(cases: Sequence[Keys], fallbacks: Sequence[str]) -> list[str]:
    """A label for each case that says in which keys it differs from the others, such as `friction 0.3`.

    Args:
        cases: keys of different cases.
        fallbacks: labels if the cases differ in too many keys, or in texts that cannot be compared. They are appended
            to labels that would not tell the cases apart.
    """
    differing = _differing(cases)
    names = _short_names(differing)
    labels = [_label(keys, differing, names) for keys in cases]
    if _TEXT in differing or any(label.count(", ") >= _DIFFERENCES_MAX for label in labels):
        labels = ["" for _ in cases]
    if len(set(labels)) < len(labels) or "" in labels:
        labels = [f"{label}, {other}" if label else other for label, other in zip(labels, fallbacks)]
    return labels
