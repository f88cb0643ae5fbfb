#!/usr/bin/env python3
"""Checks that the guide "Codes of errors and issues" has every code that the sources have, and no other."""

import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = "Docs/Tackline.docc/Codes.md"
# How the sources spell codes.
NAME = '"([a-z-]+)"'
SPELLINGS = [
    rf"\bCode\({NAME}\)", rf"\bfailure\(\s*{NAME}, \"", rf"\bFlagError\(\s*(?:\.init\()?{NAME}", rf"\breport\(\s*{NAME},",
    rf"static let \w+: (?:(?:FlagError\.)?Code|Self) = {NAME}"]
# A table from codes to codes, which are its values.
TABLE = r"\[FlagError\.Code: FlagError\.Code\] = \[([^\]]*)\]"


def codes():
    """The codes of the sources. Those of the flag browser are its own, and its users read the messages."""
    found = set()
    for folder in ("Sources", "Providers"):
        for path in glob.glob(os.path.join(ROOT, folder, "**/*.swift"), recursive=True):
            if os.path.basename(path).startswith("FlagsBrowserError"):
                continue
            # What comments show is no code.
            text = re.sub(r"(?m)^\s*//.*$", "", open(path, encoding="utf-8").read())
            found |= {code for spelling in SPELLINGS for code in re.findall(spelling, text)}
            found |= {code for table in re.findall(TABLE, text) for code in re.findall(f": {NAME}", table)}
    return found


def main():
    there = codes()
    page = re.findall(r"(?m)^\| `([\w-]+)` \|", open(os.path.join(ROOT, PAGE), encoding="utf-8").read())
    wrong = [] if there else [f"no code was found in the sources; correct {os.path.basename(__file__)}."]
    wrong += [f"it lacks `{code}`, which the sources have." for code in sorted(there - set(page))]
    wrong += [f"it has `{code}`, which the sources have not." for code in sorted(set(page) - there)]
    wrong += [f"it has `{code}` twice." for code in sorted({code for code in page if page.count(code) > 1})]
    for line in wrong:
        print(f"{PAGE}: {line}")
    print(f"The guide \"Codes of errors and issues\" explains {len(page)} codes.")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
