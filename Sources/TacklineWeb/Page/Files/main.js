import { $, announce, element, memory, narrow, plural, setText, showDialog, sourceName, toast } from "./elements.js";
import { areOurs, flip, refresh, store, undo, watch } from "./store.js";
import { bundles } from "./bundles.js";
import { editor } from "./editor.js";
import { filter } from "./filter.js";
import { list } from "./list.js";
import { panel } from "./panel.js";

// MARK: The snapshot and the connection

let hasRead = false;
store.onSnapshot = () => {
  const { title, environment, isProduction } = store.snapshot;
  setText($("title"), title);
  setText($("environment"), environment);
  $("environment").hidden = false;
  $("environment").className = isProduction ? "badge bad" : "badge";
  const changed = list.show();
  if (!hasRead) {
    hasRead = true;
    readAddress();
  } else if (!areOurs() && changed.length > 0 && !document.hidden) {
    list.flash(changed);
    const [flag] = changed;
    announce(changed.length > 1 ? `${plural(changed.length, "flag")} changed.`
      : `${flag.name} is now ${flag.value.text}, from ${sourceName(flag.source)}.`);
  }
  panel.draw();
  showTitle();
  store.onConnection();
};

store.onConnection = () => {
  const { isLive, snapshot, isSignedOut } = store;
  $("status").className = `status ${isLive ? "live" : "lost"}`;
  setText($("status").lastElementChild, isLive ? "Live" : isSignedOut ? "Signed out" : "Connection lost");
  const notice = store.notice || snapshot?.readOnlyReason?.message || "";
  $("notice").hidden = !notice;
  setText($("notice"), notice);
  if (!snapshot) return;
  const last = store.undos.at(-1);
  $("undo").disabled = !last || !isLive;
  $("undo").title = last?.message ?? "You made no edit that can be undone";
  $("share").disabled = !isLive;
  for (const id of ["import", "reset-all"]) $(id).disabled = !isLive || Boolean(snapshot.readOnlyReason);
  if (document.body.classList.toggle("lost", !isLive) !== store.wasLost) {
    store.wasLost = !isLive;
    list.update(list.rows.keys());
    list.apply();
    panel.draw();
  }
};
editor.onDraft = (id) => list.update([id]);

// MARK: The address

// What the page shows is in its address, so that a link leads there, a reload stays there, and Back goes back.
let isReading = false;
function writeAddress(isNew) {
  if (isReading) return;
  const query = new URLSearchParams();
  if (list.opened) query.set("flag", list.opened);
  else if (panel.isOpen) query.set("tab", "changes");
  filter.write(query);
  const next = `${location.pathname}${query.size > 0 ? "?" : ""}${query}`;
  if (next !== location.pathname + location.search) history[isNew ? "pushState" : "replaceState"](null, "", next);
  showTitle();
}

function showTitle() {
  const name = store.flags.get(list.opened)?.name;
  document.title = name ? `${name} – ${store.snapshot.title}` : store.snapshot.title;
}

function readAddress() {
  const query = new URLSearchParams(location.search);
  const id = query.get("flag");
  isReading = true;
  filter.read(query);
  list.apply();
  if (store.flags.has(id)) {
    if (list.opened !== id) panel.open(id);
    list.reveal(id);
  } else if (query.get("tab") === "changes") panel.showChanges();
  else {
    panel.leave();
    if (id) toast(`There is no flag “${id}” here, perhaps not any more.`, { isBad: true });
  }
  isReading = false;
}

panel.onOpen = () => writeAddress(true);
addEventListener("popstate", () => { if (store.snapshot) readAddress(); });
narrow.addEventListener("change", () => { if (store.snapshot) panel.draw(); });

// MARK: Clicks and keys

$("sections").addEventListener("click", (event) => {
  const id = event.target.closest(".row")?.dataset.id;
  if (!id) return;
  if (event.target.closest(".switch")) { list.mark(id); flip(id); } else if (event.target.closest(".open")) panel.open(id);
});
$("sections").addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || !event.target.closest(".row")) return;
  const steps = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity, PageDown: 10, PageUp: -10 };
  if (!(event.key in steps)) return;
  event.preventDefault();
  list.move(steps[event.key]);
});

function refilter() {
  list.apply();
  writeAddress(false);
}
$("search").addEventListener("input", () => { filter.text = $("search").value; refilter(); });
$("search").addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown" && event.key !== "Enter") return;
  event.preventDefault();
  list.move(0);
});
for (const chip of document.querySelectorAll("[data-filter]")) chip.addEventListener("click", () => {
  const name = chip.dataset.filter;
  if (!filter.only.delete(name)) filter.only.add(name);
  refilter();
});
$("by-source").addEventListener("change", (event) => { filter.source = event.target.value; refilter(); });
$("by-control").addEventListener("change", (event) => { filter.control = event.target.value; refilter(); });
const clear = () => { filter.clear(); refilter(); $("search").focus(); };

const actions = {
  clear, "nothing-clear": clear, undo, share: () => bundles.share(),
  "show-changes": () => panel.showChanges(),
  import: () => bundles.importBundle(),
  "reset-all": () => bundles.confirmReset({ resetAll: {} }, "Reset all flags?"),
  rename: () => {
    const field = element("input", { type: "text", id: "name", maxlength: "60", autocomplete: "name", value: memory.get("name") });
    showDialog("Your name", [element("p", {}, "It stands beside your changes, for all who look at these flags."),
      element("div", { class: "field" }, element("label", { for: "name" }, "Name"), field)],
    [{ label: "Save", kind: "primary", isDefault: true, act: (close) => { memory.set("name", field.value.trim()); close(); } }]);
    field.focus();
  },
};
for (const [id, action] of Object.entries(actions)) $(id).addEventListener("click", () => { $("menu").open = false; action(); });
document.addEventListener("click", (event) => { if (!$("menu").contains(event.target)) $("menu").open = false; });

// While an input method composes text, keys aren't commands. Safari marks such keys with the key code 229 only.
addEventListener("keydown", (event) => { if (event.isComposing || event.keyCode === 229) event.stopPropagation(); }, true);
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("input:not([type=radio], [type=checkbox]), textarea, select");
  if ($("dialog").open || !store.snapshot) return;
  const isCommand = event.ctrlKey || event.metaKey;
  if (event.key === "/" && !isTyping && !isCommand) {
    event.preventDefault();
    if (narrow.matches && panel.isOpen) panel.close();
    $("search").focus();
    $("search").select();
  } else if (isCommand && !isTyping && !event.shiftKey && event.key.toLowerCase() === "z") {
    event.preventDefault();
    undo();
  } else if (event.key === "Escape") {
    if ($("menu").open) { $("menu").open = false; $("menu").firstElementChild.focus(); }
    else if (list.opened || (narrow.matches && panel.isOpen)) panel.close();
    else if (!filter.isEmpty) clear();
  }
});

// What was typed and not set would be lost.
addEventListener("beforeunload", (event) => { if (editor.drafts.size > 0) event.preventDefault(); });

watch();
refresh().catch(() => {});

// For the developer console of the browser, and for tests.
Object.assign(globalThis, { tackline: { store, list, filter, panel, editor, refresh } });
