// SPDX-License-Identifier: MIT
// How long things take, printed and not judged. Time of the processor, which others on the machine disturb less.
import test from "node:test";
import { newEngine, quartz, randomPath } from "./support.mjs";

const MOVEMENTS = 2000;
const engine = await newEngine();

function seconds(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

test("times of a contact", (t) => {
  const path = randomPath(10, MOVEMENTS, false);
  for (const model of engine.models) {
    const springs = 100;
    const repetitions = model === "springs" ? 1 : 20;
    const times = [true, false].map((energies) => {
      const once = () => engine.walk({ ...quartz, springs }, model, path, { energies });
      once();
      return seconds(() => {
        for (let i = 0; i < repetitions; i++) once();
      });
    });
    const [withEnergies, without] = times.map((time) => ((time / repetitions / MOVEMENTS) * 1e9).toFixed(0));
    const remark = model === "springs" ? ` with ${springs} springs` : "";
    t.diagnostic(`${model}${remark}: ${withEnergies} ns a movement, ${without} ns without energies`);
  }
  const ramp = Float64Array.from({ length: 600 }, (_, i) => [1e-9 * (i / 3 + 1), 2e-15 * i ** 2, 0][i % 3]);
  const points = engine.inspect(quartz, ramp, 200).history.length;
  const time = seconds(() => {
    for (let i = 0; i < 50; i++) engine.inspect(quartz, ramp, 200);
  });
  t.diagnostic(`inspect, ${points} points of history: ${((time / 50) * 1e3).toFixed(2)} ms`);
});

test("times of an assembly", (t) => {
  for (const model of ["jager", "hertz-mindlin"]) {
    const a = engine.assembly({ spheres: 150, model, pressure: 1e6, restSteps: 100 });
    const packing = seconds(() => a.step(1e6));
    const packed = a.glance().step;
    a.shear({ amplitude: 1e-3 });
    a.step(200);
    const shear = seconds(() => a.step(1000));
    const looks = seconds(() => {
      for (let i = 0; i < 100; i++) a.state();
    });
    t.diagnostic(`${model}, 150 spheres: ${(1000 / shear).toFixed(0)} steps a second, packing ${packed} steps in ` +
      `${packing.toFixed(2)} s, state() ${(looks * 10).toFixed(2)} ms`);
    a.free();
  }
});
