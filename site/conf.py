# SPDX-License-Identifier: MIT
"""Sphinx' settings of the site. site/build.sh gathers the pages (site/stage.py) and calls Sphinx."""
import os
import re
import sys
from pathlib import Path

from sphinx.ext.napoleon import GoogleDocstring

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tools")]
import check_links  # noqa: E402  the anchors of headings, as GitHub names them

project = "jager"
author = "the authors of jager"
copyright = author  # Sphinx' name for the line at the foot of each page
header = (HERE.parent / "include/jager/jager.h").read_text(encoding="utf-8")
release = version = ".".join(re.findall(r"#define JAGER_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc", "katex_math", "offline_search", "furo_mended"]
myst_heading_anchors = 6
myst_heading_slug_func = check_links.slug
highlight_language = "text"
pygments_style = "code_colours.Light"
pygments_dark_style = "code_colours.Dark"
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]  # types of numpy and others in signatures

# docs/python-api.md: docstrings are plain text, with `code`, lists and sections (Args, Returns, Raises)
default_role = "literal"
autodoc_default_options = {"members": True, "member-order": "bysource",
                           "special-members": "__len__, __getitem__, __eq__"}
autodoc_inherit_docstrings = False
autodoc_typehints_format = "short"
page = (HERE.parent / "docs/python-api.md").read_text(encoding="utf-8")
autodoc_type_aliases = {name: name for name in re.findall(r"^\| `(\w+)` \| `", page, re.M)}  # "Types in signatures"
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = "jager"
html_static_path = [str(HERE / "_static")]
html_extra_path = [path for path in os.environ.get("SITE_EXTRA", "").split(":") if path and Path(path).is_dir()]
templates_path = [str(HERE / "_templates")]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_copy_source = False
html_show_sourcelink = False
html_show_search_summary = False  # it would fetch pages, which browsers refuse from file://: offline_search does it
html_use_index = False
html_domain_indices = False
html_search_scorer = str(HERE / "search_scorer.js")
html_favicon = str(HERE / "_static" / "favicon.svg")
html_theme_options = {
    "top_of_page_button": None,
    "light_css_variables": {
        "color-brand-primary": "#1f5a8c",
        "color-brand-content": "#1f5a8c",
        "color-foreground-primary": "#1d2329",
        "color-foreground-secondary": "#4c545c",
        "color-foreground-muted": "#59616a",
        "color-foreground-border": "#7a828a",
        "color-background-primary": "#ffffff",
        "color-background-secondary": "#f6f7f8",
        "color-background-border": "#dfe3e7",
        "color-inline-code-background": "#f0f2f4",
        "color-api-name": "#1f5a8c",
        "color-api-pre-name": "#4c545c",
        "color-jager": "#1f5a8c",
        "color-spring": "#a8480f",
    },
    "dark_css_variables": {
        "color-brand-primary": "#8cc3f0",
        "color-brand-content": "#8cc3f0",
        "color-foreground-primary": "#dfe3e7",
        "color-foreground-secondary": "#b4bbc2",
        "color-foreground-muted": "#a0a8b0",
        "color-foreground-border": "#868e96",
        "color-background-primary": "#15191d",
        "color-background-secondary": "#1b2025",
        "color-background-border": "#323a42",
        "color-inline-code-background": "#242a30",
        "color-api-name": "#8cc3f0",
        "color-api-pre-name": "#b4bbc2",
        "color-jager": "#8cc3f0",
        "color-spring": "#f2a36b",
    },
}


def read_docstring(app, what, name, obj, options, lines):
    plain = [line.replace("|", r"\|") for line in lines]  # |Ft| is no substitution of reStructuredText
    lines[:] = GoogleDocstring(plain, what="method").lines()  # of an attribute, "x: y" would be taken for a type


def hide_constructor(app, what, name, obj, options, signature, returns):
    """Users make no objects of a class that describes no arguments."""
    is_made = any(hasattr(obj, mark) for mark in ("_fields", "__dataclass_fields__")) or "Args:" in (obj.__doc__ or "")
    return ("", None) if what in ("class", "exception") and not is_made else None


def setup(app):
    app.connect("autodoc-process-signature", hide_constructor)
    app.connect("autodoc-process-docstring", read_docstring)
