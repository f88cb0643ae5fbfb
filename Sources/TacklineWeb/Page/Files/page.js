import { $, element, plural, setText, sourceName } from "./elements.js";
import { author, store } from "./store.js";
import { connection } from "./connection.js";
import { list } from "./list.js";
import { filter } from "./filter.js";
import { panel } from "./panel.js";
import { dialogs } from "./dialogs.js";
import { address } from "./address.js";

// Puts everything together.
export const page = {
  isOurs: false,
  lostNotice: "",
  hasRead: false,

  show() {
    const { title, environment, isProduction } = store.snapshot;
    setText($("title"), title);
    setText($("environment"), environment);
    $("environment").hidden = false;
    $("environment").className = isProduction ? "badge bad" : "badge";
    if (list.fits()) for (const id of list.rows.keys()) list.update(store.flags.get(id));
    else list.build();
    this.finish(null);
    if (!this.hasRead) {
      this.hasRead = true;
      address.read();
    }
    address.title();
  },

  // Shows what a delta brought.
  update(changed) {
    const ids = changed.map((flag) => flag.id);
    for (const flag of changed) list.update(flag);
    if (!this.isOurs && document.visibilityState === "visible") {
      list.flash(ids);
      if (changed.length === 1) {
        const [flag] = changed;
        announce(`${flag.name} is now ${flag.value.text}, from ${sourceName(flag.source)}.`);
      }
      if (changed.length > 1) announce(`${plural(changed.length, "flag")} changed.`);
    }
    this.finish(ids);
  },

  finish(ids) {
    for (const block of list.blocks) if (block.section) list.showChain(block.chain, store.sections.get(block.section));
    filter.refresh();
    filter.show();
    filter.apply();
    this.showUndo();
    this.showNotice();
    panel.refresh(ids);
    panel.fit();
  },

  showUndo() {
    const isReadOnly = Boolean(store.snapshot.readOnlyReason);
    const offer = (id, edit, verb, none) => {
      $(id).disabled = !edit || isReadOnly || !connection.isLive;
      $(id).title = edit ? edit.title : none;
      $(id).setAttribute("aria-label", edit ? `${verb}: ${edit.title}` : verb);
    };
    offer("undo", store.undoable, "Undo", "You made no edit that can be undone");
    offer("redo", store.redoable, "Redo", "You undid no edit that can be done again");
    for (const id of ["import", "reset-all"]) $(id).disabled = isReadOnly || !connection.isLive;
    $("export").disabled = !connection.isLive;
  },

  showConnection(state, text, notice) {
    $("status").className = `status ${state}`;
    setText($("status").lastElementChild, text);
    this.lostNotice = notice;
    this.showNotice();
    if (!store.snapshot) return;
    for (const [id, { parts }] of list.rows) {
      if (parts.toggle) parts.toggle.disabled = Boolean(store.flags.get(id).refusal) || state !== "live";
    }
    for (const block of list.blocks) block.reset.disabled = state !== "live";
    this.showUndo();
    if (panel.view === "flag") panel.refresh();
  },

  showNotice() {
    const text = this.lostNotice || store.snapshot?.readOnlyReason?.message || "";
    $("notice").hidden = !text;
    setText($("notice"), text);
  },
};

// Sends a command, and says how it went.
export async function act(command, { rethrows = false, quiet = false } = {}) {
  if (author.name === null && command.command !== "pin") await dialogs.askName();
  page.isOurs = true;
  try {
    const reply = await connection.ask("/api/command", { ...command, author: author.message });
    await connection.reached(reply.revision);
    if (!quiet) toast(reply.message, { edit: command.command === "undo" ? null : reply.edit });
    return reply;
  } catch (error) {
    if (rethrows) throw error;
    toast(error.message, { isBad: true });
    return null;
  } finally {
    page.isOurs = false;
  }
}

// Flips a switch of the list; where that would change nothing, says why and does not. Where somebody has changed what would
// be overwritten, it asks.
export async function flip(flag) {
  const command = { command: "set", flag: flag.id, input: { text: flag.value.input === "true" ? "false" : "true" } };
  try {
    const foresight = await connection.ask("/api/preview", command);
    if (!foresight.changesAnything) return toast(foresight.message, { isBad: true });
    await act({ ...command, expected: { value: list.held(flag) ?? undefined } }, { rethrows: true });
  } catch (error) {
    if (error.code !== "edit-conflict") return toast(error.message, { isBad: true });
    dialogs.askToOverwrite(error, () => act(command), () => {});
  }
}

// Takes back an edit of one's own, or does it again. Where somebody has changed the flag since, it asks.
export const undo = (edit = store.undoable?.id) => again("undo", "Undo all the same", edit);
export const redo = (edit = store.redoable?.id) => again("redo", "Redo all the same", edit);

async function again(name, label, edit) {
  if (edit === undefined) return;
  const command = { command: name, edit };
  try { await act(command, { rethrows: true }); } catch (error) {
    if (error.code !== "undo-conflict") return toast(error.message, { isBad: true });
    dialogs.show(`${label}?`, [element("p", {}, error.message)],
      [{ label, kind: "danger", id: "confirm", act: (close) => { close(); act({ ...command, isForced: true }); } }]);
  }
}

let toastTimer = 0;
export function toast(message, { isBad = false, edit = null } = {}) {
  clearTimeout(toastTimer);
  const box = element("div", { class: isBad ? "bad" : "" }, element("span", {}, message),
    edit && element("button", { type: "button", on: { click: () => { hide(); undo(edit); } } }, "Undo"),
    element("button", { type: "button", class: "dismiss", "aria-label": "Dismiss", on: { click: () => hide() } }, "×"));
  const place = $("toast");
  const hide = () => { box.remove(); if (!place.firstChild && place.matches(":popover-open")) place.hidePopover(); };
  place.replaceChildren(box);
  // In the top layer, so that no dialog and no panel hides it.
  if (place.matches(":popover-open")) place.hidePopover();
  place.showPopover();
  toastTimer = setTimeout(() => { if (!box.matches(":hover, :focus-within")) hide(); }, isBad ? 12000 : 6000);
}

let announceTimer = 0;
export function announce(text) {
  clearTimeout(announceTimer);
  announceTimer = setTimeout(() => setText($("announcer"), text), 300);
}
