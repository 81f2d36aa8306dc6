// SPDX-License-Identifier: MIT
// Buttons, scrubber and keys around the pictures, and the player that shows a path as it grows.
import { DEFAULT_LAW, gridNumber, gridValue, withUnit } from "./scale.js";
import { EMPTY, currentPoint } from "./state.js";
import { stepSnapshot } from "./story.js";
import { add } from "./svg.js";
import { LAW_NAMES } from "./views/scene.js";

const byId = (id) => document.getElementById(id);
const GHOST_ORDER = ["hertz-mindlin", "springs", "linear", "modified-mindlin", "zhang-vuquoc"];

// Plays the path from its beginning, or from where the scrubber stands.
function createPlayer(state) {
  let frame = 0;
  let playing = false;
  const reduced = window.matchMedia("(prefers-reduced-motion: reduce)");
  function stop() {
    cancelAnimationFrame(frame);
    playing = false;
  }
  function play(from) {
    stop();
    const { points } = state.get();
    if (reduced.matches || points.length < 2) {
      state.look({ at: points.length });
      return;
    }
    playing = true;
    const duration = Math.min(6000, Math.max(1500, points.length * 22)) * (1 - from / points.length);
    let start = null;
    const tick = (time) => {
      start ??= time;
      const share = Math.min(1, (time - start) / duration);
      if (share === 1) playing = false;
      state.look({ at: Math.round(from + (points.length - from) * share) });
      if (share < 1) frame = requestAnimationFrame(tick);
    };
    frame = requestAnimationFrame(tick);
  }
  return { play, stop, isPlaying: () => playing };
}

function createGhostButtons(state, models) {
  const buttons = new Map();
  for (const model of GHOST_ORDER.filter((name) => models.includes(name))) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "ghost-button";
    const svg = add(button, "svg", { viewBox: "0 0 26 8", "aria-hidden": "true" });
    add(svg, "path", { class: `path law-${model}`, d: "M0 4H26" });
    button.append(LAW_NAMES[model]);
    button.title = `The law “${model}” on the same movements`;
    button.dataset.model = model;
    button.addEventListener("click", () => {
      const { ghosts } = state.get();
      state.look({ ghosts: ghosts.includes(model) ? ghosts.filter((name) => name !== model) : [...ghosts, model] });
    });
    byId("ghosts").append(button);
    buttons.set(model, button);
  }
  return buttons;
}

function connectGrains(state, say) {
  const form = byId("grains");
  const factors = { shearModulus: 1e9, radius: 1e-3, friction: 1, poisson: 1 };
  form.addEventListener("change", () => {
    const law = { ...DEFAULT_LAW };
    for (const [name, factor] of Object.entries(factors)) {
      const value = form.elements[name].valueAsNumber * factor;
      if (!form.elements[name].validity.valid || !Number.isFinite(value)) {
        const [label] = form.elements[name].labels;
        say(`${label.textContent.trim()}: ${form.elements[name].validationMessage || "a number is needed"} The value `
          + "before is still used.");
        return;
      }
      law[name] = Number(value.toPrecision(15));
    }
    say("");
    state.change({ law, tolerance: Number(form.elements.tolerance.value) });
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  return ({ law, tolerance }) => {
    if (form.contains(document.activeElement)) return;
    for (const [name, factor] of Object.entries(factors)) {
      form.elements[name].value = Number((law[name] / factor).toPrecision(12));
    }
    form.elements.tolerance.value = String(tolerance);
  };
}

// Pressing with a slider while the pad shows two directions of shear.
function connectPress(state) {
  const input = byId("press");
  input.addEventListener("input", () => {
    const { scale } = state.get();
    const [, xi1, xi2] = currentPoint(state.get());
    state.begin();
    state.moveTo([gridValue(gridNumber(Number(input.value) * scale, scale), scale), xi1, xi2]);
  });
  input.addEventListener("change", () => state.end());
  return (snapshot) => {
    byId("press-row").hidden = !snapshot.plane;
    if (document.activeElement !== input) input.value = currentPoint(snapshot)[0] / snapshot.scale;
  };
}

function connectButtons(state, player) {
  byId("undo").addEventListener("click", () => (player.stop(), state.undo()));
  byId("redo").addEventListener("click", () => (player.stop(), state.redo()));
  byId("clear").addEventListener("click", () => {
    player.stop();
    const { law, tolerance, plane, step, ghosts } = state.get();
    state.change({ ...EMPTY, law, tolerance, plane, step, ghosts });
  });
  byId("plane").addEventListener("click", () => state.change({ plane: !state.get().plane }));
  byId("play").addEventListener("click", () => {
    const { at, points } = state.get();
    if (player.isPlaying()) player.stop();
    else player.play(at < points.length ? at : 0);
    state.look({});
  });
  byId("time").addEventListener("input", (event) => {
    player.stop();
    state.look({ at: Number(event.target.value) });
  });
  window.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
    if (event.target.matches("input[type=number]")) return;
    event.preventDefault();
    player.stop();
    if (event.shiftKey) state.redo();
    else state.undo();
  });
}

export function createControls(state, models, say) {
  const player = createPlayer(state);
  const buttons = createGhostButtons(state, models);
  const drawGrains = connectGrains(state, say);
  const drawPress = connectPress(state);
  connectButtons(state, player);
  state.subscribe((snapshot, reason) => {
    if (reason === "move" || reason === "open") player.stop();
  });
  return {
    // Shows a step of the story: its path grows from nothing.
    openStep(index, isUndoable = true) {
      player.stop();
      const parts = { ...stepSnapshot(index), at: 0, tolerance: state.get().tolerance };
      if (isUndoable) state.change(parts, "story");
      else state.look(parts);
      player.play(0);
    },
    draw(snapshot) {
      const { at, points } = snapshot;
      byId("undo").disabled = !state.canUndo();
      byId("redo").disabled = !state.canRedo();
      byId("clear").disabled = points.length === 0;
      byId("plane").setAttribute("aria-pressed", String(snapshot.plane));
      byId("play").textContent = player.isPlaying() ? "Pause" : "Play";
      byId("play").disabled = points.length === 0;
      byId("time").max = String(points.length);
      byId("time").value = String(at);
      byId("time-text").textContent = `${at} of ${points.length}`;
      byId("scale-text").textContent = withUnit(snapshot.scale, "m", 3);
      for (const [model, button] of buttons) {
        button.setAttribute("aria-pressed", String(snapshot.ghosts.includes(model)));
      }
      drawGrains(snapshot);
      drawPress(snapshot);
    },
  };
}
