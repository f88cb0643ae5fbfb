import { $, narrow } from "./elements.js";
import { store } from "./store.js";
import { on } from "./signals.js";
import { connection } from "./connection.js";
import { linkWith } from "./links.js";
import { askName, showKeys } from "./dialogs.js";
import { flip, redo, undo } from "./commands.js";
import { bundles } from "./bundles.js";
import { editor } from "./editor.js";
import { filter } from "./filter.js";
import { list } from "./list.js";
import { panel } from "./panel.js";
import { address } from "./address.js";
import { page } from "./page.js";
import { texts } from "./texts.js";

// Clicks and keys.
$("sections").addEventListener("click", (event) => {
  const row = event.target.closest(".row");
  if (!row) return;
  const { id } = row.dataset;
  if (event.target.closest(".switch")) {
    list.current = id;
    list.mark();
    flip(id);
  } else if (event.target.closest(".open")) panel.open(id);
});

$("sections").addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || !event.target.closest(".row")) return;
  const steps = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity, PageDown: 10, PageUp: -10 };
  if (!(event.key in steps)) return;
  event.preventDefault();
  list.move(steps[event.key]);
});

// Back leads to before a search began, not through its letters.
let isSearching = false;
$("search").addEventListener("input", () => {
  filter.text = $("search").value;
  list.ask();
  address.write(isSearching);
  isSearching = true;
});
$("search").addEventListener("blur", () => { isSearching = false; });

// From the search into the list: the keys that come before the answer to what was typed wait for it.
const early = [];
$("search").addEventListener("keydown", async (event) => {
  if (event.key !== "ArrowDown" && event.key !== "Enter") return;
  event.preventDefault();
  early.push(event.key);
  if (early.length > 1) return;
  await list.asking;
  list.move(0);
  for (const next of early.splice(0).slice(1)) if (next !== "Enter") list.move(1); else if (list.current) panel.open(list.current);
});

function refilter() {
  filter.show();
  list.ask();
  address.write();
}

for (const chip of document.querySelectorAll("[data-filter]")) chip.addEventListener("click", () => {
  const name = chip.dataset.filter;
  if (!filter.flags.delete(name)) filter.flags.add(name);
  refilter();
});

for (const [id, name] of [["by-source", "source"], ["by-control", "control"]]) {
  $(id).addEventListener("change", () => { filter[name] = $(id).value; refilter(); });
}
$("sort").addEventListener("change", () => { filter.sort = $("sort").value; refilter(); });

function clearFilter() {
  filter.clear();
  list.ask();
  address.write();
}

function clear() {
  clearFilter();
  $("search").focus();
}
$("clear").addEventListener("click", clear);
$("nothing-clear").addEventListener("click", clear);
$("show-changes").addEventListener("click", () => panel.showChanges());
$("undo").addEventListener("click", () => undo());
$("redo").addEventListener("click", () => redo());
$("fold").addEventListener("click", () => { $("menu").open = false; list.fold(list.blocks, true); });
$("unfold").addEventListener("click", () => { $("menu").open = false; list.fold(list.blocks, false); });
for (const id of ["export", "share"]) $(id).addEventListener("click", () => bundles.exportBundle());
$("import").addEventListener("click", () => bundles.importBundle());
$("reset-all").addEventListener("click", () => bundles.confirmReset({ command: "reset-all" }, texts.resetEverything));
$("rename").addEventListener("click", () => { $("menu").open = false; askName(true); });
$("keys").addEventListener("click", () => showKeys());
document.addEventListener("click", (event) => { if (!$("menu").contains(event.target)) $("menu").open = false; });

document.addEventListener("scroll", () => list.wake(), { passive: true });
addEventListener("resize", () => { list.measure(); list.rows.forEach((row) => { row.index = -1; }); list.wake(); });
narrow.addEventListener("change", () => { if (store.snapshot) { panel.fit(); panel.draw(); } });
addEventListener("popstate", () => { if (store.snapshot) address.read(); });

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("input:not([type=radio], [type=checkbox]), textarea, select");
  if ($("dialog").open || $("ask").open) return;
  const isCommand = (event.ctrlKey || event.metaKey) && !isTyping;
  const key = event.key.toLowerCase();
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    if (narrow.matches && panel.isOpen) panel.close();
    $("search").focus();
    $("search").select();
  } else if (isCommand && key === "z" && !event.shiftKey) {
    event.preventDefault();
    undo();
  } else if (isCommand && (key === "y" || key === "z")) {
    event.preventDefault();
    redo();
  } else if (event.key === "Escape") {
    if ($("menu").open) { $("menu").open = false; $("menu").firstElementChild.focus(); }
    else if (panel.flag || (narrow.matches && panel.isOpen)) panel.close();
    else if (!filter.isEmpty) clearFilter();
  }
});

// What was typed and not set would be lost.
addEventListener("beforeunload", (event) => { if (editor.drafts.size > 0) event.preventDefault(); });

on("snapshot", (...all) => page.show(...all));
on("delta", (changed) => page.update(changed));
on("connection", (state, text, notice) => page.showConnection(state, text, notice));
on("draft", (flag) => list.update(flag));
on("edited", () => panel.refresh());
on("opened", () => address.write());

connection.shown = () => [...list.rows.keys(), panel.flag, new URLSearchParams(location.search).get("flag")].filter(Boolean);
address.readFilter();
connection.watch();
connection.open();

// For the developer console of the browser, and for tests.
Object.assign(globalThis, { tackline: { store, connection, list, filter, panel, editor, page, address, linkWith } });
