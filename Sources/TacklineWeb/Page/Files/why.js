import { $, element } from "./elements.js";
import { ask } from "./store.js";

const percent = (part) => `${(part * 100).toFixed(2)} %`;

// How the rules came to an answer, as a picture.
export const why = {
  /** The flag and its answers, whose reasons are shown. */
  shown: "",

  /** Shows the reasons for a flag's value, and asks for them again only if its answers have changed. */
  async show(flag) {
    const state = JSON.stringify([flag.id, flag.answers, flag.value.text]);
    if (this.shown === state) return;
    if (!this.shown.startsWith(`["${flag.id}"`)) $("why").replaceChildren();
    this.shown = state;
    if (!flag.answers.some((answer) => answer.reason)) return;
    try {
      const { reasons } = await ask("api/why", { flag: flag.id });
      if (this.shown === state) $("why").replaceChildren(...reasons.length === 0 ? [] : [section(reasons)]);
    } catch { /* The answers stand without their reasons. */ }
  },
};

function section(reasons) {
  return element("section", { class: "reasons", "aria-label": "How the rules decided" },
    element("h3", {}, "How the rules decided"), ...reasons.map((one) => reason(one, reasons.length > 1)));
}

function reason({ provider, reasoning: { steps, split, attributes, message } }, isNamed) {
  return element("div", { class: "reason" }, isNamed && element("p", { class: "provider" }, provider),
    element("ol", { class: "steps" }, ...steps.map(step)), split?.shares.length > 0 && bar(split),
    attributes.length > 0 && element("dl", { class: "facts" }, ...attributes.flatMap(({ name, value }) => [
      element("dt", {}, element("code", {}, name)),
      element("dd", { class: value === undefined ? "none" : "" }, value === undefined ? "not given" : element("code", {}, value))])),
    message && element("p", { class: "hint" }, message));
}

function step({ text, holds }) {
  const [kind, sign, said] = holds === undefined ? ["", "·", ""] : holds ? ["yes", "✓", "Yes: "] : ["no", "✗", "No: "];
  return element("li", { class: kind }, element("span", { class: "sign", "aria-hidden": "true" }, sign),
    element("span", {}, element("span", { class: "visually-hidden" }, said), text));
}

function bar({ key, place, shares, chosen }) {
  const isPlaced = chosen !== undefined && place !== undefined;
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
