#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Mutation test: changes one random place of src at a time and counts how many of the changes the tests notice.

The tree is copied into the build directory and built there twice: with gcc's --coverage, where each test is run once to
see which lines it executes, and, once for each job, with the address sanitizer and with assertions, where mutants are
tried. A mutant is tried by compiling what depends on its file and linking one test after another, of those that execute
its line, quick ones first, until one fails or two minutes of processor time are spent. If no test executes its line, it
survives at once. A test that fails must pass without the mutant. A mutant is equal, and does not count, if no object
changes. Survivors that were examined and change no result are listed, with the reason, in tools/mutants-equal.txt; all
others are faults of the tests. Files that a mutant replaces are set aside and put back; what a killed run has left is
put back by the next one.

The seed gives each mutant a place in the draw, whatever other mutants there are: when the sources change a little, most
of the mutants drawn are the same. The build directory remembers which test executes what, until its sources change,
and what was caught in which text of a file, by which test; such mutants are not tried again, unless --fresh is given.

    tools/mutate.py [--count N] [--seed S] [--part FOLDER]... [--jobs N] [--build DIR] [--fresh]
                    [--output FILE]
    tools/mutate.py --only FILE:LINE ...     all mutants of these lines, instead of random ones
    tools/mutate.py --unexecuted             list the lines that no test executes
    tools/mutate.py --check                  only look whether the lines of mutants-equal.txt are there
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
import threading
import time

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

SLOW = 120.0              # seconds of processor time; tests that take longer with --coverage are left out
BUDGET = 120.0            # seconds of processor time for the tests of one mutant; then it has survived
BUDGET_OF_EQUALS = 10.0   # the same, for those of mutants-equal.txt
IDLE = 30                 # seconds in which no process of a test does anything: it waits for ever
SOAK_CALLS = "2e5"        # random movements of the long tests: a slice
MEMORY_LIMIT = 4 << 10    # megabytes
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
        value, suffix = int(match.group(1), 8 if re.match("0[0-7]", text) else 0), match.group(2)
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

ASIDE = ".original"


class Broken(Exception):
    """A mutant that does not compile or link."""


class Stopped(Exception):
    """A signal has come, or a job has failed. What is being tried is put back; what has been tried is reported."""


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def must(command):
    done = run(command)
    if done.returncode != 0:
        sys.exit(done.stdout.decode(errors="replace"))


def read_bytes(path):
    with open(path, "rb") as stream:
        return stream.read()


def read_text(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def write_text(path, text):
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)


def mirror(source, target):
    """Makes target a copy of source; files that are equal keep their times."""
    wanted = set()
    for folder, folders, files in os.walk(source):
        folders[:] = [name for name in folders if not (name == ".git" or name == "out" or name.startswith("build"))]
        for name in files:
            path = os.path.join(folder, name)
            copy = os.path.join(target, os.path.relpath(path, source))
            if name == ".git" or not os.path.isfile(path):
                continue
            wanted.add(copy)
            if not os.path.exists(copy) or read_bytes(copy) != read_bytes(path):
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                shutil.copyfile(path, copy)
                shutil.copymode(path, copy)
    for folder, _, files in os.walk(target):
        for path in (os.path.join(folder, name) for name in files):
            if path not in wanted:
                os.remove(path)


SANITIZED = ["-DCMAKE_C_FLAGS_RELEASE=-O1 -w", "-DJAGER_SANITIZE=address,bounds"]


def prepare(root, place):
    """A copy of the tree, without what a run that was killed has left."""
    for folder, _, files in os.walk(place):
        for path in (os.path.join(folder, name) for name in files if name.endswith(ASIDE)):
            os.replace(path, path.removesuffix(ASIDE))
    os.makedirs(os.path.join(place, "tree"), exist_ok=True)
    mirror(root, os.path.join(place, "tree"))


