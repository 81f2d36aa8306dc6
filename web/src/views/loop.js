// SPDX-License-Identifier: MIT
// View 2: the tangential force over the shear, with the comparison laws on the same movements.
import { PANEL, add, createPlot, drawAxes, line, set, tickText } from "../svg.js";

export function createLoopView(svg) {
  const plot = createPlot(svg, PANEL);
  const limit = add(plot.layer, "path", { class: "limit" });
  const rest = add(plot.layer, "path", { class: "path later" });
  const ghosts = add(plot.layer, "g", {});
  const trail = add(plot.layer, "path", { class: "path law-jager" });
  const dots = add(plot.layer, "g", {});
  const dot = add(plot.layer, "circle", { class: "now", r: 5 });
  const limitText = add(plot.layer, "text", { class: "note" }, "slides: Ft = f Fn");
  const view = { plot, limit, rest, ghosts, trail, dots, dot, limitText, drawn: new Map() };
  return { svg, draw: (scene) => draw(view, scene) };
}

// A line and a dot for each comparison law that is shown.
function drawGhosts(view, scene, x, y) {
  const { ghosts, dots, drawn } = view;
  for (const [model, parts] of drawn) {
    if (scene.ghosts.includes(model)) continue;
    parts.curve.remove();
    parts.dot.remove();
    drawn.delete(model);
  }
  for (const model of scene.ghosts) {
    const walk = scene.answers.ghosts.get(model);
    if (!walk) continue;
    if (!drawn.has(model)) {
      drawn.set(model, {
        curve: add(ghosts, "path", { class: `path ghost law-${model}` }),
        dot: add(dots, "circle", { class: `ghost-dot law-${model}`, r: 3.5 }),
      });
    }
    const parts = drawn.get(model);
    const last = scene.shown - 1;
    set(parts.curve, { d: line(scene.shown + 1, (i) => x(i - 1), (i) => y(i > 0 ? walk.ft1[i - 1] : 0)) });
    set(parts.dot, { cx: x(last), cy: y(last >= 0 ? walk.ft1[last] : 0) });
  }
}

function draw(view, scene) {
  const { plot } = view;
  const { unit, xi, jager, count, shown, range, now, snapshot } = scene;
  plot.fit();
  const index = snapshot.plane ? "₁" : "";
  plot.frame([-range.loop, range.loop], [-range.ft, range.ft], () => drawAxes(plot, {
    xLabel: `shear  ξ${index} / κfζ₀`, yLabel: `force sideways  Ft${index} / fF₀`, format: tickText,
  }));
  const x = (i) => plot.px((i < 0 ? 0 : xi[0][i]) / unit.xi);
  const y = (value) => plot.py(value / unit.ft);
  const ft = (i) => y(i < 0 ? 0 : jager.ft1[i]);
  set(view.trail, { d: line(shown + 1, (i) => x(i - 1), (i) => ft(i - 1)) });
  set(view.rest, {
    d: shown < count ? line(count - shown + 1, (i) => x(shown - 1 + i), (i) => ft(shown - 1 + i)) : "",
  });
  drawGhosts(view, scene, x, y);
  set(view.dot, { cx: x(shown - 1), cy: ft(shown - 1) });
  const top = now.fn / unit.fn;
  const isSeen = top > 0 && top <= range.ft * 1.001;
  const [left, right] = [plot.margin.left, plot.width - plot.margin.right];
  set(view.limit, { d: isSeen ? `M${left} ${plot.py(top)}H${right}M${left} ${plot.py(-top)}H${right}` : "" });
  set(view.limitText, { x: left + 4, y: plot.py(top) - 4, visibility: isSeen ? null : "hidden" });
}
