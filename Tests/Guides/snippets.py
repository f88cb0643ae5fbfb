#!/usr/bin/env python3
"""Compiles every Swift snippet of the guides and of the README as a stranger would, and runs some of them.

    Tests/Guides/snippets.py <folder of a build> [<page>…]     checks all pages, or these only
    Tests/Guides/snippets.py --apple <folder> [<page>…]        writes what is for Apple's systems, for Tests/Stubs/check

The folder is what `swift build --show-bin-path` prints: its modules are imported, and its objects are linked where a page
is run. A page becomes a module of its own, outside of the package, in Swift 6 mode, without our settings. What is wrong is
told by the line of the Markdown file.

Types and extensions of a snippet stand at the top of that module, and its statements in a function, each snippet inside
the scope of those before it: so it sees what they made, and may give a name anew. A snippet shows its imports, those of
the modules whose names it uses: modules.py says which. What stands for a reader's own code, and a page does not show, is in
comments of the page, which neither GitHub nor DocC shows:

    <!-- snippet-setup          Swift for a file of its own beside the page's, until the line of the arrow, with its imports
    -->
    <!-- snippet: <words> -->   about the snippet that follows, one of
        whole                   it is a program of its own, as it stands: what its reader pastes into `main.swift`
        top                     all of it stands at the top of the module, its constants too
        not run                 in a page that is run: it is compiled only, and nobody after it sees its names
        apple [<system>…]       it is for Apple's systems, or for these; its page's snippets of that kind are a file for them
        part of <file>          it stands in that file but for its imports, which is compiled elsewhere
    <!-- snippets: run -->      the page is run, from the top down. Where a line ends in `print(…)  // text`, that text has to
                                be printed; … stands for any text
    <!-- snippet-prints -->     about the block that follows, which is no Swift: the snippet before it prints that
    <!-- snippets: apart -->    from here on the page is another module
    <!-- snippets: need <module>… -->   this module of the page is left out, and counted, if the build lacks one of these: what a
                                trait brings

A setup that is for Apple's systems is `<!-- snippet-setup: apple`. No line of a setup begins with an at sign, which DocC takes for
a directive. Parts of a manifest (`.package(…)`, `.target(…)`) are
compiled as such.
"""

import glob
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import modules

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DECLARATION = re.compile(
    r"(?:@\w+(?:\(.*\))?\s+)*(?:(?:public|private|fileprivate|internal|final|indirect|nonisolated)\s+)*"
    r"(?:struct|class|enum|actor|protocol|extension)\b")
ATTRIBUTE = re.compile(r"@(Test|Suite|main|MainActor|available|Observable|State)\b")
# What a snippet may leave behind, since it shows how something is made and not what comes after.
NEEDLESS = re.compile(r"never used|never mutated|never read|is unused|will never be executed|was never")

# How a part of a manifest begins.
PARTS = (".package(", ".target(", ".testTarget(", ".product(")


class Snippet:
    def __init__(self, page, line, code, words):
        self.page, self.line, self.code, self.words = page, line, code, words
        self.prints = None

    @property
    def is_compiled(self):
        return not self.words.startswith(("not compiled", "part of"))


class Scope:
    """The snippets of a page that make up a module."""

    def __init__(self, page, number, runs, whole=False):
        self.page, self.number, self.runs, self.whole = page, number, runs, whole
        self.setup, self.apple_setup, self.snippets = [], [], []
        self.needs = []

    @property
    def name(self):
        name = re.sub(r"\W", "", os.path.basename(self.page)[: -len(".md")])
        return f"{name}Guide{self.number or ''}"


def read(page):
    """The scopes of a page, and the programs in it."""
    programs = []
    scopes = [Scope(page, 0, False)]
    words, prints = None, False
    lines = open(os.path.join(ROOT, page), encoding="utf-8").read().split("\n")
    at = 0
    while at < len(lines):
        line, number = lines[at], at + 1
        at += 1
        scope = scopes[-1]
        if match := re.match(r"<!-- snippet-setup(: apple)?$", line):
            code = []
            while lines[at] != "-->":
                code.append(lines[at])
                at += 1
            (scope.apple_setup if match[1] else scope.setup).append((number + 1, "\n".join(code)))
            at += 1
        elif match := re.match(r"<!-- snippet: (.*) -->$", line):
            words = match[1]
        elif line == "<!-- snippets: run -->":
            scope.runs = True
        elif line == "<!-- snippets: apart -->":
            scopes.append(Scope(page, len(scopes), scope.runs and not scope.needs))
        elif match := re.match(r"<!-- snippets: need (.*) -->$", line):
            scope.needs = match[1].split()
        elif line == "<!-- snippet-prints -->":
            prints = True
        elif line.startswith("<!-- snippet"):
            sys.exit(f"{page}:{number}: this comment means nothing: {line}")
        elif match := re.match(r"( *)```+(.*)$", line):
            code = []
            while not re.match(r" *```+$", lines[at]):
                code.append(lines[at][len(match[1]):])
                at += 1
            at += 1
            if match[2].strip() == "swift":
                latest = Snippet(page, number + 1, "\n".join(code), words or "")
                if words == "whole":
                    programs.append(Scope(page, f"L{number + 1}", scope.runs, whole=True))
                    programs[-1].needs = scope.needs
                    programs[-1].snippets.append(latest)
                else:
                    scope.snippets.append(latest)
                words = None
            elif prints:
                latest.prints = (number + 1, "\n".join(code))
            prints = False
    if words is not None:
        sys.exit(f"{page}: no snippet follows: {words}")
    return scopes + programs


