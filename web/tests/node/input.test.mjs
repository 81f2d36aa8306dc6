// SPDX-License-Identifier: MIT
// Paths as CSV, wrong input, several engines, memory.
import assert from "node:assert/strict";
import test from "node:test";
import { assertSame, newEngine, quartz, randomNumbers, randomPath } from "./support.mjs";

const engine = await newEngine();

test("a path reads back to the bit", () => {
  const random = randomNumbers(6);
  const path = Float64Array.from({ length: 3000 }, () => (random() - 0.5) * 10 ** (600 * (random() - 0.5)));
  path.set([0, -0, 5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 1e21, -1e-7, 0.1, 4503599627370497.5]);
  path.forEach((value, i) => (path[i] = i % 3 ? value / 4 : value)); // differences of positions must not overflow
  const back = engine.parseCsv(engine.toCsv(path));
  assert.equal(back.length, path.length);
  path.forEach((value, i) => assert.ok(Object.is(back[i], value), `${back[i]} instead of ${value}`));
});

test("decimal fractions of any length are rounded as JavaScript does", () => {
  const random = randomNumbers(11);
  const digits = (count) => Array.from({ length: count }, () => Math.floor(10 * random())).join("");
  const texts = Array.from({ length: 2000 }, () =>
    `${digits(1 + 3 * random())}.${digits(1 + 40 * random())}e${Math.floor(600 * (random() - 0.5))}`);
  const read = engine.parseCsv(`zeta,xi1\n${texts.map((text) => `${text},0`).join("\n")}`);
  texts.forEach((text, i) => assert.equal(read[3 * i], Number(text), text));
});

test("changes, whole movements, comments and missing columns are read", () => {
  const read = (text) => Array.from(engine.parseCsv(text));
  const sums = [0.1, 0, 1, 0.1 + 0.2, 0.5, 1, 0, 0.5, 1]; // 0.1 + 0.2 - 0.3 = 0, as the program adds it up
  assert.deepEqual(read("dzeta,dxi1,dxi2\n0.1,0,1\n0.2,0.5,0\n-0.3,0,0\n"), sums);
  assert.deepEqual(read("overlap,shift1\r\n2,4\r\n\r\n# a remark\r\n6,8"), [1, 2, 0, 3, 4, 0]);
  assert.deepEqual(read("xi1,zeta\n1,2\n"), [2, 1, 0]);
  assert.deepEqual(read("zeta,xi1,xi2\n"), []);
});

test("wrong texts are errors that tell the place", () => {
  const fails = (text, message) => assert.throws(() => engine.parseCsv(text), { message });
  fails("", /^path\.csv:1:1: the file ends before a header/);
  fails("zeta,xi1\n1,2\n3\n", /^path\.csv:3:2: too few fields/);
  fails("zeta,xi1\n1,2x\n", /^path\.csv:2:4: unexpected 'x'/);
  fails("fn,ft1\n1,2\n", /needs --control force/);
  fails("zeta,xi1\n1,1e999\n", /too large/);
  fails(`zeta,xi1\n${" ".repeat(5000)}`, /line is too long/);
});

test("wrong laws, models and paths are errors with the library's text", () => {
  const path = Float64Array.of(1e-7, 0, 0, 1e-7, 1e-8, 0);
  const walk = (change, model = "jager", along = path) => () => engine.walk({ ...quartz, ...change }, model, along);
  assert.throws(walk({ poisson: 2 }), { message: "Poisson's ratio must lie in (-1, 0.5]" });
  assert.throws(walk({ friction: -1 }), /friction coefficient/);
  assert.throws(walk({ radius: 0 }), /radius must be positive/);
  assert.throws(walk({ shearModulus: NaN }), /shear modulus/);
  assert.throws(walk({ tolerance: 2 }), /tolerance/);
  assert.throws(walk({ radius: "1" }), TypeError);
  assert.throws(walk({ springs: 1 }, "springs"), /too small/);
  assert.throws(walk({}, "rubber"), /unknown contact model 'rubber'/);
  assert.throws(walk({}, "jager", Float64Array.of(1e-7, 0, 0, NaN, 0, 0)), /NaN or infinite \(movement 2\)/);
  assert.throws(walk({}, "springs", Float64Array.of(1e-7, Infinity, 0)), /NaN or infinite \(movement 1\)/);
  assert.throws(walk({}, "jager", Float64Array.of(1e99, 0, 0)), /too large/);
  assert.throws(walk({}, "jager", [1, 2, 3]), TypeError);
  assert.throws(walk({}, "jager", Float64Array.of(1, 2)), TypeError);
  assert.throws(() => engine.inspect(quartz, path, 3), RangeError);
  assert.throws(() => engine.inspect({ ...quartz, poisson: 2 }, path, 1), /Poisson/);
  assert.throws(() => engine.tractions(quartz, path, 2, Float64Array.of(-1)), /radius/);
});

test("an empty path is a contact that does not touch", () => {
  assert.equal(engine.walk(quartz, "jager", new Float64Array(0)).fn.length, 0);
  const { state, history, contactRadius, fn } = engine.inspect(quartz, new Float64Array(0), 0);
  assert.deepEqual([state, history.length, contactRadius, fn], ["apart", 1, 0, 0]);
});

test("engines do not disturb each other, nor do errors", async () => {
  const other = await newEngine();
  const path = randomPath(7, 200, false);
  const before = engine.walk(quartz, "jager", path);
  assert.throws(() => engine.walk(quartz, "jager", Float64Array.of(NaN, 0, 0)));
  other.walk({ ...quartz, friction: 0.1 }, "jager", randomPath(8, 200, false));
  for (const one of [engine, other]) assertSame(one.walk(quartz, "jager", path).ft2, before.ft2, "ft2");
});

test("memory does not grow over 10,000 walks", () => {
  const path = randomPath(9, 60, false);
  const once = (i) => {
    engine.walk(quartz, engine.models[i % 5], path);
    if (i % 50 === 0) engine.inspect(quartz, path, 60);
    if (i % 100 === 0) assert.throws(() => engine.walk(quartz, "jager", Float64Array.of(1e-7, 0, 0, NaN, 0, 0)));
    if (i % 500 === 0) engine.parseCsv(engine.toCsv(path));
  };
  for (let i = 0; i < 100; i++) once(i);
  const before = engine.memoryBytes();
  for (let i = 0; i < 10000; i++) once(i);
  assert.equal(engine.memoryBytes(), before);
});
