// SPDX-License-Identifier: MIT
// For readers with a keyboard: what is wider than the page scrolls, and can then be reached; labels become buttons.
"use strict";

(() => {
  const BOXES = ".table-wrapper, .highlight > pre, div.math, .sidebar-scroll, .toc-scroll";

  function mark() {
    for (const box of document.querySelectorAll(BOXES)) {
      const scrolls = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
      if (scrolls) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  }

  // The labels that open the two sidebars become buttons, which the keyboard reaches.
  function makeButton(label) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = label.className;
    button.append(...label.childNodes);
    button.addEventListener("click", () => document.getElementById(label.htmlFor).click());
    label.replaceWith(button);
  }
  window.addEventListener("load", () => {
    document.querySelectorAll("label.nav-overlay-icon, label.toc-overlay-icon").forEach(makeButton);
    mark();
  });
  window.addEventListener("resize", mark);
})();