def split(snippet):
    """Imports, declarations and statements of a snippet, each a list of lines with their numbers."""
    imports, declarations, statements = [], [], []
    lines = snippet.code.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        start = at
        # DocC takes an attribute at the beginning of a line for a directive, even in a comment of HTML.
        if re.match(r"(/\*.*?\*/ )?(@\w+ )?import ", line):
            imports.append((snippet.line + at, line))
            at += 1
        elif DECLARATION.match(line) or ATTRIBUTE.match(line) or line.startswith("///"):
            # Until the brace at the margin, or in the same line. Attributes and comments before it are a part of it.
            while at < len(lines) and not re.match(r"\}|[^ /].*\{.*\}\s*(//.*)?$", lines[at]):
                at += 1
            at += 1
            declarations += [(snippet.line + number, lines[number]) for number in range(start, min(at, len(lines)))]
        else:
            statements.append((snippet.line + at, line))
            at += 1
    return imports, declarations, statements


def located(page, lines):
    """Lines, with what tells the compiler where they stand."""
    result, expected = [], None
    for number, line in lines:
        if number != expected:
            result.append(f'#sourceLocation(file: "{page}", line: {number})')
        result.append(line)
        expected = number + 1
    return result + ["#sourceLocation()"] if result else []


def numbered(first, code):
    return [(first + offset, line) for offset, line in enumerate(code.split("\n"))]


def with_marks(lines):
    """Statements, with a mark in what they print behind each line that says what it prints."""
    result = []
    for number, line in lines:
        result.append((number, line))
        if match := re.match(r"( *)print\(.*\)  // (.*)$", line):
            result[-1] = (number, line[: line.rindex("  // ")] + f'; print("\\u{{1}}{number}")')
    return result


def source(scope, apple=False):
    """The files of a scope's module: its snippets, and what its setups say."""
    if scope.whole:
        snippet = scope.snippets[0]
        lines = located(scope.page, with_marks(numbered(snippet.line, snippet.code)))
        return "\n".join(lines + ([f'print("\\u{{1}}{snippet.prints[0]}")'] if snippet.prints else [])) + "\n", ""
    setup = [line for number, code in scope.setup + (scope.apple_setup if apple else [])
             for line in located(scope.page, numbered(number, code))]
    imports, top, body, closings = [], [], [], 0
    for snippet in scope.snippets:
        # What stands at the top is there for Apple's systems, too.
        if not snippet.is_compiled or snippet.words.startswith("apple") != apple and not (apple and snippet.words == "top"):
            continue
        if snippet.code.lstrip().startswith(PARTS):
            continue
        found, declarations, statements = split(snippet)
        if snippet.words == "top":
            declarations, statements = sorted(declarations + statements), []
        imports += found
        top += located(scope.page, declarations)
        if not any(line.strip() for _, line in statements):
            continue
        if scope.runs:
            statements = with_marks(statements)
        if snippet.words == "not run":
            body += [f"func notRun{snippet.line}() async throws {{"] + located(scope.page, statements) + ["}"]
            continue
        body += ["do {"] + located(scope.page, statements)
        if snippet.prints:
            body.append(f'print("\\u{{1}}{snippet.prints[0]}")')
        closings += 1
    lines = located(scope.page, imports) + top
    # What is pasted whole is elsewhere, and then a page may have nothing left to run.
    if body or scope.runs:
        lines += ["@MainActor func guide() async throws {" if apple else "func guide() async throws {"]
        lines += body + ["}"] * closings + ["}"]
    if scope.runs:
        lines += ["@main struct Program {", "    static func main() async throws { try await guide() }", "}"]
    return "\n".join(lines) + "\n", "\n".join(setup) + "\n"


