#!/usr/bin/env python3
"""Checks, reviews and publishes the flag documents of this folder, which is in a git repository.

    publish.py check              are the documents right for every version of the app in the field?
    publish.py review <commit>    what changes against a commit? Prints Markdown for a comment.
    publish.py publish <folder>   signs the documents of HEAD and puts them into a folder of a web server

The number of commits becomes a document's `$version`. Each step can be killed and run again. The variables of the environment:

    TACKLINE             the command-line tool, built with the traits CommandLine and Signing; `tackline` by default
    FLAGS_KEY            the private key
    FLAGS_NEXT_KEY       a second private key while one replaces the other
    FLAGS_LARGEST_MOVE   the percentage of users whom one rule may move without a label; 25 by default
    FLAGS_LABELS         the labels of the pull request, separated by commas
"""

import fcntl
import json
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
DOCUMENTS = ["flags.json", "rules.flagd.json"]
LABEL = "moves many users"
USERS = 100_000


def git(*arguments):
    return subprocess.run(["git", "-C", HERE, *arguments], check=True, stdout=subprocess.PIPE).stdout


def tackline(*arguments, accepted=(0,), **options):
    """Runs the tool and returns what it printed; ends with its status if that is not an accepted one."""
    done = subprocess.run([os.environ.get("TACKLINE", "tackline"), *arguments], stdout=subprocess.PIPE, **options)
    if done.returncode not in accepted:
        sys.stdout.buffer.write(done.stdout)
        sys.exit(done.returncode)
    return done.stdout


def check(folder=HERE):
    names = sorted(os.listdir(os.path.join(folder, "manifests")))
    versions = [word for name in names for word in ("--versions", f"{name.removesuffix('.json')}=manifests/{name}")]
    how = ["--format", "github"] if "GITHUB_ACTIONS" in os.environ else []
    sys.stdout.buffer.write(tackline("validate", *DOCUMENTS, *versions, *how, cwd=folder))
    for document in DOCUMENTS:
        if "$version" in json.load(open(os.path.join(folder, document))):
            sys.exit(f"{document} has a $version. Remove it: publishing adds the number of commits.")


def review(base):
    """Prints what changes since a commit. Fails if a rule moves more users than allowed and the label is missing."""
    allowed = float(os.environ.get("FLAGS_LARGEST_MOVE", "25"))
    moved = 0
    print("### Flags in this pull request\n")
    for document in DOCUMENTS:
        old = git("show", f"{base}:./{document}")
        diff = ["diff", "-", os.path.join(HERE, document), "--users", str(USERS)]
        text = tackline(*diff, accepted=(0, 1), input=old).decode().strip() or "no change"
        flags = json.loads(tackline(*diff, "--json", accepted=(0, 1), input=old)).get("flags", [])
        print(f"**{document}**\n\n```diff\n{text.replace('```', '')}\n```\n")
        moved = max([moved, *(100 * flag["affected"] / USERS for flag in flags)])
    if moved > allowed:
        print(f"A rule moves {moved:.1f} % of the users. More than {allowed:g} % need the label \"{LABEL}\".")
        sys.exit(0 if LABEL in os.environ.get("FLAGS_LABELS", "").split(",") else 1)


def publish(target):
    if git("rev-parse", "--is-shallow-repository").strip() == b"true":
        sys.exit("The clone does not have all commits, so they can't be counted. Fetch all: fetch-depth: 0.")
    version = int(git("rev-list", "--count", "--first-parent", "HEAD"))
    with tempfile.TemporaryDirectory() as folder, open(os.path.join(target, ".lock"), "w") as lock:
        # What is published is HEAD, whatever lies beside it.
        subprocess.run(["tar", "-x", "-C", folder], input=git("archive", "HEAD", "."), check=True)
        check(folder)
        fcntl.flock(lock, fcntl.LOCK_EX)  # until the process ends, however it ends
        for document in DOCUMENTS:
            publish_document(document, folder, target, version)


def publish_document(document, folder, target, version):
    text = open(os.path.join(folder, document), encoding="utf-8").read()
    head, tail = text.split("{", 1)
    payload = f"{head}{{\"$version\": {version}{',' if json.loads(text) else ''}{tail}".encode()
    path = os.path.join(target, document)
    keys = open(os.path.join(folder, "keys.txt"), encoding="utf-8").read().split()
    trusted = [word for key in keys for word in ("--key", key)]
    needed = 1 + ("FLAGS_NEXT_KEY" in os.environ)
    # A published document that no trusted key has signed counts as none; one that has expired still has its version.
    verify = ["verify", path, "--document", "--allow-expired", *trusted]
    published = tackline(*verify, accepted=(0, 1)) if os.path.exists(path) else b""
    if published:
        there = json.loads(published)["$version"]
        if there > version:
            return print(f"{document}: version {there} is published already, which is newer than {version}")
        if published == payload and len(json.load(open(path, encoding="utf-8"))["signatures"]) >= needed:
            return print(f"{document}: version {version} is published already")
        if there == version and published != payload:
            sys.exit(f"{document}: another version {version} is published. Was the history rewritten? Commit again.")
    envelope = tackline("sign", "-", "--key-variable", "FLAGS_KEY", input=payload)
    if needed == 2:
        envelope = tackline("sign", "-", "--add", "--key-variable", "FLAGS_NEXT_KEY", input=envelope)
    # A key that the apps don't trust would publish a document that they all refuse.
    tackline("verify", "-", *trusted, "--required", str(needed), input=envelope)
    replace(path, envelope)
    print(f"{document}: published version {version}")


def replace(path, data):
    """Replaces a file at once: readers get the old one or the new one, also after a loss of power."""
    fresh = f"{path}.new"
    with open(fresh, "wb") as output:
        os.fchmod(output.fileno(), 0o644)  # nginx's user has to read it, whatever the mask of this one
        output.write(data)
        output.flush()
        os.fsync(output.fileno())
    # nginx makes the entity tag of the time in seconds and the size, so each document has a later second than the last.
    last = os.stat(path).st_mtime if os.path.exists(path) else 0
    moment = max(int(time.time()), int(last) + 1)
    os.utime(fresh, (moment, moment))
    os.replace(fresh, path)
    folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


if __name__ == "__main__":
    commands = {("check", 2): check, ("review", 3): review, ("publish", 3): publish}
    command = commands.get((sys.argv[1] if len(sys.argv) > 1 else "", len(sys.argv)))
    sys.exit(command(*sys.argv[2:]) if command else __doc__)
