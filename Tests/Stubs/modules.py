"""Reads what `swift package dump-package` prints, and prints what Tests/Stubs/check needs of it, one fact a line:

    language <version>                          the mode of the language
    system <name> <version>                     the systems that the package is for, in the order of the manifest
    feature <name>                              the upcoming features with which every module is compiled
    trait <name>                                what `#if` may ask for
    dependency <url> <version>                  other packages, with the lowest version that will do
    product <name>                              what the modules use of them
    module <name> <library|program> <folder>    the modules in Swift, each behind those it depends on

Fields are separated by tabs. With names as arguments, the modules are those and what they depend on; without, all but
those for tests and documentation.
"""

import json
import os
import sys

package = json.load(sys.stdin)
wanted = sys.argv[1:]
targets = {
    target["name"]: (target, target.get("path") or os.path.join("Sources", target["name"]))
    for target in package["targets"]
    if target["type"] in ("regular", "executable")
}
all_modules = [name for name, (_, folder) in targets.items() if folder.split("/")[0] not in ("Tests", "Docs")]
wanted = wanted or all_modules


def settings(target, kind):
    return {setting["kind"][kind]["_0"] for setting in target["settings"] if kind in setting["kind"]}


def show(*fields):
    print(*fields, sep="\t")


modules = []
products = set()
packages = set()

# What these bring cannot be compiled for Apple's systems from here: SwiftNIO, swift-system, swift-async-algorithms and others stand
# on C, or on modules of their own, that this check does not build. What they are for is for servers.
left_out = {"Configuration", "Logging", "Metrics", "ServiceLifecycle", "Tracing"}

# These are compiled from the stubs of them, because they can't be fetched everywhere; see Tests/Stubs/check.
stubs = {"swift-sdk"}


def is_foreign(product):
    """Whether a product is used on none of Apple's systems, or cannot be compiled for them here."""
    condition = (product[3] if len(product) > 3 else None) or {}
    if product[1] in stubs or left_out.intersection(condition.get("traits") or []):
        return True
    names = condition.get("platformNames") or ["macos"]
    return not {"macos", "ios", "tvos", "watchos", "visionos"}.intersection(names)


def visit(name):
    if name in modules or name not in targets:
        return
    # A dependency on a module of this package is `byName` or `target`; one on another package is `product`.
    for dependency in targets[name][0]["dependencies"]:
        for kind in ("byName", "target"):
            if kind in dependency:
                visit(dependency[kind][0])
        # What is for other systems only is not compiled.
        if "product" in dependency and not is_foreign(dependency["product"]):
            products.add(dependency["product"][0])
            packages.add(dependency["product"][1])
    modules.append(name)


for name in wanted:
    visit(name)

show("language", package["toolsVersion"]["_version"].split(".")[0])
for system in package["platforms"]:
    show("system", system["platformName"], system["version"])
features = [settings(targets[name][0], "enableUpcomingFeature") for name in modules]
for feature in sorted(set.intersection(*features) if features else []):
    show("feature", feature)
for trait in package.get("traits", []):
    if trait["name"] not in left_out:
        show("trait", trait["name"])
for dependency in package["dependencies"]:
    for source in dependency.get("sourceControl", []):
        for remote in source["location"].get("remote", []):
            if wanted == all_modules and source["identity"] not in map(str.lower, packages):
                continue
            for versions in source["requirement"].get("range", []):
                show("dependency", remote["urlString"], versions["lowerBound"])
for product in sorted(products):
    show("product", product)
for name in modules:
    target, folder = targets[name]
    show("module", name, "library" if target["type"] == "regular" else "program", folder)
