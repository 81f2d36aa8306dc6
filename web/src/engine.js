// SPDX-License-Identifier: MIT
/**
 * The engine: libjager and its simulator as WebAssembly. This file alone knows the memory of the module. It works in
 * browsers, workers and node, and has no global state: several engines may live side by side.
 *
 * Lengths in m, forces in N, energies in J, stresses in Pa. ζ is half the overlap, ξ half the tangential shift.
 *
 * @typedef {Object} Law  both spheres are alike
 * @property {number} shearModulus  Pa
 * @property {number} poisson
 * @property {number} friction
 * @property {number} radius  m
 * @property {number} [tolerance]  of short histories, 0: exact
 * @property {number} [springs]  number of springs of the law "springs", 1000 unless given: some 180 µs a movement
 *
 * @typedef {Object} Walk  after each movement; `length` and `bound` are 0 for all laws but "jager"
 * @property {Float64Array} fn
 * @property {Float64Array} ft1
 * @property {Float64Array} ft2
 * @property {Float64Array} stored  energy; NaN if it was not asked for
 * @property {Float64Array} dissipated  energy, since the start; likewise
 * @property {Float64Array} length  points of the history
 * @property {Float64Array} bound  of the error of |Ft|, N, that the contact itself accounts for; 0 if it is exact
 * @property {Float64Array} state  index into engine.states
 *
 * @typedef {Object} HistoryPoint  of the equivalent load history. (xi1, xi2) starts at 0 with the history; the
 *   position of the path differs from it by a constant, the way that was slid
 * @property {number} fn
 * @property {number} ft1
 * @property {number} ft2
 * @property {number} zeta
 * @property {number} xi1
 * @property {number} xi2
 * @property {number} radius  of the contact circle at this fn
 *
 * @typedef {Object} Inspection
 * @property {number} fn
 * @property {number} ft1
 * @property {number} ft2
 * @property {number} zeta  position, as in the path
 * @property {number} xi1
 * @property {number} xi2
 * @property {number} contactRadius  0: apart
 * @property {number} stuckRadius  of the zone that did not slip in the last movement
 * @property {string} state  "apart", "elastic", "slip" or "slide"
 * @property {HistoryPoint[]} history  from the first point to the last, which has the present forces
 * @property {Float64Array} radii  201 or more, from 0 to contactRadius, including the radii of the history (of long ones
 *   each second or third); only 0 if the spheres are apart
 * @property {Float64Array} normal  pressure, Pa, at these radii
 * @property {Float64Array} shear1  shear traction, Pa
 * @property {Float64Array} shear2
 *
 * @typedef {Object} AssemblyOptions  all but `spheres` have the defaults below
 * @property {number} spheres
 * @property {number} [seed]
 * @property {string} [model]  a model but "springs"
 * @property {number} [friction]
 * @property {number} [pressure]  Pa
 * @property {number} [packingFriction]  0 makes dense assemblies, the friction of the spheres loose ones
 * @property {number} [tolerance]  of short histories; only for "jager"
 * @property {number[]} [diameters]  smallest and largest, m
 * @property {number} [packingUnbalanced]  packing ends below this unbalanced force
 * @property {number} [restUnbalanced]  ... and the rest after it below this one
 * @property {number} [restSteps]  ... or after so many steps
 *
 * @typedef {Object} ShearOptions  cycles of γ if there is an amplitude, else γ grows by `rate` in each step
 * @property {number} [amplitude]  of the shear angle γ
 * @property {number} [rate]  of γ, in a step; 0 holds it
 * @property {number} [cycles]  0: until the next shear
 * @property {number} [stepsPerCycle]  at least
 * @property {number} [inertialNumber]  cycles take longer to keep it; 0: stepsPerCycle alone
 * @property {boolean} [constantVolume]  undrained; otherwise all three normal stresses are held at the pressure
 * @property {boolean} [atOnce]  a shear under way ends with the next step, not with its present cycle
 *
 * @typedef {Object} AssemblyState
 * @property {string} phase  "packing", "rest", "shear", or "waiting" when there is nothing left to do
 * @property {number} progress  of the phase, 0 to 1, as far as it is known
 * @property {number} step
 * @property {number} time  s
 * @property {Float64Array} cell  9 numbers: the three edges of the periodic cell, one after the other
 * @property {number} gamma  shear angle γ since packing
 * @property {number} tau  shear stress, Pa
 * @property {number} pressure  mean stress, Pa
 * @property {Object<string, number>} measures  all columns of series.csv, docs/files.md; also under the names
 *   shearStress, shearStrain, pressure, voidRatio, coordination
 *
 * @typedef {Object} Assembly
 * @property {(count: number) => number} step  makes up to `count` steps; gives the number made, less if it waits
 * @property {() => AssemblyState} state
 * @property {() => Omit<AssemblyState, "measures">} glance  the same without measures, which is quick
 * @property {() => Object<string, number>[]} cycles  the columns of cycles.csv for each cycle so far, docs/files.md,
 *   among them strain_amplitude, stress_amplitude, shear_modulus, damping_ratio, damping_ratio_friction. D is NaN
 *   while loops are open, in the first two cycles of a shear. A cycle that was cut off has a fraction in `cycle`
 * @property {() => Float64Array} spheres  x, y, z, radius of each
 * @property {() => Float64Array} contacts  of each: numbers of its two spheres, Fn, |Ft|, 1 if it slides, else 0
 * @property {() => Float64Array} branches  of each contact: the vector from the first sphere to the second one's
 *   nearest image
 * @property {(options: ShearOptions) => void} shear  begins when packing and rest, and a shear under way, have ended
 * @property {() => string} hash  that `jager run` prints for the same state
 * @property {() => void} free  afterwards the assembly must not be used
 */

