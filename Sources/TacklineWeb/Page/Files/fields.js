import { element } from "./elements.js";
import { texts } from "./texts.js";

// The field of the editor: one that fits the type of the flag. Its methods are the editor's.
export const fields = {
  field() {
    const { control, isOptional } = this.flag;
    const parts = this.parts;
    if (control.kind === "toggle") {
      return this.segments(isOptional ? ["true", "false", "null"] : ["true", "false"]);
    }
    const hints = [this.flag.rule && `Allowed: ${this.flag.rule}.`];
    const properties = { id: "value", "aria-describedby": "foresight", autocomplete: "off",
      spellcheck: "false", autocapitalize: "off",
      on: { input: () => this.typed(parts.input.value) } };
    let body;
    switch (control.kind) {
      case "integer":
        if (!this.flag.rule) hints.push(range(control));
        parts.input = element("input", { ...properties, type: "text", inputmode: "numeric", class: "mono",
          on: { ...properties.on,
          keydown: (event) => {
            const step = { ArrowUp: 1n, ArrowDown: -1n }[event.key];
            if (step) { event.preventDefault(); this.step(step); }
          } } });
        body = element("div", { class: "stepper" }, parts.input,
          element("button", { type: "button", "aria-label": "One less", on: {
            click: () => this.step(-1n) } }, "−"),
          element("button", { type: "button", "aria-label": "One more", on: {
            click: () => this.step(1n) } }, "+"));
        break;
      case "number":
        parts.input = body = element("input", { ...properties, type: "text", inputmode: "decimal",
          class: "mono" });
        if (control.minimum !== undefined) {
          const slider = parts.slider = element("input", { type: "range", "aria-label": texts.newValue,
            min: control.minimum, max: control.maximum, step: "any", value: this.text,
            disabled: this.isNull, on: { input: () => {
              parts.input.value = String(Number(Number(slider.value).toPrecision(3)));
              this.typed(parts.input.value);
            } } });
          parts.input.addEventListener("input", () => { slider.value = parts.input.value; });
          body = element("div", { class: "slider" }, parts.input, slider);
        }
        break;
      case "choice":
        parts.input = body = element("select", { ...properties }, ...control.options.map((option) =>
          element("option", { value: option.value.input ?? option.label },
            option.label === option.value.input ? option.label
            : `${option.label} (${option.value.text})`)));
        break;
      case "date":
        hints.push("In UTC.");
        parts.input = body = element("input", { ...properties, type: "datetime-local", step: "1",
          on: { input: () =>
          this.typed(parts.input.value ? fullDate(parts.input.value) : "") } });
        break;
      case "json":
        parts.input = body = element("textarea", { ...properties, class: "mono",
          rows: Math.min(14, Math.max(5, this.text.split("\n").length)) });
        break;
      default:
        hints.push({ url: "A URL with a scheme.", uuid: "A UUID.",
          base64: "Bytes in base64." }[control.format] ?? "");
        parts.input = body = control.format === "plain"
          ? element("textarea", { ...properties, rows: Math.min(8, Math.max(1,
            this.text.split("\n").length, Math.ceil(this.text.length / 40))) })
          : element("input", { ...properties, type: "text", class: "mono" });
        if (control.format === "plain") parts.input.addEventListener("keydown", (event) => {
          if (event.key === "Enter" && !event.shiftKey && !parts.input.value.includes("\n")) {
            event.preventDefault(); this.save(); }
        });
    }
    parts.input.value = control.kind === "date" ? this.text.slice(0, 19) : this.text;
    if (control.kind === "choice" && this.isNull) parts.input.selectedIndex = -1;
    parts.input.disabled = this.isNull;
    parts.none = isOptional && element("input", { type: "checkbox", checked: this.isNull, on: {
      change: () => {
      this.isNull = parts.none.checked;
      parts.input.disabled = this.isNull;
      if (parts.slider) parts.slider.disabled = this.isNull;
      if (!this.isNull && control.kind === "choice" && parts.input.selectedIndex < 0) {
        parts.input.selectedIndex = 0; this.text = parts.input.value; }
      this.touch();
      this.look();
    } } });
    const hint = hints.filter(Boolean).join(" ");
    return element("div", { class: "field" }, element("label", { for: "value" }, texts.newValue), body,
      hint && element("span", { class: "hint" }, hint), parts.none && element("label", { class: "check" },
        parts.none, "No value (null)"));
  },

  segments(choices) {
    const chosen = this.isNull ? "null" : this.text;
    const inputs = choices.map((text) => element("input", { type: "radio", name: "value", value: text,
      checked: text === chosen, on: { change: () => {
      this.isNull = text === "null";
      this.typed(this.isNull ? "" : text, true);
    } } }));
    this.parts.input = inputs[0];
    this.parts.inputs = inputs;
    return element("fieldset", { class: "field" }, element("legend", {}, texts.newValue),
      element("div", { class: "segments" }, ...choices.map((text, index) => element("label", {},
        inputs[index], text))));
  },
};

function range({ minimum, maximum }) {
  const digits = (text) => text.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  return maximum.length > 12 ? "" : `${digits(minimum)} to ${digits(maximum)}`;
}

const fullDate = (text) => (text.length === 16 ? `${text}:00` : text) + "Z";
