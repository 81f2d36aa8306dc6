// SPDX-License-Identifier: MIT
// The explorer in Chromium: moving the point in all ways, undo, links, files, the story, windows, colours.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import {
  closeBrowser, columns, drag, fileWith, handleAt, movements, open, openBrowser, openCsv, program, saved, settle,
  troubles, until, value,
} from "./browser.js";

before(openBrowser);
after(closeBrowser);

const FORCES = ["fn", "ft1", "ft2"];
const SECOND = { viewport: { width: 1200, height: 800 } }; // a window of its own: a page in the background draws rarely

// Numbers that are the same on each run.
function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

// Presses, shears in one or two directions, slides, and now and then parts and touches again. Positions: a path holds
// these to the bit, while sums of changes are rounded.
function randomPath(seed, directions) {
  const next = random(seed);
  const lines = [directions === 2 ? "zeta,xi1,xi2" : "zeta,xi1"];
  const shear = Array.from({ length: directions }, () => 0);
  let zeta = 0;
  for (let i = 0; i < 200; i += 1) {
    if (i % 3 === 0) zeta = next() < 0.1 ? -2e-9 : 1.5e-7 * next();
    else zeta += 1e-9 * (next() - 0.3);
    for (let k = 0; k < directions; k += 1) shear[k] += 6e-8 * (next() - 0.5) * next();
    lines.push([zeta, ...shear].join(","));
  }
  return `${lines.join("\n")}\n`;
}

test("a drag moves the point, and one undo takes it back", async () => {
  const page = await open();
  const first = await movements(page);
  const before = await value(page, "xi");
  await drag(page, [60, 0], [-20, -10]);
  assert.ok(await movements(page) > first + 8);
  assert.notEqual(await value(page, "xi"), before);
  assert.match(await value(page, "state"), /slips|slides/);
  await page.click("#undo");
  await settle(page);
  assert.equal(await movements(page), first);
  assert.equal(await value(page, "xi"), before);
  await page.click("#redo");
  await settle(page);
  assert.ok(await movements(page) > first + 8);
  await page.keyboard.press("Control+z");
  await settle(page);
  assert.equal(await movements(page), first);
  await page.close();
});

test("a click on the pad is one straight movement, and the scrubber goes back in time", async () => {
  const page = await open();
  const [x, y] = await handleAt(page);
  const first = await movements(page);
  await page.mouse.click(x + 80, y - 20);
  await settle(page);
  assert.equal(await movements(page), first + 1);
  await page.locator("#time").fill("0");
  await settle(page);
  assert.match(await value(page, "state"), /apart/);
  await page.locator("#time").fill("10");
  await settle(page);
  assert.match(await page.textContent("#time-text"), /^10 of/);
  await page.focus("#handle");
  await page.keyboard.press("ArrowRight");
  await settle(page);
  assert.equal(await movements(page), 11, "what came later is replaced");
  await page.close();
});

test("arrow keys move the point, and the values are told", async () => {
  const page = await open("#step=1");
  await page.focus("#handle");
  const first = await movements(page);
  const keys = ["ArrowRight", "ArrowRight", "Shift+ArrowUp", "ArrowDown", "ArrowLeft"];
  for (const key of keys) await page.keyboard.press(key);
  await settle(page, 700);
  assert.equal(await movements(page), first + 5);
  assert.match(await page.textContent("#live"), /points remembered/);
  assert.match(await page.getAttribute("#handle", "aria-valuetext"), /pressed by/);
  await page.click("#plane");
  await page.focus("#handle");
  await page.keyboard.press("Shift+ArrowUp");
  await page.keyboard.press("PageUp");
  await settle(page);
  assert.match(await value(page, "xi"), /,/);
  await page.close();
});

test("the memory is walked through with keys and lights its annulus", async () => {
  const page = await open("#step=4");
  assert.equal(await page.getAttribute(".lit-face", "d"), "");
  await page.focus("#memory-slider");
  await settle(page);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowUp");
  await settle(page);
  assert.match(await page.getAttribute("#memory-slider", "aria-valuetext"), /point 2 of \d+: annulus from/);
  assert.notEqual(await page.getAttribute(".lit-face", "d"), "");
  assert.notEqual(await page.getAttribute(".lit-area", "d"), "");
  const points = await page.locator("#cone").boundingBox();
  await page.mouse.move(points.x + 2, points.y + 2);
  await page.locator("#undo").focus();
  await settle(page);
  assert.equal(await page.getAttribute(".lit-face", "d"), "");
  await page.close();
});

