#!/usr/bin/env python3
"""Checks that the compiler explains the mistakes in Mistakes.swift: Tests/Guides/mistakes.py <folder of a build>"""

import glob
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    build, path = sys.argv[1], os.path.join(HERE, "Mistakes.swift")
    # What a plugin needs is built once more, into folders whose names end in -tool.
    own = [path for path in glob.glob(f"{build}/CTackline*.build/module.modulemap") if "-tool.build/" not in path]
    maps = [f"-fmodule-map-file={path}" for path in own]
    process = subprocess.run(
        ["swiftc", "-swift-version", "6", "-typecheck", "-I", f"{build}/Modules", path]
        + [word for option in maps for word in ("-Xcc", option)], capture_output=True, text=True)
    found = dict(re.findall(r"Mistakes\.swift:(\d+):\d+: error: (.*)", process.stderr))
    expected = {
        str(number): line.partition("// error: ")[2].strip()
        for number, line in enumerate(open(path, encoding="utf-8"), 1) if "// error: " in line}
    wrong = [f"{path}:{number}: error: {found[number]}" for number in found if number not in expected]
    wrong += [
        f"{path}:{number}: \"{text}\" was expected, but it is: {found.get(number, 'no error')}"
        for number, text in expected.items() if text not in found.get(number, "")]
    print("\n".join(wrong) if wrong else f"The compiler explains {len(expected)} mistakes.")
    sys.exit(1 if wrong or not expected else 0)


main()
