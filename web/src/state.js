// SPDX-License-Identifier: MIT
// What the reader has made: the path of movements, the time that is looked at, the grains; with undo and redo.
//
// A snapshot is never changed, only replaced. Its points are [zeta, xi1, xi2] in m, after each movement, from 0, 0, 0.
import { DEFAULT_LAW, DEFAULT_SCALE, DEFAULT_TOLERANCE } from "./scale.js";

const UNDO_LIMIT = 200;

export const EMPTY = Object.freeze({
  points: Object.freeze([]), // after each movement
  at: 0, // number of movements that count: the time of the scrubber
  law: DEFAULT_LAW,
  scale: DEFAULT_SCALE,
  tolerance: DEFAULT_TOLERANCE, // of the short history that is shown beside the exact one
  plane: false, // whether the pad shows two directions of shear
  ghosts: Object.freeze([]), // names of the comparison laws that are shown
  step: null, // the step of the story that the path belongs to, or null
});

export function createState(initial = EMPTY) {
  let now = { ...EMPTY, ...initial };
  let past = [];
  let future = [];
  let gesture = null; // the snapshot at the beginning of a drag
  const listeners = [];

  function publish(next, reason) {
    now = next;
    for (const listener of listeners) listener(now, reason);
  }
  function remember(old) {
    past = [...past.slice(1 - UNDO_LIMIT), old];
    future = [];
  }
  // Replaces parts of the snapshot; one entry of undo unless a gesture is under way.
  function change(parts, reason = "change") {
    if (!gesture) remember(now);
    publish({ ...now, ...parts }, reason);
  }
  // Parts that are not worth an entry of undo: the time that is looked at.
  function look(parts) {
    publish({ ...now, ...parts }, "look");
  }
  // One more movement, after the time that is looked at; what came after it is dropped.
  function moveTo(point) {
    const last = now.at > 0 ? now.points[now.at - 1] : [0, 0, 0];
    if (point.every((value, i) => value === last[i])) return;
    const points = now.points.slice(0, now.at);
    points.push(point);
    change({ points, at: points.length }, "move");
  }
  function begin() {
    gesture ??= now;
  }
  function end() {
    const before = gesture;
    gesture = null;
    if (!before || before.points === now.points) return;
    remember(before);
    publish(now, "end");
  }
  function swap(from, to) {
    if (from.length === 0) return;
    to.push(now);
    publish(from.pop(), "undo");
  }
  return {
    get: () => now,
    subscribe: (listener) => listeners.push(listener),
    change, look, moveTo, begin, end,
    undo: () => swap(past, future),
    redo: () => swap(future, past),
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,
  };
}

// The place of the point at the time that is looked at.
export function currentPoint(snapshot) {
  return snapshot.at > 0 ? snapshot.points[snapshot.at - 1] : [0, 0, 0];
}

// The path as the engine reads it.
export function toArray(points) {
  const array = new Float64Array(3 * points.length);
  points.forEach((point, i) => array.set(point, 3 * i));
  return array;
}

export function toPoints(array) {
  const points = [];
  for (let i = 0; i + 2 < array.length; i += 3) points.push([array[i], array[i + 1], array[i + 2]]);
  return points;
}
