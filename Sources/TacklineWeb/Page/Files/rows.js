import { element, picture, pictures, setText, sourceName } from "./elements.js";
import { store } from "./store.js";
import { connection } from "./connection.js";
import { editor } from "./editor.js";
import { texts } from "./texts.js";

/** @typedef {import("./types.js").Flag} Flag */

// The rows of the list.
export const rows = {
  /** Makes the row of a flag, which may not be there yet. @param {string} id */
  make(id) {
    const row = { id, parts: {} };
    const { parts } = row;
    parts.name = element("span", { class: "name" });
    parts.key = element("span", { class: "key" });
    parts.title = element("span", { class: "title" }, parts.name, parts.key);
    parts.description = element("span", { class: "description" });
    parts.value = element("span", { class: "value" });
    parts.badge = element("span", { class: "badge" });
    parts.open = element("button", { type: "button", class: "open", tabindex: "-1" },
      element("span", { class: "what" }, parts.title, parts.description),
      element("span", { class: "answer" }, parts.value, parts.badge));
    row.root = element("li", { class: "row" }, parts.open);
    row.root.dataset.id = id;
    const flag = store.flags.get(id);
    if (flag) this.fill(row, flag);
    else {
      setText(parts.name, texts.loading);
      parts.open.setAttribute("aria-label", texts.loading);
    }
    return row;
  },

  /** @param {Flag} flag */
  fill({ parts, root }, flag) {
    const isBool = flag.control.kind === "toggle" && flag.value.kind === "bool";
    setText(parts.name, flag.name);
    setText(parts.key, flag.key);
    setText(parts.description, flag.description);
    parts.description.hidden = !flag.description;
    setText(parts.value, flag.value.text);
    parts.value.title = flag.value.text;
    const isOverride = store.isOverrideLayer(flag);
    setText(parts.badge, sourceName(flag.source));
    parts.badge.className = flag.source.kind === "default" ? "badge plain" : isOverride ? "badge override" : "badge";
    const refused = flag.answers.filter((answer) => answer.outcome === "refused").map((answer) => answer.provider);
    const hasDraft = editor.drafts.has(flag.id);
    parts.open.setAttribute("aria-label", [`${flag.name}, ${flag.key}: ${flag.value.text}`,
      `from ${sourceName(flag.source)}`, flag.isPinned && "pinned", flag.isExpired && texts.isExpired,
      refused.length > 0 && `a value of ${refused.join(" and ")} is refused`, hasDraft && "with an edit that is not set"]
      .filter(Boolean).join(", "));
    this.mark(parts, "pin", flag.isPinned, () => picture(pictures.pin, { class: "pin" }));
    this.mark(parts, "refused", refused.length > 0, () => element("span", { class: "badge bad" }, texts.hasRefusedValue));
    this.mark(parts, "expired", flag.isExpired, () => element("span", { class: "badge warn" }, texts.isExpired));
    this.mark(parts, "locked", flag.metadata.isLocked, () => element("span", { class: "badge" }, texts.isLocked));
    this.mark(parts, "internal", flag.metadata.isInternal, () => element("span", { class: "badge" }, texts.isInternal));
    this.mark(parts, "draft", hasDraft, () => element("span", { class: "badge warn" }, "not set yet"));
    root.classList.toggle("bool", isBool);
    if (isBool) {
      if (!parts.toggle) {
        parts.toggle = element("button", { type: "button", class: "switch", role: "switch", tabindex: "-1" });
        root.append(parts.toggle);
      }
      parts.toggle.setAttribute("aria-label", flag.name);
      parts.toggle.setAttribute("aria-checked", flag.value.input === "true");
      parts.toggle.disabled = Boolean(flag.refusal) || !connection.isLive;
    } else if (parts.toggle) {
      parts.toggle.remove();
      delete parts.toggle;
    }
  },

  // Shows a mark beside the name, or removes it.
  mark(parts, name, isOn, make) {
    if (Boolean(parts[name]) === Boolean(isOn)) return;
    if (isOn) { parts[name] = make(); parts.title.append(parts[name]); }
    else { parts[name].remove(); delete parts[name]; }
  },
};
