import { $ } from "./elements.js";
import { store } from "./store.js";
import { decoded } from "./links.js";
import { toast } from "./messages.js";
import { bundles } from "./bundles.js";
import { filter } from "./filter.js";
import { list } from "./list.js";
import { panel } from "./panel.js";

// What the page shows is in its address, so that a link leads there, a reload stays there, and Back goes back.

/** The names of the chips in addresses. */
const chips = {
  pinned: "isPinned", overridden: "isOverridden", changed: "isChangedFromDefault", expired: "isExpired",
  refused: "isRefused",
};

export const address = {
  isReading: false,

  /** The address of what is shown now. */
  get current() {
    const query = new URLSearchParams();
    if (panel.flag) query.set("flag", panel.flag);
    else if (panel.isOpen && panel.view === "changes") query.set("tab", "changes");
    if ($("search").value.trim()) query.set("q", $("search").value.trim());
    const only = Object.keys(chips).filter((name) => filter.flags.has(chips[name]));
    if (only.length > 0) query.set("only", only.join(","));
    if (filter.source) query.set("source", filter.source);
    if (filter.control) query.set("type", filter.control);
    if (filter.sort) query.set("sort", filter.sort);
    return `${location.pathname}${query.size > 0 ? "?" : ""}${query}`;
  },

  /**
   * Takes over what is shown now.
   * @param {boolean} [isSame] Whether Back shall not come here, as for each letter that is typed.
   */
  write(isSame = false) {
    if (this.isReading) return;
    const next = this.current;
    if (next === location.pathname + location.search) return this.title();
    history[isSame ? "replaceState" : "pushState"](null, "", next);
    this.title();
  },

  title() {
    if (!store.snapshot) return;
    const flag = store.flags.get(panel.flag);
    const { title } = store.snapshot;
    document.title = flag ? `${flag.name} – ${title}` : title;
  },

  // Takes over the search and the filters that the address says.
  readFilter() {
    const query = new URLSearchParams(location.search);
    filter.text = $("search").value = query.get("q") ?? "";
    filter.flags = new Set((query.get("only") ?? "").split(",").map((name) => chips[name]).filter(Boolean));
    filter.choose(query.get("source") ?? "", query.get("type") ?? "");
    filter.sort = [...$("sort").options].some((one) => one.value === query.get("sort")) ? query.get("sort") : "";
    filter.show();
  },

  // Shows what the address says.
  async read() {
    this.readFilter();
    this.readPanel();
    await list.ask();
    if (panel.flag) list.reveal(panel.flag);
  },

  // Shows the flag, or the changes, and the overrides to import that the address says.
  readPanel() {
    const query = new URLSearchParams(location.search);
    const id = query.get("flag");
    this.isReading = true;
    try {
      if (id && store.known.has(id)) {
        if (panel.flag !== id) { panel.open(id); list.reveal(id); }
      } else if (query.get("tab") === "changes") {
        panel.showChanges();
      } else {
        panel.leave();
        if (id) toast(`There is no flag “${id}” here, perhaps not any more.`, { isBad: true });
      }
    } finally {
      this.isReading = false;
    }
    if (location.hash.startsWith("#import=")) {
      const bundle = decoded(location.hash.slice("#import=".length));
      history.replaceState(null, "", location.pathname + location.search);
      bundles.importBundle(bundle ?? "");
      if (bundle === null) toast("The link with overrides is damaged.", { isBad: true });
    }
    this.title();
  },
};

