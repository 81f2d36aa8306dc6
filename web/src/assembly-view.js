// SPDX-License-Identifier: MIT
// The live assembly: its worker, the box, the stress–strain loops of both laws, and the table of G and D.
import { drawBox } from "./assembly-box.js";
import { withUnit } from "./scale.js";
import { add, createPlot, drawAxes, line, set, tickText } from "./svg.js";

const OPTIONS = { spheres: 120, friction: 0.5, pressure: 100e3, packingFriction: 0 };
const LAWS = ["jager", "hertz-mindlin"];
const CYCLE = 100; // points of a cycle, of 2,000 steps: the worker takes one in 20 steps
const KEPT = 210; // points of a loop: some two cycles
const PHASES = { packing: "packing the grains", rest: "coming to rest", shear: "shearing", waiting: "waiting" };

// The largest stress of the loops, rounded up to 1, 1.5, 2, 3, 5 or 7 times a power of ten.
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.5, 2, 3, 5, 7, 10].find((factor) => factor * power >= value) ?? 10) * power;
}

// The middle of the last cycle, [gamma, tau]: a swing goes on from where the one before was left.
function middleOf(loop) {
  const middle = [0, 0];
  const start = Math.max(0, loop.length - 2 * CYCLE);
  for (const k of loop.length >= CYCLE ? [0, 1] : []) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = start + k; i < loop.length; i += 2) {
      low = Math.min(low, loop[i]);
      high = Math.max(high, loop[i]);
    }
    middle[k] = (low + high) / 2;
  }
  return middle;
}

// The loop from the middle of its last cycle.
function centred(loop) {
  const middle = middleOf(loop);
  return loop.map((value, i) => value - middle[i % 2]);
}

// Loops of both laws in one plot; take(gamma, tau, modulus): the value that is drawn, Pa.
function createLoops(svg, shape, yLabel, take) {
  const plot = createPlot(svg, { margin: { left: 46, right: 12, top: 24, bottom: 36 }, ...shape });
  const curves = new Map(LAWS.map((law) => [law, add(plot.layer, "path", { class: `path law-${law}` })]));
  return {
    // loops: law -> gamma, tau, gamma, tau, ...; moduli: law -> G of its last cycle, Pa
    draw(loops, moduli, amplitude) {
      plot.fit();
      const values = new Map(Array.from(loops, ([law, loop]) => [law, Float64Array.from({ length: loop.length / 2 },
        (_, i) => take(loop[2 * i], loop[2 * i + 1], moduli.get(law)))]));
      let most = 0;
      for (const list of values.values()) for (const value of list) if (Math.abs(value) > most) most = Math.abs(value);
      const top = roundUp((most * 1.05) / 1e3 || 1);
      const power = Math.floor(Math.log10(amplitude * 1.0001));
      const right = (amplitude / 10 ** power) * 1.2;
      plot.frame([-right, right], [-top, top], () => drawAxes(plot, {
        xLabel: `shear γ from the middle of the swing, in 10${superscript(power)}`, yLabel, format: tickText,
      }));
      for (const [law, list] of values) {
        const gamma = (i) => plot.px(loops.get(law)[2 * i] / 10 ** power);
        set(curves.get(law), { d: line(list.length, gamma, (i) => plot.py(list[i] / 1e3)) });
      }
    },
  };
}

function superscript(power) {
  return String(power).replace("-", "⁻").replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);
}

// The last cycle of each law at each amplitude, as rows of a table.
function createTable(body) {
  const rows = new Map(); // amplitude -> {law: cycle}
  return {
    add(amplitude, law, cycle) {
      rows.set(amplitude, { ...rows.get(amplitude), [law]: cycle });
    },
    clear: () => rows.clear(),
    draw(names) {
      body.replaceChildren(...Array.from(rows.keys()).sort((a, b) => a - b).map((amplitude) => {
        const row = document.createElement("tr");
        const texts = LAWS.flatMap((law) => {
          const cycle = rows.get(amplitude)[law];
          if (!cycle) return ["…", "…"];
          return [withUnit(cycle.shear_modulus, "Pa", 3), `${(100 * cycle.damping_ratio).toFixed(2)} %`];
        });
        for (const [i, text] of [names(amplitude), ...texts].entries()) {
          const cell = document.createElement(i === 0 ? "th" : "td");
          if (i === 0) cell.scope = "row";
          cell.textContent = text;
          row.append(cell);
        }
        return row;
      }));
    },
  };
}

