import { element, moment, setText, timeZone } from "./elements.js";
import { author, heldBy, store } from "./store.js";
import { emit } from "./signals.js";
import { connection } from "./connection.js";
import { toast } from "./messages.js";
import { askToOverwrite } from "./dialogs.js";
import { act } from "./commands.js";
import { fields } from "./fields.js";
import { say, texts } from "./texts.js";

// Edits one flag: a field that fits its type, what the edit would do, and then the edit.
export const editor = {
  flag: null,
  text: "",
  isNull: false,
  isTouched: false,
  /** The flags whose edit is under way, by their id. */
  busy: new Set(),
  /** What is being set, with the draft of it, by the id of the flag. @type {Map<string, { draft: any, done: Promise<void> }>} */
  saving: new Map(),
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
  /** When the value that is there ends, as it was when somebody began to type. @type {string | undefined} */
  kept: undefined,
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
    this.kept = this.answer?.expires;
    this.ends = this.kept ? "kept" : "never";
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
    if (!this.isTouched) { this.seen = this.held; this.kept = this.answer?.expires; }
    this.isTouched = true;
    const { text, isNull, destination, ends, until, kept, seen } = this;
    this.drafts.set(this.flag.id, { text, isNull, destination, ends, until, kept, seen });
    emit("draft", this.flag);
  },

  // Lets go of what was typed.
  drop() {
    this.drafts.delete(this.flag.id);
    this.isTouched = false;
    this.start(store.flags.get(this.flag.id) ?? this.flag);
    emit("draft", this.flag);
    emit("edited");
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

  // What the destination held when somebody began to type.
  get expected() { return { value: this.seen ?? undefined, expires: this.seen ? this.kept : undefined }; },

  get expires() {
    if (!this.keepsExpiry || this.ends === "never") return undefined;
    if (this.ends === "kept") return this.kept;
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
      if (this.isTouched) { this.seen = this.held; this.kept = this.answer?.expires; this.touch(); }
      if (this.ends === "kept" && !this.kept) this.ends = "never";
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
    parts.until = element("input", { type: "datetime-local", id: "until", "aria-label": "Expires at, in your time",
      "aria-describedby": "foresight", value: this.until, on: { input: () => {
        this.until = parts.until.value;
        this.touch();
        this.showState();
        this.lookSoon();
      } } });
    parts.endsField = element("div", { class: "field" }, element("label", { for: "ends" }, texts.expires),
      parts.ends, parts.until, element("p", { class: "hint" }, `Times are in ${timeZone}.`));
    parts.save = element("button", { type: "submit", class: "primary" }, texts.setValue);
    parts.drop = element("button", { type: "button", class: "quiet", on: { click: () => this.drop() } }, "Discard");
    parts.reset = element("button", { type: "button", on: { click: () => this.reset() } }, texts.reset);
    this.root = element("form", { class: "edit", "aria-label": "Edit", novalidate: true, on: {
      submit: (event) => { event.preventDefault(); this.save(); },
    } },
      element("h3", {}, texts.changeIt), this.field(),
      element("div", { class: "field" }, element("label", { for: "destination" }, texts.writeTo),
        parts.destination), parts.endsField, parts.over,
      // In view wherever the form is scrolled.
      element("div", { class: "verdict" }, parts.conflict, parts.foresight,
        element("div", { class: "actions" }, parts.save, parts.drop, parts.reset)));
  },

  ...fields,

  typed(text, isPicked = false) {
    this.text = text;
    this.touch();
    if (isPicked) this.look(); else this.lookSoon();
  },

  lookSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), 120);
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
    // Without a connection there is no answer; the page looks again when it is live.
    if (!connection.isLive) {
      this.foresight = null;
      this.error = null;
      return this.showState();
    }
    try {
      const foresight = await connection.ask("api/preview",
        { ...this.command, expected: this.expected, author: author.message });
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
    const isExpiryWrong = this.error?.code === "invalid-expiry";
    for (const input of parts.inputs ?? [parts.input]) {
      input.setAttribute("aria-invalid", Boolean(this.error) && !isExpiryWrong);
    }
    for (const input of [parts.ends, parts.until]) input.setAttribute("aria-invalid", isExpiryWrong);
    const held = this.held;
    const options = [["never", "Never"], ...(this.kept ? [["kept", moment(this.kept)]] : []),
      ["1", "In an hour"], ["8", "In eight hours"], ["24", "In a day"], ["168", "In a week"], ["at", "At a time…"]];
    const known = JSON.stringify(options);
    if (parts.ends.dataset.options !== known) {
      parts.ends.dataset.options = known;
      parts.ends.replaceChildren(...options.map(([value, label]) => element("option", { value }, label)));
    }
    parts.ends.value = this.ends;
    parts.until.hidden = this.ends !== "at";
    parts.endsField.hidden = !this.keepsExpiry;
    const { conflict, replaces } = this.isTouched && this.foresight || {};
    parts.conflict.hidden = !conflict;
    setText(parts.conflict, conflict ?? "");
    parts.over.hidden = !replaces;
    setText(parts.over, replaces ?? "");
    const lacksEnd = this.keepsExpiry && this.ends === "at" && !this.expires;
    parts.save.disabled = !connection.isLive || !this.isTouched || Boolean(this.error) || lacksEnd;
    parts.drop.hidden = !this.isTouched;
    parts.reset.disabled = !connection.isLive || !held;
    setText(parts.reset, held ? say(texts.resetProvider, this.destination) : texts.nothingToReset);
  },

  // Sets the value. Where somebody has changed what would be overwritten, it asks.
  async save(isInsisting = false) {
    const id = this.flag.id;
    if (this.parts.save.disabled) return;
    const first = this.saving.get(id);
    if (!first) {
      const done = this.saveNow(isInsisting).finally(() => this.saving.delete(id));
      this.saving.set(id, { draft: this.drafts.get(id), done });
      return done;
    }
    // A second click sets nothing twice; what was typed after the first is set after it.
    if (first.draft === this.drafts.get(id)) return;
    await first.done;
    if (this.flag.id === id && this.drafts.has(id)) return this.save();
  },

  async saveNow(isInsisting) {
    const id = this.flag.id;
    if (this.busy.has(id)) return;
    const { command, expected } = this;
    const saved = this.drafts.get(id);
    try {
      await this.once(isInsisting ? command : { ...command, expected });
      const flag = store.flags.get(id);
      // What was typed meanwhile stays, and is about to overwrite what was set.
      const draft = this.drafts.get(id);
      if (draft !== saved && flag) {
        draft.seen = heldBy(flag, draft.destination);
        draft.kept = flag.answers.find((one) => one.provider === draft.destination)?.expires;
        if (this.flag.id === id) { this.start(flag); emit("edited"); }
        return;
      }
      this.drafts.delete(id);
      if (flag) emit("draft", flag);
      if (this.flag.id !== id) return;
      this.isTouched = false;
      this.forget();
      this.root = null;
      this.flag = flag ?? this.flag;
      this.takeValue();
      this.takeEnd();
      this.seen = this.held;
      emit("edited");
      this.parts.save?.form?.isConnected
        && (this.parts.inputs?.find((one) => one.checked) ?? this.parts.input).focus();
    } catch (error) {
      if (error.code === "edit-conflict") {
        return askToOverwrite(error, () => {
          if (this.flag.id === id) this.save(true); else act(command);
        }, () => { if (this.flag.id === id) this.drop(); });
      }
      if (this.flag.id !== id) return;
      this.error = error;
      this.showState();
      this.pointAt(error);
    }
  },

  // A second click that comes before the answer to the first would find the value of the first in its way.
  async once(command) {
    this.busy.add(command.flag);
    try { return await act(command, { rethrows: true }); } finally { this.busy.delete(command.flag); }
  },

  // Puts the caret where the mistake is.
  pointAt(error) {
    const input = error.code !== "invalid-expiry" ? this.parts.input : this.ends === "at" ? this.parts.until : this.parts.ends;
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
    if (this.busy.has(id)) return;
    const command = { command: "reset", flag: id, destination: this.destination };
    const done = () => { if (this.flag.id === id) this.drop(); else this.drafts.delete(id); };
    try {
      await this.once({ ...command, expected: { value: this.held ?? undefined } });
      done();
    } catch (error) {
      if (error.code !== "edit-conflict") return toast(error.message, { isBad: true });
      askToOverwrite(error, async () => { if (await act(command)) done(); }, () => {});
    }
  },
};
