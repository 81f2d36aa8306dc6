// SPDX-License-Identifier: MIT
// View 1: the pad of movements. The point is dragged, clicked to a place, or moved with the arrow keys.
import { gridNumber, gridValue, withUnit } from "../scale.js";
import { currentPoint } from "../state.js";
import { PANEL, add, createPlot, drawAxes, line, set, tickText } from "../svg.js";
import { createGrains } from "./grains.js";

const KEYS = {
  ArrowLeft: [0, -1, 0], ArrowRight: [0, 1, 0], ArrowUp: [1, 0, 0], ArrowDown: [-1, 0, 0],
  PageUp: [1, 0, 0], PageDown: [-1, 0, 0],
};
const KEYS_PLANE = { ...KEYS, ArrowUp: [0, 0, 1], ArrowDown: [0, 0, -1] };
const LOWEST = -0.12; // zeta/zeta0 at the lower edge: a gap

export function createPadView(svg, state) {
  const plot = createPlot(svg, PANEL);
  const { layer } = plot;
  const wedge = add(layer, "path", { class: "wedge" });
  const wedgeText = add(layer, "text", { class: "note", "text-anchor": "middle", "aria-hidden": "true" });
  const rest = add(layer, "path", { class: "path later" });
  const trail = add(layer, "path", { class: "path" });
  const grains = createGrains(layer);
  const handle = add(layer, "g", {
    class: "handle", tabindex: "0", role: "slider", "aria-label": "The point: arrow keys move it",
    "aria-valuemin": "-100", "aria-valuemax": "100", id: "handle",
  });
  add(handle, "circle", { class: "hit", r: 26, "data-screen": "" });
  add(handle, "circle", { class: "ring", r: 14, "data-screen": "" });
  add(handle, "circle", { class: "dot", r: 8 });
  const arrows = "M0 -19l4 5h-8zM0 19l4 -5h-8zM-19 0l5 4v-8zM19 0l-5 4v-8z";
  add(handle, "path", { class: "arrows", d: arrows });
  const hidden = { "aria-hidden": "true", "data-screen": "" };
  const hint = add(handle, "text", { class: "hint", x: 15, y: 27, ...hidden }, "drag me");
  const view = { svg, plot, layer, handle, wedge, wedgeText, rest, trail, grains, hint, units: null };
  listen(view, state);
  return { svg, draw: (scene) => draw(view, scene) };
}

// The place of the point that values of the plot mean, on the grid and within the pad.
function place(view, state, horizontal, vertical) {
  const { plot, units } = view;
  const { scale, plane } = state.get();
  const x = Math.min(plot.x[1], Math.max(plot.x[0], horizontal));
  const y = Math.min(plot.y[1], Math.max(plot.y[0], vertical));
  const snap = (length) => gridValue(gridNumber(length, scale), scale);
  const [zeta, , xi2] = currentPoint(state.get());
  return plane ? [zeta, snap(x * units.xi), snap(y * units.xi)] : [snap(y * units.zeta), snap(x * units.xi), xi2];
}

function listen(view, state) {
  const { svg, handle, plot } = view;
  let offset = null; // from the pointer to the middle of the point, in values of the plot
  state.subscribe((snapshot, reason) => {
    if (reason === "move") view.hint.textContent = "";
  });
  handle.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const [x, y] = plot.at(event.clientX, event.clientY);
    const here = middle(view, currentPoint(state.get()), state.get().plane);
    offset = [here[0] - x, here[1] - y];
    handle.setPointerCapture(event.pointerId);
    handle.focus({ preventScroll: true });
    state.begin();
    event.preventDefault();
  });
  handle.addEventListener("pointermove", (event) => {
    if (!offset) return;
    const [x, y] = plot.at(event.clientX, event.clientY);
    state.moveTo(place(view, state, x + offset[0], y + offset[1]));
  });
  const finish = () => {
    offset = null;
    state.end();
  };
  handle.addEventListener("pointerup", finish);
  handle.addEventListener("pointercancel", finish);
  svg.addEventListener("click", (event) => {
    if (handle.contains(event.target)) return;
    state.moveTo(place(view, state, ...plot.at(event.clientX, event.clientY)));
  });
  handle.addEventListener("keydown", (event) => pressKey(view, state, event));
  handle.addEventListener("keyup", () => state.end());
}

