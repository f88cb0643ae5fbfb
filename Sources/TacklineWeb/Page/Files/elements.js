// Elements, short messages, dialogs, and what is read aloud. All are made of text, never of markup.
export const $ = (id) => document.getElementById(id);

export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") for (const [event, act] of Object.entries(value)) made.addEventListener(event, act);
    else if (name === "class") made.className = value;
    else if (name === "value" || name === "checked" || name === "disabled") made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return made;
}

/** A button that does nothing but call `act` with itself. */
export const button = (label, properties, act) =>
  element("button", { type: "button", ...properties, on: { click: (event) => act(event.currentTarget) } }, label);

export function picture(...paths) {
  const name = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(name, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  for (const d of paths) svg.appendChild(document.createElementNS(name, "path")).setAttribute("d", d);
  return svg;
}

/** Replaces what an element holds, and gives the focus to the part that is like the one that had it. */
export function replace(root, children) {
  const focused = root.contains(document.activeElement) ? document.activeElement : null;
  const label = (one) => one.id || one.getAttribute("aria-label") || one.textContent;
  root.replaceChildren(...children.filter(Boolean));
  if (!focused || root.contains(focused)) return;
  const same = [...root.querySelectorAll("button, input, a, summary")].find((one) => label(one) === label(focused));
  (same ?? $("panel")).focus({ preventScroll: true });
}

export const setText = (node, text) => { if (node.textContent !== text) node.textContent = text; };
export const plural = (count, one) => `${count} ${count === 1 ? one : `${one}s`}`;
export const sentence = (text) => (text ? text[0].toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? "" : ".") : "");
export const narrow = matchMedia("(max-width: 1020px)");

const momentary = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium", hourCycle: "h23" });
export const calendar = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });
export const time = (text) => element("time", { datetime: text }, clock.format(new Date(text)));

/** A moment in the time zone of whoever looks. */
export const moment = (text) => momentary.format(new Date(text));
export const { timeZone } = momentary.resolvedOptions();

/** The name of a value's source. */
export const sourceName = (source) => source.provider ?? { computed: "computed", scope: "current task" }[source.kind] ?? "default";

/** Storage that lasts as long as the page where the browser allows no other. */
export const memory = {
  get(name, storage = localStorage) { try { return storage.getItem(`tackline-${name}`) ?? ""; } catch { return ""; } },
  set(name, text, storage = localStorage) { try { storage.setItem(`tackline-${name}`, text); } catch { /* Not allowed. */ } },
};

let toastTimer = 0;
export function toast(message, { isBad = false, undo = null } = {}) {
  clearTimeout(toastTimer);
  const place = $("toast");
  const hide = () => { box.remove(); if (!place.firstChild && place.matches(":popover-open")) place.hidePopover(); };
  const box = element("div", { class: isBad ? "bad" : "" }, element("span", {}, message),
    undo && button("Undo", {}, () => { hide(); undo(); }),
    button("×", { class: "dismiss", "aria-label": "Dismiss" }, hide));
  place.replaceChildren(box);
  // In the top layer, so that no dialog and no panel hides it.
  if (place.matches(":popover-open")) place.hidePopover();
  place.showPopover();
  toastTimer = setTimeout(() => { if (!box.matches(":hover, :focus-within")) hide(); }, isBad ? 12000 : 6000);
}
export const fail = (error) => toast(error.message, { isBad: true });

let announceTimer = 0;
export function announce(text) {
  clearTimeout(announceTimer);
  announceTimer = setTimeout(() => setText($("announcer"), text), 300);
}

/** Copies a text, and says so on the button. Over http, only pages of this machine may. */
export async function copy(text, pressed) {
  try { await navigator.clipboard.writeText(text); } catch {
    return toast(`The browser does not allow copying here. Select the text and copy it: ${text}`, { isBad: true });
  }
  announce("Copied.");
  pressed.textContent = "Copied";
}

/** Shows a dialog. The actions get a function that closes it, and their button. */
export function showDialog(title, children, actions, cancel = actions.length > 0 ? "Cancel" : "Close") {
  const dialog = $("dialog");
  const close = () => dialog.close();
  const buttons = actions.map(({ label, kind, id, disabled, act }) =>
    button(label, { class: kind, id, disabled }, (pressed) => act(close, pressed)));
  const submit = (event) => { event.preventDefault(); actions.find((one) => one.isDefault)?.act(close); };
  dialog.replaceChildren(element("form", { method: "dialog", on: { submit } },
    element("h2", { id: "dialog-title" }, title), ...children,
    element("div", { class: "actions" }, button(cancel, {}, close), ...buttons)));
  $("menu").open = false;
  dialog.showModal();
  return dialog;
}
