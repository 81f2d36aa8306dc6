// SPDX-License-Identifier: MIT
// Adds to each result of the search a piece of the page around the first word that was found (see offline_search.py).
"use strict";

(() => {
  const LENGTH = 240;
  const query = new URLSearchParams(window.location.search).get("q") || "";
  const words = query.toLowerCase().split(/[^\p{Letter}\p{Number}_]+/u).filter((word) => word);

  function pieceOf(text) {
    const lower = text.toLowerCase();
    const whole = lower.indexOf(query.toLowerCase().trim());
    const found = [whole, ...words.map((word) => lower.indexOf(word))].find((place) => place >= 0);
    if (found === undefined) return text.slice(0, LENGTH);
    const start = Math.max(0, found - LENGTH / 3);
    return (start > 0 ? "… " : "") + text.slice(start, start + LENGTH).trim() + " …";
  }

  function addPiece(item) {
    const link = item.querySelector("a");
    if (!link || item.querySelector(".context")) return;
    const root = new URL(document.documentElement.dataset.content_root || "./", window.location.href);
    const name = new URL(link.href).pathname.slice(new URL(".", root).pathname.length).replace(/\.html$/, "");
    const text = window.pageTexts[decodeURIComponent(name)];
    if (!text) return;
    const piece = document.createElement("p");
    piece.className = "context";
    piece.textContent = pieceOf(text);
    item.append(piece);
  }

  function watch() {
    const results = document.getElementById("search-results");
    if (!results) return;
    new MutationObserver(() => results.querySelectorAll("ul.search > li").forEach(addPiece))
      .observe(results, { childList: true, subtree: true });
  }
  document.addEventListener("DOMContentLoaded", watch);
})();
