// SPDX-License-Identifier: MIT
// The worker of the assembly: two boxes of the same grains under two laws, stepped in turn. engine.js stands before it.
//
// Messages in: {type: "start", wasm, options, amplitude, shown}, {type: "amplitude", amplitude}, {type: "show", shown},
// {type: "run", running}. Out: {type: "frame", ...} some times a second, {type: "error", text}.
import { createEngine } from "./engine.js";

const LAWS = ["jager", "hertz-mindlin"];
const SLICE = 12; // ms of steps for one box in a turn
const FRAME = 66; // ms between messages
const STEPS_PER_CYCLE = 2000;
const SAMPLE = 20; // steps between points of a loop

const boxes = new Map(); // law -> {assembly, loop, done}
let shown = "jager";
let running = false; // asked for
let turning = false; // a turn is under way or will come
let amplitude = 1e-4;
let lastFrame = 0;

function shear(box) {
  box.assembly.shear({ amplitude, stepsPerCycle: STEPS_PER_CYCLE, inertialNumber: 0, atOnce: true });
}

function stepBox(box) {
  const end = performance.now() + SLICE;
  do {
    box.assembly.step(SAMPLE);
    const now = box.assembly.glance();
    if (now.phase === "waiting") {
      shear(box);
    } else if (now.phase === "shear") {
      box.loop.push(now.gamma, now.tau);
    }
    box.now = now;
  } while (performance.now() < end);
}

function picture(box) {
  const { assembly } = box;
  return { spheres: assembly.spheres(), contacts: assembly.contacts(), branches: assembly.branches() };
}

function frame() {
  const laws = {};
  for (const [law, box] of boxes) {
    laws[law] = { now: box.now, loop: Float64Array.from(box.loop), cycles: box.assembly.cycles().slice(box.done) };
    box.done += laws[law].cycles.length;
    box.loop = [];
  }
  postMessage({ type: "frame", laws, shown, amplitude, picture: picture(boxes.get(shown)) });
}

function turn() {
  turning = running && boxes.size > 0;
  if (!turning) return;
  try {
    for (const box of boxes.values()) stepBox(box);
    const now = performance.now();
    if (now - lastFrame > FRAME) {
      lastFrame = now;
      frame();
    }
  } catch (error) {
    running = turning = false;
    postMessage({ type: "error", text: error.message });
    return;
  }
  setTimeout(turn, 0);
}

async function start(message) {
  const engine = await createEngine(message.wasm);
  ({ amplitude, shown } = message);
  for (const model of LAWS) {
    boxes.set(model, { assembly: engine.assembly({ ...message.options, model }), loop: [], done: 0, now: null });
  }
  if (!turning) turn();
}

self.onmessage = ({ data }) => {
  if (data.type === "start") {
    start(data).catch((error) => postMessage({ type: "error", text: error.message }));
  } else if (data.type === "amplitude") {
    amplitude = data.amplitude;
    for (const box of boxes.values()) if (box.now && box.now.phase === "shear") shear(box);
  } else if (data.type === "show") {
    shown = data.shown;
    if (!running && boxes.size > 0) frame();
  } else if (data.type === "run") {
    running = data.running;
    if (!turning) turn();
  }
};
