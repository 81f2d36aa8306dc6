// SPDX-License-Identifier: MIT
// One Chromium for all tests, pages that note every error and request, and the ways a reader uses them.
import { readFile, writeFile, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const html = pathToFileURL(resolve(process.env.JAGER_EXPLORER ?? "explorer.html")).href;
export const program = process.env.JAGER_PROGRAM ?? "jager";
export const troubles = []; // errors in the console, and requests to anything but the file itself

let browser = null;
const contexts = new Map(); // by their options: a new page in an old context is quick

export async function openBrowser() {
  const executablePath = process.env.JAGER_CHROMIUM ?? "/usr/bin/chromium";
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

export async function closeBrowser() {
  await browser?.close();
}

function watch(page) {
  page.on("pageerror", (error) => troubles.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) troubles.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!/^(file|blob|data):/.test(request.url())) troubles.push(`request: ${request.url()}`);
  });
}

// A new page with the explorer. Paths do not play: reduced motion shows them at once.
export async function open(fragment = "", options = {}) {
  const key = JSON.stringify(options);
  if (!contexts.has(key)) {
    contexts.set(key, await browser.newContext({
      viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", acceptDownloads: true, ...options,
    }));
  }
  const page = await contexts.get(key).newPage();
  page.setDefaultTimeout(15000);
  watch(page);
  await page.goto(html + fragment);
  await page.waitForSelector("html[data-ready]");
  await settle(page);
  return page;
}

// Waits until everything is drawn, and the address is written.
export async function settle(page, wait = 0) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  if (wait > 0) await page.waitForTimeout(wait);
}

// Waits until the function gives true in the page. (page.waitForFunction needs an eval, which the page forbids.)
export async function until(page, condition, timeout = 10000) {
  const end = Date.now() + timeout;
  while (!await page.evaluate(condition)) {
    if (Date.now() > end) throw new Error(`waited ${timeout} ms for ${condition}`);
    await page.waitForTimeout(50);
  }
}

export function value(page, key) {
  return page.textContent(`[data-value="${key}"]`);
}

export async function movements(page) {
  return Number((await page.textContent("#time-text")).split(" of ")[1]);
}

// The text of a file that a button saves.
export async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
  return readFile(await download.path(), "utf-8");
}

export async function openCsv(page, text) {
  await page.setInputFiles("#open-csv", { name: "path.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await until(page, () => /path\.csv/.test(document.getElementById("message").textContent));
  await settle(page);
}

export async function fileWith(text) {
  const folder = await mkdtemp(join(tmpdir(), "jager-page-"));
  const name = join(folder, "path.csv");
  await writeFile(name, text);
  return name;
}

// The middle of the draggable point on the screen.
export async function handleAt(page) {
  const box = await page.locator("#handle .dot").boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

export async function drag(page, ...offsets) {
  const [x, y] = await handleAt(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (const [dx, dy] of offsets) await page.mouse.move(x + dx, y + dy, { steps: 8 });
  await page.mouse.up();
  await settle(page);
}

// The rows of a CSV as arrays of numbers, by the names of its header.
export function columns(text, ...names) {
  const [header, ...lines] = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const places = names.map((name) => header.split(",").indexOf(name));
  return lines.map((line) => places.map((place) => Number(line.split(",")[place])));
}
