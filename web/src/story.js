// SPDX-License-Identifier: MIT
// The story: eight steps, each a path that the reader can leave and return to.
import { DEFAULT_LAW, DEFAULT_SCALE, gridNumber, gridValue, shearUnit } from "./scale.js";
import { EMPTY } from "./state.js";

const STRIDE = 0.025; // units of the pictures in one movement

// A path through corners [zeta/zeta0, xi1/(kappa f zeta0), xi2/...], in small movements on the grid.
export function through(corners) {
  const unit = [DEFAULT_SCALE, shearUnit(DEFAULT_LAW, DEFAULT_SCALE), shearUnit(DEFAULT_LAW, DEFAULT_SCALE)];
  const points = [];
  let last = [0, 0, 0];
  for (const corner of corners) {
    const next = [corner[0], corner[1] ?? 0, corner[2] ?? 0];
    const parts = Math.max(1, Math.round(Math.max(...next.map((value, i) => Math.abs(value - last[i]))) / STRIDE));
    for (let j = 1; j <= parts; j += 1) {
      points.push(next.map((value, i) => {
        const length = (last[i] + (value - last[i]) * (j / parts)) * unit[i];
        return gridValue(gridNumber(length, DEFAULT_SCALE), DEFAULT_SCALE);
      }));
    }
    last = next;
  }
  return points;
}

function circle(turns, radius, parts) {
  const corners = [[1], [1, radius]];
  for (let j = 1; j <= turns * parts; j += 1) {
    const angle = (2 * Math.PI * j) / parts;
    corners.push([1, radius * Math.cos(angle), radius * Math.sin(angle)]);
  }
  return corners;
}

function cycles(amplitudes) {
  return [[1], ...amplitudes.flatMap((x) => [[1, x], [1, -x], [1, x]]), [1, 0]];
}

const STEPS = [
  {
    name: "Press",
    text: `Two grains of sand touch. <b>Drag the point up</b> to press them together: they flatten a little and touch
      on a small disc, shown under “Where it slips”. The disc grows, so the grains resist more and more. Let go and
      they are as before: so far this is a spring.`,
    corners: [[1.3], [0.6], [1]],
    ghosts: [],
  },
  {
    name: "Shear a little: the rim slips",
    text: `Now pull sideways. At its rim the disc is hardly pressed, and friction can hold nothing there: <b>a ring
      slips at once</b> (hatched), however gently you pull, while the core sticks. The ring eats inward, and the
      contact gets softer: the curve bends. When the core is gone, all of it slides.`,
    corners: [[1], [1, 0.75]],
    ghosts: [],
  },
  {
    name: "Turn back",
    text: `Pull the other way. The old ring stops and keeps its slip; a <b>new ring</b> starts again at the rim,
      backwards. So the way back is not the way there: the force draws a loop, and what the loop encloses is lost to
      friction. The corners of the thick line are <b>what the contact remembers</b>. Point at one of them: its ring
      lights up.`,
    corners: [[1], [1, 0.9], [1, -0.5]],
    ghosts: [],
  },
  {
    name: "Loops within loops",
    text: `Turn again and again, by less each time: every reversal leaves a ring inside which an older one is kept. Go
      past an old turning point, and the small loop <b>closes and is forgotten</b>; the contact goes on as if it had
      never been. Move the time below the pictures back and forth and watch the number of points.`,
    corners: [[1], [1, 0.95], [1, -0.7], [1, 0.6], [1, -0.25], [1, 0.3], [1, 0], [1, 0.2]],
    ghosts: [],
  },
  {
    name: "Press while sheared",
    text: `Shear, then <b>press harder</b> without shearing. Nothing slips, nothing is lost, the force sideways stays.
      And yet it is remembered: the disc has a fresh outer ring that carries no shear. Shear on, and the contact is
      stiff again. Go on yourself: when the slip has eaten through the fresh ring, its corner is gone.`,
    corners: [[0.8], [0.8, 0.55], [1.4, 0.55], [1.4, 0.8]],
    ghosts: [],
  },
  {
    name: "The spring that forgets",
    text: `Most simulations of sand replace all this by a <b>spring that breaks loose at the limit</b> (dashed). Below
      the limit it goes up and down one line: no loop, no loss, no softening. It keeps one number where the contact
      keeps a history. Both were moved in the same way here.`,
    corners: [[1], [1, 0.64], [1, -0.64], [1, 0.64], [1, -0.3], [1, 0.3]],
    ghosts: ["hertz-mindlin"],
  },
  {
    name: "Turning in the plane",
    text: `Lead the point round in a circle: two directions of shear. Jäger's method lets the whole ring slip in one
      direction at a time; when that turns, the ring moves sideways without work, and on a circle the contact <b>loses next
      to nothing</b>. Springs that slip each on its own (dash-dotted) lose energy all the way round, and a real elastic
      contact still more. Along a line Jäger's contact is exact, here it is wrong.`,
    corners: circle(1.85, 0.5, 90),
    ghosts: ["springs"],
    plane: true,
  },
  {
    name: "Why an assembly damps",
    text: `Small swings lose almost nothing, larger ones more and more: the loss grows with the <b>third power</b> of
      the swing, the stored energy with the second. Thousands of such contacts make up sand, and so a layer of soil
      damps an earthquake the more, the more it is shaken. Below its limit the spring has no loops, and no damping.`,
    corners: cycles([0.13, 0.26, 0.39, 0.52, 0.65]),
    ghosts: ["hertz-mindlin"],
    link: true,
  },
];

export const STORY = STEPS.map((step) => {
  const points = through(step.corners);
  return { ...step, plane: Boolean(step.plane), points };
});

// The snapshot of a step, at its end.
export function stepSnapshot(index) {
  const { points, plane, ghosts } = STORY[index];
  return { ...EMPTY, points, at: points.length, plane, ghosts, step: index };
}

// Whether the path is still the path of its step.
export function isOnPath(snapshot) {
  if (snapshot.step === null || !STORY[snapshot.step]) return false;
  const { points, plane } = STORY[snapshot.step];
  if (points === snapshot.points) return plane === snapshot.plane;
  return plane === snapshot.plane && points.length === snapshot.points.length
    && points.every((point, i) => point.every((value, k) => value === snapshot.points[i][k]));
}
