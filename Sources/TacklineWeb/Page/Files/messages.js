import { $, element, setText } from "./elements.js";
import { texts } from "./texts.js";

// Short messages: seen for a while, or read aloud.

let toastTimer = 0;
export function toast(message, { isBad = false, undo = null } = {}) {
  clearTimeout(toastTimer);
  const box = element("div", { class: isBad ? "bad" : "" }, element("span", {}, message),
    undo && element("button", { type: "button", on: { click: () => { hide(); undo(); } } }, texts.undo),
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

/** Copies a text, and says so on the button. */
export async function copy(text, button) {
  if (!await isCopied(text, button)) {
    return toast(`The browser does not allow copying here. Select the text and copy it: ${text}`, { isBad: true });
  }
  announce("Copied.");
  button.textContent = "Copied";
}

// Over http, browsers have no clipboard for pages but that of the selection.
async function isCopied(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { /* Not allowed. */ }
  const field = element("textarea", { class: "visually-hidden", "aria-hidden": "true", tabindex: "-1" });
  field.value = text;
  // Beside the button, since a dialog lets nothing outside of it be selected.
  button.after(field);
  field.select();
  try { return document.execCommand("copy"); } catch { return false; } finally {
    field.remove();
    button.focus();
  }
}
