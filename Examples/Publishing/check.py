#!/usr/bin/env python3
"""Publishes to nginx in all the ways that the guide describes, with an app that follows: check.py <follower> <tackline>"""

import http.client
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
FOLLOWER, TOOL = (os.path.abspath(path) for path in sys.argv[1:3])
failures, processes = [], []
# Runs the script and kills it at its nth step that others can see.
KILLED = """
import os, publish, sys
left = int(sys.argv[1])
def audit(event, arguments):
    global left
    left -= event in ("open", "os.rename", "os.utime", "subprocess.Popen")
    if left < 0: os.kill(os.getpid(), 9)
sys.addaudithook(audit)
publish.publish(sys.argv[2])
"""


def expect(condition, claim):
    print(("ok      " if condition else "FAILED  ") + claim, flush=True)
    failures.extend([] if condition else [claim])


def start_app(*keys):
    command = [FOLLOWER, f"http://127.0.0.1:{port}/", tempfile.mkdtemp(dir=work), *keys]
    processes.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
    return processes[-1]


def poll(app):
    app.stdin.write("\n")
    app.stdin.flush()
    return json.loads(app.stdout.readline())


def start_nginx():
    (work / "nginx.conf").write_text((HERE / "nginx.conf").read_text().replace("PORT", str(port)))
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    processes.append(subprocess.Popen([nginx, "-p", work, "-c", "nginx.conf", "-e", "stderr"]))
    for _ in range(600):
        if socket.socket().connect_ex(("127.0.0.1", port)) == 0:
            return processes[-1]
        time.sleep(0.1)
    sys.exit("FAILED  nginx does not start within a minute")


def get(**fields):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", "/flags.json", headers=fields)
    return connection.getresponse()


def run(*command, **variables):
    environment = os.environ | {"TACKLINE": TOOL, "FLAGS_KEY": private[0]} | variables
    return subprocess.run(command, cwd=team, env=environment, capture_output=True, text=True)


def publish(**variables):
    return run("./publish.py", "publish", documents, **variables)


def git(*arguments):
    return run("git", "-c", "user.name=Ada", "-c", "user.email=ada@example.com", *arguments).stdout


def commit(file, old, new):
    (team / file).write_text((team / file).read_text().replace(old, new))
    git("commit", "-qam", f"{old} becomes {new}")


def published():
    return (document.read_bytes(), document.stat().st_mtime) if document.exists() else None


def pull_request():
    commit("flags.json", '"max_attempts": 3', '"max_attempts": 30')
    bad = run("./publish.py", "check", GITHUB_ACTIONS="true")
    expect(bad.returncode == 1 and "::error file=flags.json,line=3" in bad.stdout, "a bad value fails with its line")
    expect(publish().returncode == 1 and not published(), "and is not published")
    git("revert", "--no-edit", "HEAD")
    expect(run("./publish.py", "check").returncode == 0, "a good one passes")
    commit("rules.flagd.json", '["on", 10], ["off", 90]', '["on", 50], ["off", 50]')
    review = run("./publish.py", "review", "HEAD~1")
    expect(review.returncode == 1 and "moves 40" in review.stdout, "a rule that moves 40 % of the users needs a label")
    expect(run("./publish.py", "review", "HEAD~1", FLAGS_LABELS="moves many users").returncode == 0, "with the label it passes")


def merges(app):
    publish()
    seen = poll(app)
    expect(seen["banner"] == "Spring sale" and seen["attempts"] == 3 and 430 < seen["guests"] < 570, f"published: {seen}")
    first, answer = published(), get().headers
    expect(answer["Cache-Control"] == "no-cache" and answer["ETag"], "the answer has its entity tag and Cache-Control")
    expect(get(**{"If-None-Match": answer["ETag"]}).status == 304, "an unchanged document is not sent again")
    expect("already" in publish().stdout and published() == first, "publishing the same commit again changes nothing")
    for old, new in (("Spring", "Autumn"), ("Autumn", "Winter")):
        commit("flags.json", f"{old} sale", f"{new} sale")
        publish()
        expect(poll(app)["banner"] == f"{new} sale", f"the {new} sale is in the app at its next poll, within a second or not")
    git("revert", "--no-edit", "HEAD")
    publish()
    expect(poll(app)["banner"] == "Autumn sale", "git revert takes it back, as a newer version")
    older = published()
    commit("flags.json", "Autumn sale", "Snow sale")
    publish()
    snow, behind, shallow = published(), work / "behind", work / "shallow"
    git("clone", "-q", team, behind)
    git("-C", behind, "reset", "-q", "--hard", "HEAD~1")
    run(behind / "publish.py", "publish", documents)
    expect(published() == snow, "a late publish of an older commit changes nothing")
    git("clone", "-q", "--depth", "1", f"file://{team}", shallow)
    expect("fetch-depth: 0" in run(shallow / "publish.py", "publish", documents).stderr, "a shallow clone is refused")
    for number in range(1, 6):
        run("bash", "-c", f"rm {document}; {behind}/publish.py publish {documents} & ./publish.py publish {documents} & wait")
        expect(published()[0] == snow[0], f"of two publishes at once the newer one stays ({number} of 5)")
    os.utime(document, (snow[1], snow[1]))  # Otherwise nginx may give it the tag of an earlier one.
    return older


