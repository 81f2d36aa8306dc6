# SPDX-License-Identifier: MIT
"""Sphinx extension: mends what stands in the way of reading the theme furo, as Debian has it, from file://, by keyboard
and by screen readers.

Debian's furo imports a style from the root of a web server (/javascript/normalize.css) and has a script that is a
module but is not loaded as one. Both are put together here from Debian's own files when the site has been built.
"""
import re
import shutil
from pathlib import Path

from sphinx.errors import ExtensionError

NORMALIZE = Path("/usr/share/javascript/normalize.css/normalize.css")
IMPORT = "@import url(/javascript/normalize.css/normalize.css);"

REPAIRS = (
    (r'<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">'),
    (r'<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="Pages of this site">'),
    (r'<aside class="toc-drawer(?! no-toc)', '<aside aria-label="On this page" class="toc-drawer'),
    (r'<aside class="toc-drawer no-toc', '<aside hidden class="toc-drawer no-toc'),
    (r'<label class="overlay ', '<label aria-hidden="true" class="overlay '),
    (r'<div class="article-container">', '<main class="article-container" id="content">'),
    (r'<article role="main">', '<article>'),
    (r'(</article>\s*)</div>', r'\1</main>'),
    (r'<th class="head"><p></p></th>', '<td class="head"></td>'),  # a corner of a table without a word
)


def repaired(page):
    for pattern, replacement in REPAIRS:
        page = re.sub(pattern, replacement, page)
    return page


def add_filter(app):
    if app.builder.format == "html":
        app.builder.templates.environment.filters["repaired"] = repaired


def mend_files(app, error):
    if error or app.builder.format != "html":
        return
    static = Path(app.outdir, "_static")
    style, script = static / "styles/furo.css", static / "scripts/furo.js"
    text = style.read_text(encoding="utf-8")
    if IMPORT in text:
        if not NORMALIZE.is_file():
            raise ExtensionError(f"there is no {NORMALIZE}: install node-normalize.css")
        shutil.copyfile(NORMALIZE, style.with_name("normalize.css"))
        style.write_text(text.replace(IMPORT, '@import url("normalize.css");'), encoding="utf-8")
    first, _, rest = script.read_text(encoding="utf-8").partition("\n")
    spy = script.with_name("gumshoe-patched.js")
    if first.startswith("import Gumshoe") and spy.is_file():
        script.write_text(spy.read_text(encoding="utf-8") + "\n(() => {\n" + rest + "\n})();\n", encoding="utf-8")


def setup(app):
    app.connect("builder-inited", add_filter)
    app.connect("build-finished", mend_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
