// SPDX-License-Identifier: MIT
// The values now: a table to read, and one sentence for screen readers when the point rests.
import { plain, withUnit } from "../scale.js";
import { currentPoint } from "../state.js";
import { LAW_NAMES } from "./scene.js";

const REST = 500; // ms without a change after which the sentence is said

export const STATE_WORDS = {
  apart: "apart: they do not touch",
  elastic: "nothing slips",
  slip: "the rim slips",
  slide: "slides as a whole",
};

// Pressing less is slip in the books of the library; without a shear before, nothing of it is seen.
function stateWord(now) {
  return STATE_WORDS[now.state === "slip" && now.stuckRadius >= now.contactRadius ? "elastic" : now.state];
}

function rows(scene) {
  const { now, snapshot, answers, jager, shown } = scene;
  const [zeta, xi1, xi2] = currentPoint(snapshot);
  const shear = Math.hypot(now.ft1, now.ft2);
  const limit = snapshot.law.friction * now.fn;
  const last = shown - 1;
  const stored = last >= 0 ? jager.stored[last] - answers.pressing[last] : 0;
  return [
    ["state", "Contact", stateWord(now)],
    ["stuck", "Stuck core, of the radius", now.contactRadius > 0 ? plain(now.stuckRadius / now.contactRadius) : "–"],
    ["zeta", "Pressed, ζ", withUnit(zeta, "m")],
    ["xi", "Sheared, ξ", snapshot.plane ? `${withUnit(xi1, "m", 3)}, ${withUnit(xi2, "m", 3)}` : withUnit(xi1, "m")],
    ["fn", "Force of pressing, Fn", withUnit(now.fn, "N")],
    ["ft", "Force sideways, Ft", snapshot.plane
      ? `${withUnit(now.ft1, "N", 3)}, ${withUnit(now.ft2, "N", 3)}` : withUnit(now.ft1, "N")],
    ["ratio", "Ft over its limit f Fn", limit > 0 ? plain(shear / limit, 3) : "–"],
    ["stored", "Energy stored by shear", withUnit(stored, "J")],
    ["lost", "Energy lost to friction", last >= 0 ? withUnit(jager.dissipated[last], "J") : "0 J"],
    ...lostByGhosts(scene, last),
  ];
}

function lostByGhosts(scene, last) {
  return scene.ghosts.filter((model) => scene.answers.ghosts.has(model)).map((model) => {
    const lost = last >= 0 ? scene.answers.ghosts.get(model).dissipated[last] : 0;
    return [`lost-${model}`, `– ${LAW_NAMES[model]}`, withUnit(lost, "J")];
  });
}

// Points remembered: exact, and with a tolerance; the error that costs, and the bound on it.
function memoryRows({ answers, snapshot, now }) {
  const i = snapshot.at - 1;
  const { exact, short } = answers;
  if (i < 0) return [["length", "Points remembered", "0"]];
  const error = Math.hypot(exact.ft1[i] - short.ft1[i], exact.ft2[i] - short.ft2[i]);
  const limit = snapshot.law.friction * now.fn;
  const share = (force) => (limit > 0 ? `${(force / limit).toPrecision(2)} f Fn` : "–");
  return [
    ["length", "Points remembered", String(exact.length[i])],
    ["short", `– with tolerance ${snapshot.tolerance}`, String(short.length[i])],
    ["error", "– error of its force now", error > 0 ? share(error) : "0"],
    ["bound", "– bound on that error", short.bound[i] > 0 ? share(short.bound[i]) : "0"],
  ];
}

export function createValuesView(list, live) {
  const cells = new Map();
  let timer = 0;
  let shown = "";
  function show(key, name, text) {
    if (!cells.has(key)) {
      const term = document.createElement("dt");
      const value = document.createElement("dd");
      value.dataset.value = key;
      list.append(term, value);
      cells.set(key, { term, value });
    }
    const { term, value } = cells.get(key);
    if (term.textContent !== name) term.textContent = name;
    if (value.textContent !== text) value.textContent = text;
  }
  return {
    draw(scene) {
      const all = [...rows(scene), ...memoryRows(scene)];
      const order = all.map((row) => row[0]).join();
      if (order !== shown) {
        list.replaceChildren();
        cells.clear();
      }
      shown = order;
      for (const row of all) show(...row);
      clearTimeout(timer);
      timer = setTimeout(() => {
        const said = sentence(scene);
        if (live.textContent !== said) live.textContent = said;
      }, REST);
    },
  };
}

function sentence(scene) {
  const { now, answers, snapshot } = scene;
  const points = snapshot.at > 0 ? answers.exact.length[snapshot.at - 1] : 0;
  return `${stateWord(now)}. Pressing ${withUnit(now.fn, "N", 3)}, sideways ${withUnit(now.ft1, "N", 3)}`
    + `${snapshot.plane ? ` and ${withUnit(now.ft2, "N", 3)}` : ""}. ${points} ${points === 1 ? "point" : "points"} remembered.`;
}
