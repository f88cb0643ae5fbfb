// Made by Tests/Browser/embed from Page/Files/main.js.
// swift-format-ignore-file
#if Web
extension ConsolePage {
static let main_js = ##"""
import { $, narrow } from "./elements.js";
import { store } from "./store.js";
import { connection } from "./connection.js";
import { list } from "./list.js";
import { fold, filter } from "./filter.js";
import { panel } from "./panel.js";
import { dialogs } from "./dialogs.js";
import { editor } from "./editor.js";
import { flip, page, undo } from "./page.js";

// Clicks and keys.
$("sections").addEventListener("click", (event) => {
  const row = event.target.closest(".row");
  if (!row) return;
  const { id } = row.dataset;
  const flag = store.flags.get(id);
  if (event.target.closest(".switch")) {
    list.current = id;
    list.mark();
    flip(flag);
  } else if (event.target.closest(".open")) panel.open(id);
});

$("sections").addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || !event.target.closest(".row")) return;
  const steps = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity, PageDown: 10, PageUp: -10 };
  if (!(event.key in steps)) return;
  event.preventDefault();
  list.move(steps[event.key]);
});

$("search").addEventListener("input", () => {
  filter.words = fold($("search").value).split(/\s+/).filter(Boolean);
  filter.apply();
});

$("search").addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "Enter") {
    event.preventDefault();
    list.move(0);
  }
});

for (const chip of document.querySelectorAll("[data-filter]")) chip.addEventListener("click", () => {
  const name = chip.dataset.filter;
  if (!filter.flags.delete(name)) filter.flags.add(name);
  filter.showChips();
  filter.apply();
});

for (const [id, name] of [["by-source", "source"], ["by-control",
  "control"]]) $(id).addEventListener("change", () => {
  filter[name] = $(id).value;
  filter.showChips();
  filter.apply();
});

$("clear").addEventListener("click", () => { filter.clear(); $("search").focus(); });
$("nothing-clear").addEventListener("click", () => { filter.clear(); $("search").focus(); });
$("show-changes").addEventListener("click", () => panel.showChanges());
$("undo").addEventListener("click", () => undo());
$("export").addEventListener("click", () => dialogs.exportBundle());
$("import").addEventListener("click", () => dialogs.importBundle());
$("reset-all").addEventListener("click", () => dialogs.confirmReset({ command: "reset-all" },
  "Reset all flags?"));
$("keys").addEventListener("click", () => dialogs.keys());
document.addEventListener("click", (event) => {
  if (!$("menu").contains(event.target)) $("menu").open = false; });
narrow.addEventListener("change", () => { if (store.snapshot) { panel.fit(); panel.draw(); } });

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("input:not([type=radio], [type=checkbox]), textarea, select");
  if ($("dialog").open) return;
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    if (narrow.matches && panel.isOpen) panel.close();
    $("search").focus();
    $("search").select();
  } else if (event.key === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !isTyping) {
    event.preventDefault();
    undo();
  } else if (event.key === "Escape") {
    if ($("menu").open) { $("menu").open = false; $("menu").firstElementChild.focus(); }
    else if (panel.flag || (narrow.matches && panel.isOpen)) panel.close();
    else if (!filter.isEmpty) filter.clear();
  }
});

connection.watch();
connection.open();

// For the developer console of the browser, and for tests.
Object.assign(globalThis, { tackline: { store, list, filter, panel, editor, page } });

"""##
}
#endif
