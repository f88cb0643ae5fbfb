"""The modules that a snippet has to import, by the names that it uses."""

import functools
import glob
import os
import re

# What a name alone doesn't say: members that a module adds to types of others, and names of other packages.
MEMBERS = {
    "TacklineTargeting": r"\.flagd\b|\.validate\(\w|\.require\(\"",
    "TacklineTesting": r"\.failingTest\(|\.unimplemented\b|@(?:Test|Suite)\(\s*\.(?:flags|everyFlagRead)",
    "TacklineSwiftUI": r"[:)]\s*\.flags\(\w+Flags\.self|\.flags\(\w+[,)]|flagsBrowser\(|\.binding\(|\.publisher\b",
    "TacklineServer": r"\.logging\(",
    "SwiftUI": r": (View|App|Scene|Commands)\b|#Preview\b|\bPreviewTrait\b|\.navigationDestination\(",
    "Testing": r"@(Test|Suite)\b|#expect\(|#require\(",
    "XCTest": r"\bXCT\w+",
    "UIKit": r"\bUI\w+Controller\b",
    "Combine": r"\bAnyCancellable\b",
    "WidgetKit": r"\bTimelineProvider\b|\bWidgetCenter\b",
    "StoreKit": r"\bAppTransaction\b",
    "Synchronization": r"\b(Mutex|Atomic)\b",
    "Observation": r"@Observable\b|\bwithObservationTracking\b|\bObservations\(",
    "Foundation": r"\b(URL|Data|Date|FileManager|ProcessInfo|UUID|Bundle|JSONEncoder|JSONDecoder|FileHandle|UserDefaults)\b"
    r"|\bNSHomeDirectory\b|\bexit\(",
    "Dispatch": r"\bDispatch(Queue|Source)\b",
    "Logging": r"\bLogger\(label",
    "ServiceLifecycle": r"\bServiceGroup\b",
}
# A module that another one brings along.
BRINGS = {"Foundation": {"Dispatch"}, "SwiftUI": {"Observation"}, "XCTest": {"Foundation"}}


@functools.cache
def names(root):
    """For each public name of the package, the modules that a reader may import for it."""
    umbrella = set(re.findall(
        r"@_exported public import (\w+)", open(f"{root}/Sources/Tackline/Exports.swift", encoding="utf-8").read()))
    found = {}
    for path in glob.glob(f"{root}/Sources/*/**/*.swift", recursive=True) + glob.glob(f"{root}/Providers/*/**/*.swift", recursive=True):
        parts = os.path.relpath(path, root).split(os.sep)
        module = parts[1] if parts[0] == "Sources" else f"Tackline{parts[1]}"
        text = open(path, encoding="utf-8").read()
        declared = re.findall(
            r"(?m)^(?:    )?(?:@[\w()]+ )*public (?:final |indirect |nonisolated )*"
            r"(?:struct|class|enum|protocol|actor|typealias|macro|func) (\w+)", text)
        # What is indented is nested, unless a condition is around the whole file.
        nested = set(re.findall(r"(?m)^    (?:@[\w()]+ )*public .*?(?:struct|class|enum|protocol|actor|typealias|macro|func) (\w+)", text))
        conditional = re.search(r"(?m)^#if (canImport|Web|CommandLine|Configuration|Logging|Metrics|Tracing|ServiceLifecycle)", text)
        for name in declared:
            if name not in nested or (conditional and not re.search(r"(?m)^(public|extension|package|private|struct|final)", text)):
                found.setdefault(name, set()).add(module)
    for modules in found.values():
        if modules & umbrella:
            modules.add("Tackline")
    return found


def lacking(root, code):
    """The modules whose names are in a snippet and that it does not import; one at least is imported."""
    imported = set(re.findall(r"(?m)^\s*(?:/\*.*?\*/ )?(?:@\w+ )?import (\w+)", code))
    for module in list(imported):
        imported |= BRINGS.get(module, set())
    # Comments and texts name nothing.
    plain = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', re.sub(r"//.*", "", re.sub(r'"""[\s\S]*?"""', '""', code)))
    plain = re.sub(r"(?m)^\s*(?:/\*.*?\*/ )?(?:@\w+ )?import .*$", "", plain)
    own = set(re.findall(r"\b(?:struct|class|enum|protocol|actor|typealias) (\w+)", plain))
    needed = set()
    for name in set(re.findall(r"(?<![.\w\\])@?([A-Za-z]\w+)", plain)) - own:
        modules = names(root).get(name)
        if modules and not modules & imported:
            needed.add("Tackline" if "Tackline" in modules else sorted(modules)[0])
    needed |= {module for module, words in MEMBERS.items() if module not in imported and re.search(words, plain)}
    for module in list(needed):
        needed -= BRINGS.get(module, set())
    if not imported and not needed:
        needed.add("Tackline")
    return sorted(needed)
