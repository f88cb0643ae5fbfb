import { $, copy, element, fail, moment, plural, setText, showDialog, toast } from "./elements.js";
import { act, ask } from "./store.js";

// Dialogs that show what a reset or a bundle would change.
export const bundles = {
  async confirmReset(command, title) {
    let preview;
    try { preview = await ask("api/preview", command); } catch (error) { return fail(error); }
    const canReset = preview.changesAnything;
    showDialog(title, [
      element("p", {}, preview.message), canReset && element("p", {}, "You can undo it."),
      canReset && region("What would be removed", differences(preview.differences)),
    ], canReset ? [{ label: "Reset", kind: "danger", id: "confirm", act: (close) => { close(); act(command); } }] : []);
  },

  async share() {
    let reply;
    try { reply = await ask("api/command", { command: { exportBundle: {} } }); } catch (error) { return fail(error); }
    if (!reply.bundle) return toast(reply.message);
    const url = URL.createObjectURL(new Blob([reply.bundle], { type: "application/json" }));
    const dialog = showDialog("Share overrides", [
      element("p", {}, reply.message),
      element("textarea", { class: "mono", rows: "12", readonly: true, "aria-label": "Bundle", value: reply.bundle }),
    ], [
      { label: "Copy", act: (_, pressed) => copy(reply.bundle, pressed) },
      { label: "Download", kind: "primary", act: () => element("a", { href: url, download: "overrides.json" }).click() },
    ], "Close");
    dialog.querySelector("textarea").scrollTop = 0;
    dialog.addEventListener("close", () => URL.revokeObjectURL(url), { once: true });
  },

  importBundle() {
    let number = 0;
    const area = element("textarea", { class: "mono", rows: "7", id: "bundle", spellcheck: "false",
      placeholder: "{ \"format\": \"tackline-overrides\", … }", "aria-describedby": "bundle-says",
      on: { input: () => look() } });
    const replaces = element("input", { type: "checkbox", on: { change: () => look() } });
    const file = element("input", { type: "file", accept: "application/json,.json", "aria-label": "File" });
    file.addEventListener("change", async () => { area.value = await file.files[0]?.text() ?? area.value; look(); });
    const says = element("p", { class: "foresight", id: "bundle-says", "aria-live": "polite", hidden: true });
    const changes = region("What would change", "");
    const say = (message, isWrong) => {
      says.hidden = !message;
      says.className = isWrong ? "foresight wrong" : "foresight";
      setText(says, message);
      if (isWrong) says.scrollIntoView({ block: "nearest" });
    };
    const command = () => ({ importBundle: { bundle: area.value.trim(), isReplacing: replaces.checked } });
    const look = async () => {
      const mine = ++number;
      let preview = null, error = null;
      if (area.value.trim()) try { preview = await ask("api/preview", command()); } catch (caught) { error = caught; }
      if (mine !== number || !area.isConnected) return;
      const found = preview?.differences ?? [];
      say(error?.message ?? (preview && found.length === 0 ? `${preview.message} All of it is so already.` : preview?.message ?? ""), error);
      changes.hidden = found.length === 0;
      changes.replaceChildren(differences(found));
      $("confirm").disabled = !preview;
    };
    showDialog("Import overrides", [
      element("p", {}, "Paste a bundle that somebody shared, or choose a file. All of it is taken, or nothing."),
      file, element("div", { class: "field" }, element("label", { for: "bundle" }, "Bundle"), area),
      element("label", { class: "check" }, replaces, "Remove all other overrides"), says, changes,
    ], [{ label: "Import", kind: "primary", id: "confirm", disabled: true, act: async (close) => {
      try { await act(command(), { rethrows: true }); close(); } catch (error) { say(error.message, true); }
    } }]);
    changes.hidden = true;
  },
};

const region = (label, child) => element("div", { class: "differences", tabindex: "0", role: "region", "aria-label": label }, child);

function differences(all) {
  const limit = 100;
  return element("ul", {}, ...all.slice(0, limit).map((one) => element("li", {}, element("span", { class: "key" }, one.key),
    element("span", { class: "mono" }, element("del", {}, one.old?.text ?? "nothing"), " → ",
      element("ins", {}, one.new?.text ?? "nothing")),
    one.expires && element("span", { class: "hint" }, `until ${moment(one.expires)}`))),
  all.length > limit && element("li", {}, `and ${plural(all.length - limit, "further flag")}`));
}
