import { $, button, element, fail, moment, replace, setText, timeZone } from "./elements.js";
import { act, ask, store } from "./store.js";

const periods = [["1", "In an hour"], ["8", "In eight hours"], ["24", "In a day"], ["168", "In a week"], ["at", "At a time…"]];

// The form that edits a flag: a field that fits its type, the effect that the edit would have, and then the edit.
export const editor = {
  flag: null,
  /** What the form holds: `text`, `isNull`, `destination`, and the end of the value as `ends` and `until`. */
  entry: null,
  /** What was typed and not set yet, by the id of the flag. */
  drafts: new Map(),
  /** The effect that the edit would have, or the reason why it is impossible. */
  preview: null,
  error: null,
  isSaving: false,
  parts: {},
  asked: 0,
  timer: 0,
  preferred: "",
  onDraft: () => {},

  /** Shows the form of a flag. What was typed into it before is still there. */
  start(flag) {
    this.flag = flag;
    this.entry = this.drafts.get(flag.id) ?? this.fresh();
    this.forget();
    this.build();
    if (this.isTouched) this.look();
  },

  /** Takes over a newer state of the flag. What is being typed stays. */
  notice(flag) {
    const wasRefused = Boolean(this.parts.locked);
    this.flag = flag;
    const entry = this.isTouched ? this.entry : this.fresh();
    const isOther = JSON.stringify(entry) !== JSON.stringify(this.entry) || wasRefused !== Boolean(store.refusal(flag));
    this.entry = entry;
    if (isOther) { this.forget(); this.build(); }
    this.showState();
    if (this.isTouched) this.look();
  },

  fresh() {
    const { value, section } = this.flag;
    const writable = this.providers.filter((one) => one.isWritable).map((one) => one.id);
    const destination = writable.includes(this.preferred) ? this.preferred
      : store.sections.get(section)?.defaultDestination ?? writable[0] ?? "";
    const isNull = value.kind === "null";
    const kept = store.held(this.flag, destination)?.expires;
    return { text: isNull ? "" : value.input ?? "", isNull, destination, kept, ends: kept ? "kept" : "never", until: "" };
  },

  // Nothing is known of the effect, and no answer that is under way is wanted any more.
  forget() {
    clearTimeout(this.timer);
    this.asked += 1;
    this.preview = this.error = null;
  },

  get providers() { return store.providers(this.flag); },
  get isTouched() { return this.drafts.has(this.flag.id); },
  get keepsExpiry() { return this.providers.some((one) => one.id === this.entry.destination && one.keepsExpiry); },

  get expires() {
    const { ends, until, kept } = this.entry;
    if (!this.keepsExpiry || ends === "never") return undefined;
    if (ends === "kept") return kept;
    const end = ends === "at" ? new Date(until) : new Date(Date.now() + Number(ends) * 3600000);
    return Number.isNaN(end.getTime()) ? undefined : end.toISOString().replace(/\.\d+Z$/, "Z");
  },

  get command() {
    const { text, isNull, destination } = this.entry;
    return { set: { flag: this.flag.id, text: isNull ? undefined : text, destination, expires: this.expires } };
  },

  /** Takes over what somebody typed or chose, and asks for its effect, at once or after the next letters. */
  change(members, isFinal = true) {
    const isFirst = !this.isTouched;
    this.entry = { ...this.entry, ...members };
    this.drafts.set(this.flag.id, this.entry);
    if (isFirst) this.onDraft(this.flag.id);
    this.forget();
    this.showState();
    if (isFinal) this.look(); else this.timer = setTimeout(() => this.look(), 120);
  },

  /** Lets go of what was typed. */
  drop() {
    this.drafts.delete(this.flag.id);
    this.onDraft(this.flag.id);
    this.start(store.flags.get(this.flag.id) ?? this.flag);
  },

  build() {
    const { flag, entry } = this;
    const refusal = store.refusal(flag);
    const parts = this.parts = {};
    if (refusal) return replace($("edit"), [parts.locked = element("p", { class: "locked" }, refusal.message)]);
    const writable = this.providers.filter((one) => one.isWritable).map((one) => element("option", { value: one.id }, one.id));
    parts.destination = element("select", { id: "destination", on: { change: (event) => {
      const destination = this.preferred = event.target.value;
      if (this.isTouched) this.change({ destination, ends: this.entry.ends === "kept" ? "never" : this.entry.ends });
      else this.start(this.flag);
    } } }, ...writable);
    parts.destination.value = entry.destination;
    parts.ends = element("select", { id: "ends", on: { change: (event) => this.change({ ends: event.target.value }) } });
    parts.until = element("input", { type: "datetime-local", id: "until", "aria-label": "Expires at, in your time", value: entry.until,
      max: "9999-12-31T23:59", "aria-describedby": "foresight", on: { input: (event) => this.change({ until: event.target.value }) } });
    parts.endsField = element("div", { class: "field" }, element("label", { for: "ends" }, `Expires, in ${timeZone}`), parts.ends);
    parts.foresight = element("p", { class: "foresight", id: "foresight", "aria-live": "polite", hidden: true });
    parts.save = element("button", { type: "submit", class: "primary" }, "Set value");
    parts.drop = button("Discard", {}, () => this.drop());
    parts.reset = button("Reset", {}, () => this.reset());
    const submit = (event) => { event.preventDefault(); this.save(); };
    replace($("edit"), [element("form", { class: "edit", on: { submit } }, makeField(this),
      element("div", { class: "where" }, element("div", { class: "field" }, element("label", { for: "destination" }, "Write to"),
        parts.destination), parts.endsField, parts.until),
      element("div", { class: "verdict" }, parts.foresight,
        element("div", { class: "actions" }, parts.save, parts.drop, parts.reset)))]);
    this.showState();
  },

  // Asks for the effect of the edit. Without a connection there is no answer; the page asks again when it is live.
  async look() {
    clearTimeout(this.timer);
    const number = ++this.asked;
    if (!store.isLive) return;
    let preview = null, error = null;
    try { preview = await ask("api/preview", this.command); } catch (caught) { error = caught; }
    if (number !== this.asked) return;
    Object.assign(this, { preview, error: error?.code === "connection" ? null : error });
    this.showState();
  },

  showState() {
    const { parts, preview, error, entry } = this;
    if (!parts.foresight) return;
    const message = error?.message ?? preview?.message ?? "";
    parts.foresight.hidden = !message;
    parts.foresight.className = error ? "foresight wrong" : preview?.changesAnything === false ? "foresight same" : "foresight";
    const place = error?.line && element("span", { class: "place" }, `Line ${error.line}, column ${error.column}`);
    if (parts.foresight.textContent !== (place?.textContent ?? "") + message) {
      parts.foresight.replaceChildren(element("span", {}, place || "", message));
    }
    const isEndWrong = error?.code === "invalid-expiry";
    for (const input of parts.inputs) input.setAttribute("aria-invalid", Boolean(error) && !isEndWrong);
    for (const input of [parts.ends, parts.until]) input.setAttribute("aria-invalid", isEndWrong);
    const held = store.held(this.flag, entry.destination);
    const options = [["never", "Never"], ...(entry.kept ? [["kept", moment(entry.kept)]] : []), ...periods];
    if (parts.ends.dataset.options !== String(options)) {
      parts.ends.dataset.options = String(options);
      parts.ends.replaceChildren(...options.map(([value, label]) => element("option", { value }, label)));
    }
    parts.ends.value = entry.ends;
    parts.endsField.hidden = !this.keepsExpiry;
    parts.until.hidden = !this.keepsExpiry || entry.ends !== "at";
    const lacksEnd = !parts.until.hidden && !this.expires;
    parts.save.disabled = !store.isLive || !this.isTouched || Boolean(error) || lacksEnd || this.isSaving;
    setText(parts.save, preview?.changesAnything === false ? "Write anyway" : "Set value");
    parts.drop.hidden = !this.isTouched;
    parts.reset.disabled = !store.isLive || !held;
    setText(parts.reset, held ? `Reset “${entry.destination}”` : "Nothing to reset");
  },

  async save() {
    const { flag: { id }, entry, command } = this;
    if (this.parts.save.disabled) return;
    this.isSaving = true;
    this.showState();
    try {
      await act(command, { rethrows: true });
      // What was typed meanwhile stays.
      if (this.drafts.get(id) === entry) this.drafts.delete(id);
      this.onDraft(id);
      if (this.flag.id === id && !this.isTouched) {
        this.start(store.flags.get(id) ?? this.flag);
        this.parts.inputs?.find((one) => one.type !== "radio" || one.checked)?.focus();
      }
    } catch (error) {
      if (this.flag.id !== id) return fail(error);
      this.error = error;
    } finally {
      this.isSaving = false;
      this.showState();
    }
  },

  async reset() {
    const { flag: { id }, entry: { destination } } = this;
    if (!await act({ reset: { flag: id, destination } })) return;
    if (this.flag.id === id) this.drop(); else this.drafts.delete(id);
  },
};

