#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Mutation test: changes one place of the sources at a time and counts how many of the changes the tests notice.

The sources are copied into the build directory; nothing else is changed. A mutant whose object code is that of the
original is equal and does not count. The others are given to the tests of their part, those that caught mutants of the
same file first, until one fails or hangs. Survivors that were examined and change no result are listed, with the
reason, in tools/mutants-equal.txt; all others are faults of the tests.

The seed gives each mutant a place in the draw, whatever other mutants there are: when the sources change a little, most
of the mutants drawn are the same. The build directory remembers what was caught in which text of a file; such mutants
are not tried again, unless --fresh is given.

    tools/mutate.py [--part contact|dem|case]... [--count N] [--seed S] [--build DIR] [--fresh] [--output FILE]
    tools/mutate.py --only FILE:LINE ...     all mutants of these lines, instead of random ones
"""
import argparse
import hashlib
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Part: which files are mutated, and which tests of ctest look at them.
PARTS = {
    "contact": (r"src/contact/.*\.[ch]",
                r"test_(?!case|csv|dem_|moduli_|paper|progress|result|run_loading|run_picture|series|vtk).*|test_dem_(collision|golden)|"
                r"test_csv|replay_unpack|soak|tolerance|embed|cli_(force_control|models|nine_movements|tractions)"),
    "dem": (r"src/dem/.*\.[ch]", r"test_dem_.*|cli_run_(damaged|golden|resume|trace)"),
    "moduli": (r"src/moduli/.*\.[ch]", r"test_moduli_.*|cli_moduli"),
    "case": (r"src/case/.*\.[ch]", r"test_case.*|replay_case|cli_(check|run_refusals)"),
}

# Random movements of the soaks: a slice.
SOAK_CALLS = "2e6"

MEMORY_LIMIT = 8 << 30
FILE_LIMIT = 1 << 30


# ---- Mutants ---------------------------------------------------------------------------------------------------------

# Binary operators, which clang-format puts between blanks; what each may become.
OPERATORS = {
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"],
    "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="],
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="],
    "&&": ["||"], "||": ["&&"], "&": ["|"], "|": ["&"], "^": ["&"], "<<": [">>"], ">>": ["<<"],
}
WORDS = {"true": ["false"], "false": ["true"], "fmin": ["fmax"], "fmax": ["fmin"], "continue": ["break"]}

TOKEN = re.compile(r"""
    (?P<skip>/\*.*?\*/|//[^\n]*|^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
  | (?P<number>\b(?:0[xX][0-9a-fA-F]+[uUlL]*|\d+\.?\d*(?:[eE][+-]?\d+)?[uUlLfF]*)|(?<![\w.])\.\d+(?:[eE][+-]?\d+)?)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<step>\+\+|--)
  | (?P<operator>(?<=[ ])(?:<<|>>|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|[-+*/%<>&|^])(?=[ \n]))
  | (?P<not>!(?!=))
  | (?P<other>.|\n)
