import { $, element } from "./elements.js";
import { author } from "./store.js";
import { texts } from "./texts.js";

// Questions that have to be answered before something happens.
export function showDialog(title, children, actions, cancel = actions.length ? texts.cancel : "Close", dialog = $("dialog")) {
  const main = actions.find((one) => one.isDefault);
  const close = () => dialog.close();
  dialog.replaceChildren(element("form", { method: "dialog",
    on: { submit: (event) => { event.preventDefault(); main?.act(close); } } },
    element("h2", { id: `${dialog.id}-title` }, title), ...children,
    element("div", { class: "actions" }, element("button", { type: "button", on: { click: close } },
      cancel),
      ...actions.map(({ label, kind, id, disabled, act }) => element("button", { type: "button",
        class: kind, id, disabled, on: { click: (event) => act(close, event.currentTarget) } }, label)))));
  $("menu").open = false;
  dialog.showModal();
  return dialog;
}

// Asks whether what somebody has changed meanwhile shall be overwritten.
export function askToOverwrite(error, overwrite, keep) {
  showDialog("Somebody changed it meanwhile", [element("p", {}, error.message)], [
    { label: "Keep theirs", act: (close) => { close(); keep(); } },
    { label: "Overwrite", kind: "danger", id: "confirm", act: (close) => { close(); overwrite(); } }]);
}

// Asks for the name that others see, once; it can be changed later. Resolves when that is answered.
export function askName(isAgain = false) {
  return new Promise((resolve) => {
    const field = element("input", { type: "text", id: "name", maxlength: "60", autocomplete: "name",
      value: author.name ?? "" });
    const done = (name) => { author.rename(name.trim()); resolve(); };
    const dialog = showDialog("Your name", [
      element("p", {}, "Others who look at these flags see it beside what you change. It is kept in this browser."),
      element("div", { class: "field" }, element("label", { for: "name" }, "Name"), field),
    ], [{ label: isAgain ? "Save" : "Continue", kind: "primary", id: "confirm-name", isDefault: true,
      act: (close) => { done(field.value); close(); } }], isAgain ? texts.cancel : "Without a name", $("ask"));
    dialog.addEventListener("close", () => { if (isAgain) resolve(); else done(author.name ?? ""); }, { once: true });
    field.focus();
  });
}

export function showKeys() {
  const lines = [["/", "Search"], ["↓ ↑", "Next and previous flag"], ["Home End",
    "First and last flag"], ["Enter", "Open the flag"],
    ["Space", "Flip the switch, when it has the focus"], ["Escape",
      "Close the details, then clear the search"], ["Ctrl Z", "Undo what you did, outside of fields"], ["Ctrl Shift Z", "Do it again"]];
  showDialog("Keyboard shortcuts", [element("dl", {}, ...lines.flatMap(([key, what]) => [
    element("dt", {}, ...key.split(" ").flatMap((one) => [element("kbd", { class: "key" }, one), " "])),
      element("dd", {}, what)]))], []);
}