// One press of an arrow key is one movement, a key that repeats is one entry of undo.
function pressKey(view, state, event) {
  const snapshot = state.get();
  const direction = (snapshot.plane ? KEYS_PLANE : KEYS)[event.key];
  if (!direction || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  state.begin();
  const size = event.shiftKey ? 0.1 : 0.02;
  const { units } = view;
  const sizes = [units.zeta, units.xi, units.xi].map((unit) => unit * size);
  const { scale } = snapshot;
  const point = currentPoint(snapshot).map((value, i) => {
    if (direction[i] === 0) return value;
    const steps = Math.max(1, gridNumber(sizes[i], scale));
    return gridValue(gridNumber(value, scale) + direction[i] * steps, scale);
  });
  state.moveTo(point);
}

function middle(view, point, plane) {
  const { units } = view;
  return plane ? [point[1] / units.xi, point[2] / units.xi] : [point[1] / units.xi, point[0] / units.zeta];
}

function drawFrame(plot, plane, range) {
  if (plane) {
    const half = Math.max(0.9, range.xi <= 2 ? 0 : range.xi * 0.6);
    const wide = half * (plot.innerWidth() / plot.innerHeight());
    return plot.frame([-wide, wide], [-half, half], () => drawAxes(plot, {
      xLabel: "shear, first direction  ξ₁ / κfζ₀", yLabel: "shear, second direction  ξ₂ / κfζ₀", format: tickText,
    }));
  }
  return plot.frame([-range.xi, range.xi], [LOWEST, range.zeta], () => {
    const top = plot.py(0);
    add(plot.axes, "rect", {
      class: "apart", x: plot.margin.left, y: top, width: plot.innerWidth(), height: plot.py(LOWEST) - top,
    });
    drawAxes(plot, { xLabel: "shear sideways  ξ / κfζ₀", yLabel: "press  ζ / ζ₀", format: tickText });
  });
}

function draw(view, scene) {
  const { plot, handle, grains } = view;
  const { snapshot, unit, zeta, xi, count, shown, range } = scene;
  view.units = unit;
  plot.fit(snapshot.plane ? 32 : 0);
  drawFrame(plot, snapshot.plane, range);
  const x = (i) => plot.px((i < 0 ? 0 : xi[0][i]) / unit.xi);
  const y = snapshot.plane ? (i) => plot.py((i < 0 ? 0 : xi[1][i]) / unit.xi)
    : (i) => plot.py((i < 0 ? 0 : zeta[i]) / unit.zeta);
  set(view.trail, { d: line(shown + 1, (i) => x(i - 1), (i) => y(i - 1)) });
  set(view.rest, { d: shown < count ? line(count - shown + 1, (i) => x(shown - 1 + i), (i) => y(shown - 1 + i)) : "" });
  const point = currentPoint(snapshot);
  const [h, v] = middle(view, point, snapshot.plane);
  set(handle, {
    transform: `translate(${plot.px(h).toFixed(1)} ${plot.py(v).toFixed(1)})`,
    "aria-valuenow": Math.round(50 * (point[1] / unit.xi)) || 0,
    "aria-valuetext": `pressed by ${withUnit(point[0], "m")}, sheared by ${withUnit(point[1], "m")}`
      + (snapshot.plane ? ` and ${withUnit(point[2], "m")}` : ""),
  });
  drawWedge(view, h, v, snapshot.plane);
  grains.draw(scene, plot);
}

// Movements into the wedge above the point press faster than they shear: nothing slips.
function drawWedge({ plot, wedge, wedgeText }, h, v, plane) {
  const room = plot.y[1] - v;
  const visible = !plane && room > 0 && v >= 0;
  const d = visible ? `M${plot.px(h)} ${plot.py(v)}L${plot.px(Math.max(plot.x[0], h - room))} ${plot.py(
    v + Math.min(room, h - plot.x[0]))}V${plot.py(plot.y[1])}H${plot.px(Math.min(plot.x[1], h + room))}V${plot.py(
    v + Math.min(room, plot.x[1] - h))}Z` : "";
  set(wedge, { d });
  set(wedgeText, { x: plot.px(h), y: plot.py(plot.y[1]) + 15 });
  wedgeText.textContent = visible && room > 0.45 ? "nothing slips" : "";
}

