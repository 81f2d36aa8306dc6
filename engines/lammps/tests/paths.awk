# SPDX-License-Identifier: MIT
# Prints one of the paths (a)-(f), on which other codes have been measured, as zeta,xi1 for `jager contact`. Each leg
# has `steps` steps. R = 1 mm, G = 29 GPa, nu = 0.15, f = 0.5, overlap 2 zeta = 1e-4 R.
#     awk -v path=a -v steps=1000 -f paths.awk

# The displacement xi at which Ft = t f Fn, at constant Fn, in units of the displacement of gross sliding: on first
# loading, and after a reversal at Ft = t0 f Fn
function loaded(t) { return 1 - ((1 - t) ^ 2) ^ (1 / 3) }
function unloaded(t0, t) { return 2 * ((1 - (t0 - t) / 2) ^ 2) ^ (1 / 3) - ((1 - t0) ^ 2) ^ (1 / 3) - 1 }

function leg(zeta1, xi1, k) {
  for (k = 1; k <= steps; k++)
    printf "%.17g,%.17g\n", zeta_unit * (zeta + (zeta1 - zeta) * k / steps), xi_unit * (xi + (xi1 - xi) * k / steps)
  zeta = zeta1
  xi = xi1
}

BEGIN {
  zeta_unit = 0.5e-7
  xi_unit = (2 - 0.15) / (2 * (1 - 0.15)) * 0.5 * zeta_unit
  print "zeta,xi1"
  leg(1, 0)
  if (path == "a") { leg(1, loaded(0.9)); leg(1, unloaded(0.9, -0.9)); leg(1, loaded(0.9)) }
  if (path == "b") { leg(1.5, 0.9); leg(1.1, 0.2); leg(1.6, 1.1); leg(1.0, 0.1) }
  if (path == "c") { leg(1, loaded(0.6)); leg(1.6, loaded(0.6)); leg(1.6, 1.2); leg(1.6, -0.6) }
  if (path == "d") { leg(1, loaded(0.6)); for (i = 0; i < 2; i++) { leg(1.5, xi); leg(0.7, xi) }; leg(1, xi) }
  if (path == "e") { leg(1, loaded(0.5)); leg(1, unloaded(0.5, -0.5)); leg(1, loaded(0.5)) }
  if (path == "f") { leg(1, 0.8); leg(1, -0.4); leg(1, 0.5); leg(1, -0.1); leg(1, 0.3); leg(1, 0.05); leg(1, 0.9) }
}