class Build:
    def __init__(self, place, ending, name="build", options=SANITIZED):
        self.place, self.ending = os.path.abspath(place), ending
        self.tree, self.build = os.path.join(self.place, "tree"), os.path.join(self.place, name)
        self.scratch = os.path.join(self.place, "scratch")
        self.aside = []  # files that are put back after each mutant
        # Mutants may leave variables unused: no warnings. No cache of compilers, which would keep all mutants
        must(["cmake", "-S", self.tree, "-B", self.build, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_COMPILER_LAUNCHER=",
              "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DJAGER_STATIC_HDF5=OFF", "-DJAGER_LAMMPS=OFF",
              "-DJAGER_PYTHON=OFF", *options])
        must(["cmake", "--build", self.build, "--parallel", os.environ.get("JOBS", str(os.cpu_count() or 1))])
        self.read_links()
        self.read_objects()
        self.tests = [test for test in read_tests(self) if test.programs]

    def read_links(self):
        """Programs and libraries: their link commands, and the objects and libraries that they are made of."""
        self.links, self.contents = {}, {}
        for folder, _, files in os.walk(self.build):
            if "link.txt" not in files:
                continue
            directory = os.path.dirname(os.path.dirname(folder))
            commands = [shlex.split(line) for line in read_text(os.path.join(folder, "link.txt")).splitlines() if line]
            first = commands[0]
            output = first[first.index("-o") + 1] if "-o" in first else next(w for w in first if w.endswith(".a"))
            output = os.path.normpath(os.path.join(directory, output))
            parts = [os.path.normpath(os.path.join(directory, word)) for word in first if re.search(r"\.(o|a)$", word)]
            self.links[output] = (commands, directory, [part for part in parts if part != output])

    def read_objects(self):
        """Objects that are built and how they are compiled; which objects depend on each file of the tree."""
        self.objects, self.users = {}, {}
        for entry in json.loads(read_text(os.path.join(self.build, "compile_commands.json"))):
            words = shlex.split(entry["command"])
            name = os.path.normpath(os.path.join(entry["directory"], words[words.index("-o") + 1]))
            if os.path.exists(name) and os.path.exists(name + ".d"):
                self.objects[name] = (words, entry["directory"])
                for word in read_text(name + ".d").replace("\\\n", " ").split():
                    file = os.path.normpath(os.path.join(entry["directory"], word))
                    self.users.setdefault(file, set()).add(name)

    def objects_of_test(self, test):
        return set().union(*map(self.objects_of, test.programs))

    def objects_of(self, program):
        """All objects that a program is made of, those of its libraries too."""
        if program not in self.contents:
            parts = self.links[program][2]
            inner = [self.objects_of(part) if part in self.links else {part} for part in parts]
            self.contents[program] = set().union(*inner)
        return self.contents[program]

    def set_aside(self, path):
        os.rename(path, path + ASIDE)
        self.aside.append(path)

    def put_back(self):
        for path in self.aside:
            os.replace(path + ASIDE, path)
        self.aside = []

    def begin(self, mutant, text):
        """Puts the mutant into the tree."""
        path = os.path.join(self.tree, mutant.path)
        self.set_aside(path)
        write_text(path, text[:mutant.start] + mutant.new + text[mutant.end:])
        self.renewed = {}
        self.affected = set(self.users.get(path, ()))

    def renew(self, name):
        """Compiles or links this file again, if need be: does it contain the mutant?"""
        if name in self.renewed:
            return self.renewed[name]
        if self.ending.is_set():
            raise Stopped
        if name in self.affected:
            commands, directory = [self.objects[name][0]], self.objects[name][1]
        elif name in self.links:
            commands, directory, parts = self.links[name]
            if not any([self.renew(part) for part in parts]):  # all of them
                commands = []
        else:
            commands = []
        if commands:
            self.set_aside(name)
        for command in commands:
            if run(command, cwd=directory).returncode != 0:
                raise Broken
        self.renewed[name] = bool(commands) and read_bytes(name) != read_bytes(name + ASIDE)
        return self.renewed[name]


# ---- Tests -----------------------------------------------------------------------------------------------------------

