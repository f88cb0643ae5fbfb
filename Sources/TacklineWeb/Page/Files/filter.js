import { $, element, setText, sourceName } from "./elements.js";

// What is searched for and chosen. It is in the address, so that a reload and a link keep it.

const chips = {
  overridden: (flag) => flag.isOverridden,
  changed: (flag) => flag.isChangedFromDefault,
  expired: (flag) => flag.isExpired,
  refused: (flag) => flag.answers.some((answer) => answer.outcome === "refused"),
};
const controlNames = {
  toggle: "Switches", integer: "Whole numbers", number: "Numbers", text: "Texts", choice: "Choices", date: "Dates", json: "JSON",
};

const searchedTexts = new WeakMap();

/** A text without case and accents. */
const folded = (text) => text.normalize("NFD").replace(/\p{Mn}/gu, "").toLowerCase();

export const filter = {
  text: "",
  /** The names of the chips that are pressed. */
  only: new Set(),
  source: "",
  control: "",

  get isEmpty() { return !this.text.trim() && this.only.size === 0 && !this.source && !this.control; },

  /** A function that says whether a flag matches. */
  get matches() {
    const words = folded(this.text).split(/\s+/).filter(Boolean);
    const tests = [...this.only].map((name) => chips[name]);
    if (this.source) tests.push((flag) => sourceName(flag.source) === this.source);
    if (this.control) tests.push((flag) => flag.control.kind === this.control);
    if (words.length > 0) {
      tests.push((flag) => {
        const { name, key, property, description, value, metadata } = flag;
        const all = [name, key, property, description, value.input ?? value.text, metadata.owner, ...metadata.tags];
        if (!searchedTexts.has(flag)) searchedTexts.set(flag, folded(all.join("\n")));
        return words.every((word) => searchedTexts.get(flag).includes(word));
      });
    }
    return (flag) => tests.every((test) => test(flag));
  },

  /** Shows what can be chosen of some flags, and what is. */
  show(flags) {
    for (const chip of document.querySelectorAll("[data-filter]")) {
      const name = chip.dataset.filter;
      const count = flags.filter(chips[name]).length;
      setText(chip.querySelector(".count"), String(count));
      chip.setAttribute("aria-pressed", String(this.only.has(name)));
      if (name === "refused") chip.hidden = count === 0 && !this.only.has(name);
    }
    const sources = new Set(flags.map((flag) => sourceName(flag.source))).add(this.source);
    const controls = new Set(flags.map((flag) => flag.control.kind)).add(this.control);
    choose($("by-source"), "Any source", sources, (source) => `From ${source}`, this.source);
    choose($("by-control"), "Any type", controls, (kind) => controlNames[kind] ?? kind, this.control);
    $("clear").hidden = this.isEmpty;
  },

  clear() {
    Object.assign(this, { text: "", source: "", control: "" });
    this.only.clear();
    $("search").value = "";
  },

  read(query) {
    this.text = $("search").value = query.get("q") ?? "";
    this.only = new Set((query.get("only") ?? "").split(",").filter((name) => Object.hasOwn(chips, name)));
    this.source = query.get("source") ?? "";
    this.control = query.get("type") ?? "";
  },

  write(query) {
    const members = { q: this.text.trim(), only: [...this.only].join(), source: this.source, type: this.control };
    for (const [name, value] of Object.entries(members)) if (value) query.set(name, value);
  },
};

function choose(select, any, values, label, chosen) {
  const options = [["", any], ...[...values].filter(Boolean).map((value) => [value, label(value)])];
  const text = JSON.stringify(options);
  if (select.dataset.options !== text) {
    select.dataset.options = text;
    select.replaceChildren(...options.map(([value, name]) => element("option", { value }, name)));
  }
  select.value = chosen;
  select.classList.toggle("set", Boolean(chosen));
}
