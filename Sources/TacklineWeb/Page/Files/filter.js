import { $, element, setText, sourceName } from "./elements.js";
import { say, texts } from "./texts.js";

const controlNames = {
  toggle: texts.toggles, integer: texts.integers, number: texts.numbers, text: texts.texts, choice: texts.choices,
  date: texts.dates, json: texts.json,
};

const orders = { "": "declared", name: "name", key: "key", changed: "lastChange" };

const differs = "differs:";
const provider = "provider:";

// What is searched for and chosen. The program knows which flags match; here are the fields.
export const filter = {
  text: "",
  /** The names of the chips that are pressed. @type {Set<string>} */
  flags: new Set(),
  /** `provider:` or `differs:` and the id of a provider, or another kind of source; empty for any. */
  source: "",
  control: "",
  sort: "",

  get isEmpty() {
    return !this.text.trim() && this.flags.size === 0 && !this.source && !this.control;
  },

  /** What the program is asked for. */
  get query() {
    const query = { text: this.text.toWellFormed(), order: orders[this.sort] };
    for (const name of this.flags) query[name] = true;
    if (this.source.startsWith(differs)) query.differsFrom = [this.source.slice(differs.length)];
    else if (this.source.startsWith(provider)) {
      query.sources = [{ kind: "provider", provider: this.source.slice(provider.length) }];
    } else if (this.source) query.sources = [{ kind: this.source }];
    if (this.control) query.controls = [this.control];
    return query;
  },

  // Shows the numbers on the chips, and what can be chosen.
  refresh(facets) {
    for (const chip of document.querySelectorAll("[data-filter]")) {
      const name = chip.dataset.filter;
      const count = facets.find((one) => one.kind === name)?.flags ?? 0;
      setText(chip.querySelector(".count"), String(count));
      if (name === "isRefused") chip.hidden = count === 0 && !this.flags.has(name);
    }
    const options = (kind, option) => facets.filter((one) => one.kind === kind).map(option);
    const sources = [
      ["", texts.anySource],
      ...options("source", ({ source }) => [source.provider === undefined ? source.kind : provider + source.provider,
        say(texts.fromProvider, sourceName(source))]),
      ...options("differs", (one) => [differs + one.provider, say(texts.differsFromProvider, one.provider)]),
    ];
    const controls = [["", texts.anyType], ...options("control", ({ control }) => [control, controlNames[control]])];
    // What is chosen stays a choice also where no flag has it any more.
    if (!sources.some(([value]) => value === this.source)) {
      const name = this.source.slice(this.source.indexOf(":") + 1);
      sources.push([this.source, say(this.source.startsWith(differs) ? texts.differsFromProvider : texts.fromProvider, name)]);
    }
    if (!controls.some(([value]) => value === this.control)) {
      controls.push([this.control, controlNames[this.control] ?? this.control]);
    }
    fill($("by-source"), sources);
    fill($("by-control"), controls);
    this.show();
  },

  // Takes over a source and a type from an address, unless there is no such kind.
  choose(source, control) {
    const isProvider = source.startsWith(provider) || source.startsWith(differs);
    this.source = isProvider || ["scope", "computed", "default"].includes(source) ? source : "";
    this.control = Object.hasOwn(controlNames, control) ? control : "";
  },

  clear() {
    this.text = "";
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

function fill(select, options) {
  const text = JSON.stringify(options);
  if (select.dataset.options === text) return;
  select.dataset.options = text;
  select.replaceChildren(...options.map(([value, label]) => element("option", { value }, label)));
}
