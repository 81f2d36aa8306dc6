#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the explorer one HTML file with everything inlined, which works from file:// and without a network.

    web/bundle.py JAGER.wasm OUT.html

Lines `<!-- bundle: KIND NAMES -->` of src/index.html become the files of that kind: style, include, wasm, worker (a
text that the page turns into a Worker), modules (a module with all that it imports), policy (a Content-Security-Policy
that forbids every connection and allows only the scripts and styles of this very file, by their hashes).

Modules may use `import { a, b } from "./x.js"` and `export` before a function, class or const. Each becomes a function
that returns its exports. The output depends on nothing but the files.
"""
import base64
import hashlib
import pathlib
import re
import sys

SOURCES = pathlib.Path(__file__).resolve().parent / "src"
IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.M)
EXPORT = re.compile(r"^export (?=(?:async )?function\*? (\w+)|class (\w+)|const (\w+))", re.M)
DIRECTIVE = re.compile(r"^<!-- bundle: (\w+) ?([^>]*?) ?-->$", re.M)


class BundleError(Exception):
    """A source that cannot be bundled."""


def read(path):
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise BundleError(f"{path}: {error.strerror}") from error


def variable(path):
    """The name of the constant that holds a module's exports."""
    return "module_" + re.sub(r"\W", "_", str(path.relative_to(SOURCES).with_suffix("")))


def wrap_module(path, text, imports):
    """The module as a constant with its exports."""
    names = [next(filter(None, match.groups())) for match in EXPORT.finditer(text)]
    body = EXPORT.sub("", IMPORT.sub("", text))
    if re.search(r"^(?:import|export)\b", body, re.M):
        raise BundleError(f"{path}: an import or export of a form that bundle.py does not know")
    heads = "".join(f"const {{{names.replace(' as ', ': ')}}} = {variable(source)};\n" for names, source in imports)
    return f"const {variable(path)} = (() => {{\n{heads}{body}return {{ {', '.join(names)} }};\n}})();\n"


def collect(path, done, active):
    """All modules that this one needs and itself, each once, those that are imported first."""
    if path in done:
        return
    if path in active:
        raise BundleError(f"{path}: imports itself through {' '.join(map(str, active))}")
    text = read(path)
    imports = [(match[1], (path.parent / match[2]).resolve()) for match in IMPORT.finditer(text)]
    for _, source in imports:
        collect(source, done, active + [path])
    done[path] = wrap_module(path, text, imports)


def bundle_modules(names):
    done = {}
    for name in names:
        collect((SOURCES / name).resolve(), done, [])
    return "".join(done.values())


def inline_safe(text):
    """Fails if a text would end the element that it is put into."""
    if re.search(r"</(?:script|style)|<!--", text, re.I):
        raise BundleError("a script or style contains the end of its own element")
    return text


def policy(hashes):
    rules = [
        "default-src 'none'",
        "script-src " + " ".join(hashes["script"]) + " 'wasm-unsafe-eval' blob:",
        "style-src " + " ".join(hashes["style"]),
        "worker-src blob:",
        "img-src data: blob:",
        "connect-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return f'<meta http-equiv="Content-Security-Policy" content="{"; ".join(rules)}">'


def digest(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def bundle(wasm_path):
    hashes = {"script": [], "style": []}

    def replace(match):
        kind, names = match[1], match[2].split()
        if kind == "style":
            text = "\n" + inline_safe("".join(read(SOURCES / name) for name in names))
            hashes["style"].append(digest(text))
            return f"<style>{text}</style>"
        if kind == "include":
            return "".join(read(SOURCES / name) for name in names).rstrip("\n")
        if kind == "wasm":
            data = base64.b64encode(wasm_path.read_bytes()).decode()
            return f'<script type="application/wasm-base64" id="jager-wasm">{data}</script>'
        if kind == "worker":
            text = inline_safe(bundle_modules(names))
            return f'<script type="text/plain" id="worker-source">\n"use strict";\n{text}</script>'
        if kind == "modules":
            text = '\n"use strict";\n' + inline_safe(bundle_modules(names))
            hashes["script"].append(digest(text))
            return f"<script>{text}</script>"
        if kind == "policy":
            return match[0]
        raise BundleError(f"index.html: unknown 'bundle: {kind}'")

    page = DIRECTIVE.sub(replace, read(SOURCES / "index.html"))
    return page.replace("<!-- bundle: policy -->", policy(hashes))


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: bundle.py JAGER.wasm OUT.html")
    try:
        page = bundle(pathlib.Path(sys.argv[1]))
        pathlib.Path(sys.argv[2]).write_text(page, encoding="utf-8")
    except (BundleError, OSError) as error:
        sys.exit(f"bundle.py: {error}")


if __name__ == "__main__":
    main()
