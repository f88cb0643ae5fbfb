import { $, calendar, clock, element, moment, narrow, picture, pictures, plural, sourceName, timeZone } from "./elements.js";
import { nameOf, store } from "./store.js";
import { emit } from "./signals.js";
import { connection } from "./connection.js";
import { linkTo } from "./links.js";
import { copy } from "./messages.js";
import { act } from "./commands.js";
import { editor } from "./editor.js";
import { list } from "./list.js";
import { why } from "./why.js";
import { texts } from "./texts.js";

/** @typedef {import("./types.js").Flag} Flag */

// The panel beside the list: one flag in full, or what changed last.
export const panel = {
  view: "changes",
  /** The id of the flag that is about to be shown. @type {string | null} */
  opening: null,

  /** The id of the flag. @type {string | null} */
  get flag() { return list.opened; },
  set flag(id) { list.opened = id; },

  /** What the page says above everything, such as that the connection is lost. */
  notice: "",
  /** The flags whose changes are listed one by one. */
  unfolded: new Set(),

  get isOpen() { return document.body.classList.contains("open"); },

  // Shows a flag.
  async open(id) {
    this.opening = id;
    if (!store.flags.has(id)) await list.load([id]);
    // Another one may have been opened meanwhile.
    if (this.opening !== id || !store.flags.has(id)) return;
    this.view = "flag";
    this.flag = id;
    list.current = id;
    list.draw();
    this.enter();
    const flag = store.flags.get(id);
    editor.start(flag);
    this.draw();
    $("panel").scrollTop = 0;
    emit("opened");
    await this.complete(flag);
  },

  // Requests the values that the snapshot shortens, so that the fields to edit are not empty.
  async complete(flag) {
    const values = [flag.value, flag.defaultValue, ...flag.answers.map((answer) => answer.value)];
    if (!values.some((one) => one && one.input === undefined)) return;
    try {
      const full = await connection.ask(`api/flag?id=${encodeURIComponent(flag.id)}`);
      const now = store.flags.get(flag.id);
      if (this.flag !== flag.id || !now) return;
      // A list brings the same flag again.
      if (JSON.stringify(now) !== JSON.stringify(flag)) return this.complete(now);
      editor.notice(full);
      this.drawFlag(full);
    } catch { /* The short values stay. */ }
  },

  showChanges() {
    this.opening = null;
    this.view = "changes";
    this.flag = null;
    list.mark();
    this.enter();
    this.draw();
    emit("opened");
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
    $("show-changes").setAttribute("aria-pressed", String(changesShown));
  },

  // Shows the changes again, without a word about where the focus goes.
  leave() {
    document.body.classList.remove("open");
    this.opening = null;
    this.view = "changes";
    this.flag = null;
    list.mark();
    this.fit();
    this.draw();
  },

  close() {
    const id = this.flag;
    this.leave();
    emit("opened");
    if (id) list.focus(id); else $("show-changes").focus();
  },

  draw(flag = store.flags.get(this.flag)) {
    $("panel").setAttribute("aria-label", this.view === "flag" ? "Details of the flag" : texts.recentChanges);
    if (this.view === "flag" && flag) this.drawFlag(flag); else this.drawChanges();
  },

  // Brings the open panel up to date without taking away what somebody is typing.
  refresh(changed) {
    if (this.view === "changes") return this.drawChanges();
    const flag = store.flags.get(this.flag);
    if (!store.known.has(this.flag)) return this.showChanges();
    if (!flag) return;
    if (!changed || changed.includes(this.flag)) {
      editor.notice(flag);
      this.drawFlag(flag);
      this.complete(flag);
    }
  },

  drawChanges() {
    const changes = store.snapshot.recentChanges;
    const byFlag = Map.groupBy(changes, (change) => change.flag);
    const body = changes.length === 0
      ? element("p", { class: "hint" },
        texts.noChanges)
      : element("ol", { class: "changes" }, ...[...byFlag.values()].map((group) => this.changeGroup(group)));
    this.place([
      element("div", { class: "panel-head" }, element("div", { class: "heading" },
        element("h2", {}, texts.recentChanges), narrow.matches && this.closeButton())),
      element("div", {}, body),
    ]);
  },

  // The changes of one flag: the newest, and the others when asked, so that a flag that changes often hides no other.
  changeGroup(group) {
    const [newest, ...older] = group;
    const isUnfolded = this.unfolded.has(newest.flag);
    const more = older.length > 0 && element("button", { type: "button", class: "link more",
      "aria-expanded": String(isUnfolded), on: { click: () => {
        if (!this.unfolded.delete(newest.flag)) this.unfolded.add(newest.flag);
        this.drawChanges();
      } } }, isUnfolded ? "Show the newest only" : `and ${plural(older.length, "earlier change")}`,
      element("span", { class: "visually-hidden" }, ` of ${newest.key}`));
    return element("li", {},
      element("time", { datetime: newest.time }, clock.format(new Date(newest.time))),
      store.known.has(newest.flag)
        ? element("button", { type: "button", class: "link", on: { click: () => this.open(newest.flag) } }, newest.key)
        : element("span", { class: "mono" }, newest.key),
      this.changeLine(newest), more && element("span", { class: "from" }, more),
      isUnfolded && element("ol", { class: "from earlier" }, ...older.map((change) => element("li", {},
        element("time", { datetime: change.time }, clock.format(new Date(change.time))), " ", this.changeLine(change)))));
  },

  changeLine(change) {
    const by = change.author ? `, by ${nameOf(change.author)}` : "";
    return element("span", { class: "from" },
      element("span", { class: "mono" }, `${change.old.text} → ${change.new.text}`),
      `, from ${sourceName(change.source)}${by}`);
  },

  closeButton() {
    return element("button", { type: "button", class: "quiet icon", "aria-label": "Close",
      on: { click: () => this.close() } }, picture(pictures.close));
  },

  /** @param {Flag} flag */
  drawFlag(flag) {
    const isOverride = store.isOverrideLayer(flag);
    const pin = element("button", {
      type: "button", class: "quiet icon", "aria-pressed": String(flag.isPinned), "aria-label": texts.pin,
      title: flag.isPinned ? texts.unpin : texts.pin,
      disabled: !connection.isLive || Boolean(store.snapshot.readOnlyReason),
      on: { click: () => act({ command: "pin", flag: flag.id, isPinned: !flag.isPinned }, { quiet: true }) },
    }, picture(pictures.pin));
    const copying = (label, text) => {
      const button = element("button", { type: "button", class: "link copy",
        on: { click: () => copy(text, button) } }, label);
      return button;
    };
    const meta = flag.metadata;
    const badges = element("div", { class: "badges" },
      flag.isExpired && element("span", { class: "badge warn" }, texts.isExpired),
      meta.isLocked && element("span", { class: "badge" }, texts.isLocked),
      meta.isInternal && element("span", { class: "badge" }, texts.isInternal),
      ...meta.tags.map((tag) => element("span", { class: "badge" }, tag)));
    const history = store.snapshot.recentChanges.filter((change) => change.flag === flag.id).slice(0, 8);
    const edit = store.lastEdit(flag.id);
    const winner = flag.answers.find((answer) => flag.source.kind === "provider"
      && answer.provider === flag.source.provider);
    this.place([
      element("div", { class: "panel-head" },
        element("div", { class: "heading" }, element("h2", {}, flag.name), pin, this.closeButton()),
        element("p", {}, element("span", { class: "key" }, flag.key), " ", copying("Copy key", flag.key), " ",
          copying("Copy link", linkTo(flag.id))),
        flag.description && element("p", { class: "about" }, flag.description), badges),
      element("section", { class: "now", "aria-label": texts.value },
        element("div", { class: "line" }, element("output",
          { class: flag.value.text.length > 28 ? "long" : "" }, flag.value.text),
          element("span", { class: isOverride ? "badge override" : "badge" }, sourceName(flag.source))),
        element("p", { class: "why" }, sentence(flag.reason)),
        winner?.expires && element("p", { class: "why" }, `Expires ${moment(winner.expires)}, ${timeZone}.`),
        edit && element("p", { class: "why" }, `Last edited by ${nameOf(edit.author)} at `,
          element("time", { datetime: edit.time }, clock.format(new Date(edit.time))), ".")),
      element("section", { "aria-label": texts.origin }, element("h3", {}, texts.origin), this.answers(flag)),
      editor.form(flag),
      why.section(flag, () => { if (this.flag === flag.id && this.view === "flag") this.drawFlag(flag); }),
      element("section", { "aria-label": texts.about }, this.facts(flag)),
      history.length > 0 && element("section", { "aria-label": "Recent changes of the flag" },
        element("h3", {}, texts.recentChanges), element("ol", { class: "changes" }, ...history.map((change) =>
          element("li", {}, element("time", { datetime: change.time }, clock.format(new Date(change.time))),
            this.changeLine(change))))),
    ]);
  },

  // The provider's answers from the first asked to the last, with what stands before and behind them.
  answers(flag) {
    const lines = [];
    const line = (who, said, isWinner, more, isBad = false) => lines.push(element("li",
      { class: [isWinner && "wins", isBad && "refused"].filter(Boolean).join(" ") },
      element("span", { class: "mark", "aria-hidden": "true" }, isWinner ? "✓" : isBad ? "!" : ""),
      element("span", { class: "who" }, who, isWinner && element("span", { class: "visually-hidden" }, " (wins)")),
      element("span", { class: said.value ? "said" : "said none" }, said.value?.text ?? said.none),
      more && element("span", { class: "more" }, more)));
    if (flag.scoped) line(texts.currentTask, { value: flag.scoped }, flag.source.kind === "scope");
    if (flag.computed || flag.source.kind === "computed") {
      line("computed by the flag", { value: flag.computed }, flag.source.kind === "computed");
    }
    // Providers without a value, one after the other, are one line.
    let silent = [];
    const lineOfSilent = () => {
      if (silent.length > 0) line(silent.join(", "), { none: texts.noValue }, false);
      silent = [];
    };
    for (const answer of flag.answers) {
      const wins = flag.source.kind === "provider" && flag.source.provider === answer.provider;
      const more = [answer.variant && `Variant ${answer.variant}.`, answer.reason && sentence(answer.reason),
        answer.refusal && `Refused: ${sentence(answer.refusal)}`, answer.expires && `Until ${moment(answer.expires)}.`]
        .filter(Boolean).join(" ");
      if (answer.outcome === "absent" && !more) { silent.push(answer.provider); continue; }
      lineOfSilent();
      const none = answer.outcome === "excluded" ? texts.notAsked : texts.noValue;
      const release = answer.isHeldBack && !flag.refusal && element("button", { type: "button", class: "link",
        disabled: !connection.isLive, on: { click: () => act({ command: "release", flag: flag.id }) } }, texts.release);
      line(answer.provider, answer.value ? { value: answer.value } : { none }, wins,
        release ? element("span", {}, more, " ", release) : more, answer.outcome === "refused");
    }
    lineOfSilent();
    line(texts.byDefault, { value: flag.defaultValue }, flag.source.kind === "default",
      flag.declaredDefault.text !== flag.defaultValue.text && `The source says ${flag.declaredDefault.text}.`);
    return element("ol", { class: "answers" }, ...lines);
  },

  facts(flag) {
    const meta = flag.metadata;
    const ticket = meta.ticket && (/^https?:\/\//i.test(meta.ticket)
      ? element("a", { href: meta.ticket, rel: "noreferrer noopener", target: "_blank" }, meta.ticket) : meta.ticket);
    const expiry = meta.expiryDate && calendar.format(new Date(meta.expiryDate));
    const facts = [
      [texts.type, element("code", {}, flag.type)], [texts.property, flag.property && element("code", {}, flag.property)],
      [texts.variant, flag.variant], [texts.owner, meta.owner], [texts.expires, expiry], [texts.ticket, ticket],
      [texts.collection, store.sections.get(flag.section)?.title],
    ].filter(([, value]) => value);
    return element("dl", { class: "facts" },
      ...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
  },

  // Replaces what the panel shows, and gives the focus back to the element that had it.
  place(children) {
    const root = $("panel");
    const focused = root.contains(document.activeElement) ? document.activeElement : null;
    const label = focused && focused !== root && (focused.id || focused.getAttribute("aria-label")
      || focused.textContent);
    const top = root.scrollTop;
    // The page's own notice is covered where the panel covers the page.
    const notice = narrow.matches && this.notice && element("p", { class: "notice" }, this.notice);
    root.replaceChildren(...[notice, ...children].filter(Boolean));
    root.scrollTop = top;
    if (!focused || focused === root) return;
    if (root.contains(focused)) return focused.focus({ preventScroll: true });
    const same = [...root.querySelectorAll("button, input, select, textarea")]
      .find((one) => (one.id || one.getAttribute("aria-label") || one.textContent) === label);
    (same ?? root).focus({ preventScroll: true });
  },
};

const sentence = (text) => text ? text[0].toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? "" : ".") : "";
