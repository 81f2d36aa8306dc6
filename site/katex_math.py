# SPDX-License-Identifier: MIT
"""Sphinx extension: KaTeX makes HTML of equations while the site is built. Pages need its style and fonts, no script.

Equations are blocks of code in the language math, which GitHub shows as equations, too.
KaTeX is that of Debian (packages katex, libjs-katex). Its style and fonts are copied into the site.
"""
import json
import re
import shutil
import subprocess
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

SCRIPT = Path(__file__).resolve().with_name("katex_lines.cjs")
FILES = Path("/usr/share/javascript/katex")


class Katex:
    """A process that reads an equation on each line, and answers on one."""
    process = None

    def render(self, tex, display):
        if not self.process:
            self.process = subprocess.Popen(["node", str(SCRIPT), str(FILES / "katex.js")], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.process.stdin.write(json.dumps({"tex": tex, "display": display}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline() or '{"error": "node or KaTeX is missing"}')
        if "error" in answer:
            raise ExtensionError(f"{answer['error']}: {tex}")
        return answer["html"]

    def close(self, *_):
        if self.process:
            self.process.stdin.close()
            self.process.wait()
            self.process = None


katex = Katex()


class Equations(SphinxTransform):
    default_priority = 100

    def apply(self, **_):
        for block in list(self.document.findall(nodes.literal_block)):
            if block.get("language") == "math":
                block.replace_self(nodes.math_block("", block.astext(), nowrap=True, number=None))


def visit_inline(translator, node):
    translator.body.append(katex.render(node.astext(), False))
    raise nodes.SkipNode


def visit_block(translator, node):
    translator.body.append(f'<div class="math">{katex.render(node.astext(), True)}</div>\n')
    raise nodes.SkipNode


def copy_style(app, error):
    if error or app.builder.format != "html":
        return
    if not FILES.is_dir():
        raise ExtensionError(f"there is no {FILES}: install libjs-katex")
    target = Path(app.outdir, "_static", "katex")
    shutil.rmtree(target, ignore_errors=True)
    (target / "fonts").mkdir(parents=True)
    style = (FILES / "katex.min.css").read_text(encoding="utf-8")
    style = re.sub(r"(url\(fonts/[^)]*\.woff2\) format\('woff2'\)),[^;}]*", r"\1", style)
    (target / "katex.css").write_text(style, encoding="utf-8")
    for name in re.findall(r"url\((fonts/[^)]*)\)", style):
        shutil.copyfile(FILES / name, target / name)


def setup(app):
    app.add_transform(Equations)
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_block, None))
    app.config.html_math_renderer = "katex"
    app.add_css_file("katex/katex.css")
    app.connect("build-finished", copy_style)
    app.connect("build-finished", katex.close)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
