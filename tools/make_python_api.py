#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes docs/python-api.md from the docstrings and signatures of the package in python/jager.

    tools/make_python_api.py [--check] [SOURCE_DIR]

The package is read, not imported: nothing needs to be built. The page has every name of jager.__all__ with its
docstring, and of classes every public method and property. A name without a docstring is an error, and so is one that
no section of the page lists. --check compares the page with the package and exits with 1 if it is out of date.
"""
import ast
import inspect
import pathlib
import re
import sys
import textwrap

WIDTH = 120
INTRODUCTION = """# Python API reference

Made by `tools/make_python_api.py` from the docstrings in `python/jager`. [python.md](python.md) introduces the package
by examples.

"""

# Heading, text, names in their order.
SECTIONS = (
    ("One contact", "The forces of a contact along any movement, and what it remembers.",
     ("Law", "Contact", "Contacts", "Path", "Force", "Movement", "Stiffness", "Energy", "Radii", "Tractions", "State",
      "MODELS", "CONTOURS", "mindlin", "impact")),
    ("Cases and runs", "A case describes a test; a run has made its files. [case.md](case.md) explains the keys of a "
     "case, [files.md](files.md) the files.",
     ("Case", "Progress", "open", "Run", "Snapshot", "Snapshots")),
    ("Simulations", "The simulator step by step, with control from Python.",
     ("Simulation", "Measures", "MEASURES", "UNITS", "MEANINGS", "CYCLE_VALUES", "CYCLE_UNITS", "moduli", "Moduli")),
    ("Many runs, pictures and reports", "",
     ("sweep", "Sweep", "plot", "report")),
    ("Assemblies of other programs", "", ("Assembly", "convert", "read_assembly", "write_assembly",
                                           "FORMATS")),
    ("Errors and warnings", "All exceptions of the package are a `JagerError`; wrong types and shapes are a "
     "`TypeError` or `ValueError`, files that cannot be written an `OSError`.",
     ("JagerError", "CaseError", "RunError", "FormatError", "JagerWarning")),
)
MODULE_TEXTS = {"Assemblies of other programs": "_convert"}  # the docstring of the module stands below the heading
NOT_PUBLIC = {"open": "_runs"}  # not in jager.__all__: `import *` must not replace Python's own

# Constants have no docstrings.
CONSTANTS = {
    "MODELS": ("tuple[str, ...]", "The names of the contact models, for `Law` and `contact.model` of a case."),
    "CONTOURS": ("tuple[str, ...]", "The names of the contours, for `Law`."),
    "FORMATS": ("tuple[str, ...]", "The names of the formats of assemblies."),
    "MEASURES": ("tuple[str, ...]", "The names of all measures: attributes of `Measures`, columns of a series."),
    "UNITS": ("dict[str, str]", 'The unit of each measure; "1" of numbers.'),
    "MEANINGS": ("dict[str, str]", "What each measure means, in a sentence."),
    "CYCLE_VALUES": ("tuple[str, ...]", "The names of the values of a cycle: keys of `Simulation.cycle`, columns of "
                     "cycles.csv."),
    "CYCLE_UNITS": ("dict[str, str]", 'The unit of each value of a cycle; "1" of numbers.'),
}
TYPES = """## Types in signatures

`np` is numpy, `npt` numpy.typing. `npt.NDArray[np.void]` is a structured array, whose fields have names: `a["fn"]`.

