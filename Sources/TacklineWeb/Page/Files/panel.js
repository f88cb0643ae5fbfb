import { $, announce, button, calendar, copy, element, moment, narrow, picture, plural, replace, sentence, setText, sourceName, time, timeZone }
  from "./elements.js";
import { act, ask, store } from "./store.js";
import { editor } from "./editor.js";
import { list } from "./list.js";

// The panel beside the list: one flag in full, or what changed last.
export const panel = {
  shown: "",
  /** Set by main.js. */
  onOpen: () => {},

  get isOpen() { return document.body.classList.contains("open"); },

  open(id) {
    if (!store.flags.has(id)) return;
    list.opened = id;
    this.enter();
    list.mark(id);
    editor.start(store.flags.get(id));
    $("panel").scrollTop = 0;
    this.onOpen();
  },

  showChanges() {
    list.opened = null;
    this.enter();
    list.mark(list.current);
    this.onOpen();
  },

  // On a narrow screen the panel covers the page, so the page steps back.
  enter() {
    document.body.classList.add("open");
    this.shown = "";
    this.draw();
    if (narrow.matches) $("panel").focus();
  },

  leave() {
    document.body.classList.remove("open");
    list.opened = null;
    list.mark(list.current);
    this.draw();
  },

  close() {
    const id = list.opened;
    this.leave();
    this.onOpen();
    if (id) list.focus(id); else $("show-changes").focus();
  },

  /** Brings the panel up to date without taking away what somebody is typing. */
  draw() {
    const flag = store.flags.get(list.opened);
    if (list.opened && !flag) return this.showChanges();
    const covers = narrow.matches && this.isOpen;
    $("list").inert = document.querySelector("header.top").inert = covers;
    $("show-changes").setAttribute("aria-pressed", String(!flag && (this.isOpen || !narrow.matches)));
    $("panel").setAttribute("aria-label", flag ? "Details of the flag" : "Recent changes");
    // The notice above the page is covered where the panel covers the page.
    setText($("panel-notice"), covers ? store.notice : "");
    if (covers && store.notice) announce(store.notice);
    $("edit").hidden = $("why").hidden = !flag;
    const changes = store.snapshot.recentChanges;
    const state = JSON.stringify([flag, changes, store.isLive, covers]);
    if (state !== this.shown) {
      this.shown = state;
      replace($("panel-top"), flag ? [head(flag), now(flag)] : [element("div", { class: "panel-head" },
        element("div", { class: "heading" }, element("h2", {}, "Recent changes"), covers && closeButton()))]);
      replace($("panel-origin"), flag ? [origin(flag)] : []);
      replace($("panel-rest"), flag ? [facts(flag), history(flag, changes)] : [allChanges(changes)]);
    }
    if (!flag) return;
    if (editor.flag?.id === flag.id) editor.notice(flag);
    why.show(flag);
  },
};

const closeButton = () => button(picture("m5 5 10 10M15 5 5 15"), { class: "quiet icon", "aria-label": "Close" }, () => panel.close());

function head(flag) {
  const { metadata: meta } = flag;
  const badges = [[flag.isExpired, "warn", "expired"], [meta.isLocked, "", "locked"], [meta.isInternal, "", "internal"],
    ...meta.tags.map((tag) => [true, "", tag])];
  const copying = (label, text) => button(label, { class: "link copy" }, (pressed) => copy(text, pressed));
  return element("div", { class: "panel-head" }, element("div", { class: "heading" }, element("h2", {}, flag.name), closeButton()),
    element("p", {}, element("span", { class: "key" }, flag.key), " ", copying("Copy key", flag.key), " ",
      copying("Copy link", `${location.origin}${location.pathname}?${new URLSearchParams({ flag: flag.id })}`)),
    flag.description && element("p", { class: "about" }, flag.description), element("div", { class: "badges" },
      ...badges.filter(([isOn]) => isOn).map(([, kind, text]) => element("span", { class: `badge ${kind}` }, text))));
}

