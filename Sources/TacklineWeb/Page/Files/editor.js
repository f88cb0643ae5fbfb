import { element, moment, setText } from "./elements.js";
import { heldBy, nameOf, store } from "./store.js";
import { list } from "./list.js";
import { dialogs } from "./dialogs.js";
import { connection } from "./connection.js";
import { panel } from "./panel.js";
import { fields } from "./fields.js";
import { act, toast } from "./page.js";

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
  /** When the value shall end: `never`, `kept`, a number of hours, or `at` the moment in `until`. */
  ends: "never",
  until: "",
  /** What the destination held when somebody began to type: what they are about to overwrite. */
  seen: null,
  /** What was typed and not set yet, by the id of the flag. @type {Map<string, any>} */
  drafts: new Map(),

  // What was begun here before is still there.
  start(flag) {
    this.flag = flag;
    this.isTouched = false;
    this.forget();
    this.root = null;
    this.takeValue();
    const draft = this.drafts.get(flag.id);
    if (draft) {
      Object.assign(this, draft, { isTouched: true });
      this.look();
      return;
    }
    const writable = this.destinations();
    this.destination = writable.includes(this.preferred) ? this.preferred
      : store.sections.get(flag.section)?.defaultDestination ?? writable[0] ?? "";
    this.takeEnd();
    this.seen = this.held;
  },

  // Nothing is known of what an edit would do, and no answer that is under way is wanted any more.
  forget() {
    clearTimeout(this.timer);
    this.asked += 1;
    this.foresight = null;
    this.error = null;
  },

  takeValue() {
    this.isNull = this.flag.value.kind === "null";
    this.text = this.isNull ? "" : this.flag.value.input ?? "";
  },

  takeEnd() {
    this.ends = this.answer?.expires ? "kept" : "never";
    this.until = "";
  },

  get answer() { return this.flag.answers.find((one) => one.provider === this.destination); },

  get held() { return heldBy(this.flag, this.destination); },

  get keepsExpiry() {
    const providers = store.sections.get(this.flag.section)?.providers ?? [];
    return providers.some((one) => one.id === this.destination && one.keepsExpiry);
  },

  // Somebody typed or chose something.
  touch() {
    if (!this.isTouched) this.seen = this.held;
    this.isTouched = true;
    const { text, isNull, destination, ends, until, seen } = this;
    this.drafts.set(this.flag.id, { text, isNull, destination, ends, until, seen });
    list.update(this.flag);
  },

  // Lets go of what was typed.
  drop() {
    this.drafts.delete(this.flag.id);
    this.isTouched = false;
    this.start(store.flags.get(this.flag.id) ?? this.flag);
    list.update(this.flag);
    panel.refresh();
  },

  // Somebody else changed the flag. What is being typed stays.
  notice(flag) {
    const wasRefused = Boolean(this.flag?.refusal);
    this.flag = flag;
    if (!this.isTouched) { this.takeValue(); this.takeEnd(); this.seen = this.held; this.root = null; }
    if (wasRefused !== Boolean(flag.refusal)) this.root = null;
    if (this.isTouched) this.look();
  },

  destinations() {
    const providers = store.sections.get(this.flag.section)?.providers ?? [];
    return providers.filter((one) => one.isWritable).map((one) => one.id);
  },

  get input() { return this.isNull ? { value: null } : { text: this.text }; },

  get command() {
    return { command: "set", flag: this.flag.id, input: this.input, destination: this.destination,
      expires: this.expires };
  },

  get expires() {
    if (!this.keepsExpiry || this.ends === "never") return undefined;
    if (this.ends === "kept") return this.answer?.expires;
    const end = this.ends === "at" ? new Date(this.until) : new Date(Date.now() + Number(this.ends) * 3600000);
    return Number.isNaN(end.getTime()) ? undefined : end.toISOString().replace(/\.\d+Z$/, "Z");
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
      if (this.isTouched) { this.seen = this.held; this.touch(); }
      this.look();
    } } }, ...this.destinations().map((id) => element("option", { value: id }, id)));
    parts.destination.value = this.destination;
    parts.foresight = element("p", { class: "foresight", id: "foresight", "aria-live": "polite",
      hidden: true });
    parts.over = element("p", { class: "hint over", hidden: true });
    parts.conflict = element("p", { class: "foresight wrong", role: "status", hidden: true });
    parts.ends = element("select", { id: "ends", on: { change: () => {
      this.ends = parts.ends.value;
      this.touch();
      this.showState();
      this.look();
    } } });
    parts.until = element("input", { type: "datetime-local", id: "until", "aria-label": "Ends at, in your time",
      value: this.until, on: { input: () => { this.until = parts.until.value; this.touch(); this.showState(); } } });
    parts.endsField = element("div", { class: "field" }, element("label", { for: "ends" }, "Ends by itself"),
      parts.ends, parts.until);
    parts.save = element("button", { type: "submit", class: "primary" }, "Set value");
    parts.drop = element("button", { type: "button", class: "quiet", on: { click: () => this.drop() } }, "Discard");
    parts.reset = element("button", { type: "button", on: { click: () => this.reset() } }, "Reset");
    this.root = element("form", { class: "edit", "aria-label": "Edit", novalidate: true, on: {
      submit: (event) => { event.preventDefault(); this.save(); },
    } },
      element("h3", {}, "Change it"), this.field(),
      element("div", { class: "field" }, element("label", { for: "destination" }, "Write to"),
        parts.destination), parts.endsField, parts.over, parts.conflict,
      parts.foresight, element("div", { class: "actions" }, parts.save, parts.drop, parts.reset));
  },

  ...fields,

  typed(text, isPicked = false) {
    this.text = text;
    this.touch();
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
    const held = this.held;
    const edit = store.lastEdit(flag.id);
    const options = [["never", "Never"], ...(this.answer?.expires ? [["kept", moment(this.answer.expires)]] : []),
      ["1", "In an hour"], ["8", "In eight hours"], ["24", "In a day"], ["168", "In a week"], ["at", "At a time…"]];
    const known = JSON.stringify(options);
    if (parts.ends.dataset.options !== known) {
      parts.ends.dataset.options = known;
      parts.ends.replaceChildren(...options.map(([value, label]) => element("option", { value }, label)));
    }
    parts.ends.value = this.ends;
    parts.until.hidden = this.ends !== "at";
    parts.endsField.hidden = !this.keepsExpiry;
    const isOther = this.isTouched && !isSame(held, this.seen);
    parts.conflict.hidden = !isOther;
    setText(parts.conflict, isOther ? `“${this.destination}” held ${this.seen?.text ?? "nothing"} when you began, and `
      + `holds ${held?.text ?? "nothing"} now. Setting the value asks first.` : "");
    parts.over.hidden = isOther || !this.isTouched || !held;
    setText(parts.over, held ? `Replaces ${held.text} in “${this.destination}”${edit ? `, last edited by `
      + `${nameOf(edit.author)}` : ""}.` : "");
    const lacksEnd = this.keepsExpiry && this.ends === "at" && !this.expires;
    parts.save.disabled = !connection.isLive || !this.isTouched || Boolean(this.error) || lacksEnd;
    parts.drop.hidden = !this.isTouched;
    parts.reset.disabled = !connection.isLive || !held;
    setText(parts.reset, held ? `Reset “${this.destination}”` : "Nothing to reset");
  },

  // Sets the value. Where somebody has changed what would be overwritten, it asks.
  async save(isInsisting = false) {
    if (this.parts.save.disabled) return;
    const id = this.flag.id;
    const { command, seen } = this;
    try {
      await act(isInsisting ? command : { ...command, expected: { value: seen ?? undefined } }, { rethrows: true });
      this.drafts.delete(id);
      const flag = store.flags.get(id);
      if (flag) list.update(flag);
      if (this.flag.id !== id) return;
      this.isTouched = false;
      this.forget();
      this.root = null;
      this.flag = flag ?? this.flag;
      this.takeValue();
      this.takeEnd();
      this.seen = this.held;
      panel.refresh();
      this.parts.save?.form?.isConnected
        && (this.parts.inputs?.find((one) => one.checked) ?? this.parts.input).focus();
    } catch (error) {
      if (error.code === "edit-conflict") {
        return dialogs.askToOverwrite(error, () => {
          if (this.flag.id === id) this.save(true); else act(command);
        }, () => { if (this.flag.id === id) this.drop(); });
      }
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
    this.parts.foresight.scrollIntoView({ block: "nearest" });
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
    const command = { command: "reset", flag: id, destination: this.destination };
    const done = () => { if (this.flag.id === id) this.drop(); else this.drafts.delete(id); };
    try {
      await act({ ...command, expected: { value: this.held ?? undefined } }, { rethrows: true });
      done();
    } catch (error) {
      if (error.code !== "edit-conflict") return toast(error.message, { isBad: true });
      dialogs.askToOverwrite(error, async () => { if (await act(command)) done(); }, () => {});
    }
  },
};

/** Whether two values are the same, as far as both are given. */
function isSame(one, other) {
  if (!one || !other) return !one && !other;
  return one.kind === other.kind && one.text === other.text
    && (one.input === undefined || other.input === undefined || one.input === other.input);
}
