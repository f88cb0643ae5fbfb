import { $, element, setText, sourceName } from "./elements.js";
import { store } from "./store.js";
import { say, texts } from "./texts.js";

// Search and filters. A word has to be in the name, key, value, description, tags or owner; every word and filter has to hold.
export const fold = (text) => text.normalize("NFKD").replace(/\p{Mn}/gu, "").toLowerCase();

const controlNames = {
  toggle: texts.toggles, integer: texts.integers, number: texts.numbers, text: texts.texts, choice: texts.choices,
  date: texts.dates, json: texts.json,
};

/** What each chip asks of a flag. @type {Record<string, (flag: import("./types.js").Flag) => boolean>} */
const conditions = {
  isPinned: (flag) => flag.isPinned,
  isOverridden: (flag) => flag.isOverridden,
  isChangedFromDefault: (flag) => flag.isChangedFromDefault,
  isExpired: (flag) => flag.isExpired,
  isRefused: (flag) => flag.answers.some((answer) => answer.outcome === "refused"),
};

/** What is searched of each flag, made when it is first needed. */
const searched = new WeakMap();
function textOf(flag) {
  let text = searched.get(flag);
  if (text === undefined) {
    text = fold([flag.name, flag.key, flag.value.text, flag.description, flag.metadata.owner, ...flag.metadata.tags].join(" "));
    searched.set(flag, text);
  }
  return text;
}

const names = new Intl.Collator(undefined, { numeric: true });

export const filter = {
  /** @type {string[]} */
  words: [],
  /** @type {Set<string>} */
  flags: new Set(),
  source: "",
  control: "",
  sort: "",

  get isEmpty() {
    return this.words.length === 0 && this.flags.size === 0 && !this.source && !this.control;
  },

  matches(flag) {
    if (this.words.length > 0) {
      const text = textOf(flag);
      for (const word of this.words) if (!text.includes(word)) return false;
    }
    for (const name of this.flags) if (!conditions[name](flag)) return false;
    if (this.source.startsWith(differs)) {
      if (!differsFrom(flag, this.source.slice(differs.length))) return false;
    } else if (this.source && sourceKey(flag.source) !== this.source) return false;
    return !this.control || flag.control.kind === this.control;
  },

  sorted(ids) {
    const flags = ids.map((id) => store.flags.get(id));
    const last = new Map();
    if (this.sort === "changed") {
      for (const change of store.snapshot.recentChanges) if (!last.has(change.flag)) last.set(change.flag, change.id);
    }
    const orders = {
      name: (one, other) => names.compare(one.name, other.name),
      key: (one, other) => names.compare(one.key, other.key),
      changed: (one, other) => (last.get(other.id) ?? 0) - (last.get(one.id) ?? 0),
    };
    return flags.sort(orders[this.sort] ?? (() => 0)).map((flag) => flag.id);
  },

  // The numbers on the chips, and what can be chosen.
  refresh() {
    const { flags } = store.snapshot;
    for (const chip of document.querySelectorAll("[data-filter]")) {
      const name = chip.dataset.filter;
      const count = flags.reduce((sum, flag) => sum + (conditions[name](flag) ? 1 : 0), 0);
      setText(chip.querySelector(".count"), String(count));
      if (name === "isRefused") chip.hidden = count === 0 && !this.flags.has(name);
    }
    const sources = new Map();
    for (const section of store.snapshot.sections) {
      for (const provider of section.providers) sources.set(`provider:${provider.id}`, say(texts.fromProvider, provider.id));
    }
    for (const flag of flags) {
      const key = sourceKey(flag.source);
      if (!sources.has(key)) sources.set(key, say(texts.fromProvider, sourceName(flag.source)));
    }
    // What is not as a provider says: overrides beside remote values, for example.
    for (const id of [...sources.keys()].filter((key) => key.startsWith("provider:")).map((key) => key.slice(9))) {
      if (flags.some((flag) => differsFrom(flag, id))) sources.set(differs + id, say(texts.differsFromProvider, id));
    }
    if (this.source.startsWith(differs) && !sources.has(this.source)) {
      sources.set(this.source, say(texts.differsFromProvider, this.source.slice(differs.length)));
    }
    this.source = fill($("by-source"), [["", texts.anySource], ...sources], this.source);
    const kinds = new Set(flags.map((flag) => flag.control.kind));
    this.control = fill($("by-control"),
      [["", texts.anyType], ...Object.entries(controlNames).filter(([kind]) => kinds.has(kind))], this.control);
  },

  search(text) {
    this.words = fold(text).split(/\s+/).filter(Boolean);
  },

  clear() {
    this.words = [];
    this.flags.clear();
    this.source = "";
    this.control = "";
    $("search").value = "";
    this.show();
  },

  // Shows what is chosen.
  show() {
    for (const chip of document.querySelectorAll("[data-filter]")) {
      chip.setAttribute("aria-pressed", String(this.flags.has(chip.dataset.filter)));
    }
    $("by-source").value = this.source;
    $("by-control").value = this.control;
    $("sort").value = this.sort;
    $("by-source").classList.toggle("set", Boolean(this.source));
    $("by-control").classList.toggle("set", Boolean(this.control));
    $("sort").classList.toggle("set", Boolean(this.sort));
  },
};

const differs = "differs:";

/** Whether a provider has a value for a flag, and the flag another one. @param {import("./types.js").Flag} flag */
const differsFrom = (flag, provider) => flag.answers.some((answer) => answer.provider === provider && answer.value
  && answer.value.text !== flag.value.text);

const sourceKey = (source) => source.kind === "provider" ? `provider:${source.provider}` : source.kind;

function fill(select, options, chosen) {
  const text = JSON.stringify(options);
  if (select.dataset.options !== text) {
    select.dataset.options = text;
    select.replaceChildren(...options.map(([value, label]) => element("option", { value }, label)));
  }
  select.value = options.some(([value]) => value === chosen) ? chosen : "";
  return select.value;
}
