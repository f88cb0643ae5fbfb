"""Reads what `swift package dump-package` prints, and prints what Tests/Stubs/check needs of it, one fact a line:

    system <name> <version>                     the systems that the package is for, in the order of the manifest
    feature <name>                              the upcoming features with which every module is compiled
    module <name> <library|program> <folder>    the modules in Swift, each behind those it depends on

Fields are separated by tabs. Modules for tests, and what stands below Tests, are left out.
"""

import json
import os
import sys

package = json.load(sys.stdin)
for system in package["platforms"]:
    print("system", system["platformName"], system["version"], sep="\t")

targets = {
    target["name"]: (target, target.get("path") or os.path.join("Sources", target["name"]))
    for target in package["targets"]
    if target["type"] in ("regular", "executable")
}
targets = {name: found for name, found in targets.items() if found[1].split("/")[0] not in ("Tests", "Docs")}

features = [
    {setting["kind"]["enableUpcomingFeature"]["_0"] for setting in target["settings"] if "enableUpcomingFeature" in setting["kind"]}
    for target, _ in targets.values()
]
for feature in sorted(set.intersection(*features)):
    print("feature", feature, sep="\t")

printed = set()


def visit(name):
    if name in printed or name not in targets:
        return
    printed.add(name)
    target, folder = targets[name]
    for dependency in target["dependencies"]:
        # A dependency on a module of this package is `byName` or `target`; a product of another package is `product`.
        for kind in ("byName", "target"):
            if kind in dependency:
                visit(dependency[kind][0])
    print("module", name, "library" if target["type"] == "regular" else "program", folder, sep="\t")


for name in targets:
    visit(name)
