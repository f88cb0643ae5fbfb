import { $, element, picture, pictures, plural, setText } from "./elements.js";
import { remember, remembered } from "./memory.js";
import { store } from "./store.js";
import { connection } from "./connection.js";
import { bundles } from "./bundles.js";
import { filter } from "./filter.js";
import { toast } from "./messages.js";
import { rows } from "./rows.js";
import { say, texts } from "./texts.js";

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
  /** What stands above the flags. */
  headings: "",
  /** Whether a filter leaves flags out of the list. */
  isFiltered: false,
  /** What the program put under each heading, by its id. @type {Map<string, import("./types.js").Part>} */
  parts: new Map(),
  /** The numbers beside the headings, by their id. @type {Map<string, { flags: number, overridden: number }>} */
  numbers: new Map(),
  asking: null,
  isOutdated: false,
  loading: null,
  /** The flags to fetch next. @type {Set<string>} */
  wanted: new Set(),
  height: 62,
  frame: 0,

  // Whether the blocks on the page are those of the flags.
  fits() {
    return this.headings === this.headingsOf(store.snapshot) && store.ids.length === this.ids.length
      && store.ids.every((id, index) => this.ids[index] === id);
  },

  headingsOf({ sections }) {
    return JSON.stringify(sections.map(({ id, title, description, groups }) => [id, title, description, groups]));
  },

  build() {
    const fragment = document.createDocumentFragment();
    this.rows.clear();
    this.ids = store.ids;
    this.headings = this.headingsOf(store.snapshot);
    this.blocks = [];
    for (const section of store.snapshot.sections) {
      const block = this.section(section);
      fragment.append(block.root);
      for (const group of section.groups) {
        const inner = this.group(group, section);
        inner.parent = block;
        block.root.append(inner.root);
      }
    }
    this.flat = this.block("h2", "", "");
    this.flat.root.className = "section";
    this.blocks.pop();
    fragment.append(this.flat.root);
    $("sections").replaceChildren(fragment);
    if (!store.known.has(this.current)) this.current = this.ids[0] ?? null;
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
    const name = element(level, {}, fold || title);
    const head = element("header", {}, element("div", { class: "heading" }, name, tally, reset), about);
    const items = element("ul", { class: "rows" });
    const root = element("section", { "aria-label": title }, head, items);
    const block = { id, root, head, name, about, items, tally, reset, fold, parent: null, section: "", shown: [] };
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
    return !this.isFiltered && (this.folded.has(block.id) || Boolean(block.parent && this.folded.has(block.parent.id)));
  },

  // Asks the program which flags match, once for many reasons. Returns when the list is the newest.
  ask() {
    // The first list comes with everything.
    if (!store.snapshot) return Promise.resolve();
    this.isOutdated = true;
    this.asking ??= this.askUntilNewest().finally(() => { this.asking = null; });
    return this.asking;
  },

  async askUntilNewest() {
    while (this.isOutdated) {
      this.isOutdated = false;
      const isFiltered = !filter.isEmpty;
      let answer;
      try { answer = await connection.ask("api/list", { filter: filter.query }); } catch (error) {
        return this.soon(error, () => this.ask());
      }
      // Places among other flags would show the wrong ones.
      if (answer.layout !== store.layout) return connection.fetchAll();
      store.put(answer.flags, answer.version);
      this.take(answer, isFiltered);
    }
  },

  // Takes over which flags match.
  take({ parts, groups, facets }, isFiltered) {
    this.isFiltered = isFiltered;
    this.parts = new Map(parts.map((part) => [part.id, part]));
    this.numbers = new Map(groups.map((group) => [group.id, group]));
    if (facets.length > 0) filter.refresh(facets);
    this.apply();
  },

  // The ids at places such as `0-9,12`.
  idsAt(places) {
    return places.split(",").flatMap((range) => {
      const [first, last = first] = range.split("-").map(Number);
      return this.ids.slice(first, last + 1);
    });
  },

  // Puts the flags that match into the blocks, with their numbers.
  apply() {
    const { isFiltered } = this;
    const all = this.ids.length;
    const whole = this.parts.get("found") ?? this.parts.get("all");
    let shown = 0;
    let top = null;
    for (const block of [...this.blocks, this.flat]) {
      const part = block === this.flat ? whole : this.parts.get(block.id);
      const total = block === this.flat ? all : this.numbers.get(block.id)?.flags ?? 0;
      block.shown = part ? this.idsAt(part.places) : [];
      block.overridden = this.numbers.get(block.id)?.overridden ?? 0;
      shown += block.shown.length;
      setText(block.tally, block.shown.length === total ? String(total) : `${block.shown.length} of ${total}`);
      if (block === this.flat) continue;
      if (block.section) { top = block; top.total = 0; top.resettable = 0; }
      else block.root.hidden = block.shown.length === 0 || this.folded.has(block.parent?.id) && !isFiltered;
      top.total += block.shown.length;
      top.resettable += block.overridden;
    }
    // A section stands while anything in it does.
    for (const block of this.blocks) {
      if (block.section) block.root.hidden = Boolean(whole) || block.total === 0 && isFiltered;
      block.reset.hidden = (block.section ? block.resettable : block.overridden) === 0;
      block.reset.disabled = !connection.isLive;
    }
    this.flat.root.hidden = !whole;
    setText(this.flat.name, whole?.title ?? "");
    this.flat.root.setAttribute("aria-label", whole?.title ?? "");
    setText($("tally"), isFiltered ? `${plural(shown, "flag")} of ${all}` : plural(all, "flag"));
    $("nothing").hidden = shown > 0 || !isFiltered;
    $("clear").hidden = !isFiltered;
    this.arrange();
  },

  // Takes over which flags are shown (apply has put them into the blocks), and draws those in view.
  arrange() {
    this.order = [];
    this.places.clear();
    for (const block of this.flat.root.hidden ? this.blocks : [this.flat]) {
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
    const active = document.activeElement;
    const focused = active?.closest(".row")?.dataset.id;
    const margin = this.height * 8;
    const wanted = new Map();
    for (const block of this.flat.root.hidden ? this.blocks : [this.flat]) {
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
        const row = this.rows.get(id) ?? this.row(id);
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
    this.load([...kept].filter((id) => !store.flags.has(id)));
    this.mark();
    if (!focused || document.activeElement === active) return;
    // A row that moves keeps the focus; of one that is gone, the row that is now the current one gets it.
    const { parts } = this.rows.get(focused) ?? this.rows.get(this.current) ?? {};
    (active.matches(".switch") && parts?.toggle || parts?.open)?.focus({ preventScroll: true });
  },

  // Fetches flags that come into view, all that are wanted meanwhile with the next request. Returns when they are there.
  load(ids) {
    // The last that were wanted are in view.
    for (const id of ids) { this.wanted.delete(id); this.wanted.add(id); }
    if (this.wanted.size === 0) return this.loading ?? Promise.resolve();
    this.loading ??= this.loadWanted().finally(() => { this.loading = null; });
    return this.loading;
  },

  async loadWanted() {
    while (this.wanted.size > 0) {
      const ids = [...this.wanted].slice(-200);
      this.wanted.clear();
      let answer;
      try { answer = await connection.ask("api/flags", ids); } catch (error) {
        return this.soon(error, () => this.draw());
      }
      store.put(answer.flags, answer.version);
      for (const flag of answer.flags) this.update(store.flags.get(flag.id));
    }
  },

  // Does again what the program refused, because it was busy. Where the connection is lost, everything is fetched anew
  // with the next one.
  soon(error, act) {
    if (error.code !== "connection") toast(error.message, { isBad: true });
    else if (connection.isLive) setTimeout(act, 1000);
  },

  row(id) {
    const row = rows.make(id);
    this.rows.set(id, row);
    return row;
  },

  // Brings the row of a flag up to date, if it is an element.
  update(flag) {
    const row = this.rows.get(flag.id);
    if (!row) return;
    rows.fill(row, flag);
    if (this.marked === row) this.setStop(row, true);
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
    if (!this.places.has(id) && !this.isFiltered) {
      const block = this.blocks.find((one) => one.shown.includes(id));
      if (block) this.fold([block, block.parent].filter(Boolean), false);
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