"""
OPERATORS = {"__len__": "len(x)", "__getitem__": "x[k]", "__eq__": "x == y", "__call__": "x()"}
FIELD_SECTIONS = {"Args": "argument", "Attributes": "attribute"}


class Incomplete(Exception):
    """Something public lacks a description."""


# ---- Text -----------------------------------------------------------------------------------------------------------


def escape(text):
    """Stars, underscores and < mean something to Markdown, outside of code. Names of pages become links."""
    parts = re.split(r"(`[^`]*`)", text)
    plain = [part if part.startswith("`") else re.sub(r"([*_<])", r"\\\1", part) for part in parts]
    return re.sub(r"\bdocs/(\w+\.md)(#[\w-]+)?", r"[\1](\1\2)", "".join(plain))


def wrapped(line):
    indent = re.match(r"(?:- )?", line).group()
    return textwrap.wrap(line, WIDTH, subsequent_indent=" " * len(indent), break_long_words=False,
                         break_on_hyphens=False) or [""]


def prose(lines):
    """Paragraphs, lists, tables and indented code as Markdown."""
    out = []
    for line in lines:
        if line.startswith("    "):
            out.append(line)
        else:
            out += wrapped(escape(line)) if not line.startswith("|") else [escape(line)]
    return "\n".join(out).strip("\n")


def cells(*texts):
    return "| " + " | ".join(" ".join(text.split()).replace("|", "\\|") for text in texts) + " |\n"


def sections_of(docstring):
    """The lines before the first section, and (name, lines) of each section, with indents removed."""
    parts = [("", [])]
    for line in inspect.cleandoc(docstring).split("\n"):
        head = re.fullmatch(r"(Args|Attributes|Returns|Raises):", line)
        if head:
            parts.append((head.group(1), []))
        else:
            parts[-1][1].append(line)
    return parts[0][1], [(name, inspect.cleandoc("\n" + "\n".join(lines)).split("\n")) for name, lines in parts[1:]]


def entries_of(lines):
    """(names, text) of the entries of a section; names are "" where an entry has none."""
    found = []
    for line in lines:
        if line.startswith(" ") and found:
            found[-1] += " " + line.strip()
        elif line.strip():
            found.append(line)
    split = [re.fullmatch(r"([\w., ]+?): (.*)", entry) for entry in found]
    return [(match.group(1), match.group(2)) if match else ("", entry) for match, entry in zip(split, found)]


def names_as_code(names):
    return ", ".join(f"`{name}`" for name in names.split(", ")) if names else ""


def section_text(name, lines):
    if name in FIELD_SECTIONS:
        rows = "".join(cells(names_as_code(names), escape(text)) for names, text in entries_of(lines))
        return cells(FIELD_SECTIONS[name], "meaning") + "|---|---|\n" + rows.rstrip("\n")
    if name == "Raises":
        return "\n".join("\n".join(wrapped(f"- Raises {names_as_code(names)}: {escape(text)}"))
                         for names, text in entries_of(lines))
    return prose([f"Returns: {' '.join(line.strip() for line in lines)}"])


def described(docstring):
    """A docstring as Markdown."""
    text, sections = sections_of(docstring)
    return "\n\n".join(part for part in [prose(text), *(section_text(*section) for section in sections)] if part)


def on_one_line(docstring):
    """The same for a cell of a table."""
    text, sections = sections_of(docstring)
    parts = [" ".join(" ".join(text).split())]
    for name, lines in sections:
        parts += [f"{name} {names_as_code(names)}: {entry}" if names else f"{name}: {entry}"
                  for names, entry in entries_of(lines)]
    return escape(" ".join(parts))


# ---- Source ---------------------------------------------------------------------------------------------------------


class Module:
    """A module of the package as a syntax tree."""

    def __init__(self, path):
        self.name, self.source = path.stem, path.read_text(encoding="utf-8")
        self.tree = ast.parse(self.source)
        self.lines = self.source.split("\n")
        self.nodes = {node.name: node for node in self.tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        self.assigned = {node.targets[0].id: node for node in ast.walk(self.tree) if isinstance(node, ast.Assign)
                         and isinstance(node.targets[0], ast.Name) and node in self.tree.body}

    def text(self, node):
        """The source of a node on one line."""
        return " ".join((ast.get_source_segment(self.source, node) or "").split()).replace("( ", "(")


def imports_of(tree):
    """Public name: its module, of the lines `from ._x import a, b as c` of a module."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            for name in node.names:
                found[name.asname or name.name] = node.module or name.name
    return found


def parameters(module, function):
    """The parameters of a function as in its source, without self and cls."""
    of, shown = function.args, []

    def one(argument, default=None, stars=""):
        text = stars + argument.arg
        text += f": {module.text(argument.annotation)}" if argument.annotation else ""
        between = " = " if argument.annotation else "="
        return text + (between + module.text(default) if default is not None else "")

    plain = [*of.posonlyargs, *of.args]
    defaults = [None] * (len(plain) - len(of.defaults)) + list(of.defaults)
    shown += [one(argument, default) for argument, default in zip(plain, defaults)
              if argument.arg not in ("self", "cls")]
    if of.vararg:
        shown.append(one(of.vararg, stars="*"))
    elif of.kwonlyargs:
        shown.append("*")
    shown += [one(argument, default) for argument, default in zip(of.kwonlyargs, of.kw_defaults)]
    if of.kwarg:
        shown.append(one(of.kwarg, stars="**"))
    return shown


