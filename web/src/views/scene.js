// SPDX-License-Identifier: MIT
// What all views draw: a snapshot, the engine's answers, and the units and ranges that the pictures share.
import { shearUnit } from "../scale.js";
import { fineCount } from "../compute.js";

const RANGES = [0.6, 1.2, 2.2, 4, 8, 16, 32, 64, 128];

function largest(values, unit) {
  let most = 0;
  for (const value of values) if (Math.abs(value) > most) most = Math.abs(value);
  return most / unit;
}

function range(value) {
  return RANGES.find((candidate) => candidate >= value) ?? value * 1.1;
}

function column(path, k) {
  const values = new Float64Array(path.length / 3);
  for (let i = 0; i < values.length; i += 1) values[i] = path[3 * i + k];
  return values;
}

// highlight: the point of the history that is looked at, or null
export function createScene(snapshot, answers, highlight) {
  const { fine, jager, reference, now } = answers;
  const unit = {
    zeta: snapshot.scale,
    xi: shearUnit(snapshot.law, snapshot.scale) || snapshot.scale,
    fn: reference.fn,
    ft: reference.fn * snapshot.law.friction || reference.fn,
    radius: reference.contactRadius,
    pressure: reference.normal[0],
  };
  const zeta = column(fine.path, 0);
  const xi = [column(fine.path, 1), column(fine.path, 2)];
  const shear = Math.max(largest(xi[0], unit.xi), largest(xi[1], unit.xi));
  const force = Math.max(largest(jager.ft1, unit.ft), largest(jager.ft2, unit.ft));
  const press = largest(zeta, unit.zeta);
  return {
    snapshot, answers, unit, ghosts: snapshot.ghosts.filter((model) => model in LAW_NAMES), zeta, xi, jager, now,
    highlight: highlight !== null && highlight < now.history.length && highlight > 0 ? highlight : null,
    count: fine.times.length,
    shown: fineCount(answers),
    range: {
      zeta: press <= 1.55 ? 1.6 : press * 1.08,
      xi: shear <= 1.95 ? 2 : shear * 1.08,
      loop: range(Math.max(0.7, shear)),
      fn: range(Math.max(1.2, largest(jager.fn, unit.fn))),
      ft: range(Math.max(0.7, force)),
      radius: Math.sqrt(Math.max(press, 1)) * 1.12,
    },
  };
}

// The names of laws that a reader meets.
export const LAW_NAMES = {
  jager: "Jäger: remembers all",
  "hertz-mindlin": "capped spring",
  linear: "linear spring",
  springs: "independent springs",
  "modified-mindlin": "one reversal",
  "zhang-vuquoc": "all reversals",
};
