// SPDX-License-Identifier: MIT
// The tests of golden hashes (tests/contact/test_golden.c, tests/dem/test_dem_golden.c), compiled to WebAssembly and
// linked with the objects of jager.wasm: they have the bits of the native library.
import assert from "node:assert/strict";
import test from "node:test";
import { moduleBytes } from "./support.mjs";

class Exit extends Error {}

/** Runs a program, which may write to its output and end itself, but nothing else; gives its output. */
function output(bytes) {
  const module = new WebAssembly.Module(bytes);
  let text = "";
  let exports;
  const system = {
    fd_write(stream, vectors, count, written) {
      const memory = new DataView(exports.memory.buffer);
      let length = 0;
      for (let i = 0; i < count; i++) {
        const [at, size] = [memory.getUint32(vectors + 8 * i, true), memory.getUint32(vectors + 8 * i + 4, true)];
        text += new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, size));
        length += size;
      }
      memory.setUint32(written, length, true);
      return 0;
    },
    proc_exit(code) {
      throw code === 0 ? new Exit() : new Error(text);
    },
  };
  const refuse = () => 52; // not supported
  const imports = WebAssembly.Module.imports(module).map(({ name }) => [name, system[name] ?? refuse]);
  exports = new WebAssembly.Instance(module, { wasi_snapshot_preview1: Object.fromEntries(imports) }).exports;
  try {
    exports._start();
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
  }
  return text;
}

function passed(text) {
  return text.split("\n").filter((line) => line.startsWith("passed: ")).length;
}

test("the contacts of all laws have the golden hashes", () => {
  const text = output(moduleBytes("test_golden.wasm"));
  assert.ok(passed(text) >= 9, text);
});

test("the short run of the simulator has the golden hash", () => {
  const text = output(moduleBytes("test_dem_golden.wasm"));
  assert.equal(passed(text), 2, text);
});

test("the module asks nothing of its surroundings", () => {
  assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(moduleBytes())), []);
});
