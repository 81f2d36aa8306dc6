// SPDX-License-Identifier: MIT
// The box of grains from the side, on a canvas: spheres, and contacts as lines as wide as their force.

const SLANT = 0.18; // tangent of the drawn shear at the largest γ of the swing
const WIDEST = 9; // pixels of the largest force

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// The map from the shear plane x–z to pixels, with the shear drawn far too large.
function projection(canvas, cell, gamma, amplitude) {
  const width = Math.hypot(cell[0], cell[1], cell[2]);
  const height = cell[8];
  const size = canvas.width * 0.76;
  const scale = size / Math.max(width, height);
  const slant = SLANT * Math.max(-1.5, Math.min(1.5, gamma / amplitude));
  const left = (canvas.width - width * scale) / 2;
  const base = (canvas.height + height * scale) / 2;
  return {
    scale, width, height,
    x: (x, z) => left + (x + slant * (z - height / 2)) * scale,
    y: (z) => base - z * scale,
  };
}

function drawCell(context, map) {
  context.beginPath();
  for (const [x, z] of [[0, 0], [map.width, 0], [map.width, map.height], [0, map.height]]) {
    context.lineTo(map.x(x, z), map.y(z));
  }
  context.closePath();
  context.lineWidth = 1.5;
  context.strokeStyle = colour("--soft");
  context.stroke();
}

// A coordinate moved into the periodic cell.
function wrap(value, period) {
  return value - period * Math.floor(value / period);
}

function drawSpheres(context, map, cell, spheres) {
  context.fillStyle = colour("--grid");
  context.strokeStyle = colour("--faint");
  context.lineWidth = 1;
  const places = [];
  for (let i = 0; i < spheres.length; i += 4) {
    const z = wrap(spheres[i + 2], map.height);
    const shift = cell[6] * (z - spheres[i + 2]) / map.height; // images above and below are sheared along
    const x = wrap(spheres[i] + shift - (cell[6] * z) / map.height, map.width);
    places.push([x, z]);
    context.beginPath();
    context.arc(map.x(x, z), map.y(z), spheres[i + 3] * map.scale, 0, 2 * Math.PI);
    context.globalAlpha = 0.5;
    context.fill();
    context.globalAlpha = 1;
    context.stroke();
  }
  return places;
}

function drawForces(context, map, places, contacts, branches, law) {
  let most = 0;
  for (let i = 2; i < contacts.length; i += 5) most = Math.max(most, contacts[i]);
  const [sticks, slides] = [colour(law === "jager" ? "--jager" : "--spring"), colour("--ink")];
  context.lineCap = "round";
  for (let i = 0, j = 0; i < contacts.length; i += 5, j += 3) {
    const [x, z] = places[contacts[i]];
    context.beginPath();
    context.moveTo(map.x(x, z), map.y(z));
    context.lineTo(map.x(x + branches[j], z + branches[j + 2]), map.y(z + branches[j + 2]));
    context.lineWidth = Math.max(0.6, (WIDEST * contacts[i + 2]) / most);
    context.strokeStyle = contacts[i + 4] ? slides : sticks;
    context.globalAlpha = 0.75;
    context.stroke();
  }
  context.globalAlpha = 1;
}

// frame: a message of the worker; middle: the γ of the middle of its swing
export function drawBox(canvas, frame, middle) {
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, canvas.width, canvas.height);
  const { now } = frame.laws[frame.shown];
  if (!now) return;
  const { spheres, contacts, branches } = frame.picture;
  const map = projection(canvas, now.cell, now.gamma - middle, frame.amplitude);
  drawCell(context, map);
  const places = drawSpheres(context, map, now.cell, spheres);
  drawForces(context, map, places, contacts, branches, frame.shown);
}
