// SPDX-License-Identifier: MIT
// Units of the pictures, and numbers as text.
//
// A path has a scale, an indentation zeta0. Pictures show zeta/zeta0, xi/(kappa f zeta0), forces over the Fn of zeta0.
// The point is moved on a grid of zeta0/1000, so that a short address holds a path to the bit.

export const DEFAULT_LAW = Object.freeze({
  shearModulus: 29e9, poisson: 0.15, friction: 0.5, radius: 1e-3, tolerance: 0,
});
export const DEFAULT_SCALE = 1e-7;
export const DEFAULT_TOLERANCE = 1e-3;
const GRID = 1000;

// Normal over tangential stiffness in full stick.
export function kappa(law) {
  return (2 - law.poisson) / (2 * (1 - law.poisson));
}

// The xi at which the contact begins to slide as a whole, at zeta0: the unit of sideways movements.
export function shearUnit(law, scale) {
  return kappa(law) * law.friction * scale;
}

// The length with the number n on the grid of this scale.
export function gridValue(n, scale) {
  return n / Math.round(GRID / scale);
}

export function gridNumber(length, scale) {
  return Math.round(length * Math.round(GRID / scale));
}

// The scale 1, 2 or 5 times a power of ten that suits a path with this largest zeta.
export function scaleFor(largest) {
  if (!(largest > 0)) return DEFAULT_SCALE;
  if (largest > 0.3 * DEFAULT_SCALE && largest <= 1.5 * DEFAULT_SCALE) return DEFAULT_SCALE;
  const power = 10 ** Math.floor(Math.log10(largest));
  const factor = [5, 2, 1].find((f) => f * power <= largest * 1.0000001) ?? 1;
  const scale = Number((factor * power).toPrecision(1));
  return Math.min(Math.max(scale, 1e-12), 1);
}

const PREFIXES = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"],
  [1e-15, "f"], [1e-18, "a"]];

// A value with an SI prefix, such as "90.98 mN".
export function withUnit(value, unit, digits = 4) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size === 0 || size < 1e-21) return `0 ${unit}`;
  const [factor, prefix] = PREFIXES.find(([f]) => size >= f * 0.9999999) ?? PREFIXES[PREFIXES.length - 1];
  return `${minus((value / factor).toPrecision(digits))} ${prefix}${unit}`;
}

// A number for a label, with a real minus sign.
export function plain(value, decimals = 2) {
  const text = value.toFixed(decimals);
  return minus(/^-0(\.0*)?$/.test(text) ? text.slice(1) : text);
}

function minus(text) {
  return text.replace("-", "−");
}
