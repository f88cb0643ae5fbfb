// Made by Tests/Browser/embed from Page/Files/page.js.
// swift-format-ignore-file
#if Web
extension ConsolePage {
static let page_js = ##"""
import { $, element, setText, plural, sourceName } from "./elements.js";
import { author, store } from "./store.js";
import { connection } from "./connection.js";
import { list } from "./list.js";
import { filter } from "./filter.js";
import { panel } from "./panel.js";
import { dialogs } from "./dialogs.js";

// Puts everything together.
export const page = {
  show() {
    const { title, environment, isProduction } = store.snapshot;
    setText($("title"), title);
    document.title = title;
    setText($("environment"), environment);
    $("environment").hidden = false;
    $("environment").className = isProduction ? "badge bad" : "badge";
    if (list.fits()) for (const flag of store.snapshot.flags) list.update(list.rows.get(flag.id), flag);
    else list.build();
    this.finish(null);
  },

  // Shows what a delta brought.
  update(changed) {
    const ids = changed.map((flag) => flag.id);
    for (const flag of changed) list.update(list.rows.get(flag.id), flag);
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
    for (const block of list.blocks) if (block.section) list.showChain(block.chain,
      store.sections.get(block.section));
    filter.refresh();
    filter.showChips();
    filter.apply();
    this.showUndo();
    this.showNotice();
    panel.refresh(ids);
    panel.fit();
  },

  showUndo() {
    const undo = store.undoable;
    const isReadOnly = Boolean(store.snapshot.readOnlyReason);
    $("undo").disabled = !undo || isReadOnly || !connection.isLive;
    $("undo").title = undo ? undo.title : "You made no edit that can be undone";
    $("undo").setAttribute("aria-label", undo ? `Undo: ${undo.title}` : "Undo");
    for (const id of ["import", "reset-all"]) $(id).disabled = isReadOnly || !connection.isLive;
    $("export").disabled = !connection.isLive;
  },

  showConnection(state, text, notice) {
    $("status").className = `status ${state}`;
    setText($("status").lastElementChild, text);
    this.lostNotice = notice;
    this.showNotice();
    if (!store.snapshot) return;
    for (const id of list.order) {
      const { toggle } = list.rows.get(id).parts;
      if (toggle) toggle.disabled = Boolean(store.flags.get(id).refusal) || state !== "live";
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
  page.isOurs = true;
  try {
    const reply = await connection.ask("/api/command", { ...command, author });
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

// Flips a switch of the list; where that would change nothing, says why and does not.
export async function flip(flag) {
  const command = { command: "set", flag: flag.id,
    input: { text: flag.value.input === "true" ? "false" : "true" } };
  try {
    const foresight = await connection.ask("/api/preview", command);
    if (foresight.changesAnything) await act(command);
    else toast(foresight.message, { isBad: true });
  } catch (error) { toast(error.message, { isBad: true }); }
}

// Takes back an edit of one's own. Where somebody has changed the flag since, it asks.
export async function undo(edit = store.undoable?.id) {
  if (edit === undefined) return;
  const command = { command: "undo", edit };
  try { await act(command, { rethrows: true }); } catch (error) {
    if (error.code !== "undo-conflict") return toast(error.message, { isBad: true });
    dialogs.show("Undo all the same?", [element("p", {}, error.message)], [{ label: "Undo all the same",
      kind: "danger", id: "confirm", act: (close) => { close(); act({ ...command, isForced: true }); } }]);
  }
}

let toastTimer = 0;
export function toast(message, { isBad = false, edit = null } = {}) {
  clearTimeout(toastTimer);
  const box = element("div", { class: isBad ? "bad" : "" }, element("span", {}, message),
    edit && element("button", { type: "button", on: { click: () => {
      $("toast").replaceChildren(); undo(edit); } } }, "Undo"));
  $("toast").replaceChildren(box);
  toastTimer = setTimeout(() => { if (!box.matches(":hover, :focus-within")) box.remove(); }, isBad
    ? 12000 : 6000);
}

let announceTimer = 0;
export function announce(text) {
  clearTimeout(announceTimer);
  announceTimer = setTimeout(() => setText($("announcer"), text), 300);
}

"""##
}
#endif
