// SPDX-License-Identifier: MIT
// A small picture in a corner of the pad: two grains from the side, movements drawn much too large.
import { currentPoint } from "../state.js";
import { add, set } from "../svg.js";

const SIZE = 92;
const RADIUS = 40;

export function createGrains(parent) {
  const group = add(parent, "g", { class: "grains", "aria-hidden": "true" });
  add(group, "rect", { class: "inset", width: SIZE, height: SIZE, rx: 6 });
  const inside = add(group, "g", { "clip-path": "url(#inset-clip)" });
  const upper = add(inside, "g", {});
  add(upper, "circle", { class: "grain", r: RADIUS });
  add(upper, "path", { class: "mark", d: `M0 ${RADIUS - 17}V${RADIUS - 7}` });
  const lower = add(inside, "g", {});
  add(lower, "circle", { class: "grain", r: RADIUS });
  add(lower, "path", { class: "mark", d: `M0 ${17 - RADIUS}V${7 - RADIUS}` });
  const face = add(inside, "path", { class: "face" });
  const core = add(inside, "path", { class: "core" });
  return {
    draw(scene, plot) {
      const { unit, now, snapshot } = scene;
      const [zeta, xi] = currentPoint(snapshot);
      const press = Math.max(-8, Math.min(16, (7 * zeta) / unit.zeta));
      const shift = Math.max(-26, Math.min(26, (9 * xi) / unit.xi));
      const middle = SIZE / 2;
      const isLeft = snapshot.plane || xi >= -0.25 * scene.range.xi * unit.xi; // out of the way of the point
      const left = isLeft ? plot.margin.left + 6 : plot.width - plot.margin.right - SIZE - 6;
      set(group, { transform: `translate(${left} ${plot.margin.top + 2})` });
      set(upper, { transform: `translate(${middle - shift / 2} ${middle - RADIUS + press / 2})` });
      set(lower, { transform: `translate(${middle + shift / 2} ${middle + RADIUS - press / 2})` });
      const half = 20 * (now.contactRadius / unit.radius);
      const stuck = now.contactRadius > 0 ? half * (now.stuckRadius / now.contactRadius) : 0;
      set(face, { d: half > 0 ? `M${middle - half} ${middle}h${2 * half}` : "" });
      set(core, { d: stuck > 0 ? `M${middle - stuck} ${middle}h${2 * stuck}` : "" });
    },
  };
}
