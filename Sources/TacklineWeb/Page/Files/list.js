import { $, element, picture, pictures, plural, setText, sourceName } from "./elements.js";
import { remember, remembered } from "./memory.js";
import { store } from "./store.js";
import { connection } from "./connection.js";
import { bundles } from "./bundles.js";
import { editor } from "./editor.js";
import { filter } from "./filter.js";
import { say, texts } from "./texts.js";

/** @typedef {import("./types.js").Flag} Flag */

// The list. Only the rows in view are elements, so that ten thousand flags cost what thirty do. Each knows its place among
// all (aria-posinset), and the one that has the focus stays an element wherever the page is scrolled to.
export const list = {
  /** The rows that are elements, by the id of their flag. @type {Map<string, any>} */
  rows: new Map(),
  /** Where a flag that is shown stands. @type {Map<string, { block: any, index: number }>} */
  places: new Map(),
  /** The ids of the flags that are shown, in their order. @type {string[]} */
  order: [],
  blocks: [],
  /** All flags in one block, where they are sorted. */
  flat: null,
  /** @type {string | null} */
  current: null,
  /** The flag whose details are shown. @type {string | null} */
  opened: null,
  folded: new Set(JSON.parse(remembered("folded", () => "[]", sessionStorage))),
  /** @type {string[]} */
  ids: [],
  height: 62,
  frame: 0,

  // Whether the blocks on the page are those of the snapshot.
  fits() {
    const { flags } = store.snapshot;
    return flags.length === this.ids.length && flags.every((flag, index) => this.ids[index] === flag.id);
  },

  build() {
    const fragment = document.createDocumentFragment();
    this.rows.clear();
    this.ids = store.snapshot.flags.map((flag) => flag.id);
    this.blocks = [];
    const lists = new Map();
    for (const section of store.snapshot.sections) {
      const block = this.section(section);
      fragment.append(block.root);
      lists.set(section.id, block);
      for (const group of section.groups) {
        const inner = this.group(group, section);
        inner.parent = block;
        block.root.append(inner.root);
        lists.set(group.id, inner);
      }
    }
    for (const flag of store.snapshot.flags) {
      (lists.get(flag.group ?? flag.section) ?? lists.get(flag.section)).ids.push(flag.id);
    }
    this.flat = this.block("h2", "", "All flags");
    this.flat.root.className = "section";
    this.flat.ids = this.ids;
    this.blocks.pop();
    fragment.append(this.flat.root);
    $("sections").replaceChildren(fragment);
    if (!store.flags.has(this.current)) this.current = this.ids[0] ?? null;
    this.measure();
  },

  section(section) {
    const block = this.block("h2", section.id, section.title);
    block.chain = element("ol", { class: "chain", "aria-label": "Providers, in the order in which they are asked" });
    block.root.className = "section";
    if (section.description) block.about.append(element("p", { class: "about" }, section.description));
    block.about.append(block.chain);
    this.showChain(block.chain, section);
    block.section = section.id;
    return block;
  },

  showChain(chain, section) {
    const text = JSON.stringify(section.providers);
    if (chain.dataset.providers === text) return;
    chain.dataset.providers = text;
    chain.replaceChildren(...section.providers.map((provider) => element("li", {},
      element("span", { class: provider.isReady ? "" : "down", title: provider.status },
        provider.isReady ? provider.id : `${provider.id}: ${provider.status}`))));
  },

  group(group, section) {
    const parents = [];
    const find = (id) => section.groups.find((one) => one.id === id);
    for (let id = group.parent; id; id = find(id)?.parent) parents.unshift(find(id)?.title);
    const block = this.block("h3", group.id, [...parents.filter(Boolean), group.title].join(" › "));
    block.root.className = "group";
    if (group.description) block.about.append(element("p", { class: "about" }, group.description));
    return block;
  },

  block(level, id, title) {
    const tally = element("span", { class: "tally" });
    const reset = element("button", {
      type: "button", class: "link", hidden: true,
      on: { click: () => bundles.confirmReset({ command: "reset-group", group: id }, say(texts.resetAll, title)) },
    }, texts.reset, element("span", { class: "visually-hidden" }, ` all of ${title}`));
    const fold = id && element("button", { type: "button", class: "fold", "aria-expanded": "true",
      on: { click: () => this.fold([block], !this.folded.has(id)) } }, picture(pictures.fold), title);
    const about = element("div", {});
    const head = element("header", {}, element("div", { class: "heading" }, element(level, {}, fold || title), tally,
      reset), about);
    const items = element("ul", { class: "rows" });
    const root = element("section", { "aria-label": title }, head, items);
    const block = { id, root, head, about, items, tally, reset, fold, parent: null, section: "", ids: [], shown: [],
      drawn: [] };
    this.blocks.push(block);
    return block;
  },

  // Folds blocks, or opens them.
  fold(blocks, isFolded) {
    for (const { id } of blocks) if (isFolded) this.folded.add(id); else this.folded.delete(id);
    remember("folded", JSON.stringify([...this.folded]), sessionStorage);
    this.apply();
  },

  isFolded(block) {
    return filter.isEmpty && (this.folded.has(block.id) || Boolean(block.parent && this.folded.has(block.parent.id)));
  },

  // Puts the flags that match into the blocks, with their numbers.
  apply() {
    const isEmpty = filter.isEmpty;
    let shown = 0;
    for (const block of this.blocks) {
      block.overridden = 0;
      block.shown = [];
      for (const id of block.ids) {
        const flag = store.flags.get(id);
        if (flag.isOverridden && !flag.refusal) block.overridden += 1;
        if (isEmpty || filter.matches(flag)) block.shown.push(id);
      }
      shown += block.shown.length;
      setText(block.tally, block.shown.length === block.ids.length ? String(block.ids.length)
        : `${block.shown.length} of ${block.ids.length}`);
      if (!block.section) block.root.hidden = block.shown.length === 0 || this.folded.has(block.parent?.id) && isEmpty;
    }
    // A section stands while anything in it does.
    let top = null;
    for (const block of this.blocks) {
      if (block.section) { top = block; top.total = 0; top.resettable = 0; }
      top.total += block.shown.length;
      top.resettable += block.overridden;
    }
    for (const block of this.blocks) {
      if (block.section) block.root.hidden = Boolean(filter.sort) || block.total === 0 && !isEmpty;
      block.reset.hidden = (block.section ? block.resettable : block.overridden) === 0;
      block.reset.disabled = !connection.isLive;
    }
    this.flat.root.hidden = !filter.sort || shown === 0;
    if (filter.sort) {
      this.flat.shown = filter.sorted(this.blocks.flatMap((block) => block.shown));
      setText(this.flat.tally, shown === this.ids.length ? String(shown) : `${shown} of ${this.ids.length}`);
    }
    const total = this.ids.length;
    setText($("tally"), isEmpty ? plural(total, "flag") : `${plural(shown, "flag")} of ${total}`);
    $("nothing").hidden = shown > 0 || isEmpty;
    $("clear").hidden = isEmpty;
    this.arrange();
  },

  // Takes over which flags are shown (apply has put them into the blocks), and draws those in view.
  arrange() {
    this.order = [];
    this.places.clear();
    for (const block of filter.sort ? [this.flat] : this.blocks) {
      const isFolded = this.isFolded(block);
      block.items.hidden = block.shown.length === 0 || isFolded;
      block.fold && block.fold.setAttribute("aria-expanded", String(!isFolded));
      if (block.items.hidden) continue;
      block.shown.forEach((id, index) => this.places.set(id, { block, index }));
      this.order.push(...block.shown);
    }
    if (!this.places.has(this.current)) this.current = this.order[0] ?? null;
    this.draw();
  },

  measure() {
    this.height = $("probe").getBoundingClientRect().height || 62;
  },

  // Draws soon, once for many reasons.
  wake() {
    this.frame ||= requestAnimationFrame(() => { this.frame = 0; this.draw(); });
  },

  draw() {
    const focused = document.activeElement?.closest(".row")?.dataset.id;
    const margin = this.height * 8;
    const wanted = new Map();
    for (const block of filter.sort ? [this.flat] : this.blocks) {
      if (block.items.hidden || block.root.hidden || (block.parent && block.parent.root.hidden)) continue;
      const height = `${block.shown.length * this.height}px`;
      if (block.items.style.height !== height) block.items.style.height = height;
      const { top } = block.items.getBoundingClientRect();
      const from = Math.max(0, Math.floor((-margin - top) / this.height));
      const to = Math.min(block.shown.length, Math.ceil((innerHeight + margin - top) / this.height));
      if (from < to) wanted.set(block, block.shown.slice(from, to));
    }
    for (const id of [this.current, focused]) {
      const place = this.places.get(id);
      if (!place) continue;
      const ids = wanted.get(place.block) ?? [];
      if (ids.includes(id)) continue;
      ids.push(id);
      wanted.set(place.block, ids.sort((one, other) => this.places.get(one).index - this.places.get(other).index));
    }
    const kept = new Set([...wanted.values()].flat());
    for (const [id, row] of this.rows) if (!kept.has(id)) { row.root.remove(); this.rows.delete(id); }
    for (const [block, ids] of wanted) {
      let next = block.items.firstElementChild;
      for (const id of ids) {
        const row = this.rows.get(id) ?? this.row(store.flags.get(id));
        const { index } = this.places.get(id);
        if (row.index !== index || row.count !== block.shown.length) {
          Object.assign(row, { index, count: block.shown.length });
          row.root.style.top = `${index * this.height}px`;
          row.root.setAttribute("aria-posinset", String(index + 1));
          row.root.setAttribute("aria-setsize", String(block.shown.length));
        }
        if (row.root === next) next = next.nextElementSibling;
        else block.items.insertBefore(row.root, next);
      }
    }
    this.mark();
    if (focused && !document.activeElement?.closest(".row")) {
      this.rows.get(focused)?.parts.open.focus({ preventScroll: true });
    }
  },

  row(flag) {
    const row = { id: flag.id, parts: {} };
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
    row.root.dataset.id = flag.id;
    this.rows.set(flag.id, row);
    this.fill(row, flag);
    return row;
  },

  // Brings the row of a flag up to date, if it is an element.
  update(flag) {
    const row = this.rows.get(flag.id);
    if (row) this.fill(row, flag);
  },

  /** @param {Flag} flag */
  fill(row, flag) {
    const { parts, root } = row;
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
    this.toggleMark(parts, "pin", flag.isPinned, () => picture(pictures.pin, { class: "pin" }));
    this.toggleMark(parts, "refused", refused.length > 0, () => element("span", { class: "badge bad" }, texts.hasRefusedValue));
    this.toggleMark(parts, "expired", flag.isExpired, () => element("span", { class: "badge warn" }, texts.isExpired));
    this.toggleMark(parts, "locked", flag.metadata.isLocked, () => element("span", { class: "badge" }, texts.isLocked));
    this.toggleMark(parts, "internal", flag.metadata.isInternal, () => element("span", { class: "badge" }, texts.isInternal));
    this.toggleMark(parts, "draft", hasDraft, () => element("span", { class: "badge warn" }, "not set yet"));
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
    if (this.marked === row) this.setStop(row, true);
  },

  toggleMark(parts, name, isOn, make) {
    if (Boolean(parts[name]) === Boolean(isOn)) return;
    if (isOn) { parts[name] = make(); parts.title.append(parts[name]); }
    else { parts[name].remove(); delete parts[name]; }
  },

  // Only the current row is in the order of Tab; the arrow keys move it.
  mark() {
    const row = this.rows.get(this.current);
    if (this.marked && this.marked !== row) this.setStop(this.marked, false);
    this.marked = row;
    if (row) this.setStop(row, true);
  },

  setStop(row, isStop) {
    row.parts.open.tabIndex = isStop ? 0 : -1;
    if (row.parts.toggle) row.parts.toggle.tabIndex = isStop ? 0 : -1;
    row.root.classList.toggle("current", isStop && this.opened === row.id);
  },

  move(step) {
    if (this.order.length === 0) return;
    const from = this.order.indexOf(this.current);
    const to = from < 0 ? 0 : Math.max(0, Math.min(this.order.length - 1, from + step));
    this.focus(this.order[to]);
  },

  // Brings a row into view.
  reveal(id) {
    const flag = store.flags.get(id);
    if (flag && !this.places.has(id) && filter.matches(flag)) {
      this.fold(this.blocks.filter((block) => block.id === flag.section || block.id === flag.group), false);
    }
    const place = this.places.get(id);
    if (!place) return;
    const top = place.block.items.getBoundingClientRect().top + place.index * this.height;
    const ceiling = document.querySelector("header.top").getBoundingClientRect().bottom + 8;
    const floor = innerHeight - 8 - this.height;
    if (top < ceiling) scrollBy(0, top - ceiling);
    else if (top > floor) scrollBy(0, top - floor);
    this.current = id;
    this.draw();
  },

  focus(id) {
    this.reveal(id);
    this.rows.get(id)?.parts.open.focus({ preventScroll: true });
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
