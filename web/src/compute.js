// SPDX-License-Identifier: MIT
// What the engine answers to a snapshot: forces along the path under all laws that are shown, and the contact now.
import { shearUnit } from "./scale.js";
import { toArray } from "./state.js";

const FINE_STEP = 1 / 60; // of a unit of the pictures: longer movements are divided to draw their curves
const FINE_LIMIT = 6000; // movements that are drawn
const SLOW_BUDGET = 6; // ms: a law that takes longer is computed when the point rests

// The path in small movements with their times, which count movements; nodes: the small one that ends each movement.
function divide(points, law, scale) {
  const units = [scale, shearUnit(law, scale) || scale, shearUnit(law, scale) || scale];
  const sizes = points.map((point, i) => {
    const last = i > 0 ? points[i - 1] : [0, 0, 0];
    return Math.max(...point.map((value, k) => Math.abs(value - last[k]) / units[k]));
  });
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  const step = Math.max(FINE_STEP, whole / FINE_LIMIT);
  const path = [];
  const times = [];
  const nodes = new Int32Array(points.length);
  points.forEach((point, i) => {
    const last = i > 0 ? points[i - 1] : [0, 0, 0];
    const parts = Math.min(500, Math.max(1, Math.ceil(sizes[i] / step - 0.5)));
    for (let j = 1; j < parts; j += 1) {
      path.push(...point.map((value, k) => last[k] + (value - last[k]) * (j / parts)));
      times.push(i + j / parts);
    }
    path.push(...point);
    times.push(i + 1);
    nodes[i] = path.length / 3 - 1;
  });
  return { path: Float64Array.from(path), nodes, times };
}

// The same movements without shear: what pressing alone stores.
function pressingOnly(path) {
  const copy = path.slice();
  for (let i = 0; i < copy.length; i += 3) copy[i + 1] = copy[i + 2] = 0;
  return copy;
}

export function createComputer(engine, whenReady) {
  const slow = new Map(); // model -> ms of its last walk, per movement
  let cache = { points: null };
  let timer = 0;

  function walkGhost(model, law, path) {
    const start = performance.now();
    const walk = engine.walk(law, model, path);
    slow.set(model, (performance.now() - start) / Math.max(1, path.length / 3));
    return walk;
  }
  function walkPath(snapshot) {
    const { points, law, scale, tolerance } = snapshot;
    if (cache.points === points && cache.law === law && cache.tolerance === tolerance && cache.scale === scale) return;
    const real = toArray(points);
    const fine = divide(points, law, scale);
    const exact = engine.walk(law, "jager", real);
    cache = {
      points, law, scale, tolerance, real, fine, exact, ghosts: new Map(),
      short: engine.walk({ ...law, tolerance }, "jager", real),
      jager: fine.path.length === real.length ? exact : engine.walk(law, "jager", fine.path),
      pressing: engine.walk(law, "jager", pressingOnly(fine.path)).stored,
      reference: engine.inspect(law, Float64Array.of(scale, 0, 0), 1),
    };
  }
  function addGhosts(models, patient) {
    let waiting = false;
    for (const model of models) {
      if (cache.ghosts.has(model)) continue;
      const cost = (slow.get(model) ?? (model === "springs" ? 1 : 0)) * (cache.fine.path.length / 3);
      if (patient || cost < SLOW_BUDGET) cache.ghosts.set(model, walkGhost(model, cache.law, cache.fine.path));
      else waiting = true;
    }
    clearTimeout(timer);
    if (waiting) {
      timer = setTimeout(() => {
        addGhosts(models, true);
        whenReady();
      }, 120);
    }
  }
  return {
    update(snapshot) {
      walkPath(snapshot);
      addGhosts(snapshot.ghosts.filter((model) => engine.models.includes(model)), false);
      return { ...cache, at: snapshot.at, now: engine.inspect(snapshot.law, cache.real, snapshot.at) };
    },
  };
}

// The number of small movements up to the time that is looked at.
export function fineCount(answers) {
  return answers.at > 0 ? answers.fine.nodes[answers.at - 1] + 1 : 0;
}
