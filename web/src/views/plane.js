// SPDX-License-Identifier: MIT
// View 3: the plane of forces with the friction cone, the way the forces took, and the equivalent history.
//
// With one direction of shear: Fn upward, Ft sideways. With two: the cone from above, a circle of radius f Fn.
import { plain } from "../scale.js";
import { PANEL, add, createPlot, drawAxes, line, set, tickText } from "../svg.js";

const REACH = 26; // pixels from which a point of the history is caught

export function createPlaneView(svg, highlight) {
  const plot = createPlot(svg, PANEL);
  const { layer } = plot;
  const view = {
    plot, spots: [],
    cone: add(layer, "path", { class: "cone" }),
    above: add(layer, "path", { class: "limit" }),
    ghosts: add(layer, "g", {}),
    trail: add(layer, "path", { class: "path faint" }),
    history: add(layer, "path", { class: "history" }),
    lit: add(layer, "path", { class: "lit-line" }),
    points: add(layer, "path", { class: "history-points" }),
    note: add(layer, "text", { class: "note", "aria-hidden": "true" }),
    slider: add(layer, "g", {
      class: "memory-slider", tabindex: "0", role: "slider", id: "memory-slider",
      "aria-label": "Points of the memory: arrow keys go through them",
    }),
  };
  view.ring = add(view.slider, "circle", { class: "ring", r: 9, "data-screen": "" });
  view.mark = add(view.slider, "circle", { class: "lit-point", r: 5 });
  listen(view, highlight);
  return { svg, draw: (scene) => draw(view, scene) };
}