test("touch drags the point", async () => {
  const page = await open("", { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
  await page.locator("#handle").scrollIntoViewIfNeeded();
  const [x, y] = await handleAt(page);
  const first = await movements(page);
  const touch = await page.context().newCDPSession(page);
  const send = (type, points) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  await send("touchStart", [{ x, y }]);
  for (let i = 1; i <= 10; i += 1) await send("touchMove", [{ x: x + 5 * i, y: y - 2 * i }]);
  await send("touchEnd", []);
  await settle(page);
  assert.ok(await movements(page) > first + 4);
  await page.close();
});

test("a link gives the same forces to the bit", async () => {
  const page = await open();
  await drag(page, [50, -20], [-70, 15], [20, 20]);
  await settle(page, 300);
  const fragment = new URL(page.url()).hash;
  assert.match(fragment, /p=g/);
  const forces = await saved(page, "#save-results");
  const other = await open(fragment, SECOND);
  assert.equal(await saved(other, "#save-results"), forces);
  await other.evaluate(() => {
    location.hash = "#p=g1A!";
  });
  await settle(other, 50);
  assert.match(await other.textContent("#message"), /link is damaged/);
  const place = await other.locator("#message").boundingBox();
  assert.ok(place.y >= 0 && place.y < 100, "the message is in sight");
  await page.close();
  await other.close();
});

test("wrong grains are refused with a word, and the address names a step while it plays", async () => {
  const page = await open();
  await page.evaluate(() => document.querySelectorAll("details").forEach((part) => part.setAttribute("open", "")));
  const before = await saved(page, "#save-results");
  await page.fill("#grains input[name=friction]", "-1");
  await page.dispatchEvent("#grains", "change");
  assert.match(await page.textContent("#message"), /Friction f: .*before is still used/);
  assert.equal(await saved(page, "#save-results"), before);
  await page.click("#next");
  assert.match(new URL(page.url()).hash, /step=2/);
  assert.equal(await page.textContent("#message"), "", "a step clears it");
  await page.close();
});

test("random paths have the forces of jager contact to the bit, and come back by CSV and by link", async () => {
  const page = await open();
  const other = await open("", SECOND);
  for (const [seed, directions] of [[1, 1], [2, 2], [3, 2]]) {
    await openCsv(page, randomPath(seed, directions));
    const forces = await saved(page, "#save-results");
    const path = await saved(page, "#save-csv");
    const options = /^# jager contact (.*) path\.csv$/m.exec(path)[1].split(" ");
    const run = async (text) => execFileSync(program, ["contact", ...options, await fileWith(text)]).toString();
    const expected = columns(await run(randomPath(seed, directions)), ...FORCES, "dissipated");
    assert.equal(expected.length, 200);
    assert.deepEqual(columns(forces, ...FORCES, "dissipated"), expected);
    assert.deepEqual(columns(await run(path), ...FORCES, "dissipated"), expected);
    await openCsv(other, path);
    assert.equal(await saved(other, "#save-results"), forces, "by the exported path");
    await settle(page, 200);
    const fragment = new URL(page.url()).hash;
    assert.match(fragment, /p=x/);
    await other.evaluate((hash) => {
      location.hash = "#step=1";
      location.hash = hash;
    }, fragment);
    await settle(other);
    assert.equal(await saved(other, "#save-results"), forces, "by the link");
  }
  await page.close();
  await other.close();
});

test("other exports: SVG that is one, Python lines with the path; a wrong CSV is refused", async () => {
  const page = await open("#step=3");
  const svg = await saved(page, "#save-svg");
  const root = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    return `${parsed.documentElement.nodeName} ${parsed.querySelectorAll("g > path").length > 20}`;
  }, svg);
  assert.equal(root, "svg true");
  const python = await saved(page, "#save-python");
  assert.match(python, /contact\.walk\(zeta, xi, energy=True\)/);
  const before = await movements(page);
  await openCsv(page, "dzeta,dxi1\n1e-7,oops\n");
  assert.match(await page.textContent("#message"), /path\.csv: .*/);
  assert.equal(await movements(page), before);
  await page.close();
});

test("the story from its first step to its last, left and found again", async () => {
  const page = await open();
  const titles = [];
  for (let step = 1; step <= 8; step += 1) {
    titles.push(await page.textContent("#step-title"));
    assert.equal(await page.isVisible("#back"), false);
    assert.ok(await movements(page) > 20);
    if (step < 8) await page.click("#next");
    await settle(page);
  }
  assert.equal(new Set(titles).size, 8);
  assert.ok(await page.isDisabled("#next"));
  const kept = await movements(page);
  await drag(page, [30, 0]);
  assert.equal(await page.isVisible("#back"), true);
  await page.click("#back");
  await settle(page);
  assert.equal(await movements(page), kept);
  assert.equal(await page.isVisible("#back"), false);
  await page.click("#steps li:nth-child(6) button");
  await settle(page);
  assert.equal(await page.getAttribute('[data-model="hertz-mindlin"]', "aria-pressed"), "true");
  assert.match(await value(page, "lost-hertz-mindlin"), /J/);
  await page.click("#steps li:nth-child(7) button");
  await page.waitForSelector('[data-value="lost-springs"]');
  await page.close();
});

test("a path plays, without reduced motion", async () => {
  const page = await open("", { reducedMotion: "no-preference" });
  await until(page, () => /^([1-9]\d*) of/.test(document.getElementById("time-text").textContent));
  await page.click("#play");
  await settle(page);
  await page.close();
});

for (const [width, height] of [[360, 640], [768, 1024]]) {
  test(`a window of ${width} by ${height} has no horizontal scroll`, async () => {
    const page = await open("#step=7", { viewport: { width, height } });
    const [inner, scroll] = await page.evaluate(() => [window.innerWidth, document.documentElement.scrollWidth]);
    assert.ok(scroll <= inner, `${scroll} > ${inner}`);
    const small = await page.$$eval("button, select, summary, .button", (all) => all.filter((element) => {
      const box = element.getBoundingClientRect();
      return box.width > 0 && (box.height < 24 || box.width < 24);
    }).map((element) => element.id || element.textContent));
    assert.deepEqual(small, []);
    await page.close();
  });
}

test("dark as the system says, or by the switch", async () => {
  const page = await open("", { colorScheme: "dark" });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await page.click("#theme");
  assert.notEqual(await ground(), dark);
  assert.match(await page.textContent("#theme"), /Dark/);
  await page.close();
});

test("no error in the console, and no request to any host", () => {
  assert.deepEqual(troubles, []);
});