/** Makes the field for a new value of the editor's flag, and leaves its inputs in the editor's parts. */
function makeField(editor) {
  const { flag: { control, isOptional, rule }, entry, parts } = editor;
  if (control.kind === "toggle") return segments(editor, isOptional ? ["true", "false", "null"] : ["true", "false"]);
  const typed = () => editor.change({ text: written(control, input.value) }, false);
  const properties = { id: "value", "aria-describedby": "foresight", autocomplete: "off", spellcheck: "false", autocapitalize: "off",
    on: { input: typed } };
  const lines = entry.text.split("\n").length;
  const make = {
    integer: () => element("input", { ...properties, type: "text", inputmode: "numeric", class: "mono" }),
    number: () => element("input", { ...properties, type: "text", inputmode: "decimal", class: "mono" }),
    choice: () => element("select", { ...properties, on: { change: typed } }, ...control.options.map(({ label, value }) => element("option",
      { value: value.input ?? label }, label === value.input ? label : `${label} (${value.text})`))),
    date: () => element("input", { ...properties, type: "datetime-local", step: "1", max: "9999-12-31T23:59:59" }),
    json: () => element("textarea", { ...properties, class: "mono", rows: Math.min(14, Math.max(5, lines)) }),
    text: () => (control.format === "plain"
      ? element("textarea", { ...properties, rows: Math.min(8, Math.max(lines, Math.ceil(entry.text.length / 40), 1)) })
      : element("input", { ...properties, type: "text", class: "mono" })),
  };
  const input = make[control.kind]();
  input.value = control.kind === "date" ? entry.text.slice(0, 19) : entry.text;
  if (control.kind === "choice" && entry.isNull) input.selectedIndex = -1;
  const body = control.kind === "integer" ? stepper(editor, input)
    : control.kind === "number" && control.minimum !== undefined ? slider(editor, input) : input;
  if (control.kind === "text") {
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || input.value.includes("\n")) return;
      event.preventDefault();
      editor.save();
    });
  }
  parts.inputs = [input, ...body.querySelectorAll("input[type=range]")];
  const none = isOptional && element("input", { type: "checkbox", checked: entry.isNull, on: { change: () => {
    disable(none.checked);
    if (control.kind === "choice" && input.selectedIndex < 0) input.selectedIndex = 0;
    editor.change({ isNull: none.checked, text: written(control, input.value) });
  } } });
  const disable = (isNull) => { for (const one of parts.inputs) one.disabled = isNull; };
  disable(entry.isNull);
  const formats = { url: "A URL with a scheme.", uuid: "A UUID.", base64: "Bytes in base64." };
  const hint = rule ? `Allowed: ${rule}.` : control.kind === "integer" ? range(control) : control.kind === "date" ? "In UTC."
    : formats[control.format];
  return element("div", { class: "field" }, element("label", { for: "value" }, "New value"), body,
    hint && element("span", { class: "hint" }, hint), none && element("label", { class: "check" }, none, "No value (null)"));
}

