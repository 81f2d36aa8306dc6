// SPDX-License-Identifier: MIT
// Light or dark: as the system says, until the reader switches.

export function connectTheme(button, changed) {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  function show() {
    const dark = chosen ?? system.matches;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    button.textContent = dark ? "Light" : "Dark";
    button.setAttribute("aria-label", dark ? "Light: switch to a light page" : "Dark: switch to a dark page");
    changed();
  }
  system.addEventListener("change", () => {
    chosen = null;
    show();
  });
  button.addEventListener("click", () => {
    chosen = document.documentElement.dataset.theme !== "dark";
    show();
  });
  show();
}