def signature(name, shown, returns=""):
    """A code block with the signature, in lines that are short enough."""
    end = f" -> {returns}" if returns and returns != "None" else ""
    lines, indent = [f"{name}("], " " * (len(name) + 1)
    for k, text in enumerate(shown):
        piece = text + ("," if k + 1 < len(shown) else f"){end}")
        if len(lines[-1]) + len(piece) + 1 > WIDTH and lines[-1].strip() and not lines[-1].endswith("("):
            lines.append(indent + piece)
        else:
            lines[-1] += piece if lines[-1].endswith("(") else f" {piece}"
    if not shown:
        lines[-1] += f"){end}"
    return "```python\n" + "\n".join(lines) + "\n```"


def docstring_of(node, name):
    text = ast.get_docstring(node, clean=False)
    if not text:
        raise Incomplete(f"{name} has no docstring")
    return text


def decorators(module, node):
    return [module.text(decorator) for decorator in node.decorator_list]


# ---- The page -------------------------------------------------------------------------------------------------------


def show_function(module, node, heading):
    returns = module.text(node.returns) if node.returns else ""
    return (f"{signature(node.name, parameters(module, node), returns)}\n\n"
            f"{described(docstring_of(node, heading))}\n\n")


def attribute_rows(module, node):
    """Attributes that the class declares, with the comment on their line."""
    for item in node.body:
        if isinstance(item, ast.AnnAssign) and not item.target.id.startswith("_"):
            comment = module.lines[item.lineno - 1].partition("  # ")[2]
            if comment:
                yield f"`{item.target.id}`", f"`{module.text(item.annotation)}`", escape(comment)


def property_rows(module, node):
    settable = {item.name for item in node.body if isinstance(item, ast.FunctionDef)
                and f"{item.name}.setter" in decorators(module, item)}
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and not item.name.startswith("_") and \
                {"property", "cached_property"} & set(decorators(module, item)):
            text = on_one_line(docstring_of(item, f"{node.name}.{item.name}"))
            text += " May be set." if item.name in settable else ""
            yield f"`{item.name}`", f"`{module.text(item.returns)}`", text


def operator_rows(module, node):
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and item.name in OPERATORS and ast.get_docstring(item):
            returns = f"`{module.text(item.returns)}`"
            yield f"`{OPERATORS[item.name]}`", returns, on_one_line(ast.get_docstring(item))


def members(module, node):
    """The table of attributes and properties, then the methods."""
    rows = [*attribute_rows(module, node), *property_rows(module, node), *operator_rows(module, node)]
    table = cells("property", "type", "meaning") + "|---|---|---|\n" + "".join(cells(*row) for row in rows)
    out = f"{table}\n" if rows else ""
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and not item.name.startswith("_"):
            kinds = decorators(module, item)
            if any(kind in ("property", "cached_property", "overload") or kind.endswith(".setter") for kind in kinds):
                continue
            heading = f"{node.name}.{item.name}"
            out += f"#### {heading}\n\n{show_function(module, item, heading)}"
    return out


def class_head(module, node, docstring):
    """How an object is made, where users make it; fields of named tuples; members of enumerations; bases of errors."""
    bases = [module.text(base) for base in node.bases]
    if "NamedTuple" in bases:
        fields = [item for item in node.body if isinstance(item, ast.AnnAssign)]
        return signature(node.name, [f"{item.target.id}: {module.text(item.annotation)}" for item in fields]) + "\n\n"
    if "enum.IntEnum" in bases:
        values = [item for item in node.body if isinstance(item, ast.Assign)]
        rows = "".join(cells(f"`{node.name}.{item.targets[0].id}`", module.text(item.value)) for item in values)
        return cells("name", "number") + "|---|---|\n" + rows + "\n"
    if any(base.endswith(("Error", "Exception", "Warning")) for base in bases):
        return f"A kind of `{bases[0]}`.\n\n" if bases[0] != "Exception" else ""
    inits = [item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == "__init__"]
    if inits and "Args:" in docstring:
        return signature(node.name, parameters(module, inits[0])) + "\n\n"
    return ""


def dataclass_head(module, node):
    """The constructor of a dataclass whose objects users make."""
    fields = [item for item in node.body if isinstance(item, ast.AnnAssign)]
    shown = []
    for item in fields:
        default = module.text(item.value) if item.value else ""
        default = "..." if default.startswith("field(") else default
        shown.append(f"{item.target.id}: {module.text(item.annotation)}" + (f" = {default}" if default else ""))
    return signature(node.name, shown) + "\n\n"


def show_class(module, node):
    docstring = docstring_of(node, node.name)
    head = class_head(module, node, docstring)
    if node.name == "Assembly":
        head = dataclass_head(module, node)
    return f"{head}{described(docstring)}\n\n{members(module, node)}"


