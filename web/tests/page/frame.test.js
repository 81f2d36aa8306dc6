// SPDX-License-Identifier: MIT
// Speed, access and the assembly. The speed comes first, before the assembly takes a processor.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { closeBrowser, handleAt, open, openBrowser, openCsv, settle, troubles, until, value } from "./browser.js";

before(openBrowser);
after(closeBrowser);

const FRAME = 16; // ms
const MOVES = 50;

// Presses with a changing slope: nothing slips, and each movement leaves a point.
function longHistory(points) {
  const lines = ["dzeta,dxi1", "2e-8,0"];
  for (let i = 0; i < points; i += 1) lines.push(`3e-10,${1.5e-10 * Math.sin(0.7 * i)}`);
  return `${lines.join("\n")}\n`;
}

// Times each pointermove: its handling, the drawing in the next frame, and style and layout.
function instrument() {
  const times = (window.frameTimes = []);
  let handling = 0;
  const handle = document.getElementById("handle");
  let start = 0;
  handle.addEventListener("pointermove", () => (start = performance.now()), { capture: true });
  document.addEventListener("pointermove", () => (handling += performance.now() - start));
  const ask = window.requestAnimationFrame;
  window.requestAnimationFrame = (draw) => ask((time) => {
    const begin = performance.now();
    draw(time);
    document.body.getBoundingClientRect();
    for (const svg of document.querySelectorAll(".views svg")) svg.getBBox();
    times.push(handling + performance.now() - begin);
    handling = 0;
  });
}

function quantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor(share * (sorted.length - 1))];
}

test(`a frame of dragging takes less than ${FRAME} ms with a history of 200 points`, async (context) => {
  const page = await open();
  await openCsv(page, longHistory(220));
  await page.click('[data-model="hertz-mindlin"]');
  await settle(page);
  assert.ok(Number(await value(page, "length")) > 200);
  const [x, y] = await handleAt(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.evaluate(instrument);
  for (let i = 1; i <= MOVES; i += 1) {
    await page.mouse.move(x + 2 * Math.sin(i), y - 0.5 * i);
    await settle(page);
  }
  await page.mouse.up();
  assert.ok(Number(await value(page, "length")) > 200);
  const times = await page.evaluate(() => window.frameTimes.filter((time) => time > 0.3));
  const text = `frame: median ${quantile(times, 0.5).toFixed(2)} ms, 95 % below ${quantile(times, 0.95).toFixed(2)} ms`;
  context.diagnostic(text);
  assert.ok(times.length >= MOVES / 2);
  assert.ok(quantile(times, 0.5) < FRAME, text);
  await page.close();
});

test("the assembly packs, shears and measures under both laws, in a worker", async () => {
  const page = await open("", { viewport: { width: 1280, height: 900 } });
  assert.match(await page.textContent("#assembly-status"), /Not started/);
  const workers = page.workers().length;
  await page.click("#assembly-run");
  await until(page, () => /step [1-9]/.test(document.getElementById("assembly-status").textContent));
  assert.equal(page.workers().length, workers + 1);
  await page.selectOption("#assembly-shown", "hertz-mindlin");
  const axe = axeOnPages();
  await until(page, () => {
    const row = document.querySelector("#assembly-table tr");
    return row && Array.from(row.cells).every((cell) => !cell.textContent.includes("…"));
  }, 60000);
  await axe;
  const cells = await page.$$eval("#assembly-table tr:first-child > *", (all) => all.map((cell) => cell.textContent));
  assert.match(cells[1], /\d MPa/);
  assert.match(cells[3], /\d MPa/);
  await page.click("#assembly-run");
  await until(page, () => document.getElementById("assembly-run").textContent === "Go on");
  await page.click("#assembly-reset");
  while (page.workers().length > workers) await page.waitForTimeout(50);
  await page.close();
});

// axe-core finds nothing on the page, light and dark, wide and narrow, with everything opened.
async function axeOnPages() {
  const source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf-8");
  const windows = [["light", 1280, "#step=3"], ["dark", 390, "#step=7"]];
  for (const [colorScheme, width, fragment] of windows) {
    const page = await open(fragment, { colorScheme, viewport: { width, height: 800 }, bypassCSP: true });
    await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
    await page.evaluate(source);
    const found = await page.evaluate(() => window.axe.run().then(({ violations }) => violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join("; ")}`)));
    assert.deepEqual(found, [], colorScheme);
    await page.close();
  }
}

test("no error in the console, and no request to any host", () => {
  assert.deepEqual(troubles, []);
});