def accidents(app, older, nginx):
    poll(app)
    (work / "expired.json").write_text('{"$version": 1000, "$expires": "2001-01-01T00:00:00Z"}')
    run(TOOL, "sign", work / "expired.json", "--key-variable", "FLAGS_KEY", "--output", document)
    expect("newer" in publish().stdout, "an older commit replaces no newer document, even if that has expired")
    (work / "forged.json").write_text('{"$version": 1000, "banner": "Forged sale"}')
    run(TOOL, "sign", work / "forged.json", "--key-variable", "FLAGS_KEY", "--output", document, FLAGS_KEY=private[1])
    seen = poll(app)
    expect(seen["banner"] == "Snow sale" and seen["refusals"], f"the app refuses a forged one: {seen['refusals']}")
    document.write_bytes(older[0])
    os.utime(document, (1, 1))
    seen = poll(app)
    expect(seen["banner"] == "Snow sale" and seen["refusals"], f"the app refuses an older one: {seen['refusals']}")
    expect(publish(FLAGS_KEY=private[1]).returncode == 1 and published()[0] == older[0], "nor is a key used that it doesn't trust")
    publish()
    expect(poll(app)["refusals"] == [], "publishing again puts the right one back")
    nginx.terminate()
    nginx.wait(30)
    seen = poll(app)
    expect(seen["banner"] == "Snow sale" and seen["refusals"], "while nginx is down the values stay")
    commit("flags.json", "Snow sale", "Sale 0")
    start_nginx()


def kills(app):
    steps, whole, ended = 0, True, False
    while not ended:
        publish()
        whole = whole and poll(app)["banner"] == f"Sale {steps}"
        commit("flags.json", f"Sale {steps}", f"Sale {steps + 1}")
        ended = run(sys.executable, "-c", KILLED, str(steps), documents).returncode == 0
        whole = whole and poll(app)["refusals"] == []
        steps += 1
    expect(whole and steps > 10, f"killed at each of {steps - 1} steps, the app refused nothing, and the next run published")


def leaked_key(app):
    newer = start_app(public[1])
    commit("keys.txt", public[0], f"{public[0]}\n{public[1]}")
    publish(FLAGS_NEXT_KEY=private[1])
    expect(poll(app)["refusals"] == [] and poll(newer)["refusals"] == [], "signed with both keys, old and new apps take it")
    commit("keys.txt", f"{public[0]}\n", "")
    publish(FLAGS_KEY=private[1])
    expect(poll(newer)["refusals"] == [] and poll(app)["refusals"], "with the new key alone, only new apps take it")
    (team / "flags.json").write_text("{}")
    (team / "rules.flagd.json").write_text('{ "flags": {} }')
    git("commit", "-qam", "Withdraw all values")
    expect("reservations removed" in run("./publish.py", "review", "HEAD~1").stdout, "the review says what is withdrawn")
    publish(FLAGS_KEY=private[1])
    seen = poll(newer)
    expect((seen["banner"], seen["attempts"], seen["guests"]) == ("", 5, 0), f"withdrawn values leave the defaults: {seen}")


with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
work = pathlib.Path(tempfile.mkdtemp())
work.chmod(0o755)  # for nginx, which gives up root
team, documents = work / "team", work / "documents"
document = documents / "flags.json"
try:
    shutil.copytree(HERE, team)
    documents.mkdir()
    keys = [work / "first.key", work / "second.key"]
    public = [subprocess.run([TOOL, "keygen", key], check=True, capture_output=True, text=True).stdout.strip() for key in keys]
    private = [key.read_text().strip() for key in keys]
    (team / "keys.txt").write_text(f"{public[0]}\n")
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "Flags of the restaurant")
    app, nginx = start_app(public[0]), start_nginx()
    pull_request()
    accidents(app, merges(app), nginx)
    kills(app)
    leaked_key(app)
    expect("Ada" in git("log", "--format=%ad %an: %s", "-G", "banner", "--", "flags.json"), "git log tells who and when")
finally:
    for process in processes:
        process.kill()
    shutil.rmtree(work, ignore_errors=True)
sys.exit(f"{len(failures)} claims are wrong." if failures else 0)
