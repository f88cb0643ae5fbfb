import { $, button, element, setText } from "./elements.js";

// Short messages, dialogs, and what is read aloud.

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
  const main = actions.find((one) => one.isDefault);
  const buttons = actions.map(({ label, kind, id, disabled, act }) =>
    button(label, { class: kind, id, disabled }, (pressed) => act(close, pressed)));
  const submit = (event) => { event.preventDefault(); main?.act(close); };
  dialog.replaceChildren(element("form", { method: "dialog", on: { submit } },
    element("h2", { id: "dialog-title" }, title), ...children,
    element("div", { class: "actions" }, button(cancel, {}, close), ...buttons)));
  $("menu").open = false;
  dialog.showModal();
  return dialog;
}
