#!/usr/bin/env python3
"""Checks that the guide "Codes of errors and issues" has every code of an issue or an error that the sources have, and no other."""

import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = "Docs/Tackline.docc/Codes.md"
# The headings of the page, and how the sources spell the codes that stand below each, in which files.
NAME = '"([a-z-]+)"'
KINDS = {
    "Errors and issues": (r"/(?!FlagsBrowserError)\w+(\+\w+)?\.swift$", [
        rf"\bCode\({NAME}\)", rf"\bFlagError\(\s*(?:\.init\()?{NAME}", rf"\breport\(\s*{NAME},",
        rf"static let \w+: (?:(?:FlagError\.)?Code|Self) = {NAME}"]),
}

def main():
    sources = {}
    for folder in ("Sources", "Providers"):
        for path in glob.glob(os.path.join(ROOT, folder, "**/*.swift"), recursive=True):
            # What comments show is no code.
            sources[path] = re.sub(r"(?m)^\s*//.*$", "", open(path, encoding="utf-8").read())
    page = open(os.path.join(ROOT, PAGE), encoding="utf-8").read()
    wrong, count = [], 0
    for heading, (files, patterns) in KINDS.items():
        there = {
            code for path, text in sources.items() if re.search(files, path)
            for pattern in patterns for code in re.findall(pattern, text)}
        section = page.split(f"\n### {heading}\n")[-1].split("\n### ")[0]
        told = re.findall(r"(?m)^\| `([\w-]+)` \|", section)
        count += len(told)
        if not there:
            wrong.append(f"no code was found in the sources for \"{heading}\"; correct {os.path.basename(__file__)}.")
        wrong += [f"\"{heading}\" lacks `{code}`, which the sources have." for code in sorted(there - set(told))]
        wrong += [f"\"{heading}\" has `{code}`, which the sources have not." for code in sorted(set(told) - there)]
        wrong += [f"\"{heading}\" has `{code}` twice." for code in sorted({c for c in told if told.count(c) > 1})]
    for line in wrong:
        print(f"{PAGE}: {line}")
    print(f"The guide \"Codes of errors and issues\" explains {count} codes.")
    sys.exit(1 if wrong else 0)


main()
