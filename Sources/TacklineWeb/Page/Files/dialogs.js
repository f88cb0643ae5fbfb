import { $, element, setText } from "./elements.js";
import { connection } from "./connection.js";
import { panel } from "./panel.js";
import { act, toast } from "./page.js";

// Questions that have to be answered before something happens.
export const dialogs = {
  show(title, children, actions) {
    const dialog = $("dialog");
    const close = () => dialog.close();
    dialog.replaceChildren(element("form", { method: "dialog",
      on: { submit: (event) => event.preventDefault() } },
      element("h2", { id: "dialog-title" }, title), ...children,
      element("div", { class: "actions" }, element("button", { type: "button", on: { click: close } },
        actions.length ? "Cancel" : "Close"),
        ...actions.map(({ label, kind, id, disabled, act }) => element("button", { type: "button",
          class: kind, id, disabled, on: { click: () => act(close) } }, label)))));
    $("menu").open = false;
    dialog.showModal();
    return dialog;
  },

  async confirmReset(command, title) {
    let foresight;
    try { foresight = await connection.ask("/api/preview", command); } catch (error) {
      return toast(error.message, { isBad: true }); }
    const isEmpty = !foresight.changesAnything;
    this.show(title, [element("p", {}, foresight.message), !isEmpty && element("p", {},
      "You can undo it.")],
      isEmpty ? [] : [{ label: "Reset", kind: "danger", id: "confirm", act: (close) => {
        close(); act(command); } }]);
  },

  async exportBundle() {
    $("menu").open = false;
    try {
      const reply = await connection.ask("/api/command", { command: "export-bundle" });
      const url = URL.createObjectURL(new Blob([reply.bundle], { type: "application/json" }));
      const area = element("textarea", { class: "mono", rows: "12", readonly: true,
        "aria-label": "Bundle" });
      area.value = reply.bundle;
      const dialog = this.show("Export overrides", [element("p", {}, reply.message), area],
        [{ label: "Copy", act: () => panel.copy(reply.bundle, {}) },
          { label: "Download", kind: "primary", act: () => element("a",
            { href: url, download: "overrides.json" }).click() }]);
      dialog.addEventListener("close", () => URL.revokeObjectURL(url), { once: true });
    } catch (error) { toast(error.message, { isBad: true }); }
  },

  importBundle() {
    let number = 0;
    const area = element("textarea", { class: "mono", rows: "9", id: "bundle", spellcheck: "false",
      placeholder: "{ \"format\": \"tackline-overrides\", … }", "aria-describedby": "bundle-says", on: {
      input: () => look() } });
    const replace = element("input", { type: "checkbox", on: { change: () => look() } });
    const file = element("input", { type: "file", accept: "application/json,.json", "aria-label": "File",
      on: { change: async () => {
      if (!file.files[0]) return;
      area.value = await file.files[0].text();
      look();
    } } });
    const says = element("p", { class: "foresight", id: "bundle-says", "aria-live": "polite",
      hidden: true });
    const command = () => ({ command: "import-bundle", bundle: area.value,
      isReplacing: replace.checked });
    const look = async () => {
      const mine = ++number;
      const button = $("confirm-import");
      let message = "";
      let isGood = false;
      if (area.value.trim()) {
        try {
          const foresight = await connection.ask("/api/preview", command());
          message = foresight.message;
          isGood = true;
        } catch (error) { message = error.message; }
      }
      if (mine !== number) return;
      says.hidden = !message;
      says.className = isGood ? "foresight" : "foresight wrong";
      setText(says, message);
      button.disabled = !isGood;
    };
    this.show("Import overrides", [
      element("p", {}, 
        "Paste a bundle that was exported, or choose its file. All of it is taken, or nothing."),
      file, element("div", { class: "field check-below" }, element("label", { for: "bundle" }, "Bundle"),
        area),
      element("label", { class: "check" }, replace, "Remove all other overrides"), says,
    ], [{ label: "Import", kind: "primary", id: "confirm-import", disabled: true, act: async (close) => {
      try { await act(command(), { rethrows: true }); close(); } catch (error) {
        says.hidden = false; says.className = "foresight wrong"; setText(says, error.message); }
    } }]);
  },

  keys() {
    const lines = [["/", "Search"], ["↓ ↑", "Next and previous flag"], ["Home End",
      "First and last flag"], ["Enter", "Open the flag"],
      ["Space", "Flip the switch, when it has the focus"], ["Escape",
        "Close the details, then clear the search"], ["Ctrl Z", "Undo, outside of fields"]];
    this.show("Keyboard shortcuts", [element("dl", {}, ...lines.flatMap(([key, what]) => [
      element("dt", {}, ...key.split(" ").flatMap((one) => [element("kbd", { class: "key" }, one), " "])),
        element("dd", {}, what)]))], []);
  },
};