const DOUBLE = 8;
const LAW_FIELDS = ["shearModulus", "poisson", "friction", "radius", "tolerance", "springs"];
const WALK_RESULTS = ["fn", "ft1", "ft2", "stored", "dissipated", "length", "bound", "state"];
const LOOK_RESULTS = ["fn", "ft1", "ft2", "zeta", "contactRadius", "stuckRadius", "state", "kappa", "length"];
const POINT_VALUES = 4;
const ASSEMBLY_DEFAULTS = {
  spheres: undefined, seed: 1, model: "jager", friction: 0.5, pressure: 100e3, packingFriction: 0.1, tolerance: 1e-3,
  diameters: [0.8e-3, 1.2e-3], packingUnbalanced: 1e-2, restUnbalanced: 1e-4, restSteps: 3000,
};
const SHEAR_DEFAULTS = {
  amplitude: 0, rate: 0, cycles: 0, stepsPerCycle: 2000, inertialNumber: 3e-4, constantVolume: false, atOnce: false,
};
const GLANCE = ["gamma", "tau", "pressure", "progress", "time", "step", "stage"]; // then the cell
const CELL_VALUES = 9;
const MEASURE_NAMES = {
  shearStress: "stress_xz", shearStrain: "gamma_xz", pressure: "p", voidRatio: "void_ratio",
  coordination: "coordination",
};
const SPHERE_VALUES = 4;
const CONTACT_VALUES = 8; // two spheres, Fn, |Ft|, state, branch vector
const STATE_AT = 4;
const BRANCH_AT = 5;
const STEPS_AT_A_TIME = 1 << 30;
const ROWS = 200; // of tractions, about
const KINKS_MAX = 200; // radii of the history among them
const ROWS_BETWEEN_MIN = 2;

// ---- Memory ---------------------------------------------------------------------------------------------------------

/** The memory of one module. Views are made when they are needed: the memory may move when it grows. */
class Memory {
  constructor(exports) {
    this.exports = exports;
  }

  /** Calls work(take), in which take(bytes) gives an address; everything taken is freed afterwards. */
  scratch(work) {
    const taken = [];
    try {
      return work((bytes) => {
        const address = this.exports.malloc(Math.max(bytes, DOUBLE));
        if (address === 0) throw new Error("out of memory, or the pool's limit is reached");
        taken.push(address);
        return address;
      });
    } finally {
      for (const address of taken) this.exports.free(address);
    }
  }

  /** A view, valid until the next call of the module. */
  doubles(address, count) {
    return new Float64Array(this.exports.memory.buffer, address, count);
  }

