// SPDX-License-Identifier: MIT
// The strip over the scrubber: energies and the length of the memory over the movements so far.
import { withUnit } from "../scale.js";
import { add, createPlot, line, set } from "../svg.js";

export function createStripView(svg) {
  const margin = { left: 10, right: 10, top: 24, bottom: 8 };
  const plot = createPlot(svg, { margin, aspect: 0.1, least: 92, most: 110 });
  const { layer } = plot;
  const view = {
    plot,
    lost: add(layer, "path", { class: "energy-lost" }),
    lostLine: add(layer, "path", { class: "path energy-lost-line" }),
    stored: add(layer, "path", { class: "path energy-stored" }),
    ghosts: add(layer, "g", {}),
    exact: add(layer, "path", { class: "path length-exact" }),
    short: add(layer, "path", { class: "path length-short" }),
    now: add(layer, "path", { class: "cursor" }),
    texts: createTexts(add(layer, "g", { "aria-hidden": "true" })),
  };
  return { svg, draw: (scene) => draw(view, scene) };
}

function top(...lists) {
  let most = 0;
  for (const list of lists) for (const value of list) if (value > most) most = value;
  return most || 1;
}

// Left half: energies; right half: lengths. Each over all movements.
function draw(view, scene) {
  const { plot, texts } = view;
  const { answers, jager, count, snapshot } = scene;
  plot.fit();
  plot.frame([0, 1], [0, 1], () => {
    const gap = 14;
    const half = (plot.width - gap) / 2;
    for (const left of [0, half + gap]) {
      add(plot.axes, "rect", { class: "strip-ground", x: left, y: 20, width: half, height: plot.height - 20, rx: 4 });
    }
  });
  const movements = Math.max(1, snapshot.points.length);
  const half = (plot.width - 14) / 2;
  const left = (t) => 4 + (t / movements) * (half - 8);
  const right = (t) => half + 18 + (t / movements) * (half - 8);
  const stored = Array.from(jager.stored, (value, i) => value - answers.pressing[i]);
  const ghosts = scene.ghosts.filter((model) => answers.ghosts.has(model));
  const lossOf = (model) => answers.ghosts.get(model).dissipated;
  const energy = top(stored, jager.dissipated, ...ghosts.map(lossOf));
  const [low, high] = [plot.height - 5, 26];
  const y = (value, most) => low - (value / most) * (low - high);
  const time = (i) => (i > 0 ? answers.fine.times[i - 1] : 0);
  const curve = (values, most) => line(count + 1, (i) => left(time(i)), (i) => y(i > 0 ? values[i - 1] : 0, most));
  const lost = curve(jager.dissipated, energy);
  set(view.lostLine, { d: lost });
  set(view.lost, { d: lost && `${lost}V${low}H${left(0)}Z` });
  set(view.stored, { d: curve(stored, energy) });
  view.ghosts.replaceChildren();
  for (const model of ghosts) add(view.ghosts, "path", { class: `path law-${model}`, d: curve(lossOf(model), energy) });
  const lengths = top(answers.exact.length, answers.short.length);
  const steps = (values) => line(values.length, (i) => right(i + 1), (i) => y(values[i], lengths));
  set(view.exact, { d: steps(answers.exact.length) });
  set(view.short, { d: steps(answers.short.length) });
  set(view.now, { d: [left, right].map((x) => `M${x(answers.at)} ${high - 4}V${low + 3}`).join("") });
  drawTexts(texts, half, energy === 1 ? 0 : energy, lengths);
}

function createTexts(group) {
  const end = { class: "tick", y: 13, "text-anchor": "end" };
  return {
    energy: add(group, "text", end),
    lengths: add(group, "text", end),
    titles: [add(group, "text", { class: "label", x: 4, y: 13 }, "energy"),
      add(group, "text", { class: "label", y: 13 }, "points remembered")],
  };
}

function drawTexts(texts, half, energy, lengths) {
  const long = half > 230 ? "full height " : "";
  set(texts.titles[1], { x: half + 18 });
  set(texts.energy, { x: half });
  set(texts.lengths, { x: 2 * half + 14 });
  texts.energy.textContent = `${long}${withUnit(energy, "J", 3)}`;
  texts.lengths.textContent = `${long}${lengths}`;
}
