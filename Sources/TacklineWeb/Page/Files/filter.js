import { $, element, setText, plural, sourceName } from "./elements.js";
import { store } from "./store.js";
import { connection } from "./connection.js";
import { list } from "./list.js";

// Search and filters. A word has to stand in the name, key, description, tags or owner; every word and
// filter has to hold.
export const fold = (text) => text.normalize("NFKD").replace(/\p{Mn}/gu, "").toLowerCase();

const controlNames = {
  toggle: "Switches", integer: "Integers", number: "Numbers", text: "Texts", choice: "Choices",
    date: "Dates", json: "JSON",
};

export const filter = {
  words: [],
  flags: new Set(),
  source: "",
  control: "",

  get isEmpty() { return this.words.length === 0 && this.flags.size === 0 && !this.source
    && !this.control; },

  matches(flag, text) {
    for (const word of this.words) if (!text.includes(word)) return false;
    for (const name of this.flags) if (!flag[name]) return false;
    if (this.source && sourceKey(flag.source) !== this.source) return false;
    return !this.control || flag.control.kind === this.control;
  },

  apply() {
    let shown = 0;
    for (const block of list.blocks) {
      let count = 0;
      let overridden = 0;
      for (const id of block.ids) {
        const row = list.rows.get(id);
        const flag = store.flags.get(id);
        const isShown = this.matches(flag, row.text);
        if (row.root.hidden === isShown) row.root.hidden = !isShown;
        if (isShown) count += 1;
        if (flag.isOverridden && !flag.refusal) overridden += 1;
      }
      shown += count;
      block.shown = count;
      block.overridden = overridden;
      block.items.hidden = count === 0;
      setText(block.tally, count === block.ids.length ? String(count)
        : `${count} of ${block.ids.length}`);
      if (!block.section) block.root.hidden = count === 0;
    }
    // A section stands while anything in it does.
    let top = null;
    for (const block of list.blocks) {
      if (block.section) { top = block; top.total = 0; top.resettable = 0; }
      top.total += block.shown;
      top.resettable += block.overridden;
    }
    for (const block of list.blocks) {
      if (block.section) block.root.hidden = block.total === 0 && !this.isEmpty;
      block.reset.hidden = (block.section ? block.resettable : block.overridden) === 0;
      block.reset.disabled = !connection.isLive;
    }
    const total = list.order.length;
    setText($("tally"), this.isEmpty ? plural(total, "flag") : `${plural(shown, "flag")} of ${total}`);
    $("nothing").hidden = shown > 0 || this.isEmpty;
    $("clear").hidden = this.isEmpty;
    if (list.rows.get(list.current)?.root.hidden) {
      list.current = list.order.find((id) => !list.rows.get(id).root.hidden) ?? list.current;
      list.mark();
    }
  },

  // The numbers on the chips, and what can be chosen.
  refresh() {
    const flags = store.snapshot.flags;
    for (const chip of document.querySelectorAll("[data-filter]")) {
      setText(chip.querySelector(".count"),
        String(flags.filter((flag) => flag[chip.dataset.filter]).length));
    }
    const sources = new Map();
    for (const section of store.snapshot.sections) {
      for (const provider of section.providers) sources.set(`provider:${provider.id}`,
        `From ${provider.id}`);
    }
    for (const flag of flags) {
      const key = sourceKey(flag.source);
      if (!sources.has(key)) sources.set(key, flag.source.kind === "default" ? "From default"
        : `From ${sourceName(flag.source)}`);
    }
    this.source = fill($("by-source"), [["", "Any source"], ...sources], this.source);
    const kinds = new Set(flags.map((flag) => flag.control.kind));
    this.control = fill($("by-control"), [["", "Any type"],
      ...Object.entries(controlNames).filter(([kind]) => kinds.has(kind))], this.control);
  },

  clear() {
    this.words = [];
    this.flags.clear();
    this.source = "";
    this.control = "";
    $("search").value = "";
    $("by-source").value = "";
    $("by-control").value = "";
    this.showChips();
    this.apply();
  },

  showChips() {
    for (const chip of document.querySelectorAll("[data-filter]")) {
      chip.setAttribute("aria-pressed", this.flags.has(chip.dataset.filter));
    }
    $("by-source").classList.toggle("set", Boolean(this.source));
    $("by-control").classList.toggle("set", Boolean(this.control));
  },
};

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