  word(address) {
    return new DataView(this.exports.memory.buffer).getUint32(address, true);
  }

  text(address) {
    const bytes = new Uint8Array(this.exports.memory.buffer);
    return new TextDecoder().decode(bytes.slice(address, bytes.indexOf(0, address)));
  }

  /** Throws the text at the address, if there is one. */
  check(address, remark = "") {
    if (address !== 0) throw new Error(this.text(address) + remark);
  }

  /** Puts numbers into scratch memory. */
  put(take, numbers) {
    const address = take(numbers.length * DOUBLE);
    this.doubles(address, numbers.length).set(numbers);
    return address;
  }
}

// ---- One contact ----------------------------------------------------------------------------------------------------

function checkedPath(path, count) {
  if (!(path instanceof Float64Array) || path.length % 3 !== 0)
    throw new TypeError("a path is a Float64Array of 3n numbers: zeta, xi1, xi2 after each movement");
  const movements = path.length / 3;
  if (count === undefined) return movements;
  if (!Number.isInteger(count) || count < 0 || count > movements)
    throw new RangeError(`there is no movement ${count}: the path has ${movements}`);
  return count;
}

function lawNumbers(law) {
  return LAW_FIELDS.map((field) => {
    const value = law[field] ?? (field === "tolerance" || field === "springs" ? 0 : undefined);
    if (typeof value !== "number") throw new TypeError(`the law needs the number ${field}`);
    return value;
  });
}

function movementRemark(failed, count) {
  return failed < count ? ` (movement ${failed + 1})` : "";
}

function walk(memory, models, law, model, path, { energies = true } = {}) {
  const count = checkedPath(path);
  const number = models.indexOf(model);
  if (number < 0) throw new Error(`unknown contact model '${model}': there are ${models.join(", ")}`);
  return memory.scratch((take) => {
    const lawAt = memory.put(take, lawNumbers(law));
    const pathAt = memory.put(take, path);
    const results = take(WALK_RESULTS.length * count * DOUBLE);
    const failed = take(DOUBLE);
    const text = memory.exports.web_walk(lawAt, number, pathAt, count, energies ? 1 : 0, results, failed);
    memory.check(text, movementRemark(memory.word(failed), count));
    const all = memory.doubles(results, WALK_RESULTS.length * count);
    return Object.fromEntries(WALK_RESULTS.map((name, k) => [name, all.slice(k * count, (k + 1) * count)]));
  });
}

/** Calls work(contact, take) with the address of a "jager" contact after `count` movements. */
function withContact(memory, law, path, count, work) {
  return memory.scratch((take) => {
    const lawAt = memory.put(take, lawNumbers(law));
    const pathAt = memory.put(take, path.subarray(0, 3 * count));
    const report = take(2 * DOUBLE);
    const contact = memory.exports.web_look_open(lawAt, pathAt, count, report, report + DOUBLE);
    if (contact === 0) memory.check(memory.word(report), movementRemark(memory.word(report + DOUBLE), count));
    try {
      return work(contact, take);
    } finally {
      memory.exports.web_look_close(contact);
    }
  });
}

function look(memory, contact, take) {
  const at = take(LOOK_RESULTS.length * DOUBLE);
  memory.check(memory.exports.web_look(contact, at));
  const values = memory.doubles(at, LOOK_RESULTS.length);
  return Object.fromEntries(LOOK_RESULTS.map((name, k) => [name, values[k]]));
}

/** Sums up the segments: Ft = Σ p ΔFn, ξ = κ Σ p Δζ. The last point has the forces of the contact, to the bit. */
function history(memory, contact, take, now) {
  const at = take(now.length * POINT_VALUES * DOUBLE);
  memory.check(memory.exports.web_look_history(contact, at));
  const values = memory.doubles(at, now.length * POINT_VALUES);
  const points = [];
  let before = { fn: 0, ft1: 0, ft2: 0, zeta: 0, xi1: 0, xi2: 0, radius: 0 };
  for (let k = 0; k < now.length; k++) {
    const [zeta, fn, p1, p2] = values.subarray(k * POINT_VALUES, (k + 1) * POINT_VALUES);
    const [force, way] = [fn - before.fn, now.kappa * (zeta - before.zeta)];
    before = {
      fn, ft1: before.ft1 + p1 * force, ft2: before.ft2 + p2 * force,
      zeta, xi1: before.xi1 + p1 * way, xi2: before.xi2 + p2 * way,
      radius: zeta > 0 ? now.contactRadius * Math.sqrt(zeta / now.zeta) : 0,
    };
    points.push(before);
  }
  if (now.length > 1) [before.fn, before.ft1, before.ft2] = [now.fn, now.ft1, now.ft2];
  return points;
}

