import { $, element, picture, pictures, narrow, clock, calendar, sourceName } from "./elements.js";
import { store } from "./store.js";
import { connection } from "./connection.js";
import { list } from "./list.js";
import { editor } from "./editor.js";
import { act, announce } from "./page.js";
import { why } from "./why.js";

// The panel beside the list: one flag in full, or what changed last.
export const panel = {
  view: "changes",
  flag: null,

  get isOpen() { return document.body.classList.contains("open"); },

  // Shows a flag.
  async open(id) {
    this.view = "flag";
    this.flag = id;
    list.current = id;
    list.mark();
    this.enter();
    const flag = store.flags.get(id);
    editor.start(flag);
    this.draw();
    $("panel").scrollTop = 0;
    await this.complete(flag);
  },

  // Asks for the values that the snapshot shortens, so that nobody edits an empty field in their place.
  async complete(flag) {
    const values = [flag.value, flag.defaultValue, ...flag.answers.map((answer) => answer.value)];
    if (!values.some((one) => one && one.input === undefined)) return;
    try {
      const full = await connection.ask(`/api/flag?id=${encodeURIComponent(flag.id)}`);
      if (this.flag !== flag.id || store.flags.get(flag.id) !== flag) return;
      editor.notice(full);
      this.drawFlag(full);
    } catch { /* The short values stay. */ }
  },

  showChanges() {
    this.view = "changes";
    this.flag = null;
    list.mark();
    this.enter();
    this.draw();
  },

  // On a narrow screen the panel covers the page, so the page steps back.
  enter() {
    document.body.classList.add("open");
    this.fit();
    if (narrow.matches) $("panel").focus();
  },

  fit() {
    const covers = narrow.matches && this.isOpen;
    $("list").inert = covers;
    document.querySelector("header.top").inert = covers;
    const changesShown = this.view === "changes" && (!narrow.matches || this.isOpen);
    $("show-changes").setAttribute("aria-pressed", changesShown);
  },

  close() {
    const id = this.flag;
    document.body.classList.remove("open");
    this.view = "changes";
    this.flag = null;
    list.mark();
    this.fit();
    this.draw();
    if (id) list.focus(id); else $("show-changes").focus();
  },

  draw(flag = store.flags.get(this.flag)) {
    $("panel").setAttribute("aria-label", this.view === "flag" ? "Details of the flag"
      : "Recent changes");
    if (this.view === "flag" && flag) this.drawFlag(flag); else this.drawChanges();
  },

  // Brings the open panel up to date without taking away what somebody is typing.
  refresh(changed) {
    if (this.view === "changes") return this.drawChanges();
    const flag = store.flags.get(this.flag);
    if (!flag) return this.showChanges();
    if (!changed || changed.includes(this.flag)) {
      editor.notice(flag);
      this.drawFlag(flag);
      this.complete(flag);
    }
  },

  drawChanges() {
    const changes = store.snapshot.recentChanges;
    const body = changes.length === 0
      ? element("p", { class: "hint" },
        "Nothing has changed since the program started. Changes by anyone appear here at once.")
      : this.changeList(changes.slice(0, 60), true);
    this.place([
      element("div", { class: "panel-head" }, element("div", { class: "heading" },
        element("h2", {}, "Recent changes"), narrow.matches && this.closeButton())),
      element("div", {}, body),
    ]);
  },

  changeList(changes, namesFlag) {
    return element("ol", { class: "changes" }, ...changes.map((change) => element("li", {},
      element("time", { datetime: change.time }, clock.format(new Date(change.time))),
      namesFlag && store.flags.has(change.flag)
        ? element("button", { type: "button", class: "link", on: {
          click: () => this.open(change.flag) } }, change.key)
        : namesFlag ? element("span", { class: "mono" }, change.key) : element("span", { class: "mono" },
          `${change.old.text} → ${change.new.text}`),
      element("span", { class: "from" }, namesFlag ? element("span", { class: "mono" },
        `${change.old.text} → ${change.new.text}`) : "",
        `${namesFlag ? ", " : ""}from ${sourceName(change.source)}`))));
  },

  closeButton() {
    return element("button", { type: "button", class: "quiet icon", "aria-label": "Close",
      on: { click: () => this.close() } }, picture(pictures.close));
  },

  drawFlag(flag) {
    const isOverride = store.isOverrideLayer(flag);
    const pin = element("button", {
      type: "button", class: "quiet icon", "aria-pressed": String(flag.isPinned), "aria-label": "Pin",
        title: flag.isPinned ? "Unpin" : "Pin",
      disabled: !connection.isLive || Boolean(store.snapshot.readOnlyReason),
      on: { click: () => act({ command: "pin", flag: flag.id,
        isPinned: !flag.isPinned }, { quiet: true }) },
    }, picture(pictures.pin));
    const copy = element("button", { type: "button", class: "link copy",
      on: { click: () => this.copy(flag.key, copy) } }, "Copy key");
    const meta = flag.metadata;
    const badges = element("div", { class: "badges" },
      flag.isExpired && element("span", { class: "badge warn" }, "expired"),
      meta.isLocked && element("span", { class: "badge" }, "locked"),
      meta.isInternal && element("span", { class: "badge" }, "internal"),
      ...meta.tags.map((tag) => element("span", { class: "badge" }, tag)));
    const history = store.snapshot.recentChanges.filter((change) => change.flag === flag.id).slice(0, 8);
    this.place([
      element("div", { class: "panel-head" },
        element("div", { class: "heading" }, element("h2", {}, flag.name), pin, this.closeButton()),
        element("p", {}, element("span", { class: "key" }, flag.key), " ", copy),
        flag.description && element("p", { class: "about" }, flag.description), badges),
      element("section", { class: "now", "aria-label": "Value" },
        element("div", { class: "line" }, element("output",
          { class: flag.value.text.length > 28 ? "long" : "" }, flag.value.text),
          element("span", { class: isOverride ? "badge override" : "badge" }, sourceName(flag.source))),
        element("p", { class: "why" }, sentence(flag.reason))),
      editor.form(flag),
      element("section", { "aria-label": "Answers" }, element("h3", {}, "Who answers"),
        this.answers(flag)),
      why.section(flag, () => { if (this.flag === flag.id && this.view === "flag") this.drawFlag(flag); }),
      element("section", { "aria-label": "About the flag" }, this.facts(flag)),
      history.length > 0 && element("section", { "aria-label": "Recent changes of the flag" },
        element("h3", {}, "Recent changes"), this.changeList(history, false)),
    ]);
  },

  // The provider's answers from the first asked to the last, with what stands before and behind them.
  answers(flag) {
    const lines = [];
    const line = (who, said, isWinner, more) => lines.push(element("li",
      { class: isWinner ? "wins" : "" },
      element("span", { class: "mark", "aria-hidden": "true" }, isWinner ? "✓" : ""),
      element("span", { class: "who" }, who, isWinner && element("span", { class: "visually-hidden" },
        " (wins)")),
      element("span", { class: said.value ? "said" : "said none" }, said.value?.text ?? said.none),
      more && element("span", { class: "more" }, more)));
    if (flag.scoped) line("current task", { value: flag.scoped }, flag.source.kind === "scope");
    if (flag.computed || flag.source.kind === "computed") line("computed by the flag", {
      value: flag.computed }, flag.source.kind === "computed");
    for (const answer of flag.answers) {
      const wins = flag.source.kind === "provider" && flag.source.provider === answer.provider;
      const more = [answer.variant && `Variant ${answer.variant}.`, answer.reason
        && sentence(answer.reason), answer.refusal].filter(Boolean).join(" ");
      const none = answer.outcome === "excluded" ? "not asked" : "no value";
      line(answer.provider, answer.value ? { value: answer.value } : { none }, wins, more);
    }
    line("default", { value: flag.defaultValue }, flag.source.kind === "default",
      flag.declaredDefault.text !== flag.defaultValue.text
        && `The source says ${flag.declaredDefault.text}.`);
    return element("ol", { class: "answers" }, ...lines);
  },

  facts(flag) {
    const meta = flag.metadata;
    const ticket = meta.ticket && (/^https?:\/\//i.test(meta.ticket)
      ? element("a", { href: meta.ticket, rel: "noreferrer noopener", target: "_blank" }, meta.ticket)
        : meta.ticket);
    const expiry = meta.expiryDate && calendar.format(new Date(meta.expiryDate));
    const facts = [
      ["Type", element("code", {}, flag.type)], ["Property", flag.property
        && element("code", {}, flag.property)],
      ["Variant", flag.variant], ["Owner", meta.owner], ["Expires", expiry], ["Ticket", ticket],
      ["Collection", store.sections.get(flag.section)?.title],
    ].filter(([, value]) => value);
    return element("dl", { class: "facts" },
      ...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
  },

  async copy(text, button) {
    try {
      await navigator.clipboard.writeText(text);
      announce("Copied.");
      button.textContent = "Copied";
    } catch { announce("The browser does not allow copying here."); }
  },

  // Replaces what the panel shows, and gives the focus back to the element that had it.
  place(children) {
    const root = $("panel");
    const focused = root.contains(document.activeElement) ? document.activeElement : null;
    const label = focused && focused !== root && (focused.id || focused.getAttribute("aria-label")
      || focused.textContent);
    const top = root.scrollTop;
    root.replaceChildren(...children.filter(Boolean));
    root.scrollTop = top;
    if (!focused || focused === root) return;
    if (root.contains(focused)) return focused.focus();
    const same = [...root.querySelectorAll("button, input, select, textarea")]
      .find((one) => (one.id || one.getAttribute("aria-label") || one.textContent) === label);
    (same ?? root).focus();
  },
};

const sentence = (text) => text ? text[0].toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? ""
  : ".") : "";
