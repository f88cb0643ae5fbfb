"""Drives the console's page in a real Chromium, against the example Console.

    python console.py <the built example> [--images <folder>] [--page <folder>]

It needs chromium, chromedriver, and the packages selenium and axe-core-python. It prints a line for each claim, and ends
with 1 at the first that does not hold. With --images it leaves screenshots.
"""

import argparse
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import urllib.parse

import axe_core_python
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

REMOTE = '{ "new_checkout": %s, "max_attempts": 300, "layout": "grid", "visitors": %d }'


class Shop:
    """The example, in its scripted mode."""

    def __init__(self, program, *arguments, port=0):
        self.port = port or socket.create_server(("127.0.0.1", 0)).getsockname()[1]
        command = [program, "--scripted", "--port", str(self.port), *arguments]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.ask("start")

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def publish(self, checkout, visitors):
        self.ask("publish " + REMOTE % ("true" if checkout else "false", visitors))

    def close(self):
        self.process.kill()
        self.process.wait()


class Page:
    """The page, as somebody in front of it uses it."""

    def __init__(self, browser, images):
        self.browser = browser
        self.images = images
        self.wait = 15

    def one(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def run(self, script, *values):
        return self.browser.execute_script(script, *values)

    def until(self, holds, claim):
        WebDriverWait(
            self.browser, self.wait, poll_frequency=0.02, ignored_exceptions=[StaleElementReferenceException]).until(lambda _: holds(), claim)
        print("ok:", claim)

    def row(self, key):
        return self.one(f'.row[data-id$=":{key}"]')

    def badge(self, key):
        return self.row(key).find_element(By.CSS_SELECTOR, ".answer .badge").text

    def value(self, key):
        return self.row(key).find_element(By.CSS_SELECTOR, ".value").text

    def switch(self, key):
        return self.row(key).find_element(By.CSS_SELECTOR, ".switch")

    def is_on(self, key):
        return self.switch(key).get_attribute("aria-checked") == "true"

    def open(self, key):
        self.run("arguments[0].scrollIntoView({ block: 'center' })", self.row(key))
        self.row(key).find_element(By.CSS_SELECTOR, ".open").click()
        assert self.run("return tackline.list.opened").endswith(f":{key}"), f"{key} is not opened"

    def type(self, text):
        field = self.one("#value")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text)

    def fill(self, field, text):
        """Sets a field at once, where typing would take long or depend on the language."""
        self.run("const field = document.querySelector(arguments[0]); field.value = arguments[1];"
                 "field.dispatchEvent(new Event('input', { bubbles: true }));", field, text)

    def keys(self, *keys):
        ActionChains(self.browser).send_keys(*keys).perform()

    def tab_to(self, stop):
        stops = []
        while len(stops) < 40 and stop not in stops:
            self.keys(Keys.TAB)
            stops.append(self.run("const one = document.activeElement; return one.id || one.name || one.className || one.type"))
        assert stop in stops, stops
        return stops

    def names(self):
        return self.run("return [...document.querySelectorAll('.row:not([hidden]) .name')].map((one) => one.textContent)")

    def colleague(self, command):
        """Does a command as somebody else would."""
        reply = self.browser.execute_async_script(
            "const [body, done] = arguments;"
            "fetch('/api/command', { method: 'POST', headers: { 'Content-Type': 'application/json' },"
            " body: JSON.stringify(body) }).then((answer) => answer.json()).then(done, (error) => done(String(error)));",
            {"command": command, "author": "Bea"})
        assert "revision" in reply, reply

    def choose(self, field, text):
        Select(self.one(field)).select_by_visible_text(text)

    def can_save(self):
        return self.one("form.edit [type=submit]").is_enabled()

    def save(self):
        self.until(self.can_save, "the edit can be made")
        self.one("form.edit [type=submit]").click()

    def menu(self, item):
        self.one("#menu summary").click()
        self.one(f"#{item}").click()

    def load(self, address):
        self.browser.get(address)
        self.until(lambda: self.all("#status") and self.one("#status").text == "Live", f"the page at {address.split('token=')[0]} is live")

    def foresight(self):
        return self.one("#foresight").text

    def title(self):
        return self.one("#panel h2").text

    def media(self, is_dark=False, width=1300, height=850):
        features = [
            {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def picture(self, name):
        self.run("document.getElementById('toast')?.replaceChildren(); document.activeElement?.blur();")
        if self.images:
            self.browser.save_screenshot(str(self.images / f"{name}.png"))

    def pictures(self, name, what):
        """Pictures in light, dark, and on a phone, each checked by axe."""
        looks = [("", {}), ("-dark", {"is_dark": True}), ("-phone", {"width": 390, "height": 844}),
                 ("-phone-dark", {"width": 390, "height": 844, "is_dark": True})]
        for suffix, media in looks:
            self.media(**media)
            if self.run("return typeof axe === 'undefined'"):
                self.run(pathlib.Path(axe_core_python.__file__).with_name("axe.min.js").read_text())
            found = self.browser.execute_async_script(
                "const done = arguments[0]; axe.run(document).then((result) => done(result.violations.map((one) => "
                "`${one.id} (${one.impact}): ${one.nodes.map((node) => node.target.join(' ')).slice(0, 4).join(', ')}`)),"
                " (error) => done([String(error)]));")
            assert not found, f"axe finds fault with {what}{suffix}: {found}"
            print(f"ok: axe finds no fault with {what}{suffix.replace('-', ', ')}")
            cut = self.run(
                "return [...document.querySelectorAll('dialog[open] button, form button')].filter((one) => { const box = "
                "one.getBoundingClientRect(); return box.width && (box.left < 0 || box.right > innerWidth); }).map((one) => one.textContent)")
            assert not cut, f"{what}{suffix}: cut off: {cut}"
            self.picture(name + suffix)
        self.media()


def use(page, shop):
    """The everyday jobs, one after the other."""
    page.media()
    page.load(shop.url)
    assert "token" not in page.browser.current_url, page.browser.current_url
    print("ok: the token is gone from the address")
    assert len(page.names()) == 13, page.names()

    page.keys("/", "checkout team")
    page.until(lambda: page.names() == ["New checkout", "Payment attempts"], "/ searches, over owners too")
    page.one("#search").clear()
    page.one("#search").send_keys("GRUEZI")
    page.until(lambda: page.names() == ["Greeting"], "and over values, without accents")
    page.one("#search").clear()
    page.one("#search").send_keys("checkout team")
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER)
    page.until(lambda: page.title() == "Payment attempts", "arrow keys and Enter open a flag")
    said = page.one(".answers").text
    assert "Refused: Expected an integer from 0 to 255, found the integer 300." in said, said
    print("ok: the details say what each provider answers, and why one is passed over")
    bottom = page.run("return document.querySelector('form.edit [type=submit]').getBoundingClientRect().bottom")
    order = page.run("return [...document.querySelectorAll('.now, form.edit, .answers')].map((one) => one.className)")
    assert bottom <= 850 and order == ["now", "edit", "answers"], (bottom, order)
    print("ok: the value and its form come first and are in view, then where the value comes from")
    page.keys(Keys.ESCAPE)
    page.until(lambda: page.title() == "Recent changes", "Escape closes the details")
    page.keys(Keys.ESCAPE)
    page.until(lambda: len(page.names()) == 13, "Escape once more clears the search")

    page.menu("rename")
    page.keys("Ada", Keys.ENTER)
    page.switch("new_checkout").click()
    page.until(lambda: page.is_on("new_checkout") and page.badge("new_checkout") == "overrides", "a click flips a switch")
    assert shop.ask("value new_checkout") == "true"
    page.one("[data-filter=overridden]").click()
    page.until(lambda: page.names() == ["New checkout"], "a filter shows what is overridden")
    page.one("#clear").click()
    shop.publish(False, 512)
    page.until(lambda: page.value("visitors") == "512", "a change by the program appears by itself")
    changes = lambda: [one.text for one in page.all(".changes > li .from")]
    page.until(lambda: changes()[0] == "412 → 512, from remote", "and stands among the recent changes")
    page.until(lambda: "false → true, from overrides, by Ada" in changes(), "where edits say who made them")

    page.open("max_attempts")
    page.type("900")
    page.until(lambda: "from 0 to 255" in page.foresight(), "a number out of range is refused with the reason")
    assert not page.can_save()
    page.type("7")
    page.until(lambda: "The flag becomes 7" in page.foresight(), "what an edit would do is said before it is done")
    page.until(page.can_save, "and it can be done")
    page.one("#value").send_keys(Keys.ENTER)
    page.until(lambda: page.value("max_attempts") == "7", "Enter sets the number")
    assert shop.ask("value max_attempts") == "7"

    page.open("discount")
    assert page.one("label[for=value] ~ .hint").text == "Allowed: a value from 0.0 to 0.5."
    page.type("0.7")
    page.until(lambda: "a value from 0.0 to 0.5" in page.foresight(), "a number outside of its bounds is refused")
    page.run("const { flag } = tackline.editor; flag.control.maximum = '0.1667'; tackline.editor.start(flag);")
    page.fill("input[type=range]", "0.1667")
    page.until(lambda: page.one("#value").get_attribute("value") == "0.1667", "a slider sets a number within bounds, to their end")
    page.pictures("console-slider", "a slider")
    page.run("tackline.editor.drop()")

    page.open("layout")
    page.choose("#destination", "region defaults")
    page.choose("#value", "map")
    page.until(lambda: 'the value from "remote" still wins' in page.foresight(), "an edit that changes nothing is said to")
    page.until(lambda: page.one("form.edit [type=submit]").text == "Write anyway", "and so does the button")
    page.choose("#destination", "overrides")
    page.run("tackline.editor.drop()")

    page.open("search/ranking")
    page.type('{\n  "model": "words",\n  "weights": { "price": oops }\n}')
    page.until(lambda: page.all("#foresight .place") and page.one("#foresight .place").text == "Line 3, column 25",
               "a mistake in JSON is shown with its place")
    page.pictures("console-json", "a mistake in JSON")
    page.type('{ "model": "vectors of every word of the titles", "weights": {} }')
    page.save()
    page.until(lambda: "vectors" in page.value("search/ranking"), "JSON without one is set")
    assert shop.ask("value search/ranking") == '{"model": "vectors of every word of…", "weights": {}}'
    page.fill("#value", '{ "model": "words", "weights": {} }')
    page.save()
    page.until(lambda: "words" in page.value("search/ranking"), "and once more")
    page.one("#undo").click()
    page.until(lambda: "vectors" in page.value("search/ranking"), "Undo takes it back")
    page.until(lambda: "vectors" in page.one("#value").get_attribute("value"), "also in the field")
    page.one("form.edit .actions button:last-child").click()
    page.until(lambda: page.badge("search/ranking") == "default", "a flag is reset")
    page.until(lambda: page.one("#toast button").text == "Undo", "the notice offers to undo it")
    page.one("#toast button").click()
    page.until(lambda: "vectors" in page.value("search/ranking"), "and does")

    page.menu("reset-all")
    page.until(lambda: page.all("#confirm"), "resetting all asks first")
    page.pictures("console-reset", "the question whether to reset all")
    page.one("#confirm").click()
    page.until(lambda: not page.all(".answer .badge.override"), "and then resets all")
    page.one("#undo").click()
    page.until(lambda: page.value("max_attempts") == "7" and page.is_on("new_checkout"), "which one Undo takes back")
    page.run("const one = document.querySelector('.row[data-id$=\":new_checkout\"] .switch'); one.click(); one.click();"
             "document.getElementById('undo').click();")
    page.until(lambda: not page.is_on("new_checkout"), "clicks that come quicker than answers are done in turn")


def expire(page):
    """Values that end."""
    page.open("greeting")
    page.type("Good evening")
    page.choose("#ends", "At a time…")
    page.fill("#until", "2020-01-01T12:00")
    page.until(lambda: "the time at which the value would expire has passed" in page.foresight(), "a moment in the past is refused")
    marks = [page.one(field).get_attribute("aria-invalid") for field in ("#value", "#ends", "#until")]
    assert marks == ["false", "true", "true"] and not page.can_save(), marks
    page.pictures("console-past", "a moment in the past")
    page.fill("#until", "2099-01-01T12:00")
    page.until(page.can_save, "a later one is accepted at once")
    leaving = "const leaving = new Event('beforeunload', { cancelable: true }); dispatchEvent(leaving); return leaving.defaultPrevented"
    assert page.run(leaving), "a reload drops a draft"
    page.choose("#ends", "In an hour")
    page.save()
    page.until(lambda: "Expires " in page.one(".now").text, "a value is set with an end")
    page.until(lambda: not page.run(leaving), "and then nothing would be lost")
    assert "Until " in page.one(".answers").text
    soon = page.run("return new Date(Date.now() + 4000).toISOString().replace(/\\.\\d+Z$/, 'Z')")
    page.colleague({"set": {"flag": "ShopFlags:visitors", "text": "7", "expires": soon}})
    page.until(lambda: page.value("visitors") == "7", "Bea sets a value that expires soon")
    page.open("visitors")
    page.type("8")
    page.until(lambda: page.value("visitors") != "7", "and it expires")
    page.until(lambda: "has passed" in page.foresight() and not page.can_save(), "what was typed meanwhile does not lose its end")
    page.run("tackline.editor.drop()")


def share(page):
    """Overrides as a bundle."""
    page.menu("share")
    page.until(lambda: page.all("dialog[open] textarea"), "overrides are shared")
    page.pictures("console-share", "overrides to share")
    bundle = page.one("dialog textarea").get_attribute("value")
    assert '"tackline-overrides"' in bundle and "max_attempts" in bundle, bundle
    page.keys(Keys.ESCAPE)
    page.colleague({"resetAll": {}})
    page.until(lambda: not page.all(".answer .badge.override"), "Bea resets all")
    page.menu("import")
    page.fill("#bundle", "{")
    page.until(lambda: page.all("#bundle-says.wrong"), "what is no bundle is refused")
    page.fill("#bundle", bundle)
    page.until(lambda: len(page.all(".differences li")) >= 3, "a bundle says what it would change")
    page.pictures("console-import", "the differences")
    page.one("#confirm").click()
    page.until(lambda: page.value("greeting") == '"Good evening"', "and is imported")


def visit(page, shop):
    """Addresses."""
    home = page.run("return location.origin") + "/"
    page.load(home)
    page.open("greeting")
    page.until(lambda: page.browser.current_url == home + "?flag=ShopFlags%3Agreeting", "a flag has an address")
    assert page.browser.title == "Greeting – Corner shop", page.browser.title
    page.open("visitors")
    page.browser.back()
    page.until(lambda: page.title() == "Greeting", "Back leads to the flag before")
    page.browser.refresh()
    page.until(lambda: page.all("#panel h2") and page.title() == "Greeting", "a reload stays there")
    page.browser.back()
    page.until(lambda: page.title() == "Recent changes", "and Back to the list")
    page.one("#search").send_keys("search team")
    page.one("[data-filter=expired]").click()
    page.until(lambda: page.browser.current_url == home + "?q=search+team&only=expired", "a search and a filter have an address")
    page.browser.refresh()
    page.until(lambda: page.names() == ["Typo forgiveness"], "which survives a reload")
    page.one("#clear").click()
    page.choose("#by-source", "From remote")
    page.until(lambda: "Visitors" in page.names() and len(page.names()) < 13, "flags of one source are listed")
    page.choose("#by-source", "Any source")
    page.choose("#by-control", "JSON")
    page.until(lambda: page.names() == ["Ranking"], "and those of one type")
    page.one("#clear").click()

    shown = lambda: page.run("return tackline.list.order.length")
    page.one(".group .fold").click()
    page.until(lambda: shown() == 10, "a group collapses")
    page.browser.refresh()
    page.until(lambda: page.all(".row") and shown() == 10, "and stays so after a reload")
    page.one("#search").send_keys("titles")
    page.until(lambda: page.row("search/ranking").is_displayed(), "a search looks into what is collapsed, and into all of a long value")
    page.load(home + "?flag=ShopFlags%3Asearch%2Franking")
    page.until(lambda: page.title() == "Ranking" and page.row("search/ranking").is_displayed(), "a link opens a flag and its group")
    page.load(home + "?flag=ShopFlags%3Anothing&only=bogus&type=bogus&source=bogus")
    page.until(lambda: "There is no flag" in page.one("#toast").text, "a link to a flag that is gone says so")
    # A link in a chat, with and without a session.
    link = home + "?flag=ShopFlags%3Agreeting"
    for is_known in (True, False):
        if not is_known:
            page.browser.delete_all_cookies()
        page.browser.get("data:text/html," + urllib.parse.quote(f'<a id="link" href="{link}">flag</a>'))
        page.one("#link").click()
        if not is_known:
            page.until(lambda: page.all("#token") and page.one("#token").is_displayed(), "without a session it asks for the token")
            page.pictures("console-sign-in", "the question for the token")
            page.one("#token").send_keys("wrong", Keys.ENTER)
            page.until(lambda: "not the one of this console" in page.one("main").text, "again if that is wrong")
            page.one("#token").send_keys(shop.url, Keys.ENTER)
        page.until(lambda: page.all("#panel h2") and page.title() == "Greeting", "a link from a chat leads to the flag")
        assert "token" not in page.browser.current_url, page.browser.current_url


# The next requests for a path fail, with the status of an answer or without one.
FAIL = """
    let [path, status, left = 1] = arguments, all = fetch;
    window.fetch = (...request) => {
      if (!String(request[0]).includes(path)) return all(...request);
      if (--left === 0) window.fetch = all;
      return status ? Promise.resolve(new Response("Not now.", { status })) : Promise.reject(new TypeError("away"));
    };
"""

# No stream of events is opened, and time passes quickly for the page, which leaves its long waits in a list.
DEAF = """
    window.EventSource = class extends EventTarget {
      constructor() { super(); setTimeout(() => this.dispatchEvent(new Event("error"))); }
      close() {}
    };
    window.waits = [];
    const later = setTimeout;
    window.setTimeout = (then, wait) => { if (wait > 300) waits.push(wait); return later(then, Math.min(wait, 20)); };
"""


def refuse(page):
    """A page that is refused what it needs when it is opened."""
    do = page.browser.execute_cdp_cmd
    home = page.run("return location.origin") + "/"
    for script, claim, holds in [
        (f"(function () {{{FAIL}}})('api/state', 503)", "a page that is refused once connects again", lambda: page.names()),
        (DEAF, "one whose stream is refused asks less and less often", lambda: max(page.run("return waits"), default=0) > 2500),
    ]:
        added = do("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        page.browser.get(home)
        page.until(holds, claim)
        do("Page.removeScriptToEvaluateOnNewDocument", added)
    page.load(home)


COUNT = """
    window.asked = { state: 0, preview: 0 };
    const real = fetch;
    window.fetch = (...all) => {
      for (const name in asked) if (String(all[0]).includes(`api/${name}`)) asked[name] += 1;
      return real(...all);
    };
"""


def live(page, shop):
    """Two tabs, changes from elsewhere, and a connection that is lost and comes back."""
    page.load(shop.url)
    first = page.browser.current_window_handle
    page.open("greeting")
    page.type("Good morning")
    page.until(lambda: "Good morning" in page.foresight(), "an edit begins")
    enter = "return document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', cancelable: true, ...arguments[0] }))"
    assert page.run(enter, {"isComposing": True}) and page.run(enter, {"keyCode": 229}), "a word that is being composed is set"
    page.open("max_attempts")
    assert "not set yet" in page.row("greeting").text, page.row("greeting").text
    page.open("greeting")
    field = page.one("#value")
    assert field.get_attribute("value") == "Good morning"
    print("ok: what was typed is still there after another flag was looked at")
    page.run("const field = document.getElementById('value'); field.focus(); field.setSelectionRange(4, 4);")
    page.colleague({"set": {"flag": "ShopFlags:greeting", "text": "Servus"}})
    page.until(lambda: page.value("greeting") == '"Servus"', "a change from elsewhere is shown while somebody types")
    page.keys("!")
    assert field.get_attribute("value") == "Good! morning", field.get_attribute("value")
    print("ok: what is being typed stays when somebody changes the flag, and so do the focus and the caret")
    page.save()
    page.until(lambda: page.value("greeting") == '"Good! morning"', "the last one who writes wins")

    page.colleague({"set": {"flag": "ShopFlags:new_checkout", "text": "true", "expires": "2099-01-01T12:00:00Z"}})
    page.browser.switch_to.new_window("tab")
    page.media()
    page.load(f"http://127.0.0.1:{shop.port}/")
    was_on = page.is_on("new_checkout")
    page.switch("new_checkout").click()
    page.until(lambda: page.is_on("new_checkout") != was_on, "a second tab flips a switch")
    assert page.run("return tackline.store.flags.get('ShopFlags:new_checkout').answers[0].expires"), "a switch drops the end of a value"
    page.browser.close()
    page.browser.switch_to.window(first)
    page.until(lambda: page.is_on("new_checkout") != was_on, "and the first one shows it")

    page.run(COUNT)
    for visitors in range(600, 700):
        shop.publish(False, visitors)
    page.until(lambda: page.value("visitors") == "699", "a hundred changes are shown")
    asked = page.run("return asked")
    assert asked["state"] <= 60 and asked["preview"] <= 1, asked

    hide = ("Object.defineProperty(document, 'hidden', { value: arguments[0], configurable: true });"
            "document.dispatchEvent(new Event('visibilitychange'));")
    page.run(hide, True)
    page.colleague({"set": {"flag": "ShopFlags:greeting", "text": "Moin"}})
    page.run(hide, False)
    page.until(lambda: page.value("greeting") == '"Moin"', "a hidden page catches up when it is seen again")

    page.open("greeting")
    page.type("Good night")
    page.until(lambda: "Good night" in page.foresight(), "an edit has begun")
    page.run("asked.state = asked.preview = 0;")
    shop.ask("stop")
    page.until(lambda: page.one("#status").text == "Connection lost", "the page says that the connection is lost")
    assert not page.switch("new_checkout").is_enabled() and not page.can_save()
    page.type("Good night, all")
    shop.publish(True, 712)
    page.until(lambda: page.run("return asked.state") >= 3, "it tries to connect again")
    assert page.run("return asked.preview") == 0, page.run("return asked")
    page.pictures("console-lost", "the lost connection")
    shop.ask("start")
    page.until(lambda: page.one("#status").text == "Live", "it recovers by itself when the server is back")
    page.until(lambda: page.value("visitors") == "712", "shows what happened meanwhile")
    page.until(lambda: "Good night, all" in page.foresight(), "and looks at what was typed")
    page.run("tackline.editor.drop()")
    page.run(FAIL, "", 0)
    page.switch("new_checkout").click()
    page.until(lambda: "does not answer" in page.one("#toast").text, "a request that fails is reported")
    page.until(lambda: page.one("#status").text == "Live", "and the page connects again")
    page.type("Good day")
    page.run(FAIL, "api/state", 503, 2)
    page.save()
    page.until(lambda: page.value("greeting") == '"Good day"', "an edit is done though the snapshot after it is refused")
    assert "not set yet" not in page.row("greeting").text, page.row("greeting").text


def reach(page):
    """What people need who use a keyboard alone."""
    page.media()
    page.load(page.run("return location.origin") + "/")
    stops = page.tab_to("open")
    assert stops[0] == "skip" and "search" in stops, stops
    print("ok: Tab leads from the link that skips over the tools to the search and the list")
    page.keys("/", "forgives", Keys.ENTER, Keys.ENTER)
    page.until(lambda: page.title() == "Typo forgiveness", "/ and Enter open a flag")
    was_on = page.is_on("search/forgives_typos")
    page.tab_to("value")
    page.keys(Keys.ARROW_RIGHT if was_on else Keys.ARROW_LEFT, Keys.TAB, Keys.TAB)
    assert page.run("return document.activeElement.id") == "ends"
    page.keys("In an hour", Keys.ENTER)
    page.until(page.can_save, "the edit can be made")
    page.tab_to("primary")
    page.keys(Keys.ENTER)
    page.until(lambda: page.is_on("search/forgives_typos") != was_on, "a flag is switched for an hour with keys alone")
    page.until(lambda: "Expires " in page.one(".now").text, "and says until when")
    page.run("document.activeElement.blur()")
    ActionChains(page.browser).key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL).perform()
    page.until(lambda: page.is_on("search/forgives_typos") == was_on, "Ctrl-Z takes it back")
    page.keys(Keys.ESCAPE, Keys.ESCAPE)
    page.one("[data-filter=overridden]").click()
    page.until(lambda: len(page.names()) > 1, "what is overridden is listed")
    page.run("document.querySelector('.row:not([hidden]) .open').focus()")
    page.colleague({"reset": {"flag": page.run("return tackline.list.current")}})
    page.until(lambda: page.run("const row = document.activeElement.closest('.row'); return Boolean(row) && !row.hidden"),
               "the keyboard stays in the list when its row goes")
    page.one("#clear").click()


def look(page, shop):
    """The list, a flag and the way to a value in every look, each checked by axe."""
    page.load(f"http://127.0.0.1:{shop.port}/")
    page.pictures("console-list", "the list")
    page.menu("import")
    page.pictures("console-import-empty", "a dialog")
    page.keys(Keys.ESCAPE)
    page.run(FAIL, "api/why", 500)
    page.open("search/suggestions")
    said = lambda part: page.run("return document.querySelector(arguments[0])?.textContent ?? ''", part)
    page.until(lambda: page.run("tackline.panel.draw()") or "falls here" in said(".reasons .shares .chosen"), "a split shows where the user falls")
    assert said(".reasons .steps").startswith("✓Yes: country"), said(".reasons .steps")
    page.run("document.querySelector('.reasons').scrollIntoView()")
    page.pictures("console-why", "the way to a value")
    page.run("for (const one of tackline.store.flags.get('ShopFlags:search/suggestions').answers) delete one.reason;"
             "tackline.panel.draw()")
    page.until(lambda: not said(".reasons"), "reasons go with the answers that had them")
    page.open("max_attempts")
    page.pictures("console", "the details")
    page.media(width=390, height=844)
    assert page.run("return document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the phone"
    page.one("#panel button[aria-label=Close]").click()
    assert page.run("return document.documentElement.scrollWidth <= innerWidth"), "the list is wider than the phone"
    page.picture("console-phone-list")
    print("ok: nothing is wider than the phone")
    page.media()


def measure(page, shop, count, limit):
    """Many flags, timed inside the browser from the navigation until the list is painted."""
    page.media()
    page.wait = 60
    page.load(shop.url)
    page.browser.get(f"http://127.0.0.1:{shop.port}/")
    painted = """
        const done = arguments[0];
        const look = () => (globalThis.tackline?.list.rows.size > 0
          ? requestAnimationFrame(() => setTimeout(() => done(performance.now()))) : setTimeout(look, 5));
        look();"""
    listed = page.browser.execute_async_script(painted)
    page.until(lambda: page.run("return document.getElementById('tally').textContent") == f"{count + 13} flags", f"{count + 13} flags are listed")
    changing = page.browser.execute_async_script("""
        const done = arguments[0], start = performance.now();
        new MutationObserver((_, watch) => { watch.disconnect(); done(performance.now() - start); }).observe(
          document.querySelector(".row[data-id$=':greeting'] .value"), { characterData: true, childList: true, subtree: true });
        fetch("api/command", { method: "POST", headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ command: { set: { flag: "ShopFlags:greeting", text: "Servus" } } }) });""")
    print(f"{count + 13} flags, in ms: listed {listed:.0f}, a change from elsewhere shown {changing:.0f}")
    # Generous, since this also runs in a debug build and on machines with much else to do.
    assert listed < limit * 4000 and changing < 1200, (listed, changing)
    page.wait = 15


def restarted(page, shop, start):
    """A program that was started again."""
    page.load(shop.url)
    shop.close()
    start(port=shop.port)
    page.until(lambda: page.one("#status").text == "Signed out", "a program with another token signs the page out")
    page.pictures("console-signed-out", "signed out")


def held(page, start):
    """Values that the launch guard holds back, because the program died under them."""
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(3):
            shop = start("--launches", folder)
            assert shop.ask("visitors") == "412"
            shop.close()
        shop = start("--launches", folder)
        assert shop.ask("visitors") == "0"
        page.load(shop.url + "&flag=ShopFlags:visitors")
        page.until(lambda: "content is held back since" in page.one(".answers").text, "the panel says why a value is held back")
        page.pictures("console-held", "a value that is held back")
        page.one(".answers").find_element(By.XPATH, ".//button[text()='Release']").click()
        page.until(lambda: page.value("visitors") == "412", "a button releases it")
        assert shop.ask("visitors") == "412"


def chromium():
    """A headless Chromium."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    browser.set_script_timeout(60)
    return browser


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("--images", type=pathlib.Path)
    arguments.add_argument("--page", help="a folder with the files of the page, in place of those in the program")
    arguments = arguments.parse_args()

    browser = chromium()
    page = Page(browser, arguments.images)
    shops = []

    def start(*options, port=0):
        from_disk = ["--page", arguments.page] if arguments.page else []
        shops.append(Shop(arguments.program, *options, *from_disk, port=port))
        return shops[-1]

    try:
        shop = start()
        use(page, shop)
        expire(page)
        share(page)
        visit(page, shop)
        live(page, shop)
        refuse(page)
        reach(page)
        look(page, shop)
        for count, limit in [(1000, 0.5), (10_000, 3)]:
            measure(page, start("--many", str(count)), count, limit)
        restarted(page, shop, start)
        held(page, start)
        # A refusal of the policy, or an error of the script, would be here.
        refused = [line for line in browser.get_log("browser") if "Security Policy" in line["message"] or "Uncaught" in line["message"]]
        assert not refused, refused
        print("ok: the browser refused nothing and the script never failed")
    finally:
        browser.quit()
        for shop in shops:
            shop.close()


if __name__ == "__main__":
    sys.exit(main())