/**
 * Radii for tractions. The shear traction has a kink at each radius of the history, with a vertical tangent on the
 * inside: so these are among the radii, and between two of them the radii are denser towards the outer one.
 */
function tractionRadii(points, contactRadius) {
  if (!(contactRadius > 0)) return Float64Array.of(0);
  const stride = Math.ceil(points.length / KINKS_MAX);
  const kinks = points.slice(0, -1).filter((point, k) => k > 0 && k % stride === 0).map((point) => point.radius);
  const radii = [0];
  let inner = 0;
  for (const outer of [...kinks.filter((radius) => radius < contactRadius), contactRadius]) {
    if (!(outer > inner)) continue;
    const rows = Math.max(ROWS_BETWEEN_MIN, Math.ceil((ROWS * (outer - inner)) / contactRadius));
    for (let i = 1; i <= rows; i++) {
      const rest = 1 - i / rows;
      const radius = i < rows ? outer - (outer - inner) * rest * rest : outer;
      if (radius > radii[radii.length - 1]) radii.push(radius);
    }
    inner = outer;
  }
  return Float64Array.from(radii);
}

function tractionsAt(memory, contact, take, radii) {
  const count = radii.length;
  const at = memory.put(take, radii);
  const values = take(3 * count * DOUBLE);
  memory.check(memory.exports.web_look_tractions(contact, at, count, values));
  const all = memory.doubles(values, 3 * count);
  return { radii, normal: all.slice(0, count), shear1: all.slice(count, 2 * count), shear2: all.slice(2 * count) };
}

function inspect(memory, states, law, path, count) {
  const movements = checkedPath(path, count);
  return withContact(memory, law, path, movements, (contact, take) => {
    const { kappa, length, ...now } = look(memory, contact, take);
    const points = history(memory, contact, take, { ...now, kappa, length });
    const position = movements > 0 ? path.subarray(3 * movements - 3, 3 * movements) : [0, 0, 0];
    return {
      ...now,
      xi1: position[1],
      xi2: position[2],
      state: states[now.state],
      history: points,
      ...tractionsAt(memory, contact, take, tractionRadii(points, now.contactRadius)),
    };
  });
}

// ---- Paths as CSV ---------------------------------------------------------------------------------------------------

function parseCsv(memory, text) {
  return memory.scratch((take) => {
    const bytes = new TextEncoder().encode(text);
    const textAt = take(bytes.length);
    new Uint8Array(memory.exports.memory.buffer, textAt, bytes.length).set(bytes);
    const capacity = text.split("\n").length;
    const positions = take(3 * capacity * DOUBLE);
    const count = take(DOUBLE);
    const reader = memory.exports.web_csv_open(textAt, bytes.length);
    if (reader === 0) throw new Error("out of memory, or the pool's limit is reached");
    try {
      memory.check(memory.exports.web_csv_read(reader, positions, capacity, count));
    } finally {
      memory.exports.web_csv_close(reader);
    }
    return memory.doubles(positions, 3 * memory.word(count)).slice();
  });
}

function numberText(value) {
  return Object.is(value, -0) ? "-0" : String(value); // the shortest text that reads back to the bit
}

/** Positions, not changes: sums of changes would be rounded, and the forces would differ in their last bits. */
function toCsv(path) {
  checkedPath(path);
  const lines = ["zeta,xi1,xi2"];
  for (let i = 0; i < path.length; i += 3) lines.push(Array.from(path.subarray(i, i + 3), numberText).join(","));
  return lines.join("\n") + "\n";
}

// ---- The assembly ---------------------------------------------------------------------------------------------------

