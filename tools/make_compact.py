#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes include/jager/compact.h, the contact of fixed size, of the library's own sources.

    make_compact.py [--check]

The text of the algorithm is that of src/contact; src/contact/compact has what differs: storage, and what happens when
it is full. Names get a prefix, `double` becomes jager_compact_real, and numbers are cast to it. --check: is the header
up to date? White space does not count, as clang-format has broken the lines."""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADER = ROOT / "include/jager/compact.h"

# Sources in their order, and the definitions that a part of src/contact/compact replaces, or that nothing needs
PARTS = [
    ("contact/compact/about.h", ()),
    ("contact/compact/numbers.h", ()),
    ("contact/vec2.h", ("SQUARE_MIN", "SQUARE_MAX", "vec2_from")),
    ("contact/compensated.h", ("double_bits", "double_from_bits", "double_high32", "double_from_high32")),
    ("contact/lanes/account.h", ("GROWTH_MAX",)),
    ("contact/lanes/hertz.h", ()),
    ("contact/compact/storage.h", ()),
    ("contact/upper_end.h", ("jager_history_sum_anchor", "force_magnitude")),
    ("contact/cone.h", ("choose_segment",)),
    ("contact/space.h", ("space_height_at", "space_zeta")),
    ("contact/compact/chords.h", ()),
    ("contact/tolerance.h", ("has_grown_long", "segments_to_shorten", "jager_history_shorten",
                             "shorten_if_due")),
    ("contact/path.h", ("slope_is_slip", "may_merge")),
    ("contact/algorithm.h", ()),
    ("contact/movement.h", ("movement_is_common", "check_movement", "move_touching", "jager_move_any",
                            "jager_adopt_friction")),
    ("../include/jager/pair.h", ("JAGER_REAL", "jager_dashpot_init")),
    ("contact/compact/contact.h", ()),
]

# Names of the library, and what they are called in the header
NAMES = {
    "double": "jager_compact_real", "real": "jager_compact_real", "jager_real": "jager_compact_real",
    "jager_truth": "jagerc_truth", "uint32_t": "jager_compact_word", "uint8_t": "jager_compact_word",
    "jager_law": "jager_compact_law", "jager_pool": "jager_compact", "jager_force": "jager_compact_force",
    "jager_history_sum_anchor": "jagerc_sum_anchor", "assert": "JAGER_COMPACT_ASSERT",
    "JAGER_STATE_ELASTIC": "JAGER_COMPACT_ELASTIC", "JAGER_STATE_SLIP": "JAGER_COMPACT_SLIP",
    "JAGER_STATE_SLIDE": "JAGER_COMPACT_SLIDE", "JAGER_REAL_SQRT": "jagerc_real_sqrt",
    "JAGER_REAL_OF": "jagerc_real_of", "JAGER_REAL_CHOOSE": "JAGERC_choose", "fabs": "jagerc_real_abs",
    "choose": "JAGERC_choose",
}

NUMBER = r"\b\d+\.\d*(?:e[+-]?\d+)?\b|\b\d+e[+-]?\d+\b"
TOKEN = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|' + NUMBER + r"|[A-Za-z_]\w*|\s+|.", re.S)


def without_width(text):
    """The lines of files with lanes that hold for one number."""
    kept, stack = [], []
    for line in text.split("\n"):
        if line.startswith("#if"):
            stack.append("JAGER_WIDTH == 1" in line and [True] or None)
            if stack[-1]:
                continue
        elif line.startswith("#else") and stack[-1]:
            stack[-1][0] = False
            continue
        elif line.startswith("#endif") and stack.pop():
            continue
        if all(state is None or state[0] for state in stack):
            kept.append(line)
    return "\n".join(kept)


def paragraphs(text):
    """The top-level pieces of a file: what stands between blank lines outside of braces, comments and #if."""
    piece, depth, in_comment, conditions = [], 0, False, 0
    for line in text.split("\n") + [""]:
        if not line.strip() and depth == 0 and not in_comment and conditions == 0:
            if piece:
                yield "\n".join(piece)
            piece = []
            continue
        piece.append(line)
        code = re.sub(r"/\*.*?\*/", "", line)
        in_comment = (in_comment or "/*" in code) and "*/" not in code
        if not in_comment:
            depth += code.count("{") - code.count("}")
            conditions += bool(re.match(r"#if", line)) - bool(re.match(r"#endif", line))


def defined_name(piece):
    code = re.sub(r"/\*.*?\*/", "", piece, flags=re.S).strip()
    for pattern in (r"#ifn?def (\w+)", r"#define (\w+)", r"typedef struct (\w+)", r"typedef .*?(\w+);",
                    r"enum (\w+) \{", r"enum \{ (\w+)", r"[^(;{]*?(\w+)\(", r".*?(\w+);"):
        found = re.match(pattern, code)
        if found:
            return found[1]
    return ""


