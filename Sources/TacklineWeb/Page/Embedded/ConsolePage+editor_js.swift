// Made by Tests/Browser/embed from Page/Files/editor.js.
// swift-format-ignore-file
#if Web
extension ConsolePage {
static let editor_js = ##"""
import { $, element, setText } from "./elements.js";
import { store } from "./store.js";
import { connection } from "./connection.js";
import { panel } from "./panel.js";
import { act } from "./page.js";

// Edits one flag: a field that fits its type, what the edit would do, and then the edit.
export const editor = {
  flag: null,
  text: "",
  isNull: false,
  isTouched: false,
  destination: "",
  preferred: "",
  foresight: null,
  error: null,
  parts: {},
  asked: 0,
  timer: 0,

  start(flag) {
    this.flag = flag;
    this.isTouched = false;
    this.foresight = null;
    this.error = null;
    this.root = null;
    this.takeValue();
    const writable = this.destinations();
    this.destination = writable.includes(this.preferred) ? this.preferred
      : store.sections.get(flag.section)?.defaultDestination ?? writable[0] ?? "";
  },

  takeValue() {
    this.isNull = this.flag.value.kind === "null";
    this.text = this.isNull ? "" : this.flag.value.input ?? "";
  },

  // Somebody else changed the flag. What is being typed stays.
  notice(flag) {
    const wasRefused = Boolean(this.flag?.refusal);
    this.flag = flag;
    if (!this.isTouched) { this.takeValue(); this.root = null; }
    if (wasRefused !== Boolean(flag.refusal)) this.root = null;
    if (this.isTouched) this.look();
  },

  destinations() {
    const providers = store.sections.get(this.flag.section)?.providers ?? [];
    return providers.filter((one) => one.isWritable).map((one) => one.id);
  },

  get input() { return this.isNull ? { value: null } : { text: this.text }; },

  get command() {
    return { command: "set", flag: this.flag.id, input: this.input, destination: this.destination };
  },

  form(flag) {
    if (flag.refusal) {
      return element("section", { "aria-label": "Edit" }, element("p", { class: "locked" },
        flag.refusal.message));
    }
    if (!this.root) this.build();
    this.showState();
    return this.root;
  },

  build() {
    const parts = this.parts = {};
    parts.destination = element("select", { id: "destination", on: { change: () => {
      this.destination = this.preferred = parts.destination.value;
      this.look();
    } } }, ...this.destinations().map((id) => element("option", { value: id }, id)));
    parts.destination.value = this.destination;
    parts.foresight = element("p", { class: "foresight", id: "foresight", "aria-live": "polite",
      hidden: true });
    parts.save = element("button", { type: "submit", class: "primary" }, "Set value");
    parts.reset = element("button", { type: "button", on: { click: () => this.reset() } }, "Reset");
    this.root = element("form", { class: "edit", "aria-label": "Edit", novalidate: true, on: {
      submit: (event) => { event.preventDefault(); this.save(); },
    } },
      element("h3", {}, "Change it"), this.field(),
      element("div", { class: "field" }, element("label", { for: "destination" }, "Write to"),
        parts.destination),
      parts.foresight, element("div", { class: "actions" }, parts.save, parts.reset));
  },

  field() {
    const { control, isOptional } = this.flag;
    const parts = this.parts;
    if (control.kind === "toggle") {
      return this.segments(isOptional ? ["true", "false", "null"] : ["true", "false"]);
    }
    const hints = [];
    const properties = { id: "value", "aria-describedby": "foresight", autocomplete: "off",
      spellcheck: "false", autocapitalize: "off",
      on: { input: () => this.typed(parts.input.value) } };
    let body;
    switch (control.kind) {
      case "integer":
        hints.push(range(control));
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
      if (!this.isNull && control.kind === "choice" && parts.input.selectedIndex < 0) {
        parts.input.selectedIndex = 0; this.text = parts.input.value; }
      this.isTouched = true;
      this.look();
    } } });
    const hint = hints.filter(Boolean).join(" ");
    return element("div", { class: "field" }, element("label", { for: "value" }, "New value"), body,
      hint && element("span", { class: "hint" }, hint), parts.none && element("label", { class: "check" },
        parts.none, "No value (null)"));
  },

  segments(texts) {
    const chosen = this.isNull ? "null" : this.text;
    const inputs = texts.map((text) => element("input", { type: "radio", name: "value", value: text,
      checked: text === chosen, on: { change: () => {
      this.isNull = text === "null";
      this.typed(this.isNull ? "" : text, true);
    } } }));
    this.parts.input = inputs[0];
    this.parts.inputs = inputs;
    return element("fieldset", { class: "field" }, element("legend", {}, "New value"),
      element("div", { class: "segments" }, ...texts.map((text, index) => element("label", {},
        inputs[index], text))));
  },

  typed(text, isPicked = false) {
    this.text = text;
    this.isTouched = true;
    clearTimeout(this.timer);
    if (isPicked) this.look(); else this.timer = setTimeout(() => this.look(), 120);
  },

  step(by) {
    let number;
    try { number = BigInt(this.parts.input.value.trim() || "0"); } catch { return; }
    const next = number + by;
    const { minimum, maximum } = this.flag.control;
    if (next < BigInt(minimum) || next > BigInt(maximum)) return;
    this.parts.input.value = String(next);
    this.typed(String(next), true);
  },

  // Asks what the edit would do.
  async look() {
    clearTimeout(this.timer);
    const number = ++this.asked;
    const id = this.flag.id;
    try {
      const foresight = await connection.ask("/api/preview", this.command);
      if (number !== this.asked || this.flag.id !== id) return;
      this.foresight = foresight;
      this.error = null;
    } catch (error) {
      if (number !== this.asked || this.flag.id !== id) return;
      this.foresight = null;
      this.error = error;
    }
    this.showState();
  },

  showState() {
    const { parts, flag } = this;
    if (!parts.foresight) return;
    const line = parts.foresight;
    const text = this.error ? this.error.message : this.foresight?.message ?? "";
    line.hidden = !text;
    line.className = this.error ? "foresight wrong" : this.foresight && !this.foresight.changesAnything
      ? "foresight same" : "foresight";
    if (line.dataset.text !== text) {
      line.dataset.text = text;
      const place = this.error?.line ? `Line ${this.error.line}, column ${this.error.column}` : "";
      line.replaceChildren(element("span", {}, place && element("span", { class: "place" }, place),
        text));
    }
    for (const input of parts.inputs ?? [parts.input]) input.setAttribute("aria-invalid",
      Boolean(this.error));
    parts.save.disabled = !connection.isLive || !this.isTouched || Boolean(this.error);
    const held = flag.answers.find((answer) => answer.provider === this.destination)?.value;
    parts.reset.disabled = !connection.isLive || !held;
    setText(parts.reset, held ? `Reset “${this.destination}”` : "Nothing to reset");
  },

  async save() {
    if (this.parts.save.disabled) return;
    const id = this.flag.id;
    try {
      await act(this.command, { rethrows: true });
      if (this.flag.id !== id) return;
      this.isTouched = false;
      this.foresight = null;
      this.root = null;
      this.flag = store.flags.get(id) ?? this.flag;
      this.takeValue();
      panel.refresh();
      this.parts.save?.form?.isConnected
        && (this.parts.inputs?.find((one) => one.checked) ?? this.parts.input).focus();
    } catch (error) {
      if (this.flag.id !== id) return;
      this.error = error;
      this.showState();
      this.pointAt(error);
    }
  },

  // Puts the caret where the mistake is.
  pointAt(error) {
    const input = this.parts.input;
    input.focus();
    if (!error.line || input.tagName !== "TEXTAREA") return;
    const before = input.value.split("\n").slice(0, error.line - 1).reduce((sum,
      line) => sum + line.length + 1, 0);
    const line = input.value.split("\n")[error.line - 1] ?? "";
    // Columns count Unicode scalars, the field counts code units.
    const offset = before + [...line].slice(0, error.column - 1).join("").length;
    input.setSelectionRange(offset, Math.min(offset + 1, input.value.length));
  },

  async reset() {
    const id = this.flag.id;
    await act({ command: "reset", flag: id, destination: this.destination });
    if (this.flag.id !== id) return;
    this.isTouched = false;
    this.start(store.flags.get(id) ?? this.flag);
    panel.refresh();
  },
};

function range({ minimum, maximum }) {
  const digits = (text) => text.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  return maximum.length > 12 ? "" : `${digits(minimum)} to ${digits(maximum)}`;
}

const fullDate = (text) => (text.length === 16 ? `${text}:00` : text) + "Z";

"""##
}
#endif
