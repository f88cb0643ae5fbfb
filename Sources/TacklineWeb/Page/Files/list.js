import { $, button, element, memory, picture, plural, setText, sourceName } from "./elements.js";
import { store } from "./store.js";
import { bundles } from "./bundles.js";
import { editor } from "./editor.js";
import { filter } from "./filter.js";

// The list of all flags. Every flag has a row; the browser lays out only those in view (`content-visibility`).
export const list = {
  /** The rows by the id of their flag. */
  rows: new Map(),
  blocks: [],
  /** The ids of the flags that are shown, in order. */
  order: [],
  /** The flag that the Tab key leads to. */
  current: null,
  /** The flag whose details are shown. */
  opened: null,
  folded: new Set(JSON.parse(memory.get("folded", sessionStorage) || "[]")),
  outline: "",

  /** Shows the snapshot. Returns the flags that have changed since the one before. */
  show() {
    const { snapshot } = store;
    const outline = JSON.stringify([snapshot.sections.map(({ providers, ...rest }) => rest), snapshot.flags.map((flag) => flag.id)]);
    const changed = [];
    if (outline !== this.outline) {
      this.outline = outline;
      this.build(snapshot);
    } else {
      for (const flag of snapshot.flags) {
        const row = this.rows.get(flag.id);
        const isSame = row.flag === flag || JSON.stringify(row.flag) === JSON.stringify(flag);
        row.flag = flag;
        if (isSame) continue;
        changed.push(flag);
        this.fill(row, flag);
      }
    }
    for (const { chain, id } of this.blocks) {
      chain?.replaceChildren(...store.sections.get(id).providers.map((one) => element("li", {},
        element("span", { class: one.isReady ? "" : "down", title: one.status }, one.isReady ? one.id : `${one.id}: ${one.status}`))));
    }
    this.apply();
    return changed;
  },

  build({ sections, flags }) {
    this.rows.clear();
    this.blocks = [];
    const byGroup = Map.groupBy(flags, (flag) => flag.group ?? flag.section);
    const roots = sections.map((section) => {
      const block = this.block("h2", "section", section, section.title, byGroup);
      block.chain = element("ol", { class: "chain", "aria-label": "Providers, in the order in which they are asked" });
      block.head.append(block.chain);
      const titles = new Map();
      for (const group of section.groups) {
        titles.set(group.id, group.parent && titles.has(group.parent) ? `${titles.get(group.parent)} › ${group.title}` : group.title);
        const inner = this.block("h3", "group", group, titles.get(group.id), byGroup);
        inner.parent = block;
        block.root.append(inner.root);
      }
      return block.root;
    });
    $("sections").replaceChildren(...roots);
  },

  block(level, name, { id, description }, title, byGroup) {
    const tally = element("span", { class: "tally" });
    const reset = button("Reset", { class: "link", hidden: true, "aria-label": `Reset all of ${title}` },
      () => bundles.confirmReset({ resetAll: { group: id } }, `Reset all of ${title}?`));
    const fold = button(title, { class: "fold", "aria-expanded": "true" }, () => this.fold([block], !this.folded.has(id)));
    fold.prepend(picture("m7 5 6 5-6 5z"));
    const head = element("header", {}, element("div", { class: "heading" }, element(level, {}, fold), tally, reset),
      description && element("p", { class: "about" }, description));
    const rows = (byGroup.get(id) ?? []).map((flag) => this.row(flag));
    const items = element("ul", { class: "rows" }, ...rows.map((row) => row.root));
    const root = element("section", { class: name, "aria-label": title }, head, items);
    const block = { id, root, head, items, tally, reset, fold, rows, parent: null };
    this.blocks.push(block);
    return block;
  },

  row(flag) {
    const root = $("row").content.firstElementChild.cloneNode(true);
    root.dataset.id = flag.id;
    const open = root.firstElementChild, what = open.firstElementChild, answer = open.lastElementChild;
    const title = what.firstElementChild, name = title.firstElementChild;
    const row = { id: flag.id, root, open, toggle: root.lastElementChild, name, key: name.nextElementSibling,
      badges: title.lastElementChild, description: what.lastElementChild, value: answer.firstElementChild,
      badge: answer.lastElementChild, flag };
    this.rows.set(flag.id, row);
    this.fill(row, flag);
    return row;
  },

  fill(row, flag) {
    const isRefused = flag.answers.some((answer) => answer.outcome === "refused");
    setText(row.name, flag.name);
    setText(row.key, flag.key);
    setText(row.description, flag.description);
    setText(row.value, flag.value.text);
    row.value.title = flag.value.text;
    setText(row.badge, sourceName(flag.source));
    row.badge.className = flag.source.kind === "default" ? "badge plain" : store.isOverride(flag) ? "badge override" : "badge";
    const badges = [[isRefused, "bad", "refused value"], [flag.isExpired, "warn", "expired"],
      [flag.metadata.isLocked, "", "locked"], [flag.metadata.isInternal, "", "internal"],
      [editor.drafts.has(flag.id), "warn", "not set yet"]].filter(([isOn]) => isOn);
    if (badges.length > 0 || row.badges.firstChild) {
      row.badges.replaceChildren(...badges.map(([, kind, text]) => element("span", { class: `badge ${kind}` }, text)));
    }
    const isSwitch = flag.control.kind === "toggle" && flag.value.kind === "bool";
    row.root.classList.toggle("bool", isSwitch);
    row.toggle.hidden = !isSwitch;
    row.toggle.setAttribute("aria-label", flag.name);
    row.toggle.setAttribute("aria-checked", flag.value.input);
    row.toggle.disabled = Boolean(store.refusal(flag)) || !store.isLive;
  },

  /** Fills the rows of flags again, such as those of a flag with a draft. */
  update(ids) {
    for (const id of ids) if (this.rows.has(id)) this.fill(this.rows.get(id), store.flags.get(id));
  },

  /** Shows which flags match the filter. */
  apply() {
    const { flags } = store.snapshot;
    const { matches, isEmpty } = filter;
    filter.show(flags);
    this.order = [];
    for (const block of this.blocks) {
      const shown = block.rows.filter(({ id, root }) => {
        const isShown = isEmpty || matches(store.flags.get(id));
        if (root.hidden === isShown) root.hidden = !isShown;
        return isShown;
      });
      const isFolded = isEmpty && [block.id, block.parent?.id].some((id) => this.folded.has(id));
      block.count = shown.length;
      block.fold.setAttribute("aria-expanded", String(!isFolded));
      block.items.hidden = isFolded || shown.length === 0;
      if (block.parent) block.root.hidden = shown.length === 0 || isEmpty && this.folded.has(block.parent.id);
      if (!isFolded) this.order.push(...shown.map((row) => row.id));
      setText(block.tally, shown.length === block.rows.length ? String(shown.length) : `${shown.length} of ${block.rows.length}`);
    }
    for (const block of this.blocks) {
      const inner = this.blocks.filter((one) => one === block || one.parent === block);
      if (!block.parent) block.root.hidden = !isEmpty && inner.every((one) => one.count === 0);
      block.reset.hidden = !inner.some((one) => one.rows.some(({ id }) => store.flags.get(id).isOverridden));
      block.reset.disabled = !store.isLive;
    }
    setText($("tally"), isEmpty ? plural(flags.length, "flag") : `${plural(this.order.length, "flag")} of ${flags.length}`);
    $("nothing").hidden = isEmpty || this.order.length > 0;
    const hadFocus = document.activeElement?.closest(".row[hidden]");
    if (!this.order.includes(this.current)) this.mark(this.order[0] ?? null); else this.mark(this.current);
    if (hadFocus) this.rows.get(this.current)?.open.focus({ preventScroll: true });
  },

  fold(blocks, isFolded) {
    for (const { id } of blocks) if (isFolded) this.folded.add(id); else this.folded.delete(id);
    memory.set("folded", JSON.stringify([...this.folded]), sessionStorage);
    this.apply();
  },

  // Only the current row is in the order of Tab; the arrow keys move it.
  mark(id) {
    const stop = (row, isStop) => {
      row.open.tabIndex = row.toggle.tabIndex = isStop ? 0 : -1;
      row.root.classList.toggle("current", isStop && this.opened === row.id);
    };
    if (this.rows.has(this.current)) stop(this.rows.get(this.current), false);
    this.current = id;
    if (this.rows.has(id)) stop(this.rows.get(id), true);
  },

  move(step) {
    const to = Math.max(0, Math.min(this.order.length - 1, this.order.indexOf(this.current) + step));
    if (this.order.length > 0) this.focus(this.order[to]);
  },

  /** Brings the row of a flag into view. */
  reveal(id) {
    const row = this.rows.get(id);
    if (!row) return;
    const block = this.blocks.find((one) => one.rows.includes(row));
    if (!this.order.includes(id) && filter.isEmpty) this.fold([block, block.parent].filter(Boolean), false);
    this.mark(id);
    row.root.scrollIntoView({ block: "nearest" });
  },

  focus(id) {
    this.reveal(id);
    this.rows.get(id)?.open.focus({ preventScroll: true });
  },

  flash(flags) {
    for (const { id } of flags) {
      const { classList } = this.rows.get(id).root;
      classList.remove("fresh");
      requestAnimationFrame(() => classList.add("fresh"));
    }
  },
};
