#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes docs/api.md from the comments of the public headers.

    tools/make_api.py [--check] [SOURCE_DIR]

The headers are the reference; this page shows them with headings and tables. A comment that stands directly above
declarations describes them; one that is followed by an empty line is text of its section. --check compares the page
with the headers and exits with 1 if it is out of date.
"""
import pathlib
import re
import sys
import textwrap

HEADERS = ("jager.h", "pair.h", "pairs.h")
INTRODUCTION = """# API reference

Made by `tools/make_api.py` from the comments in `include/jager`. How the pieces fit together is told in
[guide.md](guide.md).

"""


def comment_lines(comment):
    """The text of a block comment, line by line, without its frame."""
    lines = comment.strip()[2:-2].strip("\n").split("\n")
    return [re.sub(r"^ \* ?", "", line).rstrip() if line.startswith(" *") else line.strip() for line in lines]


def escape(text):
    """Stars and underscores mean something to Markdown; names of the library are shown as code."""
    text = re.sub(r"(?<![`\w])((?:jager|JAGER)_\w+(?:/\w+\.h)?|jager/\w+\.h)(?!`)", r"`\1`", text)
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([*_<])", r"\\\1", part) for part in parts)


def markdown(lines):
    """Paragraphs, lists and indented code as Markdown."""
    out = []
    for line in lines:
        code = line.startswith("    ")
        text = line if code else escape(line.replace("|", "\\|") if line.startswith("|") else line)
        out += [text] if code or len(text) <= 120 else textwrap.wrap(text, 120, break_on_hyphens=False)
    return "\n".join(out).strip("\n")


def table(head, rows):
    cells = lambda row: "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |\n"
    return cells(head) + "|---" * len(head) + "|\n" + "".join(cells(row) for row in rows)


def members(body, is_enum):
    """Name and comment of each field or enumerator."""
    pattern = r"^\s*([^/;]+?)(?:;|,)\s*/\*(.*?)\*/" if not is_enum else r"^\s*(\w+)(?: = (\d+))?,?\s*/\*(.*?)\*/"
    rows = []
    for match in re.finditer(pattern, body, re.M | re.S):
        comment = " ".join(match.group(match.lastindex).split())
        name = " ".join(match.group(1).split())
        number = match.group(2) or "" if is_enum else None
        rows.append((f"`{name}`", number, escape(comment)) if is_enum else (f"`{name}`", escape(comment)))
    return rows


def statuses(declaration):
    found = re.findall(r'X\((\w+), (\d+),[\s\\]*"((?:[^"\\]|\\.)*)"\)', declaration)
    return table(("status", "number", "text"), [(f"`{name}`", number, text) for name, number, text in found])


def without_body(declaration):
    """Prototypes of functions; those of inline functions lose their bodies."""
    text = re.sub(r"^static inline ", "", re.sub(r"JAGER_API ", "", declaration), flags=re.M)
    text = re.sub(r"\n\{\n.*?^\}", ";", text, flags=re.M | re.S)
    return re.sub(r"\n +", "\n    ", text).strip()


def show(comment, declaration):
    """One description and what it describes."""
    text = markdown(comment_lines(comment))
    kind = re.match(r"typedef (struct|enum) (\w+)", declaration)
    if "#define JAGER_STATUS_LIST" in declaration:
        return f"#### `JAGER_STATUS_LIST`\n\n{text}\n\n{statuses(declaration)}\n"
    if kind and "{" in declaration and "STATUS" not in declaration:
        is_enum = kind.group(1) == "enum"
        head = ("name", "number", "meaning") if is_enum else ("field", "meaning")
        hidden = kind.group(2) == "jager_contact"
        rows = "" if hidden else "\n" + table(head, members(declaration[declaration.index("{") + 1:], is_enum))
        return f"#### `{kind.group(2)}`\n\n{text}\n{rows}\n"
    if kind:
        return f"#### `{kind.group(2)}`\n\n{text}\n\n"
    if declaration.startswith(("JAGER_API", "static inline")):
        return f"```c\n{without_body(declaration)}\n```\n\n{text}\n\n"
    return ""


def sections(source):
    """Headings and descriptions of a header, in its order."""
    blocks = re.finditer(r"/\*(?:(?!\*/).)*?\*/|[^\n]+", source, re.S)
    out, comment, declaration, end, depth = [], None, "", 0, 0

    def finish():
        nonlocal comment, declaration
        if comment and declaration:
            out.append(show(comment, declaration))
        elif comment:
            out.append(markdown(comment_lines(comment)) + "\n\n")
        comment, declaration = None, ""

    for block in blocks:
        text, gap = block.group(), source[end:block.start()]
        end = block.end()
        heading = re.match(r"/\* ---- (.*?) -+ \*/$", text)
        if gap.count("\n") > 1 and depth == 0:
            finish()
        if heading:
            out.append(f"### {heading.group(1)}\n\n")
        elif text.startswith("/*") and depth == 0 and not declaration:
            comment = text
        else:
            if not text.startswith(("#undef", "#define JAGER_STATUS_ENUMERATOR")):
                declaration += (gap if declaration else "") + text
            depth += text.count("{") - text.count("}") if not text.startswith("/*") else 0
    finish()
    return "".join(out)


def page_of(root, name):
    source = (root / "include/jager" / name).read_text()
    source = source[source.index("*/") + 2:].lstrip("\n")
    head, rest = source.split("*/", 1)
    body = rest[rest.index("/* ---- "):rest.rindex("#ifdef __cplusplus")]
    return f"## `jager/{name}`\n\n{markdown(comment_lines(head + '*/'))}\n\n{sections(body)}"


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    root = pathlib.Path(arguments[0] if arguments else ".").resolve()
    pages = "".join(page_of(root, name) for name in HEADERS)
    headings = re.findall(r"^### (.*)$", pages, re.M)
    contents = " · ".join(f"[{heading}](#{heading.lower().replace(' ', '-')})" for heading in headings)
    contents = textwrap.fill(f"Contents: {contents}", 120, break_on_hyphens=False)
    page = f"{INTRODUCTION}{contents}\n\n{pages}"
    page = re.sub(r"\n{3,}", "\n\n", page).rstrip("\n") + "\n"
    target = root / "docs/api.md"
    if "--check" not in sys.argv:
        target.write_text(page)
        return 0
    if target.read_text() == page:
        print("docs/api.md is made from the headers as they are")
        return 0
    print("docs/api.md is out of date: run tools/make_api.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
