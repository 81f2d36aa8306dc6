// SPDX-License-Identifier: MIT
// Wires the page: engine, state, views, story, address, export and the assembly.
import { readAddress, writeAddress } from "./address.js";
import { createAssemblyView } from "./assembly-view.js";
import { createComputer } from "./compute.js";
import { createControls } from "./controls.js";
import { createEngine } from "./engine.js";
import { connectExport } from "./export-view.js";
import { STORY, isOnPath, stepSnapshot } from "./story.js";
import { createStoryView } from "./story-view.js";
import { createState } from "./state.js";
import { connectTheme } from "./theme.js";
import { createLoopView } from "./views/loop.js";
import { createPadView } from "./views/pad.js";
import { createPlaneView } from "./views/plane.js";
import { createScene } from "./views/scene.js";
import { createStripView } from "./views/strip.js";
import { createTractionView } from "./views/tractions.js";
import { createValuesView } from "./views/values.js";

const byId = (id) => document.getElementById(id);

function decode(base64) {
  return Uint8Array.from(atob(base64.replace(/\s+/g, "")), (c) => c.charCodeAt(0));
}

// A value with a listener.
function createCell(value, changed) {
  return {
    get: () => value,
    set(next) {
      if (next === value) return;
      value = next;
      changed();
    },
  };
}

// Draws at most once a frame. Measures with the name "frame" tell how long that takes.
function createScheduler(draw) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      const start = performance.now();
      draw();
      performance.measure("frame", { start, end: performance.now() });
    });
  };
}

function connectAddress(state, say) {
  let timer = 0;
  let written = null;
  function write() {
    written = writeAddress(state.get(), isOnPath(state.get()));
    if (written === null) say("This path is too long for an address: save it as CSV.");
    else history.replaceState(null, "", `#${written}`);
  }
  state.subscribe((snapshot, reason) => {
    clearTimeout(timer);
    if (reason === "story") write(); // at once: while a path plays, the state changes in every frame
    else timer = setTimeout(write, 150);
  });
  window.addEventListener("hashchange", () => {
    if (location.hash.slice(1) === written) return;
    try {
      const snapshot = readAddress(location.hash);
      say("");
      const step = firstStep(snapshot ?? state.get());
      if (snapshot && step !== null) state.change(stepSnapshot(step), "open");
      else if (snapshot) state.change(snapshot, "open");
    } catch (error) {
      say(`This link is damaged. ${error.message} The path before it is still shown.`);
    }
  });
}

// The snapshot of the address, or the first step of the story.
function firstSnapshot(say) {
  try {
    return readAddress(location.hash) ?? null;
  } catch (error) {
    say(`This link is damaged. ${error.message} The story begins instead.`);
    return null;
  }
}

// The step of the story to begin with; null if the address holds a path.
function firstStep(given) {
  if (given === null) return 0;
  return given.points.length === 0 && STORY[given.step] ? given.step : null;
}

function createViews(state, highlight) {
  return [
    createPadView(byId("pad"), state),
    createLoopView(byId("loop")),
    createPlaneView(byId("cone"), highlight),
    createTractionView(byId("tractions")),
    createStripView(byId("strip")),
    createValuesView(byId("values"), byId("live")),
  ];
}

function connectAssembly(wasm) {
  const source = byId("worker-source").textContent;
  const startWorker = () => new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  return createAssemblyView({
    run: byId("assembly-run"), reset: byId("assembly-reset"), amplitude: byId("assembly-amplitude"),
    shown: byId("assembly-shown"), status: byId("assembly-status"), canvas: byId("assembly-box"),
    wait: byId("assembly-wait"), seed: byId("assembly-seed"),
    loop: byId("assembly-loop"), bare: byId("assembly-bare"), body: byId("assembly-table"),
  }, startWorker, wasm);
}

async function main() {
  const wasm = decode(byId("jager-wasm").textContent);
  const engine = await createEngine(wasm);
  const say = (text) => {
    byId("message").textContent = text;
  };
  byId("version").textContent = engine.version;
  const given = firstSnapshot(say);
  const state = createState(given ?? stepSnapshot(0));
  let schedule = () => {};
  const highlight = createCell(null, () => schedule());
  const computer = createComputer(engine, () => schedule());
  const views = createViews(state, highlight);
  const controls = createControls(state, engine.models, say);
  const story = createStoryView({
    list: byId("steps"), title: byId("step-title"), text: byId("step-text"), previous: byId("previous"),
    next: byId("next"), back: byId("back"), link: byId("assembly-link"),
  }, controls.openStep);
  const assembly = connectAssembly(wasm);
  schedule = createScheduler(() => {
    const snapshot = state.get();
    try {
      const scene = createScene(snapshot, computer.update(snapshot), highlight.get());
      for (const view of views) view.draw(scene);
    } catch (error) {
      say(`This cannot be computed: ${error.message}`);
    }
    controls.draw(snapshot);
    story.draw(snapshot);
  });
  state.subscribe(schedule);
  state.subscribe((snapshot, reason) => {
    if (reason === "move" || reason === "undo" || (reason === "story" && snapshot.at === 0)) say("");
  });
  if (window.parent !== window) byId("address-note").textContent = "“Copy link” holds your path, to the bit.";
  connectAddress(state, say);
  connectExport(engine, state, views.slice(0, 4).map((view) => view.svg), say);
  connectTheme(byId("theme"), () => {
    schedule();
    assembly.draw();
  });
  new ResizeObserver(() => {
    schedule();
    assembly.draw();
  }).observe(document.body);
  byId("to-assembly").addEventListener("click", () => byId("assembly").scrollIntoView());
  const first = firstStep(given);
  if (first !== null) controls.openStep(first, false);
  schedule();
  document.documentElement.dataset.ready = "true";
}

main();
