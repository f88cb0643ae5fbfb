#!/usr/bin/env python3
"""Checks the links between the guides and the other Markdown files, and prepares the guides for DocC.

    Tests/Guides/links.py                     checks the links
    Tests/Guides/links.py --docc <folder>     writes the guides to a folder that is not there yet, in the form that DocC takes

The guides are read on GitHub and as a site that DocC makes. They have plain links, `[a page](Page.md#a-heading)`, which GitHub
follows. DocC (Swift 6.3) takes such a link for one to another site, so each becomes `[a page](doc:Page#A-heading)`, with an anchor as
DocC makes it. An image loses its folder, and the first page gets the directive that makes it the root of the site.
"""

import glob
import os
import re
import shutil
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GUIDES = "Docs/Tackline.docc"
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def parts(text):
    """The parts of a page, each with its first line and whether it is prose and no code."""
    first = 1
    for part in re.split(r"(?ms)^( *```.*?^ *```$)", text):
        yield first, part, not part.lstrip().startswith("```")
        first += part.count("\n")


def headings(path):
    """The headings of a page, by the anchors that GitHub gives them."""
    found = {}
    for _, part, is_prose in parts(read(path)):
        for match in re.finditer(r"(?m)^#+ (.*)$", part) if is_prose else ():
            title = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", match[1]).strip()
            slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
            found.setdefault(slug, title)
    return found


def check():
    pages = sorted(glob.glob(f"{ROOT}/{GUIDES}/*.md"))
    paths = pages + sorted(
        path for pattern in ("*.md", "Docs/*.md", "Examples/**/*.md", "Tests/*/*.md")
        for path in glob.glob(f"{ROOT}/{pattern}", recursive=True) if "/." not in path)
    wrong, count = [], 0
    for path in paths:
        name, is_guide = os.path.relpath(path, ROOT), path in pages
        for first, part, is_prose in parts(read(path)):
            if not is_prose:
                continue
            plain = re.sub(r"(?<!`)`[^`\n]*`(?!`)", lambda code: "x" * len(code[0]), part)
            for match in re.finditer(r"<doc:|\(doc:|``", plain) if is_guide else ():
                number = first + plain.count("\n", 0, match.start())
                wrong.append(f"{name}:{number}: GitHub does not know this link; write [text](Page.md).")
            for match in LINK.finditer(plain):
                target, _, anchor = match[3].partition("#")
                if re.match(r"[a-z]+:", target):
                    continue
                count += 1
                number = first + plain.count("\n", 0, match.start())
                there = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
                if not os.path.exists(there):
                    wrong.append(f"{name}:{number}: there is no {target}.")
                elif anchor and anchor not in headings(there):
                    wrong.append(f"{name}:{number}: {target or 'this page'} has no heading #{anchor}.")
                elif is_guide and not match[1] and os.path.dirname(there) != os.path.dirname(path):
                    wrong.append(f"{name}:{number}: {target} is no page of the site; name the file without a link.")
    listed = set(re.findall(r"(?m)^- \[.*\]\((\w+\.md)\)", read(f"{ROOT}/{GUIDES}/Tackline.md")))
    for page in {os.path.basename(path) for path in pages} - listed - {"Tackline.md"}:
        wrong.append(f"{GUIDES}/Tackline.md: the topics lack {page}.")
    print("\n".join(sorted(wrong)) if wrong else f"{count} links lead somewhere.")
    sys.exit(1 if wrong else 0)


def docc(folder):
    shutil.copytree(f"{ROOT}/{GUIDES}", folder)

    def link(match):
        target, _, anchor = match[3].partition("#")
        if match[1]:
            return f"![{match[2]}]({os.path.basename(target)})"
        if re.match(r"[a-z]+:", target):
            return match[0]
        if anchor:
            page = f"{ROOT}/{GUIDES}/{target}" if target else path
            anchor = "#" + re.sub(r"[^\w\-]+", "-", re.sub("['’\"]", "", headings(page)[anchor])).strip("-")
        return f"[{match[2]}](doc:{target.removesuffix('.md') or os.path.basename(path).removesuffix('.md')}{anchor})"

    for path in glob.glob(f"{folder}/*.md"):
        text = "".join(LINK.sub(link, part) if is_prose else part for _, part, is_prose in parts(read(path)))
        if os.path.basename(path) == "Tackline.md":
            text = text.replace("\n", "\n\n@Metadata {\n    @TechnologyRoot\n}\n", 1)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


if sys.argv[1:2] == ["--docc"]:
    docc(sys.argv[2])
else:
    check()