def misplaced(scopes):
    """What is wrong with the imports of snippets, and with those that are parts of other files."""
    for snippet in itertools.chain.from_iterable(scope.snippets for scope in scopes):
        if match := re.match(r"part of (.*)$", snippet.words):
            text = re.sub(r"(?m)^(@\w+ )?import .*$", "", snippet.code).strip()
            if text not in open(os.path.join(ROOT, match[1]), encoding="utf-8").read():
                yield f"{snippet.page}:{snippet.line}: error: {match[1]} does not have this."
        if snippet.is_compiled and not snippet.code.lstrip().startswith(PARTS):
            for name in modules.lacking(ROOT, snippet.code):
                yield f"{snippet.page}:{snippet.line}: error: this snippet shows no `import {name}`."


def manifest(pages):
    """A manifest with the parts of manifests in all pages."""
    parts = {beginning: [] for beginning in PARTS}
    for scope in pages:
        for snippet in scope.snippets:
            for beginning, found in parts.items():
                if snippet.code.lstrip().startswith(beginning):
                    found.append((snippet.page, numbered(snippet.line, snippet.code.rstrip().rstrip(","))))
    lines = ["import PackageDescription"]
    for number, (beginning, kind) in enumerate(
            [(".package(", "Package.Dependency"), (".target(", "Target"), (".testTarget(", "Target"), (".product(", "Target.Dependency")]):
        for place, (page, code) in enumerate(parts[beginning]):
            lines.append(f'#sourceLocation(file: "{page}", line: {code[0][0] - 1})')
            lines += [f"let part{number}_{place}: [{kind}] = [", *(line for _, line in code), "]", "#sourceLocation()"]
    return "\n".join(lines) + "\n", sum(map(len, parts.values()))


def compile_with(arguments):
    process = subprocess.run(["swiftc", "-swift-version", "6", *arguments], capture_output=True, text=True, cwd=ROOT)
    said = process.stderr + process.stdout
    wrong = [line for line in said.split("\n") if re.search(r": (error|warning): ", line) and not NEEDLESS.search(line)]
    return process.returncode == 0 and not wrong, said if process.returncode else "\n".join(wrong)


def matches(printed, expected):
    pattern = "".join(".*" if part == "…" else re.escape(part) for part in re.split("(…)", expected))
    return re.fullmatch(pattern, printed, re.DOTALL) is not None


def run(scope, program, folder):
    """What is wrong with what a page prints, and how many texts were compared."""
    try:
        process = subprocess.run([program], capture_output=True, text=True, timeout=60, cwd=folder, env={
            "HOME": folder, "PATH": os.environ["PATH"], "TMPDIR": folder,
            "SWIFT_BACKTRACE": "enable=no", "TACKLINE_ENVIRONMENT": "non-production"})
    except subprocess.TimeoutExpired:
        return [f"{scope.page}: running it does not end."], 0
    wrong, compared = [], 0
    if process.returncode != 0:
        wrong.append(f"{scope.page}: running it ended with {process.returncode}: {process.stderr}")
    expected = {}
    for snippet in scope.snippets:
        for number, line in numbered(snippet.line, snippet.code):
            if match := re.match(r" *print\(.*\)  // (.*)$", line):
                expected[number] = match[1]
        if snippet.prints:
            expected[snippet.prints[0]] = snippet.prints[1]
    parts = re.split("\x01(\\d+)\n", process.stdout)
    for text, number in zip(parts[::2], parts[1::2]):
        compared += 1
        wanted = expected.pop(int(number))
        if not matches(text.rstrip("\n"), wanted):
            wrong.append(f"{scope.page}:{number}: says that this is printed:\n{wanted}\nbut it is:\n{text}")
    for number in expected:
        wrong.append(f"{scope.page}:{number}: what is to be printed here was not reached.")
    return wrong, compared


