#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the pages of the site as they are: links.py DIRECTORY

Every link leads to a file of the site and to an anchor in it; pictures have alternative texts; no page loads anything
from a host. Addresses of other sites are counted, not visited. The exit code is 1 if something is wrong.
"""
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

LOADING = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("use", "href"),
           ("object", "data"), ("video", "src"), ("audio", "src")}


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.anchors, self.faults = [], set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.update(values[key] for key in ("id", "name") if values.get(key))
        for key in ("href", "src", "data"):
            if values.get(key) is not None and (tag == "a" or (tag, key) in LOADING):
                self.links.append((tag, values[key]))
        if tag == "img" and not (values.get("alt") or "").strip():
            self.faults.append(f"picture without alternative text: {values.get('src')}")
        if tag == "img" and values.get("alt") == values.get("src"):
            self.faults.append(f"picture whose alternative text is its name: {values.get('src')}")
        if tag == "iframe" and not values.get("title"):
            self.faults.append("iframe without title")


def fault_of(top, path, tag, link, pages):
    if re.match(r"[a-z][a-z0-9+.-]*:|//", link, re.I):
        loads = tag != "a" and not link.startswith("data:")
        return f"loads from elsewhere: {link}" if loads else None
    file, _, anchor = link.partition("#")
    target = (path.parent / unquote(file.partition("?")[0])).resolve() if file else path
    if target.is_dir():
        target = target / "index.html"
    if not target.is_file() or top not in target.parents:
        return f"leads nowhere: {link}"
    if anchor and target in pages and unquote(anchor) not in pages[target].anchors:
        return f"no such anchor: {link}"
    return None


def style_faults(top):
    for path in top.rglob("*.css"):
        for link in re.findall(r"url\(\s*['\"]?([^'\")]+)", path.read_text(encoding="utf-8")):
            if link.startswith(("data:", "#")):
                continue
            if re.match(r"[a-z]+:|//", link) or not (path.parent / link.partition("?")[0]).is_file():
                yield f"{path.relative_to(top)}: {link}"


def main():
    top = Path(sys.argv[1]).resolve()
    files = sorted(path for path in top.rglob("*.html") if "_static" not in path.parts)
    pages = {path: Page(path) for path in files}
    inner = outer = 0
    faults = list(style_faults(top))
    for path, page in pages.items():
        name = path.relative_to(top)
        faults += [f"{name}: {fault}" for fault in page.faults]
        for tag, link in page.links:
            is_outer = re.match(r"[a-z][a-z0-9+.-]*:", link, re.I)
            inner, outer = (inner, outer + 1) if is_outer else (inner + 1, outer)
            fault = fault_of(top, path, tag, link, pages)
            if fault:
                faults.append(f"{name}: {fault}")
    print("\n".join(faults) + ("\n" if faults else "") +
          f"site: {len(pages)} pages, {inner} links within them, {outer} to other sites, {len(faults)} wrong")
    return 1 if faults or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