/** The options with defaults, as numbers in the order of the defaults; unknown names are errors. */
function optionNumbers(options, defaults) {
  for (const name of Object.keys(options))
    if (!Object.hasOwn(defaults, name))
      throw new TypeError(`unknown option ${name}: there are ${Object.keys(defaults).join(", ")}`);
  return Object.keys(defaults).flatMap((name) => {
    const given = options[name] ?? defaults[name];
    const values = [given].flat().map((value) => (typeof value === "boolean" ? Number(value) : value));
    if (values.length !== [defaults[name]].flat().length || !values.every(Number.isFinite))
      throw new TypeError(`the option ${name} must be like ${defaults[name] ?? 100}`);
    return values;
  });
}

class AssemblyHandle {
  constructor(memory, names, options) {
    const model = names.models.indexOf(options.model ?? ASSEMBLY_DEFAULTS.model);
    if (model < 0 || names.models[model] === "springs")
      throw new Error(`unknown contact model '${options.model}': assemblies have no 'springs'`);
    const numbers = optionNumbers({ ...options, model }, ASSEMBLY_DEFAULTS);
    Object.assign(this, { memory, names, finished: [] });
    this.address = memory.scratch((take) => memory.exports.web_assembly_create(memory.put(take, numbers)));
    if (this.address === 0) throw new Error("out of memory");
    const text = memory.exports.web_assembly_error(this.address);
    if (text !== 0) {
      const error = new Error(memory.text(text));
      this.free();
      throw error;
    }
  }

  get exports() {
    if (this.address === 0) throw new Error("the assembly was freed");
    return this.memory.exports;
  }

  fail() {
    throw new Error(this.memory.text(this.exports.web_assembly_error(this.address)));
  }

  step(count) {
    let left = Math.floor(count);
    while (left > 0 && this.exports.web_assembly_waits(this.address) === 0) {
      const made = this.exports.web_assembly_step(this.address, Math.min(left, STEPS_AT_A_TIME));
      if (made < 0) this.fail();
      if (made > 0) this.noteCycle();
      left -= made;
    }
    return Math.floor(count) - left;
  }

  noteCycle() {
    const values = this.named(this.names.cycles, (at) => this.exports.web_assembly_cycle(this.address, at) !== 0);
    if (values) this.finished.push(values);
  }

  /** Reads values with these names by fill(address); null if that gives false. */
  named(list, fill) {
    return this.memory.scratch((take) => {
      const at = take(list.length * DOUBLE);
      if (fill(at) === false) return null;
      const values = this.memory.doubles(at, list.length);
      return Object.fromEntries(list.map((name, k) => [name, values[k]]));
    });
  }

  glance() {
    return this.memory.scratch((take) => {
      const at = take((GLANCE.length + CELL_VALUES) * DOUBLE);
      this.exports.web_assembly_glance(this.address, at);
      const values = this.memory.doubles(at, GLANCE.length + CELL_VALUES).slice();
      const { stage, ...now } = Object.fromEntries(GLANCE.map((name, k) => [name, values[k]]));
      const waits = this.exports.web_assembly_waits(this.address) !== 0;
      const phase = waits ? "waiting" : ["packing", "rest"][stage] ?? "shear";
      return { phase, ...now, cell: values.slice(GLANCE.length) };
    });
  }

  state() {
    const all = this.named(this.names.measures, (at) => this.exports.web_assembly_measure(this.address, at));
    const more = Object.entries(MEASURE_NAMES).map(([name, measure]) => [name, all[measure]]);
    return { ...this.glance(), measures: { ...all, ...Object.fromEntries(more) } };
  }

  cycles() {
    return this.finished.map((cycle) => ({ ...cycle }));
  }

  /** The values of a snapshot: countOf(snapshot) times `size` numbers. */
  snapshot(size, countOf, read) {
    const snapshot = this.exports.web_snapshot_take(this.address);
    if (snapshot === 0) throw new Error("out of memory");
    try {
      return this.memory.scratch((take) => {
        const count = size * countOf(snapshot);
        const at = take(count * DOUBLE);
        read(snapshot, at);
        return this.memory.doubles(at, count).slice();
      });
    } finally {
      this.exports.web_snapshot_free(snapshot);
    }
  }