// The results of the boxes so far, and their pictures; drawn at most once a frame.
function createResults(elements) {
  const { amplitude, canvas, wait, body } = elements;
  const loops = new Map(LAWS.map((law) => [law, []]));
  const moduli = new Map();
  const table = createTable(body);
  const loopViews = [
    createLoops(elements.loop, { aspect: 0.55, least: 210, most: 250 }, "shear stress τ, kPa", (gamma, tau) => tau),
    createLoops(elements.bare, { aspect: 0.45, least: 180, most: 200 }, "τ less Gγ, kPa: the loops alone",
      (gamma, tau, modulus) => (modulus ? tau - modulus * gamma : NaN)),
  ];
  const name = (value) => Array.from(amplitude.options).find((o) => Number(o.value) === value)?.textContent ?? value;
  let frame = null;
  let pending = false;

  function draw() {
    pending = false;
    const shown = new Map(Array.from(loops, ([law, loop]) => [law, centred(loop)]));
    for (const view of loopViews) view.draw(shown, moduli, Number(amplitude.value));
    table.draw(name);
    canvas.hidden = !frame;
    wait.hidden = Boolean(frame);
    if (frame) drawBox(canvas, frame, middleOf(loops.get(frame.shown))[0]);
  }
  function schedule() {
    if (!pending) requestAnimationFrame(draw);
    pending = true;
  }
  function takeLaw(law, { loop, cycles }, swing) {
    const kept = loops.get(law);
    if (swing === Number(amplitude.value)) kept.push(...loop);
    kept.splice(0, Math.max(0, kept.length - 2 * KEPT));
    for (const cycle of cycles) {
      // A cycle in which the swing changed, or the first one, belongs to no row.
      if (!(Math.abs(cycle.strain_amplitude / swing - 1) < 0.1 && cycle.damping_ratio >= 0)) continue;
      table.add(swing, law, cycle);
      moduli.set(law, cycle.shear_modulus);
    }
  }
  function forgetLoops() {
    for (const loop of loops.values()) loop.length = 0;
    moduli.clear();
    schedule();
  }
  return {
    draw: schedule,
    forgetLoops,
    take(message) {
      frame = message;
      for (const law of LAWS) takeLaw(law, message.laws[law], message.amplitude);
      schedule();
    },
    forget() {
      frame = null;
      table.clear();
      forgetLoops();
    },
  };
}

function describe(now, running) {
  const share = now.phase === "packing" || now.phase === "rest" ? ` ${Math.round(100 * now.progress)} %` : "";
  const text = `${running ? "" : "paused; "}${PHASES[now.phase]}${share}, step ${now.step}`;
  return text[0].toUpperCase() + text.slice(1);
}

// startWorker(): a new worker; elements: the elements of the section
export function createAssemblyView(elements, startWorker, wasm) {
  const { run, reset, amplitude, seed, shown, status } = elements;
  const results = createResults(elements);
  let worker = null;
  let running = false;

  function setRunning(value) {
    running = value;
    run.textContent = running ? "Pause" : worker ? "Go on" : "Start";
    reset.disabled = !worker;
    worker?.postMessage({ type: "run", running });
  }
  function stop(text) {
    worker?.terminate();
    worker = null;
    setRunning(false);
    status.textContent = text;
  }
  function take(message) {
    if (message.type === "error") {
      stop(`It stopped: ${message.text}`);
      return;
    }
    const { now } = message.laws[message.shown];
    if (now) status.textContent = describe(now, running);
    results.take(message);
  }
  function start() {
    worker = startWorker();
    worker.onmessage = ({ data }) => take(data);
    worker.onerror = (event) => stop(`It stopped: ${event.message}`);
    const chosen = { amplitude: Number(amplitude.value), shown: shown.value };
    worker.postMessage({ type: "start", wasm, options: { ...OPTIONS, seed: Number(seed.value) }, ...chosen });
    status.textContent = "Packing the grains";
    setRunning(true);
  }
  run.addEventListener("click", () => (worker ? setRunning(!running) : start()));
  function startOver() {
    stop("Not started.");
    results.forget();
  }
  reset.addEventListener("click", startOver);
  seed.addEventListener("change", startOver);
  amplitude.addEventListener("change", () => {
    results.forgetLoops();
    worker?.postMessage({ type: "amplitude", amplitude: Number(amplitude.value) });
  });
  shown.addEventListener("change", () => worker?.postMessage({ type: "show", shown: shown.value }));
  return { draw: results.draw };
}
