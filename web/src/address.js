// SPDX-License-Identifier: MIT
// The path in the address: #p=… and what differs from the defaults. A link gives the same path to the bit.
//
// p=g…  movements on the grid, as differences of whole numbers, in base 32 with a continuation bit (64 characters)
// p=x…  any numbers: the 64-bit floats in base64url
import { DEFAULT_LAW, DEFAULT_SCALE, DEFAULT_TOLERANCE, gridNumber, gridValue } from "./scale.js";
import { EMPTY, toArray, toPoints } from "./state.js";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const LAW_KEYS = { G: "shearModulus", nu: "poisson", f: "friction", R: "radius" };
const LIMIT = 60000; // characters of a path in an address

function writeNumber(n) {
  let rest = n < 0 ? -2 * n - 1 : 2 * n;
  let text = "";
  do {
    const low = rest % 32;
    rest = Math.floor(rest / 32);
    text += DIGITS[rest > 0 ? low + 32 : low];
  } while (rest > 0);
  return text;
}

function* readNumbers(text) {
  let value = 0;
  let place = 1;
  for (const character of text) {
    const digit = DIGITS.indexOf(character);
    if (digit < 0) throw new Error("The link holds a character that no path has.");
    value += (digit % 32) * place;
    place *= 32;
    if (digit < 32) {
      yield value % 2 === 1 ? -(value + 1) / 2 : value / 2;
      value = 0;
      place = 1;
    }
  }
  if (place !== 1) throw new Error("The link ends in the middle of a number.");
}

function writeGrid(points, scale) {
  const flat = points.every((point) => point[2] === 0);
  let text = flat ? "1" : "2";
  let last = [0, 0, 0];
  for (const point of points) {
    const next = point.map((value) => gridNumber(value, scale));
    if (point.some((value, i) => gridValue(next[i], scale) !== value)) return null;
    for (let i = 0; i < (flat ? 2 : 3); i += 1) text += writeNumber(next[i] - last[i]);
    last = next;
  }
  return `g${text}`;
}

function readGrid(text, scale) {
  const width = text[0] === "1" ? 2 : 3;
  const points = [];
  let last = [0, 0, 0];
  let part = [];
  for (const number of readNumbers(text.slice(1))) {
    part.push(number);
    if (part.length === width) {
      last = last.map((value, i) => value + (part[i] ?? 0));
      points.push(last.map((n) => gridValue(n, scale)));
      part = [];
    }
  }
  if (part.length > 0) throw new Error("The link ends in the middle of a movement.");
  return points;
}

function writeFloats(points) {
  const bytes = new Uint8Array(toArray(points).buffer);
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `x${btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;
}

function readFloats(text) {
  const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  if (bytes.length % 24 !== 0) throw new Error("The link ends in the middle of a movement.");
  const points = toPoints(new Float64Array(bytes.buffer));
  if (points.some((point) => !point.every(Number.isFinite))) throw new Error("The link holds a number that is none.");
  return points;
}

// The fragment of a snapshot, without '#'; null if the path is too long for an address.
// isStep: the snapshot has the path of its step of the story, which is then enough.
export function writeAddress(snapshot, isStep = false) {
  const { points, at, law, scale, tolerance, plane, step, ghosts } = snapshot;
  const parts = [];
  if (step !== null) parts.push(`step=${step + 1}`);
  for (const [key, name] of Object.entries(LAW_KEYS)) {
    if (law[name] !== DEFAULT_LAW[name]) parts.push(`${key}=${law[name]}`);
  }
  if (scale !== DEFAULT_SCALE) parts.push(`scale=${scale}`);
  if (tolerance !== DEFAULT_TOLERANCE) parts.push(`tol=${tolerance}`);
  if (plane && !isStep) parts.push("plane=1");
  if (at !== points.length && !isStep) parts.push(`at=${at}`);
  if (ghosts.length > 0 && !isStep) parts.push(`with=${ghosts.join()}`);
  if (points.length > 0 && !isStep) parts.push(`p=${writeGrid(points, scale) ?? writeFloats(points)}`);
  const text = parts.join("&");
  return text.length > LIMIT ? null : text;
}

function positive(fields, key, standard) {
  if (!fields.has(key)) return standard;
  const value = Number(fields.get(key));
  if (!(value >= 0 && Number.isFinite(value))) throw new Error(`The link has no number after ${key}=.`);
  return value;
}

// The snapshot of a fragment; null if it holds no path. A damaged one is an Error.
export function readAddress(fragment) {
  const fields = new Map(fragment.replace(/^#/, "").split("&").filter(Boolean).map((part) => {
    const cut = part.indexOf("=");
    return [part.slice(0, cut), part.slice(cut + 1)];
  }));
  if (!fields.has("p") && !fields.has("step")) return null;
  const law = { ...DEFAULT_LAW };
  for (const [key, name] of Object.entries(LAW_KEYS)) law[name] = positive(fields, key, law[name]);
  const scale = positive(fields, "scale", DEFAULT_SCALE);
  const path = fields.get("p") ?? "g1";
  const points = path[0] === "x" ? readFloats(path.slice(1)) : readGrid(path.slice(1), scale);
  const step = fields.has("step") ? positive(fields, "step", 1) - 1 : null;
  return {
    ...EMPTY, points, law, scale, step,
    at: Math.min(points.length, positive(fields, "at", points.length)),
    tolerance: positive(fields, "tol", DEFAULT_TOLERANCE),
    plane: fields.has("plane"),
    ghosts: (fields.get("with") ?? "").split(",").filter((name) => /^[a-z-]+$/.test(name)),
  };
}
