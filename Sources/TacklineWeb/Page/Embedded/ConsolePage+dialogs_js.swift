// Made by Tests/Browser/embed from Page/Files/dialogs.js.
// swift-format-ignore-file
#if Web
extension ConsolePage {
static let dialogs_js = ##"""
import { $, element, moment, plural, setText } from "./elements.js";
import { connection } from "./connection.js";
import { panel } from "./panel.js";
import { author } from "./store.js";
import { decoded, linkWith } from "./address.js";
import { act, toast } from "./page.js";

// Questions that have to be answered before something happens.
export const dialogs = {
  show(title, children, actions, cancel = actions.length ? "Cancel" : "Close", dialog = $("dialog")) {
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
  },

  // Asks whether what somebody has changed meanwhile shall be overwritten.
  askToOverwrite(error, overwrite, keep) {
    this.show("Somebody changed it meanwhile", [element("p", {}, error.message)], [
      { label: "Keep theirs", act: (close) => { close(); keep(); } },
      { label: "Overwrite", kind: "danger", id: "confirm", act: (close) => { close(); overwrite(); } }]);
  },

  // Asks for the name that others see, once; it can be changed later. Resolves when that is answered.
  askName(isAgain = false) {
    return new Promise((resolve) => {
      const field = element("input", { type: "text", id: "name", maxlength: "60", autocomplete: "name",
        value: author.name ?? "" });
      const done = (name) => { author.rename(name.trim()); resolve(); };
      const dialog = this.show("Your name", [
        element("p", {}, "Others who look at these flags see it beside what you change. It is kept in this browser."),
        element("div", { class: "field" }, element("label", { for: "name" }, "Name"), field),
      ], [{ label: isAgain ? "Save" : "Continue", kind: "primary", id: "confirm-name", isDefault: true,
        act: (close) => { done(field.value); close(); } }], isAgain ? "Cancel" : "Without a name", $("ask"));
      dialog.addEventListener("close", () => { if (isAgain) resolve(); else done(author.name ?? ""); }, { once: true });
      field.focus();
    });
  },

  async confirmReset(command, title) {
    let foresight;
    try { foresight = await connection.ask("/api/preview", command); } catch (error) {
      return toast(error.message, { isBad: true }); }
    const isEmpty = !foresight.changesAnything;
    this.show(title, [element("p", {}, foresight.message), !isEmpty && element("p", {}, "You can undo it."),
      !isEmpty && element("div", { class: "differences", tabindex: "0", role: "region",
        "aria-label": "What would be removed" }, this.differences(foresight.differences))],
      isEmpty ? [] : [{ label: "Reset", kind: "danger", id: "confirm", act: (close) => {
        close(); act(command); } }]);
  },

  async exportBundle() {
    $("menu").open = false;
    try {
      const reply = await connection.ask("/api/command", { command: "export-bundle" });
      const url = URL.createObjectURL(new Blob([reply.bundle], { type: "application/json" }));
      const area = element("textarea", { class: "mono", rows: "12", readonly: true, "aria-label": "Bundle" });
      area.value = reply.bundle;
      const link = linkWith(reply.bundle);
      // Longer ones do not survive every chat.
      const isShort = link.length <= 8000;
      const dialog = this.show("Share overrides", [
        element("p", {}, reply.message, " ", isShort
          ? "Whoever opens the link sees what would become different before anything does. Only those who may open this "
            + "console can."
          : "They are too many for a link: send the file."), area],
      [{ label: "Copy link", disabled: !isShort, id: "copy-link", act: (_, button) => panel.copy(link, button) },
        { label: "Copy", act: (_, button) => panel.copy(reply.bundle, button) },
        { label: "Download", kind: "primary",
          act: () => element("a", { href: url, download: "overrides.json" }).click() }], "Close");
      area.scrollTop = 0;
      dialog.addEventListener("close", () => URL.revokeObjectURL(url), { once: true });
    } catch (error) { toast(error.message, { isBad: true }); }
  },

  // Takes overrides in, and shows first what would become different.
  importBundle(bundle = "") {
    let number = 0;
    const area = element("textarea", { class: "mono", rows: "7", id: "bundle", spellcheck: "false",
      placeholder: "{ \"format\": \"tackline-overrides\", … }, or a link", "aria-describedby": "bundle-says",
      value: bundle, on: { input: () => look() } });
    const replace = element("input", { type: "checkbox", on: { change: () => look() } });
    const file = element("input", { type: "file", accept: "application/json,.json", "aria-label": "File",
      on: { change: async () => {
        if (!file.files[0]) return;
        area.value = await file.files[0].text();
        look();
      } } });
    const says = element("p", { class: "foresight", id: "bundle-says", "aria-live": "polite", hidden: true });
    const differences = element("div", { class: "differences", tabindex: "0", role: "region",
      "aria-label": "What would become different", hidden: true });
    const text = () => {
      const given = area.value.trim();
      return given.includes("#import=") ? decoded(given) ?? given : given;
    };
    const command = () => ({ command: "import-bundle", bundle: text(), isReplacing: replace.checked });
    const look = async () => {
      const mine = ++number;
      let foresight = null;
      let message = "";
      if (area.value.trim()) {
        try {
          foresight = await connection.ask("/api/preview", command());
          message = foresight.differences.length === 0 ? `${foresight.message} All of it is so already.`
            : foresight.message;
        } catch (error) { message = error.message; }
      }
      if (mine !== number || !$("confirm-import")) return;
      says.hidden = !message;
      says.className = foresight ? "foresight" : "foresight wrong";
      setText(says, message);
      differences.hidden = !foresight?.differences.length;
      differences.replaceChildren(...(foresight ? [this.differences(foresight.differences)] : []));
      $("confirm-import").disabled = !foresight;
    };
    this.show("Import overrides", [
      element("p", {}, "Paste a bundle or a link that somebody shared, or choose a file. All of it is taken, or nothing."),
      file, element("div", { class: "field" }, element("label", { for: "bundle" }, "Bundle or link"), area),
      element("label", { class: "check" }, replace, "Remove all other overrides"), says, differences,
    ], [{ label: "Import", kind: "primary", id: "confirm-import", disabled: true, act: async (close) => {
      try { await act(command(), { rethrows: true }); close(); } catch (error) {
        says.hidden = false; says.className = "foresight wrong"; setText(says, error.message);
        says.scrollIntoView({ block: "nearest" }); }
    } }]);
    if (bundle) look();
  },

  /** @param {import("./types.js").Difference[]} differences */
  differences(differences) {
    const shown = 100;
    return element("ul", {}, ...differences.slice(0, shown).map((one) => element("li", {},
      element("span", { class: "key" }, one.key),
      element("span", { class: "mono" }, element("del", {}, one.old?.text ?? "nothing"), " → ",
        element("ins", {}, one.new?.text ?? "nothing")),
      one.expires && element("span", { class: "hint" }, `until ${moment(one.expires)}`))),
    differences.length > shown && element("li", {}, `and ${plural(differences.length - shown, "further flag")}`));
  },

  keys() {
    const lines = [["/", "Search"], ["↓ ↑", "Next and previous flag"], ["Home End",
      "First and last flag"], ["Enter", "Open the flag"],
      ["Space", "Flip the switch, when it has the focus"], ["Escape",
        "Close the details, then clear the search"], ["Ctrl Z", "Undo what you did, outside of fields"], ["Ctrl Shift Z", "Do it again"]];
    this.show("Keyboard shortcuts", [element("dl", {}, ...lines.flatMap(([key, what]) => [
      element("dt", {}, ...key.split(" ").flatMap((one) => [element("kbd", { class: "key" }, one), " "])),
        element("dd", {}, what)]))], []);
  },
};

"""##
}
#endif