""", re.VERBOSE | re.DOTALL | re.MULTILINE)

# Lines that only make things faster: no test can tell.
HINT = re.compile(r"__builtin_prefetch|__builtin_expect")

# A statement on a line of its own that is a call or an assignment, not a declaration.
STATEMENT = re.compile(r"^[ \t]+(?!return\b|else\b|case\b|if\b|for\b|while\b|do\b|switch\b|typedef\b|sizeof\b|goto\b)"
                       r"(?P<it>(?:\(void\))?\*?[A-Za-z_][\w.\[\]]*(?:->[\w.\[\]]+)*"
                       r"(?:\([^;\n]*\)|\+\+|--| [-+*/|&^]?= [^;\n]*);)$", re.MULTILINE)
CONDITION = re.compile(r"\b(?:if|while) \(")


def number_changes(text):
    """Other constants in place of this one."""
    match = re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)", text)
    if match:
        value, suffix = int(match.group(1), 0), match.group(2)
        return [f"{value + 1}{suffix}"] + ([f"{value - 1}{suffix}"] if value > 0 else [])
    if not re.fullmatch(r"[\d.]+(?:[eE][+-]?\d+)?", text):
        return []
    return ["1.0"] if float(text) == 0.0 else [f"(2.0 * {text})", f"(0.5 * {text})"]


def closing(text, start):
    """Where the parenthesis that opens at start closes; None within a macro or text."""
    depth = 0
    for match in TOKEN.finditer(text, start):
        depth += {"(": 1, ")": -1}.get(match.group(), 0)
        if depth == 0:
            return match.start()
    return None


class Mutant:
    def __init__(self, path, text, start, end, new, kind):
        self.path, self.start, self.end, self.new, self.kind = path, start, end, new, kind
        self.line = text.count("\n", 0, start) + 1
        first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
        self.before = " ".join(text[first:last].split())
        self.after = " ".join((text[first:start] + new + text[end:last]).split())

    def key(self):
        return (self.path, self.before, self.after)


def digest(*parts):
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()


def number_repetitions(mutants):
    """Lines that are there several times: which of them a mutant is of."""
    seen = {}
    for mutant in mutants:
        mutant.place = seen[mutant.key()] = seen.get(mutant.key(), -1) + 1
    return mutants


def mutants_of(path, text):
    found, code = [], []
    for match in TOKEN.finditer(text):
        token, kind = match.group(), match.lastgroup
        code.append(re.sub(r"[^\n]", " ", token) if kind == "skip" else token)
        changes = []
        if kind == "operator":
            changes = OPERATORS[token]
            name = "comparison" if token[0] in "<>=!" and token not in ("<<", ">>") else (
                "logical" if token in ("&&", "||") else "arithmetic")
        elif kind == "word" and token in WORDS:
            changes, name = WORDS[token], "word"
        elif kind == "number":
            changes, name = number_changes(token), "constant"
        elif kind == "step":
            changes, name = ["--" if token == "++" else "++"], "arithmetic"
        elif kind == "not":
            changes, name = [""], "negation"
        found += [Mutant(path, text, match.start(), match.end(), new, name) for new in changes]
    code = "".join(code)  # the same places, without comments and texts
    for match in CONDITION.finditer(code):
        end = closing(code, match.end() - 1)
        if end:
            inner = text[match.end():end]
            found.append(Mutant(path, text, match.end(), end, f"!({inner})", "negation"))
    for match in STATEMENT.finditer(code):
        found.append(Mutant(path, text, match.start("it"), match.end("it"), ";", "deletion"))
    return number_repetitions([mutant for mutant in found if not HINT.search(mutant.before)])


# ---- The build: a copy of the tree, objects compiled and programs linked one by one when needed ----------------------

def read_bytes(path):
    with open(path, "rb") as stream:
        return stream.read()


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def mirror(source, target):
    """Makes target a copy of source; files that are equal keep their times."""
    wanted = set()
    for folder, folders, files in os.walk(source):
        folders[:] = [name for name in folders if not (name == ".git" or name == "out" or name.startswith("build"))]
        for name in files:
            path = os.path.join(folder, name)
            place = os.path.relpath(path, source)
            copy = os.path.join(target, place)
            wanted.add(place)
            if name == ".git" or not os.path.isfile(path):
                continue
            with open(path, "rb") as stream:
                content = stream.read()
            if os.path.exists(copy):
                with open(copy, "rb") as stream:
                    if stream.read() == content:
                        continue
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            shutil.copyfile(path, copy)
            shutil.copymode(path, copy)
    for folder, _, files in os.walk(target):
        for name in files:
            if os.path.relpath(os.path.join(folder, name), target) not in wanted:
                os.remove(os.path.join(folder, name))


class Build:
    def __init__(self, place):
        self.place = os.path.abspath(place)
        self.tree, self.build = os.path.join(self.place, "tree"), os.path.join(self.place, "build")
        self.scratch = os.path.join(self.place, "scratch")
        os.makedirs(self.tree, exist_ok=True)
        mirror(ROOT, self.tree)
        # Mutants may leave variables unused: warnings are no errors. Lost memory and wrong indices are noticed
        self.must(["cmake", "-S", self.tree, "-B", self.build, "-DJAGER_LAMMPS=OFF", "-DJAGER_WERROR=OFF",
                   "-DJAGER_SANITIZE=leak,bounds", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"])
        self.must(["cmake", "--build", self.build, "--parallel", str(os.cpu_count() or 1)])
        self.read_objects()
        self.read_links()
        self.saved = {}     # bytes of the original objects that have been compiled again
        self.stale = set()  # programs and libraries that a mutant has left behind

    def must(self, command):
        done = run(command)
        if done.returncode != 0:
            sys.exit(done.stdout.decode(errors="replace"))

    def read_objects(self):
        """Objects, how they are compiled, and which files of the tree each depends on."""
        self.objects, self.users = {}, {}
        with open(os.path.join(self.build, "compile_commands.json"), encoding="utf-8") as stream:
            for entry in json.load(stream):
                words = shlex.split(entry["command"])
                name = os.path.normpath(os.path.join(entry["directory"], words[words.index("-o") + 1]))
                self.objects[name] = (words, entry["directory"])
                if not os.path.exists(name + ".d"):
                    continue
                with open(name + ".d", encoding="utf-8") as depends:
                    for word in depends.read().replace("\\\n", " ").split():
                        file = os.path.normpath(os.path.join(entry["directory"], word))
                        self.users.setdefault(file, set()).add(name)

    def read_links(self):
        """Programs and libraries: their link commands, and the objects and libraries that they are made of."""
        self.links = {}
        for folder, _, files in os.walk(self.build):
            if "link.txt" not in files:
                continue
            directory = os.path.dirname(os.path.dirname(folder))
            with open(os.path.join(folder, "link.txt"), encoding="utf-8") as stream:
                commands = [shlex.split(line) for line in stream if line.strip()]
            first = commands[0]
            output = first[first.index("-o") + 1] if "-o" in first else next(w for w in first if w.endswith(".a"))
            output = os.path.normpath(os.path.join(directory, output))
            parts = [os.path.normpath(os.path.join(directory, word)) for word in first if re.search(r"\.(o|a)$", word)]
            self.links[output] = (commands, directory, [part for part in parts if part != output])

    def compile(self, name):
        words, directory = self.objects[name]
        if name not in self.saved:
            self.saved[name] = read_bytes(name)
        return run(words, cwd=directory).returncode == 0

    def link(self, output, changed, fresh):
        """Links again what contains a changed object. False: it cannot be linked. Fresh: what has been done already."""
        commands, directory, parts = self.links[output]
        if output in fresh:
            return True
        for part in parts:
            if part in self.links and not self.link(part, changed, fresh):
                return False
            if part in changed and part not in fresh:
                fresh.add(part)
                if not self.compile(part):
                    return False
        if output in self.stale or any(part in changed for part in parts):
            self.stale.add(output)  # until it is linked again with the original, or with another mutant
            changed.add(output)
            if output.endswith(".a") and os.path.exists(output):
                os.remove(output)
            for command in commands:
                if run(command, cwd=directory).returncode != 0:
                    return False
        fresh.add(output)
        return True

    def is_equal(self, name):
        return read_bytes(name) == self.saved[name]

    def restore(self):
        for name, content in self.saved.items():
            with open(name, "wb") as stream:
                stream.write(content)
        self.saved = {}


# ---- Tests -----------------------------------------------------------------------------------------------------------

class Test:
    def __init__(self, entry, build):
        self.name, self.command = entry["name"], list(entry["command"])
        if "--calls" in self.command:
            self.command[self.command.index("--calls") + 1] = SOAK_CALLS
        properties = {item["name"]: item["value"] for item in entry.get("properties", [])}
        self.environment = dict(item.split("=", 1) for item in properties.get("ENVIRONMENT", []))
        self.skip = properties.get("SKIP_RETURN_CODE")
        self.programs = [word for word in self.command if word in build.links]
        self.folder = properties.get("WORKING_DIRECTORY", build.build)
        self.expected = properties.get("PASS_REGULAR_EXPRESSION")
        self.seconds, self.caught = 0.0, {}

    def passes(self, build, limit):
        """True, False, or None if it does not end within the limit."""
        def restrict():
            os.setsid()
            for what, limit in ((resource.RLIMIT_DATA, MEMORY_LIMIT), (resource.RLIMIT_FSIZE, FILE_LIMIT)):
                resource.setrlimit(what, (limit, resource.getrlimit(what)[1]))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        shutil.rmtree(build.scratch, ignore_errors=True)
        os.makedirs(build.scratch)
        environment = dict(os.environ, TMPDIR=build.scratch, **self.environment)
        child = subprocess.Popen(self.command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=restrict)
        try:
            text = child.communicate(timeout=limit)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            text = None
        try:
            os.killpg(child.pid, signal.SIGKILL)  # it, or what it left behind
        except ProcessLookupError:
            pass
        child.communicate()
        self.output = text
        if text is None:
            return None
        if self.expected:
            return any(re.search(pattern, text) for pattern in self.expected)
        return child.returncode == 0 or child.returncode == self.skip


def tests_of(build, pattern):
    shown = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build.build, stdout=subprocess.PIPE, check=True)
    tests = [Test(entry, build) for entry in json.loads(shown.stdout)["tests"] if re.fullmatch(pattern, entry["name"])]
    for test in tests:
        start = time.time()
        if not test.passes(build, 600):
            sys.exit(f"{test.name} fails without any mutant:\n{test.output}")
        test.seconds = time.time() - start
    return sorted(tests, key=lambda test: test.seconds)


# ---- One mutant ------------------------------------------------------------------------------------------------------

EQUAL, BROKEN, KILLED, SURVIVED = "equal object code", "does not compile", "caught", "survived"


def judge(build, tests, mutant):
    """What becomes of the mutant, which is in the tree already, and who caught it."""
    changed = set(build.users.get(os.path.join(build.tree, mutant.path), ()))
    sources = {name for name in changed if "/build/src/" in name}
    for name in sources:
        if not build.compile(name):
            return BROKEN, ""
    if all(build.is_equal(name) for name in sources):
        if changed == sources or mutant.path.endswith(".c"):
            return EQUAL, ""
        changed -= sources
    fresh = set(sources)
    for test in sorted(tests, key=lambda test: (-test.caught.get(mutant.path, 0), test.seconds)):
        if not all(build.link(program, changed, fresh) for program in test.programs):
            return BROKEN, ""
        result = test.passes(build, 30.0 + 4.0 * test.seconds)
        if not result:
            test.caught[mutant.path] = test.caught.get(mutant.path, 0) + 1
            return KILLED, test.name + (" (hangs)" if result is None else "")
    return SURVIVED, ""


class Memory:
    """What became of mutants in earlier runs. Survivors without a reason are tried again: tests may be better now."""

    def __init__(self, build, reasons, fresh):
        self.path, self.known, self.reasons = os.path.join(build.place, "results.json"), {}, reasons
        if os.path.exists(self.path) and not fresh:
            with open(self.path, encoding="utf-8") as stream:
                self.known = json.load(stream)

    def recall(self, mutant, text):
        result = self.known.get(digest(text, mutant.path, mutant.start, mutant.new))
        return result if result and (result[0] != SURVIVED or mutant.key() in self.reasons) else None

    def keep(self, mutant, text, result):
        self.known[digest(text, mutant.path, mutant.start, mutant.new)] = result
        with open(self.path + ".tmp", "w", encoding="utf-8") as stream:
            json.dump(self.known, stream, indent=0)
        os.replace(self.path + ".tmp", self.path)


def try_mutant(build, tests, mutant, text):
    place = os.path.join(build.tree, mutant.path)
    with open(place, "w", encoding="utf-8") as stream:
        stream.write(text[:mutant.start] + mutant.new + text[mutant.end:])
    try:
        return judge(build, tests, mutant)
    finally:
        with open(place, "w", encoding="utf-8") as stream:
            stream.write(text)
        build.restore()


# ---- All -------------------------------------------------------------------------------------------------------------

def read_equal(path):
    """Mutants that change no result: blocks of file, line before, line after, reason, with an empty line between."""
    reasons = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as stream:
            text = "".join(line for line in stream if not line.startswith("#"))
        for block in re.split(r"\n\s*\n", text):
            lines = [" ".join(line.split()) for line in block.strip().splitlines()]
            if len(lines) >= 4:
                reasons[(lines[0], lines[1].removeprefix("- "), lines[2].removeprefix("+ "))] = " ".join(lines[3:])
    return reasons


def files_of(tree, pattern):
    paths = [os.path.relpath(os.path.join(folder, name), tree)
             for folder, _, names in os.walk(os.path.join(tree, "src")) for name in names]
    return sorted(path for path in paths if re.fullmatch(pattern, path))


def choose(tree, part, arguments, texts):
    found = []
    for path in files_of(tree, PARTS[part][0]):
        with open(os.path.join(tree, path), encoding="utf-8") as stream:
            texts[path] = stream.read()
        found += mutants_of(path, texts[path])
    if arguments.only:
        return len(found), [m for m in found if f"{m.path}:{m.line}" in arguments.only or m.path in arguments.only]
    drawn = sorted(found, key=lambda m: digest(arguments.seed, *m.key(), m.place))[:arguments.count]
    return len(found), sorted(drawn, key=lambda m: (m.path, m.start))


def report_part(part, places, results, reasons, seconds):
    """The lines of a part, and how many of its mutants count and are caught."""
    count = {kind: sum(result[1] == kind for result in results) for kind in (EQUAL, BROKEN, KILLED, SURVIVED)}
    argued = [m for m, kind, _ in results if kind == SURVIVED and m.key() in reasons]
    left = [m for m, kind, _ in results if kind == SURVIVED and m.key() not in reasons]
    hung = sum(by.endswith("(hangs)") for _, kind, by in results if kind == KILLED)
    counted = count[KILLED] + len(left)
    lines = [f"## {part}",
             f"{len(results)} of {places} mutants; {count[BROKEN]} do not compile, {count[EQUAL]} have equal object "
             f"code, {len(argued)} are equal in effect",
             f"caught {count[KILLED]} of {counted}: {100.0 * count[KILLED] / max(counted, 1):.1f} % "
             f"({hung} by a time limit); {seconds / 60.0:.0f} min"]
    for title, group in (("survivors", left), ("equal in effect", argued)):
        lines += [f"{title}:"] if group else []
        for m in group:
            lines += [f"  {m.path}:{m.line} ({m.kind})", f"    - {m.before}", f"    + {m.after}"]
            lines += [f"    {reasons[m.key()]}"] if m.key() in reasons else []
    return lines + [""], counted, count[KILLED]


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as stream:
        names = [line.split(":", 1)[1].strip() for line in stream if line.startswith("model name")]
    return names[0] if names else "unknown processor"


def parse():
    parser = argparse.ArgumentParser(description="Counts how many small changes of the sources the tests notice.")
    parser.add_argument("--part", action="append", choices=sorted(PARTS), help="default: all")
    parser.add_argument("--count", type=int, default=80, help="mutants a part")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", default=os.path.join(ROOT, "build-mutants"))
    parser.add_argument("--output", help="file for the result, besides the terminal")
    parser.add_argument("--fresh", action="store_true", help="try all again, also those caught in an earlier run")
    parser.add_argument("--only", nargs="+", help="FILE or FILE:LINE: all mutants there")
    return parser.parse_args()


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # what is being tried is taken back
    arguments = parse()
    reasons = read_equal(os.path.join(ROOT, "tools", "mutants-equal.txt"))
    build = Build(arguments.build)
    memory = Memory(build, reasons, arguments.fresh)
    compiler = run(["cc", "--version"]).stdout.decode().splitlines()[0]
    command = f"make mutants N={arguments.count} SEED={arguments.seed}"
    lines = [f"# {command}, {processor()}, {compiler}", ""]
    counted = killed = 0
    for part in arguments.part or sorted(PARTS):
        start, texts, results = time.time(), {}, []
        places, chosen = choose(build.tree, part, arguments, texts)
        tests = tests_of(build, PARTS[part][1]) if any(not memory.recall(m, texts[m.path]) for m in chosen) else []
        for number, mutant in enumerate(chosen, 1):
            text = texts[mutant.path]
            kind, by = memory.recall(mutant, text) or try_mutant(build, tests, mutant, text)
            memory.keep(mutant, text, (kind, by))
            results.append((mutant, kind, by))
            print(f"{part} {number}/{len(chosen)} {mutant.path}:{mutant.line} {kind} {by}\n"
                  f"    - {mutant.before}\n    + {mutant.after}", flush=True)
        more, part_counted, part_killed = report_part(part, places, results, reasons, time.time() - start)
        lines, counted, killed = lines + more, counted + part_counted, killed + part_killed
    share = 100.0 * killed / max(counted, 1)
    lines.append(f"all: caught {killed} of {counted}: {share:.1f} %")
    print("\n" + "\n".join(lines))
    if arguments.output:
        with open(arguments.output, "w", encoding="utf-8") as stream:
            stream.write("\n".join(lines) + "\n")
    return 0 if share >= 95.0 else 1


if __name__ == "__main__":
    sys.exit(main())
