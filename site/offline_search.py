# SPDX-License-Identifier: MIT
"""Sphinx extension: the search shows a piece of each page that it found, without fetching pages.

Sphinx' own search fetches each page that it found to show a piece of it; from file:// browsers refuse that. This writes
the texts of all pages into one script, _static/page_texts.js, that only the page of the search loads.
"""
import html
import json
import re
from pathlib import Path

from docutils import nodes

texts = {}


def page_text(doctree, is_man_page):
    if is_man_page:  # its text is HTML
        parts = [html.unescape(re.sub(r"<[^>]*>", "", node.astext())) for node in doctree.findall(nodes.raw)]
        return " ".join(" ".join(parts).split())
    parts = []
    for node in doctree.findall(nodes.Text):
        parent = node.parent
        while parent is not None and not isinstance(parent, (nodes.raw, nodes.comment, nodes.topic)):
            parent = parent.parent
        if parent is None:
            parts.append(node.astext())
    return " ".join(" ".join(parts).split())


def collect(app, pagename, templatename, context, doctree):
    if pagename == "search":
        app.add_js_file("page_texts.js")
        app.add_js_file("search_pieces.js")
    elif doctree is not None and "nosearch" not in app.env.metadata.get(pagename, {}):
        texts[pagename] = page_text(doctree, pagename.startswith("docs/man/"))


def write(app, error):
    if error or app.builder.format != "html":
        return
    path = Path(app.outdir, "_static", "page_texts.js")
    known = {}
    if path.exists():  # pages that did not change were not written now
        known = json.loads(path.read_text(encoding="utf-8").partition("=")[2].rstrip("; \n"))
    known = {name: text for name, text in {**known, **texts}.items() if name in app.env.all_docs}
    path.write_text("window.pageTexts = " + json.dumps(known, ensure_ascii=False, sort_keys=True) + ";\n",
                    encoding="utf-8")


def setup(app):
    app.connect("html-page-context", collect)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