def check(build, scopes):
    wrong = list(misplaced(scopes))
    built = os.path.join(build, "Modules")
    for scope in scopes:
        lacks = [name for name in scope.needs if not os.path.exists(f"{built}/{name}.swiftmodule")]
        if lacks:
            scope.runs = False
            for snippet in scope.snippets:
                snippet.words = f"not compiled: this build has no {', '.join(lacks)}"
            scope.setup = []
    options = ["-I", built, "-module-cache-path", os.path.join(build, "ModuleCache")]
    # Those of modules in C, which modules in Swift import; Swift has its own.
    checkouts = os.path.join(build, "../../checkouts")
    maps = glob.glob(f"{checkouts}/*/**/include/module.modulemap", recursive=True)
    own = [path for path in glob.glob(f"{build}/CTackline*.build/module.modulemap") if "-tool.build/" not in path]
    for path in sorted(maps) + own:
        options += ["-Xcc", f"-fmodule-map-file={path}"]
    # What the last build made, and not what is left of files that are gone.
    # What pages need of other packages is linked, too.
    needed = [name for scope in scopes if scope.runs for name in scope.needs]
    prefix = "Tackline" if all(name.startswith("Tackline") for name in needed) else ""
    objects = glob.glob(f"{build}/C{prefix or '[A-Z]'}*.build/**/*.o", recursive=True)
    for path in glob.glob(f"{build}/{prefix}*.build/output-file-map.json"):
        if not re.search(r"(Tests|CLI|Web|Support|Tour|Console|Testing\w*|TestKit)\.build/", path) or "TacklineTesting.build" in path:
            objects += [outputs["object"] for outputs in json.load(open(path)).values() if "object" in outputs]
    objects = sorted({path for path in objects if os.path.exists(path)})
    with tempfile.TemporaryDirectory() as folder:

        def check_scope(scope):
            # A file called main.swift may have statements at its top.
            os.mkdir(home := os.path.join(folder, scope.name))
            paths = [os.path.join(home, "main.swift" if scope.whole else "Guide.swift"), os.path.join(home, "Setup.swift")]
            for path, text in zip(paths, source(scope)):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            arguments = [
                *options, *(["-wmo"] if scope.whole else ["-parse-as-library", "-wmo"]), "-module-name", scope.name, *paths]
            if not scope.runs:
                return *compile_with(["-typecheck", *arguments]), 0
            program = os.path.join(home, "program")
            # The objects are many, and are named in a file.
            with open(f"{program}.objects", "w", encoding="utf-8") as file:
                file.write("\n".join(f'"{name}"' for name in objects))
            good, said = compile_with([*arguments, "-o", program, f"@{program}.objects"])
            if not good:
                return good, said, 0
            wrong, compared = run(scope, program, home)
            return not wrong, "\n".join(wrong), compared

        def check_manifest(text):
            path = os.path.join(folder, "Manifest.swift")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            swiftc = os.path.realpath(subprocess.run(["which", "swiftc"], capture_output=True, text=True).stdout.strip())
            interface = os.path.join(os.path.dirname(swiftc), "../lib/swift/pm/ManifestAPI")
            return *compile_with(["-typecheck", "-package-description-version", "6.2", "-I", interface, path]), 0

        text, parts = manifest(scopes)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            works = [pool.submit(check_manifest, text)] + [pool.submit(check_scope, scope) for scope in scopes]
            results = [work.result() for work in works]
    for good, said, _ in results:
        if said.strip():
            print(said.strip())
    every = [snippet for scope in scopes for snippet in scope.snippets]
    apple = [snippet for snippet in every if snippet.words.startswith("apple")]
    left = [snippet for snippet in every if not snippet.is_compiled]
    for snippet in left:
        print(f"{snippet.page}:{snippet.line}: {snippet.words}")
    pages = len({scope.page for scope in scopes})
    print(f"{len(every)} snippets of {pages} pages: {len(every) - len(apple) - len(left)} compile here, of which {parts} are "
          f"parts of manifests; {len(apple)} are for Apple's systems (.ci/run darwin); {len(left)} are left out.")
    ran = sorted({os.path.basename(scope.page) for scope in scopes if scope.runs})
    print(f"{', '.join(ran)}: run, and {sum(compared for *_, compared in results)} printed texts are as they say.")
    if wrong:
        print("\n".join(wrong))
    return all(good for good, *_ in results) and not wrong


def write_apple(folder, scopes):
    """A file for each kind of system of each scope."""
    for scope in scopes:
        kinds = {snippet.words for snippet in scope.snippets if snippet.words.startswith("apple")}
        if len(kinds) > 1:
            sys.exit(f"{scope.page}: put `<!-- snippets: apart -->` between snippets for different systems.")
        for words in kinds:
            systems = words[len("apple"):].strip()
            text = "\n".join(reversed(source(scope, apple=True)))
            with open(os.path.join(folder, f"{scope.name}.swift"), "w", encoding="utf-8") as file:
                file.write((f"// systems: {systems}\n" if systems else "") + text)


def main():
    guides = "Docs/Tackline.docc"
    arguments = sys.argv[1:]
    apple = arguments[:1] == ["--apple"]
    if apple:
        arguments = arguments[1:]
    if not arguments:
        sys.exit(__doc__)
    pages = arguments[1:] or ["README.md"] + [
        f"{guides}/{name}" for name in sorted(os.listdir(os.path.join(ROOT, guides))) if name.endswith(".md")]
    scopes = [scope for page in pages for scope in read(page)]
    if apple:
        write_apple(arguments[0], scopes)
    # The one true path, since the cache of modules takes another name of a folder for another folder.
    elif not check(os.path.realpath(arguments[0]), scopes):
        sys.exit(1)


main()
