// SPDX-License-Identifier: MIT
// The order of what the search finds (Sphinx puts this before its searchtools.js, which gives every page that has a word
// the same score, and 100 to a whole heading). The page whose name is asked for comes first, then pages with more of the
// words; the changelog, pages for contributors and source files come last.
"use strict";

var Scorer = { // eslint-disable-line no-var
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,

  // result: [docname, title, anchor, description, score, file name]
  score([page, , , , score]) {
    const text = (window.pageTexts?.[page] ?? "").toLowerCase();
    const query = (new URLSearchParams(window.location.search).get("q") ?? "").toLowerCase().trim();
    const words = query.split(/\s+/);
    const rarest = Math.min(...words.filter((word) => word).map((word) => text.split(word).length - 1));
    const isLast = /^(CHANGELOG|CONTRIBUTING|sources|tests\/.*)$|\.(?!ipynb)[a-z]+$/.test(page);
    const isNamed = page.toLowerCase() === query || page === `docs/${query}`;
    return score + (Number.isFinite(rarest) ? Math.min(rarest, 20) / 5 : 0) + (isNamed ? 100 : 0) - (isLast ? 60 : 0);
  },
};