function listen(view, highlight) {
  const { plot, slider } = view;
  plot.svg.addEventListener("pointermove", (event) => {
    const box = plot.svg.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let best = null;
    let least = REACH;
    view.spots.forEach(([px, py], k) => {
      const distance = Math.hypot(px - x, py - y);
      if (k > 0 && distance < least) [best, least] = [k, distance];
    });
    highlight.set(best);
  });
  plot.svg.addEventListener("pointerleave", () => highlight.set(null));
  slider.addEventListener("focus", () => {
    if (highlight.get() === null) highlight.set(view.spots.length - 1);
  });
  slider.addEventListener("blur", () => highlight.set(null));
  slider.addEventListener("keydown", (event) => {
    const last = view.spots.length - 1;
    const now = highlight.get() ?? last;
    const next = {
      ArrowUp: now + 1, ArrowRight: now + 1, ArrowDown: now - 1, ArrowLeft: now - 1, Home: 1, End: last,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    highlight.set(Math.max(1, Math.min(last, next)));
  });
}

// The cone of all forces that friction can hold, and the cone below the present force.
function drawCone(view, scene) {
  const { plot } = view;
  const { unit, range, now } = scene;
  const { px, py } = plot;
  const [fn, ft] = [now.fn / unit.fn, now.ft1 / unit.ft];
  if (scene.snapshot.plane) {
    const [rx, ry] = [px(fn) - px(0), py(0) - py(fn)];
    const d = fn > 0 ? `M${px(-fn)} ${py(0)}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0Z` : "";
    set(view.cone, { d });
    set(view.above, { d: "" });
    return;
  }
  const top = Math.min(range.fn, range.ft);
  const side = top < range.fn ? `L${px(range.ft)} ${py(range.fn)}H${px(-range.ft)}` : "";
  set(view.cone, { d: `M${px(0)} ${py(0)}L${px(top)} ${py(top)}${side}L${px(-top)} ${py(top)}Z` });
  const [left, right] = [(fn + ft) / 2, (fn - ft) / 2]; // heights below the force at which its cone meets the sides
  const d = fn > 0 ? `M${px(ft)} ${py(fn)}L${px(ft - left)} ${py(fn - left)}M${px(ft)} ${py(fn)}L${px(
    ft + right)} ${py(fn - right)}` : "";
  set(view.above, { d });
}

function drawFrame(plot, plane, range) {
  if (plane) {
    const half = range.ft * 1.05;
    const wide = half * (plot.innerWidth() / plot.innerHeight());
    plot.frame([-wide, wide], [-half, half], () => drawAxes(plot, {
      xLabel: "force sideways  Ft₁ / fF₀", yLabel: "Ft₂ / fF₀: the cone from above", format: tickText,
    }));
    return;
  }
  plot.frame([-range.ft, range.ft], [0, range.fn], () => drawAxes(plot, {
    xLabel: "force sideways  Ft / fF₀", yLabel: "force of pressing  Fn / F₀", format: tickText,
  }));
}

function draw(view, scene) {
  const { plot } = view;
  const { unit, jager, shown, range, now, snapshot, highlight } = scene;
  plot.fit();
  drawFrame(plot, snapshot.plane, range);
  drawCone(view, scene);
  const spot = (fn, ft1, ft2) => [plot.px(ft1 / unit.ft), plot.py(snapshot.plane ? ft2 / unit.ft : fn / unit.fn)];
  const way = (i) => (i < 0 ? spot(0, 0, 0) : spot(jager.fn[i], jager.ft1[i], jager.ft2[i]));
  set(view.trail, { d: line(shown + 1, (i) => way(i - 1)[0], (i) => way(i - 1)[1]) });
  drawGhosts(view, scene, spot);
  const spots = now.history.map((point) => spot(point.fn, point.ft1, point.ft2));
  view.spots = spots;
  set(view.history, { d: line(spots.length, (i) => spots[i][0], (i) => spots[i][1]) });
  const radius = spots.length > 60 ? 1.6 : 3.5;
  set(view.points, {
    d: spots.map(([x, y]) => `M${(x - radius).toFixed(1)} ${y.toFixed(1)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${
      radius} ${radius} 0 1 0 ${-2 * radius} 0`).join(""),
  });
  drawLit(view, scene, spots, highlight);
}

// The forces of the comparison laws, where two directions of shear make them differ.
function drawGhosts(view, scene, spot) {
  const { answers, shown, snapshot } = scene;
  view.ghosts.replaceChildren();
  for (const model of snapshot.plane ? scene.ghosts : []) {
    const walk = answers.ghosts.get(model);
    if (!walk) continue;
    const way = (i) => (i < 0 ? spot(0, 0, 0) : spot(walk.fn[i], walk.ft1[i], walk.ft2[i]));
    const d = line(shown + 1, (i) => way(i - 1)[0], (i) => way(i - 1)[1]);
    add(view.ghosts, "path", { class: `path ghost law-${model}`, d });
  }
}

// The point of the history that is looked at, and the segment that ends in it.
function drawLit(view, scene, spots, highlight) {
  const last = spots.length - 1;
  const k = highlight ?? last;
  const [x, y] = spots[k] ?? [view.plot.px(0), view.plot.py(0)];
  set(view.mark, { cx: x.toFixed(1), cy: y.toFixed(1) });
  set(view.ring, { cx: x.toFixed(1), cy: y.toFixed(1) });
  const isLit = highlight !== null;
  set(view.lit, { d: isLit ? `M${spots[k - 1].join(" ")}L${spots[k].join(" ")}` : "" });
  set(view.slider, {
    "aria-valuemin": Math.min(1, Math.max(0, last)),
    "aria-valuemax": Math.max(0, last),
    "aria-valuenow": Math.max(0, k),
    "aria-valuetext": describe(scene, Math.max(0, k), last),
  });
  set(view.note, { x: view.plot.width - view.plot.margin.right - 2, y: view.plot.py(view.plot.y[0]) - 6,
    "text-anchor": "end" });
  view.note.textContent = isLit ? `point ${k} of ${last}` : "";
}

function describe(scene, k, last) {
  const { history, contactRadius } = scene.now;
  if (k < 1 || !history[k]) return "the contact remembers nothing";
  const share = (point) => plain(point.radius / contactRadius);
  return `point ${k} of ${last}: annulus from ${share(history[k - 1])} to ${share(history[k])} of the contact's radius`;
}
