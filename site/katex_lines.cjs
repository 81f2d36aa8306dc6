// SPDX-License-Identifier: MIT
// Makes HTML and MathML of equations: node katex_lines.cjs KATEX, the path of katex.js
// Reads {"tex": …, "display": …} on each line, answers {"html": …} or {"error": …}.
"use strict";
const katex = require(process.argv[2]);
const readline = require("readline");

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const { tex, display } = JSON.parse(line);
  let answer;
  try {
    answer = { html: katex.renderToString(tex, { displayMode: display, throwOnError: true, strict: "error" }) };
  } catch (error) {
    answer = { error: error.message };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});
