import { store } from "./store.js";
import { filter } from "./filter.js";
import { emit } from "./signals.js";
import { texts } from "./texts.js";

// Talks to the program, and notices when it is gone.
export const connection = {
  stream: null,
  isLive: false,
  isRefused: false,
  failures: 0,
  lastSign: 0,
  retry: 0,
  /** Everything that is being fetched. @type {Promise<void> | null} */
  fetching: null,
  /** The changes that came meanwhile. */
  waiting: [],
  isStale: false,
  /** When the page was hidden, so that its stream is closed soon. */
  hiding: 0,
  /** The ids of flags that the page shows, which it sets. @type {() => string[]} */
  shown: () => [],

  async ask(path, body) {
    const options = { cache: "no-store", headers: {} };
    if (body !== undefined) {
      options.method = "POST";
      options.headers["Content-Type"] = "application/json";
      options.body = JSON.stringify(body);
    }
    let answer;
    try {
      // A connection that is dead without an end would keep us for minutes.
      answer = await fetch(path, { ...options, signal: AbortSignal.timeout(20000) });
    } catch {
      this.lost("The program does not answer.");
      this.tryAgain();
      const unknown = path === "api/command" ? ", so it is not known whether anything was changed" : "";
      throw { code: "connection", message: `The program does not answer${unknown}.` };
    }
    const text = await answer.text();
    if (answer.ok) {
      // Somebody has signed in again, in another tab.
      if (this.isRefused) { this.isRefused = false; this.open(); }
      return JSON.parse(text);
    }
    if (answer.status === 401) this.refused();
    let error = { code: "connection", message: text.trim()
      || `The program answered with status ${answer.status}.` };
    try { error = JSON.parse(text).error ?? error; } catch { /* Not every refusal is JSON. */ }
    throw error;
  },

  // Waits until the page shows a revision, which comes as a delta; what does not come is fetched.
  reached(revision) {
    const start = performance.now();
    return new Promise((resolve) => {
      const look = () => {
        if (store.snapshot.revision >= revision) resolve();
        else if (performance.now() - start > 1000) this.fetchAll().then(resolve);
        else setTimeout(look, 10);
      };
      look();
    });
  },

  // Opens the stream of changes; everything is fetched when it is open, so that nothing falls in between.
  open() {
    clearTimeout(this.retry);
    this.retry = 0;
    this.stream?.close();
    const stream = new EventSource("api/events");
    this.stream = stream;
    const sign = (act) => (event) => {
      if (this.stream !== stream) return;
      this.lastSign = performance.now();
      act?.(event);
    };
    this.waiting = [];
    stream.addEventListener("hello", sign(() => this.fetchAll()));
    // What was away answers again.
    stream.addEventListener("ping", sign(() => { if (!this.isLive) this.fetchAll(); }));
    stream.addEventListener("delta", sign((event) => this.receive(JSON.parse(event.data))));
    // The flags of an edit, before everything else that it changes.
    stream.addEventListener("flags", sign((event) => this.receive(JSON.parse(event.data))));
    stream.addEventListener("error", () => {
      if (this.stream !== stream) return;
      stream.close();
      this.lost("The program does not answer.");
      this.tryAgain();
    });
    this.lastSign = performance.now();
  },

  // Takes over a change. Where one before it is missing, everything is fetched.
  receive(change) {
    if (this.fetching) {
      this.waiting.push(change);
      return;
    }
    const changed = store.apply(change);
    if (changed === null) this.fetchAll();
    else { this.live(); emit("delta", changed); }
  },

  // Fetches everything, once for many reasons.
  fetchAll() {
    this.isStale = true;
    this.fetching ??= this.fetchUntilNewest().finally(() => { this.fetching = null; });
    return this.fetching;
  },

  async fetchUntilNewest() {
    // The first list of many flags comes before their values do.
    let waits = false;
    while (this.isStale) {
      this.isStale = false;
      const { query, isEmpty } = filter;
      let list;
      try {
        list = await this.ask("api/list", { filter: query, isWhole: true, waits, flags: this.shown() });
      } catch {
        return this.tryAgain();
      }
      waits = Boolean(list.isPreliminary);
      this.isStale ||= waits;
      store.take(list);
      this.failures = 0;
      this.live();
      const isOutdated = JSON.stringify(query) !== JSON.stringify(filter.query);
      emit("snapshot", list, !isEmpty, isOutdated);
      // What came meanwhile is newer, or in the list already.
      for (const change of this.waiting.splice(0)) {
        const changed = store.apply(change);
        if (changed === null) this.isStale = true; else emit("delta", changed);
      }
    }
  },

  tryAgain() {
    if (this.isRefused || this.retry) return;
    this.failures += 1;
    const wait = Math.min(5000, 250 * 2 ** Math.min(this.failures, 5)) * (0.75 + Math.random() / 2);
    this.retry = setTimeout(() => { this.retry = 0; this.probe(); }, wait);
  },

  // A stream that is refused does not say why, so an ordinary request goes first.
  async probe() {
    try {
      await this.ask("api/flags", []);
      this.open();
    } catch {
      this.tryAgain();
    }
  },

  live() {
    if (this.isLive) return;
    this.isLive = true;
    this.isRefused = false;
    emit("connection", "live", texts.live, "");
  },

  lost(reason) {
    if (this.isRefused) return;
    this.isLive = false;
    emit("connection", "lost", texts.connectionLost,
      `${reason} What you see may be out of date. Trying to connect again…`);
  },

  refused() {
    this.isRefused = true;
    this.isLive = false;
    this.stream?.close();
    emit("connection", "lost", "Signed out",
      "The program was started anew and does not know this page. Open the URL that it printed.");
  },

  // A connection that is dead without an end gives no sign.
  watch() {
    setInterval(() => {
      if (!this.isLive || !this.stream || performance.now() - this.lastSign < 15000) return;
      this.stream?.close();
      this.lost("The program gives no sign of life.");
      this.tryAgain();
    }, 1000);
    addEventListener("online", () => { if (!this.isLive && !this.isRefused) this.probe(); });
    document.addEventListener("visibilitychange", () => {
      clearTimeout(this.hiding);
      // A browser opens six connections to a program at most, so pages that are not looked at have none.
      if (document.hidden) this.hiding = setTimeout(() => { this.stream?.close(); this.stream = null; }, 5000);
      else if (!this.isLive) this.probe();
      else if (!this.stream) this.open();
    });
  },
};
