import { $, element, picture, pictures, setText, sourceName } from "./elements.js";
import { store } from "./store.js";
import { connection } from "./connection.js";
import { fold } from "./filter.js";
import { panel } from "./panel.js";
import { dialogs } from "./dialogs.js";

// The list: one row for each flag, made once and then changed in place.
export const list = {
  rows: new Map(),
  order: [],
  blocks: [],
  current: null,

  // Whether the rows on the page are those of the snapshot.
  fits() {
    const flags = store.snapshot.flags;
    return flags.length === this.order.length && flags.every((flag,
      index) => this.order[index] === flag.id);
  },

  build() {
    const fragment = document.createDocumentFragment();
    this.rows.clear();
    this.order = store.snapshot.flags.map((flag) => flag.id);
    this.blocks = [];
    const lists = new Map();
    for (const section of store.snapshot.sections) {
      const block = this.section(section);
      fragment.append(block.root);
      lists.set(section.id, block);
      for (const group of section.groups) {
        const inner = this.group(group, section);
        block.root.append(inner.root);
        lists.set(group.id, inner);
      }
    }
    for (const flag of store.snapshot.flags) {
      const block = lists.get(flag.group ?? flag.section) ?? lists.get(flag.section);
      const row = this.row(flag);
      this.rows.set(flag.id, row);
      block.ids.push(flag.id);
      block.items.append(row.root);
    }
    $("sections").replaceChildren(fragment);
    if (!this.rows.has(this.current)) this.current = this.order[0] ?? null;
    this.mark();
  },

  section(section) {
    const block = this.block("h2", section.id, section.title);
    block.chain = element("ol", { class: "chain",
      "aria-label": "Providers, in the order in which they are asked" });
    block.root.className = "section";
    block.head.append(...(section.description ? [element("p", { class: "about" }, section.description)]
      : []), block.chain);
    this.showChain(block.chain, section);
    block.section = section.id;
    return block;
  },

  showChain(chain, section) {
    chain.replaceChildren(...section.providers.map((provider) => element("li", {},
      element("span", { class: provider.isReady ? "" : "down", title: provider.status },
        provider.isReady ? provider.id : `${provider.id}: ${provider.status}`))));
  },

  group(group, section) {
    const parents = [];
    for (let id = group.parent; id; id = section.groups.find((one) => one.id === id)?.parent) {
      parents.unshift(section.groups.find((one) => one.id === id)?.title);
    }
    const block = this.block("h3", group.id, [...parents.filter(Boolean), group.title].join(" › "));
    block.root.className = "group";
    if (group.description) block.head.append(element("p", { class: "about" }, group.description));
    return block;
  },

  block(level, id, title) {
    const tally = element("span", { class: "tally" });
    const reset = element("button", {
      type: "button", class: "link", hidden: true, on: { click: () => dialogs.confirmReset({
        command: "reset-group", group: id }, `Reset ${title}?`) },
    }, "Reset", element("span", { class: "visually-hidden" }, ` all of ${title}`));
    const head = element("header", {}, element("div", { class: "heading" }, element(level, {}, title),
      tally, reset));
    const items = element("ul", { class: "rows" });
    const root = element("section", { "aria-label": title }, head, items);
    const block = { id, root, head, items, tally, reset, ids: [] };
    this.blocks.push(block);
    return block;
  },

  row(flag) {
    const row = { id: flag.id, parts: {} };
    const parts = row.parts;
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
    row.root.dataset.id = flag.id;
    this.update(row, flag);
    return row;
  },

  update(row, flag) {
    const { parts, root } = row;
    const isBool = flag.control.kind === "toggle" && flag.value.kind === "bool";
    row.text = fold([flag.name, flag.key, flag.description, flag.metadata.owner,
      ...flag.metadata.tags].join(" "));
    setText(parts.name, flag.name);
    setText(parts.key, flag.key);
    setText(parts.description, flag.description);
    parts.description.hidden = !flag.description;
    setText(parts.value, flag.value.text);
    parts.value.title = flag.value.text;
    const isOverride = store.isOverrideLayer(flag);
    setText(parts.badge, flag.source.kind === "default" ? "default" : sourceName(flag.source));
    parts.badge.className = flag.source.kind === "default" ? "badge plain" : isOverride ? "badge override"
      : "badge";
    parts.open.setAttribute("aria-label", [`${flag.name}, ${flag.key}: ${flag.value.text}`,
      `from ${sourceName(flag.source)}`, flag.isPinned && "pinned", flag.isExpired && "expired"]
      .filter(Boolean).join(", "));
    this.toggleMark(parts, "pin", flag.isPinned, () => picture(pictures.pin, { class: "pin" }));
    this.toggleMark(parts, "expired", flag.isExpired, () => element("span", { class: "badge warn" },
      "expired"));
    this.toggleMark(parts, "locked", flag.metadata.isLocked, () => element("span", { class: "badge" },
      "locked"));
    this.toggleMark(parts, "internal", flag.metadata.isInternal, () => element("span", { class: "badge" },
      "internal"));
    root.classList.toggle("bool", isBool);
    if (isBool) {
      if (!parts.toggle) {
        parts.toggle = element("button", { type: "button", class: "switch", role: "switch",
          tabindex: "-1" });
        root.append(parts.toggle);
      }
      parts.toggle.setAttribute("aria-label", flag.name);
      parts.toggle.setAttribute("aria-checked", flag.value.input === "true");
      parts.toggle.disabled = Boolean(flag.refusal) || !connection.isLive;
    } else if (parts.toggle) {
      parts.toggle.remove();
      delete parts.toggle;
    }
    if (row.root.classList.contains("current")) this.mark();
  },

  toggleMark(parts, name, isOn, make) {
    if (Boolean(parts[name]) === Boolean(isOn)) return;
    if (isOn) { parts[name] = make(); parts.title.append(parts[name]); }
    else { parts[name].remove(); delete parts[name]; }
  },

  // Only the current row is in the order of Tab; the arrow keys move it.
  mark() {
    if (this.marked && this.marked !== this.rows.get(this.current)) this.setStop(this.marked, false);
    this.marked = this.rows.get(this.current);
    if (this.marked) this.setStop(this.marked, true);
  },

  setStop(row, isStop) {
    row.parts.open.tabIndex = isStop ? 0 : -1;
    if (row.parts.toggle) row.parts.toggle.tabIndex = isStop ? 0 : -1;
    row.root.classList.toggle("current", isStop && panel.flag === row.id);
  },

  move(step) {
    const visible = this.order.filter((id) => !this.rows.get(id).root.hidden);
    if (visible.length === 0) return;
    const from = visible.indexOf(this.current);
    const to = from < 0 ? 0 : Math.max(0, Math.min(visible.length - 1, from + step));
    this.focus(visible[to]);
  },

  focus(id) {
    const row = this.rows.get(id);
    if (!row) return;
    this.current = id;
    this.mark();
    row.parts.open.focus();
    row.parts.open.scrollIntoView({ block: "nearest" });
  },

  flash(ids) {
    for (const id of ids) {
      const root = this.rows.get(id)?.root;
      if (!root) continue;
      root.classList.remove("fresh");
      requestAnimationFrame(() => root.classList.add("fresh"));
    }
  },
};
