// SPDX-License-Identifier: MIT
// View 4: the contact's face, tilted, over a plot of the shear traction along its diameter.
//
// A point k of the history stands for the annulus between its radius and the one before, and for one Cattaneo–Mindlin
// function: p_k times the difference of two Hertzian pressures, whose sum over k is the traction.
import { plain } from "../scale.js";
import { PANEL, add, createPlot, line, set } from "../svg.js";

const TILT = 0.2; // height over width of the face
const ARROWS = [[0, 1], [0.42, 6], [0.76, 10]]; // radius over the contact's, number of arrows

export function createTractionView(svg) {
  const plot = createPlot(svg, { ...PANEL, margin: { ...PANEL.margin, top: 100 } });
  const { layer } = plot;
  const part = (name) => add(layer, "path", { class: name });
  const view = {
    plot, bands: part("lit-band"), slip: part("slip-face"), core: part("core-face"), rings: part("rings"),
    litFace: part("lit-face"), arrows: part("arrows"), limit: part("limit"), area: part("shear-area"),
    second: part("path second"), curve: part("path law-jager"), lit: part("lit-area"), edges: part("edges"),
    labels: createLabels(add(layer, "g", { "aria-hidden": "true" })),
  };
  return { svg, draw: (scene) => draw(view, scene) };
}

function ellipse(cx, cy, rx) {
  const ry = rx * TILT;
  return `M${(cx - rx).toFixed(1)} ${cy}a${rx.toFixed(1)} ${ry.toFixed(1)} 0 1 0 ${(2 * rx).toFixed(1)} 0a${
    rx.toFixed(1)} ${ry.toFixed(1)} 0 1 0 ${(-2 * rx).toFixed(1)} 0Z`;
}

function drawFace(view, scene, cy) {
  const { plot } = view;
  const { now, unit, highlight } = scene;
  const cx = plot.px(0);
  const size = (radius) => plot.px(radius / unit.radius) - cx;
  const [whole, stuck] = [size(now.contactRadius), size(now.stuckRadius)];
  set(view.core, { d: stuck > 0.3 ? ellipse(cx, cy, stuck) : "" });
  set(view.slip, { d: whole > stuck ? ellipse(cx, cy, whole) + (stuck > 0.3 ? ellipse(cx, cy, stuck) : "") : "" });
  let last = -9;
  let rings = whole > 0 ? ellipse(cx, cy, whole) : "";
  for (const point of now.history) {
    const radius = size(point.radius);
    if (radius - last < 4) continue;
    rings += ellipse(cx, cy, radius);
    last = radius;
  }
  set(view.rings, { d: rings });
  if (highlight === null) {
    set(view.litFace, { d: "" });
    return;
  }
  const [inner, outer] = [size(now.history[highlight - 1].radius), size(now.history[highlight].radius)];
  set(view.litFace, { d: ellipse(cx, cy, outer) + (inner > 0 ? ellipse(cx, cy, inner) : "") });
}

// Arrows of the shear traction on the face, in perspective.
function drawArrows(view, scene, cy) {
  const { plot } = view;
  const { now, unit, snapshot } = scene;
  const cx = plot.px(0);
  const whole = plot.px(now.contactRadius / unit.radius) - cx;
  const scale = 30 / (unit.pressure * (snapshot.law.friction || 1));
  let d = "";
  for (const [share, count] of whole > 12 ? ARROWS : []) {
    const i = now.radii.findIndex((r) => r >= share * now.contactRadius);
    const [u, v] = [now.shear1[i] * scale, -now.shear2[i] * scale * TILT];
    const length = Math.hypot(u, v);
    if (!(length > 1.5)) continue;
    for (let k = 0; k < count; k += 1) {
      const angle = (2 * Math.PI * (k + 0.5)) / count;
      const x = cx + share * whole * Math.cos(angle) - u / 2;
      const y = cy + share * whole * Math.sin(angle) * TILT - v / 2;
      const head = Math.min(4, length / 2) / length;
      const [hx, hy] = [u * head, v * head];
      d += `M${x.toFixed(1)} ${y.toFixed(1)}l${u.toFixed(1)} ${v.toFixed(1)}m${(-hx - hy * 0.7).toFixed(1)} ${(
        -hy + hx * 0.7).toFixed(1)}l${(hx + hy * 0.7).toFixed(1)} ${(hy - hx * 0.7).toFixed(1)}l${(
        -hx + hy * 0.7).toFixed(1)} ${(-hy - hx * 0.7).toFixed(1)}`;
    }
  }
  set(view.arrows, { d });
}

// A curve over the whole diameter from values over the radius.
function across(plot, radii, values, unit, pressure) {
  const n = radii.length;
  const at = (i) => (i < n ? n - 1 - i : i - n + 1);
  const side = (i) => (i < n ? -1 : 1);
  return line(2 * n - 1, (i) => plot.px((side(i) * radii[at(i)]) / unit.radius),
    (i) => plot.py(values[at(i)] / pressure));
}