def show_module(module):
    docstring = ast.get_docstring(module.tree, clean=False)
    functions = [node for name, node in module.nodes.items() if not name.startswith("_")]
    return f"{described(docstring)}\n\n" + "".join(
        f"#### {module.name}.{node.name}\n\n{show_function(module, node, f'{module.name}.{node.name}')}"
        for node in functions)


def show(name, modules, places):
    place = places.get(name) or NOT_PUBLIC.get(name)
    if name in modules:
        return show_module(modules[name])
    if name in CONSTANTS:
        return f"`{CONSTANTS[name][0]}`\n\n{prose([CONSTANTS[name][1]])}\n\n"
    while place in modules and name not in modules[place].nodes and name in imports_of(modules[place].tree):
        place = imports_of(modules[place].tree)[name]
    node = modules[place].nodes.get(name) if place in modules else None
    if node is None:
        raise Incomplete(f"{name}: neither a class nor a function; a constant needs a line in CONSTANTS of this script")
    return show_class(modules[place], node) if isinstance(node, ast.ClassDef) else \
        show_function(modules[place], node, name)


def aliases(page, modules):
    """The types that signatures name and the package defines."""
    code = " ".join(re.findall(r"```python\n(.*?)```", page, re.S)) + " ".join(re.findall(r"`([^`\n]*)`", page))
    rows = {}
    for module in modules.values():
        for name, node in module.assigned.items():
            text = module.text(node.value)
            if re.search(rf"\b{name}\b", code) and name not in CONSTANTS and not name.startswith("_") \
                    and re.match(r"Union\[|npt\.|NDArray\[|np\.ndarray\[", text) and name not in rows:
                rows[name] = cells(f"`{name}`", "`" + text.replace('"', "") + "`")
    listing = "".join(rows[name] for name in sorted(rows))
    return f"{TYPES}{cells('name', 'stands for')}|---|---|\n{listing}\n" if rows else ""


def anchors_of(body):
    """The anchor of each heading, as GitHub names them: the second of equal ones ends in -1."""
    anchors, count = {}, {}
    for heading in re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", body, flags=re.S), re.M):
        name = re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        anchors[heading] = f"{name}-{count[name]}" if name in count else name
        count[name] = count.get(name, 0) + 1
    return anchors


def page_of(root):
    folder = root / "python/jager"
    modules = {path.stem: Module(path) for path in sorted(folder.glob("*.py"))}
    package = modules["__init__"]
    places = imports_of(package.tree)
    public = ast.literal_eval(package.assigned["__all__"].value)
    listed = [name for _, _, names in SECTIONS for name in names]
    for name in sorted(set(public) ^ (set(listed) - set(NOT_PUBLIC))):
        raise Incomplete(f"{name} is in jager.__all__ or in SECTIONS of this script, but not in both")
    body = ""
    for heading, text, names in SECTIONS:
        body += f"## {heading}\n\n" + ("\n".join(wrapped(text)) + "\n\n" if text else "")
        if heading in MODULE_TEXTS:
            body += described(ast.get_docstring(modules[MODULE_TEXTS[heading]].tree, clean=False)) + "\n\n"
        body += "".join(f"### {name}\n\n{show(name, modules, places)}" for name in names)
    body += aliases(body, modules)
    anchors = anchors_of(body)
    contents = ""
    for heading, _, names in SECTIONS:
        links = " · ".join(f"[{name}](#{anchors[name]})" for name in names)
        contents += "\n".join(textwrap.wrap(f"- [{heading}](#{anchors[heading]}): {links}", WIDTH,
                                            subsequent_indent="  ", break_long_words=False,
                                            break_on_hyphens=False)) + "\n"
    start = described(ast.get_docstring(package.tree, clean=False))
    page = f"{INTRODUCTION}{contents}\n## The package\n\n{start}\n\n{body}"
    return re.sub(r"\n{3,}", "\n\n", page).rstrip("\n") + "\n"


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    root = pathlib.Path(arguments[0] if arguments else ".").resolve()
    target = root / "docs/python-api.md"
    try:
        page = page_of(root)
    except Incomplete as problem:
        print(problem)
        return 1
    if "--check" not in sys.argv:
        target.write_text(page, encoding="utf-8")
        return 0
    if target.exists() and target.read_text(encoding="utf-8") == page:
        print("docs/python-api.md is made from the package as it is")
        return 0
    print("docs/python-api.md is out of date: run tools/make_python_api.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