def processor_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def restrict(process, seconds):
    """For a child: limits that a mutant may run into."""
    for limit, values in ((resource.RLIMIT_FSIZE, (FILE_LIMIT, resource.getrlimit(resource.RLIMIT_FSIZE)[1])),
                          (resource.RLIMIT_CORE, (0, 0)), (resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))):
        try:
            resource.prlimit(process, limit, values)
        except ProcessLookupError:
            pass  # it has ended


def processes_of(session):
    """The numbers and states of its processes, which may be in several groups: Check makes one for each test."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = read_text(f"/proc/{name}/stat").rpartition(")")[2].split()
        except (OSError, UnicodeDecodeError):
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append((int(name), fields[0]))
    return found


def is_idle(session):
    """Do all its processes wait? On a busy machine those that could run are not idle."""
    return all(state not in "RD" for _, state in processes_of(session))


def end(session):
    """Kills all its processes. One that was forked while they were listed is in the next list."""
    while (found := processes_of(session)) or (found := processes_of(session)):
        for number, _ in found:
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                pass


def wait_for(child, ending):
    """Until the child has ended, or has been idle for too long, or everything is to end. The child is not reaped."""
    idle, pause, slept = 0, 0.005, 0.0
    while not (ending.is_set() or idle >= IDLE or
               os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)):
        time.sleep(pause)
        pause, slept = min(1.5 * pause, 0.1), slept + pause
        if slept >= 1.0:
            idle, slept = idle + 1 if is_idle(child.pid) else 0, 0.0


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
        self.is_known = False  # to pass without any mutant

    def passes(self, build, seconds):
        """True, False, or None if it takes more than so many seconds of processor time, or waits for ever."""
        shutil.rmtree(build.scratch, ignore_errors=True)
        os.makedirs(build.scratch)
        environment = dict(os.environ, TMPDIR=build.scratch, ASAN_OPTIONS=f"hard_rss_limit_mb={MEMORY_LIMIT}")
        environment.update(self.environment, CK_DEFAULT_TIMEOUT="0")  # nothing by the clock
        with open(os.path.join(build.place, "output.txt"), "wb") as output:
            child = subprocess.Popen(self.command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                     stdout=output, stderr=output, start_new_session=True)
        try:
            restrict(child.pid, seconds)
            wait_for(child, build.ending)
        finally:
            end(child.pid)  # it, or what it left behind
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode, self.seconds = os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime
        if build.ending.is_set():
            raise Stopped
        text = self.output = read_bytes(os.path.join(build.place, "output.txt")).decode(errors="replace")
        if child.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return None
        if self.expected:
            return any(re.search(pattern, text) for pattern in self.expected)
        return child.returncode == 0 or child.returncode == self.skip

    def limit(self, coverage):
        """Seconds of processor time in which it surely ends."""
        return 10.0 + 4.0 * coverage.tests[self.name]["seconds"]


def read_tests(build):
    shown = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build.build, stdout=subprocess.PIPE, check=True)
    return [Test(entry, build) for entry in json.loads(shown.stdout)["tests"] if "command" in entry]


# ---- Coverage --------------------------------------------------------------------------------------------------------

# A process that ends by _exit() would not write what it has executed.
EXIT = """void __gcov_dump(void);
void __real__exit(int code);
void __wrap__exit(int code);
void __wrap__exit(int code)
{
  __gcov_dump();
  __real__exit(code);
}
"""


class Coverage:
    """Which tests execute which lines, and how long they take. Those whose files are as they were are not run again."""

    def __init__(self, place, ending, paths):
        source, wrapper = os.path.join(place, "exit.c"), os.path.join(place, "exit.o")
        write_text(source, EXIT)
        must(["cc", "-c", "-o", wrapper, source])
        build = Build(place, ending, "build-coverage", [
            "-DCMAKE_C_FLAGS_RELEASE=-O1 -w --coverage", "-DJAGER_COVERAGE=ON",
            f"-DCMAKE_EXE_LINKER_FLAGS=--coverage -Wl,--wrap=_exit {wrapper}"])
        self.lines = {}  # those that a test may execute, by path
        for path, line, _ in self.read(build, ".gcno"):
            self.lines.setdefault(path, set()).add(line)
        kept_in = os.path.join(place, "coverage.json")
        kept = json.loads(read_text(kept_in)) if os.path.exists(kept_in) else {}
        wanted = set().union(*(build.users.get(os.path.join(build.tree, path), set()) for path in paths))
        tests = [test for test in build.tests if build.objects_of_test(test) & wanted]
        for test in tests:
            key = self.key_of(build, test)
            if kept.get(test.name, {}).get("key") != key:
                print(f"lines that {test.name} executes", flush=True)
                kept[test.name] = self.measure(build, test, key)
                write_text(kept_in, json.dumps(kept))
        self.tests = {test.name: kept[test.name] for test in tests}
        self.useless = {name for name, test in self.tests.items() if test["seconds"] is None}

    def key_of(self, build, test):
        """Stands for all that a test is made of: its command, the sources of its programs, scripts."""
        objects = build.objects_of_test(test)
        files = [path for path, users in build.users.items() if path.startswith(build.tree) and users & objects]
        files += [word for word in test.command if word.endswith(".sh")]
        files += [os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(build.tree, "tests"))
                  for name in names if name.endswith(".inc")]
        return digest(*test.command, *(read_text(path) for path in sorted(files)))

    def read(self, build, ending):
        """Path, line and how often it was executed, from gcov."""
        os.makedirs(build.scratch, exist_ok=True)
        files = [os.path.join(folder, name) for folder, _, names in os.walk(build.build) for name in names
                 if name.endswith(ending)]
        told = subprocess.run(["gcov", "--json-format", "--stdout", *files], cwd=build.scratch,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) if files else None
        for text in told.stdout.splitlines() if told else []:
            for file in json.loads(text)["files"]:
                path = os.path.relpath(file["file"], build.tree)
                if path.startswith(("src/", "include/")):
                    yield from ((path, line["line_number"], line["count"]) for line in file["lines"])

    def measure(self, build, test, key):
        for folder, _, names in os.walk(build.build):
            for name in names:
                if name.endswith(".gcda"):
                    os.remove(os.path.join(folder, name))
        passes, executed = test.passes(build, SLOW), {}
        if passes is None:
            return {"key": key, "seconds": None, "lines": {}}
        if not passes:  # it has executed less than it would otherwise: the next run tries again
            print(f"{test.name} fails without any mutant:\n{test.output}", file=sys.stderr)
            key = None
        for path, line, count in self.read(build, ".gcda"):
            if count:
                executed.setdefault(path, set()).add(line)
        lines = {path: sorted(lines) for path, lines in executed.items()}
        return {"key": key, "seconds": test.seconds, "lines": lines}

    def tests_of(self, path, text, line):
        """
        Tests that execute this line, quick ones first. A line without code of its own belongs to the one before, in the
        same function; a line of a table, to all of its file. None if the file has no code at all: nobody knows.
        """
        here, rows = self.lines.get(path), text.split("\n")
        if not here:
            return None
        while line not in here and line > 0 and not rows[line - 1].startswith("}"):
            line -= 1
        lines = {line} if line in here else here
        found = [(test["seconds"], name) for name, test in self.tests.items() if not
                 lines.isdisjoint(test["lines"].get(path, ()))]
        return [name for _, name in sorted(found)]

    def unexecuted(self, paths):
        """Lines that no test executes, as FILE:FIRST-LAST."""
        for path in sorted(paths):
            done = set().union(*(test["lines"].get(path, ()) for test in self.tests.values()))
            lines = sorted(self.lines.get(path, set()) - done)
            while lines:
                run_of = next((n for n in range(1, len(lines)) if lines[n] != lines[0] + n), len(lines))
                yield f"{path}:{lines[0]}" + (f"-{lines[run_of - 1]}" if run_of > 1 else "")
                del lines[:run_of]


# ---- One mutant ------------------------------------------------------------------------------------------------------

UNENDING = " (does not end)"
EQUAL, BROKEN, CAUGHT, SURVIVED = "equal object code", "does not compile", "caught", "survived"


def judge(build, coverage, mutant, text, budget):
    """What becomes of the mutant, which is in the tree already, which test fails, and a remark."""
    if build.affected and not any(build.renew(name) for name in sorted(build.affected, key=os.path.getsize)):
        return EQUAL, None, ""
    names = coverage.tests_of(mutant.path, text, mutant.line)
    tests = {test.name: test for test in build.tests if coverage.tests.get(test.name, {}).get("seconds") is not None}
    if names is None:
        names = sorted(tests, key=lambda name: coverage.tests[name]["seconds"])
    if not names:
        return SURVIVED, None, "not executed"
    spent, left = 0.0, 0
    for test in (tests[name] for name in names if name in tests):
        if spent > budget:
            left += 1
        elif any([build.renew(program) for program in test.programs]):
            passes = test.passes(build, test.limit(coverage))
            spent += test.seconds
            if not passes:
                return CAUGHT, test, test.name + (UNENDING if passes is None else "")
            coverage.tests[test.name]["seconds"] = test.seconds  # in this build: sanitizers slow scripts down most
    return SURVIVED, None, f"{left} slow tests were not tried" if left else ""


def try_mutant(build, coverage, mutant, text, budget):
    """
    What becomes of the mutant, and who caught it. A test that catches it must pass without it; if it did not end, it
    must also be well within its time without it.
    """
    while True:
        try:
            build.begin(mutant, text)
            kind, test, by = judge(build, coverage, mutant, text, budget)
        except Broken:
            return BROKEN, ""
        finally:
            build.put_back()
        if not test or (test.is_known and not by.endswith(UNENDING)):
            return kind, by
        passes, limit = test.passes(build, test.limit(coverage)), test.limit(coverage)
        if passes and (not by.endswith(UNENDING) or test.seconds < 0.5 * limit):
            test.is_known = True
            return kind, by
        build.tests.remove(test)  # it fails on this machine, or is too slow at this moment: once more without it
        coverage.useless.add(test.name)
        print(f"{test.name} fails without any mutant:\n{test.output}", file=sys.stderr)


class Memory:
    """What became of mutants in earlier runs. Survivors without a reason are tried again: tests may be better now."""

    def __init__(self, place, reasons, fresh):
        self.path, self.reasons = os.path.join(place, "results.json"), reasons
        kept = json.loads(read_text(self.path)) if os.path.exists(self.path) and not fresh else {}
        self.known = kept.get("mutants", {})

    def recall(self, mutant, text):
        result = self.known.get(digest(text, mutant.path, mutant.start, mutant.new))
        return result if result and (result[0] != SURVIVED or mutant.key() in self.reasons) else None

    def keep(self, mutant, text, result):
        self.known[digest(text, mutant.path, mutant.start, mutant.new)] = result
        write_text(self.path + ".tmp", json.dumps({"mutants": self.known}, indent=0))
        os.replace(self.path + ".tmp", self.path)


# ---- All -------------------------------------------------------------------------------------------------------------

def read_reasons(path):
    """Mutants that change no result: blocks of file, line before, line after, reason, with an empty line between."""
    reasons = {}
    if os.path.exists(path):
        text = "\n".join(line for line in read_text(path).splitlines() if not line.startswith("#"))
        for block in re.split(r"\n\s*\n", text):
            lines = [" ".join(line.split()) for line in block.strip().splitlines()]
            if len(lines) >= 4:
                reasons[(lines[0], lines[1].removeprefix("- "), lines[2].removeprefix("+ "))] = " ".join(lines[3:])
    return reasons


def read_sources(root):
    """Each source file of src, and of the headers that have code, by its path."""
    paths = [os.path.relpath(os.path.join(folder, name), root) for top in ("src", "include")
             for folder, _, names in os.walk(os.path.join(root, top)) for name in names]
    return {path: read_text(os.path.join(root, path)) for path in sorted(paths) if path.endswith((".c", ".h", ".inc"))}


def part_of(path):
    return "contact" if path.startswith("include/") else path.split("/")[1]


def choose(texts, arguments):
    """All mutants, and those that are tried, in the order of the draw: its beginning is a smaller sample."""
    found = [mutant for path, text in texts.items() if not arguments.part or part_of(path) in arguments.part
             for mutant in mutants_of(path, text)]
    if arguments.only:
        return found, [m for m in found if f"{m.path}:{m.line}" in arguments.only or m.path in arguments.only]
    return found, sorted(found, key=lambda m: digest(arguments.seed, *m.key(), m.place))[:arguments.count]


def check_reasons(texts, reasons):
    """Are the mutants of mutants-equal.txt still there?"""
    paths = {key[0] for key in reasons} & set(texts)
    there = {mutant.key() for path in paths for mutant in mutants_of(path, texts[path])}
    gone = [key for key in reasons if key not in there]
    for path, before, after in gone:
        print(f"tools/mutants-equal.txt: {path} has no such mutant:\n    - {before}\n    + {after}", file=sys.stderr)
    return 1 if gone else 0


def share(caught, counted):
    return f"caught {caught} of {counted}: {100.0 * caught / max(counted, 1):.1f} %"


def report(found, results, reasons):
    """The lines of the result, and the share that was caught."""
    left = [m for m, kind, _ in results if kind == SURVIVED and m.key() not in reasons]
    argued = [m for m, kind, _ in results if kind == SURVIVED and m.key() in reasons]
    caught = [m for m, kind, _ in results if kind == CAUGHT]
    count = {kind: sum(result[1] == kind for result in results) for kind in (EQUAL, BROKEN)}
    unending = sum(by.endswith(UNENDING) for _, _, by in results)
    remarks = {m: by for m, _, by in results}
    lines = [f"{len(results)} of {len(found)} mutants; {count[BROKEN]} do not compile, {count[EQUAL]} have equal "
             f"object code, {len(argued)} are equal in effect; {unending} were caught because a test did not end", ""]
    for part in sorted({part_of(m.path) for m in found}):
        here = [sum(part_of(m.path) == part for m in group) for group in (caught, left)]
        lines.append(f"{part + ':':10} {share(here[0], sum(here))}")
    lines += ["", f"all: {share(len(caught), len(caught) + len(left))}"]
    for title, group in (("survivors", left), ("equal in effect", argued)):
        lines += ["", f"{title}:"] if group else []
        for m in group:
            remark = ", " + remarks[m] if remarks[m] else ""
            lines += [f"  {m.path}:{m.line} ({m.kind}{remark})", f"    - {m.before}", f"    + {m.after}"]
            lines += [f"    {reasons[m.key()]}"] if m.key() in reasons else []
    return lines, len(caught) / max(len(caught) + len(left), 1)


def processor():
    names = [line.split(":", 1)[1].strip() for line in read_text("/proc/cpuinfo").splitlines()
             if line.startswith("model name")]
    return names[0] if names else "unknown processor"


def commit_of(root):
    told = run(["git", "-C", root, "describe", "--always", "--abbrev=7", "--dirty", "--exclude=*"])
    return told.stdout.decode().strip() if told.returncode == 0 else "unknown"


def parse():
    parser = argparse.ArgumentParser(description="Counts how many small changes of the sources the tests notice.")
    parser.add_argument("--count", type=int, default=120, help="mutants in all")
    parser.add_argument("--seed", default="1", help="any text, e.g. a commit")
    parser.add_argument("--part", action="append", help="folder of src; default: all")
    parser.add_argument("--root", default=HERE, help="the project")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="mutants at the same time")
    parser.add_argument("--build", help="build directory; default: build-mutants of the project")
    parser.add_argument("--output", help="file for the result, besides the terminal")
    parser.add_argument("--fresh", action="store_true", help="try all again, also those caught in an earlier run")
    parser.add_argument("--only", nargs="+", help="FILE or FILE:LINE: all mutants there")
    parser.add_argument("--unexecuted", action="store_true", help="list the lines that no test executes")
    parser.add_argument("--check", action="store_true", help="only look whether mutants-equal.txt is up to date")
    return parser.parse_args()


class Trial:
    """All mutants of a draw, which the jobs take one by one."""

    def __init__(self, chosen, texts, memory):
        self.chosen, self.texts, self.memory, self.coverage = chosen, texts, memory, None
        self.lock, self.ending = threading.Lock(), threading.Event()
        self.taken, self.results, self.failure, self.signal = 0, {}, None, None

    def stop(self, number, _):
        self.signal = number
        self.ending.set()

    def work(self, build):
        """One job, in a thread of its own."""
        try:
            while not self.ending.is_set():
                with self.lock:
                    number = self.taken
                    self.taken += 1
                if number >= len(self.chosen):
                    return
                mutant = self.chosen[number]
                text = self.texts[mutant.path]
                budget = BUDGET_OF_EQUALS if mutant.key() in self.memory.reasons else BUDGET
                known = self.memory.recall(mutant, text)
                self.note(number, known or try_mutant(build, self.coverage, mutant, text, budget))
        except Stopped:
            pass
        except BaseException as failure:  # all of them: the main thread raises it again
            self.failure = failure
            self.ending.set()

    def note(self, number, result):
        mutant, (kind, by) = self.chosen[number], result
        with self.lock:
            self.memory.keep(mutant, self.texts[mutant.path], result)
            self.results[number] = (mutant, kind, by)
            print(f"{number + 1}/{len(self.chosen)} {mutant.path}:{mutant.line} {kind} {by}\n"
                  f"    - {mutant.before}\n    + {mutant.after}", flush=True)

    def run(self, root, places):
        """What becomes of the mutants until a signal comes: the beginning of the draw of which all have been tried."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.stop)  # which raises nothing: join() would take its thread for ended
        try:
            for place in places:
                prepare(root, place)
            self.coverage = Coverage(places[0], self.ending, {mutant.path for mutant in self.chosen})
            jobs = [threading.Thread(target=self.work, args=(Build(place, self.ending),)) for place in places]
        except Stopped:
            jobs = []
        for job in jobs:
            job.start()
        for job in jobs:
            job.join()
        if self.failure:
            raise self.failure
        complete = next((n for n in range(len(self.chosen)) if n not in self.results), len(self.chosen))
        if self.signal:
            print(f"stopped by signal {self.signal} after {complete} of {len(self.chosen)} mutants")
        return [self.results[number] for number in range(complete)]


