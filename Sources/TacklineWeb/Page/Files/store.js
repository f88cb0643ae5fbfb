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

// What is known of the flags: those that were shown so far, and everything around them, kept up to date by deltas.
export const store = {
  /** Everything but the flags. @type {any} */
  snapshot: null,
  /** The ids of all flags, in order. @type {string[]} */
  ids: [],
  /** The same ids. @type {Set<string>} */
  known: new Set(),
  /** The flags that the page has. @type {Map<string, Flag>} */
  flags: new Map(),
  /** The version of each of them. @type {Map<string, number>} */
  versions: new Map(),
  /** The version up to which all changes were taken over. */
  version: 0,
  /** Stands for the ids and their order. */
  layout: "",
  sections: new Map(),

  // Takes over a list with everything.
  take({ snapshot, ids, flags, version, layout }) {
    this.snapshot = snapshot;
    this.ids = ids;
    this.known = new Set(ids);
    this.flags.clear();
    this.versions.clear();
    this.version = version;
    this.layout = layout;
    this.put(flags, version);
    this.index();
  },

  index() {
    this.sections = new Map(this.snapshot.sections.map((section) => [section.id, section]));
  },

  // Takes over flags, but none that is older than the one that is there.
  put(flags, version) {
    for (const flag of flags) {
      if (this.versions.get(flag.id) > version) continue;
      this.flags.set(flag.id, flag);
      this.versions.set(flag.id, version);
    }
  },

  // Takes over a delta, or the flags of an edit alone. Returns the flags that are different then, or null if a change
  // before it is missing.
  apply(delta) {
    const { snapshot } = this;
    const { flags, version, base = version - 1 } = delta;
    if (!snapshot || !flags || base > this.version) return null;
    if (version <= this.version) return [];
    this.version = version;
    const changed = flags.filter((flag) => JSON.stringify(flag) !== JSON.stringify(this.flags.get(flag.id)));
    this.put(changed.filter((flag) => this.flags.has(flag.id)), version);
    if (delta.revision === undefined) return changed;
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
