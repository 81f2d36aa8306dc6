// SPDX-License-Identifier: MIT
// What the tests share: engines, the native program, random paths, comparison to the bit.
//     JAGER_WEB      the directory with jager.wasm; build/web unless given
//     JAGER_PROGRAM  the program jager
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createEngine } from "../../src/engine.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const modules = process.env.JAGER_WEB ?? join(root, "build", "web");
const program = process.env.JAGER_PROGRAM ?? join(root, "build", "src", "cli", "jager");

export const quartz = { shearModulus: 29e9, poisson: 0.15, friction: 0.5, radius: 1e-3, tolerance: 0 };

export function moduleBytes(name = "jager.wasm") {
  return readFileSync(join(modules, name));
}

export function newEngine() {
  return createEngine(moduleBytes());
}

/** Calls work(directory) with a directory that is removed afterwards. */
export function inScratch(work) {
  const directory = mkdtempSync(join(tmpdir(), "jager-web-"));
  try {
    return work(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The standard output of the program. */
export function runProgram(words, directory) {
  return execFileSync(program, words, { cwd: directory, encoding: "utf8", maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "pipe"] });
}

/** The columns of a CSV text by name: numbers where they are numbers, else texts. */
export function columns(text) {
  const rows = text.split("\n").filter((line) => line && !line.startsWith("#")).map((line) => line.split(","));
  const names = rows.shift();
  const convert = (field) => (field === "nan" ? NaN : Number.isNaN(Number(field)) ? field : Number(field));
  return Object.fromEntries(names.map((name, k) => [name, rows.map((row) => convert(row[k]))]));
}

/** `jager contact` along a path of engine.js: its columns, its history and its tractions. */
export function nativeContact(engine, law, model, path) {
  return inScratch((directory) => {
    writeFileSync(join(directory, "path.csv"), engine.toCsv(path));
    const words = ["contact", `--model=${model}`, `--shear-modulus=${law.shearModulus}`, `--poisson=${law.poisson}`,
      `--friction=${law.friction}`, `--radius=${law.radius}`, "path.csv"];
    if (model === "jager")
      words.push(`--tolerance=${law.tolerance}`, "--history=history.csv", "--tractions=tractions.csv");
    const read = (name) => columns(readFileSync(join(directory, name), "utf8"));
    const results = columns(runProgram(words, directory));
    return model === "jager" ? { ...results, history: read("history.csv"), tractions: read("tractions.csv") } : results;
  });
}

/** Random numbers in [0, 1), the same ones on every machine. */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let z = Math.imul(state ^ (state >>> 15), state | 1);
    z = (z + Math.imul(z ^ (z >>> 7), z | 61)) ^ z;
    return ((z ^ (z >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Press, shear, reverse, slide and separate at random; collinear: ξ2 = 0. The lengths suit spheres of 1 mm. */
export function randomPath(seed, movements, isCollinear) {
  const random = randomNumbers(seed);
  const path = new Float64Array(3 * movements);
  const at = [0, 0, 0];
  for (let i = 0; i < movements; i++) {
    const size = 10 ** (-3 * random());
    at[0] += size * 4e-8 * (random() - 0.5) + 0.02 * (1e-7 - at[0]);
    if (random() < 0.01) at[0] = -1e-8 * random();
    for (const k of [1, 2]) if (k === 1 || !isCollinear) at[k] += size * 6e-8 * (random() - 0.5);
    path.set(at, 3 * i);
  }
  return path;
}

/** Equal to the bit, but for the sign of zero. */
export function assertSame(got, expected, what) {
  assert.equal(got.length, expected.length, `${what}: the number of values`);
  for (let i = 0; i < got.length; i++)
    if (!(got[i] === expected[i] || (Number.isNaN(got[i]) && Number.isNaN(expected[i]))))
      assert.fail(`${what}, value ${i}: ${got[i]} instead of ${expected[i]}`);
}
