#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the table `references` of test_power.c: x^(1 + 1/α), x^(1/α) and x^(α/(α + 1)), computed with 60 digits, each
as the nearest double and what it lacks."""
from decimal import Decimal, getcontext

getcontext().prec = 60
ROWS = (("0x1p-1074", 1.1), ("0x1p-1074", 100.0), ("0x1.8p-1030", 3.0), ("0x1.2345678p-540", 1.0),
        ("0x1.2345678p-540", 4.7), ("0x1.0000000000001p-199", 1.5), ("0x1.ad7f29abcaf48p-24", 1.1),
        ("0x1.ad7f29abcaf48p-24", 1.5), ("0x1.ad7f29abcaf48p-24", 2.0), ("0x1.6a09e667f3bcbp-1", 1.5),
        ("0x1.6a09e667f3bcep-1", 1.5), ("0x1.fffffffffffffp-1", 1.1), ("0x1.0000000000001p+0", 1.1),
        ("0x1.6a09e667f3bcdp+0", 3.0), ("0x1.921fb54442d18p+1", 1.7), ("0x1.921fb54442d18p+1", 100.0),
        ("0x1.7p+199", 1.3), ("0x1.fffffffffffffp+511", 1.0), ("0x1.fffffffffffffp+1023", 4.7))


def pair(power):
    high = float(power) if power < Decimal("1.797693134862315807e308") else float("inf")
    if high == float("inf"):
        return "{INFINITY, 0.0}"
    return f"{{{high.hex()}, {float(power - Decimal(high)).hex()}}}"


for number, alpha in ROWS:
    x, a = Decimal(float.fromhex(number)), Decimal(alpha)
    print(f"    {{{number}, {alpha!r}, {{"
          + ", ".join(pair((y * x.ln()).exp()) for y in (1 + 1 / a, 1 / a, a / (a + 1))) + "}},")