function now(flag) {
  const expires = flag.answers.find((answer) => answer.provider === flag.source.provider)?.expires;
  return element("section", { class: "now", "aria-label": "Value" },
    element("div", { class: "line" }, element("output", { class: flag.value.text.length > 28 ? "long" : "" }, flag.value.text),
      element("span", { class: store.isOverride(flag) ? "badge override" : "badge" }, sourceName(flag.source))),
    element("p", { class: "why" }, sentence(flag.reason)),
    expires && element("p", { class: "why" }, `Expires ${moment(expires)}, ${timeZone}.`));
}

/** The providers' answers from the first asked to the last, between what stands before and behind them. */
function origin(flag) {
  const { kind, provider } = flag.source;
  const lines = [];
  const line = (who, said, wins, more, isBad = false) => lines.push(element("li",
    { class: wins ? "wins" : isBad ? "refused" : "" },
    element("span", { class: "mark", "aria-hidden": "true" }, wins ? "✓" : isBad ? "!" : ""),
    element("span", { class: "who" }, who, wins && element("span", { class: "visually-hidden" }, " (wins)")),
    element("span", { class: said?.text === undefined ? "said none" : "said" }, said?.text ?? said ?? "no value"),
    more && element("span", { class: "more" }, more)));
  if (flag.scoped) line("current task", flag.scoped, kind === "scope");
  if (flag.computed || kind === "computed") line("computed by the flag", flag.computed, kind === "computed");
  // Providers without a value, one after the other, are one line.
  let silent = [];
  const endSilence = () => { if (silent.length > 0) line(silent.join(", ")); silent = []; };
  for (const answer of flag.answers) {
    const more = [answer.variant && `Variant ${answer.variant}.`, sentence(answer.reason),
      answer.refusal && `Refused: ${sentence(answer.refusal)}`, sentence(answer.errorMessage),
      answer.expires && `Until ${moment(answer.expires)}.`].filter(Boolean).join(" ");
    if (answer.outcome === "absent" && !more) { silent.push(answer.provider); continue; }
    endSilence();
    const release = answer.isHeldBack && !store.refusal(flag) && button("Release", { class: "link", disabled: !store.isLive },
      () => act({ release: { flag: flag.id } }));
    line(answer.provider, answer.value ?? (answer.outcome === "excluded" ? "not asked" : undefined),
      kind === "provider" && provider === answer.provider, release ? element("span", {}, more, " ", release) : more,
      answer.outcome === "refused");
  }
  endSilence();
  line("default", flag.defaultValue, kind === "default",
    flag.declaredDefault.text !== flag.defaultValue.text && `The source says ${flag.declaredDefault.text}.`);
  return element("section", { "aria-label": "Where the value comes from" }, element("h3", {}, "Where the value comes from"),
    element("ol", { class: "answers" }, ...lines));
}

function facts(flag) {
  const { ticket, owner, expiryDate } = flag.metadata;
  const all = [
    ["Type", element("code", {}, flag.type)], ["Property", flag.property && element("code", {}, flag.property)],
    ["Variant", flag.variant], ["Owner", owner], ["Expires", expiryDate && calendar.format(new Date(expiryDate))],
    ["Ticket", /^https?:\/\//i.test(ticket ?? "")
      ? element("a", { href: ticket, rel: "noreferrer noopener", target: "_blank" }, ticket) : ticket],
    ["Collection", store.sections.get(flag.section)?.title],
  ];
  return element("section", { "aria-label": "About the flag" }, element("dl", { class: "facts" },
    ...all.filter(([, value]) => value).flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])));
}

function history(flag, changes) {
  const mine = changes.filter((change) => change.flag === flag.id).slice(0, 8);
  return mine.length > 0 && element("section", { "aria-label": "Recent changes of the flag" }, element("h3", {}, "Recent changes"),
    element("ol", { class: "changes" }, ...mine.map((change) => element("li", {}, time(change.time), changeLine(change)))));
}

