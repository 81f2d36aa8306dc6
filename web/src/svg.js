// SPDX-License-Identifier: MIT
// Drawing in SVG: elements, lines through many points, and a plot with axes that fits its panel.

const NAMESPACE = "http://www.w3.org/2000/svg";

// The shape of the plots beside each other.
export const PANEL = { margin: { left: 34, right: 12, top: 22, bottom: 36 }, aspect: 0.54, least: 236, most: 290 };

// Makes an element in parent; attributes with the value null are left out.
export function add(parent, name, attributes = {}, text = null) {
  const element = document.createElementNS(NAMESPACE, name);
  set(element, attributes);
  if (text !== null) element.textContent = text;
  parent.append(element);
  return element;
}

export function set(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null) element.removeAttribute(key);
    else element.setAttribute(key, value);
  }
}

function round(value) {
  return Math.round(value * 10) / 10;
}

// The d of a line through count points; points closer than half a pixel to the last one are left out.
export function line(count, x, y) {
  let text = "";
  let lastX = Infinity;
  let lastY = Infinity;
  for (let i = 0; i < count; i += 1) {
    const px = x(i);
    const py = y(i);
    const isNear = Math.abs(px - lastX) < 0.5 && Math.abs(py - lastY) < 0.5;
    if (isNear && i < count - 1) continue;
    if (!Number.isFinite(px) || !Number.isFinite(py)) {
      lastX = Infinity;
      continue;
    }
    text += `${text === "" || lastX === Infinity ? "M" : "L"}${round(px)} ${round(py)}`;
    lastX = px;
    lastY = py;
  }
  return text;
}

// Round values for the ticks of an axis from low to high, about `wanted` of them.
export function ticks(low, high, wanted) {
  const raw = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((f) => f * power >= raw) * power;
  const values = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; n += 1) values.push(n * step);
  return values.map((value) => Number(value.toPrecision(12)));
}

function innerWidthOf(element) {
  const style = getComputedStyle(element);
  return Math.round(element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight));
}

// A plot in an <svg>: px and py map values to pixels; frame() draws axes when the size or the ranges have changed.
export function createPlot(svg, { margin, aspect, least = 200, most = 340 }) {
  const axes = add(svg, "g", { class: "axes", "aria-hidden": "true" });
  const layer = add(svg, "g", {});
  let drawn = "";
  let isStale = true; // whether the panel may have another width: reading it in each frame would cost a layout
  let panelWidth = 0;
  new ResizeObserver(() => {
    isStale = true;
  }).observe(svg.parentElement);
  const plot = {
    svg, axes, layer, margin, width: 400, height: 280, x: [-1, 1], y: [0, 1],
    px: (value) => margin.left + ((value - plot.x[0]) / (plot.x[1] - plot.x[0])) * plot.innerWidth(),
    py: (value) => plot.height - margin.bottom
      - ((value - plot.y[0]) / (plot.y[1] - plot.y[0])) * plot.innerHeight(),
    innerWidth: () => plot.width - margin.left - margin.right,
    innerHeight: () => plot.height - margin.top - margin.bottom,
    // The values at a place of the screen.
    at(clientX, clientY) {
      const box = svg.getBoundingClientRect();
      const fx = ((clientX - box.left) * (plot.width / box.width) - margin.left) / plot.innerWidth();
      const fy = (plot.height - margin.bottom - (clientY - box.top) * (plot.height / box.height)) / plot.innerHeight();
      return [plot.x[0] + fx * (plot.x[1] - plot.x[0]), plot.y[0] + fy * (plot.y[1] - plot.y[0])];
    },
    // Takes the width of the panel, and leaves `reserve` pixels of the height to others. True if that has changed.
    fit(reserve = 0) {
      if (isStale) panelWidth = innerWidthOf(svg.parentElement);
      isStale = false;
      const width = panelWidth;
      const height = Math.round(Math.min(most, Math.max(least, width * aspect))) - reserve;
      if (width <= 0 || (width === plot.width && height === plot.height && drawn !== "")) return false;
      plot.width = width;
      plot.height = height;
      set(svg, { viewBox: `0 0 ${plot.width} ${plot.height}`, height: plot.height });
      drawn = "";
      return true;
    },
    frame(x, y, draw) {
      plot.x = x;
      plot.y = y;
      const key = `${plot.width} ${plot.height} ${x} ${y}`;
      if (key === drawn) return false;
      drawn = key;
      axes.replaceChildren();
      draw(plot);
      return true;
    },
  };
  return plot;
}

// A horizontal and a vertical axis with ticks, through the given values.
export function drawAxes(plot, { xLabel, yLabel, xAt = 0, yAt = 0, xTicks = 4, yTicks = 4, format = String }) {
  const { axes, px, py } = plot;
  const [left, right, bottom, top] = [px(plot.x[0]), px(plot.x[1]), py(plot.y[0]), py(plot.y[1])];
  for (const value of ticks(plot.x[0], plot.x[1], xTicks)) {
    add(axes, "path", { class: "grid", d: `M${px(value)} ${bottom}V${top}` });
    add(axes, "text", { class: "tick", x: px(value), y: bottom + 15, "text-anchor": "middle" }, format(value));
  }
  for (const value of ticks(plot.y[0], plot.y[1], yTicks)) {
    add(axes, "path", { class: "grid", d: `M${left} ${py(value)}H${right}` });
    add(axes, "text", { class: "tick", x: left - 6, y: py(value) + 4, "text-anchor": "end" }, format(value));
  }
  add(axes, "path", { class: "axis", d: `M${left} ${py(yAt)}H${right}M${px(xAt)} ${bottom}V${top}` });
  add(axes, "text", { class: "label", x: (left + right) / 2, y: plot.height - 3, "text-anchor": "middle" }, xLabel);
  add(axes, "text", { class: "label", x: 4, y: 14 }, yLabel);
}

// Labels of ticks with a real minus sign.
export function tickText(value) {
  return String(value).replace("-", "−");
}
