import { $, button, element, moment, replace, setText, timeZone } from "./elements.js";
import { act, ask, store } from "./store.js";
import { fail } from "./messages.js";
import { makeField } from "./fields.js";

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
    return { text: isNull ? "" : value.input ?? "", isNull, destination, ends: this.held(destination)?.expires ? "kept" : "never",
      until: "" };
  },

  // Nothing is known of the effect, and no answer that is under way is wanted any more.
  forget() {
    clearTimeout(this.timer);
    this.asked += 1;
    this.preview = this.error = null;
  },

  get providers() { return store.sections.get(this.flag.section)?.providers ?? []; },
  get isTouched() { return this.drafts.has(this.flag.id); },
  get keepsExpiry() { return this.providers.some((one) => one.id === this.entry.destination && one.keepsExpiry); },
  held(provider) { return this.flag.answers.find((one) => one.provider === provider && one.value); },

  get expires() {
    const { ends, until, destination } = this.entry;
    if (!this.keepsExpiry || ends === "never") return undefined;
    if (ends === "kept") return this.held(destination)?.expires;
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
      "aria-describedby": "foresight", on: { input: (event) => this.change({ until: event.target.value }) } });
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
    const held = this.held(entry.destination);
    const options = [["never", "Never"], ...(held?.expires ? [["kept", moment(held.expires)]] : []), ...periods];
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
