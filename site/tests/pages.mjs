// SPDX-License-Identifier: MIT
// Looks at the pages of the site in Chromium, from file://:
//   node pages.mjs SITE MODULES [--every] [--only TEXT] [--shots FOLDER]
// MODULES is a folder with node_modules (playwright-core, axe-core). Fails if axe-core finds a violation, in light
// colours on all pages and in dark ones and in a narrow window on some; if a page asks a host for anything, or writes
// an error to the console; if the search does not find early what it should; if the man page is not formatted. Of the
// pages that only show a source file, which one function makes, it looks at one of each kind; with --every at all.
import { createRequire } from "node:module";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { execFileSync } from "node:child_process";

const [site, modules] = process.argv.slice(2, 4).map((path) => resolve(path));
const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const require = createRequire(join(modules, "package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const LOOKED_AT = ["index.html", "docs/theory.html", "docs/gallery/README.html", "docs/gallery/impact.html",
  "docs/api.html", "docs/python-api.html", "docs/tutorial.html", "search.html"];
const ALSO_DARK = ["index.html", "docs/python-api.html", "docs/theory.html", "docs/tutorial.html", "docs/gallery/impact.html"];
const ALSO_NARROW = ["index.html", "docs/python-api.html", "python/notebooks/damping.ipynb.html", "docs/gallery/README.html", "docs/tutorial.html"];
// What must be among the first results of the search; the changelog and source files must not.
const SEARCHES = { hysteresis: "docs/guide", jager_contact_move: "docs/api", write_assembly: "docs/python-api", "G/Gmax": "docs/gallery/damping",
  density_scaling: "docs/case", gravity: "docs/case", walls: "docs/lammps", springs: "docs/theory", LAMMPS: "docs/lammps",
  "--resume": "docs/guide" };
const FIRST_RESULTS = 3;
const faults = [];

function htmlFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name.startsWith("_") ? [] : htmlFiles(path);
    return entry.name.endsWith(".html") ? [relative(site, path)] : [];
  });
}

// The explorer is a page of its own kind, with tests of its own.
const wanted = (name) => name !== "explorer.html" && name.includes(option("--only") ?? "");
const kindOf = (name) => name.match(/\.(?!ipynb)[a-z0-9]+(?=\.html$)/)?.[0];
const firstOfKind = (name, place, names) =>
  !kindOf(name) || names.findIndex((other) => kindOf(other) === kindOf(name)) === place;
const found = htmlFiles(site).filter(wanted).sort();
const pages = process.argv.includes("--every") || option("--only") ? found : found.filter(firstOfKind);

async function open(browser, settings) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce",
    offline: true, ...settings });
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(`${page.url()}: console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`${page.url()}: ${error.message}`));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) faults.push(`${page.url()}: asks for ${request.url()}`);
  });
  return page;
}

const address = (name) => pathToFileURL(join(site, name)).href;

async function violations(page, name, kind) {
  await page.goto(address(name));
  await page.evaluate(axe);
  const rules = kind === "dark" ? { runOnly: ["color-contrast", "link-in-text-block"] } : {};
  const violated = await page.evaluate(async (options) => (await window.axe.run(document, options)).violations,
    { resultTypes: ["violations"], elementRef: false, iframes: false, preload: false, ...rules });
  for (const { id, impact, help, nodes } of violated) {
    const first = nodes.slice(0, 2).map((node) => `${node.html.slice(0, 160)}  ${node.failureSummary ?? ""}`);
    faults.push(`${name} (${kind}): ${id}, ${impact}: ${help}; ${nodes.length} places\n    ${first.join("\n    ")}`);
  }
}

async function checkNarrow(page, name) {
  await violations(page, name, "narrow");
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (wider > 0) faults.push(`${name}: wider than a narrow window by ${wider} pixels`);
}

async function checkSearch(page) {
  for (const [query, expected] of Object.entries(SEARCHES)) {
    await page.goto(`${address("search.html")}?q=${encodeURIComponent(query)}`);
    try {
      await page.locator(`ul.search a[href*="${expected}.html"]`).first().waitFor({ timeout: 5000 });
      await page.locator("ul.search .context").first().waitFor({ timeout: 2000 });
    } catch {
      faults.push(`the search for ${query} does not find ${expected}, or shows no piece of it`);
      continue;
    }
    const links = await page.locator("ul.search li > a").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
    const first = links.slice(0, FIRST_RESULTS);
    if (!first.some((link) => link.startsWith(`${expected}.html`)))
      faults.push(`the search for ${query} does not find ${expected} among the first, but ${first.join(", ")}`);
    for (const link of first.filter((link) => /CHANGELOG|\.(?!ipynb)[a-z]+\.html/.test(link)))
      faults.push(`the search for ${query} has ${link} among the first`);
  }
}

// The man page is formatted: sections are headings, and no request of roff is left.
async function checkManPage(page) {
  await page.goto(address("docs/man/jager.1.html"));
  const headings = await page.locator("article h2").allTextContents();
  const text = await page.locator("article").textContent();
  if (!headings.some((heading) => heading.startsWith("SYNOPSIS")) || !text.includes("--resume"))
    faults.push(`the man page has no section SYNOPSIS, or not its text: ${headings}`);
  if (/(^|\n)\.(SH|TP|B|BR|IR|PP)\b|\\f[BIR]|\\\(/.test(text)) faults.push("the man page shows roff");
}

async function each(names, page, check) {
  for (let name = names.shift(); name; name = names.shift()) await check(page, name);
}

async function takeShots(browser, folder) {
  const screens = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } };
  for (const [size, viewport] of Object.entries(screens)) {
    for (const colorScheme of ["light", "dark"]) {
      const page = await open(browser, { viewport, colorScheme });
      for (const name of pages.filter((page) => LOOKED_AT.includes(page) || option("--only"))) {
        await page.goto(address(name) + (name === "search.html" ? "?q=partial+slip" : ""));
        await page.waitForTimeout(name === "search.html" ? 800 : 50);
        await page.screenshot({ path: join(folder, `${name.replaceAll("/", "-")}-${size}-${colorScheme}.png`) });
      }
      await page.context().close();
    }
  }
}

const chromiumPath = execFileSync("sh", ["-c", "command -v chromium || command -v chromium-browser"]).toString().trim();
const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
if (option("--shots")) {
  await takeShots(browser, option("--shots"));
} else {
  const started = Date.now();
  const some = (names) => names.filter((name) => pages.includes(name));
  const queue = [...pages];
  await Promise.all([1, 2].map(async () => each(queue, await open(browser, {}), (page, name) =>
    violations(page, name, "light"))));
  await each(some(ALSO_DARK), await open(browser, { colorScheme: "dark" }), (page, name) =>
    violations(page, name, "dark"));
  await each(some(ALSO_NARROW), await open(browser, { viewport: { width: 390, height: 844 } }), checkNarrow);
  if (!option("--only")) {
    await checkSearch(await open(browser, {}));
    await checkManPage(await open(browser, {}));
  }
  const seconds = ((Date.now() - started) / 1000).toFixed(0);
  console.log([...faults, `site: ${pages.length} of ${found.length} pages in Chromium, some also dark and narrow: ` +
    `${faults.length} faults, ${seconds} s`].join("\n"));
}
await browser.close();
process.exit(faults.length > 0 ? 1 : 0);