def without_guard(text):  # and without the licence, which the header has once
    text = text.replace("/* SPDX-License-Identifier: MIT */\n", "")
    guard = re.search(r"#ifndef (JAGER_\w+_H)\n#define \1\n", text)
    if guard:
        text = text[: guard.start()] + text[guard.end():]
        text = text[: text.rindex("#endif")]
    return text


def read_part(path, left_out):
    text = (ROOT / "src" / path).read_text(encoding="utf-8")
    own = "compact/" in path
    if path.endswith("about.h"):
        return text.split("\n", 1)[1].strip("\n")
    text = without_guard(text)
    if not own:
        text = without_width(text)
        text = re.sub(r"^#include.*\n", "", text, flags=re.M)
        text = re.sub(r"^#ifdef __cplusplus\n.*\n#endif\n", "", text, flags=re.M)
    kept, found = [], set()
    for piece in ([text.strip("\n")] if path.endswith("numbers.h") else paragraphs(text)):
        for name in left_out:
            piece, times = re.subn(rf"^#define {name}\b.*\n?", "", piece, flags=re.M)
            found |= {name} if times else set()
        name = defined_name(piece)
        found.add(name)
        if piece.strip() and not piece.startswith("_Static_assert") and name not in left_out:
            kept.append(piece)
    assert found >= set(left_out), f"{path} has no {set(left_out) - found}"
    heading = r"/\* ---- .* ---+ \*/"  # is left out if nothing follows it
    kept = [piece for piece, after in zip(kept, kept[1:] + ["/* ---- end ---- */"])
            if not (re.fullmatch(heading, piece) and re.match(r"/\* ---- ", after))]
    return "\n\n".join(kept)


def own_names(text):
    """Names that the text defines and that have no prefix yet."""
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    names = set(re.findall(r"\}\s*(\w+);", code)) & set(re.findall(r"typedef (?:struct|enum) (\w+)", code))
    names |= set(re.findall(r"^(?:static )[^=;{]*?(\w+)\(", code, flags=re.M))
    names |= set(re.findall(r"^typedef \w+ (\w+);", code, flags=re.M))
    names |= set(re.findall(r"^JAGER_PAIR_INLINE [^=;{]*?(\w+)\(", code, flags=re.M))
    names |= set(re.findall(r"^enum (\w+) \{", code, flags=re.M)) | set(re.findall(r"\b(SPACE_\w+)", code))
    names |= set(re.findall(r"#define (\w+)", code))
    return names


def prefixed(name):
    if re.match(r"jager_compact|JAGER_COMPACT|jagerc_|JAGERC_", name):
        return name
    if name.startswith("jager_"):
        return "jager_compact_" + name[len("jager_"):]
    return ("JAGERC_" if name.isupper() else "jagerc_") + name


def translate(text, names):
    out = []
    for token in TOKEN.findall(text):
        if token.startswith(("/*", '"')) or token.isspace():
            out.append(token)
        elif re.fullmatch(NUMBER, token):
            out.append(f"JAGERC({token})")
        elif token in names:
            out.append(names[token])
        else:
            out.append(token)
    return "".join(out)


def make():
    texts = [(path, read_part(path, left_out)) for path, left_out in PARTS]
    names = dict(NAMES)
    for path, text in texts:
        names.update({name: prefixed(name) for name in own_names(text) if name not in NAMES})
    for name in re.findall(r"\bJAGERC_(\w+)|\bjagerc_(\w+)", texts[1][1]):  # of numbers.h
        names.setdefault("".join(name), prefixed("".join(name)))
    out = []
    for path, text in texts:
        if not path.endswith(("about.h", "numbers.h")):
            text = translate(text, names)
            text = re.sub(r"\bstatic (?:JAGER_INLINE|inline)\b|\bJAGER_PAIR_INLINE\b", "JAGER_COMPACT_FUNCTION", text)
        source = path.removeprefix("../") if path.startswith("..") else "src/" + path
        out.append(text if path.endswith("about.h") else f"/* ==== {source} ==== */\n\n{text}")
    body = "\n\n".join(out)
    return f"/* SPDX-License-Identifier: MIT */\n{body}\n\n#endif\n"


def main():
    text = make()
    if "--check" in sys.argv[1:]:
        kept = HEADER.read_text(encoding="utf-8") if HEADER.exists() else ""
        same = "".join(text.split()) == "".join(kept.split())
        if not same:
            print("include/jager/compact.h is not what the sources make: run tools/make_compact.py", file=sys.stderr)
        return 0 if same else 1
    HEADER.write_text(text, encoding="utf-8")
    if shutil.which("clang-format"):
        subprocess.run(["clang-format", "-i", str(HEADER)], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
