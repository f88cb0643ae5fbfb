import { $, element, moment, plural, setText } from "./elements.js";
import { connection } from "./connection.js";
import { decoded, linkWith } from "./links.js";
import { copy, toast } from "./messages.js";
import { showDialog } from "./dialogs.js";
import { act } from "./commands.js";
import { texts } from "./texts.js";

// Dialogs that show what would become different: resets and bundles.
export const bundles = {
  async confirmReset(command, title) {
    let foresight;
    try { foresight = await connection.ask("api/preview", command); } catch (error) {
      return toast(error.message, { isBad: true }); }
    const isEmpty = !foresight.changesAnything;
    showDialog(title, [element("p", {}, foresight.message), !isEmpty && element("p", {}, "You can undo it."),
      !isEmpty && element("div", { class: "differences", tabindex: "0", role: "region",
        "aria-label": "What would be removed" }, this.differences(foresight.differences))],
      isEmpty ? [] : [{ label: texts.reset, kind: "danger", id: "confirm", act: (close) => {
        close(); act(command); } }]);
  },

  async exportBundle() {
    $("menu").open = false;
    try {
      const reply = await connection.ask("api/command", { command: "export-bundle" });
      if (!reply.bundle) return toast(reply.message);
      const url = URL.createObjectURL(new Blob([reply.bundle], { type: "application/json" }));
      const area = element("textarea", { class: "mono", rows: "12", readonly: true, "aria-label": "Bundle" });
      area.value = reply.bundle;
      const link = linkWith(reply.bundle);
      // Longer ones do not survive every chat.
      const isShort = link.length <= 8000;
      const dialog = showDialog(texts.share, [
        element("p", {}, reply.message, " ", isShort
          ? "Whoever opens the link sees what would become different before anything does. Only those who may open this "
            + "console can."
          : "They are too many for a link: send the file."), area],
      [{ label: "Copy link", disabled: !isShort, id: "copy-link", act: (_, button) => copy(link, button) },
        { label: "Copy", act: (_, button) => copy(reply.bundle, button) },
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
          foresight = await connection.ask("api/preview", command());
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
    showDialog(texts.importTitle, [
      element("p", {}, "Paste a bundle or a link that somebody shared, or choose a file. All of it is taken, or nothing."),
      file, element("div", { class: "field" }, element("label", { for: "bundle" }, texts.bundle), area),
      element("label", { class: "check" }, replace, texts.replaceOthers), says, differences,
    ], [{ label: texts.importNow, kind: "primary", id: "confirm-import", disabled: true, act: async (close) => {
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
};
