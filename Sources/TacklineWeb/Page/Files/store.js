import { remember, remembered } from "./memory.js";

/** @typedef {import("./types.js").Flag} Flag */

// Who sits here: a number of the browser, and the name that others see.
export const author = {
  id: remembered("author", () => [...crypto.getRandomValues(new Uint8Array(12))]
    .map((byte) => byte.toString(16).padStart(2, "0")).join("")),
  /** The name; empty if somebody would rather not say, `null` if nobody was asked. @type {string | null} */
  name: remembered("name", () => "?") === "?" ? null : remembered("name", () => "?"),

  rename(name) {
    this.name = name;
    remember("name", name);
  },

  get message() { return { id: this.id, name: this.name || undefined }; },
};

// What is known of the flags: the server's snapshot, kept up to date by deltas.
export const store = {
  /** @type {any} */
  snapshot: null,
  /** @type {Map<string, Flag>} */
  flags: new Map(),
  sections: new Map(),

  take(snapshot) {
    this.snapshot = snapshot;
    this.index();
  },

  index() {
    this.flags = new Map(this.snapshot.flags.map((flag) => [flag.id, flag]));
    this.sections = new Map(this.snapshot.sections.map((section) => [section.id, section]));
  },

  // Returns the flags that differ, or null if the delta does not fit and everything has to be fetched.
  apply(delta) {
    const { snapshot } = this;
    if (!snapshot || !delta.flags || delta.base > snapshot.revision) return null;
    // A change without a notice raises no revision, so its delta begins and ends with the same one.
    if (delta.revision < snapshot.revision || delta.base < delta.revision && delta.revision === snapshot.revision) {
      return [];
    }
    if (delta.base < snapshot.revision) return null;
    const changed = this.patch(delta.flags);
    if (delta.sections) snapshot.sections = delta.sections;
    if (delta.edits) snapshot.edits = delta.edits;
    if (delta.recentChanges) snapshot.recentChanges = delta.recentChanges;
    snapshot.undo = delta.undo;
    snapshot.readOnlyReason = delta.readOnlyReason;
    snapshot.revision = delta.revision;
    snapshot.time = delta.time;
    this.index();
    return changed;
  },

  // Replaces flags. Returns those that are different then.
  patch(flags) {
    const isOther = (flag) => JSON.stringify(flag) !== JSON.stringify(this.flags.get(flag.id));
    const changed = new Map(flags.filter(isOther).map((flag) => [flag.id, flag]));
    this.snapshot.flags = this.snapshot.flags.map((flag) => changed.get(flag.id) ?? flag);
    this.index();
    return [...changed.values()];
  },

  // What an undo, or a redo, of this browser's own edits is about.
  get undoable() {
    return this.snapshot?.edits.find((edit) => edit.author?.id === author.id && !edit.isUndone);
  },

  get redoable() {
    return this.snapshot?.edits.findLast((edit) => edit.author?.id === author.id && edit.isUndone);
  },

  // The last edit of a flag by anyone.
  lastEdit(id) {
    return this.snapshot.edits.find((edit) => !edit.isUndone && edit.flags.includes(id));
  },

  isOverrideLayer(flag) {
    if (flag.source.kind !== "provider") return false;
    const providers = this.sections.get(flag.section)?.providers ?? [];
    return providers.some((one) => one.id === flag.source.provider && one.isOverrideLayer);
  },
};

/**
 * What a provider holds for a flag: what an edit would overwrite.
 * @param {Flag} flag
 * @param {string} provider
 */
export function heldBy(flag, provider) {
  return flag.answers.find((answer) => answer.provider === provider)?.value ?? null;
}

/** Who made an edit, for people. */
export function nameOf(someone) {
  if (!someone) return "somebody else";
  return someone.id === author.id ? "you" : someone.name ?? "somebody else";
}