function drawCurves(view, scene, pressure) {
  const { plot } = view;
  const { now, unit, snapshot, highlight } = scene;
  const { radii } = now;
  const touches = now.contactRadius > 0;
  const friction = snapshot.law.friction;
  const curve = (values) => (touches ? across(plot, radii, values, unit, pressure) : "");
  const shear = curve(now.shear1);
  set(view.curve, { d: shear });
  set(view.area, { d: shear && `${shear}Z` });
  set(view.second, { d: snapshot.plane ? curve(now.shear2) : "" });
  set(view.limit, { d: curve(now.normal.map((p) => p * friction)) + curve(now.normal.map((p) => -p * friction)) });
  const edge = [now.stuckRadius, now.contactRadius].filter((r) => touches && r > 0).map((r) => {
    const offset = r / unit.radius;
    return `M${plot.px(-offset)} ${plot.py(plot.y[0])}V58M${plot.px(offset)} ${plot.py(plot.y[0])}V58`;
  });
  set(view.edges, { d: edge.join("") });
  set(view.lit, { d: highlight === null ? "" : `${curve(oneFunction(now, highlight))}Z` });
  set(view.bands, { d: highlight === null ? "" : bands(plot, now, unit, highlight) });
}

// The Cattaneo–Mindlin function of point k, along the first direction.
function oneFunction(now, k) {
  const [below, point] = [now.history[k - 1], now.history[k]];
  const slope = (point.ft1 - below.ft1) / (point.fn - below.fn);
  const factor = now.normal[0] / now.contactRadius; // Hertz: the pressure is proportional to the root below
  const hertz = (a, r) => factor * Math.sqrt(Math.max(0, a * a - r * r));
  return now.radii.map((r) => slope * (hertz(point.radius, r) - hertz(below.radius, r)));
}

function bands(plot, now, unit, k) {
  const [inner, outer] = [now.history[k - 1].radius / unit.radius, now.history[k].radius / unit.radius];
  const [low, high] = [plot.py(plot.y[0]), plot.py(plot.y[1])];
  const band = (from, to) => `M${plot.px(from)} ${low}V${high}H${plot.px(to)}V${low}Z`;
  return band(-outer, -inner) + band(inner, outer);
}

function drawFrame(plot, range) {
  plot.frame([-range.radius, range.radius], [-range.radius, range.radius], () => {
    const { axes, px, py, margin } = plot;
    add(axes, "path", { class: "axis", d: `M${margin.left} ${py(0)}H${plot.width - margin.right}` });
    add(axes, "text", { class: "label", x: px(0), y: plot.height - 3, "text-anchor": "middle" }, "radius  r / a");
    add(axes, "text", { class: "tick", x: margin.left - 6, y: py(0) + 4, "text-anchor": "end" }, "0");
    for (const [value, text] of [[-1, "−1"], [1, "1"]]) {
      add(axes, "text", { class: "tick", x: margin.left - 6, y: py(value) + 4, "text-anchor": "end" }, text);
    }
  });
}

function createLabels(group) {
  const tick = () => add(group, "text", { class: "tick", "text-anchor": "middle" });
  return {
    title: add(group, "text", { class: "label", x: 4, y: 14 }),
    zero: tick(), rim: [tick(), tick()], stuck: [tick(), tick()],
  };
}

// Ticks at the rim and at the edge of the stuck core, in r/a.
function drawLabels(view, { now, unit, snapshot }) {
  const { plot, labels } = view;
  const y = plot.height - plot.margin.bottom + 15;
  const pixels = (r) => plot.px(r / unit.radius) - plot.px(0);
  const show = (texts, r, text) => texts.forEach((element, side) => {
    set(element, { y, x: plot.px(((side === 0 ? 1 : -1) * r) / unit.radius) });
    element.textContent = text;
  });
  labels.title.textContent = snapshot.plane ? "its face, and the shear stress (dashed: second direction)"
    : "the contact's face, and the shear stress across it";
  show([labels.zero], 0, "0");
  show(labels.rim, now.contactRadius, pixels(now.contactRadius) > 12 ? "1" : "");
  const hasRoom = pixels(now.contactRadius - now.stuckRadius) > 28 && pixels(now.stuckRadius) > 24;
  show(labels.stuck, now.stuckRadius, hasRoom ? plain(now.stuckRadius / now.contactRadius) : "");
}

function draw(view, scene) {
  const { plot } = view;
  const { unit, snapshot } = scene;
  plot.fit();
  drawFrame(plot, scene.range);
  const cy = 58;
  drawFace(view, scene, cy);
  drawArrows(view, scene, cy);
  drawCurves(view, scene, unit.pressure * (snapshot.law.friction || 1));
  drawLabels(view, scene);
}
