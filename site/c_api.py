# SPDX-License-Identifier: MIT
"""The reference of the public headers as Markdown, for the page docs/api.md of the site.

A comment that stands directly above declarations describes all of them; one that is followed by an empty line is text
of its section. Doxygen would attach it to the first declaration alone, and reads only comments with marks of its own.
"""
import re
import textwrap


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
    text = re.sub(r"^(JAGER_API|JAGER_PAIR_INLINE|static inline) ", "", declaration, flags=re.M)
    text = re.sub(r"\n\{\n.*?^\}", ";", text, flags=re.M | re.S)
    return re.sub(r"\n +", "\n    ", text).strip()


def show(comment, declaration):
    """One description and what it describes."""
    text = markdown(comment_lines(comment))
    kind = re.match(r"typedef (struct|enum|union) (\w+)", declaration)
    if "#define JAGER_STATUS_LIST" in declaration:
        return f"#### `JAGER_STATUS_LIST`\n\n{text}\n\n{statuses(declaration)}\n"
    if kind and "{" in declaration and "STATUS" not in declaration:
        is_enum = kind.group(1) == "enum"
        head = ("name", "number", "meaning") if is_enum else ("field", "meaning")
        hidden = kind.group(1) == "union"  # private bytes
        rows = "" if hidden else "\n" + table(head, members(declaration[declaration.index("{") + 1:], is_enum))
        return f"#### `{kind.group(2)}`\n\n{text}\n{rows}\n"
    if kind:
        return f"#### `{kind.group(2)}`\n\n{text}\n\n"
    if declaration.startswith(("JAGER_API", "JAGER_PAIR_INLINE", "static inline")):
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


def reference(header):
    """The head comment of a header, and its sections."""
    source = header.read_text(encoding="utf-8")
    source = source[source.index("*/") + 2:].lstrip("\n")  # behind the line of the licence
    head, rest = source.split("*/", 1)
    body = rest[rest.index("/* ---- "):rest.rindex("#ifdef __cplusplus" if "extern" in rest else "#endif")]
    text = f"\n## `jager/{header.name}`\n\n{markdown(comment_lines(head + '*/'))}\n\n{sections(body)}"
    return re.sub(r"\n{3,}", "\n\n", text)