/** The newest change of each flag, so that one that changes often hides no other. */
function allChanges(changes) {
  const groups = [...Map.groupBy(changes, (change) => change.flag).values()];
  return element("div", {}, groups.length === 0
    ? element("p", { class: "hint" }, "Nothing has changed since the program started. Changes by anyone appear here at once.")
    : element("ol", { class: "changes" }, ...groups.map(([newest, ...older]) => element("li", {}, time(newest.time),
      store.flags.has(newest.flag) ? button(newest.key, { class: "link" }, () => panel.open(newest.flag))
        : element("span", { class: "mono" }, newest.key),
      changeLine(newest),
      older.length > 0 && element("span", { class: "from" }, `and ${plural(older.length, "earlier change")}`)))));
}

function changeLine({ old, new: next, source, author }) {
  return element("span", { class: "from" }, element("span", { class: "mono" }, `${old.text} → ${next.text}`),
    `, from ${sourceName(source)}${author ? `, by ${author}` : ""}`);
}

const percent = (part) => `${(part * 100).toFixed(2)} %`;

// How the rules came to an answer, as a picture.
const why = {
  /** The flag and its answers, whose reasons are shown. */
  shown: "",

  /** Shows the reasons for a flag's value, and asks for them again only if its answers have changed. */
  async show(flag) {
    const state = JSON.stringify([flag.id, flag.answers, flag.value.text]);
    if (this.shown === state) return;
    if (!this.shown.startsWith(`["${flag.id}"`)) $("why").replaceChildren();
    this.shown = state;
    if (!flag.answers.some((answer) => answer.reason)) return $("why").replaceChildren();
    try {
      const { reasons } = await ask("api/why", { flag: flag.id });
      if (this.shown === state) $("why").replaceChildren(...reasons.length === 0 ? [] : [decisions(reasons)]);
    } catch { if (this.shown === state) this.shown = ""; }
  },
};

function decisions(reasons) {
  return element("section", { class: "reasons", "aria-label": "How the rules decided" },
    element("h3", {}, "How the rules decided"), ...reasons.map((one) => reason(one, reasons.length > 1)));
}

function reason({ provider, reasoning: { steps, split, attributes, message } }, isNamed) {
  return element("div", { class: "reason" }, isNamed && element("p", { class: "provider" }, provider),
    element("ol", { class: "steps" }, ...steps.map(step)), split?.shares.length > 0 && bar(split),
    attributes.length > 0 && element("dl", { class: "facts" }, ...attributes.flatMap(({ name, value }) => [
      element("dt", {}, element("code", {}, name)),
      element("dd", { class: value == null ? "none" : "" }, value == null ? "not given" : element("code", {}, value))])),
    message && element("p", { class: "hint" }, message));
}

function step({ text, holds }) {
  const [kind, sign, said] = holds == null ? ["", "·", ""] : holds ? ["yes", "✓", "Yes: "] : ["no", "✗", "No: "];
  return element("li", { class: kind }, element("span", { class: "sign", "aria-hidden": "true" }, sign),
    element("span", {}, element("span", { class: "visually-hidden" }, said), text));
}

function bar({ key, place, shares, chosen }) {
  const isPlaced = chosen != null && place != null;
  const label = isPlaced ? `${key ?? "The subject"} falls at ${percent(place)}, into ${shares[chosen].variant}.`
    : "A split into which nobody falls.";
  const parts = shares.map(({ start, end }, index) => {
    const part = element("span", { class: index === chosen ? "part chosen" : "part", hidden: end === start });
    part.style.flexGrow = String(end - start);
    return part;
  });
  const mark = isPlaced && element("span", { class: "place" });
  if (mark) mark.style.left = `${place * 100}%`;
  const legend = shares.slice(0, 20).map(({ variant, start, end }, index) => element("li", { class: index === chosen ? "chosen" : "" },
    element("span", { class: "swatch", "aria-hidden": "true" }), element("code", {}, variant), ` ${percent(end - start)}`,
    isPlaced && index === chosen && ` — falls here, at ${percent(place)}`));
  return element("div", {}, element("div", { class: "split", role: "img", "aria-label": label },
    element("div", { class: "track" }, ...parts), mark), element("ul", { class: "shares" }, ...legend,
    shares.length > 20 && element("li", {}, `and ${shares.length - 20} more`)));
}