def main():
    arguments = parse()
    root = os.path.abspath(arguments.root)
    reasons = read_reasons(os.path.join(root, "tools", "mutants-equal.txt"))
    texts = read_sources(root)
    if arguments.check:
        return check_reasons(texts, reasons)
    place = os.path.abspath(arguments.build or os.path.join(root, "build-mutants"))
    found, chosen = choose(texts, arguments)
    trial = Trial(chosen, texts, Memory(place, reasons, arguments.fresh))
    commit = commit_of(root)  # of the copies, whatever happens to the tree meanwhile
    places = [place] + [os.path.join(place, f"job-{job}") for job in range(2, arguments.jobs + 1)]
    if arguments.unexecuted:
        prepare(root, place)
        paths = {mutant.path for mutant in found}
        print(*Coverage(place, trial.ending, paths).unexecuted(paths), sep="\n")
        return 0
    results = trial.run(root, places)
    compiler = run(["cc", "--version"]).stdout.decode().splitlines()[0]
    command = f"make mutants N={arguments.count} SEED={arguments.seed}"
    lines, caught = report(found, results, reasons)
    if len(results) < len(chosen):
        command += f", stopped after {len(results)}"
    useless = ", ".join(sorted(trial.coverage.useless)) if trial.coverage else ""
    lines = [f"# {command}, commit {commit}, {processor()}, {compiler}",
             f"# Left out, as they take more than {SLOW:.0f} s, or fail without a mutant: {useless or 'none'}", *lines]
    print("\n" + "\n".join(lines) + f"\n{processor_time():.0f} s of processor time")
    if arguments.output:
        write_text(arguments.output, "\n".join(lines) + "\n")
    return 0 if caught >= 0.95 and len(results) == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
