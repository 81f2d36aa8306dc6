#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the links of all .md files below a directory: check_links.py DIRECTORY

Files must exist, spelt with the same capitals. An anchor (#words) must be a heading of the file, named as GitHub names
headings. Web addresses are not visited. Prints each error as FILE:LINE: TEXT; the exit code is 1 if there is one.
"""
import os
import re
import sys
import unicodedata
from urllib.parse import unquote

INLINE = re.compile(r'!?\[(?:[^\]\\]|\\.)*\]\(\s*<?([^)\s>]*)>?(?:\s+"[^"]*")?\s*\)')
NESTED = re.compile(r'\]\(\s*<?([^)\s>]*)>?\s*\)')  # the outer link of an image that is a link
REFERENCE = re.compile(r'^ {0,3}\[[^\]]+\]:\s*<?(\S+?)>?\s*$')
HTML = re.compile(r'<(?:a|img)\b[^>]*?\b(?:href|src)="([^"]*)"')
HTML_ANCHOR = re.compile(r'<a\b[^>]*?\b(?:id|name)="([^"]*)"')


def text_lines(path):
    """(number, line, is_code) of a file; code is fenced, or indented behind an empty line."""
    fence, indented_is_code = None, True
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            mark = re.match(r' {0,3}(```+|~~~+)', line)
            if mark and (fence is None or line.strip().startswith(fence)):
                fence = mark.group(1)[:3] if fence is None else None
                yield number, line, True
            else:
                indented = line.startswith("    ") and indented_is_code
                yield number, line, fence is not None or indented
                indented_is_code = indented or not line.strip()


def slug(heading):
    """What GitHub makes of a heading: lower case, no punctuation, hyphens for spaces."""
    heading = re.sub(r'!?\[([^\]]*)\]\([^)]*\)', r'\1', heading)  # of a link, its text
    heading = re.sub(r'<[^>]*>', '', heading)
    kept = ""
    for letter in heading.strip().lower():
        if letter in "-_ " or unicodedata.category(letter)[0] in "LN" or unicodedata.category(letter) in ("Mn", "Mc"):
            kept += letter
    return kept.replace(" ", "-")


def anchors_of(path, known={}):
    if path not in known:
        found, count = set(), {}
        for _, line, is_code in text_lines(path):
            heading = None if is_code else re.match(r' {0,3}#{1,6}\s+(.*?)\s*#*\s*$', line)
            if heading:
                name = slug(heading.group(1).replace("`", "").replace("*", ""))
                found.add(name if count.get(name, 0) == 0 else f"{name}-{count[name]}")
                count[name] = count.get(name, 0) + 1
            found.update([] if is_code else HTML_ANCHOR.findall(line))
        known[path] = found
    return known[path]


def exists_as_spelt(path):
    """Also on file systems that do not tell upper from lower case."""
    path = os.path.normpath(path)
    folder, name = os.path.split(path)
    return os.path.exists(path) and (path == os.sep or name in os.listdir(folder or "."))


def links_of(line):
    line = re.sub(r'(`+).*?\1', '', line)  # code
    return {link for pattern in (INLINE, NESTED, REFERENCE, HTML) for link in pattern.findall(line)}


def fault_of(source, link):
    if re.match(r'[a-z][a-z0-9+.-]*:', link, re.I):
        return None
    file, _, anchor = link.partition("#")
    target = os.path.join(os.path.dirname(source), unquote(file)) if file else source
    if not exists_as_spelt(target):
        return f"there is no {link}"
    if anchor and target.endswith(".md") and unquote(anchor) not in anchors_of(os.path.normpath(target)):
        return f"no heading is named #{anchor}"
    return None


def markdown_files(top):
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and not f.startswith("build") and f != "out")
        yield from (os.path.normpath(os.path.join(folder, f)) for f in sorted(files) if f.endswith(".md"))


def main():
    files = links = faults = 0
    for path in markdown_files(sys.argv[1]):
        files += 1
        for number, line, is_code in text_lines(path):
            for link in sorted(links_of(line)) if not is_code else []:
                links += 1
                fault = fault_of(path, link) if link else "the link leads nowhere"
                if fault:
                    faults += 1
                    print(f"{os.path.relpath(path, sys.argv[1])}:{number}: {fault}")
    print(f"{links} links in {files} files, {faults} wrong")
    return 1 if faults or links == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
