// SPDX-License-Identifier: MIT
// The assembly against `jager run`, to the bit, and its other functions.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { columns, inScratch, newEngine, runProgram } from "./support.mjs";

const engine = await newEngine();
const stress = "{xx: {stress: 1 MPa}, yy: {stress: 1 MPa}, zz: {stress: 1 MPa}";
const small = { spheres: 60, seed: 7, pressure: 1e6, restSteps: 300 };

function caseText(model, tolerance) {
  return `jager: 1
seed: ${small.seed}
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
contact: {model: ${model}, tolerance: ${tolerance}}
assembly:
  packing: {spheres: ${small.spheres}, sizes: {uniform: {min: 0.8 mm, max: 1.2 mm}}, pressure: 1 MPa, friction: 0.1}
output: {plots: false, series: 100}
stages:
  - {name: rest, control: ${stress}}, stop_spheres: true, until: {unbalanced: 1e-4, steps: 300}}
  - name: cycles
    control: ${stress}}
    cyclic: {paths: {xz: {gamma: 2e-4}}, steps_per_cycle: 400}
    inertial_number: 1e-3
    until: {cycles: 3}
  - name: undrained
    control: {xx: {strain_rate: 0}, yy: {strain_rate: 0}, zz: {strain_rate: 0}, xz: {strain_step: 1e-6}}
    until: {steps: 250}
`;
}

/** Hash, last row of series.csv and cycles of the native run. */
function nativeRun(model, tolerance) {
  return inScratch((directory) => {
    writeFileSync(join(directory, "case.yaml"), caseText(model, tolerance));
    const told = runProgram(["run", "case.yaml", "-q", "--threads", "1", "-o", "out"], directory);
    const read = (name) => columns(readFileSync(join(directory, "out", name), "utf8"));
    const [series, cycles] = [read("series.csv"), read("cycles.csv")];
    const last = Object.fromEntries(Object.entries(series).map(([name, values]) => [name, values.at(-1)]));
    return { hash: /^hash ([0-9a-f]+)$/m.exec(told)[1], last, cycles };
  });
}

for (const [model, tolerance] of [["jager", 1e-3], ["jager", 0], ["hertz-mindlin", 0]])
  test(`${model}, tolerance ${tolerance}: the bits of the program`, () => {
    const expected = nativeRun(model, tolerance);
    const a = engine.assembly({ ...small, model, tolerance });
    a.shear({ amplitude: 2e-4, cycles: 3, stepsPerCycle: 400, inertialNumber: 1e-3 });
    while (a.step(97) === 97);
    assert.equal(a.state().phase, "waiting");
    a.shear({ rate: 2e-6, constantVolume: true });
    assert.equal(a.step(250), 250);
    const { step, phase, measures, gamma, tau } = a.state();
    assert.deepEqual([gamma, tau], [2 * measures.strain_xz, measures.stress_xz]);
    assert.deepEqual([a.hash(), step, phase], [expected.hash, expected.last.step, "shear"]);
    for (const [name, value] of Object.entries(expected.last))
      assert.ok(measures[name] === value, `${name}: ${measures[name]} instead of ${value}`);
    assert.equal(a.cycles().length, 3);
    assert.ok(a.cycles()[2].damping_ratio > 0);
    for (const name of ["shear_modulus", "damping_ratio", "damping_ratio_friction", "step"])
      assert.deepEqual(a.cycles().map((cycle) => cycle[name]), expected.cycles[name], name);
    a.free();
  });

test("spheres and contacts balance: their stress is the measured one", () => {
  const a = engine.assembly({ ...small, friction: 0 });
  a.step(1e6);
  const { cell, measures, pressure, progress } = a.state();
  const [spheres, contacts, branches] = [a.spheres(), a.contacts(), a.branches()];
  assert.deepEqual([spheres.length, progress], [4 * small.spheres, 1]);
  assert.deepEqual([contacts.length / 5, branches.length / 3], [measures.contacts, measures.contacts]);
  const volume = cell[0] * cell[4] * cell[8];
  let virial = 0;
  for (let i = 0; i < contacts.length / 5; i++) {
    const [first, second, fn, ft, slides] = contacts.subarray(5 * i, 5 * i + 5);
    const length = Math.hypot(...branches.subarray(3 * i, 3 * i + 3));
    assert.ok(first !== second && [first, second].every((k) => Number.isInteger(k) && k >= 0 && k < small.spheres));
    assert.ok(length < spheres[4 * first + 3] + spheres[4 * second + 3], "they touch");
    assert.ok(fn > 0 && ft === 0 && slides === 1, "without friction all slide");
    virial += fn * length;
  }
  assert.ok(Math.abs(virial / 3 / volume / pressure - 1) < 0.01 && pressure === measures.p);
  const solid = spheres.reduce((sum, value, k) => sum + (k % 4 === 3 ? (4 / 3) * Math.PI * value ** 3 : 0), 0);
  assert.ok(Math.abs((volume - solid) / solid / measures.voidRatio - 1) < 1e-12);
  a.free();
});

test("the loading can be changed at any time", () => {
  const a = engine.assembly(small);
  assert.equal(a.glance().phase, "packing");
  a.shear({ amplitude: 0.1 });
  a.shear({ amplitude: 1e-4, stepsPerCycle: 100, inertialNumber: 0 }); // takes the place of the first
  while (a.glance().phase !== "shear") a.step(50);
  for (let i = 0; i < 70; i++) { // more often than a case has stages
    a.shear({ amplitude: 1e-5 * (i + 1), stepsPerCycle: 20, inertialNumber: 0 });
    a.step(130);
    assert.equal(a.glance().phase, "shear");
  }
  const amplitudes = a.cycles().map((cycle) => cycle.strain_amplitude).filter(Number.isFinite);
  assert.ok(Math.max(...amplitudes) < 8e-4 && Math.max(...amplitudes) > 6e-4, String(Math.max(...amplitudes)));
  a.shear({ rate: 1e-6, atOnce: true });
  a.step(1);
  const before = a.glance();
  a.step(100);
  assert.ok(Math.abs(a.glance().gamma - before.gamma - 1e-4) < 1e-12);
  a.free();
});

test("wrong options are errors, and assemblies leave no memory behind", () => {
  const make = (options) => () => engine.assembly({ ...small, ...options });
  assert.throws(make({ spheres: 3 }), /number of spheres/);
  assert.throws(make({ spheres: undefined }), TypeError);
  assert.throws(make({ pressure: 0 }), /pressure must be positive/);
  assert.throws(make({ friction: -1 }), /friction coefficient/);
  assert.throws(make({ model: "springs" }), /springs/);
  assert.throws(make({ colour: 1 }), /unknown option colour/);
  assert.throws(make({ diameters: [1e-3] }), TypeError);
  const a = engine.assembly(small);
  assert.throws(() => a.shear({ amplitude: 7 }), /amplitude must lie/);
  assert.throws(() => a.shear({ amplitude: "1" }), TypeError);
  assert.equal(a.step(10), 10);
  a.free();
  a.free();
  assert.throws(() => a.step(1), /was freed/);
  const once = () => {
    const b = engine.assembly(small);
    b.step(20);
    b.spheres();
    b.state();
    b.free();
    assert.throws(make({ friction: -1 }));
  };
  once();
  const bytes = engine.memoryBytes();
  for (let i = 0; i < 50; i++) once();
  assert.equal(engine.memoryBytes(), bytes);
});
