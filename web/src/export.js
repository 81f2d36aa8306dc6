// SPDX-License-Identifier: MIT
// Paths and pictures as files, and back: CSV for `jager contact`, results with all digits, Python lines, SVG.
import { DEFAULT_LAW } from "./scale.js";
import { toArray, toPoints } from "./state.js";

const OPTIONS = { "shear-modulus": "shearModulus", poisson: "poisson", friction: "friction", radius: "radius" };
const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity",
  "stroke-linejoin", "stroke-linecap", "fill-rule", "opacity", "font-size", "font-weight", "font-family", "visibility"];

// The command that computes the same contact.
export function commandLine(law, file) {
  const options = Object.entries(OPTIONS).map(([option, key]) => `--${option}=${law[key]}`);
  return `jager contact ${options.join(" ")} ${file}`;
}

export function pathCsv(engine, snapshot) {
  return `# ${commandLine(snapshot.law, "path.csv")}\n${engine.toCsv(toArray(snapshot.points))}`;
}

// The columns of `jager contact`, with digits that read back to the bit.
export function resultsCsv(engine, snapshot) {
  const walk = engine.walk(snapshot.law, "jager", toArray(snapshot.points));
  const lines = ["step,zeta,xi1,xi2,fn,ft1,ft2,length,stored,dissipated"];
  snapshot.points.forEach((point, i) => {
    const results = [walk.fn, walk.ft1, walk.ft2, walk.length, walk.stored, walk.dissipated].map((list) => list[i]);
    lines.push([i + 1, ...point, ...results].join(","));
  });
  return `${lines.join("\n")}\n`;
}

// A path from the CSV of `jager contact`; the grains from the command in its first line, if there is one.
export function readCsv(engine, text) {
  const points = toPoints(engine.parseCsv(text));
  const law = { ...DEFAULT_LAW };
  const command = /^\s*#\s*jager contact\s+(.*)$/m.exec(text)?.[1] ?? "";
  for (const [option, key] of Object.entries(OPTIONS)) {
    const value = Number(new RegExp(`--${option}[= ]([-+.\\deE]+)`).exec(command)?.[1] ?? NaN);
    if (Number.isFinite(value) && value >= 0) law[key] = value;
  }
  return { points, law };
}

function pythonList(name, items) {
  const lines = [];
  let line = "   ";
  for (const item of items) {
    if (line.length + item.length > 108) {
      lines.push(line);
      line = "   ";
    }
    line += ` ${item},`;
  }
  lines.push(line);
  return `${name} = [\n${lines.join("\n")}\n]`;
}

export function pythonLines(snapshot) {
  const { law, points } = snapshot;
  return `import jager

law = jager.Law(G=${law.shearModulus}, nu=${law.poisson}, friction=${law.friction})
contact = jager.Contact(law, ${law.radius}, ${law.radius})      # two spheres, radii in m
# half of the approach and of the shift after each movement, in m
${pythonList("zeta", points.map((point) => String(point[0])))}
${pythonList("xi", points.map((point) => `(${point[1]}, ${point[2]})`))}
path = contact.walk(zeta, xi, energy=True)
print(f"Fn = {path.fn[-1]:.6g} N, Ft = {path.ft[-1]} N, lost {path.dissipated[-1]:.6g} J")
`;
}

// Copies what style sheets say about an element into its attributes, so that the picture stands alone.
function inlineStyles(from, to) {
  const style = getComputedStyle(from);
  for (const name of STYLES) to.setAttribute(name, style.getPropertyValue(name));
  for (const name of ["class", "tabindex", "role"]) to.removeAttribute(name);
  for (const name of to.getAttributeNames()) if (name.startsWith("aria-")) to.removeAttribute(name);
  Array.from(from.children).forEach((child, i) => inlineStyles(child, to.children[i]));
}

// The views side by side, two in a row, as one SVG file.
export function viewsSvg(svgs, defs) {
  const width = Math.max(...svgs.map((svg) => svg.viewBox.baseVal.width));
  const height = Math.max(...svgs.map((svg) => svg.viewBox.baseVal.height));
  const parts = svgs.map((svg, i) => {
    const copy = svg.cloneNode(true);
    inlineStyles(svg, copy);
    for (const extra of copy.querySelectorAll("[data-screen]")) extra.remove();
    const place = `translate(${(i % 2) * (width + 24)} ${Math.floor(i / 2) * (height + 24)})`;
    return `<g transform="${place}">${copy.innerHTML}</g>`;
  });
  const copy = defs.cloneNode(true);
  inlineStyles(defs, copy);
  const ground = getComputedStyle(document.body).backgroundColor;
  const rows = Math.ceil(svgs.length / 2);
  const size = [2 * width + 64, rows * (height + 24) + 16];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size[0]}" height="${size[1]}" viewBox="-20 -20 ${size[0]} ${
    size[1]}">\n<rect x="-20" y="-20" width="100%" height="100%" fill="${ground}"/>\n<defs>${copy.innerHTML}</defs>\n${
    parts.join("\n")}\n</svg>\n`;
}

export function download(name, text, type) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob([text], { type }));
  anchor.download = name;
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10000);
}
