// SPDX-License-Identifier: MIT
// The buttons of "Keep and share", and files that are opened or dropped on the page.
import { writeAddress } from "./address.js";
import { download, pathCsv, pythonLines, readCsv, resultsCsv, viewsSvg } from "./export.js";
import { scaleFor } from "./scale.js";
import { EMPTY } from "./state.js";

const byId = (id) => document.getElementById(id);

async function copyLink(state, say) {
  const fragment = writeAddress(state.get());
  if (fragment === null) {
    say("This path is too long for an address: save it as CSV.");
    return;
  }
  history.replaceState(null, "", `#${fragment}`);
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is in the clipboard.");
  } catch {
    say("The link is the address of this page.");
  }
}

const DEEP = 0.1; // of the radius: contacts are small in the theory

function told(name, points, law, largest) {
  const count = `${name}: ${points.length} ${points.length === 1 ? "movement" : "movements"}.`;
  return largest > DEEP * law.radius
    ? `${count} It presses by more than a tenth of the radius, deeper than the theory holds. Is the file in metres?` : count;
}

// The reader of the program names the file, and options that this page has not.
function readable(text) {
  const rest = text.replace(/^path\.csv:/, "line ");
  return rest.includes("--control force") ? `${rest} of \`jager contact\`: this page reads movements only` : rest;
}

async function openFile(engine, state, file, say) {
  try {
    const { points, law } = readCsv(engine, await file.text());
    const largest = points.reduce((most, point) => Math.max(most, point[0]), 0);
    const plane = points.some((point) => point[2] !== 0);
    const { tolerance, ghosts } = state.get();
    const path = { points, at: points.length, plane, scale: scaleFor(largest) };
    state.change({ ...EMPTY, ...path, law, tolerance, ghosts }, "open");
    say(told(file.name, points, law, largest));
  } catch (error) {
    say(`${file.name}: ${readable(error.message)}`);
  }
}

export function connectExport(engine, state, svgs, say) {
  const save = (id, name, type, make) => byId(id).addEventListener("click", () => {
    download(name, make(), type);
    say(`${name} is saved.`);
  });
  save("save-csv", "path.csv", "text/csv", () => pathCsv(engine, state.get()));
  save("save-results", "forces.csv", "text/csv", () => resultsCsv(engine, state.get()));
  save("save-python", "path.py", "text/x-python", () => pythonLines(state.get()));
  save("save-svg", "contact.svg", "image/svg+xml", () => viewsSvg(svgs, byId("shared-defs")));
  byId("copy-link").addEventListener("click", () => copyLink(state, say));
  byId("open-csv").addEventListener("change", (event) => {
    const [file] = event.target.files;
    event.target.value = "";
    if (file) openFile(engine, state, file, say);
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) openFile(engine, state, file, say);
  });
}