/** The text of a value as the program reads it: dates are in UTC. */
function written({ kind }, text) {
  return kind === "date" && text ? `${text.length === 16 ? `${text}:00` : text}Z` : text;
}

function segments(editor, choices) {
  const { entry, parts } = editor;
  parts.inputs = choices.map((text) => element("input", { type: "radio", name: "value", value: text,
    checked: text === (entry.isNull ? "null" : entry.text),
    on: { change: () => editor.change({ isNull: text === "null", text: text === "null" ? "" : text }) } }));
  return element("fieldset", { class: "field" }, element("legend", {}, "New value"), element("div", { class: "segments" },
    ...choices.map((text, index) => element("label", {}, parts.inputs[index], text))));
}

function stepper(editor, input) {
  const { minimum, maximum } = editor.flag.control;
  const step = (by) => {
    let next;
    try { next = BigInt(input.value.trim() || "0") + by; } catch { return; }
    if (next < BigInt(minimum) || next > BigInt(maximum)) return;
    input.value = String(next);
    editor.change({ text: input.value });
  };
  input.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1n, ArrowDown: -1n }[event.key];
    if (by) { event.preventDefault(); step(by); }
  });
  return element("div", { class: "stepper" }, input, button("−", { "aria-label": "One less" }, () => step(-1n)),
    button("+", { "aria-label": "One more" }, () => step(1n)));
}

function slider(editor, input) {
  const { minimum, maximum } = editor.flag.control;
  // A thousandth of the range is fine enough, and short to read.
  const digits = Math.min(100, Math.max(0, 3 - Math.ceil(Math.log10(maximum - minimum))));
  const track = element("input", { type: "range", "aria-label": "New value", min: minimum, max: maximum, step: "any",
    value: input.value, on: { input: () => {
      input.value = String(Math.min(maximum, Math.max(minimum, Number(track.value).toFixed(digits))));
      editor.change({ text: input.value }, false);
    } } });
  input.addEventListener("input", () => { track.value = input.value; });
  return element("div", { class: "slider" }, input, track);
}

function range({ minimum, maximum }) {
  const digits = (text) => text.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  return maximum.length > 12 ? "" : `${digits(minimum)} to ${digits(maximum)}`;
}
