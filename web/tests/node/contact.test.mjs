// SPDX-License-Identifier: MIT
// One contact against `jager contact`, to the bit: forces, energies, history, tractions.
import assert from "node:assert/strict";
import test from "node:test";
import { assertSame, nativeContact, newEngine, quartz, randomPath } from "./support.mjs";

const engine = await newEngine();

test("the program has the same laws", () => {
  assert.deepEqual([...engine.models].sort(),
    ["hertz-mindlin", "jager", "linear", "modified-mindlin", "springs", "zhang-vuquoc"]);
});

for (const [kind, seed, isCollinear] of [["collinear", 1, true], ["planar", 2, false]])
  for (const model of engine.models)
    test(`${model}, ${kind} movements: the bits of the program`, () => {
      const path = randomPath(seed, 400, isCollinear);
      const got = engine.walk(quartz, model, path);
      const expected = nativeContact(engine, quartz, model, path);
      const quick = engine.walk(quartz, model, path, { energies: false });
      for (const name of ["fn", "ft1", "ft2", "stored", "dissipated"]) assertSame(got[name], expected[name], name);
      for (const name of ["fn", "ft1", "ft2", "length", "state"]) assertSame(quick[name], got[name], name);
      assert.ok(quick.stored.every(Number.isNaN) && quick.dissipated.every(Number.isNaN));
      assert.deepEqual(Array.from(got.state, (state) => engine.states[state]), expected.state);
      if (model === "jager") assertSame(got.length, expected.length, "length");
      else assert.ok(got.length.every((length) => length === 0) && got.bound.every((bound) => bound === 0));
      assert.ok(new Set(expected.state).size >= 3, "the path shows most states");
    });

test("a tolerance shortens the history, within its bound", () => {
  const path = randomPath(3, 400, true);
  const law = { ...quartz, tolerance: 1e-3 };
  const [got, exact] = [engine.walk(law, "jager", path), engine.walk(quartz, "jager", path)];
  const expected = nativeContact(engine, law, "jager", path);
  for (const name of ["fn", "ft1", "ft2", "length"]) assertSame(got[name], expected[name], name);
  assert.ok(got.bound.some((bound) => bound > 0) && exact.bound.every((bound) => bound === 0));
  for (let i = 0; i < got.fn.length; i++) {
    assert.ok(got.bound[i] <= law.tolerance * law.friction * got.fn[i] * (1 + 1e-5));
    assert.ok(Math.abs(got.ft1[i] - exact.ft1[i]) <= got.bound[i] + 1e-14 * got.fn[i]);
  }
});

/** ∫ value 2πr dr, with values that are linear in r between the radii. */
function integral(radii, values) {
  let sum = 0;
  for (let i = 1; i < radii.length; i++) {
    const [a, b, u, v] = [radii[i - 1], radii[i], values[i - 1], values[i]];
    sum += ((b - a) * (u * (2 * a + b) + v * (a + 2 * b))) / 6;
  }
  return 2 * Math.PI * sum;
}

for (const [kind, seed, isCollinear] of [["collinear", 4, true], ["planar", 5, false]])
  test(`the inside of a contact after ${kind} movements`, () => {
    const path = randomPath(seed, 300, isCollinear);
    const { history, tractions, ...expected } = nativeContact(engine, quartz, "jager", path);
    const all = engine.walk(quartz, "jager", path);
    for (const count of [0, 1, 7, 50, 120, 300]) {
      const got = engine.inspect(quartz, path, count);
      const rows = history.step.flatMap((step, k) => (step === count ? [k] : []));
      if (count > 0) {
        assertSame(got.history.map((point) => point.zeta), rows.map((k) => history.zeta[k]), "zeta of the history");
        assertSame(got.history.map((point) => point.fn), rows.map((k) => history.fn[k]), "fn of the history");
        assert.equal(got.state, expected.state[count - 1]);
      }
      const [fn, ft1, ft2] = ["fn", "ft1", "ft2"].map((name) => (count > 0 ? all[name][count - 1] : 0));
      assertSame([got.fn, got.ft1, got.ft2], [fn, ft1, ft2], "forces");
      checkInside(got, fn);
    }
    const { normal, shear1, shear2 } = engine.tractions(quartz, path, 300, Float64Array.from(tractions.r));
    assertSame(normal, tractions.pressure, "pressure");
    assertSame(shear1, tractions.shear1, "shear1");
    assertSame(shear2, tractions.shear2, "shear2");
  });

/** The end of the history and the sums over the contact area are the present forces. */
function checkInside(got, fn) {
  const last = got.history.at(-1);
  const near = (a, b, error) => assert.ok(Math.abs(a - b) <= error * Math.max(fn, 1e-300), `${a} instead of ${b}`);
  assertSame([last.fn, last.ft1, last.ft2], [got.fn, got.ft1, got.ft2], "end of the history");
  near(integral(got.radii, got.normal), got.fn, 1e-3);
  near(integral(got.radii, got.shear1), got.ft1, 1e-3);
  near(integral(got.radii, got.shear2), got.ft2, 1e-3);
  assert.equal(got.radii[0], 0);
  assert.equal(got.radii.at(-1), got.contactRadius);
  assert.ok(got.stuckRadius <= got.contactRadius * (1 + 1e-12));
  assert.ok(got.radii.every((radius, k) => k === 0 || radius > got.radii[k - 1]));
  if (fn === 0) return;
  assert.ok(got.radii.length > 200);
  assert.ok(Math.abs(last.radius - got.contactRadius) <= 1e-15 * last.radius);
  let sum = [0, 0];
  got.history.slice(0, -1).forEach((point) => (sum = [point.ft1, point.ft2]));
  assert.ok(Math.hypot(last.ft1 - sum[0], last.ft2 - sum[1]) <= 0.5 * (last.fn - got.history.at(-2).fn) * (1 + 1e-9));
}
