import { $, narrow, plural, setText, sourceName } from "./elements.js";
import { store } from "./store.js";
import { connection } from "./connection.js";
import { announce } from "./messages.js";
import { commands } from "./commands.js";
import { list } from "./list.js";
import { panel } from "./panel.js";
import { address } from "./address.js";
import { texts } from "./texts.js";

// Puts everything together.
export const page = {
  lostNotice: "",
  hasRead: false,

  show(answer, isFiltered, isOutdated) {
    const { title, environment, isProduction } = store.snapshot;
    setText($("title"), title);
    setText($("environment"), environment);
    $("environment").hidden = false;
    $("environment").className = isProduction ? "badge bad" : "badge";
    if (!list.fits()) list.build();
    list.take(answer, isFiltered);
    for (const id of list.rows.keys()) if (store.flags.has(id)) list.update(store.flags.get(id));
    this.finish(null);
    if (!this.hasRead) {
      this.hasRead = true;
      address.readPanel();
    }
    address.title();
    if (isOutdated) list.ask();
  },

  // Shows what a delta brought.
  update(changed) {
    const ids = changed.map((flag) => flag.id);
    for (const flag of changed) list.update(flag);
    if (!commands.areOurs && document.visibilityState === "visible") {
      list.flash(ids);
      if (changed.length === 1) {
        const [flag] = changed;
        announce(`${flag.name} is now ${flag.value.text}, from ${sourceName(flag.source)}.`);
      }
      if (changed.length > 1) announce(`${plural(changed.length, "flag")} changed.`);
    }
    this.finish(ids);
    list.ask();
  },

  finish(ids) {
    for (const block of list.blocks) if (block.section) list.showChain(block.chain, store.sections.get(block.section));
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
    offer("undo", store.undoable, texts.undo, "You made no edit that can be undone");
    offer("redo", store.redoable, texts.redo, "You undid no edit that can be done again");
    for (const id of ["import", "reset-all"]) $(id).disabled = isReadOnly || !connection.isLive;
    for (const id of ["export", "share"]) $(id).disabled = !connection.isLive;
  },

  showConnection(state, text, notice) {
    $("status").className = `status ${state}`;
    setText($("status").lastElementChild, text);
    this.lostNotice = notice;
    this.showNotice();
    if (!store.snapshot) return;
    for (const [id, { parts }] of list.rows) {
      if (parts.toggle) parts.toggle.disabled = Boolean(store.flags.get(id)?.refusal) || state !== "live";
    }
    for (const block of list.blocks) block.reset.disabled = state !== "live";
    this.showUndo();
    panel.refresh();
    // The page's notice is silent while the panel covers it.
    if (notice && narrow.matches && panel.isOpen) announce(notice);
  },

  showNotice() {
    const text = this.lostNotice || store.snapshot?.readOnlyReason?.message || "";
    $("notice").hidden = !text;
    setText($("notice"), text);
    panel.notice = text;
  },
};

