import { element } from "./elements.js";
import { connection } from "./connection.js";

/**
 * @typedef {{ text: string, holds?: boolean }} Step
 * @typedef {{ variant: string, start: number, end: number }} Share
 * @typedef {{ key?: string, place?: number, shares: Share[], chosen?: number }} Split
 * @typedef {{ steps: Step[], attributes: { name: string, value?: string }[], split?: Split, variant?: string, value?: string,
 *   reason: string, message?: string }} Reasoning
 * @typedef {{ provider: string, reasoning: Reasoning }} Reason
 */

const percent = (part) => `${(part * 100).toFixed(2)} %`;

// How the rules came to an answer: the way through them as a picture, and what they would give somebody else.
export const why = {
  flag: null,
  /** @type {Reason[]} */
  reasons: [],
  /** What was typed of somebody else, kept while the flag is open. */
  asked: [],
  /** @type {Reason[] | null} */
  elsewhere: null,
  failure: "",
  isOpen: false,
  shown: "",

  /** The section for a flag; nothing where no rules are concerned. Calls back when it has something else to show. */
  section(flag, redraw) {
    if (this.flag !== flag.id) {
      Object.assign(this, { flag: flag.id, reasons: [], asked: [], elsewhere: null, failure: "", isOpen: false, shown: "" });
    }
    const hasRules = flag.answers.some((answer) => answer.reason);
    const state = JSON.stringify([flag.answers, flag.value.text]);
    if (hasRules && this.shown !== state) {
      this.shown = state;
      this.load(flag, redraw);
    }
    if (!hasRules || this.reasons.length === 0) return null;
    return element("section", { class: "reasons", "aria-label": "How the rules decided" },
      element("h3", {}, "How the rules decided"),
      ...this.reasons.map((reason) => this.reason(reason, this.reasons.length > 1)),
      this.question(flag, redraw));
  },

  async load(flag, redraw) {
    try {
      const { reasons } = await connection.ask("api/why", { flag: flag.id });
      if (this.flag !== flag.id) return;
      this.reasons = reasons;
      redraw();
    } catch { /* The answers stand without their reasons. */ }
  },

  reason({ provider, reasoning }, isNamed) {
    return element("div", { class: "reason" },
      isNamed && element("p", { class: "provider" }, provider),
      element("ol", { class: "steps" }, ...reasoning.steps.map((step) => this.step(step))),
      reasoning.split?.shares.length && this.bar(reasoning.split),
      reasoning.attributes.length > 0 && element("dl", { class: "facts" },
        ...reasoning.attributes.flatMap(({ name, value }) => [element("dt", {}, element("code", {}, name)),
          element("dd", { class: value === undefined ? "none" : "" }, value === undefined ? "not given"
            : element("code", {}, value))])),
      reasoning.message && element("p", { class: "hint" }, reasoning.message));
  },

  step({ text, holds }) {
    const sign = holds === undefined ? "·" : holds ? "✓" : "✗";
    const said = holds === undefined ? "" : holds ? "Yes: " : "No: ";
    return element("li", { class: holds === undefined ? "" : holds ? "yes" : "no" },
      element("span", { class: "sign", "aria-hidden": "true" }, sign),
      element("span", {}, said && element("span", { class: "visually-hidden" }, said), text));
  },

  /** @param {Split} split */
  bar(split) {
    const parts = split.shares.map((share, index) => {
      const part = element("span", { class: index === split.chosen ? "part chosen" : "part" });
      part.style.flexGrow = String(share.end - share.start);
      if (share.end === share.start) part.hidden = true;
      return part;
    });
    const track = element("div", { class: "track" }, ...parts);
    const bar = element("div", { class: "split", role: "img", "aria-label": this.sentence(split) }, track);
    if (split.place !== undefined) {
      const mark = element("span", { class: "place" });
      mark.style.left = `${split.place * 100}%`;
      bar.append(mark);
    }
    const legend = split.shares.slice(0, 20).map((share, index) => element("li",
      { class: index === split.chosen ? "chosen" : "" },
      element("span", { class: "swatch", "aria-hidden": "true" }),
      element("code", {}, share.variant), ` ${percent(share.end - share.start)}`,
      index === split.chosen && split.place !== undefined && ` — falls here, at ${percent(split.place)}`));
    if (split.shares.length > 20) legend.push(element("li", {}, `and ${split.shares.length - 20} more`));
    return element("div", {}, bar, element("ul", { class: "shares" }, ...legend));
  },

  sentence(split) {
    if (split.chosen === undefined || split.place === undefined) return "A split into which nobody falls.";
    return `${split.key ?? "The subject"} falls at ${percent(split.place)}, into ${split.shares[split.chosen].variant}.`;
  },

  // What would be for somebody else: fields for what the rules looked at, and one more.
  question(flag, redraw) {
    const seen = this.reasons.flatMap(({ reasoning }) => reasoning.attributes);
    const first = seen.find(({ name }) => name === "targetingKey") ?? { name: "targetingKey", value: undefined };
    for (const { name, value } of [first, ...seen]) {
      if (!this.asked.some((one) => one.name === name)) this.asked.push({ name, value: plainText(value), isFixed: true });
    }
    if (!this.asked.some((one) => !one.isFixed && !one.name)) this.asked.push({ name: "", value: "", isFixed: false });
    const rows = this.asked.map((one, index) => this.row(one, index));
    const details = element("details", { class: "elsewhere", on: {
      toggle: (event) => { this.isOpen = event.target.open; } } },
      element("summary", {}, "What if it were somebody else?"),
      element("form", { on: { submit: (event) => { event.preventDefault(); this.ask(flag, redraw); } } },
        ...rows, element("button", { type: "submit", disabled: !connection.isLive }, "Ask")),
      element("div", { "aria-live": "polite" },
        this.failure && element("p", { class: "hint" }, this.failure),
        ...(this.elsewhere ?? []).map((reason) => element("div", {},
          element("p", { class: "would" }, "They would get ", element("code", {}, reason.reasoning.value
            ?? "no value of these rules"), reason.reasoning.variant && `, variant ${reason.reasoning.variant}`, "."),
          this.reason(reason, this.elsewhere.length > 1)))));
    details.open = this.isOpen;
    return details;
  },

  row(one, index) {
    const id = `why-${index}`;
    const value = element("input", { id, type: "text", value: one.value, autocomplete: "off", spellcheck: "false",
      "aria-label": one.isFixed ? one.name : "Value of the attribute",
      on: { input: (event) => { one.value = event.target.value; } } });
    const name = one.isFixed ? element("label", { for: id }, element("code", {}, one.name))
      : element("input", { id: `${id}-name`, type: "text", value: one.name, placeholder: "another attribute", autocomplete: "off",
        spellcheck: "false", "aria-label": "Name of the attribute",
        on: { input: (event) => { one.name = event.target.value; } } });
    return element("div", { class: "asking" }, name, value);
  },

  async ask(flag, redraw) {
    const attributes = {};
    for (const { name, value } of this.asked) if (name.trim() && value !== "") attributes[name.trim()] = value;
    try {
      const { reasons } = await connection.ask("api/why", { flag: flag.id, attributes });
      if (this.flag !== flag.id) return;
      this.elsewhere = reasons;
      this.failure = "";
    } catch (error) {
      if (this.flag !== flag.id) return;
      this.failure = error.message;
    }
    redraw();
  },
};

// A value as people type it: a text without its quotes.
function plainText(value) {
  if (value === undefined) return "";
  try {
    const read = JSON.parse(value);
    return typeof read === "string" ? read : value;
  } catch { return value; }
}