  spheres() {
    const { web_snapshot_spheres: count, web_snapshot_read_spheres: read } = this.exports;
    return this.snapshot(SPHERE_VALUES, count, read);
  }

  /** The values from `first` to `end`, without it, of all contacts. */
  contactValues(first, end) {
    const { web_snapshot_contacts: count, web_snapshot_read_contacts: read } = this.exports;
    const all = this.snapshot(CONTACT_VALUES, count, read);
    const size = end - first;
    const picked = new Float64Array((all.length / CONTACT_VALUES) * size);
    for (let i = 0; i < picked.length / size; i++)
      picked.set(all.subarray(i * CONTACT_VALUES + first, i * CONTACT_VALUES + end), i * size);
    return picked;
  }

  contacts() {
    const slide = this.names.states.indexOf("slide");
    const values = this.contactValues(0, BRANCH_AT);
    for (let i = STATE_AT; i < values.length; i += BRANCH_AT) values[i] = values[i] === slide ? 1 : 0;
    return values;
  }

  branches() {
    return this.contactValues(BRANCH_AT, CONTACT_VALUES);
  }

  shear(options) {
    const numbers = optionNumbers(options, SHEAR_DEFAULTS);
    this.memory.scratch((take) => {
      const at = this.memory.put(take, numbers);
      if (this.exports.web_assembly_shear(this.address, at) === 0) this.fail();
    });
  }

  hash() {
    return this.memory.scratch((take) => {
      const at = take(DOUBLE);
      this.exports.web_assembly_hash(this.address, at);
      return [at + 4, at].map((word) => this.memory.word(word).toString(16).padStart(8, "0")).join("");
    });
  }

  free() {
    if (this.address !== 0) this.memory.exports.web_assembly_destroy(this.address);
    this.address = 0;
  }
}

// ---- The engine -----------------------------------------------------------------------------------------------------

function names(memory, nameOf) {
  const list = [];
  for (let address; (address = nameOf(list.length)) !== 0; ) list.push(memory.text(address));
  return list;
}

/**
 * @param {Uint8Array} bytes  of jager.wasm
 */
export async function createEngine(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes, {});
  const memory = new Memory(instance.exports);
  const models = names(memory, instance.exports.web_law_name);
  const states = names(memory, instance.exports.web_state_name);
  const measures = names(memory, instance.exports.web_measure_name);
  const cycles = names(memory, instance.exports.web_cycle_name);
  return {
    /** @type {string} of the library */
    version: memory.text(instance.exports.web_version()),
    /** @type {string[]} "jager", "linear", "hertz-mindlin", "modified-mindlin", "zhang-vuquoc", "springs" */
    models,
    /** @type {string[]} "apart", "elastic", "slip", "slide" */
    states,
    /** @returns {number} bytes of the module's memory */
    memoryBytes: () => instance.exports.memory.buffer.byteLength,
    /**
     * Moves a contact along the positions (ζ, ξ1, ξ2), from 0, 0, 0: the numbers of `jager contact`, to the bit. The
     * model "linear" has the normal force of the others at the largest ζ of the path.
     * @param {Law} law  @param {string} model  @param {Float64Array} path  3n numbers
     * @param {{energies?: boolean}} [options]  energies: false makes planar paths many times faster
     * @returns {Walk}
     */
    walk: (law, model, path, options) => walk(memory, models, law, model, path, options),
    /** @param {Law} law  @param {Float64Array} path  @param {number} [count]  @returns {Inspection} */
    inspect: (law, path, count) => inspect(memory, states, law, path, count),
    /** The tractions at radii of one's own. */
    tractions: (law, path, count, radii) =>
      withContact(memory, law, path, checkedPath(path, count), (contact, take) =>
        tractionsAt(memory, contact, take, radii)),
    /** @param {string} text  any CSV of displacements that `jager contact` reads  @returns {Float64Array} path */
    parseCsv: (text) => parseCsv(memory, text),
    /** @param {Float64Array} path  @returns {string} the columns zeta,xi1,xi2: `jager contact` gives the same bits */
    toCsv,
    /** @param {AssemblyOptions} options  @returns {Assembly} before its first step: packing begins */
    assembly: (options) => new AssemblyHandle(memory, { models, states, measures, cycles }, options),
  };
}
